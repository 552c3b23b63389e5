// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/export.hpp"
#include "sinew/core/rules.hpp"
#include "sinew/core/text.hpp"
#include "sinew/core/types.hpp"
#include "sinew/physics/descriptors.hpp"
#include "sinew/physics/dialects.hpp"
#include "sinew/physics/enums.hpp"
#include "sinew/physics/joint.hpp"
#include "sinew/physics/shape.hpp"

namespace sinew::physics {

/// What one unit of the model means.
struct StageUnits {
  /// What the stage says; fixes where gravity points if no direction is authored.
  Axis up_axis = Axis::y;
  double meters_per_unit = 0.01;    ///< One distance.
  double kilograms_per_unit = 1.0;  ///< One mass.
  bool radians = false;             ///< Angles are in degrees unless this is set.
  /// An authored diagonal inertia shorter than this means "not given". Mass * distance^2.
  double inertia_threshold = 1e-5;
  /// The mass of a body that has neither a mass nor a volume, under Rules::documented. Mass.
  double assumed_mass = 1.0;
  /// The up axis as the stage has it, which may be no axis; empty if the model is of no stage.
  std::string up_axis_token = {};
};

/// The figures that a prim's PhysicsMassAPI holds, as authored; nullopt where nothing is authored.
/// Values that mean "not given" (a mass of 0, an infinite centre) and nonsense (a negative mass)
/// are kept, so that an explanation can say why they were passed over.
struct AuthoredMass {
  std::optional<float> mass;                 ///< Mass; used if > 0.
  std::optional<float> density;              ///< Mass / distance^3; used if > 0.
  std::optional<Vector3f> center_of_mass;    ///< The prim's local space, unscaled; used if finite.
  std::optional<Vector3f> diagonal_inertia;  ///< Mass * distance^2; used if longer than 1e-5.
  std::optional<Quatf> principal_axes;       ///< Used if not zero; not necessarily normalised.
};

/// A prim at or below a rigid body that has a say in the body's mass: the body itself, a collider,
/// or a prim between them that has PhysicsMassAPI.
struct MassNode {
  Text path;  ///< Empty if it is the path of the body or of the shape; see node_path().
  std::int32_t parent = kNone;  ///< Nearest node above, an index into mass_nodes_of(body).
  bool is_collider = false;     ///< Has PhysicsCollisionAPI.
  /// The collider's shape: an index into PhysicsModel::shapes, or, from shapes.size() on, into
  /// unreported_shapes; kNone if it is not a collider or its geometry is unknown.
  std::int32_t shape = kNone;
  bool has_mass_api = false;  ///< Has PhysicsMassAPI.
  AuthoredMass authored;      ///< All nullopt unless has_mass_api.

  Pose local_pose;  ///< The prim's frame relative to the body, derived as Shape::local_pose is.
  Vector3f world_scale = Vector3f::Ones();  ///< Turns an authored centre into stage distances.
};

/// One PhysicsCollisionGroup prim, as authored: what decides whether groups collide.
struct CollisionGroupPrim {
  Text path;                     ///< Of the prim.
  bool has_merge_group = false;  ///< physics:mergeGroup is authored, if only as "".
  Text merge_group;              ///< Groups of equal name act as one.
  /// The groups it does not name are disabled, instead of those that it names.
  bool invert_filtered_groups = false;
  /// As authored: groups, or anything else, which has no effect.
  std::vector<Text> filtered_group_paths;
};

/// The physics of a stage as plain values: what an engine needs to build its world.
///
/// Objects are in the order in which they were visited (CollisionGroup: see there), the same on
/// every run. The vectors belong together: indices in one refer to another. To change the model,
/// change fields, not the number or order of elements. Functions that take a model check its
/// indices and treat those out of range as kNone, so a model made by hand cannot crash them.
///
/// A value; reading it from several threads is safe.
struct PhysicsModel {
  Rules rules = Rules::documented;  ///< The rules by which it was read; body_mass() follows them.
  StageUnits units;                 ///< What the numbers of all descriptors mean.

  std::vector<Scene> scenes;                     ///< Simulations with their gravity.
  std::vector<RigidBodyMaterial> materials;      ///< What colliders are bound to.
  std::vector<CollisionGroup> collision_groups;  ///< Merged; filtering works on group_prims.
  std::vector<RigidBody> rigid_bodies;           ///< Everything that moves.
  std::vector<Shape> shapes;                     ///< Colliders, of bodies and static ones.
  std::vector<Joint> joints;                     ///< Constraints of all types.
  std::vector<Articulation> articulations;       ///< Mechanisms by root prim.

  /// The bodies' mass nodes, body after body; within a body in namespace order, parents first.
  std::vector<MassNode> mass_nodes;
  /// Colliders that have mass but were not reported: excluded ones, those below point instancers,
  /// and those that are read as materials.
  std::vector<Shape> unreported_shapes;
  /// Every collision group of the stage in namespace order, unmerged.
  std::vector<CollisionGroupPrim> group_prims;

  /// What the dialects of vendors add, if they were asked for (ReadOptions::dialects): empty, or
  /// parallel to joints, bodies, shapes, materials, scenes and articulations.
  std::vector<JointExtras> joint_extras;
  std::vector<BodyExtras> body_extras;                  ///< Parallel to rigid_bodies, or empty.
  std::vector<ShapeExtras> shape_extras;                ///< Parallel to shapes, or empty.
  std::vector<MaterialExtras> material_extras;          ///< Parallel to materials, or empty.
  std::vector<SceneExtras> scene_extras;                ///< Parallel to scenes, or empty.
  std::vector<ArticulationExtras> articulation_extras;  ///< Parallel to articulations, or empty.
  std::vector<Mimic> mimics;        ///< Joints that follow others, by the dialects asked for.
  std::vector<Actuator> actuators;  ///< One per MjcActuator prim, if Dialect::mjc was asked for.
  /// Prims with MjcSiteAPI, if Dialect::mjc was asked for; they are no shapes then.
  std::vector<Site> sites;
  std::vector<Robot> robots;  ///< Prims that list the parts of one, by Dialect::isaac.

  /// The elements that an index names. Precondition: it is one of theirs, so not kNone.
  const RigidBody& body(std::int32_t index) const noexcept {
    return rigid_bodies[static_cast<std::size_t>(index)];
  }
  /// The collider; same precondition.
  const Shape& shape(std::int32_t index) const noexcept {
    return shapes[static_cast<std::size_t>(index)];
  }
  /// The joint; same precondition.
  const Joint& joint(std::int32_t index) const noexcept {
    return joints[static_cast<std::size_t>(index)];
  }

  /// Whether an index names a rigid body of this model.
  bool has_body(std::int32_t index) const noexcept {
    return index >= 0 && static_cast<std::size_t>(index) < rigid_bodies.size();
  }
  /// Whether an index names a joint of this model.
  bool has_joint(std::int32_t index) const noexcept {
    return index >= 0 && static_cast<std::size_t>(index) < joints.size();
  }

  /// The body that moves a prim: the nearest one at or above `path`. kNone if there is none.
  /// @par Cost  O(bodies).
  SINEW_API std::int32_t find_body(std::string_view path) const noexcept;

  /// What dialects say of a degree of freedom of a joint; see JointExtras::of(). Nothing if they
  /// were not asked for.
  SINEW_API DofExtras dof_extras(std::int32_t joint, JointDof dof) const noexcept;

  /// The mass nodes of a body; the first is the body itself. Empty if the index or the body's
  /// range is out of bounds.
  SINEW_API std::span<const MassNode> mass_nodes_of(std::int32_t body) const noexcept;

  /// The shape that MassNode::shape names, null if there is none.
  SINEW_API const Shape* node_shape(const MassNode& node) const noexcept;

  /// The path of a node of `body`.
  SINEW_API std::string_view node_path(std::int32_t body, const MassNode& node) const noexcept;

  /// The same model in metres, kilograms, seconds and radians.
  ///
  /// Points of meshes are not touched: their mesh_scale is converted instead. Authored centres
  /// (AuthoredMass) and SpherePoint centres are converted, their scale is not. Infinite and
  /// "unlimited" values stay.
  ///
  /// A unit that is not positive and finite counts as USD's fallback, 0.01 m or 1 kg, and gravity
  /// that is none in such a unit as that of the earth.
  ///
  /// @return A copy with units {same up axis, 1, 1, radians}.
  /// @par Cost  O(size of the model); meshes are shared.
  SINEW_API PhysicsModel to_si() const;
};

}  // namespace sinew::physics
