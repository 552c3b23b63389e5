// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "sinew/core/export.hpp"

namespace sinew {

/// The text as it can stand on one line of a terminal: its control characters, which names in files
/// may hold, as `\n`, `\t`, `\r` or `\x1B`.
SINEW_API std::string one_line(std::string_view text);

}  // namespace sinew
