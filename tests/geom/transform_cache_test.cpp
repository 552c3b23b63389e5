// SPDX-License-Identifier: Apache-2.0
#include "sinew/geom/transform_cache.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "geom/deep_stage.hpp"
#include "sinew/geom/transforms.hpp"
#include "stage/support.hpp"
#include "support/stack.hpp"

namespace sinew::geom::transform_cache_test {
namespace {

// A prim moved by (x, 0, 0), with more statements inside.
std::string moved(const char* name, const char* x, const std::string& inside = {}) {
  return std::string("def Xform \"") + name + "\" {\ndouble3 xformOp:translate = (" + x +
         ", 0, 0)\nuniform token[] xformOpOrder = [\"xformOp:translate\"]\n" + inside + "\n}\n";
}

class TransformCacheScene : public ::testing::Test {
 protected:
  Diagnostics diagnostics_;
  stage::StagePtr stage_ = [this] {
    const std::string reset = R"(
def Xform "Reset" { double3 xformOp:translate = (7, 0, 0)
    uniform token[] xformOpOrder = ["!resetXformStack!", "xformOp:translate"]
)" + moved("Below", "1") + "}\n";
    const std::string text = moved("P", "1",
                                   "def Scope \"S\" {\n" + moved("C", "2") + "}\n" + reset +
                                       R"(
def Xform "Moves" { double3 xformOp:translate.timeSamples = { 0: (0, 0, 0), 10: (10, 0, 0) }
    uniform token[] xformOpOrder = ["xformOp:translate"]
}
def Xform "Wrong" { uniform token[] xformOpOrder = ["xformOp:scale"]
    def Xform "A" {}
    def Xform "B" {}
}
)") + "class Xform \"Proto\" {\n" +
                             moved("C", "1") + "}\n" +
                             R"(
def Xform "I1" (instanceable = true; inherits = </Proto>) { double3 xformOp:translate = (10, 0, 0); uniform token[] xformOpOrder = ["xformOp:translate"]; }
def Xform "I2" (instanceable = true; inherits = </Proto>) { double3 xformOp:translate = (20, 0, 0); uniform token[] xformOpOrder = ["xformOp:translate"]; }
)";
    return stage::open_layers({{"root.usda", text.c_str()}}, diagnostics_);
  }();
};

TEST_F(TransformCacheScene, GivesWhatWalkingUpGives) {
  ASSERT_TRUE(stage_);
  for (const stage::Time time : {stage::Time(), stage::Time(5.0)}) {
    TransformCache cache(time);
    for (const stage::Prim prim :
         stage_->root().descendants(stage::Traversal::with_instance_proxies())) {
      EXPECT_EQ(cache.world_from_prim(prim), world_from_prim(prim, time)) << prim.path().view();
      EXPECT_EQ(cache.world_from_parent(prim), world_from_parent(prim, time)) << prim.path().view();
    }
  }
}

TEST_F(TransformCacheScene, AddsUpTheTree) {
  TransformCache cache;
  const auto x = [&](const char* path) { return cache.world_from_prim(stage_->prim(path))(0, 3); };
  EXPECT_EQ(x("/P/S/C"), 3.0);
  EXPECT_EQ(x("/P/Reset"), 7.0);
  EXPECT_EQ(x("/P/Reset/Below"), 8.0);
  EXPECT_EQ(x("/I1/C"), 11.0);
  EXPECT_EQ(x("/I2/C"), 21.0);
  EXPECT_EQ(cache.world_from_parent(stage_->prim("/P/S/C"))(0, 3), 1.0);
  EXPECT_EQ(cache.world_from_parent(stage_->prim("/P/Reset"))(0, 3), 0.0);
  EXPECT_TRUE(cache.resets_stack(stage_->prim("/P/Reset")));
  EXPECT_FALSE(cache.resets_stack(stage_->prim("/P/Reset/Below")));
  EXPECT_EQ(cache.world_from_parent(stage_->root()), Matrix4d(Matrix4d::Identity()));
}

TEST_F(TransformCacheScene, ForgetsWhenTheTimeChanges) {
  TransformCache cache(0.0);
  const stage::Prim prim = stage_->prim("/P/Moves");
  EXPECT_EQ(cache.world_from_prim(prim)(0, 3), 1.0);
  EXPECT_EQ(cache.size(), 3U);  // The root and /P too.

  cache.set_time(0.0);
  EXPECT_EQ(cache.size(), 3U);
  cache.set_time(5.0);
  EXPECT_EQ(cache.size(), 0U);
  EXPECT_EQ(cache.world_from_prim(prim)(0, 3), 6.0);
  EXPECT_EQ(cache.time(), stage::Time(5.0));
  cache.set_time({});
  EXPECT_EQ(cache.world_from_prim(prim)(0, 3), 1.0);
  cache.clear();
  EXPECT_EQ(cache.size(), 0U);
}

TEST_F(TransformCacheScene, ReportsEachPrimOnce) {
  Diagnostics diagnostics;
  TransformCache cache({}, &diagnostics);
  cache.world_from_prim(stage_->prim("/P/Wrong/A"));
  cache.world_from_prim(stage_->prim("/P/Wrong/B"));
  ASSERT_EQ(diagnostics.size(), 1U);
  EXPECT_EQ(diagnostics[0].code, "geom-xform-op-missing");
}

TEST(TransformCache, NeedsNoStackForDeepTrees) {
  constexpr std::uint32_t kDepth = 10'000;
  const auto stage = deep_stage(kDepth, "Xform");
  stage::Prim deepest = stage->root();
  while (const stage::Prim child = deepest.first_child()) deepest = child;

  run_with_stack(kSmallStack, [&] {
    TransformCache cache;
    EXPECT_EQ(cache.world_from_prim(deepest)(0, 3), kDepth);
    EXPECT_EQ(cache.world_from_parent(deepest)(0, 3), kDepth - 1);
    EXPECT_EQ(cache.size(), std::size_t{kDepth} + 1);
  });
}

}  // namespace
}  // namespace sinew::geom::transform_cache_test
