// SPDX-License-Identifier: Apache-2.0
#include "stage/opinions.hpp"

namespace sinew::stage {

using layer::ElementType;
using layer::PropertySpec;
using layer::Value;

std::span<const Token> api_schemas_of(const Stage::Impl& impl, std::uint32_t node) noexcept {
  const PrimNode& prim = impl.nodes[node];
  return {impl.api_schemas.data() + prim.first_api, prim.api_count};
}

bool declares_attribute(const Stage::Impl& impl, std::uint32_t node, Token name) {
  return is_schema_attribute(impl.nodes[node].schema, api_schemas_of(impl, node), name.view());
}

bool declares_relationship(const Stage::Impl& impl, std::uint32_t node, Token name) {
  return is_schema_relationship(impl.nodes[node].schema, api_schemas_of(impl, node), name.view());
}

Resolved resolve(const Stage::Impl& impl, std::uint32_t node, Token name, bool numeric,
                 ValueTypes wanted) {
  Resolved result;
  bool animation_blocked = false;
  const PropertySpec* strongest = nullptr;
  for_each_opinion(impl, node, name, [&](const OpinionAt& at) {
    const auto take = [&](ValueSource source) {
      result.at = at;
      result.source = source;
      return true;
    };
    const bool animated = numeric && !animation_blocked;
    if (at.use != nullptr) return animated && take(ValueSource::value_clips);
    if (strongest == nullptr) strongest = at.spec;
    if (!at.spec->is_attribute()) {  // The strongest says what it is, unless the schema does.
      return at.spec == strongest && !declares_attribute(impl, node, name);
    }
    if (animated && at.spec->time_samples() != nullptr) return take(ValueSource::time_samples);
    if (animated && at.spec->spline() != nullptr) return take(ValueSource::spline);
    const Value& value = at.spec->default_value;
    if (value.type() == ElementType::animation_block) {
      animation_blocked = true;
    } else if (value.is_block()) {
      return take(ValueSource::blocked);
    } else if (value.has_value() && wanted.accept(value)) {
      if (value.type() != ElementType::array_edit) return take(ValueSource::default_);
      if (!result.is_edited()) result.edit = at;
    }
    return false;
  });
  if (result.source == ValueSource::none && result.is_edited()) {
    result.at = result.edit;
    result.source = ValueSource::default_;
  }
  return result;
}

}  // namespace sinew::stage
