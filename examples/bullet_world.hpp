// SPDX-License-Identifier: CC0-1.0
// The physics of a stage as a world of Bullet, all of it: copy what you need. See
// simulate_bullet.cpp.
#pragma once

#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "bullet_limits.hpp"
#include "sinew/physics/engine_parts.hpp"
#include "sinew/physics/initial_state.hpp"
#include "sinew/physics/pair_filter.hpp"
#include "sinew/physics/shape_hull.hpp"

using namespace sinew::physics;

// Body 0 is all that stands still; body i + 1 of Bullet is body i of the model, in SI units.
struct BulletWorld : btOverlapFilterCallback {
  std::vector<std::shared_ptr<void>> owned;  // The world of Bullet, which goes first, owns nothing.
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld bullet{&dispatcher, &broadphase, &solver, &configuration};
  std::vector<btRigidBody*> bodies;
  std::vector<btTransform> from_body;  // A frame of the body in that of its mass.
  std::vector<EngineBody> parts;
  PairFilter filter;

  BulletWorld(const PhysicsModel& model, sinew::Diagnostics& diagnostics)
      : parts(engine_bodies(model, body_masses(model, diagnostics))),
        filter(PairFilter::build(model, diagnostics)) {
    bullet.getSolverInfo().m_numIterations = 50;            // Or joints sag.
    bullet.getPairCache()->setOverlapFilterCallback(this);  // Asked once, as pairs come up.
    for (const EngineBody& body : parts) add_body(model, body);
    for (const EngineJoint& joint : engine_joints(model)) {
      add_joint(joint);
      tell_what_bullet_cannot_keep(model, joint, diagnostics);
    }
    const auto [direction, magnitude] = model_gravity(model);
    bullet.setGravity(vector(magnitude * direction));
  }

  // Where the frame of a body stands now.
  btTransform pose(std::size_t body) const {
    return bodies[body]->getWorldTransform() * from_body[body];
  }

  // Exact between bodies for any number of collision groups, unlike 32 bits.
  bool needBroadphaseCollision(btBroadphaseProxy* a, btBroadphaseProxy* b) const override {
    const auto colliders_of = [this](btBroadphaseProxy * proxy) -> const auto& {
      const auto* body = static_cast<btRigidBody*>(proxy->m_clientObject);
      return parts[std::size_t(body->getUserIndex())].colliders;
    };
    for (const std::int32_t s : colliders_of(a)) {
      for (const std::int32_t t : colliders_of(b))
        if (filter.collides(s, t)) return true;
    }
    return false;
  }

  auto* keep(auto* thing) { return owned.emplace_back(thing), thing; }
  static btVector3 vector(const auto& v) { return {float(v.x()), float(v.y()), float(v.z())}; }
  static btTransform frame(const auto& pose) {
    const auto q = pose.rotation.normalized();
    return btTransform({float(q.x()), float(q.y()), float(q.z()), float(q.w())},
                       vector(pose.position));
  }

  btCollisionShape* make_shape(const Shape& shape, bool moves) {  // Null for what has no points.
    if (const auto* s = std::get_if<SphereShape>(&shape.geometry))
      return keep(new btSphereShape(s->radius));
    if (const auto* s = std::get_if<PlaneShape>(&shape.geometry))
      return keep(new btStaticPlaneShape(vector(sinew::Vector3f::Unit(int(s->axis))), 0));
    const auto* mesh = std::get_if<MeshShape>(&shape.geometry);
    const bool is_hollow = mesh != nullptr && !moves && mesh->approximation == "none";
    const HullMesh source = is_hollow ? triangles_of(shape) : hull_of(shape, 24);
    if (source.points.empty() || (is_hollow && source.triangles.empty())) return nullptr;
    std::vector<btVector3> points;
    for (const sinew::Vector3d& point : source.points) points.push_back(vector(point));
    btCollisionShape* made = nullptr;
    if (is_hollow) {
      auto* triangles = keep(new btTriangleMesh());
      const auto at = [&](int i) { return points[std::size_t(i)]; };
      for (const auto& [a, b, c] : source.triangles) triangles->addTriangle(at(a), at(b), at(c));
      made = keep(new btBvhTriangleMeshShape(triangles, true));
    } else {
      made = keep(new btConvexHullShape(points[0], int(points.size())));
    }
    made->setMargin(0);  // The default leaves a gap of four centimetres.
    return made;
  }

  // Bullet turns about the principal axes at the centre of mass, so that is where bodies stand.
  void add_body(const PhysicsModel& model, const EngineBody& source) {
    const btTransform mass_in_body = frame(source.mass.principal());
    auto* compound = keep(new btCompoundShape());
    for (const std::int32_t index : source.colliders) {
      const Shape& shape = model.shape(index);
      if (btCollisionShape* made = make_shape(shape, source.moves))
        compound->addChildShape(mass_in_body.inverse() * frame(shape.local_pose), made);
    }
    auto* body = keep(
        new btRigidBody(float(source.mass.mass), nullptr, compound, vector(source.mass.moments)));
    body->setWorldTransform(frame(source.pose) * mass_in_body);
    body->setUserIndex(int(bodies.size()));
    body->setFriction(btSqrt(source.friction.value_or(0.5F)));  // Bullet multiplies the two.
    body->setRestitution(btSqrt(source.restitution.value_or(0)));
    if (source.moves) {
      body->setLinearVelocity(vector(source.velocity));
      body->setAngularVelocity(vector(source.angular_velocity));
      body->setActivationState(DISABLE_DEACTIVATION);  // Or what drives move slowly falls asleep.
    }
    bodies.push_back(body);
    from_body.push_back(mass_in_body.inverse());
    bullet.addRigidBody(body);
  }

  // Bullet measures the turns of frame 0 seen from frame 1: angles and the speeds of all its motors
  // have the other sign. What has no limit is stated as lower > upper.
  void add_joint(const EngineJoint& joint) {
    const auto local = [&](int i) {
      return from_body[joint.bodies[i]] * frame(joint.form.frames[i]);
    };
    auto* made = keep(new btGeneric6DofSpring2Constraint(
        *bodies[joint.bodies[0]], *bodies[joint.bodies[1]], local(0), local(1), RO_XYZ));
    for (int i = 0; i < 6; ++i) {
      const DofRule& dof = joint.form.dofs[std::size_t(i) + 1];
      const bool turns = i >= 3;
      const float most = turns ? SIMD_PI : 1e6F;  // Angles end at half a turn.
      const float lower = std::max(turns ? -dof.upper : dof.lower, -most);
      const float upper = std::min(turns ? -dof.lower : dof.upper, most);
      const bool is_free = lower <= -most && upper >= most;
      made->setLimit(i, is_free ? 1.0F : lower, is_free ? -1.0F : upper);
      if (!dof.drive.enabled) continue;
      const bool servo = dof.drive.stiffness > 0.0F;  // Gains have no counterpart.
      made->enableMotor(i, true);
      made->setMaxMotorForce(i, std::min(dof.drive.force_limit, 1e9F));
      made->setServo(i, servo);
      made->setServoTarget(i, turns ? -dof.drive.target_position : dof.drive.target_position);
      made->setTargetVelocity(i, servo ? 1.0F : -dof.drive.target_velocity);
    }
    bullet.addConstraint(made);
  }
};
