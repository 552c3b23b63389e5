// SPDX-License-Identifier: Apache-2.0
#include "sinew/physics/articulation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace sinew::physics::articulation_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// A model made of bodies and joints alone; joints name their ends by path, "" for the world.
class GraphBuilder {
 public:
  explicit GraphBuilder(Rules rules = Rules::openusd) { model_.rules = rules; }

  GraphBuilder& body(const std::string& path, bool enabled = true) {
    RigidBody body;
    body.path = path;
    body.rigid_body_enabled = enabled;
    index_.emplace(path, static_cast<std::int32_t>(model_.rigid_bodies.size()));
    model_.rigid_bodies.push_back(body);
    return *this;
  }

  GraphBuilder& joint(const std::string& path, const std::string& body0, const std::string& body1,
                      bool excluded = false) {
    Joint joint;
    joint.path = path;
    joint.ends[0].body_path = body0;
    joint.ends[1].body_path = body1;
    joint.exclude_from_articulation = excluded;
    joint.ends[0].body = find(body0);
    joint.ends[1].body = find(body1);
    model_.joints.push_back(joint);
    return *this;
  }

  ResolvedArticulation resolve(const std::string& root) {
    Diagnostics diagnostics;
    return resolve_articulations(model_, std::vector<Text>{root}, diagnostics).at(0);
  }

  PhysicsModel& model() { return model_; }

 private:
  std::int32_t find(const std::string& path) const {
    const auto found = index_.find(path);
    return found == index_.end() ? kNone : found->second;
  }

  PhysicsModel model_;
  std::map<std::string, std::int32_t> index_;
};

GraphBuilder chain(int bodies, Rules rules = Rules::openusd) {
  GraphBuilder scene(rules);
  for (int i = 0; i < bodies; ++i) scene.body("/x/b" + std::to_string(i));
  for (int i = 0; i + 1 < bodies; ++i) {
    scene.joint("/x/j" + std::to_string(i), "/x/b" + std::to_string(i),
                "/x/b" + std::to_string(i + 1));
  }
  return scene;
}

// physics 7.3: every row of the table, in order.
TEST(Articulation, ChainOfFourIsRootedAtItsCentre) {
  const Articulation a = chain(4).resolve("/x").articulation;

  EXPECT_THAT(a.root_prim_paths, ElementsAre("/x/b1"));
  EXPECT_EQ(a.joint_paths.size(), 3U);
  EXPECT_THAT(a.body_paths, ElementsAre("/x/b0", "/x/b1", "/x/b2", "/x/b3"));
  EXPECT_TRUE(a.is_valid);
}

// In whatever order the bodies stand in the model, that of the namespace decides.
TEST(Articulation, IsTheSameInAnyOrderOfTheBodies) {
  const std::vector<std::string> in_order = {"/x/a", "/x/b", "/x/c", "/x/d"};
  const std::vector<std::vector<std::int32_t>> orders = {
      {0, 1, 2, 3}, {3, 2, 1, 0}, {2, 0, 3, 1}, {1, 3, 0, 2}};
  for (const std::vector<std::int32_t>& order : orders) {
    GraphBuilder scene;
    std::vector<std::int32_t> preorder(4);  // Where each body of the namespace stands.
    for (std::size_t i = 0; i < 4; ++i) {
      scene.body(in_order[static_cast<std::size_t>(order[i])]);
      preorder[static_cast<std::size_t>(order[i])] = static_cast<std::int32_t>(i);
    }
    scene.joint("/x/j0", "/x/a", "/x/b").joint("/x/j1", "/x/b", "/x/c");
    scene.joint("/x/j2", "/x/c", "/x/a").joint("/x/j3", "", "/x/d").joint("/x/j4", "", "/x/b");
    scene.joint("/x/j5", "/x/c", "/x/d");
    Diagnostics diagnostics;
    const auto resolved =
        resolve_articulations(scene.model(), std::vector<Text>{"/x"}, diagnostics, preorder).at(0);
    EXPECT_THAT(resolved.articulation.root_prim_paths, ElementsAre(Text("/x/j4")));
  }
}

TEST(Articulation, EveryIslandGetsItsOwnRoot) {
  GraphBuilder scene;
  scene.body("/x/a0").body("/x/a1").body("/x/c0").body("/x/c1").body("/x/lone");
  scene.joint("/x/ja", "/x/a0", "/x/a1").joint("/x/jw", "", "/x/c1");
  scene.joint("/x/jc", "/x/c1", "/x/c0");

  const Articulation a = scene.resolve("/x").articulation;

  EXPECT_THAT(a.root_prim_paths, ElementsAre("/x/a0", "/x/jw", "/x/lone"));
  EXPECT_EQ(a.joint_paths.size(), 3U);
  EXPECT_THAT(a.body_paths, ElementsAre("", "/x/a0", "/x/a1", "/x/c0", "/x/c1"));
}

GraphBuilder triangle(bool excluded) {
  GraphBuilder scene;
  scene.body("/x/b0").body("/x/b1").body("/x/b2");
  scene.joint("/x/j0", "/x/b0", "/x/b1").joint("/x/j1", "/x/b1", "/x/b2");
  scene.joint("/x/j2", "/x/b2", "/x/b0", excluded);
  return scene;
}

TEST(Articulation, TriangleIsRootedAtItsFirstBody) {
  for (const bool excluded : {true, false}) {
    const Articulation a = triangle(excluded).resolve("/x").articulation;

    EXPECT_THAT(a.root_prim_paths, ElementsAre("/x/b0"));
    EXPECT_EQ(a.joint_paths.size(), 3U);
    EXPECT_EQ(a.body_paths.size(), 3U);
  }
}

TEST(Articulation, RootJointBetweenTwoBodiesIsInvalid) {
  const Articulation a = chain(2).resolve("/x/j0").articulation;

  EXPECT_FALSE(a.is_valid);
  EXPECT_THAT(a.root_prim_paths, IsEmpty());
  EXPECT_THAT(a.joint_paths, IsEmpty());
  EXPECT_THAT(a.body_paths, IsEmpty());
}

GraphBuilder bolted_to_static(Rules rules) {
  GraphBuilder scene(rules);
  scene.body("/x/b").joint("/x/j", "/floor", "/x/b");
  return scene;
}

TEST(Articulation, RootJointAtAStaticColliderIsInvalidUnderOpenUsd) {
  const Articulation a = bolted_to_static(Rules::openusd).resolve("/x/j").articulation;

  EXPECT_FALSE(a.is_valid);
  EXPECT_THAT(a.joint_paths, IsEmpty());
}

// physics 14.11
TEST(Articulation, RootJointAtAStaticColliderIsAFixedBaseUnderDocumentedRules) {
  const ResolvedArticulation r = bolted_to_static(Rules::documented).resolve("/x/j");

  EXPECT_THAT(r.articulation.root_prim_paths, ElementsAre("/x/j"));
  EXPECT_THAT(r.articulation.body_paths, ElementsAre("/x/b"));
  ASSERT_EQ(r.trees.size(), 1U);
  EXPECT_TRUE(r.trees[0].fixed_base);
}

TEST(Articulation, BodyFixedToAStaticColliderIsRootedAtTheJoint) {
  const Articulation a = bolted_to_static(Rules::openusd).resolve("/x").articulation;

  EXPECT_THAT(a.root_prim_paths, ElementsAre("/x/j"));
  EXPECT_EQ(a.joint_paths.size(), 1U);
  EXPECT_THAT(a.body_paths, ElementsAre(""));
}

TEST(Articulation, DisabledBodyIsAnEmptyIslandAndAnAnchor) {
  GraphBuilder scene;
  scene.body("/x/b0", false).body("/x/b1").body("/x/b2");
  scene.joint("/x/j0", "/x/b0", "/x/b1").joint("/x/j1", "/x/b1", "/x/b2");

  const Articulation a = scene.resolve("/x").articulation;

  EXPECT_THAT(a.root_prim_paths, ElementsAre("/x/b0", "/x/j0"));
  EXPECT_EQ(a.joint_paths.size(), 2U);
  EXPECT_THAT(a.body_paths, ElementsAre("", "/x/b1", "/x/b2"));
}

TEST(Articulation, ExcludedWorldJointDoesNotFixTheBase) {
  GraphBuilder scene;
  scene.body("/x/b0").body("/x/b1").joint("/x/j", "/x/b0", "/x/b1");
  scene.joint("/x/w", "", "/x/b1", true);

  const Articulation a = scene.resolve("/x").articulation;

  EXPECT_THAT(a.root_prim_paths, ElementsAre("/x/b1"));
  EXPECT_EQ(a.joint_paths.size(), 2U);
  EXPECT_THAT(a.body_paths, ElementsAre("", "/x/b0", "/x/b1"));
}

TEST(Articulation, OfTwoWorldJointsThatOfTheFirstBodyWins) {
  GraphBuilder scene;
  scene.body("/x/b0").body("/x/b1");
  scene.joint("/x/fa", "", "/x/b1").joint("/x/fb", "", "/x/b0").joint("/x/j", "/x/b0", "/x/b1");

  const ResolvedArticulation r = scene.resolve("/x");

  EXPECT_THAT(r.articulation.root_prim_paths, ElementsAre("/x/fb"));
  EXPECT_EQ(r.articulation.joint_paths.size(), 3U);
  ASSERT_EQ(r.trees.size(), 1U);
  EXPECT_THAT(r.trees[0].loop_joints, ElementsAre(0));  // The second anchor closes a loop.
}

TEST(Articulation, CentreMayLieOutsideTheRoot) {
  GraphBuilder scene;
  scene.body("/x/b0").body("/y/b1").body("/y/b2");
  scene.joint("/j0", "/x/b0", "/y/b1").joint("/j1", "/y/b1", "/y/b2");

  const Articulation a = scene.resolve("/x").articulation;

  EXPECT_THAT(a.root_prim_paths, ElementsAre("/y/b1"));
  EXPECT_EQ(a.joint_paths.size(), 2U);
  EXPECT_EQ(a.body_paths.size(), 3U);
}

TEST(Articulation, ExcludedJointCutsTheIsland) {
  GraphBuilder scene;
  scene.body("/x/a").body("/x/b").body("/x/c");
  scene.joint("/x/e", "/x/b", "/x/a", true).joint("/x/j", "/x/b", "/x/c");

  const Articulation a = scene.resolve("/x").articulation;

  EXPECT_THAT(a.root_prim_paths, ElementsAre("/x/a", "/x/b"));
  EXPECT_EQ(a.joint_paths.size(), 2U);
  EXPECT_THAT(a.body_paths, ElementsAre("/x/a", "/x/b", "/x/c"));
}

TEST(Articulation, NestedChainIsRootedAtItsTop) {
  GraphBuilder scene;
  scene.body("/x/b0").body("/x/b0/b1").body("/x/b0/b1/b2");
  scene.joint("/x/j0", "/x/b0", "/x/b0/b1").joint("/x/j1", "/x/b0/b1", "/x/b0/b1/b2");

  // physics 12.1 P13
  for (const char* root : {"/x", "/x/b0"}) {
    const Articulation a = scene.resolve(root).articulation;
    EXPECT_THAT(a.root_prim_paths, ElementsAre("/x/b0"));
    EXPECT_EQ(a.joint_paths.size(), 2U);
    EXPECT_EQ(a.body_paths.size(), 3U);
  }
}

TEST(Articulation, RootWithoutBodiesIsInvalid) {
  EXPECT_FALSE(chain(2).resolve("/elsewhere").articulation.is_valid);
}

// physics 12.1 P12
TEST(Articulation, RootBodyAndWorldJointGiveTheDocumentedRoots) {
  GraphBuilder free_chain = chain(3);
  EXPECT_THAT(free_chain.resolve("/x/b1").articulation.root_prim_paths, ElementsAre("/x/b1"));
  EXPECT_THAT(free_chain.resolve("/x").articulation.root_prim_paths, ElementsAre("/x/b1"));
  GraphBuilder fixed = chain(3);
  fixed.joint("/x/w", "", "/x/b0");
  for (const char* root : {"/x/w", "/x"}) {
    const ResolvedArticulation r = fixed.resolve(root);
    EXPECT_THAT(r.articulation.root_prim_paths, ElementsAre("/x/w"));
    EXPECT_EQ(r.articulation.joint_paths.size(), 3U);
    EXPECT_THAT(r.articulation.body_paths, ElementsAre("", "/x/b0", "/x/b1", "/x/b2"));
    ASSERT_EQ(r.trees.size(), 1U);
    EXPECT_TRUE(r.trees[0].fixed_base);
  }
}

// physics 12.1 P14
TEST(Articulation, KinematicBodiesChangeNothing) {
  GraphBuilder scene = chain(3);
  for (RigidBody& body : scene.model().rigid_bodies) body.kinematic_body = true;

  EXPECT_THAT(scene.resolve("/x").articulation.root_prim_paths, ElementsAre("/x/b1"));
}

// physics 15: the arm.
TEST(Articulation, ArmOfTheSampleSceneIsAnchored) {
  GraphBuilder scene;
  scene.body("/arm/base").body("/arm/link");
  scene.joint("/arm/hinge", "/arm/base", "/arm/link").joint("/arm/anchor", "", "/arm/base");

  const Articulation a = scene.resolve("/arm").articulation;

  EXPECT_THAT(a.root_prim_paths, ElementsAre("/arm/anchor"));
  EXPECT_THAT(a.joint_paths, ElementsAre("/arm/anchor", "/arm/hinge"));
  EXPECT_THAT(a.body_paths, ElementsAre("", "/arm/base", "/arm/link"));
}

// physics 14.9
TEST(Articulation, NestedRootIsIgnoredUnderDocumentedRulesOnly) {
  const std::vector<Text> roots = {"/x", "/x/b1"};
  Diagnostics diagnostics;

  EXPECT_EQ(resolve_articulations(chain(3).model(), roots, diagnostics).size(), 2U);
  EXPECT_TRUE(diagnostics.empty());
  const GraphBuilder documented = chain(3, Rules::documented);
  EXPECT_EQ(resolve_articulations(GraphBuilder(documented).model(), roots, diagnostics).size(), 1U);
  ASSERT_EQ(diagnostics.size(), 1U);
  EXPECT_EQ(diagnostics[0].path, "/x/b1");
  EXPECT_EQ(diagnostics[0].code, "physics-nested-articulation");
}

// physics 14.12
TEST(Articulation, DocumentedRulesListExactlyTheBodies) {
  GraphBuilder scene(Rules::documented);
  scene.body("/x/b0").body("/x/b1").body("/x/lone");
  scene.joint("/x/j", "/x/b0", "/x/b1").joint("/x/w", "", "/x/b0");

  EXPECT_THAT(scene.resolve("/x").articulation.body_paths,
              ElementsAre("/x/b0", "/x/b1", "/x/lone"));
}

TEST(Articulation, DisabledAndInvalidJointsDoNotConnect) {
  GraphBuilder scene = chain(3);
  scene.model().joints[0].joint_enabled = false;
  scene.model().joints[1].is_valid = false;

  EXPECT_THAT(scene.resolve("/x").articulation.root_prim_paths,
              ElementsAre("/x/b0", "/x/b1", "/x/b2"));
}

TEST(ArticulationTree, ParentsComeBeforeChildren) {
  const ResolvedArticulation r = chain(5).resolve("/x/b0");

  ASSERT_EQ(r.trees.size(), 1U);
  const ArticulationTree& tree = r.trees[0];
  EXPECT_FALSE(tree.fixed_base);
  ASSERT_EQ(tree.links.size(), 5U);
  EXPECT_EQ(tree.links[0].joint, kNone);
  for (std::int32_t i = 1; i < 5; ++i) {
    const ArticulationLink& link = tree.links[static_cast<std::size_t>(i)];
    EXPECT_EQ(link.parent, i - 1);
    EXPECT_EQ(link.joint, i - 1);
    EXPECT_EQ(link.body, i);
  }
}

TEST(ArticulationTree, HangsOnTheJointToTheWorldWhicheverEndThatNames) {
  for (const bool is_first : {true, false}) {
    GraphBuilder scene = chain(3);
    scene.joint("/x/w", is_first ? "/x/b0" : "", is_first ? "" : "/x/b0");
    for (const char* root : {"/x/w", "/x"}) {
      const ResolvedArticulation r = scene.resolve(root);

      ASSERT_EQ(r.trees.size(), 1U) << root << is_first;
      const ArticulationTree& tree = r.trees[0];
      EXPECT_TRUE(tree.fixed_base);
      EXPECT_THAT(tree.loop_joints, IsEmpty());
      ASSERT_EQ(tree.links.size(), 3U);
      for (std::int32_t i = 0; i < 3; ++i) {
        const ArticulationLink& link = tree.links[static_cast<std::size_t>(i)];
        EXPECT_EQ(link.body, i);
        EXPECT_EQ(link.parent, i == 0 ? kNone : i - 1);
        EXPECT_EQ(link.joint, i == 0 ? 2 : i - 1);
      }
    }
  }
}

TEST(ArticulationTree, LoopsAreCutAndListed) {
  const ResolvedArticulation r = triangle(false).resolve("/x");

  ASSERT_EQ(r.trees.size(), 1U);
  EXPECT_EQ(r.trees[0].links.size(), 3U);
  EXPECT_THAT(r.trees[0].loop_joints, ElementsAre(1));  // Opposite the root.
}

TEST(ArticulationTree, JointsOfABodyWithItselfAreLoops) {
  GraphBuilder scene = chain(2);
  scene.joint("/x/self", "/x/b0", "/x/b0");

  const ResolvedArticulation r = scene.resolve("/x");

  ASSERT_EQ(r.trees.size(), 1U);
  EXPECT_EQ(r.trees[0].links.size(), 2U);
  EXPECT_THAT(r.trees[0].loop_joints, ElementsAre(1));
}

TEST(ArticulationTree, FinishedModelGivesTheSameTrees) {
  GraphBuilder scene = chain(4);
  scene.model().articulations.push_back(scene.resolve("/x").articulation);

  const std::vector<ArticulationTree> trees =
      articulation_trees(scene.model(), scene.model().articulations[0]);

  ASSERT_EQ(trees.size(), 1U);
  EXPECT_EQ(trees[0].links[0].body, 1);
  EXPECT_TRUE(articulation_trees(PhysicsModel(), Articulation()).empty());
}

TEST(Articulation, VeryLongChainNeitherRecursesNorTakesQuadraticTime) {
  constexpr int kBodies = 200'000;
  const ResolvedArticulation r = chain(kBodies).resolve("/x");

  ASSERT_EQ(r.trees.size(), 1U);
  EXPECT_EQ(r.trees[0].links.size(), static_cast<std::size_t>(kBodies));
  const Text& root = r.articulation.root_prim_paths.at(0);
  EXPECT_TRUE(root == "/x/b99999" || root == "/x/b100000") << root;
}

TEST(Articulation, LargeIslandWithLoopsTerminates) {
  constexpr int kBodies = 20'000;
  GraphBuilder scene = chain(kBodies);
  for (int i = 0; i + 2 < kBodies; i += 2) {
    Joint joint;
    joint.path = "/x/k" + std::to_string(i);
    joint.ends[0].body = i;
    joint.ends[1].body = i + 2;
    joint.ends[0].body_path = "/x/b";
    joint.ends[1].body_path = "/x/b";
    scene.model().joints.push_back(joint);
  }

  EXPECT_EQ(scene.resolve("/x").articulation.root_prim_paths.size(), 1U);
}

TEST(Articulation, OutOfRangeIndicesAreTheWorld) {
  GraphBuilder scene = chain(2);
  scene.model().joints[0].ends[1].body = 99;

  EXPECT_EQ(scene.resolve("/x").articulation.root_prim_paths.at(0), "/x/j0");
}

TEST(LinkJoint, HasTheParentFirstWhicheverWayRoundTheFileStatesIt) {
  for (const bool child_first : {false, true}) {
    GraphBuilder scene;
    scene.body("/x/base").body("/x/link");
    scene.joint("/x/j", child_first ? "/x/link" : "/x/base", child_first ? "/x/base" : "/x/link");
    Joint& joint = scene.model().joints[0];
    joint.kind = RevoluteJoint{.axis = Axis::z, .limit = {true, -10, 20}, .drive = {}};
    joint.ends[child_first ? 0 : 1].frame.position = {5, 0, 0};

    const NormalJoint found = link_joint(scene.model(), {.body = 1, .parent = 0, .joint = 0});

    EXPECT_EQ(found.reversed, child_first);
    EXPECT_EQ(found.bodies[0], 0);
    EXPECT_EQ(found.bodies[1], 1);
    EXPECT_EQ(found.frames[1].position, Vector3f(5, 0, 0));
    EXPECT_EQ(found.dof(JointDof::rot_z).lower, child_first ? -20.0F : -10.0F);
  }
}

TEST(LinkJoint, HangsTheBaseOfAFixedTreeOnTheWorld) {
  GraphBuilder scene;
  scene.body("/x/base").joint("/x/anchor", "/x/base", "");

  const NormalJoint found = link_joint(scene.model(), {.body = 0, .parent = kNone, .joint = 0});

  EXPECT_TRUE(found.reversed);
  EXPECT_EQ(found.bodies[0], kNone);
  EXPECT_EQ(found.bodies[1], 0);
}

TEST(LinkJoint, LeavesTheBaseOfAFreeTreeFree) {
  const NormalJoint found = link_joint(chain(2).model(), {.body = 1});

  EXPECT_EQ(found.bodies[0], kNone);
  EXPECT_EQ(found.bodies[1], 1);
  for (const DofRule& dof : found.dofs) EXPECT_EQ(dof.state, DofState::free);
}

TEST(LinkJoint, TakesIndicesOutOfRangeForNone) {
  const NormalJoint found = link_joint(PhysicsModel(), {.body = 7, .parent = 3, .joint = 9});

  EXPECT_EQ(found.bodies[0], kNone);
  EXPECT_EQ(found.bodies[1], kNone);
}

}  // namespace
}  // namespace sinew::physics::articulation_test
