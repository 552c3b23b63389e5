// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "sinew/core/diagnostic.hpp"
#include "sinew/stage/prim.hpp"
#include "stage/locate.hpp"

namespace sinew::physics {

/// Appends a diagnostic about a prim.
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

/// The same, with the place of the strongest opinion about the prim.
inline void report(Diagnostics& diagnostics, Severity severity, std::string_view code,
                   const stage::Prim& prim, std::string message, std::string_view hint = {}) {
  report(diagnostics, severity, code, prim.path().str(), std::move(message), hint);
  stage::locate(diagnostics.back(), prim);
}

}  // namespace sinew::physics
