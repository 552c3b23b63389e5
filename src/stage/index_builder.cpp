// SPDX-License-Identifier: Apache-2.0
#include "stage/index_builder.hpp"

#include <fmt/format.h>

#include <algorithm>

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

// Items of the lists that are gone through for every site a spec is brought to.
std::size_t items_in(const layer::PrimExtra& extra) noexcept {
  return edits_in(extra.inherits) + edits_in(extra.specializes) +
         edits_in(extra.variant_set_names) + extra.variant_selections.size() +
         extra.child_order.size();
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

void IndexBuilder::find_specs(IndexNode& node) const {
  look(1);
  count_lookups(node.stack->layers.size());
  for (std::uint32_t i = 0; i < node.stack->layers.size(); ++i) {
    const layer::Layer& layer = *registry_.layers()[node.stack->layers[i].layer];
    if (const PrimSpec* spec = layer.find_prim(node.path.view())) node.specs.push_back({spec, i});
  }
}

std::uint32_t IndexBuilder::mapping_of(PrimIndex& index, std::uint32_t node) {
  IndexNode& at = index.nodes[node];
  if (at.mapping != kNoIndexNode) return at.mapping;
  if (at.parent == kNoIndexNode) return at.mapping = 0;
  const std::uint32_t outer = mapping_of(index, at.parent);
  Mapping made;
  made.outer = outer;
  const std::shared_ptr<const PathMap>& further = mappings[outer].map;
  if (at.map->is_identity()) {
    made.map = further;
  } else if (further == nullptr) {
    made.map = at.map;
  } else {
    made.map = std::make_shared<const PathMap>(further->after(*at.map));
  }
  made.offset = compose(mappings[outer].offset, at.map->offset());
  made.arc = at.arc;
  if (at.stack != index.nodes[at.parent].stack) made.layer = at.stack->root;
  made.path = at.path;
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
  PrimIndex index = descend(parent, name, false);
  Build build;
  build.index = &index;
  run(build);
  return index;
}

// The sites of a child as they follow from those of its parent; its own arcs are not looked at.
PrimIndex IndexBuilder::descend(const PrimIndex& parent, Token name, bool inner, bool* moved_away) {
  bool has_arcs = inner;
  const std::size_t count = parent.nodes.size();
  steps_ += count;
  std::vector<std::vector<IndexNode::Spec>> specs(count);
  std::vector<char> keep(count, 0);
  std::vector<char> relocated(count, 0);  // Below a relocate: its sites are meant to be there.
  std::vector<char> gone(count, 0);
  for (std::size_t i = 0; i < count; ++i) {
    const IndexNode& node = parent.nodes[i];
    if (i != 0) {
      relocated[i] = relocated[node.parent] != 0 || node.arc == Arc::relocate ? 1 : 0;
      // What a layer stack moves elsewhere, its sites do not see here.
      const bool moved = relocated[i] == 0 && !node.ignore_specs &&
                         !node.stack->relocates.empty() &&
                         node.stack->relocates.contains(node.path.child(name.view()));
      if (gone[node.parent] != 0 || moved) {
        gone[i] = 1;
        if (moved && node.arc != Arc::specialize && moved_away != nullptr) *moved_away = true;
        continue;
      }
    }
    // What relocates move here may follow from a site without opinions.
    has_arcs = has_arcs || !node.stack->relocates.empty();
    count_lookups(node.specs.size());
    for (const IndexNode::Spec& spec : node.specs) {
      const layer::Layer& layer = *registry_.layers()[node.stack->layers[spec.stack_layer].layer];
      if (const PrimSpec* child = layer.find_child(*spec.prim, name)) {
        specs[i].push_back({child, spec.stack_layer});
        has_arcs = has_arcs || brings_arcs(*child);
      }
    }
  }
  // Sites without opinions matter while arcs are followed; without arcs, they can go at once.
  keep[0] = 1;
  for (std::size_t i = count; i-- > 1;) {
    if (gone[i] != 0) continue;
    if (!specs[i].empty() || (has_arcs && !parent.nodes[i].culled)) keep[i] = 1;
    if (parent.nodes[i].serves_clips) keep[i] = 1;
    if (keep[i] == 0) continue;
    keep[parent.nodes[i].parent] = 1;
    if (gone[parent.nodes[i].origin] == 0) keep[parent.nodes[i].origin] = 1;
  }
  PrimIndex index;
  index.payload_skipped = parent.payload_skipped;
  std::vector<std::uint32_t> new_index(count, kNoIndexNode);
  for (std::size_t i = 0; i < count; ++i) {
    if (keep[i] == 0 || gone[i] != 0) continue;
    const IndexNode& from = parent.nodes[i];
    new_index[i] = static_cast<std::uint32_t>(index.nodes.size());
    IndexNode& node = index.nodes.emplace_back();
    if (i != 0) {
      node.parent = new_index[from.parent];
      node.origin = new_index[from.origin];
      if (node.origin == kNoIndexNode) node.origin = node.parent;
    }
    node.arc = from.arc;
    node.ignore_specs = from.ignore_specs;
    node.ancestral = i != 0;
    node.serves_clips = from.serves_clips;
    node.culled = from.culled;
    node.stack = from.stack;
    node.path = from.path.child(name.view());
    steps_ += node.path.view().size() / kLettersPerStep;
    node.map = from.map;
    node.mapping = from.mapping;
    node.chain = from.chain;
    node.depth = from.depth;
    node.root_depth = from.root_depth;
    node.order = from.order;
    node.specs = std::move(specs[i]);
  }
  // Siblings stay in their order.
  for (std::size_t i = 0; i < count; ++i) {
    if (new_index[i] == kNoIndexNode) continue;
    std::uint32_t* place = &index.nodes[new_index[i]].first_child;
    for (std::uint32_t c = parent.nodes[i].first_child; c != kNoIndexNode;
         c = parent.nodes[c].next_sibling) {
      if (new_index[c] == kNoIndexNode) continue;
      *place = new_index[c];
      place = &index.nodes[new_index[c]].next_sibling;
    }
  }
  return index;
}

void IndexBuilder::run(Build& build) {
  for (std::uint32_t i = 0; i < build.index->nodes.size(); ++i) add_tasks(build, i, false);
  do {
    std::size_t kind = 0;
    while (kind < build.tasks.size()) {
      if (build.tasks[kind].empty()) {
        ++kind;
        continue;
      }
      const std::uint32_t node = build.tasks[kind].front();
      build.tasks[kind].pop_front();
      ++steps_;
      if (!is_exhausted() && !build.is_full) run_task(build, static_cast<Task>(kind), node);
      kind = 0;
    }
  } while (enter_variant(build));
  build.index->cull(build.outer != nullptr || !build.index->nodes[0].stack->relocates.empty());
  if (build.outer == nullptr) look_at_specialized(*build.index);
}

// Each specialized site is compared with those before it when the sites are put in order.
void IndexBuilder::look_at_specialized(const PrimIndex& index) const noexcept {
  const auto count =
      std::count_if(index.nodes.begin(), index.nodes.end(),
                    [](const IndexNode& node) { return node.arc == Arc::specialize; });
  look(static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(count));
}

void IndexBuilder::run_task(Build& build, Task task, std::uint32_t node) {
  const IndexNode& at = build.index->nodes[node];
  const bool counts = !at.ignore_specs;
  switch (task) {
    case Task::relocates:
      if (counts || at.arc == Arc::relocate) evaluate_relocates(build, node);
      break;
    case Task::implied_relocates:
      evaluate_implied_relocates(build, node);
      break;
    case Task::references:
      if (counts) evaluate_references(build, node, false);
      break;
    case Task::payloads:
      if (counts) evaluate_references(build, node, true);
      break;
    case Task::inherits:
      if (counts) evaluate_classes(build, node, Arc::inherit);
      break;
    case Task::implied_classes:
      evaluate_implied_classes(build, node);
      break;
    case Task::specializes:
      if (counts) evaluate_classes(build, node, Arc::specialize);
      break;
    case Task::count:
      break;
  }
}

// Notes what is to be looked at for a node. With `arcs_known` the node comes from an index that was
// built apart, where its arcs were followed already.
void IndexBuilder::add_tasks(Build& build, std::uint32_t node, bool arcs_known) {
  const IndexNode& at = build.index->nodes[node];
  if (!arcs_known && !at.stack->relocate_sources.empty()) build.add(Task::relocates, node);
  if (at.arc == Arc::relocate && !at.ancestral) build.add(Task::implied_relocates, node);
  if (at.specs.size() > 1) look(kLooksPerSpec * (at.specs.size() - 1));
  std::vector<Token> sets;
  std::array<bool, 4> has{};
  for (auto spec = at.specs.rbegin(); spec != at.specs.rend(); ++spec) {
    const layer::PrimExtra* extra = spec->prim->extra;
    if (extra == nullptr) continue;
    has[0] = has[0] || !extra->references.empty();
    has[1] = has[1] || !extra->payloads.empty();
    has[2] = has[2] || !extra->inherits.empty();
    has[3] = has[3] || !extra->specializes.empty();
    apply_list_op(extra->variant_set_names, sets);
    count_items(items_in(*extra));
  }
  if (!arcs_known) {
    if (has[0]) build.add(Task::references, node);
    if (has[1]) build.add(Task::payloads, node);
    if (has[2]) build.add(Task::inherits, node);
    if (has[3]) build.add(Task::specializes, node);
  }
  if (!build.variants || at.ignore_specs) return;
  for (std::uint32_t i = 0; i < sets.size(); ++i) build.variant_sets.push_back({node, i, sets[i]});
}

void IndexBuilder::report(const Build& build, std::uint32_t node, std::string_view code,
                          std::string message, std::uint32_t stack_layer, std::uint32_t line) {
  const IndexNode& at = build.index->nodes[node];
  const std::uint32_t layer = at.stack->layers[stack_layer].layer;
  if (!reported_.insert(fmt::format("{}\n{}\n{}\n{}", layer, at.path.view(), line, message))
           .second) {
    return;
  }
  const std::uint32_t told = ++told_[std::string(code)];
  if (told > kMostOfACode) return;
  if (node != 0 || build.outer != nullptr) {
    message += fmt::format("; reached by {}", chain_of(build, node));
  }
  message += told < kMostOfACode ? "." : "; what more of this kind there is, is not told.";
  registry_.report(Severity::error, code, std::move(message), layer, line, at.path.str());
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
    steps.push_back(fmt::format("@{}@<{}>", registry_.layers()[site.stack->root]->identifier(),
                                site.path.view()));
    node = site.parent;
    if (node == kNoIndexNode) {
      node = at->arc_parent;
      at = at->outer;
    }
  }
  std::reverse(steps.begin(), steps.end());
  return fmt::format("{}", fmt::join(steps, " -> "));
}

}  // namespace sinew::stage
