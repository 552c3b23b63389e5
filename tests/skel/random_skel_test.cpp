// SPDX-License-Identifier: Apache-2.0
// Random skinned scenes that say the same in different ways deform to the same bits. A failure
// names the seed: SINEW_SCENE_SEED=<seed> runs that scene alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <thread>

#include "sinew/core/executor_std_thread.hpp"
#include "sinew/skel/read/bake_skinning.hpp"
#include "sinew/skel/read/check_bindings.hpp"
#include "sinew/skel/read/evaluate.hpp"
#include "sinew/skel/read/extents.hpp"
#include "support/describe_stage.hpp"
#include "support/random_scene.hpp"
#include "support/recorded.hpp"

namespace sinew::skel::random_skel_test {
namespace {

using test::Scene;

constexpr std::uint64_t kScenes = 150;
const std::array<stage::Time, 3> kTimes = {stage::Time::earliest(), stage::Time(3.0),
                                           stage::Time(25.0)};

void for_scenes(std::uint64_t test, const test::Complaint& complaint,
                std::uint64_t count = kScenes) {
  test::for_random_scenes(test::Subject::skeletons, {test * kScenes, count}, complaint);
}

void add_matrices(std::string& text, const char* name, const std::vector<Matrix4d>& matrices) {
  text += std::string("  ") + name;
  for (const Matrix4d& m : matrices) {
    for (int i = 0; i < 16; ++i) text += " " + test::number(m(i % 4, i / 4));
  }
  text += "\n";
}

void add_points(std::string& text, const char* name, const std::vector<Vector3f>& points) {
  text += std::string("  ") + name;
  for (const Vector3f& p : points) {
    for (int i = 0; i < 3; ++i) text += " " + test::number(static_cast<double>(p[i]));
  }
  text += "\n";
}

/// What is told of deformed points.
enum class Tell {
  everything,
  what_is_decided,  ///< Not what hangs on the last digits of sines, which C libraries differ in.
};

// Dual quaternions a half turn apart may be blended either way round: the least turn decides.
bool is_decided(const SkinTarget& target, const SkeletonPose& pose) {
  if (target.skin->method != SkinningMethod::dual_quaternion) return true;
  const auto deform_turned = [&](double angle) {
    SkeletonPose turned = pose;
    const Vector3d axis = Vector3d(1.0, 2.0, 3.0).normalized();
    for (std::size_t j = 0; j < turned.skinning.size(); ++j) {
      const Eigen::AngleAxisd turn(angle * static_cast<double>(j + 1), axis);
      turned.skinning[j].topLeftCorner<3, 3>() *= turn.toRotationMatrix();
    }
    Diagnostics diagnostics;
    DeformedPrim deformed;
    evaluate_target(target, turned, deformed, diagnostics);
    return deformed;
  };
  const DeformedPrim a = deform_turned(1e-5);
  const DeformedPrim b = deform_turned(-1e-5);
  const auto are_near = [](const std::vector<Vector3f>& x, const std::vector<Vector3f>& y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                      [](const Vector3f& u, const Vector3f& v) { return (u - v).norm() < 0.01F; });
  };
  return are_near(a.points, b.points) && are_near(a.normals, b.normals);
}

void describe_binding(const SkeletonBinding& binding, stage::Time time, const Executor& executor,
                      Tell tell, std::string& text) {
  Diagnostics diagnostics;
  SkeletonPose pose;
  evaluate_pose(binding, time, pose, diagnostics);
  text += binding.skeleton_prim.path().str() + " below " + binding.skel_root.path().str() + "\n";
  if (binding.animation_prim) text += "  moved by " + binding.animation_prim.path().str() + "\n";
  add_matrices(text, "local", pose.joint_local);
  add_matrices(text, "skinning", pose.skinning);
  add_matrices(text, "world", pose.joint_world);
  if (const auto box = skeleton_extent(binding, time, nullptr, &diagnostics)) {
    add_points(text, "extent", {box->min, box->max});
  }
  for (const SkinTarget& target : binding.targets) {
    DeformedPrim deformed;
    DeformOptions options;
    options.executor = executor;
    evaluate_target(target, pose, deformed, diagnostics, options);
    text +=
        target.prim.path().str() +
        (target.skin->method == SkinningMethod::dual_quaternion ? " by dual quaternions\n" : "\n");
    if (tell == Tell::what_is_decided && !is_decided(target, pose)) continue;
    add_points(text, "blended", deformed.blended_points);
    add_points(text, "points", deformed.points);
    add_points(text, "normals", deformed.normals);
    if (deformed.skinned_transform) add_matrices(text, "moves", {*deformed.skinned_transform});
  }
}

// What is bound below the world, and how it is deformed, to the last bit.
std::string describe_skinning(const stage::Stage& stage, const Executor& executor = {},
                              Tell tell = Tell::everything) {
  const stage::Prim world = stage.prim("/World");
  if (!world) return "no world";
  Diagnostics diagnostics;
  std::string text;
  for (const SkeletonBinding& binding : read_bindings(world, diagnostics)) {
    for (const stage::Time time : kTimes) describe_binding(binding, time, executor, tell, text);
  }
  if (world.is_a(stage::SchemaType::skel_root)) {
    const auto box = skel_root_extent(world, kTimes[1], diagnostics);
    if (box) add_points(text, "extent", {box->min, box->max});
  }
  return text;
}

std::string describe_skinning(const Scene& scene) {
  const stage::StagePtr stage = test::open(scene);
  return stage ? describe_skinning(*stage) : "no stage";
}

TEST(RandomSkinning, IsWhatIsRecorded) {
  test::expect_recorded(
      "random.skel.txt",
      test::in_one_line_each(test::Subject::skeletons, 300, [](const Scene& scene, Rules rules) {
        const stage::StagePtr stage = test::open(scene, rules);
        return stage ? describe_skinning(*stage, {}, Tell::what_is_decided) : "no stage";
      }));
}

TEST(RandomSkinning, InstancesDeformAsPlainPrimsDo) {
  for_scenes(0, [](const Scene& scene) {
    return test::difference(describe_skinning(test::without_instances(scene)),
                            describe_skinning(scene));
  });
}

TEST(RandomSkinning, AbstractSourcesDeformAsDefinedOnesDo) {
  for_scenes(1, [](const Scene& scene) {
    return test::difference(describe_skinning(test::with_sources_as(scene, "def")),
                            describe_skinning(test::with_sources_as(scene, "class")));
  });
}

TEST(RandomSkinning, FlattenedScenesDeformAsComposedOnesDo) {
  for_scenes(2, [](const Scene& scene) {
    const stage::StagePtr stage = test::open(scene);
    return test::difference(describe_skinning(*stage), describe_skinning(test::flatten(*stage)));
  });
}

TEST(RandomSkinning, OpinionsOfOneLayerMayStandInSeveralSublayers) {
  for_scenes(3, [](const Scene& scene) {
    return test::difference(describe_skinning(scene),
                            describe_skinning(test::with_root_layer_split(scene, 3, 1)));
  });
}

TEST(RandomSkinning, EightThreadsReadAndDeformTheSame) {
  for_scenes(
      4,
      [](const Scene& scene) {
        const stage::StagePtr stage = test::open(scene);
        const std::string expected = describe_skinning(*stage);
        std::array<std::string, 8> texts;
        std::array<std::thread, 8> threads;
        for (std::size_t i = 0; i < threads.size(); ++i) {
          threads[i] = std::thread([&, i] { texts[i] = describe_skinning(*stage); });
        }
        for (std::thread& thread : threads) thread.join();
        std::string wrong;
        for (const std::string& text : texts) wrong += test::difference(expected, text);
        StdThreadPool pool(8);
        return wrong + test::difference(expected, describe_skinning(*stage, pool.executor()));
      },
      25);
}

// Both rule sets read whatever stands there, check it, and bake it.
TEST(RandomSkinning, IsReadCheckedAndBakedUnderBothRules) {
  for_scenes(5, [](const Scene& scene) -> std::string {
    for (const Rules rules : {Rules::documented, Rules::openusd}) {
      Diagnostics diagnostics;
      const stage::StagePtr stage = test::open(scene, rules, diagnostics);
      if (describe_skinning(*stage) != describe_skinning(*stage)) return "two readings differ\n";
      check_bindings(*stage, diagnostics);
      check_skinning(*stage, diagnostics);
      BakeOptions options;
      options.times = {0.0, 4.0};
      const auto baked = bake_skinning(*stage, options, diagnostics);
      if (!baked && baked.error().code != ErrorCode::unsupported) {
        return baked.error().message + "\n";
      }
      if (!baked && rules == Rules::documented) return "documented rules bake instances\n";
    }
    return "";
  });
}

// The bound of SkinPointsJob for one point, from the matrices that move it. What is computed before
// skinning (palette, blend shapes) is the same on all levels.
double error_bound(const SkeletonPose& pose, const DeformedPrim& deformed, const Vector3f& rest,
                   const SkinTarget& target) {
  constexpr double kRounding = 0x1p-24;
  double largest = 0.0;
  for (const Matrix4d& skinning : pose.skinning) {
    const Matrix4d m = skinning * deformed.geom_bind;
    const Eigen::Vector3d magnitude =
        m.topLeftCorner<3, 3>().cwiseAbs() * rest.cast<double>().cwiseAbs() +
        m.topRightCorner<3, 1>().cwiseAbs();
    largest = std::max(largest, magnitude.maxCoeff());
  }
  // No weight of these scenes is above 1.
  const auto influences = static_cast<double>(target.skin->influences);
  return (influences + 6) * influences * kRounding * largest;
}

std::string compare_levels(const SkinTarget& target, const SkeletonPose& pose,
                           const DeformedPrim& expected, SimdLevel level) {
  Diagnostics diagnostics;
  DeformedPrim actual;
  DeformOptions options;
  options.level = level;
  evaluate_target(target, pose, actual, diagnostics, options);
  if (actual.points.size() != expected.points.size()) return "not as many points\n";
  const auto authored = target.prim.attribute("points").get_array<Vector3f>();
  for (std::size_t i = 0; i < actual.points.size(); ++i) {
    const Vector3f& rest = expected.blended ? expected.blended_points[i] : (*authored)[i];
    const double error =
        (actual.points[i] - expected.points[i]).cast<double>().cwiseAbs().maxCoeff();
    const double bound = 2 * error_bound(pose, expected, rest, target);
    if (error <= bound) continue;
    return target.prim.path().str() + ": point " + std::to_string(i) + " is " +
           test::number(error) + " off, more than " + test::number(bound) + " on " +
           std::string(to_string(level)) + "\n";
  }
  return "";
}

// Two results that are each within the bound are within twice of it. tests/skel/
// skinning_levels_test.cpp measures against exact arithmetic.
TEST(RandomSkinning, LevelsAgreeWithinTheirDocumentedError) {
  for_scenes(6, [](const Scene& scene) {
    const stage::StagePtr stage = test::open(scene);
    const stage::Prim world = stage->prim("/World");
    if (!world) return std::string();
    Diagnostics diagnostics;
    ReadOptions unpacked;
    unpacked.pack_influences = false;
    std::string wrong;
    for (const SkeletonBinding& binding : read_bindings(world, diagnostics, unpacked)) {
      SkeletonPose pose;
      evaluate_pose(binding, 3.0, pose, diagnostics);
      for (const SkinTarget& target : binding.targets) {
        DeformedPrim expected;
        DeformOptions options;
        options.level = SimdLevel::scalar;
        evaluate_target(target, pose, expected, diagnostics, options);
        // Half turns between joints are ties for dual quaternions: either way round is right.
        const bool ties = target.skin->method == SkinningMethod::dual_quaternion;
        if (expected.points.empty() || ties) continue;
        for (const SimdLevel level : supported_simd_levels()) {
          wrong += compare_levels(target, pose, expected, level);
        }
      }
    }
    return wrong;
  });
}

}  // namespace
}  // namespace sinew::skel::random_skel_test
