// SPDX-License-Identifier: Apache-2.0
// Joints and articulations as read from text. Comments name the items of the conformance checklist.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "physics/read_scene.hpp"
#include "support/codes.hpp"

namespace sinew::physics::read_joints_test {
namespace {

using test::at;
using test::paths;
using test::prim;
using test::read;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

const std::string kTwoBodies = prim("Xform", "a", "RigidBody") + prim("Xform", "b", "RigidBody");

// A joint between two bodies; checks what all joints have in common.
template <typename Kind>
Kind jointed(const std::string& type, const std::string& apis, const std::string& attributes) {
  const PhysicsModel model = read(kTwoBodies + "def " + type + " \"j\" (apiSchemas = [" + apis +
                                  "]) {\n" + attributes + R"(
    rel physics:body0 = </a>
    rel physics:body1 = </b>
    point3f physics:localPos0 = (1, 1, 1)
    point3f physics:localPos1 = (-1, -1, -1)
    float physics:breakForce = 500
    float physics:breakTorque = 1500
}
)");
  if (model.joints.size() != 1 || !std::holds_alternative<Kind>(model.joints[0].kind)) {
    ADD_FAILURE() << type << " is no such joint";
    return {};
  }
  const Joint& joint = model.joints[0];
  EXPECT_TRUE(joint.is_valid && joint.joint_enabled);
  EXPECT_FALSE(joint.collision_enabled || joint.exclude_from_articulation);
  EXPECT_EQ(joint.ends[0].prim_path, "/a");
  EXPECT_EQ(joint.ends[1].prim_path, "/b");
  EXPECT_EQ(joint.ends[0].body_path, "/a");
  EXPECT_EQ(joint.ends[1].body_path, "/b");
  EXPECT_EQ(joint.ends[0].body, 0);
  EXPECT_EQ(joint.ends[1].body, 1);
  EXPECT_EQ(joint.ends[0].frame.position, Vector3f(1, 1, 1));
  EXPECT_EQ(joint.ends[1].frame.position, Vector3f(-1, -1, -1));
  EXPECT_EQ(joint.break_force, 500.0F);
  EXPECT_EQ(joint.break_torque, 1500.0F);
  return std::get<Kind>(joint.kind);
}

std::string drive(const std::string& instance) {
  const std::string prefix = "float drive:" + instance + ":physics:";
  return prefix + "targetPosition = 10\n" + prefix + "targetVelocity = 20\n" + prefix +
         "stiffness = 30\n" + prefix + "damping = 40\n";
}

void expect_drive(const JointDrive& drive) {
  EXPECT_TRUE(drive.enabled);
  EXPECT_EQ(drive.target_position, 10.0F);
  EXPECT_EQ(drive.target_velocity, 20.0F);
  EXPECT_EQ(drive.stiffness, 30.0F);
  EXPECT_EQ(drive.damping, 40.0F);
  EXPECT_EQ(drive.force_limit, kInfinity);
  EXPECT_FALSE(drive.acceleration);
}

std::string limits(const std::string& low, const std::string& high) {
  return "float physics:lowerLimit = " + low + "\nfloat physics:upperLimit = " + high + "\n";
}

TEST(ReadJoints, FixedJointHasNothingMore) {  // physics P11a
  jointed<FixedJoint>("PhysicsFixedJoint", "", "");
}

TEST(ReadJoints, RevoluteJointHasLimitAndDrive) {  // physics P11b
  const auto joint = jointed<RevoluteJoint>(
      "PhysicsRevoluteJoint", "\"PhysicsDriveAPI:angular\"",
      "uniform token physics:axis = \"Y\"\n" + limits("0", "90") + drive("angular"));
  EXPECT_EQ(joint.axis, Axis::y);
  EXPECT_TRUE(joint.limit.enabled);
  EXPECT_EQ(joint.limit.lower, 0.0F);
  EXPECT_EQ(joint.limit.upper, 90.0F);
  expect_drive(joint.drive);
}

TEST(ReadJoints, RevoluteJointIsFreeByDefault) {  // physics P11c
  const auto joint = jointed<RevoluteJoint>("PhysicsRevoluteJoint", "", "");
  EXPECT_FALSE(joint.limit.enabled || joint.drive.enabled);
}

TEST(ReadJoints, PrismaticJointHasLimitAndDrive) {  // physics P11d
  const auto joint = jointed<PrismaticJoint>(
      "PhysicsPrismaticJoint", "\"PhysicsDriveAPI:linear\"",
      "uniform token physics:axis = \"Z\"\n" + limits("10", "80") + drive("linear"));
  EXPECT_EQ(joint.axis, Axis::z);
  EXPECT_TRUE(joint.limit.enabled);
  EXPECT_EQ(joint.limit.lower, 10.0F);
  EXPECT_EQ(joint.limit.upper, 80.0F);
  expect_drive(joint.drive);
}

TEST(ReadJoints, PrismaticJointIsFreeByDefault) {  // physics P11e
  const auto joint = jointed<PrismaticJoint>("PhysicsPrismaticJoint", "", "");
  EXPECT_FALSE(joint.limit.enabled || joint.drive.enabled);
}

TEST(ReadJoints, SphericalJointHasTwoCones) {  // physics P11f
  const auto joint = jointed<SphericalJoint>(
      "PhysicsSphericalJoint", "",
      "uniform token physics:axis = \"Z\"\nfloat physics:coneAngle0Limit = 20\n"
      "float physics:coneAngle1Limit = 30\n");
  EXPECT_EQ(joint.axis, Axis::z);
  EXPECT_TRUE(joint.limit.enabled);
  EXPECT_EQ(joint.limit.lower, 20.0F);
  EXPECT_EQ(joint.limit.upper, 30.0F);
}

TEST(ReadJoints, DistanceJointHasTwoEnds) {  // physics P11g
  const auto joint =
      jointed<DistanceJoint>("PhysicsDistanceJoint", "",
                             "float physics:minDistance = 0\nfloat physics:maxDistance = 10\n");
  EXPECT_TRUE(joint.min_enabled && joint.max_enabled);
  EXPECT_FALSE(joint.limit.enabled);
  EXPECT_EQ(joint.limit.lower, 0.0F);
  EXPECT_EQ(joint.limit.upper, 10.0F);
}

TEST(ReadJoints, GenericJointListsItsLimitsAndDrives) {  // physics P11h
  const auto range = [](const std::string& dof, const std::string& low, const std::string& high) {
    return "float limit:" + dof + ":physics:low = " + low + "\nfloat limit:" + dof +
           ":physics:high = " + high + "\n";
  };
  const auto joint = jointed<D6Joint>(
      "PhysicsJoint",
      "\"PhysicsLimitAPI:rotY\", \"PhysicsLimitAPI:transX\", \"PhysicsLimitAPI:transY\", "
      "\"PhysicsLimitAPI:rotX\", \"PhysicsDriveAPI:rotX\"",
      range("transX", "-10", "10") + range("transY", "-20", "20") + range("rotX", "-30", "30") +
          range("rotY", "30", "-30") + range("rotZ", "1", "-1") + drive("rotX"));
  ASSERT_EQ(joint.limits.size(), 4u);  // rotZ does not apply the schema.
  EXPECT_EQ(joint.limits[0].dof, JointDof::trans_x);
  EXPECT_EQ(joint.limits[1].dof, JointDof::trans_y);
  EXPECT_EQ(joint.limits[2].dof, JointDof::rot_x);
  EXPECT_EQ(joint.limits[3].dof, JointDof::rot_y);
  for (const DofLimit& limit : joint.limits) EXPECT_TRUE(limit.limit.enabled);
  EXPECT_EQ(joint.limits[1].limit.lower, -20.0F);
  EXPECT_GT(joint.limits[3].limit.lower, joint.limits[3].limit.upper);
  ASSERT_EQ(joint.drives.size(), 1u);
  EXPECT_EQ(joint.drives[0].dof, JointDof::rot_x);
  expect_drive(joint.drives[0].drive);
}

TEST(ReadJoints, OneSidedLimits) {  // physics 12.7, 6.4
  const auto revolute = [](const std::string& attributes) {
    return jointed<RevoluteJoint>("PhysicsRevoluteJoint", "", attributes).limit;
  };
  const auto prismatic = [](const std::string& attributes) {
    return jointed<PrismaticJoint>("PhysicsPrismaticJoint", "", attributes).limit;
  };
  const JointLimit lower = revolute("float physics:lowerLimit = -10");
  EXPECT_FALSE(lower.enabled);
  EXPECT_EQ(lower.lower, -10.0F);
  EXPECT_EQ(lower.upper, kInfinity);
  EXPECT_TRUE(prismatic("float physics:lowerLimit = -10").enabled);
  EXPECT_FALSE(revolute(limits("-0.5e38", "10")).enabled);
  EXPECT_FALSE(prismatic(limits("-0.5e38", "0.5e38")).enabled);
  EXPECT_TRUE(prismatic("float physics:upperLimit = -6e37").enabled);
}

TEST(ReadJoints, OneSidedLimitsCountUnderDocumentedRules) {  // decisions 18
  const PhysicsModel model = read(kTwoBodies +
                                      "def PhysicsRevoluteJoint \"j\" {\nrel physics:body0 = </a>\n"
                                      "float physics:lowerLimit = -10\n}\n",
                                  Rules::documented);
  const auto& limit = std::get<RevoluteJoint>(model.joints.at(0).kind).limit;
  EXPECT_TRUE(limit.enabled);
  EXPECT_EQ(limit.lower, -10.0F);
  EXPECT_EQ(limit.upper, kInfinity);
}

TEST(ReadJoints, FreeEndsOfLimitsAreInfiniteUnderDocumentedRules) {  // decisions 18
  const auto joint = [](const char* kind, const std::string& low, const std::string& high) {
    const PhysicsModel model =
        read(kTwoBodies + "def " + kind + " \"j\" {\nrel physics:body0 = </a>\n" +
                 limits(low, high) + "}\n",
             Rules::documented);
    return model.joints.at(0).kind;
  };
  const auto revolute = std::get<RevoluteJoint>(joint("PhysicsRevoluteJoint", "-1e38", "10")).limit;
  EXPECT_TRUE(revolute.enabled);
  EXPECT_EQ(revolute.lower, -kInfinity);
  EXPECT_EQ(revolute.upper, 10.0F);
  const auto slide = std::get<PrismaticJoint>(joint("PhysicsPrismaticJoint", "nan", "10")).limit;
  EXPECT_TRUE(slide.enabled);
  EXPECT_EQ(slide.lower, -kInfinity);
  const auto above = std::get<PrismaticJoint>(joint("PhysicsPrismaticJoint", "-1", "2e38")).limit;
  EXPECT_EQ(above.lower, -1.0F);
  EXPECT_EQ(above.upper, kInfinity);
}

TEST(ReadJoints, RebasesFramesToTheBody) {  // physics 12.7, 6.3
  const PhysicsModel model =
      read(prim("Xform", "A", "RigidBody",
                test::transform("(1, 2, 3)", "(0, 0, 90)", "(2, 3, 4)") + "def Xform \"knob\" {\n" +
                    test::transform("(1, 1, 1)", "(90, 0, 0)", "(5, 5, 5)") + "}\n") +
           "def Xform \"post\" {\n" + test::transform("(10, 7, 0)", "(0, 0, 0)", "(2, 2, 2)") + R"(}
def PhysicsFixedJoint "j" {
    rel physics:body0 = </A>
    rel physics:body1 = </A/knob>
    point3f physics:localPos0 = (1, 1, 1)
    point3f physics:localPos1 = (1, 2, 3)
}
def PhysicsFixedJoint "k" {
    rel physics:body0 = </post>
    rel physics:body1 = </A>
    point3f physics:localPos0 = (1, 1, 1)
}
)");
  const Joint& joint = at(model.joints, "/j");
  EXPECT_EQ(joint.ends[0].body_path, "/A");
  EXPECT_EQ(joint.ends[1].body_path, "/A");
  EXPECT_TRUE(joint.ends[0].frame.position.isApprox(Vector3f(2, 3, 4), 1e-6F));
  EXPECT_TRUE(joint.ends[1].frame.position.isApprox(Vector3f(12, -42, 44), 1e-6F));
  EXPECT_NEAR(joint.ends[1].frame.rotation.w(), std::sqrt(0.5), 1e-6);
  EXPECT_NEAR(joint.ends[1].frame.rotation.x(), std::sqrt(0.5), 1e-6);
  const Joint& post = at(model.joints, "/k");
  EXPECT_EQ(post.ends[0].prim_path, "/post");
  EXPECT_EQ(post.ends[0].body_path, "");
  EXPECT_TRUE(post.ends[0].frame.position.isApprox(Vector3f(12, 9, 2), 1e-6F));
}

// The figures are OpenUSD's.
TEST(ReadJoints, BodiesWhoseTransformIsNotAffineAreUndoneWhole) {
  const auto placed = [](const std::string& matrix, const std::string& content) {
    return "matrix4d xformOp:transform = " + matrix +
           "\nuniform token[] xformOpOrder = [\"xformOp:transform\"]\n" + content;
  };
  const auto cube = [](const std::string& at) {
    return prim("Cube", "k", "Collision", test::transform(at, "(0, 0, 0)", "(1, 1, 1)"));
  };
  const std::string text =
      "(metersPerUnit = 1)\ndef Xform \"World\" {\n" +
      test::transform("(0, 0, 1)", "(0, 0, 0)", "(1, 1, 1)") +
      prim("Xform", "B", "RigidBody",
           placed("((1, 0, 0, 5), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))", cube("(1, 2, 3)"))) +
      "def PhysicsFixedJoint \"j\" {\nrel physics:body0 = </World/B/k>\n"
      "point3f physics:localPos0 = (1, 0, 0)\n}\n}\n" +
      prim("Xform", "T", "RigidBody",
           placed("((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (3, 0, 0, 2))", cube("(5, 5, 5)")));
  for (const Rules rules : {Rules::documented, Rules::openusd}) {
    const PhysicsModel model = read(text, rules);
    const Shape& shape = at(model.shapes, "/World/B/k");
    EXPECT_TRUE(shape.local_pose.position.isApprox(Vector3f(5.1925826F, 2, 0.5777472F), 1e-6F));
    EXPECT_TRUE(shape.local_pose.rotation.isApprox(Quatf(1, 0, 0, 0), 1e-6F));
    EXPECT_TRUE(shape.local_scale.isApprox(Vector3f(1, 1, 1), 1e-6F));
    const JointEnd& end = at(model.joints, "/World/j").ends[0];
    EXPECT_EQ(end.body_path, "/World/B");
    EXPECT_TRUE(end.frame.position.isApprox(Vector3f(10.385165F, 2, 0.5777472F), 1e-6F));
    EXPECT_TRUE(end.frame.rotation.isApprox(Quatf(1, 0, 0, 0), 1e-6F));
    EXPECT_TRUE(at(model.shapes, "/T/k").local_pose.position.isApprox(Vector3f(5, 5, 5), 1e-6F));
  }
}

// physics 6.2: whether they are read or not; only nested ones do not count (decisions 1).
TEST(ReadJoints, FindsBodiesThatAreNotRead) {
  const auto body = [](const std::string& name, const std::string& metadata,
                       const std::string& specifier = "def") {
    return specifier + " Xform \"" + name + "\" (" + metadata + ") {\n" +
           test::transform("(1, 2, 3)", "(0, 0, 0)", "(1, 1, 1)") + "}\n";
  };
  const std::string apis = "apiSchemas = [\"PhysicsRigidBodyAPI\"]";
  const std::string bodies =
      prim("Xform", "real", "RigidBody", prim("Xform", "nested", "RigidBody")) +
      body("Inactive", "active = false; " + apis) + body("Abstract", apis, "class") +
      body("Undefined", apis, "over") + body("Excluded", apis) +
      body("Material", "apiSchemas = [\"PhysicsMaterialAPI\", \"PhysicsRigidBodyAPI\"]") +
      "def PointInstancer \"p\" {\n" + body("Prototype", apis) + "}\n";
  ReadOptions options;
  options.exclude_paths = {"/Excluded"};
  for (const Rules rules : {Rules::documented, Rules::openusd}) {
    for (const char* path :
         {"/Inactive", "/Abstract", "/Undefined", "/Excluded", "/Material", "/p/Prototype"}) {
      const PhysicsModel model = read(
          bodies + "def PhysicsFixedJoint \"j\" {\nrel physics:body0 = <" + path +
              ">\nrel physics:body1 = </real/nested>\npoint3f physics:localPos0 = (1, 1, 1)\n}\n",
          rules, options);
      const Joint& joint = at(model.joints, "/j");
      EXPECT_TRUE(joint.is_valid) << path;
      EXPECT_EQ(joint.ends[0].body_path, path);
      EXPECT_EQ(joint.ends[0].body, kNone) << path;
      EXPECT_EQ(joint.ends[0].frame.position, Vector3f(1, 1, 1)) << path;
      EXPECT_EQ(joint.ends[0].body_world.position, Vector3f(1, 2, 3)) << path;
      EXPECT_EQ(joint.ends[1].body_path, rules == Rules::documented ? "/real" : "/real/nested");
    }
  }
}

// decisions 10: what is not there does not move.
TEST(ReadJoints, InactiveBodiesAloneMakeNoJointUnderDocumentedRules) {
  const std::string text =
      "def Xform \"In\" (active = false; apiSchemas = [\"PhysicsRigidBodyAPI\"]) {}\n"
      "def PhysicsFixedJoint \"j\" {\nrel physics:body0 = </In>\n}\n";
  EXPECT_FALSE(at(read(text, Rules::documented).joints, "/j").is_valid);
  EXPECT_TRUE(at(read(text).joints, "/j").is_valid);
}

TEST(ReadJoints, FindsTheBodyAboveOrTheTopmostCollider) {  // physics 6.2
  const PhysicsModel model = read(
      prim("Xform", "b", "RigidBody", "def Xform \"x\" {\ndef Xform \"y\" {}\n}") +
      prim("Cube", "outer", "Collision", prim("Cube", "inner", "Collision", "def Xform \"x\" {}")) +
      "def PhysicsFixedJoint \"j\" {\nrel physics:body0 = </b/x/y>\n"
      "rel physics:body1 = </outer/inner/x>\n}\n"
      "def PhysicsFixedJoint \"k\" {\nrel physics:body0 = </b>\n"
      "rel physics:body1 = </gone>\n}\n");
  const Joint& joint = at(model.joints, "/j");
  EXPECT_EQ(joint.ends[0].body_path, "/b");
  EXPECT_EQ(joint.ends[1].body_path, "/outer");
  EXPECT_EQ(joint.ends[1].body, kNone);
  const Joint& lost = at(model.joints, "/k");
  EXPECT_EQ(lost.ends[1].prim_path, "/gone");
  EXPECT_EQ(lost.ends[1].body_path, "");
  EXPECT_TRUE(lost.is_valid);
}

// --- Articulations

constexpr const char* kRoot = "\"PhysicsArticulationRootAPI\"";

// Bodies 0, 1 and 2 in a row, hinged 0-1 and 1-2, an anchor world-0 if asked for, and the root
// schema on one of the prims.
std::string chain(bool nested, bool anchor, const std::string& root, const std::string& body = "") {
  const auto with_root = [&](const char* name, const char* api) {
    std::string apis = api;
    if (root == name) apis += std::string(apis.empty() ? "" : ", ") + kRoot;
    return " \"" + std::string(name) + "\" (apiSchemas = [" + apis + "]) {\n";
  };
  const char* const kBody = "\"PhysicsRigidBodyAPI\"";
  std::string text = "def Xform" + with_root("xform", "");
  std::string path[3] = {"/xform/body0", "/xform/body1", "/xform/body2"};
  if (nested) {
    path[1] = path[0] + "/body1";
    path[2] = path[1] + "/body2";
  }
  const std::string end = nested ? "" : "}\n";
  text += "def Xform" + with_root("body0", kBody) + body + "\n" + end;
  text += "def Xform" + with_root("body1", kBody) + body + "\n" + end;
  text += "def Xform" + with_root("body2", kBody) + body + "\n" + end;
  if (nested) text += "}\n}\n}\n";
  for (int i = 0; i < 2; ++i) {
    text += "def PhysicsRevoluteJoint \"hinge" + std::to_string(i) + "\" {\nrel physics:body0 = <" +
            path[i] + ">\nrel physics:body1 = <" + path[i + 1] + ">\n}\n";
  }
  if (anchor) {
    text += "def PhysicsFixedJoint" + with_root("anchor", "") + "rel physics:body1 = <" + path[0] +
            ">\n}\n";
  }
  return text + "}\n";
}

// "roots joints bodies" of the only articulation.
std::string summary(const std::string& text) {
  const PhysicsModel model = read(text);
  if (model.articulations.size() != 1) return "no articulation";
  const Articulation& articulation = model.articulations[0];
  std::string result;
  for (const Text& root : articulation.root_prim_paths) result += root.str() + " ";
  return result + std::to_string(articulation.joint_paths.size()) + " " +
         std::to_string(articulation.body_paths.size());
}

TEST(ReadArticulations, FindsTheRootOfSiblings) {  // physics P12
  EXPECT_EQ(summary(chain(false, false, "body1")), "/xform/body1 2 3");
  EXPECT_EQ(summary(chain(false, false, "xform")), "/xform/body1 2 3");
  EXPECT_EQ(summary(chain(false, true, "anchor")), "/xform/anchor 3 4");
  EXPECT_EQ(summary(chain(false, true, "xform")), "/xform/anchor 3 4");
}

TEST(ReadArticulations, FindsTheRootOfNestedBodies) {  // physics P13
  EXPECT_EQ(summary(chain(true, false, "body0")), "/xform/body0 2 3");
  EXPECT_EQ(summary(chain(true, false, "xform")), "/xform/body0 2 3");
  EXPECT_EQ(summary(chain(true, true, "anchor")), "/xform/anchor 3 4");
}

TEST(ReadArticulations, KinematicBodiesChangeNothing) {  // physics P14
  const std::string kinematic = "bool physics:kinematicEnabled = true";
  EXPECT_EQ(summary(chain(false, false, "body1", kinematic)), "/xform/body1 2 3");
  EXPECT_EQ(summary(chain(false, false, "xform", kinematic)), "/xform/body1 2 3");
  EXPECT_EQ(summary(chain(false, true, "anchor", kinematic)), "/xform/anchor 3 4");
  EXPECT_EQ(summary(chain(false, true, "xform", kinematic)), "/xform/anchor 3 4");
}

TEST(ReadArticulations, ListsTheFilteredPairsOfTheRoot) {  // physics 7.1
  const PhysicsModel model =
      read(prim("Xform", "arm", "ArticulationRoot FilteredPairs",
                "rel physics:filteredPairs = </wall>\n" + prim("Xform", "b", "RigidBody")) +
           prim("Cube", "wall", "Collision"));
  ASSERT_EQ(model.articulations.size(), 1u);
  EXPECT_THAT(model.articulations[0].filtered_collision_paths, ElementsAre("/wall"));
  EXPECT_THAT(model.articulations[0].root_prim_paths, ElementsAre("/arm/b"));
}

TEST(ReadJoints, OldNamesOfTypesCountUnderDocumentedRulesAlone) {
  for (const auto& [name, type] : std::vector<std::pair<std::string, ObjectType>>{
           {"PhysicsD6Joint", ObjectType::d6_joint},
           {"D6PhysicsJoint", ObjectType::d6_joint},
           {"DistancePhysicsJoint", ObjectType::distance_joint},
           {"FixedPhysicsJoint", ObjectType::fixed_joint},
           {"RevolutePhysicsJoint", ObjectType::revolute_joint},
           {"PrismaticPhysicsJoint", ObjectType::prismatic_joint},
           {"SphericalPhysicsJoint", ObjectType::spherical_joint}}) {
    const std::string text = kTwoBodies + "def " + name + " \"j\" {\nrel physics:body0 = </a>\n}\n";
    Diagnostics diagnostics;
    const PhysicsModel model = read(text, diagnostics, Rules::documented);
    ASSERT_EQ(model.joints.size(), 1U) << name;
    EXPECT_EQ(model.joints[0].type(), type) << name;
    EXPECT_EQ(test::codes_of(diagnostics), "physics-legacy-spelling /j;") << name;
    Diagnostics none;
    EXPECT_THAT(read(text, none).joints, IsEmpty()) << name;
    EXPECT_EQ(test::codes_of(none), "") << name;
  }
  Diagnostics diagnostics;
  const std::string other = kTwoBodies + "def ScrewPhysicsJoint \"j\" {\n}\ndef \"k\" {\n}\n";
  EXPECT_THAT(read(other, diagnostics, Rules::documented).joints, IsEmpty());
  EXPECT_EQ(test::codes_of(diagnostics), "");
}

// physics 6.2: of several targets the first counts; documented rules tell of it.
TEST(ReadJoints, OfSeveralTargetsTheFirstCounts) {
  const auto joint = [](const std::string& body1, Diagnostics& diagnostics, Rules rules) {
    return read(
               kTwoBodies + "def PhysicsFixedJoint \"j\" {\nrel physics:body1 = " + body1 + "\n}\n",
               diagnostics, rules)
        .joints.at(0);
  };
  for (const Rules rules : {Rules::documented, Rules::openusd}) {
    Diagnostics several;
    const Joint first = joint("[</b>, </a>]", several, rules);
    EXPECT_EQ(first.ends[1].body_path, "/b");
    EXPECT_TRUE(first.is_valid);
    EXPECT_EQ(test::codes_of(several),
              rules == Rules::documented ? "physics-joint-targets /j;" : "");
    Diagnostics one;
    EXPECT_EQ(joint("[</a>]", one, rules).ends[1].body_path, "/a");
    EXPECT_EQ(test::codes_of(one), "");
  }
}

// decisions 10: an end at something static is as good as the world; a joint with two is invalid.
TEST(ReadJoints, WhatIsWrongWithAJointIsToldOnceUnderDocumentedRules) {
  const auto told = [](const std::string& ends, Rules rules) {
    Diagnostics diagnostics;
    const PhysicsModel model =
        read(prim("Xform", "a", "RigidBody") +
                 prim("Xform", "off", "RigidBody", "bool physics:rigidBodyEnabled = false") +
                 "def Xform \"x\" {}\ndef PhysicsFixedJoint \"j\" {\n" + ends + "}\n",
             diagnostics, rules);
    return test::codes_of(diagnostics) + (model.joints.at(0).is_valid ? "valid" : "invalid");
  };
  const std::string zero = "rel physics:body0 = ";
  const std::string one = "rel physics:body1 = ";
  const std::string wrong = "physics-invalid-joint /j;invalid";
  EXPECT_EQ(told(zero + "</a>\n" + one + "</x>\n", Rules::documented), "valid");
  EXPECT_EQ(told(zero + "</x>\n" + one + "</a>\n", Rules::documented), "valid");
  EXPECT_EQ(told(zero + "</off>\n" + one + "</x>\n", Rules::documented), wrong);
  EXPECT_EQ(told("", Rules::documented), wrong);
  EXPECT_EQ(told(zero + "</gone>\n" + one + "</x>\n", Rules::documented), wrong);
  EXPECT_EQ(told(zero + "</gone>\n" + one + "</a>\n", Rules::documented), wrong);
  EXPECT_EQ(told(zero + "</gone>\n" + one + "</x>\n", Rules::openusd), "valid");
}

TEST(ReadArticulations, AreTheSameHoweverOftenTheirPathsAreIncluded) {
  const std::string text = chain(false, true, "xform");
  const PhysicsModel whole = read(text);
  ASSERT_EQ(whole.articulations.size(), 1U);
  EXPECT_THAT(whole.articulations[0].joint_paths,
              ElementsAre("/xform/anchor", "/xform/hinge0", "/xform/hinge1"));
  for (const std::vector<std::string>& included :
       std::vector<std::vector<std::string>>{{"/xform"}, {"/xform", "/xform"}}) {
    ReadOptions options;
    options.include_paths = included;
    const PhysicsModel model = read(text, Rules::openusd, options);
    ASSERT_EQ(model.articulations.size(), included.size());
    for (const Articulation& articulation : model.articulations) {
      EXPECT_TRUE(articulation.is_valid);
      EXPECT_EQ(articulation.root_prim_paths, whole.articulations[0].root_prim_paths);
      EXPECT_EQ(articulation.joint_paths, whole.articulations[0].joint_paths);
      EXPECT_EQ(articulation.body_paths, whole.articulations[0].body_paths);
    }
  }
}

}  // namespace
}  // namespace sinew::physics::read_joints_test
