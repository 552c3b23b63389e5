// SPDX-License-Identifier: Apache-2.0
// Where opinions stand among each other, by rules that only show where several features meet.
#include <gtest/gtest.h>

#include <vector>

#include "stage/support.hpp"

namespace sinew::stage::graph_order_test {
namespace {

StagePtr open(std::initializer_list<std::pair<const char*, const char*>> layers) {
  Diagnostics diagnostics;
  return open_layers(layers, diagnostics);
}

std::vector<double> times_of(const StagePtr& stage, const char* prim, const char* name) {
  return stage->prim(prim).attribute(name).time_samples();
}

// What is specialized further in stands at the root and is implied to the layers around it: the
// outer place is the stronger one.
TEST(GraphOrder, SpecializedIsStrongerWhereItIsImplied) {
  const StagePtr stage = open({{"root.usda", R"(
over "Base" {
    string a = "root"
}
def "Prim" (references = @asset.usda@</Prim>) {}
)"},
                               {"asset.usda", R"(
def "Base" {
    string a = "asset"
    string b = "asset"
}
def "Mid" (specializes = </Base>) {
    string b = "mid"
}
def "Prim" (inherits = </Mid>) {}
)"}});
  ASSERT_NE(stage, nullptr);
  EXPECT_EQ(text_at(*stage, "/Prim", "a"), "root");
  EXPECT_EQ(text_at(*stage, "/Prim", "b"), "mid");
}

// Values of a layer that stands twice in a stack have the times of its first place.
TEST(GraphOrder, ALayerThatStandsTwiceHasOneOffset) {
  const StagePtr stage = open({{"root.usda", R"((
    subLayers = [@a.usda@, @b.usda@ (offset = 100)]
)
)"},
                               {"a.usda", R"((
    subLayers = [@b.usda@ (offset = 10)]
)
)"},
                               {"b.usda", R"(
def "Prim" {
    double x.timeSamples = { 1: 1 }
}
)"}});
  ASSERT_NE(stage, nullptr);
  EXPECT_EQ(times_of(stage, "/Prim", "x"), std::vector<double>{11.0});
}

// A stronger sample that holds a value hides weaker ones until the next stronger sample, and the
// first one does before it, too.
TEST(GraphOrder, SamplesShowWhereStrongerOnesEditThem) {
  const StagePtr stage = open({{"root.usda", R"((
    subLayers = [@weak.usda@]
)
def "Prim" {
    int[] x.timeSamples = { 2: [7], 4: edit [append 1], 8: [0] }
}
def "Early" {
    int[] x.timeSamples = { 2: edit [append 1], 4: [7] }
}
)"},
                               {"weak.usda", R"(
def "Prim" {
    int[] x.timeSamples = { 0: [1], 3: [2], 5: [3], 9: [4] }
}
def "Early" {
    int[] x.timeSamples = { 0: [1], 3: [2], 5: [3] }
}
)"}});
  ASSERT_NE(stage, nullptr);
  EXPECT_EQ(times_of(stage, "/Prim", "x"), (std::vector<double>{2.0, 4.0, 5.0, 8.0}));
  EXPECT_EQ(times_of(stage, "/Early", "x"), (std::vector<double>{0.0, 2.0, 3.0, 4.0}));
}

// Instances whose arcs lead to the same share a prototype, whatever those lead on to.
TEST(GraphOrder, InstancesOfOneTargetShareAPrototype) {
  const StagePtr stage = open({{"root.usda", R"(
def "Leaf" {
    def "Child" {}
}
def "Asset" (references = </Leaf>) {}
def "One" (
    references = </Asset>
    instanceable = true
) {}
def "Two" (
    references = </Asset>
    instanceable = true
) {}
)"}});
  ASSERT_NE(stage, nullptr);
  ASSERT_TRUE(stage->prim("/One/Child"));
  EXPECT_EQ(stage->prim("/One/Child").node(), stage->prim("/Two/Child").node());
}

// An arc that leads on to a prim above an instance knows that it is one, though its own arcs are
// left out there as they are on the way already.
TEST(GraphOrder, WhatIsImpliedBelowAnInstanceBelongsToIt) {
  const StagePtr stage = open({{"root.usda", R"(
def "Set" {
    def "Class" {
        string a = "asset"
        string b = "asset"
    }
    def "Heir" (inherits = </Set/Class>) {}
}
def "I" (
    references = </Set>
    instanceable = true
)
{
    over "Class" {
        string a = "local"
    }
}
)"}});
  ASSERT_NE(stage, nullptr);
  EXPECT_EQ(text_at(*stage, "/I/Heir", "a"), "asset");
  EXPECT_EQ(text_at(*stage, "/I/Class", "a"), "asset");
}

}  // namespace
}  // namespace sinew::stage::graph_order_test
