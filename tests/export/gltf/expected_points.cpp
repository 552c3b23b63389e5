// SPDX-License-Identifier: Apache-2.0
// For comparing with other programs: expected_points FOLDER FILE...
//
// Of each file FOLDER gets N.glb, as write_glb() makes it, and N.json, where this library has the
// points of every mesh that follows a skeleton, at five times. Names what cannot be compared, and
// why.
#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sinew/export/glb.hpp"
#include "sinew/geom/transforms.hpp"
#include "sinew/skel/read/bindings.hpp"
#include "sinew/skel/read/evaluate.hpp"

namespace {

using namespace sinew;
using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

/// What makes viewers show something else than USD, by the codes of diagnostics.
constexpr std::array<const char*, 18> kExceptions = {
    "gltf-weights-normalized", "gltf-dual-quaternion",
    "gltf-influences-reduced", "gltf-shear",
    "gltf-bad-skeleton",       "gltf-no-bind-pose",
    "gltf-skinning-method",    "gltf-joint-index",
    "gltf-influences",         "gltf-bad-mesh",
    "gltf-deforming-points",   "gltf-zero-rotation",
    "gltf-not-finite",         "gltf-instanced-skin",
    "gltf-empty-mesh",         "gltf-rotation-length",
    "gltf-weights-negative",   "gltf-no-rest-pose"};

struct Metric {
  double meters = 1.0;
  bool is_z_up = false;

  void put(const Matrix4d& world, const Vector3f& point, Json& list) const {
    const Eigen::Vector4d p = world * point.cast<double>().homogeneous();
    const Vector3d v = p.head<3>() * meters;
    list.push_back(v.x());
    list.push_back(is_z_up ? v.z() : v.y());
    list.push_back(is_z_up ? -v.y() : v.z());
  }
};

// Scales between samples are rounded to half precision in USD; keys of glTF are floats.
bool has_animated_scales(const skel::SkeletonBinding& binding) {
  return binding.animation != nullptr && binding.animation->scales &&
         binding.animation->scales.time_sample_count() > 1;
}

void write(const fs::path& folder, std::size_t number, const std::string& file) {
  Diagnostics diagnostics;
  const auto stage = stage::Stage::open(file, diagnostics);
  if (!stage) return;
  Diagnostics losses;
  const fs::path name = folder / std::to_string(number);
  const auto made = exporter::write_glb_file(**stage, name.string() + ".glb", {}, losses);
  if (!made) {
    std::printf("%s: %s\n", file.c_str(), made.error().message.c_str());
    return;
  }
  std::map<std::string, std::string> exceptions;
  for (const Diagnostic& diagnostic : losses) {
    const auto known = std::find(kExceptions.begin(), kExceptions.end(), diagnostic.code);
    if (known != kExceptions.end()) exceptions.emplace(diagnostic.path, diagnostic.code);
  }
  const stage::Metrics& metrics = (*stage)->metrics();
  const Metric metric = {metrics.meters_per_unit, metrics.up_axis == "Z"};
  const auto bindings = skel::read_bindings(**stage, diagnostics);
  double first = 0.0, last = 0.0;
  if (metrics.has_time_code_range) {
    first = metrics.start_time_code;
    last = metrics.end_time_code;
  } else {
    bool any = false;
    for (const auto& binding : bindings) {
      if (binding.animation == nullptr) continue;
      for (const auto* a : {&binding.animation->translations, &binding.animation->rotations,
                            &binding.animation->scales, &binding.animation->blend_shape_weights}) {
        for (const double time : *a ? a->time_samples() : std::vector<double>()) {
          first = any ? std::min(first, time) : time;
          last = any ? std::max(last, time) : time;
          any = true;
        }
      }
    }
  }
  Json out = Json::object();
  out["file"] = file;
  out["tolerance"] = 2e-6;
  out["times"] = Json::array();
  for (const double part : {0.0, 0.1234, 0.5, 0.789, 1.0}) {
    const double code = first + (last - first) * part;
    Json meshes = Json::array();
    for (const auto& binding : bindings) {
      skel::SkeletonPose pose;
      skel::evaluate_pose(binding, code, pose, diagnostics);
      const std::string skeleton = binding.skeleton_prim.path().str();
      const std::string animation =
          binding.animation_prim ? binding.animation_prim.path().str() : std::string();
      for (const auto& target : binding.targets) {
        if (!target.prim.is_a(stage::SchemaType::mesh)) continue;
        const std::string path = target.prim.path().str();
        std::string why;
        if (has_animated_scales(binding) && part > 0.0 && part < 1.0) why = "half scales";
        for (const std::string& subject : {animation, skeleton, path}) {
          if (exceptions.count(subject) > 0) why = exceptions[subject];
        }
        if (!why.empty()) {
          if (part == 0.0 || why == "half scales") {
            std::printf("%s: %s not compared: %s\n", file.c_str(), path.c_str(), why.c_str());
          }
          continue;
        }
        skel::DeformedPrim deformed;
        skel::evaluate_target(target, pose, deformed, diagnostics);
        if (!deformed.skinned && !deformed.blended) continue;
        if (!deformed.skinned && target.skin->has_joint_influences) continue;
        const auto rest = target.prim.attribute("points").get_array<Vector3f>(first);
        if (!rest || rest->size() == 0) continue;
        Json mesh = Json::object();
        mesh["path"] = path;
        Json& rests = mesh["rest"] = Json::array();
        for (const Vector3f& point : *rest) {
          for (int i = 0; i < 3; ++i) {
            rests.push_back(static_cast<float>(static_cast<double>(point[i]) * metric.meters));
          }
        }
        Json& points = mesh["points"] = Json::array();
        const Matrix4d world =
            deformed.skinned ? pose.world_from_skel : geom::world_from_prim(target.prim, code);
        for (const Vector3f& p : deformed.skinned ? deformed.points : deformed.blended_points) {
          metric.put(world, p, points);
        }
        meshes.push_back(std::move(mesh));
      }
    }
    Json entry = Json::object();
    entry["seconds"] = (code - first) / metrics.time_codes_per_second;
    entry["meshes"] = std::move(meshes);
    out["times"].push_back(std::move(entry));
  }
  std::ofstream(name.string() + ".json") << out.dump();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  fs::create_directories(argv[1]);
  for (int i = 2; i < argc; ++i) write(argv[1], static_cast<std::size_t>(i - 1), argv[i]);
}
