// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sinew/core/types.hpp"
#include "sinew/export/glb_builder.hpp"

namespace sinew::exporter {

/// A transform as translation, rotation and scale.
struct Factors {
  GlbTransform transform;  ///< The closest.
  bool exact = false;      ///< Within 1e-6 of the largest element.
  double shear = 0.0;      ///< How far an angle between two axes is from a right one, in degrees.
};

/// Takes an affine transform apart. A reflection makes the scale of X negative.
Factors factor(const Matrix4d& matrix);

/// A transform that shears as two that do not, one inside the other: `outer` times `inner`, a
/// rotation alone.
struct ShearParts {
  Matrix4d outer;
  Matrix4d inner;
};

/// Takes a transform apart along its singular vectors, whose angles it keeps.
ShearParts split_shear(const Matrix4d& matrix);

Matrix4d matrix_of(const GlbTransform& transform);

/// Whether floats can hold the elements, and what factor() makes of them.
bool fits_floats(const Matrix4d& matrix);

/// The matrix with its translation times `factor`.
Matrix4d scaled_translation(Matrix4d matrix, double factor);

/// The point, of finite coordinates.
Vector3f scaled_point(const Vector3f& point, double factor);

/// Halfway and elsewhere between two, as viewers do it: linear, and slerp the shorter way.
GlbTransform interpolate(const GlbTransform& a, const GlbTransform& b, double alpha);

/// The angle between two rotations, in degrees.
double angle_between(const Quatd& a, const Quatd& b);

}  // namespace sinew::exporter
