// SPDX-License-Identifier: Apache-2.0
#include "sinew/usdz/package.hpp"

#include <algorithm>
#include <utility>

#include "core/format_text.hpp"
#include "core/report.hpp"
#include "core/shown.hpp"
#include "sinew/usdz/package_path.hpp"
#include "usdz/package_reader.hpp"

namespace sinew::usdz {

ContentKind content_kind(std::string_view name) noexcept {
  struct Known {
    std::string_view extension;
    ContentKind kind;
  };
  constexpr Known kKnown[] = {
      {"usd", ContentKind::layer}, {"usda", ContentKind::layer}, {"usdc", ContentKind::layer},
      {"png", ContentKind::image}, {"jpg", ContentKind::image},  {"jpeg", ContentKind::image},
      {"exr", ContentKind::image}, {"avif", ContentKind::image}, {"m4a", ContentKind::audio},
      {"mp3", ContentKind::audio}, {"wav", ContentKind::audio},  {"usdz", ContentKind::package},
  };
  const std::string_view file = file_name(name);
  const std::size_t dot = file.rfind('.');
  if (dot == std::string_view::npos) return ContentKind::other;
  const std::string_view extension = file.substr(dot + 1);
  const auto* const found = std::find_if(std::begin(kKnown), std::end(kKnown), [&](const Known& k) {
    return std::equal(extension.begin(), extension.end(), k.extension.begin(), k.extension.end(),
                      [](char a, char b) {
                        return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
                      });
  });
  return found == std::end(kKnown) ? ContentKind::other : found->kind;
}

Result<Package> Package::open(Bytes bytes, std::string identifier, Diagnostics& diagnostics,
                              const OpenOptions& options) {
  return PackageReader(std::move(bytes), std::move(identifier), diagnostics, options).run();
}

const Entry* Package::find(std::string_view name) const noexcept {
  const auto found = std::lower_bound(
      by_name_.begin(), by_name_.end(), name,
      [&](std::uint32_t i, std::string_view wanted) { return entries_[i].name < wanted; });
  if (found == by_name_.end() || entries_[*found].name != name) return nullptr;
  return &entries_[*found];
}

Result<Bytes> Package::read(const Entry& entry, Diagnostics& diagnostics) const {
  const auto refuse = [&](std::string_view code, std::string_view what) {
    const std::string message =
        format_text("'{}' is {} and cannot be read", shown(entry.name), what);
    report(&diagnostics, Severity::error, code, {.file = identifier_}, sentence(message));
    return Error{ErrorCode::unsupported, format_text("{}: {}.", shown(identifier_), message)};
  };
  if (entry.is_encrypted) return refuse("usdz-encrypted", "encrypted");
  if (entry.method != 0) return refuse("usdz-compressed", "compressed");
  Bytes bytes =
      bytes_.slice(static_cast<std::size_t>(entry.offset), static_cast<std::size_t>(entry.size));
  // Layers are read as a whole anyway; images may be large, and their readers can check them.
  if (content_kind(entry.name) == ContentKind::layer && crc32(bytes.span()) != entry.crc) {
    const std::string message =
        format_text("the checksum of '{}' is not that of its bytes", shown(entry.name));
    const Severity severity = options_.strict ? Severity::error : Severity::warning;
    report(&diagnostics, severity, "usdz-crc", {.file = identifier_}, sentence(message));
    if (options_.strict) {
      return Error{ErrorCode::syntax, format_text("{}: {}.", shown(identifier_), message)};
    }
  }
  return bytes;
}

Error Package::entry_not_found(std::string_view name) const {
  constexpr std::size_t kMost = 3;
  const std::string_view wanted = file_name(name);
  auto other = std::lower_bound(
      by_file_name_.begin(), by_file_name_.end(), wanted,
      [&](std::uint32_t i, std::string_view file) { return file_name(entries_[i].name) < file; });
  std::string others;
  for (std::size_t count = 0;
       count < kMost && other != by_file_name_.end() && file_name(entries_[*other].name) == wanted;
       ++count, ++other) {
    others +=
        format_text("{}'{}'", count == 0 ? "; there is " : ", ", shown(entries_[*other].name));
  }
  return {ErrorCode::not_found, format_text("there is no '{}' in the package '{}'{}.", shown(name),
                                            shown(identifier_), others)};
}

Result<Bytes> Package::read_entry(std::string_view name, Diagnostics& diagnostics) const {
  const Entry* entry = find(name);
  return entry != nullptr ? read(*entry, diagnostics) : Result<Bytes>(entry_not_found(name));
}

Result<Package> Package::open_inside(std::string_view name, std::size_t depth,
                                     Diagnostics& diagnostics) const {
  if (depth >= kMaxNesting) {
    const std::string message =
        format_text("packages are nested deeper than the limit of {}", kMaxNesting);
    report(&diagnostics, Severity::error, "usdz-nesting", {.file = identifier_}, sentence(message));
    return Error{ErrorCode::limit_exceeded, message + "."};
  }
  Result<Bytes> bytes = read_entry(name, diagnostics);
  if (!bytes) return std::move(bytes).error();
  return open(*std::move(bytes), join(identifier_, name), diagnostics, options_);
}

Result<Bytes> Package::read(std::string_view address, Diagnostics& diagnostics) const {
  Package inner;  // Of the packages on the way the last one.
  const Package* package = this;
  std::string rest(address);
  for (std::size_t depth = 1;; ++depth) {
    auto [name, inside] = split_outer(rest);
    if (inside.empty()) return package->read_entry(name, diagnostics);
    Result<Package> next = package->open_inside(name, depth, diagnostics);
    if (!next) return std::move(next).error();
    inner = *std::move(next);
    package = &inner;
    rest = std::move(inside);
  }
}

Result<std::string> Package::default_layer(Diagnostics& diagnostics) const {
  Package inner;
  const Package* package = this;
  std::string address;
  for (std::size_t depth = 1;; ++depth) {
    const std::string_view first =
        package->entries_.empty() ? std::string_view() : package->entries_.front().name;
    const ContentKind kind = content_kind(first);
    if (kind == ContentKind::layer) return join(address, first);
    if (kind != ContentKind::package) {
      const std::string message =
          format_text("the first file of the package, '{}', is not a layer", shown(first));
      report(&diagnostics, Severity::error, "usdz-no-default-layer", {.file = package->identifier_},
             sentence(message));
      return Error{ErrorCode::unsupported, message + "."};
    }
    Result<Package> next = package->open_inside(first, depth, diagnostics);
    if (!next) return std::move(next).error();
    address = join(address, first);
    inner = *std::move(next);
    package = &inner;
  }
}

}  // namespace sinew::usdz
