// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/executor.hpp"
#include "sinew/core/export.hpp"
#include "sinew/core/result.hpp"
#include "sinew/core/simd.hpp"
#include "sinew/core/types.hpp"
#include "sinew/skel/read/bindings.hpp"
#include "sinew/stage/attribute.hpp"
#include "sinew/stage/time.hpp"

namespace sinew::skel {

/// How far a pose could be computed.
enum class PoseStatus : std::uint8_t {
  none,       ///< Nothing: the skeleton is invalid, or some joint has neither animation nor rest.
  posed,      ///< Where the joints are; nothing can be skinned without a bind pose.
  skinnable,  ///< Skinning transforms too.
};

/// A bound skeleton at one time. What cannot be computed is empty. Reuse one from frame to frame to
/// save the memory being allocated.
struct SkeletonPose {
  stage::Time time;  ///< At which it was evaluated.

  /// Tells a skeleton without joints from one that could not be posed.
  PoseStatus status = PoseStatus::none;
  std::vector<Matrix4d> joint_local;  ///< Parent from joint.
  std::vector<Matrix4d> joint_skel;   ///< Skeleton from joint.
  std::vector<Matrix4d> joint_world;  ///< World from joint.
  /// Skeleton from bind space: joint_skel[j] * inverse(bind[j]).
  std::vector<Matrix4d> skinning;
  /// World from skeleton: where the Skeleton prim stands. Always there.
  Matrix4d world_from_skel = Matrix4d::Identity();

  /// Weights of the animation, in its order; nothing where it gives none.
  std::optional<std::vector<float>> blend_shape_weights;
};

/// Where a pose comes from.
enum class PoseSource : std::uint8_t {
  animated,  ///< As the animation says, the rest pose where it says nothing.
  rest,      ///< The rest pose.
};

/// Computes a skeleton at a time.
///
/// An animation that cannot be used (missing components, arrays of different lengths) leaves the
/// skeleton at rest; one that covers only some joints takes the others from the rest pose. Without
/// a rest pose only an animation of all joints works; without a bind pose there are no skinning
/// transforms. An invalid skeleton gives an empty pose.
///
/// @param diagnostics  Why something could not be computed.
/// @par Source  UsdSkel, SkeletonQuery.
SINEW_API void evaluate_pose(const SkeletonBinding& binding, stage::Time time, SkeletonPose& pose,
                             Diagnostics& diagnostics, PoseSource which = PoseSource::animated);

/// How the pose differs from rest, joint by joint: rest[j] * result[j] = joint_local[j]. Identities
/// if no animation applies; nothing if there is no rest pose or the pose has no local transforms.
SINEW_API std::vector<Matrix4d> rest_relative(const SkeletonBinding& binding,
                                              const SkeletonPose& pose);

/// The joint influences of a prim as they are at a time.
struct JointInfluences {
  /// Joints, row per point, in the prim's own order if it has one.
  stage::ArrayValue<std::int32_t> indices;
  stage::ArrayValue<float> weights;  ///< As many.
};

/// Reads the influences of a prim, its indexed primvars expanded, and checks that they fit each
/// other. Indices are not checked against the joints.
/// @return Nothing if there are none, or if they do not fit, which is reported.
SINEW_API std::optional<JointInfluences> read_influences(const SkinTarget& target, stage::Time time,
                                                         Diagnostics* diagnostics = nullptr);

/// Bind space from mesh space at a time; identity if nothing is authored.
SINEW_API Matrix4d read_geom_bind(const SkinTarget& target, stage::Time time,
                                  Diagnostics* diagnostics = nullptr);

/// How the normals of a prim are taken.
enum class NormalsUse : std::uint8_t {
  ignore,            ///< Not at all.
  by_interpolation,  ///< Per point if vertex or varying, per face vertex if faceVarying.
  per_point,         ///< Per point if there are as many, whatever their interpolation says.
};

/// What is computed of a prim, and how.
struct DeformOptions {
  bool blend_shapes = true;                           ///< False: they are not applied.
  bool skinning = true;                               ///< False: joints have no effect.
  NormalsUse normals = NormalsUse::by_interpolation;  ///< `ignore` saves the time.
  bool tangents = true;  ///< primvars:tangents, where there are three floats for every point.
  /// A joint of skel:joints that the skeleton lacks does not move, as in baking. Otherwise so only
  /// under Rules::documented; under Rules::openusd it moves with the joint of the same number.
  bool identity_for_missing_joints = false;
  SimdLevel level = SimdLevel::best;  ///< For influences that are packed while evaluating.
  Executor executor;                  ///< For the points of one prim.
};

/// A prim deformed at one time. What cannot be computed is empty. Reuse one per prim from frame to
/// frame: it keeps memory and packed influences. Movable; not to be shared between threads.
struct SINEW_API DeformedPrim {
  DeformedPrim();
  ~DeformedPrim();
  /// Takes the memory and what is packed along.
  DeformedPrim(DeformedPrim&& other) noexcept;
  /// Takes the memory and what is packed along.
  DeformedPrim& operator=(DeformedPrim&& other) noexcept;

  /// Bind space from mesh space, at the time of the pose.
  Matrix4d geom_bind = Matrix4d::Identity();

  /// Weights of the shapes and in-betweens that took part, in the order they were applied.
  std::vector<float> sub_shape_weights;
  bool blended = false;  ///< Blend shapes were applied; tells a prim without points from a failure.
  std::vector<Vector3f> blended_points;   ///< Points after blend shapes, mesh space.
  std::vector<Vector3f> blended_normals;  ///< One per point, if any shape has offsets for them.

  /// Of rigidly bound prims: skeleton space from mesh space.
  std::optional<Matrix4d> skinned_transform;

  bool skinned = false;          ///< Joints were applied; as for `blended`.
  std::vector<Vector3f> points;  ///< Points after blend shapes and joints, skeleton space.
  /// Normals likewise, one per point, or one per face vertex.
  std::vector<Vector3f> normals;
  bool normals_per_face_vertex = false;  ///< How `normals` are to be read.
  /// Tangents (primvars:tangents) likewise, one per point.
  std::vector<Vector3f> tangents;

 private:
  friend struct DeformedPrimAccess;
  struct Impl;
  std::unique_ptr<Impl> impl_;  // What is kept between frames.
};

/// Deforms a prim by the pose of the binding it belongs to: blend shapes first, then joints.
///
/// @param diagnostics  Why something could not be computed; a joint index out of range stops the
///                     whole prim.
/// @par Source  UsdSkel, SkinningQuery and BlendShapeQuery.
SINEW_API void evaluate_target(const SkinTarget& target, const SkeletonPose& pose,
                               DeformedPrim& deformed, Diagnostics& diagnostics,
                               const DeformOptions& options = {});

}  // namespace sinew::skel
