// SPDX-License-Identifier: Apache-2.0
#pragma once

// Needs oneTBB: include it by choice and link TBB::tbb yourself.
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <cstddef>

#include "sinew/core/executor.hpp"

namespace sinew {

/// An Executor over the calling thread's TBB arena.
inline Executor tbb_executor() {
  return {[](void*, std::size_t count, std::size_t grain, Executor::Body body, void* context) {
            tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, grain == 0 ? 1 : grain),
                              [&](const tbb::blocked_range<std::size_t>& range) {
                                body(context, range.begin(), range.end());
                              });
          },
          nullptr, static_cast<std::size_t>(tbb::this_task_arena::max_concurrency())};
}

}  // namespace sinew
