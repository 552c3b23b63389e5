// SPDX-License-Identifier: Apache-2.0
#include "skel/read/forwarding.hpp"

#include <unordered_set>
#include <utility>
#include <vector>

#include "sinew/layer/path.hpp"
#include "sinew/stage/schema.hpp"
#include "sinew/stage/stage.hpp"

namespace sinew::skel {

ForwardedTargets forward_targets(const stage::Relationship& relationship,
                                 Diagnostics* diagnostics) {
  ForwardedTargets result;
  const stage::Stage& stage = relationship.prim().stage();
  std::unordered_set<layer::Path> seen;
  // A stack of targets still to look at, the next one on top; cycles are cut by `seen`.
  std::vector<layer::Path> open;
  const auto follow = [&](const stage::Relationship& next) {
    const std::vector<layer::Path> targets = next.targets(diagnostics);
    if (targets.empty() && next.has_authored_targets()) result.is_defined = true;
    open.insert(open.end(), targets.rbegin(), targets.rend());
  };
  follow(relationship);
  while (!open.empty()) {
    layer::Path path = std::move(open.back());
    open.pop_back();
    if (!seen.insert(path).second) continue;
    const stage::Prim owner = path.is_property() ? stage.prim(path.prim_path()) : stage::Prim();
    if (const stage::Relationship next =
            owner ? owner.relationship(path.name()) : stage::Relationship()) {
      follow(next);
      continue;
    }
    // Declared by its schema and nowhere else.
    const bool says_nothing = owner && !owner.attribute(path.name()) &&
                              stage::is_schema_relationship(
                                  owner.schema_type(), owner.authored_api_schemas(), path.name());
    if (says_nothing) continue;
    result.is_defined = true;
    result.targets.push_back(std::move(path));
  }
  return result;
}

}  // namespace sinew::skel
