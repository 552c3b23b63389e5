// SPDX-License-Identifier: Apache-2.0
#include "skel/read/character_pose.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/format_text.hpp"
#include "core/transform_kind.hpp"
#include "sinew/core/assert.hpp"
#include "sinew/geom/transforms.hpp"
#include "sinew/skel/crowd.hpp"
#include "sinew/skel/joint_transforms.hpp"
#include "skel/exact_pose.hpp"
#include "skel/inverse_transpose.hpp"
#include "skel/read/clip_source.hpp"
#include "skel/read/reporting_evaluate.hpp"

namespace sinew::skel {

namespace {

// A palette takes the bind pose; without one it is not used.
Result<PackedSkeleton> pack(const Skeleton& skeleton, SimdLevel level) {
  std::vector<Matrix4d> joint_from_bind(skeleton.inverse_bind_transforms().begin(),
                                        skeleton.inverse_bind_transforms().end());
  joint_from_bind.resize(skeleton.joint_count(), Matrix4d::Identity());
  return PackedSkeleton::pack({.parents = skeleton.topology().parents(),
                               .joint_from_bind = joint_from_bind,
                               .level = level});
}

/// How far the square of the length of any rotation is from 1. NaN counts as endless.
double rotation_error_of(const PackedClip& clip) {
  double worst = 0.0;
  for (std::size_t sample = 0; sample < clip.sample_count(); ++sample) {
    const float* q = clip.sample(sample);
    for (std::size_t j = 0; j < clip.joint_count(); ++j, q += PackedClip::kStride) {
      double square = 0.0;
      for (int i = 0; i < 4; ++i) square += static_cast<double>(q[i]) * static_cast<double>(q[i]);
      const double error = std::abs(square - 1.0);
      if (!(error <= worst)) {
        worst = error > worst ? error : std::numeric_limits<double>::infinity();
      }
    }
  }
  return worst;
}

/// Rotations are not normalised: those of another length scale and shear.
double shape_error_of(const PackedClip& clip, double rotation_error) {
  return clip.has_scales() ? std::numeric_limits<double>::infinity() : 2.0 * rotation_error;
}

// How far the square of a rotation's length may be from 1 to be that of rounding.
constexpr double kLongest = 1e-3;

/// Whether a clip interpolates at other times than those between samples of rotations: it has the
/// sample times of translations too. Between rotations that are not of unit length, which OpenUSD
/// takes as they are, another sample changes what lies beside it.
bool divides_rotations(const PackedClip& clip, const stage::Attribute& rotations) {
  const std::vector<double> own = rotations ? rotations.time_samples() : std::vector<double>();
  const auto is_own = [&](double time) { return std::binary_search(own.begin(), own.end(), time); };
  const std::span<const double> times = clip.times();
  for (std::size_t i = 1; i < times.size(); ++i) {
    if (is_own(times[i - 1]) && is_own(times[i])) continue;
    const auto bracket = clip.bracket(times[i - 1] + (times[i] - times[i - 1]) / 2);
    if (bracket.lower != bracket.upper) return true;
  }
  return false;
}

// The values may be those that are held, from the first on.
template <typename T>
void take_over(std::span<const T> values, std::vector<T>& to) {
  if (values.data() != to.data()) to.assign(values.begin(), values.end());
}

void store(std::span<const Matrix4d> from, std::vector<Affine34f>& to) {
  to.resize(from.size());
  for (std::size_t j = 0; j < from.size(); ++j) to[j] = Affine34f(from[j]);
}

}  // namespace

double shape_error_of(const Matrix4d& transform) {
  const Matrix3d linear = transform.topLeftCorner<3, 3>();
  if (!transform.allFinite() || !is_affine(transform) || !(linear.determinant() > 0.0)) {
    return std::numeric_limits<double>::infinity();
  }
  return (linear * linear.transpose() - Matrix3d::Identity()).cwiseAbs().maxCoeff();
}

Status CharacterPose::open(const SkeletonBinding& binding, SimdLevel level,
                           Diagnostics& diagnostics) {
  binding_ = &binding;
  world_varies_ = geom::world_transform_might_vary(binding.skeleton_prim);
  if (binding.skeleton == nullptr || binding.skeleton->joint_count() == 0) return {};
  const std::span<const Matrix4d> binds = binding.skeleton->inverse_bind_transforms();
  binds_are_affine_ = std::all_of(binds.begin(), binds.end(), is_affine);
  if (!binds_are_affine_) return {};
  Result<PackedSkeleton> skeleton = pack(*binding.skeleton, level);
  if (!skeleton) {
    return skeleton.error().code == ErrorCode::unsupported ? Status(skeleton.error()) : Status();
  }
  Result<Clip> clip = read_clip(binding, diagnostics);
  if (!clip) return {};  // evaluate_pose() does it, and says what is wrong.
  const double rotation_error = rotation_error_of(clip->joints);
  if (rotation_error > kLongest && binding.animation != nullptr &&
      divides_rotations(clip->joints, binding.animation->rotations)) {
    return {};
  }
  skeleton_ = *std::move(skeleton);
  clip_ = *std::move(clip);
  shape_error_ = shape_error_of(clip_->joints, rotation_error);
  find_resting();
  weights_storage_.resize(clip_->weights.width());
  skel_from_joint_.reserve(skeleton_.joint_count());
  skinning_.reserve(skeleton_.joint_count());
  joint_normals_.reserve(skeleton_.joint_count());
  exact_.joint_local.reserve(skeleton_.joint_count());
  exact_.joint_skel.reserve(skeleton_.joint_count());
  exact_.skinning.reserve(skeleton_.joint_count());
  return {};
}

// A clip has scales that are nearly 1 as 1, which joints at rest may have.
void CharacterPose::find_resting() {
  const std::vector<std::int32_t> animation_joint = animation_joints(*binding_);
  const std::span<const Matrix4d> rest = binding_->skeleton->rest_transforms();
  for (std::size_t j = 0; j < animation_joint.size() && j < rest.size(); ++j) {
    if (animation_joint[j] >= 0) continue;
    resting_.push_back(static_cast<std::uint32_t>(j));
    rest_error_ = std::max(rest_error_, shape_error_of(rest[j]));
  }
}

void CharacterPose::place() {
  const bool at_default = exact_.time.is_default();
  if (placed_ && placed_at_default_ == at_default) return;
  exact_.world_from_skel = geom::world_from_prim(binding_->skeleton_prim, exact_.time);
  placed_ = !world_varies_;
  placed_at_default_ = at_default;
}

void CharacterPose::evaluate(stage::Time time, Reporter& reporter) {
  weights_.reset();
  has_joint_normals_ = false;
  is_taken_ = false;
  // What stands at the default time is not in the clip.
  fast_ = clip_.has_value() && !time.is_default();
  exact_is_complete_ = !fast_;
  if (!fast_) return evaluate_slowly(time, reporter);
  exact_.time = time;
  place();
  evaluate_clip();
}

Status CharacterPose::take(stage::Time time, std::span<const Affine34f> skel_from_joint,
                           std::span<const float> weights) {
  const Skeleton* const skeleton = binding_->skeleton.get();
  const std::size_t joints = skeleton != nullptr ? skeleton->joint_count() : 0;
  if (joints == 0 || skel_from_joint.size() != joints) {
    return {ErrorCode::size_mismatch,
            format_text("There are {} transforms for {} joints.", skel_from_joint.size(), joints)};
  }
  const StageAnimation* const animation = binding_->animation.get();
  const std::size_t shapes = animation != nullptr ? animation->blend_shapes.size() : 0;
  if (!weights.empty() && weights.size() != shapes) {
    return {ErrorCode::size_mismatch,
            format_text("There are {} weights for {} blend shapes.", weights.size(), shapes)};
  }
  weights_.reset();
  if (!weights.empty()) {
    take_over(weights, taken_weights_);
    weights_ = taken_weights_;
  }
  has_joint_normals_ = false;
  is_taken_ = true;
  fast_ = binds_are_affine_;
  exact_is_complete_ = false;
  exact_.time = time;
  place();
  exact_.status = skeleton->has_bind_pose() ? PoseStatus::skinnable : PoseStatus::posed;
  take_over(skel_from_joint, skel_from_joint_);
  skinning_.resize(skeleton->has_bind_pose() ? joints : 0);
  for (std::size_t j = 0; j < skinning_.size(); ++j) {
    skinning_[j] = Affine34f(skel_from_joint_[j].matrix() * skeleton->inverse_bind_transforms()[j]);
  }
  return {};
}

void CharacterPose::evaluate_clip() {
  const double time = exact_.time.code();
  const std::size_t joints = skeleton_.joint_count();
  skel_from_joint_.resize(joints);
  skinning_.resize(binding_->skeleton->has_bind_pose() ? joints : 0);
  const Status status = PoseAgentJob{.skeleton = &skeleton_,
                                     .agent = {&clip_->joints, time},
                                     .skel_from_joint = skel_from_joint_,
                                     .palette = skinning_,
                                     .cursor = &cursor_}
                            .run();
  SINEW_ASSERT(status.has_value());  // Clip and skeleton have the same joints.
  (void)status;
  exact_.status = binding_->skeleton->has_bind_pose() ? PoseStatus::skinnable : PoseStatus::posed;
  if (clip_->weights.sample_count() == 0) return;
  if (const auto count = clip_->weights.sample(time, weights_hint_, weights_storage_)) {
    weights_ = std::span<const float>(weights_storage_).first(*count);
  }
}

void CharacterPose::evaluate_slowly(stage::Time time, Reporter& reporter) {
  evaluate_pose(*binding_, time, exact_, reporter);
  placed_ = false;
  store(exact_.joint_skel, skel_from_joint_);
  store(exact_.skinning, skinning_);
  if (exact_.blend_shape_weights) weights_ = *exact_.blend_shape_weights;
}

std::span<const Affine34f> CharacterPose::joint_normals() {
  if (std::exchange(has_joint_normals_, true)) return joint_normals_;
  joint_normals_.clear();
  for (const Affine34f& transform : skel_from_joint()) {
    joint_normals_.push_back(normal_transform(transform.matrix().topLeftCorner<3, 3>()));
  }
  return joint_normals_;
}

// The joints of the clip at the present time, in double.
void CharacterPose::pose_exactly() {
  exact_.joint_local.resize(skeleton_.joint_count());
  exact_local_transforms(clip_->joints, exact_.time.code(), cursor_, exact_.joint_local);
  const Skeleton& skeleton = *binding_->skeleton;
  for (const std::uint32_t joint : resting_) {
    exact_.joint_local[joint] = skeleton.rest_transforms()[joint];
  }
  const Status status =
      concat_joint_transforms(skeleton.topology(), exact_.joint_local, exact_.joint_skel);
  SINEW_ASSERT(status.has_value());  // Everything has as many joints as the clip.
  (void)status;
}

const SkeletonPose& CharacterPose::exact() {
  if (exact_is_complete_) return exact_;
  exact_is_complete_ = true;
  exact_.joint_skel.resize(skel_from_joint_.size());
  exact_.skinning.resize(skinning_.size());
  if (is_taken_) {
    exact_.joint_local.clear();
    for (std::size_t j = 0; j < skel_from_joint_.size(); ++j) {
      exact_.joint_skel[j] = skel_from_joint_[j].matrix();
    }
  } else {
    pose_exactly();
  }
  if (!exact_.skinning.empty()) {
    const Status status =
        skinning_transforms(*binding_->skeleton, exact_.joint_skel, exact_.skinning);
    SINEW_ASSERT(status.has_value());  // Everything has as many joints as the skeleton.
    (void)status;
  }
  auto& weights = exact_.blend_shape_weights;
  if (weights_) {
    if (!weights) weights.emplace(std::move(spare_weights_));
    weights->assign(weights_->begin(), weights_->end());
  } else if (weights) {
    spare_weights_ = *std::move(weights);
    weights.reset();
  }
  return exact_;
}

}  // namespace sinew::skel
