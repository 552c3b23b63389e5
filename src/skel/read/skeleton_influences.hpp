// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/core/result.hpp"
#include "sinew/core/types.hpp"
#include "sinew/skel/packed_influences.hpp"
#include "sinew/skel/read/bindings.hpp"
#include "sinew/skel/read/evaluate.hpp"
#include "skel/read/typed_reader.hpp"

namespace sinew::skel {

/// The influences of a prim at a time, with joints in the skeleton's order.
struct SkeletonInfluences {
  JointInfluences authored;           ///< In the prim's own order of joints, if it has one.
  std::vector<std::int32_t> renamed;  ///< In the skeleton's, if the prim has one of its own.
  stage::ArrayValue<Vector3f> points;
  Matrix4d geom_bind = Matrix4d::Identity();
  std::size_t joint_count = 0;   ///< That a palette must have.
  bool has_still_joint = false;  ///< The last of these does not move.

  std::span<const std::int32_t> indices(const SkinnedPrim& skin) const {
    return skin.joint_order ? std::span<const std::int32_t>(renamed) : authored.indices.span();
  }
  PackedInfluencesDesc desc(const SkinnedPrim& skin) const;
};

/// @return The influences, or what pack_influences() documents.
Result<SkeletonInfluences> read_skeleton_influences(const SkeletonBinding& binding,
                                                    const SkinTarget& target, stage::Time time,
                                                    Reporter& reporter);

/// What cutting influences costs at most.
struct WeightLoss {
  double largest = 0.0;   ///< The most of its weights that a point loses, as a part of their sum.
  std::size_t point = 0;  ///< Which point that is.
};

/// @param count  Influences that each row keeps: the strongest.
WeightLoss measure_weight_loss(std::span<const float> weights, std::size_t influences,
                               std::size_t count);

}  // namespace sinew::skel
