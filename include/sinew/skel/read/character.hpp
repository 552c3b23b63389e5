// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/executor.hpp"
#include "sinew/core/export.hpp"
#include "sinew/core/result.hpp"
#include "sinew/core/types.hpp"
#include "sinew/skel/packed_influences.hpp"
#include "sinew/skel/read/bindings.hpp"
#include "sinew/skel/read/evaluate.hpp"
#include "sinew/stage/time.hpp"

namespace sinew::skel {

/// What a character computes in each frame.
struct CharacterOptions {
  /// What is deformed, and how, as for evaluate_target(). The executor does not count: deform()
  /// takes one.
  DeformOptions deform = {};
  /// Keep CharacterMesh::blended_points and blended_normals of meshes that joints move afterwards
  /// too, which costs a second pass over the blend shapes.
  bool keep_blended = false;
  /// `by_joint`: points that follow the same joints are computed together. They come out in that
  /// order: see CharacterMesh::new_from_old.
  PointOrder order = PointOrder::keep;
};

/// A prim that a Character deforms, as it stands since the last deform(). What cannot be computed
/// is empty. Views are valid until the next pose() or the end of the character, `new_from_old`
/// until it changes.
struct CharacterMesh {
  const SkinTarget* target = nullptr;         ///< Never null; one of Character::binding().
  Matrix4d geom_bind = Matrix4d::Identity();  ///< Bind space from mesh space.

  /// With CharacterOptions::order: point v of the prim is `points[new_from_old[v]]`, and so it is
  /// in all that has one value per point; faces take it by remap_indices(). Empty: v itself, as for
  /// prims that follow no joints, move as one piece, or are never `fast`. There from
  /// Character::open() on; may change only if poses go from time codes to the default time or back.
  std::span<const std::uint32_t> new_from_old;

  /// Weights of the shapes and in-betweens that took part, in the order they were applied.
  std::span<const float> sub_shape_weights;
  bool blended = false;  ///< Blend shapes were applied; tells a prim without points from a failure.
  /// Points after blend shapes, mesh space, and normals, one per point, if any shape has offsets
  /// for them. Of skinned prims only if CharacterOptions::keep_blended asks for it.
  std::span<const Vector3f> blended_points;
  std::span<const Vector3f> blended_normals;  ///< Normals likewise.

  /// Of rigidly bound prims: skeleton space from mesh space.
  std::optional<Matrix4d> skinned_transform;

  bool skinned = false;                  ///< Joints were applied; as for `blended`.
  std::span<const Vector3f> points;      ///< After blend shapes and joints, skeleton space.
  std::span<const Vector3f> normals;     ///< Likewise, one per point, or one per face vertex.
  bool normals_per_face_vertex = false;  ///< How the normals are to be read.
  std::span<const Vector3f> tangents;    ///< Likewise, one per point.

  /// Whether the last frame took the fast road. If not, something of the prim varies with time or
  /// does not fit, and it was read and deformed by evaluate_target().
  bool fast = false;
};

/// A skeleton instance that plays: what a program keeps of a SkeletonBinding from frame to frame.
///
///     auto character = Character::open(binding, diagnostics);
///     character->pose(time);
///     character->deform(executor);
///     for (const CharacterMesh& mesh : character->meshes()) draw(mesh.points);
///
/// Everything that does not vary with time is read and packed once, by open(). A frame then samples
/// the animation, poses the joints, and blends and skins all meshes as one job: it allocates
/// nothing and does not look at the stage. What does vary, or does not fit, is read again for every
/// frame by the functions of evaluate.hpp, for that mesh or that skeleton only; see
/// CharacterMesh::fast and is_posed_fast().
///
/// Results are those of evaluate_pose() and evaluate_target(), failures included, but transforms of
/// joints are float: of pose(time), with A the product of the absolute values of the matrices along
/// the joint's chain, elements of the linear part differ by at most kPoseError times the largest in
/// that of A, and those of the translation likewise. Points then differ as far as the error of
/// SkinPointsJob and such differences of their joints lead: further where dual quaternions all but
/// cancel. Joints that scale or shear by less than 4e-6, as rounding to six decimals leaves, turn
/// normals as they turn points. Dual quaternions of joints that do by 4e-7 are made of exact
/// transforms. tests/skel/read/random_character_test.cpp checks this.
///
/// Movable; what was moved from may only be assigned to or destroyed. Not thread-safe; use one per
/// skeleton instance. Different characters may run on different threads.
class SINEW_API Character {
 public:
  /// The constant of the bound above, for float against double.
  static constexpr double kPoseError = 2e-5;

  /// Reads and packs what does not vary.
  /// @param binding      Copied; its stage must outlive the character.
  /// @param diagnostics  What keeps the animation from being used.
  /// @return The character; invalid_argument for a binding of nothing; or unsupported if the
  ///         machine or the build lacks the SIMD level.
  static Result<Character> open(const SkeletonBinding& binding, Diagnostics& diagnostics,
                                const CharacterOptions& options = {});

  /// Views of meshes() stay valid.
  Character(Character&& other) noexcept;
  Character& operator=(Character&& other) noexcept;  ///< Lets go of what it played before.
  ~Character();

  /// Puts the joints where they are at a time, and the weights of the blend shapes.
  void pose(stage::Time time);
  /// Puts the joints where the caller has them, e.g. where an engine blended or simulated them, and
  /// takes the weights that it gives; what else varies is as at `time`.
  /// @param skel_from_joint      One affine transform per joint, in the skeleton's order; may be
  ///                             skel_from_joint() as it stands.
  /// @param blend_shape_weights  In the order of `binding().animation->blend_shapes`; empty: no
  ///                             shape is applied. May be those that stand.
  /// @return ok; or size_mismatch, also of a skeleton without joints, and the last pose stays.
  /// @par Cost  O(joints); allocates nothing after the first.
  Status pose(stage::Time time, std::span<const Affine34f> skel_from_joint,
              std::span<const float> blend_shape_weights);
  /// Deforms all meshes by the last pose, on the executor's threads, by default on this one.
  void deform(const Executor& executor = {});

  /// The copy that open() made.
  const SkeletonBinding& binding() const noexcept;
  stage::Time time() const noexcept;  ///< Of the last pose(); the default time before.

  /// How far the last pose could be computed.
  PoseStatus status() const noexcept;
  /// Whether the last pose came from the packed clip.
  bool is_posed_fast() const noexcept;
  /// Skeleton from joint, in the skeleton's order; empty if nothing could be posed.
  std::span<const Affine34f> skel_from_joint() const noexcept;
  /// Skeleton from bind space: skel_from_joint[j] * inverse(bind[j]). Empty unless skinnable.
  std::span<const Affine34f> skinning() const noexcept;
  /// World from skeleton: where the Skeleton prim stands. Evaluated only if it varies.
  const Matrix4d& world_from_skel() const noexcept;
  /// Weights of the animation, in its order; nothing where it gives none.
  std::optional<std::span<const float>> blend_shape_weights() const noexcept;

  /// One per target of the binding, in its order. Empty results before the first deform().
  std::span<const CharacterMesh> meshes() const noexcept;

  /// What the frames so far had to say, each thing once per prim. Empty for sound files.
  const Diagnostics& diagnostics() const noexcept;

 private:
  struct Impl;
  explicit Character(std::unique_ptr<Impl> impl) noexcept;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sinew::skel
