// SPDX-License-Identifier: Apache-2.0
// Meshes of any size, for what is measured of exports.
#pragma once

#include <cmath>
#include <iterator>
#include <string>

#include <fmt/format.h>

namespace sinew::test {

/// Whether texture coordinates belong to points or to the corners of faces.
enum class Corners { shared, split };

/// Text of `count` meshes of size * size quads, with normals per point.
inline std::string sheets(int count, int size, Corners corners) {
  std::string text = "#usda 1.0\n(metersPerUnit = 1)\n";
  const auto out = std::back_inserter(text);
  for (int m = 0; m < count; ++m) {
    fmt::format_to(out, "def Mesh \"M{}\" {{\nuniform token subdivisionScheme = \"none\"\n", m);
    std::string points, normals, counts, indices, uvs;
    for (int y = 0; y <= size; ++y) {
      for (int x = 0; x <= size; ++x) {
        fmt::format_to(std::back_inserter(points), "({},{},{}),", x, y, m + std::sin(0.1 * x * y));
        fmt::format_to(std::back_inserter(normals), "(0,{},1),", 0.01 * (x % 7));
        if (corners == Corners::shared) {
          fmt::format_to(std::back_inserter(uvs), "({},{}),", 0.01 * x, 0.01 * (y + m));
        }
        if (x == size || y == size) continue;
        const int p = y * (size + 1) + x;
        counts += "4,";
        fmt::format_to(std::back_inserter(indices), "{},{},{},{},", p, p + 1, p + size + 2,
                       p + size + 1);
        for (int i = 0; i < 4 && corners == Corners::split; ++i) {
          fmt::format_to(std::back_inserter(uvs), "({},{}),", 0.01 * (x + i % 2),
                         0.01 * (y + m + i / 2));
        }
      }
    }
    fmt::format_to(
        out,
        "point3f[] points = [{}]\nnormal3f[] normals = [{}] (interpolation = \"vertex\")\n"
        "int[] faceVertexCounts = [{}]\nint[] faceVertexIndices = [{}]\n"
        "texCoord2f[] primvars:st = [{}] (interpolation = \"{}\")\n}}\n",
        points, normals, counts, indices, uvs,
        corners == Corners::shared ? "vertex" : "faceVarying");
  }
  return text;
}

}  // namespace sinew::test
