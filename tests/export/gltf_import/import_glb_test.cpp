// SPDX-License-Identifier: Apache-2.0
// What becomes of each part of a glTF file: the numbers on the stage.
#include "sinew/export/import_glb.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <set>

#include "export/gltf_import/imported.hpp"
#include "sinew/physics/model.hpp"
#include "sinew/physics/read/read_physics.hpp"

namespace sinew::exporter {
namespace {

using test::GlbFile;
using test::GltfJson;
using test::GltfJudge;
using test::Imported;
using test::largest_difference;
using test::listed;

const std::vector<float> kSquare = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};

// A node with a mesh of two triangles.
int add_square(GlbFile& file, GltfJson primitive = {}, GltfJson node = {}) {
  if (!primitive.contains("attributes")) primitive["attributes"] = GltfJson::object();
  if (!primitive["attributes"].contains("POSITION")) {
    primitive["attributes"]["POSITION"] = file.floats("VEC3", kSquare);
  }
  if (!primitive.contains("indices")) {
    primitive["indices"] = file.accessor("SCALAR", std::vector<std::uint16_t>{0, 1, 2, 0, 2, 3});
  }
  node["mesh"] = file.add("meshes", {{"primitives", GltfJson::array({primitive})}});
  if (!node.contains("name")) node["name"] = "square";
  return file.node(node);
}

void expect_clean(const Imported& imported) {
  EXPECT_EQ(listed(imported.said), "");
  EXPECT_EQ(listed(imported.found), "") << imported.text;
}

std::vector<int> ints(const std::vector<std::int32_t>& values) {
  return {values.begin(), values.end()};
}

TEST(ImportGlb, MakesAMeshOfTriangles) {
  GlbFile file;
  file.scene({add_square(file)});
  Imported imported(file);
  expect_clean(imported);
  EXPECT_EQ(imported.prim("square").type_name().view(), "Mesh");
  EXPECT_EQ(imported.array<std::int32_t>("square", "faceVertexCounts"),
            (std::vector<std::int32_t>{3, 3}));
  EXPECT_EQ(imported.array<std::int32_t>("square", "faceVertexIndices"),
            (std::vector<std::int32_t>{0, 1, 2, 0, 2, 3}));
  EXPECT_EQ(imported.points("square")[2], Eigen::Vector3d(1, 1, 0));
  EXPECT_EQ(imported.stage->metrics().meters_per_unit, 1.0);
  EXPECT_TRUE(imported.stage->default_prim());
}

TEST(ImportGlb, ReadsIndicesOfEveryWidth) {
  for (int width : {8, 16, 32}) {
    GlbFile file;
    GltfJson primitive;
    if (width == 8) {
      primitive["indices"] = file.accessor("SCALAR", std::vector<std::uint8_t>{2, 1, 0});
    } else if (width == 16) {
      primitive["indices"] = file.accessor("SCALAR", std::vector<std::uint16_t>{2, 1, 0});
    } else {
      primitive["indices"] = file.accessor("SCALAR", std::vector<std::uint32_t>{2, 1, 0});
    }
    file.scene({add_square(file, primitive)});
    Imported imported(file);
    expect_clean(imported);
    EXPECT_EQ(imported.array<std::int32_t>("square", "faceVertexIndices"),
              (std::vector<std::int32_t>{2, 1, 0}))
        << width;
  }
}

TEST(ImportGlb, TurnsStripsAndFansIntoTriangles) {
  const auto corners = [](int mode) {
    GlbFile file;
    GltfJson primitive = {{"mode", mode}};
    primitive["indices"] = file.accessor("SCALAR", std::vector<std::uint16_t>{0, 1, 2, 3});
    file.scene({add_square(file, primitive)});
    Imported imported(file);
    expect_clean(imported);
    return ints(imported.array<std::int32_t>("square", "faceVertexIndices"));
  };
  EXPECT_EQ(corners(5), (std::vector<int>{0, 1, 2, 1, 3, 2}));
  EXPECT_EQ(corners(6), (std::vector<int>{1, 2, 0, 2, 3, 0}));
}

TEST(ImportGlb, NumbersVerticesItselfWithoutIndices) {
  GlbFile file;
  GltfJson mesh = {{"primitives",
                    {{{"attributes", {{"POSITION", file.floats("VEC3", kSquare)}}}, {"mode", 6}}}}};
  file.add("meshes", mesh);
  file.scene({file.node({{"mesh", 0}, {"name", "fan"}})});
  Imported imported(file);
  expect_clean(imported);
  EXPECT_EQ(ints(imported.array<std::int32_t>("fan", "faceVertexIndices")),
            (std::vector<int>{1, 2, 0, 2, 3, 0}));
}

TEST(ImportGlb, MakesPointsAndCurves) {
  GlbFile file;
  std::vector<int> roots;
  for (const int mode : {0, 1, 2, 3}) {
    GltfJson primitive = {{"mode", mode}};
    primitive["indices"] = file.accessor("SCALAR", std::vector<std::uint8_t>{0, 1, 2, 3});
    roots.push_back(add_square(file, primitive, {{"name", "mode_" + std::to_string(mode)}}));
  }
  file.scene(roots);
  Imported imported(file);
  expect_clean(imported);
  EXPECT_EQ(imported.prim("mode_0").type_name().view(), "Points");
  EXPECT_EQ(imported.array<Vector3f>("mode_0", "points").size(), 4U);
  EXPECT_EQ(imported.prim("mode_1").type_name().view(), "BasisCurves");
  EXPECT_EQ(ints(imported.array<std::int32_t>("mode_1", "curveVertexCounts")),
            (std::vector<int>{2, 2}));
  EXPECT_EQ(ints(imported.array<std::int32_t>("mode_2", "curveVertexCounts")),
            (std::vector<int>{4}));
  EXPECT_NE(imported.text.find("\"periodic\""), std::string::npos);
}

TEST(ImportGlb, ReadsInterleavedAttributes) {
  GlbFile file;
  // Position, normal and two bytes of coordinates, 28 bytes apart.
  std::string rows;
  for (int i = 0; i < 4; ++i) {
    const std::vector<float> six = {kSquare[static_cast<std::size_t>(3 * i)],
                                    kSquare[static_cast<std::size_t>(3 * i + 1)],
                                    0,
                                    0,
                                    0,
                                    1};
    rows += GlbFile::raw(six);
    rows += GlbFile::raw(std::vector<std::uint8_t>{static_cast<std::uint8_t>(51 * i), 255, 0, 0});
  }
  const int view = file.view(rows, 28);
  const auto part = [&](int offset, int component, const char* type, bool normalized) {
    return file.add("accessors", {{"bufferView", view},
                                  {"byteOffset", offset},
                                  {"componentType", component},
                                  {"count", 4},
                                  {"type", type},
                                  {"normalized", normalized}});
  };
  GltfJson primitive;
  primitive["attributes"] = {{"POSITION", part(0, 5126, "VEC3", false)},
                             {"NORMAL", part(12, 5126, "VEC3", false)},
                             {"TEXCOORD_0", part(24, 5121, "VEC2", true)}};
  file.scene({add_square(file, primitive)});
  Imported imported(file);
  expect_clean(imported);
  EXPECT_EQ(imported.points("square")[2], Eigen::Vector3d(1, 1, 0));
  EXPECT_EQ(imported.array<Vector3f>("square", "normals")[3], Vector3f(0, 0, 1));
  const auto uvs = imported.array<Vector2f>("square", "primvars:st");
  ASSERT_EQ(uvs.size(), 4U);
  EXPECT_FLOAT_EQ(uvs[2].x(), 102.0F / 255.0F);
  EXPECT_EQ(uvs[2].y(), 0.0F);  // 1 - 255/255
}

TEST(ImportGlb, ReadsSparseAccessors) {
  GlbFile file;
  const int base = file.floats("VEC3", kSquare);
  file.json["accessors"][static_cast<std::size_t>(base)]["sparse"] = {
      {"count", 2},
      {"indices",
       {{"bufferView", file.view(GlbFile::raw(std::vector<std::uint8_t>{1, 3}))},
        {"componentType", 5121}}},
      {"values", {{"bufferView", file.view(GlbFile::raw(std::vector<float>{5, 6, 7, 8, 9, 10}))}}}};
  GltfJson primitive;
  primitive["attributes"] = {{"POSITION", base}};
  file.scene({add_square(file, primitive)});
  Imported imported(file);
  expect_clean(imported);
  const auto points = imported.points("square");
  EXPECT_EQ(points[0], Eigen::Vector3d(0, 0, 0));
  EXPECT_EQ(points[1], Eigen::Vector3d(5, 6, 7));
  EXPECT_EQ(points[3], Eigen::Vector3d(8, 9, 10));
}

TEST(ImportGlb, ReadsColorsAndTangents) {
  GlbFile file;
  GltfJson primitive;
  primitive["attributes"] = {
      {"POSITION", file.floats("VEC3", kSquare)},
      {"COLOR_0", file.accessor("VEC4",
                                std::vector<std::uint16_t>{65535, 0, 0, 65535, 0, 65535, 0, 0, 0, 0,
                                                           65535, 65535, 0, 0, 0, 65535},
                                true)},
      {"TANGENT", file.floats("VEC4", {1, 0, 0, -1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1})}};
  file.scene({add_square(file, primitive)});
  Imported imported(file);
  expect_clean(imported);
  EXPECT_EQ(imported.array<Vector3f>("square", "primvars:displayColor")[1], Vector3f(0, 1, 0));
  EXPECT_EQ(imported.array<float>("square", "primvars:displayOpacity"),
            (std::vector<float>{1, 0, 1, 1}));
  EXPECT_EQ(imported.array<Vector4f>("square", "primvars:tangents")[0], Vector4f(1, 0, 0, -1));
}

TEST(ImportGlb, KeepsOnlyTheVerticesThatAPrimitiveUsesOfAPool) {
  GlbFile file;
  std::vector<float> pool(300);
  for (std::size_t i = 0; i < pool.size(); ++i) pool[i] = static_cast<float>(i);
  GltfJson primitive;
  primitive["attributes"] = {{"POSITION", file.floats("VEC3", pool)}};
  primitive["indices"] = file.accessor("SCALAR", std::vector<std::uint8_t>{90, 7, 50});
  file.scene({add_square(file, primitive)});
  Imported imported(file);
  expect_clean(imported);
  EXPECT_EQ(imported.points("square"),
            (std::vector<Eigen::Vector3d>{{21, 22, 23}, {150, 151, 152}, {270, 271, 272}}));
  EXPECT_EQ(ints(imported.array<std::int32_t>("square", "faceVertexIndices")),
            (std::vector<int>{2, 0, 1}));
}

TEST(ImportGlb, PlacesNodes) {
  GlbFile file;
  const int leaf = file.node({{"name", "leaf"}, {"translation", {1, 2, 3}}});
  // A shear, column by column.
  const int sheared = file.node({{"name", "sheared"},
                                 {"matrix", {1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 4, 5, 6, 1}},
                                 {"children", {leaf}}});
  const double half = std::sqrt(0.5);
  const int mirrored = file.node({{"name", "mirrored"},
                                  {"rotation", {0, 0, half, half}},
                                  {"scale", {-1, 2, 1}},
                                  {"children", {sheared}}});
  const int other = file.node({{"name", "other"}});
  file.scene({mirrored, other});
  Imported imported(file);
  expect_clean(imported);
  const GltfJudge judge(file);
  for (const auto& [name, node] :
       {std::pair("leaf", leaf), {"sheared", sheared}, {"mirrored", mirrored}, {"other", other}}) {
    EXPECT_LT((imported.world(name) - judge.world(node)).cwiseAbs().maxCoeff(), 1e-6) << name;
  }
  EXPECT_LT(imported.world("mirrored").determinant(), 0.0);
}

TEST(ImportGlb, TakesTheSceneThatTheFileNames) {
  GlbFile file;
  const int a = file.node({{"name", "a"}});
  const int b = file.node({{"name", "b"}});
  file.scene({a});
  file.scene({b});
  file.json["scene"] = 1;
  Imported second(file);
  EXPECT_EQ(second.by_name.count("a"), 0U);
  EXPECT_EQ(second.by_name.count("b"), 1U);
  ASSERT_EQ(second.said.size(), 1U);
  EXPECT_EQ(second.said[0].code, "gltf-scenes");
  Imported first(file, {.scene = 0});
  EXPECT_EQ(first.by_name.count("a"), 1U);
  Diagnostics diagnostics;
  EXPECT_EQ(import_glb(file.bytes(), {.scene = 2}, diagnostics).error().code,
            ErrorCode::invalid_argument);
}

TEST(ImportGlb, GivesEveryNodeANameOfItsOwn) {
  GlbFile file;
  std::vector<int> roots;
  for (const char* name : {"arm", "arm", "arm_1", "1 left:arm", "", "\xC3\xA9t\xC3\xA9"}) {
    roots.push_back(file.node({{"name", name}}));
  }
  file.scene(roots);
  Imported imported(file);
  expect_clean(imported);
  std::set<std::string> names;
  for (const stage::Prim& prim : imported.stage->default_prim().children()) {
    names.insert(std::string(prim.name().view()));
  }
  EXPECT_EQ(names, (std::set<std::string>{"arm", "arm_1", "arm_1_1", "_1_left_arm", "node_4",
                                          "\xC3\xA9t\xC3\xA9"}));
}

TEST(ImportGlb, KeepsThePathsThatUsdHad) {
  GlbFile file;
  const auto path = [](const char* text) { return GltfJson{{"usd", {{"path", text}}}}; };
  const int body = add_square(file, {}, {{"name", "x"}, {"extras", path("/Cat/Body")}});
  const int cat = file.node({{"name", "y"}, {"children", {body}}, {"extras", path("/Cat")}});
  file.scene({cat});
  Imported imported(file);
  expect_clean(imported);
  EXPECT_TRUE(imported.stage->prim("/Cat/Body"));
  EXPECT_EQ(imported.stage->default_prim().path(), "/Cat");
}

TEST(ImportGlb, TurnsAndScalesTheScene) {
  GlbFile file;
  const int node = add_square(file, {}, {{"name", "square"}, {"translation", {1, 2, 3}}});
  file.scene({node, file.node({{"name", "other"}})});
  Imported imported(file, {.up = Axis::z, .meters_per_unit = 0.01});
  expect_clean(imported);
  EXPECT_EQ(imported.stage->metrics().meters_per_unit, 0.01);
  // (2, 3, 3) metres with Y up are (2, -3, 3) with Z up.
  EXPECT_LT((imported.points("square")[2] - Eigen::Vector3d(200, -300, 300)).norm(), 1e-4);
}

TEST(ImportGlb, UndoesTheTurnOfAZUpScene) {
  GlbFile file;
  const double half = std::sqrt(0.5);
  const int node = add_square(file, {}, {{"name", "square"}, {"translation", {1, 2, 3}}});
  const int root =
      file.node({{"name", "root"}, {"rotation", {-half, 0, 0, half}}, {"children", {node}}});
  file.scene({root});
  Imported imported(file, {.up = Axis::z});
  expect_clean(imported);
  EXPECT_EQ(imported.points("square")[2], Eigen::Vector3d(2, 3, 3));
  EXPECT_EQ(imported.by_name.count("root"), 0U);
}

TEST(ImportGlb, MakesCameras) {
  GlbFile file;
  file.add("cameras", {{"type", "perspective"},
                       {"perspective",
                        {{"yfov", 0.6}, {"aspectRatio", 2.0}, {"znear", 0.1}, {"zfar", 50.0}}}});
  file.add("cameras",
           {{"type", "orthographic"},
            {"orthographic", {{"xmag", 3.0}, {"ymag", 2.0}, {"znear", 0.0}, {"zfar", 9.0}}}});
  file.scene(
      {file.node({{"name", "eye"}, {"camera", 0}}), file.node({{"name", "plan"}, {"camera", 1}})});
  Imported imported(file);
  expect_clean(imported);
  const auto number = [&](const char* prim, const char* name) {
    return static_cast<double>(
        imported.prim(prim).attribute(name).get<float>(stage::Time()).value_or(-1.0F));
  };
  const double height = number("eye", "verticalAperture");
  EXPECT_NEAR(2.0 * std::atan(height / 2.0 / number("eye", "focalLength")), 0.6, 1e-6);
  EXPECT_NEAR(number("eye", "horizontalAperture") / height, 2.0, 1e-6);
  const auto range = imported.prim("eye").attribute("clippingRange").get<Vector2f>(stage::Time());
  ASSERT_TRUE(range);
  EXPECT_EQ(*range, Vector2f(0.1F, 50.0F));
  // Tenths of a unit across: twice the magnification.
  EXPECT_FLOAT_EQ(static_cast<float>(number("plan", "horizontalAperture")), 60.0F);
  EXPECT_FLOAT_EQ(static_cast<float>(number("plan", "verticalAperture")), 40.0F);
}

TEST(ImportGlb, MakesInstances) {
  GlbFile file;
  file.json["extensionsUsed"] = {"EXT_mesh_gpu_instancing"};
  GltfJson node = {{"name", "many"}};
  node["extensions"]["EXT_mesh_gpu_instancing"]["attributes"] = {
      {"TRANSLATION", file.floats("VEC3", {1, 0, 0, 2, 0, 0})},
      {"ROTATION", file.floats("VEC4", {0, 0, 0, 1, 1, 0, 0, 0})},
      {"SCALE", file.floats("VEC3", {1, 1, 1, 2, 2, 2})}};
  file.scene({add_square(file, {}, node)});
  Imported imported(file);
  expect_clean(imported);
  EXPECT_EQ(imported.prim("instances").type_name().view(), "PointInstancer");
  EXPECT_EQ(imported.array<Vector3f>("instances", "positions")[1], Vector3f(2, 0, 0));
  EXPECT_EQ(imported.array<Vector3f>("instances", "scales")[1], Vector3f(2, 2, 2));
  EXPECT_EQ(ints(imported.array<std::int32_t>("instances", "protoIndices")),
            (std::vector<int>{0, 0}));
}

// --- Materials

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

// --- Physics

GlbFile physics_file() {
  GlbFile file;
  file.json["extensionsUsed"] = {"KHR_implicit_shapes", "KHR_physics_rigid_bodies"};
  file.json["extensions"]["KHR_implicit_shapes"]["shapes"] = {
      {{"type", "sphere"}, {"sphere", {{"radius", 0.25}}}},
      {{"type", "box"}, {"box", {{"size", {1, 2, 3}}}}},
      {{"type", "capsule"},
       {"capsule", {{"height", 0.8}, {"radiusTop", 0.1}, {"radiusBottom", 0.1}}}},
      {{"type", "cylinder"},
       {"cylinder", {{"height", 0.5}, {"radiusTop", 0.2}, {"radiusBottom", 0.3}}}},
      {{"type", "plane"}, {"plane", GltfJson::object()}}};
  GltfJson& bodies = file.json["extensions"]["KHR_physics_rigid_bodies"];
  bodies["physicsMaterials"] = {
      {{"staticFriction", 0.6}, {"dynamicFriction", 0.5}, {"restitution", 0.1}}};
  bodies["collisionFilters"] = {
      {{"collisionSystems", {"left"}}, {"notCollideWithSystems", {"right"}}},
      {{"collisionSystems", {"right"}}}};
  return file;
}

int add_body(GlbFile& file, const std::string& name, int shape, std::vector<double> at,
             GltfJson motion = GltfJson::object()) {
  GltfJson node = {{"name", name}, {"translation", at}};
  GltfJson& body = node["extensions"]["KHR_physics_rigid_bodies"];
  if (!motion.is_null()) body["motion"] = motion;
  body["collider"] = {{"geometry", {{"shape", shape}}}, {"physicsMaterial", 0}};
  return file.node(node);
}

physics::PhysicsModel model_of(const Imported& imported) {
  Diagnostics diagnostics;
  physics::PhysicsModel model = physics::read_physics(*imported.stage, diagnostics);
  EXPECT_EQ(listed(diagnostics), "");
  return model;
}

TEST(ImportGlbPhysics, MakesBodiesOfEveryShape) {
  GlbFile file = physics_file();
  std::vector<int> roots;
  roots.push_back(add_body(file, "ball", 0, {0, 5, 0},
                           {{"mass", 2.5},
                            {"centerOfMass", {0.01, 0.02, 0.03}},
                            {"inertiaDiagonal", {0.1, 0.2, 0.3}},
                            {"inertiaOrientation", {0, 0, 0, 1}},
                            {"linearVelocity", {1, 2, 3}},
                            {"angularVelocity", {0, std::numbers::pi, 0}}}));
  roots.push_back(add_body(file, "crate", 1, {3, 0, 0}));
  roots.push_back(add_body(file, "pill", 2, {6, 0, 0}, {{"isKinematic", true}}));
  roots.push_back(add_body(file, "bucket", 3, {9, 0, 0}));
  roots.push_back(add_body(file, "ground", 4, {0, -1, 0}, nullptr));
  file.scene(roots);
  Imported imported(file);
  expect_clean(imported);
  const physics::PhysicsModel model = model_of(imported);
  ASSERT_EQ(model.rigid_bodies.size(), 4U);
  ASSERT_EQ(model.shapes.size(), 5U);
  const auto body = std::find_if(
      model.rigid_bodies.begin(), model.rigid_bodies.end(),
      [](const physics::RigidBody& one) { return one.path.view().ends_with("/ball"); });
  ASSERT_NE(body, model.rigid_bodies.end());
  EXPECT_EQ(body->linear_velocity, Vector3f(1, 2, 3));
  EXPECT_NEAR(body->angular_velocity.y(), 180.0F, 1e-4F);
  const std::string& text = imported.text;
  for (const char* line :
       {"float physics:mass = 2.5", "physics:centerOfMass = (0.01, 0.02, 0.03)",
        "physics:diagonalInertia = (0.1, 0.2, 0.3)", "physics:kinematicEnabled = 1",
        "double radius = 0.25", "double radiusTop = 0.2", "double radiusBottom = 0.3",
        "float physics:staticFriction = 0.6"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << "\n" << text;
  }
}

TEST(ImportGlbPhysics, FiltersCollisions) {
  GlbFile file = physics_file();
  std::vector<int> roots = {add_body(file, "a", 0, {0, 0, 0}), add_body(file, "b", 0, {1, 0, 0})};
  for (std::size_t i = 0; i < 2; ++i) {
    file.json["nodes"][i]["extensions"]["KHR_physics_rigid_bodies"]["collider"]["collisionFilter"] =
        i;
  }
  file.scene(roots);
  Imported imported(file);
  expect_clean(imported);
  EXPECT_NE(imported.text.find("rel physics:filteredGroups = </Scene/filter_1>"), std::string::npos)
      << imported.text;
}

struct JointCase {
  const char* name;
  GltfJson description;
  const char* type;
  std::vector<const char*> lines;
};

TEST(ImportGlbPhysics, FindsTheKindOfAJointByItsLimits) {
  const GltfJson linear = {{"linearAxes", {0, 1, 2}}, {"min", 0}, {"max", 0}};
  const auto turns = [](std::vector<int> axes, double low, double high) {
    return GltfJson{{"angularAxes", axes}, {"min", low}, {"max", high}};
  };
  const auto limits = [](std::vector<GltfJson> list) { return GltfJson{{"limits", list}}; };
  const double right = std::numbers::pi / 2.0;
  std::vector<JointCase> cases = {
      {"fixed", limits({linear, turns({0, 1, 2}, 0, 0)}), "PhysicsFixedJoint", {}},
      {"revolute",
       limits({linear, turns({0, 2}, 0, 0), turns({1}, -right, right)}),
       "PhysicsRevoluteJoint",
       {"physics:axis = \"Y\"", "physics:lowerLimit = -90", "physics:upperLimit = 90",
        "PhysicsDriveAPI:angular", "drive:angular:physics:targetPosition = 90",
        "drive:angular:physics:maxForce = 7"}},
      {"prismatic",
       limits({turns({0, 1, 2}, 0, 0),
               {{"linearAxes", {0, 1}}, {"min", 0}, {"max", 0}},
               {{"linearAxes", {2}}, {"min", -0.5}, {"max", 0.25}}}),
       "PhysicsPrismaticJoint",
       {"physics:axis = \"Z\"", "physics:lowerLimit = -0.5", "physics:upperLimit = 0.25"}},
      {"spherical",
       limits({linear, turns({1, 2}, 0, right)}),
       "PhysicsSphericalJoint",
       {"physics:axis = \"X\"", "physics:coneAngle0Limit = 90", "physics:coneAngle1Limit = 90"}},
      {"oval",
       limits({linear, turns({0}, -right, right), turns({1}, -right / 2, right / 2)}),
       "PhysicsSphericalJoint",
       {"physics:axis = \"Z\"", "physics:coneAngle0Limit = 45", "physics:coneAngle1Limit = 90"}},
      {"distance",
       limits({{{"linearAxes", {0, 1, 2}}, {"min", 0.5}, {"max", 2}}}),
       "PhysicsDistanceJoint",
       {"physics:minDistance = 0.5", "physics:maxDistance = 2"}},
      {"d6",
       limits({turns({0}, 0, 0), {{"linearAxes", {1}}, {"min", -1}, {"max", 3}}}),
       "PhysicsJoint",
       {"limit:rotX:physics:low = 1", "limit:rotX:physics:high = -1",
        "limit:transY:physics:low = -1", "limit:transY:physics:high = 3"}}};
  cases[1].description["drives"] = {{{"type", "angular"},
                                     {"axis", 1},
                                     {"mode", "force"},
                                     {"maxForce", 7},
                                     {"stiffness", 180 / std::numbers::pi},
                                     {"positionTarget", right}}};
  // Cone: towards the axis after the next one a turn about the next.
  for (const JointCase& joint : cases) {
    GlbFile file = physics_file();
    file.json["extensions"]["KHR_physics_rigid_bodies"]["physicsJoints"] =
        GltfJson::array({joint.description});
    const int end = file.node({{"name", "socket"}, {"translation", {-1, 0, 0}}});
    const int b = add_body(file, "b", 0, {4, 0, 0});
    file.json["nodes"][static_cast<std::size_t>(b)]["children"] = {end};
    GltfJson hinge = {{"name", "hinge"}, {"translation", {3, 0, 0}}};
    hinge["extensions"]["KHR_physics_rigid_bodies"]["joint"] = {{"connectedNode", end},
                                                                {"joint", 0}};
    const int start = file.node(hinge);
    const int a = add_body(file, "a", 0, {0, 0, 0});
    file.json["nodes"][static_cast<std::size_t>(a)]["children"] = {start};
    file.scene({a, b});
    Imported imported(file);
    expect_clean(imported);
    EXPECT_EQ(imported.prim("hinge").type_name().view(), joint.type) << joint.name;
    EXPECT_EQ(imported.by_name.count("socket"), 0U);
    std::vector<const char*> lines = joint.lines;
    lines.push_back("rel physics:body0 = </Scene/a>");
    lines.push_back("rel physics:body1 = </Scene/b>");
    lines.push_back("physics:localPos0 = (3, 0, 0)");
    lines.push_back("physics:localPos1 = (-1, 0, 0)");
    for (const char* line : lines) {
      EXPECT_NE(imported.text.find(line), std::string::npos) << line << "\n" << imported.text;
    }
    if (std::string(joint.name) == "revolute") {
      const auto stiffness = imported.prim("hinge")
                                 .attribute("drive:angular:physics:stiffness")
                                 .get<float>(stage::Time());
      ASSERT_TRUE(stiffness);
      EXPECT_FLOAT_EQ(*stiffness, 1.0F);  // Per degree.
    }
  }
}

TEST(ImportGlbPhysics, GivesBodiesInBodiesAPlaceOfTheirOwn) {
  GlbFile file = physics_file();
  const int inner = add_body(file, "inner", 0, {0, 1, 0});
  const int outer = add_body(file, "outer", 0, {5, 0, 0});
  file.json["nodes"][static_cast<std::size_t>(outer)]["children"] = {inner};
  file.scene({outer});
  Imported imported(file);
  expect_clean(imported);
  EXPECT_EQ(model_of(imported).rigid_bodies.size(), 2U);
  EXPECT_LT((imported.world("inner") - GltfJudge(file).world(inner)).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(ImportGlbPhysics, UsesMeshesAsColliders) {
  GlbFile file = physics_file();
  const int seen = add_square(file, {}, {{"name", "seen"}});
  const int plain = file.node({{"name", "plain"}});
  GltfJson collider = {{"geometry", {{"mesh", 0}, {"convexHull", true}}}};
  file.json["nodes"][static_cast<std::size_t>(seen)]["extensions"]["KHR_physics_rigid_bodies"]
           ["collider"] = collider;
  collider["geometry"]["convexHull"] = false;
  file.json["nodes"][static_cast<std::size_t>(plain)]["extensions"]["KHR_physics_rigid_bodies"]
           ["collider"] = collider;
  file.scene({seen, plain});
  Imported imported(file);
  EXPECT_EQ(listed(imported.said), "");
  EXPECT_EQ(imported.result.counts.colliders, 2U);
  EXPECT_NE(imported.text.find("physics:approximation = \"convexHull\""), std::string::npos);
  EXPECT_NE(imported.text.find("physics:approximation = \"none\""), std::string::npos);
  EXPECT_NE(imported.text.find("purpose = \"guide\""), std::string::npos);
}

}  // namespace
}  // namespace sinew::exporter
