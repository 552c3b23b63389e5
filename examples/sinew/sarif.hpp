// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "output.hpp"
#include "sinew/core/diagnostic.hpp"

namespace sinew::tool {

/// Diagnostics as a log of SARIF 2.1.0, which code hosts show beside the lines they speak of.
///
/// Every code becomes a rule. A diagnostic without a text position is at the file as a whole, and
/// the path of its prim is its logical location. Hints are appended to the message.
Json to_sarif(std::span<const Diagnostic> diagnostics);

}  // namespace sinew::tool
