// SPDX-License-Identifier: Apache-2.0
// Every member of every job that has to have some number of entries: with one fewer and one more it
// is refused by name.
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "sinew/skel/crowd.hpp"
#include "sinew/skel/influences.hpp"
#include "sinew/skel/joint_transforms.hpp"
#include "sinew/skel/packed_blend_shapes.hpp"
#include "sinew/skel/packed_weights.hpp"
#include "sinew/skel/skin_many.hpp"
#include "sinew/skel/skin_palette.hpp"
#include "sinew/skel/skinning.hpp"

namespace sinew::skel::refused_sizes_test {
namespace {

constexpr std::size_t kPoints = 5;
constexpr std::size_t kJoints = 3;
constexpr std::size_t kAgents = 2;

/// So many entries of memory that all jobs share, all zero: none of them runs.
template <typename T>
std::span<T> some(std::size_t count) {
  static std::array<T, 4096> memory;
  return std::span<T>(memory).first(count);
}

template <typename T>
void resize(std::span<T>& member, std::size_t size) {
  member = some<std::remove_const_t<T>>(size);
}

/// A member of a job, and the size that it has to have.
template <typename Job>
struct Member {
  std::string name;
  std::size_t size;
  std::function<void(Job&, std::size_t)> resize;
};

template <typename Job, typename Check>
void expect_each_is_refused(const Job& good, const std::vector<Member<Job>>& members, Check check) {
  const Status status = check(good);
  ASSERT_TRUE(status) << status.error().message;
  for (const Member<Job>& member : members) {
    Job job = good;
    member.resize(job, member.size);
    EXPECT_TRUE(check(job)) << member.name;
    for (const std::size_t size : {member.size - 1, member.size + 1}) {
      member.resize(job, size);
      const Status refused = check(job);
      ASSERT_FALSE(refused) << member.name << " of " << size;
      EXPECT_EQ(refused.error().code, ErrorCode::size_mismatch);
      const std::string expected = member.name + " has " + std::to_string(size) + " entries";
      EXPECT_EQ(refused.error().message.substr(0, expected.size()), expected);
    }
  }
}

const auto kValidate = [](const auto& job) { return job.validate(); };

PackedInfluences influences(std::size_t points) {
  const std::vector<std::int32_t> joints(points, 1);
  const std::vector<float> weights(points, 1.0F);
  return *PackedInfluences::pack(
      {.joint_indices = joints, .joint_weights = weights, .influences = 1, .joint_count = kJoints});
}

PackedBlendShapes two_shapes(std::size_t points) {
  const std::vector<Vector3f> offsets(points, Vector3f(1, 2, 3));
  const std::vector<SubShapeDesc> sub_shapes(2, SubShapeDesc{.offsets = offsets});
  return *PackedBlendShapes::pack({.sub_shapes = sub_shapes, .point_count = points});
}

PackedSkeleton skeleton() {
  const std::vector<std::int32_t> parents = {-1, 0, 1};
  const std::vector<Matrix4d> bind(kJoints, Matrix4d::Identity());
  return *PackedSkeleton::pack({.parents = parents, .joint_from_bind = bind});
}

const std::vector<double> kTimes = {0.0, 1.0};
const std::vector<double> kScaleTimes = {0.0, 1.0, 2.0};
const std::vector<Vector3f> kTranslations(2 * kJoints, Vector3f::Zero());
const std::vector<Quatf> kRotations(2 * kJoints, Quatf::Identity());

PackedClipDesc clip_desc() {
  return {.joint_count = kJoints,
          .times = kTimes,
          .translations = kTranslations,
          .rotations = kRotations};
}

SkinPointsJob skin_job(const PackedInfluences& influences, SkinningMethod method) {
  SkinPointsJob job;
  job.influences = &influences;
  job.palette.method = method;
  job.palette.transforms = some<Affine34f>(kJoints);
  job.palette.motions = some<DualQuaternionf>(kJoints);
  job.points = some<Vector3f>(kPoints);
  job.points_out = some<Vector3f>(kPoints);
  return job;
}

TEST(RefusedSizes, OfSkinning) {
  using Job = SkinPointsJob;
  const PackedInfluences packed = influences(kPoints);
  const std::vector<Member<Job>> streams = {
      {"points_out", kPoints, [](Job& job, std::size_t n) { resize(job.points_out, n); }},
      {"points", kPoints, [](Job& job, std::size_t n) { resize(job.points, n); }},
      {"normals", kPoints,
       [](Job& job, std::size_t n) { resize(job.normals, n), resize(job.normals_out, kPoints); }},
      {"normals_out", kPoints,
       [](Job& job, std::size_t n) { resize(job.normals, kPoints), resize(job.normals_out, n); }},
      {"tangents", kPoints,
       [](Job& job, std::size_t n) { resize(job.tangents, n), resize(job.tangents_out, kPoints); }},
      {"tangents_out", kPoints,
       [](Job& job, std::size_t n) { resize(job.tangents, kPoints), resize(job.tangents_out, n); }},
  };
  expect_each_is_refused(skin_job(packed, SkinningMethod::linear), streams, kValidate);
  expect_each_is_refused<Job>(
      skin_job(packed, SkinningMethod::linear),
      {{"palette.transforms", kJoints,
        [](Job& job, std::size_t n) { resize(job.palette.transforms, n); }},
       {"palette.normal_transforms", kJoints,
        [](Job& job, std::size_t n) { resize(job.palette.normal_transforms, n); }}},
      kValidate);
  expect_each_is_refused<Job>(
      skin_job(packed, SkinningMethod::dual_quaternion),
      {{"palette.motions", kJoints,
        [](Job& job, std::size_t n) { resize(job.palette.motions, n); }},
       {"palette.scales", kJoints, [](Job& job, std::size_t n) { resize(job.palette.scales, n); }},
       {"palette.normal_motions", kJoints,
        [](Job& job, std::size_t n) { resize(job.palette.normal_motions, n); }},
       {"palette.normal_scales", kJoints,
        [](Job& job, std::size_t n) { resize(job.palette.normal_scales, n); }}},
      kValidate);
}

// Nothing to deform is right of a mesh without points alone.
TEST(RefusedSizes, OfSkinningNothing) {
  const PackedInfluences packed = influences(kPoints);
  const PackedInfluences none = influences(0);
  SkinPointsJob job = skin_job(packed, SkinningMethod::linear);
  job.points = {};
  job.points_out = {};
  ASSERT_FALSE(job.validate());
  EXPECT_EQ(job.validate().error().message, "points has 0 entries, but 5 are needed.");
  job.influences = &none;
  EXPECT_TRUE(job.validate());
}

TEST(RefusedSizes, OfBlending) {
  using Job = BlendShapesJob;
  const PackedBlendShapes packed = two_shapes(kPoints);
  Job job;
  job.shapes = &packed;
  job.weights = some<float>(2);
  expect_each_is_refused<Job>(
      job,
      {{"weights", 2, [](Job& j, std::size_t n) { resize(j.weights, n); }},
       {"points", kPoints,
        [](Job& j, std::size_t n) { resize(j.points, n), resize(j.points_out, kPoints); }},
       {"points_out", kPoints,
        [](Job& j, std::size_t n) { resize(j.points, kPoints), resize(j.points_out, n); }},
       {"normals", kPoints,
        [](Job& j, std::size_t n) { resize(j.normals, n), resize(j.normals_out, kPoints); }},
       {"normals_out", kPoints,
        [](Job& j, std::size_t n) { resize(j.normals, kPoints), resize(j.normals_out, n); }}},
      kValidate);
}

TEST(RefusedSizes, OfBlendingAndSkinning) {
  using Job = BlendAndSkinJob;
  const PackedInfluences packed = influences(kPoints);
  const PackedBlendShapes shapes = two_shapes(kPoints);
  const PackedBlendShapes larger = two_shapes(kPoints + 1);
  Job job{.skin = skin_job(packed, SkinningMethod::linear), .shapes = &shapes};
  job.weights = some<float>(2);
  expect_each_is_refused<Job>(
      job,
      {{"weights", 2, [](Job& j, std::size_t n) { resize(j.weights, n); }},
       {"points", kPoints, [](Job& j, std::size_t n) { resize(j.skin.points, n); }}},
      kValidate);
  const auto check_second = [&job](const Job& second) {
    const std::vector<Job> meshes = {job, second};
    const Status status = SkinManyJob{.meshes = meshes}.validate();
    if (status) return status;
    EXPECT_EQ(status.error().message.substr(0, 8), "Mesh 1: ");
    return Status(status.error().code, status.error().message.substr(8));
  };
  expect_each_is_refused<Job>(
      job, {{"weights", 2, [](Job& j, std::size_t n) { resize(j.weights, n); }}}, check_second);

  job.shapes = &larger;
  ASSERT_FALSE(job.validate());
  EXPECT_EQ(job.validate().error().message, "shapes is for 6 points, but influences for 5.");
}

TEST(RefusedSizes, OfPosing) {
  const PackedSkeleton packed = skeleton();
  const PackedClip clip = *PackedClip::pack(clip_desc());
  const std::vector<CrowdAgent> agents(kAgents, CrowdAgent{.clip = &clip});
  expect_each_is_refused<PoseCrowdJob>(
      {.skeleton = &packed, .agents = agents},
      {{"palettes", kAgents * kJoints,
        [](PoseCrowdJob& job, std::size_t n) { resize(job.palettes, n); }},
       {"cursors", kAgents, [](PoseCrowdJob& job, std::size_t n) { resize(job.cursors, n); }},
       {"skel_from_joint", kAgents * kJoints,
        [](PoseCrowdJob& job, std::size_t n) { resize(job.skel_from_joint, n); }}},
      kValidate);
  expect_each_is_refused<PoseAgentJob>(
      {.skeleton = &packed, .agent = agents[0], .skel_from_joint = some<Affine34f>(kJoints)},
      {{"skel_from_joint", kJoints,
        [](PoseAgentJob& job, std::size_t n) { resize(job.skel_from_joint, n); }},
       {"palette", kJoints, [](PoseAgentJob& job, std::size_t n) { resize(job.palette, n); }}},
      kValidate);
  constexpr std::size_t kLanes = 16;
  expect_each_is_refused<LocalToSkeletonJob>(
      {.skeleton = &packed,
       .local = some<float>(2 * kJoints * 10 * kLanes),
       .skel_from_joint = some<float>(2 * kJoints * 12 * kLanes)},
      {{"local", 2 * kJoints * 10 * kLanes,
        [](LocalToSkeletonJob& job, std::size_t n) { resize(job.local, n); }},
       {"skel_from_joint", 2 * kJoints * 12 * kLanes,
        [](LocalToSkeletonJob& job, std::size_t n) { resize(job.skel_from_joint, n); }}},
      kValidate);
}

TEST(RefusedSizes, OfClips) {
  using Desc = PackedClipDesc;
  const auto check = [](const Desc& desc) {
    const auto packed = PackedClip::pack(desc);
    return packed ? Status() : Status(packed.error());
  };
  expect_each_is_refused<Desc>(
      clip_desc(),
      {{"translations", 2 * kJoints, [](Desc& d, std::size_t n) { resize(d.translations, n); }},
       {"rotations", 2 * kJoints, [](Desc& d, std::size_t n) { resize(d.rotations, n); }},
       {"scales", 2 * kJoints, [](Desc& d, std::size_t n) { resize(d.scales, n); }},
       {"scales", 3 * kJoints,
        [](Desc& d, std::size_t n) { d.scale_times = kScaleTimes, resize(d.scales, n); }},
       {"half_scales", kJoints, [](Desc& d, std::size_t n) { resize(d.half_scales, n); }}},
      check);
}

TEST(RefusedSizes, OfWeights) {
  using Desc = PackedWeightsDesc;
  const auto check = [](const Desc& desc) {
    const auto packed = PackedWeights::pack(desc);
    return packed ? Status() : Status(packed.error());
  };
  expect_each_is_refused<Desc>(
      {.width = 3, .times = kTimes, .weights = some<float>(6)},
      {{"weights", 6, [](Desc& d, std::size_t n) { resize(d.weights, n); }},
       {"counts", 2, [](Desc& d, std::size_t n) { resize(d.counts, n); }}},
      check);
}

TEST(RefusedSizes, OfTransforms) {
  struct Parts {
    std::span<const Vector3f> translations = some<Vector3f>(kJoints);
    std::span<const Quatf> rotations = some<Quatf>(kJoints);
    std::span<const Vector3h> scales = some<Vector3h>(kJoints);
  };
  expect_each_is_refused<Parts>(
      {},
      {{"translations", kJoints, [](Parts& p, std::size_t n) { resize(p.translations, n); }},
       {"rotations", kJoints, [](Parts& p, std::size_t n) { resize(p.rotations, n); }},
       {"scales", kJoints, [](Parts& p, std::size_t n) { resize(p.scales, n); }}},
      [](const Parts& p) {
        return make_transforms(p.translations, p.rotations, p.scales, some<Matrix4d>(kJoints));
      });
  struct Components {
    std::span<Vector3f> translations = some<Vector3f>(kJoints);
    std::span<Quatf> rotations = some<Quatf>(kJoints);
    std::span<Vector3h> scales = some<Vector3h>(kJoints);
  };
  const std::vector<Matrix4d> transforms(kJoints, Matrix4d::Identity());
  const auto decompose = [&](const Components& c) {
    return decompose_transforms(transforms, c.translations, c.rotations, c.scales);
  };
  EXPECT_TRUE(decompose({}));
  for (const std::size_t size : {kJoints - 1, kJoints + 1}) {
    for (const Components& wrong :
         {Components{.translations = some<Vector3f>(size)},
          Components{.rotations = some<Quatf>(size)}, Components{.scales = some<Vector3h>(size)}}) {
      EXPECT_EQ(decompose(wrong).error().code, ErrorCode::size_mismatch);
    }
  }
  struct Columns {
    std::span<const float> columns = some<float>(32);
  };
  expect_each_is_refused<Columns>(
      {}, {{"columns", 32, [](Columns& c, std::size_t n) { resize(c.columns, n); }}},
      [](const Columns& c) { return copy_columns(c.columns, some<Affine34f>(2)); });
}

TEST(RefusedSizes, OfInfluences) {
  struct Rows {
    std::vector<std::int32_t> indices = std::vector<std::int32_t>(6);
    std::vector<float> weights = std::vector<float>(6, 0.5F);
  };
  for (const std::size_t new_count : {2U, 4U}) {
    for (const std::size_t size : {5U, 7U, 8U}) {
      Rows rows;
      rows.indices.resize(size);
      rows.weights.resize(size);
      EXPECT_FALSE(resize_influences(rows.indices, 3, new_count)) << size;
      EXPECT_FALSE(resize_influences(rows.weights, 3, new_count)) << size;
      EXPECT_EQ(rows.weights.size(), size);
      EXPECT_FALSE(keep_strongest_influences(rows.indices, rows.weights, 3, new_count)) << size;
    }
    Rows rows;
    EXPECT_TRUE(resize_influences(rows.indices, 3, new_count));
    EXPECT_TRUE(resize_influences(rows.weights, 3, new_count));
    EXPECT_EQ(rows.indices.size(), 2 * new_count);
    EXPECT_EQ(rows.weights.size(), 2 * new_count);
  }
}

}  // namespace
}  // namespace sinew::skel::refused_sizes_test
