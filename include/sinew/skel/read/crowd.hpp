// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/executor.hpp"
#include "sinew/core/export.hpp"
#include "sinew/core/result.hpp"
#include "sinew/core/simd.hpp"
#include "sinew/core/types.hpp"
#include "sinew/skel/crowd.hpp"
#include "sinew/skel/playback.hpp"
#include "sinew/skel/read/bindings.hpp"
#include "sinew/skel/read/clip.hpp"

namespace sinew::skel {

/// What a crowd computes, and how its members start.
struct CrowdOptions {
  /// Folded into palettes: what binds the mesh that all members wear; affine.
  Matrix4d geom_bind = Matrix4d::Identity();
  bool palettes = true;          ///< Compute Crowd::palettes().
  bool skel_from_joint = false;  ///< Compute Crowd::skel_from_joint().
  /// How members play at first: the whole of their clips, from the start.
  double speed = 1.0;                   ///< Time codes per time of the program.
  PlaybackEnd end = PlaybackEnd::loop;  ///< What they do at the ends of their clips.
  ClipOptions clip = {};                ///< How their clips are read.
  SimdLevel level = SimdLevel::best;    ///< Of all packed skeletons.
};

/// One character of a crowd.
struct CrowdMember {
  std::size_t binding = 0;           ///< Index of what it was made of.
  std::shared_ptr<const Clip> clip;  ///< Shared by all that play the same animation; never null.
  Playback playback;                 ///< From the time of the program to that of the clip.
};

/// Skeleton instances of a stage, posed together: those with the same skeleton 16 at a time by
/// PoseCrowdJob, each with a clip and a time of its own.
///
/// Everything is read and allocated when the crowd is opened; posing allocates nothing. Only of
/// members that stand elsewhere from time to time is the stage asked where. Not thread-safe by
/// itself.
class SINEW_API Crowd {
 public:
  /// @param bindings     Of one stage. Those that cannot be packed are left out; see left_out().
  /// @param diagnostics  As read_clip(); and skel-crowd-left-out, with the reason, for each binding
  ///                     that cannot be packed.
  /// @return The crowd, or no_value if there are no bindings or all are left out.
  static Result<Crowd> open(std::span<const SkeletonBinding> bindings, Diagnostics& diagnostics,
                            const CrowdOptions& options = {});

  /// Groups of members with the same skeleton: the same joints, bind and rest pose.
  std::size_t group_count() const noexcept { return groups_.size(); }
  /// Members of all groups together.
  std::size_t member_count() const noexcept;
  /// Indices of the bindings that could not be packed.
  std::span<const std::size_t> left_out() const noexcept { return left_out_; }

  // Precondition of all below: group < group_count().

  /// The skeleton that all members of a group have.
  const Skeleton& skeleton(std::size_t group) const noexcept { return *groups_[group].skeleton; }
  /// The members of a group, in the order of palettes() and the rest.
  std::span<const CrowdMember> members(std::size_t group) const noexcept {
    return groups_[group].members;
  }

  /// Gives a member another clip.
  /// @return ok, index_out_of_range if there is no such group or member, invalid_argument without a
  ///         clip, or size_mismatch if it does not have as many joints as the skeleton.
  Status set_clip(std::size_t group, std::size_t member, std::shared_ptr<const Clip> clip,
                  const Playback& playback);
  /// Lets a member play from another place, faster or slower. Precondition: such a member exists.
  void set_playback(std::size_t group, std::size_t member, const Playback& playback) noexcept;

  /// Poses all members at a time of the program.
  /// @param executor  For the members of a group; results do not depend on it.
  Status pose(double time, const Executor& executor = {});

  /// Skeleton from bind space: members * joints, member by member; empty if not asked for.
  /// Identities before the first pose().
  std::span<const Affine34f> palettes(std::size_t group) const noexcept {
    return groups_[group].palettes;
  }
  /// Skeleton from joint, likewise.
  std::span<const Affine34f> skel_from_joint(std::size_t group) const noexcept {
    return groups_[group].skel_from_joint;
  }
  /// World from skeleton, one per member: where it stands at the time of its clip.
  std::span<const Matrix4d> world_from_skel(std::size_t group) const noexcept {
    return groups_[group].world_from_skel;
  }

 private:
  friend class CrowdBuilder;

  struct Group {
    std::shared_ptr<const Skeleton> skeleton;
    PackedSkeleton packed;
    std::vector<CrowdMember> members;
    std::vector<stage::Prim> moving;  // Where members stand, if that varies; else invalid prims.
    std::vector<CrowdAgent> agents;
    std::vector<ClipCursor> cursors;
    std::vector<Affine34f> palettes;
    std::vector<Affine34f> skel_from_joint;
    std::vector<Matrix4d> world_from_skel;
  };

  std::vector<Group> groups_;
  std::vector<std::size_t> left_out_;
};

}  // namespace sinew::skel
