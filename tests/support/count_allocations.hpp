// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace sinew::test {

/// Number of calls of operator new on any thread so far. Linking count_allocations.cpp replaces the
/// allocation functions of the whole program.
std::size_t allocation_count() noexcept;

/// Number of calls of operator new while `body` runs.
template <typename F>
std::size_t count_allocations(F&& body) {
  const std::size_t before = allocation_count();
  body();
  return allocation_count() - before;
}

}  // namespace sinew::test
