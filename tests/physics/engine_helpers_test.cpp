// SPDX-License-Identifier: Apache-2.0
// What adapters to engines are built of, against random robots whose answers are known.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "physics/read_scene.hpp"
#include "sinew/physics/collision_classes.hpp"
#include "sinew/physics/effective_inertia.hpp"
#include "sinew/physics/engine_parts.hpp"
#include "sinew/physics/inertia.hpp"
#include "sinew/physics/initial_state.hpp"
#include "sinew/physics/joint_forest.hpp"
#include "sinew/physics/link_joint.hpp"
#include "sinew/physics/lookup.hpp"
#include "sinew/physics/mass_frame.hpp"
#include "sinew/physics/names.hpp"
#include "sinew/physics/shape_hull.hpp"
#include "sinew/physics/volumes.hpp"
#include "support/random_robot.hpp"

namespace sinew::physics {
namespace {

using sinew::test::Random;
using test::at;
using test::prim;
using test::read;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

PhysicsModel model_of(const sinew::test::RandomRobot& robot) {
  return read(robot.text.substr(std::string("#usda 1.0\n").size()), Rules::documented).to_si();
}

double uniform(Random& random, double low, double high) {
  return low + (high - low) * static_cast<double>(random.next() >> 11) / 9007199254740992.0;
}
Quatd rotation(Random& random) {
  Quatd q(uniform(random, -1, 1), uniform(random, -1, 1), uniform(random, -1, 1),
          uniform(random, 0.1, 1));
  return q.normalized();
}
Vector3d vector(Random& random, double size) {
  return {uniform(random, -size, size), uniform(random, -size, size), uniform(random, -size, size)};
}

// --- Link joints

TEST(LinkJoint, SaysOfRandomRobotsWhatTheyWereMadeWith) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const sinew::test::RandomRobot robot(seed);
    const PhysicsModel model = model_of(robot);
    const Lookup lookup(model);
    for (std::size_t i = 0; i < robot.joints.size(); ++i) {
      const sinew::test::RobotJoint& expected = robot.joints[i];
      const std::int32_t child = lookup.body(robot.bodies[i].path);
      const LinkJoint link = link_joint(model, lookup.joint(expected.path), child);
      ASSERT_EQ(link.dofs.size(), 1U);
      EXPECT_EQ(link.child, child);
      EXPECT_EQ(link.parent,
                expected.parent < 0
                    ? kNone
                    : lookup.body(robot.bodies[static_cast<std::size_t>(expected.parent)].path));
      EXPECT_EQ(link.reversed, expected.reversed);
      const LinkDof& dof = link.dofs[0];
      EXPECT_EQ(dof.is_rotation(), expected.turns);
      EXPECT_NEAR(dof.start, expected.start, 4e-6);
      EXPECT_NEAR(dof.lower, expected.lower, 1e-6);
      EXPECT_NEAR(dof.upper, expected.upper, 1e-6);
      EXPECT_LT((dof.axis_in_child - expected.axis_in_child()).norm(), 4e-6);
      EXPECT_LT(link.mismatch_distance, 1e-5);
      EXPECT_LT(link.mismatch_angle, 1e-5);
      for (const double q : {0.0, expected.start, 0.7}) {
        const Posed pose = link_pose(link, {q}, true);
        const Posed wanted = expected.child_in_parent(q);
        EXPECT_LT((pose.position - wanted.position).norm(), 1e-5);
        EXPECT_LT(pose.rotation.angularDistance(wanted.rotation), 1e-5);
      }
      const Posed zero = zero_pose(link);
      EXPECT_LT((zero.position - expected.child_in_parent(0.0).position).norm(), 1e-5);
    }
  }
}

// Two free bodies with a generic joint between them; what is not in `locked` is open.
PhysicsModel generic(Random& random, const std::vector<JointDof>& locked) {
  PhysicsModel model;
  model.units = {Axis::z, 1.0, 1.0, true};
  model.rigid_bodies.resize(2);
  for (int i = 0; i < 2; ++i) {
    RigidBody& body = model.rigid_bodies[static_cast<std::size_t>(i)];
    body.path = i == 0 ? "/a" : "/b";
    body.pose = {vector(random, 1).cast<float>(), rotation(random).cast<float>()};
  }
  Joint& joint = model.joints.emplace_back();
  joint.path = "/j";
  for (int i = 0; i < 2; ++i) {
    joint.ends[i].body = i;
    joint.ends[i].frame = {vector(random, 1).cast<float>(), rotation(random).cast<float>()};
  }
  D6Joint d6;
  for (const JointDof dof : locked) d6.limits.push_back({dof, {true, 1.0F, -1.0F}});
  joint.kind = d6;
  return model;
}

TEST(LinkJoint, OpenJointsGiveBackThePosesOfTheFileAtTheirStart) {
  Random random(3);
  for (int i = 0; i < 500; ++i) {
    const PhysicsModel model = generic(random, {});
    for (const std::int32_t child : {0, 1}) {
      const LinkJoint link = link_joint(model, 0, child);
      ASSERT_EQ(link.dofs.size(), 6U);
      std::vector<double> start;
      for (const LinkDof& dof : link.dofs) start.push_back(dof.start);
      const Posed pose = link_pose(link, start, true);
      const RigidBody& parent = model.body(1 - child);
      const Vector3d world =
          parent.pose.position.cast<double>() + parent.pose.rotation.cast<double>() * pose.position;
      EXPECT_LT((world - model.body(child).pose.position.cast<double>()).norm(), 1e-5);
      EXPECT_LT((parent.pose.rotation.cast<double>() * pose.rotation)
                    .angularDistance(model.body(child).pose.rotation.cast<double>()),
                1e-5);
    }
  }
}

// The axes are where the child goes if a coordinate grows a little.
TEST(LinkJoint, AxesAreTheDirectionsOfSmallSteps) {
  Random random(4);
  constexpr double kStep = 1e-5;
  for (int i = 0; i < 300; ++i) {
    const PhysicsModel model = generic(random, {});
    for (const std::int32_t child : {0, 1}) {
      const LinkJoint link = link_joint(model, 0, child);
      std::vector<double> q;
      for (const LinkDof& dof : link.dofs) q.push_back(dof.start);
      const Posed before = link_pose(link, q, true);
      for (std::size_t k = 0; k < q.size(); ++k) {
        std::vector<double> moved = q;
        moved[k] += kStep;
        const Posed after = link_pose(link, moved, true);
        const LinkDof& dof = link.dofs[k];
        if (dof.is_rotation()) {
          const Eigen::AngleAxisd turn(
              Quatd(before.rotation.conjugate() * after.rotation).normalized());
          EXPECT_NEAR(turn.angle(), kStep, 1e-8);
          EXPECT_LT((turn.axis() - dof.axis_in_child).norm(), 1e-3);
          // The anchor stays where it is.
          EXPECT_LT(((before.position + before.rotation * link.anchor) -
                     (after.position + after.rotation * link.anchor))
                        .norm(),
                    1e-9);
        } else {
          const Vector3d step = before.rotation.conjugate() * (after.position - before.position);
          EXPECT_LT((step / kStep - dof.axis_in_child).norm(), 1e-5);
          EXPECT_LT((before.rotation * dof.axis_in_child - dof.axis_in_parent).norm(), 1e-5);
        }
      }
    }
  }
}

TEST(LinkJoint, TellsHowFarLockedFramesStandApart) {
  Random random(5);
  PhysicsModel model = generic(random, {});
  model.joints[0].kind = FixedJoint{};
  const LinkJoint apart = link_joint(model, 0, 1);
  EXPECT_TRUE(apart.dofs.empty());
  EXPECT_GT(apart.mismatch_distance, 0.01);
  EXPECT_NEAR(apart.mismatch_distance,
              static_cast<double>(world_frames(model, model.joints[0]).distance), 1e-5);

  snap_to_joints(model, {{0, 1}});
  const LinkJoint snapped = link_joint(model, 0, 1);
  EXPECT_LT(snapped.mismatch_distance, 1e-5);
  EXPECT_LT(snapped.mismatch_angle, 1e-3);
}

// A cone that is open one way is still a cone about its axis: that turn comes last.
TEST(LinkJoint, TwistsLastAboutTheAxisOfItsCone) {
  for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
    for (const bool first_is_open : {false, true}) {
      Random random(5);
      PhysicsModel model = generic(random, {});
      const float limit = 0.3F;
      model.joints[0].kind = SphericalJoint{
          axis, {true, first_is_open ? -1.0F : limit, first_is_open ? limit : -1.0F}};
      const LinkJoint link = link_joint(model, 0, 1);
      ASSERT_EQ(link.dofs.size(), 3U);
      EXPECT_EQ(link.dofs[2].dof,
                static_cast<JointDof>(static_cast<int>(JointDof::rot_x) + static_cast<int>(axis)));
    }
  }
}

TEST(LinkJoint, StartsWithinItsRangeWhereATurnBringsItThere) {
  PhysicsModel model;
  model.units = {Axis::z, 1.0, 1.0, true};
  model.rigid_bodies.resize(1);
  Joint& joint = model.joints.emplace_back();
  joint.ends[1].body = 0;
  RevoluteJoint hinge;
  hinge.limit = {true, 5.0F, 7.0F};  // 0 is outside, 2 pi is not.
  joint.kind = hinge;
  EXPECT_NEAR(link_joint(model, 0, 0).dofs[0].start, 2.0 * std::numbers::pi, 1e-6);
  EXPECT_EQ(link_joint(model, 7, 0).dofs.size(), 6U);
  EXPECT_EQ(link_joint(model, -1, -1).child, kNone);
}

// --- Forests

TEST(JointForest, HoldsEveryBodyOnceAndParentsFirst) {
  Random random(6);
  for (int round = 0; round < 300; ++round) {
    PhysicsModel model;
    const int bodies = random.between(1, 12);
    for (int i = 0; i < bodies; ++i) {
      RigidBody& body = model.rigid_bodies.emplace_back();
      body.path = "/b" + std::to_string(i);
      body.rigid_body_enabled = !random.chance(10);
      body.kinematic_body = random.chance(10);
    }
    for (int i = random.between(0, 20); i > 0; --i) {
      Joint& joint = model.joints.emplace_back();
      joint.path = "/j" + std::to_string(i);
      for (JointEnd& end : joint.ends) end.body = random.between(-1, bodies - 1);
      if (random.chance(60)) joint.kind = RevoluteJoint{};
      if (random.chance(10)) joint.kind = DistanceJoint{};
      joint.joint_enabled = !random.chance(10);
      joint.exclude_from_articulation = random.chance(10);
    }
    const JointForest forest = joint_forest(model);
    ASSERT_EQ(forest.links.size(), model.rigid_bodies.size());
    std::vector<int> seen(model.rigid_bodies.size(), 0);
    std::vector<int> holds(model.joints.size(), 0);
    for (std::size_t i = 0; i < forest.links.size(); ++i) {
      const ForestLink& link = forest.links[i];
      ++seen[static_cast<std::size_t>(link.body)];
      EXPECT_EQ(forest.link_of_body[static_cast<std::size_t>(link.body)],
                static_cast<std::int32_t>(i));
      EXPECT_LT(link.parent, static_cast<std::int32_t>(i));
      const RigidBody& body = model.body(link.body);
      const bool stands = !body.rigid_body_enabled || body.kinematic_body;
      EXPECT_EQ(stands, link.state == LinkState::is_static || link.state == LinkState::kinematic);
      EXPECT_EQ(link.joints.empty(), stands || link.state == LinkState::free);
      for (const std::int32_t j : link.joints) {
        ++holds[static_cast<std::size_t>(j)];
        const Joint& joint = model.joint(j);
        EXPECT_TRUE(joint.joint_enabled && !joint.exclude_from_articulation);
        EXPECT_FALSE(std::holds_alternative<DistanceJoint>(joint.kind));
        EXPECT_TRUE(joint.ends[0].body == link.body || joint.ends[1].body == link.body);
        if (link.parent != kNone) {
          const std::int32_t parent = forest.links[static_cast<std::size_t>(link.parent)].body;
          EXPECT_TRUE(joint.ends[0].body == parent || joint.ends[1].body == parent);
          EXPECT_FALSE(model.body(parent).kinematic_body);
        }
      }
    }
    EXPECT_THAT(seen, ::testing::Each(1));
    for (const std::int32_t j : forest.loop_joints) ++holds[static_cast<std::size_t>(j)];
    EXPECT_THAT(holds, ::testing::Each(::testing::Le(1)));
    // Two that a holding joint could connect are never both free.
    for (const std::int32_t j : forest.loop_joints) {
      const Joint& joint = model.joint(j);
      if (!std::holds_alternative<RevoluteJoint>(joint.kind) || joint.exclude_from_articulation) {
        continue;
      }
      int free = 0;
      for (const JointEnd& end : joint.ends) {
        if (end.body == kNone || !model.body(end.body).rigid_body_enabled) continue;
        const ForestLink& link = forest.links[static_cast<std::size_t>(
            forest.link_of_body[static_cast<std::size_t>(end.body)])];
        free += link.state == LinkState::free ? 1 : 0;
      }
      const bool kinematic =
          std::any_of(std::begin(joint.ends), std::end(joint.ends), [&](const JointEnd& end) {
            return end.body != kNone && model.body(end.body).kinematic_body;
          });
      EXPECT_TRUE(kinematic || free < 2);
    }
  }
}

TEST(JointForest, StacksJointsOnlyWhereTheFileSaysSo) {
  PhysicsModel model;
  model.rigid_bodies.resize(2);
  for (int i = 0; i < 3; ++i) {
    Joint& joint = model.joints.emplace_back();
    joint.path = "/j" + std::to_string(i);
    joint.ends[0].body = 0;
    joint.ends[1].body = 1;
    RevoluteJoint hinge;
    hinge.axis = static_cast<Axis>(i);
    joint.kind = hinge;
  }
  EXPECT_EQ(joint_forest(model).links[1].joints.size(), 1U);
  EXPECT_EQ(joint_forest(model).loop_joints.size(), 2U);
  model.joint_extras.resize(3);
  for (JointExtras& extras : model.joint_extras) extras.stacks = true;
  EXPECT_THAT(joint_forest(model).links[1].joints, ElementsAre(0, 1, 2));
  EXPECT_THAT(joint_forest(model).loop_joints, IsEmpty());
  EXPECT_EQ(joint_forest(model, {StackedJoints::never}).loop_joints.size(), 2U);
  model.joint_extras[1].is_equality = true;
  EXPECT_EQ(joint_forest(model).links[1].joints.size(), 2U);
  model.joint_extras.clear();
  EXPECT_THAT(joint_forest(model, {StackedJoints::always}).links[1].joints, ElementsAre(0, 1, 2));
}

// --- Mass frames

TEST(MassFrame, HoldsTheSameTensorInEveryForm) {
  Random random(7);
  for (int i = 0; i < 500; ++i) {
    BodyMass mass;
    mass.mass = uniform(random, 0.1, 10.0);
    mass.center_of_mass = vector(random, 1.0);
    mass.diagonal_inertia = {uniform(random, 0.1, 1.0), uniform(random, 0.1, 1.0),
                             uniform(random, 0.1, 1.0)};
    mass.principal_axes = rotation(random);
    mass.principal_axes.coeffs() *= 3.0;  // As authored, of any length.
    const MassFrame frame = mass_frame(mass);
    const Eigen::Matrix3d r = frame.axes.toRotationMatrix();
    EXPECT_LT((r * frame.moments.asDiagonal() * r.transpose() - frame.inertia).norm(), 1e-12);
    EXPECT_LT((rotate_inertia(mass.diagonal_inertia.asDiagonal().toDenseMatrix(),
                              mass.principal_axes.normalized()) -
               frame.inertia)
                  .norm(),
              1e-12);
    EXPECT_GE(frame.moments[0], frame.moments[1]);
    EXPECT_GE(frame.moments[1], frame.moments[2]);
    EXPECT_TRUE(frame.usable);
    EXPECT_EQ(frame.triangle, frame.moments[0] <= frame.moments[1] + frame.moments[2]);
  }
  BodyMass nothing;
  EXPECT_FALSE(mass_frame(nothing).usable);
  nothing.mass = 1.0;
  nothing.diagonal_inertia = {1.0, 1.0, NAN};
  EXPECT_FALSE(mass_frame(nothing).usable);
}

// --- Collision classes

// Half of the scenes have no other filters than joints.
std::string random_filters(Random& random) {
  const bool only_joints = random.chance(50);
  std::string text = "def PhysicsScene \"S\" {}\n";
  std::vector<std::string> shapes;
  std::vector<std::string> bodies;
  for (int i = random.between(1, 9); i > 0; --i) {
    const std::string body = "b" + std::to_string(i);
    bodies.push_back("/" + body);
    const bool moves = !random.chance(20);
    text += "def Xform \"" + body + "\" (apiSchemas = [" +
            (moves ? "\"PhysicsRigidBodyAPI\"" : "") + "]) {\n";
    for (int k = random.between(1, 3); k > 0; --k) {
      const std::string name = "s" + std::to_string(k);
      text += "def Sphere \"" + name +
              "\" (apiSchemas = [\"PhysicsCollisionAPI\", \"PhysicsFilteredPairsAPI\"]) {\n";
      if (!only_joints && !shapes.empty() && random.chance(50)) {
        text += "rel physics:filteredPairs = [<" + random.of(shapes) + ">]\n";
      }
      if (random.chance(10)) text += "bool physics:collisionEnabled = 0\n";
      text += "}\n";
      shapes.push_back("/" + body + "/" + name);
    }
    text += "}\n";
  }
  for (int i = random.between(0, 4); i > 0; --i) {
    text += "def PhysicsFixedJoint \"j" + std::to_string(i) + "\" {\nrel physics:body0 = <" +
            random.of(bodies) + ">\n";
    if (random.chance(70)) {
      text += "rel physics:body1 = <" + random.of(random.chance(70) ? bodies : shapes) + ">\n";
    }
    if (random.chance(20)) text += "bool physics:collisionEnabled = 1\n";
    text += "}\n";
  }
  if (only_joints) return text;
  for (const char* group : {"g", "h"}) {
    text += std::string("def PhysicsCollisionGroup \"") + group + "\" {\n" +
            "rel collection:colliders:includes = [<" + random.of(shapes) +
            ">]\nrel physics:filteredGroups = [</g>]\n}\n";
  }
  return text;
}

bool could_meet(PairReason reason) {
  return reason != PairReason::same_body && reason != PairReason::both_static;
}

TEST(CollisionClasses, SayOfEveryPairWhatTheFilterSays) {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Random random(seed);
    const PhysicsModel model = read(random_filters(random), Rules::documented);
    Diagnostics unused;
    const PairFilter filter = PairFilter::build(model, unused);
    const CollisionClasses classes = collision_classes(model, filter);
    const CollisionMasks exact = collision_masks(model, filter, classes, 32);
    const CollisionMasks coarse = collision_masks(model, filter, classes, 2);
    ASSERT_TRUE(exact.exact);
    std::size_t wrong = 0;
    const auto meet = [](const CollisionMasks& masks, std::size_t a, std::size_t b) {
      return (masks.of_shape[a].group & masks.of_shape[b].mask) != 0 &&
             (masks.of_shape[b].group & masks.of_shape[a].mask) != 0;
    };
    for (std::size_t a = 0; a < model.shapes.size(); ++a) {
      EXPECT_EQ(classes.class_of_shape[a] == kNone, !model.shapes[a].collision_enabled);
      for (std::size_t b = a + 1; b < model.shapes.size(); ++b) {
        const PairDecision decision =
            filter.decide(static_cast<std::int32_t>(a), static_cast<std::int32_t>(b));
        if (!could_meet(decision.reason)) continue;
        EXPECT_EQ(classes.collide(classes.class_of_shape[a], classes.class_of_shape[b]),
                  decision.collides)
            << seed;
        EXPECT_EQ(meet(exact, a, b), decision.collides);
        wrong += meet(coarse, a, b) != decision.collides ? 1 : 0;
      }
    }
    EXPECT_EQ(coarse.leftover_count, wrong);
    if (coarse.exact) {
      EXPECT_EQ(wrong, 0U);
    }
  }
}

TEST(CollisionClasses, BodyPairsAreExcludedWhollyOrMixed) {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Random random(seed);
    const PhysicsModel model = read(random_filters(random), Rules::documented);
    Diagnostics unused;
    const PairFilter filter = PairFilter::build(model, unused);
    const ExcludedBodyPairs pairs = excluded_body_pairs(model, filter);
    const auto bodies = static_cast<std::int32_t>(model.rigid_bodies.size());
    for (std::int32_t a = kNone; a < bodies; ++a) {
      for (std::int32_t b = a + 1; b < bodies; ++b) {
        std::size_t apart = 0;
        std::size_t all = 0;
        for (std::size_t s = 0; s < model.shapes.size(); ++s) {
          for (std::size_t t = 0; t < model.shapes.size(); ++t) {
            const Shape& x = model.shapes[s];
            const Shape& y = model.shapes[t];
            if (x.body != a || y.body != b || !x.collision_enabled || !y.collision_enabled)
              continue;
            ++all;
            apart +=
                filter.collides(static_cast<std::int32_t>(s), static_cast<std::int32_t>(t)) ? 0 : 1;
          }
        }
        const ExcludedBodyPairs::Pair pair(a, b);
        EXPECT_EQ(std::count(pairs.excluded.begin(), pairs.excluded.end(), pair),
                  all > 0 && apart == all ? 1 : 0);
        EXPECT_EQ(std::count(pairs.mixed.begin(), pairs.mixed.end(), pair),
                  apart > 0 && apart < all ? 1 : 0);
      }
    }
  }
}

// --- Hulls

double volume(const HullMesh& mesh) {
  double sum = 0.0;
  for (const auto& t : mesh.triangles) {
    const auto p = [&](std::size_t i) { return mesh.points[static_cast<std::size_t>(t[i])]; };
    sum += p(0).dot(p(1).cross(p(2))) / 6.0;
  }
  return sum;
}

TEST(ShapeHull, RoundShapesLoseLittleAndFaceOutwards) {
  const auto shape = [](auto geometry) {
    Shape s;
    s.geometry = geometry;
    return s;
  };
  for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
    for (const Shape& s :
         {shape(SphereShape{0.7F}), shape(CubeShape{{0.1F, -0.2F, 0.3F}}),
          shape(CapsuleShape{0.3F, 0.5F, axis}), shape(CylinderShape{0.3F, 0.5F, axis}),
          shape(ConeShape{0.3F, 0.5F, axis}), shape(Capsule1Shape{0.2F, 0.4F, 0.5F, axis}),
          shape(Capsule1Shape{0.4F, 0.2F, 0.5F, axis}),
          shape(Cylinder1Shape{0.2F, 0.4F, 0.5F, axis})}) {
      Diagnostics unused;
      const double exact = solid_of(s, unused)->volume;
      const HullMesh hull = hull_of(s);
      EXPECT_GT(volume(hull), 0.99 * exact);
      EXPECT_LT(volume(hull), (1.0 + 1e-9) * exact);
      EXPECT_NEAR(hull.volume_ratio, volume(hull) / exact, 1e-9);
      EXPECT_GT(volume(hull), volume(hull_of(s, 12)) * (1.0 - 1e-12));
    }
  }
  EXPECT_TRUE(hull_of(shape(PlaneShape{})).is_flat);
  EXPECT_TRUE(hull_of(shape(SphereShape{0.0F})).is_flat);
}

// A tetrahedron, and beside it, in the same mesh, a box.
Shape mesh_shape(const Vector3f& scale, bool left_handed) {
  static const std::vector<Vector3f> points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1},
                                               {2, 0, 0}, {3, 0, 0}, {3, 1, 0}, {2, 1, 0},
                                               {2, 0, 1}, {3, 0, 1}, {3, 1, 1}, {2, 1, 1}};
  static const std::vector<std::int32_t> counts = {3, 3, 3, 3, 4, 4, 4, 4, 4, 4};
  static const std::vector<std::int32_t> faces = {0, 2, 1,  0, 1, 3, 1,  2,  3, 2, 0, 3,
                                                  4, 7, 6,  5, 8, 9, 10, 11, 4, 5, 9, 8,
                                                  5, 6, 10, 9, 6, 7, 11, 10, 7, 4, 8, 11};
  static std::vector<std::int32_t> turned;
  if (turned.empty()) {
    turned = faces;
    std::size_t first = 0;
    for (const std::int32_t count : counts) {
      std::reverse(turned.begin() + static_cast<std::ptrdiff_t>(first),
                   turned.begin() + static_cast<std::ptrdiff_t>(first) + count);
      first += static_cast<std::size_t>(count);
    }
  }
  auto mesh = std::make_shared<geom::Mesh>();
  mesh->points = points;
  mesh->face_counts = counts;
  mesh->face_indices = left_handed ? turned : faces;
  mesh->left_handed = left_handed;
  Shape shape;
  MeshShape geometry;
  geometry.mesh_scale = scale;
  geometry.geometry = mesh;
  shape.geometry = geometry;
  return shape;
}

TEST(ShapeHull, TrianglesOfAShapeWithoutAMeshAreThoseOfItsHull) {
  Shape shape;
  shape.geometry = CubeShape{{0.5F, 1.0F, 1.5F}};
  const HullMesh mesh = triangles_of(shape);
  EXPECT_EQ(mesh.triangles, hull_of(shape).triangles);
  EXPECT_NEAR(volume(mesh), 6.0, 1e-9);
}

TEST(ShapeHull, MeshesFaceOutwardsHoweverTheyAreMirrored) {
  for (const bool left_handed : {false, true}) {
    for (int signs = 0; signs < 8; ++signs) {
      const Vector3f scale((signs & 1) != 0 ? -1.0F : 1.0F, (signs & 2) != 0 ? -2.0F : 2.0F,
                           (signs & 4) != 0 ? -0.5F : 0.5F);
      const Shape shape = mesh_shape(scale, left_handed);
      EXPECT_NEAR(volume(triangles_of(shape)), 1.0 / 6.0 + 1.0, 1e-9);
      EXPECT_GT(volume(hull_of(shape)), 7.0 / 6.0);
      EXPECT_NEAR(hull_of(shape).volume_ratio, volume(hull_of(shape)) * 6.0 / 7.0, 1e-9);
      const std::vector<HullMesh> parts = parts_of(shape);
      ASSERT_EQ(parts.size(), 2U);
      EXPECT_NEAR(volume(parts[0]) + volume(parts[1]), 7.0 / 6.0, 1e-9);
      EXPECT_NEAR(parts[0].volume_ratio, 1.0, 1e-9);
    }
  }
}

TEST(ShapeHull, FlatMeshesGetABoxBelowTheirPlane) {
  Random random(8);
  for (int i = 0; i < 200; ++i) {
    const Quatd turn = rotation(random);
    const Vector3d place = vector(random, 2.0);
    const double width = uniform(random, 0.5, 2.0);
    const double depth = uniform(random, 0.5, 2.0);
    HullMesh mesh;
    for (const auto& [x, y] : {std::pair{0.0, 0.0}, {width, 0.0}, {width, depth}, {0.0, depth}}) {
      mesh.points.push_back(place + turn * Vector3d(x, y, 0.0));
    }
    mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
    const HullBox box = flat_box(mesh, 0.001);
    EXPECT_NEAR(8.0 * box.half_extents.prod(), width * depth * 0.001, 1e-9);
    const Vector3d up = box.pose.rotation * Vector3d::UnitZ();
    EXPECT_LT((up - turn * Vector3d::UnitZ()).norm(), 1e-6);
    EXPECT_NEAR(up.dot(box.pose.position + 0.0005 * up - place), 0.0, 1e-9);
  }
}

// --- The rest

TEST(UniqueNames, AreUniqueAndDoNotDependOnTheOrder) {
  const std::vector<std::string> paths = {"/a/hand", "/b/hand", "/a/hand_2", "/a-b", "/a_b", "/1"};
  std::vector<std::string> reversed(paths.rbegin(), paths.rend());
  for (const NameStyle style : {NameStyle::path, NameStyle::leaf, NameStyle::identifier}) {
    const UniqueNames names = unique_names(paths, style, {"world", "hand"});
    const UniqueNames other = unique_names(reversed, style, {"world", "hand"});
    EXPECT_EQ(names.index_of.size(), paths.size());
    for (std::size_t i = 0; i < paths.size(); ++i) {
      EXPECT_EQ(names.index_of.at(names.names[i]), i);
      EXPECT_EQ(names.names[i], other.names[paths.size() - 1 - i]);
      EXPECT_NE(names.names[i], "hand");
    }
  }
  EXPECT_THAT(unique_names(paths, NameStyle::path).names, ::testing::ElementsAreArray(paths));
  EXPECT_THAT(unique_names({"/b/x", "/a/x"}, NameStyle::leaf).names, ElementsAre("x_2", "x"));
  EXPECT_THAT(unique_names({"/1", "/a.b"}, NameStyle::identifier).names, ElementsAre("_1", "a_b"));
}

TEST(Lookup, FindsEveryObjectByItsPath) {
  const sinew::test::RandomRobot robot(11);
  const PhysicsModel model = model_of(robot);
  const Lookup lookup(model);
  for (std::size_t i = 0; i < model.rigid_bodies.size(); ++i) {
    EXPECT_EQ(lookup.body(model.rigid_bodies[i].path), static_cast<std::int32_t>(i));
  }
  for (std::size_t i = 0; i < model.shapes.size(); ++i) {
    EXPECT_EQ(lookup.shape(model.shapes[i].path), static_cast<std::int32_t>(i));
  }
  EXPECT_EQ(lookup.scene("/Scene"), 0);
  EXPECT_EQ(lookup.scene("/Scen"), kNone);
  EXPECT_EQ(lookup.joint(""), kNone);
  EXPECT_EQ(lookup.material("/Scene"), kNone);
}

TEST(InitialState, TurnsVelocitiesIntoWorldSpaceWithoutScale) {
  const PhysicsModel model = read(prim(
      "Xform", "b", "RigidBody",
      test::transform("(0, 0, 0)", "(0, 0, 90)", "(3, 3, 3)") +
          "vector3f physics:velocity = (1, 0, 0)\nvector3f physics:angularVelocity = (0, 0, 5)\n"));
  const JointForest forest = joint_forest(model);
  const std::vector<LinkStart> starts = initial_state(model, forest);
  ASSERT_EQ(starts.size(), 1U);
  EXPECT_LT((starts[0].velocity - Vector3d(0, 1, 0)).norm(), 1e-6);
  EXPECT_LT((starts[0].angular_velocity - Vector3d(0, 0, 5)).norm(), 1e-6);
}

TEST(InitialState, GravityIsThatOfTheSceneThatMostBodiesName) {
  PhysicsModel model;
  model.units = {Axis::z, 0.01, 1.0, false};
  EXPECT_NEAR(model_gravity(model).magnitude, 981.0F, 1e-3F);
  EXPECT_EQ(model_gravity(model).direction, Vector3f(0, 0, -1));
  for (const char* path : {"/moon", "/earth"}) {
    Scene& scene = model.scenes.emplace_back();
    scene.path = path;
    scene.gravity_magnitude = path[1] == 'm' ? 162.0F : 981.0F;
  }
  EXPECT_EQ(model_gravity(model).magnitude, 162.0F);
  for (int i = 0; i < 3; ++i) {
    model.rigid_bodies.emplace_back().simulation_owner_paths = {i == 0 ? "/moon" : "/earth"};
  }
  EXPECT_EQ(model_gravity(model).magnitude, 981.0F);
}

// Against the energy of a unit speed: I = sum of m v^2 + w I w of everything below.
TEST(EffectiveInertia, IsTwiceTheEnergyOfAUnitSpeed) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const sinew::test::RandomRobot robot(seed);
    const PhysicsModel model = model_of(robot);
    Diagnostics unused;
    std::vector<MassFrame> masses;
    for (const BodyMass& mass : body_masses(model, unused)) masses.push_back(mass_frame(mass));
    const JointForest forest = joint_forest(model);
    for (std::size_t l = 0; l < forest.links.size(); ++l) {
      const ForestLink& link = forest.links[l];
      ASSERT_EQ(link.joints.size(), 1U);
      const LinkJoint joint = link_joint(model, link.joints[0], link.body);
      const RigidBody& child = model.body(link.body);
      const Quatd turned = child.pose.rotation.cast<double>().normalized();
      const Vector3d axis = turned * joint.dofs[0].axis_in_child;
      const Vector3d pivot = child.pose.position.cast<double>() + turned * joint.anchor;
      double energy = 0.0;
      for (const std::int32_t below : forest.links_below(static_cast<std::int32_t>(l))) {
        const std::int32_t body = forest.links[static_cast<std::size_t>(below)].body;
        const MassFrame& mass = masses[static_cast<std::size_t>(body)];
        const Pose& pose = model.body(body).pose;
        const Quatd q = pose.rotation.cast<double>().normalized();
        const Vector3d center = pose.position.cast<double>() + q * mass.center;
        if (!joint.dofs[0].is_rotation()) {
          energy += mass.mass;
          continue;
        }
        const Vector3d spin = q.conjugate() * axis;
        energy +=
            mass.mass * axis.cross(center - pivot).squaredNorm() + spin.dot(mass.inertia * spin);
      }
      const double inertia =
          effective_inertia(model, forest, masses, static_cast<std::int32_t>(l), joint, 0);
      EXPECT_NEAR(inertia, energy, 1e-9 * energy);
      EXPECT_EQ(effective_inertia(model, forest, masses, static_cast<std::int32_t>(l), joint, 1),
                0.0);
    }
  }
}

// --- Parts for engines that hold bodies together by constraints

// A body of each kind, colliders of each, and one that belongs to none.
const char* const kParts = R"(
def Xform "Moving" (apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"]) {
  float physics:mass = 3
  vector3f physics:velocity = (2, 0, 0)
  vector3f physics:angularVelocity = (90, 0, 0)
  double3 xformOp:rotateXYZ = (0, 0, 90)
  uniform token[] xformOpOrder = ["xformOp:rotateXYZ"]
  def Sphere "on" (apiSchemas = ["PhysicsCollisionAPI"]) {}
  def Sphere "off" (apiSchemas = ["PhysicsCollisionAPI"]) { bool physics:collisionEnabled = 0
  }
}
def Sphere "Kinematic" (apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) {
  bool physics:kinematicEnabled = 1
  vector3f physics:velocity = (0, 5, 0)
}
def Sphere "Disabled" (apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) {
  bool physics:rigidBodyEnabled = 0
}
def Sphere "Weightless" (apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI",
    "PhysicsMassAPI"]) {
  float physics:mass = 1
}
def Sphere "Ground" (apiSchemas = ["PhysicsCollisionAPI"]) {}
)";

TEST(EngineParts, BodiesAreTheWorldAndThenThoseOfTheModel) {
  PhysicsModel model = read(kParts, Rules::documented).to_si();
  const Lookup lookup(model);
  Diagnostics diagnostics;
  std::vector<BodyMass> masses = body_masses(model, diagnostics);
  masses[static_cast<std::size_t>(lookup.body("/Weightless"))].mass = 0.0;

  const std::vector<EngineBody> bodies = engine_bodies(model, masses);

  ASSERT_EQ(bodies.size(), 5U);
  const auto of = [&](const char* path) {
    return bodies[static_cast<std::size_t>(lookup.body(path) + 1)];
  };
  EXPECT_EQ(bodies[0].body, kNone);
  EXPECT_FALSE(bodies[0].moves);
  EXPECT_THAT(bodies[0].colliders, ElementsAre(lookup.shape("/Ground")));
  const EngineBody moving = of("/Moving");
  EXPECT_EQ(moving.body, lookup.body("/Moving"));
  EXPECT_TRUE(moving.moves);
  EXPECT_EQ(moving.mass.mass, 3.0);
  EXPECT_TRUE(moving.mass.usable);
  EXPECT_THAT(moving.colliders, ElementsAre(lookup.shape("/Moving/on")));
  EXPECT_LT((moving.velocity - Vector3f(0, 0.02F, 0)).norm(), 1e-6F);
  EXPECT_LT((moving.angular_velocity - Vector3f(0, std::numbers::pi_v<float> / 2, 0)).norm(),
            1e-6F);
  for (const char* still : {"/Kinematic", "/Disabled", "/Weightless"}) {
    EXPECT_FALSE(of(still).moves) << still;
    EXPECT_EQ(of(still).mass.mass, 0.0) << still;
    EXPECT_EQ(of(still).mass.moments, Vector3d(Vector3d::Zero())) << still;
    EXPECT_THAT(of(still).colliders, ElementsAre(lookup.shape(still)));
  }
  for (const EngineBody& body : engine_bodies(model, {})) EXPECT_FALSE(body.moves);
}

TEST(EngineParts, BodiesHaveTheMaterialOfTheirFirstColliderThatIsBound) {
  const PhysicsModel model = read(R"(#usda 1.0
def Material "Rough" (apiSchemas = ["PhysicsMaterialAPI"]) {
  float physics:staticFriction = 0.9
  float physics:dynamicFriction = 0.75
  float physics:restitution = 1.5
}
def Material "Odd" (apiSchemas = ["PhysicsMaterialAPI"]) {
  float physics:dynamicFriction = -1
  float physics:restitution = -1
}
def Xform "Body" (apiSchemas = ["PhysicsRigidBodyAPI"]) {
  def Sphere "Unbound" (apiSchemas = ["PhysicsCollisionAPI"]) {}
  def Sphere "Off" (apiSchemas = ["PhysicsCollisionAPI", "MaterialBindingAPI"]) {
    bool physics:collisionEnabled = 0
    rel material:binding:physics = </Odd>
  }
  def Sphere "First" (apiSchemas = ["PhysicsCollisionAPI", "MaterialBindingAPI"]) {
    rel material:binding:physics = </Rough>
  }
  def Sphere "Second" (apiSchemas = ["PhysicsCollisionAPI", "MaterialBindingAPI"]) {
    rel material:binding:physics = </Odd>
  }
}
def Sphere "Ground" (apiSchemas = ["PhysicsCollisionAPI", "MaterialBindingAPI"]) {
  rel material:binding:physics = </Odd>
}
def Sphere "Plain" (apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) {}
)",
                                  Rules::documented);
  const std::vector<EngineBody> bodies = engine_bodies(model, {});
  const Lookup lookup(model);
  const EngineBody& body = bodies[static_cast<std::size_t>(lookup.body("/Body") + 1)];
  EXPECT_EQ(body.friction, 0.75F);
  EXPECT_EQ(body.restitution, 1.0F);
  EXPECT_EQ(bodies[0].friction, 0.0F);
  EXPECT_EQ(bodies[0].restitution, 0.0F);
  const EngineBody& plain = bodies[static_cast<std::size_t>(lookup.body("/Plain") + 1)];
  EXPECT_EQ(plain.friction, std::nullopt);
  EXPECT_EQ(plain.restitution, std::nullopt);
}

TEST(EngineParts, JointsAreThoseThatHoldTwoThings) {
  const PhysicsModel model = read(std::string(kParts) + R"(
def PhysicsRevoluteJoint "Good" {
  rel physics:body0 = </Moving>
  rel physics:body1 = </Kinematic>
  uniform token physics:axis = "Z"
  point3f physics:localPos0 = (100, 0, 0)
}
def PhysicsFixedJoint "Off" {
  rel physics:body0 = </Moving>
  bool physics:jointEnabled = 0
}
def PhysicsFixedJoint "Own" {
  rel physics:body0 = </Moving>
  rel physics:body1 = </Moving>
}
def PhysicsFixedJoint "World" {
  rel physics:body1 = </Moving>
}
)",
                                  Rules::documented)
                                 .to_si();
  const Lookup lookup(model);

  const std::vector<EngineJoint> joints = engine_joints(model);

  ASSERT_EQ(joints.size(), 2U);
  EXPECT_EQ(joints[0].joint, lookup.joint("/Good"));
  EXPECT_EQ(joints[0].bodies[0], static_cast<std::size_t>(lookup.body("/Moving") + 1));
  EXPECT_EQ(joints[0].bodies[1], static_cast<std::size_t>(lookup.body("/Kinematic") + 1));
  EXPECT_EQ(joints[0].form.dof(JointDof::rot_x).state, DofState::free);
  // The body is turned: 1 m along its x is 1 m along y.
  EXPECT_LT((joints[0].world[0].position - Vector3f(0, 1, 0)).norm(), 1e-6F);
  // What turned about Z turns about X.
  EXPECT_LT((joints[0].world[0].rotation * Vector3f::UnitX() - Vector3f::UnitZ()).norm(), 1e-6F);
  EXPECT_LT((joints[0].world[1].rotation * Vector3f::UnitX() - Vector3f::UnitZ()).norm(), 1e-6F);
  EXPECT_EQ(joints[1].joint, lookup.joint("/World"));
  EXPECT_EQ(joints[1].bodies[0], 0U);
}

}  // namespace
}  // namespace sinew::physics
