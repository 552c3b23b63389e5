// SPDX-License-Identifier: Apache-2.0
// The validation rules for relations that filter, and for owners.
#include <fmt/format.h>

#include "physics/read/checker.hpp"

namespace sinew::physics {

using stage::Prim;
using stage::SchemaType;

namespace {

bool is_scene(const Prim& prim) {
  return prim.is_a(SchemaType::physics_scene);
}

bool is_group(const Prim& prim) {
  return prim.is_a(SchemaType::physics_collision_group);
}

bool any_prim(const Prim&) {
  return true;
}

}  // namespace

void Checker::check_targets(const Prim& prim, std::string_view name, std::string_view wanted,
                            bool (*fits)(const Prim&)) {
  const stage::Relationship relationship = prim.relationship(name);
  if (!relationship) return;
  for (const layer::Path& target : relationship.targets(&diagnostics_)) {
    const Prim found = stage_.prim(target.prim_path());
    if (!found) {
      report(Severity::warning, "physics-missing-target", relationship,
             fmt::format("'{}' names <{}>, where there is no prim.", name, target.view()),
             "Remove the target, or correct its path.");
      return;
    }
    if (!fits(found)) {
      report(Severity::warning, "physics-wrong-target", relationship,
             fmt::format("'{}' names <{}>, which is not a {}.", name, target.view(), wanted),
             "Remove the target, or correct its path.");
      return;
    }
  }
}

void Checker::check_relations(const Prim& prim) {
  if (has_api(prim, tokens::kFilteredPairsApi)) {
    check_targets(prim, tokens::kFilteredPairs, "prim", any_prim);
  }
  if (has_api(prim, tokens::kRigidBodyApi) || has_api(prim, tokens::kCollisionApi)) {
    check_targets(prim, tokens::kSimulationOwner, tokens::kScene, is_scene);
  }
  if (is_group(prim)) {
    check_targets(prim, tokens::kFilteredGroups, tokens::kCollisionGroup, is_group);
    check_targets(prim, "collection:colliders:includes", "prim", any_prim);
    check_targets(prim, "collection:colliders:excludes", "prim", any_prim);
  }
  if (is_scene(prim)) {
    check_finite(prim, tokens::kGravityDirection);
    check_not_nan(prim, tokens::kGravityMagnitude);
  }
}

}  // namespace sinew::physics
