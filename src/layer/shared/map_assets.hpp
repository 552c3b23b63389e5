// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "sinew/layer/layer.hpp"

namespace sinew::layer {

/// A copy of a layer in which every asset path (of sublayers, references, payloads and values, also
/// in dictionaries and array edits) is what `map` makes of it. Empty ones stay. Values without
/// asset paths are shared. Texts that `map` returns must be in the layer's table of tokens, which
/// is that of the copy.
/// @param map_template  What becomes of the template of a set of value clips; called with the set
///                      and the text. None: templates stay.
LayerPtr map_assets(const Layer& layer, const std::function<Token(Token)>& map,
                    const std::function<Token(const Dictionary&, Token)>& map_template = {});

}  // namespace sinew::layer
