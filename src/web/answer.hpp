// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "sinew/core/result.hpp"

namespace sinew::web {

/// How a call ended.
enum class AnswerStatus : std::uint32_t {
  ok = 0,      ///< `data` is what was asked for, or nothing was.
  failed = 1,  ///< `data` is the JSON text of the error.
};

/// What the functions of the interface write into memory that JavaScript gave them: the layout is
/// known on both sides.
struct Answer {
  AnswerStatus status = AnswerStatus::ok;
  std::uint32_t data = 0;       ///< Address of the first byte.
  std::uint32_t size = 0;       ///< Bytes.
  std::uint32_t kind = 0;       ///< NumberKind of an array; otherwise as the function says.
  std::uint32_t more = 0;       ///< Address of a second array, where the function has one.
  std::uint32_t more_size = 0;  ///< Its bytes.

  /// A copy of a text or of bytes, which JavaScript frees.
  void give(std::string_view text);
  /// A view of memory that stays where it is; how long, the function says.
  template <typename T>
  void show(std::span<const T> items) {
    data = address(items.data());
    size = static_cast<std::uint32_t>(items.size_bytes());
  }
  /// A second view.
  template <typename T>
  void show_more(std::span<const T> items) {
    more = address(items.data());
    more_size = static_cast<std::uint32_t>(items.size_bytes());
  }
  /// The error as JSON: code, message, line, column, and the file if it is known.
  void fail(const Error& error, std::string_view file = {});

 private:
  static std::uint32_t address(const void* pointer) {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(pointer));
  }
};

}  // namespace sinew::web
