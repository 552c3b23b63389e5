// SPDX-License-Identifier: Apache-2.0
// What becomes of normals, tangents, texture coordinates, colours and other primvars.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "export/gltf/written.hpp"

namespace sinew::exporter::gltf_attributes_test {
namespace {

using test::Json;
using test::write_text;
using test::Written;
using ::testing::ElementsAre;

// Those of the only primitive.
const Json& attributes_of(const Written& written) {
  return written.json()["meshes"][0]["primitives"][0]["attributes"];
}

// The values of an attribute, if there is one; shorts as shares of the largest.
std::vector<float> floats_of(const Written& written, const char* name) {
  const Json& attributes = attributes_of(written);
  if (!attributes.contains(name)) return {};
  const std::size_t accessor = attributes[name];
  if (written.json()["accessors"][accessor]["componentType"] != 5123) {
    return written.parts.floats(accessor);
  }
  std::vector<float> result;
  for (const std::uint32_t value : written.parts.integers(accessor)) {
    result.push_back(static_cast<float>(value) / 65535.0F);
  }
  return result;
}

// The values of an attribute at each corner of the only primitive.
std::vector<std::vector<float>> at_corners(const Written& written, const char* name) {
  const Json& primitive = written.json()["meshes"][0]["primitives"][0];
  std::vector<std::vector<float>> result;
  if (!primitive["attributes"].contains(name)) return result;
  const std::size_t accessor = primitive["attributes"][name];
  const std::vector<float> values = floats_of(written, name);
  const std::size_t width =
      values.size() / written.json()["accessors"][accessor]["count"].get<std::size_t>();
  for (const std::uint32_t index : written.parts.integers(primitive["indices"])) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(index * width);
    result.emplace_back(first, first + static_cast<std::ptrdiff_t>(width));
  }
  return result;
}

// A corner whose normal has no length gets that of its face.
TEST(GltfAttributes, NormalsWithoutLengthAreThoseOfTheirFaces) {
  for (const char* interpolation : {"vertex", "faceVarying"}) {
    const Written written = write_text(test::kHead + std::string(R"(def Mesh "M" {
    uniform token subdivisionScheme = "none"
    int[] faceVertexCounts = [3]
    int[] faceVertexIndices = [0, 1, 2]
    point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
    normal3f[] normals = [(1, 0, 0), (0, 0, 0), (0, 2, 0)] (
        interpolation = ")") + interpolation +
                                       "\"\n    )\n}\n");
    ASSERT_EQ(written.error, "");
    EXPECT_THAT(floats_of(written, "NORMAL"), ElementsAre(1, 0, 0, 0, 0, 1, 0, 1, 0))
        << written.told();
  }
}

TEST(GltfAttributes, ZerosOfAnySignAreOneValue) {
  const Written written = write_text(test::kHead + std::string(R"(def Mesh "M" {
    uniform token subdivisionScheme = "none"
    int[] faceVertexCounts = [3, 3]
    int[] faceVertexIndices = [0, 1, 2, 0, 2, 3]
    point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
    normal3f[] normals = [(0, 0, 1), (0, 0, 1), (0, 0, 1), (-0.0, 0, 1), (0, -0.0, 1), (0, 0, 1)] (
        interpolation = "faceVarying"
    )
}
)"));
  ASSERT_EQ(written.error, "");
  EXPECT_EQ(written.file.summary.vertices, 4U) << written.told();
}

TEST(GltfAttributes, ColoursOfVerticesAreWithinTheirRange) {
  const Written written = write_text(test::kHead + std::string(R"(def Mesh "M" {
    uniform token subdivisionScheme = "none"
    int[] faceVertexCounts = [3]
    int[] faceVertexIndices = [0, 1, 2]
    point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0)]
    color3f[] primvars:displayColor = [(2, 0, 0), (0, -1, 0), (0, 0, 1)] (
        interpolation = "vertex"
    )
}
)"));
  ASSERT_EQ(written.error, "");
  const std::size_t index = attributes_of(written)["COLOR_0"];
  const Json& accessor = written.json()["accessors"][index];
  EXPECT_EQ(accessor["componentType"], 5123) << written.told();
  EXPECT_EQ(accessor["normalized"], true);
}

TEST(GltfAttributes, ConstantPrimvarsAreValuesOfEveryVertex) {
  GlbOptions options;
  options.primvars = {"wear"};
  const Written written = write_text(test::kHead + std::string(R"(def Mesh "M" {
    uniform token subdivisionScheme = "none"
    int[] faceVertexCounts = [3]
    int[] faceVertexIndices = [0, 1, 2]
    point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0)]
    float[] primvars:wear = [0.5]
}
)"),
                                     options);
  ASSERT_EQ(written.error, "");
  EXPECT_THAT(floats_of(written, "_wear"), ElementsAre(0.5, 0.5, 0.5));
}

TEST(GltfAttributes, NormalsWithoutLengthAreThoseOfTheirFacesHoweverTheyAreAuthored) {
  // One triangle faces along z, the other along y.
  const std::string mesh =
      "def Mesh \"M\" { uniform token subdivisionScheme = \"none\"\n"
      "int[] faceVertexCounts = [3, 3]\nint[] faceVertexIndices = [0,1,2, 0,3,1]\n"
      "point3f[] points = [(0,0,0), (1,0,0), (0,1,0), (0,0,1)]\n";
  const std::vector<float> x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1}, down = {0, 0, -1};
  const std::string varying = "[(1,0,0),(0,0,0),(0,2,0),(0,0,-1)]";
  const struct {
    std::string interpolation, values, more;
    std::vector<std::vector<float>> normals;
  } rows[] = {
      {"constant", "[(0,0,0)]", "", {z, z, z, y, y, y}},
      {"uniform", "[(0,0,0),(1,0,0)]", "", {z, z, z, x, x, x}},
      {"uniform", "[(3,0,0),(0,0,0)]", "", {x, x, x, y, y, y}},
      {"varying", varying, "", {x, z, y, x, down, y}},
      {"vertex", varying, "", {x, z, y, x, down, y}},
      {"vertex",
       "[(0,0,0),(1,0,0)]",
       "int[] primvars:normals:indices = [1,0,1,0]\n",
       {x, z, x, x, y, y}},
      {"faceVarying",
       "[(0,0,0),(1,0,0),(1,0,0),(0,0,0),(1,0,0),(0,0,-1)]",
       "",
       {z, x, x, y, x, down}},
  };
  for (const auto& row : rows) {
    const Written written =
        write_text(test::kHead + mesh + "normal3f[] primvars:normals = " + row.values +
                   " (interpolation = \"" + row.interpolation + "\")\n" + row.more + "}\n");
    ASSERT_EQ(written.error, "");
    EXPECT_EQ(at_corners(written, "NORMAL"), row.normals) << row.interpolation << row.values;
  }
  const Written left =
      write_text(test::kHead + mesh +
                 "uniform token orientation = \"leftHanded\"\n"
                 "normal3f[] normals = [(0,0,0)] (interpolation = \"constant\")\n}\n");
  EXPECT_EQ(at_corners(left, "NORMAL").at(0), down);
  EXPECT_EQ(at_corners(left, "NORMAL").at(3), (std::vector<float>{0, -1, 0}));
}

// gltf 41
TEST(GltfAttributes, TangentsHaveTheSideOfTheirBitangents) {
  const auto tangents = [](const std::string& t, const char* of_t, const std::string& b,
                           const char* of_b) {
    const Written written = write_text(
        test::kHead +
        test::quad("normal3f[] normals = [(0,0,1),(0,0,1),(0,0,2),(0,0,1)] (interpolation = "
                   "\"vertex\")\nvector3f[] primvars:tangents = " +
                   t + " (interpolation = \"" + of_t + "\")\nvector3f[] primvars:bitangents = " +
                   b + " (interpolation = \"" + of_b + "\")\n"));
    EXPECT_EQ(written.error, "");
    return floats_of(written, "TANGENT");
  };
  const std::string good = "[(2,0,0),(0,1,0),(1,0,0),(1,0,0)]";
  const std::string sides = "[(0,1,0),(1,0,0),(0,-1,0),(1,0,0)]";
  EXPECT_THAT(tangents(good, "vertex", sides, "vertex"),
              ElementsAre(1, 0, 0, 1, 0, 1, 0, -1, 1, 0, 0, -1, 1, 0, 0, 1));
  EXPECT_THAT(tangents(good, "faceVarying", sides, "vertex"), ElementsAre());
  EXPECT_THAT(tangents(good, "faceVarying", sides, "faceVarying"), ElementsAre());
  EXPECT_THAT(tangents("[(1,0,0)]", "constant", "[(0,1,0)]", "constant"), ElementsAre());
  EXPECT_THAT(tangents(good, "vertex", "[(0,1,0)]", "constant"), ElementsAre());
  EXPECT_THAT(tangents("[(2,0,0),(0,1,0),(0,0,0),(1,0,0)]", "vertex", sides, "vertex"),
              ElementsAre());
}

TEST(GltfAttributes, TangentsHaveNoSideWhereTheirBitangentsAreNotUsable) {
  for (const auto& [bitangents, count] :
       {std::pair("[(0,1,0)]", 16U), std::pair("[(0,1,0),(0,1,0)]", 0U), std::pair("[]", 0U)}) {
    const Written written =
        write_text(test::kHead +
                   test::quad(fmt::format(
                       "normal3f[] primvars:normals = [(0,0,1)] (interpolation = \"constant\")\n"
                       "vector3f[] primvars:tangents = [(1,0,0)] (interpolation = \"constant\")\n"
                       "vector3f[] primvars:bitangents = {} (interpolation = \"constant\")\n",
                       bitangents)));
    EXPECT_EQ(written.error, "");
    EXPECT_EQ(floats_of(written, "TANGENT").size(), count) << bitangents;
  }
}

TEST(GltfAttributes, PrimvarsOfOneToFourNumbersAreAttributes) {
  const std::pair<const char*, const char*> types[] = {
      {"float", "0.5"}, {"float2", "(0.5,1)"}, {"float3", "(0.5,1,2)"}, {"float4", "(0.5,1,2,4)"}};
  const std::vector<float> all = {0.5F, 1.0F, 2.0F, 4.0F};
  std::size_t width = 0;
  for (const auto& [type, value] : types) {
    ++width;
    GlbOptions options;
    options.primvars = {"wind"};
    const Written written =
        write_text(test::kHead + test::quad(std::string(type) + "[] primvars:wind = [" + value +
                                            "] (interpolation = \"constant\")\n"),
                   options);
    ASSERT_EQ(written.error, "");
    EXPECT_EQ(at_corners(written, "_wind").at(5),
              std::vector<float>(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(width)));
  }
}

// gltf 43
TEST(GltfAttributes, ColoursAndOpacitiesHaveTheElementsOfTheFiner) {
  const std::string mixed =
      "warning gltf-display-opacity /M: displayOpacity of /M has another interpolation than "
      "displayColor; it is left out.\n";
  const std::string colors4 = "[(1,0,0),(0,1,0),(0,0,1),(1,1,1)]";
  using Rows = std::vector<std::vector<float>>;
  const std::vector<float> red = {1, 0, 0, 1}, green = {0, 1, 0, 1}, blue = {0, 0, 1, 1},
                           white = {1, 1, 1, 1};
  const auto with = [](std::vector<float> color, float alpha) {
    color[3] = alpha;
    return color;
  };
  const float grey = 0.18F;
  const struct {
    std::string of_color, colors, of_opacity, opacities;
    Rows corners;  // 0 1 2, 0 2 3.
    std::string told;
  } rows[] = {
      {"vertex", colors4, "", "", {red, green, blue, red, blue, white}, ""},
      {"faceVarying", colors4, "", "", {red, green, blue, red, blue, white}, ""},
      {"vertex",
       colors4,
       "constant",
       "[0.5]",
       {with(red, 0.5F), with(green, 0.5F), with(blue, 0.5F), with(red, 0.5F), with(blue, 0.5F),
        with(white, 0.5F)},
       ""},
      {"constant",
       "[(1,0,0)]",
       "vertex",
       "[0,0.25,0.5,1]",
       {with(red, 0), with(red, 0.25F), with(red, 0.5F), with(red, 0), with(red, 0.5F), red},
       ""},
      {"",
       "",
       "vertex",
       "[0,0.25,0.5,1]",
       {{grey, grey, grey, 0},
        {grey, grey, grey, 0.25F},
        {grey, grey, grey, 0.5F},
        {grey, grey, grey, 0},
        {grey, grey, grey, 0.5F},
        {grey, grey, grey, 1}},
       ""},
      {"vertex",
       colors4,
       "vertex",
       "[0,0.25,0.5,1]",
       {with(red, 0), with(green, 0.25F), with(blue, 0.5F), with(red, 0), with(blue, 0.5F), white},
       ""},
      {"vertex", colors4, "uniform", "[0.5]", {red, green, blue, red, blue, white}, mixed},
      {"uniform",
       "[(0,0,1)]",
       "vertex",
       "[0,0.25,0.5,1]",
       {blue, blue, blue, blue, blue, blue},
       mixed},
      {"vertex",
       "[(nan,0,0),(0,inf,0),(0,0,1),(1,1,1)]",
       "vertex",
       "[nan,0.25,0.5,1]",
       {{grey, 0, 0, 1},
        {0, grey, 0, 0.25F},
        with(blue, 0.5F),
        {grey, 0, 0, 1},
        with(blue, 0.5F),
        white},
       ""},
  };
  for (const auto& row : rows) {
    const auto primvar = [](const char* type, const char* name, const std::string& interpolation,
                            const std::string& values) {
      return values.empty() ? ""
                            : fmt::format("{}[] primvars:{} = {} (interpolation = \"{}\")\n", type,
                                          name, values, interpolation);
    };
    const Written written =
        write_text(test::kHead +
                   test::quad(primvar("color3f", "displayColor", row.of_color, row.colors) +
                              primvar("float", "displayOpacity", row.of_opacity, row.opacities)));
    ASSERT_EQ(written.error, "");
    SCOPED_TRACE(row.of_color + row.of_opacity + row.colors);
    EXPECT_EQ(written.told(), row.told);
    const Rows made = at_corners(written, "COLOR_0");
    ASSERT_EQ(made.size(), 6U);
    const std::size_t accessor = attributes_of(written)["COLOR_0"];
    EXPECT_EQ(written.json()["accessors"][accessor]["componentType"], 5123);
    EXPECT_EQ(made[0].size(), 4U);
    bool is_translucent = false;
    for (std::size_t i = 0; i < 6; ++i) {
      for (std::size_t c = 0; c < 4; ++c) EXPECT_NEAR(made[i][c], row.corners[i][c], 1e-5) << i;
      is_translucent = is_translucent || row.corners[i][3] < 1.0F;
    }
    EXPECT_EQ(written.json()["materials"][0].contains("alphaMode"), is_translucent);
  }
}

TEST(GltfAttributes, ShapesHaveOnlyColoursThatAreTheSameEverywhere) {
  const auto factor = [](const std::string& lines) {
    const Written written = write_text(test::kHead + ("def Cube \"C\" { " + lines + "}\n"));
    EXPECT_EQ(written.error, "");
    EXPECT_FALSE(attributes_of(written).contains("COLOR_0"));
    return written.json()["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"];
  };
  const std::string blue = "color3f[] primvars:displayColor = [(0,0,1)]";
  EXPECT_EQ(factor(blue + "\n"), Json({0, 0, 1, 1}));
  EXPECT_EQ(factor(blue + "\nfloat[] primvars:displayOpacity = [0.5]\n"), Json({0, 0, 1, 0.5}));
  EXPECT_EQ(factor("float[] primvars:displayOpacity = [0.5]\n"), Json({0.18, 0.18, 0.18, 0.5}));
  EXPECT_EQ(factor(blue + " (interpolation = \"vertex\")\n"), Json({0.18, 0.18, 0.18, 1}));
}

// gltf 42
TEST(GltfAttributes, TextureCoordinatesAreArraysOfTwoNumbersOrSayThatTheyAre) {
  const auto sets = [](const std::string& lines) {
    const Written written = write_text(test::kHead + test::quad(lines));
    EXPECT_EQ(written.error, "");
    EXPECT_EQ(written.told(), "");
    std::size_t count = 0;
    const Json& attributes = attributes_of(written);
    while (attributes.contains("TEXCOORD_" + std::to_string(count))) ++count;
    return count;
  };
  const auto set = [](const char* type, const char* name) {
    return fmt::format("{} primvars:{} = [(0,0),(1,0),(1,1),(0,1)] (interpolation = \"vertex\")\n",
                       type, name);
  };
  EXPECT_EQ(sets(""), 0U);
  EXPECT_EQ(sets(set("texCoord2f[]", "a")), 1U);
  EXPECT_EQ(sets(set("texCoord2d[]", "a")), 1U);
  EXPECT_EQ(sets(set("texCoord2h[]", "a")), 1U);
  EXPECT_EQ(sets(set("float2[]", "a")), 1U);
  EXPECT_EQ(sets(set("half2[]", "a")), 0U);
  EXPECT_EQ(sets("float2 primvars:a = (0,1)\n"), 0U);
  EXPECT_EQ(sets("float3[] primvars:a = [(0,0,1)]\n"), 0U);
  EXPECT_EQ(sets(set("float2[]", "a") + set("float2[]", "b") + set("float2[]", "c") +
                 set("texCoord2f[]", "d")),
            4U);
}

// gltf 41
TEST(GltfAttributes, TangentsOfFourNumbersKeepTheirSide) {
  const auto tangents = [](const std::string& values, const std::string& more = "") {
    const Written written = write_text(
        test::kHead + test::quad("normal3f[] normals = [(0,0,1),(0,0,1),(0,0,1),(0,0,1)] "
                                 "(interpolation = \"vertex\")\n"
                                 "float4[] primvars:tangents = " +
                                 values + " (interpolation = \"vertex\")\n" + more));
    EXPECT_EQ(written.error, "");
    return floats_of(written, "TANGENT");
  };
  EXPECT_THAT(tangents("[(2,0,0,1),(0,3,0,-1),(1,0,0,0),(1,0,0,-0.25)]"),
              ElementsAre(1, 0, 0, 1, 0, 1, 0, -1, 1, 0, 0, 1, 1, 0, 0, -1));
  EXPECT_THAT(tangents("[(2,0,0,1),(0,3,0,-1),(0,0,0,1),(1,0,0,1)]"), ElementsAre());
  EXPECT_THAT(tangents("[(2,0,0,1),(0,3,0,-1),(inf,0,0,1),(1,0,0,1)]"), ElementsAre());
}

}  // namespace
}  // namespace sinew::exporter::gltf_attributes_test
