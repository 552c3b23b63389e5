// SPDX-License-Identifier: Apache-2.0
#include "stage/path_map.hpp"

#include <algorithm>

#include "core/sort.hpp"
#include "stage/stage_impl.hpp"

namespace sinew::stage {

using layer::LayerOffset;
using layer::Path;

namespace {

constexpr std::size_t kFewPairs = 16;

const PathMap::Pair* with_source(const std::vector<PathMap::Pair>& pairs, const Path& source) {
  const auto found = std::lower_bound(
      pairs.begin(), pairs.end(), source,
      [](const PathMap::Pair& pair, const Path& wanted) { return pair.first < wanted; });
  return found != pairs.end() && found->first == source ? &*found : nullptr;
}

}  // namespace

struct PathMap::Steps {
  PathMap outer;
  PathMap inner;  // Applied first.
};

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
  if (steps_ == nullptr) return apply_in_one(path, backwards);
  const PathMap& first = backwards ? steps_->outer : steps_->inner;
  const PathMap& second = backwards ? steps_->inner : steps_->outer;
  return second.apply(first.apply(path, backwards), backwards);
}

// The pair with the longest source, or target, that `path` is or lies below, if that is longer than
// `least` characters. Of few pairs each is looked at; of many, those of the path's ancestors.
const PathMap::Pair* PathMap::most_specific(const Path& path, bool by_target,
                                            std::size_t least) const {
  const auto side = [by_target](const Pair& pair) -> const Path& {
    return by_target ? pair.second : pair.first;
  };
  const Pair* best = nullptr;
  if (pairs_.size() <= kFewPairs + path.view().size()) {
    for (const Pair& pair : pairs_) {
      const std::size_t size = side(pair).view().size();
      if (size > least && path.has_prefix(side(pair))) {
        best = &pair;
        least = size;
      }
    }
    return best;
  }
  for (Path at = path; at.view().size() > least; at = at.parent()) {
    if (by_target) {
      const auto found = std::lower_bound(
          by_target_.begin(), by_target_.end(), at,
          [&](std::uint32_t pair, const Path& wanted) { return pairs_[pair].second < wanted; });
      if (found != by_target_.end() && pairs_[*found].second == at) return &pairs_[*found];
    } else if (const Pair* found = with_source(pairs_, at)) {
      return found;
    }
  }
  return nullptr;
}

Path PathMap::apply_in_one(const Path& path, bool backwards) const {
  if (path.empty()) return {};
  const Pair* best = most_specific(path, backwards, 0);
  if (best == nullptr) {
    return root_identity_ && most_specific(path, !backwards, 0) == nullptr ? path : Path();
  }
  const Path& from = backwards ? best->second : best->first;
  const Path& to = backwards ? best->first : best->second;
  if (to.empty()) return {};
  Path result = path.replace_prefix(from, to);
  // Where another pair leads is that pair's.
  if (most_specific(result, !backwards, to.view().size()) != nullptr) return {};
  return result;
}

PathMap PathMap::in_steps() const {
  PathMap result = *this;
  if (!is_identity()) result.steps_ = std::make_shared<const Steps>(Steps{*this, PathMap()});
  return result;
}

PathMap PathMap::after(const PathMap& inner) const {
  PathMap result;
  result.root_identity_ = root_identity_ && inner.root_identity_;
  result.offset_ = compose(offset_, inner.offset_);
  for (const auto& [source, target] : inner.pairs_) {
    result.pairs_.emplace_back(source, apply_in_one(target, false));
  }
  for (const auto& [source, target] : pairs_) {
    Path mapped = inner.apply_in_one(source, true);
    if (!mapped.empty()) result.pairs_.emplace_back(std::move(mapped), target);
  }
  result.simplify();
  if (inner.is_identity()) {
    result.steps_ = steps_;
  } else if (is_identity()) {
    result.steps_ = inner.steps_;
  } else if (steps_ != nullptr || inner.steps_ != nullptr) {
    result.steps_ = std::make_shared<const Steps>(Steps{*this, inner});
  }
  return result;
}

PathMap PathMap::implied_by(const PathMap& transfer) const {
  if (is_identity() || transfer.is_identity()) return *this;
  PathMap result;
  result.offset_ = offset_;
  for (const auto& [source, target] : pairs_) {
    Path moved = transfer.apply_in_one(source, false);
    if (moved.empty()) continue;
    result.pairs_.emplace_back(std::move(moved),
                               target.empty() ? Path() : transfer.apply_in_one(target, false));
  }
  // What the transfer moves from below the heir, it moves from below the class.
  for (const auto& [source, target] : transfer.pairs_) {
    for (const auto& [from, heir] : pairs_) {
      if (heir.empty() || source == heir || !source.has_prefix(heir)) continue;
      const Path in_class = source.replace_prefix(heir, from);
      if (apply_in_one(in_class, false) != source) continue;
      Path moved = transfer.apply_in_one(in_class, false);
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
  if (steps_ != nullptr) {
    result.steps_ =
        std::make_shared<const Steps>(Steps{steps_->inner.inverse(), steps_->outer.inverse()});
  }
  return result;
}

PathMap PathMap::with_root_identity() const {
  PathMap result = *this;
  if (root_identity_) return result;
  result.root_identity_ = true;
  result.steps_ = nullptr;
  result.simplify();
  return result;
}

// Sorts the pairs, and drops those that say nothing beyond what a less specific one says.
void PathMap::simplify() {
  if (pairs_.size() == 1) {  // The most frequent by far.
    const auto& [source, target] = pairs_.front();
    if (root_identity_ ? source == target : target.empty()) pairs_.clear();
    by_target_.clear();
    return;
  }
  sort_range(pairs_.begin(), pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end(),
                           [](const Pair& a, const Pair& b) { return a.first == b.first; }),
               pairs_.end());
  const auto follows = [this](const Pair& pair) {
    const Pair* outer = most_specific(pair.first.parent(), false, 0);
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
  by_target_.clear();
  if (pairs_.size() <= kFewPairs) return;
  for (std::uint32_t i = 0; i < pairs_.size(); ++i) {
    if (!pairs_[i].second.empty()) by_target_.push_back(i);
  }
  stable_sort_range(by_target_.begin(), by_target_.end(), [this](std::uint32_t a, std::uint32_t b) {
    return pairs_[a].second < pairs_[b].second;
  });
}

}  // namespace sinew::stage
