// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace sinew {

// Vectors of two and three elements are Eigen's own. Types that Eigen would align to 16, 32 or 64
// bytes depending on compiler flags are declared without alignment here, so that the layout of
// our structs does not depend on how the embedder compiles. They convert to and from Eigen's
// aligned types by assignment.
using Eigen::Vector2d;
using Eigen::Vector2f;
using Eigen::Vector2i;
using Eigen::Vector3d;
using Eigen::Vector3f;
using Eigen::Vector3i;
using Half = Eigen::half;  ///< 16 bits: 1 sign, 5 exponent, 10 mantissa.
using Vector2h = Eigen::Matrix<Half, 2, 1, Eigen::DontAlign>;  ///< USD's half2.
/// USD's half3: point3h, normal3h, color3h.
using Vector3h = Eigen::Matrix<Half, 3, 1, Eigen::DontAlign>;
using Vector4h = Eigen::Matrix<Half, 4, 1, Eigen::DontAlign>;          ///< USD's half4: color4h.
using Vector4f = Eigen::Matrix<float, 4, 1, Eigen::DontAlign>;         ///< USD's float4: color4f.
using Vector4d = Eigen::Matrix<double, 4, 1, Eigen::DontAlign>;        ///< USD's double4: color4d.
using Vector4i = Eigen::Matrix<std::int32_t, 4, 1, Eigen::DontAlign>;  ///< USD's int4.

/// Quaternions keep Eigen's storage order x, y, z, w; usda text and JSON write w first.
using Quath = Eigen::Quaternion<Half, Eigen::DontAlign>;
/// USD's quatf; not normalised on reading.
using Quatf = Eigen::Quaternion<float, Eigen::DontAlign>;
/// USD's quatd; not normalised on reading.
using Quatd = Eigen::Quaternion<double, Eigen::DontAlign>;

/// Matrices act on column vectors and are stored column by column. USD writes row-vector matrices
/// row by row, which is the same 16 numbers in the same order.
using Matrix2d = Eigen::Matrix<double, 2, 2, Eigen::DontAlign>;
/// USD's matrix3d, transposed: columns here are USD's rows.
using Matrix3d = Eigen::Matrix<double, 3, 3, Eigen::DontAlign>;
/// USD's matrix4d, transposed: the translation is the last column.
using Matrix4d = Eigen::Matrix<double, 4, 4, Eigen::DontAlign>;
/// Single precision, of results alone; USD has no such type.
using Matrix3f = Eigen::Matrix<float, 3, 3, Eigen::DontAlign>;
/// Single precision, of results alone; USD has no such type.
using Matrix4f = Eigen::Matrix<float, 4, 4, Eigen::DontAlign>;

static_assert(sizeof(Vector3f) == 12 && sizeof(Vector3d) == 24 && sizeof(Vector3h) == 6);
static_assert(sizeof(Quatf) == 16 && alignof(Quatf) == 4);
static_assert(sizeof(Matrix4d) == 128 && alignof(Matrix4d) == 8);

/// An affine transform of column vectors, stored row by row as 3x4 floats: what kernels read.
///
///     p' = [ m[0] m[1] m[2]  ] p + [ m[3]  ]
///          [ m[4] m[5] m[6]  ]     [ m[7]  ]
///          [ m[8] m[9] m[10] ]     [ m[11] ]
struct Affine34f {
  /// Three rows of four; the identity by default.
  float m[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

  Affine34f() = default;

  /// Drops the last row, which is taken to be (0, 0, 0, 1).
  template <typename Derived>
  explicit Affine34f(const Eigen::MatrixBase<Derived>& matrix) {
    for (int row = 0; row < 3; ++row) {
      for (int column = 0; column < 4; ++column) {
        m[4 * row + column] = static_cast<float>(matrix(row, column));
      }
    }
  }

  /// The transformed point, in single precision, rounded after every operation.
  Vector3f operator*(const Vector3f& p) const {
    return {m[0] * p.x() + m[1] * p.y() + m[2] * p.z() + m[3],
            m[4] * p.x() + m[5] * p.y() + m[6] * p.z() + m[7],
            m[8] * p.x() + m[9] * p.y() + m[10] * p.z() + m[11]};
  }

  /// The same transform with the last row (0, 0, 0, 1).
  Matrix4d matrix() const {
    Matrix4d result = Matrix4d::Identity();
    for (int row = 0; row < 3; ++row) {
      for (int column = 0; column < 4; ++column) {
        result(row, column) = static_cast<double>(m[4 * row + column]);
      }
    }
    return result;
  }
};
static_assert(sizeof(Affine34f) == 48);

/// An axis-aligned box. Empty (it contains nothing) until something is added.
struct Range3f {
  /// Lower corner; greater than `max` in an empty box.
  Vector3f min = Vector3f::Constant((std::numeric_limits<float>::max)());
  Vector3f max = Vector3f::Constant(-(std::numeric_limits<float>::max)());  ///< Upper corner.

  /// Whether it contains nothing: its lower corner lies above its upper one along some axis.
  bool empty() const { return (min.array() > max.array()).any(); }
  /// Grows to hold a point.
  void add(const Vector3f& point) {
    min = min.cwiseMin(point);
    max = max.cwiseMax(point);
  }
  /// Grows to hold another box; an empty one changes nothing.
  void add(const Range3f& other) {
    min = min.cwiseMin(other.min);
    max = max.cwiseMax(other.max);
  }
};

}  // namespace sinew
