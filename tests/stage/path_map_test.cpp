// SPDX-License-Identifier: Apache-2.0
#include "stage/path_map.hpp"

#include <gtest/gtest.h>

namespace sinew::stage {
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

}  // namespace
}  // namespace sinew::stage
