// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sinew/core/export.hpp"
#include "sinew/core/types.hpp"
#include "sinew/physics/mass.hpp"
#include "sinew/physics/pose.hpp"

namespace sinew::physics {

/// The mass of a body in every form that engines ask for.
struct MassFrame {
  double mass = 0.0;                    ///< As body_mass() gives it, in the model's unit.
  Vector3d center = Vector3d::Zero();   ///< Of mass, in the body's frame.
  Matrix3d inertia = Matrix3d::Zero();  ///< About the centre, along the body's axes.
  /// The same as three moments, largest first, along axes that form a right-handed frame.
  Vector3d moments = Vector3d::Zero();
  Quatd axes = Quatd(1.0, 0, 0, 0);  ///< Of unit length: inertia = R moments R^T.
  /// Whether the mass and all moments are finite and above 0: what can be accelerated.
  bool usable = false;
  /// Whether a solid could have these moments: the largest is not above the sum of the others, but
  /// for 1e-9 of it.
  bool triangle = false;

  /// The frame along the principal axes at the centre of mass, in the body's frame.
  Posed principal() const noexcept { return {center, axes}; }
};

/// @param mass  Of body_mass(). Principal axes of any length are normalised; zero ones are none.
SINEW_API MassFrame mass_frame(const BodyMass& mass) noexcept;

}  // namespace sinew::physics
