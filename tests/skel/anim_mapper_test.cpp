// SPDX-License-Identifier: Apache-2.0
// Numbers in comments are those of the checklist in the behaviour specification. A word stands for
// an order of one-letter names.
#include "sinew/skel/anim_mapper.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::skel::anim_mapper_test {
namespace {

using ::testing::ElementsAre;
using Ints = std::vector<int>;

std::vector<std::string> letters(std::string_view word) {
  std::vector<std::string> result;
  for (const char c : word) result.emplace_back(1, c);
  return result;
}

AnimMapper mapper(std::string_view source, std::string_view target) {
  return {letters(source), letters(target)};
}

Ints remap(const AnimMapper& map, const Ints& source, Ints target = {},
           std::size_t element_size = 1, int fallback = 0) {
  const Status status =
      map.remap_resized<int>(std::span<const int>(source), target, element_size, fallback);
  EXPECT_TRUE(status);
  return target;
}

const Ints kPairs = {10, 11, 20, 21, 30, 31};
const Ints kTenTargets = {40, 41, 50, 51, 60, 61, 70, 71, 80, 81};

TEST(AnimMapper, HasTheSizeOfItsTarget) {
  EXPECT_EQ(mapper("ABC", "DEABC").size(), 5U);
  EXPECT_EQ(mapper("ABC", "").size(), 0U);
  EXPECT_EQ(AnimMapper(3).size(), 3U);
}

TEST(AnimMapper, MapsToNothing) {  // skel 12.5
  const AnimMapper map = mapper("ABC", "");
  EXPECT_FALSE(map.is_identity());
  EXPECT_TRUE(map.is_null());
  EXPECT_EQ(remap(map, {1, 2, 3}), Ints());
  EXPECT_EQ(remap(map, {1, 2, 3}, {4, 5, 6}), Ints());
}

TEST(AnimMapper, MapsFromNothing) {  // skel 12.6
  const AnimMapper map = mapper("", "ABC");
  EXPECT_FALSE(map.is_identity());
  EXPECT_TRUE(map.is_null());
  EXPECT_EQ(remap(map, {1, 2, 3}), (Ints{0, 0, 0}));
  EXPECT_EQ(remap(map, {1, 2, 3}, {}, 2), (Ints{0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(remap(map, {1, 2, 3}, {4, 5, 6}), (Ints{4, 5, 6}));
  EXPECT_EQ(remap(map, {1, 2, 3}, {4, 5, 6}, 2), (Ints{4, 5, 6, 0, 0, 0}));
  EXPECT_EQ(remap(map, {1, 2, 3}, {1, 2, 3, 4}), (Ints{1, 2, 3}));
}

TEST(AnimMapper, CopiesWhereOrdersAreEqual) {  // skel 12.7
  const AnimMapper map = mapper("ABC", "ABC");
  EXPECT_TRUE(map.is_identity());
  EXPECT_EQ(remap(map, {1, 2, 3}), (Ints{1, 2, 3}));
  EXPECT_EQ(remap(map, kPairs, {}, 2), kPairs);
}

TEST(AnimMapper, CopiesARunIntoANewTarget) {  // skel 12.8
  const AnimMapper map = mapper("ABC", "DEABC");
  EXPECT_EQ(remap(map, {1, 2, 3}), (Ints{0, 0, 1, 2, 3}));
  EXPECT_EQ(remap(map, kPairs, {}, 2, 7), (Ints{7, 7, 7, 7, 10, 11, 20, 21, 30, 31}));
  EXPECT_EQ(remap(map, {}), (Ints{0, 0, 0, 0, 0}));
}

TEST(AnimMapper, CopiesARunIntoAFilledTarget) {  // skel 12.9
  const AnimMapper map = mapper("ABC", "DEABC");
  EXPECT_EQ(remap(map, {1, 2, 3}, {4, 5, 6, 7, 8}), (Ints{4, 5, 1, 2, 3}));
  EXPECT_EQ(remap(map, {}, {4, 5, 6, 7, 8}), (Ints{4, 5, 6, 7, 8}));
  EXPECT_EQ(remap(map, kPairs, kTenTargets, 2), (Ints{40, 41, 50, 51, 10, 11, 20, 21, 30, 31}));
}

TEST(AnimMapper, DropsWhatTheTargetLacks) {  // skel 12.10
  const AnimMapper map = mapper("ABC", "DEAB");
  EXPECT_EQ(remap(map, {1, 2, 3}), (Ints{0, 0, 1, 2}));
  EXPECT_EQ(remap(map, kPairs, {}, 2), (Ints{0, 0, 0, 0, 10, 11, 20, 21}));
}

TEST(AnimMapper, Reorders) {  // skel 12.11
  const AnimMapper map = mapper("ABC", "CDEAB");
  EXPECT_EQ(remap(map, {1, 2, 3}), (Ints{3, 0, 0, 1, 2}));
  EXPECT_EQ(remap(map, kPairs, {}, 2), (Ints{30, 31, 0, 0, 0, 0, 10, 11, 20, 21}));
}

TEST(AnimMapper, Scatters) {  // skel 12.12
  const AnimMapper map = mapper("ABC", "CDAEB");
  EXPECT_EQ(remap(map, {1, 2, 3}), (Ints{3, 0, 1, 0, 2}));
  EXPECT_EQ(remap(map, kPairs, {}, 2), (Ints{30, 31, 0, 0, 10, 11, 0, 0, 20, 21}));
}

TEST(AnimMapper, ScattersIntoAFilledTarget) {  // skel 12.13
  const AnimMapper map = mapper("ABC", "CDAEB");
  EXPECT_EQ(remap(map, {1, 2, 3}, {4, 5, 6, 7, 8}), (Ints{3, 5, 1, 7, 2}));
  EXPECT_EQ(remap(map, kPairs, kTenTargets, 2), (Ints{30, 31, 50, 51, 10, 11, 70, 71, 20, 21}));
}

TEST(AnimMapper, IsNoIdentityForPartOfAnOrder) {  // skel 12.14
  EXPECT_FALSE(mapper("ABC", "DABC").is_identity());
  EXPECT_FALSE(mapper("ABC", "AB").is_identity());
}

TEST(AnimMapper, RejectsATargetOfTheWrongLength) {  // skel 12.15: types are checked by the compiler
  const Ints source = {1, 2, 3};
  Ints target = {0, 0};
  const Status status =
      mapper("ABC", "BCD").remap<int>(std::span<const int>(source), std::span<int>(target));
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::size_mismatch);
  EXPECT_EQ(target, (Ints{0, 0}));
}

TEST(AnimMapper, RejectsElementsOfNoSize) {
  const Ints source = {1};
  Ints target;
  EXPECT_FALSE(
      mapper("AB", "BA").remap<int>(std::span<const int>(source), std::span<int>(target), 0));
}

TEST(AnimMapper, TellsIdentitySparseAndNullApart) {  // skel 12.81
  struct Row {
    const char* source;
    const char* target;
    bool identity;
    bool sparse;
    bool null;
  };
  const Row rows[] = {
      {"ABC", "ABC", true, false, false},  {"ABC", "DEABC", false, true, false},
      {"ABC", "DABC", false, true, false}, {"ABC", "AB", false, false, false},
      {"ABC", "CAB", false, false, false}, {"ABC", "XYZ", false, true, false},
      {"ABC", "", false, true, true},      {"", "ABC", false, true, true},
  };
  for (const Row& row : rows) {
    const AnimMapper map = mapper(row.source, row.target);
    EXPECT_EQ(map.is_identity(), row.identity) << row.source << " to " << row.target;
    EXPECT_EQ(map.is_sparse(), row.sparse) << row.source << " to " << row.target;
    EXPECT_EQ(map.is_null(), row.null) << row.source << " to " << row.target;
  }
}

TEST(AnimMapper, ComparesNamesAsWritten) {
  const std::vector<std::string> plain = {"A"};
  const std::vector<std::string> absolute = {"/A"};
  EXPECT_TRUE(AnimMapper(plain, absolute).is_sparse());
}

TEST(AnimMapper, SpillsSurplusValuesBehindARun) {
  EXPECT_EQ(remap(mapper("AB", "ABCD"), {1, 2, 3}), (Ints{1, 2, 3, 0}));
}

TEST(RemapTransforms, FillsWithIdentity) {
  const std::vector<Matrix4d> source = {2.0 * Matrix4d::Identity()};
  std::vector<Matrix4d> target;
  remap_transforms(mapper("B", "AB"), source, target);
  ASSERT_EQ(target.size(), 2U);
  EXPECT_EQ(target[0], Matrix4d(Matrix4d::Identity()));
  EXPECT_EQ(target[1], source[0]);
}

TEST(AnimMapper, CopiesNothingWhereOrdersAreTheSame) {
  const Ints source = {1, 2, 3};
  Ints storage;
  const auto same = mapper("ABC", "ABC").remapped<int>(source, storage);
  EXPECT_EQ(same.data(), source.data());
  EXPECT_EQ(same.size(), 3U);
  EXPECT_TRUE(storage.empty());
}

TEST(AnimMapper, CopiesIntoStorageWhereOrdersDiffer) {
  const Ints source = {1, 2, 3};
  Ints storage;
  const auto moved = mapper("ABC", "CDAB").remapped<int>(source, storage, 7);
  EXPECT_EQ(moved.data(), storage.data());
  EXPECT_THAT(storage, ElementsAre(3, 7, 1, 2));
}

TEST(AnimMapper, FillsWhatItCanOfARunFromAShortSource) {
  EXPECT_EQ(remap(mapper("XABC", "ABC"), {9, 1, 2}, {4, 5, 6}), (Ints{1, 2, 6}));
  EXPECT_EQ(remap(mapper("ABCX", "CAB"), {1}, {4, 5, 6}), (Ints{4, 1, 6}));
}

TEST(AnimMapper, LetsLaterSourcesWin) {
  EXPECT_EQ(remap(mapper("ABA", "XAB"), {1, 2, 3}), (Ints{0, 3, 2}));
}

// Against the definition, element by element.
TEST(AnimMapper, DoesWhatTheDefinitionSays) {
  std::mt19937 random(11);
  for (int round = 0; round < 2000; ++round) {
    const auto word = [&](std::size_t longest) {
      std::string result(random() % (longest + 1), ' ');
      for (char& c : result) c = static_cast<char>('A' + random() % 8);
      return result;
    };
    const std::string source_order = word(6);
    // Half of the targets contain the source, so that runs occur.
    const std::string target_order =
        round % 2 == 0 ? word(9) : word(3) + source_order.substr(0, random() % 7) + word(3);
    const AnimMapper map = mapper(source_order, target_order);
    Ints source(random() % (source_order.size() + 1));
    std::iota(source.begin(), source.end(), 100);

    Ints expected(target_order.size(), -1);
    const std::size_t run = target_order.find(source_order.substr(0, 1));
    const bool ordered = !source_order.empty() && run != std::string::npos &&
                         target_order.substr(run).starts_with(source_order);
    for (std::size_t i = 0; i < source.size(); ++i) {
      const std::size_t at = ordered ? run + i : target_order.rfind(source_order[i]);
      if (at != std::string::npos) expected[at] = source[i];
    }
    EXPECT_EQ(remap(map, source, Ints(target_order.size(), -1)), expected)
        << source_order << " to " << target_order;
  }
}

}  // namespace
}  // namespace sinew::skel::anim_mapper_test
