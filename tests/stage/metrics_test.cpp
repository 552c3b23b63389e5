// SPDX-License-Identifier: Apache-2.0
// What a stage says of its units and times, name by name.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sinew/stage/check_metrics.hpp"
#include "stage/support.hpp"

namespace sinew::stage::metrics_test {
namespace {

Metrics metrics_of(const std::string& metadata, Rules rules = Rules::documented) {
  Diagnostics diagnostics;
  OpenOptions options;
  options.rules = rules;
  const std::string text = "(\n" + metadata + "\n)\n";
  const StagePtr stage = open_layers({{"root.usda", text.c_str()}}, diagnostics, options);
  return stage ? stage->metrics() : Metrics{};
}

TEST(Metrics, AreThoseOfTheDocumentationIfNothingIsSaid) {
  const Metrics metrics = metrics_of("");
  EXPECT_EQ(metrics.up_axis, "Y");
  EXPECT_EQ(metrics.meters_per_unit, 0.01);
  EXPECT_EQ(metrics.kilograms_per_unit, 1.0);
  EXPECT_EQ(metrics.time_codes_per_second, 24.0);
  EXPECT_EQ(metrics.frames_per_second, 24.0);
  EXPECT_EQ(metrics.start_time_code, 0.0);
  EXPECT_EQ(metrics.end_time_code, 0.0);
  EXPECT_FALSE(metrics.has_meters_per_unit);
  EXPECT_FALSE(metrics.has_kilograms_per_unit);
  EXPECT_FALSE(metrics.has_up_axis);
  EXPECT_FALSE(metrics.has_time_code_range);
  EXPECT_EQ(metrics.default_prim, "");
}

TEST(Metrics, AreAsTheRootLayerSays) {
  const Metrics metrics = metrics_of(
      "defaultPrim = \"A\"\nendTimeCode = 7\nframesPerSecond = 30\nkilogramsPerUnit = 3\n"
      "metersPerUnit = 2\nstartTimeCode = 5\ntimeCodesPerSecond = 48\nupAxis = \"Z\"");
  EXPECT_EQ(metrics.up_axis, "Z");
  EXPECT_EQ(metrics.meters_per_unit, 2.0);
  EXPECT_EQ(metrics.kilograms_per_unit, 3.0);
  EXPECT_EQ(metrics.time_codes_per_second, 48.0);
  EXPECT_EQ(metrics.frames_per_second, 30.0);
  EXPECT_EQ(metrics.start_time_code, 5.0);
  EXPECT_EQ(metrics.end_time_code, 7.0);
  EXPECT_TRUE(metrics.has_meters_per_unit);
  EXPECT_TRUE(metrics.has_kilograms_per_unit);
  EXPECT_TRUE(metrics.has_up_axis);
  EXPECT_TRUE(metrics.has_time_code_range);
  EXPECT_EQ(metrics.default_prim, "A");
}

TEST(Metrics, TakeTheOldNamesOfTimesWhereTheNewAreMissing) {
  const Metrics old = metrics_of("endFrame = 9\nstartFrame = 3");
  EXPECT_EQ(old.start_time_code, 3.0);
  EXPECT_EQ(old.end_time_code, 9.0);
  EXPECT_TRUE(old.has_time_code_range);

  const Metrics both =
      metrics_of("endFrame = 9\nendTimeCode = 8\nstartFrame = 3\nstartTimeCode = 4");
  EXPECT_EQ(both.start_time_code, 4.0);
  EXPECT_EQ(both.end_time_code, 8.0);

  const Metrics mixed = metrics_of("endFrame = 9\nstartTimeCode = 4");
  EXPECT_EQ(mixed.start_time_code, 4.0);
  EXPECT_EQ(mixed.end_time_code, 9.0);
  EXPECT_TRUE(mixed.has_time_code_range);
  EXPECT_FALSE(metrics_of("endFrame = 9\nstartTimeCode = 4", Rules::openusd).has_time_code_range);
  EXPECT_TRUE(metrics_of("endFrame = 9\nstartFrame = 4", Rules::openusd).has_time_code_range);

  EXPECT_FALSE(metrics_of("startTimeCode = 4").has_time_code_range);
  EXPECT_FALSE(metrics_of("endTimeCode = 4").has_time_code_range);
}

TEST(Metrics, TakeTimesOfTheSessionLayerByEitherNameFirst) {
  for (const Rules rules : {Rules::documented, Rules::openusd}) {
    Diagnostics diagnostics;
    OpenOptions options;
    options.rules = rules;
    options.session_layer = "session.usda";
    const StagePtr stage = open_layers({{"root.usda", "(\nstartTimeCode = 4\nendTimeCode = 8\n)\n"},
                                        {"session.usda", "(\nstartFrame = 2\n)\n"}},
                                       diagnostics, options);
    ASSERT_NE(stage, nullptr);
    EXPECT_EQ(stage->metrics().start_time_code, 2.0);
    EXPECT_EQ(stage->metrics().end_time_code, 8.0);
    EXPECT_TRUE(stage->metrics().has_time_code_range);
  }
}

TEST(Metrics, TakeSmallLettersOfAnAxisByTheDocumentedRulesAlone) {
  EXPECT_EQ(metrics_of("upAxis = \"z\"").up_axis, "Z");
  EXPECT_EQ(metrics_of("upAxis = \"x\"").up_axis, "X");
  EXPECT_EQ(metrics_of("upAxis = \"z\"", Rules::openusd).up_axis, "z");
  EXPECT_EQ(metrics_of("upAxis = \"w\"").up_axis, "w");
  EXPECT_EQ(metrics_of("upAxis = \"zz\"").up_axis, "zz");
}

// The codes of what is wrong with metadata of the root layer.
std::vector<std::string> faults_of(const std::string& metadata, Rules rules = Rules::documented) {
  Diagnostics diagnostics;
  OpenOptions options;
  options.rules = rules;
  const std::string text = "(\n" + metadata + "\n)\n";
  const StagePtr stage = open_layers({{"root.usda", text.c_str()}}, diagnostics, options);
  diagnostics.clear();
  check_metrics(*stage, diagnostics);
  std::vector<std::string> codes;
  for (const Diagnostic& diagnostic : diagnostics) codes.push_back(diagnostic.code);
  return codes;
}

TEST(CheckMetrics, WarnsOfWhatNothingCanBeMeasuredIn) {
  using Codes = std::vector<std::string>;
  EXPECT_EQ(faults_of(""), Codes());
  EXPECT_EQ(faults_of("metersPerUnit = 0.01\nkilogramsPerUnit = 2\nupAxis = \"Z\""), Codes());
  for (const char* value : {"0", "-1", "nan", "inf"}) {
    EXPECT_EQ(faults_of("metersPerUnit = " + std::string(value)), Codes{"stage-bad-units"});
    EXPECT_EQ(faults_of("kilogramsPerUnit = " + std::string(value)), Codes{"stage-bad-units"});
  }
  EXPECT_EQ(faults_of("upAxis = \"Q\""), Codes{"stage-bad-up-axis"});
  EXPECT_EQ(faults_of("upAxis = \"z\""), Codes{"stage-lower-case-up-axis"});
}

TEST(CheckMetrics, TakesThreeLettersForAxesAndWarnsOfTheSmallOnesThatAreRead) {
  using Codes = std::vector<std::string>;
  for (const char* axis : {"X", "Y", "Z"}) {
    EXPECT_EQ(faults_of("upAxis = \"" + std::string(axis) + "\""), Codes()) << axis;
  }
  for (const char* axis : {"x", "y", "z"}) {
    const std::string metadata = "upAxis = \"" + std::string(axis) + "\"";
    EXPECT_EQ(faults_of(metadata), Codes{"stage-lower-case-up-axis"}) << axis;
    EXPECT_EQ(faults_of(metadata, Rules::openusd), Codes{"stage-bad-up-axis"}) << axis;
  }
  EXPECT_EQ(metrics_of("upAxis = \"y\"").up_axis, "Y");
  EXPECT_EQ(metrics_of("upAxis = \"{\"").up_axis, "{") << "It comes after z.";
}

TEST(CheckMetrics, WarnsOfTimesThatCannotBe) {
  using Codes = std::vector<std::string>;
  for (const char* rate : {"0", "-24", "nan", "inf"}) {
    EXPECT_EQ(faults_of("timeCodesPerSecond = " + std::string(rate)), Codes{"stage-bad-time-codes"})
        << rate;
  }
  EXPECT_EQ(faults_of("startTimeCode = 2\nendTimeCode = 1"), Codes{"stage-bad-time-codes"});
  EXPECT_EQ(faults_of("startTimeCode = 2\nendTimeCode = 2"), Codes());
  EXPECT_EQ(faults_of("startTimeCode = 2"), Codes()) << "An end that is not written is none.";
}

TEST(CheckMetrics, WarnsOfADefaultPrimThatIsNotThere) {
  EXPECT_EQ(faults_of("defaultPrim = \"Nobody\""),
            std::vector<std::string>{"stage-bad-default-prim"});
}

TEST(CheckMetrics, TellsOfLayersThatMeasureOtherwise) {
  const auto differences = [](const char* metadata) {
    Diagnostics diagnostics;
    const std::string other =
        std::string("(\n") + metadata + "\ndefaultPrim = \"A\"\n)\ndef \"A\" {}\n";
    const StagePtr stage = open_layers({{"root.usda",
                                         "(\nmetersPerUnit = 1\nupAxis = \"Z\"\n)\n"
                                         "def \"A\" (references = @other.usda@) {}\n"},
                                        {"other.usda", other.c_str()}},
                                       diagnostics);
    diagnostics.clear();
    check_metrics(*stage, diagnostics);
    std::vector<std::string> told;
    for (const Diagnostic& diagnostic : diagnostics) {
      EXPECT_EQ(diagnostic.code, "stage-metrics-differ");
      EXPECT_EQ(diagnostic.severity, Severity::info);
      EXPECT_NE(diagnostic.file.find("other.usda"), std::string::npos);
      told.push_back(diagnostic.message.substr(0, diagnostic.message.find(' ')));
    }
    return told;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(differences(""), Names()) << "It says nothing, so it means nothing.";
  EXPECT_EQ(differences("metersPerUnit = 1\nupAxis = \"Z\"\nkilogramsPerUnit = 1"), Names());
  EXPECT_EQ(differences("metersPerUnit = 0.99999998"), Names()) << "It was a float.";
  EXPECT_EQ(differences("metersPerUnit = 0.01\nupAxis = \"Y\"\nkilogramsPerUnit = 2"),
            (Names{"metersPerUnit", "kilogramsPerUnit", "upAxis"}));
}

}  // namespace
}  // namespace sinew::stage::metrics_test
