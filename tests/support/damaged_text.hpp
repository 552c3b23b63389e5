// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <regex>
#include <string>
#include <string_view>
#include <utility>

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

/// Where the value of a statement ends that begins at `at`: at the end of its line, unless brackets
/// are open there, or at a semicolon.
inline std::size_t end_of_value(const std::string& text, std::size_t at) {
  int open = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') at = std::min(text.find('"', at + 1), text.size() - 1);
    if (c == '[' || c == '(' || c == '{') ++open;
    if (c == ']' || c == ')' || c == '}') --open;
    if (open < 0 || (open == 0 && (c == '\n' || c == ';'))) return at;
  }
  return at;
}

/// Calls `use(title, changed)` for each attribute with a value in a layer's text, and each of some
/// types: a value of that type stands in its place, without metadata.
template <typename Use>
void for_each_other_type(const std::string& text, Use use) {
  constexpr std::pair<std::string_view, std::string_view> kValues[] = {
      {"bool", "1"},       {"int", "7"},           {"double", "1.5"},
      {"string", "\"a\""}, {"token[]", "[\"a\"]"}, {"float3[]", "[(1, 2, 3)]"},
  };
  const std::regex attribute(
      R"((?:custom |uniform )*([a-z0-9]+(?:\[\])?) ([\w:]+)(?:\.timeSamples)? = )");
  for (std::sregex_iterator match(text.begin(), text.end(), attribute), none; match != none;
       ++match) {
    const auto at = static_cast<std::size_t>(match->position());
    const std::string type = (*match)[1], name = (*match)[2];
    const char before = at == 0 ? '\n' : text[text.find_last_not_of(' ', at - 1)];
    const bool is_statement = before == '\n' || before == '{' || before == ';';
    if (!is_statement || type == "rel") continue;
    const std::size_t end = end_of_value(text, at + static_cast<std::size_t>(match->length()));
    for (const auto& [other, value] : kValues) {
      if (type == other) continue;
      const std::string statement = fmt::format("{} {} = {}", other, name, value);
      use(fmt::format("{}: {}",
                      1 + std::count(text.begin(), text.begin() + match->position(), '\n'),
                      statement),
          text.substr(0, at) + statement + text.substr(end));
    }
  }
}

}  // namespace sinew::test
