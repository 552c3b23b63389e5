// SPDX-License-Identifier: Apache-2.0
// One frame of a character from a file: its pose, and all meshes blended and skinned. By Character,
// by the functions that evaluate a stage, and by the jobs written out by hand. Names of more files
// may stand in SINEW_BENCH_CHARACTERS, with colons between them.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "bench/frame_scene.hpp"
#include "sinew/skel/crowd.hpp"
#include "sinew/skel/read/bindings.hpp"
#include "sinew/skel/read/character.hpp"
#include "sinew/skel/read/clip.hpp"
#include "sinew/skel/read/evaluate.hpp"
#include "sinew/skel/read/pack.hpp"
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

void fast(benchmark::State& state, const Subject& subject, bool deform) {
  Diagnostics diagnostics;
  auto character = Character::open(subject.binding, diagnostics);
  if (!character) return state.SkipWithError(character.error().message.c_str());
  std::size_t frame = 0;
  for (auto _ : state) {
    character->pose(subject.time(frame++));
    if (deform) character->deform();
    benchmark::ClobberMemory();
  }
  count_frames(state, subject);
  const auto meshes = character->meshes();
  state.counters["fast_meshes"] = static_cast<double>(
      std::count_if(meshes.begin(), meshes.end(), [](const CharacterMesh& m) { return m.fast; }));
  state.counters["fast_pose"] = character->is_posed_fast() ? 1.0 : 0.0;
}

void evaluate(benchmark::State& state, const Subject& subject, bool deform) {
  Diagnostics diagnostics;
  SkeletonPose pose;
  std::vector<DeformedPrim> deformed(subject.binding.targets.size());
  std::size_t frame = 0;
  for (auto _ : state) {
    diagnostics.clear();
    evaluate_pose(subject.binding, subject.time(frame++), pose, diagnostics);
    for (std::size_t i = 0; deform && i < deformed.size(); ++i) {
      evaluate_target(subject.binding.targets[i], pose, deformed[i], diagnostics);
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
    std::vector<float> local, weights;
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

  static std::optional<ByHand> open(const SkeletonBinding& binding) {
    Diagnostics diagnostics;
    auto clip = read_clip(binding, diagnostics);
    auto skeleton = pack_skeleton(binding);
    if (!clip || !skeleton) return std::nullopt;
    ByHand result;
    result.clip = *std::move(clip);
    result.skeleton = *std::move(skeleton);
    result.skel_from_joint.resize(result.skeleton.joint_count());
    result.palette.resize(result.skeleton.joint_count());
    result.weights.resize(result.clip.weights.width());
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
    mesh.points_out.resize(mesh.points.size());
    if (const auto attribute = target.prim.attribute("normals")) {
      const auto values = attribute.get_array<Vector3f>(stage::Time::earliest());
      const layer::Value kind = attribute.metadata("interpolation");
      const std::string_view text = kind.text().value_or("vertex");
      if (text != "vertex" && text != "varying") return false;
      if (values && values->size() == mesh.points.size()) mesh.normals = *values;
      mesh.normals_out.resize(mesh.normals.size());
    }
    if (target.has_blend_shapes()) {
      auto shapes = pack_blend_shapes(target, mesh.points.size());
      if (!shapes) return false;
      mesh.weights.resize(shapes->sub_shape_count());
      mesh.shapes = *std::move(shapes);
    }
    meshes.push_back(std::move(mesh));
    return true;
  }

  bool pose(double time) {
    const PoseAgentJob job = {.skeleton = &skeleton,
                              .agent = {&clip.joints, time},
                              .skel_from_joint = skel_from_joint,
                              .palette = palette};
    if (clip.weights.sample_count() > 0) (void)clip.weights.sample(time, weights);
    return job.run().has_value();
  }

  // One palette serves where nothing but rotations and translations move a mesh.
  SkinPaletteView palette_of(Mesh& mesh) {
    const bool plain = mesh.target->skin->method == SkinningMethod::linear &&
                       !clip.joints.has_scales() &&
                       mesh.influences.geom_bind == Matrix4d::Identity();
    if (plain) {
      SkinPaletteView view;
      view.transforms = palette;
      return view;
    }
    skinning.clear();
    for (const Affine34f& transform : palette) skinning.push_back(transform.matrix());
    mesh.palette.prepare(mesh.target->skin->method, skinning, mesh.influences.geom_bind);
    return mesh.palette.view();
  }

  bool deform() {
    jobs.clear();
    for (Mesh& mesh : meshes) {
      BlendAndSkinJob job;
      job.skin.influences = &mesh.influences.packed;
      job.skin.palette = palette_of(mesh);
      job.skin.points = mesh.points.span();
      job.skin.points_out = mesh.points_out;
      job.skin.normals = mesh.normals.span();
      job.skin.normals_out = mesh.normals_out;
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
    return SkinManyJob{.meshes = jobs}.run().has_value();
  }
};

void by_hand(benchmark::State& state, const Subject& subject, bool deform) {
  std::optional<ByHand> jobs = ByHand::open(subject.binding);
  if (!jobs) return state.SkipWithError("more than this loop is made for");
  std::size_t frame = 0;
  for (auto _ : state) {
    bool good = jobs->pose(subject.time(frame++));
    if (deform) good = jobs->deform() && good;
    if (!good) state.SkipWithError("failed");
    benchmark::ClobberMemory();
  }
  count_frames(state, subject);
}

/// Blending and skinning apart, of what takes no more than skinning.
void part(benchmark::State& state, const Subject& subject, bool blend) {
  std::optional<ByHand> jobs = ByHand::open(subject.binding);
  if (!jobs || !jobs->pose(subject.time(9)) || !jobs->deform()) {
    return state.SkipWithError("more than this loop is made for");
  }
  for (auto _ : state) {
    bool good = true;
    for (BlendAndSkinJob& job : jobs->jobs) {
      if (!blend) {
        good = job.skin.run() && good;
      } else if (job.shapes != nullptr) {
        const BlendShapesJob blending = {.shapes = job.shapes,
                                         .weights = job.weights,
                                         .points = job.skin.points,
                                         .points_out = job.skin.points_out,
                                         .normals = job.skin.normals,
                                         .normals_out = job.skin.normals_out};
        good = blending.run() && good;
      }
    }
    if (!good) state.SkipWithError("failed");
    benchmark::ClobberMemory();
  }
  count_frames(state, subject);
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
  const auto add = [&](const char* row, auto run) {
    benchmark::RegisterBenchmark((std::string("Frame/") + row + "/" + name).c_str(),
                                 [subject, run](benchmark::State& s) { run(s, *subject); });
  };
  using benchmark::State;
  add("fast", [](State& s, const Subject& c) { fast(s, c, true); });
  add("evaluate", [](State& s, const Subject& c) { evaluate(s, c, true); });
  add("jobs", [](State& s, const Subject& c) { by_hand(s, c, true); });
  add("fast_pose", [](State& s, const Subject& c) { fast(s, c, false); });
  add("evaluate_pose", [](State& s, const Subject& c) { evaluate(s, c, false); });
  add("jobs_pose", [](State& s, const Subject& c) { by_hand(s, c, false); });
  add("blend", [](State& s, const Subject& c) { part(s, c, true); });
  add("skin", [](State& s, const Subject& c) { part(s, c, false); });
}

void add_frames() {
  add_subject("character", open_file(SINEW_BENCH_DATA "/character.usda"));
  add_subject("made", open_made());
  const char* more = std::getenv("SINEW_BENCH_CHARACTERS");
  std::istringstream files(more == nullptr ? "" : more);
  for (std::string file; std::getline(files, file, ':');) {
    add_subject(std::filesystem::path(file).stem().string(), open_file(file));
  }
}

[[maybe_unused]] const bool registered = (add_frames(), true);

}  // namespace
