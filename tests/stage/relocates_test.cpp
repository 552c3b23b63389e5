// SPDX-License-Identifier: Apache-2.0
// What relocates leave where prims were, and where they go.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support.hpp"

namespace sinew::stage::relocates_test {
namespace {

TEST(RelocatedPrims, AreSeenThroughAnInheritedPrimWithoutOpinions) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda", R"(
( relocates = { </E/Sub/Old>: </E/c/a/New> } )
def "D" {
    def "a" (references = [</C>, </E/K>]) {}
}
def "C" {
    def "a" {
        def "c" {}
    }
}
def "E" {
    def "K" (append inherits = </C>; prepend inherits = </E/c>) {}
}
)"}},
                                     diagnostics);
  ASSERT_NE(stage, nullptr);
  EXPECT_EQ(children_of(*stage, "/E/K/a", Traversal::all()), "c New ");
  EXPECT_EQ(children_of(*stage, "/D/a/a", Traversal::all()), "New c ");
}

TEST(RelocatedPrims, AreNotInheritedFromWhereAnArcsLayerMovedThem) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda", R"(
def "P" (payload = @asset.usda@</B>) {
    def "K" {
        token t = "old place"
        def "c" {}
    }
}
def "Heir" (inherits = </P/K>) {}
)"},
                                      {"asset.usda", R"(
( relocates = { </B/K>: </B/New> } )
def "B" {}
)"}},
                                     diagnostics);
  ASSERT_NE(stage, nullptr);
  EXPECT_FALSE(stage->prim("/P/K"));
  EXPECT_EQ(text_at(*stage, "/Heir", "t"), "no attribute");
  EXPECT_EQ(children_of(*stage, "/Heir", Traversal::all()), "");
}

TEST(RelocatedPrims, OfALayerThatDoesNotCountBelowAnInstanceAreNotThere) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda", R"(
( relocates = { </I/c/Deep/a>: </I/c/New> } )
def "I" (references = </Asset>; instanceable = true) {}
class "Asset" {
    def "c" {
        def "Deep" {
            def "a" {}
        }
    }
}
)"}},
                                     diagnostics);
  ASSERT_NE(stage, nullptr);
  EXPECT_EQ(children_of(*stage, "/I/c", Traversal::all()), "Deep ");
  EXPECT_EQ(children_of(*stage, "/I/c/Deep", Traversal::all()), "a ");
}

// A target at a place that one layer's relocates moved another prim to is left out there, and stays
// out where the relocates of a layer above move that prim on, though the place is free again then.
TEST(Relocates, OfTwoLayersMapTargetsInTurn) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda", R"(
( relocates = { </F/C/Anim/L>: </F/Eyes/L> } )
def "F" {
    def "Eyes" {}
    def "C" (references = @asset.usda@</C>) {}
}
)"},
                                      {"asset.usda", R"(
( relocates = { </C/L/B>: </C/Anim/L> } )
def "R" {
    def "S" {
        def "B" {}
        double a.connect = [</R/S/B.v>, </C/Anim/L.v>, </C/Q.v>]
    }
}
def "C" {
    def "Anim" {}
    def "Q" {}
    def "L" (references = </R/S>) {}
}
)"}},
                                     diagnostics);
  ASSERT_NE(stage, nullptr);
  std::vector<std::string> targets;
  for (const auto& target : stage->prim("/F/C/L").attribute("a").connections()) {
    targets.push_back(target.str());
  }
  EXPECT_EQ(targets, (std::vector<std::string>{"/F/Eyes/L.v", "/F/C/Q.v"}));
}

// Each moved prim has the arcs of where it was. That they are many is no reason to leave any out.
TEST(Relocates, OfAThousandPrimsOfOneAssetAreAllFollowed) {
  constexpr int kCount = 1000;
  std::string moves;
  std::string rig;
  for (int i = 0; i < kCount; ++i) {
    const std::string n = std::to_string(i);
    moves += "</A/Old/p" + n + ">: </A/New/q" + n + ">, ";
    rig +=
        "def \"p" + n + "\" {\n    rel r = </Rig/p" + std::to_string((i + 1) % kCount) + ">\n}\n";
  }
  const std::string asset = "( relocates = { " + moves + "} )\ndef \"Rig\" {\n" + rig + R"(}
def "A" {
    def "New" {}
    def "Old" (references = </Rig>) {}
}
)";
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda", R"(
def "I" (references = @asset.usda@</A>) {}
def "J" (references = @asset.usda@</A>) {}
)"},
                                      {"asset.usda", asset.c_str()}},
                                     diagnostics);
  ASSERT_NE(stage, nullptr);
  EXPECT_TRUE(diagnostics.empty());
  for (const std::string instance : {"/I", "/J"}) {
    EXPECT_TRUE(stage->prim(instance + "/Old").children().empty());
    for (int i = 0; i < kCount; ++i) {
      const Prim prim = stage->prim(instance + "/New/q" + std::to_string(i));
      ASSERT_TRUE(prim) << i;
      const auto targets = prim.relationship("r").targets();
      ASSERT_EQ(targets.size(), 1U) << i;
      EXPECT_EQ(targets[0].str(), instance + "/New/q" + std::to_string((i + 1) % kCount));
    }
  }
}

// The whole of each conflict is dropped, with a report of every entry; what is beside it counts.
TEST(Relocates, ThatContradictEachOtherAreAllDropped) {
  const struct {
    const char* entries;
    int refused;
    const char* children;  // Of /M afterwards: A and B as they are, and what was moved.
  } cases[] = {
      {"</M/A>: </M/X>, </M/B>: </M/X>", 2, "A B C "},              // One target for two.
      {"</M/A>: </M/B>, </M/B>: </M/X>", 2, "A B C "},              // A chain.
      {"</M/A>: </M/X>, </M/A/a>: </M/Y>", 1, "X B C "},            // A source below a source.
      {"</M/A>: </M/X>, </M/B>: </M/A/b>", 1, "X B C "},            // A target below a source.
      {"</M/A>: </M/X>, </M/X/a>: </M/Y>", 0, "X B C Y "},          // A source below a target.
      {"</M/A>: <>, </M/B>: <>", 0, "C "},                          // Nowhere is no target.
      {"</M/A>: </M/X>, </M/B>: <>, </M/C>: </M/B>", 2, "X B C "},  // A removal in a chain.
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.entries);
    Diagnostics diagnostics;
    const std::string root = std::string("(relocates = { ") + c.entries +
                             " })\ndef \"M\" (references = @asset.usda@</R>) {}\n";
    const StagePtr stage = open_layers(
        {{"root.usda", root.c_str()},
         {"asset.usda",
          "def \"R\" {\ndef \"A\" {\ndef \"a\" {}\n}\ndef \"B\" {}\ndef \"C\" {}\n}\n"}},
        diagnostics);
    ASSERT_NE(stage, nullptr);
    EXPECT_EQ(children_of(*stage, "/M", Traversal::all()), c.children);
    int refused = 0;
    for (const Diagnostic& diagnostic : diagnostics) {
      if (diagnostic.code == "stage-bad-relocate") ++refused;
    }
    EXPECT_EQ(refused, c.refused);
  }
}

TEST(Relocates, ThatAreWrongOnTheirOwnStandInNobodysWay) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda", R"(
(
    relocates = { </A/Sub>: </A>, </A/Rig/Arm>: </A/Sub/Arm>, </A>: </Root> }
)
def "A" (references = @rig.usda@</Rig>) {
    def "Sub" {}
}
)"},
                                      {"rig.usda", R"(
def "Rig" {
    def "Rig" {
        def "Arm" {}
    }
}
)"}},
                                     diagnostics);
  ASSERT_NE(stage, nullptr);
  EXPECT_TRUE(stage->prim("/A/Sub/Arm"));
  EXPECT_FALSE(stage->prim("/A/Rig/Arm"));
  ASSERT_EQ(diagnostics.size(), 2u);
  for (const Diagnostic& diagnostic : diagnostics) {
    EXPECT_EQ(diagnostic.code, "stage-bad-relocate");
  }
}

// What was moved twice maps from where it was at first, whatever the places are called.
TEST(Relocates, OfWhatOthersMovedMapFromWhereItWasAtFirst) {
  for (const std::string old : {"Z", "B"}) {
    SCOPED_TRACE(old);
    const std::string root = "(relocates = { </M/" + old +
                             ">: </M/C>, </M/C/D>: </M/E> })\n"
                             "def \"M\" (references = </Src>) {}\n"
                             "def \"Src\" {\ndef \"" +
                             old + R"(" {
        def "D" (
            variants = { string v = "two" }
            variantSets = "v"
        )
        {
            variantSet "v" = {
                "one" {
                    token which = "one"
                }
                "two" {
                    token which = "two"
                }
            }
        }
    }
    rel direct = </Src/)" + old +
                             R"(/D>
    rel between = </Src/C/D>
}
)";
    Diagnostics diagnostics;
    const StagePtr stage = open_layers({{"root.usda", root.c_str()}}, diagnostics);
    ASSERT_NE(stage, nullptr);
    EXPECT_EQ(text_at(*stage, "/M/E", "which"), "two");
    EXPECT_EQ(first_target(*stage, "/M", "direct"), "/M/E");
    EXPECT_EQ(first_target(*stage, "/M", "between"), "nothing");
  }
}

}  // namespace
}  // namespace sinew::stage::relocates_test
