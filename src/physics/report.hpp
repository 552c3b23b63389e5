// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "sinew/core/diagnostic.hpp"

namespace sinew::physics {

/// Appends a diagnostic about the prim at a path.
inline void report(Diagnostics& diagnostics, Severity severity, std::string_view code,
                   std::string_view path, std::string message, std::string_view hint = {}) {
  Diagnostic diagnostic;
  diagnostic.severity = severity;
  diagnostic.code = code;
  diagnostic.message = std::move(message);
  diagnostic.path = path;
  diagnostic.hint = hint;
  diagnostics.push_back(std::move(diagnostic));
}

}  // namespace sinew::physics
