// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @namespace sinew::usdc
/// Binary layers (.usdc), read into a layer::Layer and written back.

#include "sinew/usdc/reader.hpp"   // IWYU pragma: export
#include "sinew/usdc/version.hpp"  // IWYU pragma: export
#include "sinew/usdc/writer.hpp"   // IWYU pragma: export
