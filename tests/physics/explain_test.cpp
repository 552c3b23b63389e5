// SPDX-License-Identifier: Apache-2.0
// explain_mass(): what a reader of the explanation has to find in it.
#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <string>

#include "physics/mass_scene.hpp"

namespace sinew::physics::explain_test {
namespace {

using test::Api;
using test::MassScene;
using test::translate;

const Matrix4d kOrigin = Matrix4d::Identity();

TEST(Explain, NamesPrimRuleAndValue) {
  MassScene s(Rules::documented);
  s.body(kOrigin, Api().mass(0));
  const auto arm = s.xform(0, kOrigin, Api().density(300));
  s.cube(arm, translate(1, 0, 0));
  s.cube(0, kOrigin);
  s.last_shape().bound_material_path = "/Steel";
  s.last_shape().bound_material_density = 7800;

  const std::string text = explain_mass(s.model, s.solve());

  EXPECT_NE(text.find("/body: mass 8100"), std::string::npos) << text;
  EXPECT_NE(text.find("ignored physics:mass"), std::string::npos) << text;
  EXPECT_NE(text.find("physics:density of /body/prim1"), std::string::npos) << text;
  EXPECT_NE(text.find("material /Steel"), std::string::npos) << text;
  EXPECT_NE(text.find("    /body/cube2: adds 300"), std::string::npos) << text;
}

TEST(Explain, TellsThatAMassSchemaComesBeforeTheMaterial) {
  MassScene s(Rules::openusd);
  s.body(kOrigin, Api().density(500));
  s.cube(0, kOrigin);
  s.last_shape().bound_material_path = "/Steel";
  s.last_shape().bound_material_density = 7800;

  EXPECT_NE(explain_mass(s.model, s.solve()).find("ignored density 7800 of the material /Steel"),
            std::string::npos);
}

TEST(Explain, TellsWhatOpenUsdDoesNotConsult) {
  MassScene s(Rules::openusd);
  s.body(kOrigin);
  s.cube(s.xform(0, kOrigin, Api().mass(3)), kOrigin);

  EXPECT_NE(
      explain_mass(s.model, s.solve()).find("OpenUSD looks at the body and at colliders only"),
      std::string::npos);
}

TEST(Explain, TellsHowPartsAreScaledToTheMassOfTheBody) {
  MassScene s(Rules::documented);
  s.body(kOrigin, Api().mass(2));
  s.cube(0, kOrigin, Api().density(500));
  s.last_shape().collision_enabled = false;
  const auto arm = s.xform(0, kOrigin, Api().mass(-1).density(250).center(1, 0, 0));
  s.cube(arm, kOrigin, Api().mass(250).inertia(1, 2, 3).axes(0, 1, 0, 0));
  s.last_shape().bound_material_path = "/Steel";
  s.last_shape().bound_material_density = 7800;
  s.cube(0, kOrigin, Api().mass(250).density(7));
  s.last_shape().geometry = SphereShape{0.0F};

  EXPECT_EQ(explain_mass(s.model, s.solve()),
            "/body: mass 2\n"
            "  mass 2: physics:mass; the parts weigh 1000 and are scaled to it\n"
            "  center of mass (0.25, 0, 0), computed\n"
            "  diagonal inertia (0.168667, 1.04567, 1.04767), computed\n"
            "  principal axes (1, 0, 0, 0), computed\n"
            "  /body/cube1: adds 1\n"
            "    Cube of volume 1 times density 500 = 500\n"
            "    density 500: physics:density of /body/cube1\n"
            "    collisions are disabled, which does not change the mass\n"
            "  /body/prim2: adds 0.5\n"
            "    center of mass (1, 0, 0) in the body's frame, from physics:centerOfMass\n"
            "    ignored physics:mass: only a finite value above 0 counts\n"
            "    /body/cube3: adds 0.5\n"
            "      mass 250: physics:mass\n"
            "      Cube of volume 1 times density 250 = 250\n"
            "      density 250: physics:density of /body/prim2\n"
            "      ignored density 7800 of the material /Steel: a mass schema comes first\n"
            "      inertia from physics:diagonalInertia\n"
            "      inertia turned by physics:principalAxes\n"
            "      physics:mass is a proportion only: a prim above gives the total\n"
            "  /body/cube4: adds 0.5\n"
            "    mass 250: physics:mass\n"
            "    Sphere of volume 0 times density 7 = 0\n"
            "    density 7: physics:density of /body/cube4\n"
            "    physics:mass is a proportion only: a prim above gives the total\n"
            "    physics:density has no effect on the mass: physics:mass is given too\n");
}

TEST(Explain, TellsWhatIsAssumedOfABodyOfNothing) {
  MassScene documented(Rules::documented);
  documented.body(kOrigin);
  EXPECT_EQ(explain_mass(documented.model, documented.solve()),
            "/body: mass 1\n"
            "  mass 1: assumed, because there is neither a mass nor a volume\n"
            "  center of mass (0, 0, 0), computed\n"
            "  diagonal inertia (0.004, 0.004, 0.004), that of a ball of 0.1 m, because there is "
            "no volume\n"
            "  principal axes (1, 0, 0, 0), computed\n");
  MassScene light(Rules::documented);
  light.body(kOrigin, Api().mass(5));
  EXPECT_EQ(
      explain_mass(light.model, light.solve()),
      "/body: mass 5\n"
      "  mass 5: physics:mass\n"
      "  center of mass (0, 0, 0), computed\n"
      "  diagonal inertia (0.02, 0.02, 0.02), that of a ball of 0.1 m, because there is no volume\n"
      "  principal axes (1, 0, 0, 0), computed\n");
  MassScene openusd(Rules::openusd);
  openusd.body(kOrigin);
  EXPECT_EQ(explain_mass(openusd.model, openusd.solve()),
            "/body: mass -1\n"
            "  mass -1: not set, because there is neither a mass nor a collider\n"
            "  center of mass (0, 0, 0), computed\n"
            "  diagonal inertia (1, 1, 1), a placeholder, because nothing is known\n"
            "  principal axes (1, 0, 0, 0), computed\n");
}

TEST(Explain, TellsThatCollidersOfABodyThatGivesAllAreNotNeeded) {
  MassScene s(Rules::documented);
  s.body(kOrigin, Api().mass(2).center(1, 2, 3).inertia(4, 5, 6).axes(0, 1, 0, 0));
  s.cube(0, kOrigin, Api().mass(1).center(1, 0, 0).inertia(1, 1, 1));
  EXPECT_EQ(explain_mass(s.model, s.solve()),
            "/body: mass 2\n"
            "  mass 2: physics:mass\n"
            "  center of mass (1, 2, 3), physics:centerOfMass\n"
            "  diagonal inertia (4, 5, 6), physics:diagonalInertia\n"
            "  principal axes (0, 1, 0, 0), physics:principalAxes\n"
            "  /body/cube1: adds 0\n"
            "    collider, not needed: mass, center and inertia are given by the body\n"
            "    physics:mass is a proportion only: a prim above gives the total\n"
            "    a prim above gives the center of mass that counts\n"
            "    a prim above gives the inertia that counts\n");
}

TEST(Explain, TellsOfFiguresThatAreNotUsed) {
  const float inf = std::numeric_limits<float>::infinity();
  MassScene s(Rules::documented);
  s.body(kOrigin,
         Api().mass(0).density(-2).center(0, inf, 0).inertia(inf, 1, 1).axes(inf, 0, 0, 0));
  s.cube(0, kOrigin);
  s.last_shape().geometry = CustomShape{"Blob"};
  s.cube(0, kOrigin);
  EXPECT_EQ(explain_mass(s.model, s.solve()),
            "/body: mass 1000\n"
            "  mass 1000: the sum of what its parts add\n"
            "  center of mass (0, 0, 0), computed\n"
            "  diagonal inertia (166.667, 166.667, 166.667), computed\n"
            "  principal axes (1, 0, 0, 0), computed\n"
            "  ignored physics:mass: only a finite value above 0 counts\n"
            "  ignored physics:density: only a finite value above 0 counts\n"
            "  ignored physics:centerOfMass: not finite\n"
            "  ignored physics:diagonalInertia: zero or not finite\n"
            "  ignored physics:principalAxes: zero or not finite\n"
            "  /body/cube1: adds 0\n"
            "    collider of unknown volume\n"
            "  /body/cube2: adds 1000\n"
            "    Cube of volume 1 times density 1000 = 1000\n"
            "    density 1000: water, 1000 kg/m^3, because no mass schema or material gives one\n");
}

// What only an application knows of has a volume and no shape.
TEST(Explain, TellsOfCollidersWithoutADescriptor) {
  MassScene s(Rules::documented);
  s.body(kOrigin, Api().density(50));
  s.cube(0, kOrigin);
  s.model.mass_nodes[1].shape = kNone;
  s.model.mass_nodes[1].path = "/body/blob";
  MassOptions options;
  options.mass_info = [](const MassNode& node, const Shape*) {
    MassInfo info;
    info.volume = node.shape == kNone ? 2.0 : -1.0;
    info.inertia = 0.5 * Matrix3d::Identity();
    return std::optional<MassInfo>(info);
  };
  EXPECT_EQ(explain_mass(s.model, s.solve(options)),
            "/body: mass 100\n"
            "  mass 100: the sum of what its parts add\n"
            "  center of mass (0, 0, 0), computed\n"
            "  diagonal inertia (25, 25, 25), computed\n"
            "  principal axes (1, 0, 0, 0), computed\n"
            "  /body/blob: adds 100\n"
            "    Custom of volume 2 times density 50 = 100\n"
            "    density 50: physics:density of /body\n");
}

TEST(Explain, LeavesOutStepsBelowNone) {
  MassScene s(Rules::documented);
  s.body(kOrigin);
  s.cube(0, kOrigin);
  s.cube(1, translate(2, 0, 0));
  s.model.mass_nodes[2].parent = 2;  // Below itself: as if it hung from the body.
  BodyMass mass = s.solve();
  EXPECT_EQ(mass.steps.at(2).parent, 0);
  EXPECT_NE(explain_mass(s.model, mass).find("cube2"), std::string::npos);
  for (const std::int32_t parent : {2, 5, -7}) {
    mass.steps[2].parent = parent;
    const std::string text = explain_mass(s.model, mass);
    EXPECT_NE(text.find("cube1"), std::string::npos);
    EXPECT_EQ(text.find("cube2"), std::string::npos);
  }
  for (const std::int32_t body : {kNone, 1}) {
    mass.body = body;
    EXPECT_EQ(explain_mass(s.model, mass), "");
  }
  EXPECT_EQ(explain_mass(s.model, BodyMass{}), "");
}

TEST(Explain, TellsNothingOfAMassWithoutSteps) {
  MassScene s(Rules::documented);
  s.body(kOrigin);
  BodyMass mass = s.solve();
  EXPECT_NE(explain_mass(s.model, mass), "");
  mass.steps.clear();
  EXPECT_EQ(explain_mass(s.model, mass), "");
}

}  // namespace
}  // namespace sinew::physics::explain_test
