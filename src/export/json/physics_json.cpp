// SPDX-License-Identifier: Apache-2.0
#include "sinew/export/physics_json.hpp"

#include <string_view>
#include <variant>
#include <vector>

#include "sinew/core/axis.hpp"
#include "sinew/physics/initial_state.hpp"
#include "sinew/physics/joint_frames.hpp"
#include "sinew/physics/shape_hull.hpp"

namespace sinew::exporter {

namespace {

using namespace physics;

/// Writes the objects of a model into one document.
class Writing {
 public:
  Writing(JsonSink& json, const PhysicsModel& model, PhysicsJsonForm form)
      : json_(json), model_(model), resolved_(form == PhysicsJsonForm::resolved) {}

  void model(std::span<const BodyMass> masses);

  // What each geometry adds to its shape.
  void operator()(const SphereShape& s) { json_.member("radius", s.radius); }
  void operator()(const CubeShape& s) { json_.member("halfExtents", s.half_extents); }
  void operator()(const CapsuleShape& s) { round(s); }
  void operator()(const CylinderShape& s) { round(s); }
  void operator()(const ConeShape& s) { round(s); }
  void operator()(const Capsule1Shape& s) { tapered(s); }
  void operator()(const Cylinder1Shape& s) { tapered(s); }
  void operator()(const PlaneShape& s) { json_.member("axis", to_string(s.axis)); }
  void operator()(const MeshShape& s);
  void operator()(const SpherePointsShape& s);
  void operator()(const CustomShape& s) {
    json_.member("customGeometryToken", s.custom_geometry_token.view());
  }

  // What each kind of joint adds.
  void operator()(const FixedJoint&) {}
  void operator()(const RevoluteJoint& joint) { driven(joint); }
  void operator()(const PrismaticJoint& joint) { driven(joint); }
  void operator()(const SphericalJoint& joint) { axial(joint); }
  void operator()(const DistanceJoint& joint);
  void operator()(const D6Joint& joint);
  void operator()(const CustomJoint& joint) { json_.member("typeName", joint.type_name.view()); }

 private:
  template <typename T>
  void begin(const T& descriptor, ObjectType type) {
    json_.begin_object();
    json_.member("path", descriptor.path.view());
    json_.member("type", to_string(type));
    json_.member("isValid", descriptor.is_valid);
  }
  template <typename T, typename Write>
  void list(std::string_view name, const T& items, Write write) {
    json_.key(name);
    json_.begin_array(items.size());
    for (const auto& item : items) write(item);
    json_.end_array();
  }
  template <typename Write>
  void object(Write write) {
    json_.begin_object();
    write();
    json_.end_object();
  }
  void paths(std::string_view name, const std::vector<Text>& paths) {
    list(name, paths, [&](const Text& path) { json_.text(path.view()); });
  }
  void path_or_null(std::string_view name, std::string_view path) {
    json_.key(name);
    if (path.empty()) {
      json_.null();
    } else {
      json_.text(path);
    }
  }
  template <typename P>
  void pose(const P& pose) {
    json_.member("position", pose.position);
    json_.member("rotation", pose.rotation);
  }
  void spine(float half_height, Axis axis) {
    json_.member("halfHeight", half_height);
    json_.member("axis", to_string(axis));
  }
  template <typename S>
  void round(const S& s) {
    json_.member("radius", s.radius);
    spine(s.half_height, s.axis);
  }
  template <typename S>
  void tapered(const S& s) {
    json_.member("topRadius", s.top_radius);
    json_.member("bottomRadius", s.bottom_radius);
    spine(s.half_height, s.axis);
  }
  template <typename J>
  void axial(const J& joint) {
    json_.member("axis", to_string(joint.axis));
    limit(joint.limit);
  }
  template <typename J>
  void driven(const J& joint) {
    axial(joint);
    drive(joint.drive);
  }
  void limit(const JointLimit& limit);
  void drive(const JointDrive& drive);
  void frames(std::string_view name, std::span<const Pose> frames);
  void scene(const Scene& scene);
  void material(const RigidBodyMaterial& material);
  void group(const CollisionGroup& group);
  void body(const RigidBody& body);
  void shape(const Shape& shape);
  void joint(const Joint& joint);
  void common_form(const NormalJoint& joint);
  void articulation(const Articulation& articulation);
  void site(const Site& site);
  void actuator(const Actuator& actuator);
  void law(const ActuatorLaw& law);
  void robot(const Robot& robot);
  void mass(const BodyMass& mass);

  JsonSink& json_;
  const PhysicsModel& model_;
  bool resolved_;
};

void Writing::scene(const Scene& scene) {
  begin(scene, ObjectType::scene);
  json_.member("gravityDirection", scene.gravity_direction);
  json_.member("gravityMagnitude", scene.gravity_magnitude);
  json_.end_object();
}

void Writing::material(const RigidBodyMaterial& material) {
  begin(material, ObjectType::rigid_body_material);
  json_.member("staticFriction", material.static_friction);
  json_.member("dynamicFriction", material.dynamic_friction);
  json_.member("restitution", material.restitution);
  json_.member("density", material.density);
  json_.end_object();
}

void Writing::group(const CollisionGroup& group) {
  begin(group, ObjectType::collision_group);
  json_.member("invertFilteredGroups", group.invert_filtered_groups);
  paths("filteredGroups", group.filtered_group_paths);
  json_.member("mergeGroupName", group.merge_group_name.view());
  paths("mergedGroups", group.merged_group_paths);
  json_.end_object();
}

void Writing::body(const RigidBody& body) {
  begin(body, ObjectType::rigid_body);
  paths("collisions", body.shape_paths);
  paths("filteredCollisions", body.filtered_collision_paths);
  paths("simulationOwners", body.simulation_owner_paths);
  pose(body.pose);
  json_.member("scale", body.scale);
  json_.member("rigidBodyEnabled", body.rigid_body_enabled);
  json_.member("kinematicBody", body.kinematic_body);
  json_.member("startsAsleep", body.starts_asleep);
  // Engines want them of the world; the file has them in the space of the prim.
  const auto velocity = [&](const Vector3f& v) {
    return resolved_ ? Vector3f(body.pose.rotation * v) : v;
  };
  json_.member("linearVelocity", velocity(body.linear_velocity));
  json_.member("angularVelocity", velocity(body.angular_velocity));
  json_.end_object();
}

void Writing::operator()(const MeshShape& s) {
  json_.member("approximation", s.approximation.view());
  json_.member("meshScale", s.mesh_scale);
  json_.member("doubleSided", s.double_sided);
  list("subsetMaterials", s.subset_materials, [&](const SubsetMaterial& subset) {
    object([&] {
      json_.member("subset", subset.subset_path.view());
      json_.member("material", subset.material_path.view());
    });
  });
  if (!resolved_) return;
  if (s.approximation == "boundingCube") {
    const HullBox box = bounding_box(s);
    json_.key("box");
    object([&] {
      pose(box.pose);
      json_.member("halfExtents", box.half_extents);
    });
  } else if (s.approximation == "boundingSphere") {
    json_.key("ball");
    object([&] {
      json_.member("position", bounding_box(s).pose.position);
      json_.member("radius", bounding_radius(s));
    });
  }
}

void Writing::operator()(const SpherePointsShape& s) {
  list("spherePoints", s.sphere_points, [&](const SpherePoint& point) {
    object([&] {
      json_.member("center", resolved_ ? point.scaled_center : point.center);
      json_.member("radius", point.radius);
    });
  });
}

void Writing::shape(const Shape& shape) {
  begin(shape, shape.type());
  path_or_null("rigidBody", shape.body_path);
  if (resolved_) {
    json_.member("body", shape.body);
    json_.member("boundMaterial", shape.bound_material);
  }
  json_.member("localPos", shape.local_pose.position);
  json_.member("localRot", shape.local_pose.rotation);
  json_.member("localScale", shape.local_scale);
  paths("materials", shape.material_paths);
  paths("simulationOwners", shape.simulation_owner_paths);
  paths("filteredCollisions", shape.filtered_collision_paths);
  paths("collisionGroups", shape.collision_group_paths);
  json_.member("collisionEnabled", shape.collision_enabled);
  std::visit(*this, shape.geometry);
  json_.end_object();
}

void Writing::limit(const JointLimit& limit) {
  json_.key("limit");
  json_.begin_object();
  json_.member("enabled", limit.enabled);
  json_.member("lower", limit.lower);
  json_.member("upper", limit.upper);
  json_.end_object();
}

void Writing::drive(const JointDrive& drive) {
  json_.key("drive");
  json_.begin_object();
  json_.member("enabled", drive.enabled);
  json_.member("targetPosition", drive.target_position);
  json_.member("targetVelocity", drive.target_velocity);
  json_.member("forceLimit", drive.force_limit);
  json_.member("stiffness", drive.stiffness);
  json_.member("damping", drive.damping);
  json_.member("acceleration", drive.acceleration);
  json_.end_object();
}

void Writing::operator()(const DistanceJoint& joint) {
  json_.member("minEnabled", joint.min_enabled);
  json_.member("maxEnabled", joint.max_enabled);
  limit(joint.limit);
}

void Writing::operator()(const D6Joint& joint) {
  list("limits", joint.limits, [&](const DofLimit& item) {
    object([&] {
      json_.member("dof", to_string(item.dof));
      limit(item.limit);
    });
  });
  list("drives", joint.drives, [&](const DofDrive& item) {
    object([&] {
      json_.member("dof", to_string(item.dof));
      drive(item.drive);
    });
  });
}

void Writing::frames(std::string_view name, std::span<const Pose> frames) {
  list(name, frames, [&](const Pose& frame) { object([&] { pose(frame); }); });
}

/// The joint in the form that all kinds have.
void Writing::common_form(const NormalJoint& joint) {
  json_.begin_object();
  json_.list_member("bodies", std::span(joint.bodies));
  frames("frames", joint.frames);
  json_.member("cone", joint.cone);
  json_.member("enabled", joint.enabled);
  json_.key("dofs");
  json_.begin_object();
  for (int i = 0; i < kJointDofCount; ++i) {
    const auto dof = static_cast<JointDof>(i);
    const DofRule& rule = joint.dof(dof);
    json_.key(to_string(dof));
    json_.begin_object();
    json_.member("state", rule.state == DofState::free      ? "free"
                          : rule.state == DofState::limited ? "limited"
                                                            : "locked");
    json_.member("lower", rule.lower);
    json_.member("upper", rule.upper);
    if (rule.drive.enabled) drive(rule.drive);
    json_.end_object();
  }
  json_.end_object();
  json_.end_object();
}

void Writing::joint(const Joint& joint) {
  begin(joint, joint.type());
  const auto& [end0, end1] = joint.ends;
  json_.member("rel0", end0.prim_path.view());
  json_.member("rel1", end1.prim_path.view());
  json_.member("body0", end0.body_path.view());
  json_.member("body1", end1.body_path.view());
  json_.member("localPose0Position", end0.frame.position);
  json_.member("localPose0Orientation", end0.frame.rotation);
  json_.member("localPose1Position", end1.frame.position);
  json_.member("localPose1Orientation", end1.frame.rotation);
  json_.member("jointEnabled", joint.joint_enabled);
  json_.member("collisionEnabled", joint.collision_enabled);
  json_.member("breakForce", joint.break_force);
  json_.member("breakTorque", joint.break_torque);
  json_.member("excludeFromArticulation", joint.exclude_from_articulation);
  std::visit(*this, joint.kind);
  if (resolved_) {
    json_.key("form");
    common_form(normal_form(model_, joint));
    frames("worldFrames", world_frames(model_, joint).frames);
  }
  json_.end_object();
}

void Writing::articulation(const Articulation& articulation) {
  begin(articulation, ObjectType::articulation);
  paths("rootPrims", articulation.root_prim_paths);
  paths("filteredCollisions", articulation.filtered_collision_paths);
  paths("articulatedJoints", articulation.joint_paths);
  paths("articulatedBodies", articulation.body_paths);
  json_.end_object();
}

void Writing::site(const Site& site) {
  json_.begin_object();
  json_.member("path", site.path.view());
  json_.member("type", to_string(type_of(site.geometry)));
  const bool moves = model_.has_body(site.body);
  path_or_null("rigidBody", moves ? model_.body(site.body).path.view() : std::string_view());
  if (resolved_) json_.member("body", site.body);
  json_.member("localPos", site.local_pose.position);
  json_.member("localRot", site.local_pose.rotation);
  json_.member("group", site.group);
  std::visit(*this, site.geometry);
  json_.end_object();
}

void Writing::law(const ActuatorLaw& law) {
  json_.begin_object();
  json_.member("gainType", law.gain_type.view());
  json_.list_member("gain", law.gain);
  json_.member("biasType", law.bias_type.view());
  json_.list_member("bias", law.bias);
  json_.member("dynamicsType", law.dynamics_type.view());
  json_.list_member("dynamics", law.dynamics);
  json_.end_object();
}

void Writing::actuator(const Actuator& actuator) {
  json_.begin_object();
  json_.member("path", actuator.path.view());
  const bool drives = model_.has_joint(actuator.joint);
  path_or_null("joint", drives ? model_.joint(actuator.joint).path.view() : std::string_view());
  json_.member("gear", actuator.gear);
  json_.member("gain", actuator.gain);
  json_.list_member("bias", actuator.bias);
  if (actuator.control_range) json_.list_member("controlRange", *actuator.control_range);
  if (actuator.force_range) json_.list_member("forceRange", *actuator.force_range);
  if (actuator.control) json_.member("control", *actuator.control);
  if (!actuator.law && !actuator.has_constant_gain()) {
    json_.list_member("gainSlopes", actuator.gain_slopes);
  }
  if (actuator.law) {
    json_.key("law");
    law(*actuator.law);
  }
  if (actuator.length_range) json_.list_member("lengthRange", *actuator.length_range);
  if (actuator.has_activation()) {
    if (!actuator.law) {
      json_.member("dynamics", to_string(actuator.dynamics));
      json_.member("timeConstant", actuator.time_constant);
    }
    if (actuator.activation) json_.member("activation", *actuator.activation);
    if (actuator.activation_range) {
      json_.list_member("activationRange", *actuator.activation_range);
    }
    json_.member("actsEarly", actuator.acts_early);
  }
  json_.end_object();
}

void Writing::robot(const Robot& robot) {
  json_.begin_object();
  json_.member("path", robot.path.view());
  paths("links", robot.link_paths);
  paths("joints", robot.joint_paths);
  json_.end_object();
}

void Writing::mass(const BodyMass& mass) {
  json_.begin_object();
  json_.member("path", model_.body(mass.body).path.view());
  json_.member("mass", mass.mass);
  json_.member("centerOfMass", mass.center_of_mass);
  json_.member("diagonalInertia", mass.diagonal_inertia);
  json_.member("principalAxes", mass.principal_axes);
  json_.end_object();
}

void Writing::model(std::span<const BodyMass> masses) {
  const StageUnits& units = model_.units;
  const bool as_authored = model_.rules == Rules::openusd && !units.up_axis_token.empty();
  json_.member("upAxis", as_authored ? units.up_axis_token : to_string(units.up_axis));
  json_.member("metersPerUnit", model_.units.meters_per_unit);
  json_.member("kilogramsPerUnit", model_.units.kilograms_per_unit);
  if (resolved_) {
    json_.member("radians", model_.units.radians);
    const Gravity gravity = model_gravity(model_);
    json_.member("gravity", Vector3f(gravity.direction * gravity.magnitude));
  }
  list("scenes", model_.scenes, [&](const Scene& item) { scene(item); });
  list("materials", model_.materials, [&](const RigidBodyMaterial& item) { material(item); });
  list("collisionGroups", model_.collision_groups,
       [&](const CollisionGroup& item) { group(item); });
  list("rigidBodies", model_.rigid_bodies, [&](const RigidBody& item) { body(item); });
  list("shapes", model_.shapes, [&](const Shape& item) { shape(item); });
  list("joints", model_.joints, [&](const Joint& item) { joint(item); });
  list("articulations", model_.articulations,
       [&](const Articulation& item) { articulation(item); });
  list("sites", model_.sites, [&](const Site& item) { site(item); });
  list("actuators", model_.actuators, [&](const Actuator& item) { actuator(item); });
  list("robots", model_.robots, [&](const Robot& item) { robot(item); });
  list("mass", masses, [&](const BodyMass& item) { mass(item); });
}

}  // namespace

void write_physics_json(JsonSink& json, const PhysicsModel& model, std::span<const BodyMass> masses,
                        PhysicsJsonForm form) {
  Writing(json, model, form).model(masses);
}

}  // namespace sinew::exporter
