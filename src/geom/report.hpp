// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "sinew/core/diagnostic.hpp"
#include "sinew/layer/path.hpp"

namespace sinew::geom {

/// Adds a diagnostic about a prim or property; null: nobody wants to know.
inline void report(Diagnostics* diagnostics, Severity severity, std::string_view code,
                   const layer::Path& path, std::string message, std::string hint = {}) {
  if (diagnostics == nullptr) return;
  Diagnostic diagnostic;
  diagnostic.severity = severity;
  diagnostic.code = code;
  diagnostic.message = std::move(message);
  diagnostic.path = path.str();
  diagnostic.hint = std::move(hint);
  diagnostics->push_back(std::move(diagnostic));
}

}  // namespace sinew::geom
