// SPDX-License-Identifier: Apache-2.0
// What MJCF holds besides bodies: actuators of vendors, couplings, loops, and which pairs collide.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>
#include <variant>

#include "export/engines/mjcf_writer.hpp"
#include "export/shared/open_ends.hpp"
#include "physics/shared/frames.hpp"
#include "sinew/physics/collision_classes.hpp"

namespace sinew::exporter {

using namespace physics;

namespace {

constexpr double kFramesApart = 1e-6;  // Metres, or radians: more than single precision loses.

// The control with which a servo is at rest where the drive of its joint wants it, or moves as fast
// as that; see Actuator for the force. Any other actuator starts at 0, and an integrator at rest.
double start_control(const Actuator& actuator, const JointDrive& drive) {
  if (actuator.law || actuator.dynamics == ActuatorDynamics::integrator) return 0.0;
  const auto [constant, of_position, of_speed] = actuator.bias;
  const bool is_servo = actuator.has_constant_gain() && (of_position != 0.0F || of_speed != 0.0F);
  if (!drive.enabled || !is_servo || actuator.gain == 0.0F) return 0.0;
  const float pull =
      of_position != 0.0F ? of_position * drive.target_position : of_speed * drive.target_velocity;
  return static_cast<double>(-(constant + actuator.gear * pull) / actuator.gain);
}

std::string number_of(float value) {
  return number(static_cast<double>(value));
}

// Of a range: an end that is open is far away.
std::string bound_of(float value) {
  return number_of(std::clamp(value, -kUnlimited, kUnlimited));
}

// Attributes that say how a force follows from an input, and that from the control.
std::string linear_law(const Actuator& actuator) {
  std::string text;
  if (!actuator.has_constant_gain()) text += " gaintype=\"affine\"";
  text += " gainprm=\"" + number_of(actuator.gain);
  if (!actuator.has_constant_gain()) {
    for (const float slope : actuator.gain_slopes) text += " " + number_of(slope);
  }
  text += "\" biastype=\"affine\" biasprm=\"" + number_of(actuator.bias[0]) + " " +
          number_of(actuator.bias[1]) + " " + number_of(actuator.bias[2]) + "\"";
  if (!actuator.has_activation()) return text;
  return text + " dyntype=\"" + std::string(to_string(actuator.dynamics)) + "\" dynprm=\"" +
         number_of(actuator.time_constant) + "\"";
}

std::string own_law(const ActuatorLaw& law) {
  const auto word = [](const char* name, const Text& value) {
    return std::string(" ") + name + "=\"" + escaped(value) + "\"";
  };
  return word("gaintype", law.gain_type) + number_list("gainprm", law.gain) +
         word("biastype", law.bias_type) + number_list("biasprm", law.bias) +
         word("dyntype", law.dynamics_type) + number_list("dynprm", law.dynamics);
}

}  // namespace

// The engine takes those with an activation behind all others.
void MjcfWriter::write_actuators() {
  const auto names = names_of(world_.model.actuators, options_.names, drive_names_);
  for (const bool has_activation : {false, true}) {
    for (std::size_t i = 0; i < world_.model.actuators.size(); ++i) {
      const Actuator& actuator = world_.model.actuators[i];
      if (actuator.has_activation() == has_activation) write_actuator(actuator, names[i]);
    }
  }
}

void MjcfWriter::write_actuator(const Actuator& actuator, const std::string& called) {
  // A joint may be left out, because it closes a loop or leaves nothing open.
  const auto driven = written_joints_.find(actuator.joint);
  if (driven == written_joints_.end()) {
    report_.add_counted("engine-feature-dropped", actuator.path,
                        "The actuator drives nothing that is written");
    return;
  }
  std::string text = "<general name=\"" + escaped(called) + "\" joint=\"" +
                     escaped(at(joint_names_, actuator.joint)) + "\" gear=\"" +
                     number_of(actuator.gear) + "\"" +
                     (actuator.law ? own_law(*actuator.law) : linear_law(actuator));
  const auto range = [&](const char* limited, const char* name,
                         const std::optional<std::array<float, 2>>& values) {
    if (!values || !((*values)[0] < (*values)[1])) return;
    text += std::string(" ") + limited + "=\"true\" " + name + "=\"" + bound_of((*values)[0]) +
            " " + bound_of((*values)[1]) + "\"";
  };
  range("ctrllimited", "ctrlrange", actuator.control_range);
  range("forcelimited", "forcerange", actuator.force_range);
  if (const auto& lengths = actuator.length_range; lengths && (*lengths)[0] < (*lengths)[1]) {
    text += " lengthrange=\"" + bound_of((*lengths)[0]) + " " + bound_of((*lengths)[1]) + "\"";
  }
  if (actuator.has_activation()) {
    range("actlimited", "actrange", actuator.activation_range);
    if (actuator.acts_early) text += " actearly=\"true\"";
    activations_ += " " + number_of(actuator.activation.value_or(0.0F));
  }
  actuators_ += "    " + text + "/>\n";
  controls_ += " " + number(actuator.control ? static_cast<double>(*actuator.control)
                                             : start_control(actuator, driven->second));
  report_.became(actuator.path, "general actuator");
}

void MjcfWriter::write_mimics() {
  const auto find = [&](std::int32_t joint, JointDof dof, std::string& name, double& start) {
    for (const std::vector<LinkJoint>& of_link : world_.joints) {
      for (const LinkJoint& link : of_link) {
        if (link.joint != joint) continue;
        for (const LinkDof& open : link.dofs) {
          if (dof != JointDof::distance && open.dof != dof) continue;
          name = dof_name(link, open);
          start = open.start;
          return true;
        }
      }
    }
    return false;
  };
  for (const Mimic& mimic : world_.model.mimics) {
    std::string follower;
    std::string leader;
    double start_f = 0.0;
    double start_l = 0.0;
    if (!find(mimic.follower, mimic.follower_dof, follower, start_f) ||
        !find(mimic.leader, mimic.leader_dof, leader, start_l)) {
      const bool is_known = world_.model.has_joint(mimic.follower);
      report_.add_counted("engine-feature-dropped",
                          is_known ? world_.model.joint(mimic.follower).path.view() : "",
                          "The joint does not follow the other one: no body hangs on both");
      continue;
    }
    if (follower == leader) {  // The engine refuses the whole file.
      report_.add_counted("engine-feature-dropped", world_.model.joint(mimic.follower).path.view(),
                          "The joint does not follow itself");
      continue;
    }
    const auto ratio = static_cast<double>(mimic.ratio);
    // MuJoCo measures both from where they start.
    const double offset = static_cast<double>(mimic.offset) + ratio * start_l - start_f;
    equalities_ += "    <joint name=\"" + escaped(follower) + ":mimic\" joint1=\"" +
                   escaped(follower) + "\" joint2=\"" + escaped(leader) + "\" polycoef=\"" +
                   number(offset) + " " + number(ratio) + " 0 0 0\"" +
                   solver_attributes(extras_of(mimic.follower).equality) + "/>\n";
  }
}

// --- Loops

void MjcfWriter::write_loop(std::int32_t index) {
  const Joint& prim = world_.model.joint(index);
  const std::string name = escaped(at(joint_names_, index));
  if (std::holds_alternative<CustomJoint>(prim.kind)) {
    report_.add("engine-joint-unsupported", prim.path,
                "A joint of a type that only an application knows is left out.");
    report_.became(prim.path, "nothing", false, "engine-joint-unsupported");
    return;
  }
  const NormalJoint normal = normal_form(world_.model, prim);
  const LinkJoint joint = link_joint(world_.model, index, normal.bodies[1]);
  std::size_t slides = 0;
  std::vector<const LinkDof*> turns;
  bool loses = false;
  for (const LinkDof& dof : joint.dofs) {
    loses = loses || has_limit(dof) || dof.drive.enabled;
    if (dof.is_rotation()) {
      turns.push_back(&dof);
    } else {
      ++slides;
    }
  }
  if (slides == 3 && turns.size() == 3) {
    write_rope(index, normal);
    return;
  }
  if (slides != 0 || turns.size() == 2) {
    report_.add("engine-loop-unsupported", prim.path,
                fmt::format("The joint closes a loop and leaves {} translations and {} turns open, "
                            "for which the engine has no constraint; it is left out.",
                            slides, turns.size()));
    report_.became(prim.path, "nothing", false, "engine-loop-unsupported");
    return;
  }
  const JointExtras extras = extras_of(index);
  const std::string solver = solver_attributes(extras.equality);
  // Anchors are given in the first body; the world is the second.
  const bool swapped = normal.bodies[0] == kNone;
  const std::int32_t first = swapped ? normal.bodies[1] : normal.bodies[0];
  const std::int32_t second = swapped ? kNone : normal.bodies[1];
  if (first == kNone) return;
  const std::string bodies =
      " body1=\"" + escaped(at(body_names_, first)) + "\"" +
      (second == kNone ? "" : " body2=\"" + escaped(at(body_names_, second)) + "\"");
  const Posed from_first = inverse(body_frame(world_.model, first));
  const Posed child = body_frame(world_.model, joint.child);
  const auto connect = [&](const Vector3d& world_point, const std::string& suffix) {
    equalities_ += "    <connect name=\"" + name + suffix + "\"" + bodies + " anchor=\"" +
                   numbers(Vector3d(from_first.position + from_first.rotation * world_point)) +
                   "\"" + solver + "/>\n";
  };
  const Vector3d anchor = child.position + child.rotation * joint.anchor;
  if (turns.empty()) {
    // Without it the engine takes how the bodies stand.
    std::string relative;
    if (joint.mismatch_distance > kFramesApart || joint.mismatch_angle > kFramesApart) {
      const Posed held = zero_pose(joint);
      const Posed second_in_first = swapped ? inverse(held) : held;
      relative = " relpose=\"" + numbers(second_in_first.position) + " " +
                 numbers(second_in_first.rotation) + "\"";
    }
    if (extras.torque_scale) {
      relative += number_list("torquescale", std::span(&*extras.torque_scale, 1));
    }
    equalities_ += "    <weld name=\"" + name + "\"" + bodies + relative + solver + "/>\n";
    report_.became(prim.path, "weld", false, "engine-loop-soft");
  } else {
    connect(anchor, turns.size() == 1 ? "#0" : "");
    if (turns.size() == 1) {
      connect(anchor + 0.1 * (child.rotation * turns.front()->axis_in_child), "#1");
    }
    report_.became(prim.path, "connect", false, "engine-loop-soft");
  }
  report_.add_counted("engine-loop-soft", prim.path,
                      "The joint closes a loop and gives way under load");
  if (loses) {
    report_.add("engine-loop-limit-dropped", prim.path,
                "The joint closes a loop; its limits and drives are left out.");
  }
}

void MjcfWriter::write_rope(std::int32_t index, const NormalJoint& normal) {
  const Joint& prim = world_.model.joint(index);
  const DofRule& distance = normal.dof(JointDof::distance);
  if (distance.state != DofState::limited) {
    report_.add("engine-joint-free", prim.path,
                "The joint locks and limits nothing; nothing is written for it.");
    report_.became(prim.path, "nothing");
    return;
  }
  const std::string& name = at(joint_names_, index);
  for (int end = 0; end < 2; ++end) {
    const std::string site = escaped(name + "#" + std::to_string(end));
    sites_[normal.bodies[end]] += "      <site name=\"" + site + "\" pos=\"" +
                                  numbers(Vector3d(normal.frames[end].position.cast<double>())) +
                                  "\" size=\"0.005\"/>\n";
  }
  const auto lower = static_cast<double>(distance.lower);
  double upper = is_open(static_cast<double>(distance.upper)) ? kFarDistance
                                                              : static_cast<double>(distance.upper);
  // Equal bounds are refused.
  if (!(upper > lower)) upper = lower + 1e-6 * std::max(1.0, lower);
  tendons_ += "    <spatial name=\"" + escaped(name) + "\" limited=\"true\" range=\"" +
              number(lower) + " " + number(upper) + "\">\n      <site site=\"" + escaped(name) +
              "#0\"/>\n      <site site=\"" + escaped(name) + "#1\"/>\n    </spatial>\n";
  report_.add_counted("engine-limit-soft", prim.path, "The limit is soft: it gives way under load");
  report_.became(prim.path, "limited tendon");
}

// --- Filters

// Per body the one that it moves with, kNone for the world: itself, if a joint leaves it a freedom.
// The engine never looks for contacts between bodies that move as one.
void MjcfWriter::find_welds() {
  weld_.assign(world_.model.rigid_bodies.size(), kNone);
  // Parents stand before their children.
  for (std::size_t i = 0; i < world_.forest.links.size(); ++i) {
    const ForestLink& link = world_.forest.links[i];
    const auto has_freedom = [](const LinkJoint& joint) { return !joint.dofs.empty(); };
    const bool moves = link.state == LinkState::free ||
                       std::any_of(world_.joints[i].begin(), world_.joints[i].end(), has_freedom);
    if (moves) {
      at(weld_, link.body) = link.body;
    } else if (link.parent != kNone) {
      at(weld_, link.body) = at(weld_, at(world_.forest.links, link.parent).body);
    }
  }
}

bool MjcfWriter::move_as_one(std::int32_t a, std::int32_t b) const {
  const auto weld = [&](std::int32_t body) { return body == kNone ? kNone : at(weld_, body); };
  return weld(a) == weld(b);
}

void MjcfWriter::find_filters() {
  find_welds();
  ExcludedBodyPairs pairs = excluded_body_pairs(world_.model, world_.filter);
  const auto needless = [&](const ExcludedBodyPairs::Pair& pair) {
    return move_as_one(pair.first, pair.second);
  };
  std::erase_if(pairs.excluded, needless);
  std::erase_if(pairs.mixed, needless);
  const auto name = [&](std::int32_t body) {
    return body == kNone ? std::string("world") : escaped(at(body_names_, body));
  };
  constexpr int kBits = 31;
  // A group whose bodies keep apart is a pair for every two of them, and one mask for each shape.
  const bool has_many = pairs.excluded.size() > world_.model.shapes.size();
  CollisionClasses classes;
  if (has_many || !pairs.mixed.empty()) {
    classes = collision_classes(world_.model, world_.filter);
    if (!pairs.mixed.empty() || classes.count <= std::size_t{kBits}) {
      masks_ = collision_masks(world_.model, world_.filter, classes, kBits);
    }
    if (has_many && masks_ && masks_->exact) return;
  }
  for (const auto& [a, b] : pairs.excluded) {
    contacts_ += "    <exclude body1=\"" + name(a) + "\" body2=\"" + name(b) + "\"/>\n";
  }
  if (!masks_ || masks_->exact) return;
  // What the masks get wrong may be right by the pairs of bodies.
  std::size_t wrong = masks_->leftover_count;
  const auto carrier = [&](std::int32_t shape) {
    const std::int32_t body = world_.model.shape(shape).body;
    return world_.model.has_body(body) && world_.model.body(body).rigid_body_enabled ? body : kNone;
  };
  for (const auto& [a, b] : masks_->leftover) {
    const std::pair<std::int32_t, std::int32_t> pair = std::minmax({carrier(a), carrier(b)});
    if (needless(pair) ||
        std::find(pairs.excluded.begin(), pairs.excluded.end(),
                  ExcludedBodyPairs::Pair(pair.first, pair.second)) != pairs.excluded.end()) {
      --wrong;
    }
  }
  if (wrong == 0) return;
  report_.add("engine-filter-inexact", "",
              fmt::format("{} classes of shapes are more than {} bits can tell apart: {} pairs of "
                          "shapes collide that should not.",
                          classes.count, kBits, wrong));
}

}  // namespace sinew::exporter
