// SPDX-License-Identifier: Apache-2.0
// The code of the task pages in docs/, compiled and run. The last test checks that every block of
// C++ on those pages stands here too, so neither can change without the other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <vector>

#include "sinew/core/bytes.hpp"
#include "sinew/core/executor_std_thread.hpp"
#include "sinew/export/import_glb.hpp"
#include "sinew/skel/anim_mapper.hpp"
#include "sinew/skel/blend_shapes.hpp"
#include "sinew/skel/crowd.hpp"
#include "sinew/skel/gltf.hpp"
#include "sinew/skel/influences.hpp"
#include "sinew/skel/joint_transforms.hpp"
#include "sinew/skel/match_joints.hpp"
#include "sinew/skel/packed_blend_shapes.hpp"
#include "sinew/skel/packed_influences.hpp"
#include "sinew/skel/playback.hpp"
#include "sinew/skel/read/bake_skinning.hpp"
#include "sinew/skel/read/bindings.hpp"
#include "sinew/skel/read/character.hpp"
#include "sinew/skel/read/clip.hpp"
#include "sinew/skel/read/crowd.hpp"
#include "sinew/skel/read/evaluate.hpp"
#include "sinew/skel/read/extents.hpp"
#include "sinew/skel/read/pack.hpp"
#include "sinew/skel/read/vertex_buffer.hpp"
#include "sinew/skel/skin_many.hpp"
#include "sinew/skel/skinning.hpp"
#include "sinew/stage/stage.hpp"
#include "sinew/usda/writer.hpp"
#include "support/folders.hpp"
#include "support/quoted_code.hpp"

namespace sinew::docs_test {
namespace {

const std::string kRig = test::data_folder() + "/skel/bake_rig_linear.usda";

// skeletons.md

void list_skeletons(const std::string& file) {
  Diagnostics diagnostics;
  const auto stage = stage::Stage::open(file, diagnostics);
  if (!stage) return;  // stage.error() says why.

  for (const skel::SkeletonBinding& binding : skel::read_bindings(**stage, diagnostics)) {
    if (binding.skeleton == nullptr) continue;  // Its joints form no hierarchy.
    std::printf("%s: %zu joints\n", binding.skeleton_prim.path().str().c_str(),
                binding.skeleton->joint_count());
    if (binding.animation_prim) {
      std::printf("  plays %s\n", binding.animation_prim.path().str().c_str());
    }
    for (const skel::SkinTarget& target : binding.targets) {
      std::printf("  deforms %s\n", target.prim.path().str().c_str());
    }
  }
  for (const Diagnostic& diagnostic : diagnostics) {
    std::fprintf(stderr, "%s\n", format(diagnostic).c_str());
  }
}

TEST(Docs, ListsSkeletons) {
  ::testing::internal::CaptureStdout();
  list_skeletons(kRig);
  const std::string printed = ::testing::internal::GetCapturedStdout();
  EXPECT_THAT(printed, ::testing::HasSubstr("/Rig/Skel: 3 joints\n  plays /Rig/Skel/Anim\n"));
  EXPECT_THAT(printed, ::testing::HasSubstr("  deforms /Rig/Geometry/Prism\n"));
}

void import_characters(const stage::Stage& stage, Diagnostics& diagnostics) {
  for (const skel::SkeletonBinding& binding : skel::read_bindings(stage, diagnostics)) {
    if (binding.skeleton == nullptr) continue;
    for (const skel::SkinTarget& target : binding.targets) {
      const auto first = stage::Time::earliest();
      const auto influences = skel::read_influences(target, first, &diagnostics);
      if (!influences) continue;  // Blend shapes alone, or nothing.
      // Four per point; indices are those of target.skin->joint_order, if there is one.
      const auto four = skel::gpu_influences(influences->indices.span(), influences->weights.span(),
                                             target.skin->influences);
      if (!four) continue;
      const Matrix4d geom_bind = skel::read_geom_bind(target, first, &diagnostics);
      std::printf("%s: %zu rows of influences, bound at height %g\n",
                  target.prim.path().str().c_str(), four->joints.size(), geom_bind(1, 3));
    }
  }
}

TEST(Docs, ImportsCharacters) {
  Diagnostics diagnostics;
  const auto stage = stage::Stage::open(kRig, diagnostics);
  ASSERT_TRUE(stage);
  ::testing::internal::CaptureStdout();
  import_characters(**stage, diagnostics);
  EXPECT_THAT(::testing::internal::GetCapturedStdout(),
              ::testing::HasSubstr(" rows of influences, bound at height "));
}

// posing.md

void pose_every_frame(const skel::SkeletonBinding& binding, Diagnostics& diagnostics) {
  skel::SkeletonPose pose;  // Kept: its memory is used again.
  for (double frame = 1.0; frame <= 30.0; frame += 1.0) {
    skel::evaluate_pose(binding, frame, pose, diagnostics);
    if (pose.joint_world.empty()) continue;  // No rest pose, and no animation of every joint.
    const Vector3d tip = pose.joint_world.back().topRightCorner<3, 1>();
    std::printf("%g: %.3f %.3f %.3f\n", frame, tip.x(), tip.y(), tip.z());
  }
}

Status pose_without_a_file() {
  const auto arm =
      skel::Skeleton::make({.joints = {"shoulder", "shoulder/elbow"},
                            .bind_transforms = {},
                            .rest_transforms = {Matrix4d::Identity(), Matrix4d::Identity()}});
  if (!arm) return arm.error();

  // A clip that knows the elbow only, in an order of its own.
  const std::vector<std::string> clip_joints = {"shoulder/elbow"};
  const std::vector<Vector3f> translations = {{0.0F, 2.0F, 0.0F}};
  const std::vector<Quatf> rotations = {Quatf(1.0F, 0.0F, 0.0F, 0.0F)};
  const std::vector<Vector3h> scales = {Vector3h(Half(1), Half(1), Half(1))};
  std::vector<Matrix4d> clip(1);
  Status status = skel::make_transforms(translations, rotations, scales, clip);
  if (!status) return status;

  std::vector<Matrix4d> pose(arm->rest_transforms().begin(), arm->rest_transforms().end());
  const skel::AnimMapper mapper(clip_joints, arm->joints());
  skel::remap_transforms(mapper, clip, pose);                         // Parent from joint.
  return skel::concat_joint_transforms(arm->topology(), pose, pose);  // Skeleton from joint.
}

Status play(const skel::SkeletonBinding& binding, Diagnostics& diagnostics) {
  const auto skeleton = skel::pack_skeleton(binding);
  if (!skeleton) return skeleton.error();
  const auto clip = skel::read_clip(binding, diagnostics);
  if (!clip) return clip.error();

  skel::Playback playback = skel::Playback::of(clip->joints.times());
  playback.speed = binding.skeleton_prim.stage().metrics().time_codes_per_second;
  std::vector<Affine34f> places(skeleton->joint_count()), palette(skeleton->joint_count());
  std::vector<float> weights(clip->weights.width());
  skel::ClipCursor cursor;
  for (double seconds = 0.0; seconds < 2.0; seconds += 1.0 / 60.0) {
    const double time = playback.clip_time(seconds);
    const skel::PoseAgentJob job = {.skeleton = &*skeleton,
                                    .agent = {&clip->joints, time},
                                    .skel_from_joint = places,
                                    .palette = palette,
                                    .cursor = &cursor};
    if (Status status = job.run(); !status) return status;
    (void)clip->weights.sample(time, weights);  // In the order of clip->blend_shapes.
  }
  return {};
}

Result<skel::Clip> borrow_animation(const stage::Prim& animation,
                                    const skel::SkeletonBinding& binding,
                                    Diagnostics& diagnostics) {
  const auto source = skel::read_animation(animation, diagnostics);
  if (source == nullptr) return Error{ErrorCode::invalid_argument, "This is no SkelAnimation."};
  const skel::JointMatch match = skel::match_joints(source->joints, binding.skeleton->joints());
  std::printf("matched by %s, %zu joints rest\n", std::string(to_string(match.rule)).c_str(),
              match.resting.size());
  return skel::read_clip(animation, binding, match, diagnostics);
}

Status play_borrowed(const skel::Clip& clip, const skel::PackedSkeleton& skeleton, double time,
                     std::vector<Affine34f>& joints, skel::Character& character) {
  joints.resize(skeleton.joint_count());
  Status posed =
      skel::PoseAgentJob{
          .skeleton = &skeleton, .agent = {&clip.joints, time}, .skel_from_joint = joints}
          .run();
  // Here joints may be turned further, e.g. towards something to look at.
  if (posed) posed = character.pose(time, joints, {});
  if (posed) character.deform();
  return posed;
}

TEST(Docs, PosesEveryFrame) {
  Diagnostics diagnostics;
  const auto stage = stage::Stage::open(kRig, diagnostics);
  ASSERT_TRUE(stage);
  const auto bindings = skel::read_bindings(**stage, diagnostics);
  ::testing::internal::CaptureStdout();
  pose_every_frame(bindings.at(0), diagnostics);
  EXPECT_THAT(::testing::internal::GetCapturedStdout(), ::testing::HasSubstr("\n30: "));
  EXPECT_TRUE(pose_without_a_file());

  EXPECT_TRUE(play(bindings.at(0), diagnostics));
  ::testing::internal::CaptureStdout();
  const auto clip = borrow_animation(bindings[0].animation_prim, bindings[0], diagnostics);
  ASSERT_TRUE(clip);
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "matched by paths, 0 joints rest\n");

  const auto skeleton = skel::pack_skeleton(bindings[0]);
  auto character = skel::Character::open(bindings[0], diagnostics);
  ASSERT_TRUE(skeleton && character);
  std::vector<Affine34f> joints;
  EXPECT_TRUE(play_borrowed(*clip, *skeleton, 3.0, joints, *character));
  EXPECT_TRUE(character->meshes()[0].skinned);
}

// deforming.md

void play(const skel::SkeletonBinding& binding, const Executor& executor,
          Diagnostics& diagnostics) {
  auto character = skel::Character::open(binding, diagnostics);
  if (!character) return;  // character.error() says why.
  for (double frame = 1.0; frame <= 30.0; frame += 1.0) {
    character->pose(frame);
    character->deform(executor);
    for (const skel::CharacterMesh& mesh : character->meshes()) {
      // In skeleton space; character->world_from_skel() leads to the world.
      if (mesh.skinned) std::printf("%zu points\n", mesh.points.size());
    }
  }
}

void deform_every_frame(const skel::SkeletonBinding& binding, Diagnostics& diagnostics) {
  skel::SkeletonPose pose;
  std::vector<skel::DeformedPrim> deformed(binding.targets.size());  // One per prim, kept.
  for (double frame = 1.0; frame <= 30.0; frame += 1.0) {
    skel::evaluate_pose(binding, frame, pose, diagnostics);
    for (std::size_t i = 0; i < binding.targets.size(); ++i) {
      skel::evaluate_target(binding.targets[i], pose, deformed[i], diagnostics);
      if (deformed[i].points.empty()) continue;
      // In skeleton space; pose.world_from_skel leads to the world.
      std::printf("%zu points\n", deformed[i].points.size());
    }
  }
}

void fill_buffers(const skel::SkeletonBinding& binding, const skel::SkinTarget& target) {
  const auto buffer = skel::make_vertex_buffer(binding, target);
  if (!buffer) return;  // buffer.error() says why.
  const skel::VertexLayout& layout = buffer->layout;
  std::printf("%zu vertices of %zu bytes, joints at %zu, weights at %zu\n", buffer->vertices.size(),
              layout.stride, layout.joints, layout.weights);
  std::printf("%zu indices, at most %.0f %% of the weights of a point lost\n",
              buffer->vertices.indices.size(), 100.0 * buffer->largest_weight_lost);
}

Status deform_many(std::span<const skel::BlendAndSkinJob> meshes, const Executor& executor) {
  const skel::SkinManyJob job = {.meshes = meshes};  // Those without blend shapes have none.
  return job.run(executor);
}

Status deform_without_a_file(std::span<const Matrix4d> skinning, std::span<const Vector3f> rest,
                             std::span<Vector3f> result) {
  const std::vector<std::int32_t> joints = {0, 0, 1};
  const std::vector<float> weights = {1.0F, 1.0F, 1.0F};
  const auto packed = skel::PackedInfluences::pack({.joint_indices = joints,
                                                    .joint_weights = weights,
                                                    .influences = 1,
                                                    .joint_count = skinning.size()});
  if (!packed) return packed.error();  // Once, at load time.

  skel::SkinPalette palette;  // Once per frame.
  palette.prepare(skel::SkinningMethod::linear, skinning, Matrix4d::Identity());

  skel::SkinPointsJob job;
  job.influences = &*packed;
  job.palette = palette.view();
  job.points = rest;
  job.points_out = result;
  return job.run();
}

Status deform_packed(const skel::PackedInfluences& influences, skel::SkinPaletteView palette,
                     const skel::PackedVectors& packed, std::span<const Vector3f> rest,
                     std::span<Vector3f> result) {
  skel::SkinPointsJob job;
  job.influences = &influences;
  job.palette = palette;
  job.points = rest;
  job.points_out = result;
  job.packed_points = &packed;  // Of PackedVectors::pack(rest, influences).
  return job.run();
}

Status deform_own_buffers(std::span<const std::uint16_t> joints, std::span<const float> weights,
                          std::span<const float> columns, std::span<const Vector3f> rest,
                          std::span<Vector3f> result) {
  const std::size_t joint_count = columns.size() / 16;
  const auto packed = skel::PackedInfluences::pack({.joint_indices = joints,
                                                    .joint_weights = weights,
                                                    .influences = 4,
                                                    .joint_count = joint_count});
  if (!packed) return packed.error();  // Once, at load time.

  std::vector<Affine34f> transforms(joint_count);  // Once per frame.
  if (Status status = skel::copy_columns(columns, transforms); !status) return status;
  skel::SkinPointsJob job;
  job.influences = &*packed;
  job.palette.transforms = transforms;
  job.points = rest;
  job.points_out = result;
  return job.run();
}

Status bake(const stage::Stage& stage, Diagnostics& diagnostics) {
  skel::BakeOptions options;
  options.source_layer = "./character.usda";
  const auto layer = skel::bake_skinning(stage, options, diagnostics);
  if (!layer) return layer.error();
  std::printf("%zu bytes\n", usda::write(**layer).size());
  return {};
}

TEST(Docs, DeformsEveryFrame) {
  Diagnostics diagnostics;
  const auto stage = stage::Stage::open(kRig, diagnostics);
  ASSERT_TRUE(stage);
  const auto bindings = skel::read_bindings(**stage, diagnostics);
  ::testing::internal::CaptureStdout();
  deform_every_frame(bindings.at(0), diagnostics);
  const std::string evaluated = ::testing::internal::GetCapturedStdout();
  EXPECT_THAT(evaluated, ::testing::HasSubstr("12 points\n"));
  ::testing::internal::CaptureStdout();
  play(bindings.at(0), {}, diagnostics);
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), evaluated);
  ::testing::internal::CaptureStdout();
  EXPECT_TRUE(bake(**stage, diagnostics));
  EXPECT_THAT(::testing::internal::GetCapturedStdout(), ::testing::HasSubstr(" bytes\n"));
  EXPECT_TRUE(deform_many({}, {}));
  ::testing::internal::CaptureStdout();
  fill_buffers(bindings.at(0), bindings.at(0).targets.at(0));
  EXPECT_THAT(::testing::internal::GetCapturedStdout(), ::testing::HasSubstr("0 % of the weights"));

  const std::vector<Matrix4d> skinning(2, Matrix4d::Identity());
  const std::vector<Vector3f> rest(3, Vector3f::Ones());
  std::vector<Vector3f> result(3);
  EXPECT_TRUE(deform_without_a_file(skinning, rest, result));
  EXPECT_EQ(result, rest);

  const std::vector<std::uint16_t> joints(12, 0);
  const std::vector<float> weights(12, 0.25F);
  const std::vector<float> columns = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 2, 0, 1};
  EXPECT_TRUE(deform_own_buffers(joints, weights, columns, rest, result));
  EXPECT_EQ(result.front(), Vector3f(1, 3, 1));

  const auto influences = skel::PackedInfluences::pack(
      {.joint_indices = joints, .joint_weights = weights, .influences = 4, .joint_count = 1});
  const auto packed = skel::PackedVectors::pack(rest, *influences);
  Matrix4d move_up = Matrix4d::Identity();
  move_up(1, 3) = 2.0;
  const Affine34f transform(move_up);
  skel::SkinPaletteView palette;
  palette.transforms = std::span(&transform, 1);
  result.front() = Vector3f(0, 0, 0);
  EXPECT_TRUE(deform_packed(*influences, palette, *packed, rest, result));
  EXPECT_EQ(result.front(), Vector3f(1, 3, 1));
}

// blend_shapes.md

Status blend_every_frame(const skel::BlendShapeSet& shapes, std::span<const Vector3f> rest,
                         std::span<const float> shape_weights, std::span<Vector3f> result) {
  const auto packed = skel::PackedBlendShapes::pack(shapes, rest.size());
  if (!packed) return packed.error();  // Once, at load time.

  std::vector<skel::SubShapeWeight> sub_shapes;  // From here on once per frame.
  std::vector<float> weights(packed->sub_shape_count());
  Status status = shapes.sub_shape_weights(shape_weights, sub_shapes);
  if (status) status = shapes.flatten(sub_shapes, weights);
  if (!status) return status;
  skel::BlendShapesJob job;
  job.shapes = &*packed;
  job.weights = weights;
  job.points = rest;
  job.points_out = result;
  return job.run();
}

Status smile(std::span<Vector3f> points) {
  const std::vector<Vector3f> full = {{1.0F, 0.0F, 0.0F}};
  const std::vector<Vector3f> half = {{0.2F, 0.0F, 0.0F}};
  const std::vector<std::int32_t> moved = {2};  // Of all points only this one moves.

  skel::BlendShape shape;
  shape.name = "smile";
  shape.offsets = full;
  shape.point_indices = moved;
  shape.inbetweens.push_back(
      {.name = "half", .weight = 0.5F, .offsets = half, .normal_offsets = {}});
  const skel::BlendShapeSet shapes({shape});

  std::vector<skel::SubShapeWeight> weights;
  const float smile_weight[] = {0.75F};  // Half way between the in-between and the full shape.
  Status status = shapes.sub_shape_weights(smile_weight, weights);
  if (status) status = shapes.deform_points(weights, points);
  return status;
}

TEST(Docs, Smiles) {
  std::vector<Vector3f> points(3, Vector3f::Zero());
  ASSERT_TRUE(smile(points));
  EXPECT_NEAR(points[2].x(), 0.6F, 1e-6F);

  const std::vector<Vector3f> offsets(3, Vector3f::Ones());
  skel::BlendShape shape;
  shape.offsets = offsets;
  const float half[] = {0.5F};
  std::vector<Vector3f> result(3);
  ASSERT_TRUE(blend_every_frame(skel::BlendShapeSet({shape}), offsets, half, result));
  EXPECT_EQ(result[1], Vector3f(1.5F, 1.5F, 1.5F));
}

// crowds.md

void upload(std::span<const Affine34f> palettes, std::span<const Matrix4d> places) {
  std::printf("%zu matrices for %zu\n", palettes.size(), places.size());
}

void pose_crowd(const stage::Stage& stage, int frames, const Executor& executor,
                Diagnostics& diagnostics) {
  const std::vector<skel::SkeletonBinding> bindings = skel::read_bindings(stage, diagnostics);
  auto crowd = skel::Crowd::open(bindings, diagnostics);
  if (!crowd) return;  // crowd.error() says why.

  for (std::size_t group = 0; group < crowd->group_count(); ++group) {
    for (std::size_t i = 0; i < crowd->members(group).size(); ++i) {
      skel::Playback playback = crowd->members(group)[i].playback;
      playback.offset = 7.0 * static_cast<double>(i);  // Nobody keeps in step.
      crowd->set_playback(group, i, playback);
    }
  }
  for (int frame = 0; frame < frames; ++frame) {
    if (!crowd->pose(frame, executor)) return;
    for (std::size_t group = 0; group < crowd->group_count(); ++group) {
      upload(crowd->palettes(group), crowd->world_from_skel(group));
    }
  }
}

Status pose_agents(const skel::PackedSkeleton& skeleton, std::span<const skel::PackedClip> clips,
                   double time, std::vector<Affine34f>& palettes) {
  std::vector<skel::CrowdAgent> agents;
  for (const skel::PackedClip& clip : clips) {
    agents.push_back({&clip, skel::Playback::of(clip.times()).clip_time(time)});
  }
  palettes.resize(agents.size() * skeleton.joint_count());
  const skel::PoseCrowdJob job = {.skeleton = &skeleton, .agents = agents, .palettes = palettes};
  return job.run();
}

TEST(Docs, PosesACrowd) {
  Diagnostics diagnostics;
  const auto stage = stage::Stage::open(kRig, diagnostics);
  ASSERT_TRUE(stage);
  ::testing::internal::CaptureStdout();
  pose_crowd(**stage, 2, Executor(), diagnostics);
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "3 matrices for 1\n3 matrices for 1\n");
  EXPECT_EQ(count(diagnostics, Severity::error), 0U);

  const auto bindings = skel::read_bindings(**stage, diagnostics);
  const auto clip = skel::read_clip(bindings.at(0), diagnostics);
  ASSERT_TRUE(clip);
  std::vector<Affine34f> palettes;
  EXPECT_TRUE(pose_agents(*skel::pack_skeleton(bindings[0]), {&clip->joints, 1}, 3.0, palettes));
  EXPECT_EQ(palettes.size(), 3U);
}

// from_gltf.md

layer::LayerPtr layer_of_glb(const std::string& file, Diagnostics& diagnostics) {
  const auto bytes = map_file(file);
  if (!bytes) return nullptr;

  exporter::ImportGlbOptions options;
  options.file = file;
  options.identifier = "character.usda";
  const auto imported = exporter::import_glb(*bytes, options, diagnostics);
  if (!imported) return nullptr;  // imported.error() says why.

  for (const exporter::ImportedImage& image : imported->images) {
    std::printf("%s: %zu bytes\n", image.name.c_str(), image.bytes.size());
  }
  return imported->layer;  // For stage::Stage::open(), usda::write_file(), usdc::write_file().
}

TEST(Docs, ImportsAGltfFile) {
  Diagnostics diagnostics;
  const auto layer = layer_of_glb(test::data_folder() + "/gltf/strip.gltf", diagnostics);
  EXPECT_TRUE(diagnostics.empty());
  ASSERT_NE(layer, nullptr);
  EXPECT_NE(layer->find_prim("/strip/strip"), nullptr);
}

Result<skel::PackedInfluences> bind_gltf_skin(
    const skel::GltfSkin& skin, std::span<const std::array<std::uint16_t, 4>> joints_0,
    std::span<const std::array<float, 4>> weights_0) {
  const auto imported = skel::import_gltf_skin(skin);
  if (!imported) return imported.error();

  const skel::GltfInfluences set{joints_0, weights_0};
  const auto influences = skel::import_gltf_influences({&set, 1}, imported->joint_from_gltf);
  if (!influences) return influences.error();

  return skel::PackedInfluences::pack({.joint_indices = influences->indices,
                                       .joint_weights = influences->weights,
                                       .influences = influences->influences,
                                       .joint_count = imported->skeleton.joint_count()});
}

TEST(Docs, BindsAGltfSkin) {
  const skel::GltfSkin skin{.names = {"root", "tip"},
                            .parents = {skel::kNoParent, 0},
                            .local_transforms = std::vector<Matrix4d>(2, Matrix4d::Identity()),
                            .inverse_bind_matrices = {}};
  const std::vector<std::array<std::uint16_t, 4>> joints = {{0, 1, 0, 0}};
  const std::vector<std::array<float, 4>> weights = {{0.5F, 0.5F, 0.0F, 0.0F}};
  const auto packed = bind_gltf_skin(skin, joints, weights);
  ASSERT_TRUE(packed);
  EXPECT_EQ(packed->point_count(), 1U);
}

// The pages and this file say the same.

class DocsPage : public ::testing::TestWithParam<const char*> {};

TEST_P(DocsPage, QuotesOnlyTestedCode) {
  const std::string tests = test::data_folder() + "/../";
  EXPECT_GT(test::expect_quotes_tested_code(tests + "../docs/" + GetParam() + ".md",
                                            tests + "skel/docs_test.cpp"),
            0U);
}

INSTANTIATE_TEST_SUITE_P(Skel, DocsPage,
                         ::testing::Values("skeletons", "posing", "deforming", "blend_shapes",
                                           "crowds", "from_gltf"),
                         [](const auto& tested) { return std::string(tested.param); });

}  // namespace
}  // namespace sinew::docs_test
