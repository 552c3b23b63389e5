// SPDX-License-Identifier: Apache-2.0
// Keeping what belongs to given scenes. Comments name the items of the conformance checklist.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "physics/read_scene.hpp"
#include "sinew/physics/describe.hpp"
#include "sinew/physics/mass.hpp"

namespace sinew::physics::owner_filter_test {
namespace {

using test::paths;
using test::prim;
using test::read;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::string kScene = "def PhysicsScene \"scene\" {}\n";
const std::string kOwned = "rel physics:simulationOwner = </scene>\n";

PhysicsModel owned(const std::string& text, std::vector<std::string> owners,
                   Rules rules = Rules::openusd) {
  ReadOptions options;
  options.simulation_owner_paths = std::move(owners);
  return read(kScene + text, rules, options);
}

// How many of everything are left: scenes, bodies, shapes, joints, articulations.
std::vector<std::size_t> counts(const std::string& text, std::vector<std::string> owners,
                                Rules rules = Rules::openusd) {
  const PhysicsModel model = owned(text, std::move(owners), rules);
  return {model.scenes.size(), model.rigid_bodies.size(), model.shapes.size(), model.joints.size(),
          model.articulations.size()};
}

TEST(ReadOwners, BodyWithoutOwner) {  // physics P19
  const std::string body = prim("Xform", "b", "RigidBody");
  EXPECT_THAT(counts(body, {"/scene"}), ElementsAre(1, 0, 0, 0, 0));
  EXPECT_THAT(counts(body, {""}), ElementsAre(0, 1, 0, 0, 0));
  const std::string its_own = prim("Xform", "b", "RigidBody", kOwned);
  EXPECT_THAT(counts(its_own, {"/scene"}), ElementsAre(1, 1, 0, 0, 0));
}

std::string body_with_cube(const std::string& apis, const std::string& body,
                           const std::string& cube) {
  return prim("Xform", "b", apis, body + prim("Cube", "c", "Collision", cube));
}

TEST(ReadOwners, ShapeFollowsItsBody) {  // physics P20
  EXPECT_THAT(counts(body_with_cube("RigidBody", "", ""), {"/scene"}), ElementsAre(1, 0, 0, 0, 0));
  EXPECT_THAT(counts(body_with_cube("RigidBody", "", ""), {""}), ElementsAre(0, 1, 1, 0, 0));
  EXPECT_THAT(counts(body_with_cube("RigidBody", kOwned, ""), {"/scene"}),
              ElementsAre(1, 1, 1, 0, 0));
}

TEST(ReadOwners, StaticShapeHasItsOwnOwner) {  // physics P20
  EXPECT_THAT(counts(body_with_cube("", "", ""), {""}), ElementsAre(0, 0, 1, 0, 0));
  EXPECT_THAT(counts(body_with_cube("", "", ""), {"/scene"}), ElementsAre(1, 0, 0, 0, 0));
  EXPECT_THAT(counts(body_with_cube("", "", kOwned), {"/scene"}), ElementsAre(1, 0, 1, 0, 0));
}

TEST(ReadOwners, JointNeedsBothBodies) {  // physics P21
  for (const std::string relations :
       {"rel physics:body0 = </a>", "rel physics:body0 = </a>\nrel physics:body1 = </b>"}) {
    const bool both = relations.size() > 30;
    const auto scene = [&](const std::string& a, const std::string& b) {
      return prim("Xform", "a", "RigidBody", a) + prim("Xform", "b", "RigidBody", b) +
             "def PhysicsFixedJoint \"j\" {\n" + relations + "\n}\n";
    };
    EXPECT_THAT(counts(scene("", ""), {"/scene"}), ElementsAre(1, 0, 0, 0, 0));
    EXPECT_THAT(counts(scene("", ""), {""}), ElementsAre(0, 2, 0, 1, 0));
    EXPECT_THAT(counts(scene(kOwned, kOwned), {"/scene"}), ElementsAre(1, 2, 0, 1, 0));
    EXPECT_THAT(counts(scene("", kOwned), {"/scene"}), ElementsAre(1, 1, 0, 0, 0));
    EXPECT_THAT(counts(scene(kOwned, ""), {"/scene"}), ElementsAre(1, 1, 0, both ? 0 : 1, 0));
    EXPECT_THAT(counts(scene("", kOwned), {"", "/scene"}), ElementsAre(1, 2, 0, 1, 0));
  }
}

TEST(ReadOwners, ArticulationNeedsAllBodies) {  // physics P22
  const auto scene = [](const std::string& first, const std::string& last) {
    return prim("Xform", "r", "ArticulationRoot",
                prim("Cube", "a", "RigidBody Collision", first) +
                    prim("Cube", "b", "RigidBody Collision", first) +
                    prim("Cube", "c", "RigidBody Collision", last) +
                    "def PhysicsRevoluteJoint \"j\" {\nrel physics:body0 = </r/a>\n"
                    "rel physics:body1 = </r/b>\n}\n"
                    "def PhysicsRevoluteJoint \"k\" {\nrel physics:body0 = </r/b>\n"
                    "rel physics:body1 = </r/c>\n}\n");
  };
  EXPECT_THAT(counts(scene("", ""), {"/scene"}), ElementsAre(1, 0, 0, 0, 0));
  EXPECT_THAT(counts(scene("", ""), {""}), ElementsAre(0, 3, 3, 2, 1));
  EXPECT_THAT(counts(scene(kOwned, ""), {"/scene"}), ElementsAre(1, 2, 2, 1, 0));
  EXPECT_THAT(counts(scene(kOwned, kOwned), {"/scene"}), ElementsAre(1, 3, 3, 2, 1));
}

TEST(ReadOwners, WhatIsLeftNamesTheSameAsBefore) {
  const auto robot = [](const std::string& name, const std::string& more) {
    return prim("Xform", name, "ArticulationRoot",
                prim("Cube", "a", "RigidBody Collision", more) +
                    prim("Cube", "b", "RigidBody Collision", more) +
                    "def PhysicsRevoluteJoint \"j\" {\nrel physics:body0 = </" + name +
                    "/a>\nrel physics:body1 = </" + name + "/b>\n}\n");
  };
  const PhysicsModel model = owned(robot("other", "") + robot("own", kOwned), {"/scene"});
  ASSERT_EQ(model.articulations.size(), 1U);
  std::vector<std::string> names;
  for (const std::int32_t joint : model.articulations[0].joints) {
    names.emplace_back(model.joints.at(static_cast<std::size_t>(joint)).path.view());
  }
  EXPECT_THAT(names, ElementsAre("/own/j"));
  names.clear();
  for (const std::int32_t body : model.articulations[0].bodies) {
    names.emplace_back(model.rigid_bodies.at(static_cast<std::size_t>(body)).path.view());
  }
  EXPECT_THAT(names, ElementsAre("/own/a", "/own/b"));
  EXPECT_EQ(model.rigid_bodies.at(static_cast<std::size_t>(model.joints.at(0).ends[1].body)).path,
            "/own/b");
  EXPECT_EQ(model.shapes.at(static_cast<std::size_t>(model.rigid_bodies.at(1).shapes.at(0))).path,
            "/own/b");
}

// Two robots, each of its own scene, with everything that numbers something else: what is left of
// both is what there is of one alone.
TEST(ReadOwners, WhatIsLeftIsTheSameAsIfTheRestHadNeverBeen) {
  const auto robot = [](const std::string& name, const std::string& scene,
                        const std::string& size) {
    const std::string owner = "rel physics:simulationOwner = </" + scene + ">\n";
    const std::string cube = "double size = " + size + "\n";
    const auto joint = [&](const std::string& joint_name, const std::string& first,
                           const std::string& second, const std::string& more) {
      return "def PhysicsRevoluteJoint \"" + joint_name + "\" {\nrel physics:body0 = </" + name +
             "/" + first + ">\nrel physics:body1 = </" + name + "/" + second + ">\n" + more + "}\n";
    };
    return "def PhysicsScene \"" + scene + "\" {}\n" +
           prim("Xform", name, "ArticulationRoot",
                prim("Cube", "a", "RigidBody Collision", owner + cube) +
                    prim("Xform", "b", "RigidBody",
                         owner + prim("Sphere", "ball", "Collision") +
                             "def PointInstancer \"many\" {\n" +
                             prim("Cube", "proto", "Collision Mass",
                                  cube + "float physics:density = 7") +
                             "}\n" + prim("Cube", "last", "Collision", cube)) +
                    prim("Cube", "c", "RigidBody Collision", owner + cube) +
                    joint("j", "a", "b", "") +
                    joint("k", "b", "c",
                          "rel newton:mimicJoint = </" + name +
                              "/j>\nfloat newton:mimicCoef1 = " + size + "\n") +
                    "def MjcActuator \"m\" {\nrel mjc:target = </" + name + "/k>\n}\n");
  };
  const auto told = [&](const std::string& text, std::vector<std::string> owners) {
    ReadOptions options = test::asking({Dialect::mjc, Dialect::newton});
    options.simulation_owner_paths = std::move(owners);
    Diagnostics diagnostics;
    const PhysicsModel model = read(text, diagnostics, Rules::documented, options);
    std::string result = describe(model);
    for (const BodyMass& mass : body_masses(model, diagnostics)) {
      result += explain_mass(model, mass);
    }
    for (const Mimic& mimic : model.mimics) {
      result += model.joints.at(static_cast<std::size_t>(mimic.follower)).path.str() + " follows " +
                model.joints.at(static_cast<std::size_t>(mimic.leader)).path.str() + " times " +
                std::to_string(mimic.ratio) + "\n";
    }
    for (const Actuator& actuator : model.actuators) {
      result += actuator.path.str() + " drives " +
                model.joints.at(static_cast<std::size_t>(actuator.joint)).path.str() + "\n";
    }
    return result;
  };
  const std::string a = robot("A", "sceneA", "2");
  const std::string b = robot("B", "sceneB", "3");
  const std::string only_a = told(a, {"/sceneA"});
  const std::string only_b = told(b, {"/sceneB"});
  EXPECT_THAT(only_b, testing::HasSubstr("/B/k follows /B/j times 3.0"));
  EXPECT_THAT(only_b, testing::HasSubstr("/B/m drives /B/k"));
  EXPECT_THAT(only_b, testing::HasSubstr("/B/b/many/proto: adds 189"));
  EXPECT_EQ(told(a + b, {"/sceneA"}), only_a);
  EXPECT_EQ(told(a + b, {"/sceneB"}), only_b);
  EXPECT_EQ(told(b + a, {"/sceneA"}), only_a);
}

TEST(ReadOwners, JointToAStaticColliderIsDropped) {  // physics 12.7, 3.5
  const std::string text = prim("Xform", "b", "RigidBody", kOwned) +
                           prim("Cube", "wall", "Collision") +
                           "def PhysicsFixedJoint \"j\" {\nrel physics:body0 = </b>\n"
                           "rel physics:body1 = </wall>\n}\n"
                           "def PhysicsFixedJoint \"free\" {}\n";
  EXPECT_THAT(paths(owned(text, {"/scene"}).joints), ElementsAre("/free"));
  // decisions 13: under documented rules the static end takes the owner of the dynamic one.
  EXPECT_THAT(paths(owned(text, {"/scene"}, Rules::documented).joints), ElementsAre("/j"));
}

TEST(ReadOwners, InvalidShapesAreDroppedAndInvalidArticulationsKept) {  // physics 12.7, 3.5
  const std::string text = prim("Points", "p", "Collision", "point3f[] points = [(0, 0, 0)]") +
                           prim("Xform", "r", "ArticulationRoot");
  const PhysicsModel all = read(kScene + text);
  EXPECT_EQ(all.shapes.size(), 1u);
  EXPECT_THAT(counts(text, {"", "/scene"}), ElementsAre(1, 0, 0, 0, 1));
}

TEST(ReadOwners, GroupsAndMaterialsBelongToEveryone) {  // physics 12.7, 3.5
  const PhysicsModel model =
      owned("def PhysicsCollisionGroup \"g\" {}\n" + prim("Material", "m", "Material"), {"/scene"});
  EXPECT_EQ(model.collision_groups.size(), 1u);
  EXPECT_EQ(model.materials.size(), 1u);
}

TEST(ReadOwners, EmptyListKeepsEverything) {  // physics 12.7, 3.5
  EXPECT_THAT(counts(body_with_cube("RigidBody", "", ""), {}), ElementsAre(1, 1, 1, 0, 0));
}

TEST(ReadOwners, OrderIsThatOfTheStage) {  // physics 12.7, 3.5
  const std::string text =
      prim("Xform", "a", "RigidBody", kOwned) + prim("Xform", "b", "RigidBody") +
      prim("Xform", "c", "RigidBody", kOwned) + prim("Xform", "d", "RigidBody", kOwned);
  EXPECT_THAT(paths(owned(text, {"/scene"}).rigid_bodies), ElementsAre("/a", "/c", "/d"));
}

TEST(ReadOwners, TheOnlySceneOwnsWhatNamesNone) {  // decisions 14
  const std::string text = body_with_cube("RigidBody", "", "") + prim("Cube", "wall", "Collision");
  EXPECT_THAT(counts(text, {"/scene"}, Rules::documented), ElementsAre(1, 1, 2, 0, 0));
  EXPECT_THAT(owned(text, {"/scene"}, Rules::documented).rigid_bodies.at(0).simulation_owner_paths,
              ElementsAre("/scene"));
  const std::string second = text + "def PhysicsScene \"second\" {}\n";
  EXPECT_THAT(counts(second, {"/scene"}, Rules::documented), ElementsAre(1, 0, 0, 0, 0));
}

TEST(ReadOwners, IndicesFollowWhatIsLeft) {
  const std::string text = prim("Cube", "lost", "RigidBody Collision") +
                           prim("Cube", "kept", "RigidBody Collision", kOwned) +
                           prim("Cube", "other", "RigidBody Collision", kOwned) +
                           "def PhysicsFixedJoint \"j\" {\nrel physics:body0 = </kept>\n"
                           "rel physics:body1 = </other>\n}\n";
  const PhysicsModel model = owned(text, {"/scene"});
  ASSERT_THAT(paths(model.shapes), ElementsAre("/kept", "/other"));
  EXPECT_EQ(model.shapes[1].body, 1);
  EXPECT_THAT(model.rigid_bodies.at(1).shapes, ElementsAre(1));
  EXPECT_EQ(model.joints.at(0).ends[0].body, 0);
  EXPECT_EQ(model.joints.at(0).ends[1].body, 1);
  EXPECT_EQ(model.mass_nodes_of(1).front().shape, 1);
}

TEST(ReadOwners, SitesAndActuatorsGoWithTheirBodiesAndJoints) {
  const std::string site = "def Sphere \"SITE\" (apiSchemas = [\"MjcSiteAPI\"]) {}\n";
  const auto named = [&](const std::string& name) {
    std::string text = site;
    return text.replace(text.find("SITE"), 4, name);
  };
  const std::string text = kScene + prim("Cube", "lost", "RigidBody Collision", named("gone")) +
                           prim("Cube", "kept", "RigidBody Collision", kOwned + named("mark")) +
                           prim("Cube", "other", "RigidBody Collision", kOwned) + named("still") +
                           "def PhysicsRevoluteJoint \"far\" {\nrel physics:body0 = </lost>\n"
                           "rel physics:body1 = </kept>\n}\n"
                           "def PhysicsRevoluteJoint \"near\" {\nrel physics:body0 = </kept>\n"
                           "rel physics:body1 = </other>\n}\n"
                           "def MjcActuator \"a\" {\nrel mjc:target = </far>\n}\n"
                           "def MjcActuator \"b\" {\nrel mjc:target = </near>\n}\n"
                           "def MjcActuator \"idle\" {}\n";
  ReadOptions options = test::asking({Dialect::mjc});
  options.simulation_owner_paths = {"/scene"};
  const PhysicsModel model = read(text, Rules::openusd, options);
  ASSERT_THAT(paths(model.rigid_bodies), ElementsAre("/kept", "/other"));
  ASSERT_THAT(paths(model.joints), ElementsAre("/near"));
  ASSERT_THAT(paths(model.sites), ElementsAre("/kept/mark", "/still"));
  EXPECT_EQ(model.sites[0].body, 0);
  EXPECT_EQ(model.sites[1].body, kNone);
  ASSERT_THAT(paths(model.actuators), ElementsAre("/b", "/idle"));
  EXPECT_EQ(model.actuators[0].joint, 0);
  EXPECT_EQ(model.actuators[1].joint, kNone);
}

// The base that is fixed to the world is no body that could have another owner (decisions 13).
TEST(ReadOwners, ArticulationsOnAFixedBaseAreKept) {
  const auto scene = [](const std::string& owner) {
    return prim("Xform", "r", "ArticulationRoot",
                prim("Cube", "a", "RigidBody Collision", kOwned) +
                    prim("Cube", "b", "RigidBody Collision", owner) +
                    "def PhysicsFixedJoint \"w\" {\nrel physics:body1 = </r/a>\n}\n"
                    "def PhysicsRevoluteJoint \"j\" {\nrel physics:body0 = </r/a>\n"
                    "rel physics:body1 = </r/b>\n}\n");
  };
  const PhysicsModel model = owned(scene(kOwned), {"/scene"});
  ASSERT_EQ(model.articulations.size(), 1U);
  EXPECT_THAT(model.articulations[0].bodies, ElementsAre(kNone, 0, 1));
  EXPECT_THAT(model.articulations[0].root_prim_paths, ElementsAre("/r/w"));
  EXPECT_THAT(counts(scene(""), {"/scene"}), ElementsAre(1, 1, 1, 1, 0));
}

TEST(ReadOwners, JointsThatFollowWhatIsGoneFollowNothing) {
  const auto hinge = [](const std::string& name, const std::string& body, const std::string& more) {
    return "def PhysicsRevoluteJoint \"" + name + "\" {\nrel physics:body1 = </" + body + ">\n" +
           more + "}\n";
  };
  const auto follows = [](const std::string& leader) {
    return "rel newton:mimicJoint = </" + leader + ">\n";
  };
  const std::string text =
      kScene + prim("Cube", "lost", "RigidBody Collision") +
      prim("Cube", "kept", "RigidBody Collision", kOwned) + hinge("far", "lost", "") +
      hinge("near", "kept", "") + hinge("farther", "lost", follows("near")) +
      hinge("nearer", "kept", follows("far")) + hinge("nearest", "kept", follows("near"));
  ReadOptions options = test::asking({Dialect::newton});
  EXPECT_EQ(read(text, Rules::openusd, options).mimics.size(), 3U);
  options.simulation_owner_paths = {"/scene"};
  const PhysicsModel model = read(text, Rules::openusd, options);
  ASSERT_THAT(paths(model.joints), ElementsAre("/near", "/nearer", "/nearest"));
  ASSERT_EQ(model.mimics.size(), 1U);
  EXPECT_EQ(model.mimics[0].leader, 0);
  EXPECT_EQ(model.mimics[0].follower, 2);
}

}  // namespace
}  // namespace sinew::physics::owner_filter_test
