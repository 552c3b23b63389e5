// SPDX-License-Identifier: Apache-2.0
// The whole library. One header per module stands beside this one; name single headers where
// compile time counts.
#pragma once

/// @namespace sinew
/// Reads USD characters and USD physics without OpenUSD. What every module uses stands here itself.

#include "sinew/core.hpp"     // IWYU pragma: export
#include "sinew/export.hpp"   // IWYU pragma: export
#include "sinew/geom.hpp"     // IWYU pragma: export
#include "sinew/layer.hpp"    // IWYU pragma: export
#include "sinew/physics.hpp"  // IWYU pragma: export
#include "sinew/skel.hpp"     // IWYU pragma: export
#include "sinew/stage.hpp"    // IWYU pragma: export
#include "sinew/usda.hpp"     // IWYU pragma: export
#include "sinew/usdc.hpp"     // IWYU pragma: export
#include "sinew/usdz.hpp"     // IWYU pragma: export
#include "sinew/version.hpp"  // IWYU pragma: export
