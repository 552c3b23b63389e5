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

constexpr std::string_view kStageMetadata[] = {
    "defaultPrim",   "endTimeCode",   "framesPerSecond",    "kilogramsPerUnit",
    "metersPerUnit", "startTimeCode", "timeCodesPerSecond", "upAxis"};

// Tokens of other layers are not valid in this one.
Value copy_into(const Value& value, TokenTable& tokens) {
  if (value.type() != ElementType::token && value.type() != ElementType::string) return value;
  const auto text = value.text();
  return text ? Value::scalar(value.type(), tokens.intern(*text)) : Value();
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

Overlay::Overlay(const stage::Stage& stage, std::string identifier, std::set<std::string> retyped)
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

Value vector_value(const std::vector<Vector3f>& vectors) {
  return Value::array(ElementType::float3, std::span<const Vector3f>(vectors));
}

Value range_value(const Range3f& range) {
  const Vector3f corners[] = {range.min, range.max};
  return Value::array(ElementType::float3, std::span<const Vector3f>(corners));
}

}  // namespace sinew::skel
