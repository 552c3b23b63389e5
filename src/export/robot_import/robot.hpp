// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "export/robot_import/xml_tree.hpp"
#include "physics/shared/indexed.hpp"
#include "sinew/core/types.hpp"
#include "sinew/physics/dialects.hpp"
#include "sinew/physics/pose.hpp"
#include "sinew/physics/volumes.hpp"

namespace sinew::exporter::robot_import {

// A robot as both formats describe it. Metres, kilograms, seconds and radians; lists of indices,
// -1 for none. Element 0 of the bodies is the world.

using physics::at;
using physics::Posed;

inline constexpr std::int32_t kNothing = -1;
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Attributes of MuJoCo's that are passed on as they stand, by name.
using NamedNumbers = std::vector<std::pair<std::string_view, std::vector<double>>>;

/// What a mesh with faces weighs. The names are MuJoCo's.
enum class MeshWeighing : std::uint8_t {
  exact,   ///< What it encloses.
  legacy,  ///< The same for what is convex; more than there is for what is not.
  convex,  ///< Its hull.
  shell,   ///< Its faces: their area times the density.
};

struct RobotMesh {
  std::string name;
  std::vector<Vector3f> points;
  std::vector<std::int32_t> corners;  ///< Three for each triangle; empty: the hull of the points.
  MeshWeighing weighing = MeshWeighing::exact;
  std::optional<physics::Solid> solid;  ///< Once it was asked for.

  /// So that what was mirrored keeps its outside.
  void turn_faces() {
    for (std::size_t i = 0; i + 2 < corners.size(); i += 3) {
      std::swap(corners[i + 1], corners[i + 2]);
    }
  }
};

enum class GeomKind : std::uint8_t { sphere, box, capsule, cylinder, plane, ellipsoid, mesh };

struct RobotGeom {
  std::string name;
  Where where;
  GeomKind kind = GeomKind::sphere;
  /// Half extents; radius, -, half height of what has an axis, which is Z.
  Vector3d size = Vector3d::Zero();
  Posed pose;  ///< In its body.
  std::int32_t mesh = kNothing;
  std::int32_t moved_from = kNothing;  ///< The body of the file, if the world has it instead.
  bool collides = true;                ///< Else it is there to be seen, unless switched_off.
  bool is_collider = true;             ///< Whether it becomes a collider at all.
  int group = 0;                       ///< Of MJCF.
  bool is_hidden = false;              ///< Stands for what something else shows.
  std::uint32_t type_bits = 1;         ///< Collide if one's type meets the other's affinity.
  std::uint32_t affinity_bits = 1;
  std::optional<double> friction;
  std::optional<double> torsional_friction;
  std::optional<double> rolling_friction;
  std::optional<double> margin;
  std::optional<double> gap;
  std::optional<std::array<float, 4>> color;
  /// What MuJoCo's solver is told of its contacts, by the name of the attribute.
  NamedNumbers contact;
  // What it adds to the mass of its body, unless that is stated.
  std::optional<double> mass;
  double density = 1000.0;
  bool has_mass = true;
};

/// A place that is marked, with the geometry that shows it.
struct RobotSite {
  RobotGeom geom;
  bool is_rope_end = false;  ///< Made for a tendon that becomes a joint; nothing else names it.
};

struct RobotMass {
  double mass = 0.0;
  Vector3d center = Vector3d::Zero();
  Matrix3d inertia = Matrix3d::Zero();  ///< About the centre, axes of the body.
};

enum class JointKind : std::uint8_t { hinge, slide, ball };

/// A spring that pulls to a target, as UsdPhysics has it.
struct RobotDrive {
  double stiffness = 0.0;
  double damping = 0.0;
  double target = 0.0;
  double speed = 0.0;
  std::optional<double> force_limit;
};

struct RobotJoint {
  std::string name;
  Where where;
  JointKind kind = JointKind::hinge;
  std::int32_t body = kNothing;        ///< That it moves.
  Vector3d axis = Vector3d::UnitZ();   ///< Of unit length, in the body.
  Vector3d anchor = Vector3d::Zero();  ///< In the body.
  double start = 0.0;                  ///< Coordinate in the poses of the bodies.
  double lower = -kInfinity;
  double upper = kInfinity;
  std::optional<double> stated;  ///< Coordinate that the file asks to begin with.
  double speed = 0.0;            ///< At the start.
  double armature = 0.0;
  double damping = 0.0;    ///< Per radian.
  double stiffness = 0.0;  ///< Of a passive spring.
  double spring_rest = 0.0;
  double friction = 0.0;
  std::optional<double> velocity_limit;
  std::optional<RobotDrive> drive;
  bool has_actuator = false;
  // It follows another one: q = ratio * q_leader + offset.
  std::int32_t leader = kNothing;
  double ratio = 1.0;
  double offset = 0.0;
  /// What MuJoCo's solver is told of the range: its attribute and the numbers.
  NamedNumbers solver;
  NamedNumbers coupling;  ///< The same of how it follows.
};

enum class BodyState : std::uint8_t {
  jointed,  ///< By its joints, or, without any, fixed to its parent.
  free,
  kinematic,
};

struct RobotBody {
  std::string name;
  Where where;
  std::int32_t parent = 0;
  Posed pose;  ///< In its parent.
  Posed world;
  BodyState state = BodyState::jointed;
  std::vector<std::int32_t> joints;
  std::string fixed_by;  ///< Name of the joint that fixes it, if it has one.
  std::vector<std::int32_t> geoms;
  std::vector<std::int32_t> sites;
  RobotMass mass;
  bool has_mass = false;
  Vector3d velocity = Vector3d::Zero();          ///< Of the origin, in the world.
  Vector3d angular_velocity = Vector3d::Zero();  ///< Along the axes of the body.
  bool floats = false;                           ///< Gravity does not act.
  std::int32_t carrier = kNothing;  ///< The rigid body that it is part of: itself, or one above.
};

/// What holds two bodies besides the tree.
struct RobotLoop {
  enum class Kind : std::uint8_t { weld, connect, distance };
  std::string name;
  Kind kind = Kind::weld;
  std::array<std::int32_t, 2> bodies = {0, 0};
  std::array<Posed, 2> frames;  ///< In them.
  double lower = 0.0;           ///< Of a distance.
  double upper = kInfinity;
  bool enabled = true;
  NamedNumbers solver;  ///< What MuJoCo's solver is told of it.
};

/// As physics::Actuator; length and speed are those of the joint times the gear.
struct RobotActuator {
  std::string name;
  std::int32_t joint = kNothing;
  double gear = 1.0;
  double gain = 1.0;
  std::array<double, 3> bias = {0.0, 0.0, 0.0};
  std::optional<std::array<double, 2>> control_range;
  std::optional<std::array<double, 2>> force_range;
  double control = 0.0;  ///< At the start.
  std::array<double, 2> gain_slopes = {0.0, 0.0};
  physics::ActuatorDynamics dynamics = physics::ActuatorDynamics::none;
  double time_constant = 1.0;
  std::optional<std::array<double, 2>> activation_range;
  bool acts_early = false;
  std::optional<physics::ActuatorLaw> law;
  std::optional<std::array<double, 2>> length_range;
  double activation = 0.0;  ///< At the start.

  bool has_activation() const {
    return law ? law->dynamics_type.view() != "none" : dynamics != physics::ActuatorDynamics::none;
  }
};

struct Robot {
  std::string name;
  Vector3d gravity{0.0, 0.0, -9.81};
  std::optional<double> time_step;
  physics::MjcFriction friction;
  std::vector<RobotBody> bodies;
  std::vector<RobotGeom> geoms;
  std::vector<RobotSite> sites;
  std::vector<RobotJoint> joints;
  std::vector<RobotMesh> meshes;
  std::vector<RobotLoop> loops;
  std::vector<RobotActuator> actuators;
  std::vector<std::pair<std::int32_t, std::int32_t>> excluded;  ///< Bodies that never collide.
  /// Whether a body collides with the one that carries it, except for the world.
  bool neighbours_collide = false;
  bool has_masks = false;    ///< MJCF: bits decide what collides.
  bool adds_newton = false;  ///< Extras of joints go into attributes of Newton, not of MuJoCo.
};

}  // namespace sinew::exporter::robot_import
