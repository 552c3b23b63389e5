// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/export.hpp"
#include "sinew/core/result.hpp"
#include "sinew/skel/match_joints.hpp"
#include "sinew/skel/packed_clip.hpp"
#include "sinew/skel/packed_weights.hpp"
#include "sinew/skel/read/bindings.hpp"

namespace sinew::skel {

/// The animation of a skeleton, ready for posing.
struct Clip {
  PackedClip joints;  ///< In skeleton order, what the animation leaves out filled in from rest.
  /// Weights of the blend shapes, in the animation's order; without samples if there are none.
  PackedWeights weights;
  std::vector<std::string> blend_shapes;  ///< That order.
};

/// What is read of an animation.
struct ClipOptions {
  /// What is read of the animation, in time codes of the stage.
  double first_time = -std::numeric_limits<double>::infinity();
  double last_time = std::numeric_limits<double>::infinity();  ///< Both ends count.
  /// The most samples times joints, or weights, before those at jumps. A file can name one array at
  /// very many times; the default is 30 hours of 10 joints, or one of 300, at 30 a second.
  std::size_t max_values = std::size_t{1} << 25;
};

/// Reads the animation that drives a skeleton, in full: posing at any time code gives what
/// evaluate_pose() gives then.
///
/// There is a sample wherever a component has one. Where a value is held, blocked or changes its
/// size, so that it jumps, the sample before is held, or one more is put just before the jump; an
/// animation that cannot be used for a while, so that the skeleton is at rest, makes the clip rest
/// for as long. Value clips are sampled at the times that the stage lists for them. Values of the
/// default time that samples hide are not in the clip.
///
/// Local transforms differ from those of evaluate_pose() by less than 4e-6 of the scales and 1e-6
/// of the translation. More differs only
/// - where rotations that are not of unit length have other sample times than the translations;
/// - where the animation becomes unusable between two samples of scales, or the range of times ends
///   there: scales up to that sample are off by up to one step of half precision;
/// - where the file holds components in a precision other than the schema's.
///
/// @return The clip, or
///         - bad_topology if the joints form no valid hierarchy;
///         - no_value if the skeleton can be posed at no time, for want of rest transforms;
///         - unsupported if it cannot be posed at some times only, or a rest transform that is
///           needed is not a scale, rotation and translation (it shears): evaluate_pose() does
///           these;
///         - invalid_argument if the range of times is empty;
///         - limit_exceeded above ClipOptions::max_values.
/// @param diagnostics  As evaluate_pose() at all of the times.
/// @par Cost    Every sample is read, twice where it may jump.
SINEW_API Result<Clip> read_clip(const SkeletonBinding& binding, Diagnostics& diagnostics,
                                 const ClipOptions& options = {});

/// A SkelAnimation prim by itself: the joints that match_joints() asks for. Null if the prim is
/// invalid or something else.
SINEW_API std::shared_ptr<const StageAnimation> read_animation(const stage::Prim& prim,
                                                               Diagnostics& diagnostics);

/// Reads an animation for a skeleton that it does not drive on the stage, which may be another
/// stage.
///
/// Joints take the components of the joints that they match as they stand, translations included:
/// the two skeletons should agree in their proportions and in how their joints are turned.
///
/// @param animation  A SkelAnimation.
/// @param binding    Its skeleton; its own animation plays no part.
/// @param match      match_joints() of the animation's joints and the skeleton's.
/// @return As above; or invalid_argument if the prim is no SkelAnimation, size_mismatch or
///         index_out_of_range for a match of others.
SINEW_API Result<Clip> read_clip(const stage::Prim& animation, const SkeletonBinding& binding,
                                 const JointMatch& match, Diagnostics& diagnostics,
                                 const ClipOptions& options = {});

}  // namespace sinew::skel
