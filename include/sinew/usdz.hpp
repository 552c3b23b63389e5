// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @namespace sinew::usdz
/// Packages (.usdz): what lies where in them, and how they are written.

#include "sinew/usdz/arkit.hpp"          // IWYU pragma: export
#include "sinew/usdz/check_package.hpp"  // IWYU pragma: export
#include "sinew/usdz/package.hpp"        // IWYU pragma: export
#include "sinew/usdz/package_path.hpp"   // IWYU pragma: export
#include "sinew/usdz/writer.hpp"         // IWYU pragma: export
