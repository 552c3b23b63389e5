// SPDX-License-Identifier: Apache-2.0
// Single values of binary files: numbers, dictionaries, samples, edits.
#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "sinew/core/types.hpp"
#include "sinew/layer/compare.hpp"
#include "sinew/usda/parser.hpp"
#include "usdc/read_crate.hpp"

namespace sinew::usdc::read_values_test {
namespace {

using namespace layer;
using namespace test;
using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

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

TEST_F(ReadCrate, SaysWhichEntryHoldsAnInlinedValueThatIsWrong) {
  for (const std::uint64_t value :
       {rep(11, 7777, kInline), rep(16, 7777, kInline), rep(61, 7777)}) {
    value_of("double", value);
    EXPECT_THAT(diagnostics_, Contains(Field(&Diagnostic::message,
                                             HasSubstr("(field 'default', entry 4 of FIELDS)"))));
  }
  value_of("double", rep(9, 7777));
  EXPECT_THAT(diagnostics_, Contains(Field(&Diagnostic::message, HasSubstr("at byte 7777"))));
}

TEST_F(ReadCrate, WarnsOfNumbersThatAreNoWords) {
  CrateBuilder crate;
  const std::uint32_t a = crate.path(0, "A");
  const std::uint32_t r = crate.path(a, "r", true);
  crate.spec(0, 7, {{"primChildren", crate.token_vector({"A"})}});
  crate.spec(a, 6,
             {{"specifier", rep(42, 7, kInline)},
              {"permission", rep(43, 9, kInline)},
              {"properties", crate.token_vector({"r"})}});
  crate.spec(r, 8, {{"variability", rep(44, 9, kInline)}});
  const LayerPtr layer = read_layer(crate.build());
  ASSERT_NE(layer, nullptr);
  EXPECT_EQ(diagnostics_.size(), 3u);
  EXPECT_THAT(diagnostics_, Each(AllOf(Field(&Diagnostic::code, "usdc-value"),
                                       Field(&Diagnostic::severity, Severity::warning))));
  const PrimSpec& prim = *layer->root().children[0];
  EXPECT_EQ(prim.specifier, Specifier::over);
  EXPECT_TRUE(prim.fields.empty());
  EXPECT_EQ(prim.properties[0].variability, Variability::varying);
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

// A list of edits that is the whole list of one item.
std::string one_item(std::string_view item) {
  std::string bytes(1, '\x03');
  append(bytes, std::uint64_t{1});
  return bytes.append(item);
}

TEST_F(ReadCrate, DropsEntriesOfDictionariesThatTextCannotHold) {
  const auto entries_of = [&](CrateBuilder& crate, std::uint64_t value) {
    crate.spec(
        0, 7, {{"customLayerData", rep(31, crate.put(dictionary_of(crate.string("key"), value)))}});
    layer_ = read_layer(crate.build());
    return layer_ == nullptr ? 99 : layer_->field("customLayerData")->as_dictionary()->size();
  };
  std::string number;
  append(number, std::uint64_t{0});
  for (const unsigned type : {32U, 36U, 37U, 60U}) {
    CrateBuilder crate;
    const std::uint64_t payload = type == 60 ? 0 : crate.put(one_item(number));
    EXPECT_EQ(entries_of(crate, rep(type, payload)), 0u) << type;
    EXPECT_TRUE(has("usdc-value")) << type;
  }
  CrateBuilder edit;
  EXPECT_EQ(entries_of(edit, rep(3, 0, kEdit)), 0u);
  EXPECT_TRUE(has("usdc-value"));

  CrateBuilder unregistered;
  std::string text;
  append(text, std::int64_t{8});
  append(text, rep(10, unregistered.string("x"), kInline));
  const std::uint64_t list = unregistered.put(one_item(text));
  std::string nested;
  append(nested, std::int64_t{8});
  append(nested, rep(54, list));
  EXPECT_EQ(entries_of(unregistered, rep(53, unregistered.put(nested))), 1u);
  EXPECT_THAT(diagnostics_, IsEmpty());
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

TEST_F(ReadCrate, KeepsToTheLimitOfWhatArrayEditsFill) {
  CrateBuilder crate;
  const std::uint64_t literals = crate.array(3, std::vector<std::int32_t>{7});
  // minsize 25 and resize 10 of four bytes each.
  const std::uint64_t program = crate.array(
      5,
      std::vector<std::int64_t>{(std::int64_t{5} << 56) | 1, 25, (std::int64_t{7} << 56) | 1, 10});
  std::string bytes;
  append(bytes, literals);
  append(bytes, program);
  bytes += '\0';
  crate.one_attribute("int[]", rep(3, crate.put(bytes), kEdit));
  const std::string file = crate.build();
  for (const bool fits : {true, false}) {
    options_.limits.array_edit_bytes = fits ? 140 : 139;
    const LayerPtr layer = read_layer(file);
    ASSERT_NE(layer, nullptr);
    const Value value = layer->root().children[0]->properties[0].default_value;
    EXPECT_EQ(value.as_array_edit() != nullptr, fits);
    EXPECT_EQ(has("usdc-limit"), !fits);
  }
}

// A count is believed if as many items can lie in what is left of the file: not one byte less.
TEST_F(ReadCrate, ListsOfArcsMayEndWithTheFile) {
  struct Kind {
    const char* field;
    unsigned type;  // Of the value.
    unsigned minor;
    unsigned bytes;  // Of an item.
  };
  for (const Kind& kind :
       {Kind{"references", 35, 8, 32}, Kind{"payload", 55, 8, 24}, Kind{"payload", 55, 7, 8}}) {
    const auto read_with_list_at = [&](std::uint64_t offset, std::size_t missing) {
      CrateBuilder crate(kind.minor);
      const std::uint32_t asset = crate.string("a.usda");
      const std::uint32_t a = crate.path(0, "A");
      const std::uint32_t b = crate.path(0, "B");
      crate.spec(0, 7, {{"primChildren", crate.token_vector({"A"})}});
      crate.spec(a, 6, {{"specifier", rep(42, 0, kInline)}, {kind.field, rep(kind.type, offset)}});
      std::string list("\x02", 1);  // A whole list.
      append(list, std::uint64_t{2});
      for (const double shift : {1.0, 2.0}) {
        std::string item;
        append(item, asset);
        append(item, shift == 1.0 ? a : b);
        append(item, shift);
        append(item, 1.0);
        item.resize(kind.bytes);  // Behind the offset: an empty dictionary, or nothing.
        list += item;
      }
      const std::string file = crate.build();
      list.resize(list.size() - missing);
      layer_ = read_layer(offset == 0 ? file : file + list);
      return file.size();
    };
    const std::size_t end = read_with_list_at(0, 0);
    ASSERT_EQ(read_with_list_at(end, 0), end);
    ASSERT_NE(layer_, nullptr);
    const PrimSpec& prim = *layer_->root().children[0];
    ASSERT_NE(prim.extra, nullptr) << kind.field;
    const auto& op = kind.type == 35 ? prim.extra->references : prim.extra->payloads;
    EXPECT_EQ(op.explicit_items.size(), 2u) << kind.field;
    EXPECT_THAT(diagnostics_, IsEmpty()) << kind.field;
    read_with_list_at(end, 1);
    EXPECT_TRUE(has("usdc-value")) << kind.field;
  }
}

TEST_F(ReadCrate, ReadsListsOfNumbersAndTexts) {
  CrateBuilder doubles;
  std::string bytes;
  append(bytes, std::uint64_t{3});
  for (const double number : {1.0, -0.5, 1e300}) append(bytes, number);
  const Value numbers = value_of("double[]", rep(48, doubles.put(bytes)), doubles);
  ASSERT_EQ(numbers.type(), ElementType::double_);
  EXPECT_THAT(numbers.as_array<double>(), testing::ElementsAre(1.0, -0.5, 1e300));
  CrateBuilder strings;
  bytes.clear();
  append(bytes, std::uint64_t{2});
  append(bytes, strings.string("b"));
  append(bytes, strings.string("a"));
  const Value texts = value_of("string[]", rep(50, strings.put(bytes)), strings);
  ASSERT_EQ(texts.size(), 2u);
  EXPECT_EQ(texts.type(), ElementType::string);
  EXPECT_EQ(texts.as_array<Token>()[0].view(), "b");
  EXPECT_THAT(diagnostics_, IsEmpty());
  CrateBuilder cut;
  bytes.clear();
  append(bytes, std::uint64_t{1'000'000});
  EXPECT_FALSE(value_of("double[]", rep(48, cut.put(bytes)), cut).has_value());
  EXPECT_TRUE(has("usdc-value"));
}

TEST_F(ReadCrate, TakesTheLastOfTwoSelectionsOfAVariantSet) {
  CrateBuilder crate;
  std::string bytes;
  append(bytes, std::uint64_t{4});
  for (const char* text : {"v", "x", "w", "z", "v", "y", "u", "x"}) {
    append(bytes, crate.string(text));
  }
  const std::uint32_t a = crate.path(0, "A");
  crate.spec(0, 7, {{"primChildren", crate.token_vector({"A"})}});
  crate.spec(a, 6, {{"variantSelection", rep(45, crate.put(bytes))}});
  const LayerPtr layer = read_layer(crate.build());
  ASSERT_NE(layer, nullptr);
  std::vector<std::string> found;
  for (const auto& [set, variant] : layer->root().children[0]->extra->variant_selections) {
    found.push_back(std::string(set.view()) + "=" + std::string(variant.view()));
  }
  EXPECT_THAT(found, testing::ElementsAre("v=y", "w=z", "u=x"));
}

constexpr std::uint8_t kIsWhole = 0x01, kWhole = 0x02, kAdded = 0x04, kDeleted = 0x08,
                       kOrdered = 0x10, kPrepended = 0x20, kAppended = 0x40;

// Lists as a file has them, one after another, each with its items.
std::string lists_of(std::uint8_t bits, const std::vector<std::vector<std::uint32_t>>& lists) {
  std::string bytes(1, static_cast<char>(bits));
  for (const std::vector<std::uint32_t>& items : lists) {
    append(bytes, std::uint64_t{items.size()});
    for (const std::uint32_t item : items) append(bytes, item);
  }
  return bytes;
}

TEST_F(ReadCrate, ReadsAListAsAWholeOrAsEdits) {
  const auto list_of = [&](std::uint8_t bits, std::size_t count) {
    CrateBuilder crate;
    std::vector<std::vector<std::uint32_t>> lists;
    for (std::size_t i = 0; i < count; ++i) {
      lists.push_back({crate.token("t" + std::to_string(i))});
    }
    crate.spec(0, 7, {{"list", rep(32, crate.put(lists_of(bits, lists)))}});
    layer_ = read_layer(crate.build());
    std::string text;
    const Value* const value = layer_ == nullptr ? nullptr : layer_->field("list");
    if (value == nullptr) return text;
    const ListOp<Token>& op = *value->as_token_list_op();
    if (op.is_explicit) text += "whole";
    for (const auto& [name, items] : {std::pair("=", &op.explicit_items),
                                      {"add", &op.added},
                                      {"pre", &op.prepended},
                                      {"app", &op.appended},
                                      {"del", &op.deleted},
                                      {"ord", &op.ordered}}) {
      for (const Token item : *items) text += std::string(" ") + name + std::string(item.view());
    }
    return text;
  };
  EXPECT_EQ(list_of(kIsWhole | kWhole, 1), "whole =t0");
  EXPECT_EQ(list_of(kWhole, 1), "whole =t0");
  EXPECT_EQ(list_of(kAdded | kPrepended | kAppended | kDeleted | kOrdered, 5),
            " addt0 pret1 appt2 delt3 ordt4");
  EXPECT_THAT(diagnostics_, IsEmpty());
  const auto warning = [&] { return diagnostics_.empty() ? "" : diagnostics_[0].message; };
  EXPECT_EQ(list_of(kWhole | kPrepended, 2), " pret1");
  EXPECT_THAT(warning(), StartsWith("A whole list beside edits is left out"));
  EXPECT_EQ(list_of(kIsWhole | kWhole | kDeleted, 2), "whole =t0");
  EXPECT_THAT(warning(), StartsWith("Edits beside a whole list are left out"));
  EXPECT_EQ(list_of(0x80, 0), "");
  EXPECT_THAT(warning(), StartsWith("This is not a list of edits"));
  EXPECT_EQ(list_of(kPrepended, 0), "");
}

// An item of a list of references or payloads.
std::string arc_of(std::uint32_t asset, std::uint32_t path, std::size_t size) {
  std::string bytes;
  append(bytes, asset);
  append(bytes, path);
  append(bytes, 2.0);
  append(bytes, 1.0);
  bytes.resize(size);
  return bytes;
}

TEST_F(ReadCrate, CountsWhatStandsInAListTwiceOnce) {
  struct Kind {
    const char* field;
    unsigned type;
    std::string (*item)(std::uint32_t asset, std::uint32_t path);
    std::size_t (*count)(const PrimExtra&);
  };
  for (const Kind& kind :
       {Kind{"references", 35,
             [](std::uint32_t asset, std::uint32_t path) { return arc_of(asset, path, 32); },
             [](const PrimExtra&extra) { return extra.references.prepended.size(); }},
        Kind{"payload", 55,
             [](std::uint32_t asset, std::uint32_t path) { return arc_of(asset, path, 24); },
             [](const PrimExtra&extra) { return extra.payloads.prepended.size(); }},
        Kind{"inheritPaths", 34,
             [](std::uint32_t, std::uint32_t path) {
               std::string bytes;
               append(bytes, path);
               return bytes;
             },
             [](const PrimExtra&extra) { return extra.inherits.prepended.size(); }},
        Kind{"variantSetNames", 33,
             [](std::uint32_t asset, std::uint32_t) {
               std::string bytes;
               append(bytes, asset);
               return bytes;
             },
             [](const PrimExtra&extra) { return extra.variant_set_names.prepended.size(); }}}) {
    for (const bool is_repeated : {false, true}) {
      CrateBuilder crate;
      const std::uint32_t assets[] = {crate.string("one"), crate.string("two")};
      const std::uint32_t a = crate.path(0, "A");
      const std::uint32_t paths[] = {crate.path(0, "B"), crate.path(0, "C")};
      std::string bytes(1, static_cast<char>(kPrepended));
      append(bytes, std::uint64_t{3});
      for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
        bytes += kind.item(assets[i], paths[i]);
      }
      bytes += is_repeated ? kind.item(assets[0], paths[0]) : kind.item(crate.string("three"), a);
      crate.spec(0, 7, {{"primChildren", crate.token_vector({"A"})}});
      crate.spec(a, 6, {{kind.field, rep(kind.type, crate.put(bytes))}});
      const LayerPtr layer = read_layer(crate.build());
      ASSERT_NE(layer, nullptr);
      EXPECT_EQ(kind.count(*layer->root().children[0]->extra), is_repeated ? 2u : 3u) << kind.field;
      ASSERT_EQ(diagnostics_.size(), is_repeated ? 1u : 0u) << kind.field;
      if (!is_repeated) continue;
      EXPECT_EQ(diagnostics_[0].severity, Severity::warning);
      EXPECT_THAT(diagnostics_[0].message, StartsWith("What stands in a list twice counts once"));
    }
  }
}

// As appending moves what is there already to the end.
TEST_F(ReadCrate, CountsWhatIsAppendedTwiceAtItsLastPlace) {  // usda 10
  CrateBuilder crate;
  const std::uint32_t one = crate.string("one");
  const std::uint32_t two = crate.string("two");
  const std::uint32_t a = crate.path(0, "A");
  const std::vector<std::uint32_t> items = {one, two, one};
  const std::string bytes = lists_of(kPrepended | kAppended, {items, items});
  crate.spec(0, 7, {{"primChildren", crate.token_vector({"A"})}});
  crate.spec(a, 6, {{"variantSetNames", rep(33, crate.put(bytes))}});
  const LayerPtr layer = read_layer(crate.build());
  ASSERT_NE(layer, nullptr);
  const ListOp<Token>& names = layer->root().children[0]->extra->variant_set_names;
  const auto texts = [](const std::vector<Token>& tokens) {
    std::vector<std::string> all;
    for (const Token token : tokens) all.emplace_back(token.view());
    return all;
  };
  EXPECT_THAT(texts(names.prepended), testing::ElementsAre("one", "two"));
  EXPECT_THAT(texts(names.appended), testing::ElementsAre("two", "one"));
}

// The first has data of its own, so that the count alone does not tell that the second is cut.
TEST_F(ReadCrate, DropsReferencesCutOffAnywhere) {
  const auto read_without = [&](std::size_t missing) {
    std::uint64_t offset = 0;
    for (int round = 0; round < 2; ++round) {
      CrateBuilder crate;
      const std::uint32_t key = crate.string("key");
      const std::uint32_t a = crate.path(0, "A");
      crate.spec(0, 7, {{"primChildren", crate.token_vector({"A"})}});
      crate.spec(a, 6, {{"references", rep(35, offset)}});
      std::string list(1, static_cast<char>(kIsWhole | kWhole));
      append(list, std::uint64_t{2});
      for (const double shift : {1.0, 2.0}) {
        append(list, key);
        append(list, a);
        append(list, shift);
        append(list, 3.0);
        list += shift == 1.0 ? dictionary_of(key, rep(3, 7, kInline)) : std::string(8, '\0');
      }
      const std::string file = crate.build();
      offset = file.size();
      list.resize(list.size() - missing);
      if (round == 1) layer_ = read_layer(file + list);
    }
    return layer_ == nullptr ? nullptr : layer_->root().children[0]->extra;
  };
  const PrimExtra* const extra = read_without(0);
  ASSERT_NE(extra, nullptr);
  EXPECT_THAT(diagnostics_, IsEmpty());
  ASSERT_EQ(extra->references.explicit_items.size(), 2u);
  EXPECT_EQ(extra->references.explicit_items[0].custom_data.as_dictionary()->size(), 1u);
  EXPECT_FALSE(extra->references.explicit_items[1].custom_data.has_value());
  EXPECT_EQ(extra->references.explicit_items[1].offset, (LayerOffset{2.0, 3.0}));
  for (std::size_t missing = 1; missing <= 90; ++missing) {
    EXPECT_EQ(read_without(missing), nullptr) << missing;
    ASSERT_NE(layer_, nullptr);
    ASSERT_EQ(diagnostics_.size(), 1u) << missing;
    EXPECT_EQ(diagnostics_[0].code, "usdc-value");
    EXPECT_EQ(diagnostics_[0].path, "/A");
  }
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

TEST_F(ReadCrate, LeavesOutArrayEditsWhosePartsDoNotLieInTheFile) {
  options_.on_error = OnError::keep_what_was_read;
  for (const bool of_literals : {true, false}) {
    CrateBuilder crate;
    const std::uint64_t literals = crate.array(3, std::vector<std::int32_t>{7});
    const std::uint64_t program =
        crate.array(5, std::vector<std::int64_t>{(std::int64_t{5} << 56) | 1, 4});
    const std::uint64_t beyond = rep(of_literals ? 3 : 5, std::uint64_t{1} << 40, kArray);
    std::string bytes;
    append(bytes, of_literals ? beyond : literals);
    append(bytes, of_literals ? program : beyond);
    bytes += '\0';
    EXPECT_FALSE(value_of("int[]", rep(3, crate.put(bytes), kEdit), crate).has_value());
    EXPECT_EQ(count(diagnostics_, Severity::error), 1u);
  }
}

TEST_F(ReadCrate, GivesValuesTheirDeclaredType) {
  EXPECT_EQ(value_of("float", rep(3, 5, kInline)).get<float>(), 5.0F);
  EXPECT_TRUE(has("usdc-type"));
  EXPECT_EQ(value_of("timecode", rep(9, 0x3F800000, kInline)).type(), ElementType::timecode);
  EXPECT_EQ(value_of("int", rep(9, 0x3F000000, kInline)).type(), ElementType::double_) << "0.5";
  options_.rules = Rules::openusd;
  EXPECT_EQ(value_of("float", rep(3, 5, kInline)).type(), ElementType::int_);
}

// A field as a file has it, with at least one of whatever it may hold.
struct Stored {
  const char* field;
  unsigned type;
  std::uint64_t flags;
  unsigned minor;
  std::size_t items;  // That count towards the limit.
  std::string (*bytes)(const CrateBuilder&);
  std::vector<std::size_t> indices;  // Where four bytes number a text or a path.
};

constexpr std::uint32_t kPrimPath = 1, kOtherPath = 2;
constexpr std::uint32_t kKey = 0, kAsset = 1;  // Among the strings.

// Two lists of edits, each of one item.
template <typename T>
std::string two_lists(T first, T second) {
  return std::string(1, '\x28') + counted(1, bytes_of({first})) + counted(1, bytes_of({second}));
}

std::string two_arcs(std::size_t size) {
  return std::string(1, '\x28') + counted(1, arc_of(kAsset, kOtherPath, size)) +
         counted(1, arc_of(kKey, kOtherPath, size));
}

std::string nested_value(std::uint64_t bits) {
  return bytes_of({std::uint64_t{8}, bits});
}

std::vector<Stored> everything_stored() {
  using B = const CrateBuilder&;
  const auto indices = [](B) { return two_lists(kKey, kAsset); };
  const auto paths = [](B) { return two_lists(kPrimPath, kOtherPath); };
  const auto words = [](B) { return two_lists(7U, 8U); };
  const auto long_words = [](B) { return two_lists(std::uint64_t{7}, std::uint64_t{8}); };
  const auto two = [](B) { return counted(2, bytes_of({kKey, kAsset})); };
  const auto four = [](B) {
    return counted(2, bytes_of({kPrimPath, kOtherPath, kOtherPath, kPrimPath}));
  };
  const auto reals = [](B crate) { return crate.array_head(2) + bytes_of({0.5, 1.5}); };
  const auto tokens = [](B crate) { return crate.array_head(2) + bytes_of({kKey, kAsset}); };
  static const std::vector<std::uint32_t> run(17, 1);
  const auto integers = [](B crate) { return crate.array_head(17) + run_of(run); };
  const auto as_integers = [](B crate) { return crate.array_head(17) + "i" + run_of(run); };
  const auto from_table = [](B crate) {
    return crate.array_head(17) + "t" + bytes_of({2U}) + bytes_of({0.5, 1.5}) + run_of(run);
  };
  return {
      {"default", 9, 0, 8, 0, [](B) { return bytes_of({0.1}); }, {}},
      {"default", 57, 0, 10, 0, [](B) { return bytes_of({kKey}); }, {0}},
      {"default", 9, kArray, 0, 0, reals, {}},
      {"default", 9, kArray, 5, 0, reals, {}},
      {"default", 9, kArray, 8, 0, reals, {}},
      {"default", 11, kArray, 0, 0, tokens, {8, 12}},
      {"default", 10, kArray, 8, 0, tokens, {8, 12}},
      {"default", 3, kArray | kPacked, 5, 0, integers, {}},
      {"default", 5, kArray | kPacked, 8, 0, integers, {}},
      {"default", 8, kArray | kPacked, 6, 0, as_integers, {}},
      {"default", 9, kArray | kPacked, 8, 0, from_table, {}},
      {"default",
       31,
       0,
       8,
       1,
       [](B) { return counted(1, bytes_of({kKey}) + nested_value(rep(3, 7, kInline))); },
       {8}},
      {"default", 32, 0, 8, 2, [](B) { return two_lists(1U, 2U); }, {9, 21}},
      {"default", 33, 0, 8, 2, indices, {9, 21}},
      {"default", 36, 0, 8, 2, words, {}},
      {"default", 37, 0, 8, 2, long_words, {}},
      {"default", 38, 0, 8, 2, words, {}},
      {"default", 39, 0, 8, 2, long_words, {}},
      {"default",
       54,
       0,
       8,
       2,
       [](B) {
         const std::string item = nested_value(rep(10, kKey, kInline));
         return std::string(1, '\x28') + counted(1, item) + counted(1, item);
       },
       {}},
      {"default", 41, 0, 8, 2, two, {8, 12}},
      {"default",
       48,
       0,
       8,
       0,
       [](B) {
         return counted(2, bytes_of({0.5, 1.5}));
       },
       {}},
      {"default", 50, 0, 8, 2, two, {8, 12}},
      {"default", 52, 0, 8, 0, [](B) { return nested_value(rep(3, 7, kInline)); }, {}},
      {"default", 53, 0, 8, 0, [](B) { return nested_value(rep(10, kKey, kInline)); }, {}},
      {"timeSamples",
       46,
       0,
       8,
       2,
       [](B) {
         return nested_value(rep(48, 88)) +
                counted(8, counted(2, bytes_of({rep(3, 7, kInline), rep(3, 8, kInline)})));
       },
       {}},
      {"spline",
       59,
       0,
       8,
       4,
       [](B) {
         std::string blob("\x13\0\0", 3);  // Doubles, one knot.
         blob += bytes_of({1U}) + '\6' + bytes_of({1.0, 10.0, 1.0, 2.0, 3.0, 4.0}) + '\0';
         return counted(blob.size(), blob) + counted(1, bytes_of({1.0})) +
                counted(1, bytes_of({kKey}) + nested_value(rep(3, 7, kInline)));
       },
       {83}},
      {"connectionPaths", 34, 0, 8, 2, paths, {9, 21}},
      {"references", 35, 0, 8, 2, [](B) { return two_arcs(32); }, {9, 13, 49, 53}},
      {"payload", 55, 0, 8, 2, [](B) { return two_arcs(24); }, {9, 13, 41, 45}},
      {"payload", 55, 0, 7, 2, [](B) { return two_arcs(8); }, {9, 13, 25, 29}},
      {"payload", 47, 0, 8, 0, [](B) { return arc_of(kAsset, kOtherPath, 24); }, {0, 4}},
      {"payload", 47, 0, 7, 0, [](B) { return arc_of(kAsset, kOtherPath, 8); }, {0, 4}},
      {"inheritPaths", 34, 0, 8, 2, paths, {9, 21}},
      {"specializes", 34, 0, 8, 2, paths, {9, 21}},
      {"variantSetNames", 33, 0, 8, 2, indices, {9, 21}},
      {"variantSelection",
       45,
       0,
       8,
       2,
       [](B) {
         return counted(2, bytes_of({kKey, kAsset, kAsset, kKey}));
       },
       {8, 12, 16, 20}},
      {"propertyOrder", 41, 0, 8, 2, two, {8, 12}},
      {"primOrder", 41, 0, 8, 2, two, {8, 12}},
      {"layerRelocates", 58, 0, 11, 2, four, {8, 12, 16, 20}},
      {"subLayers", 50, 0, 8, 2, two, {8, 12}},
  };
}

class ReadStored : public ReadCrate {
 protected:
  /// A file that ends with the bytes of a field, or has none of them.
  std::string file_with(const Stored& stored, std::string_view bytes, bool has_field = true) {
    std::uint64_t offset = 0;
    std::string file;
    for (int round = 0; round < 2; ++round) {
      CrateBuilder crate(stored.minor, 1);
      crate.put(counted(2, bytes_of({1.0, 2.0})));  // Times, at byte 88.
      crate.string("key");
      crate.string("asset");
      const std::uint32_t a = crate.path(0, "A");
      crate.path(0, "B");
      const std::uint32_t x = crate.path(a, "x", true);
      CrateBuilder::Fields of_layer = {{"primChildren", crate.token_vector({"A"})}};
      CrateBuilder::Fields of_prim = {{"properties", crate.token_vector({"x"})}};
      CrateBuilder::Fields of_attribute = {{"typeName", crate.token_value("Unknown")}};
      const std::string_view field = stored.field;
      CrateBuilder::Fields& fields = field == "layerRelocates" || field == "subLayers" ? of_layer
                                     : field == "default" || field == "timeSamples" ||
                                             field == "spline" || field == "connectionPaths"
                                         ? of_attribute
                                         : of_prim;
      if (has_field) fields.emplace_back(field, rep(stored.type, offset, stored.flags));
      crate.spec(0, 7, of_layer);
      crate.spec(a, 6, of_prim);
      crate.spec(x, 1, of_attribute);
      file = crate.build();
      offset = file.size();
    }
    return file.append(has_field ? bytes : std::string_view());
  }
  std::string bytes_of_field(const Stored& stored) {
    return stored.bytes(CrateBuilder(stored.minor, 1));
  }
  /// Whether a field is left out, with an error, and nothing else is lost.
  void expect_dropped(const Stored& stored, std::string_view bytes, std::size_t at) {
    SCOPED_TRACE(testing::Message() << stored.field << ' ' << stored.type << ": " << at);
    const LayerPtr without = read_layer(file_with(stored, {}, false));
    const LayerPtr layer = read_layer(file_with(stored, bytes));
    ASSERT_NE(layer, nullptr);
    EXPECT_THAT(differences(*layer, *without), IsEmpty());
    EXPECT_FALSE(diagnostics_.empty());
    EXPECT_THAT(diagnostics_, Each(AllOf(Field(&Diagnostic::code, "usdc-value"),
                                         Field(&Diagnostic::severity, Severity::error))));
  }
};

TEST_F(ReadStored, FieldsAreDroppedAsAWholeIfCutOffAnywhere) {
  for (const Stored& stored : everything_stored()) {
    const std::string bytes = bytes_of_field(stored);
    const LayerPtr without = read_layer(file_with(stored, {}, false));
    ASSERT_NE(without, nullptr);
    const LayerPtr whole = read_layer(file_with(stored, bytes));
    ASSERT_NE(whole, nullptr);
    EXPECT_THAT(diagnostics_, IsEmpty()) << stored.field << ' ' << stored.type;
    EXPECT_EQ(differences(*whole, *without).size(), 1u) << stored.field << ' ' << stored.type;
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      expect_dropped(stored, bytes.substr(0, size), size);
    }
  }
}

TEST_F(ReadStored, FieldsAreDroppedAsAWholeIfTextsOrPathsDoNotExist) {
  for (const Stored& stored : everything_stored()) {
    for (const std::size_t at : stored.indices) {
      for (const std::uint32_t number : {0xFFFFFFFFU, 1000U}) {
        std::string bytes = bytes_of_field(stored);
        std::memcpy(bytes.data() + at, &number, sizeof number);
        expect_dropped(stored, bytes, at);
      }
    }
  }
}

TEST_F(ReadStored, FieldsCountTowardsTheLimitOfItems) {
  const auto least_limit = [&](const std::string& file) {
    for (options_.limits.value_items = 0; options_.limits.value_items < 100;
         ++options_.limits.value_items) {
      const LayerPtr layer = read_layer(file);
      if (layer != nullptr && diagnostics_.empty()) break;
      EXPECT_TRUE(has("usdc-limit"));
    }
    return options_.limits.value_items;
  };
  for (const Stored& stored : everything_stored()) {
    EXPECT_EQ(least_limit(file_with(stored, bytes_of_field(stored))),
              least_limit(file_with(stored, {}, false)) + stored.items)
        << stored.field << ' ' << stored.type;
  }
}

TEST_F(ReadStored, LeavesItemsOutThatArcsCannotHave) {
  for (const char* field : {"inheritPaths", "specializes", "references", "payload"}) {
    for (const auto& [variant, element, is_property] :
         {std::tuple(false, "x", true), {true, "{v=x}", false}, {false, "C", false}}) {
      CrateBuilder crate;
      const std::string name = field;
      const std::uint32_t a = crate.path(0, "A");
      const std::uint32_t other = crate.path(a, element, is_property);
      crate.string("key");
      crate.string("asset");
      const bool is_path = name == "inheritPaths" || name == "specializes";
      const std::size_t size = name == "references" ? 32 : 24;
      const std::string items =
          is_path ? bytes_of({other, a}) : arc_of(kAsset, other, size) + arc_of(kAsset, a, size);
      const unsigned type = is_path ? 34 : name == "references" ? 35 : 55;
      crate.spec(0, 7, {{"primChildren", crate.token_vector({"A"})}});
      crate.spec(a, 6, {{field, rep(type, crate.put("\x20" + counted(2, items)))}});
      const LayerPtr layer = read_layer(crate.build());
      ASSERT_NE(layer, nullptr);
      const PrimExtra& extra = *layer->root().children[0]->extra;
      std::vector<Path> kept =
          name == "inheritPaths" ? extra.inherits.prepended : extra.specializes.prepended;
      for (const Reference& item : extra.references.prepended) kept.push_back(item.prim_path);
      for (const Reference& item : extra.payloads.prepended) kept.push_back(item.prim_path);
      const bool fits = !is_property && !variant;
      ASSERT_EQ(kept.size(), fits ? 2u : 1u) << field << element;
      EXPECT_EQ(kept.back().view(), "/A");
      ASSERT_EQ(diagnostics_.size(), fits ? 0u : 1u) << field << element;
      if (!fits) {
        EXPECT_EQ(diagnostics_[0].severity, Severity::warning);
      }
    }
  }
}

TEST_F(ReadCrate, LeavesRelocatesOutThatAreNotOfPrims) {
  CrateBuilder crate(11);
  const std::uint32_t a = crate.path(0, "A");
  const std::uint32_t b = crate.path(a, "B");
  const std::uint32_t x = crate.path(a, "x", true);
  const std::uint32_t in_variant = crate.path(crate.path(a, "{v=x}"), "C");
  const std::uint32_t pairs[] = {b, x, x, b, b, a, in_variant, b, b, in_variant, 0, b};
  std::string bytes = bytes_of({std::uint64_t{6}});
  for (const std::uint32_t path : pairs) append(bytes, path);
  crate.spec(0, 7, {{"layerRelocates", rep(58, crate.put(bytes))}});
  const LayerPtr layer = read_layer(crate.build());
  ASSERT_NE(layer, nullptr);
  ASSERT_EQ(layer->relocates().size(), 1u);
  EXPECT_EQ(layer->relocates()[0].source.view(), "/A/B");
  EXPECT_EQ(layer->relocates()[0].target.view(), "/A");
  EXPECT_EQ(diagnostics_.size(), 5u);
}

TEST_F(ReadCrate, IgnoresOffsetsThatAreNotFinite) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  for (const auto& [offset, scale, is_good] :
       {std::tuple(2.0, 3.0, true), {nan, 3.0, false}, {2.0, inf, false}, {-inf, nan, false}}) {
    CrateBuilder crate;
    const std::string texts = counted(1, bytes_of({crate.string("a.usda")}));
    crate.spec(0, 7,
               {{"subLayers", rep(50, crate.put(texts))},
                {"subLayerOffsets", rep(49, crate.put(counted(1, bytes_of({offset, scale}))))}});
    const LayerPtr layer = read_layer(crate.build());
    ASSERT_NE(layer, nullptr);
    ASSERT_EQ(layer->sub_layers().size(), 1u);
    EXPECT_EQ(layer->sub_layers()[0].offset, is_good ? (LayerOffset{2.0, 3.0}) : LayerOffset());
    EXPECT_EQ(has("usdc-value"), !is_good);
  }
}

// A value and the type that its attribute declares: the same value in text, or nothing if it stays
// what it is.
TEST_F(ReadCrate, ConvertsNumbersOfAnotherTypeIfTheirValueCanBeKept) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  struct Row {
    const char* declared;
    unsigned type;
    std::string bytes;
    const char* text;
  };
  const auto real = [](double number) { return bytes_of({number}); };
  const auto whole = [](std::int64_t number) { return bytes_of({number}); };
  const auto natural = [](std::uint64_t number) { return bytes_of({number}); };
  const Row rows[] = {
      {"uchar", 9, real(255.0), "255"},
      {"uchar", 9, real(0.0), "0"},
      {"uchar", 9, real(256.0), nullptr},
      {"uchar", 9, real(-1.0), nullptr},
      {"uchar", 9, real(0.5), nullptr},
      {"uchar", 9, real(nan), nullptr},
      {"int", 9, real(2147483647.0), "2147483647"},
      {"int", 9, real(2147483648.0), nullptr},
      {"int", 9, real(-2147483648.0), "-2147483648"},
      {"int", 9, real(-2147483649.0), nullptr},
      {"int", 9, real(0.5), nullptr},
      {"uint", 9, real(4294967295.0), "4294967295"},
      {"uint", 9, real(4294967296.0), nullptr},
      {"uint", 9, real(-1.0), nullptr},
      {"int64", 9, real(9007199254740992.0), "9007199254740992"},
      {"int64", 9, real(9007199254740994.0), nullptr},
      {"int64", 9, real(-9007199254740992.0), "-9007199254740992"},
      {"int64", 9, real(-9007199254740994.0), nullptr},
      {"int64", 9, real(1.5), nullptr},
      {"uint64", 9, real(9007199254740992.0), "9007199254740992"},
      {"uint64", 9, real(9007199254740994.0), nullptr},
      {"uint64", 9, real(-1.0), nullptr},
      {"uint64", 5, whole(7), "7"},
      {"uint64", 5, whole(-7), nullptr},
      {"int", 6, natural(2147483648), nullptr},
      {"double", 5, whole(9007199254740991), "9007199254740991"},
      {"double", 5, whole(9007199254740992), nullptr},
      {"double", 5, whole(-9007199254740992), nullptr},
      {"double", 6, natural(9007199254740991), "9007199254740991"},
      {"double", 6, natural(9007199254740992), nullptr},
      {"float", 5, whole(16777216), "16777216"},
      {"float", 5, whole(16777217), nullptr},
      {"half", 5, whole(2048), "2048"},
      {"half", 5, whole(2049), nullptr},
      {"float", 9, real(0.1), "0.1"},
      {"half", 9, real(0.1), "0.1"},
      {"float", 9, real(nan), "nan"},
      {"timecode", 9, real(2.5), "2.5"},
      {"double", 56, real(2.5), "2.5"},
      {"float", 56, real(2.5), "2.5"},
      {"bool", 9, real(1.0), nullptr},
      {"string", 9, real(1.0), nullptr},
      {"double[]", 9, real(1.0), nullptr},
      {"double2", 9, real(1.0), nullptr},
      {"double", 19, bytes_of({1.0, 2.0}), nullptr},
      {"float2", 19, bytes_of({1.0, 2.0}), "(1, 2)"},
      {"texCoord2h", 19, bytes_of({1.0, 2.0}), "(1, 2)"},
      {"int2", 19, bytes_of({1.0, 2.0}), "(1, 2)"},
      {"int2", 19, bytes_of({1.0, 2.5}), nullptr},
      {"double2", 22, bytes_of({1, 2}), "(1, 2)"},
      {"double3", 19, bytes_of({1.0, 2.0}), nullptr},
      {"color3f", 23, bytes_of({1.0, 2.0, 3.0}), "(1, 2, 3)"},
      {"quatd", 27, bytes_of({1.0, 2.0, 3.0, 4.0}), nullptr},
      {"double4", 16, bytes_of({1.0, 2.0, 3.0, 4.0}), nullptr},
      {"quatf", 16, bytes_of({2.0, 3.0, 4.0, 1.0}), "(1, 2, 3, 4)"},
      {"double4", 13, bytes_of({1.0, 2.0, 3.0, 4.0}), nullptr},
      {"matrix2d", 27, bytes_of({1.0, 2.0, 3.0, 4.0}), nullptr},
  };
  for (const Row& row : rows) {
    CrateBuilder crate(9);
    const std::uint64_t stored = rep(row.type, crate.put(row.bytes));
    CrateBuilder own(9);
    const Value kept = value_of("Unknown", rep(row.type, own.put(row.bytes)), own);
    const Value value = value_of(row.declared, stored, crate);
    SCOPED_TRACE(testing::Message() << row.declared << ' ' << row.type);
    ASSERT_EQ(diagnostics_.size(), 1u);
    EXPECT_EQ(diagnostics_[0].code, "usdc-type");
    EXPECT_EQ(diagnostics_[0].severity, row.text == nullptr ? Severity::warning : Severity::info);
    if (row.text == nullptr) {
      EXPECT_EQ(value, kept);
      continue;
    }
    Diagnostics parsed;
    const auto layer = usda::parse(
        std::string("#usda 1.0\ndef \"A\" { ") + row.declared + " x = " + row.text + "\n}\n",
        "a.usda", parsed);
    ASSERT_TRUE(layer);
    const Value& expected = (*layer)->root().children[0]->properties[0].default_value;
    EXPECT_EQ(value.type(), expected.type());
    EXPECT_TRUE(std::ranges::equal(value.bytes(), expected.bytes()));
  }
}

TEST_F(ReadCrate, TakesArraysOfDoublesForTimesSinceVersion7) {
  const std::vector<std::uint64_t> values = {rep(9, 0x3F800000, kInline), rep(51, 0, kInline)};
  for (const unsigned minor : {6U, 7U, 8U}) {
    for (const std::uint64_t flags : {std::uint64_t{0}, kPacked, kInline}) {
      CrateBuilder crate(minor);
      const std::uint64_t times = crate.array(9, std::vector<double>{1.0, 2.5}) | flags << 56;
      layer_ = read_layer(sampled_attribute(crate, times, values));
      SCOPED_TRACE(testing::Message() << minor << ' ' << flags);
      ASSERT_NE(layer_, nullptr);
      const PropertySpec& x = layer_->root().children[0]->properties[0];
      if (minor < 7 || flags != 0) {
        EXPECT_EQ(x.extra, nullptr);
        EXPECT_TRUE(has("usdc-value"));
        continue;
      }
      EXPECT_THAT(diagnostics_, IsEmpty());
      ASSERT_NE(x.extra, nullptr);
      EXPECT_THAT(x.extra->time_samples.times, testing::ElementsAre(1.0, 2.5));
      EXPECT_EQ(x.extra->time_samples.values[0].get<double>(), 1.0);
    }
  }
  // Numbers of another type are no times.
  CrateBuilder floats;
  const std::uint64_t times = floats.array(8, std::vector<float>{1.0F, 2.0F});
  layer_ = read_layer(sampled_attribute(floats, times, values));
  EXPECT_EQ(layer_->root().children[0]->properties[0].extra, nullptr);
  EXPECT_TRUE(has("usdc-value"));
}

TEST_F(ReadCrate, TakesListsOfDoublesThatAreNoArraysForTimes) {
  const std::vector<std::uint64_t> values = {rep(9, 0x3F800000, kInline)};
  for (const unsigned bit : {64U, 63U, 60U}) {  // None, of arrays, of edits of arrays.
    CrateBuilder crate;
    const std::string bytes = counted(1, bytes_of({2.5}));
    const std::uint64_t flag = bit == 64U ? 0 : std::uint64_t{1} << bit;
    layer_ = read_layer(sampled_attribute(crate, rep(48, crate.put(bytes)) | flag, values));
    SCOPED_TRACE(bit);
    ASSERT_NE(layer_, nullptr);
    EXPECT_EQ(layer_->root().children[0]->properties[0].extra != nullptr, flag == 0);
    EXPECT_EQ(has("usdc-value"), flag != 0);
  }
}

TEST_F(ReadCrate, LeavesSamplesOutWithoutATimeOrAValueOfTheirOwn) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto times_of = [&](const std::vector<double>& times,
                            const std::vector<std::uint64_t>& values) {
    CrateBuilder crate;
    crate.put(dictionary_of(crate.string("key"), rep(3, 7, kInline)));  // At byte 88.
    std::string bytes;
    append(bytes, std::uint64_t{times.size()});
    for (const double time : times) append(bytes, time);
    layer_ = read_layer(sampled_attribute(crate, rep(48, crate.put(bytes)), values));
    const PropertyExtra* const extra = layer_->root().children[0]->properties[0].extra;
    return extra == nullptr ? std::vector<double>() : extra->time_samples.times;
  };
  const std::uint64_t one = rep(9, 0x3F800000, kInline);
  EXPECT_THAT(times_of({1, 2, 3}, {one, one, one}), testing::ElementsAre(1, 2, 3));
  EXPECT_THAT(diagnostics_, IsEmpty());
  EXPECT_THAT(times_of({1, nan, 3}, {one, one, one}), testing::ElementsAre(1, 3));
  EXPECT_TRUE(has("usdc-value"));
  EXPECT_THAT(times_of({nan}, {one}), IsEmpty());
  EXPECT_TRUE(has("usdc-value"));
  // Neither a dictionary nor a number of no type.
  EXPECT_THAT(times_of({1, 2, 3}, {one, rep(31, 88), one}), testing::ElementsAre(1, 3));
  EXPECT_TRUE(has("usdc-value") || has("usdc-type"));
  EXPECT_THAT(times_of({1, 2, 3}, {rep(61, 0), one, one}), testing::ElementsAre(2, 3));
  EXPECT_TRUE(has("usdc-value"));
}

}  // namespace
}  // namespace sinew::usdc::read_values_test
