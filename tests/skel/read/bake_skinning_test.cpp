// SPDX-License-Identifier: Apache-2.0
// Numbers in comments are those of the checklist in the behaviour specification.
#include "sinew/skel/read/bake_skinning.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "sinew/geom/transforms.hpp"
#include "sinew/usda/writer.hpp"
#include "skel/skel_scene.hpp"

namespace sinew::skel {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

std::string text_of(const std::string& file) {
  std::ifstream stream(SINEW_TEST_DATA "/" + file);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

// A scene and what is on stage when its baked layer lies on top.
struct Baked {
  SkelScene source;
  SkelScene result;
  std::string layer_text;

  stage::Attribute attribute(std::string_view prim, std::string_view name) const {
    const stage::Prim found = result.stage->prim(prim);
    return found ? found.attribute(name) : stage::Attribute();
  }
  std::vector<Vector3f> vectors(std::string_view prim, std::string_view name,
                                stage::Time time) const {
    const stage::Attribute found = attribute(prim, name);
    if (!found) return {};
    const auto values = found.get_array<Vector3f>(time);
    return values ? std::vector<Vector3f>(values->begin(), values->end()) : std::vector<Vector3f>();
  }
  std::vector<double> samples(std::string_view prim, std::string_view name) const {
    const stage::Attribute found = attribute(prim, name);
    return found ? found.time_samples() : std::vector<double>();
  }
};

// Bakes, writes the layer as text, and opens that text above the source.
Baked bake_text(const std::string& text, BakeOptions options = {}, Rules rules = Rules::openusd) {
  Baked baked;
  baked.source = open_scene(text, rules);
  options.source_layer = "./source.usda";
  const auto layer = bake_skinning(*baked.source.stage, options, baked.source.diagnostics);
  if (!layer) {
    ADD_FAILURE() << layer.error().message;
    return baked;
  }
  baked.layer_text = usda::write(**layer);
  baked.result = open_scene(baked.layer_text, rules, {{"source.usda", text}});
  return baked;
}

std::vector<double> frames(int first, int last) {
  std::vector<double> result;
  for (int frame = first; frame <= last; ++frame) result.push_back(frame);
  return result;
}

class BakedRig : public ::testing::TestWithParam<const char*> {
 protected:
  static Baked bake(const BakeOptions& options = {}) {
    return bake_text(text_of(std::string("skel/bake_rig_") + GetParam() + ".usda"), options);
  }
  static bool is_linear() { return std::string_view(GetParam()) == "linear"; }
};

constexpr const char* kPrism = "/Rig/Geometry/Prism";
// The reference figures have eight digits; linear blending differs in the last bits of a float.
constexpr float kFigures = 2e-6F;

TEST_P(BakedRig, IsAnXformWithSamplesAtEveryFrame) {  // skel 12.70
  const Baked baked = bake();
  EXPECT_EQ(baked.result.stage->prim("/Rig").type_name().view(), "Xform");
  EXPECT_EQ(baked.result.stage->prim("/Rig").specifier(), layer::Specifier::def);
  for (const char* prim : {"Prism", "FaceVarying", "Tube", "Curves"}) {
    EXPECT_THAT(baked.samples(std::string("/Rig/Geometry/") + prim, "points"),
                ElementsAreArray(frames(1, 30)))
        << prim;
  }
  for (const char* prim : {"Sphere", "Cube", "Cylinder"}) {
    EXPECT_THAT(baked.samples(std::string("/Rig/Geometry/") + prim, "xformOp:transform"),
                ElementsAreArray(frames(1, 30)))
        << prim;
  }
}

TEST_P(BakedRig, HasSamplesInTheIntervalOnly) {  // skel 12.70
  BakeOptions options;
  options.first_time = 1.0;
  options.last_time = 10.0;
  EXPECT_THAT(bake(options).samples(kPrism, "points"), ElementsAreArray(frames(1, 10)));
}

TEST_P(BakedRig, KeepsDefaultValues) {  // skel 12.70
  const Baked baked = bake();
  const auto source = baked.source.stage->prim(kPrism).attribute("points").get_array<Vector3f>();
  ASSERT_TRUE(source);
  EXPECT_EQ(baked.vectors(kPrism, "points", {}),
            std::vector<Vector3f>(source->begin(), source->end()));
}

TEST_P(BakedRig, StartsAtTheRestShape) {  // skel 12.71
  const Baked baked = bake();
  EXPECT_POINTS_NEAR(baked.vectors(kPrism, "points", 1.0), baked.vectors(kPrism, "points", {}),
                     kFigures);
  EXPECT_LE((baked.vectors(kPrism, "normals", 1.0).at(0) -
             Vector3f(-0.57735026F, -0.57735026F, 0.57735026F))
                .norm(),
            kFigures);
}

TEST_P(BakedRig, MovesThePrism) {  // skel 12.72
  const Baked baked = bake();
  struct Row {
    double time;
    Vector3f p4, p6, p8, p11, min, max;
  };
  const Row linear[] = {{10.0,
                         {.55F, -.09408767F, .53340375F},
                         {.55F, -.07698082F, .43642125F},
                         {.55F, .75147474F, .85894454F},
                         {.45F, .7856884F, .7649795F},
                         {.45F, -1.F, .43642125F},
                         {.55F, .7856884F, .85894454F}},
                        {30.0,
                         {.31466362F, -.12036469F, .64268076F},
                         {.3445367F, -.0980578F, .5593641F},
                         {-.22552043F, .65419513F, 1.0612112F},
                         {-.23994356F, .69796413F, .9275091F},
                         {-.2996897F, -1.F, .45F},
                         {.55F, .6988089F, 1.0612112F}}};
  const Row dual[] = {{10.0,
                       {.55F, -.095540166F, .5416383F},
                       {.55F, -.07816922F, .44315863F},
                       {.55F, .75147474F, .85894454F},
                       {.45F, .78568846F, .76497954F},
                       {.45F, -1.F, .44315863F},
                       {.55F, .78568846F, .85894454F}},
                      {30.0,
                       {.32616925F, -.09942447F, .69909114F},
                       {.36009917F, -.076610185F, .6078318F},
                       {-.22552045F, .65419513F, 1.0612112F},
                       {-.23994358F, .69796413F, .92750907F},
                       {-.2996897F, -1.F, .45F},
                       {.55F, .6988089F, 1.0612112F}}};
  for (const Row& row : is_linear() ? linear : dual) {
    const std::vector<Vector3f> points = baked.vectors(kPrism, "points", row.time);
    ASSERT_EQ(points.size(), 12U);
    EXPECT_POINTS_NEAR((std::vector<Vector3f>{points[4], points[6], points[8], points[11]}),
                       (std::vector<Vector3f>{row.p4, row.p6, row.p8, row.p11}), kFigures);
    const std::vector<Vector3f> rest = baked.vectors(kPrism, "points", {});
    EXPECT_POINTS_NEAR((std::vector<Vector3f>{points.begin(), points.begin() + 4}),
                       (std::vector<Vector3f>{rest.begin(), rest.begin() + 4}), kFigures);
    EXPECT_POINTS_NEAR(baked.vectors(kPrism, "extent", row.time),
                       (std::vector<Vector3f>{row.min, row.max}), kFigures);
  }
}

TEST_P(BakedRig, TurnsVertexNormals) {  // skel 12.73
  const Baked baked = bake();
  const auto at = [&](double time, std::size_t i) {
    return baked.vectors(kPrism, "normals", time).at(i);
  };
  const std::vector<Vector3f> actual = {at(10.0, 4), at(10.0, 8), at(30.0, 4), at(30.0, 8)};
  const std::vector<Vector3f> linear = {{.7125021F, -.12188667F, .69100237F},
                                        {.57735026F, .34497437F, .7400401F},
                                        {.43364173F, -.16587603F, .8856861F},
                                        {-.0927319F, .26398462F, .9600588F}};
  const std::vector<Vector3f> dual = {{.70710677F, -.1228311F, .6963566F},
                                      {.57735026F, .34497437F, .7400401F},
                                      {.41933906F, -.12782493F, .8987856F},
                                      {-.0927319F, .26398462F, .9600588F}};
  EXPECT_POINTS_NEAR(actual, is_linear() ? linear : dual, kFigures);
}

TEST_P(BakedRig, TurnsFaceVaryingNormals) {  // skel 12.74
  const Baked baked = bake();
  const auto face = [&](double time) {
    std::vector<Vector3f> normals = baked.vectors("/Rig/Geometry/FaceVarying", "normals", time);
    normals.resize(4);
    return normals;
  };
  const Vector3f up(0, 0, 1);
  if (is_linear()) {
    const Vector3f at_10(0, -.17370942F, .98479694F);
    EXPECT_POINTS_NEAR(face(10.0), (std::vector<Vector3f>{up, at_10, at_10, up}), kFigures);
  }
  const Vector3f at_30 = is_linear() ? Vector3f(-.32727566F, -.244384F, .91277987F)
                                     : Vector3f(-.3392993F, -.22814277F, .9125935F);
  EXPECT_POINTS_NEAR(face(30.0), (std::vector<Vector3f>{up, at_30, at_30, up}), kFigures);
}

// Rows as usda writes them.
void expect_transform(const Baked& baked, std::string_view prim, double time,
                      const std::vector<Vector3d>& rows, double tolerance) {
  const auto m = baked.attribute(prim, "xformOp:transform").get<Matrix4d>(time);
  ASSERT_TRUE(m) << prim;
  for (int i = 0; i < 4; ++i) {
    const Vector3d row = m->col(i).head<3>();
    EXPECT_LE((row - rows[static_cast<std::size_t>(i)]).cwiseAbs().maxCoeff(), tolerance)
        << prim << " at " << time << ", row " << i << ": " << row.transpose();
  }
}

TEST_P(BakedRig, MovesRigidPrimsAsOnePiece) {  // skel 12.75
  const Baked baked = bake();
  const char* sphere = "/Rig/Geometry/Sphere";
  const char* cylinder = "/Rig/Geometry/Cylinder";
  const char* cube = "/Rig/Geometry/Cube";
  for (const double time : {1.0, 10.0, 30.0}) {
    expect_transform(baked, sphere, time, {{.1, 0, 0}, {0, .1, 0}, {0, 0, .1}, {.5, -1, .5}}, 1e-7);
  }
  // One influence of weight 1 is exact to the quaternion's float.
  expect_transform(baked, cylinder, 10.0,
                   {{.1, 0, 0},
                    {0, .0939650059, .0342136979},
                    {0, -.0342136979, .0939650059},
                    {.5, .7685815692, .8119620085}},
                   1e-7);
  // Of the rest, four points are skinned in float.
  expect_transform(baked, cube, 1.0, {{.1, 0, 0}, {0, .1, 0}, {0, 0, .1}, {.5, 0, .5}}, 2e-7);
  if (is_linear()) {
    expect_transform(baked, cube, 10.0,
                     {{.1, 0, 0},
                      {0, .0969825238, .0171068907},
                      {0, -.0171068534, .0969825387},
                      {.5, -.0855342448, .4849125147}},
                     2e-7);
    expect_transform(baked, cube, 30.0,
                     {{.08708465, .00042240, .03353441},
                      {-.01524240, .09474625, .01629251},
                      {-.02987307, -.02230689, .08331680},
                      {.28605783, -.10942245, .58425522}},
                     2e-7);
  } else {
    expect_transform(baked, cube, 10.0,
                     {{.1, 0, 0},
                      {0, .09847972, .01737097},
                      {0, -.01737095, .09847972},
                      {.5, -.08685469, .49239847}},
                     2e-7);
  }
}

TEST_P(BakedRig, RewritesBoxes) {  // skel 12.76
  const Baked baked = bake();
  EXPECT_THAT(baked.samples("/Rig", "extentsHint"), ElementsAreArray(frames(1, 30)));
  EXPECT_THAT(baked.samples("/Rig/Geometry/Curves", "extent"), ElementsAreArray(frames(1, 30)));
  for (const char* prim : {"Sphere", "Cube", "Cylinder"}) {
    EXPECT_FALSE(baked.attribute(std::string("/Rig/Geometry/") + prim, "extent")) << prim;
  }
  // Reached by the curves below, left, behind and on top, by the rigid prims in front.
  EXPECT_POINTS_NEAR(baked.vectors("/Rig", "extentsHint", 1.0),
                     (std::vector<Vector3f>{{-.55F, -1.1F, -.55F}, {1.15F, 1.1F, .6F}}), kFigures);
  EXPECT_POINTS_NEAR(baked.vectors("/Rig", "extentsHint", 10.0),
                     (std::vector<Vector3f>{{-.55F, -1.1F, -.55F}, {1.15F, 1.2217903F, .9401407F}}),
                     kFigures);
}

INSTANTIATE_TEST_SUITE_P(Methods, BakedRig, ::testing::Values("linear", "dual_quaternion"),
                         [](const auto& tested) { return std::string(tested.param); });

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

TEST(BakeSkinning, WritesTheTimesThatAreAskedFor) {
  BakeOptions options;
  options.times = {3.0, 1.0, 2.5};
  EXPECT_THAT(bake_text(kMovedMesh, options).samples("/R/M", "points"), ElementsAre(1.0, 2.5, 3.0));
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

TEST(BakeSkinning, LeavesNothingToSkin) {
  EXPECT_TRUE(bake_text(kMovedMesh).result.bindings.empty());
}

}  // namespace
}  // namespace sinew::skel
