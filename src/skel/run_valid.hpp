// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sinew/core/executor.hpp"
#include "sinew/skel/skin_many.hpp"

namespace sinew::skel {

/// Runs a job that is known to be valid.
void run_valid(const SkinManyJob& job, const Executor& executor);

}  // namespace sinew::skel
