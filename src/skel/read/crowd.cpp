// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/read/crowd.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "core/format_text.hpp"
#include "sinew/geom/transforms.hpp"
#include "sinew/skel/read/pack.hpp"
#include "skel/read/typed_reader.hpp"

namespace sinew::skel {
namespace {

bool is_same(const Skeleton& a, const Skeleton& b) {
  const auto same = [](std::span<const Matrix4d> x, std::span<const Matrix4d> y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end());
  };
  return &a == &b || (a.joints() == b.joints() && a.topology() == b.topology() &&
                      a.has_rest_pose() == b.has_rest_pose() &&
                      same(a.bind_transforms(), b.bind_transforms()) &&
                      same(a.rest_transforms(), b.rest_transforms()));
}

}  // namespace

/// Sorts bindings into groups, and shares what they have in common.
class CrowdBuilder {
 public:
  CrowdBuilder(Diagnostics& diagnostics, const CrowdOptions& options)
      : diagnostics_(diagnostics), options_(options) {}

  void add(const SkeletonBinding& binding, std::size_t index) {
    const Status status = try_to_add(binding, index);
    if (status) return;
    crowd_.left_out_.push_back(index);
    Reporter(binding.skeleton_prim, diagnostics_)
        .add(Severity::warning, "skel-crowd-left-out", binding.skeleton_prim,
             format_text("{} is left out of the crowd: {}", binding.skeleton_prim.path().view(),
                         status.error().message));
  }

  Crowd finish() {
    std::erase_if(crowd_.groups_, [](const Crowd::Group& group) { return group.members.empty(); });
    for (Crowd::Group& group : crowd_.groups_) {
      const std::size_t members = group.members.size();
      const std::size_t transforms = members * group.skeleton->joint_count();
      group.agents.resize(members);
      group.cursors.resize(members);
      if (options_.palettes) group.palettes.resize(transforms);
      if (options_.skel_from_joint) group.skel_from_joint.resize(transforms);
    }
    return std::move(crowd_);
  }

 private:
  Status try_to_add(const SkeletonBinding& binding, std::size_t index) {
    Result<std::size_t> group = group_of(binding);
    if (!group) return std::move(group).error();
    Result<std::shared_ptr<const Clip>> clip = clip_of(binding, *group);
    if (!clip) return std::move(clip).error();
    Crowd::Group& place = crowd_.groups_[*group];
    CrowdMember member;
    member.binding = index;
    member.clip = *std::move(clip);
    member.playback = Playback::of(member.clip->joints.times(), options_.end);
    member.playback.speed = options_.speed;
    place.members.push_back(std::move(member));
    const stage::Prim& prim = binding.skeleton_prim;
    place.moving.push_back(geom::world_transform_might_vary(prim) ? prim : stage::Prim());
    place.world_from_skel.push_back(
        geom::world_from_prim(prim, place.members.back().playback.first_time));
    return {};
  }

  Result<std::size_t> group_of(const SkeletonBinding& binding) {
    std::vector<Crowd::Group>& groups = crowd_.groups_;
    for (std::size_t i = 0; i < groups.size() && binding.skeleton != nullptr; ++i) {
      if (is_same(*groups[i].skeleton, *binding.skeleton)) return i;
    }
    Result<PackedSkeleton> packed = pack_skeleton(binding, options_.geom_bind, options_.level);
    if (!packed) return std::move(packed).error();
    Crowd::Group group;
    group.skeleton = binding.skeleton;
    group.packed = *std::move(packed);
    groups.push_back(std::move(group));
    return groups.size() - 1;
  }

  Result<std::shared_ptr<const Clip>> clip_of(const SkeletonBinding& binding, std::size_t group) {
    std::shared_ptr<const Clip>& clip = clips_[{binding.animation.get(), group}];
    if (clip == nullptr) {
      Result<Clip> read = read_clip(binding, diagnostics_, options_.clip);
      if (!read) return std::move(read).error();
      clip = std::make_shared<const Clip>(*std::move(read));
    }
    return clip;
  }

  Diagnostics& diagnostics_;
  const CrowdOptions& options_;
  Crowd crowd_;
  std::map<std::pair<const StageAnimation*, std::size_t>, std::shared_ptr<const Clip>> clips_;
};

Result<Crowd> Crowd::open(std::span<const SkeletonBinding> bindings, Diagnostics& diagnostics,
                          const CrowdOptions& options) {
  CrowdBuilder builder(diagnostics, options);
  for (std::size_t i = 0; i < bindings.size(); ++i) builder.add(bindings[i], i);
  Crowd crowd = builder.finish();
  if (crowd.member_count() == 0) {
    return {ErrorCode::no_value, bindings.empty() ? "There are no skeletons to make a crowd of."
                                                  : "No skeleton can be part of a crowd."};
  }
  return crowd;
}

std::size_t Crowd::member_count() const noexcept {
  std::size_t count = 0;
  for (const Group& group : groups_) count += group.members.size();
  return count;
}

Status Crowd::set_clip(std::size_t group, std::size_t member, std::shared_ptr<const Clip> clip,
                       const Playback& playback) {
  if (group >= groups_.size()) {
    return {ErrorCode::index_out_of_range,
            format_text("There is no group {} among {}.", group, groups_.size())};
  }
  Group& place = groups_[group];
  if (member >= place.members.size()) {
    return {ErrorCode::index_out_of_range,
            format_text("There is no member {} among {}.", member, place.members.size())};
  }
  if (clip == nullptr) return {ErrorCode::invalid_argument, "There is no clip."};
  if (clip->joints.joint_count() != place.skeleton->joint_count() ||
      clip->joints.sample_count() == 0) {
    return {ErrorCode::size_mismatch,
            format_text("The clip has {} joints, but the skeleton has {}.",
                        clip->joints.joint_count(), place.skeleton->joint_count())};
  }
  place.members[member].clip = std::move(clip);
  place.members[member].playback = playback;
  return {};
}

void Crowd::set_playback(std::size_t group, std::size_t member, const Playback& playback) noexcept {
  groups_[group].members[member].playback = playback;
}

Status Crowd::pose(double time, const Executor& executor) {
  for (Group& group : groups_) {
    for (std::size_t i = 0; i < group.members.size(); ++i) {
      const CrowdMember& member = group.members[i];
      const double clip_time = member.playback.clip_time(time);
      group.agents[i] = {&member.clip->joints, clip_time};
      if (!group.moving[i]) continue;
      group.world_from_skel[i] = geom::world_from_prim(group.moving[i], clip_time);
    }
    const PoseCrowdJob job = {.skeleton = &group.packed,
                              .agents = group.agents,
                              .palettes = group.palettes,
                              .skel_from_joint = group.skel_from_joint,
                              .cursors = group.cursors};
    if (Status status = job.run(executor); !status) return status;
  }
  return {};
}

}  // namespace sinew::skel
