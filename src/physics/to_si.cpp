// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>
#include <optional>
#include <variant>

#include "core/angles.hpp"
#include "core/usable_unit.hpp"
#include "sinew/physics/model.hpp"
#include "sinew/physics/units.hpp"

namespace sinew::physics {
namespace {

// What one stage unit is worth in SI.
struct UnitFactors {
  double length;
  double mass;
  double angle;

  double force() const { return mass * length; }
  double inertia() const { return mass * length * length; }
};

// Infinite and unlimited values are markers, not quantities, and pass unchanged.
void scale(float& value, double factor) {
  if (std::abs(value) < kUnlimited) value = static_cast<float>(static_cast<double>(value) * factor);
}

void scale(Vector3f& value, double factor) {
  for (int i = 0; i < 3; ++i) scale(value[i], factor);
}

void scale(JointLimit& limit, double factor) {
  scale(limit.lower, factor);
  scale(limit.upper, factor);
}

// An acceleration drive works without masses, so its coefficients lack them. A rotational drive
// takes angles and gives torques, whose own unit holds no angle.
void scale(JointDrive& drive, const UnitFactors& si, bool rotational) {
  const double coordinate = rotational ? si.angle : si.length;
  const double mass = drive.acceleration ? 1.0 : si.mass;
  const double arm = rotational && !drive.acceleration ? si.length * si.length : 1.0;
  const double coefficient = mass * arm / (rotational ? si.angle : 1.0);
  scale(drive.target_position, coordinate);
  scale(drive.target_velocity, coordinate);
  scale(drive.force_limit, rotational ? si.inertia() : si.force());
  scale(drive.stiffness, coefficient);
  scale(drive.damping, coefficient);
}

bool is_rotation(JointDof dof) {
  return dof >= JointDof::rot_x;
}

struct ScaleShape {
  const UnitFactors& si;

  void operator()(SphereShape& s) const { scale(s.radius, si.length); }
  void operator()(CubeShape& s) const { scale(s.half_extents, si.length); }
  template <typename Round>
  void round(Round& s) const {
    scale(s.radius, si.length);
    scale(s.half_height, si.length);
  }
  template <typename Tapered>
  void tapered(Tapered& s) const {
    scale(s.top_radius, si.length);
    scale(s.bottom_radius, si.length);
    scale(s.half_height, si.length);
  }
  void operator()(CapsuleShape& s) const { round(s); }
  void operator()(CylinderShape& s) const { round(s); }
  void operator()(ConeShape& s) const { round(s); }
  void operator()(Capsule1Shape& s) const { tapered(s); }
  void operator()(Cylinder1Shape& s) const { tapered(s); }
  void operator()(PlaneShape&) const {}
  void operator()(MeshShape& s) const { scale(s.mesh_scale, si.length); }
  void operator()(SpherePointsShape& s) const {
    for (SpherePoint& point : s.sphere_points) {
      scale(point.center, si.length);
      scale(point.scaled_center, si.length);
      scale(point.radius, si.length);
    }
  }
  void operator()(CustomShape&) const {}
};

struct ScaleJoint {
  const UnitFactors& si;

  void operator()(FixedJoint&) const {}
  void operator()(RevoluteJoint& j) const {
    scale(j.limit, si.angle);
    scale(j.drive, si, true);
  }
  void operator()(PrismaticJoint& j) const {
    scale(j.limit, si.length);
    scale(j.drive, si, false);
  }
  void operator()(SphericalJoint& j) const { scale(j.limit, si.angle); }
  void operator()(DistanceJoint& j) const { scale(j.limit, si.length); }
  void operator()(D6Joint& j) const {
    for (DofLimit& limit : j.limits) {
      scale(limit.limit, is_rotation(limit.dof) ? si.angle : si.length);
    }
    for (DofDrive& drive : j.drives) scale(drive.drive, si, is_rotation(drive.dof));
  }
  void operator()(CustomJoint&) const {}
};

void scale(Shape& shape, const UnitFactors& si) {
  scale(shape.local_pose.position, si.length);
  scale(shape.bound_material_density, si.mass / (si.length * si.length * si.length));
  std::visit(ScaleShape{si}, shape.geometry);
}

void scale(Site& site, const UnitFactors& si) {
  scale(site.local_pose.position, si.length);
  std::visit(ScaleShape{si}, site.geometry);
}

void scale(Joint& joint, const UnitFactors& si) {
  for (JointEnd& end : joint.ends) {
    scale(end.frame.position, si.length);
    scale(end.body_world.position, si.length);
  }
  scale(joint.break_force, si.force());
  scale(joint.break_torque, si.inertia());
  std::visit(ScaleJoint{si}, joint.kind);
}

void scale(MassNode& node, const UnitFactors& si) {
  scale(node.local_pose.position, si.length);
  AuthoredMass& authored = node.authored;
  if (authored.mass) scale(*authored.mass, si.mass);
  if (authored.density) {
    scale(*authored.density, si.mass / (si.length * si.length * si.length));
  }
  if (authored.center_of_mass) scale(*authored.center_of_mass, si.length);
  if (authored.diagonal_inertia) scale(*authored.diagonal_inertia, si.inertia());
}

void scale(std::optional<float>& value, double factor) {
  if (value) scale(*value, factor);
}

// The only freedom of a joint is a turn unless the joint is prismatic.
bool is_rotation(const Joint& joint, JointDof dof) {
  return dof == JointDof::distance ? !std::holds_alternative<PrismaticJoint>(joint.kind)
                                   : is_rotation(dof);
}

void scale(DofExtras& extras, const UnitFactors& si, bool rotational) {
  const double coordinate = rotational ? si.angle : si.length;
  const double effort = rotational ? si.inertia() : si.force();
  const double gain = rotational ? si.inertia() / si.angle : si.mass;
  scale(extras.start, coordinate);
  scale(extras.start_velocity, coordinate);
  scale(extras.velocity_limit, coordinate);
  scale(extras.acceleration_limit, coordinate);
  scale(extras.jerk_limit, coordinate);
  scale(extras.spring_rest, coordinate);
  scale(extras.armature, rotational ? si.inertia() : si.mass);
  scale(extras.friction, effort);
  for (std::optional<float>* value :
       {&extras.damping, &extras.stiffness, &extras.limit_stiffness, &extras.limit_damping}) {
    scale(*value, gain);
  }
}

void scale_extras(PhysicsModel& model, const UnitFactors& si) {
  for (std::size_t i = 0; i < model.joint_extras.size() && i < model.joints.size(); ++i) {
    for (DofExtras& dof : model.joint_extras[i].dofs) {
      scale(dof, si, is_rotation(model.joints[i], dof.dof));
    }
  }
  for (BodyExtras& extras : model.body_extras) {
    if (!extras.inertia) continue;
    for (float& value : *extras.inertia) scale(value, si.inertia());
  }
  for (ShapeExtras& extras : model.shape_extras) {
    for (std::optional<float>* value :
         {&extras.margin, &extras.gap, &extras.torsional_friction, &extras.rolling_friction}) {
      scale(*value, si.length);
    }
  }
  for (MaterialExtras& extras : model.material_extras) {
    scale(extras.torsional_friction, si.length);
    scale(extras.rolling_friction, si.length);
  }
  for (Mimic& mimic : model.mimics) {
    if (!model.has_joint(mimic.follower)) continue;
    const bool turns = is_rotation(model.joint(mimic.follower), mimic.follower_dof);
    scale(mimic.offset, turns ? si.angle : si.length);
  }
}

}  // namespace

PhysicsModel PhysicsModel::to_si() const {
  PhysicsModel model = *this;
  const bool has_length = is_usable_unit(units.meters_per_unit);
  const bool has_mass = is_usable_unit(units.kilograms_per_unit);
  const UnitFactors si{has_length ? units.meters_per_unit : StageUnits{}.meters_per_unit,
                       has_mass ? units.kilograms_per_unit : StageUnits{}.kilograms_per_unit,
                       units.radians ? 1.0 : kRadiansPerDegree};
  model.units.meters_per_unit = 1.0;
  model.units.kilograms_per_unit = 1.0;
  model.units.radians = true;
  model.units.inertia_threshold *= si.inertia();
  model.units.assumed_mass *= si.mass;

  for (Scene& scene : model.scenes) {
    scale(scene.gravity_magnitude, si.length);
    // The fallback was worked out in a unit that is none.
    const bool is_pull = scene.gravity_magnitude >= 0.0F && std::isfinite(scene.gravity_magnitude);
    if (!has_length && !is_pull) {
      scene.gravity_magnitude =
          resolve_gravity(scene.gravity_direction, -std::numeric_limits<float>::infinity(),
                          model.units, model.rules)
              .magnitude;
    }
  }
  for (RigidBodyMaterial& material : model.materials) {
    scale(material.density, si.mass / (si.length * si.length * si.length));
  }
  for (RigidBody& body : model.rigid_bodies) {
    scale(body.pose.position, si.length);
    scale(body.linear_velocity, si.length);
    scale(body.angular_velocity, si.angle);
  }
  for (Shape& shape : model.shapes) scale(shape, si);
  for (Shape& shape : model.unreported_shapes) scale(shape, si);
  for (Site& site : model.sites) scale(site, si);
  for (Joint& joint : model.joints) scale(joint, si);
  for (MassNode& node : model.mass_nodes) scale(node, si);
  scale_extras(model, si);
  return model;
}

}  // namespace sinew::physics
