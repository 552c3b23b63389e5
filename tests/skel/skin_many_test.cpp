// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/skin_many.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "sinew/core/executor_std_thread.hpp"
#include "support/count_allocations.hpp"
#include "support/random.hpp"

namespace sinew::skel::skin_many_test {
namespace {

constexpr std::size_t kJoints = 7;

// A mesh with normals, tangents and blend shapes, or without some of them.
struct Mesh {
  std::vector<Vector3f> points, normals, tangents;
  PackedInfluences influences;
  PackedBlendShapes shapes;
  std::vector<float> weights;
  std::vector<Vector3f> points_out, normals_out, tangents_out;

  Mesh(test::Random& random, std::size_t count, SimdLevel level) {
    const auto vector = [&] {
      return Vector3f(
          Eigen::Vector3d(random.eighths(-2, 2), random.eighths(-2, 2), 1.0).cast<float>());
    };
    std::vector<std::int32_t> joints;
    std::vector<float> joint_weights;
    std::vector<Vector3f> offsets;
    for (std::size_t i = 0; i < count; ++i) {
      points.push_back(vector());
      normals.push_back(vector());
      tangents.push_back(vector());
      offsets.push_back(vector());
      for (int k = 0; k < 3; ++k) {
        joints.push_back(static_cast<std::int32_t>(random.below(kJoints)));
        joint_weights.push_back(static_cast<float>(random.eighths(0, 1)));
      }
    }
    influences = *PackedInfluences::pack({.joint_indices = joints,
                                          .joint_weights = joint_weights,
                                          .influences = 3,
                                          .joint_count = kJoints,
                                          .level = level});
    const SubShapeDesc shape = {.offsets = offsets, .normal_offsets = offsets};
    shapes = *PackedBlendShapes::pack({.sub_shapes = std::span(&shape, 1), .point_count = count});
    weights = {0.5F};
    points_out.resize(count);
    normals_out.resize(count);
    tangents_out.resize(count);
  }

  BlendAndSkinJob job(const SkinPaletteView& palette, bool directions, bool blended) {
    BlendAndSkinJob result;
    result.skin.influences = &influences;
    result.skin.palette = palette;
    result.skin.points = points;
    result.skin.points_out = points_out;
    if (directions) {
      result.skin.normals = normals;
      result.skin.normals_out = normals_out;
      result.skin.tangents = tangents;
      result.skin.tangents_out = tangents_out;
    }
    if (blended) {
      result.shapes = &shapes;
      result.weights = weights;
    }
    return result;
  }

  void clear() {
    for (std::vector<Vector3f>* out : {&points_out, &normals_out, &tangents_out}) {
      std::fill(out->begin(), out->end(), Vector3f::Constant(-77.0F));
    }
  }

  std::vector<Vector3f> all() const {
    std::vector<Vector3f> result = points_out;
    result.insert(result.end(), normals_out.begin(), normals_out.end());
    result.insert(result.end(), tangents_out.begin(), tangents_out.end());
    return result;
  }
};

// Meshes of every kind and of sizes around the ends of blocks and parts.
struct Meshes {
  std::vector<std::unique_ptr<Mesh>> meshes;
  std::vector<BlendAndSkinJob> jobs;
  SkinPalette palettes[2];

  explicit Meshes(SimdLevel level) {
    test::Random random(41);
    std::vector<Matrix4d> skinning;
    for (std::size_t j = 0; j < kJoints; ++j) {
      Matrix4d m = Matrix4d::Identity();
      m.topLeftCorner<3, 3>() =
          Eigen::AngleAxisd(random.eighths(-1, 1), Eigen::Vector3d(0.6, 0.8, 0.0))
              .toRotationMatrix();
      m(0, 3) = random.eighths(-3, 3);
      m(1, 1) *= 1.5;
      skinning.push_back(m);
    }
    palettes[0].prepare_linear(skinning, Matrix4d::Identity());
    palettes[1].prepare_dual_quaternion(skinning, Matrix4d::Identity());
    std::size_t kind = 0;
    for (const std::size_t count : {5000U, 1U, 31U, 0U, 1024U, 9000U, 1025U, 33U, 2000U}) {
      meshes.push_back(std::make_unique<Mesh>(random, count, level));
      jobs.push_back(meshes.back()->job(palettes[kind % 2].view(), kind % 3 != 0, kind % 5 != 1));
      ++kind;
    }
  }

  void clear() {
    for (auto& mesh : meshes) mesh->clear();
  }

  std::vector<Vector3f> all() const {
    std::vector<Vector3f> result;
    for (const auto& mesh : meshes) {
      const std::vector<Vector3f> own = mesh->all();
      result.insert(result.end(), own.begin(), own.end());
    }
    return result;
  }
};

TEST(SkinManyJob, DeformsEveryMeshToTheBitsOfItsOwnJob) {
  for (const SimdLevel level : supported_simd_levels()) {
    Meshes scene(level);
    scene.clear();
    for (const BlendAndSkinJob& job : scene.jobs) {
      ASSERT_TRUE(job.shapes != nullptr ? job.run() : job.skin.run());
    }
    const std::vector<Vector3f> expected = scene.all();
    scene.clear();
    const SkinManyJob job = {.meshes = scene.jobs};
    ASSERT_TRUE(job.run());
    EXPECT_EQ(scene.all(), expected) << to_string(level);
  }
}

TEST(SkinManyJob, DoesNotDependOnHowItsPartsAreSplit) {
  Meshes scene(SimdLevel::best);
  const SkinManyJob job = {.meshes = scene.jobs};
  scene.clear();
  ASSERT_TRUE(job.run());
  const std::vector<Vector3f> expected = scene.all();
  for (const std::size_t step : {1U, 2U, 3U, 5U, 7U, 100U}) {
    scene.clear();
    const std::size_t count = job.block_count();
    for (std::size_t first = 0; first < count; first += step) {
      job.run_blocks(first, std::min(first + step, count));
    }
    EXPECT_EQ(scene.all(), expected) << "parts of " << step;
  }
  StdThreadPool pool(4);
  scene.clear();
  ASSERT_TRUE(job.run(pool.executor()));
  EXPECT_EQ(scene.all(), expected);
}

// A part is at most a block of blend shapes or as much as four thousand bare points.
TEST(SkinManyJob, CutsLargeMeshesAndKeepsSmallOnesWhole) {
  test::Random random(3);
  SkinPalette palette;
  palette.prepare_linear(std::vector<Matrix4d>(kJoints, Matrix4d::Identity()),
                         Matrix4d::Identity());
  const auto parts = [&](std::size_t points, bool directions, bool blended) {
    Mesh mesh(random, points, SimdLevel::best);
    const BlendAndSkinJob job = mesh.job(palette.view(), directions, blended);
    return SkinManyJob{.meshes = std::span(&job, 1)}.block_count();
  };
  EXPECT_EQ(parts(0, false, false), 0U);
  EXPECT_EQ(parts(1, false, false), 1U);
  EXPECT_EQ(parts(4096, false, false), 1U);
  EXPECT_EQ(parts(4097, false, false), 2U);
  EXPECT_GT(parts(4096, true, false), 2U);
  EXPECT_EQ(parts(1024, true, true), 1U);
  EXPECT_EQ(parts(1025, true, true), 2U);
}

TEST(SkinManyJob, NamesTheMeshThatIsWrongAndWritesNothing) {
  Meshes scene(SimdLevel::best);
  scene.clear();
  const std::vector<Vector3f> untouched = scene.all();
  scene.jobs[4].skin.points_out = scene.jobs[4].skin.points_out.first(3);
  const Status wrong = SkinManyJob{.meshes = scene.jobs}.run();
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ErrorCode::size_mismatch);
  EXPECT_THAT(wrong.error().message, testing::HasSubstr("Mesh 4: points_out"));
  EXPECT_EQ(scene.all(), untouched);

  scene.jobs[2].skin.influences = nullptr;
  const Status missing = SkinManyJob{.meshes = scene.jobs}.validate();
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::invalid_argument);
  EXPECT_THAT(missing.error().message, testing::HasSubstr("Mesh 2"));
}

TEST(SkinManyJob, AllocatesNothing) {
  Meshes scene(SimdLevel::best);
  const SkinManyJob job = {.meshes = scene.jobs};
  EXPECT_EQ(test::count_allocations([&] { EXPECT_TRUE(job.run()); }), 0U);
}

TEST(SkinManyJob, OfNoMeshesDoesNothing) {
  EXPECT_TRUE(SkinManyJob().run());
  EXPECT_EQ(SkinManyJob().block_count(), 0U);
}

TEST(SkinManyJob, HasNoPartsOfAMeshWithoutInfluences) {
  const BlendAndSkinJob nothing;
  EXPECT_EQ(SkinManyJob{.meshes = std::span(&nothing, 1)}.block_count(), 0U);
}

// Directions cost as much as points do, and dual quaternions twice as much.
TEST(SkinManyJob, CutsWhatCostsMoreIntoMoreParts) {
  test::Random random(5);
  const std::vector<Matrix4d> skinning(kJoints, Matrix4d::Identity());
  SkinPalette linear, dual;
  linear.prepare_linear(skinning, Matrix4d::Identity());
  dual.prepare_dual_quaternion(skinning, Matrix4d::Identity());
  Mesh mesh(random, 4096, SimdLevel::best);
  const auto parts = [&](const SkinPalette& palette, bool normals, bool tangents) {
    BlendAndSkinJob job = mesh.job(palette.view(), true, false);
    if (!normals) {
      job.skin.normals = {};
      job.skin.normals_out = {};
    }
    if (!tangents) {
      job.skin.tangents = {};
      job.skin.tangents_out = {};
    }
    return SkinManyJob{.meshes = std::span(&job, 1)}.block_count();
  };
  EXPECT_EQ(parts(linear, false, false), 1U);
  EXPECT_EQ(parts(linear, true, false), 2U);
  EXPECT_EQ(parts(linear, false, true), 2U);
  EXPECT_EQ(parts(linear, true, true), 4U);
  EXPECT_EQ(parts(dual, false, false), 2U);
  EXPECT_EQ(parts(dual, true, false), 4U);
  EXPECT_EQ(parts(dual, true, true), 7U);
}

}  // namespace
}  // namespace sinew::skel::skin_many_test
