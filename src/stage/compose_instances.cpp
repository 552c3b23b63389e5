// SPDX-License-Identifier: Apache-2.0
// Instances: which of them share a prototype, and where what they show is.

#include <algorithm>
#include <utility>
#include <vector>

#include "core/format_text.hpp"
#include "stage/composer.hpp"
#include "stage/key_bytes.hpp"

namespace sinew::stage {

namespace {

constexpr std::uint64_t kMaxContexts = std::uint64_t{1} << 62;

}  // namespace

bool Composer::is_instance(const PrimIndex& index, std::uint32_t node) const {
  if (!stage_.nodes[node].instanceable) return false;
  return index.may_be_instance();
}

// What the prims below an instance depend on: the arcs that lead to what is shared, all of them if
// one is a payload, and the variants that are selected.
std::string Composer::instance_key(PrimIndex& index, ClipLoader::Scope clips) {
  std::string key = index.payload_skipped ? "unloaded" : "loaded";
  for (std::uint32_t i = 0; i != kNoIndexNode;) {
    const bool is_shared = index.is_shared(i);
    if (is_shared) {
      const IndexNode& node = index.nodes[i];
      const layer::LayerOffset& offset = builder_.mappings[builder_.mapping_of(index, i)].offset;
      append_bytes(key, node.arc, node.stack, offset.offset, offset.scale, node.path.view().size());
      key += node.path.view();
      if (clips != 0) key += clip_loader_.key_of(clips, *node.stack, node.path);
    }
    i = index.next_in_tree(i, 0, index.nodes[i].culled || (is_shared && !index.has_payloads));
  }
  std::vector<std::pair<Token, Token>> selections;  // Of the strongest site, by the set's name.
  for (const IndexNode& node : index.nodes) {
    if (!node.counts()) continue;
    for (const IndexNode::Spec& spec : node.specs) {
      if (spec.prim->extra == nullptr) continue;
      for (const auto& selection : spec.prim->extra->variant_selections) {
        auto place = selections.begin();
        while (place != selections.end() && place->first.view() < selection.first.view()) ++place;
        if (place == selections.end() || place->first != selection.first) {
          selections.insert(place, selection);
        }
      }
    }
  }
  for (const auto& [set, selection] : selections) {
    key += format_text("\n{}={}", set.view(), selection.view());
  }
  return key;
}

// Prims with the same key are told apart by where they stand only, and share what one of them is
// composed from: of those that are met in one round, stage or prototypes, the last.
void Composer::make_instance(PrimIndex& index, std::uint32_t node, ClipLoader::Scope clips) {
  const auto [found, added] = prototypes_.try_emplace(
      instance_key(index, clips), static_cast<std::uint32_t>(stage_.trees.size()));
  const std::uint32_t tree = found->second;
  if (added) stage_.trees.emplace_back();
  const auto first_pending = static_cast<std::uint32_t>(stage_.trees.size() - pending_.size());
  if (added) pending_.emplace_back();
  if (added || tree >= first_pending) {
    Pending& pending = added ? pending_.back() : pending_[tree - first_pending];
    pending.index = std::move(index);
    // OpenUSD tells instances apart by their clips, but looks for none at the root of a prototype.
    pending.clips = options_.rules == Rules::openusd ? 0 : clips;
    pending.instance = node;
  }
  stage_.nodes[node].prototype = tree;  // For now; its root in the end.
}

// Where a node is on the stage, in the terms of the tree it is composed for.
layer::Path Composer::path_in_tree(std::uint32_t node) const {
  const Tree& tree = stage_.trees[stage_.nodes[node].tree];
  std::vector<Token> names;
  for (; stage_.nodes[node].parent != kNoNode && node != tree.root;
       node = stage_.nodes[node].parent) {
    names.push_back(stage_.nodes[node].name);
  }
  layer::Path path = &tree == &stage_.trees[0] ? layer::Path::root() : tree.path;
  for (auto name = names.rbegin(); name != names.rend(); ++name) path = path.child(name->view());
  return path;
}

void Composer::compose_prototype(Pending& pending, std::uint32_t tree) {
  pending.index.ignore_ancestral_nodes();
  pending.index.instance_depths.push_back(depth_of(pending.index.nodes[0].path));
  stage_.trees[tree].path = path_in_tree(pending.instance);
  Inherited self;
  self.depth = depth_of(stage_.trees[tree].path);
  self.tree = tree;
  self.clips = pending.clips;
  stage_.trees[tree].root = static_cast<std::uint32_t>(stage_.nodes.size());
  PrimNode& made = stage_.nodes.emplace_back();
  made.tree = tree;
  made.first_site = static_cast<std::uint32_t>(stage_.sites.size());
  self.node = stage_.trees[tree].root;
  walk_children(pending.index, self);
  stage_.nodes[self.node].end = static_cast<std::uint32_t>(stage_.nodes.size());
}

std::uint64_t Composer::count_contexts(std::uint32_t tree, std::vector<char>& state) {
  if (state[tree] == 2) return stage_.trees[tree].context_count;
  if (state[tree] == 1) return kMaxContexts;  // A prototype inside itself; cut by the caller.
  state[tree] = 1;
  std::uint64_t next = 1;
  std::uint64_t proxies = 0;
  for (Tree::Instance& instance : stage_.trees[tree].instances) {
    instance.base = next;
    const std::uint32_t prototype = stage_.nodes[instance.node].prototype;
    const std::uint64_t inside = count_contexts(prototype, state);
    next = std::min(kMaxContexts, next + 1 + inside);
    const std::uint32_t top = stage_.trees[prototype].root;
    proxies = std::min(kMaxContexts, proxies + (stage_.nodes[top].end - top - 1) +
                                         stage_.trees[prototype].proxy_count);
  }
  state[tree] = 2;
  stage_.trees[tree].proxy_count = proxies;
  return stage_.trees[tree].context_count = next - 1;
}

// Counts the steps that the values of what instances show take.
void Composer::weigh_proxies() {
  std::vector<std::uint64_t> own(stage_.trees.size(), 0);
  for (std::size_t tree = 1; tree < own.size(); ++tree) {
    const std::uint32_t top = stage_.trees[tree].root;
    for (std::uint32_t i = top + 1; i < stage_.nodes[top].end; ++i) {
      const PrimNode& node = stage_.nodes[i];
      for (std::uint32_t site = 0; site < node.site_count; ++site) {
        own[tree] += builder_.steps_of_values(*stage_.sites[node.first_site + site].spec);
      }
    }
  }
  std::vector<char> state(stage_.trees.size(), 0);
  count_proxy_steps(0, own, state);
}

std::uint64_t Composer::count_proxy_steps(std::uint32_t tree, const std::vector<std::uint64_t>& own,
                                          std::vector<char>& state) {
  std::uint64_t& steps = stage_.trees[tree].proxy_steps;
  if (state[tree] != 0) return steps;
  state[tree] = 1;
  for (const Tree::Instance& instance : stage_.trees[tree].instances) {
    const std::uint32_t prototype = stage_.nodes[instance.node].prototype;
    steps =
        std::min(kMaxContexts, steps + own[prototype] + count_proxy_steps(prototype, own, state));
  }
  return steps;
}

// Gives every instance its base, so that contexts are sums of bases.
void Composer::number_instances() {
  for (std::uint32_t i = 0; i < stage_.nodes.size(); ++i) {
    const PrimNode& node = stage_.nodes[i];
    if (node.prototype != kNoNode) {
      if (node.abstract || !node.defined || !node.loaded) stage_.instances_differ = true;
      stage_.trees[stage_.nodes[i].tree].instances.push_back({0, i});
    }
  }
  std::vector<char> state(stage_.trees.size(), 0);
  for (std::uint32_t tree = 0; tree < stage_.trees.size(); ++tree) count_contexts(tree, state);
  // Who walks the stage takes a step for each of these too, and reads their values.
  const std::uint64_t most = std::min(options_.limits.instance_proxies, builder_.step_limit());
  const Tree& all = stage_.trees[0];
  if (builder_.is_repetitive(all.proxy_count) && all.proxy_count <= most) weigh_proxies();
  if (all.context_count + 1 >= kMaxContexts || all.proxy_count > most || all.proxy_steps > most) {
    registry_.report(Severity::error, "stage-limit",
                     format_text("The stage has more prims below instances than the limit of {}; "
                                 "none of them is shown.",
                                 most),
                     0, 0);
    for (PrimNode& node : stage_.nodes) node.prototype = kNoNode;
    for (Tree& tree : stage_.trees) tree.instances.clear();
    return;
  }
  for (PrimNode& node : stage_.nodes) {
    if (node.prototype != kNoNode) node.prototype = stage_.trees[node.prototype].root;
  }
}

}  // namespace sinew::stage
