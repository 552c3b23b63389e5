// SPDX-License-Identifier: Apache-2.0
#include "sinew/stage/package_resolver.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/format_text.hpp"
#include "core/report.hpp"
#include "core/shown.hpp"
#include "sinew/usdz/package_path.hpp"
#include "stage/shared/asset_place.hpp"

namespace sinew::stage {

namespace {

// Whether the file at an address is a package, by its name.
bool is_package(const std::string& address) {
  const auto [outer, inner] = usdz::split_inner(address);
  return usdz::is_package_name(inner.empty() ? outer : inner);
}

// Whether a path, or one within, has nothing between its brackets: "a.usdz[]".
bool names_nothing(std::string asset) {
  while (usdz::is_package_path(asset)) {
    asset = usdz::split_outer(asset).second;
    if (asset.empty()) return true;
  }
  return false;
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
  if (!is_package(identifier)) {
    return Error{ErrorCode::not_found,
                 format_text("'{}' is not a package by its name.", shown(identifier))};
  }
  Result<Bytes> bytes = Error{};
  if (!usdz::is_package_path(identifier)) {
    bytes = outside_.read(identifier, options_.max_bytes);
  } else {
    const auto depth =
        static_cast<std::size_t>(identifier.size() - 1 - identifier.find_last_not_of(']'));
    if (depth >= usdz::Package::kMaxNesting) {
      const std::string message = format_text("packages are nested deeper than the limit of {}",
                                              usdz::Package::kMaxNesting);
      report(&diagnostics_, Severity::error, "usdz-nesting",
             {.file = usdz::split_inner(identifier).first}, sentence(message));
      return Error{ErrorCode::limit_exceeded, message + "."};
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

// The first file of a package; if that is a package, the first one of that, and so on.
Result<std::string> PackageResolver::default_layer_of(const std::string& identifier) {
  const auto known = default_layers_.find(identifier);
  if (known != default_layers_.end()) return known->second;
  const Result<PackagePtr> package = open(identifier);
  if (!package) return package.error();
  const std::string_view first =
      (*package)->entries().empty() ? std::string_view() : (*package)->entries().front().name;
  Result<std::string> layer = Error{};
  if (usdz::content_kind(first) == usdz::ContentKind::package) {
    layer = default_layer_of(usdz::join(identifier, first));
  } else if ((layer = (*package)->default_layer(diagnostics_))) {
    layer = usdz::join(identifier, *layer);
  }
  return default_layers_.emplace(identifier, std::move(layer)).first->second;
}

// What `found` means: itself, what is at `inner` in it, or the first file of a package.
Result<std::string> PackageResolver::enter(const std::string& found, const std::string& inner) {
  if (inner.empty())
    return is_package(found) ? default_layer_of(found) : Result<std::string>(found);
  const Result<PackagePtr> package = open(found);
  if (!package) return package.error();
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
  Result<std::string> found = root == nullptr
                                  ? outside_.resolve(outer, anchor)
                                  : outside_.resolve_on_stage(outer, anchor, usdz::file_of(*root));
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
  if (entry != nullptr && with_backslashes_.insert(usdz::join(package.identifier(), path)).second) {
    report(&diagnostics_, Severity::warning, "usdz-backslash", {.file = package.identifier()},
           format_text("The path '{}' is written with backslashes, which only this library reads.",
                       shown(path)));
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
    const usdz::Entry* entry = find_entry(**package, folder_of_entry(layer), outer);
    const bool is_anchored = outer.starts_with('.');
    if (entry == nullptr && !is_anchored && !(*package)->entries().empty()) {
      const std::string_view first = (*package)->entries().front().name;
      entry = find_entry(**package, folder_of_entry(first), outer);
    }
    if (entry != nullptr) return enter(usdz::join(package_path, entry->name), inner);
    if (is_anchored) {
      return Error{ErrorCode::not_found, format_text("cannot find '{}' in the package '{}'.",
                                                     shown(asset), shown(package_path))};
    }
  }
  if (options_.closed_packages) {
    return Error{ErrorCode::not_found,
                 format_text("'{}' is not in the package '{}', and nothing outside of it is read.",
                             shown(asset), shown(package_path))};
  }
  return resolve_outside(asset, usdz::file_of(package_path), root);
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
  if (names_nothing(asset)) {
    return Error{ErrorCode::not_found,
                 format_text("'{}' names no file of a package.", shown(asset))};
  }
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
                 format_text("'{}' has {} bytes, more than the limit of {}.", shown(identifier),
                             entry->size, max_bytes)};
  }
  Diagnostics of_reading;
  Result<Bytes> bytes = (*package)->read(*entry, of_reading);
  tell(std::move(of_reading));
  return bytes;
}

// Each of very many entries may have a wrong checksum.
void PackageResolver::tell(Diagnostics&& of_reading) {
  constexpr std::size_t kMostChecksums = 100;
  for (Diagnostic& diagnostic : of_reading) {
    const bool is_checksum =
        diagnostic.code == "usdz-crc" && diagnostic.severity == Severity::warning;
    if (is_checksum && ++wrong_checksums_ > kMostChecksums) {
      if (wrong_checksums_ > kMostChecksums + 1) continue;
      diagnostic.message = "More checksums are wrong, of which nothing is said.";
    }
    diagnostics_.push_back(std::move(diagnostic));
  }
}

}  // namespace sinew::stage
