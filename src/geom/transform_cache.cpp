// SPDX-License-Identifier: Apache-2.0
#include "sinew/geom/transform_cache.hpp"

#include "sinew/geom/transforms.hpp"

namespace sinew::geom {

using stage::Prim;

void TransformCache::set_time(stage::Time time) {
  if (time == time_) return;
  time_ = time;
  clear();
}

const TransformCache::Entry& TransformCache::entry(const Prim& prim) {
  // Up to the nearest prim that is known or resets the stack, then down again.
  pending_.clear();
  const Entry* known = nullptr;
  for (Prim p = prim; p; p = p.parent()) {
    if (const auto found = entries_.find(p); found != entries_.end()) {
      known = &found->second;
      break;
    }
    pending_.push_back(p);
  }
  if (!prim) pending_.push_back(prim);  // One that is none stands where the root does.
  for (auto it = pending_.rbegin(); it != pending_.rend(); ++it) {
    Entry entry;
    if (!it->is_root()) {
      const LocalTransform local = local_transform(*it, time_, diagnostics_);
      entry.resets_stack = local.resets_stack;
      entry.world_from_prim = local.resets_stack
                                  ? local.parent_from_prim
                                  : Matrix4d(known->world_from_prim * local.parent_from_prim);
    }
    known = &entries_.emplace(*it, entry).first->second;
  }
  return *known;
}

const Matrix4d& TransformCache::world_from_prim(const Prim& prim) {
  return entry(prim).world_from_prim;
}

Matrix4d TransformCache::world_from_parent(const Prim& prim) {
  if (prim.is_root() || entry(prim).resets_stack) return Matrix4d::Identity();
  return entry(prim.parent()).world_from_prim;
}

bool TransformCache::resets_stack(const Prim& prim) {
  return entry(prim).resets_stack;
}

}  // namespace sinew::geom
