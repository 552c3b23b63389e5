// SPDX-License-Identifier: Apache-2.0
// Clips of animations that are asked for, whether the stage plays them or not.

#include <fmt/format.h>

#include <utility>

#include "export/gltf/clips.hpp"
#include "sinew/skel/match_joints.hpp"
#include "sinew/skel/read/clip.hpp"

namespace sinew::exporter {

void add_requested_clip(Writer& w, const GlbClipRequest& request) {
  const stage::Prim prim = w.stage.prim(request.prim_path);
  if (!prim || !prim.is_a(stage::SchemaType::skel_animation)) {
    w.fail(ErrorCode::invalid_argument,
           fmt::format("There is no SkelAnimation {} to make the clip '{}' of.", request.prim_path,
                       request.name));
    return;
  }
  PlanClip clip;
  clip.name = request.name;
  std::int32_t moved = kTop;
  const auto animation = skel::read_animation(prim, w.diagnostics);
  for (const skel::SkeletonBinding& binding : w.bindings) {
    const PlanSkeleton* const skeleton = planned(w, binding);
    if (binding.skeleton == nullptr || (skeleton == nullptr && !drives_morphs(w, binding)))
      continue;
    const skel::JointMatch match =
        skel::match_joints(animation->joints, binding.skeleton->joints());
    const Result<skel::Clip> read = skel::read_clip(prim, binding, match, w.diagnostics);
    if (!read) {
      w.warn("gltf-clip", prim,
             fmt::format("{} cannot move {}: {}", prim.path().view(),
                         binding.skeleton_prim.path().view(), read.error().message));
      continue;
    }
    if (skeleton != nullptr && match.rule != skel::JointMatchRule::none) {
      add_joints(w, *skeleton, read->joints, animation.get(), clip);
      if (!skeleton->joints.empty()) moved = skeleton->joints[0];
    }
    add_morphs(w, binding, *read, clip);
    for (const MorphUse& use : w.morphs) {
      if (use.binding == &binding && read->weights.sample_count() > 0 && moved == kTop)
        moved = use.node;
    }
  }
  if (clip.channels.empty()) stand_still(w, moved, clip);
  if (!clip.channels.empty()) {
    w.clips.push_back(std::move(clip));
    return;
  }
  w.warn("gltf-clip", prim,
         fmt::format("{} moves nothing that is written; the clip '{}' is left out.",
                     prim.path().view(), request.name));
}

}  // namespace sinew::exporter
