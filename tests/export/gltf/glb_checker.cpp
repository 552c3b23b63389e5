// SPDX-License-Identifier: Apache-2.0
#include "export/gltf/glb_checker.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>

namespace sinew::test {

namespace {

using Json = nlohmann::json;

std::size_t component_bytes(int type) {
  return type == 5121 ? 1 : type == 5123 ? 2 : 4;
}

std::size_t width_of(const std::string& type) {
  static const std::map<std::string, std::size_t> widths = {
      {"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};
  return widths.at(type);
}

std::uint32_t word(const Buffer& file, std::size_t at) {
  std::uint32_t value = 0;
  std::memcpy(&value, file.data() + at, 4);
  return value;
}

// Whether the axes of a node are at right angles to each other.
bool has_factors(const Json& matrix) {
  for (std::size_t a = 0; a < 3; ++a) {
    const std::size_t b = (a + 1) % 3;
    double dot = 0.0, first = 0.0, second = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
      const double x = matrix[4 * a + i].get<double>(), y = matrix[4 * b + i].get<double>();
      dot += x * y;
      first += x * x;
      second += y * y;
    }
    if (std::abs(dot) > 1e-4 * std::sqrt(first * second)) return false;
  }
  return true;
}

class Checker {
 public:
  Checker(const GlbParts& parts, std::string& problem)
      : p_(parts), j_(parts.json), problem_(problem) {}

  void run() {
    require(j_["asset"]["version"] == "2.0", "asset.version");
    require(count("buffers") <= 1, "more than one buffer");
    check_views();
    check_accessors();
    check_meshes();
    check_nodes();
    check_skins();
    check_animations();
    check_extensions();
    for (const char* list : {"nodes", "meshes", "skins", "accessors", "bufferViews", "animations",
                             "materials", "images", "textures", "samplers", "cameras"}) {
      require(!j_.contains(list) || !j_[list].empty(), std::string("empty list ") + list);
    }
  }

 private:
  void require(bool claim, const std::string& sentence) {
    if (!claim && problem_.empty()) problem_ = sentence;
  }
  std::size_t count(const char* list) const { return j_.contains(list) ? j_[list].size() : 0; }
  void index(const Json& object, const char* key, const char* list) {
    if (object.contains(key)) {
      require(object[key].is_number_unsigned() && object[key].get<std::size_t>() < count(list),
              std::string(key) + " names none of " + list);
    }
  }

  void check_views() {
    std::size_t end = 0;
    std::vector<std::pair<std::size_t, int>> order;
    for (std::size_t i = 0; i < count("bufferViews"); ++i) {
      const Json& view = j_["bufferViews"][i];
      const std::size_t offset = view["byteOffset"], size = view["byteLength"];
      require(size > 0 && offset % 4 == 0 && offset + size <= p_.binary.size(),
              "a view is outside");
      end = std::max(end, offset + size);
      const int target = view.value("target", 0);
      require(target == 0 || target == 34962 || target == 34963, "the target of a view");
      order.emplace_back(offset, target == 34963 ? 0 : target == 34962 ? 1 : 2);
    }
    std::sort(order.begin(), order.end());
    for (std::size_t i = 1; i < order.size(); ++i) {
      require(order[i - 1].second <= order[i].second, "views are not grouped by use");
    }
    if (count("buffers") == 1) {
      const std::size_t length = j_["buffers"][0]["byteLength"];
      require(length == p_.binary.size() && length - end < 4, "the length of the buffer");
    } else {
      require(p_.binary.empty(), "a binary chunk without a buffer");
    }
  }

  void check_accessors() {
    std::set<std::string> seen;
    std::set<std::size_t> views;  // Of vertices; two accessors of one would need a stride.
    for (std::size_t i = 0; i < count("accessors"); ++i) {
      const Json& accessor = j_["accessors"][i];
      require(seen.insert(accessor.dump()).second, "an accessor stands twice");
      index(accessor, "bufferView", "bufferViews");
      if (!problem_.empty()) return;
      const std::size_t n = accessor["count"], width = width_of(accessor["type"]);
      require(n > 0, "an empty accessor");
      if (accessor.contains("bufferView")) {
        const Json& view = j_["bufferViews"][accessor["bufferView"].get<std::size_t>()];
        require(!view.contains("byteStride"), "interleaved");
        require(view.value("target", 0) != 34962 ||
                    views.insert(accessor["bufferView"].get<std::size_t>()).second,
                "two accessors of vertices in one view");
        require(view["byteLength"] == n * width * component_bytes(accessor["componentType"]),
                "the length of a view is not that of its accessor");
      }
      if (accessor["componentType"] != 5126) continue;
      const std::vector<float> values = p_.floats(i);
      require(std::all_of(values.begin(), values.end(), [](float v) { return std::isfinite(v); }),
              "a float that is not finite");
      if (!accessor.contains("min")) continue;
      for (std::size_t c = 0; c < width; ++c) {
        float low = values[c], high = values[c];
        for (std::size_t k = c; k < values.size(); k += width) {
          low = std::min(low, values[k]);
          high = std::max(high, values[k]);
        }
        require(accessor["min"][c].get<float>() == low && accessor["max"][c].get<float>() == high,
                "min and max are not those of the array");
      }
    }
  }

  void check_meshes() {
    for (std::size_t m = 0; m < count("meshes"); ++m) {
      const Json& mesh = j_["meshes"][m];
      std::size_t targets = mesh["primitives"][0].value("targets", Json::array()).size();
      for (const Json& primitive : mesh["primitives"]) {
        index(primitive, "material", "materials");
        index(primitive, "indices", "accessors");
        for (const auto& [name, accessor] : primitive["attributes"].items()) {
          require(accessor < count("accessors"), "an attribute names no accessor");
        }
        if (!problem_.empty()) return;
        const auto& position =
            j_["accessors"][primitive["attributes"]["POSITION"].get<std::size_t>()];
        const std::size_t vertices = position["count"];
        require(position.contains("min"), "POSITION without min");
        for (const auto& [name, accessor] : primitive["attributes"].items()) {
          require(j_["accessors"][accessor.get<std::size_t>()]["count"] == vertices,
                  name + " has another count than POSITION");
        }
        const std::size_t indices = primitive["indices"];
        require((j_["accessors"][indices]["componentType"] == 5123) == (vertices <= 65535),
                "the type of indices");
        for (const std::uint32_t v : p_.integers(indices)) require(v < vertices, "a vertex");
        require(primitive.value("targets", Json::array()).size() == targets, "targets differ");
        if (!primitive.contains("targets")) continue;
        for (const Json& target : primitive["targets"]) {
          require(j_["accessors"][target["POSITION"].get<std::size_t>()]["count"] == vertices,
                  "a target has another count");
        }
        check_weights(primitive["attributes"]);
      }
      require(mesh.value("weights", Json::array()).size() == targets, "weights for targets");
    }
  }

  void check_weights(const Json& attributes) {
    if (!attributes.contains("WEIGHTS_0")) return;
    std::vector<double> sums;
    for (int set = 0; attributes.contains("WEIGHTS_" + std::to_string(set)); ++set) {
      const auto weights =
          p_.floats(attributes["WEIGHTS_" + std::to_string(set)].get<std::size_t>());
      const auto joints =
          p_.integers(attributes["JOINTS_" + std::to_string(set)].get<std::size_t>());
      sums.resize(weights.size() / 4);
      for (std::size_t i = 0; i < weights.size(); ++i) {
        require(weights[i] > 0.0F || joints[i] == 0, "an unused place names a joint");
        sums[i / 4] += static_cast<double>(weights[i]);
      }
    }
    for (const double sum : sums)
      require(std::abs(sum - 1.0) < 2e-7, "weights that do not sum to 1");
  }

  void check_nodes() {
    std::vector<int> parents(count("nodes"), 0);
    for (std::size_t n = 0; n < count("nodes"); ++n) {
      const Json& node = j_["nodes"][n];
      index(node, "mesh", "meshes");
      index(node, "skin", "skins");
      index(node, "camera", "cameras");
      for (const Json& child : node.value("children", Json::array())) {
        require(child < count("nodes"), "a child");
        if (problem_.empty()) ++parents[child.get<std::size_t>()];
      }
      if (node.contains("rotation")) {
        double length = 0.0;
        for (const Json& c : node["rotation"]) {
          require(std::abs(c.get<double>()) <= 1.0, "a rotation beyond 1");
          length += c.get<double>() * c.get<double>();
        }
        require(std::abs(length - 1.0) < 1e-5, "a rotation that is no unit quaternion");
      }
      require(!node.contains("matrix") || !node.contains("translation"), "matrix and translation");
      if (node.contains("matrix")) require(has_factors(node["matrix"]), "a matrix that shears");
      if (node.contains("skin")) {
        require(!node.contains("translation") && !node.contains("rotation") &&
                    !node.contains("scale") && !node.contains("matrix"),
                "a skinned node with a transform");
      }
    }
    for (const int n : parents) require(n <= 1, "a node with two parents");
    require(j_["scenes"].size() == 1 && j_["scene"] == 0, "one scene");
    for (const Json& root : j_["scenes"][0].value("nodes", Json::array())) {
      require(root < count("nodes"), "a root");
      if (problem_.empty()) require(parents[root.get<std::size_t>()] == 0, "a root with a parent");
    }
  }

  void check_skins() {
    for (std::size_t s = 0; s < count("skins"); ++s) {
      const Json& skin = j_["skins"][s];
      std::set<std::size_t> joints;
      for (const Json& joint : skin["joints"]) {
        require(joint < count("nodes") && joints.insert(joint.get<std::size_t>()).second,
                "a joint");
      }
      const std::vector<float> inverse = p_.floats(skin["inverseBindMatrices"].get<std::size_t>());
      require(inverse.size() == 16 * joints.size(), "inverse bind matrices");
      for (std::size_t i = 3; i < inverse.size(); i += 4) {
        require(inverse[i] == (i % 16 == 15 ? 1.0F : 0.0F),
                "the last row of an inverse bind matrix");
      }
      index(skin, "skeleton", "nodes");
    }
  }

  void check_animations() {
    for (std::size_t a = 0; a < count("animations"); ++a) {
      const Json& animation = j_["animations"][a];
      require(!animation["channels"].empty() && !animation["samplers"].empty(), "an empty clip");
      for (const Json& channel : animation["channels"]) {
        require(channel["sampler"] < animation["samplers"].size(), "a sampler");
        index(channel["target"], "node", "nodes");
        if (!problem_.empty()) return;
        const Json& sampler = animation["samplers"][channel["sampler"].get<std::size_t>()];
        const std::vector<float> times = p_.floats(sampler["input"].get<std::size_t>());
        require(times.front() >= 0.0F, "a key before 0");
        require(
            std::adjacent_find(times.begin(), times.end(), std::greater_equal<>()) == times.end(),
            "keys that do not ascend");
        require(j_["accessors"][sampler["input"].get<std::size_t>()].contains("min"),
                "input without min");
      }
    }
  }

  void check_extensions() {
    std::set<std::string> used, found;
    for (const Json& name : j_.value("extensionsUsed", Json::array())) used.insert(name);
    collect(j_, found);
    require(used == found, "extensionsUsed is not what is used");
    for (const Json& name : j_.value("extensionsRequired", Json::array())) {
      require(name == "EXT_mesh_gpu_instancing" || name == "EXT_texture_webp",
              "an extension is required");
    }
  }

  static void collect(const Json& value, std::set<std::string>& found) {
    if (value.is_object()) {
      for (const auto& [key, inner] : value.items()) {
        if (key == "extras") continue;
        if (key == "extensions") {
          for (const auto& [name, extension] : inner.items()) found.insert(name);
        }
        collect(inner, found);
      }
    } else if (value.is_array()) {
      for (const Json& inner : value) collect(inner, found);
    }
  }

  const GlbParts& p_;
  const Json& j_;
  std::string& problem_;
};

}  // namespace

std::vector<float> GlbParts::floats(std::size_t number) const {
  const Json& accessor = json["accessors"][number];
  const std::size_t width = width_of(accessor["type"]);
  std::vector<float> values(accessor["count"].get<std::size_t>() * width, 0.0F);
  const auto start = [&](const Json& from) {
    return binary.data() + json["bufferViews"][from["bufferView"].get<std::size_t>()]["byteOffset"]
                               .get<std::size_t>();
  };
  if (accessor.contains("bufferView"))
    std::memcpy(values.data(), start(accessor), 4 * values.size());
  if (accessor.contains("sparse")) {
    const Json& sparse = accessor["sparse"];
    const std::byte* rows = start(sparse["indices"]);
    const std::byte* from = start(sparse["values"]);
    const bool wide = sparse["indices"]["componentType"] == 5125;
    for (std::size_t i = 0; i < sparse["count"].get<std::size_t>(); ++i) {
      std::uint32_t row = 0;
      std::memcpy(&row, rows + i * (wide ? 4 : 2), wide ? 4 : 2);
      if (row < accessor["count"].get<std::size_t>()) {
        std::memcpy(values.data() + row * width, from + i * width * 4, width * 4);
      }
    }
  }
  return values;
}

std::vector<std::uint32_t> GlbParts::integers(std::size_t number) const {
  const Json& accessor = json["accessors"][number];
  const std::size_t bytes = component_bytes(accessor["componentType"]);
  const std::size_t n = accessor["count"].get<std::size_t>() * width_of(accessor["type"]);
  const std::byte* from =
      binary.data() + json["bufferViews"][accessor["bufferView"].get<std::size_t>()]["byteOffset"]
                          .get<std::size_t>();
  std::vector<std::uint32_t> values(n, 0);
  for (std::size_t i = 0; i < n; ++i) std::memcpy(&values[i], from + i * bytes, bytes);
  return values;
}

const Json* GlbParts::node(const std::string& name) const {
  if (!json.contains("nodes")) return nullptr;
  for (const Json& node : json["nodes"]) {
    if (node.value("name", "") == name) return &node;
  }
  return nullptr;
}

GlbParts open_glb(const Buffer& file, std::string& problem) {
  GlbParts parts;
  problem.clear();
  if (file.size() < 20 || word(file, 0) != 0x46546C67 || word(file, 4) != 2 ||
      word(file, 8) != file.size() || word(file, 16) != 0x4E4F534A) {
    problem = "the header";
    return parts;
  }
  const std::size_t length = word(file, 12);
  if (length % 4 != 0 || 20 + length > file.size()) {
    problem = "the JSON chunk";
    return parts;
  }
  const char* text = reinterpret_cast<const char*>(file.data()) + 20;
  parts.json = Json::parse(text, text + length, nullptr, false);
  if (parts.json.is_discarded()) problem = "the JSON";
  const std::size_t rest = 20 + length;
  if (rest == file.size()) return parts;
  if (rest + 8 > file.size() || word(file, rest + 4) != 0x004E4942 || word(file, rest) % 4 != 0 ||
      rest + 8 + word(file, rest) != file.size()) {
    problem = "the binary chunk";
    return parts;
  }
  parts.binary = {file.data() + rest + 8, word(file, rest)};
  return parts;
}

std::string check_glb(const Buffer& file) {
  std::string problem;
  const GlbParts parts = open_glb(file, problem);
  if (problem.empty()) Checker(parts, problem).run();
  return problem;
}

}  // namespace sinew::test
