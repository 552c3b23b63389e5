// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "sinew/export/json.hpp"
#include "sinew/physics/model.hpp"
#include "sinew/physics/pair_filter.hpp"

namespace sinew::web {

/// Writes whether any of some colliders touches any of others, and every reason that was found.
void write_collision(exporter::JsonSink& json, const physics::PhysicsModel& model,
                     const physics::PairFilter& filter, std::span<const std::int32_t> first,
                     std::span<const std::int32_t> second);

}  // namespace sinew::web
