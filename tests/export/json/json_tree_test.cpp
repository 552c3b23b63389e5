// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <iterator>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "export/json.hpp"

namespace sinew::exporter::json_tree_test {
namespace {

TEST(JsonTree, KeepsMembersInTheOrderTheyWereAdded) {
  Json json = Json::object();
  json["z"] = 1;
  json["a"]["b"] = true;
  json["a"]["c"] = "text";
  json["list"].push_back(Json());
  json["list"].push_back(2.5);
  EXPECT_EQ(json_text(json), R"({"z":1,"a":{"b":true,"c":"text"},"list":[null,2.5]})");
  json.erase("a");
  json["z"] = Json::list({1, 2});
  EXPECT_EQ(json_text(json), R"({"z":[1,2],"list":[null,2.5]})");
}

TEST(JsonTree, WritesTheShortestTextOfEachNumber) {
  EXPECT_EQ(json_text(Json::list({0.1F, 0.1, json_number(-0.0F), 16777217.0F})),
            "[0.1,0.1,0,16777216]");
  EXPECT_EQ(json_text(static_cast<double>(0.1F)), "0.10000000149011612");
  EXPECT_EQ(json_text(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(json_text(std::size_t{4'000'000'000}), "4000000000");
}

TEST(JsonTree, ReplacesBytesThatAreNotUtf8) {
  Json json = Json::object();
  json["\xFFkey"] = "gr\xC3\xBCn \x80\xC3";
  const std::string text = json_text(json);
  EXPECT_EQ(text, "{\"\xEF\xBF\xBDkey\":\"gr\xC3\xBCn \xEF\xBF\xBD\xEF\xBF\xBD\"}");
  EXPECT_FALSE(parse_json(text).fault);
}

TEST(JsonTree, OfEqualKeysTheLastCounts) {
  const ParsedJson parsed = parse_json(R"({"b": 1, "a": 2, "b": [3], "": 4, "a": {"x": null}})");
  ASSERT_FALSE(parsed.fault);
  EXPECT_EQ(json_text(parsed.document), R"({"":4,"a":{"x":null},"b":[3]})");
  EXPECT_EQ(parsed.document.find("b")->size(), 1U);
  EXPECT_EQ(parsed.document.find("c"), nullptr);
}

TEST(JsonTree, TellsIntegersFromOtherNumbers) {
  const Json list =
      parse_json("[3, 3.0, -7, 9223372036854775807, 18446744073709551615, 1e3]").document;
  ASSERT_EQ(list.size(), 6U);
  EXPECT_TRUE(list[0].is_integer());
  EXPECT_FALSE(list[1].is_integer());
  EXPECT_EQ(list[1].number(), 3.0);
  EXPECT_EQ(list[2].integer(), -7);
  EXPECT_EQ(list[3].integer(), std::numeric_limits<std::int64_t>::max());
  EXPECT_FALSE(list[4].is_integer());
  EXPECT_EQ(list[4].number(), 18446744073709551616.0);
  EXPECT_EQ(list[5].number(), 1000.0);
}

TEST(JsonTree, HasNothingOfOtherTypes) {
  const Json number = 3, text = "x", none;
  EXPECT_EQ(number.text(), "");
  EXPECT_EQ(text.number(), 0.0);
  EXPECT_FALSE(text.boolean());
  EXPECT_TRUE(number.items().empty());
  EXPECT_TRUE(number.members().empty());
  EXPECT_EQ(none.find("a"), nullptr);
  EXPECT_LE(sizeof(Json), 16U);
  EXPECT_STREQ(number.type_name(), "number");
  EXPECT_STREQ(none.type_name(), "null");
}

TEST(JsonTree, ValuesEqualThoseOfTheirTypeAlone) {
  Json a = Json::object(), b = Json::object(), one = Json::object();
  a["a"] = 0;
  b["b"] = 0;
  one["a"] = 1;
  const Json values[] = {Json(),
                         false,
                         true,
                         0,
                         1,
                         0.0,
                         1.0,
                         0.0F,
                         1.0F,
                         "",
                         "a",
                         Json::array(),
                         Json::list({0}),
                         Json::list({0, 0}),
                         Json::list({1}),
                         Json::object(),
                         a,
                         b,
                         one};
  for (std::size_t i = 0; i < std::size(values); ++i) {
    for (std::size_t k = 0; k < std::size(values); ++k) {
      EXPECT_EQ(values[i] == values[k], i == k) << json_text(values[i]) << json_text(values[k]);
    }
  }
}

TEST(JsonTree, NamesItsTypes) {
  const std::pair<Json, const char*> rows[] = {
      {Json(), "null"}, {true, "boolean"},        {1, "number"},
      {1.5, "number"},  {1.5F, "number"},         {"x", "string"},
      {"", "string"},   {Json::array(), "array"}, {Json::object(), "object"}};
  for (const auto& [value, name] : rows) {
    EXPECT_STREQ(value.type_name(), name);
    EXPECT_EQ(value.is_number(), name == std::string("number"));
  }
}

TEST(JsonTree, WhatIsNoListGrowsNoItems) {
  Json number = 3, object = Json::object(), none;
  number.push_back(1);
  object.push_back(1);
  number.erase("a");
  none.push_back(1);
  EXPECT_EQ(json_text(number) + json_text(object) + json_text(none), "3{}[1]");
  EXPECT_TRUE(number.items().empty());
  EXPECT_EQ(none.items().size(), 1U);
}

TEST(JsonTree, SaysWhereTextBreaksTheGrammar) {
  EXPECT_EQ(parse_json("{\"a\": nope}").fault, 8U);
  EXPECT_TRUE(parse_json("").fault);
  EXPECT_TRUE(parse_json("[1, 2").fault);
  EXPECT_TRUE(parse_json("[1] 2").fault);
  EXPECT_TRUE(parse_json("[1e999]").fault);
}

TEST(JsonTree, CountsHowDeepTextNests) {
  EXPECT_EQ(json_nesting("1"), 0U);
  EXPECT_EQ(json_nesting(R"([{"a]]][[[": "\"[["}, [[]], {}])"), 3U);
  EXPECT_EQ(json_nesting("]]]["), 1U);
}

// Whatever is built reads back equal, and members are found whether they are sorted or not.
TEST(JsonTree, RandomDocumentsReadBackEqual) {
  std::mt19937 random(20261123);
  const auto below = [&random](unsigned n) { return static_cast<unsigned>(random() % n); };
  const auto make = [&](const auto& self, unsigned depth) -> Json {
    switch (below(depth == 0 ? 5 : 7)) {
      case 0:
        return {};
      case 1:
        return below(2) == 0;
      case 2:
        return static_cast<std::int64_t>(random()) - 2'000'000'000;
      case 3:
        return static_cast<double>(random()) / 1000.5 - 1e6;
      case 4:
        return std::string(below(6), static_cast<char>(below(127)));
      case 5: {
        Json list = Json::array();
        for (unsigned i = below(5); i > 0; --i) list.push_back(self(self, depth - 1));
        return list;
      }
      default: {
        std::map<std::string, Json> members;
        for (unsigned i = below(9); i > 0; --i) {
          members.insert_or_assign(std::to_string(below(20)), self(self, depth - 1));
        }
        Json object = Json::object();
        for (const auto& [key, value] : members) object[key] = value;
        return object;
      }
    }
  };
  for (int i = 0; i < 500; ++i) {
    const Json built = make(make, 4);
    const ParsedJson parsed = parse_json(json_text(built));
    ASSERT_FALSE(parsed.fault) << json_text(built);
    EXPECT_EQ(parsed.document, built) << json_text(built);
    for (const auto& [key, value] : built.members()) {
      ASSERT_NE(parsed.document.find(key), nullptr);
      EXPECT_EQ(*parsed.document.find(key), value);
    }
    Json changed = parsed.document;
    if (changed.is_object()) {
      changed["new"] = i;
      EXPECT_NE(changed, built);
      EXPECT_EQ(changed.find("new")->integer(), i);
    }
  }
}

}  // namespace
}  // namespace sinew::exporter::json_tree_test
