// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/export.hpp"
#include "sinew/layer/layer.hpp"
#include "sinew/physics/dialects.hpp"
#include "sinew/physics/model.hpp"
#include "sinew/stage/stage.hpp"

namespace sinew::physics {

/// Reads what vendors wrote next to the standard schemas into the extras of a model, as
/// read_physics() does with ReadOptions::dialects. Values that stand for "the engine's own" count
/// as not given.
///
/// @param model        Read from this stage. Its extras become parallel to its objects.
/// @param dialects     In order of precedence.
/// Markers (PhysicsModel::sites) are read by read_physics() itself; here they get their groups.
///
/// @param diagnostics  dialect-schema-missing, dialect-unknown-attribute (info, once for each
/// name),
///                     dialect-state-differs (info): a joint is to start elsewhere than its bodies
///                     stand, by more than 1e-3 metres or radians,
///                     dialect-value, dialect-ref-offset, dialect-mimic (warnings),
///                     dialect-tendon (error): tendons, which no extras hold.
/// @par Cost  One look at every property of every prim.
SINEW_API void read_dialects(const stage::Stage& stage, std::span<const Dialect> dialects,
                             PhysicsModel& model, Diagnostics& diagnostics);

/// How often a layer mentions an attribute of a dialect.
struct DialectCount {
  std::string name;  ///< As the table of dialect_attributes() writes it; else as it is authored.
  Dialect dialect = Dialect::newton;  ///< By the prefix of the name.
  bool is_known = true;               ///< False: it has the prefix of the dialect and no row.
  std::size_t count = 0;              ///< Properties of prims and variants that have the name.
};

/// Counts the properties of dialects in all prims of one layer, variants too; the names in order.
/// @par Cost  O(properties), times log.
SINEW_API std::vector<DialectCount> count_dialects(const layer::Layer& layer);

}  // namespace sinew::physics
