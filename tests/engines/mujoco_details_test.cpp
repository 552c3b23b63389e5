// SPDX-License-Identifier: Apache-2.0
// What is said in MuJoCo's own words, and what it leaves out by itself: by its own tables.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "engines/mujoco_engine.hpp"
#include "export/robot_import/robot_models.hpp"

namespace sinew::mujoco_details_test {
namespace {

using mujoco_test::Engine;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kHead =
    "#usda 1.0\n(metersPerUnit = 1\nkilogramsPerUnit = 1\nupAxis = \"Z\")\n"
    "def PhysicsScene \"S\" {}\n";

Engine simulate(const std::string& text) {
  return Engine(test::model_of_text(kHead + text, physics::all_dialects()));
}

std::string exported(const physics::PhysicsModel& model) {
  Diagnostics unused;
  return exporter::write_mjcf(model, {}, unused).text;
}

std::vector<double> numbers(const mjtNum* first, int count) {
  return {first, first + count};
}

std::string at(const std::string& place) {
  return "double3 xformOp:translate = " + place +
         "\nuniform token[] xformOpOrder = [\"xformOp:translate\"]\n";
}

int id(const Engine& engine, mjtObj type, const std::string& name) {
  return mj_name2id(engine.m.get(), type, name.c_str());
}

TEST(MuJoCoDetails, GeomsHaveTheContactNumbersOfTheFile) {
  const std::string collider = "(apiSchemas = [\"PhysicsCollisionAPI\", \"MjcCollisionAPI\"])";
  const Engine engine = simulate("def Sphere \"a\" " + collider + R"( {
  uniform int mjc:condim = 4
  uniform int mjc:group = 2
  uniform int mjc:priority = 7
  uniform double mjc:solmix = 0.25
  uniform double[] mjc:solref = [0.01, 0.5]
  uniform double[] mjc:solimp = [0.8, 0.9, 0.002, 0.4, 3]
  uniform double mjc:margin = 0.25
  uniform double mjc:gap = 0.125
  float newton:torsionalFriction = 0.5
}
def Sphere "b" (apiSchemas = ["PhysicsCollisionAPI"]) {}
def Sphere "c" )" + collider + R"( {
  uniform int mjc:group = 1
  bool physics:collisionEnabled = 0
  uniform double[] mjc:solref = [-100]
}
)");
  const mjModel& m = *engine.m;
  const int a = id(engine, mjOBJ_GEOM, "/a");
  EXPECT_EQ(m.geom_condim[a], 4);
  EXPECT_EQ(m.geom_group[a], 2);
  EXPECT_EQ(m.geom_priority[a], 7);
  EXPECT_EQ(m.geom_solmix[a], 0.25);
  EXPECT_THAT(numbers(m.geom_solref + 2 * a, 2), ElementsAre(0.01, 0.5));
  EXPECT_THAT(numbers(m.geom_solimp + 5 * a, 5), ElementsAre(0.8, 0.9, 0.002, 0.4, 3.0));
  // MuJoCo 2 looks for contact within its margin and pushes within margin - gap.
  EXPECT_EQ(m.geom_margin[a], 0.25);
  EXPECT_EQ(m.geom_gap[a], 0.125);
  EXPECT_EQ(m.geom_friction[3 * a + 1], 0.5);
  const int b = id(engine, mjOBJ_GEOM, "/b");
  EXPECT_EQ(m.geom_condim[b], 3);
  EXPECT_EQ(m.geom_group[b], 0);
  EXPECT_THAT(numbers(m.geom_solref + 2 * b, 2), ElementsAre(0.02, 1.0));
  const int c = id(engine, mjOBJ_GEOM, "/c");
  EXPECT_EQ(m.geom_group[c], 3) << "what is switched off is found there";
  EXPECT_EQ(m.geom_solref[2 * c], -100.0);
  const std::string plain =
      simulate("def Sphere \"b\" (apiSchemas = [\"PhysicsCollisionAPI\"]) {}").file.text;
  for (const char* name : {"condim", "group", "priority", "solmix", "solref", "solimp"}) {
    EXPECT_THAT(plain, Not(HasSubstr(name)));
  }
}

TEST(MuJoCoDetails, SitesAreMarkersInTheirBodies) {
  const std::string site = "(apiSchemas = [\"MjcSiteAPI\"])";
  const Engine engine =
      simulate("def Xform \"arm\" (apiSchemas = [\"PhysicsRigidBodyAPI\"]) {\n" + at("(0, 0, 2)") +
               "def Sphere \"ball\" (apiSchemas = [\"PhysicsCollisionAPI\"]) {}\n"
               "def Capsule \"tip\" " +
               site +
               " {\ndouble radius = 0.1\ndouble height = 0.4\n"
               "uniform token axis = \"X\"\nuniform int mjc:group = 2\n" +
               at("(1, 0, 0)") +
               "}\n"
               "def Cube \"pad\" (apiSchemas = [\"PhysicsCollisionAPI\", \"MjcSiteAPI\"]) {\n"
               "double size = 3\n" +
               at("(0, 1, 0)") +
               "}\n}\n"
               "def Xform \"origin\" " +
               site + " {}\n");
  const mjModel& m = *engine.m;
  EXPECT_EQ(m.nsite, 3);
  EXPECT_EQ(m.ngeom, 1) << "a marker is no collider";
  Diagnostics unused;
  EXPECT_NEAR(m.body_mass[engine.body("/arm")], 1000.0 * 4.0 / 3.0 * mjPI, 1e-2)
      << "and weighs nothing";
  const int tip = id(engine, mjOBJ_SITE, "/arm/tip");
  ASSERT_GE(tip, 0);
  EXPECT_EQ(m.site_bodyid[tip], engine.body("/arm"));
  EXPECT_EQ(m.site_type[tip], mjGEOM_CAPSULE);
  EXPECT_EQ(m.site_group[tip], 2);
  EXPECT_NEAR(m.site_size[3 * tip], 0.1, 1e-7);
  EXPECT_NEAR(m.site_size[3 * tip + 1], 0.2, 1e-7);
  const mjtNum* place = engine.d->site_xpos + 3 * tip;
  EXPECT_LT((Vector3d(place[0], place[1], place[2]) - Vector3d(1, 0, 2)).norm(), 1e-6);
  const mjtNum* turn = engine.d->site_xmat + 9 * tip;
  EXPECT_NEAR(std::abs(turn[2]), 1.0, 1e-6) << "the spine runs along x";
  const int pad = id(engine, mjOBJ_SITE, "/arm/pad");
  EXPECT_EQ(m.site_type[pad], mjGEOM_BOX);
  EXPECT_NEAR(m.site_size[3 * pad + 2], 1.5, 1e-7);
  const int origin = id(engine, mjOBJ_SITE, "/origin");
  EXPECT_EQ(m.site_bodyid[origin], 0);
  EXPECT_EQ(m.site_type[origin], mjGEOM_SPHERE);
}

// Three bodies that hang on the world, one of them on another, and one that falls.
TEST(MuJoCoDetails, WhatNeverTouchesInTheEngineIsNotExcluded) {
  std::string text =
      "def PhysicsCollisionGroup \"g\" (apiSchemas = [\"CollectionAPI:colliders\"]) {\n"
      "rel collection:colliders:includes = </w>\nrel physics:filteredGroups = </g>\n}\n"
      "def Xform \"w\" {\n";
  for (const std::string name : {"a", "b", "c", "d"}) {
    text += "def Sphere \"" + name +
            "\" (apiSchemas = [\"PhysicsRigidBodyAPI\", \"PhysicsCollisionAPI\"]) {\n" +
            at("(" + std::to_string(name[0] - 'a') + ", 0, 0)") + "}\n";
  }
  const auto fixed = [](const std::string& name, const std::string& ends) {
    return "def PhysicsFixedJoint \"" + name + "\" {\n" + ends + "}\n";
  };
  text += "}\n" + fixed("ja", "rel physics:body1 = </w/a>\n") +
          fixed("jb", "rel physics:body1 = </w/b>\npoint3f physics:localPos0 = (1, 0, 0)\n") +
          fixed("jc",
                "rel physics:body0 = </w/b>\nrel physics:body1 = </w/c>\n"
                "point3f physics:localPos0 = (1, 0, 0)\n");
  const Engine engine = simulate(text);
  const mjModel& m = *engine.m;
  EXPECT_EQ(m.nexclude, 3) << engine.file.text;
  for (const char* name : {"/w/a", "/w/b", "/w/c"}) {
    EXPECT_EQ(m.body_weldid[engine.body(name)], 0) << name;
    EXPECT_THAT(engine.file.text,
                HasSubstr("<exclude body1=\"" + std::string(name) + "\" body2=\"/w/d\"/>"));
  }
  EXPECT_EQ(m.body_weldid[engine.body("/w/d")], engine.body("/w/d"));
  EXPECT_EQ(engine.d->ncon, 0) << "all overlap";
}

// Thousands of bodies that stand still are a file of thousands of lines.
TEST(MuJoCoDetails, ManyBodiesOfTheWorldAreNotExcludedInPairs) {
  std::string bodies;
  for (int i = 0; i < 3000; ++i) {
    bodies += "<body pos='" + std::to_string(i) + " 0 0'><geom size='1'/></body>";
  }
  const Engine engine(
      test::RobotModel("<mujoco><worldbody>" + bodies + "</worldbody></mujoco>").model);
  EXPECT_EQ(engine.m->nexclude, 0);
  EXPECT_EQ(engine.d->ncon, 0);
  // The search for contacts keeps b (b - 1) / 2 pairs of bodies, and lists of them.
  EXPECT_EQ(engine.d->maxuse_stack, 3000 * 3001 / 2 + 10 * 3000 + 6);
  EXPECT_LT(engine.file.text.size(), 3'000'000U);
}

// The integrator of 2.2.2 takes v (18 b + 7 v + 2) numbers for v freedoms of b bodies.
TEST(MuJoCoDetails, ALargeWorldHasTheStackThatItTakes) {
  const auto robots = [](int count) {
    std::string bodies;
    for (int i = 0; i < count; ++i) {
      const std::string number = std::to_string(i);
      bodies += "<body pos='" + number + " 0 1'><freejoint/><geom size='0.1'/>";
      for (int k = 0; k < 4; ++k) {
        bodies += "<body pos='0 " + std::to_string(k + 1) +
                  " 0'><joint axis='0 1 0' damping='0.1'/><geom size='0.1'/></body>";
      }
      bodies += "</body>";
    }
    return test::RobotModel("<mujoco><worldbody>" + bodies + "</worldbody></mujoco>").model;
  };
  EXPECT_THAT(exported(robots(1)), Not(HasSubstr("nstack")));
  Engine engine(robots(80));
  EXPECT_THAT(engine.file.text, HasSubstr("nstack"));
  const int v = engine.m->nv;
  const int b = engine.m->nbody;
  ASSERT_EQ(v, 800);
  engine.run(0.01);
  EXPECT_EQ(engine.d->maxuse_stack, v * (18 * b + 7 * v + 2));
  EXPECT_LT(engine.m->nstack, 1.2 * engine.d->maxuse_stack);
}

// A kinematic body is none that is welded, in the engine neither.
TEST(MuJoCoDetails, AKinematicBodyMovesAsTheEngineCounts) {
  const Engine engine = simulate(
      "def Sphere \"a\" (apiSchemas = [\"PhysicsRigidBodyAPI\", \"PhysicsCollisionAPI\"]) {\n"
      "bool physics:kinematicEnabled = 1\n}\n"
      "def Sphere \"b\" (apiSchemas = [\"PhysicsCollisionAPI\"]) {}\n");
  EXPECT_EQ(engine.m->body_weldid[engine.body("/a")], 0);
  EXPECT_EQ(engine.d->ncon, 0);
}

// The base of a mechanism is moved by hand; what hangs on it goes along, and swings by its joint.
TEST(MuJoCoDetails, AKinematicBaseCarriesItsMechanism) {
  const std::string body = "(apiSchemas = [\"PhysicsRigidBodyAPI\", \"PhysicsCollisionAPI\"])";
  Engine engine = simulate(
      "def Xform \"r\" (apiSchemas = [\"PhysicsArticulationRootAPI\"]) {\ndef Sphere \"a\" " +
      body + " {\nbool physics:kinematicEnabled = 1\n}\ndef Sphere \"b\" " + body + " {\n" +
      at("(0, 0, 3)") +
      "}\n"
      "def PhysicsPrismaticJoint \"j\" {\nrel physics:body0 = </r/a>\n"
      "rel physics:body1 = </r/b>\npoint3f physics:localPos0 = (0, 0, 3)\n"
      "float physics:lowerLimit = -1\nfloat physics:upperLimit = 1\n}\n}\n");
  const mjModel& m = *engine.m;
  EXPECT_EQ(m.neq, 0) << engine.file.text;
  EXPECT_EQ(m.nq, 1);
  const int base = engine.body("/r/a");
  ASSERT_GE(m.body_mocapid[base], 0);
  EXPECT_EQ(m.body_parentid[engine.body("/r/b")], base);
  EXPECT_TRUE(m.jnt_limited[engine.joint("/r/j")]);
  engine.d->mocap_pos[3 * m.body_mocapid[base] + 1] = 5.0;
  engine.coordinate("/r/j") = 0.5;
  mj_kinematics(engine.m.get(), engine.d.get());
  EXPECT_LT((engine.pose("/r/b").position - Vector3d(0.5, 5, 3)).norm(), 1e-6);
}

// Two heaps of which neither touches itself: a mask for each ball, no pair of them.
TEST(MuJoCoDetails, GroupsOfManyBodiesAreMasks) {
  const auto heap = [](const std::string& name, int count, const std::string& filtered) {
    std::string text = "def PhysicsCollisionGroup \"g" + name +
                       "\" (apiSchemas = [\"CollectionAPI:colliders\"]) {\n"
                       "rel collection:colliders:includes = </" +
                       name + ">\nrel physics:filteredGroups = [" + filtered +
                       "]\n}\ndef Xform \"" + name + "\" {\n";
    for (int i = 0; i < count; ++i) {
      text += "def Sphere \"b" + std::to_string(i) +
              "\" (apiSchemas = [\"PhysicsRigidBodyAPI\", \"PhysicsCollisionAPI\"]) {\n" +
              at("(" + std::to_string(i) + ", 0, " + std::to_string(name[0] - 'a') + ")") + "}\n";
    }
    return text + "}\n";
  };
  const Engine one = simulate(heap("a", 30, "</ga>"));
  EXPECT_EQ(one.m->nexclude, 0);
  EXPECT_EQ(one.d->ncon, 0) << "balls of radius 1 stand 1 apart";
  const Engine two = simulate(heap("a", 30, "</ga>") + heap("b", 30, "</gb>"));
  EXPECT_EQ(two.m->nexclude, 0);
  EXPECT_GT(two.d->ncon, 0) << "the heaps touch each other";
  for (int c = 0; c < two.d->ncon; ++c) {
    const auto height = [&](int geom) { return two.d->geom_xpos[3 * geom + 2]; };
    EXPECT_GT(std::abs(height(two.d->contact[c].geom1) - height(two.d->contact[c].geom2)), 0.5);
  }
  const auto size = [&](int count) { return simulate(heap("a", count, "</ga>")).file.text.size(); };
  EXPECT_LT(size(120), 3 * size(60)) << "linear, not quadratic";
  // A few pairs are no reason for masks.
  const Engine few = simulate(heap("a", 3, "</ga>"));
  EXPECT_EQ(few.m->nexclude, 3);
}

const std::string kPair =
    "<worldbody><body name='a' pos='0 0 1'><freejoint/><geom size='0.1'/></body>"
    "<body name='b' pos='0.5 0 1'><freejoint/><geom size='0.1'/></body></worldbody>";

// eq_data holds the anchor, then where the second body is to be in the first.
TEST(MuJoCoDetails, AWeldKeepsThePoseThatItHolds) {
  const std::string text = "<mujoco>" + kPair +
                           "<equality><weld name='w' body1='a' body2='b' "
                           "relpose='0.5 0.25 0 0.6 0 0 0.8'/><weld name='v' body1='a' "
                           "body2='b'/></equality></mujoco>";
  const test::RobotModel robot(text);
  const Engine engine(robot.model);
  const mjModel& m = *engine.m;
  ASSERT_EQ(m.neq, 2);
  std::vector<int> order = {0, 1};
  if (!std::string(mj_id2name(&m, mjOBJ_EQUALITY, 0)).ends_with("/w")) order = {1, 0};
  const auto check = [&](int which, const std::vector<double>& expected) {
    const int first = m.eq_obj1id[which];
    ASSERT_EQ(std::string(mj_id2name(&m, mjOBJ_BODY, first)).back(), 'a');
    for (std::size_t i = 0; i < 7; ++i) {
      EXPECT_NEAR(m.eq_data[mjNEQDATA * which + 3 + static_cast<int>(i)], expected[i], 1e-6) << i;
    }
  };
  check(order[0], {0.5, 0.25, 0.0, 0.6, 0.0, 0.0, 0.8});
  check(order[1], {0.5, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0});
}

TEST(MuJoCoDetails, MotorsStartWithTheirControl) {
  const std::string text =
      "<mujoco><worldbody><body name='b'><joint name='j'/><geom size='0.1'/></body></worldbody>"
      "<actuator><motor name='m' joint='j' gear='2'/><position name='p' joint='j' kp='3'/>"
      "</actuator><keyframe><key name='start' qpos='0' ctrl='0.75 -0.5'/></keyframe></mujoco>";
  const test::RobotModel robot(text);
  EXPECT_THAT(robot.text, HasSubstr("def MjcKeyframe \"start\""));
  Engine engine(robot.model);
  ASSERT_EQ(engine.m->nu, 2);
  EXPECT_EQ(engine.d->ctrl[0], 0.75);
  EXPECT_EQ(engine.d->ctrl[1], -0.5);
  EXPECT_NEAR(engine.d->qfrc_actuator[0], 2.0 * 0.75 + 3.0 * -0.5, 1e-6);
}

}  // namespace
}  // namespace sinew::mujoco_details_test
