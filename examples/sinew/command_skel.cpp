// SPDX-License-Identifier: Apache-2.0
// sinew skel: every skeleton binding of a stage, evaluated at one time.

#include <cstdio>
#include <span>

#include "commands.hpp"
#include "sinew/skel/read/bindings.hpp"
#include "sinew/skel/read/evaluate.hpp"
#include "sinew/stage/stage.hpp"

namespace sinew::tool {

namespace {

Json matrices_to_json(const std::vector<Matrix4d>& matrices) {
  return list_to_json(std::span<const Matrix4d>(matrices));
}

Json points_to_json(const std::vector<Vector3f>& points) {
  return list_to_json(std::span<const Vector3f>(points));
}

Json target_to_json(const skel::SkinTarget& target, const skel::SkeletonPose& pose, SimdLevel simd,
                    Diagnostics& diagnostics) {
  const skel::SkinnedPrim& skin = *target.skin;
  Json json;
  json["path"] = target.prim.path().str();
  json["hasJointInfluences"] = skin.has_joint_influences;
  json["hasBlendShapes"] = target.has_blend_shapes();
  json["skinningMethod"] = skin.method_name;
  const bool rigid = skin.scope == skel::InfluenceScope::constant;
  json["interpolation"] = rigid ? "constant" : "vertex";
  json["influencesPerComponent"] = skin.influences;
  json["rigid"] = rigid;

  skel::DeformedPrim deformed;
  skel::DeformOptions options;
  options.level = simd;
  // OpenUSD's functions do not look at the interpolation.
  if (target.prim.stage().rules() == Rules::openusd) options.normals = skel::NormalsUse::per_point;
  skel::evaluate_target(target, pose, deformed, diagnostics, options);
  json["geomBindTransform"] = to_json(deformed.geom_bind);
  if (const auto influences = skel::read_influences(target, pose.time)) {
    json["jointIndices"] = influences->indices.span();
    json["jointWeights"] = list_to_json(influences->weights.span());
  }
  if (deformed.blended || !deformed.sub_shape_weights.empty()) {
    json["subShapeWeights"] = list_to_json(std::span<const float>(deformed.sub_shape_weights));
  }
  if (deformed.blended) {
    json["blendedPoints"] = points_to_json(deformed.blended_points);
  }
  if (deformed.skinned_transform) json["skinnedTransform"] = to_json(*deformed.skinned_transform);
  if (deformed.skinned) json["points"] = points_to_json(deformed.points);
  if (!deformed.normals.empty() && !deformed.normals_per_face_vertex) {
    json["normals"] = points_to_json(deformed.normals);
  }
  return json;
}

Json binding_to_json(const skel::SkeletonBinding& binding, const skel::SkeletonPose& pose,
                     SimdLevel simd, Diagnostics& diagnostics) {
  Json json;
  json["skelRoot"] = binding.skel_root.path().str();
  json["skeleton"] = binding.skeleton_prim.path().str();
  json["valid"] = binding.skeleton != nullptr;
  if (binding.skeleton == nullptr) return json;
  json["animationSource"] =
      binding.animation_prim ? Json(binding.animation_prim.path().str()) : Json(nullptr);
  json["joints"] = binding.skeleton->joints();
  json["parents"] = binding.skeleton->topology().parents();
  json["hasBindPose"] = binding.skeleton->has_bind_pose();
  json["hasRestPose"] = binding.skeleton->has_rest_pose();
  if (pose.status != skel::PoseStatus::none) {
    json["jointLocalTransforms"] = matrices_to_json(pose.joint_local);
    json["jointSkelTransforms"] = matrices_to_json(pose.joint_skel);
    json["jointWorldTransforms"] = matrices_to_json(pose.joint_world);
  }
  if (pose.status == skel::PoseStatus::skinnable) {
    json["skinningTransforms"] = matrices_to_json(pose.skinning);
  }
  if (pose.blend_shape_weights) {
    json["blendShapes"] = binding.animation->blend_shapes;
    json["blendShapeWeights"] = list_to_json(std::span<const float>(*pose.blend_shape_weights));
  }
  Json targets = Json::array();
  for (const skel::SkinTarget& target : binding.targets) {
    targets.push_back(target_to_json(target, pose, simd, diagnostics));
  }
  json["targets"] = std::move(targets);
  return json;
}

void print_summary(const skel::SkeletonBinding& binding, const skel::SkeletonPose& pose,
                   Diagnostics& diagnostics) {
  std::printf("%s\n", binding.skeleton_prim.path().str().c_str());
  std::printf("  SkelRoot   %s\n", binding.skel_root.path().str().c_str());
  if (binding.skeleton == nullptr) {
    std::printf("  invalid    its joints form no hierarchy\n");
    return;
  }
  std::printf("  animation  %s\n", binding.animation_prim
                                       ? binding.animation_prim.path().str().c_str()
                                       : "none: the rest pose");
  std::printf("  joints     %zu%s%s\n", binding.skeleton->joints().size(),
              binding.skeleton->has_bind_pose() ? "" : ", no bind pose",
              binding.skeleton->has_rest_pose() ? "" : ", no rest pose");
  for (const skel::SkinTarget& target : binding.targets) {
    skel::DeformedPrim deformed;
    skel::evaluate_target(target, pose, deformed, diagnostics);
    const skel::SkinnedPrim& skin = *target.skin;
    std::printf("  deforms    %s", target.prim.path().str().c_str());
    if (skin.has_joint_influences) {
      std::printf(" by %zu influence%s per %s (%s)", skin.influences,
                  skin.influences == 1 ? "" : "s",
                  skin.scope == skel::InfluenceScope::constant ? "prim" : "point",
                  skin.method == skel::SkinningMethod::linear ? "linear" : "dual quaternion");
    }
    if (target.has_blend_shapes()) {
      std::printf(", %zu blend shapes", skin.blend_shape_order->size());
    }
    if (deformed.skinned) std::printf(", %zu points", deformed.points.size());
    std::printf("\n");
  }
}

}  // namespace

ExitStatus run_skel(const SkelOptions& options, Reporter& reporter) {
  Diagnostics diagnostics;
  const auto stage = open_stage(options.file, options.common, diagnostics);
  if (!stage) return reporter.open_failed(options.file, stage.error(), diagnostics);
  reporter.report(diagnostics);

  diagnostics.clear();
  skel::ReadOptions read_options;
  read_options.level = options.simd;
  const std::vector<skel::SkeletonBinding> bindings =
      skel::read_bindings(**stage, diagnostics, read_options);
  Json list = Json::array();
  skel::SkeletonPose pose;
  for (const skel::SkeletonBinding& binding : bindings) {
    skel::evaluate_pose(binding, options.time, pose, diagnostics);
    if (options.json) {
      list.push_back(binding_to_json(binding, pose, options.simd, diagnostics));
    } else {
      print_summary(binding, pose, diagnostics);
    }
  }
  reporter.report(diagnostics);
  if (options.json) {
    print_json(Json{{"bindings", std::move(list)}});
  } else if (bindings.empty()) {
    std::printf("%s binds no skeleton\n", options.file.c_str());
  }
  return ExitStatus::success;
}

}  // namespace sinew::tool
