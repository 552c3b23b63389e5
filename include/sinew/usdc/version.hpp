// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>

namespace sinew::usdc {

/// A version of the .usdc format, e.g. 0.8.0. The patch level never matters to readers.
struct Version {
  std::uint8_t major = 0;  ///< Every known version has 0.
  std::uint8_t minor = 8;  ///< Decides what a file may hold.
  std::uint8_t patch = 0;  ///< Written and read, of no effect.
  /// In the order of the versions.
  friend constexpr auto operator<=>(const Version&, const Version&) = default;
};

}  // namespace sinew::usdc
