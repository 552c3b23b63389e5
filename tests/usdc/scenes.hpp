// SPDX-License-Identifier: Apache-2.0
// Whole files that several tests and the fuzzers begin with.
#pragma once

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

// An attribute `/A.x` with two samples, of times `a` and `b`.
inline std::string two_samples(double a, double b, std::uint64_t count = 2) {
  CrateBuilder crate;
  std::string times;
  append(times, std::uint64_t{2});
  append(times, a);
  append(times, b);
  const std::uint64_t at = crate.put(times);
  std::string samples;
  append(samples, std::int64_t{8});
  append(samples, rep(48, at));
  append(samples, std::int64_t{8});
  append(samples, count);
  append(samples, rep(9, 0x3F800000, kInline));
  append(samples, rep(51, 0, kInline));
  const std::uint64_t value = rep(46, crate.put(samples));
  const std::uint32_t prim = crate.path(0, "A");
  const std::uint32_t x = crate.path(prim, "x", true);
  crate.spec(0, 7, {{"primChildren", crate.token_vector({"A"})}});
  crate.spec(prim, 6, {{"properties", crate.token_vector({"x"})}});
  crate.spec(x, 1, {{"typeName", crate.token_value("double")}, {"timeSamples", value}});
  return crate.build();
}

}  // namespace sinew::usdc::test
