// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/export.hpp"

namespace sinew::skel {

/// What two joints have in common that are taken for the same.
enum class JointMatchRule : std::uint8_t {
  none,         ///< No joint matches.
  paths,        ///< Their whole paths.
  paths_below,  ///< Their paths, when what is above all joints of one side is dropped from the
                ///< other ("Armature/").
  names,        ///< Their last names, where each side has the name once.
  names_in_namespace,  ///< Their last names without the prefixes of namespaces ("mixamorig:" or,
                       ///< where all names begin with it, "mixamorig_"), likewise.
};

/// "none", "paths", "paths_below", "names" or "names_in_namespace".
SINEW_API std::string_view to_string(JointMatchRule rule) noexcept;

/// Which joint of a clip moves each joint of a skeleton.
struct JointMatch {
  std::vector<std::int32_t> clip_joint;  ///< Per joint of the skeleton; -1: none, it rests.
  /// Which rule won; `none` if no joint matches by any.
  JointMatchRule rule = JointMatchRule::none;
  std::vector<std::string> resting;  ///< Joints of the skeleton that no joint of the clip moves.
  std::vector<std::string> unused;   ///< Joints of the clip that move nothing.
};

/// Finds out which joints of a clip belong to which of a skeleton that it was not made for. One
/// rule holds for all joints: the one by which most of them match, the stricter of two that match
/// as many. Names are compared as they are written; upper and lower case differ.
///
/// @par Cost  O(total length) expected.
SINEW_API JointMatch match_joints(std::span<const std::string> clip_joints,
                                  std::span<const std::string> skeleton_joints);

}  // namespace sinew::skel
