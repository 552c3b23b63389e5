// SPDX-License-Identifier: Apache-2.0
// sinew skin: deformed meshes, as .obj files or as a layer that goes on top of the input.

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <span>
#include <string_view>

#include "commands.hpp"
#include "sinew/export/obj.hpp"
#include "sinew/geom/transforms.hpp"
#include "sinew/skel/read/bake_skinning.hpp"
#include "sinew/skel/read/bindings.hpp"
#include "sinew/skel/read/evaluate.hpp"
#include "sinew/stage/stage.hpp"

namespace sinew::tool {

namespace {

std::vector<double> frame_times(const FrameRange& range) {
  std::vector<double> times;
  // Half a step of room, so that the last frame is not lost to rounding.
  const auto count =
      static_cast<std::size_t>(std::floor((range.last - range.first) / range.step + 1e-6));
  for (std::size_t i = 0; i <= count; ++i) {
    times.push_back(range.first + static_cast<double>(i) * range.step);
  }
  return times;
}

void move_points(const Matrix4d& transform, std::span<Vector3f> points) {
  for (Vector3f& point : points) {
    const Eigen::Vector4d moved = transform * point.cast<double>().homogeneous();
    point = moved.head<3>().cast<float>();
  }
}

/// A mesh as it stands in the world, and the arrays that make it.
struct WorldMesh {
  std::string name;
  std::vector<Vector3f> points;
  stage::ArrayValue<std::int32_t> counts;
  stage::ArrayValue<std::int32_t> indices;
};

/// Meshes of one binding at one time, in world space.
void add_meshes(const skel::SkeletonBinding& binding, stage::Time time,
                std::vector<WorldMesh>& meshes, Diagnostics& diagnostics) {
  skel::SkeletonPose pose;
  skel::evaluate_pose(binding, time, pose, diagnostics);
  for (const skel::SkinTarget& target : binding.targets) {
    if (!target.prim.is_a(stage::SchemaType::mesh)) continue;
    skel::DeformedPrim deformed;
    skel::evaluate_target(target, pose, deformed, diagnostics);
    WorldMesh mesh;
    mesh.name = target.prim.path().str();
    const stage::Attribute points = target.prim.attribute("points");
    const stage::Attribute counts = target.prim.attribute("faceVertexCounts");
    const stage::Attribute indices = target.prim.attribute("faceVertexIndices");
    if (!points || !counts || !indices) continue;
    mesh.counts = counts.get_array<std::int32_t>(time).value_or(mesh.counts);
    mesh.indices = indices.get_array<std::int32_t>(time).value_or(mesh.indices);
    if (deformed.skinned) {
      mesh.points = std::move(deformed.points);
      move_points(pose.world_from_skel, mesh.points);
    } else {
      if (deformed.blended) {
        mesh.points = std::move(deformed.blended_points);
      } else if (const auto rest = points.get_array<Vector3f>(time)) {
        mesh.points.assign(rest->begin(), rest->end());
      }
      move_points(geom::world_from_prim(target.prim, time), mesh.points);
    }
    meshes.push_back(std::move(mesh));
  }
}

/// OUT.obj, or OUT.0012.obj for one of several frames.
std::string numbered(const std::string& output, double frame) {
  const std::filesystem::path path(output);
  char number[64];
  const double whole = std::floor(frame);
  if (whole == frame) {
    std::snprintf(number, sizeof number, ".%04.0f", frame);
  } else {
    std::snprintf(number, sizeof number, ".%04.0f_%03.0f", whole,
                  std::round((frame - whole) * 1000.0));
  }
  const std::filesystem::path name = path.stem().string() + number + path.extension().string();
  return (path.parent_path() / name).string();
}

ExitStatus write_obj_frames(const SkinOptions& options, const stage::Stage& stage,
                            Reporter& reporter) {
  Diagnostics diagnostics;
  const std::vector<skel::SkeletonBinding> bindings = skel::read_bindings(stage, diagnostics);
  if (bindings.empty()) {
    Diagnostic nothing;
    nothing.severity = Severity::warning;
    nothing.code = "skin-nothing-bound";
    nothing.message = "no prim is bound to a skeleton; no mesh is written";
    nothing.file = options.file;
    diagnostics.push_back(std::move(nothing));
  }
  std::vector<stage::Time> times = {options.time};
  if (options.frames) {
    const std::vector<double> codes = frame_times(*options.frames);
    times.assign(codes.begin(), codes.end());
  }
  std::size_t done = 0;
  for (const stage::Time time : times) {
    std::vector<WorldMesh> meshes;
    for (const skel::SkeletonBinding& binding : bindings) {
      add_meshes(binding, time, meshes, diagnostics);
    }
    std::vector<exporter::ObjMesh> views;
    for (const WorldMesh& mesh : meshes) {
      views.push_back({.name = mesh.name,
                       .points = mesh.points,
                       .face_vertex_counts = mesh.counts.span(),
                       .face_vertex_indices = mesh.indices.span()});
    }
    const std::string file =
        options.frames ? numbered(options.output, time.code()) : options.output;
    if (const Status status = exporter::write_obj_file(views, file); !status) {
      reporter.report(diagnostics);
      return reporter.usage_error(file + ": " + status.error().message);
    }
    reporter.progress("frames", ++done, times.size());
    if (done == 1) reporter.report(diagnostics);  // Later frames would repeat it all.
    diagnostics.clear();
  }
  return ExitStatus::success;
}

ExitStatus write_baked(const SkinOptions& options, const stage::Stage& stage, Reporter& reporter) {
  namespace fs = std::filesystem;
  const fs::path source = fs::weakly_canonical(fs::absolute(options.file));
  const fs::path output = fs::weakly_canonical(fs::absolute(options.output));
  if (source == output) {
    return reporter.usage_error("skin: the output would replace the file it is made from");
  }
  skel::BakeOptions bake;
  bake.identifier = options.output;
  bake.source_layer = source.lexically_relative(output.parent_path()).generic_string();
  if (!bake.source_layer.starts_with("../")) bake.source_layer = "./" + bake.source_layer;
  if (options.frames) {
    bake.times = frame_times(*options.frames);
  } else if (!options.time.is_default()) {
    bake.times = {options.time.code()};
  }
  bake.progress = [&](std::size_t done, std::size_t total) {
    reporter.progress("frames", done, total);
  };
  Diagnostics diagnostics;
  const auto layer = skel::bake_skinning(stage, bake, diagnostics);
  if (!layer) return reporter.open_failed(options.file, layer.error(), diagnostics);
  reporter.report(diagnostics);
  Diagnostics of_writing;
  const Status status = write_layer(**layer, options.output, usdc::Version(), of_writing);
  reporter.report(of_writing);
  if (!status) return reporter.usage_error(options.output + ": " + status.error().message);
  return ExitStatus::success;
}

}  // namespace

ExitStatus run_skin(const SkinOptions& options, Reporter& reporter) {
  const std::string extension = std::filesystem::path(options.output).extension().string();
  if (extension != ".obj" && !is_layer_file(options.output)) {
    return reporter.usage_error("skin: the output must end in .obj, .usda, .usdc or .usdz, not '" +
                                options.output + "'");
  }
  Diagnostics diagnostics;
  const auto stage = open_stage(options.file, options.common, diagnostics);
  if (!stage) return reporter.open_failed(options.file, stage.error(), diagnostics);
  reporter.report(diagnostics);
  return extension == ".obj" ? write_obj_frames(options, **stage, reporter)
                             : write_baked(options, **stage, reporter);
}

}  // namespace sinew::tool
