// SPDX-License-Identifier: Apache-2.0
// Value clips that are wrong, missing or absurd: a located report each, and the rest still there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "stage/support.hpp"

namespace sinew::stage::bad_clips_test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::Gt;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

struct Opened {
  StagePtr stage;
  Diagnostics diagnostics;

  Attribute x() const { return stage->prim("/M").attribute("x"); }
};

constexpr const char* kClip =
    "def \"C\" { double x.timeSamples = { 0: 1, 10: 11 }\n"
    "double y.timeSamples = { 0: 2 }; }\n";

// A prim /M with x = 5 in a weaker layer, and one clip set with these entries.
Opened open_set(const std::string& set, const OpenOptions& options = {}) {
  const std::string root =
      "(subLayers = [@weak.usda@])\ndef \"M\" (clips = { dictionary s = {\n" + set + "\n} }) {}\n";
  Opened opened;
  opened.stage = open_layers({{"root.usda", root.c_str()},
                              {"weak.usda", "def \"M\" { double x = 5\ndouble y; }\n"},
                              {"a.usda", kClip},
                              {"broken.usda", "def \"C\" {\n"},
                              {"binary.usda", "x"},
                              {"w.1.usda", kClip},
                              {"w.2.usda", kClip}},
                             opened.diagnostics, options);
  return opened;
}

auto reports(Severity severity, const std::string& code, const std::string& text) {
  return Contains(AllOf(Field(&Diagnostic::severity, severity), Field(&Diagnostic::code, code),
                        Field(&Diagnostic::message, HasSubstr(text)),
                        Field(&Diagnostic::file, "root.usda"), Field(&Diagnostic::line, Gt(0u)),
                        Field(&Diagnostic::path, "/M")));
}

constexpr const char* kBad = "stage-bad-clips";
const std::string kGood = "string primPath = \"/C\"\n";
const std::string kOneClip = kGood + "asset[] assetPaths = [@a.usda@]\n";

// The set is refused with one error, and what is weaker shows.
void expect_refused(const std::string& set, const std::string& text,
                    const OpenOptions& options = {}) {
  SCOPED_TRACE(set);
  const Opened opened = open_set(set, options);
  EXPECT_THAT(opened.diagnostics, reports(Severity::error, kBad, text));
  EXPECT_THAT(opened.diagnostics, SizeIs(1));
  EXPECT_EQ(opened.x().get<double>(3), 5);
}

std::string template_of(const std::string& path, const std::string& start, const std::string& end,
                        const std::string& stride, const std::string& offset = "0") {
  return kGood + "string templateAssetPath = \"" + path +
         "\"\ndouble templateStartTime = " + start + "\ndouble templateEndTime = " + end +
         "\ndouble templateStride = " + stride + "\ndouble templateActiveOffset = " + offset;
}

TEST(BadClips, RefusesSetsThatDoNotSayEnough) {
  expect_refused("asset[] assetPaths = [@a.usda@]\ndouble2[] active = [(0, 0)]", "no primPath");
  expect_refused(kOneClip, "when clips are active");
  expect_refused(kGood + "string templateAssetPath = \"w.#.usda\"", "templateStartTime");
  const Opened opened = open_set(kGood + "double2[] times = [(0, 0)]");
  EXPECT_THAT(opened.diagnostics, reports(Severity::warning, kBad, "names no clips"));
}

TEST(BadClips, RefusesPrimPathsThatAreNone) {
  for (const char* path : {"C", "/", "/C.x", "/C{v=a}", "", "not a path"}) {
    expect_refused("string primPath = \"" + std::string(path) +
                       "\"\nasset[] assetPaths = [@a.usda@]\ndouble2[] active = [(0, 0)]",
                   "is not the absolute path of a prim");
  }
}

TEST(BadClips, RefusesClipIndicesOutOfRange) {
  for (const char* index : {"1", "-1", "nan", "inf", "1e300"}) {
    expect_refused(kOneClip + "double2[] active = [(0, 0), (5, " + index + ")]", "names clip");
  }
}

TEST(BadClips, RefusesTimesThatAreNotFiniteOrMeetTwoClips) {
  expect_refused(kOneClip + "double2[] active = [(nan, 0)]", "not finite");
  expect_refused(kOneClip + "double2[] active = [(-inf, 0)]", "not finite");
  expect_refused(kOneClip + "double2[] active = [(0, 0)]\ndouble2[] times = [(0, 0), (nan, 1)]",
                 "not finite");
  expect_refused(kOneClip + "double2[] active = [(0, 0)]\ndouble2[] times = [(0, inf)]",
                 "not finite");
  expect_refused(kOneClip + "double2[] active = [(3, 0), (4, 0), (3, 0)]",
                 "two clips become active at 3");
}

TEST(BadClips, RefusesMoreThanTwoPairsAtOneTime) {
  expect_refused(
      kOneClip + "double2[] active = [(0, 0)]\ndouble2[] times = [(0, 0), (5, 1), (5, 5), (5, 3)]",
      "more than two pairs of times stand at 5");
  // A template of one file has a pair there, and at either end one of its active offset.
  expect_refused(template_of("w.#.usda", "1", "1", "1"), "more than two pairs of times stand at 1");
}

TEST(BadClips, SortsTimesAndSaysSo) {
  const Opened opened = open_set(kOneClip +
                                 "double2[] active = [(5, 0), (0, 0)]\n"
                                 "double2[] times = [(20, 0), (0, 10), (20, 7)]");
  EXPECT_THAT(opened.diagnostics, reports(Severity::warning, kBad, "sorted"));
  EXPECT_THAT(opened.x().time_samples(), ElementsAre(0, 5, ::testing::DoubleNear(20, 1e-8), 20));
  EXPECT_EQ(opened.x().get<double>(10), 6);
  EXPECT_DOUBLE_EQ(opened.x().get<double>(20).value_or(0),
                   8);  // The later pair of a jump stays the later one.
}

TEST(BadClips, RefusesEntriesOfOtherTypes) {
  const auto refused = [](const std::string& set, const std::string& text) {
    SCOPED_TRACE(set);
    const Opened opened = open_set(set);
    EXPECT_THAT(opened.diagnostics, reports(Severity::error, kBad, text));
    EXPECT_EQ(opened.x().get<double>(3), 5);
  };
  refused(kGood + "string[] assetPaths = [\"a.usda\"]\ndouble2[] active = [(0, 0)]",
          "assetPaths of the clip set 's' is not an array of assets");
  refused(kGood + "asset assetPaths = @a.usda@\ndouble2[] active = [(0, 0)]",
          "assetPaths of the clip set 's' is not an array of assets");
  refused(kOneClip + "float2[] active = [(0, 0)]", "active of the clip set 's' is not an array of");
  refused(kGood + "asset[] assetPaths = [@@]\ndouble2[] active = [(0, 0)]", "asset paths is empty");
  const Opened set = open_set("}\nstring other = \"text\"\ndictionary t = {");
  EXPECT_THAT(set.diagnostics, reports(Severity::warning, kBad, "'other' is not a dictionary"));
}

TEST(BadClips, IgnoresTimesOfAnotherType) {
  for (const char* times : {"double times = 3", "float2[] times = [(0, 10), (10, 0)]"}) {
    SCOPED_TRACE(times);
    const Opened opened = open_set(kOneClip + "double2[] active = [(0, 0)]\n" + times);
    EXPECT_THAT(opened.diagnostics, reports(Severity::warning, kBad, "times of the clip set 's'"));
    EXPECT_THAT(opened.x().time_samples(), ElementsAre(0, 10));
    EXPECT_EQ(opened.x().get<double>(3), 4);
  }
}

TEST(BadClips, IgnoresAFlagThatIsNone) {
  const Opened opened =
      open_set(kOneClip + "double2[] active = [(0, 0)]\nint interpolateMissingClipValues = 1");
  EXPECT_THAT(opened.diagnostics,
              reports(Severity::warning, kBad, "interpolateMissingClipValues of the clip set 's'"));
  EXPECT_EQ(opened.x().get<double>(3), 4);
}

TEST(BadClips, TakesATemplateForAListOfAnotherType) {
  const Opened opened =
      open_set("string[] assetPaths = [\"a.usda\"]\n" + template_of("w.#.usda", "1", "2", "1"));
  EXPECT_THAT(opened.diagnostics, reports(Severity::warning, kBad, "assetPaths of the clip set"));
  EXPECT_EQ(opened.x().get<double>(1), 2);
}

TEST(BadClips, RefusesTemplatesThatAreNoText) {
  const Opened opened = open_set(kGood + "double templateAssetPath = 3");
  EXPECT_THAT(opened.diagnostics, reports(Severity::warning, kBad, "is not a string"));
  EXPECT_THAT(opened.diagnostics, SizeIs(1));
  EXPECT_EQ(opened.x().get<double>(3), 5);
}

TEST(BadClips, ReadsOtherKindsOfTextUnderTheDocumentedRules) {
  const std::string set =
      "token primPath = \"/C\"\nasset templateAssetPath = @w.#.usda@\n"
      "double templateStartTime = 1\ndouble templateEndTime = 2\ndouble templateStride = 1";
  const Opened documented = open_set(set);
  EXPECT_THAT(documented.diagnostics, reports(Severity::warning, kBad, "but is read as one"));
  EXPECT_EQ(documented.x().get<double>(1), 2);
  OpenOptions options;
  options.rules = Rules::openusd;
  const Opened openusd = open_set(set, options);
  EXPECT_THAT(openusd.diagnostics, reports(Severity::warning, kBad, "is ignored"));
  EXPECT_EQ(openusd.x().get<double>(1), 5);
}

TEST(BadClips, TakesUnreadableClipsAsEmpty) {
  for (const char* name : {"gone.usda", "broken.usda", "dir/../../up.usda", "omni://x.usda"}) {
    SCOPED_TRACE(name);
    const Opened opened = open_set(kGood + "asset[] assetPaths = [@a.usda@, @" + std::string(name) +
                                   "@]\ndouble2[] active = [(0, 0), (5, 1), (8, 1)]");
    EXPECT_THAT(opened.diagnostics, reports(Severity::warning, "stage-missing-clip", name));
    EXPECT_EQ(opened.x().get<double>(0), 1);
    EXPECT_FALSE(opened.x().value(6).has_value());
    EXPECT_EQ(opened.x().explain(6)[0].layer, "root.usda");
  }
}

TEST(BadClips, DeclaresNothingWithoutItsManifest) {
  for (const char* manifest : {"@gone.usda@", "@@"}) {
    SCOPED_TRACE(manifest);
    const Opened opened = open_set(kOneClip + "double2[] active = [(0, 0)]\nasset " +
                                   "manifestAssetPath = " + manifest);
    EXPECT_THAT(opened.diagnostics, reports(Severity::warning, "stage-missing-clip", manifest));
    EXPECT_EQ(opened.x().get<double>(0), 5);
  }
}

TEST(BadClips, ReportsASetThatManyPrimsShareOnce) {
  Diagnostics diagnostics;
  std::string root;
  for (int i = 0; i < 5; ++i) {
    root += "def \"A" + std::to_string(i) + "\" (references = @m.usda@</M>) {}\n";
  }
  open_layers({{"root.usda", root.c_str()},
               {"m.usda",
                "def \"M\" (clips = { dictionary s = { string primPath = \"/C\"\n"
                "asset[] assetPaths = [@gone.usda@]\ndouble2[] active = [(0, 0)] } }) {}"}},
              diagnostics);
  EXPECT_THAT(diagnostics, SizeIs(1));
}

TEST(BadClips, RefusesTemplatesThatMakeNoSense) {
  expect_refused(template_of("w.#.usda", "1", "2", "0"), "templateStride is 0");
  expect_refused(template_of("w.#.usda", "1", "2", "-1"), "templateStride is -1");
  expect_refused(template_of("w.#.usda", "2", "1", "1"), "before templateStartTime");
  expect_refused(template_of("w.#.usda", "1", "2", "1", "1.5"), "templateActiveOffset");
  expect_refused(template_of("w.#.usda", "1", "1e300", "1e299"), "exceed");
  expect_refused(template_of("gone.#.usda", "1", "2", "1"), "no file fits");
  for (const char* path : {"w.usda", "w#.usda", "w.#.#.#.usda", "w.#.x.#.usda", "#/w.usda", "",
                           "w.################.usda"}) {
    expect_refused(template_of(path, "1", "2", "1"), "is not of the form");
  }
  const Opened infinite = open_set(template_of("w.#.usda", "1", "inf", "1"));
  EXPECT_THAT(infinite.diagnostics, reports(Severity::warning, kBad, "not a finite double"));
  EXPECT_EQ(infinite.x().get<double>(1), 5);
}

TEST(BadClips, StopsTemplatesThatStandForTooManyFiles) {
  for (const char* stride : {"1e-9", "1e-300", "0.001"}) {
    SCOPED_TRACE(stride);
    const Opened opened = open_set(template_of("w.#.usda", "0", "1e9", stride));
    EXPECT_THAT(opened.diagnostics, reports(Severity::error, "stage-limit", "limit of 100000"));
    EXPECT_EQ(opened.x().get<double>(1), 5);
  }
}

TEST(BadClips, RefusesStridesTooSmallForTheirTimes) {
  OpenOptions options;
  options.limits.layers = 10;
  const Opened opened =
      open_set(template_of("w.#.usda", "1", "1.0000000000000002", "5e-17"), options);
  EXPECT_THAT(opened.diagnostics, reports(Severity::error, kBad, "too small"));
  EXPECT_EQ(opened.x().get<double>(1), 5);
}

TEST(BadClips, StopsAtTheLimitOfLayers) {
  const std::string set = kGood +
                          "asset[] assetPaths = [@a.usda@, @w.1.usda@, @w.2.usda@]\n"
                          "double2[] active = [(0, 0), (5, 1), (8, 2)]";
  OpenOptions options;
  options.limits.layers = 5;
  EXPECT_THAT(open_set(set, options).diagnostics, IsEmpty());
  options.limits.layers = 4;
  const Opened opened = open_set(set, options);
  EXPECT_THAT(opened.diagnostics, reports(Severity::error, "stage-missing-clip", "limit of 4"));
  EXPECT_EQ(opened.x().get<double>(0), 1);
  EXPECT_FALSE(opened.x().value(8).has_value());
}

TEST(BadClips, StopsAtTheLimitOfLayersThatAreMissing) {
  OpenOptions options;
  options.limits.layers = 3;
  const Opened opened =
      open_set(kGood +
                   "asset[] assetPaths = [@g1.usda@, @g2.usda@, @g3.usda@, @g4.usda@, @g5.usda@]\n"
                   "double2[] active = [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4)]",
               options);
  EXPECT_THAT(opened.diagnostics, reports(Severity::error, "stage-limit", "limit of 3"));
  EXPECT_THAT(opened.diagnostics, SizeIs(4));
}

TEST(BadClips, StopsAtTheLimitOfEntries) {
  // Entries: two times, one prim and its two attributes in the clip, one prim reached.
  const std::string set = kOneClip + "double2[] active = [(0, 0)]\ndouble2[] times = [(0, 0)]";
  OpenOptions options;
  options.limits.clip_entries = 6;
  const Opened all = open_set(set, options);
  EXPECT_THAT(all.diagnostics, IsEmpty());
  EXPECT_EQ(all.x().get<double>(0), 1);
  for (const std::uint64_t limit : {5U, 4U, 1U, 0U}) {
    SCOPED_TRACE(limit);
    options.limits.clip_entries = limit;
    const Opened opened = open_set(set, options);
    EXPECT_THAT(opened.diagnostics, Contains(AllOf(Field(&Diagnostic::code, "stage-limit"),
                                                   Field(&Diagnostic::file, "root.usda"))));
    EXPECT_EQ(opened.x().get<double>(0), 5);
  }
}

TEST(BadClips, RefusesTimesThatRepeatSamplesTooOften) {
  // 2,000 samples, shown 2,000 times over.
  std::string clip = "def \"C\" { double x.timeSamples = {\n";
  std::string times = "double2[] times = [";
  for (int i = 0; i < 2'000; ++i) {
    clip += std::to_string(i) + ": 1,\n";
    times += "(" + std::to_string(i) + (i % 2 == 0 ? ", 0), " : ", 2000), ");
  }
  clip += "}\n}\n";
  const std::string root = "def \"M\" (clips = { dictionary s = {\n" + kOneClip + times +
                           "]\ndouble2[] active = [(0, 0)]\n} }) { double x; }\n";
  OpenOptions options;
  const auto opened = [&](std::uint64_t limit) {
    Opened result;
    options.limits.clip_entries = limit;
    result.stage = open_layers({{"root.usda", root.c_str()}, {"a.usda", clip.c_str()}},
                               result.diagnostics, options);
    return result;
  };
  const Opened refused = opened(3'900'000);
  EXPECT_THAT(refused.diagnostics, reports(Severity::error, "stage-limit", "3900000"));
  EXPECT_EQ(refused.x().source(0), ValueSource::none);
  const Opened shown = opened(4'100'000);
  EXPECT_THAT(shown.diagnostics, IsEmpty());
  EXPECT_GT(shown.x().time_sample_count(), 3'900'000u);
}

TEST(BadClips, SurvivesTimesAtTheEndsOfTheNumbers) {
  const Opened opened =
      open_set(kOneClip +
               "double2[] active = [(-1.7e308, 0), (1.7e308, 0)]\n"
               "double2[] times = [(-1.7e308, 1.7e308), (0, -1.7e308), (5e-324, 5), (1.7e308, 0)]");
  EXPECT_THAT(opened.diagnostics, IsEmpty());
  for (const double time : opened.x().time_samples()) opened.x().value(time);
  for (const double time : {-1e308, -1.0, 0.0, 1e-320, 1.0, 1e308, 1.79e308}) {
    EXPECT_TRUE(opened.x().value(time).has_value()) << time;
  }
}

TEST(BadClips, ReadsNestedClipsInBoundedTime) {
  // Every prim has clips, and those of all above it.
  std::string root;
  for (int i = 0; i < 300; ++i)
    root += "def \"P\" (clips = { dictionary s = {\n" + kOneClip +
            "double2[] active = [(0, 0)]\n} }) {\n";
  root += "double x\n";
  for (int i = 0; i < 300; ++i) root += "}\n";
  Diagnostics diagnostics;
  OpenOptions options;
  options.limits.clip_entries = 40'000;
  const StagePtr stage =
      open_layers({{"root.usda", root.c_str()}, {"a.usda", kClip}}, diagnostics, options);
  ASSERT_NE(stage, nullptr);
  EXPECT_EQ(stage->prim_count(), 300u);
  EXPECT_THAT(diagnostics, Contains(Field(&Diagnostic::code, "stage-limit")));
  EXPECT_THAT(diagnostics, SizeIs(1));
}

TEST(BadClips, MayNameTheLayersOfTheStageItself) {
  Diagnostics diagnostics;
  const StagePtr stage =
      open_layers({{"root.usda",
                    "def \"M\" (clips = { dictionary s = { string primPath = \"/M\"\n"
                    "asset[] assetPaths = [@root.usda@]\ndouble2[] active = [(0, 0)] } }) {\n"
                    "double x.timeSamples = { 0: 1 }; }\n"}},
                  diagnostics);
  EXPECT_THAT(diagnostics, IsEmpty());
  EXPECT_EQ(stage->prim("/M").attribute("x").get<double>(0), 1);
}

TEST(BadClips, RefusesTemplatesThatLackOneOfTheirNumbers) {
  const std::string numbers[] = {"double templateStartTime = 1\n", "double templateEndTime = 2\n",
                                 "double templateStride = 1\n"};
  for (std::size_t missing = 0; missing < 3; ++missing) {
    std::string set = kGood + "string templateAssetPath = \"w.#.usda\"\n";
    for (std::size_t i = 0; i < 3; ++i) {
      if (i != missing) set += numbers[i];
    }
    expect_refused(set, "needs templateStartTime, templateEndTime and templateStride");
    // A number of another type is none, which is told as well.
    const std::string whole = set + "int" + numbers[missing].substr(6);
    const Opened opened = open_set(whole);
    EXPECT_THAT(opened.diagnostics, reports(Severity::warning, kBad, "not a finite double"));
    EXPECT_THAT(opened.diagnostics, reports(Severity::error, kBad, "needs templateStartTime"));
    EXPECT_EQ(opened.x().get<double>(1), 5);
  }
}

TEST(BadClips, RefusesTemplatesWhoseTimesAreTooLargeOnEitherSide) {
  expect_refused(template_of("w.#.usda", "-2e15", "1e15", "1e15"), "its times exceed");
  expect_refused(template_of("w.#.usda", "-1e15", "2e15", "1e15"), "its times exceed");
  expect_refused(template_of("w.#.usda", "-1e15", "1e15", "1e15"), "no file fits");
}

TEST(BadClips, TakesAnActiveOffsetAsLargeAsTheStride) {
  // Active from 2 and from 3 on, at clip times from 0 to 3.
  const Opened opened = open_set(template_of("w.#.usda", "1", "2", "1", "1"));
  EXPECT_THAT(opened.diagnostics, IsEmpty());
  EXPECT_THAT(opened.x().time_samples(), ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(opened.x().get<double>(1.5), 2.5);
  expect_refused(template_of("w.#.usda", "1", "2", "1", "-1.001"), "templateActiveOffset");
}

TEST(BadClips, LooksForNoMoreFilesOfATemplateThanThereMayBeLayers) {
  OpenOptions options;
  options.limits.layers = 3;
  const Opened most = open_set(template_of("w.#.usda", "2", "4", "1"), options);
  EXPECT_THAT(most.diagnostics, IsEmpty());
  EXPECT_EQ(most.x().get<double>(2), 3);
  const Opened more = open_set(template_of("w.#.usda", "2", "5", "1"), options);
  EXPECT_THAT(more.diagnostics, SizeIs(1));
  EXPECT_THAT(more.diagnostics, reports(Severity::error, "stage-limit", "limit of 3"));
}

TEST(BadClips, IgnoresATemplateOfAnotherTypeOverOneThatNamesClips) {
  Diagnostics diagnostics;
  const std::string named = "over \"M\" (clips = { dictionary s = {\n" +
                            template_of("w.#.usda", "1", "2", "1") + "\n} }) {}\n";
  const StagePtr stage = open_layers(
      {{"root.usda",
        "(subLayers = [@named.usda@, @weak.usda@])\n"
        "over \"M\" (clips = { dictionary s = { double templateAssetPath = 3 } }) {}\n"},
       {"named.usda", named.c_str()},
       {"weak.usda", "def \"M\" { double x = 5; }\n"},
       {"w.1.usda", kClip},
       {"w.2.usda", kClip}},
      diagnostics);
  EXPECT_THAT(diagnostics, SizeIs(1));
  EXPECT_THAT(diagnostics, reports(Severity::warning, kBad,
                                   "The templateAssetPath of the clip set 's' is not a string"));
  EXPECT_EQ(stage->prim("/M").attribute("x").get<double>(1), 5);
}

TEST(BadClips, IgnoresTextsOfOtherTypesAsOpenUsdDoes) {
  OpenOptions options;
  options.rules = Rules::openusd;
  const std::string active = "\ndouble2[] active = [(0, 0)]\n";
  const Opened token =
      open_set("token primPath = \"/C\"\nasset[] assetPaths = [@a.usda@]" + active, options);
  EXPECT_THAT(token.diagnostics, SizeIs(1));
  EXPECT_THAT(token.diagnostics,
              reports(Severity::warning, kBad, "The primPath of the clip set 's' is not a string"));
  EXPECT_EQ(token.x().get<double>(3), 5);
  const std::string manifest = kOneClip + active + "string manifestAssetPath = \"gone.usda\"";
  const Opened string = open_set(manifest, options);
  EXPECT_THAT(string.diagnostics, SizeIs(1));
  EXPECT_THAT(string.diagnostics,
              reports(Severity::warning, kBad,
                      "The manifestAssetPath of the clip set 's' is not an asset and is ignored"));
  EXPECT_EQ(string.x().get<double>(3), 4);
  const Opened documented = open_set(manifest);
  EXPECT_THAT(documented.diagnostics, reports(Severity::warning, kBad, "but is read as one"));
  EXPECT_THAT(documented.diagnostics, reports(Severity::warning, "stage-missing-clip", "gone"));
}

TEST(BadClips, SaysThatTimesAreSortedWhereverTheyAreNot) {
  for (const char* times :
       {"double2[] active = [(5, 0), (0, 0), (7, 0)]",
        "double2[] active = [(0, 0)]\ndouble2[] times = [(9, 9), (0, 0), (10, 10)]"}) {
    const Opened opened = open_set(kOneClip + times);
    EXPECT_THAT(opened.diagnostics, SizeIs(1)) << times;
    EXPECT_THAT(opened.diagnostics, reports(Severity::warning, kBad, "they are sorted"));
  }
  const Opened sorted = open_set(
      kOneClip + "double2[] active = [(0, 0), (7, 0)]\ndouble2[] times = [(0, 0), (4, 4), (4, 1)]");
  EXPECT_THAT(sorted.diagnostics, IsEmpty());
}

TEST(BadClips, TakesEmptyListsOfAnotherTypeForNothing) {
  const Opened opened = open_set(kOneClip + "double2[] active = [(0, 0)]\nint[] times = []");
  EXPECT_THAT(opened.diagnostics, IsEmpty());
  EXPECT_EQ(opened.x().get<double>(3), 4);
}

// The set has two stretches; one of its samples stands for each of the attribute in each of them.
TEST(BadClips, ShowsAsManySamplesAsTheLimitOfEntries) {
  for (const int samples : {9, 10}) {
    std::string clip = "def \"C\" { double x.timeSamples = {\n";
    for (int i = 0; i < samples; ++i) clip += std::to_string(i) + ": 1,\n";
    clip += "}\n}\n";
    const std::string root = "def \"M\" (clips = { dictionary s = {\n" + kOneClip +
                             "double2[] active = [(0, 0), (5, 0)]\n} }) { double x; }\n";
    OpenOptions options;
    options.limits.clip_entries = 20;
    Diagnostics diagnostics;
    const StagePtr stage =
        open_layers({{"root.usda", root.c_str()}, {"a.usda", clip.c_str()}}, diagnostics, options);
    EXPECT_EQ(stage->prim("/M").attribute("x").get<double>(0).has_value(), samples == 9);
    EXPECT_THAT(diagnostics, SizeIs(samples == 9 ? 0 : 1));
  }
}

// Twenty stretches of 30 attributes are ten times the limit of 60.
TEST(BadClips, ShowsTenTimesAsManyAttributesAsTheLimitOfEntries) {
  for (const int attributes : {30, 31}) {
    std::string clip = "def \"C\" {\n";
    for (int i = 0; i < attributes; ++i) {
      clip += "double x" + std::to_string(i) + ".timeSamples = { 0: 1 }\n";
    }
    clip += "}\n";
    std::string active;
    for (int i = 0; i < 20; ++i) active += "(" + std::to_string(i) + ", 0), ";
    const std::string root = "def \"M\" (clips = { dictionary s = {\n" + kOneClip +
                             "double2[] active = [" + active + "]\n} }) { double x0; }\n";
    OpenOptions options;
    options.limits.clip_entries = 60;
    Diagnostics diagnostics;
    const StagePtr stage =
        open_layers({{"root.usda", root.c_str()}, {"a.usda", clip.c_str()}}, diagnostics, options);
    EXPECT_EQ(stage->prim("/M").attribute("x0").get<double>(0).has_value(), attributes == 30);
    if (attributes == 30) {
      EXPECT_THAT(diagnostics, IsEmpty());
    } else {
      EXPECT_THAT(diagnostics, reports(Severity::error, "stage-limit", "more samples than the"));
    }
  }
}

}  // namespace
}  // namespace sinew::stage::bad_clips_test
