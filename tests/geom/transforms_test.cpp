// SPDX-License-Identifier: Apache-2.0
#include "sinew/geom/transforms.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "stage/support.hpp"

namespace sinew::geom::transforms_test {
namespace {

// The transform of an Xform with these statements, as the 16 numbers of USD.
Matrix4d local(const std::string& body, stage::Time time = {}, Diagnostics* diagnostics = nullptr) {
  Diagnostics ignored;
  const std::string text = "def Xform \"A\" {\n" + body + "\n}\n";
  const auto stage = stage::open_layers({{"root.usda", text.c_str()}}, ignored);
  return local_transform(stage->prim("/A"), time, diagnostics).parent_from_prim;
}

// Rows as the documents of USD write them: the columns of ours.
void expect_rows(const Matrix4d& matrix, std::initializer_list<double> numbers) {
  auto number = numbers.begin();
  for (int column = 0; column < 4; ++column) {
    for (int row = 0; row < 3; ++row) {
      // Angles and quaternions are single precision: 1e-7 times the largest number, 30.
      EXPECT_NEAR(matrix(row, column), *number++, 3e-6) << "row " << column << " element " << row;
    }
  }
}

TEST(LocalTransform, AppliesTheLastListedOperationFirst) {  // stage 10.9
  expect_rows(local("double3 xformOp:translate = (1, 2, 3)\n"
                    "float3 xformOp:rotateXYZ = (90, 0, 90)\n"
                    "float3 xformOp:scale = (2, 3, 4)\n"
                    "uniform token[] xformOpOrder = [\"xformOp:translate\", "
                    "\"xformOp:rotateXYZ\", \"xformOp:scale\"]"),
              {0, 2, 0, 0, 0, 3, 4, 0, 0, 1, 2, 3});
}

TEST(LocalTransform, InvertsAndCancels) {  // stage 10.9
  expect_rows(local("float3 xformOp:translate:pivot = (0, 0, 5)\nfloat xformOp:rotateZ = 90\n"
                    "uniform token[] xformOpOrder = [\"xformOp:translate:pivot\", "
                    "\"xformOp:rotateZ\", \"!invert!xformOp:translate:pivot\"]"),
              {0, 1, 0, -1, 0, 0, 0, 0, 1, 0, 0, 0});
}

TEST(LocalTransform, FollowsSplines) {
  Diagnostics diagnostics;
  const auto stage = stage::open_layers({{"root.usda", R"(
def Xform "A" {
    double xformOp:rotateZ.spline = { 0: 0; post linear, 3: 270, }
    float xformOp:translateX.timeSamples = { 1.5: 0, 2: 0 }
    uniform token[] xformOpOrder = ["xformOp:translateX", "xformOp:rotateZ"]
}
)"}},
                                        diagnostics);
  const stage::Prim prim = stage->prim("/A");
  expect_rows(local_transform(prim, 1.0).parent_from_prim, {0, 1, 0, -1, 0, 0, 0, 0, 1, 0, 0, 0});
  EXPECT_TRUE(local_transform_might_vary(prim));
  EXPECT_EQ(local_transform_samples(prim), (std::vector<double>{0, 1, 1.5, 2, 3}));
}

TEST(WorldTransform, VariesWithAncestorsUpToAReset) {
  Diagnostics diagnostics;
  const auto stage = stage::open_layers({{"root.usda", R"(
def Xform "Moving" {
    double3 xformOp:translate.timeSamples = { 1: (0, 0, 0), 2: (1, 0, 0) }
    uniform token[] xformOpOrder = ["xformOp:translate"]
    def Xform "Still" {
        double3 xformOp:translate = (1, 2, 3)
        uniform token[] xformOpOrder = ["xformOp:translate"]
        def Scope "NoXform" {}
    }
    def Xform "Reset" {
        uniform token[] xformOpOrder = ["!resetXformStack!"]
        def Xform "Below" {}
    }
    def Xform "MovingReset" {
        double xformOp:rotateX.timeSamples = { 1: 0, 2: 90 }
        uniform token[] xformOpOrder = ["!resetXformStack!", "xformOp:rotateX"]
        def Xform "Below" {}
    }
}
def Xform "Beside" {}
)"}},
                                        diagnostics);
  const auto varies = [&](const char* path) {
    const stage::Prim prim = stage->prim(path);
    const bool moved = !world_from_prim(prim, 1.0).isApprox(world_from_prim(prim, 2.0));
    EXPECT_EQ(world_transform_might_vary(prim), moved) << path;
    return moved;
  };
  EXPECT_TRUE(varies("/Moving"));
  EXPECT_TRUE(varies("/Moving/Still"));
  EXPECT_TRUE(varies("/Moving/Still/NoXform"));
  EXPECT_FALSE(varies("/Moving/Reset"));
  EXPECT_FALSE(varies("/Moving/Reset/Below"));
  EXPECT_TRUE(varies("/Moving/MovingReset/Below"));
  EXPECT_FALSE(varies("/Beside"));
  EXPECT_FALSE(local_transform_might_vary(stage->prim("/Moving/Still")));
  EXPECT_FALSE(world_transform_might_vary({}));
}

TEST(LocalTransform, ComposesOrientAndTransform) {  // stage 10.9
  expect_rows(local("quatf xformOp:orient = (.70710678, 0, .70710678, 0)\n"
                    "matrix4d xformOp:transform = ((1,0,0,0),(0,1,0,0),(0,0,1,0),(10,20,30,1))\n"
                    "uniform token[] xformOpOrder = [\"xformOp:orient\", \"xformOp:transform\"]"),
              {0, 0, -1, 0, 1, 0, 1, 0, 0, 30, 20, -10});
}

TEST(LocalTransform, ClampsNonUnitQuaternions) {  // stage 10.9
  expect_rows(local("quatf xformOp:orient = (2, 0, 0, 2)\n"
                    "uniform token[] xformOpOrder = [\"xformOp:orient\"]"),
              {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0});
}

TEST(LocalTransform, KnowsEveryOrderOfRotations) {  // stage 10.9
  expect_rows(local("float3 xformOp:rotateZYX = (30, 40, 50)\n"
                    "uniform token[] xformOpOrder = [\"xformOp:rotateZYX\"]"),
              {.4924039, .8700019, .0252014, -.5868241, .3104685, .7478281, .6427876, -.3830222,
               .6634139, 0, 0, 0});
}

// Each operation of one axis, forwards and inverted.
TEST(LocalTransform, KnowsOperationsOfEveryAxis) {
  const auto one = [](const std::string& type, const std::string& name, const std::string& value,
                      const std::string& prefix = "") {
    return local(type + " xformOp:" + name + " = " + value +
                 "\nuniform token[] xformOpOrder = [\"" + prefix + "xformOp:" + name + "\"]");
  };
  expect_rows(one("double", "translateX", "3"), {1, 0, 0, 0, 1, 0, 0, 0, 1, 3, 0, 0});
  expect_rows(one("float", "translateY", "3"), {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 3, 0});
  expect_rows(one("half", "translateZ", "3"), {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 3});
  expect_rows(one("float", "translateZ:up", "3", "!invert!"),
              {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, -3});
  expect_rows(one("double", "scaleX", "4"), {4, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0});
  expect_rows(one("float", "scaleY", "4"), {1, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0});
  expect_rows(one("half", "scaleZ", "4"), {1, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0});
  expect_rows(one("double", "scaleY", "4", "!invert!"), {1, 0, 0, 0, 0.25, 0, 0, 0, 1, 0, 0, 0});
  expect_rows(one("double3", "scale", "(2, 4, 8)", "!invert!"),
              {0.5, 0, 0, 0, 0.25, 0, 0, 0, 0.125, 0, 0, 0});
  expect_rows(one("double", "rotateX", "90"), {1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 0, 0});
  expect_rows(one("double", "rotateY", "90"), {0, 0, -1, 0, 1, 0, 1, 0, 0, 0, 0, 0});
  expect_rows(one("half", "rotateZ", "90", "!invert!"), {0, -1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0});
  expect_rows(one("float3", "rotateXYZ", "(90, 0, 90)", "!invert!"),
              {0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 0});
}

TEST(LocalTransform, ReadsValuesOfEveryPrecision) {
  const auto one = [](const std::string& type, const std::string& name, const std::string& value) {
    return local(type + " xformOp:" + name + " = " + value +
                 "\nuniform token[] xformOpOrder = [\"xformOp:" + name + "\"]");
  };
  for (const std::string precision : {"half", "float", "double"}) {
    SCOPED_TRACE(precision);
    expect_rows(one(precision + "3", "translate", "(1, 2, 4)"),
                {1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 2, 4});
    expect_rows(one(precision + "3", "rotateXYZ", "(90, 0, 0)"),
                {1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 0, 0});
    // Half a turn about y.
    expect_rows(one("quat" + precision.substr(0, 1), "orient", "(0, 0, 1, 0)"),
                {-1, 0, 0, 0, 1, 0, 0, 0, -1, 0, 0, 0});
    // A third of one about (1, 1, 1), so that x becomes y and y becomes z.
    expect_rows(one("quat" + precision.substr(0, 1), "orient", "(0.5, 0.5, 0.5, 0.5)"),
                {0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0});
  }
}

TEST(LocalTransform, ReportsWhatIsNoOperation) {
  for (const char* name : {"shear", "rotateXX", "rotateXYX", "rotateXYZX", "rotateW", "translateXY",
                           "scaleW", "rotate", "transforms"}) {
    SCOPED_TRACE(name);
    Diagnostics diagnostics;
    const Matrix4d matrix = local(
        std::string("float xformOp:") + name +
            " = 2\ndouble xformOp:translateX = 1\nuniform token[] xformOpOrder = [\"xformOp:" +
            name + "\", \"xformOp:translateX\"]",
        {}, &diagnostics);
    ASSERT_EQ(diagnostics.size(), 1U);
    EXPECT_EQ(diagnostics[0].code, "geom-xform-op-unknown");
    EXPECT_EQ(diagnostics[0].severity, Severity::error);
    EXPECT_NE(diagnostics[0].message.find("xformOp:" + std::string(name) + " "), std::string::npos)
        << diagnostics[0].message;
    EXPECT_EQ(matrix(0, 3), 1.0) << "The others count.";
  }
}

TEST(LocalTransform, LeavesOutNeighboursThatUndoEachOther) {
  const auto moved = [](const std::string& order) {
    Diagnostics diagnostics;
    const Matrix4d matrix = local(
        "matrix4d xformOp:transform = ((0,0,0,0),(0,0,0,0),(0,0,0,0),(0,0,0,1))\n"
        "double xformOp:translateX = 1\ndouble xformOp:translateX:a = 10\n"
        "uniform token[] xformOpOrder = [" +
            order + "]",
        {}, &diagnostics);
    EXPECT_TRUE(diagnostics.empty()) << order;
    return matrix(0, 3);
  };
  const std::string x = "\"xformOp:translateX\"", not_x = "\"!invert!xformOp:translateX\"";
  const std::string a = "\"xformOp:translateX:a\"";
  const std::string t = "\"xformOp:transform\"", not_t = "\"!invert!xformOp:transform\"";
  EXPECT_EQ(moved(x), 1.0);
  EXPECT_EQ(moved(not_x), -1.0);
  EXPECT_EQ(moved(x + ", " + x), 2.0);
  EXPECT_EQ(moved(not_x + ", " + not_x), -2.0);
  EXPECT_EQ(moved(x + ", " + not_x + ", " + x), 1.0);
  EXPECT_EQ(moved(not_x + ", " + x + ", " + a), 10.0);
  EXPECT_EQ(moved(x + ", \"!invert!xformOp:translateX:a\""), -9.0);
  // What has no inverse is not asked for one where both are left out; USD's is the largest scale.
  EXPECT_EQ(moved(x + ", " + t + ", " + not_t), 1.0);
  EXPECT_EQ(moved(x + ", " + not_t + ", " + t + ", " + a), 11.0);
  EXPECT_GT(moved(x + ", " + not_t + ", " + a), 1e38);
  EXPECT_EQ(moved(t + ", " + x), 0.0);
  // Only what follows the last reset counts.
  const std::string reset = "\"!resetXformStack!\"";
  EXPECT_EQ(moved(x + ", " + reset + ", " + a + ", " + reset + ", " + x), 1.0);
  EXPECT_EQ(moved(x + ", " + reset), 0.0);
}

TEST(LocalTransform, LeavesOutNeighboursThatUndoEachOtherAroundWhatDoesNotExist) {
  Diagnostics diagnostics;
  const Matrix4d matrix = local(
      "float3 xformOp:scale:pivot = (0, 1, 1)\ndouble xformOp:translateX = 1\n"
      "uniform token[] xformOpOrder = [\"xformOp:translateX\", \"xformOp:scale:pivot\", "
      "\"xformOp:gone\", \"xformOp:lost\", \"!invert!xformOp:scale:pivot\"]",
      {}, &diagnostics);
  expect_rows(matrix, {1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0});
  ASSERT_EQ(diagnostics.size(), 2U);
  EXPECT_EQ(diagnostics[0].code, "geom-xform-op-missing");
  EXPECT_EQ(diagnostics[1].code, "geom-xform-op-missing");
}

// As OpenUSD has it: whoever samples an animation does so where any listed operation has a sample.
TEST(LocalTransform, HasTheSamplesOfAllThatIsListed) {
  Diagnostics diagnostics;
  const auto stage = stage::open_layers({{"root.usda", R"(
def Xform "A" {
    double3 xformOp:translate:pivot.timeSamples = { 0.5: (0, 0, 0), 0.75: (1, 0, 0) }
    double xformOp:translateX.timeSamples = { 7: 0, 8: 1 }
    uniform token[] xformOpOrder = ["xformOp:translateX", "!resetXformStack!", "xformOp:translate:pivot", "!invert!xformOp:translate:pivot"]
}
)"}},
                                        diagnostics);
  const stage::Prim prim = stage->prim("/A");
  EXPECT_EQ(local_transform_samples(prim), (std::vector<double>{0.5, 0.75}));
  EXPECT_TRUE(local_transform_might_vary(prim));
  EXPECT_TRUE(local_transform(prim, 0.75).parent_from_prim.isIdentity());
}

TEST(LocalTransform, TakesAQuaternionWithoutAnAxisForNone) {
  const auto turned = [](const std::string& orient) {
    return local("quatd xformOp:orient = " + orient +
                 "\nuniform token[] xformOpOrder = [\"xformOp:orient\"]");
  };
  EXPECT_TRUE(turned("(0, 5e-11, 0, 0)").isIdentity());
  expect_rows(turned("(0, 1e-9, 0, 0)"), {1, 0, 0, 0, -1, 0, 0, 0, -1, 0, 0, 0});
}

TEST(LocalTransform, ReportsValuesOfAnotherKindAndPassesOverBlockedOnes) {
  const std::pair<const char*, const char*> cases[] = {
      {"float3 xformOp:translateX = (1, 2, 3)", "xformOp:translateX"},
      {"double xformOp:translate = 1", "xformOp:translate"},
      {"double xformOp:scale = 1", "xformOp:scale"},
      {"string xformOp:scaleY = \"2\"", "xformOp:scaleY"},
      {"float3 xformOp:rotateX = (1, 2, 3)", "xformOp:rotateX"},
      {"float xformOp:rotateXYZ = 1", "xformOp:rotateXYZ"},
      {"float4 xformOp:orient = (1, 0, 0, 0)", "xformOp:orient"},
      {"matrix3d xformOp:transform = ((1,0,0),(0,1,0),(0,0,1))", "xformOp:transform"}};
  for (const auto& [attribute, name] : cases) {
    SCOPED_TRACE(attribute);
    Diagnostics diagnostics;
    const std::string order = std::string("\nuniform token[] xformOpOrder = [\"") + name +
                              "\", \"xformOp:translateZ\"]\ndouble xformOp:translateZ = 5";
    const Matrix4d matrix = local(attribute + order, {}, &diagnostics);
    EXPECT_EQ(diagnostics.size(), 1U);
    EXPECT_EQ(matrix(2, 3), 5.0);
    EXPECT_EQ(matrix(0, 3), 0.0);
    diagnostics.clear();
    const std::string text(attribute);
    local(text.substr(0, text.find(" = ")) + " = None" + order, {}, &diagnostics);
    EXPECT_TRUE(diagnostics.empty());
  }
}

TEST(LocalTransform, IgnoresOperationsThatAreNotListed) {  // stage 10.9
  expect_rows(local("double3 xformOp:translate = (1, 2, 3)"), {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0});
}

TEST(LocalTransform, InterpolatesSamplesAndHasNoneAtTheDefaultTime) {  // stage 10.9
  const std::string body =
      "double3 xformOp:translate.timeSamples = { 0: (0, 0, 0), 10: (10, 0, 0) }\n"
      "uniform token[] xformOpOrder = [\"xformOp:translate\"]";
  EXPECT_EQ(local(body)(0, 3), 0.0);
  EXPECT_EQ(local(body, 5.0)(0, 3), 5.0);
}

TEST(LocalTransform, ReportsAnOperationThatDoesNotExist) {
  Diagnostics diagnostics;
  local("uniform token[] xformOpOrder = [\"xformOp:translate\"]", {}, &diagnostics);
  EXPECT_EQ(diagnostics.size(), 1u);
}

TEST(WorldFromPrim, StopsAtAResetAndSkipsWhatIsNotXformable) {  // stage 10.9
  Diagnostics diagnostics;
  const auto stage = stage::open_layers({{"root.usda", R"(
def Xform "P" { double3 xformOp:translate = (1, 0, 0); uniform token[] xformOpOrder = ["xformOp:translate"]
    def Scope "S" { double3 xformOp:translate = (5, 0, 0); uniform token[] xformOpOrder = ["xformOp:translate"]
        def Xform "C" { double3 xformOp:translate = (2, 0, 0); uniform token[] xformOpOrder = ["xformOp:translate"]; }
        def Xform "R" { double3 xformOp:translate = (7, 8, 9); uniform token[] xformOpOrder = ["!resetXformStack!", "xformOp:translate"]; }
    }
}
)"}},
                                        diagnostics);
  EXPECT_EQ(world_from_prim(stage->prim("/P/S/C"), {})(0, 3), 3.0);
  EXPECT_EQ(world_from_prim(stage->prim("/P/S/R"), {})(0, 3), 7.0);
}

}  // namespace
}  // namespace sinew::geom::transforms_test
