// SPDX-License-Identifier: Apache-2.0
#include "usdc/inline_value.hpp"

#include <bit>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <limits>

#include "layer/shared/element_table.hpp"
#include "sinew/core/types.hpp"
#include "usdc/byte_reader.hpp"

namespace sinew::usdc {

namespace {

using layer::ElementType;

std::optional<std::uint32_t> of_double(double value) noexcept {
  if (!(std::abs(value) <= static_cast<double>(FLT_MAX))) return std::nullopt;
  const auto narrow = static_cast<float>(value);
  const auto back = static_cast<double>(narrow);
  if (std::bit_cast<std::uint64_t>(back) != std::bit_cast<std::uint64_t>(value)) {
    return std::nullopt;
  }
  return std::bit_cast<std::uint32_t>(narrow);
}

// A component as a signed byte, if it is one; -0.0 is not.
std::optional<std::int8_t> of_component(double value) noexcept {
  if (!(value >= -128.0 && value <= 127.0)) return std::nullopt;
  const auto whole = static_cast<std::int8_t>(value);
  const bool same = std::bit_cast<std::uint64_t>(static_cast<double>(whole)) ==
                    std::bit_cast<std::uint64_t>(value);
  return same ? std::optional(whole) : std::nullopt;
}

double component(ElementType type, std::span<const std::byte> bytes, std::size_t index) noexcept {
  switch (type) {
    case ElementType::int_:
      return static_cast<double>(load_element<std::int32_t>(bytes.data(), index));
    case ElementType::half:
      return static_cast<double>(static_cast<float>(load_element<Half>(bytes.data(), index)));
    case ElementType::float_:
      return static_cast<double>(load_element<float>(bytes.data(), index));
    default:
      return load_element<double>(bytes.data(), index);
  }
}

// Every `step`-th number as a byte; all others must be +0.0.
std::optional<std::uint32_t> of_components(ElementType type, std::span<const std::byte> bytes,
                                           std::size_t count, std::size_t step) noexcept {
  std::uint32_t packed = 0;
  int shift = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::optional<std::int8_t> byte = of_component(component(type, bytes, i));
    if (!byte) return std::nullopt;
    if (i % step != 0) {
      if (*byte != 0) return std::nullopt;
      continue;
    }
    packed |= static_cast<std::uint32_t>(static_cast<std::uint8_t>(*byte)) << shift;
    shift += 8;
  }
  return packed;
}

}  // namespace

std::optional<std::uint32_t> inline_value(ElementType type,
                                          std::span<const std::byte> bytes) noexcept {
  switch (type) {
    case ElementType::bool_:
      return load_element<bool>(bytes.data()) ? 1U : 0U;
    case ElementType::uchar:
      return load_element<std::uint8_t>(bytes.data());
    case ElementType::half:
      return load_element<std::uint16_t>(bytes.data());
    case ElementType::int_:
    case ElementType::uint:
    case ElementType::float_:
    case ElementType::half2:
      return load_element<std::uint32_t>(bytes.data());
    case ElementType::int64: {
      const auto value = load_element<std::int64_t>(bytes.data());
      const auto narrow = static_cast<std::int32_t>(value);
      return narrow == value ? std::optional(static_cast<std::uint32_t>(narrow)) : std::nullopt;
    }
    case ElementType::uint64: {
      const auto value = load_element<std::uint64_t>(bytes.data());
      const auto narrow = static_cast<std::uint32_t>(value);
      return narrow == value ? std::optional(narrow) : std::nullopt;
    }
    case ElementType::double_:
      return of_double(load_element<double>(bytes.data()));
    case ElementType::timecode:
    case ElementType::quath:
    case ElementType::quatf:
    case ElementType::quatd:
      return std::nullopt;
    default:
      break;
  }
  const layer::ElementInfo& info = layer::info_of(type);
  const std::size_t step = info.rows == 0 ? 1 : info.columns + 1;
  return of_components(info.component, bytes, info.numbers(), step);
}

}  // namespace sinew::usdc
