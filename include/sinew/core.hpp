// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sinew/core/assert.hpp"      // IWYU pragma: export
#include "sinew/core/axis.hpp"        // IWYU pragma: export
#include "sinew/core/buffer.hpp"      // IWYU pragma: export
#include "sinew/core/bytes.hpp"       // IWYU pragma: export
#include "sinew/core/diagnostic.hpp"  // IWYU pragma: export
#include "sinew/core/executor.hpp"    // IWYU pragma: export
#include "sinew/core/export.hpp"      // IWYU pragma: export
#include "sinew/core/limits.hpp"      // IWYU pragma: export
#include "sinew/core/one_line.hpp"    // IWYU pragma: export
#include "sinew/core/result.hpp"      // IWYU pragma: export
#include "sinew/core/rules.hpp"       // IWYU pragma: export
#include "sinew/core/simd.hpp"        // IWYU pragma: export
#include "sinew/core/text.hpp"        // IWYU pragma: export
#include "sinew/core/text_file.hpp"   // IWYU pragma: export
#include "sinew/core/token.hpp"       // IWYU pragma: export
#include "sinew/core/types.hpp"       // IWYU pragma: export
