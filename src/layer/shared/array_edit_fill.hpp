// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "sinew/layer/value.hpp"

namespace sinew::layer {

/// Bytes that one size of an array edit may fill an array up to; larger ones do nothing to shorter
/// arrays. A size is a few letters of text.
inline constexpr std::uint64_t kMaxFill = std::uint64_t{64} << 20;

/// Whether an instruction makes arrays longer that are shorter than its size.
inline bool is_fill(const ArrayEdit& edit, const ArrayEdit::Instruction& instruction) noexcept {
  const bool grows =
      instruction.kind == ArrayEdit::Kind::min_size || instruction.kind == ArrayEdit::Kind::resize;
  return grows && element_size(edit.element) != 0 && instruction.index >= 0;
}

/// Whether an instruction is a fill that is not carried out, as kMaxFill is less.
inline bool fills_too_much(const ArrayEdit& edit,
                           const ArrayEdit::Instruction& instruction) noexcept {
  return is_fill(edit, instruction) &&
         static_cast<std::uint64_t>(instruction.index) > kMaxFill / element_size(edit.element);
}

/// The bytes that an instruction can fill an array up to, whatever array it is applied to.
inline std::uint64_t filled_bytes(const ArrayEdit& edit,
                                  const ArrayEdit::Instruction& instruction) noexcept {
  if (!is_fill(edit, instruction) || fills_too_much(edit, instruction)) return 0;
  return static_cast<std::uint64_t>(instruction.index) * element_size(edit.element);
}

/// The most that any instruction of an edit can fill an array up to.
inline std::uint64_t filled_bytes(const ArrayEdit& edit) noexcept {
  std::uint64_t most = 0;
  for (const ArrayEdit::Instruction& instruction : edit.instructions) {
    most = std::max(most, filled_bytes(edit, instruction));
  }
  return most;
}

}  // namespace sinew::layer
