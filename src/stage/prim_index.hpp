// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
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

  struct Spec {
    const layer::PrimSpec* prim = nullptr;
    std::uint32_t stack_layer = 0;  ///< Into stack->layers.
  };

  std::uint32_t parent = kNone;
  /// The node that the arc follows from: the parent, or, of an implied arc, the node of the arc
  /// that it is implied by.
  std::uint32_t origin = kNone;
  std::uint32_t first_child = kNone;  ///< Children are linked strongest first.
  std::uint32_t next_sibling = kNone;
  Arc arc = Arc::root;
  bool ignore_specs = false;  ///< Its opinions do not count.
  bool ancestral = false;     ///< The arc belongs to an ancestor of the prim.
  bool serves_clips = false;  ///< Value clips stand here or above; kept even without specs.
  bool culled = false;        ///< Neither it nor what follows from it has any opinions.
  const LayerStack* stack = nullptr;
  layer::Path path;  ///< With variant selections.
  /// How the site's paths read at the parent's site.
  std::shared_ptr<const PathMap> map;
  std::uint32_t mapping =
      kNone;                ///< To the stage: into IndexBuilder::mappings; kNone: not made yet.
  std::uint32_t chain = 0;  ///< Arcs between here and the stage.
  std::uint32_t depth = 0;  ///< Elements of the path where the arc was introduced.
  std::uint32_t root_depth = 0;  ///< Elements of the root's path when the node was added.
  std::uint32_t order = 0;       ///< Among siblings, as authored.
  std::vector<Spec> specs;       ///< Strongest first.
};

/// No node of an index.
inline constexpr std::uint32_t kNoIndexNode = IndexNode::kNone;

/// All sites of one prim. Parents stand before their children, and origins before what follows from
/// them; strength is another order.
struct PrimIndex {
  std::vector<IndexNode> nodes;
  bool payload_skipped = false;

  /// Puts the last node among the children of its parent, by strength.
  /// @return How many of them were passed.
  std::size_t link(std::uint32_t node);

  /// Whether node `a` stands before node `b` in the tree, strongest first, with what is specialized
  /// at the place of its arc.
  bool stands_before(std::uint32_t a, std::uint32_t b) const;

  /// Nodes in order of strength: what is specialized comes after everything else.
  std::vector<std::uint32_t> strength_order() const;

  /// Whether an inherits or specializes arc follows from a node.
  bool has_class_child(std::uint32_t node) const;

  /// The node that a node belongs to: what an ancestor specializes belongs to the prim itself, as
  /// it is weaker than everything else.
  std::uint32_t above(std::uint32_t node) const {
    const IndexNode& at = nodes[node];
    return at.arc == Arc::specialize && at.ancestral ? 0 : at.parent;
  }

  /// How many levels above the prim a node's arc was introduced.
  std::uint32_t levels_below_arc(std::uint32_t node) const;

  /// Marks the sites of ancestral arcs that have come to an end; `keep_classes` spares those that
  /// the root's layer stack inherits, as they may be implied further out or have prims moved below
  /// them.
  void cull(bool keep_classes);

  /// Which sites come by an arc of the prim itself; the others tell of its ancestors.
  std::vector<char> direct_nodes() const;
  /// Whether a direct arc brings opinions: an instanceable prim is an instance then.
  bool has_direct_opinions() const;
  /// Below an instance, only what its own arcs bring counts.
  void ignore_ancestral_nodes();

  /// Whether any node that counts has this site.
  bool has_site(const LayerStack* stack, const layer::Path& path) const;

 private:
  bool stronger_sibling(std::uint32_t a, std::uint32_t b) const;
  void append_in_order(std::uint32_t top, std::vector<std::uint32_t>& order,
                       std::vector<std::uint32_t>& specialized) const;
};

/// Names of children, in composed order.
std::vector<Token> child_names(const PrimIndex& index, LayerRegistry& registry);

/// Elements of a prim path, variant selections not counted.
std::uint32_t depth_of(const layer::Path& path) noexcept;

}  // namespace sinew::stage
