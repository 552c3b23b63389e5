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

}  // namespace
}  // namespace sinew::skel::check_bindings_test
