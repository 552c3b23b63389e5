// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "sinew/core/export.hpp"
#include "sinew/core/result.hpp"
#include "sinew/core/types.hpp"
#include "sinew/skel/topology.hpp"

namespace sinew::skel {

/// Parent from joint: scales, then rotates, then translates.
///
/// The quaternion is used as it is, not normalised, and the linear part is computed in float, as
/// files store it; only the result is double.
/// @par Source  UsdSkel, composition of SkelAnimation components.
SINEW_API Matrix4d make_transform(const Vector3f& translation, const Quatf& rotation,
                                  const Vector3h& scale);

/// The same with a rotation given as a matrix.
SINEW_API Matrix4d make_transform(const Vector3f& translation, const Matrix3f& rotation,
                                  const Vector3h& scale);

/// make_transform() for every joint.
/// @return ok, or size_mismatch naming the array that is not as long as `transforms`.
SINEW_API Status make_transforms(std::span<const Vector3f> translations,
                                 std::span<const Quatf> rotations, std::span<const Vector3h> scales,
                                 std::span<Matrix4d> transforms);

/// What make_transform() makes a transform of.
struct TransformParts {
  Vector3f translation = Vector3f::Zero();  ///< Applied last.
  /// Applied second; of unit length from decompose_transform().
  Quatf rotation = Quatf(1.0F, 0.0F, 0.0F, 0.0F);
  /// Applied first, along the axes of the joint.
  Vector3h scale = Vector3h(Half(1.0F), Half(1.0F), Half(1.0F));
};

/// Takes a transform apart so that make_transform() puts it together again.
///
/// A reflection is expressed by negating all three scales. Scales that are not along the axes of
/// the joint cannot be expressed: what is put together then differs from `transform`.
/// @return The parts, or not_invertible if the determinant of the linear part is below 1e-10.
/// @par Source  UsdSkelDecomposeTransform.
SINEW_API Result<TransformParts> decompose_transform(const Matrix4d& transform);

/// decompose_transform() for every joint.
/// @return ok, size_mismatch, or not_invertible naming the first joint that fails.
SINEW_API Status decompose_transforms(std::span<const Matrix4d> transforms,
                                      std::span<Vector3f> translations, std::span<Quatf> rotations,
                                      std::span<Vector3h> scales);

/// The inverse; for a singular matrix (determinant exactly 0) a scaling by the largest float.
/// @par Source  UsdSkel, which inverts bind and rest transforms so.
SINEW_API Matrix4d inverse_transform(const Matrix4d& matrix);

/// Skeleton from joint, out of parent from joint: skel[j] = skel[parent(j)] * local[j].
///
/// @param local  n entries. @param skel  n entries; may be the same memory.
/// @param root   What root joints are relative to, e.g. world from skeleton; null: identity.
/// @return ok, size_mismatch, or bad_topology if a parent comes after its child.
/// @par Cost    n matrix products; no allocation.
SINEW_API Status concat_joint_transforms(const Topology& topology, std::span<const Matrix4d> local,
                                         std::span<Matrix4d> skel, const Matrix4d* root = nullptr);

/// The reverse: local[j] = inverse(skel[parent(j)]) * skel[j].
///
/// @param root  What `skel` is relative to for root joints; null: identity.
/// @return As concat_joint_transforms(). `local` must not overlap `skel`.
SINEW_API Status joint_local_from_skel(const Topology& topology, std::span<const Matrix4d> skel,
                                       std::span<Matrix4d> local, const Matrix4d* root = nullptr);

/// The box around the joints' origins, made larger by `padding` on every side; empty for no joints.
/// @param root  Moves the origins before they are measured; null: identity.
SINEW_API Range3f joints_extent(std::span<const Matrix4d> skel, float padding = 0.0F,
                                const Matrix4d* root = nullptr);

}  // namespace sinew::skel
