// SPDX-License-Identifier: Apache-2.0
#include "sinew/stage/asset_resolver.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

namespace sinew::stage {

namespace {

namespace fs = std::filesystem;

bool has_scheme(std::string_view path) noexcept {
  return path.find("://") != std::string::npos;
}

bool is_anchored(std::string_view path) noexcept {
  return path.starts_with("./") || path.starts_with("../");
}

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

std::string without_arguments(std::string_view path) {
  return std::string(path.substr(0, path.find(":SDF_FORMAT_ARGS:")));
}

Error not_found(std::string_view asset_path, const std::string& where) {
  return {ErrorCode::not_found, fmt::format("cannot find '{}'{}.", asset_path, where)};
}

// One spelling for one file.
std::string one_spelling(const fs::path& path) {
  std::error_code error;
  const fs::path absolute = fs::absolute(path, error);
  return (error ? path : absolute).lexically_normal().generic_string();
}

}  // namespace

Result<std::string> FileResolver::resolve_on_stage(std::string_view asset_path,
                                                   std::string_view anchor, std::string_view root) {
  return options_.search_beside_root ? AssetResolver::resolve_on_stage(asset_path, anchor, root)
                                     : resolve(asset_path, anchor);
}

Result<std::string> FileResolver::resolve(std::string_view asset_path, std::string_view anchor) {
  const std::string asset = without_arguments(asset_path);
  if (asset.empty()) return Error{ErrorCode::not_found, "the asset path is empty."};
  if (has_scheme(asset)) return not_found(asset, ": addresses with a scheme are not read");
  const fs::path path(asset);
  if (path.is_absolute()) {
    return is_file(path) ? Result<std::string>(one_spelling(path)) : not_found(asset, "");
  }
  const fs::path directory = fs::path(anchor).parent_path();
  const fs::path beside = directory / path;
  if (is_file(beside)) return one_spelling(beside);
  if (!is_anchored(asset)) {
    for (const std::string& search : options_.search_paths) {
      const fs::path candidate = fs::path(search) / path;
      if (is_file(candidate)) return one_spelling(candidate);
    }
  }
  return not_found(asset, directory.empty() ? std::string() : fmt::format(" beside '{}'", anchor));
}

Result<Bytes> FileResolver::read(std::string_view identifier, std::uint64_t max_bytes) {
  const fs::path path{std::string(identifier)};
  if (!options_.allowed_directories.empty()) {
    std::error_code error;
    const fs::path real = fs::canonical(path, error);
    bool allowed = false;
    for (const std::string& directory : options_.allowed_directories) {
      const fs::path root = fs::canonical(directory, error);
      const fs::path relative = real.lexically_relative(root);
      allowed = allowed || (!relative.empty() && *relative.begin() != "..");
    }
    if (!allowed) {
      return Error{ErrorCode::io_failed,
                   fmt::format("'{}' is outside the directories that may be read.", identifier)};
    }
  }
  return map_file(path.string(), max_bytes);
}

Result<std::string> MemoryResolver::resolve(std::string_view asset_path, std::string_view anchor) {
  const std::string asset = without_arguments(asset_path);
  if (!asset.empty() && !has_scheme(asset)) {
    const fs::path beside = (fs::path(anchor).parent_path() / asset).lexically_normal();
    std::string name = beside.generic_string();
    if (layers_.contains(name)) return name;
    if (!is_anchored(asset) && layers_.contains(asset)) return asset;
  }
  return not_found(asset_path, " among the layers in memory");
}

Result<Bytes> MemoryResolver::read(std::string_view identifier, std::uint64_t max_bytes) {
  const auto found = layers_.find(identifier);
  if (found == layers_.end()) return not_found(identifier, " among the layers in memory");
  if (found->second.size() > max_bytes) {
    return Error{ErrorCode::limit_exceeded,
                 fmt::format("'{}' has {} bytes, more than the limit of {}.", identifier,
                             found->second.size(), max_bytes)};
  }
  return found->second;
}

}  // namespace sinew::stage
