// SPDX-License-Identifier: Apache-2.0
// Scenes that say the same in different ways deform to the same points.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "sinew/skel/joint_transforms.hpp"
#include "skel/skel_scene.hpp"

namespace sinew::skel::metamorphic_test {
namespace {

constexpr std::size_t kPoints = 60;
constexpr std::size_t kInfluences = 3;
constexpr float kSame = 1e-5F;

std::string matrix_text(const Matrix4d& m) {
  std::string text = "(";
  for (int column = 0; column < 4; ++column) {
    text += fmt::format("{}({}, {}, {}, {})", column > 0 ? ", " : "", m(0, column), m(1, column),
                        m(2, column), m(3, column));
  }
  return text + ")";
}

template <typename Range, typename Text>
std::string list(const Range& range, const Text& text) {
  std::string result = "[";
  for (const auto& element : range) result += text(element) + ", ";
  return result + "]";
}

struct Joint {
  std::string path;
  Matrix4d bind;
  Matrix4d rest;
  Vector3f translation;
  Eigen::Quaternionf rotation_first;
  Eigen::Quaternionf rotation_last;
};

// A rig whose parts can be written in several ways.
struct Rig {
  std::vector<Joint> joints;
  std::vector<Vector3f> points;
  std::vector<std::int32_t> indices;
  std::vector<float> weights;
  std::size_t influences = kInfluences;
  std::string method = "classicLinear";
  std::string root_operations;

  std::string skeleton() const {
    return "    def Skeleton \"Skel\"\n    {\n        uniform token[] joints = " +
           list(joints, [](const Joint& j) { return "\"" + j.path + "\""; }) +
           "\n        uniform matrix4d[] bindTransforms = " +
           list(joints, [](const Joint& j) { return matrix_text(j.bind); }) +
           "\n        uniform matrix4d[] restTransforms = " +
           list(joints, [](const Joint& j) { return matrix_text(j.rest); }) + "\n    }\n";
  }
  std::string animation() const {
    const auto quaternion = [](const Eigen::Quaternionf& q) {
      return fmt::format("({}, {}, {}, {})", q.w(), q.x(), q.y(), q.z());
    };
    return "    def SkelAnimation \"Anim\"\n    {\n        uniform token[] joints = " +
           list(joints, [](const Joint& j) { return "\"" + j.path + "\""; }) +
           "\n        float3[] translations = " +
           list(joints,
                [](const Joint& j) {
                  return fmt::format("({}, {}, {})", j.translation.x(), j.translation.y(),
                                     j.translation.z());
                }) +
           "\n        half3[] scales = " +
           list(joints, [](const Joint&) { return std::string("(1, 1, 1)"); }) +
           "\n        quatf[] rotations.timeSamples = {\n            0: " +
           list(joints, [&](const Joint& j) { return quaternion(j.rotation_first); }) +
           ",\n            10: " +
           list(joints, [&](const Joint& j) { return quaternion(j.rotation_last); }) +
           ",\n        }\n    }\n";
  }
  std::string mesh() const {
    const std::string metadata =
        fmt::format(" (interpolation = \"vertex\"; elementSize = {})\n", influences);
    return "    def Mesh \"Mesh\" (prepend apiSchemas = [\"SkelBindingAPI\"])\n    {\n"
           "        point3f[] points = " +
           list(
               points,
               [](const Vector3f& p) { return fmt::format("({}, {}, {})", p.x(), p.y(), p.z()); }) +
           "\n        int[] primvars:skel:jointIndices = " +
           list(indices, [](std::int32_t i) { return std::to_string(i); }) + metadata +
           "        float[] primvars:skel:jointWeights = " +
           list(weights, [](float w) { return fmt::format("{}", w); }) + metadata +
           "        uniform token primvars:skel:skinningMethod = \"" + method + "\"\n    }\n";
  }
  static std::string root(const std::string& contents, const std::string& metadata = "") {
    return "def SkelRoot \"Root\" (\n    prepend apiSchemas = [\"SkelBindingAPI\"]\n" + metadata +
           ")\n{\n    rel skel:skeleton = </Root/Skel>\n"
           "    rel skel:animationSource = </Root/Anim>\n" +
           contents + "}\n";
  }
  std::string text() const {
    return "#usda 1.0\n" + root(root_operations + skeleton() + animation() + mesh());
  }
};

Rig make_rig(const char* method) {
  std::mt19937 random(5);
  std::uniform_real_distribution<float> number(-1.0F, 1.0F);
  const auto rotation = [&] {
    return Eigen::Quaternionf(2.0F + number(random), number(random), number(random), number(random))
        .normalized();
  };
  Rig rig;
  rig.method = method;
  const std::pair<const char*, int> paths[] = {{"a", -1},    {"a/b", 0}, {"a/b/c", 1}, {"a/d", 0},
                                               {"a/d/e", 3}, {"f", -1},  {"f/g", 5}};
  std::vector<Matrix4d> skel;
  for (const auto& [path, parent] : paths) {
    Joint joint;
    joint.path = path;
    joint.translation = {number(random), number(random), number(random)};
    joint.rotation_first = rotation();
    joint.rotation_last = rotation();
    const Eigen::Quaternionf q = rotation();
    joint.rest = make_transform(joint.translation, Quatf(q.w(), q.x(), q.y(), q.z()),
                                {Half(1), Half(1), Half(1)});
    skel.push_back(parent < 0 ? joint.rest
                              : Matrix4d(skel[static_cast<std::size_t>(parent)] * joint.rest));
    joint.bind = skel.back();
    rig.joints.push_back(joint);
  }
  std::uniform_int_distribution<std::int32_t> joint_number(0, 6);
  for (std::size_t p = 0; p < kPoints; ++p) {
    rig.points.emplace_back(2 * number(random), 2 * number(random), 2 * number(random));
    float left = 1.0F;
    for (std::size_t k = 0; k < kInfluences; ++k) {
      const float share = k + 1 < kInfluences ? 0.3F * (1.0F + number(random)) * left : left;
      rig.indices.push_back(joint_number(random));
      rig.weights.push_back(share);
      left -= share;
    }
  }
  return rig;
}

class Metamorphic : public ::testing::TestWithParam<const char*> {
 protected:
  static std::vector<Vector3f> points_of(
      const std::string& text, double time,
      const std::vector<std::pair<std::string, std::string>>& layers = {}) {
    SkelScene scene = open_scene(text, Rules::documented, layers);
    return scene.deform("/Root/Mesh", time).points;
  }
  void expect_same(const std::string& text,
                   const std::vector<std::pair<std::string, std::string>>& layers = {}) {
    for (const double time : {0.0, 3.5, 10.0}) {
      const std::vector<Vector3f> expected = points_of(rig_.text(), time);
      ASSERT_EQ(expected.size(), kPoints);
      EXPECT_POINTS_NEAR(points_of(text, time, layers), expected, kSame);
    }
  }
  Rig rig_ = make_rig(GetParam());
};

TEST_P(Metamorphic, MovesAtAll) {
  EXPECT_FALSE(points_near(points_of(rig_.text(), 0.0), points_of(rig_.text(), 10.0), 0.1F));
}

TEST_P(Metamorphic, DoesNotDependOnTheOrderOfJoints) {
  const std::size_t order[] = {5, 0, 3, 6, 1, 4, 2};  // Parents still come first.
  Rig permuted = rig_;
  std::vector<std::int32_t> new_from_old(7);
  for (std::size_t i = 0; i < 7; ++i) {
    permuted.joints[i] = rig_.joints[order[i]];
    new_from_old[order[i]] = static_cast<std::int32_t>(i);
  }
  for (std::int32_t& index : permuted.indices) {
    index = new_from_old[static_cast<std::size_t>(index)];
  }
  expect_same(permuted.text());
}

TEST_P(Metamorphic, DoesNotDependOnTheOrderOfTheAnimation) {
  Rig reversed = rig_;
  std::reverse(reversed.joints.begin(), reversed.joints.end());
  expect_same("#usda 1.0\n" + Rig::root(rig_.skeleton() + reversed.animation() + rig_.mesh()));
}

TEST_P(Metamorphic, DoesNotDependOnAJointOrderOfTheMesh) {
  Rig reordered = rig_;
  for (std::int32_t& index : reordered.indices) index = 6 - index;
  std::string mesh = reordered.mesh();
  std::vector<Joint> reversed(rig_.joints.rbegin(), rig_.joints.rend());
  mesh.insert(mesh.find("        point3f"),
              "        uniform token[] skel:joints = " + list(reversed, [](const Joint& j) {
                return "\"" + j.path + "\"";
              }) + "\n");
  expect_same("#usda 1.0\n" + Rig::root(rig_.skeleton() + rig_.animation() + mesh));
}

TEST_P(Metamorphic, DoesNotDependOnTheOrderOfInfluences) {
  Rig reordered = rig_;
  for (std::size_t p = 0; p < kPoints; ++p) {
    const auto first = static_cast<std::ptrdiff_t>(p * kInfluences);
    const auto last = first + static_cast<std::ptrdiff_t>(kInfluences);
    std::reverse(reordered.indices.begin() + first, reordered.indices.begin() + last);
    std::reverse(reordered.weights.begin() + first, reordered.weights.begin() + last);
  }
  expect_same(reordered.text());
}

TEST_P(Metamorphic, DoesNotDependOnInfluencesOfNoWeight) {
  Rig padded = rig_;
  padded.influences = kInfluences + 2;
  padded.indices.clear();
  padded.weights.clear();
  for (std::size_t p = 0; p < kPoints; ++p) {
    for (std::size_t k = 0; k < padded.influences; ++k) {
      const bool used = k < kInfluences;
      padded.indices.push_back(used ? rig_.indices[p * kInfluences + k] : 4);
      padded.weights.push_back(used ? rig_.weights[p * kInfluences + k] : 0.0F);
    }
  }
  expect_same(padded.text());
}

TEST_P(Metamorphic, DoesNotDependOnWhereTheRigStands) {
  Rig moved = rig_;
  moved.root_operations =
      "    double3 xformOp:translate = (10, 20, 30)\n    float xformOp:rotateY = 40\n"
      "    uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:rotateY\"]\n";
  expect_same(moved.text());
}

TEST_P(Metamorphic, MovesInTheWorldAsTheRigDoes) {
  Rig moved = rig_;
  moved.root_operations =
      "    double3 xformOp:translate = (1, 2, 3)\n    float xformOp:rotateZ = 90\n"
      "    uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:rotateZ\"]\n";
  SkelScene scene = open_scene(moved.text());
  const Matrix4d world_from_skel = scene.pose(0, 3.5).world_from_skel;
  std::vector<Vector3f> expected = points_of(rig_.text(), 3.5);
  std::vector<Vector3f> actual = scene.deform("/Root/Mesh", 3.5).points;
  for (Vector3f& p : expected) p = Vector3f(1.0F - p.y(), 2.0F + p.x(), 3.0F + p.z());
  for (Vector3f& p : actual) {
    p = (world_from_skel * p.cast<double>().homogeneous()).head<3>().cast<float>();
  }
  EXPECT_POINTS_NEAR(actual, expected, kSame);
}

// The whole rig built elsewhere: bind pose, root joints and mesh, but not the Skeleton prim.
TEST_P(Metamorphic, MovesWithItsRootJointsAndItsBindPose) {
  Matrix4d move = make_transform({1, 2, 3}, Quatf(0.8F, 0, 0.6F, 0), {Half(1), Half(1), Half(1)});
  Rig moved = rig_;
  for (Joint& joint : moved.joints) {
    joint.bind = move * joint.bind;
    if (joint.path.find('/') != std::string::npos) continue;
    joint.rest = move * joint.rest;
    joint.translation =
        (move * joint.translation.cast<double>().homogeneous()).head<3>().cast<float>();
    const Eigen::Quaternionf turn(0.8F, 0, 0.6F, 0);
    joint.rotation_first = turn * joint.rotation_first;
    joint.rotation_last = turn * joint.rotation_last;
  }
  for (Vector3f& p : moved.points) {
    p = (move * p.cast<double>().homogeneous()).head<3>().cast<float>();
  }
  std::vector<Vector3f> expected = points_of(rig_.text(), 3.5);
  for (Vector3f& p : expected) {
    p = (move * p.cast<double>().homogeneous()).head<3>().cast<float>();
  }
  EXPECT_POINTS_NEAR(points_of(moved.text(), 3.5), expected, kSame);
}

TEST_P(Metamorphic, DoesNotDependOnSublayers) {
  const std::string over = "#usda 1.0\nover \"Root\"\n{\n" + rig_.animation() + "}\n";
  expect_same(
      "#usda 1.0\n(\n    subLayers = [@./anim.usda@, @./mesh.usda@]\n)\n" +
          Rig::root(rig_.skeleton()),
      {{"anim.usda", over}, {"mesh.usda", "#usda 1.0\nover \"Root\"\n{\n" + rig_.mesh() + "}\n"}});
}

TEST_P(Metamorphic, DoesNotDependOnReferences) {
  expect_same("#usda 1.0\ndef \"Root\" (references = @./rig.usda@</Root>)\n{\n}\n",
              {{"rig.usda", rig_.text()}});
}

TEST_P(Metamorphic, DoesNotDependOnVariants) {
  const std::string root = Rig::root(
      rig_.skeleton() + rig_.animation() + "    variantSet \"shape\" = {\n        \"full\" {\n" +
          rig_.mesh() + "        }\n        \"none\" {\n        }\n    }\n",
      "    variants = {\n        string shape = \"full\"\n    }\n"
      "    prepend variantSets = \"shape\"\n");
  expect_same("#usda 1.0\n" + root);
}

TEST_P(Metamorphic, DoesNotDependOnInstancing) {
  SkelScene scene = open_scene(
      "#usda 1.0\ndef \"Root\" (instanceable = true; references = @./rig.usda@</Root>)\n{\n}\n",
      Rules::documented, {{"rig.usda", rig_.text()}});
  EXPECT_TRUE(scene.stage->prim("/Root/Mesh").is_instance_proxy());
  EXPECT_POINTS_NEAR(scene.deform("/Root/Mesh", 3.5).points, points_of(rig_.text(), 3.5), kSame);
}

INSTANTIATE_TEST_SUITE_P(Methods, Metamorphic, ::testing::Values("classicLinear", "dualQuaternion"),
                         [](const auto& tested) { return std::string(tested.param); });

}  // namespace
}  // namespace sinew::skel::metamorphic_test
