// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace sinew::layer {

/// An edit of a list by one opinion: either a whole list, or items to delete, add and reorder.
/// Lists of several opinions combine by apply_list_op() from the weakest to the strongest.
template <typename T>
struct ListOp {
  bool is_explicit = false;       ///< The list is `explicit_items`, possibly empty; no edits.
  std::vector<T> explicit_items;  ///< The whole list, if is_explicit.
  std::vector<T> deleted;         ///< Taken out of the weaker list.
  std::vector<T> added;           ///< Appended where absent; a legacy form of `appended`.
  std::vector<T> prepended;       ///< Put to the front, in this order.
  std::vector<T> appended;        ///< Put to the end, in this order.
  std::vector<T> ordered;  ///< The order that those of them get that are there; adds nothing.

  /// No opinion at all.
  bool empty() const noexcept {
    return !is_explicit && deleted.empty() && added.empty() && prepended.empty() &&
           appended.empty() && ordered.empty();
  }

  /// Whether both say the same in the same order.
  friend bool operator==(const ListOp&, const ListOp&) = default;
};

/// Applies `op` to the list composed from weaker opinions.
///
/// Explicit: the result is its items. Otherwise, in this order: deleted items go; added ones are
/// appended where absent; prepended ones move or come to the front and appended ones to the end,
/// each keeping their order; then the items of `ordered` that are present follow in that order,
/// each carrying the unordered items that directly followed it. Repeats inside one list count
/// once: the first of explicit and prepended ones, the last of appended ones.
/// @par Cost  O(n + m) expected for n items and m edits. T needs == and std::hash.
template <typename T>
void apply_list_op(const ListOp<T>& op, std::vector<T>& items);

namespace detail {

template <typename T>
void apply_order(const std::vector<T>& order, std::vector<T>& items) {
  std::unordered_map<T, std::size_t> rank;
  for (const T& item : order) rank.try_emplace(item, rank.size());
  // Each ordered item that is present leads the run of unordered items that follows it.
  std::vector<std::vector<T>> runs(rank.size());
  std::vector<T> result;
  std::vector<T>* run = &result;
  for (T& item : items) {
    const auto found = rank.find(item);
    if (found != rank.end()) run = &runs[found->second];
    run->push_back(std::move(item));
  }
  for (std::vector<T>& moved : runs) {
    for (T& item : moved) result.push_back(std::move(item));
  }
  items = std::move(result);
}

}  // namespace detail

template <typename T>
void apply_list_op(const ListOp<T>& op, std::vector<T>& items) {
  if (op.is_explicit && op.explicit_items.size() <= 1) {  // Most lists are one item.
    items = op.explicit_items;
    return;
  }
  std::unordered_set<T> seen;
  if (op.is_explicit) {
    items.clear();
    for (const T& item : op.explicit_items) {
      if (seen.insert(item).second) items.push_back(item);
    }
    return;
  }
  if (!op.deleted.empty()) {
    seen.insert(op.deleted.begin(), op.deleted.end());
    std::erase_if(items, [&](const T& item) { return seen.contains(item); });
  }
  if (!op.added.empty()) {
    seen.clear();
    seen.insert(items.begin(), items.end());
    for (const T& item : op.added) {
      if (seen.insert(item).second) items.push_back(item);
    }
  }
  if (!op.prepended.empty()) {
    seen.clear();
    std::vector<T> result;
    for (const T& item : op.prepended) {
      if (seen.insert(item).second) result.push_back(item);
    }
    for (T& item : items) {
      if (!seen.contains(item)) result.push_back(std::move(item));
    }
    items = std::move(result);
  }
  if (!op.appended.empty()) {
    seen.clear();
    std::vector<T> tail;  // Built backwards, because the last of repeated items counts.
    for (auto item = op.appended.rbegin(); item != op.appended.rend(); ++item) {
      if (seen.insert(*item).second) tail.push_back(*item);
    }
    std::erase_if(items, [&](const T& item) { return seen.contains(item); });
    for (auto item = tail.rbegin(); item != tail.rend(); ++item) items.push_back(std::move(*item));
  }
  if (!op.ordered.empty()) detail::apply_order(op.ordered, items);
}

}  // namespace sinew::layer
