// SPDX-License-Identifier: Apache-2.0
#include "skel/read/character_palette.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>

#include "core/transform_kind.hpp"
#include "skel/factor_transform.hpp"
#include "skel/inverse_transpose.hpp"

namespace sinew::skel {

namespace {

// Normals then differ by as much, which is a fifth of what joints may: matrices that are written
// with six decimals are off by up to 2e-6.
constexpr double kRigid = 4e-6;
// No joint is flattened, such as those that clips without scales turn.
constexpr double kNearlyRigid = 1e-2;
// Dual quaternions have scales as soon as that of one joint differs from 1 by 1e-6, and then
// weights that do not sum to 1 scale too: what comes near is left to exact transforms.
constexpr double kRigidMotion = 4e-7;

Affine34f product(const Affine34f& a, const Affine34f& b) {
  Affine34f result;
  for (std::size_t row = 0; row < 3; ++row) {
    const float* left = a.m + 4 * row;
    float* out = result.m + 4 * row;
    for (std::size_t column = 0; column < 4; ++column) {
      out[column] = left[0] * b.m[column] + left[1] * b.m[4 + column] + left[2] * b.m[8 + column];
    }
    out[3] += left[3];
  }
  return result;
}

/// The motion of a transform that rotates and translates.
DualQuaternionf motion(const Affine34f& transform) {
  const Matrix4d m = transform.matrix();
  const Quatd real = quaternion_of(m.topLeftCorner<3, 3>()).normalized();
  const Quatd dual = Quatd(0.0, 0.5 * m(0, 3), 0.5 * m(1, 3), 0.5 * m(2, 3)) * real;
  DualQuaternionf result;
  for (int i = 0; i < 4; ++i) {
    result.real[i] = static_cast<float>(real.coeffs()[i]);
    result.dual[i] = static_cast<float>(dual.coeffs()[i]);
  }
  return result;
}

}  // namespace

CharacterPalette::CharacterPalette(PaletteNeeds needs, std::span<const Matrix4d> inverse_bind)
    : needs_(std::move(needs)) {
  const std::size_t count = needs_.joints.size();
  const bool linear = needs_.method == SkinningMethod::linear;
  const Matrix4d folded = linear ? needs_.geom_bind : Matrix4d(Matrix4d::Identity());
  shape_error_ = shape_error_of(folded);
  bool in_order = count == inverse_bind.size();
  std::vector<Affine34f> joint_from_mesh(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::int32_t joint = needs_.joints[i];
    in_order = in_order && joint == static_cast<std::int32_t>(i);
    Matrix4d from_mesh = folded;
    if (joint >= 0) from_mesh = inverse_bind[static_cast<std::size_t>(joint)] * folded;
    shape_error_ = std::max(shape_error_, shape_error_of(from_mesh));
    joint_from_mesh[i] = Affine34f(from_mesh);
    if (!linear || !needs_.normals) continue;
    const Matrix3d turned = from_mesh.topLeftCorner<3, 3>();
    inverts_ = inverts_ && turned.allFinite() && turned.determinant() != 0.0;
    mesh_normals_.push_back(normal_transform(turned));
  }
  folds_ = linear && is_affine(folded);
  if (folds_) {
    unchanged_ = in_order && folded == Matrix4d::Identity();
    joint_from_mesh_ = std::move(joint_from_mesh);
    if (!unchanged_) transforms_.resize(count);
    if (needs_.normals) normal_transforms_.resize(count);
    return;
  }
  // Takes the memory that scaled joints need, then what comes before the joints, which is the same
  // in every frame.
  Matrix4d scaled = Matrix4d::Identity();
  scaled(1, 1) = 2.0;
  ordered_.assign(count, scaled);
  palette_.prepare(needs_.method, ordered_, needs_.geom_bind);
  palette_.prepare(needs_.method, {}, needs_.geom_bind);
  view_ = palette_.view();
  motions_.resize(count);
}

// What joints make of what each moves; what no joint moves stays.
void CharacterPalette::fold(std::span<const Affine34f> joints, std::span<const Affine34f> moved,
                            std::span<Affine34f> out) const {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::int32_t joint = needs_.joints[i];
    out[i] = joint < 0 ? moved[i] : product(joints[static_cast<std::size_t>(joint)], moved[i]);
  }
}

void CharacterPalette::take_motions(std::span<const Affine34f> skinning) {
  for (std::size_t i = 0; i < motions_.size(); ++i) {
    const std::int32_t joint = needs_.joints[i];
    motions_[i] = joint < 0 ? DualQuaternionf() : motion(skinning[static_cast<std::size_t>(joint)]);
  }
}

void CharacterPalette::prepare_exactly(const SkeletonPose& pose) {
  ordered_.resize(needs_.joints.size());
  for (std::size_t i = 0; i < ordered_.size(); ++i) {
    const std::int32_t joint = needs_.joints[i];
    if (joint < 0) {
      ordered_[i].setIdentity();
    } else {
      ordered_[i] = pose.skinning[static_cast<std::size_t>(joint)];
    }
  }
  palette_.prepare(needs_.method, ordered_, needs_.geom_bind);
}

void CharacterPalette::take_normals() {
  for (std::size_t i = 0; i < normal_transforms_.size(); ++i) {
    const Matrix4d transform = view_.transforms[i].matrix();
    normal_transforms_[i] = normal_transform(transform.topLeftCorner<3, 3>());
  }
}

const SkinPaletteView& CharacterPalette::update(CharacterPose& pose) {
  const double error = std::max(shape_error_, pose.shape_error());
  const bool rigid = error <= kRigid;
  const bool moves = std::max(error, pose.rest_error()) <= kRigidMotion &&
                     needs_.method == SkinningMethod::dual_quaternion;
  if (!pose.fast() || !(folds_ || moves)) {
    prepare_exactly(pose.exact());
    return palette_.view();
  }
  if (moves) {
    take_motions(pose.skinning());
    view_.motions = motions_;
    return view_;
  }
  if (unchanged_) {
    view_.transforms = pose.skinning();
  } else {
    fold(pose.skel_from_joint(), joint_from_mesh_, transforms_);
    view_.transforms = transforms_;
  }
  view_.normal_transforms = {};
  if (needs_.normals && !rigid) {
    if (inverts_ && pose.shape_error() <= kNearlyRigid) {
      // The inverse transpose of a product is that of its factors, of which one does not change.
      fold(pose.joint_normals(), mesh_normals_, normal_transforms_);
    } else {
      take_normals();
    }
    view_.normal_transforms = normal_transforms_;
  }
  return view_;
}

}  // namespace sinew::skel
