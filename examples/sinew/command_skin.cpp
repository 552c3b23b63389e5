// SPDX-License-Identifier: Apache-2.0
// sinew skin: deformed meshes, as .obj files or as a layer that goes on top of the input.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "commands.hpp"
#include "interrupt.hpp"
#include "paths.hpp"
#include "sinew/core/executor_std_thread.hpp"
#include "sinew/export/obj.hpp"
#include "sinew/geom/transforms.hpp"
#include "sinew/skel/read/bake_skinning.hpp"
#include "sinew/skel/read/bindings.hpp"
#include "sinew/skel/read/evaluate.hpp"
#include "sinew/stage/pack.hpp"
#include "sinew/stage/stage.hpp"
#include "sinew/usdc/writer.hpp"
#include "sinew/usdz/package_path.hpp"
#include "sinew/usdz/writer.hpp"

namespace sinew::tool {

namespace fs = std::filesystem;

namespace {

constexpr std::array<std::string_view, 5> kExtensions = {".usdc", ".usda", ".usd", ".usdz", ".obj"};

/// Where a package keeps what a baked layer goes on top of.
constexpr std::string_view kSourceFolder = "source/";

/// Called with how many frames are done, of how many; may be empty.
using Progress = std::function<void(std::size_t, std::size_t)>;

bool is_obj(const std::string& file) {
  return extension_of(file) == ".obj";
}

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

/// A mesh placed in the world, and the arrays that make it.
struct WorldMesh {
  std::string name;
  std::vector<Vector3f> points;
  stage::ArrayValue<std::int32_t> counts;
  std::vector<std::int32_t> indices;
};

/// Turns every face; the first corner of each stays.
void reverse_faces(WorldMesh& mesh) {
  std::span<std::int32_t> left = mesh.indices;
  for (const std::int32_t count : mesh.counts) {
    if (count < 0 || static_cast<std::size_t>(count) > left.size()) return;  // Told by write_obj().
    const auto corners = left.first(static_cast<std::size_t>(count));
    if (count > 2) std::reverse(corners.begin() + 1, corners.end());
    left = left.subspan(corners.size());
  }
}

void tell_what_is_not_finite(const WorldMesh& mesh, Diagnostics& diagnostics) {
  const auto lost = std::count_if(mesh.points.begin(), mesh.points.end(),
                                  [](const Vector3f& point) { return !point.allFinite(); });
  if (lost == 0) return;
  Diagnostic& found = diagnostics.emplace_back();
  found.severity = Severity::warning;
  found.code = "skin-not-finite";
  found.path = mesh.name;
  found.message = fmt::format("{} points of {} are not finite.", lost, mesh.name);
  found.hint = "sinew check tells of weights and transforms that are not";
}

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
    if (const auto corners = indices.get_array<std::int32_t>(time)) {
      mesh.indices.assign(corners->begin(), corners->end());
    }
    const Matrix4d world = geom::world_from_prim(target.prim, time);
    const stage::Attribute orientation = target.prim.attribute("orientation");
    const bool is_left_handed = orientation && orientation.get_text(time) == "leftHanded";
    const bool is_mirrored = world.topLeftCorner<3, 3>().determinant() < 0.0;
    if (is_left_handed != is_mirrored) reverse_faces(mesh);  // An .obj has right-handed faces only.
    if (deformed.skinned) {
      mesh.points = std::move(deformed.points);
      move_points(pose.world_from_skel, mesh.points);
    } else {
      if (deformed.blended) {
        mesh.points = std::move(deformed.blended_points);
      } else if (const auto rest = points.get_array<Vector3f>(time)) {
        mesh.points.assign(rest->begin(), rest->end());
      }
      move_points(world, mesh.points);
    }
    tell_what_is_not_finite(mesh, diagnostics);
    meshes.push_back(std::move(mesh));
  }
}

/// "0012" for a whole frame, "0012_500" with so many digits of what is behind the point.
std::string frame_name(double frame, int digits) {
  if (std::floor(frame) == frame) return fmt::format("{:04.0f}", frame);
  constexpr int kWhole = 4;
  std::string name = fmt::format("{:0{}.{}f}", frame, kWhole + 1 + digits, digits);
  name[name.find('.')] = '_';
  return name;
}

/// How many digits tell these frames, which are in order, apart; at least three.
int digits_of(std::span<const double> frames) {
  constexpr int kFewest = 3;
  constexpr int kMost = 17;  // Further ones tell no two doubles apart that are not tiny.
  int digits = kFewest;
  for (std::size_t i = 1; i < frames.size(); ++i) {
    while (digits < kMost && frame_name(frames[i - 1], digits) == frame_name(frames[i], digits)) {
      ++digits;
    }
  }
  return digits;
}

/// OUT.obj, or OUT.0012.obj for one of several frames.
std::string numbered(const std::string& output, double frame, int digits) {
  const fs::path path = path_of(output);
  const fs::path name =
      path_of(utf8_of(path.stem()) + '.' + frame_name(frame, digits) + utf8_of(path.extension()));
  return utf8_of(path.parent_path() / name);
}

/// A time to be written, and the .obj file for it.
struct Frame {
  stage::Time time;
  std::string file;
};

std::vector<Frame> frames_of(const FileJob& job, const SkinOptions& options) {
  if (!options.frames) return {{options.time, job.output}};
  const std::vector<double> codes = frame_times(*options.frames);
  const int digits = digits_of(codes);
  std::vector<Frame> frames;
  for (const double code : codes) frames.push_back({code, numbered(job.output, code, digits)});
  return frames;
}

Status write_obj(std::span<const WorldMesh> meshes, const std::string& file) {
  std::vector<exporter::ObjMesh> views;
  for (const WorldMesh& mesh : meshes) {
    views.push_back({.name = mesh.name,
                     .points = mesh.points,
                     .face_vertex_counts = mesh.counts.span(),
                     .face_vertex_indices = mesh.indices});
  }
  if (Status made = make_folder_of(file); !made) return made;
  const WriteScope scope;
  return exporter::write_obj_file(views, file);
}

void tell_that_nothing_is_bound(FileJob& job, const std::string& result) {
  Diagnostic nothing;
  nothing.severity = Severity::warning;
  nothing.code = "skin-nothing-bound";
  nothing.message = "no prim is bound to a skeleton; " + result;
  nothing.file = job.input;
  job.diagnostics.push_back(std::move(nothing));
}

void write_obj_frames(FileJob& job, const SkinOptions& options, const stage::Stage& stage,
                      const Progress& progress) {
  const auto bindings = skel::read_bindings(stage, job.diagnostics);
  if (bindings.empty()) tell_that_nothing_is_bound(job, "the file has no mesh");
  const std::vector<Frame> frames = frames_of(job, options);
  Diagnostics repeated;  // What is said of the first frame holds for the others.
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const auto& [time, file] = frames[i];
    if (options.output.skip_existing && is_there(file)) continue;
    std::vector<WorldMesh> meshes;
    for (const auto& binding : bindings) {
      add_meshes(binding, time, meshes, i == 0 ? job.diagnostics : repeated);
    }
    repeated.clear();
    if (const Status status = write_obj(meshes, file); !status) return job.fail(status.error());
    if (progress) progress(i + 1, frames.size());
  }
}

/// The asset path by which a layer at `output` reaches `source`.
std::string path_from(const fs::path& output, const fs::path& source) {
  const std::string path = utf8_of(source.lexically_relative(output.parent_path()));
  return path.starts_with("../") ? path : "./" + path;
}

/// The files of a stage, to be packed beside the baked layer: the one it was opened from first.
Result<std::vector<usdz::File>> sources_to_pack(FileJob& job, const SkinOptions& options,
                                                const stage::Stage& stage) {
  const auto [file, inner] = usdz::split_inner(stage.layers().front()->identifier());
  stage::PackOptions pack;
  pack.open = open_options(options.common);
  pack.name =
      std::string(kSourceFolder) + utf8_of(path_of(inner.empty() ? file : inner).filename());
  Diagnostics found;  // The stage has told what is wrong with its layers.
  auto files = stage::pack(job.input, found, pack);
  add_new(std::move(found), job.diagnostics);
  return files;
}

Status write_baked_package(const layer::Layer& layer, std::vector<usdz::File> further,
                           FileJob& job) {
  if (Status made = make_folder_of(job.output); !made) return made;
  Result<Bytes> bytes = usdc::write(layer, job.diagnostics);
  if (!bytes) return std::move(bytes).error();
  further.insert(further.begin(),
                 usdz::File{utf8_of(path_of(job.output).stem()) + ".usdc", *std::move(bytes)});
  const WriteScope scope;
  return usdz::write_file(further, job.output, job.diagnostics);
}

void write_baked(FileJob& job, const SkinOptions& options, const stage::Stage& stage,
                 const Executor& executor, const Progress& progress) {
  skel::BakeOptions bake;
  bake.identifier = job.output;
  std::vector<usdz::File> packed;
  const bool is_package = usdz::is_package_name(job.output);
  if (is_package) {
    Result<std::vector<usdz::File>> found = sources_to_pack(job, options, stage);
    if (!found) return job.fail(found.error());
    packed = *std::move(found);
    bake.source_layer = "./" + packed.front().name;
  } else {
    bake.source_layer = path_from(fs::weakly_canonical(fs::absolute(path_of(job.output))),
                                  fs::weakly_canonical(fs::absolute(path_of(job.input))));
  }
  if (options.frames) {
    bake.times = frame_times(*options.frames);
  } else if (!options.time.is_default()) {
    bake.times = {options.time.code()};
  }
  bake.executor = executor;
  bake.progress = progress;
  const auto layer = skel::bake_skinning(stage, bake, job.diagnostics);
  if (!layer) return job.fail(layer.error());
  Diagnostics told;  // Baking has told them.
  if ((*layer)->root().children.empty() && skel::read_bindings(stage, told).empty()) {
    tell_that_nothing_is_bound(job, "the layer adds nothing to the file");
  }
  const Status status = is_package
                            ? write_baked_package(**layer, std::move(packed), job)
                            : write_layer(**layer, job.output, usdc::Version(), job.diagnostics);
  if (!status) job.fail(status.error());
}

/// Whether nothing is left to be done.
bool is_done(const FileJob& job, const SkinOptions& options) {
  if (!is_there(job.input) || is_same_file(file_of(job.input), job.output)) return false;
  if (!is_obj(job.output)) return is_there(job.output);
  const std::vector<Frame> frames = frames_of(job, options);
  return std::all_of(frames.begin(), frames.end(),
                     [](const Frame& frame) { return is_there(frame.file); });
}

void skin(FileJob& job, const SkinOptions& options, const Executor& executor,
          const Progress& progress) {
  if (options.output.skip_existing && is_done(job, options)) {
    job.is_skipped = true;
    return;
  }
  const auto stage = open_stage(job.input, options.common, job.diagnostics);
  if (!stage) return job.fail_to_open(stage.error());
  // The baked layer goes on top of them.
  if (Status good = check_output(**stage, job.output, "skin"); !good) return job.fail(good.error());
  if (is_obj(job.output)) return write_obj_frames(job, options, **stage, progress);
  write_baked(job, options, **stage, executor, progress);
}

}  // namespace

ExitStatus run_skin(const SkinOptions& options, Reporter& reporter) {
  Result<std::vector<FileJob>> jobs =
      find_jobs(options.batch.inputs, options.output, "skin", kExtensions);
  if (!jobs) return reporter.usage_error(jobs.error().message);
  Progress progress;
  Executor executor;
  std::optional<StdThreadPool> pool;
  if (jobs->size() == 1) {  // Then its frames are what takes long.
    pool.emplace(thread_count(options.batch));
    executor = pool->executor();
    progress = [&](std::size_t done, std::size_t total) {
      reporter.progress("frames", done, total);
    };
  }
  return run_jobs(*jobs, options.batch, "skinning", "skinned", reporter,
                  [&](FileJob& job) { skin(job, options, executor, progress); });
}

}  // namespace sinew::tool
