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

TEST(DescribeCrate, CountsTheBytesOfEveryFormOfArray) {
  const std::vector<std::uint32_t> indices(20, 1);
  for (const unsigned minor : {4U, 5U, 6U, 7U, 8U}) {
    CrateBuilder crate(minor);
    const std::size_t head = crate.array_head(20).size();
    std::string table = crate.array_head(20) + "t";
    append(table, std::uint32_t{2});
    for (const float f : {0.5F, 1.5F}) append(table, f);
    table += run_of(indices);
    const std::string whole = crate.array_head(20) + "i" + run_of(indices);
    const std::uint64_t few = rep(8, crate.put(table), kArray | kPacked);
    const std::uint64_t doubles = rep(9, crate.put(whole), kArray | kPacked);
    const std::uint64_t shorts = crate.array(3, std::vector<std::int32_t>(15, 1));
    std::string three = crate.array_head(3);
    for (int i = 0; i < 9; ++i) append(three, 1.0F);
    const std::uint64_t points = rep(24, crate.put(three), kArray);
    crate.spec(0, 7, {{"a", few}, {"b", doubles}, {"c", shorts | kPacked << 56}, {"d", points}});
    const Info info = described(crate.build());
    const auto expect = [&](const char* type, std::uint64_t elements, std::uint64_t bytes,
                            bool is_packed) {
      const Info::Values* const values = values_of(info, type);
      ASSERT_NE(values, nullptr) << type << minor;
      EXPECT_EQ(values->count, 1u) << type << minor;
      EXPECT_EQ(values->elements, elements) << type << minor;
      EXPECT_EQ(values->bytes, bytes) << type << minor;
      EXPECT_EQ(values->compressed, is_packed ? 1u : 0u) << type << minor;
    };
    const bool packs = minor >= 6;
    expect("float[]", 20, packs ? table.size() : head + 20 * sizeof(float), packs);
    expect("double[]", 20, packs ? whole.size() : head + 20 * sizeof(double), packs);
    expect("int[]", 15, head + 15 * sizeof(std::int32_t), false);
    expect("float3[]", 3, head + 9 * sizeof(float), false);
  }
}

TEST(DescribeCrate, DoesNotCountWhatDoesNotLieInTheFile) {
  const std::vector<std::uint32_t> indices(20, 1);
  for (const unsigned minor : {4U, 6U, 8U}) {
    CrateBuilder crate(minor);
    const std::string head = crate.array_head(20);
    std::string no_table = head + "t";
    append(no_table, std::uint32_t{1'000'000});
    std::string no_run = head + "i";
    append(no_run, std::uint64_t{1'000'000});
    std::string jump;
    append(jump, std::int64_t{7});
    std::string no_samples;
    append(no_samples, std::int64_t{8});
    append(no_samples, std::uint64_t{0});
    append(no_samples, std::int64_t{8});
    append(no_samples, std::uint64_t{1'000'000});
    CrateBuilder::Fields fields = {
        {"a", rep(9, crate.put(crate.array_head(1'000'000)), kArray)},
        {"d", rep(46, crate.put(jump))},
        {"e", rep(46, crate.put(no_samples))},
        {"f", rep(9, std::uint64_t{1} << 40, kArray)},
        {"g", rep(31, 88, kArray)},
    };
    if (minor >= 6) {
      fields.emplace_back("b", rep(9, crate.put(no_table), kArray | kPacked));
      fields.emplace_back("c", rep(9, crate.put(no_run), kArray | kPacked));
    }
    crate.spec(0, 7, fields);
    const Info info = described(crate.build());
    EXPECT_THAT(info.values, testing::IsEmpty()) << minor << info.values[0].type;
  }
}

TEST(DescribeCrate, RefusesWhatIsNoCrate) {
  Diagnostics diagnostics;
  EXPECT_FALSE(describe(Bytes(std::string("#usda 1.0\n")), "a.usdc", diagnostics));
  EXPECT_EQ(diagnostics.size(), 1u);
  const std::string file = scene(8);
  EXPECT_FALSE(describe(Bytes(file.substr(0, file.size() / 2)), "a.usdc", diagnostics));
}

TEST(DescribeCrate, CountsEditsOfArraysAndValuesThatAreNotInPlace) {
  CrateBuilder crate;
  const std::uint64_t literals = crate.array(3, std::vector<std::int32_t>{7});
  const std::uint64_t program =
      crate.array(5, std::vector<std::int64_t>{(std::int64_t{5} << 56) | 1, 2});
  const std::string edit = bytes_of({literals, program}) + '\0';
  const std::string number = bytes_of({0.1});
  const std::uint64_t first = rep(9, crate.put(number));
  const std::uint64_t second = rep(9, crate.put(number));
  crate.spec(0, 7,
             {{"a", rep(3, crate.put(edit), kEdit)},
              {"b", first},
              {"c", second},
              {"d", first},
              {"e", rep(9, 0x3F800000, kInline)},
              {"f", rep(24, 0, kArray)},
              {"g", rep(61, 88)}});
  const Info info = described(crate.build());
  ASSERT_EQ(info.values.size(), 2u);
  EXPECT_EQ(info.values[0].type, "double");
  EXPECT_EQ(info.values[0].count, 2u);
  EXPECT_EQ(info.values[0].bytes, 16u);
  EXPECT_EQ(info.values[0].elements, 0u);
  EXPECT_EQ(info.values[1].type, "int[] edits");
  EXPECT_EQ(info.values[1].count, 1u);
  EXPECT_EQ(info.values[1].bytes, 0u);
}

TEST(DescribeCrate, CountsTheValuesOfSamples) {
  CrateBuilder crate;
  const std::uint64_t stored = rep(9, crate.put(bytes_of({0.1})));
  const std::uint64_t at = crate.put(counted(3, bytes_of({1.0, 2.0, 3.0})));
  // Samples of samples are none.
  const std::string samples =
      samples_of(rep(48, at), {stored, rep(9, 0x3F800000, kInline), rep(46, at)});
  crate.spec(0, 7, {{"a", rep(46, crate.put(samples))}});
  const Info info = described(crate.build());
  ASSERT_EQ(info.values.size(), 2u);
  EXPECT_EQ(info.values[0].type, "time samples");
  EXPECT_EQ(info.values[0].count, 1u);
  EXPECT_EQ(info.values[0].elements, 3u);
  EXPECT_EQ(info.values[0].bytes, 24u);
  EXPECT_EQ(info.values[1].type, "double");
  EXPECT_EQ(info.values[1].count, 1u);
  EXPECT_EQ(info.values[1].bytes, 8u);
}

}  // namespace
}  // namespace sinew::usdc::describe_test
