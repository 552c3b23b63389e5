// SPDX-License-Identifier: Apache-2.0
// The reader of numbers with a fraction, included here alone.
#pragma once

#ifdef __wasm__
// Its table, 10 kB that do not pack, is made when a module starts, which takes 0.1 ms, and is not a
// part of the download.
#include <fast_float/float_common.h>
// After it, as some versions do not include what they need.
#include <fast_float/fast_table.h>

#include <cstdint>

template <>
struct fast_float::powers_template<void> {
  static constexpr int smallest_power_of_five = binary_format<double>::smallest_power_of_ten();
  static constexpr int largest_power_of_five = binary_format<double>::largest_power_of_ten();
  static constexpr int number_of_entries = 2 * (largest_power_of_five - smallest_power_of_five + 1);
  static std::uint64_t power_of_five_128[number_of_entries];
};
#endif

#include <fast_float/fast_float.h>
