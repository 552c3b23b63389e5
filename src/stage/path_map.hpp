// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "sinew/layer/layer.hpp"
#include "sinew/layer/path.hpp"

namespace sinew::stage {

/// How paths and times of one site read at another: pairs of prefixes, the most specific one wins.
/// A path has no place on the other side if no pair covers it, if its pair has an empty target, or
/// if it would land where another pair leads; so what maps, maps back to itself.
///
/// Two maps compose to one such function, which is more than one after the other: what had no place
/// between them may have one where both lead. What relocates do is a map `in_steps()`, as in
/// OpenUSD: a path that they leave no place for has none behind them either.
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

  /// This map, which after or before another one maps paths by the two in turn.
  PathMap in_steps() const;
  /// This map applied after `inner`.
  PathMap after(const PathMap& inner) const;
  PathMap inverse() const;
  /// This map of a class to its heir, as it is where `transfer` brings both.
  PathMap implied_by(const PathMap& transfer) const;
  PathMap with_root_identity() const;

  bool is_identity() const noexcept {
    return pairs_.empty() && root_identity_ && steps_ == nullptr;
  }
  /// How many pairs it takes: composing two maps costs in proportion to both, times a logarithm.
  std::size_t size() const noexcept { return pairs_.size(); }
  /// Source time * scale + offset = target time.
  const layer::LayerOffset& offset() const noexcept { return offset_; }

  /// Whether they are the same as one function; in how many steps they map does not count.
  friend bool operator==(const PathMap& a, const PathMap& b) {
    return a.pairs_ == b.pairs_ && a.root_identity_ == b.root_identity_ && a.offset_ == b.offset_;
  }

 private:
  struct Steps;

  layer::Path apply(const layer::Path& path, bool backwards) const;
  layer::Path apply_in_one(const layer::Path& path, bool backwards) const;
  const Pair* most_specific(const layer::Path& path, bool by_target, std::size_t least) const;
  void simplify();

  std::vector<Pair> pairs_;               // Ascending by source; none that follows from another.
  std::vector<std::uint32_t> by_target_;  // Of many pairs, those with targets, ascending by them.
  bool root_identity_ = false;
  layer::LayerOffset offset_;
  std::shared_ptr<const Steps> steps_;  // How paths map if not by the pairs, mostly null.
};

}  // namespace sinew::stage
