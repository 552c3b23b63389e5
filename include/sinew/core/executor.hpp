// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "sinew/core/export.hpp"

namespace sinew {

/// Runs `body(context, first, last)` over disjoint ranges that together cover [0, count), possibly
/// on several threads at once, and returns when all are done.
///
/// The library never creates a thread. Wrap your job system in one of these, or pass none and the
/// work runs on the calling thread. `grain` is the smallest range worth a task; it is a hint.
/// `body` neither throws nor blocks, so it is safe to run it from inside another task. Results
/// never depend on how the range is split.
///
/// Ready-made adapters: sinew/core/executor_std_thread.hpp, sinew/core/executor_tbb.hpp.
struct Executor {
  /// The work on one range, [first, last). `context` is what the library handed over.
  using Body = void (*)(void* context, std::size_t first, std::size_t last);
  /// What splits [0, count) into calls of `body`, and returns when all have returned.
  using ParallelFor = void (*)(void* self, std::size_t count, std::size_t grain, Body body,
                               void* context);

  ParallelFor parallel_for = nullptr;  ///< Null: the calling thread does everything.
  void* self = nullptr;                ///< Handed to parallel_for.
  std::size_t worker_count = 1;        ///< How many ranges may run at once; a hint.
};

/// Calls `body(first, last)` through the executor, or directly if it is empty.
template <typename F>
void parallel_for(const Executor& executor, std::size_t count, std::size_t grain, F&& body) {
  if (count == 0) return;
  if (executor.parallel_for == nullptr || count <= grain) {
    body(std::size_t{0}, count);
    return;
  }
  using Function = std::remove_reference_t<F>;
  executor.parallel_for(
      executor.self, count, grain,
      [](void* context, std::size_t first, std::size_t last) {
        (*static_cast<Function*>(context))(first, last);
      },
      const_cast<std::remove_const_t<Function>*>(&body));
}

}  // namespace sinew
