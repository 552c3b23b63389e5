// SPDX-License-Identifier: Apache-2.0
// Binary files of every version and the layers made of them.
#include "sinew/usdc/reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "sinew/core/types.hpp"
#include "sinew/layer/compare.hpp"
#include "sinew/usda/parser.hpp"
#include "usdc/crate_builder.hpp"

namespace sinew::usdc {
namespace {

using namespace layer;
using test::append;
using test::CrateBuilder;
using test::kArray;
using test::kEdit;
using test::kInline;
using test::kPacked;
using test::rep;
using testing::Contains;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

class ReadCrate : public testing::Test {
 protected:
  LayerPtr read_layer(const std::string& file) {
    diagnostics_.clear();
    Result<LayerPtr> layer = read(Bytes(file), "test.usdc", diagnostics_, options_);
    if (!layer) error_ = layer.error();
    return layer ? *layer : nullptr;
  }
  /// The default of `/A.x`.
  Value value_of(const std::string& type, std::uint64_t value, CrateBuilder& crate) {
    crate.one_attribute(type, value);
    layer_ = read_layer(crate.build());
    if (layer_ == nullptr) return {};
    return layer_->root().children[0]->properties[0].default_value;
  }
  Value value_of(const std::string& type, std::uint64_t value) {
    CrateBuilder crate;
    return value_of(type, value, crate);
  }
  bool has(std::string_view code) const {
    return std::any_of(diagnostics_.begin(), diagnostics_.end(),
                       [&](const Diagnostic& diagnostic) { return diagnostic.code == code; });
  }

  ReadOptions options_;
  Diagnostics diagnostics_;
  Error error_;
  LayerPtr layer_;
};

// A scene with an array, a relationship, a variant set and a target.
std::string scene(unsigned minor) {
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

constexpr std::string_view kSceneText = R"(#usda 1.0
(
    metersPerUnit = 0.5
)
def Xform "A" (
    prepend variantSets = "look"
    variants = {
        string look = "red"
    }
)
{
    custom rel rel = </A/B>
    over "B"
    {
        point3f[] points = [(1, 2, 3), (4, 5, 6.5)]
    }
    variantSet "look" = {
        "red" {
            def "Inside"
            {
            }
        }
    }
}
)";

TEST_F(ReadCrate, GivesTheLayerOfTheSameTextInEveryVersion) {
  Diagnostics diagnostics;
  const auto text = usda::parse(kSceneText, "scene.usda", diagnostics);
  ASSERT_TRUE(text);
  for (unsigned minor = 0; minor <= 15; ++minor) {
    const LayerPtr layer = read_layer(scene(minor));
    ASSERT_NE(layer, nullptr) << minor << ": " << error_.message;
    EXPECT_THAT(diagnostics_, IsEmpty()) << minor;
    const auto found = differences(*layer, **text);
    EXPECT_TRUE(found.empty()) << minor << ": " << found[0].path << " " << found[0].field;
    EXPECT_EQ(layer->prim_count(), 4u);
    EXPECT_TRUE(layer->complete());
  }
}

TEST_F(ReadCrate, RefusesVersionsThatDoNotExist) {
  std::string file = scene(8);
  EXPECT_TRUE(is_crate(Bytes(file)));
  file[9] = 16;
  EXPECT_EQ(read_layer(file), nullptr);
  EXPECT_EQ(error_.code, ErrorCode::unsupported);
  EXPECT_TRUE(has("usdc-version"));
  file[9] = 0;
  EXPECT_EQ(read_layer(file), nullptr) << "0.0.0";
  file[8] = 1;
  EXPECT_EQ(read_layer(file), nullptr) << "1.0.0";
}

TEST_F(ReadCrate, ReadsInlinedValues) {
  EXPECT_EQ(value_of("double", rep(9, 0x3F800000, kInline)).get<double>(), 1.0);
  EXPECT_EQ(value_of("int64", rep(5, 0xFFFFFFFE, kInline)).get<std::int64_t>(), -2);
  EXPECT_EQ(value_of("uint64", rep(6, 0xFFFFFFFE, kInline)).get<std::uint64_t>(), 0xFFFFFFFEu);
  EXPECT_EQ(value_of("bool", rep(1, 0x102, kInline)).get<bool>(), true);
  const auto half2 = value_of("half2", rep(21, 0x3C000000, kInline)).get<Vector2h>();
  EXPECT_EQ(*half2, Vector2h(Half(0.0F), Half(1.0F)));
  const auto half3 = value_of("half3", rep(25, 0x00020100, kInline)).get<Vector3h>();
  EXPECT_EQ(*half3, Vector3h(Half(0.0F), Half(1.0F), Half(2.0F)));
  EXPECT_EQ(*value_of("float3", rep(24, 0x00FE01FF, kInline)).get<Vector3f>(), Vector3f(-1, 1, -2));
  EXPECT_EQ(*value_of("matrix4d", rep(15, 0x01010101, kInline)).get<Matrix4d>(),
            Matrix4d::Identity());
  EXPECT_TRUE(value_of("double", rep(51, 0xDEADBEEF, kInline)).is_block());
  EXPECT_EQ(value_of("float3[]", rep(24, 0, kArray)).size(), 0u);
  EXPECT_TRUE(value_of("float3[]", rep(24, 0, kArray)).is_array());
  EXPECT_THAT(diagnostics_, IsEmpty());
}

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

std::uint64_t packed_ints(CrateBuilder& crate, const std::vector<std::uint32_t>& numbers) {
  return rep(3, crate.put(crate.array_head(numbers.size()) + test::run_of(numbers)),
             kArray | kPacked);
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
  std::string bytes = integers.array_head(16) + "i" + test::run_of(numbers);
  const Value whole = value_of("double[]", rep(9, integers.put(bytes), kArray | kPacked), integers);
  ASSERT_EQ(whole.as_array<double>().size(), 16u);
  EXPECT_EQ(whole.as_array<double>()[2], 2.0);

  CrateBuilder table;
  bytes = table.array_head(16) + "t";
  append(bytes, std::uint32_t{3});
  for (const float f : {0.5F, -0.25F, 8.0F}) append(bytes, f);
  bytes += test::run_of(numbers);
  const Value looked_up = value_of("float[]", rep(8, table.put(bytes), kArray | kPacked), table);
  ASSERT_EQ(looked_up.as_array<float>().size(), 16u);
  EXPECT_EQ(looked_up.as_array<float>()[2], 8.0F);
  EXPECT_EQ(looked_up.as_array<float>()[15], -0.25F);
}

TEST_F(ReadCrate, FindsDamageInCompressedArraysWhenTheyAreUsedOrAtOnce) {
  const std::vector<std::uint32_t> numbers(64, 5);
  CrateBuilder crate;
  std::string run = test::run_of(numbers);
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

TEST_F(ReadCrate, DropsValuesWhoseNumbersAreWrong) {
  const std::uint64_t wrong[] = {
      rep(0, 0, kInline),                // No type.
      rep(61, 0, kInline),               // Not yet one.
      rep(9, 100, 1),                    // A bit that means nothing.
      rep(9, 0),                         // In the header,
      rep(9, 87),                        //
      rep(9, (std::uint64_t{1} << 47)),  // behind the file.
      rep(31, 88, kArray),               // An array of what has no arrays.
      rep(16, 0, kInline),               // A quaternion is never inlined.
      rep(10, 1'000'000, kInline),       // Texts that do not exist.
      rep(11, 0xFFFFFFFF, kInline),      //
      rep(57, 88, kInline),              //
      rep(46, 88),                       // Samples as a default.
  };
  for (const std::uint64_t value : wrong) {
    EXPECT_FALSE(value_of("double", value).has_value()) << std::hex << value;
    EXPECT_TRUE(has("usdc-value")) << std::hex << value;
    EXPECT_NE(layer_, nullptr) << std::hex << value;
  }
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

std::string dictionary_of(std::uint32_t key, std::uint64_t value) {
  std::string bytes;
  append(bytes, std::uint64_t{1});
  append(bytes, key);
  append(bytes, std::int64_t{8});
  append(bytes, value);
  return bytes;
}

TEST_F(ReadCrate, ReadsDictionariesWithTheTypesOfTheirEntries) {
  CrateBuilder crate;
  const std::uint32_t key = crate.string("key");
  const std::uint64_t inner = crate.put(dictionary_of(key, rep(19, 0x0201, kInline)));
  const std::uint64_t outer = crate.put(dictionary_of(key, rep(31, inner)));
  crate.spec(0, 7, {{"customLayerData", rep(31, outer)}});
  const LayerPtr layer = read_layer(crate.build());
  ASSERT_NE(layer, nullptr);
  const Dictionary* found = layer->field("customLayerData")->as_dictionary();
  ASSERT_NE(found, nullptr);
  EXPECT_EQ((*found)[0].type_name.view(), "dictionary");
  const Dictionary& nested = *(*found)[0].value.as_dictionary();
  EXPECT_EQ(nested[0].type_name.view(), "double2");
  EXPECT_EQ(*nested[0].value.get<Vector2d>(), Vector2d(1, 2));
}

TEST_F(ReadCrate, StopsAtValuesThatContainThemselves) {
  CrateBuilder crate;
  const std::uint32_t key = crate.string("key");
  const std::uint64_t self = crate.put("");
  crate.put(dictionary_of(key, rep(31, self)));
  crate.spec(0, 7, {{"customLayerData", rep(31, self)}});
  ASSERT_NE(read_layer(crate.build()), nullptr);
  EXPECT_THAT(diagnostics_, Contains(Field(&Diagnostic::message, HasSubstr("contains itself"))));
}

TEST_F(ReadCrate, StopsAtValuesThatNestTooDeep) {
  CrateBuilder crate;
  const std::uint32_t key = crate.string("key");
  std::uint64_t value = rep(3, 1, kInline);
  for (int i = 0; i < 10'000; ++i) value = rep(31, crate.put(dictionary_of(key, value)));
  crate.spec(0, 7, {{"customLayerData", value}});
  ASSERT_NE(read_layer(crate.build()), nullptr);
  EXPECT_TRUE(has("usdc-limit"));
}

TEST_F(ReadCrate, SharesWhatDictionariesShare) {
  CrateBuilder crate;
  const std::uint32_t keys[] = {crate.string("a"), crate.string("b")};
  std::uint64_t value = rep(3, 1, kInline);
  for (int i = 0; i < 60; ++i) {  // 2^60 entries if each were read again.
    std::string bytes;
    append(bytes, std::uint64_t{2});
    for (const std::uint32_t key : keys) {
      append(bytes, key);
      append(bytes, std::int64_t{8});
      append(bytes, value);
    }
    value = rep(31, crate.put(bytes));
  }
  crate.spec(0, 7, {{"customLayerData", value}});
  ASSERT_NE(read_layer(crate.build()), nullptr);
  EXPECT_THAT(diagnostics_, IsEmpty());
}

// An attribute `/A.x` with two samples, of times `a` and `b`.
std::string two_samples(double a, double b, std::uint64_t count = 2) {
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

TEST_F(ReadCrate, ReadsTimeSamplesInTheirOrder) {
  const auto samples = [&]() -> const TimeSamples& {
    return layer_->root().children[0]->properties[0].extra->time_samples;
  };
  layer_ = read_layer(two_samples(1, 2));
  ASSERT_NE(layer_, nullptr);
  EXPECT_THAT(samples().times, testing::ElementsAre(1, 2));
  EXPECT_EQ(samples().values[0].get<double>(), 1.0);
  EXPECT_TRUE(samples().values[1].is_block());
  EXPECT_THAT(diagnostics_, IsEmpty());

  layer_ = read_layer(two_samples(2, 1));
  EXPECT_THAT(samples().times, testing::ElementsAre(1, 2));
  EXPECT_TRUE(samples().values[0].is_block());
  EXPECT_TRUE(has("usdc-value"));

  layer_ = read_layer(two_samples(1, 1));
  ASSERT_EQ(samples().values.size(), 1u);
  EXPECT_TRUE(samples().values[0].is_block()) << "the last counts";
  options_.rules = Rules::openusd;
  layer_ = read_layer(two_samples(1, 1));
  EXPECT_FALSE(samples().values[0].is_block()) << "OpenUSD keeps the first";

  layer_ = read_layer(two_samples(1, 2, 1));
  ASSERT_NE(layer_, nullptr);
  EXPECT_EQ(layer_->root().children[0]->properties[0].extra, nullptr) << "counts disagree";
  EXPECT_TRUE(has("usdc-value"));
}

TEST_F(ReadCrate, ReadsArrayEdits) {
  CrateBuilder crate;
  const std::uint64_t literals = crate.array(3, std::vector<std::int32_t>{7, 9});
  const std::int64_t end = std::numeric_limits<std::int64_t>::min();
  // Two insertions, of literal 0 at the start and literal 1 at the end; then a size.
  const std::uint64_t program =
      crate.array(5, std::vector<std::int64_t>{(std::int64_t{2} << 56) | 2, 0, 0, 1, end,
                                               (std::int64_t{5} << 56) | 1, 4});
  std::string bytes;
  append(bytes, literals);
  append(bytes, program);
  bytes += '\0';
  const Value value = value_of("int[]", rep(3, crate.put(bytes), kEdit), crate);
  ASSERT_NE(value.as_array_edit(), nullptr);
  const auto& instructions = value.as_array_edit()->instructions;
  ASSERT_EQ(instructions.size(), 3u);
  EXPECT_EQ(instructions[0].kind, ArrayEdit::Kind::prepend);
  EXPECT_EQ(instructions[0].literal.get<std::int32_t>(), 7);
  EXPECT_EQ(instructions[1].kind, ArrayEdit::Kind::append);
  EXPECT_EQ(instructions[1].literal.get<std::int32_t>(), 9);
  EXPECT_EQ(instructions[2].kind, ArrayEdit::Kind::min_size);
  EXPECT_EQ(instructions[2].index, 4);
}

TEST_F(ReadCrate, GivesValuesTheirDeclaredType) {
  EXPECT_EQ(value_of("float", rep(3, 5, kInline)).get<float>(), 5.0F);
  EXPECT_TRUE(has("usdc-type"));
  EXPECT_EQ(value_of("timecode", rep(9, 0x3F800000, kInline)).type(), ElementType::timecode);
  EXPECT_EQ(value_of("int", rep(9, 0x3F000000, kInline)).type(), ElementType::double_) << "0.5";
  options_.rules = Rules::openusd;
  EXPECT_EQ(value_of("float", rep(3, 5, kInline)).type(), ElementType::int_);
}

std::string with_children(const std::vector<std::string>& listed) {
  CrateBuilder crate;
  const std::uint32_t a = crate.path(0, "A");
  const std::uint32_t b = crate.path(0, "B");
  crate.spec(0, 7, {{"primChildren", crate.token_vector(listed)}});
  crate.spec(a, 6, {{"specifier", rep(42, 0, kInline)}});
  crate.spec(b, 6, {{"specifier", rep(42, 0, kInline)}});
  return crate.build();
}

TEST_F(ReadCrate, TakesTheOrderOfChildrenFromTheirList) {
  const LayerPtr layer = read_layer(with_children({"B", "A"}));
  ASSERT_NE(layer, nullptr);
  ASSERT_EQ(layer->root().children.size(), 2u);
  EXPECT_EQ(layer->root().children[0]->name.view(), "B");
  EXPECT_THAT(diagnostics_, IsEmpty());
}

TEST_F(ReadCrate, RefusesListsOfChildrenThatAreWrong) {
  for (const auto& listed : std::vector<std::vector<std::string>>{
           {"A", "B", "A"}, {"A", "C"}, {"A", ""}, {"A/B"}, {".."}}) {
    options_.on_error = OnError::drop_values;
    EXPECT_EQ(read_layer(with_children(listed)), nullptr) << listed.back();
    EXPECT_TRUE(has("usdc-children"));
    options_.on_error = OnError::keep_what_was_read;
    const LayerPtr layer = read_layer(with_children(listed));
    ASSERT_NE(layer, nullptr);
    EXPECT_FALSE(layer->complete());
  }
}

TEST_F(ReadCrate, LeavesOutChildrenThatAreNotListed) {
  const LayerPtr layer = read_layer(with_children({"B"}));
  ASSERT_NE(layer, nullptr);
  EXPECT_EQ(layer->root().children.size(), 1u);
  EXPECT_THAT(diagnostics_, Contains(Field(&Diagnostic::path, "/A")));
}

TEST_F(ReadCrate, RepairsPropertiesThatTokenZeroCannotMark) {
  CrateBuilder crate(7);
  const std::uint32_t a = crate.path(0, "A");
  const std::uint32_t x = crate.path(a, ";-)");  // Stands for a name here.
  crate.spec(0, 7, {{"primChildren", crate.token_vector({"A"})}});
  crate.spec(a, 6, {{"specifier", rep(42, 0, kInline)}});
  crate.spec(x, 1, {{"typeName", crate.token_value("int")}});
  ASSERT_NE(read_layer(crate.build()), nullptr);
  EXPECT_TRUE(has("usdc-token-zero"));
  options_.rules = Rules::openusd;
  ASSERT_NE(read_layer(crate.build()), nullptr);
  EXPECT_FALSE(has("usdc-token-zero"));
  EXPECT_TRUE(has("usdc-spec"));
}

TEST_F(ReadCrate, RefusesPrimsThatNestTooDeep) {
  CrateBuilder crate;
  std::uint32_t path = 0;
  crate.spec(0, 7, {{"primChildren", crate.token_vector({"A"})}});
  for (int i = 0; i < 3000; ++i) path = crate.path(path, "A");
  EXPECT_EQ(read_layer(crate.build()), nullptr);
  EXPECT_EQ(error_.code, ErrorCode::limit_exceeded);
}

TEST_F(ReadCrate, RefusesFilesCutOffAnywhere) {
  for (const unsigned minor : {0U, 1U, 4U, 8U}) {
    const std::string file = scene(minor);
    for (std::size_t size = 0; size < file.size(); ++size) {
      EXPECT_EQ(read_layer(file.substr(0, size)), nullptr) << minor << " " << size;
      EXPECT_FALSE(diagnostics_.empty());
    }
    EXPECT_NE(read_layer(file + "more"), nullptr);
  }
}

// Uses every value of a layer.
std::size_t use(const PrimSpec& prim) {
  std::size_t sum = 0;
  for (const PropertySpec& property : prim.properties) {
    sum += property.default_value.bytes().size();
    if (const TimeSamples* samples = property.time_samples()) {
      for (const Value& value : samples->values) sum += value.bytes().size();
    }
  }
  for (const PrimSpec* child : prim.children) sum += use(*child);
  return sum;
}

TEST_F(ReadCrate, SurvivesAnyBytes) {
  std::mt19937 random(20260101);
  options_.limits.decoded_bytes = 1 << 20;
  options_.on_error = OnError::keep_what_was_read;
  std::size_t layers = 0;
  const std::string files[] = {scene(0), scene(3), scene(4), scene(8), two_samples(1, 2)};
  for (int round = 0; round < 4000; ++round) {
    std::string file = files[static_cast<std::size_t>(round) % std::size(files)];
    for (int changes = 1 + static_cast<int>(random() % 4); changes > 0; --changes) {
      char& byte = file[88 + random() % (file.size() - 88)];
      constexpr unsigned char kOdd[] = {0, 1, 0x7F, 0x80, 0xFE, 0xFF};
      byte = static_cast<char>(random() % 2 == 0 ? kOdd[random() % 6] : random());
    }
    options_.unpack = round % 2 == 0 ? Unpack::at_once : Unpack::when_used;
    if (const LayerPtr layer = read_layer(file)) {
      use(layer->root());
      ++layers;
    }
  }
  EXPECT_GT(layers, 100u);
}

}  // namespace
}  // namespace sinew::usdc
