// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/core/export.hpp"
#include "sinew/core/result.hpp"
#include "sinew/core/types.hpp"

namespace sinew::skel {

/// How the transforms of several joints are mixed. UsdSkel: skel:skinningMethod.
enum class SkinningMethod : std::uint8_t {
  linear,           ///< "classicLinear": the weighted sum of transformed points.
  dual_quaternion,  ///< "dualQuaternion": keeps volume at twisting joints.
};

/// A rotation and a translation as a unit dual quaternion, both parts stored x, y, z, w.
struct DualQuaternionf {
  float real[4] = {0, 0, 0, 1};  ///< The rotation; identity by default.
  float dual[4] = {0, 0, 0, 0};  ///< Half the translation times the rotation; zero by default.
};
static_assert(sizeof(DualQuaternionf) == 32);

/// A 3x3 matrix acting on column vectors, stored row by row.
struct Linear33f {
  float m[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};  ///< The identity by default.
};
static_assert(sizeof(Linear33f) == 36);

/// What happens to every point before its joints. UsdSkel: skel:geomBindTransform where it cannot
/// be folded into the joint transforms.
struct PointTransform {
  /// How much of the matrix counts: nothing, all but the last row, or all with a division by w.
  enum class Kind : std::uint32_t {
    identity,    ///< The point as it is.
    affine,      ///< The last row is 0 0 0 1.
    projective,  ///< All 16 elements, and a division by the fourth coordinate.
  };
  Kind kind = Kind::identity;  ///< `identity` spares kernels the step.
  float m[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};  ///< Row by row, 4x4.
};

/// The transforms of one frame as kernels read them: views that a job borrows.
///
/// Engines with float matrices of their own fill in `transforms` and leave the rest alone. Other
/// users keep a SkinPalette, which makes all of this from double matrices.
struct SkinPaletteView {
  SkinningMethod method = SkinningMethod::linear;  ///< Decides which of the arrays count.

  /// Linear: one per joint, skeleton space from mesh space: skinning[j] * geom_bind.
  std::span<const Affine34f> transforms = {};
  /// Linear: inverse transposes for normals, one per joint, translations ignored. Empty: the upper
  /// 3x3 of `transforms` serves, which is right if they rotate and move but do not scale.
  std::span<const Affine34f> normal_transforms = {};

  /// Dual quaternion: one per joint, skeleton space from bind space.
  std::span<const DualQuaternionf> motions = {};
  /// Dual quaternion: scale and shear applied before the motion, one per joint. Empty: none.
  std::span<const Linear33f> scales = {};
  /// Dual quaternion: rotations for normals, one per joint (dual parts ignored), and their scales.
  /// Empty: `motions` serve.
  std::span<const DualQuaternionf> normal_motions = {};
  std::span<const Linear33f> normal_scales = {};  ///< As `scales`, for normals.

  PointTransform point_transform;   ///< Before the joints, for points and tangents.
  PointTransform normal_transform;  ///< Before the joints, for normals; its linear part counts.

  /// Number of joints of the method in use.
  std::size_t joint_count() const noexcept {
    return method == SkinningMethod::linear ? transforms.size() : motions.size();
  }
};

/// Takes 4x4 matrices as GPUs and glTF hold them, 16 floats each, column after column, for
/// SkinPaletteView::transforms. Their last rows are taken to be 0 0 0 1.
/// @return ok, or size_mismatch unless there are 16 floats per transform.
SINEW_API Status copy_columns(std::span<const float> columns, std::span<Affine34f> transforms);

/// Makes and keeps the transforms of one frame. Computes in double, stores float.
///
/// Keep one per mesh and refill it every frame: memory is allocated only when the number of joints
/// grows. Not thread-safe; use one per thread.
class SINEW_API SkinPalette {
 public:
  /// Prepares linear blend skinning.
  ///
  /// transforms[j] = skinning[j] * geom_bind, so that kernels see one matrix per joint. A
  /// projective `geom_bind` (last row other than 0 0 0 1) cannot be folded: it stays a
  /// point_transform with its division. Inverse transposes for normals are made unless every
  /// transform is a rotation and translation to within 1e-6.
  ///
  /// @param skinning   Skeleton space from bind space, one per joint; affine.
  /// @param geom_bind  Bind space from mesh space.
  void prepare_linear(std::span<const Matrix4d> skinning, const Matrix4d& geom_bind);

  /// Prepares dual quaternion skinning: factors every skinning transform into scale, rotation and
  /// translation. A singular transform becomes a zero dual quaternion without scale. Scales are
  /// kept only if any of them differs from identity by 1e-6 or more.
  /// @par Source  UsdSkel, dual quaternion skinning.
  void prepare_dual_quaternion(std::span<const Matrix4d> skinning, const Matrix4d& geom_bind);

  /// Either of the two.
  void prepare(SkinningMethod method, std::span<const Matrix4d> skinning,
               const Matrix4d& geom_bind) {
    if (method == SkinningMethod::linear) {
      prepare_linear(skinning, geom_bind);
    } else {
      prepare_dual_quaternion(skinning, geom_bind);
    }
  }

  /// What was prepared last. Valid until the next call or the end of this object.
  const SkinPaletteView& view() const noexcept { return view_; }

 private:
  SkinPaletteView view_;
  std::vector<Affine34f> transforms_;
  std::vector<Affine34f> normal_transforms_;
  std::vector<DualQuaternionf> motions_;
  std::vector<DualQuaternionf> normal_motions_;
  std::vector<Linear33f> scales_;
  std::vector<Linear33f> normal_scales_;
};

}  // namespace sinew::skel
