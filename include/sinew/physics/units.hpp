// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sinew/core/export.hpp"
#include "sinew/core/rules.hpp"
#include "sinew/core/types.hpp"
#include "sinew/physics/model.hpp"

namespace sinew::physics {

/// Common values of kilogramsPerUnit.
inline constexpr double kGrams = 0.001;
inline constexpr double kKilograms = 1.0;  ///< The fallback of the schema.
inline constexpr double kSlugs = 14.5939;  ///< One pound-force second squared per foot.

/// Whether two mass units are the same within a relative tolerance. False if either is not
/// positive.
SINEW_API bool mass_units_are(double a, double b, double epsilon = 1e-5) noexcept;

/// The density of water, 1000 kg/m^3, in stage units: what a collider without any density gets.
/// @return Mass / distance^3, evaluated in single precision.
SINEW_API float default_density(const StageUnits& units) noexcept;

/// Gravity with its defaults filled in.
struct Gravity {
  Vector3f direction = Vector3f::Zero();  ///< Unit vector in world space.
  float magnitude = 0.0F;                 ///< Distance / s^2.
};

/// Resolves the gravity of a scene.
///
/// A zero direction means down: against the up axis. Any other is normalised. The magnitude -inf
/// (not authored) means earth gravity, 9.81 m/s^2 in stage units; so does any other negative one
/// under Rules::documented, and those below -kUnlimited under Rules::openusd.
///
/// @param direction  (physics:gravityDirection)
/// @param magnitude  (physics:gravityMagnitude)
SINEW_API Gravity resolve_gravity(const Vector3f& direction, float magnitude,
                                  const StageUnits& units, Rules rules) noexcept;

}  // namespace sinew::physics
