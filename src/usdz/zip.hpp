// SPDX-License-Identifier: Apache-2.0
// The records of zip archives, as far as packages use them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace sinew::usdz {

inline constexpr std::uint32_t kLocalSignature = 0x04034B50;
inline constexpr std::uint32_t kCentralSignature = 0x02014B50;
inline constexpr std::uint32_t kEndSignature = 0x06054B50;
inline constexpr std::uint32_t kDescriptorSignature = 0x08074B50;
inline constexpr std::uint32_t kZip64LocatorSignature = 0x07064B50;
inline constexpr std::size_t kZip64LocatorBytes = 20;
inline constexpr std::size_t kLocalBytes = 30;
inline constexpr std::size_t kCentralBytes = 46;
inline constexpr std::size_t kEndBytes = 22;
inline constexpr std::size_t kMaxCommentBytes = 65535;
inline constexpr std::uint16_t kZip64Block = 1;
inline constexpr std::uint16_t kPaddingBlock = 0x1986;
inline constexpr std::uint16_t kEncryptedFlag = 1;
inline constexpr std::uint16_t kSizesFollowFlag = 8;
inline constexpr std::uint16_t kUtf8Flag = 0x800;
inline constexpr std::uint32_t kAllOnes32 = 0xFFFFFFFF;
inline constexpr std::uint16_t kAllOnes16 = 0xFFFF;
inline constexpr std::size_t kAlignment = 64;

template <typename T>
T read_number(const std::byte* data) noexcept {
  T value = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    value = static_cast<T>(value | static_cast<T>(static_cast<T>(data[i]) << (8 * i)));
  }
  return value;
}

}  // namespace sinew::usdz
