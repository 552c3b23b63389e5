// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "sinew/core/buffer.hpp"
#include "sinew/core/export.hpp"
#include "sinew/core/result.hpp"
#include "sinew/core/types.hpp"
#include "sinew/skel/packed_influences.hpp"

namespace sinew::skel {

/// Points, normals or tangents of a mesh as the kernels of linear skinning compute with them: block
/// by block, in each all x, then all y, then all z. Worth making of what stays the same from frame
/// to frame; see SkinPointsJob::packed_points. The form depends on the machine, so it is not a file
/// format.
///
/// Copying shares the data. Immutable after construction; safe to share between threads.
class SINEW_API PackedVectors {
 public:
  /// Nothing, which jobs do not read.
  PackedVectors() = default;

  /// Copies one value per point of `influences`, in their order. Where kernels gain nothing,
  /// because the influences are not in blocks (InfluenceForm) or these are narrower than 16 points,
  /// the result is empty.
  ///
  /// @return The values, or size_mismatch if there is not one per point.
  /// @par Cost    O(n), 12 bytes per point.
  static Result<PackedVectors> pack(std::span<const Vector3f> values,
                                    const PackedInfluences& influences);

  /// Whether there is nothing to read.
  bool empty() const noexcept { return count_ == 0; }
  /// Number of values; 0 if empty.
  std::size_t size() const noexcept { return count_; }
  /// Values per block, as PackedInfluences::block_width(); 0 if empty.
  std::size_t block_width() const noexcept { return width_; }
  /// Blocks of 3 * block_width() floats, aligned to 64 bytes; zeros follow the last value.
  std::span<const float> floats() const noexcept {
    return {reinterpret_cast<const float*>(blocks_.data()), blocks_.size() / sizeof(float)};
  }

 private:
  Buffer blocks_;
  std::size_t count_ = 0;
  std::size_t width_ = 0;
};

}  // namespace sinew::skel
