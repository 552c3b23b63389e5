// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "export/gltf/transforms.hpp"
#include "sinew/core/diagnostic.hpp"
#include "sinew/export/glb_builder.hpp"
#include "sinew/skel/packed_clip.hpp"
#include "sinew/skel/read/bindings.hpp"

namespace sinew::exporter {

/// The joints of one skeleton as they are at times.
class JointSource {
 public:
  virtual ~JointSource() = default;
  /// When one of their components has samples.
  virtual std::vector<double> times(GlbChannelPath path) const = 0;
  /// Whether it holds from one of these times, or an end of the file, to the next.
  virtual bool holds(GlbChannelPath path, double from, double to) const = 0;
  /// In the units of the stage.
  virtual void at(double code, std::vector<GlbTransform>& joints) = 0;
};

/// As a packed clip has them. What it was made of, or null, tells which component has samples when.
std::unique_ptr<JointSource> joints_of(const skel::PackedClip& clip,
                                       const skel::StageAnimation* animation);

/// As the stage has them, where no packed clip can be made of it.
std::unique_ptr<JointSource> joints_of(const skel::SkeletonBinding& binding,
                                       Diagnostics& diagnostics);

}  // namespace sinew::exporter
