// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "sinew/layer/path.hpp"

namespace sinew::layer {

/// Checks the syntax of a path expression and makes its relative patterns absolute against
/// `anchor`, a prim path without variant selections.
/// @return False with the reason if the text is not a path expression.
bool absolute_path_expression(std::string_view text, const Path& anchor, std::string& absolute,
                              std::string& reason);

}  // namespace sinew::layer
