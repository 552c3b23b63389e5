// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/match_joints.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sinew::skel::match_joints_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Joints = std::vector<std::string>;

TEST(MatchJoints, TakesEqualPathsFirst) {
  const JointMatch match =
      match_joints(Joints{"Hips/Spine", "Hips", "Tail"}, Joints{"Hips", "Hips/Spine", "Hips/Leg"});
  EXPECT_EQ(match.rule, JointMatchRule::paths);
  EXPECT_THAT(match.clip_joint, ElementsAre(1, 0, -1));
  EXPECT_THAT(match.resting, ElementsAre("Hips/Leg"));
  EXPECT_THAT(match.unused, ElementsAre("Tail"));
}

TEST(MatchJoints, DropsWhatIsAboveTheJointsOfEitherSide) {
  const Joints plain = {"Hips", "Hips/Spine"};
  const Joints below = {"Armature/Hips", "Armature/Hips/Spine"};

  const JointMatch into = match_joints(plain, below);
  EXPECT_EQ(into.rule, JointMatchRule::paths_below);
  EXPECT_THAT(into.clip_joint, ElementsAre(0, 1));

  const JointMatch out_of = match_joints(below, plain);
  EXPECT_EQ(out_of.rule, JointMatchRule::paths_below);
  EXPECT_THAT(out_of.clip_joint, ElementsAre(0, 1));
  EXPECT_THAT(out_of.resting, IsEmpty());
}

TEST(MatchJoints, TakesLastNamesWhereTheyAreUnique) {
  const JointMatch match = match_joints(Joints{"Root", "Root/Arm", "Root/End", "Root/Arm/End"},
                                        Joints{"Body", "Body/Arm", "Body/Arm/End", "Body/Root"});
  EXPECT_EQ(match.rule, JointMatchRule::names);
  EXPECT_THAT(match.clip_joint, ElementsAre(-1, 1, -1, 0));
}

TEST(MatchJoints, DropsPrefixesOfNamespaces) {
  const JointMatch colon = match_joints(Joints{"mixamorig:Hips", "mixamorig:Hips/mixamorig:Spine"},
                                        Joints{"Hips", "Hips/Spine"});
  EXPECT_EQ(colon.rule, JointMatchRule::names_in_namespace);
  EXPECT_THAT(colon.clip_joint, ElementsAre(0, 1));

  const JointMatch underscore = match_joints(
      Joints{"Hips", "Hips/Spine"}, Joints{"mixamorig_Hips", "mixamorig_Hips/mixamorig_Spine"});
  EXPECT_EQ(underscore.rule, JointMatchRule::names_in_namespace);
  EXPECT_THAT(underscore.clip_joint, ElementsAre(0, 1));
}

// "left_arm" and "right_arm" are two joints.
TEST(MatchJoints, KeepsPrefixesThatNotAllNamesHave) {
  const JointMatch match =
      match_joints(Joints{"left_arm", "right_leg"}, Joints{"arm", "right_leg"});
  EXPECT_THAT(match.clip_joint, ElementsAre(-1, 1));
}

TEST(MatchJoints, DoesNotConfuseUpperAndLowerCase) {
  const JointMatch match = match_joints(Joints{"hips"}, Joints{"Hips"});
  EXPECT_EQ(match.rule, JointMatchRule::none);
  EXPECT_THAT(match.clip_joint, ElementsAre(-1));
  EXPECT_THAT(match.unused, ElementsAre("hips"));
  EXPECT_EQ(to_string(match.rule), "none");
}

TEST(JointMatchRules, HaveNames) {
  EXPECT_EQ(to_string(JointMatchRule::paths), "paths");
  EXPECT_EQ(to_string(JointMatchRule::paths_below), "paths_below");
  EXPECT_EQ(to_string(JointMatchRule::names), "names");
  EXPECT_EQ(to_string(JointMatchRule::names_in_namespace), "names_in_namespace");
  EXPECT_EQ(to_string(JointMatchRule::none), "none");
}

// A strict rule for few joints would leave the rest at rest.
TEST(MatchJoints, PrefersTheRuleThatMatchesMost) {
  const JointMatch match = match_joints(Joints{"A", "A/x", "A/y"}, Joints{"A", "B", "B/x", "B/y"});
  EXPECT_EQ(match.rule, JointMatchRule::names);
  EXPECT_THAT(match.clip_joint, ElementsAre(0, -1, 1, 2));
}

// Something lies above the first joint of either side.
TEST(MatchJoints, DropsFromTheSideThatGivesMore) {
  const Joints clip = {"a", "x/b", "x/b/c", "a/c"};
  const Joints skeleton = {"b", "y/a", "b/c"};
  const JointMatch match = match_joints(clip, skeleton);
  EXPECT_EQ(match.rule, JointMatchRule::paths_below);
  EXPECT_THAT(match.clip_joint, ElementsAre(1, -1, 2));
  const JointMatch back = match_joints(skeleton, clip);
  EXPECT_EQ(back.rule, JointMatchRule::paths_below);
  EXPECT_THAT(back.clip_joint, ElementsAre(-1, 0, 2, -1));
}

TEST(MatchJoints, MatchesNothingToNothing) {
  EXPECT_EQ(match_joints({}, {}).rule, JointMatchRule::none);
  EXPECT_THAT(match_joints({}, Joints{"a"}).resting, ElementsAre("a"));
}

TEST(MatchJoints, DropsOnlyWhatEndsWithASlash) {
  const JointMatch match = match_joints(Joints{"LeftHips", "LeftHips/Spine"}, Joints{"Hips"});
  EXPECT_EQ(match.rule, JointMatchRule::none);
  // The shortest of what may stand above.
  const JointMatch shortest = match_joints(Joints{"a/b/Hips", "a/Hips", "a/Hips/Leg", "a/b/Tail"},
                                           Joints{"Hips", "Hips/Leg"});
  EXPECT_EQ(shortest.rule, JointMatchRule::paths_below);
  EXPECT_THAT(shortest.clip_joint, ElementsAre(1, 2));
}

TEST(MatchJoints, KeepsAPrefixThatIsAllOfAName) {
  const JointMatch match = match_joints(Joints{"rig_", "rig_arm"}, Joints{"arm"});
  EXPECT_EQ(match.rule, JointMatchRule::none);
  EXPECT_THAT(match.clip_joint, ElementsAre(-1));
  const JointMatch one = match_joints(Joints{"rig_arm"}, Joints{"arm", "leg"});
  EXPECT_EQ(one.rule, JointMatchRule::none) << "one name has no prefix in common with others";
}

// Which of two that have the same name is meant nobody knows.
TEST(MatchJoints, LeavesAloneNamesThatEitherSideHasTwice) {
  const JointMatch clip =
      match_joints(Joints{"x/Arm", "y/Arm", "y/Leg"}, Joints{"Body/Arm", "Body/Leg"});
  EXPECT_EQ(clip.rule, JointMatchRule::names);
  EXPECT_THAT(clip.clip_joint, ElementsAre(-1, 2));
  const JointMatch skeleton =
      match_joints(Joints{"Body/Arm", "Body/Leg"}, Joints{"x/Arm", "y/Arm", "y/Leg"});
  EXPECT_EQ(skeleton.rule, JointMatchRule::names);
  EXPECT_THAT(skeleton.clip_joint, ElementsAre(-1, -1, 1));
}

TEST(MatchJoints, MatchesNoJointsOfAClipAndNoJointsWithoutAName) {
  EXPECT_THAT(match_joints(Joints{"a"}, {}).unused, ElementsAre("a"));
  EXPECT_EQ(match_joints(Joints{""}, Joints{""}).rule, JointMatchRule::none);
}

TEST(MatchJoints, DropsTheShortestEvenIfItComesFirst) {
  const JointMatch match =
      match_joints(Joints{"a/Hips", "a/Hips/Leg", "a/b/Hips"}, Joints{"Hips", "Hips/Leg"});
  EXPECT_EQ(match.rule, JointMatchRule::paths_below);
  EXPECT_THAT(match.clip_joint, ElementsAre(0, 1));
}

}  // namespace
}  // namespace sinew::skel::match_joints_test
