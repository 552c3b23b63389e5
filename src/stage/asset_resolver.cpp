// SPDX-License-Identifier: Apache-2.0
#include "sinew/stage/asset_resolver.hpp"

#include "core/files.hpp"
#include "core/format_text.hpp"
#include "core/shown.hpp"

namespace sinew::stage {

namespace {

bool has_scheme(std::string_view path) noexcept {
  return path.find("://") != std::string::npos;
}

bool is_anchored(std::string_view path) noexcept {
  return path.starts_with("./") || path.starts_with("../");
}

// Layers separate by "/" on every system, whatever the system itself takes.
bool is_separated_otherwise([[maybe_unused]] std::string_view path) noexcept {
#if defined(_WIN32)
  return path.find('\\') != std::string_view::npos;
#else
  return false;
#endif
}

bool is_file(const std::string& name) {
  return kind_of_file(name) == FileKind::regular;
}

Error not_found(std::string_view asset_path, const std::string& where) {
  return {ErrorCode::not_found, format_text("cannot find '{}'{}.", shown(asset_path), where)};
}

}  // namespace

Result<std::string> FileResolver::resolve_on_stage(std::string_view asset_path,
                                                   std::string_view anchor, std::string_view root) {
  const std::string asset(split_format_arguments(asset_path).path);
  if (options_.search_beside_root && !is_anchored(asset) && !has_scheme(asset) &&
      !is_separated_otherwise(asset)) {
    for (const std::string_view from : {anchor, root}) {
      const std::string beside = place_in(folder_of(from), asset);
      if (is_file(beside)) return one_spelling(beside);
    }
  }
  return resolve(asset_path, anchor);
}

Result<std::string> FileResolver::resolve(std::string_view asset_path, std::string_view anchor) {
  const std::string asset(split_format_arguments(asset_path).path);
  if (asset.empty()) return Error{ErrorCode::not_found, "the asset path is empty."};
  if (has_scheme(asset)) return not_found(asset, ": addresses with a scheme are not read");
  if (is_absolute_name(asset)) {
    return is_file(asset) ? Result<std::string>(one_spelling(asset)) : not_found(asset, "");
  }
  if (is_separated_otherwise(asset)) return not_found(asset, ": '\\' is not a separator");
  const std::string directory = folder_of(anchor);
  const std::string beside = place_in(directory, asset);
  if (is_file(beside)) return one_spelling(beside);
  if (!is_anchored(asset)) {
    for (const std::string& search : options_.search_paths) {
      const std::string candidate = place_in(search, asset);
      if (is_file(candidate)) return one_spelling(candidate);
    }
  }
  return not_found(asset, directory.empty() ? std::string() : format_text(" beside '{}'", anchor));
}

Result<Bytes> FileResolver::read(std::string_view identifier, std::uint64_t max_bytes) {
  const std::string file(identifier);
  if (!options_.allowed_directories.empty()) {
    bool allowed = false;
    for (const std::string& directory : options_.allowed_directories) {
      allowed = allowed || lies_below(file, directory);
    }
    if (!allowed) {
      return Error{ErrorCode::io_failed,
                   format_text("'{}' is outside the directories that may be read.", identifier)};
    }
  }
  return map_file(file, max_bytes);
}

Result<std::string> MemoryResolver::resolve(std::string_view asset_path, std::string_view anchor) {
  const std::string asset(split_format_arguments(asset_path).path);
  if (!asset.empty() && !has_scheme(asset)) {
    const std::size_t slash = anchor.rfind('/');
    const std::string_view folder =
        slash == std::string_view::npos ? std::string_view() : anchor.substr(0, slash + 1);
    std::string name = join_names(folder, asset);
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
                 format_text("'{}' has {} bytes, more than the limit of {}.", identifier,
                             found->second.size(), max_bytes)};
  }
  return found->second;
}

}  // namespace sinew::stage
