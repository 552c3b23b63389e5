// SPDX-License-Identifier: Apache-2.0
// The skinned strip of the glTF tutorial: ten vertices, two joints, one unit apart.
#include "sinew/skel/gltf.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sinew/skel/joint_transforms.hpp"
#include "sinew/skel/packed_influences.hpp"
#include "sinew/skel/skinning.hpp"

namespace sinew::skel::gltf_test {
namespace {

using ::testing::ElementsAre;

Matrix4d up(double y) {
  Matrix4d m = Matrix4d::Identity();
  m(1, 3) = y;
  return m;
}

GltfSkin strip_skin() {
  return {.names = {"node1", "node2"},
          .parents = {kNoParent, 0},
          .local_transforms = {up(0), up(1)},
          .inverse_bind_matrices = {up(0), up(-1)}};
}

const std::vector<std::array<std::uint16_t, 4>> kJoints = {
    {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 1, 0, 0}, {0, 1, 0, 0}, {0, 1, 0, 0},
    {0, 1, 0, 0}, {0, 1, 0, 0}, {0, 1, 0, 0}, {0, 1, 0, 0}, {0, 1, 0, 0}};
const std::vector<std::array<float, 4>> kWeights = {
    {1, 0, 0, 0},     {1, 0, 0, 0},       {.75F, .25F, 0, 0}, {.75F, .25F, 0, 0}, {.5F, .5F, 0, 0},
    {.5F, .5F, 0, 0}, {.25F, .75F, 0, 0}, {.25F, .75F, 0, 0}, {0, 1, 0, 0},       {0, 1, 0, 0}};

struct BentStrip {
  std::vector<Vector3f> points;
  std::vector<Vector3f> normals;
};

// The strip with its second joint turned about z. Its normals start as (1, 0, 0).
BentStrip bend_strip(double degrees, SkinningMethod method) {
  const auto skin = import_gltf_skin(strip_skin());
  EXPECT_TRUE(skin);
  const GltfInfluences set{kJoints, kWeights};
  const auto influences = import_gltf_influences({&set, 1}, skin->joint_from_gltf);
  EXPECT_TRUE(influences);
  const auto packed = PackedInfluences::pack({.joint_indices = influences->indices,
                                              .joint_weights = influences->weights,
                                              .influences = influences->influences,
                                              .joint_count = skin->skeleton.joint_count()});
  EXPECT_TRUE(packed);

  const double half = degrees * std::acos(-1.0) / 360.0;
  std::vector<Matrix4d> pose(2);
  pose[0] = Matrix4d::Identity();
  pose[1] = make_transform(
      {0, 1, 0},
      Quatf(static_cast<float>(std::cos(half)), 0, 0, static_cast<float>(std::sin(half))),
      {Half(1), Half(1), Half(1)});
  EXPECT_TRUE(concat_joint_transforms(skin->skeleton.topology(), pose, pose));
  for (std::size_t j = 0; j < 2; ++j) {
    pose[j] = pose[j] * skin->skeleton.inverse_bind_transforms()[j];
  }
  BentStrip strip;
  strip.normals.assign(10, Vector3f::UnitX());
  std::vector<Vector3f>& points = strip.points;
  for (int row = 0; row < 5; ++row) {
    points.emplace_back(-0.5F, 0.5F * static_cast<float>(row), 0.0F);
    points.emplace_back(0.5F, 0.5F * static_cast<float>(row), 0.0F);
  }
  SkinPalette palette;
  palette.prepare(method, pose, Matrix4d::Identity());
  SkinPointsJob job;
  job.influences = &*packed;
  job.palette = palette.view();
  job.points = points;
  job.points_out = points;
  job.normals = strip.normals;
  job.normals_out = strip.normals;
  EXPECT_TRUE(job.run());
  return strip;
}

std::vector<Vector3f> bent_strip(double degrees, SkinningMethod method = SkinningMethod::linear) {
  return bend_strip(degrees, method).points;
}

void expect_near(const std::vector<Vector3f>& actual, const std::vector<Vector3f>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    // The expected figures have six decimals.
    EXPECT_LE((actual[i] - expected[i]).cwiseAbs().maxCoeff(), 1e-6F)
        << i << ": " << actual[i].transpose();
  }
}

TEST(GltfSkin, BendsTheStripOfTheTutorialBy45Degrees) {  // skel 12.81
  expect_near(bent_strip(45.0), {{-.5F, 0, 0},
                                 {.5F, 0, 0},
                                 {-.375F, .4482233F, 0},
                                 {.5517767F, .625F, 0},
                                 {-.4267767F, .8232233F, 0},
                                 {.4267767F, 1.1767766F, 0},
                                 {-.6553301F, 1.125F, 0},
                                 {.125F, 1.6553302F, 0},
                                 {-1.0606601F, 1.3535534F, 0},
                                 {-.3535534F, 2.0606601F, 0}});
}

TEST(GltfSkin, BendsTheStripOfTheTutorialByDualQuaternions) {  // skel 12.81
  expect_near(bent_strip(45.0, SkinningMethod::dual_quaternion), {{-.5F, 0, 0},
                                                                  {.5F, 0, 0},
                                                                  {-.3939702F, .4128139F, 0},
                                                                  {.587186F, .6060298F, 0},
                                                                  {-.4619398F, .8086583F, 0},
                                                                  {.4619398F, 1.1913418F, 0},
                                                                  {-.6937823F, 1.1366242F, 0},
                                                                  {.1366242F, 1.6937822F, 0},
                                                                  {-1.0606601F, 1.3535534F, 0},
                                                                  {-.3535534F, 2.0606601F, 0}});
}

TEST(GltfSkin, TurnsNormalsOfTheStripOfTheTutorial) {  // skel 12.81
  const BentStrip strip = bend_strip(45.0, SkinningMethod::linear);
  std::vector<Vector3f> left;
  for (std::size_t i = 0; i < 10; i += 2) left.push_back(strip.normals[i]);
  expect_near(left, {{1, 0, 0},
                     {.9822903F, .1873655F, 0},
                     {.9238796F, .3826834F, 0},
                     {.8270715F, .5620967F, 0},
                     {.7071068F, .7071068F, 0}});
}

TEST(GltfSkin, BendsTheStripOfTheTutorialBy90Degrees) {  // skel 12.81
  expect_near(bent_strip(90.0), {{-.5F, 0, 0},
                                 {.5F, 0, 0},
                                 {-.25F, .5F, 0},
                                 {.5F, .75F, 0},
                                 {-.25F, .75F, 0},
                                 {.25F, 1.25F, 0},
                                 {-.5F, .75F, 0},
                                 {-.25F, 1.5F, 0},
                                 {-1, .5F, 0},
                                 {-1, 1.5F, 0}});
}

TEST(GltfSkin, BendsTheStripOfTheTutorialTheOtherWay) {  // skel 12.81
  expect_near(bent_strip(-45.0), {{-.5F, 0, 0},
                                  {.5F, 0, 0},
                                  {-.551777F, .625F, 0},
                                  {.375F, .448223F, 0},
                                  {-.426777F, 1.176777F, 0},
                                  {.426777F, .823223F, 0},
                                  {-.125F, 1.65533F, 0},
                                  {.65533F, 1.125F, 0},
                                  {.353553F, 2.06066F, 0},
                                  {1.06066F, 1.353553F, 0}});
}

TEST(ImportGltfSkin, PutsParentsFirstAndKeepsTrackOfJoints) {
  const auto skin = import_gltf_skin({.names = {"hand", "arm", "leg"},
                                      .parents = {1, kNoParent, kNoParent},
                                      .local_transforms = {up(1), up(2), up(3)}});
  ASSERT_TRUE(skin);
  EXPECT_THAT(skin->skeleton.joints(), ElementsAre("arm", "arm/hand", "leg"));
  EXPECT_THAT(skin->joint_from_gltf, ElementsAre(1, 0, 2));
  EXPECT_EQ(skin->skeleton.rest_skel_transforms()[1], up(3));
  EXPECT_EQ(skin->skeleton.bind_transforms()[1], up(0));
}

TEST(ImportGltfSkin, MakesDistinctIdentifiersOfNames) {
  const auto skin =
      import_gltf_skin({.names = {"mixamorig:Hips", "", "3rd leg", "mixamorig:Hips"},
                        .parents = {kNoParent, 0, 0, kNoParent},
                        .local_transforms = std::vector<Matrix4d>(4, Matrix4d::Identity())});
  ASSERT_TRUE(skin);
  EXPECT_THAT(skin->skeleton.joints(), ElementsAre("mixamorig_Hips", "mixamorig_Hips/joint1",
                                                   "mixamorig_Hips/_3rd_leg", "mixamorig_Hips_1"));
}

TEST(ImportGltfSkin, KeepsNamesThatAreIdentifiers) {
  const std::string letters = "abcdefghijklmnopqrstuvwxyz", capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  const auto skin =
      import_gltf_skin({.names = {letters + "_0123456789", capitals, "/:@[`{."},
                        .parents = std::vector<std::int32_t>(3, kNoParent),
                        .local_transforms = std::vector<Matrix4d>(3, Matrix4d::Identity())});
  ASSERT_TRUE(skin);
  EXPECT_THAT(skin->skeleton.joints(), ElementsAre(letters + "_0123456789", capitals, "_______"));
}

// Numbering every name from 1 would take minutes here.
TEST(ImportGltfSkin, NumbersManyEqualNames) {
  constexpr std::size_t kCount = 60000;
  const auto skin =
      import_gltf_skin({.names = std::vector<std::string>(kCount, "bone"),
                        .parents = std::vector<std::int32_t>(kCount, kNoParent),
                        .local_transforms = std::vector<Matrix4d>(kCount, Matrix4d::Identity())});
  ASSERT_TRUE(skin);
  EXPECT_EQ(skin->skeleton.joints().front(), "bone");
  EXPECT_EQ(skin->skeleton.joints().back(), "bone_59999");
}

// "joint11999" where a joint has no name, "_9" where it has no letter.
TEST(ImportGltfSkin, RejectsChainsWhosePathsWouldFillTheMemory) {
  const auto chain_of = [](std::size_t count, const std::string& name) {
    GltfSkin chain{.names = std::vector<std::string>(count, name),
                   .local_transforms = std::vector<Matrix4d>(count, Matrix4d::Identity())};
    for (std::size_t j = 0; j < count; ++j) {
      chain.parents.push_back(static_cast<std::int32_t>(j) - 1);
    }
    return import_gltf_skin(chain);
  };
  for (const auto& [count, name] :
       {std::pair<std::size_t, std::string>(10000, std::string(100, 'b')),
        {12000, ""},
        {16000, "9"}}) {
    const auto skin = chain_of(count, name);
    ASSERT_FALSE(skin) << name;
    EXPECT_EQ(skin.error().code, ErrorCode::limit_exceeded);
  }
  EXPECT_EQ(chain_of(16000, "9").error().message,
            "The paths of 16000 joints have 384024000 characters, more than 268435456.");
  EXPECT_TRUE(chain_of(1000, ""));
}

TEST(ImportGltfSkin, RejectsRingsAndStrangers) {
  const std::vector<Matrix4d> two(2, Matrix4d::Identity());
  const auto ring =
      import_gltf_skin({.names = {"a", "b"}, .parents = {1, 0}, .local_transforms = two});
  ASSERT_FALSE(ring);
  EXPECT_EQ(ring.error().code, ErrorCode::bad_topology);
  EXPECT_FALSE(
      import_gltf_skin({.names = {"a", "b"}, .parents = {-1, 5}, .local_transforms = two}));
  EXPECT_FALSE(import_gltf_skin({.names = {"a"}, .parents = {-1}, .local_transforms = two}));
}

TEST(ImportGltfInfluences, JoinsSeveralSets) {
  const std::vector<std::array<std::uint16_t, 4>> joints = {{0, 1, 2, 3}};
  const std::vector<std::array<float, 4>> weights = {{.4F, .3F, .2F, .1F}};
  const GltfInfluences sets[] = {{joints, weights}, {joints, weights}};
  const auto influences = import_gltf_influences(sets, std::vector<std::int32_t>{3, 2, 1, 0});
  ASSERT_TRUE(influences);
  EXPECT_EQ(influences->influences, 8U);
  EXPECT_THAT(influences->indices, ElementsAre(3, 2, 1, 0, 3, 2, 1, 0));
}

TEST(ImportGltfInfluences, ReadsBytesAndNormalisedIntegers) {
  const std::vector<std::array<std::uint8_t, 4>> joints = {{0, 1, 2, 3}};
  const std::vector<std::array<std::uint8_t, 4>> bytes = {{255, 51, 0, 1}};
  const std::vector<std::array<std::uint16_t, 4>> shorts = {{65535, 13107, 0, 1}};
  const GltfInfluences sets[] = {{joints, bytes}, {joints, shorts}};
  const auto influences = import_gltf_influences(sets, std::vector<std::int32_t>{0, 1, 2, 3});
  ASSERT_TRUE(influences);
  EXPECT_THAT(influences->indices, ElementsAre(0, 1, 2, 3, 0, 1, 2, 3));
  EXPECT_THAT(influences->weights,
              ElementsAre(1.0F, .2F, 0.0F, 1.0F / 255.0F, 1.0F, .2F, 0.0F, 1.0F / 65535.0F));
}

TEST(ImportGltfInfluences, RejectsSetsOfDifferentLengths) {
  const GltfInfluences set{kJoints, std::span(kWeights).first(9)};
  const auto influences = import_gltf_influences({&set, 1}, std::vector<std::int32_t>{0, 1});
  ASSERT_FALSE(influences);
  EXPECT_EQ(influences.error().code, ErrorCode::size_mismatch);
}

TEST(ImportGltfInfluences, RejectsAJointOutOfRange) {
  const GltfInfluences set{kJoints, kWeights};
  const auto influences = import_gltf_influences({&set, 1}, std::vector<std::int32_t>{0});
  ASSERT_FALSE(influences);
  EXPECT_EQ(influences.error().code, ErrorCode::index_out_of_range);
}

TEST(ImportGltfInfluences, RejectsWhatIsShorterInAnySet) {
  const std::vector<std::int32_t> joints = {0, 1};
  const GltfInfluences whole{kJoints, kWeights};
  EXPECT_TRUE(import_gltf_influences(std::vector{whole, whole}, joints));
  const auto less = [](const auto& values) { return std::span(values).first(values.size() - 1); };
  for (const GltfInfluences& part :
       {GltfInfluences{less(kJoints), kWeights}, GltfInfluences{kJoints, less(kWeights)},
        GltfInfluences{less(kJoints), less(kWeights)}}) {
    const auto influences = import_gltf_influences(std::vector{whole, part}, joints);
    ASSERT_FALSE(influences);
    EXPECT_EQ(influences.error().code, ErrorCode::size_mismatch);
  }
  const auto none = import_gltf_influences({}, joints);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message, "There are no JOINTS_0 and WEIGHTS_0.");
}

TEST(ImportGltfSkin, RejectsWhatIsNotThereForEveryJoint) {
  const std::vector<std::string> names = {"A", "B"};
  const std::vector<std::int32_t> parents = {-1, 0, 0};
  const auto imports = [&](std::size_t parent_count, std::size_t local, std::size_t inverse) {
    GltfSkin skin;
    skin.names = names;
    skin.parents.assign(parents.begin(), parents.begin() + static_cast<int>(parent_count));
    skin.local_transforms.assign(local, Matrix4d::Identity());
    skin.inverse_bind_matrices.assign(inverse, Matrix4d::Identity());
    return static_cast<bool>(import_gltf_skin(skin));
  };
  EXPECT_TRUE(imports(2, 2, 2));
  EXPECT_TRUE(imports(2, 2, 0));
  for (const std::size_t wrong : {1U, 3U}) {
    EXPECT_FALSE(imports(wrong, 2, 2));
    EXPECT_FALSE(imports(2, wrong, 2));
    EXPECT_FALSE(imports(2, 2, wrong));
  }
}

// "A" twice, where "A_1" stands already.
TEST(ImportGltfSkin, NumbersPastNamesThatAreTaken) {
  GltfSkin skin;
  skin.names = {"A", "A_1", "A", "A"};
  skin.parents = {-1, -1, -1, -1};
  skin.local_transforms.assign(4, Matrix4d::Identity());
  const auto imported = import_gltf_skin(skin);
  ASSERT_TRUE(imported);
  EXPECT_THAT(imported->skeleton.joints(), ElementsAre("A", "A_1", "A_2", "A_3"));
}

TEST(ImportGltfSkin, RejectsTheFirstParentThatIsNotThere) {
  const auto skin = import_gltf_skin(
      {.names = {"a", "b"}, .parents = {kNoParent, 2}, .local_transforms = {up(0), up(1)}});
  ASSERT_FALSE(skin);
  EXPECT_EQ(skin.error().code, ErrorCode::bad_topology);
  EXPECT_EQ(skin.error().message, "Joint 1 has the parent 2, but there are 2 joints.");
}

TEST(ImportGltfSkin, TakesAChainOfAllJointsFromItsEnd) {
  const auto skin = import_gltf_skin(
      {.names = {"hand", "arm"}, .parents = {1, kNoParent}, .local_transforms = {up(1), up(2)}});
  ASSERT_TRUE(skin) << skin.error().message;
  EXPECT_THAT(skin->skeleton.joints(), ElementsAre("arm", "arm/hand"));
}

}  // namespace
}  // namespace sinew::skel::gltf_test
