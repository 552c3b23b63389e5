// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "export/gltf/writer.hpp"

namespace sinew::exporter {

/// Times of keys, in time codes, ascending, and which of them hold until the next.
struct KeyTimes {
  std::vector<double> codes;
  std::vector<bool> holds;
  friend bool operator==(const KeyTimes&, const KeyTimes&) = default;
};

/// Those of `samples` in the range of the file, its two ends, and what GlbOptions::step asks for.
/// @param holds  Whether the value holds from one of these times to the next.
KeyTimes key_times(Writer& writer, std::span<const double> samples,
                   const std::function<bool(double, double)>& holds);

/// Keys of one channel while they are collected.
class Track {
 public:
  /// @param width  Numbers of each key.
  Track(Writer& writer, std::int32_t node, GlbChannelPath path, std::size_t width)
      : w_(writer), node_(node), path_(path), width_(width) {}

  /// A key after all others. One that is not finite is left out.
  void add(double code, std::span<const float> values, bool holds);

  /// Adds the channel to a clip, unless it never leaves what the node has.
  /// @return Whether a key was left out because it was not finite.
  bool finish(std::span<const float> at_rest, PlanClip& clip);

  /// The same, whatever the node has.
  bool finish(PlanClip& clip) { return finish({}, clip); }

 private:
  void put(float time, std::span<const float> values);

  Writer& w_;
  std::int32_t node_;
  GlbChannelPath path_;
  std::size_t width_;
  std::vector<float> times_;
  std::vector<float> values_;
  std::vector<bool> holds_;
  bool dropped_ = false;
};

/// Whether what moves a node might differ between times.
bool might_move(const PlanNode& node);

/// Whether the scale of what moves a node differs between times of the file.
bool scale_varies(Writer& writer, const PlanNode& node);

/// The clip of a node whose transform varies.
void plan_node_motion(Writer& writer, std::int32_t node, PlanClip& clip);

}  // namespace sinew::exporter
