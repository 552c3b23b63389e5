// SPDX-License-Identifier: Apache-2.0
// What is skinned on a stage, skinned again from its .glb: by the numbers of the file alone, and as
// the layer that the file becomes. A failure of a random scene names its seed:
// SINEW_SCENE_SEED=<seed> runs that one alone.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "export/gltf_import/glb_file.hpp"
#include "sinew/export/glb.hpp"
#include "sinew/export/import_glb.hpp"
#include "sinew/geom/transforms.hpp"
#include "sinew/skel/gltf.hpp"
#include "sinew/skel/joint_transforms.hpp"
#include "sinew/skel/packed_influences.hpp"
#include "sinew/skel/read/bindings.hpp"
#include "sinew/skel/read/evaluate.hpp"
#include "sinew/skel/skin_palette.hpp"
#include "sinew/skel/skinning.hpp"
#include "sinew/usda/writer.hpp"
#include "support/folders.hpp"
#include "support/random_scene.hpp"

namespace sinew::exporter::skin_round_trip_test {
namespace {

using test::GlbFile;
using test::GltfJson;
using test::GltfJudge;

struct ShownMesh {
  std::vector<Eigen::Vector3d> points;  ///< In the metres and axes of glTF.
  std::string skeleton, animation;
};

/// Meshes that follow joints, by path.
using Shown = std::map<std::string, ShownMesh>;

/// What makes viewers show something else than USD.
constexpr std::array kExceptions = {"gltf-weights-normalized", "gltf-dual-quaternion",
                                    "gltf-influences-reduced", "gltf-shear",
                                    "gltf-bad-skeleton",       "gltf-no-bind-pose",
                                    "gltf-skinning-method",    "gltf-joint-index",
                                    "gltf-influences",         "gltf-bad-mesh",
                                    "gltf-zero-rotation",      "gltf-not-finite",
                                    "gltf-empty-mesh",         "gltf-rotation-length",
                                    "gltf-weights-missing",    "gltf-deforming-points",
                                    "gltf-blend-shape"};

/// The skinned meshes of a stage at a time code.
Shown show(const stage::Stage& stage, double code) {
  Shown shown;
  Diagnostics diagnostics;
  const stage::Metrics& metrics = stage.metrics();
  const bool is_z_up = metrics.up_axis == "Z";
  for (const auto& binding : skel::read_bindings(stage, diagnostics)) {
    skel::SkeletonPose pose;
    skel::evaluate_pose(binding, code, pose, diagnostics);
    for (const auto& target : binding.targets) {
      if (!target.prim.is_a(stage::SchemaType::mesh)) continue;
      skel::DeformedPrim deformed;
      skel::evaluate_target(target, pose, deformed, diagnostics);
      if (!deformed.skinned || deformed.skinned_transform) continue;
      ShownMesh& mesh = shown[target.prim.path().str()];
      mesh.skeleton = binding.skeleton_prim.path().str();
      if (binding.animation_prim) mesh.animation = binding.animation_prim.path().str();
      for (const Vector3f& point : deformed.points) {
        const Eigen::Vector4d at = pose.world_from_skel * point.cast<double>().homogeneous();
        const Eigen::Vector3d p = at.head<3>() * metrics.meters_per_unit;
        mesh.points.push_back(is_z_up ? Eigen::Vector3d(p.x(), p.z(), -p.y()) : p);
      }
    }
  }
  return shown;
}

double size_of(const std::vector<Eigen::Vector3d>& points) {
  Eigen::AlignedBox3d box;
  for (const Eigen::Vector3d& point : points) box.extend(point);
  return points.empty() ? 0.0 : box.diagonal().norm();
}

/// A .glb taken apart, with a judge of it, and one of what would be shown without skins.
struct File {
  explicit File(const GltfFile& glb) {
    const auto* const bytes = reinterpret_cast<const char*>(glb.bytes.data());
    std::uint32_t length = 0;
    std::memcpy(&length, bytes + 12, 4);
    skinned.json = GltfJson::parse(bytes + 20, bytes + 20 + length);
    if (glb.bytes.size() > 28 + length) {
      skinned.bin.assign(bytes + 28 + length, glb.bytes.size() - 28 - length);
    }
    bare = skinned;
    for (GltfJson& node : bare.json["nodes"]) node.erase("skin");
    for (std::size_t i = 0; i < skinned.json["nodes"].size(); ++i) {
      for (const GltfJson& child : skinned.json["nodes"][i].value("children", GltfJson::array())) {
        parents[child.get<int>()] = static_cast<int>(i);
      }
    }
  }

  GlbFile skinned, bare;
  std::map<int, int> parents;
};

/// The skin of a node at some seconds, as import_gltf_skin() takes it.
skel::GltfSkin skin_of(const File& file, const GltfJson& skin, double seconds) {
  const GltfJudge judge(file.skinned);
  const auto joints = skin["joints"].get<std::vector<int>>();
  const auto binds = judge.numbers(skin["inverseBindMatrices"]);
  skel::GltfSkin result;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    result.names.push_back(file.skinned.json["nodes"][static_cast<std::size_t>(joints[j])]["name"]);
    Eigen::Matrix4d local = judge.local(joints[j], seconds);
    std::int32_t parent = skel::kNoParent;
    for (auto above = file.parents.find(joints[j]); above != file.parents.end();
         above = file.parents.find(above->second)) {
      const auto known = std::find(joints.begin(), joints.end(), above->second);
      if (known != joints.end()) {
        parent = static_cast<std::int32_t>(known - joints.begin());
        break;
      }
      local = judge.local(above->second, seconds) * local;
    }
    result.parents.push_back(parent);
    result.local_transforms.push_back(local);
    result.inverse_bind_matrices.emplace_back(
        Eigen::Map<const Eigen::Matrix4d>(binds.data() + 16 * j));
  }
  return result;
}

/// A node with a skin, skinned by this library from the numbers of the file; the message of what
/// is wrong instead.
std::string skin_node(const File& file, int index, double seconds,
                      std::vector<Eigen::Vector3d>& points) {
  const GltfJson& json = file.skinned.json;
  const GltfJson& node = json["nodes"][static_cast<std::size_t>(index)];
  const GltfJson& skin = json["skins"][node["skin"].get<std::size_t>()];
  const auto imported = skel::import_gltf_skin(skin_of(file, skin, seconds));
  if (!imported) return imported.error().message;
  std::vector<std::int32_t> order = imported->joint_from_gltf;
  std::sort(order.begin(), order.end());
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (order[i] != static_cast<std::int32_t>(i)) return "joint_from_gltf is no permutation";
  }
  const GltfJudge judge(file.skinned);
  const GltfJson& attributes =
      json["meshes"][node["mesh"].get<std::size_t>()]["primitives"][0]["attributes"];
  std::vector<std::vector<std::array<std::uint16_t, 4>>> joints;
  std::vector<std::vector<std::array<float, 4>>> weights;
  for (int set = 0; attributes.contains("JOINTS_" + std::to_string(set)); ++set) {
    const auto js = judge.numbers(attributes["JOINTS_" + std::to_string(set)]);
    const auto ws = judge.numbers(attributes["WEIGHTS_" + std::to_string(set)]);
    auto& rows = joints.emplace_back(js.size() / 4);
    auto& parts = weights.emplace_back(ws.size() / 4);
    for (std::size_t i = 0; i < js.size(); ++i) {
      rows[i / 4][i % 4] = static_cast<std::uint16_t>(js[i]);
      parts[i / 4][i % 4] = static_cast<float>(ws[i]);
    }
  }
  std::vector<skel::GltfInfluences> sets;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    sets.push_back({std::span<const std::array<std::uint16_t, 4>>(joints[i]),
                    std::span<const std::array<float, 4>>(weights[i])});
  }
  const auto influences = skel::import_gltf_influences(sets, imported->joint_from_gltf);
  if (!influences) return influences.error().message;
  const auto packed =
      skel::PackedInfluences::pack({.joint_indices = influences->indices,
                                    .joint_weights = influences->weights,
                                    .influences = influences->influences,
                                    .joint_count = imported->skeleton.joint_count()});
  if (!packed) return packed.error().message;

  // At rest, the skeleton is as its nodes are at that time.
  std::vector<Matrix4d> pose(imported->skeleton.rest_transforms().begin(),
                             imported->skeleton.rest_transforms().end());
  Status status = skel::concat_joint_transforms(imported->skeleton.topology(), pose, pose);
  if (status) status = skel::skinning_transforms(imported->skeleton, pose, pose);
  if (!status) return status.error().message;
  std::vector<Vector3f> rest;
  for (const Eigen::Vector3d& point : GltfJudge(file.bare).points(index, seconds)) {
    rest.push_back(point.cast<float>());
  }
  skel::SkinPalette palette;
  palette.prepare_linear(pose, Matrix4d::Identity());
  skel::SkinPointsJob job;
  job.influences = &*packed;
  job.palette = palette.view();
  job.points = rest;
  job.points_out = rest;
  if (status = job.run(); !status) return status.error().message;
  for (const Vector3f& point : rest) points.push_back(point.cast<double>());
  return {};
}

struct Times {
  double first = 0.0, last = 0.0;
};

/// The range of time that write_glb() takes where the stage does not say one.
Times times_of(const stage::Stage& stage, bool& scales_move) {
  const stage::Metrics& metrics = stage.metrics();
  Times times{1e300, -1e300};
  const auto add = [&](const std::vector<double>& samples) {
    for (const double time : samples) {
      times.first = std::min(times.first, time);
      times.last = std::max(times.last, time);
    }
  };
  Diagnostics diagnostics;
  for (const auto& binding : skel::read_bindings(stage, diagnostics)) {
    if (binding.animation == nullptr) continue;
    const auto& animation = *binding.animation;
    for (const auto* a : {&animation.translations, &animation.rotations, &animation.scales,
                          &animation.blend_shape_weights}) {
      if (*a) add(a->time_samples());
    }
    scales_move = scales_move || (animation.scales && animation.scales.time_sample_count() > 1);
  }
  for (const stage::Prim prim :
       stage.root().descendants(stage::Traversal::with_instance_proxies())) {
    if (geom::local_transform_might_vary(prim)) add(geom::local_transform_samples(prim));
  }
  if (metrics.has_time_code_range) times = {metrics.start_time_code, metrics.end_time_code};
  if (times.first > times.last) times = {0.0, 0.0};
  return times;
}

/// The largest distance of points from where they should be, by the size of the mesh. Split
/// vertices stand at any of the points: the closest counts.
double distance(const std::vector<Eigen::Vector3d>& is,
                const std::vector<Eigen::Vector3d>& should) {
  const double size = std::max(size_of(should), 1e-3);
  double most = 0.0;
  for (std::size_t i = 0; i < is.size(); ++i) {
    if (is.size() == should.size()) {
      most = std::max(most, (is[i] - should[i]).norm() / size);
      continue;
    }
    double least = 1e300;
    for (const Eigen::Vector3d& point : should) least = std::min(least, (is[i] - point).norm());
    most = std::max(most, least / size);
  }
  return most;
}

/// Compares a stage with its file; "" if all is well. Counts what was compared.
/// @param rounded  Rotations are of length 1 but for rounding to five digits, and USD takes them
/// so.
std::string compare(const stage::Stage& stage, std::size_t& meshes, bool rounded = false) {
  const double tolerance = rounded ? 1e-4 : 1e-5;
  Diagnostics losses;
  const auto glb = write_glb(stage, {}, losses);
  if (!glb) return glb.error().message;
  const File file(*glb);
  ImportGlbOptions options;
  options.time_codes_per_second = 24.0;
  Diagnostics diagnostics;
  const auto imported = import_glb(
      Bytes(std::string(reinterpret_cast<const char*>(glb->bytes.data()), glb->bytes.size())),
      options, diagnostics);
  if (!imported) return imported.error().message;
  const stage::StagePtr again =
      test::open({{"again.usda", usda::write(*imported->layer)}}, Rules::openusd, diagnostics);
  if (again == nullptr) return "the imported layer does not open";

  std::set<std::string> exceptions;
  for (const Diagnostic& loss : losses) {
    if (rounded && loss.code == "gltf-rotation-length") continue;
    if (std::find(kExceptions.begin(), kExceptions.end(), loss.code) != kExceptions.end()) {
      exceptions.insert(loss.path);
    }
  }
  bool scales_move = false;
  const Times times = times_of(stage, scales_move);
  for (const double part : {0.0, 0.3, 1.0}) {
    // Scales between samples are of half precision in USD.
    if (scales_move && part > 0.0) continue;
    const double code = times.first + (times.last - times.first) * part;
    const double seconds = (code - times.first) / stage.metrics().time_codes_per_second;
    const Shown should = show(stage, code);
    const Shown is = show(*again, seconds * 24.0);
    for (std::size_t i = 0; i < file.skinned.json["nodes"].size(); ++i) {
      const GltfJson& node = file.skinned.json["nodes"][i];
      if (!node.contains("skin") || !node.contains("mesh")) continue;
      const std::string path = node["extras"]["usd"]["path"];
      const auto wanted = should.find(path);
      // Of instances the first is told of.
      const auto is_told = [&](const std::string& told) {
        const std::string_view name = std::string_view(path).substr(path.rfind('/'));
        return told.ends_with(name) || told == wanted->second.skeleton ||
               told == wanted->second.animation;
      };
      if (wanted == should.end() || std::any_of(exceptions.begin(), exceptions.end(), is_told)) {
        continue;
      }
      std::vector<Eigen::Vector3d> points;
      std::string wrong = skin_node(file, static_cast<int>(i), seconds, points);
      if (!wrong.empty()) return path + ": " + wrong;
      if (const double far = distance(points, wanted->second.points); !(far <= tolerance)) {
        return fmt::format("{} at {} is {} off by its file", path, code, far);
      }
      // Where prims above it were nothing but transforms, its path is another one; its name may
      // have got a number.
      double least = 1e300;
      for (const auto& [there, mesh] : is) {
        if (!there.substr(there.rfind('/')).starts_with(path.substr(path.rfind('/')))) continue;
        least = std::min(least, distance(mesh.points, wanted->second.points));
      }
      if (!(least <= tolerance)) {
        return fmt::format("{} at {} is {} off when it comes back", path, code, least);
      }
      ++meshes;
    }
  }
  return {};
}

/// Weights that add up to 1 for every point, and no dual quaternions: what glTF can say.
test::Scene with_weights_of_gltf(test::Scene scene) {
  test::for_each_prim(scene, [](test::PrimText& prim) {
    std::erase_if(prim.properties, [](const std::string& property) {
      return property.find("dualQuaternion") != std::string::npos;
    });
    for (std::string& property : prim.properties) {
      if (!property.starts_with("float[] primvars:skel:jointWeights = [")) continue;
      const std::size_t begin = property.find('[', 8) + 1, end = property.find(']', begin);
      std::vector<double> weights;
      for (const char* at = property.c_str() + begin; at < property.c_str() + end;) {
        char* next = nullptr;
        weights.push_back(std::strtod(at, &next));
        at = next + 1;
      }
      std::size_t width = 1;
      if (const std::size_t at = property.find("elementSize = "); at != std::string::npos) {
        width = static_cast<std::size_t>(std::atoi(property.c_str() + at + 14));
      }
      std::string list;
      for (std::size_t row = 0; row + width <= weights.size(); row += width) {
        double sum = 0.0;
        for (std::size_t i = row; i < row + width; ++i) sum += std::abs(weights[i]);
        for (std::size_t i = row; i < row + width; ++i) {
          const double weight = sum > 0.0 ? std::abs(weights[i]) / sum : i == row ? 1.0 : 0.0;
          list += (list.empty() ? "" : ", ") + fmt::format("{:.9g}", weight);
        }
      }
      property.replace(begin, end - begin, list);
    }
  });
  return scene;
}

TEST(GlbSkins, OfTheExamplesSkinAlikeFromTheFile) {
  std::size_t meshes = 0;
  for (const char* name : {"arm.usda", "character.usda", "crowd.usda"}) {
    Diagnostics diagnostics;
    const auto stage = stage::Stage::open(test::example_data_folder() + "/" + name, diagnostics);
    ASSERT_TRUE(stage) << name;

    EXPECT_EQ(compare(**stage, meshes, true), "") << name;
  }
  EXPECT_GT(meshes, 5U);
}

TEST(GlbSkins, OfRandomScenesSkinAlikeFromTheFile) {
  constexpr std::uint64_t kScenes = 150;
  std::size_t meshes = 0;
  test::for_random_scenes(test::Subject::skeletons, {110'000, kScenes},
                          [&](const test::Scene& scene) {
                            const stage::StagePtr stage = test::open(with_weights_of_gltf(scene));
                            return stage == nullptr ? "does not open" : compare(*stage, meshes);
                          });
  EXPECT_GT(meshes, kScenes / 2);
}

}  // namespace
}  // namespace sinew::exporter::skin_round_trip_test
