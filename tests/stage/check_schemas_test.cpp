// SPDX-License-Identifier: Apache-2.0
#include "sinew/stage/check_schemas.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sinew/stage/schema.hpp"
#include "stage/support.hpp"

namespace sinew::stage::check_schemas_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Diagnostics check(const std::string& text) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda", text.c_str()}}, diagnostics);
  diagnostics.clear();
  check_schemas(*stage, diagnostics);
  return diagnostics;
}

// "code path: hint" of each.
std::vector<std::string> told(const std::string& text) {
  std::vector<std::string> result;
  for (const Diagnostic& diagnostic : check(text)) {
    EXPECT_EQ(diagnostic.severity, Severity::warning);
    EXPECT_GT(diagnostic.line, 0U) << diagnostic.message;
    result.push_back(diagnostic.code + ' ' + diagnostic.path + ": " + diagnostic.hint);
  }
  return result;
}

std::string prim(const std::string& type, const std::string& apis, const std::string& content) {
  const std::string applied = apis.empty() ? "" : "prepend apiSchemas = [" + apis + "]";
  return "def " + type + " \"P\" (" + applied + ")\n{\n" + content + "\n}\n";
}

TEST(CheckSchemas, KnowsTypesThatAreSpelledAlmostRight) {
  for (const auto& [wrong, right] : {std::pair("Xfrom", "Xform"),
                                     {"Skeletn", "Skeleton"},
                                     {"SkelRot", "SkelRoot"},
                                     {"mesh", "Mesh"},
                                     {"XForm", "Xform"},
                                     {"Spheres", "Sphere"},
                                     {"PhysicsRevoluteJont", "PhysicsRevoluteJoint"}}) {
    EXPECT_THAT(told(prim(wrong, "", "")),
                ElementsAre("stage-unknown-type /P: Did you mean '" + std::string(right) + "'?"));
  }
  for (const char* other : {"MjcActuator", "PhysxVehicle", "Preliminary_Anchor", "Node", "Group",
                            "MfScope", "PhysicsD6Joint", "Box", "Cone2D", "MyMesh", "Scene"}) {
    EXPECT_THAT(told(prim(other, "", "")), IsEmpty()) << other;
  }
}

// A letter less makes something that is told of every type of some length; no type is.
TEST(CheckSchemas, TellsOfEveryTypeThatLosesALetterAndOfNoneThatDoesNot) {
  for (int i = 1; i <= static_cast<int>(SchemaType::backdrop); ++i) {
    const auto type = static_cast<SchemaType>(i);
    if (!is_concrete(type)) continue;
    std::string name(to_string(type));
    EXPECT_THAT(told(prim(name, "", "")), IsEmpty()) << name;
    name.erase(1, 1);
    if (name.size() < 5 || find_schema_type(name) != SchemaType::unknown) continue;
    EXPECT_THAT(told(prim(name, "", "")), ElementsAre(HasSubstr("stage-unknown-type"))) << name;
  }
}

TEST(CheckSchemas, KnowsApiSchemasThatAreSpelledAlmostRight) {
  EXPECT_THAT(told(prim("Cube", R"("PhysicsColisionAPI")", "")),
              ElementsAre("stage-unknown-api-schema /P: Did you mean 'PhysicsCollisionAPI'?"));
  EXPECT_THAT(told(prim("Cube", R"("PhysicDriveAPI:angular")", "")),
              ElementsAre("stage-unknown-api-schema /P: Did you mean 'PhysicsDriveAPI'?"));
  EXPECT_THAT(told(prim("Cube",
                        R"("PhysxRigidBodyAPI", "MjcJointAPI", "NewtonSceneAPI", "FirstAPI",
                           "LastAPI", "Physics", "API")",
                        "")),
              IsEmpty());
}

TEST(CheckSchemas, WantsInstancesOfSchemasThatHaveSome) {
  EXPECT_THAT(told(prim("PhysicsRevoluteJoint", R"("PhysicsDriveAPI")", "")),
              ElementsAre("stage-api-schema-instance /P: Apply PhysicsDriveAPI:NAME, as its "
                          "properties have it."));
  EXPECT_THAT(told(prim("PhysicsRevoluteJoint", R"("PhysicsDriveAPI:")", "")),
              ElementsAre(HasSubstr("stage-api-schema-instance /P")));
  EXPECT_THAT(told(prim("PhysicsRevoluteJoint", R"("PhysicsDriveAPI:angular")", "")), IsEmpty());
}

TEST(CheckSchemas, TellsOfPropertiesWhoseSchemaIsNotApplied) {
  const auto of = [](const char* apis, const char* content) {
    return told(prim("Xform", apis, content));
  };
  EXPECT_THAT(of("", "float physics:mass = 7"),
              ElementsAre("stage-api-schema-missing /P.physics:mass: Apply it."));
  EXPECT_THAT(of(R"("PhysicsMassAPI")", "float physics:mass = 7"), IsEmpty());
  EXPECT_THAT(of(R"("PhysicsMaterialAPI")", "float physics:density = 7"), IsEmpty());
  EXPECT_THAT(of("", "rel physics:simulationOwner = </P>"),
              ElementsAre("stage-api-schema-missing /P.physics:simulationOwner: Apply the one that "
                          "is meant."));
  EXPECT_THAT(of("", "custom rel physics:filteredPairs = </P>"),
              ElementsAre(HasSubstr("/P.physics:filteredPairs")));
  EXPECT_THAT(of("", "rel collection:lights:includes = </P>"),
              ElementsAre(HasSubstr("/P.collection:lights:includes")));
  EXPECT_THAT(told(prim("PhysicsCollisionGroup", "", "rel collection:colliders:includes = </P>")),
              IsEmpty());
  const Diagnostics both = check(prim("Xform", "", "float physics:density = 7"));
  ASSERT_EQ(both.size(), 1U);
  EXPECT_EQ(
      both[0].message,
      "'physics:density' has no effect: PhysicsMassAPI or PhysicsMaterialAPI is not applied.");
}

TEST(CheckSchemas, TellsOfEachSchemaThatIsNotAppliedOnce) {
  EXPECT_THAT(
      told(prim("PhysicsJoint", R"("PhysicsDriveAPI:rotX")",
                "float drive:rotX:physics:damping = 1\nfloat drive:rotY:physics:damping = 1\n"
                "float drive:rotY:physics:stiffness = 1\nfloat limit:rotY:physics:low = 1")),
      ElementsAre(HasSubstr("/P.drive:rotY:physics:damping"),
                  HasSubstr("/P.limit:rotY:physics:low")));
}

// What nobody knows may include what is not applied.
TEST(CheckSchemas, IsNotSureWhereThereAreSchemasThatNobodyKnows) {
  for (const std::string& text :
       {prim("Material", R"("PhysicsCurvesMaterialAPI")", "float physics:density = 7"),
        prim("MyJoint", "", "bool physics:collisionEnabled = 1")}) {
    const Diagnostics said = check(text);
    ASSERT_EQ(said.size(), 1U) << text;
    EXPECT_EQ(said[0].code, "stage-api-schema-missing");
    EXPECT_EQ(said[0].severity, Severity::info);
    EXPECT_THAT(said[0].message, HasSubstr("may have no effect"));
  }
}

TEST(CheckSchemas, KnowsPropertiesThatAreSpelledAlmostRight) {
  EXPECT_THAT(told(prim("PhysicsFixedJoint", "", "rel physics:body2 = </P>")),
              ElementsAre("stage-unknown-property /P.physics:body2: "
                          "Did you mean 'physics:body0'?"));
  EXPECT_THAT(told(prim("Xform", R"("SkelBindingAPI")", "rel skel:animationSorce = </P>")),
              ElementsAre(HasSubstr("Did you mean 'skel:animationSource'?")));
  EXPECT_THAT(told(prim("Xform", R"("PhysicsMassAPI")", "float physics:mas = 1")),
              ElementsAre(HasSubstr("Did you mean 'physics:mass'?")));
  EXPECT_THAT(told(prim("Cube", "", "float physics:colisionEnabled = 1")),
              ElementsAre(HasSubstr("Did you mean 'physics:collisionEnabled'?")));
  EXPECT_THAT(told(prim("PhysicsRevoluteJoint", R"("PhysicsDriveAPI:angular")",
                        "float drive:angular:physics:stifness = 1")),
              ElementsAre(HasSubstr("Did you mean 'drive:angular:physics:stiffness'?")));
  EXPECT_THAT(told(prim("Mesh", "", "normal3f[] normal = []")),
              ElementsAre(HasSubstr("Did you mean 'normals'?")));
}

TEST(CheckSchemas, LeavesNamesAloneThatAreFree) {
  EXPECT_THAT(told(prim("Mesh", "",
                        "custom normal3f[] normal = []\ncustom rel prooxyPrim = </P>\n"
                        "float primvars:widht = 1\nfloat xformOp:rotateXYZ:pivto = 1\n"
                        "float userProperties:normal = 1\nfloat physxMaterial:density = 2\n"
                        "float id = 3\nrel material:binding = </P>\nfloat mynormals = 1")),
              IsEmpty());
}

TEST(CheckSchemas, TellsOnceOfWhatInstancesShareAndNothingOfClasses) {
  std::string text = "class \"Library\" {\ndef Shpere \"S\" {}\n}\n";
  for (int i = 0; i < 5; ++i) {
    text += "def \"I" + std::to_string(i) + "\" (instanceable = true; inherits = </Library>) {}\n";
  }
  EXPECT_THAT(told(text), ElementsAre(HasSubstr("/I0/S: Did you mean 'Sphere'?")));
}

// Many schemas and many names are looked up in a time that grows with their sum.
TEST(CheckSchemas, TakesManySchemasOnOnePrim) {
  constexpr std::size_t kMany = 5000;
  std::string apis, content;
  for (std::size_t i = 0; i < kMany; ++i) {
    const std::string name = "c" + std::to_string(i);
    apis += (i == 0 ? "\"" : ", \"") + std::string("CollectionAPI:") + name + "\"";
    content += "bool collection:" + name + ":includeRoot = 1\n";
    content += "bool collectiom:" + name + ":includeRoo = 1\n";
  }
  EXPECT_EQ(told(prim("Xform", apis, content)).size(), kMany);
}

}  // namespace
}  // namespace sinew::stage::check_schemas_test
