// SPDX-License-Identifier: Apache-2.0
// What the standard library calls where it would throw: says why, without the formatted output of
// the C library, which nothing else of the module needs.

#include <unistd.h>

#include <__verbose_abort>
#include <cstdlib>
#include <cstring>

void std::__libcpp_verbose_abort(const char* format, ...) {
  if (write(STDERR_FILENO, format, std::strlen(format)) < 0) std::abort();
  std::abort();
}
