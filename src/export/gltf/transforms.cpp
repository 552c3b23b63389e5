// SPDX-License-Identifier: Apache-2.0
#include "export/gltf/transforms.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/angles.hpp"

namespace sinew::exporter {

namespace {

// Rotations from the right, by Jacobi, until the columns of `linear` are at right angles to each
// other, and what they add up to.
struct Turned {
  explicit Turned(const Matrix3d& matrix);

  Matrix3d linear;
  Matrix3d turn = Matrix3d::Identity();
};

Turned::Turned(const Matrix3d& matrix) : linear(matrix) {
  bool turned = true;
  for (int sweep = 0; turned && sweep < 32; ++sweep) {
    turned = false;
    for (int a = 0; a < 3; ++a) {
      const int b = (a + 1) % 3;
      double dot = 0.0, aa = 0.0, bb = 0.0;
      for (int r = 0; r < 3; ++r) {
        dot += linear(r, a) * linear(r, b);
        aa += linear(r, a) * linear(r, a);
        bb += linear(r, b) * linear(r, b);
      }
      if (!(dot * dot > 1e-30 * aa * bb)) continue;
      turned = true;
      const double slope = (bb - aa) / (2.0 * dot);
      const double root = std::sqrt(1.0 + slope * slope);
      const double tangent = 1.0 / (slope < 0.0 ? slope - root : slope + root);
      const double cosine = 1.0 / std::sqrt(1.0 + tangent * tangent);
      for (Matrix3d* const m : {&linear, &turn}) {
        for (int r = 0; r < 3; ++r) {
          const double x = (*m)(r, a) * cosine, y = (*m)(r, b) * cosine;
          (*m)(r, a) = x - tangent * y;
          (*m)(r, b) = tangent * x + y;
        }
      }
    }
  }
}

// The rotation nearest to a matrix whose determinant is positive.
Matrix3d nearest_rotation(const Matrix3d& m) {
  Turned turned(m);
  for (int c = 0; c < 3; ++c) {
    const double length = turned.linear.col(c).norm();
    if (!(length > 1e-12)) return Matrix3d::Identity();
    turned.linear.col(c) /= length;
  }
  return turned.linear * turned.turn.transpose();
}

// Columns that have no direction get one at right angles to the others.
void complete(Matrix3d& axes, const Vector3d& lengths) {
  for (int c = 0; c < 3; ++c) {
    if (lengths[c] > 0.0) continue;
    const int a = (c + 1) % 3, b = (c + 2) % 3;
    if (lengths[a] > 0.0 && lengths[b] > 0.0) {
      axes.col(c) = axes.col(a).cross(axes.col(b)).normalized();
    } else if (lengths[a] > 0.0 || lengths[b] > 0.0) {
      const Vector3d known = axes.col(lengths[a] > 0.0 ? a : b);
      int least = 0;
      for (int i = 1; i < 3; ++i) {
        if (std::abs(known[i]) < std::abs(known[least])) least = i;
      }
      const Vector3d first = known.cross(Vector3d::Unit(least)).normalized();
      if (lengths[a] > 0.0) {
        axes.col(b) = first;
        axes.col(c) = known.cross(first);
      } else {
        axes.col(a) = first;
        axes.col(c) = first.cross(known);
      }
      return;
    } else {
      axes = Matrix3d::Identity();
      return;
    }
  }
}

}  // namespace

Factors factor(const Matrix4d& matrix) {
  Factors factors;
  GlbTransform& result = factors.transform;
  result.translation = matrix.block<3, 1>(0, 3);
  Matrix3d linear = matrix.block<3, 3>(0, 0);
  const double largest = linear.cwiseAbs().maxCoeff();
  if (!linear.allFinite() || !result.translation.allFinite()) {
    result = GlbTransform();
    return factors;
  }
  const bool mirrors = linear.determinant() < 0.0;
  if (mirrors) linear.col(0) = -linear.col(0);
  Vector3d lengths;
  Matrix3d axes = linear;
  for (int c = 0; c < 3; ++c) {
    lengths[c] = linear.col(c).norm();
    if (!(lengths[c] > largest * 1e-12)) lengths[c] = 0.0;
    if (lengths[c] > 0.0) axes.col(c) /= lengths[c];
  }
  complete(axes, lengths);
  double shear = 0.0;
  for (int c = 0; c < 3; ++c) {
    const double cosine = axes.col(c).dot(axes.col((c + 1) % 3));
    shear = std::max(shear, std::asin(std::clamp(std::abs(cosine), 0.0, 1.0)) * kDegreesPerRadian);
  }
  Matrix3d rotation = axes;
  Vector3d scale = lengths;
  if (shear > 1e-10) {
    rotation = nearest_rotation(axes);
    if (rotation.determinant() < 0.0 || !rotation.allFinite()) rotation = Matrix3d::Identity();
    for (int c = 0; c < 3; ++c) scale[c] = rotation.col(c).dot(linear.col(c));
  }
  const Matrix3d again = rotation * scale.asDiagonal();
  factors.exact = (again - linear).cwiseAbs().maxCoeff() <= 1e-6 * largest;
  factors.shear = factors.exact ? 0.0 : shear;
  if (mirrors) scale[0] = -scale[0];
  // A turn by 180 degrees and three mirrored axes are the same as one.
  result.rotation = Quatd(rotation).normalized();
  for (double& part : result.rotation.coeffs()) {
    if (std::abs(part) < 1e-14) part = 0.0;  // Rounding.
  }
  result.scale = scale;
  for (int c = 0; c < 3; ++c) {
    // Scales that are 1 but for rounding are 1.
    if (std::abs(std::abs(result.scale[c]) - 1.0) < 1e-9) {
      result.scale[c] = result.scale[c] < 0.0 ? -1.0 : 1.0;
    }
  }
  return factors;
}

ShearParts split_shear(const Matrix4d& matrix) {
  const Turned turned(matrix.block<3, 3>(0, 0));
  ShearParts parts{matrix, Matrix4d::Identity()};
  for (int c = 0; c < 3; ++c) {
    for (int r = 0; r < 3; ++r) {
      parts.outer(r, c) = turned.linear(r, c);
      parts.inner(c, r) = turned.turn(r, c);
    }
  }
  return parts;
}

Matrix4d matrix_of(const GlbTransform& transform) {
  Matrix4d matrix = Matrix4d::Identity();
  matrix.block<3, 3>(0, 0) =
      transform.rotation.normalized().toRotationMatrix() * transform.scale.asDiagonal();
  matrix.block<3, 1>(0, 3) = transform.translation;
  return matrix;
}

bool fits_floats(const Matrix4d& matrix) {
  return matrix.allFinite() && matrix.cwiseAbs().maxCoeff() <= 1e38;
}

Matrix4d scaled_translation(Matrix4d matrix, double factor) {
  matrix.block<3, 1>(0, 3) *= factor;
  return matrix;
}

Vector3f scaled_point(const Vector3f& point, double factor) {
  constexpr double kMost = std::numeric_limits<float>::max();
  Vector3f result;
  for (int i = 0; i < 3; ++i) {
    const double value = static_cast<double>(point[i]) * factor;
    result[i] = std::isfinite(value) ? static_cast<float>(std::clamp(value, -kMost, kMost)) : 0.0F;
  }
  return result;
}

GlbTransform interpolate(const GlbTransform& a, const GlbTransform& b, double alpha) {
  GlbTransform result;
  result.translation = a.translation + (b.translation - a.translation) * alpha;
  result.scale = a.scale + (b.scale - a.scale) * alpha;
  result.rotation = a.rotation.slerp(alpha, b.rotation);
  return result;
}

double angle_between(const Quatd& a, const Quatd& b) {
  // The sine, not the cosine, tells small angles.
  const Quatd difference = a.conjugate() * b;
  return 2.0 * std::atan2(difference.vec().norm(), std::abs(difference.w())) * kDegreesPerRadian;
}

}  // namespace sinew::exporter
