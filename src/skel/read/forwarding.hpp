// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sinew/core/diagnostic.hpp"
#include "sinew/layer/path.hpp"
#include "sinew/stage/attribute.hpp"

namespace sinew::skel {

struct ForwardedTargets {
  std::vector<layer::Path> targets;
  /// On the way there is a relationship, if only by its schema, to which no layer gives targets,
  /// not even an empty list. That says nothing, which is not the same as saying that nothing is
  /// bound.
  bool undefined = false;
};

/// As Relationship::forwarded_targets(), and whether all that was followed is authored.
ForwardedTargets forward_targets(const stage::Relationship& relationship, Diagnostics* diagnostics);

}  // namespace sinew::skel
