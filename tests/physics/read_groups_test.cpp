// SPDX-License-Identifier: Apache-2.0
// Collision groups as read from text. Comments name the items of the conformance checklist.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "physics/read_scene.hpp"

namespace sinew::physics::read_groups_test {
namespace {

using test::at;
using test::paths;
using test::prim;
using test::read;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string group(const std::string& name, const std::string& content) {
  return "def PhysicsCollisionGroup \"" + name + "\" {\n" + content + "\n}\n";
}

TEST(ReadGroups, MergesByName) {  // physics P15
  std::string text;
  for (int i = 0; i < 10; ++i) {
    const bool three = i == 3 || i == 6 || i == 9;
    const bool four = i == 4 || i == 8;
    std::string content =
        "bool physics:invertFilteredGroups = false\n"
        "rel physics:filteredGroups = </g" +
        std::to_string((i + 9) % 10) + ">\n";
    if (three) content += "string physics:mergeGroup = \"three\"\n";
    if (four) content += "string physics:mergeGroup = \"four\"\n";
    text += group("g" + std::to_string(i), content);
  }
  const PhysicsModel model = read(text);
  ASSERT_EQ(model.collision_groups.size(), 7u);
  for (const CollisionGroup& entry : model.collision_groups) {
    EXPECT_FALSE(entry.invert_filtered_groups);
    if (entry.merge_group_name == "three") {
      EXPECT_EQ(entry.path, "/g3");
      EXPECT_EQ(entry.merged_group_paths.size(), 3u);
      EXPECT_THAT(entry.filtered_group_paths, ElementsAre("/g2", "/g5", "/g8"));
    } else if (entry.merge_group_name == "four") {
      EXPECT_EQ(entry.path, "/g4");
      EXPECT_EQ(entry.merged_group_paths.size(), 2u);
      EXPECT_THAT(entry.filtered_group_paths, ElementsAre("/g3", "/g7"));
    } else {
      EXPECT_EQ(entry.merge_group_name, "");
      EXPECT_THAT(entry.merged_group_paths, IsEmpty());
      EXPECT_EQ(entry.filtered_group_paths.size(), 1u);
    }
  }
}

TEST(ReadGroups, ListsTheGroupsOfAShapeByPath) {  // physics P16
  const PhysicsModel model = read(prim("Cube", "cube", "Collision") +
                                  group("group_1", "rel collection:colliders:includes = </cube>") +
                                  group("group_0", "rel collection:colliders:includes = </cube>"));
  EXPECT_THAT(model.shapes.at(0).collision_group_paths, ElementsAre("/group_0", "/group_1"));
  EXPECT_THAT(model.shapes[0].collision_groups, ElementsAre(1, 0));
  EXPECT_EQ(model.collision_groups.size(), 2u);
}

// Groups named a, b, ... whose merge names are the letters given, '-' for none.
std::string merged(const std::string& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += group(
        "g" + std::to_string(i),
        names[i] == '-' ? "" : std::string("string physics:mergeGroup = \"") + names[i] + "\"");
  }
  return text;
}

TEST(ReadGroups, MergingMovesTheLastIntoTheGap) {  // physics 12.7, 8.3
  EXPECT_THAT(paths(read(merged("AABB----")).collision_groups),
              ElementsAre("/g0", "/g7", "/g2", "/g6", "/g4", "/g5"));
  EXPECT_THAT(paths(read(merged("AABB")).collision_groups), ElementsAre("/g0", "/g3"));
}

TEST(ReadGroups, EmptyMergeNamesDoNotMergeHere) {  // physics 8.3
  const std::string empty = "string physics:mergeGroup = \"\"";
  const PhysicsModel model = read(group("a", empty) + group("b", empty));
  EXPECT_EQ(model.collision_groups.size(), 2u);
  EXPECT_TRUE(model.group_prims.at(0).has_merge_group);
}

TEST(ReadGroups, MembersAreThoseOfAllMergedGroups) {  // physics 8.4
  const std::string name = "string physics:mergeGroup = \"m\"\n";
  const PhysicsModel model = read(prim("Cube", "a", "Collision") + prim("Cube", "b", "Collision") +
                                  group("g", name + "rel collection:colliders:includes = </a>") +
                                  group("h", name + "rel collection:colliders:includes = </b>"));
  EXPECT_THAT(at(model.shapes, "/a").collision_group_paths, ElementsAre("/g"));
  EXPECT_THAT(at(model.shapes, "/b").collision_group_paths, ElementsAre("/g"));
}

TEST(ReadGroups, IncludingABodyCoversItsColliders) {  // physics 8.1, 8.4
  const std::string body = prim("Xform", "b", "RigidBody",
                                prim("Cube", "in", "Collision") + prim("Cube", "out", "Collision"));
  const PhysicsModel model = read(body + group("g",
                                               "rel collection:colliders:includes = </b>\n"
                                               "rel collection:colliders:excludes = </b/out>"));
  EXPECT_THAT(at(model.shapes, "/b/in").collision_group_paths, ElementsAre("/g"));
  EXPECT_THAT(at(model.shapes, "/b/out").collision_group_paths, IsEmpty());
  const PhysicsModel only =
      read(body + group("g",
                        "rel collection:colliders:includes = </b>\n"
                        "uniform token collection:colliders:expansionRule = \"explicitOnly\""));
  EXPECT_THAT(at(only.shapes, "/b/in").collision_group_paths, IsEmpty());
}

TEST(ReadGroups, ExcludesAloneMakeNoMembers) {  // physics 8.1
  const PhysicsModel model = read(prim("Cube", "a", "Collision") + prim("Cube", "b", "Collision") +
                                  group("g", "rel collection:colliders:excludes = </b>"));
  EXPECT_THAT(at(model.shapes, "/a").collision_group_paths, IsEmpty());
}

TEST(ReadGroups, ExpressionsMakeMembers) {  // physics 8.1
  const PhysicsModel model =
      read(prim("Cube", "a", "Collision") + prim("Sphere", "b", "Collision") +
           group("g", "uniform pathExpression collection:colliders:membershipExpression = \"/a\""));
  EXPECT_THAT(at(model.shapes, "/a").collision_group_paths, ElementsAre("/g"));
  EXPECT_THAT(at(model.shapes, "/b").collision_group_paths, IsEmpty());
}

TEST(ReadGroups, ExpressionsMakeNoMembersByAnUnknownExpansionRule) {  // corrections 19
  const std::string expression =
      "uniform pathExpression collection:colliders:membershipExpression = \"/a\"\n";
  const std::string rule = "uniform token collection:colliders:expansionRule";
  const PhysicsModel model =
      read(prim("Cube", "a", "Collision") + group("unknown", expression + rule + " = \"wild\"") +
           group("explicit", expression + rule + " = \"explicitOnly\"") +
           group("blocked", expression + rule + " = None") +
           group("forced", expression + rule + " = \"wild\"\n" +
                               "uniform token collection:colliders:mode = \"expression\""));
  EXPECT_THAT(at(model.shapes, "/a").collision_group_paths, ElementsAre("/blocked", "/explicit"));
}

// A rule of another type is none under the openusd rules, here as where members are listed.
TEST(ReadGroups, ExpansionRulesThatAreStringsCountUnderDocumentedRulesAlone) {
  const std::string text =
      prim("Cube", "a", "Collision") +
      group("g",
            "uniform pathExpression collection:colliders:membershipExpression = \"/a\"\n"
            "string collection:colliders:expansionRule = \"wild\"");
  EXPECT_THAT(at(read(text, Rules::openusd).shapes, "/a").collision_group_paths, ElementsAre("/g"));
  EXPECT_THAT(at(read(text, Rules::documented).shapes, "/a").collision_group_paths, IsEmpty());
}

TEST(ReadGroups, KeepsEveryGroupPrimForFiltering) {  // physics 8.2
  const PhysicsModel model = read(group("a", "string physics:mergeGroup = \"m\"") +
                                  group("b",
                                        "string physics:mergeGroup = \"m\"\n"
                                        "bool physics:invertFilteredGroups = true"));
  EXPECT_EQ(model.collision_groups.size(), 1u);
  EXPECT_FALSE(model.collision_groups[0].invert_filtered_groups);
  ASSERT_THAT(paths(model.group_prims), ElementsAre("/a", "/b"));
  EXPECT_TRUE(model.group_prims[1].invert_filtered_groups);
}

TEST(ReadGroups, AMergeNameThatIsStatedWithoutATextIsEmptyUnderOpenusdRules) {  // physics 8.2
  for (const char* stated :
       {"string physics:mergeGroup", "string physics:mergeGroup = None",
        "token physics:mergeGroup = \"x\"", "string physics:mergeGroup = \"\""}) {
    const PhysicsModel model = read(group("a", stated));
    EXPECT_TRUE(model.group_prims.at(0).has_merge_group) << stated;
    EXPECT_EQ(model.group_prims.at(0).merge_group, "") << stated;
  }
  EXPECT_FALSE(read(group("a", "")).group_prims.at(0).has_merge_group);
  const PhysicsModel documented = read(group("a", "string physics:mergeGroup"), Rules::documented);
  EXPECT_FALSE(documented.group_prims.at(0).has_merge_group);
}

TEST(ReadGroups, PredicatesOfExpressionsAreAskedOfPrims) {  // stage 8.3
  const PhysicsModel model = read(
      prim("Cube", "a", "Collision") + prim("Sphere", "b", "Collision") +
      group("g",
            "uniform pathExpression collection:colliders:membershipExpression = \"//{isa:Cube}\""));
  EXPECT_THAT(at(model.shapes, "/a").collision_group_paths, ElementsAre("/g"));
  EXPECT_THAT(at(model.shapes, "/b").collision_group_paths, IsEmpty());
}

}  // namespace
}  // namespace sinew::physics::read_groups_test
