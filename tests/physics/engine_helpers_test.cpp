// SPDX-License-Identifier: Apache-2.0
// The smaller things that adapters to engines are built of.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "physics/random_values.hpp"
#include "physics/read_scene.hpp"
#include "sinew/physics/effective_inertia.hpp"
#include "sinew/physics/inertia.hpp"
#include "sinew/physics/initial_state.hpp"
#include "sinew/physics/joint_forest.hpp"
#include "sinew/physics/link_joint.hpp"
#include "sinew/physics/lookup.hpp"
#include "sinew/physics/mass_frame.hpp"
#include "sinew/physics/names.hpp"
#include "support/random_robot.hpp"

namespace sinew::physics::engine_helpers_test {
namespace {

using sinew::test::Random;
using test::add_joint;
using test::model_of;
using test::prim;
using test::read;
using test::rotation;
using test::uniform;
using test::vector;
using ::testing::ElementsAre;

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
    EXPECT_EQ(frame.mass, mass.mass);
    EXPECT_EQ(frame.center, mass.center_of_mass);
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
      // Bodies whose masses nobody gives count nothing.
      EXPECT_EQ(effective_inertia(model, forest, {}, static_cast<std::int32_t>(l), joint, 0), 0.0);
    }
  }
}

TEST(MassFrame, IsUsableIfEveryFigureIs) {
  BodyMass good;
  good.mass = 1.0;
  good.center_of_mass = {0, 0, 0};
  good.diagonal_inertia = {3, 1, 2};
  EXPECT_TRUE(mass_frame(good).usable);
  EXPECT_TRUE(mass_frame(good).triangle);
  const auto usable = [&](auto change) {
    BodyMass mass = good;
    change(mass);
    return mass_frame(mass).usable;
  };
  EXPECT_FALSE(usable([](BodyMass& m) { m.mass = 0.0; }));
  EXPECT_FALSE(usable([](BodyMass& m) { m.mass = INFINITY; }));
  EXPECT_FALSE(usable([](BodyMass& m) { m.center_of_mass.y() = NAN; }));
  EXPECT_FALSE(usable([](BodyMass& m) { m.diagonal_inertia.y() = 0.0; }));
  EXPECT_FALSE(usable([](BodyMass& m) { m.diagonal_inertia.x() = INFINITY; }));
  // Axes that are none are those of the body.
  for (const double w : std::vector<double>{0.0, 1e-11, INFINITY, NAN}) {
    BodyMass mass = good;
    mass.principal_axes = Quatd(w, 0, 0, 0);
    EXPECT_EQ(mass_frame(mass).inertia.diagonal(), good.diagonal_inertia) << w;
    EXPECT_TRUE(mass_frame(mass).usable) << w;
  }
}

TEST(UniqueNames, IdentifiersHaveLettersDigitsAndLines) {
  EXPECT_THAT(unique_names({"/aZ_09", "/az{|}", "/@[`x", "/\xC3\xA4", "/", "", "/a/B:c"},
                           NameStyle::identifier)
                  .names,
              ElementsAre("aZ_09", "az___", "___x", "__", "__2", "_", "a_B_c"));
  EXPECT_THAT(unique_names({"x", "/y", "/"}, NameStyle::leaf).names, ElementsAre("x", "y", ""));
}

// By the poses of the bodies, and beside that what dialects say.
TEST(InitialState, ListsEveryFreedomOfEveryLink) {
  PhysicsModel model;
  model.units = {Axis::z, 1.0, 1.0, true};
  model.rigid_bodies.resize(2);
  model.rigid_bodies[1].pose.position = {0, 3, 0};
  for (const std::int32_t parent : {kNone, 0}) {
    PrismaticJoint slide;
    slide.axis = Axis::y;
    add_joint(model, parent, parent + 1, slide);
  }
  model.joint_extras.resize(2);
  DofExtras& said = model.joint_extras[1].dofs.emplace_back();
  said.dof = JointDof::distance;
  said.start = 4.0F;
  said.start_velocity = 5.0F;
  const JointForest forest = joint_forest(model);

  const std::vector<LinkStart> starts = initial_state(model, forest);

  ASSERT_EQ(starts.size(), 2U);
  ASSERT_EQ(starts[0].dofs.size(), 1U);
  EXPECT_EQ(starts[0].dofs[0].joint, 0);
  EXPECT_EQ(starts[0].dofs[0].dof, JointDof::trans_y);
  EXPECT_EQ(starts[0].dofs[0].position, 0.0);
  EXPECT_EQ(starts[0].dofs[0].velocity, 0.0);
  EXPECT_EQ(starts[0].dofs[0].stated, std::nullopt);
  ASSERT_EQ(starts[1].dofs.size(), 1U);
  EXPECT_EQ(starts[1].dofs[0].joint, 1);
  EXPECT_EQ(starts[1].dofs[0].position, 3.0);
  EXPECT_EQ(starts[1].dofs[0].velocity, 5.0);
  EXPECT_EQ(starts[1].dofs[0].stated, 4.0);
}

// Of several owners each counts; of scenes that as many bodies name the first.
TEST(InitialState, OfScenesThatAsManyBodiesNameTheFirstCounts) {
  PhysicsModel model;
  for (const char* path : {"/a", "/b", "/c"}) {
    Scene& scene = model.scenes.emplace_back();
    scene.path = path;
    scene.gravity_magnitude = static_cast<float>(path[1] - 'a');
    scene.gravity_direction = Vector3f::UnitX();
  }
  model.rigid_bodies.resize(2);
  model.rigid_bodies[0].simulation_owner_paths = {"/b", "/c"};
  EXPECT_EQ(model_gravity(model).magnitude, 1.0F);
  EXPECT_EQ(model_gravity(model).direction, Vector3f(1, 0, 0));
  model.rigid_bodies[1].simulation_owner_paths = {"/other", "/c"};
  EXPECT_EQ(model_gravity(model).magnitude, 2.0F);
}

// Where nobody gives the mass of a link below, those of the others count all the same.
TEST(EffectiveInertia, CountsTheMassesThatAreGiven) {
  PhysicsModel model;
  model.rigid_bodies.resize(3);
  for (std::int32_t i = 0; i < 3; ++i) add_joint(model, i - 1, i, PrismaticJoint{});
  const JointForest forest = joint_forest(model);
  const LinkJoint slide = link_joint(model, 0, 0);
  std::vector<MassFrame> masses(3);
  for (std::size_t i = 0; i < 3; ++i) masses[i].mass = static_cast<double>(1 << i);
  EXPECT_EQ(effective_inertia(model, forest, masses, 0, slide, 0), 7.0);
  EXPECT_EQ(effective_inertia(model, forest, masses, 1, slide, 0), 6.0);
  masses.pop_back();
  EXPECT_EQ(effective_inertia(model, forest, masses, 0, slide, 0), 3.0);
  EXPECT_EQ(effective_inertia(model, forest, masses, 3, slide, 0), 0.0);
}

}  // namespace
}  // namespace sinew::physics::engine_helpers_test
