// SPDX-License-Identifier: Apache-2.0
// Numbers in comments are those of the checklist in the behaviour specification.
#include "sinew/skel/read/check_bindings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "skel/skel_scene.hpp"

namespace sinew::skel::check_bindings_test {
namespace {

using ::testing::HasSubstr;

Diagnostics check(const std::string& root_type, const std::string& api,
                  Rules rules = Rules::openusd) {
  const SkelScene scene = open_scene("#usda 1.0\ndef " + root_type + R"( "SkelRoot"
{
    def Mesh "Mesh" ()" + api + R"()
    {
        int[] primvars:skel:jointIndices = [0]
    }
}
)",
                                     rules);
  Diagnostics diagnostics;
  check_bindings(*scene.stage, diagnostics);
  return diagnostics;
}

constexpr const char* kApplied = "prepend apiSchemas = [\"SkelBindingAPI\"]";

TEST(CheckBindings, ReportsPropertiesWithoutTheSchema) {  // skel 12.79
  const Diagnostics said = check("SkelRoot", "");
  ASSERT_EQ(said.size(), 1U);
  EXPECT_EQ(said[0].severity, Severity::error);
  EXPECT_EQ(said[0].code, "skel-missing-binding-api");
  EXPECT_EQ(said[0].path, "/SkelRoot/Mesh");
  EXPECT_THAT(said[0].message, HasSubstr("primvars:skel:jointIndices"));
}

TEST(CheckBindings, SaysNothingWhereTheSchemaIsApplied) {  // skel 12.79 and 12.80
  EXPECT_TRUE(check("SkelRoot", kApplied).empty());
}

TEST(CheckBindings, ReportsTheSchemaOutsideSkelRoots) {  // skel 12.80
  const Diagnostics said = check("Xform", kApplied);
  ASSERT_EQ(said.size(), 1U);
  EXPECT_EQ(said[0].severity, Severity::error);
  EXPECT_EQ(said[0].code, "skel-invalid-binding-api-apply");
  EXPECT_EQ(said[0].path, "/SkelRoot/Mesh");
}

TEST(CheckBindings, SaysNothingWhereSkinningIsSwitchedOffByTheDocumentedRules) {
  const std::string off = "#usda 1.0\n(subLayers = [@on.usda@])\ndef Xform \"Root\" {}\n";
  const std::string on = R"(#usda 1.0
def SkelRoot "Root"
{
    def "A"
    {
        def Mesh "Mesh" (prepend apiSchemas = ["SkelBindingAPI"]) {}
    }
}
)";
  for (const Rules rules : {Rules::documented, Rules::openusd}) {
    const SkelScene scene = open_scene(off, rules, {{"on.usda", on}});
    Diagnostics diagnostics;
    check_bindings(*scene.stage, diagnostics);
    EXPECT_EQ(diagnostics.size(), rules == Rules::documented ? 0U : 1U);
  }
}

TEST(CheckBindings, OnlyWarnsWherePropertiesHaveAnEffect) {
  const Diagnostics said = check("SkelRoot", "", Rules::documented);
  ASSERT_EQ(said.size(), 1U);
  EXPECT_EQ(said[0].severity, Severity::warning);
}

// A SkelRoot with a skeleton of one joint, and a mesh of one point that names `joint`.
std::string skel_root(const std::string& name, const std::string& api, const std::string& skeleton,
                      const std::string& joint) {
  return "def SkelRoot \"" + name + "\" (" + api + ")\n{\n    rel skel:skeleton = <" + skeleton +
         R"(>
    def Skeleton "S"
    {
        uniform token[] joints = ["a"]
        uniform matrix4d[] bindTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))]
        uniform matrix4d[] restTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))]
    }
    def Mesh "M" ()" +
         api + R"()
    {
        point3f[] points = [(0,0,0)]
        int[] primvars:skel:jointIndices = [)" +
         joint + R"(] (interpolation = "vertex")
        float[] primvars:skel:jointWeights = [1] (interpolation = "vertex")
    }
}
)";
}

TEST(CheckSkinning, ReportsWhatCannotBeDeformedOncePerPrototype) {
  std::string text = "#usda 1.0\n" + skel_root("Library", kApplied, "/Library/S", "3");
  for (int i = 0; i < 20; ++i) {
    text +=
        "def \"I" + std::to_string(i) + "\" (instanceable = true; references = </Library>) {}\n";
  }
  const SkelScene scene = open_scene(text);
  Diagnostics diagnostics;
  check_skinning(*scene.stage, diagnostics);
  ASSERT_EQ(diagnostics.size(), 2U);  // The library, and all of its instances.
  EXPECT_EQ(diagnostics[0].code, "skel-joint-index-out-of-range");
}

TEST(CheckSkinning, LeavesMissingSchemasToCheckBindings) {
  const SkelScene scene = open_scene("#usda 1.0\n" + skel_root("R", "", "/R/S", "0"));
  ASSERT_EQ(scene.said("skel-binding-api-missing").size(), 2U);
  Diagnostics skinning, bindings;
  check_skinning(*scene.stage, skinning);
  check_bindings(*scene.stage, bindings);
  EXPECT_EQ(skinning.size(), 0U);
  EXPECT_EQ(bindings.size(), 2U);
}

// The pose of a skeleton counts for every SkelRoot that binds it.
TEST(CheckSkinning, ReportsOfEverySkelRootOfOneSkeleton) {
  const SkelScene scene = open_scene("#usda 1.0\n" + skel_root("A", kApplied, "/A/S", "0") +
                                     skel_root("B", kApplied, "/A/S", "7"));
  Diagnostics diagnostics;
  check_skinning(*scene.stage, diagnostics);
  ASSERT_EQ(diagnostics.size(), 1U);
  EXPECT_EQ(diagnostics[0].code, "skel-joint-index-out-of-range");
  EXPECT_EQ(diagnostics[0].path, "/B/M");
}

}  // namespace
}  // namespace sinew::skel::check_bindings_test
