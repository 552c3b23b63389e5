// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "sinew/core/simd.hpp"
#include "sinew/skel/packed_skeleton.hpp"
#include "sinew/skel/read/bindings.hpp"
#include "sinew/skel/read/clip.hpp"
#include "sinew/skel/read/evaluate.hpp"
#include "skel/read/typed_reader.hpp"

namespace sinew::skel {

/// How far a transform is from one that rotates and translates.
double shape_error_of(const Matrix4d& transform);

/// The joints of a Character: where they are at a time.
class CharacterPose {
 public:
  /// @param binding      Must outlive this.
  /// @param diagnostics  What keeps the animation from being used.
  /// @return ok, or unsupported if the machine or the build lacks the level.
  Status open(const SkeletonBinding& binding, SimdLevel level, Diagnostics& diagnostics);

  void evaluate(stage::Time time, Reporter& reporter);
  /// Takes a pose that is made elsewhere.
  /// @return ok; or size_mismatch, and the pose stays.
  Status take(stage::Time time, std::span<const Affine34f> skel_from_joint,
              std::span<const float> weights);

  stage::Time time() const noexcept { return exact_.time; }
  PoseStatus status() const noexcept { return exact_.status; }
  /// The last pose is that of the clip, or was taken: there are no transforms but floats.
  bool fast() const noexcept { return fast_; }
  /// The last pose is that of the clip.
  bool is_of_clip() const noexcept { return fast_ && !is_taken_; }
  /// How much joints scale or shear by what the clip says, at most; of a pose that was taken
  /// nothing is known.
  double shape_error() const noexcept {
    return is_taken_ ? std::numeric_limits<double>::infinity() : shape_error_;
  }
  /// The same of the rest transforms of joints that no animation moves, as the skeleton has them: a
  /// clip has scales that are nearly 1 as 1.
  double rest_error() const noexcept { return rest_error_; }
  const Matrix4d& world_from_skel() const noexcept { return exact_.world_from_skel; }
  std::span<const Affine34f> skel_from_joint() const noexcept {
    return status() == PoseStatus::none ? std::span<const Affine34f>() : skel_from_joint_;
  }
  std::span<const Affine34f> skinning() const noexcept {
    return status() == PoseStatus::skinnable ? std::span<const Affine34f>(skinning_)
                                             : std::span<const Affine34f>();
  }
  /// Inverse transposes of skel_from_joint(), without translations. Made when asked for first.
  std::span<const Affine34f> joint_normals();
  std::optional<std::span<const float>> weights() const noexcept { return weights_; }

  /// The pose as evaluate_target() takes it: status, weights and skinning transforms. Made when
  /// asked for first.
  const SkeletonPose& exact();

 private:
  void evaluate_clip();
  void evaluate_slowly(stage::Time time, Reporter& reporter);
  void pose_exactly();
  void place();
  void find_resting();

  const SkeletonBinding* binding_ = nullptr;
  std::optional<Clip> clip_;  // None: the slow road.
  PackedSkeleton skeleton_;
  ClipCursor cursor_;
  std::size_t weights_hint_ = 0;
  std::vector<float> weights_storage_;
  std::optional<std::span<const float>> weights_;
  std::vector<float> taken_weights_;
  std::vector<float> spare_weights_;    // Memory of exact_ while there are none.
  std::vector<std::uint32_t> resting_;  // Joints that no animation moves.
  std::vector<Affine34f> skel_from_joint_;
  std::vector<Affine34f> skinning_;
  std::vector<Affine34f> joint_normals_;
  bool has_joint_normals_ = false;  // Of the present pose.
  SkeletonPose exact_;
  double shape_error_ = std::numeric_limits<double>::infinity();
  double rest_error_ = 0.0;
  bool exact_is_complete_ = false;
  bool fast_ = false;
  bool is_taken_ = false;
  bool binds_are_affine_ = false;
  bool world_varies_ = false;
  bool placed_ = false;  // world_from_skel holds for times of this kind.
  bool placed_at_default_ = false;
};

}  // namespace sinew::skel
