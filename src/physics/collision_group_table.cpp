// SPDX-License-Identifier: Apache-2.0
#include "sinew/physics/collision_group_table.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "core/report.hpp"
#include "core/sort.hpp"
#include "physics/collision_group_impl.hpp"
#include "physics/shared/indexed.hpp"

namespace sinew::physics {
namespace {

using Pair = std::pair<std::uint32_t, std::uint32_t>;

// Pairs grouped by their first member.
class Rows {
 public:
  Rows(std::vector<Pair> pairs, std::size_t count)
      : pairs_(std::move(pairs)), first_(count + 1, 0) {
    sort_range(pairs_.begin(), pairs_.end());
    pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
    for (const Pair& pair : pairs_) ++first_[pair.first + 1];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
  }
  std::span<const Pair> row(std::uint32_t i) const {
    return std::span(pairs_).subspan(first_[i], first_[i + 1] - first_[i]);
  }

 private:
  std::vector<Pair> pairs_;
  std::vector<std::size_t> first_;
};

// Merge ids in the order in which they are first seen.
std::uint32_t assign_ids(std::span<const CollisionGroupPrim> groups,
                         std::vector<std::uint32_t>& ids) {
  std::map<std::string_view, std::uint32_t> named;
  std::uint32_t count = 0;
  ids.reserve(groups.size());
  for (const CollisionGroupPrim& group : groups) {
    std::uint32_t id = count;
    if (group.has_merge_group) id = named.try_emplace(group.merge_group, count).first->second;
    if (id == count) ++count;
    ids.push_back(id);
  }
  return count;
}

}  // namespace

CollisionGroupTable CollisionGroupTable::build(std::span<const CollisionGroupPrim> groups,
                                               Diagnostics& diagnostics) {
  auto made = std::make_shared<Impl>();
  Impl& table = *made;
  table.paths.reserve(groups.size());
  for (const CollisionGroupPrim& group : groups) table.paths.push_back(group.path);
  table.by_path.resize(groups.size());
  std::iota(table.by_path.begin(), table.by_path.end(), 0U);
  stable_sort_range(
      table.by_path.begin(), table.by_path.end(),
      [&](std::uint32_t a, std::uint32_t b) { return groups[a].path < groups[b].path; });
  const std::uint32_t id_count = assign_ids(groups, table.ids);
  table.flags.assign(id_count, 0);

  std::vector<std::uint32_t> inverted_groups(id_count, 0);
  std::vector<Pair> listed;  // (inverted id, listed id), once per inverted group of the id.
  std::vector<std::uint32_t> targets;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const CollisionGroupPrim& group = groups[i];
    targets.clear();
    for (const Text& path : group.filtered_group_paths) {
      const std::int32_t target = table.find(path);
      if (target != kNone) {
        targets.push_back(at(table.ids, target));
      } else {
        report(&diagnostics, Severity::warning, "physics-unknown-filter-target",
               {.path = group.path},
               "physics:filteredGroups names " + path.str() +
                   ", which is not a collision group of the stage; inactive ones, classes and "
                   "those below an instance are none.");
      }
    }
    sort_range(targets.begin(), targets.end());
    targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
    const std::uint32_t id = table.ids[i];
    if (group.invert_filtered_groups) {
      table.flags[id] |= Impl::kInverted;
      ++inverted_groups[id];
      for (const std::uint32_t target : targets) listed.emplace_back(id, target);
      continue;
    }
    for (const std::uint32_t target : targets) {
      table.flags[id] |= Impl::kFilters;
      table.flags[target] |= Impl::kFiltered;
      table.filter_pairs.emplace_back(id, target);
      table.filtered.insert(id, target);
    }
  }
  // What every inverted group of an id lists is what the id lets through.
  sort_range(listed.begin(), listed.end());
  for (auto from = listed.begin(); from != listed.end();) {
    const auto to = std::upper_bound(from, listed.end(), *from);
    if (to - from == static_cast<std::ptrdiff_t>(inverted_groups[from->first])) {
      table.allowed.insert(from->first, from->second);
    }
    from = to;
  }
  CollisionGroupTable result;
  result.impl_ = std::move(made);
  return result;
}

std::int32_t CollisionGroupTable::Impl::find(std::string_view path) const noexcept {
  const auto found =
      std::lower_bound(by_path.begin(), by_path.end(), path,
                       [&](std::uint32_t a, std::string_view p) { return paths[a] < p; });
  if (found == by_path.end() || paths[*found] != path) return kNone;
  return static_cast<std::int32_t>(*found);
}

std::span<const Text> CollisionGroupTable::group_paths() const noexcept {
  if (impl_ == nullptr) return {};
  return impl_->paths;
}

std::int32_t CollisionGroupTable::find(std::string_view path) const noexcept {
  return impl_ == nullptr ? kNone : impl_->find(path);
}

bool CollisionGroupTable::enabled(std::size_t group_a, std::size_t group_b) const noexcept {
  const std::size_t count = group_paths().size();
  if (group_a >= count || group_b >= count) return true;
  return impl_->ids_enabled(impl_->ids[group_a], impl_->ids[group_b]);
}

bool CollisionGroupTable::enabled(std::string_view group_a,
                                  std::string_view group_b) const noexcept {
  const std::int32_t a = find(group_a);
  const std::int32_t b = find(group_b);
  return a == kNone || b == kNone ||
         enabled(static_cast<std::size_t>(a), static_cast<std::size_t>(b));
}

std::vector<Pair> CollisionGroupTable::disabled_pairs(std::size_t max_pairs) const {
  if (impl_ == nullptr) return {};
  const Impl& table = *impl_;
  const std::size_t id_total = table.flags.size();
  std::vector<Pair> reversed = table.filter_pairs;
  for (Pair& pair : reversed) std::swap(pair.first, pair.second);
  const Rows filtered(table.filter_pairs, id_total);
  const Rows filtered_by(std::move(reversed), id_total);
  std::vector<Pair> members;
  members.reserve(table.ids.size());
  for (std::uint32_t i = 0; i < table.ids.size(); ++i) members.emplace_back(table.ids[i], i);
  const Rows groups_of(std::move(members), id_total);
  std::vector<std::uint32_t> inverted;
  for (std::uint32_t id = 0; id < id_total; ++id) {
    if ((table.flags[id] & Impl::kInverted) != 0) inverted.push_back(id);
  }

  std::vector<Pair> result;
  std::vector<std::uint32_t> others;
  for (std::uint32_t i = 0; i < table.ids.size() && result.size() < max_pairs; ++i) {
    const std::uint32_t id = table.ids[i];
    others.clear();
    for (const Pair& pair : filtered.row(id)) others.push_back(pair.second);
    for (const Pair& pair : filtered_by.row(id)) others.push_back(pair.second);
    for (const std::uint32_t x : inverted) {
      if (!table.allowed.contains(x, id)) others.push_back(x);
    }
    if ((table.flags[id] & Impl::kInverted) != 0) {
      for (std::uint32_t x = 0; x < id_total; ++x) {
        if (!table.allowed.contains(id, x)) others.push_back(x);
      }
    }
    sort_range(others.begin(), others.end());
    others.erase(std::unique(others.begin(), others.end()), others.end());
    const std::size_t row_start = result.size();
    for (const std::uint32_t other : others) {
      for (const Pair& member : groups_of.row(other)) {
        if (member.second >= i) result.emplace_back(i, member.second);
      }
    }
    sort_range(result.begin() + static_cast<std::ptrdiff_t>(row_start), result.end());
  }
  if (result.size() > max_pairs) result.resize(max_pairs);
  return result;
}

}  // namespace sinew::physics
