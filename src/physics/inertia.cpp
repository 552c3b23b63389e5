// SPDX-License-Identifier: Apache-2.0
#include "sinew/physics/inertia.hpp"

#include <cmath>
#include <cstddef>

#include "sinew/core/assert.hpp"

namespace sinew::physics {
namespace {

constexpr int kMaxRotations = 24;

// The axis whose rotation clears the largest off-diagonal entry. Ties go to the later axis.
int axis_of_largest_off_diagonal(const Matrix3d& d) noexcept {
  const double o0 = std::abs(d(1, 2));
  const double o1 = std::abs(d(0, 2));
  const double o2 = std::abs(d(0, 1));
  if (o0 > o1 && o0 > o2) return 0;
  return o1 > o2 ? 1 : 2;
}

// A rotation about `axis` as a quaternion with these real and imaginary parts.
Quatd about_axis(int axis, double real, double imaginary) noexcept {
  Vector3d v = Vector3d::Zero();
  v[axis] = imaginary;
  return Quatd(real, v.x(), v.y(), v.z());
}

}  // namespace

Matrix3d translate_inertia(const Matrix3d& inertia, double mass,
                           const Vector3d& translation) noexcept {
  return inertia + mass * (translation.squaredNorm() * Matrix3d::Identity() -
                           translation * translation.transpose());
}

Matrix3d rotate_inertia(const Matrix3d& inertia, const Quatd& rotation) noexcept {
  const Matrix3d r = rotation.toRotationMatrix();
  return r * inertia * r.transpose();
}

PrincipalInertia diagonalize(const Matrix3d& inertia) noexcept {
  PrincipalInertia result;
  Quatd& q = result.axes;
  for (int step = 0; step < kMaxRotations; ++step) {
    const Matrix3d r = q.toRotationMatrix();
    const Matrix3d d = r.transpose() * inertia * r;
    result.diagonal = d.diagonal();
    const int a = axis_of_largest_off_diagonal(d);
    const int a1 = (a + 1) % 3;
    const int a2 = (a + 2) % 3;
    const double twice_off = 2.0 * d(a1, a2);
    const double difference = d(a1, a1) - d(a2, a2);
    if (twice_off == 0.0 || std::abs(difference) > 2e6 * std::abs(twice_off)) break;
    const double w = difference / twice_off;
    Quatd step_rotation;
    if (std::abs(w) > 1000.0) {
      step_rotation = about_axis(a, 1.0, 1.0 / (4.0 * w));
    } else {
      const double t = 1.0 / (std::abs(w) + std::sqrt(w * w + 1.0));
      const double h = 1.0 / std::sqrt(t * t + 1.0);
      const double half_sine = std::sqrt((1.0 - h) / 2.0);
      step_rotation = about_axis(a, std::sqrt((1.0 + h) / 2.0), w < 0.0 ? -half_sine : half_sine);
    }
    q = q * step_rotation;
    q.normalize();
  }
  return result;
}

void MassProperties::translate(const Vector3d& translation) noexcept {
  inertia = translate_inertia(inertia, mass, translation);
  center += translation;
}

MassProperties sum_mass(std::span<const MassProperties> parts,
                        std::span<const Posed> frames) noexcept {
  SINEW_ASSERT(frames.empty() || frames.size() == parts.size());
  const auto center_of = [&](std::size_t i) -> Vector3d {
    if (frames.empty()) return parts[i].center;
    return frames[i].position + frames[i].rotation.toRotationMatrix() * parts[i].center;
  };
  MassProperties whole{0.0, Matrix3d::Zero(), Vector3d::Zero()};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    whole.mass += parts[i].mass;
    whole.center += parts[i].mass * center_of(i);
  }
  if (whole.mass != 0.0) {
    whole.center /= whole.mass;
  } else {
    whole.center.setZero();
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Matrix3d inertia =
        frames.empty() ? parts[i].inertia : rotate_inertia(parts[i].inertia, frames[i].rotation);
    whole.inertia += translate_inertia(inertia, parts[i].mass, whole.center - center_of(i));
  }
  return whole;
}

}  // namespace sinew::physics
