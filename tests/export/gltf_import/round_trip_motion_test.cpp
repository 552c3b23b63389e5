// SPDX-License-Identifier: Apache-2.0
// What moves in a glTF file does so when the file has become a layer and a glTF file again: skins,
// morph targets, animation.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "export/gltf_import/round_trip.hpp"

namespace sinew::exporter::round_trip_motion_test {
namespace {

using test::add_mesh;
using test::expect_same;
using test::GlbFile;
using test::GltfJson;
using test::kHalf;
using test::kSquare;
using test::kTilted;
using test::round_trip;
using test::RoundTrip;
using test::square;

void add_channel(GlbFile& file, int animation, int node, const char* path,
                 const std::vector<float>& times, const std::vector<float>& values,
                 const char* interpolation = "LINEAR") {
  GltfJson& target = file.json["animations"][static_cast<std::size_t>(animation)];
  const std::string type = std::string(path) == "rotation"  ? "VEC4"
                           : std::string(path) == "weights" ? "SCALAR"
                                                            : "VEC3";
  const int input = file.floats("SCALAR", times);
  file.json["accessors"][static_cast<std::size_t>(input)]["min"] = {times.front()};
  file.json["accessors"][static_cast<std::size_t>(input)]["max"] = {times.back()};
  target["samplers"].push_back(
      {{"input", input}, {"output", file.floats(type, values)}, {"interpolation", interpolation}});
  target["channels"].push_back(
      {{"sampler", target["samplers"].size() - 1}, {"target", {{"node", node}, {"path", path}}}});
}

int add_animation(GlbFile& file, const std::string& name) {
  return file.add(
      "animations",
      {{"name", name}, {"samplers", GltfJson::array()}, {"channels", GltfJson::array()}});
}

// 0: left arm, 1: hip, 2: end of the arm, 3: tail.
struct Bones {
  int hip, arm, end, tail;
};

Bones add_bones(GlbFile& file) {
  Bones bones{};
  bones.end = file.node({{"name", "arm_end"}, {"translation", {0, 1, 0}}});
  bones.arm = file.node({{"name", "mixamorig:Left Arm"},
                         {"translation", {1, 0, 0}},
                         {"rotation", {0, 0, kHalf, kHalf}},
                         {"children", {bones.end}}});
  bones.tail = file.node({{"name", "tail"}, {"translation", {-1, 0, 0}}, {"scale", {1, 2, 1}}});
  bones.hip = file.node(
      {{"name", "hip"}, {"translation", {0, 1, 0}}, {"children", {bones.arm, bones.tail}}});
  return bones;
}

std::vector<float> moved_bind(float x, float y, float z) {
  return {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1};
}

void append(std::vector<float>& to, const std::vector<float>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

GltfJson skinned_square(GlbFile& file, const std::vector<float>& points = kSquare) {
  return square(
      file,
      {{"JOINTS_0", file.accessor("VEC4", std::vector<std::uint8_t>{0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0,
                                                                    0, 1, 0, 0, 0})},
       {"WEIGHTS_0",
        file.floats("VEC4", {0.25F, 0.75F, 0, 0, 0.5F, 0.5F, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0})}},
      points);
}

TEST(GltfRoundTrip, KeepsSkins) {
  GlbFile file;
  const Bones bones = add_bones(file);
  // Joints in another order than the tree's, and not all of them.
  std::vector<float> binds = moved_bind(-1, -1, 0);
  append(binds, moved_bind(0, -1, 0));
  const int skin = file.add("skins", {{"name", "body skin"},
                                      {"joints", {bones.arm, bones.hip}},
                                      {"inverseBindMatrices", file.floats("MAT4", binds)}});
  // The same bones at the same bind pose, seen from a mesh that was moved.
  std::vector<float> others = moved_bind(3, -1, 0);
  append(others, moved_bind(2, -1, 0));
  const int hat = file.add("skins", {{"name", "hat skin"},
                                     {"skeleton", bones.hip},
                                     {"joints", {bones.hip, bones.arm}},
                                     {"inverseBindMatrices", file.floats("MAT4", [&] {
                                        std::vector<float> list = moved_bind(3, -1, 0);
                                        append(list, moved_bind(2, -1, 0));
                                        return list;
                                      }())}});
  const int body_mesh = add_mesh(file, "Body", {skinned_square(file)});
  const int hat_mesh = add_mesh(file, "Hat", {skinned_square(file, kTilted)});
  const int armature = file.node(
      {{"name", "Armature"}, {"rotation", {-kHalf, 0, 0, kHalf}}, {"children", {bones.hip}}});
  file.scene({armature, file.node({{"name", "body"}, {"mesh", body_mesh}, {"skin", skin}}),
              file.node({{"name", "hat"}, {"mesh", hat_mesh}, {"skin", hat}})});
  expect_same(file);
}

// The mesh goes back below a prim that mirrors it, which its node, at the top of the scene, is not.
TEST(GltfRoundTrip, KeepsTheFrontsOfSkinsBelowMirroredPrims) {
  GlbFile file;
  const Bones bones = add_bones(file);
  const int skin = file.add("skins", {{"name", "skin"}, {"joints", {bones.hip, bones.arm}}});
  const int mesh = add_mesh(file, "Body", {skinned_square(file)});
  const auto path = [](const char* text) { return GltfJson{{"usd", {{"path", text}}}}; };
  const int above = file.node({{"name", "Mirror"},
                               {"scale", {-1, 1, 1}},
                               {"children", {bones.hip}},
                               {"extras", path("/Mirror")}});
  file.scene(
      {above,
       file.node(
           {{"name", "Body"}, {"mesh", mesh}, {"skin", skin}, {"extras", path("/Mirror/Body")}})});
  const RoundTrip trip = round_trip(file);
  EXPECT_NE(trip.text.find("uniform token orientation = \"leftHanded\""), std::string::npos)
      << trip.text;
  const GltfJson& primitive = trip.file.json.at("meshes").at(0).at("primitives").at(0);
  EXPECT_EQ(test::GltfJudge(trip.file).numbers(primitive.at("indices").get<int>()),
            (std::vector<double>{0, 1, 2, 0, 2, 3}));
}

TEST(GltfRoundTrip, KeepsWhatHangsOnJoints) {
  GlbFile file;
  const Bones bones = add_bones(file);
  // No inverse bind matrices; two meshes of one skin; joints that are roots of the scene.
  const int skin = file.add("skins", {{"joints", {bones.hip, bones.arm, bones.end, bones.tail}}});
  const int a = add_mesh(file, "a", {skinned_square(file)});
  const int b = add_mesh(file, "b", {skinned_square(file, kTilted)});
  const int sword = add_mesh(file, "sword", {square(file)});
  const int camera = file.add(
      "cameras",
      {{"name", "eye"},
       {"type", "perspective"},
       {"perspective", {{"aspectRatio", 1.5}, {"yfov", 0.75}, {"znear", 0.25}, {"zfar", 100.0}}}});
  file.json["nodes"][static_cast<std::size_t>(bones.end)]["mesh"] = sword;
  file.json["nodes"][static_cast<std::size_t>(bones.tail)]["children"] = {
      file.node({{"name", "eye"}, {"camera", camera}})};
  file.scene({bones.hip, file.node({{"name", "a"}, {"mesh", a}, {"skin", skin}}),
              file.node({{"name", "b"}, {"mesh", b}, {"skin", skin}})});
  const int walk = add_animation(file, "walk");
  add_channel(file, walk, bones.hip, "translation", {0, 0.5F, 1}, {0, 1, 0, 0, 2, 0, 0, 1, 0});
  add_channel(file, walk, bones.arm, "rotation", {0, 0.5F, 1},
              {0, 0, kHalf, kHalf, 0, 0, 0, 1, 0, 0, kHalf, kHalf});
  expect_same(file);
}

TEST(GltfRoundTrip, KeepsMorphTargets) {
  GlbFile file;
  const std::vector<float> up = {0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 2};
  const std::vector<float> out = {1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0};
  const int sparse =
      file.add("accessors", {{"componentType", 5126}, {"count", 4}, {"type", "VEC3"}});
  file.json["accessors"][static_cast<std::size_t>(sparse)]["sparse"] = {
      {"count", 1},
      {"indices",
       {{"bufferView", file.view(GlbFile::raw(std::vector<std::uint8_t>{2}))},
        {"componentType", 5121}}},
      {"values", {{"bufferView", file.view(GlbFile::raw(std::vector<float>{0, 0, 5}))}}}};
  GltfJson primitive =
      square(file, {{"NORMAL", file.floats("VEC3", {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1})}});
  primitive["targets"] = {
      {{"POSITION", file.floats("VEC3", up)},
       {"NORMAL", file.floats("VEC3", {0, 0, 0, 0, 0, 0, 0.5F, 0, 0, 0, 0, 0})}},
      {{"POSITION", file.floats("VEC3", out)}},
      {{"POSITION", sparse}}};
  const GltfJson names = {{"targetNames", {"Smile Left", "smile", "1st"}}};
  const int face =
      add_mesh(file, "face", {primitive}, {{"weights", {0.25, 0.0, 1.0}}, {"extras", names}});
  const int other =
      add_mesh(file, "other face", {primitive}, {{"weights", {0.0, 0.0, 0.0}}, {"extras", names}});
  const int a = file.node({{"name", "a"}, {"mesh", face}});
  const int b = file.node({{"name", "b"}, {"mesh", face}, {"weights", {0.5, -0.5, 2.0}}});
  const int c = file.node({{"name", "c"}, {"mesh", other}});
  file.scene({a, b, c});
  const int talk = add_animation(file, "talk");
  add_channel(file, talk, a, "weights", {0, 1, 2}, {0.25F, 0, 1, 1, 0.5F, 0, 0.5F, 1, 0.25F});
  expect_same(file);
}

TEST(GltfRoundTrip, KeepsAnimationOfNodes) {
  GlbFile file;
  const int mesh = add_mesh(file, "plate", {square(file)});
  const int a = file.node({{"name", "linear"}, {"mesh", mesh}});
  const int b = file.node({{"name", "steps"}, {"mesh", mesh}, {"translation", {1, 0, 0}}});
  const int c = file.node({{"name", "spline"}, {"mesh", mesh}});
  const int d =
      file.node({{"name", "late"}, {"translation", {0, 0, 1}}, {"mesh", mesh}, {"children", {c}}});
  file.scene({a, b, d});
  const int all = add_animation(file, "All of it");
  add_channel(file, all, a, "translation", {0, 1, 2}, {0, 0, 0, 1, 0, 0, 1, 5, 0});
  add_channel(file, all, a, "rotation", {0, 0.5F, 2},
              {0, 0, 0, 1, 0, 0, kHalf, kHalf, 0, kHalf, 0, kHalf});
  add_channel(file, all, a, "scale", {0, 2}, {1, 1, 1, 2, 3, 0.5F});
  add_channel(file, all, b, "translation", {0, 0.5F, 1}, {1, 0, 0, 2, 0, 0, 3, 0, 0}, "STEP");
  add_channel(file, all, c, "translation", {0, 2},
              {0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 1, 1, 0, 0, 0, 0}, "CUBICSPLINE");
  add_channel(file, all, d, "translation", {0.5F, 1.5F}, {0, 0, 1, 0, 0, 2});
  // A spline becomes keys that are at most 1e-4 of its range away.
  expect_same(file, 3e-4);
}

TEST(GltfRoundTrip, KeepsSeveralClips) {
  GlbFile file;
  const Bones bones = add_bones(file);
  std::vector<float> binds = moved_bind(0, -1, 0);
  for (int i = 0; i < 3; ++i) append(binds, moved_bind(-1, -1, static_cast<float>(i)));
  const int skin = file.add("skins", {{"name", "skin"},
                                      {"joints", {bones.hip, bones.arm, bones.end, bones.tail}},
                                      {"inverseBindMatrices", file.floats("MAT4", binds)}});
  const int mesh = add_mesh(file, "body", {skinned_square(file)});
  file.scene({bones.hip, file.node({{"name", "body"}, {"mesh", mesh}, {"skin", skin}})});
  const int walk = add_animation(file, "walk");
  add_channel(file, walk, bones.hip, "translation", {0, 1, 2}, {0, 1, 0, 1, 1, 0, 2, 1, 0});
  add_channel(file, walk, bones.tail, "scale", {0, 1, 2}, {1, 2, 1, 1, 1, 1, 1, 2, 1});
  const int wave = add_animation(file, "wave");
  add_channel(file, wave, bones.arm, "rotation", {0, 2}, {0, 0, kHalf, kHalf, 0, 0, 0, 1});
  expect_same(file, 1e-5, {{"wave", "/Scene/skin/wave"}});
}

}  // namespace
}  // namespace sinew::exporter::round_trip_motion_test
