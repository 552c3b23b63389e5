// SPDX-License-Identifier: Apache-2.0
#include "skel/bake_extents.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "sinew/geom/transforms.hpp"
#include "sinew/skel/bindings.hpp"
#include "sinew/skel/joint_transforms.hpp"
#include "skel/extents.hpp"

namespace sinew::skel {
namespace {

using stage::Prim;
using stage::SchemaType;

// Half the largest width; widths default to 1 for points and to none for curves.
float half_width(const Prim& prim, stage::Time time) {
  float fallback = prim.is_a(SchemaType::points) ? 1.0F : 0.0F;
  if (!prim.is_a(SchemaType::points) && !prim.is_a(SchemaType::curves)) return 0.0F;
  if (const stage::Attribute attribute = prim.attribute("widths")) {
    if (const auto widths = attribute.get_array<float>(time); widths && !widths->empty()) {
      fallback = *std::max_element(widths->begin(), widths->end());
    }
  }
  return 0.5F * fallback;
}

// Models are prims of a model kind below nothing but groups.
bool is_model(const Prim& prim) {
  const auto kind = prim.metadata("kind");
  const std::string_view own = kind.text().value_or("");
  if (own != "component" && own != "group" && own != "assembly") return false;
  for (Prim p = prim.parent(); p && !p.is_root(); p = p.parent()) {
    const auto above = p.metadata("kind");
    const std::string_view name = above.text().value_or("");
    if (name != "group" && name != "assembly") return false;
  }
  return true;
}

std::optional<Range3f> unbaked_extent(const Prim& prim, stage::Time time) {
  if (prim.is_a(SchemaType::skel_root) || prim.is_a(SchemaType::skeleton)) return std::nullopt;
  if (!prim.is_a(SchemaType::boundable)) return std::nullopt;
  if (prim.is_a(SchemaType::point_based)) {
    const stage::Attribute points = prim.attribute("points");
    if (const auto values = points ? points.get_array<Vector3f>(time) : std::nullopt) {
      return extent_of_points(prim, {values->begin(), values->end()}, time);
    }
    return std::nullopt;
  }
  const auto number = [&](std::string_view name, double fallback) {
    const stage::Attribute attribute = prim.attribute(name);
    return static_cast<float>(attribute ? attribute.get<double>(time).value_or(fallback)
                                        : fallback);
  };
  const auto around = [](float half) {
    return Range3f{Vector3f::Constant(-half), Vector3f::Constant(half)};
  };
  if (prim.is_a(SchemaType::sphere)) return around(number("radius", 1.0));
  if (prim.is_a(SchemaType::cube)) return around(0.5F * number("size", 2.0));
  if (prim.is_a(SchemaType::cylinder) || prim.is_a(SchemaType::cone) ||
      prim.is_a(SchemaType::capsule)) {
    const bool capsule = prim.is_a(SchemaType::capsule);
    const float radius = number("radius", capsule ? 0.5 : 1.0);
    const float half = 0.5F * number("height", capsule ? 1.0 : 2.0) + (capsule ? radius : 0.0F);
    const stage::Attribute axis = prim.attribute("axis");
    const std::string along = axis ? axis.get_text(time).value_or("Z") : "Z";
    Range3f range = around(radius);
    const Eigen::Index i = along == "X" ? 0 : along == "Y" ? 1 : 2;
    range.min[i] = -half;
    range.max[i] = half;
    return range;
  }
  return authored_extent(prim, time);
}

}  // namespace

Range3f extent_of_points(const Prim& prim, const std::vector<Vector3f>& points, stage::Time time) {
  Range3f range;
  for (const Vector3f& point : points) range.add(point);
  if (points.empty()) return range;
  const float margin = half_width(prim, time);
  range.min.array() -= margin;
  range.max.array() += margin;
  return range;
}

void BakedExtents::add(const Prim& prim, stage::Time time, const Range3f& extent) {
  frame(time).extents[prim] = extent;
}

void BakedExtents::add_transform(const Prim& prim, stage::Time time,
                                 const Matrix4d& world_from_prim) {
  frame(time).world_from_prim[prim] = world_from_prim;
}

Status BakedExtents::write_hints(Overlay& overlay) const {
  std::map<std::string, std::pair<Prim, AttributeWriter>> models;
  const auto add_time = [&](stage::Time time, const Frame& baked) {
    std::map<std::string, Prim> holding;  // The models with a prim baked at this time.
    const auto find_models = [&](const auto& changed) {
      for (const auto& entry : changed) {
        for (Prim p = entry.first; p && !p.is_root(); p = p.parent()) {
          const stage::Attribute hint = p.attribute("extentsHint");
          if (hint && hint.has_authored_value() && is_model(p)) holding.emplace(p.path().str(), p);
        }
      }
    };
    find_models(baked.extents);
    find_models(baked.world_from_prim);
    for (const auto& [path, model] : holding) {
      const Matrix4d model_from_world = inverse_transform(geom::world_from_prim(model, time));
      Range3f bounds;
      for (const Prim prim : model.descendants(stage::Traversal::with_instance_proxies())) {
        const auto found = baked.extents.find(prim);
        const std::optional<Range3f> extent =
            found != baked.extents.end() ? found->second : unbaked_extent(prim, time);
        if (!extent || extent->empty()) continue;
        const auto moved = baked.world_from_prim.find(prim);
        const Matrix4d world_from_prim = moved != baked.world_from_prim.end()
                                             ? moved->second
                                             : geom::world_from_prim(prim, time);
        bounds.add(moved_range(*extent, model_from_world * world_from_prim));
      }
      if (bounds.empty()) continue;
      auto& [prim, writer] = models[path];
      prim = model;
      writer.add(time, range_value(bounds));
    }
  };
  add_time(stage::Time::default_time(), at_default_);
  for (const auto& [code, baked] : at_time_) add_time(stage::Time(code), baked);
  for (auto& [path, model] : models) {
    Status status =
        model.second.write(overlay.builder(), overlay.prim(model.first), "float3[]", "extentsHint");
    if (!status) return status;
  }
  return {};
}

}  // namespace sinew::skel
