// SPDX-License-Identifier: Apache-2.0
// Collision groups: merging as the parsing utilities report it, and who is a member.
#include <algorithm>
#include <unordered_map>

#include "physics/reader.hpp"
#include "sinew/geom/collections.hpp"

namespace sinew::physics {

using stage::Prim;

namespace {

// What one group says about one path, for looking up members from the shape's side.
struct GroupRule {
  std::int32_t group;
  geom::MembershipRule rule;
  std::int32_t source;  // The group prim whose collection it is: rules of others do not mix.
};

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
  if (stage_.find_token("PhysicsCollisionGroup").empty()) return;
  for (const Prim prim : stage_.root().descendants()) {
    if (prim.is_root() || !prim.is_a(stage::SchemaType::physics_collision_group)) continue;
    CollisionGroupPrim group;
    group.path = prim.path().str();
    if (auto name = merge_group(prim)) {
      group.has_merge_group = true;
      group.merge_group = *std::move(name);
    }
    group.invert_filtered_groups = read(prim, names_.invert_filtered_groups, false);
    group.filtered_groups = targets(prim, names_.filtered_groups);
    model_.group_prims.push_back(std::move(group));
  }
}

void Reader::add_group(const Prim& prim) {
  CollisionGroup group;
  group.path = prim.path().str();
  group.invert_filtered_groups = read(prim, names_.invert_filtered_groups, false);
  group.filtered_groups = targets(prim, names_.filtered_groups);
  group.merge_group_name = merge_group(prim).value_or("");
  model_.collision_groups.push_back(std::move(group));
}

void Reader::finish_groups() {
  std::unordered_map<std::string, std::int32_t> group_prim_index;
  for (const Prim& prim : groups_) {
    group_prim_index.emplace(prim.path().str(), static_cast<std::int32_t>(group_prim_index.size()));
    add_group(prim);
  }
  // Groups of equal name become one; the last element moves into the gap that is left.
  std::vector<CollisionGroup>& groups = model_.collision_groups;
  std::unordered_map<Text, std::size_t> by_name;
  std::unordered_map<Text, Text> representative;
  for (std::size_t i = 0; i < groups.size();) {
    CollisionGroup& group = groups[i];
    if (group.merge_group_name.empty()) {
      representative[group.path] = group.path;
      ++i;
      continue;
    }
    const auto [found, added] = by_name.try_emplace(group.merge_group_name, i);
    representative[group.path] = groups[found->second].path;
    if (added) {
      group.merged_groups = {group.path};
      ++i;
      continue;
    }
    CollisionGroup& first = groups[found->second];
    first.merged_groups.push_back(group.path);
    first.filtered_groups.insert(first.filtered_groups.end(), group.filtered_groups.begin(),
                                 group.filtered_groups.end());
    if (i + 1 != groups.size()) groups[i] = std::move(groups.back());
    groups.pop_back();
  }

  std::unordered_map<Text, std::int32_t> index;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    index.emplace(groups[i].path, static_cast<std::int32_t>(i));
  }
  // Rules of all groups by path, so that a shape asks once per ancestor and not once per group.
  std::unordered_map<std::string, std::vector<GroupRule>> rules;
  std::vector<std::pair<std::int32_t, geom::Collection>> expressions;
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    const std::int32_t group = index.at(representative.at(groups_[i].path().str()));
    geom::Collection collection = geom::Collection::read(groups_[i], "colliders", &diagnostics_);
    for (const auto& [path, rule] : collection.rules()) {
      rules[path].push_back({group, rule, static_cast<std::int32_t>(i)});
    }
    if (!collection.expression().empty()) expressions.emplace_back(group, std::move(collection));
  }
  if (rules.empty() && expressions.empty()) return;
  std::vector<std::int32_t> decided(groups_.size(), -1);
  for (std::size_t s = 0; s < model_.shapes.size(); ++s) {
    Shape& shape = model_.shapes[s];
    if (!shape.is_valid) continue;
    const auto stamp = static_cast<std::int32_t>(s);
    std::vector<std::int32_t> members;
    std::string_view path = shape.path;
    bool self = true;
    for (;;) {
      const auto found = rules.find(std::string(path));
      if (found != rules.end()) {
        for (const GroupRule& rule : found->second) {
          std::int32_t& seen = decided[static_cast<std::size_t>(rule.source)];
          if (seen == stamp) continue;  // A nearer rule of the same collection has decided.
          // Members are listed here, and a rule that nobody knows lists none.
          if (rule.rule == geom::MembershipRule::unknown) continue;
          if (rule.rule == geom::MembershipRule::explicit_only && !self) continue;
          seen = stamp;
          if (rule.rule != geom::MembershipRule::exclude) members.push_back(rule.group);
        }
      }
      if (path == "/") break;
      const std::size_t slash = path.rfind('/');
      path = slash == 0 ? std::string_view("/") : path.substr(0, slash);
      self = false;
    }
    const layer::Path whole = layer::Path::from_trusted(shape.path.str());
    for (const auto& [group, collection] : expressions) {
      if (collection.contains(whole)) members.push_back(group);
    }
    std::sort(members.begin(), members.end(), [&](std::int32_t a, std::int32_t b) {
      return groups[static_cast<std::size_t>(a)].path < groups[static_cast<std::size_t>(b)].path;
    });
    members.erase(std::unique(members.begin(), members.end()), members.end());
    for (const std::int32_t group : members) {
      shape.collision_groups.push_back(groups[static_cast<std::size_t>(group)].path);
    }
    shape.collision_group_indices = std::move(members);
  }
}

}  // namespace sinew::physics
