// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "core/shown.hpp"
#include "sinew/core/diagnostic.hpp"
#include "sinew/core/result.hpp"

namespace sinew {

/// What a diagnostic is about, as far as it is known.
struct Subject {
  std::string_view file = {};
  std::uint32_t line = 0;      ///< 0: unknown.
  std::string_view path = {};  ///< Of a prim or property.
};

/// The most that a diagnostic says of a path or by a message, in bytes: a name of a megabyte would
/// be repeated for each of its prims.
inline constexpr std::size_t kMostOfPath = 1000;
inline constexpr std::size_t kMostOfMessage = 4000;

/// Adds a diagnostic; null: not reported. Long texts are shortened. Where a stage is at hand,
/// stage::Reporter finds the place in the file.
inline void report(Diagnostics* diagnostics, Severity severity, std::string_view code,
                   const Subject& subject, std::string message, std::string_view hint = {}) {
  if (diagnostics == nullptr) return;
  Diagnostic& diagnostic = diagnostics->emplace_back();
  diagnostic.severity = severity;
  diagnostic.code = code;
  diagnostic.message =
      message.size() > kMostOfMessage ? shortened(message, kMostOfMessage) : std::move(message);
  diagnostic.file = subject.file;
  diagnostic.line = subject.line;
  diagnostic.column = subject.line > 0 ? 1 : 0;
  diagnostic.path = shortened(subject.path, kMostOfPath);
  diagnostic.hint = hint;
}

/// A message as a sentence: with a capital letter, unless it begins with a quote or the name of an
/// attribute, and a full stop.
inline std::string sentence(std::string message) {
  const std::size_t word = message.find_first_not_of("abcdefghijklmnopqrstuvwxyz");
  if (word != 0 && word != std::string::npos && (message[word] == ' ' || message[word] == ',')) {
    message[0] = static_cast<char>(message[0] - 'a' + 'A');
  }
  if (!message.ends_with('.')) message += '.';
  return message;
}

/// The message of an error for use within a sentence: without its full stop.
inline std::string_view inside_sentence(const Error& error) noexcept {
  std::string_view message = error.message;
  if (message.ends_with('.')) message.remove_suffix(1);
  return message;
}

}  // namespace sinew
