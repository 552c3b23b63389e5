// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @namespace sinew::stage
/// Layers composed to prims, their attributes in time, and where assets are found.

#include "sinew/stage/asset_resolver.hpp"  // IWYU pragma: export
#include "sinew/stage/attribute.hpp"       // IWYU pragma: export
#include "sinew/stage/check_metrics.hpp"
#include "sinew/stage/check_schemas.hpp"     // IWYU pragma: export
#include "sinew/stage/opinion.hpp"           // IWYU pragma: export
#include "sinew/stage/pack.hpp"              // IWYU pragma: export
#include "sinew/stage/package_resolver.hpp"  // IWYU pragma: export
#include "sinew/stage/prim.hpp"              // IWYU pragma: export
#include "sinew/stage/schema.hpp"            // IWYU pragma: export
#include "sinew/stage/stage.hpp"             // IWYU pragma: export
#include "sinew/stage/time.hpp"              // IWYU pragma: export
#include "sinew/stage/value_types.hpp"       // IWYU pragma: export
