// SPDX-License-Identifier: CC0-1.0
// The physics of a stage as a world of Jolt, all of it: copy what you need. See simulate_jolt.cpp.
#pragma once

#include <Jolt/Jolt.h>

#include <Jolt/Physics/Body/BodyCreationSettings.h>
#include <Jolt/Physics/Collision/BroadPhase/BroadPhaseLayerInterfaceTable.h>
#include <Jolt/Physics/Collision/Shape/ConvexHullShape.h>
#include <Jolt/Physics/Collision/Shape/EmptyShape.h>
#include <Jolt/Physics/Collision/Shape/MeshShape.h>
#include <Jolt/Physics/Collision/Shape/OffsetCenterOfMassShape.h>
#include <Jolt/Physics/Collision/Shape/PlaneShape.h>
#include <Jolt/Physics/Collision/Shape/SphereShape.h>
#include <Jolt/Physics/Collision/Shape/StaticCompoundShape.h>
#include <Jolt/Physics/Collision/SimShapeFilter.h>
#include <Jolt/Physics/Constraints/DistanceConstraint.h>
#include <Jolt/Physics/Constraints/SixDOFConstraint.h>
#include <Jolt/Physics/PhysicsSystem.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "sinew/physics/initial_state.hpp"
#include "sinew/physics/mass_frame.hpp"
#include "sinew/physics/pair_filter.hpp"
#include "sinew/physics/shape_hull.hpp"

using namespace sinew::physics;

// Body 0 is all that stands still; body i + 1 of Jolt is body i of the model, which is in SI units.
struct JoltWorld : JPH::SimShapeFilter {
  JPH::BroadPhaseLayerInterfaceTable layers{1, 1};
  JPH::ObjectVsBroadPhaseLayerFilter broad;  // Each with each.
  JPH::ObjectLayerPairFilter pairs;
  JPH::PhysicsSystem jolt;
  std::vector<JPH::Body*> bodies;
  PairFilter filter;

  JoltWorld(const PhysicsModel& model, sinew::Diagnostics& diagnostics)
      : filter(PairFilter::build(model, diagnostics)) {
    layers.MapObjectToBroadPhaseLayer(0, JPH::BroadPhaseLayer(0));
    const auto most = JPH::uint(model.rigid_bodies.size() + 1);
    jolt.Init(most, 0, 65536, 65536, layers, broad, pairs);
    jolt.SetSimShapeFilter(this);
    add_body(model, kNone, {}, {});
    for (const BodyMass& mass : body_masses(model, diagnostics))
      add_body(model, mass.body, model.body(mass.body), mass_frame(mass));
    for (const Joint& joint : model.joints) add_joint(normal_form(model, joint));
    const auto [direction, magnitude] = model_gravity(model);
    jolt.SetGravity(vector(magnitude * direction));
  }

  // Collider by collider. What holds several of them is none itself.
  bool ShouldCollide(const JPH::Body&, const JPH::Shape* a, const JPH::SubShapeID&,
                     const JPH::Body&, const JPH::Shape* b, const JPH::SubShapeID&) const override {
    const auto index = [](const JPH::Shape* shape) { return int(shape->GetUserData()) - 1; };
    return index(a) < 0 || index(b) < 0 || filter.collides(index(a), index(b));
  }

  static JPH::Vec3 vector(const sinew::Vector3f& v) { return {v.x(), v.y(), v.z()}; }
  static JPH::Quat turn(const sinew::Quatf& q) {
    return JPH::Quat(q.x(), q.y(), q.z(), q.w()).Normalized();
  }

  static JPH::Ref<JPH::ShapeSettings> make_shape(const Shape& shape) {
    if (const auto* s = std::get_if<SphereShape>(&shape.geometry))
      return new JPH::SphereShapeSettings(s->radius);
    if (const auto* s = std::get_if<PlaneShape>(&shape.geometry))
      return new JPH::PlaneShapeSettings(
          JPH::Plane(vector(sinew::Vector3f::Unit(int(s->axis))), 0));
    const auto* mesh = std::get_if<MeshShape>(&shape.geometry);
    if (mesh != nullptr && shape.body == kNone && mesh->approximation == "none") {
      const HullMesh source = triangles_of(shape);  // What does not move may be hollow.
      JPH::TriangleList triangles;
      const auto at = [&](int i) { return vector(source.points[std::size_t(i)].cast<float>()); };
      for (const auto& [a, b, c] : source.triangles) triangles.emplace_back(at(a), at(b), at(c));
      return new JPH::MeshShapeSettings(std::move(triangles));
    }
    JPH::Array<JPH::Vec3> points;
    for (const auto& p : hull_of(shape, 24).points) points.push_back(vector(p.cast<float>()));
    return new JPH::ConvexHullShapeSettings(points, 0);
  }

  void add_body(const PhysicsModel& model, int index, const RigidBody& source,
                const MassFrame& mass) {
    JPH::StaticCompoundShapeSettings parts;
    for (std::size_t s = 0; s < model.shapes.size(); ++s) {
      const Shape& shape = model.shapes[s];
      if (shape.body != index || !shape.is_valid || !shape.collision_enabled) continue;
      const auto part = make_shape(shape);
      part->mUserData = s + 1;
      const Pose& pose = shape.local_pose;
      // A flat mesh has no hull.
      if (part->Create().IsValid())
        parts.AddShape(vector(pose.position), turn(pose.rotation), part);
    }
    const bool moves = source.rigid_body_enabled && !source.kinematic_body && mass.usable;
    JPH::ShapeRefC shape = new JPH::EmptyShape();
    if (!parts.mSubShapes.empty()) shape = parts.Create().Get();
    const JPH::Vec3 offset = vector(mass.center.cast<float>()) - shape->GetCenterOfMass();
    if (moves) shape = new JPH::OffsetCenterOfMassShape(shape, offset);
    JPH::BodyCreationSettings settings(
        shape, vector(source.pose.position), turn(source.pose.rotation),
        moves ? JPH::EMotionType::Dynamic : JPH::EMotionType::Static, 0);
    settings.mLinearVelocity = vector(source.pose.rotation * source.linear_velocity);
    settings.mAngularVelocity = vector(source.pose.rotation * source.angular_velocity);
    settings.mLinearDamping = settings.mAngularDamping = 0;
    settings.mMaxAngularVelocity = 1000;
    settings.mApplyGyroscopicForce = true;
    settings.mAllowSleeping = false;
    settings.mOverrideMassProperties = JPH::EOverrideMassProperties::MassAndInertiaProvided;
    settings.mMassPropertiesOverride.mMass = float(mass.mass);
    JPH::Mat44& inertia = settings.mMassPropertiesOverride.mInertia = JPH::Mat44::sIdentity();
    for (int i = 0; i < 3; ++i)
      inertia.SetColumn3(JPH::uint(i), vector(mass.inertia.col(i).cast<float>()));
    bodies.push_back(jolt.GetBodyInterface().CreateBody(settings));
    jolt.GetBodyInterface().AddBody(bodies.back()->GetID(), JPH::EActivation::Activate);
  }

  void add_joint(const NormalJoint& joint) {
    if (!joint.enabled || joint.bodies[0] == joint.bodies[1]) return;
    JPH::Body* ends[2];
    JPH::Vec3 points[2];
    for (int i = 0; i < 2; ++i) {
      ends[i] = bodies[std::size_t(joint.bodies[i] + 1)];
      points[i] = vector(joint.frames[i].position) - ends[i]->GetShape()->GetCenterOfMass();
    }
    if (const DofRule& range = joint.dofs[0]; range.state == DofState::limited) {
      JPH::DistanceConstraintSettings distance;
      distance.mSpace = JPH::EConstraintSpace::LocalToBodyCOM;
      distance.mPoint1 = points[0], distance.mPoint2 = points[1];
      distance.mMinDistance = std::max(range.lower, 0.0F);
      distance.mMaxDistance = std::min(range.upper, 1e6F);
      return jolt.AddConstraint(distance.Create(*ends[0], *ends[1]));
    }
    // Jolt twists about its first axis, which is the one that turns furthest.
    int main = 0;
    while (main < 2 && joint.dofs[std::size_t(4 + main)].state == DofState::locked) ++main;
    const auto dof = [&](int i) -> const DofRule& {
      return joint.dofs[std::size_t(1 + i / 3 * 3 + (main + i) % 3)];
    };
    const auto axis = [&](int frame, int i) {
      return vector(joint.frames[frame].rotation.normalized() *
                    sinew::Vector3f::Unit((main + i) % 3));
    };
    JPH::SixDOFConstraintSettings settings;
    settings.mSpace = JPH::EConstraintSpace::LocalToBodyCOM;
    settings.mPosition1 = points[0], settings.mPosition2 = points[1];
    settings.mAxisX1 = axis(0, 0), settings.mAxisY1 = axis(0, 1);
    settings.mAxisX2 = axis(1, 0), settings.mAxisY2 = axis(1, 1);
    settings.mSwingType = joint.cone ? JPH::ESwingType::Cone : JPH::ESwingType::Pyramid;
    JPH::Vec3 target[2] = {JPH::Vec3::sZero(), JPH::Vec3::sZero()},
              speed[2] = {target[0], target[0]};
    for (int i = 0; i < 6; ++i) {
      const auto which = JPH::SixDOFConstraintSettings::EAxis(i);
      const DofRule& rule = dof(i);
      const float most = i < 3 ? 1e6F : JPH::JPH_PI;
      if (rule.state == DofState::locked) settings.MakeFixedAxis(which);
      if (rule.state == DofState::limited)
        settings.SetLimitedAxis(which, std::max(rule.lower, -most), std::min(rule.upper, most));
      if (!rule.drive.enabled) continue;
      JPH::MotorSettings& motor = settings.mMotorSettings[i];
      motor.mSpringSettings.mMode = rule.drive.acceleration
                                        ? JPH::ESpringMode::MassNormalizedStiffnessAndDamping
                                        : JPH::ESpringMode::StiffnessAndDamping;
      // A spring without stiffness is a hard one to Jolt.
      motor.mSpringSettings.mStiffness = std::max(rule.drive.stiffness, 1e-6F * rule.drive.damping);
      motor.mSpringSettings.mDamping = rule.drive.damping;
      motor.SetForceLimit(rule.drive.force_limit), motor.SetTorqueLimit(rule.drive.force_limit);
      target[i / 3].SetComponent(JPH::uint(i % 3), rule.drive.target_position);
      speed[i / 3].SetComponent(JPH::uint(i % 3), rule.drive.target_velocity);
    }
    auto* made = static_cast<JPH::SixDOFConstraint*>(settings.Create(*ends[0], *ends[1]));
    made->SetTargetPositionCS(target[0]), made->SetTargetVelocityCS(speed[0]);
    made->SetTargetOrientationCS(
        JPH::Quat::sRotation(target[1].NormalizedOr(JPH::Vec3::sAxisX()), target[1].Length()));
    made->SetTargetAngularVelocityCS(speed[1]);
    for (int i = 0; i < 6; ++i) {
      const auto state =
          dof(i).drive.enabled ? JPH::EMotorState::PositionAndVelocity : JPH::EMotorState::Off;
      made->SetMotorState(JPH::SixDOFConstraintSettings::EAxis(i), state);
    }
    jolt.AddConstraint(made);
  }
};
