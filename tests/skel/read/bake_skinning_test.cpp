// SPDX-License-Identifier: Apache-2.0
// Numbers in comments are those of the checklist in the behaviour specification.
#include "sinew/skel/read/bake_skinning.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "sinew/geom/transforms.hpp"
#include "sinew/skel/read/check_bindings.hpp"
#include "skel/read/baked_scene.hpp"

namespace sinew::skel::bake_skinning_test {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;

// A plane whose points each have a shape with an in-between at 0.5 that tilts the normal only.
constexpr const char* kTiltingPlane = R"(#usda 1.0
(
    startTimeCode = 1
    endTimeCode = 17
)
def SkelRoot "R" (prepend apiSchemas = ["SkelBindingAPI"])
{
    rel skel:skeleton = </R/S>
    rel skel:animationSource = </R/A>
    def Skeleton "S" {}
    def SkelAnimation "A"
    {
        uniform token[] blendShapes = ["a", "b", "c", "d"]
        float[] blendShapeWeights.timeSamples = {
            1: [0, 0, 0, 0], 3: [0.5, 0, 0, 0], 5: [1, 0, 0, 0],
            7: [0, 0.5, 0, 0], 9: [0, 1, 0, 0], 11: [0, 0, 0.5, 0],
            13: [0, 0, 1, 0], 15: [0, 0, 0, 0.5], 17: [0, 0, 0, 1]
        }
    }
    def Mesh "M" (prepend apiSchemas = ["SkelBindingAPI"])
    {
        int[] faceVertexCounts = [4]
        int[] faceVertexIndices = [0, 1, 3, 2]
        float3[] extent = [(-0.5, -0.5, 0), (0.5, 0.5, 0)]
        point3f[] points = [(-0.5, -0.5, 0), (0.5, -0.5, 0), (-0.5, 0.5, 0), (0.5, 0.5, 0)]
        normal3f[] normals = [(0, 0, 1), (0, 0, 1), (0, 0, 1), (0, 0, 1)] (interpolation = "vertex")
        uniform token[] skel:blendShapes = ["a", "b", "c", "d"]
        rel skel:blendShapeTargets = [</R/M/A>, </R/M/B>, </R/M/C>, </R/M/D>]
        def BlendShape "A"
        {
            uniform int[] pointIndices = [0]
            uniform vector3f[] normalOffsets = [(0, 0, 0)]
            uniform point3f[] inbetweens:half = [(0, 0, 0)] (weight = 0.5)
            uniform vector3f[] inbetweens:half:normalOffsets = [(1, 0, 0)]
        }
        def BlendShape "B"
        {
            uniform int[] pointIndices = [1]
            uniform vector3f[] normalOffsets = [(0, 0, 0)]
            uniform point3f[] inbetweens:half = [(0, 0, 0)] (weight = 0.5)
            uniform vector3f[] inbetweens:half:normalOffsets = [(0, 1, 0)]
        }
        def BlendShape "C"
        {
            uniform int[] pointIndices = [2]
            uniform vector3f[] normalOffsets = [(0, 0, 0)]
            uniform point3f[] inbetweens:half = [(0, 0, 0)] (weight = 0.5)
            uniform vector3f[] inbetweens:half:normalOffsets = [(-1, 0, 0)]
        }
        def BlendShape "D"
        {
            uniform int[] pointIndices = [3]
            uniform vector3f[] normalOffsets = [(0, 0, 0)]
            uniform point3f[] inbetweens:half = [(0, 0, 0)] (weight = 0.5)
            uniform vector3f[] inbetweens:half:normalOffsets = [(0, -1, 0)]
        }
    }
}
)";

TEST(BakeSkinning, BlendsNormalsOfASkeletonWithoutJoints) {  // skel 12.78
  const Baked baked = bake_text(kTiltingPlane);
  EXPECT_THAT(baked.samples("/R/M", "normals"), ElementsAreArray(frames(1, 17)));
  // Each shape rises for two frames, falls for two, and is forgotten while the next one rises.
  const float r = std::sqrt(0.5F);
  const Vector3f up(0, 0, 1);
  const Vector3f aside[] = {{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}};
  for (int frame = 1; frame <= 17; ++frame) {
    std::vector<Vector3f> expected(4, up);
    for (int shape = 0; shape < 4; ++shape) {
      const int since = frame - 1 - 4 * shape;
      const Vector3f& tilt = aside[shape];
      Vector3f& normal = expected[static_cast<std::size_t>(shape)];
      if (since == 1 || since == 3) normal = .4472136F * tilt + .8944272F * up;
      if (since == 2) normal = r * (tilt + up);
      // From weight 1 the shape goes back to nothing in two frames, past its in-between.
      if (since == 5) normal = r * (tilt + up);
    }
    EXPECT_POINTS_NEAR(baked.vectors("/R/M", "normals", frame), expected, 1e-6F);
    EXPECT_TRUE(baked.vectors("/R/M", "points", frame) == baked.vectors("/R/M", "points", {}));
    EXPECT_POINTS_NEAR(baked.vectors("/R/M", "extent", frame),
                       (std::vector<Vector3f>{{-.5F, -.5F, 0}, {.5F, .5F, 0}}), 0.0F);
  }
}

TEST(BakeSkinning, BlendsPointsOfEveryKindOfInbetween) {  // skel 12.77
  // Shapes as in the reference scene; every offset is along z, so the expected height is a sum.
  struct Shape {
    const char* name;
    std::vector<std::pair<float, float>> inbetweens;  // Weight, offset.
    float first, last;                                // Weights swept over.
  };
  const Shape shapes[] = {{"A", {}, -1.F, 1.F},
                          {"B", {}, 0.F, 2.F},
                          {"C", {{.5F, 3.F}, {1.5F, -1.F}}, 0.F, 2.F},
                          {"D", {{.5F, 2.F}}, -.5F, 1.5F},
                          {"E", {{1.5F, 4.F}}, 0.F, 2.F},
                          {"F", {{-.499F, -2.F}}, -1.F, 1.F}};
  std::string names;
  std::string targets;
  std::string prims;
  std::string points;
  std::string first;
  std::string last;
  for (std::size_t i = 0; i < 6; ++i) {
    const Shape& shape = shapes[i];
    names += fmt::format("\"{}\",", shape.name);
    targets += fmt::format("</R/M/{}>,", shape.name);
    points += fmt::format("({}, 0, 0),", i);
    first += fmt::format("{},", shape.first);
    last += fmt::format("{},", shape.last);
    prims += fmt::format(
        "def BlendShape \"{}\" {{ uniform vector3f[] offsets = [(0,0,1)]\n"
        "uniform int[] pointIndices = [{}]\n",
        shape.name, i);
    for (std::size_t k = 0; k < shape.inbetweens.size(); ++k) {
      prims += fmt::format("uniform point3f[] inbetweens:i{} = [(0,0,{})] (weight = {})\n", k,
                           shape.inbetweens[k].second, shape.inbetweens[k].first);
    }
    prims += "}\n";
  }
  const Baked baked = bake_text(fmt::format(R"(#usda 1.0
(
    startTimeCode = 0
    endTimeCode = 130
)
def SkelRoot "R" (prepend apiSchemas = ["SkelBindingAPI"])
{{
    rel skel:skeleton = </R/S>
    rel skel:animationSource = </R/Anim>
    def Skeleton "S" {{}}
    def SkelAnimation "Anim"
    {{
        uniform token[] blendShapes = [{0}]
        float[] blendShapeWeights.timeSamples = {{ 0: [{1}], 130: [{2}] }}
    }}
    def Mesh "M" (prepend apiSchemas = ["SkelBindingAPI"])
    {{
        point3f[] points = [{3}]
        uniform token[] skel:blendShapes = [{0}]
        rel skel:blendShapeTargets = [{4}]
        {5}
    }}
}}
)",
                                            names, first, last, points, targets, prims));
  ASSERT_EQ(baked.samples("/R/M", "points").size(), 131U);
  for (int frame = 0; frame <= 130; ++frame) {
    const auto actual = baked.vectors("/R/M", "points", frame);
    ASSERT_EQ(actual.size(), 6U);
    for (std::size_t i = 0; i < 6; ++i) {
      const Shape& shape = shapes[i];
      const float t = static_cast<float>(frame) / 130.F;
      const float weight = (1.F - t) * shape.first + t * shape.last;
      // The height is piecewise linear through the in-betweens, nothing at 0 and the shape at 1.
      std::vector<std::pair<float, float>> knots = shape.inbetweens;
      knots.emplace_back(0.F, 0.F);
      knots.emplace_back(1.F, 1.F);
      std::sort(knots.begin(), knots.end());
      std::size_t k = 1;
      while (k + 1 < knots.size() && knots[k].first < weight) ++k;
      const auto [w0, h0] = knots[k - 1];
      const auto [w1, h1] = knots[k];
      const float height = h0 + (h1 - h0) * (weight - w0) / (w1 - w0);
      EXPECT_NEAR(actual[i].z(), height, 3e-5F) << shape.name << " at " << frame;
    }
  }
}

constexpr const char* kMovedMesh = R"(#usda 1.0
def SkelRoot "R" (prepend apiSchemas = ["SkelBindingAPI"])
{
    rel skel:skeleton = </R/S>
    double3 xformOp:translate = (0, 0, 10)
    uniform token[] xformOpOrder = ["xformOp:translate"]
    def Skeleton "S"
    {
        uniform token[] joints = ["a"]
        uniform matrix4d[] bindTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))]
        uniform matrix4d[] restTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(1,0,0,1))]
        float3 xformOp:scale = (2, 2, 2)
        uniform token[] xformOpOrder = ["xformOp:scale"]
    }
    def Mesh "M" (prepend apiSchemas = ["SkelBindingAPI"])
    {
        double3 xformOp:translate = (0, 100, 0)
        uniform token[] xformOpOrder = ["xformOp:translate"]
        point3f[] points = [(0, 0, 0), (1, 0, 0)]
        int[] primvars:skel:jointIndices = [0, 0] (interpolation = "vertex")
        float[] primvars:skel:jointWeights = [1, 1] (interpolation = "vertex")
    }
}
)";

TEST(BakeSkinning, WritesDefaultsWhereNothingVaries) {
  const Baked baked = bake_text(kMovedMesh);
  EXPECT_TRUE(baked.samples("/R/M", "points").empty());
  // One aside, doubled by the skeleton, in the space of the mesh.
  EXPECT_POINTS_NEAR(baked.vectors("/R/M", "points", {}),
                     (std::vector<Vector3f>{{2, -100, 0}, {4, -100, 0}}), 1e-4F);
  EXPECT_POINTS_NEAR(baked.vectors("/R/M", "extent", {}),
                     (std::vector<Vector3f>{{2, -100, 0}, {4, -100, 0}}), 1e-4F);
}

TEST(BakeSkinning, KeepsApartFromItsParentWhatWasSoByTheDocumentedRules) {
  const auto order_of = [](const std::string& order, Rules rules) {
    const Baked baked = bake_text(R"(#usda 1.0
def SkelRoot "R" (prepend apiSchemas = ["SkelBindingAPI"]) {
    rel skel:skeleton = </R/S>
    double3 xformOp:translate = (0, 0, 10)
    uniform token[] xformOpOrder = ["xformOp:translate"]
    def Skeleton "S" {
        uniform token[] joints = ["a"]
        uniform matrix4d[] bindTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))]
        uniform matrix4d[] restTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(1,0,0,1))]
    }
    def Cube "C" (prepend apiSchemas = ["SkelBindingAPI"]) {
        double3 xformOp:translate = (0, 100, 0)
        uniform token[] xformOpOrder = [)" +
                                      order + R"("xformOp:translate"]
        int[] primvars:skel:jointIndices = [0] (interpolation = "constant")
        float[] primvars:skel:jointWeights = [1] (interpolation = "constant")
    }
}
)",
                                  {}, rules);
    std::vector<std::string> result;
    const auto tokens = baked.attribute("/R/C", "xformOpOrder").get_array<Token>();
    if (tokens) {
      for (const Token token : tokens->span()) result.push_back(token.str());
    }
    return result;
  };
  const std::string reset = "\"!resetXformStack!\", ";
  EXPECT_THAT(order_of("", Rules::documented), ElementsAre("xformOp:transform"));
  EXPECT_THAT(order_of(reset, Rules::documented),
              ElementsAre("!resetXformStack!", "xformOp:transform"));
  EXPECT_THAT(order_of(reset, Rules::openusd), ElementsAre("xformOp:transform"));
}

// The properties that a baked layer states, as "/prim.name" in alphabetical order.
std::vector<std::string> stated(const layer::PrimSpec& prim) {
  std::vector<std::string> result;
  for (const layer::PropertySpec& property : prim.properties) {
    result.push_back(layer::Layer::path_of(prim).str() + "." + property.name.str());
  }
  for (const layer::PrimSpec* child : prim.children) {
    const std::vector<std::string> below = stated(*child);
    result.insert(result.end(), below.begin(), below.end());
  }
  std::sort(result.begin(), result.end());
  return result;
}

std::vector<std::string> stated(const Baked& baked) {
  return stated(baked.layer->root());
}

// A joint moved by (1, 0, 0) and a shape of (0, 2, 0), which tilts the normal too, with weight 1.
std::string everything_baked(const std::string& animation = {}, const std::string& rest = "x") {
  return R"(#usda 1.0
def SkelRoot "R" (kind = "component"; prepend apiSchemas = ["SkelBindingAPI"]) {
    rel skel:skeleton = </R/S>
    rel skel:animationSource = </R/A>
    float3[] extentsHint = [(0, 0, 0), (9, 9, 9)]
    def Skeleton "S" {
        uniform token[] joints = ["a"]
        uniform matrix4d[] bindTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))]
        )" +
         (rest.empty() ? std::string()
                       : "uniform matrix4d[] restTransforms = "
                         "[((0,1,0,0),(-1,0,0,0),(0,0,1,0),(1,0,0,1))]") +
         R"(
    }
    def SkelAnimation "A" {
        uniform token[] blendShapes = ["up"]
        float[] blendShapeWeights = [1]
        )" +
         animation + R"(
    }
    def Mesh "M" (prepend apiSchemas = ["SkelBindingAPI"]) {
        point3f[] points = [(1, 0, 0), (2, 0, 0)]
        normal3f[] normals = [(1, 0, 0), (1, 0, 0)]
        int[] primvars:skel:jointIndices = [0, 0] (interpolation = "vertex")
        float[] primvars:skel:jointWeights = [1, 1] (interpolation = "vertex")
        uniform token[] skel:blendShapes = ["up"]
        rel skel:blendShapeTargets = </R/M/Up>
        def BlendShape "Up" {
            uniform vector3f[] offsets = [(0, 2, 0), (0, 2, 0)]
            uniform vector3f[] normalOffsets = [(-1, 0, 1), (-1, 0, 1)]
        }
    }
    def Cube "C" (prepend apiSchemas = ["SkelBindingAPI"]) {
        int[] primvars:skel:jointIndices = [0] (interpolation = "constant")
        float[] primvars:skel:jointWeights = [1] (interpolation = "constant")
    }
}
)";
}

TEST(BakeSkinning, WritesWhatIsAskedForAndNothingElse) {
  const std::string hint = "/R.extentsHint", points = "/R/M.points", normals = "/R/M.normals",
                    extent = "/R/M.extent", transform = "/R/C.xformOp:transform",
                    order = "/R/C.xformOpOrder";
  using Options = BakeOptions;
  struct Case {
    std::vector<bool Options::*> off;
    std::vector<std::string> stated;
    std::vector<Vector3f> points, normals, hint;
  };
  // A quarter turn about z and one aside. The cube, from -1 to 1, goes to 0 and 2.
  const std::vector<Vector3f> both = {{-1, 1, 0}, {-1, 2, 0}}, joints = {{1, 1, 0}, {1, 2, 0}},
                              shapes = {{1, 2, 0}, {2, 2, 0}}, plain = {{1, 0, 0}, {2, 0, 0}};
  const auto two = [](const Vector3f& each) { return std::vector<Vector3f>(2, each); };
  const Vector3f x(1, 0, 0), y(0, 1, 0), z(0, 0, 1);
  const Case cases[] = {
      {{},
       {transform, order, extent, normals, points, hint},
       both,
       two(z),
       {{-1, -1, -1}, {2, 2, 1}}},
      {{&Options::skin_points},
       {transform, order, extent, normals, points, hint},
       shapes,
       two(z),
       {{0, -1, -1}, {2, 2, 1}}},
      {{&Options::skin_normals},
       {transform, order, extent, normals, points, hint},
       both,
       two(z),
       {{-1, -1, -1}, {2, 2, 1}}},
      {{&Options::skin_transforms},
       {extent, normals, points, hint},
       both,
       two(z),
       {{-1, -1, -1}, {1, 2, 1}}},
      {{&Options::blend_points},
       {transform, order, extent, normals, points, hint},
       joints,
       two(z),
       {{0, -1, -1}, {2, 2, 1}}},
      {{&Options::blend_normals},
       {transform, order, extent, normals, points, hint},
       both,
       two(y),
       {{-1, -1, -1}, {2, 2, 1}}},
      {{&Options::skin_normals, &Options::blend_normals},
       {transform, order, extent, points, hint},
       both,
       two(x),
       {{-1, -1, -1}, {2, 2, 1}}},
      {{&Options::skin_points, &Options::skin_normals},
       {transform, order, extent, normals, points, hint},
       shapes,
       two(z),
       {{0, -1, -1}, {2, 2, 1}}},
      {{&Options::skin_points, &Options::blend_points},
       {transform, order, normals, hint},
       plain,
       two(z),
       {{0, -1, -1}, {2, 1, 1}}},
      {{&Options::skin_points, &Options::skin_normals, &Options::skin_transforms,
        &Options::blend_points, &Options::blend_normals},
       {},
       plain,
       two(x),
       {{0, 0, 0}, {9, 9, 9}}},
      {{&Options::update_extents},
       {transform, order, normals, points, hint},
       both,
       two(z),
       {{-1, -1, -1}, {2, 2, 1}}},
      {{&Options::update_extent_hints},
       {transform, order, extent, normals, points},
       both,
       two(z),
       {{0, 0, 0}, {9, 9, 9}}},
  };
  for (const Case& each : cases) {
    SCOPED_TRACE(&each - cases);
    std::vector<std::string> expected = each.stated;
    std::sort(expected.begin(), expected.end());
    BakeOptions options;
    for (bool Options::*const option : each.off) options.*option = false;
    const Baked baked = bake_text(everything_baked(), options);
    EXPECT_THAT(stated(baked), ElementsAreArray(expected));
    EXPECT_POINTS_NEAR(baked.vectors("/R/M", "points", {}), each.points, 1e-6F);
    EXPECT_POINTS_NEAR(baked.vectors("/R/M", "normals", {}), each.normals, 1e-6F);
    EXPECT_POINTS_NEAR(baked.vectors("/R", "extentsHint", {}), each.hint, 1e-6F);
  }
}

TEST(BakeSkinning, TurnsNormalsOfPointsAndOfCornersOfMeshes) {
  struct Case {
    std::string type, interpolation, more;
    bool is_baked;
  };
  const std::string faces = "int[] faceVertexIndices = [0, 1]\n";
  for (const Case& each :
       {Case{"Mesh", "vertex", "", true}, Case{"Mesh", "varying", "", true},
        Case{"Mesh", "uniform", faces, false}, Case{"Mesh", "constant", faces, false},
        Case{"Mesh", "faceVarying", "", false}, Case{"Mesh", "faceVarying", faces, true},
        Case{"Points", "vertex", "", true}, Case{"Points", "faceVarying", faces, false}}) {
    std::string text = everything_baked();
    const std::string normals = "normal3f[] normals = [(1, 0, 0), (1, 0, 0)]";
    text.insert(text.find(normals) + normals.size(),
                " (interpolation = \"" + each.interpolation + "\")\n" + each.more);
    text.replace(text.find("Mesh \"M\""), 4, each.type);
    const Baked baked = bake_text(text);
    SCOPED_TRACE(each.type + " " + each.interpolation);
    const std::vector<std::string> all = stated(baked);
    EXPECT_EQ(std::count(all.begin(), all.end(), "/R/M.normals"), each.is_baked ? 1 : 0);
    EXPECT_EQ(std::count(all.begin(), all.end(), "/R/M.points"), 1);
    // Shapes move those of points only.
    const Vector3f turned =
        each.interpolation == "faceVarying" ? Vector3f(0, 1, 0) : Vector3f(0, 0, 1);
    const Vector3f expected = each.is_baked ? turned : Vector3f(1, 0, 0);
    EXPECT_POINTS_NEAR(baked.vectors("/R/M", "normals", {}), std::vector<Vector3f>(2, expected),
                       1e-6F);
  }
}

// Between times at which something does, it does not hang where it was.
TEST(BakeSkinning, StandsWhereNothingDeformsItForAWhile) {
  const std::string animation = R"(
        uniform token[] joints = ["a"]
        float3[] translations.timeSamples = { 0: None, 1: [(0, 0, 5)], 2: None, 3: [(0, 0, 7)] }
        quatf[] rotations = [(1, 0, 0, 0)]
        half3[] scales = [(1, 1, 1)]
        float[] blendShapeWeights.timeSamples = { 0: None, 1: [1], 2: [1], 3: None })";
  std::string text = everything_baked(animation, {});
  const std::string weights = "float[] blendShapeWeights = [1]";
  text.erase(text.find(weights), weights.size());
  const Baked baked = bake_text(text, {}, Rules::documented);
  const auto box = [&](const char* path, const char* name, double time) {
    return baked.vectors(path, name, time);
  };
  const std::vector<Vector3f> points[] = {{{1, 0, 0}, {2, 0, 0}},
                                          {{1, 2, 5}, {2, 2, 5}},
                                          {{1, 2, 0}, {2, 2, 0}},
                                          {{1, 0, 7}, {2, 0, 7}}};
  const Vector3f x(1, 0, 0), z(0, 0, 1);
  const Vector3f normals[] = {x, z, z, x};
  const float heights[] = {0, 5, 0, 7};
  EXPECT_THAT(baked.samples("/R/M", "points"), ElementsAreArray(frames(0, 3)));
  EXPECT_THAT(baked.samples("/R/M", "normals"), ElementsAreArray(frames(0, 3)));
  EXPECT_THAT(baked.samples("/R/C", "xformOp:transform"), ElementsAreArray(frames(0, 3)));
  EXPECT_THAT(baked.samples("/R", "extentsHint"), ElementsAreArray(frames(0, 3)));
  for (std::size_t i = 0; i < 4; ++i) {
    SCOPED_TRACE(i);
    const auto time = static_cast<double>(i);
    EXPECT_POINTS_NEAR(box("/R/M", "points", time), points[i], 1e-6F);
    EXPECT_POINTS_NEAR(box("/R/M", "extent", time), points[i], 1e-6F);
    EXPECT_POINTS_NEAR(box("/R/M", "normals", time), std::vector<Vector3f>(2, normals[i]), 1e-6F);
    const auto transform = baked.attribute("/R/C", "xformOp:transform").get<Matrix4d>(time);
    ASSERT_TRUE(transform);
    EXPECT_EQ(Vector3d(transform->topRightCorner<3, 1>()),
              Vector3d(0, 0, static_cast<double>(heights[i])));
    const float y = points[i][0].y();
    EXPECT_POINTS_NEAR(box("/R", "extentsHint", time),
                       (std::vector<Vector3f>{{-1, -1, std::min(heights[i], heights[i] - 1)},
                                              {2, std::max(1.0F, y), heights[i] + 1}}),
                       1e-6F);
  }
}

TEST(BakeSkinning, StatesNothingOfWhatIsNeverDeformed) {
  std::string text = everything_baked();
  text.replace(text.find("jointIndices = [0, 0]"), 21, "jointIndices = [0, 4]");
  text.replace(text.find("jointIndices = [0]"), 18, "jointIndices = [4]");
  // What only its shapes deform is baked so.
  const Baked blended = bake_text(text, {}, Rules::documented);
  EXPECT_POINTS_NEAR(blended.vectors("/R/M", "points", {}),
                     (std::vector<Vector3f>{{1, 2, 0}, {2, 2, 0}}), 0.0F);
  EXPECT_POINTS_NEAR(blended.vectors("/R/M", "normals", {}),
                     std::vector<Vector3f>(2, Vector3f(0, 0, 1)), 1e-6F);
  const std::string weights = "float[] blendShapeWeights = [1]";
  text.replace(text.find(weights), weights.size(), "float[] blendShapeWeights = None");
  const Baked baked = bake_text(text, {}, Rules::documented);
  const std::vector<std::string> all = stated(baked);
  EXPECT_EQ(std::count(all.begin(), all.end(), "/R/M.points"), 0);
  EXPECT_EQ(std::count(all.begin(), all.end(), "/R/M.normals"), 0);
  EXPECT_EQ(std::count(all.begin(), all.end(), "/R/M.extent"), 0);
  EXPECT_EQ(std::count(all.begin(), all.end(), "/R/C.xformOp:transform"), 0);
}

// As OpenUSD does: what skinning fails on is lost, what there is nothing to skin with is not.
TEST(BakeSkinning, KeepsWhatIsBlendedWhereThereIsNothingToSkinWith) {
  const std::string weights = "jointWeights = [1, 1]";
  const std::string bind = "uniform matrix4d[] bindTransforms = [";
  std::string unequal = everything_baked();
  unequal.replace(unequal.find(weights), weights.size(), "jointWeights = [1]");
  std::string unbound = everything_baked();
  unbound.replace(unbound.find(bind), bind.size(), "uniform matrix4d[] other = [");
  for (const std::string& text : {unequal, unbound}) {
    const Baked baked = bake_text(text);
    EXPECT_POINTS_NEAR(baked.vectors("/R/M", "points", {}),
                       (std::vector<Vector3f>{{1, 2, 0}, {2, 2, 0}}), 1e-6F);
    EXPECT_POINTS_NEAR(baked.vectors("/R/M", "normals", {}),
                       std::vector<Vector3f>(2, Vector3f(0, 0, 1)), 1e-6F);
  }

  std::string failing = everything_baked();
  failing.replace(failing.find("jointIndices = [0, 0]"), 21, "jointIndices = [0, 4]");
  const std::vector<std::string> all = stated(bake_text(failing));
  EXPECT_EQ(std::count(all.begin(), all.end(), "/R/M.points"), 0);
  EXPECT_EQ(std::count(all.begin(), all.end(), "/R/M.normals"), 0);
}

TEST(BakeSkinning, TakesNoTimesOfSkinningWhereThereAreNoInfluences) {
  const std::string influences = "int[] primvars:skel:jointIndices = [0, 0]";
  const std::string weights = "blendShapeWeights = [1]";
  const std::string points = "point3f[] points =";
  std::string text = everything_baked();
  text.replace(text.find(weights), weights.size(),
               "blendShapeWeights.timeSamples = { 1: [0], 2: [1] }");
  const std::string identity = "((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))";
  text.insert(text.find(points), "matrix4d primvars:skel:geomBindTransform.timeSamples = { 5: " +
                                     identity + ", 6: " + identity + " }\n");
  EXPECT_THAT(bake_text(text).samples("/R/M", "points"), ElementsAre(1, 2, 5, 6));
  text.replace(text.find(influences), influences.size(), "int[] other = [0, 0]");
  EXPECT_THAT(bake_text(text).samples("/R/M", "points"), ElementsAre(1, 2));
}

TEST(BakeSkinning, TellsHowFarItIs) {
  std::vector<std::pair<std::size_t, std::size_t>> calls;
  BakeOptions options;
  options.times = {4, 2, 3};
  options.progress = [&](std::size_t done, std::size_t total) { calls.emplace_back(done, total); };
  bake_text(everything_baked(), options);
  EXPECT_THAT(calls, ElementsAre(std::pair(1U, 3U), std::pair(2U, 3U), std::pair(3U, 3U)));
}

TEST(BakeSkinning, BakesTheBindingsThatItIsGiven) {
  std::string other = everything_baked();
  for (std::size_t at = other.find("R"); at != std::string::npos; at = other.find("R", at)) {
    const bool is_name = other.compare(at, 2, "R\"") == 0 || other.compare(at, 2, "R/") == 0;
    other.replace(at++, 1, is_name ? "T" : "R");
  }
  SkelScene scene = open_scene(everything_baked() + other.substr(other.find('\n')));
  ASSERT_EQ(scene.bindings.size(), 2U);
  const auto layer =
      bake_skinning(*scene.stage, std::span(scene.bindings).last(1), {}, scene.diagnostics);
  ASSERT_TRUE(layer);
  ASSERT_EQ((*layer)->root().children.size(), 1U);
  const layer::PrimSpec& root = *(*layer)->root().children[0];
  EXPECT_EQ(root.name.view(), "T");
  EXPECT_EQ(root.type_name.view(), "Xform");
  EXPECT_EQ(root.specifier, layer::Specifier::def);
  EXPECT_EQ(stated(root).size(), 6U);
  EXPECT_EQ((*layer)->sub_layers().size(), 0U);
}

TEST(BakeSkinning, LeavesAloneWhatNoJointCanMove) {
  const Baked still = bake_text(everything_baked({}, {}));
  EXPECT_THAT(stated(still),
              ElementsAre("/R.extentsHint", "/R/M.extent", "/R/M.normals", "/R/M.points"));
  EXPECT_POINTS_NEAR(still.vectors("/R/M", "points", {}),
                     (std::vector<Vector3f>{{1, 2, 0}, {2, 2, 0}}), 0.0F);
  const Baked moved = bake_text(everything_baked(R"(
        uniform token[] joints = ["a"]
        float3[] translations = [(0, 0, 5)]
        quatf[] rotations = [(1, 0, 0, 0)]
        half3[] scales = [(1, 1, 1)])",
                                                 {}));
  EXPECT_POINTS_NEAR(moved.vectors("/R/M", "points", {}),
                     (std::vector<Vector3f>{{1, 2, 5}, {2, 2, 5}}), 1e-6F);
  std::string invalid = everything_baked();
  invalid.replace(invalid.find("[\"a\"]"), 5, "[\"a/b\", \"a\"]");
  EXPECT_THAT(stated(bake_text(invalid)), IsEmpty());
}

TEST(BakeSkinning, StatesTheLayerBelowAndTheMeasuresOfTheStage) {
  std::string text = kMovedMesh;
  text.insert(text.find('\n'), R"(
(
    defaultPrim = "R"
    doc = "Not repeated."
    framesPerSecond = 30
    metersPerUnit = 0.5
    timeCodesPerSecond = 60
    upAxis = "Z"
))");
  BakeOptions options;
  options.identifier = "mine.usda";
  SkelScene scene = open_scene(text);
  options.source_layer = "./below.usda";
  const auto layer = bake_skinning(*scene.stage, options, scene.diagnostics);
  ASSERT_TRUE(layer);
  EXPECT_EQ((*layer)->identifier(), "mine.usda");
  EXPECT_EQ(usda::write(**layer), R"(#usda 1.0
(
    defaultPrim = "R"
    framesPerSecond = 30
    metersPerUnit = 0.5
    timeCodesPerSecond = 60
    upAxis = "Z"
    subLayers = [
        @./below.usda@,
    ]
)

def Xform "R"
{
    over "M"
    {
        point3f[] points = [(2, -100, 0), (4, -100, 0)]
        float3[] extent = [(2, -100, 0), (4, -100, 0)]
    }
}
)");
}

std::vector<double> baked_times(const std::string& metrics, const std::string& samples,
                                BakeOptions options = {}, Rules rules = Rules::documented) {
  std::string text = kMovedMesh;
  text.insert(text.find('\n'), "\n(\n" + metrics + "\n)");
  const std::string scale = "float3 xformOp:scale = (2, 2, 2)";
  text.replace(text.find(scale), scale.size(),
               "float3 xformOp:scale.timeSamples = {" + samples + "}");
  const Baked baked = bake_text(text, std::move(options), rules);
  EXPECT_EQ(baked.source.diagnostics.size(), 0U);
  return baked.samples("/R/M", "points");
}

TEST(BakeSkinning, TakesTheFramesOfTheStageBetweenSamples) {
  const std::string range = "startTimeCode = 0; endTimeCode = 6";
  const std::string two = "2: (1, 1, 1), 4.5: (2, 2, 2)";
  EXPECT_THAT(baked_times(range, two), ElementsAre(2, 3, 4, 4.5));
  EXPECT_THAT(baked_times("startTimeCode = 0; endTimeCode = 3", two), ElementsAre(2, 3, 4.5));
  EXPECT_THAT(baked_times("startTimeCode = 0; endTimeCode = 3", two, {}, Rules::openusd),
              ElementsAre(2, 3, 4, 4.5));
  EXPECT_THAT(baked_times("startTimeCode = 4; endTimeCode = 0", two), ElementsAre(2, 4.5));
  EXPECT_THAT(baked_times("startTimeCode = 0", two), ElementsAre(2, 4.5));
  EXPECT_THAT(baked_times(range + "; timeCodesPerSecond = 12", two),
              ElementsAre(2, 2.5, 3, 3.5, 4, 4.5));
  EXPECT_THAT(baked_times(range + "; timeCodesPerSecond = 24; framesPerSecond = 12", two),
              ElementsAre(2, 4, 4.5));
  EXPECT_THAT(baked_times(range, "2.5: (1, 1, 1)"), ElementsAre(2.5));
  const auto between = [](double first, double last) {
    BakeOptions options;
    options.first_time = first;
    options.last_time = last;
    return options;
  };
  EXPECT_THAT(baked_times(range, two, between(3, 9)), ElementsAre(4.5));
  EXPECT_THAT(baked_times(range, two, between(0, 4.5)), ElementsAre(2, 3, 4, 4.5));
  EXPECT_THAT(baked_times(range, two, between(2, 3.5)), ElementsAre(2));
  EXPECT_THAT(baked_times(range, two, between(2.5, 3.5)), IsEmpty());
  BakeOptions given;
  given.times = {3, 1, 3};
  EXPECT_THAT(baked_times(range, two, given), ElementsAre(1, 3));
}

TEST(BakeSkinning, TakesOnlySamplesWhereTheFramesAreTooMany) {
  std::string text = kMovedMesh;
  text.insert(text.find('\n'), "\n(\n    startTimeCode = 0\n    endTimeCode = 1000001\n)");
  const std::string scale = "float3 xformOp:scale = (2, 2, 2)";
  text.replace(text.find(scale), scale.size(),
               "float3 xformOp:scale.timeSamples = { 1: (1, 1, 1), 1000000: (2, 2, 2) }");
  const Baked baked = bake_text(text);
  EXPECT_THAT(baked.samples("/R/M", "points"), ElementsAre(1, 1000000));
  ASSERT_EQ(baked.source.diagnostics.size(), 1U);
  EXPECT_EQ(baked.source.diagnostics[0].code, "skel-too-many-frames");
  EXPECT_EQ(baked.source.diagnostics[0].severity, Severity::warning);
  EXPECT_EQ(baked.source.diagnostics[0].message,
            "The stage's range of 0 to 1000001 has more than a million frames; only samples are "
            "baked.");
}

// The points are those of its own space, which moves.
TEST(BakeSkinning, TakesTimesOfThePrimItself) {
  std::string text = kMovedMesh;
  const std::string mesh = "double3 xformOp:translate = (0, 100, 0)";
  text.replace(text.find(mesh), mesh.size(),
               "double3 xformOp:translate.timeSamples = { 1: (0, 100, 0), 9: (0, 50, 0) }");
  for (const Rules rules : {Rules::documented, Rules::openusd}) {
    const Baked baked = bake_text(text, {}, rules);
    EXPECT_THAT(baked.samples("/R/M", "points"), ElementsAre(1, 9));
    EXPECT_POINTS_NEAR(baked.vectors("/R/M", "points", 9.0),
                       (std::vector<Vector3f>{{2, -50, 0}, {4, -50, 0}}), 1e-4F);
  }
}

// What stands above moves the prim up to where it is kept apart.
TEST(BakeSkinning, TakesTimesOfAncestorsByTheDocumentedRules) {
  const auto times_of = [](const std::string& reset, Rules rules) {
    std::string text = kMovedMesh;
    const std::string root = "double3 xformOp:translate = (0, 0, 10)";
    text.replace(text.find(root), root.size(),
                 "double3 xformOp:translate.timeSamples = { 1: (0, 0, 10), 9: (4, 0, 2) }");
    const std::string mesh =
        "double3 xformOp:translate = (0, 100, 0)\n        uniform token[] xformOpOrder = [";
    text.replace(text.find(mesh), mesh.size(), mesh + reset);
    const std::string skeleton = "uniform token[] xformOpOrder = [\"xformOp:scale\"";
    text.replace(text.find(skeleton), skeleton.size(),
                 "uniform token[] xformOpOrder = [" + reset + "\"xformOp:scale\"");
    return bake_text(text, {}, rules).samples("/R/M", "points");
  };
  EXPECT_THAT(times_of("", Rules::documented), ElementsAre(1, 9));
  EXPECT_THAT(times_of("", Rules::openusd), IsEmpty());
  EXPECT_THAT(times_of("\"!resetXformStack!\", ", Rules::documented), IsEmpty());
}

TEST(BakeSkinning, RewritesTheHintsOfModelsAboveOnly) {
  const Baked baked = bake_text(R"(#usda 1.0
def Xform "World" (kind = "assembly") {
    float3[] extentsHint = [(0, 0, 0), (9, 9, 9)]
    double3 xformOp:translate = (0, 0, 7)
    uniform token[] xformOpOrder = ["xformOp:translate"]
    def Xform "Group" (kind = "group") {
        float3[] extentsHint
        def SkelRoot "R" (kind = "component"; prepend apiSchemas = ["SkelBindingAPI"]) {
            rel skel:skeleton = <S>
            float3[] extentsHint.timeSamples = { 3: [(0, 0, 0), (9, 9, 9)] }
            double3 xformOp:translate = (0, 10, 0)
            uniform token[] xformOpOrder = ["xformOp:translate"]
            def Skeleton "S" {
                uniform token[] joints = ["a"]
                uniform matrix4d[] bindTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))]
                uniform matrix4d[] restTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(1,0,0,1))]
            }
            def Scope "Part" (kind = "component") {
                float3[] extentsHint = [(0, 0, 0), (9, 9, 9)]
                def Mesh "M" (prepend apiSchemas = ["SkelBindingAPI"]) {
                    float3[] extent = [(0, 0, 0), (5, 5, 5)]
                    point3f[] points = [(0, 0, 0), (1, 2, 3)]
                    int[] primvars:skel:jointIndices = [0, 0] (interpolation = "vertex")
                    float[] primvars:skel:jointWeights = [1, 1] (interpolation = "vertex")
                }
                def Mesh "None" (prepend apiSchemas = ["SkelBindingAPI"]) {
                    point3f[] points = []
                    int[] primvars:skel:jointIndices = [] (interpolation = "vertex")
                    float[] primvars:skel:jointWeights = [] (interpolation = "vertex")
                }
            }
        }
        def Cube "Beside" { double size = 4; }
    }
    def Xform "Other" (kind = "component") {
        float3[] extentsHint = [(0, 0, 0), (9, 9, 9)]
        def Cube "C" {}
    }
}
)");
  EXPECT_THAT(
      stated(baked),
      ElementsAre("/World.extentsHint", "/World/Group.extentsHint", "/World/Group/R.extentsHint",
                  "/World/Group/R/Part/M.extent", "/World/Group/R/Part/M.points",
                  "/World/Group/R/Part/None.extent", "/World/Group/R/Part/None.points"));
  EXPECT_POINTS_NEAR(baked.vectors("/World", "extentsHint", {}),
                     (std::vector<Vector3f>{{-2, -2, -2}, {2, 12, 3}}), 0.0F);
  EXPECT_POINTS_NEAR(baked.vectors("/World/Group/R", "extentsHint", {}),
                     (std::vector<Vector3f>{{1, 0, 0}, {2, 2, 3}}), 0.0F);
}

TEST(BakeSkinning, WritesTheTimesThatAreAskedFor) {
  BakeOptions options;
  options.times = {3.0, 1.0, 2.5};
  EXPECT_THAT(bake_text(kMovedMesh, options).samples("/R/M", "points"), ElementsAre(1.0, 2.5, 3.0));
}

// Which corner has which normal counts only for normals of corners.
TEST(BakeSkinning, TakesTimesOfTheFacesOnlyForNormalsOfCorners) {
  const auto times_of = [](const std::string& interpolation) {
    std::string text = kMovedMesh;
    const std::string points = "point3f[] points = [(0, 0, 0), (1, 0, 0)]";
    const std::string faces =
        "point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]\n"
        "int[] faceVertexCounts = [3]\n"
        "int[] faceVertexIndices.timeSamples = { 1: [0, 1, 2], 5: [2, 1, 0] }\n"
        "normal3f[] normals = [(0, 0, 1), (0, 0, 1), (0, 0, 1)] (interpolation = \"" +
        interpolation + "\")";
    text.replace(text.find(points), points.size(), faces);
    for (const char* each : {"jointIndices = [0, 0]", "jointWeights = [1, 1]"}) {
      const std::string numbers = each;
      text.replace(
          text.find(numbers), numbers.size(),
          numbers.substr(0, numbers.size() - 1) + ", " + numbers[numbers.size() - 2] + "]");
    }
    const Baked baked = bake_text(text.c_str());
    EXPECT_EQ(baked.vectors("/R/M", "normals", 1).size(), 3U) << interpolation;
    return baked.samples("/R/M", "points");
  };
  EXPECT_THAT(times_of("vertex"), IsEmpty());
  EXPECT_THAT(times_of("faceVarying"), ElementsAre(1.0, 5.0));
}

constexpr const char* kInstances = R"(#usda 1.0
def SkelRoot "Library" (active = true; prepend apiSchemas = ["SkelBindingAPI"])
{
    rel skel:skeleton = </Library/S>
    def Skeleton "S"
    {
        uniform token[] joints = ["a"]
        uniform matrix4d[] bindTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))]
        uniform matrix4d[] restTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,1,1))]
    }
    def Mesh "M" (prepend apiSchemas = ["SkelBindingAPI"])
    {
        point3f[] points = [(0, 0, 0)]
        int[] primvars:skel:jointIndices = [0] (interpolation = "vertex")
        float[] primvars:skel:jointWeights = [1] (interpolation = "vertex")
    }
}
def "A" (instanceable = true; references = </Library>)
{
}
)";

TEST(BakeSkinning, RefusesInstancesUnderOpenUsdRules) {
  SkelScene scene = open_scene(kInstances, Rules::openusd);
  const auto layer = bake_skinning(*scene.stage, BakeOptions(), scene.diagnostics);
  ASSERT_FALSE(layer);
  EXPECT_EQ(layer.error().code, ErrorCode::unsupported);
}

TEST(BakeSkinning, TakesInstancesApartByTheDocumentedRules) {
  const Baked baked = bake_text(kInstances, {}, Rules::documented);
  EXPECT_FALSE(baked.result.stage->prim("/A").is_instance());
  EXPECT_POINTS_NEAR(baked.vectors("/A/M", "points", {}), (std::vector<Vector3f>{{0, 0, 1}}),
                     1e-6F);
  EXPECT_EQ(baked.source.said("skel-bake-instance").size(), 1U);
}

// Where the points of a prim stand in the world when its skeleton deforms it.
std::vector<Vector3f> skinned_in_world(SkelScene& scene, const SkeletonBinding& binding,
                                       const SkinTarget& target, double time) {
  SkeletonPose pose;
  DeformedPrim deformed;
  evaluate_pose(binding, time, pose, scene.diagnostics);
  evaluate_target(target, pose, deformed, scene.diagnostics);
  for (Vector3f& p : deformed.points) {
    p = (pose.world_from_skel * p.cast<double>().homogeneous()).head<3>().cast<float>();
  }
  return deformed.points;
}

// The same of a prim that is no longer skinned.
std::vector<Vector3f> plain_in_world(const Baked& baked, std::string_view path, double time) {
  std::vector<Vector3f> points = baked.vectors(path, "points", time);
  const Matrix4d world_from_prim =
      geom::world_from_prim(baked.result.stage->prim(path), stage::Time(time));
  for (Vector3f& p : points) {
    p = (world_from_prim * p.cast<double>().homogeneous()).head<3>().cast<float>();
  }
  return points;
}

TEST(BakeSkinning, ReadsBackWhereSkinningPutEveryPoint) {
  std::string walking = kMovedMesh;
  walking.replace(walking.find("double3 xformOp:translate = (0, 0, 10)"), 38,
                  "double3 xformOp:translate.timeSamples = { 1: (0, 0, 10), 9: (4, 0, 2) }");
  for (const std::string& text : {text_of("skel/bake_rig_linear.usda"),
                                  text_of("skel/bake_rig_dual_quaternion.usda"), walking}) {
    Baked baked = bake_text(text, {}, Rules::documented);
    std::size_t compared = 0;
    for (const SkeletonBinding& binding : baked.source.bindings) {
      for (const SkinTarget& target : binding.targets) {
        const std::string path = target.prim.path().str();
        if (!target.prim.is_a(stage::SchemaType::point_based)) continue;
        for (const double time : {1.0, 4.0, 9.0}) {
          const std::vector<Vector3f> expected =
              skinned_in_world(baked.source, binding, target, time);
          ASSERT_FALSE(expected.empty()) << path;
          EXPECT_POINTS_NEAR(plain_in_world(baked, path, time), expected, 1e-5F) << path;
          ++compared;
        }
      }
    }
    EXPECT_GE(compared, 3U);
  }
}

TEST(BakeSkinning, LeavesNothingToReport) {
  for (const std::string& text :
       {text_of("skel/bake_rig_linear.usda"), std::string(kMovedMesh), std::string(kInstances)}) {
    const Baked baked = bake_text(text, {}, Rules::documented);
    Diagnostics diagnostics;
    check_bindings(*baked.result.stage, diagnostics);
    check_skinning(*baked.result.stage, diagnostics);
    EXPECT_THAT(diagnostics, ::testing::IsEmpty());
  }
}

TEST(BakeSkinning, LeavesNothingToSkin) {
  EXPECT_TRUE(bake_text(kMovedMesh).result.bindings.empty());
}

TEST(BakeSkinning, StatesNoNormalsOfAnotherNumberThanPoints) {
  std::string text = kMovedMesh;
  const std::string points = "point3f[] points = [(0, 0, 0), (1, 0, 0)]";
  text.insert(text.find(points) + points.size(),
              "\nnormal3f[] normals = [(0, 0, 1)] (interpolation = \"vertex\")");
  for (const Rules rules : {Rules::openusd, Rules::documented}) {
    EXPECT_THAT(stated(bake_text(text, {}, rules)), ElementsAre("/R/M.extent", "/R/M.points"));
  }
}

TEST(BakeSkinning, RefusesAPrimThatIsAnInstanceUnderOpenUsdRules) {
  std::string text = kMovedMesh;
  const std::string mesh = "def Mesh \"M\" (prepend";
  text.replace(text.find(mesh), mesh.size(),
               "def Mesh \"M\" (instanceable = true; references = </Shape>; prepend");
  text += "class Mesh \"Shape\" {\n}\n";
  SkelScene scene = open_scene(text, Rules::openusd);
  ASSERT_TRUE(scene.stage->prim("/R/M").is_instance());
  const auto layer = bake_skinning(*scene.stage, BakeOptions(), scene.diagnostics);
  ASSERT_FALSE(layer);
  EXPECT_EQ(layer.error().code, ErrorCode::unsupported);
  EXPECT_EQ(layer.error().message, "/R/M lies in an instance and cannot be baked.");
}

}  // namespace
}  // namespace sinew::skel::bake_skinning_test
