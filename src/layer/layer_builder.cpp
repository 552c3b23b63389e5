// SPDX-License-Identifier: Apache-2.0
#include "sinew/layer/layer_builder.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/format_text.hpp"
#include "layer/shared/layer_assembly.hpp"

namespace sinew::layer {

namespace {

struct PropertyDraft {
  Token name;
  Token type_name;
  PropertySpec::Kind kind = PropertySpec::Kind::attribute;
  Variability variability = Variability::varying;
  Value default_value;
  std::unique_ptr<PropertyExtra> extra;  // Null if it has none of these.
  std::vector<Field> fields;

  PropertyExtra& make_extra() {
    if (extra == nullptr) extra = std::make_unique<PropertyExtra>();
    return *extra;
  }
};

void set(std::vector<Field>& fields, Token key, Value value) {
  const auto found = std::find_if(fields.begin(), fields.end(),
                                  [&](const Field& field) { return field.key == key; });
  if (found != fields.end()) {
    found->value = std::move(value);
  } else {
    fields.push_back({key, std::move(value), 0});
  }
}

bool is_relationship(const PropertyDraft& property) noexcept {
  return property.kind == PropertySpec::Kind::relationship;
}

Error exists_as_relationship(std::string_view name) {
  return {ErrorCode::invalid_argument, format_text("'{}' exists as a relationship.", name)};
}

Error exists_with_type(const PropertyDraft& property) {
  return {
      ErrorCode::invalid_argument,
      format_text("'{}' exists with type '{}'.", property.name.view(), property.type_name.view())};
}

// Limits are for files. Only memory limits what the caller builds.
Limits no_limits() {
  Limits limits;
  limits.prim_nesting = std::numeric_limits<std::uint32_t>::max();
  limits.names_per_spec = std::numeric_limits<std::uint32_t>::max();
  limits.prims = std::numeric_limits<std::uint64_t>::max();
  return limits;
}

}  // namespace

// What a prim will be. Prims, properties and fields may come in any order, so they wait here until
// finish() puts the layer together.
struct LayerBuilder::Prim {
  Token name;
  Token type_name;
  Specifier specifier = Specifier::over;
  PrimExtra extra;
  std::vector<Prim*> children;
  std::vector<PropertyDraft> properties;
  std::vector<Field> fields;
  std::unordered_map<Token, std::size_t> children_by_name;
  std::unordered_map<Token, std::size_t> properties_by_name;
  bool has_extra = false;
};

struct LayerBuilder::Impl {
  LayerAssembly assembly;
  std::deque<Prim> prims;  // Handles stay valid; the first is the root.

  PropertyDraft& property(Prim& prim, std::string_view name, PropertySpec::Kind kind) {
    const Token token = assembly.intern(name);
    const auto [found, added] = prim.properties_by_name.try_emplace(token, prim.properties.size());
    if (!added) return prim.properties[found->second];
    PropertyDraft& property = prim.properties.emplace_back();
    property.name = token;
    property.kind = kind;
    if (kind == PropertySpec::Kind::relationship) property.variability = Variability::uniform;
    return property;
  }

  void state(PropertyDraft& draft) {
    PropertySpec& property = *assembly.declare_property(draft.name, draft.kind).spec;
    property.type_name = draft.type_name;
    property.variability = draft.variability;
    property.default_value = std::move(draft.default_value);
    if (draft.extra != nullptr) assembly.extra(property) = std::move(*draft.extra);
    assembly.push_fields(property);
    for (Field& field : draft.fields) assembly.set_field(field.key, std::move(field.value));
    assembly.pop_fields(property);
  }

  // States what the open prim has besides its children.
  void state(Prim& draft) {
    for (Field& field : draft.fields) assembly.set_field(field.key, std::move(field.value));
    if (draft.has_extra) assembly.extra() = std::move(draft.extra);
    for (PropertyDraft& property : draft.properties) state(property);
  }

  void open(Prim& draft) {
    PrimSpec& prim = *assembly.push_prim(draft.name.view());
    prim.type_name = draft.type_name;
    prim.specifier = draft.specifier;
    state(draft);
  }

  LayerPtr finish() {
    struct Open {
      const Prim* prim = nullptr;
      std::size_t next_child = 0;
    };
    state(prims.front());
    std::vector<Open> open_prims = {{&prims.front()}};
    while (!open_prims.empty()) {
      Open& top = open_prims.back();
      if (top.next_child < top.prim->children.size()) {
        Prim& child = *top.prim->children[top.next_child++];
        open(child);
        open_prims.push_back({&child});
        continue;
      }
      open_prims.pop_back();
      if (!open_prims.empty()) assembly.pop_prim();
    }
    return assembly.finish();
  }
};

LayerBuilder::LayerBuilder(std::string identifier, std::shared_ptr<TokenTable> tokens)
    : impl_(new Impl{.assembly = {std::move(identifier), std::move(tokens), no_limits()},
                     .prims = {}}) {
  impl_->prims.emplace_back();
}

LayerBuilder::LayerBuilder(LayerBuilder&&) noexcept = default;
LayerBuilder& LayerBuilder::operator=(LayerBuilder&&) noexcept = default;
LayerBuilder::~LayerBuilder() = default;

TokenTable& LayerBuilder::tokens() noexcept {
  return impl_->assembly.tokens();
}
LayerBuilder::Prim* LayerBuilder::root() noexcept {
  return &impl_->prims.front();
}

Result<LayerBuilder::Prim*> LayerBuilder::add_prim(Prim* parent, Specifier specifier,
                                                   std::string_view type_name,
                                                   std::string_view name) {
  if (!is_identifier(name)) {
    return Error{ErrorCode::invalid_argument, format_text("'{}' is not a prim name.", name)};
  }
  const Token token = tokens().intern(name);
  if (!parent->children_by_name.try_emplace(token, parent->children.size()).second) {
    return Error{ErrorCode::invalid_argument, format_text("There is already a prim '{}'.", name)};
  }
  Prim& prim = impl_->prims.emplace_back();
  prim.name = token;
  prim.type_name = tokens().intern(type_name);
  prim.specifier = specifier;
  parent->children.push_back(&prim);
  return &prim;
}

void LayerBuilder::set_field(Prim* prim, std::string_view key, Value value) {
  set(prim->fields, tokens().intern(key), std::move(value));
}

namespace {

// Whether a value may be written for an attribute of that type.
Status check_value(std::string_view type_name, std::string_view name, const Value& value) {
  if (!is_property_name(name)) {
    return {ErrorCode::invalid_argument, format_text("'{}' is not a property name.", name)};
  }
  const ValueType type = find_value_type(type_name);
  if (type.is_opaque && value.has_value()) {
    return {ErrorCode::invalid_argument,
            format_text("Attributes of type {} take no value.", type_name)};
  }
  const bool special =
      !value.has_value() || value.is_block() || value.type() == ElementType::animation_block ||
      value.type() == ElementType::path || value.type() == ElementType::unregistered ||
      value.as_array_edit() != nullptr;
  if (special || !type.known()) return {};
  if (value.type() != type.element || value.is_array() != type.is_array) {
    return {ErrorCode::invalid_argument,
            format_text("The value of '{}' is not of type {}.", name, type_name)};
  }
  return {};
}

}  // namespace

Status LayerBuilder::set_default(Prim* prim, std::string_view type_name, std::string_view name,
                                 Value value, Variability variability) {
  if (Status status = check_value(type_name, name, value); !status) return status;
  PropertyDraft& property = impl_->property(*prim, name, PropertySpec::Kind::attribute);
  if (is_relationship(property)) return exists_as_relationship(name);
  if (property.type_name.empty()) {
    property.type_name = tokens().intern(type_name);
    property.variability = variability;
  }
  if (property.type_name.view() != type_name) return exists_with_type(property);
  property.default_value = std::move(value);
  return {};
}

Status LayerBuilder::set_time_samples(Prim* prim, std::string_view type_name, std::string_view name,
                                      TimeSamples samples) {
  if (samples.times.size() != samples.values.size()) {
    return {ErrorCode::size_mismatch, format_text("'{}' has {} times and {} values.", name,
                                                  samples.times.size(), samples.values.size())};
  }
  const auto is_out_of_order = [](double a, double b) { return b <= a; };
  if (std::adjacent_find(samples.times.begin(), samples.times.end(), is_out_of_order) !=
      samples.times.end()) {
    return {ErrorCode::invalid_argument, format_text("The times of '{}' do not ascend.", name)};
  }
  for (const Value& value : samples.values) {
    if (Status status = check_value(type_name, name, value); !status) return status;
  }
  PropertyDraft& property = impl_->property(*prim, name, PropertySpec::Kind::attribute);
  if (is_relationship(property)) return exists_as_relationship(name);
  if (property.type_name.empty()) property.type_name = tokens().intern(type_name);
  if (property.type_name.view() != type_name) return exists_with_type(property);
  PropertyExtra& extra = property.make_extra();
  extra.has_time_samples = true;
  extra.time_samples = std::move(samples);
  return {};
}

Status LayerBuilder::set_property_field(Prim* prim, std::string_view name, std::string_view key,
                                        Value value) {
  const auto found = prim->properties_by_name.find(tokens().find(name));
  if (found == prim->properties_by_name.end()) {
    return {ErrorCode::invalid_argument, format_text("There is no property '{}'.", name)};
  }
  set(prim->properties[found->second].fields, tokens().intern(key), std::move(value));
  return {};
}

Status LayerBuilder::set_targets(Prim* prim, std::string_view name, ListOp<Path> targets) {
  if (!is_property_name(name)) {
    return {ErrorCode::invalid_argument, format_text("'{}' is not a property name.", name)};
  }
  PropertyDraft& property = impl_->property(*prim, name, PropertySpec::Kind::relationship);
  property.make_extra().targets = std::move(targets);
  return {};
}

PrimExtra& LayerBuilder::extra(Prim* prim) {
  prim->has_extra = true;
  return prim->extra;
}

void LayerBuilder::add_sub_layer(SubLayer sub_layer) {
  impl_->assembly.sub_layers().push_back(sub_layer);
}

LayerPtr LayerBuilder::finish() && {
  LayerPtr layer = impl_->finish();
  impl_.reset();
  return layer;
}

}  // namespace sinew::layer
