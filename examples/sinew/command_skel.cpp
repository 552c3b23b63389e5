// SPDX-License-Identifier: Apache-2.0
// sinew skel: every skeleton binding of a stage, evaluated at one time.

#include <cstdio>
#include <span>

#include "commands.hpp"
#include "sinew/skel/read/bindings.hpp"
#include "sinew/skel/read/character.hpp"
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

/// A binding at one time: its pose, and what it deforms, target by target.
struct Evaluated {
  skel::SkeletonPose pose;
  std::vector<skel::DeformedPrim> targets;
};

skel::DeformOptions deform_options(const skel::SkeletonBinding& binding, SimdLevel simd) {
  skel::DeformOptions options;
  options.level = simd;
  // OpenUSD's functions do not look at the interpolation.
  if (binding.skeleton_prim.stage().rules() == Rules::openusd) {
    options.normals = skel::NormalsUse::per_point;
  }
  return options;
}

std::vector<Matrix4d> matrices_of(std::span<const Affine34f> transforms) {
  std::vector<Matrix4d> result;
  for (const Affine34f& transform : transforms) result.push_back(transform.matrix());
  return result;
}

/// Puts what a character computes into the place of what evaluate_pose() did, local transforms
/// excepted, which a character does not have. One that was posed slowly has called that itself, and
/// its float transforms lack the last rows of projective ones.
void take_pose(const skel::Character& character, skel::SkeletonPose& pose) {
  if (!character.is_posed_fast()) return;
  pose.status = character.status();
  pose.joint_skel = matrices_of(character.skel_from_joint());
  pose.skinning = matrices_of(character.skinning());
  pose.joint_world.clear();
  for (const Matrix4d& joint : pose.joint_skel) {
    pose.joint_world.push_back(character.world_from_skel() * joint);
  }
  pose.blend_shape_weights.reset();
  if (const auto weights = character.blend_shape_weights()) {
    pose.blend_shape_weights.emplace(weights->begin(), weights->end());
  }
}

skel::DeformedPrim deformed_of(const skel::CharacterMesh& mesh) {
  const auto copy = [](const auto& span, auto& to) { to.assign(span.begin(), span.end()); };
  skel::DeformedPrim result;
  result.geom_bind = mesh.geom_bind;
  copy(mesh.sub_shape_weights, result.sub_shape_weights);
  result.blended = mesh.blended;
  copy(mesh.blended_points, result.blended_points);
  copy(mesh.blended_normals, result.blended_normals);
  result.skinned_transform = mesh.skinned_transform;
  result.skinned = mesh.skinned;
  copy(mesh.points, result.points);
  copy(mesh.normals, result.normals);
  result.normals_per_face_vertex = mesh.normals_per_face_vertex;
  copy(mesh.tangents, result.tangents);
  return result;
}

Evaluated evaluate(const skel::SkeletonBinding& binding, const SkelOptions& options,
                   Diagnostics& diagnostics) {
  Evaluated result;
  skel::evaluate_pose(binding, options.time, result.pose, diagnostics);
  if (binding.skeleton == nullptr) return result;
  const skel::DeformOptions deform = deform_options(binding, options.simd);
  if (!options.fast) {
    for (const skel::SkinTarget& target : binding.targets) {
      skel::evaluate_target(target, result.pose, result.targets.emplace_back(), diagnostics,
                            deform);
    }
    return result;
  }
  auto character =
      skel::Character::open(binding, diagnostics, {.deform = deform, .keep_blended = true});
  if (!character) return result;  // Not possible: the level was checked.
  character->pose(options.time);
  character->deform();
  take_pose(*character, result.pose);
  for (const skel::CharacterMesh& mesh : character->meshes()) {
    result.targets.push_back(deformed_of(mesh));
  }
  diagnostics.insert(diagnostics.end(), character->diagnostics().begin(),
                     character->diagnostics().end());
  return result;
}

Json target_to_json(const skel::SkinTarget& target, const skel::DeformedPrim& deformed,
                    stage::Time time) {
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

  json["geomBindTransform"] = to_json(deformed.geom_bind);
  if (const auto influences = skel::read_influences(target, time)) {
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

Json binding_to_json(const skel::SkeletonBinding& binding, const Evaluated& evaluated) {
  const skel::SkeletonPose& pose = evaluated.pose;
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
  for (std::size_t i = 0; i < evaluated.targets.size(); ++i) {
    targets.push_back(target_to_json(binding.targets[i], evaluated.targets[i], pose.time));
  }
  json["targets"] = std::move(targets);
  return json;
}

void print_summary(const skel::SkeletonBinding& binding, const Evaluated& evaluated) {
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
  for (std::size_t i = 0; i < evaluated.targets.size(); ++i) {
    const skel::SkinTarget& target = binding.targets[i];
    const skel::DeformedPrim& deformed = evaluated.targets[i];
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
  reporter.report(diagnostics, options.file);

  diagnostics.clear();
  skel::ReadOptions read_options;
  read_options.level = options.simd;
  const std::vector<skel::SkeletonBinding> bindings =
      skel::read_bindings(**stage, diagnostics, read_options);
  if (options.json) {
    auto binding = bindings.begin();
    print_json(Json{{"bindings", Json::array()}}, "bindings", [&](Json& item) {
      if (binding == bindings.end()) return false;
      item = binding_to_json(*binding, evaluate(*binding, options, diagnostics));
      ++binding;
      return true;
    });
  } else {
    for (const skel::SkeletonBinding& binding : bindings) {
      print_summary(binding, evaluate(binding, options, diagnostics));
    }
  }
  reporter.report(diagnostics, options.file);
  if (!options.json && bindings.empty()) {
    std::printf("%s binds no skeleton\n", options.file.c_str());
  }
  return ExitStatus::success;
}

}  // namespace sinew::tool
