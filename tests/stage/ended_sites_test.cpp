// SPDX-License-Identifier: Apache-2.0
// Sites without opinions, or whose opinions no longer count, still matter to what is composed: by
// what they select, by being there already, and by being arcs.
#include <gtest/gtest.h>

#include <string>

#include "support.hpp"

namespace sinew::stage::ended_sites_test {
namespace {

TEST(EndedSites, SelectVariantsOfWhatIsAboveAnArcsTarget) {
  Diagnostics diagnostics;
  const StagePtr stage =
      open_layers({{"root.usda",
                    "def \"B\" (references = </E/c>) {}\n"
                    "def \"E\" (references = </L>\nvariantSets = \"v\") {\n"
                    "variantSet \"v\" = { \"two\" {\ndef \"c\" {\ntoken t = \"two\"\n}\n} }\n}\n"
                    "def \"L\" (variants = { string v = \"two\" }) {}\n"}},
                  diagnostics);
  ASSERT_NE(stage, nullptr);
  EXPECT_TRUE(diagnostics.empty());
  EXPECT_EQ(text_at(*stage, "/E/c", "t"), "two");
  EXPECT_EQ(text_at(*stage, "/B", "t"), "two");
}

// With and without a prim at the site in question.
TEST(EndedSites, AreNotReachedAgain) {
  for (const char* child : {"", "def \"c\" {}"}) {
    const std::string asset = std::string("def \"C\" {\ndef \"b\" (references = </K/c>\n") +
                              "inherits = </L/c>) {}\n}\ndef \"K\" (references = </L>) {}\n" +
                              "def \"L\" {\n" + child + "\n}\n";
    Diagnostics diagnostics;
    const StagePtr stage = open_layers({{"root.usda",
                                         "def \"B\" (references = @a.usda@</C>) {}\n"
                                         "def \"L\" {\ndef \"c\" {\ntoken t = \"class\"\n}\n}\n"},
                                        {"a.usda", asset.c_str()}},
                                       diagnostics);
    ASSERT_NE(stage, nullptr);
    EXPECT_EQ(text_at(*stage, "/B/b", "t"), "no attribute") << child;
  }
}

TEST(EndedSites, GetWhatIsImpliedToPrimsBelowThem) {
  Diagnostics diagnostics;
  const StagePtr stage =
      open_layers({{"root.usda",
                    "def \"B\" (references = </C/c/a>) {}\n"
                    "def \"C\" {\ndef \"c\" (references = @a.usda@</C>) {}\n}\n"
                    "def \"K\" {\ntoken t = \"scene\"\n}\n"},
                   {"a.usda",
                    "def \"C\" (inherits = </D>) {}\n"
                    "def \"D\" {\ndef \"a\" {\ndef \"b\" (inherits = </K>) {}\n}\n}\n"}},
                  diagnostics);
  ASSERT_NE(stage, nullptr);
  EXPECT_TRUE(diagnostics.empty());
  EXPECT_EQ(text_at(*stage, "/C/c/a/b", "t"), "scene");
  EXPECT_EQ(text_at(*stage, "/B/b", "t"), "scene");
}

// What the arc leads to is below an instance, so its opinions do not count.
TEST(EndedSites, MakeNoInstances) {
  Diagnostics diagnostics;
  const StagePtr stage =
      open_layers({{"root.usda",
                    "def \"A\" (inherits = </D/c>\ninstanceable = true) {\ndef \"b\" {}\n}\n"
                    "def \"D\" (references = </K>) {\ndef \"c\" {}\n}\n"
                    "def \"K\" (instanceable = true) {}\n"}},
                  diagnostics);
  ASSERT_NE(stage, nullptr);
  EXPECT_FALSE(stage->prim("/A").is_instance());
  EXPECT_TRUE(stage->prim("/A/b"));
}

// What an instance itself says of the prims below it is nothing to its variants, which are shared.
TEST(EndedSites, BelowAnInstanceAreNoneForItsOwnVariants) {
  for (const char* arc : {"inherits", "references"}) {
    for (const bool instanceable : {false, true}) {
      const std::string root =
          std::string("def \"I\" (instanceable = ") + (instanceable ? "true" : "false") +
          "\nvariants = { string v = \"one\" }\nvariantSets = \"v\") {\n" +
          "def \"K\" {\ntoken t = \"own\"\ndef \"Deep\" {}\n}\n" +
          "variantSet \"v\" = { \"one\" {\ndef \"C\" (" + arc + " = </I/K>) {}\n} }\n}\n";
      Diagnostics diagnostics;
      const StagePtr stage = open_layers({{"root.usda", root.c_str()}}, diagnostics);
      ASSERT_NE(stage, nullptr);
      EXPECT_EQ(stage->prim("/I").is_instance(), instanceable);
      EXPECT_EQ(text_at(*stage, "/I/C", "t"), instanceable ? "no attribute" : "own") << arc;
      EXPECT_EQ(static_cast<bool>(stage->prim("/I/C/Deep")), !instanceable) << arc;
    }
  }
}

// A place that a relocate names, but where no file has a prim, names no children of instances.
TEST(EndedSites, NameNoChildrenOfInstances) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers(
      {{"root.usda",
        "(relocates = {\n</E/a>: </L/b/c/z>\n})\n"
        "def \"E\" (variantSets = \"v\"\nvariants = { string v = \"two\" }) {\n"
        "variantSet \"v\" = { \"two\" (inherits = </L/b/c>\ninstanceable = true) {} }\n}\n"}},
      diagnostics);
  ASSERT_NE(stage, nullptr);
  EXPECT_TRUE(stage->prim("/E").is_instance());
  EXPECT_FALSE(stage->prim("/E/z"));
}

}  // namespace
}  // namespace sinew::stage::ended_sites_test
