// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "sinew/core/types.hpp"

namespace sinew::skel {

// Small matrix factorisations whose results, not only up to sign and order but in every choice
// they make, are those of UsdSkel. All matrices here act on column vectors.

/// linear = rotation * symmetric, with a proper rotation.
struct PolarFactors {
  Matrix3d rotation;  ///< A reflection is expressed by negating every scale, never here.
  Vector3d scale;     ///< Eigenvalues of the symmetric factor, each at the axis it started from.
};

/// Factors a 3x3 matrix. The rotation is not yet orthonormalised.
/// @return Nothing if the matrix is singular: |determinant| < epsilon.
/// @par Source  skel.md 9.4, steps 1 to 4.
std::optional<PolarFactors> factor_linear(const Matrix3d& linear, double epsilon = 1e-10);

/// Makes the columns orthonormal, each being projected on the other two in the order of their
/// indices; does not fix handedness.
/// @return False if two columns coincide or the iteration does not settle: the columns are then of
///         unit length, and as orthogonal as the last step made them.
/// @par Source  skel.md 9.5.
bool orthonormalise(Matrix3d& matrix);

/// The quaternion of a rotation matrix, by its largest diagonal element.
/// @par Source  skel.md 9.6.
Quatd quaternion_of(const Matrix3d& rotation);

}  // namespace sinew::skel
