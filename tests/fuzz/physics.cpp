// SPDX-License-Identifier: Apache-2.0
// Physics: checked, read, weighed, filtered, articulated and converted to SI units.
#include <algorithm>
#include <string>

#include "fuzz/open_stage.hpp"
#include "fuzz/target.hpp"
#include "sinew/physics/articulation.hpp"
#include "sinew/physics/joint_frames.hpp"
#include "sinew/physics/mass.hpp"
#include "sinew/physics/pair_filter.hpp"
#include "sinew/physics/read/check_physics.hpp"
#include "sinew/physics/read/read_physics.hpp"
#include "sinew/stage/stage.hpp"

namespace {

using namespace sinew;

void weigh(const physics::PhysicsModel& model, Diagnostics& diagnostics) {
  for (const physics::BodyMass& mass : physics::body_masses(model, diagnostics)) {
    (void)physics::explain_mass(model, mass);
  }
}

void filter(const physics::PhysicsModel& model, Diagnostics& diagnostics) {
  const auto pairs = physics::PairFilter::build(model, diagnostics);
  const auto shapes = static_cast<std::int32_t>(std::min<std::size_t>(model.shapes.size(), 16));
  for (std::int32_t a = -1; a <= shapes; ++a) {
    for (std::int32_t b = -1; b <= shapes; ++b) {
      const physics::PairDecision decision = pairs.decide(a, b);
      fuzz::require(decision.collides == pairs.decide(b, a).collides,
                    "the order of a pair does not matter");
      fuzz::require(decision.collides == (decision.reason == physics::PairReason::collide),
                    "a pair that is kept apart has a reason");
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  stage::MemoryResolver resolver;
  Diagnostics diagnostics;
  const stage::StagePtr stage = fuzz::open_stage(data, size, resolver, diagnostics);
  if (stage == nullptr) return 0;
  physics::check_physics(*stage, diagnostics);
  const physics::PhysicsModel model = physics::read_physics(*stage, diagnostics);
  weigh(model, diagnostics);
  filter(model, diagnostics);
  for (const physics::Articulation& articulation : model.articulations) {
    for (const physics::ArticulationTree& tree : articulation_trees(model, articulation)) {
      for (const physics::ArticulationLink& link : tree.links) (void)link_joint(model, link);
    }
  }
  for (const physics::Joint& joint : model.joints) {
    (void)physics::normal_form(model, joint);
    (void)physics::world_frames(model, joint);
  }
  weigh(model.to_si(), diagnostics);
  return 0;
}
