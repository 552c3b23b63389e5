// SPDX-License-Identifier: Apache-2.0
#include "skel/read/blend_target.hpp"

#include <string>
#include <vector>

#include "core/format_text.hpp"

namespace sinew::skel {
namespace {

// Applies the shapes one by one. Under OpenUSD's rules the first that fails spoils the result;
// under the documented ones it is left out.
template <typename Deform>
bool apply(const SkinTarget& target, std::span<const SubShapeWeight> weights, Reporter& reporter,
           const Deform& deform) {
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const Status status = deform(weights.subspan(i, 1));
    if (status) continue;
    reporter.add(
        Severity::error, "skel-blend-shape-mismatch", target.prim,
        format_text("{} cannot be blended: {}", target.prim.path().view(), status.error().message));
    if (!reporter.documented()) return false;
  }
  return true;
}

}  // namespace

BlendedTarget blend_target(const SkinTarget& target, std::span<const float> animation_weights,
                           std::span<const Vector3f> points, std::span<const Vector3f> normals,
                           DeformedPrim& deformed, Reporter& reporter) {
  const BlendShapeSet& shapes = *target.skin->blend_shapes;
  std::vector<float> storage;
  const std::span<const float> local =
      target.blend_shape_mapper->remapped<float>(animation_weights, storage);
  std::vector<SubShapeWeight> weights;
  if (const Status status = shapes.sub_shape_weights(local, weights); !status) {
    reporter.add(
        Severity::warning, "skel-blend-shape-count", target.prim,
        format_text("{} names {} blend shapes but has {} targets for them; none is applied.",
                    target.prim.path().view(), local.size(), shapes.shape_count()));
    return {};
  }
  for (const SubShapeWeight& entry : weights) deformed.sub_shape_weights.push_back(entry.weight);

  BlendedTarget result;
  deformed.blended_points.assign(points.begin(), points.end());
  result.points = apply(target, weights, reporter, [&](std::span<const SubShapeWeight> part) {
    return shapes.deform_points(part, deformed.blended_points);
  });
  if (normals.empty() || !shapes.has_normal_offsets()) return result;
  deformed.blended_normals.assign(normals.begin(), normals.end());
  result.normals = apply(target, weights, reporter, [&](std::span<const SubShapeWeight> part) {
    return shapes.add_normal_offsets(part, deformed.blended_normals);
  });
  normalize_vectors(deformed.blended_normals);
  return result;
}

}  // namespace sinew::skel
