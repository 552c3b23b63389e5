// SPDX-License-Identifier: Apache-2.0
#include "layer/fields.hpp"

#include <algorithm>
#include <iterator>

namespace sinew::layer {

namespace {

using Shape = FieldType::Shape;

constexpr unsigned kLayer = 1;
constexpr unsigned kPrim = 2;
constexpr unsigned kAttribute = 4;
constexpr unsigned kRelationship = 8;
constexpr unsigned kProperty = kAttribute | kRelationship;
constexpr unsigned kObject = kPrim | kProperty;

struct Registered {
  std::string_view key;
  unsigned kinds;
  Shape shape;
  ElementType element = ElementType::none;
  bool is_array = false;
};

// A key that differs between kinds has a row for each.
constexpr Registered kFields[] = {
    {"active", kPrim, Shape::value, ElementType::bool_},
    {"allowedTokens", kAttribute, Shape::value, ElementType::token, true},
    {"apiSchemas", kPrim, Shape::token_list_op},
    {"arraySizeConstraint", kAttribute, Shape::value, ElementType::int64},
    {"assetInfo", kObject, Shape::dictionary},
    {"bindMaterialAs", kRelationship, Shape::value, ElementType::token},
    {"clipSets", kPrim, Shape::token_list_op},
    {"clips", kPrim, Shape::dictionary},
    {"colorConfiguration", kLayer, Shape::value, ElementType::asset},
    {"colorManagementSystem", kLayer, Shape::value, ElementType::token},
    {"colorSpace", kAttribute, Shape::value, ElementType::token},
    {"comment", kLayer | kObject, Shape::not_metadata},
    {"connectability", kAttribute, Shape::value, ElementType::token},
    {"connectionPaths", kObject, Shape::not_metadata},
    {"constraintTargetIdentifier", kAttribute, Shape::value, ElementType::token},
    {"customData", kObject, Shape::dictionary},
    {"customLayerData", kLayer, Shape::dictionary},
    {"defaultPrim", kLayer, Shape::value, ElementType::token},
    {"displayGroup", kProperty, Shape::value, ElementType::string},
    {"displayGroupOrder", kPrim, Shape::value, ElementType::string, true},
    {"displayName", kObject, Shape::value, ElementType::string},
    {"documentation", kLayer | kObject, Shape::value, ElementType::string},
    {"elementSize", kAttribute, Shape::value, ElementType::int_},
    {"endFrame", kLayer, Shape::value, ElementType::double_},
    {"endTimeCode", kLayer, Shape::value, ElementType::double_},
    {"expressionVariables", kLayer, Shape::dictionary},
    {"fallbackPrimTypes", kLayer, Shape::dictionary},
    {"framePrecision", kLayer, Shape::value, ElementType::int_},
    {"framesPerSecond", kLayer, Shape::value, ElementType::double_},
    {"hasOwnedSubLayers", kLayer, Shape::value, ElementType::bool_},
    {"hidden", kObject, Shape::value, ElementType::bool_},
    {"inactiveIds", kPrim, Shape::int64_list_op},
    {"instanceable", kPrim, Shape::value, ElementType::bool_},
    {"interpolation", kAttribute, Shape::value, ElementType::token},
    {"kilogramsPerUnit", kLayer, Shape::value, ElementType::double_},
    {"limits", kAttribute, Shape::dictionary},
    {"metersPerUnit", kLayer, Shape::value, ElementType::double_},
    {"noLoadHint", kRelationship, Shape::value, ElementType::bool_},
    {"outputName", kRelationship, Shape::value, ElementType::token},
    {"owner", kLayer, Shape::value, ElementType::string},
    {"payloadAssetDependencies", kPrim, Shape::value, ElementType::asset, true},
    {"prefix", kObject, Shape::value, ElementType::string},
    {"primOrder", kObject, Shape::not_metadata},
    {"propertyOrder", kObject, Shape::not_metadata},
    {"renderSettingsPrimPath", kLayer, Shape::value, ElementType::string},
    {"renderType", kProperty, Shape::value, ElementType::token},
    {"sdrMetadata", kPrim | kAttribute, Shape::dictionary},
    {"sessionOwner", kLayer, Shape::value, ElementType::string},
    {"specifier", kObject, Shape::not_metadata},
    {"startFrame", kLayer, Shape::value, ElementType::double_},
    {"startTimeCode", kLayer, Shape::value, ElementType::double_},
    {"suffix", kObject, Shape::value, ElementType::string},
    {"symmetricPeer", kObject, Shape::value, ElementType::string},
    {"symmetryArguments", kObject, Shape::dictionary},
    {"targetPaths", kObject, Shape::not_metadata},
    {"timeCodesPerSecond", kLayer, Shape::value, ElementType::double_},
    {"typeName", kPrim, Shape::value, ElementType::token},
    {"typeName", kProperty, Shape::not_metadata},
    {"uiHints", kObject, Shape::dictionary},
    {"unauthoredValuesIndex", kAttribute, Shape::value, ElementType::int_},
    {"upAxis", kLayer, Shape::value, ElementType::token},
    {"variability", kObject, Shape::not_metadata},
    {"weight", kAttribute, Shape::value, ElementType::float_},
};
static_assert(std::is_sorted(std::begin(kFields), std::end(kFields),
                             [](const Registered& a, const Registered& b) {
                               return a.key < b.key;
                             }));

}  // namespace

FieldType find_field_type(SpecKind kind, std::string_view key) noexcept {
  const unsigned bit = 1U << static_cast<unsigned>(kind);
  const auto* found =
      std::lower_bound(std::begin(kFields), std::end(kFields), key,
                       [](const Registered& field, std::string_view k) { return field.key < k; });
  for (; found != std::end(kFields) && found->key == key; ++found) {
    if ((found->kinds & bit) != 0) {
      return {found->shape, {found->element, found->is_array, false, {}}};
    }
  }
  return {};
}

bool is_display_unit(std::string_view unit) noexcept {
  constexpr std::string_view kUnits[] = {"mm", "cm", "dm", "m",   "km", "in",
                                         "ft", "yd", "mi", "deg", "rad"};
  return std::find(std::begin(kUnits), std::end(kUnits), unit) != std::end(kUnits);
}

}  // namespace sinew::layer
