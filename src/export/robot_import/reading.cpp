// SPDX-License-Identifier: Apache-2.0
// What the readers of both formats share.
#include "export/robot_import/reading.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <utility>

#include "core/fast_float.hpp"
#include "core/format_text.hpp"
#include "core/report.hpp"
#include "core/shortest_text.hpp"
#include "core/shortest_turn.hpp"
#include "physics/shared/frames.hpp"
#include "sinew/physics/inertia.hpp"
#include "sinew/physics/volumes.hpp"

namespace sinew::exporter::robot_import {

void RobotFaults::add(Severity severity, std::string_view code, const Where& where,
                      std::string message, std::string_view hint) {
  if (budget_ != nullptr && budget_->is_spent()) return;
  report(diagnostics_, severity, code, {.file = where.file, .line = where.line}, std::move(message),
         hint);
  diagnostics_->back().column = where.column;
}

Error RobotFaults::refuse(ErrorCode error_code, std::string_view code, const Where& where,
                          std::string message) {
  budget_ = nullptr;
  error(code, where, message);
  return {error_code, std::move(message), where.line, where.column};
}

void RobotFaults::counted(std::string_view code, const Where& where, std::string_view what) {
  constexpr std::size_t kMostKinds = 1000;
  const auto key = [&] { return std::string(code) + ' ' + std::string(what); };
  if (counted_.size() >= kMostKinds && !counted_by_what_.contains(key())) {
    what = "There is more of such kinds";
  }
  const auto [found, is_new] = counted_by_what_.emplace(key(), counted_.size());
  if (is_new) counted_.push_back({std::string(code), std::string(what), where, 0});
  ++counted_[found->second].count;
}

std::size_t RobotFaults::finish_counted(std::string_view code) {
  std::size_t kinds = 0;
  for (const Counted& counted : counted_) {
    warning(counted.code, counted.where,
            counted.count == 1
                ? counted.what + "."
                : format_text("{} ({} of them, this is the first).", counted.what, counted.count));
    kinds += counted.code == code ? 1 : 0;
  }
  counted_.clear();
  counted_by_what_.clear();
  return kinds;
}

std::optional<double> number_of(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = fast_float::from_chars(text.data(), text.data() + text.size(), value);
  // What is too large for a double is infinite.
  const bool is_number = error == std::errc() || error == std::errc::result_out_of_range;
  if (!is_number || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool numbers_of(std::string_view text, std::vector<double>& numbers) {
  constexpr std::string_view kBlanks = " \t\r\n";
  while (true) {
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) return true;
    text.remove_prefix(first);
    const std::string_view word = text.substr(0, text.find_first_of(kBlanks));
    const std::optional<double> value = number_of(word);
    if (!value) return false;
    numbers.push_back(*value);
    text.remove_prefix(word.size());
  }
}

std::optional<std::vector<double>> RobotInput::numbers(const XmlElement& element,
                                                       const XmlAttribute& attribute,
                                                       std::size_t least, std::size_t most) const {
  std::vector<double> values;
  const auto wrong = [&](const std::string& what) {
    faults->error(
        "robot-number", where(attribute),
        format_text("'{}' of <{}> {}; it is passed over.", attribute.name, element.name, what));
    return std::nullopt;
  };
  if (!budget->spend(attribute.value.size(), 4)) return std::nullopt;
  if (!numbers_of(attribute.value, values)) {
    return wrong(
        format_text("is \"{}\", which is not made of numbers", attribute.value.substr(0, 60)));
  }
  if (std::any_of(values.begin(), values.end(), [](double v) { return !std::isfinite(v); })) {
    return wrong("holds a number that is not finite");
  }
  if (values.size() < least || values.size() > most) {
    return wrong(least == most ? format_text("has {} numbers and takes {}", values.size(), least)
                               : format_text("has {} numbers and takes {} to {}", values.size(),
                                             least, most));
  }
  return values;
}

void tell_unread(const RobotInput& input, const XmlElement& root,
                 std::span<const std::string_view> known) {
  const auto is_known = [&](const std::string& name) {
    return std::find(known.begin(), known.end(), name) != known.end();
  };
  std::map<std::string, bool, std::less<>> seen;  // Each kind is looked up once.
  const auto look_up = [&](std::string name) {
    const auto found = seen.find(name);
    if (found != seen.end()) return found->second;
    const bool result = is_known(name);
    seen.emplace(std::move(name), result);
    return result;
  };
  std::vector<const XmlElement*> open = {&root};
  while (!open.empty()) {
    const XmlElement& element = *open.back();
    open.pop_back();
    if (!look_up(std::string(element.name))) {
      input.faults->counted("robot-unread", input.where(element),
                            format_text("<{}> is not read", element.name));
      continue;
    }
    for (const XmlAttribute& attribute : element.attributes) {
      if (attribute.name.starts_with("xmlns")) continue;
      if (look_up(std::string(element.name) + "." + std::string(attribute.name))) continue;
      input.faults->counted("robot-unread", input.where(attribute),
                            format_text("'{}' of <{}> is not read", attribute.name, element.name));
    }
    open.insert(open.end(), element.children.rbegin(), element.children.rend());
  }
}

// --- Frames

Quatd from_z_to(const Vector3d& direction) {
  return shortest_turn(Vector3d::UnitZ(), direction);
}

Posed compose_poses(const Posed& outer, const Posed& inner) {
  Posed result = physics::compose(outer, inner);
  result.rotation.normalize();
  return result;
}

Posed inverse_pose(const Posed& pose) {
  return physics::inverse(pose);
}

// --- Masses

namespace {

struct Triangle {
  std::array<Vector3d, 3> corners;
  Vector3d center;
  Vector3d normal;  // Of the length of the area.
};

// Positions from `origin`.
template <typename Visit>
void for_each_triangle(const RobotMesh& mesh, const Vector3d& origin, Visit visit) {
  for (std::size_t i = 0; i + 2 < mesh.corners.size(); i += 3) {
    Triangle triangle;
    for (std::size_t k = 0; k < 3; ++k) {
      triangle.corners[k] = at(mesh.points, mesh.corners[i + k]).cast<double>() - origin;
    }
    const auto& [a, b, c] = triangle.corners;
    triangle.center = (a + b + c) / 3.0;
    triangle.normal = (b - a).cross(c - a) / 2.0;
    visit(triangle);
  }
}

// The integral of x x^T: over the triangle, which has that area, with a divisor of 12; over the
// pyramid from it to the origin, which has that volume, with one of 20.
Matrix3d second_moment(const Triangle& triangle, double content, double divisor) {
  Matrix3d sum = Matrix3d::Zero();
  for (const Vector3d& corner : triangle.corners) sum += corner * corner.transpose();
  const Vector3d total = 3.0 * triangle.center;
  return content / divisor * (sum + total * total.transpose());
}

Matrix3d inertia_of(const Matrix3d& second) {
  return second.trace() * Matrix3d::Identity() - second;
}

// As MuJoCo sees a mesh unless it is asked for more: pyramids from the faces to a point within, all
// of which count, also where they overlap. Right for what is convex, too heavy for what is not.
physics::Solid legacy_solid(const RobotMesh& mesh) {
  double area = 0.0;
  Vector3d middle = Vector3d::Zero();
  for_each_triangle(mesh, Vector3d::Zero(), [&](const Triangle& triangle) {
    area += triangle.normal.norm();
    middle += triangle.normal.norm() * triangle.center;
  });
  physics::Solid solid;
  if (!(area > 0.0)) return solid;
  middle /= area;
  Vector3d moment = Vector3d::Zero();
  for_each_triangle(mesh, middle, [&](const Triangle& triangle) {
    const double volume = std::abs(triangle.center.dot(triangle.normal)) / 3.0;
    solid.volume += volume;
    moment += volume * 0.75 * triangle.center;
  });
  if (!(solid.volume > 0.0)) return solid;
  solid.center = middle + moment / solid.volume;
  solid.volume = 0.0;
  Matrix3d second = Matrix3d::Zero();
  for_each_triangle(mesh, solid.center, [&](const Triangle& triangle) {
    const double volume = std::abs(triangle.center.dot(triangle.normal)) / 3.0;
    solid.volume += volume;
    second += second_moment(triangle, volume, 20.0);
  });
  solid.inertia = inertia_of(second);
  return solid;
}

// A skin that weighs by its area.
physics::Solid shell(const RobotMesh& mesh) {
  physics::Solid solid;
  Vector3d moment = Vector3d::Zero();
  for_each_triangle(mesh, Vector3d::Zero(), [&](const Triangle& triangle) {
    solid.volume += triangle.normal.norm();
    moment += triangle.normal.norm() * triangle.center;
  });
  if (!(solid.volume > 0.0)) return solid;
  solid.center = moment / solid.volume;
  Matrix3d second = Matrix3d::Zero();
  for_each_triangle(mesh, solid.center, [&](const Triangle& triangle) {
    second += second_moment(triangle, triangle.normal.norm(), 12.0);
  });
  solid.inertia = inertia_of(second);
  return solid;
}

// What a mesh encloses, as it asks to be weighed; if it has points alone, or asks for what it
// encloses and is open, what its hull does.
physics::Solid solid_of(const RobotMesh& mesh) {
  const bool has_faces = !mesh.corners.empty();
  if (has_faces && mesh.weighing == MeshWeighing::legacy) return legacy_solid(mesh);
  if (has_faces && mesh.weighing == MeshWeighing::shell) return shell(mesh);
  const std::vector<std::int32_t> counts(mesh.corners.size() / 3, 3);
  geom::Mesh geometry;
  geometry.points = mesh.points;
  geometry.face_counts = counts;
  geometry.face_indices = mesh.corners;
  Diagnostics unused;
  return physics::solid_mesh(geometry,
                             has_faces && mesh.weighing != MeshWeighing::convex
                                 ? physics::MeshApproximation::none
                                 : physics::MeshApproximation::convex_hull,
                             Vector3d::Ones(), mesh.name, unused);
}

}  // namespace

std::optional<RobotMass> mass_of(Robot& robot, const RobotGeom& geom) {
  if (!geom.has_mass) return std::nullopt;
  const Vector3d& size = geom.size;
  physics::Solid solid;
  switch (geom.kind) {
    case GeomKind::sphere:
      solid = physics::solid_sphere(size.x());
      break;
    case GeomKind::box:
      solid = physics::solid_box(size);
      break;
    case GeomKind::capsule:
      solid = physics::solid_capsule(size.x(), size.z(), Axis::z);
      break;
    case GeomKind::cylinder:
      solid = physics::solid_cylinder(size.x(), size.z(), Axis::z);
      break;
    case GeomKind::plane:
      return std::nullopt;
    case GeomKind::ellipsoid: {
      solid.volume = 4.0 / 3.0 * 3.14159265358979323846 * size.x() * size.y() * size.z();
      const Vector3d squares = size.cwiseProduct(size);
      solid.inertia =
          (solid.volume / 5.0 * (Vector3d::Constant(squares.sum()) - squares)).asDiagonal();
      break;
    }
    case GeomKind::mesh: {
      RobotMesh& mesh = at(robot.meshes, geom.mesh);
      if (!mesh.solid) mesh.solid = solid_of(mesh);
      solid = *mesh.solid;
      break;
    }
  }
  if (!(solid.volume > 0.0) || !std::isfinite(solid.volume)) return std::nullopt;
  RobotMass result;
  result.mass = geom.mass.value_or(solid.volume * geom.density);
  result.center = geom.pose.position + geom.pose.rotation * solid.center;
  result.inertia =
      physics::rotate_inertia(solid.inertia * (result.mass / solid.volume), geom.pose.rotation);
  return result;
}

RobotMass sum_of(std::span<const RobotMass> parts) {
  std::vector<physics::MassProperties> list;
  for (const RobotMass& part : parts) list.push_back({part.mass, part.inertia, part.center});
  const physics::MassProperties sum = physics::sum_mass(list);
  return {sum.mass, sum.center, sum.inertia};
}

namespace {

// The planes of a body that is fixed to the world become the world's: no engine has a plane that is
// a body's, be it one that cannot move.
void move_planes(Robot& robot, RobotBody& body) {
  const auto is_plane = [&](std::int32_t index) {
    return at(robot.geoms, index).kind == GeomKind::plane;
  };
  for (const std::int32_t index : body.geoms) {
    if (!is_plane(index)) continue;
    RobotGeom& plane = at(robot.geoms, index);
    plane.pose = compose_poses(body.world, plane.pose);
    plane.moved_from = static_cast<std::int32_t>(&body - robot.bodies.data());
    robot.bodies.front().geoms.push_back(index);
  }
  std::erase_if(body.geoms, is_plane);
}

}  // namespace

void finish_bodies(const RobotInput& input) {
  Robot& robot = *input.robot;
  constexpr double kLeast = 1e-15;
  std::vector<bool> is_fixed(robot.bodies.size(), true);  // To the world.
  for (std::size_t i = 0; i < robot.bodies.size(); ++i) {
    RobotBody& body = robot.bodies[i];
    if (i == 0) {
      body.carrier = 0;
      continue;
    }
    const RobotBody& parent = at(robot.bodies, body.parent);
    body.world = compose_poses(parent.world, body.pose);
    const bool moves = !body.joints.empty() || body.state == BodyState::free;
    is_fixed[i] = is_fixed[static_cast<std::size_t>(body.parent)] && !moves &&
                  body.state != BodyState::kinematic;
    const bool is_heavy = body.has_mass && body.mass.mass > kLeast;
    const bool is_part = !moves && !is_heavy && body.state != BodyState::kinematic;
    body.carrier = is_part ? parent.carrier : static_cast<std::int32_t>(i);
    if (is_fixed[i] && body.carrier != 0) move_planes(robot, body);
    if (is_part) continue;
    if (!is_heavy && !moves) continue;  // Kinematic: no mass is needed.
    RobotMass& mass = body.mass;
    if (!is_heavy || !std::isfinite(mass.mass)) {
      // Nothing moves without one; the same stands in where an engine is to be fed.
      mass = {1e-3, Vector3d::Zero(), 4e-8 * Matrix3d::Identity()};
      body.has_mass = true;
      input.faults->warning("robot-no-mass", body.where,
                            format_text("'{}' moves and has no mass; a ball of 1 g and 1 cm "
                                        "stands in.",
                                        body.name));
      continue;
    }
    const physics::PrincipalInertia principal = physics::diagonalize(mass.inertia);
    const double least = principal.diagonal.minCoeff();
    if (least > kLeast && mass.inertia.allFinite()) continue;
    mass.inertia = 4e-5 * mass.mass * Matrix3d::Identity();
    input.faults->warning(
        "robot-no-mass", body.where,
        format_text("'{}' has a moment of inertia of {} kg m2; that of a ball of its mass and "
                    "1 cm stands in.",
                    body.name, rounded_text(least)));
  }
}

}  // namespace sinew::exporter::robot_import
