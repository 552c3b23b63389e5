// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>

#include "sinew/physics/joint.hpp"

namespace sinew::physics {

/// Whether a joint turns about one axis or slides along it, and does nothing else.
inline bool has_one_axis(const Joint& joint) noexcept {
  return std::holds_alternative<RevoluteJoint>(joint.kind) ||
         std::holds_alternative<PrismaticJoint>(joint.kind);
}

}  // namespace sinew::physics
