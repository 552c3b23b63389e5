// SPDX-License-Identifier: Apache-2.0
#pragma once

#if !defined(__wasi__) || defined(_REENTRANT)
#include <mutex>
#endif

namespace sinew {

#if defined(__wasi__) && !defined(_REENTRANT)
/// Programs for WASI have one thread, and their standard library has no mutex.
struct Mutex {
  void lock() noexcept {}
  void unlock() noexcept {}
};
#else
using Mutex = std::mutex;
#endif

/// Holds a mutex as long as it lives.
class MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) : mutex_(mutex) { mutex_.lock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;
  ~MutexLock() { mutex_.unlock(); }

 private:
  Mutex& mutex_;
};

}  // namespace sinew
