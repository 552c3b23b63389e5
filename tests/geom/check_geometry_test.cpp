// SPDX-License-Identifier: Apache-2.0
#include "sinew/geom/check_geometry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "stage/support.hpp"
#include "support/codes.hpp"
#include "support/folders.hpp"

namespace sinew::geom::check_geometry_test {
namespace {

using ::testing::IsEmpty;

Diagnostics checked(const std::string& text) {
  Diagnostics diagnostics;
  const auto stage = stage::open_layers({{"root.usda", text.c_str()}}, diagnostics);
  EXPECT_THAT(diagnostics, IsEmpty());
  if (stage != nullptr) check_geometry(*stage, diagnostics);
  return diagnostics;
}

struct Fault {
  const char* codes;
  const char* prim;  ///< Inside of an Xform "A".
};

// Each kind of thing that is looked at, with something wrong.
const Fault kFaults[] = {
    {"geom-xform-op-type /A/X;",
     "def Xform \"X\" { string xformOp:translate = \"a\"\n"
     "uniform token[] xformOpOrder = [\"xformOp:translate\"]\n}"},
    {"geom-xform-op-type /A/X;", "def Xform \"X\" { int xformOpOrder = 3; }"},
    {"geom-xform-op-missing /A/X;",
     "def Xform \"X\" { uniform token[] xformOpOrder = [\"xformOp:scale\"]; }"},
    {"geom-shape-value /A/X.radius;", "def Sphere \"X\" { double radius = nan; }"},
    {"geom-shape-value /A/X.radius;",
     "def Sphere \"X\" { double radius.timeSamples = { 1: nan }; }"},
    {"geom-extent-invalid /A/X.extent;", "def Cube \"X\" { float3[] extent = [(0, 0, 0)]; }"},
    {"geom-extent-widths /A/X;",
     "def Points \"X\" { point3f[] points = [(0, 0, 0)]; float[] widths = [1, 2]; }"},
    {"geom-mesh-indices /A/X.faceVertexIndices;",
     "def Mesh \"X\" { point3f[] points = [(0, 0, 0)]\nint[] faceVertexCounts = [3]\n"
     "int[] faceVertexIndices = [0, 0, 1]\n}"},
    {"geom-mesh-value /A/X.orientation;", "def Mesh \"X\" { uniform int orientation = 1; }"},
    {"geom-subset-range /A/X/S;",
     "def Mesh \"X\" { point3f[] points = [(0, 0, 0)]\nint[] faceVertexCounts = [3]\n"
     "int[] faceVertexIndices = [0, 0, 0]\n"
     "def GeomSubset \"S\" { uniform token familyName = \"f\"; int[] indices = [1]; }\n}"},
    {"geom-instancer /A/X;", "def PointInstancer \"X\" { int[] protoIndices = [0]; }"},
    {"geom-token-value /A/X.visibility;", "def Cube \"X\" { token visibility = \"hidden\"; }"},
    {"geom-token-value /A/X.visibility;", "def Scope \"X\" { int visibility = 1; }"},
    {"geom-token-value /A/X.purpose;", "def Cube \"X\" { uniform token purpose = \"prxy\"; }"},
    {"", "def Cube \"X\" { token visibility = \"invisible\"\nuniform token purpose = \"guide\"\n}"},
    {"", "def Cube \"X\" { token visibility = None; }"},
    {"", "def Cube \"X\" { token visibility; }"},
    {"", "def Xform \"X\" { uniform token[] xformOpOrder = None; }"},
    {"", "def Xform \"X\" { int xformOpOrder; }"},
    {"", "def Material \"X\" { token visibility = \"hidden\"; }"},  // Not Imageable.
};

TEST(CheckGeometry, FindsWhatIsWrong) {
  for (const Fault& fault : kFaults) {
    const std::string text = std::string("def Xform \"A\" {\n") + fault.prim + "\n}\n";
    EXPECT_EQ(test::codes_of(checked(text)), fault.codes) << fault.prim;
  }
}

TEST(CheckGeometry, TellsOfInstancesOnce) {
  std::string text = "class Xform \"P\" { def Sphere \"S\" { double radius = nan; }\n}\n";
  for (const char* name : {"A", "B", "C"}) {
    text += std::string("def \"") + name + "\" (instanceable = true; inherits = </P>) {}\n";
  }
  EXPECT_EQ(checked(text).size(), 1U);
}

TEST(CheckGeometry, FindsNothingInBundledFiles) {
  std::size_t files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(test::data_folder() + "/../../examples/data")) {
    if (entry.path().extension() != ".usda") continue;
    Diagnostics diagnostics;
    const auto stage = stage::Stage::open(entry.path().string(), diagnostics);
    ASSERT_TRUE(stage) << entry.path();
    diagnostics.clear();
    check_geometry(**stage, diagnostics);
    EXPECT_EQ(test::codes_of(diagnostics), "") << entry.path();
    ++files;
  }
  EXPECT_GT(files, 5U);
}

}  // namespace
}  // namespace sinew::geom::check_geometry_test
