// SPDX-License-Identifier: Apache-2.0
#include "sinew/skel/playback.hpp"

#include <algorithm>
#include <cmath>

namespace sinew::skel {

Playback Playback::of(std::span<const double> times, PlaybackEnd end) {
  Playback playback;
  playback.end = end;
  if (times.empty()) return playback;
  playback.first_time = times.front();
  playback.last_time = times.back();
  return playback;
}

double Playback::clip_time(double time) const noexcept {
  const double length = last_time - first_time;
  double into = offset + speed * time;
  if (!(length > 0.0) || !std::isfinite(length) || !std::isfinite(into)) return first_time;
  if (end == PlaybackEnd::loop) {
    into = std::fmod(into, length);
    if (into < 0.0) into += length;
  }
  return first_time + std::clamp(into, 0.0, length);
}

}  // namespace sinew::skel
