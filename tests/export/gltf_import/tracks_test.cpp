// SPDX-License-Identifier: Apache-2.0
#include "export/gltf_import/tracks.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>
#include <vector>

namespace sinew::exporter::gltf_import::tracks_test {
namespace {

Floats floats(std::vector<float> values, std::size_t width) {
  return {std::make_shared<const std::vector<float>>(std::move(values)), width, nullptr};
}

Channel channel(ChannelPath path, Interpolation interpolation, std::vector<float> times,
                std::vector<float> values) {
  Channel result;
  result.path = path;
  result.interpolation = interpolation;
  result.width = path == ChannelPath::rotation ? 4 : 3;
  result.times = floats(std::move(times), 1);
  result.values = floats(std::move(values), result.width);
  return result;
}

Budget plenty() {
  return Budget(Limits(), 0);
}

std::array<float, 3> at(const Track& track, double seconds) {
  std::array<float, 3> out{};
  track.at(seconds, out);
  return out;
}

TEST(Track, HoldsStepsUntilTheFloatBeforeTheNextKey) {
  Budget budget = plenty();
  const Track track = make_track(channel(ChannelPath::translation, Interpolation::step, {0, 1, 2},
                                         {0, 0, 0, 1, 0, 0, 5, 0, 0}),
                                 1e-4, budget);
  ASSERT_EQ(track.times.size(), 5U);
  EXPECT_EQ(static_cast<float>(track.times[1]), std::nextafter(1.0F, 0.0F));
  EXPECT_EQ(at(track, 0.9999999)[0], 0.0F);
  EXPECT_EQ(at(track, 1.0)[0], 1.0F);
  EXPECT_EQ(at(track, 1.9)[0], 1.0F);
  EXPECT_EQ(at(track, 7.0)[0], 5.0F);
  EXPECT_EQ(at(track, -1.0)[0], 0.0F);
}

TEST(Track, HoldsNothingBetweenStepsAtNeighbouringFloats) {
  Budget budget = plenty();
  const float next = std::nextafter(1.0F, 2.0F);
  const Track track = make_track(channel(ChannelPath::translation, Interpolation::step,
                                         {1.0F, next, 3.0F}, {1, 2, 3, 4, 5, 6, 7, 8, 9}),
                                 1e-4, budget);
  const float last = std::nextafter(3.0F, 0.0F);
  EXPECT_EQ(track.times,
            (std::vector<double>{1.0, static_cast<double>(next), static_cast<double>(last), 3.0}));
  EXPECT_EQ(track.values, (std::vector<float>{1, 2, 3, 4, 5, 6, 4, 5, 6, 7, 8, 9}));
}

TEST(Track, MakesNoKeysOfAStraightSpline) {
  Budget budget = plenty();
  // Tangents that run along the line between the keys.
  const Track track =
      make_track(channel(ChannelPath::translation, Interpolation::cubic_spline, {0, 2},
                         {0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 2, 0, 0, 0, 0, 0}),
                 1e-4, budget);
  EXPECT_EQ(track.times, (std::vector<double>{0, 2}));
  EXPECT_FLOAT_EQ(at(track, 0.5)[0], 0.5F);
}

// Tangents of `bump` and its opposite at equal keys lift the curve by a quarter of it in the
// middle. What is tolerated is half of a tenth of the range; of the largest value if there is none.
TEST(Track, ToleratesAShareOfTheRange) {
  struct Case {
    float from, to;  // Of x; y is always `beside`.
    float beside;
    float tolerated;
  };
  for (const Case& one :
       {Case{0, 8, 0, 0.4F}, Case{0, -8, 0, 0.4F}, Case{0, 8, 100, 0.4F}, Case{4, 4, 0, 0.2F},
        Case{-4, -4, 0, 0.2F}, Case{4, 4, -8, 0.4F}, Case{0, 0, 0, 0.05F}}) {
    for (const float share : {0.9F, 1.1F}) {
      const float slope = one.to - one.from;
      const float bump = 4.0F * share * one.tolerated;
      const float y = one.beside;
      Budget budget = plenty();
      const Track track =
          make_track(channel(ChannelPath::translation, Interpolation::cubic_spline, {0, 1},
                             {0, 0, 0, one.from, y, 0, slope + bump, 0, 0, slope - bump, 0, 0,
                              one.to, y, 0, 0, 0, 0}),
                     0.1, budget);
      const std::vector<double> expected =
          share < 1.0F ? std::vector<double>{0, 1} : std::vector<double>{0, 0.5, 1};
      EXPECT_EQ(track.times, expected) << one.from << " " << one.to << " " << y;
      const float middle = 0.5F * (one.from + one.to) + (share < 1.0F ? 0.0F : bump / 4.0F);
      EXPECT_NEAR(at(track, 0.5)[0], middle, 1e-5F);
    }
  }
}

// (t - 2)^2 bends alike everywhere, more than this tolerance in every 256th of its two seconds.
TEST(Track, HalvesASplineEightTimesAtMost) {
  Budget budget = plenty();
  const Track track =
      make_track(channel(ChannelPath::translation, Interpolation::cubic_spline, {2, 4},
                         {0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 4, 0, 0, 0, 0, 0}),
                 1e-9, budget);
  ASSERT_EQ(track.times.size(), 257U);
  for (std::size_t i = 0; i < track.times.size(); ++i) {
    const double seconds = static_cast<double>(i) / 128.0;
    ASSERT_EQ(track.times[i], 2.0 + seconds);
    ASSERT_EQ(track.values[3 * i], static_cast<float>(seconds * seconds));
  }
}

TEST(Track, BringsTurnsToLengthOneAndTakesZerosForNone) {
  for (const auto how : {Interpolation::linear, Interpolation::step}) {
    Budget budget = plenty();
    const Track track = make_track(
        channel(ChannelPath::rotation, how, {0, 1}, {0, 3, 0, 4, 0, 0, 0, 0}), 1e-4, budget);
    const std::vector<float> first = {0, 0.6F, 0, 0.8F};
    ASSERT_EQ(track.values.size(), 4 * track.times.size());
    EXPECT_EQ(std::vector<float>(track.values.begin(), track.values.begin() + 4), first);
    EXPECT_EQ(std::vector<float>(track.values.end() - 4, track.values.end()),
              (std::vector<float>{0, 0, 0, 1}));
  }
}

// Tangents of `bump` and its opposite lift x by a quarter of it, which turns by half of it.
TEST(Track, ToleratesAnglesOfSplinesInRadians) {
  const auto keys = [](float bump, double tolerance) {
    Budget budget = plenty();
    return make_track(channel(ChannelPath::rotation, Interpolation::cubic_spline, {0, 1},
                              {0,     0, 0, 0, 0, 0, 0, 1, bump, 0, 0, 0,  //
                               -bump, 0, 0, 0, 0, 0, 0, 1, 0,    0, 0, 0}),
                      tolerance, budget)
        .times;
  };
  // Half of the tolerance counts: 0.01.
  EXPECT_EQ(keys(0.018F, 0.02), (std::vector<double>{0, 1}));
  EXPECT_EQ(keys(0.022F, 0.02), (std::vector<double>{0, 0.5, 1}));
}

TEST(Track, TakesHostileTangents) {
  Budget budget = plenty();
  const float most = 3e38F;
  const Track track =
      make_track(channel(ChannelPath::rotation, Interpolation::cubic_spline, {0, 1},
                         {most, most,  most, most, 0, 0, 0, 1, most, most, -most, most,
                          most, -most, most, most, 0, 0, 0, 0, most, most, most,  most}),
                 1e-4, budget);
  EXPECT_LE(track.times.size(), 257U);
  for (const float value : track.values) EXPECT_LE(std::abs(value), 1.001F);
}

TEST(Track, IsEmptyWhereTheBudgetDoesNotReach) {
  Limits limits;
  limits.decoded_bytes = 10;
  Budget budget(limits, 0);
  EXPECT_TRUE(make_track(channel(ChannelPath::translation, Interpolation::linear, {0, 1},
                                 {0, 0, 0, 1, 0, 0}),
                         1e-4, budget)
                  .times.empty());
  EXPECT_TRUE(budget.is_spent());
}

TEST(CommonTimes, AreThoseOfAllTracksUntilThereAreTooMany) {
  Track a;
  a.times = {0, 1, 2};
  Track b;
  b.times = {0.5, 1, 3};
  const Track* tracks[] = {&a, &b};
  bool is_resampled = false;
  EXPECT_EQ(common_times(tracks, 5, is_resampled), (std::vector<double>{0, 0.5, 1, 2, 3}));
  EXPECT_FALSE(is_resampled);
  EXPECT_EQ(common_times(tracks, 4, is_resampled), (std::vector<double>{0, 1, 2, 3}));
  EXPECT_TRUE(is_resampled);
}

}  // namespace
}  // namespace sinew::exporter::gltf_import::tracks_test
