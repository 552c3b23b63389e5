// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sinew {

/// The text, or its first bytes and "..." where it is longer than `most`. Characters stay whole.
std::string shortened(std::string_view text, std::size_t most);

/// A name for use in a message: at most 200 bytes of it, without control characters.
std::string shown(std::string_view name);

}  // namespace sinew
