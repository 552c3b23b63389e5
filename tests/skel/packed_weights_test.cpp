// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/packed_weights.hpp"

#include <array>
#include <limits>
#include <span>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sinew::skel::packed_weights_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::array<double, 3> kTimes = {0, 1, 2};
const std::array<float, 6> kWeights = {0, 1, 1, 0, 3, 4};

TEST(PackedWeights, InterpolatesBetweenRows) {
  const PackedWeights weights =
      *PackedWeights::pack({.width = 2, .times = kTimes, .weights = kWeights});
  std::vector<float> row(2);

  EXPECT_EQ(weights.sample(0.25, row), 2U);
  EXPECT_THAT(row, ElementsAre(0.25F, 0.75F));
  std::size_t hint = 0;
  EXPECT_EQ(weights.sample(1.5, hint, row), 2U);
  EXPECT_THAT(row, ElementsAre(2.0F, 2.0F));
  EXPECT_EQ(hint, 1U);
  EXPECT_EQ(weights.sample(7, row), 2U);
  EXPECT_THAT(row, ElementsAre(3.0F, 4.0F));
}

TEST(PackedWeights, HoldsRowsOfOtherLengthsAndKnowsWhereThereAreNone) {
  const std::array<std::int32_t, 3> counts = {2, 1, -1};
  const PackedWeights weights =
      *PackedWeights::pack({.width = 2, .times = kTimes, .weights = kWeights, .counts = counts});
  std::vector<float> row(2);

  EXPECT_EQ(weights.sample(0.5, row), 2U);
  EXPECT_THAT(row, ElementsAre(0.0F, 1.0F));
  EXPECT_EQ(weights.sample(1.5, row), 1U);
  EXPECT_EQ(row[0], 1.0F);
  EXPECT_EQ(weights.sample(2.0, row), std::nullopt);
  EXPECT_FALSE(weights.row(2));
}

TEST(PackedWeights, NamesWhatDoesNotFit) {
  const auto error = [](const PackedWeightsDesc& desc) {
    return PackedWeights::pack(desc).error();
  };
  EXPECT_THAT(error({.width = 4, .times = kTimes, .weights = kWeights}).message,
              HasSubstr("weights"));
  const std::array<std::int32_t, 2> two = {};
  EXPECT_THAT(error({.width = 2, .times = kTimes, .weights = kWeights, .counts = two}).message,
              HasSubstr("counts"));
  const std::array<std::int32_t, 3> large = {2, 3, 2};
  const Error counts = error({.width = 2, .times = kTimes, .weights = kWeights, .counts = large});
  EXPECT_EQ(counts.code, ErrorCode::index_out_of_range);
  EXPECT_EQ(counts.message, "Row 1 counts 3 weights, but has 2.");
  EXPECT_EQ(error({}).code, ErrorCode::invalid_argument);
}

TEST(PackedWeights, GiveNothingWithoutSamples) {
  EXPECT_EQ(PackedWeights().sample(0, std::span<float>()), std::nullopt);
  std::size_t hint = 0;
  EXPECT_EQ(PackedWeights().sample(0, hint, std::span<float>()), std::nullopt);
}

TEST(PackedWeights, NeedsAWholeRowPerSample) {
  const auto fits = [](std::size_t width, std::size_t count) {
    return static_cast<bool>(PackedWeights::pack(
        {.width = width, .times = kTimes, .weights = std::span(kWeights).first(count)}));
  };
  const std::size_t rows = kTimes.size();
  EXPECT_TRUE(fits(2, 2 * rows));
  EXPECT_TRUE(fits(1, rows));
  EXPECT_TRUE(fits(0, 0));
  EXPECT_FALSE(fits(0, 1));
  EXPECT_FALSE(fits(2, 2 * rows - 1));
  EXPECT_FALSE(fits(2, 2 * rows - 2));
  EXPECT_FALSE(fits(1, 2 * rows));
}

// What comes next takes no part, be it endless.
TEST(PackedWeights, TakeASampleAsItStands) {
  const std::array<float, 3> rising = {0, 1, std::numeric_limits<float>::infinity()};
  const PackedWeights weights =
      *PackedWeights::pack({.width = 1, .times = kTimes, .weights = rising});
  std::vector<float> row(1);
  EXPECT_EQ(weights.sample(1.0, row), 1U);
  EXPECT_EQ(row[0], 1.0F);
}

}  // namespace
}  // namespace sinew::skel::packed_weights_test
