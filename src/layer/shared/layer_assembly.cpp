// SPDX-License-Identifier: Apache-2.0
#include "layer/shared/layer_assembly.hpp"

#include <algorithm>
#include <utility>

#include "core/format_text.hpp"

namespace sinew::layer {

LayerAssembly::LayerAssembly(std::string identifier, std::shared_ptr<TokenTable> tokens,
                             const Limits& limits)
    : limits_(limits), layer_(std::make_unique<LayerAccess::Impl>()) {
  layer_->identifier = std::move(identifier);
  layer_->tokens = tokens != nullptr ? std::move(tokens) : std::make_shared<TokenTable>();
  push_frame(layer_->root);
}

bool LayerAssembly::refuse(Refusal::Reason reason, std::string message) {
  refusal_ = {reason, std::move(message)};
  return false;
}

bool LayerAssembly::refuse_limit(std::string_view what, std::uint64_t limit) {
  return refuse(Refusal::Reason::limit, format_text("{} than the limit of {}.", what, limit));
}

void LayerAssembly::push_frame(PrimSpec* prim) {
  frames_.push_back({.prim = prim,
                     .first_child = children_.size(),
                     .first_property = properties_.size(),
                     .first_field = fields_.size()});
  if (prim->is_variant) ++open_variants_;
}

// Continues a variant that was closed before: its contents go back to the stacks.
void LayerAssembly::reopen_frame(PrimSpec* prim) {
  push_frame(prim);
  for (const PrimSpec* child : prim->children) children_.push_back(const_cast<PrimSpec*>(child));
  for (const PropertySpec& property : prim->properties) properties_.push_back(property);
  for (const Field& field : prim->fields) fields_.push_back(field);
  // What was closed with many names is in the tables, at the same places.
  constexpr std::size_t kScanLimit = LayerAccess::Impl::kScanLimit;
  Frame& frame = frames_.back();
  if (prim->children.size() > kScanLimit) frame.children_known = prim->children.size();
  if (prim->properties.size() > kScanLimit) frame.properties_known = prim->properties.size();
}

void LayerAssembly::pop_prim() {
  const Frame& frame = frames_.back();
  PrimSpec& prim = *frame.prim;
  prim.children = layer_->keep_children(std::span(children_).subspan(frame.first_child));
  prim.properties = layer_->keep_properties(std::span(properties_).subspan(frame.first_property));
  prim.fields = layer_->keep_fields(std::span(fields_).subspan(frame.first_field));
  children_.resize(frame.first_child);
  properties_.erase(properties_.begin() + static_cast<std::ptrdiff_t>(frame.first_property),
                    properties_.end());
  fields_.erase(fields_.begin() + static_cast<std::ptrdiff_t>(frame.first_field), fields_.end());
  layer_->index_names(prim, frame.children_known, frame.properties_known);
  if (prim.is_variant) --open_variants_;
  frames_.pop_back();
}

// Whether the open prim may get one more prim or variant.
bool LayerAssembly::may_push(std::string_view what) {
  if (frames_.size() > limits_.prim_nesting) {
    return refuse_limit("Prims nest deeper", limits_.prim_nesting);
  }
  return layer_->prim_count < limits_.prims || refuse_limit(what, limits_.prims);
}

bool LayerAssembly::has_child(Frame& frame, Token name) {
  const std::size_t count = children_.size() - frame.first_child;
  PrimSpec* const* const first = children_.data() + frame.first_child;
  if (count <= LayerAccess::Impl::kScanLimit) {
    return std::any_of(first, first + count,
                       [&](const PrimSpec* child) { return child->name == name; });
  }
  for (std::size_t& i = frame.children_known; i < count; ++i) {
    layer_->child_places.insert(frame.prim, first[i]->name, static_cast<std::uint32_t>(i));
  }
  const std::uint32_t place = layer_->child_places.find(
      frame.prim, name, count, [&](std::uint32_t i) { return first[i]->name; });
  return place != NameTable::kNone;
}

PrimSpec* LayerAssembly::push_prim(std::string_view name) {
  if (!may_push("There are more prims")) return nullptr;
  Frame& parent = frames_.back();
  const std::size_t tokens_before = layer_->tokens->size();
  const Token token = intern(name);
  const bool is_new_name = layer_->tokens->size() != tokens_before;  // Then no prim has it.
  if (!is_new_name && has_child(parent, token)) {
    refuse(Refusal::Reason::duplicate_name,
           format_text("There is already a prim '{}' here.", name));
    return nullptr;
  }
  PrimSpec* const prim = layer_->new_prim();
  prim->name = token;
  prim->parent = parent.prim;
  children_.push_back(prim);
  push_frame(prim);
  return prim;
}

bool LayerAssembly::declare_variant_set(Token name, std::size_t& set_index) {
  if (open_variants_ >= limits_.variant_nesting) {
    return refuse_limit("Variant sets nest deeper", limits_.variant_nesting);
  }
  std::vector<VariantSetSpec>& sets = extra().variant_sets;
  const auto found = std::find_if(sets.begin(), sets.end(),
                                  [&](const VariantSetSpec& set) { return set.name == name; });
  set_index = static_cast<std::size_t>(found - sets.begin());
  if (found != sets.end()) return true;
  if (sets.size() >= limits_.names_per_spec) {
    return refuse_limit("A prim has more variant sets", limits_.names_per_spec);
  }
  sets.push_back({name, {}});
  return true;
}

PrimSpec* LayerAssembly::push_variant(std::size_t set_index, Token name) {
  PrimSpec& owner = prim();
  std::vector<VariantSpec>& variants = layer_->extra(owner).variant_sets[set_index].variants;
  const auto found = std::find_if(variants.begin(), variants.end(),
                                  [&](const VariantSpec& variant) { return variant.name == name; });
  if (found != variants.end()) {
    auto* const known = const_cast<PrimSpec*>(found->prim);  // Mutable until it is finished.
    reopen_frame(known);
    return known;
  }
  if (!may_push("There are more prims and variants")) return nullptr;
  if (variants.size() >= limits_.names_per_spec) {
    refuse_limit("A variant set has more variants", limits_.names_per_spec);
    return nullptr;
  }
  PrimSpec* const variant = layer_->new_prim();
  variant->name = name;
  variant->parent = &owner;
  variant->is_variant = true;
  variants.push_back({name, variant});
  push_frame(variant);
  return variant;
}

bool LayerAssembly::select_variant(Token set, Token variant) {
  auto& selections = extra().variant_selections;
  const auto found = std::find_if(selections.begin(), selections.end(),
                                  [&](const auto& known) { return known.first == set; });
  if (found != selections.end()) {
    found->second = variant;
    return true;
  }
  if (selections.size() >= limits_.names_per_spec) {
    return refuse_limit("A prim has more variant selections", limits_.names_per_spec);
  }
  selections.emplace_back(set, variant);
  return true;
}

PropertySpec* LayerAssembly::find_property(Frame& frame, Token name) {
  const std::size_t count = properties_.size() - frame.first_property;
  PropertySpec* const first = properties_.data() + frame.first_property;
  if (count <= LayerAccess::Impl::kScanLimit) {
    for (std::size_t i = 0; i < count; ++i) {
      if (first[i].name == name) return first + i;
    }
    return nullptr;
  }
  for (std::size_t& i = frame.properties_known; i < count; ++i) {
    layer_->property_places.insert(frame.prim, first[i].name, static_cast<std::uint32_t>(i));
  }
  const std::uint32_t place = layer_->property_places.find(
      frame.prim, name, count, [&](std::uint32_t i) { return first[i].name; });
  return place != NameTable::kNone ? first + place : nullptr;
}

LayerAssembly::Declared LayerAssembly::declare_property(Token name, PropertySpec::Kind kind) {
  if (PropertySpec* const found = find_property(frames_.back(), name)) {
    if (found->kind == kind) return {found, false};
    refuse(Refusal::Reason::other_kind,
           format_text("'{}' is stated as an attribute and as a relationship.", name.view()));
    return {};
  }
  PropertySpec& spec = properties_.emplace_back();
  spec.name = name;
  spec.kind = kind;
  if (kind == PropertySpec::Kind::relationship) spec.variability = Variability::uniform;
  return {&spec, true};
}

PropertyExtra& LayerAssembly::extra(PropertySpec& property) {
  if (property.extra != nullptr && shared_extras_.contains(property.extra)) {
    // Only targets are shared. Others go on with those, this property with its own.
    const ListOp<Path> targets = property.extra->targets;
    property.extra = nullptr;
    layer_->extra(property).targets = targets;
  }
  return layer_->extra(property);
}

void LayerAssembly::share_extra(PropertySpec& property, const PropertyExtra& extra) {
  property.extra = &extra;
  shared_extras_.insert(&extra);
}

void LayerAssembly::push_fields(const PropertySpec& property) {
  property_fields_.assign(property.fields.begin(), property.fields.end());
  property_open_ = true;
}

void LayerAssembly::pop_fields(PropertySpec& property) {
  property.fields = layer_->keep_fields(property_fields_);
  property_fields_.clear();
  property_open_ = false;
}

std::span<Field> LayerAssembly::open_fields() noexcept {
  if (property_open_) return property_fields_;
  return std::span(fields_).subspan(frames_.back().first_field);
}

const Value* LayerAssembly::find_field(Token key) noexcept {
  for (const Field& field : open_fields()) {
    if (field.key == key) return &field.value;
  }
  return nullptr;
}

bool LayerAssembly::set_field(Token key, Value value, std::uint32_t line) {
  const std::span<Field> stated = open_fields();
  for (Field& field : stated) {
    if (field.key != key) continue;
    field.value = std::move(value);
    return true;
  }
  if (stated.size() >= limits_.names_per_spec) {
    return refuse_limit("There are more metadata fields", limits_.names_per_spec);
  }
  (property_open_ ? property_fields_ : fields_).push_back({key, std::move(value), line});
  return true;
}

LayerPtr LayerAssembly::finish(bool complete) {
  while (!frames_.empty()) pop_prim();
  layer_->complete = complete;
  return LayerAccess::make(std::move(layer_));
}

bool is_inside_variant(const PrimSpec* prim) noexcept {
  while (prim != nullptr && !prim->is_variant) prim = prim->parent;
  return prim != nullptr;
}

}  // namespace sinew::layer
