// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "sinew/core/executor.hpp"

namespace sinew {

/// A small pool of std::thread for programs without a job system of their own.
///
///     StdThreadPool pool(8);
///     job.run(pool.executor());
///
/// The calling thread works too, so a pool of n uses n - 1 extra threads. One parallel_for at a
/// time: a nested call, or a second thread's call, runs on its own thread alone. Bodies must not
/// throw.
class StdThreadPool {
 public:
  /// `workers` counts the calling thread: 1, or 0 where the number of cores is not known, starts
  /// none.
  explicit StdThreadPool(std::size_t workers = std::thread::hardware_concurrency()) {
    for (std::size_t i = 1; i < workers; ++i) threads_.emplace_back([this] { work(); });
  }
  ~StdThreadPool() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      stop_ = true;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  StdThreadPool(const StdThreadPool&) = delete;
  StdThreadPool& operator=(const StdThreadPool&) = delete;

  /// Hands work to this pool; valid as long as it.
  Executor executor() { return {&StdThreadPool::run, this, threads_.size() + 1}; }

 private:
  struct Task {
    std::size_t count;
    std::size_t chunk;
    Executor::Body body;
    void* context;
    std::atomic<std::size_t> next{0};

    void drain() {
      for (;;) {
        const std::size_t first = next.fetch_add(chunk);
        if (first >= count) return;
        body(context, first, (std::min)(first + chunk, count));
      }
    }
  };

  static void run(void* self, std::size_t count, std::size_t grain, Executor::Body body,
                  void* context) {
    auto& pool = *static_cast<StdThreadPool*>(self);
    if (pool.threads_.empty() || pool.busy_.test_and_set(std::memory_order_acquire)) {
      body(context, 0, count);
      return;
    }
    // Several chunks per worker even out their speed; never smaller than the grain.
    const std::size_t workers = pool.threads_.size() + 1;
    const std::size_t chunk = std::max<std::size_t>({grain, count / (4 * workers), 1});
    Task task{count, chunk, body, context};
    {
      const std::lock_guard<std::mutex> lock(pool.mutex_);
      pool.task_ = &task;
      pool.active_ = pool.threads_.size();
      ++pool.generation_;
    }
    pool.wake_.notify_all();
    task.drain();
    std::unique_lock<std::mutex> lock(pool.mutex_);
    pool.done_.wait(lock, [&pool] { return pool.active_ == 0; });
    pool.task_ = nullptr;
    pool.busy_.clear(std::memory_order_release);
  }

  void work() {
    std::uint64_t seen = 0;
    for (;;) {
      Task* task = nullptr;
      {
        std::unique_lock<std::mutex> lock(mutex_);
        wake_.wait(lock, [&] { return stop_ || generation_ != seen; });
        if (stop_) return;
        seen = generation_;
        task = task_;
      }
      if (task != nullptr) task->drain();
      {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (--active_ == 0) done_.notify_one();
      }
    }
  }

  std::vector<std::thread> threads_;
  std::atomic_flag busy_;  // No mutex: a nested call is made by the thread that set it.
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  Task* task_ = nullptr;
  std::size_t active_ = 0;
  std::uint64_t generation_ = 0;
  bool stop_ = false;
};

}  // namespace sinew
