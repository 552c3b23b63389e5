// SPDX-License-Identifier: Apache-2.0
// Numbers in comments are those of the checklist in the behaviour specification.
#include "sinew/skel/read/extents.hpp"

#include <gtest/gtest.h>

#include "skel/skel_scene.hpp"

namespace sinew::skel::extents_test {
namespace {

void expect_range_near(const Range3f& actual, const Vector3f& min, const Vector3f& max) {
  // The reference figures have eight digits.
  EXPECT_LE((actual.min - min).cwiseAbs().maxCoeff(), 2e-6F) << actual.min.transpose();
  EXPECT_LE((actual.max - max).cwiseAbs().maxCoeff(), 2e-6F) << actual.max.transpose();
}

class ExtentRig : public ::testing::Test {
 protected:
  Range3f extent(stage::Time time) {
    const auto range = skel_root_extent(scene_.stage->prim("/Rig"), time, scene_.diagnostics);
    EXPECT_TRUE(range);
    return range.value_or(Range3f());
  }
  SkelScene scene_ = open_data("skel/extent_rig.usda", Rules::openusd);
};

TEST_F(ExtentRig, HasAnExtentAtEveryFrame) {  // skel 12.69
  for (int frame = 1; frame <= 30; ++frame) EXPECT_FALSE(extent(frame).empty()) << frame;
}

TEST_F(ExtentRig, IsAsDerivedAtSomeFrames) {  // skel 12.69
  expect_range_near(extent(1.0), {-0.5F, -1.5F, -0.5F}, {0.5F, 1.5F, 0.5F});
  expect_range_near(extent(5.5), {-0.5F, -1.5F, -0.5F}, {0.5F, 1.4847969F, 0.6737094F});
  expect_range_near(extent(10.0), {-0.5F, -1.5F, -0.5F}, {0.5F, 1.4396501F, 0.842137F});
  expect_range_near(extent(30.0), {-0.8048477F, -1.5F, -0.5F}, {0.5F, 1.3949245F, 0.8258497F});
}

TEST_F(ExtentRig, IsPaddedByWhatTheMeshReachesBeyondTheJoints) {
  const SkinTarget* target = scene_.find_target("/Rig/Geometry/Box");
  ASSERT_NE(target, nullptr);
  EXPECT_FLOAT_EQ(extents_padding(*target, *scene_.bindings.at(0).skeleton), 0.5F);
}

TEST(SkeletonExtent, HoldsTheJoints) {
  SkelScene scene = open_data("skel/extent_rig.usda", Rules::openusd);
  const auto range = skeleton_extent(scene.bindings.at(0), 1.0, nullptr, &scene.diagnostics);
  ASSERT_TRUE(range);
  expect_range_near(*range, {0, -1, 0}, {0, 1, 0});
}

TEST(SkeletonExtent, IsMovedWhereAskedAndNothingWithoutAPose) {
  SkelScene scene = open_scene(R"(#usda 1.0
def SkelRoot "R" {
    def Skeleton "S" {
        uniform token[] joints = ["a"]
        uniform matrix4d[] restTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(1,2,3,1))]
    }
    def Skeleton "None" {
        uniform token[] joints = ["a"]
    }
}
)");
  Matrix4d moved = Matrix4d::Identity();
  moved.topLeftCorner<3, 3>() *= 2.0;
  moved(0, 3) = 5.0;
  const SkeletonBinding good = read_skeleton(scene.stage->prim("/R/S"), scene.diagnostics);
  const auto range = skeleton_extent(good, {}, &moved, &scene.diagnostics);
  ASSERT_TRUE(range);
  expect_range_near(*range, {7, 4, 6}, {7, 4, 6});
  const SkeletonBinding none = read_skeleton(scene.stage->prim("/R/None"), scene.diagnostics);
  EXPECT_EQ(skeleton_extent(none, {}, nullptr, &scene.diagnostics), std::nullopt);
  // Nor does it count for its SkelRoot.
  const auto root = skel_root_extent(scene.stage->prim("/R"), {}, scene.diagnostics, &moved);
  ASSERT_TRUE(root);
  expect_range_near(*root, {7, 4, 6}, {7, 4, 6});
}

TEST(SkelRootExtent, IsNotMovedWithSkeletonsThatStandByThemselves) {
  SkelScene scene = open_scene(R"(#usda 1.0
def SkelRoot "R" {
    def Xform "X" {
        double3 xformOp:translate = (0, 100, 0)
        uniform token[] xformOpOrder = ["xformOp:translate"]
        def Skeleton "S" {
            uniform token[] joints = ["a"]
            uniform matrix4d[] restTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(1,2,3,1))]
            double3 xformOp:translate.timeSamples = { 0: (0, 0, 5), 1: (0, 0, 6) }
            uniform token[] xformOpOrder = ["!resetXformStack!", "xformOp:translate"]
        }
    }
}
)");
  const Matrix4d moved = 3.0 * Matrix4d::Identity();
  const auto range = skel_root_extent(scene.stage->prim("/R"), 1.0, scene.diagnostics, &moved);
  ASSERT_TRUE(range);
  expect_range_near(*range, {1, 2, 9}, {1, 2, 9});
}

TEST(ExtentsPadding, NeedsARestPoseAndAnExtent) {
  const auto padding = [](const std::string& rest, const std::string& extent) {
    SkelScene scene = open_scene(R"(#usda 1.0
def SkelRoot "R" (prepend apiSchemas = ["SkelBindingAPI"]) {
    rel skel:skeleton = </R/S>
    def Skeleton "S" {
        uniform token[] joints = ["a"]
        )" + rest + R"(
    }
    def Mesh "M" (prepend apiSchemas = ["SkelBindingAPI"]) {
        matrix4d primvars:skel:geomBindTransform = ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,1,0,1))
        )" + extent + R"(
    }
}
)");
    return extents_padding(*scene.find_target("/R/M"), *scene.bindings.at(0).skeleton);
  };
  const std::string rest =
      "uniform matrix4d[] restTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))]";
  const std::string extent = "float3[] extent = [(-1, -2, -3), (2, 4, 1)]";
  EXPECT_EQ(padding(rest, extent), 5.0F);
  EXPECT_EQ(padding(rest, "float3[] extent = [(-1, -7, -3), (2, 1, 1)]"), 6.0F);
  EXPECT_EQ(padding(rest, "float3[] extent = [(0, -1, 0), (0, -1, 0)]"), 0.0F);
  EXPECT_EQ(padding("", extent), 0.0F);
  EXPECT_EQ(padding(rest, ""), 0.0F);
}

TEST(SkelRootExtent, CountsSkeletonsThatNothingIsBoundTo) {
  SkelScene scene = open_scene(R"(#usda 1.0
def SkelRoot "R"
{
    def Skeleton "S"
    {
        uniform token[] joints = ["a", "b"]
        uniform matrix4d[] restTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(1,0,0,1)), ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,2,0,1))]
        double3 xformOp:translate = (0, 0, 5)
        uniform token[] xformOpOrder = ["xformOp:translate"]
    }
}
)");
  const auto range = skel_root_extent(scene.stage->prim("/R"), {}, scene.diagnostics);
  ASSERT_TRUE(range);
  expect_range_near(*range, {0, 0, 5}, {1, 2, 5});
}

TEST(SkelRootExtent, FailsForAnInvalidSkeleton) {
  SkelScene scene = open_scene(R"(#usda 1.0
def SkelRoot "R"
{
    def Skeleton "S"
    {
        uniform token[] joints = ["a/b", "a"]
    }
}
)");
  const auto range = skel_root_extent(scene.stage->prim("/R"), {}, scene.diagnostics);
  ASSERT_FALSE(range);
  EXPECT_EQ(range.error().code, ErrorCode::bad_topology);
}

TEST(SkelRootExtent, IsEmptyWithoutSkeletons) {
  SkelScene scene = open_scene("#usda 1.0\ndef SkelRoot \"R\" {}\n");
  const auto range = skel_root_extent(scene.stage->prim("/R"), {}, scene.diagnostics);
  ASSERT_TRUE(range);
  EXPECT_TRUE(range->empty());
}

// skel 10.2: where the skeleton stands at the default time, by the rules of OpenUSD.
TEST(SkelRootExtent, StandsWhereItsSkeletonDoesAtTheTimeThatTheRulesSay) {
  for (const Rules rules : {Rules::documented, Rules::openusd}) {
    SkelScene scene = open_scene(R"(#usda 1.0
def SkelRoot "R" {
    def Skeleton "S" {
        uniform token[] joints = ["a"]
        uniform matrix4d[] restTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(1,2,0,1))]
        double3 xformOp:translate = (0, 0, 5)
        double3 xformOp:translate.timeSamples = { 1: (0, 0, 7) }
        uniform token[] xformOpOrder = ["xformOp:translate"]
    }
}
)",
                                 rules);
    const auto range = skel_root_extent(scene.stage->prim("/R"), 1.0, scene.diagnostics);
    ASSERT_TRUE(range);
    const float z = rules == Rules::documented ? 7.0F : 5.0F;
    expect_range_near(*range, {1, 2, z}, {1, 2, z});
  }
}

TEST(ExtentsPadding, IsNothingWithoutJoints) {
  const SkelScene scene = open_scene(R"(#usda 1.0
def SkelRoot "R" (prepend apiSchemas = ["SkelBindingAPI"]) {
    rel skel:skeleton = </R/S>
    def Skeleton "S" {}
    def Mesh "M" {
        float3[] extent = [(-1, -2, -3), (2, 4, 1)]
    }
}
)");
  EXPECT_EQ(extents_padding(*scene.find_target("/R/M"), *scene.bindings.at(0).skeleton), 0.0F);
}

}  // namespace
}  // namespace sinew::skel::extents_test
