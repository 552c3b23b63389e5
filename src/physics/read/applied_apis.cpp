// SPDX-License-Identifier: Apache-2.0
#include "physics/read/applied_apis.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "physics/read/apple.hpp"
#include "sinew/physics/tokens.hpp"
#include "stage/shared/nodes.hpp"

namespace sinew::physics {

namespace {

// In the order of the bits.
constexpr std::string_view kApiNames[] = {tokens::kRigidBodyApi,     tokens::kCollisionApi,
                                          tokens::kMassApi,          tokens::kMaterialApi,
                                          tokens::kMeshCollisionApi, tokens::kArticulationRootApi,
                                          tokens::kFilteredPairsApi, "MaterialBindingAPI"};

using ApiBits = std::vector<std::pair<Token, std::uint16_t>>;

// The schemas that are applied anywhere: what no layer mentions has no token.
ApiBits bits_of_schemas(const stage::Stage& stage, const ReadOptions& options) {
  ApiBits bits;
  const auto add = [&](std::string_view name, std::string_view meaning) {
    const auto* known = std::find(std::begin(kApiNames), std::end(kApiNames), meaning);
    const Token token = stage.find_token(name);
    if (known == std::end(kApiNames) || token.empty()) return;
    bits.emplace_back(token, static_cast<std::uint16_t>(1U << (known - kApiNames)));
  };
  for (const std::string_view name : kApiNames) add(name, name);
  for (const ApiSchema& schema : options.api_schemas) {
    for (const std::string& included : schema.includes) add(schema.name, included);
  }
  const auto add_of = [&](Dialect dialect, std::string_view name, std::uint16_t meaning) {
    const Token token = stage.find_token(name);
    if (!token.empty() && asks_for(options.dialects, dialect)) bits.emplace_back(token, meaning);
  };
  add_of(Dialect::mjc, "MjcSiteAPI", kSiteApi);
  add_of(Dialect::apple, apple::kRigidBodyApi, kRigidBodyApi);
  add_of(Dialect::apple, apple::kColliderApi, kAppleCollider);
  add_of(Dialect::apple, apple::kMaterialApi, kMaterialApi);
  return bits;
}

}  // namespace

AppliedApis::AppliedApis(const stage::Stage& stage, const ReadOptions& options) {
  const ApiBits bits = bits_of_schemas(stage, options);
  apis_.resize(stage::node_count(stage));
  constexpr std::uint16_t kOutranks = kArticulationRootApi | kCollisionApi | kRigidBodyApi;
  for (std::size_t i = 0; i < apis_.size(); ++i) {
    const stage::Prim prim = stage::prim_of_node(stage, static_cast<std::uint32_t>(i));
    std::uint16_t apis = 0;
    for (const Token api : prim.authored_api_schemas()) {
      for (const auto& [token, bit] : bits) {
        if (token != api) continue;
        if (bit == kMaterialApi && (apis & kOutranks) == 0) apis |= kIsMaterial;
        apis |= bit;
      }
    }
    apis_[i] = apis;
    if (stage::derives_from(prim.schema_type(), stage::SchemaType::physics_joint)) ++counts_.joints;
    if ((apis & kRigidBodyApi) != 0) ++counts_.bodies;
    if ((apis & kCollisionApi) != 0) ++counts_.shapes;
    if ((apis & (kRigidBodyApi | kCollisionApi | kMassApi)) != 0) ++counts_.mass_nodes;
  }
  if (asks_for(options.dialects, Dialect::apple)) find_apple_geometry(stage);
}

// What a prim collides with by Apple's schema is the geometry that it names, else its own.
void AppliedApis::find_apple_geometry(const stage::Stage& stage) {
  const Token convex_shape = stage.find_token(apple::kConvexShape);
  for (std::size_t i = 0; i < apis_.size(); ++i) {
    if ((apis_[i] & kAppleCollider) == 0) continue;
    stage::Prim geometry = stage::prim_of_node(stage, static_cast<std::uint32_t>(i));
    if (const stage::Relationship named = geometry.relationship(convex_shape)) {
      for (const layer::Path& path : named.targets()) {
        const stage::Prim target = stage.prim(path.view());
        if (!target) continue;
        geometry = target;
        break;
      }
    }
    apis_[geometry.node()] |= kAppleGeometry;
  }
}

}  // namespace sinew::physics
