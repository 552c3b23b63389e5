// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/export.hpp"
#include "sinew/usdz/package.hpp"

namespace sinew::usdz {

/// Warns, as `usdz-extension`, of the files of a package that are of no kind that packages are
/// meant to hold, and of those in the packages that it holds. Readers take such packages; tools
/// that check them do not.
/// @par Cost  O(n) for n files; one allocation for each that is told of.
SINEW_API void check_package(const Package& package, Diagnostics& diagnostics);

}  // namespace sinew::usdz
