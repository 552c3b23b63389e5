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

/// Replaces one list of an operation. The last mode wins: edits drop an explicit list, and
/// vice versa.
template <typename T, typename Edit>
void set_list(ListOp<T>& op, Edit edit, std::vector<T> items) {
  const bool is_explicit = edit == Edit::explicit_;
  if (is_explicit != op.is_explicit) op = ListOp<T>();
  op.is_explicit = is_explicit;
  items_of(op, edit) = std::move(items);
}

/// The operation on values that an edit makes of one stated before; null: there is none.
template <typename Edit>
Value with_list(const Value* before, Edit edit, std::vector<Value> items) {
  ListOp<Value> op;
  if (before != nullptr && before->as_list_op() != nullptr) op = *before->as_list_op();
  set_list(op, edit, std::move(items));
  return Value::list_op(std::move(op));
}

/// An operation with items of another kind: `convert(items, out)` appends what they become.
template <typename To, typename From, typename Convert>
ListOp<To> convert_lists(const ListOp<From>& from, Convert&& convert) {
  ListOp<To> to;
  to.is_explicit = from.is_explicit;
  convert(from.explicit_items, to.explicit_items);
  convert(from.deleted, to.deleted);
  convert(from.added, to.added);
  convert(from.prepended, to.prepended);
  convert(from.appended, to.appended);
  convert(from.ordered, to.ordered);
  return to;
}

/// Whether any item occurs twice in a list.
template <typename T>
bool has_repeats(std::span<const T> items) {
  if (items.size() < 2) return false;
  const std::unordered_set<T> distinct(items.begin(), items.end());
  return distinct.size() != items.size();
}

}  // namespace sinew::layer
