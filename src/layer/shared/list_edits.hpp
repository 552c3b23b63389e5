// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

#include "sinew/layer/layer.hpp"

namespace sinew::layer {

/// The list of an operation that an edit states.
template <typename T, typename Edit>
std::vector<T>& items_of(ListOp<T>& op, Edit edit) {
  switch (edit) {
    case Edit::add:
      return op.added;
    case Edit::delete_:
      return op.deleted;
    case Edit::append:
      return op.appended;
    case Edit::prepend:
      return op.prepended;
    case Edit::reorder:
      return op.ordered;
    default:
      return op.explicit_items;
  }
}

/// Replaces one list of an operation. The last mode wins: edits drop an explicit list, and the
/// other way round.
template <typename T, typename Edit>
void set_list(ListOp<T>& op, Edit edit, std::vector<T> items) {
  const bool is_explicit = edit == Edit::explicit_;
  if (is_explicit != op.is_explicit) op = ListOp<T>();
  op.is_explicit = is_explicit;
  items_of(op, edit) = std::move(items);
}

/// Whether any item stands in a list twice.
template <typename T>
bool has_repeats(std::span<const T> items) {
  if (items.size() < 2) return false;
  const std::unordered_set<T> distinct(items.begin(), items.end());
  return distinct.size() != items.size();
}

}  // namespace sinew::layer
