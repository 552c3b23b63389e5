// SPDX-License-Identifier: Apache-2.0
#include "sinew/physics/decompose.hpp"

#include <algorithm>
#include <cmath>

#include "core/full_inverse.hpp"
#include "physics/shared/scale.hpp"

namespace sinew::physics {
namespace {

constexpr double kSingularDeterminant = 1e-10;
constexpr int kMaxSweeps = 50;

// Every product in the order of GfMatrix4d: of what is flat but for rounding, its sign decides the
// signs of the scales.
double determinant(const Matrix3d& m) noexcept {
  return m(0, 0) * m(1, 1) * m(2, 2) + m(1, 0) * m(2, 1) * m(0, 2) + m(2, 0) * m(0, 1) * m(1, 2) -
         m(0, 0) * m(2, 1) * m(1, 2) - m(1, 0) * m(0, 1) * m(2, 2) - m(2, 0) * m(1, 1) * m(0, 2);
}

// One Jacobi rotation that makes b(p, q) zero, applied to the symmetric b and, from the right, to
// the accumulated eigenvectors. The tangent is the smaller root, so the angle is at most 45 degrees
// and slot i stays close to axis i.
void rotate_pivot(Matrix3d& b, Matrix3d& vectors, int p, int q) noexcept {
  const double theta = (b(q, q) - b(p, p)) / (2.0 * b(p, q));
  const double t = (theta < 0.0 ? -1.0 : 1.0) / (std::abs(theta) + std::sqrt(theta * theta + 1.0));
  const double c = 1.0 / std::sqrt(t * t + 1.0);
  const double s = t * c;
  const double shift = t * b(p, q);
  b(p, p) -= shift;
  b(q, q) += shift;
  b(p, q) = b(q, p) = 0.0;
  const int r = 3 - p - q;
  const double bpr = b(p, r);
  const double bqr = b(q, r);
  b(p, r) = b(r, p) = c * bpr - s * bqr;
  b(q, r) = b(r, q) = s * bpr + c * bqr;
  for (int i = 0; i < 3; ++i) {
    const double vp = vectors(i, p);
    const double vq = vectors(i, q);
    vectors(i, p) = c * vp - s * vq;
    vectors(i, q) = s * vp + c * vq;
  }
}

// Whether b is diagonal but for rounding, as it is for every transform without shear. Jacobi would
// then only chase the noise: where two scales are equal it would even turn their axes by an angle
// that means nothing.
bool is_diagonal(const Matrix3d& b) noexcept {
  const auto negligible = [&](int p, int q) {
    return b(p, q) * b(p, q) <= 1e-28 * b(p, p) * b(q, q);
  };
  return negligible(0, 1) && negligible(0, 2) && negligible(1, 2);
}

// Diagonalises the symmetric b in place; the columns of `vectors` are the eigenvectors. False if
// they are the axes.
bool diagonalize_jacobi(Matrix3d& b, Matrix3d& vectors) noexcept {
  vectors.setIdentity();
  if (is_diagonal(b)) return false;
  for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
    const double off = std::abs(b(0, 1)) + std::abs(b(0, 2)) + std::abs(b(1, 2));
    if (off == 0.0) break;
    const double threshold = sweep < 3 ? 0.2 * off / 9.0 : 0.0;
    if (std::abs(b(0, 1)) > threshold) rotate_pivot(b, vectors, 0, 1);
    if (std::abs(b(0, 2)) > threshold) rotate_pivot(b, vectors, 0, 2);
    if (std::abs(b(1, 2)) > threshold) rotate_pivot(b, vectors, 1, 2);
  }
  return true;
}

struct TransformFactors {
  Matrix3d rotation;
  Vector3d scale;
  Matrix3d orientation;
  bool singular;
};

TransformFactors factor(const Matrix3d& linear) noexcept {
  TransformFactors f;
  Matrix3d b = linear.transpose() * linear;
  const bool sheared = diagonalize_jacobi(b, f.orientation);
  const double det = determinant(linear);
  const double sign = det < 0.0 ? -1.0 : 1.0;
  for (int i = 0; i < 3; ++i) {
    f.scale[i] = sign * (b(i, i) < kSmallestScale ? kSmallestScale : std::sqrt(b(i, i)));
  }
  const Vector3d inverse = f.scale.cwiseInverse();
  if (sheared) {
    f.rotation = linear * (f.orientation * inverse.asDiagonal() * f.orientation.transpose());
  } else {
    f.rotation = linear * inverse.asDiagonal();
  }
  if ((f.scale.array() == 1.0).all()) f.orientation.setIdentity();
  f.singular = std::abs(det) < kSingularDeterminant;
  return f;
}

// Makes the columns of a nearly orthogonal matrix orthogonal and of unit length, treating them
// alike: each step averages every column with what the other two say it should be.
void orthonormalize(Matrix3d& m) noexcept {
  for (int step = 0; step < 20; ++step) {
    Vector3d x = m.col(0);
    Vector3d y = m.col(1);
    Vector3d z = m.col(2);
    const double error = std::abs(x.dot(y)) + std::abs(y.dot(z)) + std::abs(z.dot(x));
    if (!(error > 1e-15)) break;
    const Vector3d cx = y.cross(z);
    const Vector3d cy = z.cross(x);
    const Vector3d cz = x.cross(y);
    const double sign = x.dot(cx) < 0.0 ? -1.0 : 1.0;
    m.col(0) = (x + sign * cx) / 2.0;
    m.col(1) = (y + sign * cy) / 2.0;
    m.col(2) = (z + sign * cz) / 2.0;
    for (int i = 0; i < 3; ++i) m.col(i).normalize();
  }
  for (int i = 0; i < 3; ++i) m.col(i).normalize();
}

template <typename Derived>
Quatd normalized_or_identity(const Eigen::QuaternionBase<Derived>& quaternion) noexcept {
  const Quatd q = quaternion.template cast<double>();
  const double length = q.norm();
  if (!(length >= 1e-10) || !std::isfinite(length)) return Quatd(1.0, 0, 0, 0);
  return Quatd(q.w() / length, q.x() / length, q.y() / length, q.z() / length);
}

Matrix3d linear_part(const Matrix4d& matrix) noexcept {
  return matrix.block<3, 3>(0, 0);
}
Vector3d translation_part(const Matrix4d& matrix) noexcept {
  return matrix.block<3, 1>(0, 3);
}

// Of what is no rotation, such as a flattened one, not of unit length; of equal elements of the
// diagonal the last one counts there, as in OpenUSD.
Quatd extract_quaternion(const Matrix3d& m) noexcept {
  const double trace = m(0, 0) + m(1, 1) + m(2, 2);
  int largest = m(0, 0) > m(1, 1) ? 0 : 1;
  if (!(m(largest, largest) > m(2, 2))) largest = 2;
  double w = 0.0;
  Vector3d v;
  if (trace > m(largest, largest)) {
    w = 0.5 * std::sqrt(trace + 1.0);
    v = Vector3d(m(2, 1) - m(1, 2), m(0, 2) - m(2, 0), m(1, 0) - m(0, 1)) / (4.0 * w);
  } else {
    const int i = largest;
    const int j = (i + 1) % 3;
    const int k = (i + 2) % 3;
    v[i] = 0.5 * std::sqrt(m(i, i) - m(j, j) - m(k, k) + 1.0);
    v[j] = (m(i, j) + m(j, i)) / (4.0 * v[i]);
    v[k] = (m(i, k) + m(k, i)) / (4.0 * v[i]);
    w = (m(k, j) - m(j, k)) / (4.0 * v[i]);
  }
  return Quatd(w, v.x(), v.y(), v.z());
}

}  // namespace

Quatd quaternion_from_rotation(const Matrix3d& m) noexcept {
  const Quatd extracted = extract_quaternion(m);
  double w = extracted.w();
  Vector3d v = extracted.vec();
  const double axis_squared = v.squaredNorm();
  if (axis_squared < 1e-20) return Quatd(1.0, 0, 0, 0);
  const double length = std::sqrt(w * w + axis_squared);
  if (std::abs(length - 1.0) > 1e-9) {
    // Of what is not a rotation, such as a flattened one, w tells the angle and the rest only the
    // axis. Of a rotation that would lose digits: where w is close to 1 it says little about the
    // angle.
    w = std::clamp(w, -1.0, 1.0);
    v *= std::sqrt((1.0 - w * w) / axis_squared);
    return Quatd(w, v.x(), v.y(), v.z());
  }
  return Quatd(w / length, v.x() / length, v.y() / length, v.z() / length);
}

Decomposition decompose(const Matrix4d& matrix) noexcept {
  const TransformFactors f = factor(linear_part(matrix));
  return {translation_part(matrix), quaternion_from_rotation(f.rotation), f.scale, f.orientation,
          f.singular};
}

Matrix4d inverse_affine(const Matrix4d& matrix) noexcept {
  return full_inverse(matrix);
}

ScaledPose world_pose(const Matrix4d& world_from_prim) noexcept {
  const Decomposition d = decompose(world_from_prim);
  return {{d.translation.cast<float>(), d.rotation.cast<float>()}, d.scale.cast<float>()};
}

ScaledPose local_pose(const Matrix4d& world_from_body, const Matrix4d& world_from_prim) noexcept {
  const Vector3d body_scale = factor(linear_part(world_from_body)).scale;
  const Decomposition d = decompose(inverse_affine(world_from_body) * world_from_prim);
  return {{scaled_position(d.translation, body_scale), d.rotation.cast<float>()},
          d.scale.cast<float>()};
}

Pose joint_pose(const Pose& authored, const Vector3f& world_scale) noexcept {
  return {authored.position.cwiseProduct(world_scale),
          normalized_or_identity(authored.rotation).cast<float>()};
}

Pose joint_pose(const Pose& authored, const Matrix4d& world_from_prim,
                const Matrix4d& world_from_body) noexcept {
  Matrix4d anchor = Matrix4d::Identity();
  anchor.block<3, 3>(0, 0) = normalized_or_identity(authored.rotation).toRotationMatrix();
  anchor.block<3, 1>(0, 3) = authored.position.cast<double>();
  const Matrix4d in_body = inverse_affine(world_from_body) * (world_from_prim * anchor);
  const Vector3d body_scale = factor(linear_part(world_from_body)).scale;
  const TransformFactors f = factor(linear_part(in_body));
  const Vector3f offset = scaled_position(translation_part(in_body), body_scale);
  if (f.singular) {
    Quatd turn = extract_quaternion(linear_part(in_body));
    turn.w() = std::clamp(turn.w(), -1.0, 1.0);
    return {offset, normalized_or_identity(turn).cast<float>()};
  }
  Matrix3d rotation = f.rotation;
  orthonormalize(rotation);
  return {offset, quaternion_from_rotation(rotation).cast<float>()};
}

}  // namespace sinew::physics
