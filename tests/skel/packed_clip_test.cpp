// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/packed_clip.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sinew::skel {
namespace {

using ::testing::HasSubstr;

/// A clip of one joint whose samples move along x.
Result<PackedClip> pack(const std::vector<double>& times) {
  std::vector<Vector3f> translations;
  for (std::size_t i = 0; i < times.size(); ++i) {
    translations.emplace_back(static_cast<float>(i), 0.0F, 0.0F);
  }
  const std::vector<Quatf> rotations(times.size(), Quatf::Identity());
  return PackedClip::pack(
      {.joint_count = 1, .times = times, .translations = translations, .rotations = rotations});
}

TEST(PackedClip, RejectsAClipWithoutSamples) {
  EXPECT_EQ(pack({}).error().code, ErrorCode::invalid_argument);
}

TEST(PackedClip, RejectsTimesThatDoNotAscend) {
  const Result<PackedClip> clip = pack({1, 2, 2});

  ASSERT_FALSE(clip);
  EXPECT_EQ(clip.error().code, ErrorCode::invalid_argument);
  EXPECT_THAT(clip.error().message, HasSubstr("times[2]"));
}

TEST(PackedClip, RejectsTimesThatAreNotFinite) {
  EXPECT_FALSE(pack({0, std::numeric_limits<double>::infinity()}));
  EXPECT_FALSE(pack({std::nan("")}));
}

TEST(PackedClip, NamesTheArrayOfTheWrongLength) {
  const std::array<double, 1> times = {0};
  const std::array<Vector3f, 2> translations = {};
  const std::array<Quatf, 1> rotations = {};

  const Result<PackedClip> clip = PackedClip::pack(
      {.joint_count = 2, .times = times, .translations = translations, .rotations = rotations});

  ASSERT_FALSE(clip);
  EXPECT_EQ(clip.error().code, ErrorCode::size_mismatch);
  EXPECT_THAT(clip.error().message, HasSubstr("rotations"));
}

void expect_bracket(const PackedClip& clip, double time, std::size_t lower, std::size_t upper,
                    float alpha) {
  const PackedClip::Bracket bracket = clip.bracket(time);
  EXPECT_EQ(bracket.lower, lower) << time;
  EXPECT_EQ(bracket.upper, upper) << time;
  EXPECT_FLOAT_EQ(static_cast<float>(bracket.alpha), alpha) << time;
}

// skel 4.4: the first value before the first sample, the last after the last, a sample on itself.
TEST(PackedClip, BracketsEvenlySpacedTimes) {
  const PackedClip clip = *pack({0, 1, 2, 3});

  expect_bracket(clip, -5, 0, 0, 0);
  expect_bracket(clip, 0, 0, 0, 0);
  expect_bracket(clip, 1, 1, 2, 0);
  expect_bracket(clip, 1.25, 1, 2, 0.25F);
  expect_bracket(clip, 3, 3, 3, 0);
  expect_bracket(clip, 9, 3, 3, 0);
  expect_bracket(clip, std::nan(""), 0, 0, 0);
}

TEST(PackedClip, BracketsUnevenTimes) {
  const PackedClip clip = *pack({0, 1, 10, 11});

  expect_bracket(clip, 0.5, 0, 1, 0.5F);
  expect_bracket(clip, 5.5, 1, 2, 0.5F);
  expect_bracket(clip, 10, 2, 3, 0);
  expect_bracket(clip, 10.75, 2, 3, 0.75F);
}

// Frame times such as k / 24 are even only up to rounding.
TEST(PackedClip, FindsEverySampleOfRoundedFrameTimes) {
  std::vector<double> times;
  for (int i = 0; i < 1000; ++i) times.push_back(100.0 + i / 24.0);
  const PackedClip clip = *pack(times);

  for (std::size_t i = 0; i + 1 < times.size(); ++i) {
    ASSERT_EQ(clip.bracket(times[i]).lower, i);
    ASSERT_EQ(clip.bracket(std::nextafter(times[i + 1], 0.0)).lower, i);
  }
}

TEST(PackedClip, KnowsWhetherThereAreScales) {
  const std::array<double, 1> times = {0};
  const std::array<Vector3f, 1> translations = {Vector3f::Zero()};
  const std::array<Quatf, 1> rotations = {Quatf::Identity()};
  std::array<Vector3f, 1> scales = {Vector3f::Ones()};
  PackedClipDesc desc = {.joint_count = 1,
                         .times = times,
                         .translations = translations,
                         .rotations = rotations,
                         .scales = scales};

  EXPECT_FALSE(PackedClip::pack(desc)->has_scales());
  scales[0].y() = 2;
  EXPECT_TRUE(PackedClip::pack(desc)->has_scales());
}

}  // namespace
}  // namespace sinew::skel
