// SPDX-License-Identifier: Apache-2.0
// Numbers in comments are those of the checklist in the behaviour specification.
#include "sinew/skel/influences.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <vector>

namespace sinew::skel::influences_test {
namespace {

using ::testing::ElementsAre;
using ::testing::Pointwise;
using Floats = std::vector<float>;
using Ints = std::vector<std::int32_t>;

Ints count_up(std::int32_t n) {
  Ints result(static_cast<std::size_t>(n));
  std::iota(result.begin(), result.end(), 1);
  return result;
}

void expect_close(const Floats& actual, const Floats& expected) {
  EXPECT_THAT(actual, Pointwise(::testing::FloatNear(1e-6F), expected));
}

TEST(NormalizeWeights, MakesEverySumOne) {  // skel 12.63
  Floats weights = {3, 1, 1, 0, 4, 3, 2, 1, 40, 30, 20, 10, 0, 0, 0, 0};
  ASSERT_TRUE(normalize_weights(weights, 4));
  expect_close(weights, {.6F, .2F, .2F, 0, .4F, .3F, .2F, .1F, .4F, .3F, .2F, .1F, 0, 0, 0, 0});
}

TEST(NormalizeWeights, ChecksTheShape) {  // skel 12.63
  Floats none;
  EXPECT_TRUE(normalize_weights(none, 4));
  Floats one = {1};
  EXPECT_FALSE(normalize_weights(one, 4));
  EXPECT_FALSE(normalize_weights(one, 0));
}

TEST(NormalizeWeights, GivesZerosForNan) {
  Floats weights = {std::numeric_limits<float>::quiet_NaN(), 1};
  ASSERT_TRUE(normalize_weights(weights, 2));
  EXPECT_THAT(weights, ElementsAre(0, 0));
}

TEST(SortInfluences, PutsTheLargestWeightFirst) {  // skel 12.64
  Ints indices = count_up(12);
  Floats weights = {3, 1, 4, 2, 1, 2, 3, 4, 4, 3, 2, 1};
  ASSERT_TRUE(sort_influences(indices, weights, 4));
  EXPECT_THAT(indices, ElementsAre(3, 1, 4, 2, 8, 7, 6, 5, 9, 10, 11, 12));
  EXPECT_THAT(weights, ElementsAre(4, 3, 2, 1, 4, 3, 2, 1, 4, 3, 2, 1));
}

TEST(SortInfluences, ChangesNothingForOnePerPoint) {  // skel 12.64
  Ints indices = {1, 2, 3};
  Floats weights = {1, 3, 2};
  ASSERT_TRUE(sort_influences(indices, weights, 1));
  EXPECT_THAT(indices, ElementsAre(1, 2, 3));
}

TEST(SortInfluences, PutsTheLargerIndexFirstAmongEqualWeights) {
  Ints indices = {1, 3, 2};
  Floats weights = {1, 1, 1};
  ASSERT_TRUE(sort_influences(indices, weights, 3));
  EXPECT_THAT(indices, ElementsAre(3, 2, 1));
}

TEST(SortInfluences, RejectsArraysOfDifferentLengths) {
  Ints indices = {1, 2};
  Floats weights = {1};
  EXPECT_FALSE(sort_influences(indices, weights, 1));
}

TEST(SortInfluences, TakesNoMemoryForNoPoints) {
  EXPECT_TRUE(sort_influences({}, {}, std::numeric_limits<std::size_t>::max()));
}

TEST(ResizeInfluences, KeepsTheFirstIndicesAndFillsWithZeros) {  // skel 12.65
  Ints fewer = count_up(8);
  ASSERT_TRUE(resize_influences(fewer, 4, 2));
  EXPECT_THAT(fewer, ElementsAre(1, 2, 5, 6));
  Ints more = count_up(8);
  ASSERT_TRUE(resize_influences(more, 2, 4));
  EXPECT_THAT(more, ElementsAre(1, 2, 0, 0, 3, 4, 0, 0, 5, 6, 0, 0, 7, 8, 0, 0));
}

TEST(ResizeInfluences, NormalisesWeightsThatBecomeFewer) {  // skel 12.66
  Floats weights = {3, 1, 1, 5, 6, 1, 1, 3, 7, 8, 1, 3, 1, 9, 10};
  ASSERT_TRUE(resize_influences(weights, 5, 3));
  expect_close(weights, {.6F, .2F, .2F, .2F, .2F, .6F, .2F, .6F, .2F});
}

TEST(ResizeInfluences, KeepsWeightsThatBecomeMore) {  // skel 12.66
  Floats weights = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  ASSERT_TRUE(resize_influences(weights, 3, 5));
  EXPECT_THAT(weights, ElementsAre(1, 2, 3, 0, 0, 4, 5, 6, 0, 0, 7, 8, 9, 0, 0));
}

TEST(ResizeInfluences, ChecksTheShape) {  // skel 12.67
  Ints no_indices;
  Floats no_weights;
  EXPECT_TRUE(resize_influences(no_indices, 10, 4));
  EXPECT_TRUE(resize_influences(no_indices, 4, 10));
  EXPECT_TRUE(resize_influences(no_weights, 10, 4));
  EXPECT_TRUE(resize_influences(no_weights, 4, 10));
  Floats one = {1};
  EXPECT_FALSE(resize_influences(one, 3, 2));
  EXPECT_FALSE(resize_influences(one, 3, 0));
  EXPECT_THAT(one, ElementsAre(1));
}

TEST(ResizeInfluences, RejectsMoreThanMemoryCanHold) {
  Ints indices = count_up(8);
  EXPECT_FALSE(resize_influences(indices, 1, std::numeric_limits<std::size_t>::max() / 4));
  EXPECT_EQ(indices.size(), 8U);
}

TEST(KeepStrongestInfluences, DropsTheWeakestAndNormalises) {
  Ints indices = {5, 6, 7, 1, 2, 3};
  Floats weights = {1, 2, 6, 4, 4, 0};
  ASSERT_TRUE(keep_strongest_influences(indices, weights, 3, 2));
  EXPECT_THAT(indices, ElementsAre(7, 6, 2, 1));
  expect_close(weights, {.75F, .25F, .5F, .5F});
}

TEST(KeepStrongestInfluences, AddsNone) {
  Ints indices = {5, 6};
  Floats weights = {1, 3};
  ASSERT_TRUE(keep_strongest_influences(indices, weights, 2, 4));
  EXPECT_THAT(indices, ElementsAre(6, 5));
  expect_close(weights, {.75F, .25F});
}

TEST(KeepStrongestInfluences, ChangesNothingWhenItFails) {
  Ints indices = {5, 6};
  Floats weights = {1, 3};
  EXPECT_FALSE(keep_strongest_influences(indices, weights, 2, 0));
  EXPECT_FALSE(keep_strongest_influences(indices, weights, 3, 1));
  EXPECT_THAT(indices, ElementsAre(5, 6));
}

TEST(ExpandIndexedInfluences, RepeatsBlocks) {  // skel 12.85
  const auto indices = expand_indexed_influences(Ints{1, 2, 3, 4}, Ints{1, 0, 1}, 2);
  ASSERT_TRUE(indices);
  EXPECT_THAT(*indices, ElementsAre(3, 4, 1, 2, 3, 4));
  const auto weights = expand_indexed_influences(Floats{.5F, 1}, Ints{}, 1);
  ASSERT_TRUE(weights);
  EXPECT_TRUE(weights->empty());
}

TEST(ExpandIndexedInfluences, RejectsBlocksThatAreNotThere) {  // skel 12.85
  const auto short_block = expand_indexed_influences(Ints{1, 2, 3}, Ints{0, 1}, 2);
  ASSERT_FALSE(short_block);
  EXPECT_EQ(short_block.error().code, ErrorCode::index_out_of_range);
  EXPECT_EQ(short_block.error().message, "Block 1 at position 1 is not in [0, 1).");
  EXPECT_FALSE(expand_indexed_influences(Ints{1, 2}, Ints{-1}, 1));
  EXPECT_FALSE(expand_indexed_influences(Ints{}, Ints{}, 1));
  EXPECT_FALSE(expand_indexed_influences(Ints{1}, Ints{0}, 0));
}

TEST(ExpandIndexedInfluences, RejectsMoreThanAnyMeshHas) {
  const Ints large(1 << 16);
  const Ints blocks((1 << 12) + 1);
  const auto expanded = expand_indexed_influences(large, blocks, large.size());
  ASSERT_FALSE(expanded);
  EXPECT_EQ(expanded.error().code, ErrorCode::limit_exceeded);
}

TEST(ExpandConstantInfluences, RepeatsThem) {  // skel 12.68
  const Ints indices = count_up(5);
  EXPECT_THAT(expand_constant_influences(indices, 3),
              ElementsAre(1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 1, 2, 3, 4, 5));
  EXPECT_TRUE(expand_constant_influences(indices, 0).empty());
  const Floats weights = {5, 6};
  EXPECT_THAT(expand_constant_influences(weights, 2), ElementsAre(5, 6, 5, 6));
  EXPECT_TRUE(expand_constant_influences(Floats(), 3).empty());
}

TEST(InterleaveInfluences, PairsIndexAndWeight) {
  std::vector<Vector2f> pairs(2);
  ASSERT_TRUE(interleave_influences(Ints{4, 7}, Floats{0.25F, 0.75F}, pairs));
  EXPECT_EQ(pairs[1], Vector2f(7, 0.75F));
  EXPECT_FALSE(interleave_influences(Ints{4}, Floats{0.25F}, pairs));
}

TEST(ValidateJointIndices, NamesTheFirstOutOfRange) {
  EXPECT_TRUE(validate_joint_indices(Ints{0, 2}, 3));
  const Status status = validate_joint_indices(Ints{0, 3, -1}, 3);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::index_out_of_range);
  EXPECT_EQ(status.error().message, "Joint index 3 at position 1 is not in [0, 3).");
}

TEST(GpuInfluences, KeepsTheFourStrongest) {
  const auto table = gpu_influences(std::vector<std::int32_t>{5, 6, 7, 8, 9},
                                    std::vector<float>{.1F, .2F, .3F, .0F, .4F}, 5);
  ASSERT_TRUE(table);
  EXPECT_THAT(table->joints.at(0), ElementsAre(9, 7, 6, 5));
  const auto fewer = gpu_influences(std::vector<std::int32_t>{5, 6}, std::vector<float>{1, 3}, 2);
  ASSERT_TRUE(fewer);
  EXPECT_THAT(fewer->joints.at(0), ElementsAre(6, 5, 0, 0));
  EXPECT_THAT(fewer->weights.at(0), ElementsAre(.75F, .25F, 0, 0));
}

TEST(GpuInfluences, RejectsAnIndexBeyondSixteenBits) {
  EXPECT_FALSE(gpu_influences(std::vector<std::int32_t>{70000}, std::vector<float>{1}, 1));
}

TEST(SortInfluences, PutsWhatIsNoNumberLast) {
  Ints indices = {1, 2, 3, 4, 5, 6, 7, 8};
  Floats weights = {NAN, 0.5F, NAN, 0.75F, 0.25F, NAN, NAN, NAN};
  ASSERT_TRUE(sort_influences(indices, weights, 4));
  EXPECT_THAT(indices, ElementsAre(4, 2, 3, 1, 5, 8, 7, 6));
  EXPECT_THAT(weights, ElementsAre(0.75F, 0.5F, ::testing::IsNan(), ::testing::IsNan(), 0.25F,
                                   ::testing::IsNan(), ::testing::IsNan(), ::testing::IsNan()));
}

TEST(KeepStrongestInfluences, RefusesToKeepNone) {
  Ints indices = {1, 2};
  Floats weights = {0.5F, 0.5F};
  const Status none = keep_strongest_influences(indices, weights, 2, 0);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(none.error().message, "There are 0 influences per point.");
  EXPECT_THAT(indices, ElementsAre(1, 2));
}

TEST(ExpandIndexedInfluences, NamesWhyNothingCanBeExpanded) {
  const auto error = [](const Ints& values, const Ints& blocks, std::size_t count) {
    const auto expanded = expand_indexed_influences(values, blocks, count);
    return expanded ? std::string() : expanded.error().message;
  };
  EXPECT_EQ(error({1, 2}, {0}, 0), "There are 0 influences per block.");
  EXPECT_EQ(error({}, {0}, 2), "There is no block to index.");
  EXPECT_EQ(error({}, {}, 2), "There is no block to index.");
  EXPECT_EQ(error({1, 2}, {0}, 2), "");
  EXPECT_EQ(error({1, 2}, {}, 2), "");
}

TEST(InterleaveInfluences, NeedsAsManyOfEach) {
  const Ints indices = {1, 2};
  const Floats weights = {0.5F, 0.25F, 0.125F};
  std::vector<Vector2f> pairs(3);
  const auto status = [&](std::size_t a, std::size_t b, std::size_t c) {
    return interleave_influences(std::span(indices).first(a), std::span(weights).first(b),
                                 std::span(pairs).first(c));
  };
  EXPECT_TRUE(status(2, 2, 2));
  EXPECT_FALSE(status(2, 3, 2));
  EXPECT_FALSE(status(2, 2, 3));
  EXPECT_EQ(status(2, 3, 1).error().message,
            "There are 2 joint indices, 3 weights and room for 1 pairs.");
}

TEST(ResizeInfluences, RefusesToLeaveNone) {
  Ints indices = {1, 2};
  Floats weights = {0.5F, 0.25F};
  for (const Status& status :
       {resize_influences(indices, 2, 0), resize_influences(weights, 2, 0)}) {
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::invalid_argument);
  }
  EXPECT_THAT(indices, ElementsAre(1, 2));
  EXPECT_THAT(weights, ElementsAre(0.5F, 0.25F));
}

TEST(ResizeInfluences, LeavesAsManyWeightsAsTheyAre) {
  Floats weights = {3, 1};
  ASSERT_TRUE(resize_influences(weights, 2, 2));
  EXPECT_THAT(weights, ElementsAre(3, 1));
}

TEST(NormalizeWeights, GoesByTheMagnitudeOfTheSum) {  // skel 9.8
  Floats weights = {-1, -3, 0.25F, 0.25F, -0.25F, -0.125F, 0.25F, 0.375F};
  ASSERT_TRUE(normalize_weights(weights, 2, 0.5F));
  EXPECT_THAT(weights, ElementsAre(0.25F, 0.75F, 0, 0, 0, 0, 0.4F, 0.6F));
}

TEST(GpuInfluences, NameNoJointWhereThereIsNoWeight) {
  const auto table = gpu_influences(Ints{5, 6, 7, 8, 9, 3}, Floats{1, 0, 0, 0, 0.75F, 0.25F}, 2);
  ASSERT_TRUE(table);
  EXPECT_THAT(table->joints, ElementsAre(ElementsAre(5, 0, 0, 0), ElementsAre(0, 0, 0, 0),
                                         ElementsAre(9, 3, 0, 0)));
  EXPECT_THAT(table->weights, ElementsAre(ElementsAre(1, 0, 0, 0), ElementsAre(0, 0, 0, 0),
                                          ElementsAre(0.75F, 0.25F, 0, 0)));
}

TEST(GpuInfluences, HaveJointsOfSixteenBits) {
  const auto most = gpu_influences(Ints{65535}, Floats{1}, 1);
  ASSERT_TRUE(most);
  EXPECT_THAT(most->joints.at(0), ElementsAre(65535, 0, 0, 0));
  EXPECT_EQ(gpu_influences(Ints{65536}, Floats{1}, 1).error().code, ErrorCode::index_out_of_range);
}

TEST(GpuInfluences, NeedAWeightForEveryIndex) {
  const auto table = gpu_influences(Ints{1, 2, 3, 4}, Floats{1, 1}, 2);
  ASSERT_FALSE(table);
  EXPECT_EQ(table.error().code, ErrorCode::size_mismatch);
  EXPECT_EQ(table.error().message, "There are 4 joint indices but 2 weights.");
}

}  // namespace
}  // namespace sinew::skel::influences_test
