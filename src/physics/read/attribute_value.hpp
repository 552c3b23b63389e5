// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "sinew/core/rules.hpp"
#include "sinew/layer/value.hpp"
#include "sinew/stage/attribute.hpp"
#include "sinew/stage/value_types.hpp"

namespace sinew::physics {

/// The default of an attribute as the schema's type T, and what came in the way of it.
template <typename T>
struct AttributeValue {
  std::optional<T> value;   ///< Nothing: the schema's fallback holds.
  bool mismatched = false;  ///< A value of another type is authored...
  bool converted = false;   ///< ...and was converted to T.
};

/// Reads a value that should be a T. Under Rules::documented numbers of another precision convert;
/// under Rules::openusd they count as not authored. T is bool, float, double, Vector3f or Quatf.
template <typename T>
AttributeValue<T> value_as(const layer::Value& value, Rules rules);

/// The types of value that value_as<T>() reads.
template <typename T>
stage::ValueTypes readable_types(Rules rules) noexcept;

extern template AttributeValue<bool> value_as(const layer::Value&, Rules);
extern template AttributeValue<float> value_as(const layer::Value&, Rules);
extern template AttributeValue<double> value_as(const layer::Value&, Rules);
extern template AttributeValue<Vector3f> value_as(const layer::Value&, Rules);
extern template AttributeValue<Quatf> value_as(const layer::Value&, Rules);

extern template stage::ValueTypes readable_types<bool>(Rules) noexcept;
extern template stage::ValueTypes readable_types<float>(Rules) noexcept;
extern template stage::ValueTypes readable_types<double>(Rules) noexcept;
extern template stage::ValueTypes readable_types<Vector3f>(Rules) noexcept;
extern template stage::ValueTypes readable_types<Quatf>(Rules) noexcept;

}  // namespace sinew::physics
