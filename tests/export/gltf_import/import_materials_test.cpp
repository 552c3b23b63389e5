// SPDX-License-Identifier: Apache-2.0
// What becomes of materials and textures of a glTF file.
#include <gtest/gtest.h>

#include <numbers>

#include "export/gltf_import/imported.hpp"
#include "sinew/export/import_glb.hpp"

namespace sinew::exporter::import_materials_test {
namespace {

using test::add_square;
using test::expect_clean;
using test::GlbFile;
using test::GltfJson;
using test::Imported;
using test::kSquare;

struct MaterialFile {
  GlbFile file;
  MaterialFile(GltfJson material) {
    const std::string png = "\x89PNG\r\n\x1A\n and so on";
    file.add("images",
             {{"name", "wood grain"}, {"mimeType", "image/png"}, {"bufferView", file.view(png)}});
    file.add("samplers", {{"wrapS", 33071}, {"wrapT", 33648}});
    file.add("textures", {{"source", 0}, {"sampler", 0}});
    file.add("materials", std::move(material));
    GltfJson primitive = {{"material", 0}};
    primitive["attributes"] = {{"POSITION", file.floats("VEC3", kSquare)},
                               {"TEXCOORD_0", file.floats("VEC2", {0, 0, 1, 0, 1, 1, 0, 1})}};
    file.scene({add_square(file, primitive)});
  }
};

TEST(ImportGlbMaterials, ConnectTexturesToAPreviewSurface) {
  MaterialFile made(GltfJson::object({{"name", "oak"},
                                      {"pbrMetallicRoughness",
                                       {{"baseColorFactor", {0.5, 0.25, 1, 0.5}},
                                        {"baseColorTexture", {{"index", 0}}},
                                        {"metallicFactor", 0.25},
                                        {"roughnessFactor", 0.75},
                                        {"metallicRoughnessTexture", {{"index", 0}}}}},
                                      {"normalTexture", {{"index", 0}, {"scale", 0.5}}},
                                      {"occlusionTexture", {{"index", 0}, {"strength", 0.5}}},
                                      {"emissiveFactor", {0.1, 0.2, 0.3}},
                                      {"alphaMode", "MASK"},
                                      {"alphaCutoff", 0.4},
                                      {"doubleSided", true}}));
  Imported imported(made.file);
  expect_clean(imported);
  ASSERT_EQ(imported.result.images.size(), 1U);
  EXPECT_EQ(imported.result.images[0].name, "textures/wood_grain.png");
  EXPECT_TRUE(imported.result.images[0].bytes.starts_with("\x89PNG"));
  const std::string& text = imported.text;
  for (const char* line :
       {"rel material:binding = </Scene/Materials/oak>",
        "inputs:diffuseColor.connect = </Scene/Materials/oak/base_color.outputs:rgb>",
        "inputs:opacity.connect = </Scene/Materials/oak/base_color.outputs:a>",
        "inputs:metallic.connect = </Scene/Materials/oak/metallic_roughness.outputs:b>",
        "inputs:roughness.connect = </Scene/Materials/oak/metallic_roughness.outputs:g>",
        "inputs:occlusion.connect = </Scene/Materials/oak/occlusion.outputs:r>",
        "inputs:normal.connect = </Scene/Materials/oak/normal.outputs:rgb>",
        "inputs:st.connect = </Scene/Materials/oak/read_st.outputs:result>",
        "inputs:scale = (0.5, 0.25, 1, 0.5)",
        "inputs:scale = (1, 0.75, 0.25, 1)",
        "inputs:scale = (1, 1, 2, 1)",
        "inputs:bias = (-0.5, -0.5, -1, 0)",
        "inputs:bias = (0.5, 0.5, 0.5, 0)",
        "inputs:opacityThreshold = 0.4",
        "inputs:wrapS = \"clamp\"",
        "inputs:wrapT = \"mirror\"",
        "inputs:file = @./textures/wood_grain.png@",
        "inputs:varname = \"st\"",
        "inputs:emissiveColor = (0.1, 0.2, 0.3)",
        "uniform bool doubleSided = 1"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << "\n" << text;
  }
}

TEST(ImportGlbMaterials, AMaskThatCutsNothingOffIsOpaque) {
  const auto text_of = [](double cutoff) {
    MaterialFile made(
        GltfJson::object({{"name", "oak"},
                          {"pbrMetallicRoughness", {{"baseColorFactor", {1, 1, 1, 0.5}}}},
                          {"alphaMode", "MASK"},
                          {"alphaCutoff", cutoff}}));
    return Imported(made.file).text;
  };
  EXPECT_NE(text_of(0.25).find("inputs:opacityThreshold = 0.25"), std::string::npos);
  EXPECT_EQ(text_of(0.0).find("inputs:opacity"), std::string::npos);
}

// What a material with these entries becomes that covers a square whose vertices have colours.
Imported colored(GltfJson material, const std::vector<float>& colors, const std::string& type) {
  GlbFile file;
  file.add("materials", std::move(material));
  GltfJson primitive = {{"material", 0}};
  primitive["attributes"] = {{"POSITION", file.floats("VEC3", kSquare)},
                             {"COLOR_0", file.floats(type, colors)}};
  file.scene({add_square(file, primitive)});
  return Imported(file);
}

TEST(ImportGlbMaterials, ReadTheColoursOfVerticesWhereTheyAreWhite) {
  const std::vector<float> rgb = {1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1};
  const std::vector<float> rgba = {1, 0, 0, 0.5F, 0, 1, 0, 1, 0, 0, 1, 1, 1, 1, 1, 1};
  const struct {
    const char* material;
    bool is_thinned, is_connected, is_told;
  } rows[] = {
      {R"({"name": "white"})", false, true, false},
      {R"({"name": "white"})", true, true, false},
      {R"({"name": "glass", "alphaMode": "BLEND"})", false, true, false},
      {R"({"name": "glass", "alphaMode": "BLEND"})", true, true, true},
      {R"({"pbrMetallicRoughness": {"baseColorFactor": [1, 0, 0, 1]}})", false, false, true},
  };
  for (const auto& row : rows) {
    const Imported imported = colored(GltfJson::parse(row.material), row.is_thinned ? rgba : rgb,
                                      row.is_thinned ? "VEC4" : "VEC3");
    EXPECT_EQ(test::lines_of(imported.found), "");
    EXPECT_EQ(imported.text.find("inputs:diffuseColor.connect = ") != std::string::npos,
              row.is_connected)
        << imported.text;
    EXPECT_EQ(imported.text.find("inputs:varname = \"displayColor\"") != std::string::npos,
              row.is_connected);
    ASSERT_EQ(imported.said.size(), row.is_told ? 1U : 0U) << row.material;
    if (row.is_told) {
      EXPECT_EQ(imported.said[0].code, "gltf-vertex-colors");
      EXPECT_EQ(imported.said[0].path, "/materials/0");
    }
  }
}

TEST(ImportGlbMaterials, TransformTexturesAsTheFileDoes) {
  const Vector2d offset(0.3, -0.2);
  const Vector2d scale(2.0, 0.5);
  const double rotation = 0.7;
  MaterialFile made(GltfJson::object({{"pbrMetallicRoughness",
                                       {{"baseColorTexture",
                                         {{"index", 0},
                                          {"extensions",
                                           {{"KHR_texture_transform",
                                             {{"offset", {offset.x(), offset.y()}},
                                              {"scale", {scale.x(), scale.y()}},
                                              {"rotation", rotation}}}}}}}}}}));
  Imported imported(made.file);
  expect_clean(imported);
  const stage::Prim prim = imported.prim("base_color_transform");
  const auto turn = prim.attribute("inputs:rotation").get<float>(stage::Time());
  const auto by = prim.attribute("inputs:scale").get<Vector2f>(stage::Time());
  const auto move = prim.attribute("inputs:translation").get<Vector2f>(stage::Time());
  ASSERT_TRUE(turn && by && move);
  const double angle = static_cast<double>(*turn) * std::numbers::pi / 180.0;
  for (const Vector2d& x :
       {Vector2d(0, 0), Vector2d(1, 0), Vector2d(0, 1), Vector2d(0.3, 0.8), Vector2d(-2, 5)}) {
    // Turned as viewers do: the other way than the listing in the text of the extension.
    const Vector2d scaled = x.cwiseProduct(scale);
    const Vector2d expected =
        Vector2d(std::cos(rotation) * scaled.x() + std::sin(rotation) * scaled.y(),
                 -std::sin(rotation) * scaled.x() + std::cos(rotation) * scaled.y()) +
        offset;
    // USD's, where v points up on both sides of it.
    const Vector2d u = Vector2d(x.x(), 1.0 - x.y()).cwiseProduct(by->cast<double>());
    const Vector2d t = Vector2d(std::cos(angle) * u.x() - std::sin(angle) * u.y(),
                                std::sin(angle) * u.x() + std::cos(angle) * u.y()) +
                       move->cast<double>();
    EXPECT_LT((Vector2d(t.x(), 1.0 - t.y()) - expected).norm(), 1e-6);
  }
}

TEST(ImportGlbMaterials, TakeTheCoordinatesThatATransformNames) {
  MaterialFile made(GltfJson::object(
      {{"emissiveTexture",
        {{"index", 0},
         {"texCoord", 0},
         {"extensions", {{"KHR_texture_transform", {{"texCoord", 1}, {"scale", {2, 1}}}}}}}}}));
  GltfJson& attributes = made.file.json["meshes"][0]["primitives"][0]["attributes"];
  attributes["TEXCOORD_1"] = attributes["TEXCOORD_0"];
  Imported imported(made.file);
  expect_clean(imported);
  EXPECT_NE(imported.text.find("inputs:varname = \"st1\""), std::string::npos) << imported.text;
  EXPECT_EQ(imported.text.find("inputs:varname = \"st\""), std::string::npos) << imported.text;
}

TEST(ImportGlbMaterials, ReadClearcoatsFromTheirChannels) {
  MaterialFile made(GltfJson::object({{"name", "car"},
                                      {"extensions",
                                       {{"KHR_materials_clearcoat",
                                         {{"clearcoatFactor", 0.5},
                                          {"clearcoatTexture", {{"index", 0}}},
                                          {"clearcoatRoughnessFactor", 0.25},
                                          {"clearcoatRoughnessTexture", {{"index", 0}}}}}}}}));
  Imported imported(made.file);
  expect_clean(imported);
  for (const char* line :
       {"inputs:clearcoat.connect = </Scene/Materials/car/clearcoat.outputs:r>",
        "inputs:clearcoatRoughness.connect = </Scene/Materials/car/clearcoat_roughness.outputs:g>",
        "inputs:scale = (0.5, 1, 1, 1)", "inputs:scale = (1, 0.25, 1, 1)"}) {
    EXPECT_NE(imported.text.find(line), std::string::npos) << line << "\n" << imported.text;
  }
}

TEST(ImportGlbMaterials, KnowImagesByTheirFirstBytes) {
  const std::string webp = std::string("RIFF\0\0\0\0WEBP", 12);
  const std::pair<std::string, std::string> images[] = {
      {"\x89PNG", "textures/x.png"},   {"\xFF\xD8\xFF", "textures/x.jpg"},
      {webp + "V", "textures/x.webp"}, {webp, ""},
      {"RIFF....WAVE.", ""},           {"GIF89a", ""}};
  for (const auto& [bytes, name] : images) {
    MaterialFile made(
        GltfJson::object({{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 0}}}}}}));
    made.file.json["images"] = {{{"name", "x"}, {"bufferView", made.file.view(bytes)}}};
    Diagnostics said;
    const auto imported = import_glb(made.file.bytes(), {}, said);
    ASSERT_TRUE(imported);
    if (name.empty()) {
      EXPECT_TRUE(imported->images.empty());
      ASSERT_EQ(said.size(), 1U) << test::lines_of(said);
      EXPECT_EQ(said[0].code, "gltf-image");
      EXPECT_EQ(said[0].path, "/images/0/bufferView");
    } else {
      EXPECT_EQ(test::lines_of(said), "");
      ASSERT_EQ(imported->images.size(), 1U);
      EXPECT_EQ(imported->images[0].name, name);
    }
  }
}

TEST(ImportGlbMaterials, RepeatWhereTheFileNamesNoWayToWrap) {
  MaterialFile made(
      GltfJson::object({{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 0}}}}}}));
  made.file.json["samplers"] = {{{"wrapS", 33648}, {"wrapT", 33070}}};
  Imported imported(made.file);
  ASSERT_EQ(imported.said.size(), 1U);
  EXPECT_EQ(imported.said[0].code, "gltf-sampler");
  EXPECT_EQ(imported.said[0].path, "/samplers/0/wrapT");
  EXPECT_EQ(imported.said[0].message, "33070 is no way to wrap.");
  EXPECT_NE(imported.text.find("inputs:wrapS = \"mirror\""), std::string::npos);
  EXPECT_NE(imported.text.find("inputs:wrapT = \"repeat\""), std::string::npos);
}

TEST(ImportGlbMaterials, AreLeftOutWhereAsked) {
  MaterialFile made(
      GltfJson::object({{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 0}}}}}}));
  Imported imported(made.file, {.materials = false});
  expect_clean(imported);
  EXPECT_EQ(imported.text.find("aterial"), std::string::npos) << imported.text;
  EXPECT_TRUE(imported.result.images.empty());
  EXPECT_EQ(imported.result.counts.materials, 0U);
  EXPECT_EQ(imported.array<Vector2f>("square", "primvars:st").size(), 4U);
}

TEST(ImportGlbMaterials, LeaveImagesOutWhereAsked) {
  MaterialFile made(GltfJson::object(
      {{"pbrMetallicRoughness",
        {{"baseColorFactor", {0.5, 0.25, 1, 1}}, {"baseColorTexture", {{"index", 0}}}}}}));
  Imported imported(made.file, {.textures = ImportedTextures::none});
  EXPECT_EQ(imported.result.images.size(), 0U);
  ASSERT_EQ(imported.said.size(), 1U);
  EXPECT_EQ(imported.said[0].code, "gltf-image-left-out");
  EXPECT_NE(imported.text.find("inputs:diffuseColor = (0.5, 0.25, 1)"), std::string::npos);
}

TEST(ImportGlbMaterials, BecomeSubsetsOfAMeshThatSharesItsVertices) {
  GlbFile file;
  file.add("materials", {{"name", "red"}});
  file.add("materials", {{"name", "blue"}});
  const int positions = file.floats("VEC3", kSquare);
  const auto primitive = [&](std::vector<std::uint8_t> corners, int material) {
    return GltfJson{{"attributes", {{"POSITION", positions}}},
                    {"indices", file.accessor("SCALAR", corners)},
                    {"material", material}};
  };
  file.add("meshes", {{"primitives", {primitive({0, 1, 2}, 1), primitive({0, 2, 3}, 0)}}});
  file.scene({file.node({{"name", "square"}, {"mesh", 0}})});
  Imported imported(file);
  expect_clean(imported);
  EXPECT_EQ(imported.array<std::int32_t>("square", "faceVertexCounts").size(), 2U);
  std::map<std::string, std::vector<int>> faces;
  for (const stage::Prim& child : imported.prim("square").children()) {
    EXPECT_EQ(child.type_name().view(), "GeomSubset");
    const auto list = child.attribute("indices").get_array<std::int32_t>(stage::Time());
    ASSERT_TRUE(list);
    faces[std::string(child.name().view())] = {list->begin(), list->end()};
  }
  EXPECT_EQ(faces, (std::map<std::string, std::vector<int>>{{"blue", {0}}, {"red", {1}}}));
}

TEST(ImportGlbMaterials, StandBesideTheLayerWhereNoFolderIsNamed) {
  MaterialFile made(
      GltfJson::object({{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 0}}}}}}));
  const Imported imported(made.file, {.image_folder = ""});
  ASSERT_EQ(imported.result.images.size(), 1U);
  EXPECT_EQ(imported.result.images[0].name, "wood_grain.png");
  EXPECT_NE(imported.text.find("@./wood_grain.png@"), std::string::npos) << imported.text;
}

TEST(ImportGlbMaterials, TellOnceThatImagesInTheFileAreLeftOut) {
  MaterialFile made(
      GltfJson::object({{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 1}}}}}}));
  GltfJson& images = made.file.json["images"];
  images = {{{"uri", "beside.png"}}, images[0], images[0]};
  made.file.add("textures", {{"source", 0}});
  const Imported imported(made.file, {.textures = ImportedTextures::none});
  ASSERT_EQ(imported.said.size(), 1U) << test::lines_of(imported.said);
  EXPECT_EQ(imported.said[0].code, "gltf-image-left-out");
  EXPECT_EQ(imported.said[0].path, "/images/1");
  EXPECT_NE(imported.text.find("inputs:file = @beside.png@"), std::string::npos) << imported.text;
}

TEST(ImportGlbMaterials, KeepImagesThatStandNowhereNearTheFile) {
  for (const std::string uri : {"https://x.org/a.png", "/abs/a.png", "near/a.png"}) {
    MaterialFile made(
        GltfJson::object({{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 0}}}}}}));
    made.file.json["images"] = {{{"uri", uri}}};
    const auto text = [&](const std::string& layer) {
      return Imported(made.file, {.identifier = layer, .file = "models/a/x.gltf"}).text;
    };
    const std::string moved = uri[0] == 'n' ? "../a/" + uri : uri;
    EXPECT_NE(text("models/b/x.usda").find("@" + moved + "@"), std::string::npos) << uri;
    EXPECT_NE(text("models/a/y.usda").find("@" + uri + "@"), std::string::npos) << uri;
  }
}

TEST(ImportGlbMaterials, AreWhiteOnlyIfAllThreeColoursAre) {
  const std::vector<float> rgb = {1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1};
  for (const char* base :
       {"[0.5, 1, 1, 1]", "[1, 0.5, 1, 1]", "[1, 1, 0.5, 1]", "[1, 1, 1, 0.5]"}) {
    const std::string material =
        std::string(R"({"pbrMetallicRoughness": {"baseColorFactor": )") + base + "}}";
    const Imported imported = colored(GltfJson::parse(material), rgb, "VEC3");
    const bool is_white = std::string(base) == "[1, 1, 1, 0.5]";
    EXPECT_EQ(imported.text.find("inputs:varname = \"displayColor\"") != std::string::npos,
              is_white)
        << base;
    EXPECT_EQ(imported.said.size(), is_white ? 0U : 1U) << base;
  }
}

TEST(ImportGlbMaterials, HaveATextureOfWebpWhereTheFileBringsOne) {
  MaterialFile made(
      GltfJson::object({{"pbrMetallicRoughness", {{"baseColorTexture", {{"index", 0}}}}}}));
  made.file.json["images"].push_back({{"uri", "other.webp"}});
  made.file.json["textures"][0]["extensions"]["EXT_texture_webp"]["source"] = 1;
  const Imported imported(made.file);
  EXPECT_NE(imported.text.find("inputs:file = @other.webp@"), std::string::npos) << imported.text;
}

TEST(ImportGlbMaterials, NeedNoColourBelowZero) {
  for (const char* color : {"[-0.25, 1, 1, 1]", "[1, 1, 1, -0.25]"}) {
    const std::string material =
        std::string(R"({"pbrMetallicRoughness": {"baseColorFactor": )") + color + "}}";
    const Imported imported(MaterialFile(GltfJson::parse(material)).file);
    ASSERT_EQ(imported.said.size(), 1U);
    EXPECT_EQ(imported.said[0].code, "gltf-number");
    EXPECT_EQ(imported.said[0].message, "-0.25 is no part of a colour.");
    EXPECT_NE(imported.text.find("inputs:diffuseColor = (1, 1, 1)"), std::string::npos);
  }
}

}  // namespace
}  // namespace sinew::exporter::import_materials_test
