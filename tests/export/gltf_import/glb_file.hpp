// SPDX-License-Identifier: Apache-2.0
// Makes .glb files by hand, and says by glTF's own formulas what they show.
#pragma once

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/bytes.hpp"
#include "sinew/core/types.hpp"

namespace sinew::test {

using GltfJson = nlohmann::ordered_json;

/// A file that is being made. Arrays go behind one another into one buffer.
struct GlbFile {
  GltfJson json = {{"asset", {{"version", "2.0"}}}};
  std::string bin;

  template <typename T>
  static std::string raw(const std::vector<T>& values) {
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
  }

  int add(const std::string& list, GltfJson item) {
    json[list].push_back(std::move(item));
    return static_cast<int>(json[list].size()) - 1;
  }
  int view(const std::string& bytes, int stride = 0) {
    while (bin.size() % 4 != 0) bin.push_back('\0');
    GltfJson item = {{"buffer", 0}, {"byteOffset", bin.size()}, {"byteLength", bytes.size()}};
    if (stride != 0) item["byteStride"] = stride;
    bin += bytes;
    return add("bufferViews", std::move(item));
  }
  template <typename T>
  static constexpr int component() {
    if constexpr (std::is_same_v<T, std::int8_t>) return 5120;
    if constexpr (std::is_same_v<T, std::uint8_t>) return 5121;
    if constexpr (std::is_same_v<T, std::int16_t>) return 5122;
    if constexpr (std::is_same_v<T, std::uint16_t>) return 5123;
    if constexpr (std::is_same_v<T, std::uint32_t>) return 5125;
    return 5126;
  }
  static int width_of(const std::string& type) {
    return type == "SCALAR" ? 1 : type == "VEC2" ? 2 : type == "VEC3" ? 3 : type == "MAT4" ? 16 : 4;
  }
  /// An accessor of tightly packed values.
  template <typename T>
  int accessor(const std::string& type, const std::vector<T>& values, bool normalized = false) {
    GltfJson item = {{"bufferView", view(raw(values))},
                     {"componentType", component<T>()},
                     {"count", values.size() / static_cast<std::size_t>(width_of(type))},
                     {"type", type}};
    if (normalized) item["normalized"] = true;
    return add("accessors", std::move(item));
  }
  int floats(const std::string& type, const std::vector<float>& values) {
    return accessor(type, values);
  }
  /// A node of the scene, unless it gets a parent.
  int node(GltfJson item) { return add("nodes", std::move(item)); }
  /// One scene of these nodes.
  void scene(std::vector<int> roots) { add("scenes", {{"nodes", std::move(roots)}}); }

  Bytes bytes() const {
    GltfJson document = json;
    std::string data = bin;
    while (data.size() % 4 != 0) data.push_back('\0');
    if (!data.empty() && !document.contains("buffers")) {
      document["buffers"] = GltfJson::array({{{"byteLength", data.size()}}});
    }
    std::string text = document.dump();
    while (text.size() % 4 != 0) text.push_back(' ');
    return Bytes(container(text, data));
  }
  static std::string container(const std::string& text, const std::string& data) {
    std::string out = "glTF";
    const auto word = [&](std::size_t value) {
      for (int i = 0; i < 4; ++i) out.push_back(static_cast<char>((value >> (8 * i)) & 0xFF));
    };
    word(2);
    word(12 + 8 + text.size() + (data.empty() ? 0 : 8 + data.size()));
    word(text.size());
    out += "JSON" + text;
    if (!data.empty()) {
      word(data.size());
      out += std::string("BIN\0", 4) + data;
    }
    return out;
  }
};

/// What a file shows: an evaluation of its own, in double precision, that shares nothing with the
/// library. Accessors are those that GlbFile::accessor() makes, or sparse ones over nothing.
class GltfJudge {
 public:
  explicit GltfJudge(const GlbFile& file) : file_(file), json_(file.json) {}

  std::vector<double> numbers(int index) const {
    const GltfJson& accessor = json_["accessors"][static_cast<std::size_t>(index)];
    const int width = GlbFile::width_of(accessor["type"]);
    const std::size_t count = accessor["count"].get<std::size_t>();
    std::vector<double> out(count * static_cast<std::size_t>(width));
    if (accessor.contains("bufferView")) {
      out = read(accessor["bufferView"], accessor["componentType"], out.size(), width,
                 accessor.value("normalized", false), accessor.value("byteOffset", 0U));
    }
    if (accessor.contains("sparse")) {
      const GltfJson& sparse = accessor["sparse"];
      const std::size_t moved = sparse["count"].get<std::size_t>();
      const auto where = read(sparse["indices"]["bufferView"], sparse["indices"]["componentType"],
                              moved, 1, false, sparse["indices"].value("byteOffset", 0U));
      const auto values = read(sparse["values"]["bufferView"], accessor["componentType"],
                               moved * static_cast<std::size_t>(width), width, false,
                               sparse["values"].value("byteOffset", 0U));
      for (std::size_t i = 0; i < moved; ++i) {
        for (std::size_t k = 0; k < static_cast<std::size_t>(width); ++k) {
          out[static_cast<std::size_t>(where[i]) * static_cast<std::size_t>(width) + k] =
              values[i * static_cast<std::size_t>(width) + k];
        }
      }
    }
    return out;
  }

  /// The node relative to the scene at `seconds` of an animation; negative: at rest.
  Eigen::Matrix4d world(int node, double seconds = -1.0, std::size_t animation = 0) const {
    Eigen::Matrix4d result = local(node, seconds, animation);
    for (int parent = parent_of(node); parent >= 0; parent = parent_of(parent)) {
      result = local(parent, seconds, animation) * result;
    }
    return result;
  }

  Eigen::Matrix4d local(int index, double seconds, std::size_t animation = 0) const {
    const GltfJson& node = json_["nodes"][static_cast<std::size_t>(index)];
    Eigen::Matrix4d result = Eigen::Matrix4d::Identity();
    if (node.contains("matrix")) {
      Eigen::Index i = 0;
      for (const GltfJson& number : node["matrix"]) {
        result(i % 4, i / 4) = number.get<double>();
        ++i;
      }
      return result;
    }
    const auto part = [&](const char* key, std::vector<double> fallback) {
      std::vector<double> value = fallback;
      if (node.contains(key)) value = node[key].get<std::vector<double>>();
      animated(index, key, seconds, animation, value);
      return value;
    };
    const auto t = part("translation", {0, 0, 0});
    const auto r = part("rotation", {0, 0, 0, 1});
    const auto s = part("scale", {1, 1, 1});
    result.topLeftCorner<3, 3>() =
        Eigen::Quaterniond(r[3], r[0], r[1], r[2]).normalized().toRotationMatrix() *
        Eigen::Vector3d(s[0], s[1], s[2]).asDiagonal();
    result.topRightCorner<3, 1>() = Eigen::Vector3d(t[0], t[1], t[2]);
    return result;
  }

  /// Points of the first primitive of a node's mesh, where the scene shows them.
  std::vector<Eigen::Vector3d> points(int node_index, double seconds = -1.0,
                                      std::size_t animation = 0) const {
    const GltfJson& node = json_["nodes"][static_cast<std::size_t>(node_index)];
    const GltfJson& mesh = json_["meshes"][node["mesh"].get<std::size_t>()];
    const GltfJson& primitive = mesh["primitives"][0];
    std::vector<double> all = numbers(primitive["attributes"]["POSITION"]);
    if (primitive.contains("targets")) {
      std::vector<double> weights(primitive["targets"].size());
      if (mesh.contains("weights")) weights = mesh["weights"].get<std::vector<double>>();
      if (node.contains("weights")) weights = node["weights"].get<std::vector<double>>();
      animated(node_index, "weights", seconds, animation, weights);
      for (std::size_t i = 0; i < weights.size(); ++i) {
        if (!primitive["targets"][i].contains("POSITION")) continue;
        const auto offsets = numbers(primitive["targets"][i]["POSITION"]);
        for (std::size_t k = 0; k < all.size(); ++k) all[k] += weights[i] * offsets[k];
      }
    }
    std::vector<Eigen::Matrix4d> palette;
    if (node.contains("skin")) {
      const GltfJson& skin = json_["skins"][node["skin"].get<std::size_t>()];
      std::vector<double> binds;
      if (skin.contains("inverseBindMatrices")) binds = numbers(skin["inverseBindMatrices"]);
      for (std::size_t j = 0; j < skin["joints"].size(); ++j) {
        Eigen::Matrix4d bind = Eigen::Matrix4d::Identity();
        for (int i = 0; i < 16 && !binds.empty(); ++i) {
          bind(i % 4, i / 4) = binds[16 * j + static_cast<std::size_t>(i)];
        }
        palette.push_back(world(skin["joints"][j], seconds, animation) * bind);
      }
    }
    const Eigen::Matrix4d place = world(node_index, seconds, animation);
    std::vector<Eigen::Vector3d> result;
    for (std::size_t i = 0; i < all.size() / 3; ++i) {
      const Eigen::Vector4d point(all[3 * i], all[3 * i + 1], all[3 * i + 2], 1.0);
      Eigen::Matrix4d matrix = place;
      if (!palette.empty()) {
        matrix.setZero();
        for (int set = 0; primitive["attributes"].contains("JOINTS_" + std::to_string(set));
             ++set) {
          const auto joints = numbers(primitive["attributes"]["JOINTS_" + std::to_string(set)]);
          const auto weights = numbers(primitive["attributes"]["WEIGHTS_" + std::to_string(set)]);
          for (std::size_t k = 0; k < 4; ++k) {
            matrix += weights[4 * i + k] * palette[static_cast<std::size_t>(joints[4 * i + k])];
          }
        }
      }
      result.push_back((matrix * point).head<3>());
    }
    return result;
  }

 private:
  std::vector<double> read(std::size_t view_index, int component, std::size_t count, int width,
                           bool normalized, std::size_t offset) const {
    const GltfJson& view = json_["bufferViews"][view_index];
    const std::size_t size = component <= 5121 ? 1 : component <= 5123 ? 2 : 4;
    const std::size_t stride = view.value("byteStride", size * static_cast<std::size_t>(width));
    const char* bytes = file_.bin.data() + view.value("byteOffset", std::size_t{0}) + offset;
    std::vector<double> out(count);
    for (std::size_t i = 0; i < count; ++i) {
      const char* at = bytes + i / static_cast<std::size_t>(width) * stride +
                       i % static_cast<std::size_t>(width) * size;
      const auto load = [&](auto value) {
        std::memcpy(&value, at, sizeof value);
        double number = static_cast<double>(value);
        if constexpr (std::is_integral_v<decltype(value)>) {
          const double most = std::numeric_limits<decltype(value)>::max();
          if (normalized) number = std::max(number / most, -1.0);
        }
        return number;
      };
      switch (component) {
        case 5120:
          out[i] = load(std::int8_t());
          break;
        case 5121:
          out[i] = load(std::uint8_t());
          break;
        case 5122:
          out[i] = load(std::int16_t());
          break;
        case 5123:
          out[i] = load(std::uint16_t());
          break;
        case 5125:
          out[i] = load(std::uint32_t());
          break;
        default:
          out[i] = load(float());
      }
    }
    return out;
  }

  int parent_of(int node) const {
    const GltfJson& nodes = json_["nodes"];
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      for (const GltfJson& child : nodes[i].value("children", GltfJson::array())) {
        if (child == node) return static_cast<int>(i);
      }
    }
    return -1;
  }

  // What a channel of the animation says of that part of a node, if there is one.
  void animated(int node, const std::string& path, double seconds, std::size_t animation,
                std::vector<double>& value) const {
    if (seconds < 0.0 || !json_.contains("animations")) return;
    const GltfJson& from = json_["animations"][animation];
    for (const GltfJson& channel : from["channels"]) {
      if (channel["target"]["node"] != node || channel["target"]["path"] != path) continue;
      const GltfJson& sampler = from["samplers"][channel["sampler"].get<std::size_t>()];
      value = sample(sampler, seconds, value.size(), path == "rotation");
    }
  }

  std::vector<double> sample(const GltfJson& sampler, double seconds, std::size_t width,
                             bool is_rotation) const {
    const auto times = numbers(sampler["input"]);
    const auto values = numbers(sampler["output"]);
    const std::string how = sampler.value("interpolation", "LINEAR");
    const bool is_cubic = how == "CUBICSPLINE";
    const auto key = [&](std::size_t i, std::size_t part) {
      const std::size_t row = is_cubic ? 3 * i + part : i;
      const auto from = values.begin() + static_cast<std::ptrdiff_t>(row * width);
      return std::vector<double>(from, from + static_cast<std::ptrdiff_t>(width));
    };
    std::size_t i = 0;
    while (i + 1 < times.size() && times[i + 1] <= seconds) ++i;
    if (seconds <= times.front() || i + 1 == times.size()) return key(i, 1);
    if (how == "STEP") return key(i, 1);
    const double length = times[i + 1] - times[i];
    const double u = (seconds - times[i]) / length;
    auto a = key(i, 1);
    const auto b = key(i + 1, 1);
    if (is_cubic) {
      const auto out_tangent = key(i, 2);
      const auto in_tangent = key(i + 1, 0);
      for (std::size_t k = 0; k < width; ++k) {
        a[k] = (2 * u * u * u - 3 * u * u + 1) * a[k] +
               length * (u * u * u - 2 * u * u + u) * out_tangent[k] +
               (-2 * u * u * u + 3 * u * u) * b[k] + length * (u * u * u - u * u) * in_tangent[k];
      }
      return a;
    }
    if (is_rotation) {
      const Eigen::Quaterniond from(a[3], a[0], a[1], a[2]);
      const Eigen::Quaterniond to(b[3], b[0], b[1], b[2]);
      const Eigen::Quaterniond between = from.normalized().slerp(u, to.normalized());
      return {between.x(), between.y(), between.z(), between.w()};
    }
    for (std::size_t k = 0; k < width; ++k) a[k] += (b[k] - a[k]) * u;
    return a;
  }

  const GlbFile& file_;
  const GltfJson& json_;
};

inline const std::vector<float> kSquare = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};

/// A node with a mesh of two triangles.
inline int add_square(GlbFile& file, GltfJson primitive = {}, GltfJson node = {}) {
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

}  // namespace sinew::test
