// SPDX-License-Identifier: Apache-2.0
#include "interrupt.hpp"

#include <atomic>
#include <chrono>
#include <csignal>
#include <thread>

#if !defined(_WIN32)
#include <unistd.h>
#endif

namespace sinew::tool {

namespace {

// A signal handler gets nothing but the number of the signal, so these two belong to the process.
// Who sets one looks at the other afterwards: of a writer that begins and a signal that arrives at
// the same time, at least one sees the other.
std::atomic<int> signal_received{0};
std::atomic<int> writers{0};
static_assert(std::atomic<int>::is_always_lock_free, "signal handlers may use nothing else");

// As if the signal had not been caught: shells and make see how the tool ended.
void end_by(int signal) {
  std::signal(signal, SIG_DFL);
#if defined(_WIN32)
  std::raise(signal);
#else
  ::kill(::getpid(), signal);
#endif
}

extern "C" void on_signal(int signal) {
  signal_received = signal;
  if (writers == 0) end_by(signal);
}

void leave() {
  if (--writers == 0 && signal_received != 0) end_by(signal_received);
}

}  // namespace

void end_cleanly_when_interrupted() {
  for (const int signal : {SIGINT, SIGTERM}) {
    // Who starts the tool in the background may want it to ignore Ctrl-C.
    if (std::signal(signal, on_signal) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
}

WriteScope::WriteScope() {
  ++writers;
  if (signal_received == 0) return;
  leave();
  for (;;)
    std::this_thread::sleep_for(std::chrono::hours(1));  // Whoever still writes ends the process.
}

WriteScope::~WriteScope() {
  leave();
}

}  // namespace sinew::tool
