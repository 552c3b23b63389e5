// SPDX-License-Identifier: Apache-2.0
#include "usda/unclosed_bracket.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace sinew::usda {

namespace {

constexpr std::size_t kDeepest = 10'000;  // Nobody counts brackets beyond.

// Past text in which brackets do not count: the comment, string, asset or path that begins at
// `at`. One further if nothing of that kind begins there.
std::size_t behind_token(std::string_view text, std::size_t at) noexcept {
  const auto behind = [&](std::string_view end, std::size_t from) {
    const std::size_t found = text.find(end, from);
    return found == std::string_view::npos ? text.size() : found + end.size();
  };
  const std::string_view rest = text.substr(at);
  if (rest.starts_with('#') || rest.starts_with("//")) return behind("\n", at);
  if (rest.starts_with("/*")) return behind("*/", at + 2);
  if (rest.starts_with("@@@")) return behind("@@@", at + 3);
  const char open = rest.front();
  if (open != '"' && open != '\'' && open != '@' && open != '<') return at + 1;
  const bool quoted = open == '"' || open == '\'';
  const bool triple = quoted && rest.size() > 2 && rest[1] == open && rest[2] == open;
  const std::size_t size = triple ? 3 : 1;
  const char close = open == '<' ? '>' : open;
  for (std::size_t i = at + size; i < text.size(); ++i) {
    if (quoted && text[i] == '\\') {
      ++i;
    } else if (!triple && text[i] == '\n') {
      return i;
    } else if (text[i] == close && (!triple || text.substr(i, 3) == rest.substr(0, 3))) {
      return i + size;
    }
  }
  return text.size();
}

}  // namespace

const char* find_unclosed_bracket(std::string_view text, const char* position) {
  constexpr std::string_view kOpening = "([{";
  constexpr std::string_view kClosing = ")]}";
  constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  const auto wanted = static_cast<std::size_t>(position - text.data());
  std::vector<std::size_t> open;
  std::array<std::size_t, 3> open_of_kind{};
  std::size_t suspect = kNone;  // Index of the innermost one that is open at the position.
  const auto kind_of = [](std::string_view kinds, char c) { return kinds.find(c); };
  for (std::size_t i = 0; i < text.size(); i = behind_token(text, i)) {
    if (suspect == kNone && i >= wanted) {
      if (open.empty()) return nullptr;
      suspect = open.size() - 1;
    }
    if (const std::size_t kind = kind_of(kOpening, text[i]); kind != std::string_view::npos) {
      if (open.size() == kDeepest) return nullptr;
      open.push_back(i);
      ++open_of_kind[kind];
      continue;
    }
    const std::size_t kind = kind_of(kClosing, text[i]);
    if (kind == std::string_view::npos || open_of_kind[kind] == 0) continue;
    // Whatever was opened since stays open.
    for (bool closed = false; !closed; open.pop_back()) {
      const std::size_t last = kind_of(kOpening, text[open.back()]);
      --open_of_kind[last];
      closed = last == kind;
      if (open.size() - 1 == suspect) return closed ? nullptr : text.data() + open.back();
    }
  }
  if (suspect == kNone) suspect = open.size() - 1;
  return suspect < open.size() ? text.data() + open[suspect] : nullptr;
}

}  // namespace sinew::usda
