// SPDX-License-Identifier: Apache-2.0
// Which prim each figure of an explanation comes from, on random trees.
#include <gtest/gtest.h>

#include <random>

#include "physics/mass_scene.hpp"

namespace sinew::physics::mass_steps_test {
namespace {

using test::Api;
using test::MassScene;
using test::no_api;
using test::translate;

std::size_t index(std::int32_t i) {
  return static_cast<std::size_t>(i);
}

class MassSteps : public ::testing::TestWithParam<Rules> {
 protected:
  float number() { return static_cast<float>(1 + random_() % 50); }

  // Some of the figures; `figures` also those other than density.
  Api api(bool figures) {
    if (random_() % 3 == 0) return no_api();
    Api api;
    if (random_() % 2 == 0) api.density(random_() % 4 == 0 ? -1.0F : number());
    if (figures && random_() % 4 == 0) api.mass(number());
    if (figures && random_() % 4 == 0) api.center(number(), 0, number());
    if (figures && random_() % 4 == 0) api.inertia(number(), number(), number());
    return api;
  }

  MassScene tree(bool figures) {
    MassScene s(GetParam());
    s.body(Matrix4d::Identity(), api(figures), random_() % 2 == 0 ? 1.0 : -1.0);
    for (std::int32_t i = 1; i < 12; ++i) {
      // Parents as a walk leaves them: the prim before, or one above that.
      std::int32_t parent = i - 1;
      while (parent > 0 && random_() % 2 == 0) parent = s.model.mass_nodes[index(parent)].parent;
      const Matrix4d world = translate(static_cast<double>(number()), 0, 0);
      if (random_() % 2 == 0) {
        s.xform(parent, world, api(figures));
        continue;
      }
      s.cube(parent, world, api(figures));
      if (random_() % 3 == 0) s.last_shape().bound_material_density = number();
    }
    return s;
  }

  bool documented() const { return GetParam() == Rules::documented; }

  std::mt19937 random_{29};
};

float density_of(const MassNode& node) {
  return node.has_mass_api ? node.authored.density.value_or(0.0F) : 0.0F;
}

TEST_P(MassSteps, DensityComesFromTheNearestPrimThatGivesOne) {
  std::size_t from_above = 0;
  for (int round = 0; round < 200; ++round) {
    MassScene s = tree(false);
    const std::vector<MassNode>& nodes = s.model.mass_nodes;
    const BodyMass m = s.solve();
    ASSERT_EQ(m.steps.size(), nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const MassStep& step = m.steps[i];
      if (!nodes[i].is_collider) {
        EXPECT_EQ(step.density_node, kNone);
        continue;
      }
      // Under the rules of OpenUSD only the collider and the body are asked.
      auto giver = static_cast<std::int32_t>(i);
      while (giver != kNone && !(density_of(nodes[index(giver)]) > 0.0F)) {
        giver = giver == 0 ? kNone : documented() ? nodes[index(giver)].parent : 0;
      }
      EXPECT_EQ(step.density_node, giver) << "round " << round << ", step " << i;
      const float material = s.model.shapes[index(nodes[i].shape)].bound_material_density;
      if (giver != kNone) {
        from_above += index(giver) != i ? 1 : 0;
        EXPECT_EQ(step.density_source, DensitySource::mass_api);
        EXPECT_EQ(step.density, static_cast<double>(density_of(nodes[index(giver)])));
      } else if (material > 0.0F) {
        EXPECT_EQ(step.density_source, DensitySource::material);
        EXPECT_EQ(step.density, static_cast<double>(material));
      } else {
        EXPECT_EQ(step.density_source, DensitySource::water);
        EXPECT_EQ(step.density, 1000.0);
      }
    }
  }
  EXPECT_GT(from_above, 100U);
}

TEST_P(MassSteps, EveryStepNamesTheStepAboveIt) {
  for (int round = 0; round < 50; ++round) {
    MassScene s = tree(true);
    const BodyMass m = s.solve();
    EXPECT_EQ(m.steps[0].parent, kNone);
    for (std::size_t i = 1; i < m.steps.size(); ++i) {
      EXPECT_EQ(m.steps[i].parent, documented() ? s.model.mass_nodes[i].parent : 0);
    }
  }
}

TEST_P(MassSteps, FiguresAreOverruledByTheFirstPrimAboveThatGivesThem) {
  if (!documented()) GTEST_SKIP() << "between collider and body nothing is consulted";
  std::size_t overruled = 0;
  for (int round = 0; round < 200; ++round) {
    MassScene s = tree(true);
    const std::vector<MassNode>& nodes = s.model.mass_nodes;
    const BodyMass m = s.solve();
    const auto gives = [&](std::size_t i, IgnoredFigure figure) {
      const MassNode& node = nodes[i];
      if (!node.has_mass_api) return false;
      if (figure == kMassOverruled) return node.authored.mass.has_value();
      if (figure == kCenterOverruled) return node.authored.center_of_mass.has_value();
      return node.authored.diagonal_inertia.has_value();
    };
    for (std::size_t i = 1; i < nodes.size(); ++i) {
      for (const IgnoredFigure figure : {kMassOverruled, kCenterOverruled, kInertiaOverruled}) {
        bool above = false;
        for (std::int32_t at = nodes[i].parent; at != kNone; at = nodes[index(at)].parent) {
          above = above || gives(index(at), figure);
        }
        const bool expected = above && gives(i, figure);
        overruled += expected ? 1 : 0;
        EXPECT_EQ((m.steps[i].ignored & figure) != 0, expected)
            << "round " << round << ", step " << i << ", figure " << figure;
      }
    }
  }
  EXPECT_GT(overruled, 100U);
}

TEST_P(MassSteps, SharesOfWhatLiesBelowAddUp) {
  for (int round = 0; round < 200; ++round) {
    MassScene s = tree(true);
    const BodyMass m = s.solve();
    for (std::size_t i = 0; i < m.steps.size(); ++i) {
      const MassStep& step = m.steps[i];
      if (!(step.parts_mass > 0.0)) continue;
      double below = 0.0;
      for (const MassStep& other : m.steps) {
        if (other.parent == static_cast<std::int32_t>(i)) below += other.share;
      }
      const MassNode& node = s.model.mass_nodes[i];
      const bool own_mass =
          !documented() && node.is_collider && node.has_mass_api && node.authored.mass.has_value();
      if (own_mass) continue;  // What the body's own collider weighs is not told apart then.
      const double own = step.volume * step.density * step.share / step.parts_mass;
      EXPECT_NEAR(below + own, step.share, 1e-9 * step.share)
          << "round " << round << ", step " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Rules, MassSteps, ::testing::Values(Rules::documented, Rules::openusd),
                         [](const auto& tested) {
                           return tested.param == Rules::documented ? "Documented" : "OpenUsd";
                         });

}  // namespace
}  // namespace sinew::physics::mass_steps_test
