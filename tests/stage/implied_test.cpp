// SPDX-License-Identifier: Apache-2.0
// Where arcs meet: classes implied through other arcs, relocates, and variants reached from
// outside.
#include <gtest/gtest.h>

#include "support.hpp"

namespace sinew::stage::implied_test {
namespace {

constexpr const char* kHands = R"(
def "Hands"
{
    class "_Hand" (references = @hand.usda@</Hand>) {}
    class "Sym" (inherits = </Hands/_Hand>) {}
    def "Left" (inherits = </Hands/Sym>) {}
}
)";
constexpr const char* kHand = R"(
def "Hand"
{
    class "_Finger"
    {
        token from = "hand"
    }
    def "Index" (inherits = </Hand/_Finger>) {}
}
)";

TEST(ImpliedClasses, HierarchiesOfClassesAreImpliedAsAWhole) {
  Diagnostics diagnostics;
  const StagePtr stage =
      open_layers({{"root.usda",
                    "def \"Rig\" (references = @hands.usda@</Hands>)\n{\n"
                    "    over \"_Hand\" {\nover \"_Finger\" {\ntoken from = \"root\"\n}\n}\n}\n"},
                   {"hands.usda", kHands},
                   {"hand.usda", kHand}},
                  diagnostics);
  ASSERT_NE(stage, nullptr);
  EXPECT_TRUE(diagnostics.empty());
  EXPECT_EQ(text_at(*stage, "/Rig/Left/Index", "from"), "root");
}

TEST(ImpliedClasses, OpinionsOfOneSiteCountOnce) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda",
                                       "class \"C\" {\ntoken t = \"class\"\n}\n"
                                       "def \"B\" (inherits = </C>) {\ntoken t = \"b\"\n}\n"
                                       "def \"A\" (references = </B>) {}\n"}},
                                     diagnostics);
  ASSERT_NE(stage, nullptr);
  // In one layer stack the class is weaker than what inherits it, also behind the reference.
  EXPECT_EQ(text_at(*stage, "/A", "t"), "b");
  EXPECT_EQ(stage->prim("/A").attribute("t").explain().size(), 2u);
}

// The heir's path in its own file is free for others outside.
TEST(ImpliedClasses, SeeWhatIsNamedLikeTheHeirInItsOwnFile) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda",
                                       "def \"D\" {\nrel r = </K>\n}\n"
                                       "def \"A\" (payload = @asset.usda@</K>) {}\n"},
                                      {"asset.usda", "def \"K\" (specializes = </D>) {}\n"}},
                                     diagnostics);
  ASSERT_NE(stage, nullptr);
  EXPECT_EQ(first_target(*stage, "/A", "r"), "/K");
}

TEST(ImpliedClasses, MovedPrimsStillInheritFromWhereTheyWere) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers(
      {{"root.usda",
        "def \"M\" (references = @model.usda@</Model>) {}\n"
        "class \"_Model\" {\nover \"Rig\" {\nover \"Sym\" {\ntoken t = \"root class\"\n}\n}\n}\n"},
       {"model.usda",
        "(relocates = {\n</Model/Rig/Left>: </Model/Anim/Left>\n})\n"
        "def \"Model\" (inherits = </_Model>)\n{\n"
        "    def \"Rig\" (references = @rig.usda@</Rig>) {}\n    def \"Anim\" {}\n}\n"
        "class \"_Model\" {}\n"},
       {"rig.usda",
        "def \"Rig\"\n{\n    def \"Sym\" {\ntoken t = \"rig\"\n}\n"
        "    def \"Left\" (inherits = </Rig/Sym>) {}\n}\n"}},
      diagnostics);
  ASSERT_NE(stage, nullptr);
  EXPECT_EQ(text_at(*stage, "/M/Anim/Left", "t"), "root class");
  EXPECT_FALSE(stage->prim("/M/Rig/Left"));
}

// What the variant says of the prim is stronger than the class that it names, wherever that stands.
TEST(ClassesOfPrimsInVariants, AreWeakerThanTheVariant) {
  Diagnostics diagnostics;
  const StagePtr stage =
      open_layers({{"root.usda",
                    "def \"P\" (variants = { string v = \"a\" }\nprepend variantSets = \"v\")\n{\n"
                    "def \"C\" {\ntoken t = \"class\"\ntoken s = \"class\"\n}\n"
                    "variantSet \"v\" = {\n\"a\" {\ndef \"I\" (inherits = </P/C>) {\n"
                    "token t = \"variant\"\n}\n}\n}\n}\n"}},
                  diagnostics);
  ASSERT_NE(stage, nullptr);
  EXPECT_EQ(text_at(*stage, "/P/I", "t"), "variant");
  EXPECT_EQ(text_at(*stage, "/P/I", "s"), "class");
  EXPECT_TRUE(diagnostics.empty());
}

TEST(Relocates, OpinionsAtTheOldPlaceAreIgnoredInEveryStrongerLayer) {
  Diagnostics diagnostics;
  const StagePtr stage =
      open_layers({{"root.usda",
                    "def \"M\" (references = @rig.usda@</Rig>)\n{\n"
                    "    over \"Old\" {\ntoken t = \"ignored\"\n}\n    over \"New\" {\ntoken s = "
                    "\"root\"\n}\n}\n"},
                   {"rig.usda",
                    "(relocates = {\n</Rig/Old>: </Rig/New>\n})\n"
                    "def \"Rig\" (references = @base.usda@</Base>) {}\n"},
                   {"base.usda", "def \"Base\" {\ndef \"Old\" {\ntoken t = \"base\"\n}\n}\n"}},
                  diagnostics);
  ASSERT_NE(stage, nullptr);
  EXPECT_FALSE(stage->prim("/M/Old"));
  EXPECT_EQ(text_at(*stage, "/M/New", "t"), "base");
  EXPECT_EQ(text_at(*stage, "/M/New", "s"), "root");
}

TEST(Relocates, AreSeenThroughOneAnother) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers(
      {{"root.usda",
        "(relocates = {\n</A/Rig/Path>: </A/Path>, </A/Path/Anim>: </A/Path/Scope>\n})\n"
        "def \"A\" {\ndef \"Rig\" (references = @rig.usda@</Rig>) {}\n}\n"},
       {"rig.usda",
        "def \"Rig\"\n{\n    rel r = </Rig/Path/Anim>\n"
        "    def \"Path\" {\ndef \"Anim\" {\ntoken t = \"rig\"\n}\n}\n}\n"}},
      diagnostics);
  ASSERT_NE(stage, nullptr);
  EXPECT_EQ(text_at(*stage, "/A/Path/Scope", "t"), "rig");
  EXPECT_EQ(first_target(*stage, "/A/Rig", "r"), "/A/Path/Scope");
}

TEST(Relocates, ArcsToWhatWasMovedAreReported) {
  Diagnostics diagnostics;
  const StagePtr stage =
      open_layers({{"root.usda", "def \"M\" (references = @rig.usda@</Rig/Old>) {}\n"},
                   {"rig.usda",
                    "(relocates = {\n</Rig/Old>: </Rig/New>\n})\n"
                    "def \"Rig\" (references = @base.usda@</Base>) {}\n"},
                   {"base.usda", "def \"Base\" {\ndef \"Old\" {\ntoken t = \"base\"\n}\n}\n"}},
                  diagnostics);
  ASSERT_NE(stage, nullptr);
  ASSERT_EQ(diagnostics.size(), 1u);
  EXPECT_EQ(diagnostics[0].code, "stage-unresolved-arc");
  EXPECT_EQ(diagnostics[0].line, 2u);
}

TEST(Variants, SelectionsReachPrimsThatArcsEnterFurtherDown) {
  Diagnostics diagnostics;
  const StagePtr stage =
      open_layers({{"root.usda",
                    "(relocates = {\n</Char/Rig/Leg>: </Char/Leg>\n})\n"
                    "def \"Char\"\n{\n"
                    "    def \"Rig\" (references = @rig.usda@</Rig>; variants = {\nstring v = "
                    "\"b\"\n}) {}\n}\n"},
                   {"rig.usda",
                    "def \"Rig\" (variantSets = \"v\"; variants = {\nstring v = \"a\"\n})\n{\n"
                    "    variantSet \"v\" = {\n"
                    "        \"a\" {\ndef \"Leg\" {\ntoken t = \"a\"\n}\n}\n"
                    "        \"b\" {\ndef \"Leg\" {\ntoken t = \"b\"\n}\n}\n   \n}\n}\n"}},
                  diagnostics);
  ASSERT_NE(stage, nullptr);
  EXPECT_EQ(text_at(*stage, "/Char/Leg", "t"), "b");
}

TEST(Variants, WhatSomeoneSelectedComesBeforeFallbacks) {
  OpenOptions options;
  options.variant_fallbacks["first"] = {"x"};
  Diagnostics diagnostics;
  const StagePtr stage = open_layers(
      {{"root.usda",
        "def \"A\" (variantSets = [\"first\", \"second\"]; variants = {\nstring second = \"y\" "
        "})\n{\n"
        "    variantSet \"first\" = {\n\"x\" {\ntoken t = \"fallback\"\n} \"z\" {\ntoken t = "
        "\"chosen\"\n}\n}\n"
        "    variantSet \"second\" = {\n\"y\" (variants = {\nstring first = \"z\"\n}) {}\n}\n}\n"}},
      diagnostics, options);
  ASSERT_NE(stage, nullptr);
  EXPECT_EQ(text_at(*stage, "/A", "t"), "chosen");
}

TEST(Instances, LocalOpinionsOfAnEnclosingAssetAreIgnoredToo) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers(
      {{"root.usda",
        "class \"Wheel\" {\ndef \"Hub\" {}\n}\n"
        "def \"Bike\" {\ndef \"Front\" (inherits = </Wheel>; instanceable = true) {\ndef "
        "\"Extra\" {}\n}\n}\n"
        "def \"Rack\" (references = </Bike>; instanceable = true) {}\n"}},
      diagnostics);
  ASSERT_NE(stage, nullptr);
  EXPECT_TRUE(stage->prim("/Rack/Front/Hub"));
  EXPECT_FALSE(stage->prim("/Rack/Front/Extra"));
}

}  // namespace
}  // namespace sinew::stage::implied_test
