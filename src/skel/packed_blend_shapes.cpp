// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/packed_blend_shapes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "core/format_text.hpp"
#include "core/sort.hpp"
#include "skel/job.hpp"
#include "skel/kernels/blend_kernels.hpp"
#include "skel/shape_tiles.hpp"
#include "skel/skin_plan.hpp"
#include "skel/sub_shapes.hpp"

namespace sinew::skel {

/// The runs of one sub-shape within one block. They lie in points [first_point, end_point) of it.
struct BlendEntry {
  std::uint32_t sub_shape;
  std::uint32_t first_run;
  std::uint32_t run_count;
  std::uint16_t first_point;
  std::uint16_t end_point;
};

/// Offsets of one kind, points or normals. Entries of block b: [first_entry[b], first_entry[b+1]).
struct OffsetTable {
  std::vector<std::uint32_t> first_entry;
  std::vector<BlendEntry> entries;
  std::vector<BlendRun> runs;
  std::vector<Vector3f> offsets;
};

/// Blend shapes as kernels read them.
struct PackedBlendShapes::Impl {
  std::size_t point_count = 0;
  std::size_t sub_shape_count = 0;
  BlendKernel kernel = nullptr;
  NormalizeKernel normalize = nullptr;
  OffsetTable points;
  OffsetTable normals;
  OffsetTiles tiles;  // Of points, once more.
};

struct PackedBlendShapesAccess {
  using Impl = PackedBlendShapes::Impl;
  /// Null for default-constructed shapes.
  static const Impl* impl(const PackedBlendShapes& shapes) noexcept { return shapes.impl_.get(); }
};

namespace {

using ShapesImpl = PackedBlendShapesAccess::Impl;

constexpr std::size_t kBlock = PackedBlendShapes::kBlockPoints;
constexpr std::size_t kShapesGrain = 2;
constexpr std::size_t kWidest = 32;  // Of the blocks of influences, whose widths divide it.
static_assert(kBlock % kWidest == 0);

Status check_offsets(std::span<const Vector3f> offsets, std::span<const std::int32_t> indices,
                     const char* kind, std::size_t sub_shape, std::size_t point_count) {
  if (offsets.empty()) return {};
  const std::size_t needed = indices.empty() ? point_count : indices.size();
  if (offsets.size() != needed) {
    return {ErrorCode::size_mismatch, format_text("Sub-shape {} has {} {}, but {} are needed.",
                                                  sub_shape, offsets.size(), kind, needed)};
  }
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (indices[i] < 0 || static_cast<std::size_t>(indices[i]) >= point_count) {
      return {ErrorCode::index_out_of_range,
              format_text("Point index {} at position {} of sub-shape {} is not in [0, {}).",
                          indices[i], i, sub_shape, point_count)};
    }
  }
  return {};
}

/// Appends the offsets of one sub-shape, by point; a point that is named repeatedly gets the sum.
void place(std::span<const Vector3f> offsets, std::span<const std::int32_t> indices,
           std::span<const std::uint32_t> new_from_old, std::size_t sub_shape,
           std::vector<PlacedOffset>& placed) {
  const std::size_t begin = placed.size();
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const std::size_t old = indices.empty() ? i : static_cast<std::size_t>(indices[i]);
    const auto point = new_from_old.empty() ? static_cast<std::uint32_t>(old) : new_from_old[old];
    placed.push_back({point, static_cast<std::uint32_t>(sub_shape), offsets[i]});
  }
  const auto first = placed.begin() + static_cast<std::ptrdiff_t>(begin);
  stable_sort_range(first, placed.end(),
                    [](const PlacedOffset& a, const PlacedOffset& b) { return a.point < b.point; });
  std::size_t end = begin;
  for (std::size_t i = begin; i < placed.size(); ++i) {
    if (end > begin && placed[end - 1].point == placed[i].point) {
      placed[end - 1].offset += placed[i].offset;
    } else {
      placed[end++] = placed[i];
    }
  }
  placed.erase(placed.begin() + static_cast<std::ptrdiff_t>(end), placed.end());
}

/// Runs of one entry share no point, so their order changes no result; by length, the processor
/// foresees what the kernel does with the next one. Offsets follow them, to be read in a row.
void sort_runs(OffsetTable& table) {
  std::vector<Vector3f> offsets;
  offsets.reserve(table.offsets.size());
  for (const BlendEntry& entry : table.entries) {
    const std::span<BlendRun> runs(table.runs.data() + entry.first_run, entry.run_count);
    stable_sort_range(runs.begin(), runs.end(), [](const BlendRun& a, const BlendRun& b) {
      return a.point_count > b.point_count;
    });
    for (BlendRun& run : runs) {
      const Vector3f* const from = table.offsets.data() + run.first_offset;
      run.first_offset = static_cast<std::uint32_t>(offsets.size());
      offsets.insert(offsets.end(), from, from + run.point_count);
    }
  }
  table.offsets = std::move(offsets);
}

OffsetTable make_table(std::vector<PlacedOffset> placed, std::size_t block_count) {
  // By block, within it by sub-shape, within that by point; the input has the last two already.
  stable_sort_range(placed.begin(), placed.end(), [](const PlacedOffset& a, const PlacedOffset& b) {
    return a.point / kBlock < b.point / kBlock;
  });
  OffsetTable table;
  table.first_entry.assign(block_count + 1, 0);
  table.offsets.reserve(placed.size());
  for (std::size_t i = 0; i < placed.size(); ++i) {
    const PlacedOffset& p = placed[i];
    const std::size_t block = p.point / kBlock;
    const bool same_block = i > 0 && placed[i - 1].point / kBlock == block;
    const bool same_entry = same_block && placed[i - 1].sub_shape == p.sub_shape;
    const auto point = static_cast<std::uint16_t>(p.point % kBlock);
    if (!same_entry) {
      const auto first_run = static_cast<std::uint32_t>(table.runs.size());
      table.entries.push_back({p.sub_shape, first_run, 0, point, point});
      ++table.first_entry[block + 1];
    }
    table.entries.back().end_point = static_cast<std::uint16_t>(point + 1);
    if (same_entry && placed[i - 1].point + 1 == p.point) {
      ++table.runs.back().point_count;
    } else {
      table.runs.push_back({point, 1, static_cast<std::uint32_t>(table.offsets.size())});
      ++table.entries.back().run_count;
    }
    table.offsets.push_back(p.offset);
  }
  for (std::size_t b = 0; b < block_count; ++b) table.first_entry[b + 1] += table.first_entry[b];
  sort_runs(table);
  return table;
}

/// Points [first, end) of a mesh or of a block.
struct PointRange {
  std::size_t first;
  std::size_t end;

  std::size_t count() const { return end - first; }
  bool empty() const { return first >= end; }
};

/// The points of a block, counted from its first, that sub-shapes move with these weights, and
/// points between them.
PointRange moved_points(const OffsetTable& table, std::size_t block,
                        std::span<const float> weights) {
  PointRange range = {kBlock, 0};
  for (std::uint32_t e = table.first_entry[block]; e < table.first_entry[block + 1]; ++e) {
    const BlendEntry& entry = table.entries[e];
    if (std::abs(weights[entry.sub_shape]) < kNoShapeWeight) continue;
    range.first = std::min<std::size_t>(range.first, entry.first_point);
    range.end = std::max<std::size_t>(range.end, entry.end_point);
  }
  return range;
}

void add_block(const ShapesImpl& shapes, const OffsetTable& table, std::size_t block,
               std::span<const float> weights, float* values) {
  for (std::uint32_t e = table.first_entry[block]; e < table.first_entry[block + 1]; ++e) {
    const BlendEntry& entry = table.entries[e];
    const float weight = weights[entry.sub_shape];
    if (std::abs(weight) < kNoShapeWeight) continue;
    shapes.kernel(table.runs.data() + entry.first_run, entry.run_count,
                  table.offsets.front().data(), weight, values);
  }
}

PointRange points_of_block(const ShapesImpl& shapes, std::size_t block) {
  const std::size_t first = block * kBlock;
  return {first, std::min(first + kBlock, shapes.point_count)};
}

Status check_weights(const PackedBlendShapes* shapes, std::span<const float> weights) {
  if (shapes == nullptr) return {ErrorCode::invalid_argument, "shapes is null."};
  return check_size("weights", weights.size(), shapes->sub_shape_count());
}

/// Blended values of one block, on the stack.
struct BlockBuffer {
  alignas(64) float values[3 * kBlock];

  std::span<Vector3f> vectors(PointRange range) {
    return {reinterpret_cast<Vector3f*>(values) + range.first, range.count()};
  }
};

/// As floats, of which registers are copied at a time; nothing where both are the same memory.
/// Neither may be empty.
void copy_vectors(std::span<const Vector3f> from, std::span<Vector3f> to) {
  if (from.data() != to.data()) std::copy_n(from.front().data(), 3 * to.size(), to.front().data());
}

void advance(SkinStream& stream, std::size_t first) {
  if (stream.out == nullptr) return;
  stream.in += 3 * first;
  stream.out += 3 * first;
  if (stream.packed != nullptr) stream.packed += 3 * first;
}

/// The arguments of a pass for a range of points as a mesh of their own.
SkinArgs part_of(const SkinArgs& args, PointRange range) {
  SkinArgs part = args;
  part.point_count = range.count();
  if (args.blocks != nullptr) part.blocks += range.first / args.block_width;
  if (args.offsets != nullptr) {
    part.offsets += range.first;
    part.pivots += range.first;
  }
  advance(part.points, range.first);
  for (SkinStream& stream : part.vectors) advance(stream, range.first);
  return part;
}

/// What a range of points and normals is skinned from in place of those at rest; null: from these.
struct BlendedInputs {
  const float* points = nullptr;
  const float* normals = nullptr;
};

void read_instead(SkinStream& stream, const float* values) {
  if (stream.out != nullptr && values != nullptr) stream = {values, stream.out};
}

/// Skins a range of points that begins with a block of the influences and ends with one or with the
/// mesh. Several passes take so many points in turn that the second finds them in the cache.
void skin_points(const SkinPlan& plan, PointRange range, BlendedInputs blended = {}) {
  const std::size_t turn = plan.pass_count > 1 ? kBlock : range.count();
  for (; !range.empty(); range.first += turn) {
    const PointRange points = {range.first, std::min(range.first + turn, range.end)};
    for (std::size_t i = 0; i < plan.pass_count; ++i) {
      SkinArgs args = part_of(plan.passes[i].args, points);
      read_instead(args.points, blended.points);
      read_instead(args.vectors[kNormalStream], blended.normals);
      const std::size_t width = args.block_width;
      plan.passes[i].kernel(args, 0, (points.count() + width - 1) / width);
    }
  }
}

/// Whether the kernel of a pass can add shapes to the points that it moves; see SkinArgs::shapes.
bool takes_shapes(const SkinArgs& args) {
  const auto is_packed = [](const SkinStream& stream) {
    return stream.out == nullptr || stream.packed != nullptr;
  };
  return args.palette != nullptr && args.blocks != nullptr && args.points.packed != nullptr &&
         is_packed(args.vectors[0]) && is_packed(args.vectors[1]) &&
         args.points.in != args.points.out && !args.streamed &&
         args.pre_transform.kind == PreTransform::none;
}

/// Has the kernel of the points add the shapes. @return Whether it can.
bool give_tiles(const OffsetTiles& tiles, std::span<const float> weights, SkinPlan& plan) {
  if (tiles.width == 0) return false;
  for (std::size_t i = 0; i < plan.pass_count; ++i) {
    SkinArgs& args = plan.passes[i].args;
    if (args.points.out == nullptr) continue;
    if (args.block_width != tiles.width || !takes_shapes(args)) return false;
    // Points that a shape does not move have offsets of zero.
    if (!std::all_of(weights.begin(), weights.end(), [](float w) { return std::isfinite(w); })) {
      return false;
    }
    args.shapes = tiles.with_weights(weights);
    return true;
  }
  return false;
}

}  // namespace

Result<PackedBlendShapes> PackedBlendShapes::pack(const PackedBlendShapesDesc& desc) {
  const auto [sub_shapes, point_count, new_from_old, influences] = desc;
  if (!new_from_old.empty() && new_from_old.size() != point_count) {
    return {ErrorCode::size_mismatch, format_text("new_from_old has {} entries for {} points.",
                                                  new_from_old.size(), point_count)};
  }
  for (std::size_t i = 0; i < new_from_old.size(); ++i) {
    if (new_from_old[i] < point_count) continue;
    return {ErrorCode::index_out_of_range,
            format_text("new_from_old[{}] is {}, but there are {} points.", i, new_from_old[i],
                        point_count)};
  }
  if (influences != nullptr) {
    Status status = check_size("influences", influences->point_count(), point_count);
    if (!status) return std::move(status).error();
  }
  std::vector<PlacedOffset> points, normals;
  for (std::size_t s = 0; s < sub_shapes.size(); ++s) {
    const SubShapeDesc& shape = sub_shapes[s];
    if (Status status =
            check_offsets(shape.offsets, shape.point_indices, "offsets", s, point_count);
        !status) {
      return std::move(status).error();
    }
    if (Status status = check_offsets(shape.normal_offsets, shape.point_indices, "normal offsets",
                                      s, point_count);
        !status) {
      return std::move(status).error();
    }
    place(shape.offsets, shape.point_indices, new_from_old, s, points);
    place(shape.normal_offsets, shape.point_indices, new_from_old, s, normals);
  }
  constexpr std::size_t kMost = std::numeric_limits<std::uint32_t>::max();
  if (points.size() > kMost || normals.size() > kMost || point_count > kMost) {
    return {ErrorCode::limit_exceeded, "There are more offsets than blend shapes can hold."};
  }
  auto packed = std::make_shared<ShapesImpl>();
  const std::size_t block_count = (point_count + kBlock - 1) / kBlock;
  packed->point_count = point_count;
  packed->sub_shape_count = sub_shapes.size();
  packed->kernel = blend_kernel(best_simd_level());
  packed->normalize = normalize_kernel(best_simd_level());
  if (kHasWideBlocks && influences != nullptr && influences->form() == InfluenceForm::blocks) {
    packed->tiles = make_offset_tiles(points, point_count, influences->block_width());
  }
  packed->points = make_table(std::move(points), block_count);
  packed->normals = make_table(std::move(normals), block_count);
  PackedBlendShapes result;
  result.impl_ = std::move(packed);
  return result;
}

Result<PackedBlendShapes> PackedBlendShapes::pack(const BlendShapeSet& shapes,
                                                  std::size_t point_count,
                                                  std::span<const std::uint32_t> new_from_old) {
  const std::vector<SubShapeDesc> sub_shapes = sub_shapes_of(shapes);
  return pack({.sub_shapes = sub_shapes, .point_count = point_count, .new_from_old = new_from_old});
}

Result<PackedBlendShapes> PackedBlendShapes::pack(const BlendShapeSet& shapes,
                                                  const PackedInfluences& influences) {
  const std::vector<SubShapeDesc> sub_shapes = sub_shapes_of(shapes);
  return pack({.sub_shapes = sub_shapes,
               .point_count = influences.point_count(),
               .new_from_old = influences.new_from_old(),
               .influences = &influences});
}

std::size_t PackedBlendShapes::point_count() const noexcept {
  return impl_ ? impl_->point_count : 0;
}

std::size_t PackedBlendShapes::influence_block_width() const noexcept {
  return impl_ ? impl_->tiles.width : 0;
}

std::size_t PackedBlendShapes::sub_shape_count() const noexcept {
  return impl_ ? impl_->sub_shape_count : 0;
}

Status BlendShapesJob::validate() const {
  if (Status s = check_weights(shapes, weights); !s) return s;
  const std::size_t n = shapes->point_count();
  if (Status s = check_stream("points", points.size(), "points_out", points_out.size(), n); !s) {
    return s;
  }
  return check_stream("normals", normals.size(), "normals_out", normals_out.size(), n);
}

Status BlendShapesJob::run(const Executor& executor) const {
  return run_job(*this, executor, kShapesGrain);
}

void BlendShapesJob::run_blocks(std::size_t first, std::size_t last) const {
  SINEW_ASSERT(first <= last && last <= block_count());
  const ShapesImpl* packed = PackedBlendShapesAccess::impl(*shapes);
  if (packed == nullptr) return;
  for (std::size_t block = first; block < last; ++block) {
    const PointRange range = points_of_block(*packed, block);
    if (!points_out.empty()) {
      const std::span<Vector3f> out = points_out.subspan(range.first, range.count());
      copy_vectors(points.subspan(range.first, range.count()), out);
      add_block(*packed, packed->points, block, weights, out.front().data());
    }
    if (!normals_out.empty()) {
      const bool blended = !packed->normals.entries.empty();
      const std::span<Vector3f> out = normals_out.subspan(range.first, range.count());
      copy_vectors(normals.subspan(range.first, range.count()), out);
      if (!blended) continue;
      add_block(*packed, packed->normals, block, weights, out.front().data());
      packed->normalize(out.front().data(), out.size());
    }
  }
}

Status BlendAndSkinJob::validate() const {
  if (Status s = check_weights(shapes, weights); !s) return s;
  if (Status s = skin.validate(); !s) return s;
  if (shapes->point_count() != skin.influences->point_count()) {
    return {ErrorCode::size_mismatch,
            format_text("shapes is for {} points, but influences for {}.", shapes->point_count(),
                        skin.influences->point_count())};
  }
  return {};
}

Status BlendAndSkinJob::run(const Executor& executor) const {
  return run_job(*this, executor, kShapesGrain);
}

void BlendAndSkinJob::run_blocks(std::size_t first, std::size_t last) const {
  SINEW_ASSERT(first <= last && last <= block_count());
  const ShapesImpl* packed = PackedBlendShapesAccess::impl(*shapes);
  if (packed == nullptr) return;
  SkinPlan plan;
  make_plan(skin, plan);
  const bool blend_normals = !skin.normals.empty() && !packed->normals.entries.empty();
  if (kHasWideBlocks && !blend_normals && give_tiles(packed->tiles, weights, plan)) {
    const std::size_t width = packed->tiles.width;
    plan.run(first * (kBlock / width), std::min(last * (kBlock / width), skin.block_count()));
    return;
  }
  BlockBuffer blended_points, blended_normals;
  // What no shape moves is skinned from where it is, whole stretches at a time.
  std::size_t next = first * kBlock;
  for (std::size_t block = first; block < last; ++block) {
    const PointRange whole = points_of_block(*packed, block);
    PointRange moved = {0, 0};
    if (!skin.points.empty()) moved = moved_points(packed->points, block, weights);
    const bool blend_points = !moved.empty();
    // Normals get unit length where any shape has offsets for them.
    if (blend_normals) moved = {0, whole.count()};
    if (moved.empty()) continue;
    moved.first -= moved.first % kWidest;
    moved.end = std::min((moved.end + kWidest - 1) / kWidest * kWidest, whole.count());
    const PointRange range = {whole.first + moved.first, whole.first + moved.end};
    BlendedInputs inputs;
    if (blend_points) {
      copy_vectors(skin.points.subspan(range.first, range.count()), blended_points.vectors(moved));
      add_block(*packed, packed->points, block, weights, blended_points.values);
      inputs.points = blended_points.values + 3 * moved.first;
    }
    if (blend_normals) {
      const std::span<Vector3f> out = blended_normals.vectors(moved);
      copy_vectors(skin.normals.subspan(range.first, range.count()), out);
      add_block(*packed, packed->normals, block, weights, blended_normals.values);
      packed->normalize(out.front().data(), out.size());
      inputs.normals = blended_normals.values;
    }
    skin_points(plan, {next, range.first});
    skin_points(plan, range, inputs);
    next = range.end;
  }
  skin_points(plan, {next, std::min(last * kBlock, packed->point_count)});
}

}  // namespace sinew::skel
