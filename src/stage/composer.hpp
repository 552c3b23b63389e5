// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "stage/clip_loader.hpp"
#include "stage/index_builder.hpp"
#include "stage/stage_impl.hpp"

namespace sinew::stage {

/// Fills the nodes of a stage from a layer stack.
class Composer {
 public:
  Composer(const OpenOptions& options, LayerRegistry& registry, Stage::Impl& stage);

  void run(const LayerStack& root);

 private:
  // What a prim takes over from its parent.
  struct Inherited {
    std::uint32_t node = 0;
    std::uint32_t depth = 0;
    std::uint32_t tree = 0;
    bool defined = true;
    bool abstract = false;
    bool loaded = true;
    ClipLoader::Scope clips = 0;
  };
  struct Pending {
    PrimIndex index;
    ClipLoader::Scope clips = 0;
    std::uint32_t instance = 0;  // The node that it is composed for.
  };

  void walk_simple(const LayerStack& stack, const layer::PrimSpec& spec, std::uint32_t stack_layer,
                   const Inherited& parent);
  void walk(PrimIndex& index, Token name, const Inherited& parent);
  void walk_children(const PrimIndex& index, const Inherited& self);
  bool has_steps(Token name);
  bool add_node(Token name, const Inherited& parent, std::uint32_t& node);
  bool finish_node(std::uint32_t node, const Inherited& parent, layer::Specifier specifier);
  bool read_fields(std::uint32_t node);
  layer::Specifier composed_specifier(const PrimIndex& index,
                                      const std::vector<std::uint32_t>& order) const;
  bool is_instance(const PrimIndex& index, std::uint32_t node) const;
  void make_instance(PrimIndex& index, std::uint32_t node, ClipLoader::Scope clips);
  layer::Path path_in_tree(std::uint32_t node) const;
  void compose_prototype(Pending& pending, std::uint32_t tree);
  std::string instance_key(PrimIndex& index, ClipLoader::Scope clips);
  SchemaType schema_of(Token type_name);
  void read_fallback_types(const layer::Layer& root);
  std::uint32_t mapping_of(std::uint32_t map, const layer::LayerOffset& layer_offset);
  Inherited below(std::uint32_t node, const Inherited& parent, ClipLoader::Scope clips) const;
  ClipLoader::Scope add_clips(std::uint32_t node, const Inherited& parent, bool authored,
                              std::vector<ClipSite> sites);
  void number_instances();
  std::uint64_t count_contexts(std::uint32_t tree, std::vector<char>& state);
  void weigh_proxies();
  std::uint64_t count_proxy_steps(std::uint32_t tree, const std::vector<std::uint64_t>& own,
                                  std::vector<char>& state);

  const OpenOptions& options_;
  LayerRegistry& registry_;
  Stage::Impl& stage_;
  IndexBuilder builder_;
  ClipLoader clip_loader_;
  std::unordered_map<std::string, std::uint32_t> prototypes_;  // Key -> tree.
  std::vector<Pending> pending_;  // Prototypes of the next round; their trees are the last ones.
  std::unordered_map<std::string, std::uint32_t> mappings_;
  std::vector<std::uint32_t> identity_mappings_;  // Per layer of the root stack.
  const LayerStack* root_ = nullptr;
  // Names of fields that every prim is asked for, once they were met.
  Token active_name_;
  Token any_type_name_;  // What text calls the type of a prim that has none.
  Token clips_name_;
  Token instanceable_name_;
  Token api_schemas_name_;
  // Of the type names met so far, and of those that have a fallback.
  std::unordered_map<Token, SchemaType> schemas_;
  // The list of API schemas that was composed last from one opinion. The parser shares equal ones.
  struct {
    const layer::ListOp<Token>* op = nullptr;
    std::uint32_t first = 0;
    std::uint32_t count = 0;
  } last_api_;
};

}  // namespace sinew::stage
