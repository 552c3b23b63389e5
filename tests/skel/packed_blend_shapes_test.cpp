// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/packed_blend_shapes.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/core/executor_std_thread.hpp"
#include "support/count_allocations.hpp"
#include "support/random_skin.hpp"
#include "support/skin_job.hpp"

namespace sinew::skel::packed_blend_shapes_test {
namespace {

using test::RandomSkin;
using ::testing::HasSubstr;

/// Shapes that move stretches, single points and everything, over more than two blocks.
struct RandomShapes {
  RandomSkin skin{4, 2500, 30, 4};
  std::vector<std::vector<Vector3f>> offsets, normal_offsets;
  std::vector<std::vector<std::int32_t>> indices;
  std::vector<SubShapeDesc> sub_shapes;
  std::vector<float> weights;

  RandomShapes() {
    for (int s = 0; s < 12; ++s) {
      std::vector<std::int32_t> points;
      const bool dense = s == 5;
      for (int run = 0; run < 20 && !dense; ++run) {
        const auto first = static_cast<std::int32_t>(skin.engine() % 2460);
        const auto length = static_cast<std::int32_t>(1 + skin.engine() % 40);
        for (std::int32_t i = 0; i < length; ++i) points.push_back(first + i);
      }
      std::vector<Vector3f> moves, turns;
      for (std::size_t i = 0; i < (dense ? 2500 : points.size()); ++i) {
        moves.emplace_back(skin.real(-1, 1), skin.real(-1, 1), skin.real(-1, 1));
        turns.emplace_back(skin.real(-0.2F, 0.2F), skin.real(-0.2F, 0.2F), 0.0F);
      }
      offsets.push_back(moves);
      normal_offsets.push_back(s % 3 == 0 ? std::vector<Vector3f>() : turns);
      indices.push_back(points);
      weights.push_back(s == 7 ? 0.0F : skin.real(-1, 1));
    }
    for (std::size_t s = 0; s < offsets.size(); ++s) {
      sub_shapes.push_back({offsets[s], normal_offsets[s], indices[s]});
    }
  }

  /// Straight from the definition, in double.
  std::vector<Vector3d> judge(std::span<const Vector3f> start,
                              const std::vector<std::vector<Vector3f>>& moves) const {
    std::vector<Vector3d> result;
    for (const Vector3f& p : start) result.push_back(p.cast<double>());
    for (std::size_t s = 0; s < moves.size(); ++s) {
      for (std::size_t i = 0; i < moves[s].size(); ++i) {
        const std::size_t point = indices[s].empty() ? i : static_cast<std::size_t>(indices[s][i]);
        result[point] += static_cast<double>(weights[s]) * moves[s][i].cast<double>();
      }
    }
    return result;
  }
};

TEST(BlendShapesJob, AddsOffsetsAsDoublePrecisionDoes) {
  const RandomShapes shapes;
  const PackedBlendShapes packed =
      *PackedBlendShapes::pack({.sub_shapes = shapes.sub_shapes, .point_count = 2500});
  std::vector<Vector3f> points(2500), normals(2500);
  const BlendShapesJob job = {.shapes = &packed,
                              .weights = shapes.weights,
                              .points = shapes.skin.points,
                              .points_out = points,
                              .normals = shapes.skin.normals,
                              .normals_out = normals};

  ASSERT_TRUE(job.run());

  const std::vector<Vector3d> expected = shapes.judge(shapes.skin.points, shapes.offsets);
  const std::vector<Vector3d> turned = shapes.judge(shapes.skin.normals, shapes.normal_offsets);
  for (std::size_t i = 0; i < 2500; ++i) {
    // A handful of sums of numbers around 1.
    ASSERT_LT((points[i].cast<double>() - expected[i]).norm(), 4e-6) << i;
    ASSERT_LT((normals[i].cast<double>() - turned[i].normalized()).norm(), 4e-6) << i;
  }
}

TEST(BlendShapesJob, WorksInPlace) {
  RandomShapes shapes;
  const PackedBlendShapes packed =
      *PackedBlendShapes::pack({.sub_shapes = shapes.sub_shapes, .point_count = 2500});
  std::vector<Vector3f> out(2500);
  BlendShapesJob job = {.shapes = &packed,
                        .weights = shapes.weights,
                        .points = shapes.skin.points,
                        .points_out = out};
  ASSERT_TRUE(job.run());

  job.points_out = shapes.skin.points;
  ASSERT_TRUE(job.run());

  EXPECT_EQ(shapes.skin.points, out);
}

TEST(BlendShapesJob, ResultsDoNotDependOnThreads) {
  const RandomShapes shapes;
  const PackedBlendShapes packed =
      *PackedBlendShapes::pack({.sub_shapes = shapes.sub_shapes, .point_count = 2500});
  std::vector<Vector3f> one(2500), many(2500), one_normals(2500), many_normals(2500);
  BlendShapesJob job = {.shapes = &packed,
                        .weights = shapes.weights,
                        .points = shapes.skin.points,
                        .points_out = one,
                        .normals = shapes.skin.normals,
                        .normals_out = one_normals};
  ASSERT_TRUE(job.run());
  StdThreadPool pool(4);

  job.points_out = many;
  job.normals_out = many_normals;
  ASSERT_TRUE(job.run(pool.executor()));

  EXPECT_EQ(one, many);
  EXPECT_EQ(one_normals, many_normals);
}

TEST(BlendShapesJob, AllocatesNothing) {
  const RandomShapes shapes;
  const PackedBlendShapes packed =
      *PackedBlendShapes::pack({.sub_shapes = shapes.sub_shapes, .point_count = 2500});
  std::vector<Vector3f> out(2500);
  const BlendShapesJob job = {.shapes = &packed,
                              .weights = shapes.weights,
                              .points = shapes.skin.points,
                              .points_out = out};

  EXPECT_EQ(sinew::test::count_allocations([&] { EXPECT_TRUE(job.run()); }), 0U);
}

TEST(BlendShapesJob, FollowsAReorderedMesh) {
  const RandomShapes shapes;
  std::vector<std::uint32_t> reversed(2500);
  for (std::uint32_t i = 0; i < 2500; ++i) reversed[i] = 2499 - i;
  const PackedBlendShapes kept =
      *PackedBlendShapes::pack({.sub_shapes = shapes.sub_shapes, .point_count = 2500});
  const PackedBlendShapes moved = *PackedBlendShapes::pack(
      {.sub_shapes = shapes.sub_shapes, .point_count = 2500, .new_from_old = reversed});
  std::vector<Vector3f> expected = shapes.skin.points, actual = shapes.skin.points;
  std::reverse(actual.begin(), actual.end());

  ASSERT_TRUE((BlendShapesJob{
      .shapes = &kept, .weights = shapes.weights, .points = expected, .points_out = expected}
                   .run()));
  ASSERT_TRUE((BlendShapesJob{
      .shapes = &moved, .weights = shapes.weights, .points = actual, .points_out = actual}
                   .run()));

  std::reverse(actual.begin(), actual.end());
  EXPECT_EQ(actual, expected);
}

// skel 9.12: repeated indices accumulate.
TEST(BlendShapesJob, AddsUpRepeatedIndices) {
  const std::array<Vector3f, 3> offsets = {Vector3f(1, 0, 0), Vector3f(0, 1, 0), Vector3f(2, 0, 0)};
  const std::array<std::int32_t, 3> indices = {1, 0, 1};
  const std::array<SubShapeDesc, 1> shapes = {
      SubShapeDesc{.offsets = offsets, .point_indices = indices}};
  const PackedBlendShapes packed =
      *PackedBlendShapes::pack({.sub_shapes = shapes, .point_count = 2});
  std::array<Vector3f, 2> points = {Vector3f(0, 0, 0), Vector3f(0, 0, 0)};
  const std::array<float, 1> weights = {2};

  ASSERT_TRUE(
      (BlendShapesJob{.shapes = &packed, .weights = weights, .points = points, .points_out = points}
           .run()));

  EXPECT_EQ(points[0], Vector3f(0, 2, 0));
  EXPECT_EQ(points[1], Vector3f(6, 0, 0));
}

TEST(BlendShapesJob, TakesTheFlattenedWeightsOfASet) {
  const std::vector<Vector3f> full = {{4, 0, 0}}, half = {{1, 0, 0}};
  const std::vector<std::int32_t> moved = {2};
  BlendShape shape;
  shape.offsets = full;
  shape.point_indices = moved;
  shape.inbetweens.push_back(
      {.name = "half", .weight = 0.5F, .offsets = half, .normal_offsets = {}});
  BlendShape invalid;
  invalid.valid = false;
  const BlendShapeSet set({invalid, shape});
  const PackedBlendShapes packed = *PackedBlendShapes::pack(set, 3);
  std::vector<SubShapeWeight> weights;
  ASSERT_TRUE(set.sub_shape_weights(std::array<float, 2>{1.0F, 0.75F}, weights));
  std::vector<float> flat(set.sub_shape_count());
  ASSERT_TRUE(set.flatten(weights, flat));
  std::vector<Vector3f> points(3, Vector3f::Zero());

  ASSERT_TRUE(
      (BlendShapesJob{.shapes = &packed, .weights = flat, .points = points, .points_out = points}
           .run()));

  EXPECT_EQ(points[2], Vector3f(2.5F, 0, 0));
  EXPECT_EQ(points[0], Vector3f(0, 0, 0));
}

TEST(PackedBlendShapes, NamesTheSubShapeWhoseOffsetsDoNotFit) {
  const std::array<Vector3f, 2> offsets = {};
  const std::array<SubShapeDesc, 2> shapes = {SubShapeDesc{}, SubShapeDesc{.offsets = offsets}};

  const auto packed = PackedBlendShapes::pack({.sub_shapes = shapes, .point_count = 3});

  ASSERT_FALSE(packed);
  EXPECT_EQ(packed.error().code, ErrorCode::size_mismatch);
  EXPECT_THAT(packed.error().message, HasSubstr("Sub-shape 1"));
}

TEST(PackedBlendShapes, NeedsAnOrderOfAllPoints) {
  const std::array<std::uint32_t, 4> order = {3, 2, 1, 0};
  for (const std::size_t size : {2U, 4U}) {
    const auto packed = PackedBlendShapes::pack(
        {.sub_shapes = {}, .point_count = 3, .new_from_old = std::span(order).first(size)});
    ASSERT_FALSE(packed);
    EXPECT_EQ(packed.error().code, ErrorCode::size_mismatch);
  }
  const std::array<Vector3f, 3> offsets = {};
  const std::array<SubShapeDesc, 1> shapes = {SubShapeDesc{.offsets = offsets}};
  const auto packed = PackedBlendShapes::pack(
      {.sub_shapes = shapes, .point_count = 3, .new_from_old = std::span(order).first(3)});
  ASSERT_FALSE(packed);
  EXPECT_EQ(packed.error().code, ErrorCode::index_out_of_range);
  EXPECT_EQ(packed.error().message, "new_from_old[0] is 3, but there are 3 points.");
}

TEST(PackedBlendShapes, NeedInfluencesOfTheirPoints) {
  const RandomSkin skin(1, 5, 3, 2);
  const PackedInfluences influences = test::pack(skin);
  const auto packed = PackedBlendShapes::pack({.point_count = 3, .influences = &influences});
  ASSERT_FALSE(packed);
  EXPECT_EQ(packed.error().code, ErrorCode::size_mismatch);
  EXPECT_EQ(packed.error().message, "influences has 5 entries, but 3 are needed.");
  EXPECT_TRUE(PackedBlendShapes::pack({.point_count = 5, .influences = &influences}));
}

TEST(PackedBlendShapes, NamesNormalOffsetsThatDoNotFit) {
  const std::array<Vector3f, 3> offsets = {};
  const std::array<Vector3f, 2> normals = {};
  const std::array<SubShapeDesc, 1> shapes = {
      SubShapeDesc{.offsets = offsets, .normal_offsets = normals}};
  const auto packed = PackedBlendShapes::pack({.sub_shapes = shapes, .point_count = 3});
  ASSERT_FALSE(packed);
  EXPECT_EQ(packed.error().code, ErrorCode::size_mismatch);
  EXPECT_THAT(packed.error().message, HasSubstr("normal offsets"));
}

TEST(PackedBlendShapes, NamesAnIndexOutOfRange) {
  const std::array<Vector3f, 2> offsets = {};
  for (const std::size_t bad : {0U, 1U}) {
    std::array<std::int32_t, 2> indices = {};
    indices[bad] = 3;
    const std::array<SubShapeDesc, 1> shapes = {
        SubShapeDesc{.offsets = offsets, .point_indices = indices}};

    const auto packed = PackedBlendShapes::pack({.sub_shapes = shapes, .point_count = 3});

    ASSERT_FALSE(packed);
    EXPECT_EQ(packed.error().code, ErrorCode::index_out_of_range);
    EXPECT_THAT(packed.error().message, HasSubstr("3 at position " + std::to_string(bad)));
  }
}

TEST(BlendShapesJob, RejectsTooFewWeights) {
  const RandomShapes shapes;
  const PackedBlendShapes packed =
      *PackedBlendShapes::pack({.sub_shapes = shapes.sub_shapes, .point_count = 2500});
  const BlendShapesJob job = {.shapes = &packed, .weights = std::span(shapes.weights).first(3)};

  EXPECT_EQ(job.validate().error().code, ErrorCode::size_mismatch);
}

struct Fused {
  RandomShapes source;
  PackedInfluences influences;
  SkinPalette palette;
  PackedBlendShapes shapes;
  std::vector<Vector3f> points = std::vector<Vector3f>(2500);
  std::vector<Vector3f> normals = std::vector<Vector3f>(2500);
  std::vector<Vector3f> tangents = std::vector<Vector3f>(2500);

  explicit Fused(SimdLevel level, SkinningMethod method = SkinningMethod::linear) {
    source.skin.add_scales();
    influences = *PackedInfluences::pack({.joint_indices = source.skin.joint_indices,
                                          .joint_weights = source.skin.joint_weights,
                                          .influences = 4,
                                          .joint_count = 30,
                                          .level = level});
    palette.prepare(method, source.skin.skinning, source.skin.geom_bind);
    shapes = *PackedBlendShapes::pack({.sub_shapes = source.sub_shapes, .point_count = 2500});
  }

  BlendAndSkinJob job() {
    return {.skin = {.influences = &influences,
                     .palette = palette.view(),
                     .points = source.skin.points,
                     .points_out = points,
                     .normals = source.skin.normals,
                     .normals_out = normals,
                     .tangents = source.skin.tangents,
                     .tangents_out = tangents},
            .shapes = &shapes,
            .weights = source.weights};
  }
};

// Bit for bit: fusing changes where points are kept, not what is computed.
TEST(BlendAndSkinJob, EqualsTheTwoJobsOneAfterTheOther) {
  for (const SimdLevel level : supported_simd_levels()) {
    for (const auto method : {SkinningMethod::linear, SkinningMethod::dual_quaternion}) {
      Fused fused(level, method);
      std::vector<Vector3f> points = fused.source.skin.points;
      std::vector<Vector3f> normals = fused.source.skin.normals;
      std::vector<Vector3f> tangents(2500);
      ASSERT_TRUE((BlendShapesJob{.shapes = &fused.shapes,
                                  .weights = fused.source.weights,
                                  .points = points,
                                  .points_out = points,
                                  .normals = normals,
                                  .normals_out = normals}
                       .run()));
      SkinPointsJob skin = fused.job().skin;
      skin.points = skin.points_out = points;
      skin.normals = skin.normals_out = normals;
      skin.tangents_out = tangents;
      ASSERT_TRUE(skin.run());

      ASSERT_TRUE(fused.job().run());

      EXPECT_EQ(fused.points, points);
      EXPECT_EQ(fused.normals, normals);
      EXPECT_EQ(fused.tangents, tangents);
    }
  }
}

TEST(BlendAndSkinJob, ResultsDoNotDependOnThreads) {
  Fused one(SimdLevel::best), many(SimdLevel::best);
  StdThreadPool pool(4);

  ASSERT_TRUE(one.job().run());
  ASSERT_TRUE(many.job().run(pool.executor()));

  EXPECT_EQ(one.points, many.points);
  EXPECT_EQ(one.normals, many.normals);
}

TEST(BlendAndSkinJob, AllocatesNothing) {
  Fused fused(SimdLevel::best);
  const BlendAndSkinJob job = fused.job();

  const std::size_t allocations =
      sinew::test::count_allocations([&job] { EXPECT_TRUE(job.run()); });

  EXPECT_EQ(allocations, 0U);
}

// As evaluation does: only shapes that turn normals make them unit length.
TEST(BlendShapesJob, LeavesNormalsAloneThatNoShapeTurns) {
  const std::vector<Vector3f> rest(3, Vector3f::Ones()), normals(3, Vector3f(0.0F, 0.0F, 2.0F));
  std::vector<Vector3f> points_out(3), normals_out(3);
  const SubShapeDesc shape = {.offsets = rest};
  const PackedBlendShapes shapes =
      *PackedBlendShapes::pack({.sub_shapes = std::span(&shape, 1), .point_count = 3});
  const float weights[] = {1.0F};
  const BlendShapesJob job = {.shapes = &shapes,
                              .weights = weights,
                              .points = rest,
                              .points_out = points_out,
                              .normals = normals,
                              .normals_out = normals_out};
  ASSERT_TRUE(job.run());
  EXPECT_EQ(points_out[2], Vector3f(2.0F, 2.0F, 2.0F));
  EXPECT_EQ(normals_out, normals);
}

TEST(BlendAndSkinJob, RejectsShapesForAnotherMesh) {
  Fused fused(SimdLevel::best);
  const PackedBlendShapes other = *PackedBlendShapes::pack({.point_count = 7});
  BlendAndSkinJob job = fused.job();
  job.shapes = &other;
  job.weights = {};

  EXPECT_EQ(job.validate().error().code, ErrorCode::size_mismatch);
}

TEST(PackedBlendShapes, AreNeededByBothJobs) {
  for (const Status& status : {BlendShapesJob{}.validate(), BlendAndSkinJob{}.validate()}) {
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::invalid_argument);
    EXPECT_EQ(status.error().message, "shapes is null.");
  }
  EXPECT_EQ(PackedBlendShapes().point_count(), 0U);
  EXPECT_EQ(PackedBlendShapes().sub_shape_count(), 0U);
}

TEST(BlendShapesJob, MayDeformNormalsAlone) {
  const RandomShapes shapes;
  const PackedBlendShapes packed =
      *PackedBlendShapes::pack({.sub_shapes = shapes.sub_shapes, .point_count = 2500});
  std::vector<Vector3f> points(2500), normals(2500), alone(2500);
  BlendShapesJob job = {.shapes = &packed,
                        .weights = shapes.weights,
                        .points = shapes.skin.points,
                        .points_out = points,
                        .normals = shapes.skin.normals,
                        .normals_out = normals};
  ASSERT_TRUE(job.run());

  job.points = {};
  job.points_out = {};
  job.normals_out = alone;
  ASSERT_TRUE(job.run());

  EXPECT_EQ(alone, normals);
  EXPECT_NE(alone, shapes.skin.normals);
}

TEST(BlendAndSkinJob, MayDeformNormalsAlone) {
  Fused fused(SimdLevel::best);
  ASSERT_TRUE(fused.job().run());
  const std::vector<Vector3f> normals = fused.normals;
  std::fill(fused.normals.begin(), fused.normals.end(), Vector3f::Zero());

  BlendAndSkinJob job = fused.job();
  job.skin.points = job.skin.tangents = {};
  job.skin.points_out = job.skin.tangents_out = {};
  ASSERT_TRUE(job.run());

  EXPECT_EQ(fused.normals, normals);
}

// skel 9.12: what is as small as rounding is no weight, of either sign.
TEST(BlendShapesJob, LeavesOutTinyWeights) {
  const std::array<Vector3f, 1> offset = {Vector3f(1, 0, 0)};
  const std::array<std::int32_t, 4> points = {0, 1, 2, 3};
  std::vector<SubShapeDesc> shapes;
  for (const std::int32_t& point : points) {
    shapes.push_back({.offsets = offset, .point_indices = std::span(&point, 1)});
  }
  const PackedBlendShapes packed =
      *PackedBlendShapes::pack({.sub_shapes = shapes, .point_count = 4});
  const std::array<float, 4> weights = {9e-7F, -9e-7F, 2e-6F, -2e-6F};
  std::vector<Vector3f> moved(4, Vector3f::Zero());
  ASSERT_TRUE(
      (BlendShapesJob{.shapes = &packed, .weights = weights, .points = moved, .points_out = moved}
           .run()));
  EXPECT_EQ(moved[0].x(), 0.0F);
  EXPECT_EQ(moved[1].x(), 0.0F);
  EXPECT_EQ(moved[2].x(), 2e-6F);
  EXPECT_EQ(moved[3].x(), -2e-6F);
}

}  // namespace
}  // namespace sinew::skel::packed_blend_shapes_test
