// SPDX-License-Identifier: Apache-2.0
// Any scene: where its nodes and points are by glTF's formulas, there they are on the stage.
#include <gtest/gtest.h>

#include "export/gltf_import/imported.hpp"
#include "support/random.hpp"
#include "support/sanitized.hpp"

namespace sinew::exporter::random_glb_test {
namespace {

using test::GlbFile;
using test::GltfJson;
using test::GltfJudge;
using test::Imported;
using test::lines_of;
using test::Random;

class RandomScene {
 public:
  explicit RandomScene(std::uint64_t seed) : random_(seed) {
    make_nodes();
    make_skin();
    make_meshes();
    make_animation();
  }

  GlbFile file;
  std::vector<int> meshes;  // Nodes with one.
  int node_count = 0;

 private:
  std::vector<double> vector(int low, int high) {
    return {random_.eighths(low, high), random_.eighths(low, high), random_.eighths(low, high)};
  }
  std::vector<double> rotation() {
    Eigen::Vector4d q(random_.eighths(-1, 1), random_.eighths(-1, 1), random_.eighths(-1, 1),
                      random_.eighths(-1, 1) + 0.01);
    q.normalize();
    return {q.x(), q.y(), q.z(), q.w()};
  }
  std::vector<double> scale() {
    // Powers of two, which animations keep exactly.
    const double sizes[] = {0.5, 1.0, 2.0, 1.0, -1.0};
    return {sizes[random_.below(5)], sizes[random_.below(4)], sizes[random_.below(4)]};
  }

  void make_nodes() {
    node_count = random_.between(3, 14);
    std::vector<int> roots;
    for (int i = 0; i < node_count; ++i) {
      GltfJson node = {{"name", "n" + std::to_string(i)}};
      if (random_.chance(15)) {
        Eigen::Matrix4d matrix = Eigen::Matrix4d::Identity();
        for (int k = 0; k < 12; ++k) matrix(k % 3, k / 3) += random_.eighths(-1, 1) * 0.5;
        node["matrix"] = std::vector<double>(matrix.data(), matrix.data() + 16);
      } else {
        if (random_.chance(70)) node["translation"] = vector(-4, 4);
        if (random_.chance(60)) node["rotation"] = rotation();
        if (random_.chance(40)) node["scale"] = scale();
      }
      file.node(node);
      const int parent = random_.between(-1, i - 1);
      if (parent < 0) {
        roots.push_back(i);
      } else {
        file.json["nodes"][static_cast<std::size_t>(parent)]["children"].push_back(i);
      }
    }
    file.scene(roots);
  }

  void make_skin() {
    const int skins = random_.between(0, 2);
    for (int s = 0; s < skins; ++s) {
      std::vector<int> joints;
      for (int i = 0; i < node_count; ++i) {
        if (random_.chance(40)) joints.push_back(i);
      }
      if (joints.empty()) joints.push_back(0);
      // In any order.
      for (std::size_t i = joints.size(); i > 1; --i) {
        std::swap(joints[i - 1], joints[random_.below(i)]);
      }
      GltfJson skin = {{"joints", joints}};
      if (random_.chance(80)) {
        std::vector<float> binds;
        for (std::size_t i = 0; i < joints.size(); ++i) {
          Eigen::Matrix4d bind = Eigen::Matrix4d::Identity();
          const auto q = rotation();
          bind.topLeftCorner<3, 3>() =
              Eigen::Quaterniond(q[3], q[0], q[1], q[2]).toRotationMatrix();
          const auto t = vector(-2, 2);
          bind.topRightCorner<3, 1>() = Eigen::Vector3d(t[0], t[1], t[2]);
          for (int k = 0; k < 16; ++k) binds.push_back(static_cast<float>(bind.data()[k]));
        }
        skin["inverseBindMatrices"] = file.floats("MAT4", binds);
      }
      file.add("skins", skin);
    }
  }

  void make_meshes() {
    const int count = random_.between(1, 3);
    for (int m = 0; m < count; ++m) {
      const int vertices = 3 * random_.between(1, 3);  // Whole triangles in every mode.
      const auto some = [&](int low, int high) {
        std::vector<float> numbers;
        for (int i = 0; i < 3 * vertices; ++i) {
          numbers.push_back(static_cast<float>(random_.eighths(low, high)));
        }
        return numbers;
      };
      GltfJson primitive = {{"mode", random_.between(4, 6)}};
      primitive["attributes"]["POSITION"] = file.floats("VEC3", some(-3, 3));
      const int targets = random_.chance(40) ? random_.between(1, 3) : 0;
      GltfJson mesh;
      for (int t = 0; t < targets; ++t) {
        primitive["targets"].push_back({{"POSITION", file.floats("VEC3", some(-1, 1))}});
        mesh["weights"].push_back(random_.eighths(0, 1));
      }
      GltfJson node = {{"name", "m" + std::to_string(m)}, {"translation", vector(-2, 2)}};
      const std::size_t skins = file.json.contains("skins") ? file.json["skins"].size() : 0;
      if (skins > 0 && random_.chance(70)) {
        const std::size_t skin = random_.below(skins);
        node["skin"] = skin;
        const std::size_t joints = file.json["skins"][skin]["joints"].size();
        // Eighths of which each vertex has eight: weights sum to exactly 1, as glTF demands.
        const int sets = random_.between(1, 2);
        std::vector<std::vector<float>> weights(
            static_cast<std::size_t>(sets),
            std::vector<float>(static_cast<std::size_t>(4 * vertices)));
        for (int vertex = 0; vertex < vertices; ++vertex) {
          for (int eighth = 0; eighth < 8; ++eighth) {
            const std::size_t set = random_.below(static_cast<std::size_t>(sets));
            weights[set][static_cast<std::size_t>(4 * vertex) + random_.below(4)] += 0.125F;
          }
        }
        for (int set = 0; set < sets; ++set) {
          std::vector<std::uint8_t> indices;
          for (int i = 0; i < 4 * vertices; ++i) {
            indices.push_back(static_cast<std::uint8_t>(random_.below(joints)));
          }
          primitive["attributes"]["JOINTS_" + std::to_string(set)] = file.accessor("VEC4", indices);
          primitive["attributes"]["WEIGHTS_" + std::to_string(set)] =
              file.floats("VEC4", weights[static_cast<std::size_t>(set)]);
        }
      }
      mesh["primitives"].push_back(primitive);
      node["mesh"] = file.add("meshes", mesh);
      const int index = file.node(node);
      meshes.push_back(index);
      const int parent = random_.between(-1, node_count - 1);
      if (parent < 0) {
        file.json["scenes"][0]["nodes"].push_back(index);
      } else {
        file.json["nodes"][static_cast<std::size_t>(parent)]["children"].push_back(index);
      }
    }
  }

  void make_animation() {
    GltfJson channels = GltfJson::array();
    GltfJson samplers = GltfJson::array();
    const std::size_t nodes = file.json["nodes"].size();
    for (std::size_t i = 0; i < nodes; ++i) {
      const GltfJson& node = file.json["nodes"][i];
      for (const std::string path : {"translation", "rotation", "scale", "weights"}) {
        if (!random_.chance(30) || (node.contains("matrix") && path != "weights")) continue;
        std::size_t targets = 0;
        if (path == "weights") {
          if (!node.contains("mesh")) continue;
          const GltfJson& mesh = file.json["meshes"][node["mesh"].get<std::size_t>()];
          if (!mesh.contains("weights")) continue;
          targets = mesh["weights"].size();
        }
        std::vector<float> times;
        std::vector<float> values;
        double time = random_.eighths(0, 1);
        // Scales of joints are rounded to half precision wherever another joint has a key.
        if (path == "scale") time = 0.5;
        for (int k = path == "scale" ? 2 : random_.between(1, 4); k > 0; --k) {
          times.push_back(static_cast<float>(time));
          time += path == "scale" ? 1.0 : 0.125 + random_.eighths(0, 1);
          std::vector<double> key = path == "rotation"  ? rotation()
                                    : path == "scale"   ? scale()
                                    : path == "weights" ? std::vector<double>()
                                                        : vector(-3, 3);
          for (std::size_t t = 0; t < targets; ++t) key.push_back(random_.eighths(-1, 2));
          for (const double number : key) values.push_back(static_cast<float>(number));
        }
        const std::string type = path == "weights"    ? "SCALAR"
                                 : path == "rotation" ? "VEC4"
                                                      : "VEC3";
        channels.push_back(
            {{"sampler", samplers.size()}, {"target", {{"node", i}, {"path", path}}}});
        samplers.push_back({{"input", file.floats("SCALAR", times)},
                            {"output", file.floats(type, values)},
                            {"interpolation", random_.chance(25) ? "STEP" : "LINEAR"}});
      }
    }
    if (!channels.empty()) {
      file.add("animations", {{"name", "play"}, {"channels", channels}, {"samplers", samplers}});
    }
  }

  Random random_;
};

TEST(RandomGlb, ShowsTheSameAsItsStage) {
  constexpr std::uint64_t kScenes = SINEW_TEST_SANITIZED != 0 ? 80 : 400;
  std::uint64_t skinned = 0;
  for (std::uint64_t seed = 0; seed < kScenes; ++seed) {
    const RandomScene scene(seed);
    Imported imported(scene.file);
    EXPECT_EQ(lines_of(imported.said), "") << seed;
    EXPECT_EQ(lines_of(imported.found), "") << seed << "\n" << imported.text;
    const GltfJudge judge(scene.file);
    // Sixteenths between keys: there scales, which a SkelAnimation has in half precision, are
    // exact.
    for (const double seconds : {-1.0, 0.0, 0.375, 0.6875, 1.3125, 9.0}) {
      for (int i = 0; i < scene.node_count; ++i) {
        const auto found = imported.by_name.find("n" + std::to_string(i));
        if (found == imported.by_name.end()) continue;  // A joint only.
        const Eigen::Matrix4d expected = judge.world(i, seconds);
        EXPECT_LT((imported.world(found->first, seconds) - expected).cwiseAbs().maxCoeff(),
                  1e-5 * std::max(1.0, expected.cwiseAbs().maxCoeff()))
            << "seed " << seed << ", node " << i << " at " << seconds;
      }
      for (std::size_t m = 0; m < scene.meshes.size(); ++m) {
        const auto expected = judge.points(scene.meshes[m], seconds);
        double size = 1.0;
        for (const Eigen::Vector3d& point : expected) size = std::max(size, point.norm());
        EXPECT_LT(
            test::largest_difference(imported.points("m" + std::to_string(m), seconds), expected),
            2e-5 * size)
            << "seed " << seed << ", mesh " << m << " at " << seconds << "\n"
            << imported.text;
      }
      if (HasFailure()) return;
    }
    skinned += imported.result.counts.joints > 0 ? 1 : 0;
  }
  EXPECT_GT(skinned, kScenes / 4);
}

}  // namespace
}  // namespace sinew::exporter::random_glb_test
