// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/skin_palette.hpp"

#include <cmath>
#include <limits>

namespace sinew::skel {

namespace {

constexpr double kTolerance = 1e-6;

bool is_affine(const Matrix4d& m) {
  return m(3, 0) == 0.0 && m(3, 1) == 0.0 && m(3, 2) == 0.0 && m(3, 3) == 1.0;
}

PointTransform point_transform(const Matrix4d& m) {
  PointTransform result;
  if (m == Matrix4d::Identity()) return result;
  result.kind = is_affine(m) ? PointTransform::Kind::affine : PointTransform::Kind::projective;
  for (int row = 0; row < 4; ++row) {
    for (int column = 0; column < 4; ++column) {
      result.m[4 * row + column] = static_cast<float>(m(row, column));
    }
  }
  return result;
}

/// The transposed inverse of the upper 3x3. A singular matrix has, as in USD, the inverse that
/// scales by the largest float.
Matrix3d inverse_transpose(const Matrix4d& m) {
  Matrix3d cofactors;
  for (int i = 0; i < 3; ++i) {
    const int a = (i + 1) % 3, b = (i + 2) % 3;
    for (int j = 0; j < 3; ++j) {
      const int c = (j + 1) % 3, d = (j + 2) % 3;
      cofactors(i, j) = m(a, c) * m(b, d) - m(a, d) * m(b, c);
    }
  }
  const double determinant =
      m(0, 0) * cofactors(0, 0) + m(0, 1) * cofactors(0, 1) + m(0, 2) * cofactors(0, 2);
  if (determinant == 0.0) {
    return Matrix3d::Identity() * static_cast<double>(std::numeric_limits<float>::max());
  }
  return cofactors / determinant;
}

Affine34f linear_part(const Matrix3d& m) {
  Matrix4d full = Matrix4d::Identity();
  full.topLeftCorner<3, 3>() = m;
  return Affine34f(full);
}

}  // namespace

void SkinPalette::prepare_linear(std::span<const Matrix4d> skinning, const Matrix4d& geom_bind) {
  view_ = {};
  view_.method = SkinningMethod::linear;
  const bool affine = is_affine(geom_bind);
  if (!affine) view_.point_transform = point_transform(geom_bind);
  const Matrix4d folded = affine ? geom_bind : Matrix4d(Matrix4d::Identity());
  const Matrix3d normal_bind = inverse_transpose(geom_bind);
  transforms_.resize(skinning.size());
  normal_transforms_.resize(skinning.size());
  bool rigid = affine;
  for (std::size_t j = 0; j < skinning.size(); ++j) {
    const Matrix4d transform = skinning[j] * folded;
    const Matrix3d normal = inverse_transpose(skinning[j]) * normal_bind;
    transforms_[j] = Affine34f(transform);
    normal_transforms_[j] = linear_part(normal);
    // Not written as > so that a matrix with NaN is not taken for a rotation.
    const bool same = (transform.topLeftCorner<3, 3>() - normal).cwiseAbs().maxCoeff() < kTolerance;
    rigid = rigid && same;
  }
  view_.transforms = transforms_;
  if (!rigid) view_.normal_transforms = normal_transforms_;
}

void SkinPalette::prepare_dual_quaternion(std::span<const Matrix4d> skinning,
                                          const Matrix4d& geom_bind) {
  view_ = {};
  view_.method = SkinningMethod::dual_quaternion;
  view_.point_transform = point_transform(geom_bind);
  motions_.resize(skinning.size());
  view_.motions = motions_;
}

}  // namespace sinew::skel
