// SPDX-License-Identifier: Apache-2.0
// A character of 100 joints and 50,000 points as a file, for the benchmark of whole frames.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/skin_mesh.hpp"

namespace sinew::bench {

/// Writes the character: a body of 40,000 points with eight blend shapes, and ten pieces of
/// clothing of 1,000 points each, all with normals; 60 samples of animation.
class FrameScene {
 public:
  static constexpr std::size_t kJoints = SkinMesh::kJoints;
  static constexpr std::size_t kSamples = 60;
  static constexpr std::size_t kShapes = 8;
  static constexpr std::size_t kOffsets = 2000;

  static std::string text() { return FrameScene().write(); }

 private:
  std::string write() {
    text_ =
        "#usda 1.0\n(\n  startTimeCode = 0\n  endTimeCode = 59\n)\ndef SkelRoot \"Root\" (prepend "
        "apiSchemas = [\"SkelBindingAPI\"]) {\n  rel skel:skeleton = </Root/Skel>\n  rel "
        "skel:animationSource = </Root/Anim>\n";
    add_skeleton();
    add_animation();
    add_mesh("Body", 40'000, true);
    for (int i = 0; i < 10; ++i) add_mesh(fmt::format("Cloth{}", i), 1'000, false);
    text_ += "}\n";
    return std::move(text_);
  }

  template <typename Element>
  void add_list(const std::string& name, std::size_t count, const Element& element,
                const char* fields = "") {
    text_ += "    " + name + " = [";
    for (std::size_t i = 0; i < count; ++i) {
      if (i > 0) text_ += ", ";
      text_ += element(i);
    }
    text_ += std::string("]") + fields + "\n";
  }

  static std::string triple(const Vector3f& v) {
    return fmt::format("({}, {}, {})", v.x(), v.y(), v.z());
  }

  // Limbs of twelve joints each, as most characters have them.
  void add_skeleton() {
    std::vector<std::string> paths;
    for (std::size_t j = 0; j < kJoints; ++j) {
      const std::size_t parent = j % 12 == 0 ? j / 24 : j - 1;
      paths.push_back((j == 0 ? "" : paths[parent] + "/") + fmt::format("J{}", j));
    }
    const auto path = [&](std::size_t j) { return "\"" + paths[j] + "\""; };
    const auto at = [](double y) {
      return fmt::format("((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, {}, 0, 1))", y);
    };
    text_ += "  def Skeleton \"Skel\" {\n";
    add_list("uniform token[] joints", kJoints, path);
    add_list("uniform matrix4d[] bindTransforms", kJoints,
             [&](std::size_t j) { return at(0.01 * static_cast<double>(j)); });
    add_list("uniform matrix4d[] restTransforms", kJoints, [&](std::size_t) { return at(0.1); });
    text_ += "  }\n";
    joints_ = std::move(paths);
  }

  template <typename Element>
  void add_samples(const std::string& name, std::size_t count, const Element& element) {
    text_ += "    " + name + ".timeSamples = {\n";
    for (std::size_t s = 0; s < kSamples; ++s) {
      add_list(fmt::format("{}:", s), count, [&](std::size_t i) { return element(s, i); });
      text_.replace(text_.rfind(": = ["), 5, ": [");
      text_.back() = ',';
      text_ += "\n";
    }
    text_ += "    }\n";
  }

  void add_animation() {
    text_ += "  def SkelAnimation \"Anim\" {\n";
    add_list("uniform token[] joints", kJoints,
             [&](std::size_t j) { return "\"" + joints_[j] + "\""; });
    add_samples("float3[] translations", kJoints,
                [](std::size_t, std::size_t) { return std::string("(0, 0.1, 0)"); });
    add_samples("quatf[] rotations", kJoints, [](std::size_t s, std::size_t j) {
      const double angle = 0.2 * std::sin(0.1 * static_cast<double>(s + j));
      return fmt::format("({}, {}, 0, 0)", std::cos(angle), std::sin(angle));
    });
    add_list("half3[] scales", kJoints, [](std::size_t) { return std::string("(1, 1, 1)"); });
    add_list("uniform token[] blendShapes", kShapes,
             [](std::size_t i) { return fmt::format("\"S{}\"", i); });
    add_samples("float[] blendShapeWeights", kShapes, [](std::size_t s, std::size_t i) {
      return fmt::format("{}", 0.5 + 0.5 * std::sin(0.2 * static_cast<double>(s * (i + 1))));
    });
    text_ += "  }\n";
  }

  void add_mesh(const std::string& name, std::size_t points, bool shapes) {
    const SkinMesh mesh(points, 4, Weights::real);
    const char* per_point = " (interpolation = \"vertex\")";
    const char* influences = " (elementSize = 4; interpolation = \"vertex\")";
    text_ += "  def Mesh \"" + name + "\" (prepend apiSchemas = [\"SkelBindingAPI\"]) {\n";
    add_list("point3f[] points", points, [&](std::size_t i) { return triple(mesh.points[i]); });
    add_list(
        "normal3f[] normals", points, [&](std::size_t i) { return triple(mesh.normals[i]); },
        per_point);
    add_list(
        "int[] primvars:skel:jointIndices", 4 * points,
        [&](std::size_t i) { return std::to_string(mesh.indices[i]); }, influences);
    add_list(
        "float[] primvars:skel:jointWeights", 4 * points,
        [&](std::size_t i) { return fmt::format("{}", mesh.weights[i]); }, influences);
    if (shapes) add_shapes(name, points);
    text_ += "  }\n";
  }

  void add_shapes(const std::string& mesh, std::size_t points) {
    add_list("uniform token[] skel:blendShapes", kShapes,
             [](std::size_t i) { return fmt::format("\"S{}\"", i); });
    add_list("rel skel:blendShapeTargets", kShapes,
             [&](std::size_t i) { return fmt::format("</Root/{}/S{}>", mesh, i); });
    for (std::size_t s = 0; s < kShapes; ++s) {
      text_ += fmt::format("    def BlendShape \"S{}\" {{\n", s);
      const std::size_t first = s * (points - kOffsets) / kShapes;
      add_list("uniform int[] pointIndices", kOffsets,
               [&](std::size_t i) { return std::to_string(first + i); });
      add_list("uniform vector3f[] offsets", kOffsets,
               [](std::size_t) { return std::string("(0.01, -0.02, 0.005)"); });
      text_ += "    }\n";
    }
  }

  std::string text_;
  std::vector<std::string> joints_;
};

}  // namespace sinew::bench
