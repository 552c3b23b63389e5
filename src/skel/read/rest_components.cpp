// SPDX-License-Identifier: Apache-2.0
#include "skel/read/rest_components.hpp"

#include <cmath>

#include "sinew/core/types.hpp"

namespace sinew::skel {
namespace {

// Relative to the largest scale: what matrices written with six digits have.
constexpr double kRestTolerance = 4e-6;

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

// Whether the linear parts are the same up to that.
bool makes(const Quatf& rotation, const Vector3f& scale, const Matrix3d& linear, double size) {
  const Matrix3d again =
      rotation.cast<double>().toRotationMatrix() * scale.cast<double>().asDiagonal();
  // A matrix that is not finite by now is not within it either.
  return (again - linear).cwiseAbs().maxCoeff() <= kRestTolerance * size;
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
  const Matrix3d linear = transform.topLeftCorner<3, 3>();
  const double size = scale.cwiseAbs().maxCoeff();
  // Joints without scales are posed and skinned faster, and six digits never give exactly 1.
  const bool nearly_one = (scale - Vector3d::Ones()).cwiseAbs().maxCoeff() <= kRestTolerance / 2;
  if (!nearly_one || !makes(result.rotation, result.scale, linear, size)) {
    result.scale = scale.cast<float>();
    if (!makes(result.rotation, result.scale, linear, size)) return std::nullopt;
  }
  const Eigen::RowVector4d last = transform.row(3) - Eigen::RowVector4d::Unit(3);
  const bool affine = last.cwiseAbs().maxCoeff() <= kRestTolerance * size;
  if (!affine || !result.translation.allFinite()) return std::nullopt;
  return result;
}

}  // namespace sinew::skel
