// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/blend_shapes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace sinew::skel::blend_shapes_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Emitted = std::vector<std::pair<float, float>>;  // In-between's weight, its share.

const std::vector<Vector3f> kOffset = {{1.0F, 0.0F, 0.0F}};

BlendShape shape_with(const std::vector<float>& inbetweens) {
  BlendShape shape;
  shape.name = "Shape";
  shape.offsets = kOffset;
  for (const float weight : inbetweens) {
    shape.inbetweens.push_back({"at" + std::to_string(weight), weight, kOffset, {}});
  }
  return shape;
}

// What a weight becomes, as (weight of the sub-shape, its share); sub-shapes are told apart by
// their place among the sorted weights.
Emitted split(std::vector<float> inbetweens, float weight) {
  const BlendShapeSet set({shape_with(inbetweens)});
  std::vector<SubShapeWeight> result;
  EXPECT_TRUE(set.sub_shape_weights(std::vector<float>{weight}, result));
  inbetweens.push_back(0.0F);
  inbetweens.push_back(1.0F);
  std::sort(inbetweens.begin(), inbetweens.end());
  Emitted emitted;
  for (const SubShapeWeight& entry : result) {
    // Without in-betweens the primary shape is listed whatever its place.
    emitted.emplace_back(inbetweens.at(entry.sub_shape), entry.weight);
  }
  return emitted;
}

TEST(BlendShapeSet, UsesTheWeightAsItIsWithoutInbetweens) {  // skel 12.81
  EXPECT_THAT(split({}, -0.5F), ElementsAre(std::pair(1.0F, -0.5F)));
  EXPECT_THAT(split({}, 0.0F), ElementsAre(std::pair(1.0F, 0.0F)));
  EXPECT_THAT(split({}, 2.0F), ElementsAre(std::pair(1.0F, 2.0F)));
}

TEST(BlendShapeSet, InterpolatesBetweenInbetweens) {  // skel 12.81
  const std::vector<float> two = {0.25F, 0.5F};
  EXPECT_THAT(split(two, 0.0F), IsEmpty());
  EXPECT_THAT(split(two, 0.125F), ElementsAre(std::pair(0.25F, 0.5F)));
  EXPECT_THAT(split(two, 0.25F), ElementsAre(std::pair(0.25F, 1.0F)));
  EXPECT_THAT(split(two, 0.375F), ElementsAre(std::pair(0.25F, 0.5F), std::pair(0.5F, 0.5F)));
  EXPECT_THAT(split(two, 0.75F), ElementsAre(std::pair(0.5F, 0.5F), std::pair(1.0F, 0.5F)));
  EXPECT_THAT(split(two, 1.0F), ElementsAre(std::pair(1.0F, 1.0F)));
}

TEST(BlendShapeSet, ExtrapolatesBeyondInbetweens) {  // skel 12.81
  EXPECT_THAT(split({0.25F, 0.5F}, -0.25F), ElementsAre(std::pair(0.25F, -1.0F)));
  EXPECT_THAT(split({0.25F, 0.5F}, 1.5F),
              ElementsAre(std::pair(0.5F, -1.0F), std::pair(1.0F, 2.0F)));
}

TEST(BlendShapeSet, TakesInbetweensOutsideZeroAndOne) {  // skel 12.81
  EXPECT_THAT(split({0.5F, 1.5F}, 1.25F),
              ElementsAre(std::pair(1.0F, 0.5F), std::pair(1.5F, 0.5F)));
  EXPECT_THAT(split({0.5F, 1.5F}, 2.0F),
              ElementsAre(std::pair(1.0F, -1.0F), std::pair(1.5F, 2.0F)));
  EXPECT_THAT(split({-0.5F}, -1.0F), ElementsAre(std::pair(-0.5F, 2.0F)));
  EXPECT_THAT(split({-0.5F}, -0.25F), ElementsAre(std::pair(-0.5F, 0.5F)));
  EXPECT_THAT(split({-0.5F}, 0.5F), ElementsAre(std::pair(1.0F, 0.5F)));
}

TEST(BlendShapeSet, LeavesOutInbetweensAtZeroAndOne) {
  std::vector<std::string> ignored;
  const BlendShapeSet set({shape_with({0.0F, 1.0F, 0.5F})}, Rules::openusd, &ignored);
  EXPECT_EQ(set.sub_shape_count(), 3U);
  EXPECT_EQ(ignored.size(), 2U);
}

TEST(BlendShapeSet, LeavesOutRepeatedWeightsByTheDocumentedRules) {
  std::vector<std::string> ignored;
  const BlendShapeSet set({shape_with({0.5F, 0.5F})}, Rules::documented, &ignored);
  EXPECT_EQ(set.sub_shape_count(), 3U);
  EXPECT_EQ(ignored.size(), 1U);
}

// As in OpenUSD, nothing lies beyond two at the same weight.
TEST(BlendShapeSet, GivesNothingBeyondRepeatedWeightsUnderOpenUsdRules) {
  const BlendShapeSet set({shape_with({-1.0F, 2.0F, -1.0F, 2.0F})}, Rules::openusd);
  ASSERT_EQ(set.sub_shape_count(), 6U);
  std::vector<SubShapeWeight> weights(1);
  for (const float beyond : {-3.0F, 2.5F}) {
    ASSERT_TRUE(set.sub_shape_weights(std::vector<float>{beyond}, weights));
    EXPECT_EQ(weights.size(), 0U) << beyond;
  }
  ASSERT_TRUE(set.sub_shape_weights(std::vector<float>{1.25F}, weights));
  ASSERT_EQ(weights.size(), 2U);
  EXPECT_EQ(weights[0].sub_shape, 3U);
  EXPECT_EQ(weights[0].weight, 0.75F);
  EXPECT_EQ(weights[1].sub_shape, 4U);
  EXPECT_EQ(weights[1].weight, 0.25F);
}

TEST(BlendShapeSet, LetsInvalidShapesContributeNothing) {
  BlendShape invalid = shape_with({});
  invalid.valid = false;
  const BlendShapeSet set({invalid, shape_with({})});
  std::vector<SubShapeWeight> weights;
  ASSERT_TRUE(set.sub_shape_weights(std::vector<float>{1.0F, 0.5F}, weights));
  ASSERT_EQ(weights.size(), 1U);
  EXPECT_EQ(weights[0].shape, 1U);
  std::vector<Vector3f> points = {{0.0F, 0.0F, 0.0F}};
  ASSERT_TRUE(set.deform_points(weights, points));
  EXPECT_EQ(points[0], Vector3f(0.5F, 0.0F, 0.0F));
}

TEST(BlendShapeSet, RejectsOtherThanOneWeightPerShape) {
  const BlendShapeSet set({shape_with({})});
  std::vector<SubShapeWeight> weights(3);
  const Status status = set.sub_shape_weights(std::vector<float>{1.0F, 1.0F}, weights);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::size_mismatch);
  EXPECT_TRUE(weights.empty());
}

TEST(BlendShapeSet, NormalisesDeformedNormals) {
  BlendShape shape;
  shape.normal_offsets = kOffset;
  const BlendShapeSet set({shape});
  std::vector<Vector3f> normals = {{0.0F, 0.0F, 1.0F}};
  ASSERT_TRUE(set.deform_normals(std::vector<SubShapeWeight>{{1.0F, 0, 1}}, normals));
  EXPECT_LT((normals[0] - Vector3f(std::sqrt(0.5F), 0.0F, std::sqrt(0.5F))).norm(), 1e-6F);
}

TEST(BlendShapeSet, LeavesNormalsAsTheyAreWhereOffsetsDoNotFit) {
  BlendShape shape;
  shape.name = "wide";
  shape.normal_offsets = kOffset;
  const BlendShapeSet set({shape});
  std::vector<Vector3f> normals(2, Vector3f(0, 0, 2));
  const Status status = set.deform_normals(std::vector<SubShapeWeight>{{1.0F, 0, 1}}, normals);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::size_mismatch);
  EXPECT_EQ(status.error().message, "Blend shape wide: There are 1 offsets for 2 points.");
  EXPECT_EQ(normals[0], Vector3f(0, 0, 2));
}

TEST(ShaderOffsets, DeformPointsAsTheSetDoes) {
  const std::vector<Vector3f> sparse = {{1, 0, 0}, {0, 2, 0}};
  const std::vector<Vector3f> half = {{0, 0, 3}, {0, 0, 4}};
  const std::vector<Vector3f> dense = {{5, 0, 0}, {6, 0, 0}, {7, 0, 0}};
  const std::vector<std::int32_t> indices = {2, 0};
  BlendShape first;
  first.offsets = sparse;
  first.point_indices = indices;
  first.inbetweens.push_back({"half", 0.5F, half, {}});
  BlendShape second;
  second.offsets = dense;
  const BlendShapeSet set({first, second});
  std::vector<SubShapeWeight> weights;
  ASSERT_TRUE(set.sub_shape_weights(std::vector<float>{0.75F, 0.5F}, weights));
  std::vector<Vector3f> expected(3, Vector3f::Zero());
  ASSERT_TRUE(set.deform_points(weights, expected));

  const ShaderOffsets packed = set.shader_offsets(3);
  std::vector<float> flat(set.sub_shape_count());
  ASSERT_TRUE(set.flatten(weights, flat));
  ASSERT_EQ(packed.ranges.size(), 3U);
  for (std::size_t p = 0; p < 3; ++p) {
    Vector3f point = Vector3f::Zero();
    for (std::int32_t k = packed.ranges[p][0]; k < packed.ranges[p][1]; ++k) {
      const Vector4f& entry = packed.offsets[static_cast<std::size_t>(k)];
      point += flat[static_cast<std::size_t>(entry[3])] * entry.head<3>();
    }
    EXPECT_LE((point - expected[p]).norm(), 1e-6F) << p;
  }
}

TEST(ApplyBlendShape, AddsUpRepeatedIndices) {
  std::vector<Vector3f> points(2, Vector3f::Zero());
  const std::vector<Vector3f> offsets = {{1.0F, 0.0F, 0.0F}, {0.0F, 2.0F, 0.0F}};
  ASSERT_TRUE(apply_blend_shape(0.5F, offsets, std::vector<std::int32_t>{1, 1}, points));
  EXPECT_EQ(points[1], Vector3f(0.5F, 1.0F, 0.0F));
  EXPECT_EQ(points[0], Vector3f(0.0F, 0.0F, 0.0F));
}

TEST(ApplyBlendShape, ChecksNothingForATinyWeight) {
  std::vector<Vector3f> points(2, Vector3f::Zero());
  EXPECT_TRUE(apply_blend_shape(1e-7F, kOffset, {}, points));
}

TEST(ApplyBlendShape, RejectsAnIndexOutOfRange) {
  std::vector<Vector3f> points(2, Vector3f::Zero());
  const Status status = apply_blend_shape(1.0F, kOffset, std::vector<std::int32_t>{2}, points);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::index_out_of_range);
}

TEST(ApplyBlendShape, RejectsOffsetsThatDoNotFit) {
  std::vector<Vector3f> points(2, Vector3f::Zero());
  EXPECT_FALSE(apply_blend_shape(1.0F, kOffset, {}, points));
  EXPECT_FALSE(apply_blend_shape(1.0F, kOffset, std::vector<std::int32_t>{0, 1}, points));
}

TEST(BlendShapeSet, RejectsEntriesOfAnotherSet) {
  const BlendShapeSet set({shape_with({})});
  const std::vector<SubShapeWeight> strange = {{1.0F, 0, 2}};
  const std::vector<SubShapeWeight> stranger = {{1.0F, 1, 0}};
  std::vector<Vector3f> points(1, Vector3f::Zero());
  std::vector<float> flat(2);
  for (const Status& status :
       {set.deform_points(strange, points), set.add_normal_offsets(stranger, points),
        set.flatten(strange, flat)}) {
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::index_out_of_range);
  }
  EXPECT_EQ(points[0], Vector3f::Zero());
}

TEST(BlendShapeSet, FlattensIntoAWeightForEverySubShape) {
  const BlendShapeSet set({shape_with({}), shape_with({})});
  for (const std::size_t size : {1U, 3U}) {
    std::vector<float> flat(size, 7.0F);
    const Status status = set.flatten({}, flat);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::size_mismatch);
  }
}

// Of two weights less than a millionth apart the second is no shape of its own.
TEST(BlendShapeSet, LeavesOutInbetweensCloseToOthersOnEitherSide) {
  const auto ignored = [](const std::vector<float>& weights, Rules rules) {
    std::vector<std::string> names;
    const BlendShapeSet set({shape_with(weights)}, rules, &names);
    EXPECT_EQ(set.sub_shape_count(), weights.size() - names.size() + 2);
    EXPECT_EQ(BlendShapeSet({shape_with(weights)}, rules).sub_shape_count(), set.sub_shape_count());
    return names.size();
  };
  for (const Rules rules : {Rules::documented, Rules::openusd}) {
    for (const float taken : {5e-7F, -5e-7F, 1.0F - 5e-7F, 1.0F + 5e-7F, INFINITY, NAN}) {
      EXPECT_EQ(ignored({taken}, rules), 1U) << taken;
    }
    for (const float own : {2e-6F, -2e-6F, 1.0F - 2e-6F, 1.0F + 2e-6F}) {
      EXPECT_EQ(ignored({own}, rules), 0U) << own;
    }
    const std::size_t repeated = rules == Rules::documented ? 1 : 0;
    EXPECT_EQ(ignored({0.5F, 0.5F + 5e-7F}, rules), repeated);
    EXPECT_EQ(ignored({0.5F, 0.5F - 5e-7F}, rules), repeated);
    EXPECT_EQ(ignored({-1.0F, -1.0F}, rules), repeated);
    EXPECT_EQ(ignored({0.5F, 0.5F + 2e-6F}, rules), 0U);
  }
}

TEST(ShaderOffsets, LeaveOutPointsThatThereAreNot) {
  BlendShape shape;
  const std::vector<Vector3f> offsets = {{1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0}};
  const std::vector<std::int32_t> indices = {-1, 1, 2, 0};
  shape.offsets = offsets;
  shape.point_indices = indices;
  const ShaderOffsets listed = BlendShapeSet({shape}).shader_offsets(2);
  EXPECT_THAT(listed.ranges, ElementsAre(Vector2i(0, 1), Vector2i(1, 2)));
  shape.point_indices = {};
  const ShaderOffsets all = BlendShapeSet({shape}).shader_offsets(3);
  EXPECT_THAT(all.ranges, ElementsAre(Vector2i(0, 1), Vector2i(1, 2), Vector2i(2, 3)));
}

TEST(ShaderOffsets, TakeNoMoreThanThereAreOffsetsAndIndices) {
  const std::vector<Vector3f> offsets = {{1, 0, 0}, {2, 0, 0}, {3, 0, 0}};
  const std::vector<std::int32_t> indices = {1, 0};
  BlendShape shape;
  shape.point_indices = indices;
  shape.offsets = offsets;
  const ShaderOffsets more = BlendShapeSet({shape}).shader_offsets(2);
  EXPECT_THAT(more.ranges, ElementsAre(Vector2i(0, 1), Vector2i(1, 2)));
  EXPECT_THAT(more.offsets, ElementsAre(Vector4f(2, 0, 0, 1), Vector4f(1, 0, 0, 1)));
  shape.offsets = std::span(offsets).first(1);
  const ShaderOffsets fewer = BlendShapeSet({shape}).shader_offsets(2);
  EXPECT_THAT(fewer.ranges, ElementsAre(Vector2i(0, 0), Vector2i(0, 1)));
  EXPECT_THAT(fewer.offsets, ElementsAre(Vector4f(1, 0, 0, 1)));
}

TEST(BlendShapeSet, FlattensToZeroWhatHasNoWeight) {
  const BlendShapeSet set({shape_with({}), shape_with({})});
  std::vector<float> flat(4, 7.0F);
  ASSERT_TRUE(set.flatten(std::vector<SubShapeWeight>{{0.5F, 1, 3}}, flat));
  EXPECT_THAT(flat, ElementsAre(0.0F, 0.0F, 0.0F, 0.5F));
}

TEST(BlendShapeSet, LeavesAloneWhatAShapeHasNoOffsetsFor) {
  const BlendShapeSet moving({shape_with({})});
  BlendShape shape;
  shape.normal_offsets = kOffset;
  const BlendShapeSet turning({shape});
  const std::vector<SubShapeWeight> weights = {{1.0F, 0, 1}};
  std::vector<Vector3f> vectors(2, Vector3f(0, 0, 2));
  EXPECT_TRUE(moving.add_normal_offsets(weights, vectors));
  EXPECT_TRUE(turning.deform_points(weights, vectors));
  EXPECT_EQ(vectors, std::vector<Vector3f>(2, Vector3f(0, 0, 2)));
}

// Lengths count as 1e-10 at least.
TEST(NormalizeVectors, KeepZerosAndTinyVectorsFinite) {
  std::vector<Vector3f> vectors = {{0, 3, 4}, {0, 0, 0}, {0, 1e-12F, 0}};
  normalize_vectors(vectors);
  EXPECT_LT((vectors[0] - Vector3f(0, 0.6F, 0.8F)).norm(), 1e-6F);
  EXPECT_EQ(vectors[1], Vector3f(0, 0, 0));
  EXPECT_NEAR(vectors[2].y(), 0.01F, 1e-8F);
}

}  // namespace
}  // namespace sinew::skel::blend_shapes_test
