// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace sinew::layer {

/// An edit of a list by one opinion: either a whole list, or items to delete, add and reorder.
/// Lists of several opinions combine by apply_list_op() from the weakest to the strongest.
template <typename T>
struct ListOp {
  bool is_explicit = false;  ///< The list is `explicit_items`, possibly empty; no edits.
  std::vector<T> explicit_items;
  std::vector<T> deleted;
  std::vector<T> added;  ///< Appended where absent; a legacy form of `appended`.
  std::vector<T> prepended;
  std::vector<T> appended;
  std::vector<T> ordered;

  /// No opinion at all.
  bool empty() const noexcept {
    return !is_explicit && deleted.empty() && added.empty() && prepended.empty() &&
           appended.empty() && ordered.empty();
  }

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

}  // namespace sinew::layer

#include "sinew/layer/list_op.inl"  // IWYU pragma: export
