// SPDX-License-Identifier: Apache-2.0
#include "sinew/geom/visibility.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

#include "sinew/stage/schema.hpp"

namespace sinew::geom {
namespace {

using stage::Prim;

constexpr stage::ValueTypes kToken = stage::ValueTypes::scalar_of<Token>();
constexpr std::array<std::string_view, 4> kPurposes = {"default", "render", "proxy", "guide"};

stage::Attribute imageable_attribute(const Prim& prim, std::string_view name) {
  if (!prim) return {};
  return prim.is_a(stage::SchemaType::imageable) ? prim.attribute(name) : stage::Attribute();
}

std::optional<Purpose> own_purpose(const Prim& prim) {
  const stage::Attribute attribute = imageable_attribute(prim, "purpose");
  if (!attribute || !attribute.has_authored_value()) return std::nullopt;
  const layer::Value value = attribute.value(stage::Time(), kToken);
  const std::string_view text = value.text().value_or(kPurposes[0]);
  if (text.empty()) return std::nullopt;
  const auto found = std::find(kPurposes.begin(), kPurposes.end(), text);
  return static_cast<Purpose>(found - kPurposes.begin());
}

}  // namespace

std::string_view to_string(Purpose purpose) noexcept {
  for (std::size_t i = 0; i < kPurposes.size(); ++i) {
    if (static_cast<Purpose>(i) == purpose) return kPurposes[i];
  }
  return {};
}

Visibility own_visibility(const Prim& prim, stage::Time time) {
  const stage::Attribute attribute = imageable_attribute(prim, "visibility");
  if (!attribute) return Visibility::inherited;
  const layer::Value value = attribute.value(time, kToken);
  return value.text() == "invisible" ? Visibility::invisible : Visibility::inherited;
}

bool own_visibility_might_vary(const Prim& prim) {
  const stage::Attribute attribute = imageable_attribute(prim, "visibility");
  return attribute && attribute.might_be_time_varying();
}

Visibility compute_visibility(const Prim& prim, stage::Time time) {
  for (Prim p = prim; p && !p.is_root(); p = p.parent()) {
    if (own_visibility(p, time) == Visibility::invisible) return Visibility::invisible;
  }
  return Visibility::inherited;
}

Visibility compute_visibility(const Prim& prim, Visibility of_parent, stage::Time time) {
  return of_parent == Visibility::invisible ? of_parent : own_visibility(prim, time);
}

PurposeInfo compute_purpose(const Prim& prim) {
  for (Prim p = prim; p && !p.is_root(); p = p.parent()) {
    if (const auto purpose = own_purpose(p)) return {*purpose, true};
  }
  return {};
}

PurposeInfo compute_purpose(const Prim& prim, PurposeInfo of_parent) {
  if (const auto purpose = own_purpose(prim)) return {*purpose, true};
  return of_parent.inheritable ? of_parent : PurposeInfo();
}

}  // namespace sinew::geom
