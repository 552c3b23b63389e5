// SPDX-License-Identifier: Apache-2.0
#include "skel/read/forwarding.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "sinew/layer/path.hpp"
#include "sinew/stage/schema.hpp"
#include "sinew/stage/stage.hpp"

namespace sinew::skel {
namespace {

using stage::SchemaType;

struct OfType {
  SchemaType type;
  std::string_view name;
};

constexpr OfType kOfTypes[] = {
    {SchemaType::imageable, "proxyPrim"},
    {SchemaType::point_instancer, "prototypes"},
    {SchemaType::geometry_light, "geometry"},
    {SchemaType::boundable_light_base, "light:filters"},
    {SchemaType::nonboundable_light_base, "light:filters"},
    {SchemaType::plugin_light, "light:filters"},
    {SchemaType::physics_joint, "physics:body0"},
    {SchemaType::physics_joint, "physics:body1"},
    {SchemaType::physics_collision_group, "physics:filteredGroups"},
    {SchemaType::render_settings_base, "camera"},
    {SchemaType::render_settings, "products"},
    {SchemaType::render_product, "orderedVars"},
    {SchemaType::render_pass, "inputPasses"},
    {SchemaType::render_pass, "renderSource"},
};

struct OfApi {
  std::string_view api;
  std::string_view name;
};

constexpr OfApi kOfApis[] = {
    {"SkelBindingAPI", "skel:animationSource"},
    {"SkelBindingAPI", "skel:blendShapeTargets"},
    {"SkelBindingAPI", "skel:skeleton"},
    {"PhysicsRigidBodyAPI", "physics:simulationOwner"},
    {"PhysicsCollisionAPI", "physics:simulationOwner"},
    {"PhysicsFilteredPairsAPI", "physics:filteredPairs"},
    {"LightAPI", "light:filters"},
    {"LightListAPI", "lightList"},
    {"ListAPI", "lightList"},
};

// collection:NAME:includes and the like, where CollectionAPI:NAME is applied.
bool is_of_collection(const stage::Prim& prim, std::string_view name) {
  constexpr std::string_view kPrefix = "collection:";
  if (!name.starts_with(kPrefix)) return false;
  name.remove_prefix(kPrefix.size());
  for (const std::string_view end : {":includes", ":excludes"}) {
    if (!name.ends_with(end)) continue;
    name.remove_suffix(end.size());
    return prim.has_api(std::string("CollectionAPI:").append(name));
  }
  return false;
}

}  // namespace

bool has_schema_relationship(const stage::Prim& prim, std::string_view name) {
  const bool of_type =
      std::any_of(std::begin(kOfTypes), std::end(kOfTypes),
                  [&](const OfType& known) { return known.name == name && prim.is_a(known.type); });
  if (of_type) return true;
  const bool of_api = std::any_of(std::begin(kOfApis), std::end(kOfApis), [&](const OfApi& known) {
    return known.name == name && prim.has_api(known.api);
  });
  return of_api || is_of_collection(prim, name);
}

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
               has_schema_relationship(owner, path.name())) {
      result.undefined = true;
    } else {
      result.targets.push_back(std::move(path));
    }
  }
  return result;
}

}  // namespace sinew::skel
