// SPDX-License-Identifier: Apache-2.0
#include "sinew/usdz/package_path.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sinew::usdz::package_path_test {
namespace {

using ::testing::Pair;

TEST(PackagePath, SplitsAtTheOutermostPackage) {  // usdz 5
  EXPECT_THAT(split_outer("/d/f.p[b.p[z.f]]"), Pair("/d/f.p", "b.p[z.f]"));
  EXPECT_THAT(split_outer("a[b[c]]"), Pair("a", "b[c]"));
  for (const char* text : {"a.usdz", "a]", "a[b", "", "a[b\\]"}) {
    EXPECT_THAT(split_outer(text), Pair(text, "")) << text;
    EXPECT_FALSE(is_package_path(text)) << text;
  }
  EXPECT_THAT(split_outer("a[]"), Pair("a", ""));
}

TEST(PackagePath, SplitsAtTheInnermostFile) {
  EXPECT_THAT(split_inner("/d/f.p[b.p[z.f]]"), Pair("/d/f.p[b.p]", "z.f"));
  EXPECT_THAT(split_inner("a[b]"), Pair("a", "b"));
  EXPECT_THAT(split_inner("a[b\\]]"), Pair("a", "b]"));
  EXPECT_THAT(split_inner("a[b[c[d]]]"), Pair("a[b[c]]", "d"));
}

TEST(PackagePath, KnowsTheFileThatHoldsEverything) {
  EXPECT_EQ(file_of("/d/f.p[b.p[z.f]]"), "/d/f.p");
  EXPECT_EQ(file_of("a[b]"), "a");
  EXPECT_EQ(file_of("a[b\\]"), "a[b\\]");
  EXPECT_EQ(file_of(""), "");
}

TEST(PackagePath, JoinsFromTheOutsideIn) {
  EXPECT_EQ(join("a", "b[c]"), "a[b[c]]");
  EXPECT_EQ(join("a[b]", "c"), "a[b[c]]");
  EXPECT_EQ(join("", "c"), "c");
  EXPECT_EQ(join("a", ""), "a");
}

TEST(PackagePath, MarksBracketsOfNames) {
  EXPECT_EQ(join("a", "x[1].png"), "a[x\\[1\\].png]");
  for (const char* name : {"x[1].png", "]", "[", "a]b[c", "[x].usda"}) {
    EXPECT_THAT(split_inner(join("p.usdz", name)), Pair("p.usdz", name)) << name;
    EXPECT_THAT(split_outer(join("p.usdz", name)), Pair("p.usdz", name)) << name;
    EXPECT_THAT(split_inner(join("p[q]", name)), Pair("p[q]", name)) << name;
  }
}

TEST(PackagePath, KeepsBackslashesThatMarkNoBracket) {
  EXPECT_THAT(split_inner("a[b\\c\\]d]"), Pair("a", "b\\c]d"));
  EXPECT_THAT(split_outer("a[\\b\\[]"), Pair("a", "\\b["));
  EXPECT_THAT(split_outer("a\\b[c]"), Pair("a\\b", "c"));
}

TEST(PackagePath, JoinsInsideNamesThatEndWithABracket) {
  const std::string inside = join("p.usdz", "x]");
  EXPECT_EQ(join(inside, "c"), "p.usdz[x\\][c]]");
  EXPECT_THAT(split_inner(join(inside, "c")), Pair("p.usdz[x\\]]", "c"));
  EXPECT_THAT(split_outer(join(inside, "c")), Pair("p.usdz", "x][c]"));
}

TEST(PackagePath, KnowsPackagesByTheirExtension) {
  EXPECT_TRUE(is_package_name("a.usdz"));
  EXPECT_TRUE(is_package_name("A.USDZ"));
  EXPECT_FALSE(is_package_name("usdz"));
  EXPECT_FALSE(is_package_name("a.usdzx"));
}

}  // namespace
}  // namespace sinew::usdz::package_path_test
