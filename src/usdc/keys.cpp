// SPDX-License-Identifier: Apache-2.0
#include "usdc/keys.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace sinew::usdc {

namespace {

constexpr std::pair<std::string_view, Key> kKeys[] = {
    {"connectionChildren", Key::ignored},
    {"connectionPaths", Key::connection_paths},
    {"custom", Key::custom},
    {"default", Key::default_value},
    {"expressionChildren", Key::ignored},
    {"inheritPaths", Key::inherit_paths},
    {"layerRelocates", Key::layer_relocates},
    {"mapperArgChildren", Key::ignored},
    {"mapperChildren", Key::ignored},
    {"payload", Key::payload},
    {"primChildren", Key::prim_children},
    {"primOrder", Key::prim_order},
    {"properties", Key::properties},
    {"propertyOrder", Key::property_order},
    {"references", Key::references},
    {"specializes", Key::specializes},
    {"specifier", Key::specifier},
    {"spline", Key::spline},
    {"subLayerOffsets", Key::sub_layer_offsets},
    {"subLayers", Key::sub_layers},
    {"targetChildren", Key::ignored},
    {"targetPaths", Key::target_paths},
    {"timeSamples", Key::time_samples},
    {"typeName", Key::type_name},
    {"variability", Key::variability},
    {"variantChildren", Key::variant_children},
    {"variantSelection", Key::variant_selection},
    {"variantSetChildren", Key::variant_set_children},
    {"variantSetNames", Key::variant_set_names},
};

}  // namespace

Key find_key(std::string_view name) noexcept {
  const auto* found =
      std::lower_bound(std::begin(kKeys), std::end(kKeys), name,
                       [](const auto& known, std::string_view text) { return known.first < text; });
  return found != std::end(kKeys) && found->first == name ? found->second : Key::other;
}

layer::FieldType find_metadata_type(layer::SpecKind kind, std::string_view key) noexcept {
  using layer::ElementType;
  using Shape = layer::FieldType::Shape;
  const bool is_prim = kind == layer::SpecKind::prim;
  if (is_prim && (key == "prefixSubstitutions" || key == "suffixSubstitutions")) {
    return {Shape::dictionary, {}};
  }
  const bool is_token =
      (is_prim && key == "kind") || (kind != layer::SpecKind::layer && key == "symmetryFunction");
  if (is_token) return {Shape::value, {ElementType::token, false, false, {}}};
  if (key == "comment") return {Shape::value, {ElementType::string, false, false, {}}};
  return layer::find_field_type(kind, key);
}

}  // namespace sinew::usdc
