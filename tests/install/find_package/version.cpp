// SPDX-License-Identifier: Apache-2.0
// The header says the version that the package was found by.
#include <string_view>

#include "sinew/version.hpp"

static_assert(std::string_view(SINEW_VERSION) == FOUND_VERSION);
static_assert(SINEW_VERSION_NUMBER ==
              10000 * SINEW_VERSION_MAJOR + 100 * SINEW_VERSION_MINOR + SINEW_VERSION_PATCH);
#if SINEW_VERSION_NUMBER < 100
#error "The version cannot be compared by the preprocessor."
#endif
