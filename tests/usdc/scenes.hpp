// SPDX-License-Identifier: Apache-2.0
// Whole files that several tests and the fuzzers begin with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "usdc/crate_builder.hpp"

namespace sinew::usdc::test {

// A scene with an array, a relationship, a variant set and a target.
inline std::string scene(unsigned minor) {
  CrateBuilder crate(minor, minor == 0 ? 1 : 0);
  const std::uint32_t a = crate.path(0, "A");
  const std::uint32_t b = crate.path(a, "B");
  const std::uint32_t points = crate.path(b, "points", true);
  const std::uint32_t look = crate.path(a, "{look=}");
  const std::uint32_t red = crate.path(a, "{look=red}");
  const std::uint32_t rel = crate.path(a, "rel", true);
  const std::uint32_t inside = crate.path(red, "Inside");
  crate.spec(0, 7,
             {{"primChildren", crate.token_vector({"A"})},
              {"metersPerUnit", rep(9, 0x3F000000, kInline)}});
  std::string selections;
  append(selections, std::uint64_t{1});
  append(selections, crate.string("look"));
  append(selections, crate.string("red"));
  std::string sets = "\x01";
  sets[0] = 0x20;
  append(sets, std::uint64_t{1});
  append(sets, crate.string("look"));
  crate.spec(a, 6,
             {{"specifier", rep(42, 0, kInline)},
              {"typeName", crate.token_value("Xform")},
              {"primChildren", crate.token_vector({"B"})},
              {"properties", crate.token_vector({"rel"})},
              {"variantSetChildren", crate.token_vector({"look"})},
              {"variantSetNames", rep(33, crate.put(sets))},
              {"variantSelection", rep(45, crate.put(selections))}});
  crate.spec(b, 6,
             {{"specifier", rep(42, 1, kInline)}, {"properties", crate.token_vector({"points"})}});
  std::string elements = crate.array_head(2);
  for (const float f : {1.0F, 2.0F, 3.0F, 4.0F, 5.0F, 6.5F}) append(elements, f);
  crate.spec(points, 1,
             {{"typeName", crate.token_value("point3f[]")},
              {"default", rep(24, crate.put(elements), kArray)}});
  crate.spec(look, 11, {{"variantChildren", crate.token_vector({"red"})}});
  crate.spec(red, 10, {{"primChildren", crate.token_vector({"Inside"})}});
  crate.spec(inside, 6, {{"specifier", rep(42, 0, kInline)}});
  std::string targets = "\x01";
  targets[0] = 0x03;
  append(targets, std::uint64_t{1});
  append(targets, b);
  crate.spec(rel, 8,
             {{"variability", rep(44, 1, kInline)},
              {"custom", rep(1, 1, kInline)},
              {"targetPaths", rep(34, crate.put(targets))}});
  return crate.build();
}

inline std::uint64_t packed_ints(CrateBuilder& crate, const std::vector<std::uint32_t>& numbers) {
  return rep(3, crate.put(crate.array_head(numbers.size()) + run_of(numbers)), kArray | kPacked);
}

// Samples whose times are stored as `times` says, as they are stored.
inline std::string samples_of(std::uint64_t times, const std::vector<std::uint64_t>& values) {
  std::string samples = bytes_of<std::uint64_t>({8, times, 8, values.size()});
  for (const std::uint64_t value : values) append(samples, value);
  return samples;
}

// An attribute `/A.x` with these samples.
inline std::string sampled_attribute(CrateBuilder& crate, std::uint64_t times,
                                     const std::vector<std::uint64_t>& values) {
  const std::uint64_t stored = rep(46, crate.put(samples_of(times, values)));
  const std::uint32_t a = crate.path(0, "A");
  const std::uint32_t x = crate.path(a, "x", true);
  crate.spec(0, 7, {{"primChildren", crate.token_vector({"A"})}});
  crate.spec(a, 6, {{"properties", crate.token_vector({"x"})}});
  crate.spec(x, 1, {{"typeName", crate.token_value("double")}, {"timeSamples", stored}});
  return crate.build();
}

// An attribute `/A.x` with two times, `a` and `b`, and `count` values.
inline std::string two_samples(double a, double b, std::size_t count = 2) {
  CrateBuilder crate;
  const std::uint64_t times = rep(48, crate.put(counted(2, bytes_of({a, b}))));
  std::vector<std::uint64_t> values = {rep(9, 0x3F800000, kInline), rep(51, 0, kInline)};
  values.resize(count);
  return sampled_attribute(crate, times, values);
}

}  // namespace sinew::usdc::test
