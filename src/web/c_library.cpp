// SPDX-License-Identifier: Apache-2.0
// Parts of the C and C++ libraries, as far as what the module is made of uses them. Those of the
// libraries bring quadruple precision in software along, or tables, or are made for machines that
// have no instruction for it. The linker puts these in their place.

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "core/fast_float.hpp"
#include "core/hex.hpp"
#include "core/read_integer.hpp"
#include "web/large_angle.hpp"

namespace {

template <typename T>
T whole_number(const char* text, char** end) {
  T value = 0;
  const std::from_chars_result read = sinew::read_integer(text, text + std::strlen(text), value);
  *end = const_cast<char*>(read.ptr);
  if (read.ec != std::errc()) errno = ERANGE;
  return value;
}

}  // namespace

extern "C" {

// Called by the JSON reader, for numbers that it has checked and that a NUL follows.
double __wrap_strtod(const char* text, char** end) {
  double value = 0.0;
  const fast_float::from_chars_result read =
      fast_float::from_chars(text, text + std::strlen(text), value);
  *end = const_cast<char*>(read.ptr);
  return value;
}
long long __wrap_strtoll(const char* text, char** end, int) {
  return whole_number<long long>(text, end);
}
unsigned long long __wrap_strtoull(const char* text, char** end, int) {
  return whole_number<unsigned long long>(text, end);
}

// Called by the JSON reader alone, to name a character in a message that nobody sees.
int __wrap_snprintf(char* text, std::size_t size, const char* format, ...) {
  if (std::strcmp(format, "<U+%.4X>") != 0 || size < 9) std::abort();
  std::va_list arguments;
  va_start(arguments, format);
  const unsigned character = va_arg(arguments, unsigned);
  va_end(arguments);
  std::memcpy(text, "<U+0000>", 9);
  for (int i = 0; i < 4; ++i) text[6 - i] = sinew::kUpperHex[character >> (4 * i) & 15];
  return 8;
}

// Called by what throws errors of the operating system, of which there is none.
char* __wrap_strerror(int) {
  static char text[] = "error";
  return text;
}

// Called by sin() and cos() for angles above a million. Pieces of 24 bits, the first times
// 2^exponent, are the angle; at most three of them are a double.
int __wrap___rem_pio2_large(double* pieces, double* rest, int exponent, int count, int precision) {
  double mantissa = 0.0;
  for (int i = 0; i < count; ++i) mantissa += std::ldexp(pieces[i], 29 - 24 * i);
  const sinew::web::ReducedAngle reduced =
      sinew::web::reduce_angle(static_cast<std::uint64_t>(mantissa), exponent - 29);
  rest[0] = reduced.angle;
  if (precision > 0) rest[1] = reduced.rest;
  return reduced.quarters;
}

// Copying is an instruction, for which the compiled library has no use.
void* __wrap_memcpy(void* to, const void* from, std::size_t size) {
  return __builtin_memcpy(to, from, size);
}
void* __wrap_memmove(void* to, const void* from, std::size_t size) {
  return __builtin_memmove(to, from, size);
}
void* __wrap_memset(void* to, int value, std::size_t size) {
  return __builtin_memset(to, value, size);
}

// std::__next_prime(n), which hash tables size themselves by.
std::size_t __wrap__ZNSt3__212__next_primeEm(std::size_t least) {
  const auto is_prime = [](std::size_t n) {
    for (std::size_t divisor = 3; divisor <= n / divisor; divisor += 2) {
      if (n % divisor == 0) return false;
    }
    return true;
  };
  if (least <= 2) return least == 0 ? 0 : 2;
  std::size_t prime = least | 1;
  while (!is_prime(prime)) prime += 2;
  return prime;
}

}  // extern "C"
