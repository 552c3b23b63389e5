// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace sinew {

/// Which source wins where the founding documents and OpenUSD differ. docs/conventions.md lists
/// the differences.
enum class Rules : std::uint8_t {
  documented,  ///< What the founding documents say and a user would expect. The default.
  openusd,     ///< The results of OpenUSD 26.x; numbers within docs/conformance.md.
};

}  // namespace sinew
