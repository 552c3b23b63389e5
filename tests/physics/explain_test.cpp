// SPDX-License-Identifier: Apache-2.0
// explain_mass(): what a reader of the explanation has to find in it.
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace sinew::physics::explain_test
