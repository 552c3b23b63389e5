// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <map>
#include <variant>

#include "commands.hpp"
#include "sinew/physics/read/read_physics.hpp"
#include "sinew/skel/read/bindings.hpp"
#include "sinew/stage/package_resolver.hpp"
#include "sinew/stage/stage.hpp"
#include "sinew/usdc/reader.hpp"
#include "sinew/usdz/package_path.hpp"

namespace sinew::tool {

namespace {

void print_metrics(const stage::Stage& stage) {
  const stage::Metrics& metrics = stage.metrics();
  std::printf("stage       %s up, %g m per unit, %g kg per unit, %g time codes per second",
              metrics.up_axis.c_str(), metrics.meters_per_unit, metrics.kilograms_per_unit,
              metrics.time_codes_per_second);
  if (metrics.has_time_code_range) {
    std::printf(", %g to %g", metrics.start_time_code, metrics.end_time_code);
  }
  std::printf("\n            %zu layers, default prim %s\n", stage.layers().size(),
              metrics.default_prim.empty() ? "not set" : metrics.default_prim.c_str());
}

void print_prims(const stage::Stage& stage) {
  std::map<std::string, std::size_t> by_type;
  std::size_t count = 0;
  for (const stage::Prim prim :
       stage.root().descendants(stage::Traversal::with_instance_proxies())) {
    if (prim.is_root()) continue;
    ++count;
    ++by_type[prim.type_name().empty() ? "(no type)" : prim.type_name().str()];
  }
  std::printf("prims       %zu:", count);
  const char* separator = " ";
  for (const auto& [type, number] : by_type) {
    std::printf("%s%zu %s", separator, number, type.c_str());
    separator = ", ";
  }
  std::printf("\n");
}

void print_skeletons(const stage::Stage& stage, Diagnostics& diagnostics) {
  for (const skel::SkeletonBinding& binding : skel::read_bindings(stage, diagnostics)) {
    if (binding.skeleton == nullptr) {
      std::printf("skeleton    %s: not usable\n", binding.skeleton_prim.path().str().c_str());
      continue;
    }
    std::printf("skeleton    %s: %zu joints, ", binding.skeleton_prim.path().str().c_str(),
                binding.skeleton->joints().size());
    if (binding.animation_prim) {
      std::printf("clip %s", binding.animation_prim.path().str().c_str());
    } else {
      std::printf("no clip");
    }
    std::size_t points = 0;
    std::size_t shapes = 0;
    for (const skel::SkinTarget& target : binding.targets) {
      const stage::Attribute attribute = target.prim.attribute("points");
      if (attribute) points += attribute.value(stage::Time::earliest()).size();
      if (target.has_blend_shapes()) ++shapes;
    }
    std::printf(", %zu skinned prims (%zu with blend shapes), %zu points\n", binding.targets.size(),
                shapes, points);
  }
}

void print_physics(const stage::Stage& stage, Diagnostics& diagnostics) {
  const physics::PhysicsModel model = physics::read_physics(stage, diagnostics);
  if (model.scenes.empty() && model.rigid_bodies.empty() && model.shapes.empty() &&
      model.joints.empty()) {
    return;
  }
  std::printf(
      "physics     %zu scenes, %zu bodies, %zu shapes, %zu joints, %zu articulations, "
      "%zu collision groups, %zu materials\n",
      model.scenes.size(), model.rigid_bodies.size(), model.shapes.size(), model.joints.size(),
      model.articulations.size(), model.group_prims.size(), model.materials.size());
}

// What kind of file it is, and what takes its bytes.
void print_encoding(const std::string& layer) {
  constexpr std::size_t kMostKinds = 5;
  stage::FileResolver files;
  Diagnostics unused;  // Said before, when the stage was opened.
  stage::PackageResolver resolver(files, unused, {});
  const Result<Bytes> bytes = resolver.read(layer, Bytes::kNoLimit);
  if (usdz::is_package_path(layer)) {
    std::printf("package     shown: %s\n", usdz::split_inner(layer).second.c_str());
  }
  if (!bytes || !usdc::is_crate(*bytes)) return;
  const Result<usdc::Info> info = usdc::describe(*bytes, layer, unused, untrusted_limits());
  if (!info) return;
  std::printf(
      "binary      version %d.%d.%d, %zu bytes: %zu specs, %zu paths, %zu fields, %zu names\n",
      info->version.major, info->version.minor, info->version.patch,
      static_cast<std::size_t>(info->file_bytes), static_cast<std::size_t>(info->specs),
      static_cast<std::size_t>(info->paths), static_cast<std::size_t>(info->fields),
      static_cast<std::size_t>(info->tokens));
  std::size_t shown = 0;
  for (const usdc::Info::Values& values : info->values) {
    if (values.bytes == 0 || shown++ == kMostKinds) break;
    std::printf("            %zu bytes in %zu %s (%zu compressed)\n",
                static_cast<std::size_t>(values.bytes), static_cast<std::size_t>(values.count),
                values.type.c_str(), static_cast<std::size_t>(values.compressed));
  }
}

}  // namespace

ExitStatus run_info(const InfoOptions& options, Reporter& reporter) {
  Diagnostics diagnostics;
  const auto stage = open_stage(options.file, options.common, diagnostics);
  if (!stage) return reporter.open_failed(options.file, stage.error(), diagnostics);
  std::printf("%s\n", options.file.c_str());
  print_encoding((*stage)->layers().front()->identifier());
  print_metrics(**stage);
  print_prims(**stage);
  print_skeletons(**stage, diagnostics);
  print_physics(**stage, diagnostics);
  reporter.report(diagnostics);
  return ExitStatus::success;
}

}  // namespace sinew::tool
