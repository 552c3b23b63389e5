// SPDX-License-Identifier: Apache-2.0
#include "sinew/stage/package_resolver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>
#include <vector>

#include "core/report.hpp"
#include "sinew/usdz/package_path.hpp"

namespace sinew::stage {

namespace {

std::string_view directory_of(std::string_view name) noexcept {
  const std::size_t slash = name.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : name.substr(0, slash);
}

// The name of an entry: without "." and "..", separated by single slashes. None if it climbs out.
std::optional<std::string> entry_name(std::string_view directory, std::string_view path) {
  std::vector<std::string_view> segments;
  for (std::string_view part : {directory, path}) {
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

bool leads_out(std::string_view path) noexcept {
  const bool has_drive =
      path.size() >= 2 && path[1] == ':' && std::isalpha(static_cast<unsigned char>(path[0])) != 0;
  return path.starts_with('/') || has_drive || path.find("://") != std::string_view::npos;
}

std::string outermost(std::string identifier) {
  while (usdz::is_package_path(identifier)) identifier = usdz::split_outer(identifier).first;
  return identifier;
}

}  // namespace

Result<PackageResolver::PackagePtr> PackageResolver::open(const std::string& identifier) {
  const auto known = packages_.find(identifier);
  if (known != packages_.end()) return known->second;
  Result<PackagePtr> opened = open_new(identifier);
  packages_.emplace(identifier, opened);
  return opened;
}

Result<PackageResolver::PackagePtr> PackageResolver::open_new(const std::string& identifier) {
  Result<Bytes> bytes = Error{};
  if (!usdz::is_package_path(identifier)) {
    bytes = outside_.read(identifier, options_.max_bytes);
  } else {
    const auto depth =
        static_cast<std::size_t>(identifier.size() - 1 - identifier.find_last_not_of(']'));
    if (depth >= usdz::Package::kMaxNesting) {
      return Error{ErrorCode::limit_exceeded,
                   fmt::format("packages are nested deeper than the limit of {}.",
                               usdz::Package::kMaxNesting)};
    }
    const auto [package, name] = usdz::split_inner(identifier);
    const Result<PackagePtr> outer = open(package);
    if (!outer) return outer.error();
    bytes = (*outer)->read_entry(name, diagnostics_);
  }
  if (!bytes) return std::move(bytes).error();
  usdz::OpenOptions options;
  options.rules = options_.rules;
  options.strict = options_.strict;
  Result<usdz::Package> package =
      usdz::Package::open(*std::move(bytes), identifier, diagnostics_, options);
  if (!package) return std::move(package).error();
  return std::make_shared<const usdz::Package>(*std::move(package));
}

// What `found` means: itself, what is at `inner` in it, or the first file of a package.
Result<std::string> PackageResolver::enter(const std::string& found, const std::string& inner) {
  if (inner.empty() &&
      !usdz::is_package_name(usdz::is_package_path(found) ? usdz::split_inner(found).second
                                                          : found)) {
    return found;
  }
  const Result<PackagePtr> package = open(found);
  if (!package) return package.error();
  if (inner.empty()) {
    const Result<std::string> layer = (*package)->default_layer(diagnostics_);
    if (!layer) return layer.error();
    return usdz::join(found, *layer);
  }
  const auto [name, deeper] = usdz::split_outer(inner);
  if ((*package)->find(name) == nullptr) {
    Diagnostics unused;
    return (*package)->read_entry(name, unused).error();
  }
  return enter(usdz::join(found, name), deeper);
}

Result<std::string> PackageResolver::resolve_outside(std::string_view asset,
                                                     std::string_view anchor,
                                                     const std::string_view* root) {
  const auto [outer, inner] = usdz::split_outer(asset);
  Result<std::string> found =
      root == nullptr ? outside_.resolve(outer, anchor)
                      : outside_.resolve_on_stage(outer, anchor, outermost(std::string(*root)));
  if (!found) return found;
  return enter(*found, inner);
}

const usdz::Entry* PackageResolver::find_entry(const usdz::Package& package,
                                               std::string_view directory,
                                               const std::string& path) {
  if (const auto name = entry_name(directory, path)) {
    if (const usdz::Entry* entry = package.find(*name)) return entry;
  }
  if (options_.rules != Rules::documented || path.find('\\') == std::string::npos) return nullptr;
  std::string slashes = path;
  std::replace(slashes.begin(), slashes.end(), '\\', '/');
  const auto name = entry_name(directory, slashes);
  const usdz::Entry* entry = name ? package.find(*name) : nullptr;
  if (entry != nullptr) {
    report(&diagnostics_, Severity::warning, "usdz-backslash", {.file = package.identifier()},
           fmt::format("The path '{}' is written with backslashes, which only this library reads.",
                       path));
  }
  return entry;
}

Result<std::string> PackageResolver::resolve_inside(const std::string& asset,
                                                    const std::string& package_path,
                                                    std::string_view layer,
                                                    const std::string_view* root) {
  const auto [outer, inner] = usdz::split_outer(asset);
  if (!leads_out(outer)) {
    const Result<PackagePtr> package = open(package_path);
    if (!package) return package.error();
    const usdz::Entry* entry = find_entry(**package, directory_of(layer), outer);
    const bool is_anchored = outer.starts_with('.');
    if (entry == nullptr && !is_anchored && !(*package)->entries().empty()) {
      const std::string_view first = (*package)->entries().front().name;
      entry = find_entry(**package, directory_of(first), outer);
    }
    if (entry != nullptr) return enter(usdz::join(package_path, entry->name), inner);
    if (is_anchored) {
      return Error{ErrorCode::not_found,
                   fmt::format("cannot find '{}' in the package '{}'.", asset, package_path)};
    }
  }
  if (options_.closed_packages) {
    return Error{ErrorCode::not_found,
                 fmt::format("'{}' is not in the package '{}', and nothing outside of it is read.",
                             asset, package_path)};
  }
  return resolve_outside(asset, outermost(package_path), root);
}

Result<std::string> PackageResolver::resolve(std::string_view asset_path, std::string_view anchor) {
  return resolve_from(asset_path, anchor, nullptr);
}

Result<std::string> PackageResolver::resolve_on_stage(std::string_view asset_path,
                                                      std::string_view anchor,
                                                      std::string_view root) {
  return resolve_from(asset_path, anchor, &root);
}

Result<std::string> PackageResolver::resolve_from(std::string_view asset_path,
                                                  std::string_view anchor,
                                                  const std::string_view* root) {
  const std::string asset(split_format_arguments(asset_path).path);
  if (!usdz::is_package_path(anchor)) return resolve_outside(asset, anchor, root);
  if (asset.empty()) return Error{ErrorCode::not_found, "the asset path is empty."};
  const auto [package, layer] = usdz::split_inner(anchor);
  return resolve_inside(asset, package, layer, root);
}

Result<Bytes> PackageResolver::read(std::string_view identifier, std::uint64_t max_bytes) {
  if (!usdz::is_package_path(identifier)) return outside_.read(identifier, max_bytes);
  const auto [package_path, name] = usdz::split_inner(identifier);
  const Result<PackagePtr> package = open(package_path);
  if (!package) return package.error();
  const usdz::Entry* entry = (*package)->find(name);
  if (entry == nullptr) return (*package)->read_entry(name, diagnostics_);
  if (entry->size > max_bytes) {
    return Error{ErrorCode::limit_exceeded,
                 fmt::format("'{}' has {} bytes, more than the limit of {}.", identifier,
                             entry->size, max_bytes)};
  }
  return (*package)->read(*entry, diagnostics_);
}

}  // namespace sinew::stage
