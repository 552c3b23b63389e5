// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cassert>

/// Checks a precondition that only a bug in the calling code can break. Never used on file
/// contents.
///
/// Active in debug builds. Define SINEW_ASSERT before including any sinew header to route failures
/// to the embedder's own handler; the definition must be the same in every translation unit.
#ifndef SINEW_ASSERT
#define SINEW_ASSERT(condition) assert(condition)
#endif
