// SPDX-License-Identifier: Apache-2.0
// What layers built in memory say about influences and in-betweens is read back. Numbers in
// comments are those of the checklist in the behaviour specification.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sinew/layer/layer_builder.hpp"
#include "skel/skel_scene.hpp"

namespace sinew::skel::authoring_test {
namespace {

using layer::ElementType;
using layer::Value;
using ::testing::ElementsAre;
using ::testing::Optional;

// A mesh bound to a skeleton of twenty joints, and what is added to it.
class AuthoredMesh : public ::testing::Test {
 protected:
  AuthoredMesh() {
    auto root = builder_.add_prim(builder_.root(), layer::Specifier::def, "SkelRoot", "R");
    skel_root_ = *root;
    apply_api(skel_root_);
    auto skeleton = builder_.add_prim(skel_root_, layer::Specifier::def, "Skeleton", "S");
    std::vector<Token> joints;
    for (int j = 0; j < 20; ++j) joints.push_back(token("j" + std::to_string(j)));
    EXPECT_TRUE(
        builder_.set_default(*skeleton, "token[]", "joints",
                             Value::array(ElementType::token, std::span<const Token>(joints))));
    mesh_ = *builder_.add_prim(skel_root_, layer::Specifier::def, "Mesh", "M");
    apply_api(mesh_);
    layer::ListOp<layer::Path> target;
    target.is_explicit = true;
    target.explicit_items = {layer::Path::from_trusted("/R/S")};
    EXPECT_TRUE(builder_.set_targets(skel_root_, "skel:skeleton", target));
  }

  Token token(std::string_view text) { return builder_.tokens().intern(text); }
  void apply_api(layer::LayerBuilder::Prim* prim) {
    layer::ListOp<Token> op;
    op.prepended = {token("SkelBindingAPI")};
    builder_.set_field(prim, "apiSchemas", Value::token_list_op(op));
  }
  template <typename T>
  void set_primvar(std::string_view type, std::string_view name, ElementType element,
                   const std::vector<T>& values, std::string_view interpolation,
                   std::int32_t element_size) {
    ASSERT_TRUE(
        builder_.set_default(mesh_, type, name, Value::array(element, std::span<const T>(values))));
    ASSERT_TRUE(builder_.set_property_field(
        mesh_, name, "interpolation", Value::scalar(ElementType::token, token(interpolation))));
    ASSERT_TRUE(builder_.set_property_field(mesh_, name, "elementSize",
                                            Value::scalar(ElementType::int_, element_size)));
  }
  void set_influences(const std::vector<std::int32_t>& indices, const std::vector<float>& weights,
                      std::string_view interpolation, std::int32_t element_size) {
    set_primvar("int[]", "primvars:skel:jointIndices", ElementType::int_, indices, interpolation,
                element_size);
    set_primvar("float[]", "primvars:skel:jointWeights", ElementType::float_, weights,
                interpolation, element_size);
  }
  SkelScene open() {
    SkelScene scene;
    stage::OpenOptions options;
    options.rules = Rules::openusd;
    auto opened = stage::Stage::open(std::move(builder_).finish(), scene.diagnostics, options);
    EXPECT_TRUE(opened);
    scene.stage = *opened;
    scene.bindings = read_bindings(*scene.stage, scene.diagnostics);
    return scene;
  }

  layer::LayerBuilder builder_{"built.usda"};
  layer::LayerBuilder::Prim* skel_root_ = nullptr;
  layer::LayerBuilder::Prim* mesh_ = nullptr;
};

TEST_F(AuthoredMesh, HasInfluencesPerPoint) {  // skel 12.20
  set_influences({0, 1, 2}, {1, 0, 0}, "vertex", 3);
  const SkelScene scene = open();
  const SkinTarget* target = scene.find_target("/R/M");
  ASSERT_NE(target, nullptr);
  EXPECT_EQ(target->skin->scope, InfluenceScope::per_point);
  EXPECT_EQ(target->skin->influences, 3U);
}

TEST_F(AuthoredMesh, HasInfluencesThatAreSetAgain) {  // skel 12.21
  set_influences({0}, {1}, "constant", 1);
  set_influences({0, 1, 2}, {1, 0, 0}, "vertex", 3);
  const SkelScene scene = open();
  const SkinTarget* target = scene.find_target("/R/M");
  ASSERT_NE(target, nullptr);
  EXPECT_EQ(target->skin->scope, InfluenceScope::per_point);
  EXPECT_EQ(target->skin->influences, 3U);
}

TEST_F(AuthoredMesh, HasARigidInfluence) {  // skel 12.22
  set_influences({10}, {0.5F}, "constant", 1);
  SkelScene scene = open();
  const SkinTarget* target = scene.find_target("/R/M");
  ASSERT_NE(target, nullptr);
  EXPECT_EQ(target->skin->scope, InfluenceScope::constant);
  const auto influences = read_influences(*target, {}, &scene.diagnostics);
  ASSERT_TRUE(influences);
  EXPECT_EQ(influences->indices[0], 10);
  EXPECT_EQ(influences->weights[0], 0.5F);
}

// The in-betweens of a blend shape with these properties.
std::vector<InbetweenShape> inbetweens(const std::string& properties, SkelScene& scene) {
  scene = open_scene(R"(#usda 1.0
def SkelRoot "R" (prepend apiSchemas = ["SkelBindingAPI"])
{
    rel skel:skeleton = </R/S>
    def Skeleton "S" {}
    def Mesh "M" (prepend apiSchemas = ["SkelBindingAPI"])
    {
        uniform token[] skel:blendShapes = ["s"]
        rel skel:blendShapeTargets = </R/M/B>
        def BlendShape "B"
        {
)" + properties + R"(
        }
    }
}
)",
                     Rules::openusd);
  return scene.find_target("/R/M")->skin->blend_shapes->shapes()[0].inbetweens;
}

TEST(Inbetweens, AreNoneUnlessAuthored) {  // skel 12.23
  SkelScene scene;
  EXPECT_TRUE(inbetweens("", scene).empty());
}

TEST(Inbetweens, AreFoundByTheirNamespace) {  // skel 12.24 and 12.26
  SkelScene scene;
  const auto found =
      inbetweens("uniform point3f[] inbetweens:subShape = [(1, 1, 1)] (weight = 0.5)\n", scene);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].name, "subShape");
  ASSERT_EQ(found[0].offsets.size(), 1U);
  EXPECT_EQ(found[0].offsets[0], Vector3f(1, 1, 1));
}

TEST(Inbetweens, CountOnlyWithAWeight) {  // skel 12.25
  SkelScene scene;
  EXPECT_TRUE(inbetweens("uniform point3f[] inbetweens:a = [(1, 1, 1)]\n", scene).empty());
  const auto found =
      inbetweens("uniform point3f[] inbetweens:a = [(1, 1, 1)] (weight = 0.5)\n", scene);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].weight, 0.5F);
}

TEST(Inbetweens, HaveNormalOffsetsThatAreNoInbetweens) {  // skel 12.27
  SkelScene scene;
  EXPECT_TRUE(inbetweens("uniform point3f[] inbetweens:a = [(1, 1, 1)] (weight = 0.5)\n", scene)
                  .at(0)
                  .normal_offsets.empty());
  const auto found = inbetweens(
      "uniform point3f[] inbetweens:a = [(1, 1, 1)] (weight = 0.5)\n"
      "vector3f[] inbetweens:a:normalOffsets = [(1, 2, 3)]\n",
      scene);
  ASSERT_EQ(found.size(), 1U);
  ASSERT_EQ(found[0].normal_offsets.size(), 1U);
  EXPECT_EQ(found[0].normal_offsets[0], Vector3f(1, 2, 3));
}

// A skeleton whose animation has these samples of weights.
SkeletonPose weights_at(const std::string& samples, double time) {
  SkelScene scene = open_scene(R"(#usda 1.0
def SkelRoot "R" (prepend apiSchemas = ["SkelBindingAPI"])
{
    rel skel:skeleton = </R/S>
    rel skel:animationSource = </R/A>
    def Skeleton "S" {}
    def SkelAnimation "A"
    {
        uniform token[] blendShapes = ["a", "b"]
        float[] blendShapeWeights.timeSamples = { )" +
                               samples + R"( }
    }
    def Mesh "M" {}
}
)");
  return scene.pose(0, time);
}

TEST(Samples, OfAnotherLengthHoldTheEarlierOne) {  // skel 12.82
  EXPECT_THAT(weights_at("0: [0, 1], 10: [1]", 9.0).blend_shape_weights,
              Optional(ElementsAre(0.0F, 1.0F)));
  EXPECT_THAT(weights_at("0: [0, 1], 10: [1]", 10.0).blend_shape_weights,
              Optional(ElementsAre(1.0F)));
}

TEST(Samples, ThatAreBlockedGiveNothingUntilTheNext) {  // skel 12.82
  EXPECT_FALSE(weights_at("0: None, 10: [1, 1]", 5.0).blend_shape_weights);
  EXPECT_THAT(weights_at("0: [0, 1], 10: None", 5.0).blend_shape_weights,
              Optional(ElementsAre(0.0F, 1.0F)));
  EXPECT_FALSE(weights_at("0: [0, 1], 10: None", 10.0).blend_shape_weights);
}

// What a skeleton's only joint does at a time when its animation has these samples.
SkeletonPose joint_at(const std::string& samples, double time) {
  SkelScene scene = open_scene(R"(#usda 1.0
def SkelRoot "R" (prepend apiSchemas = ["SkelBindingAPI"])
{
    rel skel:skeleton = </R/S>
    rel skel:animationSource = </R/A>
    def Skeleton "S"
    {
        uniform token[] joints = ["a"]
        uniform matrix4d[] restTransforms = [((1,0,0,0),(0,1,0,0),(0,0,1,0),(7,0,0,1))]
    }
    def SkelAnimation "A"
    {
        uniform token[] joints = ["a"]
        float3[] translations = [(0, 0, 0)]
)" + samples + R"(
    }
    def Mesh "M" {}
}
)");
  return scene.pose(0, time);
}

Matrix3d turned_at(const std::string& first, const std::string& last, double time) {
  const SkeletonPose pose = joint_at("quatf[] rotations.timeSamples = { 0: [" + first + "], 1: [" +
                                         last + "] }\nhalf3[] scales = [(1, 1, 1)]",
                                     time);
  return pose.joint_local.at(0).topLeftCorner<3, 3>();
}

Matrix3d rotation(double w, double x) {
  return Eigen::Quaterniond(w, x, 0, 0).toRotationMatrix();
}

TEST(Samples, OfRotationsFollowTheShorterArc) {  // skel 12.81
  const std::string none = "(1, 0, 0, 0)";
  const double near = 2e-7;  // Quaternions are floats.
  EXPECT_LE(
      (turned_at(none, "(0.70710678, 0.70710678, 0, 0)", 0.25) - rotation(.98078528, .19509032))
          .norm(),
      near);
  EXPECT_LE(
      (turned_at(none, "(-0.70710678, -0.70710678, 0, 0)", 0.5) - rotation(.92387953, .38268343))
          .norm(),
      near);
  EXPECT_LE((turned_at(none, "(-1, 0, 0, 0)", 0.5) - Matrix3d::Identity()).norm(), near);
}

TEST(Samples, OfScalesAreHalfNumbers) {  // skel 12.81
  const SkeletonPose pose = joint_at(
      "quatf[] rotations = [(1, 0, 0, 0)]\n"
      "half3[] scales.timeSamples = { 0: [(1, 1, 1)], 1: [(1.1, 1, 1)] }",
      0.25);
  EXPECT_EQ(pose.joint_local.at(0)(0, 0), 1.025390625);
}

TEST(Samples, OfAnAnimationThatIsBlockedLeaveTheRestPose) {  // skel 12.82
  const std::string samples =
      "quatf[] rotations = [(1, 0, 0, 0)]\n"
      "half3[] scales.timeSamples = { 0: None, 1: [(2, 2, 2)] }";
  EXPECT_EQ(joint_at(samples, 0.5).joint_local.at(0)(0, 3), 7.0);
  EXPECT_EQ(joint_at(samples, 1.0).joint_local.at(0)(0, 3), 0.0);
}

}  // namespace
}  // namespace sinew::skel::authoring_test
