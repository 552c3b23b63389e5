// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/diagnostic.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sinew {

std::string_view to_string(Severity severity) noexcept {
  switch (severity) {
    case Severity::info:
      return "info";
    case Severity::warning:
      return "warning";
    case Severity::error:
      return "error";
  }
  return "unknown";
}

std::string format(const Diagnostic& diagnostic) {
  std::string out = diagnostic.file;
  if (diagnostic.line != 0) {
    fmt::format_to(std::back_inserter(out), "{}{}", out.empty() ? "" : ":", diagnostic.line);
    if (diagnostic.column != 0) {
      fmt::format_to(std::back_inserter(out), ":{}", diagnostic.column);
    }
  } else if (!diagnostic.path.empty()) {
    fmt::format_to(std::back_inserter(out), "{}<{}>", out.empty() ? "" : ": ", diagnostic.path);
  }
  fmt::format_to(std::back_inserter(out), "{}{}: ", out.empty() ? "" : ": ",
                 to_string(diagnostic.severity));
  if (diagnostic.line != 0 && !diagnostic.path.empty()) {
    fmt::format_to(std::back_inserter(out), "<{}>: ", diagnostic.path);
  }
  out += diagnostic.message;
  if (!diagnostic.hint.empty()) fmt::format_to(std::back_inserter(out), " ({})", diagnostic.hint);
  if (!diagnostic.code.empty()) fmt::format_to(std::back_inserter(out), " [{}]", diagnostic.code);
  return out;
}

std::size_t count(std::span<const Diagnostic> diagnostics, Severity severity) noexcept {
  return static_cast<std::size_t>(
      std::count_if(diagnostics.begin(), diagnostics.end(),
                    [severity](const Diagnostic& d) { return d.severity == severity; }));
}

}  // namespace sinew
