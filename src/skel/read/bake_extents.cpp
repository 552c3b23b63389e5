// SPDX-License-Identifier: Apache-2.0
#include "skel/read/bake_extents.hpp"

#include <optional>
#include <set>
#include <string>
#include <utility>

#include "geom/shared/model.hpp"
#include "sinew/geom/extents.hpp"
#include "sinew/geom/transform_cache.hpp"
#include "sinew/skel/joint_transforms.hpp"
#include "sinew/skel/read/bindings.hpp"

namespace sinew::skel {
namespace {

using stage::Prim;
using stage::SchemaType;

std::optional<Range3f> unbaked_extent(const Prim& prim, stage::Time time) {
  if (prim.is_a(SchemaType::skel_root) || prim.is_a(SchemaType::skeleton)) return std::nullopt;
  if (!prim.is_a(SchemaType::boundable)) return std::nullopt;
  const std::optional<Range3f> computed = geom::compute_extent(prim, time);
  return computed ? computed : geom::read_extent(prim, time);
}

}  // namespace

Range3f extent_of_points(const Prim& prim, const std::vector<Vector3f>& points, stage::Time time) {
  return geom::compute_extent(prim, points, time).value_or(geom::points_extent(points));
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
          if (hint && hint.has_authored_value() && geom::is_model(p))
            holding.emplace(p.path().str(), p);
        }
      }
    };
    find_models(baked.extents);
    find_models(baked.world_from_prim);
    geom::TransformCache transforms(time);
    for (const auto& [path, model] : holding) {
      const Matrix4d model_from_world = inverse_transform(transforms.world_from_prim(model));
      Range3f bounds;
      for (const Prim prim : model.descendants(stage::Traversal::with_instance_proxies())) {
        const auto found = baked.extents.find(prim);
        const std::optional<Range3f> extent =
            found != baked.extents.end() ? found->second : unbaked_extent(prim, time);
        if (!extent || extent->empty()) continue;
        const auto moved = baked.world_from_prim.find(prim);
        const Matrix4d world_from_prim =
            moved != baked.world_from_prim.end() ? moved->second : transforms.world_from_prim(prim);
        bounds.add(geom::moved_range(*extent, model_from_world * world_from_prim));
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
