// SPDX-License-Identifier: Apache-2.0
// What MuJoCo's own schemas say: contact numbers, markers, keyframes; and starts that poses deny.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "physics/read_scene.hpp"
#include "support/codes.hpp"

namespace sinew::physics::mjc_dialect_test {
namespace {

using test::asking;
using test::prim;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

PhysicsModel read(const std::string& text, Diagnostics& diagnostics,
                  const ReadOptions& options = asking({Dialect::mjc, Dialect::physx})) {
  return test::read("(metersPerUnit = 0.01\nkilogramsPerUnit = 1)\n" + text, diagnostics,
                    Rules::documented, options);
}

// A collider of which MuJoCo's schema says something.
std::string touching(const std::string& said) {
  return "def Sphere \"s\" (apiSchemas = [\"PhysicsCollisionAPI\", \"MjcCollisionAPI\"]) {\n" +
         said + "\n}\n";
}

TEST(MjcDialect, ContactNumbersAreKeptAsTheyAreWhateverTheUnits) {
  Diagnostics diagnostics;
  const PhysicsModel model =
      read(touching("uniform int mjc:condim = 6\nuniform int mjc:group = 4\n"
                    "uniform int mjc:priority = -1\nuniform double mjc:solmix = 0.5\n"
                    "uniform double[] mjc:solref = [0.05]\n"
                    "uniform double[] mjc:solimp = [0.8, 0.9, 0.01]") +
               prim("Sphere", "t", "Collision"),
           diagnostics)
          .to_si();
  EXPECT_EQ(test::codes_of(diagnostics), "");
  const MjcContact& contact = model.shape_extras.at(0).contact;
  EXPECT_EQ(contact.condim, 6);
  EXPECT_EQ(contact.group, 4);
  EXPECT_EQ(contact.priority, -1);
  EXPECT_EQ(contact.solmix, 0.5);
  EXPECT_THAT(contact.solver.solref, ElementsAre(0.05));
  EXPECT_THAT(contact.solver.solimp, ElementsAre(0.8, 0.9, 0.01));
  const MjcContact& none = model.shape_extras.at(1).contact;
  EXPECT_FALSE(none.condim || none.group || none.priority || none.solmix);
  EXPECT_THAT(none.solver.solref, IsEmpty());
  EXPECT_THAT(none.solver.solimp, IsEmpty());
}

TEST(MjcDialect, JointsSayHowTheSolverTakesTheirLimitsAndEqualities) {
  Diagnostics diagnostics;
  const PhysicsModel model =
      read(prim("Xform", "a", "RigidBody") +
               "def PhysicsRevoluteJoint \"j\" (apiSchemas = [\"MjcJointAPI\"]) {\n"
               "rel physics:body1 = </a>\nuniform double[] mjc:solreflimit = [0.01, 0.8]\n"
               "uniform double[] mjc:solimplimit = [0.9, 0.95, 0.001]\n}\n"
               "def PhysicsFixedJoint \"w\" (apiSchemas = [\"MjcEqualityWeldAPI\"]) {\n"
               "rel physics:body1 = </a>\nuniform double mjc:torqueScale = 0.5\n"
               "uniform double[] mjc:solref = [0.02, 1]\nuniform double[] mjc:solimp = [0.8]\n}\n",
           diagnostics)
          .to_si();
  const JointExtras& hinge = model.joint_extras.at(0);
  EXPECT_THAT(hinge.limit.solref, ElementsAre(0.01, 0.8));
  EXPECT_THAT(hinge.limit.solimp, ElementsAre(0.9, 0.95, 0.001));
  EXPECT_THAT(hinge.equality.solref, IsEmpty());
  const JointExtras& weld = model.joint_extras.at(1);
  EXPECT_THAT(weld.equality.solref, ElementsAre(0.02, 1.0));
  EXPECT_THAT(weld.equality.solimp, ElementsAre(0.8));
  EXPECT_EQ(weld.torque_scale, 0.5);
  EXPECT_THAT(weld.limit.solref, IsEmpty());
}

TEST(MjcDialect, ContactNumbersThatMuJoCoRefusesAreTold) {
  for (const char* wrong :
       {"int mjc:condim = 2", "int mjc:condim = 0", "double mjc:priority = 1.5",
        "double mjc:group = 1e30", "double mjc:solmix = inf", "double[] mjc:solref = [1, 2, 3]",
        "double[] mjc:solimp = [1, 2, 3, 4, 5, 6]", "double[] mjc:solref = [nan, 1]",
        "string mjc:condim = \"three\""}) {
    Diagnostics diagnostics;
    const PhysicsModel model = read(touching(wrong), diagnostics);
    EXPECT_THAT(test::codes_of(diagnostics), HasSubstr("dialect-value")) << wrong;
    const MjcContact& contact = model.shape_extras.at(0).contact;
    EXPECT_FALSE(contact.condim || contact.group || contact.priority || contact.solmix) << wrong;
    EXPECT_TRUE(contact.solver.empty()) << wrong;
  }
}

const std::string kMarked =
    "def Xform \"b\" (apiSchemas = [\"PhysicsRigidBodyAPI\"]) {\n" +
    test::transform("(0, 0, 100)", "(0, 0, 90)", "(2, 2, 2)") +
    "def Capsule \"tip\" (apiSchemas = [\"PhysicsCollisionAPI\", \"MjcSiteAPI\"]) {\n"
    "double radius = 1\ndouble height = 6\nuniform int mjc:group = 3\n" +
    test::transform("(10, 0, 0)", "(0, 0, 0)", "(1, 1, 1)") + "}\n" +
    prim("Sphere", "s", "Collision") +
    "}\n"
    "def Xform \"mark\" (apiSchemas = [\"MjcSiteAPI\"]) {\n" +
    test::transform("(0, 5, 0)", "(0, 0, 0)", "(1, 1, 1)") + "}\n";

TEST(MjcDialect, AMarkerIsNoCollider) {
  Diagnostics diagnostics;
  const PhysicsModel model = read(kMarked, diagnostics).to_si();
  EXPECT_EQ(test::codes_of(diagnostics), "");
  EXPECT_THAT(test::paths(model.shapes), ElementsAre("/b/s"));
  EXPECT_THAT(model.rigid_bodies.at(0).shapes, ElementsAre(0));
  ASSERT_THAT(test::paths(model.sites), ElementsAre("/b/tip", "/mark"));
  const Site& tip = model.sites[0];
  EXPECT_EQ(tip.body, 0);
  EXPECT_EQ(tip.group, 3);
  EXPECT_LT((tip.local_pose.position - Vector3f(0.2F, 0, 0)).norm(), 1e-6F);
  EXPECT_NEAR(std::get<CapsuleShape>(tip.geometry).radius, 0.02F, 1e-7F);
  EXPECT_NEAR(std::get<CapsuleShape>(tip.geometry).half_height, 0.06F, 1e-7F);
  EXPECT_EQ(model.sites[1].body, kNone);
  EXPECT_LT((model.sites[1].local_pose.position - Vector3f(0, 0.05F, 0)).norm(), 1e-6F);
  EXPECT_EQ(std::get<SphereShape>(model.sites[1].geometry).radius, 0.0F);
  // It has no share in the mass: a node of the body, and one of its ball.
  ASSERT_EQ(model.mass_nodes_of(0).size(), 2U);
  EXPECT_EQ(model.mass_nodes_of(0)[1].shape, 0);
}

TEST(MjcDialect, AMarkerIsAColliderToThoseWhoDoNotAsk) {
  Diagnostics diagnostics;
  for (const auto& asked : {std::vector<Dialect>{}, std::vector<Dialect>{Dialect::physx}}) {
    const PhysicsModel model = read(kMarked, diagnostics, asking(asked));
    EXPECT_EQ(model.shapes.size(), 2U);
    EXPECT_THAT(model.sites, IsEmpty());
  }
}

TEST(MjcDialect, WhatIsAddedGoesWithWhatIsKept) {
  const auto body = [](const std::string& name, const std::string& owner) {
    return "def Sphere \"" + name +
           "\" (apiSchemas = [\"PhysicsRigidBodyAPI\", \"PhysicsCollisionAPI\"]) {\n"
           "rel physics:simulationOwner = </" +
           owner + ">\nfloat physxRigidBody:linearDamping = " + (owner == "A" ? "1" : "2") +
           "\nuniform int mjc:priority = " + (owner == "A" ? "1" : "2") +
           "\ndef Sphere \"site\" (apiSchemas = [\"MjcSiteAPI\"]) {}\n}\n";
  };
  const auto joint = [](const std::string& name, const std::string& of) {
    return "def PhysicsRevoluteJoint \"" + name +
           "\" (apiSchemas = [\"MjcJointAPI\"]) {\n"
           "rel physics:body1 = </" +
           of + ">\nuniform double mjc:armature = " + (of == "a" ? "1" : "2") +
           "\n}\ndef MjcActuator \"m" + name + "\" {\nrel mjc:target = </" + name + ">\n}\n";
  };
  ReadOptions options = asking({Dialect::mjc, Dialect::physx});
  options.simulation_owner_paths = {{"/B"}};
  Diagnostics diagnostics;
  const PhysicsModel model = read(
      "def PhysicsScene \"A\" {\nuniform double mjc:option:timestep = 1\n}\n"
      "def PhysicsScene \"B\" {\nuniform double mjc:option:timestep = 2\n}\n" +
          body("a", "A") + body("b", "B") + joint("j", "a") + joint("k", "b"),
      diagnostics, options);
  ASSERT_THAT(test::paths(model.rigid_bodies), ElementsAre("/b"));
  ASSERT_THAT(test::paths(model.joints), ElementsAre("/k"));
  ASSERT_EQ(model.scene_extras.size(), 1U);
  EXPECT_EQ(model.scene_extras[0].time_step, 2.0F);
  ASSERT_EQ(model.body_extras.size(), 1U);
  EXPECT_EQ(model.body_extras[0].linear_damping, 2.0F);
  ASSERT_EQ(model.shape_extras.size(), 1U);
  EXPECT_EQ(model.shape_extras[0].contact.priority, 2);
  EXPECT_EQ(model.dof_extras(0, JointDof::rot_x).armature, 2.0F);
  ASSERT_THAT(test::paths(model.actuators), ElementsAre("/mk"));
  EXPECT_EQ(model.actuators[0].joint, 0);
  ASSERT_THAT(test::paths(model.sites), ElementsAre("/b/site"));
  EXPECT_EQ(model.sites[0].body, 0);
}

// Two actuators, between them one that is not read.
std::string actuators(const std::string& keyframe) {
  const auto actuator = [](const std::string& name, const std::string& more = {}) {
    return "def MjcActuator \"" + name + "\" {\nrel mjc:target = </j>\n" + more + "}\n";
  };
  return prim("Xform", "a", "RigidBody") +
         "def PhysicsRevoluteJoint \"j\" {\nrel physics:body1 = </a>\n}\n" + actuator("first") +
         actuator("strange", "uniform token mjc:dynType = \"plugin\"\n") +
         actuator("last", "uniform token mjc:dynType = \"filter\"\n") + keyframe;
}

TEST(MjcDialect, AKeyframeHasTheControlsOfAllActuators) {
  Diagnostics diagnostics;
  const PhysicsModel model =
      read(actuators("def MjcKeyframe \"home\" {\ndouble[] mjc:ctrl = [7, 8, 9]\n}\n"
                     "def MjcKeyframe \"start\" {\ndouble[] mjc:ctrl = [1, 2, 3]\n}\n"),
           diagnostics);
  ASSERT_THAT(test::paths(model.actuators), ElementsAre("/first", "/last"));
  EXPECT_EQ(model.actuators[0].control, 1.0F);
  EXPECT_EQ(model.actuators[1].control, 3.0F);
}

TEST(MjcDialect, AKeyframeHasTheActivationsOfThoseThatHaveOne) {
  Diagnostics diagnostics;
  const PhysicsModel model =
      read(actuators("def MjcKeyframe \"start\" {\ndouble[] mjc:act = [4, 5]\n"
                     "double[] mjc:ctrl = [1, 2, 3]\n}\n"),
           diagnostics);
  ASSERT_EQ(model.actuators.size(), 2U);
  EXPECT_FALSE(model.actuators[0].activation);
  EXPECT_EQ(model.actuators[1].activation, 5.0F);
  EXPECT_EQ(model.actuators[1].control, 3.0F);
}

TEST(MjcDialect, ControlsAndActivationsOfAnotherCountAreTold) {
  for (const char* const said : {"mjc:ctrl = [1, 2]", "mjc:act = [1, 2, 3]"}) {
    Diagnostics diagnostics;
    const PhysicsModel model =
        read(actuators(std::string("def MjcKeyframe \"start\" {\ndouble[] ") + said + "\n}\n"),
             diagnostics);
    EXPECT_THAT(test::codes_of(diagnostics), HasSubstr("dialect-value"));
    for (const Actuator& actuator : model.actuators) {
      EXPECT_FALSE(actuator.control);
      EXPECT_FALSE(actuator.activation);
    }
  }
}

// A slide that stands at 20 centimetres and a hinge that stands at 90 degrees.
std::string starts(const std::string& slide, const std::string& hinge) {
  const auto joint = [](const std::string& type, const std::string& name, const std::string& body,
                        const std::string& state) {
    return "def Physics" + type + "Joint \"" + name + "\" {\nrel physics:body1 = </" + body +
           ">\nuniform token physics:axis = \"X\"\nfloat state:" + state + "\n}\n";
  };
  return "def Xform \"a\" (apiSchemas = [\"PhysicsRigidBodyAPI\"]) {\n" +
         test::transform("(20, 0, 0)", "(0, 0, 0)", "(1, 1, 1)") +
         "}\ndef Xform \"b\" (apiSchemas = [\"PhysicsRigidBodyAPI\"]) {\n" +
         test::transform("(0, 0, 0)", "(90, 0, 0)", "(1, 1, 1)") + "}\n" +
         joint("Prismatic", "s", "a", "linear:physics:position = " + slide) +
         joint("Revolute", "h", "b", "angular:physics:position = " + hinge);
}

TEST(MjcDialect, AStartThatPosesDenyIsTold) {
  const auto told = [](const std::string& slide, const std::string& hinge) {
    Diagnostics diagnostics;
    read(starts(slide, hinge), diagnostics);
    std::string paths;
    for (const Diagnostic& d : diagnostics) {
      if (d.code == "dialect-state-differs") paths += d.path + " " + d.message + "\n";
    }
    return paths;
  };
  EXPECT_EQ(told("20", "90"), "");
  EXPECT_EQ(told("20.05", "90.05"), "") << "half a millimetre, and less than a thousandth radian";
  EXPECT_EQ(told("20.2", "90"), "/s transX is to start at 20.2, and the bodies stand at 20.\n");
  EXPECT_EQ(told("20", "-30"), "/h rotX is to start at -30 degrees, and the bodies stand at 90.\n");
}

TEST(MjcDialect, OfAKeyframeOnlyTheFirstOfItsNameAndTypeCounts) {
  const std::string nothing =
      "def Xform \"x\" {\ndef Xform \"start\" {\ndouble[] mjc:ctrl = [4, 5, 6]\n}\n}\n";
  Diagnostics diagnostics;
  const PhysicsModel model = read(
      actuators(nothing + "def MjcKeyframe \"start\" {\ndouble[] mjc:ctrl = [nan, 2, 3]\n}\n" +
                "def Xform \"y\" {\ndef MjcKeyframe \"start\" {\ndouble[] mjc:ctrl = [7, 8, 9]\n"
                "double[] mjc:act = [7, 8]\n}\n}\n"),
      diagnostics);
  ASSERT_EQ(model.actuators.size(), 2U);
  EXPECT_FALSE(model.actuators[0].control);
  EXPECT_EQ(model.actuators[1].control, 3.0F);
  EXPECT_FALSE(model.actuators[1].activation);
}

// --- Both sides of every bound

TEST(MjcDialect, ContactNumbersThatMuJoCoTakesAreKept) {
  const auto contact = [](const std::string& said) {
    Diagnostics diagnostics;
    const PhysicsModel model = read(touching(said), diagnostics);
    EXPECT_EQ(test::codes_of(diagnostics), "") << said;
    return model.shape_extras.at(0).contact;
  };
  for (const int condim : {1, 3, 4, 6}) {
    EXPECT_EQ(contact("int mjc:condim = " + std::to_string(condim)).condim, condim);
  }
  EXPECT_EQ(contact("double mjc:group = 1000000000").group, 1'000'000'000);
  EXPECT_EQ(contact("double mjc:group = -1000000000").group, -1'000'000'000);
  EXPECT_EQ(contact("int mjc:priority = 2").priority, 2);
  EXPECT_EQ(contact("double mjc:solmix = 1.5").solmix, 1.5);
  EXPECT_THAT(contact("double[] mjc:solref = [1, 2]").solver.solref, ElementsAre(1, 2));
  EXPECT_THAT(contact("double[] mjc:solimp = [1, 2, 3, 4, 5]").solver.solimp,
              ElementsAre(1, 2, 3, 4, 5));
  for (const char* const wrong :
       {"int mjc:condim = 5", "int mjc:condim = 7", "double mjc:group = 1000000001",
        "double mjc:group = -0.5", "double[] mjc:solmix = [1, 2]"}) {
    Diagnostics diagnostics;
    read(touching(wrong), diagnostics);
    EXPECT_EQ(test::codes_of(diagnostics), "dialect-value /s;") << wrong;
  }
}

// Poses say nothing of each of several joints in a chain.
TEST(MjcDialect, StartsOfStackedJointsAreNotCompared) {
  const auto told = [](const std::string& apis, bool is_one) {
    const auto hinge = [&](const std::string& name, const std::string& state) {
      return "def PhysicsRevoluteJoint \"" + name + "\" (apiSchemas = [" + apis +
             "]) {\nrel physics:body1 = </a>\n" + state + "}\n";
    };
    Diagnostics diagnostics;
    read("def Xform \"a\" (apiSchemas = [\"PhysicsRigidBodyAPI\"]) {\n}\n" +
             hinge("j", "float state:angular:physics:position = 30\n") +
             (is_one ? "" : hinge("k", "")),
         diagnostics);
    std::string paths;
    for (const Diagnostic& d : diagnostics) {
      if (d.code == "dialect-state-differs") paths += d.path;
    }
    return paths;
  };
  EXPECT_EQ(told("\"MjcJointAPI\"", false), "");
  EXPECT_EQ(told("\"MjcJointAPI\"", true), "/j");
  EXPECT_EQ(told("", false), "/j");
}

TEST(MjcDialect, MarkersThatAreNotReadAreNeitherMarkersNorColliders) {
  Diagnostics diagnostics;
  const PhysicsModel model =
      read(prim("Xform", "b", "RigidBody",
                "def PointInstancer \"p\" {\n"
                "def Sphere \"m\" (apiSchemas = [\"PhysicsCollisionAPI\", \"MjcSiteAPI\"]) {\n}\n" +
                    prim("Sphere", "s", "Collision") + "}\n"),
           diagnostics);
  EXPECT_THAT(model.sites, IsEmpty());
  EXPECT_THAT(test::paths(model.unreported_shapes), ElementsAre("/b/p/s"));
  EXPECT_EQ(model.mass_nodes_of(0).size(), 2U);
}

}  // namespace
}  // namespace sinew::physics::mjc_dialect_test
