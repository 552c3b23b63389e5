// SPDX-License-Identifier: Apache-2.0
// A glTF file that becomes a layer and a glTF file again is the same.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "export/gltf_import/imported.hpp"
#include "export/gltf_import/same_glb.hpp"
#include "sinew/export/glb.hpp"
#include "sinew/export/import_glb.hpp"

namespace sinew::exporter {
namespace {

using test::GlbFile;
using test::GltfJson;
using test::listed;

constexpr const char* kBodies = "KHR_physics_rigid_bodies";

struct RoundTrip {
  GlbFile file;
  std::string text;
  std::string said;
  std::string told;
};

/// glb, layer, text, stage, glb.
RoundTrip round_trip(const GlbFile& file, const std::vector<GlbClipRequest>& clips = {}) {
  RoundTrip result;
  Diagnostics said, told;
  auto imported = import_glb(file.bytes(), {}, said);
  result.said = listed(said);
  if (!imported) {
    ADD_FAILURE() << imported.error().message;
    return result;
  }
  stage::MemoryResolver resolver;
  result.text = usda::write(*imported->layer);
  resolver.add("imported.usda", result.text);
  for (const ImportedImage& image : imported->images) {
    resolver.add(image.name, std::string(image.bytes.text()));
  }
  stage::OpenOptions open;
  open.resolver = &resolver;
  const auto stage = stage::Stage::open("imported.usda", told, open);
  if (!stage) {
    ADD_FAILURE() << stage.error().message;
    return result;
  }
  GlbOptions options;
  options.resolver = &resolver;
  options.clips = clips;
  const auto again = write_glb(**stage, options, told);
  result.told = listed(told);
  if (!again) {
    ADD_FAILURE() << again.error().message;
    return result;
  }
  result.file = test::open_file(again->bytes.data(), again->bytes.size());
  return result;
}

void expect_same(const GlbFile& file, double curve_tolerance = 1e-5,
                 const std::vector<GlbClipRequest>& clips = {}) {
  const RoundTrip trip = round_trip(file, clips);
  EXPECT_EQ(trip.said, "");
  EXPECT_EQ(trip.told, "");
  test::SameGlb same(file, trip.file);
  same.curve_tolerance = curve_tolerance;
  same.expect();
  if (::testing::Test::HasFailure()) {
    ADD_FAILURE() << trip.text << "\n" << trip.file.json.dump(1);
  }
}

const std::vector<float> kSquare = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
const std::vector<float> kTilted = {0, 0, 1, 1, 0, 2, 1, 1, 3, 0, 1, 2};

GltfJson square(GlbFile& file, GltfJson attributes = GltfJson::object(),
                const std::vector<float>& points = kSquare) {
  if (!attributes.contains("POSITION")) attributes["POSITION"] = file.floats("VEC3", points);
  return {{"attributes", attributes},
          {"indices", file.accessor("SCALAR", std::vector<std::uint16_t>{0, 1, 2, 0, 2, 3})}};
}

int add_mesh(GlbFile& file, const std::string& name, std::vector<GltfJson> primitives,
             GltfJson more = GltfJson::object()) {
  GltfJson mesh = std::move(more);
  if (!name.empty()) mesh["name"] = name;
  mesh["primitives"] = primitives;
  return file.add("meshes", mesh);
}

int add_material(GlbFile& file, const std::string& name, GltfJson more = GltfJson::object()) {
  more["name"] = name;
  return file.add("materials", more);
}

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

constexpr float kHalf = 0.70710678F;

TEST(GltfRoundTrip, KeepsNodes) {
  GlbFile file;
  const int mesh = add_mesh(file, "plate", {square(file)});
  const int leaf = file.node({{"name", "empty leaf"}, {"translation", {0, 1, 0}}});
  const int unnamed = file.node({{"mesh", mesh}, {"scale", {1, 2, 3}}});
  const int mirrored = file.node({{"name", "mirrored"},
                                  {"mesh", mesh},
                                  {"rotation", {0, kHalf, 0, kHalf}},
                                  {"scale", {1, -2, 1}}});
  const int sheared = file.node({{"name", "sheared"},
                                 {"mesh", mesh},
                                 {"matrix", {1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 3, 4, 5, 1}}});
  const int group = file.node({{"name", "Group 1"},
                               {"translation", {1, 2, 3}},
                               {"children", {leaf, unnamed, mirrored, sheared}},
                               {"extras", {{"kind", "group"}, {"list", {1, 2.5, "three"}}}}});
  const int same_name = file.node({{"name", "mirrored"}, {"mesh", mesh}});
  const int other = file.node({{"name", "2nd root"}, {"children", {same_name}}});
  file.scene({group, other});
  file.json["scenes"][0]["name"] = "The scene";
  expect_same(file);
}

TEST(GltfRoundTrip, KeepsASingleRoot) {
  GlbFile file;
  const int mesh = add_mesh(file, "plate", {square(file)});
  const int child = file.node({{"name", "child"}, {"mesh", mesh}});
  const int below = file.node({{"name", "parent"},
                               {"mesh", mesh},
                               {"children", {child}},
                               {"rotation", {kHalf, 0, 0, kHalf}}});
  file.scene({file.node({{"name", "root"}, {"translation", {0, 0, 1}}, {"children", {below}}})});
  expect_same(file);
}

TEST(GltfRoundTrip, KeepsPrimitives) {
  GlbFile file;
  const int red = add_material(file, "Red Paint",
                               {{"pbrMetallicRoughness", {{"baseColorFactor", {1, 0, 0, 1}}}}});
  const int blue =
      add_material(file, "blue", {{"pbrMetallicRoughness", {{"baseColorFactor", {0, 0, 1, 1}}}}});
  const GltfJson pool = {
      {"POSITION", file.floats("VEC3", kSquare)},
      {"NORMAL", file.floats("VEC3", {0, 0, 1, 0, 0, 1, 0, 0, 1, 0.6F, 0, 0.8F})},
      {"TANGENT", file.floats("VEC4", {1, 0, 0, 1, 1, 0, 0, -1, 1, 0, 0, 1, 1, 0, 0, 1})},
      {"TEXCOORD_0", file.floats("VEC2", {0, 0, 1, 0, 1, 1, 0, 1})},
      {"TEXCOORD_1", file.floats("VEC2", {0.5F, 0, 0.25F, 0, 1, 0.75F, 0, 1})}};
  const auto part = [&](const std::vector<std::uint8_t>& indices, int material) {
    GltfJson primitive = {{"attributes", pool}, {"indices", file.accessor("SCALAR", indices)}};
    if (material >= 0) primitive["material"] = material;
    return primitive;
  };
  // One pool of vertices; a primitive without material between others, and two of one material.
  const int shared = add_mesh(
      file, "shared pool",
      {part({0, 1, 2}, red), part({0, 2, 3}, -1), part({1, 2, 3}, blue), part({3, 2, 1}, red)},
      {{"extras", {{"author", "hand"}}}});
  // Pools of their own, with other attributes.
  GltfJson plain = square(file);
  plain["material"] = red;
  GltfJson colored =
      square(file,
             {{"COLOR_0", file.accessor("VEC4",
                                        std::vector<std::uint8_t>{255, 0, 0, 255, 0, 255, 0, 128, 0,
                                                                  0, 255, 255, 51, 102, 153, 255},
                                        true)}},
             kTilted);
  colored["material"] = blue;
  GltfJson uncolored = square(
      file, {{"COLOR_0", file.floats("VEC3", {1, 0, 0, 0, 1, 0, 0, 0, 1, 0.5F, 0.5F, 0.5F})}});
  const int several = add_mesh(file, "several", {plain, colored, uncolored});
  const int child = file.node({{"name", "child"}, {"mesh", shared}});
  file.scene({file.node({{"name", "a"}, {"mesh", several}, {"children", {child}}}),
              file.node({{"name", "b"}, {"translation", {2, 0, 0}}})});
  expect_same(file);
}

TEST(GltfRoundTrip, KeepsMeshesShared) {
  GlbFile file;
  const int red = add_material(file, "red", {{"doubleSided", true}});
  GltfJson first = square(file);
  first["material"] = red;
  const int two = add_mesh(file, "two parts", {first, square(file, {}, kTilted)});
  const int one = add_mesh(file, "one", {square(file, {}, kTilted)});
  const int twin = add_mesh(file, "one more", {square(file, {}, kTilted)});
  const int below = file.node({{"name", "below"}, {"mesh", one}});
  file.scene({file.node({{"name", "a"}, {"mesh", two}}),
              file.node({{"name", "b"}, {"mesh", two}, {"scale", {2, 2, 2}}}),
              file.node({{"name", "c"}, {"mesh", one}, {"children", {below}}}),
              file.node({{"name", "d"}, {"mesh", one}}),
              file.node({{"name", "e"}, {"mesh", twin}})});
  expect_same(file);
  const RoundTrip trip = round_trip(file);
  EXPECT_EQ(test::SameGlb::count(trip.file, "meshes"), 3U);
  // The points of each mesh stand in the layer once.
  std::size_t arrays = 0;
  for (std::size_t at = 0; (at = trip.text.find("point3f[] points", at)) != std::string::npos;
       ++at) {
    ++arrays;
  }
  EXPECT_EQ(arrays, 4U);
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

TEST(GltfRoundTrip, KeepsCameras) {
  GlbFile file;
  const int wide = file.add(
      "cameras",
      {{"name", "wide lens"},
       {"type", "perspective"},
       {"perspective", {{"aspectRatio", 1.7777}, {"yfov", 1.1}, {"znear", 0.1}, {"zfar", 50.0}}}});
  const int flat = file.add(
      "cameras", {{"name", "flat"},
                  {"type", "orthographic"},
                  {"orthographic", {{"xmag", 3.0}, {"ymag", 2.0}, {"znear", 0.5}, {"zfar", 9.0}}}});
  const int mesh = add_mesh(file, "box", {square(file)});
  const int child = file.node({{"name", "child"}, {"camera", flat}, {"translation", {0, 1, 0}}});
  file.scene(
      {file.node({{"name", "both"}, {"camera", wide}, {"mesh", mesh}, {"children", {child}}})});
  expect_same(file);
}

TEST(GltfRoundTrip, KeepsMaterials) {
  GlbFile file;
  const auto image = [&](const std::string& name, const std::string& bytes, const char* type) {
    return file.add("images",
                    {{"name", name}, {"mimeType", type}, {"bufferView", file.view(bytes)}});
  };
  const int png = image("wood", std::string("\x89PNG\r\n\x1A\n wood"), "image/png");
  const int jpg = image("rough", std::string("\xFF\xD8\xFF rough"), "image/jpeg");
  const int sampler = file.add("samplers", {{"wrapS", 33071}, {"wrapT", 33648}});
  const int wood = file.add("textures", {{"source", png}});
  const int clamped = file.add("textures", {{"source", jpg}, {"sampler", sampler}});
  const GltfJson transform = {
      {"KHR_texture_transform",
       {{"offset", {0.25, 0.5}}, {"rotation", 0.6}, {"scale", {2.0, 3.0}}}}};
  file.json["extensionsUsed"] = {"KHR_texture_transform", "KHR_materials_emissive_strength",
                                 "KHR_materials_ior", "KHR_materials_clearcoat"};
  std::vector<int> materials;
  materials.push_back(
      add_material(file, "All Of It",
                   {{"pbrMetallicRoughness",
                     {{"baseColorFactor", {0.5, 0.25, 1.0, 1.0}},
                      {"baseColorTexture", {{"index", wood}, {"extensions", transform}}},
                      {"metallicFactor", 0.5},
                      {"roughnessFactor", 0.25},
                      {"metallicRoughnessTexture", {{"index", clamped}}}}},
                    {"normalTexture", {{"index", clamped}, {"scale", 0.5}}},
                    {"occlusionTexture", {{"index", clamped}, {"texCoord", 1}, {"strength", 0.75}}},
                    {"emissiveFactor", {1.0, 0.5, 0.0}},
                    {"emissiveTexture", {{"index", wood}}},
                    {"extensions",
                     {{"KHR_materials_emissive_strength", {{"emissiveStrength", 4.0}}},
                      {"KHR_materials_ior", {{"ior", 1.25}}},
                      {"KHR_materials_clearcoat",
                       {{"clearcoatFactor", 0.5}, {"clearcoatRoughnessFactor", 0.25}}}}},
                    {"extras", {{"finish", "matt"}}}}));
  materials.push_back(
      add_material(file, "cut",
                   {{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", wood}}}}},
                    {"alphaMode", "MASK"},
                    {"alphaCutoff", 0.25},
                    {"doubleSided", true}}));
  materials.push_back(
      add_material(file, "glass",
                   {{"pbrMetallicRoughness",
                     {{"baseColorFactor", {1.0, 1.0, 1.0, 0.25}}, {"metallicFactor", 0.0}}},
                    {"alphaMode", "BLEND"}}));
  materials.push_back(add_material(file, "blended", {{"alphaMode", "BLEND"}}));
  materials.push_back(add_material(file, "default", {}));
  const GltfJson uvs = {{"POSITION", file.floats("VEC3", kSquare)},
                        {"TEXCOORD_0", file.floats("VEC2", {0, 0, 1, 0, 1, 1, 0, 1})},
                        {"TEXCOORD_1", file.floats("VEC2", {1, 0, 1, 1, 0, 1, 0, 0})}};
  std::vector<int> roots;
  for (const int material : materials) {
    GltfJson primitive = square(file, uvs);
    primitive["material"] = material;
    const std::string name = "m" + std::to_string(material);
    roots.push_back(file.node({{"name", name}, {"mesh", add_mesh(file, name, {primitive})}}));
  }
  file.scene(roots);
  expect_same(file);
}

TEST(GltfRoundTrip, KeepsPhysics) {
  GlbFile file;
  file.json["extensionsUsed"] = {kBodies, "KHR_implicit_shapes"};
  const auto shape = [&](GltfJson item) {
    GltfJson& list = file.json["extensions"]["KHR_implicit_shapes"]["shapes"];
    list.push_back(std::move(item));
    return static_cast<int>(list.size()) - 1;
  };
  const int ball = shape({{"type", "sphere"}, {"sphere", {{"radius", 0.75}}}});
  const int cube = shape({{"type", "box"}, {"box", {{"size", {2.0, 2.0, 2.0}}}}});
  const int slab = shape({{"type", "box"}, {"box", {{"size", {4.0, 0.5, 2.0}}}}});
  const int pill =
      shape({{"type", "capsule"},
             {"capsule", {{"height", 1.5}, {"radiusBottom", 0.5}, {"radiusTop", 0.5}}}});
  const int drop =
      shape({{"type", "capsule"},
             {"capsule", {{"height", 1.5}, {"radiusBottom", 0.5}, {"radiusTop", 0.25}}}});
  const int can =
      shape({{"type", "cylinder"},
             {"cylinder", {{"height", 2.0}, {"radiusBottom", 0.5}, {"radiusTop", 0.5}}}});
  const int cup =
      shape({{"type", "cylinder"},
             {"cylinder", {{"height", 2.0}, {"radiusBottom", 0.5}, {"radiusTop", 0.75}}}});
  const int ground = shape({{"type", "plane"}, {"plane", GltfJson::object()}});
  GltfJson& physics = file.json["extensions"][kBodies];
  physics["physicsMaterials"] = {
      {{"staticFriction", 0.75}, {"dynamicFriction", 0.5}, {"restitution", 0.25}}};
  physics["collisionFilters"] = {{{"collisionSystems", {"a"}}, {"notCollideWithSystems", {"a"}}}};
  const GltfJson all = {0, 1, 2};
  const auto lock = [](const char* axes, GltfJson which) {
    return GltfJson{{axes, std::move(which)}, {"min", 0.0}, {"max", 0.0}};
  };
  physics["physicsJoints"] = {
      {{"limits", {lock("linearAxes", all), lock("angularAxes", all)}}},
      {{"limits",
        {lock("linearAxes", all),
         lock("angularAxes", {0, 1}),
         {{"angularAxes", {2}}, {"min", -0.5}, {"max", 1.0}}}},
       {"drives",
        {{{"type", "angular"},
          {"mode", "force"},
          {"axis", 2},
          {"maxForce", 12.0},
          {"positionTarget", 0.25},
          {"stiffness", 100.0},
          {"velocityTarget", 0.5},
          {"damping", 3.0}}}}},
      {{"limits",
        {lock("angularAxes", all),
         lock("linearAxes", {1, 2}),
         {{"linearAxes", {0}}, {"min", -2.0}, {"max", 3.0}}}}},
      {{"limits",
        {lock("linearAxes", all), {{"angularAxes", {1, 2}}, {"min", 0.0}, {"max", 0.75}}}}},
      {{"limits", {{{"linearAxes", all}, {"min", 0.5}, {"max", 2.0}}}}}};
  const int mesh = add_mesh(file, "crate", {square(file)});
  const int hull = add_mesh(file, "hull", {square(file, {}, kTilted)});
  std::vector<int> bodies, roots;
  const auto with = [](GltfJson node, const char* key, GltfJson value) {
    node["extensions"][kBodies][key] = std::move(value);
    return node;
  };
  const auto body = [&](const std::string& name, float x, GltfJson node = GltfJson::object()) {
    node["name"] = name;
    node["translation"] = {x, 1.0, 0.0};
    bodies.push_back(file.node(with(node, "motion",
                                    {{"mass", 2.0 + static_cast<double>(x)},
                                     {"centerOfMass", {0.0, 0.25, 0.0}},
                                     {"inertiaDiagonal", {1.0, 2.0, 1.5}},
                                     {"inertiaOrientation", {0.0, 0.0, 0.6, 0.8}},
                                     {"linearVelocity", {1.0, 0.0, 0.0}},
                                     {"angularVelocity", {0.0, 0.5, 0.0}}})));
    roots.push_back(bodies.back());
    return bodies.back();
  };
  const auto collider = [&](const std::string& name, int which, GltfJson more = GltfJson::object(),
                            GltfJson node = GltfJson::object()) {
    more["geometry"]["shape"] = which;
    node["name"] = name;
    return file.node(with(node, "collider", more));
  };
  // Colliders below a body, one on the body itself, one with a mesh of the body, a hull.
  body("a", 0,
       {{"children",
         {collider("ball", ball, {{"physicsMaterial", 0}}, {{"translation", {0, 1, 0}}}),
          collider("cube", cube, {}, {{"rotation", {0, 0.6, 0, 0.8}}}), collider("slab", slab),
          collider("pill", pill), collider("drop", drop), collider("can", can),
          collider("cup", cup)}}});
  body("b", 4,
       with({{"mesh", mesh}}, "collider",
            {{"geometry", {{"shape", slab}}}, {"collisionFilter", 0}}));
  body("c", 8, with({{"mesh", mesh}}, "collider", {{"geometry", {{"mesh", mesh}}}}));
  // A joint keeps neighbours apart; a filter those that have none.
  body("d", 12,
       with({}, "collider",
            {{"geometry", {{"mesh", hull}, {"convexHull", true}}}, {"collisionFilter", 0}}));
  body("e", 16, {{"children", {collider("e_ball", ball)}}});
  body("f", 20, {{"children", {collider("f_ball", ball)}}});
  roots.push_back(collider("ground", ground));
  // Joints between neighbours, in frames of their own.
  for (int i = 0; i < 5; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const std::string name = "joint" + std::to_string(i);
    const int end = file.node({{"name", name + " end"}, {"translation", {-2, 0, 0}}});
    const int start = file.node(with({{"name", name}, {"translation", {2, 0, 0}}}, "joint",
                                     {{"connectedNode", end}, {"joint", i}}));
    file.json["nodes"][static_cast<std::size_t>(bodies[at])]["children"].push_back(start);
    file.json["nodes"][static_cast<std::size_t>(bodies[at + 1])]["children"].push_back(end);
  }
  file.scene(roots);
  expect_same(file);
}

}  // namespace
}  // namespace sinew::exporter
