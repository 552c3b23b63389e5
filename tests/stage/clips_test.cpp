// SPDX-License-Identifier: Apache-2.0
// Value clips: what `clips` metadata says about attributes, and where that stands among the others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "stage/support.hpp"

namespace sinew::stage::clips_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Layers = std::initializer_list<std::pair<const char*, const char*>>;

constexpr double kNone = -99.0;  // No value.

// Two clips: x is 0 to 10 in `a`, and 100 to 110 in `b`, at clip times 0 to 10.
constexpr const char* kClipA = "def \"C\" { double x.timeSamples = { 0: 0, 10: 10 }; }\n";
constexpr const char* kClipB = "def \"C\" { double x.timeSamples = { 0: 100, 10: 110 }; }\n";

class ValueClips : public ::testing::Test {
 protected:
  void open(Layers layers, const OpenOptions& options = {}) {
    diagnostics_.clear();
    stage_ = open_layers(layers, diagnostics_, options);
    ASSERT_NE(stage_, nullptr);
    EXPECT_EQ(count(diagnostics_, Severity::error), 0u) << format(diagnostics_.front());
  }
  Attribute attribute(const char* prim = "/M", const char* name = "x") const {
    return stage_->prim(prim).attribute(name);
  }
  double x(Time time, const char* prim = "/M") const {
    if (!stage_->prim(prim)) return kNone;
    return attribute(prim).get<double>(time).value_or(kNone);
  }
  std::vector<double> x(std::initializer_list<Time> times, const char* prim = "/M") const {
    std::vector<double> values;
    for (const Time time : times) values.push_back(x(time, prim));
    return values;
  }
  std::vector<double> times(const char* prim = "/M") const {
    return attribute(prim).time_samples();
  }

  StagePtr stage_;
  Diagnostics diagnostics_;
};

// A prim /M with one clip set, whose entries are `set`, and an attribute x.
std::string model(const std::string& set, const std::string& properties = "double x") {
  return "def \"M\" (clips = { dictionary default = { string primPath = \"/C\"\n" + set +
         "\n} }) {\n" + properties + "\n}\n";
}

TEST_F(ValueClips, GiveTheSamplesOfTheActiveClip) {
  const std::string root = model(
      "asset[] assetPaths = [@a.usda@, @b.usda@]\ndouble2[] active = [(0, 0), (4, 1), (8, 0)]");
  open({{"root.usda", root.c_str()}, {"a.usda", kClipA}, {"b.usda", kClipB}});
  EXPECT_THAT(times(), ElementsAre(0, 4, 8, 10));
  EXPECT_THAT(x({Time(), -5, 0, 4, 8, 9, 20}), ElementsAre(kNone, 0, 0, 104, 8, 9, 10));
  EXPECT_EQ(attribute().source(1), ValueSource::value_clips);
  EXPECT_EQ(attribute().source(), ValueSource::none);
  EXPECT_EQ(attribute().time_sample_count(), 4u);
  EXPECT_TRUE(attribute().might_be_time_varying());
  EXPECT_TRUE(attribute().has_authored_value());
  EXPECT_THAT(diagnostics_, IsEmpty());
}

TEST_F(ValueClips, InterpolateBetweenSampleTimesAcrossClips) {
  const std::string root =
      model("asset[] assetPaths = [@a.usda@, @b.usda@]\ndouble2[] active = [(0, 0), (4, 1)]");
  open({{"root.usda", root.c_str()}, {"a.usda", kClipA}, {"b.usda", kClipB}});
  EXPECT_THAT(times(), ElementsAre(0, 4, 10));
  EXPECT_THAT(x({2, 5, 7}), ElementsAre(52, 105, 107));  // From 0 at 0 to 104 at 4.
  OpenOptions held;
  held.interpolation = Interpolation::held;
  open({{"root.usda", root.c_str()}, {"a.usda", kClipA}, {"b.usda", kClipB}}, held);
  EXPECT_THAT(x({2, 4, 7, 10}), ElementsAre(0, 100, 100, 110));
}

TEST_F(ValueClips, StandBelowTheLayerThatNamesThemAndAboveWeakerOnes) {
  const std::string own =
      model("asset[] assetPaths = [@a.usda@]\ndouble2[] active = [(0, 0)]",
            "double x\ndouble y = 7\ndouble z.timeSamples = { 3: 8 }\ndouble w");
  const std::string root =
      "(subLayers = [@own.usda@, @weak.usda@])\nover \"M\" { double w = 5; }\n";
  open({{"root.usda", root.c_str()},
        {"own.usda", own.c_str()},
        {"weak.usda", "over \"M\" { double x.timeSamples = { 1: 50 }; }\n"},
        {"a.usda",
         "def \"C\" { double w.timeSamples = { 0: 1 }\ndouble x.timeSamples = { 0: 2 }\n"
         "double y.timeSamples = { 0: 3 }\ndouble z.timeSamples = { 0: 4 }; }\n"}});
  EXPECT_EQ(attribute("/M", "w").get<double>(0), 5);  // Stronger layer.
  EXPECT_EQ(x(0), 2);
  EXPECT_THAT(times(), ElementsAre(0));
  EXPECT_EQ(attribute("/M", "y").get<double>(0), 7);  // The layer itself.
  EXPECT_EQ(attribute("/M", "z").get<double>(0), 8);
}

TEST_F(ValueClips, ReachDescendantsThatOnlyAReferenceHas) {
  const std::string root =
      "def \"M\" (references = @ref.usda@</R>\nclips = { dictionary default = {\n"
      "string primPath = \"/C\"\nasset[] assetPaths = [@a.usda@]\ndouble2[] active = [(0, 0)]\n} "
      "}) {\nover \"K\" {}\n}\n";
  open({{"root.usda", root.c_str()},
        {"ref.usda",
         "def \"R\" { double x = 1\ndef \"K\" { double x = 2; }\n"
         "def \"L\" { double x.timeSamples = { 3: 4 }\ndef \"P\" { double x = 1; }\n}\n}\n"},
        {"a.usda",
         "def \"C\" { double x.timeSamples = { 0: 10 }\n"
         "def \"K\" { double x.timeSamples = { 0: 11 }; }\n"
         "def \"L\" { double x.timeSamples = { 0: 12 }; }\n}\n"}});
  EXPECT_THAT(x({Time(), 0}), ElementsAre(1, 10));
  EXPECT_THAT(x({Time(), 0}, "/M/K"), ElementsAre(2, 11));
  EXPECT_THAT(x({Time(), 0}, "/M/L"), ElementsAre(kNone, 12));
  EXPECT_EQ(x(0, "/M/L/P"), 1);  // The clip has no such prim.
}

TEST_F(ValueClips, OfAReferencedAssetAreWeakerThanTheScene) {
  const std::string asset = model(
      "asset[] assetPaths = [@a.usda@]\ndouble2[] active = [(0, 0)]\n"
      "double2[] times = [(0, 0), (10, 10)]",
      "double x\ndouble y\n");
  const std::string root =
      "def \"A\" (references = @dir/asset.usda@</M> (offset = 100; scale = 2)) { double y = 3; }\n";
  open({{"root.usda", root.c_str()},
        {"dir/asset.usda", asset.c_str()},
        {"dir/a.usda",
         "def \"C\" { double x.timeSamples = { 0: 0, 10: 10 }\n"
         "double y.timeSamples = { 0: 9 }; }\n"}});
  EXPECT_THAT(times("/A"), ElementsAre(100, 120));
  EXPECT_THAT(x({100, 105, 130}, "/A"), ElementsAre(0, 2.5, 10));
  EXPECT_EQ(attribute("/A", "y").get<double>(0), 3);
}

TEST_F(ValueClips, ApplyOnlyToVaryingAttributesOfTheManifest) {
  const std::string root = model(
      "asset[] assetPaths = [@a.usda@]\ndouble2[] active = [(0, 0)]\nasset manifestAssetPath = "
      "@m.usda@",
      "double x\ndouble y.timeSamples = { 5: 6 }\ndouble z = 1");
  open({{"root.usda", root.c_str()},
        {"m.usda", "def \"C\" { double x\nuniform double z; }\n"},
        {"a.usda",
         "def \"C\" { double x.timeSamples = { 0: 1 }\ndouble y.timeSamples = { 0: 2 }\n"
         "uniform double z.timeSamples = { 0: 3 }; }\n"}});
  EXPECT_EQ(x(0), 1);
  EXPECT_EQ(attribute("/M", "y").get<double>(0), 6);
  EXPECT_EQ(attribute("/M", "z").get<double>(0), 1);
}

TEST_F(ValueClips, TakeWhatAClipCallsUniformWhereTheManifestDoesNot) {
  const std::string root = model(
      "asset[] assetPaths = [@a.usda@]\ndouble2[] active = [(0, 0)]\nasset manifestAssetPath = "
      "@m.usda@");
  open({{"root.usda", root.c_str()},
        {"m.usda", "def \"C\" { double x; }\n"},
        {"a.usda", "def \"C\" { uniform double x.timeSamples = { 0: 1 }; }\n"}});
  EXPECT_EQ(x(0), 1);
}

TEST_F(ValueClips, FollowTheFirstClipWithSamplesInWhatIsUniformIfThereIsNoManifest) {
  const char* uniform = "def \"C\" { uniform double x.timeSamples = { 0: 1 }; }\n";
  const char* unsampled = "def \"C\" { uniform double x = 1; }\n";
  const auto value = [&](const char* first, const char* second) {
    const std::string root =
        model("asset[] assetPaths = [@b.usda@, @a.usda@]\ndouble2[] active = [(5, 0), (0, 1)]");
    open({{"root.usda", root.c_str()}, {"a.usda", first}, {"b.usda", second}});
    return x(5);
  };
  EXPECT_EQ(value(uniform, kClipB), kNone);
  EXPECT_EQ(value(kClipA, uniform), 1);
  EXPECT_EQ(value(unsampled, kClipB), 105);
}

TEST_F(ValueClips, BlockWhatAClipLacks) {
  const std::string root = model(
      "asset[] assetPaths = [@a.usda@, @e.usda@]\ndouble2[] active = [(0, 0), (4, 1), (8, 0)]");
  open({{"root.usda", root.c_str()}, {"a.usda", kClipA}, {"e.usda", "def \"C\" {}\n"}});
  EXPECT_THAT(times(), ElementsAre(0, 4, 8, 10));
  EXPECT_THAT(x({0, 3, 4, 6, 8}), ElementsAre(0, 0, kNone, kNone, 8));
}

TEST_F(ValueClips, TakeADefaultOfTheManifestWhereAClipLacksSamples) {
  const std::string root = model(
      "asset[] assetPaths = [@a.usda@, @e.usda@]\ndouble2[] active = [(0, 0), (4, 1), (8, 0)]\n"
      "asset manifestAssetPath = @m.usda@\nbool interpolateMissingClipValues = true");
  open({{"root.usda", root.c_str()},
        {"a.usda", kClipA},
        {"e.usda", "def \"C\" { double x = 3; }\n"},
        {"m.usda", "def \"C\" { double x = 20; }\n"}});
  EXPECT_THAT(times(), ElementsAre(0, 4, 8, 10));
  EXPECT_THAT(x({Time(), 4, 6, 8}), ElementsAre(kNone, 20, 14, 8));
}

TEST_F(ValueClips, AreBlockedByABlockInTheManifestWhereAClipLacksSamples) {
  const std::string root = model(
      "asset[] assetPaths = [@a.usda@, @e.usda@]\ndouble2[] active = [(0, 0), (4, 1), (8, 0)]\n"
      "asset manifestAssetPath = @m.usda@\nbool interpolateMissingClipValues = true");
  open({{"root.usda", root.c_str()},
        {"a.usda", kClipA},
        {"e.usda", "def \"C\" {}\n"},
        {"m.usda", "def \"C\" { double x = None; }\n"}});
  EXPECT_THAT(times(), ElementsAre(0, 4, 8, 10));
  EXPECT_THAT(x({0, 4, 6, 8}), ElementsAre(0, kNone, kNone, 8));
}

TEST_F(ValueClips, LackSamplesWhereABlockInTheManifestSaysSo) {
  const std::string set =
      "asset[] assetPaths = [@a.usda@, @b.usda@]\ndouble2[] active = [(0, 0), (4, 1), (8, 0)]\n"
      "asset manifestAssetPath = @m.usda@";
  const char* const manifest = "def \"C\" { double x.timeSamples = { 0: 1, 4: None, 7: None }; }\n";
  const std::string asked = model(set + "\nbool interpolateMissingClipValues = true");
  open(
      {{"root.usda", asked.c_str()}, {"a.usda", kClipA}, {"b.usda", kClipB}, {"m.usda", manifest}});
  EXPECT_THAT(times(), ElementsAre(0, 8, 10));
  EXPECT_THAT(x({0, 4, 6, 8, 10}), ElementsAre(0, 4, 6, 8, 10));
  // Where missing values are not asked for it says nothing.
  const std::string plain = model(set);
  open(
      {{"root.usda", plain.c_str()}, {"a.usda", kClipA}, {"b.usda", kClipB}, {"m.usda", manifest}});
  EXPECT_THAT(times(), ElementsAre(0, 4, 8, 10));
  EXPECT_EQ(x(4), 104);
}

TEST_F(ValueClips, InterpolateOverClipsThatLackSamplesIfAsked) {
  const std::string set =
      "asset[] assetPaths = [@e.usda@, @a.usda@, @b.usda@]\n"
      "double2[] active = [(0, 0), (10, 1), (20, 0), (30, 0), (40, 2), (50, 0)]\n"
      "double2[] times = [(0, 0), (10, 0), (20, 10), (40, 0), (50, 10), (60, 10)]\n"
      "asset manifestAssetPath = @m.usda@\nbool interpolateMissingClipValues = true";
  const std::string root = model(set, "double x\ndouble nowhere");
  open({{"root.usda", root.c_str()},
        {"a.usda", kClipA},
        {"b.usda", kClipB},
        {"e.usda", "def \"C\" {}\n"},
        {"m.usda", "def \"C\" { double x\ndouble nowhere; }\n"}});
  EXPECT_THAT(times(), ElementsAre(10, 40));
  // The first value before; between 10 (value 0) and 40 (value 100); the last after.
  EXPECT_THAT(x({0, 10, 25, 31, 40}), ElementsAre(0, 0, 50, 70, 100));
  EXPECT_EQ(x(55), 100);
  const Attribute nowhere = attribute("/M", "nowhere");
  EXPECT_THAT(nowhere.time_samples(), ElementsAre(0));
  EXPECT_FALSE(nowhere.value(15).has_value());
}

TEST_F(ValueClips, MapTimesPiecewiseAndHoldBeyondThem) {
  const std::string root = model(
      "asset[] assetPaths = [@a.usda@]\ndouble2[] active = [(-10, 0)]\n"
      "double2[] times = [(0, 2), (16, 10), (20, 10), (30, 0)]");
  open({{"root.usda", root.c_str()},
        {"a.usda", "def \"C\" { double x.timeSamples = { 0: 0, 4: 4, 10: 10, 20: 20 }; }\n"}});
  EXPECT_THAT(times(), ElementsAre(-10, 0, 4, 16, 20, 26, 30));
  EXPECT_THAT(x({-20, 0, 2, 4, 8, 18, 26, 28, 50}), ElementsAre(2, 2, 3, 4, 6, 10, 4, 2, 0));
}

TEST_F(ValueClips, JumpWhereAStageTimeIsRepeated) {
  const std::string root = model(
      "asset[] assetPaths = [@a.usda@]\ndouble2[] active = [(0, 0)]\n"
      "double2[] times = [(0, 0), (10, 10), (10, 2), (14, 6)]");
  open({{"root.usda", root.c_str()}, {"a.usda", kClipA}});
  EXPECT_THAT(times(), ElementsAre(0, testing::DoubleNear(10, 1e-8), 10, 14));
  EXPECT_THAT(x({0, 9, 9.75, 10, 12, 14, 20}),
              ElementsAre(0, testing::DoubleEq(9), testing::DoubleEq(9.75), 2, 4, 6, 6));
}

TEST_F(ValueClips, HoldInTheOrderOfTheStageWhenPlayedBackwards) {
  const std::string root = model(
      "asset[] assetPaths = [@a.usda@]\ndouble2[] active = [(0, 0)]\ndouble2[] times = [(0, 9), "
      "(3, "
      "0)]",
      "token x");
  open({{"root.usda", root.c_str()},
        {"a.usda",
         "def \"C\" { token x.timeSamples = { 0: \"a\", 3: \"b\", 6: \"c\", 9: \"d\" }; }\n"}});
  EXPECT_THAT(times(), ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(attribute().get_text(0.5), "d");
  EXPECT_EQ(attribute().get_text(1), "c");
  EXPECT_EQ(attribute().get_text(1.5), "c");
  EXPECT_EQ(attribute().get_text(2.5), "b");
  EXPECT_EQ(attribute().get_text(3), "a");
}

TEST_F(ValueClips, ShowAHeldSampleAtItsMappedTimeDespiteRounding) {
  const std::string root = model(
      "asset[] assetPaths = [@a.usda@]\ndouble2[] active = [(0, 0)]\n"
      "double2[] times = [(0.1, 0), (0.7, 7.3)]",
      "int x");
  open({{"root.usda", root.c_str()},
        {"a.usda",
         "def \"C\" { int x.timeSamples = { 0: 0, 1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6, "
         "7: 7 }; }\n"}});
  std::vector<std::int32_t> values;
  for (const double time : times()) values.push_back(*attribute().get<std::int32_t>(time));
  EXPECT_THAT(values, ElementsAre(0, 0, 1, 2, 3, 4, 5, 6, 7, 7));
}

TEST_F(ValueClips, FollowTheOffsetOfTheLayerThatStatesEachTime) {
  // `active` is in a layer shifted by 10, `times` in one shifted by 20 and twice as slow.
  open(
      {{"root.usda", "(subLayers = [@t.usda@ (offset = 20; scale = 2), @m.usda@ (offset = 10)])\n"},
       {"t.usda",
        "over \"M\" (clips = { dictionary default = {\n"
        "double2[] times = [(0, 0), (10, 10)]\n} }) {}\n"},
       {"m.usda",
        "def \"M\" (clips = { dictionary default = {\nstring primPath = \"/C\"\n"
        "asset[] assetPaths = [@a.usda@]\ndouble2[] active = [(0, 0)]\n} }) {\n"
        "double x\ntimecode t\n}\n"},
       {"a.usda",
        "def \"C\" { double x.timeSamples = { 0: 0, 5: 50, 10: 60 }\n"
        "timecode t.timeSamples = { 0: 3 }; }\n"}});
  EXPECT_THAT(times(), ElementsAre(10, 20, 30, 40));
  EXPECT_THAT(x({20, 25, 30, 40}), ElementsAre(0, 25, 50, 60));
  // 3 in the clip is 16 in the set, whose times start at 10 and run half as fast.
  EXPECT_EQ(attribute("/M", "t").get<double>(0), 26);
}

TEST_F(ValueClips, FollowTheOffsetOfAStrongerLayerThatNamesTheClipsAgain) {
  open({{"root.usda",
         "(subLayers = [@m.usda@ (offset = 100)])\n"
         "over \"M\" (clips = { dictionary default = { asset[] assetPaths = [@b.usda@] } }) {}\n"
         "over \"N\" (clips = { dictionary default = { double2[] active = [(2, 0)] } }) {}\n"},
        {"m.usda",
         (model("asset[] assetPaths = [@a.usda@]\ndouble2[] active = [(3, 0)]") +
          "def \"N\" (clips = { dictionary default = { string primPath = \"/C\"\n"
          "asset[] assetPaths = [@a.usda@]\ndouble2[] active = [(3, 0)] } }) { double x; }\n")
             .c_str()},
        {"a.usda", kClipA},
        {"b.usda", kClipB}});
  EXPECT_THAT(times(), ElementsAre(0, 3, 10));
  EXPECT_EQ(x(5), 105);
  EXPECT_THAT(times("/N"), ElementsAre(0, 2, 10));
}

TEST_F(ValueClips, TakeTimesOfSitesWithoutClipsAsIfTheyStoodWhereTheClipsAreNamed) {
  const std::string asset = model("asset[] assetPaths = [@a.usda@]\ndouble2[] active = [(0, 0)]");
  open({{"root.usda",
         "def \"M\" (references = @asset.usda@</M> (offset = 100)\n"
         "clips = { dictionary default = {\ndouble2[] active = [(3, 0)]\n"
         "double2[] times = [(0, 10), (20, 0)]\n} }) {}\n"},
        {"asset.usda", asset.c_str()},
        {"a.usda", kClipA}});
  EXPECT_THAT(times(), ElementsAre(100, 103, 120));
  EXPECT_THAT(x({100, 110, 120}), ElementsAre(10, 5, 0));
}

TEST_F(ValueClips, StandAtTheStrongestSiteThatNamesAnyWhicheverCount) {
  const std::string asset =
      model("asset[] assetPaths = [@./a.usda@]\ndouble2[] active = [(3, 0)]", "double x = 77");
  open({{"root.usda",
         "def \"M\" (references = @dir/asset.usda@</M> (offset = 100)\n"
         "clips = { dictionary default = { string templateAssetPath = \"w.#.usda\" } }) {}\n"},
        {"dir/asset.usda", asset.c_str()},
        {"a.usda", kClipA},
        {"dir/a.usda", kClipB}});
  EXPECT_THAT(times(), ElementsAre(0, 3, 10));  // In the root layer's times.
  EXPECT_EQ(x(5), 5);                           // Found from the root layer.
}

TEST_F(ValueClips, MapTimesOfAWeakerSiteByTheOffsetsWithinIt) {
  const std::string m = model("asset[] assetPaths = [@b.usda@]\ndouble2[] active = [(0, 0)]");
  open({{"root.usda",
         "def \"M\" (references = @asset.usda@</M> (offset = 1000)\n"
         "clips = { dictionary default = { asset[] assetPaths = [@a.usda@] } }) {}\n"},
        {"asset.usda", "(subLayers = [@t.usda@ (offset = 20), @m.usda@ (offset = 10)])\n"},
        {"t.usda",
         "over \"M\" (clips = { dictionary default = {\n"
         "double2[] times = [(0, 0), (10, 10)]\n} }) {}\n"},
        {"m.usda", m.c_str()},
        {"a.usda", kClipA},
        {"b.usda", kClipB}});
  EXPECT_THAT(times(), ElementsAre(0, 10, 20));
  EXPECT_EQ(x(15), 5);
}

TEST_F(ValueClips, FollowTheOffsetOfALayerWithATemplateThoughItIsNotUsed) {
  const std::string m = model(
      "asset[] assetPaths = [@a.usda@]\ndouble2[] active = [(3, 0)]\n"
      "double2[] times = [(0, 0), (10, 10)]\nstring templateAssetPath = \"w.#.usda\"");
  open({{"root.usda",
         "(subLayers = [@m.usda@ (offset = 100)])\n"
         "over \"M\" (clips = { dictionary default = { double2[] active = [(2, 0)] } }) {}\n"},
        {"m.usda", m.c_str()},
        {"a.usda", kClipA}});
  EXPECT_THAT(times(), ElementsAre(100, 102, 110));
}

TEST_F(ValueClips, ComposeEachEntryFromTheStrongestOpinion) {
  const std::string asset = model("asset[] assetPaths = [@a.usda@]\ndouble2[] active = [(0, 0)]");
  open({{"root.usda",
         "def \"A\" (references = @dir/asset.usda@</M>\nclips = { dictionary default = "
         "{\ndouble2[] times = [(0, 10), (10, 0)]\n} }) {}\n"
         "def \"B\" (references = @dir/asset.usda@</M>) {}\n"
         "def \"N\" (references = @dir/asset.usda@</M>\nclips = { dictionary default = "
         "{\ndouble2[] active = []\n} }) {}\n"},
        {"dir/asset.usda", asset.c_str()},
        {"dir/a.usda", kClipA}});
  EXPECT_EQ(x(2, "/A"), 8);
  EXPECT_EQ(x(2, "/B"), 2);
  EXPECT_EQ(attribute("/N").source(2), ValueSource::none);  // Nothing is active any more.
  EXPECT_THAT(diagnostics_, IsEmpty());
}

TEST_F(ValueClips, OfOneAssetDifferWhereAnyEntryDoes) {
  const std::string asset = model(
      "asset[] assetPaths = [@a.usda@, @b.usda@]\ndouble2[] active = [(0, 0)]\n"
      "double2[] times = [(0, 0), (10, 10)]");
  open({{"root.usda",
         "def \"A\" (references = @asset.usda@</M>) {}\n"
         "def \"B\" (references = @asset.usda@</M>\nclips = { dictionary default = "
         "{\ndouble2[] active = [(0, 1)]\n} }) {}\n"},
        {"asset.usda", asset.c_str()},
        {"a.usda", kClipA},
        {"b.usda", kClipB}});
  EXPECT_EQ(x(2, "/A"), 2);
  EXPECT_EQ(x(2, "/B"), 102);
}

constexpr const char* kTwoSets =
    "clips = {\n"
    "dictionary b = { string primPath = \"/C\"\nasset[] assetPaths = [@b.usda@]\n"
    "double2[] active = [(0, 0)] }\n"
    "dictionary a = { string primPath = \"/C\"\nasset[] assetPaths = [@a.usda@]\n"
    "double2[] active = [(0, 0)] }\n}\n";

TEST_F(ValueClips, OrderSetsByNameAndThenAsClipSetsSays) {
  const std::string sets = kTwoSets;
  const auto value = [&](const std::string& edit) {
    const std::string root = "def \"M\" (" + sets + edit + ") { double x; }\n";
    open({{"root.usda", root.c_str()}, {"a.usda", kClipA}, {"b.usda", kClipB}});
    return x(1);
  };
  EXPECT_EQ(value(""), 1);
  EXPECT_EQ(value("clipSets = [\"b\", \"a\"]"), 101);
  EXPECT_EQ(value("prepend clipSets = [\"b\"]"), 101);
  EXPECT_EQ(value("delete clipSets = [\"a\"]"), 101);
  EXPECT_EQ(value("clipSets = []"), kNone);
}

TEST_F(ValueClips, AreOrderedByClipSetsOfNoLayerBelowAllClips) {
  const std::string root =
      std::string("(subLayers = [@weak.usda@])\ndef \"M\" (") + kTwoSets + ") { double x; }\n";
  open({{"root.usda", root.c_str()},
        {"weak.usda", "over \"M\" (clipSets = [\"b\", \"a\"]) {}\n"},
        {"a.usda", kClipA},
        {"b.usda", kClipB}});
  EXPECT_EQ(x(1), 1);
}

// The set "b" of the stronger layer comes before "a", below its prim too, where no layer but the
// root has an opinion.
TEST_F(ValueClips, OfStrongerLayersAreStrongerOnDescendantsToo) {
  const auto set = [](const std::string& name) {
    return "over \"M\" (clips = { dictionary " + name +
           " = { string primPath = \"/C\"\nasset[] assetPaths = [@" + name +
           ".usda@]\ndouble2[] active = [(0, 0)] } }) {}\n";
  };
  const auto clip = [](const std::string& value) {
    return "def \"C\" { double x.timeSamples = { 0: " + value +
           " }\ndef \"K\" { double x.timeSamples = { 0: " + value + " }; }\n}\n";
  };
  const std::string strong = set("b");
  const std::string weak = set("a");
  const std::string b = clip("2");
  const std::string a = clip("1");
  open({{"root.usda",
         "(subLayers = [@strong.usda@, @weak.usda@])\n"
         "def \"M\" { double x\ndef \"K\" { double x; }\n}\n"},
        {"strong.usda", strong.c_str()},
        {"weak.usda", weak.c_str()},
        {"a.usda", a.c_str()},
        {"b.usda", b.c_str()}});
  EXPECT_EQ(x(0), 2);
  EXPECT_EQ(x(0, "/M/K"), 2);
}

TEST_F(ValueClips, OfAPrimAreStrongerThanThoseOfItsAncestors) {
  const std::string root =
      "def \"P\" (clips = { dictionary a = { string primPath = \"/C\"\n"
      "asset[] assetPaths = [@p.usda@]\ndouble2[] active = [(0, 0)] } }) {\n" +
      model("asset[] assetPaths = [@a.usda@]\ndouble2[] active = [(0, 0)]", "double x\ndouble y") +
      "def \"Q\" { double x; }\n}\n";
  open({{"root.usda", root.c_str()},
        {"a.usda", kClipA},
        {"p.usda",
         "def \"C\" { def \"M\" { double x.timeSamples = { 0: 50 }\n"
         "double y.timeSamples = { 0: 51 }; }\n"
         "def \"Q\" { double x.timeSamples = { 0: 52 }; }\n}\n"}});
  EXPECT_EQ(x(1, "/P/M"), 1);
  EXPECT_EQ(attribute("/P/M", "y").get<double>(1), 51);
  EXPECT_EQ(x(1, "/P/Q"), 52);
}

TEST_F(ValueClips, MayBeChosenByAVariant) {
  const std::string set = std::string("string primPath = \"/C\"\ndouble2[] active = [(0, 0)]\n");
  const std::string root =
      "def \"M\" (variants = { string v = \"b\" }\nprepend variantSets = [\"v\"]) { double x\n"
      "def \"K\" { double x; }\nvariantSet \"v\" = {\n\"a\" (clips = { dictionary s = {" +
      set + "asset[] assetPaths = [@a.usda@]\n} }) {}\n\"b\" (clips = { dictionary s = {" + set +
      "asset[] assetPaths = [@b.usda@]\n} }) {\nover \"K\" {}\n}\n}\n}\n";
  open({{"root.usda", root.c_str()},
        {"a.usda", kClipA},
        {"b.usda",
         "def \"C\" { double x.timeSamples = { 0: 7 }\n"
         "def \"K\" { double x.timeSamples = { 0: 8 }; }\n}\n"}});
  EXPECT_EQ(x(1), 7);
  EXPECT_EQ(x(1, "/M/K"), 8);
}

TEST_F(ValueClips, ReachBelowInstancesByTheirOwnArcsOnly) {
  const std::string asset = model("asset[] assetPaths = [@a.usda@]\ndouble2[] active = [(0, 0)]",
                                  "def \"K\" { double x; }");
  const std::string arc = "instanceable = true\nreferences = @asset.usda@</M>";
  const std::string local =
      "clips = { dictionary default = { double2[] times = [(0, 5), (10, 5)] }\n"
      "dictionary local = { string primPath = \"/L\"\nasset[] assetPaths = [@a.usda@]\n"
      "double2[] active = [(0, 0)] } }\n";
  const std::string root = "def \"I\" (" + arc + ") {}\ndef \"J\" (" + arc + ") {}\ndef \"R\" (" +
                           arc + "\n" + local + ") {}\n";
  for (const Rules rules : {Rules::documented, Rules::openusd}) {
    OpenOptions options;
    options.rules = rules;
    open({{"root.usda", root.c_str()},
          {"asset.usda", asset.c_str()},
          {"a.usda",
           "def \"C\" { def \"K\" { double x.timeSamples = { 0: 0, 10: 10 }; }\n}\n"
           "def \"L\" { def \"K\" { double x.timeSamples = { 0: 77 }; }\n}\n"}},
         options);
    // OpenUSD has none of them there.
    const bool reaches = rules == Rules::documented;
    EXPECT_EQ(x(2, "/I/K"), reaches ? 2 : kNone);
    EXPECT_EQ(x(2, "/R/K"), reaches ? 5 : kNone);
    // Retimed by the instance, which has a prototype of its own.
    EXPECT_EQ(stage_->prim("/I/K").node(), stage_->prim("/J/K").node());
    EXPECT_NE(stage_->prim("/I/K").node(), stage_->prim("/R/K").node());
  }
}

TEST_F(ValueClips, OfPrimsBelowAnInstanceApplyWhateverTheRules) {
  const std::string asset = "def \"M\" {\n" +
                            model("asset[] assetPaths = [@a.usda@]\ndouble2[] active = [(0, 0)]") +
                            "}\n";
  for (const Rules rules : {Rules::documented, Rules::openusd}) {
    OpenOptions options;
    options.rules = rules;
    open({{"root.usda", "def \"I\" (instanceable = true\nreferences = @asset.usda@</M>) {}\n"},
          {"asset.usda", asset.c_str()},
          {"a.usda", kClipA}},
         options);
    EXPECT_EQ(x(2, "/I/M"), 2);
  }
}

// Clips of x in /C, /C/I, /C/I/K, /C/K and /C/R/K.
constexpr const char* kDeepClip =
    "def \"C\" { double x.timeSamples = { 0: 1 }\n"
    "def \"I\" { double x.timeSamples = { 0: 2 }\ndef \"K\" { double x.timeSamples = { 0: 3 }; "
    "}\n}\n"
    "def \"K\" { double x.timeSamples = { 0: 4 }; }\n"
    "def \"R\" { def \"K\" { double x.timeSamples = { 0: 5 }; }\n}\n}\n";
const std::string kDeepSet =
    "clips = { dictionary s = { string primPath = \"/C\"\nasset[] assetPaths = [@a.usda@]\n"
    "double2[] active = [(0, 0)] } }\n";

TEST_F(ValueClips, OfAncestorsReachInstancesButNotWhatIsBelowThem) {
  const std::string root = "def \"M\" (" + kDeepSet +
                           ") {\ndef \"R\" { double x\ndef \"K\" { double x; }\n}\n"
                           "def \"I\" (instanceable = true\nreferences = </M/R>) {}\n"
                           "def \"J\" (references = </M/R>) {}\n}\n";
  open({{"root.usda", root.c_str()}, {"a.usda", kDeepClip}});
  EXPECT_EQ(x(0, "/M/I"), 2);
  EXPECT_EQ(x(0, "/M/I/K"), kNone);
  EXPECT_EQ(x(0, "/M/R/K"), 5);
  EXPECT_EQ(x(0, "/M/J/K"), 5);  // No instance: the clips reach the site </M/R/K>.
}

TEST_F(ValueClips, ReachWhatAVariantBringsButNotBelowAnInstance) {
  const std::string variant =
      "variants = { string v = \"a\" }\nprepend variantSets = \"v\") {\nvariantSet \"v\" = {\n"
      "\"a\" { def \"K\" { double x; }\n}\n}\n}\n";
  const std::string root = "def \"M\" (" + kDeepSet + variant + "def \"I\" (instanceable = true\n" +
                           kDeepSet + variant +
                           "def \"J\" (instanceable = true\nreferences = </M>) {}\n";
  open({{"root.usda", root.c_str()}, {"a.usda", kDeepClip}});
  EXPECT_EQ(x(0, "/M/K"), 4);
  // The site </I/K> does not count, and </I{v=a}K> is not in clips.
  EXPECT_EQ(x(0, "/I/K"), kNone);
  EXPECT_EQ(x(0, "/J/K"), 4);
}

TEST_F(ValueClips, AreHiddenByAnAnimationBlockAndSeenByArrayEdits) {
  const std::string own = model("asset[] assetPaths = [@a.usda@]\ndouble2[] active = [(0, 0)]",
                                "double x = AnimationBlock\nint[] e");
  open({{"root.usda", "(subLayers = [@own.usda@])\nover \"M\" { int[] e = edit [append 9]; }\n"},
        {"own.usda", own.c_str()},
        {"a.usda",
         "def \"C\" { double x.timeSamples = { 0: 1 }\n"
         "int[] e.timeSamples = { 0: [1, 2] }; }\n"}});
  EXPECT_EQ(x(0), kNone);
  EXPECT_THAT(attribute("/M", "e").get_array<std::int32_t>(0)->span(), ElementsAre(1, 2, 9));
  EXPECT_THAT(attribute("/M", "e").get_array<std::int32_t>()->span(), ElementsAre(9));
}

TEST_F(ValueClips, ShowTheirTimesThroughArrayEdits) {
  const std::string own = model(
      "asset[] assetPaths = [@a.usda@]\ndouble2[] active = [(0, 0)]\n"
      "double2[] times = [(0, 0), (20, 20)]",
      "int[] e");
  open({{"root.usda",
         "(subLayers = [@own.usda@ (offset = 10)])\n"
         "over \"M\" { int[] e.timeSamples = { 3: edit [append 8], 14: edit [append 9], 20: [7] }; "
         "}\n"},
        {"own.usda", own.c_str()},
        {"a.usda", "def \"C\" { int[] e.timeSamples = { 0: [1], 5: [2], 12: [3] }; }\n"}});
  EXPECT_THAT(times("/M"), IsEmpty());
  EXPECT_THAT(attribute("/M", "e").time_samples(), ElementsAre(3, 10, 14, 15, 20));
  EXPECT_THAT(attribute("/M", "e").get_array<std::int32_t>(16)->span(), ElementsAre(2, 9));
}

TEST_F(ValueClips, AreExplainedBelowThePrimThatNamesThem) {
  const std::string root =
      "def \"M\" (clips = { dictionary default = { string primPath = \"/C\"\n"
      "asset[] assetPaths = [@a.usda@]\ndouble2[] active = [(0, 0)]\n} }) {\n"
      "def \"N\" {\ndef \"O\" {\ndouble x\n}\n}\n}\n";
  open({{"root.usda", root.c_str()},
        {"a.usda",
         "def \"C\" {\ndef \"N\" {\ndef \"O\" {\ndouble x.timeSamples = { 0: 1 }\n}\n}\n}\n"}});
  const std::vector<Opinion> opinions = attribute("/M/N/O").explain(0);
  ASSERT_EQ(opinions.size(), 2u);
  EXPECT_EQ(opinions[1].spec_path.str(), "/C/N/O.x");
  EXPECT_TRUE(opinions[1].wins);
}

TEST_F(ValueClips, AnchorAssetsToTheirOwnLayers) {
  const std::string root =
      model("asset[] assetPaths = [@dir/a.usda@]\ndouble2[] active = [(0, 0)]", "asset x");
  open({{"root.usda", root.c_str()},
        {"dir/a.usda", "def \"C\" { asset x.timeSamples = { 0: @./t.png@ }; }\n"}});
  EXPECT_EQ(attribute().resolved_asset(0), "dir/t.png");
}

TEST_F(ValueClips, AnchorAssetsOfTheManifestToIt) {
  const std::string root = model(
      "asset[] assetPaths = [@dir/a.usda@, @b.usda@]\ndouble2[] active = [(0, 0), (4, 1)]\n"
      "asset manifestAssetPath = @other/m.usda@",
      "asset x");
  open({{"root.usda", root.c_str()},
        {"other/m.usda", "def \"C\" { asset x = @./m.png@; }\n"},
        {"dir/a.usda", "def \"C\" { asset x.timeSamples = { 0: @./t.png@ }; }\n"},
        {"b.usda", "def \"C\" {}\n"}});
  EXPECT_EQ(attribute().resolved_asset(0), "dir/t.png");
  EXPECT_EQ(attribute().resolved_asset(4), "other/m.png");
}

TEST_F(ValueClips, MightVaryWithSeveralClipsOrSamples) {
  const auto might_vary = [&](const std::string& active, const char* samples) {
    const std::string root =
        model("asset[] assetPaths = [@a.usda@]\ndouble2[] active = [" + active + "]");
    const std::string clip =
        std::string("def \"C\" { double x.timeSamples = { ") + samples + " }; }\n";
    open({{"root.usda", root.c_str()}, {"a.usda", clip.c_str()}});
    return attribute().might_be_time_varying();
  };
  EXPECT_FALSE(might_vary("(0, 0)", "0: 1"));
  EXPECT_TRUE(might_vary("(0, 0)", "0: 1, 2: 3"));
  EXPECT_TRUE(might_vary("(0, 0)", "5: 1")) << "There is a sample where the clip becomes active.";
  EXPECT_TRUE(might_vary("(0, 0), (4, 0)", "0: 1"));
}

TEST_F(ValueClips, FindTheManifestFromTheLayerThatNamesTheClips) {
  const std::string asset = model("asset[] assetPaths = [@./a.usda@]\ndouble2[] active = [(0, 0)]");
  open({{"root.usda",
         "def \"M\" (references = @dir/asset.usda@</M>\nclips = { dictionary default = {\n"
         "asset manifestAssetPath = @./m.usda@\n} }) {}\n"},
        {"dir/asset.usda", asset.c_str()},
        {"dir/a.usda", kClipA},
        {"m.usda", "def \"C\" {}\n"},
        {"dir/m.usda", "def \"C\" { double x; }\n"}});
  EXPECT_EQ(x(1), 1);
}

TEST_F(ValueClips, ReadOnlyTheRootLayerOfAClip) {
  const std::string root = model("asset[] assetPaths = [@a.usda@]\ndouble2[] active = [(0, 0)]",
                                 "double x = 5\ndouble y");
  open({{"root.usda", root.c_str()},
        {"a.usda",
         "(subLayers = [@s.usda@])\ndef \"C\" (references = @s.usda@</C>) {\n"
         "double x.timeSamples = { 0: 1 }; }\n"},
        {"s.usda", "def \"C\" { double y.timeSamples = { 0: 2 }; }\n"}});
  EXPECT_EQ(attribute("/M", "y").source(0), ValueSource::none);
  EXPECT_EQ(stage_->layers().size(), 2u);
}

TEST_F(ValueClips, AreExplainedWithTheLayerOfTheActiveClip) {
  const std::string root = model(
      "asset[] assetPaths = [@a.usda@, @e.usda@]\ndouble2[] active = [(0, 0), (4, 1)]", "double x");
  open({{"root.usda", root.c_str()}, {"a.usda", kClipA}, {"e.usda", "def \"C\" {}\n"}});
  std::vector<Opinion> opinions = attribute().explain(1);
  ASSERT_EQ(opinions.size(), 2u);
  EXPECT_FALSE(opinions[0].wins);
  EXPECT_TRUE(opinions[1].wins);
  EXPECT_EQ(opinions[1].layer, "a.usda");
  EXPECT_EQ(opinions[1].line, 2u);
  EXPECT_EQ(opinions[1].spec_path.str(), "/C.x");
  EXPECT_EQ(opinions[1].arcs, "value clips 'default' of @root.usda@</M>");
  EXPECT_EQ(attribute().explain(5)[1].layer, "e.usda");
  EXPECT_EQ(attribute().explain(5)[1].note, "value clip without samples of it");
  EXPECT_FALSE(attribute().explain()[1].wins);
}

TEST_F(ValueClips, ReachDescendantsInEveryClip) {
  const std::string root =
      model("asset[] assetPaths = [@a.usda@, @b.usda@]\ndouble2[] active = [(0, 0), (4, 1)]",
            "def \"K\" { double x; }");
  open({{"root.usda", root.c_str()},
        {"a.usda", "def \"C\" {\ndef \"K\" { double x.timeSamples = { 0: 1 }; }\n}\n"},
        {"b.usda", "def \"C\" {\ndef \"K\" { double x.timeSamples = { 0: 2 }; }\n}\n"}});
  EXPECT_EQ(x(0, "/M/K"), 1);
  EXPECT_EQ(x(4, "/M/K"), 2);
}

TEST_F(ValueClips, ApplyToNothingThatTheManifestCallsARelationship) {
  const std::string root = model(
      "asset[] assetPaths = [@a.usda@]\ndouble2[] active = [(0, 0)]\nasset manifestAssetPath = "
      "@m.usda@");
  open({{"root.usda", root.c_str()},
        {"m.usda", "def \"C\" {\nvarying rel x\ndouble y\n}\n"},
        {"a.usda", kClipA}});
  EXPECT_EQ(attribute().source(0), ValueSource::none);
}

TEST_F(ValueClips, AreExplainedAsHiddenWhereSomethingStrongerCounts) {
  const std::string set = "string primPath = \"/C\"\ndouble2[] active = [(0, 0)]\n";
  const std::string weak = "def \"M\" (clips = {\ndictionary a = { " + set +
                           "asset[] assetPaths = [@a.usda@]\n}\ndictionary b = { " + set +
                           "asset[] assetPaths = [@b.usda@]\n}\n}) {\ndouble x\n}\n";
  const auto notes = [&](const char* strong, Time time) {
    const std::string root = std::string("(subLayers = [@weak.usda@])\n") + strong;
    open({{"root.usda", root.c_str()},
          {"weak.usda", weak.c_str()},
          {"a.usda", kClipA},
          {"b.usda", kClipB}});
    std::vector<std::string> result;
    for (const Opinion& opinion : attribute().explain(time)) {
      result.push_back((opinion.wins ? "* " : "") + opinion.note);
    }
    return result;
  };
  EXPECT_THAT(notes("", 1),
              ElementsAre("no value", "* value clip", "value clip, hidden by a stronger opinion"));
  EXPECT_THAT(notes("over \"M\" { double x = 3; }\n", 1),
              ElementsAre("* default", "hidden by a stronger opinion",
                          "value clip, hidden by a stronger opinion",
                          "value clip, hidden by a stronger opinion"));
  EXPECT_THAT(notes("", Time()),
              ElementsAre("no value", "value clips do not count at the default time",
                          "value clips do not count at the default time"));
}

TEST_F(ValueClips, OfAReferenceAreExplainedWithTheArcAndItsOffset) {
  const std::string asset = model(
      "asset[] assetPaths = [@a.usda@]\ndouble2[] active = [(0, 0)]\n"
      "double2[] times = [(0, 0), (10, 10)]");
  open({{"root.usda", "def \"A\" (references = @asset.usda@</M> (offset = 100; scale = 2)) {}\n"},
        {"asset.usda", asset.c_str()},
        {"a.usda", kClipA}});
  const std::vector<Opinion> opinions = attribute("/A").explain(110);
  ASSERT_EQ(opinions.size(), 2u);
  EXPECT_EQ(opinions[1].arcs,
            "reference @asset.usda@</M> > value clips 'default' of @asset.usda@</M>");
  EXPECT_EQ(opinions[1].offset, (layer::LayerOffset{100.0, 2.0}));
}

TEST_F(ValueClips, OfATemplateAreTheFilesThatExist) {
  const std::string root = model(
      "string templateAssetPath = \"./w.###.usda\"\ndouble templateStartTime = 9\n"
      "double templateEndTime = 13\ndouble templateStride = 1");
  const char* at[] = {"def \"C\" { double x.timeSamples = { 9: 90 }; }\n",
                      "def \"C\" { double x.timeSamples = { 10: 100 }; }\n",
                      "def \"C\" { double x.timeSamples = { 12: 120, 13: 0 }; }\n"};
  open({{"root.usda", root.c_str()},
        {"w.009.usda", at[0]},
        {"w.010.usda", at[1]},
        {"w.012.usda", at[2]}});
  EXPECT_THAT(times(), ElementsAre(9, 10, 12));
  EXPECT_THAT(x({9, 9.5, 10, 12, 13}), ElementsAre(90, 95, 100, 120, 120));
  EXPECT_THAT(diagnostics_, IsEmpty());
}

TEST_F(ValueClips, OfATemplateMayHaveDecimalsAndBeActiveEarlier) {
  const std::string root = model(
      "string templateAssetPath = \"w.##.#.usda\"\ndouble templateStartTime = 0.1\n"
      "double templateEndTime = 0.3\ndouble templateStride = 0.1\ndouble templateActiveOffset = "
      "-0.05");
  open({{"root.usda", root.c_str()},
        {"w.00.1.usda", "def \"C\" { double x.timeSamples = { 0.1: 1, 0.12: 2, 0.2: 9 }; }\n"},
        {"w.00.2.usda", "def \"C\" { double x.timeSamples = { 0.2: 3 }; }\n"},
        {"w.00.3.usda", "def \"C\" { double x.timeSamples = { 0.3: 4, 0.34: 5, 0.4: 6 }; }\n"}});
  EXPECT_THAT(diagnostics_, IsEmpty());
  EXPECT_EQ(x(0.1), 1);
  EXPECT_EQ(x(0.12), 2);
  EXPECT_EQ(x(0.2), 3);
  EXPECT_DOUBLE_EQ(x(0.3), 4);
  EXPECT_DOUBLE_EQ(x(0.34), 5);
  EXPECT_DOUBLE_EQ(x(1), 5.0 + 1.0 / 6.0);  // Held at 0.3 + 0.05.
}

TEST_F(ValueClips, OfATemplateFollowTheOffsetOfItsLayer) {
  const std::string shot = model(
      "string templateAssetPath = \"w.#.usda\"\ndouble templateStartTime = 1\n"
      "double templateEndTime = 2\ndouble templateStride = 1");
  open({{"root.usda", "(subLayers = [@shot.usda@ (offset = 10)])\n"},
        {"shot.usda", shot.c_str()},
        {"w.1.usda", "def \"C\" { double x.timeSamples = { 1: 10 }; }\n"},
        {"w.2.usda", "def \"C\" { double x.timeSamples = { 2: 20 }; }\n"}});
  EXPECT_THAT(times(), ElementsAre(11, 12));
  EXPECT_THAT(x({11, 11.5, 12}), ElementsAre(10, 15, 20));
}

TEST_F(ValueClips, AreReadTheSameFromManyThreads) {
  const std::string root =
      model("asset[] assetPaths = [@a.usda@, @b.usda@]\ndouble2[] active = [(0, 0), (4, 1)]");
  open({{"root.usda", root.c_str()}, {"a.usda", kClipA}, {"b.usda", kClipB}});
  std::vector<double> sums(4, 0.0);
  std::vector<std::thread> threads;
  for (double& sum : sums) {
    threads.emplace_back([&sum, this] {
      for (int i = 0; i < 200; ++i) sum += x(i * 0.05) + static_cast<double>(times().size());
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const double sum : sums) EXPECT_EQ(sum, sums[0]);
}

}  // namespace
}  // namespace sinew::stage::clips_test
