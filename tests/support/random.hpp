// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>

namespace sinew::test {

/// Random choices that are the same on every machine: the generator of SplitMix64, and none of the
/// standard library's distributions, whose results differ between libraries.
class Random {
 public:
  explicit Random(std::uint64_t seed)
      : state_(seed * 0x9e3779b97f4a7c15ULL + 0x632be59bd9b4e019ULL) {}

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  /// 0 to n - 1; n is small.
  std::size_t below(std::size_t n) { return static_cast<std::size_t>((next() >> 32) % n); }
  int between(int low, int high) {
    return low + static_cast<int>(below(static_cast<std::size_t>(high - low + 1)));
  }
  bool chance(int percent) { return below(100) < static_cast<std::size_t>(percent); }
  /// A multiple of 1/8: written, scaled by powers of two and read back, it stays exact.
  double eighths(int low, int high) {
    return static_cast<double>(between(8 * low, 8 * high)) / 8.0;
  }
  /// One of some texts.
  template <std::size_t n>
  std::string pick(const char* const (&choices)[n]) {
    return choices[below(n)];
  }
  template <typename List>
  const auto& of(const List& list) {
    return list[below(list.size())];
  }

 private:
  std::uint64_t state_;
};

/// Texts put together that are made in their order, as the operands of + need not be: a random
/// choice is then the same with every compiler.
inline std::string joined(std::initializer_list<std::string> parts) {
  std::string text;
  for (const std::string& part : parts) text += part;
  return text;
}

}  // namespace sinew::test
