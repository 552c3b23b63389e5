// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/diagnostic.hpp"

#include <algorithm>

#include "core/format_text.hpp"
#include "sinew/core/one_line.hpp"

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
    out += format_text("{}{}", out.empty() ? "" : ":", diagnostic.line);
    if (diagnostic.column != 0) {
      out += format_text(":{}", diagnostic.column);
    }
  } else if (!diagnostic.path.empty()) {
    out += format_text("{}<{}>", out.empty() ? "" : ": ", diagnostic.path);
  }
  out += format_text("{}{}: ", out.empty() ? "" : ": ", to_string(diagnostic.severity));
  if (diagnostic.line != 0 && !diagnostic.path.empty()) {
    out += format_text("<{}>: ", diagnostic.path);
  }
  out += diagnostic.message;
  if (!diagnostic.hint.empty()) out += format_text(" ({})", diagnostic.hint);
  if (!diagnostic.code.empty()) out += format_text(" [{}]", diagnostic.code);
  return one_line(out);
}

std::size_t count(std::span<const Diagnostic> diagnostics, Severity severity) noexcept {
  return static_cast<std::size_t>(
      std::count_if(diagnostics.begin(), diagnostics.end(),
                    [severity](const Diagnostic& d) { return d.severity == severity; }));
}

}  // namespace sinew
