// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/playback.hpp"

#include <array>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace sinew::skel::playback_test {
namespace {

const std::array<double, 3> kTimes = {10, 15, 20};

TEST(Playback, LoopsTheWholeClip) {
  const Playback playback = Playback::of(kTimes);
  EXPECT_EQ(playback.clip_time(0), 10);
  EXPECT_EQ(playback.clip_time(3), 13);
  EXPECT_EQ(playback.clip_time(12), 12);
  EXPECT_EQ(playback.clip_time(-1), 19);
}

TEST(Playback, StaysAtTheEnds) {
  const Playback playback = Playback::of(kTimes, PlaybackEnd::clamp);
  EXPECT_EQ(playback.clip_time(-1), 10);
  EXPECT_EQ(playback.clip_time(4), 14);
  EXPECT_EQ(playback.clip_time(100), 20);
}

TEST(Playback, RunsFasterBackwardsAndFromElsewhere) {
  Playback playback = Playback::of(kTimes);
  playback.speed = 24.0;
  EXPECT_EQ(playback.clip_time(0.25), 16);
  playback.speed = -2.0;
  playback.offset = 9.0;
  EXPECT_EQ(playback.clip_time(0), 19);
  EXPECT_EQ(playback.clip_time(4), 11);
  EXPECT_EQ(playback.clip_time(5), 19);
}

TEST(Playback, StaysWhereThereIsNothingToPlay) {
  EXPECT_EQ(Playback::of({}).clip_time(7), 0);
  EXPECT_EQ(Playback::of(std::span(kTimes).first(1)).clip_time(7), 10);
  EXPECT_EQ(Playback::of(kTimes).clip_time(std::nan("")), 10);
  EXPECT_EQ(Playback::of(kTimes).clip_time(std::numeric_limits<double>::infinity()), 10);
}

// However large the time: never outside the clip.
TEST(Playback, StaysWithinTheClip) {
  Playback playback = Playback::of(kTimes);
  for (double time = 0.1; time < 1e18; time *= -7.3) {
    EXPECT_GE(playback.clip_time(time), 10) << time;
    EXPECT_LE(playback.clip_time(time), 20) << time;
    if (std::abs(time) > 1e17) break;
  }
}

TEST(Playback, StartsWhereTheTimesAreNoNumbers) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const PlaybackEnd end : {PlaybackEnd::loop, PlaybackEnd::clamp}) {
    for (const double last : {infinity, 10.0, 9.0, std::nan("")}) {
      Playback playback = Playback::of(kTimes, end);
      playback.last_time = last;
      EXPECT_EQ(playback.clip_time(5), 10) << last;
    }
    Playback lost = Playback::of(kTimes, end);
    lost.offset = -infinity;
    EXPECT_EQ(lost.clip_time(5), 10);
  }
}

}  // namespace
}  // namespace sinew::skel::playback_test
