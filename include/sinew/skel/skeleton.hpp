// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/core/export.hpp"
#include "sinew/core/result.hpp"
#include "sinew/core/rules.hpp"
#include "sinew/core/types.hpp"
#include "sinew/skel/topology.hpp"

namespace sinew::skel {

/// What a skeleton is made of, every array in joint order.
struct SkeletonDesc {
  std::vector<std::string> joints = {};        ///< Slash-separated paths, parents first. n entries.
  std::vector<Matrix4d> bind_transforms = {};  ///< World from joint when the meshes were bound.
  std::vector<Matrix4d> rest_transforms = {};  ///< Parent from joint, where nothing is animated.
  Rules rules = Rules::documented;             ///< How joint paths are read.
};

/// A joint hierarchy with its bind and rest pose.
///
/// Immutable after construction; safe to share between threads.
class SINEW_API Skeleton {
 public:
  /// No joints; both poses are there, and empty.
  Skeleton() = default;

  /// @return The skeleton, or bad_topology. A pose of another length than the joints is left out.
  /// @par Cost  O(n), with one matrix inversion per joint.
  static Result<Skeleton> make(SkeletonDesc desc);

  /// Paths of the joints, as given.
  const std::vector<std::string>& joints() const noexcept { return joints_; }
  /// Number of joints, n.
  std::size_t joint_count() const noexcept { return joints_.size(); }
  /// Parents of the joints; valid.
  const Topology& topology() const noexcept { return topology_; }

  /// Whether there are n bind transforms.
  bool has_bind_pose() const noexcept { return has_bind_; }
  /// Whether there are n rest transforms.
  bool has_rest_pose() const noexcept { return has_rest_; }

  /// World from joint at bind time; n entries, or none without a bind pose.
  std::span<const Matrix4d> bind_transforms() const noexcept { return bind_; }
  /// Their inverses.
  std::span<const Matrix4d> inverse_bind_transforms() const noexcept { return inverse_bind_; }
  /// Parent from joint at rest; n entries, or none without a rest pose.
  std::span<const Matrix4d> rest_transforms() const noexcept { return rest_; }
  /// Skeleton from joint at rest; likewise.
  std::span<const Matrix4d> rest_skel_transforms() const noexcept { return rest_skel_; }

 private:
  std::vector<std::string> joints_;
  Topology topology_;
  std::vector<Matrix4d> bind_;
  std::vector<Matrix4d> inverse_bind_;
  std::vector<Matrix4d> rest_;
  std::vector<Matrix4d> rest_skel_;
  bool has_bind_ = true;
  bool has_rest_ = true;
};

/// Skeleton from bind space: skinning[j] = skel[j] * inverse(bind[j]).
/// @param skel      Skeleton from joint, one per joint.
/// @param skinning  One per joint; may be the same memory.
/// @return ok, size_mismatch, or no_value without a bind pose.
SINEW_API Status skinning_transforms(const Skeleton& skeleton, std::span<const Matrix4d> skel,
                                     std::span<Matrix4d> skinning);

/// How a pose differs from rest: rest[j] * relative[j] = local[j].
/// @param local     Parent from joint, one per joint.
/// @param relative  One per joint; may be the same memory.
/// @return ok, size_mismatch, or no_value without a rest pose.
SINEW_API Status rest_relative_transforms(const Skeleton& skeleton, std::span<const Matrix4d> local,
                                          std::span<Matrix4d> relative);

}  // namespace sinew::skel
