// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <thread>

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#endif

namespace sinew {

/// So much that whatever needs stack for each level of a deep tree ends there.
inline constexpr std::size_t kSmallStack = std::size_t{256} * 1024;
/// Enough for reading and composing deep trees, which do need it, under a sanitizer too.
inline constexpr std::size_t kLargeStack = std::size_t{1024} * 1024 * 1024;

/// Runs a function on a thread with a stack of so many bytes, where threads can be told, and waits
/// for it.
inline void run_with_stack(std::size_t bytes, std::function<void()> function) {
#if defined(__unix__) || defined(__APPLE__)
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, bytes);
  const auto call = [](void* argument) -> void* {
    (*static_cast<std::function<void()>*>(argument))();
    return nullptr;
  };
  pthread_t thread{};
  if (pthread_create(&thread, &attributes, call, &function) == 0) {
    pthread_join(thread, nullptr);
  } else {
    function();
  }
  pthread_attr_destroy(&attributes);
#else
  (void)bytes;
  std::thread(function).join();
#endif
}

}  // namespace sinew
