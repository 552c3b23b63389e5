// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/export.hpp"
#include "sinew/core/result.hpp"
#include "sinew/core/rules.hpp"

namespace sinew::skel {

/// Parent of a root joint.
inline constexpr std::int32_t kNoParent = -1;

/// Parent/child structure of a skeleton, in the order its joints are listed.
///
/// Author order is kept, because every other array of a skeleton (bind transforms, rest transforms,
/// animation, influences) is indexed by it. Making a topology never fails; validate() tells whether
/// parents come before their children, as every algorithm needs because it walks the hierarchy with
/// one forward loop.
///
/// Immutable after construction; safe to share between threads.
class SINEW_API Topology {
 public:
  /// No joints.
  Topology() = default;

  /// Takes parent indices as they are; anything negative is a root.
  static Topology from_parents(std::vector<std::int32_t> parents);

  /// Builds the structure from slash-separated joint paths.
  ///
  /// The parent of "A/B/C" is its nearest listed ancestor: "A/B", else "A", else none. Of joints
  /// listed twice the last is the parent. "/A" and "A" are different joints.
  ///
  /// @param joints  One path per joint, e.g. {"Hips", "Hips/Spine"}. n entries.
  /// @param rules   Under Rules::openusd a path with an element that is not an identifier
  ///                ("mixamorig:Hips") is a root and not a parent of anything; under
  ///                Rules::documented its elements are what stands between the slashes.
  /// @par Cost    O(total length * log n), whatever the names.
  /// @par Source  UsdSkel schema, Skeleton.joints; UsdSkelTopology.
  static Topology from_joint_paths(std::span<const std::string> joints,
                                   Rules rules = Rules::documented);

  /// Number of joints, n.
  std::size_t joint_count() const noexcept { return parents_.size(); }

  /// Parent of every joint, negative for roots. n entries.
  std::span<const std::int32_t> parents() const noexcept { return parents_; }

  /// Of one joint; negative for a root. Precondition: joint < joint_count().
  std::int32_t parent(std::size_t joint) const noexcept { return parents_[joint]; }
  /// Whether a joint has no parent. Precondition: joint < joint_count().
  bool is_root(std::size_t joint) const noexcept { return parents_[joint] < 0; }

  /// Whether every parent comes before its children.
  /// @return ok, or bad_topology naming the first joint that is its own parent, or whose parent
  ///         comes after it or does not exist.
  Status validate() const;

  /// Whether all parents are equal.
  friend bool operator==(const Topology&, const Topology&) = default;

 private:
  std::vector<std::int32_t> parents_;
};

/// Whether OpenUSD takes the text for the path of a joint: identifiers joined by single slashes,
/// with or without a slash in front, or below "..", which is itself one.
SINEW_API bool is_joint_path(std::string_view text) noexcept;

}  // namespace sinew::skel
