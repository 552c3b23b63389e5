// SPDX-License-Identifier: Apache-2.0
// Collections that include each other: what comes out is what following every include in its order
// gives, however often and in whatever circles they do it.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "sinew/geom/collections.hpp"
#include "stage/support.hpp"
#include "support/random.hpp"

namespace sinew::geom::collections_test {
namespace {

using Rules = std::unordered_map<std::string, MembershipRule>;

struct Spec {
  MembershipRule rule = MembershipRule::expand_prims;
  bool root = false;
  std::vector<int> includes;  // Collections from 0; below that, prims: -1 is "/P0".
  std::vector<int> excludes;  // Prims, as above.
};

std::string prim_path(int number) {
  return "/P" + std::to_string(-1 - number);
}

std::string text_of(const std::vector<Spec>& specs) {
  std::string text;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const Spec& spec = specs[i];
    text += "def \"C" + std::to_string(i) + "\" (apiSchemas = [\"CollectionAPI:c\"]) {\n";
    if (spec.rule == MembershipRule::explicit_only) {
      text += "uniform token collection:c:expansionRule = \"explicitOnly\"\n";
    }
    if (spec.root) text += "uniform bool collection:c:includeRoot = 1\n";
    text += "rel collection:c:includes = [";
    for (const int target : spec.includes) {
      text += target < 0 ? "<" + prim_path(target) + ">, "
                         : "</C" + std::to_string(target) + ".collection:c>, ";
    }
    text += "]\nrel collection:c:excludes = [";
    for (const int target : spec.excludes) text += "<" + prim_path(target) + ">, ";
    text += "]\n}\n";
  }
  return text;
}

// As the schema says it: an include at a time, all of it, unless that is being followed already.
void follow(const std::vector<Spec>& specs, std::size_t i, std::vector<std::size_t>& open,
            Rules& rules) {
  open.push_back(i);
  for (const int target : specs[i].includes) {
    if (target < 0) {
      rules[prim_path(target)] = specs[i].rule;
    } else if (const auto other = static_cast<std::size_t>(target);
               std::find(open.begin(), open.end(), other) == open.end()) {
      follow(specs, other, open, rules);
    }
  }
  if (specs[i].root && specs[i].rule != MembershipRule::explicit_only) rules["/"] = specs[i].rule;
  for (const int target : specs[i].excludes) rules[prim_path(target)] = MembershipRule::exclude;
  open.pop_back();
}

void add_once(std::vector<int>& list, int number) {
  if (std::find(list.begin(), list.end(), number) == list.end()) list.push_back(number);
}

TEST(IncludedCollections, SayWhatFollowingEveryIncludeSays) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    test::Random random(seed);
    std::vector<Spec> specs(static_cast<std::size_t>(random.between(1, 6)));
    const int last = static_cast<int>(specs.size()) - 1;
    for (Spec& spec : specs) {
      if (random.chance(30)) spec.rule = MembershipRule::explicit_only;
      spec.root = random.chance(20);
      for (int k = random.between(0, 5); k > 0; --k) {
        add_once(spec.includes, random.between(-5, last));
      }
      for (int k = random.between(0, 2); k > 0; --k) {
        add_once(spec.excludes, random.between(-5, -1));
      }
    }
    Diagnostics diagnostics;
    const auto stage = stage::open_layers({{"root.usda", text_of(specs).c_str()}}, diagnostics);
    for (std::size_t i = 0; i < specs.size(); ++i) {
      Rules expected;
      std::vector<std::size_t> open;
      follow(specs, i, open, expected);
      const auto prim = stage->prim("/C" + std::to_string(i));
      EXPECT_EQ(Collection::read(prim, "c").rules(), expected) << text_of(specs);
    }
  }
}

TEST(IncludedCollections, AreReadOnceHoweverManyIncludeThem) {
  // Each includes the two before it: followed one by one, more than 10^80.
  constexpr int kCount = 400;
  std::vector<Spec> specs(kCount);
  for (int i = 0; i < kCount; ++i) {
    specs[static_cast<std::size_t>(i)].includes = {-1 - i};
    for (int k = 1; k <= std::min(i, 2); ++k) {
      specs[static_cast<std::size_t>(i)].includes.push_back(i - k);
    }
  }
  Diagnostics diagnostics;
  const auto stage = stage::open_layers({{"root.usda", text_of(specs).c_str()}}, diagnostics);
  const Collection all = Collection::read(stage->prim("/C399"), "c", &diagnostics);
  EXPECT_EQ(all.rules().size(), 400u);
  EXPECT_TRUE(all.contains(*layer::Path::parse("/P0/Below")));
  EXPECT_TRUE(diagnostics.empty());
}

TEST(IncludedCollections, OfPrimsThatDoNotExistAreToldAndLeaveTheRest) {
  Diagnostics diagnostics;
  const auto stage = stage::open_layers({{"root.usda", R"(
def "P" {}
def "C" (apiSchemas = ["CollectionAPI:c"]) {
    rel collection:c:includes = [</Gone.collection:c>, </P>]
}
)"}},
                                        diagnostics);
  ASSERT_NE(stage, nullptr);
  const Collection collection = Collection::read(stage->prim("/C"), "c", &diagnostics);
  ASSERT_EQ(diagnostics.size(), 1U);
  EXPECT_EQ(diagnostics[0].code, "geom-collection-missing-prim");
  EXPECT_EQ(diagnostics[0].path, "/C");
  EXPECT_NE(diagnostics[0].message.find("</Gone.collection:c>"), std::string::npos);
  EXPECT_TRUE(collection.contains(stage->prim("/P")));
}

TEST(IncludedCollections, TellOfEachCircleOnce) {
  Diagnostics diagnostics;
  const auto stage = stage::open_layers({{"root.usda", R"(
def "C0" (apiSchemas = ["CollectionAPI:c"]) { rel collection:c:includes = [</C1.collection:c>, </C2.collection:c>]
}
def "C1" (apiSchemas = ["CollectionAPI:c"]) { rel collection:c:includes = </C2.collection:c>
}
def "C2" (apiSchemas = ["CollectionAPI:c"]) { rel collection:c:includes = </C0.collection:c>
}
)"}},
                                        diagnostics);
  EXPECT_TRUE(diagnostics.empty());
  const Collection circle = Collection::read(stage->prim("/C0"), "c", &diagnostics);
  EXPECT_TRUE(circle.empty());
  ASSERT_EQ(diagnostics.size(), 1u);
  EXPECT_EQ(diagnostics[0].code, "geom-collection-cycle");
  EXPECT_EQ(diagnostics[0].message,
            "The included collection </C0.collection:c> includes this one.");
}

}  // namespace
}  // namespace sinew::geom::collections_test
