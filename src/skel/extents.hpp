// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "sinew/core/types.hpp"
#include "sinew/stage/prim.hpp"
#include "sinew/stage/time.hpp"

namespace sinew::skel {

/// The extent of a prim as authored, or the fallback of its type. Nothing if it is malformed.
std::optional<Range3f> authored_extent(const stage::Prim& prim, stage::Time time);

/// The axis-aligned box around a transformed box.
Range3f moved_range(const Range3f& range, const Matrix4d& transform);

}  // namespace sinew::skel
