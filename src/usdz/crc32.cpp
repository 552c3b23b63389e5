// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstring>

#include "sinew/usdz/package.hpp"
#include "usdz/zip.hpp"

namespace sinew::usdz {

namespace {

constexpr std::size_t kSlices = 8;
using Tables = std::array<std::array<std::uint32_t, 256>, kSlices>;

// tables[k][b]: what byte b contributes when k more bytes follow it.
constexpr void fill(Tables& tables) {
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t value = byte;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) != 0 ? 0xEDB88320U : 0U);
    tables[0][byte] = value;
  }
  for (std::size_t k = 1; k < kSlices; ++k) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t before = tables[k - 1][byte];
      tables[k][byte] = (before >> 8) ^ tables[0][before & 0xFF];
    }
  }
}

#if !defined(__wasi__)
constexpr Tables kTables = [] {
  Tables tables{};
  fill(tables);
  return tables;
}();
#endif

}  // namespace

std::uint32_t crc32(std::span<const std::byte> bytes) noexcept {
#if defined(__wasi__)
  Tables kTables;  // Made here: they would be 8 KiB of a module that no packer shrinks.
  fill(kTables);
#endif
  std::uint32_t crc = 0xFFFFFFFF;
  const std::byte* p = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= kSlices; left -= kSlices, p += kSlices) {
    const std::uint32_t low = read_number<std::uint32_t>(p) ^ crc;
    const auto high = read_number<std::uint32_t>(p + 4);
    crc = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      crc ^= kTables[7 - i][(low >> (8 * i)) & 0xFF] ^ kTables[3 - i][(high >> (8 * i)) & 0xFF];
    }
  }
  for (; left > 0; --left, ++p) {
    crc = (crc >> 8) ^ kTables[0][(crc ^ static_cast<std::uint32_t>(*p)) & 0xFF];
  }
  return ~crc;
}

}  // namespace sinew::usdz
