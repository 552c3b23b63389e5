// SPDX-License-Identifier: Apache-2.0
// Membership expressions that refer to other collections, and those that arcs bring.
#include <gtest/gtest.h>

#include <string>

#include "sinew/geom/collections.hpp"
#include "stage/support.hpp"

namespace sinew::geom::referred_expressions_test {
namespace {

using stage::open_layers;

std::string collection(const std::string& name, const std::string& expression) {
  return "    pathExpression collection:" + name + ":membershipExpression = \"" + expression +
         "\"\n";
}

Collection read(const stage::StagePtr& stage, const char* prim, const char* name,
                Diagnostics& diagnostics) {
  return Collection::read(stage->prim(prim), name, &diagnostics);
}

TEST(ReferredExpressions, StandForTheOtherCollection) {
  Diagnostics diagnostics;
  const std::string text = "def \"A\" {\n" + collection("a", "%/B:b - %:c") +
                           collection("c", "/W/X2") + "}\ndef \"B\" {\n" +
                           collection("b", "/W/X* %/A:c") + "}\n";
  const stage::StagePtr stage = open_layers({{"root.usda", text.c_str()}}, diagnostics);
  const Collection a = read(stage, "/A", "a", diagnostics);
  EXPECT_TRUE(diagnostics.empty());
  EXPECT_TRUE(a.contains(*layer::Path::parse("/W/X1")));
  EXPECT_FALSE(a.contains(*layer::Path::parse("/W/X2")));
  EXPECT_FALSE(a.contains(*layer::Path::parse("/W/Y")));
}

TEST(ReferredExpressions, ThatDoNotExistOrLeadBackMatchNothing) {
  Diagnostics diagnostics;
  const std::string text = "def \"A\" {\n" + collection("a", "/X + %/No:b") +
                           collection("b", "/Y + %:c") + collection("c", "%:b + /Z") +
                           collection("d", "/V + %_ + %:nothing") + "}\n";
  const stage::StagePtr stage = open_layers({{"root.usda", text.c_str()}}, diagnostics);
  const Collection a = read(stage, "/A", "a", diagnostics);
  ASSERT_EQ(diagnostics.size(), 1u);
  EXPECT_EQ(diagnostics[0].code, "geom-collection-missing-prim");
  EXPECT_TRUE(a.contains(*layer::Path::parse("/X")));
  EXPECT_FALSE(a.contains(*layer::Path::parse("/No")));
  diagnostics.clear();
  const Collection b = read(stage, "/A", "b", diagnostics);
  ASSERT_EQ(diagnostics.size(), 1u);
  EXPECT_EQ(diagnostics[0].code, "geom-collection-cycle");
  EXPECT_TRUE(b.contains(*layer::Path::parse("/Y")));
  EXPECT_TRUE(b.contains(*layer::Path::parse("/Z")));
  EXPECT_FALSE(b.contains(*layer::Path::parse("/W")));
  diagnostics.clear();
  const Collection d = read(stage, "/A", "d", diagnostics);
  EXPECT_TRUE(diagnostics.empty());
  EXPECT_TRUE(d.contains(*layer::Path::parse("/V")));
  EXPECT_FALSE(d.contains(*layer::Path::parse("/W")));
}

TEST(ReferredExpressions, HaveToBeAppliedUnderOpenusdRules) {
  const std::string text = "def \"A\" (apiSchemas = [\"CollectionAPI:b\"]) {\n" +
                           collection("a", "%:b %:c %/G:colliders") + collection("b", "/X") +
                           collection("c", "/Y") + "}\ndef PhysicsCollisionGroup \"G\" {\n" +
                           collection("colliders", "/Z") + "}\n";
  for (const Rules rules : {Rules::documented, Rules::openusd}) {
    stage::OpenOptions options;
    options.rules = rules;
    Diagnostics diagnostics;
    const stage::StagePtr stage = open_layers({{"root.usda", text.c_str()}}, diagnostics, options);
    ASSERT_NE(stage, nullptr);
    const Collection a = read(stage, "/A", "a", diagnostics);
    EXPECT_TRUE(a.contains(*layer::Path::parse("/X")));
    EXPECT_EQ(a.contains(*layer::Path::parse("/Y")), rules == Rules::documented);
    EXPECT_TRUE(a.contains(*layer::Path::parse("/Z")));  // Built into the type.
    EXPECT_EQ(diagnostics.size(), rules == Rules::documented ? 0u : 1u);
  }
}

// Each refers twice to the next: what is written out grows without bound, what is read does not.
TEST(ReferredExpressions, DoNotGrowWithoutBound) {
  Diagnostics diagnostics;
  std::string text = "def \"A\" {\n";
  for (int i = 0; i < 40; ++i) {
    const std::string next = "%:c" + std::to_string(i + 1);
    text += collection("c" + std::to_string(i), next + " + " + next);
  }
  text += collection("c40", "/X") + "}\n";
  const stage::StagePtr stage = open_layers({{"root.usda", text.c_str()}}, diagnostics);
  const Collection c = read(stage, "/A", "c0", diagnostics);
  EXPECT_LT(c.expression().size(), 2'000u);
  ASSERT_FALSE(diagnostics.empty());
  EXPECT_EQ(diagnostics[0].code, "geom-collection-expression-size");
  EXPECT_TRUE(read(stage, "/A", "c37", diagnostics).contains(*layer::Path::parse("/X")));
}

TEST(ReferredExpressions, OfAnAssetMeanItsOwnPrims) {
  const std::string asset = "def \"Asset\" {\n" + collection("c", "/Asset/Arm* - %/Asset/P:d") +
                            "def \"Arm1\" {}\ndef \"Arm2\" {}\ndef \"P\" {\n" +
                            collection("d", "../Arm2") + "}\n}\n";
  for (const char* instanceable : {"", "\ninstanceable = true"}) {
    std::string root = "def \"Asset\" {\ndef \"Arm1\" {}\n}\n";
    for (const char* name : {"I", "J"}) {
      root += std::string("def \"") + name + "\" (references = @asset.usda@</Asset>" +
              instanceable + ") {}\n";
    }
    Diagnostics diagnostics;
    const stage::StagePtr stage =
        open_layers({{"root.usda", root.c_str()}, {"asset.usda", asset.c_str()}}, diagnostics);
    for (const std::string name : {"/I", "/J"}) {
      const Collection c = read(stage, name.c_str(), "c", diagnostics);
      EXPECT_TRUE(diagnostics.empty());
      EXPECT_TRUE(c.contains(stage->prim(name + "/Arm1"))) << name << instanceable;
      EXPECT_FALSE(c.contains(stage->prim(name + "/Arm2"))) << name << instanceable;
      EXPECT_FALSE(c.contains(stage->prim("/Asset/Arm1"))) << name << instanceable;
    }
  }
}

TEST(ReferredExpressions, OfACollectionWithTheNameOfTheWeakerOpinionAreItsOwn) {
  Diagnostics diagnostics;
  const std::string text = "def \"A\" {\n" + collection("a", "/X + %/B:_") + "}\ndef \"B\" {\n" +
                           collection("_", "/Y") + "}\n";
  const stage::StagePtr stage = open_layers({{"root.usda", text.c_str()}}, diagnostics);
  const Collection a = read(stage, "/A", "a", diagnostics);
  EXPECT_TRUE(diagnostics.empty());
  EXPECT_TRUE(a.contains(*layer::Path::parse("/Y")));
}

TEST(ReferredExpressions, WithAPredicateThatCannotBeAskedMatchNothingAndAreTold) {
  Diagnostics diagnostics;
  const std::string text = "def \"A\" {\n" + collection("a", "/A + //{unheard:1}") +
                           collection("b", "/A - %:a") +
                           collection("c", "/A - //{isa:Cube and not defined}") + "}\n";
  const stage::StagePtr stage = open_layers({{"root.usda", text.c_str()}}, diagnostics);
  for (const char* name : {"a", "b", "c"}) {
    diagnostics.clear();
    const bool is_good = std::string_view(name) == "c";
    EXPECT_EQ(read(stage, "/A", name, diagnostics).contains(stage->prim("/A")), is_good) << name;
    ASSERT_EQ(diagnostics.size(), is_good ? 0U : 1U) << name;
    if (is_good) continue;
    EXPECT_EQ(diagnostics[0].code, "geom-collection-predicate");
    EXPECT_EQ(diagnostics[0].message, "The expression of the collection '" + std::string(name) +
                                          "' has a predicate that cannot be asked: it matches "
                                          "nothing.");
  }
}

// A chain of so many references is followed, and one more is not.
TEST(ReferredExpressions, KeepToTheirDepth) {
  for (const int references : {64, 65}) {
    std::string text = "def \"A\" {\n";
    for (int i = 0; i < references; ++i) {
      text += collection("c" + std::to_string(i), "%:c" + std::to_string(i + 1));
    }
    text += collection("c" + std::to_string(references), "/X") + "}\n";
    Diagnostics diagnostics;
    const stage::StagePtr stage = open_layers({{"root.usda", text.c_str()}}, diagnostics);
    const Collection c = read(stage, "/A", "c0", diagnostics);
    EXPECT_EQ(c.contains(*layer::Path::parse("/X")), references == 64);
    ASSERT_EQ(diagnostics.size(), references == 64 ? 0U : 1U);
    if (references == 65) {
      EXPECT_EQ(diagnostics[0].code, "geom-collection-cycle");
    }
  }
}

}  // namespace
}  // namespace sinew::geom::referred_expressions_test
