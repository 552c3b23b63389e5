// SPDX-License-Identifier: CC0-1.0
// Runs the physics of any file in Bullet and prints time, body, x, y, z as CSV, 10 times a second.
// Run: simulate_bullet FILE.usda [SECONDS]

#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "sinew/physics/initial_state.hpp"
#include "sinew/physics/mass_frame.hpp"
#include "sinew/physics/pair_filter.hpp"
#include "sinew/physics/read/read_physics.hpp"
#include "sinew/physics/shape_hull.hpp"

using namespace sinew;
using namespace sinew::physics;

btVector3 vector(const Vector3f& v) {
  return {v.x(), v.y(), v.z()};
}
btTransform frame(const Pose& pose) {
  const Quatf q = pose.rotation.normalized();
  return btTransform({q.x(), q.y(), q.z(), q.w()}, vector(pose.position));
}

btCollisionShape* make_shape(const Shape& shape) {
  if (auto* s = std::get_if<SphereShape>(&shape.geometry)) return new btSphereShape(s->radius);
  if (const auto* s = std::get_if<PlaneShape>(&shape.geometry))
    return new btStaticPlaneShape(vector(Vector3f::Unit(int(s->axis))), 0);
  const HullMesh hull = hull_of(shape, 24);
  auto* points = new btConvexHullShape();
  for (const Vector3d& point : hull.points) points->addPoint(vector(point.cast<float>()));
  points->setMargin(0.0005F);  // The default leaves a gap of four centimetres.
  return points;
}

// Body 0 is all that stands still; body i + 1 of Bullet is body i of the model.
struct World : btOverlapFilterCallback {
  std::vector<std::shared_ptr<void>> owned;  // The world of Bullet, which goes first, owns nothing.
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld bullet{&dispatcher, &broadphase, &solver, &configuration};
  std::vector<btRigidBody*> bodies;
  std::vector<btTransform> from_body;  // A frame of the body in that of its mass.
  std::vector<std::vector<std::int32_t>> shapes;
  PairFilter filter;

  auto* keep(auto* thing) { return owned.emplace_back(thing), thing; }
  // Exact for any number of collision groups, unlike 32 bits.
  bool needBroadphaseCollision(btBroadphaseProxy* a, btBroadphaseProxy* b) const override {
    const auto shapes_of = [this](btBroadphaseProxy * proxy) -> const auto& {
      return shapes[std::size_t(static_cast<btRigidBody*>(proxy->m_clientObject)->getUserIndex())];
    };
    for (const std::int32_t s : shapes_of(a)) {
      for (const std::int32_t t : shapes_of(b))
        if (filter.collides(s, t)) return true;
    }
    return false;
  }
};

// Bullet turns about the principal axes at the centre of mass, so that is where bodies stand.
void add_body(World& world, const PhysicsModel& model, std::int32_t index, const RigidBody& source,
              const MassFrame& mass) {
  const btTransform mass_in_body = frame({mass.center.cast<float>(), mass.axes.cast<float>()});
  auto* compound = world.keep(new btCompoundShape());
  world.shapes.emplace_back();
  for (std::size_t s = 0; s < model.shapes.size(); ++s) {
    const Shape& shape = model.shapes[s];
    if (shape.body != index || !shape.is_valid || !shape.collision_enabled) continue;
    compound->addChildShape(mass_in_body.inverse() * frame(shape.local_pose),
                            world.keep(make_shape(shape)));
    world.shapes.back().push_back(std::int32_t(s));
  }
  const bool moves = source.rigid_body_enabled && !source.kinematic_body && mass.usable;
  const Vector3f moments = moves ? mass.moments.cast<float>() : Vector3f::Zero().eval();
  auto* body =
      world.keep(new btRigidBody(moves ? float(mass.mass) : 0, nullptr, compound, vector(moments)));
  body->setWorldTransform(frame(source.pose) * mass_in_body);
  body->setLinearVelocity(vector(source.pose.rotation * source.linear_velocity));
  body->setAngularVelocity(vector(source.pose.rotation * source.angular_velocity));
  body->setUserIndex(int(world.bodies.size()));
  world.bodies.push_back(body);
  world.from_body.push_back(mass_in_body.inverse());
  world.bullet.addRigidBody(body);
}

// Bullet measures the turns of frame 0 seen from frame 1: angles and the speeds of all its motors
// have the other sign. What has no limit is stated as lower > upper.
void add_joint(World& world, const PhysicsModel& model, const Joint& joint) {
  const NormalJoint normal = normal_form(model, joint);
  if (!normal.enabled || normal.bodies[0] == normal.bodies[1]) return;
  const auto end = [&](int i) { return std::size_t(normal.bodies[i] + 1); };
  const auto local = [&](int i) { return world.from_body[end(i)] * frame(normal.frames[i]); };
  auto* bullet = world.keep(new btGeneric6DofSpring2Constraint(
      *world.bodies[end(0)], *world.bodies[end(1)], local(0), local(1), RO_XYZ));
  for (int i = 0; i < 6; ++i) {
    const DofRule& dof = normal.dofs[std::size_t(i) + 1];
    const bool turns = i >= 3;
    const float lower = std::max(turns ? -dof.upper : dof.lower, -1e6F);
    const float upper = std::min(turns ? -dof.lower : dof.upper, 1e6F);
    const bool is_free = dof.state == DofState::free;
    bullet->setLimit(i, is_free ? 1.0F : lower, is_free ? -1.0F : upper);
    if (!dof.drive.enabled) continue;
    const bool servo = dof.drive.stiffness > 0.0F;  // Gains have no counterpart.
    bullet->enableMotor(i, true);
    bullet->setMaxMotorForce(i, std::min(dof.drive.force_limit, 1e9F));
    bullet->setServo(i, servo);
    bullet->setServoTarget(i, turns ? -dof.drive.target_position : dof.drive.target_position);
    bullet->setTargetVelocity(i, servo ? 1.0F : -dof.drive.target_velocity);
  }
  world.bullet.addConstraint(bullet, !joint.collision_enabled);
}

int main(int argc, char** argv) {
  if (argc < 2) return std::fprintf(stderr, "usage: simulate_bullet FILE.usda [SECONDS]\n"), 2;
  Diagnostics diagnostics;
  const auto stage = stage::Stage::open(std::string(argv[1]), diagnostics);
  if (!stage) return std::fprintf(stderr, "%s\n", stage.error().message.c_str()), 1;
  ReadOptions options;
  options.nested_bodies = NestedBodies::keep;
  const auto model = read_physics(**stage, diagnostics, options).to_si();
  World world;
  world.filter = PairFilter::build(model, diagnostics);
  add_body(world, model, kNone, {}, {});
  for (const BodyMass& mass : body_masses(model, diagnostics)) {
    add_body(world, model, mass.body, model.body(mass.body), mass_frame(mass));
  }
  for (const Joint& joint : model.joints) add_joint(world, model, joint);
  world.bullet.getPairCache()->setOverlapFilterCallback(&world);
  const auto [direction, magnitude] = model_gravity(model);
  world.bullet.setGravity(vector(magnitude * direction));
  for (const Diagnostic& d : diagnostics) std::fprintf(stderr, "%s\n", format(d).c_str());

  const int steps = int((argc > 2 ? std::atof(argv[2]) : 2.0) * 240.0);
  for (int step = 0; step <= steps; ++step, world.bullet.stepSimulation(1.0F / 240.0F, 0)) {
    for (std::size_t i = 1; i < world.bodies.size() && step % 24 == 0; ++i) {
      const btVector3 p = (world.bodies[i]->getWorldTransform() * world.from_body[i]).getOrigin();
      std::printf("%.1f,%s,%.5f,%.5f,%.5f\n", step / 240.0, model.rigid_bodies[i - 1].path.c_str(),
                  double(p.x()), double(p.y()), double(p.z()));
    }
  }
}
