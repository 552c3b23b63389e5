// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iterator>
#include <map>
#include <string>
#include <utility>

#include "commands.hpp"
#include "sinew/core/one_line.hpp"
#include "sinew/physics/read/read_dialects.hpp"
#include "sinew/physics/read/read_physics.hpp"
#include "sinew/skel/read/bindings.hpp"
#include "sinew/stage/package_resolver.hpp"
#include "sinew/stage/stage.hpp"
#include "sinew/usdc/reader.hpp"
#include "sinew/usdz/package_path.hpp"

namespace sinew::tool {

namespace {

// Lines that begin with what they are about.
using TextEnd = std::back_insert_iterator<std::string>;

void add_metrics(const stage::Stage& stage, TextEnd text, Json& json) {
  const stage::Metrics& metrics = stage.metrics();
  json["upAxis"] = metrics.up_axis;
  json["metersPerUnit"] = to_json(metrics.meters_per_unit);
  json["kilogramsPerUnit"] = to_json(metrics.kilograms_per_unit);
  json["timeCodesPerSecond"] = to_json(metrics.time_codes_per_second);
  json["defaultPrim"] = metrics.default_prim;
  json["layers"] = stage.layers().size();
  fmt::format_to(text,
                 "stage       {} up, {:g} m per unit, {:g} kg per unit, {:g} time codes per second",
                 one_line(metrics.up_axis), metrics.meters_per_unit, metrics.kilograms_per_unit,
                 metrics.time_codes_per_second);
  if (metrics.has_time_code_range) {
    json["startTimeCode"] = to_json(metrics.start_time_code);
    json["endTimeCode"] = to_json(metrics.end_time_code);
    fmt::format_to(text, ", {:g} to {:g}", metrics.start_time_code, metrics.end_time_code);
  }
  fmt::format_to(text, "\n            {} layers, default prim {}\n", stage.layers().size(),
                 metrics.default_prim.empty() ? "not set" : one_line(metrics.default_prim));
}

void add_prims(const stage::Stage& stage, TextEnd text, Json& json) {
  std::map<std::string, std::size_t> by_type;
  std::size_t count = 0;
  for (const stage::Prim prim :
       stage.root().descendants(stage::Traversal::with_instance_proxies())) {
    if (prim.is_root()) continue;
    ++count;
    ++by_type[prim.type_name().empty() ? "(no type)" : prim.type_name().str()];
  }
  json["primCount"] = count;
  json["primTypes"] = Json::object();
  fmt::format_to(text, "prims       {}:", count);
  const char* separator = " ";
  for (const auto& [type, number] : by_type) {
    json["primTypes"][type] = number;
    fmt::format_to(text, "{}{} {}", separator, number, one_line(type));
    separator = ", ";
  }
  fmt::format_to(text, "\n");
}

void add_skeletons(const stage::Stage& stage, TextEnd text, Json& json, Diagnostics& diagnostics) {
  json["skeletons"] = Json::array();
  for (const auto& binding : skel::read_bindings(stage, diagnostics)) {
    Json& entry = json["skeletons"].emplace_back();
    const std::string path = binding.skeleton_prim.path().str();
    entry["path"] = path;
    entry["valid"] = binding.skeleton != nullptr;
    if (binding.skeleton == nullptr) {
      fmt::format_to(text, "skeleton    {}: not usable\n", path);
      continue;
    }
    const std::string clip =
        binding.animation_prim ? binding.animation_prim.path().str() : std::string();
    std::size_t points = 0;
    std::size_t shapes = 0;
    for (const auto& target : binding.targets) {
      const stage::Attribute attribute = target.prim.attribute("points");
      if (attribute) points += attribute.value(stage::Time::earliest()).size();
      if (target.has_blend_shapes()) ++shapes;
    }
    entry["joints"] = binding.skeleton->joints().size();
    entry["clip"] = clip.empty() ? Json(nullptr) : Json(clip);
    entry["skinnedPrims"] = binding.targets.size();
    entry["blendShapePrims"] = shapes;
    entry["points"] = points;
    fmt::format_to(
        text, "skeleton    {}: {} joints, {}, {} skinned prims ({} with blend shapes), {} points\n",
        path, binding.skeleton->joints().size(), clip.empty() ? "no clip" : "clip " + clip,
        binding.targets.size(), shapes, points);
  }
}

void add_physics(const stage::Stage& stage, TextEnd text, Json& json, Diagnostics& diagnostics) {
  const physics::PhysicsModel model = physics::read_physics(stage, diagnostics);
  json["physics"] = Json{{"scenes", model.scenes.size()},
                         {"bodies", model.rigid_bodies.size()},
                         {"shapes", model.shapes.size()},
                         {"joints", model.joints.size()},
                         {"articulations", model.articulations.size()},
                         {"collisionGroups", model.group_prims.size()},
                         {"materials", model.materials.size()}};
  if (model.scenes.empty() && model.rigid_bodies.empty() && model.shapes.empty() &&
      model.joints.empty()) {
    return;
  }
  fmt::format_to(text,
                 "physics     {} scenes, {} bodies, {} shapes, {} joints, {} articulations, "
                 "{} collision groups, {} materials\n",
                 model.scenes.size(), model.rigid_bodies.size(), model.shapes.size(),
                 model.joints.size(), model.articulations.size(), model.group_prims.size(),
                 model.materials.size());
}

// The attributes of vendors in the file and in all that it is made of.
void add_dialects(const stage::Stage& stage, TextEnd text, Json& json) {
  std::map<std::pair<physics::Dialect, std::string>, physics::DialectCount> counts;
  for (const layer::LayerPtr& layer : stage.layers()) {
    for (const physics::DialectCount& entry : physics::count_dialects(*layer)) {
      const auto [found, is_new] = counts.try_emplace({entry.dialect, entry.name}, entry);
      if (!is_new) found->second.count += entry.count;
    }
  }
  json["dialects"] = Json::object();
  for (const auto& [name, entry] : counts) {
    const std::string dialect(to_string(entry.dialect));
    json["dialects"][dialect][entry.name] = entry.count;
    fmt::format_to(text, "dialect     {}: {} {}{}\n", dialect, entry.count, entry.name,
                   entry.is_known ? "" : " (unknown)");
  }
}

// What kind of file it is, and what takes its bytes.
void add_encoding(const std::string& layer, const CommonOptions& common, TextEnd text, Json& json) {
  constexpr std::size_t kMostKinds = 5;
  stage::FileResolver files;
  Diagnostics unused;  // Said before, when the stage was opened.
  stage::PackageResolver resolver(files, unused, {});
  const Result<Bytes> bytes = resolver.read(layer, Bytes::kNoLimit);
  if (usdz::is_package_path(layer)) {
    const std::string shown = usdz::split_inner(layer).second;
    json["shown"] = shown;
    fmt::format_to(text, "package     shown: {}\n", one_line(shown));
  }
  if (!bytes) return;
  json["bytes"] = bytes->size();
  json["encoding"] = usdc::is_crate(*bytes) ? "usdc" : "usda";
  if (!usdc::is_crate(*bytes)) return;
  const Result<usdc::Info> info = usdc::describe(*bytes, layer, unused, limits_of(common));
  if (!info) return;
  const std::string version =
      fmt::format("{}.{}.{}", info->version.major, info->version.minor, info->version.patch);
  json["version"] = version;
  fmt::format_to(text,
                 "binary      version {}, {} bytes: {} specs, {} paths, {} fields, {} names\n",
                 version, info->file_bytes, info->specs, info->paths, info->fields, info->tokens);
  std::size_t shown = 0;
  for (const usdc::Info::Values& values : info->values) {
    if (values.bytes == 0 || shown++ == kMostKinds) break;
    fmt::format_to(text, "            {} bytes in {} {} ({} compressed)\n", values.bytes,
                   values.count, values.type, values.compressed);
  }
}

void summarise(FileJob& job, const CommonOptions& common) {
  const auto stage = open_stage(job.input, common, job.diagnostics);
  if (!stage) return job.fail_to_open(stage.error());
  Json& json = job.details;
  const TextEnd text(job.text);
  fmt::format_to(text, "{}\n", job.input);
  add_encoding((*stage)->layers().front()->identifier(), common, text, json);
  add_metrics(**stage, text, json);
  add_prims(**stage, text, json);
  add_skeletons(**stage, text, json, job.diagnostics);
  add_physics(**stage, text, json, job.diagnostics);
  add_dialects(**stage, text, json);
}

}  // namespace

ExitStatus run_info(const InfoOptions& options, Reporter& reporter) {
  std::vector<FileJob> jobs = find_jobs(options.batch.inputs);
  return run_jobs(jobs, options.batch, "reading", "read", reporter,
                  [&](FileJob& job) { summarise(job, options.common); });
}

}  // namespace sinew::tool
