// SPDX-License-Identifier: Apache-2.0
#include "sinew/physics/names.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <unordered_set>

#include "core/sort.hpp"

namespace sinew::physics {
namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string name_of(std::string_view path, NameStyle style) {
  if (style == NameStyle::path) return std::string(path);
  if (style == NameStyle::leaf) {
    const std::size_t slash = path.rfind('/');
    return std::string(slash == std::string_view::npos ? path : path.substr(slash + 1));
  }
  if (path.starts_with('/')) path.remove_prefix(1);
  std::string name;
  for (const char c : path) name += is_letter(c) || is_digit(c) ? c : '_';
  if (name.empty() || is_digit(name.front())) name.insert(name.begin(), '_');
  return name;
}

}  // namespace

UniqueNames unique_names(const std::vector<std::string>& paths, NameStyle style,
                         const std::vector<std::string>& reserved) {
  UniqueNames result;
  result.names.resize(paths.size());
  std::vector<std::size_t> order(paths.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  stable_sort_range(order.begin(), order.end(),
                    [&](std::size_t a, std::size_t b) { return paths[a] < paths[b]; });
  std::unordered_map<std::string, std::size_t> next;  // The number to try for a name.
  const std::unordered_set<std::string_view> kept(reserved.begin(), reserved.end());
  const auto is_taken = [&](const std::string& name) {
    return result.index_of.contains(name) || kept.contains(name);
  };
  for (const std::size_t i : order) {
    const std::string wanted = name_of(paths[i], style);
    std::string name = wanted;
    while (is_taken(name)) {
      std::size_t& number = next.try_emplace(wanted, 2).first->second;
      name = wanted + "_" + std::to_string(number++);
    }
    result.index_of.emplace(name, i);
    result.names[i] = std::move(name);
  }
  return result;
}

}  // namespace sinew::physics
