// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sinew/usda/parser.hpp"  // IWYU pragma: export
#include "sinew/usda/writer.hpp"  // IWYU pragma: export
