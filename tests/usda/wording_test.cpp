// SPDX-License-Identifier: Apache-2.0
// What is written, and what is said of what cannot be read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "sinew/usda/parser.hpp"
#include "sinew/usda/writer.hpp"

namespace sinew::usda::wording_test {

using namespace layer;
namespace {

using ::testing::HasSubstr;

Result<LayerPtr> parsed(const std::string& text) {
  Diagnostics diagnostics;
  return parse("#usda 1.0\n" + text, "a.usda", diagnostics);
}

TEST(Wording, APathThatClimbsTooFarIsNamedBeforeItsAnchor) {
  const auto path = Path::parse("../../A");
  const auto anchor = Path::parse("/W");
  ASSERT_TRUE(path);
  ASSERT_TRUE(anchor);

  const auto absolute = path->make_absolute(*anchor);

  ASSERT_FALSE(absolute);
  EXPECT_EQ(absolute.error().message, "'../../A' climbs above the root from '/W'.");
}

// A capital letter or a quoted name, then text, then a full stop.
TEST(Wording, EveryMessageIsASentence) {
  const std::string texts[] = {
      "def",
      "def \"1\" {}",
      "def \"A\" {} def",
      "def \"A\" {}\ndef \"A\" {}",
      "def \"A\" { int x = 1.5 }",
      "def \"A\" { float3 x = (1, 2) }",
      "def \"A\" { half x = 1 \n rel x }",
      "def \"A\" { int x\n float x }",
      "def \"A\" { int x\n uniform int x }",
      "def \"A\" { int[] x = 1 }",
      "def \"A\" { int[] x = [1, [2]] }",
      "def \"A\" { string x = \"open\n }",
      "def \"A\" { rel x = </A//B> }",
      "def \"A\" { rel x = </A{v=w}B> }",
      "def \"A\" { add rel x = None }",
      "def \"A\" { double x.spline = { 1: 1e999 } }",
      "def \"A\" { string x.spline = { 1: 2 } }",
      "def \"A\" { int64 x = 99999999999999999999 }",
      "def \"A\" (variantSets = \"a b\") {}",
      "def \"A\" (variants = { int v = 1 }) {}",
      "def \"A\" (kinds = 1) {}",
      "def \"A\" (apiSchemas = [\"B\", \"B\"]) {}",
      "def \"A\" (references = @@) {}",
      "def \"A\" (active = None) {}",
      "def \"A\" { /* open",
      "def \"A\" { variantSet \"s\" = { \"v\" { def \"B\" { rel x = <../../../C> } } } }",
      "\xFF",
  };
  for (const std::string& text : texts) {
    Diagnostics diagnostics;
    (void)parse("#usda 1.0\n" + text, "a.usda", diagnostics);
    EXPECT_FALSE(diagnostics.empty()) << text;
    for (const Diagnostic& diagnostic : diagnostics) {
      const std::string& message = diagnostic.message;
      ASSERT_FALSE(message.empty()) << text;
      const char first = message.front();
      EXPECT_TRUE((first >= 'A' && first <= 'Z') || first == '\'' || first == '<') << message;
      EXPECT_TRUE(message.ends_with('.') && !message.ends_with("..")) << message;
    }
  }
}

TEST(Wording, DictionariesAreIndented) {
  const auto layer = parsed("def \"A\" (customData = { int a = 1 }) {}");
  ASSERT_TRUE(layer);

  EXPECT_THAT(write(**layer), HasSubstr("customData = {\n        int a = 1\n    }\n"));
}

TEST(Wording, AnUnknownLoopOfASplineIsAnErrorThatNamesTheKnownOnes) {
  const auto layer = parsed("def \"A\" { double x.spline = { post: loop sideways, 1: 2 } }");

  ASSERT_FALSE(layer);
  EXPECT_THAT(layer.error().message, HasSubstr("repeat, reset or oscillate"));
}

TEST(Wording, DisplayGroupOrderIsAnArray) {
  EXPECT_TRUE(parsed("def \"A\" (displayGroupOrder = [\"a\", \"b\"]) {}"));
  EXPECT_FALSE(parsed("def \"A\" (displayGroupOrder = \"a\") {}"));
}

// usda 2: an identifier needs whole characters; the last byte of four is missing here.
TEST(Wording, ACharacterCutShortIsNotPartOfAName) {
  EXPECT_TRUE(parsed("def \"\xF0\xA0\x80\x80\" {}"));
  EXPECT_FALSE(parsed("def \"\xF0\xA0\x80\" {}"));
  EXPECT_FALSE(parsed("def \"\xF5\x80\x80\x80\" {}"));
}

}  // namespace
}  // namespace sinew::usda::wording_test
