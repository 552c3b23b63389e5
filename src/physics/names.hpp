// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "sinew/physics/enums.hpp"
#include "sinew/stage/stage.hpp"

namespace sinew::physics {

/// The names that reading asks for, looked up once per stage. A name that no layer mentions has
/// the empty token, which no prim has a property of.
struct Names {
  explicit Names(const stage::Stage& opened) : stage(opened) {
    for (int i = 0; i < kJointDofCount; ++i) {
      dofs[i] = degree(to_string(static_cast<JointDof>(i)));
    }
  }

  /// The schemas and attributes of one degree of freedom, or of the only one of a joint.
  struct Degree {
    Token limit_api;
    Token low;
    Token high;
    Token drive_api;
    Token target_position;
    Token target_velocity;
    Token max_force;
    Token stiffness;
    Token damping;
    Token type;
  };

  Token find(std::string_view text) const { return stage.find_token(text); }

  Degree degree(std::string_view name) const {
    const std::string limit = "limit:" + std::string(name) + ":physics:";
    const std::string drive = "drive:" + std::string(name) + ":physics:";
    return {find("PhysicsLimitAPI:" + std::string(name)),
            find(limit + "low"),
            find(limit + "high"),
            find("PhysicsDriveAPI:" + std::string(name)),
            find(drive + "targetPosition"),
            find(drive + "targetVelocity"),
            find(drive + "maxForce"),
            find(drive + "stiffness"),
            find(drive + "damping"),
            find(drive + "type")};
  }

  const stage::Stage& stage;

  // Geometry
  Token axis = find("axis");
  Token double_sided = find("doubleSided");
  Token element_type = find("elementType");
  Token face_vertex_counts = find("faceVertexCounts");
  Token face_vertex_indices = find("faceVertexIndices");
  Token height = find("height");
  Token hole_indices = find("holeIndices");
  Token orientation = find("orientation");
  Token points = find("points");
  Token primvars_widths = find("primvars:widths");
  Token primvars_widths_indices = find("primvars:widths:indices");
  Token radius = find("radius");
  Token radius_bottom = find("radiusBottom");
  Token radius_top = find("radiusTop");
  Token size = find("size");
  Token subdivision_scheme = find("subdivisionScheme");
  Token widths = find("widths");

  // Scenes, materials and groups
  Token dynamic_friction = find("physics:dynamicFriction");
  Token filtered_groups = find("physics:filteredGroups");
  Token gravity_direction = find("physics:gravityDirection");
  Token gravity_magnitude = find("physics:gravityMagnitude");
  Token invert_filtered_groups = find("physics:invertFilteredGroups");
  Token legacy_gravity = find("gravity");
  Token merge_group = find("physics:mergeGroup");
  Token restitution = find("physics:restitution");
  Token static_friction = find("physics:staticFriction");

  // Bodies and colliders
  Token angular_velocity = find("physics:angularVelocity");
  Token approximation = find("physics:approximation");
  Token center_of_mass = find("physics:centerOfMass");
  Token collision_enabled = find("physics:collisionEnabled");
  Token density = find("physics:density");
  Token diagonal_inertia = find("physics:diagonalInertia");
  Token filtered_pairs = find("physics:filteredPairs");
  Token kinematic_enabled = find("physics:kinematicEnabled");
  Token linear_velocity = find("physics:linearVelocity");
  Token mass = find("physics:mass");
  Token principal_axes = find("physics:principalAxes");
  Token rigid_body_enabled = find("physics:rigidBodyEnabled");
  Token simulation_owner = find("physics:simulationOwner");
  Token starts_asleep = find("physics:startsAsleep");
  Token velocity = find("physics:velocity");

  // Joints
  Token body0 = find("physics:body0");
  Token body1 = find("physics:body1");
  Token break_force = find("physics:breakForce");
  Token break_torque = find("physics:breakTorque");
  Token cone_angle0_limit = find("physics:coneAngle0Limit");
  Token cone_angle1_limit = find("physics:coneAngle1Limit");
  Token exclude_from_articulation = find("physics:excludeFromArticulation");
  Token joint_axis = find("physics:axis");
  Token joint_enabled = find("physics:jointEnabled");
  Token local_pos0 = find("physics:localPos0");
  Token local_pos1 = find("physics:localPos1");
  Token local_rot0 = find("physics:localRot0");
  Token local_rot1 = find("physics:localRot1");
  Token lower_limit = find("physics:lowerLimit");
  Token max_distance = find("physics:maxDistance");
  Token min_distance = find("physics:minDistance");
  Token upper_limit = find("physics:upperLimit");
  Degree dofs[kJointDofCount];  ///< By JointDof.
  Degree angular = degree("angular");
  Degree linear = degree("linear");
};

}  // namespace sinew::physics
