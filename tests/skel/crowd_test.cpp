// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/crowd.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/core/executor_std_thread.hpp"
#include "support/count_allocations.hpp"

namespace sinew::skel::crowd_test {
namespace {

using ::testing::HasSubstr;

/// A skeleton, clips for it, and a double-precision judge.
struct Crowd {
  std::mt19937 engine;
  std::vector<std::int32_t> parents;
  std::vector<Matrix4d> joint_from_bind;
  PackedSkeleton skeleton;
  struct Source {
    std::vector<double> times;
    std::vector<Vector3f> translations, scales;
    std::vector<Quatf> rotations;
  };
  std::vector<Source> sources;
  std::vector<PackedClip> clips;

  explicit Crowd(std::size_t joints, bool scaled = true, SimdLevel level = SimdLevel::best)
      : engine(1) {
    for (std::size_t j = 0; j < joints; ++j) {
      // Chains with a branch now and then, and a second root.
      const auto self = static_cast<std::int32_t>(j);
      parents.push_back(j == 0 || j == joints / 2 ? -1
                        : engine() % 4 == 0       ? static_cast<std::int32_t>(engine() % j)
                                                  : self - 1);
      Matrix4d m = Matrix4d::Identity();
      m.topLeftCorner<3, 3>() = rotation().cast<double>().normalized().toRotationMatrix();
      for (int row = 0; row < 3; ++row) m(row, 3) = static_cast<double>(real(-1, 1));
      joint_from_bind.push_back(m);
    }
    skeleton = *PackedSkeleton::pack(
        {.parents = parents, .joint_from_bind = joint_from_bind, .level = level});
    add_clip({0, 1, 2, 3, 4}, scaled);
    add_clip({-2, 0.5, 7}, false);
    add_clip({1}, scaled);
  }

  float real(float low, float high) {
    return low + (high - low) * static_cast<float>(engine() >> 8) * 0x1p-24F;
  }

  Quatf rotation() {
    return Quatf(real(-1, 1), real(-1, 1), real(-1, 1), real(0.2F, 1)).normalized();
  }

  void add_clip(std::vector<double> times, bool scaled) {
    Source source;
    for (std::size_t i = 0; i < times.size() * parents.size(); ++i) {
      source.translations.emplace_back(real(-0.2F, 0.2F), real(-0.2F, 0.2F), real(-0.2F, 0.2F));
      source.rotations.push_back(rotation());
      source.scales.push_back(scaled ? Vector3f(real(0.9F, 1.1F), real(0.9F, 1.1F), 1)
                                     : Vector3f(1, 1, 1));
    }
    source.times = std::move(times);
    sources.push_back(source);
    clips.push_back(*PackedClip::pack({.joint_count = parents.size(),
                                       .times = source.times,
                                       .translations = source.translations,
                                       .rotations = source.rotations,
                                       .scales = source.scales}));
  }

  std::vector<CrowdAgent> agents(std::size_t count) {
    std::vector<CrowdAgent> result;
    for (std::size_t i = 0; i < count; ++i) {
      result.push_back({&clips[i % clips.size()], static_cast<double>(real(-1, 6))});
    }
    return result;
  }

  /// Skeleton-space transforms in double, straight from the rules.
  std::vector<Matrix4d> judge(std::size_t clip_index, double time) const {
    const Source& source = sources[clip_index];
    std::size_t lower = 0;
    while (lower + 1 < source.times.size() && source.times[lower + 1] <= time) ++lower;
    const bool inside = lower + 1 < source.times.size() && time > source.times[0];
    const std::size_t upper = inside ? lower + 1 : lower;
    const double alpha =
        inside ? (time - source.times[lower]) / (source.times[upper] - source.times[lower]) : 0.0;
    const std::size_t n = parents.size();
    std::vector<Matrix4d> result(n);
    for (std::size_t j = 0; j < n; ++j) {
      const std::size_t a = lower * n + j, b = upper * n + j;
      const Eigen::Quaterniond qa(source.rotations[a].cast<double>());
      const Eigen::Quaterniond qb(source.rotations[b].cast<double>());
      const double c = std::abs(qa.dot(qb));
      double k0 = 1 - alpha, k1 = alpha;
      if (1 - c > 1e-5) {
        k0 = std::sin((1 - alpha) * std::acos(c)) / std::sin(std::acos(c));
        k1 = std::sin(alpha * std::acos(c)) / std::sin(std::acos(c));
      }
      if (qa.dot(qb) < 0) k1 = -k1;
      const Eigen::Quaterniond q(Eigen::Vector4d(k0 * qa.coeffs() + k1 * qb.coeffs()));
      const auto mix = [alpha](const Vector3f& x, const Vector3f& y) {
        return Vector3d((1 - alpha) * x.cast<double>() + alpha * y.cast<double>());
      };
      Matrix4d local = Matrix4d::Identity();
      local.topLeftCorner<3, 3>() =
          q.toRotationMatrix() * mix(source.scales[a], source.scales[b]).asDiagonal();
      local.topRightCorner<3, 1>() = mix(source.translations[a], source.translations[b]);
      result[j] =
          parents[j] < 0 ? local : Matrix4d(result[static_cast<std::size_t>(parents[j])] * local);
    }
    return result;
  }

  void expect_right(const std::vector<CrowdAgent>& crowd, std::span<const Affine34f> skeletons,
                    std::span<const Affine34f> palettes) const {
    const std::size_t n = parents.size();
    for (std::size_t i = 0; i < crowd.size(); ++i) {
      const auto clip = static_cast<std::size_t>(crowd[i].clip - clips.data());
      const std::vector<Matrix4d> expected = judge(clip, crowd[i].time);
      for (std::size_t j = 0; j < n; ++j) {
        const Matrix4d& m = expected[j];
        const Matrix4d palette = m * joint_from_bind[j];
        // Slerp is within 1e-6; 30 joints in a row multiply errors of that size.
        ASSERT_LT((skeletons[i * n + j].matrix() - m).cwiseAbs().maxCoeff(), 5e-5) << i << ' ' << j;
        ASSERT_LT((palettes[i * n + j].matrix() - palette).cwiseAbs().maxCoeff(), 5e-5)
            << i << ' ' << j;
      }
    }
  }
};

bool same_bits(std::span<const Affine34f> a, std::span<const Affine34f> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

class CrowdLevels : public ::testing::TestWithParam<SimdLevel> {};

// 37 agents: two whole groups and a rest; different clips and times side by side.
TEST_P(CrowdLevels, PosesEveryAgentAsDoublePrecisionDoes) {
  for (const bool scaled : {false, true}) {
    Crowd crowd(30, scaled, GetParam());
    const std::vector<CrowdAgent> agents = crowd.agents(37);
    std::vector<Affine34f> palettes(37 * 30), skeletons(37 * 30);
    const PoseCrowdJob job = {.skeleton = &crowd.skeleton,
                              .agents = agents,
                              .palettes = palettes,
                              .skel_from_joint = skeletons};

    ASSERT_TRUE(job.run());

    crowd.expect_right(agents, skeletons, palettes);
  }
}

TEST_P(CrowdLevels, PosesOneAgentAsDoublePrecisionDoes) {
  Crowd crowd(37, true, GetParam());
  for (const CrowdAgent& agent : crowd.agents(9)) {
    std::vector<Affine34f> palette(37), skeleton(37);
    const PoseAgentJob job = {.skeleton = &crowd.skeleton,
                              .agent = agent,
                              .skel_from_joint = skeleton,
                              .palette = palette};

    ASSERT_TRUE(job.run());

    crowd.expect_right({agent}, skeleton, palette);
  }
}

TEST_P(CrowdLevels, AnAgentIsPosedAlikeWhateverItsNeighbours) {
  Crowd crowd(20, false, GetParam());
  std::vector<CrowdAgent> agents = crowd.agents(40);
  std::vector<Affine34f> all(40 * 20), one(20);
  const PoseCrowdJob job = {.skeleton = &crowd.skeleton, .agents = agents, .palettes = all};
  ASSERT_TRUE(job.run());

  for (const std::size_t i : {0U, 17U, 39U}) {
    const PoseCrowdJob alone = {
        .skeleton = &crowd.skeleton, .agents = std::span(agents).subspan(i, 1), .palettes = one};
    ASSERT_TRUE(alone.run());
    EXPECT_TRUE(same_bits(one, std::span(all).subspan(i * 20, 20))) << i;
  }
}

TEST_P(CrowdLevels, LocalTransformsBecomeSkeletonTransforms) {
  Crowd crowd(25, true, GetParam());
  std::vector<float> local(2 * 25 * 10 * 16), out(2 * 25 * 12 * 16);
  for (std::size_t i = 0; i < local.size(); ++i) local[i] = crowd.real(-0.5F, 0.5F);
  const LocalToSkeletonJob job = {
      .skeleton = &crowd.skeleton, .local = local, .skel_from_joint = out};

  ASSERT_TRUE(job.run());

  for (std::size_t lane = 0; lane < 32; ++lane) {
    std::vector<Matrix4d> expected(25);
    for (std::size_t j = 0; j < 25; ++j) {
      const auto in = [&](std::size_t c) {
        return static_cast<double>(local[((lane / 16 * 25 + j) * 10 + c) * 16 + lane % 16]);
      };
      Matrix4d m = Matrix4d::Identity();
      m.topLeftCorner<3, 3>() = Eigen::Quaterniond(in(6), in(3), in(4), in(5)).toRotationMatrix() *
                                Vector3d(in(7), in(8), in(9)).asDiagonal();
      m.topRightCorner<3, 1>() = Vector3d(in(0), in(1), in(2));
      const std::int32_t parent = crowd.parents[j];
      expected[j] = parent < 0 ? m : Matrix4d(expected[static_cast<std::size_t>(parent)] * m);
      for (std::size_t c = 0; c < 12; ++c) {
        const float value = out[((lane / 16 * 25 + j) * 12 + c) * 16 + lane % 16];
        ASSERT_NEAR(static_cast<double>(value),
                    expected[j](static_cast<int>(c / 4), static_cast<int>(c % 4)), 1e-5);
      }
    }
  }
}

std::string level_name(const ::testing::TestParamInfo<SimdLevel>& info) {
  return std::string(to_string(info.param));
}

INSTANTIATE_TEST_SUITE_P(All, CrowdLevels, ::testing::ValuesIn(supported_simd_levels()),
                         level_name);

TEST(PoseCrowdJob, ResultsDoNotDependOnThreads) {
  Crowd crowd(20);
  const std::vector<CrowdAgent> agents = crowd.agents(500);
  std::vector<Affine34f> one(500 * 20), many(500 * 20);
  PoseCrowdJob job = {.skeleton = &crowd.skeleton, .agents = agents, .palettes = one};
  ASSERT_TRUE(job.run());
  StdThreadPool pool(4);

  job.palettes = many;
  ASSERT_TRUE(job.run(pool.executor()));

  EXPECT_TRUE(same_bits(one, many));
}

TEST(PoseCrowdJob, PosesLargeCrowdsAsSmallOnes) {
  Crowd crowd(20);
  const std::vector<CrowdAgent> agents = crowd.agents(2000);
  std::vector<Affine34f> all(2000 * 20), few(16 * 20);

  ASSERT_TRUE((PoseCrowdJob{.skeleton = &crowd.skeleton, .agents = agents, .palettes = all}).run());
  ASSERT_TRUE((PoseCrowdJob{.skeleton = &crowd.skeleton,
                            .agents = std::span(agents).subspan(1600, 16),
                            .palettes = few})
                  .run());

  EXPECT_TRUE(
      same_bits(std::vector<Affine34f>(all.begin() + 1600 * 20, all.begin() + 1616 * 20), few));
}

TEST(PoseCrowdJob, AllocatesNothing) {
  Crowd crowd(20);
  const std::vector<CrowdAgent> agents = crowd.agents(50);
  std::vector<Affine34f> palettes(50 * 20);
  const PoseCrowdJob job = {.skeleton = &crowd.skeleton, .agents = agents, .palettes = palettes};

  EXPECT_EQ(sinew::test::count_allocations([&] { EXPECT_TRUE(job.run()); }), 0U);
}

TEST(PoseAgentJob, AllocatesNothing) {
  Crowd crowd(20);
  std::vector<Affine34f> palette(20), skeleton(20);
  const PoseAgentJob job = {.skeleton = &crowd.skeleton,
                            .agent = crowd.agents(1)[0],
                            .skel_from_joint = skeleton,
                            .palette = palette};

  EXPECT_EQ(sinew::test::count_allocations([&] { EXPECT_TRUE(job.run()); }), 0U);
}

TEST(PoseAgentJob, PosesAlikeOnEveryThread) {
  Crowd crowd(40);
  const std::vector<CrowdAgent> agents = crowd.agents(64);
  std::vector<Affine34f> one(64 * 40), many(64 * 40), palettes(64 * 40);
  const auto pose = [&](std::vector<Affine34f>& out, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const PoseAgentJob job = {.skeleton = &crowd.skeleton,
                                .agent = agents[i],
                                .skel_from_joint = std::span(out).subspan(i * 40, 40),
                                .palette = std::span(palettes).subspan(i * 40, 40)};
      EXPECT_TRUE(job.run());
    }
  };
  StdThreadPool pool(4);

  pose(one, 0, agents.size());
  parallel_for(pool.executor(), agents.size(), 1,
               [&](std::size_t first, std::size_t last) { pose(many, first, last); });

  EXPECT_TRUE(same_bits(one, many));
}

/// Local transforms of a dozen groups.
struct Lanes {
  static constexpr std::size_t kGroups = 12;
  Crowd crowd{25};
  std::vector<float> local = std::vector<float>(kGroups * 25 * 10 * 16);
  std::vector<float> out = std::vector<float>(kGroups * 25 * 12 * 16);

  Lanes() {
    for (float& value : local) value = crowd.real(-0.5F, 0.5F);
  }

  LocalToSkeletonJob job() {
    return {.skeleton = &crowd.skeleton, .local = local, .skel_from_joint = out};
  }
};

TEST(LocalToSkeletonJob, ResultsDoNotDependOnThreads) {
  Lanes one, many;
  StdThreadPool pool(4);

  ASSERT_TRUE(one.job().run());
  ASSERT_TRUE(many.job().run(pool.executor()));

  EXPECT_EQ(one.out, many.out);
}

TEST(LocalToSkeletonJob, AllocatesNothing) {
  Lanes lanes;
  const LocalToSkeletonJob job = lanes.job();

  EXPECT_EQ(sinew::test::count_allocations([&] { EXPECT_TRUE(job.run()); }), 0U);
}

TEST(PoseCrowdJob, NamesAnAgentWithoutAClip) {
  Crowd crowd(5);
  std::vector<CrowdAgent> agents = crowd.agents(3);
  agents[2].clip = nullptr;

  const Status status = PoseCrowdJob{.skeleton = &crowd.skeleton, .agents = agents}.validate();

  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message, HasSubstr("Agent 2"));
}

TEST(PoseCrowdJob, RejectsAClipForAnotherSkeleton) {
  Crowd crowd(5), other(6);
  const std::vector<CrowdAgent> agents = other.agents(1);

  const Status status = PoseCrowdJob{.skeleton = &crowd.skeleton, .agents = agents}.validate();

  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::size_mismatch);
}

TEST(PoseCrowdJob, RejectsAnOutputOfTheWrongSize) {
  Crowd crowd(5);
  const std::vector<CrowdAgent> agents = crowd.agents(2);
  std::vector<Affine34f> palettes(9);

  const Status status =
      PoseCrowdJob{.skeleton = &crowd.skeleton, .agents = agents, .palettes = palettes}.validate();

  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message, HasSubstr("palettes"));
}

TEST(PackedSkeleton, RejectsAChildBeforeItsParent) {
  const std::vector<std::int32_t> parents = {1, -1};
  const std::vector<Matrix4d> bind(2, Matrix4d::Identity());

  const auto skeleton = PackedSkeleton::pack({.parents = parents, .joint_from_bind = bind});

  ASSERT_FALSE(skeleton);
  EXPECT_EQ(skeleton.error().code, ErrorCode::bad_topology);
}

TEST(PackedSkeleton, NeedsABindTransformPerJointAndALevelThatTheMachineHas) {
  const std::vector<std::int32_t> parents = {-1, 0};
  const std::vector<Matrix4d> bind(3, Matrix4d::Identity());
  for (const std::size_t count : {1U, 3U}) {
    const Error error =
        PackedSkeleton::pack({.parents = parents, .joint_from_bind = std::span(bind).first(count)})
            .error();
    EXPECT_EQ(error.code, ErrorCode::size_mismatch);
    EXPECT_EQ(error.message,
              "joint_from_bind has " + std::to_string(count) + " entries, but there are 2 joints.");
  }
  for (const SimdLevel level : {SimdLevel::sse4, SimdLevel::neon}) {
    const auto packed = PackedSkeleton::pack(
        {.parents = parents, .joint_from_bind = std::span(bind).first(2), .level = level});
    EXPECT_EQ(packed.has_value(), is_supported(level));
    if (packed) {
      EXPECT_EQ(packed->level(), level);
    } else {
      EXPECT_EQ(packed.error().code, ErrorCode::unsupported);
    }
  }
  EXPECT_EQ(PackedSkeleton().level(), SimdLevel::scalar);
  EXPECT_EQ(PackedSkeleton().joint_count(), 0U);
}

TEST(PoseJobs, NeedASkeletonThatWasPacked) {
  const PackedSkeleton unpacked;
  for (const PackedSkeleton* const skeleton :
       {static_cast<const PackedSkeleton*>(nullptr), &unpacked}) {
    const PoseCrowdJob crowd = {.skeleton = skeleton};
    const PoseAgentJob agent = {.skeleton = skeleton};
    const LocalToSkeletonJob local = {.skeleton = skeleton};
    for (const Status& status : {crowd.validate(), crowd.run(), agent.validate(), agent.run(),
                                 local.validate(), local.run()}) {
      ASSERT_FALSE(status);
      EXPECT_EQ(status.error().code, ErrorCode::invalid_argument);
      EXPECT_EQ(status.error().message, "skeleton is null or was not packed.");
    }
    EXPECT_EQ(local.block_count(), 0U);
  }
}

TEST(PoseJobs, NeedClipsThatWerePacked) {
  Crowd crowd(5);
  const PackedClip unpacked;
  std::vector<CrowdAgent> agents = crowd.agents(2);
  agents[1].clip = &unpacked;
  std::vector<Affine34f> places(5);
  const Status all = PoseCrowdJob{.skeleton = &crowd.skeleton, .agents = agents}.run();
  EXPECT_EQ(all.error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(all.error().message, "Agent 1 has no clip.");
  for (const PackedClip* const clip : {static_cast<const PackedClip*>(nullptr), &unpacked}) {
    const Status one =
        PoseAgentJob{.skeleton = &crowd.skeleton, .agent = {clip, 0.0}, .skel_from_joint = places}
            .run();
    EXPECT_EQ(one.error().code, ErrorCode::invalid_argument);
    EXPECT_EQ(one.error().message, "Agent 0 has no clip.");
  }
}

TEST(PoseJobs, PoseSkeletonsWithoutJoints) {
  const PackedSkeleton skeleton = *PackedSkeleton::pack({});
  const std::vector<double> times = {0.0};
  const PackedClip clip = *PackedClip::pack({.times = times});
  const std::vector<CrowdAgent> agents(3, {&clip, 0.0});
  EXPECT_TRUE((PoseCrowdJob{.skeleton = &skeleton, .agents = agents}.run()));
  EXPECT_TRUE((PoseAgentJob{.skeleton = &skeleton, .agent = agents[0]}.run()));
  EXPECT_TRUE((LocalToSkeletonJob{.skeleton = &skeleton}.run()));
  const std::vector<float> local(160);
  const LocalToSkeletonJob job = {.skeleton = &skeleton, .local = local};
  EXPECT_EQ(job.validate().error().code, ErrorCode::size_mismatch);
  EXPECT_EQ(job.block_count(), 0U);
}

// Shapes that would need many waiting parents in the wrong order: a chain, a comb, a binary tree.
TEST(PackedSkeleton, PosesDeepAndBushyHierarchies) {
  for (const int shape : {0, 1, 2, 3}) {
    Crowd crowd(1, false);
    crowd.parents.clear();
    for (std::int32_t j = 0; j < 2000; ++j) {
      const std::int32_t chain = j - 1;
      const std::int32_t comb = j % 2 == 0 ? j - 2 : j - 1;
      crowd.parents.push_back(shape == 0   ? chain
                              : shape == 1 ? std::max(comb, -1)
                              : shape == 2 ? (j + 1) / 2 - 1
                                           : (j == 0 ? -1 : 0));
    }
    crowd.joint_from_bind.assign(2000, Matrix4d::Identity());
    crowd.skeleton =
        *PackedSkeleton::pack({.parents = crowd.parents, .joint_from_bind = crowd.joint_from_bind});
    // Small steps without rotation, so that chains of 2000 stay exact enough.
    std::vector<Vector3f> translations(2000, Vector3f(0.25F, 0, 0));
    std::vector<Quatf> rotations(2000, Quatf::Identity());
    const std::vector<double> times = {0};
    const PackedClip clip = *PackedClip::pack({.joint_count = 2000,
                                               .times = times,
                                               .translations = translations,
                                               .rotations = rotations});
    const std::vector<CrowdAgent> agents(3, {&clip, 0.0});
    std::vector<Affine34f> skeletons(3 * 2000);
    const PoseCrowdJob job = {
        .skeleton = &crowd.skeleton, .agents = agents, .skel_from_joint = skeletons};

    ASSERT_TRUE(job.run());

    std::vector<float> depth(2000);
    for (std::size_t j = 0; j < 2000; ++j) {
      const std::int32_t parent = crowd.parents[j];
      depth[j] = 0.25F + (parent < 0 ? 0.0F : depth[static_cast<std::size_t>(parent)]);
      ASSERT_EQ(skeletons[2000 + j].m[3], depth[j]) << shape << ' ' << j;
    }
  }
}

}  // namespace
}  // namespace sinew::skel::crowd_test
