// SPDX-License-Identifier: Apache-2.0
// What Bullet makes of joint_forest() and link_joint() as bodies in reduced coordinates: where
// links stand at the start and at other coordinates, and what motors do.
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyJointLimitConstraint.h>
#include <BulletDynamics/Featherstone/btMultiBodyJointMotor.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <btBulletDynamicsCommon.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "engines/scenes.hpp"
#include "engines/simulation_checks.hpp"
#include "sinew/physics/initial_state.hpp"
#include "sinew/physics/joint_forest.hpp"
#include "sinew/physics/link_joint.hpp"

namespace sinew::bullet_multibody_test {
namespace {

using physics::ForestLink;
using physics::LinkDof;
using physics::LinkJoint;
using physics::LinkState;
using physics::MassFrame;
using physics::PhysicsModel;
using physics::Posed;
using test::expect_poses_near;
using test::kStep;
using test::posed_inverse;
using test::posed_product;
using test::widened;

btVector3 vector(const Vector3d& v) {
  const Vector3f f = v.cast<float>();
  return {f.x(), f.y(), f.z()};
}
btQuaternion turn(const Quatd& q) {
  const Quatf f = q.cast<float>();
  return {f.x(), f.y(), f.z(), f.w()};
}

/// The trees of a model that are fixed to the world, whose joints turn or slide.
class Trees {
 public:
  explicit Trees(const PhysicsModel& model) : model_(model), forest_(physics::joint_forest(model)) {
    Diagnostics unused;
    for (const physics::BodyMass& mass : physics::body_masses(model, unused)) {
      masses_.push_back(physics::mass_frame(mass));
    }
    place_.resize(forest_.links.size());
    for (std::size_t i = 0; i < forest_.links.size(); ++i) {
      if (forest_.links[i].parent == physics::kNone) add_tree(static_cast<std::int32_t>(i));
    }
    const auto [direction, magnitude] = physics::model_gravity(model);
    world_.getSolverInfo().m_numIterations = 200;
    world_.setGravity(vector((magnitude * direction).cast<double>()));
    forward();
  }
  Trees(const Trees&) = delete;
  Trees& operator=(const Trees&) = delete;
  ~Trees() {
    for (const auto& constraint : constraints_) world_.removeMultiBodyConstraint(constraint.get());
    for (const auto& collider : colliders_) world_.removeCollisionObject(collider.get());
    for (const auto& body : bodies_) world_.removeMultiBody(body.get());
  }

  std::size_t link_count() const { return forest_.links.size(); }
  const ForestLink& link(std::size_t i) const { return forest_.links[i]; }
  /// Whether the link moves by a coordinate of its own.
  bool has_coordinate(std::size_t i) const { return place_[i].link >= 0; }
  double coordinate(std::size_t i) const {
    return static_cast<double>(place_[i].body->getJointPos(place_[i].link));
  }
  void set_coordinate(std::size_t i, double q) {
    place_[i].body->setJointPos(place_[i].link, static_cast<float>(q));
  }
  void forward() {
    btAlignedObjectArray<btQuaternion> turns;
    btAlignedObjectArray<btVector3> origins;
    for (const auto& body : bodies_) {
      body->forwardKinematics(turns, origins);
      body->updateCollisionObjectWorldTransforms(turns, origins);
    }
  }
  /// Where the body of a link stands.
  Posed pose(std::size_t i) const {
    const Place& place = place_[i];
    const btTransform t = place.link < 0 ? place.body->getBaseWorldTransform()
                                         : place.body->getLink(place.link).m_cachedWorldTransform;
    const btQuaternion q = t.getRotation();
    const Posed mass{Vector3d(t.getOrigin().x(), t.getOrigin().y(), t.getOrigin().z()),
                     Quatd(q.w(), q.x(), q.y(), q.z()).normalized()};
    return posed_product(mass, posed_inverse(mass_of(i).principal()));
  }
  /// Limits and a motor at every joint: it goes to `target` if it turns, else stays at 0.
  void drive_turns_to(double target, double step) {
    for (std::size_t i = 0; i < forest_.links.size(); ++i) {
      if (!has_coordinate(i)) continue;
      const LinkDof dof = joint_of(i).dofs[0];
      const Place& place = place_[i];
      add(std::make_unique<btMultiBodyJointLimitConstraint>(
          place.body, place.link, static_cast<float>(dof.lower), static_cast<float>(dof.upper)));
      auto motor = std::make_unique<btMultiBodyJointMotor>(
          place.body, place.link, 0.0F, dof.drive.force_limit * static_cast<float>(step));
      motor->setPositionTarget(dof.is_rotation() ? static_cast<float>(target) : 0.0F, 0.1F);
      add(std::move(motor));
    }
  }
  void run(double seconds, double step) {
    for (int i = 0; i < static_cast<int>(std::lround(seconds / step)); ++i) {
      world_.stepSimulation(static_cast<float>(step), 0);
    }
  }

 private:
  /// Of a link in Bullet: -1 is the base.
  struct Place {
    btMultiBody* body = nullptr;
    int link = -1;
  };

  const MassFrame& mass_of(std::size_t link) const {
    return masses_[static_cast<std::size_t>(forest_.links[link].body)];
  }
  LinkJoint joint_of(std::size_t link) const {
    return physics::link_joint(model_, forest_.links[link].joints.at(0), forest_.links[link].body);
  }

  void add(std::unique_ptr<btMultiBodyConstraint> constraint) {
    world_.addMultiBodyConstraint(constraint.get());
    constraint->finalizeMultiDof();
    constraints_.push_back(std::move(constraint));
  }

  // Motors and limits do nothing in a tree without colliders: islands are made of them.
  void add_collider(btMultiBody& body, int link) {
    auto collider = std::make_unique<btMultiBodyLinkCollider>(&body, link);
    collider->setCollisionShape(&nothing_);
    world_.addCollisionObject(collider.get(), 0, 0);
    if (link < 0) {
      body.setBaseCollider(collider.get());
    } else {
      body.getLink(link).m_collider = collider.get();
    }
    colliders_.push_back(std::move(collider));
  }

  void add_tree(std::int32_t root) {
    const auto first = static_cast<std::size_t>(root);
    const bool is_fixed = forest_.links[first].state == LinkState::fixed_to_world;
    ASSERT_TRUE(is_fixed || forest_.links[first].state == LinkState::jointed);
    std::vector<std::int32_t> links = forest_.links_below(root);
    // Bolted to the world it is the base itself; held by another joint the base is the world.
    if (is_fixed) links.erase(links.begin());
    Posed base;
    float mass = 0.0F;
    btVector3 moments(0, 0, 0);
    if (is_fixed) {
      const MassFrame& frame = mass_of(first);
      base = posed_product(widened(model_.body(forest_.links[first].body).pose), frame.principal());
      mass = static_cast<float>(frame.mass);
      moments = vector(frame.moments);
    }
    bodies_.push_back(
        std::make_unique<btMultiBody>(static_cast<int>(links.size()), mass, moments, true, false));
    btMultiBody& body = *bodies_.back();
    body.setBasePos(vector(base.position));
    body.setWorldToBaseRot(turn(base.rotation.conjugate()));
    if (is_fixed) place_[first] = {&body, -1};
    for (std::size_t i = 0; i < links.size(); ++i) {
      const auto link = static_cast<std::size_t>(links[i]);
      place_[link] = {&body, static_cast<int>(i)};
      add_link(link);
    }
    body.setLinearDamping(0);
    body.setAngularDamping(0);
    body.finalizeMultiDof();
    world_.addMultiBody(&body);
    add_collider(body, -1);
    for (std::size_t i = 0; i < links.size(); ++i) {
      add_collider(body, static_cast<int>(i));
      const auto link = static_cast<std::size_t>(links[i]);
      set_coordinate(link, joint_of(link).dofs.at(0).start);
    }
  }

  // Links stand at their centres of mass, along the principal axes.
  void add_link(std::size_t link) {
    const std::int32_t parent = forest_.links[link].parent;
    const LinkJoint joint = joint_of(link);
    ASSERT_EQ(joint.dofs.size(), 1U);
    const MassFrame& mass = mass_of(link);
    const Posed above =
        parent < 0 ? Posed{} : mass_of(static_cast<std::size_t>(parent)).principal();
    const Posed own = mass.principal();
    const Posed at_zero =
        posed_product(posed_inverse(above), posed_product(physics::zero_pose(joint), own));
    const Posed pivot = posed_product(posed_inverse(above), joint.parent_frame);
    const Posed pivot_in_own = posed_product(posed_inverse(own), joint.child_frame);
    const LinkDof& dof = joint.dofs[0];
    const auto set_up = dof.is_rotation() ? &Trees::set_up_revolute : &Trees::set_up_prismatic;
    (this->*set_up)(place_[link], mass, parent < 0 ? -1 : place_of(parent).link,
                    turn(at_zero.rotation.conjugate()),
                    vector(own.rotation.conjugate() * dof.axis_in_child), vector(pivot.position),
                    vector(-pivot_in_own.position));
  }
  const Place& place_of(std::int32_t link) const { return place_[static_cast<std::size_t>(link)]; }

  void set_up_revolute(const Place& at, const MassFrame& mass, int parent, const btQuaternion& turn,
                       const btVector3& axis, const btVector3& to_pivot, const btVector3& to_mass) {
    at.body->setupRevolute(at.link, static_cast<float>(mass.mass), vector(mass.moments), parent,
                           turn, axis, to_pivot, to_mass, true);
  }
  void set_up_prismatic(const Place& at, const MassFrame& mass, int parent,
                        const btQuaternion& turn, const btVector3& axis, const btVector3& to_pivot,
                        const btVector3& to_mass) {
    at.body->setupPrismatic(at.link, static_cast<float>(mass.mass), vector(mass.moments), parent,
                            turn, axis, to_pivot, to_mass, true);
  }

  const PhysicsModel& model_;
  physics::JointForest forest_;
  std::vector<MassFrame> masses_;  // Per body.
  std::vector<Place> place_;       // Per link.
  btEmptyShape nothing_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broadphase_;
  btMultiBodyConstraintSolver solver_;
  btMultiBodyDynamicsWorld world_{&dispatcher_, &broadphase_, &solver_, &configuration_};
  std::vector<std::unique_ptr<btMultiBody>> bodies_;
  std::vector<std::unique_ptr<btMultiBodyLinkCollider>> colliders_;
  std::vector<std::unique_ptr<btMultiBodyConstraint>> constraints_;
};

TEST(BulletMultiBody, TheArmStandsAsInTheFileAndReachesItsTargets) {
  const PhysicsModel model = test::model_of_example("robot_arm");
  Trees arm(model);
  ASSERT_EQ(arm.link_count(), 9U);
  for (std::size_t i = 0; i < arm.link_count(); ++i) {
    expect_poses_near(arm.pose(i), widened(model.body(arm.link(i).body).pose), 1e-5);
  }
  arm.drive_turns_to(0.3, kStep);
  arm.run(4.0, kStep);
  int turning = 0;
  for (std::size_t i = 0; i < arm.link_count(); ++i) {
    if (!arm.has_coordinate(i)) continue;
    const physics::Joint& joint = model.joint(arm.link(i).joints[0]);
    const bool turns = std::holds_alternative<physics::RevoluteJoint>(joint.kind);
    turning += turns ? 1 : 0;
    EXPECT_NEAR(arm.coordinate(i), turns ? 0.3 : 0.0, 1e-3) << joint.path;
  }
  EXPECT_EQ(turning, 6);
}

// Without its motors it falls, so they are what holds it.
TEST(BulletMultiBody, TheArmFallsWithoutItsMotors) {
  PhysicsModel model = test::model_of_example("robot_arm");
  for (physics::Scene& scene : model.scenes) scene.gravity_direction = {0.6F, 0, -0.8F};
  Trees arm(model);
  arm.run(1.0, kStep);
  double most = 0.0;
  for (std::size_t i = 0; i < arm.link_count(); ++i) {
    if (arm.has_coordinate(i)) most = std::max(most, std::abs(arm.coordinate(i)));
  }
  EXPECT_GT(most, 0.5);
}

// At the start within 1e-5, and wherever else its joints are.
TEST(BulletMultiBody, AHundredRandomRobotsStandWhereTheFileSays) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    const test::RandomRobot robot(seed);
    const PhysicsModel model = test::model_of_text(robot.text);
    const physics::Lookup lookup(model);
    Trees trees(model);
    ASSERT_EQ(trees.link_count(), robot.bodies.size());
    std::vector<std::size_t> link_of(robot.bodies.size());
    for (std::size_t i = 0; i < robot.bodies.size(); ++i) {
      for (std::size_t link = 0; link < trees.link_count(); ++link) {
        if (trees.link(link).body == lookup.body(robot.bodies[i].path)) link_of[i] = link;
      }
      expect_poses_near(trees.pose(link_of[i]), robot.bodies[i].world, 1e-5);
    }
    test::Random random(seed);
    for (int sample = 0; sample < 5; ++sample) {
      const std::vector<double> q = test::random_coordinates(robot, random);
      for (std::size_t i = 0; i < q.size(); ++i) trees.set_coordinate(link_of[i], q[i]);
      trees.forward();
      const std::vector<Posed> worlds = test::robot_poses(robot, q);
      for (std::size_t i = 0; i < robot.bodies.size(); ++i) {
        expect_poses_near(trees.pose(link_of[i]), worlds[i], 1e-5);
      }
    }
  }
}

}  // namespace
}  // namespace sinew::bullet_multibody_test
