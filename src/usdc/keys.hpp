// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "layer/shared/fields.hpp"

namespace sinew::usdc {

/// What the names of fields stand for. All but `other` are structural on every kind of spec, where
/// they mean something and where they do not.
enum class Key : std::uint8_t {
  unknown,  ///< Not looked up yet.
  other,    ///< Metadata.
  ignored,
  specifier,
  type_name,
  custom,
  variability,
  default_value,
  time_samples,
  spline,
  connection_paths,
  target_paths,
  references,
  payload,
  inherit_paths,
  specializes,
  variant_set_names,
  variant_selection,
  prim_order,
  property_order,
  sub_layers,
  sub_layer_offsets,
  layer_relocates,
  prim_children,
  properties,
  variant_set_children,
  variant_children,
};

/// The key of a field of that name; never `unknown`.
Key find_key(std::string_view name) noexcept;

/// What metadata of that name holds: as it is registered, or of what text has a syntax of its own
/// for.
layer::FieldType find_metadata_type(layer::SpecKind kind, std::string_view key) noexcept;

}  // namespace sinew::usdc
