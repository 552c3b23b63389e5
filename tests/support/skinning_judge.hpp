// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include <Eigen/LU>

#include "sinew/core/types.hpp"
#include "support/random_skin.hpp"

namespace sinew::skel::test {

/// One deformed triple in exact arithmetic (as far as double is exact), and what its error is
/// measured by.
struct Judged {
  Vector3d value = Vector3d::Zero();
  double magnitude = 0.0;  ///< Largest sum of |element * coordinate| over a matrix row.
  double weight = 0.0;     ///< Sum of |weight|.
};

inline Eigen::Vector4d homogeneous(const Vector3d& p) {
  return {p.x(), p.y(), p.z(), 1.0};
}

inline Vector3d project(const Matrix4d& m, const Vector3d& p) {
  const Eigen::Vector4d q = m * homogeneous(p);
  return q.head<3>() / q.w();
}

/// p' = sum over k of w[k] * skinning[j(k)] * project(geom_bind, p). Zero weights are skipped.
inline std::vector<Judged> judge_linear_points(const RandomSkin& skin) {
  std::vector<Judged> result(skin.point_count());
  for (std::size_t i = 0; i < result.size(); ++i) {
    const Vector3d p = project(skin.geom_bind, skin.points[i].cast<double>());
    for (std::size_t k = 0; k < skin.influences; ++k) {
      const double w = static_cast<double>(skin.joint_weights[i * skin.influences + k]);
      if (w == 0.0) continue;
      const auto j = static_cast<std::size_t>(skin.joint_indices[i * skin.influences + k]);
      const Matrix4d m = skin.skinning[j] * skin.geom_bind;
      const Eigen::Vector4d magnitude =
          m.cwiseAbs() * homogeneous(skin.points[i].cwiseAbs().cast<double>()) +
          skin.skinning[j].cwiseAbs() * homogeneous(p.cwiseAbs());
      result[i].value += w * (skin.skinning[j] * homogeneous(p)).head<3>();
      result[i].magnitude = std::max(result[i].magnitude, magnitude.head<3>().maxCoeff());
      result[i].weight += std::abs(w);
    }
  }
  return result;
}

inline Matrix3d inverse_transpose(const Matrix4d& m) {
  const Eigen::Matrix3d linear = m.topLeftCorner<3, 3>();
  return linear.inverse().transpose();
}

/// n' = normalised sum over k of w[k] * inverse_transpose(skinning[j(k)] * geom_bind) * n.
inline std::vector<Judged> judge_linear_normals(const RandomSkin& skin) {
  std::vector<Judged> result(skin.point_count());
  for (std::size_t i = 0; i < result.size(); ++i) {
    double length = 0.0;
    for (std::size_t k = 0; k < skin.influences; ++k) {
      const double w = static_cast<double>(skin.joint_weights[i * skin.influences + k]);
      if (w == 0.0) continue;
      const auto j = static_cast<std::size_t>(skin.joint_indices[i * skin.influences + k]);
      const Vector3d n =
          inverse_transpose(skin.skinning[j] * skin.geom_bind) * skin.normals[i].cast<double>();
      result[i].value += w * n;
      length += std::abs(w) * n.norm();
    }
    result[i].magnitude = length / std::max(result[i].value.norm(), 1e-10);
    result[i].value /= std::max(result[i].value.norm(), 1e-10);
  }
  return result;
}

/// t' = normalised sum over k of w[k] * upper 3x3 of (skinning[j(k)] * geom_bind) * t.
inline std::vector<Judged> judge_linear_tangents(const RandomSkin& skin) {
  std::vector<Judged> result(skin.point_count());
  for (std::size_t i = 0; i < result.size(); ++i) {
    double length = 0.0;
    for (std::size_t k = 0; k < skin.influences; ++k) {
      const double w = static_cast<double>(skin.joint_weights[i * skin.influences + k]);
      if (w == 0.0) continue;
      const auto j = static_cast<std::size_t>(skin.joint_indices[i * skin.influences + k]);
      const Matrix4d m = skin.skinning[j] * skin.geom_bind;
      const Vector3d t = m.topLeftCorner<3, 3>() * skin.tangents[i].cast<double>();
      result[i].value += w * t;
      length += std::abs(w) * t.norm();
    }
    result[i].magnitude = length / std::max(result[i].value.norm(), 1e-10);
    result[i].value /= std::max(result[i].value.norm(), 1e-10);
  }
  return result;
}

}  // namespace sinew::skel::test
