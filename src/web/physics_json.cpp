// SPDX-License-Identifier: Apache-2.0
#include "web/physics_json.hpp"

#include <algorithm>
#include <string>
#include <variant>

#include "sinew/core/axis.hpp"
#include "sinew/physics/initial_state.hpp"
#include "sinew/physics/joint_frames.hpp"
#include "sinew/physics/shape_hull.hpp"

namespace sinew::web {

namespace {

using namespace physics;

void write_paths(JsonWriter& json, std::string_view name, const std::vector<Text>& paths) {
  json.key(name);
  json.begin_array();
  for (const Text& path : paths) json.value(path.view());
  json.end_array();
}

void path_or_null(JsonWriter& json, std::string_view name, const Text& path) {
  json.key(name);
  if (path.empty()) {
    json.null();
  } else {
    json.value(path.view());
  }
}

template <typename T>
void begin(JsonWriter& json, const T& descriptor, ObjectType type) {
  json.begin_object();
  json.member("path", descriptor.path.view());
  json.member("type", to_string(type));
  json.member("isValid", descriptor.is_valid);
}

void write_pose(JsonWriter& json, const Pose& pose) {
  json.member("position", pose.position);
  json.member("rotation", pose.rotation);
}

template <typename T, typename F>
void write_list(JsonWriter& json, std::string_view name, const std::vector<T>& items, F write) {
  json.key(name);
  json.begin_array();
  for (const T& item : items) write(item);
  json.end_array();
}

void write_mass(JsonWriter& json, const PhysicsModel& model, const BodyMass& mass) {
  json.member("path", model.body(mass.body).path.view());
  json.member("mass", mass.mass);
  json.member("centerOfMass", mass.center_of_mass);
  json.member("diagonalInertia", mass.diagonal_inertia);
  json.member("principalAxes", mass.principal_axes);
}

// What each geometry adds to its shape.
struct GeometryMembers {
  JsonWriter& json;

  void spine(float half_height, Axis axis) const {
    json.member("halfHeight", half_height);
    json.member("axis", to_string(axis));
  }
  void operator()(const SphereShape& s) const { json.member("radius", s.radius); }
  void operator()(const CubeShape& s) const { json.member("halfExtents", s.half_extents); }
  void operator()(const CapsuleShape& s) const {
    json.member("radius", s.radius);
    spine(s.half_height, s.axis);
  }
  void operator()(const CylinderShape& s) const {
    json.member("radius", s.radius);
    spine(s.half_height, s.axis);
  }
  void operator()(const ConeShape& s) const {
    json.member("radius", s.radius);
    spine(s.half_height, s.axis);
  }
  void operator()(const Capsule1Shape& s) const {
    json.member("topRadius", s.top_radius);
    json.member("bottomRadius", s.bottom_radius);
    spine(s.half_height, s.axis);
  }
  void operator()(const Cylinder1Shape& s) const {
    json.member("topRadius", s.top_radius);
    json.member("bottomRadius", s.bottom_radius);
    spine(s.half_height, s.axis);
  }
  void operator()(const PlaneShape& s) const { json.member("axis", to_string(s.axis)); }
  void operator()(const MeshShape& s) const {
    json.member("approximation", s.approximation.view());
    json.member("meshScale", s.mesh_scale);
    json.member("doubleSided", s.double_sided);
    if (s.approximation == "boundingCube") {
      const HullBox box = bounding_box(s);
      json.key("box");
      json.begin_object();
      json.member("position", box.pose.position);
      json.member("rotation", box.pose.rotation);
      json.member("halfExtents", box.half_extents);
      json.end_object();
    } else if (s.approximation == "boundingSphere") {
      json.key("ball");
      json.begin_object();
      json.member("position", bounding_box(s).pose.position);
      json.member("radius", bounding_radius(s));
      json.end_object();
    }
  }
  void operator()(const SpherePointsShape& s) const {
    json.key("spherePoints");
    json.begin_array();
    for (const SpherePoint& point : s.sphere_points) {
      json.begin_object();
      json.member("center", point.scaled_center);
      json.member("radius", point.radius);
      json.end_object();
    }
    json.end_array();
  }
  void operator()(const CustomShape& s) const {
    json.member("customGeometryToken", s.custom_geometry_token.view());
  }
};

void write_shape(JsonWriter& json, const Shape& shape) {
  begin(json, shape, shape.type());
  path_or_null(json, "rigidBody", shape.body_path);
  json.member("body", shape.body);
  json.member("localPos", shape.local_pose.position);
  json.member("localRot", shape.local_pose.rotation);
  json.member("localScale", shape.local_scale);
  json.member("boundMaterial", shape.bound_material);
  write_paths(json, "materials", shape.material_paths);
  write_paths(json, "filteredCollisions", shape.filtered_collision_paths);
  write_paths(json, "collisionGroups", shape.collision_group_paths);
  json.member("collisionEnabled", shape.collision_enabled);
  std::visit(GeometryMembers{json}, shape.geometry);
  json.end_object();
}

void write_limit(JsonWriter& json, const JointLimit& limit) {
  json.begin_object();
  json.member("enabled", limit.enabled);
  json.member("lower", limit.lower);
  json.member("upper", limit.upper);
  json.end_object();
}

void write_drive(JsonWriter& json, const JointDrive& drive) {
  json.begin_object();
  json.member("enabled", drive.enabled);
  json.member("targetPosition", drive.target_position);
  json.member("targetVelocity", drive.target_velocity);
  json.member("forceLimit", drive.force_limit);
  json.member("stiffness", drive.stiffness);
  json.member("damping", drive.damping);
  json.member("acceleration", drive.acceleration);
  json.end_object();
}

// What each type of joint adds.
struct KindMembers {
  JsonWriter& json;

  template <typename J>
  void axial(const J& joint) const {
    json.member("axis", to_string(joint.axis));
    json.key("limit");
    write_limit(json, joint.limit);
  }
  template <typename J>
  void driven(const J& joint) const {
    axial(joint);
    json.key("drive");
    write_drive(json, joint.drive);
  }
  void operator()(const FixedJoint&) const {}
  void operator()(const RevoluteJoint& joint) const { driven(joint); }
  void operator()(const PrismaticJoint& joint) const { driven(joint); }
  void operator()(const SphericalJoint& joint) const { axial(joint); }
  void operator()(const DistanceJoint& joint) const {
    json.member("minEnabled", joint.min_enabled);
    json.member("maxEnabled", joint.max_enabled);
    json.key("limit");
    write_limit(json, joint.limit);
  }
  void operator()(const D6Joint&) const {}  // All of it is in the common form.
  void operator()(const CustomJoint& joint) const {
    json.member("typeName", joint.type_name.view());
  }
};

/// The joint in the form that all types have.
void write_common_form(JsonWriter& json, const NormalJoint& joint) {
  json.begin_object();
  json.key("bodies");
  json.begin_array();
  json.value(joint.bodies[0]);
  json.value(joint.bodies[1]);
  json.end_array();
  json.key("frames");
  json.begin_array();
  for (const Pose& frame : joint.frames) {
    json.begin_object();
    write_pose(json, frame);
    json.end_object();
  }
  json.end_array();
  json.member("cone", joint.cone);
  json.member("enabled", joint.enabled);
  json.key("dofs");
  json.begin_object();
  for (int i = 0; i < kJointDofCount; ++i) {
    const auto dof = static_cast<JointDof>(i);
    const DofRule& rule = joint.dof(dof);
    json.key(to_string(dof));
    json.begin_object();
    json.member("state", rule.state == DofState::free      ? "free"
                         : rule.state == DofState::limited ? "limited"
                                                           : "locked");
    json.member("lower", rule.lower);
    json.member("upper", rule.upper);
    if (rule.drive.enabled) {
      json.key("drive");
      write_drive(json, rule.drive);
    }
    json.end_object();
  }
  json.end_object();
  json.end_object();
}

void write_joint(JsonWriter& json, const PhysicsModel& model, const Joint& joint) {
  begin(json, joint, joint.type());
  json.member("body0", joint.ends[0].body_path.view());
  json.member("body1", joint.ends[1].body_path.view());
  json.member("jointEnabled", joint.joint_enabled);
  json.member("collisionEnabled", joint.collision_enabled);
  json.member("breakForce", joint.break_force);
  json.member("breakTorque", joint.break_torque);
  json.member("excludeFromArticulation", joint.exclude_from_articulation);
  std::visit(KindMembers{json}, joint.kind);
  json.key("form");
  write_common_form(json, normal_form(model, joint));
  const JointWorldFrames world = world_frames(model, joint);
  json.key("worldFrames");
  json.begin_array();
  for (const Pose& frame : world.frames) {
    json.begin_object();
    write_pose(json, frame);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

void write_body(JsonWriter& json, const RigidBody& body) {
  begin(json, body, ObjectType::rigid_body);
  write_paths(json, "collisions", body.shape_paths);
  write_paths(json, "filteredCollisions", body.filtered_collision_paths);
  write_paths(json, "simulationOwners", body.simulation_owner_paths);
  write_pose(json, body.pose);
  json.member("scale", body.scale);
  json.member("rigidBodyEnabled", body.rigid_body_enabled);
  json.member("kinematicBody", body.kinematic_body);
  json.member("startsAsleep", body.starts_asleep);
  // Of the world, which is what engines want; the file has them in the space of the prim.
  json.member("linearVelocity", Vector3f(body.pose.rotation * body.linear_velocity));
  json.member("angularVelocity", Vector3f(body.pose.rotation * body.angular_velocity));
  json.end_object();
}

}  // namespace

void write_physics(JsonWriter& json, const PhysicsModel& model, std::span<const BodyMass> masses) {
  json.begin_object();
  json.member("upAxis", to_string(model.units.up_axis));
  json.member("metersPerUnit", model.units.meters_per_unit);
  json.member("kilogramsPerUnit", model.units.kilograms_per_unit);
  json.member("radians", model.units.radians);
  const Gravity gravity = model_gravity(model);
  json.key("gravity");
  json.value(Vector3f(gravity.direction * gravity.magnitude));
  write_list(json, "scenes", model.scenes, [&](const Scene& scene) {
    begin(json, scene, ObjectType::scene);
    json.member("gravityDirection", scene.gravity_direction);
    json.member("gravityMagnitude", scene.gravity_magnitude);
    json.end_object();
  });
  write_list(json, "materials", model.materials, [&](const RigidBodyMaterial& material) {
    begin(json, material, ObjectType::rigid_body_material);
    json.member("staticFriction", material.static_friction);
    json.member("dynamicFriction", material.dynamic_friction);
    json.member("restitution", material.restitution);
    json.member("density", material.density);
    json.end_object();
  });
  write_list(json, "collisionGroups", model.collision_groups, [&](const CollisionGroup& group) {
    begin(json, group, ObjectType::collision_group);
    json.member("invertFilteredGroups", group.invert_filtered_groups);
    write_paths(json, "filteredGroups", group.filtered_group_paths);
    json.member("mergeGroupName", group.merge_group_name.view());
    write_paths(json, "mergedGroups", group.merged_group_paths);
    json.end_object();
  });
  write_list(json, "rigidBodies", model.rigid_bodies,
             [&](const RigidBody& body) { write_body(json, body); });
  write_list(json, "shapes", model.shapes, [&](const Shape& shape) { write_shape(json, shape); });
  write_list(json, "joints", model.joints,
             [&](const Joint& joint) { write_joint(json, model, joint); });
  write_list(json, "articulations", model.articulations, [&](const Articulation& articulation) {
    begin(json, articulation, ObjectType::articulation);
    write_paths(json, "rootPrims", articulation.root_prim_paths);
    write_paths(json, "articulatedJoints", articulation.joint_paths);
    write_paths(json, "articulatedBodies", articulation.body_paths);
    json.end_object();
  });
  json.key("mass");
  json.begin_array();
  for (const BodyMass& mass : masses) {
    json.begin_object();
    write_mass(json, model, mass);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

void write_collision(JsonWriter& json, const PhysicsModel& model, const PairFilter& filter,
                     std::span<const std::int32_t> first, std::span<const std::int32_t> second) {
  bool collides = false;
  std::vector<std::string> reasons;
  for (const std::int32_t a : first) {
    for (const std::int32_t b : second) {
      const PairDecision decision = filter.decide(a, b);
      collides = collides || decision.collides;
      std::string reason(to_string(decision.reason));
      if (decision.reason == PairReason::filtered_pair && decision.rule >= 0) {
        const FilteredPair& pair = filter.filtered_pairs()[static_cast<std::size_t>(decision.rule)];
        reason += ": " + pair.owner_path.str() + " filters " + pair.target_path.str();
      } else if (decision.reason == PairReason::jointed && decision.rule >= 0) {
        reason += ": " + model.joint(decision.rule).path.str();
      } else if (decision.reason == PairReason::collision_disabled) {
        const Shape& off = model.shape(a).collision_enabled ? model.shape(b) : model.shape(a);
        reason += ": " + off.path.str();
      }
      if (std::find(reasons.begin(), reasons.end(), reason) == reasons.end()) {
        reasons.push_back(std::move(reason));
      }
    }
  }
  json.begin_object();
  json.member("collides", collides);
  json.list_member("reasons", reasons);
  json.end_object();
}

}  // namespace sinew::web
