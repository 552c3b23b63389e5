// SPDX-License-Identifier: Apache-2.0
#include "skel/compact_rows.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace sinew::skel {

namespace {

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

}  // namespace

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

}  // namespace sinew::skel
