// SPDX-License-Identifier: Apache-2.0
#include "stage/shared/property_table.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "stage/shared/nodes.hpp"
#include "stage/support.hpp"

namespace sinew::stage::property_table_test {
namespace {

constexpr const char* kRoot = R"(
def "Base" {
    float only_below = 1
    float both = 2
    float blocked_above = 3
    float related_above = 4
    timecode when = 5
    float unused = 6
    rel near = </Base/Near>
    rel several = [ </Base/Near>, </Base> ]
    double exact = 7
    bool clear = 1
    def "Near" {}
}
def "P" (
    references = @./root.usda@</Base> (offset = 10)
) {
    float only_above = 8
    int both = 9
    float blocked_above = None
    rel related_above
    float declared
    float moving.timeSamples = { 1: 1 }
    rel here = </P>
    rel here_too = [ </P>, </Base> ]
    float watched:one = 1
}
)";

class PropertyTableTest : public testing::Test {
 protected:
  PropertyTableTest() {
    for (const char* text : kNames) found_.push_back(names_.find(text));
  }

  static constexpr const char* kNames[] = {
      "only_below", "both",     "blocked_above", "related_above", "when",
      "near",       "several",  "exact",         "clear",         "only_above",
      "moving",     "declared", "here",          "here_too",      "nowhere"};

  const PropertyName& name(std::string_view text) const {
    for (std::size_t i = 0; i < found_.size(); ++i) {
      if (kNames[i] == text) return found_[i];
    }
    return found_.back();
  }
  Prim prim(const char* path) const { return stage_->prim(path); }

  Diagnostics diagnostics_;
  StagePtr stage_ = open_layers({{"root.usda", kRoot}}, diagnostics_);
  PropertyNames names_{*stage_};
  std::vector<PropertyName> found_;
};

void expect_same(const layer::Value* a, const layer::Value* b, std::string_view name) {
  ASSERT_EQ(a == nullptr, b == nullptr) << name;
  EXPECT_TRUE(a == nullptr || *a == *b) << name;
}

TEST_F(PropertyTableTest, GivesWhatThePrimGives) {
  PropertyTable table(names_);
  for (const char* at_hand : {"/P", "/Base", "/Base/Near"}) {
    table.collect(prim(at_hand));
    for (const char* path : {"/P", "/Base", "/Base/Near"}) {
      for (std::size_t i = 0; i < found_.size(); ++i) {
        layer::Value a;
        layer::Value b;
        expect_same(table.value(prim(path), found_[i], a),
                    default_value(prim(path), found_[i].token, b), kNames[i]);
        const ValueTypes wanted = ValueTypes::scalar_of<float>();
        expect_same(table.value(prim(path), found_[i], a, wanted),
                    default_value(prim(path), found_[i].token, b, wanted), kNames[i]);
        EXPECT_EQ(table.has_attribute(prim(path), found_[i]),
                  prim(path).attribute(found_[i].token).valid())
            << kNames[i];
      }
    }
  }
}

TEST_F(PropertyTableTest, MapsTimesOfTheOnlyOpinion) {
  PropertyTable table(names_);
  table.collect(prim("/P"));
  layer::Value made;
  const layer::Value* when = table.value(prim("/P"), name("when"), made);
  ASSERT_NE(when, nullptr);
  EXPECT_EQ(when->get<double>(), 15.0);
}

TEST_F(PropertyTableTest, ReadsWhereTheLayerHasIt) {
  PropertyTable table(names_);
  table.collect(prim("/P"));
  layer::Value made;
  const layer::Value* value = table.value(prim("/P"), name("only_below"), made);
  ASSERT_NE(value, nullptr);
  EXPECT_NE(value, &made);
}

TEST_F(PropertyTableTest, KnowsBlocksFromMissingValues) {
  PropertyTable table(names_);
  const ValueTypes numbers = ValueTypes::scalar_of<float>();
  for (const char* at_hand : {"/P", "/Base"}) {
    table.collect(prim(at_hand));
    EXPECT_TRUE(table.is_blocked(prim("/P"), name("blocked_above"), numbers));
    EXPECT_FALSE(table.is_blocked(prim("/P"), name("declared"), numbers));
    EXPECT_FALSE(table.is_blocked(prim("/P"), name("related_above"), numbers));
    EXPECT_FALSE(table.is_blocked(prim("/P"), name("nowhere"), numbers));
    EXPECT_FALSE(table.is_blocked(prim("/Base"), name("blocked_above"), numbers));
  }
}

TEST_F(PropertyTableTest, KnowsWhichPropertiesThereMayBe) {
  PropertyTable table(names_);
  table.collect(prim("/P"));
  EXPECT_TRUE(table.may_have(prim("/P"), name("near")));
  EXPECT_FALSE(table.may_have(prim("/P"), name("nowhere")));
  table.collect(prim("/Base"));
  EXPECT_TRUE(table.may_have(prim("/Base"), name("near")));
  EXPECT_FALSE(table.may_have(prim("/Base"), name("only_above")));
}

TEST_F(PropertyTableTest, HandsOutTargetsThatNeedNoMapping) {
  PropertyTable table(names_);
  table.collect(prim("/P"));
  const std::vector<layer::Path>* here = table.plain_targets(prim("/P"), name("here"));
  ASSERT_NE(here, nullptr);
  EXPECT_EQ(*here, prim("/P").relationship("here").targets());
  EXPECT_EQ(table.plain_targets(prim("/P"), name("near")), nullptr);  // Below a reference.
  EXPECT_EQ(table.plain_targets(prim("/P"), name("here_too")), nullptr);
  EXPECT_EQ(table.plain_targets(prim("/P"), name("only_above")), nullptr);
  EXPECT_EQ(table.plain_targets(prim("/Base"), name("near")), nullptr);  // Not at hand.
}

TEST_F(PropertyTableTest, WatchesForNames) {
  PropertyTable table(names_, "watched:");
  table.collect(prim("/P"));
  EXPECT_TRUE(table.has_watched());
  table.collect(prim("/Base"));
  EXPECT_FALSE(table.has_watched());
  PropertyTable unwatched(names_);
  unwatched.collect(prim("/P"));
  EXPECT_FALSE(unwatched.has_watched());
}

TEST_F(PropertyTableTest, NumbersANameOnce) {
  EXPECT_EQ(names_.find("both").number, name("both").number);
  EXPECT_EQ(names_.find("no such name").number, 0);
}

TEST_F(PropertyTableTest, LearnsMoreNamesThanItStartsWith) {
  std::string text = "def \"A\" {\n";
  for (int i = 0; i < 2000; ++i) text += "    int x" + std::to_string(i) + " = 1\n";
  text += "    int last = 2\n}\n";
  const StagePtr stage = open_layers({{"root.usda", text.c_str()}}, diagnostics_);
  PropertyNames names(*stage);
  const PropertyName last = names.find("last");
  PropertyTable table(names);
  table.collect(stage->prim("/A"));
  layer::Value made;
  const layer::Value* value = table.value(stage->prim("/A"), last, made);
  ASSERT_NE(value, nullptr);
  EXPECT_EQ(value->get<int>(), 2);
}

TEST_F(PropertyTableTest, NodesAreThePrimsThatPathsLeadTo) {
  ASSERT_GT(node_count(*stage_), prim("/P").node());
  EXPECT_EQ(prim_of_node(*stage_, prim("/P").node()), prim("/P"));
  EXPECT_EQ(prim_of_node(*stage_, 0), stage_->root());
}

TEST_F(PropertyTableTest, AsksTheStageForTargetsThatAreEdited) {
  const StagePtr stage = open_layers({{"root.usda", R"(
(subLayers = [@weak.usda@])
over "A" {
    prepend rel edited = </A/B>
    rel none
    rel one = </A/B>
    int[] numbers = edit [append 1]
}
)"},
                                      {"weak.usda", R"(
def "A" {
    rel edited = </A>
    int[] numbers = None
    def "B" {}
}
)"}},
                                     diagnostics_);
  PropertyNames names(*stage);
  const PropertyName edited = names.find("edited");
  const PropertyName none = names.find("none");
  const PropertyName one = names.find("one");
  const PropertyName numbers = names.find("numbers");
  PropertyTable table(names);
  const Prim prim = stage->prim("/A");
  table.collect(prim);
  EXPECT_EQ(table.plain_targets(prim, edited), nullptr);
  EXPECT_EQ(table.plain_targets(prim, none), nullptr);
  EXPECT_EQ(table.plain_targets(prim, numbers), nullptr);
  ASSERT_NE(table.plain_targets(prim, one), nullptr);
  std::vector<layer::Path> made;
  const std::vector<layer::Path>& targets = table.targets(prim, edited, made, nullptr);
  ASSERT_EQ(targets.size(), 2u);
  EXPECT_EQ(targets[0].view(), "/A/B");
  EXPECT_EQ(targets[1].view(), "/A");
  EXPECT_TRUE(table.targets(prim, none, made, nullptr).empty());
  EXPECT_FALSE(table.is_blocked(prim, numbers, ValueTypes::array_of<std::int32_t>()))
      << "Its strongest opinion is an edit.";
}

}  // namespace
}  // namespace sinew::stage::property_table_test
