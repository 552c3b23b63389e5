// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "sinew/skel/read/bake_skinning.hpp"
#include "sinew/skel/read/bindings.hpp"
#include "sinew/stage/stage.hpp"
#include "sinew/stage/time.hpp"

namespace sinew::skel {

/// What is baked for one prim.
struct TargetPlan {
  const SkinTarget* target = nullptr;
  bool skin_points = false;
  bool skin_normals = false;
  bool transform = false;  ///< Moves as one piece.
  bool blend_points = false;
  bool blend_normals = false;
  bool face_varying_normals = false;

  bool writes_points() const { return skin_points || blend_points; }
  bool writes_normals() const { return skin_normals || blend_normals; }
  bool skins() const { return skin_points || skin_normals || transform; }
  bool does_anything() const { return writes_points() || writes_normals() || transform; }
};

/// What is baked for one binding, and when.
struct BakePlan {
  const SkeletonBinding* binding = nullptr;
  std::vector<TargetPlan> targets;
  std::vector<stage::Time> times;  ///< The default time alone if nothing varies.
};

/// Decides what to bake. Bindings and targets with nothing to do are left out.
std::vector<BakePlan> plan_baking(const stage::Stage& stage,
                                  std::span<const SkeletonBinding> bindings,
                                  const BakeOptions& options, Diagnostics& diagnostics);

}  // namespace sinew::skel
