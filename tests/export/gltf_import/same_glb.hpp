// SPDX-License-Identifier: Apache-2.0
// Compares glTF files by what they say, whatever the order of nodes and the numbers of objects.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "export/gltf_import/glb_file.hpp"

namespace sinew::test {

/// The parts of a .glb with one buffer.
inline GlbFile open_file(const std::byte* data, std::size_t size) {
  GlbFile file;
  const auto word = [&](std::size_t at) {
    std::uint32_t value = 0;
    std::memcpy(&value, data + at, sizeof value);
    return std::size_t{value};
  };
  const std::size_t json = word(12);
  const char* const text = reinterpret_cast<const char*>(data);
  file.json = GltfJson::parse(std::string(text + 20, json));
  if (20 + json < size) file.bin.assign(text + 28 + json, word(20 + json));
  return file;
}

/// Compares two files. What it allows to differ:
/// - the order of nodes, and where a node with a skin hangs, and its transform, which do not count;
/// - indices, weights and colours of another width, names of joints 0 with a weight of 0;
/// - arrays of nothing but zeros, or identities, that are not written;
/// - matrices written as translation, rotation and scale, if the product is the same;
/// - keys beside those that are needed, as long as they lie on the curve.
class SameGlb {
 public:
  SameGlb(const GlbFile& a, const GlbFile& b) : a_(a), b_(b) {}

  double curve_tolerance = 1e-5;  ///< Of animated matrices and points.

  void expect() {
    const auto nodes_a = paths(a_), nodes_b = paths(b_);
    std::string list_a, list_b;
    for (const auto& [path, index] : nodes_a) list_a += path + "\n";
    for (const auto& [path, index] : nodes_b) list_b += path + "\n";
    EXPECT_EQ(list_a, list_b);
    if (list_a != list_b) return;
    for (const auto& [path, index] : nodes_a) {
      pairs_[index] = nodes_b.at(path);
      back_[nodes_b.at(path)] = index;
    }
    for (const auto& [path, index] : nodes_a) {
      SCOPED_TRACE(path);
      expect_node(index, pairs_[index]);
    }
    expect_animations();
  }

  static std::size_t count(const GlbFile& file, const char* list) {
    return file.json.contains(list) ? file.json[list].size() : 0;
  }

 private:
  using Json = GltfJson;

  static const Json& node(const GlbFile& file, int index) {
    return file.json["nodes"][static_cast<std::size_t>(index)];
  }

  // Of all nodes of the scene, by the names above them.
  static std::map<std::string, int> paths(const GlbFile& file) {
    std::map<std::string, int> result;
    const auto add = [&](const auto& self, int index, const std::string& above) -> void {
      const Json& here = node(file, index);
      const std::string base = here.contains("skin") ? "" : above;
      std::string path = base + "/" + here.value("name", std::string("(unnamed)"));
      const bool is_new = result.emplace(path, index).second;
      EXPECT_TRUE(is_new) << "two nodes are called " << path;
      for (const Json& child : here.value("children", Json::array())) {
        self(self, child.get<int>(), path);
      }
    };
    for (const Json& root : file.json["scenes"][0].value("nodes", Json::array())) {
      add(add, root.get<int>(), "");
    }
    return result;
  }

  static void expect_close(const std::vector<double>& a, const std::vector<double>& b,
                           double tolerance, const std::string& what) {
    ASSERT_EQ(a.size(), b.size()) << what;
    double worst = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      worst = std::max(worst, std::abs(a[i] - b[i]) / std::max(1.0, std::abs(a[i])));
    }
    EXPECT_LE(worst, tolerance) << what;
  }

  // Objects with numbers that are close.
  static void expect_json(const Json& a, const Json& b, const std::string& what) {
    if (a.is_number() && b.is_number()) {
      const double x = a.get<double>(), y = b.get<double>();
      EXPECT_LE(std::abs(x - y), 2e-6 * std::max(1.0, std::abs(x)))
          << what << ": " << a << ", " << b;
      return;
    }
    if (a.type() != b.type() || a.size() != b.size()) {
      ADD_FAILURE() << what << ": " << a << " and " << b;
      return;
    }
    if (a.is_object()) {
      for (const auto& [key, value] : a.items()) {
        if (!b.contains(key)) {
          ADD_FAILURE() << what << ": no " << key << " in " << b;
          continue;
        }
        expect_json(value, b[key], what + "/" + key);
      }
    } else if (a.is_array()) {
      for (std::size_t i = 0; i < a.size(); ++i) {
        expect_json(a[i], b[i], what + "/" + std::to_string(i));
      }
    } else {
      EXPECT_EQ(a, b) << what;
    }
  }

  // Each of one file is always the same of the other.
  void expect_pair(const char* kind, int a, int b) {
    const auto forth = one_[kind].emplace(a, b).first->second;
    const auto back = other_[kind].emplace(b, a).first->second;
    EXPECT_TRUE(forth == b && back == a) << kind << " " << a << " and " << b;
  }

  static Json extras(const Json& object) {
    Json result = object.value("extras", Json::object());
    if (!result.is_object()) return Json::object();
    result.erase("usd");
    result.erase("sinew");
    result.erase("targetNames");
    return result;
  }

  void expect_node(int a, int b) {
    const Json &from = node(a_, a), &to = node(b_, b);
    for (const char* key : {"mesh", "skin", "camera"}) {
      ASSERT_EQ(from.contains(key), to.contains(key)) << key;
      if (from.contains(key)) expect_pair(key, from[key], to[key]);
    }
    if (!from.contains("skin")) {
      const Eigen::Matrix4d x = GltfJudge(a_).local(a, -1.0), y = GltfJudge(b_).local(b, -1.0);
      EXPECT_LE((x - y).cwiseAbs().maxCoeff(), 1e-6 * std::max(1.0, x.cwiseAbs().maxCoeff())) << y;
    }
    EXPECT_EQ(extras(from), extras(to));
    if (from.contains("mesh")) expect_mesh(a, b);
    if (from.contains("skin")) expect_skin(from["skin"], to["skin"]);
    if (from.contains("camera")) {
      Json x = a_.json["cameras"][from["camera"].get<std::size_t>()];
      Json y = b_.json["cameras"][to["camera"].get<std::size_t>()];
      for (Json* camera : {&x, &y}) camera->erase("extras");
      expect_json(x, y, "camera");
    }
    expect_physics(from, to);
  }

  std::vector<double> weights(const GlbFile& file, const Json& from, std::size_t targets) const {
    const Json& mesh = file.json["meshes"][from["mesh"].get<std::size_t>()];
    std::vector<double> result(targets, 0.0);
    if (mesh.contains("weights")) result = mesh["weights"].get<std::vector<double>>();
    if (from.contains("weights")) result = from["weights"].get<std::vector<double>>();
    return result;
  }

  void expect_mesh(int node_a, int node_b) {
    const Json &from = node(a_, node_a), &to = node(b_, node_b);
    const Json& a = a_.json["meshes"][from["mesh"].get<std::size_t>()];
    const Json& b = b_.json["meshes"][to["mesh"].get<std::size_t>()];
    EXPECT_EQ(a.value("name", ""), b.value("name", ""));
    EXPECT_EQ(extras(a), extras(b));
    const auto names = [](const Json& mesh) {
      return mesh.value("extras", Json::object()).value("targetNames", Json());
    };
    EXPECT_EQ(names(a), names(b));
    ASSERT_EQ(a["primitives"].size(), b["primitives"].size());
    for (std::size_t i = 0; i < a["primitives"].size(); ++i) {
      SCOPED_TRACE("primitive " + std::to_string(i));
      expect_primitive(a["primitives"][i], b["primitives"][i]);
    }
    const std::size_t targets = a["primitives"][0].value("targets", Json::array()).size();
    expect_close(weights(a_, from, targets), weights(b_, to, targets), 1e-6, "weights");
  }

  // Colours and positions of a morph target, whatever their width.
  static std::vector<double> values(const GlbFile& file, int accessor, bool is_color) {
    std::vector<double> all = GltfJudge(file).numbers(accessor);
    if (!is_color || file.json["accessors"][static_cast<std::size_t>(accessor)]["type"] == "VEC4") {
      return all;
    }
    std::vector<double> rgba;
    for (std::size_t i = 0; i < all.size(); i += 3) {
      rgba.insert(rgba.end(), {all[i], all[i + 1], all[i + 2], 1.0});
    }
    return rgba;
  }

  void expect_primitive(const Json& a, const Json& b) {
    std::set<std::string> names_a, names_b;
    for (const auto& [name, accessor] : a["attributes"].items()) names_a.insert(name);
    for (const auto& [name, accessor] : b["attributes"].items()) names_b.insert(name);
    EXPECT_EQ(names_a, names_b);
    if (names_a != names_b) return;
    for (const std::string& name : names_a) {
      if (name.starts_with("JOINTS") || name.starts_with("WEIGHTS")) continue;
      const bool is_color = name.starts_with("COLOR");
      const double tolerance = name == "POSITION" ? 0.0 : is_color ? 1e-5 : 1e-6;
      expect_close(values(a_, a["attributes"][name], is_color),
                   values(b_, b["attributes"][name], is_color), tolerance, name);
    }
    if (names_a.contains("JOINTS_0")) {
      EXPECT_EQ(influences(a_, a), influences(b_, b));
    }
    ASSERT_TRUE(b.contains("indices"));
    if (a.contains("indices")) {
      expect_close(GltfJudge(a_).numbers(a["indices"]), GltfJudge(b_).numbers(b["indices"]), 0.0,
                   "indices");
    }
    ASSERT_EQ(a.contains("material"), b.contains("material"));
    if (a.contains("material")) {
      expect_pair("material", a["material"], b["material"]);
      const Json& x = a_.json["materials"][a["material"].get<std::size_t>()];
      const Json& y = b_.json["materials"][b["material"].get<std::size_t>()];
      expect_json(material(a_, x), material(b_, y), "material " + x.value("name", ""));
    }
    const Json none = Json::array();
    const Json targets_a = a.value("targets", none), targets_b = b.value("targets", none);
    ASSERT_EQ(targets_a.size(), targets_b.size());
    const std::size_t numbers = GltfJudge(a_).numbers(a["attributes"]["POSITION"]).size();
    for (std::size_t i = 0; i < targets_a.size(); ++i) {
      for (const char* name : {"POSITION", "NORMAL"}) {
        const auto offsets = [&](const GlbFile& file, const Json& target) {
          return target.contains(name) ? GltfJudge(file).numbers(target[name])
                                       : std::vector<double>(numbers, 0.0);
        };
        expect_close(offsets(a_, targets_a[i]), offsets(b_, targets_b[i]), 0.0, name);
      }
    }
  }

  // For each vertex, joints and weights in millionths, without zeros.
  static std::vector<std::map<int, long>> influences(const GlbFile& file, const Json& primitive) {
    std::vector<std::map<int, long>> result;
    for (int set = 0; primitive["attributes"].contains("JOINTS_" + std::to_string(set)); ++set) {
      const auto joints =
          GltfJudge(file).numbers(primitive["attributes"]["JOINTS_" + std::to_string(set)]);
      const auto weights =
          GltfJudge(file).numbers(primitive["attributes"]["WEIGHTS_" + std::to_string(set)]);
      result.resize(joints.size() / 4);
      for (std::size_t i = 0; i < joints.size(); ++i) {
        const long weight = std::lround(weights[i] * 1e6);
        if (weight != 0) result[i / 4][static_cast<int>(joints[i])] += weight;
      }
    }
    return result;
  }

  void expect_skin(std::size_t a, std::size_t b) {
    const Json &from = a_.json["skins"][a], &to = b_.json["skins"][b];
    EXPECT_EQ(from.value("name", ""), to.value("name", ""));
    ASSERT_EQ(from["joints"].size(), to["joints"].size());
    for (std::size_t i = 0; i < from["joints"].size(); ++i) {
      EXPECT_EQ(pairs_[from["joints"][i].get<int>()], to["joints"][i].get<int>()) << i;
    }
    const auto binds = [](const GlbFile& file, const Json& skin) {
      if (skin.contains("inverseBindMatrices")) {
        return GltfJudge(file).numbers(skin["inverseBindMatrices"]);
      }
      std::vector<double> identities;
      for (std::size_t i = 0; i < 16 * skin["joints"].size(); ++i) {
        identities.push_back(i % 16 % 5 == 0 ? 1.0 : 0.0);
      }
      return identities;
    };
    expect_close(binds(a_, from), binds(b_, to), 2e-6, "inverseBindMatrices");
  }

  static Json texture(const GlbFile& file, const Json& info) {
    const Json& texture = file.json["textures"][info["index"].get<std::size_t>()];
    std::size_t source = texture.value("source", std::size_t{0});
    const Json& image = file.json["images"][source];
    const Json& view = file.json["bufferViews"][image["bufferView"].get<std::size_t>()];
    Json sampler = Json::object();
    if (texture.contains("sampler")) {
      sampler = file.json["samplers"][texture["sampler"].get<std::size_t>()];
    }
    const Json transform =
        info.value("extensions", Json::object()).value("KHR_texture_transform", Json::object());
    return {{"bytes", GltfJson(file.bin.substr(view["byteOffset"], view["byteLength"]))},
            {"wrapS", sampler.value("wrapS", 10497)},
            {"wrapT", sampler.value("wrapT", 10497)},
            {"texCoord", info.value("texCoord", 0)},
            {"factor", info.value("scale", info.value("strength", 1.0))},
            {"offset", transform.value("offset", Json::array({0.0, 0.0}))},
            {"rotation", transform.value("rotation", 0.0)},
            {"scale", transform.value("scale", Json::array({1.0, 1.0}))}};
  }

  // With all defaults.
  static Json material(const GlbFile& file, const Json& from) {
    const Json pbr = from.value("pbrMetallicRoughness", Json::object());
    const Json extensions = from.value("extensions", Json::object());
    const auto extension = [&](const char* name) { return extensions.value(name, Json::object()); };
    Json result;
    result["name"] = from.value("name", "");
    result["baseColor"] = pbr.value("baseColorFactor", Json::array({1.0, 1.0, 1.0, 1.0}));
    result["metallic"] = pbr.value("metallicFactor", 1.0);
    result["roughness"] = pbr.value("roughnessFactor", 1.0);
    result["alphaMode"] = from.value("alphaMode", "OPAQUE");
    if (result["alphaMode"] == "MASK") result["alphaCutoff"] = from.value("alphaCutoff", 0.5);
    result["doubleSided"] = from.value("doubleSided", false);
    result["emissive"] = from.value("emissiveFactor", Json::array({0.0, 0.0, 0.0}));
    for (Json& number : result["emissive"]) {
      number = number.get<double>() *
               extension("KHR_materials_emissive_strength").value("emissiveStrength", 1.0);
    }
    result["ior"] = extension("KHR_materials_ior").value("ior", 1.5);
    result["coat"] = extension("KHR_materials_clearcoat").value("clearcoatFactor", 0.0);
    result["coatRoughness"] =
        extension("KHR_materials_clearcoat").value("clearcoatRoughnessFactor", 0.0);
    const Json coat = extension("KHR_materials_clearcoat");
    for (const char* name : {"clearcoatTexture", "clearcoatRoughnessTexture"}) {
      if (coat.contains(name)) result[name] = texture(file, coat[name]);
    }
    for (const char* name : {"normalTexture", "occlusionTexture", "emissiveTexture"}) {
      if (from.contains(name)) result[name] = texture(file, from[name]);
    }
    for (const char* name : {"baseColorTexture", "metallicRoughnessTexture"}) {
      if (pbr.contains(name)) result[name] = texture(file, pbr[name]);
    }
    result["extras"] = extras(from);
    return result;
  }

  static Json bodies(const Json& object) {
    return object.value("extensions", Json::object())
        .value("KHR_physics_rigid_bodies", Json::object());
  }

  void expect_physics(const Json& node_a, const Json& node_b) {
    const Json a = bodies(node_a), b = bodies(node_b);
    for (const char* key : {"motion", "collider", "joint"}) {
      ASSERT_EQ(a.contains(key), b.contains(key)) << key << " " << a << b;
    }
    if (a.contains("motion")) expect_json(a["motion"], b["motion"], "motion");
    const Json root_a = bodies(a_.json), root_b = bodies(b_.json);
    if (a.contains("collider")) {
      const Json &x = a["collider"], &y = b["collider"];
      ASSERT_EQ(x["geometry"].contains("shape"), y["geometry"].contains("shape"));
      if (x["geometry"].contains("shape")) {
        const auto shape = [](const GlbFile& file, const Json& collider) {
          return file.json["extensions"]["KHR_implicit_shapes"]["shapes"]
                          [collider["geometry"]["shape"].get<std::size_t>()];
        };
        expect_json(shape(a_, x), shape(b_, y), "shape");
      } else {
        expect_pair("mesh", x["geometry"]["mesh"], y["geometry"]["mesh"]);
        EXPECT_EQ(x["geometry"].value("convexHull", false),
                  y["geometry"].value("convexHull", false));
      }
      ASSERT_EQ(x.contains("physicsMaterial"), y.contains("physicsMaterial"));
      if (x.contains("physicsMaterial")) {
        Json p = root_a["physicsMaterials"][x["physicsMaterial"].get<std::size_t>()];
        Json q = root_b["physicsMaterials"][y["physicsMaterial"].get<std::size_t>()];
        for (Json* material : {&p, &q}) material->erase("extras");
        expect_json(p, q, "physicsMaterial");
      }
      ASSERT_EQ(x.contains("collisionFilter"), y.contains("collisionFilter"));
    }
    if (!a.contains("joint")) return;
    EXPECT_EQ(pairs_[a["joint"]["connectedNode"].get<int>()],
              b["joint"]["connectedNode"].get<int>());
    EXPECT_EQ(a["joint"].value("enableCollision", false),
              b["joint"].value("enableCollision", false));
    expect_json(root_a["physicsJoints"][a["joint"]["joint"].get<std::size_t>()],
                root_b["physicsJoints"][b["joint"]["joint"].get<std::size_t>()], "joint");
  }

  // Key times and those between them.
  static std::set<double> times(const GlbFile& file, std::size_t animation) {
    std::set<double> keys;
    for (const Json& sampler : file.json["animations"][animation]["samplers"]) {
      for (const double time : GltfJudge(file).numbers(sampler["input"])) keys.insert(time);
    }
    std::set<double> result = keys;
    for (auto it = keys.begin(); it != keys.end() && std::next(it) != keys.end(); ++it) {
      const double length = *std::next(it) - *it;
      if (length < 1e-3) continue;  // A jump.
      for (const double part : {0.25, 0.5, 0.9}) result.insert(*it + part * length);
    }
    return result;
  }

  void expect_animations() {
    ASSERT_EQ(count(a_, "animations"), count(b_, "animations"));
    for (std::size_t i = 0; i < count(a_, "animations"); ++i) {
      const std::string name = a_.json["animations"][i].value("name", "");
      SCOPED_TRACE("animation " + name);
      std::size_t k = 0;
      while (k < count(b_, "animations") && b_.json["animations"][k].value("name", "") != name) ++k;
      ASSERT_LT(k, count(b_, "animations")) << b_.json["animations"].dump();
      expect_animation(i, k);
    }
  }

  void expect_animation(std::size_t x, std::size_t y) {
    std::set<double> all = times(a_, x);
    for (const double time : times(b_, y)) all.insert(time);
    // Where a value jumps, either side may be meant.
    std::set<double> jumps;
    for (const Json& sampler : a_.json["animations"][x]["samplers"]) {
      if (sampler.value("interpolation", "LINEAR") != "STEP") continue;
      for (const double time : GltfJudge(a_).numbers(sampler["input"])) jumps.insert(time);
    }
    for (const double time : all) {
      const auto near = jumps.lower_bound(time - 1e-5);
      if (near != jumps.end() && *near < time + 1e-5 && time > 0.0) continue;
      SCOPED_TRACE("at " + std::to_string(time));
      for (const auto& [a, b] : pairs_) {
        const bool is_skinned = node(a_, a).contains("skin");
        if (!is_skinned) {
          const Eigen::Matrix4d p = GltfJudge(a_).local(a, time, x);
          const Eigen::Matrix4d q = GltfJudge(b_).local(b, time, y);
          EXPECT_LE((p - q).cwiseAbs().maxCoeff(),
                    curve_tolerance * std::max(1.0, p.cwiseAbs().maxCoeff()))
              << node(a_, a).value("name", "");
        }
        if (!node(a_, a).contains("mesh")) continue;
        const auto p = GltfJudge(a_).points(a, time, x), q = GltfJudge(b_).points(b, time, y);
        ASSERT_EQ(p.size(), q.size());
        double worst = 0.0;
        for (std::size_t i = 0; i < p.size(); ++i) worst = std::max(worst, (p[i] - q[i]).norm());
        EXPECT_LE(worst, 4.0 * curve_tolerance) << node(a_, a).value("name", "");
      }
    }
  }

  const GlbFile& a_;
  const GlbFile& b_;
  std::map<int, int> pairs_, back_;
  std::map<std::string, std::map<int, int>> one_, other_;
};

}  // namespace sinew::test
