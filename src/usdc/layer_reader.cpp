// SPDX-License-Identifier: Apache-2.0
// Specs to prims, properties and variants, from the root downwards.
#include "usdc/layer_reader.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "core/format_text.hpp"
#include "core/prefetch.hpp"
#include "core/unicode.hpp"

namespace sinew::usdc {

using layer::PrimExtra;
using layer::PrimSpec;
using layer::PropertySpec;
using Kind = PathTree::Kind;

namespace {

constexpr std::string_view kSpecCode = "usdc-spec";

bool is_property_type(std::uint32_t type) noexcept {
  return type == static_cast<std::uint32_t>(SpecType::attribute) ||
         type == static_cast<std::uint32_t>(SpecType::relationship);
}

// Of a feature that was removed, or repeating what lists of targets say, or of such a target.
bool is_leftover(const PathTree::Item& item, std::uint32_t type) noexcept {
  if (item.kind == Kind::below_target) return true;
  switch (static_cast<SpecType>(type)) {
    case SpecType::connection:
    case SpecType::expression:
    case SpecType::mapper:
    case SpecType::mapper_argument:
    case SpecType::relationship_target:
      return true;
    default:
      return false;
  }
}

}  // namespace

LayerReader::LayerReader(ReadContext& context)
    : c_(context),
      most_fields_(context.options.limits.names_per_spec),
      values_(context),
      layer_(std::make_unique<layer::LayerAccess::Impl>()) {
  const std::size_t tokens = c_.tables.tokens.size();
  field_names_.resize(tokens);
  prim_slots_.assign(tokens, kNone);
  property_slots_.assign(tokens, kNone);
  type_places_.resize(tokens);
  name_flags_.resize(tokens);
  seen_.resize(tokens);
  c_.names->reserve(c_.names->size() + std::min(tokens, c_.paths.items().size()));
  is_placed_.resize(c_.paths.items().size());
  prim_plan_of_.assign(c_.tables.field_sets.size(), kNone);
}

Result<layer::LayerPtr> LayerReader::run(std::string identifier) {
  layer_->identifier = std::move(identifier);
  layer_->tokens = c_.names;
  layer_->damaged_values = c_.damaged;
  if (!assign_specs() || !build()) return c_.report.error();
  if (c_.options.on_error == OnError::reject && values_.has_failed()) return values_.error();
  layer_->complete = is_complete_;
  layer_->has_fills = c_.budget->has_fills();
  return layer::LayerAccess::make(std::move(layer_));
}

std::string LayerReader::path_of(std::uint32_t item) const {
  return c_.paths.text(item, c_.tables.tokens, kMaxNameBytes);
}

void LayerReader::note(Severity severity, std::string_view code, std::string_view message,
                       std::uint32_t item) {
  if (!c_.report.wants(code)) return;
  c_.report.add(severity, code, format_text("{} (item {} of PATHS)", message, item), path_of(item));
}

bool LayerReader::limit(std::uint32_t item, std::string_view what, std::uint64_t limit) {
  const bool is_first = !std::exchange(is_rejected_, true);
  if (is_first) {
    c_.report.reject("usdc-limit",
                     format_text("<{}> (item {} of PATHS) takes the file beyond the limit of {} {}",
                                 path_of(item), item, limit, what),
                     Report::kNoOffset, ErrorCode::limit_exceeded);
  }
  return false;
}

// Whether a spec of that type may have that path.
bool LayerReader::fits(const PathTree::Item& item, std::uint32_t type) noexcept {
  static constexpr std::array<Kind, kSpecTypes> kKinds = [] {
    std::array<Kind, kSpecTypes> kinds{};
    kinds.fill(static_cast<Kind>(0xFF));  // Which nothing is.
    const auto set = [&](SpecType of, Kind kind) { kinds[static_cast<std::size_t>(of)] = kind; };
    set(SpecType::pseudo_root, Kind::root);
    set(SpecType::prim, Kind::prim);
    set(SpecType::attribute, Kind::property);
    set(SpecType::relationship, Kind::property);
    set(SpecType::variant, Kind::variant);
    set(SpecType::variant_set, Kind::variant_set);
    return kinds;
  }();
  return type < kSpecTypes && item.kind == kKinds[type];
}

bool LayerReader::assign_specs() {
  leftovers_ = {};
  std::size_t property_count = 0;
  std::size_t other_count = 0;
  PathTree& paths = c_.paths;
  const auto& items = paths.items();
  const auto assign = [&](const SpecBlock& specs) {
    // Items may be in another order than specs: so many are fetched ahead.
    constexpr std::size_t kAhead = 32;
    std::array<std::uint32_t, kRunBlock> places;
    const PathTree::Item* const tree = items.data();
    const auto find = [&](std::size_t i) {
      if (i >= specs.size()) return;
      places[i] = paths.item_of(specs.paths[i]);
      if (places[i] != kNone) prefetch_memory(tree + places[i]);
    };
    for (std::size_t i = 0; i < kAhead; ++i) find(i);
    std::size_t added = 0;
    std::size_t added_properties = 0;
    for (std::size_t i = 0; i < specs.size(); ++i) {
      find(i + kAhead);
      const std::uint32_t item = places[i];
      const std::uint32_t type = specs.types[i];
      const bool is_plain = item != kNone && !tree[item].has_spec() && fits(tree[item], type);
      if (!is_plain && !is_other_spec(specs.first + i, type, item)) continue;
      paths.assign(item, specs.fields[i], type == static_cast<std::uint32_t>(SpecType::attribute));
      ++added;
      added_properties += is_property_type(type) ? 1 : 0;
    }
    property_count += added_properties;
    other_count += added - added_properties;
  };
  if (!c_.read_specs(assign)) return false;
  const std::size_t bytes =
      property_count * sizeof(PropertySpec) + other_count * (sizeof(PrimSpec) + sizeof(PrimSpec*));
  layer_->arena.expect(bytes);
  if (!items[0].has_spec() && c_.report.wants(kSpecCode)) {
    c_.report.add(Severity::warning, kSpecCode, "there is no spec of the layer itself");
  }
  // Files before 0.1.0 have them throughout.
  if (leftovers_.count != 0 && c_.file.since(1) && c_.report.wants(kSpecCode)) {
    c_.report.add(Severity::info, kSpecCode,
                  format_text("specs of targets, connections, mappers and expressions, and below "
                              "targets, are left out: {}",
                              leftovers_.count),
                  path_of(leftovers_.first));
  }
  if (property_count + other_count < items.size()) report_unreachable();
  return true;
}

// Whether a spec that does not simply fit its place belongs to an item all the same.
bool LayerReader::is_other_spec(std::size_t index, std::uint32_t type, std::uint32_t item) {
  const auto drop = [&](std::string_view why) {
    if (!c_.report.wants(kSpecCode)) return false;
    c_.report.add(Severity::warning, kSpecCode,
                  format_text("entry {} of SPECS is left out: {}", index, why),
                  item == kNone ? std::string() : path_of(item));
    return false;
  };
  if (item == kNone) return drop("it has no path");
  const PathTree::Item& place = c_.paths.items()[item];
  if (is_leftover(place, type)) {
    if (leftovers_.count++ == 0) leftovers_.first = item;
    return false;
  }
  // Token 0 cannot carry the mark of a property; old writers did not keep it free.
  if (place.token == 0 && place.kind == Kind::prim && is_property_type(type) &&
      c_.options.rules == Rules::documented) {
    c_.paths.mark_property(item, c_.tables.tokens);
    note(Severity::info, "usdc-token-zero",
         "a property without the mark of one is read as the property that it is", item);
  }
  if (!fits(place, type)) return drop(format_text("type {} does not fit its path", type));
  return !place.has_spec() || drop("its path is that of another");
}

// What is below a path that has no spec is not found on the way down. Of a subtree its root is
// told.
void LayerReader::report_unreachable() {
  const auto& tree = c_.paths.items();
  for (std::uint32_t i = 1; i < tree.size(); ++i) {
    if (!tree[i].has_spec() || tree[tree[i].parent].has_spec()) continue;
    note(Severity::warning, kSpecCode, "this is left out, as what it is below has no spec", i);
  }
}

bool LayerReader::build() {
  work_.push_back({layer_->root, 0, 0, 0});
  while (!work_.empty()) {
    const Work work = work_.back();
    work_.pop_back();
    fetch_ahead();
    if (!build_prim(work) || is_rejected_) return false;
  }
  if (layer_->sub_layers.size() > sub_layer_count_) {
    c_.report.add(Severity::warning, "usdc-value",
                  "there are more offsets than sublayers; the rest is ignored" + offsets_place_,
                  "/");
    layer_->sub_layers.resize(sub_layer_count_);
  }
  return true;
}

// Prims are built in the order in which they are listed, most files have them by the alphabet: so
// the next may be anywhere in each table. What leads to what is fetched step by step while others
// are built.
void LayerReader::fetch_ahead() const noexcept {
  constexpr std::uint32_t kMostProperties = 4;
  const PathTree::Item* const tree = c_.paths.items().data();
  const auto count = static_cast<std::uint32_t>(c_.paths.items().size());
  const Tables& tables = c_.tables;
  const auto upcoming = [&](std::size_t ahead) { return work_[work_.size() - 1 - ahead].item; };
  // Properties directly follow their prim, but for what is below them.
  const auto each_property = [&](std::uint32_t prim, auto visit) {
    const std::uint32_t end = std::min(count, prim + 1 + kMostProperties);
    for (std::uint32_t i = prim + 1; i < end && tree[i].kind == Kind::property; ++i) {
      if (tree[i].has_spec()) visit(tree[i]);
    }
  };
  if (work_.size() > 6) {
    const std::uint32_t prim = upcoming(6);
    prefetch_memory(tree + prim);
    prefetch_memory(tree + std::min(count - 1, prim + kMostProperties));
  }
  if (work_.size() > 3) {
    each_property(upcoming(3), [&](const PathTree::Item& item) {
      prefetch_memory(&tables.field_sets[item.fields]);
      const std::vector<std::uint32_t>& known = property_of_[item.is_attribute ? 0 : 1];
      if (!known.empty()) prefetch_memory(&known[item.fields]);
    });
  }
  if (work_.size() > 1) {
    each_property(upcoming(1), [&](const PathTree::Item& item) {
      const std::uint32_t field = tables.field_sets[item.fields];
      if (field == kNoIndex) return;
      prefetch_memory(&tables.field_names[field]);
      prefetch_memory(&tables.field_values[field]);
    });
  }
}

bool LayerReader::build_prim(const Work& work) {
  const bool is_root = work.item == 0;
  if (is_root && !c_.paths.items()[0].has_spec()) return true;
  PrimPlan& known = prim_plan(work.item, is_root ? SpecKind::layer : SpecKind::prim);
  if (is_rejected_) return false;
  PrimSpec& prim = *work.prim;
  prim.type_name = known.type_name;
  prim.fields = known.fields;
  prim.extra = known.extra;
  if (!prim.is_variant) prim.specifier = is_root ? layer::Specifier::over : known.specifier;
  const bool is_as_before = properties_as_before(work.item, known);
  Present present;
  if (!is_as_before) {
    present = survey(work.item);
    if (!list_children(work.item, Kind::property, known.properties, present.properties, listed_)) {
      return false;
    }
    if (present.are_properties()) remember_places(work.item, known);
  }
  add_properties(work);
  if (is_rejected_) return false;
  if (!is_as_before) {
    const PrimPlan plan = known;  // Variants make others.
    if (!add_variant_sets(work, plan, present) || !add_children(work, plan, present.prims)) {
      return false;
    }
  }
  layer_->index_names(prim);
  return true;
}

// Counts the children of a prim and finds them by their names.
LayerReader::Present LayerReader::survey(std::uint32_t parent) {
  Present present;
  const PathTree::Item* const tree = c_.paths.items().data();
  for (std::uint32_t i = c_.paths.first_child(parent); i != kNone; i = tree[i].next) {
    const PathTree::Item& item = tree[i];
    if (!item.has_spec()) continue;
    if (item.kind == Kind::property) {
      property_slots_[item.token] = i;
      ++present.properties;
    } else if (item.kind == Kind::prim) {
      prim_slots_[item.token] = i;
      ++present.prims;
    } else if (item.kind == Kind::variant_set) {
      ++present.variant_sets;
    } else if (item.kind == Kind::variant) {
      ++present.variants;
    }
  }
  return present;
}

bool LayerReader::add_children(const Work& work, const PrimPlan& plan, std::size_t present) {
  if (plan.children.count == 0 && present == 0) return true;
  if (!list_children(work.item, Kind::prim, plan.children, present, listed_)) return false;
  if (listed_.empty()) return true;
  const layer::LayerAccess::Impl& impl = *layer_;
  const Limits& limits = c_.options.limits;
  if (work.depth >= limits.prim_nesting) {
    return limit(work.item, "nested prims", limits.prim_nesting);
  }
  if (impl.prim_count + listed_.size() > limits.prims) {
    return limit(work.item, "prims", limits.prims);
  }
  layer_->prim_count += listed_.size();
  auto* const prims = layer_->arena.allocate<PrimSpec>(listed_.size());
  auto** const pointers = layer_->arena.allocate<const PrimSpec*>(listed_.size());
  for (std::size_t i = 0; i < listed_.size(); ++i) {
    PrimSpec* const child = ::new (prims + i) PrimSpec;
    child->name = values_.token(c_.paths.items()[listed_[i]].token);
    child->parent = work.prim;
    pointers[i] = child;
  }
  for (std::size_t i = listed_.size(); i-- > 0;) {
    work_.push_back({prims + i, listed_[i], work.depth + 1, work.variant_depth});
  }
  work.prim->children = {pointers, listed_.size()};
  return true;
}

// The properties that are listed.
void LayerReader::add_properties(const Work& work) {
  if (listed_.empty()) return;
  const std::size_t count = listed_.size();
  const PathTree::Item* const tree = c_.paths.items().data();
  auto* const properties = layer_->arena.allocate<PropertySpec>(count);
  for (std::size_t i = 0; i < count; ++i) {
    PropertySpec& property = read_property(listed_[i], properties + i);
    property.name = values_.token(tree[listed_[i]].token);
  }
  work.prim->properties = {properties, count};
}

bool LayerReader::add_variant_sets(const Work& work, const PrimPlan& plan, const Present& present) {
  if (plan.variant_sets.count == 0) {
    if (present.variant_sets != 0) report_unlisted(work.item, Kind::variant_set);
    if (present.variants != 0) report_unlisted(work.item, Kind::variant);
    return true;
  }
  const Limits& limits = c_.options.limits;
  if (plan.variant_sets.count > limits.names_per_spec) {
    return limit(work.item, "variant sets of one prim", limits.names_per_spec);
  }
  if (work.variant_depth >= limits.variant_nesting) {
    return limit(work.item, "nested variants", limits.variant_nesting);
  }
  std::vector<layer::VariantSetSpec> sets;
  LargeVector<std::uint32_t> set_items;
  if (!list_children(work.item, Kind::variant_set, plan.variant_sets, present.variant_sets,
                     set_items)) {
    return false;
  }
  for (const std::uint32_t item : set_items) {
    const std::string_view text = c_.tables.tokens.text(c_.paths.items()[item].token);
    const std::string_view name = text.substr(1, text.size() - 3);  // {name=}
    layer::VariantSetSpec& set = sets.emplace_back();
    set.name = c_.names->intern(name);
    if (!add_variants(work, name, item, set)) return false;
  }
  if (present.variants != 0) report_unlisted(work.item, Kind::variant);
  PrimExtra& extra = layer_->prim_extras.emplace_back();
  if (plan.extra != nullptr) {
    const PrimExtra& shared = *plan.extra;
    const std::size_t items = shared.variant_selections.size() +
                              shared.references.explicit_items.size() +
                              shared.references.prepended.size() + shared.child_order.size();
    if (!c_.budget->take_items(items)) return limit(work.item, "items", limits.value_items);
    extra = shared;
  }
  extra.variant_sets = std::move(sets);
  work.prim->extra = &extra;
  return true;
}

bool LayerReader::add_variants(const Work& work, std::string_view set, std::uint32_t set_item,
                               layer::VariantSetSpec& spec) {
  const NameList names = prim_plan(set_item, SpecKind::prim).variants;
  if (is_rejected_) return false;
  const Limits& limits = c_.options.limits;
  if (names.count > limits.names_per_spec) {
    return limit(set_item, "variants of one set", limits.names_per_spec);
  }
  // Variants are below the prim, not below their set.
  std::unordered_map<std::string_view, std::uint32_t> items;
  const auto& tree = c_.paths.items();
  std::size_t siblings = 0;
  for (std::uint32_t i = c_.paths.first_child(work.item); i != kNone; i = tree[i].next) {
    ++siblings;
    if (tree[i].kind != Kind::variant || !tree[i].has_spec()) continue;
    std::string_view text = c_.tables.tokens.text(tree[i].token);
    text = text.substr(1, text.size() - 2);
    if (text.starts_with(set) && text.size() > set.size() && text[set.size()] == '=') {
      items.emplace(text.substr(set.size() + 1), i);
    }
  }
  if (!c_.budget->take_items(siblings + names.count)) {
    return limit(set_item, "items", limits.value_items);
  }
  for (std::uint32_t k = 0; k < names.count; ++k) {
    const std::string_view name = c_.tables.tokens.text(name_pool_[names.first + k]);
    const auto found = items.find(name);
    const bool is_good = found != items.end() && is_variant_name(name);
    if (!is_good || is_placed_[found->second] != 0) {
      if (!bad_child(set_item, name, is_good ? "listed twice" : "missing", names.at)) return false;
      continue;
    }
    is_placed_[found->second] = 1;
    PrimSpec* const prim = layer_->new_prim();
    if (layer_->prim_count > limits.prims) return limit(set_item, "prims", limits.prims);
    prim->name = c_.names->intern(name);
    prim->parent = work.prim;
    prim->is_variant = true;
    spec.variants.push_back({prim->name, prim});
    work_.push_back({prim, found->second, work.depth, work.variant_depth + 1});
  }
  return true;
}

}  // namespace sinew::usdc
