// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/bytes.hpp"
#include "sinew/core/export.hpp"
#include "sinew/core/result.hpp"

namespace sinew::stage {

/// An asset path apart from the arguments for its file format that it may end with, as in
/// "a.usd:SDF_FORMAT_ARGS:target=usd". Views into the path that was split.
struct AssetPathParts {
  std::string_view path;       ///< What a resolver looks for.
  std::string_view arguments;  ///< With ":SDF_FORMAT_ARGS:" in front; empty if there are none.
};

/// Where the arguments of an asset path begin.
inline AssetPathParts split_format_arguments(std::string_view asset_path) noexcept {
  const std::size_t at = asset_path.find(":SDF_FORMAT_ARGS:");
  if (at == std::string_view::npos) return {asset_path, {}};
  return {asset_path.substr(0, at), asset_path.substr(at)};
}

/// Turns the asset paths of a file into bytes. The stage reads nothing but through this interface,
/// so an embedder decides what a file may reach.
///
/// Called by Stage::open() on its thread, and by what it is handed to, such as
/// Attribute::find_asset().
class SINEW_API AssetResolver {
 public:
  virtual ~AssetResolver() = default;

  /// The identifier of the asset that `asset_path` means when written in layer `anchor` (a resolved
  /// identifier; empty for the root layer). Two spellings of one asset give one identifier, and so
  /// does a path with other arguments, which are not looked for; see split_format_arguments().
  /// @return The identifier, or `not_found` with a sentence that names where it was looked for.
  virtual Result<std::string> resolve(std::string_view asset_path, std::string_view anchor) = 0;

  /// The same for a path in a layer of a stage, whose root layer is `root`. What resolve() does not
  /// find, and does not start with "./" or "../", it looks for as if written in the root layer.
  /// Override this with a call of resolve() to do without.
  virtual Result<std::string> resolve_on_stage(std::string_view asset_path, std::string_view anchor,
                                               std::string_view root) {
    Result<std::string> found = resolve(asset_path, anchor);
    if (found || anchor == root || asset_path.starts_with("./") || asset_path.starts_with("../")) {
      return found;
    }
    Result<std::string> beside_root = resolve(asset_path, root);
    return beside_root ? beside_root : found;  // The error names the anchor.
  }

  /// The bytes of a resolved asset. Arrays of binary layers stay in them, so they must not change
  /// while a layer read from them is in use.
  /// @return The bytes, or `io_failed` / `limit_exceeded` (larger than `max_bytes`).
  virtual Result<Bytes> read(std::string_view identifier, std::uint64_t max_bytes) = 0;
};

/// Reads from the file system: "./" and "../" relative to the layer that wrote the path, other
/// relative paths there first, then in the directory of the stage's root layer, and then in the
/// search paths; absolute ones as they are. Addresses with a scheme ("omniverse://...") are not
/// found. Large files are mapped, see map_file().
class SINEW_API FileResolver : public AssetResolver {
 public:
  /// Where files are looked for, and which may be read.
  struct Options {
    /// Directories, tried in order after that of the layer.
    std::vector<std::string> search_paths;
    /// Whether to look in the directory of the stage's root layer.
    bool search_beside_root = true;
    /// If not empty, only files below one of these directories are read, after symbolic links are
    /// followed.
    std::vector<std::string> allowed_directories;
  };
  FileResolver() = default;
  /// Paths in the options are taken as they are when a path is resolved.
  explicit FileResolver(Options options) : options_(std::move(options)) {}

  Result<std::string> resolve(std::string_view asset_path, std::string_view anchor) override;
  Result<std::string> resolve_on_stage(std::string_view asset_path, std::string_view anchor,
                                       std::string_view root) override;
  Result<Bytes> read(std::string_view identifier, std::uint64_t max_bytes) override;

 private:
  Options options_;
};

/// Layers held in memory, by name; for tests, archives and untrusted input. Nothing else is found.
class SINEW_API MemoryResolver : public AssetResolver {
 public:
  /// Relative asset paths are resolved against the directory part of the anchoring layer's name.
  void add(std::string name, Bytes bytes) { layers_[std::move(name)] = std::move(bytes); }
  /// The same with the text of a layer.
  void add(std::string name, std::string text) { add(std::move(name), Bytes(std::move(text))); }

  Result<std::string> resolve(std::string_view asset_path, std::string_view anchor) override;
  Result<Bytes> read(std::string_view identifier, std::uint64_t max_bytes) override;

 private:
  std::map<std::string, Bytes, std::less<>> layers_;
};

}  // namespace sinew::stage
