// SPDX-License-Identifier: Apache-2.0
#include "stage/shared/asset_place.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

#include "sinew/usdz/package_path.hpp"

namespace sinew::stage {

bool leads_out(std::string_view asset_path) noexcept {
  const bool has_drive = asset_path.size() >= 2 && asset_path[1] == ':' &&
                         std::isalpha(static_cast<unsigned char>(asset_path[0])) != 0;
  return asset_path.starts_with('/') || has_drive ||
         asset_path.find("://") != std::string_view::npos;
}

std::optional<std::string> entry_name(std::string_view folder, std::string_view path) {
  std::vector<std::string_view> segments;
  for (std::string_view part : {folder, path}) {
    while (!part.empty()) {
      const std::size_t slash = std::min(part.find('/'), part.size());
      const std::string_view segment = part.substr(0, slash);
      part.remove_prefix(std::min(slash + 1, part.size()));
      if (segment.empty() || segment == ".") continue;
      if (segment != "..") {
        segments.push_back(segment);
      } else if (segments.empty()) {
        return std::nullopt;
      } else {
        segments.pop_back();
      }
    }
  }
  std::string name;
  for (const std::string_view segment : segments) {
    if (!name.empty()) name += '/';
    name += segment;
  }
  return name;
}

std::string_view folder_of_entry(std::string_view name) noexcept {
  const std::size_t slash = name.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : name.substr(0, slash);
}

std::string asset_place(std::string_view asset_path, std::string_view layer) {
  if (leads_out(asset_path)) return std::string(asset_path);
  if (usdz::is_package_path(layer)) {
    const auto [package, entry] = usdz::split_inner(layer);
    const auto [outer, inner] = usdz::split_outer(asset_path);
    // What climbs out keeps its "..", which names no entry.
    const std::string name = entry_name(folder_of_entry(entry), outer).value_or(outer);
    return usdz::join(usdz::join(package, name), inner);
  }
  while (asset_path.starts_with("./")) asset_path.remove_prefix(2);
  const std::size_t slash = layer.rfind('/');
  const std::string_view folder =
      slash == std::string_view::npos ? std::string_view() : layer.substr(0, slash + 1);
  return std::string(folder) + std::string(asset_path);
}

}  // namespace sinew::stage
