// SPDX-License-Identifier: Apache-2.0
#include "sinew/physics/units.hpp"

#include <cmath>

namespace sinew::physics {

bool mass_units_are(double a, double b, double epsilon) noexcept {
  if (!(a > 0.0) || !(b > 0.0)) return false;
  const double difference = std::abs(a - b);
  return difference / a < epsilon && difference / b < epsilon;
}

float default_density(const StageUnits& units) noexcept {
  const auto meters = static_cast<float>(units.meters_per_unit);
  const auto kilograms = static_cast<float>(units.kilograms_per_unit);
  return 1000.0F * meters * meters * meters / kilograms;
}

Gravity resolve_gravity(const Vector3f& direction, float magnitude, const StageUnits& units,
                        Rules rules) noexcept {
  Gravity gravity{direction, magnitude};
  if ((direction.array() == 0.0F).all()) {
    gravity.direction = Vector3f::Zero();
    gravity.direction[static_cast<int>(units.up_axis)] = -1.0F;
  } else {
    const float length = direction.norm();
    gravity.direction = direction / (length > 1e-10F ? length : 1e-10F);  // Also if it is NaN.
  }
  const float threshold = rules == Rules::documented ? 0.0F : -kUnlimited;
  if (magnitude < threshold) gravity.magnitude = 9.81F / static_cast<float>(units.meters_per_unit);
  return gravity;
}

}  // namespace sinew::physics
