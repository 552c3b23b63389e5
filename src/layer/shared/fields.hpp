// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "sinew/layer/value_type.hpp"

namespace sinew::layer {

enum class SpecKind : std::uint8_t { layer, prim, attribute, relationship };

/// What a registered metadata field holds.
struct FieldType {
  enum class Shape : std::uint8_t {
    unknown,  ///< Not registered: kept as it is written.
    value,    ///< A value of `type`.
    dictionary,
    token_list_op,  ///< Tokens or strings.
    int64_list_op,
    not_metadata,  ///< The name of a structural field: an error where metadata is written.
  };
  Shape shape = Shape::unknown;
  ValueType type;
};

/// The type of the field `key` on a spec of that kind.
FieldType find_field_type(SpecKind kind, std::string_view key) noexcept;

/// Whether a spec of that kind has metadata `key`, of whatever syntax.
bool is_field(SpecKind kind, std::string_view key) noexcept;

/// The metadata of that kind of spec that `key`, which is unknown, may have been meant to be: one
/// that differs by a typing error or two. Empty if there is none.
std::string_view similar_field(SpecKind kind, std::string_view key) noexcept;

/// Whether `unit` may follow `displayUnit =`.
bool is_display_unit(std::string_view unit) noexcept;

}  // namespace sinew::layer
