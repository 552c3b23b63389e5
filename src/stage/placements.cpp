// SPDX-License-Identifier: Apache-2.0
#include "stage/placements.hpp"

#include "layer/shared/inner_paths.hpp"
#include "stage/stage_impl.hpp"

namespace sinew::stage {

std::vector<Placement> placements(const Stage& stage, std::uint32_t node, std::uint64_t context) {
  const Stage::Impl& impl = impl_of(stage);
  std::vector<Placement> result;
  while (context != 0) {
    const layer::Path& composed = impl.trees[impl.nodes[node].tree].path;
    const Stage::Impl::Enclosing around = impl.enclosing(context);
    result.push_back({composed, StageAccess::prim(stage, around.instance, around.context).path()});
    node = around.instance;
    context = around.context;
  }
  return result;
}

layer::Path place(const std::vector<Placement>& places, layer::Path path) {
  const Placement* best = nullptr;
  for (const Placement& place : places) {
    const bool is_longer =
        best == nullptr || place.composed.view().size() > best->composed.view().size();
    if (is_longer && path.has_prefix(place.composed)) best = &place;
  }
  if (best != nullptr) path = path.replace_prefix(best->composed, best->seen);
  return layer::map_inner_paths(path,
                                [&](const layer::Path& inner) { return place(places, inner); });
}

}  // namespace sinew::stage
