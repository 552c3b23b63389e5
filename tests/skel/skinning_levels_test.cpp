// SPDX-License-Identifier: Apache-2.0
//
// Every level this machine has, judged by double precision within the documented error.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/core/simd.hpp"
#include "sinew/skel/packed_vectors.hpp"
#include "sinew/skel/skinning.hpp"
#include "support/random_skin.hpp"
#include "support/skin_job.hpp"
#include "support/skinning_judge.hpp"

namespace sinew::skel::skinning_levels_test {
namespace {

using test::Deformed;
using test::Judged;
using test::pack;
using test::RandomSkin;
using test::skin_job;
using test::Spread;

constexpr double kUnit = 0x1p-24;

Deformed deform(const RandomSkin& skin, const PackedInfluences& packed,
                SkinningMethod method = SkinningMethod::linear) {
  SkinPalette palette;
  palette.prepare(method, skin.skinning, skin.geom_bind);
  Deformed out;
  const SkinPointsJob job = skin_job(skin, packed, palette.view(), out);
  const Status status = job.run();
  EXPECT_TRUE(status) << (status ? "" : status.error().message);
  return out;
}

/// Points alone, which other kernels deform.
std::vector<Vector3f> deform_points(const RandomSkin& skin, const PackedInfluences& packed) {
  SkinPalette palette;
  palette.prepare(SkinningMethod::linear, skin.skinning, skin.geom_bind);
  std::vector<Vector3f> out(skin.point_count());
  const SkinPointsJob job = {
      .influences = &packed, .palette = palette.view(), .points = skin.points, .points_out = out};
  EXPECT_TRUE(job.run());
  return out;
}

/// Largest error of a component in units of the documented bound: must not exceed 1.
double worst_point(const std::vector<Vector3f>& points, const std::vector<Judged>& judged,
                   std::size_t influences) {
  double worst = 0.0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double bound =
        (static_cast<double>(influences) + 6.0) * kUnit * judged[i].magnitude * judged[i].weight +
        1e-30;
    const double error = (points[i].cast<double>() - judged[i].value).cwiseAbs().maxCoeff();
    worst = std::max(worst, error / bound);
  }
  return worst;
}

double worst_direction(const std::vector<Vector3f>& vectors, const std::vector<Judged>& judged) {
  double worst = 0.0;
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    const double bound = 32.0 * kUnit * std::max(judged[i].magnitude, 1.0);
    const double error = (vectors[i].cast<double>() - judged[i].value).cwiseAbs().maxCoeff();
    worst = std::max(worst, error / bound);
  }
  return worst;
}

struct Case {
  SimdLevel level;
  Spread spread;
  std::size_t influences;
};

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const SimdLevel level : supported_simd_levels()) {
    for (const Spread spread : {Spread::limbs, Spread::scattered}) {
      for (const std::size_t influences : {1U, 2U, 4U, 7U}) {
        cases.push_back({level, spread, influences});
      }
    }
  }
  return cases;
}

std::string case_name(const ::testing::TestParamInfo<Case>& info) {
  return std::string(to_string(info.param.level)) +
         (info.param.spread == Spread::limbs ? "_limbs_" : "_scattered_") +
         std::to_string(info.param.influences);
}

class SkinningLevels : public ::testing::TestWithParam<Case> {
 protected:
  // 1003 points: no multiple of any block width.
  RandomSkin skin{7, 1003, 61, GetParam().influences, GetParam().spread};
};

TEST_P(SkinningLevels, LinearPointsAgreeWithDoublePrecision) {
  skin.add_scales();
  const PackedInfluences packed = pack(skin, GetParam().level);

  const Deformed out = deform(skin, packed);

  EXPECT_LE(worst_point(out.points, judge_linear_points(skin), skin.influences), 1.0);
}

TEST_P(SkinningLevels, LinearDirectionsAgreeWithDoublePrecisionWithScales) {
  skin.add_scales();
  const PackedInfluences packed = pack(skin, GetParam().level);

  const Deformed out = deform(skin, packed);

  EXPECT_LE(worst_direction(out.normals, judge_linear_normals(skin)), 1.0);
  EXPECT_LE(worst_direction(out.tangents, judge_linear_tangents(skin)), 1.0);
}

TEST_P(SkinningLevels, LinearDirectionsAgreeWithDoublePrecisionWithoutScales) {
  const PackedInfluences packed = pack(skin, GetParam().level);

  const Deformed out = deform(skin, packed);

  EXPECT_LE(worst_direction(out.normals, judge_linear_normals(skin)), 1.0);
  EXPECT_LE(worst_direction(out.tangents, judge_linear_tangents(skin)), 1.0);
}

TEST_P(SkinningLevels, ProjectiveGeomBindDividesBeforeTheJoints) {
  skin.geom_bind.row(3) << 0.01, -0.02, 0.015, 0.9;
  const PackedInfluences packed = pack(skin, GetParam().level);

  const Deformed out = deform(skin, packed);

  // The division is one more rounding of a point that then passes through the joints.
  EXPECT_LE(worst_point(out.points, judge_linear_points(skin), skin.influences + 6), 1.0);
}

/// The documented bound of dual quaternions.
double worst_dual(const std::vector<Vector3f>& values, const std::vector<Judged>& judged) {
  double worst = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double bound = 32.0 * kUnit * judged[i].magnitude * judged[i].weight;
    const double error = (values[i].cast<double>() - judged[i].value).cwiseAbs().maxCoeff();
    worst = std::max(worst, error / bound);
  }
  return worst;
}

TEST_P(SkinningLevels, DualQuaternionsAgreeWithDoublePrecisionWithoutScales) {
  const PackedInfluences packed = pack(skin, GetParam().level);

  const Deformed out = deform(skin, packed, SkinningMethod::dual_quaternion);

  EXPECT_LE(worst_dual(out.points, test::judge_dual(skin, false)), 1.0);
  EXPECT_LE(worst_dual(out.normals, test::judge_dual(skin, true)), 1.0);
}

TEST_P(SkinningLevels, DualQuaternionsAgreeWithDoublePrecisionWithScales) {
  skin.add_scales();
  const PackedInfluences packed = pack(skin, GetParam().level);

  const Deformed out = deform(skin, packed, SkinningMethod::dual_quaternion);

  EXPECT_LE(worst_dual(out.points, test::judge_dual(skin, false)), 1.0);
  EXPECT_LE(worst_dual(out.normals, test::judge_dual(skin, true)), 1.0);
}

INSTANTIATE_TEST_SUITE_P(All, SkinningLevels, ::testing::ValuesIn(all_cases()), case_name);

class SkinningEveryLevel : public ::testing::TestWithParam<SimdLevel> {};

// The last block is the delicate one: every count from none to beyond two blocks of any level.
TEST_P(SkinningEveryLevel, WritesExactlyThePointsThereAre) {
  for (std::size_t n = 0; n <= 70; ++n) {
    const RandomSkin skin(static_cast<unsigned>(n) + 1, n, 5, 3);
    const PackedInfluences packed = pack(skin, GetParam());
    SkinPalette palette;
    palette.prepare_linear(skin.skinning, skin.geom_bind);
    const Vector3f untouched(1e9F, 2e9F, 3e9F);
    std::vector<Vector3f> out(n + 2, untouched);
    std::vector<Vector3f> normals(n + 2, untouched);
    const SkinPointsJob job = {.influences = &packed,
                               .palette = palette.view(),
                               .points = skin.points,
                               .points_out = std::span(out).subspan(1, n),
                               .normals = skin.normals,
                               .normals_out = std::span(normals).subspan(1, n)};

    ASSERT_TRUE(job.run());

    EXPECT_EQ(out.front(), untouched) << n;
    EXPECT_EQ(out.back(), untouched) << n;
    EXPECT_EQ(normals.front(), untouched) << n;
    EXPECT_EQ(normals.back(), untouched) << n;
    out.erase(out.begin());
    out.pop_back();
    EXPECT_LE(worst_point(out, judge_linear_points(skin), 3), 1.0) << n;
  }
}

TEST_P(SkinningEveryLevel, MovesRigidBlocksAsTheirJoint) {
  RandomSkin skin(5, 200, 3, 1);
  std::fill(skin.joint_weights.begin(), skin.joint_weights.end(), 1.0F);
  const PackedInfluences packed = pack(skin, GetParam());

  const Deformed out = deform(skin, packed);

  EXPECT_LE(worst_point(out.points, judge_linear_points(skin), 1), 1.0);
  EXPECT_LE(worst_direction(out.normals, judge_linear_normals(skin)), 1.0);
}

TEST_P(SkinningEveryLevel, MovesAllPointsAlikeWithConstantInfluences) {
  RandomSkin skin(6, 203, 4, 1);
  skin.add_scales();
  const std::vector<std::int32_t> indices = {2, 0, 3};
  const std::vector<float> weights = {0.5F, 0.25F, 0.125F};
  const Result<PackedInfluences> packed = PackedInfluences::pack({.joint_indices = indices,
                                                                  .joint_weights = weights,
                                                                  .influences = 3,
                                                                  .joint_count = 4,
                                                                  .scope = InfluenceScope::constant,
                                                                  .point_count = 203,
                                                                  .level = GetParam()});
  ASSERT_TRUE(packed);
  skin.influences = 3;
  skin.joint_indices.clear();
  skin.joint_weights.clear();
  for (int i = 0; i < 203; ++i) {
    skin.joint_indices.insert(skin.joint_indices.end(), indices.begin(), indices.end());
    skin.joint_weights.insert(skin.joint_weights.end(), weights.begin(), weights.end());
  }

  const Deformed out = deform(skin, *packed);

  EXPECT_LE(worst_point(out.points, judge_linear_points(skin), 3), 1.0);
  EXPECT_LE(worst_direction(out.normals, judge_linear_normals(skin)), 1.0);
  EXPECT_LE(worst_direction(out.tangents, judge_linear_tangents(skin)), 1.0);
}

// Zero times infinity is not a number: neighbours must not be poisoned by a joint they do not use.
TEST_P(SkinningEveryLevel, AnOverflowingJointLeavesPointsThatDoNotUseItAlone) {
  RandomSkin skin(8, 64, 2, 1);
  for (std::size_t i = 0; i < 64; ++i) skin.joint_indices[i] = i % 2;
  std::fill(skin.joint_weights.begin(), skin.joint_weights.end(), 0.75F);
  const PackedInfluences packed = pack(skin, GetParam());
  const Deformed expected = deform(skin, packed);
  skin.skinning[1] = Matrix4d::Identity() * 1e300;

  const Deformed out = deform(skin, packed);

  for (std::size_t i = 0; i < 64; i += 2) {
    EXPECT_EQ(out.points[i], expected.points[i]) << i;
    EXPECT_TRUE(out.normals[i].allFinite()) << i;
    EXPECT_TRUE(out.tangents[i].allFinite()) << i;
  }
}

// Results are checked many blocks at a time, or each at once where it takes the place of what it is
// computed from.
TEST_P(SkinningEveryLevel, ABadJointSpoilsNoOtherPointOfAnyJob) {
  constexpr std::size_t kPoints = 3001, kBad = 11;
  const RandomSkin skin(21, kPoints, 23, 3);
  const PackedInfluences packed = pack(skin, GetParam());
  std::vector<bool> uses(kPoints);
  for (std::size_t i = 0; i < 3 * kPoints; ++i) {
    if (skin.joint_indices[i] == kBad && skin.joint_weights[i] != 0.0F) uses[i / 3] = true;
  }
  std::size_t changes = 0;  // Blocks with points of both kinds are what this is about.
  for (std::size_t i = 1; i < kPoints; ++i) changes += uses[i] != uses[i - 1] ? 1U : 0U;
  ASSERT_GT(changes, 10U);

  SkinPalette palette;
  palette.prepare_linear(skin.skinning, skin.geom_bind);
  const SkinPaletteView view = palette.view();
  const std::vector<Affine34f> good(view.transforms.begin(), view.transforms.end());
  std::vector<Affine34f> bad = good;
  std::fill(std::begin(bad[kBad].m), std::end(bad[kBad].m), std::numeric_limits<float>::infinity());
  const PackedVectors points = *PackedVectors::pack(skin.points, packed);
  const PackedVectors normals = *PackedVectors::pack(skin.normals, packed);
  const PackedVectors tangents = *PackedVectors::pack(skin.tangents, packed);
  enum class How { plain, from_packed, in_place, streamed };
  const auto deformed = [&](const std::vector<Affine34f>& transforms, unsigned wanted, How how) {
    Deformed out;
    SkinPointsJob job;
    job.influences = &packed;
    job.palette.transforms = transforms;
    if ((wanted & 8U) != 0) job.palette.normal_transforms = transforms;  // A pass of their own.
    const auto add = [&](unsigned bit, auto&... stream) {
      test::add_stream((wanted & bit) != 0, how == How::in_place, stream...);
    };
    add(1, skin.points, out.points, job.points, job.points_out);
    add(2, skin.normals, out.normals, job.normals, job.normals_out);
    add(4, skin.tangents, out.tangents, job.tangents, job.tangents_out);
    if (how == How::streamed) job.output_use = OutputUse::streamed;
    if (how == How::from_packed) {
      if ((wanted & 1U) != 0) job.packed_points = &points;
      if ((wanted & 2U) != 0) job.packed_normals = &normals;
      if ((wanted & 4U) != 0) job.packed_tangents = &tangents;
    }
    EXPECT_TRUE(job.run());
    return out;
  };
  for (const How how : {How::plain, How::from_packed, How::in_place, How::streamed}) {
    for (const unsigned wanted : {1U, 2U, 4U, 3U, 5U, 7U, 11U, 15U}) {
      SCOPED_TRACE(testing::Message() << "how " << static_cast<int>(how) << ", wanted " << wanted);
      const Deformed expected = deformed(good, wanted, how), out = deformed(bad, wanted, how);
      const auto check = [&](const std::vector<Vector3f>& now,
                             const std::vector<Vector3f>& before) {
        std::size_t spoiled = 0;
        for (std::size_t i = 0; i < now.size(); ++i) {
          if (uses[i]) {
            spoiled += now[i].allFinite() ? 0U : 1U;
          } else {
            ASSERT_EQ(now[i], before[i]) << i;
          }
        }
        EXPECT_EQ(spoiled > 0, !now.empty());
      };
      check(out.points, expected.points);
      check(out.normals, expected.normals);
      check(out.tangents, expected.tangents);
    }
  }
}

// What is infinite are the coordinates of the moved point, not the elements of the matrix.
TEST_P(SkinningEveryLevel, AnInfiniteWeightMovesToInfinityWhereTheJointPoints) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (const std::size_t influences : {1U, 3U}) {
    RandomSkin skin(8, 75, 3, influences);
    std::fill(skin.skinning.begin(), skin.skinning.end(), Matrix4d::Identity());
    skin.geom_bind = Matrix4d::Identity();
    for (std::size_t i = 0; i < 75; ++i) {
      for (std::size_t k = 0; k < influences; ++k) {
        skin.joint_indices[i * influences + k] = static_cast<std::int32_t>((i + k) % 3);
        skin.joint_weights[i * influences + k] = k == 0 && i % 2 == 0 ? kInfinity : 0.5F;
      }
    }

    const Deformed out = deform(skin, pack(skin, GetParam()));

    for (std::size_t i = 0; i < 75; ++i) {
      for (int c = 0; c < 3; ++c) {
        const float in = skin.points[i][c];
        const float moved =
            i % 2 == 0 ? std::copysign(kInfinity, in) : in * 0.5F * static_cast<float>(influences);
        EXPECT_FLOAT_EQ(out.points[i][c], moved) << i;
      }
    }
  }
}

TEST_P(SkinningEveryLevel, StreamedOutputIsTheSame) {
  RandomSkin skin(9, 331, 12, 4);
  skin.add_scales();
  const PackedInfluences packed = pack(skin, GetParam());
  const Deformed cached = deform(skin, packed);
  SkinPalette palette;
  palette.prepare_linear(skin.skinning, skin.geom_bind);
  // Aligned to nothing, to 16 bytes, and to 64 bytes.
  for (const std::size_t offset : {1U, 4U, 16U}) {
    std::vector<float> memory(3 * 1200 + 64);
    std::size_t start = 0;
    while (reinterpret_cast<std::uintptr_t>(memory.data() + start) % 64 != 0) ++start;
    auto* points = reinterpret_cast<Vector3f*>(memory.data() + start + offset % 16);
    auto* normals = points + 400;
    auto* tangents = points + 800;
    const SkinPointsJob job = {.influences = &packed,
                               .palette = palette.view(),
                               .points = skin.points,
                               .points_out = {points, 331},
                               .normals = skin.normals,
                               .normals_out = {normals, 331},
                               .tangents = skin.tangents,
                               .tangents_out = {tangents, 331},
                               .output_use = OutputUse::streamed};

    ASSERT_TRUE(job.run());

    EXPECT_TRUE(std::equal(cached.points.begin(), cached.points.end(), points)) << offset;
    EXPECT_TRUE(std::equal(cached.normals.begin(), cached.normals.end(), normals)) << offset;
    EXPECT_TRUE(std::equal(cached.tangents.begin(), cached.tangents.end(), tangents)) << offset;
  }
}

TEST_P(SkinningEveryLevel, WorksInPlace) {
  RandomSkin skin(10, 331, 12, 4);
  skin.add_scales();
  const PackedInfluences packed = pack(skin, GetParam());
  const Deformed expected = deform(skin, packed);
  SkinPalette palette;
  palette.prepare_linear(skin.skinning, skin.geom_bind);
  const SkinPointsJob job = {.influences = &packed,
                             .palette = palette.view(),
                             .points = skin.points,
                             .points_out = skin.points,
                             .normals = skin.normals,
                             .normals_out = skin.normals,
                             .tangents = skin.tangents,
                             .tangents_out = skin.tangents};

  ASSERT_TRUE(job.run());

  EXPECT_EQ(skin.points, expected.points);
  EXPECT_EQ(skin.normals, expected.normals);
  EXPECT_EQ(skin.tangents, expected.tangents);
}

TEST_P(SkinningEveryLevel, BlocksMayRunInAnySplit) {
  RandomSkin skin(11, 1003, 12, 4);
  skin.add_scales();
  const PackedInfluences packed = pack(skin, GetParam());
  const Deformed expected = deform(skin, packed);
  SkinPalette palette;
  palette.prepare_linear(skin.skinning, skin.geom_bind);
  Deformed out;
  const SkinPointsJob job = skin_job(skin, packed, palette.view(), out);

  for (std::size_t block = job.block_count(); block-- > 0;) job.run_blocks(block, block + 1);

  EXPECT_EQ(out.points, expected.points);
  EXPECT_EQ(out.normals, expected.normals);
  EXPECT_EQ(out.tangents, expected.tangents);
}

// skel 9.9: linear blending with all-zero weights gives the origin.
TEST_P(SkinningEveryLevel, AllZeroWeightsGiveTheOriginAndAZeroNormal) {
  RandomSkin skin(12, 40, 3, 2);
  std::fill(skin.joint_weights.begin(), skin.joint_weights.end(), 0.0F);
  const PackedInfluences packed = pack(skin, GetParam());

  const Deformed out = deform(skin, packed);

  EXPECT_EQ(out.points[17], Vector3f(0, 0, 0));
  EXPECT_EQ(out.normals[17], Vector3f(0, 0, 0));
}

std::string level_name(const ::testing::TestParamInfo<SimdLevel>& info) {
  return std::string(to_string(info.param));
}

// skel 9.9: without scales, all-zero weights leave the point where geomBind puts it.
TEST_P(SkinningEveryLevel, DualQuaternionsLeavePointsWithoutWeightAlone) {
  RandomSkin skin(12, 40, 3, 2);
  std::fill(skin.joint_weights.begin(), skin.joint_weights.end(), 0.0F);
  skin.geom_bind = Matrix4d::Identity();
  const PackedInfluences packed = pack(skin, GetParam());

  const Deformed out = deform(skin, packed, SkinningMethod::dual_quaternion);

  EXPECT_EQ(out.points, skin.points);
}

TEST_P(SkinningEveryLevel, DualQuaternionsMoveAllPointsAlikeWithConstantInfluences) {
  RandomSkin skin(6, 203, 4, 3);
  const std::vector<std::int32_t> indices = {2, 0, 3};
  const std::vector<float> weights = {0.5F, 0.25F, 0.25F};
  const Result<PackedInfluences> packed = PackedInfluences::pack({.joint_indices = indices,
                                                                  .joint_weights = weights,
                                                                  .influences = 3,
                                                                  .joint_count = 4,
                                                                  .scope = InfluenceScope::constant,
                                                                  .point_count = 203,
                                                                  .level = GetParam()});
  ASSERT_TRUE(packed);
  for (std::size_t i = 0; i < 3 * 203; ++i) {
    skin.joint_indices[i] = indices[i % 3];
    skin.joint_weights[i] = weights[i % 3];
  }

  const Deformed out = deform(skin, *packed, SkinningMethod::dual_quaternion);

  EXPECT_LE(worst_dual(out.points, test::judge_dual(skin, false)), 1.0);
  EXPECT_LE(worst_dual(out.normals, test::judge_dual(skin, true)), 1.0);
}

// Some joints move points of one half of a block alone, which is worked on by itself, in any order
// among those of the other half and of both.
TEST_P(SkinningEveryLevel, MovesEitherHalfOfABlockByItsOwnJoints) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    // So few joints that they are put in blocks: four of both halves, and four of either.
    RandomSkin skin(seed, 97, 12, 3);
    const std::size_t width = pack(skin, GetParam()).block_width();
    for (std::size_t i = 0; i < skin.joint_indices.size(); ++i) {
      const std::size_t side = i / skin.influences / (width / 2) % 2;
      const bool shared = seed % 4 != 0 && skin.engine() % 3 == 0;
      const std::size_t first = shared ? 0 : 4 * (1 + side);
      skin.joint_indices[i] = static_cast<std::int32_t>(first + skin.engine() % 4);
    }
    const PackedInfluences packed = pack(skin, GetParam());
    if (width >= 16) {
      ASSERT_EQ(packed.form(), InfluenceForm::blocks);
      ASSERT_LT(packed.joints_per_register(), packed.joints_per_block());
    }

    EXPECT_LE(worst_point(deform_points(skin, packed), judge_linear_points(skin), 3), 1.0) << seed;
    const Deformed linear = deform(skin, packed);
    EXPECT_LE(worst_point(linear.points, judge_linear_points(skin), 3), 1.0) << seed;
    EXPECT_LE(worst_direction(linear.normals, judge_linear_normals(skin)), 1.0) << seed;
    const Deformed dual = deform(skin, packed, SkinningMethod::dual_quaternion);
    EXPECT_LE(worst_dual(dual.points, test::judge_dual(skin, false)), 1.0) << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(All, SkinningEveryLevel, ::testing::ValuesIn(supported_simd_levels()),
                         level_name);

}  // namespace
}  // namespace sinew::skel::skinning_levels_test
