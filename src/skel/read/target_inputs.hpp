// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sinew/skel/packed_blend_shapes.hpp"
#include "sinew/skel/packed_influences.hpp"
#include "sinew/skel/packed_vectors.hpp"
#include "sinew/skel/read/bindings.hpp"
#include "sinew/skel/read/character.hpp"
#include "sinew/stage/attribute.hpp"
#include "sinew/stage/time.hpp"

namespace sinew::skel {

/// What deforming a prim takes apart from a pose, if it is the same at all times, sound, and
/// packed. All that there is one of per point stands in the order of `influences`.
struct TargetInputs {
  Matrix4d geom_bind = Matrix4d::Identity();
  bool has_points = false;
  stage::ArrayValue<Vector3f> points;
  stage::ArrayValue<Vector3f> normals;  ///< One per point, or none.
  stage::ArrayValue<Vector3f> tangents;
  stage::ArrayValue<Vector3f> face_normals;  ///< One per face vertex, or none.

  /// Joints move the prim, if there is a pose for it.
  bool follows_joints = false;
  std::vector<std::int32_t> joints;  ///< Of the skeleton, where its influences say 0, 1, ...; -1:
                                     ///< one that does not move.
  PackedInfluences influences;       ///< Of the points.
  PackedInfluences face_influences;  ///< Of the face normals.
  /// What joints move, once more as kernels read it.
  PackedVectors packed_points, packed_normals, packed_tangents, packed_face_normals;
  /// Of prims that move as one piece: of four points, for the same bits on every machine.
  PackedInfluences rigid;
  std::int32_t rigid_joint = -1;  ///< The one influence of weight 1, as in rigid_transform().
  bool is_rigid = false;

  PackedBlendShapes shapes;
  std::vector<bool> misfits;  ///< By sub-shape: its offsets do not fit; they are left out.
};

/// @param time     Stands for all times of its kind: time codes, or the default time.
/// @param options  Its order is that of the points.
/// @return Nothing where evaluate_target() is needed: something varies, is of an unexpected type,
///         or does not fit.
std::optional<TargetInputs> read_target_inputs(const SkinTarget& target, const Skeleton& skeleton,
                                               stage::Time time, const CharacterOptions& options);

}  // namespace sinew::skel
