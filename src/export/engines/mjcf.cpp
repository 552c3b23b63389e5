// SPDX-License-Identifier: Apache-2.0
// MJCF from a world: bodies, joints, actuators and the rest. Shapes are in mjcf_shapes.cpp.
#include "sinew/export/mjcf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>
#include <variant>

#include "export/engines/mjcf_writer.hpp"
#include "export/shared/open_ends.hpp"
#include "physics/shared/frames.hpp"
#include "sinew/physics/collision_classes.hpp"
#include "sinew/physics/effective_inertia.hpp"

namespace sinew::exporter {

using namespace physics;

namespace {

std::string attribute(const char* name, const std::optional<float>& value) {
  if (!value || *value == 0.0F || !std::isfinite(*value)) return {};
  return std::string(" ") + name + "=\"" + number(static_cast<double>(*value)) + "\"";
}

// What acts on a joint without an actuator.
std::string passive(const DofExtras& extras) {
  return attribute("armature", extras.armature) + attribute("damping", extras.damping) +
         attribute("frictionloss", extras.friction) + attribute("stiffness", extras.stiffness);
}

}  // namespace

MjcfWriter::MjcfWriter(const PhysicsModel& source, const EngineOptions& options,
                       Diagnostics& diagnostics)
    : options_(options),
      report_(diagnostics, file_),
      world_(source, options, report_, diagnostics) {
  name_all();
  for (const Actuator& actuator : world_.model.actuators) actuated_.insert(actuator.joint);
}

EngineFile MjcfWriter::run() {
  world_.tell_about_speeds(report_);
  world_.tell_about_friction(report_);
  find_filters();
  world_.show(options_, shape_names_);
  write_sites();
  for (const std::int32_t j : world_.forest.loop_joints) write_loop(j);
  // Children before the end of their parents: a stack of what is still to be written.
  constexpr std::int32_t kEnd = -2;
  std::vector<std::int32_t> stack(world_.roots.rbegin(), world_.roots.rend());
  write_shapes(world_.static_shapes, world_.static_shown);
  bodies_ += sites_[kNone];
  std::vector<std::int32_t> open;
  while (!stack.empty()) {
    const std::int32_t link = stack.back();
    stack.pop_back();
    if (link == kEnd) {
      --depth_;
      line("</body>");
      continue;
    }
    open_body(static_cast<std::size_t>(link));
    stack.push_back(kEnd);
    const std::vector<std::int32_t>& below = at(world_.children, link);
    stack.insert(stack.end(), below.rbegin(), below.rend());
  }
  write_mimics();
  write_actuators();
  report_.finish_counted();
  assemble();
  return std::move(file_);
}

void MjcfWriter::name_all() {
  body_names_ = names_of(world_.model.rigid_bodies, options_.names, {"world"});
  // A free body has a joint of its name.
  std::vector<std::string> taken;
  for (const ForestLink& link : world_.forest.links) {
    if (link.state == LinkState::free) taken.push_back(at(body_names_, link.body));
  }
  joint_names_ = names_of(world_.model.joints, options_.names, taken);
  shape_names_ = names_of(world_.model.shapes, options_.names);
  site_names_ = names_of(world_.model.sites, options_.names);
}

void MjcfWriter::line(const std::string& text) {
  constexpr int kMostIndented = 40;
  bodies_.append(static_cast<std::size_t>(2 * std::min(depth_, kMostIndented)), ' ');
  bodies_ += text;
  bodies_ += '\n';
}

std::string MjcfWriter::place(const Posed& pose) {
  return " pos=\"" + numbers(pose.position) + "\" quat=\"" + numbers(pose.rotation) + "\"";
}

void MjcfWriter::open_body(std::size_t index) {
  const ForestLink& link = world_.forest.links[index];
  const RigidBody& body = world_.model.body(link.body);
  const Posed frame = body_frame(world_.model, link.body);
  const Posed local = compose(inverse(world_.parent_frame(index)), frame);
  const std::string mocap = link.state == LinkState::kinematic ? " mocap=\"true\"" : "";
  line("<body name=\"" + escaped(at(body_names_, link.body)) + "\"" + place(local) + mocap + ">");
  ++depth_;
  switch (link.state) {
    case LinkState::free:
      line("<freejoint name=\"" + escaped(at(body_names_, link.body)) + "\"/>");
      add_free_start(index, frame);
      report_.became(body.path, "free body");
      break;
    case LinkState::kinematic:
      report_.became(body.path, "mocap body");
      break;
    case LinkState::is_static:
    case LinkState::fixed_to_world:
      report_.became(body.path, "body that stands still");
      break;
    case LinkState::jointed:
      report_.became(body.path, "jointed body");
      break;
  }
  constexpr std::size_t kMostDofs = 6;  // Of one body, for the engine.
  std::size_t dofs = 0;
  for (const LinkJoint& joint : world_.joints[index]) {
    if (dofs + joint.dofs.size() <= kMostDofs) {
      dofs += joint.dofs.size();
      write_joint(index, joint);
      continue;
    }
    const std::string& path = world_.model.joint(joint.joint).path.str();
    report_.add("engine-joint-unsupported", path,
                fmt::format("The body has more than {} degrees of freedom, which is all that the "
                            "engine takes; the joint is left out.",
                            kMostDofs));
    report_.became(path, "nothing", false, "engine-joint-unsupported");
  }
  if (link.state == LinkState::jointed &&
      (!body.linear_velocity.isZero() || !body.angular_velocity.isZero())) {
    report_.add(
        "engine-start-dropped", body.path,
        fmt::format("The body starts at ({:g}, {:g}, {:g}) m/s; what joints hold starts at "
                    "the speeds of its joints.",
                    body.linear_velocity.x(), body.linear_velocity.y(), body.linear_velocity.z()));
  }
  write_inertial(link);
  write_shapes(at(world_.shapes_of_body, link.body), at(world_.shown_of_body, link.body));
  bodies_ += sites_[link.body];
}

void MjcfWriter::write_inertial(const ForestLink& link) {
  if (link.state == LinkState::kinematic || link.state == LinkState::is_static) return;
  const MassFrame& mass = at(world_.masses, link.body);
  Vector3d moments = mass.moments;
  if (mass.triangle) {
    moments[0] = std::min(moments[0], moments[1] + moments[2]);
  } else {
    balances_ = true;
  }
  line("<inertial" + place(mass.principal()) + " mass=\"" + number(mass.mass) +
       "\" diaginertia=\"" + numbers(moments) + "\"/>");
}

void MjcfWriter::add_free_start(std::size_t link, const Posed& frame) {
  const LinkStart& start = world_.starts[link];
  const MassFrame& mass = at(world_.masses, world_.forest.links[link].body);
  // MuJoCo takes the velocity of the body's origin, and the spin along the body's axes.
  const Vector3d at_origin =
      start.velocity - start.angular_velocity.cross(frame.rotation * mass.center);
  start_position_ += " " + numbers(frame.position) + " " + numbers(frame.rotation);
  start_velocity_ += " " + numbers(at_origin) + " " +
                     numbers(Vector3d(frame.rotation.conjugate() * start.angular_velocity));
  position_count_ += 7;
  velocity_count_ += 6;
}

JointExtras MjcfWriter::extras_of(std::int32_t joint) const {
  const bool known = static_cast<std::size_t>(joint) < world_.model.joint_extras.size();
  return known ? at(world_.model.joint_extras, joint) : JointExtras{};
}

std::string MjcfWriter::dof_name(const LinkJoint& joint, const LinkDof& dof) const {
  const std::string& name = at(joint_names_, joint.joint);
  return joint.dofs.size() == 1 ? name : name + ":" + std::string(to_string(dof.dof));
}

void MjcfWriter::write_joint(std::size_t link, const LinkJoint& joint) {
  const Joint& prim = world_.model.joint(joint.joint);
  std::size_t turns = 0;
  bool is_plain = true;  // Of the turns: no limits, no drives.
  for (const LinkDof& dof : joint.dofs) {
    if (!dof.is_rotation()) continue;
    ++turns;
    is_plain = is_plain && !has_limit(dof) && !dof.drive.enabled;
  }
  const bool is_ball = turns == 3 && is_plain;
  if (joint.dofs.empty()) {
    world_.tell_welded(joint.joint, "nothing: welded", report_);
    return;
  }
  std::string_view told;
  if (!is_ball) {
    told = world_.tell_turns(joint, report_);
  } else if (loses_distance(prim)) {
    told = "engine-feature-dropped";
  }
  bool wrote_ball = false;
  for (std::size_t i = 0; i < joint.dofs.size(); ++i) {
    const LinkDof& dof = joint.dofs[i];
    if (dof.is_rotation() && is_ball) {
      if (!wrote_ball) {
        line("<joint name=\"" + escaped(at(joint_names_, joint.joint)) + "\" type=\"ball\" pos=\"" +
             numbers(joint.anchor) + "\"" + passive(world_.model.dof_extras(joint.joint, dof.dof)) +
             "/>");
        written_joints_.emplace(joint.joint, JointDrive{});
        start_position_ += " 1 0 0 0";
        start_velocity_ += " 0 0 0";
        position_count_ += 4;
        velocity_count_ += 3;
      }
      wrote_ball = true;
      continue;
    }
    write_dof(link, joint, i);
  }
  const std::string what = is_ball && joint.dofs.size() == 3 ? "ball"
                           : joint.dofs.size() > 1           ? "several joints"
                           : joint.dofs[0].is_rotation()     ? "hinge"
                                                             : "slide";
  report_.became(prim.path, what, told.empty(), told);
}

void MjcfWriter::write_dof(std::size_t link, const LinkJoint& joint, std::size_t i) {
  const LinkDof& dof = joint.dofs[i];
  const Joint& prim = world_.model.joint(joint.joint);
  const bool turns = dof.is_rotation();
  const std::string name = dof_name(joint, dof);
  std::string text = "<joint name=\"" + escaped(name) + "\" type=\"" + (turns ? "hinge" : "slide") +
                     "\" pos=\"" + numbers(joint.anchor) + "\" axis=\"" +
                     numbers(dof.axis_in_child) + "\"";
  if (dof.start != 0.0) text += " ref=\"" + number(dof.start) + "\"";
  if (has_limit(dof)) {
    const double far = turns ? kFarAngle : kFarDistance;
    const double lower = is_open(dof.lower) ? -far : dof.lower;
    const double upper = is_open(dof.upper) ? far : dof.upper;
    text += " limited=\"true\" range=\"" + number(lower) + " " + number(upper) + "\"";
    if (is_open(dof.lower) || is_open(dof.upper)) {
      report_.add_counted("engine-limit-one-sided", prim.path,
                          fmt::format("The open end of the range is written as {:g}", far));
    }
    report_.add_counted("engine-limit-soft", prim.path,
                        "The limit is soft: it gives way under load");
  }
  const DofExtras extras = world_.model.dof_extras(joint.joint, dof.dof);
  const MjcSolver limit = extras_of(joint.joint).limit;
  line(text + passive(extras) + attribute("springref", extras.spring_rest) +
       number_list("solreflimit", limit.solref) + number_list("solimplimit", limit.solimp) + "/>");
  if (joint.dofs.size() == 1) written_joints_.emplace(joint.joint, dof.drive);

  double position = dof.start;
  double velocity = 0.0;
  for (const DofState0& state : world_.starts[link].dofs) {
    if (state.joint != joint.joint || state.dof != dof.dof) continue;
    velocity = state.velocity;
    if (state.stated && std::abs(*state.stated - dof.start) > 1e-3) {
      position = *state.stated;
      report_.add("engine-state-differs", prim.path,
                  fmt::format("{} stands at {:g} by the poses and starts at {:g} by the state that "
                              "is given: the keyframe \"start\" holds that.",
                              to_string(dof.dof), dof.start, position));
    }
  }
  start_position_ += " " + number(position);
  start_velocity_ += " " + number(velocity);
  ++position_count_;
  ++velocity_count_;
  if (dof.drive.enabled) add_drive(link, joint, i, name);
}

void MjcfWriter::add_drive(std::size_t link, const LinkJoint& joint, std::size_t i,
                           const std::string& name) {
  const LinkDof& dof = joint.dofs[i];
  const Joint& prim = world_.model.joint(joint.joint);
  // An actuator says more, if it is one of those that are written.
  if (written_joints_.count(joint.joint) != 0 && actuated_.count(joint.joint) != 0) return;
  double stiffness = static_cast<double>(dof.drive.stiffness);
  double damping = static_cast<double>(dof.drive.damping);
  const auto force = static_cast<double>(dof.drive.force_limit);
  if (force <= 0.0 && (stiffness > 0.0 || damping > 0.0)) {
    return report_.add("engine-drive-gains-dropped", prim.path,
                       fmt::format("The drive has a stiffness of {:g} and a damping of {:g} and no "
                                   "force to follow them; it is left out.",
                                   dof.drive.stiffness, dof.drive.damping));
  }
  if (dof.drive.acceleration) {
    const double inertia = effective_inertia(world_.model, world_.forest, world_.masses,
                                             static_cast<std::int32_t>(link), joint, i);
    stiffness *= inertia;
    damping *= inertia;
    report_.add(
        "engine-drive-acceleration", prim.path,
        fmt::format("The drive states an acceleration; its gains are taken times {:g} kg{}, "
                    "what it has to move at the start.",
                    inertia, dof.is_rotation() ? " m2" : ""));
  }
  const double target = static_cast<double>(dof.drive.target_position);
  const double speed = static_cast<double>(dof.drive.target_velocity);
  std::string gain;
  std::string bias;
  double control = 0.0;
  if (stiffness > 0.0) {
    gain = number(stiffness);
    bias = "0 " + number(-stiffness) + " " + number(-damping);
    control = target + damping / stiffness * speed;
  } else if (damping > 0.0) {
    gain = number(damping);
    bias = "0 0 " + number(-damping);
    control = speed;
  } else {
    return;
  }
  std::string text = "<general name=\"" + escaped(name) + "\" joint=\"" + escaped(name) +
                     "\" gainprm=\"" + gain + "\" biastype=\"affine\" biasprm=\"" + bias + "\"";
  if (force < static_cast<double>(kUnlimited)) {
    text += " forcelimited=\"true\" forcerange=\"" + number(-force) + " " + number(force) + "\"";
  }
  actuators_ += "    " + text + "/>\n";
  controls_ += " " + number(control);
  drive_names_.push_back(name);
}

// What the engine's stack has to hold, where the engine guesses too little. The integrator keeps
// what velocities do to all bodies and freedoms in full matrices, and the search for contacts keeps
// every pair of bodies: of 2.2.2 both counts are exact.
std::string MjcfWriter::stack_hint() const {
  const auto dofs = static_cast<double>(velocity_count_);
  const auto bodies = static_cast<double>(world_.model.rigid_bodies.size() + 1);
  const auto equalities =
      static_cast<double>(std::count(equalities_.begin(), equalities_.end(), '\n'));
  constexpr double kGuessedConstraints = 500.0;
  const double guessed = 5.0 * std::pow(kGuessedConstraints + equalities + dofs, 2.0);
  const double needed = std::max(dofs * (18.0 * bodies + 7.0 * dofs + 2.0),
                                 bodies * (bodies - 1.0) / 2.0 + 10.0 * bodies);
  constexpr double kReserve = 1.1;
  if (needed <= guessed || kReserve * needed > std::numeric_limits<std::int32_t>::max()) return {};
  return "  <size nstack=\"" + std::to_string(static_cast<std::int64_t>(kReserve * needed)) +
         "\"/>\n";
}

void MjcfWriter::assemble() {
  const Vector3d gravity =
      world_.gravity.direction.cast<double>() * static_cast<double>(world_.gravity.magnitude);
  double step = 0.002;
  std::string friction;
  for (const SceneExtras& extras : world_.model.scene_extras) {
    if (extras.time_step && *extras.time_step > 0.0F && std::isfinite(*extras.time_step)) {
      step = static_cast<double>(*extras.time_step);
      break;
    }
  }
  MjcFriction said;  // Of the scenes, what the first says that says anything of it.
  for (const SceneExtras& extras : world_.model.scene_extras) {
    if (!said.elliptic) said.elliptic = extras.friction.elliptic;
    if (!said.impratio) said.impratio = extras.friction.impratio;
    if (!said.noslip_iterations) said.noslip_iterations = extras.friction.noslip_iterations;
  }
  if (said.elliptic) {
    friction += std::string(" cone=\"") + (*said.elliptic ? "elliptic" : "pyramidal") + "\"";
  }
  if (said.impratio) friction += " impratio=\"" + number(*said.impratio) + "\"";
  if (said.noslip_iterations) {
    friction += " noslip_iterations=\"" + std::to_string(*said.noslip_iterations) + "\"";
  }
  std::string& out = file_.text;
  out =
      "<mujoco>\n  <compiler angle=\"radian\" inertiafromgeom=\"auto\" boundmass=\"0\" "
      "boundinertia=\"0\" balanceinertia=\"";
  out += balances_ ? "true" : "false";
  out += "\"/>\n  <option timestep=\"" + number(step) + "\" integrator=\"implicit\"" + friction +
         " gravity=\"" + numbers(gravity) +
         "\">\n    <flag filterparent=\"disable\"/>\n  </option>\n" + stack_hint();
  const auto section = [&](const char* name, const std::string& content) {
    if (content.empty()) return;
    out += std::string("  <") + name + ">\n" + content + "  </" + name + ">\n";
  };
  section("asset", assets_);
  section("worldbody", bodies_);
  section("contact", contacts_);
  section("tendon", tendons_);
  section("equality", equalities_);
  section("actuator", actuators_);
  if (position_count_ > 0) {
    std::string key = "    <key name=\"start\" qpos=\"" + start_position_.substr(1) + "\" qvel=\"" +
                      start_velocity_.substr(1) + "\"";
    if (!activations_.empty()) key += " act=\"" + activations_.substr(1) + "\"";
    if (!controls_.empty()) key += " ctrl=\"" + controls_.substr(1) + "\"";
    section("keyframe", key + "/>\n");
  }
  out += "</mujoco>\n";
}

EngineFile write_mjcf(const PhysicsModel& model, const EngineOptions& options,
                      Diagnostics& diagnostics) {
  return MjcfWriter(model, options, diagnostics).run();
}

}  // namespace sinew::exporter
