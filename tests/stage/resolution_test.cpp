// SPDX-License-Identifier: Apache-2.0
// What values mean on the stage: expressions, times through offsets, array edits, properties of two
// kinds, and where assets are looked for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "stage/support.hpp"

namespace sinew::stage {
namespace {

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
  const layer::Value* found = prim.default_value(prim.attribute("bare").name(), made);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->text(), "r");
  const layer::Value info = prim.metadata("assetInfo");
  ASSERT_NE(info.as_dictionary(), nullptr);
  EXPECT_EQ(layer::find(*info.as_dictionary(), "identifier")->value.text(), "r.usda");
  EXPECT_EQ(layer::find(*info.as_dictionary(), "name")->value.text(), "`${NAME}`");
}

// A layer in a folder names a file that lies beside the root layer.
class Folder : public AssetResolver {
 public:
  Folder() {
    layers_.add("show/root.usda", std::string("#usda 1.0\n(subLayers = [@parts/sub.usda@])\n"));
    layers_.add("show/parts/sub.usda",
                std::string("#usda 1.0\n"
                            "def \"Plain\" (references = @tex/l.usda@</R>) {}\n"
                            "def \"Anchored\" (references = @./tex/l.usda@</R>) {}\n"));
    layers_.add("show/tex/l.usda", std::string("#usda 1.0\ndef \"R\" { int x = 1; }\n"));
  }
  StagePtr open() {
    OpenOptions options;
    options.resolver = this;
    Result<StagePtr> stage = Stage::open("show/root.usda", diagnostics_, options);
    return stage ? *stage : nullptr;
  }
  Result<std::string> resolve(std::string_view asset_path, std::string_view anchor) override {
    return layers_.resolve(asset_path, anchor);
  }
  Result<Bytes> read(std::string_view identifier, std::uint64_t max_bytes) override {
    return layers_.read(identifier, max_bytes);
  }

 private:
  MemoryResolver layers_;
  Diagnostics diagnostics_;
};

class FolderWithoutSearch : public Folder {
 public:
  Result<std::string> resolve_on_stage(std::string_view asset_path, std::string_view anchor,
                                       std::string_view /*root*/) override {
    return resolve(asset_path, anchor);
  }
};

TEST(SearchPath, AnAssetIsAlsoLookedForBesideTheRootLayer) {
  Folder folder;
  const StagePtr stage = folder.open();
  ASSERT_NE(stage, nullptr);
  EXPECT_TRUE(stage->prim("/Plain").attribute("x").valid());
  EXPECT_FALSE(stage->prim("/Anchored").attribute("x").valid());
}

TEST(SearchPath, AResolverCanDoWithoutIt) {
  FolderWithoutSearch folder;
  const StagePtr stage = folder.open();
  ASSERT_NE(stage, nullptr);
  EXPECT_FALSE(stage->prim("/Plain").attribute("x").valid());
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

}  // namespace
}  // namespace sinew::stage
