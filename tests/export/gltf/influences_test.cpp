// SPDX-License-Identifier: Apache-2.0
// How many joints a vertex follows in a .glb, by the option that says so.
#include <gtest/gtest.h>

#include <cstddef>
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

}  // namespace
}  // namespace sinew::exporter::influences_test
