// SPDX-License-Identifier: Apache-2.0
#include "skel/read/character_target.hpp"

#include <cmath>
#include <utility>

#include "sinew/core/assert.hpp"
#include "sinew/skel/skinning.hpp"
#include "skel/kernels/skin_kernels.hpp"
#include "skel/read/reporting_evaluate.hpp"
#include "skel/rigid_corners.hpp"

namespace sinew::skel {

std::size_t CharacterPalettes::add(const PaletteNeeds& needs) {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (entries_[i].palette.needs() == needs) return i;
  }
  entries_.push_back({CharacterPalette(needs, inverse_bind_)});
  return entries_.size() - 1;
}

void CharacterPalettes::forget_views() noexcept {
  for (Entry& entry : entries_) entry.view = nullptr;
}

const SkinPaletteView& CharacterPalettes::view(std::size_t index, CharacterPose& pose) {
  Entry& entry = entries_[index];
  if (entry.view == nullptr) entry.view = &entry.palette.update(pose);
  return *entry.view;
}

BlendAndSkinJob& FrameJobs::next(const BlendAndSkinJob& source) {
  BlendAndSkinJob& job = jobs_[count_];
  const BlendAndSkinJob*& made_from = sources_[count_++];
  if (made_from != &source) job = source;
  made_from = &source;
  return job;
}

CharacterTarget::CharacterTarget(const SkinTarget& target, const SkeletonBinding& binding,
                                 const CharacterOptions& options, CharacterMesh& mesh)
    : target_(&target), binding_(&binding), options_(options), mesh_(&mesh) {}

void CharacterTarget::open(stage::Time time, CharacterPalettes& palettes) {
  inputs_.reset();
  if (binding_->skeleton == nullptr) return;
  inputs_ = read_target_inputs(*target_, *binding_->skeleton, time, options_);
  if (!inputs_) return;
  const TargetInputs& in = *inputs_;
  if (in.follows_joints && binding_->skeleton->has_bind_pose()) {
    const SkinningMethod method = target_->skin->method;
    const bool normals = !in.normals.empty() || !in.face_normals.empty();
    if (!in.points.empty()) palette_ = palettes.add({method, in.geom_bind, in.joints, normals});
    if (in.is_rigid && in.rigid_joint < 0) {
      rigid_palette_ = palettes.add({method, Matrix4d::Identity(), in.joints, false});
    }
    points_.resize(in.points.size());
    normals_.resize(in.face_normals.empty() ? in.normals.size() : in.face_normals.size());
    tangents_.resize(in.tangents.size());
    prepare_jobs();
  }
  if (!target_->has_blend_shapes()) return;
  const BlendShapeSet& set = *target_->skin->blend_shapes;
  local_weights_.reserve(target_->blend_shape_mapper->size());
  weights_.reserve(2 * set.shape_count());
  applied_weights_.reserve(2 * set.shape_count());
  flat_weights_.resize(set.sub_shape_count());
  if (in.follows_joints && binding_->skeleton->has_bind_pose() && !options_.keep_blended) return;
  blended_points_.resize(in.points.size());
  if (set.has_normal_offsets()) blended_normals_.resize(in.normals.size());
}

void CharacterTarget::clear() {
  *mesh_ = CharacterMesh();
  mesh_->target = target_;
  if (inputs_) mesh_->new_from_old = inputs_->influences.new_from_old();
}

void CharacterTarget::begin(CharacterPose& pose, CharacterPalettes& palettes,
                            const Executor& executor, Reporter& reporter, FrameJobs& jobs) {
  const Blend blend = inputs_ ? blend_weights(pose) : Blend::misfits;
  if (blend == Blend::misfits) return deform_slowly(pose, executor, reporter);
  mesh_->fast = true;
  mesh_->geom_bind = inputs_->geom_bind;
  const bool blends = blend == Blend::applies;
  const bool skins = inputs_->follows_joints && pose.status() == PoseStatus::skinnable;
  if (blends) {
    mesh_->blended = true;
    mesh_->sub_shape_weights = applied_weights_;
    if (!skins || options_.keep_blended) keep_blended(executor);
  }
  if (!skins) return;
  if (inputs_->is_rigid) move_rigidly(pose, palettes);
  if (!inputs_->has_points) return;
  mesh_->skinned = true;
  if (!inputs_->points.empty()) skin(blends, palettes.view(palette_, pose), jobs);
}

// Weights of the sub-shapes, and whether every one that moves something fits the points.
CharacterTarget::Blend CharacterTarget::blend_weights(const CharacterPose& pose) {
  if (!options_.deform.blend_shapes || !target_->has_blend_shapes() || !pose.weights() ||
      !inputs_->has_points) {
    return Blend::none;
  }
  const BlendShapeSet& set = *target_->skin->blend_shapes;
  local_weights_.clear();  // What the animation does not name gets 0.
  const std::span<const float> local =
      target_->blend_shape_mapper->remapped<float>(*pose.weights(), local_weights_);
  if (local.size() != set.shape_count()) return Blend::misfits;
  Status status = set.sub_shape_weights(local, weights_);
  if (status) status = set.flatten(weights_, flat_weights_);
  SINEW_ASSERT(status.has_value());  // Everything was made to fit.
  applied_weights_.clear();
  for (const SubShapeWeight& entry : weights_) {
    applied_weights_.push_back(entry.weight);
    const bool applies = !(std::abs(entry.weight) < kNoShapeWeight);
    if (applies && inputs_->misfits[entry.sub_shape]) return Blend::misfits;
  }
  return Blend::applies;
}

void CharacterTarget::deform_slowly(CharacterPose& pose, const Executor& executor,
                                    Reporter& reporter) {
  DeformOptions options = options_.deform;
  options.executor = executor;
  evaluate_target(*target_, pose.exact(), slow_, reporter, options);
  mesh_->geom_bind = slow_.geom_bind;
  mesh_->sub_shape_weights = slow_.sub_shape_weights;
  mesh_->blended = slow_.blended;
  if (!slow_.skinned || options_.keep_blended) {
    mesh_->blended_points = slow_.blended_points;
    mesh_->blended_normals = slow_.blended_normals;
  }
  mesh_->skinned_transform = slow_.skinned_transform;
  mesh_->skinned = slow_.skinned;
  mesh_->points = slow_.points;
  mesh_->normals = slow_.normals;
  mesh_->normals_per_face_vertex = slow_.normals_per_face_vertex;
  mesh_->tangents = slow_.tangents;
  reorder(mesh_->points, points_);
  if (!mesh_->normals_per_face_vertex) reorder(mesh_->normals, normals_);
  reorder(mesh_->tangents, tangents_);
  reorder(mesh_->blended_points, blended_points_);
  reorder(mesh_->blended_normals, blended_normals_);
}

// What was computed in the order of the prim's points.
void CharacterTarget::reorder(std::span<const Vector3f>& values, std::vector<Vector3f>& out) const {
  if (mesh_->new_from_old.empty() || values.size() != mesh_->new_from_old.size()) return;
  out.resize(values.size());
  remap_values<Vector3f>(out, values, mesh_->new_from_old);
  values = out;
}

void CharacterTarget::keep_blended(const Executor& executor) {
  const TargetInputs& in = *inputs_;
  blended_points_.resize(in.points.size());
  BlendShapesJob job;
  job.shapes = &in.shapes;
  job.weights = flat_weights_;
  job.points = in.points.span();
  job.points_out = blended_points_;
  if (target_->skin->blend_shapes->has_normal_offsets()) {
    blended_normals_.resize(in.normals.size());
    job.normals = in.normals.span();
    job.normals_out = blended_normals_;
  }
  const Status status = job.run(executor);
  SINEW_ASSERT(status.has_value());
  (void)status;
  mesh_->blended_points = job.points_out;
  mesh_->blended_normals = job.normals_out;
}

void CharacterTarget::move_rigidly(CharacterPose& pose, CharacterPalettes& palettes) {
  const TargetInputs& in = *inputs_;
  if (in.rigid_joint >= 0) {
    const std::int32_t joint = in.joints[static_cast<std::size_t>(in.rigid_joint)];
    mesh_->skinned_transform = in.geom_bind;
    if (joint < 0) return;
    const auto place = static_cast<std::size_t>(joint);
    mesh_->skinned_transform =
        (pose.fast() ? pose.skinning()[place].matrix() : pose.exact().skinning[place]) *
        in.geom_bind;
    return;
  }
  RigidCorners corners = rigid_corners(in.geom_bind);
  SkinPointsJob job;
  job.influences = &in.rigid;
  job.palette = palettes.view(rigid_palette_, pose);
  job.points = corners;
  job.points_out = corners;
  const Status status = job.run();
  SINEW_ASSERT(status.has_value());
  (void)status;
  mesh_->skinned_transform = transform_of_corners(corners);
}

// What is the same in every frame.
void CharacterTarget::prepare_jobs() {
  const TargetInputs& in = *inputs_;
  job_ = face_job_ = {};
  job_.skin.influences = &in.influences;
  job_.skin.points = in.points.span();
  job_.skin.points_out = points_;
  if (!in.normals.empty()) {
    job_.skin.normals = in.normals.span();
    job_.skin.normals_out = normals_;
  }
  job_.skin.tangents = in.tangents.span();
  job_.skin.tangents_out = tangents_;
  job_.skin.packed_points = &in.packed_points;
  job_.skin.packed_normals = &in.packed_normals;
  job_.skin.packed_tangents = &in.packed_tangents;

  face_job_.skin.influences = &in.face_influences;
  face_job_.skin.normals = in.face_normals.span();
  face_job_.skin.normals_out = normals_;
  face_job_.skin.packed_normals = &in.packed_face_normals;
}

void CharacterTarget::skin(bool blend, const SkinPaletteView& palette, FrameJobs& jobs) {
  BlendAndSkinJob& job = jobs.next(job_);
  job.skin.palette = palette;
  job.shapes = blend ? &inputs_->shapes : nullptr;
  job.weights = flat_weights_;
  mesh_->points = points_;
  mesh_->normals = normals_;
  mesh_->tangents = tangents_;
  if (inputs_->face_normals.empty()) return;
  jobs.next(face_job_).skin.palette = palette;
  mesh_->normals_per_face_vertex = true;
}

}  // namespace sinew::skel
