// SPDX-License-Identifier: Apache-2.0
// Path expressions as values: arcs map the paths that they name, as those of relationships.
#include <gtest/gtest.h>

#include <string>

#include "stage/support.hpp"

namespace sinew::stage::path_expressions_test {
namespace {

constexpr const char* kAsset =
    "def \"Asset\" {\n"
    "    pathExpression below = \"/Asset/Arm*\"\n"
    "    pathExpression all = \"/Asset//\"\n"
    "    pathExpression everywhere = \"//Arm*\"\n"
    "    pathExpression one = \"/Asset/Arm/Hand\"\n"
    "    pathExpression outside = \"/Other/Arm* + /Asset/Arm\"\n"
    "    pathExpression root = \"/*\"\n"
    "    pathExpression predicate = \"/Asset{defined}//Arm{isa:Cube} - ~(/Asset/B & "
    "/Asset/[a-c]*)\"\n"
    "    pathExpression refers = \"%/Asset/Arm:c + %:d %/Other:c\"\n"
    "    pathExpression property = \"/Asset.x ../Asset.y /Asset/Arm.z*\"\n"
    "    pathExpression others = \"~/Asset.x* - /Other.x\"\n"
    "    pathExpression relative = \"Arm .\"\n"
    "    pathExpression[] several = [\"/Asset/A\", \"//B\", \"\"]\n"
    "}\ndef \"Other\" {}\n";

std::string text_at(const StagePtr& stage, const char* prim, const char* name) {
  return stage->prim(prim).attribute(name).get_text().value_or("(none)");
}

void expect_mapped_to(const StagePtr& stage, const std::string& at) {
  const char* prim = at.c_str();
  EXPECT_EQ(text_at(stage, prim, "below"), at + "/Arm*");
  EXPECT_EQ(text_at(stage, prim, "all"), at + "//");
  EXPECT_EQ(text_at(stage, prim, "everywhere"), "//Arm*");
  EXPECT_EQ(text_at(stage, prim, "one"), at + "/Arm/Hand");
  EXPECT_EQ(text_at(stage, prim, "outside"), "~// + " + at + "/Arm");
  EXPECT_EQ(text_at(stage, prim, "root"), "~//");
  EXPECT_EQ(text_at(stage, prim, "refers"), "%" + at + "/Arm:c + %:d ~//");
  EXPECT_EQ(text_at(stage, prim, "property"), at + ".x " + at + ".y " + at + "/Arm.z*");
  EXPECT_EQ(text_at(stage, prim, "others"), "~" + at + ".x* - ~//");
  EXPECT_EQ(text_at(stage, prim, "relative"), at + "/Arm " + at);
  const layer::Value several = stage->prim(prim).attribute("several").value();
  ASSERT_EQ(several.as_array<Token>().size(), 3u);
  EXPECT_EQ(several.as_array<Token>()[0].view(), at + "/A");
  EXPECT_EQ(several.as_array<Token>()[1].view(), "//B");
  EXPECT_EQ(several.as_array<Token>()[2].view(), "");
}

TEST(PathExpressionValues, AreMappedByEveryKindOfArc) {
  for (const char* arc : {"references = @asset.usda@</Asset>", "payload = @asset.usda@</Asset>"}) {
    Diagnostics diagnostics;
    const std::string text = "def \"W\" {\ndef \"I\" (" + std::string(arc) + ") {}\n}\n";
    const StagePtr stage =
        open_layers({{"root.usda", text.c_str()}, {"asset.usda", kAsset}}, diagnostics);
    expect_mapped_to(stage, "/W/I");
    // What stands in front of a predicate is the prefix, and the first element has one.
    EXPECT_EQ(text_at(stage, "/W/I", "predicate"), "~// - ~(/W/I/B & /W/I/[a-c]*)");
  }
}

TEST(PathExpressionValues, OfClassesMayReachWhatIsBesideThem) {
  for (const char* arc : {"inherits", "specializes"}) {
    Diagnostics diagnostics;
    const std::string text = std::string("def \"W\" {\ndef \"I\" (") + arc +
                             " = </Asset>) {}\n}\n" + std::string(kAsset);
    const StagePtr stage = open_layers({{"root.usda", text.c_str()}}, diagnostics);
    EXPECT_EQ(text_at(stage, "/W/I", "below"), "/W/I/Arm*") << arc;
    EXPECT_EQ(text_at(stage, "/W/I", "outside"), "/Other/Arm* + /W/I/Arm") << arc;
    EXPECT_EQ(text_at(stage, "/W/I", "root"), "/*") << arc;
  }
}

TEST(PathExpressionValues, AreSeenFromBelowInstances) {
  for (const char* instanceable : {"true", "false"}) {
    Diagnostics diagnostics;
    const std::string root =
        std::string("def \"W\" {\n") +
        "def \"I\" (references = @mid.usda@</Mid>\ninstanceable = " + instanceable +
        ") {}\ndef \"J\" (references = @mid.usda@</Mid>\n" + "instanceable = " + instanceable +
        ") {}\n}\n";
    const char* mid =
        "def \"Mid\" {\ndef \"A\" (references = @asset.usda@</Asset>\ninstanceable = true) {}\n"
        "def \"B\" (references = @asset.usda@</Asset>\ninstanceable = true) {}\n}\n";
    const char* asset =
        "def \"Asset\" {\ndef \"P\" {\npathExpression x = \"/Asset//Arm* + //Leg\"\n}\n}\n";
    const StagePtr stage = open_layers(
        {{"root.usda", root.c_str()}, {"mid.usda", mid}, {"asset.usda", asset}}, diagnostics);
    for (const std::string at : {"/W/I/A", "/W/I/B", "/W/J/A", "/W/J/B"}) {
      EXPECT_EQ(text_at(stage, (at + "/P").c_str(), "x"), at + "//Arm* + //Leg") << instanceable;
    }
  }
}

TEST(PathExpressionValues, OfEditedArraysAreSeenFromBelowInstances) {
  for (const char* instanceable : {"true", "false"}) {
    Diagnostics diagnostics;
    const std::string root =
        std::string("def \"W\" {\n") +
        "def \"I\" (references = @asset.usda@</Asset>\ninstanceable = " + instanceable +
        ") {}\n}\n";
    const StagePtr stage = open_layers(
        {{"root.usda", root.c_str()},
         {"asset.usda",
          "(subLayers = [@weak.usda@])\n"
          "over \"Asset\" {\nover \"P\" {\n"
          "pathExpression[] x = edit [prepend \"/Asset/New\"; append \"//Leg\"]\n}\n}\n"},
         {"weak.usda",
          "def \"Asset\" {\ndef \"P\" {\npathExpression[] x = [\"/Asset//Arm*\"]\n}\n}\n"}},
        diagnostics);
    const layer::Value x = stage->prim("/W/I/P").attribute("x").value();
    ASSERT_EQ(x.as_array<Token>().size(), 3u) << instanceable;
    EXPECT_EQ(x.as_array<Token>()[0].view(), "/W/I/New") << instanceable;
    EXPECT_EQ(x.as_array<Token>()[1].view(), "/W/I//Arm*") << instanceable;
    EXPECT_EQ(x.as_array<Token>()[2].view(), "//Leg") << instanceable;
  }
}

TEST(PathExpressionValues, TakeInWhatWeakerOpinionsSay) {
  Diagnostics diagnostics;
  const StagePtr stage =
      open_layers({{"root.usda",
                    "(subLayers = [@weak.usda@])\n"
                    "over \"A\" (references = @asset.usda@</Asset>) {\n"
                    "    pathExpression x = \"/A/New - %_\"\n"
                    "    pathExpression blocked = \"/A %_\"\n"
                    "    pathExpression none = \"/A + %_\"\n"
                    "    pathExpression self = \"%:_\"\n"
                    "}\n"},
                   {"weak.usda",
                    "def \"A\" {\n    pathExpression x = \"%_ + /A/Weak*\"\n"
                    "    pathExpression blocked = None\n    pathExpression self = \"/A/B\"\n}\n"},
                   {"asset.usda",
                    "def \"Asset\" {\n    pathExpression x = \"/Asset/Old\"\n"
                    "    pathExpression blocked = \"/Asset/Old\"\n}\n"}},
                  diagnostics);
  EXPECT_EQ(text_at(stage, "/A", "x"), "/A/New - ((/A/Old) + /A/Weak*)");
  EXPECT_EQ(text_at(stage, "/A", "blocked"), "/A %_");
  EXPECT_EQ(text_at(stage, "/A", "none"), "/A + %_");
  EXPECT_EQ(text_at(stage, "/A", "self"), "(/A/B)");
}

TEST(PathExpressionValues, TakeInDefaultsOfSingleExpressionsOnly) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers(
      {{"root.usda",
        "(subLayers = [@rel.usda@, @samples.usda@, @weak.usda@])\n"
        "over \"A\" {\n    pathExpression x = \"/A + %_ + %/B:c\"\n"
        "    pathExpression[] list = [\"/A + %_\"]\n}\n"},
       {"rel.usda", "over \"A\" {\n    rel x = </B>\n}\n"},
       {"samples.usda", "over \"A\" {\n    pathExpression x.timeSamples = { 0: \"/Sample\" }\n}\n"},
       {"weak.usda",
        "def \"A\" {\n    pathExpression x = \"/Weak - %_\"\n"
        "    pathExpression[] list = [\"/Weak\"]\n}\n"}},
      diagnostics);
  EXPECT_EQ(text_at(*stage, "/A", "x"), "/A + (/Weak - %_) + %/B:c");
  const auto list = stage->prim("/A").attribute("list").get_array<Token>();
  ASSERT_TRUE(list);
  EXPECT_EQ((*list)[0].view(), "/A + %_");
}

TEST(PathExpressionValues, TakeWeakerOpinionsInForTheOneReferenceThatMeansThem) {
  Diagnostics diagnostics;
  const StagePtr stage =
      open_layers({{"root.usda",
                    "(subLayers = [@weak.usda@])\n"
                    "over \"A\" {\n    pathExpression x = \"%_ + %:d + %/B:_\"\n}\n"},
                   {"weak.usda", "def \"A\" {\n    pathExpression x = \"/W\"\n}\n"}},
                  diagnostics);
  EXPECT_EQ(text_at(stage, "/A", "x"), "(/W) + %:d + %/B:_");
}

}  // namespace
}  // namespace sinew::stage::path_expressions_test
