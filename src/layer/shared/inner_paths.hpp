// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "sinew/layer/path.hpp"

namespace sinew::layer {

/// A path with each path in its brackets, "/A.rel[/B].weight", put through `map`, which gets it
/// with the brackets of its own. Empty if `map` gives an empty path.
Path map_inner_paths(const Path& path, const std::function<Path(const Path&)>& map);

}  // namespace sinew::layer
