// SPDX-License-Identifier: Apache-2.0
// Every limit of the reader: at the limit a text is read, one past it an error names the limit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "sinew/usda/parser.hpp"

namespace sinew::usda::limits_test {
using namespace layer;
namespace {

using testing::HasSubstr;

/// "<open><open>...<middle>...<close><close>".
std::string nested(std::size_t depth, const std::string& open, const std::string& middle,
                   const std::string& close) {
  std::string text;
  for (std::size_t i = 0; i < depth; ++i) text += open;
  text += middle;
  for (std::size_t i = 0; i < depth; ++i) text += close;
  return text;
}

/// Reads make(limit), which must succeed, and make(limit + 1), which must name the limit.
void expect_limit(std::size_t limit, const Limits& limits,
                  const std::function<std::string(std::size_t)>& make) {
  ParseOptions options;
  options.rules = Rules::openusd;  // Tells of no unknown fields.
  options.limits = limits;
  Diagnostics diagnostics;
  const Result<LayerPtr> at = parse("#usda 1.0\n" + make(limit), "at", diagnostics, options);
  EXPECT_TRUE(at) << at.error().message;
  EXPECT_TRUE(diagnostics.empty());

  const Result<LayerPtr> past =
      parse("#usda 1.0\n" + make(limit + 1), "past", diagnostics, options);
  ASSERT_FALSE(past);
  EXPECT_EQ(past.error().code, ErrorCode::limit_exceeded);
  EXPECT_THAT(past.error().message, HasSubstr(std::to_string(limit)));
  ASSERT_EQ(diagnostics.size(), 1u);
  EXPECT_EQ(diagnostics[0].code, "usda-limit");
}

TEST(ParseLimits, PrimNesting) {
  Limits limits;
  limits.prim_nesting = 5;
  expect_limit(5, limits, [](std::size_t n) { return nested(n, "def \"A\" {\n", "", "}\n"); });
}

TEST(ParseLimits, DefaultPrimNesting) {
  expect_limit(512, {}, [](std::size_t n) { return nested(n, "def \"A\" {\n", "", "}\n"); });
}

TEST(ParseLimits, ArrayEditBytes) {
  Limits limits;
  limits.array_edit_bytes = 1'000;
  // The first edit fills 100 bytes.
  expect_limit(1'000, limits, [](std::size_t bytes) {
    return "def \"A\" {\nint[] a = edit [minsize 25]\nuchar[] b = edit [resize " +
           std::to_string(bytes - 100) + " fill 7; maxsize 1000000]\n}\n";
  });
}

/// What is told of properties that are read, as array edits may fill so much.
Diagnostics told_of_edits(std::uint64_t array_edit_bytes, const std::string& properties) {
  ParseOptions options;
  options.limits.array_edit_bytes = array_edit_bytes;
  Diagnostics diagnostics;
  EXPECT_TRUE(parse("#usda 1.0\ndef \"A\" {\n" + properties + "}\n", "at", diagnostics, options));
  return diagnostics;
}

TEST(ParseLimits, SizesThatFillNothingCountForNothing) {
  EXPECT_TRUE(told_of_edits(0, "int[] a = edit [maxsize 10]\n").empty());
}

TEST(ParseLimits, SizesThatNoEditFillsUpToAreToldOnce) {
  // 64 MiB of four bytes each, and one more.
  const Diagnostics told = told_of_edits(0,
                                         "int[] a = edit [append 1; resize 16777217]\n"
                                         "int[] b = edit [minsize 1000000000000; maxsize 10]\n");
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].severity, Severity::warning);
  EXPECT_EQ(told[0].code, "usda-limit");
  EXPECT_EQ(told[0].line, 3U);
  EXPECT_EQ(told[0].column, 27U);
  EXPECT_TRUE(
      told_of_edits(Limits().array_edit_bytes, "int[] a = edit [resize 16777216]\n").empty());
}

TEST(ParseLimits, VariantNesting) {
  Limits limits;
  limits.variant_nesting = 4;
  expect_limit(4, limits, [](std::size_t n) {
    return "def \"A\" {\n" + nested(n, "variantSet \"v\" = {\n\"a\" {\n", "", "}\n}\n") + "}\n";
  });
}

TEST(ParseLimits, DictionaryNesting) {
  Limits limits;
  limits.value_nesting = 6;
  expect_limit(6, limits, [](std::size_t n) {
    return "def \"A\" (customData = {" + nested(n - 1, "dictionary d = {", "", "}") + "}) {}\n";
  });
}

TEST(ParseLimits, ListNestingOfUnknownMetadata) {
  Limits limits;
  limits.value_nesting = 6;
  expect_limit(6, limits, [](std::size_t n) {
    return "def \"A\" (unknown = " + nested(n, "[", "1", "]") + ") {}\n";
  });
}

TEST(ParseLimits, NestingOfValuesIsTheSameWhereverTheyStand) {
  Limits limits;
  limits.value_nesting = 3;
  const auto dictionaries = [](std::size_t n) {
    return "{" + nested(n - 1, "dictionary d = {", "", "}") + "}";
  };
  expect_limit(3, limits, [&](std::size_t n) {
    return "def \"A\" (references = @a@ (customData = " + dictionaries(n) + ")) {}\n";
  });
  expect_limit(3, limits,
               [&](std::size_t n) { return "def \"A\" (unknown = " + dictionaries(n) + ") {}\n"; });
  expect_limit(3, limits, [](std::size_t n) {
    return "def \"A\" (prepend unknown = " + nested(n, "[", "1", "]") + ") {}\n";
  });
  expect_limit(3, limits, [](std::size_t n) {
    return "def \"A\" {\nfoo a = " + nested(n, "[", "1", "]") + "\n}\n";
  });
  expect_limit(3, limits, [](std::size_t n) {
    return "def \"A\" {\nfoo a = " + nested(n, "(", "1", ")") + "\n}\n";
  });
}

TEST(ParseLimits, ListNestingOfNumericArrays) {
  Limits limits;
  limits.value_nesting = 6;
  ParseOptions options;
  options.limits = limits;
  Diagnostics diagnostics;
  const std::string deep = "#usda 1.0\ndef \"A\" {\nint[] a = " + nested(100'000, "[", "1", "]");
  EXPECT_FALSE(parse(deep, "deep", diagnostics, options));
}

TEST(ParseLimits, PrimsOfALayer) {
  Limits limits;
  limits.prims = 7;
  expect_limit(7, limits, [](std::size_t n) {
    std::string text;
    for (std::size_t i = 0; i < n; ++i) text += "def \"P" + std::to_string(i) + "\" {}\n";
    return text;
  });
}

TEST(ParseLimits, VariantsCountAsPrims) {
  Limits limits;
  limits.prims = 7;
  expect_limit(7, limits, [](std::size_t n) {
    std::string text = "def \"P\" {\nvariantSet \"v\" = {\n";
    for (std::size_t i = 1; i < n; ++i) text += "\"v" + std::to_string(i) + "\" {}\n";
    return text + "}\n}\n";
  });
}

std::string numbered(std::size_t n, const std::string& before, const std::string& after) {
  std::string text;
  for (std::size_t i = 0; i < n; ++i) text += before + std::to_string(i) + after;
  return text;
}

TEST(ParseLimits, NamesOfASpec) {
  Limits limits;
  limits.names_per_spec = 3;
  expect_limit(3, limits, [](std::size_t n) { return "(\n" + numbered(n, "k", " = 1\n") + ")\n"; });
  expect_limit(3, limits, [](std::size_t n) {
    return "def \"A\" {\nint a (\n" + numbered(n, "k", " = 1\n") + ")\n}\n";
  });
  expect_limit(3, limits, [](std::size_t n) {
    return "def \"A\" {\n" + numbered(n, "variantSet \"v", "\" = {}\n") + "}\n";
  });
  expect_limit(3, limits, [](std::size_t n) {
    return "def \"A\" {\nvariantSet \"v\" = {\n" + numbered(n, "\"x", "\" {}\n") + "}\n}\n";
  });
  expect_limit(3, limits, [](std::size_t n) {
    return "def \"A\" (variants = {\n" + numbered(n, "string v", " = \"x\"\n") + "}) {}\n";
  });
}

std::string array_of(const std::string& type, const std::string& element, std::size_t n) {
  std::string text = "def \"A\" {\n" + type + "[] a = [";
  for (std::size_t i = 0; i < n; ++i) text += (i == 0 ? "" : ", ") + element;
  return text + "]\n}\n";
}

TEST(ParseLimits, ElementsOfArrays) {
  Limits limits;
  limits.array_elements = 9;
  for (const auto& array :
       {std::pair("int", "1"), std::pair("float3", "(1, 2, 3)"), std::pair("double", "1.5"),
        std::pair("token", "\"t\""), std::pair("matrix2d", "((1, 0), (0, 1))")}) {
    SCOPED_TRACE(array.first);
    expect_limit(9, limits, [&](std::size_t n) { return array_of(array.first, array.second, n); });
  }
}

TEST(ParseLimits, BytesOfAFile) {
  Limits limits;
  limits.file_bytes = 40;
  expect_limit(40, limits, [](std::size_t n) { return std::string(n - 10, '\n'); });
}

}  // namespace
}  // namespace sinew::usda::limits_test
