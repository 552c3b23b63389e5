// SPDX-License-Identifier: Apache-2.0
// Transforms and scales that tests of skeletons write out.
#pragma once

#include <cmath>

#include "sinew/core/types.hpp"

namespace sinew::skel {

inline Matrix4d moved(double x, double y, double z) {
  Matrix4d result = Matrix4d::Identity();
  result.topRightCorner<3, 1>() = Vector3d(x, y, z);
  return result;
}

/// About z, then moved.
inline Matrix4d turned(double degrees, double scale, const Vector3d& move) {
  const double angle = degrees * std::acos(-1.0) / 180.0;
  Matrix4d result = moved(move.x(), move.y(), move.z());
  result.topLeftCorner<3, 3>() =
      scale * Eigen::AngleAxisd(angle, Vector3d::UnitZ()).toRotationMatrix();
  return result;
}

inline Vector3h halfs(float x, float y, float z) {
  return {Half(x), Half(y), Half(z)};
}

}  // namespace sinew::skel
