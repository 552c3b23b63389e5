// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "sinew/physics/enums.hpp"
#include "sinew/physics/read/schemas.hpp"
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

  /// The properties of one end of a joint.
  struct JointEnd {
    Name body;
    Name local_pos;
    Name local_rot;
  };

  Degree degree(std::string_view name) {
    const auto api = [&](std::string_view schema) {
      return stage().find_token(std::string(schema) + ':' + std::string(name));
    };
    const auto property = [&](std::string_view of) { return find(property_name(of, name)); };
    return {api(tokens::kLimitApi),
            property(tokens::kLimitLow),
            property(tokens::kLimitHigh),
            api(tokens::kDriveApi),
            property(tokens::kDriveTargetPosition),
            property(tokens::kDriveTargetVelocity),
            property(tokens::kDriveMaxForce),
            property(tokens::kDriveStiffness),
            property(tokens::kDriveDamping),
            property(tokens::kDriveType)};
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
  Name colliders_excludes = find("collection:colliders:excludes");
  Name colliders_includes = find("collection:colliders:includes");
  Name dynamic_friction = find(tokens::kDynamicFriction);
  Name filtered_groups = find(tokens::kFilteredGroups);
  Name gravity_direction = find(tokens::kGravityDirection);
  Name gravity_magnitude = find(tokens::kGravityMagnitude);
  Name invert_filtered_groups = find(tokens::kInvertFilteredGroups);
  Name legacy_gravity = find("gravity");
  Name merge_group = find(tokens::kMergeGroup);
  Name restitution = find(tokens::kRestitution);
  Name static_friction = find(tokens::kStaticFriction);

  // Bodies and colliders
  Name angular_velocity = find(tokens::kAngularVelocity);
  Name approximation = find(tokens::kApproximation);
  Name center_of_mass = find(tokens::kCenterOfMass);
  Name collision_enabled = find(tokens::kCollisionEnabled);
  Name density = find(tokens::kDensity);
  Name diagonal_inertia = find(tokens::kDiagonalInertia);
  Name filtered_pairs = find(tokens::kFilteredPairs);
  Name kinematic_enabled = find(tokens::kKinematicEnabled);
  Name linear_velocity = find("physics:linearVelocity");
  Name mass = find(tokens::kMass);
  Name principal_axes = find(tokens::kPrincipalAxes);
  Name rigid_body_enabled = find(tokens::kRigidBodyEnabled);
  Name simulation_owner = find(tokens::kSimulationOwner);
  Name starts_asleep = find(tokens::kStartsAsleep);
  Name velocity = find(tokens::kVelocity);

  // Joints
  JointEnd ends[2] = {{find(tokens::kBody0), find(tokens::kLocalPos0), find(tokens::kLocalRot0)},
                      {find(tokens::kBody1), find(tokens::kLocalPos1), find(tokens::kLocalRot1)}};
  Name break_force = find(tokens::kBreakForce);
  Name break_torque = find(tokens::kBreakTorque);
  Name cone_angle0_limit = find(tokens::kConeAngle0Limit);
  Name cone_angle1_limit = find(tokens::kConeAngle1Limit);
  Name exclude_from_articulation = find(tokens::kExcludeFromArticulation);
  Name joint_axis = find(tokens::kAxis);
  Name joint_enabled = find(tokens::kJointEnabled);
  Name lower_limit = find(tokens::kLowerLimit);
  Name max_distance = find(tokens::kMaxDistance);
  Name min_distance = find(tokens::kMinDistance);
  Name upper_limit = find(tokens::kUpperLimit);
  Degree dofs[kJointDofCount];  ///< By JointDof.
  Degree angular = degree(tokens::kAngular);
  Degree linear = degree(tokens::kLinear);
};

}  // namespace sinew::physics
