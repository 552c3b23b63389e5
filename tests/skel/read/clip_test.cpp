// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/read/clip.hpp"

#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/skel/crowd.hpp"
#include "sinew/skel/read/pack.hpp"
#include "skel/random_animation.hpp"
#include "skel/skel_scene.hpp"

namespace sinew::skel::clip_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// The largest sum of a row of the linear part, and the largest coordinate of the translation.
struct Size {
  double linear = 0.0;
  double translation = 0.0;
  explicit Size(const Matrix4d& m)
      : linear(m.topLeftCorner<3, 3>().cwiseAbs().rowwise().sum().maxCoeff()),
        translation(m.topRightCorner<3, 1>().cwiseAbs().maxCoeff()) {}
};

struct Error34 {
  double linear = 0.0;
  double translation = 0.0;
};

constexpr double kRounding = 4 * 0x1p-24;  // Of a sum of four products in float.

// How far a * b may be off if both are.
Error34 product(const Size& a, const Error34& a_error, const Size& b, const Error34& b_error) {
  Error34 result;
  result.linear = a_error.linear * (b.linear + b_error.linear) + a.linear * b_error.linear +
                  kRounding * a.linear * b.linear;
  result.translation = a_error.linear * (b.translation + b_error.translation) +
                       a.linear * b_error.translation + a_error.translation +
                       kRounding * (a.linear * b.translation + a.translation);
  return result;
}

// Compares posing a clip with evaluating the stage, within what read_clip() documents.
void expect_same_pose(const SkeletonBinding& binding, const SkeletonPose& pose,
                      const PackedSkeleton& skeleton, const PackedClip& clip, double time,
                      double scale_step) {
  const std::size_t n = binding.skeleton->joint_count();
  std::vector<Affine34f> skel(n), palette(n);
  PoseAgentJob job = {.skeleton = &skeleton, .agent = {&clip, time}};
  job.skel_from_joint = skel;
  job.palette = palette;
  ASSERT_TRUE(job.run());
  std::vector<Error34> errors(n);
  for (std::size_t j = 0; j < n; ++j) {
    const Size local(pose.joint_local[j]);
    const Error34 own = {3 * (4e-6 + scale_step) * local.linear + kRounding,
                         1e-6 * local.translation};
    const std::int32_t parent = binding.skeleton->topology().parent(j);
    errors[j] = own;
    if (parent >= 0) {
      const auto p = static_cast<std::size_t>(parent);
      errors[j] = product(Size(pose.joint_skel[p]), errors[p], local, own);
    }
    const Matrix4d& inverse_bind = binding.skeleton->inverse_bind_transforms()[j];
    const Size bind(inverse_bind);
    const Error34 palette_error = product(Size(pose.joint_skel[j]), errors[j], bind,
                                          {kRounding * bind.linear, kRounding * bind.translation});
    const auto expect_near = [&](const Affine34f& actual, const Matrix4d& expected,
                                 const Error34& error, const char* what) {
      const Matrix4d difference = (actual.matrix() - expected).cwiseAbs();
      ASSERT_LE((difference.topLeftCorner<3, 3>().maxCoeff()), error.linear)
          << what << " of joint " << j << " at " << time;
      ASSERT_LE((difference.topRightCorner<3, 1>().maxCoeff()), error.translation)
          << what << " of joint " << j << " at " << time;
    };
    expect_near(skel[j], pose.joint_skel[j], errors[j], "place");
    expect_near(palette[j], pose.skinning[j], palette_error, "palette");
    if (::testing::Test::HasFatalFailure()) return;
  }
}

void expect_same_weights(const SkeletonPose& pose, const PackedWeights& weights, double time) {
  std::vector<float> row(weights.width());
  const auto count = weights.sample(time, row);
  ASSERT_EQ(count.has_value(), pose.blend_shape_weights.has_value()) << time;
  if (!count) return;
  row.resize(*count);
  ASSERT_EQ(row, *pose.blend_shape_weights) << time;
}

std::vector<double> times_to_try(RandomAnimation& animation) {
  std::vector<double> result = {-1e9, -1.0, 1e9};
  for (const double time : animation.times) {
    result.push_back(time);
    result.push_back(std::nextafter(time, -1e9) - 1e-9);
    result.push_back(time + 1e-9);
  }
  for (int i = 0; i < 12; ++i) result.push_back(animation.real(-1, 21));
  return result;
}

void compare_random_animations(stage::Interpolation interpolation) {
  for (std::uint32_t seed = 0; seed < 150; ++seed) {
    RandomAnimation animation(seed);
    Diagnostics diagnostics;
    stage::MemoryResolver resolver;
    resolver.add("scene.usda", animation.text());
    stage::OpenOptions options;
    options.resolver = &resolver;
    options.interpolation = interpolation;
    const auto stage = stage::Stage::open(std::string("scene.usda"), diagnostics, options);
    ASSERT_TRUE(stage) << seed;
    const SkeletonBinding binding = read_skeleton((*stage)->prim("/R/S"), diagnostics);

    const Result<Clip> clip = read_clip(binding, diagnostics);

    ASSERT_TRUE(clip) << seed << ": " << clip.error().message;
    const double scale_step = animation.rests ? 0x1p-10 : 0.0;
    const std::vector<double> times = times_to_try(animation);
    for (const SimdLevel level : supported_simd_levels()) {
      const auto skeleton = pack_skeleton(binding, Matrix4d::Identity(), level);
      ASSERT_TRUE(skeleton) << seed;
      for (const double time : times) {
        SCOPED_TRACE(fmt::format("seed {}, level {}", seed, to_string(level)));
        SkeletonPose pose;
        evaluate_pose(binding, time, pose, diagnostics);
        ASSERT_EQ(pose.status, PoseStatus::skinnable);
        ASSERT_NO_FATAL_FAILURE(
            expect_same_pose(binding, pose, *skeleton, clip->joints, time, scale_step));
        ASSERT_NO_FATAL_FAILURE(expect_same_weights(pose, clip->weights, time));
      }
    }
  }
}

TEST(Clip, PosesRandomAnimationsAsTheStageDoes) {
  compare_random_animations(stage::Interpolation::linear);
}

TEST(Clip, PosesRandomHeldAnimationsAsTheStageDoes) {
  compare_random_animations(stage::Interpolation::held);
}

// One joint "a" at rest at (0, 2, 0), another below it, and what the animation says.
SkelScene scene_with(const std::string& animation, const std::string& skeleton = {}) {
  return open_scene(R"(#usda 1.0
def SkelRoot "R" (prepend apiSchemas = ["SkelBindingAPI"])
{
    rel skel:skeleton = </R/S>
    rel skel:animationSource = </R/A>
    def Skeleton "S" (prepend apiSchemas = ["SkelBindingAPI"])
    {
        uniform token[] joints = ["a", "a/b"]
        uniform matrix4d[] bindTransforms = [
            ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1)), ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))]
)" +
                    (skeleton.empty() ? std::string(R"(
        uniform matrix4d[] restTransforms = [
            ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,2,0,1)), ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,2,0,1))]
)")
                                      : skeleton) +
                    R"(
    }
    def SkelAnimation "A"
    {
)" + animation + R"(
    }
    def Mesh "M"
    {
        point3f[] points = []
    }
}
)");
}

const char* const kStill = R"(
        uniform token[] joints = ["a"]
        quatf[] rotations = [(1, 0, 0, 0)]
        half3[] scales = [(1, 1, 1)]
)";

Result<Clip> read(SkelScene& scene) {
  const SkeletonBinding binding = read_skeleton(scene.stage->prim("/R/S"), scene.diagnostics);
  return read_clip(binding, scene.diagnostics);
}

// Where joint `a` is at a time.
Vector3f place(const Clip& clip, double time) {
  const PackedClip::Bracket at = clip.joints.bracket(time);
  const float* const lower = clip.joints.sample(at.lower) + 4;
  const float* const upper = clip.joints.sample(at.upper) + 4;
  return (1.0F - static_cast<float>(at.alpha)) * Vector3f(lower) +
         static_cast<float>(at.alpha) * Vector3f(upper);
}

TEST(Clip, HasOneSampleWhereNothingVaries) {
  SkelScene scene = scene_with(std::string(kStill) + "float3[] translations = [(5, 0, 0)]");

  const Result<Clip> clip = read(scene);

  ASSERT_TRUE(clip);
  EXPECT_EQ(clip->joints.sample_count(), 1U);
  EXPECT_EQ(clip->joints.joint_count(), 2U);
  EXPECT_FALSE(clip->joints.has_scales());
  EXPECT_EQ(place(*clip, 3.0).x(), 5.0F);
  EXPECT_EQ(clip->weights.sample_count(), 0U);
}

TEST(Clip, RestsWithoutAnAnimation) {
  SkelScene scene = scene_with("");

  const Result<Clip> clip = read(scene);

  ASSERT_TRUE(clip);
  EXPECT_EQ(clip->joints.sample_count(), 1U);
  EXPECT_EQ(place(*clip, 0.0).y(), 2.0F);
}

TEST(Clip, PutsASampleJustBeforeAJump) {
  SkelScene scene = scene_with(std::string(kStill) + R"(
        float3[] translations.timeSamples = { 0: [(0,0,0)], 4: [(4,0,0)], 8: None, 12: [(12,0,0)] }
)");

  const Result<Clip> clip = read(scene);

  ASSERT_TRUE(clip);
  EXPECT_THAT(clip->joints.times(), ElementsAre(0.0, 4.0, 8.0, 12.0));
  EXPECT_EQ(place(*clip, 2.0).x(), 2.0F);
  EXPECT_EQ(place(*clip, 7.9).x(), 4.0F);  // Held up to the block,
  EXPECT_EQ(place(*clip, 8.0).y(), 2.0F);  // then at rest,
  EXPECT_EQ(place(*clip, 11.9).y(), 2.0F);
  EXPECT_EQ(place(*clip, 12.0).x(), 12.0F);  // and back.
}

TEST(Clip, KeepsMovingUpToWhereAnotherComponentIsBlocked) {
  SkelScene scene = scene_with(R"(
        uniform token[] joints = ["a"]
        quatf[] rotations.timeSamples = { 0: [(1, 0, 0, 0)], 5: None }
        half3[] scales = [(1, 1, 1)]
        float3[] translations.timeSamples = { 0: [(0,0,0)], 10: [(10,0,0)] }
)");

  const Result<Clip> clip = read(scene);

  ASSERT_TRUE(clip);
  EXPECT_NEAR(place(*clip, 4.5).x(), 4.5F, 1e-5F);
  EXPECT_EQ(place(*clip, 5.0).x(), 0.0F);
  EXPECT_EQ(place(*clip, 10.0).y(), 2.0F);
}

TEST(Clip, ReadsOnlyTheTimesAskedFor) {
  SkelScene scene = scene_with(std::string(kStill) + R"(
        float3[] translations.timeSamples = { 0: [(0,0,0)], 4: [(4,0,0)], 8: [(8,0,0)] }
)");
  const SkeletonBinding binding = read_skeleton(scene.stage->prim("/R/S"), scene.diagnostics);

  const auto clip = read_clip(binding, scene.diagnostics, {.first_time = 2.0, .last_time = 5.0});

  ASSERT_TRUE(clip);
  EXPECT_THAT(clip->joints.times(), ElementsAre(2.0, 4.0, 5.0));
  EXPECT_EQ(place(*clip, 2.0).x(), 2.0F);
  EXPECT_EQ(place(*clip, 5.0).x(), 5.0F);
  const auto times = [&](double first, double last) {
    const auto made =
        read_clip(binding, scene.diagnostics, {.first_time = first, .last_time = last});
    const std::span<const double> all = made->joints.times();
    return std::vector<double>(all.begin(), all.end());
  };
  EXPECT_THAT(times(4.0, 8.0), ElementsAre(4.0, 8.0));
  EXPECT_THAT(times(0.0, 4.0), ElementsAre(0.0, 4.0));
  EXPECT_THAT(times(-1.0, 9.0), ElementsAre(0.0, 4.0, 8.0));
  EXPECT_THAT(times(1.0, 3.0), ElementsAre(1.0, 3.0));
  EXPECT_THAT(times(4.0, 4.0), ElementsAre(4.0));
  EXPECT_THAT(times(3.0, 3.0), ElementsAre(3.0));
  EXPECT_THAT(times(9.0, 10.0), ElementsAre(9.0));
  EXPECT_THAT(times(-2.0, -1.0), ElementsAre(-1.0));
  EXPECT_EQ(
      read_clip(binding, scene.diagnostics, {.first_time = 2.0, .last_time = 1.0}).error().code,
      ErrorCode::invalid_argument);
}

TEST(Clip, HasALimit) {
  SkelScene scene = scene_with(std::string(kStill) + R"(
        float3[] translations.timeSamples = { 0: [(0,0,0)], 4: [(4,0,0)], 8: [(8,0,0)] }
        float[] blendShapeWeights.timeSamples = { 0: [0, 1, 2, 3], 4: [1, 0, 2, 3] }
)");
  const SkeletonBinding binding = read_skeleton(scene.stage->prim("/R/S"), scene.diagnostics);
  ClipOptions options;
  options.max_values = 8;
  EXPECT_TRUE(read_clip(binding, scene.diagnostics, options));
  options.max_values = 7;  // Four weights twice.
  EXPECT_EQ(read_clip(binding, scene.diagnostics, options).error().code, ErrorCode::limit_exceeded);
  options.max_values = 5;  // Two joints three times.
  EXPECT_EQ(read_clip(binding, scene.diagnostics, options).error().code, ErrorCode::limit_exceeded);
}

TEST(Clip, CannotHoldARestTransformThatShears) {
  SkelScene scene = scene_with(std::string(kStill) + "float3[] translations = [(5, 0, 0)]",
                               R"(uniform matrix4d[] restTransforms = [
            ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,2,0,1)), ((1,0.5,0,0),(0,1,0,0),(0,0,1,0),(0,2,0,1))]
)");

  const Result<Clip> clip = read(scene);

  ASSERT_FALSE(clip);
  EXPECT_EQ(clip.error().code, ErrorCode::unsupported);
  EXPECT_THAT(clip.error().message, HasSubstr("a/b"));
}

// Of a scale of 0 no direction is left; any that completes the others will do.
TEST(Clip, HoldsRestTransformsThatAreFlatThinOrNothing) {
  for (const char* rest :
       {"((2,0,0,0),(0,3,0,0),(0,0,0,0),(1,2,3,1))", "((0,0,0,0),(0,0,3,0),(0,-2,0,0),(1,2,3,1))",
        "((0,2,0,0),(0,0,0,0),(0,0,0,0),(1,2,3,1))", "((0,0,0,0),(0,0,0,0),(0,0,-2,0),(1,2,3,1))",
        "((0,0,0,0),(1,1,1,0),(0,0,0,0),(1,2,3,1))", "((0,0,0,0),(0,0,0,0),(0,0,0,0),(1,2,3,1))",
        "((-2,0,0,0),(0,3,0,0),(0,0,1,0),(1,2,3,1))"}) {
    SCOPED_TRACE(rest);
    SkelScene scene = scene_with(std::string(kStill) + "float3[] translations = [(5, 0, 0)]",
                                 std::string("uniform matrix4d[] restTransforms = [\n"
                                             "((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,2,0,1)), ") +
                                     rest + "]\n");
    const Result<Clip> clip = read(scene);
    ASSERT_TRUE(clip) << clip.error().message;
    const Result<PackedSkeleton> skeleton = pack_skeleton(scene.bindings.at(0));
    ASSERT_TRUE(skeleton) << skeleton.error().message;
    expect_same_pose(scene.bindings.at(0), scene.pose(0, 1.0), *skeleton, clip->joints, 1.0, 0.0);
  }
}

TEST(Clip, NeedsARestPoseForJointsLeftOut) {
  SkelScene scene = scene_with(std::string(kStill) + "float3[] translations = [(5, 0, 0)]", " ");

  EXPECT_EQ(read(scene).error().code, ErrorCode::no_value);
}

TEST(Clip, WithoutARestPoseCannotRestForAWhile) {
  SkelScene scene = scene_with(R"(
        uniform token[] joints = ["a", "a/b"]
        quatf[] rotations = [(1, 0, 0, 0), (1, 0, 0, 0)]
        half3[] scales = [(1, 1, 1), (1, 1, 1)]
        float3[] translations.timeSamples = { 0: [(0,0,0), (0,0,0)], 4: None }
)",
                               " ");

  EXPECT_EQ(read(scene).error().code, ErrorCode::unsupported);
}

// Slerp between two equal rotations that are not of unit length is not that rotation.
TEST(Clip, HoldsWhatIsNotInterpolated) {
  SkelScene scene = scene_with(R"(
        uniform token[] joints = ["a"]
        quatf[] rotations.timeSamples = { 4: [(0.5, 0.5, 0, 0)], 8: [(0.5, 0.5, 0, 0.1)] }
        half3[] scales.timeSamples = { 4: [(1.1, 1.1, 1.1)], 8: [(1.1, 1.3, 1.1)] }
        float3[] translations.timeSamples = { 0: [(4,0,0)] }
)");
  const SkeletonBinding binding = read_skeleton(scene.stage->prim("/R/S"), scene.diagnostics);
  const auto clip = read_clip(binding, scene.diagnostics);
  const auto skeleton = pack_skeleton(binding);
  ASSERT_TRUE(clip && skeleton);
  for (const double time : {-1.0, 1.3, 5.3, 9.0}) {
    SkeletonPose pose;
    evaluate_pose(binding, time, pose, scene.diagnostics);
    expect_same_pose(binding, pose, *skeleton, clip->joints, time, 0.0);
  }
}

TEST(Clip, OfNoJointsNeedsARestPoseToo) {
  SkelScene scene = open_scene(R"(#usda 1.0
def Skeleton "S"
{
    uniform matrix4d[] restTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,2,0,1))]
}
)");
  const SkeletonBinding binding = read_skeleton(scene.stage->prim("/S"), scene.diagnostics);
  EXPECT_EQ(read_clip(binding, scene.diagnostics).error().code, ErrorCode::no_value);
}

TEST(Clip, TellsNoWeightsFromNothingSaidOfThem) {
  SkelScene scene = scene_with(std::string(kStill) + R"(
        uniform token[] blendShapes = []
        float3[] translations = [(5, 0, 0)]
        float[] blendShapeWeights.timeSamples = { 0: [], 4: None }
)");

  const Result<Clip> clip = read(scene);

  ASSERT_TRUE(clip) << clip.error().message;
  EXPECT_EQ(clip->weights.width(), 0U);
  EXPECT_EQ(clip->weights.sample_count(), 2U);
  EXPECT_EQ(clip->weights.sample(0.0, {}), std::optional<std::size_t>(0));
  EXPECT_EQ(clip->weights.sample(4.0, {}), std::nullopt);
}

TEST(Clip, HoldsAndBlocksWeightsLikeTheStage) {
  SkelScene scene = scene_with(std::string(kStill) + R"(
        uniform token[] blendShapes = ["x", "y"]
        float3[] translations = [(5, 0, 0)]
        float[] blendShapeWeights.timeSamples = { 0: [0, 1], 4: [1, 0], 8: None, 12: [0.5] }
)");

  const Result<Clip> clip = read(scene);

  ASSERT_TRUE(clip);
  EXPECT_THAT(clip->blend_shapes, ElementsAre("x", "y"));
  std::vector<float> row(2);
  EXPECT_EQ(clip->weights.sample(1.0, row), 2U);
  EXPECT_THAT(row, ElementsAre(0.25F, 0.75F));
  EXPECT_EQ(clip->weights.sample(9.0, row), std::nullopt);
  EXPECT_EQ(clip->weights.sample(12.0, row), 1U);
  EXPECT_EQ(scene.said("skel-blend-shape-weights-size").size(), 1U);
}

// An animation of another skeleton, found by the names of its joints.
TEST(Clip, ReadsAnAnimationOfAnotherSkeleton) {
  SkelScene scene = scene_with("", {});
  SkelScene other = open_scene(R"(#usda 1.0
def SkelAnimation "Walk"
{
    uniform token[] joints = ["rig:b", "rig:a"]
    float3[] translations.timeSamples = { 0: [(1,0,0), (5,0,0)], 10: [(1,0,0), (6,0,0)] }
    quatf[] rotations = [(1,0,0,0), (1,0,0,0)]
    half3[] scales = [(1,1,1), (1,1,1)]
    uniform token[] blendShapes = ["x"]
    float[] blendShapeWeights = [0.5]
}
)");
  const SkeletonBinding binding = read_skeleton(scene.stage->prim("/R/S"), scene.diagnostics);
  const stage::Prim walk = other.stage->prim("/Walk");
  const auto animation = read_animation(walk, other.diagnostics);
  const JointMatch match = match_joints(animation->joints, binding.skeleton->joints());
  ASSERT_EQ(match.rule, JointMatchRule::names_in_namespace);

  const auto clip = read_clip(walk, binding, match, other.diagnostics);

  ASSERT_TRUE(clip) << clip.error().message;
  EXPECT_EQ(clip->joints.sample_count(), 2U);
  EXPECT_EQ(place(*clip, 5.0).x(), 5.5F);
  EXPECT_EQ(clip->joints.sample(0)[PackedClip::kStride + 4], 1.0F);  // Joint a/b.
  EXPECT_EQ(clip->weights.sample_count(), 1U);
  EXPECT_THAT(clip->blend_shapes, ElementsAre("x"));
}

TEST(Clip, RestsWhereNoJointMatches) {
  SkelScene scene = scene_with(std::string(kStill) + "float3[] translations = [(5, 0, 0)]");
  const SkeletonBinding binding = read_skeleton(scene.stage->prim("/R/S"), scene.diagnostics);
  const stage::Prim animation = scene.stage->prim("/R/A");
  const JointMatch match = match_joints({}, binding.skeleton->joints());

  const auto clip = read_clip(animation, binding, match, scene.diagnostics);

  ASSERT_TRUE(clip);
  EXPECT_EQ(place(*clip, 0.0).y(), 2.0F);
}

TEST(Clip, NamesTheSkeletonThatLacksARestPose) {
  SkelScene scene = scene_with(std::string(kStill) + "float3[] translations = [(5, 0, 0)]", " ");
  const SkeletonBinding binding = read_skeleton(scene.stage->prim("/R/S"), scene.diagnostics);
  const JointMatch match = match_joints({}, binding.skeleton->joints());

  const auto clip = read_clip(scene.stage->prim("/R/A"), binding, match, scene.diagnostics);

  EXPECT_EQ(clip.error().code, ErrorCode::no_value);
  EXPECT_NE(clip.error().message.find("/R/S"), std::string::npos) << clip.error().message;
}

TEST(Clip, RefusesAMatchOfOtherJoints) {
  SkelScene scene = scene_with(std::string(kStill) + "float3[] translations = [(5, 0, 0)]");
  const SkeletonBinding binding = read_skeleton(scene.stage->prim("/R/S"), scene.diagnostics);
  const stage::Prim animation = scene.stage->prim("/R/A");
  JointMatch match;
  match.rule = JointMatchRule::names;
  match.clip_joint = {0};
  EXPECT_EQ(read_clip(animation, binding, match, scene.diagnostics).error().code,
            ErrorCode::size_mismatch);
  match.clip_joint = {0, 1};
  EXPECT_EQ(read_clip(animation, binding, match, scene.diagnostics).error().code,
            ErrorCode::index_out_of_range);
}

TEST(Clip, CannotHoldARestTransformTooFarAway) {
  SkelScene scene = scene_with(std::string(kStill) + "float3[] translations = [(5, 0, 0)]",
                               R"(uniform matrix4d[] restTransforms = [
            ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,2,0,1)), ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,1e39,0,1))]
)");
  const Result<Clip> clip = read(scene);
  ASSERT_FALSE(clip);
  EXPECT_EQ(clip.error().code, ErrorCode::unsupported);
}

TEST(Clip, OfAnotherSkeletonNeedsAValidOne) {
  SkelScene scene = scene_with(std::string(kStill) + "float3[] translations = [(5, 0, 0)]");
  SkeletonBinding binding = read_skeleton(scene.stage->prim("/R/S"), scene.diagnostics);
  const JointMatch match = match_joints(std::vector<std::string>{"a"}, binding.skeleton->joints());
  binding.skeleton = nullptr;
  const auto clip = read_clip(scene.stage->prim("/R/A"), binding, match, scene.diagnostics);
  ASSERT_FALSE(clip);
  EXPECT_EQ(clip.error().code, ErrorCode::bad_topology);
  EXPECT_EQ(clip.error().message, "The joints of /R/S form no valid hierarchy.");
}

TEST(Clip, SaysThatJointsLeftOutHaveNoRestPose) {
  const std::string one = std::string(kStill) + "float3[] translations = [(5, 0, 0)]";
  const std::string both = R"(
        uniform token[] joints = ["a", "a/b"]
        quatf[] rotations = [(1, 0, 0, 0), (1, 0, 0, 0)]
        half3[] scales = [(1, 1, 1), (1, 1, 1)]
        float3[] translations = [(0,0,0), (0,0,0)]
)";
  const auto said = [](const std::string& animation, const std::string& skeleton) {
    SkelScene scene = scene_with(animation, skeleton);
    scene.diagnostics.clear();
    (void)read(scene);
    return scene.said("skel-rest-pose-missing").size();
  };
  EXPECT_EQ(said(one, " "), 1U);
  EXPECT_EQ(said(one, ""), 0U);
  EXPECT_EQ(said(both, " "), 0U);
}

}  // namespace
}  // namespace sinew::skel::clip_test
