// SPDX-License-Identifier: Apache-2.0
// What Bullet makes of joints that are stated as examples/simulate_bullet.cpp does: its own frames
// and angles against those of the generator.
#include <btBulletDynamicsCommon.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "sinew/physics/joint_frames.hpp"
#include "sinew/physics/mass_frame.hpp"
#include "sinew/physics/read/read_physics.hpp"
#include "stage/support.hpp"
#include "support/random_robot.hpp"

namespace sinew {
namespace {

using physics::PhysicsModel;
using physics::Pose;
using physics::Posed;

btTransform transform(const Pose& pose) {
  const Quatf q = pose.rotation.normalized();
  return btTransform({q.x(), q.y(), q.z(), q.w()},
                     {pose.position.x(), pose.position.y(), pose.position.z()});
}

Posed posed(const btTransform& t) {
  const btQuaternion q = t.getRotation();
  return {Vector3d(t.getOrigin().x(), t.getOrigin().y(), t.getOrigin().z()),
          Quatd(q.w(), q.x(), q.y(), q.z())};
}

/// Bodies stand at their centres of mass, along the principal axes.
struct Body {
  btSphereShape shape{0.1F};
  btTransform mass_in_body = btTransform::getIdentity();
  std::unique_ptr<btRigidBody> body;
};

// Frames within 1e-5 m and rad; the angle is that of the file, with the other sign.
TEST(Bullet, HasTheFramesAndAnglesOfAHundredRandomRobots) {
  std::size_t angles = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    const test::RandomRobot robot(seed);
    Diagnostics diagnostics;
    const auto stage = stage::open_layers(
        {{"root.usda", robot.text.c_str() + std::string("#usda 1.0\n").size()}}, diagnostics);
    const PhysicsModel model = physics::read_physics(*stage, diagnostics).to_si();
    std::vector<Body> bodies(model.rigid_bodies.size() + 1);  // The first is the world.
    bodies[0].body = std::make_unique<btRigidBody>(0.0F, nullptr, &bodies[0].shape);
    for (const physics::BodyMass& mass : physics::body_masses(model, diagnostics)) {
      const physics::MassFrame frame = physics::mass_frame(mass);
      Body& made = bodies[static_cast<std::size_t>(mass.body) + 1];
      made.mass_in_body = transform({frame.center.cast<float>(), frame.axes.cast<float>()});
      made.body =
          std::make_unique<btRigidBody>(static_cast<float>(frame.mass), nullptr, &made.shape);
      made.body->setWorldTransform(transform(model.body(mass.body).pose) * made.mass_in_body);
    }
    ASSERT_EQ(model.joints.size(), robot.joints.size());
    for (const physics::Joint& joint : model.joints) {
      const physics::NormalJoint normal = physics::normal_form(model, joint);
      const auto body = [&](int i) -> Body& {
        return bodies[static_cast<std::size_t>(normal.bodies[i] + 1)];
      };
      const auto local = [&](int i) {
        return body(i).mass_in_body.inverse() * transform(normal.frames[i]);
      };
      btGeneric6DofSpring2Constraint made(*body(0).body, *body(1).body, local(0), local(1), RO_XYZ);
      made.calculateTransforms();
      const btTransform* const frames[] = {&made.getCalculatedTransformA(),
                                           &made.getCalculatedTransformB()};
      for (const int i : {0, 1}) {
        const Posed is = posed(*frames[i]);
        const Pose carrier = normal.bodies[i] < 0 ? Pose{} : model.body(normal.bodies[i]).pose;
        const Posed wanted = test::posed_product(
            {carrier.position.cast<double>(), carrier.rotation.cast<double>().normalized()},
            {normal.frames[i].position.cast<double>(),
             normal.frames[i].rotation.cast<double>().normalized()});
        EXPECT_LT((is.position - wanted.position).norm(), 1e-5) << joint.path;
        EXPECT_LT(is.rotation.angularDistance(wanted.rotation), 1e-3) << joint.path;
      }
      for (const test::RobotJoint& source : robot.joints) {
        if (source.path != joint.path.view()) continue;
        if (!source.turns) {
          EXPECT_NEAR(made.getRelativePivotPosition(source.axis), source.start, 1e-5);
        } else if (source.axis != 1 || std::abs(source.start) < 1.4) {
          EXPECT_NEAR(made.getAngle(source.axis), -source.start, 1e-4);
          ++angles;
        }
      }
    }
  }
  EXPECT_GT(angles, 100U);
}

}  // namespace
}  // namespace sinew
