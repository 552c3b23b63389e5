// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "sinew/core/export.hpp"
#include "sinew/core/result.hpp"
#include "sinew/core/types.hpp"
#include "sinew/skel/influences.hpp"
#include "sinew/skel/skeleton.hpp"

// Skins of glTF in the terms of this library, and back. Reading a .glb is left to others: what goes
// in are the numbers of a glTF skin, what comes out is what the jobs of this module take.
//
// Matrices need no conversion: glTF stores column vectors column by column. The transform of the
// node that carries the skin is ignored by glTF, and there is no bind shape: geom_bind is identity.

namespace sinew::skel {

/// A glTF skin. All arrays have one entry per joint, in the order of `skin.joints`.
struct GltfSkin {
  std::vector<std::string> names = {};  ///< Of the nodes; may be empty or repeated.
  /// Position in this list of the nearest ancestor that is a joint too; kNoParent for none.
  std::vector<std::int32_t> parents = {};
  /// Parent joint from joint: the node's transform, after those of nodes in between.
  std::vector<Matrix4d> local_transforms = {};
  std::vector<Matrix4d> inverse_bind_matrices = {};  ///< Or empty: identities.
};

/// What becomes of a glTF skin.
struct ImportedSkin {
  Skeleton skeleton;  ///< Parents first; rest pose: the nodes' transforms.
  /// Where each joint of the glTF skin is in the skeleton. Remap JOINTS_n and animations with it.
  std::vector<std::int32_t> joint_from_gltf;
};

/// Makes a skeleton: joints are reordered so that parents come first (otherwise their order is
/// kept), and get paths made of their names, changed where needed into distinct identifiers.
///
/// @return The skeleton; size_mismatch; bad_topology for parents that do not exist or form a ring;
///         or limit_exceeded if the paths of all joints together have more than 2^28 characters.
SINEW_API Result<ImportedSkin> import_gltf_skin(const GltfSkin& skin);

/// JOINTS_n as the file stores it: four joints per vertex, bytes or shorts.
using GltfJoints = std::variant<std::span<const std::array<std::uint16_t, 4>>,
                                std::span<const std::array<std::uint8_t, 4>>>;

/// WEIGHTS_n as the file stores it: floats, or bytes or shorts that stand for 0 to 1.
using GltfWeights = std::variant<std::span<const std::array<float, 4>>,
                                 std::span<const std::array<std::uint16_t, 4>>,
                                 std::span<const std::array<std::uint8_t, 4>>>;

/// One pair of accessors JOINTS_n, WEIGHTS_n: four influences per vertex.
struct GltfInfluences {
  GltfJoints joints;    ///< Positions in GltfSkin's arrays, one set of four per vertex.
  GltfWeights weights;  ///< As many; those that are not floats are divided by their largest value.
};

/// Joins the sets of influences of a primitive, four per set.
/// @param joint_from_gltf  ImportedSkin::joint_from_gltf.
/// @return The arrays, size_mismatch, or index_out_of_range.
SINEW_API Result<InfluenceArrays> import_gltf_influences(
    std::span<const GltfInfluences> sets, std::span<const std::int32_t> joint_from_gltf);

}  // namespace sinew::skel
