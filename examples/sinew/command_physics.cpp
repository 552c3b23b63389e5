// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <limits>
#include <variant>

#include "commands.hpp"
#include "sinew/physics/collision_group_table.hpp"
#include "sinew/physics/describe.hpp"
#include "sinew/physics/mass.hpp"
#include "sinew/physics/read/read_physics.hpp"
#include "sinew/physics/units.hpp"

namespace sinew::tool {

namespace {

using namespace physics;

Json strings_to_json(const std::vector<Text>& strings) {
  Json list = Json::array();
  for (const Text& text : strings) list.push_back(text.str());
  return list;
}

Json path_or_null(const Text& path) {
  return path.empty() ? Json(nullptr) : Json(path.str());
}

template <typename T>
Json object_of(const T& descriptor, std::string_view type) {
  Json object = Json::object();
  object["path"] = descriptor.path.str();
  object["type"] = std::string(type);
  object["isValid"] = descriptor.is_valid;
  return object;
}

Json scene_to_json(const Scene& scene) {
  Json object = object_of(scene, to_string(ObjectType::scene));
  object["gravityDirection"] = to_json(scene.gravity_direction);
  object["gravityMagnitude"] = to_json(scene.gravity_magnitude);
  return object;
}

Json material_to_json(const RigidBodyMaterial& material) {
  Json object = object_of(material, to_string(ObjectType::rigid_body_material));
  object["staticFriction"] = to_json(material.static_friction);
  object["dynamicFriction"] = to_json(material.dynamic_friction);
  object["restitution"] = to_json(material.restitution);
  object["density"] = to_json(material.density);
  return object;
}

Json group_to_json(const CollisionGroup& group) {
  Json object = object_of(group, to_string(ObjectType::collision_group));
  object["invertFilteredGroups"] = group.invert_filtered_groups;
  object["filteredGroups"] = strings_to_json(group.filtered_group_paths);
  object["mergeGroupName"] = group.merge_group_name.str();
  object["mergedGroups"] = strings_to_json(group.merged_group_paths);
  return object;
}

Json body_to_json(const RigidBody& body) {
  Json object = object_of(body, to_string(ObjectType::rigid_body));
  object["collisions"] = strings_to_json(body.shape_paths);
  object["filteredCollisions"] = strings_to_json(body.filtered_collision_paths);
  object["simulationOwners"] = strings_to_json(body.simulation_owner_paths);
  object["position"] = to_json(body.pose.position);
  object["rotation"] = to_json(body.pose.rotation);
  object["scale"] = to_json(body.scale);
  object["rigidBodyEnabled"] = body.rigid_body_enabled;
  object["kinematicBody"] = body.kinematic_body;
  object["startsAsleep"] = body.starts_asleep;
  object["linearVelocity"] = to_json(body.linear_velocity);
  object["angularVelocity"] = to_json(body.angular_velocity);
  return object;
}

// The fields of each geometry, added to the shape's own.
struct GeometryFields {
  Json& object;

  void spine(float half_height, Axis axis) const {
    object["halfHeight"] = to_json(half_height);
    object["axis"] = std::string(to_string(axis));
  }
  void operator()(const SphereShape& s) const { object["radius"] = to_json(s.radius); }
  void operator()(const CubeShape& s) const { object["halfExtents"] = to_json(s.half_extents); }
  void operator()(const CapsuleShape& s) const {
    object["radius"] = to_json(s.radius);
    spine(s.half_height, s.axis);
  }
  void operator()(const CylinderShape& s) const {
    object["radius"] = to_json(s.radius);
    spine(s.half_height, s.axis);
  }
  void operator()(const ConeShape& s) const {
    object["radius"] = to_json(s.radius);
    spine(s.half_height, s.axis);
  }
  void operator()(const Capsule1Shape& s) const {
    object["topRadius"] = to_json(s.top_radius);
    object["bottomRadius"] = to_json(s.bottom_radius);
    spine(s.half_height, s.axis);
  }
  void operator()(const Cylinder1Shape& s) const {
    object["topRadius"] = to_json(s.top_radius);
    object["bottomRadius"] = to_json(s.bottom_radius);
    spine(s.half_height, s.axis);
  }
  void operator()(const PlaneShape& s) const { object["axis"] = std::string(to_string(s.axis)); }
  void operator()(const MeshShape& s) const {
    object["approximation"] = s.approximation.str();
    object["meshScale"] = to_json(s.mesh_scale);
    object["doubleSided"] = s.double_sided;
    Json subsets = Json::array();
    for (const SubsetMaterial& subset : s.subset_materials) {
      subsets.push_back(
          {{"subset", subset.subset_path.str()}, {"material", subset.material_path.str()}});
    }
    object["subsetMaterials"] = std::move(subsets);
  }
  void operator()(const SpherePointsShape& s) const {
    Json points = Json::array();
    for (const SpherePoint& point : s.sphere_points) {
      points.push_back({{"center", to_json(point.center)}, {"radius", to_json(point.radius)}});
    }
    object["spherePoints"] = std::move(points);
  }
  void operator()(const CustomShape& s) const {
    object["customGeometryToken"] = s.custom_geometry_token.str();
  }
};

Json shape_to_json(const Shape& shape) {
  Json object = object_of(shape, to_string(shape.type()));
  object["rigidBody"] = path_or_null(shape.body_path);
  object["localPos"] = to_json(shape.local_pose.position);
  object["localRot"] = to_json(shape.local_pose.rotation);
  object["localScale"] = to_json(shape.local_scale);
  object["materials"] = strings_to_json(shape.material_paths);
  object["simulationOwners"] = strings_to_json(shape.simulation_owner_paths);
  object["filteredCollisions"] = strings_to_json(shape.filtered_collision_paths);
  object["collisionGroups"] = strings_to_json(shape.collision_group_paths);
  object["collisionEnabled"] = shape.collision_enabled;
  std::visit(GeometryFields{object}, shape.geometry);
  return object;
}

Json limit_to_json(const JointLimit& limit) {
  return {
      {"enabled", limit.enabled}, {"lower", to_json(limit.lower)}, {"upper", to_json(limit.upper)}};
}

Json drive_to_json(const JointDrive& drive) {
  return {{"enabled", drive.enabled},
          {"targetPosition", to_json(drive.target_position)},
          {"targetVelocity", to_json(drive.target_velocity)},
          {"forceLimit", to_json(drive.force_limit)},
          {"stiffness", to_json(drive.stiffness)},
          {"damping", to_json(drive.damping)},
          {"acceleration", drive.acceleration}};
}

struct JointFields {
  Json& object;

  void operator()(const FixedJoint&) const {}
  template <typename J>
  void axial(const J& joint) const {
    object["axis"] = std::string(to_string(joint.axis));
    object["limit"] = limit_to_json(joint.limit);
  }
  void operator()(const RevoluteJoint& joint) const {
    axial(joint);
    object["drive"] = drive_to_json(joint.drive);
  }
  void operator()(const PrismaticJoint& joint) const {
    axial(joint);
    object["drive"] = drive_to_json(joint.drive);
  }
  void operator()(const SphericalJoint& joint) const { axial(joint); }
  void operator()(const DistanceJoint& joint) const {
    object["minEnabled"] = joint.min_enabled;
    object["maxEnabled"] = joint.max_enabled;
    object["limit"] = limit_to_json(joint.limit);
  }
  void operator()(const D6Joint& joint) const {
    Json limits = Json::array();
    for (const DofLimit& limit : joint.limits) {
      limits.push_back(
          {{"dof", std::string(to_string(limit.dof))}, {"limit", limit_to_json(limit.limit)}});
    }
    Json drives = Json::array();
    for (const DofDrive& drive : joint.drives) {
      drives.push_back(
          {{"dof", std::string(to_string(drive.dof))}, {"drive", drive_to_json(drive.drive)}});
    }
    object["limits"] = std::move(limits);
    object["drives"] = std::move(drives);
  }
  void operator()(const CustomJoint& joint) const { object["typeName"] = joint.type_name.str(); }
};

Json joint_to_json(const Joint& joint) {
  Json object = object_of(joint, to_string(joint.type()));
  object["rel0"] = joint.ends[0].prim_path.str();
  object["rel1"] = joint.ends[1].prim_path.str();
  object["body0"] = joint.ends[0].body_path.str();
  object["body1"] = joint.ends[1].body_path.str();
  object["localPose0Position"] = to_json(joint.ends[0].frame.position);
  object["localPose0Orientation"] = to_json(joint.ends[0].frame.rotation);
  object["localPose1Position"] = to_json(joint.ends[1].frame.position);
  object["localPose1Orientation"] = to_json(joint.ends[1].frame.rotation);
  object["jointEnabled"] = joint.joint_enabled;
  object["collisionEnabled"] = joint.collision_enabled;
  object["breakForce"] = to_json(joint.break_force);
  object["breakTorque"] = to_json(joint.break_torque);
  object["excludeFromArticulation"] = joint.exclude_from_articulation;
  std::visit(JointFields{object}, joint.kind);
  return object;
}

Json articulation_to_json(const Articulation& articulation) {
  Json object = object_of(articulation, to_string(ObjectType::articulation));
  object["rootPrims"] = strings_to_json(articulation.root_prim_paths);
  object["filteredCollisions"] = strings_to_json(articulation.filtered_collision_paths);
  object["articulatedJoints"] = strings_to_json(articulation.joint_paths);
  object["articulatedBodies"] = strings_to_json(articulation.body_paths);
  return object;
}

Json mass_to_json(const PhysicsModel& model, const BodyMass& mass) {
  Json object = Json::object();
  object["path"] = model.body(mass.body).path.str();
  object["mass"] = to_json(mass.mass);
  object["centerOfMass"] = to_json(mass.center_of_mass);
  object["diagonalInertia"] = to_json(mass.diagonal_inertia);
  object["principalAxes"] = to_json(mass.principal_axes);
  return object;
}

template <typename T, typename F>
Json list_of(const std::vector<T>& items, F convert) {
  Json list = Json::array();
  for (const T& item : items) list.push_back(convert(item));
  return list;
}

Json model_to_json(const PhysicsModel& model, Diagnostics& diagnostics) {
  Json document = Json::object();
  document["ok"] = true;
  document["upAxis"] = std::string(to_string(model.units.up_axis));
  document["metersPerUnit"] = to_json(model.units.meters_per_unit);
  document["kilogramsPerUnit"] = to_json(model.units.kilograms_per_unit);
  document["scenes"] = list_of(model.scenes, scene_to_json);
  document["materials"] = list_of(model.materials, material_to_json);
  document["collisionGroups"] = list_of(model.collision_groups, group_to_json);
  document["rigidBodies"] = list_of(model.rigid_bodies, body_to_json);
  document["shapes"] = list_of(model.shapes, shape_to_json);
  document["joints"] = list_of(model.joints, joint_to_json);
  document["articulations"] = list_of(model.articulations, articulation_to_json);
  document["mass"] = list_of(body_masses(model, diagnostics),
                             [&](const BodyMass& mass) { return mass_to_json(model, mass); });
  const CollisionGroupTable table = CollisionGroupTable::build(model.group_prims, diagnostics);
  Json pairs = Json::array();
  for (const auto& [a, b] : table.disabled_pairs()) {
    pairs.push_back({table.group_paths()[a].str(), table.group_paths()[b].str()});
  }
  document["collisionGroupTable"] = std::move(pairs);
  return document;
}

void print_summary(const PhysicsModel& model) {
  if (model.scenes.empty() && !model.rigid_bodies.empty()) {
    const Gravity gravity = resolve_gravity(
        Vector3f::Zero(), -std::numeric_limits<float>::infinity(), model.units, model.rules);
    std::printf("no scene: gravity %g along (%g, %g, %g), that of the earth\n",
                static_cast<double>(gravity.magnitude), static_cast<double>(gravity.direction.x()),
                static_cast<double>(gravity.direction.y()),
                static_cast<double>(gravity.direction.z()));
  }
  for (const Scene& scene : model.scenes) {
    std::printf("%s: scene, gravity %g along (%g, %g, %g)\n", scene.path.c_str(),
                static_cast<double>(scene.gravity_magnitude),
                static_cast<double>(scene.gravity_direction.x()),
                static_cast<double>(scene.gravity_direction.y()),
                static_cast<double>(scene.gravity_direction.z()));
  }
  for (const RigidBody& body : model.rigid_bodies) {
    std::printf("%s: %s body, %zu shapes\n", body.path.c_str(),
                !body.rigid_body_enabled ? "disabled"
                : body.kinematic_body    ? "kinematic"
                                         : "dynamic",
                body.shape_paths.size());
  }
  for (const Shape& shape : model.shapes) {
    const std::string type(to_string(shape.type()));
    std::printf("%s: %s of %s%s\n", shape.path.c_str(), type.c_str(),
                shape.body_path.empty() ? "the world" : shape.body_path.c_str(),
                shape.is_valid ? "" : ", not usable");
  }
  for (const Joint& joint : model.joints) {
    const std::string type(to_string(joint.type()));
    const auto end = [](const Text& body) { return body.empty() ? "the world" : body.c_str(); };
    std::printf("%s: %s joint from %s to %s%s\n", joint.path.c_str(), type.c_str(),
                end(joint.ends[0].body_path), end(joint.ends[1].body_path),
                joint.is_valid ? "" : ", not valid");
  }
  for (const Articulation& articulation : model.articulations) {
    std::printf("%s: articulation of %zu bodies and %zu joints%s\n", articulation.path.c_str(),
                articulation.body_paths.size(), articulation.joint_paths.size(),
                articulation.is_valid ? "" : ", without a root");
  }
}

bool is_empty(const PhysicsModel& model) {
  return model.scenes.empty() && model.rigid_bodies.empty() && model.shapes.empty() &&
         model.joints.empty() && model.articulations.empty() && model.group_prims.empty() &&
         model.materials.empty();
}

}  // namespace

ExitStatus run_physics(const PhysicsOptions& options, Reporter& reporter) {
  Diagnostics diagnostics;
  const auto stage = open_stage(options.file, options.common, diagnostics);
  if (!stage) return reporter.open_failed(options.file, stage.error(), diagnostics);
  PhysicsModel model = read_physics(**stage, diagnostics);
  if (options.si) model = model.to_si();
  if (options.json) {
    const Json document = model_to_json(model, diagnostics);
    reporter.report(diagnostics);
    print_json(document);
  } else {
    reporter.report(diagnostics);
    if (is_empty(model)) {
      std::printf("%s has no physics\n", options.file.c_str());
    } else if (options.fields) {
      std::fputs(describe(model).c_str(), stdout);
    } else {
      print_summary(model);
    }
  }
  return ExitStatus::success;
}

}  // namespace sinew::tool
