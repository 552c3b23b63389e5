// SPDX-License-Identifier: Apache-2.0
// One binary layer used by many threads at once, in builds with ThreadSanitizer too.
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "sinew/stage/asset_resolver.hpp"
#include "sinew/stage/stage.hpp"
#include "usdc/read_crate.hpp"

namespace sinew::usdc::threads_test {
namespace {

using namespace test;

constexpr std::size_t kThreads = 8;
constexpr int kPrims = 50;
constexpr std::uint32_t kElements = 500;

// Prims with an array of their own each, one that all share, and samples of arrays; all compressed.
std::string many_arrays() {
  CrateBuilder crate;
  const auto numbers = [&](std::uint32_t first) {
    std::vector<std::uint32_t> all;
    for (std::uint32_t i = 0; i < kElements; ++i) all.push_back(first + i * i % 7);
    return packed_ints(crate, all);
  };
  std::vector<std::string> names;
  for (int i = 0; i < kPrims; ++i) names.push_back("P" + std::to_string(i));
  crate.spec(0, 7, {{"primChildren", crate.token_vector(names)}});
  const std::uint64_t shared = numbers(1000);
  const std::uint64_t times = rep(48, crate.put(counted(2, bytes_of({1.0, 2.0}))));
  for (int i = 0; i < kPrims; ++i) {
    const std::uint32_t prim = crate.path(0, names[static_cast<std::size_t>(i)]);
    crate.spec(
        prim, 6,
        {{"specifier", rep(42, 0, kInline)}, {"properties", crate.token_vector({"a", "b", "c"})}});
    const std::uint64_t own = numbers(static_cast<std::uint32_t>(2 * i));
    const std::uint64_t samples = rep(46, crate.put(samples_of(times, {own, shared})));
    const auto attribute = [&](const char* name, const char* field, std::uint64_t value) {
      crate.spec(crate.path(prim, name, true), 1,
                 {{"typeName", crate.token_value("int[]")}, {field, value}});
    };
    attribute("a", "default", numbers(static_cast<std::uint32_t>(i)));
    attribute("b", "default", shared);
    attribute("c", "timeSamples", samples);
  }
  return crate.build();
}

std::int64_t sum_of(const layer::Value& value) {
  std::int64_t sum = 0;
  for (const std::int32_t element : value.as_array<std::int32_t>()) sum += element;
  return sum;
}

// Runs `sum` in all threads, which wait for each other, and expects them to agree.
template <typename Sum>
std::int64_t sum_in_all_threads(Sum sum) {
  std::vector<std::int64_t> sums(kThreads);
  std::vector<std::thread> threads;
  for (std::int64_t& mine : sums) threads.emplace_back([&] { mine = sum(); });
  for (std::thread& thread : threads) thread.join();
  for (const std::int64_t each : sums) EXPECT_EQ(each, sums[0]);
  return sums[0];
}

TEST(CrateThreads, UnpackTheValuesOfOneLayer) {
  Diagnostics diagnostics;
  const auto layer = read(Bytes(many_arrays()), "a.usdc", diagnostics);
  ASSERT_TRUE(layer && diagnostics.empty());
  const std::int64_t sum = sum_in_all_threads([&] {
    std::int64_t all = 0;
    for (const layer::PrimSpec* prim : (*layer)->root().children) {
      for (const layer::PropertySpec& property : prim->properties) {
        all += sum_of(property.default_value);
        const layer::TimeSamples* const samples = property.time_samples();
        if (samples == nullptr) continue;
        for (const layer::Value& value : samples->values) all += sum_of(value);
      }
    }
    return all;
  });
  EXPECT_GT(sum, std::int64_t{kPrims} * 2 * 1000 * kElements);
  EXPECT_EQ((*layer)->damaged_values(), 0u);
}

TEST(CrateThreads, ReadOneStage) {
  stage::MemoryResolver resolver;
  resolver.add("a.usdc", many_arrays());
  stage::OpenOptions options;
  options.resolver = &resolver;
  Diagnostics diagnostics;
  const auto opened = stage::Stage::open("a.usdc", diagnostics, options);
  ASSERT_TRUE(opened) << opened.error().message;
  const stage::Stage& stage = **opened;
  const std::int64_t sum = sum_in_all_threads([&] {
    std::int64_t all = 0;
    for (const stage::Prim prim : stage.root().descendants()) {
      for (const char* name : {"a", "b", "c"}) {
        const stage::Attribute attribute = prim.attribute(name);
        if (!attribute) continue;  // The root has none.
        for (const double time : {1.0, 1.5, 2.0}) all += sum_of(attribute.value(time));
      }
    }
    return all;
  });
  EXPECT_GT(sum, std::int64_t{kPrims} * 4 * 1000 * kElements);
}

}  // namespace
}  // namespace sinew::usdc::threads_test
