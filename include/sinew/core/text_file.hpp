// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "sinew/core/export.hpp"
#include "sinew/core/result.hpp"

namespace sinew {

/// Replaces the contents of `file`, in one step when all is written. Links are followed and
/// permissions kept; what is no ordinary file, such as a pipe, is written to directly.
/// @return ok, or io_failed with the reason the operating system gives.
SINEW_API Status write_text_file(std::string_view text, const std::string& file);

}  // namespace sinew
