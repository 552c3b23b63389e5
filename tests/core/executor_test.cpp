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

// Counts how often it is asked, and runs all at once.
struct Counting {
  int calls = 0;
  std::size_t last_count = 0;
  std::size_t last_grain = 0;

  Executor executor() {
    Executor counting;
    counting.self = this;
    counting.parallel_for = [](void* self, std::size_t count, std::size_t grain,
                               Executor::Body body, void* context) {
      auto& told = *static_cast<Counting*>(self);
      ++told.calls;
      told.last_count = count;
      told.last_grain = grain;
      body(context, 0, count);
    };
    return counting;
  }
};

TEST(ParallelFor, AsksAnExecutorOnlyForMoreThanOneGrain) {
  Counting counting;
  expect_covers_once(counting.executor(), 10, 10);
  EXPECT_EQ(counting.calls, 0);
  expect_covers_once(counting.executor(), 11, 10);
  EXPECT_EQ(counting.calls, 1);
  EXPECT_EQ(counting.last_count, 11u);
  EXPECT_EQ(counting.last_grain, 10u);
}

TEST(ParallelFor, RunsNothingWhereNothingIsCounted) {
  int runs = 0;
  parallel_for({}, 0, 10, [&](std::size_t, std::size_t) { ++runs; });
  EXPECT_EQ(runs, 0);
  parallel_for({}, 1, 10, [&](std::size_t first, std::size_t last) {
    ++runs;
    EXPECT_EQ(first, 0u);
    EXPECT_EQ(last, 1u);
  });
  EXPECT_EQ(runs, 1);
}

TEST(StdThreadPool, GivesNoneLessThanAGrain) {
  StdThreadPool pool(4);
  EXPECT_EQ(pool.executor().worker_count, 4u);
  EXPECT_EQ(StdThreadPool(1).executor().worker_count, 1u);
  std::atomic<std::size_t> short_ones{0};
  std::atomic<std::size_t> runs{0};
  parallel_for(pool.executor(), 105, 50, [&](std::size_t first, std::size_t last) {
    ++runs;
    if (last - first < 50) ++short_ones;
  });
  EXPECT_EQ(runs.load(), 3u);
  EXPECT_EQ(short_ones.load(), 1u) << "the last";
}

}  // namespace
}  // namespace sinew::executor_test
