// SPDX-License-Identifier: Apache-2.0
#include "physics/read/group_members.hpp"

#include <string>

#include "geom/shared/expansion_rule.hpp"
#include "sinew/physics/tokens.hpp"
#include "sinew/stage/attribute.hpp"
#include "sinew/stage/stage.hpp"
#include "stage/shared/typed_value.hpp"

namespace sinew::physics {

namespace {

// Members are listed here, and an expansion rule that nobody knows lists none.
bool lists_members(const stage::Prim& prim) {
  const stage::Attribute rule = prim.attribute("collection:colliders:expansionRule");
  if (!rule) return true;
  const layer::Value value = rule.value({}, stage::tokens_read(prim.stage().rules()));
  return geom::expansion_rule(value.text().value_or("")) != geom::MembershipRule::unknown;
}

}  // namespace

GroupMembers::GroupMembers(std::span<const std::pair<stage::Prim, std::int32_t>> groups,
                           Diagnostics* diagnostics)
    : decided_(groups.size(), 0) {
  for (std::size_t source = 0; source < groups.size(); ++source) {
    const auto& [prim, group] = groups[source];
    stage_ = &prim.stage();
    geom::Collection collection = geom::Collection::read(prim, tokens::kColliders, diagnostics);
    for (const auto& [path, rule] : collection.rules()) {
      rules_[path].push_back({group, rule, source});
    }
    if (collection.expression().empty() || !lists_members(prim)) continue;
    expressions_.emplace_back(group, std::move(collection));
  }
}

void GroupMembers::apply_rules_at(std::string_view path, bool is_self,
                                  std::vector<std::int32_t>& groups) {
  const auto found = rules_.find(std::string(path));
  if (found == rules_.end()) return;
  for (const Rule& rule : found->second) {
    std::uint64_t& answered = decided_[rule.source];
    if (answered == question_) continue;  // A nearer rule of the same collection has decided.
    if (rule.rule == geom::MembershipRule::unknown) continue;  // Lists none.
    if (rule.rule == geom::MembershipRule::explicit_only && !is_self) continue;
    answered = question_;
    if (rule.rule != geom::MembershipRule::exclude) groups.push_back(rule.group);
  }
}

std::vector<std::int32_t> GroupMembers::groups_of(std::string_view path) {
  std::vector<std::int32_t> groups;
  ++question_;
  for (std::string_view at = path;;) {
    apply_rules_at(at, at.size() == path.size(), groups);
    if (at == "/") break;
    const std::size_t slash = at.rfind('/');
    at = slash == 0 ? std::string_view("/") : at.substr(0, slash);
  }
  if (expressions_.empty()) return groups;
  const stage::Prim prim = stage_->prim(path);
  for (const auto& [group, collection] : expressions_) {
    if (prim && collection.contains(prim)) groups.push_back(group);
  }
  return groups;
}

}  // namespace sinew::physics
