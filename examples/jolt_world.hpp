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

#include "sinew/physics/engine_parts.hpp"
#include "sinew/physics/initial_state.hpp"
#include "sinew/physics/pair_filter.hpp"
#include "sinew/physics/shape_hull.hpp"

using namespace sinew::physics;

// Body 0 is all that stands still; body i + 1 of Jolt is body i of the model, in SI units.
struct JoltWorld : JPH::SimShapeFilter {
  JPH::BroadPhaseLayerInterfaceTable layers{1, 1};
  JPH::ObjectVsBroadPhaseLayerFilter broad;  // Each with each.
  JPH::ObjectLayerPairFilter pairs;
  JPH::PhysicsSystem jolt;
  JPH::Array<JPH::Body*> bodies;
  PairFilter filter;  // Asked collider by collider. What holds several of them is none itself.

  JoltWorld(const PhysicsModel& model, sinew::Diagnostics& diagnostics)
      : filter(PairFilter::build(model, diagnostics)) {
    jolt.Init(JPH::uint(model.rigid_bodies.size() + 1), 0, 65536, 65536, layers, broad, pairs);
    jolt.SetSimShapeFilter(this);
    JPH::PhysicsSettings settings;  // Joints hold better, and things sink in less, than by default.
    settings.mNumVelocitySteps = 50, settings.mPenetrationSlop = 0.0005F;
    jolt.SetPhysicsSettings(settings);
    for (const auto& body : engine_bodies(model, body_masses(model, diagnostics))) add(model, body);
    for (const auto& joint : engine_joints(model)) add(joint);
    const auto [direction, magnitude] = model_gravity(model);
    jolt.SetGravity(vector(magnitude * direction));
  }

  bool ShouldCollide(const JPH::Body&, const JPH::Shape* a, const JPH::SubShapeID&,
                     const JPH::Body&, const JPH::Shape* b, const JPH::SubShapeID&) const override {
    const auto index = [](const JPH::Shape* shape) { return int(shape->GetUserData()) - 1; };
    return index(a) < 0 || index(b) < 0 || filter.collides(index(a), index(b));
  }

  static JPH::Vec3 vector(const auto& v) { return {float(v.x()), float(v.y()), float(v.z())}; }
  static JPH::Quat turn(const auto& q) {
    return JPH::Quat(float(q.x()), float(q.y()), float(q.z()), float(q.w())).Normalized();
  }

  static JPH::Ref<JPH::ShapeSettings> make_shape(const Shape& shape, bool moves) {
    if (const auto* s = std::get_if<SphereShape>(&shape.geometry))
      return new JPH::SphereShapeSettings(s->radius);
    if (const auto* s = std::get_if<PlaneShape>(&shape.geometry))
      return new JPH::PlaneShapeSettings({vector(sinew::Vector3f::Unit(int(s->axis))), 0});
    const auto* mesh = std::get_if<MeshShape>(&shape.geometry);
    const bool is_hollow = mesh != nullptr && !moves && mesh->approximation == "none";
    const HullMesh source = is_hollow ? triangles_of(shape) : hull_of(shape, 24);
    JPH::Array<JPH::Vec3> points;
    for (const sinew::Vector3d& point : source.points) points.push_back(vector(point));
    if (!is_hollow) return new JPH::ConvexHullShapeSettings(points, 0);
    JPH::TriangleList triangles;
    const auto at = [&](int i) { return points[std::size_t(i)]; };
    for (const auto& [a, b, c] : source.triangles) triangles.emplace_back(at(a), at(b), at(c));
    return new JPH::MeshShapeSettings(triangles);
  }

  void add(const PhysicsModel& model, const EngineBody& source) {
    JPH::StaticCompoundShapeSettings parts;
    for (const std::int32_t index : source.colliders) {
      const Shape& shape = model.shape(index);
      const auto part = make_shape(shape, source.moves);
      part->mUserData = JPH::uint64(index + 1);
      if (part->Create().IsValid())  // A flat mesh has no hull.
        parts.AddShape(vector(shape.local_pose.position), turn(shape.local_pose.rotation), part);
    }
    JPH::ShapeRefC shape = new JPH::EmptyShape();
    if (!parts.mSubShapes.empty()) shape = parts.Create().Get();
    const JPH::Vec3 offset = vector(source.mass.center) - shape->GetCenterOfMass();
    if (source.moves) shape = new JPH::OffsetCenterOfMassShape(shape, offset);
    JPH::BodyCreationSettings settings(
        shape, vector(source.pose.position), turn(source.pose.rotation),
        source.moves ? JPH::EMotionType::Dynamic : JPH::EMotionType::Static, 0);
    settings.mLinearVelocity = vector(source.velocity);
    settings.mAngularVelocity = vector(source.angular_velocity);
    settings.mFriction = source.friction.value_or(settings.mFriction);
    settings.mRestitution = source.restitution.value_or(0);
    settings.mLinearDamping = settings.mAngularDamping = 0, settings.mMaxAngularVelocity = 1000;
    settings.mApplyGyroscopicForce = true, settings.mAllowSleeping = false;
    const JPH::Mat44 axes = JPH::Mat44::sRotation(turn(source.mass.axes));
    settings.mOverrideMassProperties = JPH::EOverrideMassProperties::MassAndInertiaProvided;
    settings.mMassPropertiesOverride.mMass = float(source.mass.mass);
    settings.mMassPropertiesOverride.mInertia =
        axes * JPH::Mat44::sScale(vector(source.mass.moments)) * axes.Transposed3x3();
    bodies.push_back(jolt.GetBodyInterface().CreateBody(settings));
    jolt.GetBodyInterface().AddBody(bodies.back()->GetID(), JPH::EActivation::Activate);
  }

  void add(const EngineJoint& joint) {
    JPH::Body &first = *bodies[joint.bodies[0]], &second = *bodies[joint.bodies[1]];
    const JPH::Vec3 points[] = {vector(joint.world[0].position), vector(joint.world[1].position)};
    if (const DofRule& rope = joint.form.dof(JointDof::distance); rope.state == DofState::limited) {
      JPH::DistanceConstraintSettings settings;
      settings.mPoint1 = points[0], settings.mPoint2 = points[1];
      settings.mMinDistance = rope.lower, settings.mMaxDistance = rope.upper;
      return jolt.AddConstraint(settings.Create(first, second));
    }
    const JPH::Quat turns[] = {turn(joint.world[0].rotation), turn(joint.world[1].rotation)};
    JPH::SixDOFConstraintSettings settings;
    settings.mPosition1 = points[0], settings.mPosition2 = points[1];
    settings.mAxisX1 = turns[0] * JPH::Vec3::sAxisX();
    settings.mAxisY1 = turns[0] * JPH::Vec3::sAxisY();
    settings.mAxisX2 = turns[1] * JPH::Vec3::sAxisX();
    settings.mAxisY2 = turns[1] * JPH::Vec3::sAxisY();
    settings.mSwingType = joint.form.cone ? JPH::ESwingType::Cone : JPH::ESwingType::Pyramid;
    for (std::size_t i = 0; i < 6; ++i) {  // 0 to 0 is locked, and infinite free, to Jolt too.
      settings.mLimitMin[i] = joint.form.dofs[i + 1].lower;
      settings.mLimitMax[i] = joint.form.dofs[i + 1].upper;
    }
    auto* made = static_cast<JPH::SixDOFConstraint*>(settings.Create(first, second));
    JPH::Vec3 target[] = {JPH::Vec3::sZero(), JPH::Vec3::sZero()}, speed[] = {target[0], target[1]};
    for (int i = 0; i < 6; ++i) {
      const JointDrive& drive = joint.form.dofs[std::size_t(i + 1)].drive;
      if (!drive.enabled) continue;
      const auto axis = JPH::SixDOFConstraint::EAxis(i);
      const auto mode = drive.acceleration ? JPH::ESpringMode::MassNormalizedStiffnessAndDamping
                                           : JPH::ESpringMode::StiffnessAndDamping;
      made->GetMotorSettings(axis) = {mode, drive.stiffness, drive.damping, drive.force_limit,
                                      drive.force_limit};
      made->SetMotorState(axis, JPH::EMotorState::PositionAndVelocity);
      target[i / 3].SetComponent(JPH::uint(i % 3), drive.target_position);
      speed[i / 3].SetComponent(JPH::uint(i % 3), drive.target_velocity);
    }
    made->SetTargetPositionCS(target[0]), made->SetTargetVelocityCS(speed[0]);
    // Turns about X, Y and Z, each about the axes as turned so far.
    made->SetTargetOrientationCS(JPH::Quat::sEulerAngles(-target[1]).Conjugated());
    made->SetTargetAngularVelocityCS(speed[1]);
    jolt.AddConstraint(made);
  }
};
