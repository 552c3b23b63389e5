// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <thread>

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#endif

namespace sinew {

/// Runs a function on a thread with a stack of 256 KiB, where threads can be told, and waits for
/// it: what needs stack for each level of a deep tree ends there.
inline void run_with_small_stack(std::function<void()> function) {
#if defined(__unix__) || defined(__APPLE__)
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 256 * 1024);
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
  std::thread(function).join();
#endif
}

}  // namespace sinew
