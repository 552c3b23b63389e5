// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/export.hpp"
#include "sinew/core/types.hpp"
#include "sinew/stage/prim.hpp"
#include "sinew/stage/time.hpp"

namespace sinew::geom {

/// One of the things that a PointInstancer shows.
struct PointInstance {
  std::uint32_t prototype = 0;            ///< In PointInstances::prototypes.
  std::int64_t id = 0;                    ///< (ids) Without those, its place in `protoIndices`.
  Vector3f position = Vector3f::Zero();   ///< (positions) In the space of the instancer.
  Quatf orientation = Quatf::Identity();  ///< (orientationsf, orientations) Of any length but 0.
  Vector3f scale = Vector3f::Ones();      ///< (scales)

  /// To the space of the instancer: scaled, turned, moved. What is below a prototype gets there by
  /// the prototype's own transform first (geom::local_transform()), then by this.
  SINEW_API Matrix4d transform() const;
};

/// What a PointInstancer shows at a time.
struct PointInstances {
  std::vector<stage::Prim> prototypes;   ///< (prototypes) Invalid where there is no such prim.
  std::vector<PointInstance> instances;  ///< Those that are seen, in the order of `protoIndices`.
  /// Whether every index names a target of `prototypes`, there are as many positions as indices,
  /// and also as many ids, if one of those is hidden. OpenUSD has no bounds for others.
  bool consistent = true;
};

/// Reads a PointInstancer.
///
/// Instances named by `invisibleIds` or by the metadata `inactiveIds` are left out; so are those
/// without a position, without a prototype or with numbers that are not finite, which is reported
/// as "geom-instancer". Orientations, scales and ids count if there is one for each entry of
/// `protoIndices`; others are reported as "geom-instancer-size" and ignored. Orientations in single
/// precision come before those in half. Velocities are not followed: between samples every number
/// is interpolated as any attribute is. Whether the instancer itself is visible is not asked.
///
/// @return Nothing if the prim is no PointInstancer.
/// @par Cost    O(instances).
/// @par Source  UsdGeomPointInstancer::ComputeInstanceTransformsAtTime, ComputeMaskAtTime.
SINEW_API std::optional<PointInstances> read_point_instances(const stage::Prim& prim,
                                                             stage::Time time = {},
                                                             Diagnostics* diagnostics = nullptr);

/// Whether any of the attributes that read_point_instances() reads has more than one sample.
SINEW_API bool point_instances_might_vary(const stage::Prim& prim);

}  // namespace sinew::geom
