// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sinew::stage {

/// A template of file names, taken apart at its one or two groups of '#', which stand between dots:
/// "walk.###.usda", "walk.##.##.usda".
struct ClipTemplate {
  std::string before;
  std::string marks;  ///< The groups, with the dot between two.
  std::string after;
  std::size_t digits = 0;
  std::size_t decimals = 0;  ///< 0: no second group.

  /// What stands for the groups at a time: of one group its whole part, cut; of two that, and the
  /// decimals of the rounded time.
  std::string number(double time) const;
};

/// Nothing if the path has no groups, or has them elsewhere. Dots of its file name that nothing
/// stands between are taken as one, and those at either end of it are left out.
std::optional<ClipTemplate> read_clip_template(std::string_view text);

/// When the files of a template are: every `stride` from `start` to `end`.
struct ClipTimes {
  double start = 0.0;
  double end = 0.0;
  double stride = 0.0;

  /// How many times there are besides the first: a whole number, which may be a very large one.
  double steps() const noexcept;
  double at(std::uint32_t step, double offset = 0.0) const noexcept;
};

inline constexpr double kMaxClipTime = 1e15;  ///< Whole numbers are exact up to here.

}  // namespace sinew::stage
