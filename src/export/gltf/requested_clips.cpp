// SPDX-License-Identifier: Apache-2.0
// Clips of animations that are asked for, whether the stage plays them or not.

#include <utility>

#include "core/format_text.hpp"
#include "export/gltf/clips.hpp"
#include "sinew/skel/match_joints.hpp"
#include "sinew/skel/read/clip.hpp"

namespace sinew::exporter {

namespace {

/// The range of a clip, as that of the file while it lives.
class ClipRange {
 public:
  ClipRange(Writer& w, const GlbClipRequest& request, const stage::Prim& prim,
            const skel::StageAnimation& animation)
      : w_(w), first_(w.first), last_(w.last) {
    TimeSpan span;
    span.add(animation);
    if (span.is_empty()) return;
    if (!w.has_given_range) {
      w.first = span.first;
      w.last = span.last;
    } else if (!w.options.time_range && (span.first < w.first || span.last > w.last)) {
      w.warn("gltf-clip", prim,
             format_text("{} has samples from {} to {}; the clip '{}' ends with the time codes of "
                         "the stage, {} to {}.",
                         prim.path().view(), span.first, span.last, request.name, w.first, w.last));
    }
  }
  ~ClipRange() {
    w_.first = first_;
    w_.last = last_;
  }
  ClipRange(const ClipRange&) = delete;
  ClipRange& operator=(const ClipRange&) = delete;

 private:
  Writer& w_;
  double first_, last_;
};

}  // namespace

void add_requested_clip(Writer& w, const GlbClipRequest& request) {
  const stage::Prim prim = w.stage.prim(request.prim_path);
  if (!prim || !prim.is_a(stage::SchemaType::skel_animation)) {
    w.fail(ErrorCode::invalid_argument,
           format_text("There is no SkelAnimation {} to make the clip '{}' of.", request.prim_path,
                       request.name));
    return;
  }
  PlanClip clip;
  clip.name = request.name;
  std::int32_t moved = kTop;
  const auto animation = skel::read_animation(prim, w.diagnostics);
  const ClipRange range(w, request, prim, *animation);
  for (const skel::SkeletonBinding& binding : w.bindings) {
    const PlanSkeleton* const skeleton = planned(w, binding);
    if (binding.skeleton == nullptr || (skeleton == nullptr && !drives_morphs(w, binding)))
      continue;
    const skel::JointMatch match =
        skel::match_joints(animation->joints, binding.skeleton->joints());
    const Result<skel::Clip> read = skel::read_clip(prim, binding, match, w.diagnostics);
    if (!read) {
      w.warn("gltf-clip", prim,
             format_text("{} cannot move {}: {}", prim.path().view(),
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
         format_text("{} moves nothing that is written; the clip '{}' is left out.",
                     prim.path().view(), request.name));
}

}  // namespace sinew::exporter
