// SPDX-License-Identifier: Apache-2.0
#include "sinew/geom/visibility.hpp"

#include <gtest/gtest.h>

#include "stage/support.hpp"

namespace sinew::geom::visibility_test {
namespace {

class VisibilityScene : public ::testing::Test {
 protected:
  Visibility visibility(const char* path, stage::Time time = {}) {
    const stage::Prim prim = stage_->prim(path);
    const Visibility computed = compute_visibility(prim, time);
    // Both ways to compute it agree.
    EXPECT_EQ(compute_visibility(prim, compute_visibility(prim.parent(), time), time), computed);
    return computed;
  }
  PurposeInfo purpose(const char* path) {
    const stage::Prim prim = stage_->prim(path);
    const PurposeInfo computed = compute_purpose(prim);
    EXPECT_EQ(compute_purpose(prim, compute_purpose(prim.parent())), computed);
    return computed;
  }
  Diagnostics diagnostics_;
  stage::StagePtr stage_ = stage::open_layers({{"root.usda", R"(
def Xform "Hidden" { token visibility = "invisible"
    def Mesh "Child" { token visibility = "inherited"; }
    def "Untyped" {
        def Mesh "Child" {}
    }
}
def "Untyped" { token visibility = "invisible"; uniform token purpose = "guide"
    def Mesh "Child" {}
}
def Xform "Blinks" { token visibility.timeSamples = { 0: "inherited", 10: "invisible" }
    def Mesh "Child" {}
}
def "BlinksUntyped" { token visibility.timeSamples = { 0: "inherited", 10: "invisible" }; }
def Xform "Held" { token visibility.timeSamples = { 10: "invisible" }; }
def Xform "Wrong" { token visibility = "visible"; uniform token purpose = "sideways"
    def Mesh "Child" {}
}
def Xform "Empty" { uniform token purpose = "proxy"
    def Xform "Empty" { uniform token purpose = ""
        def Mesh "Child" {}
    }
}
def Xform "Number" { int visibility = 1; int purpose = 2; }
def Xform "Guide" { uniform token purpose = "guide"
    def "Untyped" { uniform token purpose = "proxy"
        def Mesh "Child" {}
    }
    def Xform "Default" { uniform token purpose = "default"
        def Mesh "Child" {}
    }
    def Mesh "Blocked" { uniform token purpose = None; }
    def Mesh "Render" { uniform token purpose = "render"; }
}
class Xform "Proto" {
    def Mesh "Child" {}
}
def Xform "Proxies" { uniform token purpose = "proxy"; token visibility = "invisible"
    def "I" (instanceable = true; inherits = </Proto>) {}
}
)"}},
                                              diagnostics_);
};

TEST_F(VisibilityScene, HidesEverythingBelow) {  // stage 7.3
  EXPECT_EQ(visibility("/Hidden"), Visibility::invisible);
  EXPECT_EQ(visibility("/Hidden/Child"), Visibility::invisible);
  EXPECT_EQ(visibility("/Hidden/Untyped/Child"), Visibility::invisible);
  EXPECT_EQ(own_visibility(stage_->prim("/Hidden/Child")), Visibility::inherited);
  EXPECT_EQ(own_visibility(stage_->prim("/Hidden")), Visibility::invisible);
  EXPECT_EQ(visibility("/Proxies/I/Child"), Visibility::invisible);
  EXPECT_EQ(visibility("/Guide/Render"), Visibility::inherited);
}

TEST_F(VisibilityScene, DoesNotCountWhatIsNotImageable) {  // stage 7.3
  EXPECT_EQ(visibility("/Untyped/Child"), Visibility::inherited);
  EXPECT_EQ(own_visibility(stage_->prim("/Untyped")), Visibility::inherited);
}

TEST_F(VisibilityScene, VariesWithTime) {
  EXPECT_EQ(visibility("/Blinks/Child"), Visibility::inherited);
  EXPECT_EQ(visibility("/Blinks/Child", 9.0), Visibility::inherited);
  EXPECT_EQ(visibility("/Blinks/Child", 10.0), Visibility::invisible);
}

TEST_F(VisibilityScene, TellsWhetherItMightVary) {
  EXPECT_TRUE(own_visibility_might_vary(stage_->prim("/Blinks")));
  EXPECT_FALSE(own_visibility_might_vary(stage_->prim("/Blinks/Child")));   // Its own only.
  EXPECT_FALSE(own_visibility_might_vary(stage_->prim("/BlinksUntyped")));  // Not Imageable.
  EXPECT_FALSE(own_visibility_might_vary(stage_->prim("/Held")));           // One for all times.
  EXPECT_FALSE(own_visibility_might_vary(stage_->prim("/Hidden")));
  EXPECT_FALSE(own_visibility_might_vary(stage::Prim()));
}

TEST_F(VisibilityScene, TakesWrongTokensForNothing) {
  EXPECT_EQ(visibility("/Wrong/Child"), Visibility::inherited);
  EXPECT_EQ(visibility("/Number"), Visibility::inherited);
}

TEST_F(VisibilityScene, PurposeIsInheritedIfAuthored) {  // stage 7.3
  EXPECT_EQ(purpose("/Guide"), (PurposeInfo{Purpose::guide, true}));
  EXPECT_EQ(purpose("/Guide/Render"), (PurposeInfo{Purpose::render, true}));
  EXPECT_EQ(purpose("/Guide/Default/Child"), (PurposeInfo{Purpose::default_, true}));
  EXPECT_EQ(purpose("/Guide/Untyped/Child"), (PurposeInfo{Purpose::guide, true}));
  EXPECT_EQ(purpose("/Guide/Blocked"), (PurposeInfo{Purpose::guide, true}));
  EXPECT_EQ(purpose("/Proxies/I/Child"), (PurposeInfo{Purpose::proxy, true}));
}

TEST_F(VisibilityScene, AnEmptyPurposeIsNoneAtAll) {
  EXPECT_EQ(purpose("/Empty/Empty"), (PurposeInfo{Purpose::proxy, true}));
  EXPECT_EQ(purpose("/Empty/Empty/Child"), (PurposeInfo{Purpose::proxy, true}));
  EXPECT_EQ(compute_purpose(stage_->prim("/Empty/Empty"), {}), PurposeInfo());
}

TEST_F(VisibilityScene, PurposeFallsBackToDefault) {
  EXPECT_EQ(purpose("/Hidden/Child"), (PurposeInfo{Purpose::default_, false}));
  EXPECT_EQ(purpose("/Untyped/Child"), (PurposeInfo{Purpose::default_, false}));
  // A purpose that does not reach children is not handed on.
  EXPECT_EQ(compute_purpose(stage_->prim("/Hidden/Child"), {Purpose::guide, false}), PurposeInfo());
}

TEST_F(VisibilityScene, PurposeOfAWrongTokenIsUnknown) {
  EXPECT_EQ(purpose("/Wrong/Child"), (PurposeInfo{Purpose::unknown, true}));
  EXPECT_EQ(purpose("/Number"), (PurposeInfo{Purpose::default_, true}));
}

TEST(PurposeTest, HasTheNamesOfTheSchema) {
  EXPECT_EQ(to_string(Purpose::default_), "default");
  EXPECT_EQ(to_string(Purpose::render), "render");
  EXPECT_EQ(to_string(Purpose::proxy), "proxy");
  EXPECT_EQ(to_string(Purpose::guide), "guide");
  EXPECT_EQ(to_string(Purpose::unknown), "");
  for (int i = 5; i < 256; ++i) EXPECT_EQ(to_string(static_cast<Purpose>(i)), "") << i;
}

// The loops upwards reach the outermost prim, and end there.
TEST_F(VisibilityScene, LooksAtEveryAncestorUpToTheOutermost) {
  const stage::Prim child = stage_->prim("/Hidden/Untyped/Child");
  EXPECT_EQ(compute_visibility(child), Visibility::invisible);
  EXPECT_EQ(compute_visibility(child.parent().parent()), Visibility::invisible);
  EXPECT_EQ(compute_purpose(stage_->prim("/Guide")).purpose, Purpose::guide);
  EXPECT_EQ(compute_visibility(stage_->root()), Visibility::inherited);
  EXPECT_EQ(compute_purpose(stage_->root()), PurposeInfo());
  EXPECT_EQ(compute_visibility(stage::Prim()), Visibility::inherited);
  EXPECT_EQ(compute_purpose(stage::Prim()), PurposeInfo());
}

TEST(TypedGeometry, OpinionsOfOtherTypesDoNotHideThoseOfTheSchema) {
  Diagnostics diagnostics;
  const stage::StagePtr stage = stage::open_layers(
      {{"root.usda",
        "(subLayers = [@weak.usda@])\n"
        "over \"A\" { int visibility = 1; int purpose = 2; }\n"},
       {"weak.usda",
        "def Mesh \"A\" { token visibility = \"invisible\"; uniform token purpose = \"proxy\"; "
        "}\n"}},
      diagnostics);
  EXPECT_EQ(own_visibility(stage->prim("/A")), Visibility::invisible);
  EXPECT_EQ(compute_purpose(stage->prim("/A")), (PurposeInfo{Purpose::proxy, true}));
}

}  // namespace
}  // namespace sinew::geom::visibility_test
