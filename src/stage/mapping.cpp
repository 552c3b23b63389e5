// SPDX-License-Identifier: Apache-2.0

#include "core/format_text.hpp"
#include "layer/shared/inner_paths.hpp"
#include "stage/path_map.hpp"
#include "stage/prim_index.hpp"
#include "stage/stage_impl.hpp"

namespace sinew::stage {

layer::Path map_path(std::span<const Mapping> mappings, std::uint32_t mapping,
                     const layer::Path& path) {
  const std::shared_ptr<const PathMap>& map = mappings[mapping].map;
  if (map == nullptr) return path;
  return layer::map_inner_paths(map->to_target(path), [&](const layer::Path& inner) {
    return map_path(mappings, mapping, inner);
  });
}

std::string Stage::Impl::describe(std::uint32_t mapping) const {
  std::string text;
  for (; mapping != 0; mapping = mappings[mapping].outer) {
    const Mapping& at = mappings[mapping];
    if (at.path.empty()) continue;
    std::string step;
    if (at.arc == Arc::variant) {
      const std::string_view site = at.path.view();
      const std::size_t begin = site.rfind('{') + 1;
      step = format_text("variant {}", site.substr(begin, site.find('}', begin) - begin));
    } else {
      step = format_text("{} ", name_of(at.arc));
      if (at.layer != kNoNode) step += format_text("@{}@", layers[at.layer]->identifier());
      step += format_text("<{}>", at.path.view());
    }
    text = text.empty() ? step : format_text("{} > {}", step, text);
  }
  return text;
}

}  // namespace sinew::stage
