// SPDX-License-Identifier: Apache-2.0
// Uses every value of a layer, so that nothing in it still waits to be unpacked.
#pragma once

#include <cstddef>
#include <span>

#include "sinew/layer/layer.hpp"

namespace sinew::test {}

/// Beside what all tests share.
namespace sinew::usdc::test {
using namespace sinew::test;

/// The bytes of all arrays and scalars in a value.
inline std::size_t use(const layer::Value& value) {
  std::size_t bytes = value.bytes().size();
  if (const layer::Dictionary* const entries = value.as_dictionary()) {
    for (const layer::DictionaryEntry& entry : *entries) bytes += use(entry.value);
  }
  if (const layer::ListOp<layer::Value>* const op = value.as_list_op()) {
    for (const auto* items : {&op->explicit_items, &op->deleted, &op->added, &op->prepended,
                              &op->appended, &op->ordered}) {
      for (const layer::Value& item : *items) bytes += use(item);
    }
  }
  if (const layer::ArrayEdit* const edit = value.as_array_edit()) {
    for (const auto& instruction : edit->instructions) bytes += use(instruction.literal);
  }
  return bytes;
}

inline std::size_t use(std::span<const layer::Field> fields) {
  std::size_t bytes = 0;
  for (const layer::Field& field : fields) bytes += use(field.value);
  return bytes;
}

inline std::size_t use(const layer::PropertySpec& property) {
  std::size_t bytes = use(property.default_value) + use(property.fields);
  if (const layer::TimeSamples* const samples = property.time_samples()) {
    for (const layer::Value& value : samples->values) bytes += use(value);
  }
  if (const layer::Spline* const spline = property.spline()) {
    for (const layer::Spline::Knot& knot : spline->knots) bytes += use(knot.custom_data);
  }
  return bytes;
}

inline std::size_t use(const layer::ListOp<layer::Reference>& references) {
  std::size_t bytes = 0;
  for (const auto* items : {&references.explicit_items, &references.deleted, &references.added,
                            &references.prepended, &references.appended, &references.ordered}) {
    for (const layer::Reference& reference : *items) bytes += use(reference.custom_data);
  }
  return bytes;
}

/// Prims nest no deeper than a reader lets them.
inline std::size_t use(const layer::PrimSpec& prim) {
  std::size_t bytes = use(prim.fields);
  for (const layer::PropertySpec& property : prim.properties) bytes += use(property);
  for (const layer::PrimSpec* const child : prim.children) bytes += use(*child);
  if (prim.extra == nullptr) return bytes;
  bytes += use(prim.extra->references) + use(prim.extra->payloads);
  for (const layer::VariantSetSpec& set : prim.extra->variant_sets) {
    for (const layer::VariantSpec& variant : set.variants) bytes += use(*variant.prim);
  }
  return bytes;
}

}  // namespace sinew::usdc::test
