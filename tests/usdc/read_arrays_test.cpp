// SPDX-License-Identifier: Apache-2.0
// Arrays of binary files: plain ones in the file, compressed ones unpacked when they are used.
#include <string>
#include <thread>
#include <vector>

#include "usdc/read_crate.hpp"

namespace sinew::usdc::read_arrays_test {
namespace {

using namespace layer;
using namespace test;
using testing::Contains;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

TEST_F(ReadCrate, LeavesLargePlainArraysInTheFile) {
  const std::vector<float> floats(1000, 1.5F);
  CrateBuilder crate;
  crate.one_attribute("float[]", crate.array(8, floats));
  const Bytes bytes(crate.build());
  const auto layer = read(bytes, "test.usdc", diagnostics_);
  ASSERT_TRUE(layer);
  const Value& value = (*layer)->root().children[0]->properties[0].default_value;
  const auto elements = value.as_array<float>();
  ASSERT_EQ(elements.size(), floats.size());
  EXPECT_EQ(elements[999], 1.5F);
  EXPECT_TRUE(value.buffer().is_view());
  const auto* const at = reinterpret_cast<const std::byte*>(elements.data());
  EXPECT_TRUE(at > bytes.data() && at < bytes.data() + bytes.size());
}

TEST_F(ReadCrate, CopiesArraysThatLieAskew) {
  const std::vector<float> floats(1000, 1.5F);
  CrateBuilder crate;
  crate.put("x");
  const Value value = value_of("float[]", crate.array(8, floats, 1), crate);
  const auto elements = value.as_array<float>();
  ASSERT_EQ(elements.size(), floats.size());
  EXPECT_EQ(elements[999], 1.5F);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(elements.data()) % alignof(float), 0u);
}

TEST_F(ReadCrate, MakesBoolsOfAnyByte) {
  const Value value = [&] {
    CrateBuilder crate;
    return value_of("bool[]", crate.array(1, std::vector<std::uint8_t>{0, 1, 2, 255}), crate);
  }();
  EXPECT_THAT(value.as_array<bool>(), testing::ElementsAre(false, true, true, true));
}

TEST_F(ReadCrate, UnpacksCompressedArraysWhenTheyAreUsed) {
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < 100; ++i) numbers.push_back(i * i);
  CrateBuilder crate;
  const Value value = value_of("int[]", packed_ints(crate, numbers), crate);
  EXPECT_TRUE(value.is_waiting());
  const auto elements = value.as_array<std::int32_t>();
  ASSERT_EQ(elements.size(), 100u);
  EXPECT_EQ(elements[99], 99 * 99);
  EXPECT_EQ(layer_->damaged_values(), 0u);
}

TEST_F(ReadCrate, UnpacksNumbersStoredAsIntegersAndThroughATable) {
  const std::vector<std::uint32_t> numbers = {0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 1};
  CrateBuilder integers;
  std::string bytes = integers.array_head(16) + "i" + run_of(numbers);
  const Value whole = value_of("double[]", rep(9, integers.put(bytes), kArray | kPacked), integers);
  ASSERT_EQ(whole.as_array<double>().size(), 16u);
  EXPECT_EQ(whole.as_array<double>()[2], 2.0);

  CrateBuilder table;
  bytes = table.array_head(16) + "t";
  append(bytes, std::uint32_t{3});
  for (const float f : {0.5F, -0.25F, 8.0F}) append(bytes, f);
  bytes += run_of(numbers);
  const Value looked_up = value_of("float[]", rep(8, table.put(bytes), kArray | kPacked), table);
  ASSERT_EQ(looked_up.as_array<float>().size(), 16u);
  EXPECT_EQ(looked_up.as_array<float>()[2], 8.0F);
  EXPECT_EQ(looked_up.as_array<float>()[15], -0.25F);
}

TEST_F(ReadCrate, NeedsATableOfNumbersThatLiesInTheFile) {
  const std::vector<std::uint32_t> zeros(16, 0);
  for (const std::uint32_t size : {0U, 100'000U, ~0U}) {
    CrateBuilder crate;
    std::string bytes = crate.array_head(16) + "t";
    append(bytes, size);
    const Value value =
        value_of("float[]", rep(8, crate.put(bytes + run_of(zeros)), kArray | kPacked), crate);
    EXPECT_FALSE(value.has_value()) << size;
    EXPECT_THAT(diagnostics_, Contains(Field(&Diagnostic::message, HasSubstr("table of numbers"))))
        << size;
    diagnostics_.clear();
  }
}

TEST_F(ReadCrate, FindsDamageInCompressedArraysWhenTheyAreUsedOrAtOnce) {
  const std::vector<std::uint32_t> numbers(64, 5);
  CrateBuilder crate;
  std::string run = run_of(numbers);
  run[9] = '\x0F';  // A match where nothing is to match.
  const std::uint64_t value = rep(3, crate.put(crate.array_head(64) + run), kArray | kPacked);
  crate.one_attribute("int[]", value);
  const std::string file = crate.build();

  LayerPtr layer = read_layer(file);
  ASSERT_NE(layer, nullptr);
  EXPECT_THAT(diagnostics_, IsEmpty());
  EXPECT_EQ(layer->root().children[0]->properties[0].default_value.size(), 0u);
  EXPECT_EQ(layer->damaged_values(), 1u);

  options_.unpack = Unpack::at_once;
  layer = read_layer(file);
  ASSERT_NE(layer, nullptr);
  EXPECT_FALSE(layer->root().children[0]->properties[0].default_value.has_value());
  EXPECT_TRUE(has("usdc-lz4") || has("usdc-ints"));
  EXPECT_THAT(diagnostics_, Contains(Field(&Diagnostic::path, "/A.x")));

  options_.on_error = OnError::reject;
  EXPECT_EQ(read_layer(file), nullptr);
}

TEST_F(ReadCrate, GivesAllThreadsTheSameArray) {
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < 10'000; ++i) numbers.push_back(i);
  CrateBuilder crate;
  crate.one_attribute("int[]", packed_ints(crate, numbers));
  const LayerPtr layer = read_layer(crate.build());
  ASSERT_NE(layer, nullptr);
  std::vector<const std::int32_t*> seen(8);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    threads.emplace_back([&, i] {
      const auto& value = layer->root().children[0]->properties[0].default_value;
      seen[i] = value.as_array<std::int32_t>().data();
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::int32_t* elements : seen) EXPECT_EQ(elements, seen[0]);
  EXPECT_EQ(seen[0][9999], 9999);
}

TEST_F(ReadCrate, DropsArraysThatDoNotLieInTheFile) {
  for (const std::uint64_t count :
       {std::uint64_t{5000}, std::uint64_t{1} << 32, std::uint64_t{1} << 61,
        (std::uint64_t{1} << 60) + 1, ~std::uint64_t{0}}) {
    for (const unsigned type : {3U, 9U, 10U, 11U, 15U, 21U}) {
      for (const std::uint64_t flags : {kArray, kArray | kPacked}) {
        CrateBuilder crate;
        std::string bytes;
        append(bytes, count);
        bytes += "abcd";
        const std::uint64_t value = rep(type, crate.put(bytes), flags);
        EXPECT_FALSE(value_of("int[]", value, crate).has_value()) << count << " " << type;
        EXPECT_TRUE(has("usdc-value") || has("usdc-limit")) << count << " " << type;
      }
    }
  }
}

TEST_F(ReadCrate, StopsExactlyAtTheLimitOfElements) {
  const std::vector<std::uint32_t> zeros(20, 0);
  for (const bool fits : {true, false}) {
    options_.limits.array_elements = fits ? 20U : 19U;
    for (const std::string form : {"plain", "packed", "text"}) {
      CrateBuilder crate;
      const std::uint64_t stored = form == "packed"
                                       ? packed_ints(crate, zeros)
                                       : crate.array(form == "plain" ? 3U : 11U, zeros);
      const Value value = value_of(form == "text" ? "token[]" : "int[]", stored, crate);
      ASSERT_NE(layer_, nullptr) << form;
      ASSERT_EQ(value.has_value(), fits) << form;
      EXPECT_EQ(diagnostics_.size(), fits ? 0u : 1u) << form;
      if (fits) {
        EXPECT_EQ(value.size(), 20u) << form;
      } else {
        EXPECT_TRUE(has("usdc-limit")) << form;
        EXPECT_THAT(
            diagnostics_,
            Contains(
                Field(&Diagnostic::message,
                      testing::AllOf(HasSubstr("The array has 20 elements, more than the limit of "
                                               "19 (field 'default', entry "),
                                     HasSubstr(" of FIELDS, at byte ")))))
            << form;
      }
    }
  }
}

TEST_F(ReadCrate, KeepsToTheLimitOfDecodedBytes) {
  CrateBuilder crate;
  const std::uint64_t value = packed_ints(crate, std::vector<std::uint32_t>(100'000, 1));
  crate.one_attribute("int[]", value);
  const std::string file = crate.build();
  options_.limits.decoded_bytes = 300'000;
  ASSERT_NE(read_layer(file), nullptr);
  EXPECT_TRUE(has("usdc-limit"));
  options_.limits.decoded_bytes = 500'000;
  ASSERT_NE(read_layer(file), nullptr);
  EXPECT_FALSE(has("usdc-limit"));
}

// What counts is how many there are, not how far into the file.
TEST_F(ReadCrate, CopiesOfSmallArraysCountWithTheirSize) {
  CrateBuilder crate;
  crate.put(std::string(100'000, 'x'));
  crate.one_attribute("float[]", crate.array(8, std::vector<float>(500, 1.0F)));
  const std::string file = crate.build();
  options_.limits.decoded_bytes = 20'000;
  ASSERT_NE(read_layer(file), nullptr);
  EXPECT_FALSE(has("usdc-limit"));
  options_.limits.decoded_bytes = 1'999;
  ASSERT_NE(read_layer(file), nullptr);
  EXPECT_TRUE(has("usdc-limit"));
}

}  // namespace
}  // namespace sinew::usdc::read_arrays_test
