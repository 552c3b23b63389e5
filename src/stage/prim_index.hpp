// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "stage/layer_registry.hpp"
#include "stage/path_map.hpp"

namespace sinew::stage {

/// Kinds of arcs, strongest first.
enum class Arc : std::uint8_t {
  root,
  inherit,
  variant,
  relocate,
  reference,
  payload,
  specialize,
};

std::string_view name_of(Arc arc) noexcept;

/// Inherits and specializes.
inline bool is_class_arc(Arc arc) noexcept {
  return arc == Arc::inherit || arc == Arc::specialize;
}

/// A site that a prim composes from, and the arc that leads to it.
struct IndexNode {
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::int64_t kUnlinked = std::numeric_limits<std::int64_t>::min();

  struct Spec {
    const layer::PrimSpec* prim = nullptr;
    std::uint32_t stack_layer = 0;  ///< Into stack->layers.
  };

  std::uint32_t parent = kNone;
  /// The node that the arc follows from: the parent, or, of an implied arc, the node of the arc
  /// that it is implied by, or, of what is specialized and stands at the root, the node at the
  /// place of its arc.
  std::uint32_t origin = kNone;
  std::uint32_t first_child = kNone;  ///< Children are linked strongest first.
  std::uint32_t next_sibling = kNone;
  std::int64_t rank = kUnlinked;  ///< Among siblings, ascending from strong to weak.
  Arc arc = Arc::root;
  bool inert = false;            ///< Its opinions do not count; it stands for where an arc leads.
  bool culled = false;           ///< Neither it nor what follows from it has any opinions.
  bool ancestral = false;        ///< The arc belongs to an ancestor of the prim.
  bool direct = false;           ///< It or a node above it comes by an arc of the prim itself.
  bool serves_clips = false;     ///< Value clips stand here or above; kept even without specs.
  bool below_variants = false;   ///< An ancestor of the site has variant sets, or selects variants.
  bool implies_classes = false;  ///< To be looked at for classes to imply.
  bool implies_specialized = false;  ///< To be looked at for what is specialized below it.
  const LayerStack* stack = nullptr;
  layer::Path path;  ///< With variant selections.
  /// How the site's paths read at the parent's site.
  std::shared_ptr<const PathMap> map;
  std::uint32_t mapping =
      kNone;                ///< To the stage: into IndexBuilder::mappings; kNone: not made yet.
  std::uint32_t chain = 0;  ///< Arcs between here and the stage.
  std::uint32_t depth = 0;  ///< Elements of the parent's path where the arc was introduced.
  /// Elements of the site's path, variant selections too, where its opinions ceased to count; 0 if
  /// they do.
  std::uint32_t restricted = 0;
  std::uint32_t order = 0;  ///< Among siblings, as authored.
  std::vector<Spec> specs;  ///< Strongest first.

  /// Whether its opinions count.
  bool counts() const noexcept { return !inert && !culled; }
};

/// No node of an index.
inline constexpr std::uint32_t kNoIndexNode = IndexNode::kNone;

/// All sites of one prim, the graph of its arcs. A node stands behind its parent and its origin
/// while the index is built, and all of them strongest first when it is finished.
struct PrimIndex {
  /// A reference or payload whose target has to have a prim in the end.
  struct Target {
    std::uint32_t node;
    std::uint32_t stack_layer;  ///< Where the arc is authored, in the stack of the node's parent.
    std::uint32_t line;
    bool is_internal;  ///< Without an asset path.
  };

  struct Site {
    const LayerStack* stack;
    layer::Path path;
  };

  std::vector<IndexNode> nodes;
  /// Only while it is built: sites that came to an end and were taken out. What leads to them again
  /// is a duplicate all the same. Of very many, the first.
  std::vector<Site> ended;
  static constexpr std::size_t kMostEnded = 32;
  std::vector<Target> targets;                 ///< Only while it is built.
  std::vector<std::uint32_t> instance_depths;  ///< Of ancestors on the stage that are instances.
  bool payload_skipped = false;
  bool has_payloads = false;  ///< Of the prim itself or of what its arcs lead to.
  bool is_instance = false;   ///< Of a prototype: only sites with opinions name children.

  /// Puts a node among the children of its parent, by strength.
  /// @return How many of them were passed.
  std::size_t link(std::uint32_t node);

  /// Whether the first of two nodes is weaker (1), stronger (-1) or the same (0).
  int compare(std::uint32_t a, std::uint32_t b) const;

  /// Nodes strongest first, those that are culled left out.
  std::vector<std::uint32_t> strength_order() const;

  /// Removes what is culled, and puts the nodes in order of strength.
  void finish();
  /// Keeps the nodes of `order` alone, in that order; their parents and origins are among them.
  void rearrange(const std::vector<std::uint32_t>& order);

  void add_ended(Site site) {
    if (ended.size() < kMostEnded) ended.push_back(std::move(site));
  }

  /// How many levels above the prim a node's arc was introduced.
  std::uint32_t levels_below_arc(std::uint32_t node) const;
  /// The path of a node where its arc was introduced.
  layer::Path path_at_arc(std::uint32_t node) const;

  /// Whether a node is what is specialized further in, at the root: weaker than everything else.
  bool is_propagated(std::uint32_t node) const;
  /// The node at the root for what is specialized at the place of `node`, or kNoIndexNode.
  std::uint32_t propagated_of(std::uint32_t node) const;
  /// The node whose children follow from `node`: what is specialized has them at the root only.
  std::uint32_t holder_of(std::uint32_t node) const {
    const std::uint32_t at_root = propagated_of(node);
    return at_root == kNoIndexNode ? node : at_root;
  }
  /// Whether an inherits or specializes arc follows from a node.
  bool has_class_child(std::uint32_t node) const;

  /// Where a chain of classes of one prim begins: the prim that has the first of them, and that.
  struct ClassHierarchy {
    std::uint32_t instance;
    std::uint32_t first_class;
  };
  ClassHierarchy class_hierarchy(std::uint32_t node) const;

  /// The next node after `node` in the tree below `top`, strongest first; `prune` leaves out what
  /// is below `node`. kNoIndexNode at the end.
  std::uint32_t next_in_tree(std::uint32_t node, std::uint32_t top, bool prune = false) const;

  /// Marks a tree as one whose opinions do not count.
  void make_inert(std::uint32_t node);
  void make_tree_inert(std::uint32_t top);
  /// Takes a tree out, as something else stands for it.
  void elide_tree(std::uint32_t top);

  /// Marks the sites of ancestral arcs that have come to an end.
  void cull();

  /// Whether an instanceable prim is an instance: a direct arc brings opinions.
  bool may_be_instance() const;
  /// Whether what stands at a node is shared by instances.
  bool is_shared(std::uint32_t node) const {
    return node != 0 && nodes[node].direct && nodes[node].counts() && !nodes[node].specs.empty();
  }
  /// Below an instance, only what its own arcs bring counts.
  void ignore_ancestral_nodes();

  /// Whether any node that counts has this site, or one that was taken out had it.
  bool has_site(const LayerStack* stack, const layer::Path& path) const;
  /// The child of `parent` with this site, or kNoIndexNode.
  std::uint32_t child_with_site(std::uint32_t parent, const LayerStack* stack,
                                const layer::Path& path) const;

 private:
  struct Origin {
    std::uint32_t root;   // The authored arc that the chain of origins leads to.
    std::uint32_t steps;  // Origins on the way.
  };

  void link_behind(std::uint32_t node, std::uint32_t before);
  int compare_siblings(std::uint32_t a, std::uint32_t b) const;
  int compare_specialized(std::uint32_t a, std::uint32_t b) const;
  int compare_in_tree(std::uint32_t a, std::uint32_t b) const;
  int climb_to_siblings(std::uint32_t& a, std::uint32_t& b) const;
  Origin origin_of(std::uint32_t node) const;
  bool is_nested(std::uint32_t inner, std::uint32_t outer) const;
  bool has_site_of_origin(std::uint32_t node) const;
  std::uint32_t hierarchy_depth(std::uint32_t node) const;
  std::vector<char> needed_nodes() const;
};

/// Names of children, in composed order.
std::vector<Token> child_names(const PrimIndex& index, LayerRegistry& registry);

/// Elements of a prim path, variant selections not counted.
std::uint32_t depth_of(const layer::Path& path) noexcept;

/// Elements of a prim path, variant selections too.
std::uint32_t element_count(const layer::Path& path) noexcept;

/// Whether a prim, or a variant, has another one above it that may bring it opinions.
inline bool has_ancestors(const layer::Path& path) noexcept {
  return element_count(path) > 1;
}

}  // namespace sinew::stage
