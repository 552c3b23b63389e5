// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/export.hpp"

namespace sinew {

/// How much a diagnostic matters.
enum class Severity : std::uint8_t {
  info,     ///< Worth knowing; nothing was lost.
  warning,  ///< Something was ignored, replaced or read leniently.
  error,    ///< Something that was asked for could not be read or computed.
};

/// One thing worth telling about the input. Collected into a vector that the caller passes in;
/// the library prints nothing.
struct Diagnostic {
  Severity severity = Severity::warning;  ///< How much it matters.
  std::string code;                       ///< Stable identifier for tools, e.g. "usda-syntax".
  std::string message;                    ///< One sentence with the offending name or number.
  std::string file;                       ///< Identifier of the layer, empty if not tied to one.
  std::uint32_t line = 0;                 ///< 1-based, 0 without a position in a text.
  std::uint32_t column = 0;               ///< 1-based, in bytes; 0 without a position in a text.
  std::string path;                       ///< Prim or property path, empty if none applies.
  std::string excerpt;                    ///< The offending text, empty if none applies.
  std::string hint;  ///< What to do about it, empty if there is no good advice.
};

/// What callers pass in; functions append to it and never remove anything.
using Diagnostics = std::vector<Diagnostic>;

/// "info", "warning" or "error".
SINEW_API std::string_view to_string(Severity severity) noexcept;

/// One line as compilers print it, so that editors can jump there:
/// `FILE:LINE:COLUMN: error: </Prim/Path>: MESSAGE [code]`, or, without a position in a text,
/// `FILE: </Prim/Path>: warning: MESSAGE [code]`. No line break at the end.
SINEW_API std::string format(const Diagnostic& diagnostic);

/// Number of diagnostics of exactly this severity. O(n).
SINEW_API std::size_t count(std::span<const Diagnostic> diagnostics, Severity severity) noexcept;

}  // namespace sinew
