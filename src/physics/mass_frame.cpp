// SPDX-License-Identifier: Apache-2.0
#include "sinew/physics/mass_frame.hpp"

#include <array>
#include <cmath>
#include <utility>

#include "sinew/physics/inertia.hpp"

namespace sinew::physics {

MassFrame mass_frame(const BodyMass& mass) noexcept {
  MassFrame result;
  result.mass = mass.mass;
  result.center = mass.center_of_mass;
  Quatd axes = mass.principal_axes;
  const double length = axes.norm();
  if (length > 1e-10 && std::isfinite(length)) {
    axes.normalize();
  } else {
    axes.setIdentity();
  }
  const Eigen::Matrix3d turned = axes.toRotationMatrix();
  const Vector3d diagonal = mass.diagonal_inertia;
  result.inertia = turned * diagonal.asDiagonal() * turned.transpose();

  std::array<int, 3> order = {0, 1, 2};
  const auto sort = [&](std::size_t a, std::size_t b) {
    if (diagonal[order[a]] < diagonal[order[b]]) std::swap(order[a], order[b]);
  };
  sort(0, 1);
  sort(1, 2);
  sort(0, 1);
  Eigen::Matrix3d columns;
  for (int i = 0; i < 3; ++i) {
    result.moments[i] = diagonal[order[static_cast<std::size_t>(i)]];
    columns.col(i) = turned.col(order[static_cast<std::size_t>(i)]);
  }
  if (columns.determinant() < 0.0) columns.col(2) = -columns.col(2);
  result.axes = Quatd(columns);
  result.axes.normalize();

  const Vector3d& m = result.moments;
  result.usable = result.mass > 0.0 && std::isfinite(result.mass) && m.allFinite() && m[2] > 0.0 &&
                  result.center.allFinite();
  result.triangle = m[0] - (m[1] + m[2]) <= 1e-9 * std::abs(m[0]);
  return result;
}

}  // namespace sinew::physics
