// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "sinew/core/text.hpp"
#include "sinew/core/types.hpp"
#include "sinew/physics/enums.hpp"
#include "sinew/physics/pose.hpp"

namespace sinew::physics {

// Descriptors are plain values: what the USD physics parsing utilities report, field by field.
// Paths are text for people and end with `_path` or `_paths`. What the PhysicsModel holds is also
// given by index, for programs, under the plain name: `body` is the index of what `body_path`
// names.
//
// Units are those of the stage unless a field says otherwise: "distance" is metersPerUnit metres,
// "mass" kilogramsPerUnit kilograms, time is in seconds. Angles are in degrees in a model as it was
// read, in radians after PhysicsModel::to_si(). Names in parentheses are the USD attributes.

/// A simulation: its gravity. Bodies name the scene they belong to.
struct Scene {
  Text path;             ///< Of the prim.
  bool is_valid = true;  ///< False: unusable, as a diagnostic says.
  /// Unit vector in world space, resolved: a zero vector in the file means down the up axis.
  Vector3f gravity_direction = Vector3f::Zero();
  /// Distance / s^2, resolved: earth gravity in stage units where the file asks for it.
  float gravity_magnitude = -std::numeric_limits<float>::infinity();
};

/// Friction, restitution and density that colliders bind.
struct RigidBodyMaterial {
  Text path;                      ///< Of the prim.
  bool is_valid = true;           ///< False: unusable, as a diagnostic says.
  float static_friction = 0.0F;   ///< Coulomb coefficient.
  float dynamic_friction = 0.0F;  ///< Coulomb coefficient.
  float restitution = 0.0F;       ///< Ratio of separating to approaching speed.
  float density = 0.0F;           ///< Mass / distance^3; 0 or less means none is given.
};

/// Groups of equal merge name as one: what the parsing utilities report. Filtering works on
/// PhysicsModel::group_prims instead, which keep every group's own rule.
struct CollisionGroup {
  Text path;                               ///< The representative of a merged group.
  bool is_valid = true;                    ///< False: unusable, as a diagnostic says.
  bool invert_filtered_groups = false;     ///< Of the representative alone.
  std::vector<Text> filtered_group_paths;  ///< Targets of all members, duplicates kept.
  Text merge_group_name;                   ///< (physics:mergeGroup), empty if none.
  std::vector<Text> merged_group_paths;    ///< All members if there is a name, else empty.
};

/// A prim that moves as one piece, and the shapes it carries.
struct RigidBody {
  Text path;             ///< Of the prim.
  bool is_valid = true;  ///< False: unusable, as a diagnostic says.

  std::vector<std::int32_t> shapes;            ///< Its valid shapes; kNone if a filter dropped one.
  std::vector<Text> shape_paths;               ///< Of the same: by shape type, then by path.
  std::vector<Text> filtered_collision_paths;  ///< (physics:filteredPairs) on the body.
  std::vector<Text> simulation_owner_paths;    ///< Scenes it belongs to; empty = not said.

  Pose pose;  ///< World space.
  /// World scale. All three components carry the sign of the transform's determinant. Already
  /// applied to the sizes and positions of shapes and joints: an engine has no use for it.
  Vector3f scale = Vector3f::Ones();

  bool rigid_body_enabled = true;  ///< False: does not move, but its shapes keep pointing at it.
  bool kinematic_body = false;     ///< Moved by animation: pushes others, is not pushed.
  bool starts_asleep = false;      ///< Initial state only.
  Vector3f linear_velocity = Vector3f::Zero();   ///< Distance / s, in the prim's local space.
  Vector3f angular_velocity = Vector3f::Zero();  ///< Angle / s, in the prim's local space.

  /// The body's part of PhysicsModel::mass_nodes; the first node is the body itself.
  std::uint32_t first_mass_node = 0;
  std::uint32_t mass_node_count = 0;  ///< See mass_nodes_of().
};

/// Bodies connected by joints that a reduced-coordinate solver should treat as one mechanism.
/// articulation.hpp turns it into trees of links.
struct Articulation {
  Text path;             ///< The prim with the articulation root schema: any prim, or a joint.
  bool is_valid = true;  ///< False if no root was found.
  /// One per mechanism: a body (free to move) or a joint (bolted to the world).
  std::vector<Text> root_prim_paths;
  std::vector<std::int32_t> joints;  ///< By path, without duplicates.
  std::vector<Text> joint_paths;     ///< Of the same.
  std::vector<std::int32_t> bodies;  ///< By path, without duplicates; kNone for an empty path.
  std::vector<Text> body_paths;      ///< Of the same; empty paths stand for the world.
  std::vector<Text> filtered_collision_paths;  ///< (physics:filteredPairs) on the root prim.
};

}  // namespace sinew::physics
