// SPDX-License-Identifier: Apache-2.0
#include "stage/index_builder.hpp"

#include <algorithm>

#include "core/format_text.hpp"
#include "layer/shared/array_edit_fill.hpp"

namespace sinew::stage {

namespace {

using layer::Path;
using layer::PrimSpec;

bool brings_arcs(const PrimSpec& spec) noexcept {
  const layer::PrimExtra* extra = spec.extra;
  return extra != nullptr &&
         (!extra->references.empty() || !extra->payloads.empty() || !extra->inherits.empty() ||
          !extra->specializes.empty() || !extra->variant_set_names.empty());
}

// The default and the samples of every property.
template <typename Visitor>
void visit_values(const PrimSpec& spec, const Visitor& visit) {
  for (const layer::PropertySpec& property : spec.properties) {
    visit(property.default_value);
    if (property.extra == nullptr) continue;
    for (const layer::Value& value : property.extra->time_samples.values) visit(value);
  }
}

// Bytes that the sizes of array edits fill. Other values are not looked at: those of a crate would
// be decoded.
std::uint64_t filled_bytes(const layer::Value& value) noexcept {
  const layer::ArrayEdit* edit = value.as_array_edit();
  return edit != nullptr ? layer::filled_bytes(*edit) : 0;
}

struct ValueBytes {
  std::uint64_t authored = 0;
  std::uint64_t filled = 0;
  std::uint64_t names = 0;  // That are looked up, besides.

  explicit ValueBytes(const PrimSpec& spec) {
    visit_values(spec, [this](const layer::Value& value) { add(value); });
    for (const layer::PropertySpec& property : spec.properties) {
      if (property.extra != nullptr) authored += sizeof(Path) * edits_in(property.extra->targets);
    }
  }

  void add(const layer::Value& value) {
    constexpr std::uint64_t kBytesPerName = 64;
    if (value.as_array_edit() != nullptr) {
      filled += filled_bytes(value);
    } else if (const auto text = value.text()) {
      authored += text->size();
    } else {
      const std::size_t size = value.size_in_bytes();
      authored += size;
      if (layer::stores_as<Token>(value.type())) names += kBytesPerName * (size / sizeof(Token));
    }
  }
};

}  // namespace

IndexBuilder::IndexBuilder(const OpenOptions& options, LayerRegistry& registry)
    : options_(options), registry_(registry), identity_(std::make_shared<const PathMap>()) {
  mappings.emplace_back();
}

std::uint64_t IndexBuilder::step_limit() const noexcept {
  return options_.limits.composition_steps +
         options_.limits.composition_steps_per_prim * registry_.prims_read();
}

bool IndexBuilder::exceeds_limit() const noexcept {
  known_limit_ = step_limit();
  return steps_ + looks_ / kLooksPerStep > known_limit_;
}

std::uint64_t IndexBuilder::steps_of_values(const PrimSpec& spec) {
  const auto [known, is_new] = value_bytes_.try_emplace(&spec, 0);
  if (is_new) {
    const ValueBytes bytes(spec);
    authored_bytes_ += bytes.authored;
    known->second = bytes.authored + bytes.filled + bytes.names;
  }
  // Beyond what makes any number of bytes a step, as numbers of this size have large squares.
  constexpr std::uint64_t kMost = std::uint64_t{1} << 31;
  const std::uint64_t all =
      std::min(kMost, authored_bytes_ + kBytesPerPrim * registry_.prims_read());
  return known->second / (kBytesPerStep + all * all / kSquaresPerByte);
}

std::uint64_t IndexBuilder::steps_of_fills(const PrimSpec& spec) const {
  std::uint64_t filled = 0;
  visit_values(spec, [&](const layer::Value& value) { filled += filled_bytes(value); });
  return filled / kBytesPerStep;
}

// Value clips serve the prims below, whether their site has opinions about these or not.
void IndexBuilder::find_clips(IndexNode& node) const {
  if (node.serves_clips || !node.counts() || node.specs.empty()) return;
  const Token clips = registry_.find_token("clips");
  if (clips.empty()) return;
  node.serves_clips =
      std::any_of(node.specs.begin(), node.specs.end(), [&](const IndexNode::Spec& spec) {
        return std::any_of(spec.prim->fields.begin(), spec.prim->fields.end(),
                           [&](const layer::Field& field) { return field.key == clips; });
      });
}

void IndexBuilder::find_specs(IndexNode& node) const {
  look(1);
  count_lookups(node.stack->layers.size());
  for (std::uint32_t i = 0; i < node.stack->layers.size(); ++i) {
    const layer::Layer& layer = *registry_.layers()[node.stack->layers[i].layer];
    if (const PrimSpec* spec = layer.find_prim(node.path.view())) node.specs.push_back({spec, i});
  }
  find_clips(node);
}

std::uint32_t IndexBuilder::mapping_of(PrimIndex& index, std::uint32_t node) {
  IndexNode& at = index.nodes[node];
  if (at.mapping != kNoIndexNode) return at.mapping;
  if (at.parent == kNoIndexNode) return at.mapping = 0;
  // What is specialized maps as at the place of its arc, and is explained by it.
  const IndexNode& arc = index.nodes[index.is_propagated(node) ? at.origin : node];
  const std::uint32_t outer = mapping_of(index, arc.parent);
  Mapping made;
  made.outer = outer;
  const std::shared_ptr<const PathMap>& further = mappings[outer].map;
  if (arc.map->is_identity()) {
    made.map = further;
  } else if (further == nullptr) {
    made.map = arc.map;
  } else {
    made.map = compose_maps(further, arc.map);
  }
  made.offset = compose(mappings[outer].offset, arc.map->offset());
  made.arc = arc.arc;
  if (arc.stack != index.nodes[arc.parent].stack) made.layer = arc.stack->root;
  made.path = arc.path;
  mappings.push_back(std::move(made));
  return at.mapping = static_cast<std::uint32_t>(mappings.size() - 1);
}

PrimIndex IndexBuilder::root_index(const LayerStack& stack) {
  PrimIndex index;
  IndexNode& root = index.nodes.emplace_back();
  root.stack = &stack;
  root.path = Path::root();
  root.map = identity_;
  find_specs(root);
  return index;
}

PrimIndex IndexBuilder::simple_index(const LayerStack& stack, const PrimSpec& spec,
                                     std::uint32_t stack_layer) {
  PrimIndex index;
  index.nodes.reserve(2);  // Most prims that have arcs have one.
  IndexNode& root = index.nodes.emplace_back();
  root.stack = &stack;
  root.path = layer::Layer::path_of(spec);
  root.map = identity_;
  root.specs.push_back({&spec, stack_layer});
  Build build;
  build.index = &index;
  run(build);
  return index;
}

PrimIndex IndexBuilder::child_index(const PrimIndex& parent, Token name) {
  bool has_arcs = false;
  PrimIndex index = descend(parent, name, has_arcs);
  if (!has_arcs) {
    index.cull();
    index.finish();
    return index;
  }
  if (take_away_if_moved(index)) return index;
  Build build;
  build.index = &index;
  run(build);
  return index;
}

// The sites of a child as they follow from those of its parent; its own arcs are not looked at, but
// whether it may have some is told.
PrimIndex IndexBuilder::descend(const PrimIndex& parent, Token name, bool& has_arcs) {
  const std::size_t count = parent.nodes.size();
  steps_ += count;
  look(kLooksPerItem * parent.ended.size());
  PrimIndex index;
  for (const PrimIndex::Site& site : parent.ended) {
    index.ended.push_back({site.stack, site.path.child(name.view())});
  }
  index.payload_skipped = parent.payload_skipped;
  index.instance_depths = parent.instance_depths;
  index.targets = parent.targets;
  index.nodes.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const IndexNode& from = parent.nodes[i];
    IndexNode& node = index.nodes[i];
    node.parent = from.parent;
    node.origin = from.origin;
    node.first_child = from.first_child;
    node.next_sibling = from.next_sibling;
    node.rank = from.rank;
    node.arc = from.arc;
    node.inert = from.inert;
    node.culled = from.culled;
    node.ancestral = i != 0;
    node.serves_clips = from.serves_clips;
    node.stack = from.stack;
    node.path = from.path.child(name.view());
    steps_ += node.path.view().size() / kLettersPerStep;
    node.map = from.map;
    node.mapping = from.mapping;
    node.chain = from.chain;
    node.depth = from.depth;
    node.restricted = from.restricted;
    node.order = from.order;
    // What relocates move here may follow from a site without opinions.
    has_arcs = has_arcs || !node.stack->relocates.empty();
    node.below_variants = from.below_variants;
    count_lookups(from.specs.size());
    for (const IndexNode::Spec& spec : from.specs) {
      const layer::PrimExtra* extra = spec.prim->extra;
      node.below_variants =
          node.below_variants || (extra != nullptr && (!extra->variant_set_names.empty() ||
                                                       !extra->variant_selections.empty()));
      const layer::Layer& layer = *registry_.layers()[node.stack->layers[spec.stack_layer].layer];
      if (const PrimSpec* child = layer.find_child(*spec.prim, name)) {
        node.specs.push_back({child, spec.stack_layer});
        has_arcs = has_arcs || brings_arcs(*child);
      }
    }
    find_clips(node);
  }
  return index;
}

// Takes sites that have come to an end out of an index that is built apart: no prim below them has
// opinions there. Classes stay, as they are implied where there may be some; and so does what
// variants or relocates may bring something to.
void IndexBuilder::drop_ended(PrimIndex& index) {
  const std::vector<IndexNode>& nodes = index.nodes;
  std::vector<char> keep(nodes.size(), 0);
  keep[0] = 1;
  for (const PrimIndex::Target& target : index.targets) keep[target.node] = 1;
  for (std::size_t i = nodes.size(); i-- > 1;) {
    const IndexNode& node = nodes[i];
    if (!node.specs.empty() || is_class_arc(node.arc) || node.arc == Arc::relocate ||
        node.below_variants || node.serves_clips || !node.stack->relocates.empty()) {
      keep[i] = 1;
    }
    if (keep[i] != 0) keep[node.parent] = keep[node.origin] = 1;
  }
  std::vector<std::uint32_t> order;
  order.reserve(nodes.size());
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    if (keep[i] != 0) {
      order.push_back(i);
    } else if (nodes[i].counts()) {
      index.add_ended({nodes[i].stack, nodes[i].path});
    }
  }
  index.rearrange(order);
}

// What a layer stack moves elsewhere is nowhere else, whatever leads to it: nothing of the index
// counts then.
bool IndexBuilder::take_away_if_moved(PrimIndex& index) const {
  for (std::uint32_t i = 0; i != kNoIndexNode;
       i = index.next_in_tree(i, 0, index.nodes[i].culled)) {
    const IndexNode& node = index.nodes[i];
    if (!node.counts() || node.stack->relocates.empty()) continue;
    if (!node.stack->relocates.contains(node.path)) continue;
    index.make_inert(0);
    for (std::uint32_t c = index.nodes[0].first_child; c != kNoIndexNode;
         c = index.nodes[c].next_sibling) {
      index.elide_tree(c);
    }
    return true;
  }
  return false;
}

void IndexBuilder::run(Build& build) {
  add_jobs_below(build, 0, false, false);
  while (!build.jobs.empty()) {
    const Job job = take_job(build);
    ++steps_;
    if (!is_exhausted() && !build.is_full) run_job(build, job);
  }
  if (build.outer != nullptr) {
    drop_found_targets(*build.index);
    return;
  }
  check_targets(build);
  look_at_specialized(*build.index);
  build.index->cull();
  build.index->finish();
}

// Each specialized site is compared with those before it when the sites are put in order.
void IndexBuilder::look_at_specialized(const PrimIndex& index) const noexcept {
  const auto count =
      std::count_if(index.nodes.begin(), index.nodes.end(),
                    [](const IndexNode& node) { return node.arc == Arc::specialize; });
  look(static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(count));
}

void IndexBuilder::report(const Build& build, std::uint32_t node, std::string_view code,
                          std::string message, std::uint32_t stack_layer, std::uint32_t line,
                          std::uint32_t levels_up) {
  const IndexNode& at = build.index->nodes[node];
  const std::uint32_t layer = at.stack->layers[stack_layer].layer;
  Path site = at.path;
  for (; levels_up > 0; --levels_up) site = site.parent();
  if (!reported_.insert(format_text("{}\n{}\n{}\n{}", layer, site.view(), line, message)).second) {
    return;
  }
  const std::uint32_t told = ++told_[std::string(code)];
  if (told > kMostOfACode) return;
  if (node != 0 || build.outer != nullptr) {
    message += format_text("; reached by {}", chain_of(build, node));
  }
  message += told < kMostOfACode ? "." : "; what more of this kind there is, is not told.";
  registry_.report(Severity::error, code, std::move(message), layer, line, site.str());
}

std::string IndexBuilder::chain_of(const Build& build, std::uint32_t node) const {
  std::vector<std::string> steps;
  constexpr std::size_t kMost = 8;
  const Build* at = &build;
  while (at != nullptr) {
    const IndexNode& site = at->index->nodes[node];
    if (steps.size() == kMost) {
      steps.emplace_back("...");
      break;
    }
    steps.push_back(format_text("@{}@<{}>", registry_.layers()[site.stack->root]->identifier(),
                                site.path.view()));
    node = site.parent;
    if (node == kNoIndexNode) {
      node = at->arc_parent;
      at = at->outer;
    }
  }
  std::reverse(steps.begin(), steps.end());
  return joined(steps, " -> ");
}

}  // namespace sinew::stage
