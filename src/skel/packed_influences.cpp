// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/packed_influences.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <variant>
#include <vector>

#include "core/format_text.hpp"
#include "skel/compact_rows.hpp"
#include "skel/packed_floats.hpp"
#include "skel/packed_influences_impl.hpp"

namespace sinew::skel {

namespace {

using Impl = PackedInfluencesAccess::Impl;

constexpr std::size_t kMaxInfluences = std::numeric_limits<std::uint32_t>::max();

/// Rows of values, one after the other or among other values.
struct RowShape {
  std::size_t size;  ///< Of all values.
  std::size_t width;
  std::size_t stride;

  bool is_dense() const { return stride == width; }
  bool is_whole() const { return !is_dense() || size % width == 0; }
  std::size_t count() const { return size < width ? 0 : (size - width) / stride + 1; }
};

template <typename T>
struct Table {
  std::span<const T> values;
  RowShape shape;

  Table(std::span<const T> all, std::size_t width, std::size_t stride)
      : values(all), shape{all.size(), width, stride == 0 ? width : stride} {}

  const T* row(std::size_t index) const { return values.data() + index * shape.stride; }
};

template <typename Index>
struct Influences {
  Table<Index> joints;
  Table<float> weights;
};

template <typename Index>
Influences<Index> influences_of(std::span<const Index> indices, const PackedInfluencesDesc& desc) {
  return {{indices, desc.influences, desc.index_stride},
          {desc.joint_weights, desc.influences, desc.weight_stride}};
}

Status check_shapes(const RowShape& joints, const RowShape& weights) {
  if (joints.width == 0) {
    return {ErrorCode::invalid_argument, "influences must be at least 1, but is 0."};
  }
  if (joints.stride < joints.width || weights.stride < weights.width) {
    return {ErrorCode::invalid_argument,
            format_text("Rows of {} influences cannot be {} indices and {} weights apart.",
                        joints.width, joints.stride, weights.stride)};
  }
  if (joints.is_dense() && weights.is_dense() && joints.size != weights.size) {
    return {ErrorCode::size_mismatch,
            format_text("joint_indices has {} entries, but joint_weights has {}.", joints.size,
                        weights.size)};
  }
  if (!joints.is_whole() || !weights.is_whole()) {
    return {ErrorCode::size_mismatch,
            format_text("joint_indices has {} entries and joint_weights {}, not a multiple of "
                        "influences ({}).",
                        joints.size, weights.size, joints.width)};
  }
  if (joints.count() != weights.count()) {
    return {ErrorCode::size_mismatch,
            format_text("joint_indices has {} rows, but joint_weights has {}.", joints.count(),
                        weights.count())};
  }
  if (joints.count() > kMaxInfluences / joints.width) {
    return {ErrorCode::limit_exceeded, format_text("{} influences are more than can be packed.",
                                                   joints.count() * joints.width)};
  }
  return {};
}

/// Whether all indices are of joints.
template <typename Index>
bool are_joints(std::span<const Index> indices, std::size_t joint_count) {
  // A negative index is huge as an unsigned number, so one comparison checks both ends.
  bool valid = joint_count <= kMaxInfluences;
  for (const Index index : indices) valid &= static_cast<std::uint32_t>(index) < joint_count;
  return valid;
}

Error no_joint(std::int32_t index, std::size_t position, std::size_t joint_count) {
  return {ErrorCode::index_out_of_range,
          format_text("Joint index {} at position {} is not in [0, {}).", index, position,
                      joint_count)};
}

template <typename Index>
Status check_joints(const Table<Index>& joints, std::size_t joint_count) {
  const RowShape& shape = joints.shape;
  if (shape.is_dense() && are_joints(joints.values, joint_count)) return {};
  for (std::size_t row = 0; row < shape.count(); ++row) {
    for (std::size_t i = 0; i < shape.width; ++i) {
      const Index index = joints.row(row)[i];
      if (std::cmp_less(index, 0) || std::cmp_greater_equal(index, joint_count)) {
        return no_joint(index, row * shape.stride + i, joint_count);
      }
    }
  }
  return {};
}

template <typename Index>
Status check_influences(const Influences<Index>& table, std::size_t joint_count) {
  if (Status status = check_shapes(table.joints.shape, table.weights.shape); !status) return status;
  return check_joints(table.joints, joint_count);
}

Status check_elements(const PackedInfluencesDesc& desc, std::size_t row_count) {
  if (desc.scope == InfluenceScope::constant) {
    if (row_count != 1) {
      return {
          ErrorCode::size_mismatch,
          format_text("Constant influences need exactly one row, but there are {}.", row_count)};
    }
    if (!desc.row_of_element.empty()) {
      return {ErrorCode::invalid_argument, "row_of_element needs a row of influences per point."};
    }
    return {};
  }
  for (std::size_t i = 0; i < desc.row_of_element.size(); ++i) {
    const std::int32_t row = desc.row_of_element[i];
    if (row < 0 || static_cast<std::size_t>(row) >= row_count) {
      return {
          ErrorCode::index_out_of_range,
          format_text("row_of_element is {} at position {}, not in [0, {}).", row, i, row_count)};
    }
  }
  const std::size_t count = desc.row_of_element.empty() ? row_count : desc.row_of_element.size();
  if (desc.point_count != 0 && desc.point_count != count) {
    return {ErrorCode::size_mismatch,
            format_text("point_count is {}, but there are influences for {} points.",
                        desc.point_count, count)};
  }
  return {};
}

/// Drops zero weights and adds up repeated joints, row by row.
template <typename Index>
CompactRows compact(const Influences<Index>& table, const PackedInfluencesDesc& desc) {
  const std::size_t k = desc.influences;
  const std::size_t rows =
      desc.row_of_element.empty() ? table.joints.shape.count() : desc.row_of_element.size();
  CompactRows result(rows, rows * k);
  // Position of a joint in the row that saw it last; positions never repeat, so rows need no reset.
  std::vector<std::uint32_t> position_of_joint(desc.joint_count, 0);
  std::uint32_t end = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t source =
        desc.row_of_element.empty() ? row : static_cast<std::size_t>(desc.row_of_element[row]);
    const Index* joints = table.joints.row(source);
    const float* weights = table.weights.row(source);
    const std::uint32_t begin = end;
    result.offsets[row] = begin;
    std::size_t pivot = 0;
    for (std::size_t i = 0; i < k; ++i) {
      if (weights[i] > weights[pivot]) pivot = i;
      if (weights[i] == 0.0F) continue;
      float weight = weights[i];
      const auto joint = static_cast<std::uint32_t>(joints[i]);
      const std::uint32_t position = position_of_joint[joint];
      if (position >= begin && position < end && result.influences[position].joint == joint) {
        weight = result.influences[position].weight += weights[i];
      } else {
        position_of_joint[joint] = end;
        result.influences[end++] = {joint, weight};
      }
      result.has_infinite_weight |= std::isinf(weight);
    }
    result.pivots[row] = end == begin ? kNoPivot : static_cast<std::uint32_t>(joints[pivot]);
  }
  result.offsets[rows] = end;
  result.influences.shrink(end);
  return result;
}

/// The joints of one block, by the halves of the block that they move.
class BlockRows {
 public:
  BlockRows(Impl& skin, Scratch<std::uint32_t>& slots)
      : skin_(skin), slots_(slots), row_of_joint_(skin.joint_count, 0) {}

  /// Adds the block of points [first, last).
  void add(const CompactRows& rows, std::size_t first, std::size_t last) {
    first_row_ = skin_.rows.size();
    lanes_.clear();
    bool rigid = true;
    for (std::size_t point = first; point < last; ++point) {
      const std::uint32_t begin = rows.offsets[point];
      const std::uint32_t end = rows.offsets[point + 1];
      const std::uint32_t lane_bit = 1U << (point - first);
      for (std::uint32_t i = begin; i < end; ++i) {
        slots_[i] = row_of(rows.influences[i].joint, lane_bit);
      }
      rigid = rigid && end - begin == 1 && rows.influences[begin].weight == 1.0F;
      // Beside negative weights, a joint of weight zero may be the pivot: it needs a row too.
      if (rows.pivots[point] != kNoPivot) {
        skin_.rows[row_of(rows.pivots[point], lane_bit)].pivot_lanes |= lane_bit;
      }
    }
    SkinBlock block = sort_by_half(rows.offsets[first], rows.offsets[last]);
    block.rigid = rigid && lanes_.size() == 1;
    skin_.blocks.push_back(block);
  }

 private:
  /// The row of a joint that moves one more point.
  std::uint32_t row_of(std::uint32_t joint, std::uint32_t lane_bit) {
    std::uint32_t row = row_of_joint_[joint];
    if (row < first_row_ || row >= skin_.rows.size() || skin_.rows[row].joint != joint) {
      row = static_cast<std::uint32_t>(skin_.rows.size());
      row_of_joint_[joint] = row;
      skin_.rows.push_back({joint, 0});
      lanes_.push_back(0);
    }
    lanes_[row - first_row_] |= lane_bit;
    return row;
  }

  /// 0: moves the first half alone, 1: both, 2: the second.
  std::size_t half_of(std::size_t row) const {
    if (skin_.width < kWideBlock) return 1;
    const std::size_t half = skin_.width / 2;
    if (lanes_[row] >> half == 0) return 0;
    return lanes_[row] << (32 - half) != 0 ? 1 : 2;
  }

  /// Puts the rows in the order of the kernels, and with them the slots of the block's influences.
  SkinBlock sort_by_half(std::size_t first_slot, std::size_t last_slot) {
    std::uint32_t counts[3] = {};
    for (std::size_t row = 0; row < lanes_.size(); ++row) ++counts[half_of(row)];
    std::uint32_t next[3] = {0, counts[0], counts[0] + counts[1]};
    unsorted_.assign(skin_.rows.begin() + static_cast<std::ptrdiff_t>(first_row_),
                     skin_.rows.end());
    new_from_old_.resize(lanes_.size());
    for (std::size_t row = 0; row < lanes_.size(); ++row) {
      const std::uint32_t place = next[half_of(row)]++;
      new_from_old_[row] = static_cast<std::uint32_t>(first_row_) + place;
      skin_.rows[first_row_ + place] = unsorted_[row];
    }
    for (std::size_t i = first_slot; i < last_slot; ++i) {
      slots_[i] = new_from_old_[slots_[i] - first_row_];
    }
    return {static_cast<std::uint32_t>(first_row_), counts[0], counts[1], counts[2] & 0x7fffffffU,
            false};
  }

  Impl& skin_;
  Scratch<std::uint32_t>& slots_;
  std::vector<std::uint32_t> row_of_joint_;
  // Of the block under way.
  std::size_t first_row_ = 0;
  std::vector<std::uint32_t> lanes_;  // Points that a row moves, by bit.
  std::vector<SkinRow> unsorted_;
  std::vector<std::uint32_t> new_from_old_;
};

/// Lists the joints of every block. `slots` receives the row of each influence.
void list_joints(const CompactRows& rows, Impl& skin, Scratch<std::uint32_t>& slots) {
  const std::size_t n = rows.count();
  skin.blocks.reserve((n + skin.width - 1) / skin.width);
  skin.rows.reserve(rows.influences.size() / 4 + 16);
  BlockRows block(skin, slots);
  for (std::size_t first = 0; first < n; first += skin.width) {
    block.add(rows, first, std::min(first + skin.width, n));
  }
}

/// The number of joints whose matrices can be found by 32 bits.
constexpr std::size_t kMostMatrices = kMaxInfluences / kFloatsPerMatrix;

void find_matrices(Impl& skin) {
  skin.matrices.resize(skin.rows.size());
  for (std::size_t row = 0; row < skin.rows.size(); ++row) {
    skin.matrices[row] = skin.rows[row].joint * kFloatsPerMatrix;
  }
}

void fill_tiles(const CompactRows& rows, const Scratch<std::uint32_t>& slots, Impl& skin) {
  skin.tiles = zeroed_floats(skin.rows.size() * skin.width);
  float* const tiles = floats_of(skin.tiles);
  const std::size_t lane_mask = skin.width - 1;
  for (std::size_t point = 0; point < rows.count(); ++point) {
    for (std::uint32_t i = rows.offsets[point]; i < rows.offsets[point + 1]; ++i) {
      tiles[slots[i] * skin.width + (point & lane_mask)] = rows.influences[i].weight;
    }
  }
}

/// The joints of all blocks, of which one that moves half a block counts as `half`.
double joints_of_blocks(const Impl& skin, double half) {
  double joints = 0.0;
  for (const SkinBlock& block : skin.blocks) {
    joints += block.shared_count + half * (block.first_half_count + block.second_half_count);
  }
  return joints;
}

/// Whether blocks beat lists of influences: the work per point is in proportion to the joints per
/// block in one form and to the influences per point in the other. How many of the first cost as
/// much as one of the second is measured (Skinning/lbs, weights:random and weights:dense).
bool blocks_are_faster(const Impl& skin, std::size_t influence_count) {
  double joints_per_influence = 1.2;  // Four lanes and no fused multiply-add.
  if (skin.level == SimdLevel::avx512) joints_per_influence = 5.0;
  if (skin.level == SimdLevel::avx2) joints_per_influence = 3.0;
  if (skin.level == SimdLevel::neon || skin.level == SimdLevel::sve) joints_per_influence = 2.0;
  // A joint that moves half a block costs a little more than half of one that moves all of it.
  const double joints = joints_of_blocks(skin, 0.55);
  const double points_per_block = static_cast<double>(skin.point_count) /
                                  static_cast<double>(std::max<std::size_t>(skin.blocks.size(), 1));
  // One more, for what a point costs whatever its influences.
  return joints * points_per_block <=
         joints_per_influence * static_cast<double>(influence_count + skin.point_count);
}

bool has_kernels(SimdLevel level) {
  if (level == SimdLevel::scalar) return true;
  return is_supported(level) && linear_blocks_kernel(level, SkinOutput::points) != nullptr;
}

void use_rows(const CompactRows& rows, Impl& skin) {
  skin.form = InfluenceForm::rows;
  skin.blocks.clear();
  skin.rows.clear();
  skin.offsets = rows.offsets.copy();
  skin.influences = rows.influences.copy();
  skin.pivots = rows.pivots.copy();
}

}  // namespace

Result<PackedInfluences> PackedInfluences::pack(const PackedInfluencesDesc& desc) {
  Status valid = std::visit(
      [&](const auto indices) {
        const auto table = influences_of(indices, desc);
        Status status = check_influences(table, desc.joint_count);
        return status ? check_elements(desc, table.joints.shape.count()) : status;
      },
      desc.joint_indices);
  if (!valid) return std::move(valid).error();
  const std::size_t elements =
      std::max({desc.row_of_element.size(), desc.point_count, desc.joint_count});
  if (elements > kMaxInfluences || desc.row_of_element.size() > kMaxInfluences / desc.influences) {
    return {ErrorCode::limit_exceeded,
            format_text("{} elements are more than can be packed.", elements)};
  }
  auto skin = std::make_shared<Impl>();
  skin->level = desc.level == SimdLevel::best ? best_simd_level() : desc.level;
  if (!has_kernels(skin->level)) {
    if (desc.level != SimdLevel::best) {
      return {ErrorCode::unsupported,
              format_text("SIMD level {} is not available here.", to_string(desc.level))};
    }
    skin->level = SimdLevel::scalar;
  }
  skin->width = skin_block_width(skin->level);
  skin->joint_count = desc.joint_count;

  CompactRows rows =
      std::visit([&](const auto indices) { return compact(influences_of(indices, desc), desc); },
                 desc.joint_indices);
  skin->point_count = rows.count();
  skin->has_infinite_weight = rows.has_infinite_weight;
  if (desc.scope == InfluenceScope::constant) {
    use_rows(rows, *skin);
    skin->point_count = desc.point_count;
    skin->form = InfluenceForm::constant;
  } else {
    if (desc.order == PointOrder::by_joint) {
      skin->new_from_old.resize(rows.count());
      order_by_joint(rows, skin->new_from_old);
      rows = permute(rows, skin->new_from_old);
    }
    if (skin->level != SimdLevel::scalar && !skin->has_infinite_weight &&
        skin->joint_count <= kMostMatrices) {
      Scratch<std::uint32_t> slots(rows.influences.size());
      list_joints(rows, *skin, slots);
      if (blocks_are_faster(*skin, rows.influences.size())) {
        skin->form = InfluenceForm::blocks;
        find_matrices(*skin);
        fill_tiles(rows, slots, *skin);
      }
    }
    if (skin->form == InfluenceForm::rows) use_rows(rows, *skin);
  }
  PackedInfluences result;
  result.impl_ = std::move(skin);
  return result;
}

std::size_t PackedInfluences::point_count() const noexcept {
  return impl_ ? impl_->point_count : 0;
}

std::size_t PackedInfluences::joint_count() const noexcept {
  return impl_ ? impl_->joint_count : 0;
}

std::size_t PackedInfluences::block_width() const noexcept {
  return impl_ ? impl_->width : 8;
}

std::size_t PackedInfluences::block_count() const noexcept {
  return (point_count() + block_width() - 1) / block_width();
}

SimdLevel PackedInfluences::level() const noexcept {
  return impl_ ? impl_->level : SimdLevel::scalar;
}

InfluenceForm PackedInfluences::form() const noexcept {
  return impl_ ? impl_->form : InfluenceForm::blocks;
}

double PackedInfluences::joints_per_block() const noexcept {
  if (!impl_ || impl_->blocks.empty()) return 0.0;
  return static_cast<double>(impl_->rows.size()) / static_cast<double>(impl_->blocks.size());
}

double PackedInfluences::joints_per_register() const noexcept {
  if (!impl_ || impl_->blocks.empty()) return 0.0;
  return joints_of_blocks(*impl_, 0.5) / static_cast<double>(impl_->blocks.size());
}

std::span<const std::uint32_t> PackedInfluences::new_from_old() const noexcept {
  if (!impl_) return {};
  return impl_->new_from_old;
}

Status order_points_by_joint(std::span<std::uint32_t> new_from_old,
                             std::span<const std::int32_t> joint_indices,
                             std::span<const float> joint_weights, std::size_t influences,
                             std::size_t joint_count) {
  const PackedInfluencesDesc desc = {
      .joint_weights = joint_weights, .influences = influences, .joint_count = joint_count};
  const auto table = influences_of(joint_indices, desc);
  if (Status status = check_influences(table, joint_count); !status) return status;
  if (new_from_old.size() != joint_indices.size() / influences) {
    return {ErrorCode::size_mismatch,
            format_text("new_from_old has {} entries, but there are {} points.",
                        new_from_old.size(), joint_indices.size() / influences)};
  }
  order_by_joint(compact(table, desc), new_from_old);
  return {};
}

}  // namespace sinew::skel
