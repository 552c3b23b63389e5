// SPDX-License-Identifier: Apache-2.0
#include "sinew/geom/bounds.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "geom/deep_stage.hpp"
#include "sinew/geom/extents.hpp"
#include "stage/support.hpp"
#include "support/codes.hpp"
#include "support/stack.hpp"

namespace sinew::geom::bounds_test {
namespace {

using ::testing::IsEmpty;

void expect_range(const Range3d& actual, const Vector3d& min, const Vector3d& max) {
  EXPECT_FALSE(actual.empty());
  // Rotations make errors in the last digits.
  EXPECT_LE((actual.min - min).cwiseAbs().maxCoeff(), 1e-9) << actual.min.transpose();
  EXPECT_LE((actual.max - max).cwiseAbs().maxCoeff(), 1e-9) << actual.max.transpose();
}

BoundingBox box(const Vector3d& min, const Vector3d& max, const Matrix4d& matrix) {
  return {{min, max}, matrix};
}

// By 45 degrees about z.
Matrix4d turned() {
  Matrix4d m = Matrix4d::Identity();
  const double s = std::sqrt(0.5);
  m.topLeftCorner<2, 2>() << s, -s, s, s;
  return m;
}

TEST(BoundingBoxTest, IsAlignedWhereItsMatrixLeads) {
  const double diagonal = std::sqrt(2.0);
  expect_range(aligned_range(box({-1, -1, -1}, {1, 1, 1}, turned())), {-diagonal, -diagonal, -1},
               {diagonal, diagonal, 1});
  EXPECT_TRUE(aligned_range(BoundingBox()).empty());
}

TEST(BoundingBoxTest, IsEmptyIfItIsNotANumber) {
  BoundingBox nothing =
      box({0, std::numeric_limits<double>::quiet_NaN(), 0}, {1, 1, 1}, Matrix4d::Identity());
  EXPECT_TRUE(nothing.empty());
  BoundingBox nowhere = box({0, 0, 0}, {1, 1, 1}, Matrix4d::Identity());
  nowhere.matrix(0, 0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(aligned_range(nowhere).empty());
}

TEST(CombineBounds, ChoosesTheSpaceWhereTheBoxIsSmaller) {
  const BoundingBox small = box({-1, -1, -1}, {1, 1, 1}, Matrix4d::Identity());
  const BoundingBox large = box({-9, -9, -9}, {9, 9, 9}, turned());
  EXPECT_EQ(combine(small, large).matrix, turned());
  EXPECT_EQ(combine(large, small).matrix, turned());
  expect_range(combine(small, large).range, {-9, -9, -9}, {9, 9, 9});
  // As good as equal: the first.
  const BoundingBox equal = box({-1, -1, -1}, {1, 1, 1}, turned());
  EXPECT_EQ(combine(small, equal).matrix, small.matrix);
  EXPECT_EQ(combine(equal, small).matrix, turned());
}

TEST(CombineBounds, LeavesOutTheEmptyBox) {
  const BoundingBox one = box({0, 0, 0}, {1, 1, 1}, turned());
  expect_range(combine(one, BoundingBox()).range, {0, 0, 0}, {1, 1, 1});
  expect_range(combine(BoundingBox(), one).range, {0, 0, 0}, {1, 1, 1});
}

TEST(CombineBounds, DoesNotUndoFlatMatrices) {
  Matrix4d flat = Matrix4d::Identity();
  flat(2, 2) = 0.0;
  const BoundingBox sheet = box({0, 0, 0}, {2, 1, 1}, flat);
  const BoundingBox cube = box({0, 0, 0}, {1, 1, 1}, Matrix4d::Identity());
  expect_range(combine(sheet, cube).range, {0, 0, 0}, {2, 1, 1});
  expect_range(combine(cube, sheet).range, {0, 0, 0}, {2, 1, 1});
  expect_range(combine(sheet, sheet).range, {0, 0, 0}, {2, 1, 0});
}

TEST(PurposeSetTest, ContainsWhatItNames) {
  EXPECT_TRUE(PurposeSet().contains(Purpose::default_));
  EXPECT_FALSE(PurposeSet().contains(Purpose::guide));
  EXPECT_TRUE(PurposeSet::all().contains(Purpose::guide));
  EXPECT_TRUE(PurposeSet::all().contains(Purpose::render));
  EXPECT_TRUE(PurposeSet::all().contains(Purpose::proxy));
  EXPECT_FALSE(PurposeSet::all().contains(Purpose::unknown));
}

class BoundsScene : public ::testing::Test {
 protected:
  // The world box of a prim, aligned.
  Range3d world(const char* path, BoundsOptions options = {}, stage::Time time = {}) {
    options.diagnostics = &diagnostics_;
    BoundsCache cache(time, std::move(options));
    return aligned_range(cache.world_bound(stage_->prim(path)));
  }
  std::string codes() const { return test::codes_of(diagnostics_); }
  Diagnostics diagnostics_;
  stage::StagePtr stage_ = stage::open_layers({{"root.usda", R"(
def Xform "A" {
    double3 xformOp:translate = (10, 0, 0)
    uniform token[] xformOpOrder = ["xformOp:translate"]
    def Cube "One" {
        def Cube "Inside" { double size = 100; }
    }
    def "Untyped" {
        def Sphere "Two" { double radius.timeSamples = { 0: 2, 10: 4 }
            double3 xformOp:translate = (5, 0, 0)
            uniform token[] xformOpOrder = ["xformOp:translate"]
        }
    }
    def Material "NotImageable" {
        def Cube "Cube" { double size = 100; }
    }
    def Cube "Hidden" { double size = 100; token visibility = "invisible"; }
    over Cube "Undefined" { double size = 100; }
    def Cube "Inactive" (active = false) { double size = 100; }
    def Mesh "Nothing" { point3f[] points = []; }
}
def Xform "Shaded" {
    def Material "NotImageable" {
        def Cube "Cube" { double size = 4; }
    }
}
def Xform "Purposes" {
    def Cube "Default" {}
    def Xform "Guide" { uniform token purpose = "guide"
        def Cube "G" { double size = 4; }
        def Cube "R" { double size = 6; uniform token purpose = "render"; }
    }
    def Cube "Strange" { double size = 100; uniform token purpose = "strange"; }
}
def Xform "Model" (kind = "component") {
    float3[] extentsHint = [(0, 0, 0), (1, 1, 1), (0, 0, 0), (2, 2, 2)]
    def Cube "Big" { double size = 100; }
}
def Xform "Group" (kind = "group") {
    def Xform "Assembly" (kind = "assembly") {
        def Xform "Part" (kind = "component") {
            float3[] extentsHint = [(0, 0, 0), (3, 1, 1)]
            def Cube "Big" { double size = 100; }
            def Xform "Inner" (kind = "component") {
                float3[] extentsHint = [(0, 0, 0), (4, 1, 1)]
                def Cube "Big" { double size = 100; }
            }
        }
    }
    def Xform "Loose" {
        def Xform "Part" (kind = "component") {
            float3[] extentsHint = [(0, 0, 0), (5, 1, 1)]
            def Cube "Big" { double size = 100; }
        }
    }
}
def Xform "NoModel" {
    float3[] extentsHint = [(0, 0, 0), (1, 1, 1)]
    def Cube "Big" { double size = 100; }
}
def Xform "Parent" { double3 xformOp:translate = (10, 0, 0); uniform token[] xformOpOrder = ["xformOp:translate"]
    def Cube "Reset" { uniform token[] xformOpOrder = ["!resetXformStack!"]; }
}
def Xform "Flat" { float3 xformOp:scale = (1, 1, 0); uniform token[] xformOpOrder = ["xformOp:scale"]
    def Cube "Cube" {}
    def Cube "Reset" { double size = 100; uniform token[] xformOpOrder = ["!resetXformStack!"]; }
}
def Xform "NotFinite" {
    def Cube "Cube" {}
    def Cube "Nan" { double3 xformOp:translate = (nan, 0, 0); uniform token[] xformOpOrder = ["xformOp:translate"]; }
}
def Xform "Extents" {
    def Mesh "Nan" { float3[] extent = [(0, 0, 0), (nan, 1, 1)]; point3f[] points = [(3, 0, 0), (4, 1, 1)]; }
    def SkelRoot "Skel" {
        def Cube "Cube" { double size = 100; }
    }
}
class Xform "Proto" {
    def Cube "Cube" {}
    def Cube "Guide" { double size = 4; uniform token purpose = "guide"; }
    def Cube "Reset" { double size = 0.5; double3 xformOp:translate = (0, 50, 0); uniform token[] xformOpOrder = ["!resetXformStack!", "xformOp:translate"]; }
}
def Xform "I1" (instanceable = true; inherits = </Proto>) { double3 xformOp:translate = (10, 0, 0); uniform token[] xformOpOrder = ["xformOp:translate"]; }
def Xform "I2" (instanceable = true; inherits = </Proto>) { double3 xformOp:translate = (20, 0, 0); uniform token[] xformOpOrder = ["xformOp:translate"]; }
def Xform "Above" { uniform token purpose = "proxy"
    def Xform "I3" (instanceable = true; inherits = </Proto>) {}
}
def Xform "Turned" { float xformOp:rotateZ = 45; uniform token[] xformOpOrder = ["xformOp:rotateZ"]
    def Cube "Cube" {}
}
)"}},
                                              diagnostics_);
};

TEST_F(BoundsScene, HoldWhatIsVisibleAndBounded) {  // stage 7.7
  expect_range(world("/A"), {9, -1, -1}, {16, 1, 1});
  expect_range(world("/A", {}, 0.0), {9, -2, -2}, {17, 2, 2});
  expect_range(world("/A/One"), {9, -1, -1}, {11, 1, 1});
  EXPECT_THAT(diagnostics_, IsEmpty());
}

TEST_F(BoundsScene, CanIgnoreVisibility) {
  BoundsOptions options;
  options.ignore_visibility = true;
  expect_range(world("/A", options), {-40, -50, -50}, {60, 50, 50});
  // What has a type and is not Imageable is looked into as well then.
  EXPECT_TRUE(world("/Shaded").empty());
  expect_range(world("/Shaded", options), {-2, -2, -2}, {2, 2, 2});
}

TEST(UnloadedBounds, AreTheHintsAndExtentsThatAreThereAllTheSame) {
  Diagnostics diagnostics;
  stage::OpenOptions options;
  options.payloads = stage::Payloads::skip;
  const auto stage = stage::open_layers({{"root.usda", R"(
def Xform "World" (kind = "group") {
    def Xform "Model" (
        kind = "component"
        payload = @payload.usda@</Model>
    ) {
        float3[] extentsHint = [(0, 0, 0), (1, 2, 3)]
    }
    def Mesh "Mesh" (payload = @payload.usda@</Mesh>) {
        float3[] extent = [(-5, 0, 0), (-4, 1, 1)]
    }
}
)"},
                                         {"payload.usda", "def \"Model\" {}\ndef \"Mesh\" {}\n"}},
                                        diagnostics, options);
  ASSERT_NE(stage, nullptr);
  const stage::Prim world = stage->prim("/World");
  ASSERT_FALSE(stage->prim("/World/Model").is_loaded());
  BoundsCache plain;
  expect_range(aligned_range(plain.world_bound(world)), {-5, 0, 0}, {-4, 1, 1});
  BoundsOptions hints;
  hints.use_extents_hint = true;
  BoundsCache hinted({}, hints);
  expect_range(aligned_range(hinted.world_bound(world)), {-5, 0, 0}, {1, 2, 3});
}

TEST_F(BoundsScene, HoldAnInvisiblePrimThatIsAskedFor) {
  expect_range(world("/A/Hidden"), {-40, -50, -50}, {60, 50, 50});
  EXPECT_TRUE(world("/A/Nothing").empty());
}

TEST_F(BoundsScene, ArePerPurpose) {
  expect_range(world("/Purposes"), {-1, -1, -1}, {1, 1, 1});
  expect_range(world("/Purposes", {.purposes = {.guide = true}}), {-2, -2, -2}, {2, 2, 2});
  expect_range(world("/Purposes", {.purposes = {.default_ = false, .render = true}}), {-3, -3, -3},
               {3, 3, 3});
  expect_range(world("/Purposes", {.purposes = PurposeSet::all()}), {-3, -3, -3}, {3, 3, 3});
  // What is inherited from above the prim asked for counts.
  EXPECT_TRUE(world("/Purposes/Guide/G").empty());
}

TEST_F(BoundsScene, FollowTheTime) {
  BoundsCache cache(0.0);
  const stage::Prim prim = stage_->prim("/A/Untyped/Two");
  expect_range(cache.untransformed_bound(prim).range, {-2, -2, -2}, {2, 2, 2});
  cache.set_time(10.0);
  EXPECT_EQ(cache.time(), stage::Time(10.0));
  expect_range(cache.untransformed_bound(prim).range, {-4, -4, -4}, {4, 4, 4});
  cache.clear();
  expect_range(cache.untransformed_bound(prim).range, {-4, -4, -4}, {4, 4, 4});
}

TEST_F(BoundsScene, AreGivenInEverySpace) {
  BoundsCache cache;
  const stage::Prim prim = stage_->prim("/A/Untyped/Two");
  expect_range(aligned_range(cache.untransformed_bound(prim)), {-1, -1, -1}, {1, 1, 1});
  expect_range(aligned_range(cache.local_bound(prim)), {4, -1, -1}, {6, 1, 1});
  expect_range(aligned_range(cache.world_bound(prim)), {14, -1, -1}, {16, 1, 1});
  expect_range(aligned_range(*cache.relative_bound(prim, stage_->prim("/A"))), {4, -1, -1},
               {6, 1, 1});
  const auto flat = cache.relative_bound(prim, stage_->prim("/Flat"));
  ASSERT_FALSE(flat);
  EXPECT_EQ(flat.error().code, ErrorCode::not_invertible);
  EXPECT_FALSE(cache.untransformed_bound(stage_->root()).empty());
  EXPECT_FALSE(cache.local_bound(stage_->root()).empty());
}

TEST_F(BoundsScene, KeepTheBoxAsItWasMeasured) {
  BoundsCache cache;
  const BoundingBox own = cache.world_bound(stage_->prim("/Turned/Cube"));
  expect_range(own.range, {-1, -1, -1}, {1, 1, 1});
  EXPECT_NEAR(own.matrix(0, 0), std::sqrt(0.5), 1e-12);
  // Children are united in the world, and that box is turned back.
  const double d = std::sqrt(2.0);
  const BoundingBox bound = cache.untransformed_bound(stage_->prim("/Turned"));
  expect_range(bound.range, {-d, -d, -1}, {d, d, 1});
  EXPECT_NEAR(bound.matrix(0, 1), std::sqrt(0.5), 1e-12);
  expect_range(aligned_range(cache.world_bound(stage_->prim("/Turned"))), {-d, -d, -1}, {d, d, 1});
}

// Cubes that are turned by different angles, 10 apart.
constexpr const char* kTwoTurned = R"({
    float xformOp:rotateZ = 45
    uniform token[] xformOpOrder = ["xformOp:rotateZ"]
    def Xform "A" { float xformOp:rotateZ = -45; uniform token[] xformOpOrder = ["xformOp:rotateZ"]
        def Cube "Cube" {}
    }
    def Cube "B" { double3 xformOp:translate = (10, 0, 0); uniform token[] xformOpOrder = ["xformOp:translate"]; }
}
)";

class UnitedBounds : public ::testing::Test {
 protected:
  Range3d bound(const std::string& text, const char* path) {
    stage_ = stage::open_layers({{"root.usda", text.c_str()}}, diagnostics_);
    if (stage_ == nullptr) return {};
    BoundsCache cache({}, {.diagnostics = &diagnostics_});
    return aligned_range(cache.world_bound(stage_->prim(path)));
  }
  Diagnostics diagnostics_;
  stage::StagePtr stage_;
};

TEST_F(UnitedBounds, AreAlignedWithTheWorld) {
  const double d = std::sqrt(2.0), s = std::sqrt(50.0);
  const std::string text = "def Xform \"G\" " + std::string(kTwoTurned);
  expect_range(bound(text, "/G"), {-1, -1, -1}, {s + d, s + d, 1});
  expect_range(bound(text, "/G/A"), {-1, -1, -1}, {1, 1, 1});
  expect_range(bound(text, "/"), {-1, -1, -1}, {s + d, s + d, 1});
}

TEST_F(UnitedBounds, AreAlignedWithTheNearestComponent) {
  // In the space of G: from -sqrt(2) to 11, and from -sqrt(2) to sqrt(2).
  const double d = std::sqrt(2.0), h = std::sqrt(0.5);
  for (const char* kind : {"component", "subcomponent"}) {
    const std::string text =
        "def Xform \"G\" (kind = \"" + std::string(kind) + "\") " + std::string(kTwoTurned);
    expect_range(bound(text, "/G"), {h * (-d - d), h * (-d - d), -1},
                 {h * (11 + d), h * (11 + d), 1});
  }
}

TEST_F(UnitedBounds, BelowAnInstanceAreAlignedWithIt) {
  const double d = std::sqrt(2.0), s = std::sqrt(50.0), h = std::sqrt(0.5);
  const std::string text = "class Xform \"P\" {\ndef Xform \"In\" {\ndef Xform \"G\" " +
                           std::string(kTwoTurned) + "}\n}\n" + R"(
def Xform "I" (instanceable = true; inherits = </P>) { float xformOp:rotateZ = -45; uniform token[] xformOpOrder = ["xformOp:rotateZ"]; }
)";
  // The box of I/In/G in the space of I, turned by the instance.
  const Range3d from_instance = bound(text, "/I");
  expect_range(from_instance, {h * (-1 - 1), h * (-1 - s - d), -1},
               {h * 2 * (s + d), h * (s + d + 1), 1});
  // Asked for itself, it is measured in the world.
  const Range3d asked = bound(text, "/I/In");
  expect_range(asked, {-d, -d, -1}, {11, d, 1});
}

TEST_F(UnitedBounds, UndoWhatIsNotAffine) {
  const Matrix4d projective = [] {
    Matrix4d m = Matrix4d::Identity();
    m(0, 3) = 3.0;
    m(3, 3) = 2.0;
    return m;
  }();
  const std::string text = R"(
def Xform "T" {
    matrix4d xformOp:transform = ((1,0,0,0),(0,1,0,0),(0,0,1,0),(3,0,0,2))
    uniform token[] xformOpOrder = ["xformOp:transform"]
    def Cube "Cube" {}
}
)";
  (void)bound(text, "/T");
  BoundsCache cache;
  const auto own = cache.relative_bound(stage_->prim("/T/Cube"), stage_->prim("/T"));
  ASSERT_TRUE(own);
  EXPECT_LE((own->matrix - Matrix4d::Identity()).cwiseAbs().maxCoeff(), 1e-12) << own->matrix;
  EXPECT_EQ(cache.world_bound(stage_->prim("/T/Cube")).matrix, projective);
}

TEST_F(BoundsScene, UseHintsOfModelsIfAsked) {
  const BoundsOptions hints = {.use_extents_hint = true};
  expect_range(world("/Model"), {-50, -50, -50}, {50, 50, 50});
  expect_range(world("/Model", hints), {0, 0, 0}, {1, 1, 1});
  expect_range(world("/Model", {.purposes = {.render = true}, .use_extents_hint = true}), {0, 0, 0},
               {2, 2, 2});
  EXPECT_TRUE(
      world("/Model", {.purposes = {.default_ = false, .guide = true}, .use_extents_hint = true})
          .empty());
  expect_range(world("/NoModel", hints), {-50, -50, -50}, {50, 50, 50});
  // A model stands below groups and assemblies only, up to the root.
  expect_range(world("/Group/Assembly/Part", hints), {0, 0, 0}, {3, 1, 1});
  expect_range(world("/Group/Assembly/Part/Inner", hints), {-50, -50, -50}, {50, 50, 50});
  expect_range(world("/Group/Loose/Part", hints), {-50, -50, -50}, {50, 50, 50});
}

TEST_F(BoundsScene, HonourResetsOfTheTransformStack) {
  expect_range(world("/Parent"), {-1, -1, -1}, {1, 1, 1});
  expect_range(world("/Parent/Reset"), {-1, -1, -1}, {1, 1, 1});
}

TEST_F(BoundsScene, LeaveOutTransformsThatCannotBeUsed) {
  expect_range(world("/Flat"), {-1, -1, 0}, {1, 1, 0});
  EXPECT_EQ(codes(), "geom-bounds-transform /Flat/Reset;");
  diagnostics_.clear();
  expect_range(world("/NotFinite"), {-1, -1, -1}, {1, 1, 1});
  EXPECT_EQ(codes(), "geom-bounds-transform /NotFinite/Nan;");
  EXPECT_TRUE(world("/NotFinite/Nan").empty());
}

TEST_F(BoundsScene, ComputeWhatIsAuthoredWronglyAndReportWhatIsMissing) {
  expect_range(world("/Extents"), {3, 0, 0}, {4, 1, 1});
  EXPECT_EQ(codes(), "geom-extent-invalid /Extents/Nan.extent;geom-no-extent /Extents/Skel;");
}

TEST_F(BoundsScene, AskTheCallerFirst) {
  BoundsOptions options;
  options.extent_of = [](const stage::Prim& prim, stage::Time) -> std::optional<Range3f> {
    if (prim.name() == "Skel") return Range3f{{-7, 0, 0}, {0, 1, 1}};
    if (prim.name() == "Nan") {
      return Range3f{{0, 0, 0}, Vector3f::Constant(std::numeric_limits<float>::infinity())};
    }
    return std::nullopt;
  };
  expect_range(world("/Extents", options), {-7, 0, 0}, {4, 1, 1});
}

TEST_F(BoundsScene, AreThoseOfEachInstance) {
  // The prim that resets the stack is at y = 50 for all of them.
  BoundsCache cache;
  const auto world = [&](const char* path) {
    return aligned_range(cache.world_bound(stage_->prim(path)));
  };
  expect_range(world("/I1"), {-0.25, -1, -1}, {11, 50.25, 1});
  expect_range(world("/I2"), {-0.25, -1, -1}, {21, 50.25, 1});
  expect_range(world("/I1/Cube"), {9, -1, -1}, {11, 1, 1});
  expect_range(world("/I2/Cube"), {19, -1, -1}, {21, 1, 1});
  EXPECT_TRUE(world("/Above").empty());
}

TEST_F(BoundsScene, OfInstancesFollowTheirInheritedPurpose) {
  BoundsCache cache({}, {.purposes = {.default_ = false, .proxy = true}});
  EXPECT_TRUE(cache.world_bound(stage_->prim("/I1/Cube")).empty());
  expect_range(aligned_range(cache.world_bound(stage_->prim("/Above/I3/Cube"))), {-1, -1, -1},
               {1, 1, 1});
  EXPECT_TRUE(cache.world_bound(stage_->prim("/I2/Cube")).empty());
}

TEST(BoundsCache, AsksOncePerPrim) {
  Diagnostics diagnostics;
  const auto stage = stage::open_layers({{"root.usda", R"(
def Xform "A" {
    def Xform "B" {
        def Cube "C" {}
    }
}
)"}},
                                        diagnostics);
  int asked = 0;
  BoundsOptions options;
  options.extent_of = [&](const stage::Prim&, stage::Time) {
    ++asked;
    return std::optional<Range3f>();
  };
  BoundsCache cache({}, options);
  for (const stage::Prim prim : stage->root().descendants()) {
    expect_range(cache.world_bound(prim).range, {-1, -1, -1}, {1, 1, 1});
  }
  EXPECT_EQ(asked, 1);
}

TEST(BoundsCache, NeedsNoStackForDeepTrees) {
  constexpr std::uint32_t kDepth = 10'000;
  const auto stage = deep_stage(kDepth, "Cube");
  run_with_stack(kSmallStack, [&] {
    BoundsCache cache;
    expect_range(aligned_range(cache.world_bound(stage->root())), {kDepth - 1.0, -1, -1},
                 {kDepth + 1.0, 1, 1});
  });
}

TEST(BoundingBoxTest, IsEmptyIfOneEndIsBeyondAllNumbers) {
  Matrix4d far = Matrix4d::Identity();
  far(0, 0) = 1e200;
  EXPECT_TRUE(aligned_range(box({0, 0, 0}, {1e200, 1, 1}, far)).empty());
  EXPECT_TRUE(aligned_range(box({-1e200, 0, 0}, {0, 1, 1}, far)).empty());
  EXPECT_FALSE(aligned_range(box({-1e100, 0, 0}, {1e100, 1, 1}, far)).empty());
}

TEST(CombineBounds, TakesTheSecondSpaceOnlyIfMoreThanAMillionthSmaller) {
  // Squares turned by 45 degrees: in the space of one, the other is sqrt(2) times as wide.
  const auto second_is_taken = [](double scale, double wider) {
    const Vector3d one = Vector3d::Constant(scale);
    const Vector3d other(scale * wider, scale * wider, scale);
    return combine(box(-one, one, Matrix4d::Identity()), box(-other, other, turned())).matrix ==
           turned();
  };
  EXPECT_FALSE(second_is_taken(1.0, 1.0 + 2e-7));
  EXPECT_TRUE(second_is_taken(1.0, 1.0 + 2e-6));
  // Volumes are compared by their size, down to 1e-10.
  EXPECT_FALSE(second_is_taken(1000.0, 1.0 + 2e-7));
  EXPECT_TRUE(second_is_taken(1e-2, 1.2));
  EXPECT_FALSE(second_is_taken(1e-4, 1.2));
}

TEST(HintedBounds, AreOfFinitePairsOfTheirType) {
  Diagnostics diagnostics;
  const auto stage = stage::open_layers({{"root.usda", R"(
def Xform "Typed" (kind = "component") {
    string[] extentsHint = ["a", "b"]
    def Cube "Cube" {}
}
def Xform "Min" (kind = "component") {
    float3[] extentsHint = [(-inf, 0, 0), (1, 1, 1), (0, 0, 0), (2, 2, 2)]
    def Cube "Cube" {}
}
def Xform "Max" (kind = "component") {
    float3[] extentsHint = [(0, 0, 0), (1, inf, 1), (0, 0, 0), (2, 2, 2)]
    def Cube "Cube" {}
}
def Xform "Odd" (kind = "component") {
    float3[] extentsHint = [(0, 0, 0), (1, 1, 1), (-1e30, -1e30, -1e30)]
    def Cube "Cube" {}
}
)"}},
                                        diagnostics);
  ASSERT_NE(stage, nullptr);
  const auto hinted = [&](const char* path, PurposeSet purposes) {
    BoundsCache cache({}, {.purposes = purposes, .use_extents_hint = true});
    return aligned_range(cache.world_bound(stage->prim(path)));
  };
  const PurposeSet both = {.render = true};
  expect_range(hinted("/Typed", both), {-1, -1, -1}, {1, 1, 1});
  expect_range(hinted("/Min", both), {0, 0, 0}, {2, 2, 2});
  expect_range(hinted("/Max", both), {0, 0, 0}, {2, 2, 2});
  EXPECT_TRUE(hinted("/Min", {}).empty());
  EXPECT_TRUE(hinted("/Max", {}).empty());
  expect_range(hinted("/Odd", both), {0, 0, 0}, {1, 1, 1});
  EXPECT_TRUE(hinted("/Odd", {.default_ = false, .render = true}).empty());
}

TEST_F(BoundsScene, DoNotTakeARangeOfTheCallerThatBeginsNowhere) {
  BoundsOptions options;
  options.extent_of = [](const stage::Prim&, stage::Time) -> std::optional<Range3f> {
    return Range3f{Vector3f::Constant(-std::numeric_limits<float>::infinity()), {1, 1, 1}};
  };
  expect_range(world("/A/One", options), {9, -1, -1}, {11, 1, 1});
}

TEST(BoundsCache, ForgetsNothingWhenTheTimeStaysTheSame) {
  Diagnostics diagnostics;
  const auto stage = stage::open_layers({{"root.usda", "def Cube \"C\" {}\n"}}, diagnostics);
  int asked = 0;
  BoundsOptions options;
  options.extent_of = [&](const stage::Prim&, stage::Time) {
    ++asked;
    return std::optional<Range3f>();
  };
  BoundsCache cache(1.0, options);
  const stage::Prim prim = stage->prim("/C");
  expect_range(cache.world_bound(prim).range, {-1, -1, -1}, {1, 1, 1});
  cache.set_time(1.0);
  expect_range(cache.world_bound(prim).range, {-1, -1, -1}, {1, 1, 1});
  EXPECT_EQ(asked, 1);
  cache.set_time(2.0);
  expect_range(cache.world_bound(prim).range, {-1, -1, -1}, {1, 1, 1});
  EXPECT_EQ(asked, 2);
  cache.clear();
  expect_range(cache.world_bound(prim).range, {-1, -1, -1}, {1, 1, 1});
  EXPECT_EQ(asked, 3);
}

}  // namespace
}  // namespace sinew::geom::bounds_test
