// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sinew/geom/collections.hpp"
#include "sinew/stage/prim.hpp"

namespace sinew::physics {

/// Finds the collision groups that a prim is a member of. The rules of all groups are kept by path,
/// so that a prim asks once per ancestor and not once per group.
class GroupMembers {
 public:
  /// @param groups  The group prims, each with the index under which members are to be listed.
  GroupMembers(std::span<const std::pair<stage::Prim, std::int32_t>> groups,
               Diagnostics* diagnostics);

  /// Whether no group can have any member.
  bool empty() const noexcept { return rules_.empty() && expressions_.empty(); }

  /// The groups of the prim at `path`, in no order, repeated if several of their prims list it.
  std::vector<std::int32_t> groups_of(std::string_view path);

 private:
  // What one group says about one path.
  struct Rule {
    std::int32_t group;
    geom::MembershipRule rule;
    std::size_t source;  // The prim whose collection it is: rules of others do not mix.
  };

  void apply_rules_at(std::string_view path, bool is_self, std::vector<std::int32_t>& groups);

  std::unordered_map<std::string, std::vector<Rule>> rules_;
  std::vector<std::pair<std::int32_t, geom::Collection>> expressions_;
  const stage::Stage* stage_ = nullptr;  // Null without groups.
  std::vector<std::uint64_t> decided_;   // By source: the last question that it has answered.
  std::uint64_t question_ = 0;
};

}  // namespace sinew::physics
