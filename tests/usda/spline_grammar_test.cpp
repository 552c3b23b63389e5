// SPDX-License-Identifier: Apache-2.0
// What is read and what is refused of splines.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "sinew/layer/spline.hpp"
#include "usda/grammar.hpp"

namespace sinew::usda::spline_grammar_test {

using layer::LayerPtr;
using layer::Spline;
using test::expect_read;
using test::expect_refused;
using test::in_prim;
using test::read;
using test::refusal;

namespace {

TEST(SplineGrammar, LoopsRepeatWholeNumbersOfTimes) {
  const auto loop = [](const std::string& numbers) {
    return in_prim("double a.spline = { loop: (" + numbers + "), 1: 5 }");
  };
  expect_read({loop("1, 3, 0, 2, 0.5"), loop("5, 5, 1, 1, 0"), loop("3, 1, 2147483647, 0, -1"),
               loop("0, 1, 1.5, -0.5, 0")});
  expect_refused({loop("inf, 3, 0, 2, 0"), loop("1, nan, 0, 2, 0"), loop("1, 3, 0, 2, -inf"),
                  loop("1, 3, -1, 2, 0"), loop("1, 3, 0, 2147483648, 0"), loop("1, 3, nan, 2, 0"),
                  loop("1, 3, 0, inf, 0")});
}

TEST(SplineGrammar, HoldFiniteNumbers) {
  const auto spline = [](const char* type, const std::string& items) {
    return in_prim(std::string(type) + " a.spline = { " + items + " }");
  };
  expect_read({spline("double", "1: 70000; post curve (0, 5), 3: -1e300"),
               spline("half", "1: 65504; pre (1e300, -65504)"), spline("float", "1: 3e38"),
               spline("double", "1: 5; pre (-0, 2)"), spline("double", "1: 5; pre (-7)")});
  expect_refused({spline("double", "inf: 5"),
                  spline("double", "nan: 5"),
                  spline("double", "1: 1e400"),
                  spline("double", "1: inf"),
                  spline("double", "1: nan & 2"),
                  spline("float", "1: 1e39"),
                  spline("half", "1: 70000"),
                  spline("half", "1: 2 & 70000"),
                  spline("half", "1: 2; pre (70000)"),
                  spline("double", "1: 5; pre (inf, 1)"),
                  spline("double", "1: 5; pre (1, inf)"),
                  spline("double", "1: 5; pre (1, nan)"),
                  spline("double", "1: 5; pre (nan)"),
                  spline("double", "1: 5; pre (inf, custom)"),
                  spline("double", "1: 5; pre (-1, 0)"),
                  spline("double", "1: 5; post curve (-1, 0)"),
                  spline("double", "pre: sloped(inf), 1: 5"),
                  spline("double", "post: sloped(nan), 1: 5"),
                  spline("double", "post: loop repeat(inf), 1: 5"),
                  spline("double", "post: loop reset(nan), 1: 5")});
}

TEST(SplineGrammar, BelongToSingleRealNumbers) {  // usda 6.7
  for (const char* type : {"half", "float", "double", "timecode"}) {
    expect_read({in_prim(std::string(type) + " a.spline = {}")});
  }
  EXPECT_EQ(refusal("#usda 1.0\n" + in_prim("int a.spline = {}")), "usda-bad-spline 4:6");
  for (const char* type : {"bool", "float[]", "float3", "string", "matrix2d", "foo"}) {
    expect_refused({in_prim(std::string(type) + " a.spline = {}")});
  }
}

// The spline of these items, or one without anything if the text is refused.
Spline spline_of(const std::string& items) {
  const LayerPtr layer = read(in_prim("double a.spline = { " + items + " }"));
  EXPECT_NE(layer, nullptr) << items;
  return layer == nullptr ? Spline() : *layer->find_prim("/X")->properties[0].spline();
}

TEST(SplineGrammar, GoOnAsTheyAreTold) {  // usda 6.7
  using Mode = Spline::Extrapolation;
  const std::pair<const char*, Spline::Extrapolate> cases[] = {
      {"none", {Mode::none, {}}},
      {"held", {Mode::held, {}}},
      {"linear", {Mode::linear, {}}},
      {"sloped(-2)", {Mode::sloped, -2.0}},
      {"sloped ( 0.5 )", {Mode::sloped, 0.5}},
      {"loop repeat", {Mode::loop_repeat, {}}},
      {"loop reset (3)", {Mode::loop_reset, 3.0}},
      {"loop oscillate(4)", {Mode::loop_oscillate, 4.0}},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_EQ(spline_of("pre: " + std::string(text)).pre, expected) << text;
    EXPECT_EQ(spline_of("pre: " + std::string(text)).post, Spline::Extrapolate()) << text;
    EXPECT_EQ(spline_of("post : " + std::string(text) + ", 1: 2,").post, expected) << text;
  }
  EXPECT_EQ(spline_of("pre: sloped(2), pre: held").pre, (Spline::Extrapolate{Mode::held, {}}));
  for (const char* text : {"sloped", "loop", "loop held", "repeat", "held (1)", "sloped()", ""}) {
    expect_refused({in_prim("double a.spline = { pre: " + std::string(text) + " }")});
  }
}

TEST(SplineGrammar, SayWhatTheirCurveIs) {
  EXPECT_EQ(spline_of("bezier").curve_type, Spline::CurveType::bezier);
  EXPECT_EQ(spline_of("hermite, 1: 2,").curve_type, Spline::CurveType::hermite);
  EXPECT_EQ(spline_of("1: 2,").curve_type, std::nullopt);
  EXPECT_EQ(spline_of("loop: (1, 2, 3.9, -0, 0.5)").loop,
            (Spline::InnerLoop{1.0, 2.0, 3.0, 0.0, 0.5}));
  EXPECT_FALSE(std::signbit(spline_of("loop: (1, 2, -0, 0, 0)").loop->pre_loops));
}

TEST(SplineGrammar, InnerLoopsExcludeLoopsWithABoundary) {
  const auto spline = [](const std::string& items) {
    return "#usda 1.0\n" + in_prim("double a.spline = { " + items + " }");
  };
  for (const char* side : {"pre", "post"}) {
    const std::string end = std::string(side) + ": loop repeat";
    EXPECT_EQ(refusal(spline(end + "(1), loop: (1, 2, 3, 4, 5)")), "usda-bad-spline 4:19");
    EXPECT_EQ(refusal(spline("loop: (1, 2, 3, 4, 5), " + end)), "read");
    EXPECT_EQ(refusal(spline(end + "(1)")), "read");
  }
  EXPECT_EQ(refusal(spline("loop: (1, 2, 3, 4, 5), pre: sloped(1)")), "read");
}

TEST(SplineGrammar, KnotsAreSortedAndTheFirstOfATimeCounts) {  // usda 6.7
  const Spline spline = spline_of("3: 30, 1: 10, 3: 31, 2: 20, 1: 11,");
  ASSERT_EQ(spline.knots.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(spline.knots[i].time, static_cast<double>(i + 1));
    EXPECT_EQ(spline.knots[i].value, static_cast<double>(10 * (i + 1)));
  }
}

TEST(SplineGrammar, KnotsHaveWhatIsWrittenBehindThem) {  // usda 6.7
  using Algorithm = Spline::TangentAlgorithm;
  using Mode = Spline::Interpolation;
  Spline::Knot knot;
  knot.time = 1.0;
  knot.pre_value = 2.0;
  knot.value = 3.0;
  knot.pre_tangent = Spline::Tangent{4.0, 5.0, Algorithm::custom};
  knot.interpolation = Mode::curve;
  knot.post_tangent = Spline::Tangent{{}, 6.0, Algorithm::auto_ease};
  const Spline spline =
      spline_of("1: 2 & 3; pre (4, 5, custom); post curve (6, autoEase);, 7: 8; post linear, 9: 1");
  ASSERT_EQ(spline.knots.size(), 3U);
  EXPECT_EQ(spline.knots[0], knot);
  EXPECT_EQ(spline.knots[1].interpolation, Mode::linear);
  EXPECT_EQ(spline.knots[1].pre_value, std::nullopt);
  EXPECT_EQ(spline.knots[1].post_tangent, std::nullopt);
  EXPECT_EQ(spline.knots[2].interpolation, std::nullopt);
  EXPECT_EQ(spline_of("1: 2; post none").knots.at(0).interpolation, Mode::none);
  EXPECT_EQ(spline_of("1: 2; post held").knots.at(0).interpolation, Mode::held);
  EXPECT_EQ(spline_of("1: 2; post held (7)").knots.at(0).post_tangent,
            (Spline::Tangent{{}, 7.0, Algorithm::none}));
  for (const char* items :
       {"1: 2; post curve(1)", "1: 2;", "1: 2; pre", "1: 2; post", "1: 2; post bezier",
        "1: 2; pre (1, 2, 3)", "1: 2; pre (1, ease)", "1: 2; pre 1", "1: 2; middle (1)", ": 2"}) {
    expect_refused({in_prim("double a.spline = { " + std::string(items) + " }")});
  }
}

}  // namespace
}  // namespace sinew::usda::spline_grammar_test
