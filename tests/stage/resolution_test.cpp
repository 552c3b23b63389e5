// SPDX-License-Identifier: Apache-2.0
// What values mean on the stage: expressions, times through offsets, array edits, properties of two
// kinds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "stage/shared/local_value.hpp"
#include "stage/support.hpp"

namespace sinew::stage::resolution_test {
namespace {

namespace fs = std::filesystem;

using ::testing::ElementsAre;

TEST(AssetValues, AreEvaluatedWhereTheyAreExpressions) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda", R"((
    expressionVariables = { string NAME = "r"; bool FLAG = true; }
)
def "A" (
    references = @ref.usda@</R>
    assetInfo = { asset identifier = @`"${NAME}.usda"`@; string name = "`${NAME}`"; }
) {
    asset in_string = @`"${NAME}.png"`@
    asset bare = @`${NAME}`@
    asset chosen = @`if(${FLAG}, "one.png", "two.png")`@
    asset undefined = @`"x${MISSING}.png"`@
    asset failing = @`if(eq(${MISSING}, "r"), "one.png", "two.png")`@
    asset[] array = [@`"${NAME}.png"`@, @plain.png@]
    asset sampled.timeSamples = { 1: @`"${NAME}1.png"`@, 2: @two.png@ }
    string untouched = "`${NAME}`"
}
)"},
                                      {"ref.usda", R"((
    expressionVariables = { string NAME = "hidden"; string OWN = "own"; }
)
def "R" { asset from_ref = @`"${NAME}_${OWN}.png"`@; }
)"}},
                                     diagnostics);
  EXPECT_EQ(text_at(*stage, "/A", "in_string"), "r.png");
  EXPECT_EQ(text_at(*stage, "/A", "bare"), "r");
  EXPECT_EQ(text_at(*stage, "/A", "chosen"), "one.png");
  EXPECT_EQ(text_at(*stage, "/A", "undefined"), "x${MISSING}.png");
  EXPECT_EQ(text_at(*stage, "/A", "failing"),
            "`if(eq(${MISSING}, \"r\"), \"one.png\", \"two.png\")`");
  EXPECT_EQ(text_at(*stage, "/A", "untouched"), "`${NAME}`");
  EXPECT_EQ(text_at(*stage, "/A", "from_ref"), "r_own.png");
  const Prim prim = stage->prim("/A");
  EXPECT_EQ(prim.attribute("sampled").get_text(1.0), "r1.png");
  EXPECT_EQ(prim.attribute("in_string").resolved_asset(), "r.png");
  const auto array = prim.attribute("array").get_array<Token>();
  ASSERT_EQ(array->size(), 2u);
  EXPECT_EQ((*array)[0].view(), "r.png");
  EXPECT_EQ((*array)[1].view(), "plain.png");
  layer::Value made;
  const layer::Value* found = default_value(prim, prim.attribute("bare").name(), made);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->text(), "r");
  const layer::Value info = prim.metadata("assetInfo");
  ASSERT_NE(info.as_dictionary(), nullptr);
  EXPECT_EQ(layer::find(*info.as_dictionary(), "identifier")->value.text(), "r.usda");
  EXPECT_EQ(layer::find(*info.as_dictionary(), "name")->value.text(), "`${NAME}`");
}

TEST(SampleTimes, InfiniteOnesAreNotListed) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers(
      {{"root.usda", "def \"A\" { double x.timeSamples = { -inf: 0, 1: 1, inf: 2 }; }\n"}},
      diagnostics);
  const Attribute x = stage->prim("/A").attribute("x");
  EXPECT_THAT(x.time_samples(), ElementsAre(1.0));
  EXPECT_EQ(x.time_sample_count(), 1u);
  EXPECT_EQ(x.get<double>(1.0), 1.0);
  EXPECT_EQ(x.get<double>(0.5), 0.0);
}

// Whatever offsets and scales lie between: at the time of a sample stands that sample, held and
// interpolated types alike, and between two samples an interpolated value between theirs.
TEST(SampleTimes, AListedTimeGivesItsSampleUnderAnyOffsets) {
  std::mt19937 random(12);
  const auto number = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  for (int round = 0; round < 150; ++round) {
    std::string samples;
    const int count = 2 + static_cast<int>(random() % 6);
    double time = -7.3;
    for (int i = 0; i < count; ++i) {
      char text[64];
      std::snprintf(text, sizeof text, "%.17g: %d, ", time, i);
      samples += text;
      time += number(0.1, 3.0);
    }
    char arcs[3][160];
    for (auto& arc : arcs) {
      std::snprintf(arc, sizeof arc, "(offset = %.17g; scale = %.17g)", number(-50, 50),
                    random() % 3 == 0 ? 1.0 : number(0.01, 40));
    }
    const std::string root =
        std::string("def \"A\" (references = @one.usda@</B> ") + arcs[0] + ") {}\n";
    const std::string one = std::string(
                                "(timeCodesPerSecond = 30)\ndef \"B\" (references = "
                                "@two.usda@</C> ") +
                            arcs[1] + ") {}\n";
    const std::string two = std::string("(subLayers = [@sub.usda@ ") + arcs[2] + "])\n";
    const std::string sub = "def \"C\" { int held.timeSamples = { " + samples +
                            "}\n double mixed.timeSamples = { " + samples + "}\n}\n";
    Diagnostics diagnostics;
    const StagePtr stage = open_layers({{"root.usda", root.c_str()},
                                        {"one.usda", one.c_str()},
                                        {"two.usda", two.c_str()},
                                        {"sub.usda", sub.c_str()}},
                                       diagnostics);
    const Prim prim = stage->prim("/A");
    const std::vector<double> times = prim.attribute("held").time_samples();
    ASSERT_EQ(times.size(), static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
      const double t = times[static_cast<std::size_t>(i)];
      EXPECT_EQ(prim.attribute("held").get<std::int32_t>(t), i);
      EXPECT_EQ(prim.attribute("mixed").get<double>(t), i);
      if (i + 1 == count) continue;
      const double next = times[static_cast<std::size_t>(i) + 1];
      const double between = *prim.attribute("mixed").get<double>(t + 0.5 * (next - t));
      EXPECT_NEAR(between, i + 0.5, 1e-6);
      EXPECT_EQ(prim.attribute("held").get<std::int32_t>(t + 0.999 * (next - t)), i);
    }
  }
}

class ArrayEdits : public ::testing::Test {
 protected:
  void open(const char* strong, const char* weak, Rules rules = Rules::documented) {
    const std::string root = std::string("(subLayers = [@weak.usda@])\n") + strong;
    OpenOptions options;
    options.rules = rules;
    stage_ = open_layers({{"root.usda", root.c_str()}, {"weak.usda", weak}}, diagnostics_, options);
  }
  std::vector<std::int32_t> at(Time time) const {
    const auto array = stage_->prim("/A").attribute("a").get_array<std::int32_t>(time);
    if (!array) return {-99};
    return {array->begin(), array->end()};
  }
  StagePtr stage_;
  Diagnostics diagnostics_;
};

TEST_F(ArrayEdits, ADefaultEditsWeakerSamples) {
  open("over \"A\" { int[] a = edit [write 9 to [0]]; }\n",
       "def \"A\" { int[] a.timeSamples = { 0: [1, 2], 5: edit [append 1] }; }\n");
  EXPECT_THAT(stage_->prim("/A").attribute("a").time_samples(), ElementsAre(0.0, 5.0));
  EXPECT_THAT(at(0), ElementsAre(9, 2));
  EXPECT_THAT(at(5), ElementsAre(9));
  EXPECT_THAT(at(Time()), ElementsAre());
  EXPECT_EQ(stage_->prim("/A").attribute("a").source(0), ValueSource::time_samples);
}

TEST_F(ArrayEdits, FillOverAnEditWithTheirLiteral) {
  const char* strong = "over \"A\" { int[] a = edit [append 7; resize 5 fill 8]; }\n";
  const char* weak = "def \"A\" { int[] a = edit [append 5]; }\n";
  open(strong, weak);
  EXPECT_THAT(at(Time()), ElementsAre(5, 7, 8, 8, 8));
  // OpenUSD takes the second literal of both edits together.
  open(strong, weak, Rules::openusd);
  EXPECT_THAT(at(Time()), ElementsAre(5, 7, 7, 7, 7));
  open("over \"A\" { int[] a = edit [resize 3 fill 8]; }\n", weak, Rules::openusd);
  EXPECT_THAT(at(Time()), ElementsAre(5, 5, 5));
  open("over \"A\" { int[] a = edit [minsize 3 fill 8]; }\n",
       "def \"A\" { int[] a = edit [append [0]]; }\n", Rules::openusd);
  EXPECT_THAT(at(Time()), ElementsAre(8, 8, 8));
}

TEST_F(ArrayEdits, FillNoMoreBytesThanALimit) {
  const auto size_of = [&](const char* edit, const char* type) {
    const std::string text = std::string("def \"A\" { ") + type + "[] a = edit [" + edit + "]; }\n";
    open("over \"A\" {}\n", text.c_str());
    return stage_->prim("/A").attribute("a").value().size();
  };
  // 64 MiB: 524,288 matrices of doubles.
  EXPECT_EQ(size_of("append 0; resize 16777216", "float"), 16'777'216u);
  EXPECT_EQ(size_of("append 0; resize 16777217", "float"), 1u);
  const std::string matrix = "((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))";
  for (const char* word : {"resize", "minsize"}) {
    const std::string edit = "append " + matrix + "; " + word;
    EXPECT_EQ(size_of((edit + " 524288").c_str(), "matrix4d"), 524'288u);
    EXPECT_EQ(size_of((edit + " 524289").c_str(), "matrix4d"), 1u);
  }
  EXPECT_EQ(size_of("append 0; append 0; maxsize 1", "float"), 1u);
}

// Long arrays too, against the same done with a plain vector.
TEST_F(ArrayEdits, AgreeWithPlainVectors) {
  std::mt19937 random(1);
  const auto below = [&](std::size_t limit) {
    return static_cast<int>(random() % std::max<std::size_t>(limit, 1));
  };
  for (int round = 0; round < 60; ++round) {
    std::vector<int> model;
    std::string edit;
    const auto say = [&](const char* format, auto... values) {
      char text[64];
      std::snprintf(text, sizeof text, format, values...);
      edit += text;
    };
    const int most = round % 3 == 0 ? 12'000 : 20;
    for (int step = 0; step < 60; ++step) {
      const int value = below(1000);
      const int count = static_cast<int>(model.size());
      const int at = below(model.size());
      switch (below(8)) {
        case 0:
          say("prepend %d; ", value);
          model.insert(model.begin(), value);
          break;
        case 1:
          say("append %d; ", value);
          model.push_back(value);
          break;
        case 2:
          say("insert %d at [%d]; ", value, at);
          model.insert(model.begin() + at, value);
          break;
        case 3:
          if (count == 0) break;
          say("erase [%d]; ", at - (value % 2 == 0 ? count : 0));
          model.erase(model.begin() + at);
          break;
        case 4:
          if (count == 0) break;
          say("write %d to [%d]; ", value, at);
          model[static_cast<std::size_t>(at)] = value;
          break;
        case 5: {
          const int size = below(static_cast<std::size_t>(most));
          say("resize %d fill %d; ", size, value);
          model.resize(static_cast<std::size_t>(size), value);
          break;
        }
        case 6:
          say("minsize %d; ", most / 2);
          if (count < most / 2) model.resize(static_cast<std::size_t>(most) / 2, 0);
          break;
        default:
          if (count == 0) break;
          say("insert [%d] at [%d]; ", at, count / 2);
          model.insert(model.begin() + count / 2, int{model[static_cast<std::size_t>(at)]});
          break;
      }
    }
    open(("over \"A\" { int[] a = edit [" + edit + "append 1]; }\n").c_str(),
         "def \"A\" { int[] a = []; }\n");
    model.push_back(1);
    EXPECT_EQ(at(Time()), model) << edit;
  }
}

TEST_F(ArrayEdits, OverABlockThereIsNoValue) {
  open("over \"A\" { int[] a = edit [append 4]; }\n", "def \"A\" { int[] a = None; }\n");
  EXPECT_THAT(at(Time()), ElementsAre(-99));
  EXPECT_THAT(at(1), ElementsAre(-99));
  EXPECT_FALSE(stage_->prim("/A").attribute("a").has_authored_value());
}

TEST_F(ArrayEdits, OverABlockedSampleThereIsNoValue) {
  open("over \"A\" { int[] a = edit [append 4]; }\n",
       "def \"A\" { int[] a.timeSamples = { 0: None, 2: [1] }; }\n");
  EXPECT_THAT(at(0), ElementsAre(-99));
  EXPECT_THAT(at(2), ElementsAre(1, 4));
}

TEST_F(ArrayEdits, SampledOnesShowTheTimesOfWeakerSamplesToo) {
  open("over \"A\" { int[] a.timeSamples = { 1: edit [append 1], 2: edit [append 2] }; }\n",
       "def \"A\" { int[] a.timeSamples = { 2: [4], 10: [7] }; }\n");
  const Attribute a = stage_->prim("/A").attribute("a");
  EXPECT_THAT(a.time_samples(), ElementsAre(1.0, 2.0, 10.0));
  EXPECT_EQ(a.time_sample_count(), 3u);
  EXPECT_THAT(at(1), ElementsAre(4, 1));
  EXPECT_THAT(at(2), ElementsAre(4, 2));
  EXPECT_THAT(at(10), ElementsAre(7, 2));
}

TEST_F(ArrayEdits, ExplainShowsTheStrongestEditAsTheWinner) {
  open("over \"A\" { int[] a = edit [append 4]; }\n", "def \"A\" { int[] a = [1]; }\n");
  const std::vector<Opinion> opinions = stage_->prim("/A").attribute("a").explain();
  ASSERT_EQ(opinions.size(), 2u);
  EXPECT_TRUE(opinions[0].wins);
  EXPECT_EQ(opinions[0].note, "edit of weaker opinions");
}

// usda 6.6
TEST_F(ArrayEdits, BelowThemAnAnimationBlockHidesWeakerSamplesOnly) {
  open("over \"A\" { int[] a = edit [append 9]; }\n",
       "def \"A\" (references = </B>) { int[] a = AnimationBlock; }\n"
       "def \"B\" { int[] a = [1]; int[] a.timeSamples = { 0: [2] }; }\n");
  EXPECT_THAT(at(0), ElementsAre(1, 9));
  EXPECT_THAT(at(Time()), ElementsAre(1, 9));
}

TEST_F(ArrayEdits, BelowThemACurveIsNoArrayAndHidesWeakerOnes) {
  open("over \"A\" { int[] a = edit [append 9]; }\n",
       "def \"A\" (references = </B>) {\ndouble a.spline = { 0: 1, }\n}\n"
       "def \"B\" { int[] a = [1]; }\n");
  EXPECT_THAT(at(0), ElementsAre(-99));
  EXPECT_THAT(at(Time()), ElementsAre(1, 9)) << "Curves do not count at the default time.";
}

TEST_F(ArrayEdits, ThroughThemInfiniteTimesAreNotListed) {
  open("over \"A\" { int[] a.timeSamples = { 1: edit [append 1], inf: edit [append 2] }; }\n",
       "def \"A\" { int[] a.timeSamples = { -inf: [4], 2: [5], inf: [6] }; }\n");
  EXPECT_THAT(stage_->prim("/A").attribute("a").time_samples(), ElementsAre(1.0, 2.0));
}

TEST_F(ArrayEdits, OverOtherSampledOnesShowTheTimesOfAllOfThem) {
  open("over \"A\" { int[] a.timeSamples = { 2: edit [append 1] }; }\n",
       "def \"A\" (references = </B>) {\n"
       "int[] a.timeSamples = { 1: edit [append 2], 5: [9] }\n}\n"
       "def \"B\" { int[] a.timeSamples = { 0: [4], 3: [5], 7: [6] }; }\n");
  // The 9 that stands from 5 on hides what comes at 7.
  EXPECT_THAT(stage_->prim("/A").attribute("a").time_samples(), ElementsAre(0, 1, 2, 3, 5));
  EXPECT_THAT(at(0), ElementsAre(4, 2, 1));
  EXPECT_THAT(at(3), ElementsAre(5, 2, 1));
  EXPECT_THAT(at(7), ElementsAre(9, 1));
}

TEST_F(ArrayEdits, WhenSampledShowWeakerTimesDownToTheNextValueThatIsNoEdit) {
  const auto times = [&](const char* between) {
    const std::string weak = std::string("def \"A\" (references = </B>) {\n") + between +
                             "\n}\ndef \"B\" { int[] a.timeSamples = { 7: [2] }; }\n";
    open("over \"A\" { int[] a.timeSamples = { 1: edit [append 1] }; }\n", weak.c_str());
    return stage_->prim("/A").attribute("a").time_samples();
  };
  EXPECT_THAT(times(""), ElementsAre(1, 7));
  EXPECT_THAT(times("int[] a"), ElementsAre(1, 7));
  EXPECT_THAT(times("int[] a = edit [append 3]"), ElementsAre(1, 7));
  EXPECT_THAT(times("rel a = </A>"), ElementsAre(1, 7));
  EXPECT_THAT(times("int[] a = [3]"), ElementsAre(1));
  EXPECT_THAT(times("double a.spline = { 0: 1, }"), ElementsAre(1));
}

TEST_F(ArrayEdits, WhenSampledOnceMightVaryByWeakerSamplesAlone) {
  const auto might_vary = [&](const char* strong, const char* weak) {
    open((std::string("over \"A\" { int[] a.timeSamples = { ") + strong + " }; }\n").c_str(),
         (std::string("def \"A\" { int[] a.timeSamples = { ") + weak + " }; }\n").c_str());
    return stage_->prim("/A").attribute("a").might_be_time_varying();
  };
  EXPECT_FALSE(might_vary("1: edit [append 1]", "1: [2]"));
  EXPECT_TRUE(might_vary("1: edit [append 1]", "1: [2], 4: [3]"));
  EXPECT_FALSE(might_vary("1: [9]", "1: [2], 4: [3]"));
}

TEST_F(ArrayEdits, ArePartOfTheDefaultThatIsFoundInOneLook) {
  open("over \"A\" { int[] a = edit [append 9]; }\n", "def \"A\" { int[] a = [1]; }\n");
  const Prim prim = stage_->prim("/A");
  layer::Value made;
  const layer::Value* found = default_value(prim, prim.attribute("a").name(), made);
  ASSERT_NE(found, nullptr);
  EXPECT_THAT(found->as_array<std::int32_t>(), ElementsAre(1, 9));
}

TEST(ArrayEditsOfOtherLayers, HaveTimesAndAssetsAsTheStageSeesThem) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers(
      {{"root.usda",
        "(subLayers = [@edit.usda@ (offset = 10), @base.usda@]\n"
        "expressionVariables = { string NAME = \"n\" })\n"},
       {"edit.usda",
        "over \"A\" {\ntimecode[] t = edit [append 5]\n"
        "asset[] f = edit [append @`\"${NAME}.png\"`@]\ndouble[] d = edit [append 5]\n}\n"},
       {"base.usda",
        "def \"A\" {\ntimecode[] t = [1]\nasset[] f = [@a.png@]\ndouble[] d = [1]\n}\n"}},
      diagnostics);
  ASSERT_NE(stage, nullptr);
  const Prim prim = stage->prim("/A");
  EXPECT_THAT(prim.attribute("t").value().as_array<double>(), ElementsAre(1, 15));
  EXPECT_THAT(prim.attribute("d").value().as_array<double>(), ElementsAre(1, 5));
  const layer::Value files = prim.attribute("f").value();
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files.as_array<Token>()[0].view(), "a.png");
  EXPECT_EQ(files.as_array<Token>()[1].view(), "n.png");
}

TEST(AssetValues, ThatAreEmptyNameNoLayerAndNoFile) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers(
      {{"root.usda", "def \"A\" {\nasset x = @@\nasset y = @t.png@\n}\n"}}, diagnostics);
  const Attribute x = stage->prim("/A").attribute("x");
  EXPECT_EQ(x.asset().path, "");
  EXPECT_EQ(x.asset().layer, "");
  EXPECT_EQ(x.resolved_asset(), "");
  MemoryResolver files;
  files.add("t.png", std::string("t"));
  EXPECT_EQ(x.find_asset(files).error().message, "there is no asset path.");
  const Attribute y = stage->prim("/A").attribute("y");
  EXPECT_EQ(y.asset().path, "t.png");
  EXPECT_EQ(y.asset().layer, "root.usda");
  EXPECT_EQ(y.find_asset(files).value_or(""), "t.png");
}

TEST(Properties, ARelationshipDoesNotShowConnectionsOfAnAttribute) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers(
      {{"root.usda",
        "def \"A\" (references = </B>) { rel x; double y; add double y.connect = </A.z>; }\n"
        "def \"B\" { double x.connect = </B.y>; rel y = </B.x>; }\n"}},
      diagnostics);
  const Relationship x = stage->prim("/A").relationship("x");
  ASSERT_TRUE(x.valid());
  EXPECT_TRUE(x.targets().empty());
  EXPECT_FALSE(x.has_authored_targets());
  const Attribute y = stage->prim("/A").attribute("y");
  ASSERT_EQ(y.connections().size(), 1u);
  EXPECT_EQ(y.connections()[0].view(), "/A.z");
}

TEST(Properties, AnAttributeNamedLikeARelationshipOfTheSchemaIsNotListed) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda", R"(
def Mesh "Bound" (apiSchemas = ["SkelBindingAPI", "CollectionAPI:hands"]) {
    int skel:skeleton = 1
    int collection:hands:includes = 2
    int collection:feet:includes = 3
    int proxyPrim = 4
    int x = 5
}
def "Free" { int skel:skeleton = 1; int proxyPrim = 2; }
def PhysicsCollisionGroup "Group" { int collection:colliders:excludes = 1; }
)"}},
                                     diagnostics);
  const auto names = [&](const char* path) {
    std::vector<std::string> result;
    for (const Attribute& attribute : stage->prim(path).attributes()) {
      result.push_back(attribute.name().str());
    }
    return result;
  };
  EXPECT_THAT(names("/Bound"), ElementsAre("collection:feet:includes", "x"));
  EXPECT_THAT(names("/Free"), ElementsAre("proxyPrim", "skel:skeleton"));
  EXPECT_THAT(names("/Group"), ElementsAre());
}

// stage 3.8
TEST(Properties, TheSchemaSaysWhatPropertiesWithSpecsOfBothKindsAre) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda", R"((subLayers = [@weak.usda@])
def Sphere "A" (apiSchemas = ["PhysicsMassAPI"]) {
    rel radius = </B>
    rel physics:mass
    double proxyPrim = 1
    rel other = </B>
}
)"},
                                      {"weak.usda", R"(def "A" {
    double radius = 2
    float physics:mass = 5
    rel proxyPrim = </C>
    double other = 3
}
)"}},
                                     diagnostics);
  const Prim a = stage->prim("/A");
  std::vector<std::string> attributes, relationships;
  for (const Attribute& attribute : a.attributes()) attributes.push_back(attribute.name().str());
  for (const Relationship& relationship : a.relationships()) {
    relationships.push_back(relationship.name().str());
  }
  EXPECT_THAT(attributes, ElementsAre("physics:mass", "radius"));
  EXPECT_THAT(relationships, ElementsAre("other", "proxyPrim"));
  EXPECT_EQ(a.attribute("radius").get<double>(), 2.0);
  EXPECT_EQ(a.attribute("physics:mass").get<float>(), 5.0F);
  EXPECT_FALSE(a.relationship("radius"));
  EXPECT_FALSE(a.attribute("proxyPrim"));
  ASSERT_EQ(a.relationship("proxyPrim").targets().size(), 1u);
  EXPECT_EQ(a.relationship("proxyPrim").targets()[0].view(), "/C");
}

TEST(Properties, TheTypeNameIsTheAuthoredOneWhateverTheSchemaSays) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers(
      {{"root.usda", "def Mesh \"M\" { PointIndex[] faceVertexIndices = [0]; int[] points; }\n"}},
      diagnostics);
  EXPECT_EQ(stage->prim("/M").attribute("points").type_name(), "int[]");
}

TEST(DefaultPrim, MayBeAPath) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers(
      {{"root.usda",
        "(defaultPrim = \"A/B\")\ndef \"A\" {\ndef \"B\" {}\n}\n"
        "def \"C\" (references = @ref.usda@) {}\n"},
       {"ref.usda", "(defaultPrim = \"R/S\")\ndef \"R\" {\ndef \"S\" { int x = 1; }\n}\n"}},
      diagnostics);
  EXPECT_EQ(stage->default_prim().path().view(), "/A/B");
  EXPECT_TRUE(stage->prim("/C").attribute("x").valid());
}

TEST(DefaultPrim, MayBeAnAbsolutePath) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers(
      {{"root.usda", "(defaultPrim = \"/A/B\")\ndef \"A\" {\ndef \"B\" {}\n}\n"}}, diagnostics);
  ASSERT_TRUE(stage->default_prim().valid());
  EXPECT_EQ(stage->default_prim().path().view(), "/A/B");
}

TEST(DefaultPrim, IsNeverTheRoot) {
  for (const char* name : {"/", ""}) {
    Diagnostics diagnostics;
    const std::string text = "(defaultPrim = \"" + std::string(name) + "\")\ndef \"A\" {}\n";
    const StagePtr stage = open_layers({{"root.usda", text.c_str()}}, diagnostics);
    EXPECT_FALSE(stage->default_prim().valid()) << name;
  }
}

TEST(DefaultPrim, OfAReferenceMustBeThePathOfAPrim) {
  const std::pair<const char*, const char*> cases[] = {
      {"(defaultPrim = \"R\")\n", ""},
      {"(defaultPrim = \"/R/S\")\n", ""},
      {"", "the layer has no defaultPrim"},
      {"(defaultPrim = \"\")\n", "the layer has no defaultPrim"},
      {"(defaultPrim = \"a b\")\n", "its defaultPrim 'a b' is not the path of a prim"},
      {"(defaultPrim = \"/R.x\")\n", "its defaultPrim '/R.x' is not the path of a prim"},
      {"(defaultPrim = \"/\")\n", "its defaultPrim '/' is not the path of a prim"}};
  for (const auto& [head, problem] : cases) {
    SCOPED_TRACE(head);
    Diagnostics diagnostics;
    const std::string asset =
        std::string(head) + "def \"R\" {\ntoken t = \"r\"\ndef \"S\" {\ntoken t = \"s\"\n}\n}\n";
    const StagePtr stage = open_layers({{"root.usda", "def \"A\" (references = @asset.usda@) {}\n"},
                                        {"asset.usda", asset.c_str()}},
                                       diagnostics);
    if (std::string_view(problem).empty()) {
      EXPECT_TRUE(diagnostics.empty());
      EXPECT_EQ(text_at(*stage, "/A", "t"), std::string_view(head).find("S") < 20 ? "s" : "r");
    } else {
      ASSERT_EQ(diagnostics.size(), 1U);
      EXPECT_EQ(diagnostics[0].severity, Severity::error);
      EXPECT_NE(diagnostics[0].message.find(problem), std::string::npos) << diagnostics[0].message;
    }
  }
}

TEST(Stage, FindsPrimsByWholePathsOnly) {
  Diagnostics diagnostics;
  const StagePtr stage =
      open_layers({{"root.usda", "def \"A\" {\ndef \"B\" {}\n}\n"}}, diagnostics);
  EXPECT_EQ(stage->prim("/A/B").path().view(), "/A/B");
  EXPECT_EQ(stage->prim("/A").child("B").path().view(), "/A/B");
  EXPECT_TRUE(stage->prim("/").is_root());
  for (const char* path : {"", "A", "A/B", "/A/", "/A/B/", "//A", "/A//B", "/A/C", "/B", "/A.B"}) {
    EXPECT_FALSE(stage->prim(path)) << path;
  }
  EXPECT_FALSE(stage->prim("/A").child("C"));
}

TEST(UnusableOffsets, OfSublayersAreIgnoredWithAnError) {
  for (const auto& [offset, is_usable] : {std::pair{"offset = 10", true},
                                          {"scale = 0.5", true},
                                          {"offset = inf", false},
                                          {"offset = -inf", false},
                                          {"offset = nan", false},
                                          {"scale = inf", false},
                                          {"scale = nan", false},
                                          {"scale = 0", false},
                                          {"scale = -1", false},
                                          {"offset = 10; scale = -1", false}}) {
    SCOPED_TRACE(offset);
    Diagnostics diagnostics;
    const std::string root = std::string("(subLayers = [@sub.usda@ (") + offset + ")])\n";
    const StagePtr stage =
        open_layers({{"root.usda", root.c_str()},
                     {"sub.usda", "def \"A\" {\ndouble x.timeSamples = { 10: 1 }\n}\n"}},
                    diagnostics);
    ASSERT_EQ(diagnostics.size(), is_usable ? 0U : 1U);
    if (!is_usable) {
      EXPECT_EQ(format(diagnostics[0]),
                "root.usda:2:1: error: The offset of sublayer @sub.usda@ is not usable and is "
                "ignored. [stage-bad-offset]");
    }
    const double expected = !is_usable ? 10.0 : offset[0] == 'o' ? 20.0 : 5.0;
    EXPECT_THAT(stage->prim("/A").attribute("x").time_samples(), ElementsAre(expected));
  }
}

TEST(AssetPlaces, AreAbsoluteOrBesideTheLayer) {
  const std::pair<const char*, const char*> cases[] = {{"./t.png", "dir/t.png"},
                                                       {"././t.png", "dir/t.png"},
                                                       {"t.png", "dir/t.png"},
                                                       {"../t.png", "dir/../t.png"},
                                                       {"/abs/t.png", "/abs/t.png"},
                                                       {"C:/t.png", "C:/t.png"},
                                                       {"1:/t.png", "dir/1:/t.png"},
                                                       {"ab:/t.png", "dir/ab:/t.png"},
                                                       {"http://h/t.png", "http://h/t.png"},
                                                       {"a.usdz[t.png]", "dir/a.usdz[t.png]"}};
  for (const auto& [written, place] : cases) {
    Diagnostics diagnostics;
    const std::string layer = std::string("def \"A\" {\nasset x = @") + written + "@\n}\n";
    const StagePtr stage = open_layers(
        {{"root.usda", "(subLayers = [@dir/sub.usda@])\n"}, {"dir/sub.usda", layer.c_str()}},
        diagnostics);
    EXPECT_EQ(stage->prim("/A").attribute("x").resolved_asset(), place) << written;
  }
}

TEST(Layers, ThatArePackagesByAnotherNameAreRefused) {
  MemoryResolver resolver;
  resolver.add("root.usda", std::string("PK\3\4") + std::string(60, '\0'));
  OpenOptions options;
  options.resolver = &resolver;
  Diagnostics diagnostics;
  const Result<StagePtr> stage = Stage::open("root.usda", diagnostics, options);
  ASSERT_FALSE(stage);
  EXPECT_EQ(stage.error().code, ErrorCode::unsupported);
  ASSERT_FALSE(diagnostics.empty());
  EXPECT_EQ(diagnostics[0].code, "stage-unreadable");
  EXPECT_EQ(diagnostics[0].file, "root.usda");
}

TEST(Layers, ThatDoNotExistAreNotFound) {
  MemoryResolver resolver;
  resolver.add("there.usda", "#usda 1.0\n");
  OpenOptions options;
  options.resolver = &resolver;
  const auto expect_not_found = [](const auto& result, const Diagnostics& diagnostics) {
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::not_found);
    EXPECT_EQ(result.error().message, "cannot find 'none.usda' among the layers in memory.");
    ASSERT_EQ(diagnostics.size(), 1u);
    EXPECT_EQ(diagnostics[0].severity, Severity::error);
    EXPECT_EQ(diagnostics[0].code, "stage-not-found");
    EXPECT_EQ(diagnostics[0].file, "none.usda");
    EXPECT_EQ(diagnostics[0].message,
              "The layer cannot be read: cannot find 'none.usda' among the layers in memory.");
  };
  Diagnostics of_stage;
  expect_not_found(Stage::open("none.usda", of_stage, options), of_stage);
  Diagnostics of_layer;
  expect_not_found(read_layer("none.usda", of_layer, options), of_layer);
}

TEST(Layers, ThatAreLongerThanTheLimitCannotBeRead) {
  MemoryResolver resolver;
  resolver.add("root.usda", "#usda 1.0\n");
  OpenOptions options;
  options.resolver = &resolver;
  options.limits.file_bytes = 9;
  Diagnostics diagnostics;
  const Result<StagePtr> stage = Stage::open("root.usda", diagnostics, options);
  ASSERT_FALSE(stage);
  EXPECT_EQ(stage.error().code, ErrorCode::limit_exceeded);
  ASSERT_EQ(diagnostics.size(), 1u);
  EXPECT_EQ(diagnostics[0].code, "stage-unreadable");
  options.limits.file_bytes = 10;
  EXPECT_TRUE(Stage::open("root.usda", diagnostics, options));
}

TEST(AssetResolver, FormatArgumentsAreNoPartOfTheName) {
  const AssetPathParts parts = split_format_arguments("a b/c.usd:SDF_FORMAT_ARGS:x=1&y=2");
  EXPECT_EQ(parts.path, "a b/c.usd");
  EXPECT_EQ(parts.arguments, ":SDF_FORMAT_ARGS:x=1&y=2");
  EXPECT_EQ(split_format_arguments("c.usd").path, "c.usd");
  EXPECT_EQ(split_format_arguments("c.usd").arguments, "");
  EXPECT_EQ(split_format_arguments(":SDF_FORMAT_ARGS:").path, "");
  MemoryResolver layers;
  layers.add("c.usd", "#usda 1.0\n");
  EXPECT_EQ(*layers.resolve("c.usd:SDF_FORMAT_ARGS:x=1", ""), "c.usd");
}

// A folder and a file whose names no single code page has.
TEST(FileResolver, FindsFilesWhoseNamesAreNotAscii) {
  const fs::path folder = fs::temp_directory_path() / fs::path(u8"sinew_resolver_Пример");
  fs::create_directories(folder / fs::path(u8"Üñï"));
  std::ofstream(folder / fs::path(u8"wurzel_日本.usda"))
      << "#usda 1.0\ndef \"A\" (references = @./Üñï/robö.usda@</R>) {}\n"
         "def \"B\" (references = @Üñï/../Üñï/robö.usda@</R>) {}\n";
  std::ofstream(folder / fs::path(u8"Üñï") / fs::path(u8"robö.usda"))
      << "#usda 1.0\ndef \"R\" {\n    string found = \"7\"\n}\n";
  const std::u8string root = (folder / fs::path(u8"wurzel_日本.usda")).generic_u8string();

  Diagnostics diagnostics;
  const Result<StagePtr> stage = Stage::open(std::string(root.begin(), root.end()), diagnostics);
  fs::remove_all(folder);

  ASSERT_TRUE(stage) << stage.error().message;
  EXPECT_TRUE(diagnostics.empty()) << format(diagnostics.front());
  EXPECT_EQ(text_at(**stage, "/A", "found"), "7");
  EXPECT_EQ(text_at(**stage, "/B", "found"), "7");
  ASSERT_EQ((*stage)->layers().size(), 2u);
  EXPECT_THAT((*stage)->layers()[1]->identifier(), testing::EndsWith("/Üñï/robö.usda"));
}

TEST(FileResolver, TakesABackslashForNoSeparator) {
  const fs::path folder = fs::temp_directory_path() / "sinew_resolver_backslash";
  fs::create_directories(folder / "sub");
  std::ofstream(folder / "sub" / "a.usda") << "#usda 1.0\n";
  FileResolver resolver;
  const std::string anchor = (folder / "root.usda").generic_string();

  EXPECT_TRUE(resolver.resolve("./sub/a.usda", anchor));
  EXPECT_FALSE(resolver.resolve(".\\sub\\a.usda", anchor));
  EXPECT_FALSE(resolver.resolve("sub\\a.usda", anchor));
  fs::remove_all(folder);
}

// A name says what is meant only where the bytes do not.
TEST(Layers, AreReadByTheirFirstBytes) {
  MemoryResolver resolver;
  resolver.add("text.usdc", std::string("#usda 1.0\ndef \"A\" {}\n"));
  resolver.add("damaged.usdc", std::string("PXR_USDC and more"));
  resolver.add("damaged.usd", std::string("PXR_USDC and more"));
  resolver.add("binary.usd", std::string("PXR-USDC and more"));
  OpenOptions options;
  options.resolver = &resolver;
  const auto codes = [&](const char* name) {
    Diagnostics diagnostics;
    const Result<StagePtr> stage = Stage::open(name, diagnostics, options);
    std::vector<std::string> result;
    for (const Diagnostic& diagnostic : diagnostics) {
      result.push_back(diagnostic.code.substr(0, 4));
    }
    EXPECT_EQ(stage.has_value(), result.empty()) << name;
    return result;
  };
  EXPECT_THAT(codes("text.usdc"), ElementsAre());
  EXPECT_THAT(codes("damaged.usdc"), ElementsAre("usdc"));
  EXPECT_THAT(codes("damaged.usd"), ElementsAre("usda"));
  EXPECT_THAT(codes("binary.usd"), ElementsAre("usdc"));
}

}  // namespace
}  // namespace sinew::stage::resolution_test
