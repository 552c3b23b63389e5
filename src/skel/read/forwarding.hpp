// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "sinew/core/diagnostic.hpp"
#include "sinew/layer/path.hpp"
#include "sinew/stage/attribute.hpp"
#include "sinew/stage/prim.hpp"

namespace sinew::skel {

/// Whether the schemas of a prim declare a relationship of that name: it is there whether or not
/// anything authors it.
bool has_schema_relationship(const stage::Prim& prim, std::string_view name);

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
