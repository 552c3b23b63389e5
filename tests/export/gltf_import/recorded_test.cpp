// SPDX-License-Identifier: Apache-2.0
// A file with some of everything, as a layer line by line; and each place of its JSON with
// something wrong in it, with everything that is said of it, as recorded.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "export/gltf_import/imported.hpp"
#include "support/recorded.hpp"
#include "support/sanitized.hpp"

namespace sinew::exporter::gltf_import_recorded_test {
namespace {

using test::GlbFile;
using test::GltfJson;

GlbFile everything() {
  GlbFile file;
  const std::vector<float> square = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
  GltfJson primitive;
  primitive["attributes"] = {
      {"POSITION", file.floats("VEC3", square)},
      {"NORMAL", file.floats("VEC3", {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1})},
      {"TANGENT", file.floats("VEC4", {1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, -1})},
      {"TEXCOORD_0", file.floats("VEC2", {0, 0, 1, 0, 1, 1, 0, 1})},
      {"COLOR_0", file.accessor("VEC4", std::vector<std::uint8_t>(16, 128), true)},
      {"JOINTS_0", file.accessor("VEC4", std::vector<std::uint8_t>{0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0,
                                                                   0, 0, 1, 0, 0})},
      {"WEIGHTS_0",
       file.floats("VEC4", {1, 0, 0, 0, 0.5, 0.5, 0, 0, 0.25, 0.75, 0, 0, 0, 1, 0, 0})}};
  primitive["indices"] = file.accessor("SCALAR", std::vector<std::uint16_t>{0, 1, 2, 0, 2, 3});
  primitive["targets"] = {{{"POSITION", file.floats("VEC3", std::vector<float>(12, 0.5F))},
                           {"NORMAL", file.floats("VEC3", std::vector<float>(12, 0.25F))}}};
  primitive["material"] = 0;
  GltfJson lines = {{"attributes", {{"POSITION", 0}}}, {"mode", 1}};
  file.add("meshes", {{"name", "skinned"},
                      {"primitives", GltfJson::array({primitive})},
                      {"weights", {0.5}},
                      {"extras", {{"targetNames", {"smile"}}}}});
  file.add("meshes", {{"primitives",
                       GltfJson::array({{{"attributes", {{"POSITION", 0}}}, {"material", 1}}})}});
  file.json["meshes"][1]["primitives"][0]["indices"] =
      file.accessor("SCALAR", std::vector<std::uint8_t>{0, 1, 2, 3});
  file.json["meshes"][1]["primitives"][0]["mode"] = 5;
  file.add("meshes", {{"primitives", GltfJson::array({lines})}});
  const int sparse_indices = file.view(GlbFile::raw(std::vector<std::uint16_t>{1, 3}));
  const int sparse_values = file.view(GlbFile::raw(std::vector<float>{9, 9, 9, 8, 8, 8}));
  file.json["accessors"][0]["sparse"] = {
      {"count", 2},
      {"indices", {{"bufferView", sparse_indices}, {"componentType", 5123}}},
      {"values", {{"bufferView", sparse_values}}}};

  const GltfJson texture = {{"index", 0},
                            {"texCoord", 0},
                            {"extensions",
                             {{"KHR_texture_transform",
                               {{"offset", {0.5, 0.25}}, {"scale", {2, 3}}, {"rotation", 0.5}}}}}};
  file.add("materials", {{"name", "cloth"},
                         {"pbrMetallicRoughness",
                          {{"baseColorFactor", {0.5, 0.25, 0.125, 0.75}},
                           {"baseColorTexture", texture},
                           {"metallicFactor", 0.5},
                           {"roughnessFactor", 0.25},
                           {"metallicRoughnessTexture", texture}}},
                         {"normalTexture", {{"index", 0}, {"scale", 0.5}}},
                         {"occlusionTexture", {{"index", 0}, {"strength", 0.5}}},
                         {"emissiveFactor", {0.5, 0.25, 1}},
                         {"emissiveTexture", {{"index", 1}}},
                         {"alphaMode", "MASK"},
                         {"alphaCutoff", 0.75},
                         {"doubleSided", true},
                         {"extensions",
                          {{"KHR_materials_emissive_strength", {{"emissiveStrength", 2}}},
                           {"KHR_materials_ior", {{"ior", 1.25}}},
                           {"KHR_materials_clearcoat",
                            {{"clearcoatFactor", 0.5}, {"clearcoatRoughnessFactor", 0.25}}}}}});
  file.add("materials", {{"alphaMode", "BLEND"}});
  file.add("textures", {{"source", 0}, {"sampler", 0}});
  file.add("textures", {{"source", 1}});
  file.add("samplers", {{"wrapS", 33071}, {"wrapT", 33648}});
  file.add("images", {{"bufferView", file.view("\x89PNG....")}, {"mimeType", "image/png"}});
  file.add("images", {{"uri", "data:image/jpeg;base64,/9j/4AAQ"}, {"name", "glow"}});
  file.add("cameras",
           {{"type", "perspective"},
            {"perspective", {{"yfov", 0.6}, {"znear", 0.1}, {"zfar", 50}, {"aspectRatio", 1.5}}}});
  file.add("cameras", {{"type", "orthographic"},
                       {"orthographic", {{"xmag", 2}, {"ymag", 3}, {"znear", 0.1}, {"zfar", 50}}}});

  file.node({{"name", "body"}, {"mesh", 0}, {"skin", 0}, {"weights", {0.25}}});
  file.node({{"name", "hip"},
             {"children", {2}},
             {"translation", {0, 1, 0}},
             {"rotation", {0, 0.6, 0, 0.8}},
             {"scale", {1, 2, 1}}});
  file.node({{"name", "knee"}, {"translation", {0, 1, 0}}});
  file.node({{"camera", 0}, {"matrix", {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 4, 5, 6, 1}}});
  file.node({{"camera", 1}});
  file.node({{"mesh", 1},
             {"extensions",
              {{"EXT_mesh_gpu_instancing",
                {{"attributes",
                  {{"TRANSLATION", file.floats("VEC3", {1, 0, 0, 2, 0, 0})},
                   {"ROTATION", file.floats("VEC4", {0, 0, 0, 1, 0, 1, 0, 0})},
                   {"SCALE", file.floats("VEC3", {1, 1, 1, 2, 2, 2})}}}}}}}});
  const auto rigid = [](GltfJson json) {
    return GltfJson{{"KHR_physics_rigid_bodies", std::move(json)}};
  };
  file.node(
      {{"name", "ball"},
       {"translation", {0, 9, 0}},
       {"extensions",
        rigid(
            {{"motion",
              {{"mass", 2},
               {"inertiaDiagonal", {0.5, 0.25, 0.125}},
               {"inertiaOrientation", {0, 0, 0, 1}},
               {"centerOfMass", {0, 0.5, 0}},
               {"linearVelocity", {1, 2, 3}},
               {"angularVelocity", {3, 2, 1}},
               {"gravityFactor", 1}}},
             {"collider",
              {{"geometry", {{"shape", 0}}}, {"physicsMaterial", 0}, {"collisionFilter", 0}}}})}});
  file.node(
      {{"name", "door"},
       {"extensions",
        rigid({{"motion", {{"isKinematic", true}}},
               {"collider",
                {{"geometry", {{"mesh", 1}, {"convexHull", true}}}, {"collisionFilter", 1}}},
               {"joint", {{"connectedNode", 6}, {"joint", 0}, {"enableCollision", true}}}})}});
  file.node({{"name", "shapes"}, {"children", {9, 10, 11, 12}}});
  for (int shape = 1; shape < 5; ++shape) {
    file.node({{"extensions", rigid({{"collider", {{"geometry", {{"shape", shape}}}}}})}});
  }
  file.json["extensions"]["KHR_implicit_shapes"]["shapes"] = {
      {{"type", "sphere"}, {"sphere", {{"radius", 0.5}}}},
      {{"type", "box"}, {"box", {{"size", {1, 2, 3}}}}},
      {{"type", "capsule"},
       {"capsule", {{"height", 2}, {"radiusTop", 0.25}, {"radiusBottom", 0.25}}}},
      {{"type", "cylinder"},
       {"cylinder", {{"height", 2}, {"radiusTop", 0.25}, {"radiusBottom", 0.5}}}},
      {{"type", "plane"}, {"plane", {{"sizeX", 4}, {"sizeZ", 5}}}}};
  file.json["extensions"]["KHR_physics_rigid_bodies"] = {
      {"physicsMaterials",
       {{{"staticFriction", 0.5},
         {"dynamicFriction", 0.25},
         {"restitution", 0.125},
         {"frictionCombine", "average"},
         {"restitutionCombine", "maximum"}}}},
      {"collisionFilters",
       {{{"collisionSystems", {"balls"}}, {"notCollideWithSystems", {"doors"}}},
        {{"collisionSystems", {"doors"}}, {"collideWithSystems", {"floors"}}}}},
      {"physicsJoints",
       {{{"limits",
          {{{"linearAxes", {0, 1, 2}}, {"min", 0}, {"max", 0}},
           {{"angularAxes", {1, 2}}, {"min", 0}, {"max", 0}},
           {{"angularAxes", {0}}, {"min", -0.5}, {"max", 1.5}, {"stiffness", 9}, {"damping", 1}}}},
         {"drives",
          {{{"type", "angular"},
            {"mode", "force"},
            {"axis", 0},
            {"maxForce", 8},
            {"positionTarget", 0.5},
            {"velocityTarget", 0.25},
            {"stiffness", 7},
            {"damping", 6}}}}}}}};
  const std::vector<float> binds = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 1,
                                    1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -2, 0, 1};
  file.add(
      "skins",
      {{"joints", {1, 2}}, {"skeleton", 1}, {"inverseBindMatrices", file.floats("MAT4", binds)}});
  const int times = file.floats("SCALAR", {0, 1});
  const auto channel = [](int sampler, int node, const char* path) {
    return GltfJson{{"sampler", sampler}, {"target", {{"node", node}, {"path", path}}}};
  };
  file.add("animations", {{"name", "walk"},
                          {"channels",
                           {channel(0, 1, "translation"), channel(1, 2, "rotation"),
                            channel(2, 0, "weights"), channel(3, 4, "scale")}},
                          {"samplers",
                           {{{"input", times}, {"output", file.floats("VEC3", {0, 0, 0, 1, 0, 0})}},
                            {{"input", times},
                             {"interpolation", "STEP"},
                             {"output", file.floats("VEC4", {0, 0, 0, 1, 0, 1, 0, 0})}},
                            {{"input", times}, {"output", file.floats("SCALAR", {0, 1})}},
                            {{"input", times},
                             {"interpolation", "CUBICSPLINE"},
                             {"output", file.floats("VEC3", {0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 2,
                                                             2, 2, 0, 0, 0})}}}}});
  file.scene({0, 1, 3, 4, 5, 6, 7, 8});
  file.json["scenes"][0]["name"] = "stage";
  file.json["scene"] = 0;
  file.json["buffers"] = GltfJson::array({{{"byteLength", file.bin.size()}}});
  return file;
}

// Every place, but of several equal things the first two.
void add_places(const GltfJson& json, const std::string& place, std::vector<std::string>& places) {
  if (!place.empty()) places.push_back(place);
  if (!json.is_structured()) return;
  const bool is_numbers = json.is_array() && !json.empty() && json[0].is_number();
  std::size_t taken = 0;
  for (const auto& [key, value] : json.items()) {
    if (++taken > (is_numbers ? 1U : json.is_array() && json.size() > 6 ? 4U : 99U)) break;
    add_places(value, place + "/" + key, places);
  }
}

std::string said_of(const GlbFile& file) {
  Diagnostics said;
  const auto made = import_glb(file.bytes(), {}, said);
  std::string text = test::lines_of(said, "  ");
  if (!made) text += fmt::format("  refused: {}\n", to_string(made.error().code));
  return text;
}

TEST(RecordedGlb, IsTheSameLineByLine) {
  Diagnostics said;
  const auto made = import_glb(everything().bytes(), {}, said);
  ASSERT_TRUE(made) << made.error().message;
  const GlbCounts& c = made->counts;
  std::string text = fmt::format(
      "# nodes {} meshes {} points {} faces {} skeletons {} joints {} blend shapes {} "
      "animations {} cameras {} materials {} images {} bodies {} colliders {} physics "
      "joints {}\n",
      c.nodes, c.meshes, c.points, c.faces, c.skeletons, c.joints, c.blend_shapes, c.animations,
      c.cameras, c.materials, c.images, c.bodies, c.colliders, c.physics_joints);
  text += test::lines_of(said) + usda::write(*made->layer);
  for (const ImportedImage& file : made->images) {
    text += fmt::format("# {}: {} bytes\n", file.name, file.bytes.size());
  }
  test::expect_recorded("everything.glb.txt", test::with_short_lines(text));
}

TEST(RecordedGlb, IsToldWhatIsWrongInEveryPlace) {
  const GlbFile good = everything();
  const std::string unchanged = said_of(good);
  std::vector<std::string> places;
  add_places(good.json, "", places);
  std::string text;
  std::size_t turn = 0;
  for (const std::string& place : places) {
    std::map<std::string, std::string> values_by_said;
    for (const char* value : {"nothing", "-1", "1.5", "\"x\"", "{}", "70000"}) {
      // Under a sanitizer, where all of them take minutes, one in five.
      if (SINEW_TEST_SANITIZED != 0 && turn++ % 5 != 0) continue;
      GlbFile file = good;
      const GltfJson::json_pointer pointer(place);
      if (*value != 'n') {
        file.json[pointer] = GltfJson::parse(value);
      } else if (file.json[pointer.parent_pointer()].is_object()) {
        file.json[pointer.parent_pointer()].erase(pointer.back());
      } else {
        file.json[pointer] = nullptr;
      }
      // What is said of the good file too is not repeated.
      std::istringstream lines(said_of(file));
      std::string said;
      for (std::string line; std::getline(lines, line);) {
        if (unchanged.find(line + "\n") == std::string::npos) said += line + "\n";
      }
      if (said.empty()) continue;
      std::string& values = values_by_said[said];
      values += std::string(values.empty() ? "" : ", ") + value;
    }
    for (const auto& [said, values] : values_by_said) {
      text += fmt::format("{} = {}\n{}", place, values, said);
    }
  }
  if (SINEW_TEST_SANITIZED == 0) test::expect_recorded("faults.glb.txt", text);
  EXPECT_GT(text.size(), 10000U);
}

}  // namespace
}  // namespace sinew::exporter::gltf_import_recorded_test
