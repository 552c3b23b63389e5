// SPDX-License-Identifier: Apache-2.0
#include "sinew/geom/check_geometry.hpp"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>

#include "core/format_text.hpp"
#include "geom/read_value.hpp"
#include "sinew/geom/extents.hpp"
#include "sinew/geom/gprims.hpp"
#include "sinew/geom/point_instancer.hpp"
#include "sinew/geom/read_mesh.hpp"
#include "sinew/geom/subsets.hpp"
#include "sinew/geom/transforms.hpp"
#include "sinew/stage/prim.hpp"
#include "sinew/stage/schema.hpp"
#include "stage/shared/reporter.hpp"
#include "stage/shared/typed_value.hpp"

namespace sinew::geom {
namespace {

using stage::Prim;
using stage::SchemaType;

constexpr stage::Time kFirst = stage::Time::earliest();

void check_subsets(const Prim& prim, Diagnostics& diagnostics) {
  for (const std::string& family : subset_families(prim)) {
    std::set<SubsetElement> elements;
    for (const GeomSubset& subset : geom_subsets(prim, family)) elements.insert(subset.element);
    for (const SubsetElement element : elements) {
      (void)check_subset_family(prim, element, family, kFirst, &diagnostics);
    }
  }
}

// A token must be one of those that the schema has.
void check_token(const Prim& prim, std::string_view name,
                 std::initializer_list<std::string_view> allowed, Diagnostics& diagnostics) {
  const stage::Attribute attribute = prim.attribute(name);
  if (!attribute) return;
  const layer::Value value = read_value(attribute, kFirst, stage::ValueTypes::scalar_of<Token>());
  if (!value.has_value() || value.is_block()) return;
  const std::optional<std::string_view> text = value.text();
  if (text && std::find(allowed.begin(), allowed.end(), *text) != allowed.end()) return;
  const std::string given = text ? format_text("'{}'", *text)
                                 : format_text("of type {}", stage::told_type(attribute, value));
  stage::Reporter(prim, diagnostics)
      .add(Severity::warning, "geom-token-value", attribute,
           format_text("The value of {} is {}; the schema has {}.", name, given,
                       joined(allowed, ", ")));
}

void check_prim(const Prim& prim, Diagnostics& diagnostics) {
  check_token(prim, "visibility", {"inherited", "invisible"}, diagnostics);
  check_token(prim, "purpose", {"default", "render", "proxy", "guide"}, diagnostics);
  (void)local_transform(prim, kFirst, &diagnostics);
  if (prim.is_a(SchemaType::boundable)) (void)read_extent(prim, kFirst, &diagnostics);
  if (prim.is_a(SchemaType::mesh)) {
    (void)read_mesh(prim, kFirst, &diagnostics, {.subsets = false});
  } else if (prim.is_a(SchemaType::points)) {
    (void)compute_extent(prim, kFirst, &diagnostics);
  } else if (prim.is_a(SchemaType::point_instancer)) {
    (void)read_point_instances(prim, kFirst, &diagnostics);
  } else {
    (void)read_shape(prim, kFirst, &diagnostics);
  }
  check_subsets(prim, diagnostics);
}

}  // namespace

void check_geometry(const stage::Stage& stage, Diagnostics& diagnostics) {
  std::unordered_set<std::uint32_t> seen;
  for (const Prim prim : stage.root().descendants(stage::Traversal::with_instance_proxies())) {
    if (prim.is_a(SchemaType::imageable) && seen.insert(prim.node()).second) {
      check_prim(prim, diagnostics);
    }
  }
}

}  // namespace sinew::geom
