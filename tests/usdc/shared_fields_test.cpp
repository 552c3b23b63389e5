// SPDX-License-Identifier: Apache-2.0
// Specs that share their lists of fields are read by shorter roads than those that have their own:
// the same layers and the same diagnostics have to come of both.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "sinew/layer/layer.hpp"
#include "support/random.hpp"
#include "usdc/read_crate.hpp"

namespace sinew::usdc::shared_fields_test {
namespace {

using namespace test;

constexpr const char* kNames[] = {"size", "points", "normals", "xformOp:translate", "proxyPrim"};

// A file of some prims, most of which have the same properties; twice, with lists of fields that
// are shared and with lists for each.
class AlikePrims {
  using Fields = CrateBuilder::Fields;

  // Does the same to both files, which number everything alike.
  template <typename Do>
  auto both(Do todo) {
    todo(separate_, false);
    return todo(shared_, true);
  }

 public:
  explicit AlikePrims(std::uint64_t seed) : random_(seed) {
    const int prims = random_.between(2, 12);
    std::vector<std::string> names;
    for (int i = 0; i < prims; ++i) names.push_back("P" + std::to_string(i));
    add_spec(0, 7, [&](CrateBuilder& file) {
      return Fields{{"primChildren", file.token_vector(names)}};
    });
    for (std::size_t i = 0; i < std::size(kNames); ++i) {
      if (random_.chance(70)) usual_.push_back(i);
    }
    for (const std::string& name : names) {
      add_prim(name);
      if (random_.chance(5)) add_property(0, random_.below(std::size(kNames)));
    }
  }

  std::string shared() { return shared_.build(); }
  std::string separate() { return separate_.build(); }

 private:
  template <typename MakeFields>
  void add_spec(std::uint32_t path, std::uint32_t type, MakeFields make) {
    both([&](CrateBuilder& file, bool is_shared) {
      const Fields fields = make(file);
      is_shared ? file.shared_spec(path, type, fields) : file.spec(path, type, fields);
      return 0;
    });
  }
  std::uint32_t add_path(std::uint32_t parent, const std::string& name, bool is_property) {
    return both([&](CrateBuilder& file, bool) { return file.path(parent, name, is_property); });
  }
  // The value of a list of tokens; each text has its list once.
  std::uint64_t tokens(const std::vector<std::string>& texts) {
    const auto known = std::find_if(lists_.begin(), lists_.end(),
                                    [&](const auto& list) { return list.first == texts; });
    if (known != lists_.end()) return known->second;
    const std::uint64_t list =
        both([&](CrateBuilder& file, bool) { return file.token_vector(texts); });
    lists_.emplace_back(texts, list);
    return list;
  }
  std::uint64_t numbers(int first) {
    while (static_cast<int>(arrays_.size()) <= first) {
      const auto value = static_cast<float>(arrays_.size());
      arrays_.push_back(both([&](CrateBuilder& file, bool) {
        return file.array(8, std::vector{value, 2.0F * value, 0.5F}, 8);
      }));
    }
    return arrays_[static_cast<std::size_t>(first)];
  }

  void add_prim(const std::string& name) {
    std::vector<std::size_t> listed = usual_;
    if (random_.chance(15)) std::reverse(listed.begin(), listed.end());
    std::vector<std::size_t> present = usual_;
    if (random_.chance(20)) std::reverse(present.begin(), present.end());
    if (random_.chance(10) && !present.empty()) present.pop_back();
    if (random_.chance(10)) present.push_back(random_.below(std::size(kNames)));
    std::sort(present.begin(), present.begin() + static_cast<std::ptrdiff_t>(present.size() / 2));
    present.erase(std::unique(present.begin(), present.end()), present.end());

    std::vector<std::string> names;
    for (const std::size_t i : listed) names.emplace_back(kNames[i]);
    if (random_.chance(3) && !names.empty()) names.push_back(names.front());
    const std::uint64_t list = tokens(names);
    const bool has_child = random_.chance(10);
    const std::uint64_t children = tokens({"Child"});
    const std::uint32_t prim = add_path(0, name, false);
    add_spec(prim, 6, [&](CrateBuilder& file) {
      Fields fields{{"specifier", rep(42, 0, kInline)},
                    {"typeName", file.token_value("Xform")},
                    {"properties", list}};
      if (has_child) fields.emplace_back("primChildren", children);
      return fields;
    });
    if (random_.chance(15)) add_child(prim);
    for (const std::size_t i : present) add_property(prim, i);
    if (has_child || random_.chance(5)) add_child(prim);
  }

  void add_child(std::uint32_t prim) {
    const std::uint32_t child = add_path(prim, random_.chance(80) ? "Child" : kNames[0], false);
    if (random_.chance(20)) return;  // Without a spec.
    add_spec(child, 6, [&](CrateBuilder&) { return Fields{{"specifier", rep(42, 1, kInline)}}; });
  }

  void add_property(std::uint32_t prim, std::size_t index) {
    const std::uint32_t property = add_path(prim, kNames[index], true);
    if (random_.chance(3)) return;
    if (index == 4 || random_.chance(3)) {
      add_spec(property, 8, [&](CrateBuilder&) {
        return Fields{{"variability", rep(44, 1, kInline)}};
      });
      // What is below a property is not a property of the prim.
      if (random_.chance(10)) add_path(property, "[/P0]", false);
      return;
    }
    const std::uint64_t value = numbers(random_.between(0, 2));
    const bool is_custom = random_.chance(10);
    add_spec(property, 1, [&](CrateBuilder& file) {
      Fields fields{{"typeName", file.token_value("float[]")}, {"default", value}};
      if (is_custom) fields.emplace_back("custom", rep(1, 1, kInline));
      return fields;
    });
  }

  Random random_;
  CrateBuilder shared_;
  CrateBuilder separate_;
  std::vector<std::size_t> usual_;
  std::vector<std::pair<std::vector<std::string>, std::uint64_t>> lists_;
  std::vector<std::uint64_t> arrays_;
};

using SharedFields = ReadCrate;

std::vector<std::tuple<std::string, std::string, std::string>> told(const Diagnostics& all) {
  std::vector<std::tuple<std::string, std::string, std::string>> texts;
  for (const Diagnostic& each : all) texts.emplace_back(each.code, each.message, each.path);
  return texts;
}

TEST_F(SharedFields, LayersAreThoseOfSeparateOnes) {
  std::size_t read = 0;
  std::size_t rejected = 0;
  std::size_t silent = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    AlikePrims prims(seed);
    const std::string shared = prims.shared();
    const std::string separate = prims.separate();
    for (const OnError on_error : {OnError::reject, OnError::keep_what_was_read}) {
      options_.on_error = on_error;
      const layer::LayerPtr expected = read_layer(separate);
      const auto expected_texts = told(diagnostics_);
      const layer::LayerPtr layer = read_layer(shared);
      ASSERT_EQ(told(diagnostics_), expected_texts) << "seed " << seed;
      ASSERT_EQ(layer == nullptr, expected == nullptr) << "seed " << seed;
      rejected += layer == nullptr;
      silent += layer != nullptr && diagnostics_.empty();
      if (layer == nullptr) continue;
      ++read;
      ASSERT_EQ(layer->complete(), expected->complete()) << "seed " << seed;
      ASSERT_TRUE(equal(*layer, *expected)) << "seed " << seed;
    }
  }
  EXPECT_GT(silent, 150U);
  EXPECT_GT(read - silent, 250U);
  EXPECT_GT(rejected, 50U);
}

// Properties of one name, with the same fields but for their default values, of which some do not
// fit and some are damaged. Twice: with the fields in the same order throughout, and in another
// order in every second one.
class AlikeProperties {
  using Fields = CrateBuilder::Fields;

 public:
  explicit AlikeProperties(std::uint64_t seed) : random_(seed) {
    type_ = random_.pick({"double3", "float", "token", "float[]", "string", "int", "unknown"});
    const int prims = random_.between(2, 10);
    std::vector<std::string> names;
    for (int i = 0; i < prims; ++i) names.push_back("P" + std::to_string(i));
    both([&](CrateBuilder& file) {
      file.spec(0, 7, {{"primChildren", file.token_vector(names)}});
      lists_[0] = file.token_vector({"x"});
      lists_[1] = file.token_vector({"x", "rel"});
    });
    for (std::size_t i = 0; i < names.size(); ++i) add_prim(names[i], i % 2 != 0);
  }

  std::string even() { return even_.build(); }
  std::string mixed() { return mixed_.build(); }

 private:
  template <typename Do>
  void both(Do todo) {
    todo(mixed_);
    todo(even_);
  }

  // Both files number everything alike.
  std::uint64_t value(CrateBuilder& file, int kind, double number) {
    std::string three;
    for (const double x : {number, 2.0, -0.5}) append(three, x);
    const auto narrow = static_cast<float>(number);
    std::uint32_t bits = 0;
    std::memcpy(&bits, &narrow, sizeof bits);
    switch (kind) {
      case 0:
        return rep(23, file.put(three));
      case 1:
        return rep(23, 0x010203, kInline);
      case 2:
        return rep(8, bits, kInline);
      case 3:
        return rep(9, bits, kInline);
      case 4:
        return file.token_value(random_text_);
      case 5:
        return rep(10, file.string(random_text_), kInline);
      case 6:
        return rep(51, 0, kInline);
      case 7:
        return file.array(8, std::vector{narrow, 1.0F, 2.0F}, 8);
      case 8:
        return rep(8, 0, kArray);
      case 9:
        return rep(23, std::uint64_t{1} << 40);
      case 10:
        return rep(60, 0, kInline);
      default:
        return rep(3, static_cast<std::uint32_t>(static_cast<int>(number)), kInline);
    }
  }

  void add_prim(const std::string& name, bool is_odd) {
    const int kind = random_.chance(60) ? usual_kind_ : random_.between(0, 11);
    const double number = random_.between(-300, 300) / 4.0;
    random_text_ = random_.pick({"a", "b", "c d", ""});
    const bool is_custom = random_.chance(10);
    const bool is_twice = random_.chance(4);
    const bool has_note = random_.chance(8);
    const bool has_specifier = random_.chance(misplaced_);  // Which is told each time.
    const bool has_relationship = random_.chance(50);
    both([&](CrateBuilder& file) {
      const std::uint32_t prim = file.path(0, name);
      const std::uint32_t x = file.path(prim, "x", true);
      file.spec(
          prim, 6,
          {{"specifier", rep(42, 0, kInline)}, {"properties", lists_[has_relationship ? 1 : 0]}});
      const std::uint64_t held = value(file, kind, number);
      Fields fields{{"typeName", file.token_value(type_)}, {"default", held}};
      if (is_twice) fields.emplace_back("default", held);
      if (is_custom) fields.emplace_back("custom", rep(1, 1, kInline));
      if (has_note) fields.emplace_back("documentation", rep(10, file.string("note"), kInline));
      if (has_specifier) fields.emplace_back("specifier", rep(42, 0, kInline));
      if (is_odd && &file == &mixed_) std::swap(fields[0], fields[1]);
      file.spec(x, 1, fields);
      if (!has_relationship) return;
      // Which has no values, whatever it holds.
      const std::uint32_t other = file.path(prim, "rel", true);
      file.spec(other, 8, {{"variability", rep(44, 1, kInline)}, {"default", held}});
    });
  }

  Random random_;
  CrateBuilder even_;
  CrateBuilder mixed_;
  std::string type_;
  std::string random_text_ = "a";
  int usual_kind_ = random_.between(0, 8);
  int misplaced_ = random_.chance(10) ? 50 : 0;
  std::uint64_t lists_[2] = {};
};

TEST_F(SharedFields, PropertiesThatDifferInTheirDefaultsAreReadAsOthersAre) {
  const auto without_places = [](const Diagnostics& all) {
    auto texts = told(all);
    for (auto& [code, message, path] : texts)
      message.resize(std::min(message.find(" (field"), message.size()));
    return texts;
  };
  std::size_t silent = 0;
  std::size_t told_of = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    AlikeProperties properties(seed);
    const std::string even = properties.even();
    const std::string mixed = properties.mixed();
    for (const Rules rules : {Rules::documented, Rules::openusd}) {
      options_.rules = rules;
      options_.on_error = OnError::keep_what_was_read;
      const layer::LayerPtr expected = read_layer(mixed);
      const auto expected_texts = without_places(diagnostics_);
      const layer::LayerPtr layer = read_layer(even);
      ASSERT_EQ(without_places(diagnostics_), expected_texts) << "seed " << seed;
      ASSERT_NE(layer, nullptr) << "seed " << seed;
      ASSERT_TRUE(equal(*layer, *expected)) << "seed " << seed;
      ++(diagnostics_.empty() ? silent : told_of);
    }
  }
  EXPECT_GT(silent, 500U);
  EXPECT_GT(told_of, 1000U);
}

// What one property holds is that of another: it has to live as long as a copy of either.
TEST_F(SharedFields, ValuesOutliveTheirLayer) {
  CrateBuilder crate;
  const std::uint64_t array = crate.array(8, std::vector{1.0F, 2.0F, 4.0F}, 8);
  const std::uint64_t properties = crate.token_vector({"x", "y"});
  crate.spec(0, 7, {{"primChildren", crate.token_vector({"A", "B"})}});
  for (const char* name : {"A", "B"}) {
    const std::uint32_t prim = crate.path(0, name);
    const std::uint32_t x = crate.path(prim, "x", true);
    const std::uint32_t y = crate.path(prim, "y", true);
    crate.shared_spec(prim, 6, {{"specifier", rep(42, 0, kInline)}, {"properties", properties}});
    for (const std::uint32_t property : {x, y}) {
      crate.shared_spec(property, 1,
                        {{"typeName", crate.token_value("float[]")}, {"default", array}});
    }
  }
  layer::LayerPtr layer = read_layer(crate.build());
  ASSERT_NE(layer, nullptr);
  EXPECT_THAT(diagnostics_, testing::IsEmpty());
  std::vector<layer::Value> values;
  for (const layer::PrimSpec* prim : layer->root().children) {
    for (const layer::PropertySpec& property : prim->properties) {
      values.push_back(property.default_value);
    }
  }
  layer.reset();
  ASSERT_EQ(values.size(), 4U);
  std::swap(values.front(), values.back());
  while (!values.empty()) {
    EXPECT_THAT(values.back().as_array<float>(), testing::ElementsAre(1.0F, 2.0F, 4.0F));
    values.pop_back();
  }
}

}  // namespace
}  // namespace sinew::usdc::shared_fields_test
