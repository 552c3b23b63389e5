// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace sinew::usda {

/// The innermost bracket that is open at `position` of a .usda text, if nothing closes it; else
/// null. Brackets in comments, strings, asset paths and path references do not count, nor do
/// closing ones that close nothing. O(n), for error messages.
const char* find_unclosed_bracket(std::string_view text, const char* position);

}  // namespace sinew::usda
