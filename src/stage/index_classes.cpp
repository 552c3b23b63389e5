// SPDX-License-Identifier: Apache-2.0
// Inherits and specializes, and what they imply.
#include "stage/index_builder.hpp"

namespace sinew::stage {

namespace {

using layer::Path;

}  // namespace

void IndexBuilder::evaluate_classes(Build& build, std::uint32_t node, Arc arc) {
  const IndexNode& at = build.index->nodes[node];
  std::vector<Path> classes;
  for (auto spec = at.specs.rbegin(); spec != at.specs.rend(); ++spec) {
    if (spec->prim->extra == nullptr) continue;
    apply_list_op(
        arc == Arc::inherit ? spec->prim->extra->inherits : spec->prim->extra->specializes,
        classes);
  }
  const LayerStack& stack = *at.stack;
  const Path path = at.path;
  look(kLooksPerArc * classes.size());
  for (std::uint32_t i = 0; i < classes.size() && !build.is_full; ++i) {
    add_class_arc(build, node, node, arc, classes[i], arc_map(stack, path, classes[i], {}, true),
                  i);
  }
}

std::uint32_t IndexBuilder::add_class_arc(Build& build, std::uint32_t parent, std::uint32_t origin,
                                          Arc arc, const Path& path,
                                          std::shared_ptr<const PathMap> map, std::uint32_t order) {
  const std::vector<IndexNode>& nodes = build.index->nodes;
  ArcTarget target;
  target.stack = nodes[parent].stack;
  target.path = path;
  target.map = std::move(map);
  target.order = order;
  target.implied = origin != parent;
  // The very site that implies the arc has its opinions there already. The node stands for the
  // class all the same, so that it is implied further.
  const IndexNode& from = nodes[origin];
  target.contributes = !target.implied || from.stack != target.stack || from.path != path;
  target.skip_duplicates = target.contributes;
  return add_arc(build, parent, origin, arc, target);
}

// A class that a weaker site inherits is also looked for where that site is brought to.
void IndexBuilder::evaluate_implied_classes(Build& build, std::uint32_t node) {
  const IndexNode& at = build.index->nodes[node];
  if (at.parent == kNoIndexNode) return;
  const std::uint32_t to = at.parent;
  const PathMap transfer =
      at.arc == Arc::relocate ? PathMap(at.path, build.index->nodes[to].path.strip_variants(), true)
                              : at.map->with_root_identity();
  imply_class_tree(build, to, node, transfer, true);
}

// The class of `parent` that `source` would be implied as, if it is there.
std::uint32_t IndexBuilder::find_class(const Build& build, std::uint32_t parent,
                                       std::uint32_t source, const Path& path,
                                       const PathMap& map) const {
  const PrimIndex& index = *build.index;
  const IndexNode& like = index.nodes[source];
  const bool by_site = index.nodes[parent].arc == Arc::relocate;
  std::uint32_t child = index.nodes[parent].first_child;
  for (; child != kNoIndexNode; child = index.nodes[child].next_sibling) {
    ++steps_;
    const IndexNode& at = index.nodes[child];
    if (by_site ? at.stack == index.nodes[parent].stack && at.path == path
                : at.arc == like.arc && at.path == path && *at.map == map &&
                      index.levels_below_arc(child) == index.levels_below_arc(source)) {
      break;
    }
  }
  return child;
}

void IndexBuilder::imply_class_tree(Build& build, std::uint32_t to, std::uint32_t from,
                                    const PathMap& transfer, bool is_start) {
  std::vector<std::uint32_t> classes;
  const bool from_class = is_start && is_class_arc(build.index->nodes[from].arc);
  const std::uint32_t levels = build.index->levels_below_arc(from);
  for (std::uint32_t c = build.index->nodes[from].first_child; c != kNoIndexNode;
       c = build.index->nodes[c].next_sibling) {
    if (!is_class_arc(build.index->nodes[c].arc)) continue;
    // What goes on from a class, the classes of its heirs already follow.
    if (from_class && build.index->levels_below_arc(c) == levels) continue;
    classes.push_back(c);
  }
  for (const std::uint32_t source : classes) {
    if (build.is_full || is_exhausted()) return;
    const IndexNode& origin = build.index->nodes[source];
    const Path path = transfer.to_target(origin.path.strip_variants());
    if (path.empty()) continue;
    // From the inside out: what leads to the heir is gone by then, and blocks no path of its name.
    auto map =
        transfer.is_identity()
            ? origin.map
            : std::make_shared<const PathMap>(
                  transfer.after(origin.map->after(transfer.inverse())).with_root_identity());
    std::uint32_t implied = find_class(build, to, source, path, *map);
    if (implied == kNoIndexNode) {
      implied = add_class_arc(build, to, source, origin.arc, path, std::move(map), origin.order);
    }
    if (implied != kNoIndexNode) imply_class_tree(build, implied, source, transfer, false);
  }
}

}  // namespace sinew::stage
