// SPDX-License-Identifier: Apache-2.0
// URDF: links in a tree of joints.

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/format_text.hpp"
#include "core/shortest_text.hpp"
#include "export/robot_import/reading.hpp"
#include "export/shared/open_ends.hpp"

namespace sinew::exporter::robot_import {

namespace {

// clang-format off
constexpr std::string_view kKnownUrdf[] = {
    "robot", "robot.name", "robot.version",
    "link", "link.name", "link.type",
    "inertial", "origin", "origin.xyz", "origin.rpy", "mass", "mass.value",
    "inertia", "inertia.ixx", "inertia.ixy", "inertia.ixz", "inertia.iyy", "inertia.iyz",
    "inertia.izz",
    "visual", "visual.name", "collision", "collision.name", "geometry", "box", "box.size",
    "sphere", "sphere.radius", "cylinder", "cylinder.radius", "cylinder.length",
    "capsule", "capsule.radius", "capsule.length", "mesh", "mesh.filename", "mesh.scale",
    "material", "material.name", "color", "color.rgba", "texture", "texture.filename",
    "joint", "joint.name", "joint.type", "parent", "parent.link", "child", "child.link",
    "axis", "axis.xyz", "limit", "limit.lower", "limit.upper", "limit.effort", "limit.velocity",
    "dynamics", "dynamics.damping", "dynamics.friction",
    "mimic", "mimic.joint", "mimic.multiplier", "mimic.offset",
};
// clang-format on

class UrdfReader {
 public:
  explicit UrdfReader(const RobotInput& input) : in_(input), robot_(*input.robot) {}

  bool run(const XmlElement& root) {
    tell_unread(in_, root, kKnownUrdf);
    if (const XmlAttribute* name = root.find("name"); name != nullptr) robot_.name = name->value;
    robot_.adds_newton = true;
    RobotBody& world = robot_.bodies.emplace_back();
    world.name = "world";
    for (const XmlElement* element : root.children) {
      if (element->name == "material") add_material(*element);
    }
    // Links may name colours that others define; those of the robot come first.
    for (const XmlElement* link : root.children) {
      if (link->name != "link") continue;
      for (const XmlElement* visual : link->children) {
        const XmlElement* const material = visual->child("material");
        if (visual->name == "visual" && material != nullptr) add_material(*material);
      }
    }
    collect(root);
    place_links();
    for (const auto& [follower, element] : mimics_) read_mimic(follower, *element);
    finish_bodies(in_);
    return true;
  }

 private:
  struct Link {
    const XmlElement* element;
    const XmlElement* joint = nullptr;  // That holds it.
    std::vector<std::size_t> children;
    bool is_placed = false;
  };

  std::optional<std::vector<double>> several(const XmlElement* element, std::string_view name,
                                             std::size_t count) const {
    if (element == nullptr) return std::nullopt;
    const XmlAttribute* found = element->find(name);
    if (found == nullptr) return std::nullopt;
    return in_.numbers(*element, *found, count, count);
  }
  std::optional<double> number(const XmlElement* element, std::string_view name) const {
    const auto values = several(element, name, 1);
    return values ? std::optional<double>((*values)[0]) : std::nullopt;
  }
  std::optional<Vector3d> vector(const XmlElement* element, std::string_view name) const {
    const auto v = several(element, name, 3);
    return v ? std::optional<Vector3d>(Vector3d((*v)[0], (*v)[1], (*v)[2])) : std::nullopt;
  }
  // Roll, pitch and yaw about fixed axes.
  Posed origin(const XmlElement& around) const {
    const XmlElement* element = around.child("origin");
    const Vector3d turn = vector(element, "rpy").value_or(Vector3d::Zero());
    const Quatd rotation = Eigen::AngleAxisd(turn.z(), Vector3d::UnitZ()) *
                           Eigen::AngleAxisd(turn.y(), Vector3d::UnitY()) *
                           Eigen::AngleAxisd(turn.x(), Vector3d::UnitX());
    return {vector(element, "xyz").value_or(Vector3d::Zero()), rotation.normalized()};
  }
  std::string_view text(const XmlElement* element, std::string_view name) const {
    const XmlAttribute* found = element == nullptr ? nullptr : element->find(name);
    return found == nullptr ? std::string_view() : found->value;
  }

  void add_material(const XmlElement& element) {
    const XmlElement* color = element.child("color");
    if (color != nullptr) materials_.emplace(text(&element, "name"), color);
  }

  // The links, and which joint holds each.
  void collect(const XmlElement& root) {
    std::map<std::string_view, std::size_t> by_name;
    for (const XmlElement* element : root.children) {
      if (element->name != "link") continue;
      const std::string_view name = text(element, "name");
      if (name.empty() || !by_name.emplace(name, links_.size()).second) {
        in_.faults->error(name.empty() ? "robot-value" : "robot-duplicate", in_.where(*element),
                          name.empty()
                              ? "A link has no name; it is left out."
                              : format_text("There are two links '{}'; the first counts.", name));
        continue;
      }
      links_.push_back({element, nullptr, {}, false});
    }
    std::map<std::string_view, bool> joint_names;
    for (const XmlElement* element : root.children) {
      if (element->name != "joint") continue;
      const auto end = [&](const char* which) -> std::optional<std::size_t> {
        const XmlElement* child = element->child(which);
        const auto found = by_name.find(text(child, "link"));
        if (found != by_name.end()) return found->second;
        in_.faults->error("robot-reference", in_.where(child == nullptr ? *element : *child),
                          format_text("The joint '{}' has no {} link '{}'; it is left out.",
                                      text(element, "name"), which, text(child, "link")));
        return std::nullopt;
      };
      const auto parent = end("parent");
      const auto child = end("child");
      if (!parent || !child) continue;
      Link& held = links_[*child];
      const auto refuse = [&](std::string message) {
        in_.faults->error("robot-cycle", in_.where(*element), std::move(message));
      };
      if (*parent == *child) {
        refuse(format_text("The joint '{}' holds a link by itself; it is left out.",
                           text(element, "name")));
        continue;
      }
      if (held.joint != nullptr) {
        refuse(format_text("The link '{}' is held by two joints; '{}' is left out.",
                           text(held.element, "name"), text(element, "name")));
        continue;
      }
      if (!joint_names.emplace(text(element, "name"), true).second) {
        in_.faults->error("robot-duplicate", in_.where(*element),
                          format_text("There are two joints '{}'; others mean the first.",
                                      text(element, "name")));
      }
      held.joint = element;
      links_[*parent].children.push_back(*child);
    }
  }

  void place_links() {
    struct Open {
      std::size_t link;
      std::int32_t parent;
    };
    std::vector<Open> open;
    for (std::size_t i = links_.size(); i-- > 0;) {
      if (links_[i].joint == nullptr) open.push_back({i, kNothing});
    }
    while (!open.empty()) {
      const Open next = open.back();
      open.pop_back();
      if (!in_.budget->spend(sizeof(RobotBody))) return;
      const std::int32_t body = place_link(links_[next.link], next.parent);
      const std::vector<std::size_t>& children = links_[next.link].children;
      for (auto child = children.rbegin(); child != children.rend(); ++child) {
        open.push_back({*child, body});
      }
    }
    for (const Link& link : links_) {
      if (link.is_placed) continue;
      in_.faults->error("robot-cycle", in_.where(*link.element),
                        format_text("The link '{}' hangs on itself by a cycle of joints; it is "
                                    "left out.",
                                    text(link.element, "name")));
    }
  }

  std::int32_t place_link(Link& link, std::int32_t parent) {
    link.is_placed = true;
    const XmlElement& element = *link.element;
    const auto mass = read_mass(element);
    const bool is_world = parent == kNothing && (text(&element, "name") == "world" || !mass);
    std::int32_t index = 0;
    if (!is_world) {
      index = static_cast<std::int32_t>(robot_.bodies.size());
      RobotBody& body = robot_.bodies.emplace_back();
      body.name = text(&element, "name");
      body.where = in_.where(element);
      body.parent = std::max(0, parent);
      if (parent == kNothing && in_.options->base == RobotBase::free) body.state = BodyState::free;
      if (mass) {
        body.mass = *mass;
        body.has_mass = true;
      }
      if (link.joint != nullptr) read_joint(*link.joint, index);
    }
    for (const XmlElement* child : element.children) {
      if (child->name == "collision") read_geom(*child, index, true);
      if (child->name == "visual" && in_.options->visuals) read_geom(*child, index, false);
    }
    return index;
  }

  std::optional<RobotMass> read_mass(const XmlElement& link) const {
    const XmlElement* element = link.child("inertial");
    if (element == nullptr) return std::nullopt;
    const auto mass = number(element->child("mass"), "value");
    if (!mass || *mass < 0.0) {
      in_.faults->error("robot-value", in_.where(*element),
                        "An <inertial> needs a mass of 0 or more; it is passed over.");
      return std::nullopt;
    }
    if (*mass == 0.0) return std::nullopt;
    const Posed frame = origin(*element);
    const XmlElement* inertia = element->child("inertia");
    const auto entry = [&](const char* name) { return number(inertia, name).value_or(0.0); };
    Matrix3d tensor;
    tensor << entry("ixx"), entry("ixy"), entry("ixz"), entry("ixy"), entry("iyy"), entry("iyz"),
        entry("ixz"), entry("iyz"), entry("izz");
    const Matrix3d turn = frame.rotation.toRotationMatrix();
    return RobotMass{*mass, frame.position, turn * tensor * turn.transpose()};
  }

  void read_joint(const XmlElement& element, std::int32_t index) {
    RobotBody& body = at(robot_.bodies, index);
    body.pose = origin(element);
    const std::string_view type = text(&element, "type");
    const Where where = in_.where(element);
    body.fixed_by = text(&element, "name");
    if (type == "fixed") return;
    if (type == "floating") {
      if (body.parent != 0) {
        in_.faults->error("robot-joint", where,
                          "A link floats in another link; nothing holds it from there on.");
      }
      body.state = BodyState::free;
      return;
    }
    RobotJoint joint;
    joint.name = text(&element, "name");
    joint.where = where;
    joint.body = index;
    const bool is_known =
        type == "revolute" || type == "continuous" || type == "prismatic" || type == "planar";
    if (!is_known) {
      in_.faults->error(
          "robot-joint", where,
          format_text("There is no type of joint '{}'; the link is fixed.", type.substr(0, 40)));
      return;
    }
    const Vector3d axis = vector(element.child("axis"), "xyz").value_or(Vector3d::UnitX());
    if (!(axis.norm() > 1e-10)) {
      in_.faults->error("robot-value", in_.where(*element.child("axis")),
                        "The axis of a joint gives no direction; the link is fixed.");
      return;
    }
    joint.axis = axis.normalized();
    if (type == "planar") return read_planar(joint);
    const bool slides = type == "prismatic";
    joint.kind = slides ? JointKind::slide : JointKind::hinge;
    const XmlElement* limit = element.child("limit");
    const double far = slides ? kFarDistance : kFarAngle;
    if (type != "continuous") {
      if (limit == nullptr) {
        in_.faults->error("robot-joint", where,
                          format_text("The joint '{}' has no limit; it is taken as one without an "
                                      "end.",
                                      joint.name));
      } else {
        const double lower = number(limit, "lower").value_or(0.0);
        const double upper = number(limit, "upper").value_or(0.0);
        if (lower > upper) {
          in_.faults->error("robot-value", in_.where(*limit),
                            format_text("The range of '{}' is {} to {}; it is passed over.",
                                        joint.name, rounded_text(lower), rounded_text(upper)));
        } else {
          if (lower > -far) joint.lower = lower;
          if (upper < far) joint.upper = upper;
        }
      }
    }
    if (const auto effort = number(limit, "effort"); effort && *effort > 0.0) {
      joint.drive.emplace().force_limit = *effort;
    }
    if (const auto speed = number(limit, "velocity"); speed && *speed > 0.0 && *speed < far) {
      joint.velocity_limit = *speed;
    }
    const XmlElement* dynamics = element.child("dynamics");
    joint.damping = number(dynamics, "damping").value_or(0.0);
    joint.friction = number(dynamics, "friction").value_or(0.0);
    const auto number_of_joint = static_cast<std::int32_t>(robot_.joints.size());
    if (const XmlElement* mimic = element.child("mimic"); mimic != nullptr) {
      mimics_.emplace_back(number_of_joint, mimic);
    }
    joints_by_name_.emplace(joint.name, number_of_joint);
    body.joints.push_back(number_of_joint);
    robot_.joints.push_back(std::move(joint));
  }

  // Two slides across the axis and a turn about it.
  void read_planar(const RobotJoint& joint) {
    RobotBody& body = at(robot_.bodies, joint.body);
    const Vector3d across = joint.axis.unitOrthogonal();
    const Vector3d axes[] = {across, joint.axis.cross(across), joint.axis};
    for (int i = 0; i < 3; ++i) {
      RobotJoint one = joint;
      one.kind = i < 2 ? JointKind::slide : JointKind::hinge;
      one.axis = axes[i];
      body.joints.push_back(static_cast<std::int32_t>(robot_.joints.size()));
      robot_.joints.push_back(std::move(one));
    }
  }

  void read_mimic(std::int32_t follower, const XmlElement& element) {
    RobotJoint& joint = at(robot_.joints, follower);
    const auto leader = joints_by_name_.find(text(&element, "joint"));
    if (leader == joints_by_name_.end()) {
      in_.faults->error("robot-reference", in_.where(element),
                        format_text("There is no joint '{}' to follow.", text(&element, "joint")));
      return;
    }
    if (leader->second == follower || at(robot_.joints, leader->second).kind != joint.kind) {
      in_.faults->error("robot-joint", in_.where(element),
                        format_text("'{}' cannot follow '{}': only a turn can follow another turn, "
                                    "and a slide another slide.",
                                    joint.name, text(&element, "joint")));
      return;
    }
    joint.leader = leader->second;
    joint.ratio = number(&element, "multiplier").value_or(1.0);
    joint.offset = number(&element, "offset").value_or(0.0);
  }

  void read_geom(const XmlElement& element, std::int32_t body, bool collides) {
    RobotGeom geom;
    geom.name = text(&element, "name");
    geom.where = in_.where(element);
    geom.pose = origin(element);
    geom.collides = geom.is_collider = collides;
    const XmlElement* geometry = element.child("geometry");
    const XmlElement* shape =
        geometry == nullptr || geometry->children.empty() ? nullptr : geometry->children.front();
    const auto refuse = [&](std::string_view code, const std::string& message) {
      in_.faults->error(code, shape == nullptr ? geom.where : in_.where(*shape),
                        message + " It is left out.");
    };
    if (shape == nullptr) return refuse("robot-shape", "There is no geometry in it.");
    const auto round = [&](GeomKind kind) {
      geom.kind = kind;
      const double radius = number(shape, "radius").value_or(0.0);
      geom.size = {radius, radius, number(shape, "length").value_or(0.0) / 2.0};
    };
    if (shape->name == "sphere") {
      geom.kind = GeomKind::sphere;
      geom.size.setConstant(number(shape, "radius").value_or(0.0));
    } else if (shape->name == "box") {
      geom.kind = GeomKind::box;
      geom.size = vector(shape, "size").value_or(Vector3d::Zero()) / 2.0;
    } else if (shape->name == "cylinder") {
      round(GeomKind::cylinder);
    } else if (shape->name == "capsule") {
      round(GeomKind::capsule);
    } else if (shape->name == "mesh") {
      geom.kind = GeomKind::mesh;
      geom.size.setOnes();
      geom.mesh = mesh_of(*shape);
      if (geom.mesh == kNothing) return;
    } else {
      return refuse("robot-shape", format_text("There is nothing for a <{}>.", shape->name));
    }
    if (!(geom.size.minCoeff() > 0.0)) return refuse("robot-value", "It needs sizes above 0.");
    if (const XmlElement* material = element.child("material"); material != nullptr) {
      const XmlElement* color = material->child("color");
      const auto shared = materials_.find(text(material, "name"));
      if (color == nullptr && shared != materials_.end()) color = shared->second;
      if (const auto rgba = several(color, "rgba", 4)) {
        geom.color.emplace();
        for (std::size_t i = 0; i < 4; ++i) (*geom.color)[i] = static_cast<float>((*rgba)[i]);
      }
    }
    if (!in_.budget->spend(sizeof(RobotGeom))) return;
    at(robot_.bodies, body).geoms.push_back(static_cast<std::int32_t>(robot_.geoms.size()));
    robot_.geoms.push_back(std::move(geom));
  }

  std::int32_t mesh_of(const XmlElement& shape) {
    const std::string file(text(&shape, "filename"));
    const Vector3d scale = vector(&shape, "scale").value_or(Vector3d::Ones());
    const std::string key = format_text("{} {} {} {}", file, scale.x(), scale.y(), scale.z());
    const auto [found, is_new] = meshes_.emplace(key, kNothing);
    if (is_new) {
      const std::string leaf = file.substr(file.find_last_of("/\\") + 1);
      found->second =
          read_mesh_file(in_, file, leaf.substr(0, leaf.rfind('.')), scale, in_.where(shape));
    }
    return found->second;
  }

  const RobotInput& in_;
  Robot& robot_;
  std::vector<Link> links_;
  std::map<std::string_view, const XmlElement*> materials_;
  std::map<std::string, std::int32_t, std::less<>> joints_by_name_;
  std::map<std::string, std::int32_t> meshes_;
  std::vector<std::pair<std::int32_t, const XmlElement*>> mimics_;
};

}  // namespace

bool read_urdf(const RobotInput& input, const XmlElement& root) {
  return UrdfReader(input).run(root);
}

}  // namespace sinew::exporter::robot_import
