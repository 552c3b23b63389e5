// SPDX-License-Identifier: Apache-2.0
#include "stage/prim_index.hpp"

#include <algorithm>
#include <unordered_set>

namespace sinew::stage {

using layer::Path;
using layer::PrimSpec;

namespace {}  // namespace

std::string_view name_of(Arc arc) noexcept {
  switch (arc) {
    case Arc::root:
      return "root";
    case Arc::inherit:
      return "inherit";
    case Arc::variant:
      return "variant";
    case Arc::relocate:
      return "relocate";
    case Arc::reference:
      return "reference";
    case Arc::payload:
      return "payload";
    case Arc::specialize:
      return "specialize";
  }
  return "arc";
}

std::uint32_t depth_of(const Path& path) noexcept {
  std::uint32_t depth = 0;
  std::string_view text = path.view();
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{') {
      i = text.find('}', i);
      if (i == std::string_view::npos) break;
      if (i + 1 < text.size() && text[i + 1] != '{') ++depth;
    } else if (text[i] == '/') {
      ++depth;
    }
  }
  return text == "/" ? 0 : depth;
}

bool PrimIndex::has_class_child(std::uint32_t node) const {
  for (std::uint32_t c = nodes[node].first_child; c != kNoIndexNode; c = nodes[c].next_sibling) {
    if (is_class_arc(nodes[c].arc)) return true;
  }
  return false;
}

std::uint32_t PrimIndex::levels_below_arc(std::uint32_t node) const {
  const IndexNode& at = nodes[node];
  return at.parent == kNoIndexNode ? 0 : depth_of(nodes[at.parent].path) - at.depth;
}

void PrimIndex::cull(bool keep_classes) {
  std::vector<char> needed(nodes.size(), 0);
  for (std::size_t i = nodes.size(); i-- > 1;) {
    IndexNode& node = nodes[i];
    node.culled = node.ancestral && node.specs.empty() && needed[i] == 0 &&
                  (!keep_classes || node.arc != Arc::inherit || node.stack != nodes[0].stack);
    if (!node.culled) needed[node.parent] = needed[node.origin] = 1;
  }
}

std::vector<char> PrimIndex::direct_nodes() const {
  std::vector<char> direct(nodes.size(), 0);
  for (std::size_t i = 1; i < direct.size(); ++i) {
    const IndexNode& node = nodes[i];
    if (!node.ancestral || direct[node.parent] != 0) direct[i] = 1;
  }
  return direct;
}

bool PrimIndex::has_direct_opinions() const {
  const std::vector<char> direct = direct_nodes();
  for (std::size_t i = 1; i < direct.size(); ++i) {
    if (direct[i] != 0 && !nodes[i].specs.empty()) return true;
  }
  return false;
}

void PrimIndex::ignore_ancestral_nodes() {
  const std::vector<char> direct = direct_nodes();
  for (std::size_t i = 0; i < direct.size(); ++i) {
    if (direct[i] == 0) nodes[i].ignore_specs = true;
  }
}

bool PrimIndex::has_site(const LayerStack* stack, const Path& path) const {
  return std::any_of(nodes.begin(), nodes.end(), [&](const IndexNode& node) {
    return node.stack == stack && !node.ignore_specs && !node.culled && node.path == path;
  });
}

namespace {

// Leaves out what a layer stack moves away from below `path`, and adds what it moves there. What is
// renamed in place keeps its place. Names that something was moved away from are `prohibited`, also
// for stronger sites.
void relocate_names(const LayerStack& stack, const Path& path, LayerRegistry& registry,
                    std::vector<Token>& names, std::unordered_set<Token>& known,
                    std::unordered_set<Token>& prohibited) {
  if (stack.relocates.empty()) return;
  // Paths below another one follow it in order: the rest of the table need not be looked at.
  for (auto at = stack.relocates.lower_bound(path);
       at != stack.relocates.end() && at->first.has_prefix(path); ++at) {
    const auto& [source, target] = *at;
    if (source.parent() != path) continue;
    const Token name = registry.intern(source.name());
    prohibited.insert(name);
    const auto place = std::find(names.begin(), names.end(), name);
    known.erase(name);
    if (place == names.end()) continue;
    if (!target.empty() && target.parent() == path &&
        known.insert(registry.intern(target.name())).second) {
      *place = registry.intern(target.name());
    } else {
      names.erase(place);
    }
  }
  for (auto at = stack.relocate_sources.lower_bound(path);
       at != stack.relocate_sources.end() && at->first.has_prefix(path); ++at) {
    const auto& [target, source] = *at;
    if (target.parent() != path || source.parent() == path) continue;
    const Token name = registry.intern(target.name());
    if (known.insert(name).second) names.push_back(name);
  }
}

}  // namespace

std::vector<Token> child_names(const PrimIndex& index, LayerRegistry& registry) {
  std::vector<Token> names;
  std::unordered_set<Token> known;
  std::unordered_set<Token> prohibited;
  const std::vector<std::uint32_t> order = index.strength_order();
  for (auto i = order.rbegin(); i != order.rend(); ++i) {
    const IndexNode& node = index.nodes[*i];
    if (node.culled || (node.ignore_specs && node.arc != Arc::relocate)) continue;
    relocate_names(*node.stack, node.path, registry, names, known, prohibited);
    if (node.ignore_specs) continue;
    for (auto spec = node.specs.rbegin(); spec != node.specs.rend(); ++spec) {
      for (const PrimSpec* child : spec->prim->children) {
        if (known.insert(child->name).second) names.push_back(child->name);
      }
      if (spec->prim->extra != nullptr && !spec->prim->extra->child_order.empty()) {
        layer::ListOp<Token> reorder;
        reorder.ordered = spec->prim->extra->child_order;
        apply_list_op(reorder, names);
      }
    }
  }
  if (!prohibited.empty()) {
    std::erase_if(names, [&](Token name) { return prohibited.contains(name); });
  }
  return names;
}

}  // namespace sinew::stage
