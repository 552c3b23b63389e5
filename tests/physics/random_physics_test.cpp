// SPDX-License-Identifier: Apache-2.0
// Random physics scenes that say the same in different ways are read to the same bits. A failure
// names the seed: SINEW_SCENE_SEED=<seed> runs that scene alone.
#include <gtest/gtest.h>

#include <array>
#include <sstream>
#include <string>
#include <thread>

#include "sinew/physics/describe.hpp"
#include "sinew/physics/mass.hpp"
#include "sinew/physics/pair_filter.hpp"
#include "sinew/physics/read/check_physics.hpp"
#include "sinew/physics/read/read_physics.hpp"
#include "support/describe_stage.hpp"
#include "support/random_scene.hpp"
#include "support/recorded.hpp"

namespace sinew::physics::random_physics_test {
namespace {

using test::Scene;

constexpr std::uint64_t kScenes = 150;

void for_scenes(std::uint64_t test, const test::Complaint& complaint,
                std::uint64_t count = kScenes) {
  test::for_random_scenes(test::Subject::physics, {test * kScenes, count}, complaint);
}

// The explanation of a mass with the tensor in place of computed axes: where two of the moments are
// equal, rounding decides which axes are found, and every kind of processor rounds in its own way.
std::string explain_by_tensor(const PhysicsModel& model, const BodyMass& mass) {
  const Matrix3d axes = mass.principal_axes.normalized().toRotationMatrix();
  const Matrix3d tensor = axes * mass.diagonal_inertia.asDiagonal() * axes.transpose();
  std::ostringstream text;
  std::istringstream lines(explain_mass(model, mass));
  for (std::string line; std::getline(lines, line);) {
    const bool is_ambiguous = line.find("principal axes") != std::string::npos &&
                              line.find("computed") != std::string::npos;
    if (!is_ambiguous) {
      text << line << '\n';
      continue;
    }
    text << "tensor";
    for (int row = 0; row < 3; ++row) {
      for (int column = row; column < 3; ++column) text << ' ' << test::plain(tensor(row, column));
    }
    text << '\n';
  }
  return text.str();
}

// All of the world's physics: descriptors, masses, and what collides.
std::string describe_physics(const stage::Stage& stage,
                             std::string (*explain)(const PhysicsModel&,
                                                    const BodyMass&) = explain_mass) {
  Diagnostics diagnostics;
  ReadOptions options;
  options.include_paths = {"/World"};
  const PhysicsModel model = read_physics(stage, diagnostics, options);
  std::string text = describe(model);
  for (const BodyMass& mass : body_masses(model, diagnostics)) text += explain(model, mass);
  const PairFilter filter = PairFilter::build(model, diagnostics);
  const auto count = static_cast<std::int32_t>(model.shapes.size());
  for (std::int32_t a = 0; a < count; ++a) {
    for (std::int32_t b = 0; b < count; ++b) {
      text += to_string(filter.decide(a, b).reason);
      if (filter.collides(a, b) != filter.collides(b, a)) text += " one way only";
      text += b + 1 < count ? ", " : "\n";
    }
  }
  return text;
}

std::string describe_physics(const Scene& scene, Rules rules = Rules::openusd) {
  const stage::StagePtr stage = test::open(scene, rules);
  return stage ? describe_physics(*stage) : "no stage";
}

TEST(RandomPhysics, IsWhatIsRecorded) {
  test::expect_recorded(
      "random.physics.txt",
      test::in_one_line_each(test::Subject::physics, 300, [](const Scene& scene, Rules rules) {
        const stage::StagePtr stage = test::open(scene, rules);
        return stage ? describe_physics(*stage, explain_by_tensor) : "no stage";
      }));
}

TEST(RandomPhysics, InstancesAreReadAsPlainPrimsAre) {
  for_scenes(0, [](const Scene& scene) {
    std::string wrong;
    if (test::specializes_where_layers_name_themselves(scene)) return wrong;
    for (const Rules rules : {Rules::openusd, Rules::documented}) {
      wrong += test::difference(describe_physics(test::without_instances(scene), rules),
                                describe_physics(scene, rules));
    }
    return wrong;
  });
}

TEST(RandomPhysics, AbstractSourcesAreReadAsDefinedOnesAre) {
  for_scenes(1, [](const Scene& scene) -> std::string {
    if (test::specializes_several(scene)) return {};
    return test::difference(describe_physics(test::with_sources_as(scene, "def")),
                            describe_physics(test::with_sources_as(scene, "class")));
  });
}

TEST(RandomPhysics, FlattenedScenesAreReadAsComposedOnesAre) {
  for_scenes(2, [](const Scene& scene) {
    std::string wrong;
    for (const Rules rules : {Rules::openusd, Rules::documented}) {
      const stage::StagePtr stage = test::open(scene, rules);
      wrong += test::difference(describe_physics(*stage),
                                describe_physics(test::flatten(*stage), rules));
    }
    return wrong;
  });
}

TEST(RandomPhysics, OpinionsOfOneLayerMayStandInSeveralSublayers) {
  for_scenes(3, [](const Scene& scene) {
    return test::difference(describe_physics(scene),
                            describe_physics(test::with_root_layer_split(scene, 3, 1)));
  });
}

TEST(RandomPhysics, EightThreadsReadTheSame) {
  for_scenes(
      4,
      [](const Scene& scene) {
        const stage::StagePtr stage = test::open(scene);
        const std::string expected = describe_physics(*stage);
        std::array<std::string, 8> texts;
        std::array<std::thread, 8> threads;
        for (std::size_t i = 0; i < threads.size(); ++i) {
          threads[i] = std::thread([&, i] { texts[i] = describe_physics(*stage); });
        }
        for (std::thread& thread : threads) thread.join();
        std::string wrong;
        for (const std::string& text : texts) wrong += test::difference(expected, text);
        return wrong;
      },
      25);
}

// Indices of a model name what the paths beside them name; order does not matter to pairs.
TEST(RandomPhysics, ModelsAreConsistentUnderBothRules) {
  for_scenes(5, [](const Scene& scene) -> std::string {
    for (const Rules rules : {Rules::documented, Rules::openusd}) {
      Diagnostics diagnostics;
      const stage::StagePtr stage = test::open(scene, rules, diagnostics);
      const PhysicsModel model = read_physics(*stage, diagnostics);
      check_physics(*stage, diagnostics);
      if (describe_physics(*stage).find("one way only") != std::string::npos) {
        return "a pair depends on the order\n";
      }
      for (const RigidBody& body : model.rigid_bodies) {
        for (std::size_t i = 0; i < body.shapes.size(); ++i) {
          const std::int32_t shape = body.shapes[i];
          if (shape == kNone) return body.path.str() + " misses a shape\n";
          if (model.shapes[static_cast<std::size_t>(shape)].path != body.shape_paths[i]) {
            return body.path.str() + " has the wrong shape\n";
          }
        }
      }
    }
    return "";
  });
}

}  // namespace
}  // namespace sinew::physics::random_physics_test
