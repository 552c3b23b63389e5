// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/mutex.hpp"
#include "sinew/stage/stage.hpp"

namespace sinew::stage {

inline constexpr std::uint32_t kNoNode = ~std::uint32_t{0};

enum class Arc : std::uint8_t;
class PathMap;
struct ClipTable;

/// How paths and times of a site read on the stage. The functions of all arcs on the way are
/// composed into one: a path may have a place on the stage, though not at each site on the way.
struct Mapping {
  std::uint32_t outer = 0;             ///< The site one step further out; 0: the stage's own.
  std::shared_ptr<const PathMap> map;  ///< To the stage; null if paths stay as they are.
  layer::LayerOffset offset;           ///< Of all steps: stage time = time * scale + offset.
  Arc arc{};                           ///< The arc that leads here, for explanations.
  std::uint32_t layer = kNoNode;       ///< Into Impl::layers, if the arc leads to another layer.
  layer::Path path;                    ///< The site; empty if it is the same as that of `outer`.
};

/// The stage path of a site path; empty if it has none.
layer::Path map_path(std::span<const Mapping> mappings, std::uint32_t mapping,
                     const layer::Path& path);

/// One prim spec that has opinions about a prim.
struct Site {
  const layer::PrimSpec* spec = nullptr;
  std::uint32_t layer = 0;    ///< Into Stage::Impl::layers.
  std::uint32_t mapping = 0;  ///< Into Stage::Impl::mappings; includes the layer's own offset.
};

/// A composed prim. The nodes of one tree are in depth-first order: the children of node i start at
/// i + 1, and the next sibling of a child c is at nodes[c].end.
struct PrimNode {
  Token name;
  Token type_name;
  std::uint32_t parent = kNoNode;
  std::uint32_t end = 0;         ///< One past the last descendant.
  std::uint32_t first_site = 0;  ///< Sites strongest first.
  std::uint32_t site_count = 0;
  std::uint32_t first_api = 0;  ///< Into Stage::Impl::api_schemas.
  std::uint32_t api_count = 0;
  std::uint32_t prototype = kNoNode;  ///< Of an instance: the root of the shared subtree.
  std::uint32_t tree = 0;             ///< 0: the stage; else the prototype it belongs to.
  SchemaType schema = SchemaType::unknown;
  layer::Specifier specifier = layer::Specifier::over;
  bool active = true;
  // The next three as seen from the root of the prim's own tree: see Stage::Impl::flags_at().
  bool defined = false;
  bool abstract = false;
  bool loaded = true;
  bool instanceable = false;
};

/// The instances directly in one tree. A proxy's context is the sum of the bases of the instances
/// around it, from the outside in; so each has its own number without any memory.
struct Tree {
  struct Instance {
    std::uint64_t base;
    std::uint32_t node;
  };
  std::uint32_t root = 0;           ///< The stage's root, or that of a prototype.
  std::vector<Instance> instances;  ///< Ascending by base and node.
  std::uint64_t context_count = 0;  ///< Instances in it, nested ones included.
  std::uint64_t proxy_count = 0;    ///< Prims shown below those.
  std::uint64_t proxy_steps = 0;    ///< Steps of the values of those, where they are repetitive.
  layer::Path path;                 ///< Of a prototype: the instance it was composed for.
};

/// The texts that expressions in asset values give when they are read. They are interned apart from
/// the tokens of the stage, so that values may be read from several threads.
class EvaluatedTexts {
 public:
  Token intern(std::string_view text) const;

 private:
  mutable Mutex mutex_;
  mutable TokenTable tokens_;
};

struct Stage::Impl {
  Rules rules = Rules::documented;
  Interpolation interpolation = Interpolation::linear;
  std::shared_ptr<TokenTable> tokens;
  EvaluatedTexts evaluated_texts;
  std::vector<layer::LayerPtr> layers;  ///< The root layer first.
  layer::LayerPtr session;
  Metrics metrics;

  std::vector<PrimNode> nodes;
  std::vector<Site> sites;
  std::vector<Token> api_schemas;
  std::vector<Mapping> mappings;           ///< The first is the identity.
  std::vector<Tree> trees;                 ///< The first is the stage.
  std::shared_ptr<const ClipTable> clips;  ///< Null if no prim has value clips.
  /// Children of nodes with more than `kFewChildren`, hashed by (parent, name) with linear probing;
  /// the size is a power of two, kNoNode where free.
  std::vector<std::uint32_t> child_index;
  static constexpr std::uint32_t kFewChildren = 16;

  std::span<const Site> sites_of(std::uint32_t node) const noexcept {
    const PrimNode& prim = nodes[node];
    return {sites.data() + prim.first_site, prim.site_count};
  }
  /// The steps from the stage to a site, e.g. "reference @a.usda@</A> > variant look=red".
  std::string describe(std::uint32_t mapping) const;

  void index_children();
  /// Where the search in `child_index` starts.
  std::size_t child_slot(std::uint32_t parent, Token name) const noexcept {
    std::uint64_t hash = (parent * 0x9E3779B97F4A7C15ULL) ^ name.hash();
    hash = (hash ^ (hash >> 32)) * 0xD6E8FEB86659FD93ULL;
    return static_cast<std::size_t>(hash >> 32) & (child_index.size() - 1);
  }
  /// The child of a node, or kNoNode.
  std::uint32_t find_child(std::uint32_t node, Token name) const noexcept;

  /// What depends on the ancestors of a prim: in a prototype, on the instance that it is seen
  /// below.
  struct PlaceFlags {
    bool defined = true;
    bool abstract = false;
    bool loaded = true;
  };
  PlaceFlags flags_at(std::uint32_t node, std::uint64_t context) const noexcept;
  bool instances_differ = false;  ///< Some instance is abstract, undefined or not loaded.

  /// Where a context leads: the innermost instance, and the context that it is seen in.
  struct Enclosing {
    std::uint32_t instance;
    std::uint64_t context;
  };
  Enclosing enclosing(std::uint64_t context) const noexcept;
  /// The context of what lies below an instance that is seen in `context`.
  std::uint64_t context_below(std::uint32_t instance, std::uint64_t context) const noexcept;
};

/// Lets the sources of this module look inside a stage and make handles.
struct StageAccess {
  static const Stage::Impl& impl(const Stage& stage) noexcept { return *stage.impl_; }
  static Prim prim(const Stage& stage, std::uint32_t node, std::uint64_t context) noexcept {
    return {&stage, node, context};
  }
  template <typename P>
  static P property(const Stage& stage, std::uint32_t node, std::uint64_t context,
                    Token name) noexcept {
    P property;
    property.stage_ = &stage;
    property.node_ = node;
    property.context_ = context;
    property.name_ = name;
    return property;
  }
};

inline const Stage::Impl& impl_of(const Stage& stage) noexcept {
  return StageAccess::impl(stage);
}

/// The time of a layer that stands for a time further out.
inline double to_layer_time(double time, const layer::LayerOffset& offset) noexcept {
  return (time - offset.offset) / offset.scale;
}

/// The time further out that a time of the layer stands for.
inline double from_layer_time(double time, const layer::LayerOffset& offset) noexcept {
  return time * offset.scale + offset.offset;
}

/// outer around inner: the offset that maps as inner first, then outer.
inline layer::LayerOffset compose(const layer::LayerOffset& outer,
                                  const layer::LayerOffset& inner) noexcept {
  return {outer.scale * inner.offset + outer.offset, outer.scale * inner.scale};
}

}  // namespace sinew::stage
