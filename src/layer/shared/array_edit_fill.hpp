// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "sinew/layer/value.hpp"

namespace sinew::layer {

/// Bytes that one size of an array edit may fill an array up to; larger ones do nothing to shorter
/// arrays. A size is a few letters of text.
inline constexpr std::uint64_t kMaxFill = std::uint64_t{64} << 20;

/// The bytes that an instruction can fill an array up to, whatever array it is applied to.
inline std::uint64_t filled_bytes(const ArrayEdit& edit,
                                  const ArrayEdit::Instruction& instruction) noexcept {
  const bool fills =
      instruction.kind == ArrayEdit::Kind::min_size || instruction.kind == ArrayEdit::Kind::resize;
  const std::uint64_t size = element_size(edit.element);
  if (!fills || size == 0 || instruction.index < 0) return 0;
  const auto count = static_cast<std::uint64_t>(instruction.index);
  return count <= kMaxFill / size ? count * size : 0;
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
