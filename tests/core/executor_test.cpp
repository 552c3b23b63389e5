// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/executor.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

#include "sinew/core/executor_std_thread.hpp"

namespace sinew::executor_test {
namespace {

// Every index exactly once, whoever ran it.
void expect_covers_once(const Executor& executor, std::size_t count, std::size_t grain) {
  std::vector<std::atomic<int>> hits(count);
  parallel_for(executor, count, grain, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) hits[i].fetch_add(1);
  });
  for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(hits[i].load(), 1) << i;
}

TEST(ParallelFor, RunsOnTheCallingThreadWithoutAnExecutor) {
  expect_covers_once({}, 1000, 10);
}

TEST(StdThreadPool, CoversTheRangeOnce) {
  StdThreadPool pool(4);
  for (std::size_t count : {0u, 1u, 7u, 1000u, 100'000u}) {
    expect_covers_once(pool.executor(), count, 16);
  }
}

TEST(StdThreadPool, RunsNestedCallsWithoutDeadlock) {
  StdThreadPool pool(4);
  std::atomic<int> total{0};
  parallel_for(pool.executor(), 64, 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      parallel_for(pool.executor(), 10, 1,
                   [&](std::size_t a, std::size_t b) { total.fetch_add(static_cast<int>(b - a)); });
    }
  });

  EXPECT_EQ(total.load(), 640);
}

TEST(StdThreadPool, OfOneWorkerUsesTheCallingThread) {
  StdThreadPool pool(1);
  expect_covers_once(pool.executor(), 1000, 1);
}

}  // namespace
}  // namespace sinew::executor_test
