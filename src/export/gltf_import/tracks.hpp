// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "export/gltf_import/document.hpp"

namespace sinew::exporter::gltf_import {

/// A channel as keys between which values change evenly, rotations along the shorter arc: what
/// time samples say. Steps are two keys as close as the single precision of the file allows;
/// splines as many keys as their tolerance takes.
struct Track {
  std::vector<double> times;  ///< Seconds, ascending.
  std::vector<float> values;  ///< `width` for each.
  std::size_t width = 0;
  bool is_rotation = false;

  /// The values at a time; before the first and after the last key they are held.
  void at(double seconds, std::span<float> out) const;
};

/// @param tolerance  Of splines, see ImportGlbOptions::curve_tolerance.
/// @return An empty track if the budget does not reach.
Track make_track(const Channel& channel, double tolerance, Budget& budget);

/// Times that any of the tracks has keys at, or times in equal steps if that were more than
/// `most`, which `is_resampled` tells.
std::vector<double> common_times(std::span<const Track* const> tracks, std::size_t most,
                                 bool& is_resampled);

}  // namespace sinew::exporter::gltf_import
