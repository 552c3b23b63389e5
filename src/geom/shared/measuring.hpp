// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sinew/geom/bounds.hpp"
#include "sinew/stage/prim.hpp"
#include "sinew/stage/time.hpp"

// How BoundsCache adds up boxes, for what measures stages that are not there yet.
namespace sinew::geom {

/// Prims that may count. Those whose payload was left out do: they may have hints and extents.
inline constexpr stage::Traversal kMeasured = {.unloaded = true, .instance_proxies = true};

/// Whether a child counts. One without a known type may hold anything; one with a type holds
/// geometry only if it can be seen.
bool is_shown(const stage::Prim& prim, stage::Time time);

/// Whether boxes below a prim are measured along its axes: it is a component or subcomponent.
bool has_own_axes(const stage::Prim& prim);

Range3d widened(const Range3f& range);

/// Adds a range to another.
void add(const Range3d& other, Range3d& range);

}  // namespace sinew::geom
