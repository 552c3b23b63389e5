// SPDX-License-Identifier: Apache-2.0
// What becomes of surfaces whose colours and opacity come from elsewhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

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

TEST(GltfMaterials, WhatIsWrongWithATextureIsToldOfItsShader) {
  const Written written = write_text(kHead + surface(kDiffuse), {}, {{"other.png", kPng}});
  ASSERT_EQ(written.error, "");
  const auto told =
      std::find_if(written.diagnostics.begin(), written.diagnostics.end(),
                   [](const Diagnostic& d) { return d.code == "gltf-texture-missing"; });
  ASSERT_NE(told, written.diagnostics.end());
  EXPECT_EQ(told->path, "/T/I");
}

}  // namespace
}  // namespace sinew::exporter::gltf_materials_test
