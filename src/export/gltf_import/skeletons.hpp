// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "export/gltf_import/document.hpp"
#include "sinew/core/types.hpp"

namespace sinew::exporter {
struct OutPrim;
}

namespace sinew::exporter::gltf_import {

/// One weight of a skeleton's animation: of a morph target of a mesh on a node.
struct MorphChannel {
  std::uint32_t node = 0;
  std::uint32_t target = 0;
  std::string name;  ///< Distinct in the skeleton.
};

/// A Skeleton prim. One without joints drives the morph targets of a mesh that has no skin.
struct SkeletonPlan {
  std::int32_t parent_node = kNothing;  ///< Joints move relative to it; kNothing: to the scene.
  std::string name;
  std::vector<std::uint32_t> joints;  ///< Nodes, parents first.
  std::vector<std::int32_t> parents;  ///< Of each joint, among them.
  std::vector<Matrix4d> binds;
  std::vector<std::string> paths;
  std::vector<MorphChannel> morphs;  ///< By node, ascending.
  OutPrim* prim = nullptr;
};

struct SkinPlan {
  std::int32_t skeleton = kNothing;  ///< kNothing: not used, or broken.
  /// kNothing: the joint draws points to the origin of the skeleton, as no weight at all does.
  std::vector<std::int32_t> joint_from_skin;
  Matrix4d geom_bind = Matrix4d::Identity();
};

struct SkeletonPlans {
  std::vector<SkeletonPlan> skeletons;
  std::vector<SkinPlan> skins;                ///< One for each of the file.
  std::vector<bool> is_joint;                 ///< Of each node.
  std::vector<std::int32_t> morph_skeletons;  ///< Of each node: what drives its morph targets.
};

/// Which skeletons a scene needs. Skins with joints in common share one, if their bind poses
/// differ by one transform only. Nodes between joints are joints too, and so are those below
/// joints that show nothing.
///
/// With J the world transform of a joint and I its inverse bind matrix, glTF puts a point p at
/// J I p. The skeleton's bind transform is B = G I^-1 and the mesh's geomBindTransform G, so that
/// UsdSkel puts it at J B^-1 G p, which is the same.
SkeletonPlans plan_skeletons(const ReadContext& context, const Document& document);

}  // namespace sinew::exporter::gltf_import
