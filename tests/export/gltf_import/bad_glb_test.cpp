// SPDX-License-Identifier: Apache-2.0
// Broken files: each fault is told with the JSON pointer of its place, and the rest is still read.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <regex>

#include "export/gltf_import/container.hpp"
#include "export/gltf_import/imported.hpp"
#include "support/random.hpp"

namespace sinew::exporter::bad_glb_test {
namespace {

using test::GlbFile;
using test::GltfJson;
using test::lines_of;

// A file with some of everything: a skinned, morphing square that moves.
GlbFile good_file() {
  GlbFile file;
  GltfJson primitive;
  primitive["attributes"] = {
      {"POSITION", file.floats("VEC3", {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0})},
      {"JOINTS_0", file.accessor("VEC4", std::vector<std::uint8_t>(16, 0))},
      {"WEIGHTS_0", file.floats("VEC4", {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0})}};
  primitive["indices"] = file.accessor("SCALAR", std::vector<std::uint16_t>{0, 1, 2, 0, 2, 3});
  primitive["targets"] = {{{"POSITION", file.floats("VEC3", std::vector<float>(12, 1.0F))}}};
  primitive["material"] = 0;
  file.add("materials", {{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 0}}}}}});
  file.add("textures", {{"source", 0}});
  file.add("images", {{"bufferView", file.view("\x89PNG....")}});
  file.add("meshes", {{"primitives", GltfJson::array({primitive})}, {"weights", {0.5}}});
  file.add("cameras", {{"type", "perspective"}, {"perspective", {{"yfov", 0.6}, {"znear", 0.1}}}});
  file.node({{"mesh", 0}, {"skin", 0}});
  file.node({{"name", "joint"}, {"children", {2}}, {"translation", {0, 1, 0}}});
  file.node({{"camera", 0}, {"rotation", {0, 0, 0, 1}}});
  const std::vector<float> identity = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  file.add("skins", {{"joints", {1}}, {"inverseBindMatrices", file.floats("MAT4", identity)}});
  file.add("animations",
           {{"channels", {{{"sampler", 0}, {"target", {{"node", 1}, {"path", "translation"}}}}}},
            {"samplers",
             {{{"input", file.floats("SCALAR", {0, 1})},
               {"output", file.floats("VEC3", {0, 0, 0, 1, 0, 0})}}}}});
  file.scene({0, 1});
  return file;
}

struct Outcome {
  bool is_read = false;
  ErrorCode code = ErrorCode::ok;
  Diagnostics said;
};

Outcome read(const Bytes& bytes) {
  Outcome outcome;
  const auto made = import_glb(bytes, {}, outcome.said);
  outcome.is_read = made.has_value();
  if (!made) outcome.code = made.error().code;
  return outcome;
}

TEST(BadGlb, BeginsWithAGoodOne) {
  const Outcome outcome = read(good_file().bytes());
  EXPECT_TRUE(outcome.is_read);
  EXPECT_EQ(lines_of(outcome.said), "");
}

struct Case {
  const char* place;  ///< What is replaced, as a pointer; a key that is not there is added.
  const char* value;  ///< By this JSON; empty: it is taken away.
  const char* told;   ///< Pointer of the diagnostic.
  const char* code;
  ErrorCode refused = ErrorCode::ok;
};

// Pointers of accessors: 0 positions, 1 joints, 2 weights, 3 indices, 4 target, 5 binds, 6 times,
// 7 keys.
const Case kCases[] = {
    {"/asset/version", "", "/asset/version", "gltf-version", ErrorCode::corrupt},
    {"/asset/version", "\"1.0\"", "/asset/version", "gltf-version", ErrorCode::unsupported},
    {"/extensionsRequired", "[\"KHR_draco_mesh_compression\"]", "/extensionsRequired/0",
     "gltf-extension-required", ErrorCode::unsupported},
    {"/nodes/1/children", "[9]", "/nodes/1/children/0", "gltf-index", ErrorCode::corrupt},
    {"/nodes/2/children", "[1]", "/nodes/1", "gltf-node-tree", ErrorCode::corrupt},
    {"/nodes/0/children", "[2]", "/nodes/1/children/0", "gltf-node-tree", ErrorCode::corrupt},
    {"/nodes/0/mesh", "7", "/nodes/0/mesh", "gltf-index"},
    {"/nodes/0/mesh", "-1", "/nodes/0/mesh", "gltf-index"},
    {"/nodes/0/mesh", "\"square\"", "/nodes/0/mesh", "gltf-type"},
    {"/nodes/0/skin", "1", "/nodes/0/skin", "gltf-index"},
    {"/nodes/2/camera", "1.5", "/nodes/2/camera", "gltf-index"},
    {"/nodes/1/translation", "[1, 2]", "/nodes/1/translation", "gltf-type"},
    {"/nodes/1/translation", "[1, 2, \"3\"]", "/nodes/1/translation/2", "gltf-type"},
    {"/nodes/1/translation", "[1, 2, 1e300]", "/nodes/1/translation", "gltf-number"},
    {"/nodes/2/rotation", "[0, 0, 0, 0]", "/nodes/2/rotation", "gltf-rotation"},
    {"/nodes/2/rotation", "[0, 0, 0, 2]", "/nodes/2/rotation", "gltf-rotation"},
    {"/nodes/2/matrix", "[1,0,0,1, 0,1,0,0, 0,0,1,0, 0,0,0,1]", "/nodes/2/matrix", "gltf-matrix"},
    {"/scenes/0/nodes", "[0, 1, 2]", "/scenes/0/nodes/2", "gltf-scene-root"},
    {"/scene", "3", "/scene", "gltf-index"},
    {"/meshes/0/primitives", "[]", "/meshes/0/primitives", "gltf-missing"},
    {"/meshes/0/primitives/0/indices", "99", "/meshes/0/primitives/0/indices", "gltf-index"},
    {"/meshes/0/primitives/0/indices", "0", "/meshes/0/primitives/0/indices", "gltf-accessor-type"},
    {"/meshes/0/primitives/0/mode", "7", "/meshes/0/primitives/0/mode", "gltf-number"},
    {"/meshes/0/primitives/0/attributes/POSITION", "", "/meshes/0/primitives/0/attributes/POSITION",
     "gltf-missing"},
    {"/meshes/0/primitives/0/attributes/POSITION", "3",
     "/meshes/0/primitives/0/attributes/POSITION", "gltf-accessor-type"},
    {"/meshes/0/primitives/0/attributes/NORMAL", "7", "/meshes/0/primitives/0/attributes/NORMAL",
     "gltf-attribute-count"},
    {"/meshes/0/primitives/0/attributes/WEIGHTS_0", "", "/meshes/0/primitives/0/attributes",
     "gltf-influences"},
    {"/meshes/0/primitives/0/material", "1", "/meshes/0/primitives/0/material", "gltf-index"},
    {"/meshes/0/weights", "[1, 2]", "/meshes/0/weights", "gltf-morph-targets"},
    {"/nodes/0/weights", "[1, 2]", "/nodes/0/weights", "gltf-morph-targets"},
    {"/accessors/0/count", "5", "/accessors/0/bufferView", "gltf-accessor"},
    {"/accessors/0/count", "4000000000", "/accessors/0/bufferView", "gltf-accessor"},
    {"/accessors/0/count", "0", "/accessors/0/count", "gltf-accessor"},
    {"/accessors/0/count", "-4", "/accessors/0/count", "gltf-number"},
    {"/accessors/0/count", "1e20", "/accessors/0/count", "gltf-number"},
    {"/accessors/0/byteOffset", "4", "/accessors/0/bufferView", "gltf-accessor"},
    {"/accessors/0/byteOffset", "18446744073709551615", "/accessors/0/byteOffset", "gltf-number"},
    {"/accessors/0/componentType", "5124", "/accessors/0/componentType", "gltf-component-type"},
    {"/accessors/0/componentType", "", "/accessors/0/componentType", "gltf-missing"},
    {"/accessors/0/type", "\"VEC5\"", "/accessors/0/type", "gltf-accessor-type"},
    {"/accessors/0/bufferView", "99", "/accessors/0/bufferView", "gltf-index"},
    {"/accessors/0/sparse", "{\"count\": 1}", "/accessors/0/sparse/indices/componentType",
     "gltf-missing"},
    {"/accessors/0/sparse",
     "{\"count\": 1, \"indices\": {\"bufferView\": 6, \"componentType\": 5125}, \"values\": "
     "{\"bufferView\": 0}}",
     "/accessors/0/sparse/indices", "gltf-sparse"},
    {"/bufferViews/0/byteStride", "4", "/bufferViews/0/byteStride", "gltf-stride"},
    {"/bufferViews/0/byteStride", "24", "/accessors/0/bufferView", "gltf-accessor"},
    {"/bufferViews/0/byteLength", "99999", "/bufferViews/0", "gltf-buffer-view"},
    {"/bufferViews/0/byteOffset", "9007199254740991", "/bufferViews/0", "gltf-buffer-view"},
    {"/bufferViews/0/buffer", "1", "/bufferViews/0/buffer", "gltf-index"},
    {"/buffers", "[{\"byteLength\": 99999}]", "/buffers/0/byteLength", "gltf-buffer"},
    {"/buffers", "[{\"byteLength\": 9, \"uri\": \"x.bin\"}]", "/buffers/0/uri", "gltf-buffer"},
    {"/buffers", "[{\"byteLength\": 9, \"uri\": \"data:;base64,A?\"}]", "/buffers/0/uri",
     "gltf-uri"},
    {"/skins/0/joints", "[]", "/skins/0/joints", "gltf-missing"},
    {"/skins/0/joints", "[1, 1]", "/skins/0/joints/1", "gltf-skin-joint"},
    {"/skins/0/joints", "[1, 2]", "/skins/0/inverseBindMatrices", "gltf-inverse-binds"},
    {"/skins/0/joints", "[17]", "/skins/0/joints/0", "gltf-index"},
    {"/animations/0/channels/0/sampler", "1", "/animations/0/channels/0/sampler", "gltf-index"},
    {"/animations/0/channels/0/target/path", "\"color\"", "/animations/0/channels/0/target/path",
     "gltf-animation-path"},
    {"/animations/0/channels/0/target/node", "55", "/animations/0/channels/0/target/node",
     "gltf-index"},
    {"/animations/0/channels/0/target/path", "\"weights\"", "/animations/0/channels/0/target",
     "gltf-animation-target"},
    {"/animations/0/samplers/0/interpolation", "\"CUBICSPLINE\"", "/animations/0/samplers/0/output",
     "gltf-animation-values"},
    {"/animations/0/samplers/0/interpolation", "\"SMOOTH\"",
     "/animations/0/samplers/0/interpolation", "gltf-animation-interpolation"},
    {"/animations/0/samplers/0/input", "", "/animations/0/samplers/0/input", "gltf-missing"},
    {"/materials/0/pbrMetallicRoughness/baseColorTexture/index", "3",
     "/materials/0/pbrMetallicRoughness/baseColorTexture/index", "gltf-index"},
    {"/materials/0/pbrMetallicRoughness/metallicFactor", "2",
     "/materials/0/pbrMetallicRoughness/metallicFactor", "gltf-number"},
    {"/materials/0/alphaMode", "\"GLASS\"", "/materials/0/alphaMode", "gltf-alpha-mode"},
    {"/images/0/bufferView", "0", "/images/0/bufferView", "gltf-image"},
    {"/cameras/0/perspective/yfov", "-1", "/cameras/0/perspective/yfov", "gltf-camera"},
    {"/nodes/1/matrix", "[1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1]", "/animations/0/channels/0/target",
     "gltf-animation-target"},
    {"/accessors/0/sparse",
     "{\"count\": 1, \"indices\": {\"bufferView\": 6, \"componentType\": 5122}, \"values\": "
     "{\"bufferView\": 0}}",
     "/accessors/0/sparse/indices/componentType", "gltf-component-type"},
    {"/accessors/0/sparse",
     "{\"count\": 1, \"indices\": {\"bufferView\": 6, \"componentType\": 5120}, \"values\": "
     "{\"bufferView\": 0}}",
     "/accessors/0/sparse/indices/componentType", "gltf-component-type"},
    {"/accessors/0/count", "2.5", "/accessors/0/count", "gltf-number"},
    {"/accessors/1/count", "3", "/meshes/0/primitives/0/attributes/JOINTS_0",
     "gltf-attribute-count"},
    {"/images/0", "{\"uri\": \"data:image/png;base64,A?\"}", "/images/0/uri", "gltf-uri"},
    {"/materials/0/pbrMetallicRoughness/baseColorTexture/extensions",
     "{\"KHR_texture_transform\": {\"offset\": [0, 1e300]}}",
     "/materials/0/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/offset",
     "gltf-number"},
    {"/extensionsUsed", "[\"KHR_texture_transform\", \"KHR_materials_unlit\"]", "/extensionsUsed/1",
     "gltf-extension-ignored"},
    {"/extensionsUsed", "[\"KHR_lights_punctual\"]", "/extensionsUsed/0", "gltf-extension-ignored"},
    {"/meshes/0/primitives/0/attributes/_AO", "0", "/meshes/0/primitives/0/attributes/_AO",
     "gltf-attribute-ignored"},
    {"/meshes/0/primitives/0/attributes/COLOR_1", "0", "/meshes/0/primitives/0/attributes/COLOR_1",
     "gltf-attribute-ignored"},
    {"/meshes/0/primitives/0/attributes/TEXCOORD_1", "0",
     "/meshes/0/primitives/0/attributes/TEXCOORD_1", "gltf-attribute-ignored"},
    {"/meshes/0/primitives/0/targets/0/TANGENT", "0", "/meshes/0/primitives/0/targets/0/TANGENT",
     "gltf-attribute-ignored"},
    {"/materials/0/extensions",
     "{\"KHR_materials_clearcoat\": {\"clearcoatNormalTexture\": {\"index\": 0}}}",
     "/materials/0/extensions/KHR_materials_clearcoat/clearcoatNormalTexture",
     "gltf-texture-ignored"},
    {"/nodes/0/extensions",
     "{\"EXT_mesh_gpu_instancing\": {\"attributes\": {\"TRANSLATION\": 0, \"SCALE\": 7}}}",
     "/nodes/0/extensions/EXT_mesh_gpu_instancing/attributes/SCALE", "gltf-attribute-count"},
    {"/extensions",
     "{\"KHR_implicit_shapes\": {\"shapes\": [{\"type\": \"a/b~c\", \"a/b~c\": 5}]}}",
     "/extensions/KHR_implicit_shapes/shapes/0/a~1b~0c", "gltf-type"},
    {"/nodes/2/extensions", "{\"KHR_physics_rigid_bodies\": {\"trigger\": {}}}",
     "/nodes/2/extensions/KHR_physics_rigid_bodies/trigger", "gltf-physics-trigger"},
    {"/nodes/2/extensions",
     "{\"KHR_physics_rigid_bodies\": {\"motion\": {\"centerOfMass\": [0, 1e300, 0]}}}",
     "/nodes/2/extensions/KHR_physics_rigid_bodies/motion/centerOfMass", "gltf-number"},
    {"/nodes/2/extensions", "{\"KHR_physics_rigid_bodies\": {\"motion\": {\"mass\": 0}}}",
     "/nodes/2", "gltf-physics-mass"},
    {"/nodes/0/mesh", "1.0", "/nodes/0/mesh", "gltf-index"},
    {"/nodes/0/mesh", "1", "/nodes/0/mesh", "gltf-index"},
    {"/nodes/0/mesh", "-0.5", "/nodes/0/mesh", "gltf-index"},
    {"/nodes/0/mesh", "-1.0", "/nodes/0/mesh", "gltf-index"},
    {"/accessors/0/count", "4294967296.0", "/accessors/0/count", "gltf-number"},
    {"/accessors/0/count", "4294967296", "/accessors/0/count", "gltf-number"},
    {"/accessors/0/count", "-1.0", "/accessors/0/count", "gltf-number"},
    {"/accessors/0/count", "1e300", "/accessors/0/count", "gltf-number"},
    {"/accessors/0/byteOffset", "4", "/accessors/0/bufferView", "gltf-accessor"},
    {"/accessors/0/byteOffset", "99999", "/accessors/0/bufferView", "gltf-accessor"},
    {"/accessors/0/sparse", "{\"count\": 0}", "/accessors/0/sparse/count", "gltf-sparse"},
    {"/accessors/0/sparse", "{\"count\": 5}", "/accessors/0/sparse/count", "gltf-number"},
    {"/accessors/0/sparse", "{}", "/accessors/0/sparse/count", "gltf-sparse"},
    {"/bufferViews/0/byteStride", "-4", "/bufferViews/0/byteStride", "gltf-number"},
    {"/bufferViews/0/byteStride", "65537", "/bufferViews/0/byteStride", "gltf-number"},
    {"/bufferViews/0/byteStride", "11", "/bufferViews/0/byteStride", "gltf-stride"},
    {"/bufferViews/0/byteLength", "47", "/accessors/0/bufferView", "gltf-accessor"},
    {"/buffers", "[{\"byteLength\": 9, \"uri\": 5}]", "/buffers/0/uri", "gltf-type"},
    {"/buffers", "[{\"byteLength\": 9, \"uri\": \"data:;base64;AAAA\"}]", "/buffers/0/uri",
     "gltf-uri"},
    {"/meshes/0/primitives/0/attributes/JOINTS_0", "2",
     "/meshes/0/primitives/0/attributes/JOINTS_0", "gltf-accessor-type"},
    {"/accessors/3/componentType", "5122", "/meshes/0/primitives/0/indices", "gltf-accessor-type"}};

TEST(BadGlb, IsToldWithThePlaceOfEachFault) {
  for (const Case& bad : kCases) {
    GlbFile file = good_file();
    const GltfJson::json_pointer place(bad.place);
    if (*bad.value != '\0') {
      file.json[place] = GltfJson::parse(bad.value);
    } else {
      file.json[place.parent_pointer()].erase(place.back());
    }
    const Outcome outcome = read(file.bytes());
    EXPECT_EQ(outcome.code, bad.refused) << bad.place << " = " << bad.value;
    const auto told = [&](bool as_expected) {
      return std::count_if(outcome.said.begin(), outcome.said.end(), [&](const Diagnostic& said) {
        return said.path == bad.told && (said.code == bad.code) == as_expected;
      });
    };
    // What is wrong with a value is not reported as something else, too.
    EXPECT_GE(told(true), 1) << bad.place << " = " << bad.value << "\n" << lines_of(outcome.said);
    EXPECT_EQ(told(false), 0) << bad.place << " = " << bad.value << "\n" << lines_of(outcome.said);
  }
}

TEST(BadGlb, NamesJointsAndVerticesThatDoNotExist) {
  GlbFile file = good_file();
  file.json["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"] =
      file.accessor("VEC4", std::vector<std::uint8_t>(16, 3));
  Outcome outcome = read(file.bytes());
  EXPECT_TRUE(outcome.is_read);
  ASSERT_EQ(outcome.said.size(), 1U) << lines_of(outcome.said);
  EXPECT_EQ(outcome.said[0].code, "gltf-joint-index");
  EXPECT_EQ(outcome.said[0].path, "/nodes/0/skin");

  file = good_file();
  file.json["meshes"][0]["primitives"][0]["indices"] =
      file.accessor("SCALAR", std::vector<std::uint16_t>{0, 1, 4});
  outcome = read(file.bytes());
  ASSERT_EQ(outcome.said.size(), 1U) << lines_of(outcome.said);
  EXPECT_EQ(outcome.said[0].code, "gltf-vertex-index");
  EXPECT_EQ(outcome.said[0].path, "/meshes/0/primitives/0/indices");

  file = good_file();
  file.json["meshes"][0]["primitives"][0]["indices"] =
      file.accessor("SCALAR", std::vector<std::uint16_t>{0, 1});
  outcome = read(file.bytes());
  ASSERT_EQ(outcome.said.size(), 1U) << lines_of(outcome.said);
  EXPECT_EQ(outcome.said[0].code, "gltf-vertex-count");
}

TEST(BadGlb, NamesTheElementThatIsNotFinite) {
  struct Place {
    const char* user;
    const char* type;
    std::size_t numbers;
    std::string told = {};
  };
  const std::string element = "Element 1 has a number that is not finite.";
  const Place places[] = {
      {"/meshes/0/primitives/0/attributes/POSITION", "VEC3", 12, element},
      {"/meshes/0/primitives/0/targets/0/POSITION", "VEC3", 12, element},
      {"/nodes/0/extensions/EXT_mesh_gpu_instancing/attributes/TRANSLATION", "VEC3", 6, element},
      {"/nodes/0/extensions/EXT_mesh_gpu_instancing/attributes/ROTATION", "VEC4", 8, element},
      {"/nodes/0/extensions/EXT_mesh_gpu_instancing/attributes/SCALE", "VEC3", 6, element},
      {"/animations/0/samplers/0/output", "VEC3", 6, "A key has a number that is not finite."}};
  for (const Place& place : places) {
    for (const float bad : {std::numeric_limits<float>::infinity(), std::nanf("")}) {
      GlbFile file = good_file();
      file.json["meshes"][0].erase("weights");
      std::vector<float> numbers(place.numbers, 0.5F);
      numbers[place.type == std::string("VEC4") ? 7 : 5] = bad;
      file.json[GltfJson::json_pointer(place.user)] = file.floats(place.type, numbers);
      Diagnostics said;
      const auto made = import_glb(file.bytes(), {}, said);
      ASSERT_TRUE(made) << place.user;
      ASSERT_EQ(said.size(), 1U) << lines_of(said);
      EXPECT_EQ(said[0].path, place.user);
      EXPECT_EQ(said[0].code, "gltf-not-finite");
      EXPECT_EQ(said[0].message, place.told);
      const std::string text = usda::write(*made->layer);
      EXPECT_FALSE(std::regex_search(text, std::regex("[( ](inf|nan)[,)]"))) << text;
    }
  }
}

// 3.0 is 3.
TEST(BadGlb, IsNotOneWithWholeNumbersThatAreWrittenAsReals) {
  const GlbFile good = good_file();
  GlbFile file = good;
  for (const char* place :
       {"/nodes/0/mesh", "/nodes/0/skin", "/skins/0/joints/0", "/accessors/0/count",
        "/accessors/0/componentType", "/accessors/0/bufferView", "/bufferViews/1/byteOffset",
        "/bufferViews/1/buffer", "/animations/0/channels/0/sampler"}) {
    GltfJson& number = file.json[GltfJson::json_pointer(place)];
    number = number.get<double>();
  }
  Diagnostics said;
  const auto from_reals = import_glb(file.bytes(), {}, said);
  const auto from_integers = import_glb(good.bytes(), {}, said);
  EXPECT_EQ(lines_of(said), "");
  ASSERT_TRUE(from_reals && from_integers);
  EXPECT_TRUE(layer::equal(*from_reals->layer, *from_integers->layer));
}

TEST(BadGlb, SaysWhyAFileBesideItCannotBeRead) {
  GlbFile file = good_file();
  file.json["buffers"] = {{{"byteLength", file.bin.size()}, {"uri", "data.bin"}}};
  stage::MemoryResolver resolver;
  Diagnostics said;
  ASSERT_TRUE(import_glb(file.bytes(), {.file = "a/x.glb", .resolver = &resolver}, said));
  ASSERT_FALSE(said.empty());
  EXPECT_EQ(said[0].path, "/buffers/0/uri");
  EXPECT_EQ(said[0].code, "gltf-buffer");
  EXPECT_EQ(said[0].message, resolver.resolve("data.bin", "a/x.glb").error().message);
  said.clear();
  resolver.add("a/data.bin", file.bin);
  ImportGlbOptions options = {.file = "a/x.glb", .resolver = &resolver};
  options.limits.file_bytes = file.bin.size() - 1;
  ASSERT_TRUE(import_glb(file.bytes(), options, said));
  ASSERT_FALSE(said.empty());
  EXPECT_EQ(said[0].message,
            resolver.read("a/data.bin", options.limits.file_bytes).error().message);
  said.clear();
  ++options.limits.file_bytes;
  ASSERT_TRUE(import_glb(file.bytes(), options, said));
  EXPECT_EQ(lines_of(said), "");
}

TEST(BadGlb, IsRefusedForABrokenContainer) {
  const Bytes good = good_file().bytes();
  std::string bytes(good.text());
  const auto refused = [](const std::string& text) {
    const Outcome outcome = read(Bytes(text));
    EXPECT_FALSE(outcome.is_read);
    EXPECT_FALSE(outcome.said.empty());
    return outcome.code;
  };
  for (std::size_t size : {0U, 3U, 4U, 12U, 19U, 21U, 100U}) {
    EXPECT_EQ(refused(bytes.substr(0, size)), ErrorCode::corrupt) << size;
  }
  std::string changed = bytes;
  changed[4] = 1;
  EXPECT_EQ(refused(changed), ErrorCode::unsupported);
  changed = bytes;
  changed[16] = 'B';
  EXPECT_EQ(refused(changed), ErrorCode::corrupt);
  EXPECT_EQ(refused(GlbFile::container("{\"asset\": {\"version\": \"2.0\"}", "")),
            ErrorCode::corrupt);
  EXPECT_EQ(refused(GlbFile::container("[]", "")), ErrorCode::corrupt);
  EXPECT_EQ(refused("solid cube"), ErrorCode::corrupt);
}

TEST(BadGlb, NamesSparseIndicesThatDoNotAscendBelowTheCount) {
  const std::pair<std::vector<std::uint16_t>, std::string> rows[] = {
      {{0, 3}, ""},
      {{2, 2}, "Sparse index 2 (number 1) is not ascending below 4."},
      {{3, 1}, "Sparse index 1 (number 1) is not ascending below 4."},
      {{1, 4}, "Sparse index 4 (number 1) is not ascending below 4."},
      {{65535, 1}, "Sparse index 65535 (number 0) is not ascending below 4."}};
  for (const auto& [indices, message] : rows) {
    GlbFile file = good_file();
    file.json["meshes"][0].erase("weights");
    file.json["accessors"][0]["sparse"] = {
        {"count", 2},
        {"indices", {{"bufferView", file.view(GlbFile::raw(indices))}, {"componentType", 5123}}},
        {"values", {{"bufferView", file.view(GlbFile::raw(std::vector<float>(6, 0.5F)))}}}};
    const Outcome outcome = read(file.bytes());
    EXPECT_EQ(lines_of(outcome.said),
              message.empty()
                  ? ""
                  : "</accessors/0/sparse/indices>: error: " + message + " [gltf-sparse]\n");
  }
}

TEST(BadGlb, IsNotOneWhoseStrideIsTheSizeOfAnElement) {
  GlbFile file = good_file();
  file.json["bufferViews"][0]["byteStride"] = 12;
  EXPECT_EQ(lines_of(read(file.bytes()).said), "");
}

TEST(BadGlb, HasOneBufferWithoutAFileAtMost) {
  GlbFile file = good_file();
  file.json["buffers"] = {{{"byteLength", file.bin.size()}}, {{"byteLength", 4}}};
  file.json["bufferViews"][0]["buffer"] = 1;
  const Outcome outcome = read(file.bytes());
  ASSERT_FALSE(outcome.said.empty());
  EXPECT_EQ(outcome.said[0].path, "/buffers/1");
  EXPECT_EQ(outcome.said[0].code, "gltf-buffer");
  EXPECT_EQ(outcome.said[0].message, "The buffer has neither bytes nor a URI.");
}

TEST(BadGlb, SaysWhichChunkOfTheContainerIsBroken) {
  const std::string good(good_file().bytes().text());
  const auto word = [](std::size_t value) {
    std::string bytes;
    for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<char>((value >> (8 * i)) & 0xFF));
    return bytes;
  };
  const auto with_length = [&](std::string text) { return text.replace(8, 4, word(text.size())); };
  const auto told = [](const std::string& text) { return lines_of(read(Bytes(text)).said); };
  const auto broken = [](const std::string& message) {
    return "error: " + message + " [gltf-container]\n";
  };
  const std::string size = std::to_string(good.size());
  EXPECT_EQ(told(good), "");
  EXPECT_EQ(told(with_length(good + word(4) + "ABC")),
            broken("The chunk at byte " + size + " ends early."));
  EXPECT_EQ(told(with_length(good + word(5) + "WHAT1234")),
            broken("The chunk at byte " + size + " promises 5 bytes, 4 are left."));
  // What is not known is passed over, and so is a second binary chunk.
  EXPECT_EQ(told(with_length(good + word(0) + "WHAT" + word(4) + "ALSO1234")), "");
  EXPECT_EQ(told(with_length(good + word(4) + std::string("BIN\0", 4) + "1234")), "");
  const std::string ignored = "warning: The 3 bytes after the " + size +
                              " that the header promises are ignored. [gltf-container-length]\n";
  EXPECT_EQ(told(good + "end"), ignored);
  std::string empty = good.substr(0, 20);
  empty.replace(8, 4, word(12));
  EXPECT_EQ(told(empty),
            "warning: The 8 bytes after the 12 that the header promises are ignored. "
            "[gltf-container-length]\n" +
                broken("The file has no JSON chunk."));
  EXPECT_EQ(told(good.substr(0, 19)), broken("The file ends within its header."));
  EXPECT_EQ(told(good.substr(0, good.size() - 1)),
            broken("The header promises " + size + " bytes, the file has " +
                   std::to_string(good.size() - 1) + "."));
}

TEST(BadGlb, IsNotOneWithAMarkBeforeItsTextOrZerosBehind) {
  const GlbFile file = good_file();
  Diagnostics said;
  const auto wanted = import_glb(file.bytes(), {}, said);
  ASSERT_TRUE(wanted);
  GltfJson json = file.json;
  json["buffers"] = GltfJson::array({{{"byteLength", file.bin.size()}}});
  std::string text = json.dump();
  while (text.size() % 4 != 0) text.push_back('\0');
  for (const std::string& padded : {text + std::string(4, '\0'), "\xEF\xBB\xBF" + text + " "}) {
    const auto made = import_glb(Bytes(GlbFile::container(padded, file.bin)), {}, said);
    ASSERT_TRUE(made) << lines_of(said);
    EXPECT_TRUE(layer::equal(*made->layer, *wanted->layer));
  }
  ASSERT_TRUE(import_glb(Bytes("\xEF\xBB\xBF \n{\"asset\": {\"version\": \"2.0\"}}"), {}, said));
  EXPECT_EQ(lines_of(said), "");
}

TEST(DataUri, HoldsBytesOfAnyLengthInEitherAlphabet) {
  const std::pair<std::string, std::string> rows[] = {
      {"", ""},
      {"QQ==", "A"},
      {"QQ", "A"},
      {"QUI=", "AB"},
      {"QUJD", "ABC"},
      {"QUJDRA", "ABCD"},
      {"azAvKw", "k0/+"},
      {"+/-_", "\xFB\xFF\xBF"},
      {"AAECgIH/", std::string("\0\1\2\x80\x81\xFF", 6)},
      {"abyz", "i\xBC\xB3"},
      {"AZ09", "\x01\x9D\x3D"}};
  for (const auto& [digits, bytes] : rows) {
    const std::string uri = "data:image/png;base64," + digits;
    const auto made = gltf_import::decode_data_uri(uri);
    ASSERT_TRUE(made) << digits;
    EXPECT_EQ(made->bytes.text(), bytes) << digits;
    EXPECT_EQ(made->media_type, "image/png");
  }
  EXPECT_EQ(gltf_import::decode_data_uri("data:;base64,QQ")->media_type, "");
  const std::string more = "data:text/x;charset=utf-8;base64,QQ";
  EXPECT_EQ(gltf_import::decode_data_uri(more)->media_type, "text/x");
  for (const char* bad : {"data:;base64,A", "data:;base64,QUJDR",
                          "data:;base64,Q=Q=", "data:;base64,Q@==", "data:;base64,QQ\n", "data:,QQ",
                          "data:;base64", "data:base64,QQ", "datum:;base64,QQ", ""}) {
    EXPECT_FALSE(gltf_import::decode_data_uri(bad)) << bad;
  }
}

// Neighbours of the ranges of digits in ASCII.
TEST(DataUri, HasNoDigitsBesideThoseOfItsAlphabets) {
  for (const char c : {'@', '[', '`', '{', '~', ':', '.', ',', '*'}) {
    EXPECT_FALSE(gltf_import::decode_data_uri(std::string("data:;base64,AA") + c + "A")) << c;
  }
}

TEST(PathOfUri, DecodesWhatIsEscaped) {
  const std::pair<const char*, const char*> rows[] = {
      {"a%20b.bin", "a b.bin"}, {"%41%5a%7A", "AZz"}, {"%C3%bc", "\xC3\xBC"},
      {"100%", "100%"},         {"%4", "%4"},         {"%4g", "%4g"},
      {"%g4", "%g4"},           {"%00", "%00"},       {"%%41", "%A"},
      {"%0A%10", "\n\x10"},     {"a+b", "a+b"},       {"", ""}};
  for (const auto& [uri, path] : rows) EXPECT_EQ(gltf_import::path_of_uri(uri), path) << uri;
}

TEST(BadGlb, DoesNotNestWithoutEnd) {
  const std::string open(100'000, '[');
  const Outcome outcome = read(Bytes(GlbFile::container("{\"asset\": " + open + "}", "")));
  EXPECT_EQ(outcome.code, ErrorCode::limit_exceeded);
  GlbFile file;
  for (int i = 0; i < 600; ++i) file.node({{"children", {i + 1}}});
  file.node({{"name", "last"}});
  file.scene({0});
  const Outcome deep = read(file.bytes());
  EXPECT_EQ(deep.code, ErrorCode::limit_exceeded);
  ASSERT_FALSE(deep.said.empty());
  EXPECT_EQ(deep.said.back().code, "gltf-node-depth");
}

TEST(BadGlb, TakesNoMoreMemoryThanItsSizeAllows) {
  // Gigabytes of zeros, asked for in a few bytes.
  GlbFile zeros = good_file();
  const int huge =
      zeros.add("accessors", {{"componentType", 5126}, {"count", 2000000000}, {"type", "VEC3"}});
  zeros.json["meshes"][0]["primitives"][0]["attributes"] = {{"POSITION", huge}};
  EXPECT_EQ(read(zeros.bytes()).code, ErrorCode::limit_exceeded);
  // A mesh of many primitives on many nodes.
  GlbFile many = good_file();
  const GltfJson primitive = {
      {"mode", 0}, {"attributes", many.json["meshes"][0]["primitives"][0]["attributes"]}};
  for (int i = 0; i < 1000; ++i) many.json["meshes"][0]["primitives"].push_back(primitive);
  for (int i = 0; i < 3000; ++i) {
    many.json["scenes"][0]["nodes"].push_back(many.node({{"mesh", 0}}));
  }
  EXPECT_EQ(read(many.bytes()).code, ErrorCode::limit_exceeded);
}

TEST(BadGlb, ReadsTheJsonOfAGltfFile) {
  const GlbFile file = good_file();
  GltfJson json = file.json;
  std::string base64;
  const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (std::size_t i = 0; i < file.bin.size(); i += 3) {
    unsigned bits = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      bits = bits << 8;
      if (i + k < file.bin.size()) bits |= static_cast<unsigned char>(file.bin[i + k]);
    }
    for (int k = 3; k >= 0; --k) base64 += digits[(bits >> (6 * k)) & 63];
  }
  json["buffers"] = {
      {{"byteLength", file.bin.size()}, {"uri", "data:application/octet-stream;base64," + base64}}};
  Diagnostics said;
  const auto from_text = import_glb(Bytes(json.dump()), {}, said);
  const auto from_binary = import_glb(file.bytes(), {}, said);
  EXPECT_EQ(lines_of(said), "");
  ASSERT_TRUE(from_text && from_binary);
  EXPECT_TRUE(layer::equal(*from_text->layer, *from_binary->layer));

  // And with a file beside it.
  stage::MemoryResolver resolver;
  resolver.add("some/data file.bin", file.bin);
  json["buffers"] = {{{"byteLength", file.bin.size()}, {"uri", "data%20file.bin"}}};
  const auto from_files =
      import_glb(Bytes(json.dump()), {.file = "some/scene.gltf", .resolver = &resolver}, said);
  EXPECT_EQ(lines_of(said), "");
  ASSERT_TRUE(from_files);
  // A scene without a name is called as its file is.
  const auto named = import_glb(file.bytes(), {.file = "scene.glb"}, said);
  ASSERT_TRUE(named);
  EXPECT_TRUE(layer::equal(*from_files->layer, *named->layer));
}

TEST(BadGlb, SurvivesAnyChangeOfItsBytes) {
  const Bytes good = good_file().bytes();
  test::Random random(7);
  ImportGlbOptions options;
  options.limits.decoded_bytes = 4 << 20;
  for (int round = 0; round < 3000; ++round) {
    std::string bytes(good.text());
    for (int i = random.between(1, 4); i > 0; --i) {
      bytes[random.below(bytes.size())] = static_cast<char>(random.below(256));
    }
    Diagnostics said;
    const auto made = import_glb(Bytes(bytes), options, said);
    EXPECT_TRUE(made || !said.empty());
  }
}

}  // namespace
}  // namespace sinew::exporter::bad_glb_test
