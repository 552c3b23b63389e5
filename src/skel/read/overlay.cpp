// SPDX-License-Identifier: Apache-2.0
#include "skel/read/overlay.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "sinew/layer/layer.hpp"

namespace sinew::skel {
namespace {

using layer::ElementType;
using layer::Value;

constexpr std::string_view kStageMetadata[] = {"defaultPrim",         "endTimeCode",
                                               "expressionVariables", "fallbackPrimTypes",
                                               "framesPerSecond",     "kilogramsPerUnit",
                                               "metersPerUnit",       "startTimeCode",
                                               "timeCodesPerSecond",  "upAxis"};

// Tokens of other layers are not valid in this one.
Value copy_into(const Value& value,  // NOLINT(misc-no-recursion): readers limit the nesting.
                TokenTable& tokens) {
  const auto copy = [&](Token token) { return tokens.intern(token.view()); };
  if (const layer::Dictionary* const entries = value.as_dictionary()) {
    layer::Dictionary copies;
    for (const layer::DictionaryEntry& entry : *entries) {
      copies.push_back({copy(entry.key), copy(entry.type_name), copy_into(entry.value, tokens)});
    }
    return Value::dictionary(std::move(copies));
  }
  if (!layer::stores_as<Token>(value.type())) return value;
  if (value.is_array()) {
    std::vector<Token> copies;
    for (const Token token : value.as_array<Token>()) copies.push_back(copy(token));
    return Value::array(value.type(), std::span<const Token>(copies));
  }
  const auto text = value.get<Token>();
  return text ? Value::scalar(value.type(), copy(*text)) : Value();
}

}  // namespace

void AttributeWriter::add(stage::Time time, Value value) {
  if (time.is_default()) {
    default_ = std::move(value);
    return;
  }
  samples_.times.push_back(time.code());
  samples_.values.push_back(std::move(value));
}

Status AttributeWriter::write(layer::LayerBuilder& builder, layer::LayerBuilder::Prim* prim,
                              std::string_view type_name, std::string_view name) {
  if (default_.has_value()) {
    Status status = builder.set_default(prim, type_name, name, default_);
    if (!status) return status;
  }
  if (samples_.times.empty()) return {};
  return builder.set_time_samples(prim, type_name, name, std::move(samples_));
}

Overlay::Overlay(const stage::Stage& stage, std::string identifier, SkelRoots retyped)
    : stage_(&stage), builder_(std::move(identifier)), retyped_(std::move(retyped)) {
  made_["/"] = builder_.root();
}

void Overlay::put_on(std::string_view source_layer) {
  if (!source_layer.empty()) {
    layer::SubLayer sub_layer;
    sub_layer.asset = builder_.tokens().intern(source_layer);
    builder_.add_sub_layer(sub_layer);
  }
  for (const std::string_view key : kStageMetadata) {
    if (const Value* value = stage_->metadata(key); value != nullptr && value->has_value()) {
      builder_.set_field(builder_.root(), key, copy_into(*value, builder_.tokens()));
    }
  }
}

layer::LayerBuilder::Prim* Overlay::prim(const stage::Prim& prim) {
  std::vector<stage::Prim> missing;
  stage::Prim known = prim;
  while (!known.is_root() && !made_.contains(known.path().str())) {
    missing.push_back(known);
    known = known.parent();
  }
  layer::LayerBuilder::Prim* made = made_.at(known.path().str());
  for (auto it = missing.rbegin(); it != missing.rend(); ++it) {
    if (it->parent().is_instance()) {
      builder_.set_field(made, "instanceable", Value::scalar(ElementType::bool_, false));
    }
    const std::string path = it->path().str();
    const bool retyped = retyped_.contains(path);
    auto added = builder_.add_prim(made, retyped ? layer::Specifier::def : layer::Specifier::over,
                                   retyped ? "Xform" : "", it->name().view());
    if (!added) return nullptr;  // Not possible: the names of composed prims are valid.
    made = *added;
    made_[path] = made;
  }
  return made;
}

void Overlay::retype_roots() {
  for (const auto& [path, root] : retyped_) prim(root);
}

Value vector_value(const std::vector<Vector3f>& vectors) {
  return Value::array(ElementType::float3, std::span<const Vector3f>(vectors));
}

Value range_value(const Range3f& range) {
  const Vector3f corners[] = {range.min, range.max};
  return Value::array(ElementType::float3, std::span<const Vector3f>(corners));
}

}  // namespace sinew::skel
