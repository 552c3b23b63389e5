// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "core/format_text.hpp"
#include "core/report.hpp"
#include "core/shown.hpp"
#include "sinew/usdz/package.hpp"

namespace sinew::usdz {

/// Warns of a file that packages are not meant to hold.
inline void warn_if_unusual(Diagnostics& diagnostics, std::string_view package,
                            std::string_view name) {
  if (content_kind(name) != ContentKind::other) return;
  report(&diagnostics, Severity::warning, "usdz-extension", {.file = package},
         format_text("'{}' is not of a kind that packages are meant to hold.", shown(name)));
}

}  // namespace sinew::usdz
