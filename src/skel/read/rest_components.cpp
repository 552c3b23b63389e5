// SPDX-License-Identifier: Apache-2.0
#include "skel/read/rest_components.hpp"

#include <cmath>

#include "sinew/core/types.hpp"

namespace sinew::skel {
namespace {

// Relative to the largest scale: what matrices written with six digits have.
constexpr double kTolerance = 4e-6;

// Any direction across another.
Vector3d across(const Vector3d& axis) {
  int smallest = 0;
  axis.cwiseAbs().minCoeff(&smallest);
  const Vector3d result = axis.cross(Vector3d::Unit(smallest));
  return result / result.norm();
}

// Gives axes that a scale of 0 left without a direction one, so that all are orthonormal.
void complete(Matrix3d& axes, const Vector3d& scale) {
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    if (scale[i] != 0.0 || scale[j] == 0.0 || scale[k] == 0.0) continue;
    axes.col(i) = axes.col(j).cross(axes.col(k));
    return;
  }
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    if (scale[i] == 0.0 || scale[j] != 0.0) continue;
    axes.col(j) = across(axes.col(i));
    axes.col(k) = axes.col(i).cross(axes.col(j));
    return;
  }
  if (scale.isZero(0.0)) axes.setIdentity();
}

}  // namespace

std::optional<JointComponents> components_of(const Matrix4d& transform) {
  if (!transform.allFinite()) return std::nullopt;
  Matrix3d axes = transform.topLeftCorner<3, 3>();
  Vector3d scale;
  for (int i = 0; i < 3; ++i) {
    scale[i] = axes.col(i).norm();
    if (scale[i] > 0.0) axes.col(i) /= scale[i];
  }
  complete(axes, scale);
  if (axes.determinant() < 0.0) {
    axes.col(0) = -axes.col(0);
    scale[0] = -scale[0];
  }
  JointComponents result;
  result.translation = transform.topRightCorner<3, 1>().cast<float>();
  result.rotation = Quatd(axes).normalized().cast<float>();
  result.scale = scale.cast<float>();
  Matrix4d again = Matrix4d::Identity();
  again.topLeftCorner<3, 3>() =
      result.rotation.cast<double>().toRotationMatrix() * result.scale.cast<double>().asDiagonal();
  again.topRightCorner<3, 1>() = transform.topRightCorner<3, 1>();
  const double tolerance = kTolerance * scale.cwiseAbs().maxCoeff();
  // A matrix that is not finite by now is not within it either.
  const bool same = (again - transform).cwiseAbs().maxCoeff() <= tolerance;
  if (!same || !result.translation.allFinite()) return std::nullopt;
  return result;
}

}  // namespace sinew::skel
