// SPDX-License-Identifier: Apache-2.0
// Random skeletons with random animations, as text.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace sinew::skel {

/// One skeleton below /R, its animation at /R/A, and a mesh that follows it.
class RandomAnimation {
 public:
  explicit RandomAnimation(std::uint32_t seed) : engine_(seed) {
    const std::size_t count = 1 + pick(40);
    for (std::size_t j = 0; j < count; ++j) {
      const std::string name = fmt::format("j{}", j);
      // Chains mostly, and roots and branches now and then.
      const bool is_root = j == 0 || pick(12) == 0;
      const std::size_t parent = pick(4) == 0 ? pick(j) : j - 1;
      joints.push_back(is_root ? name : joints[parent] + "/" + name);
    }
    animated = joints;
    if (pick(2) == 0) std::shuffle(animated.begin(), animated.end(), engine_);
    if (pick(3) == 0) animated.resize(1 + pick(animated.size()));
    for (std::size_t i = 0; i < 1 + pick(8); ++i) times.push_back(time());
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
  }

  std::string text() {
    std::string result =
        "#usda 1.0\ndef SkelRoot \"R\" (prepend apiSchemas = "
        "[\"SkelBindingAPI\"])\n{\n";
    result += "  rel skel:skeleton = </R/S>\n  rel skel:animationSource = </R/A>\n";
    result += "  def Skeleton \"S\" (prepend apiSchemas = [\"SkelBindingAPI\"])\n  {\n";
    result += fmt::format("    uniform token[] joints = [{}]\n", tokens(joints));
    result += fmt::format("    uniform matrix4d[] bindTransforms = [{}]\n", matrices());
    result += fmt::format("    uniform matrix4d[] restTransforms = [{}]\n  }}\n", matrices());
    result += "  def SkelAnimation \"A\"\n  {\n";
    result += fmt::format("    uniform token[] joints = [{}]\n", tokens(animated));
    result += "    uniform token[] blendShapes = [\"x\", \"y\", \"z\"]\n";
    const std::size_t n = animated.size();
    result += attribute("float3[] translations", n, true, [&] { return vector(1.0); });
    result += attribute("quatf[] rotations", n, true, [&] { return quaternion(); });
    const bool constant = pick(3) == 0;
    result += attribute("half3[] scales", n, true,
                        [&] { return constant ? std::string("(1, 1, 1)") : vector(0.3, 1.0); });
    result += attribute("float[] blendShapeWeights", 3, false,
                        [&] { return fmt::format("{:.7g}", real(-1, 1)); });
    return result + "  }\n  def Mesh \"M\"\n  {\n    point3f[] points = []\n  }\n}\n";
  }

  std::size_t pick(std::size_t count) { return engine_() % std::max<std::size_t>(count, 1); }
  double real(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_()) * 0x1p-32;
  }
  double time() { return static_cast<double>(pick(80)) / 4.0 + (pick(3) == 0 ? 0.1 : 0.0); }

  std::vector<std::string> joints;
  std::vector<std::string> animated;
  std::vector<double> times;  ///< That most attributes are sampled at.
  bool rests = false;         ///< The animation cannot be used at some times.

 private:
  static std::string tokens(const std::vector<std::string>& names) {
    std::string result;
    for (const std::string& name : names) result += "\"" + name + "\", ";
    return result;
  }

  std::string vector(double size, double middle = 0.0) {
    const auto number = [&] { return middle + real(-size, size); };
    return fmt::format("({:.7g}, {:.7g}, {:.7g})", number(), number(), number());
  }

  std::string quaternion() {
    double v[4], square = 0.0;
    for (double& x : v) {
      x = real(-1, 1);
      square += x * x;
    }
    const double length = std::sqrt(square);
    return fmt::format("({:.9g}, {:.9g}, {:.9g}, {:.9g})", v[0] / length, v[1] / length,
                       v[2] / length, v[3] / length);
  }

  // A turn about an axis, scaled along the axes of the joint, row by row.
  std::string matrices() {
    std::string result;
    for (std::size_t j = 0; j < joints.size(); ++j) {
      const double angle = real(-3, 3), c = std::cos(angle), s = std::sin(angle);
      const double x = real(0.7, 1.3), y = pick(5) == 0 ? -1.0 : real(0.7, 1.3), z = 1.0;
      const double rotation[3][3] = {{c * x, s * x, 0}, {-s * y, c * y, 0}, {0, 0, z}};
      const std::size_t turn = pick(3);
      result += "(";
      for (std::size_t row = 0; row < 3; ++row) {
        result += "(";
        for (std::size_t column = 0; column < 3; ++column) {
          result += fmt::format("{:.17g}, ", rotation[(row + turn) % 3][(column + turn) % 3]);
        }
        result += "0), ";
      }
      result += fmt::format("({:.17g}, {:.17g}, {:.17g}, 1)), ", real(-1, 1), real(-1, 1), 0.5);
    }
    return result;
  }

  std::string array(std::size_t count, const std::function<std::string()>& element) {
    std::string result = "[";
    for (std::size_t i = 0; i < count; ++i) result += element() + ", ";
    return result + "]";
  }

  // A default, or samples, some of them blocked or of another length.
  std::string attribute(const std::string& declaration, std::size_t count, bool is_component,
                        const std::function<std::string()>& element) {
    if (pick(5) == 0) {
      return fmt::format("    {} = {}\n", declaration, array(count, element));
    }
    std::vector<double> own = times;
    if (pick(3) == 0) {
      own.clear();
      for (std::size_t i = 0; i < 1 + pick(8); ++i) own.push_back(time());
      std::sort(own.begin(), own.end());
      own.erase(std::unique(own.begin(), own.end()), own.end());
    }
    const bool broken = pick(4) == 0;
    std::string result = fmt::format("    {}.timeSamples = {{\n", declaration);
    for (const double t : own) {
      const std::size_t kind = broken ? pick(6) : 6;
      rests = rests || (is_component && kind < 2);
      result += fmt::format("      {}: {},\n", t,
                            kind == 0   ? std::string("None")
                            : kind == 1 ? array(count + 1, element)
                                        : array(count, element));
    }
    return result + "    }\n";
  }

  std::mt19937 engine_;
};

}  // namespace sinew::skel
