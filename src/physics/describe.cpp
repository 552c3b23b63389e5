// SPDX-License-Identifier: Apache-2.0
#include "sinew/physics/describe.hpp"

#include <iterator>
#include <string_view>

#include "sinew/physics/batches.hpp"

#include "core/format_text.hpp"
#include "physics/shared/indexed.hpp"

namespace sinew::physics {

namespace {

// Collects lines. Fields are written through overloads of text().
class Description {
 public:
  Description(ObjectType type, std::string_view path, bool is_valid) {
    append_text(text_, "{} <{}>{}\n", to_string(type), path, is_valid ? "" : " (invalid)");
  }

  template <typename T>
  void field(std::string_view name, const T& value) {
    append_text(text_, "  {}: {}\n", name, text(value));
  }

  std::string take() { return std::move(text_); }

  static std::string text(bool value) { return value ? "true" : "false"; }
  static std::string text(float value) { return format_text("{}", value); }
  static std::string text(Axis value) { return std::string(to_string(value)); }
  static std::string text(const std::string& value) { return value.empty() ? "none" : value; }
  static std::string text(const Text& value) { return text(value.str()); }
  static std::string text(const Vector3f& v) {
    return format_text("({}, {}, {})", v.x(), v.y(), v.z());
  }
  static std::string text(const Quatf& q) {
    return format_text("({}, {}, {}, {})", q.w(), q.x(), q.y(), q.z());
  }
  static std::string text(const std::vector<Text>& list) {
    return format_text("[{}]", joined(list, ", "));
  }
  static std::string text(const JointLimit& limit) {
    return format_text("{} {} to {}", limit.enabled ? "enabled" : "not enabled", limit.lower,
                       limit.upper);
  }
  static std::string text(const JointDrive& drive) {
    return format_text("{}, position {}, velocity {}, stiffness {}, damping {}, limit {}, {}",
                       drive.enabled ? "enabled" : "not enabled", drive.target_position,
                       drive.target_velocity, drive.stiffness, drive.damping, drive.force_limit,
                       drive.acceleration ? "acceleration" : "force");
  }

 private:
  std::string text_;
};

// The fields of each geometry.
struct GeometryLines {
  Description& to;

  void operator()(const SphereShape& s) const { to.field("radius", s.radius); }
  void operator()(const CubeShape& s) const { to.field("halfExtents", s.half_extents); }
  void operator()(const CapsuleShape& s) const { straight(s); }
  void operator()(const CylinderShape& s) const { straight(s); }
  void operator()(const ConeShape& s) const { straight(s); }
  void operator()(const Capsule1Shape& s) const { tapered(s); }
  void operator()(const Cylinder1Shape& s) const { tapered(s); }
  void operator()(const PlaneShape& s) const { to.field("axis", s.axis); }
  void operator()(const CustomShape& s) const {
    to.field("customGeometryToken", s.custom_geometry_token);
  }
  void operator()(const MeshShape& s) const {
    to.field("approximation", s.approximation);
    to.field("meshScale", s.mesh_scale);
    to.field("doubleSided", s.double_sided);
    for (const SubsetMaterial& subset : s.subset_materials) {
      to.field("subset", format_text("{} material {}", subset.subset_path.view(),
                                     Description::text(subset.material_path)));
    }
  }
  void operator()(const SpherePointsShape& s) const {
    for (const SpherePoint& point : s.sphere_points) {
      to.field("spherePoint",
               format_text("{} radius {}", Description::text(point.center), point.radius));
    }
  }

  template <typename T>
  void straight(const T& shape) const {
    to.field("radius", shape.radius);
    to.field("halfHeight", shape.half_height);
    to.field("axis", shape.axis);
  }
  template <typename T>
  void tapered(const T& shape) const {
    to.field("topRadius", shape.top_radius);
    to.field("bottomRadius", shape.bottom_radius);
    to.field("halfHeight", shape.half_height);
    to.field("axis", shape.axis);
  }
};

// The fields of each kind of joint.
struct KindLines {
  Description& to;

  void operator()(const FixedJoint&) const {}
  void operator()(const RevoluteJoint& j) const { one_axis(j); }
  void operator()(const PrismaticJoint& j) const { one_axis(j); }
  void operator()(const SphericalJoint& j) const {
    to.field("axis", j.axis);
    to.field("limit", j.limit);
  }
  void operator()(const DistanceJoint& j) const {
    to.field("minEnabled", j.min_enabled);
    to.field("maxEnabled", j.max_enabled);
    to.field("limit", j.limit);
  }
  void operator()(const D6Joint& j) const {
    for (const DofLimit& limit : j.limits) {
      to.field(format_text("limit {}", to_string(limit.dof)), limit.limit);
    }
    for (const DofDrive& drive : j.drives) {
      to.field(format_text("drive {}", to_string(drive.dof)), drive.drive);
    }
  }
  void operator()(const CustomJoint& j) const { to.field("typeName", j.type_name); }

  template <typename T>
  void one_axis(const T& joint) const {
    to.field("axis", joint.axis);
    to.field("limit", joint.limit);
    to.field("drive", joint.drive);
  }
};

}  // namespace

std::string describe(const Scene& scene) {
  Description to(ObjectType::scene, scene.path, scene.is_valid);
  to.field("gravityDirection", scene.gravity_direction);
  to.field("gravityMagnitude", scene.gravity_magnitude);
  return to.take();
}

std::string describe(const RigidBodyMaterial& material) {
  Description to(ObjectType::rigid_body_material, material.path, material.is_valid);
  to.field("staticFriction", material.static_friction);
  to.field("dynamicFriction", material.dynamic_friction);
  to.field("restitution", material.restitution);
  to.field("density", material.density);
  return to.take();
}

std::string describe(const CollisionGroup& group) {
  Description to(ObjectType::collision_group, group.path, group.is_valid);
  to.field("invertFilteredGroups", group.invert_filtered_groups);
  to.field("filteredGroups", group.filtered_group_paths);
  to.field("mergeGroupName", group.merge_group_name);
  to.field("mergedGroups", group.merged_group_paths);
  return to.take();
}

std::string describe(const RigidBody& body) {
  Description to(ObjectType::rigid_body, body.path, body.is_valid);
  to.field("collisions", body.shape_paths);
  to.field("filteredCollisions", body.filtered_collision_paths);
  to.field("simulationOwners", body.simulation_owner_paths);
  to.field("position", body.pose.position);
  to.field("rotation", body.pose.rotation);
  to.field("scale", body.scale);
  to.field("rigidBodyEnabled", body.rigid_body_enabled);
  to.field("kinematicBody", body.kinematic_body);
  to.field("startsAsleep", body.starts_asleep);
  to.field("linearVelocity", body.linear_velocity);
  to.field("angularVelocity", body.angular_velocity);
  return to.take();
}

std::string describe(const Shape& shape) {
  Description to(shape.type(), shape.path, shape.is_valid);
  to.field("rigidBody", shape.body_path);
  to.field("localPos", shape.local_pose.position);
  to.field("localRot", shape.local_pose.rotation);
  to.field("localScale", shape.local_scale);
  to.field("materials", shape.material_paths);
  to.field("simulationOwners", shape.simulation_owner_paths);
  to.field("filteredCollisions", shape.filtered_collision_paths);
  to.field("collisionGroups", shape.collision_group_paths);
  to.field("collisionEnabled", shape.collision_enabled);
  std::visit(GeometryLines{to}, shape.geometry);
  return to.take();
}

std::string describe(const Joint& joint) {
  Description to(joint.type(), joint.path, joint.is_valid);
  to.field("rel0", joint.ends[0].prim_path);
  to.field("rel1", joint.ends[1].prim_path);
  to.field("body0", joint.ends[0].body_path);
  to.field("body1", joint.ends[1].body_path);
  to.field("localPose0Position", joint.ends[0].frame.position);
  to.field("localPose0Orientation", joint.ends[0].frame.rotation);
  to.field("localPose1Position", joint.ends[1].frame.position);
  to.field("localPose1Orientation", joint.ends[1].frame.rotation);
  to.field("jointEnabled", joint.joint_enabled);
  to.field("collisionEnabled", joint.collision_enabled);
  to.field("excludeFromArticulation", joint.exclude_from_articulation);
  to.field("breakForce", joint.break_force);
  to.field("breakTorque", joint.break_torque);
  std::visit(KindLines{to}, joint.kind);
  return to.take();
}

std::string describe(const Articulation& articulation) {
  Description to(ObjectType::articulation, articulation.path, articulation.is_valid);
  to.field("rootPrims", articulation.root_prim_paths);
  to.field("articulatedJoints", articulation.joint_paths);
  to.field("articulatedBodies", articulation.body_paths);
  to.field("filteredCollisions", articulation.filtered_collision_paths);
  return to.take();
}

std::string describe(const PhysicsModel& model) {
  std::string result;
  for_each_batch(model, [&](const Batch& batch) {
    const auto all = [&](const auto& list) {
      for (const std::int32_t i : batch.indices) {
        result += describe(at(list, i));
      }
    };
    switch (batch.type) {
      case ObjectType::scene:
        return all(model.scenes);
      case ObjectType::collision_group:
        return all(model.collision_groups);
      case ObjectType::rigid_body_material:
        return all(model.materials);
      case ObjectType::articulation:
        return all(model.articulations);
      case ObjectType::rigid_body:
        return all(model.rigid_bodies);
      default:
        // Joint types are one run of the enumeration.
        if (batch.type >= ObjectType::fixed_joint && batch.type <= ObjectType::custom_joint) {
          return all(model.joints);
        }
        return all(model.shapes);
    }
  });
  return result;
}

}  // namespace sinew::physics
