// SPDX-License-Identifier: Apache-2.0
#include "stage/composer.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "core/format_text.hpp"
#include "stage/key_bytes.hpp"

namespace sinew::stage {

namespace {

using layer::PrimSpec;
using layer::Specifier;

// Whether a spec brings arcs or variants, so that it cannot be composed on its own.
bool has_arcs(const PrimSpec& spec) noexcept {
  const layer::PrimExtra* extra = spec.extra;
  return extra != nullptr &&
         (!extra->references.empty() || !extra->payloads.empty() || !extra->inherits.empty() ||
          !extra->specializes.empty() || !extra->variant_set_names.empty());
}

// Whether a token of the stage is `text`. Once it was met, `known` spares comparing letters.
bool is_name(Token token, std::string_view text, Token& known) noexcept {
  if (!known.empty()) return token == known;
  if (token.view() != text) return false;
  known = token;
  return true;
}

}  // namespace

Composer::Composer(const OpenOptions& options, LayerRegistry& registry, Stage::Impl& stage)
    : options_(options),
      registry_(registry),
      stage_(stage),
      builder_(options, registry),
      clip_loader_(options, registry) {}

SchemaType Composer::schema_of(Token type_name) {
  if (type_name.empty()) return SchemaType::unknown;
  const auto [known, is_new] = schemas_.try_emplace(type_name, SchemaType::unknown);
  if (is_new) {
    // To a prim, the name of an abstract type ("Gprim") is one that is not known.
    const SchemaType type = find_schema_type(type_name.view());
    if (is_concrete(type)) known->second = type;
  }
  return known->second;
}

// The root layer, or the session layer over it, says what types that are not known stand for: the
// first one in a list that prims can be of.
void Composer::read_fallback_types(const layer::Layer& root) {
  std::unordered_set<Token> read;
  for (const layer::Layer* layer :
       {static_cast<const layer::Layer*>(stage_.session.get()), &root}) {
    const layer::Value* field = layer == nullptr ? nullptr : layer->field("fallbackPrimTypes");
    const layer::Dictionary* types = field == nullptr ? nullptr : field->as_dictionary();
    if (types == nullptr) continue;
    for (const layer::DictionaryEntry& entry : *types) {
      const Token name = registry_.intern(entry.key.view());
      const bool is_known = is_concrete(find_schema_type(name.view()));
      if (!read.insert(name).second || is_known || entry.value.type() != layer::ElementType::token)
        continue;
      for (const Token fallback : entry.value.as_array<Token>()) {
        const SchemaType type = find_schema_type(fallback.view());
        if (!is_concrete(type)) continue;
        schemas_[name] = type;
        break;
      }
    }
  }
}

// The mapping of a site: that of its arc, with the offset of the layer in its stack.
std::uint32_t Composer::mapping_of(std::uint32_t map, const layer::LayerOffset& layer_offset) {
  if (layer_offset == layer::LayerOffset{}) return map;
  std::string key;
  append_bytes(key, map, layer_offset.offset, layer_offset.scale);
  const auto [found, added] =
      mappings_.try_emplace(std::move(key), static_cast<std::uint32_t>(builder_.mappings.size()));
  if (added) {
    Mapping mapping;
    mapping.outer = map;
    mapping.map = builder_.mappings[map].map;
    mapping.offset = compose(builder_.mappings[map].offset, layer_offset);
    builder_.mappings.push_back(std::move(mapping));
  }
  return found->second;
}

// Whether there are steps left for a prim that arcs may reach. Without, it is left out.
bool Composer::has_steps(Token name) {
  if (!builder_.is_exhausted()) return true;
  if (builder_.tells_limit()) {
    registry_.report(
        Severity::error, "stage-limit",
        format_text("Composing the stage takes more steps than the limit of {}; what comes after "
                    "</{}> is left out.",
                    builder_.step_limit(), name.view()),
        0, 0);
  }
  return false;
}

bool Composer::add_node(Token name, const Inherited& parent, std::uint32_t& node) {
  const auto limit = [&](std::string message) {
    if (builder_.tells_limit()) {
      registry_.report(Severity::error, "stage-limit", std::move(message), 0, 0);
    }
    return false;
  };
  if (stage_.nodes.size() >= options_.limits.prims ||
      stage_.nodes.size() >= std::uint64_t{kNoNode} - 1) {
    return limit(
        format_text("The stage has more prims than the limit of {}.", options_.limits.prims));
  }
  if (parent.depth >= options_.limits.prim_nesting) {
    return limit(format_text("Composed prims nest deeper than the limit of {}.",
                             options_.limits.prim_nesting));
  }
  node = static_cast<std::uint32_t>(stage_.nodes.size());
  PrimNode& made = stage_.nodes.emplace_back();
  made.name = name;
  made.parent = parent.node;
  made.tree = parent.tree;
  made.first_site = static_cast<std::uint32_t>(stage_.sites.size());
  return true;
}

// Reads what is wanted of every prim from the fields of its sites, strongest first.
// @return Whether any of them has value clips.
bool Composer::read_fields(std::uint32_t node) {
  PrimNode& prim = stage_.nodes[node];
  bool active_known = false;
  bool instanceable_known = false;
  const layer::Value* api = nullptr;  // The strongest opinion about API schemas.
  std::size_t api_opinions = 0;
  bool any_clips = false;
  for (const Site& site : stage_.sites_of(node)) {
    const Token type = site.spec->type_name;
    if (prim.type_name.empty() && !is_name(type, "__AnyType__", any_type_name_)) {
      prim.type_name = type;
    }
    for (const layer::Field& field : site.spec->fields) {
      const Token key = field.key;
      if (is_name(key, "apiSchemas", api_schemas_name_)) {
        if (api == nullptr) api = &field.value;
        ++api_opinions;
      }
      if (is_name(key, "clips", clips_name_)) any_clips = true;
      if (!active_known && is_name(key, "active", active_name_)) {
        prim.active = field.value.get<bool>().value_or(true);
        active_known = true;
      }
      if (!instanceable_known && is_name(key, "instanceable", instanceable_name_)) {
        prim.instanceable = field.value.get<bool>().value_or(false);
        instanceable_known = true;
      }
    }
  }
  prim.schema = schema_of(prim.type_name);
  prim.first_api = static_cast<std::uint32_t>(stage_.api_schemas.size());
  if (api == nullptr) return any_clips;
  const layer::ListOp<Token>* const only = api_opinions == 1 ? api->as_token_list_op() : nullptr;
  if (only != nullptr && only == last_api_.op) {
    prim.first_api = last_api_.first;
    prim.api_count = last_api_.count;
    return any_clips;
  }
  std::vector<Token> names;
  const std::span<const Site> sites = stage_.sites_of(node);
  for (auto site = sites.rbegin(); site != sites.rend(); ++site) {
    const layer::Value* value = site->spec->field("apiSchemas");
    if (value == nullptr) continue;
    if (const auto* op = value->as_token_list_op()) {
      apply_list_op(*op, names);
      builder_.count_items(names.size() + edits_in(*op));
    }
  }
  prim.api_count = static_cast<std::uint32_t>(names.size());
  stage_.api_schemas.insert(stage_.api_schemas.end(), names.begin(), names.end());
  if (only != nullptr) last_api_ = {only, prim.first_api, prim.api_count};
  return any_clips;
}

bool Composer::finish_node(std::uint32_t node, const Inherited& parent, Specifier specifier) {
  PrimNode& prim = stage_.nodes[node];
  prim.site_count = static_cast<std::uint32_t>(stage_.sites.size()) - prim.first_site;
  const bool has_clips = read_fields(node);
  prim.specifier = specifier;
  prim.defined = parent.defined && specifier != Specifier::over;
  prim.abstract = parent.abstract || specifier == Specifier::class_;
  prim.loaded = prim.loaded && parent.loaded;
  return has_clips;
}

Composer::Inherited Composer::below(std::uint32_t node, const Inherited& parent,
                                    ClipLoader::Scope clips) const {
  const PrimNode& prim = stage_.nodes[node];
  return {node, parent.depth + 1, parent.tree, prim.defined, prim.abstract, prim.loaded, clips};
}

// Adds the clips of a prim, its own if it is `authored` with some, to the opinions about it. The
// sites are in their order among those of the node.
ClipLoader::Scope Composer::add_clips(std::uint32_t node, const Inherited& parent, bool authored,
                                      std::vector<ClipSite> sites) {
  std::span<const Site> opinions = stage_.sites_of(node);
  for (ClipSite& site : sites) {
    for (ClipSite::Opinion& opinion : site.opinions) {
      const Site& at = opinions.front();
      opinions = opinions.subspan(1);
      opinion.layer = at.layer;
      opinion.mapping = at.mapping;
      opinion.offset = builder_.mappings[at.mapping].offset;
    }
  }
  const ClipLoader::Scope clips = authored ? clip_loader_.enter(parent.clips, sites) : parent.clips;
  clip_loader_.attach(node, clips, sites);
  return clips;
}

// A prim with one spec, whose ancestors have no arcs.
void Composer::walk_simple(const LayerStack& stack, const PrimSpec& spec, std::uint32_t stack_layer,
                           const Inherited& parent) {
  if (has_arcs(spec)) {
    if (!has_steps(spec.name)) return;
    PrimIndex index = builder_.simple_index(stack, spec, stack_layer);
    walk(index, spec.name, parent);
    return;
  }
  std::uint32_t node = 0;
  if (!add_node(spec.name, parent, node)) return;
  const StackLayer& layer = stack.layers[stack_layer];
  stage_.sites.push_back({&spec, layer.layer, identity_mappings_[stack_layer]});
  const bool has_clips = finish_node(node, parent, spec.specifier);
  ClipLoader::Scope clips = 0;
  if (has_clips || parent.clips != 0) {
    clips = add_clips(node, parent, has_clips,
                      {{&stack, layer::Layer::path_of(spec), {{&spec, stack_layer, 0, 0, {}}}}});
  }
  if (stage_.nodes[node].active) {
    const Inherited self = below(node, parent, clips);
    if (spec.extra == nullptr || spec.extra->child_order.empty()) {
      for (const PrimSpec* child : spec.children) walk_simple(stack, *child, stack_layer, self);
    } else {
      std::vector<const PrimSpec*> children(spec.children.begin(), spec.children.end());
      layer::ListOp<Token> reorder;
      reorder.ordered = spec.extra->child_order;
      std::vector<Token> names;
      names.reserve(children.size());
      for (const PrimSpec* child : children) names.push_back(child->name);
      apply_list_op(reorder, names);
      const layer::Layer& source = *registry_.layers()[layer.layer];
      for (const Token name : names) {
        walk_simple(stack, *source.find_child(spec, name), stack_layer, self);
      }
    }
  }
  stage_.nodes[node].end = static_cast<std::uint32_t>(stage_.nodes.size());
}

Specifier Composer::composed_specifier(const PrimIndex& index,
                                       const std::vector<std::uint32_t>& order) const {
  bool weak_class = false;
  for (const std::uint32_t i : order) {
    if (!index.nodes[i].counts()) continue;
    bool inherited = false;
    for (std::uint32_t n = i; n != IndexNode::kNone; n = index.nodes[n].parent) {
      inherited = inherited || (index.nodes[n].arc == Arc::inherit && !index.nodes[n].ancestral);
    }
    for (const IndexNode::Spec& spec : index.nodes[i].specs) {
      if (spec.prim->specifier == Specifier::def) return Specifier::def;
      if (spec.prim->specifier == Specifier::class_) {
        if (!inherited) return Specifier::class_;
        weak_class = true;
      }
    }
  }
  return weak_class ? Specifier::class_ : Specifier::over;
}

void Composer::walk(PrimIndex& index, Token name, const Inherited& parent) {
  if (!has_steps(name)) return;
  const std::vector<std::uint32_t> order = index.strength_order();
  std::uint32_t node = 0;
  if (!add_node(name, parent, node)) return;
  for (const std::uint32_t i : order) {
    const IndexNode& at = index.nodes[i];
    if (!at.counts()) continue;
    for (const IndexNode::Spec& spec : at.specs) {
      builder_.count_reading(*spec.prim);
      const StackLayer& layer = at.stack->layers[spec.stack_layer];
      stage_.sites.push_back(
          {spec.prim, layer.layer, mapping_of(builder_.mapping_of(index, i), layer.value_offset)});
    }
  }
  stage_.nodes[node].loaded = !index.payload_skipped;
  const bool has_clips = finish_node(node, parent, composed_specifier(index, order));
  ClipLoader::Scope clips = 0;
  if (has_clips || parent.clips != 0) {
    std::vector<ClipSite> sites;
    for (const std::uint32_t i : order) {
      const IndexNode& at = index.nodes[i];
      if (!at.counts()) continue;
      ClipSite& site = sites.emplace_back(ClipSite{at.stack, at.path, {}});
      for (const IndexNode::Spec& spec : at.specs) {
        site.opinions.push_back({spec.prim, spec.stack_layer, 0, 0, {}});
      }
    }
    clips = add_clips(node, parent, has_clips, std::move(sites));
  }
  if (stage_.nodes[node].active) {
    if (is_instance(index, node)) {
      make_instance(index, node, clip_loader_.below_instance(clips, parent.clips));
    } else {
      walk_children(index, below(node, parent, clips));
    }
  }
  stage_.nodes[node].end = static_cast<std::uint32_t>(stage_.nodes.size());
}

void Composer::walk_children(const PrimIndex& index, const Inherited& self) {
  const IndexNode& root = index.nodes[0];
  const bool plain = index.nodes.size() == 1 && root.stack == root_ &&
                     root.stack->relocates.empty() && root.counts();
  for (const Token name : child_names(index, registry_)) {
    if (plain) {
      const PrimSpec* only = nullptr;
      std::uint32_t stack_layer = 0;
      std::size_t count = 0;
      builder_.count_lookups(root.specs.size());
      for (const IndexNode::Spec& spec : root.specs) {
        const layer::Layer& layer = *registry_.layers()[root.stack->layers[spec.stack_layer].layer];
        if (const PrimSpec* child = layer.find_child(*spec.prim, name)) {
          only = child;
          stack_layer = spec.stack_layer;
          ++count;
        }
      }
      if (count == 1) {
        walk_simple(*root.stack, *only, stack_layer, self);
        continue;
      }
    }
    if (!has_steps(name)) continue;
    PrimIndex child = builder_.child_index(index, name);
    walk(child, name, self);
  }
}

void Composer::run(const LayerStack& root) {
  root_ = &root;
  read_fallback_types(*registry_.layers()[root.root]);
  for (const StackLayer& layer : root.layers) {
    identity_mappings_.push_back(mapping_of(0, layer.value_offset));
  }
  stage_.trees.emplace_back();
  std::uint64_t prims = 0;  // Of the largest layer: about as many are to be expected.
  for (const StackLayer& layer : root.layers) {
    prims = std::max<std::uint64_t>(prims, registry_.layers()[layer.layer]->prim_count());
  }
  prims = std::min(prims, options_.limits.prims) + 1;
  stage_.nodes.reserve(static_cast<std::size_t>(prims));
  stage_.sites.reserve(static_cast<std::size_t>(prims));
  PrimIndex index = builder_.root_index(root);
  PrimNode& top = stage_.nodes.emplace_back();
  top.specifier = Specifier::def;
  top.defined = true;
  for (const IndexNode::Spec& spec : index.nodes[0].specs) {
    const StackLayer& layer = root.layers[spec.stack_layer];
    stage_.sites.push_back({spec.prim, layer.layer, identity_mappings_[spec.stack_layer]});
  }
  stage_.nodes[0].site_count = static_cast<std::uint32_t>(stage_.sites.size());
  walk_children(index, Inherited{});
  stage_.nodes[0].end = static_cast<std::uint32_t>(stage_.nodes.size());
  stage_.nodes[0].parent = kNoNode;

  // Prototypes may hold instances that need further prototypes, in rounds.
  std::uint32_t tree = 1;
  while (!pending_.empty()) {
    std::vector<Pending> round = std::exchange(pending_, {});
    for (Pending& pending : round) {
      compose_prototype(pending, tree++);
      pending = {};
    }
  }
  stage_.mappings = std::move(builder_.mappings);
  stage_.clips = clip_loader_.take();
  number_instances();
  stage_.index_children();
}

}  // namespace sinew::stage
