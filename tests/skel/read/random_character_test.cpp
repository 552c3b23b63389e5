// SPDX-License-Identifier: Apache-2.0
// A Character against evaluate_pose() and evaluate_target(), on random scenes at random times, with
// much that varies with time or does not fit. A failure names the seed: SINEW_SCENE_SEED=<seed>
// runs that scene alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sinew/core/simd.hpp"
#include "sinew/skel/read/character.hpp"
#include "sinew/skel/skin_palette.hpp"
#include "support/random_scene.hpp"

namespace sinew::skel::random_character_test {
namespace {

using test::PrimText;
using test::Random;
using test::Scene;

bool replace(std::string& text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  if (at != std::string::npos) text.replace(at, from.size(), to);
  return at != std::string::npos;
}

std::string* property(PrimText& prim, std::string_view declaration) {
  for (std::string& text : prim.properties) {
    if (text.starts_with(declaration)) return &text;
  }
  return nullptr;
}

// Gives an attribute samples: its value, and what comes of it by `change`.
void animate(PrimText& prim, std::string_view declaration,
             const std::function<void(std::string&)>& change) {
  std::string* text = property(prim, declaration);
  if (text == nullptr || text->compare(declaration.size(), 3, " = ") != 0) return;
  const std::size_t fields = std::min(text->find(" (\n"), text->size());
  const std::string metadata = text->substr(fields);
  const std::string value = text->substr(declaration.size() + 3, fields - declaration.size() - 3);
  std::string changed = value;
  change(changed);
  *text = std::string(declaration) + ".timeSamples = {1: " + value + ", 5: " + changed + "}";
  if (!metadata.empty()) {
    prim.properties.push_back(std::string(declaration) + metadata);
  }
}

void roughen_mesh(PrimText& prim, Random& random) {
  const auto twist = [](std::string& text) { replace(text, "(", "(0.5, 0.25, 1), ("); };
  const auto stir = [](std::string& text) { replace(text, "0.", "1."); };
  if (random.chance(10)) animate(prim, "point3f[] points", stir);
  if (random.chance(3)) animate(prim, "point3f[] points", twist);
  if (random.chance(5)) animate(prim, "normal3f[] normals", stir);
  if (random.chance(5)) animate(prim, "float[] primvars:skel:jointWeights", stir);
  if (random.chance(5)) {
    animate(prim, "int[] primvars:skel:jointIndices",
            [](std::string& text) { replace(text, "1", "0"); });
  }
  if (random.chance(5)) {
    animate(prim, "matrix4d primvars:skel:geomBindTransform",
            [](std::string& text) { replace(text, "0.5", "0.75"); });
  }
  if (std::string* normals = property(prim, "normal3f[] normals"); normals && random.chance(5)) {
    twist(*normals);
  }
  if (std::string* joints = property(prim, "int[] primvars:skel:jointIndices");
      joints && random.chance(5)) {
    replace(*joints, "0", "9");
  }
  if (std::string* points = property(prim, "point3f[] points"); points && random.chance(3)) {
    *points = "point3f[] points = []";
  }
  if (random.chance(5)) {
    prim.properties.emplace_back(
        "matrix4d primvars:skel:geomBindTransform = ((1, 0, 0, 0.125), (0, 1.5, 0, 0), (0, 0, 1, "
        "0), (0, 0.5, 0, 1))");
  }
  if (random.chance(20)) {
    prim.properties.push_back(
        "float3[] primvars:tangents = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 0), (0, 0.6, 0.8)" +
        std::string(random.chance(80) ? ", (0, 1, 0)" : "") +
        "] (\n interpolation = \"vertex\"\n)");
  }
}

void roughen(PrimText& prim, Random& random) {
  if (prim.type == "Mesh") roughen_mesh(prim, random);
  if (prim.type == "BlendShape") {
    std::string* indices = property(prim, "uniform int[] pointIndices");
    if (indices != nullptr && random.chance(15)) replace(*indices, "5", "6");
    std::string* normals = property(prim, "uniform vector3f[] normalOffsets");
    if (normals != nullptr && random.chance(10)) replace(*normals, "(", "(0, 1, 0), (");
  }
  if (prim.type == "Skeleton") {
    for (const char* pose :
         {"uniform matrix4d[] bindTransforms", "uniform matrix4d[] restTransforms"}) {
      std::string* text = property(prim, pose);
      if (text == nullptr) continue;
      if (random.chance(4)) *text = std::string(pose) + " = []";
      if (random.chance(4)) replace(*text, "(1, 0, 0, 0)", "(1, 0.5, 0, 0)");
      if (random.chance(4)) replace(*text, "(1, 0, 0, 0)", "(0, 0, 0, 0)");
    }
    if (random.chance(20)) {
      prim.properties.emplace_back(
          "double3 xformOp:translate.timeSamples = {0: (0, 1, 0), 8: (4, "
          "1, 0)}");
      prim.properties.emplace_back("uniform token[] xformOpOrder = [\"xformOp:translate\"]");
    }
  }
  if (prim.type == "SkelAnimation") {
    // Not what read_clip() says that it does differently.
    std::string* moves = property(prim, "float3[] translations.timeSamples");
    std::string* rotations = property(prim, "quatf[] rotations");
    const bool turns = property(prim, "quatf[] rotations.timeSamples") != nullptr;
    const bool scales = property(prim, "half3[] scales.timeSamples") != nullptr;
    if (moves != nullptr && !scales && random.chance(20)) {
      replace(*moves, "4: ", "4: None, 5: ");
    } else if (rotations != nullptr && turns == (moves != nullptr) && random.chance(10)) {
      replace(*rotations, "(1, 0", "(1.25, 0");
    }
    std::string* weights = property(prim, "float[] blendShapeWeights.timeSamples");
    if (weights != nullptr && random.chance(10)) replace(*weights, "4: ", "4: None, 5: ");
  }
}

// What the random scenes have, and the tests below must have met.
struct Met {
  std::size_t fast = 0, slow = 0, blended = 0, skinned = 0, rigid = 0, face_normals = 0,
              tangents = 0, dual = 0, fast_poses = 0, slow_poses = 0, reordered = 0,
              reordered_slowly = 0, by_hand = 0;
  double largest_error = 0.0;
};

class Comparison {
 public:
  Comparison(const SkeletonBinding& binding, const CharacterOptions& options, Met& met)
      : binding_(binding), options_(options), met_(met) {}

  std::string run(std::span<const stage::Time> times) {
    Diagnostics diagnostics;
    auto character = Character::open(binding_, diagnostics, options_);
    if (!character) return character.error().message + "\n";
    auto puppet = Character::open(binding_, diagnostics, options_);
    for (const stage::Time time : times) {
      character->pose(time);
      evaluate_pose(binding_, time, pose_, diagnostics);
      where_ = binding_.skeleton_prim.path().str() + " at " +
               (time.is_default() ? "default" : test::number(time.code()));
      compare_pose(*character);
      character->deform();
      const SkeletonPose own = own_pose(*character);
      for (const CharacterMesh& mesh : character->meshes()) compare_mesh(in_file_order(mesh), own);
      if (pose_.status != PoseStatus::none) move_by_hand(*puppet, time);
      if (!wrong_.empty()) return wrong_;
    }
    return "";
  }

 private:
  void fail(const std::string& what) { wrong_ += where_ + ": " + what + "\n"; }

  // The same pose, rounded to floats, given to a character.
  void move_by_hand(Character& puppet, stage::Time time) {
    std::vector<Affine34f> joints;
    pose_.skinning.resize(binding_.skeleton->has_bind_pose() ? pose_.joint_skel.size() : 0);
    for (std::size_t j = 0; j < pose_.joint_skel.size(); ++j) {
      joints.emplace_back(pose_.joint_skel[j]);
      pose_.joint_skel[j] = joints.back().matrix();
      if (pose_.skinning.empty()) continue;
      pose_.skinning[j] = pose_.joint_skel[j] * binding_.skeleton->inverse_bind_transforms()[j];
    }
    std::vector<float> weights = pose_.blend_shape_weights.value_or(std::vector<float>());
    if (weights.empty()) pose_.blend_shape_weights.reset();
    const std::size_t shapes = weights.empty() ? 0 : binding_.animation->blend_shapes.size();
    if (weights.size() != shapes) return;
    where_ += " by hand";
    if (const Status status = puppet.pose(time, joints, weights); !status) {
      return fail(status.error().message);
    }
    if (puppet.is_posed_fast() || puppet.time() != time) fail("is not by hand");
    if (puppet.status() != pose_.status) fail("another status");
    if (puppet.world_from_skel() != pose_.world_from_skel) fail("stands elsewhere");
    for (std::size_t j = 0; j < joints.size(); ++j) {
      if (std::memcmp(&puppet.skel_from_joint()[j], &joints[j], sizeof(Affine34f)) != 0) {
        fail("joints are not as given");
      }
    }
    puppet.deform();
    const SkeletonPose own = pose_;
    for (const CharacterMesh& mesh : puppet.meshes()) compare_mesh(in_file_order(mesh), own);
    met_.by_hand += puppet.meshes().size();
  }

  void compare_pose(const Character& character) {
    ++(character.is_posed_fast() ? met_.fast_poses : met_.slow_poses);
    if (character.status() != pose_.status) fail("another status");
    if (character.world_from_skel() != pose_.world_from_skel) fail("stands elsewhere");
    find_magnitudes();
    compare_transforms("joint", character.skel_from_joint(), pose_.joint_skel, magnitudes_);
    compare_transforms("skinning", character.skinning(), pose_.skinning, skinning_magnitudes_);
    const auto weights = character.blend_shape_weights();
    if (weights.has_value() != pose_.blend_shape_weights.has_value()) fail("other weights");
    if (!weights || !pose_.blend_shape_weights) return;
    if (!std::equal(weights->begin(), weights->end(), pose_.blend_shape_weights->begin(),
                    pose_.blend_shape_weights->end(),
                    [](float a, float b) { return std::abs(a - b) <= 1e-6F; })) {
      fail("weights differ");
    }
  }

  // What the documented error is relative to: the product of the absolute values along a chain.
  void find_magnitudes() {
    magnitudes_.clear();
    skinning_magnitudes_.clear();
    for (std::size_t j = 0; j < pose_.joint_local.size(); ++j) {
      const std::int32_t parent = binding_.skeleton->topology().parent(j);
      Matrix4d m = pose_.joint_local[j].cwiseAbs();
      if (parent >= 0) m = magnitudes_[static_cast<std::size_t>(parent)] * m;
      magnitudes_.push_back(m);
      if (pose_.skinning.empty()) continue;
      skinning_magnitudes_.push_back(m *
                                     binding_.skeleton->inverse_bind_transforms()[j].cwiseAbs());
    }
  }

  void compare_transforms(const char* name, std::span<const Affine34f> actual,
                          const std::vector<Matrix4d>& expected,
                          const std::vector<Matrix4d>& magnitudes) {
    if (actual.size() != expected.size()) return fail(std::string("another number of ") + name);
    for (std::size_t j = 0; j < expected.size(); ++j) {
      // Singular bind poses lead beyond the range of floats.
      if (!(magnitudes[j].maxCoeff() < 1e37)) continue;
      const Matrix4d error = (actual[j].matrix() - expected[j]).cwiseAbs();
      const double linear = relative(error.topLeftCorner<3, 3>().maxCoeff(),
                                     magnitudes[j].topLeftCorner<3, 3>().maxCoeff());
      const double translation = relative(error.topRightCorner<3, 1>().maxCoeff(),
                                          magnitudes[j].topRightCorner<3, 1>().maxCoeff());
      met_.largest_error = std::max({met_.largest_error, linear, translation});
      if (linear <= Character::kPoseError && translation <= Character::kPoseError) continue;
      fail(std::string(name) + " " + std::to_string(j) + " is off by " + test::number(linear) +
           " and " + test::number(translation));
    }
  }

  static double relative(double error, double magnitude) {
    return error == 0.0 ? 0.0 : error / magnitude;
  }

  CharacterMesh in_file_order(const CharacterMesh& mesh);
  SkeletonPose own_pose(const Character& character) const;
  SkeletonPose perturbed(const SkeletonPose& pose);
  DeformedPrim evaluate(const CharacterMesh& mesh, const SkeletonPose& pose) const;
  bool has_ties(const SkeletonPose& pose) const;
  void compare_mesh(const CharacterMesh& mesh, const SkeletonPose& own);
  bool is_out_of_range() const;
  void compare_deformed(const CharacterMesh& mesh, const SkeletonPose& pose);
  void compare_linear_points(const CharacterMesh& mesh);
  void compare(const std::string& name, std::span<const Vector3f> actual,
               const std::vector<Vector3f>& expected, const std::vector<Vector3f>& perturbed = {});
  void count(const CharacterMesh& mesh);

  const SkeletonBinding& binding_;
  const CharacterOptions& options_;
  Met& met_;
  Random random_{77};
  SkeletonPose pose_;
  std::vector<Matrix4d> magnitudes_, skinning_magnitudes_;
  std::array<std::vector<Vector3f>, 5> in_file_order_;
  std::string where_, wrong_;
};

// What has one value per point, put back to where the file has it.
CharacterMesh Comparison::in_file_order(const CharacterMesh& mesh) {
  const std::span<const std::uint32_t> order = mesh.new_from_old;
  if (order.empty()) return mesh;
  if (options_.order == PointOrder::keep) fail("another order than the file's");
  std::vector<bool> is_taken(order.size());
  for (const std::uint32_t place : order) {
    if (place >= order.size() || is_taken[place]) fail("the order is no permutation");
    if (!wrong_.empty()) return mesh;
    is_taken[place] = true;
  }
  CharacterMesh result = mesh;
  ++(mesh.fast ? met_.reordered : met_.reordered_slowly);
  auto storage = in_file_order_.begin();
  for (auto* values : {&result.points, &result.normals, &result.tangents, &result.blended_points,
                       &result.blended_normals}) {
    std::vector<Vector3f>& out = *storage++;
    out.clear();
    if (values->empty() || (values == &result.normals && mesh.normals_per_face_vertex)) continue;
    if (values->size() != order.size()) fail("an order of another number of points");
    if (!wrong_.empty()) return mesh;
    for (const std::uint32_t place : order) out.push_back((*values)[place]);
    *values = out;
  }
  return result;
}

// The pose that the meshes were deformed by.
SkeletonPose Comparison::own_pose(const Character& character) const {
  SkeletonPose own;
  own.time = character.time();
  own.status = character.status();
  for (std::size_t j = 0; j < pose_.skinning.size(); ++j) {
    own.skinning.push_back(character.is_posed_fast() ? character.skinning()[j].matrix()
                                                     : pose_.skinning[j]);
  }
  if (const auto weights = character.blend_shape_weights()) {
    own.blend_shape_weights.emplace(weights->begin(), weights->end());
  }
  return own;
}

// The pose with the last bits of float changed, to tell how much a result depends on them.
SkeletonPose Comparison::perturbed(const SkeletonPose& pose) {
  SkeletonPose result = pose;
  for (Matrix4d& m : result.skinning) {
    for (int i = 0; i < 12; ++i) {
      double& element = m(i / 4, i % 4);
      element += 4e-7 * (std::abs(element) + 0.25) * random_.eighths(-1, 1);
    }
  }
  return result;
}

DeformedPrim Comparison::evaluate(const CharacterMesh& mesh, const SkeletonPose& pose) const {
  Diagnostics diagnostics;
  DeformedPrim result;
  evaluate_target(*mesh.target, pose, result, diagnostics, options_.deform);
  return result;
}

// Half turns between joints: either way round is right for dual quaternions.
bool Comparison::has_ties(const SkeletonPose& pose) const {
  SkinPalette palette;
  palette.prepare_dual_quaternion(pose.skinning, Matrix4d::Identity());
  const std::span<const DualQuaternionf> motions = palette.view().motions;
  for (const DualQuaternionf& a : motions) {
    for (const DualQuaternionf& b : motions) {
      float dot = 0.0F;
      for (int i = 0; i < 4; ++i) dot += a.real[i] * b.real[i];
      if (std::abs(dot) < 1e-3F) return true;
    }
  }
  return false;
}

// Within a few roundings of the result, or of what they do to it where it is ill-conditioned.
void Comparison::compare(const std::string& name, std::span<const Vector3f> actual,
                         const std::vector<Vector3f>& expected,
                         const std::vector<Vector3f>& perturbed) {
  if (actual.size() != expected.size()) return fail("another number of " + name);
  for (std::size_t i = 0; i < actual.size(); ++i) {
    // Nothing holds of the normals that a singular transform leads to.
    if (!expected[i].allFinite() || (!perturbed.empty() && !perturbed[i].allFinite())) continue;
    float bound = 2e-6F * (1.0F + expected[i].cwiseAbs().maxCoeff());
    if (!perturbed.empty()) bound += 8.0F * (perturbed[i] - expected[i]).cwiseAbs().maxCoeff();
    const float error = (actual[i] - expected[i]).cwiseAbs().maxCoeff();
    if (error <= bound) continue;  // Not of what is not a number.
    return fail(name + " " + std::to_string(i) + " is off by " +
                test::number(static_cast<double>(error)));
  }
}

void Comparison::count(const CharacterMesh& mesh) {
  ++(mesh.fast ? met_.fast : met_.slow);
  if (!mesh.fast) return;
  met_.blended += mesh.blended;
  met_.skinned += mesh.skinned;
  met_.rigid += mesh.skinned_transform.has_value();
  met_.face_normals += mesh.normals_per_face_vertex;
  met_.tangents += !mesh.tangents.empty();
  met_.dual += mesh.target->skin->method == SkinningMethod::dual_quaternion;
}

void Comparison::compare_mesh(const CharacterMesh& mesh, const SkeletonPose& own) {
  count(mesh);
  const bool dual = mesh.target->skin->method == SkinningMethod::dual_quaternion;
  const DeformedPrim expected = evaluate(mesh, own);
  if (mesh.geom_bind != expected.geom_bind) fail("another geom bind");
  if (mesh.blended != expected.blended || mesh.skinned != expected.skinned ||
      mesh.normals_per_face_vertex != expected.normals_per_face_vertex ||
      mesh.skinned_transform.has_value() != expected.skinned_transform.has_value()) {
    return fail(mesh.target->prim.path().str() + " was not deformed alike");
  }
  if (!std::equal(mesh.sub_shape_weights.begin(), mesh.sub_shape_weights.end(),
                  expected.sub_shape_weights.begin(), expected.sub_shape_weights.end())) {
    fail("other weights of sub-shapes");
  }
  compare("blended point", mesh.blended_points, expected.blended_points);
  compare("blended normal", mesh.blended_normals, expected.blended_normals);
  if (is_out_of_range()) return;
  if (mesh.fast && !dual) compare_linear_points(mesh);
  // Rigid joints move meshes as floats; what else there is gets the exact ones.
  const std::string before = wrong_;
  compare_deformed(mesh, own);
  if (wrong_ == before) return;
  const std::string by_own = std::exchange(wrong_, before);
  compare_deformed(mesh, pose_);
  if (wrong_ != before) wrong_ += by_own;
}

// Singular bind poses lead beyond the range of floats, and sums on the way there do before.
bool Comparison::is_out_of_range() const {
  return !std::all_of(skinning_magnitudes_.begin(), skinning_magnitudes_.end(),
                      [](const Matrix4d& m) { return m.maxCoeff() < 1e30; });
}

void Comparison::compare_deformed(const CharacterMesh& mesh, const SkeletonPose& pose) {
  const DeformedPrim expected = evaluate(mesh, pose);
  if (mesh.points.size() != expected.points.size() ||
      mesh.normals.size() != expected.normals.size() ||
      mesh.tangents.size() != expected.tangents.size()) {
    return fail("not as many points, normals or tangents");
  }
  const bool dual = mesh.target->skin->method == SkinningMethod::dual_quaternion;
  if (dual && has_ties(pose)) return;
  const DeformedPrim other = evaluate(mesh, perturbed(pose));
  compare("point", mesh.points, expected.points, other.points);
  compare("normal", mesh.normals, expected.normals, other.normals);
  compare("tangent", mesh.tangents, expected.tangents, other.tangents);
  if (!mesh.skinned_transform) return;
  const double sensitivity =
      (*other.skinned_transform - *expected.skinned_transform).cwiseAbs().maxCoeff();
  const double error =
      (*mesh.skinned_transform - *expected.skinned_transform).cwiseAbs().maxCoeff();
  if (!(error <=
        2e-6 * (1.0 + expected.skinned_transform->cwiseAbs().maxCoeff()) + 8.0 * sensitivity)) {
    fail("a rigid transform is off by " + test::number(error));
  }
}

// The error that is documented: against evaluate_pose() and evaluate_target().
void Comparison::compare_linear_points(const CharacterMesh& mesh) {
  const DeformedPrim expected = evaluate(mesh, pose_);
  const stage::Attribute attribute = mesh.target->prim.attribute("points");
  if (!attribute || mesh.points.empty()) return;
  const auto authored = attribute.get_array<Vector3f>(pose_.time);
  if (!authored) return;
  if (expected.geom_bind.row(3) != Eigen::RowVector4d(0.0, 0.0, 0.0, 1.0)) return;
  Eigen::Vector4d reach(0.0, 0.0, 0.0, 1.0);
  for (std::size_t i = 0; i < mesh.points.size(); ++i) {
    const Vector3f& p = mesh.blended && !expected.blended_points.empty()
                            ? expected.blended_points[i]
                            : authored->span()[i];
    reach.head<3>() = reach.head<3>().cwiseMax(p.cwiseAbs().cast<double>());
  }
  double largest = 0.0;
  for (const Matrix4d& m : skinning_magnitudes_) {
    const Eigen::Vector4d bound_point = expected.geom_bind.cwiseAbs() * reach;
    largest = std::max(largest,
                       3 * m.topLeftCorner<3, 3>().maxCoeff() * bound_point.head<3>().maxCoeff() +
                           m.topRightCorner<3, 1>().maxCoeff());
  }
  const auto influences = static_cast<double>(mesh.target->skin->influences);
  // No weight of these scenes is above 2. Blending comes with a few roundings of its own.
  const double bound =
      2 * influences * largest * (Character::kPoseError + 2 * (influences + 8) * 0x1p-24);
  for (std::size_t i = 0; i < mesh.points.size(); ++i) {
    const double error = (mesh.points[i] - expected.points[i]).cast<double>().cwiseAbs().maxCoeff();
    if (error <= bound) continue;
    return fail("point " + std::to_string(i) + " is off by " + test::number(error) +
                ", more than " + test::number(bound));
  }
}

CharacterOptions random_options(Random& random) {
  CharacterOptions options;
  options.keep_blended = true;
  if (random.chance(30)) options.deform.normals = NormalsUse::per_point;
  if (random.chance(10)) options.deform.normals = NormalsUse::ignore;
  options.deform.identity_for_missing_joints = random.chance(20);
  options.deform.tangents = !random.chance(10);
  options.deform.blend_shapes = !random.chance(10);
  options.deform.skinning = !random.chance(5);
  if (random.chance(40)) options.order = PointOrder::by_joint;
  const auto levels = supported_simd_levels();
  options.deform.level = levels[random.below(levels.size())];
  return options;
}

std::string check_scene(const Scene& scene, Rules rules, Random& random, Met& met) {
  Diagnostics diagnostics;
  const stage::StagePtr stage = test::open(scene, rules, diagnostics);
  if (stage == nullptr || !stage->prim("/World")) return "";
  const CharacterOptions options = random_options(random);
  ReadOptions read;
  read.pack_influences = random.chance(30);
  read.level = options.deform.level;
  std::string wrong;
  for (const SkeletonBinding& binding : read_bindings(stage->prim("/World"), diagnostics, read)) {
    std::vector<stage::Time> times = {stage::Time::earliest(), random.eighths(-2, 12), 4.0,
                                      random.eighths(0, 10), random.eighths(4, 6)};
    if (random.chance(30)) times.insert(times.begin() + 2, stage::Time::default_time());
    wrong += Comparison(binding, options, met).run(times);
  }
  return wrong;
}

constexpr std::uint64_t kScenes = 400;

// Choices that go with a scene, whichever others are looked at.
Random random_for(const Scene& scene) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : test::to_text(scene)) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  }
  return Random(hash);
}

TEST(RandomCharacter, PlaysAsItIsEvaluated) {
  Met met;
  test::for_random_scenes(test::Subject::skeletons, {70'000, kScenes}, [&](const Scene& scene) {
    Random random = random_for(scene);
    const Rules rules = random.chance(50) ? Rules::documented : Rules::openusd;
    return check_scene(scene, rules, random, met);
  });
  for (const std::size_t count : {met.fast, met.blended, met.skinned, met.rigid, met.face_normals,
                                  met.dual, met.fast_poses, met.reordered, met.by_hand}) {
    EXPECT_GT(count, kScenes / 10);
  }
  EXPECT_GT(met.fast, 4 * met.slow);
  EXPECT_LT(met.largest_error, Character::kPoseError / 4);  // Short chains leave much room.
  EXPECT_GT(met.fast_poses, met.slow_poses);
}

TEST(RandomCharacter, PlaysWhatVariesOrDoesNotFitAsItIsEvaluated) {
  Met met;
  test::for_random_scenes(test::Subject::skeletons, {90'000, kScenes}, [&](Scene scene) {
    Random random = random_for(scene);
    test::for_each_prim(scene, [&](PrimText& prim) { roughen(prim, random); });
    const Rules rules = random.chance(50) ? Rules::documented : Rules::openusd;
    return check_scene(scene, rules, random, met);
  });
  for (const std::size_t count :
       {met.fast, met.slow, met.tangents, met.fast_poses, met.slow_poses}) {
    EXPECT_GT(count, kScenes / 10);
  }
  EXPECT_GT(met.reordered_slowly, 0U);
}

}  // namespace
}  // namespace sinew::skel::random_character_test
