// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/types.hpp"
#include "sinew/export/json.hpp"
#include "sinew/skel/read/bindings.hpp"
#include "sinew/skel/read/character.hpp"
#include "sinew/skel/read/evaluate.hpp"
#include "web/surface_mesh.hpp"

namespace sinew::web {

/// Which pose a character shows.
enum class ShownPose : std::uint32_t {
  animated = 0,  ///< As its animation says at a time.
  rest = 1,      ///< The rest pose.
  bind = 2,      ///< The pose in which meshes were bound: nothing is moved by joints.
};

/// A character that a page shows: its joints, and the meshes that they move as a renderer draws
/// them, in metres of world space.
///
/// Movable. Not thread-safe. Its stage must outlive it.
class WebCharacter {
 public:
  /// @param binding      Copied.
  /// @param diagnostics  What keeps the animation from being used.
  WebCharacter(const skel::SkeletonBinding& binding, double meters_per_unit,
               geom::MaterialBindings& materials, Diagnostics& diagnostics);

  /// Poses the joints and deforms all meshes. Views stay valid.
  void pose(stage::Time time);
  /// What the next pose() shows.
  void show(ShownPose which) noexcept { shown_ = which; }
  /// Weights of blend shapes that take the place of the animation's; none: the animation's again.
  void set_blend_weights(std::span<const float> weights);

  /// 16 numbers per joint, column by column: metres of world space from joint.
  std::span<const float> joint_world() const noexcept { return joint_world_; }
  /// In the order of blend_shapes().
  std::span<const float> blend_weights() const noexcept { return blend_weights_; }
  /// Parent of every joint, -1 for roots.
  std::span<const std::int32_t> parents() const noexcept;
  /// The mesh of a target; null if there is no such target.
  const SurfaceMesh* mesh(std::uint32_t target) const noexcept;
  /// How much a joint has a say in every vertex of a target, since the last pose(). Empty if it has
  /// none. Valid until the next call.
  std::span<const float> joint_weights(std::uint32_t target, std::uint32_t joint);

  /// What the frames so far had to say.
  const Diagnostics& diagnostics() const noexcept { return diagnostics_; }

  /// The character as one JSON object.
  void write(exporter::JsonSink& json) const;

 private:
  void pose_fast(stage::Time time);
  void pose_slowly(stage::Time time);
  void place(std::size_t target, std::span<const Vector3f> points,
             std::span<const Vector3f> normals, std::span<const Vector3f> blended,
             const std::optional<Matrix4d>& rigid, bool skinned);
  void take_joints(std::span<const Matrix4d> skel_from_joint);
  Matrix4d in_meters(const Matrix4d& world) const;

  skel::SkeletonBinding binding_;
  double meters_per_unit_;
  std::optional<skel::Character> character_;
  ShownPose shown_ = ShownPose::animated;
  std::optional<std::vector<float>> own_weights_;
  stage::Time time_;

  std::vector<SurfaceMesh> meshes_;  // One per target.
  skel::SkeletonPose pose_;          // Of the slow road.
  std::vector<skel::DeformedPrim> deformed_;
  Matrix4d world_from_skel_ = Matrix4d::Identity();
  std::vector<Matrix4d> joints_;
  std::vector<float> joint_world_;
  std::vector<float> blend_weights_;
  std::vector<float> joint_weights_;
  Diagnostics diagnostics_;
};

}  // namespace sinew::web
