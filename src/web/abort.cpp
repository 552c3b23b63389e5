// SPDX-License-Identifier: Apache-2.0
// What the standard library calls where it would throw: says why, without the formatted output of
// the C library, which nothing else of the module needs.

#include <unistd.h>

#include <__verbose_abort>
#include <cstdlib>
#include <cstring>

namespace {

[[noreturn]] void say_and_abort(const char* format) {
  if (write(STDERR_FILENO, format, std::strlen(format)) < 0) std::abort();
  std::abort();
}

}  // namespace

void std::__libcpp_verbose_abort(const char* format, ...) {
  say_and_abort(format);
}

// The same for the language's own faults, such as the call of a pure virtual function.
extern "C" [[noreturn]] void abort_message(const char* format, ...) {
  say_and_abort(format);
}
