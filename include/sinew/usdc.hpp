// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sinew/usdc/reader.hpp"   // IWYU pragma: export
#include "sinew/usdc/version.hpp"  // IWYU pragma: export
#include "sinew/usdc/writer.hpp"   // IWYU pragma: export
