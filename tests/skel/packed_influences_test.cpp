// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/packed_influences.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/skel/skin_palette.hpp"
#include "sinew/skel/skinning.hpp"
#include "support/random_skin.hpp"

namespace sinew::skel::packed_influences_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::array<std::int32_t, 4> kIndices = {0, 1, 1, 2};
constexpr std::array<float, 4> kWeights = {0.5F, 0.5F, 1.0F, 0.0F};

PackedInfluencesDesc small_desc() {
  return {.joint_indices = kIndices, .joint_weights = kWeights, .influences = 2, .joint_count = 3};
}

TEST(PackedInfluences, HoldsAsManyPointsAsThereAreRows) {
  const Result<PackedInfluences> packed = PackedInfluences::pack(small_desc());

  ASSERT_TRUE(packed);
  EXPECT_EQ(packed->point_count(), 2U);
  EXPECT_EQ(packed->joint_count(), 3U);
  EXPECT_EQ(packed->block_count(), 1U);
  EXPECT_NE(packed->level(), SimdLevel::best);
}

TEST(PackedInfluences, AcceptsAMeshWithoutPoints) {
  const Result<PackedInfluences> packed =
      PackedInfluences::pack({.influences = 4, .joint_count = 1});

  ASSERT_TRUE(packed);
  EXPECT_EQ(packed->block_count(), 0U);
}

TEST(PackedInfluences, RejectsZeroInfluences) {
  PackedInfluencesDesc desc = small_desc();
  desc.influences = 0;

  const Result<PackedInfluences> packed = PackedInfluences::pack(desc);

  ASSERT_FALSE(packed);
  EXPECT_EQ(packed.error().code, ErrorCode::invalid_argument);
}

TEST(PackedInfluences, RejectsArraysOfDifferentLength) {
  PackedInfluencesDesc desc = small_desc();
  desc.joint_weights = desc.joint_weights.first(3);

  const Result<PackedInfluences> packed = PackedInfluences::pack(desc);

  ASSERT_FALSE(packed);
  EXPECT_EQ(packed.error().code, ErrorCode::size_mismatch);
}

TEST(PackedInfluences, RejectsAnIncompleteRow) {
  PackedInfluencesDesc desc = small_desc();
  desc.influences = 3;

  const Result<PackedInfluences> packed = PackedInfluences::pack(desc);

  ASSERT_FALSE(packed);
  EXPECT_EQ(packed.error().code, ErrorCode::size_mismatch);
}

TEST(PackedInfluences, NamesTheFirstIndexOutOfRange) {
  const std::array<std::int32_t, 4> indices = {0, 1, -1, 7};
  PackedInfluencesDesc desc = small_desc();
  desc.joint_indices = indices;

  const Result<PackedInfluences> packed = PackedInfluences::pack(desc);

  ASSERT_FALSE(packed);
  EXPECT_EQ(packed.error().code, ErrorCode::index_out_of_range);
  EXPECT_THAT(packed.error().message, HasSubstr("-1 at position 2"));
}

// skel 9.9: an index out of range fails even if its weight is 0.
TEST(PackedInfluences, RejectsAnIndexOutOfRangeWhoseWeightIsZero) {
  const std::array<std::int32_t, 4> indices = {0, 1, 1, 3};
  PackedInfluencesDesc desc = small_desc();
  desc.joint_indices = indices;

  const Result<PackedInfluences> packed = PackedInfluences::pack(desc);

  ASSERT_FALSE(packed);
  EXPECT_THAT(packed.error().message, HasSubstr("3 at position 3"));
}

TEST(PackedInfluences, RejectsAConstantScopeWithSeveralRows) {
  PackedInfluencesDesc desc = small_desc();
  desc.scope = InfluenceScope::constant;
  desc.point_count = 5;

  const Result<PackedInfluences> packed = PackedInfluences::pack(desc);

  ASSERT_FALSE(packed);
  EXPECT_EQ(packed.error().code, ErrorCode::size_mismatch);
}

TEST(PackedInfluences, RejectsAPointCountThatDoesNotFit) {
  PackedInfluencesDesc desc = small_desc();
  desc.point_count = 3;

  const Result<PackedInfluences> packed = PackedInfluences::pack(desc);

  ASSERT_FALSE(packed);
  EXPECT_EQ(packed.error().code, ErrorCode::size_mismatch);
}

TEST(PackedInfluences, RejectsAnElementThatNamesNoRow) {
  const std::array<std::int32_t, 3> elements = {0, 1, 2};
  PackedInfluencesDesc desc = small_desc();
  desc.row_of_element = elements;

  const Result<PackedInfluences> packed = PackedInfluences::pack(desc);

  ASSERT_FALSE(packed);
  EXPECT_EQ(packed.error().code, ErrorCode::index_out_of_range);
  EXPECT_THAT(packed.error().message, HasSubstr("position 2"));
}

TEST(PackedInfluences, RejectsRowsOfElementsWhereThereIsOneRowOfAll) {
  const std::array<std::int32_t, 2> elements = {0, 0};
  const std::array<std::int32_t, 1> joints = {0};
  const std::array<float, 1> weights = {1.0F};
  const Result<PackedInfluences> packed = PackedInfluences::pack({.joint_indices = joints,
                                                                  .joint_weights = weights,
                                                                  .influences = 1,
                                                                  .joint_count = 1,
                                                                  .scope = InfluenceScope::constant,
                                                                  .point_count = 2,
                                                                  .row_of_element = elements});
  ASSERT_FALSE(packed);
  EXPECT_EQ(packed.error().code, ErrorCode::invalid_argument);
}

TEST(PackedInfluences, KeepsTheOrderUnlessAsked) {
  const Result<PackedInfluences> packed = PackedInfluences::pack(small_desc());

  ASSERT_TRUE(packed);
  EXPECT_TRUE(packed->new_from_old().empty());
}

template <typename Index>
std::vector<Vector3f> skin_with(const test::RandomSkin& skin, std::span<const float> columns) {
  const std::vector<Index> joints(skin.joint_indices.begin(), skin.joint_indices.end());
  const auto packed = PackedInfluences::pack({.joint_indices = joints,
                                              .joint_weights = skin.joint_weights,
                                              .influences = 4,
                                              .joint_count = 30});
  EXPECT_TRUE(packed);
  std::vector<Affine34f> palette(30);
  EXPECT_TRUE(copy_columns(columns, palette));
  std::vector<Vector3f> points(skin.points.size());
  SkinPointsJob job;
  job.influences = &*packed;
  job.palette.transforms = palette;
  job.points = skin.points;
  job.points_out = points;
  EXPECT_TRUE(job.run());
  return points;
}

TEST(PackedInfluences, AreTheSameOfIndicesOfEveryWidth) {
  const test::RandomSkin skin(5, 300, 30, 4);
  std::vector<float> columns;
  for (const Matrix4d& matrix : skin.skinning) {
    for (Eigen::Index i = 0; i < 16; ++i) {
      columns.push_back(static_cast<float>(matrix(i % 4, i / 4)));
    }
  }

  const std::vector<Vector3f> wide = skin_with<std::int32_t>(skin, columns);

  EXPECT_EQ(skin_with<std::uint16_t>(skin, columns), wide);
  EXPECT_EQ(skin_with<std::uint8_t>(skin, columns), wide);
  EXPECT_NE(wide, skin.points);
}

// A vertex buffer: position, four joints, four weights.
struct Vertex {
  float position[3];
  std::uint16_t joints[4];
  float weights[4];
};

std::vector<Vector3f> skinned_points(const PackedInfluences& influences) {
  std::vector<Vector3f> points(influences.point_count(), Vector3f(1, 2, 3)), result = points;
  std::vector<Matrix4d> skinning(influences.joint_count(), Matrix4d::Identity());
  for (std::size_t j = 0; j < skinning.size(); ++j) skinning[j](0, 3) = static_cast<double>(j);
  SkinPalette palette;
  palette.prepare(SkinningMethod::linear, skinning, Matrix4d::Identity());
  SkinPointsJob job;
  job.influences = &influences;
  job.palette = palette.view();
  job.points = points;
  job.points_out = result;
  EXPECT_TRUE(job.run());
  return result;
}

TEST(PackedInfluences, AreReadOutOfAVertexBuffer) {
  const std::array<Vertex, 3> vertices = {Vertex{{}, {0, 1, 0, 0}, {0.5F, 0.5F, 0, 0}},
                                          Vertex{{}, {2, 0, 0, 0}, {1, 0, 0, 0}},
                                          Vertex{{}, {3, 1, 2, 0}, {0.25F, 0.25F, 0.5F, 0}}};
  std::vector<std::uint16_t> joints;
  std::vector<float> weights;
  for (const Vertex& vertex : vertices) {
    joints.insert(joints.end(), std::begin(vertex.joints), std::end(vertex.joints));
    weights.insert(weights.end(), std::begin(vertex.weights), std::end(vertex.weights));
  }
  // As the file or the GPU holds it: numbers of 16 bits, and the same bytes as floats.
  std::vector<std::uint16_t> buffer(sizeof(vertices) / sizeof(std::uint16_t));
  std::memcpy(buffer.data(), vertices.data(), sizeof(vertices));
  std::vector<float> floats(sizeof(vertices) / sizeof(float));
  std::memcpy(floats.data(), vertices.data(), sizeof(vertices));
  PackedInfluencesDesc desc = {.influences = 4, .joint_count = 4};
  desc.joint_indices = std::span<const std::uint16_t>(buffer).subspan(offsetof(Vertex, joints) / 2);
  desc.joint_weights = std::span<const float>(floats).subspan(offsetof(Vertex, weights) / 4);
  desc.index_stride = sizeof(Vertex) / sizeof(std::uint16_t);
  desc.weight_stride = sizeof(Vertex) / sizeof(float);

  const auto strided = PackedInfluences::pack(desc);

  ASSERT_TRUE(strided) << strided.error().message;
  EXPECT_EQ(strided->point_count(), 3U);
  const auto dense =
      PackedInfluences::pack({.joint_indices = std::span<const std::uint16_t>(joints),
                              .joint_weights = weights,
                              .influences = 4,
                              .joint_count = 4});
  EXPECT_EQ(skinned_points(*strided), skinned_points(*dense));
}

TEST(PackedInfluences, NameWhatIsWrongWithStrides) {
  const std::array<std::int32_t, 6> indices = {0, 0, 9, 0, 7, 9};
  const std::array<float, 6> weights = {1, 0, 9, 1, 0, 9};
  PackedInfluencesDesc desc = {
      .joint_indices = indices, .joint_weights = weights, .influences = 2, .joint_count = 2};
  desc.index_stride = desc.weight_stride = 3;
  EXPECT_THAT(PackedInfluences::pack(desc).error().message, HasSubstr("7 at position 4"));
  desc.weight_stride = 4;
  desc.joint_weights = std::span(weights).first(2);
  EXPECT_EQ(PackedInfluences::pack(desc).error().code, ErrorCode::size_mismatch);
  desc.weight_stride = 1;
  EXPECT_EQ(PackedInfluences::pack(desc).error().code, ErrorCode::invalid_argument);
}

TEST(PackedInfluences, RejectNarrowIndicesOutOfRange) {
  const std::vector<std::uint16_t> indices = {0, 65535};
  const std::vector<float> weights = {1.0F, 1.0F};
  const auto packed = PackedInfluences::pack(
      {.joint_indices = indices, .joint_weights = weights, .influences = 1, .joint_count = 2});

  ASSERT_FALSE(packed);
  EXPECT_EQ(packed.error().message, "Joint index 65535 at position 1 is not in [0, 2).");
}

TEST(PackedInfluences, StoresScatteredInfluencesAsRows) {
  const test::RandomSkin skin(1, 500, 200, 4, test::Spread::scattered);

  const Result<PackedInfluences> packed =
      PackedInfluences::pack({.joint_indices = skin.joint_indices,
                              .joint_weights = skin.joint_weights,
                              .influences = 4,
                              .joint_count = 200});

  ASSERT_TRUE(packed);
  EXPECT_EQ(packed->form(), InfluenceForm::rows);
}

TEST(PackedInfluences, NeedsFewerJointsPerBlockWhenOrderedByJoint) {
  if (best_simd_level() == SimdLevel::scalar) GTEST_SKIP() << "Scalar code has no blocks.";
  // So few joints that blocks are faster at every level, in either order.
  const test::RandomSkin skin(1, 3000, 3, 2, test::Spread::scattered);
  PackedInfluencesDesc desc = {.joint_indices = skin.joint_indices,
                               .joint_weights = skin.joint_weights,
                               .influences = 2,
                               .joint_count = 3};

  const Result<PackedInfluences> kept = PackedInfluences::pack(desc);
  desc.order = PointOrder::by_joint;
  const Result<PackedInfluences> ordered = PackedInfluences::pack(desc);

  ASSERT_TRUE(kept && ordered);
  ASSERT_EQ(kept->form(), InfluenceForm::blocks);
  EXPECT_LT(ordered->joints_per_block(), 0.75 * kept->joints_per_block());
}

TEST(PackedInfluences, TellsHowManyJointsARegisterNeeds) {
  for (const SimdLevel level : supported_simd_levels()) {
    // Two blocks. Of the first, either half has a joint of its own beside one of both; the other
    // block has one joint.
    const std::size_t width = PackedInfluences::pack({.joint_indices = kIndices,
                                                      .joint_weights = kWeights,
                                                      .influences = 2,
                                                      .joint_count = 3,
                                                      .level = level})
                                  ->block_width();
    std::vector<std::int32_t> joints;
    for (std::size_t i = 0; i < 2 * width; ++i) {
      const bool first_half = i < width / 2;
      joints.push_back(i >= width ? 0 : first_half ? 1 : 2);
      joints.push_back(0);
    }
    const std::vector<float> weights(joints.size(), 0.5F);
    const PackedInfluences packed = *PackedInfluences::pack({.joint_indices = joints,
                                                             .joint_weights = weights,
                                                             .influences = 2,
                                                             .joint_count = 3,
                                                             .level = level});
    const bool blocks = packed.form() == InfluenceForm::blocks;
    EXPECT_EQ(packed.joints_per_block(), blocks ? 2.0 : 0.0) << to_string(level);
    EXPECT_EQ(packed.joints_per_register(), !blocks      ? 0.0
                                            : width < 16 ? 2.0
                                                         : 1.5)
        << to_string(level);
  }
  EXPECT_EQ(PackedInfluences().joints_per_register(), 0.0);
}

TEST(OrderPointsByJoint, IsAPermutation) {
  const test::RandomSkin skin(3, 777, 20, 3);
  std::vector<std::uint32_t> new_from_old(777);

  const Status status =
      order_points_by_joint(new_from_old, skin.joint_indices, skin.joint_weights, 3, 20);

  ASSERT_TRUE(status);
  std::sort(new_from_old.begin(), new_from_old.end());
  std::vector<std::uint32_t> all(777);
  std::iota(all.begin(), all.end(), 0U);
  EXPECT_EQ(new_from_old, all);
}

/// The dominant joint, the smaller index of two, then the others in ascending order.
std::vector<std::int32_t> joint_set(const test::RandomSkin& skin, std::size_t point) {
  std::map<std::int32_t, float> weights;
  for (std::size_t k = point * skin.influences; k < (point + 1) * skin.influences; ++k) {
    if (skin.joint_weights[k] != 0.0F) weights[skin.joint_indices[k]] += skin.joint_weights[k];
  }
  std::vector<std::int32_t> set;
  for (const auto& [joint, weight] : weights) set.push_back(joint);
  const auto largest =
      std::max_element(weights.begin(), weights.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  if (largest != weights.end()) {
    std::rotate(set.begin(), std::find(set.begin(), set.end(), largest->first),
                std::find(set.begin(), set.end(), largest->first) + 1);
  }
  return set;
}

TEST(OrderPointsByJoint, SortsThousandsOfJointSetsAndKeepsEqualOnesInOrder) {
  constexpr std::size_t kPoints = 6000;
  const test::RandomSkin skin(9, kPoints, 30, 4, test::Spread::scattered);
  std::vector<std::uint32_t> new_from_old(kPoints);
  std::vector<std::vector<std::int32_t>> sets;
  for (std::size_t i = 0; i < kPoints; ++i) sets.push_back(joint_set(skin, i));
  std::vector<std::uint32_t> expected(kPoints);
  std::iota(expected.begin(), expected.end(), 0U);
  std::stable_sort(expected.begin(), expected.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return sets[a] < sets[b]; });

  ASSERT_TRUE(order_points_by_joint(new_from_old, skin.joint_indices, skin.joint_weights, 4, 30));

  for (std::size_t place = 0; place < kPoints; ++place) {
    ASSERT_EQ(new_from_old[expected[place]], place);
  }
}

TEST(OrderPointsByJoint, GroupsPointsByTheirDominantJoint) {
  const std::array<std::int32_t, 4> indices = {2, 0, 2, 0};
  const std::array<float, 4> weights = {1, 1, 1, 1};
  std::array<std::uint32_t, 4> new_from_old{};

  const Status status = order_points_by_joint(new_from_old, indices, weights, 1, 3);

  ASSERT_TRUE(status);
  EXPECT_THAT(new_from_old, ElementsAre(2, 0, 3, 1));
}

TEST(OrderPointsByJoint, RejectsATableOfTheWrongLength) {
  std::array<std::uint32_t, 3> new_from_old{};

  const Status status = order_points_by_joint(new_from_old, kIndices, kWeights, 2, 3);

  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::size_mismatch);
}

TEST(RemapValues, MovesEachValueToItsNewPlace) {
  const std::array<std::uint32_t, 3> new_from_old = {2, 0, 1};
  const std::array<int, 3> in = {10, 11, 12};
  std::array<int, 3> out{};

  remap_values<int>(out, in, new_from_old);

  EXPECT_THAT(out, ElementsAre(11, 12, 10));
}

TEST(RemapIndices, RenamesPointsAndLeavesInvalidOnesAlone) {
  const std::array<std::uint32_t, 3> new_from_old = {2, 0, 1};
  std::array<std::int32_t, 4> indices = {0, 2, -1, 3};

  remap_indices<std::int32_t>(indices, new_from_old);

  EXPECT_THAT(indices, ElementsAre(2, 1, -1, 3));
}

TEST(PackedInfluences, NamesTheRowThatIsOutOfRangeAndWhereItStands) {
  const std::vector<std::int32_t> indices{0, 0, 0};
  const std::vector<float> weights{1, 1, 1};
  const std::vector<std::int32_t> rows{2, 7};
  PackedInfluencesDesc desc;
  desc.joint_indices = indices;
  desc.joint_weights = weights;
  desc.influences = 1;
  desc.joint_count = 1;
  desc.row_of_element = rows;

  const auto packed = PackedInfluences::pack(desc);

  ASSERT_FALSE(packed);
  EXPECT_EQ(packed.error().message, "row_of_element is 7 at position 1, not in [0, 3).");
}

struct RowsCase {
  std::size_t influences, index_stride, weight_stride, indices, weights;
  std::optional<ErrorCode> error;
};

template <typename Index>
void expect_rows(const RowsCase& rows) {
  const std::vector<Index> indices(rows.indices, Index{0});
  const std::vector<float> weights(rows.weights, 1.0F);
  const auto pack = [&](std::size_t joint_count) {
    return PackedInfluences::pack({.joint_indices = std::span<const Index>(indices),
                                   .joint_weights = weights,
                                   .influences = rows.influences,
                                   .index_stride = rows.index_stride,
                                   .weight_stride = rows.weight_stride,
                                   .joint_count = joint_count});
  };
  const auto packed = pack(1);
  const std::string told = std::to_string(rows.indices) + " indices, " +
                           std::to_string(rows.weights) + " weights, strides " +
                           std::to_string(rows.index_stride) + " and " +
                           std::to_string(rows.weight_stride);
  ASSERT_EQ(static_cast<bool>(packed), !rows.error) << told;
  if (!packed) {
    EXPECT_EQ(packed.error().code, *rows.error) << told;
    return;
  }
  const std::size_t stride = rows.index_stride == 0 ? rows.influences : rows.index_stride;
  const std::size_t points =
      rows.indices < rows.influences ? 0 : (rows.indices - rows.influences) / stride + 1;
  EXPECT_EQ(packed->point_count(), points) << told;
  EXPECT_EQ(static_cast<bool>(pack(0)), points == 0) << told;
}

TEST(PackedInfluences, NeedRowsThatGoTogetherOfIndicesOfEveryWidth) {
  const auto ok = std::optional<ErrorCode>();
  const auto invalid = ErrorCode::invalid_argument;
  const auto mismatch = ErrorCode::size_mismatch;
  for (const RowsCase& rows : {RowsCase{2, 0, 0, 4, 4, ok},
                               {0, 0, 0, 0, 0, invalid},
                               {2, 1, 0, 4, 4, invalid},
                               {2, 0, 1, 4, 4, invalid},
                               {2, 0, 0, 4, 6, mismatch},
                               {2, 0, 0, 3, 3, mismatch},
                               {2, 3, 0, 5, 3, mismatch},
                               {2, 0, 3, 3, 5, mismatch},
                               {2, 3, 0, 5, 2, mismatch},
                               {2, 3, 3, 4, 5, mismatch},
                               {2, 2, 2, 4, 4, ok},
                               {2, 3, 3, 5, 5, ok},
                               {2, 3, 3, 7, 5, ok},
                               {2, 3, 3, 8, 8, ok},
                               {2, 3, 0, 5, 4, ok},
                               {2, 0, 3, 4, 5, ok},
                               {2, 3, 3, 1, 0, ok}}) {
    expect_rows<std::int32_t>(rows);
    expect_rows<std::uint16_t>(rows);
    expect_rows<std::uint8_t>(rows);
  }
}

TEST(PackedInfluences, HoldNothingUntilTheyArePacked) {
  const PackedInfluences none;
  EXPECT_EQ(none.point_count(), 0U);
  EXPECT_EQ(none.joint_count(), 0U);
  EXPECT_EQ(none.block_count(), 0U);
  EXPECT_EQ(none.level(), SimdLevel::scalar);
  EXPECT_EQ(none.joints_per_block(), 0.0);
  EXPECT_TRUE(none.new_from_old().empty());
}

// 2^16 corners of as many influences each.
TEST(PackedInfluences, RejectMoreInfluencesOfElementsThanCanBeNumbered) {
  constexpr std::size_t kMany = std::size_t{1} << 16;
  const std::vector<std::uint8_t> indices(kMany, 0);
  const std::vector<float> weights(kMany, 0.0F);
  const std::vector<std::int32_t> rows(kMany, 0);
  const auto packed =
      PackedInfluences::pack({.joint_indices = std::span<const std::uint8_t>(indices),
                              .joint_weights = weights,
                              .influences = kMany,
                              .joint_count = 1,
                              .row_of_element = rows});
  ASSERT_FALSE(packed);
  EXPECT_EQ(packed.error().code, ErrorCode::limit_exceeded);
  EXPECT_EQ(packed.error().message, "65536 elements are more than can be packed.");
}

TEST(PackedInfluences, RejectMoreJointsAndPointsThanCanBeNumbered) {
  const std::vector<std::uint8_t> indices(4, 0);
  const std::vector<float> weights(4, 0.25F);
  for (const bool joints : {false, true}) {
    PackedInfluencesDesc desc = {.joint_indices = std::span<const std::uint8_t>(indices),
                                 .joint_weights = weights,
                                 .influences = 4,
                                 .joint_count = 1,
                                 .scope = InfluenceScope::constant,
                                 .point_count = 10};
    EXPECT_TRUE(PackedInfluences::pack(desc));
    (joints ? desc.joint_count : desc.point_count) = std::numeric_limits<std::size_t>::max();
    const auto packed = PackedInfluences::pack(desc);
    ASSERT_FALSE(packed);
    EXPECT_EQ(packed.error().code, ErrorCode::limit_exceeded);
  }
}

TEST(OrderPointsByJoint, PutsPointsThatNoJointMovesFirst) {
  const std::array<std::int32_t, 3> indices = {0, 2, 1};
  const std::array<float, 3> weights = {1, 0, 1};
  std::array<std::uint32_t, 3> new_from_old{};
  ASSERT_TRUE(order_points_by_joint(new_from_old, indices, weights, 1, 3));
  EXPECT_THAT(new_from_old, ElementsAre(1, 0, 2));
}

TEST(OrderPointsByJoint, RejectsAnIndexOutOfRange) {
  const std::array<std::int32_t, 2> indices = {0, 3};
  const std::array<float, 2> weights = {1, 1};
  std::array<std::uint32_t, 2> new_from_old{};
  const Status status = order_points_by_joint(new_from_old, indices, weights, 1, 3);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::index_out_of_range);
  EXPECT_THAT(status.error().message, HasSubstr("3 at position 1"));
}

}  // namespace
}  // namespace sinew::skel::packed_influences_test
