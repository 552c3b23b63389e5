// SPDX-License-Identifier: Apache-2.0
#include "web/web_character.hpp"

#include <algorithm>
#include <utility>

#include "sinew/geom/transform_cache.hpp"
#include "sinew/stage/stage.hpp"

namespace sinew::web {

namespace {

constexpr std::size_t kMostOfCharacter = 1000;

void put(const Matrix4d& matrix, float* out) {
  for (int i = 0; i < 16; ++i) out[i] = static_cast<float>(matrix.data()[i]);
}

/// First and last sample of everything that the animation moves.
std::optional<std::pair<double, double>> time_range(const skel::StageAnimation& animation) {
  std::optional<std::pair<double, double>> range;
  for (const stage::Attribute* attribute : {&animation.translations, &animation.rotations,
                                            &animation.scales, &animation.blend_shape_weights}) {
    if (!attribute->valid()) continue;
    const std::vector<double> times = attribute->time_samples();
    if (times.empty()) continue;
    if (!range) range = {times.front(), times.back()};
    range->first = std::min(range->first, times.front());
    range->second = std::max(range->second, times.back());
  }
  return range;
}

void write_shapes(exporter::JsonSink& json, const skel::SkinnedPrim& skin) {
  json.key("blendShapes");
  json.begin_array();
  if (skin.blend_shapes != nullptr) {
    const std::span<const skel::BlendShape> shapes = skin.blend_shapes->shapes();
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      const skel::BlendShape& shape = shapes[i];
      const bool is_named = skin.blend_shape_order && i < skin.blend_shape_order->size();
      json.begin_object();
      json.member("name", is_named ? (*skin.blend_shape_order)[i] : shape.name);
      json.key("inbetweens");
      json.begin_array();
      for (const skel::InbetweenShape& between : shape.inbetweens) {
        json.begin_object();
        json.member("name", between.name);
        json.member("weight", between.weight);
        json.end_object();
      }
      json.end_array();
      json.end_object();
    }
  }
  json.end_array();
}

}  // namespace

WebCharacter::WebCharacter(const skel::SkeletonBinding& binding, double meters_per_unit,
                           geom::MaterialBindings& materials, Diagnostics& diagnostics)
    : binding_(binding), meters_per_unit_(meters_per_unit) {
  for (const skel::SkinTarget& target : binding_.targets) {
    SurfaceMesh& mesh = meshes_.emplace_back();
    if (target.prim.is_a(stage::SchemaType::mesh)) {
      mesh.read(target.prim, stage::Time::earliest(), materials);
    }
  }
  if (binding_.skeleton != nullptr) {
    joint_world_.resize(16 * binding_.skeleton->joint_count());
    auto character = skel::Character::open(binding_, diagnostics);
    if (character) character_.emplace(*std::move(character));
  }
  if (binding_.animation != nullptr) {
    blend_weights_.resize(binding_.animation->blend_shapes.size());
  }
}

std::span<const std::int32_t> WebCharacter::parents() const noexcept {
  if (binding_.skeleton == nullptr) return {};
  return binding_.skeleton->topology().parents();
}

const SurfaceMesh* WebCharacter::mesh(std::uint32_t target) const noexcept {
  return target < meshes_.size() ? &meshes_[target] : nullptr;
}

void WebCharacter::set_blend_weights(std::span<const float> weights) {
  own_weights_.reset();
  if (weights.empty()) return;
  own_weights_.emplace(weights.begin(), weights.end());
  own_weights_->resize(blend_weights_.size());
}

Matrix4d WebCharacter::in_meters(const Matrix4d& world) const {
  Matrix4d scaled = world;
  scaled.topRows<3>() *= meters_per_unit_;
  return scaled;
}

void WebCharacter::pose(stage::Time time) {
  time_ = time;
  if (!character_) {
    pose_slowly(time);
  } else if (shown_ == ShownPose::animated && !own_weights_) {
    pose_fast(time);
  } else {
    pose_slowly(time);
  }
  if (diagnostics_.size() > kMostOfCharacter) diagnostics_.resize(kMostOfCharacter);
}

void WebCharacter::pose_fast(stage::Time time) {
  character_->pose(time);
  character_->deform();
  world_from_skel_ = character_->world_from_skel();
  joints_.clear();
  for (const Affine34f& joint : character_->skel_from_joint()) joints_.push_back(joint.matrix());
  take_joints(joints_);
  if (const auto weights = character_->blend_shape_weights()) {
    std::copy_n(weights->begin(), std::min(weights->size(), blend_weights_.size()),
                blend_weights_.begin());
  }
  const std::span<const skel::CharacterMesh> meshes = character_->meshes();
  for (std::size_t i = 0; i < meshes.size(); ++i) {
    const skel::CharacterMesh& mesh = meshes[i];
    place(i, mesh.points, mesh.normals, mesh.blended_points, mesh.skinned_transform, mesh.skinned);
  }
  diagnostics_ = character_->diagnostics();
}

void WebCharacter::pose_slowly(stage::Time time) {
  diagnostics_.clear();
  const bool at_rest = shown_ == ShownPose::rest;
  skel::evaluate_pose(binding_, time, pose_, diagnostics_,
                      at_rest ? skel::PoseSource::rest : skel::PoseSource::animated);
  if (shown_ == ShownPose::bind && binding_.skeleton != nullptr &&
      binding_.skeleton->has_bind_pose()) {
    const auto bind = binding_.skeleton->bind_transforms();
    pose_.joint_skel.assign(bind.begin(), bind.end());
    pose_.skinning.assign(bind.size(), Matrix4d::Identity());
    pose_.status = skel::PoseStatus::skinnable;
  }
  if (shown_ != ShownPose::animated && pose_.blend_shape_weights) {
    std::fill(pose_.blend_shape_weights->begin(), pose_.blend_shape_weights->end(), 0.0F);
  }
  if (own_weights_) pose_.blend_shape_weights = *own_weights_;
  world_from_skel_ = pose_.world_from_skel;
  take_joints(pose_.joint_skel);
  if (pose_.blend_shape_weights) {
    std::copy_n(pose_.blend_shape_weights->begin(),
                std::min(pose_.blend_shape_weights->size(), blend_weights_.size()),
                blend_weights_.begin());
  }
  deformed_.resize(binding_.targets.size());
  for (std::size_t i = 0; i < binding_.targets.size(); ++i) {
    skel::DeformedPrim& mesh = deformed_[i];
    if (binding_.skeleton != nullptr) {
      skel::evaluate_target(binding_.targets[i], pose_, mesh, diagnostics_);
    }
    place(i, mesh.points, mesh.normals, mesh.blended_points, mesh.skinned_transform, mesh.skinned);
  }
}

void WebCharacter::take_joints(std::span<const Matrix4d> skel_from_joint) {
  const Matrix4d world = in_meters(world_from_skel_);
  const std::size_t count = std::min(skel_from_joint.size(), joint_world_.size() / 16);
  for (std::size_t i = 0; i < count; ++i) {
    put(world * skel_from_joint[i], joint_world_.data() + 16 * i);
  }
}

void WebCharacter::place(std::size_t target, std::span<const Vector3f> points,
                         std::span<const Vector3f> normals, std::span<const Vector3f> blended,
                         const std::optional<Matrix4d>& rigid, bool skinned) {
  if (skinned && !points.empty()) {
    meshes_[target].place(points, normals, in_meters(world_from_skel_));
    return;
  }
  const Matrix4d world =
      rigid ? Matrix4d(world_from_skel_ * *rigid)
            : geom::TransformCache(time_).world_from_prim(binding_.targets[target].prim);
  meshes_[target].place(blended, {}, in_meters(world));
}

std::span<const float> WebCharacter::joint_weights(std::uint32_t target, std::uint32_t joint) {
  joint_weights_.clear();
  if (target >= binding_.targets.size() || binding_.skeleton == nullptr) return {};
  if (joint >= binding_.skeleton->joint_count()) return {};
  const skel::SkinTarget& skinned = binding_.targets[target];
  const auto influences = skel::read_influences(skinned, time_);
  if (!influences) return {};

  // The joint's number in the order of this mesh.
  std::int32_t number = static_cast<std::int32_t>(joint);
  if (skinned.skin->joint_order) {
    const auto& order = *skinned.skin->joint_order;
    const auto found = std::find(order.begin(), order.end(), binding_.skeleton->joints()[joint]);
    if (found == order.end()) return {};
    number = static_cast<std::int32_t>(found - order.begin());
  }
  const std::size_t per_row = std::max<std::size_t>(1, skinned.skin->influences);
  const bool one_row = skinned.skin->scope == skel::InfluenceScope::constant;
  const SurfaceMesh& mesh = meshes_[target];
  std::vector<float> per_point(mesh.point_count());
  const std::size_t known = std::min(influences->indices.size(), influences->weights.size());
  for (std::size_t point = 0; point < per_point.size(); ++point) {
    const std::size_t row = one_row ? 0 : point * per_row;
    for (std::size_t k = row; k < std::min(row + per_row, known); ++k) {
      if (influences->indices[k] == number) per_point[point] += influences->weights[k];
    }
  }
  mesh.spread(per_point, joint_weights_);
  return joint_weights_;
}

void WebCharacter::write(exporter::JsonSink& json) const {
  json.begin_object();
  json.member("path", binding_.skeleton_prim.path().view());
  json.member("skelRoot", binding_.skel_root.path().view());
  json.key("animation");
  if (binding_.animation_prim) {
    json.value(binding_.animation_prim.path().view());
  } else {
    json.null();
  }
  json.key("range");
  const auto range = binding_.animation != nullptr ? time_range(*binding_.animation) : std::nullopt;
  if (range) {
    json.begin_array();
    json.value(range->first);
    json.value(range->second);
    json.end_array();
  } else {
    json.null();
  }
  json.key("joints");
  if (binding_.skeleton != nullptr) {
    json.list(binding_.skeleton->joints());
  } else {
    json.null();
  }
  json.key("blendShapes");
  if (binding_.animation != nullptr) {
    json.list(binding_.animation->blend_shapes);
  } else {
    json.list(std::vector<std::string>());
  }
  json.key("targets");
  json.begin_array();
  for (std::size_t i = 0; i < binding_.targets.size(); ++i) {
    const skel::SkinTarget& target = binding_.targets[i];
    json.begin_object();
    json.member("path", target.prim.path().view());
    json.member("method", target.skin->method_name);
    json.member("influences", target.skin->has_joint_influences ? target.skin->influences : 0);
    write_shapes(json, *target.skin);
    meshes_[i].write_members(json);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

}  // namespace sinew::web
