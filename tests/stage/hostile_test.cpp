// SPDX-License-Identifier: Apache-2.0
// Composition that tries to go on for ever: an error each, the rest of the stage still there, and
// bounded time and memory (a test that hangs or exhausts memory fails by that).
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "support.hpp"
#include "support/sanitized.hpp"

namespace sinew::stage::hostile_test {
namespace {

std::size_t count_code(const Diagnostics& diagnostics, std::string_view code) {
  return static_cast<std::size_t>(std::count_if(
      diagnostics.begin(), diagnostics.end(), [&](const Diagnostic& d) { return d.code == code; }));
}

TEST(HostileComposition, APrimCannotReferToItself) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda",
                                       "def \"A\" (references = </A>) {\ntoken t = \"a\"\n}\n"
                                       "def \"B\" (inherits = </B>) {\ntoken t = \"b\"\n}\n"
                                       "def \"C\" (specializes = </C/D>) {\ndef \"D\" {}\n}\n"
                                       "def \"E\" {\ndef \"F\" (references = </E>) {}\n}\n"}},
                                     diagnostics);
  ASSERT_NE(stage, nullptr);
  EXPECT_EQ(count_code(diagnostics, "stage-cycle"), 4u);
  EXPECT_EQ(text_at(*stage, "/A", "t"), "a");
  EXPECT_EQ(text_at(*stage, "/B", "t"), "b");
  EXPECT_TRUE(stage->prim("/E/F"));
}

TEST(HostileComposition, FilesCannotReferToEachOther) {
  Diagnostics diagnostics;
  const StagePtr stage =
      open_layers({{"root.usda", "def \"A\" (references = @a.usda@</A>) {}\n"},
                   {"a.usda", "def \"A\" (references = @b.usda@</B>) {\ntoken a = \"a\"\n}\n"},
                   {"b.usda", "def \"B\" (payload = @a.usda@</A>) {\ntoken b = \"b\"\n}\n"}},
                  diagnostics);
  ASSERT_NE(stage, nullptr);
  EXPECT_EQ(count_code(diagnostics, "stage-cycle"), 1u);
  EXPECT_EQ(text_at(*stage, "/A", "a"), "a");
  EXPECT_EQ(text_at(*stage, "/A", "b"), "b");
}

TEST(HostileComposition, TheMessageOfACycleNamesTheWayThere) {
  Diagnostics diagnostics;
  open_layers(
      {{"root.usda", "def \"A\" (references = @a.usda@</A>) {}\n"},
       {"a.usda", "def \"A\" (references = @a.usda@</B>) {}\ndef \"B\" (references = </A>) {}\n"}},
      diagnostics);
  ASSERT_EQ(count_code(diagnostics, "stage-cycle"), 1u);
  const auto found = std::find_if(diagnostics.begin(), diagnostics.end(),
                                  [](const Diagnostic& d) { return d.code == "stage-cycle"; });
  EXPECT_NE(found->message.find("@root.usda@</A> -> @a.usda@</A> -> @a.usda@</B>"),
            std::string::npos)
      << found->message;
}

TEST(HostileComposition, SublayersCannotContainThemselves) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers(
      {{"root.usda", "(subLayers = [@a.usda@])\n"},
       {"a.usda", "(subLayers = [@b.usda@, @a.usda@])\ndef \"A\" {\ntoken t = \"a\"\n}\n"},
       {"b.usda", "(subLayers = [@root.usda@])\n"}},
      diagnostics);
  ASSERT_NE(stage, nullptr);
  EXPECT_EQ(count_code(diagnostics, "stage-sublayer-cycle"), 2u);
  EXPECT_EQ(text_at(*stage, "/A", "t"), "a");
}

TEST(HostileComposition, TenThousandArcsInARowStopWithAnError) {
  constexpr int kArcs = SINEW_TEST_SANITIZED ? 2'000 : 10'000;  // A minute under sanitizers.
  std::string text;
  for (int i = 0; i < kArcs; ++i) {
    text +=
        "def \"P" + std::to_string(i) + "\" (references = </P" + std::to_string(i + 1) + ">) {}\n";
  }
  text += "def \"P" + std::to_string(kArcs) + "\" {\ntoken t = \"end\"\n}\n";
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda", text.c_str()}}, diagnostics);
  ASSERT_NE(stage, nullptr);
  EXPECT_GT(count_code(diagnostics, "stage-limit"), 0u);
  const std::string near_the_end = "/P" + std::to_string(kArcs - 10);
  EXPECT_EQ(text_at(*stage, near_the_end.c_str(), "t"), "end");
  EXPECT_EQ(text_at(*stage, "/P0", "t"), "no attribute");
}

// Each arc needs the ancestors of its target, which have such arcs themselves.
TEST(HostileComposition, ArcsBelowArcsBelowArcsStopWithAnError) {
  std::string text;
  for (int i = 0; i < 2'000; ++i) {
    text += "def \"P" + std::to_string(i) + "\" (references = </P" + std::to_string(i + 1) +
            "/C>) {\ndef \"C\" {}\n}\n";
  }
  text += "def \"P2000\" {\ndef \"C\" {}\n}\n";
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda", text.c_str()}}, diagnostics);
  ASSERT_NE(stage, nullptr);
  EXPECT_GT(count_code(diagnostics, "stage-limit"), 0u);
  EXPECT_TRUE(stage->prim("/P1990/C"));
}

TEST(HostileComposition, FanningOutToMillionsOfArcsStopsAtTheLimit) {
  std::string text = "def \"L0\" {\ntoken t = \"end\"\n}\n";
  for (int i = 1; i <= 40; ++i) {
    const std::string below = "</L" + std::to_string(i - 1) + ">";
    text += "def \"L" + std::to_string(i) + "\" (references = [" + below + ", " + below +
            " (offset = 1)]) {}\n";
  }
  OpenOptions options;
  options.limits.arcs_per_stage = 1'000'000;
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda", text.c_str()}}, diagnostics, options);
  ASSERT_NE(stage, nullptr);
  EXPECT_GT(count_code(diagnostics, "stage-limit"), 0u);
  EXPECT_EQ(text_at(*stage, "/L5", "t"), "end");
}

TEST(HostileComposition, ClassesOfClassesDoNotMultiply) {
  std::string text;
  for (int i = 0; i < 60; ++i) {
    text += "def \"P" + std::to_string(i) + "\" (inherits = [</P" + std::to_string(i + 1) +
            ">, </P" + std::to_string(i + 2) + ">]) {}\n";
  }
  text += "def \"P60\" {\ntoken t = \"end\"\n}\ndef \"P61\" {}\n";
  OpenOptions options;
  options.limits.arcs_per_prim = 2'000;
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda", text.c_str()}}, diagnostics, options);
  ASSERT_NE(stage, nullptr);
  EXPECT_EQ(text_at(*stage, "/P55", "t"), "end");
}

TEST(HostileComposition, MissingAndBrokenFilesAreAnErrorEachAndLeftOut) {
  Diagnostics diagnostics;
  const StagePtr stage =
      open_layers({{"root.usda",
                    "def \"A\" (references = @missing.usda@) {\ntoken t = \"a\"\n}\n"
                    "def \"B\" (references = @broken.usda@</X>) {\ntoken t = \"b\"\n}\n"
                    "def \"C\" (payload = @good.usda@</None>) {\ntoken t = \"c\"\n}\n"},
                   {"broken.usda", "def \"X\" {\ntoken t =\n}\n"},
                   {"good.usda", "def \"X\" {}\n"}},
                  diagnostics);
  ASSERT_NE(stage, nullptr);
  EXPECT_GE(std::count_if(diagnostics.begin(), diagnostics.end(),
                          [](const Diagnostic& d) { return d.severity == Severity::error; }),
            3);
  EXPECT_EQ(text_at(*stage, "/A", "t"), "a");
  EXPECT_EQ(text_at(*stage, "/B", "t"), "b");
  EXPECT_EQ(text_at(*stage, "/C", "t"), "c");
}

TEST(HostileComposition, RelocatesThatMoveEachOtherStop) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers(
      {{"root.usda",
        "(relocates = {\n</A/B/C>: </A/D>, </A/D/E/F>: </A/B>, </A/B/X>: </A/D/E>\n})\n"
        "def \"A\" (references = </R>) {}\n"
        "def \"R\" {\ndef \"B\" {\ndef \"C\" {\ndef \"E\" {\ndef \"F\" {}\n}\n}\n}\n}\n"}},
      diagnostics);
  ASSERT_NE(stage, nullptr);
  EXPECT_EQ(count_code(diagnostics, "stage-bad-relocate"), 3u);
  EXPECT_TRUE(stage->prim("/A/B/C/E/F"));
}

// What a variant inherits from below its own prim would be found again in each of its parts.
TEST(HostileComposition, AVariantCannotInheritFromBelowItsPrim) {
  Diagnostics diagnostics;
  const StagePtr stage =
      open_layers({{"root.usda",
                    "def \"L\" (variantSets = \"v\"\nvariants = { string v = \"one\" }) {\n"
                    "def \"b\" (inherits = </L/c>) {}\n"
                    "variantSet \"v\" = { \"one\" (inherits = </L/a>) {} }\n}\n"
                    "def \"M\" (payload = </L/b>) {}\ndef \"Z\" {}\n"}},
                  diagnostics);
  ASSERT_NE(stage, nullptr);
  EXPECT_EQ(count_code(diagnostics, "stage-limit"), 0u);
  EXPECT_GT(count_code(diagnostics, "stage-cycle"), 0u);
  EXPECT_TRUE(stage->prim("/L/b"));
  EXPECT_TRUE(stage->prim("/Z"));
}

// It leads to itself by way of what is specialized, which stands apart from what leads to it.
TEST(HostileComposition, SpecializedPrimsCannotGoOnForEver) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda",
                                       "def \"E\" {\ndef \"b\" (references = @a.usda@</D>) {}\n}\n"
                                       "def \"Z\" {}\n"},
                                      {"a.usda",
                                       "def \"D\" {\ndef \"b\" (specializes = </L/b>) {}\n}\n"
                                       "def \"L\" {\ndef \"b\" (inherits = </L/c>) {}\n"
                                       "def \"c\" (specializes = </D>) {}\n}\n"}},
                                     diagnostics);
  ASSERT_NE(stage, nullptr);
  EXPECT_EQ(count_code(diagnostics, "stage-limit"), 0u);
  EXPECT_TRUE(stage->prim("/E/b/b"));
  EXPECT_TRUE(stage->prim("/Z"));
}

}  // namespace
}  // namespace sinew::stage::hostile_test
