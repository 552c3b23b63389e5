// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/executor.hpp"
#include "sinew/core/export.hpp"
#include "sinew/core/result.hpp"
#include "sinew/core/simd.hpp"
#include "sinew/layer/layer.hpp"
#include "sinew/skel/read/bindings.hpp"
#include "sinew/stage/stage.hpp"

namespace sinew::skel {

/// What is baked, when, and where it goes.
struct BakeOptions {
  /// The times to bake. Empty: all at which an input has a sample, and, if that is more than one
  /// and the stage has a range of time codes, the frames in between.
  std::vector<double> times;
  /// What the automatic choice of times is limited to. Where no sample lies within, the default
  /// time is baked.
  double first_time = -std::numeric_limits<double>::infinity();
  /// In time codes of the stage; both ends count.
  double last_time = std::numeric_limits<double>::infinity();

  bool skin_points = true;      ///< Points of prims that follow joints.
  bool skin_normals = true;     ///< Their normals.
  bool skin_transforms = true;  ///< Of rigidly bound prims.
  bool blend_points = true;     ///< Points of prims with blend shapes.
  bool blend_normals = true;    ///< Their normals.
  bool update_extents = true;   ///< `extent` of everything that is baked, at every baked time.
  /// `extentsHint` of models above, where it is authored (by Rules::openusd, where it is declared):
  /// a box for each purpose, without what is invisible.
  bool update_extent_hints = true;

  std::string identifier = "baked.usda";  ///< Of the layer that is made.
  /// Asset path of the layer that the result goes on top of, written as its only sublayer; empty:
  /// none. Relative paths are relative to where the result will be stored.
  std::string source_layer;

  /// Of all kernels; force one to get the same bits on every machine.
  SimdLevel level = SimdLevel::best;
  Executor executor;  ///< For the points of one prim.
  /// Called after each baked time of a binding with (done, total); may be empty.
  std::function<void(std::size_t, std::size_t)> progress;
};

/// Turns skinning into ordinary animation: a layer of opinions that, put on top of the stage's root
/// layer, gives every deformed prim points and normals, or a transform if it moves as one piece,
/// and an extent at every baked time, and makes its SkelRoots Xforms.
///
/// Values are in the space of the prim, so the result looks as before to software that knows
/// nothing of skeletons. Where nothing varies, defaults are written; otherwise time samples. Prims
/// inside instances are taken out of them (`instanceable = false`) under Rules::documented. OpenUSD
/// does not look into instances, and refuses SkelRoots and skinned prims that are some; so does
/// Rules::openusd.
///
/// @return The layer; or `unsupported` for instances under Rules::openusd.
/// @par Cost    All baked values are held in memory until the layer is written.
/// @par Source  UsdSkel, BakeSkinning.
SINEW_API Result<layer::LayerPtr> bake_skinning(const stage::Stage& stage,
                                                const BakeOptions& options,
                                                Diagnostics& diagnostics);

/// The same for some bindings of one stage; `unsupported` by Rules::openusd also for what lies in
/// an instance.
SINEW_API Result<layer::LayerPtr> bake_skinning(const stage::Stage& stage,
                                                std::span<const SkeletonBinding> bindings,
                                                const BakeOptions& options,
                                                Diagnostics& diagnostics);

}  // namespace sinew::skel
