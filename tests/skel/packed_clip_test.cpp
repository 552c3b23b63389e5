// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/packed_clip.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/skel/crowd.hpp"

namespace sinew::skel::packed_clip_test {
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
                    double alpha) {
  const PackedClip::Bracket bracket = clip.bracket(time);
  EXPECT_EQ(bracket.lower, lower) << time;
  EXPECT_EQ(bracket.upper, upper) << time;
  EXPECT_DOUBLE_EQ(bracket.alpha, alpha) << time;
}

// skel 4.4: the first value before the first sample, the last after the last, a sample on itself.
TEST(PackedClip, BracketsEvenlySpacedTimes) {
  const PackedClip clip = *pack({0, 1, 2, 3});

  expect_bracket(clip, -5, 0, 0, 0);
  expect_bracket(clip, 0, 0, 0, 0);
  expect_bracket(clip, 1, 1, 2, 0);
  expect_bracket(clip, 1.25, 1, 2, 0.25);
  expect_bracket(clip, 3, 3, 3, 0);
  expect_bracket(clip, 9, 3, 3, 0);
  expect_bracket(clip, std::nan(""), 0, 0, 0);
}

TEST(PackedClip, BracketsUnevenTimes) {
  const PackedClip clip = *pack({0, 1, 10, 11});

  expect_bracket(clip, 0.5, 0, 1, 0.5);
  expect_bracket(clip, 5.5, 1, 2, 0.5);
  expect_bracket(clip, 10, 2, 3, 0);
  expect_bracket(clip, 10.75, 2, 3, 0.75);
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

// Joints without a parent, each with a scale of its own: what a kernel makes of the scales is in
// the diagonals.
std::vector<Vector3f> sampled_scales(const PackedClip& clip, double time, SimdLevel level) {
  const std::size_t n = clip.joint_count();
  const std::vector<std::int32_t> parents(n, -1);
  const std::vector<Matrix4d> bind(n, Matrix4d::Identity());
  const PackedSkeleton skeleton =
      *PackedSkeleton::pack({.parents = parents, .joint_from_bind = bind, .level = level});
  std::vector<Affine34f> places(n), in_crowd(n);
  PoseAgentJob job = {.skeleton = &skeleton, .agent = {&clip, time}};
  job.skel_from_joint = places;
  EXPECT_TRUE(job.run());
  const PoseCrowdJob crowd = {
      .skeleton = &skeleton, .agents = std::span(&job.agent, 1), .skel_from_joint = in_crowd};
  EXPECT_TRUE(crowd.run());
  std::vector<Vector3f> scales;
  for (std::size_t j = 0; j < n; ++j) {
    const Affine34f& m = places[j];
    scales.emplace_back(m.m[0], m.m[5], m.m[10]);
    const Affine34f& same = in_crowd[j];
    EXPECT_EQ(scales.back(), Vector3f(same.m[0], same.m[5], same.m[10])) << j;
  }
  return scales;
}

// Pairs of halves of all sizes, and what USD makes of them in between.
TEST(PackedClip, RoundsHalvesBetweenSamplesAsUsdDoes) {
  std::vector<Vector3f> scales;
  std::mt19937 engine(3);
  const std::size_t joints = 1000;
  for (std::size_t i = 0; i < 2 * joints; ++i) {
    Vector3f scale;
    for (int k = 0; k < 3; ++k) {
      auto bits = static_cast<std::uint16_t>(engine());
      // As they come, or around 1.
      if (i % 2 == 0) bits = static_cast<std::uint16_t>(0x3800 + bits % 0x800);
      const auto half = Eigen::numext::bit_cast<Half>(bits);
      scale[k] = Eigen::numext::isfinite(half) ? static_cast<float>(half) : 65504.0F;
    }
    scales.push_back(scale);
  }
  const std::array<double, 2> times = {0, 1};
  const std::vector<Vector3f> translations(2 * joints, Vector3f::Zero());
  const std::vector<Quatf> rotations(2 * joints, Quatf::Identity());
  const std::vector<std::uint8_t> halves(joints, 1);
  const PackedClip clip = *PackedClip::pack({.joint_count = joints,
                                             .times = times,
                                             .translations = translations,
                                             .rotations = rotations,
                                             .scales = scales,
                                             .half_scales = halves});
  for (const SimdLevel level : supported_simd_levels()) {
    for (const double alpha : {0.0, 1.0 / 3, 0.3, 0.5, 0.8125, 0.999, 1.0}) {
      const std::vector<Vector3f> actual = sampled_scales(clip, alpha, level);
      for (std::size_t j = 0; j < joints; ++j) {
        for (int k = 0; k < 3; ++k) {
          const Half a(scales[j][k] * static_cast<float>(1.0 - alpha));
          const Half b(scales[joints + j][k] * static_cast<float>(alpha));
          ASSERT_EQ(actual[j][k], static_cast<float>(a + b))
              << to_string(level) << ", joint " << j << " at " << alpha;
        }
      }
    }
  }
}

// Half a turn apart, either way is as short: the last bit of the product decides, summed up as USD
// does, whatever the kernel makes of it.
TEST(PackedClip, TurnsTheWayThatUsdDoes) {
  const std::array<double, 3> times = {0, 1, 2};
  std::mt19937 engine(5);
  std::vector<Quatf> rotations;
  const std::size_t joints = 200;
  for (std::size_t i = 0; i < joints; ++i) {
    const double angle = static_cast<double>(engine()) * 0x1p-31;
    rotations.emplace_back(static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle)),
                           0.0F, 0.0F);
  }
  for (std::size_t i = 0; i < 2 * joints; ++i) {
    const Quatf& q = rotations[i];
    rotations.emplace_back(-q.x(), q.w(), 0.0F, 0.0F);
  }
  const std::vector<Vector3f> translations(3 * joints, Vector3f::Zero());
  const PackedClip clip = *PackedClip::pack({.joint_count = joints,
                                             .times = times,
                                             .translations = translations,
                                             .rotations = rotations});
  for (const SimdLevel level : supported_simd_levels()) {
    for (const std::size_t lower : {std::size_t{0}, joints}) {
      const std::vector<Vector3f> diagonals = sampled_scales(clip, lower == 0 ? 0.5 : 1.5, level);
      for (std::size_t j = 0; j < joints; ++j) {
        const Quatf& a = rotations[lower + j];
        const Quatf& b = rotations[lower + joints + j];
        const float dot = a.x() * b.x() + a.w() * b.w();
        const float x = (a.x() + (dot < 0.0F ? -b.x() : b.x())) * std::sqrt(0.5F);
        EXPECT_NEAR(diagonals[j].y(), 1.0F - 2.0F * x * x, 1e-5F)
            << to_string(level) << ", joint " << j;
      }
    }
  }
}

TEST(PackedClip, RoundsNoScaleThatIsNotToBeRounded) {
  const std::array<double, 2> times = {0, 1};
  const std::vector<Vector3f> translations(4, Vector3f::Zero());
  const std::vector<Quatf> rotations(4, Quatf::Identity());
  // The second joint is not marked, and 1.1 is no half.
  const std::vector<Vector3f> scales = {
      {1.5F, 1.1F, 1.0F}, {1.5F, 1.25F, 1.0F}, {2.5F, 1.1F, 1.0F}, {1.5F, 1.25F, 1.0F}};
  const std::vector<std::uint8_t> halves = {1, 0};
  const PackedClip clip = *PackedClip::pack({.joint_count = 2,
                                             .times = times,
                                             .translations = translations,
                                             .rotations = rotations,
                                             .scales = scales,
                                             .half_scales = halves});
  for (const SimdLevel level : supported_simd_levels()) {
    const std::vector<Vector3f> actual = sampled_scales(clip, 0.3, level);
    EXPECT_NEAR(actual[0].x(), 1.8F, 1e-6F);
    EXPECT_NEAR(actual[0].y(), 1.1F, 1e-6F);
    EXPECT_NEAR(actual[1].x(), 1.5F, 1e-6F);
    EXPECT_NEAR(actual[1].y(), 1.25F, 1e-6F);
  }
}

TEST(PackedClip, SamplesScalesAtTimesOfTheirOwn) {
  const std::array<double, 1> times = {0};
  const std::array<double, 3> scale_times = {0, 2, 4};
  const std::array<std::uint8_t, 3> scale_held = {0, 1, 0};
  const std::array<Vector3f, 1> translations = {Vector3f::Zero()};
  const std::array<Quatf, 1> rotations = {Quatf::Identity()};
  const std::array<Vector3f, 3> scales = {Vector3f::Constant(1), Vector3f::Constant(3),
                                          Vector3f::Constant(5)};
  const PackedClip clip = *PackedClip::pack({.joint_count = 1,
                                             .times = times,
                                             .translations = translations,
                                             .rotations = rotations,
                                             .scales = scales,
                                             .scale_times = scale_times,
                                             .scale_held = scale_held});
  for (const SimdLevel level : supported_simd_levels()) {
    EXPECT_EQ(sampled_scales(clip, 1, level)[0].x(), 2.0F);
    EXPECT_EQ(sampled_scales(clip, 3, level)[0].x(), 3.0F);
    EXPECT_EQ(sampled_scales(clip, 9, level)[0].x(), 5.0F);
  }
}

TEST(PackedClip, NamesScaleTimesAndFlagsOfTheWrongLength) {
  const std::array<double, 2> times = {0, 1};
  const std::vector<Vector3f> values(2, Vector3f::Ones());
  const std::vector<Quatf> rotations(2, Quatf::Identity());
  const std::array<std::uint8_t, 3> flags = {};
  PackedClipDesc desc = {
      .joint_count = 1, .times = times, .translations = values, .rotations = rotations};
  desc.held = flags;
  EXPECT_THAT(PackedClip::pack(desc).error().message, HasSubstr("held"));
  desc.held = {};
  desc.half_scales = flags;
  EXPECT_THAT(PackedClip::pack(desc).error().message, HasSubstr("half_scales"));
  desc.half_scales = {};
  desc.scales = values;
  desc.scale_times = std::span(times).first(1);
  EXPECT_THAT(PackedClip::pack(desc).error().message, HasSubstr("scales"));
  const std::array<double, 2> falling = {1, 0};
  desc.scale_times = falling;
  EXPECT_EQ(PackedClip::pack(desc).error().code, ErrorCode::invalid_argument);
  desc.scale_times = times;
  EXPECT_TRUE(PackedClip::pack(desc));
  desc.scale_held = flags;
  EXPECT_EQ(PackedClip::pack(desc).error().code, ErrorCode::size_mismatch);
}

// Times that are even but for what no number tells apart, and those farther apart than any number.
TEST(SampleTimes, AreFoundHoweverCloseOrFarApart) {
  constexpr double kTiny = std::numeric_limits<double>::denorm_min();
  constexpr double kHuge = std::numeric_limits<double>::max();
  const std::array<double, 3> close = {0, kTiny, 2 * kTiny};
  EXPECT_EQ(SampleTimes::make(close)->bracket(kTiny).lower, 1U);
  const std::array<double, 3> far = {-kHuge, 0, kHuge};
  const SampleTimes samples = *SampleTimes::make(far);
  EXPECT_EQ(samples.bracket(-1.0).lower, 0U);
  EXPECT_EQ(samples.bracket(1.0).lower, 1U);
  EXPECT_EQ(samples.bracket(kHuge / 2).alpha, 0.5);
  EXPECT_EQ(samples.bracket(kHuge).lower, 2U);
}

TEST(SampleTimes, HoldASampleUntilTheNext) {
  const std::array<double, 3> times = {0, 1, 2};
  const std::array<std::uint8_t, 3> held = {1, 0, 0};
  const SampleTimes samples = *SampleTimes::make(times, held);

  EXPECT_EQ(samples.bracket(0.5).upper, 0U);
  EXPECT_EQ(samples.bracket(0.5).alpha, 0.0);
  EXPECT_EQ(samples.bracket(1.5).upper, 2U);
}

// Whatever was asked before.
TEST(SampleTimes, AnswerTheSameWithAnyHint) {
  const std::array<double, 6> times = {0, 1, 1.5, 4, 9, 10};
  const SampleTimes samples = *SampleTimes::make(times);
  for (std::size_t hint = 0; hint < 9; ++hint) {
    for (double time = -1; time < 11; time += 0.25) {
      std::size_t cursor = hint;
      const SampleTimes::Bracket expected = samples.bracket(time);
      const SampleTimes::Bracket actual = samples.bracket(time, cursor);
      EXPECT_EQ(actual.lower, expected.lower) << hint << ' ' << time;
      EXPECT_EQ(actual.upper, expected.upper) << hint << ' ' << time;
      EXPECT_EQ(actual.alpha, expected.alpha) << hint << ' ' << time;
      EXPECT_EQ(cursor, expected.lower);
    }
  }
}

TEST(SampleTimes, AreOneIfLessThanAMillionthApart) {
  const std::array<double, 3> times = {0, 0.5e-6, 4.5e-6};
  const SampleTimes samples = *SampleTimes::make(times);
  const SampleTimes::Bracket same = samples.bracket(0.25e-6);
  EXPECT_EQ(same.lower, 0U);
  EXPECT_EQ(same.upper, 0U);
  EXPECT_EQ(same.alpha, 0.0);
  const SampleTimes::Bracket between = samples.bracket(2.5e-6);
  EXPECT_EQ(between.lower, 1U);
  EXPECT_EQ(between.upper, 2U);
  EXPECT_NEAR(between.alpha, 0.5, 1e-9);
}

}  // namespace
}  // namespace sinew::skel::packed_clip_test
