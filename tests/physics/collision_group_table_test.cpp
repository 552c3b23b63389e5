// SPDX-License-Identifier: Apache-2.0
#include "sinew/physics/collision_group_table.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace sinew::physics::collision_group_table_test {
namespace {

CollisionGroupPrim group(std::string path, std::vector<Text> filters = {},
                         std::optional<std::string> merge = {}, bool invert = false) {
  CollisionGroupPrim prim;
  prim.path = std::move(path);
  prim.filtered_group_paths = std::move(filters);
  prim.has_merge_group = merge.has_value();
  prim.merge_group = merge.value_or("");
  prim.invert_filtered_groups = invert;
  return prim;
}

// The disabled pairs as text, "ab bc": every group is called by one letter.
std::string disabled(const std::vector<CollisionGroupPrim>& groups) {
  Diagnostics diagnostics;
  const CollisionGroupTable table = CollisionGroupTable::build(groups, diagnostics);
  std::string text;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    for (std::size_t j = i; j < groups.size(); ++j) {
      EXPECT_EQ(table.enabled(i, j), table.enabled(j, i));
      EXPECT_EQ(table.enabled(i, j), table.enabled(groups[i].path, groups[j].path));
      if (!table.enabled(i, j))
        text += groups[i].path.str().substr(1) + groups[j].path.str().substr(1) + " ";
    }
  }
  return text;
}

// physics 12.3 G1
TEST(CollisionGroupTable, GroupsFilterOthersAndThemselves) {
  EXPECT_EQ(disabled({group("/a"), group("/b", {"/c"}), group("/c", {"/c"})}), "bc cc ");
}

// physics 12.3 G2
TEST(CollisionGroupTable, InvertedGroupFiltersAllButTheListed) {
  EXPECT_EQ(disabled({group("/a", {"/c"}, {}, true), group("/b"), group("/c")}), "aa ab ");
}

// physics 12.3 G3, with X = grpX, C = grpXCollider, O = allOthers, A = grpA
TEST(CollisionGroupTable, InvertedGroupKeepsItsColliderUntilMergedWithAGroupThatFiltersIt) {
  EXPECT_EQ(disabled({group("/O"), group("/C"), group("/X", {"/C"}, {}, true)}), "OX XX ");
  EXPECT_EQ(disabled({group("/O"), group("/C"), group("/X", {"/C"}, "mergeTest", true),
                      group("/A", {"/C"})}),
            "OX CA XX XA ");
  EXPECT_EQ(disabled({group("/O"), group("/C"), group("/X", {"/C"}, "mergeTest", true),
                      group("/A", {"/C"}, "mergeTest")}),
            "OX OA CX CA XX XA AA ");
}

// physics 12.3 G4
TEST(CollisionGroupTable, MergedGroupsShareTheirFilters) {
  EXPECT_EQ(disabled({group("/a", {"/c"}, "m"), group("/b", {}, "m"), group("/c")}), "ac bc ");
}

// physics 12.3 G5
TEST(CollisionGroupTable, MergedTargetsAreFilteredTogether) {
  EXPECT_EQ(disabled({group("/a", {"/c"}, "m"), group("/b", {}, "m"), group("/c", {}, "n"),
                      group("/d", {}, "n")}),
            "ac ad bc bd ");
}

// physics 12.3 G6
TEST(CollisionGroupTable, MergingOutOfOrderReadsTheRightCell) {
  EXPECT_EQ(
      disabled({group("/a", {}, "A"), group("/b", {"/c"}), group("/c"), group("/d", {"/b"}, "A")}),
      "ab bc bd ");
}

// physics 12.3 G6
TEST(CollisionGroupTable, TargetsThatAreNoGroupsAreIgnoredAndReported) {
  Diagnostics diagnostics;
  const std::vector<CollisionGroupPrim> groups = {group("/a"), group("/b", {"/nothing"})};

  const CollisionGroupTable table = CollisionGroupTable::build(groups, diagnostics);

  EXPECT_TRUE(table.disabled_pairs().empty());
  ASSERT_EQ(diagnostics.size(), 1U);
  EXPECT_EQ(diagnostics[0].code, "physics-unknown-filter-target");
  EXPECT_EQ(diagnostics[0].path, "/b");
}

// physics 8.2: an authored empty string counts as a name.
TEST(CollisionGroupTable, EmptyMergeNameMergesIfAuthored) {
  EXPECT_EQ(disabled({group("/a", {"/c"}, ""), group("/b", {}, ""), group("/c")}), "ac bc ");
  EXPECT_EQ(disabled({group("/a", {"/c"}), group("/b"), group("/c")}), "ac ");
}

// physics 8.2: unknown path or index is enabled.
TEST(CollisionGroupTable, UnknownGroupsCollide) {
  Diagnostics diagnostics;
  const CollisionGroupTable table =
      CollisionGroupTable::build(std::vector{group("/a", {"/a"})}, diagnostics);

  EXPECT_TRUE(table.enabled(std::size_t{0}, std::size_t{9}));
  EXPECT_TRUE(table.enabled("/a", "/z"));
  EXPECT_FALSE(table.enabled("/a", "/a"));
}

// The rule of 8.2 written down cell by cell.
std::vector<std::pair<std::uint32_t, std::uint32_t>> reference_pairs(
    const std::vector<CollisionGroupPrim>& groups) {
  const std::size_t n = groups.size();
  const auto same = [&](std::size_t i, std::size_t j) {
    return i == j || (groups[i].has_merge_group && groups[j].has_merge_group &&
                      groups[i].merge_group == groups[j].merge_group);
  };
  std::vector<std::vector<bool>> off(n, std::vector<bool>(n, false));
  for (std::size_t g = 0; g < n; ++g) {
    for (std::size_t x = 0; x < n; ++x) {
      bool listed = false;
      for (std::size_t t = 0; t < n; ++t) {
        for (const Text& path : groups[g].filtered_group_paths) {
          listed = listed || (groups[t].path == path && same(t, x));
        }
      }
      if (listed == groups[g].invert_filtered_groups) continue;
      for (std::size_t m = 0; m < n; ++m) {
        if (same(m, g)) off[m][x] = off[x][m] = true;
      }
    }
  }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = i; j < n; ++j) {
      if (off[i][j]) pairs.emplace_back(i, j);
    }
  }
  return pairs;
}

TEST(CollisionGroupTable, AgreesWithTheRuleOnRandomGroups) {
  std::mt19937 random(5);
  for (int round = 0; round < 300; ++round) {
    std::vector<CollisionGroupPrim> groups;
    const std::size_t n = 1 + random() % 9;
    for (std::size_t i = 0; i < n; ++i) {
      std::vector<Text> filters;
      for (std::size_t k = random() % 4; k > 0; --k) {
        filters.push_back("/g" + std::to_string(random() % n));
      }
      std::optional<std::string> merge;
      if (random() % 3 == 0) merge = std::string(1, static_cast<char>('A' + random() % 3));
      groups.push_back(group("/g" + std::to_string(i), filters, merge, random() % 4 == 0));
    }
    Diagnostics diagnostics;

    const CollisionGroupTable table = CollisionGroupTable::build(groups, diagnostics);

    EXPECT_EQ(table.disabled_pairs(), reference_pairs(groups)) << "round " << round;
    for (const auto& [i, j] : table.disabled_pairs()) EXPECT_FALSE(table.enabled(i, j));
  }
}

TEST(CollisionGroupTable, AMillionGroupsTakeLinearMemoryAndTime) {
  constexpr std::size_t kGroups = 1'000'000;
  std::vector<CollisionGroupPrim> groups(kGroups);
  for (std::size_t i = 0; i < kGroups; ++i) {
    groups[i].path = "/g" + std::to_string(i);
    groups[i].filtered_group_paths = {"/g" + std::to_string((i + 1) % kGroups)};
  }
  groups[7].invert_filtered_groups = true;  // Alone disables a million pairs.
  Diagnostics diagnostics;

  const CollisionGroupTable table = CollisionGroupTable::build(groups, diagnostics);

  EXPECT_FALSE(table.enabled(std::size_t{100}, std::size_t{101}));
  EXPECT_TRUE(table.enabled(std::size_t{100}, std::size_t{102}));
  EXPECT_FALSE(table.enabled(std::size_t{7}, std::size_t{500'000}));
  EXPECT_EQ(table.disabled_pairs(1000).size(), 1000U);
}

TEST(CollisionGroupTable, OfNoGroupsAndForStrangersEverythingCollides) {
  Diagnostics diagnostics;
  const CollisionGroupTable none;
  EXPECT_TRUE(none.group_paths().empty());
  EXPECT_EQ(none.find("/a"), kNone);
  EXPECT_TRUE(none.enabled("/a", "/a"));
  EXPECT_TRUE(none.enabled(std::size_t{0}, std::size_t{0}));
  EXPECT_TRUE(none.disabled_pairs(10).empty());
  const CollisionGroupTable one =
      CollisionGroupTable::build(std::vector{group("/a", {"/a"})}, diagnostics);
  EXPECT_EQ(one.find("/a"), 0);
  EXPECT_EQ(one.find("/"), kNone);
  EXPECT_EQ(one.find("/b"), kNone);
  EXPECT_FALSE(one.enabled("/a", "/a"));
  EXPECT_TRUE(one.enabled("/a", "/b"));
  EXPECT_TRUE(one.enabled("/b", "/a"));
  EXPECT_FALSE(one.enabled(std::size_t{0}, std::size_t{0}));
  EXPECT_TRUE(one.enabled(std::size_t{0}, std::size_t{1}));
  EXPECT_TRUE(one.enabled(std::size_t{1}, std::size_t{0}));
}

}  // namespace
}  // namespace sinew::physics::collision_group_table_test
