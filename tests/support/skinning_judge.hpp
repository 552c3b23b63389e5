// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <Eigen/Geometry>
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

/// Dual quaternion skinning of points or, with `normals`, of normals, straight from the definition:
/// per point a pivot, a flip, a sum, a normalisation. Joints must not be mirrored. The quaternions
/// come from Eigen, whose sign may differ: it cancels.
inline std::vector<Judged> judge_dual(const RandomSkin& skin, bool normals) {
  struct Joint {
    Eigen::Quaterniond real, dual;
    Eigen::Matrix3d scale;
  };
  std::vector<Joint> joints;
  for (const Matrix4d& m : skin.skinning) {
    const Eigen::Matrix3d linear =
        normals ? Eigen::Matrix3d(inverse_transpose(m)) : Eigen::Matrix3d(m.topLeftCorner<3, 3>());
    // The tests' scales go along the axes, so columns of the matrix are those of the rotation.
    const Eigen::Matrix3d rotation = linear.colwise().normalized();
    const Eigen::Quaterniond q(rotation);
    const Eigen::Vector3d t =
        normals ? Eigen::Vector3d(0, 0, 0) : Eigen::Vector3d(m.block<3, 1>(0, 3));
    const Eigen::Quaterniond half(0, t.x() / 2, t.y() / 2, t.z() / 2);
    joints.push_back({q, half * q, rotation.transpose() * linear});
  }
  const Matrix4d bind_normal = [&] {
    Matrix4d m = Matrix4d::Identity();
    m.topLeftCorner<3, 3>() = inverse_transpose(skin.geom_bind);
    return m;
  }();
  std::vector<Judged> result(skin.point_count());
  for (std::size_t i = 0; i < result.size(); ++i) {
    const Vector3d b =
        normals ? Vector3d(bind_normal.topLeftCorner<3, 3>() * skin.normals[i].cast<double>())
                : project(skin.geom_bind, skin.points[i].cast<double>());
    const float* weights = skin.joint_weights.data() + i * skin.influences;
    const std::int32_t* indices = skin.joint_indices.data() + i * skin.influences;
    const auto pivot = static_cast<std::size_t>(
        indices[std::max_element(weights, weights + skin.influences) - weights]);
    Eigen::Vector4d real(0, 0, 0, 0), dual(0, 0, 0, 0);
    Eigen::Vector3d s(0, 0, 0);
    double weight_sum = 0.0, reach = 0.0;
    for (std::size_t k = 0; k < skin.influences; ++k) {
      const double w = static_cast<double>(weights[k]);
      if (w == 0.0) continue;
      const Joint& joint = joints[static_cast<std::size_t>(indices[k])];
      s += w * (joint.scale * b);
      const double side = joint.real.dot(joints[pivot].real) < 0.0 ? -w : w;
      real += side * joint.real.coeffs();
      dual += side * joint.dual.coeffs();
      weight_sum += std::abs(w);
      reach = std::max(reach, 2.0 * joint.dual.norm() + 2.0 * b.norm() +
                                  project(skin.geom_bind, Vector3d::Zero()).norm());
    }
    const double length = real.norm();
    const Eigen::Quaterniond q(Eigen::Vector4d(real / length)), d(Eigen::Vector4d(dual / length));
    result[i].value = q._transformVector(s);
    if (normals) {
      result[i].magnitude = 1.0 / std::max(result[i].value.norm(), 1e-10) + weight_sum / length;
      result[i].value.normalize();
    } else {
      result[i].value += 2.0 * (d * q.conjugate()).vec();
      result[i].magnitude = reach;
    }
    result[i].weight = std::max(weight_sum / length, 1.0);  // Opposed rotations cancel digits.
  }
  return result;
}

}  // namespace sinew::skel::test
