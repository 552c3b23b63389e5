// SPDX-License-Identifier: Apache-2.0
// MJCF: what stands beside the tree. Excluded contacts, equalities, tendons, keyframes.

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include "core/format_text.hpp"
#include "export/robot_import/mjcf_reader.hpp"

namespace sinew::exporter::robot_import {

namespace {

// What MuJoCo's solver is told of an equality, the last of welds alone.
constexpr std::pair<std::string_view, std::size_t> kEqualityNumbers[] = {
    {"solref", 2}, {"solimp", 5}, {"torquescale", 1}};

}  // namespace

std::optional<std::int32_t> MjcfReader::body_named(const View& view,
                                                   std::string_view attribute) const {
  const XmlAttribute* name = view.find(attribute);
  if (name == nullptr) return 0;  // The world.
  const auto found = bodies_by_name_.find(name->value);
  if (found != bodies_by_name_.end()) return found->second;
  in_.faults->error(
      "robot-reference", in_.where(*name),
      format_text("There is no body '{}'; the <{}> is left out.", name->value, view.element->name));
  return std::nullopt;
}

std::int32_t MjcfReader::joint_named(const View& view, std::string_view attribute) const {
  const XmlAttribute* name = view.find(attribute);
  if (name == nullptr) return kNothing;
  const auto found = joints_by_name_.find(name->value);
  if (found != joints_by_name_.end()) return found->second;
  in_.faults->error("robot-reference", in_.where(*name),
                    format_text("There is no joint '{}'; the <{}> is left out.", name->value,
                                view.element->name));
  return kNothing;
}

void MjcfReader::read_contacts(const XmlElement& root) {
  for (const XmlElement* section : root.children) {
    if (section->name != "contact") continue;
    for (const XmlElement* element : section->children) {
      if (element->name != "exclude") continue;
      const View view{element, nullptr};
      const auto first = body_named(view, "body1");
      const auto second = body_named(view, "body2");
      if (first && second && *first != *second) robot_.excluded.emplace_back(*first, *second);
    }
  }
}

// --- Equalities

void MjcfReader::read_equalities(const XmlElement& root) {
  for (const XmlElement* section : root.children) {
    if (section->name != "equality") continue;
    for (const XmlElement* element : section->children) {
      const View view{element, class_of(*element, &classes_.front())};
      if (element->name == "joint") read_coupling(view);
      if (element->name == "weld" || element->name == "connect") read_equality(view);
    }
  }
}

void MjcfReader::read_equality(const View& view) {
  const bool is_weld = view.element->name == "weld";
  if (view.find("body1") == nullptr) {
    in_.faults->error("robot-reference", in_.where(*view.element),
                      format_text("A <{}> names no body; it is left out.", view.element->name));
    return;
  }
  const auto first = body_named(view, "body1");
  const auto second = body_named(view, "body2");
  if (!first || !second) return;
  if (*first == *second) {
    in_.faults->error(
        "robot-value", in_.where(*view.element),
        format_text("A <{}> names one body twice; it is left out.", view.element->name));
    return;
  }
  RobotLoop loop;
  loop.kind = is_weld ? RobotLoop::Kind::weld : RobotLoop::Kind::connect;
  loop.name = view.text("name");
  loop.bodies = {*first, *second};
  loop.enabled = flag(view, "active", true);
  loop.solver = named_numbers(view, std::span(kEqualityNumbers).first(is_weld ? 3 : 2));
  const Posed& world_first = at(robot_.bodies, *first).world;
  const Posed& world_second = at(robot_.bodies, *second).world;
  if (is_weld) {
    // Where body 2 stands in body 1; a rotation of 0 means: as it does at the start.
    const auto relative = several(view, "relpose", 7, 7);
    const auto given = [&](std::size_t i) { return (*relative)[i]; };
    if (relative && Quatd(given(3), given(4), given(5), given(6)).norm() > 1e-12) {
      loop.frames[0] = {Vector3d(given(0), given(1), given(2)),
                        Quatd(given(3), given(4), given(5), given(6)).normalized()};
    } else {
      loop.frames[0] = compose_poses(inverse_pose(world_first), world_second);
    }
  } else {
    loop.frames[0].position = vector(view, "anchor").value_or(Vector3d::Zero());
    loop.frames[1] =
        compose_poses(inverse_pose(world_second), compose_poses(world_first, loop.frames[0]));
  }
  robot_.loops.push_back(std::move(loop));
}

// MuJoCo measures both joints from where they start.
void MjcfReader::read_coupling(const View& view) {
  const std::int32_t follower = joint_named(view, "joint1");
  if (follower == kNothing) return;
  const auto refuse = [&](std::string_view what) {
    in_.faults->error("robot-joint", in_.where(*view.element),
                      format_text("The coupling of '{}' {}; it is left out.",
                                  at(robot_.joints, follower).name, what));
  };
  const auto given = several(view, "polycoef", 1, 5).value_or(std::vector<double>{0.0, 1.0});
  const auto coefficient = [&](std::size_t i) { return i < given.size() ? given[i] : 0.0; };
  const std::int32_t leader = joint_named(view, "joint2");
  if (leader == kNothing) {
    return view.find("joint2") == nullptr ? refuse("names no second joint") : void();
  }
  if (coefficient(2) != 0.0 || coefficient(3) != 0.0 || coefficient(4) != 0.0) {
    return refuse("is not linear");
  }
  RobotJoint& joint = at(robot_.joints, follower);
  const RobotJoint& led_by = at(robot_.joints, leader);
  const bool same_kind = joint.kind == led_by.kind && joint.kind != JointKind::ball;
  if (!same_kind || follower == leader) return refuse("is not of two turns or two slides");
  if (!flag(view, "active", true)) {
    return in_.faults->info("robot-joint", in_.where(*view.element),
                            format_text("The coupling of '{}' is not active; it is left out.",
                                        at(robot_.joints, follower).name));
  }
  joint.leader = leader;
  joint.ratio = coefficient(1);
  joint.offset = coefficient(0) - joint.ratio * led_by.start + joint.start;
  joint.coupling = named_numbers(view, std::span(kEqualityNumbers).first(2));
}

// --- Tendons: a rope between two sites.

void MjcfReader::read_tendons(const XmlElement& root) {
  for (const XmlElement* section : root.children) {
    if (section->name != "tendon") continue;
    for (const XmlElement* element : section->children) {
      if (element->name != "spatial") continue;
      const View view{element, class_of(*element, &classes_.front())};
      const auto range = several(view, "range", 2, 2);
      const std::string_view tendon = view.text("name");
      std::vector<Site> ends;
      for (const XmlElement* part : element->children) {
        const XmlAttribute* name = part->find("site");
        if (part->name != "site" || name == nullptr) continue;
        const auto found = sites_.find(name->value);
        if (found != sites_.end()) ends.push_back(found->second);
      }
      const bool is_rope = ends.size() == 2 && element->children.size() == 2 && range &&
                           is_limited(view, "limited", *range) && ends[0].body != ends[1].body;
      if (!is_rope) {
        in_.faults->error("robot-tendon", in_.where(*element),
                          "Only a tendon with a range between two sites is read; this one is left "
                          "out.");
        continue;
      }
      RobotLoop loop;
      loop.kind = RobotLoop::Kind::distance;
      loop.name = tendon;
      for (std::size_t i = 0; i < 2; ++i) {
        RobotSite& end = at(robot_.sites, ends[i].index);
        loop.bodies[i] = ends[i].body;
        loop.frames[i].position = end.geom.pose.position;
        // As write_mjcf() names those that it makes.
        end.is_rope_end = end.geom.name == format_text("{}#{}", tendon, i);
      }
      constexpr double kFar = 1e6;
      loop.lower = (*range)[0];
      if ((*range)[1] < kFar) loop.upper = (*range)[1];
      robot_.loops.push_back(std::move(loop));
    }
  }
}

// --- The keyframe "start", as write_mjcf() writes it.

void MjcfReader::read_keyframes(const XmlElement& root) {
  const XmlElement* start = nullptr;
  for (const XmlElement* section : root.children) {
    if (section->name != "keyframe") continue;
    for (const XmlElement* key : section->children) {
      const XmlAttribute* name = key->find("name");
      if (name != nullptr && name->value == "start") {
        start = key;
      } else {
        in_.faults->counted("robot-unread", in_.where(*key),
                            "A keyframe of another name than \"start\" is not read");
      }
    }
  }
  if (start == nullptr) return;
  const View view{start, nullptr};
  std::size_t positions = 0;
  std::size_t speeds = 0;
  for (const RobotBody& body : robot_.bodies) {
    if (body.state == BodyState::free) {
      positions += 7;
      speeds += 6;
    }
    for (const std::int32_t j : body.joints) {
      const bool is_ball = at(robot_.joints, j).kind == JointKind::ball;
      positions += is_ball ? 4 : 1;
      speeds += is_ball ? 3 : 1;
    }
  }
  const auto qpos = several(view, "qpos", positions, positions);
  const auto qvel = several(view, "qvel", speeds, speeds);
  const auto ctrl = several(view, "ctrl", actuator_order_.size(), actuator_order_.size());
  const auto act = several(view, "act", activated_.size(), activated_.size());
  std::size_t position = 0;
  std::size_t speed = 0;
  for (RobotBody& body : robot_.bodies) {
    if (body.state == BodyState::free) {
      if (qvel) {
        const auto v = [&](std::size_t i) { return (*qvel)[speed + i]; };
        body.angular_velocity = {v(3), v(4), v(5)};
        // Theirs is that of the origin, ours that of the centre of mass.
        body.velocity = Vector3d(v(0), v(1), v(2)) +
                        body.world.rotation * body.angular_velocity.cross(body.mass.center);
      }
      if (qpos) {
        const auto p = [&](std::size_t i) { return (*qpos)[position + i]; };
        const Vector3d moved = Vector3d(p(0), p(1), p(2)) - body.world.position;
        const Quatd turned = Quatd(p(3), p(4), p(5), p(6)).normalized();
        if (moved.norm() > 1e-6 || turned.angularDistance(body.world.rotation) > 1e-6) {
          in_.faults->warning("robot-start", in_.where(*view.find("qpos")),
                              format_text("'{}' stands where its element says, not where the "
                                          "keyframe does.",
                                          body.name));
        }
      }
      position += 7;
      speed += 6;
    }
    for (const std::int32_t j : body.joints) {
      RobotJoint& joint = at(robot_.joints, j);
      if (joint.kind == JointKind::ball) {
        const bool is_turned =
            qpos && Eigen::Map<const Vector3d>(qpos->data() + position + 1).norm() > 1e-6;
        const bool is_moving =
            qvel && !Eigen::Map<const Vector3d>(qvel->data() + speed).isZero(0.0);
        if (is_turned || is_moving) {
          in_.faults->warning("robot-start", in_.where(*start),
                              format_text("Ball joint '{}' starts as its bodies stand, at rest: "
                                          "its angles and speeds have no place in USD.",
                                          joint.name));
        }
        position += 4;
        speed += 3;
        continue;
      }
      if (qpos && std::abs((*qpos)[position] - joint.start) > 1e-3) {
        joint.stated = (*qpos)[position];
      }
      if (qvel) joint.speed = (*qvel)[speed];
      ++position;
      ++speed;
    }
  }
  for (std::size_t i = 0; ctrl && i < actuator_order_.size(); ++i) {
    if (actuator_order_[i] != kNothing) at(controls_, actuator_order_[i]) = (*ctrl)[i];
  }
  for (std::size_t i = 0; act && i < activated_.size(); ++i) {
    if (activated_[i] != kNothing) at(robot_.actuators, activated_[i]).activation = (*act)[i];
  }
}

}  // namespace sinew::exporter::robot_import
