// SPDX-License-Identifier: Apache-2.0
#include "geom/shared/measuring.hpp"

#include "sinew/geom/visibility.hpp"
#include "sinew/stage/schema.hpp"

namespace sinew::geom {

using stage::SchemaType;

bool is_shown(const stage::Prim& prim, stage::Time time) {
  if (!prim.is_a(SchemaType::typed)) return true;
  return prim.is_a(SchemaType::imageable) && own_visibility(prim, time) == Visibility::inherited;
}

bool has_own_axes(const stage::Prim& prim) {
  const layer::Value kind = prim.metadata("kind");
  return kind.text() == "component" || kind.text() == "subcomponent";
}

Range3d widened(const Range3f& range) {
  if (range.empty()) return {};
  return {range.min.cast<double>(), range.max.cast<double>()};
}

void add(const Range3d& other, Range3d& range) {
  if (other.empty()) return;
  range.min = range.min.cwiseMin(other.min);
  range.max = range.max.cwiseMax(other.max);
}

}  // namespace sinew::geom
