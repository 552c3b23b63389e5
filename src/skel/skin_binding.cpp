// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/skin_binding.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "skel/baked_skin.hpp"

namespace sinew::skel {

namespace {

constexpr std::size_t kMaxInfluences = std::numeric_limits<std::uint32_t>::max();

/// Memory that is not cleared, because all of it that counts is written; what is not written is
/// never given to the process.
template <typename T>
class Scratch {
 public:
  Scratch() = default;
  explicit Scratch(std::size_t size) : values_(new T[size]), size_(size) {}

  std::size_t size() const { return size_; }
  /// Forgets the end.
  void shrink(std::size_t size) { size_ = size; }
  const T* data() const { return values_.get(); }
  T* data() { return values_.get(); }
  const T& operator[](std::size_t i) const { return values_[i]; }
  T& operator[](std::size_t i) { return values_[i]; }
  std::vector<T> copy() const { return std::vector<T>(data(), data() + size_); }

 private:
  std::unique_ptr<T[]> values_;
  std::size_t size_ = 0;
};

/// Influences without zero weights and repeated joints, as lists of the per-point form.
struct CompactRows {
  Scratch<std::uint32_t> offsets;
  Scratch<SkinInfluence> influences;
  Scratch<std::uint32_t> pivots;

  CompactRows(std::size_t rows, std::size_t most_influences)
      : offsets(rows + 1), influences(most_influences), pivots(rows) {}
  std::size_t count() const { return pivots.size(); }
};

Status check_influences(std::span<const std::int32_t> indices, std::span<const float> weights,
                        std::size_t influences, std::size_t joint_count) {
  if (influences == 0) {
    return {ErrorCode::invalid_argument, "influences must be at least 1, but is 0."};
  }
  if (indices.size() != weights.size()) {
    return {ErrorCode::size_mismatch,
            fmt::format("joint_indices has {} entries, but joint_weights has {}.", indices.size(),
                        weights.size())};
  }
  if (indices.size() % influences != 0) {
    return {ErrorCode::size_mismatch,
            fmt::format("joint_indices has {} entries, not a multiple of influences ({}).",
                        indices.size(), influences)};
  }
  if (indices.size() > kMaxInfluences) {
    return {ErrorCode::limit_exceeded,
            fmt::format("{} influences are more than a binding can hold.", indices.size())};
  }
  // A negative index is huge as an unsigned number, so one comparison checks both ends.
  bool valid = true;
  for (const std::int32_t index : indices) {
    valid &= static_cast<std::uint32_t>(index) < joint_count;
  }
  if (!valid || joint_count > kMaxInfluences) {
    for (std::size_t i = 0; i < indices.size(); ++i) {
      if (indices[i] < 0 || static_cast<std::size_t>(indices[i]) >= joint_count) {
        return {ErrorCode::index_out_of_range,
                fmt::format("Joint index {} at position {} is not in [0, {}).", indices[i], i,
                            joint_count)};
      }
    }
  }
  return {};
}

Status check_elements(const SkinBindingDesc& desc, std::size_t row_count) {
  if (desc.scope == InfluenceScope::constant) {
    if (row_count != 1) {
      return {
          ErrorCode::size_mismatch,
          fmt::format("Constant influences need exactly one row, but there are {}.", row_count)};
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
          fmt::format("row_of_element is {} at position {}, not in [0, {}).", row, i, row_count)};
    }
  }
  const std::size_t count = desc.row_of_element.empty() ? row_count : desc.row_of_element.size();
  if (desc.point_count != 0 && desc.point_count != count) {
    return {ErrorCode::size_mismatch,
            fmt::format("point_count is {}, but there are influences for {} points.",
                        desc.point_count, count)};
  }
  return {};
}

/// Drops zero weights and adds up repeated joints, row by row.
CompactRows compact(const SkinBindingDesc& desc) {
  const std::size_t k = desc.influences;
  const std::size_t rows =
      desc.row_of_element.empty() ? desc.joint_indices.size() / k : desc.row_of_element.size();
  CompactRows result(rows, rows * k);
  // Position of a joint in the row that saw it last; positions never repeat, so rows need no reset.
  std::vector<std::uint32_t> position_of_joint(desc.joint_count, 0);
  std::uint32_t end = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t source =
        desc.row_of_element.empty() ? row : static_cast<std::size_t>(desc.row_of_element[row]);
    const std::int32_t* joints = desc.joint_indices.data() + source * k;
    const float* weights = desc.joint_weights.data() + source * k;
    const std::uint32_t begin = end;
    result.offsets[row] = begin;
    std::size_t pivot = 0;
    for (std::size_t i = 0; i < k; ++i) {
      if (weights[i] > weights[pivot]) pivot = i;
      if (weights[i] == 0.0F) continue;
      const auto joint = static_cast<std::uint32_t>(joints[i]);
      const std::uint32_t position = position_of_joint[joint];
      if (position >= begin && position < end && result.influences[position].joint == joint) {
        result.influences[position].weight += weights[i];
      } else {
        position_of_joint[joint] = end;
        result.influences[end++] = {joint, weights[i]};
      }
    }
    result.pivots[row] = end == begin ? kNoPivot : static_cast<std::uint32_t>(joints[pivot]);
  }
  result.offsets[rows] = end;
  result.influences.shrink(end);
  return result;
}

/// A key that sorts by dominant joint, then by the first three joints of the set in index order.
/// Without branches on what the weights are, because nothing predicts them.
std::uint64_t joint_set_key(const SkinInfluence* first, const SkinInfluence* last) {
  constexpr std::uint32_t kUnused = 0xffff;
  const auto clamp = [](std::uint32_t joint) { return joint + 1 < kUnused ? joint + 1 : kUnused; };
  if (first == last) return 0;
  std::uint32_t dominant = first->joint;
  float largest = first->weight;
  for (const SkinInfluence* i = first + 1; i != last; ++i) {
    const bool better =
        static_cast<unsigned>(i->weight > largest) |
        (static_cast<unsigned>(i->weight == largest) & static_cast<unsigned>(i->joint < dominant));
    dominant = better ? i->joint : dominant;
    largest = better ? i->weight : largest;
  }
  std::array<std::uint32_t, 3> set = {kUnused, kUnused, kUnused};
  for (const SkinInfluence* i = first; i != last; ++i) {
    std::uint32_t joint = i->joint == dominant ? kUnused : clamp(i->joint);
    for (std::uint32_t& slot : set) {
      const std::uint32_t low = std::min(joint, slot);
      joint = std::max(joint, slot);
      slot = low;
    }
  }
  // Unused slots sort first, so that points of fewer joints lie together.
  std::uint64_t key = clamp(dominant);
  for (const std::uint32_t joint : set) key = (key << 16) | (joint == kUnused ? 0 : joint);
  return key;
}

/// Numbers given to keys in the order of their first appearance. A mesh has few joint sets, so the
/// table stays in the cache while the points stream through.
class KeyNumbers {
 public:
  KeyNumbers() : slots_(kFirstSize) {}

  std::uint32_t number(std::uint64_t key) {
    std::size_t place = find(key);
    if (slots_[place].number == kNone) {
      if (2 * keys_.size() >= slots_.size()) {
        grow();
        place = find(key);
      }
      slots_[place] = {key, static_cast<std::uint32_t>(keys_.size())};
      keys_.push_back(key);
    }
    return slots_[place].number;
  }

  /// By number.
  const std::vector<std::uint64_t>& keys() const { return keys_; }

 private:
  static constexpr std::size_t kFirstSize = 1024;
  static constexpr std::uint32_t kNone = 0xffffffffU;
  static constexpr std::uint64_t kMixer = 0x9e3779b97f4a7c15U;  // 2^64 divided by the golden ratio.
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t number = kNone;
  };

  std::size_t find(std::uint64_t key) const {
    const std::size_t mask = slots_.size() - 1;
    std::uint64_t mixed = key * kMixer;
    mixed = (mixed ^ (mixed >> 32)) * kMixer;
    auto place = static_cast<std::size_t>(mixed >> 32) & mask;
    while (slots_[place].number != kNone && slots_[place].key != key) place = (place + 1) & mask;
    return place;
  }

  void grow() {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.number != kNone) slots_[find(slot.key)] = slot;
    }
  }

  std::vector<Slot> slots_;
  std::vector<std::uint64_t> keys_;
};

/// Numbers of the keys, by key.
std::vector<std::uint32_t> sorted_numbers(const std::vector<std::uint64_t>& keys) {
  struct Item {
    std::uint64_t key;
    std::uint32_t number;
  };
  const std::size_t n = keys.size();
  std::vector<Item> items(n), sorted(n);
  std::uint64_t used_bits = 0;
  for (std::size_t i = 0; i < n; ++i) {
    items[i] = {keys[i], static_cast<std::uint32_t>(i)};
    used_bits |= keys[i];
  }
  // Least significant byte first; bytes that are zero everywhere need no pass.
  for (unsigned shift = 0; shift < 64; shift += 8) {
    if (((used_bits >> shift) & 0xff) == 0) continue;
    std::array<std::uint32_t, 257> start{};
    for (const Item& item : items) ++start[((item.key >> shift) & 0xff) + 1];
    for (std::size_t i = 1; i < start.size(); ++i) start[i] += start[i - 1];
    for (const Item& item : items) sorted[start[(item.key >> shift) & 0xff]++] = item;
    items.swap(sorted);
  }
  std::vector<std::uint32_t> numbers(n);
  for (std::size_t i = 0; i < n; ++i) numbers[i] = items[i].number;
  return numbers;
}

/// Fills new_from_old, one entry per row. Equal keys keep their order.
void order_by_joint(const CompactRows& rows, std::span<std::uint32_t> new_from_old) {
  KeyNumbers numbers;
  std::vector<std::uint32_t> counts;
  const SkinInfluence* const data = rows.influences.data();
  for (std::size_t i = 0; i < rows.count(); ++i) {
    const std::uint32_t number =
        numbers.number(joint_set_key(data + rows.offsets[i], data + rows.offsets[i + 1]));
    if (number == counts.size()) counts.push_back(0);
    ++counts[number];
    new_from_old[i] = number;
  }
  // Counts become places.
  std::uint32_t place = 0;
  for (const std::uint32_t number : sorted_numbers(numbers.keys())) {
    place += std::exchange(counts[number], place);
  }
  for (std::uint32_t& entry : new_from_old) entry = counts[entry]++;
}

CompactRows permute(const CompactRows& rows, std::span<const std::uint32_t> new_from_old) {
  const std::size_t n = rows.count();
  CompactRows result(n, rows.influences.size());
  result.offsets[0] = 0;
  for (std::size_t i = 0; i < n; ++i) {
    result.offsets[new_from_old[i] + 1] = rows.offsets[i + 1] - rows.offsets[i];
  }
  for (std::size_t i = 0; i < n; ++i) result.offsets[i + 1] += result.offsets[i];
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t place = new_from_old[i];
    result.pivots[place] = rows.pivots[i];
    SkinInfluence* out = result.influences.data() + result.offsets[place];
    for (std::uint32_t k = rows.offsets[i]; k < rows.offsets[i + 1]; ++k) {
      *out++ = rows.influences[k];
    }
  }
  return result;
}

/// Lists the joints of every block. `slots` receives the row of each influence.
void list_joints(const CompactRows& rows, BakedSkin& skin, Scratch<std::uint32_t>& slots) {
  const std::size_t n = rows.count();
  skin.blocks.reserve((n + skin.width - 1) / skin.width);
  skin.rows.reserve(rows.influences.size() / 4 + 16);
  std::vector<std::uint32_t> row_of_joint(skin.joint_count, 0);
  std::uint32_t first_row = 0;
  const auto find_row = [&](std::uint32_t joint) {
    std::uint32_t row = row_of_joint[joint];
    if (row < first_row || row >= skin.rows.size() || skin.rows[row].joint != joint) {
      row = static_cast<std::uint32_t>(skin.rows.size());
      row_of_joint[joint] = row;
      skin.rows.push_back({joint, 0});
    }
    return row;
  };
  for (std::size_t first = 0; first < n; first += skin.width) {
    const std::size_t last = std::min(first + skin.width, n);
    first_row = static_cast<std::uint32_t>(skin.rows.size());
    bool rigid = true;
    for (std::size_t point = first; point < last; ++point) {
      const std::uint32_t begin = rows.offsets[point];
      const std::uint32_t end = rows.offsets[point + 1];
      for (std::uint32_t i = begin; i < end; ++i) slots[i] = find_row(rows.influences[i].joint);
      rigid = rigid && end - begin == 1 && rows.influences[begin].weight == 1.0F;
      // Beside negative weights, a joint of weight zero may be the pivot: it needs a row too.
      if (rows.pivots[point] != kNoPivot) {
        skin.rows[find_row(rows.pivots[point])].pivot_lanes |= 1U << (point - first);
      }
    }
    const auto count = static_cast<std::uint32_t>(skin.rows.size()) - first_row;
    skin.blocks.push_back({first_row, count & 0x7fffffffU, rigid && count == 1});
  }
}

void fill_tiles(const CompactRows& rows, const Scratch<std::uint32_t>& slots, BakedSkin& skin) {
  skin.tiles = Buffer(skin.rows.size() * skin.width * sizeof(float));
  if (skin.tiles.empty()) return;
  auto* tiles = reinterpret_cast<float*>(skin.tiles.mutable_data());
  std::memset(tiles, 0, skin.tiles.size());
  const std::size_t lane_mask = skin.width - 1;
  for (std::size_t point = 0; point < rows.count(); ++point) {
    for (std::uint32_t i = rows.offsets[point]; i < rows.offsets[point + 1]; ++i) {
      tiles[slots[i] * skin.width + (point & lane_mask)] = rows.influences[i].weight;
    }
  }
}

/// Whether blocks beat lists of influences: the work per point is in proportion to the joints per
/// block in one form and to the influences per point in the other. How many of the first cost as
/// much as one of the second is measured (Skinning/lbs, weights:random and weights:dense).
bool blocks_are_faster(const BakedSkin& skin, std::size_t influence_count) {
  double joints_per_influence = 1.2;  // Four lanes and no fused multiply-add.
  if (skin.level == SimdLevel::avx512) joints_per_influence = 5.0;
  if (skin.level == SimdLevel::avx2) joints_per_influence = 3.0;
  if (skin.level == SimdLevel::neon || skin.level == SimdLevel::sve) joints_per_influence = 2.0;
  const double points_per_block = static_cast<double>(skin.point_count) /
                                  static_cast<double>(std::max<std::size_t>(skin.blocks.size(), 1));
  // One more, for what a point costs whatever its influences.
  return static_cast<double>(skin.rows.size()) * points_per_block <=
         joints_per_influence * static_cast<double>(influence_count + skin.point_count);
}

bool has_kernels(SimdLevel level) {
  if (level == SimdLevel::scalar) return true;
  return is_supported(level) && linear_blocks_kernel(level, SkinOutput::points) != nullptr;
}

void use_rows(const CompactRows& rows, BakedSkin& skin) {
  skin.form = BindingForm::rows;
  skin.blocks.clear();
  skin.rows.clear();
  skin.offsets = rows.offsets.copy();
  skin.influences = rows.influences.copy();
  skin.pivots = rows.pivots.copy();
}

}  // namespace

Result<SkinBinding> SkinBinding::bake(const SkinBindingDesc& desc) {
  if (Status status = check_influences(desc.joint_indices, desc.joint_weights, desc.influences,
                                       desc.joint_count);
      !status) {
    return std::move(status).error();
  }
  if (Status status = check_elements(desc, desc.joint_indices.size() / desc.influences); !status) {
    return std::move(status).error();
  }
  if (desc.row_of_element.size() > kMaxInfluences / desc.influences) {
    return {ErrorCode::limit_exceeded, fmt::format("{} elements are more than a binding can hold.",
                                                   desc.row_of_element.size())};
  }
  auto skin = std::make_shared<BakedSkin>();
  skin->level = desc.level == SimdLevel::best ? best_simd_level() : desc.level;
  if (!has_kernels(skin->level)) {
    if (desc.level != SimdLevel::best) {
      return {ErrorCode::unsupported,
              fmt::format("SIMD level {} is not available here.", to_string(desc.level))};
    }
    skin->level = SimdLevel::scalar;
  }
  skin->width = skin_block_width(skin->level);
  skin->joint_count = desc.joint_count;

  CompactRows rows = compact(desc);
  skin->point_count = rows.count();
  if (desc.scope == InfluenceScope::constant) {
    use_rows(rows, *skin);
    skin->point_count = desc.point_count;
    skin->form = BindingForm::constant;
  } else {
    if (desc.order == VertexOrder::by_joint) {
      skin->new_from_old.resize(rows.count());
      order_by_joint(rows, skin->new_from_old);
      rows = permute(rows, skin->new_from_old);
    }
    if (skin->level != SimdLevel::scalar) {
      Scratch<std::uint32_t> slots(rows.influences.size());
      list_joints(rows, *skin, slots);
      if (blocks_are_faster(*skin, rows.influences.size())) {
        skin->form = BindingForm::blocks;
        fill_tiles(rows, slots, *skin);
      }
    }
    if (skin->form == BindingForm::rows) use_rows(rows, *skin);
  }
  SkinBinding binding;
  binding.baked_ = std::move(skin);
  return binding;
}

std::size_t SkinBinding::point_count() const noexcept {
  return baked_ ? baked_->point_count : 0;
}

std::size_t SkinBinding::joint_count() const noexcept {
  return baked_ ? baked_->joint_count : 0;
}

std::size_t SkinBinding::block_width() const noexcept {
  return baked_ ? baked_->width : 8;
}

std::size_t SkinBinding::block_count() const noexcept {
  return (point_count() + block_width() - 1) / block_width();
}

SimdLevel SkinBinding::level() const noexcept {
  return baked_ ? baked_->level : SimdLevel::scalar;
}

BindingForm SkinBinding::form() const noexcept {
  return baked_ ? baked_->form : BindingForm::blocks;
}

double SkinBinding::joints_per_block() const noexcept {
  if (!baked_ || baked_->blocks.empty()) return 0.0;
  return static_cast<double>(baked_->rows.size()) / static_cast<double>(baked_->blocks.size());
}

std::span<const std::uint32_t> SkinBinding::new_from_old() const noexcept {
  if (!baked_) return {};
  return baked_->new_from_old;
}

Status order_points_by_joint(std::span<std::uint32_t> new_from_old,
                             std::span<const std::int32_t> joint_indices,
                             std::span<const float> joint_weights, std::size_t influences,
                             std::size_t joint_count) {
  Status status = check_influences(joint_indices, joint_weights, influences, joint_count);
  if (!status) return status;
  if (new_from_old.size() != joint_indices.size() / influences) {
    return {ErrorCode::size_mismatch,
            fmt::format("new_from_old has {} entries, but there are {} points.",
                        new_from_old.size(), joint_indices.size() / influences)};
  }
  const CompactRows rows = compact({.joint_indices = joint_indices,
                                    .joint_weights = joint_weights,
                                    .influences = influences,
                                    .joint_count = joint_count});
  order_by_joint(rows, new_from_old);
  return {};
}

}  // namespace sinew::skel
