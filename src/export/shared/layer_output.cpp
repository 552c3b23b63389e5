// SPDX-License-Identifier: Apache-2.0
#include "export/shared/layer_output.hpp"

#include <algorithm>
#include <utility>

#include "export/gltf_origin.hpp"
#include "sinew/layer/path.hpp"

namespace sinew::exporter {

namespace {

using layer::ElementType;
using layer::Value;

constexpr std::size_t kLongestName = 200;
// What a prim, and a property, take in the builder and the layer, roughly.
constexpr std::uint64_t kPrimBytes = 512;
constexpr std::uint64_t kPropertyBytes = 128;

std::size_t bytes_of_character(char first) {
  const auto byte = static_cast<unsigned char>(first);
  return byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

}  // namespace

std::string identifier_of(std::string_view text, std::string_view fallback) {
  std::string name;
  for (std::size_t i = 0; i < text.size() && name.size() < kLongestName;) {
    const std::string_view character = text.substr(i, bytes_of_character(text[i]));
    i += character.size();
    // A digit may not come first, so what may stand behind a '_' is looked at.
    const bool fits = layer::is_identifier("_" + std::string(character));
    name += fits ? character : std::string_view("_");
  }
  if (name.empty()) return std::string(fallback);
  if (!layer::is_identifier(name)) name.insert(name.begin(), '_');
  return name;
}

std::string distinct_name(std::map<std::string, std::size_t, std::less<>>& taken,
                          std::string wanted) {
  const auto [found, is_new] = taken.try_emplace(wanted, 1);
  if (is_new) return wanted;
  for (;;) {
    std::string name = wanted + "_" + std::to_string(found->second++);
    if (taken.try_emplace(name, 1).second) return name;
  }
}

LayerOutput::LayerOutput(std::string identifier, Budget& budget)
    : budget_(&budget), builder_(std::move(identifier)) {
  prims_.emplace_back().prim = builder_.root();
}

OutPrim* LayerOutput::add(OutPrim* parent, std::string_view type, std::string_view wanted,
                          std::string_view fallback, layer::Specifier specifier) {
  if (!budget_->spend(kPrimBytes)) return parent;
  const std::string name = distinct_name(parent->names, identifier_of(wanted, fallback));
  Result<layer::LayerBuilder::Prim*> made = builder_.add_prim(parent->prim, specifier, type, name);
  if (!made) {
    must(std::move(made).error());
    return parent;
  }
  OutPrim& prim = prims_.emplace_back();
  prim.prim = *made;
  prim.parent = parent;
  prim.name = name;
  return &prim;
}

void LayerOutput::inherit(OutPrim* prim, const OutPrim& from) {
  builder_.extra(prim->prim).inherits.prepended.push_back(path(from));
}

void LayerOutput::note(OutPrim* prim, std::string_view key, std::string_view type, Value value) {
  budget_->spend(kPropertyBytes);
  const auto known =
      std::find_if(prim->origin.begin(), prim->origin.end(),
                   [key](const layer::DictionaryEntry& entry) { return entry.key.view() == key; });
  layer::DictionaryEntry entry = {builder_.tokens().intern(key), builder_.tokens().intern(type),
                                  std::move(value)};
  if (known != prim->origin.end()) {
    *known = std::move(entry);
  } else {
    prim->origin.push_back(std::move(entry));
  }
}

void LayerOutput::note(OutPrim* prim, std::string_view key, bool value) {
  note(prim, key, "bool", value_of(value));
}

void LayerOutput::note(OutPrim* prim, std::string_view key, std::string_view text) {
  if (budget_->spend(text.size())) note(prim, key, "string", string(text));
}

void LayerOutput::note(OutPrim* prim, std::string_view key, std::span<const std::string> texts) {
  std::vector<Token> list;
  for (const std::string& text : texts) {
    if (!budget_->spend(text.size() + sizeof(Token))) return;
    list.push_back(builder_.tokens().intern(text));
  }
  note(prim, key, "string[]", Value::array(ElementType::string, std::span<const Token>(list)));
}

layer::Path LayerOutput::path(const OutPrim& prim) {
  std::vector<std::string_view> names;
  for (const OutPrim* at = &prim; at->parent != nullptr; at = at->parent) names.push_back(at->name);
  std::string text;
  for (auto name = names.rbegin(); name != names.rend(); ++name) {
    text += '/';
    text += *name;
  }
  if (text.empty()) text = "/";
  budget_->spend(text.size());
  return layer::Path::from_trusted(std::move(text));
}

void LayerOutput::set(OutPrim* prim, std::string_view type, std::string_view name, Value value,
                      layer::Variability variability) {
  budget_->spend(kPropertyBytes);
  must(builder_.set_default(prim->prim, type, name, std::move(value), variability));
}

void LayerOutput::set_samples(OutPrim* prim, std::string_view type, std::string_view name,
                              layer::TimeSamples samples) {
  budget_->spend(kPropertyBytes + samples.times.size() * (sizeof(double) + sizeof(Value)));
  must(builder_.set_time_samples(prim->prim, type, name, std::move(samples)));
}

void LayerOutput::set_interpolation(OutPrim* prim, std::string_view name,
                                    std::string_view interpolation) {
  must(builder_.set_property_field(prim->prim, name, "interpolation", token(interpolation)));
}

void LayerOutput::set_primvar(OutPrim* prim, std::string_view type, std::string_view name,
                              Value value, std::string_view interpolation, int element_size) {
  set(prim, type, name, std::move(value));
  set_interpolation(prim, name, interpolation);
  if (element_size == 1) return;
  must(builder_.set_property_field(prim->prim, name, "elementSize",
                                   Value::scalar(ElementType::int_, std::int32_t{element_size})));
}

void LayerOutput::relate(OutPrim* prim, std::string_view name, std::span<OutPrim* const> targets) {
  budget_->spend(kPropertyBytes);
  layer::ListOp<layer::Path> list;
  list.is_explicit = true;
  for (const OutPrim* target : targets) {
    if (budget_->is_spent()) return;
    list.explicit_items.push_back(path(*target));
  }
  must(builder_.set_targets(prim->prim, name, std::move(list)));
}

void LayerOutput::relate_paths(OutPrim* prim, std::string_view name,
                               std::vector<layer::Path> targets) {
  budget_->spend(kPropertyBytes);
  layer::ListOp<layer::Path> list;
  list.is_explicit = true;
  list.explicit_items = std::move(targets);
  must(builder_.set_targets(prim->prim, name, std::move(list)));
}

void LayerOutput::connect(OutPrim* prim, std::string_view type, std::string_view name,
                          const OutPrim& source, std::string_view output) {
  set(prim, type, name, Value());
  layer::ListOp<layer::Path> list;
  list.is_explicit = true;
  list.explicit_items.push_back(
      layer::Path::from_trusted(path(source).str() + "." + std::string(output)));
  must(builder_.set_targets(prim->prim, name, std::move(list)));
}

void LayerOutput::apply(OutPrim* prim, std::string_view schema) {
  if (std::find(prim->apis.begin(), prim->apis.end(), schema) == prim->apis.end()) {
    prim->apis.emplace_back(schema);
  }
}

Value LayerOutput::token(std::string_view text) {
  return Value::scalar(ElementType::token, builder_.tokens().intern(text));
}
Value LayerOutput::string(std::string_view text) {
  return Value::scalar(ElementType::string, builder_.tokens().intern(text));
}
Value LayerOutput::asset(std::string_view text) {
  return Value::scalar(ElementType::asset, builder_.tokens().intern(text));
}

Value LayerOutput::tokens(std::span<const std::string> texts) {
  std::vector<Token> list;
  for (const std::string& text : texts) {
    if (!budget_->spend(text.size() + sizeof(Token))) break;
    list.push_back(builder_.tokens().intern(text));
  }
  return Value::array(ElementType::token, std::span<const Token>(list));
}

Value LayerOutput::array_of_floats(ElementType type, std::span<const float> floats) {
  if (!budget_->spend(floats.size(), sizeof(float))) floats = {};
  return Value::array_from_buffer(type, Buffer::copy_of(std::as_bytes(floats)));
}

Result<layer::LayerPtr> LayerOutput::finish() && {
  for (OutPrim& prim : prims_) {
    if (!prim.origin.empty()) {
      const Token type = builder_.tokens().intern("dictionary");
      const Token key = builder_.tokens().intern(origin::kDictionary);
      set_field(&prim, "customData",
                Value::dictionary({{key, type, Value::dictionary(std::move(prim.origin))}}));
    }
    if (prim.apis.empty()) continue;
    layer::ListOp<Token> schemas;
    for (const std::string& api : prim.apis) {
      schemas.prepended.push_back(builder_.tokens().intern(api));
    }
    set_field(&prim, "apiSchemas", Value::token_list_op(std::move(schemas)));
  }
  if (error_.code != ErrorCode::ok) return error_;
  return std::move(builder_).finish();
}

}  // namespace sinew::exporter
