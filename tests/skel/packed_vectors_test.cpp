// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/packed_vectors.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/core/simd.hpp"
#include "sinew/skel/packed_blend_shapes.hpp"
#include "sinew/skel/skinning.hpp"
#include "support/random_skin.hpp"
#include "support/skin_job.hpp"

namespace sinew::skel::packed_vectors_test {
namespace {

using test::pack;
using test::RandomSkin;
using test::Spread;

bool reads_packed(const PackedInfluences& influences) {
  return influences.form() == InfluenceForm::blocks && influences.block_width() >= 16;
}

bool same_bits(const std::vector<Vector3f>& a, const std::vector<Vector3f>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(Vector3f)) == 0);
}

TEST(PackedVectors, HoldBlockByBlockOneComponentAfterTheOther) {
  const RandomSkin skin(1, 75, 3, 1);
  const PackedInfluences influences = pack(skin);
  if (!reads_packed(influences)) GTEST_SKIP() << "no kernels with wide blocks here";

  const Result<PackedVectors> packed = PackedVectors::pack(skin.points, influences);

  ASSERT_TRUE(packed);
  EXPECT_FALSE(packed->empty());
  EXPECT_EQ(packed->size(), 75U);
  const std::size_t width = packed->block_width();
  EXPECT_EQ(width, influences.block_width());
  const std::span<const float> floats = packed->floats();
  ASSERT_EQ(floats.size(), influences.block_count() * 3 * width);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(floats.data()) % 64, 0U);
  for (std::size_t i = 0; i < influences.block_count() * width; ++i) {
    const Vector3f expected = i < 75 ? skin.points[i] : Vector3f(0, 0, 0);
    for (std::size_t c = 0; c < 3; ++c) {
      EXPECT_EQ(floats[(i / width * 3 + c) * width + i % width],
                expected[static_cast<Eigen::Index>(c)])
          << i;
    }
  }
}

TEST(PackedVectors, AreEmptyWhereKernelsReadNoBlocks) {
  const RandomSkin skin(1, 40, 3, 1);
  EXPECT_TRUE(PackedVectors().empty());
  EXPECT_TRUE(PackedVectors().floats().empty());
  EXPECT_TRUE(PackedVectors::pack({}, PackedInfluences())->empty());

  for (const SimdLevel level : supported_simd_levels()) {
    const PackedInfluences influences = pack(skin, level);
    const PackedVectors packed = *PackedVectors::pack(skin.points, influences);
    EXPECT_EQ(packed.empty(), !reads_packed(influences)) << to_string(level);
    EXPECT_EQ(packed.size(), packed.empty() ? 0U : 40U);
  }

  const PackedInfluences constant =
      *PackedInfluences::pack({.joint_indices = std::span(skin.joint_indices).first(1),
                               .joint_weights = std::span(skin.joint_weights).first(1),
                               .influences = 1,
                               .joint_count = 3,
                               .scope = InfluenceScope::constant,
                               .point_count = 40});
  EXPECT_TRUE(PackedVectors::pack(skin.points, constant)->empty());
}

TEST(PackedVectors, AreOnePerPoint) {
  const RandomSkin skin(1, 40, 3, 1);

  const Result<PackedVectors> packed =
      PackedVectors::pack(std::span(skin.points).first(39), pack(skin));

  ASSERT_FALSE(packed);
  EXPECT_EQ(packed.error().code, ErrorCode::size_mismatch);
  EXPECT_THAT(packed.error().message, testing::HasSubstr("39"));
}

TEST(PackedVectors, OfAnotherMeshAreRefused) {
  const RandomSkin skin(1, 40, 3, 1), other(1, 41, 3, 1);
  const PackedInfluences influences = pack(skin), others = pack(other);
  if (!reads_packed(influences)) GTEST_SKIP() << "no kernels with wide blocks here";
  const PackedVectors packed = *PackedVectors::pack(other.points, others);
  SkinPalette palette;
  palette.prepare_linear(skin.skinning, skin.geom_bind);
  test::Deformed out;
  SkinPointsJob job = test::skin_job(skin, influences, palette.view(), out);
  out.points.front() = Vector3f(7, 7, 7);
  const auto refused = [&](const PackedVectors* SkinPointsJob::*member, const char* name) {
    job.*member = &packed;
    const Status status = job.run();
    job.*member = nullptr;
    return !status && status.error().code == ErrorCode::size_mismatch &&
           status.error().message.find(name) == 0;
  };
  EXPECT_TRUE(refused(&SkinPointsJob::packed_points, "packed_points has 41"));
  EXPECT_TRUE(refused(&SkinPointsJob::packed_normals, "packed_normals has 41"));
  EXPECT_TRUE(refused(&SkinPointsJob::packed_tangents, "packed_tangents has 41"));
  EXPECT_EQ(out.points.front(), Vector3f(7, 7, 7));

  // Without what they stand for they are not read, but are wrong all the same.
  job.tangents = {};
  job.tangents_out = {};
  EXPECT_TRUE(refused(&SkinPointsJob::packed_tangents, "packed_tangents has 41"));
}

TEST(PackedVectors, OfInfluencesOfAnotherWidthAreRefused) {
  const RandomSkin skin(1, 40, 3, 1);
  const PackedInfluences best = pack(skin);
  SkinPalette palette;
  palette.prepare_linear(skin.skinning, skin.geom_bind);
  std::vector<Vector3f> out(40);
  bool tried = false;
  for (const SimdLevel level : supported_simd_levels()) {
    const PackedInfluences other = pack(skin, level);
    if (!reads_packed(other) || other.block_width() == best.block_width()) continue;
    tried = true;
    const PackedVectors packed = *PackedVectors::pack(skin.points, other);
    const Status status = SkinPointsJob{.influences = &best,
                                        .palette = palette.view(),
                                        .points = skin.points,
                                        .points_out = out,
                                        .packed_points = &packed}
                              .run();
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::invalid_argument);
    EXPECT_THAT(status.error().message, testing::HasSubstr("packed_points has blocks of "));
  }
  if (!tried) GTEST_SKIP() << "one width of blocks here";
}

struct Outputs : test::Deformed {
  bool operator==(const Outputs& other) const {
    return same_bits(points, other.points) && same_bits(normals, other.normals) &&
           same_bits(tangents, other.tangents);
  }
};

/// A mesh of random size with one of every kind of job, and all of its values packed.
struct Subject {
  RandomSkin skin;
  PackedInfluences influences;
  PackedVectors points, normals, tangents;
  SkinPalette palette;
  PackedBlendShapes shapes, packed_for_influences;
  Outputs out;
  bool has_points, has_normals, has_tangents, in_place;
  OutputUse use;

  Subject(unsigned seed, SimdLevel level)
      : skin(seed, std::array{1U, 8U, 15U, 33U, 64U, 257U, 1024U, 3001U}[seed % 8], 23,
             1 + seed % 5, seed % 17 == 0 ? Spread::scattered : Spread::limbs) {
    const unsigned wanted = 1 + seed / 16 % 7;
    has_points = (wanted & 1U) != 0;
    has_normals = (wanted & 2U) != 0;
    has_tangents = (wanted & 4U) != 0;
    in_place = seed % 7 == 0;
    use = seed % 11 == 0 ? OutputUse::streamed : OutputUse::cached;
    if (seed % 3 == 0) skin.add_scales();
    if (seed % 19 == 0) skin.geom_bind(3, 0) = 0.05;
    // Results that are not finite, of which points that other joints move must see nothing.
    if (seed % 13 == 0) skin.skinning[1] *= 1e300;
    influences = pack(skin, level);
    points = *PackedVectors::pack(skin.points, influences);
    normals = *PackedVectors::pack(skin.normals, influences);
    tangents = *PackedVectors::pack(skin.tangents, influences);
    palette.prepare(seed / 8 % 2 == 0 ? SkinningMethod::linear : SkinningMethod::dual_quaternion,
                    skin.skinning, skin.geom_bind);
    add_shapes(seed % 5 == 0);
  }

  // Two that move a stretch each, and one that moves all.
  void add_shapes(bool with_normals) {
    const std::size_t n = skin.point_count();
    std::vector<std::int32_t> low, high;
    for (std::size_t i = n / 5; i < n / 2; ++i) low.push_back(static_cast<std::int32_t>(i));
    for (std::size_t i = n - n / 3; i < n; i += 2) high.push_back(static_cast<std::int32_t>(i));
    std::vector<Vector3f> offsets;
    for (std::size_t i = 0; i < n; ++i) offsets.push_back(skin.direction());
    const auto some = [&](std::size_t count) { return std::span(offsets).first(count); };
    SubShapeDesc sub_shapes[3] = {
        {some(low.size()), {}, low}, {some(high.size()), {}, high}, {some(n), {}, {}}};
    if (with_normals) sub_shapes[1].normal_offsets = some(high.size());
    shapes = *PackedBlendShapes::pack({.sub_shapes = sub_shapes, .point_count = n});
    packed_for_influences = *PackedBlendShapes::pack(
        {.sub_shapes = sub_shapes, .point_count = n, .influences = &influences});
  }

  SkinPointsJob job(bool packed) {
    SkinPointsJob job = {.influences = &influences, .palette = palette.view(), .output_use = use};
    const auto add = [this](bool wanted, auto&... stream) {
      test::add_stream(wanted, in_place, stream...);
    };
    add(has_points, skin.points, out.points, job.points, job.points_out);
    add(has_normals, skin.normals, out.normals, job.normals, job.normals_out);
    add(has_tangents, skin.tangents, out.tangents, job.tangents, job.tangents_out);
    if (packed) {
      if (has_points) job.packed_points = &points;
      if (has_normals) job.packed_normals = &normals;
      if (has_tangents) job.packed_tangents = &tangents;
    }
    return job;
  }

  Outputs skinned(bool packed) {
    EXPECT_TRUE(job(packed).run());
    return out;
  }

  /// In two ranges of blocks.
  Outputs skinned_in_parts(bool packed) {
    const SkinPointsJob whole = job(packed);
    const std::size_t middle = whole.block_count() / 3;
    whole.run_blocks(middle, whole.block_count());
    whole.run_blocks(0, middle);
    return out;
  }

  Outputs blended_and_skinned(bool packed, const PackedBlendShapes& with,
                              std::span<const float> sub_shape_weights) {
    EXPECT_TRUE((BlendAndSkinJob{job(packed), &with, sub_shape_weights}.run()));
    return out;
  }

  /// In two ranges of blocks.
  Outputs blended_and_skinned_in_parts(std::span<const float> sub_shape_weights) {
    const BlendAndSkinJob whole = {job(true), &packed_for_influences, sub_shape_weights};
    const std::size_t middle = whole.block_count() / 2;
    whole.run_blocks(middle, whole.block_count());
    whole.run_blocks(0, middle);
    return out;
  }

  /// One after the other, all of it written to memory between.
  Outputs blended_then_skinned(std::span<const float> sub_shape_weights) {
    SkinPointsJob skin_job = job(false);
    std::vector<Vector3f> blended_points(skin_job.points.size());
    std::vector<Vector3f> blended_normals(skin_job.normals.size());
    EXPECT_TRUE((BlendShapesJob{.shapes = &shapes,
                                .weights = sub_shape_weights,
                                .points = skin_job.points,
                                .points_out = blended_points,
                                .normals = skin_job.normals,
                                .normals_out = blended_normals}
                     .run()));
    skin_job.points = blended_points;
    skin_job.normals = blended_normals;
    EXPECT_TRUE(skin_job.run());
    return out;
  }
};

TEST(PackedVectors, MakeNoDifferenceToAnyJob) {
  for (const SimdLevel level : supported_simd_levels()) {
    for (unsigned seed = 1; seed <= 240; ++seed) {
      SCOPED_TRACE(std::string(to_string(level)) + ", mesh " + std::to_string(seed));
      Subject subject(seed, level);
      const Outputs expected = subject.skinned(false);
      EXPECT_TRUE(subject.skinned(true) == expected);
      EXPECT_TRUE(subject.skinned_in_parts(true) == expected);
      EXPECT_TRUE(subject.skinned_in_parts(false) == expected);
      for (const std::array<float, 3> weights :
           {std::array{0.0F, 0.0F, 0.0F}, std::array{0.5F, 0.0F, 0.0F},
            std::array{0.0F, -0.75F, 0.0F}, std::array{1.0F, 0.25F, 0.0F},
            std::array{0.0F, 1.0F, 0.5F}, std::array{9e-7F, 1.0F, -9e-7F},
            std::array{0.5F, std::numeric_limits<float>::infinity(), 0.0F}}) {
        const Outputs blended = subject.blended_then_skinned(weights);
        EXPECT_TRUE(subject.blended_and_skinned(false, subject.shapes, weights) == blended);
        EXPECT_TRUE(subject.blended_and_skinned(true, subject.shapes, weights) == blended);
        const PackedBlendShapes& shapes = subject.packed_for_influences;
        EXPECT_TRUE(subject.blended_and_skinned(false, shapes, weights) == blended);
        EXPECT_TRUE(subject.blended_and_skinned(true, shapes, weights) == blended);
        EXPECT_TRUE(subject.blended_and_skinned_in_parts(weights) == blended);
      }
    }
  }
}

// What kernels read shows in values that are not the same, against the rule: then those of packed
// points count, where shapes move them too.
TEST(PackedVectors, AreReadInPlaceOfPointsThatShapesMove) {
  for (const SimdLevel level : supported_simd_levels()) {
    SCOPED_TRACE(to_string(level));
    RandomSkin skin(6, 3001, 23, 3);
    const PackedInfluences influences = pack(skin, level);
    std::vector<Vector3f> offsets;
    for (std::size_t i = 0; i < 3001; ++i) offsets.push_back(skin.direction());
    const SubShapeDesc shape = {.offsets = offsets};
    const PackedBlendShapes shapes = *PackedBlendShapes::pack(
        {.sub_shapes = std::span(&shape, 1), .point_count = 3001, .influences = &influences});
    EXPECT_EQ(shapes.influence_block_width(),
              reads_packed(influences) ? influences.block_width() : 0U);
    if (!reads_packed(influences)) continue;
    const PackedVectors points = *PackedVectors::pack(skin.points, influences);
    const PackedVectors tangents = *PackedVectors::pack(skin.tangents, influences);
    SkinPalette palette;
    palette.prepare(SkinningMethod::linear, skin.skinning, skin.geom_bind);
    const float weight = 0.75F;
    const std::vector<Vector3f> zeros(3001, Vector3f::Zero());
    const auto deformed = [&](std::span<const Vector3f> rest, bool directed) {
      std::vector<Vector3f> out(3001), tangents_out(3001);
      BlendAndSkinJob job = {.skin = {.influences = &influences,
                                      .palette = palette.view(),
                                      .points = rest,
                                      .points_out = out,
                                      .packed_points = &points},
                             .shapes = &shapes,
                             .weights = std::span(&weight, 1)};
      if (directed) {
        job.skin.tangents = skin.tangents;
        job.skin.tangents_out = tangents_out;
        job.skin.packed_tangents = &tangents;
      }
      EXPECT_TRUE(job.run());
      // The last block is short; frames work on it in a copy of the points.
      out.resize(3001 - 3001 % influences.block_width());
      return out;
    };
    for (const bool directed : {false, true}) {
      EXPECT_TRUE(same_bits(deformed(zeros, directed), deformed(skin.points, directed)))
          << directed;
    }
  }
}

}  // namespace
}  // namespace sinew::skel::packed_vectors_test
