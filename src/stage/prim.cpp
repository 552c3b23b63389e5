// SPDX-License-Identifier: Apache-2.0
#include "sinew/stage/prim.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "core/sort.hpp"
#include "stage/dictionary_order.hpp"
#include "stage/metadata.hpp"
#include "stage/opinions.hpp"
#include "stage/shared/nodes.hpp"
#include "stage/stage_impl.hpp"

namespace sinew::stage {

namespace {

// What a handle of no prim shows.
constexpr PrimNode kNoPrim = [] {
  PrimNode node;
  node.active = node.loaded = false;
  return node;
}();

const PrimNode& node_of(const Stage* stage, std::uint32_t node) noexcept {
  return stage == nullptr ? kNoPrim : impl_of(*stage).nodes[node];
}

Token token_of(const Stage* stage, std::string_view name) noexcept {
  return stage == nullptr ? Token() : stage->find_token(name);
}

Stage::Impl::PlaceFlags flags_of(const Stage* stage, std::uint32_t node,
                                 std::uint64_t context) noexcept {
  if (stage == nullptr) return {false, false, false};
  return impl_of(*stage).flags_at(node, context);
}

}  // namespace

std::size_t node_count(const Stage& stage) noexcept {
  return impl_of(stage).nodes.size();
}

Prim prim_of_node(const Stage& stage, std::uint32_t node) noexcept {
  return StageAccess::prim(stage, node, 0);
}

void Stage::Impl::index_children() {
  std::vector<std::uint32_t> counts(nodes.size(), 0);
  for (const PrimNode& node : nodes) {
    if (node.parent != kNoNode) ++counts[node.parent];
  }
  std::size_t total = 0;
  for (const std::uint32_t count : counts) total += count > kFewChildren ? count : 0;
  if (total == 0) return;
  child_index.assign(std::bit_ceil(total * 2), kNoNode);
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    const PrimNode& node = nodes[i];
    if (node.parent == kNoNode || counts[node.parent] <= kFewChildren) continue;
    std::size_t slot = child_slot(node.parent, node.name);
    while (child_index[slot] != kNoNode) slot = (slot + 1) & (child_index.size() - 1);
    child_index[slot] = i;
  }
}

std::uint32_t Stage::Impl::find_child(std::uint32_t node, Token name) const noexcept {
  const std::uint32_t end = nodes[node].end;
  std::uint32_t seen = 0;
  for (std::uint32_t child = node + 1; child < end; child = nodes[child].end) {
    if (nodes[child].name == name) return child;
    if (++seen <= kFewChildren) continue;
    std::size_t slot = child_slot(node, name);
    for (; child_index[slot] != kNoNode; slot = (slot + 1) & (child_index.size() - 1)) {
      const PrimNode& found = nodes[child_index[slot]];
      if (found.parent == node && found.name == name) return child_index[slot];
    }
    return kNoNode;
  }
  return kNoNode;
}

Stage::Impl::Enclosing Stage::Impl::enclosing(std::uint64_t context) const noexcept {
  const Tree* tree = trees.data();
  std::uint64_t outer = 0;
  for (;;) {
    const auto after = std::upper_bound(
        tree->instances.begin(), tree->instances.end(), context,
        [](std::uint64_t c, const Tree::Instance& instance) { return c < instance.base; });
    const Tree::Instance& instance = *(after - 1);
    context -= instance.base;
    if (context == 0) return {instance.node, outer};
    outer += instance.base;
    tree = &trees[nodes[nodes[instance.node].prototype].tree];
  }
}

Stage::Impl::PlaceFlags Stage::Impl::flags_at(std::uint32_t node,
                                              std::uint64_t context) const noexcept {
  PlaceFlags flags{nodes[node].defined, nodes[node].abstract, nodes[node].loaded};
  if (!instances_differ) return flags;
  while (context != 0) {
    const Enclosing around = enclosing(context);
    const PrimNode& instance = nodes[around.instance];
    flags.defined = flags.defined && instance.defined;
    flags.abstract = flags.abstract || instance.abstract;
    flags.loaded = flags.loaded && instance.loaded;
    context = around.context;
  }
  return flags;
}

std::uint64_t Stage::Impl::context_below(std::uint32_t instance,
                                         std::uint64_t context) const noexcept {
  const Tree& tree = trees[nodes[instance].tree];
  const auto found = std::lower_bound(
      tree.instances.begin(), tree.instances.end(), instance,
      [](const Tree::Instance& entry, std::uint32_t node) { return entry.node < node; });
  return context + found->base;
}

bool Prim::is_root() const noexcept {
  return node_ == 0;
}
Token Prim::name() const noexcept {
  return node_of(stage_, node_).name;
}
Token Prim::type_name() const noexcept {
  return node_of(stage_, node_).type_name;
}
layer::Specifier Prim::specifier() const noexcept {
  return node_of(stage_, node_).specifier;
}
bool Prim::is_active() const noexcept {
  return node_of(stage_, node_).active;
}
bool Prim::is_defined() const noexcept {
  return flags_of(stage_, node_, context_).defined;
}
bool Prim::is_abstract() const noexcept {
  return flags_of(stage_, node_, context_).abstract;
}
bool Prim::is_loaded() const noexcept {
  return flags_of(stage_, node_, context_).loaded;
}
bool Prim::instanceable() const noexcept {
  return node_of(stage_, node_).instanceable;
}
bool Prim::is_instance_proxy() const noexcept {
  return context_ != 0;
}
bool Prim::is_instance() const noexcept {
  return node_of(stage_, node_).prototype != kNoNode;
}

SchemaType Prim::schema_type() const noexcept {
  return node_of(stage_, node_).schema;
}

bool Prim::is_a(SchemaType type) const noexcept {
  return derives_from(node_of(stage_, node_).schema, type);
}

bool Prim::matches(const Traversal& traversal) const noexcept {
  const PrimNode& node = node_of(stage_, node_);
  const Stage::Impl::PlaceFlags place = flags_of(stage_, node_, context_);
  return (traversal.inactive || node.active) && (traversal.undefined || place.defined) &&
         (traversal.abstract || !place.abstract) && (traversal.unloaded || place.loaded) &&
         (traversal.instance_proxies || context_ == 0);
}

layer::Path Prim::path() const {
  if (!valid()) return {};
  if (is_root()) return layer::Path::root();
  std::size_t size = 0;
  for (Prim prim = *this; !prim.is_root(); prim = prim.parent()) {
    size += prim.name().view().size() + 1;
  }
  std::string text(size, '/');  // Filled from the back.
  for (Prim prim = *this; !prim.is_root(); prim = prim.parent()) {
    const std::string_view name = prim.name().view();
    size -= name.size();
    name.copy(text.data() + size, name.size());
    --size;
  }
  return layer::Path::from_trusted(std::move(text));
}

Prim Prim::parent() const noexcept {
  if (!valid()) return {};
  const Stage::Impl& impl = impl_of(*stage_);
  const std::uint32_t parent = impl.nodes[node_].parent;
  if (parent == kNoNode) return {};
  if (context_ != 0 && impl.trees[impl.nodes[node_].tree].root == parent) {
    const Stage::Impl::Enclosing around = impl.enclosing(context_);
    return {stage_, around.instance, around.context};
  }
  return {stage_, parent, context_};
}

Prim Prim::first_child() const noexcept {
  if (!valid()) return {};
  const Stage::Impl& impl = impl_of(*stage_);
  const PrimNode& node = impl.nodes[node_];
  if (node.prototype != kNoNode) {
    if (impl.nodes[node.prototype].end == node.prototype + 1) return {};
    return {stage_, node.prototype + 1, impl.context_below(node_, context_)};
  }
  return node.end == node_ + 1 ? Prim() : Prim(stage_, node_ + 1, context_);
}

Prim Prim::next_sibling() const noexcept {
  if (!valid()) return {};
  const Stage::Impl& impl = impl_of(*stage_);
  const PrimNode& node = impl.nodes[node_];
  if (node.parent == kNoNode || node.end == impl.nodes[node.parent].end) return {};
  return {stage_, node.end, context_};
}

Prim Prim::child(Token name) const noexcept {
  if (!valid() || name.empty()) return {};
  const Stage::Impl& impl = impl_of(*stage_);
  const std::uint32_t prototype = impl.nodes[node_].prototype;
  const bool instance = prototype != kNoNode;
  const std::uint32_t found = impl.find_child(instance ? prototype : node_, name);
  if (found == kNoNode) return {};
  return {stage_, found, instance ? impl.context_below(node_, context_) : context_};
}

Prim Prim::child(std::string_view name) const noexcept {
  return child(token_of(stage_, name));
}

std::vector<Prim> Prim::children(const Traversal& traversal) const {
  std::vector<Prim> result;
  for (Prim prim = first_child(); prim; prim = prim.next_sibling()) {
    if (prim.matches(traversal)) result.push_back(prim);
  }
  return result;
}

PrimRange Prim::descendants(const Traversal& traversal) const noexcept {
  PrimRange range;
  range.top_ = *this;
  range.traversal_ = traversal;
  return range;
}

PrimRange::Iterator PrimRange::begin() const noexcept {
  Iterator iterator;
  iterator.top_ = top_;
  iterator.traversal_ = traversal_;
  // A range may start inside an instance even if it does not enter any.
  Traversal own = traversal_;
  own.instance_proxies = true;
  if (top_ && (top_.is_root() || top_.matches(own))) iterator.current_ = top_;
  return iterator;
}

PrimRange::Iterator& PrimRange::Iterator::operator++() noexcept {
  const bool enters = !skip_ && (traversal_.instance_proxies || !current_.is_instance());
  skip_ = false;
  Traversal allowed = traversal_;
  allowed.instance_proxies = true;  // Entering instances was decided above.
  Prim next = enters ? current_.first_child() : Prim();
  Prim at = current_;
  for (;;) {
    while (next && !next.matches(allowed)) next = next.next_sibling();
    if (next) break;
    if (at == top_ || !at) {
      current_ = {};
      return *this;
    }
    next = at.next_sibling();
    at = at.parent();
  }
  current_ = next;
  return *this;
}

std::size_t Prim::hash() const noexcept {
  std::uint64_t h = (context_ + 0x9E3779B97F4A7C15ULL) * 0xBF58476D1CE4E5B9ULL + node_;
  h = (h ^ (h >> 31)) * 0x94D049BB133111EBULL;
  return h ^ (h >> 29);
}

std::span<const Token> Prim::authored_api_schemas() const noexcept {
  if (!valid()) return {};
  return api_schemas_of(impl_of(*stage_), node_);
}

bool Prim::has_api(std::string_view schema) const noexcept {
  const auto has_it = [schema](std::span<const std::string_view> built_in) {
    return std::find(built_in.begin(), built_in.end(), schema) != built_in.end();
  };
  for (const Token api : authored_api_schemas()) {
    if (api.view() == schema || has_it(built_in_api_schemas(api.view()))) return true;
  }
  return has_it(built_in_api_schemas(node_of(stage_, node_).schema));
}

namespace {

// The strongest spec of that name, or nothing.
const layer::PropertySpec* strongest(const Stage::Impl& impl, std::uint32_t node,
                                     Token name) noexcept {
  for (const Site& site : impl.sites_of(node)) {
    if (const auto* spec = impl.layers[site.layer]->find_property(*site.spec, name)) return spec;
  }
  return nullptr;
}

// Whether the strongest spec is not of the kind that the schema gives the property, and a weaker
// one is.
bool is_overruled(const Stage::Impl& impl, std::uint32_t node, Token name,
                  const layer::PropertySpec& strongest) noexcept {
  const std::span<const Site> sites = impl.sites_of(node);
  if (sites.size() == 1) return false;
  const bool differ = std::any_of(sites.begin(), sites.end(), [&](const Site& site) {
    const auto* spec = impl.layers[site.layer]->find_property(*site.spec, name);
    return spec != nullptr && spec->is_attribute() != strongest.is_attribute();
  });
  if (!differ) return false;
  return strongest.is_attribute() ? declares_relationship(impl, node, name)
                                  : declares_attribute(impl, node, name);
}

}  // namespace

Attribute Prim::attribute(Token name) const noexcept {
  if (!valid() || name.empty()) return {};
  const Stage::Impl& impl = impl_of(*stage_);
  const layer::PropertySpec* spec = strongest(impl, node_, name);
  if (spec == nullptr || spec->is_attribute() == is_overruled(impl, node_, name, *spec)) return {};
  return StageAccess::property<Attribute>(*stage_, node_, context_, name);
}

Attribute Prim::attribute(std::string_view name) const noexcept {
  return attribute(token_of(stage_, name));
}

Relationship Prim::relationship(Token name) const noexcept {
  if (!valid() || name.empty()) return {};
  const Stage::Impl& impl = impl_of(*stage_);
  const layer::PropertySpec* spec = strongest(impl, node_, name);
  if (spec == nullptr || spec->is_attribute() != is_overruled(impl, node_, name, *spec)) return {};
  return StageAccess::property<Relationship>(*stage_, node_, context_, name);
}

Relationship Prim::relationship(std::string_view name) const noexcept {
  return relationship(token_of(stage_, name));
}

std::vector<Token> Prim::property_names() const {
  if (!valid()) return {};
  const Stage::Impl& impl = impl_of(*stage_);
  std::vector<Token> names;
  const std::vector<Token>* order = nullptr;
  for (const Site& site : impl.sites_of(node_)) {
    for (const layer::PropertySpec& property : site.spec->properties) {
      names.push_back(property.name);
    }
    if (order == nullptr && site.spec->extra != nullptr &&
        !site.spec->extra->property_order.empty()) {
      order = &site.spec->extra->property_order;
    }
  }
  const auto before = [](Token a, Token b) { return dictionary_less(a.view(), b.view()); };
  // Many files state them in this order.
  if (!std::is_sorted(names.begin(), names.end(), before)) {
    sort_range(names.begin(), names.end(), before);
  }
  names.erase(std::unique(names.begin(), names.end()), names.end());
  if (order == nullptr) return names;
  std::vector<Token> result;
  for (const Token name : *order) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) continue;
    result.push_back(name);
    names.erase(found);
  }
  result.insert(result.end(), names.begin(), names.end());
  return result;
}

bool Prim::has_property_in_namespace(std::string_view prefix) const noexcept {
  if (!valid()) return false;
  for (const Site& site : impl_of(*stage_).sites_of(node_)) {
    for (const layer::PropertySpec& property : site.spec->properties) {
      if (property.name.view().starts_with(prefix)) return true;
    }
  }
  return false;
}

std::vector<Attribute> Prim::attributes() const {
  std::vector<Attribute> result;
  for (const Token name : property_names()) {
    const Attribute found = attribute(name);
    if (found && !declares_relationship(impl_of(*stage_), node_, name)) result.push_back(found);
  }
  return result;
}

std::vector<Relationship> Prim::relationships() const {
  std::vector<Relationship> result;
  for (const Token name : property_names()) {
    const Relationship found = relationship(name);
    if (found && !declares_attribute(impl_of(*stage_), node_, name)) result.push_back(found);
  }
  return result;
}

layer::Value Prim::metadata(std::string_view key) const {
  if (!valid()) return {};
  return compose_prim_field(impl_of(*stage_), node_, key);
}

std::vector<std::pair<Token, Token>> Prim::variant_selections() const {
  if (!valid()) return {};
  const Stage::Impl& impl = impl_of(*stage_);
  std::vector<Token> sets;
  const std::span<const Site> sites = impl.sites_of(node_);
  for (auto site = sites.rbegin(); site != sites.rend(); ++site) {
    if (site->spec->extra != nullptr) apply_list_op(site->spec->extra->variant_set_names, sets);
  }
  std::vector<std::pair<Token, Token>> result;
  for (const Token set : sets) {
    Token selection;
    // A variant that takes part is a site of its own, under the prim that holds the set.
    for (const Site& site : sites) {
      if (!site.spec->is_variant || site.spec->parent->extra == nullptr) continue;
      for (const layer::VariantSetSpec& spec : site.spec->parent->extra->variant_sets) {
        for (const layer::VariantSpec& variant : spec.variants) {
          const bool is_met = spec.name == set && variant.prim == site.spec;
          if (is_met && selection.empty()) selection = variant.name;  // The strongest site's.
        }
      }
    }
    result.emplace_back(set, selection);
  }
  return result;
}

}  // namespace sinew::stage
