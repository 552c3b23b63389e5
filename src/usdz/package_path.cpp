// SPDX-License-Identifier: Apache-2.0
#include "sinew/usdz/package_path.hpp"

#include <algorithm>
#include <cstddef>

namespace sinew::usdz {

namespace {

constexpr std::size_t kNone = std::string_view::npos;

bool is_escaped(std::string_view path, std::size_t at) noexcept {
  return at > 0 && path[at - 1] == '\\';
}

// The bracket that opens what the last one closes.
std::size_t outer_bracket(std::string_view path) noexcept {
  if (!path.ends_with(']') || is_escaped(path, path.size() - 1)) return kNone;
  std::size_t depth = 0;
  for (std::size_t i = path.size(); i-- > 0;) {
    if (is_escaped(path, i)) continue;
    if (path[i] == ']') ++depth;
    if (path[i] == '[' && --depth == 0) return i;
  }
  return kNone;
}

std::string without_escapes(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape =
        text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == '[' || text[i + 1] == ']');
    if (!escape) result += text[i];
  }
  return result;
}

// Only the part in front of the package's own bracket is a name.
std::string with_escapes(std::string_view text) {
  const std::size_t name = std::min(outer_bracket(text), text.size());
  std::string result;
  for (const char c : text.substr(0, name)) {
    if (c == '[' || c == ']') result += '\\';
    result += c;
  }
  result += text.substr(name);
  return result;
}

}  // namespace

bool is_package_path(std::string_view path) noexcept {
  return outer_bracket(path) != kNone;
}

std::pair<std::string, std::string> split_outer(std::string_view path) {
  const std::size_t open = outer_bracket(path);
  if (open == kNone) return {std::string(path), {}};
  const std::string_view inner = path.substr(open + 1, path.size() - open - 2);
  // A package path keeps the escapes of its own brackets, its name does not.
  const std::size_t name = std::min(outer_bracket(inner), inner.size());
  std::string plain = without_escapes(inner.substr(0, name));
  plain += inner.substr(name);
  return {std::string(path.substr(0, open)), std::move(plain)};
}

std::pair<std::string, std::string> split_inner(std::string_view path) {
  std::size_t open = outer_bracket(path);
  if (open == kNone) return {std::string(path), {}};
  std::size_t end = path.size() - 1;  // Of what is between the innermost brackets.
  for (;;) {
    const std::string_view inside = path.substr(open + 1, end - open - 1);
    const std::size_t next = outer_bracket(inside);
    if (next == kNone) break;
    open += 1 + next;
    --end;
  }
  std::string package(path.substr(0, open));
  package += path.substr(end + 1);
  return {std::move(package), without_escapes(path.substr(open + 1, end - open - 1))};
}

std::string file_of(std::string_view path) {
  std::string file(path);
  while (is_package_path(file)) file = split_outer(file).first;
  return file;
}

std::string join(std::string_view package, std::string_view inner) {
  if (inner.empty()) return std::string(package);
  if (package.empty()) return std::string(inner);
  std::size_t end = package.size();
  if (is_package_path(package)) {
    while (package[end - 1] == ']' && !is_escaped(package, end - 1)) --end;
  }
  std::string result(package.substr(0, end));
  result += '[';
  result += with_escapes(inner);
  result += ']';
  result += package.substr(end);
  return result;
}

bool is_package_name(std::string_view name) noexcept {
  constexpr std::string_view kExtension = ".usdz";
  if (name.size() < kExtension.size()) return false;
  const std::string_view end = name.substr(name.size() - kExtension.size());
  return std::equal(end.begin(), end.end(), kExtension.begin(), [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
  });
}

}  // namespace sinew::usdz
