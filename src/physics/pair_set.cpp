// SPDX-License-Identifier: Apache-2.0
#include "physics/pair_set.hpp"

#include <utility>

namespace sinew::physics {

void PairSet::insert(std::uint32_t first, std::uint32_t second, std::int32_t value) {
  if (2 * (size_ + 1) > slots_.size()) grow();
  for (std::size_t i = home(first, second);; i = (i + 1) & (slots_.size() - 1)) {
    Slot& slot = slots_[i];
    if (slot.value == kAbsent) {
      slot = {first, second, value};
      ++size_;
      return;
    }
    if (slot.first == first && slot.second == second) return;
  }
}

void PairSet::grow() {
  const std::size_t count = slots_.empty() ? 16 : 2 * slots_.size();
  std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(count));
  shift_ = 64U - static_cast<unsigned>(std::countr_zero(count));
  size_ = 0;
  for (const Slot& slot : old) {
    if (slot.value != kAbsent) insert(slot.first, slot.second, slot.value);
  }
}

}  // namespace sinew::physics
