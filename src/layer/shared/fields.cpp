// SPDX-License-Identifier: Apache-2.0
#include "layer/shared/fields.hpp"

#include <algorithm>
#include <iterator>

#include "core/edit_distance.hpp"
#include "core/short_text.hpp"

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
    {"connectionChildren", kAttribute, Shape::not_metadata},
    {"connectionPaths", kAttribute, Shape::not_metadata},
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
    {"inheritPaths", kPrim, Shape::not_metadata},
    {"instanceable", kPrim, Shape::value, ElementType::bool_},
    {"interpolation", kAttribute, Shape::value, ElementType::token},
    {"kilogramsPerUnit", kLayer, Shape::value, ElementType::double_},
    {"layerRelocates", kLayer, Shape::not_metadata},
    {"limits", kAttribute, Shape::dictionary},
    {"metersPerUnit", kLayer, Shape::value, ElementType::double_},
    {"noLoadHint", kRelationship, Shape::value, ElementType::bool_},
    {"outputName", kRelationship, Shape::value, ElementType::token},
    {"owner", kLayer, Shape::value, ElementType::string},
    {"payloadAssetDependencies", kPrim, Shape::value, ElementType::asset, true},
    {"prefix", kObject, Shape::value, ElementType::string},
    {"primChildren", kLayer | kPrim, Shape::not_metadata},
    {"primOrder", kLayer | kPrim, Shape::not_metadata},
    {"propertyOrder", kPrim, Shape::not_metadata},
    {"renderSettingsPrimPath", kLayer, Shape::value, ElementType::string},
    {"renderType", kProperty, Shape::value, ElementType::token},
    {"sdrMetadata", kPrim | kAttribute, Shape::dictionary},
    {"sessionOwner", kLayer, Shape::value, ElementType::string},
    {"specifier", kPrim, Shape::not_metadata},
    {"startFrame", kLayer, Shape::value, ElementType::double_},
    {"startTimeCode", kLayer, Shape::value, ElementType::double_},
    {"subLayerOffsets", kLayer, Shape::not_metadata},
    {"suffix", kObject, Shape::value, ElementType::string},
    {"symmetricPeer", kObject, Shape::value, ElementType::string},
    {"symmetryArguments", kObject, Shape::dictionary},
    {"targetChildren", kRelationship, Shape::not_metadata},
    {"targetPaths", kRelationship, Shape::not_metadata},
    {"timeCodesPerSecond", kLayer, Shape::value, ElementType::double_},
    {"typeName", kPrim, Shape::value, ElementType::token},
    {"typeName", kAttribute, Shape::not_metadata},
    {"uiHints", kObject, Shape::dictionary},
    {"unauthoredValuesIndex", kAttribute, Shape::value, ElementType::int_},
    {"upAxis", kLayer, Shape::value, ElementType::token},
    {"variability", kProperty, Shape::not_metadata},
    {"variantSelection", kPrim, Shape::not_metadata},
    {"variantSetChildren", kPrim, Shape::not_metadata},
    {"variantSetNames", kPrim, Shape::not_metadata},
    {"weight", kAttribute, Shape::value, ElementType::float_},
};
static_assert(std::is_sorted(std::begin(kFields), std::end(kFields),
                             [](const Registered& a, const Registered& b) {
                               return a.key < b.key;
                             }));

constexpr WordIndex kFieldIndex(kFields, [](const Registered& field) { return field.key; });

// Metadata with a syntax of its own.
struct OwnSyntax {
  std::string_view key;
  unsigned kinds;
};
constexpr OwnSyntax kOwnSyntax[] = {
    {"displayUnit", kAttribute},
    {"doc", kLayer | kObject},
    {"inherits", kPrim},
    {"kind", kPrim},
    {"payload", kPrim},
    {"permission", kObject},
    {"prefixSubstitutions", kPrim},
    {"references", kPrim},
    {"relocates", kLayer | kPrim},
    {"specializes", kPrim},
    {"subLayers", kLayer},
    {"suffixSubstitutions", kPrim},
    {"symmetryFunction", kObject},
    {"variantSets", kPrim},
    {"variants", kPrim},
};

constexpr unsigned bit_of(SpecKind kind) noexcept {
  return 1U << static_cast<unsigned>(kind);
}

// Calls `f` with every metadata key that a spec of one of the kinds may have.
template <typename F>
void for_each_key(unsigned kinds, F f) {
  for (const Registered& field : kFields) {
    if ((field.kinds & kinds) != 0 && field.shape != Shape::not_metadata) f(field.key);
  }
  for (const OwnSyntax& field : kOwnSyntax) {
    if ((field.kinds & kinds) != 0) f(field.key);
  }
}

bool has_key(unsigned kinds, std::string_view key) noexcept {
  bool found = false;
  for_each_key(kinds, [&](std::string_view known) { found = found || known == key; });
  return found;
}

}  // namespace

bool is_field(SpecKind kind, std::string_view key) noexcept {
  return has_key(bit_of(kind), key);
}

std::string_view similar_field(SpecKind kind, std::string_view key) noexcept {
  // What other kinds of specs have is a known name, not a typing error.
  if (has_key(kLayer | kObject, key)) return {};
  constexpr std::size_t kShort = 6;
  ClosestWord similar(key, key.size() < kShort ? 1 : 2);
  for_each_key(bit_of(kind), [&](std::string_view known) { similar.offer(known); });
  return similar.closest();
}

FieldType find_field_type(SpecKind kind, std::string_view key) noexcept {
  const unsigned bit = bit_of(kind);
  const WordIndex::Range range = kFieldIndex.range(key);
  for (std::size_t i = range.first; i < range.last; ++i) {
    const Registered& field = kFields[i];
    if ((field.kinds & bit) != 0 && equal_text(field.key, key)) {
      return {field.shape, {field.element, field.is_array, false, {}}};
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
