// SPDX-License-Identifier: Apache-2.0
// Wrong data of every kind, through everything that physics offers: what is wrong is named, and
// results stay defined.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "physics/read_scene.hpp"
#include "sinew/physics/articulation.hpp"
#include "sinew/physics/collision_group_table.hpp"
#include "sinew/physics/describe.hpp"
#include "sinew/physics/joint_frames.hpp"
#include "sinew/physics/mass.hpp"
#include "sinew/physics/pair_filter.hpp"
#include "sinew/physics/read/check_physics.hpp"

namespace sinew::physics::wrong_data_test {
namespace {

using test::prim;

// Everything that was said about a scene, as "code path", and what came out.
struct Survey {
  std::vector<std::string> said;
  PhysicsModel model;
  std::vector<BodyMass> masses;
};

Survey survey(const std::string& text, Rules rules) {
  Diagnostics diagnostics;
  stage::OpenOptions open;
  open.rules = rules;
  const auto stage = stage::open_layers({{"root.usda", text.c_str()}}, diagnostics, open);
  Survey result;
  if (!stage) return result;
  check_physics(*stage, diagnostics);
  result.model = read_physics(*stage, diagnostics);
  result.masses = body_masses(result.model, diagnostics);
  const PairFilter filter = PairFilter::build(result.model, diagnostics);
  const auto shapes = static_cast<std::int32_t>(result.model.shapes.size());
  for (std::int32_t a = 0; a < shapes; ++a) {
    for (std::int32_t b = 0; b < shapes; ++b) {
      EXPECT_EQ(filter.collides(a, b), filter.collides(b, a));
    }
  }
  for (const Articulation& articulation : result.model.articulations) {
    for (const ArticulationTree& tree : articulation_trees(result.model, articulation)) {
      for (const ArticulationLink& link : tree.links) (void)link_joint(result.model, link);
    }
  }
  EXPECT_FALSE(describe(result.model.to_si()).empty() && !result.model.shapes.empty());
  for (const Diagnostic& diagnostic : diagnostics) {
    EXPECT_FALSE(diagnostic.code.empty() || diagnostic.message.empty());
    result.said.push_back(diagnostic.code + " " + diagnostic.path);
  }
  return result;
}

class WrongData : public ::testing::TestWithParam<Rules> {};
INSTANTIATE_TEST_SUITE_P(Rules, WrongData, ::testing::Values(Rules::documented, Rules::openusd));

bool finite(const BodyMass& mass) {
  return std::isfinite(mass.mass) && mass.center_of_mass.allFinite() &&
         mass.diagonal_inertia.allFinite() && mass.principal_axes.coeffs().allFinite();
}

TEST_P(WrongData, MissingTargets) {
  const Survey found =
      survey(prim("Cube", "b", "RigidBody Collision FilteredPairs",
                  "rel physics:filteredPairs = </gone>\nrel physics:simulationOwner = </gone>") +
                 "def PhysicsFixedJoint \"j\" {\nrel physics:body0 = </gone>\nrel physics:body1 = "
                 "</b>\n}\n"
                 "def PhysicsCollisionGroup \"g\" {\nrel physics:filteredGroups = </gone>\n}\n",
             GetParam());
  EXPECT_THAT(found.said, ::testing::IsSupersetOf(
                              {std::string("physics-missing-target /b.physics:filteredPairs"),
                               std::string("physics-missing-target /b.physics:simulationOwner"),
                               std::string("physics-missing-target /g.physics:filteredGroups"),
                               std::string("physics-joint-invalid-prim-rel /j.physics:body0")}));
  ASSERT_EQ(found.model.joints.size(), 1u);
  EXPECT_EQ(found.model.joints[0].ends[0].body_path, "");
  EXPECT_EQ(found.model.joints[0].is_valid, GetParam() == Rules::openusd);
}

TEST_P(WrongData, BodiesNestedDeeply) {
  std::string text;
  std::string end;
  for (int i = 0; i < 200; ++i) {
    text +=
        "def Cube \"b\" (apiSchemas = [\"PhysicsRigidBodyAPI\", \"PhysicsCollisionAPI\", "
        "\"PhysicsArticulationRootAPI\"]) {\n";
    end += "}\n";
  }
  const Survey found = survey(text + end, GetParam());
  const bool documented = GetParam() == Rules::documented;
  EXPECT_EQ(found.model.rigid_bodies.size(), documented ? 1u : 200u);
  EXPECT_EQ(found.model.shapes.size(), 200u);
  EXPECT_THAT(found.said, ::testing::Contains("physics-nested-articulation /b/b"));
  EXPECT_THAT(found.said,
              ::testing::Contains("physics-nested-body /b/b").Times(documented ? 2 : 0));
  for (const BodyMass& mass : found.masses) EXPECT_TRUE(finite(mass));
}

TEST_P(WrongData, NoVolume) {
  const Survey found = survey(prim("Xform", "b", "RigidBody",
                                   prim("Cube", "flat", "Collision", "double size = 0") +
                                       prim("Sphere", "point", "Collision", "double radius = 0") +
                                       prim("Mesh", "empty", "Collision") +
                                       prim("Cube", "heavy", "Collision Mass",
                                            "double size = 0\nfloat physics:mass = 3\n"
                                            "point3f physics:centerOfMass = (1, 0, 0)")),
                              GetParam());
  ASSERT_EQ(found.masses.size(), 1u);
  EXPECT_TRUE(finite(found.masses[0]));
  EXPECT_EQ(found.masses[0].mass, 3.0);
}

TEST_P(WrongData, NumbersThatAreNone) {
  const Survey found = survey(prim("Xform", "b", "RigidBody Mass",
                                   "float physics:mass = nan\nfloat physics:density = nan\n"
                                   "point3f physics:centerOfMass = (nan, 0, 0)\nfloat3 "
                                   "physics:diagonalInertia = (nan, 1, 1)\n"
                                   "quatf physics:principalAxes = (nan, 0, 0, 0)\n"
                                   "vector3f physics:velocity = (0, nan, 0)\n" +
                                       prim("Cube", "c", "Collision", "double size = 1")),
                              GetParam());
  for (const char* name :
       {"mass", "density", "centerOfMass", "diagonalInertia", "principalAxes", "velocity"}) {
    EXPECT_THAT(found.said,
                ::testing::Contains(std::string("physics-non-finite-value /b.physics:") + name));
  }
  // openusd: where an inertia is stated, a density counts that is no number, as in OpenUSD.
  const bool is_documented = GetParam() == Rules::documented;
  EXPECT_EQ(finite(found.masses.at(0)), is_documented);
  EXPECT_EQ(found.masses[0].mass > 0.0, is_documented);
}

TEST_P(WrongData, TransformsThatAreNone) {
  for (const char* scale : {"(0, 0, 0)", "(nan, 1, 1)", "(inf, 1, 1)", "(1e30, 1e-30, 1)"}) {
    const Survey found =
        survey(prim("Xform", "b", "RigidBody",
                    test::scaled(scale) + prim("Cube", "c", "Collision") +
                        prim("Mesh", "m", "Collision",
                             "point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]\n"
                             "int[] faceVertexCounts = [3]\nint[] faceVertexIndices = [0, 1, 2]")) +
                   "def PhysicsFixedJoint \"j\" {\nrel physics:body0 = </b/c>\n}\n",
               GetParam());
    EXPECT_EQ(found.model.shapes.size(), 2u) << scale;
    EXPECT_EQ(found.masses.size(), 1u) << scale;
  }
}

std::string mesh(const std::string& points, const std::string& counts, const std::string& indices) {
  return prim("Xform", "b", "RigidBody",
              prim("Mesh", "m", "Collision",
                   "point3f[] points = " + points + "\nint[] faceVertexCounts = " + counts +
                       "\nint[] faceVertexIndices = " + indices));
}

TEST_P(WrongData, MeshesThatAreNoSolids) {
  const std::string corner = "[(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]";
  // An index out of range, counts that do not fit, a face twice (three faces on an edge), a flat
  // mesh, repeated points, an open one, NaN.
  for (const std::string& text :
       {mesh(corner, "[3]", "[0, 1, 99]"), mesh(corner, "[3]", "[0, -1, 2]"),
        mesh(corner, "[3, 2147483647]", "[0, 1, 2]"), mesh(corner, "[-3]", "[0, 1, 2]"),
        mesh(corner, "[3, 3, 3, 3, 3]", "[0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3, 1, 2, 3]"),
        mesh("[(0, 0, 0), (1, 0, 0), (0, 1, 0)]", "[3, 3]", "[0, 1, 2, 0, 2, 1]"),
        mesh("[(1, 1, 1), (1, 1, 1), (1, 1, 1)]", "[3]", "[0, 1, 2]"),
        mesh(corner, "[3, 3, 3]", "[0, 2, 1, 0, 1, 3, 0, 3, 2]"),
        mesh("[(0, 0, 0), (nan, 0, 0), (0, inf, 0), (0, 0, 1)]", "[3, 3, 3, 3]",
             "[0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]")}) {
    const Survey found = survey(text, GetParam());
    ASSERT_EQ(found.masses.size(), 1u) << text;
    EXPECT_TRUE(finite(found.masses[0])) << text;
    EXPECT_THAT(found.said, ::testing::Contains(::testing::AnyOf(::testing::EndsWith(" /b"),
                                                                 ::testing::EndsWith(" /b/m"))))
        << text;
  }
}

TEST_P(WrongData, JointsOfABodyToItself) {
  const Survey found = survey(prim("Cube", "b", "RigidBody Collision ArticulationRoot") +
                                  "def PhysicsRevoluteJoint \"j\" {\nrel physics:body0 = </b>\n"
                                  "rel physics:body1 = </b>\nfloat physics:lowerLimit = nan\n}\n",
                              GetParam());
  EXPECT_THAT(found.said, ::testing::IsSupersetOf(
                              {std::string("physics-joint-same-body /j"),
                               std::string("physics-non-finite-value /j.physics:lowerLimit")}));
  ASSERT_EQ(found.model.joints.size(), 1u);
  EXPECT_EQ(found.model.joints[0].ends[0].body, found.model.joints[0].ends[1].body);
}

TEST_P(WrongData, GroupsThatReferToThemselvesAndToNone) {
  std::string text = prim("Cube", "c", "Collision");
  for (int i = 0; i < 200; ++i) {
    const std::string name = "g" + std::to_string(i);
    text += "def PhysicsCollisionGroup \"" + name +
            "\" {\nrel collection:colliders:includes = [</" + "g" + std::to_string((i + 1) % 200) +
            ".collection:colliders>, </c>]\n" + "rel physics:filteredGroups = [</" + name +
            ">, </c>]\n}\n";
  }
  const Survey found = survey(text, GetParam());
  EXPECT_EQ(found.model.collision_groups.size(), 200u);
  EXPECT_EQ(found.model.shapes.at(0).collision_groups.size(), 200u);
  EXPECT_THAT(found.said, ::testing::Contains("physics-wrong-target /g7.physics:filteredGroups"));
}

}  // namespace
}  // namespace sinew::physics::wrong_data_test
