// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "sinew/core/types.hpp"

namespace sinew::test {}

/// Beside what all tests share.
namespace sinew::skel::test {
using namespace sinew::test;

/// How the influences of a RandomSkin are spread.
enum class Spread {
  scattered,  ///< Any joint for any point.
  limbs,      ///< Neighbouring points share joints, and about half of the weights are zero.
};

/// A mesh with influences and a pose, the same on every machine for the same seed.
struct RandomSkin {
  std::size_t influences;
  std::vector<std::int32_t> joint_indices;
  std::vector<float> joint_weights;
  std::vector<Matrix4d> skinning;
  Matrix4d geom_bind = Matrix4d::Identity();
  std::vector<Vector3f> points;
  std::vector<Vector3f> normals;
  std::vector<Vector3f> tangents;

  RandomSkin(unsigned seed, std::size_t point_count, std::size_t joint_count,
             std::size_t influences_per_point, Spread spread = Spread::limbs)
      : influences(influences_per_point), engine(seed) {
    add_influences(point_count, joint_count, spread);
    for (std::size_t j = 0; j < joint_count; ++j) skinning.push_back(rigid());
    geom_bind = rigid();
    for (std::size_t i = 0; i < point_count; ++i) {
      points.emplace_back(real(-2, 2), real(-2, 2), real(-2, 2));
      normals.push_back(direction());
      tangents.push_back(direction());
    }
  }

  std::size_t point_count() const { return points.size(); }
  std::size_t joint_count() const { return skinning.size(); }

  /// Gives every joint a scale between 0.5 and 1.5 per axis before its rotation.
  void add_scales() {
    for (Matrix4d& m : skinning) {
      for (int axis = 0; axis < 3; ++axis) m.col(axis) *= static_cast<double>(real(0.5F, 1.5F));
    }
  }

  float real(float low, float high) {
    // Not std::uniform_real_distribution, whose results differ between libraries.
    return low + (high - low) * static_cast<float>(engine() >> 8) * 0x1p-24F;
  }

  Vector3f direction() {
    for (;;) {
      const Vector3f v(real(-1, 1), real(-1, 1), real(-1, 1));
      if (v.norm() > 0.1F) return v.normalized();
    }
  }

  Matrix4d rigid() {
    const double angle = static_cast<double>(real(-2, 2));
    const Eigen::AngleAxisd rotation(angle, direction().cast<double>().normalized());
    Matrix4d m = Matrix4d::Identity();
    m.topLeftCorner<3, 3>() = rotation.toRotationMatrix();
    for (int row = 0; row < 3; ++row) m(row, 3) = static_cast<double>(real(-3, 3));
    return m;
  }

  std::mt19937 engine;

 private:
  void add_influences(std::size_t point_count, std::size_t joint_count, Spread spread) {
    for (std::size_t i = 0; i < point_count; ++i) {
      const std::size_t limb = i * joint_count / std::max<std::size_t>(point_count, 1);
      std::vector<float> row;
      float sum = 0.0F;
      for (std::size_t k = 0; k < influences; ++k) {
        const std::size_t joint = spread == Spread::scattered
                                      ? engine() % joint_count
                                      : std::min(limb + engine() % 4, joint_count - 1);
        joint_indices.push_back(static_cast<std::int32_t>(joint));
        const bool zero = spread == Spread::limbs && k > 0 && engine() % 2 == 0;
        row.push_back(zero ? 0.0F : real(0.05F, 1));
        sum += row.back();
      }
      for (const float weight : row) joint_weights.push_back(weight / sum);
    }
  }
};

}  // namespace sinew::skel::test
