// SPDX-License-Identifier: Apache-2.0
#include "web/collision_json.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace sinew::web {

using namespace physics;

void write_collision(exporter::JsonSink& json, const PhysicsModel& model, const PairFilter& filter,
                     std::span<const std::int32_t> first, std::span<const std::int32_t> second) {
  bool collides = false;
  std::vector<std::string> reasons;
  for (const std::int32_t a : first) {
    for (const std::int32_t b : second) {
      const PairDecision decision = filter.decide(a, b);
      collides = collides || decision.collides;
      std::string reason(to_string(decision.reason));
      if (decision.reason == PairReason::filtered_pair && decision.rule >= 0) {
        const FilteredPair& pair = filter.filtered_pairs()[static_cast<std::size_t>(decision.rule)];
        reason += ": " + pair.owner_path.str() + " filters " + pair.target_path.str();
      } else if (decision.reason == PairReason::self_collision && decision.rule >= 0) {
        reason += ": " +
                  filter.filtered_pairs()[static_cast<std::size_t>(decision.rule)].owner_path.str();
      } else if (decision.reason == PairReason::jointed && decision.rule >= 0) {
        reason += ": " + model.joint(decision.rule).path.str();
      } else if (decision.reason == PairReason::collision_disabled) {
        const Shape& off = model.shape(a).collision_enabled ? model.shape(b) : model.shape(a);
        reason += ": " + off.path.str();
      }
      if (std::find(reasons.begin(), reasons.end(), reason) == reasons.end()) {
        reasons.push_back(std::move(reason));
      }
    }
  }
  json.begin_object();
  json.member("collides", collides);
  json.list_member("reasons", reasons);
  json.end_object();
}

}  // namespace sinew::web
