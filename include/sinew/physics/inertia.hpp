// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "sinew/core/export.hpp"
#include "sinew/core/types.hpp"
#include "sinew/physics/pose.hpp"

namespace sinew::physics {

/// Moves an inertia tensor away from the centre of mass: I + m (|t|^2 1 - t t^T).
SINEW_API Matrix3d translate_inertia(const Matrix3d& inertia, double mass,
                                     const Vector3d& translation) noexcept;

/// An inertia tensor seen from rotated axes: R(q) I R(q)^T. q is used as it is.
SINEW_API Matrix3d rotate_inertia(const Matrix3d& inertia, const Quatd& rotation) noexcept;

/// The principal moments of a tensor and the rotation to their axes.
struct PrincipalInertia {
  Vector3d diagonal = Vector3d::Zero();  ///< Not sorted.
  Quatd axes = Quatd(1.0, 0, 0, 0);      ///< I = R(axes) diag(diagonal) R(axes)^T.
};

/// Diagonalises a symmetric tensor by at most 24 Jacobi rotations, always of the largest
/// off-diagonal entry. The moments are not sorted and the sign of the quaternion is not canonical:
/// compare R diag R^T, not the parts. Equal moments give arbitrary axes.
SINEW_API PrincipalInertia diagonalize(const Matrix3d& inertia) noexcept;

/// Mass, inertia and centre of a rigid thing. The inertia is about the centre of mass, along the
/// axes of the frame in which the centre is given.
struct MassProperties {
  double mass = 1.0;                        ///< Of all of it.
  Matrix3d inertia = Matrix3d::Identity();  ///< About the centre.
  Vector3d center = Vector3d::Zero();       ///< Of mass, in the frame of the thing.

  /// Moves the thing: the centre by `translation`, the inertia by the parallel axis theorem.
  SINEW_API void translate(const Vector3d& translation) noexcept;

  /// The same thing of `factor` times the density.
  friend MassProperties operator*(MassProperties properties, double factor) noexcept {
    properties.mass *= factor;
    properties.inertia *= factor;
    return properties;
  }
};

/// The properties of several parts as one rigid whole: its mass, common centre, and the inertia
/// about that centre. The centre is 0 if the masses add up to 0.
///
/// @param parts       Each in its own frame.
/// @param frames  The parts' frames in the frame of the whole; as many as parts, or empty if
///                    all parts are in that frame already.
SINEW_API MassProperties sum_mass(std::span<const MassProperties> parts,
                                  std::span<const Posed> frames = {}) noexcept;

}  // namespace sinew::physics
