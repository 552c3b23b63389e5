// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sinew/stage/stage.hpp"

namespace sinew::stage {

/// How values between samples come about: OpenOptions::interpolation.
Interpolation interpolation_of(const Stage& stage) noexcept;

}  // namespace sinew::stage
