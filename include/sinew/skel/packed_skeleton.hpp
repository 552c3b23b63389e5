// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "sinew/core/export.hpp"
#include "sinew/core/result.hpp"
#include "sinew/core/simd.hpp"
#include "sinew/core/types.hpp"

namespace sinew::skel {

/// What is packed into a PackedSkeleton.
struct PackedSkeletonDesc {
  std::span<const std::int32_t> parents = {};  ///< n; parents[j] < j, negative for roots.
  /// What is multiplied from the right onto each joint's skeleton-space transform to make its
  /// palette entry: inverse bind transforms, times geom_bind if all agents wear one mesh. n,
  /// affine.
  std::span<const Matrix4d> joint_from_bind = {};
  SimdLevel level = SimdLevel::best;  ///< Force one to get the same bits on every machine.
};

/// A joint hierarchy prepared for posing many agents, or one.
///
/// Joints are visited in an order that keeps few parents waiting, log2(n) + 2 at most, so that all
/// that posing needs at any time fits in the first-level cache and on the stack.
///
/// Copying shares the data. Immutable after construction; safe to share between threads.
class SINEW_API PackedSkeleton {
 public:
  PackedSkeleton() = default;

  /// @return The skeleton, or
  ///         - size_mismatch if the arrays differ in length;
  ///         - bad_topology if a parent does not come before its child;
  ///         - unsupported if the machine or the build lacks `level`.
  /// @par Cost    O(n log n).
  static Result<PackedSkeleton> pack(const PackedSkeletonDesc& desc);

  /// Number of joints, n.
  std::size_t joint_count() const noexcept;
  /// The level that jobs run at; never SimdLevel::best.
  SimdLevel level() const noexcept;

 private:
  friend struct PackedSkeletonAccess;
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

}  // namespace sinew::skel
