// SPDX-License-Identifier: Apache-2.0
// The boxes of models that hold something baked.
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "skel/read/baked_scene.hpp"

namespace sinew::skel::bake_hints_test {
namespace {

using Corners = std::vector<Vector3f>;

// A skeleton with one joint that stands at `rest`, and what `body` puts beside it.
std::string model(const std::string& body, const std::string& rest = "0, 0, 0",
                  const std::string& more = {}) {
  return R"(def SkelRoot "R" (kind = "component"; prepend apiSchemas = ["SkelBindingAPI"]) {
    rel skel:skeleton = <S>
    float3[] extentsHint = [(0, 0, 0), (1, 1, 1)]
    )" + more +
         R"(
    def Skeleton "S" {
        uniform token[] joints = ["a"]
        uniform matrix4d[] bindTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))]
        uniform matrix4d[] restTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),()" +
         rest + R"(,1))]
    }
    )" + body +
         "\n}\n";
}

std::string mesh(const std::string& name, const std::string& points, const std::string& more = {}) {
  return "def Mesh \"" + name + "\" (prepend apiSchemas = [\"SkelBindingAPI\"]) {\n" + more +
         "\npoint3f[] points = [" + points +
         "]\nint[] primvars:skel:jointIndices = [0, 0] (interpolation = \"vertex\")\n"
         "float[] primvars:skel:jointWeights = [1, 1] (interpolation = \"vertex\")\n}\n";
}

Corners hint(const std::string& text, const char* path = "/R", const BakeOptions& options = {},
             Rules rules = Rules::openusd) {
  return bake_text("#usda 1.0\n" + text, options, rules).vectors(path, "extentsHint", {});
}

TEST(BakeHints, HaveABoxForEachPurpose) {
  const std::string body =
      mesh("Render", "(0, 0, 0), (1, 1, 0)", "uniform token purpose = \"render\"") +
      mesh("Proxy", "(0, 0, 0), (2, 2, 0)", "uniform token purpose = \"proxy\"") +
      mesh("Hidden", "(0, 0, 0), (20, 20, 0)", "token visibility = \"invisible\"");
  for (const Rules rules : {Rules::openusd, Rules::documented}) {
    // The joint alone has the default purpose.
    EXPECT_POINTS_NEAR(hint(model(body, "0, 0, 5"), "/R", {}, rules),
                       (Corners{{0, 0, 5}, {0, 0, 5}, {0, 0, 5}, {1, 1, 5}, {0, 0, 5}, {2, 2, 5}}),
                       0.0F);
  }
}

TEST(BakeHints, HaveAnEmptyBoxBeforeThoseOfLaterPurposes) {
  const std::string guide = "uniform token purpose = \"guide\"";
  const Corners corners = hint(model(mesh("M", "(0, 0, 0), (1, 1, 0)"), "0, 0, 0", guide));
  const float most = (std::numeric_limits<float>::max)();
  const Vector3f low = Vector3f::Constant(most), high = Vector3f::Constant(-most);
  EXPECT_EQ(corners, (Corners{low, high, low, high, low, high, {0, 0, 0}, {1, 1, 0}}));
}

TEST(BakeHints, TakeWhatIsAuthoredAndDoNotLookBelowIt) {
  const std::string body = mesh("M", "(0, 0, 0), (1, 0, 0)",
                                "float3[] extent = [(0, 0, 0), (99, 99, 99)]\n"
                                "def Mesh \"Child\" { point3f[] points = [(0, 0, 50)]; }") +
                           R"(def Mesh "Displaced" {
        float3[] extent = [(-9, -9, -9), (9, 9, 9)]
        point3f[] points = [(0, 0, 0), (1, 0, 0)]
    }
    def PointInstancer "I" {
        float3[] extent = [(0, 0, 0), (3, 3, 3)]
        rel prototypes = <P>
        int[] protoIndices = [0]
        point3f[] positions = [(0, 0, 0)]
        def Mesh "P" { point3f[] points = [(100, 0, 0), (101, 0, 0)]; }
    })";
  EXPECT_POINTS_NEAR(hint(model(body)), (Corners{{-9, -9, -9}, {9, 9, 9}}), 0.0F);
  // An extent that is not written over counts.
  BakeOptions options;
  options.update_extents = false;
  EXPECT_POINTS_NEAR(hint(model(body), "/R", options), (Corners{{-9, -9, -9}, {99, 99, 99}}), 0.0F);
}

TEST(BakeHints, TakeTheExtentThatASkeletonStates) {
  std::string text = model(mesh("M", "(0, 0, 0), (1, 1, 0)"), "0, 0, 5");
  const std::string skeleton = "def Skeleton \"S\" {";
  text.insert(text.find(skeleton) + skeleton.size(), "\nfloat3[] extent = [(0, 0, -3), (0, 0, 9)]");
  EXPECT_POINTS_NEAR(hint(text), (Corners{{0, 0, -3}, {1, 1, 9}}), 0.0F);
}

// The box of the component is placed in the world, not those of its parts.
TEST(BakeHints, AddUpAlongTheAxesOfComponents) {
  const std::string turned =
      "float xformOp:rotateZ = 45\nuniform token[] xformOpOrder = [\"xformOp:rotateZ\"]";
  const std::string text =
      "def Xform \"World\" (kind = \"assembly\") {\n"
      "float3[] extentsHint = [(0, 0, 0), (1, 1, 1)]\n" +
      model(mesh("X", "(0, 0, 0), (1, 0, 0)") + mesh("Y", "(0, 0, 0), (0, 1, 0)"), "0, 0, 0",
            turned) +
      "}\n";
  const float half = .70710678F;
  EXPECT_POINTS_NEAR(hint(text, "/World/R"), (Corners{{0, 0, 0}, {1, 1, 0}}), 1e-6F);
  EXPECT_POINTS_NEAR(hint(text, "/World"), (Corners{{-half, 0, 0}, {half, 2 * half, 0}}), 1e-6F);
}

TEST(BakeHints, AreWrittenWhereTheyAreDeclaredByOpenUsdsRules) {
  const std::string text = "def Xform \"World\" (kind = \"assembly\") {\nfloat3[] extentsHint\n" +
                           model(mesh("M", "(0, 0, 0), (1, 0, 0)")) + "}\n";
  EXPECT_EQ(hint(text, "/World").size(), 2U);
  EXPECT_EQ(hint(text, "/World", {}, Rules::documented).size(), 0U);
}

TEST(BakeHints, HoldWhatMovesAsOnePieceWhereItIsBaked) {
  const std::string body = R"(def Xform "Aside" {
        double3 xformOp:translate = (0, 50, 0)
        uniform token[] xformOpOrder = ["xformOp:translate"]
        def Cube "C" (prepend apiSchemas = ["SkelBindingAPI"]) {
            int[] primvars:skel:jointIndices = [0] (interpolation = "constant")
            float[] primvars:skel:jointWeights = [1] (interpolation = "constant")
        }
    })";
  for (const Rules rules : {Rules::openusd, Rules::documented}) {
    EXPECT_POINTS_NEAR(hint(model(body, "4, 0, 0"), "/R", {}, rules),
                       (Corners{{3, -1, -1}, {5, 1, 1}}), 1e-6F);
  }
}

// A model that is one piece has the same box for every purpose, and not the one it had.
TEST(BakeHints, AreTheSameForEveryPurposeOfAModelThatIsOnePiece) {
  const std::string body = mesh(
      "M", "(0, 0, 0), (1, 2, 0)",
      "float3[] extentsHint = [(0, 0, 0), (9, 9, 9)]\nfloat3[] extent = [(0, 0, 0), (9, 9, 9)]");
  std::string text = model(body, "5, 0, 0");
  const std::string kind = "kind = \"component\"";
  text.replace(text.find(kind), kind.size(), "kind = \"group\"");
  const std::string api = "\"M\" (";
  text.replace(text.find(api), api.size(), "\"M\" (kind = \"component\"; ");
  Corners expected;
  for (int purpose = 0; purpose < 4; ++purpose) {
    expected.emplace_back(5.0F, 0.0F, 0.0F);
    expected.emplace_back(6.0F, 2.0F, 0.0F);
  }
  BakeOptions kept;
  kept.update_extents = false;
  EXPECT_EQ(hint(text, "/R/M"), expected);
  EXPECT_EQ(hint(text, "/R/M", kept), expected);
}

// Another SkelRoot stays one piece: its joints count, not what lies below it unskinned.
TEST(BakeHints, HoldTheJointsOfSkelRootsThatAreNotBaked) {
  const std::string text =
      "def Xform \"World\" (kind = \"assembly\") {\n"
      "float3[] extentsHint = [(0, 0, 0), (1, 1, 1)]\n" +
      model(mesh("M", "(0, 0, 0), (1, 0, 0)")) + R"(def SkelRoot "Q" {
    def Skeleton "S" {
        uniform token[] joints = ["a"]
        uniform matrix4d[] bindTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))]
        uniform matrix4d[] restTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,7,0,1))]
    }
    def Mesh "Unskinned" {
        point3f[] points = [(0, 50, 0), (1, 50, 0)]
    }
}
}
)";
  for (const Rules rules : {Rules::openusd, Rules::documented}) {
    EXPECT_POINTS_NEAR(hint(text, "/World", {}, rules), (Corners{{0, 0, 0}, {1, 7, 0}}), 0.0F);
  }
}

}  // namespace
}  // namespace sinew::skel::bake_hints_test
