// SPDX-License-Identifier: Apache-2.0
#include "stage/opinions.hpp"

namespace sinew::stage {

using usda::ElementType;
using usda::Value;

Resolved resolve(const Stage::Impl& impl, std::uint32_t node, Token name, bool numeric,
                 ValueTypes wanted) {
  Resolved result;
  bool animation_blocked = false;
  for_each_opinion(impl, node, name, [&](const OpinionAt& at) {
    if (at.use != nullptr) {
      if (!numeric || animation_blocked) return false;
      result = {at, ValueSource::value_clips};
      return true;
    }
    if (!at.spec->is_attribute()) return false;
    if (numeric && !animation_blocked) {
      if (at.spec->time_samples() != nullptr) {
        result = {at, ValueSource::time_samples};
        return true;
      }
      if (at.spec->spline() != nullptr) {
        result = {at, ValueSource::spline};
        return true;
      }
    }
    const Value& value = at.spec->default_value;
    if (value.type() == ElementType::animation_block) {
      animation_blocked = true;
    } else if (value.is_block()) {
      result = {at, ValueSource::blocked};
      return true;
    } else if (value.has_value() && wanted.accept(value)) {
      result = {at, ValueSource::default_};
      return true;
    }
    return false;
  });
  return result;
}

}  // namespace sinew::stage
