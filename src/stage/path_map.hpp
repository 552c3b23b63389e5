// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "sinew/usda/layer.hpp"
#include "sinew/usda/path.hpp"

namespace sinew::stage {

/// How paths and times of one site read at another: pairs of prefixes, the most specific one wins.
/// A path has no place on the other side if no pair covers it, if its pair has an empty target, or
/// if it would come to lie where another pair leads; so what maps, maps back to itself.
class PathMap {
 public:
  using Pair = std::pair<usda::Path, usda::Path>;  // Source and target prefix.

  /// Everything stays as it is.
  PathMap() : root_identity_(true) {}
  /// `source` becomes `target`; with `root_identity` all other paths stay as they are.
  PathMap(usda::Path source, usda::Path target, bool root_identity,
          const usda::LayerOffset& offset = {});
  PathMap(std::vector<Pair> pairs, bool root_identity, const usda::LayerOffset& offset = {});

  /// The path on the target side; empty if it has no place there.
  usda::Path to_target(const usda::Path& path) const { return apply(path, false); }
  /// The path on the source side; empty if it has no place there.
  usda::Path to_source(const usda::Path& path) const { return apply(path, true); }

  /// This map applied after `inner`.
  PathMap after(const PathMap& inner) const;
  PathMap inverse() const;
  PathMap with_root_identity() const;

  bool is_identity() const noexcept { return pairs_.empty() && root_identity_; }
  /// Source time * scale + offset = target time.
  const usda::LayerOffset& offset() const noexcept { return offset_; }

  friend bool operator==(const PathMap&, const PathMap&) = default;

 private:
  usda::Path apply(const usda::Path& path, bool backwards) const;
  void simplify();

  std::vector<Pair> pairs_;  // Ascending by source; none that follows from another.
  bool root_identity_ = false;
  usda::LayerOffset offset_;
};

}  // namespace sinew::stage
