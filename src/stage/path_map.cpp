// SPDX-License-Identifier: Apache-2.0
#include "stage/path_map.hpp"

#include <algorithm>

#include "core/sort.hpp"
#include "stage/stage_impl.hpp"

namespace sinew::stage {

using layer::LayerOffset;
using layer::Path;

PathMap::PathMap(Path source, Path target, bool root_identity, const LayerOffset& offset)
    : root_identity_(root_identity), offset_(offset) {
  pairs_.emplace_back(std::move(source), std::move(target));
  simplify();
}

PathMap::PathMap(std::vector<Pair> pairs, bool root_identity, const LayerOffset& offset)
    : pairs_(std::move(pairs)), root_identity_(root_identity), offset_(offset) {
  simplify();
}

Path PathMap::apply(const Path& path, bool backwards) const {
  if (path.empty()) return {};
  const auto from = [&](const Pair& pair) -> const Path& {
    return backwards ? pair.second : pair.first;
  };
  const auto to = [&](const Pair& pair) -> const Path& {
    return backwards ? pair.first : pair.second;
  };
  const Pair* best = nullptr;
  for (const Pair& pair : pairs_) {
    if (!from(pair).empty() && path.has_prefix(from(pair)) &&
        (best == nullptr || from(pair).view().size() > from(*best).view().size())) {
      best = &pair;
    }
  }
  if (best == nullptr ? !root_identity_ : to(*best).empty()) return {};
  Path result = best == nullptr ? path : path.replace_prefix(from(*best), to(*best));
  const std::size_t reach = best == nullptr ? 0 : to(*best).view().size();
  for (const Pair& pair : pairs_) {
    if (&pair != best && to(pair).view().size() > reach && result.has_prefix(to(pair))) return {};
  }
  return result;
}

PathMap PathMap::after(const PathMap& inner) const {
  PathMap result;
  result.root_identity_ = root_identity_ && inner.root_identity_;
  result.offset_ = compose(offset_, inner.offset_);
  for (const auto& [source, target] : inner.pairs_) {
    result.pairs_.emplace_back(source, to_target(target));
  }
  for (const auto& [source, target] : pairs_) {
    Path mapped = inner.to_source(source);
    if (!mapped.empty()) result.pairs_.emplace_back(std::move(mapped), target);
  }
  result.simplify();
  return result;
}

PathMap PathMap::implied_by(const PathMap& transfer) const {
  if (is_identity()) return *this;
  PathMap result;
  result.offset_ = offset_;
  for (const auto& [source, target] : pairs_) {
    Path moved = transfer.to_target(source);
    if (moved.empty()) continue;
    result.pairs_.emplace_back(std::move(moved),
                               target.empty() ? Path() : transfer.to_target(target));
  }
  // What the transfer moves from below the heir, it moves from below the class.
  for (const auto& [source, target] : transfer.pairs_) {
    for (const auto& [from, heir] : pairs_) {
      if (heir.empty() || source == heir || !source.has_prefix(heir)) continue;
      const Path in_class = source.replace_prefix(heir, from);
      if (to_target(in_class) != source) continue;
      Path moved = transfer.to_target(in_class);
      if (!moved.empty()) result.pairs_.emplace_back(std::move(moved), target);
    }
  }
  result.simplify();
  return result;
}

PathMap PathMap::inverse() const {
  PathMap result;
  result.root_identity_ = root_identity_;
  result.offset_ = {-offset_.offset / offset_.scale, 1.0 / offset_.scale};
  for (const auto& [source, target] : pairs_) {
    if (!target.empty()) result.pairs_.emplace_back(target, source);
  }
  result.simplify();
  return result;
}

PathMap PathMap::with_root_identity() const {
  PathMap result = *this;
  result.root_identity_ = true;
  result.simplify();
  return result;
}

// Sorts the pairs, and drops those that say nothing beyond what a less specific one says.
void PathMap::simplify() {
  sort_range(pairs_.begin(), pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end(),
                           [](const Pair& a, const Pair& b) { return a.first == b.first; }),
               pairs_.end());
  const auto follows = [this](const Pair& pair) {
    const Pair* outer = nullptr;
    for (const Pair& other : pairs_) {
      if (&other != &pair && pair.first.has_prefix(other.first) &&
          (outer == nullptr || other.first.view().size() > outer->first.view().size())) {
        outer = &other;
      }
    }
    if (outer == nullptr) {
      return root_identity_ ? pair.first == pair.second : pair.second.empty();
    }
    if (outer->second.empty() || pair.second.empty()) return outer->second == pair.second;
    return pair.first.replace_prefix(outer->first, outer->second) == pair.second;
  };
  std::vector<Pair> kept;
  for (const Pair& pair : pairs_) {
    if (!follows(pair)) kept.push_back(pair);
  }
  pairs_ = std::move(kept);
}

}  // namespace sinew::stage
