// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/read/pack.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "core/format_text.hpp"
#include "core/transform_kind.hpp"
#include "sinew/skel/read/evaluate.hpp"
#include "skel/read/reporting_evaluate.hpp"
#include "skel/read/skeleton_influences.hpp"
#include "skel/read/typed_reader.hpp"
#include "skel/sub_shapes.hpp"

namespace sinew::skel {
namespace {

Error invalid_skeleton(const SkeletonBinding& binding) {
  return {ErrorCode::bad_topology, format_text("The joints of {} form no valid hierarchy.",
                                               binding.skeleton_prim.path().view())};
}

// Which joint of the skeleton each joint of the prim's own order follows; `joint_count` for those
// that do not move.
std::vector<std::int32_t> skeleton_joints(const SkinnedPrim& skin, std::size_t joint_count,
                                          Rules rules) {
  std::vector<std::int32_t> own(joint_count);
  std::iota(own.begin(), own.end(), 0);
  std::vector<std::int32_t> result;
  // As in OpenUSD, a joint that the skeleton lacks moves with the one of its number.
  if (rules == Rules::openusd) result = own;
  (void)skin.joint_mapper.remap_resized<std::int32_t>(own, result, 1,
                                                      static_cast<std::int32_t>(joint_count));
  result.resize(skin.joint_order->size(), static_cast<std::int32_t>(joint_count));
  return result;
}

// Renames the joints of influences, false if one does not exist.
bool rename_joints(std::span<const std::int32_t> indices, std::span<const std::int32_t> joints,
                   std::vector<std::int32_t>& result) {
  result.reserve(indices.size());
  for (const std::int32_t index : indices) {
    if (index < 0 || static_cast<std::size_t>(index) >= joints.size()) return false;
    result.push_back(joints[static_cast<std::size_t>(index)]);
  }
  return true;
}

// Shapes with offsets that do not fit left out.
Result<PackedBlendShapes> pack_fitting(const SkinTarget& target, PackedBlendShapesDesc desc,
                                       Reporter& reporter) {
  const auto fits = [&](const SubShapeDesc& sub_shape) {
    const Result<PackedBlendShapes> packed = PackedBlendShapes::pack(
        {.sub_shapes = std::span(&sub_shape, 1), .point_count = desc.point_count});
    if (packed) return true;
    reporter.add(
        Severity::error, "skel-blend-shape-mismatch", target.prim,
        format_text("{} cannot be blended: {}", target.prim.path().view(), packed.error().message));
    return false;
  };
  std::vector<SubShapeDesc> sub_shapes(desc.sub_shapes.begin(), desc.sub_shapes.end());
  for (SubShapeDesc& shape : sub_shapes) {
    if (!fits({.offsets = shape.offsets, .point_indices = shape.point_indices})) {
      shape.offsets = {};
    }
    if (!fits({.offsets = shape.normal_offsets, .point_indices = shape.point_indices})) {
      shape.normal_offsets = {};
    }
  }
  desc.sub_shapes = sub_shapes;
  return PackedBlendShapes::pack(desc);
}

// Shapes of a prim for the points that `desc` says.
Result<PackedBlendShapes> pack_shapes(const SkinTarget& target, PackedBlendShapesDesc desc,
                                      Diagnostics* diagnostics) {
  if (target.skin->blend_shapes == nullptr) {
    return {ErrorCode::no_value, format_text("{} has no blend shapes.", target.prim.path().view())};
  }
  const std::vector<SubShapeDesc> sub_shapes = sub_shapes_of(*target.skin->blend_shapes);
  desc.sub_shapes = sub_shapes;
  Result<PackedBlendShapes> packed = PackedBlendShapes::pack(desc);
  Reporter reporter(target.prim, diagnostics, Reporter::Repeats::once_per_prim);
  if (packed || !reporter.documented()) return packed;
  return pack_fitting(target, desc, reporter);
}

}  // namespace

Result<PackedSkeleton> pack_skeleton(const SkeletonBinding& binding, const Matrix4d& geom_bind,
                                     SimdLevel level) {
  if (binding.skeleton == nullptr) return invalid_skeleton(binding);
  const Skeleton& skeleton = *binding.skeleton;
  if (!skeleton.has_bind_pose()) {
    return {ErrorCode::no_value,
            format_text("{} has no bind pose.", binding.skeleton_prim.path().view())};
  }
  if (!is_affine(geom_bind)) return {ErrorCode::unsupported, "geom_bind is not affine."};
  std::vector<Matrix4d> joint_from_bind;
  joint_from_bind.reserve(skeleton.joint_count());
  for (std::size_t j = 0; j < skeleton.joint_count(); ++j) {
    if (!is_affine(skeleton.bind_transforms()[j])) {
      return {ErrorCode::unsupported,
              format_text("The bind transform of joint {} of {} is not affine.", j,
                          binding.skeleton_prim.path().view())};
    }
    joint_from_bind.push_back(skeleton.inverse_bind_transforms()[j] * geom_bind);
  }
  return PackedSkeleton::pack({.parents = skeleton.topology().parents(),
                               .joint_from_bind = joint_from_bind,
                               .level = level});
}

Result<SkeletonInfluences> read_skeleton_influences(const SkeletonBinding& binding,
                                                    const SkinTarget& target, stage::Time time,
                                                    Reporter& reporter) {
  if (binding.skeleton == nullptr) return invalid_skeleton(binding);
  const SkinnedPrim& skin = *target.skin;
  const auto influences = read_influences(target, time, reporter);
  auto points = typed(reporter).array<Vector3f>(target.prim.attribute("points"), time);
  if (!skin.known_method || !influences || !points) {
    return {ErrorCode::no_value,
            format_text("{} has no {}.", target.prim.path().view(),
                        influences && skin.known_method ? "points" : "usable joint influences")};
  }
  SkeletonInfluences result;
  result.authored = *influences;
  result.points = *std::move(points);
  result.geom_bind = read_geom_bind(target, time, reporter);
  result.joint_count = binding.skeleton->joint_count();
  if (!skin.joint_order) return result;
  const std::vector<std::int32_t> joints =
      skeleton_joints(skin, result.joint_count, reporter.rules());
  if (!rename_joints(influences->indices.span(), joints, result.renamed)) {
    // Fails, naming the index.
    PackedInfluencesDesc desc = result.desc(skin);
    desc.joint_indices = influences->indices.span();
    desc.joint_count = joints.size();
    return PackedInfluences::pack(desc).error();
  }
  const auto still = static_cast<std::int32_t>(result.joint_count);
  result.has_still_joint =
      std::find(result.renamed.begin(), result.renamed.end(), still) != result.renamed.end();
  result.joint_count += result.has_still_joint ? 1 : 0;
  return result;
}

PackedInfluencesDesc SkeletonInfluences::desc(const SkinnedPrim& skin) const {
  PackedInfluencesDesc desc;
  desc.joint_indices = indices(skin);
  desc.joint_weights = authored.weights.span();
  desc.influences = skin.influences;
  desc.joint_count = joint_count;
  desc.scope = skin.scope;
  desc.point_count = points.size();
  return desc;
}

Result<TargetInfluences> pack_influences(const SkeletonBinding& binding, const SkinTarget& target,
                                         stage::Time time, const PackOptions& options,
                                         Diagnostics* diagnostics) {
  Reporter reporter(target.prim, diagnostics, Reporter::Repeats::once_per_prim);
  const auto read = read_skeleton_influences(binding, target, time, reporter);
  if (!read) return read.error();
  TargetInfluences result;
  result.has_still_joint = read->has_still_joint;
  result.geom_bind = read->geom_bind;
  const PackedInfluences& shared = target.skin->packed;
  const std::size_t points = read->points.size();
  // The prim's own packed form is in its own order of joints, and was packed for all times.
  const bool fits = !target.skin->joint_order && options.order == PointOrder::keep && points > 0 &&
                    shared.point_count() == points && shared.joint_count() == read->joint_count &&
                    (options.level == SimdLevel::best || options.level == shared.level());
  if (fits) {
    result.packed = shared;
    return result;
  }
  PackedInfluencesDesc desc = read->desc(*target.skin);
  desc.order = options.order;
  desc.level = options.level;
  Result<PackedInfluences> packed = PackedInfluences::pack(desc);
  if (!packed) return std::move(packed).error();
  result.packed = *std::move(packed);
  return result;
}

Result<PackedBlendShapes> pack_blend_shapes(const SkinTarget& target, std::size_t point_count,
                                            std::span<const std::uint32_t> new_from_old,
                                            Diagnostics* diagnostics) {
  return pack_shapes(target, {.point_count = point_count, .new_from_old = new_from_old},
                     diagnostics);
}

Result<PackedBlendShapes> pack_blend_shapes(const SkinTarget& target,
                                            const PackedInfluences& influences,
                                            Diagnostics* diagnostics) {
  return pack_shapes(target,
                     {.point_count = influences.point_count(),
                      .new_from_old = influences.new_from_old(),
                      .influences = &influences},
                     diagnostics);
}

}  // namespace sinew::skel
