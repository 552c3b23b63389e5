// SPDX-License-Identifier: Apache-2.0
// Numbers in comments are those of the checklist in the behaviour specification.
#include "sinew/skel/read/evaluate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "skel/skel_scene.hpp"

namespace sinew::skel::read_influences_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// One mesh with influences as given, bound to a skeleton of ten joints.
SkelScene influence_scene(const std::string& properties, Rules rules = Rules::openusd) {
  return open_scene(R"(#usda 1.0
def SkelRoot "R" (prepend apiSchemas = ["SkelBindingAPI"])
{
    rel skel:skeleton = </R/S>
    def Skeleton "S"
    {
        uniform token[] joints = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"]
    }
    def Mesh "M" (prepend apiSchemas = ["SkelBindingAPI"])
    {
)" + properties + R"(
    }
}
)",
                    rules);
}

template <typename T>
std::vector<T> to_vector(const stage::ArrayValue<T>& array) {
  return {array.begin(), array.end()};
}

TEST(ReadInfluences, NeedMatchingMetadata) {  // skel 12.55
  const std::string vertex = "interpolation = \"vertex\"";
  const std::string constant = "interpolation = \"constant\"";
  const std::string cases[] = {
      influences("[1]", "[1]", constant, vertex),
      influences("[1]", "[1]", "interpolation = \"uniform\""),
      influences("[1]", "[1]", "interpolation = \"varying\""),
      influences("[1]", "[1]", vertex + "; elementSize = 3", vertex + "; elementSize = 4"),
      influences("[1]", "[1]", vertex + "; elementSize = -1"),
  };
  for (const std::string& properties : cases) {
    const SkelScene scene = influence_scene(properties);
    const SkinTarget* target = scene.find_target("/R/M");
    ASSERT_NE(target, nullptr);
    EXPECT_FALSE(target->skin->has_joint_influences) << properties;
    EXPECT_EQ(scene.said("skel-influences-invalid").size(), 1U) << properties;
  }
}

TEST(ReadInfluences, NeedBothPrimvars) {
  const SkelScene scene = influence_scene("int[] primvars:skel:jointIndices = [1]");
  EXPECT_FALSE(scene.find_target("/R/M")->skin->has_joint_influences);
  EXPECT_TRUE(scene.said("skel-influences-invalid").empty());
}

TEST(ReadInfluences, FailForValuesThatAreNoMultipleOfTheElementSize) {  // skel 12.56
  SkelScene scene = influence_scene(
      influences("[1, 2, 3]", "[5, 6, 7]", "interpolation = \"vertex\"; elementSize = 2"));
  const SkinTarget* target = scene.find_target("/R/M");
  EXPECT_TRUE(target->skin->has_joint_influences);
  EXPECT_FALSE(read_influences(*target, {}, &scene.diagnostics));
  EXPECT_EQ(scene.said("skel-influences-invalid").size(), 1U);
}

TEST(ReadInfluences, FailForConstantValuesOfAnotherNumber) {  // skel 12.57
  SkelScene scene = influence_scene(
      influences("[1, 2, 3, 4]", "[5, 6, 7, 8]", "interpolation = \"constant\"; elementSize = 2"));
  const SkinTarget* target = scene.find_target("/R/M");
  EXPECT_FALSE(read_influences(*target, {}, &scene.diagnostics));
}

TEST(ReadInfluences, GiveConstantValuesVerbatim) {  // skel 12.58
  SkelScene scene = influence_scene(
      influences("[1, 2, 3]", "[5, 6, 7]", "interpolation = \"constant\"; elementSize = 3"));
  const SkinTarget* target = scene.find_target("/R/M");
  EXPECT_EQ(target->skin->scope, InfluenceScope::constant);
  EXPECT_EQ(target->skin->influences, 3U);
  EXPECT_EQ(target->skin->method, SkinningMethod::linear);
  const auto read = read_influences(*target, {}, &scene.diagnostics);
  ASSERT_TRUE(read);
  EXPECT_THAT(to_vector(read->indices), ElementsAre(1, 2, 3));
  EXPECT_THAT(to_vector(read->weights), ElementsAre(5.0F, 6.0F, 7.0F));
}

TEST(ReadInfluences, GiveVertexValuesVerbatim) {  // skel 12.59
  SkelScene scene = influence_scene(
      influences("[1, 2, 3, 4]", "[5, 6, 7, 8]", "interpolation = \"vertex\"; elementSize = 2") +
      "uniform token primvars:skel:skinningMethod = \"classicLinear\"");
  const SkinTarget* target = scene.find_target("/R/M");
  EXPECT_EQ(target->skin->scope, InfluenceScope::per_point);
  EXPECT_EQ(target->skin->influences, 2U);
  EXPECT_EQ(target->skin->method, SkinningMethod::linear);
  const auto read = read_influences(*target, {}, &scene.diagnostics);
  ASSERT_TRUE(read);
  EXPECT_THAT(to_vector(read->indices), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(to_vector(read->weights), ElementsAre(5.0F, 6.0F, 7.0F, 8.0F));
}

TEST(ReadInfluences, KnowDualQuaternionSkinning) {  // skel 12.60
  const SkelScene scene = influence_scene(
      influences("[1, 2, 3, 4]", "[5, 6, 7, 8]", "interpolation = \"vertex\"; elementSize = 2") +
      "uniform token primvars:skel:skinningMethod = \"dualQuaternion\"");
  EXPECT_EQ(scene.find_target("/R/M")->skin->method, SkinningMethod::dual_quaternion);
}

// By the documented rules all constant values are of one block where nobody says how many are.
TEST(ReadInfluences, CountConstantValuesWhereNobodyDoes) {
  const std::string constant = "interpolation = \"constant\"";
  const std::string one = constant + "; elementSize = 1";
  struct Case {
    std::string properties;
    std::size_t count;
  };
  const Case cases[] = {
      {influences("[0, 1, 2]", "[0.5, 0.25, 0.25]", constant), 3},
      {influences("[0, 1, 2]", "[0.5, 0.25, 0.25]", one, constant), 1},
      {influences("[0, 1, 2]", "[0.5, 0.25, 0.25]", constant, one), 1},
      {influences("[0, 1, 2]", "[0.5, 0.25, 0.25]", constant) +
           "int[] primvars:skel:jointWeights:indices = [0]",
       1},
      {influences("[4]", "[1]", constant), 1},
      {influences("[]", "[]", constant), 1},
  };
  for (const Case& each : cases) {
    const SkelScene scene = influence_scene(each.properties, Rules::documented);
    EXPECT_EQ(scene.find_target("/R/M")->skin->influences, each.count) << each.properties;
    EXPECT_EQ(scene.said("skel-element-size-missing").size(), each.count > 1 ? 1U : 0U);
    const SkelScene by_openusd = influence_scene(each.properties, Rules::openusd);
    EXPECT_EQ(by_openusd.find_target("/R/M")->skin->influences, 1U) << each.properties;
  }
}

TEST(ReadInfluences, ExpandIndexedPrimvars) {  // skel 12.85
  SkelScene scene = influence_scene(
      influences("[1, 2, 3, 4]", "[5, 6, 7, 8]", "interpolation = \"vertex\"; elementSize = 2") +
      "int[] primvars:skel:jointIndices:indices = [1, 0, 1]\n"
      "int[] primvars:skel:jointWeights:indices = [0, 0, 1]\n");
  const auto read = read_influences(*scene.find_target("/R/M"), {}, &scene.diagnostics);
  ASSERT_TRUE(read);
  EXPECT_THAT(to_vector(read->indices), ElementsAre(3, 4, 1, 2, 3, 4));
  EXPECT_THAT(to_vector(read->weights), ElementsAre(5.0F, 6.0F, 5.0F, 6.0F, 7.0F, 8.0F));
}

TEST(ReadInfluences, RejectPrimvarIndicesOutOfRange) {  // skel 12.85
  SkelScene scene = influence_scene(influences("[1, 2]", "[5, 6]", "interpolation = \"vertex\"") +
                                    "int[] primvars:skel:jointIndices:indices = [0, 7, -1]\n");
  EXPECT_FALSE(read_influences(*scene.find_target("/R/M"), {}, &scene.diagnostics));
  ASSERT_EQ(scene.said("skel-primvar-index-out-of-range").size(), 1U);
  EXPECT_THAT(scene.said("skel-primvar-index-out-of-range")[0].message,
              HasSubstr("7 at 1, -1 at 2"));
}

TEST(ReadInfluences, RejectIndexedPrimvarsOfTooManyValues) {
  // 16384 blocks of 16384 would be 2^28, the most.
  std::string values = "0", indices = "0, 0";
  for (int i = 1; i < 16384; ++i) {
    values += ", 0";
    indices += ", 0";
  }
  const std::string metadata = " (interpolation = \"vertex\"; elementSize = 16384)\n";
  SkelScene scene =
      influence_scene("int[] primvars:skel:jointIndices = [" + values + "]" + metadata +
                      "int[] primvars:skel:jointIndices:indices = [" + indices +
                      "]\nfloat[] primvars:skel:jointWeights = [" + values + "]" + metadata);
  EXPECT_FALSE(read_influences(*scene.find_target("/R/M"), {}, &scene.diagnostics));
  const std::vector<Diagnostic> said = scene.said("skel-primvar-too-large");
  ASSERT_GE(said.size(), 1U);
  EXPECT_EQ(said[0].path, "/R/M.primvars:skel:jointIndices");
  EXPECT_EQ(said[0].severity, Severity::warning);
}

TEST(ReadInfluences, AreNoneWhereTheIndicesOfAPrimvarCannotBeRead) {
  for (const char* indices :
       {"int[] primvars:skel:jointIndices:indices.timeSamples = { 1: [0, 1] }",
        "uint[] primvars:skel:jointIndices:indices = [0, 1]"}) {
    SkelScene scene = influence_scene(influences("[1, 2]", "[5, 6]", "interpolation = \"vertex\"") +
                                      indices + "\n");
    const SkinTarget& target = *scene.find_target("/R/M");
    EXPECT_TRUE(target.skin->has_joint_influences);
    EXPECT_FALSE(read_influences(target, {}, &scene.diagnostics)) << indices;
  }
}

TEST(ReadInfluences, NeedAnElementSize) {
  const SkelScene scene =
      influence_scene(influences("[1]", "[1]", "interpolation = \"vertex\"; elementSize = 0"));
  EXPECT_FALSE(scene.find_target("/R/M")->skin->has_joint_influences);
  ASSERT_EQ(scene.said("skel-influences-invalid").size(), 1U);
  EXPECT_EQ(scene.said("skel-influences-invalid")[0].message,
            "The joint influences of /R/M have elementSize 0.");
}

// Blocked indices of a primvar are none: the values are those of the points.
TEST(ReadInfluences, TakeNoIndicesThatAreBlocked) {
  SkelScene scene = influence_scene(influences("[1, 2]", "[5, 6]", "interpolation = \"vertex\"") +
                                    "int[] primvars:skel:jointIndices:indices = None\n");
  const auto read = read_influences(*scene.find_target("/R/M"), {}, &scene.diagnostics);
  ASSERT_TRUE(read);
  EXPECT_THAT(to_vector(read->indices), ElementsAre(1, 2));
}

TEST(ReadInfluences, AreNoneWhereIndicesHaveNothingToChooseFrom) {
  for (const char* indices : {"[]", "[0]"}) {
    SkelScene scene =
        influence_scene(influences("[]", "[]", "interpolation = \"vertex\"") +
                        "int[] primvars:skel:jointIndices:indices = " + indices + "\n");
    EXPECT_FALSE(read_influences(*scene.find_target("/R/M"), {}, &scene.diagnostics)) << indices;
    EXPECT_EQ(scene.said("skel-primvar-index-out-of-range").size(), 0U) << indices;
  }
}

}  // namespace
}  // namespace sinew::skel::read_influences_test
