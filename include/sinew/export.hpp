// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sinew/export/obj.hpp"  // IWYU pragma: export
