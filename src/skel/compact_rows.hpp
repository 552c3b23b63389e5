// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/large_pages.hpp"
#include "skel/kernels/skin_kernels.hpp"

namespace sinew::skel {

/// Memory that is not cleared, because all of it that counts is written; what is not written is
/// never given to the process.
template <typename T>
class Scratch {
 public:
  Scratch() = default;
  explicit Scratch(std::size_t size) : values_(new T[size]), size_(size) {
    expect_large(values_.get(), size * sizeof(T));
  }

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
  bool has_infinite_weight = false;

  CompactRows(std::size_t rows, std::size_t most_influences)
      : offsets(rows + 1), influences(most_influences), pivots(rows) {}
  std::size_t count() const { return pivots.size(); }
};

/// Fills new_from_old, one entry per row: by dominant joint, then by joint set. Equal sets keep
/// their order.
void order_by_joint(const CompactRows& rows, std::span<std::uint32_t> new_from_old);

/// The rows in their new order.
CompactRows permute(const CompactRows& rows, std::span<const std::uint32_t> new_from_old);

}  // namespace sinew::skel
