// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

namespace sinew::test {

/// Calls `use(title, changed)` for each word, quoted text, path and sign of a layer's text, and
/// each replacement in its place; an empty one takes it away. The later numbers of a list are
/// passed over.
template <typename Use>
void for_each_damage(const std::string& text, std::initializer_list<std::string_view> replacements,
                     Use use) {
  constexpr std::string_view kWord =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:.-+";
  std::size_t line = 1;
  bool after_number = false;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '\n') ++line;
    if (c == ' ' || c == '\n') {
      ++at;
      continue;
    }
    std::size_t end = at + 1;
    if (c == '"' || c == '@' || c == '<') {
      end = text.find(c == '<' ? '>' : c, at + 1);
      end = end == std::string::npos ? text.size() : end + 1;
    } else if (kWord.find(c) != std::string_view::npos) {
      end = std::min(text.find_first_not_of(kWord, at), text.size());
    }
    const std::string token = text.substr(at, end - at);
    const bool is_number = (c >= '0' && c <= '9') || (c == '-' && token.size() > 1);
    const bool is_further = after_number && (is_number || c == ',');
    after_number = is_number || (after_number && c == ',');
    for (const std::string_view replacement : replacements) {
      if (is_further || token == replacement) continue;
      std::string changed = text;
      changed.replace(at, token.size(), replacement);
      use(std::to_string(line) + ": " + token + " -> " + std::string(replacement), changed);
    }
    at = end;
  }
}

}  // namespace sinew::test
