// SPDX-License-Identifier: Apache-2.0
#include "sinew/geom/extents.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "stage/support.hpp"
#include "support/codes.hpp"

namespace sinew::geom::extents_test {
namespace {

using ::testing::IsEmpty;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

void expect_range(const std::optional<Range3f>& actual, const Vector3f& min, const Vector3f& max) {
  ASSERT_TRUE(actual);
  EXPECT_EQ(actual->min, min) << actual->min.transpose();
  EXPECT_EQ(actual->max, max) << actual->max.transpose();
}

TEST(ShapeExtent, FollowsTheAxis) {  // stage 7.7
  expect_range(shape_extent(Sphere{3}), {-3, -3, -3}, {3, 3, 3});
  expect_range(shape_extent(Cube{3}), {-1.5F, -1.5F, -1.5F}, {1.5F, 1.5F, 1.5F});
  expect_range(shape_extent(Cylinder{6, 1, 2, Axis::x}), {-3, -2, -2}, {3, 2, 2});
  expect_range(shape_extent(Capsule{6, 1, 2, Axis::y}), {-2, -5, -2}, {2, 5, 2});
  expect_range(shape_extent(Cone{6, 2, Axis::z}), {-2, -2, -3}, {2, 2, 3});
  expect_range(shape_extent(Plane{2, 4, Axis::z, true}), {-1, -2, 0}, {1, 2, 0});
  expect_range(shape_extent(Plane{2, 4, Axis::x, true}), {0, -2, -1}, {0, 2, 1});
  expect_range(shape_extent(Plane{2, 4, Axis::y, true}), {-1, 0, -2}, {1, 0, 2});
}

TEST(ShapeExtent, TakesMagnitudesAndStaysFinite) {
  expect_range(shape_extent(Sphere{-3}), {-3, -3, -3}, {3, 3, 3});
  constexpr float kLargest = std::numeric_limits<float>::max();
  expect_range(shape_extent(Sphere{1e300}), Vector3f::Constant(-kLargest),
               Vector3f::Constant(kLargest));
}

TEST(PointsExtent, HoldsEveryFinitePoint) {
  const std::vector<Vector3f> points = {
      {1, 2, 3}, {-1, 5, 0}, {kNan, 100, 100}, {100, kInfinity, 100}};
  expect_range(points_extent(points), {-1, 2, 0}, {1, 5, 3});
  EXPECT_TRUE(points_extent({}).empty());
  EXPECT_TRUE(points_extent(std::span(points).subspan(2)).empty());
  EXPECT_TRUE(points_extent(std::vector<Vector3f>{{1, 1, kNan}}).empty());
}

TEST(PointsExtent, MovesThePointsNotTheBox) {
  const std::vector<Vector3f> points = {{1, 1, 0}, {-1, -1, 0}, {0, 0, kNan}};
  Matrix4d turn = Matrix4d::Identity();  // By 45 degrees about z, and up.
  turn.topLeftCorner<2, 2>() << 0.5, -0.5, 0.5, 0.5;
  turn(2, 3) = 7;
  expect_range(points_extent(points, turn), {0, -1, 7}, {0, 1, 7});
  expect_range(moved_range(points_extent(points), turn), {-1, -1, 7}, {1, 1, 7});
}

TEST(PointsExtent, GrowsByHalfOfEachWidth) {  // stage 7.7
  const std::vector<Vector3f> points = {{0, 0, 0}, {10, 0, 0}};
  const std::vector<float> widths = {2, 6};
  expect_range(*points_extent(points, widths), {-1, -3, -3}, {13, 3, 3});
  expect_range(*points_extent(points, std::vector<float>{-2, kNan}), {-1, -1, -1}, {10, 1, 1});
  expect_range(*points_extent(points, std::span<const float>()), {0, 0, 0}, {10, 0, 0});
  const auto mismatch = points_extent(points, std::vector<float>{1});
  ASSERT_FALSE(mismatch);
  EXPECT_EQ(mismatch.error().code, ErrorCode::size_mismatch);
}

TEST(CurvesExtent, GrowsByHalfOfTheLargestWidth) {  // stage 7.7
  const std::vector<Vector3f> points = {{0, 0, 0}, {10, 0, 0}};
  expect_range(curves_extent(points, std::vector<float>{2, 6, kNan}), {-3, -3, -3}, {13, 3, 3});
  expect_range(curves_extent(points, {}), {0, 0, 0}, {10, 0, 0});
  expect_range(curves_extent(points, std::vector<float>{-8}), {0, 0, 0}, {10, 0, 0});
  EXPECT_TRUE(curves_extent({}, std::vector<float>{2}).empty());
}

TEST(MovedRange, KeepsTheEmptyBoxEmpty) {
  Matrix4d half = Matrix4d::Identity() * 0.5;
  EXPECT_TRUE(moved_range(Range3f(), half).empty());
  half(0, 0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(moved_range(shape_extent(Sphere()), half).empty());
}

TEST(FallbackExtent, IsThatOfTheSchema) {  // stage 7.6
  using stage::SchemaType;
  for (const auto type : {SchemaType::sphere, SchemaType::cube, SchemaType::cylinder,
                          SchemaType::cylinder_1, SchemaType::cone}) {
    expect_range(fallback_extent(type), {-1, -1, -1}, {1, 1, 1});
  }
  for (const auto type : {SchemaType::capsule, SchemaType::capsule_1}) {
    expect_range(fallback_extent(type), {-0.5F, -0.5F, -1}, {0.5F, 0.5F, 1});
  }
  expect_range(fallback_extent(SchemaType::plane), {-1, -1, 0}, {1, 1, 0});
  EXPECT_FALSE(fallback_extent(SchemaType::mesh));
}

class ExtentScene : public ::testing::Test {
 protected:
  stage::Prim prim(const char* path) const { return stage_->prim(path); }
  std::string codes() const { return test::codes_of(diagnostics_); }
  Diagnostics diagnostics_;
  stage::StagePtr stage_ = stage::open_layers({{"root.usda", R"(
def Sphere "Sphere" { double radius = 3; }
def Sphere "Authored" { double radius = 3; float3[] extent = [(0, 0, 0), (1, 1, 1)]; }
def Sphere "Three" { double radius = 3; float3[] extent = [(0, 0, 0), (1, 1, 1), (2, 2, 2)]; }
def Sphere "Empty" { double radius = 3; float3[] extent = []; }
def Sphere "NotFinite" { double radius = 3; float3[] extent = [(0, nan, 0), (1, 1, 1)]; }
def Sphere "Doubles" { double radius = 3; double3[] extent = [(0, 0, 0), (1, 1, 1)]; }
def Sphere "Blocked" { double radius = 3; float3[] extent = None; }
def Sphere "Moving" { double radius = 5; float3[] extent.timeSamples = { 0: [(-5, -5, -5), (5, 5, 5)] }; }
def Mesh "MovingMesh" { point3f[] points = [(0, 0, 0), (1, 2, 3)]; float3[] extent.timeSamples = { 0: [(-5, -5, -5), (5, 5, 5)] }; }
def Mesh "Mesh" { point3f[] points.timeSamples = { 0: [(0, 0, 0), (1, 0, 0)], 10: [(0, 0, 0), (3, 0, 0)] }; }
def Mesh "NoPoints" {}
def Mesh "EmptyPoints" { point3f[] points = []; }
def Points "Points" { point3f[] points = [(0, 0, 0), (1, 0, 0)]; float[] widths = [1, 2]; }
def Points "PlainPoints" { point3f[] points = [(0, 0, 0), (1, 0, 0)]; }
def Points "Mismatch" { point3f[] points = [(0, 0, 0), (1, 0, 0)]; float[] widths = [1]; }
def BasisCurves "Curves" { point3f[] points = [(0, 0, 0), (1, 0, 0)]; float[] widths = [4]; }
def SkelRoot "SkelRoot" {}
def Scope "Scope" { float3[] extent = [(0, 0, 0), (1, 1, 1)]; }
)"}},
                                              diagnostics_);
};

TEST_F(ExtentScene, ReadsTheAttributeOrItsFallback) {
  expect_range(read_extent(prim("/Authored")), {0, 0, 0}, {1, 1, 1});
  expect_range(read_extent(prim("/Sphere")), {-1, -1, -1}, {1, 1, 1});
  expect_range(read_extent(prim("/Blocked")), {-1, -1, -1}, {1, 1, 1});
  EXPECT_FALSE(read_extent(prim("/Three"), {}, &diagnostics_));
  EXPECT_FALSE(read_extent(prim("/Mesh"), {}, &diagnostics_));
  EXPECT_EQ(codes(), "geom-extent-invalid /Three.extent;");
}

TEST_F(ExtentScene, ComputesWhateverIsAuthored) {
  expect_range(compute_extent(prim("/Authored")), {-3, -3, -3}, {3, 3, 3});
  expect_range(compute_extent(prim("/Mesh"), 5.0), {0, 0, 0}, {2, 0, 0});
  expect_range(compute_extent(prim("/Points")), {-0.5F, -1, -1}, {2, 1, 1});
  expect_range(compute_extent(prim("/PlainPoints")), {0, 0, 0}, {1, 0, 0});
  expect_range(compute_extent(prim("/Curves")), {-2, -2, -2}, {3, 2, 2});
  EXPECT_FALSE(compute_extent(prim("/NoPoints")));
  EXPECT_FALSE(compute_extent(prim("/SkelRoot")));
  ASSERT_TRUE(compute_extent(prim("/EmptyPoints")));
  EXPECT_TRUE(compute_extent(prim("/EmptyPoints"))->empty());
}

TEST_F(ExtentScene, ReportsWidthsThatDoNotFit) {
  EXPECT_FALSE(compute_extent(prim("/Mismatch"), {}, &diagnostics_));
  EXPECT_EQ(codes(), "geom-extent-widths /Mismatch;");
}

TEST_F(ExtentScene, ComputesWithOtherPoints) {
  const std::vector<Vector3f> points = {{0, 0, 0}, {0, 9, 0}};
  expect_range(compute_extent(prim("/Mesh"), points), {0, 0, 0}, {0, 9, 0});
  expect_range(compute_extent(prim("/Points"), points), {-1, -0.5F, -1}, {1, 10, 1});
  expect_range(compute_extent(prim("/Curves"), points), {-2, -2, -2}, {2, 11, 2});
  EXPECT_FALSE(compute_extent(prim("/Sphere"), points));
}

TEST_F(ExtentScene, IsTheFallbackAtTheDefaultTimeWhereTheOtherTimesHaveOne) {
  expect_range(extent(prim("/Moving"), 0.0), {-5, -5, -5}, {5, 5, 5});
  expect_range(extent(prim("/Moving")), {-1, -1, -1}, {1, 1, 1});
  expect_range(extent(prim("/MovingMesh")), {0, 0, 0}, {1, 2, 3});
}

TEST_F(ExtentScene, PrefersAValidAuthoredExtent) {
  expect_range(extent(prim("/Authored")), {0, 0, 0}, {1, 1, 1});
  for (const char* path : {"/Sphere", "/Blocked"}) {
    expect_range(extent(prim(path), {}, &diagnostics_), {-3, -3, -3}, {3, 3, 3});
  }
  EXPECT_THAT(diagnostics_, IsEmpty());
  for (const char* path : {"/Three", "/Empty", "/NotFinite", "/Doubles"}) {
    expect_range(extent(prim(path), {}, &diagnostics_), {-3, -3, -3}, {3, 3, 3});
  }
  EXPECT_EQ(codes(),
            "geom-extent-invalid /Three.extent;geom-extent-invalid /Empty.extent;"
            "geom-extent-invalid /NotFinite.extent;geom-extent-invalid /Doubles.extent;");
  EXPECT_FALSE(extent(prim("/SkelRoot")));
  EXPECT_FALSE(extent(prim("/Scope")));
}

TEST_F(ExtentScene, IsComputedWhereASampleIsBlocked) {
  const auto stage = stage::open_layers({{"root.usda", R"(
def Sphere "S" { double radius = 5; float3[] extent.timeSamples = { 0: None, 1: [(0, 0, 0), (1, 1, 1)] }; }
)"}},
                                        diagnostics_);
  ASSERT_NE(stage, nullptr);
  expect_range(extent(stage->prim("/S"), 0.0), {-5, -5, -5}, {5, 5, 5});
  expect_range(extent(stage->prim("/S"), 1.0), {0, 0, 0}, {1, 1, 1});
  expect_range(extent(stage->prim("/S")), {-1, -1, -1}, {1, 1, 1});
}

}  // namespace
}  // namespace sinew::geom::extents_test
