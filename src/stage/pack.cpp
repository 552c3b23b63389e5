// SPDX-License-Identifier: Apache-2.0
#include "sinew/stage/pack.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>

#include "core/files.hpp"
#include "core/format_text.hpp"
#include "core/report.hpp"
#include "core/shown.hpp"
#include "layer/shared/map_assets.hpp"
#include "sinew/stage/package_resolver.hpp"
#include "sinew/usda/writer.hpp"
#include "sinew/usdc/reader.hpp"
#include "sinew/usdc/writer.hpp"
#include "sinew/usdz/package_path.hpp"
#include "stage/clip_template.hpp"
#include "stage/layer_formats.hpp"
#include "stage/shared/asset_place.hpp"
#include "stage/variable_expression.hpp"

namespace sinew::stage {

namespace {

constexpr std::string_view kUdim = "<UDIM>";
constexpr int kFirstTile = 1001;
constexpr int kLastTile = 1999;
// Files that are looked for because they may be tiles: a few letters stand for 999 of them.
constexpr std::size_t kMostTiles = 4'000'000;

// Where a file is: the package it is in, or nothing, and its name there.
std::pair<std::string, std::string> package_and_name(const std::string& identifier) {
  if (!usdz::is_package_path(identifier)) return {{}, identifier};
  return usdz::split_inner(identifier);
}

// Folders of the file system and of a package, told apart.
std::string folder_key(const std::string& identifier) {
  const auto [package, name] = package_and_name(identifier);
  return package.empty() ? folder_of(name)
                         : usdz::join(package, std::string(folder_of_entry(name)) + '/');
}

std::string small(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

// Every reader takes it as the name of an entry.
std::string safe(std::string name) {
  for (char& c : name) {
    const bool is_bad = static_cast<unsigned char>(c) < 0x20 || c == 0x7F || c == '\\' || c == ':';
    if (is_bad) c = '_';
  }
  return name;
}

// How a layer names another file of the package.
std::string anchored(std::string_view from, std::string_view to) {
  std::string up = "./";
  for (;;) {
    const std::size_t slash = from.find('/');
    if (slash == std::string_view::npos) break;
    const bool is_shared = up == "./" && to.substr(0, slash + 1) == from.substr(0, slash + 1);
    from.remove_prefix(slash + 1);
    if (is_shared) {
      to.remove_prefix(slash + 1);
    } else {
      up = up == "./" ? "../" : up + "../";
    }
  }
  return up + std::string(to);
}

class Packer {
 public:
  Packer(Diagnostics& diagnostics, const PackOptions& options)
      : diagnostics_(diagnostics),
        options_(options),
        resolver_(options.open.resolver != nullptr ? *options.open.resolver : files_, diagnostics,
                  {.rules = options.open.rules,
                   .closed_packages = options.open.closed_packages,
                   .max_bytes = options.open.limits.file_bytes}) {}

  Result<std::vector<usdz::File>> run(const std::string& file) {
    const std::size_t told = diagnostics_.size();
    const Result<std::string> root = resolver_.resolve(file, {});
    if (!root) return root.error();
    // Who has read the layer has opened its package.
    if (options_.layer != nullptr) diagnostics_.resize(std::min(told, diagnostics_.size()));
    root_ = *root;
    container_ = package_and_name(root_).first;
    const std::size_t slash = options_.name.rfind('/') + 1;
    prefix_ = options_.name.substr(0, slash);
    folders_.emplace(folder_key(root_), prefix_);
    names_.emplace(root_, options_.name);
    taken_.insert(small(options_.name));
    layers_.push_back(root_);
    std::vector<usdz::File> packed;
    for (std::size_t i = 0; i < layers_.size(); ++i) {  // Which grow on the way.
      const std::string identifier = layers_[i];
      Result<Bytes> bytes = pack_layer(identifier);
      if (!bytes && i == 0) return std::move(bytes).error();
      if (bytes) packed.push_back({names_.at(identifier), *std::move(bytes)});
    }
    for (const std::string& asset : assets_) {
      Result<Bytes> bytes = resolver_.read(asset, options_.open.limits.file_bytes);
      if (bytes) {
        packed.push_back({names_.at(asset), *std::move(bytes)});
      } else {
        tell(asset, format_text("The file cannot be read and is not packed: {}.",
                                inside_sentence(bytes.error())));
      }
    }
    return packed;
  }

 private:
  Result<Bytes> pack_layer(const std::string& identifier) {
    const bool is_root = identifier == root_;
    const bool is_read = is_root && options_.layer != nullptr;
    Result<Bytes> bytes = Bytes();
    if (!is_read || !options_.binary) {
      bytes = resolver_.read(identifier, options_.open.limits.file_bytes);
    }
    if (!bytes) {
      tell(identifier, format_text("The layer cannot be read and is not packed: {}.",
                                   inside_sentence(bytes.error())));
      return bytes;
    }
    const Result<layer::LayerPtr> layer =
        is_read ? options_.layer
                : read_layer(*bytes, identifier, diagnostics_, options_.open, nullptr);
    if (!layer) return is_root ? Result<Bytes>(layer.error()) : bytes;  // As bad as it is.
    if (is_root) take_variables(**layer);
    bool is_changed = false;
    std::unordered_map<Token, Token> known;
    const auto changed = [&](Token text, const std::string& path) {
      if (path == text.view()) return text;
      is_changed = true;
      return (*layer)->tokens()->intern(path);
    };
    const auto map_path = [&](Token asset) {
      const auto [found, is_new] = known.try_emplace(asset, asset);
      if (is_new) found->second = changed(asset, place(std::string(asset.view()), identifier));
      return found->second;
    };
    const auto map_template = [&](const layer::Dictionary& set, Token text) {
      return changed(text, place_template(set, std::string(text.view()), identifier));
    };
    const layer::LayerPtr mapped = layer::map_assets(**layer, map_path, map_template);
    if (is_root && options_.binary) {
      return usdc::write(*mapped, diagnostics_, {.version = *options_.binary});
    }
    if (!is_changed) return bytes;
    if (usdc::is_crate(*bytes)) return usdc::write(*mapped, diagnostics_);
    return Bytes(usda::write(*mapped, diagnostics_));
  }

  // In every layer of the package those of the root layer win over any other.
  void take_variables(const layer::Layer& root) {
    const layer::Value* const value = root.field("expressionVariables");
    if (value == nullptr || value->as_dictionary() == nullptr) return;
    for (const layer::DictionaryEntry& entry : *value->as_dictionary()) {
      variables_.try_emplace(entry.key.str(), expression_value(entry.value));
    }
  }

  // The text, or what it gives if it is an expression; nothing, and told, if that takes more than
  // the variables of the root layer.
  std::optional<std::string> evaluated(const std::string& text, const std::string& layer) {
    if (!is_expression(text)) return text;
    bool is_known = true;
    const Result<ExpressionValue> value =
        evaluate_expression(text, [&](std::string_view name) -> std::optional<ExpressionValue> {
          const auto found = variables_.find(name);
          if (found != variables_.end()) return found->second;
          is_known = false;
          return std::nullopt;
        });
    if (value && is_known) {
      if (const auto* result = std::get_if<std::string>(&value->data)) return *result;
      if (std::holds_alternative<std::monostate>(value->data)) return std::string();
    }
    tell(layer, format_text("What the expression '{}' gives is not packed.", shown(text)));
    return std::nullopt;
  }

  // What a path in a layer becomes: itself if nothing is found there.
  std::string place(const std::string& asset, const std::string& layer) {
    const std::optional<std::string> path = evaluated(asset, layer);
    if (!path || path->empty()) return asset;  // None is no file.
    const AssetPathParts parts = split_format_arguments(*path);
    std::string name = parts.path.find(kUdim) == std::string_view::npos
                           ? place_file(parts.path, layer)
                           : place_tiles(parts.path, layer);
    if (name.empty()) {
      tell(layer, format_text("The asset '{}' is not found and not packed.", shown(*path)));
      return asset;
    }
    return anchored(names_.at(layer), name) + std::string(parts.arguments);
  }

  // The name in the package, with what is meant of a package within; empty if nothing is found.
  std::string place_file(std::string_view asset, const std::string& layer) {
    const Result<std::string> found = resolver_.resolve_on_stage(asset, layer, root_);
    if (!found) return {};
    const auto [file, inner] = file_to_pack(*found);
    const std::string& name = name_of(file);
    const bool is_whole = usdz::is_package_name(asset);
    return name.empty() || is_whole ? name : usdz::join(name, inner);
  }

  // The name of the set; empty if there are no tiles.
  std::string place_tiles(std::string_view asset, const std::string& layer) {
    const std::size_t at = asset.rfind(kUdim);
    std::string set;
    for (int tile = kFirstTile; tile <= kLastTile && tiles_ < kMostTiles; ++tile, ++tiles_) {
      const std::string number = std::to_string(tile);
      std::string one(asset);
      one.replace(at, kUdim.size(), number);
      const std::string name = place_file(one, layer);
      const std::size_t place = name.rfind(number);
      if (place == std::string::npos) continue;
      std::string pattern = name;
      pattern.replace(place, number.size(), kUdim);
      if (set.empty()) set = pattern;
      if (pattern == set) continue;
      tell(layer, format_text("The tile '{}' does not lie beside the others of its set.", one));
    }
    return set;
  }

  // What the template of a set of value clips becomes: itself if no file fits it, or if files of
  // one template cannot be named by one.
  std::string place_template(const layer::Dictionary& set, const std::string& text,
                             const std::string& layer) {
    const std::optional<std::string> path = evaluated(text, layer);
    if (!path) return text;
    const std::optional<ClipTemplate> parts = read_clip_template(*path);
    const std::optional<ClipTimes> times = times_of(set);
    std::string folder;
    bool is_one = parts && times && safe(parts->after) == parts->after;
    const double steps = is_one ? times->steps() : -1.0;
    const bool is_short = steps < static_cast<double>(options_.open.limits.layers);
    for (std::uint32_t i = 0; is_short && i <= steps && tiles_ < kMostTiles; ++i, ++tiles_) {
      const std::string end = parts->number(times->at(i)) + parts->after;
      const std::string name = place_file(parts->before + end, layer);
      if (name.empty()) continue;
      const std::string before = name.substr(0, name.size() - std::min(end.size(), name.size()));
      if (folder.empty()) folder = before + parts->marks + parts->after;
      is_one = is_one && before + end == name && folder == before + parts->marks + parts->after;
    }
    if (is_one && !folder.empty()) return anchored(names_.at(layer), folder);
    tell(layer,
         format_text("The clips of the template '{}' are {}.", shown(*path),
                     folder.empty() ? "not packed" : "packed under names that no template gives"));
    return text;
  }

  // Nothing if the set does not say it all: stronger or weaker layers may.
  static std::optional<ClipTimes> times_of(const layer::Dictionary& set) {
    const auto number = [&](std::string_view key) {
      const layer::DictionaryEntry* const entry = layer::find(set, key);
      return (entry == nullptr ? std::nullopt : entry->value.get<double>())
          .value_or(std::numeric_limits<double>::quiet_NaN());
    };
    const ClipTimes times = {number("templateStartTime"), number("templateEndTime"),
                             number("templateStride")};
    const bool is_usable = times.stride > 0.0 && times.start <= times.end &&
                           times.start >= -kMaxClipTime && times.end <= kMaxClipTime;
    return is_usable ? std::optional(times) : std::nullopt;
  }

  // Of what is in packages, other than the one that the root layer is in, the outermost of them;
  // and what is meant within.
  std::pair<std::string, std::string> file_to_pack(std::string identifier) const {
    std::string inner;
    for (;;) {
      const auto [package, name] = package_and_name(identifier);
      if (package.empty() || package == container_) return {std::move(identifier), inner};
      inner = usdz::join(name, inner);
      identifier = package;
    }
  }

  // What a file is called in the package, to which it is added; empty if it may not be.
  const std::string& name_of(const std::string& file) {
    const auto [known, is_new] = names_.try_emplace(file);
    if (!is_new) return known->second;
    const auto [package, plain] = package_and_name(file);
    const bool is_layer = usdz::content_kind(plain) == usdz::ContentKind::layer;
    if (is_layer && layers_.size() >= options_.open.limits.layers) return known->second;
    std::string name = name_below_root(package, plain);
    if (name.empty()) name = name_in_folder(folder_key(file), last_name(plain));
    while (!taken_.insert(small(name)).second) {
      // Told apart by letter case alone, or by letters that no package takes.
      name = prefix_ + new_folder() + safe(last_name(plain));
    }
    known->second = std::move(name);
    (is_layer ? layers_ : assets_).push_back(file);
    return known->second;
  }

  static std::string last_name(const std::string& name) { return name.substr(name.rfind('/') + 1); }

  // Below the folder of the root layer files keep their places.
  std::string name_below_root(const std::string& package, const std::string& name) const {
    if (package != container_) return {};
    const std::string root = package_and_name(root_).second;
    const std::string folder = root.substr(0, root.rfind('/') + 1);
    if (!name.starts_with(folder)) return {};
    std::string below = safe(name.substr(folder.size()));
    return below.starts_with('/') || below.empty() ? std::string() : prefix_ + below;
  }

  std::string name_in_folder(const std::string& folder, const std::string& name) {
    const auto [found, is_new] = folders_.try_emplace(folder);
    if (is_new) found->second = prefix_ + new_folder();
    return found->second + safe(name);
  }

  std::string new_folder() { return std::to_string(next_folder_++) + '/'; }

  void tell(const std::string& file, std::string message) {
    report(&diagnostics_, Severity::warning, "usdz-not-packed", {.file = file}, std::move(message));
  }

  Diagnostics& diagnostics_;
  const PackOptions& options_;
  FileResolver files_;
  PackageResolver resolver_;
  std::string root_;
  std::string container_;                     // The package that the root layer is in, or nothing.
  std::string prefix_;                        // The folder in the package, with its slash.
  std::vector<std::string> layers_;           // Identifiers, in the order in which they were found.
  std::vector<std::string> assets_;           // Likewise.
  std::map<std::string, std::string> names_;  // In the package, by identifier.
  std::map<std::string, std::string> folders_;  // In the package, with their slashes.
  std::set<std::string> taken_;                 // Names, in small letters.
  std::map<std::string, ExpressionValue, std::less<>> variables_;  // Of the root layer.
  std::size_t next_folder_ = 0;
  std::size_t tiles_ = 0;  // Of textures and of time, that were looked for.
};

}  // namespace

Result<std::vector<usdz::File>> pack(const std::string& file, Diagnostics& diagnostics,
                                     const PackOptions& options) {
  return Packer(diagnostics, options).run(file);
}

}  // namespace sinew::stage
