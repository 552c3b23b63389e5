// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "stage/dictionary_order.hpp"
#include "stage/interpolate.hpp"
#include "stage/support.hpp"

namespace sinew::stage::value_test {
namespace {

using ::testing::ElementsAre;

class Values : public ::testing::Test {
 protected:
  void open(const char* strong, const char* weak = "def \"A\" {}\n") {
    const std::string root = std::string("(subLayers = [@weak.usda@])\n") + strong;
    stage_ = open_layers({{"root.usda", root.c_str()}, {"weak.usda", weak}}, diagnostics_);
  }
  std::vector<double> at(std::initializer_list<Time> times) const {
    std::vector<double> values;
    for (const Time time : times) {
      values.push_back(stage_->prim("/A").attribute("x").get<double>(time).value_or(-99));
    }
    return values;
  }
  StagePtr stage_;
  Diagnostics diagnostics_;
};

TEST(Handles, OfNoPropertyAnswerAsOneWithoutOpinions) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda", "def \"A\" {\n  double x\n}\n"}}, diagnostics);
  const auto nothing = stage->prim("/A").attribute("y");
  const auto unauthored = stage->prim("/A").attribute("x");
  ASSERT_FALSE(nothing);
  ASSERT_TRUE(unauthored);
  for (const Attribute& attribute : {nothing, unauthored}) {
    EXPECT_EQ(attribute.source(3), ValueSource::none);
    EXPECT_FALSE(attribute.value(3).has_value());
    EXPECT_EQ(attribute.get<double>(), std::nullopt);
    EXPECT_FALSE(attribute.get_array<double>().has_value());
    EXPECT_EQ(attribute.get_text(), std::nullopt);
    EXPECT_FALSE(attribute.has_authored_value());
    EXPECT_FALSE(attribute.has_authored_opinion());
    EXPECT_FALSE(attribute.might_be_time_varying());
    EXPECT_THAT(attribute.time_samples(), ElementsAre());
    EXPECT_EQ(attribute.time_sample_count(), 0U);
    EXPECT_FALSE(attribute.has_connections());
    EXPECT_THAT(attribute.connections(&diagnostics), ElementsAre());
    EXPECT_EQ(attribute.resolved_asset(), "");
    EXPECT_FALSE(attribute.is_custom());
    EXPECT_EQ(attribute.variability(), layer::Variability::varying);
    EXPECT_FALSE(attribute.metadata("doc").has_value());
  }
  EXPECT_EQ(nothing.type_name(), "");
  EXPECT_TRUE(nothing.name().empty());
  EXPECT_TRUE(nothing.path().empty());
  EXPECT_FALSE(nothing.prim());
  EXPECT_TRUE(nothing.explain().empty());
  const Relationship relationship = stage->prim("/A").relationship("r");
  ASSERT_FALSE(relationship);
  EXPECT_FALSE(relationship.has_authored_targets());
  EXPECT_THAT(relationship.targets(&diagnostics), ElementsAre());
  EXPECT_THAT(relationship.forwarded_targets(), ElementsAre());
  EXPECT_THAT(diagnostics, ElementsAre());
}

TEST_F(Values, ABlockHidesWeakerOpinions) {  // stage 10.7
  open("over \"A\" { double x = None; }\n", "def \"A\" { double x = 42; }\n");
  EXPECT_THAT(at({Time(), 0, 5}), ElementsAre(-99, -99, -99));
  EXPECT_FALSE(stage_->prim("/A").attribute("x").has_authored_value());
  EXPECT_TRUE(stage_->prim("/A").attribute("x").has_authored_opinion());
}

TEST_F(Values, SamplesHoldBeforeABlockAndWinOverDefaults) {  // stage 10.7
  open("over \"A\" { double x.timeSamples = { 0: 1, 10: None, 20: 3 }; }\n",
       "def \"A\" { double x = 42; }\n");
  EXPECT_THAT(at({Time(), 0, 5, 10, 15, 20}), ElementsAre(42, 1, 1, -99, -99, 3));
}

TEST_F(Values, SamplesAtNoNumberChangeNoOthers) {
  open("over \"A\" { double x.timeSamples = { 5: 1, 3: 2, nan: 6 }; }\n",
       "def \"A\" { double x; }\n");
  EXPECT_THAT(at({3, 4, 5, 9}), ElementsAre(2, 1.5, 1, 1));
  open("over \"A\" { double x.timeSamples = { nan: 6 }; }\n", "def \"A\" { double x; }\n");
  EXPECT_THAT(at({0, 9}), ElementsAre(6, 6));
}

TEST_F(Values, AStrongerDefaultHidesWeakerSamples) {  // stage 10.7
  open("over \"A\" { double x = 5; }\n", "def \"A\" { double x.timeSamples = { 0: 1, 10: 2 }; }\n");
  EXPECT_THAT(at({Time(), 0, 5}), ElementsAre(5, 5, 5));
}

TEST_F(Values, AnAnimationBlockHidesWeakerSamplesOnly) {  // stage 10.7
  open("over \"A\" { double x = AnimationBlock; }\n",
       "def \"A\" { double x = 42; double x.timeSamples = { 0: 1 }; }\n");
  EXPECT_THAT(at({Time(), 0}), ElementsAre(42, 42));
}

// A spline counts at numeric times, over the default beside it and what is weaker; the times of
// the layer are put through its offset.
TEST_F(Values, SplinesAreCurvesOfTheStagesTime) {  // stage 5.1
  Diagnostics diagnostics;
  const StagePtr stage = open_layers(
      {{"root.usda",
        "(subLayers = [@strong.usda@ (offset = 10; scale = 2), @weak.usda@])\n"
        "over \"A\" {\n  double s.timeSamples = { 0: 7 }\n"
        "  double s.spline = { 0: 1, }\n}\n"},
       {"strong.usda",
        "def \"A\" {\n  float x = 42\n  float x.spline = {\n    pre: linear,\n    post: none,\n"
        "    1: 5; post linear,\n    3: 9,\n  }\n  timecode t.spline = { 1: 5; post linear, 3: 9, "
        "}\n"
        "  half h.spline = { 1: 0.1, }\n}\n"},
       {"weak.usda", "def \"A\" {\n  float x.timeSamples = { 0: 1, 10: 2 }\n  double s = 3\n}\n"}},
      diagnostics);
  const Attribute x = stage->prim("/A").attribute("x");
  // 12 and 16 on the stage are 1 and 3 in the layer.
  std::vector<float> values;
  for (const Time time : {Time(), Time(10), Time(12), Time(14), Time(15.5), Time(16)}) {
    values.push_back(x.get<float>(time).value_or(-99.0F));
  }
  EXPECT_THAT(values, ElementsAre(42, 3, 5, 7, 8.5F, -99));
  EXPECT_EQ(x.get<float>(Time::earliest()), 5.0F);
  EXPECT_EQ(x.source(12), ValueSource::spline);
  EXPECT_EQ(x.source(), ValueSource::default_);
  EXPECT_EQ(x.get<double>(12), std::nullopt) << "of another type, as samples";
  EXPECT_TRUE(x.might_be_time_varying());
  EXPECT_THAT(x.time_samples(), ElementsAre());
  EXPECT_THAT(x.spline_sample_times(), ElementsAre(12, 14, 16));
  EXPECT_EQ(x.explain(12).front().note, "spline");

  EXPECT_EQ(stage->prim("/A").attribute("t").get<double>(14.0), 24.0) << "a time of the layer: 7";
  EXPECT_EQ(stage->prim("/A").attribute("h").get<Half>(14.0), Half(0.1F));
  const Attribute s = stage->prim("/A").attribute("s");
  EXPECT_EQ(s.get<double>(0.0), 7.0) << "samples of the same spec win";
  EXPECT_THAT(s.spline_sample_times(), ElementsAre());
  EXPECT_FALSE(stage->prim("/A").attribute("h").might_be_time_varying());
  EXPECT_THAT(diagnostics, ElementsAre());
}

TEST_F(Values, EmptySamplesDoNotCount) {  // stage 10.7
  open("over \"A\" { double x.timeSamples = {}; }\n", "def \"A\" { double x = 6; }\n");
  EXPECT_THAT(at({Time(), 0}), ElementsAre(6, 6));
}

TEST_F(Values, HeldTypesDoNotInterpolateAndArraysOfOtherLengthHold) {  // stage 10.7
  open(R"(def "A" {
    int i.timeSamples = { 0: 0, 10: 10 }
    float[] f.timeSamples = { 0: [0, 0], 10: [1, 2], 20: [1, 2, 3] }
}
)");
  const Prim prim = stage_->prim("/A");
  EXPECT_EQ(prim.attribute("i").get<std::int32_t>(9.9999999), 0);
  EXPECT_EQ(prim.attribute("i").get<std::int32_t>(10), 10);
  EXPECT_EQ((*prim.attribute("f").get_array<float>(5))[1], 1.0F);
  EXPECT_EQ(prim.attribute("f").get_array<float>(15)->size(), 2u);
}

TEST_F(Values, QuaternionsTakeTheShorterWay) {  // stage 10.7
  open(R"(def "A" {
    quatf q.timeSamples = { 0: (1, 0, 0, 0), 10: (-.7071068, 0, 0, -.7071068) }
}
)");
  const Quatf q = *stage_->prim("/A").attribute("q").get<Quatf>(5);
  EXPECT_NEAR(q.w(), 0.9238795F, 1e-6F);
  EXPECT_NEAR(q.z(), 0.3826834F, 1e-6F);
}

TEST_F(Values, SamplesNextToEachOtherAreNotMixed) {  // stage 5.3
  open("def \"A\" { double x.timeSamples = { 0: 1, 0.0000009: 3, 5: 1, 5.000002: 3 }; }\n");
  EXPECT_THAT(at({0.00000045, 0.0000009}), ElementsAre(1, 3));
  EXPECT_NEAR(at({5.000001})[0], 2, 1e-6);
}

TEST_F(Values, HeldStagesGiveTheLowerSample) {
  Diagnostics diagnostics;
  OpenOptions options;
  options.interpolation = Interpolation::held;
  const StagePtr stage =
      open_layers({{"root.usda", "def \"A\" { double x.timeSamples = { 1: 1, 3: 3 }; }\n"}},
                  diagnostics, options);
  const Attribute x = stage->prim("/A").attribute("x");
  EXPECT_EQ(x.get<double>(0), 1.0);
  EXPECT_EQ(x.get<double>(2.9), 1.0);
  EXPECT_EQ(x.get<double>(3), 3.0);
}

// stage 5.3: rotations by almost nothing are mixed with plain weights, and get shorter by that.
TEST_F(Values, QuaternionsThatAreNearlyTheSameAreMixedWithPlainWeights) {
  for (const bool is_near : {true, false}) {
    const double dot = 1.0 - (is_near ? 0.9e-5 : 1.1e-5);
    const std::string text = fmt::format(
        "def \"A\" {{ quatd q.timeSamples = {{ 0: (1, 0, 0, 0), 2: ({}, {}, 0, 0) }}; }}\n", dot,
        std::sqrt(1.0 - dot * dot));
    open(text.c_str());
    const Quatd q = *stage_->prim("/A").attribute("q").get<Quatd>(1);
    EXPECT_NEAR(q.norm(), is_near ? std::sqrt(0.5 * (1.0 + dot)) : 1.0, 1e-9);
  }
}

// stage 5.3: where types or sizes differ, the lower sample holds.
TEST(Interpolate, GivesTheLowerValueWhereTheTwoAreNotAlike) {
  using layer::ElementType;
  using layer::Value;
  const std::vector<double> one = {1.0};
  const std::vector<double> two = {3.0, 4.0};
  const Value scalar = Value::scalar(ElementType::double_, 1.0);
  const Value array = Value::array<double>(ElementType::double_, one);
  const Value longer = Value::array<double>(ElementType::double_, two);
  const Value single = Value::scalar(ElementType::float_, 3.0F);
  const Value when = Value::scalar(ElementType::timecode, 3.0);
  const Value empty = Value::array<double>(ElementType::double_, std::span<const double>());
  for (const Value& upper : {array, longer, single, when, empty}) {
    EXPECT_EQ(interpolate(scalar, upper, 0.5), scalar);
    EXPECT_EQ(interpolate(upper, scalar, 0.5), upper);
  }
  EXPECT_EQ(interpolate(array, longer, 0.5), array);
  EXPECT_EQ(interpolate(longer, array, 0.5), longer);
  EXPECT_EQ(interpolate(empty, empty, 0.5), empty);
  const std::vector<double> other = {5.0, 8.0};
  const Value mixed = interpolate(longer, Value::array<double>(ElementType::double_, other), 0.5);
  EXPECT_THAT(mixed.as_array<double>(), ElementsAre(4.0, 6.0));
}

TEST_F(Values, ArrayEditsWorkOnWeakerArrays) {
  open("over \"A\" { int[] a = edit [append 9; write 7 to [0]; erase [1]]; }\n",
       "def \"A\" { int[] a = [1, 2, 3]; }\n");
  EXPECT_THAT(stage_->prim("/A").attribute("a").get_array<std::int32_t>()->span(),
              ElementsAre(7, 3, 9));
}

// Array edits over whatever may lie below them, at the default time and at times.
TEST_F(Values, ArrayEditsStopAtWhatIsNoArray) {
  const char* edit = "over \"A\" { int[] a = edit [append 9]; }\n";
  const auto numbers = [&](Time time) {
    const auto array = stage_->prim("/A").attribute("a").get_array<std::int32_t>(time);
    return array ? std::vector<std::int32_t>(array->begin(), array->end())
                 : std::vector<std::int32_t>{-99};
  };
  open(edit, "def \"A\" { int[] a = [1]\nint[] a.timeSamples = { 0: [2], 4: [3] }; }\n");
  EXPECT_THAT(numbers(Time()), ElementsAre(1, 9));
  EXPECT_THAT(numbers(1), ElementsAre(2, 9));
  EXPECT_THAT(numbers(5), ElementsAre(3, 9));
  open(edit, "def \"A\" { int[] a = None; }\n");
  EXPECT_THAT(numbers(Time()), ElementsAre(-99));
  open(edit, "def \"A\" { int[] a = [1]\nint[] a.timeSamples = { 0: None }; }\n");
  EXPECT_THAT(numbers(Time()), ElementsAre(1, 9));
  EXPECT_THAT(numbers(0), ElementsAre(-99));
  open(edit, "def \"A\" { int[] a; }\n");
  EXPECT_THAT(numbers(Time()), ElementsAre(9)) << "An opinion without a value says nothing.";
  open("over \"A\" { int[] a = edit [append 9]; }\n", "over \"A\" { rel a = </A>; }\n");
  EXPECT_THAT(numbers(Time()), ElementsAre(9));
}

TEST_F(Values, InterpolateEveryKindOfRealNumber) {
  open(R"(def "A" {
    double x.timeSamples = { 0: 1, 4: 3 }
    half h.timeSamples = { 0: 1, 4: 3 }
    half2 h2.timeSamples = { 0: (1, 10), 4: (3, 30) }
    half3 h3.timeSamples = { 0: (1, 10, 100), 4: (3, 30, 300) }
    float2 f2.timeSamples = { 0: (1, 10), 4: (3, 30) }
    float4 f4.timeSamples = { 0: (1, 10, 100, 0), 4: (3, 30, 300, 4) }
    double2 d2.timeSamples = { 0: (1, 10), 4: (3, 30) }
    quatd q.timeSamples = { 0: (1, 0, 0, 0), 4: (0, 0, 0, 1) }
    quath r.timeSamples = { 0: (1, 0, 0, 0), 4: (0, 0, 1, 0) }
    matrix2d m.timeSamples = { 0: ((1, 2), (3, 4)), 4: ((5, 6), (7, 8)) }
}
)");
  const auto value = [&]<typename T>(const char* name, T) {
    return *stage_->prim("/A").attribute(name).get<T>(1);
  };
  EXPECT_THAT(at({1}), ElementsAre(1.5));
  EXPECT_EQ(static_cast<float>(value("h", Half())), 1.5F);
  EXPECT_EQ(value("h2", Vector2h()).cast<float>(), Vector2f(1.5F, 15.0F));
  EXPECT_EQ(value("h3", Vector3h()).cast<float>(), Vector3f(1.5F, 15.0F, 150.0F));
  EXPECT_EQ(value("f2", Vector2f()), Vector2f(1.5F, 15.0F));
  EXPECT_EQ(value("f4", Vector4f()), Vector4f(1.5F, 15.0F, 150.0F, 1.0F));
  EXPECT_EQ(value("d2", Vector2d()), Vector2d(1.5, 15.0));
  EXPECT_TRUE(
      value("q", Quatd())
          .isApprox(Quatd(Eigen::AngleAxisd(0.7853981633974483, Vector3d::UnitZ())), 1e-12));
  EXPECT_NEAR(static_cast<float>(value("r", Quath()).w()), 0.92388F, 1e-3F);
  EXPECT_NEAR(static_cast<float>(value("r", Quath()).y()), 0.38268F, 1e-3F);
  EXPECT_EQ(value("m", Matrix2d()), (Matrix2d() << 2, 4, 3, 5).finished());
}

TEST_F(Values, SplinesGiveNumbersOfTheirAttributesType) {
  using layer::ElementType;
  const std::pair<const char*, layer::Value> cases[] = {
      {"double", layer::Value::scalar(ElementType::double_, 2.0)},
      {"timecode", layer::Value::scalar(ElementType::timecode, 2.0)},
      {"float", layer::Value::scalar(ElementType::float_, 2.0F)},
      {"half", layer::Value::scalar(ElementType::half, Half(2.0F))}};
  for (const auto& [type, expected] : cases) {
    SCOPED_TRACE(type);
    const std::string text =
        std::string("def \"A\" {\n") + type + " x.spline = { 0: 1; post linear, 2: 3, }\n}\n";
    open(text.c_str());
    EXPECT_EQ(stage_->prim("/A").attribute("x").value(1), expected);
  }
}

TEST_F(Values, ExplainSaysWhatEachOpinionIs) {
  const auto notes = [&](Time time) {
    std::vector<std::string> result;
    for (const Opinion& opinion : stage_->prim("/A").attribute("x").explain(time)) {
      result.push_back((opinion.wins ? "* " : "") + opinion.note);
    }
    return result;
  };
  open("over \"A\" { double x.timeSamples = { 0: 1 }; }\n", "def \"A\" { double x = 2; }\n");
  EXPECT_THAT(notes(Time()),
              ElementsAre("time samples do not count at the default time", "* default"));
  EXPECT_THAT(notes(0), ElementsAre("* time samples", "hidden by a stronger opinion"));
  open("over \"A\" { double x; }\n", "def \"A\" { double x = None; }\n");
  EXPECT_THAT(notes(0), ElementsAre("no value", "* blocks the value"));
  open("over \"A\" { double x = 1; }\n", "def \"A\" { double x.timeSamples = { 0: 1 }; }\n");
  EXPECT_THAT(notes(0), ElementsAre("* default", "time samples hidden by a stronger opinion"));
}

TEST_F(Values, MetadataOfSeveralLayersIsComposed) {
  open(
      R"(over "A" (prepend apiSchemas = ["S"]; customData = { int a = 1; dictionary d = { int x = 1 } }; kind = "component") {}
)",
      R"(def "A" (append apiSchemas = ["W"]; customData = { int a = 2; int b = 3; dictionary d = { int y = 2 } }; kind = "group") {}
)");
  const Prim prim = stage_->prim("/A");
  const layer::Value schemas = prim.metadata("apiSchemas");
  std::vector<std::string> names;
  for (const Token name : schemas.as_array<Token>()) names.push_back(name.str());
  EXPECT_THAT(names, ElementsAre("S", "W"));
  EXPECT_EQ(prim.metadata("kind").text(), "component");
  const layer::Value composed = prim.metadata("customData");
  ASSERT_NE(composed.as_dictionary(), nullptr);
  std::vector<std::string> entries;
  for (const layer::DictionaryEntry& entry : *composed.as_dictionary()) {
    entries.push_back(entry.key.str());
    if (const auto number = entry.value.get<std::int32_t>()) {
      entries.back() += "=" + std::to_string(*number);
    }
    if (const auto* inner = entry.value.as_dictionary()) {
      for (const layer::DictionaryEntry& one : *inner) entries.push_back("d." + one.key.str());
    }
  }
  EXPECT_THAT(entries, testing::UnorderedElementsAre("a=1", "b=3", "d", "d.x", "d.y"));
  EXPECT_FALSE(prim.metadata("documentation").has_value());
}

TEST_F(Values, NumbersInMetadataAreEditedLayerByLayer) {
  const auto edited = [&](const std::string& strong, const std::string& weak) {
    const std::string over = "over \"A\" (" + strong + ") {}\n";
    const std::string def = "def \"A\" (" + weak + ") {}\n";
    open(over.c_str(), def.c_str());
    const layer::Value value = stage_->prim("/A").metadata("inactiveIds");
    const layer::ListOp<layer::Value>* const list = value.as_list_op();
    std::vector<std::int64_t> numbers;
    if (list == nullptr || !list->is_explicit) return numbers;
    for (const layer::Value& item : list->explicit_items) {
      numbers.push_back(item.get<std::int64_t>().value_or(-1));
    }
    return numbers;
  };
  EXPECT_THAT(edited("delete inactiveIds = [1]; append inactiveIds = [5000000000]",
                     "inactiveIds = [1, 2, 0]"),
              ElementsAre(2, 0, 5000000000));
  EXPECT_THAT(edited("prepend inactiveIds = [0]", "append inactiveIds = [-7]"), ElementsAre(0, -7));
  EXPECT_THAT(edited("delete inactiveIds = [3]", "kind = \"group\""), testing::IsEmpty());
  EXPECT_THAT(edited("inactiveIds = [4, 3]", "append inactiveIds = [5]"), ElementsAre(4, 3));
}

TEST_F(Values, ExplainNamesEveryOpinionAndTheWinner) {
  open("over \"A\" { double x = 5; }\n", "def \"A\" { double x.timeSamples = { 0: 1 }; }\n");
  const std::vector<Opinion> opinions = stage_->prim("/A").attribute("x").explain(0);
  ASSERT_EQ(opinions.size(), 2u);
  EXPECT_TRUE(opinions[0].wins);
  EXPECT_EQ(opinions[0].layer, "root.usda");
  EXPECT_EQ(opinions[1].layer, "weak.usda");
  EXPECT_FALSE(opinions[1].wins);
  EXPECT_EQ(opinions[1].line, 2u);
}

TEST_F(Values, ExplainNamesEverySpecOfAPrim) {
  open("over \"A\" (variants = { string v = \"x\" }) { double x = 5; }\n",
       "\ndef \"A\" (variantSets = \"v\") { variantSet \"v\" = { \"x\" { int y = 1; } } \n}\n");
  const std::vector<PrimOpinion> opinions = stage_->prim("/A").explain();
  ASSERT_EQ(opinions.size(), 3u);
  EXPECT_EQ(opinions[0].layer, "root.usda");
  EXPECT_EQ(opinions[0].spec_path.view(), "/A");
  EXPECT_EQ(opinions[0].spec->specifier, layer::Specifier::over);
  EXPECT_EQ(opinions[1].layer, "weak.usda");
  EXPECT_EQ(opinions[1].line, 3u);
  EXPECT_EQ(opinions[2].spec_path.view(), "/A{v=x}");
  EXPECT_NE(opinions[2].arcs.find("variant"), std::string::npos) << opinions[2].arcs;
}

TEST_F(Values, MetricsHaveFallbacks) {
  open("def \"A\" {}\n");
  EXPECT_EQ(stage_->metrics().up_axis, "Y");
  EXPECT_EQ(stage_->metrics().meters_per_unit, 0.01);
  EXPECT_FALSE(stage_->metrics().has_meters_per_unit);
}

TEST(DictionaryOrder, ReadsDigitsAsNumbersAndIgnoresCase) {  // stage 3.6
  const std::vector<std::string> sorted = {"_u",    "abacus", "Albert", "albert", "baby",
                                           "file1", "file01", "file2",  "file10"};
  for (std::size_t i = 0; i + 1 < sorted.size(); ++i) {
    EXPECT_TRUE(dictionary_less(sorted[i], sorted[i + 1])) << sorted[i];
    EXPECT_FALSE(dictionary_less(sorted[i + 1], sorted[i])) << sorted[i];
  }
}

TEST(DictionaryOrder, IsDecidedByTheFirstDifferenceOfCaseOrZeros) {
  const std::pair<const char*, const char*> ordered[] = {
      {"A01", "a1"},     {"a1", "a01"},  {"a1b01", "a01b1"}, {"a01B1", "a01b01"},
      {"x0_b", "x00_a"}, {"a0b", "a00"}, {"a00", "a01"},     {"x01_a", "x1_b"},
  };
  for (const auto& [first, second] : ordered) {
    EXPECT_TRUE(dictionary_less(first, second)) << first;
    EXPECT_FALSE(dictionary_less(second, first)) << second;
  }
}

TEST(Handles, OfNoAttributeHaveNoCurve) {
  EXPECT_THAT(Attribute().spline_sample_times(), ElementsAre());
  EXPECT_THAT(Attribute().time_samples(), ElementsAre());
}

TEST_F(Values, ADictionaryInMetadataIsMergedWithDictionariesOnly) {
  open("over \"A\" (customData = { int a = 1; dictionary b = { int x = 1 } }) {}\n",
       "def \"A\" (customData = { dictionary a = { int y = 2 }; int b = 2 }) {}\n");
  const layer::Value composed = stage_->prim("/A").metadata("customData");
  ASSERT_NE(composed.as_dictionary(), nullptr);
  EXPECT_EQ(composed.as_dictionary()->size(), 2u);
  EXPECT_EQ(layer::find(*composed.as_dictionary(), "a")->value.get<std::int32_t>(), 1);
  const layer::Value& b = layer::find(*composed.as_dictionary(), "b")->value;
  ASSERT_NE(b.as_dictionary(), nullptr);
  EXPECT_EQ(b.as_dictionary()->size(), 1u);
}

TEST(DictionaryOrder, TakesTheTenDigitsAloneForNumbers) {
  const std::pair<const char*, const char*> ordered[] = {
      {"file9", "file10"}, {"a10", "a:b"}, {"a1", "ab"}, {"a10", "ab"},
      {"a2b", "a2c"},      {"a", "a0"},    {"a/", "a0"}, {"a//", "a1"}};
  for (const auto& [first, second] : ordered) {
    EXPECT_TRUE(dictionary_less(first, second)) << first;
    EXPECT_FALSE(dictionary_less(second, first)) << second;
  }
  for (const char* name : {"", "a", "A01b", "00"}) EXPECT_FALSE(dictionary_less(name, name));
}

TEST(Stage, MayBeReadFromManyThreads) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda", R"(
def "Proto" { double x.timeSamples = { 0: 0, 10: 10 }; rel r = </Proto/C>
    def "C" {}
}
def "I1" (instanceable = true; references = </Proto>) {}
def "I2" (instanceable = true; references = </Proto>) {}
)"}},
                                     diagnostics);
  ASSERT_NE(stage, nullptr);
  std::vector<std::thread> threads;
  std::vector<double> sums(8, 0.0);
  for (std::size_t t = 0; t < sums.size(); ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 200; ++i) {
        for (const Prim prim : stage->root().descendants(Traversal::with_instance_proxies())) {
          sums[t] += static_cast<double>(prim.path().str().size());
          if (const Attribute x = prim.attribute("x")) sums[t] += x.get<double>(5).value_or(0);
          if (const Relationship r = prim.relationship("r")) {
            sums[t] += static_cast<double>(r.targets().size());
          }
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const double sum : sums) EXPECT_EQ(sum, sums[0]);
}

}  // namespace
}  // namespace sinew::stage::value_test
