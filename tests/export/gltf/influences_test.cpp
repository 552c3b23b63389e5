// SPDX-License-Identifier: Apache-2.0
// How many joints a vertex follows in a .glb, by the option that says so.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "export/gltf/written.hpp"

namespace sinew::exporter::influences_test {
namespace {

using namespace test;

constexpr std::size_t kJoints = 10;

// A triangle, each point of which follows ten joints; joint j with weight j + 1, the sum is 55.
std::string ten_influences() {
  std::string joints, matrices, indices, weights;
  for (std::size_t j = 0; j < kJoints; ++j) {
    joints += "\"j" + std::to_string(j) + "\",";
    matrices += "((1,0,0,0),(0,1,0,0),(0,0,1,0),(" + std::to_string(j) + ",0,0,1)),";
  }
  for (int point = 0; point < 3; ++point) {
    for (std::size_t j = 0; j < kJoints; ++j) {
      indices += std::to_string(j) + ',';
      weights += std::to_string(j + 1) + "e0,";
    }
  }
  return std::string(kHead) +
         "def SkelRoot \"R\" (prepend apiSchemas = [\"SkelBindingAPI\"]) {\n"
         "rel skel:skeleton = </R/S>\n"
         "def Skeleton \"S\" {\n"
         "uniform token[] joints = [" +
         joints +
         "]\n"
         "uniform matrix4d[] restTransforms = [" +
         matrices +
         "]\n"
         "uniform matrix4d[] bindTransforms = [" +
         matrices +
         "]\n}\n"
         "def Mesh \"M\" (prepend apiSchemas = [\"SkelBindingAPI\"]) {\n"
         "point3f[] points = [(0,0,0), (1,0,0), (1,1,0)]\n"
         "int[] faceVertexCounts = [3]\nint[] faceVertexIndices = [0,1,2]\n"
         "int[] primvars:skel:jointIndices = [" +
         indices +
         "] (elementSize = 10\n"
         "interpolation = \"vertex\")\n"
         "float[] primvars:skel:jointWeights = [" +
         weights +
         "] (elementSize = 10\n"
         "interpolation = \"vertex\")\n}}\n";
}

TEST(GlbInfluences, AreAsManyOfTheStrongestAsIsAskedFor) {
  struct Case {
    GlbInfluences influences;
    std::size_t sets, kept;
  };
  for (const auto& [influences, sets, kept] :
       {Case{GlbInfluences::four, 1, 4}, Case{GlbInfluences::eight, 2, 8},
        Case{GlbInfluences::all, 3, 10}}) {
    SCOPED_TRACE(kept);
    GlbOptions options;
    options.influences = influences;
    const Written written = write_text(ten_influences(), options);
    ASSERT_EQ(written.error, "");
    EXPECT_EQ(written.says("gltf-influences-reduced"), kept < kJoints);
    const auto& attributes = written.json()["meshes"][0]["primitives"][0]["attributes"];
    EXPECT_FALSE(attributes.contains("JOINTS_" + std::to_string(sets)));

    const std::size_t weakest = kJoints - kept;
    double sum = 0.0;
    for (std::size_t j = weakest; j < kJoints; ++j) sum += static_cast<double>(j + 1);
    for (std::size_t set = 0; set < sets; ++set) {
      const std::string number = std::to_string(set);
      ASSERT_TRUE(attributes.contains("JOINTS_" + number));
      const auto joints = written.parts.integers(attributes["JOINTS_" + number].get<std::size_t>());
      const auto weights = written.parts.floats(attributes["WEIGHTS_" + number].get<std::size_t>());
      ASSERT_EQ(joints.size(), 12U);
      ASSERT_EQ(weights.size(), 12U);
      for (std::size_t place = 0; place < 12; ++place) {
        const std::size_t rank = set * 4 + place % 4;  // From the strongest.
        const bool is_used = rank < kept;
        EXPECT_EQ(joints[place], is_used ? kJoints - 1 - rank : 0U);
        const double expected = is_used ? static_cast<double>(kJoints - rank) / sum : 0.0;
        EXPECT_NEAR(weights[place], expected, 1e-7);
      }
    }
  }
}

// Of equal weights the joint that comes first; of one joint that is named twice the sum; nothing
// of weights that are not positive numbers.
TEST(GlbInfluences, AreSortedAddedUpAndPositive) {
  const Written written = write_text(
      test::kHead +
      test::skinned("int[] primvars:skel:jointIndices = [1,0,0, 1,0,1, 0,1,0, 1,0,0] (elementSize "
                    "= 3\ninterpolation = \"vertex\")\n"
                    "float[] primvars:skel:jointWeights = [0.5,0.5,0, 0.5,0.25,0.25, 1,-0.5,0, "
                    "1,nan,0] (elementSize = 3\ninterpolation = \"vertex\")\n"));
  ASSERT_EQ(written.error, "");
  EXPECT_FALSE(written.says("gltf-weights-normalized"));
  const auto& attributes = written.json()["meshes"][0]["primitives"][0]["attributes"];
  EXPECT_EQ(written.parts.integers(attributes["JOINTS_0"]),
            (std::vector<std::uint32_t>{0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0}));
  EXPECT_EQ(written.parts.floats(attributes["WEIGHTS_0"]),
            (std::vector<float>{0.5F, 0.5F, 0, 0, 0.75F, 0.25F, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}));
}

// A mesh each point of which follows one joint.
Written write_one_each(const std::string& joints, const std::string& weights,
                       const std::string& interpolation = "vertex") {
  const std::string end = "] (elementSize = 1\ninterpolation = \"" + interpolation + "\")\n";
  return write_text(kHead + skinned("int[] primvars:skel:jointIndices = [" + joints + end +
                                    "float[] primvars:skel:jointWeights = [" + weights + end));
}

std::string sums(const std::string& points, const std::string& worst) {
  return "warning gltf-weights-normalized /R/M: The weights of " + points +
         " points of /R/M do not add up to 1, but to " + worst +
         " at worst; they are written as if they did.\n";
}

TEST(GlbInfluences, TellHowFarTheirSumsAreFromOneAtWorst) {
  const auto told = [](const std::string& weights) {
    return write_one_each("0,0,1,1", weights).told();
  };
  EXPECT_EQ(told("1.25,0.5,1,1.375"), sums("3", "0.5"));
  EXPECT_EQ(told("1.25,1.5,1,0.75"), sums("3", "1.5"));
}

TEST(GlbInfluences, TellOfSumsFromAThousandthOff) {
  const auto told = [](const std::string& weight, const std::string& interpolation) {
    const bool is_constant = interpolation == "constant";
    const Written written = write_one_each(is_constant ? "0" : "0,0,0,0",
                                           weight + (is_constant ? "" : ",1,1,1"), interpolation);
    EXPECT_EQ(written.error, "");
    // A mesh that follows one joint wholly hangs below it.
    EXPECT_EQ(written.json().contains("skins"), !is_constant || weight != "1");
    return written.told();
  };
  EXPECT_EQ(told("1", "vertex"), "");
  EXPECT_EQ(told("0.9995", "vertex"), "");
  EXPECT_EQ(told("1.0005", "vertex"), "");
  EXPECT_EQ(told("0.998", "vertex"), sums("1", "0.998"));
  EXPECT_EQ(told("3", "vertex"), sums("1", "3"));
  EXPECT_EQ(told("1", "constant"), "");
  EXPECT_EQ(told("0.5", "constant"), sums("1", "0.5"));
}

// Five joints of which four are written: point 1 loses 0.125 of 1, point 2 0.25 of 2.
TEST(GlbInfluences, TellWhichPointLosesMost) {
  std::string scene = ten_influences();
  const auto replace = [&](const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = scene.find(from, at)) != std::string::npos; at += to.size()) {
      scene.replace(at, from.size(), to);
    }
  };
  const std::string five = "0,1,2,3,4,";
  replace("0,1,2,3,4,5,6,7,8,9,", five);
  replace("1e0,2e0,3e0,4e0,5e0,6e0,7e0,8e0,9e0,10e0,", "@");
  for (const char* weights :
       {"0.25,0.25,0.25,0.25,0,", "0.25,0.25,0.25,0.125,0.125,", "0.5,0.5,0.25,0.5,0.25,"}) {
    scene.replace(scene.find('@'), 1, weights);
  }
  replace("elementSize = 10", "elementSize = 5");
  const Written written = write_text(scene);
  ASSERT_EQ(written.error, "");
  EXPECT_THAT(written.told(),
              ::testing::HasSubstr("info gltf-influences-reduced /R/M: 2 points of /R/M follow "
                                   "more joints than are written and lose up to 0.125 of their "
                                   "weight (point 1).\n"));
}

}  // namespace
}  // namespace sinew::exporter::influences_test
