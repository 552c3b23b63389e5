// SPDX-License-Identifier: Apache-2.0
// Which variants a prim is composed with. Everything that may select one takes part, so none is
// entered while an index is built apart: those of the ancestors of an arc's target are entered
// where the index is in place, before those of the prim itself.

#include <utility>

#include "core/format_text.hpp"
#include "stage/index_builder.hpp"

namespace sinew::stage {

namespace {

using layer::Path;
using layer::PrimSpec;

// The set and the variant that a path ends in, if it ends in one.
std::pair<std::string_view, std::string_view> variant_of(const Path& path) {
  const std::string_view text = path.view();
  const std::size_t open = text.rfind('{');
  if (!text.ends_with('}')) return {};
  const std::size_t equals = text.find('=', open);
  return {text.substr(open + 1, equals - open - 1),
          text.substr(equals + 1, text.size() - equals - 2)};
}

bool may_count(const IndexNode& node, const Path& site) {
  return node.restricted == 0 || node.restricted > element_count(site);
}

}  // namespace

// Calls visit(spec, stack layer) for each spec of a site, strongest first, until it gives true.
template <typename Visitor>
void IndexBuilder::visit_specs(const LayerStack& stack, const Path& site,
                               const Visitor& visit) const {
  look(1);
  count_lookups(stack.layers.size());
  for (std::uint32_t i = 0; i < stack.layers.size(); ++i) {
    const layer::Layer& layer = *registry_.layers()[stack.layers[i].layer];
    const PrimSpec* spec = layer.find_prim(site.view());
    if (spec != nullptr && visit(*spec, i)) return;
  }
}

layer::Path IndexBuilder::site_of(const PrimIndex& index, const Job& job) {
  Path site = index.nodes[job.node].path;
  for (std::uint32_t i = job.levels_up; i > 0; --i) site = site.parent();
  return site;
}

void IndexBuilder::find_variant_sets(Build& build, std::uint32_t node, const Path& site,
                                     std::uint32_t levels_up) {
  std::vector<const PrimSpec*> specs;
  visit_specs(*build.index->nodes[node].stack, site, [&](const PrimSpec& spec, std::uint32_t) {
    if (spec.extra != nullptr && !spec.extra->variant_set_names.empty()) specs.push_back(&spec);
    return false;
  });
  std::vector<Token> sets;
  for (auto spec = specs.rbegin(); spec != specs.rend(); ++spec) {
    apply_list_op((*spec)->extra->variant_set_names, sets);
  }
  const Task task = levels_up != 0 ? Task::ancestral_authored_variant : Task::authored_variant;
  for (std::uint32_t i = 0; i < sets.size(); ++i) {
    add_job(build, {task, node, i, sets[i], levels_up});
  }
}

void IndexBuilder::find_ancestral_variant_sets(Build& build, std::uint32_t node) {
  const Path path = build.index->nodes[node].path;
  std::uint32_t levels_up = 0;
  for (Path site = path.parent(); !site.is_root() && !site.empty(); site = site.parent()) {
    ++levels_up;
    if (!may_count(build.index->nodes[node], site)) continue;
    find_variant_sets(build, node, site, levels_up);
    if (site.view().ends_with('}')) break;  // What is above was entered to get here.
  }
}

// The selection that a site has for a set, by its strongest layer with one.
std::optional<Token> IndexBuilder::selection_at(const IndexNode& node, const Path& site,
                                                Token set) {
  std::optional<Token> found;
  const auto read = [&](const PrimSpec& spec, std::uint32_t stack_layer) {
    if (spec.extra == nullptr) return false;
    look(spec.extra->variant_selections.size());
    for (const auto& [name, selection] : spec.extra->variant_selections) {
      if (name != set) continue;
      if (!is_expression(selection.view())) {
        found = selection;
      } else if (const auto evaluated = registry_.evaluate(selection.view(), *node.stack,
                                                           node.stack->layers[stack_layer].layer)) {
        found = registry_.intern(*evaluated);
      }
      break;  // An expression that fails selects nothing; what is weaker may.
    }
    return found.has_value();
  };
  if (site != node.path) {
    visit_specs(*node.stack, site, read);
    return found;
  }
  for (const IndexNode::Spec& spec : node.specs) {
    if (read(*spec.prim, spec.stack_layer)) break;
  }
  return found;
}

// The selection of a variant that the prim is in already: it holds for every set of that name.
// `paths` tells where the prim with the set is at each node.
std::optional<Token> IndexBuilder::entered_selection(const PrimIndex& index,
                                                     const std::vector<std::uint32_t>& order,
                                                     const std::vector<Path>& paths, Token set) {
  for (const std::uint32_t node : order) {
    if (index.nodes[node].arc != Arc::variant) continue;
    const Path entered = index.path_at_arc(node);
    const auto [name, selection] = variant_of(entered);
    if (name != set.view()) continue;
    Path owner = entered;
    while (owner.view().ends_with('}')) owner = owner.parent();
    if (owner == paths[node]) return registry_.intern(selection);
  }
  return std::nullopt;
}

// What is selected for a set: what was, else what the strongest site says that knows the prim.
std::optional<Token> IndexBuilder::selection_of(const PrimIndex& index, const Job& job) {
  // From where the prim with the set is known, as far out as it is.
  std::uint32_t top = job.node;
  Path path = site_of(index, job).strip_variants();
  if (Path at_root = map_to_root(index, job.node)->to_target(path); !at_root.empty()) {
    top = 0;
    path = std::move(at_root);
  } else {
    while (top != 0) {
      Path further = index.nodes[top].map->to_target(path);
      if (further.empty()) break;
      path = std::move(further);
      top = index.nodes[top].parent;
    }
  }
  if (const Path entered = index.path_at_arc(top); entered.has_variant_selection()) {
    path = path.replace_prefix(entered.strip_variants(), entered);
  }
  const bool is_of_stage = top == 0;
  std::vector<std::uint32_t> order;
  std::vector<Path> paths(index.nodes.size());
  paths[top] = path;
  for (std::uint32_t i = top; i != kNoIndexNode;) {
    if (i != top) {
      const PathMap& map = *index.nodes[i].map;
      const Path& above = paths[index.nodes[i].parent];
      paths[i] = map.is_identity() ? above : map.to_source(above);
    }
    if (!paths[i].empty()) order.push_back(i);
    i = index.next_in_tree(i, top, paths[i].empty());
  }
  look(order.size());
  if (auto entered = entered_selection(index, order, paths, job.set)) return entered;
  if (!options_.variant_selections.empty() && is_of_stage) {
    const auto prim = options_.variant_selections.find(path.str());
    if (prim != options_.variant_selections.end()) {
      const auto chosen = prim->second.find(job.set.str());
      if (chosen != prim->second.end()) return registry_.intern(chosen->second);
    }
  }
  for (const std::uint32_t i : order) {
    const IndexNode& node = index.nodes[i];
    if (!may_count(node, paths[i])) continue;
    Path site = paths[i];
    if (node.arc == Arc::variant) {
      const Path entered = index.path_at_arc(i);
      site = site.replace_prefix(entered.strip_variants(), entered);
    }
    if (const auto found = selection_at(node, site, job.set)) return found;
  }
  return std::nullopt;
}

void IndexBuilder::enter_authored_variant(Build& build, const Job& job) {
  if (!may_count(build.index->nodes[job.node], site_of(*build.index, job))) return;
  steps_ += build.index->nodes.size();
  const std::optional<Token> selection = selection_of(*build.index, job);
  if (selection && !selection->empty()) {
    add_variant(build, job, *selection);
    return;
  }
  // Nothing said for a set is for the fallbacks to say; nothing selected is not.
  const bool ancestral = job.task == Task::ancestral_authored_variant;
  Job next = job;
  if (selection) {
    next.task = ancestral ? Task::ancestral_no_variant : Task::no_variant;
  } else {
    next.task = ancestral ? Task::ancestral_fallback_variant : Task::fallback_variant;
  }
  add_job(build, next);
}

void IndexBuilder::enter_fallback_variant(Build& build, const Job& job) {
  const IndexNode& owner = build.index->nodes[job.node];
  const Path site = site_of(*build.index, job);
  if (!may_count(owner, site)) return;
  const auto fallbacks = options_.variant_fallbacks.find(job.set.view());
  if (fallbacks != options_.variant_fallbacks.end()) {
    for (const std::string& fallback : fallbacks->second) {
      const Token variant = registry_.find_token(fallback);
      if (variant.empty()) continue;
      bool exists = false;
      visit_specs(*owner.stack, site, [&](const PrimSpec& spec, std::uint32_t stack_layer) {
        const layer::Layer& layer = *registry_.layers()[owner.stack->layers[stack_layer].layer];
        return exists = layer.find_variant(spec, job.set, variant) != nullptr;
      });
      if (exists) return add_variant(build, job, variant);
    }
  }
  Job next = job;
  next.task =
      job.task == Task::ancestral_fallback_variant ? Task::ancestral_no_variant : Task::no_variant;
  add_job(build, next);
}

// Whether a site may bring selections of variants, by itself or by where its arcs lead.
bool IndexBuilder::may_select(const LayerStack& stack, const Path& site) const {
  bool found = false;
  visit_specs(stack, site, [&](const PrimSpec& spec, std::uint32_t) {
    const layer::PrimExtra* extra = spec.extra;
    return found = extra != nullptr && (!extra->variant_selections.empty() ||
                                        !extra->references.empty() || !extra->payloads.empty() ||
                                        !extra->inherits.empty() || !extra->specializes.empty());
  });
  return found;
}

void IndexBuilder::add_variant(Build& build, const Job& job, Token selection) {
  const IndexNode& owner = build.index->nodes[job.node];
  const Path site = site_of(*build.index, job);
  const Path variant =
      Path::from_trusted(site.str() + "{" + job.set.str() + "=" + selection.str() + "}");
  const bool ancestral = job.levels_up != 0;
  ArcTarget target;
  target.stack = owner.stack;
  target.path = ancestral ? owner.path.replace_prefix(site, variant) : variant;
  target.map = identity_;
  target.order = job.order;
  target.depth = depth_of(site);
  target.has_ancestors = ancestral;
  // A class that was followed with what the index has already left out is so in its variants too.
  for (std::uint32_t n = job.node; ancestral && n != 0; n = build.index->nodes[n].parent) {
    const IndexNode& at = build.index->nodes[n];
    if (is_class_arc(at.arc) && build.index->levels_below_arc(n) == 0 && !at.inert) {
      target.skip_duplicates = true;
    }
  }
  const LayerStack& stack = *owner.stack;
  if (add_arc(build, job.node, job.node, Arc::variant, target) == kNoIndexNode) return;
  // From the prim in the variant up to the variant itself.
  Path from = target.path;
  while (!may_select(stack, from)) {
    if (from == variant) return;
    from = from.parent();
  }
  retry_variants(build);
}

}  // namespace sinew::stage
