// SPDX-License-Identifier: Apache-2.0
// A text with every statement of the grammar, and each of its words with something wrong in its
// place: everything that is said of it, as recorded.
#include <gtest/gtest.h>

#include <string>

#include "sinew/usda/parser.hpp"
#include "sinew/usda/writer.hpp"
#include "support/damaged_text.hpp"
#include "support/recorded.hpp"

namespace sinew::usda::recorded_test {
namespace {

using layer::Path;

const char* const kEverything = R"(#usda 1.0
(
    "about it"
    customLayerData = { int a = 1 }
    defaultPrim = "A"
    framesPerSecond = 24
    relocates = { </A/B>: </A/C> }
    subLayers = [ @./b.usda@ (offset = 1; scale = 2) ]
    upAxis = "Y"
)
reorder rootPrims = ["A", "B"]
def Mesh "A" (
    active = true
    add apiSchemas = ["X", "Y"]
    assetInfo = { asset identifier = @a@ }
    clips = { dictionary c = { double2[] active = [(0, 1)] } }
    instanceable = false
    kind = "group"
    permission = public
    inherits = [</C>, </D>]
    payload = @p.usda@</P> (offset = 3)
    prefixSubstitutions = { "a": "b" }
    prepend references = [@r.usda@</R> (scale = 2; customData = { int i = 1 }), </S>]
    specializes = None
    symmetryFunction = mirror
    variantSets = "v"
    variants = { string v = "one" }
)
{
    reorder nameChildren = ["B"]
    reorder properties = ["x"]
    custom uniform int x = 1 (
        "why"
        colorSpace = "raw"
        customData = { string s = "t" }
        displayUnit = cm
        limits = { dictionary soft = { int minimum = 1 } }
        unknown = [1, "a"]
    )
    double d.timeSamples = { 1: 2, 3: None }
    append float3 f.connect = </B.x>
    matrix2d m = ((1, 2), (3, 4))
    int[] e = edit [write 5 to [0]; insert [1] at [-1]; erase [2]; minsize 4 fill 7; maxsize 9; resize 3]
    double s.spline = {
        bezier,
        pre: sloped(0.5),
        post: loop repeat,
        1: 2; pre (0.5, 1); post held,
        3: 4 & 5; post curve (1, 2); { int i = 1 },
    }
    quatf q = (1, 2, 3, 4)
    string t = """long"""
    asset[] l = [@a@, @@@b@@@]
    timecode n = -inf
    varying rel r = [</A.x>, <B>]
    rel o[</A>]
    rel u.default = </A>
    variantSet "v" = {
        "one" (active = false) {
            def "V" {}
        }
    }
}
over "B"
{
}
)";

TEST(RecordedText, IsTheSameLineByLine) {
  Diagnostics said;
  const auto layer = parse(kEverything, "a.usda", said);
  std::string text = test::lines_of(said);
  text += layer ? write(**layer) : layer.error().message;
  test::expect_recorded("everything.usda.txt", text);
}

TEST(RecordedText, IsToldWhatIsWrongInEveryPlace) {
  std::string all;
  test::for_each_damage(
      kEverything, {"", "<A//B>", "1.5", "["},
      [&](const std::string& title, const std::string& changed) {
        Diagnostics said;
        const auto layer = parse(changed, "a.usda", said);
        // The field that the text has as it is.
        std::erase_if(said, [](const Diagnostic& diagnostic) {
          return diagnostic.message == "'unknown' is not a known field of an attribute.";
        });
        const std::string text = test::lines_of(said, "  ");
        // What is refused is told, and in the same words.
        ASSERT_TRUE(layer || (!said.empty() && said.back().message == layer.error().message))
            << title;
        if (!text.empty()) all += title + "\n" + text;
      });
  test::expect_recorded("faults.usda.txt", all);
}

// A path that is none is refused with its place wherever a path may stand.
TEST(Grammar, PathsThatAreNoneAreRefusedInEveryPlace) {
  const char* const places[] = {
      "(relocates = { $: </C> })",
      "(relocates = { </A>: $ })",
      "def \"X\" (inherits = $) {}",
      "def \"X\" (prepend inherits = [</A>, $]) {}",
      "def \"X\" (specializes = $) {}",
      "def \"X\" (references = $) {}",
      "def \"X\" (references = @a.usda@$) {}",
      "def \"X\" (payload = $) {}",
      "def \"X\" (payload = @a.usda@$) {}",
      "def \"X\" { rel r = $ }",
      "def \"X\" { rel r = [</A>, $] }",
      "def \"X\" { add rel r = $ }",
      "def \"X\" { rel r[$] }",
      "def \"X\" { rel r.default = $ }",
      "def \"X\" { int x.connect = $ }",
      "def \"X\" { delete int x.connect = [</A.b>, $] }",
      "def \"X\" { token x = $ }",
      "def \"X\" { token x.timeSamples = { 1: $ } }",
  };
  for (const std::string place : places) {
    for (const char* path : {"<A//B>", "</A/>", "<1 2>", "</A.b.c>", "<A{v=>", "<.>", "<...>"}) {
      std::string text = place;
      const std::size_t at = text.find('$');
      text.replace(at, 1, path);
      Diagnostics said;
      EXPECT_FALSE(parse("#usda 1.0\n" + text, "a.usda", said)) << text;
      ASSERT_EQ(said.size(), 1U) << text;
      EXPECT_EQ(said[0].code, "usda-bad-path") << text << "\n" << format(said[0]);
      EXPECT_EQ(said[0].line, 2U) << text;
      EXPECT_EQ(said[0].column, at + 1) << text;
    }
  }
}

}  // namespace
}  // namespace sinew::usda::recorded_test
