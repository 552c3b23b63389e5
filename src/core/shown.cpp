// SPDX-License-Identifier: Apache-2.0
#include "core/shown.hpp"

namespace sinew {

std::string shortened(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  const auto is_within_character = [&](std::size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
  };
  constexpr std::size_t kCharacterBytes = 4;
  std::size_t end = most;
  while (end > 0 && most - end < kCharacterBytes && is_within_character(end)) --end;
  return std::string(text.substr(0, end)) + "...";
}

std::string shown(std::string_view name) {
  constexpr std::size_t kMost = 200;
  std::string result = shortened(name, kMost);
  for (char& c : result) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '?';
  }
  return result;
}

}  // namespace sinew
