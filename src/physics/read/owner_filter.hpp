// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "sinew/physics/model.hpp"

namespace sinew::physics {

/// Keeps what belongs to one of the scenes at `owners`, and renumbers what is left; an empty path
/// stands for "no owner". Shapes follow their body, joints and articulations their bodies.
void keep_owned(PhysicsModel& model, std::span<const std::string> owners);

}  // namespace sinew::physics
