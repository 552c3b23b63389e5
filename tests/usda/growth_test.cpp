// SPDX-License-Identifier: Apache-2.0
// Reading takes time in proportion to the text. Ratios of processor time in one run; a reader that
// is quadratic takes a hundred times as long for ten times as much.
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <limits>
#include <string>

#include "sinew/usda/parser.hpp"
#include "support/keep_memory.hpp"

namespace sinew::usda::growth_test {
using namespace layer;
namespace {

std::clock_t time_of(const std::string& text) {
  std::clock_t best = std::numeric_limits<std::clock_t>::max();
  for (int i = 0; i < 3; ++i) {
    Diagnostics diagnostics;
    const std::clock_t begin = std::clock();
    const auto layer = parse(text, "growth.usda", diagnostics);
    best = std::min(best, std::clock() - begin);
    EXPECT_TRUE(layer) << text.substr(0, 200);
  }
  return std::max<std::clock_t>(best, 1);
}

std::string repeated(int count, const std::string& before, const std::string& item) {
  std::string text = "#usda 1.0\n" + before;
  for (int i = 0; i < count; ++i) {
    std::string one = item;
    for (auto at = one.find('%'); at != std::string::npos; at = one.find('%')) {
      one.replace(at, 1, std::to_string(i));
    }
    text += one;
  }
  return text + (before.empty() ? "" : "}\n");
}

void expect_near_linear(const std::string& before, const std::string& item) {
  keep_memory();
  const std::clock_t small = time_of(repeated(3'000, before, item));
  const std::clock_t large = time_of(repeated(30'000, before, item));
  EXPECT_LT(static_cast<double>(large), 40.0 * static_cast<double>(small)) << item;
}

TEST(ReadingGrowsWithTheText, PrimsWithListsInTheirMetadata) {
  expect_near_linear("def \"World\"\n{\n",
                     "def Cube \"c%\" (\n    prepend apiSchemas = [\"A\", \"B\"]\n)\n{\n}\n");
}

TEST(ReadingGrowsWithTheText, PrimsWithArraysAndTargets) {
  expect_near_linear("def \"World\"\n{\n",
                     "def Mesh \"m%\"\n{\n    int[] f = [1, 2, 3]\n    rel r = [</World/m0>,\n"
                     "        </World/m1>]\n    double3 t = (1, 2, 3)\n}\n");
}

TEST(ReadingGrowsWithTheText, LinesThatEndInCarriageReturns) {
  expect_near_linear("", "def \"p%\" (\r\n    prepend apiSchemas = [\"A\"]\r\n)\r\n{\r\n}\r\n");
}

TEST(ReadingGrowsWithTheText, AttributesWithMetadata) {
  expect_near_linear("def \"World\"\n{\n",
                     "float3[] a% = [(1, 2, 3),\n(4, 5, 6)] (\n    doc = \"text\"\n)\n");
}

TEST(LineNumbers, AreRightBehindAndBeforeArrays) {
  Diagnostics diagnostics;
  const auto layer = parse(
      "#usda 1.0\ndef \"A\" (\n    prepend apiSchemas = [\n        \"B\",\n        \"C\"\n    "
      "]\n)\n{\n"
      "    int[] a = [1,\n        2,\n        3]\n    int b = 1\n}\n",
      "lines.usda", diagnostics);
  ASSERT_TRUE(layer);
  const PrimSpec& prim = *(*layer)->root().children[0];
  EXPECT_EQ(prim.line, 2u);
  EXPECT_EQ(prim.fields[0].line, 3u);
  EXPECT_EQ(prim.properties[0].line, 9u);
  EXPECT_EQ(prim.properties[1].line, 12u);
}

}  // namespace
}  // namespace sinew::usda::growth_test
