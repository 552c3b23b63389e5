// SPDX-License-Identifier: Apache-2.0
// The validation rules for relations that filter, and for owners.
#include <fmt/format.h>

#include "physics/checker.hpp"

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
             fmt::format("'{}' names <{}>, where there is no prim", name, target.view()),
             "remove the target, or correct its path");
      return;
    }
    if (!fits(found)) {
      report(Severity::warning, "physics-wrong-target", relationship,
             fmt::format("'{}' names <{}>, which is no {}", name, target.view(), wanted),
             "remove the target, or correct its path");
      return;
    }
  }
}

void Checker::check_relations(const Prim& prim) {
  if (has_api(prim, "PhysicsFilteredPairsAPI")) {
    check_targets(prim, "physics:filteredPairs", "prim", any_prim);
  }
  if (has_api(prim, "PhysicsRigidBodyAPI") || has_api(prim, "PhysicsCollisionAPI")) {
    check_targets(prim, "physics:simulationOwner", "PhysicsScene", is_scene);
  }
  if (is_group(prim)) {
    check_targets(prim, "physics:filteredGroups", "PhysicsCollisionGroup", is_group);
    check_targets(prim, "collection:colliders:includes", "prim", any_prim);
    check_targets(prim, "collection:colliders:excludes", "prim", any_prim);
  }
  if (is_scene(prim)) {
    check_finite(prim, "physics:gravityDirection");
    check_not_nan(prim, "physics:gravityMagnitude");
  }
}

}  // namespace sinew::physics
