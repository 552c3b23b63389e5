// SPDX-License-Identifier: Apache-2.0
// Ten times the input takes about ten times the time. What grows with the square takes a hundred
// times, so the bound of forty tells the two apart whatever the machine does in between. Processor
// time is compared, not time on the clock, and the best of several runs.
#include <ctime>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sinew/skel/anim_mapper.hpp"
#include "sinew/skel/blend_shapes.hpp"
#include "sinew/skel/gltf.hpp"
#include "sinew/skel/packed_blend_shapes.hpp"
#include "sinew/skel/read/check_bindings.hpp"
#include "sinew/skel/read/extents.hpp"
#include "sinew/skel/topology.hpp"
#include "skel/skel_scene.hpp"
#include "support/keep_memory.hpp"

namespace sinew::skel::growth_test {
namespace {

// Work on an input of some size, prepared apart.
using Work = std::function<void()>;
using Prepare = std::function<Work(std::size_t size)>;

double seconds(const Work& work) {
  double best = std::numeric_limits<double>::infinity();
  // Short work is repeated within a run, so that the clock's step does not matter.
  for (int run = 0; run < 3; ++run) {
    int repeats = 0;
    const std::clock_t begin = std::clock();
    std::clock_t end = begin;
    while (end - begin < CLOCKS_PER_SEC / 500) {
      work();
      ++repeats;
      end = std::clock();
    }
    best = std::min(best, static_cast<double>(end - begin) / CLOCKS_PER_SEC / repeats);
  }
  return best;
}

// How many times longer an input of ten times the size takes.
double growth(std::size_t size, const Prepare& prepare) {
  keep_memory();
  const double small = seconds(prepare(size));
  const double large = seconds(prepare(10 * size));
  return large / small;
}

constexpr double kNearLinear = 40.0;

std::vector<std::string> numbered(std::size_t count, const std::string& name) {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < count; ++i) result.push_back(name + std::to_string(i));
  return result;
}

std::string quoted(const std::vector<std::string>& names) {
  std::string result;
  for (const std::string& name : names) result += "\"" + name + "\", ";
  return "[" + result + "]";
}

std::string chain(std::size_t parts) {
  std::string path = "a";
  for (std::size_t i = 1; i < parts; ++i) path += "/a";
  return path;
}

TEST(Growth, OfTopologyByTheLengthOfAPath) {
  EXPECT_LT(growth(40000,
                   [](std::size_t size) -> Work {
                     return [joints = std::vector<std::string>{"a", chain(size / 2)}] {
                       (void)Topology::from_joint_paths(joints);
                     };
                   }),
            kNearLinear);
}

TEST(Growth, OfTopologyByTheNumberOfJoints) {
  EXPECT_LT(growth(2000,
                   [](std::size_t size) -> Work {
                     std::vector<std::string> joints = {"a"};
                     for (std::string& name : numbered(size, "a/b")) joints.push_back(name);
                     return [joints] { (void)Topology::from_joint_paths(joints); };
                   }),
            kNearLinear);
}

// One mesh bound to a skeleton of these joints.
Work read_skeleton_of(const std::vector<std::string>& joints, Rules rules) {
  const std::string text =
      "#usda 1.0\ndef SkelRoot \"R\" (prepend apiSchemas = [\"SkelBindingAPI\"])\n{\n"
      "    rel skel:skeleton = </R/S>\n    def Skeleton \"S\"\n    {\n"
      "        uniform token[] joints = " +
      quoted(joints) + "\n    }\n    def Mesh \"M\" {}\n}\n";
  return [text, rules] { EXPECT_EQ(open_scene(text, rules).bindings.size(), 1U); };
}

TEST(Growth, OfReadingASkeletonByTheLengthOfAPath) {
  for (const Rules rules : {Rules::documented, Rules::openusd}) {
    EXPECT_LT(growth(40000,
                     [rules](std::size_t size) {
                       return read_skeleton_of({"a", chain(size / 2)}, rules);
                     }),
              kNearLinear);
    EXPECT_LT(growth(40000,
                     [rules](std::size_t size) {
                       return read_skeleton_of({std::string(size, 'a')}, rules);
                     }),
              kNearLinear);
  }
}

TEST(Growth, OfReadingASkeletonByTheNumberOfJoints) {
  EXPECT_LT(growth(1000,
                   [](std::size_t size) {
                     return read_skeleton_of(numbered(size, "joint"), Rules::openusd);
                   }),
            kNearLinear);
}

GltfSkin gltf_skin(std::size_t joints, bool in_a_chain) {
  GltfSkin skin{.names = std::vector<std::string>(joints, "b"),
                .local_transforms = std::vector<Matrix4d>(joints, Matrix4d::Identity())};
  for (std::size_t j = 0; j < joints; ++j) {
    skin.parents.push_back(in_a_chain ? static_cast<std::int32_t>(j) - 1 : kNoParent);
  }
  return skin;
}

TEST(Growth, OfGltfSkinsByTheNumberOfEqualNames) {
  EXPECT_LT(growth(1000,
                   [](std::size_t size) -> Work {
                     return
                         [skin = gltf_skin(size, false)] { EXPECT_TRUE(import_gltf_skin(skin)); };
                   }),
            kNearLinear);
}

// The paths of a chain have a number of characters that grows with the square of its length: ten
// times as many in a chain of 3.16 times as many joints.
TEST(Growth, OfGltfSkinsByTheCharactersOfTheirPaths) {
  const double small = seconds([skin = gltf_skin(400, true)] { (void)import_gltf_skin(skin); });
  const double large = seconds([skin = gltf_skin(1265, true)] { (void)import_gltf_skin(skin); });
  EXPECT_LT(large / small, kNearLinear);
}

TEST(Growth, OfGltfSkinsListedChildrenFirst) {
  EXPECT_LT(growth(1000,
                   [](std::size_t size) -> Work {
                     GltfSkin skin = gltf_skin(size, false);
                     // A hundred chains, each listed from its tip.
                     for (std::size_t j = 0; j + 1 < size; ++j) {
                       if (j % 10 != 9) skin.parents[j] = static_cast<std::int32_t>(j) + 1;
                     }
                     return [skin] { EXPECT_TRUE(import_gltf_skin(skin)); };
                   }),
            kNearLinear);
}

TEST(Growth, OfMappersByTheNumberOfNames) {
  EXPECT_LT(growth(2000,
                   [](std::size_t size) -> Work {
                     std::vector<std::string> source = numbered(size, "n");
                     std::vector<std::string> target(source.rbegin(), source.rend());
                     return [source, target] { (void)AnimMapper(source, target); };
                   }),
            kNearLinear);
  EXPECT_LT(growth(2000,
                   [](std::size_t size) -> Work {
                     return [same = std::vector<std::string>(size, "n"),
                             other = std::vector<std::string>(2 * size - 1, "n")] {
                       (void)AnimMapper(same, other);
                       (void)AnimMapper(other, same);
                     };
                   }),
            kNearLinear);
}

TEST(Growth, OfBlendShapesByTheNumberOfInbetweens) {
  EXPECT_LT(growth(1000,
                   [](std::size_t size) -> Work {
                     BlendShape shape;
                     for (std::size_t i = 0; i < size; ++i) {
                       InbetweenShape inbetween;
                       inbetween.name = "i";
                       inbetween.weight = i % 2 == 0 ? 0.5F : static_cast<float>(i) + 2.0F;
                       shape.inbetweens.push_back(inbetween);
                     }
                     return [shape] {
                       std::vector<std::string> ignored;
                       const BlendShapeSet set({shape}, Rules::documented, &ignored);
                       EXPECT_FALSE(ignored.empty());
                     };
                   }),
            kNearLinear);
}

TEST(Growth, OfBlendShapesByTheirNumber) {
  static const std::vector<Vector3f> offset = {{1, 0, 0}};
  static const std::vector<std::int32_t> index = {0};
  EXPECT_LT(growth(500,
                   [](std::size_t size) -> Work {
                     BlendShape shape;
                     shape.offsets = offset;
                     shape.point_indices = index;
                     return [shapes = std::vector<BlendShape>(size, shape)] {
                       const BlendShapeSet set(shapes);
                       std::vector<SubShapeWeight> weights;
                       std::vector<Vector3f> points(1, Vector3f::Zero());
                       EXPECT_TRUE(
                           set.sub_shape_weights(std::vector<float>(shapes.size(), 1.0F), weights));
                       EXPECT_TRUE(set.deform_points(weights, points));
                       EXPECT_TRUE(PackedBlendShapes::pack(set, 1));
                       EXPECT_EQ(set.shader_offsets(1).ranges.size(), 1U);
                     };
                   }),
            kNearLinear);
}

// Many skeletons, each bound twice by meshes of their own, each mesh with something to say.
std::string crowd_text(std::size_t count) {
  std::string text = "#usda 1.0\ndef SkelRoot \"R\"\n{\n";
  for (std::size_t i = 0; i < count; ++i) {
    const std::string n = std::to_string(i);
    text += "    def Skeleton \"S" + n + "\" { uniform token[] joints = [\"a\"]; }\n";
    for (const std::string kind : {"M", "N"}) {
      text += "    def Mesh \"" + kind + n + "\" {\n        rel skel:skeleton = </R/S" + n +
              ">\n        point3f[] points = [(0,0,0)]\n"
              "        int[] primvars:skel:jointIndices = [7] (interpolation = \"vertex\")\n"
              "        float[] primvars:skel:jointWeights = [1] (interpolation = \"vertex\")\n"
              "    }\n";
    }
  }
  return text + "}\n";
}

TEST(Growth, OfReadingCheckingAndMeasuringByTheNumberOfSkeletons) {
  EXPECT_LT(
      growth(100,
             [](std::size_t size) -> Work {
               return [text = crowd_text(size), size] {
                 SkelScene scene = open_scene(text);
                 EXPECT_EQ(scene.bindings.size(), size);
                 check_bindings(*scene.stage, scene.diagnostics);
                 EXPECT_TRUE(skel_root_extent(scene.stage->prim("/R"), {}, scene.diagnostics));
               };
             }),
      kNearLinear);
}

TEST(Growth, OfEvaluationByTheNumberOfFaceVerticesThatAreWrong) {
  EXPECT_LT(
      growth(2000,
             [](std::size_t size) -> Work {
               std::string vertices;
               std::string normals;
               for (std::size_t i = 0; i < size; ++i) {
                 vertices += "9, ";
                 normals += "(0, 0, 1), ";
               }
               const std::string text =
                   "#usda 1.0\ndef SkelRoot \"R\"\n{\n    rel skel:skeleton = </R/S>\n"
                   "    def Skeleton \"S\" {\n        uniform token[] joints = [\"a\"]\n"
                   "        uniform matrix4d[] bindTransforms = "
                   "[((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))]\n"
                   "        uniform matrix4d[] restTransforms = "
                   "[((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))]\n    }\n"
                   "    def Mesh \"M\" {\n        point3f[] points = [(0,0,0)]\n"
                   "        int[] primvars:skel:jointIndices = [0] (interpolation = \"vertex\")\n"
                   "        float[] primvars:skel:jointWeights = [1] (interpolation = \"vertex\")\n"
                   "        int[] faceVertexIndices = [" +
                   vertices + "]\n        normal3f[] normals = [" + normals +
                   "] (interpolation = \"faceVarying\")\n    }\n}\n";
               return [text] {
                 SkelScene scene = open_scene(text);
                 (void)scene.deform("/R/M", {});
                 EXPECT_LT(scene.diagnostics.size(), 20U);
               };
             }),
      kNearLinear);
}

}  // namespace
}  // namespace sinew::skel::growth_test
