// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "sinew/core/types.hpp"

namespace sinew::bench {

/// How influences are spread over a mesh.
enum class Weights {
  dense,   ///< No stored weight is zero; joints follow each other along limbs.
  real,    ///< As painted and exported: mostly 1 to 4 joints per point, few distinct joint sets,
           ///< stored with zeros; neighbours often, not always, share a set. Modelled on the
           ///< published counts of a well-known sample character (19 joints on 3273 points).
  random,  ///< No order at all.
};

inline const char* to_string(Weights weights) {
  switch (weights) {
    case Weights::dense:
      return "dense";
    case Weights::real:
      return "real";
    case Weights::random:
      return "random";
  }
  return "";
}

/// A mesh on 100 joints with a pose.
struct SkinMesh {
  static constexpr std::size_t kJoints = 100;

  std::size_t influences;
  std::vector<std::int32_t> indices;
  std::vector<float> weights;
  std::vector<Vector3f> points, normals;
  std::vector<Matrix4d> skinning;

  SkinMesh(std::size_t point_count, std::size_t influences_per_point, Weights spread)
      : influences(influences_per_point) {
    for (std::size_t j = 0; j < kJoints; ++j) skinning.push_back(joint());
    for (std::size_t i = 0; i < point_count; ++i) {
      points.emplace_back(real(-2, 2), real(-2, 2), real(-2, 2));
      normals.push_back(Vector3f(real(-1, 1), real(-1, 1), real(0.5F, 1)).normalized());
    }
    indices.resize(point_count * influences);
    weights.resize(point_count * influences);
    if (spread == Weights::real) {
      make_real(point_count);
    } else {
      make_dense(point_count, spread == Weights::random);
    }
  }

  std::size_t point_count() const { return points.size(); }

 private:
  std::mt19937 engine{12345};

  float real(float low, float high) {
    return low + (high - low) * static_cast<float>(engine() >> 8) * 0x1p-24F;
  }

  Matrix4d joint() {
    const Vector3d axis(static_cast<double>(real(-1, 1)), static_cast<double>(real(-1, 1)), 1.0);
    const Eigen::AngleAxisd turn(static_cast<double>(real(-0.7F, 0.7F)), axis.normalized());
    Matrix4d m = Matrix4d::Identity();
    m.topLeftCorner<3, 3>() = turn.toRotationMatrix();
    for (int row = 0; row < 3; ++row) m(row, 3) = static_cast<double>(real(-1, 1));
    return m;
  }

  void make_dense(std::size_t point_count, bool scattered) {
    for (std::size_t i = 0; i < point_count; ++i) {
      const std::size_t span = kJoints - 2 * influences;
      const std::size_t first =
          scattered ? 0 : i * span / point_count + engine() % std::max<std::size_t>(influences, 1);
      float sum = 0.0F;
      for (std::size_t k = 0; k < influences; ++k) {
        const std::size_t slot = i * influences + k;
        indices[slot] = static_cast<std::int32_t>(scattered ? engine() % kJoints : first + k);
        weights[slot] = real(0.1F, 1);
        sum += weights[slot];
      }
      for (std::size_t k = 0; k < influences; ++k) weights[i * influences + k] /= sum;
    }
  }

  void make_real(std::size_t point_count) {
    constexpr std::size_t kTile = 3273, kTileJoints = 19, kSets = 54;
    // Sets of 1 to 4 neighbouring joints, 2.3 on average.
    constexpr std::array<std::size_t, 10> kSizes = {1, 2, 2, 3, 2, 1, 4, 2, 3, 3};
    std::size_t set = 0, left = 0;
    for (std::size_t i = 0; i < point_count; ++i) {
      if (left == 0) {
        // Runs of one set end in a neighbouring set, now and then somewhere else.
        set = engine() % 8 == 0 ? engine() % kSets : (set + engine() % 3 + kSets - 1) % kSets;
        left = 4 + engine() % 9;
      }
      --left;
      const std::size_t shift = (i / kTile) * 7 % (kJoints - kTileJoints);
      const std::size_t size = std::min(kSizes[set % kSizes.size()], influences);
      const std::size_t first = set * (kTileJoints - 4) / kSets;
      float sum = 0.0F;
      for (std::size_t k = 0; k < influences; ++k) {
        const std::size_t slot = i * influences + k;
        indices[slot] = static_cast<std::int32_t>(k < size ? shift + first + k : 0);
        weights[slot] = k < size ? real(0.1F, 1) : 0.0F;
        sum += weights[slot];
      }
      for (std::size_t k = 0; k < influences; ++k) weights[i * influences + k] /= sum;
      if (size == 1) weights[i * influences] = 1.0F;
    }
  }
};

}  // namespace sinew::bench
