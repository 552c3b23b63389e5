// SPDX-License-Identifier: Apache-2.0
#include "physics/read/applied_apis.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "sinew/physics/tokens.hpp"
#include "stage/stage_impl.hpp"

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
  return bits;
}

}  // namespace

AppliedApis::AppliedApis(const stage::Stage& stage, const ReadOptions& options) {
  const ApiBits bits = bits_of_schemas(stage, options);
  const stage::Stage::Impl& impl = stage.impl();
  apis_.resize(impl.nodes.size());
  constexpr std::uint16_t kOutranks = kArticulationRootApi | kCollisionApi | kRigidBodyApi;
  for (std::size_t i = 0; i < apis_.size(); ++i) {
    const stage::PrimNode& node = impl.nodes[i];
    std::uint16_t apis = 0;
    for (std::uint32_t api = node.first_api; api < node.first_api + node.api_count; ++api) {
      for (const auto& [token, bit] : bits) {
        if (token != impl.api_schemas[api]) continue;
        if (bit == kMaterialApi && (apis & kOutranks) == 0) apis |= kIsMaterial;
        apis |= bit;
      }
    }
    apis_[i] = apis;
    if (stage::derives_from(node.schema, stage::SchemaType::physics_joint)) ++counts_.joints;
    if ((apis & kRigidBodyApi) != 0) ++counts_.bodies;
    if ((apis & kCollisionApi) != 0) ++counts_.shapes;
    if ((apis & (kRigidBodyApi | kCollisionApi | kMassApi)) != 0) ++counts_.mass_nodes;
  }
}

}  // namespace sinew::physics
