// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "sinew/layer/layer.hpp"
#include "sinew/layer/path.hpp"

namespace sinew::stage {

/// How paths and times of one site read at another: pairs of prefixes, the most specific one wins.
/// A path has no place on the other side if no pair covers it, if its pair has an empty target, or
/// if it would land where another pair leads; so what maps, maps back to itself.
class PathMap {
 public:
  using Pair = std::pair<layer::Path, layer::Path>;  // Source and target prefix.

  /// Everything stays as it is.
  PathMap() : root_identity_(true) {}
  /// `source` becomes `target`; with `root_identity` all other paths stay as they are.
  PathMap(layer::Path source, layer::Path target, bool root_identity,
          const layer::LayerOffset& offset = {});
  PathMap(std::vector<Pair> pairs, bool root_identity, const layer::LayerOffset& offset = {});

  /// The path on the target side; empty if it has no place there.
  layer::Path to_target(const layer::Path& path) const { return apply(path, false); }
  /// The path on the source side; empty if it has no place there.
  layer::Path to_source(const layer::Path& path) const { return apply(path, true); }

  /// This map applied after `inner`.
  PathMap after(const PathMap& inner) const;
  PathMap inverse() const;
  /// This map of a class to its heir, as it is where `transfer` brings both.
  PathMap implied_by(const PathMap& transfer) const;
  PathMap with_root_identity() const;

  bool is_identity() const noexcept { return pairs_.empty() && root_identity_; }
  /// Source time * scale + offset = target time.
  const layer::LayerOffset& offset() const noexcept { return offset_; }

  friend bool operator==(const PathMap&, const PathMap&) = default;

 private:
  layer::Path apply(const layer::Path& path, bool backwards) const;
  void simplify();

  std::vector<Pair> pairs_;  // Ascending by source; none that follows from another.
  bool root_identity_ = false;
  layer::LayerOffset offset_;
};

}  // namespace sinew::stage
