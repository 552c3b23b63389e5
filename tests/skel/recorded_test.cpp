// SPDX-License-Identifier: Apache-2.0
// A character with some of everything that skeletons know, and each of its words with something
// wrong in its place: what comes of it and everything that is said, as recorded.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "sinew/skel/read/bindings.hpp"
#include "sinew/skel/read/character.hpp"
#include "sinew/skel/read/check_bindings.hpp"
#include "sinew/skel/read/evaluate.hpp"
#include "skel/everything_scene.hpp"
#include "support/recorded_scene.hpp"

namespace sinew::skel::recorded_test {
namespace {

void put(std::string& text, const Matrix4d& m) {
  for (int column = 0; column < 4; ++column) {
    text += fmt::format(" ({:.7g} {:.7g} {:.7g})", test::plain(m(0, column)),
                        test::plain(m(1, column)), test::plain(m(2, column)));
  }
}

template <typename Vectors>
void put(std::string& text, const char* name, const Vectors& vectors) {
  if (vectors.empty()) return;
  text += fmt::format("    {}:", name);
  for (const Vector3f& v : vectors) {
    text += fmt::format(" ({:.7g} {:.7g} {:.7g})", test::plain(v.x()), test::plain(v.y()),
                        test::plain(v.z()));
  }
  text += "\n";
}

void describe_target(const SkinTarget& target, const SkeletonPose& pose, Diagnostics& diagnostics,
                     std::string& text) {
  DeformedPrim deformed;
  evaluate_target(target, pose, deformed, diagnostics);
  text += fmt::format("  {}{}{} bind", target.prim.path().view(),
                      deformed.blended ? " blended" : "", deformed.skinned ? " skinned" : "");
  put(text, deformed.geom_bind);
  text += "\n";
  if (!deformed.sub_shape_weights.empty()) {
    text += "    weights:";
    for (const float weight : deformed.sub_shape_weights) {
      text += fmt::format(" {:.7g}", test::plain(weight));
    }
    text += "\n";
  }
  put(text, "blended", deformed.blended_points);
  put(text, "points", deformed.points);
  put(text, "normals", deformed.normals);
  if (deformed.skinned_transform) {
    text += "    moved:";
    put(text, *deformed.skinned_transform);
    text += "\n";
  }
}

test::ToldScene tell(const std::string& scene) {
  stage::MemoryResolver resolver;
  const stage::StagePtr stage = test::open_without_errors(resolver, scene);
  test::ToldScene told;
  if (stage == nullptr) return told;
  told.is_usable = true;
  Diagnostics diagnostics;
  check_bindings(*stage, diagnostics);
  check_skinning(*stage, diagnostics);
  for (const SkeletonBinding& binding : read_bindings(*stage, diagnostics)) {
    told.result += fmt::format("{} below {}\n", binding.skeleton_prim.path().view(),
                               binding.skel_root.path().view());
    for (const double time : {0.0, 3.0}) {
      SkeletonPose pose;
      evaluate_pose(binding, time, pose, diagnostics);
      for (const Matrix4d& m : pose.joint_skel) {
        told.result += "  joint";
        put(told.result, m);
        told.result += "\n";
      }
      for (const SkinTarget& target : binding.targets) {
        describe_target(target, pose, diagnostics, told.result);
      }
    }
    auto character = Character::open(binding, diagnostics);
    if (!character) {
      told.result += "  no character: " + character.error().message + "\n";
      continue;
    }
    character->pose(3.0);
    character->deform();
    for (const CharacterMesh& mesh : character->meshes()) {
      told.result +=
          fmt::format("  {} {}\n", mesh.target->prim.path().view(), mesh.fast ? "fast" : "slow");
      put(told.result, "points", mesh.points);
    }
  }
  told.said = test::lines_of(diagnostics, "  ");
  return told;
}

TEST(RecordedCharacter, IsTheSameLineByLine) {
  const test::ToldScene told = tell(kEverything);
  ASSERT_TRUE(told.is_usable);
  test::expect_recorded("everything.skel.txt", told.said + told.result);
}

TEST(RecordedCharacter, IsToldWhatIsWrongInEveryPlace) {
  test::expect_recorded(
      "faults.skel.txt",
      test::told_of_each_damage(
          kEverything, {"", "-1", "nan", "\"a\"", "</Root/Anim>", "None", "None0", "uniform"},
          tell) +
          test::told_of_each_other_type(kEverything, tell));
}

}  // namespace
}  // namespace sinew::skel::recorded_test
