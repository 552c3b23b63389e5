// SPDX-License-Identifier: Apache-2.0
// Variants of the ancestors of what an arc leads to: they are selected where the arc is.
#include <gtest/gtest.h>

#include "stage/support.hpp"
#include "support/codes.hpp"

namespace sinew::stage::ancestral_variants_test {
namespace {

constexpr const char* kGroup = R"(
def "Group" (
    variantSets = "v"
    variants = { string v = "z" }
)
{
    variantSet "v" = {
        "x" {
            over "Model" {
                string a = "x"
            }
        }
        "z" {
            over "Model" {
                string a = "z"
            }
        }
    }
}
)";

StagePtr open_with_group(const char* text) {
  Diagnostics diagnostics;
  const std::string root = std::string(kGroup) + text;
  return open_layers({{"root.usda", root.c_str()}}, diagnostics);
}

// The selection that was entered for the prim is that of another prim with a set of the name.
TEST(AncestralVariants, SelectionsOfThePrimItselfDoNotCount) {
  const StagePtr stage = open_with_group(R"(
def "Model" (
    variantSets = "v"
    variants = { string v = "x" }
)
{
    variantSet "v" = {
        "x" {
            custom string own = "x"
        }
    }
}
def "Root" (references = </Model>) {
    def "Child" (inherits = </Group/Model>) {}
}
)");
  ASSERT_NE(stage, nullptr);
  EXPECT_EQ(text_at(*stage, "/Root", "own"), "x");
  EXPECT_EQ(text_at(*stage, "/Root/Child", "a"), "z");
}

// The class is implied to the layer that references its heir, with that layer's selection.
TEST(AncestralVariants, OfImpliedClassesAreSelectedWhereTheyAreImplied) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda", R"(
over "Group" (
    variantSets = "v"
    variants = { string v = "z" }
)
{
    variantSet "v" = {
        "y" {
            over "Model" {
                string a = "root y"
            }
        }
        "z" {
            over "Model" {
                string a = "root z"
            }
        }
    }
}
def "Heir" (references = @asset.usda@</Heir>) {}
)"},
                                      {"asset.usda", R"(
def "Group" (
    variantSets = "v"
    variants = { string v = "y" }
)
{
    variantSet "v" = {
        "y" {
            over "Model" {
                string a = "asset y"
                string b = "asset y"
            }
        }
    }
}
def "Heir" (inherits = </Group/Model>) {}
)"}},
                                     diagnostics);
  ASSERT_NE(stage, nullptr);
  EXPECT_EQ(text_at(*stage, "/Heir", "a"), "root z");
  EXPECT_EQ(text_at(*stage, "/Heir", "b"), "asset y");
}

TEST(AncestralVariants, MayBringWhatAReferenceLeadsTo) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda", R"(
def "Set" (
    variantSets = "v"
    variants = { string v = "on" }
)
{
    variantSet "v" = {
        "on" {
            def "Lamp" {
                string light = "on"
                def "Bulb" {}
            }
        }
    }
}
def "Lamp" (references = </Set/Lamp>) {}
def "None" (references = </Set/Torch>) {}
)"}},
                                     diagnostics);
  ASSERT_NE(stage, nullptr);
  EXPECT_EQ(text_at(*stage, "/Lamp", "light"), "on");
  EXPECT_TRUE(stage->prim("/Lamp/Bulb"));
  // What no variant brings is told, once and at the arc.
  EXPECT_EQ(test::codes_of(diagnostics), "stage-unresolved-arc /None;");
}

// A selection at the arc's own prim is for that prim's path, not for that of the target's ancestor.
TEST(AncestralVariants, FollowArcsOfTheVariants) {
  const StagePtr stage = open_with_group(R"(
def "Part" {
    def "Model" {
        string b = "part"
    }
}
over "Kit" (
    variantSets = "w"
    variants = { string w = "full" }
)
{
    variantSet "w" = {
        "full" (references = </Part>) {
        }
    }
}
def "User" (references = </Kit/Model>) {}
)");
  ASSERT_NE(stage, nullptr);
  EXPECT_EQ(text_at(*stage, "/User", "b"), "part");
}

// The selection is not on the variant itself, but on a prim in it that is an ancestor of the
// target.
TEST(AncestralVariants, MaySelectOthersBelowTheirOwnPrim) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda", R"(
def "S" {
    def "Y" (
        references = </T/U>
        variantSets = "a"
    )
    {
        def "Z" {}
        variantSet "a" = {
            "x" {
                over "Z" {
                    token chosen = "x"
                }
            }
            "y" {
                over "Z" {
                    token chosen = "y"
                }
            }
        }
    }
}
def "T" (
    variants = { string b = "1" }
    variantSets = "b"
)
{
    def "U" {
        def "Z" {}
    }
    variantSet "b" = {
        "1" {
            over "U" (variants = { string a = "y" }) {
                over "Z" {
                    token brought = "1"
                }
            }
        }
    }
}
def "P" (references = </S/Y/Z>) {}
)"}},
                                     diagnostics);
  ASSERT_NE(stage, nullptr);
  EXPECT_EQ(text_at(*stage, "/S/Y/Z", "chosen"), "y");
  EXPECT_EQ(text_at(*stage, "/P", "brought"), "1");
  EXPECT_EQ(text_at(*stage, "/P", "chosen"), "y");
}

}  // namespace
}  // namespace sinew::stage::ancestral_variants_test
