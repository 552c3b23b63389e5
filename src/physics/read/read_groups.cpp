// SPDX-License-Identifier: Apache-2.0
// Collision groups: merging as the parsing utilities report it, and who is a member.
#include <algorithm>
#include <unordered_map>

#include "core/sort.hpp"
#include "physics/read/group_members.hpp"
#include "physics/read/reader.hpp"
#include "physics/shared/indexed.hpp"

namespace sinew::physics {

using stage::Prim;

namespace {

// Merges groups of equal name into the first of each name; the last element moves into the gap that
// is left.
void merge_by_name(std::vector<CollisionGroup>& groups) {
  std::unordered_map<Text, std::int32_t> by_name;
  for (std::size_t i = 0; i < groups.size();) {
    CollisionGroup& group = groups[i];
    if (group.merge_group_name.empty()) {
      ++i;
      continue;
    }
    const auto [found, added] =
        by_name.try_emplace(group.merge_group_name, static_cast<std::int32_t>(i));
    CollisionGroup& first = groups[static_cast<std::size_t>(found->second)];
    first.merged_group_paths.push_back(group.path);
    if (added) {
      ++i;
      continue;
    }
    first.filtered_group_paths.insert(first.filtered_group_paths.end(),
                                      group.filtered_group_paths.begin(),
                                      group.filtered_group_paths.end());
    if (i + 1 != groups.size()) groups[i] = std::move(groups.back());
    groups.pop_back();
  }
}

}  // namespace

// The authored merge name; of another type than string it counts under documented rules only.
std::optional<std::string> Reader::merge_group(const Prim& prim) {
  const auto strings = stage::ValueTypes::scalar(layer::ElementType::string);
  // All kinds of text.
  const auto texts = stage::ValueTypes::scalar_of<Token>();
  const layer::Value value = value_of(prim, names_.merge_group, documented() ? texts : strings);
  const auto text = value.text();
  if (!text) return std::nullopt;
  if (value.type() != layer::ElementType::string) {
    mismatch(prim, names_.merge_group, "its value is converted");
  }
  return std::string(*text);
}

// Every group of the stage with its own rule, for filtering.
void Reader::read_group_prims() {
  if (stage_.find_token(tokens::kCollisionGroup).empty()) return;
  for (const Prim prim : stage_.root().descendants()) {
    if (prim.is_root() || !prim.is_a(stage::SchemaType::physics_collision_group)) continue;
    CollisionGroupPrim group;
    group.path = prim.path().str();
    const std::optional<std::string> name = merge_group(prim);
    // openusd: one that is stated without a text of its type is an empty name.
    group.has_merge_group = name || (!documented() && !names_.merge_group.empty() &&
                                     prim.attribute(names_.merge_group.token));
    group.merge_group = name.value_or("");
    group.invert_filtered_groups = read(prim, names_.invert_filtered_groups, false);
    group.filtered_group_paths = targets(prim, names_.filtered_groups);
    model_.group_prims.push_back(std::move(group));
  }
}

void Reader::add_group(const Prim& prim) {
  CollisionGroup group;
  group.path = prim.path().str();
  group.invert_filtered_groups = read(prim, names_.invert_filtered_groups, false);
  group.filtered_group_paths = targets(prim, names_.filtered_groups);
  group.merge_group_name = merge_group(prim).value_or("");
  model_.collision_groups.push_back(std::move(group));
}

void Reader::finish_groups() {
  for (const Prim& prim : groups_) add_group(prim);
  merge_by_name(model_.collision_groups);
  std::unordered_map<Text, std::int32_t> index;
  std::int32_t next = 0;
  for (const CollisionGroup& group : model_.collision_groups) {
    index.try_emplace(group.path, next);
    for (const Text& path : group.merged_group_paths) index.try_emplace(path, next);
    ++next;
  }
  std::vector<std::pair<Prim, std::int32_t>> sources;
  for (const Prim& prim : groups_) {
    sources.emplace_back(prim, index.at(prim.path().str()));
  }
  GroupMembers members(sources, &diagnostics_);
  if (members.empty()) return;
  for (Shape& shape : model_.shapes) {
    if (shape.is_valid) list_groups(members.groups_of(shape.path), shape);
  }
}

// Enters the groups of a shape, by path.
void Reader::list_groups(std::vector<std::int32_t> groups, Shape& shape) const {
  const auto path_of = [&](std::int32_t group) -> const Text& {
    return at(model_.collision_groups, group).path;
  };
  sort_range(groups.begin(), groups.end(),
             [&](std::int32_t a, std::int32_t b) { return path_of(a) < path_of(b); });
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  for (const std::int32_t group : groups) shape.collision_group_paths.push_back(path_of(group));
  shape.collision_groups = std::move(groups);
}

}  // namespace sinew::physics
