// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/blend_shapes.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <utility>

#include "core/format_text.hpp"
#include "core/sort.hpp"

namespace sinew::skel {
namespace {

constexpr float kClose = 1e-6F;

bool close(float a, float b) {
  return std::abs(a - b) < kClose;
}

// The nearest ones are the neighbours.
bool is_close_to_one_of(const std::set<float>& sorted, float value) {
  const auto above = sorted.lower_bound(value);
  return (above != sorted.end() && close(*above, value)) ||
         (above != sorted.begin() && close(*std::prev(above), value));
}

}  // namespace

BlendShapeSet::BlendShapeSet(std::vector<BlendShape> shapes, Rules rules,
                             std::vector<std::string>* ignored)
    : shapes_(std::move(shapes)) {
  for (const BlendShape& shape : shapes_) {
    Range range;
    range.first = range.last = range.primary = static_cast<std::uint32_t>(sub_shapes_.size());
    if (shape.valid) {
      std::vector<SubShape> own = {{1.0F, false, shape.offsets, shape.normal_offsets},
                                   {0.0F, true, {}, {}}};
      std::set<float> taken = {0.0F, 1.0F};
      for (const InbetweenShape& inbetween : shape.inbetweens) {
        if (!std::isfinite(inbetween.weight) || is_close_to_one_of(taken, inbetween.weight)) {
          if (ignored != nullptr) ignored->push_back(shape.name + "." + inbetween.name);
          continue;
        }
        if (rules == Rules::documented) taken.insert(inbetween.weight);
        own.push_back({inbetween.weight, false, inbetween.offsets, inbetween.normal_offsets});
      }
      stable_sort_range(own.begin(), own.end(),
                        [](const SubShape& a, const SubShape& b) { return a.weight < b.weight; });
      for (const SubShape& sub_shape : own) {
        if (!sub_shape.is_null && sub_shape.weight == 1.0F) {
          range.primary = static_cast<std::uint32_t>(sub_shapes_.size());
        }
        has_offsets_ = has_offsets_ || !sub_shape.offsets.empty();
        has_normal_offsets_ = has_normal_offsets_ || !sub_shape.normal_offsets.empty();
        sub_shapes_.push_back(sub_shape);
      }
      range.last = static_cast<std::uint32_t>(sub_shapes_.size());
    }
    ranges_.push_back(range);
  }
}

Status BlendShapeSet::sub_shape_weights(std::span<const float> weights,
                                        std::vector<SubShapeWeight>& result) const {
  result.clear();
  if (weights.size() != shapes_.size()) {
    return {ErrorCode::size_mismatch, format_text("There are {} weights for {} blend shapes.",
                                                  weights.size(), shapes_.size())};
  }
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const float weight = weights[i];
    const auto shape = static_cast<std::uint32_t>(i);
    const Range range = ranges_[i];
    const std::uint32_t count = range.last - range.first;
    if (count == 0) continue;
    if (count == 2) {  // No in-betweens.
      result.push_back({weight, shape, range.primary});
      continue;
    }
    std::uint32_t upper = range.first;
    while (upper < range.last && !(sub_shapes_[upper].weight > weight)) ++upper;
    upper = std::clamp(upper, range.first + 1, range.last - 1);
    const std::uint32_t lower = upper - 1;
    const float distance = sub_shapes_[upper].weight - sub_shapes_[lower].weight;
    if (!(distance > kClose)) continue;
    const float a = (weight - sub_shapes_[lower].weight) / distance;
    if (!sub_shapes_[lower].is_null && !close(a, 1.0F)) result.push_back({1.0F - a, shape, lower});
    if (!sub_shapes_[upper].is_null && !close(a, 0.0F)) result.push_back({a, shape, upper});
  }
  return {};
}

Status BlendShapeSet::check(std::span<const SubShapeWeight> weights) const {
  for (const SubShapeWeight& entry : weights) {
    if (entry.shape < shapes_.size() && entry.sub_shape < sub_shapes_.size()) continue;
    return {
        ErrorCode::index_out_of_range,
        format_text("There is no sub-shape {} of blend shape {}.", entry.sub_shape, entry.shape)};
  }
  return {};
}

BlendShapeSet::Offsets BlendShapeSet::sub_shape(std::size_t index) const {
  const auto lies_before = [index](const Range& range) { return range.last <= index; };
  const auto range = std::partition_point(ranges_.begin(), ranges_.end(), lies_before);
  const BlendShape& shape = shapes_[static_cast<std::size_t>(range - ranges_.begin())];
  const SubShape& sub_shape = sub_shapes_[index];
  return {sub_shape.offsets, sub_shape.normal_offsets, shape.point_indices};
}

Status BlendShapeSet::flatten(std::span<const SubShapeWeight> weights,
                              std::span<float> result) const {
  if (result.size() != sub_shapes_.size()) {
    return {ErrorCode::size_mismatch, format_text("There is room for {} weights of {} sub-shapes.",
                                                  result.size(), sub_shapes_.size())};
  }
  if (Status status = check(weights); !status) return status;
  std::fill(result.begin(), result.end(), 0.0F);
  for (const SubShapeWeight& entry : weights) result[entry.sub_shape] = entry.weight;
  return {};
}

ShaderOffsets BlendShapeSet::shader_offsets(std::size_t point_count) const {
  const auto usable = [point_count](std::int32_t index) {
    return index >= 0 && static_cast<std::size_t>(index) < point_count;
  };
  // First how many entries each point has, then where they start, then the entries.
  ShaderOffsets result;
  result.ranges.assign(point_count, Vector2i::Zero());
  const auto for_each = [&](const auto& visit) {
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
      const std::span<const std::int32_t> indices = shapes_[i].point_indices;
      for (std::uint32_t s = ranges_[i].first; s < ranges_[i].last; ++s) {
        const std::span<const Vector3f> offsets = sub_shapes_[s].offsets;
        const std::size_t count =
            indices.empty() ? offsets.size() : std::min(offsets.size(), indices.size());
        for (std::size_t k = 0; k < count; ++k) {
          const auto point = indices.empty() ? static_cast<std::int32_t>(k) : indices[k];
          if (usable(point)) visit(static_cast<std::size_t>(point), s, offsets[k]);
        }
      }
    }
  };
  for_each([&](std::size_t point, std::uint32_t, const Vector3f&) { ++result.ranges[point][1]; });
  std::int32_t total = 0;
  for (Vector2i& range : result.ranges) {
    const std::int32_t count = range[1];
    range = {total, total};
    total += count;
  }
  result.offsets.resize(static_cast<std::size_t>(total));
  for_each([&](std::size_t point, std::uint32_t s, const Vector3f& offset) {
    const auto at = static_cast<std::size_t>(result.ranges[point][1]++);
    result.offsets[at] = Vector4f(offset.x(), offset.y(), offset.z(), static_cast<float>(s));
  });
  return result;
}

Status BlendShapeSet::deform_points(std::span<const SubShapeWeight> weights,
                                    std::span<Vector3f> points) const {
  if (Status status = check(weights); !status) return status;
  for (const SubShapeWeight& entry : weights) {
    const std::span<const Vector3f> offsets = sub_shapes_[entry.sub_shape].offsets;
    if (offsets.empty()) continue;
    Status status =
        apply_blend_shape(entry.weight, offsets, shapes_[entry.shape].point_indices, points);
    if (!status) {
      return {status.error().code,
              format_text("Blend shape {}: {}", shapes_[entry.shape].name, status.error().message)};
    }
  }
  return {};
}

Status BlendShapeSet::add_normal_offsets(std::span<const SubShapeWeight> weights,
                                         std::span<Vector3f> normals) const {
  if (Status status = check(weights); !status) return status;
  for (const SubShapeWeight& entry : weights) {
    const std::span<const Vector3f> offsets = sub_shapes_[entry.sub_shape].normal_offsets;
    if (offsets.empty()) continue;
    Status status =
        apply_blend_shape(entry.weight, offsets, shapes_[entry.shape].point_indices, normals);
    if (!status) {
      return {status.error().code,
              format_text("Blend shape {}: {}", shapes_[entry.shape].name, status.error().message)};
    }
  }
  return {};
}

Status BlendShapeSet::deform_normals(std::span<const SubShapeWeight> weights,
                                     std::span<Vector3f> normals) const {
  Status status = add_normal_offsets(weights, normals);
  if (status) normalize_vectors(normals);
  return status;
}

void normalize_vectors(std::span<Vector3f> vectors) {
  for (Vector3f& vector : vectors) vector /= std::max(vector.norm(), 1e-10F);
}

Status apply_blend_shape(float weight, std::span<const Vector3f> offsets,
                         std::span<const std::int32_t> indices, std::span<Vector3f> points) {
  if (std::abs(weight) < kClose) return {};
  const std::size_t expected = indices.empty() ? points.size() : indices.size();
  if (offsets.size() != expected) {
    return {ErrorCode::size_mismatch,
            format_text("There are {} offsets for {} {}.", offsets.size(), expected,
                        indices.empty() ? "points" : "point indices")};
  }
  if (indices.empty()) {
    for (std::size_t i = 0; i < points.size(); ++i) points[i] += offsets[i] * weight;
    return {};
  }
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (indices[i] >= 0 && static_cast<std::size_t>(indices[i]) < points.size()) continue;
    return {ErrorCode::index_out_of_range,
            format_text("Point index {} at position {} is not in [0, {}).", indices[i], i,
                        points.size())};
  }
  for (std::size_t i = 0; i < indices.size(); ++i) {
    points[static_cast<std::size_t>(indices[i])] += offsets[i] * weight;
  }
  return {};
}

}  // namespace sinew::skel
