// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/skel/skin_palette.hpp"
#include "skel/read/character_pose.hpp"

namespace sinew::skel {

/// What a palette is made for. Meshes that want the same share it.
struct PaletteNeeds {
  SkinningMethod method = SkinningMethod::linear;
  Matrix4d geom_bind = Matrix4d::Identity();
  /// Which joint of the skeleton stands at each place; negative: one that does not move.
  std::vector<std::int32_t> joints;
  bool normals = false;

  bool operator==(const PaletteNeeds&) const = default;
};

/// The transforms that move meshes of a Character, made anew by every pose that is asked for them.
class CharacterPalette {
 public:
  /// @param inverse_bind  Of the skeleton's joints.
  CharacterPalette(PaletteNeeds needs, std::span<const Matrix4d> inverse_bind);

  const PaletteNeeds& needs() const noexcept { return needs_; }

  /// @param pose  Skinnable.
  const SkinPaletteView& update(CharacterPose& pose);

 private:
  void fold(std::span<const Affine34f> joints, std::span<const Affine34f> moved,
            std::span<Affine34f> out) const;
  void take_normals();
  void take_motions(std::span<const Affine34f> skinning);
  void prepare_exactly(const SkeletonPose& pose);

  PaletteNeeds needs_;
  SkinPaletteView view_;
  double shape_error_ = 0.0;  // How far from rigid what the pose is multiplied with is.
  bool unchanged_ = false;    // The pose's own skinning transforms.
  bool folds_ = false;        // Linear, affine geom_bind: one matrix per joint is all.
  bool inverts_ = true;       // No joint_from_mesh_ is singular.
  std::vector<Affine34f> joint_from_mesh_;
  std::vector<Affine34f> mesh_normals_;  // Inverse transposes of those.
  std::vector<Affine34f> transforms_;
  std::vector<Affine34f> normal_transforms_;
  std::vector<DualQuaternionf> motions_;
  SkinPalette palette_;
  std::vector<Matrix4d> ordered_;
};

}  // namespace sinew::skel
