// SPDX-License-Identifier: Apache-2.0
#include "skel/read/forwarding.hpp"

#include <algorithm>
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
  std::vector<layer::Path> open = relationship.targets(diagnostics);
  std::reverse(open.begin(), open.end());
  while (!open.empty()) {
    layer::Path path = std::move(open.back());
    open.pop_back();
    const stage::Prim owner = path.is_property() ? stage.prim(path.prim_path()) : stage::Prim();
    if (!seen.insert(path).second) continue;
    if (const stage::Relationship next =
            owner ? owner.relationship(path.name()) : stage::Relationship()) {
      result.undefined = result.undefined || !next.has_authored_targets();
      std::vector<layer::Path> more = next.targets(diagnostics);
      open.insert(open.end(), more.rbegin(), more.rend());
    } else if (owner && !owner.attribute(path.name()) &&
               stage::is_schema_relationship(owner.schema_type(), owner.authored_api_schemas(),
                                             path.name())) {
      result.undefined = true;
    } else {
      result.targets.push_back(std::move(path));
    }
  }
  return result;
}

}  // namespace sinew::skel
