// SPDX-License-Identifier: Apache-2.0
#pragma once

/// @namespace sinew::usda
/// Text layers (.usda), read into a layer::Layer and written back.

#include "sinew/usda/parser.hpp"  // IWYU pragma: export
#include "sinew/usda/writer.hpp"  // IWYU pragma: export
