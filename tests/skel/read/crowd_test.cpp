// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/read/crowd.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/core/executor_std_thread.hpp"
#include "skel/skel_scene.hpp"
#include "support/count_allocations.hpp"

namespace sinew::skel::read_crowd_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Three characters of one file, two of them with the animation of their source, and a robot.
const char* const kScene = R"(#usda 1.0
class SkelRoot "Character" (prepend apiSchemas = ["SkelBindingAPI"])
{
    rel skel:skeleton = </Character/S>
    def Skeleton "S" (prepend apiSchemas = ["SkelBindingAPI"])
    {
        uniform token[] joints = ["a", "a/b"]
        uniform matrix4d[] bindTransforms = [
            ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1)), ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,1,0,1))]
        uniform matrix4d[] restTransforms = [
            ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1)), ((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,1,0,1))]
        rel skel:animationSource = </Character/Walk>
    }
    def SkelAnimation "Walk"
    {
        uniform token[] joints = ["a", "a/b"]
        float3[] translations.timeSamples = { 1: [(0,0,0), (0,1,0)], 5: [(4,0,0), (0,1,0)] }
        quatf[] rotations.timeSamples = {
            1: [(1,0,0,0), (1,0,0,0)], 5: [(1,0,0,0), (0.7071068,0.7071068,0,0)] }
        half3[] scales = [(1,1,1), (1,1,1)]
    }
    def Mesh "M" (prepend apiSchemas = ["SkelBindingAPI"])
    {
        point3f[] points = [(0,0,0)]
        int[] primvars:skel:jointIndices = [1] (interpolation = "vertex"; elementSize = 1)
        float[] primvars:skel:jointWeights = [1] (interpolation = "vertex"; elementSize = 1)
    }
}
def Xform "World"
{
    def SkelRoot "One" (instanceable = true; inherits = </Character>)
    {
        double3 xformOp:translate = (10, 0, 0)
        uniform token[] xformOpOrder = ["xformOp:translate"]
    }
    def SkelRoot "Two" (instanceable = true; inherits = </Character>)
    {
        double3 xformOp:translate.timeSamples = { 1: (0, 0, 0), 5: (0, 0, 8) }
        uniform token[] xformOpOrder = ["xformOp:translate"]
    }
    def SkelRoot "Three" (inherits = </Character>)
    {
        over "Walk"
        {
            float3[] translations.timeSamples = { 1: [(0,0,7), (0,1,0)] }
        }
    }
    def SkelRoot "Robot" (prepend apiSchemas = ["SkelBindingAPI"])
    {
        rel skel:skeleton = </World/Robot/S>
        def Skeleton "S"
        {
            uniform token[] joints = ["r"]
            uniform matrix4d[] bindTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))]
            uniform matrix4d[] restTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,3,0,1))]
        }
        def Mesh "M" (prepend apiSchemas = ["SkelBindingAPI"])
        {
            point3f[] points = [(0,0,0)]
            int[] primvars:skel:jointIndices = [0] (interpolation = "vertex"; elementSize = 1)
            float[] primvars:skel:jointWeights = [1] (interpolation = "vertex"; elementSize = 1)
        }
    }
}
)";

// Every member against evaluating its binding at the time of its clip.
void expect_posed(SkelScene& scene, const Crowd& crowd, double time) {
  for (std::size_t g = 0; g < crowd.group_count(); ++g) {
    const std::size_t n = crowd.skeleton(g).joint_count();
    for (std::size_t i = 0; i < crowd.members(g).size(); ++i) {
      const CrowdMember& member = crowd.members(g)[i];
      const SkeletonPose pose = scene.pose(member.binding, member.playback.clip_time(time));
      EXPECT_EQ(crowd.world_from_skel(g)[i], pose.world_from_skel);
      for (std::size_t j = 0; j < n; ++j) {
        const Matrix4d palette = crowd.palettes(g)[i * n + j].matrix();
        EXPECT_LT((palette - pose.skinning[j]).cwiseAbs().maxCoeff(), 1e-5) << g << i << j;
        const Matrix4d place = crowd.skel_from_joint(g)[i * n + j].matrix();
        EXPECT_LT((place - pose.joint_skel[j]).cwiseAbs().maxCoeff(), 1e-5) << g << i << j;
      }
    }
  }
}

TEST(CrowdOfAStage, PosesAllInstancesAsEachByItself) {
  SkelScene scene = open_scene(kScene);
  ASSERT_EQ(scene.bindings.size(), 4U);

  auto crowd = Crowd::open(scene.bindings, scene.diagnostics, {.skel_from_joint = true});

  ASSERT_TRUE(crowd) << crowd.error().message;
  EXPECT_EQ(crowd->group_count(), 2U);
  EXPECT_EQ(crowd->member_count(), 4U);
  EXPECT_THAT(crowd->left_out(), IsEmpty());
  for (const double time : {0.0, 1.5, 3.0, 9.0}) {
    ASSERT_TRUE(crowd->pose(time));
    expect_posed(scene, *crowd, time);
  }
}

TEST(CrowdOfAStage, SharesTheClipOfInstances) {
  SkelScene scene = open_scene(kScene);

  const auto crowd = Crowd::open(scene.bindings, scene.diagnostics);

  ASSERT_TRUE(crowd);
  const std::size_t characters = crowd->members(0).size() == 3 ? 0 : 1;
  std::vector<const Clip*> clips;
  for (const CrowdMember& member : crowd->members(characters)) clips.push_back(member.clip.get());
  ASSERT_EQ(clips.size(), 3U);
  std::sort(clips.begin(), clips.end());
  clips.erase(std::unique(clips.begin(), clips.end()), clips.end());
  EXPECT_EQ(clips.size(), 2U);
}

TEST(CrowdOfAStage, PlaysEveryMemberFromElsewhere) {
  SkelScene scene = open_scene(kScene);
  auto crowd = Crowd::open(scene.bindings, scene.diagnostics, {.skel_from_joint = true});
  ASSERT_TRUE(crowd);
  for (std::size_t g = 0; g < crowd->group_count(); ++g) {
    for (std::size_t i = 0; i < crowd->members(g).size(); ++i) {
      Playback playback = crowd->members(g)[i].playback;
      playback.offset = 0.7 * static_cast<double>(i);
      playback.speed = 2.0;
      crowd->set_playback(g, i, playback);
    }
  }

  ASSERT_TRUE(crowd->pose(1.25));

  expect_posed(scene, *crowd, 1.25);
}

TEST(CrowdOfAStage, TakesAnotherClipThatFits) {
  SkelScene scene = open_scene(kScene);
  auto crowd = Crowd::open(scene.bindings, scene.diagnostics);
  ASSERT_TRUE(crowd);
  const auto clip = crowd->members(0)[0].clip;
  EXPECT_TRUE(crowd->set_clip(0, 0, clip, Playback::of(clip->joints.times())));
  EXPECT_EQ(crowd->set_clip(1, 0, clip, {}).error().code, ErrorCode::size_mismatch);
  EXPECT_EQ(crowd->set_clip(0, 0, nullptr, {}).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(crowd->set_clip(0, 9, clip, {}).error().code, ErrorCode::index_out_of_range);
  EXPECT_EQ(crowd->set_clip(9, 0, clip, {}).error().code, ErrorCode::index_out_of_range);
}

// Where members stand is asked of the stage only if it varies.
TEST(CrowdOfAStage, AllocatesNothingWhilePosing) {
  std::string text = kScene;
  const std::string moving = "double3 xformOp:translate.timeSamples";
  text.replace(text.find(moving), moving.size(), "double3 xformOp:other.timeSamples");
  SkelScene scene = open_scene(text);
  auto crowd = Crowd::open(scene.bindings, scene.diagnostics);
  ASSERT_TRUE(crowd);
  ASSERT_TRUE(crowd->pose(0.0));

  const std::size_t before = test::allocation_count();
  for (double time = 0.0; time < 8.0; time += 0.25) ASSERT_TRUE(crowd->pose(time));

  EXPECT_EQ(test::allocation_count(), before);
}

TEST(CrowdOfAStage, DoesNotDependOnThreads) {
  SkelScene scene = open_scene(kScene);
  std::vector<SkeletonBinding> many;
  for (int i = 0; i < 40; ++i) {
    many.insert(many.end(), scene.bindings.begin(), scene.bindings.end());
  }
  auto one = Crowd::open(many, scene.diagnostics), other = Crowd::open(many, scene.diagnostics);
  ASSERT_TRUE(one && other);
  StdThreadPool pool(4);

  ASSERT_TRUE(one->pose(2.5));
  ASSERT_TRUE(other->pose(2.5, pool.executor()));

  for (std::size_t g = 0; g < one->group_count(); ++g) {
    for (std::size_t i = 0; i < one->palettes(g).size(); ++i) {
      EXPECT_EQ(one->palettes(g)[i].matrix(), other->palettes(g)[i].matrix());
    }
  }
}

TEST(CrowdOfAStage, LeavesOutWhatCannotBePacked) {
  std::string text = kScene;
  const std::string bind =
      "uniform matrix4d[] bindTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))]";
  text.erase(text.find(bind), bind.size());
  SkelScene scene = open_scene(text);

  const auto crowd = Crowd::open(scene.bindings, scene.diagnostics);

  ASSERT_TRUE(crowd);
  EXPECT_EQ(crowd->group_count(), 1U);
  ASSERT_EQ(crowd->left_out().size(), 1U);
  EXPECT_EQ(scene.bindings[crowd->left_out()[0]].skeleton_prim.path(), "/World/Robot/S");
  ASSERT_EQ(scene.said("skel-crowd-left-out").size(), 1U);
  EXPECT_THAT(scene.said("skel-crowd-left-out")[0].message, HasSubstr("no bind pose"));
}

TEST(CrowdOfAStage, LeavesOutWhatHasNoClip) {
  std::string text = kScene;
  const std::string rest =
      "uniform matrix4d[] restTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,3,0,1))]";
  text.erase(text.find(rest), rest.size());
  SkelScene scene = open_scene(text);

  const auto crowd = Crowd::open(scene.bindings, scene.diagnostics);

  ASSERT_TRUE(crowd);
  EXPECT_EQ(crowd->group_count(), 1U);
  EXPECT_EQ(crowd->member_count(), 3U);
  EXPECT_THAT(crowd->left_out(), ElementsAre(3U));
  ASSERT_EQ(scene.said("skel-crowd-left-out").size(), 1U);
  EXPECT_EQ(scene.said("skel-crowd-left-out")[0].message,
            "/World/Robot/S is left out of the crowd: /World/Robot/S has no rest pose to take "
            "joints from.");
  SkeletonBinding invalid = scene.bindings[0];
  invalid.skeleton = nullptr;
  const Error error =
      Crowd::open(std::vector{scene.bindings[3], invalid}, scene.diagnostics).error();
  EXPECT_EQ(error.code, ErrorCode::no_value);
  EXPECT_EQ(error.message, "No skeleton can be part of a crowd.");
}

TEST(CrowdOfAStage, ComputesWhatIsAskedFor) {
  SkelScene scene = open_scene(kScene);
  for (const bool palettes : {true, false}) {
    for (const bool places : {true, false}) {
      auto crowd = Crowd::open(scene.bindings, scene.diagnostics,
                               {.palettes = palettes, .skel_from_joint = places});
      ASSERT_TRUE(crowd && crowd->pose(3.0));
      for (std::size_t g = 0; g < 2; ++g) {
        const std::size_t all = crowd->members(g).size() * crowd->skeleton(g).joint_count();
        EXPECT_EQ(crowd->palettes(g).size(), palettes ? all : 0U);
        EXPECT_EQ(crowd->skel_from_joint(g).size(), places ? all : 0U);
      }
    }
  }
}

// One group has one skeleton: only copies of it belong to it.
TEST(CrowdOfAStage, GroupsSkeletonsThatAreTheSame) {
  SkelScene scene = open_scene(kScene);
  const SkeletonBinding& robot = scene.bindings[3];
  Matrix4d moved = Matrix4d::Identity();
  moved(0, 3) = 1.0;
  const auto binding = [&](const std::string& joint, const Matrix4d& bind, const Matrix4d& rest) {
    SkeletonBinding made = robot;
    made.skeleton = std::make_shared<const Skeleton>(
        *Skeleton::make({.joints = {joint}, .bind_transforms = {bind}, .rest_transforms = {rest}}));
    return made;
  };
  const Matrix4d still = Matrix4d::Identity();
  const std::vector<SkeletonBinding> bindings = {
      binding("r", still, still), binding("r", still, moved), binding("r", moved, still),
      binding("s", still, still), binding("r", still, still), binding("r", moved, still)};

  const auto crowd = Crowd::open(bindings, scene.diagnostics);

  ASSERT_TRUE(crowd);
  std::vector<std::vector<std::size_t>> groups(crowd->group_count());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const CrowdMember& member : crowd->members(g)) groups[g].push_back(member.binding);
  }
  EXPECT_THAT(groups, ElementsAre(ElementsAre(0U, 4U), ElementsAre(1U), ElementsAre(2U, 5U),
                                  ElementsAre(3U)));
}

TEST(CrowdOfAStage, NeedsSomebody) {
  Diagnostics diagnostics;
  EXPECT_EQ(Crowd::open({}, diagnostics).error().code, ErrorCode::no_value);
}

TEST(CrowdOfAStage, StartsToPlayAsTheOptionsSay) {
  SkelScene scene = open_scene(kScene);
  const auto crowd =
      Crowd::open(scene.bindings, scene.diagnostics, {.speed = 3.0, .end = PlaybackEnd::clamp});
  ASSERT_TRUE(crowd);
  const CrowdMember& member = crowd->members(0)[0];
  EXPECT_EQ(member.playback.speed, 3.0);
  EXPECT_EQ(member.playback.end, PlaybackEnd::clamp);
  EXPECT_EQ(member.playback.first_time, 1.0);
  EXPECT_EQ(member.playback.last_time, 5.0);
}

TEST(CrowdOfAStage, PlaysTheClipThatAMemberIsGiven) {
  SkelScene scene = open_scene(kScene);
  auto crowd = Crowd::open(scene.bindings, scene.diagnostics, {.skel_from_joint = true});
  ASSERT_TRUE(crowd);
  const std::size_t count = crowd->members(0).size();
  ASSERT_EQ(count, 3U);
  const auto other = std::make_shared<const Clip>(*crowd->members(0)[0].clip);
  Playback playback = Playback::of(other->joints.times());
  playback.offset = 1.0;
  playback.speed = 0.5;
  ASSERT_TRUE(crowd->set_clip(0, 1, other, playback));
  EXPECT_EQ(crowd->set_clip(0, count, other, playback).error().code, ErrorCode::index_out_of_range);
  EXPECT_EQ(crowd->members(0)[1].clip, other);
  EXPECT_EQ(crowd->members(0)[1].playback.speed, 0.5);
  EXPECT_NE(crowd->members(0)[0].clip, other);

  ASSERT_TRUE(crowd->pose(2.0));

  // From 1, two units into the clip: halfway from 0 to 4 along x.
  EXPECT_NEAR(crowd->skel_from_joint(0)[2].matrix()(0, 3), 2.0, 1e-6);
}

}  // namespace
}  // namespace sinew::skel::read_crowd_test
