// SPDX-License-Identifier: Apache-2.0
#include "layer/shared/map_assets.hpp"

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "layer/shared/layer_impl.hpp"

namespace sinew::layer {

namespace {

class AssetMapper {
 public:
  AssetMapper(const Layer& layer, const std::function<Token(Token)>& map,
              const std::function<Token(const Dictionary&, Token)>& map_template)
      : layer_(layer),
        map_(map),
        map_template_(map_template),
        copy_(std::make_unique<LayerAccess::Impl>()) {}

  LayerPtr run() {
    copy_->identifier = layer_.identifier();
    copy_->tokens = layer_.tokens();
    copy_->version = layer_.version();
    copy_->complete = layer_.complete();
    copy_->has_fills = LayerAccess::has_fills(layer_);
    copy_->relocates.assign(layer_.relocates().begin(), layer_.relocates().end());
    copy_->sub_layers.assign(layer_.sub_layers().begin(), layer_.sub_layers().end());
    for (SubLayer& sub_layer : copy_->sub_layers) map_text(sub_layer.asset);
    // Prims may nest as deep as they like.
    open_.push_back({&layer_.root(), copy_->root});
    while (!open_.empty()) {
      const Open at = open_.back();
      open_.pop_back();
      copy_prim(*at.from, *at.to);
    }
    return LayerAccess::make(std::move(copy_));
  }

 private:
  struct Open {
    const PrimSpec* from = nullptr;
    PrimSpec* to = nullptr;
  };

  void copy_prim(const PrimSpec& from, PrimSpec& to) {
    const PrimSpec* const parent = to.parent;
    to = from;
    to.parent = parent;
    to.extra = nullptr;
    to.fields = copy_fields(from.fields, map_template_ != nullptr);
    std::vector<PropertySpec> properties;
    properties.reserve(from.properties.size());
    for (const PropertySpec& property : from.properties) {
      properties.push_back(copy_property(property));
    }
    to.properties = copy_->keep_properties(properties);
    std::vector<PrimSpec*> children;
    children.reserve(from.children.size());
    for (const PrimSpec* child : from.children) children.push_back(open(*child, to));
    to.children = copy_->keep_children(children);
    copy_->index_names(to);
    if (from.extra == nullptr) return;
    PrimExtra& extra = copy_->extra(to);
    extra = *from.extra;
    map_arcs(extra.references);
    map_arcs(extra.payloads);
    for (VariantSetSpec& set : extra.variant_sets) {
      for (VariantSpec& variant : set.variants) variant.prim = open(*variant.prim, to);
    }
  }

  PrimSpec* open(const PrimSpec& from, const PrimSpec& parent) {
    PrimSpec* const to = copy_->new_prim();
    to->parent = &parent;
    open_.push_back({&from, to});
    return to;
  }

  PropertySpec copy_property(const PropertySpec& from) {
    PropertySpec to = from;
    map_value(to.default_value);
    to.extra = nullptr;
    to.fields = copy_fields(from.fields);
    if (from.extra == nullptr) return to;
    PropertyExtra& extra = copy_->extra(to);
    extra.has_time_samples = from.extra->has_time_samples;
    extra.time_samples = from.extra->time_samples;
    extra.targets = from.extra->targets;
    if (from.extra->spline) {
      Spline spline = *from.extra->spline;
      for (Spline::Knot& knot : spline.knots) map_value(knot.custom_data);
      extra.spline = std::make_unique<const Spline>(std::move(spline));
    }
    for (Value& value : extra.time_samples.values) map_value(value);
    return to;
  }

  std::span<const Field> copy_fields(std::span<const Field> from, bool has_clips = false) {
    std::vector<Field> fields(from.begin(), from.end());
    for (Field& field : fields) {
      in_clips_ = has_clips && field.key.view() == "clips";
      map_value(field.value);
    }
    in_clips_ = false;
    return copy_->keep_fields(fields);
  }

  void map_text(Token& asset) {
    if (!asset.empty()) asset = map_(asset);
  }

  void map_arcs(ListOp<Reference>& arcs) {
    for (auto* list : {&arcs.explicit_items, &arcs.deleted, &arcs.added, &arcs.prepended,
                       &arcs.appended, &arcs.ordered}) {
      for (Reference& arc : *list) {
        map_text(arc.asset);
        map_value(arc.custom_data);
      }
    }
  }

  // What stands in the layer many times is mapped once.
  void map_value(Value& value) {  // NOLINT(misc-no-recursion): readers limit the nesting.
    const bool is_array = value.type() == ElementType::asset && value.is_array();
    const void* const address = is_array ? static_cast<const void*>(value.bytes().data())
                                         : static_cast<const void*>(value.as_dictionary());
    if (address == nullptr) return map_single(value);
    const std::pair place(address, in_clips_);
    if (const auto found = known_.find(place); found != known_.end()) {
      value = found->second;
      return;
    }
    if (is_array) {
      const std::span<const Token> elements = value.as_array<Token>();
      std::vector<Token> assets(elements.begin(), elements.end());
      for (Token& asset : assets) map_text(asset);
      value = Value::array<Token>(ElementType::asset, assets);
    } else {
      Dictionary mapped = *value.as_dictionary();
      for (DictionaryEntry& entry : mapped) {
        const bool is_template = in_clips_ && entry.key.view() == "templateAssetPath";
        const std::optional<Token> text = is_template ? entry.value.get<Token>() : std::nullopt;
        if (text) {
          entry.value =
              Value::scalar(entry.value.type(), map_template_(*value.as_dictionary(), *text));
        } else {
          map_value(entry.value);
        }
      }
      value = Value::dictionary(std::move(mapped));
    }
    known_.emplace(place, value);
  }

  // Neither an array nor a dictionary.
  void map_single(Value& value) {  // NOLINT(misc-no-recursion)
    if (value.type() == ElementType::asset && !value.is_array()) {
      Token asset = *value.get<Token>();
      map_text(asset);
      value = Value::scalar(ElementType::asset, asset);
      return;
    }
    const ArrayEdit* const edit = value.as_array_edit();
    if (edit == nullptr || edit->element != ElementType::asset) return;
    ArrayEdit mapped = *edit;
    for (ArrayEdit::Instruction& step : mapped.instructions) map_value(step.literal);
    value = Value::array_edit(std::move(mapped));
  }

  const Layer& layer_;
  const std::function<Token(Token)>& map_;
  const std::function<Token(const Dictionary&, Token)>& map_template_;
  std::unique_ptr<LayerAccess::Impl> copy_;
  std::vector<Open> open_;
  std::map<std::pair<const void*, bool>, Value> known_;  // By where the original is, and for clips.
  bool in_clips_ = false;                                // What is mapped describes value clips.
};

}  // namespace

LayerPtr map_assets(const Layer& layer, const std::function<Token(Token)>& map,
                    const std::function<Token(const Dictionary&, Token)>& map_template) {
  return AssetMapper(layer, map, map_template).run();
}

}  // namespace sinew::layer
