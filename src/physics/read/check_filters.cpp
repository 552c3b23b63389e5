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

// The groups of a stage are found where instances are not entered.
bool counts_as_group(const Prim& prim) {
  return is_group(prim) && prim.matches(stage::Traversal());
}

bool any_prim(const Prim&) {
  return true;
}

}  // namespace

void Checker::check_targets(const Prim& prim, const Name& name, std::string_view wanted,
                            bool (*fits)(const Prim&)) {
  std::vector<layer::Path> made;
  std::vector<std::string_view> missing;
  std::vector<std::string_view> wrong;
  const auto targets = properties_.targets(prim, name, made, &diagnostics_);
  for (const layer::Path& target : targets) {
    const Prim found = stage_.prim(target.prim_path());
    if (!found) {
      missing.push_back(target.view());
    } else if (!fits(found)) {
      wrong.push_back(target.view());
    }
  }
  const auto tell = [&](std::string_view code, const std::vector<std::string_view>& paths,
                        std::string_view what) {
    if (paths.empty()) return;
    const std::string more =
        paths.size() == 1 ? std::string() : format_text(", and so with {} more", paths.size() - 1);
    report(Severity::warning, code, prim.relationship(name.token),
           format_text("'{}' names <{}>, {}{}.", name.view(), paths.front(), what, more),
           "Remove the target, or correct its path.");
  };
  tell("physics-missing-target", missing, "where there is no prim");
  tell("physics-wrong-target", wrong, format_text("which is not a {}", wanted));
}

void Checker::check_relations(const Prim& prim, bool is_simulated) {
  if (has_api(prim, tokens::kFilteredPairsApi)) {
    check_targets(prim, names_.filtered_pairs, "prim", any_prim);
  }
  if (is_simulated) {
    check_targets(prim, names_.simulation_owner, tokens::kScene, is_scene);
  }
  if (is_group(prim)) {
    if (!prim.is_instance_proxy()) {
      check_targets(prim, names_.filtered_groups, "PhysicsCollisionGroup of the stage",
                    counts_as_group);
    }
    if (prim.is_instance_proxy()) {
      report(Severity::warning, "physics-group-in-instance", prim,
             "A collision group below an instance filters nothing.",
             "Move the group out, or let the instance be none.");
    }
    check_targets(prim, names_.colliders_includes, "prim", any_prim);
    check_targets(prim, names_.colliders_excludes, "prim", any_prim);
  }
  if (is_scene(prim)) {
    check_finite(prim, names_.gravity_direction);
    check_not_nan(prim, names_.gravity_magnitude);
  }
}

}  // namespace sinew::physics
