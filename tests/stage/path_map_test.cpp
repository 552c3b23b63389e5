// SPDX-License-Identifier: Apache-2.0
#include "stage/path_map.hpp"

#include <gtest/gtest.h>

#include <set>
#include <utility>
#include <vector>

#include "support/random.hpp"

namespace sinew::stage::path_map_test {
namespace {

using layer::Path;

Path path(const char* text) {
  return *Path::parse(text);
}

TEST(PathMap, TheMostSpecificPairDecides) {
  const PathMap map({{path("/A"), path("/X")}, {path("/A/B"), path("/Y")}}, false);
  EXPECT_EQ(map.to_target(path("/A/C")), path("/X/C"));
  EXPECT_EQ(map.to_target(path("/A/B/C")), path("/Y/C"));
  EXPECT_TRUE(map.to_target(path("/Z")).empty());
}

TEST(PathMap, WhatWouldLandInAnotherPairsTargetHasNoPlace) {
  const PathMap map(path("/Class"), path("/Instance"), true);
  EXPECT_EQ(map.to_target(path("/Class/P")), path("/Instance/P"));
  EXPECT_EQ(map.to_target(path("/Other")), path("/Other"));
  EXPECT_TRUE(map.to_target(path("/Instance/P")).empty());
}

TEST(PathMap, MapsBackWhatItMaps) {
  const PathMap map({{path("/A"), path("/X")}, {path("/A/B"), path("/X/C/D")}}, true);
  for (const char* text : {"/A", "/A/B", "/A/B/E", "/A/Q", "/Other"}) {
    EXPECT_EQ(map.to_source(map.to_target(path(text))), path(text)) << text;
  }
}

TEST(PathMap, CompositionDoesWhatItsStepsDo) {
  const PathMap inner({{path("/R/S"), path("/C/L")}, {path("/R/S/B"), path("/C/Anim/L")}}, true);
  const PathMap outer({{path("/C"), path("/F/C")}, {path("/C/Anim/L"), path("/F/Eyes/L")}}, false);
  const PathMap both = outer.after(inner);
  for (const char* text : {"/R/S", "/R/S/B", "/R/S/B/X", "/C/L", "/C/Q", "/Other"}) {
    EXPECT_EQ(both.to_target(path(text)), outer.to_target(inner.to_target(path(text)))) << text;
  }
}

// What had no place between the two steps may have one where they lead to together.
TEST(PathMap, CompositionIsOneFunctionAndNotItsStepsInTurn) {
  const PathMap there(path("/A"), path("/D"), true);
  const PathMap both = there.after(PathMap(path("/E"), path("/A/K"), true)).after(there.inverse());
  EXPECT_TRUE(there.inverse().to_target(path("/A")).empty());
  EXPECT_EQ(both.to_target(path("/A")), path("/A"));
  EXPECT_EQ(both.to_target(path("/E/x")), path("/D/K/x"));
}

// `inner` brings /R/S/B to /C/Anim/L, so that what is there already has no place. `outer` takes it
// on from there to /F/Eyes/L: nothing stands in the way at /F/C/Anim/L, where /C leads.
TEST(PathMap, CompositionFreesThePlaceThatIsLeftAgain) {
  const PathMap inner({{path("/R/S"), path("/C/L")}, {path("/R/S/B"), path("/C/Anim/L")}}, true);
  const PathMap outer({{path("/C"), path("/F/C")}, {path("/C/Anim/L"), path("/F/Eyes/L")}}, false);
  const PathMap both = outer.after(inner);
  EXPECT_TRUE(inner.to_target(path("/C/Anim/L")).empty());
  EXPECT_EQ(both.to_target(path("/R/S/B")), path("/F/Eyes/L"));
  EXPECT_EQ(both.to_target(path("/C/Anim/L")), path("/F/C/Anim/L"));
  EXPECT_EQ(both.to_source(path("/F/C/Anim/L")), path("/C/Anim/L"));
}

// The same two maps, of which one says that it maps apart.
TEST(PathMap, InStepsMapsByBothMapsInTurn) {
  const PathMap inner({{path("/R/S"), path("/C/L")}, {path("/R/S/B"), path("/C/Anim/L")}}, true);
  const PathMap outer({{path("/C"), path("/F/C")}, {path("/C/Anim/L"), path("/F/Eyes/L")}}, false);
  for (const PathMap& both : {outer.in_steps().after(inner), outer.after(inner.in_steps())}) {
    EXPECT_EQ(both, outer.after(inner));
    for (const char* text : {"/R/S", "/R/S/B", "/R/S/B/X", "/C/L", "/C/Anim/L", "/C/Q", "/Other"}) {
      const Path mapped = both.to_target(path(text));
      EXPECT_EQ(mapped, outer.to_target(inner.to_target(path(text)))) << text;
      EXPECT_EQ(both.to_source(mapped), mapped.empty() ? Path() : path(text)) << text;
      EXPECT_EQ(both.inverse().to_source(path(text)), mapped) << text;
    }
    EXPECT_TRUE(both.to_target(path("/C/Anim/L")).empty());
    EXPECT_TRUE(both.to_source(path("/F/C/Anim/L")).empty());
  }
  EXPECT_TRUE(PathMap().in_steps().is_identity());
}

TEST(PathMap, CompositionKeepsOutWhatTheOuterMapKeepsOut) {
  const PathMap inner({{path("/P"), path("/C/P")}, {path("/P/Q"), path("/Q")}}, false);
  const PathMap outer(path("/C"), path("/M"), false);
  EXPECT_EQ(outer.after(inner).to_target(path("/P/R")), path("/M/P/R"));
  EXPECT_TRUE(outer.after(inner).to_target(path("/P/Q")).empty());
}

// The rule as it is written, pair by pair.
Path mapped_by_rule(const std::vector<PathMap::Pair>& pairs, bool root_identity, const Path& path,
                    bool backwards) {
  const PathMap::Pair* best = nullptr;
  const auto from = [&](const PathMap::Pair& pair) { return backwards ? pair.second : pair.first; };
  const auto to = [&](const PathMap::Pair& pair) { return backwards ? pair.first : pair.second; };
  for (const PathMap::Pair& pair : pairs) {
    if (path.has_prefix(from(pair)) &&
        (best == nullptr || from(pair).view().size() > from(*best).view().size())) {
      best = &pair;
    }
  }
  if (best == nullptr && !root_identity) return {};
  const Path result = best == nullptr ? path : path.replace_prefix(from(*best), to(*best));
  const std::size_t reach = best == nullptr ? 0 : to(*best).view().size();
  for (const PathMap::Pair& pair : pairs) {
    if (to(pair).view().size() > reach && result.has_prefix(to(pair))) return {};
  }
  return result;
}

// Many pairs are searched, few are looked at one by one: both follow the rule. Names are such that
// one is the beginning of another, and that they come before and after separators.
TEST(PathMap, OfAnyNumberOfPairsFollowsTheRule) {
  test::Random random(7);
  const char* const names[] = {"a", "aa", "B", "b", "a_1", "\u00e9", "z"};
  const auto any_path = [&] {
    Path path = Path::root();
    for (int depth = random.between(1, 4); depth > 0; --depth)
      path = path.child(random.pick(names));
    return path;
  };
  int places = 0;
  for (const int count : {1, 5, 16, 17, 40, 90}) {
    for (int run = 0; run < 20; ++run) {
      std::vector<PathMap::Pair> pairs;
      std::set<Path> sources;
      std::set<Path> targets;
      while (static_cast<int>(pairs.size()) < count) {
        PathMap::Pair pair{any_path(), any_path()};
        if (sources.contains(pair.first) || targets.contains(pair.second)) continue;
        sources.insert(pair.first);
        targets.insert(pair.second);
        pairs.push_back(std::move(pair));
      }
      const bool root_identity = random.chance(50);
      const PathMap map(pairs, root_identity);
      for (int i = 0; i < 60; ++i) {
        const Path from = i % 3 == 0 ? any_path().child("x") : any_path();
        const Path there = map.to_target(from);
        EXPECT_EQ(there, mapped_by_rule(pairs, root_identity, from, false)) << from.view();
        EXPECT_EQ(map.to_source(from), mapped_by_rule(pairs, root_identity, from, true));
        if (there.empty()) continue;
        ++places;
        EXPECT_EQ(map.to_source(there), from);
      }
    }
  }
  EXPECT_GT(places, 1000);
}

TEST(PathMap, PairsThatSayNothingNewDoNotCount) {
  EXPECT_EQ(PathMap({{path("/A"), path("/X")}, {path("/A/B"), path("/X/B")}}, true),
            PathMap(path("/A"), path("/X"), true));
  EXPECT_TRUE(PathMap(path("/A"), path("/A"), true).is_identity());
}

TEST(PathMap, OffsetsComposeAndInvert) {
  const PathMap map(path("/A"), path("/B"), false, {10.0, 2.0});
  EXPECT_EQ(map.after(PathMap(path("/C"), path("/A"), false, {1.0, 0.5})).offset(),
            (layer::LayerOffset{12.0, 1.0}));
  EXPECT_EQ(map.inverse().offset(), (layer::LayerOffset{-5.0, 0.5}));
}

TEST(PathMap, EmptyTargetsCountWhereSomethingElseWouldHold) {
  const auto size = [](std::vector<PathMap::Pair> pairs, bool root_identity) {
    return PathMap(std::move(pairs), root_identity).size();
  };
  EXPECT_EQ(size({{path("/A"), Path()}}, true), 1u);
  EXPECT_EQ(size({{path("/A"), Path()}}, false), 0u);
  EXPECT_EQ(size({{path("/A"), path("/A")}}, false), 1u);
  EXPECT_EQ(size({{path("/A"), path("/X")}, {path("/A/B"), Path()}}, false), 2u);
  EXPECT_EQ(size({{path("/A"), Path()}, {path("/A/B"), Path()}}, true), 1u);
  const PathMap inside({{path("/A"), Path()}, {path("/A/B"), path("/Y")}}, true);
  EXPECT_EQ(inside.to_target(path("/A/B/c")), path("/Y/c"));
  EXPECT_TRUE(inside.to_target(path("/A/c")).empty());
  EXPECT_EQ(inside.to_target(path("/B")), path("/B"));
}

TEST(PathMap, InvertsWhatHasAPlaceOnly) {
  const PathMap map({{path("/A"), path("/X")}, {path("/A/B"), Path()}}, false);
  EXPECT_EQ(map.inverse().size(), 1u);
  EXPECT_EQ(map.inverse().to_target(path("/X/Q")), path("/A/Q"));
  EXPECT_TRUE(map.inverse().to_target(path("/Other")).empty());
  EXPECT_EQ(PathMap(path("/A"), path("/X"), true).inverse().to_target(path("/Other")),
            path("/Other"));
}

TEST(PathMap, DiffersByAnyOfItsParts) {
  const PathMap map(path("/A"), path("/B"), false, {1.0, 2.0});
  EXPECT_TRUE(map == PathMap(path("/A"), path("/B"), false, {1.0, 2.0}));
  EXPECT_TRUE(map == map.in_steps());
  EXPECT_FALSE(map == PathMap(path("/A"), path("/C"), false, {1.0, 2.0}));
  EXPECT_FALSE(map == PathMap(path("/A"), path("/B"), true, {1.0, 2.0}));
  EXPECT_FALSE(map == PathMap(path("/A"), path("/B"), false, {1.0, 1.0}));
}

TEST(PathMap, WithRootIdentityLeavesAllElseWhereItIs) {
  const PathMap map = PathMap(path("/A"), path("/B"), false, {1.0, 2.0}).with_root_identity();
  EXPECT_TRUE(map == PathMap(path("/A"), path("/B"), true, {1.0, 2.0}));
  EXPECT_EQ(map.to_target(path("/Other")), path("/Other"));
  EXPECT_TRUE(map.with_root_identity() == map);
  EXPECT_TRUE(PathMap(path("/A"), path("/A"), false).with_root_identity().is_identity());
}

TEST(PathMap, OfAClassIsImpliedToWhereItsHeirIs) {
  const PathMap inherits(path("/C"), path("/R"), true, {3.0, 1.0});
  const PathMap transfer({{path("/R"), path("/P")}, {path("/R/K"), path("/P/L")}}, true,
                         {5.0, 1.0});
  const PathMap implied = inherits.implied_by(transfer);
  EXPECT_EQ(implied.to_target(path("/C/Q")), path("/P/Q"));
  EXPECT_EQ(implied.to_target(path("/C/K/x")), path("/P/L/x"))
      << "What is moved below the heir is moved below its class.";
  EXPECT_EQ(implied.to_target(path("/Other")), path("/Other"));
  EXPECT_EQ(implied.offset(), (layer::LayerOffset{3.0, 1.0}));
  EXPECT_EQ(implied.size(), 2u);
}

TEST(PathMap, OfAClassIsImpliedAsItIsWhereNothingIsMoved) {
  const PathMap inherits(path("/C"), path("/R"), true);
  EXPECT_TRUE(inherits.implied_by(PathMap()) == inherits);
  EXPECT_TRUE(PathMap().implied_by(inherits).is_identity());
  EXPECT_TRUE(inherits.implied_by(PathMap(path("/R"), path("/P"), false)).is_identity())
      << "The class has no place there.";
  const PathMap blocked({{path("/C"), path("/R")}, {path("/C/X"), Path()}}, true);
  const PathMap implied = blocked.implied_by(PathMap(path("/R"), path("/P"), true));
  EXPECT_EQ(implied.to_target(path("/C/Y")), path("/P/Y"));
  EXPECT_TRUE(implied.to_target(path("/C/X")).empty());
}

}  // namespace
}  // namespace sinew::stage::path_map_test
