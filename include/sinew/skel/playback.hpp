// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "sinew/core/export.hpp"

namespace sinew::skel {

/// What comes after the end of a clip, and before its start.
enum class PlaybackEnd : std::uint8_t {
  clamp,  ///< The last sample, or the first.
  loop,   ///< The clip again.
};

/// How the clock of a program runs through a clip.
struct SINEW_API Playback {
  double first_time = 0.0;  ///< The part of the clip that is played, in the units of its times.
  double last_time = 0.0;   ///< Not before first_time.
  double speed = 1.0;       ///< Clip time per time of the program; negative: backwards.
  double offset = 0.0;      ///< Where in that part the program's time 0 is.
  PlaybackEnd end = PlaybackEnd::loop;  ///< What happens at both ends of that part.

  /// The whole of a clip.
  /// @param times  PackedClip::times(); may be empty.
  static Playback of(std::span<const double> times, PlaybackEnd end = PlaybackEnd::loop);

  /// The time of the clip at a time of the program, in [first_time, last_time]; first_time where
  /// there is nothing to play, or a number is not finite.
  double clip_time(double time) const noexcept;
};

}  // namespace sinew::skel
