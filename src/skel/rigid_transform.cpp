// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/rigid_transform.hpp"

#include <cmath>
#include <utility>

#include "sinew/skel/packed_influences.hpp"
#include "sinew/skel/skinning.hpp"
#include "skel/rigid_corners.hpp"

namespace sinew::skel {

RigidCorners rigid_corners(const Matrix4d& geom_bind) {
  RigidCorners corners;
  corners[3] = geom_bind.topRightCorner<3, 1>().cast<float>();
  for (int axis = 0; axis < 3; ++axis) {
    corners[static_cast<std::size_t>(axis)] =
        corners[3] + Vector3f(geom_bind.block<3, 1>(0, axis).cast<float>());
  }
  return corners;
}

Matrix4d transform_of_corners(const RigidCorners& skinned) {
  Matrix4d result = Matrix4d::Identity();
  for (int axis = 0; axis < 3; ++axis) {
    const Vector3f column = skinned[static_cast<std::size_t>(axis)] - skinned[3];
    result.block<3, 1>(0, axis) = column.cast<double>();
  }
  result.topRightCorner<3, 1>() = skinned[3].cast<double>();
  return result;
}

namespace {

// In the precision of the matrices, each influence rounded before it is weighted: the differences
// of the corners lose digits, and as OpenUSD loses them.
void skin_linearly(std::span<const Matrix4d> skinning, std::span<const std::int32_t> joint_indices,
                   std::span<const float> joint_weights, RigidCorners& corners) {
  for (Vector3f& corner : corners) {
    const Vector4d from = corner.cast<double>().homogeneous();
    corner.setZero();
    for (std::size_t i = 0; i < joint_indices.size(); ++i) {
      if (joint_weights[i] == 0.0F) continue;
      const Matrix4d& joint = skinning[static_cast<std::size_t>(joint_indices[i])];
      const Vector3d moved = joint.topRows<3>() * from;
      corner += moved.cast<float>() * joint_weights[i];
    }
  }
}

}  // namespace

Result<Matrix4d> rigid_transform(SkinningMethod method, const Matrix4d& geom_bind,
                                 std::span<const Matrix4d> skinning,
                                 std::span<const std::int32_t> joint_indices,
                                 std::span<const float> joint_weights) {
  PackedInfluencesDesc desc;
  desc.joint_indices = joint_indices;
  desc.joint_weights = joint_weights;
  desc.influences = joint_indices.size();
  desc.joint_count = skinning.size();
  desc.scope = InfluenceScope::constant;
  desc.point_count = 4;
  desc.level = SimdLevel::scalar;  // The same bits on every machine.
  Result<PackedInfluences> influences = PackedInfluences::pack(desc);
  if (!influences) return std::move(influences).error();
  if (joint_indices.size() == 1 && std::abs(static_cast<double>(joint_weights[0]) - 1.0) < 1e-6) {
    return Matrix4d(skinning[static_cast<std::size_t>(joint_indices[0])] * geom_bind);
  }
  RigidCorners corners = rigid_corners(geom_bind);
  if (method == SkinningMethod::linear) {
    skin_linearly(skinning, joint_indices, joint_weights, corners);
    return transform_of_corners(corners);
  }
  SkinPalette palette;
  palette.prepare(method, skinning, Matrix4d::Identity());
  SkinPointsJob job;
  job.influences = &*influences;
  job.palette = palette.view();
  job.points = corners;
  job.points_out = corners;
  if (Status status = job.run(); !status) return std::move(status).error();
  return transform_of_corners(corners);
}

}  // namespace sinew::skel
