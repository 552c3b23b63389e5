// SPDX-License-Identifier: Apache-2.0
// Curves: the formulas written out, and what repeats against knots that are copied one by one.
#include "sinew/layer/spline.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "sinew/usda/parser.hpp"

namespace sinew::layer::spline_test {
namespace {

using ::testing::ElementsAre;
using Interpolation = Spline::Interpolation;
using Extrapolation = Spline::Extrapolation;

constexpr double kNone = -12345.0;

/// The curve of an attribute that is written so.
Spline read_spline(const std::string& text) {
  Diagnostics diagnostics;
  const auto layer = usda::parse("#usda 1.3\ndef \"A\" {\n  double x.spline = {" + text + "}\n}\n",
                                 "a", diagnostics);
  if (!layer) {
    ADD_FAILURE() << layer.error().message;
    return {};
  }
  return *(*layer)->root().children[0]->properties[0].spline();
}

std::vector<double> values(const Spline& spline, std::initializer_list<double> times) {
  std::vector<double> result;
  for (const double time : times) result.push_back(evaluate(spline, time).value_or(kNone));
  return result;
}

TEST(Spline, HoldsAndGoesStraight) {
  const Spline spline = read_spline("1: 5; post held, 3: 7 & 8; post linear, 5: 2 & 12, 9: 4");
  EXPECT_THAT(values(spline, {0, 1, 2.9, 3, 3.5, 4, 5, 8.9, 9, 10}),
              ElementsAre(5, 5, 5, 8, 6.5, 5, 12, 12, 4, 4));
}

TEST(Spline, HasNoValueWhereItSaysSo) {
  const Spline spline = read_spline(
      "pre: none, post: none, 1: 5; post linear, 3: 7; post none, 5: 1; post held, 6: 2");
  EXPECT_THAT(values(spline, {0.9, 1, 2, 3, 4, 5, 5.5, 6, 7}),
              ElementsAre(kNone, 5, 6, kNone, kNone, 1, 1, kNone, kNone));
  EXPECT_EQ(evaluate(Spline(), 1.0), std::nullopt);
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(evaluate(spline, infinity), std::nullopt);
  EXPECT_EQ(evaluate(spline, std::nan("")), std::nullopt);
}

struct Ends {
  double before, behind;
};

Ends around(const std::string& text) {
  const std::vector<double> found = values(read_spline(text), {-2, 6});
  return {found[0], found[1]};
}

// Two time codes before the first knot and two behind the last.
TEST(Spline, GoesOnOutside) {
  const std::string straight = "0: 1; post linear, 4: 9";
  EXPECT_EQ(around(straight).before, 1);
  EXPECT_EQ(around("pre: linear, post: linear, " + straight).before, -3);
  EXPECT_EQ(around("pre: linear, post: linear, " + straight).behind, 13);
  EXPECT_EQ(around("pre: sloped(0.5), post: sloped(-1), " + straight).before, 0);
  EXPECT_EQ(around("pre: sloped(0.5), post: sloped(-1), " + straight).behind, 7);
  const std::string held = "pre: linear, post: linear, 0: 1; post held, 4: 9";
  EXPECT_EQ(around(held).before, 1);
  EXPECT_EQ(around(held).behind, 9);
  const std::string curve =
      "pre: linear, post: linear, 0: 1; post curve (1, 2), 4: 9; pre (1, 0.25)";
  EXPECT_EQ(around(curve).before, -3);
  EXPECT_EQ(around(curve).behind, 9.5);
  const std::string two = "pre: linear, post: linear, 0: 1 & 2; post linear, 4: 8 & 9";
  EXPECT_EQ(around(two).before, 1);
  EXPECT_EQ(around(two).behind, 9);
  EXPECT_EQ(around("pre: linear, post: linear, 0: 3").behind, 3);
  EXPECT_EQ(around("post: loop repeat, 0: 3").behind, 3);
}

TEST(Spline, FollowsBezierCurves) {
  const Spline spline = read_spline("2: 1; post curve (1.5, 2), 6: 3 & 9; pre (0.5, -4)");
  const double x[] = {2, 3.5, 5.5, 6};
  const double y[] = {1, 4, 5, 3};
  for (double t = 0.0; t < 1.0; t += 1.0 / 64) {
    const auto at = [&](const double* p) {
      const double s = 1 - t;
      return s * s * s * p[0] + 3 * s * s * t * p[1] + 3 * s * t * t * p[2] + t * t * t * p[3];
    };
    EXPECT_NEAR(evaluate(spline, at(x)).value_or(kNone), at(y), 1e-12) << t;
  }
  EXPECT_EQ(evaluate(spline, 6.0), 9.0);
}

TEST(Spline, FollowsHermiteCurves) {
  const Spline spline = read_spline("hermite, 2: 1; post curve (2), 6: 3; pre (-4)");
  for (double u = 0.0; u <= 1.0; u += 1.0 / 16) {
    const double expected = (2 * u * u * u - 3 * u * u + 1) * 1 + (u * u * u - 2 * u * u + u) * 8 +
                            (-2 * u * u * u + 3 * u * u) * 3 + (u * u * u - u * u) * -16;
    EXPECT_NEAR(evaluate(spline, 2 + 4 * u).value_or(kNone), expected, 1e-12) << u;
  }
}

// Tangents that reach too far are shortened until the curve stands still in time once.
TEST(Spline, NeverGoesBackInTime) {
  const Spline far = read_spline("0: 0; post curve (10, 0.5), 1: 1; pre (10, 3)");
  const Spline as_far_as_possible = read_spline("0: 0; post curve (1, 0.5), 1: 1; pre (1, 3)");
  const Spline one_side = read_spline("0: 0; post curve (3, 0.5), 1: 1");
  const Spline one_side_least = read_spline("0: 0; post curve (1, 0.5), 1: 1");
  const Spline reaches_not_too_far = read_spline("0: 0; post curve (1.2, 1), 1: 1; pre (0.3, 0)");
  for (double time = 0.0; time < 1.0; time += 1.0 / 32) {
    EXPECT_NEAR(*evaluate(far, time), *evaluate(as_far_as_possible, time), 1e-9) << time;
    EXPECT_NEAR(*evaluate(one_side, time), *evaluate(one_side_least, time), 1e-9) << time;
  }
  // Longer than the segment, and still ascending in time.
  const double t = 0.25;
  const double x = 3 * 0.75 * 0.75 * t * 1.2 + 3 * 0.75 * t * t * 0.7 + t * t * t;
  const double y = 3 * 0.75 * 0.75 * t * 1.2 + 3 * 0.75 * t * t * 1.0 + t * t * t;
  EXPECT_NEAR(*evaluate(reaches_not_too_far, x), y, 1e-9);
}

TEST(Spline, RepeatsOutside) {
  const std::string knots = "0: 1; post linear, 4: 9";
  const auto looped = [&](const char* how) {
    return read_spline(std::string("pre: loop ") + how + ", post: loop " + how + ", " + knots);
  };
  EXPECT_THAT(values(looped("repeat"), {-5, -4, -1, 0, 3, 4, 5, 9}),
              ElementsAre(-9, -7, -1, 1, 7, 9, 11, 19));
  EXPECT_THAT(values(looped("reset"), {-5, -4, -1, 0, 3, 4, 5, 9}),
              ElementsAre(7, 1, 7, 1, 7, 1, 3, 3));
  EXPECT_THAT(values(looped("oscillate"), {-5, -4, -1, 0, 3, 4, 5, 9}),
              ElementsAre(7, 9, 3, 1, 7, 9, 7, 3));
}

// What lies between the boundary and the end.
TEST(Spline, RepeatsAPartOutside) {
  const Spline spline = read_spline(
      "pre: loop reset(2), post: loop repeat(4), 0: 0; post linear, 2: 4; post linear, 4: 0; post "
      "linear, 6: 10");
  EXPECT_THAT(values(spline, {-2, -1, 0, 5, 6, 7, 8, 9}), ElementsAre(0, 2, 0, 5, 10, 15, 20, 25));
}

TEST(Spline, RepeatsAPrototypeInside) {
  // The knots at 1 and 4.5 lie where the prototype is repeated, and are hidden.
  const Spline spline = read_spline(
      "loop: (2, 4, 1, 1, 10), -1: 50; post linear, 1: 99; post linear, 2: 1; post linear, 3: 2; "
      "post linear, 4.5: 99, 8: 41");
  EXPECT_THAT(values(spline, {-1, -0.5, 0, 1, 2, 3, 3.5, 4, 5, 6, 7, 8}),
              ElementsAre(50, 20.5, -9, -8, 1, 2, 6.5, 11, 12, 21, 31, 41));
  for (const char* no_loop : {"(2, 2, 1, 1, 10)", "(2, 4, 0, 0, 10)", "(2.5, 4, 1, 1, 10)"}) {
    const Spline plain = read_spline(std::string("loop: ") + no_loop + ", 2: 1; post linear, 3: 2");
    EXPECT_THAT(values(plain, {0, 2.5, 4}), ElementsAre(1, 1.5, 2)) << no_loop;
  }
}

/// Any spline: knots at multiples of a quarter.
Spline random_spline(std::mt19937& random) {
  const auto pick = [&](unsigned count) { return static_cast<int>(random() % count); };
  const auto number = [&] { return 0.25 * (pick(41) - 20); };
  const auto tangent = [&] { return Spline::Tangent{.width = 0.25 * pick(12), .slope = number()}; };
  Spline spline;
  if (pick(3) == 0) spline.curve_type = Spline::CurveType::hermite;
  double time = number();
  for (int i = 1 + pick(6); i > 0; --i) {
    Spline::Knot& knot = spline.knots.emplace_back();
    knot.time = time;
    knot.value = number();
    if (pick(4) == 0) knot.pre_value = number();
    if (pick(5) > 0) knot.interpolation = static_cast<Interpolation>(1 + pick(3));
    if (pick(3) > 0) knot.pre_tangent = tangent();
    if (pick(3) > 0) knot.post_tangent = tangent();
    time += 0.25 * (1 + pick(12));
  }
  return spline;
}

void expect_same(const Spline& a, const Spline& b, double first, double last) {
  for (double time = first; time < last; time += 0.0625) {
    const double x = evaluate(a, time).value_or(kNone);
    EXPECT_NEAR(x, evaluate(b, time).value_or(kNone), 1e-9 * (1.0 + std::abs(x))) << time;
  }
}

Spline::Knot moved(Spline::Knot knot, double time, double value) {
  knot.time += time;
  knot.value += value;
  if (knot.pre_value) *knot.pre_value += value;
  return knot;
}

TEST(Spline, RepeatsInsideAsKnotsThatAreCopied) {
  std::mt19937 random(11);
  int compared = 0;
  for (int round = 0; round < 300; ++round) {
    Spline spline = random_spline(random);
    spline.pre.mode = spline.post.mode = Extrapolation::linear;
    Spline::InnerLoop loop;
    loop.prototype_start = spline.knots[random() % spline.knots.size()].time;
    loop.prototype_end = loop.prototype_start + 0.25 * (1 + static_cast<int>(random() % 30));
    loop.pre_loops = static_cast<double>(random() % 3);
    loop.post_loops = static_cast<double>(random() % 3);
    loop.value_offset = static_cast<double>(random() % 5) - 2.0;
    if (loop.pre_loops + loop.post_loops == 0.0) continue;
    Spline copied = spline;
    copied.knots.clear();
    const double span = loop.prototype_end - loop.prototype_start;
    const double begin = loop.prototype_start - loop.pre_loops * span;
    const double end = loop.prototype_end + loop.post_loops * span;
    for (const Spline::Knot& knot : spline.knots) {
      if (knot.time < begin || knot.time > end) copied.knots.push_back(knot);
      if (knot.time < loop.prototype_start || knot.time >= loop.prototype_end) continue;
      for (double i = -loop.pre_loops; i <= loop.post_loops; i += 1.0) {
        copied.knots.push_back(moved(knot, i * span, i * loop.value_offset));
      }
      if (knot.time != loop.prototype_start) continue;
      const double i = loop.post_loops + 1.0;
      copied.knots.push_back(moved(knot, i * span, i * loop.value_offset));
    }
    std::sort(copied.knots.begin(), copied.knots.end(),
              [](const auto& a, const auto& b) { return a.time < b.time; });
    spline.loop = loop;
    expect_same(spline, copied, begin - 3.0, end + 3.0);
    ++compared;
    if (::testing::Test::HasFailure()) FAIL() << round;
  }
  EXPECT_GT(compared, 200);
}

TEST(Spline, RepeatsOutsideAsKnotsThatAreCopied) {
  std::mt19937 random(12);
  for (int round = 0; round < 300; ++round) {
    Spline spline = random_spline(random);
    if (spline.knots.size() < 2) continue;
    const bool repeats = random() % 2 == 0;
    spline.pre.mode = spline.post.mode =
        repeats ? Extrapolation::loop_repeat : Extrapolation::loop_reset;
    const Spline::Knot& first = spline.knots.front();
    const Spline::Knot& last = spline.knots.back();
    const double span = last.time - first.time;
    const double step = repeats ? last.value - first.pre_value.value_or(first.value) : 0.0;
    Spline copied;
    copied.curve_type = spline.curve_type;
    for (int i = -3; i <= 3; ++i) {
      for (std::size_t k = 0; k + 1 < spline.knots.size(); ++k) {
        copied.knots.push_back(moved(spline.knots[k], i * span, i * step));
      }
      // Where one ends the next begins.
      if (i < 3) continue;
      copied.knots.push_back(moved(last, i * span, i * step));
    }
    for (int i = -2; i <= 3; ++i) {
      const auto joint = static_cast<std::size_t>(i + 3) * (spline.knots.size() - 1);
      Spline::Knot& knot = copied.knots[joint];
      knot.pre_tangent = last.pre_tangent;
      knot.pre_value = last.pre_value.value_or(last.value) + (i - 1) * step;
    }
    expect_same(spline, copied, first.time - 3 * span, last.time + 3 * span - 0.01);
    if (::testing::Test::HasFailure()) FAIL() << round;
  }
}

TEST(Spline, GoesBackTheWayItCame) {
  std::mt19937 random(13);
  for (int round = 0; round < 200; ++round) {
    Spline spline = random_spline(random);
    if (spline.knots.size() < 2) continue;
    spline.pre.mode = spline.post.mode = Extrapolation::loop_oscillate;
    const double first = spline.knots.front().time;
    const double last = spline.knots.back().time;
    // Off the knots, where left and right differ.
    for (double way = 0.03125; way < last - first; way += 0.0625) {
      const double back = *evaluate(spline, last - way);
      EXPECT_NEAR(*evaluate(spline, last + way), back, 1e-9 * (1 + std::abs(back)));
      const double forth = *evaluate(spline, first + way);
      EXPECT_NEAR(*evaluate(spline, first - way), forth, 1e-9 * (1 + std::abs(forth)));
    }
    if (::testing::Test::HasFailure()) FAIL() << round;
  }
}

TEST(Spline, TakesAnyNumbers) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double odd[] = {0.0,   -0.0,  1.0,    -1.0,     1e-320,    1e16,
                        -1e16, 1e308, -1e308, infinity, -infinity, std::nan("")};
  std::mt19937 random(14);
  const auto pick = [&] { return odd[random() % std::size(odd)]; };
  for (int round = 0; round < 20'000; ++round) {
    Spline spline = random_spline(random);
    for (Spline::Knot& knot : spline.knots) {
      if (random() % 4 == 0) knot.time = pick();
      if (random() % 4 == 0) knot.value = pick();
      if (random() % 4 == 0 && knot.post_tangent) knot.post_tangent->width = pick();
    }
    spline.pre = {static_cast<Extrapolation>(random() % 8), pick()};
    spline.post = {static_cast<Extrapolation>(random() % 8), pick()};
    if (random() % 2 == 0) {
      spline.loop = {spline.knots[0].time, pick(), std::abs(pick()), std::abs(pick()), pick()};
    }
    for (const double time : {0.5, pick(), pick()}) {
      EXPECT_TRUE(std::isfinite(evaluate(spline, time).value_or(0.0)));
    }
    EXPECT_LE(sample_times(spline).size(), 100'010U);
  }
}

TEST(Spline, TellsTimesToSampleItAt) {
  EXPECT_THAT(sample_times(read_spline("0.5: 1, 3: 2")), ElementsAre(0.5, 1, 2, 3));
  EXPECT_THAT(sample_times(read_spline("loop: (1, 2.5, 0, 1, 0), 1: 1, 2: 2")),
              ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(sample_times(read_spline("0: 1, 1e9: 2")), ElementsAre(0, 1e9));
  EXPECT_THAT(sample_times(Spline()), ElementsAre());
  EXPECT_TRUE(might_vary(read_spline("0: 1, 1: 1")));
  EXPECT_TRUE(might_vary(read_spline("pre: none, 0: 1")));
  EXPECT_TRUE(might_vary(read_spline("post: sloped(1), 0: 1")));
  EXPECT_FALSE(might_vary(read_spline("post: linear, 0: 1")));
}

// Of knots with two values a line ends at the left one and begins at the right one.
TEST(Spline, GoesOnAlongLinesThatEndAtTheLeftValueOfAKnot) {
  EXPECT_EQ(around("pre: linear, 0: 1; post linear, 4: 9 & 20").before, -3);
  EXPECT_EQ(around("post: linear, 0: 1; post linear, 2: 5 & 7; post linear, 4: 9").behind, 11);
}

TEST(Spline, IsALineWhereTangentsHaveNoWidth) {
  const Spline none = read_spline("0: 0; post curve (2), 4: 8; pre (3)");
  const Spline zero = read_spline("0: 0; post curve (0, 2), 4: 8; pre (0, 3)");
  for (const double time : {0.5, 1.0, 3.0}) {
    // Both coordinates are 3 t^2 - 2 t^3, so that the curve is a line.
    EXPECT_NEAR(evaluate(none, time).value_or(kNone), 2 * time, 1e-9) << time;
    EXPECT_NEAR(evaluate(zero, time).value_or(kNone), 2 * time, 1e-9) << time;
  }
}

TEST(Spline, RepeatsWholeTimesOnly) {
  Spline spline = read_spline("1: 1; post linear, 3: 5; post linear, 4: 7");
  spline.loop = {1.0, 3.0, 1.75, 1.75, 10.0};
  const std::vector<double> rounded = values(spline, {-2, -1, 0, 1, 2, 3, 4, 5, 6});
  // One repetition on each side: from -1 to 1 and from 3 to 5.
  EXPECT_THAT(rounded, ElementsAre(-9, -9, -4, 1, 6, 11, 16, 21, 21));
  spline.loop->pre_loops = -3.0;  // None is less than none.
  EXPECT_THAT(values(spline, {-2, 0, 1, 3, 5}), ElementsAre(1, 1, 1, 11, 21));
}

TEST(Spline, IsSampledFromWhereItsRepetitionsBegin) {
  EXPECT_THAT(sample_times(read_spline("loop: (1, 2.5, 1, 0, 0), 1: 1, 2: 2")),
              ElementsAre(-0.5, 0, 1, 2, 2.5));
}

TEST(Spline, IsSampledAtItsKnotsAloneWhereItIsLong) {
  EXPECT_THAT(sample_times(read_spline("0: 1, 100000: 2")), ElementsAre(0, 100'000));
  EXPECT_EQ(sample_times(read_spline("0: 1, 99999: 2")).size(), 100'000u);
}

}  // namespace
}  // namespace sinew::layer::spline_test
