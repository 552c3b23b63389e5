// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/read/pack.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/skel/crowd.hpp"
#include "sinew/skel/read/clip.hpp"
#include "sinew/skel/skin_palette.hpp"
#include "sinew/skel/skinning.hpp"
#include "skel/skel_scene.hpp"

namespace sinew::skel::pack_test {
namespace {

using ::testing::HasSubstr;

constexpr const char* kBind = R"(
        uniform matrix4d[] bindTransforms = [
            ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1)), ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,1,0,1)),
            ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,2,0,1))])";

// Joints a, b, c in a row, bent, and a mesh of three points with the given properties.
SkelScene scene_with(const std::string& mesh, Rules rules = Rules::documented,
                     const std::string& bind = kBind, const std::string& more = {}) {
  return open_scene(R"(#usda 1.0
def SkelRoot "R" (prepend apiSchemas = ["SkelBindingAPI"])
{
    rel skel:skeleton = </R/S>
    def Skeleton "S" (prepend apiSchemas = ["SkelBindingAPI"])
    {
        uniform token[] joints = ["a", "a/b", "a/b/c"]
        uniform matrix4d[] restTransforms = [
            ((0,1,0,0),(-1,0,0,0),(0,0,1,0),(0,0,0,1)), ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,1,0,1)),
            ((1,0,0,0),(0,0,1,0),(0,-1,0,0),(0,1,0,1))]
)" + bind + R"(
    }
    def Mesh "M" (prepend apiSchemas = ["SkelBindingAPI"])
    {
        point3f[] points = [(0,0,0), (1,1,0), (0,2,1)]
)" + mesh + R"(
    }
)" + more + "}\n",
                    rules);
}

std::string influences(const std::string& indices) {
  return "int[] primvars:skel:jointIndices = [" + indices +
         "] (interpolation = \"vertex\"; elementSize = 1)\n"
         "float[] primvars:skel:jointWeights = [1, 1, 0.5] (interpolation = \"vertex\"; "
         "elementSize = 1)\n";
}

Result<TargetInfluences> pack(SkelScene& scene, const PackOptions& options = {}) {
  const SkeletonBinding& binding = scene.bindings.at(0);
  return pack_influences(binding, binding.targets.at(0), 0.0, options, &scene.diagnostics);
}

// Skins the mesh with a palette in skeleton order and compares with evaluating it.
void expect_skins_as_evaluated(SkelScene& scene, const TargetInfluences& influences) {
  const SkeletonPose pose = scene.pose(0, 0.0);
  std::vector<Matrix4d> skinning = pose.skinning;
  if (influences.has_still_joint) skinning.push_back(Matrix4d::Identity());
  SkinPalette palette;
  palette.prepare(SkinningMethod::linear, skinning, influences.geom_bind);
  const std::vector<Vector3f> points = {{0, 0, 0}, {1, 1, 0}, {0, 2, 1}};
  std::vector<Vector3f> skinned(3);
  SkinPointsJob job;
  job.influences = &influences.packed;
  job.palette = palette.view();
  job.points = points;
  job.points_out = skinned;
  ASSERT_TRUE(job.run());
  EXPECT_POINTS_NEAR(skinned, scene.deform("/R/M", 0.0).points, 1e-6F);
}

TEST(PackInfluences, SharesWhatWasPackedWhileReading) {
  SkelScene scene = scene_with(influences("0, 2, 1"));

  const auto packed = pack(scene);

  ASSERT_TRUE(packed) << packed.error().message;
  EXPECT_FALSE(packed->has_still_joint);
  EXPECT_EQ(packed->packed.joint_count(), 3U);
  expect_skins_as_evaluated(scene, *packed);
}

TEST(PackInfluences, TurnsAnOrderOfItsOwnIntoTheSkeletons) {
  SkelScene scene = scene_with(influences("0, 1, 0") + R"(
        uniform token[] skel:joints = ["a/b/c", "a"]
        matrix4d primvars:skel:geomBindTransform = ((2,0,0,0),(0,2,0,0),(0,0,2,0),(1,0,0,1))
)");

  const auto packed = pack(scene);

  ASSERT_TRUE(packed) << packed.error().message;
  EXPECT_FALSE(packed->has_still_joint);
  EXPECT_EQ(packed->packed.joint_count(), 3U);
  EXPECT_EQ(packed->geom_bind(0, 3), 1.0);
  expect_skins_as_evaluated(scene, *packed);
}

TEST(PackInfluences, KeepsStillWhatTheSkeletonLacks) {
  SkelScene scene = scene_with(influences("0, 1, 2") + R"(
        uniform token[] skel:joints = ["a/b", "other", "a"]
)");

  const auto packed = pack(scene);

  ASSERT_TRUE(packed) << packed.error().message;
  EXPECT_TRUE(packed->has_still_joint);
  EXPECT_EQ(packed->packed.joint_count(), 4U);
  expect_skins_as_evaluated(scene, *packed);
}

// Under OpenUSD's rules it moves with the joint of its number, or not at all if there is none.
TEST(PackInfluences, FollowsTheRulesForWhatTheSkeletonLacks) {
  SkelScene scene = scene_with(influences("0, 1, 3") + R"(
        uniform token[] skel:joints = ["a/b", "other", "a", "more"]
)",
                               Rules::openusd);

  const auto packed = pack(scene);

  ASSERT_TRUE(packed) << packed.error().message;
  EXPECT_TRUE(packed->has_still_joint);
  expect_skins_as_evaluated(scene, *packed);
}

TEST(PackInfluences, NamesAnIndexOutOfRange) {
  for (const char* order : {"", "uniform token[] skel:joints = [\"a\"]\n"}) {
    SkelScene scene = scene_with(influences("0, 0, 3") + order);
    const auto packed = pack(scene);
    ASSERT_FALSE(packed);
    EXPECT_EQ(packed.error().code, ErrorCode::index_out_of_range);
    EXPECT_THAT(packed.error().message, HasSubstr("3"));
  }
}

TEST(PackInfluences, ReordersPointsWhereAsked) {
  SkelScene scene = scene_with(influences("2, 0, 2"));

  const auto packed = pack(scene, {.order = PointOrder::by_joint});

  ASSERT_TRUE(packed);
  EXPECT_EQ(packed->packed.new_from_old().size(), 3U);
}

TEST(PackInfluences, OfTheLevelThatIsAskedFor) {
  SkelScene scene = scene_with(influences("0, 2, 1"));
  const SimdLevel best = pack(scene)->packed.level();

  for (const SimdLevel level : {SimdLevel::scalar, best}) {
    const auto packed = pack(scene, {.level = level});
    ASSERT_TRUE(packed) << packed.error().message;
    EXPECT_EQ(packed->packed.level(), level);
    expect_skins_as_evaluated(scene, *packed);
  }
}

TEST(PackInfluences, NeedsAValidSkeleton) {
  SkelScene scene = scene_with(influences("0, 1, 2"));
  SkeletonBinding invalid = scene.bindings.at(0);
  invalid.skeleton = nullptr;
  for (const Error& error : {pack_influences(invalid, invalid.targets.at(0), 0.0).error(),
                             pack_skeleton(invalid).error()}) {
    EXPECT_EQ(error.code, ErrorCode::bad_topology);
    EXPECT_EQ(error.message, "The joints of /R/S form no valid hierarchy.");
  }
}

TEST(PackInfluences, NeedsInfluencesAndPoints) {
  SkelScene none = scene_with(
      "matrix4d primvars:skel:geomBindTransform = "
      "((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))\n");
  const Error error = pack(none).error();
  EXPECT_EQ(error.code, ErrorCode::no_value);
  EXPECT_EQ(error.message, "/R/M has no usable joint influences.");
  SkelScene magic =
      scene_with(influences("0, 1, 2") + "token primvars:skel:skinningMethod = \"magic\"\n");
  EXPECT_EQ(pack(magic).error().message, "/R/M has no usable joint influences.");
  SkelScene cube = scene_with(influences("0, 1, 2"), Rules::documented, kBind,
                              "def Cube \"C\" (prepend apiSchemas = [\"SkelBindingAPI\"]) {\n" +
                                  influences("0, 1, 2") + "}\n");
  const SkeletonBinding& binding = cube.bindings.at(0);
  const Error no_points = pack_influences(binding, *cube.find_target("/R/C"), 0.0).error();
  EXPECT_EQ(no_points.code, ErrorCode::no_value);
  EXPECT_EQ(no_points.message, "/R/C has no points.");
}

TEST(PackSkeleton, FoldsTheGeomBindTransformIn) {
  SkelScene scene = scene_with(influences("0, 1, 2"));
  const SkeletonBinding& binding = scene.bindings.at(0);
  Matrix4d geom_bind = Matrix4d::Identity();
  geom_bind(0, 3) = 3.0;
  geom_bind(1, 1) = 2.0;

  const auto skeleton = pack_skeleton(binding, geom_bind);

  ASSERT_TRUE(skeleton);
  const Clip clip = *read_clip(binding, scene.diagnostics);
  std::vector<Affine34f> places(3), palette(3);
  PoseAgentJob job = {.skeleton = &*skeleton, .agent = {&clip.joints, 0.0}};
  job.skel_from_joint = places;
  job.palette = palette;
  ASSERT_TRUE(job.run());
  const SkeletonPose pose = scene.pose(0, 0.0);
  for (std::size_t j = 0; j < 3; ++j) {
    EXPECT_LT((palette[j].matrix() - pose.skinning[j] * geom_bind).cwiseAbs().maxCoeff(), 1e-6);
  }
}

TEST(PackSkeleton, NeedsABindPose) {
  SkelScene scene = scene_with(influences("0, 1, 2"), Rules::documented, "");
  EXPECT_EQ(pack_skeleton(scene.bindings.at(0)).error().code, ErrorCode::no_value);
}

TEST(PackSkeleton, RefusesProjectiveBindTransforms) {
  SkelScene scene = scene_with(influences("0, 1, 2"), Rules::documented, R"(
        uniform matrix4d[] bindTransforms = [
            ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1)), ((1,0,0,0.5),(0,1,0,0),(0,0,1,0),(0,1,0,1)),
            ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,2,0,1))])");
  const auto packed = pack_skeleton(scene.bindings.at(0));
  ASSERT_FALSE(packed);
  EXPECT_EQ(packed.error().code, ErrorCode::unsupported);
  EXPECT_THAT(packed.error().message, HasSubstr("joint 1"));
}

TEST(PackSkeleton, RefusesAProjectiveGeomBindTransform) {
  SkelScene scene = scene_with(influences("0, 1, 2"));
  Matrix4d geom_bind = Matrix4d::Identity();
  geom_bind(3, 1) = 0.5;
  const Error error = pack_skeleton(scene.bindings.at(0), geom_bind).error();
  EXPECT_EQ(error.code, ErrorCode::unsupported);
  EXPECT_EQ(error.message, "geom_bind is not affine.");
}

constexpr const char* kShapes = R"(
    def BlendShape "Up" 
    {
        vector3f[] offsets = [(0,1,0), (0,1,0), (0,1,0)]
    }
    def BlendShape "Bad" 
    {
        vector3f[] offsets = [(0,1,0)]
    }
)";

std::string shapes(const std::string& names, const std::string& targets) {
  return influences("0, 1, 2") + "uniform token[] skel:blendShapes = [" + names +
         "]\nrel skel:blendShapeTargets = [" + targets + "]\n";
}

TEST(PackBlendShapes, LeavesOutOffsetsThatDoNotFit) {
  SkelScene scene =
      scene_with(shapes("\"u\", \"b\"", "</R/Up>, </R/Bad>"), Rules::documented, kBind, kShapes);
  const SkinTarget& target = scene.bindings.at(0).targets.at(0);

  const auto packed = pack_blend_shapes(target, 3, {}, &scene.diagnostics);

  ASSERT_TRUE(packed) << packed.error().message;
  EXPECT_EQ(packed->sub_shape_count(), target.skin->blend_shapes->sub_shape_count());
  EXPECT_EQ(scene.said("skel-blend-shape-mismatch").size(), 1U);
  std::vector<float> weights(packed->sub_shape_count(), 1.0F);
  std::vector<Vector3f> points = {{0, 0, 0}, {1, 1, 0}, {0, 2, 1}};
  const BlendShapesJob job = {
      .shapes = &*packed, .weights = weights, .points = points, .points_out = points};
  ASSERT_TRUE(job.run());
  EXPECT_EQ(points[2], Vector3f(0, 3, 1));
}

// Points and normals of one shape are left out each by itself.
TEST(PackBlendShapes, KeepsOffsetsBesideOthersThatDoNotFit) {
  SkelScene scene = scene_with(shapes("\"p\", \"n\"", "</R/P>, </R/N>"), Rules::documented, kBind,
                               R"(
    def BlendShape "P" {
        vector3f[] offsets = [(0,1,0), (0,1,0), (0,1,0)]
        vector3f[] normalOffsets = [(1,0,0)]
    }
    def BlendShape "N" {
        vector3f[] offsets = [(9,9,9)]
        vector3f[] normalOffsets = [(0,3,0), (0,0,0), (0,0,0)]
    }
)");
  const SkinTarget& target = scene.bindings.at(0).targets.at(0);

  const auto packed = pack_blend_shapes(target, 3, {}, &scene.diagnostics);

  ASSERT_TRUE(packed) << packed.error().message;
  const std::vector<Diagnostic> said = scene.said("skel-blend-shape-mismatch");
  ASSERT_EQ(said.size(), 1U);
  EXPECT_EQ(said[0].path, "/R/M");
  const std::vector<float> weights(packed->sub_shape_count(), 1.0F);
  std::vector<Vector3f> points = {{0, 0, 0}, {1, 1, 0}, {0, 2, 1}};
  std::vector<Vector3f> normals = {{4, 0, 0}, {0, 0, 1}, {0, 0, 1}};
  const BlendShapesJob job = {.shapes = &*packed,
                              .weights = weights,
                              .points = points,
                              .points_out = points,
                              .normals = normals,
                              .normals_out = normals};
  const Status status = job.run();
  ASSERT_TRUE(status) << status.error().message;
  EXPECT_POINTS_NEAR(points, (std::vector<Vector3f>{{0, 1, 0}, {1, 2, 0}, {0, 3, 1}}), 0.0F);
  EXPECT_POINTS_NEAR(normals, (std::vector<Vector3f>{{.8F, .6F, 0}, {0, 0, 1}, {0, 0, 1}}), 1e-6F);
  const std::vector<std::uint32_t> two = {0, 1};
  EXPECT_EQ(pack_blend_shapes(target, 3, two).error().code, ErrorCode::size_mismatch);
}

// One bad shape spoils the mesh there, but only while it has a weight.
TEST(PackBlendShapes, RefusesThemUnderTheRulesOfOpenUsd) {
  SkelScene scene =
      scene_with(shapes("\"u\", \"b\"", "</R/Up>, </R/Bad>"), Rules::openusd, kBind, kShapes);
  EXPECT_EQ(pack_blend_shapes(scene.bindings.at(0).targets.at(0), 3).error().code,
            ErrorCode::size_mismatch);
}

// In the order of the influences' points, and as many.
TEST(PackBlendShapes, TakeTheirPointsFromInfluences) {
  SkelScene scene = scene_with(influences("2, 0, 1") +
                                   "uniform token[] skel:blendShapes = [\"u\", \"b\"]\nrel "
                                   "skel:blendShapeTargets = [</R/One>, </R/Bad>]\n",
                               Rules::documented, kBind, R"(
    def BlendShape "One" {
        vector3f[] offsets = [(1,0,0), (0,2,0), (0,0,3)]
    }
    def BlendShape "Bad" {
        vector3f[] offsets = [(0,1,0)]
    }
)");
  const SkeletonBinding& binding = scene.bindings.at(0);
  const SkinTarget& target = binding.targets.at(0);
  const auto influences =
      pack_influences(binding, target, stage::Time::earliest(), {.order = PointOrder::by_joint});
  ASSERT_TRUE(influences) << influences.error().message;
  const std::span<const std::uint32_t> order = influences->packed.new_from_old();
  ASSERT_THAT(order, testing::ElementsAre(2, 0, 1));

  const auto packed = pack_blend_shapes(target, influences->packed, &scene.diagnostics);

  ASSERT_TRUE(packed) << packed.error().message;
  EXPECT_EQ(scene.said("skel-blend-shape-mismatch").size(), 1U);
  EXPECT_EQ(packed->point_count(), 3U);
  const std::vector<float> weights(packed->sub_shape_count(), 1.0F);
  std::vector<Vector3f> points(3, Vector3f::Zero());
  ASSERT_TRUE((
      BlendShapesJob{.shapes = &*packed, .weights = weights, .points = points, .points_out = points}
          .run()));
  EXPECT_EQ(points[order[0]], Vector3f(1, 0, 0));
  EXPECT_EQ(points[order[1]], Vector3f(0, 2, 0));
  EXPECT_EQ(points[order[2]], Vector3f(0, 0, 3));
}

TEST(PackBlendShapes, NeedsBlendShapes) {
  SkelScene scene = scene_with(influences("0, 1, 2"));
  EXPECT_EQ(pack_blend_shapes(scene.bindings.at(0).targets.at(0), 3).error().code,
            ErrorCode::no_value);
}

// What was packed while reading is for the points of the earliest time.
TEST(PackInfluences, FitAsManyPointsAsThereAreAtTheTime) {
  SkelScene scene = scene_with(R"(
        point3f[] points.timeSamples = { 0: [(0,0,0)], 1: [(0,0,0), (1,1,0)] }
        int[] primvars:skel:jointIndices = [1] (interpolation = "constant"; elementSize = 1)
        float[] primvars:skel:jointWeights = [1] (interpolation = "constant"; elementSize = 1)
)");
  const SkeletonBinding& binding = scene.bindings.at(0);
  for (const double time : {0.0, 1.0}) {
    const auto packed = pack_influences(binding, binding.targets.at(0), time);
    ASSERT_TRUE(packed) << packed.error().message;
    EXPECT_EQ(packed->packed.point_count(), time == 0.0 ? 1U : 2U);
  }
}

}  // namespace
}  // namespace sinew::skel::pack_test
