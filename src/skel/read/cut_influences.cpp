// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/read/cut_influences.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "core/sort.hpp"
#include "sinew/skel/crowd.hpp"
#include "sinew/skel/influences.hpp"
#include "sinew/skel/skin_palette.hpp"
#include "sinew/skel/skinning.hpp"
#include "skel/read/skeleton_influences.hpp"

namespace sinew::skel {
namespace {

// The part of a row's weights that its `count` largest leave out.
double weight_lost(std::span<const float> row, std::size_t count, std::vector<float>& sorted) {
  sorted.assign(row.begin(), row.end());
  for (float& weight : sorted) weight = std::isnan(weight) ? 0.0F : std::abs(weight);
  sort_range(sorted.begin(), sorted.end(), std::greater<>());
  double sum = 0.0, lost = 0.0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    sum += static_cast<double>(sorted[i]);
    if (i >= count) lost += static_cast<double>(sorted[i]);
  }
  return sum > 0.0 ? lost / sum : 0.0;
}

/// Deforms a prim with two sets of influences and compares.
class Comparison {
 public:
  Comparison(const SkeletonBinding& binding, const SkinTarget& target,
             const PackedSkeleton& skeleton, const SkeletonInfluences& all,
             const PackedInfluences& packed)
      : skeleton_(*binding.skeleton),
        method_(target.skin->method),
        packed_skeleton_(skeleton),
        all_(all),
        packed_(packed),
        places_(skeleton.joint_count()),
        skinning_(all.joint_count, Matrix4d::Identity()),
        whole_(all.points.size()),
        fewer_(all.points.size()) {}

  Status measure(const PackedClip& clip, std::size_t index, InfluenceCut& cut) {
    for (const double time : clip.times()) {
      if (Status status = deform(clip, time, cut.influences.packed); !status) return status;
      for (std::size_t i = 0; i < whole_.size(); ++i) {
        const auto distance = static_cast<double>((whole_[i] - fewer_[i]).norm());
        if (!(distance > cut.largest_displacement)) continue;
        cut.largest_displacement = distance;
        cut.displaced_point = i;
        cut.clip = index;
        cut.time = time;
      }
    }
    return {};
  }

 private:
  Status deform(const PackedClip& clip, double time, const PackedInfluences& cut) {
    const PoseAgentJob pose = {
        .skeleton = &packed_skeleton_, .agent = {&clip, time}, .skel_from_joint = places_};
    if (Status status = pose.run(); !status) return status;
    for (std::size_t j = 0; j < places_.size(); ++j) {
      skinning_[j] = places_[j].matrix() * skeleton_.inverse_bind_transforms()[j];
    }
    palette_.prepare(method_, skinning_, all_.geom_bind);
    if (Status status = skin(packed_, whole_); !status) return status;
    return skin(cut, fewer_);
  }

  Status skin(const PackedInfluences& influences, std::vector<Vector3f>& points) {
    SkinPointsJob job;
    job.influences = &influences;
    job.palette = palette_.view();
    job.points = all_.points.span();
    job.points_out = points;
    return job.run();
  }

  const Skeleton& skeleton_;
  SkinningMethod method_;
  const PackedSkeleton& packed_skeleton_;
  const SkeletonInfluences& all_;
  const PackedInfluences& packed_;
  std::vector<Affine34f> places_;
  std::vector<Matrix4d> skinning_;  // One more for a joint that does not move.
  std::vector<Vector3f> whole_;
  std::vector<Vector3f> fewer_;
  SkinPalette palette_;
};

// A clip of the rest pose.
Result<Clip> rest_clip(const SkeletonBinding& binding, Diagnostics& diagnostics) {
  SkeletonBinding at_rest = binding;
  at_rest.animation_prim = {};
  at_rest.animation = nullptr;
  return read_clip(at_rest, diagnostics);
}

}  // namespace

WeightLoss measure_weight_loss(std::span<const float> weights, std::size_t influences,
                               std::size_t count) {
  WeightLoss loss;
  std::vector<float> sorted;
  for (std::size_t point = 0; point < weights.size() / influences; ++point) {
    const double lost = weight_lost(weights.subspan(point * influences, influences), count, sorted);
    if (lost > loss.largest) loss = {lost, point};
  }
  return loss;
}

Result<InfluenceCut> cut_influences(const SkeletonBinding& binding, const SkinTarget& target,
                                    std::size_t count, std::span<const Clip> clips,
                                    Diagnostics& diagnostics) {
  if (count == 0) return {ErrorCode::invalid_argument, "No influences are left of 0."};
  Reporter reporter(target.prim, diagnostics, Reporter::Repeats::once_per_prim);
  const auto all = read_skeleton_influences(binding, target, stage::Time::earliest(), reporter);
  if (!all) return all.error();
  const auto skeleton = pack_skeleton(binding);
  if (!skeleton) return skeleton.error();
  const SkinnedPrim& skin = *target.skin;
  PackedInfluencesDesc desc = all->desc(skin);
  const auto whole = PackedInfluences::pack(desc);
  if (!whole) return whole.error();

  const auto indices = all->indices(skin);
  const auto weights = all->authored.weights.span();
  std::vector<std::int32_t> kept_indices(indices.begin(), indices.end());
  std::vector<float> kept_weights(weights.begin(), weights.end());
  const std::size_t kept = std::min(count, skin.influences);
  if (Status s = keep_strongest_influences(kept_indices, kept_weights, skin.influences, kept); !s) {
    return std::move(s).error();
  }
  desc.joint_indices = std::span<const std::int32_t>(kept_indices);
  desc.joint_weights = kept_weights;
  desc.influences = kept;
  auto packed = PackedInfluences::pack(desc);
  if (!packed) return std::move(packed).error();

  InfluenceCut cut;
  cut.influences.packed = *std::move(packed);
  cut.influences.has_still_joint = all->has_still_joint;
  cut.influences.geom_bind = all->geom_bind;
  const WeightLoss loss = measure_weight_loss(weights, skin.influences, kept);
  cut.largest_weight_lost = loss.largest;
  cut.weight_lost_at = loss.point;
  Comparison comparison(binding, target, *skeleton, *all, *whole);
  for (std::size_t i = 0; i < clips.size(); ++i) {
    if (Status s = comparison.measure(clips[i].joints, i, cut); !s) return std::move(s).error();
  }
  if (!clips.empty()) return cut;
  const auto rest = rest_clip(binding, diagnostics);
  if (!rest) return rest.error();
  if (Status s = comparison.measure(rest->joints, 0, cut); !s) return std::move(s).error();
  return cut;
}

}  // namespace sinew::skel
