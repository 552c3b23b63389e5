// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sinew/core/export.hpp"
#include "sinew/core/text.hpp"
#include "sinew/core/types.hpp"
#include "sinew/physics/enums.hpp"

namespace sinew::physics {

// What vendors write next to the standard schemas, as far as it changes motion. Units are those of
// the model, as everywhere, and SI after PhysicsModel::to_si(); nullopt where nothing is said.

/// A vocabulary of attributes. The order is that of precedence: the first that says something wins.
enum class Dialect : std::uint8_t { newton, mjc, physx, isaac, apple };

/// All of them, in order: what ReadOptions::dialects is for whoever takes whatever is said.
SINEW_API std::vector<Dialect> all_dialects();

/// "newton", "mjc", "physx", "isaac", "apple".
SINEW_API std::string_view to_string(Dialect dialect) noexcept;
/// The dialect of that name; nullopt for any other.
SINEW_API std::optional<Dialect> parse_dialect(std::string_view name) noexcept;

/// Of one degree of freedom. JointDof::distance stands for the only one of a one-axis joint.
struct DofExtras {
  JointDof dof = JointDof::distance;        ///< Which one; at most one entry each in a joint.
  std::optional<float> start;               ///< Coordinate at the start. Distance or angle.
  std::optional<float> start_velocity;      ///< Distance / s or angle / s.
  std::optional<float> armature;            ///< Mass, or mass * distance^2: added to the inertia.
  std::optional<float> damping;             ///< As JointDrive::damping, without a drive.
  std::optional<float> stiffness;           ///< Of a passive spring, as JointDrive::stiffness.
  std::optional<float> spring_rest;         ///< Its coordinate at rest.
  std::optional<float> friction;            ///< Dry: a force or torque.
  std::optional<float> velocity_limit;      ///< Distance / s or angle / s.
  std::optional<float> limit_stiffness;     ///< Of a soft limit, as JointDrive::stiffness.
  std::optional<float> limit_damping;       ///< The same, as JointDrive::damping.
  std::optional<float> acceleration_limit;  ///< Distance / s^2 or angle / s^2.
  std::optional<float> jerk_limit;          ///< Distance / s^3 or angle / s^3.
  std::optional<std::int32_t> order;        ///< Where it stands among all of its robot.
};

/// Numbers with which MuJoCo's solver takes one constraint: verbatim, in SI units whatever those of
/// the model. Empty where nothing is said.
struct MjcSolver {
  std::vector<double> solref;  ///< Time constant and damping ratio: at most 2 numbers.
  std::vector<double> solimp;  ///< Impedance over the distance it is off: at most 5 numbers.

  /// Whether nothing is said.
  bool empty() const noexcept { return solref.empty() && solimp.empty(); }
};

/// Of one joint.
struct JointExtras {
  bool stacks = false;          ///< One of several between the same bodies, one after the other.
  bool is_equality = false;     ///< A constraint between bodies that other joints hold.
  std::vector<DofExtras> dofs;  ///< Those that something is said of, as first met; see find().
  MjcSolver limit;              ///< Of the limits of all its freedoms.
  MjcSolver equality;           ///< Of the constraint that an equality is.
  std::optional<double> torque_scale;  ///< Of a weld: how much turns count against distances.

  /// What is said of a degree of freedom, null if nothing is.
  const DofExtras* find(JointDof dof) const noexcept {
    for (const DofExtras& extras : dofs) {
      if (extras.dof == dof) return &extras;
    }
    return nullptr;
  }

  /// All that is said of a degree of freedom, field by field: what names it, then what is said of
  /// the joint as a whole.
  SINEW_API DofExtras of(JointDof dof) const noexcept;
};

/// Of one rigid body.
struct BodyExtras {
  std::optional<float> gravity_scale;    ///< 0: floats.
  std::optional<float> linear_damping;   ///< 1 / s.
  std::optional<float> angular_damping;  ///< 1 / s.
  /// About the centre of mass, xx yy zz xy xz yz, in the body's axes: instead of what else is said.
  std::optional<std::array<float, 6>> inertia;
};

/// What MuJoCo is told of the contacts of a collider: verbatim, in SI units whatever the units of
/// the model. Every field may be left unsaid.
struct MjcContact {
  std::optional<std::int32_t> condim;    ///< Directions of friction and the normal: 1, 3, 4 or 6.
  std::optional<std::int32_t> group;     ///< What to show it with.
  std::optional<std::int32_t> priority;  ///< Of two colliders the higher one decides.
  std::optional<double> solmix;          ///< Weight with which the numbers of two are mixed.
  MjcSolver solver;                      ///< Of the contact; it is off by its depth.
};

/// Of one collider.
struct ShapeExtras {
  std::optional<float> margin;  ///< Distance from the surface at which contact pushes.
  std::optional<float> gap;     ///< Distance beyond the margin at which contact is looked for.
  std::optional<float> max_hull_vertices;  ///< Most corners that an engine may give its hull.
  /// Distance: torque against spinning in place / normal force.
  std::optional<float> torsional_friction;
  std::optional<float> rolling_friction;  ///< Distance: torque against rolling / normal force.
  MjcContact contact;                     ///< Of MuJoCo's solver.
};

/// Of one material. How its values combine with those of the other at a contact, and frictions that
/// its colliders have in their ShapeExtras unless they state their own.
struct MaterialExtras {
  Text friction_combine;     ///< "average", "min", "multiply", "max"; empty: not said.
  Text restitution_combine;  ///< The same.
  std::optional<float> torsional_friction;  ///< As ShapeExtras::torsional_friction.
  std::optional<float> rolling_friction;    ///< As ShapeExtras::rolling_friction.
};

/// How MuJoCo solves the friction of contacts; nothing: as it does by itself.
struct MjcFriction {
  std::optional<bool> elliptic;    ///< Within cones, not pyramids.
  std::optional<double> impratio;  ///< Impedance of friction, of that of the contact.
  std::optional<std::int32_t> noslip_iterations;  ///< Of the steps that keep things from creeping.
};

/// Of one scene.
struct SceneExtras {
  std::optional<float> time_step;  ///< Seconds.
  MjcFriction friction;            ///< Of MuJoCo's solver.
};

/// Of one articulation.
struct ArticulationExtras {
  std::optional<bool> self_collision;  ///< False: no two of its bodies collide.
};

/// A joint that follows another: q_follower = ratio * q_leader + offset.
struct Mimic {
  std::int32_t follower = kNone;               ///< Into PhysicsModel::joints.
  JointDof follower_dof = JointDof::distance;  ///< distance: the only one of the joint.
  std::int32_t leader = kNone;  ///< The joint that is followed, into PhysicsModel::joints.
  /// As follower_dof; both are turns or both translations.
  JointDof leader_dof = JointDof::distance;
  float ratio = 1.0F;   ///< May be negative.
  float offset = 0.0F;  ///< Distance or angle.
};

/// How the activation of an actuator follows its control, as mjc:dynType says.
enum class ActuatorDynamics : std::uint8_t {
  none,          ///< The control acts itself.
  integrator,    ///< d activation / dt = control.
  filter,        ///< d activation / dt = (control - activation) / time_constant.
  filter_exact,  ///< The same, without the error of a step. Not for engines before MuJoCo 3.
};

/// A muscle, or an actuator that a program defines: MuJoCo's own words and numbers, as authored. At
/// most ten numbers each; those that are left out have MuJoCo's defaults.
struct ActuatorLaw {
  Text gain_type;                ///< "fixed", "affine", "muscle" or "user".
  std::vector<double> gain;      ///< Of a muscle: range, force, scale, lengths, speed, forces.
  Text bias_type;                ///< "none", "affine", "muscle" or "user".
  std::vector<double> bias;      ///< Of a muscle the numbers of its gain.
  Text dynamics_type;            ///< A word of ActuatorDynamics, "muscle" or "user".
  std::vector<double> dynamics;  ///< Of a muscle: seconds to activate and to deactivate.
};

/// Drives a joint by a gain and a bias that are constant or affine, unless there is a law:
///
///     force = gear * (g * input + bias0 + gear * (bias1 q + bias2 v))
///     g = gain + gear * (gain_slopes0 q + gain_slopes1 v)
///
/// where the input is the control or, if there are dynamics, the activation, which starts at 0. As
/// MuJoCo counts, in SI units and radians whatever the units of the model.
struct Actuator {
  Text path;                   ///< Of its prim, an MjcActuator.
  std::int32_t joint = kNone;  ///< Into PhysicsModel::joints; kNone: drives none of them.
  float gear = 1.0F;           ///< From the force of the actuator to that of the joint.
  float gain = 1.0F;           ///< Force before the gear, per unit of control.
  /// bias0 to bias2; 0 unless mjc:biasType is affine.
  std::array<float, 3> bias = {0.0F, 0.0F, 0.0F};
  /// Smallest and largest control; an end that is not said is 0.
  std::optional<std::array<float, 2>> control_range;
  /// Smallest and largest force before the gear; an end that is not said is 0.
  std::optional<std::array<float, 2>> force_range;
  /// At the start, by mjc:ctrl of the MjcKeyframe of the name "start"; nullopt: not said.
  std::optional<float> control;
  /// What the gain grows by with length and speed; 0 unless mjc:gainType is affine.
  std::array<float, 2> gain_slopes = {0.0F, 0.0F};
  ActuatorDynamics dynamics = ActuatorDynamics::none;  ///< What stands between control and force.
  float time_constant = 1.0F;                          ///< Seconds, of a filter.
  /// Smallest and largest activation; an end that is not said is 0.
  std::optional<std::array<float, 2>> activation_range;
  bool acts_early = false;  ///< The force is of the activation after the step, not before it.
  /// If set, it counts in place of gain, gain_slopes, bias, dynamics and time_constant.
  std::optional<ActuatorLaw> law;
  /// Shortest and longest length, which a muscle is scaled by; an end that is not said is 0.
  std::optional<std::array<float, 2>> length_range;
  /// Of the activation at the start, by mjc:act of the same keyframe; nullopt: not said.
  std::optional<float> activation;

  /// Whether an activation stands between control and force.
  bool has_activation() const noexcept {
    return law ? law->dynamics_type.view() != "none" : dynamics != ActuatorDynamics::none;
  }
  /// Whether the force grows by a constant with the input.
  bool has_constant_gain() const noexcept {
    return !law && gain_slopes == std::array<float, 2>{0.0F, 0.0F};
  }
};

/// A prim that lists the parts of a robot in the order in which programs number them.
struct Robot {
  Text path;                      ///< Of the prim.
  std::vector<Text> link_paths;   ///< As listed, whether or not they are bodies of the model.
  std::vector<Text> joint_paths;  ///< The same of joints.
};

/// The word of mjc:dynType, and of dyntype in MJCF.
SINEW_API std::string_view to_string(ActuatorDynamics dynamics) noexcept;
/// The dynamics of such a word; nullopt for others, "muscle" and "user" among them.
SINEW_API std::optional<ActuatorDynamics> parse_actuator_dynamics(std::string_view word) noexcept;

/// What kind of prim an attribute of a dialect is meant for.
enum class DialectTarget : std::uint8_t {
  joint,
  body,
  shape,
  material,
  scene,
  articulation,
  actuator,
  any,
};

/// Where the value of an attribute lands.
struct DialectField {
  /// The struct, "DofExtras", or one of the model itself; empty: nowhere, it is only counted.
  std::string_view extras;
  std::string_view field;  ///< The member of it, "armature".

  /// Whether it lands nowhere.
  bool empty() const noexcept { return extras.empty(); }
};

/// One attribute of a dialect.
struct DialectAttribute {
  Dialect dialect = Dialect::newton;  ///< The vocabulary it is part of.
  /// '*' stands for the name of a degree of freedom: "state:*:physics:position".
  std::string_view name;
  DialectTarget target = DialectTarget::any;  ///< What it is meant to be written on.
  DialectField lands;                         ///< Field of the extras; empty: only counted.
  bool radians = false;                       ///< Angles in the unit are radians, not degrees.
  bool wins = false;         ///< Replaces what a standard attribute says; others only fill gaps.
  std::string_view unit;     ///< As the file states it; empty without one.
  std::string_view meaning;  ///< One phrase.
  std::string_view schema;   ///< The applied schema that declares it; empty: none.
};

/// The rows of all dialects, those of one together, in the order of Dialect.
SINEW_API std::span<const DialectAttribute> dialect_attributes() noexcept;

/// The row of an attribute, null if no dialect has it.
/// @par Cost  O(rows of its dialect).
SINEW_API const DialectAttribute* find_dialect_attribute(std::string_view name) noexcept;

/// The dialect whose prefix an attribute has, whether or not it is a known one: "physxJoint:x".
SINEW_API std::optional<Dialect> dialect_of(std::string_view attribute) noexcept;

}  // namespace sinew::physics
