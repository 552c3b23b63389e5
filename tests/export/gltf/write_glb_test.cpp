// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "export/gltf/written.hpp"
#include "sinew/stage/asset_resolver.hpp"
#include "sinew/usdz/writer.hpp"
#include "support/folders.hpp"
#include "support/quoted_code.hpp"

namespace sinew::exporter::write_glb_test {
namespace {

namespace fs = std::filesystem;
using namespace test;
using test::Json;  // Not that of the library.

TEST(WriteGlb, WritesEveryBundledFile) {
  std::size_t files = 0;
  for (const std::string& folder : {test::example_data_folder(), test::data_folder()}) {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.path().extension() != ".usda") continue;
      Diagnostics diagnostics;
      const auto stage = stage::Stage::open(entry.path().string(), diagnostics);
      if (!stage) continue;

      for (const GlbInstancing instancing : {GlbInstancing::nodes, GlbInstancing::gpu}) {
        GlbOptions options;
        options.instancing = instancing;
        EXPECT_EQ(write(**stage, options).error, "") << entry.path();
      }
      ++files;
    }
  }
  EXPECT_GT(files, 10U);
}

TEST(WriteGlb, GivesTheSameBytesAgain) {
  Diagnostics diagnostics;
  const auto stage =
      stage::Stage::open(test::example_data_folder() + "/character.usda", diagnostics);
  ASSERT_TRUE(stage);

  const Written one = write(**stage), two = write(**stage);

  ASSERT_EQ(one.file.bytes.size(), two.file.bytes.size());
  EXPECT_EQ(std::memcmp(one.file.bytes.data(), two.file.bytes.data(), one.file.bytes.size()), 0);
}

TEST(WriteGlb, WritesNothingAsAnEmptyScene) {
  const Written written = write_text("#usda 1.0\n(metersPerUnit = 1)\n");

  EXPECT_EQ(written.error, "");
  EXPECT_FALSE(written.json().contains("nodes"));
}

TEST(WriteGlb, TurnsUnitsIntoMetresAndZUpwards) {
  const Written written = write_text(
      "#usda 1.0\n(metersPerUnit = 0.01\nupAxis = \"Z\")\n"
      "def Xform \"X\" { double3 xformOp:translate = (100, 0, 0)\n"
      "uniform token[] xformOpOrder = [\"xformOp:translate\"]\n" +
      quad() + "}\n");

  ASSERT_EQ(written.error, "");
  const Json& root = *written.parts.node("root");
  EXPECT_NEAR(root["rotation"][0].get<double>(), -std::sqrt(0.5), 1e-7);
  EXPECT_EQ((*written.parts.node("X"))["translation"], Json({1, 0, 0}));
  const auto positions =
      written.parts.floats(written.json()["meshes"][0]["primitives"][0]["attributes"]["POSITION"]);
  EXPECT_FLOAT_EQ(positions[3], 0.01F);
  EXPECT_FALSE(written.parts.node("X")->contains("scale"));
}

TEST(WriteGlb, MirrorsByTheScaleOfX) {
  const Written written = write_text(std::string(kHead) +
                                     "def Xform \"Mirrored\" { double3 xformOp:scale = (1, -2, 1)\n"
                                     "uniform token[] xformOpOrder = [\"xformOp:scale\"]\n" +
                                     quad() + "}\n");

  ASSERT_EQ(written.error, "");
  const Json& mirrored = *written.parts.node("Mirrored");
  EXPECT_EQ(mirrored["scale"], Json({-1, 2, 1}));
}

TEST(WriteGlb, GivesFacesOfOneMaterialAPrimitive) {
  const Written written = write_text(
      std::string(kHead) +
      "def Material \"Red\" { token outputs:surface.connect = </Red/S.outputs:surface>\n"
      "def Shader \"S\" { uniform token info:id = \"UsdPreviewSurface\"\n"
      "color3f inputs:diffuseColor = (1, 0, 0)\nfloat inputs:roughness = 0.25\n"
      "token outputs:surface } }\n"
      "def Mesh \"M\" { uniform token subdivisionScheme = \"none\"\n"
      "point3f[] points = [(0,0,0), (1,0,0), (1,1,0), (0,1,0), (2,0,0)]\n"
      "int[] faceVertexCounts = [4, 3]\nint[] faceVertexIndices = [0,1,2,3, 1,4,2]\n"
      "color3f[] primvars:displayColor = [(0, 0, 1)]\n"
      "def GeomSubset \"G\" (prepend apiSchemas = [\"MaterialBindingAPI\"]) {\n"
      "uniform token elementType = \"face\"\nuniform token familyName = \"materialBind\"\n"
      "int[] indices = [1]\nrel material:binding = </Red> } }\n");

  ASSERT_EQ(written.error, "");
  const Json& primitives = written.json()["meshes"][0]["primitives"];
  ASSERT_EQ(primitives.size(), 2U);
  const Json& red = written.json()["materials"][primitives[0]["material"].get<std::size_t>()];
  EXPECT_EQ(red["name"], "Red");
  EXPECT_EQ(red["pbrMetallicRoughness"]["baseColorFactor"], Json({1, 0, 0, 1}));
  EXPECT_EQ(red["pbrMetallicRoughness"]["roughnessFactor"], 0.25);
  const Json& blue = written.json()["materials"][primitives[1]["material"].get<std::size_t>()];
  EXPECT_EQ(blue["pbrMetallicRoughness"]["baseColorFactor"], Json({0, 0, 1, 1}));
  EXPECT_EQ(written.parts.integers(primitives[0]["indices"]),
            (std::vector<std::uint32_t>{1, 4, 2}));
}

TEST(WriteGlb, SplitsCornersAndFlipsV) {
  const Written written = write_text(
      std::string(kHead) + quad("texCoord2f[] primvars:st = [(0,0.25),(1,0),(1,1),(0,1)] "
                                "(interpolation = \"faceVarying\")\n"
                                "normal3f[] normals = [(0,0,3)] (interpolation = \"uniform\")\n"));

  ASSERT_EQ(written.error, "");
  const Json& attributes = written.json()["meshes"][0]["primitives"][0]["attributes"];
  const auto uvs = written.parts.floats(attributes["TEXCOORD_0"]);
  const auto normals = written.parts.floats(attributes["NORMAL"]);
  EXPECT_EQ(normals[2], 1.0F);
  EXPECT_NE(std::find(uvs.begin(), uvs.end(), 0.75F), uvs.end());
}

TEST(WriteGlb, WritesSkinsInSkeletonOrder) {
  const Written written = write_text(
      std::string(kHead) + skinned(kTwoInfluences + "matrix4d primvars:skel:geomBindTransform = "
                                                    "((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,2,1))\n"));

  ASSERT_EQ(written.error, "");
  const Json& skin = written.json()["skins"][0];
  ASSERT_EQ(skin["joints"].size(), 2U);
  const auto joint = [&](std::size_t i) {
    return written.json()["nodes"][skin["joints"][i].get<std::size_t>()];
  };
  EXPECT_EQ(joint(0)["name"], "a");
  EXPECT_EQ(joint(1)["name"], "b");
  EXPECT_EQ(joint(1)["translation"], Json({1, 0, 0}));
  const auto inverse = written.parts.floats(skin["inverseBindMatrices"]);
  EXPECT_EQ(inverse[14], 2.0F);   // geomBindTransform.
  EXPECT_EQ(inverse[28], -1.0F);  // inverse(bind) of the second joint.
  const Json& attributes = written.json()["meshes"][0]["primitives"][0]["attributes"];
  const auto joints = written.parts.integers(attributes["JOINTS_0"]);
  const auto weights = written.parts.floats(attributes["WEIGHTS_0"]);
  // Ties by joint; zeros dropped; repeated joints added up.
  EXPECT_EQ(joints, (std::vector<std::uint32_t>{0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(weights, (std::vector<float>{0.5, 0.5, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}));
}

TEST(WriteGlb, HangsRigidMeshesBelowTheirJoint) {
  const Written written = write_text(
      std::string(kHead) +
      skinned(
          "int[] primvars:skel:jointIndices = [1] (elementSize = 1\ninterpolation = \"constant\")\n"
          "float[] primvars:skel:jointWeights = [1] (elementSize = 1\ninterpolation = "
          "\"constant\")\n"));

  ASSERT_EQ(written.error, "");
  EXPECT_FALSE(written.json().contains("skins"));
  const Json& joint = *written.parts.node("b");
  const Json& mesh = written.json()["nodes"][joint["children"][0].get<std::size_t>()];
  EXPECT_EQ(mesh["name"], "M");
  EXPECT_EQ(mesh["translation"], Json({-1, 0, 0}));
}

TEST(WriteGlb, PutsKeysWhereWeightsPassInbetweens) {
  const Written written =
      write_text("#usda 1.0\n(metersPerUnit = 1\nupAxis = \"Y\"\ntimeCodesPerSecond = 10)\n" +
                 skinned("uniform token[] skel:blendShapes = [\"smile\"]\nrel "
                         "skel:blendShapeTargets = </R/M/smile>\n"
                         "def BlendShape \"smile\" { uniform vector3f[] offsets = [(0,0,1)]\n"
                         "uniform int[] pointIndices = [2]\n"
                         "uniform vector3f[] inbetweens:half = [(0,0,5)] (weight = 0.25) }\n",
                         "uniform token[] blendShapes = [\"smile\"]\n"
                         "float[] blendShapeWeights.timeSamples = { 0: [0], 10: [1] }\n"));

  ASSERT_EQ(written.error, "");
  const Json& mesh = written.json()["meshes"][0];
  EXPECT_EQ(mesh["extras"]["targetNames"], Json({"smile.half", "smile"}));
  ASSERT_TRUE(written.json().contains("animations"));
  const Json& sampler = written.json()["animations"][0]["samplers"][0];
  EXPECT_EQ(written.parts.floats(sampler["input"]), (std::vector<float>{0.0F, 0.25F, 1.0F}));
  EXPECT_EQ(written.parts.floats(sampler["output"]), (std::vector<float>{0, 0, 1, 0, 0, 1}));
  EXPECT_EQ(written.file.summary.added_keys, 1U);
}

TEST(WriteGlb, HoldsWhereValuesJump) {
  const Written written =
      write_text(std::string(kHead) +
                 "def Xform \"X\" { double3 xformOp:translate.timeSamples = { 0: (0,0,0), "
                 "24: (1,0,0), 48: (3,0,0) }\n"
                 "uniform token[] xformOpOrder = [\"xformOp:translate\"]\n" +
                 quad() + "}\n");

  ASSERT_EQ(written.error, "");
  const Json& animation = written.json()["animations"][0];
  ASSERT_EQ(animation["channels"].size(), 1U);
  EXPECT_EQ(written.parts.floats(animation["samplers"][0]["input"]), (std::vector<float>{0, 1, 2}));
  EXPECT_EQ(written.parts.floats(animation["samplers"][0]["output"]),
            (std::vector<float>{0, 0, 0, 1, 0, 0, 3, 0, 0}));
}

TEST(WriteGlb, AddsKeysForTurnsThatQuaternionsDoNotFollow) {
  const Written written =
      write_text(std::string(kHead) +
                 "def Xform \"X\" { float3 xformOp:rotateXYZ.timeSamples = { 0: (0,0,0), "
                 "24: (170, 80, 0) }\n"
                 "uniform token[] xformOpOrder = [\"xformOp:rotateXYZ\"]\n" +
                 quad() + "}\n");

  ASSERT_EQ(written.error, "");
  EXPECT_GT(written.file.summary.added_keys, 10U);
}

TEST(WriteGlb, WritesInstancesAsNodesOrForGpus) {
  const std::string text = std::string(kHead) +
                           "def PointInstancer \"P\" { rel prototypes = [</P/M>]\n"
                           "int[] protoIndices = [0, 0, 0]\n"
                           "point3f[] positions = [(1,0,0), (2,0,0), (3,0,0)]\n"
                           "int64[] ids = [7, 8, 9]\nint64[] invisibleIds = [8]\n" +
                           quad() + "}\n";
  GlbOptions gpu;
  gpu.instancing = GlbInstancing::gpu;

  const Written nodes = write_text(text), instanced = write_text(text, gpu);

  ASSERT_EQ(nodes.error, "");
  ASSERT_EQ(instanced.error, "");
  EXPECT_EQ((*nodes.parts.node("P"))["children"].size(), 2U);
  EXPECT_EQ(nodes.json()["meshes"].size(), 1U);
  EXPECT_EQ((*nodes.parts.node("instance_9"))["translation"], Json({3, 0, 0}));
  const Json& merged = *instanced.parts.node("M_instances");
  const Json& attributes = merged["extensions"]["EXT_mesh_gpu_instancing"]["attributes"];
  EXPECT_EQ(instanced.parts.floats(attributes["TRANSLATION"]),
            (std::vector<float>{1, 0, 0, 3, 0, 0}));
  EXPECT_EQ(instanced.parts.floats(attributes["_ID"]), (std::vector<float>{7, 9}));
}

TEST(WriteGlb, ShowsPrototypesThatOversHide) {
  const Written written = write_text(
      std::string(kHead) +
      "def PointInstancer \"P\" { rel prototypes = [</Hidden>, </Class>]\n"
      "int[] protoIndices = [0, 1, 0]\npoint3f[] positions = [(1,0,0), (2,0,0), (3,0,0)]\n}\n"
      "over \"Hidden\" {\n" +
      quad() + "}\nclass \"Class\" {\n" + quad() + "}\n");

  ASSERT_EQ(written.error, "");
  std::size_t shown = 0;
  for (const Json& node : written.json()["nodes"]) shown += node.contains("mesh") ? 1 : 0;
  EXPECT_EQ(shown, 2U);  // What is below a class is not shown by anything.
}

TEST(WriteGlb, EmbedsTexturesByTheirFirstBytes) {
  stage::MemoryResolver resolver;
  resolver.add(
      "a.usda",
      with_breaks(
          std::string(kHead) +
          "def Material \"T\" { token outputs:surface.connect = </T/S.outputs:surface>\n"
          "def Shader \"S\" { uniform token info:id = \"UsdPreviewSurface\"\n"
          "color3f inputs:diffuseColor.connect = </T/I.outputs:rgb>\ntoken outputs:surface }\n"
          "def Shader \"I\" { uniform token info:id = \"UsdUVTexture\"\nasset inputs:file = "
          "@wood.jpg@\n"
          "float2 inputs:st.connect = </T/X.outputs:result>\ntoken inputs:wrapS = "
          "\"clamp\"\nfloat3 outputs:rgb }\n"
          "def Shader \"X\" { uniform token info:id = \"UsdTransform2d\"\nfloat inputs:rotation = "
          "90\n"
          "float2 inputs:scale = (2, 3)\nfloat2 inputs:translation = (0.25, 0.5)\n"
          "float2 inputs:in.connect = </T/R.outputs:result>\nfloat2 outputs:result }\n"
          "def Shader \"R\" { uniform token info:id = \"UsdPrimvarReader_float2\"\n"
          "string inputs:varname = \"uv\"\nfloat2 outputs:result } }\n" +
          quad("texCoord2f[] primvars:uv = [(0,0),(1,0),(1,1),(0,1)] (interpolation = \"vertex\")\n"
               "rel material:binding = </T>\n")));
  resolver.add("wood.jpg", std::string("\x89PNG\r\n\x1A\n rest", 13));
  stage::OpenOptions open;
  open.resolver = &resolver;
  Diagnostics diagnostics;
  const auto stage = stage::Stage::open("a.usda", diagnostics, open);
  ASSERT_TRUE(stage);
  GlbOptions options;
  options.resolver = &resolver;

  const Written written = write(**stage, options);

  ASSERT_EQ(written.error, "");
  ASSERT_TRUE(written.json().contains("images"));
  EXPECT_EQ(written.json()["images"][0]["mimeType"], "image/png");
  EXPECT_EQ(written.json()["samplers"][0]["wrapS"], 33071);
  const Json& transform = written.json()["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"]
                                        ["extensions"]["KHR_texture_transform"];
  // What glTF makes of a coordinate is what USD makes of it, seen from the other end of V.
  const double r = transform["rotation"].get<double>(), c = std::cos(r), s = std::sin(r);
  for (const Vector2d& uv :
       {Vector2d(0, 0), Vector2d(1, 0), Vector2d(0, 1), Vector2d(0.3, 0.7), Vector2d(2, -1)}) {
    const Vector2d usd(-3 * uv.y() + 0.25,
                       2 * uv.x() + 0.5);  // Scaled, turned by 90 degrees, moved.
    const double x = uv.x() * 2, y = (1 - uv.y()) * 3;
    const Vector2d gltf(c * x + s * y + transform["offset"][0].get<double>(),
                        -s * x + c * y + transform["offset"][1].get<double>());
    EXPECT_NEAR(gltf.x(), usd.x(), 1e-6);
    EXPECT_NEAR(gltf.y(), 1 - usd.y(), 1e-6);
  }
}

// A quad with a picture of that address.
std::string painted(const std::string& picture) {
  return with_breaks(
      kHead +
      std::string("def Material \"T\" { token outputs:surface.connect = </T/S.outputs:surface>\n"
                  "def Shader \"S\" { uniform token info:id = \"UsdPreviewSurface\"\n"
                  "color3f inputs:diffuseColor.connect = </T/I.outputs:rgb>\n"
                  "token outputs:surface }\n"
                  "def Shader \"I\" { uniform token info:id = \"UsdUVTexture\"\n"
                  "asset inputs:file = @") +
      picture + "@\nfloat3 outputs:rgb } }\n" +
      quad("texCoord2f[] primvars:st = [(0,0),(1,0),(1,1),(0,1)] (interpolation = \"vertex\")\n"
           "rel material:binding = </T>\n"));
}

TEST(WriteGlb, FindsPicturesWhereLayersAreFound) {
  const std::string png("\x89PNG\r\n\x1A\n rest", 13);
  Diagnostics diagnostics;
  const std::vector<usdz::File> packed = {{"d/root.usda", Bytes(painted("../t[1].png"))},
                                          {"escape.usda", Bytes(painted("./beside.png"))},
                                          {"t[1].png", Bytes(png)}};
  stage::MemoryResolver resolver;
  resolver.add("a.usdz", *usdz::write(packed, diagnostics));
  resolver.add("beside.png", png);
  resolver.add("lib/mat.usda", painted("beside.png"));
  resolver.add("b.usda", "#usda 1.0\n(subLayers = [@./lib/mat.usda@])\n");
  stage::OpenOptions open;
  open.resolver = &resolver;
  GlbOptions options;
  options.resolver = &resolver;
  for (const auto& [root, is_found] :
       {std::pair("a.usdz", true), std::pair("a.usdz[escape.usda]", false),
        std::pair("b.usda", true)}) {
    const auto stage = stage::Stage::open(root, diagnostics, open);
    ASSERT_TRUE(stage) << root;
    const Written written = write(**stage, options);
    EXPECT_EQ(written.error, "");
    EXPECT_EQ(written.json().contains("images"), is_found) << root;
    EXPECT_EQ(written.says("gltf-texture-missing"), !is_found) << root;
    EXPECT_FALSE(written.says("gltf-texture-embedded"));
    if (!is_found) continue;

    // No address leads into a package.
    options.textures = GlbTextures::reference;
    const Written beside = write(**stage, options);
    options.textures = GlbTextures::embed;
    const bool is_packed = root == std::string("a.usdz");
    EXPECT_EQ(beside.json()["images"][0].contains("uri"), !is_packed) << root;
    EXPECT_EQ(beside.says("gltf-texture-embedded"), is_packed) << root;
  }
}

TEST(WriteGlb, LeavesTheFileAloneIfNothingCanBeWritten) {
  const fs::path file = fs::temp_directory_path() / "sinew_write_glb_test.glb";
  std::ofstream(file) << "before";
  stage::MemoryResolver resolver;
  resolver.add("a.usda", with_breaks(std::string(kHead) + quad()));
  stage::OpenOptions open;
  open.resolver = &resolver;
  Diagnostics diagnostics;
  const auto stage = stage::Stage::open("a.usda", diagnostics, open);
  ASSERT_TRUE(stage);
  GlbOptions options;
  options.limits.vertices = 3;

  const auto result = write_glb_file(**stage, file.string(), options, diagnostics);

  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::limit_exceeded);
  EXPECT_NE(result.error().message.find("/M"), std::string::npos);
  std::string text;
  std::ifstream(file) >> text;
  EXPECT_EQ(text, "before");
  fs::remove(file);
}

const std::string kSliding =
    "#usda 1.0\n(metersPerUnit = 1\nupAxis = \"Y\"\ntimeCodesPerSecond = 1\nstartTimeCode = 0\n"
    "endTimeCode = 2)\n";
const std::string kStillJoints =
    "uniform token[] joints = [\"a\"]\nfloat3[] translations = [(0,0,0)]\n"
    "quatf[] rotations = [(1,0,0,0)]\nhalf3[] scales = [(1,1,1)]\n";

TEST(WriteGlb, RefusesOptionsWithoutSense) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const auto refusal = [](double first, double last, double step) {
    GlbOptions options;
    options.time_range = {first, last};
    options.step = step;
    const Written written = write_text(kSliding + quad(), options);
    EXPECT_EQ(written.code, written.error.empty() ? ErrorCode::ok : ErrorCode::invalid_argument);
    const fs::path file = fs::temp_directory_path() / "sinew_bad_options.glb";
    Diagnostics diagnostics;
    const auto stage = stage::Stage::open(test::example_data_folder() + "/arm.usda", diagnostics);
    EXPECT_EQ(bool(write_glb_file(**stage, file.string(), options, diagnostics)),
              written.error.empty());
    fs::remove(file);
    return written.error;
  };
  EXPECT_EQ(refusal(1.0, 1.0, 0.0), "");
  EXPECT_EQ(refusal(0.0, 2.0, 0.5), "");
  const std::string range = "The range of times is empty or without end.";
  EXPECT_EQ(refusal(1.0, 0.5, 0.0), range);
  EXPECT_EQ(refusal(-kInfinity, 1.0, 0.0), range);
  EXPECT_EQ(refusal(0.0, kInfinity, 0.0), range);
  EXPECT_EQ(refusal(kNan, 1.0, 0.0), range);
  const std::string step = "The step between keys is negative or not finite.";
  EXPECT_EQ(refusal(0.0, 1.0, -0.5), step);
  EXPECT_EQ(refusal(0.0, 1.0, kInfinity), step);
  EXPECT_EQ(refusal(0.0, 1.0, kNan), step);
}

TEST(WriteGlb, RefusesUnitsThatAreNone) {
  for (const double meters : {0.0, -1.0, std::numeric_limits<double>::infinity()}) {
    GlbOptions options;
    options.meters_per_unit = meters;
    const Written written = write_text(kSliding + quad(), options);
    EXPECT_EQ(written.code, ErrorCode::invalid_argument);
    EXPECT_TRUE(written.diagnostics.empty());
  }
}

TEST(WriteGlb, RefusesClipsOfWhatIsNoAnimation) {
  for (const std::string path : {"/R/None", "/R/S"}) {
    GlbOptions options;
    options.clips.push_back({"wave", path});
    const Written written = write_text(kSliding + skinned(kTwoInfluences), options);
    EXPECT_EQ(written.code, ErrorCode::invalid_argument);
    EXPECT_EQ(written.error, "There is no SkelAnimation " + path + " to make the clip 'wave' of.");
  }
}

// gltf 107
TEST(WriteGlb, KeepsItsLimits) {
  const auto refusal = [](const std::string& text, auto GlbLimits::*limit, std::uint64_t value,
                          double step = 0.0) {
    GlbOptions options;
    options.limits.*limit = value;
    options.step = step;
    const Written written = write_text(kSliding + text, options);
    EXPECT_EQ(written.code, written.error.empty() ? ErrorCode::ok : ErrorCode::limit_exceeded);
    return written.error;
  };
  const std::string two = "def Xform \"X\" {\n" + quad() + "}\n";
  EXPECT_EQ(refusal(two, &GlbLimits::nodes, 2), "");
  EXPECT_EQ(refusal(two, &GlbLimits::nodes, 1),
            "There would be more than 1 nodes: \"M\" below /X is one too many.");
  EXPECT_EQ(refusal(two, &GlbLimits::nodes, 0),
            "There would be more than 0 nodes: \"X\" below / is one too many.");

  const Written whole = write_text(kSliding + two);
  const std::uint64_t size = whole.file.bytes.size();
  EXPECT_EQ(refusal(two, &GlbLimits::bytes, size), "");
  EXPECT_EQ(refusal(two, &GlbLimits::bytes, size - 1),
            "The file would have more than " + std::to_string(size - 1) + " bytes.");
  EXPECT_EQ(refusal(two, &GlbLimits::bytes, 10), "The file would have more than 10 bytes.");

  const std::string joints = skinned(kTwoInfluences, kStillJoints);
  EXPECT_EQ(refusal(joints, &GlbLimits::joints, 2), "");
  EXPECT_EQ(refusal(joints, &GlbLimits::joints, 1), "/R/S has 2 joints; at most 1 can be written.");
  // 401 times for two joints.
  EXPECT_EQ(refusal(joints, &GlbLimits::keys, 802, 0.005), "");
  EXPECT_EQ(refusal(joints, &GlbLimits::keys, 801, 0.005),
            "The clip of /R/S has more than 801 keys.");
  EXPECT_EQ(refusal(joints, &GlbLimits::keys, 0),
            "1 samples of 2 are more than a clip of /R/S may have.");

  const std::string weights = skinned(
      "uniform token[] skel:blendShapes = [\"a\", \"b\"]\n"
      "rel skel:blendShapeTargets = [</R/M/a>, </R/M/b>]\n"
      "def BlendShape \"a\" { uniform vector3f[] offsets = [(0,0,1)]\n"
      "uniform int[] pointIndices = [2] }\n"
      "def BlendShape \"b\" { uniform vector3f[] offsets = [(0,0,1)]\n"
      "uniform int[] pointIndices = [1] }\n",
      "uniform token[] blendShapes = [\"a\"]\n"
      "float[] blendShapeWeights.timeSamples = { 0: [0], 2: [1] }\n");
  EXPECT_EQ(refusal(weights, &GlbLimits::keys, 802, 0.005), "");
  EXPECT_EQ(refusal(weights, &GlbLimits::keys, 801, 0.005),
            "The weights of /R/M have more than 801 keys.");
}

// gltf 21
TEST(WriteGlb, SaysNothingInExtrasWhereNoneAreWanted) {
  const std::string apis = "(prepend apiSchemas = [\"PhysicsRigidBodyAPI\", ";
  const std::string collides = "\"PhysicsCollisionAPI\"]) {\n";
  const std::string text =
      kHead +
      std::string(
          "def PhysicsScene \"P\" { vector3f physics:gravityDirection = (1,0,0)\n}\n"
          "def Camera \"Eye\" {}\n"
          "def Material \"Rubber\" (prepend apiSchemas = [\"PhysicsMaterialAPI\"]) {\n"
          "float physics:density = 5\n}\n") +
      "def Cube \"Base\" " + apis + "\"PhysicsArticulationRootAPI\", " + collides +
      "bool physics:startsAsleep = 1\n}\n"
      "def Cube \"Table\" (prepend apiSchemas = [\"PhysicsCollisionAPI\"]) {}\n"
      "def PhysicsFixedJoint \"F\" { rel physics:body0 = </Base>\nrel physics:body1 = </Table>\n"
      "float physics:breakForce = 3\nbool physics:excludeFromArticulation = 1\n}\n"
      "def PhysicsJoint \"G\" (prepend apiSchemas = [\"PhysicsLimitAPI:transX\"]) {\n"
      "rel physics:body1 = </Base>\nfloat limit:transX:physics:low = -1\n"
      "float limit:transX:physics:high = 1\n}\n"
      "def Mesh \"Rock\" (prepend apiSchemas = [\"PhysicsCollisionAPI\", "
      "\"PhysicsMeshCollisionAPI\"]) {\nuniform token purpose = \"guide\"\n"
      "uniform token physics:approximation = \"convexDecomposition\"\n"
      "point3f[] points = [(0,0,0),(1,0,0),(0,1,0)]\nint[] faceVertexCounts = [3]\n"
      "int[] faceVertexIndices = [0,1,2]\n}\n" +
      skinned(kTwoInfluences +
              "uniform token[] skel:blendShapes = [\"s\"]\nrel skel:blendShapeTargets = </R/M/s>\n"
              "def BlendShape \"s\" { uniform vector3f[] offsets = [(0,0,1)]\n"
              "uniform int[] pointIndices = [2]\n}\n") +
      surface("float inputs:roughness = 0.25\n");
  const auto extras_of = [&](bool wanted) {
    GlbOptions options;
    options.extras = wanted;
    const Written written = write_text(text, options);
    EXPECT_EQ(written.error, "");
    std::string places;
    const Json flat = written.json().flatten();
    for (const auto& [place, value] : flat.items()) {
      const bool is_format = place.find("/extras/targetNames/") != std::string::npos;
      if (!is_format && place.find("/extras/") != std::string::npos) places += place + '\n';
    }
    return places;
  };
  EXPECT_EQ(extras_of(false), "");
  const std::string with = extras_of(true);
  for (const char* place :
       {"/asset/extras/sinew/physicsDraft", "/cameras/0/extras/usd/path",
        "/materials/1/extras/usd/path", "/meshes/0/extras/usd/path", "/nodes/0/extras/usd/path",
        "/skins/0/extras/usd/path", "/physicsMaterials/0/extras/usd/path",
        "/physicsMaterials/0/extras/sinew/density", "/scenes/0/extras/sinew/gravity/direction/0",
        "/scenes/0/extras/sinew/articulationRoots/0", "/extras/sinew/startsAsleep",
        "/extras/sinew/breakForce", "/extras/sinew/excludeFromArticulation",
        "/extras/sinew/genericJoint", "/extras/sinew/approximation", "/extras/sinew/body"}) {
    EXPECT_NE(with.find(place), std::string::npos) << place << " is not in\n" << with;
  }
}

TEST(WriteGlb, TakesTheUnitAndTheAxisOfTheCaller) {
  const std::string moved =
      "def Xform \"X\" { double3 xformOp:translate = (4, 0, 0)\n"
      "uniform token[] xformOpOrder = [\"xformOp:translate\"]\n" +
      quad() + "}\n";
  const struct {
    const char* metadata;
    std::optional<double> meters;
    bool keeps_axis, is_turned;
    double x;
    std::string told;
  } rows[] = {
      {"upAxis = \"Y\"",
       {},
       false,
       false,
       0.04,
       "warning gltf-units-assumed /: metersPerUnit is not authored; one unit is taken for 0.01 m, "
       "as USD does.\n"},
      {"upAxis = \"Y\"", 0.5, false, false, 2.0, ""},
      {"upAxis = \"Z\"\nmetersPerUnit = 1", 0.25, false, true, 1.0, ""},
      {"upAxis = \"Z\"\nmetersPerUnit = 1", {}, true, false, 4.0, ""},
      {"upAxis = \"Y\"\nmetersPerUnit = 2", {}, true, false, 8.0, ""},
      {"upAxis = \"Y\"\nmetersPerUnit = 0",
       {},
       false,
       false,
       4.0,
       "error gltf-bad-units /: metersPerUnit is 0; one unit is taken for 1 m.\n"},
  };
  for (const auto& row : rows) {
    GlbOptions options;
    options.meters_per_unit = row.meters;
    options.keep_up_axis = row.keeps_axis;
    const Written written =
        write_text("#usda 1.0\n(" + std::string(row.metadata) + ")\n" + moved, options);
    ASSERT_EQ(written.error, "");
    EXPECT_EQ(written.told(), row.told) << row.metadata;
    EXPECT_EQ(written.parts.node("root") != nullptr, row.is_turned) << row.metadata;
    const Json& node = *written.parts.node("X");
    EXPECT_FLOAT_EQ(node["translation"][0].get<float>(), static_cast<float>(row.x));
  }
}

// gltf 73
TEST(WriteGlb, TakesTheRangeOfTheStageOrThatOfItsSamples) {
  const auto times = [](const std::string& range) {
    const Written written = write_text(
        "#usda 1.0\n(metersPerUnit = 1\nupAxis = \"Y\"\ntimeCodesPerSecond = 2\n" + range +
        ")\ndef Xform \"X\" { double3 xformOp:translate.timeSamples = { 1: (1,0,0), 2: (2,0,0), "
        "5: (5,0,0) }\nuniform token[] xformOpOrder = [\"xformOp:translate\"]\n" +
        quad() + "}\n");
    EXPECT_EQ(written.error, "");
    if (!written.json().contains("animations")) {
      return std::vector<float>{(*written.parts.node("X"))["translation"][0].get<float>()};
    }
    return written.parts.floats(written.json()["animations"][0]["samplers"][0]["input"]);
  };
  using List = std::vector<float>;
  EXPECT_EQ(times(""), (List{0.0F, 0.5F, 2.0F}));
  EXPECT_EQ(times("startTimeCode = 0\nendTimeCode = 2"), (List{0.0F, 0.5F, 1.0F}));
  EXPECT_EQ(times("startTimeCode = 2\nendTimeCode = 6"), (List{0.0F, 1.5F, 2.0F}));
  EXPECT_EQ(times("startTimeCode = 5\nendTimeCode = 0"), (List{0.0F, 0.5F, 2.0F}));  // No range.
  EXPECT_EQ(times("startTimeCode = 2\nendTimeCode = 2"), (List{2.0F}));  // Where it then stands.
}

// gltf 107
TEST(WriteGlb, KeepsTheLimitOfVertices) {
  const auto refusal = [](const std::string& counts, const std::string& indices) {
    GlbOptions options;
    options.limits.vertices = 4;
    const Written written =
        write_text(kHead + ("def Mesh \"M\" { uniform token subdivisionScheme = \"none\"\n"
                            "point3f[] points = [(0,0,0), (1,0,0), (1,1,0), (0,1,0)]\n"
                            "int[] faceVertexCounts = [" +
                            counts + "]\nint[] faceVertexIndices = [" + indices + "]\n}\n"),
                   options);
    EXPECT_EQ(written.code, written.error.empty() ? ErrorCode::ok : ErrorCode::limit_exceeded);
    return written.error;
  };
  const std::string four = "0,1,2,3,0,1,2,3,0,1,2,3,0,1,2,3";
  EXPECT_EQ(refusal("4", "0,1,2,3"), "");
  EXPECT_EQ(refusal("4,4,4,4", four), "");  // Corners are four for each vertex at most.
  EXPECT_EQ(refusal("4,4,4,4,3", four + ",0,1,2"), "/M has more than 4 vertices.");
}

TEST(WriteGlb, WritesTheSameToAFileWithArraysOfAnySize) {
  // More than 2^20 bytes, which are written in pieces, and no multiple of four.
  std::string picture = "\x89PNG\r\n\x1A\n";
  while (picture.size() < 1'100'001) picture += static_cast<char>(picture.size() * 7 / 5);
  stage::MemoryResolver resolver;
  resolver.add("a.usda", with_breaks(kHead + surface(kDiffuse)));
  resolver.add("a.png", picture);
  stage::OpenOptions open;
  open.resolver = &resolver;
  Diagnostics diagnostics;
  const auto stage = stage::Stage::open("a.usda", diagnostics, open);
  ASSERT_TRUE(stage);
  GlbOptions options;
  options.resolver = &resolver;
  const Written written = write(**stage, options);
  ASSERT_EQ(written.error, "");
  const Json& json = written.json();
  const Json& view = json["bufferViews"][json["images"][0]["bufferView"].get<std::size_t>()];
  ASSERT_EQ(view["byteLength"], picture.size());
  EXPECT_EQ(std::memcmp(written.parts.binary.data() + view["byteOffset"].get<std::size_t>(),
                        picture.data(), picture.size()),
            0);

  const fs::path file = fs::temp_directory_path() / "sinew_write_glb_same_test.glb";
  const auto summary = write_glb_file(**stage, file.string(), options, diagnostics);
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->image_bytes, picture.size());
  const std::string bytes = contents_of(file.string());
  fs::remove(file);
  ASSERT_EQ(bytes.size(), written.file.bytes.size());
  EXPECT_EQ(std::memcmp(bytes.data(), written.file.bytes.data(), bytes.size()), 0);
}

TEST(WriteGlb, SaysHowWritingGoesOn) {
  const auto said = [](const std::string& text) {
    std::vector<std::string> lines;
    GlbOptions options;
    options.progress = [&](std::string_view what, std::size_t done, std::size_t total) {
      lines.push_back(std::string(what) + ' ' + std::to_string(done) + '/' + std::to_string(total));
    };
    const Written written =
        write_text(kHead + text, options, {{"a.png", std::string("\x89PNG\r\n\x1A\n", 8)}});
    EXPECT_EQ(written.error, "");
    return lines;
  };
  // The nodes of R, S and M, and the skeleton.
  EXPECT_EQ(said(skinned(kTwoInfluences)),
            (std::vector<std::string>{"meshes 0/3", "meshes 1/3", "meshes 2/3", "clips 0/1"}));
  EXPECT_EQ(said(surface(kDiffuse)), (std::vector<std::string>{"meshes 0/1", "textures 0/1"}));
}

// gltf 33
TEST(WriteGlb, NamesTheSceneAfterTheDefaultPrimOrTheFile) {
  const auto name = [](const std::string& identifier, const std::string& metadata) {
    stage::MemoryResolver resolver;
    resolver.add(identifier, with_breaks("#usda 1.0\n(metersPerUnit = 1\nupAxis = \"Y\"\n" +
                                         metadata + ")\n" + quad()));
    stage::OpenOptions open;
    open.resolver = &resolver;
    Diagnostics diagnostics;
    const auto stage = stage::Stage::open(identifier, diagnostics, open);
    EXPECT_TRUE(stage);
    return stage ? write(**stage).json()["scenes"][0].value("name", "") : "";
  };
  EXPECT_EQ(name("a.usda", ""), "a");
  EXPECT_EQ(name("dir/b.c.usda", ""), "b.c");
  EXPECT_EQ(name("dir/b.c.usda", "defaultPrim = \"M\""), "M");
}

TEST(WriteGlb, DrawsPointsWithoutWeightsToTheOriginOfTheSkeleton) {
  const Written written =
      write_text(kHead + skinned("int[] primvars:skel:jointIndices = [0,0,1,1] (elementSize = 1\n"
                                 "interpolation = \"vertex\")\n"
                                 "float[] primvars:skel:jointWeights = [0,1,1,1] (elementSize = 1\n"
                                 "interpolation = \"vertex\")\n"
                                 "matrix4d primvars:skel:geomBindTransform = "
                                 "((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,2,1))\n"));
  ASSERT_EQ(written.error, "");
  const Json& skin = written.json()["skins"][0];
  // Behind the joints of the skeleton one that stands still, and one at the origin.
  ASSERT_EQ(skin["joints"].size(), 4U);
  const Json& nodes = written.json()["nodes"];
  EXPECT_EQ(nodes[skin["joints"][2].get<std::size_t>()]["name"], "still");
  EXPECT_EQ(nodes[skin["joints"][3].get<std::size_t>()]["name"], "origin");
  const std::vector<float> inverse = written.parts.floats(skin["inverseBindMatrices"]);
  ASSERT_EQ(inverse.size(), 64U);
  EXPECT_EQ(std::vector<float>(inverse.begin() + 32, inverse.end()),
            (std::vector<float>{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 2, 1,
                                0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}));
  const Json& attributes = written.json()["meshes"][0]["primitives"][0]["attributes"];
  EXPECT_EQ(written.parts.integers(attributes["JOINTS_0"]),
            (std::vector<std::uint32_t>{3, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}));
  EXPECT_EQ(written.parts.floats(attributes["WEIGHTS_0"]),
            (std::vector<float>{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}));
  EXPECT_EQ(written.told(),
            "warning gltf-weights-missing /R/M: 1 points of /R/M follow no joint; they stand at "
            "the origin of the skeleton.\n");
}

// gltf 53
TEST(WriteGlb, JointsThatTheSkeletonLacksStandStill) {
  const Written written = write_text(
      kHead + skinned(kTwoInfluences + "uniform token[] skel:joints = [\"a/b\", \"tail\"]\n"));
  ASSERT_EQ(written.error, "");
  const Json& skin = written.json()["skins"][0];
  ASSERT_EQ(skin["joints"].size(), 3U);
  EXPECT_EQ(written.json()["nodes"][skin["joints"][2].get<std::size_t>()]["name"], "still");
  const Json& attributes = written.json()["meshes"][0]["primitives"][0]["attributes"];
  // The mesh's 0 is the second joint, its 1 the one that stands still.
  EXPECT_EQ(written.parts.integers(attributes["JOINTS_0"]),
            (std::vector<std::uint32_t>{1, 2, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0}));
  EXPECT_EQ(
      written.told(),
      "warning skel-custom-joint-missing /R/M: The joint order of /R/M has \"tail\", which its "
      "skeleton lacks; it does not move anything.\n"
      "warning gltf-missing-joint /R/M: /R/M follows joint \"tail\", which its skeleton "
      "lacks; a joint that does not move stands for it.\n");
}

Status export_stage(const stage::Stage& stage, const std::string& file, Diagnostics& diagnostics) {
  exporter::GlbOptions options;
  options.influences = exporter::GlbInfluences::eight;
  const auto summary = exporter::write_glb_file(stage, file, options, diagnostics);
  if (!summary) return summary.error();
  return {};
}

TEST(WriteGlb, ThePageQuotesTestedCode) {
  Diagnostics diagnostics;
  const auto stage = stage::Stage::open(test::example_data_folder() + "/arm.usda", diagnostics);
  ASSERT_TRUE(stage);
  const fs::path file = fs::temp_directory_path() / "sinew_quoted_export.glb";
  EXPECT_TRUE(export_stage(**stage, file.string(), diagnostics));
  EXPECT_GT(fs::file_size(file), 1000U);
  fs::remove(file);

  EXPECT_EQ(
      test::expect_quotes_tested_code(test::example_data_folder() + "/../../docs/to_gltf.md",
                                      test::data_folder() + "/../export/gltf/write_glb_test.cpp"),
      1U);
}

}  // namespace
}  // namespace sinew::exporter::write_glb_test
