// SPDX-License-Identifier: Apache-2.0
// What becomes of nodes and meshes of a glTF file: the numbers on the stage.
#include "sinew/export/import_glb.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "export/gltf_import/imported.hpp"

namespace sinew::exporter::import_glb_test {
namespace {

using test::add_square;
using test::expect_clean;
using test::GlbFile;
using test::GltfJson;
using test::GltfJudge;
using test::Imported;
using test::kSquare;

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

// KHR_mesh_quantization.
TEST(ImportGlb, ReadsSmallIntegersAsTheyAreAndAsShares) {
  GlbFile file;
  GltfJson primitive;
  primitive["attributes"] = {
      {"POSITION", file.accessor("VEC3", std::vector<std::int16_t>{-32768, 0, 5, 7, -1, 0, 300, 2,
                                                                   1, 0, 32767, 0})},
      {"NORMAL",
       file.accessor("VEC3", std::vector<std::int8_t>{-128, 0, 0, 127, 0, 0, 0, -127, 0, 0, 64, 0},
                     true)},
      {"TEXCOORD_0",
       file.accessor("VEC2", std::vector<std::int16_t>{-32768, 0, 32767, 0, 16384, 0, 1, 0},
                     true)}};
  file.scene({add_square(file, primitive)});
  Imported imported(file);
  expect_clean(imported);
  EXPECT_EQ(imported.array<Vector3f>("square", "points"),
            (std::vector<Vector3f>{{-32768, 0, 5}, {7, -1, 0}, {300, 2, 1}, {0, 32767, 0}}));
  EXPECT_EQ(imported.array<Vector3f>("square", "normals"),
            (std::vector<Vector3f>{{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 64.0F / 127.0F, 0}}));
  const auto uvs = imported.array<Vector2f>("square", "primvars:st");
  ASSERT_EQ(uvs.size(), 4U);
  EXPECT_EQ(uvs[0].x(), -1.0F);
  EXPECT_EQ(uvs[1].x(), 1.0F);
  EXPECT_EQ(uvs[2].x(), 16384.0F / 32767.0F);
  EXPECT_EQ(uvs[3].x(), 1.0F / 32767.0F);
  primitive["attributes"]["POSITION"] =
      file.accessor("VEC3", std::vector<std::int8_t>{-128, 0, 0, 127, 0, 0, 0, -1, 0, 0, 64, 0});
  file.json["scenes"][0]["nodes"].push_back(add_square(file, primitive, {{"name", "bytes"}}));
  EXPECT_EQ(Imported(file).array<Vector3f>("bytes", "points"),
            (std::vector<Vector3f>{{-128, 0, 0}, {127, 0, 0}, {0, -1, 0}, {0, 64, 0}}));
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

TEST(ImportGlb, TakesAllRootsWhereThereIsNoScene) {
  GlbFile file;
  const int inner = file.node({{"name", "inner"}});
  file.node({{"name", "a"}, {"children", {inner}}});
  file.node({{"name", "b"}});
  Imported imported(file);
  expect_clean(imported);
  EXPECT_EQ(imported.prim("inner").parent().path(), imported.prim("a").path());
  EXPECT_EQ(imported.prim("b").parent().path(), imported.prim("a").parent().path());
  Diagnostics said;
  const auto chosen = import_glb(file.bytes(), {.scene = 0}, said);
  ASSERT_FALSE(chosen);
  EXPECT_EQ(chosen.error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(chosen.error().message, "The file has no scenes to choose from.");
}

TEST(ImportGlb, RefusesOptionsThatMakeNoSense) {
  const double infinity = std::numeric_limits<double>::infinity();
  const auto refused = [](const ImportGlbOptions& options) {
    GlbFile file;
    Diagnostics said;
    const auto made = import_glb(file.bytes(), options, said);
    if (made) return std::string();
    EXPECT_EQ(made.error().code, ErrorCode::invalid_argument);
    return made.error().message;
  };
  EXPECT_EQ(refused({.up = Axis::x}), "Up is Y or Z.");
  EXPECT_EQ(refused({.up = Axis::z}), "");
  for (const double bad : {0.0, -1.0, infinity, std::nan("")}) {
    EXPECT_EQ(refused({.meters_per_unit = bad}), "metersPerUnit must be positive.");
    EXPECT_EQ(refused({.time_codes_per_second = bad}), "timeCodesPerSecond must be positive.");
    EXPECT_EQ(refused({.curve_tolerance = bad}), "The tolerance must be positive.");
  }
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

TEST(ImportGlb, TakesTurnsOfInstancesThatAreZeroForNone) {
  GlbFile file;
  GltfJson node = {{"name", "many"}};
  node["extensions"]["EXT_mesh_gpu_instancing"]["attributes"] = {
      {"ROTATION", file.floats("VEC4", {0, 0, 0, 0, 0, 3e30F, 0, -3e30F, 0, 0, 1e-40F, 0})}};
  file.scene({add_square(file, {}, node)});
  const Imported imported(file);
  ASSERT_EQ(imported.said.size(), 1U) << test::lines_of(imported.said);
  EXPECT_EQ(imported.said[0].code, "gltf-rotation");
  EXPECT_EQ(imported.said[0].path,
            "/nodes/0/extensions/EXT_mesh_gpu_instancing/attributes/ROTATION");
  EXPECT_EQ(imported.said[0].message,
            "1 rotations of instances are zero; they are taken for none.");
  const auto turns = imported.array<Quath>("instances", "orientations");
  ASSERT_EQ(turns.size(), 3U);
  EXPECT_EQ(turns[0].cast<float>().coeffs(), Vector4f(0, 0, 0, 1));
  EXPECT_NEAR(static_cast<float>(turns[1].y()), 0.7071F, 1e-3F);
  EXPECT_NEAR(static_cast<float>(turns[1].w()), -0.7071F, 1e-3F);
  EXPECT_EQ(turns[2].cast<float>().coeffs(), Vector4f(0, 0, 1, 0));
}

TEST(ImportGlb, KeepsTheTurnsOfInstancesThatAreNoUnitQuaternions) {
  GlbFile file;
  GltfJson node = {{"name", "many"}};
  node["extensions"]["EXT_mesh_gpu_instancing"]["attributes"] = {
      {"ROTATION", file.floats("VEC4", {0, 0, 0, 1, 0, 6e5F, 0, 8e5F})}};
  file.scene({add_square(file, {}, node)});
  Imported imported(file);
  expect_clean(imported);
  const auto turns = imported.array<Quath>("instances", "orientations");
  ASSERT_EQ(turns.size(), 2U);
  EXPECT_NEAR(static_cast<float>(turns[1].w()), 0.8F, 1e-3F);
  EXPECT_NEAR(static_cast<float>(turns[1].y()), 0.6F, 1e-3F);
}

// Only a turn and nothing else is undone, so that all stands where Y up has it.
TEST(ImportGlb, UndoesNothingButAPlainTurn) {
  const double half = std::sqrt(0.5);
  const GltfJson turn = {-half, 0, 0, half};
  const GltfJson roots[] = {{{"rotation", turn}, {"translation", {0, 0, 1}}},
                            {{"rotation", turn}, {"scale", {1, 1, 2}}},
                            {{"rotation", {half, 0, 0, half}}},
                            {{"rotation", {-0.6, 0, 0, 0.8}}},
                            {{"rotation", {0, -half, 0, half}}},
                            {{"rotation", {-half, half, 0, 0}}},
                            {{"matrix", {1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1}}},
                            {{"rotation", turn}, {"camera", 0}},
                            {{"rotation", turn}, {"mesh", 0}},
                            GltfJson::object()};
  Matrix4d up = Matrix4d::Identity();
  up.block<3, 3>(0, 0) << 1, 0, 0, 0, 0, -1, 0, 1, 0;
  for (GltfJson root : roots) {
    GlbFile file;
    const int node = add_square(file, {}, {{"name", "leaf"}, {"translation", {1, 2, 3}}});
    file.add("cameras", {{"type", "perspective"}, {"perspective", {{"yfov", 0.6}, {"znear", 1}}}});
    root["children"] = {node};
    root["name"] = "root";
    file.scene({file.node(root)});
    const Imported imported(file, {.up = Axis::z});
    const Matrix4d expected = up * GltfJudge(file).world(node);
    EXPECT_LT((imported.world("leaf") - expected).cwiseAbs().maxCoeff(), 1e-6) << root.dump();
    EXPECT_EQ(imported.by_name.count("root"), 1U) << root.dump();
  }
}

TEST(ImportGlb, KeepsATurnThatIsAnimatedOrStandsBesideOthers) {
  const double half = std::sqrt(0.5);
  for (const bool is_animated : {false, true}) {
    GlbFile file;
    const int leaf = add_square(file, {}, {{"name", "leaf"}});
    const int root =
        file.node({{"name", "root"}, {"rotation", {-half, 0, 0, half}}, {"children", {leaf}}});
    std::vector<int> roots = {root};
    if (is_animated) {
      file.add("animations",
               {{"channels", {{{"sampler", 0}, {"target", {{"node", root}, {"path", "scale"}}}}}},
                {"samplers",
                 {{{"input", file.floats("SCALAR", {0, 1})},
                   {"output", file.floats("VEC3", {1, 1, 1, 2, 2, 2})}}}}});
    } else {
      roots.push_back(file.node({{"name", "other"}}));
    }
    file.scene(roots);
    const Imported imported(file, {.up = Axis::z});
    EXPECT_EQ(imported.by_name.count("root"), 1U) << is_animated;
    EXPECT_EQ(imported.by_name.count("Scene"), 1U);
  }
}

TEST(ImportGlb, ARootIsTheSceneIfAllOthersStoodBelowItInUsd) {
  const auto paths = [](const std::string& top, const std::string& other,
                        GltfJson more = GltfJson::object()) {
    GlbFile file;
    more["name"] = "a";
    more["extras"]["usd"]["path"] = top;
    GltfJson leaf = {{"name", "b"}};
    leaf["extras"]["usd"]["path"] = other;
    file.scene({file.node(more), add_square(file, {}, leaf)});
    const Imported imported(file);
    std::string result;
    for (const stage::Prim prim : imported.stage->root().descendants()) {
      if (!prim.is_root()) result += prim.path().str() + " ";
    }
    return result;
  };
  EXPECT_EQ(paths("/World", "/World/b"), "/World /World/b ");
  EXPECT_EQ(paths("/World", "/Worldly/b"), "/Scene /Scene/World /Scene/b ");
  EXPECT_EQ(paths("/World", "/b"), "/Scene /Scene/World /Scene/b ");
  EXPECT_EQ(paths("World", "World/b"), "/Scene /Scene/World /Scene/b ");
  EXPECT_EQ(paths("/World", "/World/b", {{"translation", {0, 1, 0}}}),
            "/Scene /Scene/World /Scene/b ");
}

TEST(ImportGlb, ListsEachRootOnce) {
  GlbFile file;
  file.scene({add_square(file), 0});
  const Imported imported(file);
  ASSERT_EQ(imported.said.size(), 1U) << test::lines_of(imported.said);
  EXPECT_EQ(imported.said[0].code, "gltf-scene-root");
  EXPECT_EQ(imported.said[0].path, "/scenes/0/nodes/1");
  EXPECT_EQ(imported.result.counts.meshes, 1U);
}

TEST(ImportGlb, KeepsAllVerticesUnlessLessThanHalfAreUsed) {
  const auto points = [](std::size_t count) {
    GlbFile file;
    std::vector<float> positions;
    for (std::size_t i = 0; i < count; ++i) {
      const auto x = static_cast<float>(i);
      positions.insert(positions.end(), {x, x * x, 0.0F});
    }
    GltfJson primitive = {{"attributes", {{"POSITION", file.floats("VEC3", positions)}}},
                          {"indices", file.accessor("SCALAR", std::vector<std::uint8_t>{1, 3, 5})}};
    file.scene({add_square(file, primitive)});
    const Imported imported(file);
    return std::pair(imported.array<Vector3f>("square", "points").size(),
                     ints(imported.array<std::int32_t>("square", "faceVertexIndices")));
  };
  EXPECT_EQ(points(6), std::pair(std::size_t{6}, std::vector<int>{1, 3, 5}));
  EXPECT_EQ(points(7), std::pair(std::size_t{3}, std::vector<int>{0, 1, 2}));
}

TEST(ImportGlb, ALineWithoutAnEndIsNone) {
  GlbFile file;
  GltfJson primitive = {{"mode", 1}};
  primitive["indices"] = file.accessor("SCALAR", std::vector<std::uint8_t>{2, 1, 3, 0, 1});
  file.scene({add_square(file, primitive)});
  Imported imported(file);
  EXPECT_EQ(ints(imported.array<std::int32_t>("square", "curveVertexCounts")),
            (std::vector<int>{2, 2}));
  EXPECT_EQ(imported.array<Vector3f>("square", "points"),
            (std::vector<Vector3f>{{1, 1, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0}}));
}

TEST(ImportGlb, OpacitiesAreThoseOfVerticesThatAreNotOpaque) {
  const auto opacities = [](const std::vector<float>& alpha) {
    GlbFile file;
    std::vector<float> colors;
    for (const float value : alpha) colors.insert(colors.end(), {0.5F, 0.25F, 0.75F, value});
    GltfJson primitive;
    primitive["attributes"]["COLOR_0"] = file.floats("VEC4", colors);
    file.scene({add_square(file, primitive)});
    const Imported imported(file);
    EXPECT_EQ(imported.array<Vector3f>("square", "primvars:displayColor"),
              std::vector<Vector3f>(4, Vector3f(0.5F, 0.25F, 0.75F)));
    return imported.array<float>("square", "primvars:displayOpacity");
  };
  EXPECT_EQ(opacities({1, 1, 1, 1}), std::vector<float>());
  EXPECT_EQ(opacities({1, 1, 0.5F, 1}), (std::vector<float>{1, 1, 0.5F, 1}));
}

TEST(ImportGlb, OnlyFacesHaveNormals) {
  for (const int mode : {0, 3, 4}) {
    GlbFile file;
    GltfJson primitive = {{"mode", mode}};
    primitive["attributes"]["NORMAL"] = file.floats("VEC3", {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1});
    file.scene({add_square(file, primitive)});
    const Imported imported(file);
    EXPECT_EQ(imported.array<Vector3f>("square", "normals").size(), mode == 4 ? 4U : 0U) << mode;
  }
}

// Primitives of other vertices are other prims: the prototype is what holds both.
TEST(ImportGlb, InstancesShowAllPrimitivesOfTheirMesh) {
  GlbFile file;
  GltfJson node = {{"name", "many"}, {"mesh", 0}};
  node["extensions"]["EXT_mesh_gpu_instancing"]["attributes"] = {
      {"TRANSLATION", file.floats("VEC3", {1, 0, 0, 2, 0, 0})}};
  GltfJson primitives = GltfJson::array();
  for (int i = 0; i < 2; ++i) {
    primitives.push_back({{"attributes", {{"POSITION", file.floats("VEC3", kSquare)}}}});
  }
  file.add("meshes", {{"name", "pair"}, {"primitives", primitives}});
  const int many = file.node(node);
  file.scene({many, file.node({{"name", "one"}, {"mesh", 0}})});
  const Imported imported(file);
  const stage::Prim instances = imported.prim("instances");
  const auto targets = instances.relationship("prototypes").targets();
  ASSERT_EQ(targets.size(), 1U);
  const stage::Prim prototype = imported.stage->prim(targets[0]);
  EXPECT_EQ(prototype.type_name().view(), "Xform");
  EXPECT_EQ(prototype.path(), instances.path().str() + "/pair");
  std::size_t meshes = 0;
  for (const stage::Prim child : prototype.children()) {
    EXPECT_EQ(child.type_name().view(), "Mesh");
    EXPECT_EQ(child.attribute("points").get_array<Vector3f>()->size(), 4U);
    ++meshes;
  }
  EXPECT_EQ(meshes, 2U);
  EXPECT_EQ(imported.result.counts.meshes, 4U);
}

TEST(ImportGlb, TellsOfEveryPartThatIsDone) {
  GlbFile file;
  file.scene({add_square(file)});
  std::vector<std::pair<std::size_t, std::size_t>> calls;
  const Imported imported(
      file, {.progress = [&](std::size_t done, std::size_t of) { calls.emplace_back(done, of); }});
  EXPECT_EQ(calls, (std::vector<std::pair<std::size_t, std::size_t>>{
                       {1, 6}, {2, 6}, {3, 6}, {4, 6}, {5, 6}, {6, 6}}));
}

TEST(ImportGlb, NeedsExtensionsThatAreWords) {
  GlbFile file;
  file.json["extensionsRequired"] = {"KHR_texture_transform", 5};
  file.scene({add_square(file)});
  Diagnostics said;
  const auto made = exporter::import_glb(file.bytes(), {}, said);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::unsupported);
  EXPECT_EQ(said.back().code, "gltf-extension-required");
  EXPECT_EQ(said.back().path, "/extensionsRequired/1");
}

}  // namespace
}  // namespace sinew::exporter::import_glb_test
