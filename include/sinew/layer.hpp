// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @namespace sinew::layer
/// One layer as data: specs, paths, values and their types, list edits. Knows no file format.

#include "sinew/layer/compare.hpp"        // IWYU pragma: export
#include "sinew/layer/layer.hpp"          // IWYU pragma: export
#include "sinew/layer/layer_builder.hpp"  // IWYU pragma: export
#include "sinew/layer/list_op.hpp"        // IWYU pragma: export
#include "sinew/layer/path.hpp"           // IWYU pragma: export
#include "sinew/layer/spline.hpp"         // IWYU pragma: export
#include "sinew/layer/value.hpp"          // IWYU pragma: export
#include "sinew/layer/value_type.hpp"     // IWYU pragma: export
