// SPDX-License-Identifier: Apache-2.0
#include "core/shortest_turn.hpp"

namespace sinew {

namespace {

// Below this sine two directions are taken for opposite: which way to turn is rounding by then.
constexpr double kOppositeSine = 1e-12;

// Of unit length and square to the unit vector `direction`.
Vector3d square_to(const Vector3d& direction) noexcept {
  int farthest = 0;
  direction.cwiseAbs().minCoeff(&farthest);
  const Vector3d axis = Vector3d::Unit(farthest);
  return (axis - direction * direction.dot(axis)).normalized();
}

}  // namespace

Quatd shortest_turn(const Vector3d& from, const Vector3d& to) noexcept {
  const Vector3d a = from.stableNormalized();
  const Vector3d b = to.stableNormalized();
  const Vector3d across = a.cross(b);
  const double cosine = a.dot(b);
  if (cosine >= 0.0) {
    return Quatd(1.0 + cosine, across.x(), across.y(), across.z()).normalized();
  }
  // One and the cosine cancel each other here; the sums of the directions do not.
  const double sine = across.norm();
  const Vector3d axis = sine > kOppositeSine ? Vector3d(across / sine) : square_to(a);
  const Vector3d part = axis * (a - b).norm();
  return Quatd((a + b).norm(), part.x(), part.y(), part.z()).normalized();
}

}  // namespace sinew
