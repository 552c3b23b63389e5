// SPDX-License-Identifier: Apache-2.0
// The code of the pages docs/physics_*.md, compiled and run. The last test checks that every block
// of C++ on those pages stands here too.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

#include "physics/read_scene.hpp"
#include "sinew/physics/articulation.hpp"
#include "sinew/physics/joint_frames.hpp"
#include "sinew/physics/pair_filter.hpp"
#include "sinew/physics/read/check_physics.hpp"
#include "support/folders.hpp"

namespace sinew::docs_test {
namespace {

const std::string kArm = test::example_data_folder() + "/robot_arm.usda";

struct Arm {
  Diagnostics diagnostics;
  Result<stage::StagePtr> stage = stage::Stage::open(kArm, diagnostics);
  physics::PhysicsModel model = physics::read_physics(**stage, diagnostics);
};

int joints(const physics::PhysicsModel& model) {
  int count = 0;
  const auto add_limit = [&](float lower, float upper) { count += lower <= upper ? 1 : 0; };
  const auto add_motor = [&](float, float) { ++count; };

  for (const physics::Joint& joint : model.joints) {
    if (!joint.is_valid) continue;
    const physics::NormalJoint normal = physics::normal_form(model, joint);
    const physics::DofRule& turn = normal.dof(physics::JointDof::rot_y);
    if (turn.state == physics::DofState::limited) add_limit(turn.lower, turn.upper);
    if (turn.drive.enabled) add_motor(turn.drive.stiffness, turn.drive.damping);
  }
  return count;
}

std::string filtering(const physics::PhysicsModel& model, std::int32_t shape_a,
                      std::int32_t shape_b) {
  Diagnostics diagnostics;
  std::string reason;
  const auto explain = [&](std::string_view why) { reason = why; };

  const auto filter = physics::PairFilter::build(model, diagnostics);
  const physics::PairDecision decision = filter.decide(shape_a, shape_b);
  if (!decision.collides) explain(physics::to_string(decision.reason));
  return reason;
}

std::size_t articulations(const physics::PhysicsModel& model) {
  std::size_t links = 0;
  const auto add_link = [&](std::int32_t, const physics::RigidBody&, const physics::NormalJoint&) {
    ++links;
  };
  const auto add_constraint = [](const physics::Joint&) {};

  for (const physics::Articulation& articulation : model.articulations) {
    for (const physics::ArticulationTree& tree : articulation_trees(model, articulation)) {
      for (const physics::ArticulationLink& link : tree.links) {
        const physics::RigidBody& body = model.body(link.body);
        const physics::NormalJoint joint = link_joint(model, link);  // Frame 0 on the parent.
        add_link(link.parent, body, joint);
      }
      for (const std::int32_t joint : tree.loop_joints) add_constraint(model.joint(joint));
    }
  }
  return links;
}

std::size_t visuals(const stage::Stage& stage, const physics::PhysicsModel& model) {
  std::size_t attached = 0;
  const auto attach = [&](const stage::Prim&, const physics::RigidBody&) { ++attached; };

  for (const stage::Prim prim : stage.root().descendants()) {
    if (!prim.is_a(stage::SchemaType::gprim)) continue;
    const std::int32_t body = model.find_body(prim.path().view());  // The nearest at or above.
    if (body != physics::kNone) attach(prim, model.body(body));
  }
  return attached;
}

std::size_t validation(const Result<stage::StagePtr>& stage) {
  Diagnostics findings;
  physics::check_physics(**stage, findings);
  for (const Diagnostic& finding : findings) std::puts(format(finding).c_str());
  return findings.size();
}

double units(const physics::PhysicsModel& model) {
  const physics::PhysicsModel si = model.to_si();  // Metres, kilograms, seconds, radians.
  return si.units.meters_per_unit;
}

TEST(PhysicsDocs, CodeRuns) {
  const Arm arm;
  ASSERT_TRUE(arm.stage);
  ASSERT_FALSE(arm.model.rigid_bodies.empty());
  (void)joints(arm.model);
  EXPECT_EQ(filtering(arm.model, 0, 0), "same-shape");
  EXPECT_EQ(articulations(arm.model) > 0, !arm.model.articulations.empty());
  EXPECT_EQ(visuals(**arm.stage, arm.model), 9u);  // The tenth stands on the floor.
  EXPECT_EQ(validation(arm.stage), 0u);
  EXPECT_EQ(units(arm.model), 1.0);
}

// The text of a file without any white space.
std::string packed(const std::string& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  std::stringstream text;
  text << file.rdbuf();
  std::string result;
  for (const char c : text.str()) {
    if (c != ' ' && c != '\n') result += c;
  }
  return result;
}

TEST(PhysicsDocs, PagesShowThisCode) {
  const std::string here = packed(test::data_folder() + "/../physics/docs_test.cpp");
  for (const char* page : {"joints", "filtering", "articulations", "validation", "units"}) {
    const std::string text = packed(test::data_folder() + "/../../docs/physics_" + page + ".md");
    const std::string kStart = "```cpp";
    std::size_t blocks = 0;
    for (std::size_t at = text.find(kStart); at != std::string::npos;
         at = text.find(kStart, at + 1)) {
      const std::size_t from = at + kStart.size();
      const std::string block = text.substr(from, text.find("```", from) - from);
      EXPECT_NE(here.find(block), std::string::npos) << page << ": " << block;
      ++blocks;
    }
    EXPECT_GT(blocks, 0u) << page;
  }
}

}  // namespace
}  // namespace sinew::docs_test
