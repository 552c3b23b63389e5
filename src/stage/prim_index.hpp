// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "stage/layer_registry.hpp"
#include "stage/stage_impl.hpp"

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

/// A site that a prim composes from, and the arc that leads to it.
struct IndexNode {
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  struct Spec {
    const usda::PrimSpec* prim = nullptr;
    std::uint32_t stack_layer = 0;  ///< Into stack->layers.
  };

  std::uint32_t parent = kNone;
  Arc arc = Arc::root;
  bool implied = false;       ///< Looked for because a weaker site inherits the class.
  bool ignore_specs = false;  ///< Local opinions that do not count here.
  const LayerStack* stack = nullptr;
  usda::Path path;            ///< With variant selections.
  std::uint32_t mapping = 0;  ///< Into IndexBuilder::maps: to the stage.
  std::uint32_t chain = 0;    ///< Arcs between here and the stage.
  std::uint32_t depth = 0;    ///< Elements of the path where the arc was introduced.
  std::uint32_t order = 0;    ///< Among siblings, as authored.
  std::uint32_t variant_sets_done = 0;
  std::vector<Spec> specs;  ///< Strongest first.
};

/// All sites of one prim. Parents stand before their children; strength is another order.
struct PrimIndex {
  std::vector<IndexNode> nodes;
  bool payload_skipped = false;
};

/// Finds the sites that a prim composes from.
class IndexBuilder {
 public:
  IndexBuilder(const OpenOptions& options, LayerRegistry& registry);

  /// The index of a root prim, arcs included.
  PrimIndex root_index(const LayerStack& stack);
  /// The index of a child, arcs included.
  PrimIndex child_index(const PrimIndex& parent, Token name);
  /// The index of a prim that has one spec and ancestors without arcs.
  PrimIndex simple_index(const LayerStack& stack, const usda::PrimSpec& spec,
                         std::uint32_t stack_layer);

  /// Nodes in order of strength.
  std::vector<std::uint32_t> strength_order(const PrimIndex& index) const;
  /// Names of children, in composed order.
  std::vector<Token> child_names(const PrimIndex& index) const;

  std::vector<Mapping> maps;  ///< The first is the identity; outer ones stand before inner ones.

 private:
  struct ArcTarget {
    const LayerStack* stack = nullptr;
    usda::Path path;
    usda::LayerOffset offset;
    bool internal = true;
  };

  PrimIndex descend(const PrimIndex& parent, Token name, bool relocating);
  PrimIndex site_index(const LayerStack& stack, const usda::Path& path);
  void expand(PrimIndex& index, std::vector<std::uint32_t> work);
  void evaluate(PrimIndex& index, std::uint32_t node, std::vector<std::uint32_t>& work);
  void evaluate_references(PrimIndex& index, std::uint32_t node, bool payloads,
                           std::vector<std::uint32_t>& work);
  void evaluate_classes(PrimIndex& index, std::uint32_t node, Arc arc,
                        std::vector<std::uint32_t>& work);
  void evaluate_relocates(PrimIndex& index, std::uint32_t node, std::vector<std::uint32_t>& work);
  bool evaluate_next_variant(PrimIndex& index, std::vector<std::uint32_t>& work);
  Token select_variant(const PrimIndex& index, std::uint32_t owner, Token set);
  void add_arc(PrimIndex& index, std::uint32_t parent, Arc arc, const ArcTarget& target,
               bool implied, std::uint32_t order, std::vector<std::uint32_t>& work);
  void imply(PrimIndex& index, std::uint32_t class_node, std::vector<std::uint32_t>& work);
  bool is_cycle(const PrimIndex& index, std::uint32_t parent, const ArcTarget& target) const;
  bool has_site(const PrimIndex& index, const LayerStack* stack, const usda::Path& path) const;
  std::string chain_of(const PrimIndex& index, std::uint32_t node) const;
  void find_specs(IndexNode& node) const;
  std::uint32_t add_map(std::uint32_t outer, const usda::Path& source, const usda::Path& target,
                        const usda::LayerOffset& offset, bool identity_elsewhere, std::string label,
                        const LayerStack& outer_stack);
  void report(const PrimIndex& index, std::uint32_t node, std::string_view code,
              std::string message, std::uint32_t stack_layer, std::uint32_t line);

  const OpenOptions& options_;
  LayerRegistry& registry_;
  std::uint64_t arc_count_ = 0;
  std::uint32_t site_depth_ = 0;
  std::vector<std::pair<const LayerStack*, usda::Path>> open_sites_;
  std::unordered_set<std::string> reported_;  // One report for one failing arc of one site.
};

/// Elements of a prim path, variant selections not counted.
std::uint32_t depth_of(const usda::Path& path) noexcept;

}  // namespace sinew::stage
