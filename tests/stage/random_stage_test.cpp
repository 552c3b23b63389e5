// SPDX-License-Identifier: Apache-2.0
// Random scenes that say the same in different ways compose to the same. A failure names the seed:
// SINEW_SCENE_SEED=<seed> runs that scene alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <thread>

#include "sinew/usda/parser.hpp"
#include "sinew/usda/writer.hpp"
#include "support/describe_stage.hpp"
#include "support/random_scene.hpp"
#include "support/recorded.hpp"

namespace sinew::stage::random_stage_test {
namespace {

using test::Scene;
using test::Subject;

constexpr std::uint64_t kScenes = 400;

std::string describe_world(const Scene& scene, Rules rules = Rules::openusd) {
  const StagePtr stage = test::open(scene, rules);
  return stage ? test::describe(stage->prim("/World")) : "nothing";
}

// Every test has scenes of its own.
void for_scenes(std::uint64_t test, const test::Complaint& complaint,
                std::uint64_t count = kScenes) {
  test::for_random_scenes(Subject::composition, {test * kScenes, count}, complaint);
}

// stage 4: what lies below an instance comes from its arcs, and these scenes say nothing else.
TEST(RandomScene, InstancesShowWhatPlainPrimsShow) {
  std::uint64_t compared = 0;
  for_scenes(0, [&](const Scene& scene) -> std::string {
    if (test::specializes_where_layers_name_themselves(scene)) return {};
    ++compared;
    return test::difference(describe_world(test::without_instances(scene)), describe_world(scene));
  });
  EXPECT_GT(compared, kScenes / 2);
}

// Whether a prim is abstract depends on the place where it stands.
TEST(RandomScene, AbstractSourcesShowWhatDefinedOnesShow) {
  for_scenes(1, [](const Scene& scene) -> std::string {
    if (test::specializes_several(scene)) return {};
    return test::difference(describe_world(test::with_sources_as(scene, "def")),
                            describe_world(test::with_sources_as(scene, "class")));
  });
}

TEST(RandomScene, ComposeToWhatIsRecorded) {
  test::expect_recorded(
      "random.stage.txt",
      test::in_one_line_each(Subject::composition, 1000, [](const Scene& scene, Rules rules) {
        const StagePtr stage = test::open(scene, rules);
        EXPECT_NE(stage, nullptr);
        return stage ? test::describe(stage->root()) : "nothing";
      }));
}

TEST(RandomScene, FlattenedScenesShowWhatComposedOnesShow) {
  for_scenes(2, [](const Scene& scene) {
    const StagePtr stage = test::open(scene);
    return test::difference(test::describe(stage->prim("/World")),
                            describe_world(test::flatten(*stage)));
  });
}

TEST(RandomScene, OpinionsOfOneLayerMayStandInSeveralSublayers) {
  for_scenes(3, [](const Scene& scene) {
    return test::difference(describe_world(scene),
                            describe_world(test::with_root_layer_split(scene, 3, 1)));
  });
}

TEST(RandomScene, LayersReadBackFromWhatIsWrittenAreEqual) {
  for_scenes(4, [](const Scene& scene) -> std::string {
    std::vector<std::pair<std::string, std::string>> written;
    for (const test::LayerText& layer : scene.layers) {
      Diagnostics diagnostics;
      const std::string text = test::to_text(layer);
      const auto first = usda::parse(text, layer.name, diagnostics);
      if (!first) return layer.name + ": " + first.error().message + "\n";
      written.emplace_back(layer.name, usda::write(**first));
      const auto second = usda::parse(written.back().second, layer.name, diagnostics);
      if (!second) return layer.name + " as written: " + second.error().message + "\n";
      if (!layer::equal(**first, **second)) return layer.name + " changes when written\n";
      if (usda::write(**second) != written.back().second) return "two texts of one layer\n";
    }
    Diagnostics diagnostics;
    const StagePtr stage = test::open(written, Rules::openusd, diagnostics);
    return test::difference(describe_world(scene), test::describe(stage->prim("/World")));
  });
}

TEST(RandomScene, EightThreadsReadTheSame) {
  for_scenes(
      5,
      [](const Scene& scene) {
        const StagePtr stage = test::open(scene);
        const std::string expected = test::describe(stage->root());
        std::array<std::string, 8> texts;
        std::array<std::thread, 8> threads;
        for (std::size_t i = 0; i < threads.size(); ++i) {
          threads[i] = std::thread([&, i] { texts[i] = test::describe(stage->root()); });
        }
        for (std::thread& thread : threads) thread.join();
        std::string wrong;
        for (const std::string& text : texts) wrong += test::difference(expected, text);
        return wrong;
      },
      40);
}

// A prim is found at the path that it says it has, whatever rules composed it; scenes are valid,
// so that nothing is an error but a target that an arc cannot map.
TEST(RandomScene, EveryPrimIsFoundAtItsPathUnderBothRules) {
  for_scenes(6, [](const Scene& scene) -> std::string {
    for (const Rules rules : {Rules::documented, Rules::openusd}) {
      Diagnostics diagnostics;
      const StagePtr stage = test::open(scene, rules, diagnostics);
      for (const Diagnostic& diagnostic : diagnostics) {
        if (diagnostic.severity == Severity::error) return format(diagnostic) + "\n";
      }
      std::set<std::string> seen;
      for (const Prim prim : stage->root().descendants(Traversal::all())) {
        if (prim.is_root()) continue;
        const std::string path = prim.path().str();
        if (!seen.insert(path).second) return path + " stands there twice\n";
        if (stage->prim(path) != prim) return path + " is not found\n";
        if (prim.explain().empty()) return path + " has no opinion\n";
        for (const Attribute& attribute : prim.attributes()) (void)attribute.explain(1.0);
      }
    }
    return "";
  });
}

}  // namespace
}  // namespace sinew::stage::random_stage_test
