// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sinew/core/diagnostic.hpp"
#include "sinew/layer/path.hpp"
#include "sinew/stage/attribute.hpp"

namespace sinew::skel {

struct ForwardedTargets {
  std::vector<layer::Path> targets;
  /// Whether one of the relationships that were followed gives a target, or is authored to give
  /// none. Where all lead to ones that say nothing, or round in a circle, that is not the same as
  /// saying that nothing is bound.
  bool is_defined = false;
};

/// As Relationship::forwarded_targets(), and whether that says anything.
ForwardedTargets forward_targets(const stage::Relationship& relationship, Diagnostics* diagnostics);

}  // namespace sinew::skel
