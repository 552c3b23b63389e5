// SPDX-License-Identifier: Apache-2.0
#include "sinew/layer/layer_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <unordered_map>
#include <utility>

#include "layer/layer_impl.hpp"

namespace sinew::layer {

struct LayerBuilder::Prim {
  PrimSpec* spec = nullptr;
  std::vector<Prim*> children;
  std::vector<PropertySpec> properties;
  std::vector<Field> fields;
  std::vector<std::vector<Field>> property_fields;  // Parallel to `properties`.
  std::unordered_map<Token, std::size_t> children_by_name;
  std::unordered_map<Token, std::size_t> properties_by_name;
};

struct LayerBuilder::Impl {
  std::unique_ptr<LayerAccess::Impl> layer;
  std::deque<Prim> prims;  // Handles stay valid.

  Prim* new_prim(PrimSpec* spec) {
    Prim& prim = prims.emplace_back();
    prim.spec = spec;
    return &prim;
  }

  std::size_t property(Prim* prim, std::string_view name, PropertySpec::Kind kind) {
    const Token token = layer->tokens->intern(name);
    const auto [found, added] =
        prim->properties_by_name.try_emplace(token, prim->properties.size());
    if (added) {
      PropertySpec& spec = prim->properties.emplace_back();
      spec.name = token;
      spec.kind = kind;
      if (kind == PropertySpec::Kind::relationship) spec.variability = Variability::uniform;
      prim->property_fields.emplace_back();
    }
    return found->second;
  }

  void set(std::vector<Field>& fields, std::string_view key, Value value) {
    const Token token = layer->tokens->intern(key);
    for (Field& field : fields) {
      if (field.key == token) {
        field.value = std::move(value);
        return;
      }
    }
    fields.push_back({token, std::move(value), 0});
  }

  // Parents before children, so that the arena follows the order of the file.
  void finish(Prim& prim) {
    for (std::size_t i = 0; i < prim.properties.size(); ++i) {
      prim.properties[i].fields = layer->keep_fields(prim.property_fields[i]);
    }
    prim.spec->properties = layer->keep_properties(prim.properties);
    prim.spec->fields = layer->keep_fields(prim.fields);
    std::vector<PrimSpec*> children;
    for (const Prim* child : prim.children) children.push_back(child->spec);
    prim.spec->children = layer->keep_children(children);
    layer->index_names(*prim.spec);
  }
};

LayerBuilder::LayerBuilder(std::string identifier, std::shared_ptr<TokenTable> tokens)
    : impl_(std::make_unique<Impl>()) {
  impl_->layer = std::make_unique<LayerAccess::Impl>();
  impl_->layer->identifier = std::move(identifier);
  impl_->layer->tokens = tokens != nullptr ? std::move(tokens) : std::make_shared<TokenTable>();
  impl_->new_prim(impl_->layer->root);
}

LayerBuilder::~LayerBuilder() = default;

TokenTable& LayerBuilder::tokens() noexcept {
  return *impl_->layer->tokens;
}
LayerBuilder::Prim* LayerBuilder::root() noexcept {
  return &impl_->prims.front();
}

Result<LayerBuilder::Prim*> LayerBuilder::add_prim(Prim* parent, Specifier specifier,
                                                   std::string_view type_name,
                                                   std::string_view name) {
  if (!is_identifier(name)) {
    return Error{ErrorCode::invalid_argument, fmt::format("'{}' is not a prim name.", name)};
  }
  const Token token = tokens().intern(name);
  if (!parent->children_by_name.try_emplace(token, parent->children.size()).second) {
    return Error{ErrorCode::invalid_argument, fmt::format("there is already a prim '{}'.", name)};
  }
  PrimSpec* spec = impl_->layer->new_prim();
  spec->name = token;
  spec->type_name = tokens().intern(type_name);
  spec->parent = parent->spec;
  spec->specifier = specifier;
  Prim* prim = impl_->new_prim(spec);
  parent->children.push_back(prim);
  return prim;
}

void LayerBuilder::set_field(Prim* prim, std::string_view key, Value value) {
  impl_->set(prim->fields, key, std::move(value));
}

namespace {

// Whether a value may be written for an attribute of that type.
Status check_value(std::string_view type_name, std::string_view name, const Value& value) {
  if (!is_property_name(name)) {
    return {ErrorCode::invalid_argument, fmt::format("'{}' is not a property name.", name)};
  }
  const ValueType type = find_value_type(type_name);
  if (type.is_opaque && value.has_value()) {
    return {ErrorCode::invalid_argument, fmt::format("{} attributes take no value.", type_name)};
  }
  const bool special = !value.has_value() || value.is_block() ||
                       value.type() == ElementType::animation_block ||
                       value.type() == ElementType::path ||
                       value.type() == ElementType::source_text || value.as_array_edit() != nullptr;
  if (special || !type.known()) return {};
  if (value.type() != type.element || value.is_array() != type.is_array) {
    return {ErrorCode::invalid_argument,
            fmt::format("the value of '{}' is not of type {}.", name, type_name)};
  }
  return {};
}

}  // namespace

Status LayerBuilder::set_default(Prim* prim, std::string_view type_name, std::string_view name,
                                 Value value, Variability variability) {
  if (Status status = check_value(type_name, name, value); !status) return status;
  const std::size_t i = impl_->property(prim, name, PropertySpec::Kind::attribute);
  PropertySpec& spec = prim->properties[i];
  if (spec.type_name.empty()) {
    spec.type_name = tokens().intern(type_name);
    spec.variability = variability;
  }
  if (!spec.is_attribute() || spec.type_name.view() != type_name) {
    return {ErrorCode::invalid_argument,
            fmt::format("'{}' exists with type '{}'.", name, spec.type_name.view())};
  }
  spec.default_value = std::move(value);
  return {};
}

Status LayerBuilder::set_time_samples(Prim* prim, std::string_view type_name, std::string_view name,
                                      TimeSamples samples) {
  if (samples.times.size() != samples.values.size()) {
    return {ErrorCode::size_mismatch, fmt::format("'{}' has {} times and {} values.", name,
                                                  samples.times.size(), samples.values.size())};
  }
  if (!std::is_sorted(samples.times.begin(), samples.times.end())) {
    return {ErrorCode::invalid_argument, fmt::format("the times of '{}' are not sorted.", name)};
  }
  for (const Value& value : samples.values) {
    if (Status status = check_value(type_name, name, value); !status) return status;
  }
  const std::size_t i = impl_->property(prim, name, PropertySpec::Kind::attribute);
  PropertySpec& spec = prim->properties[i];
  if (spec.type_name.empty()) spec.type_name = tokens().intern(type_name);
  if (!spec.is_attribute() || spec.type_name.view() != type_name) {
    return {ErrorCode::invalid_argument,
            fmt::format("'{}' exists with type '{}'.", name, spec.type_name.view())};
  }
  PropertyExtra& extra = impl_->layer->extra(spec);
  extra.has_time_samples = true;
  extra.time_samples = std::move(samples);
  return {};
}

Status LayerBuilder::set_property_field(Prim* prim, std::string_view name, std::string_view key,
                                        Value value) {
  const auto found = prim->properties_by_name.find(tokens().find(name));
  if (found == prim->properties_by_name.end()) {
    return {ErrorCode::invalid_argument, fmt::format("there is no property '{}'.", name)};
  }
  impl_->set(prim->property_fields[found->second], key, std::move(value));
  return {};
}

Status LayerBuilder::set_targets(Prim* prim, std::string_view relationship, ListOp<Path> targets) {
  if (!is_property_name(relationship)) {
    return {ErrorCode::invalid_argument, fmt::format("'{}' is not a property name.", relationship)};
  }
  const std::size_t i = impl_->property(prim, relationship, PropertySpec::Kind::relationship);
  impl_->layer->extra(prim->properties[i]).targets = std::move(targets);
  return {};
}

PrimExtra& LayerBuilder::extra(Prim* prim) {
  return impl_->layer->extra(*prim->spec);
}

void LayerBuilder::add_sub_layer(SubLayer sub_layer) {
  impl_->layer->sub_layers.push_back(std::move(sub_layer));
}

LayerPtr LayerBuilder::finish() && {
  for (Prim& prim : impl_->prims) impl_->finish(prim);
  LayerPtr layer = LayerAccess::make(std::move(impl_->layer));
  impl_.reset();
  return layer;
}

}  // namespace sinew::layer
