// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "physics/report.hpp"
#include "sinew/stage/prim.hpp"
#include "stage/locate.hpp"

namespace sinew::physics {

/// Appends a diagnostic about a prim, with the place of the strongest opinion about it.
inline void report(Diagnostics& diagnostics, Severity severity, std::string_view code,
                   const stage::Prim& prim, std::string message, std::string_view hint = {}) {
  report(diagnostics, severity, code, prim.path().str(), std::move(message), hint);
  stage::locate(diagnostics.back(), prim);
}

}  // namespace sinew::physics
