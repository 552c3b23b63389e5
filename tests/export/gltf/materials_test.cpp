// SPDX-License-Identifier: Apache-2.0
// What becomes of surfaces whose colours and opacity come from elsewhere.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "export/gltf/written.hpp"

namespace sinew::exporter::gltf_materials_test {
namespace {

using test::Json;
using test::kDiffuse;
using test::kHead;
using test::surface;
using test::write_text;
using test::Written;

const std::string kPng("\x89PNG\r\n\x1A\n rest", 13);

/// A quad with these lines whose surface takes the displayColor of the mesh.
Written write_mesh_coloured(const std::string& mesh) {
  return write_text(
      kHead + surface("color3f inputs:diffuseColor.connect = </P.outputs:result>\n", "", mesh) +
      "def Shader \"P\" { uniform token info:id = \"UsdPrimvarReader_float3\"\n"
      "string inputs:varname = \"displayColor\"\nfloat3 inputs:fallback = (0, 0.5, 0)\n"
      "float3 outputs:result }\n");
}

TEST(GltfMaterials, OpacityOfAnotherFileIsOpaqueAlsoWithAThreshold) {
  const Written written =
      write_text(kHead +
                     surface(kDiffuse + "float inputs:opacity.connect = </O.outputs:r>\n"
                                        "float inputs:opacityThreshold = 0.3\n") +
                     "def Shader \"O\" { uniform token info:id = \"UsdUVTexture\"\n"
                     "asset inputs:file = @b.png@\nfloat outputs:r }\n",
                 {}, {{"a.png", kPng}, {"b.png", kPng}});
  ASSERT_EQ(written.error, "");
  EXPECT_TRUE(written.says("gltf-texture-packing"));
  EXPECT_FALSE(written.json()["materials"][0].contains("alphaMode"));
}

// One picture, but laid onto the surface in two ways: glTF has one for both.
TEST(GltfMaterials, OpacityThatIsLaidOtherwiseThanTheColourIsOpaque) {
  for (const auto& [input, is_same] :
       {std::pair("", true),
        {"token inputs:wrapS = \"mirror\"\n", false},
        {"float2 inputs:st.connect = </R.outputs:result>\n", false}}) {
    const Written written =
        write_text(kHead + surface(kDiffuse + "float inputs:opacity.connect = </O.outputs:a>\n") +
                       "def Shader \"O\" { uniform token info:id = \"UsdUVTexture\"\n"
                       "asset inputs:file = @a.png@\nfloat outputs:a\n" +
                       input +
                       "}\n"
                       "def Shader \"R\" { uniform token info:id = \"UsdTransform2d\"\n"
                       "float2 inputs:scale = (3, 3)\nfloat2 outputs:result }\n",
                   {}, {{"a.png", kPng}});
    ASSERT_EQ(written.error, "");
    EXPECT_EQ(written.says("gltf-texture-packing"), !is_same) << input;
    EXPECT_EQ(written.json()["materials"][0].contains("alphaMode"), is_same) << input;
  }
}

TEST(GltfMaterials, ColoursOfVerticesCountWhereTheSurfaceReadsThem) {
  const Written written = write_mesh_coloured(
      "color3f[] primvars:displayColor = [(1,0,0),(0,1,0),(0,0,1),(1,1,1)] (interpolation = "
      "\"vertex\")\n");
  ASSERT_EQ(written.error, "");
  EXPECT_EQ(written.diagnostics.size(), 0U);
  EXPECT_TRUE(written.json()["meshes"][0]["primitives"][0]["attributes"].contains("COLOR_0"));
  EXPECT_FALSE(written.json()["materials"][0]["pbrMetallicRoughness"].contains("baseColorFactor"));
}

TEST(GltfMaterials, AColourOfTheMeshIsThatOfTheSurfaceWhichReadsIt) {
  const Written written = write_mesh_coloured("color3f[] primvars:displayColor = [(1,0,0.5)]\n");
  ASSERT_EQ(written.error, "");
  EXPECT_EQ(written.json()["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"],
            Json({1.0, 0.0, 0.5, 1.0}));
}

TEST(GltfMaterials, ASurfaceThatFindsNoColourHasItsFallback) {
  const Written written = write_mesh_coloured("\n");
  ASSERT_EQ(written.error, "");
  EXPECT_EQ(written.json()["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"],
            Json({0.0, 0.5, 0.0, 1.0}));
}

// gltf 89. The default material of glTF is a white metal.
TEST(GltfMaterials, WhatIsUnboundAndHasNoColourIsGrey) {
  const Json grey = {{"baseColorFactor", {0.18, 0.18, 0.18, 1.0}},
                     {"metallicFactor", 0.0},
                     {"roughnessFactor", 0.5}};
  for (const std::string& text : {test::quad(), std::string("def Cube \"M\" {}\n")}) {
    const Written written = write_text(kHead + text);
    ASSERT_EQ(written.error, "");
    EXPECT_EQ(written.json()["meshes"][0]["primitives"][0]["material"], 0);
    EXPECT_EQ(written.json()["materials"], Json::array({{{"pbrMetallicRoughness", grey}}}));
  }
  GlbOptions options;
  options.materials = false;
  const Written without = write_text(kHead + test::quad(), options);
  EXPECT_FALSE(without.json().contains("materials"));
}

TEST(GltfMaterials, WhatIsWrongWithATextureIsToldOfItsShader) {
  const Written written = write_text(kHead + surface(kDiffuse), {}, {{"other.png", kPng}});
  ASSERT_EQ(written.error, "");
  const auto told =
      std::find_if(written.diagnostics.begin(), written.diagnostics.end(),
                   [](const Diagnostic& d) { return d.code == "gltf-texture-missing"; });
  ASSERT_NE(told, written.diagnostics.end());
  EXPECT_EQ(told->path, "/T/I");
}

// A quad with these lines in its surface, and in the shader that reads "a.png".
Written write_surface(const std::string& lines, const std::string& texture = "",
                      const GlbOptions& options = {}, const std::string& more = "") {
  return write_text(kHead + surface(lines, "asset inputs:file = @a.png@\n" + texture) + more,
                    options, {{"a.png", kPng}, {"b.png", kPng}});
}

Json pbr_of(const Written& written) {
  return written.json()["materials"][0].value("pbrMetallicRoughness", Json::object());
}

std::string packing(const std::string& message) {
  return "warning gltf-texture-packing /T: " + message + "\n";
}

// gltf 89
TEST(GltfMaterials, MetallicAndRoughnessAreTheBlueAndGreenOfOneFileOrPlainValues) {
  const auto plain = [](const char* metal, const char* rough) {
    return packing(
        fmt::format("Metallic ('{}') and roughness ('{}') of /T are not the blue and "
                    "green of one file; plain values are written.",
                    metal, rough));
  };
  const auto factors = [](double metallic, double roughness) {
    return Json({{"metallicFactor", metallic}, {"roughnessFactor", roughness}});
  };
  const auto textured = [&](double metallic, double roughness) {
    Json json = factors(metallic, roughness);
    json["metallicRoughnessTexture"] = {{"index", 0}};
    return json;
  };
  const struct {
    const char *metallic, *roughness;
    Json pbr;
    std::string told;
  } rows[] = {
      {".connect = </T/I.outputs:b>", ".connect = </T/I.outputs:g>", textured(0.25, 0.5), ""},
      {".connect = </T/I.outputs:b>", " = 0.75", textured(0.25, 0.75),
       packing("The texture 'a.png' of /T gives metallic, and its green roughness too.")},
      {" = 0", ".connect = </T/I.outputs:g>", textured(0.0, 0.5), ""},
      {" = 0.5", ".connect = </T/I.outputs:g>", factors(0.5, 0.375), plain("", "a.png")},
      {".connect = </T/I.outputs:r>", ".connect = </T/I.outputs:g>", factors(0.125, 0.375),
       plain("a.png", "a.png")},
      {".connect = </T/I.outputs:b>", ".connect = </T/I.outputs:a>", factors(0.625, 0.875),
       plain("a.png", "a.png")},
      {".connect = </T/I.outputs:rgb>", " = 0.75", factors(0.125, 0.75), plain("a.png", "")},
      {".connect = </T/I.outputs:x>", " = 0.75", factors(0.125, 0.75), plain("a.png", "")},
      {".connect = </T/I.outputs:b>", ".connect = </O.outputs:g>", factors(0.625, 0.5),
       plain("a.png", "b.png")},
  };
  for (const auto& row : rows) {
    const std::string lines = fmt::format(
        "color3f inputs:diffuseColor = (1,1,1)\nfloat inputs:metallic{}\n"
        "float inputs:roughness{}\n",
        row.metallic, row.roughness);
    const std::string texture =
        "float4 inputs:scale = (1,0.5,0.25,0.75)\n"
        "float4 inputs:fallback = (0.125,0.375,0.625,0.875)\n";
    const std::string other =
        "def Shader \"O\" { uniform token info:id = \"UsdUVTexture\"\n"
        "asset inputs:file = @b.png@\n}\n";
    const Written written = write_surface(lines, texture, {}, other);
    EXPECT_EQ(written.error, "");
    EXPECT_EQ(pbr_of(written), row.pbr) << lines;
    EXPECT_EQ(written.told(), row.told) << lines;

    GlbOptions options;
    options.textures = GlbTextures::none;
    const Written without = write_surface(lines, texture, options, other);
    EXPECT_FALSE(pbr_of(without).contains("metallicRoughnessTexture"));
    EXPECT_EQ(without.told(), "") << lines;
  }
}

TEST(GltfMaterials, WithoutTexturesTheirFallbackIsWritten) {
  GlbOptions options;
  options.textures = GlbTextures::none;
  const Written written =
      write_surface(kDiffuse +
                        "color3f inputs:emissiveColor.connect = </T/I.outputs:rgb>\n"
                        "float inputs:metallic.connect = </T/I.outputs:b>\n"
                        "float inputs:roughness.connect = </T/I.outputs:g>\n",
                    "float4 inputs:fallback = (-1,0.5,2,0.25)\n", options);
  ASSERT_EQ(written.error, "");
  EXPECT_EQ(written.told(), "");
  EXPECT_EQ(pbr_of(written),
            Json({{"baseColorFactor", {0.0, 0.5, 1.0, 1.0}}, {"roughnessFactor", 0.5}}));
  const Json& material = written.json()["materials"][0];
  EXPECT_EQ(material["emissiveFactor"], Json({0.0, 0.25, 1.0}));
  EXPECT_EQ(material["extensions"],
            Json::parse(R"({"KHR_materials_emissive_strength": {"emissiveStrength": 2.0}})"));
}

// What is said nowhere is as it would be if the input were not connected, and not black and smooth.
TEST(GltfMaterials, TexturesWithoutFallbackLeaveWhatTheSurfaceIsByItself) {
  const std::string lines = kDiffuse +
                            "color3f inputs:emissiveColor.connect = </T/I.outputs:rgb>\n"
                            "float inputs:metallic.connect = </T/I.outputs:b>\n"
                            "float inputs:roughness.connect = </T/I.outputs:g>\n";
  GlbOptions none;
  none.textures = GlbTextures::none;
  const Written by_option = write_surface(lines, "", none);
  EXPECT_EQ(by_option.told(), "");
  const Written missing = write_text(kHead + surface(lines), {}, {{"other.png", kPng}});
  const Written without_coordinates =
      write_text(kHead + surface(lines, "", "\n"), {}, {{"a.png", kPng}});
  EXPECT_TRUE(without_coordinates.says("gltf-texture-coordinates-missing"));
  for (const Written* const written : {&by_option, &missing, &without_coordinates}) {
    ASSERT_EQ(written->error, "");
    EXPECT_EQ(pbr_of(*written), Json({{"baseColorFactor", {0.18, 0.18, 0.18, 1.0}},
                                      {"metallicFactor", 0.0},
                                      {"roughnessFactor", 0.5}}));
    EXPECT_FALSE(written->json()["materials"][0].contains("emissiveFactor"));
  }
}

TEST(GltfMaterials, NormalTexturesOfAnyUsualStrengthAreWritten) {
  const std::string unusual =
      "warning gltf-texture-scale /T: The normal texture of /T is not scaled by 2 and moved by "
      "-1.\n";
  const Json plain = {{"index", 0}};
  const struct {
    const char *scale, *bias;
    Json info;
    std::string told;
  } rows[] = {
      {"(2,2,2,1)", "(-1,-1,-1,0)", plain, ""},
      {"(1,1,2,1)", "(-0.5,-0.5,-1,0)", {{"index", 0}, {"scale", 0.5}}, ""},
      {"(4,4,2,1)", "(-2,-2,-1,0)", {{"index", 0}, {"scale", 2.0}}, ""},
      {"(1,1,1,1)", "(0,0,0,0)", plain, unusual},
      {"(2,4,2,1)", "(-1,-1,-1,0)", plain, unusual},
      {"(2,2,2,1)", "(-1,-1,-0.5,0)", plain, unusual},
      {"(1,1,1,1)", "(-0.5,-0.5,-1,0)", plain, unusual},
  };
  for (const auto& row : rows) {
    const Written written = write_surface(
        "normal3f inputs:normal.connect = </T/I.outputs:rgb>\n",
        fmt::format("float4 inputs:scale = {}\nfloat4 inputs:bias = {}\n", row.scale, row.bias));
    ASSERT_EQ(written.error, "");
    EXPECT_EQ(written.json()["materials"][0]["normalTexture"], row.info) << row.scale << row.bias;
    EXPECT_EQ(written.told(), row.told) << row.scale << row.bias;
  }
}

TEST(GltfMaterials, OcclusionIsTheRedOfATextureWithAStrength) {
  const std::string no_strength =
      "warning gltf-texture-scale /T: The scale and bias of the occlusion texture of /T are no "
      "strength of occlusion.\n";
  const Json plain = {{"index", 0}};
  const struct {
    double scale, bias;
    Json info;
    std::string told;
  } rows[] = {
      {1.0, 0.0, plain, ""},
      {0.25, 0.75, {{"index", 0}, {"strength", 0.25}}, ""},
      {0.0, 1.0, {{"index", 0}, {"strength", 0.0}}, ""},
      {0.5, 0.0, plain, no_strength},
      {1.0, 0.25, plain, no_strength},
      {2.0, -1.0, plain, no_strength},
      {-0.5, 1.5, plain, no_strength},
  };
  for (const auto& row : rows) {
    const Written written = write_surface(
        "float inputs:occlusion.connect = </T/I.outputs:r>\n",
        fmt::format("float4 inputs:scale = ({},1,1,1)\nfloat4 inputs:bias = ({},0,0,0)\n",
                    row.scale, row.bias));
    ASSERT_EQ(written.error, "");
    EXPECT_EQ(written.json()["materials"][0]["occlusionTexture"], row.info) << row.scale;
    EXPECT_EQ(written.told(), row.told) << row.scale << ' ' << row.bias;
  }
  const Written green = write_surface("float inputs:occlusion.connect = </T/I.outputs:g>\n");
  EXPECT_FALSE(green.json()["materials"][0].contains("occlusionTexture"));
  EXPECT_EQ(green.told(),
            packing("The occlusion of /T is not the red of 'a.png'; it is left out."));
}

TEST(GltfMaterials, CoatsHaveTexturesOfRedAndGreenOrPlainValues) {
  const std::string left_out =
      "warning gltf-texture-left-out /T: Textures of /T for {} are left out; plain values are "
      "written.\n";
  const Json texture = {{"index", 0}};
  const struct {
    const char *coat, *roughness, *fallback;
    bool none;
    Json made;
    std::string told;
  } rows[] = {
      {".connect = </T/I.outputs:r>",
       ".connect = </T/I.outputs:g>",
       "",
       false,
       {{"clearcoatFactor", 0.75},
        {"clearcoatTexture", texture},
        {"clearcoatRoughnessFactor", 0.5},
        {"clearcoatRoughnessTexture", texture}},
       ""},
      {" = 0.25",
       ".connect = </T/I.outputs:g>",
       "",
       false,
       {{"clearcoatFactor", 0.25},
        {"clearcoatRoughnessFactor", 0.5},
        {"clearcoatRoughnessTexture", texture}},
       ""},
      {".connect = </T/I.outputs:b>",
       ".connect = </T/I.outputs:r>",
       "",
       false,
       {{"clearcoatFactor", 0.25}, {"clearcoatRoughnessFactor", 0.01}},
       fmt::format(fmt::runtime(left_out), "clearcoat, clearcoatRoughness")},
      {".connect = </T/I.outputs:b>",
       " = 0.125",
       "float4 inputs:fallback = (0,0,0.5,1)\n",
       false,
       {{"clearcoatFactor", 0.5}, {"clearcoatRoughnessFactor", 0.125}},
       fmt::format(fmt::runtime(left_out), "clearcoat")},
      {".connect = </T/I.outputs:r>",
       ".connect = </T/I.outputs:g>",
       "",
       true,
       {{"clearcoatFactor", 0.75}, {"clearcoatRoughnessFactor", 0.01}},
       ""},
      {" = 0", ".connect = </T/I.outputs:g>", "", false, Json(), ""},
  };
  for (const auto& row : rows) {
    GlbOptions options;
    if (row.none) options.textures = GlbTextures::none;
    const std::string lines = fmt::format(
        "float inputs:clearcoat{}\nfloat inputs:clearcoatRoughness{}\n", row.coat, row.roughness);
    const Written written = write_surface(
        lines, std::string("float4 inputs:scale = (0.75,0.5,0.25,1)\n") + row.fallback, options);
    ASSERT_EQ(written.error, "");
    const Json& material = written.json()["materials"][0];
    EXPECT_EQ(material.contains("extensions"), !row.made.is_null()) << lines;
    if (!row.made.is_null()) {
      EXPECT_EQ(material["extensions"]["KHR_materials_clearcoat"], row.made) << lines;
    }
    EXPECT_EQ(written.told(), row.told) << lines;
  }
}

TEST(GltfMaterials, InputsHaveAnyTypeOfTheirNumbers) {
  const std::pair<const char*, const char*> types[] = {
      {"color3f", "float"}, {"color3d", "double"}, {"color3h", "half"}};
  for (const auto& [color, number] : types) {
    const Written written = write_surface(
        fmt::format("{0} inputs:diffuseColor = (0.25,0.5,0.75)\n{1} inputs:roughness = 0.125\n"
                    "{1} inputs:metallic = 0.375\n{1} inputs:opacity = 0.625\n"
                    "{0} inputs:emissiveColor.connect = </T/I.outputs:rgb>\n",
                    color, number),
        fmt::format("{}4 inputs:scale = (0.5,0.25,1,1)\n", number));
    ASSERT_EQ(written.error, "");
    EXPECT_EQ(pbr_of(written), Json({{"baseColorFactor", {0.25, 0.5, 0.75, 0.625}},
                                     {"metallicFactor", 0.375},
                                     {"roughnessFactor", 0.125}}))
        << number;
    EXPECT_EQ(written.json()["materials"][0]["emissiveFactor"], Json({0.5, 0.25, 1.0})) << number;
  }
  const Written whole = write_surface("int inputs:clearcoat = 1\nint inputs:metallic = 1\n");
  EXPECT_FALSE(pbr_of(whole).contains("metallicFactor"));
  EXPECT_EQ(
      whole.json()["materials"][0]["extensions"]["KHR_materials_clearcoat"]["clearcoatFactor"],
      1.0);
}

TEST(GltfMaterials, TexturesAreTransformedByAnyTypeOfNumbers) {
  for (const char* type : {"float", "double", "half"}) {
    const Written written = write_surface(
        kDiffuse, "float2 inputs:st.connect = </X.outputs:result>\n", {},
        fmt::format("def Shader \"X\" {{ uniform token info:id = \"UsdTransform2d\"\n"
                    "{0}2 inputs:scale = (2, 4)\n{0}2 inputs:translation = (0.25, 0.5)\n}}\n",
                    type));
    ASSERT_EQ(written.error, "");
    EXPECT_EQ(pbr_of(written)["baseColorTexture"]["extensions"]["KHR_texture_transform"],
              Json::parse(R"({"offset": [0.25, -3.5], "scale": [2.0, 4.0]})"))
        << type;
  }
}

TEST(GltfMaterials, NumbersThatNoFloatHoldsCountAsNotAuthored) {
  const Written plain = write_surface("\n");
  for (const char* input : {"ior", "opacityThreshold", "clearcoat", "metallic", "roughness",
                            "opacity", "useSpecularWorkflow", "displacement"}) {
    for (const char* value : {"1e300", "-1e300"}) {
      const Written written = write_surface(fmt::format("double inputs:{} = {}\n", input, value));
      EXPECT_EQ(written.error, "");
      EXPECT_EQ(written.json()["materials"], plain.json()["materials"]) << input << value;
      EXPECT_EQ(written.told(), "") << input;
    }
  }
}

TEST(GltfMaterials, TransformsOfTexturesStayFinite) {
  const auto transform = [](const char* lines) {
    const Written written =
        write_surface(kDiffuse, "float2 inputs:st.connect = </X.outputs:result>\n", {},
                      fmt::format("def Shader \"X\" {{ uniform token info:id = \"UsdTransform2d\"\n"
                                  "{}}}\n",
                                  lines));
    EXPECT_EQ(written.error, "");
    return pbr_of(written)["baseColorTexture"]["extensions"]["KHR_texture_transform"];
  };
  EXPECT_EQ(transform("double inputs:rotation = 1e300\n"),
            Json::parse(R"({"offset": [0.0, 0.0], "scale": [1.0, 1.0]})"));
  const Json large =
      transform("float2 inputs:scale = (1, -3e38)\nfloat2 inputs:translation = (-3e38, -3e38)\n");
  EXPECT_EQ(large["offset"][0].get<float>(), -3e38F);
  EXPECT_EQ(large["offset"][1].get<float>(), std::numeric_limits<float>::max());
}

// gltf 90
TEST(GltfMaterials, TransformsOfTexturesInAChainBecomeOne) {
  const std::string sheared =
      "warning gltf-texture-transform /T/I: The transforms of the coordinates of /T/I shear, or "
      "are "
      "out of range; the closest that glTF has is written.\n";
  const struct {
    const char *outer, *inner;
    std::vector<double> scale, offset;
    double degrees;
    std::string told;
  } rows[] = {
      {"float2 inputs:scale = (2,2)\n",
       "float2 inputs:translation = (0.5,0.5)\n",
       {2, 2},
       {1, -2},
       0,
       ""},
      {"float2 inputs:scale = (-2,3)\nfloat2 inputs:translation = (1,0)\n",
       "float2 inputs:scale = (4,5)\nfloat2 inputs:translation = (1,2)\n",
       {-8, 15},
       {-1, -20},
       0,
       ""},
      {"float inputs:rotation = 60\n", "float inputs:rotation = 30\n", {1, 1}, {-1, 1}, 90, ""},
      {"float2 inputs:scale = (2,3)\n", "float inputs:rotation = 90\n", {3, 2}, {-2, 1}, 90, ""},
      {"float2 inputs:scale = (2,-2)\n", "float inputs:rotation = 90\n", {-2, 2}, {-2, 1}, 90, ""},
      {"float2 inputs:scale = (2,1)\n", "float inputs:rotation = 45\n", {}, {}, 0, sheared},
      {"float2 inputs:scale = (1,3e38)\n", "float2 inputs:scale = (1,2)\n", {}, {}, 0, sheared},
  };
  for (const auto& row : rows) {
    const std::string more = fmt::format(
        "def Shader \"X\" {{ uniform token info:id = \"UsdTransform2d\"\n"
        "float2 inputs:in.connect = </Y.outputs:result>\n{}}}\n"
        "def Shader \"Y\" {{ uniform token info:id = \"UsdTransform2d\"\n"
        "float2 inputs:in.connect = </V.outputs:result>\n{}}}\n"
        "def Shader \"V\" {{ uniform token info:id = \"UsdPrimvarReader_float2\"\n"
        "string inputs:varname = \"other\"\n}}\n",
        row.outer, row.inner);
    const Written written = write_text(
        kHead +
            surface(kDiffuse,
                    "asset inputs:file = @a.png@\nfloat2 inputs:st.connect = </X.outputs:result>\n",
                    "texCoord2f[] primvars:st = [(0,0),(1,0),(1,1),(0,1)] (interpolation = "
                    "\"vertex\")\ntexCoord2f[] primvars:other = [(0,0),(1,0),(1,1),(0,1)] "
                    "(interpolation = \"vertex\")\n") +
            more,
        {}, {{"a.png", kPng}});
    ASSERT_EQ(written.error, "");
    EXPECT_EQ(written.told(), row.told) << row.outer << row.inner;
    const Json info = pbr_of(written)["baseColorTexture"];
    EXPECT_FALSE(info.contains("texCoord"));  // What the material reads comes first.
    if (!row.told.empty()) continue;
    const Json& made = info["extensions"]["KHR_texture_transform"];
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_NEAR(made["scale"][i].get<double>(), row.scale[i], 1e-6) << row.outer << row.inner;
      EXPECT_NEAR(made["offset"][i].get<double>(), row.offset[i], 1e-6) << row.outer << row.inner;
    }
    EXPECT_NEAR(made.value("rotation", 0.0), row.degrees * 3.14159265358979 / 180.0, 1e-6);
  }
}

TEST(GltfMaterials, CoordinatesFromWhatGltfHasNotAreTold) {
  const Written written =
      write_surface(kDiffuse, "float2 inputs:st.connect = </X.outputs:out>\n", {},
                    "def Shader \"X\" { uniform token info:id = \"Swirl\"\n}\n");
  ASSERT_EQ(written.error, "");
  EXPECT_EQ(written.told(),
            "warning gltf-unknown-shader /T/I: The coordinates of /T/I come from the shader "
            "\"Swirl\", which glTF has no place for; those of the mesh are used.\n");
  EXPECT_TRUE(pbr_of(written).contains("baseColorTexture"));
}

TEST(GltfMaterials, TilesOfTexturesAreLeftOut) {
  const Written written =
      write_text(kHead + surface(kDiffuse,
                                 "asset inputs:file = @a.<UDIM>.png@\n"
                                 "float4 inputs:fallback = (0.25,0.5,0.75,1)\n"),
                 {}, {{"a.1001.png", kPng}});
  ASSERT_EQ(written.error, "");
  EXPECT_EQ(written.told(),
            "warning gltf-texture-format /T/I: The texture 'a.<UDIM>.png' is left out: it is a set "
            "of tiles (UDIM).\n");
  EXPECT_EQ(pbr_of(written)["baseColorFactor"], Json({0.25, 0.5, 0.75, 1.0}));
  EXPECT_FALSE(written.json().contains("textures"));
}

TEST(GltfMaterials, WebPPicturesNeedAnExtension) {
  for (const bool is_whole : {true, false}) {
    const std::string webp("RIFF\x04\0\0\0WEBPVP8 ", is_whole ? 16 : 11);
    const Written written = write_text(kHead + surface(kDiffuse), {}, {{"a.png", webp}});
    ASSERT_EQ(written.error, "");
    if (!is_whole) {
      EXPECT_EQ(written.told(),
                "warning gltf-texture-format /T/I: The texture 'a.png' is left out: it is no PNG, "
                "JPEG or WebP file.\n");
      continue;
    }
    EXPECT_EQ(written.told(), "");
    EXPECT_EQ(written.json()["images"][0]["mimeType"], "image/webp");
    EXPECT_EQ(
        written.json()["textures"],
        Json::parse(R"([{"sampler": 0, "extensions": {"EXT_texture_webp": {"source": 0}}}])"));
    EXPECT_EQ(written.json()["extensionsUsed"], Json::array({"EXT_texture_webp"}));
    EXPECT_EQ(written.json()["extensionsRequired"], Json::array({"EXT_texture_webp"}))
        << "No other picture stands in for it.";
  }
}

// gltf 91
TEST(GltfMaterials, ReferencesToPicturesAreRelativeAddresses) {
  const std::string name = "pics/azAZ09-_.~`{ :@%\xC3\xBC.png";
  GlbOptions options;
  options.textures = GlbTextures::reference;
  for (const auto& [output, uri] :
       {std::pair("a.glb", "pics/azAZ09-_.~%60%7B%20%3A%40%25%C3%BC.png"),
        std::pair("pics/a.glb", "azAZ09-_.~%60%7B%20%3A%40%25%C3%BC.png"),
        std::pair("out/glb/a.glb", "../../pics/azAZ09-_.~%60%7B%20%3A%40%25%C3%BC.png")}) {
    options.output = output;
    const Written written =
        write_text(kHead + surface(kDiffuse, "asset inputs:file = @@@" + name + "@@@\n"), options,
                   {{name, kPng}});
    ASSERT_EQ(written.error, "");
    EXPECT_EQ(written.told(), "");
    EXPECT_EQ(written.json()["images"], Json::array({{{"name", name.substr(5)}, {"uri", uri}}}));
    EXPECT_FALSE(written.json().contains("bufferViews") && written.file.summary.image_bytes > 0);
  }
}

// gltf 89
TEST(GltfMaterials, WhatTexturesLoseIsToldInputByInput) {
  const auto told = [](const std::string& what) { return "warning " + what + "\n"; };
  const std::string left_out = "gltf-texture-left-out /T: Textures of /T for ";
  const std::string plain = " are left out; plain values are written.";
  const std::string biased = " are moved by a bias, which is left out.";
  const std::string raw = " are raw; glTF reads them as sRGB.";
  const std::string as_raw = " are sRGB; glTF reads them as raw.";
  const std::string space = "gltf-texture-color-space /T: Textures of /T for ";
  const std::string scale = "gltf-texture-scale /T: Textures of /T for ";
  const std::string bias = "float4 inputs:bias = (0,0,0.5,0)\n";
  const std::string in_srgb = "token inputs:sourceColorSpace = \"sRGB\"\n";
  const std::string in_raw = "token inputs:sourceColorSpace = \"raw\"\n";
  const auto connect = [](const std::string& input, const std::string& output) {
    return "color3f inputs:" + input + ".connect = </T/I.outputs:" + output + ">\n";
  };
  const struct {
    std::string lines, texture, told;
  } rows[] = {
      {connect("specularColor", "rgb") + connect("ior", "r"), "",
       told(left_out + "specularColor, ior" + plain)},
      {connect("opacityThreshold", "r"), "", told(left_out + "opacityThreshold" + plain)},
      {connect("clearcoat", "r") + connect("clearcoatRoughness", "g"), "", ""},
      {connect("clearcoat", "g") + connect("clearcoatRoughness", "r"), "",
       told(left_out + "clearcoat, clearcoatRoughness" + plain)},
      {connect("emissiveColor", "rgb"), bias, told(scale + "emissiveColor" + biased)},
      {connect("emissiveColor", "rgb"), "float4 inputs:bias = (0,0,0,0)\n", ""},
      {connect("metallic", "b") + connect("roughness", "g"), bias,
       told(scale + "metallic, roughness" + biased)},
      {connect("emissiveColor", "r"), "",
       told("gltf-texture-packing /T: Textures of /T for emissiveColor are read by one channel; "
            "glTF reads red, green and blue.")},
      {connect("diffuseColor", "rgb") + connect("emissiveColor", "rgb"), in_raw,
       told(space + "diffuseColor, emissiveColor" + raw)},
      {connect("diffuseColor", "rgb"), in_srgb, ""},
      {connect("occlusion", "r"), in_srgb, told(space + "occlusion" + as_raw)},
      {connect("occlusion", "r"), in_raw, ""},
      {connect("metallic", "b") + connect("roughness", "g"), in_srgb,
       told(space + "metallic, roughness" + as_raw)},
      {connect("clearcoat", "r") + connect("clearcoatRoughness", "g"), in_srgb,
       told(space + "clearcoat, clearcoatRoughness" + as_raw)},
  };
  for (const auto& row : rows) {
    const Written written = write_surface(row.lines, row.texture);
    ASSERT_EQ(written.error, "");
    EXPECT_EQ(written.told(), row.told) << row.lines << row.texture;
    GlbOptions none;
    none.textures = GlbTextures::none;
    EXPECT_EQ(write_surface(row.lines, row.texture, none).told(), "") << row.lines;
  }
}

TEST(GltfMaterials, ScalesOfColoursBecomeFactorsWithinTheirRange) {
  const std::string unfit =
      "warning gltf-texture-scale /T: The scale or bias of the diffuseColor texture of /T does not "
      "fit into a factor.\n";
  const struct {
    const char *scale, *bias;
    Json factor;
    std::string told;
  } rows[] = {
      {"(1,1,1,1)", "(0,0,0,0)", {}, ""},       {"(0.5,1,0,0.25)", "(0,0,0,0)", {0.5, 1, 0, 1}, ""},
      {"(1,1,1,1)", "(0,0,0.25,0)", {}, unfit}, {"(1,-0.5,1,1)", "(0,0,0,0)", {1, 0, 1, 1}, unfit},
      {"(1,1,1.5,1)", "(0,0,0,0)", {}, unfit},
  };
  for (const auto& row : rows) {
    const Written written = write_surface(
        kDiffuse,
        fmt::format("float4 inputs:scale = {}\nfloat4 inputs:bias = {}\n", row.scale, row.bias));
    ASSERT_EQ(written.error, "");
    EXPECT_EQ(pbr_of(written).value("baseColorFactor", Json()), row.factor) << row.scale;
    EXPECT_TRUE(pbr_of(written).contains("baseColorTexture"));
    EXPECT_EQ(written.told(), row.told) << row.scale << row.bias;
  }
}

// gltf 89
TEST(GltfMaterials, OpacityIsTheAlphaOfTheColourOrAFactor) {
  const std::string opaque = packing(
      "The opacity of /T is in 'a.png', not in the alpha of its colour; it is written opaque.");
  const std::string alpha = "float inputs:opacity.connect = </T/I.outputs:a>\n";
  const std::string cut = "float inputs:opacityThreshold = 0.25\n";
  const std::string red = "color3f inputs:diffuseColor = (1,0,0)\n";
  const struct {
    std::string lines;
    Json factor, mode, cutoff;
    std::string told;
  } rows[] = {
      {kDiffuse + alpha, {1, 1, 1, 0.5}, "BLEND", {}, ""},
      {kDiffuse + alpha + cut, {1, 1, 1, 0.5}, "MASK", 0.25, ""},
      {kDiffuse + "float inputs:opacity.connect = </T/I.outputs:r>\n", {}, {}, {}, opaque},
      {red + alpha, {1, 0, 0, 1}, {}, {}, opaque},
      {red + "float inputs:opacity = 0.75\n", {1, 0, 0, 0.75}, "BLEND", {}, ""},
      {red + "float inputs:opacity = 0.75\n" + cut, {1, 0, 0, 0.75}, "MASK", 0.25, ""},
      {red + "float inputs:opacity = 1\n", {1, 0, 0, 1}, {}, {}, ""},
      {red + "float inputs:opacity = 1\n" + cut, {1, 0, 0, 1}, "MASK", 0.25, ""},
      {red + "float inputs:opacity = 2\n", {1, 0, 0, 1}, {}, {}, ""},
      {red + "float inputs:opacity = -1\nfloat inputs:opacityThreshold = 0\n",
       {1, 0, 0, 0},
       "BLEND",
       {},
       ""},
  };
  for (const auto& row : rows) {
    const Written written = write_surface(row.lines, "float4 inputs:scale = (1,1,1,0.5)\n");
    ASSERT_EQ(written.error, "");
    const Json& material = written.json()["materials"][0];
    EXPECT_EQ(pbr_of(written).value("baseColorFactor", Json()), row.factor) << row.lines;
    EXPECT_EQ(material.value("alphaMode", Json()), row.mode) << row.lines;
    EXPECT_EQ(material.value("alphaCutoff", Json()), row.cutoff) << row.lines;
    EXPECT_EQ(written.told(), row.told) << row.lines;
  }
}

TEST(GltfMaterials, IndicesOfRefractionAreWrittenWhereTheyAreOthers) {
  for (const auto& [ior, made] :
       {std::pair("1.5", Json()), std::pair("1", Json(1.0)), std::pair("2", Json(2.0)),
        std::pair("0", Json(0.0)), std::pair("0.5", Json()), std::pair("-1", Json())}) {
    const Written written = write_surface(fmt::format("float inputs:ior = {}\n", ior));
    ASSERT_EQ(written.error, "");
    const Json& material = written.json()["materials"][0];
    const Json::json_pointer place("/extensions/KHR_materials_ior/ior");
    EXPECT_EQ(material.value(place, Json()), made) << ior;
    EXPECT_EQ(written.json().contains("extensionsUsed"), !made.is_null()) << ior;
  }
}

TEST(GltfMaterials, EmissionAboveOneHasAStrength) {
  const struct {
    const char* color;
    Json factor, strength;
  } rows[] = {
      {"(0,0,0)", {}, {}},
      {"(0,1,0)", {0, 1, 0}, {}},
      {"(4,1,0)", {1, 0.25, 0}, 4.0},
      {"(-4,0.5,0)", {0, 0.5, 0}, {}},
  };
  for (const auto& row : rows) {
    const Written written =
        write_surface(fmt::format("color3f inputs:emissiveColor = {}\n", row.color));
    ASSERT_EQ(written.error, "");
    const Json& material = written.json()["materials"][0];
    EXPECT_EQ(material.value("emissiveFactor", Json()), row.factor) << row.color;
    const Json::json_pointer place("/extensions/KHR_materials_emissive_strength/emissiveStrength");
    EXPECT_EQ(material.value(place, Json()), row.strength) << row.color;
  }
}

// gltf 89
TEST(GltfMaterials, SpecularColoursMakeNoMetal) {
  const Written written = write_surface(
      "int inputs:useSpecularWorkflow = 1\nfloat inputs:metallic = 1\nfloat inputs:ior = 2\n"
      "color3f inputs:specularColor = (0.5,-1,2)\n");
  ASSERT_EQ(written.error, "");
  EXPECT_EQ(pbr_of(written)["metallicFactor"], 0.0);
  // What is reflected is 0.04, that of an ior of 1.5, times the factor.
  EXPECT_EQ(written.json()["materials"][0]["extensions"],
            Json::parse(R"({"KHR_materials_specular": {"specularColorFactor": [12.5, 0, 50]}})"));
  const Written textured = write_surface(
      "int inputs:useSpecularWorkflow = 1\n"
      "float inputs:metallic.connect = </T/I.outputs:b>\n");
  EXPECT_FALSE(pbr_of(textured).contains("metallicRoughnessTexture"));
  EXPECT_FALSE(textured.says("gltf-texture-packing"));
}

TEST(GltfMaterials, CoatsOfNothingAreNone) {
  const std::string coat = "float inputs:clearcoat.connect = </T/I.outputs:r>\n";
  const Written written = write_surface(coat, "float4 inputs:scale = (0,1,1,1)\n");
  ASSERT_EQ(written.error, "");
  EXPECT_FALSE(written.json()["materials"][0].contains("extensions"));
  EXPECT_FALSE(written.json().contains("textures"));
}

// gltf 89
TEST(GltfMaterials, TexturesWrapAsTheyDoInEachDirection) {
  const std::string black =
      "info gltf-texture-wrap /T/I: The texture 'a.png' is black outside; its edge is repeated "
      "instead.\n";
  const struct {
    const char *s, *t;
    int wrap_s, wrap_t;
    std::string told;
  } rows[] = {
      {"repeat", "clamp", 10497, 33071, ""},       {"mirror", "repeat", 33648, 10497, ""},
      {"useMetadata", "mirror", 10497, 33648, ""}, {"black", "repeat", 33071, 10497, black},
      {"repeat", "black", 10497, 33071, black},
  };
  for (const auto& row : rows) {
    const Written written = write_surface(
        kDiffuse,
        fmt::format("token inputs:wrapS = \"{}\"\ntoken inputs:wrapT = \"{}\"\n", row.s, row.t));
    ASSERT_EQ(written.error, "");
    const Json& sampler = written.json()["samplers"][0];
    EXPECT_EQ(sampler["wrapS"], row.wrap_s) << row.s;
    EXPECT_EQ(sampler["wrapT"], row.wrap_t) << row.t;
    EXPECT_EQ(written.told(), row.told) << row.s << row.t;
  }
}

// gltf 92, 107
TEST(GltfMaterials, TexturesOverTheLimitAreLeftOut) {
  for (const std::size_t limit : {kPng.size(), kPng.size() - 1}) {
    GlbOptions options;
    options.limits.image_bytes = limit;
    const Written written =
        write_surface(kDiffuse, "float4 inputs:fallback = (0.25,0.5,0.75,1)\n", options);
    ASSERT_EQ(written.error, "");
    const bool fits = limit == kPng.size();
    EXPECT_EQ(written.json().contains("images"), fits);
    EXPECT_EQ(written.says("gltf-texture-missing"), !fits) << written.told();
    EXPECT_EQ(pbr_of(written).contains("baseColorFactor"), !fits);
  }
}

// gltf 91
TEST(GltfMaterials, PicturesAreKnownByTheirFirstBytes) {
  const std::pair<std::string, const char*> rows[] = {
      {"\xFF\xD8\xFF", "image/jpeg"},     {"\xFF\xD8", nullptr},
      {"\x89PNG\r\n\x1A\n", "image/png"}, {"\x89PNG\r\n\x1A", nullptr},
      {"RIFF....WEBP", "image/webp"},     {"RIFF....WAVE", nullptr},
      {"....RIFFWEBP", nullptr},          {"", nullptr},
  };
  for (const auto& [bytes, type] : rows) {
    const Written written = write_text(kHead + surface(kDiffuse), {}, {{"a.png", bytes}});
    ASSERT_EQ(written.error, "");
    EXPECT_EQ(written.json().contains("images"), type != nullptr) << bytes;
    EXPECT_EQ(written.says("gltf-texture-format"), type == nullptr) << bytes;
    if (type != nullptr && written.json().contains("images")) {
      EXPECT_EQ(written.json()["images"][0]["mimeType"], type);
    }
  }
}

TEST(GltfMaterials, ValuesComeThroughGraphsAndInputsOfShaders) {
  const auto color = [](const std::string& source, const std::string& more) {
    const Written written =
        write_surface("color3f inputs:diffuseColor.connect = <" + source + ">\n", "", {}, more);
    EXPECT_EQ(written.error, "");
    EXPECT_EQ(written.told(), "");
    return pbr_of(written)["baseColorFactor"];
  };
  const std::string graph =
      "def NodeGraph \"G\" { color3f inputs:tint = (0,0,1)\n"
      "color3f outputs:out.connect = </G.inputs:tint>\n"
      "color3f outputs:round.connect = </G.inputs:round>\n"
      "color3f inputs:round.connect = </G.outputs:round>\n}\n"
      "def Shader \"H\" { uniform token info:id = \"Any\"\ncolor3f inputs:tint = (0,1,0)\n}\n";
  EXPECT_EQ(color("/G.outputs:out", graph), Json({0, 0, 1, 1}));
  EXPECT_EQ(color("/H.inputs:tint", graph), Json({0, 1, 0, 1}));
  // What leads to nothing, or round and round, is not authored.
  EXPECT_EQ(color("/G.outputs:none", graph), Json({0.18, 0.18, 0.18, 1}));
  EXPECT_EQ(color("/G.outputs:round", graph), Json({0.18, 0.18, 0.18, 1}));
  EXPECT_EQ(color("/Nobody.outputs:out", graph), Json({0.18, 0.18, 0.18, 1}));
}

TEST(GltfMaterials, TransformsInACircleEnd) {
  const Written written = write_surface(
      kDiffuse, "float2 inputs:st.connect = </X.outputs:result>\n", {},
      "def Shader \"X\" { uniform token info:id = \"UsdTransform2d\"\n"
      "float2 inputs:in.connect = </X.outputs:result>\nfloat2 inputs:translation = (1, 0)\n}\n");
  ASSERT_EQ(written.error, "");
  EXPECT_EQ(written.told(), "");
  EXPECT_EQ(pbr_of(written)["baseColorTexture"]["extensions"]["KHR_texture_transform"],
            Json::parse(R"({"offset": [32.0, 0.0], "scale": [1.0, 1.0]})"));
}

TEST(GltfMaterials, SurfacesThatFindNoColourAndHaveNoFallbackAreGrey) {
  const std::string reader =
      "def Shader \"P\" { uniform token info:id = \"UsdPrimvarReader_float3\"\n"
      "string inputs:varname = \"displayColor\"\n}\n";
  const Written written =
      write_surface("color3f inputs:diffuseColor.connect = </P.outputs:result>\n", "", {}, reader);
  ASSERT_EQ(written.error, "");
  EXPECT_EQ(written.told(), "");
  EXPECT_EQ(pbr_of(written)["baseColorFactor"], Json({0.18, 0.18, 0.18, 1}));
}

TEST(GltfMaterials, DisplacementIsToldWhereThereIsSome) {
  const auto told = [](const std::string& value) {
    return write_surface("float inputs:displacement" + value + "\n").told();
  };
  const std::string lost = "info gltf-displacement /T: The displacement of /T is left out.\n";
  EXPECT_EQ(told(" = 0"), "");
  EXPECT_EQ(told(" = -0.5"), lost);
  EXPECT_EQ(told(".connect = </T/I.outputs:r>"), lost);
}

}  // namespace
}  // namespace sinew::exporter::gltf_materials_test
