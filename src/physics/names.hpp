// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "sinew/physics/enums.hpp"
#include "stage/shared/property_table.hpp"

namespace sinew::physics {

using Name = stage::PropertyName;

/// The names that reading asks for, looked up once per stage.
struct Names : stage::PropertyNames {
  explicit Names(const stage::Stage& opened) : PropertyNames(opened) {
    for (int i = 0; i < kJointDofCount; ++i) {
      dofs[i] = degree(to_string(static_cast<JointDof>(i)));
    }
  }

  /// The schemas and attributes of one degree of freedom, or of the only one of a joint.
  struct Degree {
    Token limit_api;
    Name low;
    Name high;
    Token drive_api;
    Name target_position;
    Name target_velocity;
    Name max_force;
    Name stiffness;
    Name damping;
    Name type;
  };

  Degree degree(std::string_view name) {
    const std::string limit = "limit:" + std::string(name) + ":physics:";
    const std::string drive = "drive:" + std::string(name) + ":physics:";
    return {stage().find_token("PhysicsLimitAPI:" + std::string(name)),
            find(limit + "low"),
            find(limit + "high"),
            stage().find_token("PhysicsDriveAPI:" + std::string(name)),
            find(drive + "targetPosition"),
            find(drive + "targetVelocity"),
            find(drive + "maxForce"),
            find(drive + "stiffness"),
            find(drive + "damping"),
            find(drive + "type")};
  }

  // Geometry
  Name axis = find("axis");
  Name double_sided = find("doubleSided");
  Name element_type = find("elementType");
  Name face_vertex_counts = find("faceVertexCounts");
  Name face_vertex_indices = find("faceVertexIndices");
  Name height = find("height");
  Name hole_indices = find("holeIndices");
  Name orientation = find("orientation");
  Name points = find("points");
  Name primvars_widths = find("primvars:widths");
  Name primvars_widths_indices = find("primvars:widths:indices");
  Name radius = find("radius");
  Name radius_bottom = find("radiusBottom");
  Name radius_top = find("radiusTop");
  Name size = find("size");
  Name subdivision_scheme = find("subdivisionScheme");
  Name widths = find("widths");
  Name xform_op_order = find("xformOpOrder");

  // Scenes, materials and groups
  Name dynamic_friction = find("physics:dynamicFriction");
  Name filtered_groups = find("physics:filteredGroups");
  Name gravity_direction = find("physics:gravityDirection");
  Name gravity_magnitude = find("physics:gravityMagnitude");
  Name invert_filtered_groups = find("physics:invertFilteredGroups");
  Name legacy_gravity = find("gravity");
  Name merge_group = find("physics:mergeGroup");
  Name restitution = find("physics:restitution");
  Name static_friction = find("physics:staticFriction");

  // Bodies and colliders
  Name angular_velocity = find("physics:angularVelocity");
  Name approximation = find("physics:approximation");
  Name center_of_mass = find("physics:centerOfMass");
  Name collision_enabled = find("physics:collisionEnabled");
  Name density = find("physics:density");
  Name diagonal_inertia = find("physics:diagonalInertia");
  Name filtered_pairs = find("physics:filteredPairs");
  Name kinematic_enabled = find("physics:kinematicEnabled");
  Name linear_velocity = find("physics:linearVelocity");
  Name mass = find("physics:mass");
  Name principal_axes = find("physics:principalAxes");
  Name rigid_body_enabled = find("physics:rigidBodyEnabled");
  Name simulation_owner = find("physics:simulationOwner");
  Name starts_asleep = find("physics:startsAsleep");
  Name velocity = find("physics:velocity");

  // Joints
  Name body0 = find("physics:body0");
  Name body1 = find("physics:body1");
  Name break_force = find("physics:breakForce");
  Name break_torque = find("physics:breakTorque");
  Name cone_angle0_limit = find("physics:coneAngle0Limit");
  Name cone_angle1_limit = find("physics:coneAngle1Limit");
  Name exclude_from_articulation = find("physics:excludeFromArticulation");
  Name joint_axis = find("physics:axis");
  Name joint_enabled = find("physics:jointEnabled");
  Name local_pos0 = find("physics:localPos0");
  Name local_pos1 = find("physics:localPos1");
  Name local_rot0 = find("physics:localRot0");
  Name local_rot1 = find("physics:localRot1");
  Name lower_limit = find("physics:lowerLimit");
  Name max_distance = find("physics:maxDistance");
  Name min_distance = find("physics:minDistance");
  Name upper_limit = find("physics:upperLimit");
  Degree dofs[kJointDofCount];  ///< By JointDof.
  Degree angular = degree("angular");
  Degree linear = degree("linear");
};

}  // namespace sinew::physics
