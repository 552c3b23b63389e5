// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/export.hpp"
#include "sinew/core/result.hpp"
#include "sinew/core/simd.hpp"
#include "sinew/core/types.hpp"
#include "sinew/skel/anim_mapper.hpp"
#include "sinew/skel/blend_shapes.hpp"
#include "sinew/skel/packed_influences.hpp"
#include "sinew/skel/skeleton.hpp"
#include "sinew/skel/skin_palette.hpp"
#include "sinew/stage/attribute.hpp"
#include "sinew/stage/prim.hpp"
#include "sinew/stage/stage.hpp"

namespace sinew::skel {

/// A SkelAnimation prim as it stands on the stage: its orders, read once, and the attributes that
/// vary with time. Shared by everything that plays it.
struct StageAnimation {
  std::vector<std::string> joints;        ///< (joints) Order of the components.
  std::vector<std::string> blend_shapes;  ///< (blendShapes) Order of the weights.
  stage::Attribute translations;  ///< (translations) One per joint; invalid if not authored.
  stage::Attribute rotations;     ///< (rotations) Likewise.
  stage::Attribute scales;        ///< (scales) Likewise.
  /// (blendShapeWeights) One per blend shape; invalid if not authored.
  stage::Attribute blend_shape_weights;
};

/// How a prim is deformed, apart from what a particular animation adds. Instances of one prototype
/// share it, and so do the packed influences.
struct SkinnedPrim {
  /// (skel:skinningMethod) linear if it names none that is known.
  SkinningMethod method = SkinningMethod::linear;
  bool known_method = true;  ///< False: skel:skinningMethod names another; joints have no effect.
  std::string method_name = "classicLinear";  ///< As authored, known or not.

  /// Both influence primvars are there and agree in their metadata. If not, the prim does not
  /// follow joints, and `scope` and `influences` mean nothing.
  bool has_joint_influences = false;
  /// Whether every point has influences of its own, or all share one row.
  InfluenceScope scope = InfluenceScope::constant;
  std::size_t influences = 1;  ///< Influences per point, or of the whole prim.
  /// (primvars:skel:jointIndices) The prim's own or inherited; expanded by read_influences().
  stage::Attribute joint_indices;
  stage::Attribute joint_weights;  ///< (primvars:skel:jointWeights) Likewise.

  /// Mesh to bind space; invalid: identity.
  stage::Attribute geom_bind_transform;

  /// Joint order of the influences; nothing: the skeleton's.
  std::optional<std::vector<std::string>> joint_order;
  AnimMapper joint_mapper;  ///< Skeleton order to joint_order.

  /// skel:blendShapes; nothing where it is not authored.
  std::optional<std::vector<std::string>> blend_shape_order;
  /// Null if the prim has no blend shapes. One shape per target, in the order of blend_shape_order.
  std::shared_ptr<const BlendShapeSet> blend_shapes;

  /// Influences packed for skinning, if they do not vary with time and ReadOptions asked for it. A
  /// binding of no points otherwise.
  PackedInfluences packed;
};

/// One prim that a skeleton deforms.
struct SkinTarget {
  stage::Prim prim;  ///< On the side of the instance that the binding belongs to.
  std::shared_ptr<const SkinnedPrim> skin;  ///< Never null.
  /// Animation order to the prim's order of blend shapes; null if it has none.
  std::shared_ptr<const AnimMapper> blend_shape_mapper;

  /// Whether the prim has blend shapes that the animation may weight.
  bool has_blend_shapes() const noexcept { return blend_shape_mapper != nullptr; }
};

/// A skeleton instance: one skeleton, driven by one animation, and all that it deforms below one
/// SkelRoot.
struct SkeletonBinding {
  stage::Prim skel_root;       ///< The one below which everything is deformed.
  stage::Prim skeleton_prim;   ///< The Skeleton.
  stage::Prim animation_prim;  ///< Invalid if nothing drives the skeleton: it stays at rest.

  /// Null if the joints do not form a valid hierarchy: nothing can be computed then.
  std::shared_ptr<const Skeleton> skeleton;
  std::shared_ptr<const StageAnimation> animation;  ///< Null without animation_prim.
  AnimMapper mapper;                                ///< Animation joint order to skeleton order.

  std::vector<SkinTarget> targets;  ///< In namespace order.
};

/// How bindings are read.
struct ReadOptions {
  /// Pack influences (SkinnedPrim::packed) while reading, for this SIMD level.
  bool pack_influences = true;
  SimdLevel level = SimdLevel::best;  ///< Of packed influences and all that is made of them.
  /// Which prims are looked at.
  stage::Traversal traversal = stage::Traversal::with_instance_proxies();
};

/// Everything on a stage that is bound to a skeleton: for each outermost SkelRoot in namespace
/// order, one entry per skeleton, sorted by the skeleton's path.
///
/// Under Rules::documented properties count although SkelBindingAPI is not applied, bindings above
/// the SkelRoot and below untyped prims are honoured, and a skeleton without an animation source of
/// its own takes the one inherited where it is bound, so one skeleton may appear several times.
/// Under Rules::openusd none of this is so.
///
/// @param diagnostics  What is missing, contradictory or ignored, once per prim and subject; what
///                     instances share, once for all of them.
/// @par Cost    One look at every prim below SkelRoots. Arrays are shared with the stage, and what
///              belongs to a prototype is read and packed once, however many instances it has.
/// @par Source  UsdSkel, skeleton binding.
SINEW_API std::vector<SkeletonBinding> read_bindings(const stage::Stage& stage,
                                                     Diagnostics& diagnostics,
                                                     const ReadOptions& options = {});

/// The same for one SkelRoot (or any prim that holds some), which may lie inside an instance.
SINEW_API std::vector<SkeletonBinding> read_bindings(const stage::Prim& top,
                                                     Diagnostics& diagnostics,
                                                     const ReadOptions& options = {});

/// A Skeleton prim on its own, with the animation that it inherits and nothing to deform; for
/// skeletons that no mesh is bound to. `skel_root` is the nearest one, or invalid. Its `skeleton`
/// is null if the prim is no Skeleton.
SINEW_API SkeletonBinding read_skeleton(const stage::Prim& skeleton, Diagnostics& diagnostics);

/// The animation source that the prim's own skel:animationSource names or that it inherits; invalid
/// if there is none or an ancestor says None.
SINEW_API stage::Prim inherited_animation_source(const stage::Prim& prim,
                                                 Diagnostics* diagnostics = nullptr);

/// The skeleton that the prim's own skel:skeleton names or that it inherits; likewise.
SINEW_API stage::Prim inherited_skeleton(const stage::Prim& prim,
                                         Diagnostics* diagnostics = nullptr);

/// Whether skinning can deform the prim: a boundable that is neither a Skeleton nor a SkelRoot.
SINEW_API bool is_skinnable(const stage::Prim& prim);

/// The nearest SkelRoot at or above the prim; invalid if there is none.
SINEW_API stage::Prim find_skel_root(const stage::Prim& prim);

}  // namespace sinew::skel
