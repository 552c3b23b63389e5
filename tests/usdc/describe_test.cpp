// SPDX-License-Identifier: Apache-2.0
// What a file consists of, without a layer made of it.
#include <algorithm>
#include <string>
#include <vector>

#include "usdc/read_crate.hpp"

namespace sinew::usdc::describe_test {
namespace {

using namespace test;

const Info::Values* values_of(const Info& info, std::string_view type) {
  const auto found = std::find_if(info.values.begin(), info.values.end(),
                                  [&](const Info::Values& values) { return values.type == type; });
  return found != info.values.end() ? &*found : nullptr;
}

Info described(const std::string& file) {
  Diagnostics diagnostics;
  const Result<Info> info = describe(Bytes(file), "test.usdc", diagnostics);
  EXPECT_TRUE(info) << (info ? "" : info.error().message);
  EXPECT_TRUE(diagnostics.empty());
  return info ? *info : Info();
}

TEST(DescribeCrate, TellsVersionSectionsAndSizesOfTables) {
  for (const unsigned minor : {1U, 4U, 8U}) {
    const std::string file = scene(minor);
    const Info info = described(file);
    EXPECT_EQ(info.version, (Version{0, static_cast<std::uint8_t>(minor), 0}));
    EXPECT_EQ(info.file_bytes, file.size());
    EXPECT_EQ(info.paths, 8u);  // The root, two prims, a property of each, set, variant, prim.
    EXPECT_EQ(info.specs, 8u);
    EXPECT_EQ(info.field_sets, 8u);
    EXPECT_EQ(info.strings, 3u);
    ASSERT_EQ(info.sections.size(), 6u);
    EXPECT_EQ(info.sections[0].name, "TOKENS");
    for (std::size_t i = 1; i < 6; ++i) {
      EXPECT_EQ(info.sections[i].offset, info.sections[i - 1].offset + info.sections[i - 1].bytes);
    }
  }
}

TEST(DescribeCrate, CountsArraysOnceHoweverManyPropertiesShareThem) {
  CrateBuilder crate;
  const std::uint64_t floats = crate.array(8, std::vector<float>(100, 1.5F));
  const std::uint64_t packed = packed_ints(crate, std::vector<std::uint32_t>(1000, 1));
  const std::uint32_t a = crate.path(0, "A");
  crate.spec(0, 7, {{"primChildren", crate.token_vector({"A"})}});
  crate.spec(a, 6, {{"properties", crate.token_vector({"x", "y", "z"})}});
  for (const char* name : {"x", "y"}) {
    crate.spec(crate.path(a, name, true), 1,
               {{"typeName", crate.token_value("float[]")}, {"default", floats}});
  }
  crate.spec(crate.path(a, "z", true), 1,
             {{"typeName", crate.token_value("int[]")}, {"default", packed}});
  const Info info = described(crate.build());
  const Info::Values* const of_floats = values_of(info, "float[]");
  ASSERT_NE(of_floats, nullptr);
  EXPECT_EQ(of_floats->count, 1u);
  EXPECT_EQ(of_floats->elements, 100u);
  EXPECT_EQ(of_floats->compressed, 0u);
  EXPECT_EQ(of_floats->bytes, 8u + 400u);
  const Info::Values* const of_ints = values_of(info, "int[]");
  ASSERT_NE(of_ints, nullptr);
  EXPECT_EQ(of_ints->elements, 1000u);
  EXPECT_EQ(of_ints->compressed, 1u);
  for (std::size_t i = 1; i < info.values.size(); ++i) {
    EXPECT_GE(info.values[i - 1].bytes, info.values[i].bytes) << "the largest first";
  }
}

TEST(DescribeCrate, CountsTimeSamples) {
  const Info info = described(two_samples(1, 2));
  const Info::Values* const samples = values_of(info, "time samples");
  ASSERT_NE(samples, nullptr);
  EXPECT_EQ(samples->count, 1u);
  EXPECT_EQ(samples->elements, 2u);
}

TEST(DescribeCrate, RefusesWhatIsNoCrate) {
  Diagnostics diagnostics;
  EXPECT_FALSE(describe(Bytes(std::string("#usda 1.0\n")), "a.usdc", diagnostics));
  EXPECT_EQ(diagnostics.size(), 1u);
  const std::string file = scene(8);
  EXPECT_FALSE(describe(Bytes(file.substr(0, file.size() / 2)), "a.usdc", diagnostics));
}

}  // namespace
}  // namespace sinew::usdc::describe_test
