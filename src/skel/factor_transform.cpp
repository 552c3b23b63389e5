// SPDX-License-Identifier: Apache-2.0
#include "skel/factor_transform.hpp"

#include <algorithm>
#include <cmath>

namespace sinew::skel {

namespace {

struct Eigen3 {
  Vector3d values;
  Matrix3d vectors;  // One per column, at the axis it started from.
};

double off_diagonal_sum(const Matrix3d& m) {
  return std::abs(m(0, 1)) + std::abs(m(0, 2)) + std::abs(m(1, 2));
}

/// Rotates axes p and q of the symmetric `m` so that m(p, q) becomes zero.
void jacobi_rotation(int p, int q, Matrix3d& m, Matrix3d& vectors) {
  const double theta = (m(q, q) - m(p, p)) / (2.0 * m(p, q));
  const double t = (theta < 0.0 ? -1.0 : 1.0) / (std::abs(theta) + std::sqrt(1.0 + theta * theta));
  const double c = 1.0 / std::sqrt(1.0 + t * t);
  const double s = t * c;
  Matrix3d rotation = Matrix3d::Identity();
  rotation(p, p) = rotation(q, q) = c;
  rotation(p, q) = s;
  rotation(q, p) = -s;
  m = (rotation.transpose() * m * rotation).eval();
  m(p, q) = m(q, p) = 0.0;
  vectors = (vectors * rotation).eval();
}

/// Cyclic Jacobi sweeps. A general solver would sort the eigenvalues, which loses their axes.
Eigen3 eigen_decomposition(Matrix3d m) {
  Matrix3d vectors = Matrix3d::Identity();
  for (int sweep = 0; sweep < 50; ++sweep) {
    const double sum = off_diagonal_sum(m);
    if (sum == 0.0) break;
    const double threshold = sweep < 3 ? 0.2 * sum / 9.0 : 0.0;
    for (int p = 0; p < 2; ++p) {
      for (int q = p + 1; q < 3; ++q) {
        // Elements below the last bit of both diagonals no longer change anything.
        const double size = std::abs(m(p, q));
        const bool negligible = sweep > 3 && std::abs(m(p, p)) + size == std::abs(m(p, p)) &&
                                std::abs(m(q, q)) + size == std::abs(m(q, q));
        if (negligible) {
          m(p, q) = m(q, p) = 0.0;
        } else if (size > threshold) {
          jacobi_rotation(p, q, m, vectors);
        }
      }
    }
  }
  return {m.diagonal(), vectors};
}

}  // namespace

std::optional<PolarFactors> factor_linear(const Matrix3d& linear, double epsilon) {
  const double determinant = linear.col(0).dot(linear.col(1).cross(linear.col(2)));
  if (std::abs(determinant) < epsilon) return std::nullopt;
  const double sign = determinant < 0.0 ? -1.0 : 1.0;
  const Eigen3 eigen = eigen_decomposition(Matrix3d(linear.transpose() * linear));
  PolarFactors factors;
  for (int i = 0; i < 3; ++i) {
    const double value = eigen.values[i];
    factors.scale[i] = sign * (value < epsilon ? epsilon : std::sqrt(value));
  }
  const Matrix3d inverse_scale =
      eigen.vectors * factors.scale.cwiseInverse().asDiagonal() * eigen.vectors.transpose();
  factors.rotation = linear * inverse_scale;
  return factors;
}

bool orthonormalise(Matrix3d& matrix) {
  const auto normalise = [](const Vector3d& v) { return Vector3d(v / std::max(v.norm(), 1e-10)); };
  Matrix3d axes;
  for (int i = 0; i < 3; ++i) axes.col(i) = normalise(matrix.col(i));
  matrix = axes;
  for (int i = 0; i < 3; ++i) {
    const int next = (i + 1) % 3;
    if ((axes.col(i) - axes.col(next)).squaredNorm() <= 1e-12) return false;
  }
  // The order counts: of axes far from orthogonal, another one leads to another rotation.
  constexpr int kOthers[3][2] = {{1, 2}, {0, 2}, {0, 1}};
  for (int iteration = 0; iteration < 20; ++iteration) {
    Matrix3d better;
    for (int i = 0; i < 3; ++i) {
      Vector3d v = axes.col(i);
      for (const int other : kOthers[i]) v -= axes.col(other) * axes.col(other).dot(v);
      better.col(i) = normalise(0.5 * (axes.col(i) + v));
    }
    if ((better - axes).squaredNorm() < 1e-12) return true;
    matrix = axes = better;
  }
  return false;
}

Quatd quaternion_of(const Matrix3d& rotation) {
  // Ties go to the higher index.
  int i = 2;
  if (rotation(0, 0) > rotation(1, 1)) {
    i = rotation(0, 0) > rotation(2, 2) ? 0 : 2;
  } else {
    i = rotation(1, 1) > rotation(2, 2) ? 1 : 2;
  }
  const double trace = rotation.trace();
  double v[3], w;
  if (trace > rotation(i, i)) {
    w = 0.5 * std::sqrt(trace + 1.0);
    v[0] = (rotation(2, 1) - rotation(1, 2)) / (4.0 * w);
    v[1] = (rotation(0, 2) - rotation(2, 0)) / (4.0 * w);
    v[2] = (rotation(1, 0) - rotation(0, 1)) / (4.0 * w);
  } else {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const double q = 0.5 * std::sqrt(rotation(i, i) - rotation(j, j) - rotation(k, k) + 1.0);
    v[i] = q;
    v[j] = (rotation(i, j) + rotation(j, i)) / (4.0 * q);
    v[k] = (rotation(k, i) + rotation(i, k)) / (4.0 * q);
    w = (rotation(k, j) - rotation(j, k)) / (4.0 * q);
  }
  return Quatd(std::clamp(w, -1.0, 1.0), v[0], v[1], v[2]);
}

}  // namespace sinew::skel
