// SPDX-License-Identifier: Apache-2.0
// On WASI fmt writes the shortest texts: the tables of the standard library are a tenth of a
// module.
#include "core/shortest_text.hpp"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#if defined(__wasi__)
#include <fmt/format.h>
#else
#include <charconv>
#include <system_error>
#endif

namespace sinew {

namespace {

/// Floating-point numbers from here on are not written digit by digit.
template <std::floating_point T>
constexpr T kFirstBeyond = static_cast<T>(std::uint64_t{1} << 63);

#if defined(__wasi__)

template <std::floating_point T>
std::string shortest(T value) {
  return fmt::to_string(value);
}

template <std::floating_point T>
std::string literal(T value) {
  const T magnitude = std::fabs(value);
  const bool is_long = magnitude >= T(1e16) && magnitude < kFirstBeyond<T>;
  return is_long ? std::to_string(static_cast<std::int64_t>(value)) : fmt::to_string(value);
}

#else

template <std::floating_point T>
std::string shortest(T value) {
  const T magnitude = std::fabs(value);
  const bool plain = magnitude == 0 || (magnitude >= T(1e-4) && magnitude < T(1e16));
  char digits[64];
  const std::to_chars_result end =
      plain ? std::to_chars(digits, digits + sizeof digits, value, std::chars_format::fixed)
            : std::to_chars(digits, digits + sizeof digits, value, std::chars_format::scientific);
  return end.ec == std::errc() ? std::string(digits, end.ptr) : std::string();
}

template <std::floating_point T>
std::string literal(T value) {
  char digits[64];
  const std::to_chars_result end =
      std::fabs(value) >= kFirstBeyond<T>
          ? std::to_chars(digits, digits + sizeof digits, value, std::chars_format::scientific)
          : std::to_chars(digits, digits + sizeof digits, value);
  return {digits, end.ptr};
}

#endif

/// 0.DIGITS times 10^point. Zero has no digits.
struct Decimal {
  std::string digits;
  int point = 0;

  /// What a finite number's magnitude is, to the last digit.
  static Decimal exact(double value) {
    constexpr std::uint32_t kBase = 1'000'000'000;
    int exponent = 0;
    constexpr int kBits = 53;
    auto rest =
        static_cast<std::uint64_t>(std::ldexp(std::frexp(std::fabs(value), &exponent), kBits));
    exponent -= kBits;
    // Of an integer, from the lowest: the number is that times 2^exponent, and for a negative one,
    // 5^-exponent of it are so many digits more.
    std::vector<std::uint32_t> limbs;
    for (; rest > 0; rest /= kBase) limbs.push_back(static_cast<std::uint32_t>(rest % kBase));
    if (limbs.empty()) return {};
    const std::uint32_t factor = exponent > 0 ? 2 : 5;
    for (int i = 0; i < std::abs(exponent); ++i) {
      std::uint64_t carry = 0;
      for (std::uint32_t& limb : limbs) {
        carry += std::uint64_t{limb} * factor;
        limb = static_cast<std::uint32_t>(carry % kBase);
        carry /= kBase;
      }
      if (carry > 0) limbs.push_back(static_cast<std::uint32_t>(carry));
    }
    Decimal decimal;
    for (std::size_t i = limbs.size(); i-- > 0;) {
      const std::string limb = std::to_string(limbs[i]);
      if (!decimal.digits.empty()) decimal.digits.append(9 - limb.size(), '0');
      decimal.digits += limb;
    }
    decimal.point = static_cast<int>(decimal.digits.size()) + std::min(exponent, 0);
    return decimal;
  }

  /// The nearest of at most so many digits, and of two, the one that ends with an even digit.
  void round(int count) {
    if (count >= static_cast<int>(digits.size())) return;
    if (count < 0) return digits.clear();
    const auto kept = static_cast<std::size_t>(count);
    const bool is_half =
        digits[kept] == '5' && digits.find_first_not_of('0', kept + 1) == std::string::npos;
    const bool is_odd = kept > 0 && (digits[kept - 1] - '0') % 2 != 0;
    const bool up = is_half ? is_odd : digits[kept] >= '5';
    digits.resize(kept);
    if (!up) return;
    while (!digits.empty() && digits.back() == '9') digits.pop_back();
    if (digits.empty()) {
      digits = "1";
      ++point;
    } else {
      ++digits.back();
    }
  }

  /// The digits from one place after the point up to another; before it, places are negative.
  std::string places(int first, int last) const {
    std::string text;
    for (int place = point + first; place < point + last; ++place) {
      text += place >= 0 && place < static_cast<int>(digits.size())
                  ? digits[static_cast<std::size_t>(place)]
                  : '0';
    }
    return text;
  }

  std::string fixed(int decimals) const {
    const std::string whole = point > 0 ? places(-point, 0) : "0";
    return decimals > 0 ? whole + '.' + places(0, decimals) : whole;
  }
};

/// What is no number is told as printf does.
std::string with_sign(double value, const std::string& magnitude) {
  if (std::isnan(value)) return "nan";
  return (std::signbit(value) ? "-" : "") + (std::isinf(value) ? "inf" : magnitude);
}

}  // namespace

std::string shortest_text(float value) {
  return shortest(value);
}

std::string shortest_text(double value) {
  return shortest(value);
}

std::string shortest_literal(float value) {
  return literal(value);
}

std::string shortest_literal(double value) {
  return literal(value);
}

std::string rounded_text(double value, int digits) {
  if (!std::isfinite(value)) return with_sign(value, {});
  Decimal decimal = Decimal::exact(value);
  decimal.round(digits);
  while (decimal.digits.ends_with('0')) decimal.digits.pop_back();
  const int size = static_cast<int>(decimal.digits.size());
  const int exponent = decimal.point - 1;
  if (size == 0 || (exponent >= -4 && exponent < digits)) {
    return with_sign(value, size == 0 ? "0" : decimal.fixed(std::max(size - decimal.point, 0)));
  }
  std::string text = decimal.digits.substr(0, 1);
  if (size > 1) text += '.' + decimal.digits.substr(1);
  const std::string power = std::to_string(std::abs(exponent));
  return with_sign(value,
                   text + (exponent < 0 ? "e-" : "e+") + (power.size() < 2 ? "0" : "") + power);
}

std::string fixed_text(double value, int decimals) {
  if (!std::isfinite(value)) return with_sign(value, {});
  Decimal decimal = Decimal::exact(value);
  decimal.round(decimal.point + decimals);
  return with_sign(value, decimal.fixed(decimals));
}

}  // namespace sinew
