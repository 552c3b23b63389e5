// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sinew/core/export.hpp"
#include "sinew/core/types.hpp"
#include "sinew/physics/pose.hpp"

namespace sinew::physics {

/// A transform taken apart: translation, rotation, and scale along three orthogonal directions.
///
/// The linear part L is rotation * V * diag(scale) * V^T with V = scale_orientation. Shear is not
/// a separate factor: a sheared transform has a scale along directions that are not its axes.
struct Decomposition {
  Vector3d translation = Vector3d::Zero();  ///< The last column of the matrix.
  Quatd rotation = Quatd(1.0, 0, 0, 0);     ///< Of unit length.
  /// All three components carry the sign of the determinant; magnitudes are at least 1e-10.
  Vector3d scale = Vector3d::Ones();
  Matrix3d scale_orientation = Matrix3d::Identity();  ///< Columns are the directions of scale.
  bool singular = false;                              ///< |det L| < 1e-10: the rotation is a guess.
};

/// Factors an affine transform. The last row is not looked at.
///
/// L^T L is diagonalised by cyclic Jacobi rotations of at most 45 degrees, without sorting, so that
/// each scale stays with the axis it is closest to. Non-finite input gives non-finite output.
///
/// @par Cost    At most 50 sweeps, usually none to four. No allocation.
/// @par Source  Polar decomposition; UsdPhysics parsing derives every pose and scale this way.
SINEW_API Decomposition decompose(const Matrix4d& matrix) noexcept;

/// The quaternion of a rotation matrix: w > 0 unless the rotation is large, in which case the
/// largest imaginary component is positive. Identity if the imaginary part is shorter than 1e-10.
/// Always of unit length: where the matrix is not a rotation (a flattened prim), w is taken as it
/// comes out, and the imaginary part scaled to fit it.
SINEW_API Quatd quaternion_from_rotation(const Matrix3d& rotation) noexcept;

/// The inverse of a transform. If the determinant is exactly 0: a uniform scale by the largest
/// float, so that what follows becomes visibly absurd instead of undefined. A last row other than
/// (0, 0, 0, 1) counts, as in OpenUSD.
SINEW_API Matrix4d inverse_affine(const Matrix4d& matrix) noexcept;

/// World pose and scale of a body, or of anything else that is not relative to a body.
SINEW_API ScaledPose world_pose(const Matrix4d& world_from_prim) noexcept;

/// Pose of a prim relative to its body, in the body's orientation, the body's scale applied to the
/// position; scale relative to the body's. For the body prim itself use ScaledPose{}.
SINEW_API ScaledPose local_pose(const Matrix4d& world_from_body,
                                const Matrix4d& world_from_prim) noexcept;

/// Pose of a joint frame whose relation names the body prim itself, or nothing (scale 1).
/// @param authored     (physics:localPos0/1 and localRot0/1) in the prim's space. The rotation need
///                     not be normalised; zero means identity.
/// @param world_scale  World scale of the prim.
SINEW_API Pose joint_pose(const Pose& authored, const Vector3f& world_scale) noexcept;

/// Pose of a joint frame given in the space of `prim`, rebased to `body` and with its scale
/// applied. Without a body pass the identity for world_from_body.
SINEW_API Pose joint_pose(const Pose& authored, const Matrix4d& world_from_prim,
                          const Matrix4d& world_from_body) noexcept;

}  // namespace sinew::physics
