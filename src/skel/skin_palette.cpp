// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/skin_palette.hpp"

#include <cmath>
#include <optional>

#include "core/transform_kind.hpp"
#include "skel/factor_transform.hpp"
#include "skel/inverse_transpose.hpp"
#include "skel/job.hpp"

namespace sinew::skel {

namespace {

constexpr double kTolerance = 1e-6;

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

/// That of the upper 3x3.
Matrix3d inverse_transpose(const Matrix4d& m) {
  return skel::inverse_transpose(Matrix3d(m.topLeftCorner<3, 3>()));
}

Matrix3d inverse_of(const Matrix3d& m) {
  return skel::inverse_transpose(m).transpose();
}

Affine34f linear_part(const Matrix3d& m) {
  Matrix4d full = Matrix4d::Identity();
  full.topLeftCorner<3, 3>() = m;
  return Affine34f(full);
}

/// What a singular transform becomes: it takes no part in the sum.
constexpr DualQuaternionf kNoMotion = {{0, 0, 0, 0}, {0, 0, 0, 0}};

DualQuaternionf motion(const Matrix3d& rotation, const Vector3d& translation) {
  const Quatd real = quaternion_of(rotation);
  const Quatd half(0.0, 0.5 * translation.x(), 0.5 * translation.y(), 0.5 * translation.z());
  const Quatd dual = half * real;
  DualQuaternionf result;
  for (int i = 0; i < 4; ++i) {
    result.real[i] = static_cast<float>(real.coeffs()[i]);
    result.dual[i] = static_cast<float>(dual.coeffs()[i]);
  }
  return result;
}

/// Stores what comes before the rotation.
/// @return Whether it is anything but identity.
bool store_scale(const Matrix3d& scale, Linear33f& result) {
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) {
      result.m[3 * row + column] = static_cast<float>(scale(row, column));
    }
  }
  return !((scale - Matrix3d::Identity()).cwiseAbs().maxCoeff() < kTolerance);
}

}  // namespace

Status copy_columns(std::span<const float> columns, std::span<Affine34f> transforms) {
  if (Status s = check_size("columns", columns.size(), 16 * transforms.size()); !s) return s;
  const float* matrix = columns.data();
  for (Affine34f& transform : transforms) {
    for (std::size_t row = 0; row < 3; ++row) {
      for (std::size_t column = 0; column < 4; ++column) {
        transform.m[4 * row + column] = matrix[4 * column + row];
      }
    }
    matrix += 16;
  }
  return {};
}

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
  Matrix4d normal_bind = Matrix4d::Identity();
  normal_bind.topLeftCorner<3, 3>() = inverse_transpose(geom_bind);
  // A rigid geom_bind turns normals as it turns points: the same numbers let kernels share work.
  const bool rigid_bind =
      is_affine(geom_bind) &&
      (geom_bind - normal_bind).topLeftCorner<3, 3>().cwiseAbs().maxCoeff() < kTolerance;
  view_.normal_transform = rigid_bind ? view_.point_transform : point_transform(normal_bind);

  motions_.resize(skinning.size());
  scales_.resize(skinning.size());
  bool scaled = false;
  bool singular = false;
  for (std::size_t j = 0; j < skinning.size(); ++j) {
    const Matrix3d linear = skinning[j].topLeftCorner<3, 3>();
    const std::optional<PolarFactors> factors = factor_linear(linear);
    singular = singular || !factors;
    if (!factors) {
      motions_[j] = kNoMotion;
      scales_[j] = Linear33f();
      continue;
    }
    Matrix3d rotation = factors->rotation;
    orthonormalise(rotation);  // What it leaves counts, settled or not.
    const Vector3d translation = skinning[j].topRightCorner<3, 1>();
    motions_[j] = motion(rotation, translation);
    // The upper 3x3 of a product of whole matrices: of a projective transform, the translation that
    // is taken back is weighted by the last row.
    const Matrix3d moved = linear - translation * skinning[j].bottomLeftCorner<1, 3>();
    scaled = store_scale(inverse_of(rotation) * moved, scales_[j]) || scaled;
  }
  view_.motions = motions_;
  if (scaled) view_.scales = scales_;
  // Pure rotations move normals as they move points.
  if (!scaled && !singular) return;

  normal_motions_.resize(skinning.size());
  normal_scales_.resize(skinning.size());
  bool normals_scaled = false;
  for (std::size_t j = 0; j < skinning.size(); ++j) {
    const Matrix3d linear = inverse_transpose(skinning[j]);
    Matrix3d rotation = linear;
    orthonormalise(rotation);
    normal_motions_[j] = motion(rotation, Vector3d::Zero());
    normals_scaled =
        store_scale(inverse_of(rotation) * linear, normal_scales_[j]) || normals_scaled;
  }
  view_.normal_motions = normal_motions_;
  if (normals_scaled) view_.normal_scales = normal_scales_;
}

}  // namespace sinew::skel
