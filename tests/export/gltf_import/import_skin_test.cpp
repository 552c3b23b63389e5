// SPDX-License-Identifier: Apache-2.0
// Skins, morph targets and animation: what the stage shows at any time is what glTF's formulas say.
#include <gtest/gtest.h>

#include <numbers>

#include "export/gltf_import/imported.hpp"
#include "support/folders.hpp"

namespace sinew::exporter::import_skin_test {
namespace {

using test::expect_clean;
using test::GlbFile;
using test::GltfJson;
using test::GltfJudge;
using test::Imported;
using test::largest_difference;
using test::lines_of;

std::vector<float> matrix_of(const Eigen::Matrix4d& matrix) {
  std::vector<float> numbers;
  for (int i = 0; i < 16; ++i) numbers.push_back(static_cast<float>(matrix(i % 4, i / 4)));
  return numbers;
}

Eigen::Matrix4d translation(double x, double y, double z) {
  Eigen::Matrix4d matrix = Eigen::Matrix4d::Identity();
  matrix.topRightCorner<3, 1>() = Eigen::Vector3d(x, y, z);
  return matrix;
}

std::vector<float> joined(const std::vector<std::vector<float>>& lists) {
  std::vector<float> all;
  for (const std::vector<float>& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

int add_animation(GlbFile& file, const std::string& name) {
  return file.add(
      "animations",
      {{"name", name}, {"channels", GltfJson::array()}, {"samplers", GltfJson::array()}});
}

void add_channel(GlbFile& file, int animation, int node, const std::string& path,
                 const std::vector<float>& times, const std::vector<float>& values,
                 const std::string& interpolation = "LINEAR") {
  const std::string type = path == "weights" ? "SCALAR" : path == "rotation" ? "VEC4" : "VEC3";
  const int input = file.floats("SCALAR", times);
  const int output = file.floats(type, values);
  GltfJson& to = file.json["animations"][static_cast<std::size_t>(animation)];
  to["channels"].push_back(
      {{"sampler", to["samplers"].size()}, {"target", {{"node", node}, {"path", path}}}});
  to["samplers"].push_back(
      {{"input", input}, {"output", output}, {"interpolation", interpolation}});
}

// The strip of the glTF tutorial on skins: ten vertices, two joints, the second of which turns by
// a quarter of a turn either way and back.
struct Strip {
  GlbFile file;
  int mesh = 0;

  Strip() {
    std::vector<float> points;
    std::vector<std::uint16_t> joints;
    std::vector<float> weights;
    for (int row = 0; row < 5; ++row) {
      for (int side = 0; side < 2; ++side) {
        points.insert(points.end(), {side == 0 ? -0.5F : 0.5F, 0.5F * static_cast<float>(row), 0});
        joints.insert(joints.end(), {0, static_cast<std::uint16_t>(row == 0 ? 0 : 1), 0, 0});
        const float upper = 0.25F * static_cast<float>(row);
        weights.insert(weights.end(), {1.0F - upper, upper, 0, 0});
      }
    }
    const std::vector<std::uint16_t> corners = {0, 1, 3, 0, 3, 2, 2, 3, 5, 2, 5, 4,
                                                4, 5, 7, 4, 7, 6, 6, 7, 9, 6, 9, 8};
    file.add("meshes", {{"primitives",
                         {{{"attributes",
                            {{"POSITION", file.floats("VEC3", points)},
                             {"JOINTS_0", file.accessor("VEC4", joints)},
                             {"WEIGHTS_0", file.floats("VEC4", weights)}}},
                           {"indices", file.accessor("SCALAR", corners)}}}}});
    mesh = file.node({{"name", "strip"}, {"mesh", 0}, {"skin", 0}});
    file.node({{"name", "lower"}, {"children", {2}}});
    file.node({{"name", "upper"}, {"translation", {0, 1, 0}}, {"rotation", {0, 0, 0, 1}}});
    file.add("skins", {{"joints", {1, 2}},
                       {"inverseBindMatrices",
                        file.floats("MAT4", joined({matrix_of(translation(0, 0, 0)),
                                                    matrix_of(translation(0, -1, 0))}))}});
    const int swing = add_animation(file, "swing");
    const float half = std::sqrt(0.5F);
    add_channel(
        file, swing, 2, "rotation", {0, 1, 2, 3, 4},
        joined(
            {{0, 0, 0, 1}, {0, 0, half, half}, {0, 0, 0, 1}, {0, 0, -half, half}, {0, 0, 0, 1}}));
    file.scene({0, 1});
  }
};

TEST(ImportedTutorial, HasItsNumbers) {
  Strip strip;
  Imported imported(strip.file);
  expect_clean(imported);
  ASSERT_EQ(imported.bindings.size(), 1U);
  const skel::SkeletonBinding& binding = imported.bindings.front();
  ASSERT_EQ(binding.skeleton->joint_count(), 2U);
  EXPECT_EQ(Matrix4d(binding.skeleton->bind_transforms()[1]), Matrix4d(translation(0, 1, 0)));
  // Halfway through the first second the joint has turned by 45 degrees. The right edge of the
  // third row is halfway between where each joint alone would put it.
  const std::vector<Eigen::Vector3d> bent = imported.points("strip", 0.5);
  ASSERT_EQ(bent.size(), 10U);
  EXPECT_LT((bent[5] - Eigen::Vector3d(0.426777, 1.176777, 0)).norm(), 1e-6);
  EXPECT_LT((bent[4] - Eigen::Vector3d(-0.426777, 0.823223, 0)).norm(), 1e-6);
  EXPECT_LT((bent[8] - Eigen::Vector3d(-1.060660, 1.353553, 0)).norm(), 1e-6);
  EXPECT_LT((bent[9] - Eigen::Vector3d(-0.353553, 2.060660, 0)).norm(), 1e-6);
  EXPECT_EQ(bent[0], Eigen::Vector3d(-0.5, 0, 0));
  // At one second by a quarter of a turn.
  const std::vector<Eigen::Vector3d> turned = imported.points("strip", 1.0);
  EXPECT_LT((turned[9] - Eigen::Vector3d(-1.0, 1.5, 0)).norm(), 1e-6);
  // At rest and where the swing passes the middle it is straight.
  for (const double seconds : {-1.0, 0.0, 2.0, 4.0}) {
    const std::vector<Eigen::Vector3d> straight = imported.points("strip", seconds);
    EXPECT_LT((straight[9] - Eigen::Vector3d(0.5, 2.0, 0)).norm(), 1e-6) << seconds;
  }
  const GltfJudge judge(strip.file);
  for (double seconds = 0.0; seconds <= 4.5; seconds += 0.17) {
    EXPECT_LT(
        largest_difference(imported.points("strip", seconds), judge.points(strip.mesh, seconds)),
        2e-6)
        << seconds;
  }
  EXPECT_EQ(imported.stage->metrics().start_time_code, 0.0);
  EXPECT_EQ(imported.stage->metrics().end_time_code, 96.0);
}

TEST(ImportedTutorial, IsTheSameFromItsFile) {
  const std::string file = test::data_folder() + "/gltf/strip.gltf";
  const auto bytes = read_file(file);
  ASSERT_TRUE(bytes);
  Diagnostics said;
  const auto made = import_glb(*bytes, {}, said);
  EXPECT_EQ(lines_of(said), "");
  ASSERT_TRUE(made);
  const Strip strip;
  const auto expected = import_glb(strip.file.bytes(), {}, said);
  ASSERT_TRUE(expected);
  EXPECT_TRUE(layer::equal(*made->layer, *expected->layer))
      << usda::write(*made->layer) << usda::write(*expected->layer);
}

TEST(ImportedSkin, IgnoresTheTransformOfItsMesh) {
  Strip strip;
  strip.file.json["nodes"][0]["translation"] = {7, 8, 9};
  Imported imported(strip.file);
  expect_clean(imported);
  EXPECT_LT((imported.points("strip", 0.5)[5] - Eigen::Vector3d(0.426777, 1.176777, 0)).norm(),
            1e-6);
}

TEST(ImportedSkin, FollowsNodesAboveAndBetweenItsJoints) {
  Strip strip;
  GlbFile& file = strip.file;
  // lower and upper get a node between and one above, both of which move.
  const int between =
      file.node({{"name", "between"}, {"rotation", {0, 0.6, 0, 0.8}}, {"children", {2}}});
  file.json["nodes"][1]["children"] = {between};
  const int above = file.node({{"name", "above"}, {"scale", {2, 1, 0.5}}, {"children", {1}}});
  file.json["scenes"][0]["nodes"] = {0, above};
  add_channel(file, 0, between, "translation", {0, 2}, {0, 0, 0, 1, 2, 3});
  add_channel(file, 0, above, "rotation", {0, 1.5F}, {0, 0, 0, 1, 1, 0, 0, 0});
  Imported imported(file);
  expect_clean(imported);
  EXPECT_EQ(imported.bindings.at(0).skeleton->joint_count(), 3U);
  const GltfJudge judge(file);
  for (const double seconds : {0.0, 0.3, 1.0, 1.7, 2.5}) {
    EXPECT_LT(
        largest_difference(imported.points("strip", seconds), judge.points(strip.mesh, seconds)),
        1e-5)
        << seconds;
  }
}

TEST(ImportedSkin, TakesTwoSetsOfInfluences) {
  Strip strip;
  GlbFile& file = strip.file;
  for (int i = 0; i < 4; ++i) {
    file.json["nodes"][1]["children"].push_back(
        file.node({{"name", "extra" + std::to_string(i)}, {"translation", {i, 0.5, 0}}}));
    file.json["skins"][0]["joints"].push_back(3 + i);
  }
  std::vector<float> binds;
  for (int i = 0; i < 6; ++i) {
    binds = joined({binds, matrix_of(translation(0.1 * i, -0.3 * i, 0.2 * i))});
  }
  file.json["skins"][0]["inverseBindMatrices"] = file.floats("MAT4", binds);
  std::vector<std::uint8_t> joints[2];
  std::vector<std::uint16_t> weights[2];
  for (int i = 0; i < 10; ++i) {
    joints[0].insert(joints[0].end(), {0, 1, 2, 3});
    joints[1].insert(joints[1].end(), {4, 5, 0, 0});
    const auto part = static_cast<std::uint16_t>(1000 * i);
    weights[0].insert(weights[0].end(), {part, 13107, 13107, 13107});
    weights[1].insert(weights[1].end(), {13107, static_cast<std::uint16_t>(13107 - part), 0, 0});
  }
  GltfJson& attributes = file.json["meshes"][0]["primitives"][0]["attributes"];
  for (std::size_t set = 0; set < 2; ++set) {
    attributes["JOINTS_" + std::to_string(set)] = file.accessor("VEC4", joints[set]);
    attributes["WEIGHTS_" + std::to_string(set)] = file.accessor("VEC4", weights[set], true);
  }
  Imported imported(file);
  expect_clean(imported);
  EXPECT_EQ(imported.bindings.at(0).targets.at(0).skin->influences, 8U);
  const GltfJudge judge(file);
  for (const double seconds : {0.0, 0.6, 1.0, 2.8}) {
    EXPECT_LT(
        largest_difference(imported.points("strip", seconds), judge.points(strip.mesh, seconds)),
        5e-6)
        << seconds;
  }
}

// A triangle that follows an arm and a joint that draws all points to the origin.
GlbFile drawn_file() {
  GlbFile file;
  GltfJson primitive;
  primitive["attributes"] = {
      {"POSITION", file.floats("VEC3", {0, 0, 0, 1, 0, 0, 0, 1, 0})},
      {"JOINTS_0",
       file.accessor("VEC4", std::vector<std::uint16_t>{0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0})},
      {"WEIGHTS_0", file.floats("VEC4", {1, 0, 0, 0, 1, 0, 0, 0, 0.5F, 0.5F, 0, 0})}};
  primitive["indices"] = file.accessor("SCALAR", std::vector<std::uint16_t>{0, 1, 2});
  file.add("meshes", {{"primitives", GltfJson::array({primitive})}});
  file.node({{"name", "drawn"}, {"mesh", 0}, {"skin", 0}});
  file.node({{"name", "arm"}, {"translation", {0, 2, 0}}});
  file.node({{"name", "origin"}});
  Eigen::Matrix4d collapse = Eigen::Matrix4d::Zero();
  collapse(3, 3) = 1.0;
  file.add("skins",
           {{"joints", {1, 2}},
            {"inverseBindMatrices",
             file.floats("MAT4", joined({matrix_of(translation(0, 0, 0)), matrix_of(collapse)}))}});
  file.scene({0, 1, 2});
  return file;
}

TEST(ImportedSkin, FollowsNoJointWhereOneDrawsToTheOrigin) {
  GlbFile file = drawn_file();
  Imported imported(file);
  EXPECT_EQ(lines_of(imported.said), "");
  const std::vector<Eigen::Vector3d> drawn = {{0, 2, 0}, {0, 0, 0}, {0, 1.5, 0}};
  EXPECT_LT(largest_difference(imported.points("drawn"), drawn), 1e-6);
  EXPECT_EQ(imported.bindings.at(0).skeleton->joint_count(), 1U);
  // One that an animation moves is a joint like any other, but for its matrix.
  add_channel(file, add_animation(file, "move"), 2, "translation", {0, 1}, {0, 0, 0, 0, 0, 7});
  Imported moving(file);
  EXPECT_EQ(lines_of(moving.said),
            "</skins/0/inverseBindMatrices>: error: Matrix 1 has no inverse; the joint's rest pose "
            "is taken. [gltf-inverse-binds]\n");
  EXPECT_EQ(moving.bindings.at(0).skeleton->joint_count(), 2U);
}

TEST(ImportedSkin, DrawsToTheOriginByAJointAtRestThereAlone) {
  const auto expect_joint = [](const GlbFile& file, int matrix) {
    Imported imported(file);
    EXPECT_EQ(lines_of(imported.said),
              "</skins/0/inverseBindMatrices>: error: Matrix " + std::to_string(matrix) +
                  " has no inverse; the joint's rest pose is taken. [gltf-inverse-binds]\n");
    EXPECT_EQ(imported.bindings.at(0).skeleton->joint_count(), 2U);
  };
  GlbFile moved = drawn_file();
  moved.json["nodes"][2]["translation"] = {0, 0, 1e-6};
  expect_joint(moved, 1);
  GlbFile below = drawn_file();
  below.json["nodes"][1]["children"] = {2};
  below.json["scenes"][0]["nodes"] = {0, 1};
  expect_joint(below, 1);
  GlbFile first = drawn_file();
  first.json["skins"][0]["joints"] = {2, 1};
  std::vector<float> binds(32, 0.0F);
  for (const std::size_t i : {15U, 16U, 21U, 26U, 31U}) binds[i] = 1.0F;
  first.json["skins"][0]["inverseBindMatrices"] = first.floats("MAT4", binds);
  expect_joint(first, 0);
}

TEST(ImportedSkin, NodesBelowJointsThatLeadToNothingAreJoints) {
  const auto joints_with = [](const GltfJson& parts, const GltfJson& below = {}) {
    Strip strip;
    GlbFile& file = strip.file;
    file.json["extensionsUsed"] = {"KHR_physics_rigid_bodies", "KHR_implicit_shapes"};
    file.json["extensions"] = {
        {"KHR_implicit_shapes",
         {{"shapes", {{{"type", "sphere"}, {"sphere", {{"radius", 0.5}}}}}}}}};
    file.add("cameras",
             {{"type", "perspective"}, {"perspective", {{"yfov", 0.6}, {"znear", 0.1}}}});
    GltfJson tip = {{"name", "tip"}};
    tip.update(parts);
    if (!below.is_null()) {
      GltfJson end = {{"name", "end"}};
      end.update(below);
      tip["children"] = {file.node(end)};
    }
    file.json["nodes"][2]["children"] = {file.node(tip)};
    Imported imported(file);
    EXPECT_EQ(imported.bindings.size(), 1U);
    return imported.array<Token>("Skeleton", "joints").size();
  };
  const auto physics = [](GltfJson what) {
    return GltfJson{{"extensions", {{"KHR_physics_rigid_bodies", std::move(what)}}}};
  };
  const GltfJson none = GltfJson::object(), camera = {{"camera", 0}}, mesh = {{"mesh", 0}};
  const GltfJson body = physics({{"motion", {{"mass", 1}}}});
  const GltfJson collider = physics({{"collider", {{"geometry", {{"shape", 0}}}}}});
  EXPECT_EQ(joints_with(none), 3U);
  EXPECT_EQ(joints_with(none, none), 4U);
  for (const GltfJson& shown : {camera, mesh, body, collider}) {
    EXPECT_EQ(joints_with(shown), 2U) << shown;
    EXPECT_EQ(joints_with(shown, none), 2U) << shown;
    EXPECT_EQ(joints_with(none, shown), 2U) << shown;
  }
}

// Skins 0 and 1 have no joint in common, but both have one with skin 2.
TEST(ImportedSkin, FollowsSkinsThatAreLinkedByAThird) {
  GlbFile file;
  GltfJson primitive;
  primitive["attributes"] = {
      {"POSITION", file.floats("VEC3", {0, 0, 0, 1, 0, 0, 0, 1, 0})},
      {"JOINTS_0", file.accessor("VEC4", std::vector<std::uint8_t>(12, 0))},
      {"WEIGHTS_0", file.floats("VEC4", {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0})}};
  file.add("meshes", {{"primitives", GltfJson::array({primitive})}});
  const int a = file.node({{"name", "a"}, {"translation", {1, 2, 3}}});
  const int b = file.node({{"name", "b"}, {"translation", {-1, 0, 7}}});
  std::vector<int> roots = {a, b};
  const std::vector<int> joints[] = {{a}, {b}, {b, a}};
  for (std::size_t i = 0; i < 3; ++i) {
    file.add("skins", {{"joints", joints[i]}});
    roots.push_back(file.node({{"name", "m" + std::to_string(i)}, {"mesh", 0}, {"skin", i}}));
  }
  file.scene(roots);
  Imported imported(file);
  expect_clean(imported);
  EXPECT_EQ(imported.result.counts.skeletons, 2U);
  EXPECT_EQ(imported.result.counts.joints, 3U);
  const GltfJudge judge(file);
  for (int i = 0; i < 3; ++i) {
    EXPECT_LT(largest_difference(imported.points("m" + std::to_string(i)), judge.points(2 + i)),
              1e-6)
        << i;
  }
}

TEST(ImportedSkin, BindsJointsThatRestInNoSpaceAsTheyWouldBeWithout) {
  Strip strip;
  GlbFile& file = strip.file;
  const int between = file.node({{"name", "between"}, {"scale", {0, 1, 1}}, {"children", {2}}});
  file.json["nodes"][1]["children"] = {between};
  const Imported imported(file);
  const auto binds = imported.array<Matrix4d>("Skeleton", "bindTransforms");
  ASSERT_EQ(binds.size(), 3U) << imported.text;
  EXPECT_EQ(binds[1], Matrix4d(Matrix4d::Identity()));
}

TEST(ImportedSkin, WeightsOfAMeshOnAJointAreNoAnimationOfTheSkeleton) {
  Strip strip;
  GlbFile& file = strip.file;
  file.add("meshes",
           {{"primitives",
             {{{"attributes", {{"POSITION", file.floats("VEC3", {0, 0, 0, 1, 0, 0, 0, 1, 0})}}},
               {"targets", {{{"POSITION", file.floats("VEC3", {0, 0, 1, 0, 0, 1, 0, 0, 1})}}}}}}},
            {"weights", {0}}});
  file.json["nodes"][2]["mesh"] = 1;
  add_channel(file, add_animation(file, "blink"), 2, "weights", {0, 1}, {0, 1});
  Imported imported(file);
  EXPECT_EQ(lines_of(imported.said), "");
  EXPECT_EQ(imported.result.counts.animations, 2U);
  EXPECT_EQ(imported.result.counts.skeletons, 2U);
}

TEST(ImportedSkin, SharesTheSkeletonOfAnotherMesh) {
  Strip strip;
  GlbFile& file = strip.file;
  // The same joints with the mesh elsewhere: inverse binds times one transform.
  const Eigen::Matrix4d shift = translation(0.5, 0.25, -1);
  file.add("skins", {{"joints", {2, 1}},
                     {"inverseBindMatrices",
                      file.floats("MAT4", joined({matrix_of(translation(0, -1, 0) * shift),
                                                  matrix_of(shift)}))}});
  const int second = file.node({{"name", "second"}, {"mesh", 0}, {"skin", 1}});
  file.json["scenes"][0]["nodes"].push_back(second);
  // And one whose bind pose is another: a skeleton of its own.
  file.add("skins", {{"joints", {1, 2}}});
  const int third = file.node({{"name", "third"}, {"mesh", 0}, {"skin", 2}});
  file.json["scenes"][0]["nodes"].push_back(third);
  Imported imported(file);
  expect_clean(imported);
  EXPECT_EQ(imported.bindings.size(), 2U);
  const GltfJudge judge(file);
  for (const auto& [name, node] :
       {std::pair("strip", strip.mesh), {"second", second}, {"third", third}}) {
    EXPECT_LT(largest_difference(imported.points(name, 0.7), judge.points(node, 0.7)), 2e-6)
        << name;
  }
}

TEST(ImportedSkin, CarriesWhatHangsOnAJoint) {
  Strip strip;
  GlbFile& file = strip.file;
  file.add(
      "meshes",
      {{"primitives",
        {{{"attributes", {{"POSITION", file.floats("VEC3", {0, 0, 0, 1, 0, 0, 0, 1, 0})}}}}}}});
  const int hat = file.node({{"name", "hat"}, {"mesh", 1}, {"translation", {0, 1, 0}}});
  file.json["nodes"][2]["children"] = {hat};
  Imported imported(file);
  expect_clean(imported);
  const GltfJudge judge(file);
  for (const double seconds : {-1.0, 0.5, 1.0, 2.3}) {
    EXPECT_LT(largest_difference(imported.points("hat", seconds), judge.points(hat, seconds)),
              2e-6);
    EXPECT_LT(
        largest_difference(imported.points("strip", seconds), judge.points(strip.mesh, seconds)),
        2e-6);
  }
}

TEST(ImportedSkin, KeepsSeveralAnimations) {
  Strip strip;
  GlbFile& file = strip.file;
  const int nod = add_animation(file, "nod");
  add_channel(file, nod, 2, "rotation", {0, 1}, {0, 0, 0, 1, 0.6F, 0, 0, 0.8F});
  Imported imported(file);
  expect_clean(imported);
  EXPECT_EQ(imported.prim("swing").type_name().view(), "SkelAnimation");
  EXPECT_EQ(imported.prim("nod").type_name().view(), "SkelAnimation");
  EXPECT_EQ(imported.bindings.at(0).animation_prim.name().view(), "swing");
  EXPECT_EQ(imported.result.counts.animations, 2U);
}

TEST(ImportedSkin, MovesJointsInTheUnitsOfTheLayer) {
  Strip strip;
  add_channel(strip.file, 0, 2, "translation", {0, 1}, {0, 1, 0, 0, 3, 0.5F});
  Imported imported(strip.file, {.meters_per_unit = 0.01});
  const stage::Attribute moved = imported.prim("swing").attribute("translations");
  const std::vector<Vector3f> expected = {{0, 100, 0}, {0, 300, 50}};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const layer::Value value = moved.value(24.0 * static_cast<double>(i));
    ASSERT_EQ(value.size(), 1U);
    EXPECT_LT((value.as_array<Vector3f>()[0] - expected[i]).norm(), 1e-4F) << i;
  }
}

// Every sample holds all joints, so that channels which share no time cost the square of their
// keys.
TEST(ImportedSkin, TakesEqualStepsWhereChannelsShareNoTimes) {
  constexpr int kJoints = 12;
  constexpr int kKeys = 1000;
  GlbFile file;
  GltfJson primitive;
  primitive["attributes"] = {
      {"POSITION", file.floats("VEC3", {0, 0, 0, 1, 0, 0, 0, 1, 0})},
      {"JOINTS_0", file.accessor("VEC4", std::vector<std::uint8_t>(12, 0))},
      {"WEIGHTS_0", file.floats("VEC4", {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0})}};
  file.add("meshes", {{"primitives", GltfJson::array({primitive})}});
  std::vector<int> roots = {file.node({{"mesh", 0}, {"skin", 0}})};
  const int move = add_animation(file, "move");
  for (int joint = 0; joint < kJoints; ++joint) {
    roots.push_back(file.node({{"name", "j" + std::to_string(joint)}}));
    std::vector<float> times, places;
    for (int key = 0; key < kKeys; ++key) {
      times.push_back(0.25F * static_cast<float>(kJoints * key + joint));
      places.insert(places.end(), {times.back(), static_cast<float>(joint), 0});
    }
    add_channel(file, move, roots.back(), "translation", times, places);
  }
  file.add("skins", {{"joints", std::vector<int>(roots.begin() + 1, roots.end())}});
  file.scene(roots);
  Imported imported(file);
  ASSERT_EQ(imported.said.size(), 1U) << lines_of(imported.said);
  EXPECT_EQ(imported.said[0].code, "gltf-animation-resampled");
  EXPECT_EQ(imported.said[0].path, "/animations/0");
  EXPECT_EQ(imported.said[0].message,
            "The channels have few times in common; 10000 equal steps are taken.");
  const stage::Attribute places = imported.prim("move").attribute("translations");
  const std::vector<double> codes = places.time_samples();
  ASSERT_EQ(codes.size(), 10000U);
  EXPECT_EQ(codes.front(), 0.0);
  EXPECT_EQ(codes.back(), 24.0 * 0.25 * (kJoints * kKeys - 1));
  const auto middle = places.get_array<Vector3f>(stage::Time(codes[5000]));
  ASSERT_EQ(middle->size(), static_cast<std::size_t>(kJoints));
  for (std::size_t joint = 0; joint < kJoints; ++joint) {
    EXPECT_NEAR((*middle)[joint].x(), static_cast<float>(codes[5000] / 24.0), 1e-3F);
    EXPECT_EQ((*middle)[joint].y(), static_cast<float>(joint));
  }
}

// What two skins bind differs by their inverse binds. Up to 1e-5 of the largest number that is
// rounding.
TEST(ImportedSkin, SharesASkeletonWhereBindsDifferByRounding) {
  const auto skeletons = [](double off, double far) {
    Strip strip;
    GlbFile& file = strip.file;
    const Eigen::Matrix4d shift = translation(far, 0, 0);
    file.add("skins",
             {{"joints", {1, 2}},
              {"inverseBindMatrices",
               file.floats("MAT4", joined({matrix_of(shift),
                                           matrix_of(translation(0, off - 1.0, 0) * shift)}))}});
    file.json["scenes"][0]["nodes"].push_back(file.node({{"mesh", 0}, {"skin", 1}}));
    return Imported(file).result.counts.skeletons;
  };
  EXPECT_EQ(skeletons(8e-6, 0), 1U);
  EXPECT_EQ(skeletons(-1.2e-5, 0), 2U);
  EXPECT_EQ(skeletons(8e-4, 100), 1U);
  EXPECT_EQ(skeletons(-1.2e-3, 100), 2U);
}

TEST(ImportedSkin, IsBoundAsItsSkeletonIsButForRounding) {
  const auto bind = [](double off) {
    Strip strip;
    GlbFile& file = strip.file;
    file.add("skins",
             {{"joints", {1}},
              {"inverseBindMatrices", file.floats("MAT4", matrix_of(translation(0, 0, off)))}});
    // Follows the first joint alone.
    GltfJson primitive = file.json["meshes"][0]["primitives"][0];
    primitive["attributes"]["JOINTS_0"] = file.accessor("VEC4", std::vector<std::uint8_t>(40, 0));
    file.add("meshes", {{"primitives", GltfJson::array({primitive})}});
    file.json["scenes"][0]["nodes"].push_back(
        file.node({{"name", "second"}, {"mesh", 1}, {"skin", 1}}));
    const Imported imported(file);
    EXPECT_EQ(imported.result.counts.skeletons, 1U);
    return imported.prim("second")
        .attribute("primvars:skel:geomBindTransform")
        .get<Matrix4d>()
        .value_or(Matrix4d::Zero());
  };
  EXPECT_EQ(bind(8e-6), Matrix4d(Matrix4d::Identity()));
  EXPECT_EQ(bind(0.25), Matrix4d(translation(0, 0, 0.25)));
  const float little = 1.2e-5F;
  EXPECT_EQ(bind(1.2e-5), Matrix4d(translation(0, 0, static_cast<double>(little))));
}

// The skeleton stands at the nearest node above all joints; nodes between are joints. Siblings
// have names of their own.
TEST(ImportedSkin, JointsAreNamedByTheirPathBelowWhatTheyShare) {
  GlbFile file;
  GltfJson primitive;
  primitive["attributes"] = {
      {"POSITION", file.floats("VEC3", {0, 0, 0, 1, 0, 0, 0, 1, 0})},
      {"JOINTS_0", file.accessor("VEC4", std::vector<std::uint8_t>(12, 0))},
      {"WEIGHTS_0", file.floats("VEC4", {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0})}};
  file.add("meshes", {{"primitives", GltfJson::array({primitive})}});
  file.node({{"name", "mesh"}, {"mesh", 0}, {"skin", 0}});
  file.node({{"name", "top"}, {"children", {2}}});
  file.node({{"name", "hips"}, {"children", {3, 6}}});
  file.node({{"name", "leg"}, {"children", {4, 5}}});
  file.node({{"name", "foot"}});
  file.node({{"name", "foot"}});
  file.node({{"children", {7}}});
  file.node({{"name", "foot"}});
  file.add("skins", {{"joints", {4, 5, 7}}});
  file.scene({0, 1});
  const Imported imported(file);
  EXPECT_EQ(lines_of(imported.said), "");
  const stage::Prim skeleton = imported.bindings.at(0).skeleton_prim;
  EXPECT_EQ(skeleton.path(), "/Scene/top/hips");
  EXPECT_EQ(imported.bindings.at(0).skeleton->joints(),
            (std::vector<std::string>{"leg", "leg/foot", "leg/foot_1", "joint_6", "joint_6/foot"}));
}

TEST(ImportedSkin, SaysNothingOfScalesThatHalfPrecisionHolds) {
  Strip strip;
  add_channel(strip.file, 0, 2, "scale", {0, 1}, {1, 1, 1, 2, 0.5F, 1.25F});
  Imported imported(strip.file);
  expect_clean(imported);
}

TEST(ImportedSkin, ReadsScalesInHalfPrecisionAndSaysSo) {
  Strip strip;
  add_channel(strip.file, 0, 2, "scale", {0, 1}, {1, 1, 1, 1.3F, 1.7F, 0.9F});
  Imported imported(strip.file);
  ASSERT_EQ(imported.said.size(), 1U);
  EXPECT_EQ(imported.said[0].code, "gltf-scale-rounded");
  EXPECT_EQ(imported.said[0].path, "/animations/0");
  EXPECT_EQ(lines_of(imported.found), "");
  const GltfJudge judge(strip.file);
  EXPECT_LT(largest_difference(imported.points("strip", 0.8), judge.points(strip.mesh, 0.8)), 2e-3);
}

// A triangle with two morph targets, one of them sparse.
struct Face {
  GlbFile file;
  int node = 0;

  explicit Face(bool is_skinned = false) {
    const int sparse = file.add(
        "accessors",
        {{"componentType", 5126},
         {"count", 4},
         {"type", "VEC3"},
         {"sparse",
          {{"count", 1},
           {"indices",
            {{"bufferView", file.view(GlbFile::raw(std::vector<std::uint16_t>{2}))},
             {"componentType", 5123}}},
           {"values", {{"bufferView", file.view(GlbFile::raw(std::vector<float>{0, 0, 3}))}}}}}});
    GltfJson attributes = {{"POSITION", file.floats("VEC3", {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0})},
                           {"NORMAL", file.floats("VEC3", {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1})}};
    GltfJson skin_of_node;
    if (is_skinned) {
      attributes["JOINTS_0"] = file.accessor("VEC4", std::vector<std::uint8_t>(16, 0));
      attributes["WEIGHTS_0"] =
          file.floats("VEC4", {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0});
    }
    const int all = file.floats("VEC3", {1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 2, 0});
    const int turned = file.floats("VEC3", {1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0});
    file.add("meshes",
             {{"primitives",
               {{{"attributes", attributes},
                 {"mode", 6},
                 {"targets", {{{"POSITION", all}, {"NORMAL", turned}}, {{"POSITION", sparse}}}}}}},
              {"weights", {0.25, 0.0}},
              {"extras", {{"targetNames", {"wide open", "up"}}}}});
    GltfJson item = {{"name", "face"}, {"mesh", 0}, {"translation", {0, 0, 5}}};
    if (is_skinned) item["skin"] = 0;
    node = file.node(item);
    std::vector<int> roots = {node};
    if (is_skinned) {
      roots.push_back(file.node({{"name", "bone"}, {"translation", {0, 4, 0}}}));
      file.add("skins", {{"joints", {1}}});
    }
    file.scene(roots);
  }
};

TEST(ImportedMorphTargets, BlendByTheirWeights) {
  for (const bool is_skinned : {false, true}) {
    Face face(is_skinned);
    Imported rest(face.file);
    expect_clean(rest);
    const GltfJudge judge(face.file);
    EXPECT_LT(largest_difference(rest.points("face"), judge.points(face.node)), 1e-6);

    const int talk = add_animation(face.file, "talk");
    add_channel(face.file, talk, face.node, "weights", {0, 1, 3}, {0, 0, 1, 0.5F, -0.5F, 2});
    Imported imported(face.file);
    expect_clean(imported);
    EXPECT_EQ(imported.result.counts.blend_shapes, 2U);
    EXPECT_EQ(imported.prim("wide_open").type_name().view(), "BlendShape");
    EXPECT_EQ(imported.array<std::int32_t>("up", "pointIndices"), (std::vector<std::int32_t>{2}));
    EXPECT_EQ(imported.array<Vector3f>("wide_open", "normalOffsets").size(), 4U);
    for (const double seconds : {0.0, 0.5, 1.0, 2.2, 3.0, 4.0}) {
      EXPECT_LT(
          largest_difference(imported.points("face", seconds), judge.points(face.node, seconds)),
          2e-6)
          << seconds;
    }
  }
}

TEST(ImportedMorphTargets, HaveWeightsOfTheirOwnOnEveryNode) {
  Face face;
  GlbFile& file = face.file;
  const int other = file.node(
      {{"name", "other"}, {"mesh", 0}, {"weights", {1.0, 0.5}}, {"translation", {3, 0, 0}}});
  file.json["scenes"][0]["nodes"].push_back(other);
  Imported imported(file);
  expect_clean(imported);
  const GltfJudge judge(file);
  EXPECT_LT(largest_difference(imported.points("face"), judge.points(face.node)), 1e-6);
  EXPECT_LT(largest_difference(imported.points("other"), judge.points(other)), 1e-6);
}

TEST(ImportedAnimation, MovesNodes) {
  GlbFile file;
  const int a = file.node({{"name", "a"}, {"translation", {1, 0, 0}}});
  const int b = file.node({{"name", "b"}, {"rotation", {0, 0.6, 0, 0.8}}, {"children", {a}}});
  const int steps = file.node({{"name", "steps"}});
  file.scene({b, steps});
  const int move = add_animation(file, "move");
  add_channel(file, move, a, "translation", {0.5F, 1, 1.25F}, {0, 0, 0, 1, 2, 3, -1, 0, 0});
  add_channel(file, move, a, "scale", {0, 2}, {1, 1, 1, 2, 3, 4});
  // The second key is the same turn with the other sign.
  add_channel(file, move, b, "rotation", {0, 1, 2},
              {0, 0, 0, 1, 0, -0.6F, 0, -0.8F, 0.5F, 0.5F, 0.5F, 0.5F});
  add_channel(file, move, steps, "translation", {0, 1, 2}, {0, 0, 0, 5, 0, 0, 9, 0, 0}, "STEP");
  Imported imported(file);
  expect_clean(imported);
  const GltfJudge judge(file);
  for (const double seconds : {0.0, 0.4, 0.5, 0.8, 0.999, 1.0, 1.1, 1.999, 2.0, 3.0}) {
    for (const auto& [name, node] : {std::pair("a", a), {"b", b}, {"steps", steps}}) {
      EXPECT_LT((imported.world(name, seconds) - judge.world(node, seconds)).cwiseAbs().maxCoeff(),
                2e-6)
          << name << " at " << seconds;
    }
  }
}

TEST(ImportedAnimation, FollowsSplinesWithinTheTolerance) {
  GlbFile file;
  const int a = file.node({{"name", "a"}});
  const int b = file.node({{"name", "b"}});
  file.scene({a, b});
  const int move = add_animation(file, "move");
  // In-tangent, value, out-tangent of each key.
  add_channel(file, move, a, "translation", {0, 1, 2.5F},
              {0, 0, 0, 0, 0, 0, 4, 0, 0, -3, 1, 0, 1, 2, 0, 0, 5, 0, 0, 0, 1, 3, 0, 1, 0, 0, 0},
              "CUBICSPLINE");
  const float half = std::sqrt(0.5F);
  add_channel(file, move, b, "rotation", {0, 2},
              {0, 0, 0, 0, 0, 0, 0, 1, 0.5F, 0, 1, 0, 0, 1, 0, -1, 0, 0, half, half, 0, 0, 0, 0},
              "CUBICSPLINE");
  const GltfJudge judge(file);
  std::size_t keys_before = 0;
  for (const double tolerance : {1e-2, 1e-3, 1e-4}) {
    Imported imported(file, {.curve_tolerance = tolerance});
    expect_clean(imported);
    double moved = 0.0;
    double turned = 0.0;
    for (double seconds = 0.0; seconds <= 2.5; seconds += 0.003) {
      moved = std::max(moved, (imported.world("a", seconds) - judge.world(a, seconds))
                                  .topRightCorner<3, 1>()
                                  .cwiseAbs()
                                  .maxCoeff());
      const Eigen::Matrix3d between = imported.world("b", seconds).topLeftCorner<3, 3>() *
                                      judge.world(b, seconds).topLeftCorner<3, 3>().transpose();
      turned = std::max(turned, Eigen::AngleAxisd(between).angle());
    }
    EXPECT_LT(moved, 3.0 * tolerance + 1e-6);  // The values span 3 units.
    EXPECT_LT(turned, tolerance + 1e-5);
    const auto samples = imported.prim("a").attribute("xformOp:translate").time_samples().size();
    EXPECT_GT(samples, keys_before);
    keys_before = samples;
  }
}

TEST(ImportedAnimation, TakesTheFirstOfSeveralForNodes) {
  GlbFile file;
  const int a = file.node({{"name", "a"}});
  file.scene({a, file.node({{"name", "b"}})});
  add_channel(file, add_animation(file, "first"), a, "translation", {0, 1}, {0, 0, 0, 1, 0, 0});
  add_channel(file, add_animation(file, "second"), a, "translation", {0, 1}, {0, 0, 0, 0, 9, 0});
  Imported imported(file);
  ASSERT_EQ(imported.said.size(), 1U);
  EXPECT_EQ(imported.said[0].code, "gltf-node-animation");
  EXPECT_EQ(imported.said[0].path, "/animations/1");
  EXPECT_EQ(imported.world("a", 1.0)(0, 3), 1.0);
  EXPECT_EQ(imported.world("a", 1.0)(1, 3), 0.0);
}

// Whatever part of a node moves in another animation than its first.
TEST(ImportedAnimation, TakesAllPartsFromTheFirstAnimationOfANode) {
  GlbFile file;
  const int a = file.node({{"name", "a"}, {"scale", {2, 2, 2}}});
  file.scene({a});
  const int first = add_animation(file, "first");
  add_channel(file, first, a, "translation", {0, 1}, {0, 0, 0, 1, 0, 0});
  add_channel(file, add_animation(file, "second"), a, "scale", {0, 1}, {1, 1, 1, 9, 9, 9});
  Imported imported(file);
  EXPECT_EQ(lines_of(imported.said),
            "</animations/1>: warning: Node 0 moves in animation 0 too, which is the one that was "
            "taken for it; of several, only those of skeletons are kept. [gltf-node-animation]\n");
  EXPECT_EQ(imported.world("a", 1.0)(0, 0), 2.0);
  EXPECT_EQ(imported.world("a", 1.0)(0, 3), 1.0);
  EXPECT_TRUE(imported.prim("a").attribute("xformOp:scale").time_samples().empty());
}

}  // namespace
}  // namespace sinew::exporter::import_skin_test
