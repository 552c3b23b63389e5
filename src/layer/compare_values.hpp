// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "sinew/layer/list_op.hpp"
#include "sinew/layer/spline.hpp"

namespace sinew::layer {

/// Whether two numbers are equal or both NaN.
bool same_double(double a, double b) noexcept;

/// Whether two splines of an attribute of that type are the same, with defaults for what is not
/// stated.
bool same_splines(const Spline& a, const Spline& b, ElementType type) noexcept;

/// Whether two values of one metadata field are the same. Text keeps an unregistered field
/// as it is written, a binary file may have it with a type.
bool same_metadata(const Value& a, const Value& b) noexcept;

/// Whether custom data of references or knots is the same; an empty dictionary is none.
bool same_custom_data(const Value& a, const Value& b) noexcept;

template <typename T, typename Same>
bool same_list_ops(const ListOp<T>& a, const ListOp<T>& b, Same same) {
  const auto lists = [&](const std::vector<T>& x, const std::vector<T>& y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), same);
  };
  return a.is_explicit == b.is_explicit && lists(a.explicit_items, b.explicit_items) &&
         lists(a.deleted, b.deleted) && lists(a.added, b.added) &&
         lists(a.prepended, b.prepended) && lists(a.appended, b.appended) &&
         lists(a.ordered, b.ordered);
}

}  // namespace sinew::layer
