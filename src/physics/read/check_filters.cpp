// SPDX-License-Identifier: Apache-2.0
// The validation rules for relations that filter, and for owners.

#include "physics/read/checker.hpp"

#include "core/format_text.hpp"

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

void Checker::check_targets(const Prim& prim, const Name& name, std::string_view wanted,
                            bool (*fits)(const Prim&)) {
  std::vector<layer::Path> made;
  for (const layer::Path& target : properties_.targets(prim, name, made, &diagnostics_)) {
    const Prim found = stage_.prim(target.prim_path());
    if (!found) {
      report(Severity::warning, "physics-missing-target", prim.relationship(name.token),
             format_text("'{}' names <{}>, where there is no prim.", name.view(), target.view()),
             "Remove the target, or correct its path.");
      return;
    }
    if (!fits(found)) {
      report(Severity::warning, "physics-wrong-target", prim.relationship(name.token),
             format_text("'{}' names <{}>, which is not a {}.", name.view(), target.view(), wanted),
             "Remove the target, or correct its path.");
      return;
    }
  }
}

void Checker::check_relations(const Prim& prim, bool is_simulated) {
  if (has_api(prim, tokens::kFilteredPairsApi)) {
    check_targets(prim, names_.filtered_pairs, "prim", any_prim);
  }
  if (is_simulated) {
    check_targets(prim, names_.simulation_owner, tokens::kScene, is_scene);
  }
  if (is_group(prim)) {
    check_targets(prim, names_.filtered_groups, tokens::kCollisionGroup, is_group);
    check_targets(prim, names_.colliders_includes, "prim", any_prim);
    check_targets(prim, names_.colliders_excludes, "prim", any_prim);
  }
  if (is_scene(prim)) {
    check_finite(prim, names_.gravity_direction);
    check_not_nan(prim, names_.gravity_magnitude);
  }
}

}  // namespace sinew::physics
