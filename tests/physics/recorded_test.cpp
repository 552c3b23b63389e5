// SPDX-License-Identifier: Apache-2.0
// A scene with some of everything that physics knows, and each of its words with something wrong in
// its place: what is read and everything that is said, as recorded.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "physics/everything_scene.hpp"
#include "physics/read_scene.hpp"
#include "sinew/physics/describe.hpp"
#include "sinew/physics/joint_forest.hpp"
#include "sinew/physics/link_joint.hpp"
#include "sinew/physics/mass.hpp"
#include "sinew/physics/read/check_physics.hpp"
#include "support/damaged_text.hpp"
#include "support/recorded.hpp"

namespace sinew::physics::recorded_test {
namespace {

struct Told {
  bool is_open = false;
  std::string said;
  std::string model;
};

Told tell(const std::string& text, Rules rules) {
  Told told;
  Diagnostics diagnostics;
  stage::MemoryResolver resolver;
  resolver.add("a.usda", text);
  stage::OpenOptions open;
  open.resolver = &resolver;
  open.rules = rules;
  const auto stage = stage::Stage::open("a.usda", diagnostics, open);
  if (!stage) return told;
  told.is_open = true;
  diagnostics.clear();
  check_physics(**stage, diagnostics);
  ReadOptions options;
  options.dialects = all_dialects();
  const PhysicsModel model = read_physics(**stage, diagnostics, options);
  told.model = describe(model);
  for (const BodyMass& mass : body_masses(model, diagnostics)) {
    told.model += explain_mass(model, mass);
  }
  for (std::size_t i = 0; i < model.joints.size(); ++i) {
    const std::int32_t body = model.joints[i].ends[1].body;
    if (!model.has_body(body)) continue;
    for (const PhysicsModel& in : {model, model.to_si()}) {
      const LinkJoint link = link_joint(in, static_cast<std::int32_t>(i), body);
      told.model += fmt::format("{} apart by {:.6g} and {:.6g}", link.joint, link.mismatch_distance,
                                link.mismatch_angle);
      for (const LinkDof& dof : link.dofs) {
        told.model += fmt::format("; {} at {:.6g} in {:.6g} to {:.6g}", to_string(dof.dof),
                                  dof.start, dof.lower, dof.upper);
      }
      told.model += "\n";
    }
  }
  told.said += sinew::test::lines_of(diagnostics, "  ");
  return told;
}

TEST(RecordedPhysics, IsTheSameLineByLine) {
  std::string text;
  for (const Rules rules : {Rules::documented, Rules::openusd}) {
    const Told told = tell(kEverything, rules);
    ASSERT_TRUE(told.is_open);
    text += told.said + told.model;
  }
  sinew::test::expect_recorded("everything.physics.txt", text);
}

TEST(RecordedPhysics, IsToldWhatIsWrongInEveryPlace) {
  const std::string unchanged = tell(kEverything, Rules::documented).said;
  std::string all;
  const auto compare = [&](const std::string& title, const std::string& changed) {
    const Told told = tell(changed, Rules::documented);
    if (!told.is_open || told.said == unchanged) return;
    all += title + "\n";
    // What is said of the others all the same is not repeated.
    std::istringstream lines(told.said);
    for (std::string line; std::getline(lines, line);) {
      if (unchanged.find(line + "\n") == std::string::npos) all += line + "\n";
    }
  };
  sinew::test::for_each_damage(kEverything, {"-1", "nan", "\"x\"", "</No>", "None", "</Base>"},
                               compare);
  sinew::test::for_each_other_type(kEverything, compare);
  sinew::test::expect_recorded("faults.physics.txt", all);
}

}  // namespace
}  // namespace sinew::physics::recorded_test
