// SPDX-License-Identifier: Apache-2.0
#pragma once

// Small stages, written as .glb and taken apart again.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "export/gltf/glb_checker.hpp"
#include "sinew/export/glb.hpp"
#include "sinew/stage/asset_resolver.hpp"
#include "sinew/stage/stage.hpp"

namespace sinew::test {

using Json = nlohmann::json;

/// A stage written as .glb and taken apart again.
struct Written {
  exporter::GltfFile file;
  GlbParts parts;
  Diagnostics diagnostics;
  std::string error;
  ErrorCode code = ErrorCode::ok;

  const Json& json() const { return parts.json; }
  bool says(const std::string& what) const {
    return std::any_of(diagnostics.begin(), diagnostics.end(),
                       [&](const Diagnostic& d) { return d.code == what; });
  }
  /// All that was told, a line each.
  std::string told() const {
    std::string lines;
    for (const Diagnostic& d : diagnostics) {
      lines += std::string(to_string(d.severity)) + ' ' + d.code + ' ' + d.path + ": " + d.message +
               '\n';
    }
    return lines;
  }
};

inline Written write(const stage::Stage& stage, const exporter::GlbOptions& options = {}) {
  Written written;
  Result<exporter::GltfFile> file = exporter::write_glb(stage, options, written.diagnostics);
  if (!file) {
    written.error = file.error().message;
    written.code = file.error().code;
    return written;
  }
  written.file = *std::move(file);
  written.error = check_glb(written.file.bytes);
  std::string problem;
  written.parts = open_glb(written.file.bytes, problem);
  return written;
}

inline constexpr const char* kHead = "#usda 1.0\n(metersPerUnit = 1\nupAxis = \"Y\")\n";

/// The text with line breaks around closing braces, as the grammar wants them.
inline std::string with_breaks(const std::string& text) {
  std::string result;
  for (const char c : text) result += c == '}' ? std::string("\n}\n") : std::string(1, c);
  return result;
}

/// @param files  Names and contents of the textures that there are.
inline Written write_text(const std::string& text, exporter::GlbOptions options = {},
                          const std::vector<std::pair<std::string, std::string>>& files = {}) {
  stage::MemoryResolver resolver;
  resolver.add("a.usda", with_breaks(text));
  for (const auto& [name, content] : files) resolver.add(name, content);
  if (!files.empty()) options.resolver = &resolver;
  stage::OpenOptions open;
  open.resolver = &resolver;
  Diagnostics diagnostics;
  const auto stage = stage::Stage::open("a.usda", diagnostics, open);
  if (!stage) {
    Written failed;
    failed.error = stage.error().message;
    return failed;
  }
  return write(**stage, options);
}

inline std::string quad(const std::string& more = "") {
  return "def Mesh \"M\" { uniform token subdivisionScheme = \"none\"\n"
         "point3f[] points = [(0,0,0), (1,0,0), (1,1,0), (0,1,0)]\n"
         "int[] faceVertexCounts = [4]\nint[] faceVertexIndices = [0,1,2,3]\n" +
         more + "}\n";
}

/// A skeleton of two joints along x and a quad that follows them.
inline std::string skinned(const std::string& binding, const std::string& animation = "",
                           const std::string& skeleton = "") {
  const std::string identity = "((1,0,0,0),(0,1,0,0),(0,0,1,0),(0,0,0,1))";
  const std::string moved = "((1,0,0,0),(0,1,0,0),(0,0,1,0),(1,0,0,1))";
  return "def SkelRoot \"R\" (prepend apiSchemas = [\"SkelBindingAPI\"]) {\n"
         "rel skel:skeleton = </R/S>\n"
         "def Skeleton \"S\" (prepend apiSchemas = [\"SkelBindingAPI\"]) {\n"
         "rel skel:animationSource = </R/A>\n"
         "uniform token[] joints = [\"a\", \"a/b\"]\n"
         "uniform matrix4d[] restTransforms = [" +
         identity + "," + moved + "]\n" +
         (skeleton.empty()
              ? "uniform matrix4d[] bindTransforms = [" + identity + "," + moved + "]\n"
              : skeleton) +
         "}\n def SkelAnimation \"A\" {" + animation +
         "}\n"
         "def Mesh \"M\" (prepend apiSchemas = [\"SkelBindingAPI\"]) {\n"
         "uniform token subdivisionScheme = \"none\"\n"
         "point3f[] points = [(0,0,0), (1,0,0), (1,1,0), (0,1,0)]\n"
         "int[] faceVertexCounts = [4]\nint[] faceVertexIndices = [0,1,2,3]\n" +
         binding + "}}\n";
}

/// A quad of a material with these lines in its surface, and an image in `a.png`.
inline std::string surface(
    const std::string& lines, const std::string& image = "",
    const std::string& mesh =
        "texCoord2f[] primvars:st = [(0,0),(1,0),(1,1),(0,1)] (interpolation = "
        "\"vertex\")\n") {
  return "def Material \"T\" { token outputs:surface.connect = </T/S.outputs:surface>\n"
         "def Shader \"S\" { uniform token info:id = \"UsdPreviewSurface\"\n" +
         lines +
         "token outputs:surface }\n"
         "def Shader \"I\" { uniform token info:id = \"UsdUVTexture\"\n" +
         (image.empty() ? "asset inputs:file = @a.png@\n" : image) +
         "float3 outputs:rgb\nfloat outputs:a\nfloat outputs:r }\n"
         "def Shader \"N\" { uniform token info:id = \"Noise\"\nfloat3 outputs:rgb }\n}\n" +
         quad(mesh + "rel material:binding = </T>\n");
}

inline const std::string kDiffuse = "color3f inputs:diffuseColor.connect = </T/I.outputs:rgb>\n";

inline const std::string kTwoInfluences =
    "int[] primvars:skel:jointIndices = [0,1, 0,1, 1,0, 0,0] (elementSize = 2\n"
    "interpolation = \"vertex\")\n"
    "float[] primvars:skel:jointWeights = [0.5,0.5, 1,0, 1,0, 0.25,0.75] (elementSize = 2\n"
    "interpolation = \"vertex\")\n";

}  // namespace sinew::test
