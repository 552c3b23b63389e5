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

}  // namespace
}  // namespace sinew::skel::extents_test
