// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace sinew::stage {

/// Order of property names: letters without case, '_' before letters, runs of digits as numbers;
/// between names that are equal so far, upper case first and then fewer leading zeros.
bool dictionary_less(std::string_view a, std::string_view b) noexcept;

}  // namespace sinew::stage
