// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sinew/layer/list_op.hpp"
#include "sinew/layer/value.hpp"
#include "sinew/layer/value_type.hpp"
#include "usdc/format.hpp"

namespace sinew::usdc {

/// A value representation, taken apart.
struct Representation {
  std::uint64_t bits = 0;

  Type type() const noexcept { return static_cast<Type>((bits >> kTypeShift) & 0xFF); }
  std::uint64_t payload() const noexcept { return bits & kPayloadMask; }
  std::uint32_t inlined() const noexcept { return static_cast<std::uint32_t>(bits); }
  bool is_array() const noexcept { return (bits & kArrayBit) != 0; }
  bool is_inlined() const noexcept { return (bits & kInlineBit) != 0; }
  bool is_compressed() const noexcept { return (bits & kCompressedBit) != 0; }
  bool is_array_edit() const noexcept { return (bits & kArrayEditBit) != 0; }
  /// No bits are set that mean nothing.
  bool is_sound() const noexcept { return ((bits >> 56) & 0xF) == 0; }
};

/// How the values of a type are stored in a file.
struct TypeInfo {
  enum class Form : std::uint8_t {
    invalid,
    plain,      ///< The bytes that a Value has.
    text,       ///< An index of a text.
    composite,  ///< Something of its own.
  };
  Form form = Form::invalid;
  bool is_always_inlined = false;
  layer::ElementType element = layer::ElementType::none;  ///< Of plain and text.
  std::uint8_t stored_bytes = 0;                          ///< Of a value by itself or in an array.
  std::string_view name;                                  ///< As declared in text.

  bool may_be_array() const noexcept { return form == Form::plain || form == Form::text; }
};

const TypeInfo& info_of(Type type) noexcept;

/// Whether the payload of a value is where it lies: others are held in the representation.
bool has_offset(Representation rep) noexcept;

/// Whether arrays of the type are compressed as integers, and as floating-point numbers.
bool packs_as_integers(Type type) noexcept;
bool packs_as_floats(Type type) noexcept;

/// Whether `visit` holds for every item of an operation.
template <typename T, typename Visit>
bool all_items(const layer::ListOp<T>& op, Visit visit) {
  for (const auto* list :
       {&op.explicit_items, &op.deleted, &op.added, &op.prepended, &op.appended, &op.ordered}) {
    if (!std::all_of(list->begin(), list->end(), visit)) return false;
  }
  return true;
}

/// Whether dictionaries may hold a value: lists of edits only if they are of what is unregistered,
/// array edits and animation blocks not.
bool may_be_entry(const layer::Value& value) noexcept;

/// Whether attributes may have a value at a time: dictionaries and lists of edits are none.
bool may_be_sample(const layer::Value& value) noexcept;

/// What the address of an array has to be a multiple of for Value::as_array().
std::size_t alignment_of(layer::ElementType element) noexcept;

}  // namespace sinew::usdc
