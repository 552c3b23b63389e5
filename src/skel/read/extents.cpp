// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/read/extents.hpp"

#include <algorithm>
#include <vector>

#include "core/format_text.hpp"
#include "sinew/geom/extents.hpp"
#include "sinew/geom/transforms.hpp"
#include "sinew/skel/joint_transforms.hpp"
#include "sinew/skel/read/evaluate.hpp"
#include "skel/read/reporting_evaluate.hpp"

namespace sinew::skel {
namespace {

using stage::Prim;
using stage::SchemaType;

// SkelRoot space from the space of a Skeleton prim.
Matrix4d root_from_skeleton(const Prim& skeleton, const Prim& skel_root, stage::Time time,
                            const Matrix4d* moved_by) {
  Matrix4d result = Matrix4d::Identity();
  for (Prim p = skeleton; p && !p.is_root() && p != skel_root; p = p.parent()) {
    const geom::LocalTransform local = geom::local_transform(p, time);
    result = local.parent_from_prim * result;
    if (local.resets_stack) return result;
  }
  return moved_by != nullptr ? Matrix4d(*moved_by * result) : result;
}

std::vector<SkeletonBinding> unbound_skeletons(const Prim& skel_root, Diagnostics& diagnostics) {
  std::vector<SkeletonBinding> result;
  for (const Prim prim : skel_root.descendants(stage::Traversal::with_instance_proxies())) {
    if (prim.is_a(SchemaType::skeleton)) result.push_back(read_skeleton(prim, diagnostics));
  }
  return result;
}

}  // namespace

std::optional<Range3f> skeleton_extent(const SkeletonBinding& binding, stage::Time time,
                                       const Matrix4d* moved_by, Diagnostics* diagnostics) {
  Reporter reporter(binding.skeleton_prim, diagnostics, Reporter::Repeats::once_per_prim);
  SkeletonPose pose;
  evaluate_pose(binding, time, pose, reporter);
  if (pose.status == PoseStatus::none) return std::nullopt;
  return joints_extent(pose.joint_skel, 0.0F, moved_by);
}

float extents_padding(const SkinTarget& target, const Skeleton& skeleton) {
  const auto extent = geom::read_extent(target.prim, stage::Time::earliest());
  if (!extent || !skeleton.has_rest_pose() || skeleton.joint_count() == 0) return 0.0F;
  const Matrix4d geom_bind = read_geom_bind(target, stage::Time::earliest());
  const Range3f joints = joints_extent(skeleton.rest_skel_transforms());
  const Range3f mesh = geom::moved_range(*extent, geom_bind);
  const Vector3f below = joints.min - mesh.min;
  const Vector3f above = mesh.max - joints.max;
  return std::max(0.0F, std::max(below.maxCoeff(), above.maxCoeff()));
}

Result<Range3f> skel_root_extent(const Prim& skel_root, stage::Time time, Diagnostics& diagnostics,
                                 const Matrix4d* moved_by) {
  if (!skel_root) return Range3f();
  ReadOptions options;
  options.pack_influences = false;
  std::vector<SkeletonBinding> bindings = read_bindings(skel_root, diagnostics, options);
  if (bindings.empty()) bindings = unbound_skeletons(skel_root, diagnostics);
  const bool documented = skel_root.stage().rules() == Rules::documented;
  const stage::Time transform_time = documented ? time : stage::Time::default_time();
  Range3f result;
  for (const SkeletonBinding& binding : bindings) {
    if (binding.skeleton == nullptr) {
      return {ErrorCode::bad_topology,
              format_text("The joints of {} do not form a valid hierarchy.",
                          binding.skeleton_prim.path().view())};
    }
    SkeletonPose pose;
    evaluate_pose(binding, time, pose, diagnostics);
    if (pose.status == PoseStatus::none) continue;
    float padding = 0.0F;
    for (const SkinTarget& target : binding.targets) {
      padding = std::max(padding, extents_padding(target, *binding.skeleton));
    }
    const Matrix4d transform =
        root_from_skeleton(binding.skeleton_prim, skel_root, transform_time, moved_by);
    result.add(joints_extent(pose.joint_skel, padding, &transform));
  }
  return result;
}

}  // namespace sinew::skel
