// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sinew/core/token.hpp"
#include "sinew/layer/path.hpp"
#include "sinew/stage/prim.hpp"
#include "sinew/stage/schema.hpp"
#include "sinew/stage/stage.hpp"
#include "skel/read/typed_reader.hpp"

namespace sinew::skel {

/// What a relationship with one expected target says.
struct BoundPrim {
  bool defined = false;  ///< An opinion exists; it ends the search even if it names no prim.
  stage::Prim prim;      ///< The target, or invalid: nothing is bound.
};

/// Names of the binding schema, looked up once per stage. A name that no layer mentions is empty.
struct BindingNames {
  explicit BindingNames(const stage::Stage& stage);

  Token skeleton;
  Token animation_source;
  Token joints;
  Token joint_indices;
  Token joint_weights;
  Token geom_bind_transform;
  Token skinning_method;
  Token blend_shapes;
  Token blend_shape_targets;
};

/// The property names of the binding schema, in the order of BindingNames.
inline constexpr std::string_view kBindingPropertyNames[] = {
    "skel:skeleton",
    "skel:animationSource",
    "skel:joints",
    "primvars:skel:jointIndices",
    "primvars:skel:jointWeights",
    "primvars:skel:geomBindTransform",
    "primvars:skel:skinningMethod",
    "skel:blendShapes",
    "skel:blendShapeTargets",
};

/// The prim that supplies each binding property, after inheritance; invalid where none does.
struct BindingSite {
  stage::Prim skeleton;       ///< The bound Skeleton prim itself.
  stage::Prim skeleton_site;  ///< The prim whose skel:skeleton decided.
  stage::Prim joints;
  stage::Prim joint_indices;
  stage::Prim joint_weights;
  stage::Prim geom_bind_transform;
  stage::Prim skinning_method;
  stage::Prim blend_shapes;         ///< Not inherited: the skinned prim or nothing.
  stage::Prim blend_shape_targets;  ///< Likewise.
};

/// A prim that a skeleton deforms.
struct FoundTarget {
  stage::Prim prim;
  BindingSite site;
};

/// One skeleton with one animation source, and everything it deforms below one SkelRoot.
struct FoundBinding {
  stage::Prim skel_root;
  stage::Prim skeleton;
  stage::Prim animation;  ///< An active SkelAnimation, or invalid.
  layer::Path skeleton_path;
  std::vector<FoundTarget> targets;
};

/// Finds what is bound to what. Holds what has been looked up so far; use one per stage and thread.
class BindingFinder {
 public:
  BindingFinder(const stage::Stage& stage, Reporter& reporter);

  /// The outermost SkelRoots below `top` in namespace order, instance proxies included.
  std::vector<stage::Prim> skel_roots(const stage::Prim& top) const;

  /// What is bound below a SkelRoot, sorted by path of the skeleton; one skeleton with several
  /// animations comes in the order of its bindings.
  std::vector<FoundBinding> find(const stage::Prim& skel_root, const stage::Traversal& traversal);

  /// Whether the binding properties of a prim count.
  bool has_binding_api(const stage::Prim& prim);

  /// The skeleton or animation that a prim itself names.
  BoundPrim bound(const stage::Prim& prim, Token relationship, stage::SchemaType type);

  /// The animation source in force at a prim: its own or that of the nearest ancestor with one.
  BoundPrim inherited_animation_source(const stage::Prim& prim);

  const BindingNames& names() const noexcept { return names_; }

 private:
  bool is_visited(const stage::Prim& prim);
  bool update(const stage::Prim& prim, BindingSite& site);
  BindingSite site_above(const stage::Prim& skel_root);
  stage::Prim animation_of(const BindingSite& site);
  void add_blend_shapes(const stage::Prim& prim, BindingSite& site);

  const stage::Stage* stage_;
  Reporter* reporter_;
  BindingNames names_;
  std::unordered_map<std::uint32_t, bool> has_api_;
};

}  // namespace sinew::skel
