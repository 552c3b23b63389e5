// SPDX-License-Identifier: Apache-2.0
// Scenes with some of everything written as .glb: each entry of their JSON, the numbers of their
// accessors and the summary; and each word of some with something wrong in its place, as recorded.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <string>

#include "export/gltf/written.hpp"
#include "geom/everything_scene.hpp"
#include "physics/everything_scene.hpp"
#include "skel/everything_scene.hpp"
#include "support/recorded_scene.hpp"
#include "support/sanitized.hpp"

namespace sinew::exporter::gltf_recorded_test {
namespace {

// What the other scenes have none of: surfaces, cameras, instances.
constexpr const char* kLooks = R"(#usda 1.0
(
    defaultPrim = "World"
    metersPerUnit = 0.01
    timeCodesPerSecond = 10
    endTimeCode = 10
    upAxis = "Y"
)
def Xform "World" (
    kind = "assembly"
) {
    def Material "Painted" {
        token outputs:surface.connect = </World/Painted/Surface.outputs:surface>
        def Shader "Surface" {
            uniform token info:id = "UsdPreviewSurface"
            color3f inputs:diffuseColor.connect = </World/Painted/Picture.outputs:rgb>
            color3f inputs:emissiveColor = (0.1, 0.2, 0.3)
            float inputs:metallic = 0.25
            float inputs:roughness = 0.75
            float inputs:opacity = 0.5
            float inputs:opacityThreshold = 0.1
            float inputs:clearcoat = 0.5
            float inputs:clearcoatRoughness = 0.2
            float inputs:ior = 1.4
            normal3f inputs:normal.connect = </World/Painted/Bumps.outputs:rgb>
            token outputs:surface
        }
        def Shader "Picture" {
            uniform token info:id = "UsdUVTexture"
            asset inputs:file = @picture.png@
            token inputs:wrapS = "clamp"
            token inputs:wrapT = "mirror"
            token inputs:sourceColorSpace = "sRGB"
            float4 inputs:fallback = (1, 0, 0, 1)
            float2 inputs:st.connect = </World/Painted/Place.outputs:result>
            float3 outputs:rgb
        }
        def Shader "Bumps" {
            uniform token info:id = "UsdUVTexture"
            asset inputs:file = @bumps.png@
            float4 inputs:scale = (2, 2, 2, 1)
            float4 inputs:bias = (-1, -1, -1, 0)
            float2 inputs:st.connect = </World/Painted/Reader.outputs:result>
            float3 outputs:rgb
        }
        def Shader "Place" {
            uniform token info:id = "UsdTransform2d"
            float2 inputs:in.connect = </World/Painted/Reader.outputs:result>
            float2 inputs:scale = (2, 3)
            float2 inputs:translation = (0.5, 0.25)
            float inputs:rotation = 30
            float2 outputs:result
        }
        def Shader "Reader" {
            uniform token info:id = "UsdPrimvarReader_float2"
            string inputs:varname = "st"
            float2 outputs:result
        }
    }
    def Camera "Eye" {
        float focalLength = 35
        float horizontalAperture = 24
        float verticalAperture = 18
        float2 clippingRange = (0.5, 500)
        token projection = "perspective"
        double3 xformOp:translate.timeSamples = { 0: (0, 0, 5), 10: (0, 1, 5) }
        uniform token[] xformOpOrder = ["xformOp:translate"]
    }
    def Mesh "Floor" (
        apiSchemas = ["MaterialBindingAPI"]
    ) {
        rel material:binding = </World/Painted>
        uniform token subdivisionScheme = "none"
        uniform bool doubleSided = 1
        int[] faceVertexCounts = [4, 3, 3]
        int[] faceVertexIndices = [0, 1, 2, 3, 0, 2, 3, 1, 2, 3]
        int[] holeIndices = [1]
        point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 0, 1), (0, 0, 1)]
        texCoord2f[] primvars:st = [(0, 0), (1, 0), (1, 1), (0, 1)] (
            interpolation = "vertex"
        )
        color3f[] primvars:displayColor = [(0.5, 0.25, 0)]
        float[] primvars:displayOpacity = [0.5]
        float[] primvars:heat = [1, 2, 3, 4] (
            interpolation = "vertex"
        )
        float4[] primvars:four = [(1, 2, 3, 4), (5, 6, 7, 8), (9, 9, 9, 9)] (
            interpolation = "uniform"
        )
        float3[] primvars:same = [(1, 2, 3)]
        def GeomSubset "Hidden" (
            apiSchemas = ["MaterialBindingAPI"]
        ) {
            uniform token familyName = "materialBind"
            int[] indices = [1]
            rel material:binding = </World/Painted>
        }
        def GeomSubset "Plain" (
            apiSchemas = ["MaterialBindingAPI"]
        ) {
            uniform token familyName = "materialBind"
            int[] indices = [2]
        }
    }
    def Sphere "Ball" {
        color3f[] primvars:displayColor = [(1, 0.5, 0.25)]
        double radius = 0.5
    }
    def PointInstancer "Crowd" {
        rel prototypes = </World/Crowd/Cube>
        int[] protoIndices = [0, 0]
        point3f[] positions = [(1, 0, 0), (2, 0, 0)]
        quath[] orientations = [(1, 0, 0, 0), (0, 1, 0, 0)]
        float3[] scales = [(1, 1, 1), (1, 2, 1)]
        int64[] ids = [5, 6]
        int64[] invisibleIds = [6]
        def Cube "Cube" {
        }
    }
}
)";

std::string numbers_of(const test::Json& accessor, const test::GlbParts& parts, std::size_t i) {
  if (accessor["componentType"] == 5126) {
    std::vector<float> values = parts.floats(i);
    for (float& value : values) value = test::plain(value);
    return fmt::format("{:.6g}", fmt::join(values, " "));
  }
  return fmt::format("{}", fmt::join(parts.integers(i), " "));
}

std::string text_of(const GltfSummary& s) {
  return fmt::format(
      "nodes {} meshes {} primitives {} vertices {} triangles {} targets {} skins {} joints {} "
      "clips {} channels {} keys {} materials {} images {} cameras {} bodies {} colliders {} "
      "physics joints {} instances {} added keys {}\n",
      s.nodes, s.meshes, s.primitives, s.vertices, s.triangles, s.morph_targets, s.skins, s.joints,
      s.clips, s.channels, s.keys, s.materials, s.images, s.cameras, s.bodies, s.colliders,
      s.physics_joints, s.instances, s.added_keys);
}

test::ToldScene tell(const std::string& scene) {
  stage::MemoryResolver resolver;
  resolver.add("picture.png", "\x89PNG\r\n\x1a\n");
  const stage::StagePtr stage = test::open_without_errors(resolver, scene);
  test::ToldScene told;
  if (stage == nullptr) return told;
  GlbOptions options;
  options.resolver = &resolver;
  options.primvars = {"heat", "four", "same", "nothing"};
  const test::Written written = test::write(*stage, options);
  EXPECT_EQ(written.error, "");
  told.is_usable = written.error.empty();
  if (!told.is_usable) return told;
  told.said = test::lines_of(written.diagnostics, "  ");
  told.result = text_of(written.file.summary);
  const test::Json places = written.json().flatten();
  for (const auto& [place, value] : places.items()) {
    const bool is_of_container = place.starts_with("/bufferViews") || place.starts_with("/buffers");
    if (is_of_container) continue;
    told.result += fmt::format("{} = {}\n", place, value.dump());
  }
  const test::Json accessors = written.json().value("accessors", test::Json::array());
  for (std::size_t i = 0; i < accessors.size(); ++i) {
    told.result += fmt::format("accessor {}: {}\n", i, numbers_of(accessors[i], written.parts, i));
  }
  return told;
}

TEST(RecordedGlbFile, IsTheSameLineByLine) {
  std::string all;
  for (const char* scene : {kLooks, geom::kEverything, skel::kEverything, physics::kEverything}) {
    const test::ToldScene told = tell(scene);
    ASSERT_TRUE(told.is_usable);
    all += told.said + told.result;
  }
  test::expect_recorded("everything.written_glb.txt", test::with_short_lines(all));
}

TEST(RecordedGlbFile, IsToldWhatIsWrongInEveryPlace) {
  std::string all;
  if (SINEW_TEST_SANITIZED != 0) {  // Where all of it takes minutes, a part, for the memory.
    for (const char* scene : {kLooks, geom::kEverything, skel::kEverything}) {
      all += test::told_of_each_damage(scene, {"7"}, tell);
    }
    EXPECT_GT(all.size(), 10000U);
    return;
  }
  for (const char* scene : {kLooks, geom::kEverything, skel::kEverything}) {
    all += test::told_of_each_damage(scene, {"", "-1", "7", "\"a\"", "</World/Nothing>", "None"},
                                     tell);
  }
  all += test::told_of_each_other_type(kLooks, tell);
  test::expect_recorded("faults.written_glb.txt", test::with_short_lines(all, 200));
}

}  // namespace
}  // namespace sinew::exporter::gltf_recorded_test
