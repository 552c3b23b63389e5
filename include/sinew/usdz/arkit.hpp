// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/export.hpp"
#include "sinew/layer/layer.hpp"

namespace sinew::usdz {

/// Warns, as `usdz-arkit`, of what Apple's viewers do not take in the one layer of a package:
/// no default prim, no unit or Y axis; arcs to other files; types of prims that are not part of
/// USD, point instancers; shaders other than the preview surface and its textures; bindings and
/// connections that lead nowhere; textures that are neither png nor jpeg, UDIM tiles, assets that
/// are not in the package; skeletons without rest transforms or with several animations.
///
/// @param names  The files of the package, the layer first. WriteOptions::arkit looks at those
///               themselves.
/// @par Cost  O(specs) time; one warning for each thing that is wrong, but one for each type.
SINEW_API void check_arkit(const layer::Layer& layer, std::span<const std::string_view> names,
                           Diagnostics& diagnostics);

}  // namespace sinew::usdz
