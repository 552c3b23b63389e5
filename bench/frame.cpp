// SPDX-License-Identifier: Apache-2.0
// One frame of a character from a file: its pose, and all meshes blended and skinned. By Character,
// by the functions that evaluate a stage, and by the jobs written out by hand; with normals,
// without, and part by part; `ordered` is a Character whose points are in the order of their
// joints. More files, or folders of files, may be named in SINEW_BENCH_CHARACTERS, with colons
// between them.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "bench/frame_scene.hpp"
#include "sinew/core/executor_std_thread.hpp"
#include "sinew/skel/crowd.hpp"
#include "sinew/skel/read/bindings.hpp"
#include "sinew/skel/read/character.hpp"
#include "sinew/skel/read/clip.hpp"
#include "sinew/skel/read/evaluate.hpp"
#include "sinew/skel/read/pack.hpp"
#include "sinew/skel/read/vertex_buffer.hpp"
#include "sinew/skel/skin_many.hpp"
#include "sinew/stage/asset_resolver.hpp"
#include "sinew/stage/stage.hpp"

namespace {

using namespace sinew;
using namespace sinew::skel;

/// The skeleton of a file that deforms most points, and times to pose it at.
struct Subject {
  std::string name;
  stage::StagePtr stage;
  SkeletonBinding binding;
  std::vector<double> times;
  std::size_t points = 0;

  Subject(std::string subject_name, stage::StagePtr opened)
      : name(std::move(subject_name)), stage(std::move(opened)) {
    Diagnostics diagnostics;
    for (SkeletonBinding& found : read_bindings(*stage, diagnostics)) {
      std::size_t count = 0;
      for (const SkinTarget& target : found.targets) {
        const auto attribute = target.prim.attribute("points");
        if (!attribute) continue;
        if (const auto values = attribute.get_array<Vector3f>(stage::Time::earliest())) {
          count += values->size();
        }
      }
      if (count < points || found.skeleton == nullptr) continue;
      points = count;
      binding = std::move(found);
    }
    std::vector<double> samples;
    if (binding.animation != nullptr) samples = binding.animation->rotations.time_samples();
    const double first = samples.empty() ? 0.0 : samples.front();
    const double last = samples.empty() ? 1.0 : samples.back();
    for (int i = 0; i < 64; ++i) times.push_back(first + (last - first) * (i * 37 % 64) / 64.0);
  }

  double time(std::size_t frame) const { return times[frame % times.size()]; }
};

void count_frames(benchmark::State& state, const Subject& subject) {
  const auto frames = static_cast<double>(state.iterations());
  state.counters["points_per_second"] =
      benchmark::Counter(frames * static_cast<double>(subject.points), benchmark::Counter::kIsRate);
  state.counters["us_per_frame"] =
      benchmark::Counter(frames * 1e-6, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["points"] = static_cast<double>(subject.points);
  state.counters["joints"] = static_cast<double>(subject.binding.skeleton->joint_count());
  state.counters["meshes"] = static_cast<double>(subject.binding.targets.size());
}

/// How much of a frame is computed: the pose, points too, or normals as well.
enum class Extent { pose, points, all };

NormalsUse normals_of(Extent extent) {
  return extent == Extent::all ? NormalsUse::by_interpolation : NormalsUse::ignore;
}

void fast(benchmark::State& state, const Subject& subject, Extent extent,
          PointOrder order = PointOrder::keep, const Executor& executor = {}) {
  Diagnostics diagnostics;
  CharacterOptions options;
  options.order = order;
  options.deform.normals = normals_of(extent);
  auto character = Character::open(subject.binding, diagnostics, options);
  if (!character) return state.SkipWithError(character.error().message.c_str());
  std::size_t frame = 0;
  for (auto _ : state) {
    character->pose(subject.time(frame++));
    if (extent != Extent::pose) character->deform(executor);
    benchmark::ClobberMemory();
  }
  count_frames(state, subject);
  const auto meshes = character->meshes();
  state.counters["fast_meshes"] = static_cast<double>(
      std::count_if(meshes.begin(), meshes.end(), [](const CharacterMesh& m) { return m.fast; }));
  state.counters["fast_pose"] = character->is_posed_fast() ? 1.0 : 0.0;
}

void evaluate(benchmark::State& state, const Subject& subject, Extent extent) {
  Diagnostics diagnostics;
  DeformOptions options;
  options.normals = normals_of(extent);
  SkeletonPose pose;
  std::vector<DeformedPrim> deformed(subject.binding.targets.size());
  std::size_t frame = 0;
  for (auto _ : state) {
    diagnostics.clear();
    evaluate_pose(subject.binding, subject.time(frame++), pose, diagnostics);
    for (std::size_t i = 0; extent != Extent::pose && i < deformed.size(); ++i) {
      evaluate_target(subject.binding.targets[i], pose, deformed[i], diagnostics, options);
    }
    benchmark::ClobberMemory();
  }
  count_frames(state, subject);
}

/// What a program would write that knows its character: everything packed, the jobs run in turn.
struct ByHand {
  struct Mesh {
    const SkinTarget* target = nullptr;
    TargetInfluences influences;
    std::optional<PackedBlendShapes> shapes;
    stage::ArrayValue<Vector3f> points, normals;
    std::vector<Vector3f> points_out, normals_out;
    PackedVectors packed_points, packed_normals;
    std::vector<float> local, weights;
    std::vector<Affine34f> transforms;
    SkinPalette palette;
  };
  Clip clip;
  PackedSkeleton skeleton;
  std::vector<Affine34f> skel_from_joint, palette;
  std::vector<Matrix4d> skinning;
  std::vector<float> weights;
  std::vector<SubShapeWeight> sub_shapes;
  std::vector<Mesh> meshes;
  std::vector<BlendAndSkinJob> jobs;
  std::vector<Affine34f> normal_transforms;
  ClipCursor cursor;
  std::size_t weights_hint = 0;
  bool with_normals = true;
  bool turns_normals = false;  // Nothing scales joints, but rotations are written with few digits.

  static std::optional<ByHand> open(const SkeletonBinding& binding, bool normals = true) {
    Diagnostics diagnostics;
    auto clip = read_clip(binding, diagnostics);
    auto skeleton = pack_skeleton(binding);
    if (!clip || !skeleton) return std::nullopt;
    ByHand result;
    result.with_normals = normals;
    result.clip = *std::move(clip);
    result.skeleton = *std::move(skeleton);
    result.skel_from_joint.resize(result.skeleton.joint_count());
    result.palette.resize(result.skeleton.joint_count());
    result.weights.resize(result.clip.weights.width());
    const PackedClip& joints = result.clip.joints;
    result.turns_normals = normals && !joints.has_scales() && !has_unit_rotations(joints);
    for (const SkinTarget& target : binding.targets) {
      if (!result.add(binding, target)) return std::nullopt;
    }
    return result;
  }

  bool add(const SkeletonBinding& binding, const SkinTarget& target) {
    auto influences = pack_influences(binding, target, stage::Time::earliest());
    if (!influences || influences->has_still_joint) return false;
    Mesh mesh;
    mesh.target = &target;
    mesh.influences = *std::move(influences);
    mesh.points = *target.prim.attribute("points").get_array<Vector3f>(stage::Time::earliest());
    if (mesh.points.size() != mesh.influences.packed.point_count()) return false;
    mesh.points_out.resize(mesh.points.size());
    mesh.packed_points = *PackedVectors::pack(mesh.points.span(), mesh.influences.packed);
    const stage::Attribute attribute = target.prim.attribute("normals");
    if (with_normals && attribute) {
      const auto values = attribute.get_array<Vector3f>(stage::Time::earliest());
      const layer::Value kind = attribute.metadata("interpolation");
      const std::string_view text = kind.text().value_or("vertex");
      if (text != "vertex" && text != "varying") return false;
      if (values && values->size() == mesh.points.size()) {
        mesh.normals = *values;
        mesh.packed_normals = *PackedVectors::pack(mesh.normals.span(), mesh.influences.packed);
      }
      mesh.normals_out.resize(mesh.normals.size());
    }
    if (target.has_blend_shapes()) {
      auto shapes = pack_blend_shapes(target, mesh.influences.packed);
      if (!shapes) return false;
      mesh.weights.resize(shapes->sub_shape_count());
      mesh.shapes = *std::move(shapes);
    }
    meshes.push_back(std::move(mesh));
    return true;
  }

  bool pose(double time, bool with_palette = true) {
    PoseAgentJob job = {.skeleton = &skeleton,
                        .agent = {&clip.joints, time},
                        .skel_from_joint = skel_from_joint,
                        .cursor = &cursor};
    if (with_palette) job.palette = palette;
    if (clip.weights.sample_count() > 0) (void)clip.weights.sample(time, weights_hint, weights);
    if (!job.run()) return false;
    if (with_palette && turns_normals) turn_normals();
    return true;
  }

  static bool has_unit_rotations(const PackedClip& joints) {
    for (std::size_t s = 0; s < joints.sample_count(); ++s) {
      const float* rotation = joints.sample(s);
      for (std::size_t j = 0; j < joints.joint_count(); ++j, rotation += PackedClip::kStride) {
        const Eigen::Map<const Vector4f> q(rotation);
        if (std::abs(q.squaredNorm() - 1.0F) > 2e-6F) return false;
      }
    }
    return true;
  }

  /// Inverse transposes of the palette, once for all meshes.
  void turn_normals() {
    normal_transforms.resize(palette.size());
    for (std::size_t j = 0; j < palette.size(); ++j) {
      Matrix4d normal = Matrix4d::Identity();
      normal.topLeftCorner<3, 3>() =
          palette[j].matrix().topLeftCorner<3, 3>().inverse().transpose();
      normal_transforms[j] = Affine34f(normal);
    }
  }

  // Where joints are rigid, their matrices turn normals too. Rotations that were written with few
  // digits are not.
  SkinPaletteView palette_of(Mesh& mesh) {
    const Matrix4d& bind = mesh.influences.geom_bind;
    const bool is_enough = !turns_normals || bind.topLeftCorner<3, 3>().isIdentity(0.0);
    if (mesh.target->skin->method == SkinningMethod::linear && !clip.joints.has_scales() &&
        is_enough) {
      SkinPaletteView view;
      view.transforms = palette;
      if (turns_normals) view.normal_transforms = normal_transforms;
      if (bind == Matrix4d::Identity()) return view;
      const Affine34f folded(bind);
      mesh.transforms.resize(palette.size());
      for (std::size_t j = 0; j < palette.size(); ++j) {
        mesh.transforms[j] = product(palette[j], folded);
      }
      view.transforms = mesh.transforms;
      return view;
    }
    skinning.clear();
    for (const Affine34f& transform : palette) skinning.push_back(transform.matrix());
    mesh.palette.prepare(mesh.target->skin->method, skinning, bind);
    return mesh.palette.view();
  }

  static Affine34f product(const Affine34f& a, const Affine34f& b) {
    Affine34f result;
    for (int row = 0; row < 3; ++row) {
      const float* left = a.m + 4 * row;
      float* out = result.m + 4 * row;
      for (int i = 0; i < 4; ++i) {
        out[i] = left[0] * b.m[i] + left[1] * b.m[4 + i] + left[2] * b.m[8 + i];
      }
      out[3] += left[3];
    }
    return result;
  }

  /// Palettes of the meshes and weights of their blend shapes.
  bool prepare() {
    jobs.clear();
    for (Mesh& mesh : meshes) {
      BlendAndSkinJob job;
      job.skin.influences = &mesh.influences.packed;
      job.skin.palette = palette_of(mesh);
      job.skin.points = mesh.points.span();
      job.skin.points_out = mesh.points_out;
      job.skin.normals = mesh.normals.span();
      job.skin.normals_out = mesh.normals_out;
      job.skin.packed_points = &mesh.packed_points;
      job.skin.packed_normals = &mesh.packed_normals;
      if (mesh.shapes) {
        const BlendShapeSet& set = *mesh.target->skin->blend_shapes;
        const auto local = mesh.target->blend_shape_mapper->remapped<float>(weights, mesh.local);
        if (!set.sub_shape_weights(local, sub_shapes)) return false;
        if (!set.flatten(sub_shapes, mesh.weights)) return false;
        job.shapes = &*mesh.shapes;
        job.weights = mesh.weights;
      }
      jobs.push_back(job);
    }
    return true;
  }

  bool deform() { return prepare() && SkinManyJob{.meshes = jobs}.run().has_value(); }
};

void by_hand(benchmark::State& state, const Subject& subject, Extent extent) {
  std::optional<ByHand> jobs = ByHand::open(subject.binding, extent == Extent::all);
  if (!jobs) return state.SkipWithError("more than this loop is made for");
  std::size_t frame = 0;
  for (auto _ : state) {
    bool good = jobs->pose(subject.time(frame++));
    if (extent != Extent::pose) good = jobs->deform() && good;
    if (!good) state.SkipWithError("failed");
    benchmark::ClobberMemory();
  }
  count_frames(state, subject);
}

/// What a frame is made of. Samples are read and joints posed in one pass.
enum class Part { sample_and_pose, palette, blend, skin };

bool blend(std::span<const BlendAndSkinJob> jobs) {
  bool good = true;
  for (const BlendAndSkinJob& job : jobs) {
    if (job.shapes == nullptr) continue;
    const BlendShapesJob blending = {.shapes = job.shapes,
                                     .weights = job.weights,
                                     .points = job.skin.points,
                                     .points_out = job.skin.points_out,
                                     .normals = job.skin.normals,
                                     .normals_out = job.skin.normals_out};
    good = blending.run() && good;
  }
  return good;
}

bool skin(std::span<const BlendAndSkinJob> jobs) {
  bool good = true;
  for (const BlendAndSkinJob& job : jobs) good = job.skin.run() && good;
  return good;
}

/// One part alone, of what the jobs can do.
void part_by_hand(benchmark::State& state, const Subject& subject, Part which) {
  std::optional<ByHand> jobs = ByHand::open(subject.binding);
  if (!jobs) jobs = ByHand::open(subject.binding, false);
  if (!jobs || !jobs->pose(subject.time(9)) || !jobs->deform()) {
    return state.SkipWithError("more than this loop is made for");
  }
  std::size_t frame = 0;
  for (auto _ : state) {
    bool good = true;
    switch (which) {
      case Part::sample_and_pose:
        good = jobs->pose(subject.time(frame++), false);
        break;
      case Part::palette:
        good = jobs->prepare();
        break;
      case Part::blend:
        good = blend(jobs->jobs);
        break;
      case Part::skin:
        good = skin(jobs->jobs);
        break;
    }
    if (!good) state.SkipWithError("failed");
    benchmark::ClobberMemory();
  }
  count_frames(state, subject);
}

/// Deformed points and normals into the vertices that a renderer draws.
void upload(benchmark::State& state, const Subject& subject) {
  Diagnostics diagnostics;
  auto character = Character::open(subject.binding, diagnostics);
  if (!character) return state.SkipWithError(character.error().message.c_str());
  character->pose(subject.time(9));
  character->deform();
  std::vector<VertexBuffer> buffers;
  std::vector<const CharacterMesh*> meshes;
  std::size_t vertices = 0;
  for (const CharacterMesh& mesh : character->meshes()) {
    auto buffer = make_vertex_buffer(subject.binding, *mesh.target);
    if (!buffer || !update_vertices(mesh, *buffer, buffer->bytes)) continue;
    vertices += buffer->vertices.size();
    buffers.push_back(*std::move(buffer));
    meshes.push_back(&mesh);
  }
  if (buffers.empty()) return state.SkipWithError("nothing to draw");
  for (auto _ : state) {
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      (void)update_vertices(*meshes[i], buffers[i], buffers[i].bytes);
    }
    benchmark::ClobberMemory();
  }
  count_frames(state, subject);
  state.counters["vertices"] = static_cast<double>(vertices);
}

stage::StagePtr open_file(const std::string& file) {
  Diagnostics diagnostics;
  auto opened = stage::Stage::open(file, diagnostics);
  return opened ? *opened : nullptr;
}

stage::StagePtr open_made() {
  stage::MemoryResolver resolver;
  resolver.add("made.usda", bench::FrameScene::text());
  stage::OpenOptions options;
  options.resolver = &resolver;
  Diagnostics diagnostics;
  auto opened = stage::Stage::open(std::string("made.usda"), diagnostics, options);
  return opened ? *opened : nullptr;
}

void add_subject(const std::string& name, stage::StagePtr stage) {
  if (stage == nullptr) return;
  const auto subject = std::make_shared<const Subject>(name, std::move(stage));
  if (subject->binding.skeleton == nullptr) return;
  const auto add = [&](const std::string& row, auto run) {
    benchmark::RegisterBenchmark(("Frame/" + row + "/" + name).c_str(),
                                 [subject, run](benchmark::State& s) { run(s, *subject); });
  };
  using benchmark::State;
  const auto add_extent = [&](const std::string& suffix, Extent extent) {
    add("fast" + suffix, [extent](State& s, const Subject& c) { fast(s, c, extent); });
    add("evaluate" + suffix, [extent](State& s, const Subject& c) { evaluate(s, c, extent); });
    add("jobs" + suffix, [extent](State& s, const Subject& c) { by_hand(s, c, extent); });
  };
  const auto add_ordered = [&](const std::string& suffix, Extent extent) {
    add("ordered" + suffix,
        [extent](State& s, const Subject& c) { fast(s, c, extent, PointOrder::by_joint); });
  };
  // The meshes split over all processors; by the clock.
  const auto add_split = [&](const std::string& suffix, Extent extent) {
    const auto run = [subject, extent](State& s) {
      StdThreadPool pool;
      fast(s, *subject, extent, PointOrder::keep, pool.executor());
    };
    benchmark::RegisterBenchmark(("Frame/split" + suffix + "/" + name).c_str(), run)->UseRealTime();
  };
  add_extent("", Extent::all);
  add_extent("_points", Extent::points);
  add_extent("_pose", Extent::pose);
  add_split("", Extent::all);
  add_split("_points", Extent::points);
  add_ordered("", Extent::all);
  add_ordered("_points", Extent::points);
  const auto add_part = [&](const char* row, Part which) {
    add(row, [which](State& s, const Subject& c) { part_by_hand(s, c, which); });
  };
  add_part("sample_and_pose", Part::sample_and_pose);
  add_part("palette", Part::palette);
  add_part("blend", Part::blend);
  add_part("skin", Part::skin);
  add("upload", upload);
}

/// A file, or the files of a folder.
void add_files(const std::filesystem::path& path) {
  std::error_code ignored;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(path, ignored)) {
    if (entry.path().extension().string().starts_with(".usd")) files.push_back(entry.path());
  }
  if (files.empty()) files.push_back(path);
  std::sort(files.begin(), files.end());
  for (const std::filesystem::path& file : files) {
    add_subject(file.stem().string(), open_file(file.string()));
  }
}

void add_frames() {
  add_subject("character", open_file(SINEW_BENCH_DATA "/character.usda"));
  add_subject("made", open_made());
  const char* more = std::getenv("SINEW_BENCH_CHARACTERS");
  std::istringstream files(more == nullptr ? "" : more);
  for (std::string name; std::getline(files, name, ':');) add_files(name);
}

[[maybe_unused]] const bool registered = (add_frames(), true);

}  // namespace
