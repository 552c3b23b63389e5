// SPDX-License-Identifier: Apache-2.0
// Blend shapes as morph targets: each in-between is one.

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/format_text.hpp"
#include "core/sort.hpp"
#include "export/gltf/origin.hpp"
#include "export/gltf/writer.hpp"
#include "sinew/skel/read/evaluate.hpp"

namespace sinew::exporter {

namespace {

using skel::BlendShape;
using skel::BlendShapeSet;

Vector3f finite(const Vector3f& v, double factor) {
  return v.allFinite() ? scaled_point(v, factor) : Vector3f::Zero();
}

/// One sub-shape of a set: a shape at weight 1, or an in-between.
struct SubShape {
  float weight = 0.0F;
  std::string name;
  std::uint32_t index = 0;  ///< In the set.
};

/// The sub-shapes of one shape that the set uses, ascending by weight. What has a weight of its own
/// is alone there when the shape has that weight.
std::vector<SubShape> sub_shapes_of(const BlendShapeSet& set, std::size_t shape,
                                    const std::string& name) {
  const BlendShape& from = set.shapes()[shape];
  std::vector<SubShape> all = {{1.0F, name, 0}};
  for (const skel::InbetweenShape& inbetween : from.inbetweens) {
    all.push_back({inbetween.weight, name + "." + inbetween.name, 0});
  }
  stable_sort_range(all.begin(), all.end(),
                    [](const SubShape& a, const SubShape& b) { return a.weight < b.weight; });
  std::vector<SubShape> used;
  std::vector<float> weights(set.shape_count(), 0.0F);
  std::vector<skel::SubShapeWeight> split;
  for (SubShape& candidate : all) {
    weights[shape] = candidate.weight;
    if (!set.sub_shape_weights(weights, split)) continue;
    for (const skel::SubShapeWeight& entry : split) {
      if (entry.shape != shape || std::abs(entry.weight - 1.0F) > 1e-5F) continue;
      const bool is_known = std::any_of(used.begin(), used.end(), [&](const SubShape& known) {
        return known.index == entry.sub_shape;
      });
      if (is_known) continue;
      candidate.index = entry.sub_shape;
      used.push_back(candidate);
      break;
    }
  }
  return used;
}

bool fits(const BlendShapeSet::Offsets& offsets, std::size_t point_count) {
  const bool listed = !offsets.point_indices.empty();
  const std::size_t rows = listed ? offsets.point_indices.size() : point_count;
  const auto good = [rows](std::size_t size) { return size == 0 || size == rows; };
  return good(offsets.offsets.size()) && good(offsets.normal_offsets.size()) &&
         std::all_of(offsets.point_indices.begin(), offsets.point_indices.end(),
                     [point_count](std::int32_t i) {
                       return i >= 0 && static_cast<std::size_t>(i) < point_count;
                     });
}

// Points in order, each once: repeated ones add up.
void fill(const BlendShapeSet::Offsets& from, double meters, std::size_t point_count,
          PointTarget& target) {
  const bool has_normals = !from.normal_offsets.empty();
  if (from.point_indices.empty()) {
    for (std::uint32_t p = 0; p < point_count; ++p) target.points.push_back(p);
    target.positions.assign(point_count, Vector3f::Zero());
    for (std::size_t p = 0; p < from.offsets.size(); ++p) {
      target.positions[p] = finite(from.offsets[p], meters);
    }
    for (const Vector3f& normal : from.normal_offsets)
      target.normals.push_back(finite(normal, 1.0));
    return;
  }
  std::map<std::uint32_t, std::pair<Vector3f, Vector3f>> sums;
  for (std::size_t i = 0; i < from.point_indices.size(); ++i) {
    const auto point = static_cast<std::uint32_t>(from.point_indices[i]);
    const auto it = sums.try_emplace(point, Vector3f::Zero(), Vector3f::Zero()).first;
    if (i < from.offsets.size()) it->second.first += finite(from.offsets[i], meters);
    if (has_normals) it->second.second += finite(from.normal_offsets[i], 1.0);
  }
  for (const auto& [point, sum] : sums) {
    target.points.push_back(point);
    target.positions.push_back(finite(sum.first, 1.0));
    if (has_normals) target.normals.push_back(finite(sum.second, 1.0));
  }
}

}  // namespace

std::vector<PointTarget> read_targets(Writer& w, const skel::SkinTarget& target,
                                      std::size_t point_count) {
  std::vector<PointTarget> result;
  if (target.skin->blend_shapes == nullptr || !target.has_blend_shapes()) return result;
  const BlendShapeSet& set = *target.skin->blend_shapes;
  const auto& order = target.skin->blend_shape_order;
  if (order && order->size() != set.shape_count()) return result;  // None is applied.
  std::size_t misfits = 0;
  for (std::size_t s = 0; s < set.shape_count(); ++s) {
    // As the mesh calls it; the shape itself has the path of its prim.
    const std::string name = order ? (*order)[s] : set.shapes()[s].name;
    const std::vector<SubShape> sub_shapes = sub_shapes_of(set, s, name);
    for (const SubShape& sub_shape : sub_shapes) {
      const BlendShapeSet::Offsets offsets = set.sub_shape(sub_shape.index);
      PointTarget& made = result.emplace_back();
      made.name = sub_shape.name;
      made.sub_shape = sub_shape.index;
      if (fits(offsets, point_count)) {
        fill(offsets, w.meters, point_count, made);
      } else {
        ++misfits;
      }
    }
    if (sub_shapes.empty()) result.emplace_back().name = name;  // Keeps its place.
  }
  const Origin origin = read_origin(target.prim);
  if (origin.targets && origin.targets->size() == result.size()) {
    for (std::size_t i = 0; i < result.size(); ++i) result[i].name = (*origin.targets)[i];
  }
  if (misfits > 0) {
    w.warn("gltf-blend-shape", target.prim,
           format_text("The offsets of {} blend shapes of {} do not fit its points; the morph "
                       "targets move nothing.",
                       misfits, target.prim.path().view()));
  }
  if (result.size() > 64) {
    w.inform("gltf-many-morph-targets", target.prim,
             format_text("{} has {} morph targets; some engines stop at 64.",
                         target.prim.path().view(), result.size()));
  }
  return result;
}

std::vector<float> shown_weights(Writer& w, const skel::SkeletonBinding& binding) {
  if (binding.animation == nullptr) return {};
  skel::SkeletonPose pose;
  Diagnostics unheard;  // The clip will say it.
  skel::evaluate_pose(binding, w.shown, pose, unheard);
  return pose.blend_shape_weights.value_or(std::vector<float>());
}

std::vector<float> target_weights(const skel::SkeletonBinding& binding,
                                  const skel::SkinTarget& target, const MorphUse& use,
                                  std::span<const float> animation_weights) {
  std::vector<float> result(use.sub_shapes.size(), 0.0F);
  const BlendShapeSet& set = *target.skin->blend_shapes;
  if (binding.animation == nullptr || animation_weights.empty()) return result;
  std::vector<float> weights;
  (void)target.blend_shape_mapper->remap_resized<float>(animation_weights, weights);
  weights.resize(set.shape_count(), 0.0F);
  for (float& weight : weights) {
    if (!std::isfinite(weight)) weight = 0.0F;
  }
  std::vector<skel::SubShapeWeight> split;
  std::vector<float> flat(set.sub_shape_count(), 0.0F);
  if (!set.sub_shape_weights(weights, split) || !set.flatten(split, flat)) return result;
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (use.sub_shapes[i] == MorphUse::kNoSubShape) continue;
    const float weight = flat[use.sub_shapes[i]];
    result[i] = std::isfinite(weight) ? weight : 0.0F;
  }
  return result;
}

}  // namespace sinew::exporter
