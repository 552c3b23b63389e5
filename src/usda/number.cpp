// SPDX-License-Identifier: Apache-2.0
#include "usda/number.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <system_error>
#include <type_traits>

#include "core/fast_float.hpp"
#include "core/read_integer.hpp"
#include "usda/kernels/number_kernels.hpp"

namespace sinew::usda {

namespace {

bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}

// Powers of ten that a double holds exactly.
constexpr double kPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                              1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                              1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

// Whether a zero is an integer, which has no sign: "-00", but not "-0", which is a double.
bool is_integer_zero(const char* first, const char* last) noexcept {
  return last - first > 2 && std::all_of(first, last, [](char c) { return c == '-' || c == '0'; });
}

// The parts of a decimal literal: its digits without the point, and the power of ten that scales
// them.
struct Decimal {
  const char* end = nullptr;  // One past the literal; null if there is none.
  std::uint64_t digits = 0;   // Exact if `count` <= 19.
  int count = 0;              // Significant digits.
  int exponent = 0;
  bool negative = false;
  bool integer = true;  // Without a point or an exponent.
};

Decimal scan_decimal(const char* p, const char* end) noexcept {
  Decimal d;
  const char* const start = p;
  if (p < end && *p == '-') {
    d.negative = true;
    ++p;
  }
  const char* const first = p;
  std::uint64_t digits = 0;
  int count = 0;
  const auto take = [&](char c) {
    if (count != 0 || c != '0') ++count;
    if (count <= 19) digits = 10 * digits + static_cast<std::uint64_t>(c - '0');
  };
  for (; p < end && is_digit(*p); ++p) take(*p);
  const bool has_integer_part = p != first;
  int fraction = 0;
  if (p < end && *p == '.' && (has_integer_part || (p + 1 < end && is_digit(p[1])))) {
    ++p;
    d.integer = false;
    for (; p < end && is_digit(*p); ++p) {
      take(*p);
      if (fraction < 1'000'000) ++fraction;
    }
  } else if (!has_integer_part) {
    return d;
  }
  int exponent = 0;
  if (p < end && (*p == 'e' || *p == 'E')) {
    const char* q = p + 1;
    bool negative = false;
    if (q < end && (*q == '+' || *q == '-')) negative = *q++ == '-';
    if (q < end && is_digit(*q)) {
      for (; q < end && is_digit(*q); ++q) {
        if (exponent < 1'000'000) exponent = 10 * exponent + (*q - '0');
      }
      exponent = negative ? -exponent : exponent;
      d.integer = false;
      p = q;
    }
  }
  d.end = p;
  d.digits = digits;
  d.count = count;
  d.exponent = exponent - fraction;
  if (count == 0 && is_integer_zero(start, p)) d.negative = false;
  return d;
}

// The general case, on every system by the same code. Overflow and underflow are told apart by the
// size of the literal.
void convert_generally(const char* text, const Decimal& d, double& value) noexcept {
  const auto [end, error] = fast_float::from_chars(text, d.end, value);
  if (error == std::errc()) return;
  const bool tiny = d.count == 0 || d.exponent + d.count < 0;
  const double magnitude = tiny ? 0.0 : std::numeric_limits<double>::infinity();
  value = d.negative ? -magnitude : magnitude;
}

// An integer of 64 bits, which is rounded once.
bool convert_integer_to_float(const char* first, const char* last, float& value) noexcept {
  const bool negative = first != last && *first == '-';
  std::uint64_t magnitude = 0;
  const auto [end, error] = read_integer(negative ? first + 1 : first, last, magnitude);
  if (error != std::errc() || end != last) return false;
  if (negative && magnitude > std::uint64_t{1} << 63) return false;
  value = static_cast<float>(magnitude);
  if (negative && !is_integer_zero(first, last)) value = -value;
  return true;
}

// What is no integer of 64 bits is a double first, whatever type it is wanted in.
void convert_generally(const char* text, const Decimal& d, float& value) noexcept {
  if (d.integer && convert_integer_to_float(text, d.end, value)) return;
  double wide = 0.0;
  convert_generally(text, d, wide);
  value = static_cast<float>(wide);
}

// Exact where one correctly rounded operation on exact operands gives the result.
bool exact_double(const Decimal& d, double& value) noexcept {
  if (d.count > 15 || d.exponent < -22 || d.exponent > 22) return false;
  const auto digits = static_cast<double>(d.digits);
  const double magnitude =
      d.exponent < 0 ? digits / kPowers[-d.exponent] : digits * kPowers[d.exponent];
  value = d.negative ? -magnitude : magnitude;
  return true;
}

// Whether a correctly rounded double rounds to the float that its literal rounds to: unless it lies
// exactly between two floats, where the digits that were rounded away would have decided. They do
// for integers only, which are no doubles.
bool rounds_twice_safely(double value) noexcept {
  std::uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return (bits & 0x1FFFFFFF) != 0x10000000;
}

bool convert(const Decimal& d, double& value) noexcept {
  return exact_double(d, value);
}

bool convert(const Decimal& d, float& value) noexcept {
  double wide = 0.0;
  if (!exact_double(d, wide) || !rounds_twice_safely(wide)) return false;
  const double magnitude = std::fabs(wide);
  // Subnormal floats have fewer bits than the test above assumes.
  if (magnitude != 0.0 && (magnitude < 1.1754943508222875e-38 || magnitude > 3.4e38)) return false;
  value = static_cast<float>(wide);
  return true;
}

// inf, -inf and nan.
template <typename T>
const char* read_word(const char* text, const char* end, T& value) noexcept {
  const char* p = text;
  const bool negative = p < end && *p == '-';
  if (negative) ++p;
  if (end - p < 3) return text;
  if (std::memcmp(p, "inf", 3) == 0) {
    value = negative ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::infinity();
    return p + 3;
  }
  if (!negative && std::memcmp(p, "nan", 3) == 0) {
    value = std::numeric_limits<T>::quiet_NaN();
    return p + 3;
  }
  return text;
}

template <typename T>
const char* read_any_real(const char* text, const char* end, T& value) noexcept {
  const Decimal d = scan_decimal(text, end);
  if (d.end == nullptr) return read_word(text, end, value);
  if (!convert(d, value)) convert_generally(text, d, value);
  return d.end;
}

}  // namespace

const char* read_real(const char* text, const char* end, float& value) noexcept {
  return read_any_real(text, end, value);
}

const char* read_real(const char* text, const char* end, double& value) noexcept {
  return read_any_real(text, end, value);
}

const char* read_number(const char* text, const char* end, Number& number) noexcept {
  number = Number{};
  const Decimal d = scan_decimal(text, end);
  if (d.end == nullptr) {
    const char* after = read_word(text, end, number.real);
    number.kind = Number::Kind::real;
    number.real_float = static_cast<float>(number.real);
    return after;
  }
  if (!convert(d, number.real)) convert_generally(text, d, number.real);
  if (!convert(d, number.real_float)) convert_generally(text, d, number.real_float);
  number.kind = Number::Kind::real;
  if (!d.integer) return d.end;
  if (d.negative && d.digits == 0 && d.count == 0) return d.end;  // "-0" is the double -0.0.
  if (exceeds_64_bits(text, d.end)) {
    number.too_large = true;
    return d.end;
  }
  read_integer(*text == '-' ? text + 1 : text, d.end, number.magnitude);
  number.kind = d.negative ? Number::Kind::signed_ : Number::Kind::unsigned_;
  return d.end;
}

bool exceeds_64_bits(const char* first, const char* last) noexcept {
  constexpr std::ptrdiff_t kDigitsThatFit = 18;
  if (last - first <= kDigitsThatFit) return false;
  const bool negative = *first == '-';
  if (negative) ++first;
  std::uint64_t magnitude = 0;
  const auto [end, error] = read_integer(first, last, magnitude);
  if (end != last || end == first) return false;
  constexpr auto kMin = std::uint64_t{1} << 63;
  return error != std::errc() || (negative && magnitude > kMin);
}

namespace {

template <typename T>
bool convert_integer(const char* first, const char* last, T& value) noexcept {
  const auto [end, error] = read_integer(first, last, value);
  return error == std::errc() && end == last;
}

}  // namespace

bool convert_slowly(const char* first, const char* last, float& value) noexcept {
  const bool is_integer = std::all_of(first, last, [](char c) { return c == '-' || is_digit(c); });
  if (is_integer) return convert_integer_to_float(first, last, value);
  double wide = 0.0;
  if (!convert_slowly(first, last, wide)) return false;
  value = static_cast<float>(wide);
  return std::isfinite(value);
}

bool convert_slowly(const char* first, const char* last, double& value) noexcept {
  const auto [end, error] = fast_float::from_chars(first, last, value);
  if (error != std::errc() || end != last || !std::isfinite(value)) return false;
  if (value == 0 && is_integer_zero(first, last)) value = 0;
  constexpr double kFirstBeyond = 9223372036854775808.0;  // Few numbers are that large.
  return std::fabs(value) < kFirstBeyond || !exceeds_64_bits(first, last);
}

bool convert_slowly(const char* first, const char* last, std::int64_t& value) noexcept {
  return convert_integer(first, last, value);
}

bool convert_slowly(const char* first, const char* last, std::uint64_t& value) noexcept {
  return convert_integer(first, last, value);
}

template <typename T>
bool to_integer(const Number& number, T& value) noexcept {
  using Limits = std::numeric_limits<T>;
  switch (number.kind) {
    case Number::Kind::unsigned_:
      if (number.magnitude > static_cast<std::uint64_t>(Limits::max())) return false;
      value = static_cast<T>(number.magnitude);
      return true;
    case Number::Kind::signed_: {
      if constexpr (std::is_unsigned_v<T>) {
        if (number.magnitude != 0) return false;
        value = 0;
        return true;
      } else {
        const std::uint64_t largest = static_cast<std::uint64_t>(Limits::max()) + 1;
        if (number.magnitude > largest) return false;
        value = static_cast<T>(std::uint64_t{0} - number.magnitude);
        return true;
      }
    }
    case Number::Kind::real: {
      // The largest value of a 64-bit type is not a double, so compare with the power of two. One
      // below the smallest is none either: of 64 bits that one itself is refused, as in OpenUSD.
      const double above = std::ldexp(1.0, Limits::digits);
      const double below = static_cast<double>(Limits::min()) - 1.0;
      if (!(number.real > below && number.real < above)) return false;
      value = static_cast<T>(std::trunc(number.real));
      return true;
    }
  }
  return false;
}

template bool to_integer(const Number&, std::uint8_t&) noexcept;
template bool to_integer(const Number&, std::int32_t&) noexcept;
template bool to_integer(const Number&, std::uint32_t&) noexcept;
template bool to_integer(const Number&, std::int64_t&) noexcept;
template bool to_integer(const Number&, std::uint64_t&) noexcept;

}  // namespace sinew::usda
