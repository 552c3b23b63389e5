// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace sinew::test {

/// Number of calls of operator new on any thread so far. Linking count_allocations.cpp replaces the
/// allocation functions of the whole program.
std::size_t allocation_count() noexcept;

/// Bytes that operator new gave out and operator delete has not taken back, now and at most since
/// forget_peak(). 0 where the C library does not tell sizes.
std::size_t live_bytes() noexcept;
std::size_t peak_bytes() noexcept;
void forget_peak() noexcept;

/// Number of calls of operator new while `body` runs.
template <typename F>
std::size_t count_allocations(F&& body) {
  const std::size_t before = allocation_count();
  body();
  return allocation_count() - before;
}

}  // namespace sinew::test
