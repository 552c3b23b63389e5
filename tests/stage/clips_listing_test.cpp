// SPDX-License-Identifier: Apache-2.0
// Value clips: samples at jumps, time codes, classes, and reads at listed times.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "stage/support.hpp"

namespace sinew::stage::clips_listing_test {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;

constexpr double kBeforeJump = 4.440892098500626e-09;

std::string model(const std::string& set) {
  return "def \"M\" (clips = { dictionary default = { string primPath = \"/C\"\n" + set +
         "\n} }) {\ndouble x\ntimecode t\nint i\n}\n";
}

StagePtr open(const std::string& root, const char* clip, const char* other = "") {
  Diagnostics diagnostics;
  return open_layers({{"root.usda", root.c_str()}, {"a.usda", clip}, {"b.usda", other}},
                     diagnostics);
}

constexpr const char* kClip =
    "def \"C\" { double x.timeSamples = { 0: 1, 5: 3, 10: 8 }; timecode t.timeSamples = { 0: 1, "
    "10: 8 }; }\n";

TEST(ClipListing, HasASampleJustBeforeAJump) {
  const StagePtr stage = open(model("asset[] assetPaths = [@a.usda@]\n"
                                    "double2[] active = [(0, 0)]\n"
                                    "double2[] times = [(0, 0), (10, 10), (10, 0), (20, 10)]"),
                              kClip);
  const Attribute x = stage->prim("/M").attribute("x");
  EXPECT_THAT(x.time_samples(), ElementsAre(0, 5, DoubleEq(10 - kBeforeJump), 10, 15, 20));
  EXPECT_NEAR(*x.get<double>(10 - kBeforeJump), 8 - kBeforeJump, 1e-12);
  EXPECT_EQ(x.get<double>(10), 1.0);
  EXPECT_NEAR(*x.get<double>(7.5), 5.5, 1e-6);
}

TEST(ClipListing, BeforeAJumpAHeldValueIsNotYetThatOfTheSampleAtTheJump) {
  const StagePtr stage = open(model("asset[] assetPaths = [@a.usda@]\n"
                                    "double2[] active = [(0, 0)]\n"
                                    "double2[] times = [(0, 0), (10, 10), (10, 0), (20, 10)]"),
                              "def \"C\" { int i.timeSamples = { 0: 1, 5: 3, 10: 8 }; }\n");
  const Attribute i = stage->prim("/M").attribute("i");
  ASSERT_EQ(i.time_sample_count(), 6u);
  EXPECT_EQ(i.get<std::int32_t>(i.time_samples()[2]), 3);
  EXPECT_EQ(i.get<std::int32_t>(10), 1);
}

TEST(ClipListing, AJumpWhereClipsChangeBelongsToTheEarlierOne) {
  const StagePtr stage = open(model("asset[] assetPaths = [@a.usda@, @b.usda@]\n"
                                    "double2[] active = [(0, 0), (10, 1)]\n"
                                    "double2[] times = [(0, 0), (10, 10), (10, 0), (20, 10)]"),
                              kClip, "def \"C\" { double x.timeSamples = { 0: 50 }; }\n");
  const Attribute x = stage->prim("/M").attribute("x");
  EXPECT_THAT(x.time_samples(), ElementsAre(0, 5, DoubleEq(10 - kBeforeJump), 10, 20));
  EXPECT_NEAR(*x.get<double>(10 - kBeforeJump), 8, 1e-6);
  EXPECT_EQ(x.get<double>(10), 50.0);
}

TEST(ClipListing, TimeCodesPassThroughTheTimesOfTheSet) {
  const StagePtr stage = open(model("asset[] assetPaths = [@a.usda@]\n"
                                    "double2[] active = [(0, 0)]\n"
                                    "double2[] times = [(0, 0), (10, 10), (10, 0), (20, 10)]"),
                              kClip);
  const Attribute t = stage->prim("/M").attribute("t");
  EXPECT_EQ(t.get<double>(0), 1.0);
  EXPECT_NEAR(*t.get<double>(10 - kBeforeJump), 8, 1e-6);
  EXPECT_EQ(t.get<double>(10), 11.0);
  EXPECT_EQ(t.get<double>(20), 18.0);
}

TEST(ClipListing, ASetOfAClassServesChildrenThatAReferenceBrings) {
  const std::string root =
      "class \"Moves\" (clips = { dictionary default = { string primPath = \"/C\"\n"
      "asset[] assetPaths = [@a.usda@]\ndouble2[] active = [(0, 0)]\n} }) {}\n"
      "def \"Arm\" (inherits = </Moves>\nreferences = @b.usda@</R>) {}\n";
  const StagePtr stage =
      open(root,
           "def \"C\" { double x.timeSamples = { 0: 5 }; def \"Hand\" { def \"Tip\" { double "
           "y.timeSamples = { 0: 7 }; }\n}\n}\n",
           "def \"R\" { double x = 1; def \"Hand\" { def \"Tip\" { double y = 2; }\n}\n}\n");
  EXPECT_EQ(stage->prim("/Arm").attribute("x").get<double>(0), 5.0);
  EXPECT_EQ(stage->prim("/Arm/Hand/Tip").attribute("y").get<double>(0), 7.0);
  EXPECT_EQ(stage->prim("/Arm/Hand/Tip").attribute("y").get<double>(), 2.0);
}

TEST(ClipListing, ATemplateMayStepByLessThanOne) {
  const StagePtr stage = [] {
    Diagnostics diagnostics;
    const std::string root = model(
        "string templateAssetPath = \"w.##.#.usda\"\ndouble templateStartTime = 1\n"
        "double templateEndTime = 2\ndouble templateStride = 0.5");
    return open_layers({{"root.usda", root.c_str()},
                        {"w.01.0.usda", "def \"C\" { double x.timeSamples = { 1: 10 }; }\n"},
                        {"w.01.5.usda", "def \"C\" { double x.timeSamples = { 1.5: 15 }; }\n"},
                        {"w.02.0.usda", "def \"C\" { double x.timeSamples = { 2: 20 }; }\n"}},
                       diagnostics);
  }();
  const Attribute x = stage->prim("/M").attribute("x");
  EXPECT_THAT(x.time_samples(), ElementsAre(1, 1.5, 2));
  EXPECT_EQ(x.get<double>(1.5), 15.0);
  EXPECT_EQ(x.get<double>(2), 20.0);
}

// A template of w.1 to w.9, of which w.1, w.5 and w.9 are there.
StagePtr open_template(const std::string& entries) {
  Diagnostics diagnostics;
  const std::string root = model("string templateAssetPath = \"w.#.usda\"\n" + entries);
  return open_layers({{"root.usda", root.c_str()},
                      {"w.1.usda", "def \"C\" { double x.timeSamples = { 1: 10 }; }\n"},
                      {"w.5.usda", "def \"C\" { double x.timeSamples = { 5: 50 }; }\n"},
                      {"w.9.usda", "def \"C\" { double x.timeSamples = { 9: 90 }; }\n"}},
                     diagnostics);
}

TEST(ClipListing, ATemplateWithAnActiveOffsetHasAPairBeforeItsStartAndOneAfterItsEnd) {
  const StagePtr later = open_template(
      "double templateStartTime = 0\ndouble templateEndTime = 10\n"
      "double templateStride = 1\ndouble templateActiveOffset = 0.5");
  EXPECT_THAT(later->prim("/M").attribute("x").time_samples(),
              ElementsAre(-0.5, 1, 1.5, 5, 5.5, 9, 9.5, 10.5));
  const StagePtr earlier = open_template(
      "double templateStartTime = 1\ndouble templateEndTime = 10\n"
      "double templateStride = 4\ndouble templateActiveOffset = -1");
  EXPECT_THAT(earlier->prim("/M").attribute("x").time_samples(), ElementsAre(0, 1, 4, 5, 8, 9, 11));
}

TEST(ClipListing, AnActiveOffsetOfZeroIsAJumpAtEitherEndOfATemplate) {
  const StagePtr stage = open_template(
      "double templateStartTime = 1\ndouble templateEndTime = 9\n"
      "double templateStride = 4\ndouble templateActiveOffset = 0");
  EXPECT_THAT(stage->prim("/M").attribute("x").time_samples(),
              ElementsAre(DoubleEq(1 - kBeforeJump), 1, 5, DoubleEq(9 - kBeforeJump), 9));
}

// Held samples of a clip, under any offset of the layer that places it: each listed time gives the
// sample that stands there.
TEST(ClipListing, AListedTimeGivesItsSampleUnderAnyOffset) {
  std::mt19937 random(3);
  for (int round = 0; round < 100; ++round) {
    const auto number = [&](double low, double high) {
      return std::uniform_real_distribution<double>(low, high)(random);
    };
    std::string samples;
    double time = 0.0;
    for (int i = 0; i < 6; ++i) {
      char text[64];
      std::snprintf(text, sizeof text, "%.17g: %d, ", time, i);
      samples += text;
      time += number(0.1, 3.0);
    }
    char offset[96];
    std::snprintf(offset, sizeof offset, "(offset = %.17g; scale = %.17g)", number(-50, 50),
                  number(0.01, 40));
    const std::string root = std::string("(subLayers = [@b.usda@ ") + offset + "])\n";
    const std::string clip = "def \"C\" { int i.timeSamples = { " + samples + "}\n}\n";
    const std::string weak = model(
        "asset[] assetPaths = [@a.usda@]\ndouble2[] active = [(0, 0)]\n"
        "double2[] times = [(0, 0), (100, 100)]\n");
    const StagePtr stage = open(root, clip.c_str(), weak.c_str());
    const Attribute i = stage->prim("/M").attribute("i");
    const std::vector<double> times = i.time_samples();
    ASSERT_EQ(times.size(), 7u);  // One at the end of `times`.
    for (std::size_t k = 0; k < 6; ++k) {
      EXPECT_EQ(i.get<std::int32_t>(times[k]), static_cast<std::int32_t>(k));
    }
  }
}

// Offsets move when clips are active. What time it is in a clip is for `times` to say; without them
// it is the time on the stage.
TEST(ClipListing, WithoutTimesClipsHaveTheTimeOfTheStage) {
  const std::string clips = model(
      "asset[] assetPaths = [@a.usda@, @b.usda@]\n"
      "double2[] active = [(0, 0), (5, 1)]");
  Diagnostics diagnostics;
  const StagePtr stage =
      open_layers({{"root.usda",
                    "def \"Slow\" (references = @model.usda@</M> (offset = 3; scale = 2)) {}\n"
                    "def \"Same\" (references = @model.usda@</M>) {}\n"
                    "def \"Fast\" (references = @model.usda@</M> (scale = 0.5)) {}\n"},
                   {"model.usda", clips.c_str()},
                   {"a.usda", "def \"C\" {\ndouble x.timeSamples = { 4: 1, 7: 2, 20: 5 }\n}\n"},
                   {"b.usda", "def \"C\" {\ndouble x.timeSamples = { 4: 30, 14: 40 }\n}\n"}},
                  diagnostics);
  ASSERT_NE(stage, nullptr);
  const auto x_of = [&](const char* prim) { return stage->prim(prim).attribute("x"); };
  EXPECT_THAT(x_of("/Same").time_samples(), ElementsAre(0, 4, 5, 14));
  EXPECT_THAT(x_of("/Slow").time_samples(), ElementsAre(3, 4, 7, 13, 14));
  EXPECT_EQ(x_of("/Slow").get<double>(7), 2.0);
  EXPECT_EQ(x_of("/Slow").get<double>(14), 40.0);
  EXPECT_THAT(x_of("/Fast").time_samples(), ElementsAre(0, 2.5, 4, 14));
  EXPECT_EQ(x_of("/Fast").get<double>(4), 30.0);
}

// Times that say nothing are none, whatever the offset.
TEST(ClipListing, WithEmptyTimesOrTimesOfAnotherTypeClipsHaveTheTimeOfTheStage) {
  for (const char* times : {"double2[] times = []", "int[] times = []", "double times = 3"}) {
    SCOPED_TRACE(times);
    const std::string clips = model(
        std::string("asset[] assetPaths = [@a.usda@]\ndouble2[] active = [(0, 0)]\n") + times);
    Diagnostics diagnostics;
    const StagePtr stage = open_layers(
        {{"root.usda", "def \"Slow\" (references = @model.usda@</M> (offset = 3; scale = 2)) {}\n"},
         {"model.usda", clips.c_str()},
         {"a.usda", "def \"C\" {\ndouble x.timeSamples = { 4: 1, 7: 2 }\n}\n"}},
        diagnostics);
    const Attribute x = stage->prim("/Slow").attribute("x");
    EXPECT_THAT(x.time_samples(), ElementsAre(3, 4, 7));
    EXPECT_EQ(x.get<double>(7), 2.0);
  }
}

TEST(ClipListing, ATimeCodeOfAClipThatIsHeldIsTheTimeFromWhichItIs) {
  const StagePtr stage = open(model("asset[] assetPaths = [@a.usda@]\n"
                                    "double2[] active = [(0, 0)]\n"
                                    "double2[] times = [(2, 5), (10, 5)]"),
                              "def \"C\" { timecode t.timeSamples = { 5: 7 }; }\n");
  EXPECT_EQ(stage->prim("/M").attribute("t").get<double>(4), 2.0);
}

}  // namespace
}  // namespace sinew::stage::clips_listing_test
