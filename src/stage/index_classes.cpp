// SPDX-License-Identifier: Apache-2.0
// Inherits and specializes, and what they imply.
#include <algorithm>
#include <utility>

#include "stage/index_builder.hpp"

namespace sinew::stage {

namespace {

using layer::Path;

// Where a class is looked for at a site: beside it, in the variants that the site is in.
Path in_variants_of(const Path& site, const Path& path) {
  if (path.empty() || !site.has_variant_selection()) return path;
  Path variant = site;
  while (!variant.view().ends_with('}')) variant = variant.parent();
  return path.replace_prefix(variant.strip_variants(), variant);
}

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
    // A variant is part of its prim, so what is below that is a part of the variant, too.
    Path inside = in_variants_of(path, classes[i]);
    const bool is_own_part = inside.has_prefix(path) || path.has_prefix(inside);
    add_class_arc(build, node, node, arc, is_own_part ? std::move(inside) : classes[i],
                  arc_map(stack, path, classes[i], {}, true), i);
  }
}

// The class of `parent` that an arc to `path` would be, if it is there.
std::uint32_t IndexBuilder::find_class(const Build& build, std::uint32_t parent,
                                       std::uint32_t origin, Arc arc, const Path& path,
                                       const PathMap& map) const {
  const PrimIndex& index = *build.index;
  const LayerStack* stack = index.nodes[parent].stack;
  if (Place{&build, parent}.arc() != Arc::relocate) {
    steps_ += 1;
    return index.child_with_site(parent, stack, path);
  }
  // Sites where something was moved from mean nothing; their maps tell them apart.
  const std::uint32_t levels = index.levels_below_arc(origin);
  std::uint32_t child = index.nodes[parent].first_child;
  for (; child != kNoIndexNode; child = index.nodes[child].next_sibling) {
    ++steps_;
    const IndexNode& at = index.nodes[child];
    if (at.arc == arc && index.levels_below_arc(at.origin) == levels && *at.map == map) break;
  }
  return child;
}

std::uint32_t IndexBuilder::add_class_arc(Build& build, std::uint32_t parent, std::uint32_t origin,
                                          Arc arc, const Path& path,
                                          std::shared_ptr<const PathMap> map, std::uint32_t order) {
  if (path.empty()) return kNoIndexNode;
  PrimIndex& index = *build.index;
  const bool is_implied = origin != parent;
  if (const std::uint32_t child = find_class(build, parent, origin, arc, path, *map);
      child != kNoIndexNode) {
    // Of what is implied to one place at the root, that of the stronger origin counts.
    if (arc != Arc::specialize || parent != 0 || !is_implied ||
        index.compare(origin, index.nodes[child].origin) >= 0) {
      return child;
    }
    index.make_tree_inert(child);
  }
  ArcTarget target;
  target.stack = index.nodes[parent].stack;
  target.path = path;
  target.map = std::move(map);
  target.order = order;
  target.implied = is_implied;
  // What is specialized is weaker than all else, so it stands at the root, and nothing but a
  // placeholder where its arc is. While an index is built apart, that is all.
  if (arc == Arc::specialize && (parent != 0 || build.outer != nullptr)) {
    target.contributes = false;
    target.is_placeholder = true;
    const std::uint32_t here = add_arc(build, parent, origin, arc, target);
    if (here == kNoIndexNode || build.outer != nullptr || stands_for_moved(index, here))
      return here;
    const std::uint32_t at_root = propagate(build, here);
    if (at_root != kNoIndexNode && index.nodes[at_root].origin != here) {
      add_implied_classes(build, here);
    }
    return at_root;
  }
  // The very site that implies the arc has its opinions there already. The node stands for the
  // class all the same, so that it is implied further.
  const IndexNode& from = index.nodes[origin];
  target.contributes = path != index.nodes[parent].path &&
                       (!is_implied || from.stack != target.stack || from.path != path);
  target.skip_duplicates = target.contributes;
  target.has_ancestors = target.contributes && has_ancestors(path);
  return add_arc(build, parent, origin, arc, target);
}

// Whether a node only passes a class on from where something was moved.
bool IndexBuilder::stands_for_moved(const PrimIndex& index, std::uint32_t node) {
  const IndexNode& at = index.nodes[node];
  if (at.parent == kNoIndexNode) return false;
  const IndexNode& parent = index.nodes[at.parent];
  return at.parent != at.origin && parent.arc == Arc::relocate && parent.stack == at.stack &&
         parent.path == at.path;
}

// Puts what is specialized at a node below the root, if it is not there.
std::uint32_t IndexBuilder::propagate(Build& build, std::uint32_t node) {
  const PrimIndex& index = *build.index;
  const IndexNode& from = index.nodes[node];
  if (const std::uint32_t there = index.child_with_site(0, from.stack, from.path);
      there != kNoIndexNode) {
    return there;
  }
  ArcTarget target;
  target.stack = from.stack;
  target.path = from.path;
  target.map = map_to_root(index, node);
  target.order = from.order;
  target.skip_duplicates = true;
  target.has_ancestors = has_ancestors(from.path);
  target.is_propagated = true;
  target.implied = true;
  return add_arc(build, 0, node, from.arc, target);
}

// Puts everything that is specialized in a tree below the root.
void IndexBuilder::propagate_specialized(Build& build, std::uint32_t top) {
  if (build.index->nodes[top].parent == kNoIndexNode) return;
  std::vector<std::uint32_t> open{top};
  while (!open.empty()) {
    if (build.is_full || is_exhausted()) return;
    const std::uint32_t node = open.back();
    open.pop_back();
    ++steps_;
    if (stands_for_moved(*build.index, node)) continue;
    if (build.index->nodes[node].arc == Arc::specialize) propagate(build, node);
    const std::size_t first = open.size();
    for (std::uint32_t c = build.index->nodes[node].first_child; c != kNoIndexNode;
         c = build.index->nodes[c].next_sibling) {
      open.push_back(c);
    }
    std::reverse(open.begin() + static_cast<std::ptrdiff_t>(first), open.end());
  }
}

// A class that a weaker site inherits is also looked for where that site is brought to.
void IndexBuilder::evaluate_implied_classes(Build& build, std::uint32_t node) {
  const IndexNode& at = build.index->nodes[node];
  if (at.parent == kNoIndexNode || !build.index->has_class_child(node)) return;
  imply_class_tree(build, at.parent, node, at.map->with_root_identity(), true);
}

void IndexBuilder::imply_class_tree(Build& build, std::uint32_t to, std::uint32_t from,
                                    const PathMap& transfer, bool is_start) {
  const PrimIndex& index = *build.index;
  if (index.nodes[to].arc == Arc::relocate) {
    // Nothing counts where something was moved from: on to where it was moved.
    imply_class_tree(build, index.nodes[to].parent, from,
                     index.nodes[to].map->with_root_identity().after(transfer), is_start);
    add_job(build, {Task::implied_classes, to});
    return;
  }
  std::vector<std::uint32_t> classes;
  const bool from_class = is_start && is_class_arc(index.nodes[from].arc);
  const std::uint32_t levels = index.levels_below_arc(from);
  for (std::uint32_t c = index.nodes[index.holder_of(from)].first_child; c != kNoIndexNode;
       c = index.nodes[c].next_sibling) {
    if (!is_class_arc(index.nodes[c].arc)) continue;
    // What goes on from a class, the classes of its heirs already follow.
    if (from_class && index.levels_below_arc(c) == levels) continue;
    classes.push_back(c);
  }
  for (const std::uint32_t source : classes) {
    if (build.is_full || is_exhausted()) return;
    const IndexNode& origin = index.nodes[source];
    std::uint32_t implied = index.nodes[to].first_child;
    while (implied != kNoIndexNode &&
           (index.nodes[implied].origin != source || index.is_propagated(implied))) {
      implied = index.nodes[implied].next_sibling;
    }
    if (implied == kNoIndexNode) {
      auto map = transfer.is_identity()
                     ? origin.map
                     : std::make_shared<const PathMap>(origin.map->implied_by(transfer));
      const Path path =
          in_variants_of(index.nodes[to].path, transfer.to_target(origin.path.strip_variants()));
      implied = add_class_arc(build, to, source, origin.arc, path, std::move(map), origin.order);
    }
    if (implied != kNoIndexNode && index.has_class_child(source)) {
      imply_class_tree(build, index.holder_of(implied), source, transfer, false);
    }
  }
}

}  // namespace sinew::stage
