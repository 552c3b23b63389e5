// SPDX-License-Identifier: Apache-2.0
// Numbers in comments are those of the checklist in the behaviour specification.
#include "sinew/skel/topology.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sinew::skel::topology_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::int32_t> parents_of(const std::vector<std::string>& joints,
                                     Rules rules = Rules::openusd) {
  const Topology topology = Topology::from_joint_paths(joints, rules);
  return {topology.parents().begin(), topology.parents().end()};
}

const std::vector<std::string> kTwelve = {"A",  "A/B/C",   "A/B",    "Nested/Without/Parent/Joint",
                                          "D",  "D/E/F/G", "/A/B/C", "/A/B",
                                          "/A", "",        "/",      ".."};

TEST(Topology, FindsTheNearestListedAncestor) {  // skel 12.1
  EXPECT_THAT(parents_of(kTwelve), ElementsAre(-1, 2, 0, -1, -1, 4, 7, 8, -1, -1, -1, -1));
}

TEST(Topology, CallsJointsWithoutParentRoots) {  // skel 12.2
  const Topology topology = Topology::from_joint_paths(kTwelve, Rules::openusd);
  ASSERT_EQ(topology.joint_count(), 12U);
  for (std::size_t j = 0; j < 12; ++j) {
    EXPECT_EQ(topology.parent(j), topology.parents()[j]);
    EXPECT_EQ(topology.is_root(j), topology.parents()[j] < 0);
  }
}

TEST(Topology, AcceptsParentsBeforeTheirChildren) {  // skel 12.3
  const std::vector<std::string> joints = {"A", "A/B", "A/B/C", "D", "D/E"};
  EXPECT_TRUE(Topology::from_joint_paths(joints).validate());
}

TEST(Topology, RejectsChildListedBeforeParent) {  // skel 12.4
  const std::vector<std::string> joints = {"A/B", "C", "A"};
  const Status status = Topology::from_joint_paths(joints).validate();
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::bad_topology);
  EXPECT_THAT(status.error().message, HasSubstr("Joint 0 comes before its parent, joint 2"));
}

TEST(Topology, RejectsAJointThatIsItsOwnParent) {
  const Status status = Topology::from_parents({-1, 1}).validate();
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message, HasSubstr("Joint 1 is its own parent"));
}

TEST(Topology, RejectsAParentThatDoesNotExist) {
  EXPECT_FALSE(Topology::from_parents({-1, 7}).validate());
}

TEST(Topology, AcceptsAnyNegativeParentAsRoot) {
  EXPECT_TRUE(Topology::from_parents({-1, -5}).validate());
}

TEST(Topology, AcceptsNoJoints) {
  EXPECT_TRUE(Topology().validate());
}

TEST(Topology, TakesTheLastOfJointsListedTwice) {
  EXPECT_THAT(parents_of({"A", "A", "A/B"}), ElementsAre(-1, -1, 1));
  EXPECT_FALSE(Topology::from_joint_paths(std::vector<std::string>{"A", "A/B", "A"}).validate());
}

// "..", too, is a path; "/", "." and the empty token are not parents of anything.
TEST(Topology, ReadsDotsAsRelativePaths) {
  for (const Rules rules : {Rules::openusd, Rules::documented}) {
    EXPECT_THAT(parents_of({"..", "../a", "../a/b", "../c/d"}, rules), ElementsAre(-1, 0, 1, 0));
    EXPECT_THAT(parents_of({"../a", "../a/b"}, rules), ElementsAre(-1, 0));
    EXPECT_THAT(parents_of({".", "/", "", "/A", "A", "/A/B"}, rules),
                ElementsAre(-1, -1, -1, -1, -1, 3));
    EXPECT_THAT(parents_of({"..", "..a", "a"}, rules), ElementsAre(-1, -1, -1));
  }
  EXPECT_TRUE(is_joint_path(".."));
  EXPECT_TRUE(is_joint_path("../../a/b"));
  EXPECT_FALSE(is_joint_path("../"));
  EXPECT_FALSE(is_joint_path("..a"));
  EXPECT_FALSE(is_joint_path("/../a"));
}

TEST(Topology, SkipsAncestorsThatAreNoJoints) {
  EXPECT_THAT(parents_of({"C", "C/D/E"}), ElementsAre(-1, 0));
}

TEST(Topology, FindsParentsAmongNamesThatSortBetweenThem) {
  // '-' and '.' come before '/' in ASCII, and a longer name is not a child of a shorter one.
  EXPECT_THAT(
      parents_of({"A", "A-", "A.b", "A-/c", "A/b", "AB", "AB/c", "A/b/c"}, Rules::documented),
      ElementsAre(-1, -1, -1, 1, 0, -1, 5, 4));
}

// Quadratic time would take minutes here.
TEST(Topology, TakesPathsOfAnyLength) {
  std::string deep = "a";
  for (int i = 0; i < 1000000; ++i) deep += "/a";
  std::vector<std::string> joints = {deep, deep.substr(0, 1000001), deep + "/b"};
  for (int i = 0; i < 100; ++i) joints.push_back("j" + std::to_string(i));
  const Topology topology = Topology::from_joint_paths(joints);
  EXPECT_EQ(topology.parent(0), 1);
  EXPECT_EQ(topology.parent(1), kNoParent);
  EXPECT_EQ(topology.parent(2), 0);
}

TEST(Topology, MakesRootsOfPathsThatDoNotParseUnderOpenUsdRules) {
  EXPECT_THAT(parents_of({"n:A", "n:A/n:B", "C D", "C D/E", "F.g", "F.g/H"}),
              ElementsAre(-1, -1, -1, -1, -1, -1));
}

TEST(Topology, ReadsAnyNamesBetweenSlashesByTheDocumentedRules) {
  EXPECT_THAT(parents_of({"n:A", "n:A/n:B", "C D", "C D/E", "F.g", "F.g/H"}, Rules::documented),
              ElementsAre(-1, 0, -1, 2, -1, 4));
}

TEST(Topology, MakesRootsOfMalformedPathsUnderBothRules) {
  for (const Rules rules : {Rules::documented, Rules::openusd}) {
    EXPECT_THAT(parents_of({"A", "A//B", "A/", "", "/"}, rules), ElementsAre(-1, -1, -1, -1, -1));
    EXPECT_THAT(parents_of({"//A", "//A/B", "A/", "A//C", "."}, rules),
                ElementsAre(-1, -1, -1, -1, -1));
  }
}

TEST(Topology, EqualsAnotherWithTheSameParents) {
  EXPECT_EQ(Topology::from_parents({-1, 0}),
            Topology::from_joint_paths(std::vector<std::string>{"A", "A/B"}));
  EXPECT_NE(Topology::from_parents({-1, -1}), Topology::from_parents({-1, 0}));
}

}  // namespace
}  // namespace sinew::skel::topology_test
