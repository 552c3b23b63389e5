// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/physics/read/read_physics.hpp"

namespace sinew::physics {

/// API schemas that reading looks for, as bits.
enum Api : std::uint16_t {
  kRigidBodyApi = 1,
  kCollisionApi = 2,
  kMassApi = 4,
  kMaterialApi = 8,
  kMeshCollisionApi = 16,
  kArticulationRootApi = 32,
  kFilteredPairsApi = 64,
  kMaterialBindingApi = 128,
  kIsMaterial = 256,      ///< PhysicsMaterialAPI stands before the schemas that would outrank it.
  kSiteApi = 512,         ///< Only if MuJoCo's attributes are read.
  kAppleCollider = 1024,  ///< Collides by Apple's schema; only if its attributes are read.
  kAppleGeometry = 2048,  ///< What lies here and below is the geometry of such a collider.
};

/// Whether a dialect is one of those that are asked for.
inline bool asks_for(std::span<const Dialect> dialects, Dialect dialect) {
  return std::find(dialects.begin(), dialects.end(), dialect) != dialects.end();
}

/// What is applied to every prim of a stage, looked at once.
class AppliedApis {
 public:
  /// @param options  `api_schemas` say what the application's schemas include.
  AppliedApis(const stage::Stage& stage, const ReadOptions& options);

  /// Api bits.
  std::uint16_t of(const stage::Prim& prim) const { return apis_[prim.node()]; }

  /// How many nodes there are of each kind, which proxies share.
  struct Counts {
    std::size_t bodies = 0;
    std::size_t shapes = 0;
    std::size_t joints = 0;
    std::size_t mass_nodes = 0;
  };
  const Counts& counts() const noexcept { return counts_; }

 private:
  void find_apple_geometry(const stage::Stage& stage);

  std::vector<std::uint16_t> apis_;  // By node.
  Counts counts_;
};

}  // namespace sinew::physics
