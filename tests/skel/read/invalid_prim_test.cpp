// SPDX-License-Identifier: Apache-2.0
// No prim has no skeleton, no animation and no meshes, and a prim of another type none either.
#include <gtest/gtest.h>

#include "sinew/physics/read/read_physics.hpp"
#include "sinew/skel.hpp"
#include "skel/skel_scene.hpp"

namespace sinew::skel::invalid_prim_test {
namespace {

class NoSkeletons : public ::testing::TestWithParam<const char*> {
 protected:
  SkelScene scene_ = open_scene(R"(#usda 1.0
def SkelRoot "R"
{
    def Skeleton "S"
    {
        uniform token[] joints = ["a"]
        uniform matrix4d[] restTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))]
    }
    def Mesh "M" {}
}
)");
  const stage::Prim prim_ = scene_.stage->prim(GetParam());
  Diagnostics diagnostics_;
};

TEST_P(NoSkeletons, AreReadFromWhatIsNone) {
  EXPECT_EQ(read_animation(prim_, diagnostics_), nullptr);
  EXPECT_EQ(read_skeleton(prim_, diagnostics_).skeleton, nullptr);
  EXPECT_TRUE(read_bindings(prim_, diagnostics_).empty());
  EXPECT_FALSE(inherited_animation_source(prim_, &diagnostics_));
  EXPECT_FALSE(inherited_skeleton(prim_, &diagnostics_));
  EXPECT_EQ(is_skinnable(prim_), prim_.valid());
  EXPECT_EQ(find_skel_root(prim_).valid(), prim_.valid());
  const auto extent = skel_root_extent(prim_, 1.0, diagnostics_);
  EXPECT_TRUE(!extent || extent->empty());
  EXPECT_EQ(physics::joint_schema(prim_), stage::SchemaType::unknown);
}

TEST_P(NoSkeletons, AreAnimatedByWhatIsNoAnimation) {
  const SkeletonBinding binding = read_skeleton(scene_.stage->prim("/R/S"), diagnostics_);
  ASSERT_NE(binding.skeleton, nullptr);
  const std::vector<std::string> nothing;
  const JointMatch match = match_joints(nothing, binding.skeleton->joints());
  const auto clip = read_clip(prim_, binding, match, diagnostics_);
  ASSERT_FALSE(clip);
  EXPECT_EQ(clip.error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(clip.error().message,
            prim_ ? "</R/M> is not a SkelAnimation." : "<> is not a SkelAnimation.");
}

INSTANTIATE_TEST_SUITE_P(Prims, NoSkeletons, ::testing::Values("/typo", "/R/M"));

TEST(NoSkeletons, MakeACrowd) {
  Diagnostics diagnostics;
  const std::vector<SkeletonBinding> bindings(2);
  const auto crowd = Crowd::open(bindings, diagnostics);
  ASSERT_FALSE(crowd);
  EXPECT_EQ(crowd.error().code, ErrorCode::no_value);
}

}  // namespace
}  // namespace sinew::skel::invalid_prim_test
