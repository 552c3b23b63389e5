// SPDX-License-Identifier: Apache-2.0
// The validation pass. Comments name the items of the conformance checklist.
#include "sinew/physics/read/check_physics.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "physics/read_scene.hpp"
#include "stage/support.hpp"

namespace sinew::physics::check_physics_test {
namespace {

using test::prim;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Diagnostics check_everything(const std::string& text, Rules rules,
                             const ReadOptions& options = {}) {
  Diagnostics opening;
  stage::OpenOptions open;
  open.rules = rules;
  const auto stage = stage::open_layers({{"root.usda", text.c_str()}}, opening, open);
  Diagnostics findings;
  check_physics(*stage, findings, options);
  return findings;
}

// The same without what is told of layers that have no unit, as most of these.
Diagnostics check_all(const std::string& text, Rules rules, const ReadOptions& options = {}) {
  Diagnostics findings = check_everything(text, rules, options);
  std::erase_if(findings, [](const Diagnostic& d) { return d.code == "physics-units-assumed"; });
  return findings;
}

// And of those that have no scene.
Diagnostics check(const std::string& text, Rules rules = Rules::openusd) {
  Diagnostics findings = check_all(text, rules);
  std::erase_if(findings, [](const Diagnostic& d) { return d.code == "physics-no-scene"; });
  return findings;
}

// What was found, as "code path", without the prefix that all codes share.
std::vector<std::string> found(const std::string& text, Rules rules = Rules::openusd) {
  std::vector<std::string> result;
  for (const Diagnostic& finding : check(text, rules)) {
    EXPECT_EQ(finding.code.rfind("physics-", 0), 0u) << finding.code;
    EXPECT_FALSE(finding.message.empty());
    result.push_back(finding.code.substr(8) + " " + finding.path);
  }
  return result;
}

std::string scaled(const std::string& scale) {
  return "\nfloat3 xformOp:scale = " + scale +
         "\nuniform token[] xformOpOrder = [\"xformOp:scale\"]\n";
}

const std::string kTurned =
    "float xformOp:rotateZ = 30\nuniform token[] xformOpOrder = [\"xformOp:rotateZ\"]";
const std::string kReset = "uniform token[] xformOpOrder = [\"!resetXformStack!\"]\n";

const std::string kBodies = prim("Xform", "a", "RigidBody") + prim("Xform", "b", "RigidBody");

TEST(CheckPhysics, FindsABodyThatCannotBePlaced) {  // physics V1
  EXPECT_THAT(found(prim("Scope", "s", "RigidBody")), ElementsAre("rigid-body-non-xformable /s"));
}

TEST(CheckPhysics, FindsScaleAlongOtherDirectionsThanTheAxes) {  // physics V2
  EXPECT_THAT(found(prim("Xform", "x", "RigidBody")), IsEmpty());
  EXPECT_THAT(found(prim("Xform", "x", "RigidBody", scaled("(7, 8, 9)"))), IsEmpty());
  // Scale (7, 8, 9) along axes turned by 20.3 degrees around (1, 2, 3).
  EXPECT_THAT(found(prim("Xform", "x", "RigidBody",
                         "matrix4d xformOp:transform = ( (7.15152609, -0.283623789, 0.356553105, "
                         "0), (-0.283623789, 7.92197749, -0.0152272779, 0), (0.356553105, "
                         "-0.0152272779, 8.92649642, 0), (0, 0, 0, 1) )\n"
                         "uniform token[] xformOpOrder = [\"xformOp:transform\"]")),
              ElementsAre("rigid-body-orientation-scale /x"));
}

TEST(CheckPhysics, FindsBodiesThatAreInstanced) {  // physics V3
  const std::string scene = "def Xform \"source\" {\n" + prim("Cube", "c", "RigidBody") +
                            "}\ndef \"i\" (instanceable = true; references = </source>) {}\n";
  EXPECT_THAT(found(scene), ElementsAre("rigid-body-non-instanceable /i/c"));
  const std::string kinematic =
      "def Xform \"source\" {\n" +
      prim("Cube", "c", "RigidBody", "bool physics:kinematicEnabled = true") +
      "}\ndef \"i\" (instanceable = true; references = </source>) {}\n";
  EXPECT_THAT(found(kinematic), IsEmpty());
}

TEST(CheckPhysics, FindsNestedArticulations) {  // physics V4
  EXPECT_THAT(found(prim("Xform", "o", "ArticulationRoot", prim("Xform", "i", "ArticulationRoot"))),
              ElementsAre("nested-articulation /o/i"));
}

TEST(CheckPhysics, FindsArticulationsOnDisabledBodies) {  // physics V5
  const auto root = [](const std::string& content) {
    return found(prim("Xform", "r", "RigidBody ArticulationRoot", content));
  };
  EXPECT_THAT(root(""), IsEmpty());
  EXPECT_THAT(root("bool physics:rigidBodyEnabled = false"),
              ElementsAre("articulation-on-static-body /r"));
  EXPECT_THAT(root("bool physics:kinematicEnabled = true"), IsEmpty());
}

std::vector<std::string> joint(const std::string& content, const std::string& others = kBodies) {
  return found(others + "def PhysicsFixedJoint \"j\" {\n" + content + "\n}\n");
}

TEST(CheckPhysics, FindsJointsToMissingPrims) {  // physics V6
  EXPECT_THAT(joint("rel physics:body0 = </a>\nrel physics:body1 = </nothing>"),
              ElementsAre("joint-invalid-prim-rel /j.physics:body1"));
}

TEST(CheckPhysics, LooksAtJointsOfOtherSpellings) {
  const auto of_type = [](const std::string& type, const std::string& content) {
    return found(kBodies + "def " + type + " \"j\" {\n" + content + "\n}\n", Rules::documented);
  };
  for (const char* type : {"PhysicsD6Joint", "D6PhysicsJoint", "FixedPhysicsJoint"}) {
    EXPECT_THAT(of_type(type, "rel physics:body0 = </a>\nrel physics:body1 = </nothing>"),
                ElementsAre("joint-invalid-prim-rel /j.physics:body1"))
        << type;
  }
  EXPECT_THAT(of_type("DistancePhysicsJoint",
                      "rel physics:body0 = </a>\nrel physics:body1 = </b>\n"
                      "float physics:minDistance = 5\nfloat physics:maxDistance = 2"),
              ElementsAre("inverted-limit /j"));
}

TEST(CheckPhysics, FindsJointsToWhatCannotBePlaced) {  // physics V7
  EXPECT_THAT(
      joint("rel physics:body0 = </s>\nrel physics:body1 = </b>", kBodies + "def Scope \"s\" {}\n"),
      ElementsAre("joint-rel-not-xformable /j.physics:body0"));
  EXPECT_THAT(
      joint("rel physics:body0 = </x>\nrel physics:body1 = </b>", kBodies + "def Xform \"x\" {}\n"),
      IsEmpty());
}

TEST(CheckPhysics, FindsJointsWithoutAnEnabledBody) {  // physics V8
  const std::string off = "bool physics:rigidBodyEnabled = false";
  EXPECT_THAT(joint(""), ElementsAre("joint-no-enabled-rigid-body /j"));
  EXPECT_THAT(joint("rel physics:body0 = </a>"), IsEmpty());
  EXPECT_THAT(joint("rel physics:body0 = </a>\nrel physics:body1 = </b>",
                    prim("Xform", "a", "RigidBody", off) + prim("Xform", "b", "RigidBody", off)),
              ElementsAre("joint-no-enabled-rigid-body /j"));
}

// decisions 10: the body on an ancestor counts, as it does where joints are read.
TEST(CheckPhysics, TakesTheBodyAboveTheEndOfAJointUnderDocumentedRules) {
  const auto joint_to = [](const std::string& path, const std::string& bodies) {
    return bodies + "def PhysicsFixedJoint \"j\" {\nrel physics:body1 = <" + path + ">\n}\n";
  };
  const std::string off = "bool physics:rigidBodyEnabled = false\n";
  const auto hinged = [](const std::string& content) {
    return prim("Xform", "door", "RigidBody", content + "def Xform \"hinge\" {}\n");
  };
  const auto nested = [&](const std::string& outer, const std::string& inner) {
    return prim("Xform", "o", "RigidBody",
                outer + prim("Xform", "i", "RigidBody", inner + "def Xform \"x\" {}\n"));
  };
  struct Case {
    std::string text;
    bool is_enabled;  // Under the documented rules.
  };
  for (const Case& one : {Case{joint_to("/door/hinge", hinged("")), true},
                          Case{joint_to("/door/hinge", hinged(off)), false},
                          Case{joint_to("/o/i/x", nested("", off)), true},
                          Case{joint_to("/o/i/x", nested("", off + kReset)), false},
                          Case{joint_to("/o/i/x", nested(off, "")), true},
                          Case{joint_to("/o/i/x", nested(off, off)), false}}) {
    const std::vector<std::string> documented = found(one.text, Rules::documented);
    const bool told = std::find(documented.begin(), documented.end(),
                                "joint-no-enabled-rigid-body /j") != documented.end();
    EXPECT_EQ(told, !one.is_enabled) << one.text;
    Diagnostics diagnostics;
    const PhysicsModel model = test::read(one.text, diagnostics, Rules::documented);
    EXPECT_EQ(model.joints.at(0).is_valid, one.is_enabled) << one.text;
    EXPECT_THAT(found(one.text), Contains("joint-no-enabled-rigid-body /j")) << one.text;
  }
}

TEST(CheckPhysics, FindsRelationsThatNameSeveralPrims) {  // physics V9
  EXPECT_THAT(joint("rel physics:body1 = [</a>, </b>]"),
              ElementsAre("joint-multiple-prims-rel /j.physics:body1"));
}

TEST(CheckPhysics, FindsRoundShapesUnderNonUniformScale) {  // physics V10
  for (const char* type : {"Sphere", "Capsule", "Capsule_1", "Cone", "Cylinder", "Cylinder_1"}) {
    EXPECT_THAT(found(prim(type, "c", "Collision")), IsEmpty()) << type;
    EXPECT_THAT(found(prim(type, "c", "Collision", scaled("(-2, -2, -2)"))), IsEmpty()) << type;
    EXPECT_THAT(found(prim(type, "c", "Collision", scaled("(1, 2, 3)"))),
                ElementsAre("collider-non-uniform-scale /c"))
        << type;
  }
  EXPECT_THAT(found(prim("Cube", "c", "Collision", scaled("(1, 2, 3)"))), IsEmpty());
}

TEST(CheckPhysics, AllowsAScaleAlongTheSpineUnderDocumentedRules) {  // physics 11.2
  for (const char* type : {"Capsule", "Capsule_1", "Cone", "Cylinder", "Cylinder_1"}) {
    const std::string along = prim(type, "c", "Collision", scaled("(2, 2, 3)"));
    EXPECT_THAT(found(along, Rules::documented), IsEmpty()) << type;
    EXPECT_THAT(found(along), ElementsAre("collider-non-uniform-scale /c")) << type;
    const std::string across =
        prim(type, "c", "Collision", "uniform token axis = \"X\"" + scaled("(2, 2, 3)"));
    EXPECT_THAT(found(across, Rules::documented), ElementsAre("collider-non-uniform-scale /c"))
        << type;
  }
}

TEST(CheckPhysics, FindsSkewedCollidersUnderDocumentedRules) {
  const std::string text =
      "def Xform \"x\" {" + scaled("(1, 2, 1)") + prim("Cube", "c", "Collision", kTurned) + "}\n";
  EXPECT_THAT(found(text, Rules::documented), ElementsAre("skewed-collider /x/c"));
  EXPECT_THAT(found(text), IsEmpty());
}

// Reading and checking judge the scale of a shape by the same rule.
TEST(CheckPhysics, AgreesWithReadingAboutTheScaleOfRoundShapes) {
  for (const char* scale : {"(1, 1, 1)", "(1, 1, 1.00001)", "(1, 1, 1.000011)", "(1, 1, 1.0001)",
                            "(1000, 1000, 1000.005)", "(0, 0, 0)", "(2, -2, 2)", "(1, 2, 3)"}) {
    for (const char* type : {"Sphere", "Capsule", "Cone", "Cylinder_1", "Cube", "Mesh"}) {
      const std::string text = prim(type, "c", "Collision", scaled(scale));
      Diagnostics diagnostics;
      test::read(text, diagnostics, Rules::documented);
      const bool read =
          std::any_of(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& diagnostic) {
            return diagnostic.code == "physics-nonuniform-scale";
          });

      const std::vector<std::string> checked = found(text, Rules::documented);

      EXPECT_EQ(std::find(checked.begin(), checked.end(), "collider-non-uniform-scale /c") !=
                    checked.end(),
                read)
          << type << " " << scale;
    }
  }
}

TEST(CheckPhysics, LooksThroughSchemasOfTheApplication) {
  const std::string text = R"(
def Sphere "s" (apiSchemas = ["AcmeBodyAPI"]) {
    float physics:mass = -1
}
)";
  Diagnostics opening;
  const auto stage = stage::open_layers({{"root.usda", text.c_str()}}, opening);
  ReadOptions options;
  options.api_schemas = {{"AcmeBodyAPI", {"PhysicsRigidBodyAPI", "PhysicsMassAPI"}}};

  Diagnostics without;
  check_physics(*stage, without);
  Diagnostics with;
  check_physics(*stage, with, options);
  for (Diagnostics* findings : {&without, &with}) {
    std::erase_if(*findings, [](const Diagnostic& d) { return d.severity == Severity::info; });
  }

  EXPECT_TRUE(without.empty());
  ASSERT_EQ(with.size(), 1U);
  EXPECT_EQ(with[0].code, "physics-mass-invalid-values");
}

TEST(CheckPhysics, LeavesGeometryOfTheApplicationAlone) {
  const std::string text = prim("AcmeBlob", "b", "Collision");
  Diagnostics opening;
  const auto stage = stage::open_layers({{"root.usda", text.c_str()}}, opening);
  ReadOptions options;
  options.shape_tokens = {"AcmeBlob"};

  Diagnostics without;
  check_physics(*stage, without);
  Diagnostics with;
  check_physics(*stage, with, options);

  EXPECT_EQ(without.size(), 1U);
  EXPECT_TRUE(with.empty());
}

std::vector<std::string> points(const std::string& content) {
  return found(prim("Points", "p", "Collision", content));
}

const char* const kMissingWidths = "collider-sphere-points-data-missing /p";

TEST(CheckPhysics, FindsPointsWithoutWidths) {  // physics V11
  EXPECT_THAT(points("point3f[] points = [(1, 1, 1)]\nfloat[] widths = [1]"), IsEmpty());
  EXPECT_THAT(points("point3f[] points = [(1, 1, 1)]\nfloat[] widths = []"),
              ElementsAre(kMissingWidths));
  EXPECT_THAT(points("point3f[] points = []\nfloat[] widths = [1]"), ElementsAre(kMissingWidths));
  EXPECT_THAT(points("point3f[] points = [(1, 1, 1), (2, 2, 2)]\nfloat[] widths = [1]"),
              ElementsAre(kMissingWidths));
  EXPECT_THAT(points("point3f[] points = [(1, 1, 1)]\nfloat[] widths = [1]" + scaled("(1, 2, 3)")),
              ElementsAre("collider-non-uniform-scale /p"));
}

TEST(CheckPhysics, CountsWidthsWhereTheyAreRead) {  // physics V12
  const std::string two = "point3f[] points = [(1, 1, 1), (2, 2, 2)]\n";
  EXPECT_THAT(points(two + "float[] widths = [1]\nfloat[] primvars:widths = [1, 1]"), IsEmpty());
  EXPECT_THAT(points(two + "float[] widths = [1, 1]\nfloat[] primvars:widths = [1]"),
              ElementsAre(kMissingWidths));
  EXPECT_THAT(points(two), ElementsAre(kMissingWidths));
  const std::string one = two + "float[] primvars:widths = [1]\nint[] primvars:widths:indices = ";
  EXPECT_THAT(points(one + "[0, 0]"), IsEmpty());
  EXPECT_THAT(points(one + "[0]"), ElementsAre(kMissingWidths));
}

// Arrays of another precision are none under the openusd rules; reading says the same.
TEST(CheckPhysics, CountsPointsAndWidthsOfTheirTypesOnly) {
  const std::string two = "point3f[] points = [(1, 1, 1), (2, 2, 2)]\n";
  for (const std::string& content :
       {std::string("double3[] points = [(1, 1, 1), (2, 2, 2)]\nfloat[] widths = [1, 1]"),
        two + "double[] widths = [1, 1]",
        two + "float[] widths = [1, 1]\ndouble[] primvars:widths = [1, 1]",
        two + "double[] primvars:widths = [1]\nint[] primvars:widths:indices = [0, 0]"}) {
    EXPECT_THAT(points(content), ElementsAre(kMissingWidths)) << content;
    const std::string text = prim("Points", "p", "Collision", content);
    EXPECT_THAT(found(text, Rules::documented), IsEmpty()) << content;
    for (const Rules rules : {Rules::documented, Rules::openusd}) {
      EXPECT_EQ(test::read(text, rules).shapes.at(0).is_valid, rules == Rules::documented)
          << content;
    }
  }
  EXPECT_THAT(points(two + "float[] primvars:widths = [1]\n"
                           "int64[] primvars:widths:indices = [0, 0]"),
              ElementsAre(kMissingWidths));
}

TEST(CheckPhysics, FindsPlanesThatWouldMove) {  // physics V13
  const auto under = [](const std::string& content) {
    return found(prim("Xform", "b", "RigidBody", content + "\n" + prim("Plane", "p", "Collision")));
  };
  EXPECT_THAT(found(prim("Plane", "p", "Collision")), IsEmpty());
  EXPECT_THAT(under(""), ElementsAre("collider-plane-dynamic /b/p"));
  EXPECT_THAT(found(prim("Plane", "p", "RigidBody Collision")),
              ElementsAre("collider-plane-dynamic /p"));
  EXPECT_THAT(under("bool physics:rigidBodyEnabled = false"), IsEmpty());
  EXPECT_THAT(under("bool physics:kinematicEnabled = true"), IsEmpty());
}

std::vector<std::string> mass_of(const std::string& content) {
  const auto body = found(prim("Cube", "c", "RigidBody Mass", content));
  EXPECT_EQ(body, found(prim("Cube", "c", "Collision Mass", content)));
  EXPECT_EQ(body, found(prim("Cube", "c", "RigidBody Collision Mass", content)));
  return body;
}

std::string inertia(const std::string& axes, const std::string& diagonal) {
  std::string result;
  if (!axes.empty()) result += "quatf physics:principalAxes = " + axes + "\n";
  if (!diagonal.empty()) result += "float3 physics:diagonalInertia = " + diagonal + "\n";
  return result;
}

TEST(CheckPhysics, FindsNegativeMassAndDensity) {  // physics V14
  EXPECT_THAT(mass_of("float physics:mass = -5"),
              ElementsAre("mass-invalid-values /c.physics:mass"));
  EXPECT_THAT(mass_of("float physics:density = -10"),
              ElementsAre("density-invalid-values /c.physics:density"));
  EXPECT_THAT(mass_of(""), IsEmpty());
}

TEST(CheckPhysics, FindsInertiaThatIsNone) {  // physics V14
  const auto axes = ElementsAre("inertia-invalid-values /c.physics:principalAxes");
  const auto diagonal = ElementsAre("inertia-invalid-values /c.physics:diagonalInertia");
  EXPECT_THAT(mass_of(inertia("(1, 0, 0, 0)", "")), axes);
  EXPECT_THAT(mass_of(inertia("", "(1, 2, 3)")), diagonal);
  EXPECT_THAT(mass_of(inertia("(0, 0, 0, 0)", "(1, 2, 3)")), axes);
  EXPECT_THAT(mass_of(inertia("(1, 0, 0, 0)", "(0, 0, 0)")), diagonal);
  EXPECT_THAT(mass_of(inertia("(2, 0, 0, 0)", "(1, 2, 3)")), axes);
  EXPECT_THAT(mass_of(inertia("(1, 0, 0, 0)", "(-1, 2, 3)")), diagonal);
  EXPECT_THAT(mass_of(inertia("(1, 0, 0, 0)", "(0, 2, 3)")), diagonal);
  EXPECT_EQ(mass_of(inertia("(2, 0, 0, 0)", "(0, 2, 3)")).size(), 2u);  // They may fire together.
}

TEST(CheckPhysics, AcceptsInertiaThatIsWhole) {  // physics V14
  EXPECT_THAT(mass_of(inertia("(1, 0, 0, 0)", "(1, 2, 3)")), IsEmpty());
  EXPECT_THAT(mass_of(inertia("(0, 0, 0, 0)", "(0, 0, 0)")), IsEmpty());
  EXPECT_THAT(mass_of(inertia("(0.9238795, 0, 0.3826834, 0)", "(1, 2, 3)")), IsEmpty());
}

TEST(CheckPhysics, IgnoresMassWhereItHasNoEffect) {
  EXPECT_THAT(found(prim("Xform", "x", "Mass", "float physics:mass = -5")), IsEmpty());
  EXPECT_THAT(found(prim("Cube", "c", "RigidBody", "float physics:mass = -5")), IsEmpty());
}

TEST(CheckPhysics, FindsJointsOfABodyToItself) {
  EXPECT_THAT(joint("rel physics:body0 = </a>\nrel physics:body1 = </a>"),
              ElementsAre("joint-same-body /j"));
  EXPECT_THAT(joint("rel physics:body0 = </a>\nrel physics:body1 = </a/x>",
                    prim("Xform", "a", "RigidBody", "def Xform \"x\" {}")),
              ElementsAre("joint-same-body /j"));
}

TEST(CheckPhysics, FindsFilterTargetsThatDoNotExist) {
  EXPECT_THAT(found(prim("Cube", "c", "Collision FilteredPairs",
                         "rel physics:filteredPairs = [</c>, </gone>]")),
              ElementsAre("missing-target /c.physics:filteredPairs"));
  EXPECT_THAT(found("def PhysicsCollisionGroup \"g\" {\nrel physics:filteredGroups = </gone>\n}"),
              ElementsAre("missing-target /g.physics:filteredGroups"));
}

TEST(CheckPhysics, FindsTargetsOfTheWrongKind) {
  EXPECT_THAT(found("def PhysicsCollisionGroup \"g\" {\nrel physics:filteredGroups = </x>\n}\n"
                    "def Xform \"x\" {}"),
              ElementsAre("wrong-target /g.physics:filteredGroups"));
  EXPECT_THAT(found(prim("Xform", "b", "RigidBody", "rel physics:simulationOwner = </b>")),
              ElementsAre("wrong-target /b.physics:simulationOwner"));
}

TEST(CheckPhysics, FindsValuesThatAreNotFinite) {
  EXPECT_THAT(found(prim("Cube", "c", "RigidBody Mass",
                         "float physics:mass = nan\nvector3f physics:velocity = (0, inf, 0)")),
              ::testing::UnorderedElementsAre("non-finite-value /c.physics:mass",
                                              "non-finite-value /c.physics:velocity"));
  EXPECT_THAT(joint("rel physics:body0 = </a>\npoint3f physics:localPos0 = (nan, 0, 0)\n"
                    "float physics:breakForce = inf"),
              ElementsAre("non-finite-value /j.physics:localPos0"));
  // Of other precision, too: it is there for whoever reads it.
  EXPECT_THAT(found(prim("Cube", "c", "RigidBody Mass",
                         "double physics:mass = nan\nvector3d physics:velocity = (0, 0, inf)\n"
                         "quatd physics:principalAxes = (1, 0, 0, inf)")),
              ::testing::IsSupersetOf({"non-finite-value /c.physics:mass",
                                       "non-finite-value /c.physics:velocity",
                                       "non-finite-value /c.physics:principalAxes"}));
  // An infinite centre asks for the fallback.
  EXPECT_THAT(found(prim("Cube", "c", "RigidBody Mass",
                         "point3f physics:centerOfMass = (-inf, -inf, -inf)")),
              IsEmpty());
}

// An infinite magnitude asks for the fallback; a direction has none that does.
TEST(CheckPhysics, FindsGravityThatIsNotFinite) {
  const auto scene = [](const std::string& content) {
    return found("def PhysicsScene \"s\" {\n" + content + "\n}\n");
  };
  const auto direction = ElementsAre("non-finite-value /s.physics:gravityDirection");
  const std::string name = "vector3f physics:gravityDirection = ";
  EXPECT_THAT(scene(name + "(0, 0, 0)\nfloat physics:gravityMagnitude = -inf"), IsEmpty());
  EXPECT_THAT(scene("float physics:gravityMagnitude = inf"), IsEmpty());
  EXPECT_THAT(scene("float physics:gravityMagnitude = nan"),
              ElementsAre("non-finite-value /s.physics:gravityMagnitude"));
  for (const char* value : {"(nan, 0, 0)", "(0, inf, 0)", "(0, 0, -inf)"}) {
    EXPECT_THAT(scene(name + value), direction) << value;
  }
}

TEST(CheckPhysics, FindsNegativeCoefficients) {
  EXPECT_THAT(found(prim("Material", "m", "Material", "float physics:staticFriction = -1")),
              ElementsAre("negative-value /m.physics:staticFriction"));
  EXPECT_THAT(joint("rel physics:body0 = </a>\nfloat physics:breakForce = -1"),
              ElementsAre("negative-value /j.physics:breakForce"));
}

TEST(CheckPhysics, FindsUnknownTokens) {
  EXPECT_THAT(found(prim("Mesh", "m", "Collision MeshCollision",
                         "uniform token physics:approximation = \"sdf\"")),
              ElementsAre("unknown-token /m.physics:approximation"));
  EXPECT_THAT(
      found(kBodies +
            "def PhysicsRevoluteJoint \"j\" (apiSchemas = [\"PhysicsDriveAPI:angular\"]) {\n"
            "rel physics:body0 = </a>\nuniform token physics:axis = \"x\"\n"
            "uniform token drive:angular:physics:type = \"spring\"\n}\n"),
      ElementsAre("unknown-token /j.physics:axis", "unknown-token /j.drive:angular:physics:type"));
}

TEST(CheckPhysics, FindsDistancesThatNoPoseHas) {
  const auto joint = [](const std::string& min, const std::string& max) {
    return kBodies + "def PhysicsDistanceJoint \"j\" {\nrel physics:body0 = </a>\n" +
           "rel physics:body1 = </b>\nfloat physics:minDistance = " + min +
           "\nfloat physics:maxDistance = " + max + "\n}\n";
  };
  EXPECT_THAT(found(joint("5", "3")), ElementsAre("inverted-limit /j"));
  EXPECT_THAT(found(joint("3", "5")), IsEmpty());
  EXPECT_THAT(found(joint("5", "-1")), IsEmpty());
}

TEST(CheckPhysics, SaysWhichGravityBodiesWithoutASceneGet) {
  const auto messages = [](const std::string& text) {
    std::vector<std::string> result;
    for (const Diagnostic& finding : check_all(text, Rules::openusd)) {
      if (finding.code == "physics-no-scene") result.push_back(finding.message);
    }
    return result;
  };
  EXPECT_THAT(messages(kBodies), ElementsAre(HasSubstr("981 along (0, -1, 0)")));
  EXPECT_THAT(messages(kBodies + "def PhysicsScene \"s\" {\n}\n"), IsEmpty());
  EXPECT_THAT(messages("def Xform \"x\" {\n}\n"), IsEmpty());
}

TEST(CheckPhysics, FindsNestedBodiesOnlyWhereTheyAreIgnored) {
  const std::string nested = prim("Xform", "o", "RigidBody", prim("Xform", "i", "RigidBody"));
  EXPECT_THAT(found(nested, Rules::openusd), IsEmpty());
  EXPECT_THAT(found(nested, Rules::documented), ElementsAre("nested-body /o/i"));
  const std::string reset =
      prim("Xform", "o", "RigidBody", prim("Xform", "i", "RigidBody", kReset));
  EXPECT_THAT(found(reset, Rules::documented), IsEmpty());
}

TEST(CheckPhysics, FindsCollidersWithoutGeometry) {
  EXPECT_THAT(found(prim("Xform", "x", "Collision")), ElementsAre("unknown-collider-geometry /x"));
}

TEST(CheckPhysics, SaysWhereAndWhatToDo) {
  const Diagnostics findings = check(
      "def Cube \"c\" (apiSchemas = [\"PhysicsRigidBodyAPI\", \"PhysicsMassAPI\"]) {\n"
      "float physics:mass = -5\n}\n");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].severity, Severity::error);
  EXPECT_THAT(findings[0].file, HasSubstr("root.usda"));
  EXPECT_EQ(findings[0].line, 3u);
  EXPECT_THAT(findings[0].message, HasSubstr("-5"));
  EXPECT_FALSE(findings[0].hint.empty());
}

TEST(CheckPhysics, SkipsWhatIsNotThere) {
  EXPECT_THAT(found("over \"a\" {\n" + prim("Scope", "s", "RigidBody") + "}\nclass \"c\" {\n" +
                    prim("Scope", "s", "RigidBody") + "}\n"),
              IsEmpty());
}

TEST(CheckPhysics, FindsBreakForcesThatAreNoNumbers) {
  EXPECT_THAT(found("def PhysicsFixedJoint \"j\" {\nfloat physics:breakForce = nan\n}\n"),
              Contains("non-finite-value /j.physics:breakForce"));
}

// What counts as none is a diagonal of three zeros, and a quaternion of four.
TEST(CheckPhysics, LooksAtEveryEntryOfInertiaAndAxes) {  // physics V14
  const auto axes = ElementsAre("inertia-invalid-values /c.physics:principalAxes");
  const auto diagonal = ElementsAre("inertia-invalid-values /c.physics:diagonalInertia");
  for (const char* one : {"(1, 0, 0)", "(0, 1, 0)", "(0, 0, 1)", "(1, 1, 0)", "(1, 0, 1)",
                          "(0, 1, 1)", "(1, -1, 1)", "(1, 1, -1)"}) {
    EXPECT_THAT(mass_of(inertia("(1, 0, 0, 0)", one)), diagonal) << one;
    EXPECT_THAT(mass_of(inertia("(0, 0, 0, 0)", one)), axes) << one;
  }
  for (const char* one : {"(1, 0, 0, 0)", "(0, 1, 0, 0)", "(0, 0, 1, 0)", "(0, 0, 0, 1)"}) {
    EXPECT_THAT(mass_of(inertia(one, "(1, 2, 3)")), IsEmpty()) << one;
    EXPECT_THAT(mass_of(inertia(one, "(0, 0, 0)")), diagonal) << one;
  }
  // What is declared without a value is not given.
  EXPECT_THAT(mass_of("quatf physics:principalAxes\nfloat3 physics:diagonalInertia = (1, 2, 3)\n"),
              diagonal);
  EXPECT_THAT(mass_of("quatf physics:principalAxes = (1, 0, 0, 0)\n"
                      "float3 physics:diagonalInertia\n"),
              axes);
  EXPECT_THAT(mass_of("quatf physics:principalAxes\nfloat3 physics:diagonalInertia\n"), IsEmpty());
}

// --- Both sides of every condition

TEST(CheckPhysics, SchemasOfTheApplicationMeanOnlyWhatTheyInclude) {
  const std::string text = R"(
def Sphere "body" (apiSchemas = ["AcmeBodyAPI"]) {
    float3 xformOp:scale = (1, 2, 3)
    uniform token[] xformOpOrder = ["xformOp:scale"]
}
def Sphere "other" (apiSchemas = ["AcmeOtherAPI"]) {
    float physics:mass = -1
}
)";
  ReadOptions options;
  options.api_schemas = {{"AcmeBodyAPI", {"PhysicsRigidBodyAPI"}},
                         {"AcmeUnusedAPI", {"PhysicsCollisionAPI", "PhysicsMassAPI"}}};
  const Diagnostics findings = check_all(text, Rules::documented, options);
  ASSERT_EQ(findings.size(), 1U);  // Neither is a collider, and the other is nothing.
  EXPECT_EQ(findings[0].code, "physics-no-scene");
}

TEST(CheckPhysics, GeometryOfTheApplicationMayBeASchema) {
  const std::string text =
      "def Xform \"b\" (apiSchemas = [\"PhysicsCollisionAPI\", \"AcmeShapeAPI\"]) {}\n" +
      prim("Xform", "c", "Collision");
  ReadOptions options;
  options.shape_tokens = {"AcmeShapeAPI"};
  const Diagnostics findings = check_all(text, Rules::documented, options);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].path, "/c");
}

TEST(CheckPhysics, ATransformResetAnywhereBetweenFreesANestedBody) {
  const std::string inner = prim("Xform", "i", "RigidBody");
  const auto between = [&](const std::string& content) {
    return prim("Xform", "o", "RigidBody", "def Xform \"m\" {\n" + content + inner + "}\n");
  };
  EXPECT_THAT(found(between(kReset), Rules::documented), IsEmpty());
  EXPECT_THAT(found(between(""), Rules::documented), ElementsAre("nested-body /o/m/i"));
  // Below the body that is freed, the reset counts no more.
  EXPECT_THAT(found(prim("Xform", "o", "RigidBody",
                         prim("Xform", "f", "RigidBody", kReset + prim("Xform", "i", "RigidBody"))),
                    Rules::documented),
              ElementsAre("nested-body /o/f/i"));
  // Nor is a body nested in one that is disabled.
  EXPECT_THAT(
      found(prim("Xform", "o", "RigidBody", "bool physics:rigidBodyEnabled = false\n" + inner),
            Rules::documented),
      IsEmpty());
}

TEST(CheckPhysics, NestedBodiesAreFoundAsTheOptionSays) {
  const std::string text = "def PhysicsScene \"s\" {}\n" +
                           prim("Xform", "o", "RigidBody", prim("Xform", "i", "RigidBody"));
  for (const Rules rules : {Rules::documented, Rules::openusd}) {
    for (const NestedBodies nested : {NestedBodies::keep, NestedBodies::ignore}) {
      ReadOptions options;
      options.nested_bodies = nested;
      EXPECT_EQ(check_all(text, rules, options).size(), nested == NestedBodies::ignore ? 1U : 0U);
    }
  }
}

TEST(CheckPhysics, AResetTransformLeavesTheScaleAboveBehind) {
  const auto below = [](const std::string& order) {
    return "def Xform \"x\" {" + scaled("(1, 2, 3)") +
           prim("Sphere", "c", "Collision", "uniform token[] xformOpOrder = [" + order + "]") +
           prim("Xform", "b", "RigidBody", "uniform token[] xformOpOrder = [" + order + "]") +
           "}\n";
  };
  EXPECT_THAT(found(below("\"!resetXformStack!\"")), IsEmpty());
  EXPECT_THAT(found(below("")), ElementsAre("collider-non-uniform-scale /x/c"));
}

TEST(CheckPhysics, ABodyThatIsInstancedMayBeDisabled) {  // physics V3
  EXPECT_THAT(found("def Xform \"source\" {\n" +
                    prim("Cube", "c", "RigidBody", "bool physics:rigidBodyEnabled = false") +
                    "}\ndef \"i\" (instanceable = true; references = </source>) {}\n"),
              IsEmpty());
}

TEST(CheckPhysics, PointsAndSpheresHaveNoSpineToScaleAlong) {
  const std::string content = "point3f[] points = [(1, 1, 1)]\nfloat[] widths = [1]";
  for (const Rules rules : {Rules::documented, Rules::openusd}) {
    EXPECT_THAT(found(prim("Points", "p", "Collision", content + scaled("(2, 2, 3)")), rules),
                ElementsAre("collider-non-uniform-scale /p"));
    EXPECT_THAT(found(prim("Sphere", "p", "Collision", scaled("(2, 2, 3)")), rules),
                ElementsAre("collider-non-uniform-scale /p"));
  }
}

TEST(CheckPhysics, AnAxisThatIsNoneIsX) {
  const auto capsule = [](const std::string& axis, const std::string& scale) {
    return found(prim("Capsule", "c", "Collision", "uniform token axis = " + axis + scaled(scale)),
                 Rules::documented);
  };
  EXPECT_THAT(capsule("\"x\"", "(3, 2, 2)"), ElementsAre("unknown-token /c.axis"));
  EXPECT_THAT(capsule("\"x\"", "(2, 2, 3)"),
              ElementsAre("collider-non-uniform-scale /c", "unknown-token /c.axis"));
  EXPECT_THAT(capsule("\"Y\"", "(2, 3, 2)"), IsEmpty());
  EXPECT_THAT(capsule("\"Z\"", "(2, 2, 3)"), IsEmpty());
}

TEST(CheckPhysics, SaysNothingOfJointsThatAreColliders) {
  EXPECT_THAT(found(kBodies + prim("PhysicsFixedJoint", "j", "Collision",
                                   "rel physics:body0 = </a>\nrel physics:body1 = </b>")),
              IsEmpty());
}

TEST(CheckPhysics, APlaneMayBeSkewed) {
  const std::string text =
      "def Xform \"x\" {" + scaled("(1, 2, 1)") + prim("Plane", "p", "Collision", kTurned) + "}\n";
  EXPECT_THAT(found(text, Rules::documented), IsEmpty());
}

TEST(CheckPhysics, FindsSizesThatAreNotFinite) {
  for (const auto& [type, name] :
       std::vector<std::pair<std::string, std::string>>{{"Sphere", "radius"},
                                                        {"Capsule", "height"},
                                                        {"Cube", "size"},
                                                        {"Capsule_1", "radiusTop"},
                                                        {"Capsule_1", "radiusBottom"}}) {
    for (const char* value : {"nan", "inf"}) {
      EXPECT_THAT(found(prim(type, "c", "Collision", "double " + name + " = " + value)),
                  ElementsAre("non-finite-value /c." + name));
    }
    EXPECT_THAT(found(prim(type, "c", "Collision", "double " + name + " = 3")), IsEmpty());
  }
}

TEST(CheckPhysics, KnowsEveryApproximation) {
  for (const char* token : {"none", "convexDecomposition", "convexHull", "boundingSphere",
                            "boundingCube", "meshSimplification"}) {
    const std::string said = "uniform token physics:approximation = \"" + std::string(token) + "\"";
    EXPECT_THAT(found(prim("Mesh", "m", "Collision MeshCollision", said)), IsEmpty()) << token;
  }
  // Without the schema it means nothing.
  EXPECT_THAT(
      found(prim("Mesh", "m", "Collision", "uniform token physics:approximation = \"sdf\"")),
      IsEmpty());
}

TEST(CheckPhysics, CountsNoWidthsWhereThereAreNone) {  // physics V12
  const std::string one = "point3f[] points = [(1, 1, 1)]\n";
  EXPECT_THAT(points("point3f[] points = []\nfloat[] widths = []"), ElementsAre(kMissingWidths));
  // Nothing can be chosen from none.
  EXPECT_THAT(points(one + "float[] primvars:widths = []\nint[] primvars:widths:indices = [0]"),
              ElementsAre(kMissingWidths));
  // What is declared without a value says nothing.
  EXPECT_THAT(points(one + "float[] primvars:widths\nfloat[] widths = [1]"), IsEmpty());
  EXPECT_THAT(points(one + "float[] primvars:widths = [1]\nint[] primvars:widths:indices"),
              IsEmpty());
}

TEST(CheckPhysics, FindsMembersAndOwnersThatDoNotExist) {
  for (const char* relation : {"includes", "excludes"}) {
    const std::string name = "collection:colliders:" + std::string(relation);
    EXPECT_THAT(found("def PhysicsCollisionGroup \"g\" {\nrel " + name + " = [</g>, </gone>]\n}\n" +
                      "def Xform \"x\" {\nrel " + name + " = </gone>\n}\n"),
                ElementsAre("missing-target /g." + name));
  }
  const std::string owner = "rel physics:simulationOwner = </gone>";
  EXPECT_THAT(found(prim("Cube", "c", "Collision", owner)),
              ElementsAre("missing-target /c.physics:simulationOwner"));
  EXPECT_THAT(found(prim("Cube", "c", "Mass", owner)), IsEmpty());
  EXPECT_THAT(found(prim("Cube", "c", "Collision", "rel physics:simulationOwner = </s>") +
                    "def PhysicsScene \"s\" {}\n"),
              IsEmpty());
}

TEST(CheckPhysics, TellsOfTheFirstWrongTargetOfARelationThatCounts) {
  const std::string pairs = "rel physics:filteredPairs = [</gone>, </lost>]";
  const Diagnostics findings = check(prim("Cube", "c", "Collision FilteredPairs", pairs));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(findings[0].message, HasSubstr("</gone>"));
  EXPECT_THAT(found(prim("Cube", "c", "Collision", pairs)), IsEmpty());
  EXPECT_THAT(found("def PhysicsCollisionGroup \"g\" {\nrel physics:filteredGroups = [</x>, </y>]\n"
                    "}\ndef Xform \"x\" {}\ndef Xform \"y\" {}\n")
                  .size(),
              1U);
}

TEST(CheckPhysics, LooksAtEveryFigureOfMass) {
  for (const std::string v : {"nan", "inf"}) {
    EXPECT_THAT(mass_of("float physics:density = " + v),
                ElementsAre("non-finite-value /c.physics:density"));
    for (const std::string& diagonal :
         {"(" + v + ", 1, 1)", "(1, " + v + ", 1)", "(1, 1, " + v + ")"}) {
      EXPECT_THAT(mass_of(inertia("(1, 0, 0, 0)", diagonal)),
                  Contains("non-finite-value /c.physics:diagonalInertia"))
          << diagonal;
    }
    for (const std::string& axes : {"(" + v + ", 0, 0, 0)", "(1, " + v + ", 0, 0)",
                                    "(1, 0, " + v + ", 0)", "(1, 0, 0, " + v + ")"}) {
      EXPECT_THAT(mass_of(inertia(axes, "(1, 1, 1)")),
                  Contains("non-finite-value /c.physics:principalAxes"))
          << axes;
    }
  }
  EXPECT_THAT(mass_of("point3f physics:centerOfMass = (0, nan, 0)"),
              ElementsAre("non-finite-value /c.physics:centerOfMass"));
  EXPECT_THAT(mass_of("float physics:mass = 0\nfloat physics:density = 0"), IsEmpty());
}

// They may be off by 1e-5 at most, on either side.
TEST(CheckPhysics, AxesOfInertiaHaveALengthOfOne) {  // physics V14
  const auto axes = ElementsAre("inertia-invalid-values /c.physics:principalAxes");
  const auto of = [](const char* length) {
    return mass_of(inertia("(" + std::string(length) + ", 0, 0, 0)", "(1, 2, 3)"));
  };
  EXPECT_THAT(of("0.5"), axes);
  EXPECT_THAT(of("0.99998"), axes);
  EXPECT_THAT(of("1.00002"), axes);
  EXPECT_THAT(of("0.999995"), IsEmpty());
  EXPECT_THAT(of("1.000005"), IsEmpty());
}

// What is no number is told of every figure; what is infinite or below 0, where it may not be.
TEST(CheckPhysics, LooksAtEveryFigureOfAJoint) {
  struct Row {
    std::string type, name;
    bool may_be_infinite, may_be_negative;
  };
  const std::string drive = "drive:rotX:physics:";
  for (const Row& row : std::vector<Row>{{"float", "physics:lowerLimit", true, true},
                                         {"float", "physics:upperLimit", true, true},
                                         {"float", "physics:coneAngle0Limit", true, true},
                                         {"float", "physics:coneAngle1Limit", true, true},
                                         {"float", "physics:minDistance", true, true},
                                         {"float", "physics:maxDistance", true, true},
                                         {"float", "physics:breakForce", true, false},
                                         {"float", "physics:breakTorque", true, false},
                                         {"float", "limit:rotX:physics:low", true, true},
                                         {"float", "limit:rotX:physics:high", true, true},
                                         {"float", drive + "targetPosition", false, true},
                                         {"float", drive + "targetVelocity", false, true},
                                         {"float", drive + "stiffness", false, true},
                                         {"float", drive + "damping", false, true},
                                         {"float", drive + "maxForce", true, false},
                                         {"point3f", "physics:localPos0", false, true},
                                         {"point3f", "physics:localPos1", false, true},
                                         {"quatf", "physics:localRot0", false, true},
                                         {"quatf", "physics:localRot1", false, true}}) {
    const auto told = [&](const std::string& number) {
      const std::string value = row.type == "point3f" ? "(0, 0, " + number + ")"
                                : row.type == "quatf" ? "(0, 1, " + number + ", 0)"
                                                      : number;
      return found(kBodies +
                   "def PhysicsJoint \"j\" (apiSchemas = [\"PhysicsDriveAPI:rotX\", "
                   "\"PhysicsLimitAPI:rotX\", \"PlainAPI\"]) {\nrel physics:body0 = </a>\n" +
                   row.type + " " + row.name + " = " + value + "\n}\n");
    };
    const auto not_finite = ElementsAre("non-finite-value /j." + row.name);
    EXPECT_THAT(told("nan"), not_finite) << row.name;
    EXPECT_THAT(told("0"), IsEmpty()) << row.name;
    if (row.may_be_infinite) {
      EXPECT_THAT(told("inf"), IsEmpty()) << row.name;
    } else {
      EXPECT_THAT(told("inf"), not_finite) << row.name;
    }
    if (row.may_be_negative) {
      EXPECT_THAT(told("-1"), IsEmpty()) << row.name;
    } else {
      EXPECT_THAT(told("-1"), ElementsAre("negative-value /j." + row.name)) << row.name;
    }
  }
}

TEST(CheckPhysics, LimitsAndDrivesThatAreNotAppliedAreNotLookedAt) {
  EXPECT_THAT(joint("rel physics:body0 = </a>\nfloat drive:angular:physics:stiffness = nan\n"
                    "float limit:rotX:physics:low = nan"),
              IsEmpty());
}

TEST(CheckPhysics, LooksAtEveryFigureOfAMaterial) {
  for (const char* name : {"staticFriction", "dynamicFriction", "restitution", "density"}) {
    const auto told = [&](const std::string& apis, const std::string& number) {
      return found(
          prim("Material", "m", apis, "float physics:" + std::string(name) + " = " + number));
    };
    const std::string path = " /m.physics:" + std::string(name);
    EXPECT_THAT(told("Material", "nan"), ElementsAre("non-finite-value" + path));
    EXPECT_THAT(told("Material", "inf"), ElementsAre("non-finite-value" + path));
    EXPECT_THAT(told("Material", "-1"), ElementsAre("negative-value" + path));
    EXPECT_THAT(told("Material", "0"), IsEmpty()) << name;
    EXPECT_THAT(told("", "nan"), IsEmpty()) << name;
  }
}

TEST(CheckPhysics, FindsAngularVelocitiesThatAreNotFinite) {
  EXPECT_THAT(
      found(prim("Cube", "c", "RigidBody", "vector3f physics:angularVelocity = (0, 0, nan)")),
      ElementsAre("non-finite-value /c.physics:angularVelocity"));
}

TEST(CheckPhysics, DistancesAreComparedWhereTheLargestOneLimits) {
  const auto told = [](const std::string& type, const std::string& min, const std::string& max) {
    return found(kBodies + "def Physics" + type + "Joint \"j\" {\nrel physics:body0 = </a>\n" +
                 min + "\n" + max + "\n}\n");
  };
  const std::string min = "float physics:minDistance = ";
  const std::string max = "float physics:maxDistance = ";
  EXPECT_THAT(told("Distance", min + "3", max + "3"), IsEmpty());
  EXPECT_THAT(told("Distance", min + "1", max + "0"), ElementsAre("inverted-limit /j"));
  EXPECT_THAT(told("Distance", min + "1", ""), IsEmpty());
  EXPECT_THAT(told("Distance", "", max + "0"), IsEmpty());
  EXPECT_THAT(told("Fixed", min + "5", max + "3"), IsEmpty());
}

TEST(CheckPhysics, TwoStaticEndsAreNotTheSameBody) {
  EXPECT_THAT(joint("rel physics:body0 = </x>\nrel physics:body1 = </y>",
                    "def Xform \"x\" {}\ndef Xform \"y\" {}\n"),
              ElementsAre("joint-no-enabled-rigid-body /j"));
  // An end that cannot be used is told alone.
  EXPECT_THAT(joint("rel physics:body0 = </a/s>\nrel physics:body1 = </a>",
                    prim("Xform", "a", "RigidBody", "def Scope \"s\" {}")),
              ElementsAre("joint-rel-not-xformable /j.physics:body0"));
  EXPECT_THAT(joint("rel physics:body0 = </a/x>\nrel physics:body1 = </b>",
                    prim("Xform", "a", "RigidBody", "def Xform \"x\" {}") +
                        prim("Xform", "b", "RigidBody")),
              IsEmpty());
}

TEST(CheckPhysics, InactiveBodiesMoveNothingUnderDocumentedRules) {  // decisions 10
  const std::string text =
      "def Xform \"In\" (active = false; apiSchemas = [\"PhysicsRigidBodyAPI\"]) {}\n"
      "def PhysicsFixedJoint \"j\" {\nrel physics:body0 = </In>\n}\n";
  EXPECT_THAT(found(text, Rules::documented), ElementsAre("joint-no-enabled-rigid-body /j"));
  EXPECT_THAT(found(text), IsEmpty());
}

TEST(CheckPhysics, GravityOfTheEarthIsToldInTheUnitsOfTheStage) {
  const auto last = [](const std::string& text) {
    const Diagnostics findings = check_all(text, Rules::openusd);
    return findings.empty() ? Diagnostic{} : findings.back();
  };
  // A body counts wherever it stands, and so does a scene.
  const Diagnostic told =
      last("(metersPerUnit = 1\nupAxis = \"Z\")\n" + kBodies + "def Xform \"x\" {}\n");
  EXPECT_EQ(told.code, "physics-no-scene");
  EXPECT_EQ(told.severity, Severity::info);
  EXPECT_THAT(told.message, HasSubstr("9.81 along (0, 0, -1)"));
  EXPECT_EQ(last("def PhysicsScene \"s\" {}\n" + kBodies).code, "");
}

TEST(CheckPhysics, SeveritiesTellWhatIsWrongFromWhatIsDoubtful) {  // physics 11.2
  std::vector<std::string> told;
  const auto add = [&](const std::string& text, Rules rules = Rules::openusd) {
    for (const Diagnostic& finding : check(text, rules)) {
      told.push_back(finding.code.substr(8) +
                     (finding.severity == Severity::error ? " error" : " warning"));
    }
  };
  const std::string skewed =
      "def Xform \"x\" {" + scaled("(1, 2, 1)") + prim("Xform", "c", "RigidBody", kTurned) + "}\n";
  const std::string ball = prim("Sphere", "s", "Collision", scaled("(1, 2, 3)"));
  for (const Rules rules : {Rules::openusd, Rules::documented}) {
    add(skewed, rules);
    add(ball, rules);
  }
  add(prim("Xform", "x", "Collision"));
  add(prim("Plane", "p", "RigidBody Collision"));
  add(prim("Points", "p", "Collision"));
  add(prim("Cube", "c", "RigidBody Mass", "float physics:mass = -1\nfloat physics:density = -1"));
  add(prim("Cube", "c", "RigidBody", "vector3f physics:velocity = (nan, 0, 0)"));
  add(prim("Material", "m", "Material", "float physics:density = -1"));
  add(kBodies +
      "def PhysicsFixedJoint \"j\" {\nrel physics:body0 = </a>\n"
      "rel physics:body1 = </a>\n}\n");
  EXPECT_THAT(
      told,
      ElementsAre("rigid-body-orientation-scale error", "collider-non-uniform-scale error",
                  "rigid-body-orientation-scale warning", "collider-non-uniform-scale warning",
                  "unknown-collider-geometry warning", "collider-plane-dynamic error",
                  "collider-sphere-points-data-missing error", "mass-invalid-values error",
                  "density-invalid-values error", "non-finite-value error",
                  "negative-value warning", "joint-same-body warning"));
}

TEST(CheckPhysics, FindsMomentsThatNoSolidHas) {
  const auto of = [](const std::string& moments, const char* axes = "(1, 0, 0, 0)") {
    return found(prim(
        "Cube", "c", "RigidBody Collision Mass",
        "float3 physics:diagonalInertia = " + moments + "\nquatf physics:principalAxes = " + axes));
  };
  EXPECT_THAT(of("(1, 1, 5)"), ElementsAre("inertia-triangle /c.physics:diagonalInertia"));
  EXPECT_THAT(of("(1, 2, 3)"), IsEmpty()) << "A flat plate.";
  EXPECT_THAT(of("(0, 0, 0)", "(0, 0, 0, 0)"), IsEmpty()) << "Not given.";
}

TEST(CheckPhysics, FindsDrivesAndLimitsOfWhatAJointDoesNotHave) {
  const auto of = [](const std::string& type, const std::string& api) {
    return found(kBodies + "def " + type + " \"j\" (prepend apiSchemas = [\"" + api +
                 "\"]) {\nrel physics:body0 = </a>\nrel physics:body1 = </b>\n}\n");
  };
  EXPECT_THAT(of("PhysicsRevoluteJoint", "PhysicsDriveAPI:angular"), IsEmpty());
  EXPECT_THAT(of("PhysicsPrismaticJoint", "PhysicsDriveAPI:linear"), IsEmpty());
  EXPECT_THAT(of("PhysicsJoint", "PhysicsDriveAPI:rotX"), IsEmpty());
  EXPECT_THAT(of("PhysicsJoint", "PhysicsLimitAPI:distance"), IsEmpty());
  for (const auto& [type, api] : {std::pair("PhysicsRevoluteJoint", "PhysicsDriveAPI:linear"),
                                  {"PhysicsRevoluteJoint", "PhysicsDriveAPI:anglar"},
                                  {"PhysicsRevoluteJoint", "PhysicsLimitAPI:angular"},
                                  {"PhysicsJoint", "PhysicsLimitAPI:rotx"},
                                  {"PhysicsFixedJoint", "PhysicsDriveAPI:angular"}}) {
    EXPECT_THAT(of(type, api), ElementsAre("joint-degree-of-freedom /j")) << type << ' ' << api;
  }
}

TEST(CheckPhysics, FindsPlacesThatAreKnownAtTimesAlone) {
  const std::string timed =
      "double3 xformOp:translate.timeSamples = { 1: (1, 0, 0) }\n"
      "uniform token[] xformOpOrder = [\"xformOp:translate\"]\n";
  EXPECT_THAT(found(prim("Xform", "b", "RigidBody", timed)), ElementsAre("place-at-times /b"));
  EXPECT_THAT(
      found(prim("Xform", "b", "RigidBody", timed + "double3 xformOp:translate = (1, 0, 0)")),
      IsEmpty());
  EXPECT_THAT(found(prim("Xform", "x", "", timed)), IsEmpty()) << "Nothing of physics is there.";
  const std::string two = prim("Cube", "c", "Collision") + prim("Cube", "d", "Collision");
  EXPECT_THAT(found(prim("Xform", "x", "", timed + two)), ElementsAre("place-at-times /x"));
  const std::string nested = two + prim("Xform", "y", "", timed + prim("Cube", "c", "Collision")) +
                             prim("Cube", "e", "Collision");
  EXPECT_THAT(found(prim("Xform", "x", "", timed + nested)),
              ElementsAre("place-at-times /x", "place-at-times /x/y"));
  const Diagnostics kinematic =
      check(prim("Xform", "b", "RigidBody", timed + "bool physics:kinematicEnabled = 1"));
  ASSERT_EQ(kinematic.size(), 1U);
  EXPECT_EQ(kinematic[0].severity, Severity::info) << "Animation moves it.";
}

TEST(CheckPhysics, AsksForTheUnitOfBodies) {
  const auto codes = [](const std::string& text) {
    std::vector<std::string> result;
    for (const Diagnostic& d : check_everything(text, Rules::documented)) result.push_back(d.code);
    return result;
  };
  const std::string scene = "def PhysicsScene \"s\" {}\n";
  EXPECT_THAT(codes(prim("Xform", "b", "RigidBody") + scene), ElementsAre("physics-units-assumed"));
  EXPECT_THAT(codes("(metersPerUnit = 0.01)\n" + prim("Xform", "b", "RigidBody") + scene),
              IsEmpty());
  EXPECT_THAT(codes(scene), IsEmpty());
}

TEST(CheckPhysics, TellsEachKindOfWrongTargetOfARelation) {
  const auto findings = check(
      "def Xform \"c\" {}\ndef PhysicsCollisionGroup \"g\" {\n"
      "rel physics:filteredGroups = [</c>, </gone>, </g>, </away>, </lost>]\n}\n");
  std::vector<std::string> said;
  for (const Diagnostic& d : findings) said.push_back(d.message);
  EXPECT_THAT(said,
              ElementsAre("'physics:filteredGroups' names </gone>, where there is no prim, and so "
                          "with 2 more.",
                          "'physics:filteredGroups' names </c>, which is not a "
                          "PhysicsCollisionGroup of the stage."));
}

// The groups of a stage are those that a traversal meets which enters no instances.
TEST(CheckPhysics, TellsOfGroupsThatDoNotCount) {
  const std::string group = "def PhysicsCollisionGroup \"g\" {}\n";
  const std::string text =
      "class PhysicsCollisionGroup \"abstract\" {}\nover PhysicsCollisionGroup \"over\" {}\n"
      "def PhysicsCollisionGroup \"off\" (active = false) {}\ndef \"asset\" {\n" +
      group + "}\ndef \"instance\" (\ninstanceable = true\nreferences = </asset>\n) {}\n";
  for (const std::string target :
       {"/abstract", "/over", "/off", "/instance/g", "/asset/g", "/own"}) {
    SCOPED_TRACE(target);
    const auto said = found(text +
                            "def PhysicsCollisionGroup \"own\" {\n"
                            "rel physics:filteredGroups = <" +
                            target + ">\n}\n");
    const bool counts = target == "/asset/g" || target == "/own";
    EXPECT_EQ(std::count(said.begin(), said.end(), "wrong-target /own.physics:filteredGroups"),
              counts ? 0 : 1);
    EXPECT_EQ(std::count(said.begin(), said.end(), "group-in-instance /instance/g"), 1);
    EXPECT_EQ(said.size(), counts ? 1u : 2u);
  }
}

}  // namespace
}  // namespace sinew::physics::check_physics_test
