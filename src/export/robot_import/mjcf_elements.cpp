// SPDX-License-Identifier: Apache-2.0
// MJCF: what stands in a body. Joints, geoms, masses, sites, and the ways to write an orientation.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/format_text.hpp"
#include "core/shortest_text.hpp"
#include "export/robot_import/mjcf_reader.hpp"
#include "export/shared/open_ends.hpp"

namespace sinew::exporter::robot_import {

namespace {

Vector3d vector_of(const std::vector<double>& numbers, std::size_t first = 0) {
  return {numbers[first], numbers[first + 1], numbers[first + 2]};
}

std::optional<GeomKind> geom_kind(std::string_view type) {
  constexpr std::pair<std::string_view, GeomKind> kKinds[] = {
      {"sphere", GeomKind::sphere},      {"box", GeomKind::box},     {"capsule", GeomKind::capsule},
      {"cylinder", GeomKind::cylinder},  {"plane", GeomKind::plane}, {"mesh", GeomKind::mesh},
      {"ellipsoid", GeomKind::ellipsoid}};
  for (const auto& [name, kind] : kKinds) {
    if (name == type) return kind;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::vector<double>> MjcfReader::several(const View& view, std::string_view name,
                                                       std::size_t least, std::size_t most) const {
  const std::vector<const XmlAttribute*> given = view.find_all(name);
  if (given.empty()) return std::nullopt;
  auto values = in_.numbers(*view.element, *given.front(), least, most);
  for (std::size_t i = 1; i < given.size() && values && values->size() < most; ++i) {
    const auto around = in_.numbers(*view.element, *given[i], least, most);
    if (!around || around->size() <= values->size()) continue;
    values->insert(values->end(), around->begin() + static_cast<std::ptrdiff_t>(values->size()),
                   around->end());
  }
  return values;
}

NamedNumbers MjcfReader::named_numbers(
    const View& view, std::span<const std::pair<std::string_view, std::size_t>> names) const {
  NamedNumbers found;
  for (const auto& [name, most] : names) {
    if (auto values = several(view, name, 1, most)) found.emplace_back(name, std::move(*values));
  }
  return found;
}

std::optional<double> MjcfReader::number(const View& view, std::string_view name) const {
  const auto values = several(view, name, 1, 1);
  return values ? std::optional<double>((*values)[0]) : std::nullopt;
}

std::optional<Vector3d> MjcfReader::vector(const View& view, std::string_view name) const {
  const auto values = several(view, name, 3, 3);
  return values ? std::optional<Vector3d>(vector_of(*values)) : std::nullopt;
}

bool MjcfReader::flag(const View& view, std::string_view name, bool fallback) const {
  const XmlAttribute* found = view.find(name);
  if (found == nullptr) return fallback;
  if (found->value == "true") return true;
  if (found->value == "false") return false;
  in_.faults->error(
      "robot-value", in_.where(*found),
      format_text("'{}' is \"{}\", neither true nor false.", name, found->value.substr(0, 20)));
  return fallback;
}

bool MjcfReader::is_limited(const View& view, std::string_view name,
                            const std::vector<double>& range) const {
  const std::string_view said = view.text(name, "auto");
  if (said == "auto") return auto_limits_ && (range[0] != 0.0 || range[1] != 0.0);
  return said == "true";
}

double MjcfReader::angle(double value) const {
  return degrees_ ? value * std::numbers::pi / 180.0 : value;
}

Quatd MjcfReader::orientation(const View& view) const {
  const auto axes = [](const Vector3d& x, const Vector3d& y, const Vector3d& z) {
    Eigen::Matrix3d matrix;
    matrix << x, y, z;
    return Quatd(matrix).normalized();
  };
  const auto degenerate = [&](std::string_view name) {
    in_.faults->error("robot-value", in_.where(*view.find(name)),
                      format_text("'{}' of <{}> gives no direction.", name, view.element->name));
    return Quatd::Identity();
  };
  constexpr double kShortest = 1e-12;
  // As in the engine: what is no quaternion comes before one, the nearest first, the last of these.
  const std::string_view how =
      view.nearest({"euler", "zaxis", "xyaxes", "axisangle"}).value_or("quat");
  const auto numbers = [&](std::string_view name, std::size_t count) {
    return how == name ? several(view, name, count, count) : std::nullopt;
  };
  if (const auto q = numbers("quat", 4)) {
    const Quatd given((*q)[0], (*q)[1], (*q)[2], (*q)[3]);
    if (!(given.norm() > kShortest)) return degenerate("quat");
    return given.normalized();
  }
  if (const auto a = numbers("axisangle", 4)) {
    const Vector3d axis = vector_of(*a);
    if (!(axis.norm() > kShortest)) return degenerate("axisangle");
    return Quatd(Eigen::AngleAxisd(angle((*a)[3]), axis.normalized()));
  }
  if (const auto e = numbers("euler", 3)) {
    Quatd result = Quatd::Identity();
    for (std::size_t i = 0; i < 3; ++i) {
      const char letter = euler_order_[i];
      const bool is_fixed = letter < 'a';  // About the axes of the parent, not those turned so far.
      const int k = letter - (is_fixed ? 'X' : 'x');
      const Quatd turn(Eigen::AngleAxisd(angle((*e)[i]), Vector3d::Unit(k)));
      result = is_fixed ? turn * result : result * turn;
    }
    return result.normalized();
  }
  if (const auto a = numbers("xyaxes", 6)) {
    const Vector3d x = vector_of(*a).normalized();
    Vector3d y = vector_of(*a, 3);
    y -= x * x.dot(y);
    if (!(x.norm() > 0.5) || !(y.norm() > kShortest)) return degenerate("xyaxes");
    y.normalize();
    return axes(x, y, x.cross(y));
  }
  if (const auto z = numbers("zaxis", 3)) {
    const Vector3d direction = vector_of(*z);
    if (!(direction.norm() > kShortest)) return degenerate("zaxis");
    return from_z_to(direction);
  }
  return Quatd::Identity();
}

Posed MjcfReader::pose(const View& view) const {
  return {vector(view, "pos").value_or(Vector3d::Zero()), orientation(view)};
}

void MjcfReader::read_inertial(const Pending& pending) {
  if (pending.body == 0) return;
  const View view{pending.element, nullptr};
  const auto index = static_cast<std::size_t>(pending.body);
  RobotBody& body = robot_.bodies[index];
  const auto mass = number(view, "mass");
  if (!mass || *mass < 0.0) {
    in_.faults->error("robot-value", in_.where(*pending.element),
                      "An <inertial> needs a mass of 0 or more; it is passed over.");
    return;
  }
  const Posed frame = compose_poses(pending.offset, pose(view));
  Matrix3d inertia = Matrix3d::Zero();
  if (const auto full = several(view, "fullinertia", 6, 6)) {
    const std::vector<double>& m = *full;
    inertia << m[0], m[3], m[4], m[3], m[1], m[5], m[4], m[5], m[2];
  } else if (const auto diagonal = vector(view, "diaginertia")) {
    inertia = diagonal->asDiagonal();
  }
  const Matrix3d turn = frame.rotation.toRotationMatrix();
  if (inertia_mode_ != InertiaMode::from_geoms) {
    body.mass = {*mass, frame.position, turn * inertia * turn.transpose()};
    body.has_mass = true;
  }
  has_inertial_[index] = true;
}

void MjcfReader::read_joint(const Pending& pending) {
  const XmlElement& element = *pending.element;
  const Where where = in_.where(element);
  const View view{&element, class_of(element, pending.defaults)};
  const bool is_free = element.name == "freejoint" || view.text("type") == "free";
  if (pending.body == 0) {
    in_.faults->error("robot-joint", where, "The world has no joints.");
    return;
  }
  RobotBody& body = at(robot_.bodies, pending.body);
  if (body.state == BodyState::kinematic) {
    in_.faults->error("robot-joint", where, "A mocap body has no joints; this one is left out.");
    return;
  }
  if (is_free) {
    if (body.parent != 0 || !body.joints.empty()) {
      in_.faults->error("robot-joint", where,
                        "Only a body of the world that has no other joint can be free; the joint "
                        "is left out.");
      return;
    }
    body.state = BodyState::free;
    for (const char* name : {"damping", "armature", "frictionloss", "stiffness"}) {
      if (element.name == "freejoint" || number(view, name).value_or(0.0) == 0.0) continue;
      in_.faults->counted("robot-joint", where,
                          format_text("'{}' of a free joint is left out: bodies have none", name));
    }
    return;
  }
  if (body.state == BodyState::free) {
    in_.faults->error("robot-joint", where, "A free body has no other joints.");
    return;
  }
  RobotJoint joint;
  joint.where = where;
  joint.body = pending.body;
  joint.name = element.find("name") != nullptr ? element.find("name")->value : "";
  const std::string_view type = view.text("type", "hinge");
  if (type == "slide") {
    joint.kind = JointKind::slide;
  } else if (type == "ball") {
    joint.kind = JointKind::ball;
  } else if (type != "hinge") {
    in_.faults->error(
        "robot-joint", in_.where(*view.find("type")),
        format_text("There is no type of joint '{}'; the joint is left out.", type.substr(0, 40)));
    return;
  }
  const Posed& offset = pending.offset;
  const Vector3d axis = vector(view, "axis").value_or(Vector3d::UnitZ());
  if (!(axis.norm() > 1e-10)) {
    in_.faults->error("robot-value", in_.where(*view.find("axis")),
                      "'axis' of <joint> gives no direction; the joint is left out.");
    return;
  }
  joint.axis = offset.rotation * axis.normalized();
  joint.anchor = offset.position + offset.rotation * vector(view, "pos").value_or(Vector3d::Zero());
  const bool turns = joint.kind != JointKind::slide;
  const auto in_unit = [&](double value) { return turns ? angle(value) : value; };
  joint.start = in_unit(number(view, "ref").value_or(0.0));
  joint.spring_rest = in_unit(number(view, "springref").value_or(0.0));
  joint.stiffness = number(view, "stiffness").value_or(0.0);
  joint.damping = number(view, "damping").value_or(0.0);
  joint.armature = number(view, "armature").value_or(0.0);
  joint.friction = number(view, "frictionloss").value_or(0.0);
  constexpr std::pair<std::string_view, std::size_t> kSolver[] = {{"solreflimit", 2},
                                                                  {"solimplimit", 5}};
  joint.solver = named_numbers(view, kSolver);
  const auto range = several(view, "range", 2, 2);
  if (range && is_limited(view, "limited", *range)) {
    const double far = turns ? kFarAngle : kFarDistance;
    const double lower = in_unit((*range)[0]);
    const double upper = in_unit((*range)[1]);
    if (!(lower < upper)) {
      in_.faults->error("robot-value", in_.where(*view.find("range")),
                        format_text("The range of a joint is {} to {}; it is passed over.",
                                    rounded_text((*range)[0]), rounded_text((*range)[1])));
    } else {
      if (lower > -far) joint.lower = lower;
      if (upper < far) joint.upper = upper;
    }
  }
  if (joint.kind == JointKind::ball && std::isfinite(joint.upper)) {
    in_.faults->warning("robot-joint", in_.where(*view.find("range")),
                        "A ball joint limits the whole turn; it becomes a cone of that angle, in "
                        "which the twist is free.");
  }
  const auto index = static_cast<std::int32_t>(robot_.joints.size());
  if (!joint.name.empty() && !joints_by_name_.emplace(element.find("name")->value, index).second) {
    in_.faults->error(
        "robot-duplicate", in_.where(*element.find("name")),
        format_text("There are two joints '{}'; the first is meant by others.", joint.name));
  }
  if (!in_.budget->spend(sizeof(RobotJoint))) return;
  robot_.joints.push_back(std::move(joint));
  body.joints.push_back(index);
}

// Half extents from `size` and `fromto`.
bool MjcfReader::read_size(const View& view, RobotGeom& geom, double missing) const {
  const auto size = several(view, "size", 1, 3).value_or(std::vector<double>());
  const auto fromto = several(view, "fromto", 6, 6);
  const auto given = [&](std::size_t i) { return i < size.size() ? size[i] : missing; };
  Vector3d half(given(0), given(1), given(2));
  const bool is_round = geom.kind == GeomKind::capsule || geom.kind == GeomKind::cylinder;
  const bool is_long = is_round || geom.kind == GeomKind::box || geom.kind == GeomKind::ellipsoid;
  if (fromto && is_long) {
    const Vector3d from = vector_of(*fromto);
    const Vector3d to = vector_of(*fromto, 3);
    const double length = (to - from).norm();
    if (!(length > 0.0)) return false;
    half = {given(0), given(0), length / 2.0};
    geom.pose = {(from + to) / 2.0, from_z_to(from - to)};
  } else if (is_round) {
    half = {given(0), given(0), given(1)};
  } else if (geom.kind == GeomKind::sphere) {
    half = Vector3d::Constant(given(0));
  }
  geom.size = half;
  return half.minCoeff() > 0.0;
}

void MjcfReader::read_geom(const Pending& pending) {
  const XmlElement& element = *pending.element;
  const View view{&element, class_of(element, pending.defaults)};
  RobotGeom geom;
  geom.where = in_.where(element);
  const auto refuse = [&](std::string_view code, const Where& where, const std::string& message) {
    in_.faults->error(code, where, message + " The geom is left out.");
  };
  const XmlAttribute* mesh = view.find("mesh");
  const XmlAttribute* name = element.find("name");
  geom.name = name != nullptr ? name->value : mesh != nullptr ? mesh->value : "";
  if (name != nullptr && !geom_names_.insert(name->value).second) {
    in_.faults->error("robot-duplicate", in_.where(*name),
                      format_text("There are two geoms '{}'.", geom.name));
  }
  const std::string_view type = view.text("type", "sphere");
  const std::optional<GeomKind> kind = geom_kind(type);
  if (!kind) {
    return refuse("robot-shape", geom.where,
                  format_text("There is nothing for a geom of the type '{}'.", type.substr(0, 40)));
  }
  geom.kind = *kind;
  const auto bits = [&](const char* attribute) {
    const double value = number(view, attribute).value_or(1.0);
    return static_cast<std::uint32_t>(static_cast<std::int64_t>(std::clamp(value, -2e9, 4e9)));
  };
  geom.type_bits = bits("contype");
  geom.affinity_bits = bits("conaffinity");
  geom.group = static_cast<int>(std::clamp(number(view, "group").value_or(0.0), -1e6, 1e6));
  geom.collides = geom.type_bits != 0 || geom.affinity_bits != 0;
  // What does not collide is there to be seen, but for the group that holds colliders.
  constexpr int kColliderGroup = 3;
  geom.is_collider = geom.collides || geom.group == kColliderGroup;
  geom.is_hidden = geom.group >= kColliderGroup;
  if (geom.kind != GeomKind::mesh && mesh != nullptr) {
    return refuse("robot-shape", geom.where, "Shapes that are fitted to a mesh are not read.");
  }
  geom.pose = pose(view);
  if (geom.kind == GeomKind::mesh) {
    if (mesh == nullptr) return refuse("robot-shape", geom.where, "It names no mesh.");
    geom.mesh = mesh_named(mesh->value, in_.where(*mesh));
    if (geom.mesh == kNothing) return;
  } else if (geom.kind != GeomKind::plane && !read_size(view, geom, 0.0)) {
    return refuse("robot-value", geom.where, format_text("A {} needs sizes above 0.", type));
  }
  geom.pose = compose_poses(pending.offset, geom.pose);
  if (const auto friction = several(view, "friction", 1, 3)) {
    const std::vector<double>& f = *friction;
    geom.friction = f[0];
    if (f.size() > 1 && f[1] != 0.005) geom.torsional_friction = f[1];
    if (f.size() > 2 && f[2] != 0.0001) geom.rolling_friction = f[2];
  }
  const double gap = number(view, "gap").value_or(0.0);
  const double margin = number(view, "margin").value_or(0.0);
  if (gap != 0.0) geom.gap = gap;
  if (margin - gap != 0.0) geom.margin = margin - gap;
  geom.color = color_of(view);
  read_contact(view, geom);
  geom.density = std::max(0.0, number(view, "density").value_or(1000.0));
  if (const auto mass = number(view, "mass")) {
    geom.mass = std::max(0.0, *mass);
    geom.has_mass = *mass > 0.0;
  } else {
    geom.has_mass = geom.density > 0.0;
  }
  if (!in_.budget->spend(sizeof(RobotGeom))) return;
  at(robot_.bodies, pending.body).geoms.push_back(static_cast<std::int32_t>(robot_.geoms.size()));
  robot_.geoms.push_back(std::move(geom));
}

std::optional<std::array<float, 4>> MjcfReader::color_of(const View& view) const {
  auto color = several(view, "rgba", 4, 4);
  if (const XmlAttribute* material = view.find("material"); !color && material != nullptr) {
    const auto found = materials_.find(material->value);
    if (found != materials_.end()) {
      color = several({found->second, class_of(*found->second, &classes_.front())}, "rgba", 4, 4);
    }
  }
  if (!color) return std::nullopt;
  std::array<float, 4> result{};
  for (std::size_t i = 0; i < 4; ++i) result[i] = static_cast<float>((*color)[i]);
  return result;
}

// The numbers of the solver, which go into attributes of the same names. The group of what does not
// collide is what makes it a collider.
void MjcfReader::read_contact(const View& view, RobotGeom& geom) const {
  constexpr std::pair<std::string_view, std::size_t> kNames[] = {
      {"condim", 1}, {"group", 1}, {"priority", 1}, {"solmix", 1}, {"solref", 2}, {"solimp", 5}};
  geom.contact = named_numbers(view, kNames);
  if (geom.collides) return;
  std::erase_if(geom.contact, [](const auto& entry) { return entry.first == "group"; });
}

void MjcfReader::read_site(const Pending& pending) {
  const View view{pending.element, class_of(*pending.element, pending.defaults)};
  constexpr double kSize = 0.005;
  RobotSite site;
  RobotGeom& geom = site.geom;
  geom.where = in_.where(*pending.element);
  geom.kind = geom_kind(view.text("type", "sphere")).value_or(GeomKind::mesh);
  geom.pose = pose(view);
  const bool has_size = geom.kind != GeomKind::mesh && geom.kind != GeomKind::plane;
  if (!has_size || !read_size(view, geom, kSize)) {
    in_.faults->error("robot-value", geom.where,
                      "A site needs a type with sizes above 0; it is taken as a ball.");
    geom.kind = GeomKind::sphere;
    geom.size = Vector3d::Constant(kSize);
  }
  geom.pose = compose_poses(pending.offset, geom.pose);
  geom.group = static_cast<int>(std::clamp(number(view, "group").value_or(0.0), -1e6, 1e6));
  geom.color = color_of(view);
  if (!in_.budget->spend(sizeof(RobotSite))) return;
  const auto index = static_cast<std::int32_t>(robot_.sites.size());
  if (const XmlAttribute* name = pending.element->find("name"); name != nullptr) {
    geom.name = name->value;
    sites_.emplace(name->value, Site{pending.body, index});
  }
  at(robot_.bodies, pending.body).sites.push_back(index);
  robot_.sites.push_back(std::move(site));
}

}  // namespace sinew::exporter::robot_import
