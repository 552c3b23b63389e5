// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sinew/layer/value.hpp"

namespace sinew::stage {

/// The types of value that a read takes.
///
/// A read that wants certain types passes over opinions of any other: `int mass = 3` in a stronger
/// layer does not hide `float mass = 6` in a weaker one. Blocks count whatever is wanted, and so do
/// time samples and value clips: they hide what is weaker even if their values are of another type,
/// and the read then gives nothing.
class ValueTypes {
 public:
  /// Takes any value.
  static constexpr ValueTypes any() noexcept { return {~std::uint64_t{0}, ~std::uint64_t{0}}; }
  /// Scalars of one type.
  static constexpr ValueTypes scalar(layer::ElementType type) noexcept { return {bit(type), 0}; }
  /// Arrays of one element type.
  static constexpr ValueTypes array(layer::ElementType type) noexcept { return {0, bit(type)}; }
  /// All scalars that are stored as T: those that Value::get<T>() reads.
  template <typename T>
  static constexpr ValueTypes scalar_of() noexcept {
    return {stored_as<T>(), 0};
  }
  /// All arrays whose elements are stored as T.
  template <typename T>
  static constexpr ValueTypes array_of() noexcept {
    return {0, stored_as<T>()};
  }

  /// What either takes.
  constexpr friend ValueTypes operator|(ValueTypes a, ValueTypes b) noexcept {
    return {a.scalars_ | b.scalars_, a.arrays_ | b.arrays_};
  }
  /// Whether both take the same types.
  friend constexpr bool operator==(const ValueTypes&, const ValueTypes&) = default;

  /// Whether a value is of one of the types. An array edit is of the type of the array it makes.
  bool accept(const layer::Value& value) const noexcept {
    if (value.type() == layer::ElementType::array_edit) {
      return (arrays_ & bit(value.as_array_edit()->element)) != 0;
    }
    return ((value.is_array() ? arrays_ : scalars_) & bit(value.type())) != 0;
  }

 private:
  constexpr ValueTypes(std::uint64_t scalars, std::uint64_t arrays) noexcept
      : scalars_(scalars), arrays_(arrays) {}
  static constexpr std::uint64_t bit(layer::ElementType type) noexcept {
    return std::uint64_t{1} << static_cast<unsigned>(type);
  }
  template <typename T>
  static constexpr std::uint64_t stored_as() noexcept {
    std::uint64_t bits = 0;
    for (unsigned i = 0; i <= static_cast<unsigned>(kLast); ++i) {
      const auto type = static_cast<layer::ElementType>(i);
      if (layer::stores_as<T>(type)) bits |= bit(type);
    }
    return bits;
  }

  static constexpr layer::ElementType kLast = layer::ElementType::unregistered;
  static_assert(static_cast<unsigned>(kLast) < 64);

  std::uint64_t scalars_;
  std::uint64_t arrays_;
};

}  // namespace sinew::stage
