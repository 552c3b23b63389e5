// SPDX-License-Identifier: CC0-1.0
// Plays every character of a file as a viewer or a game would: opened once, then frame by frame.
// Run: play_character FILE.usda [FIRST LAST]

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "sinew/core/executor_std_thread.hpp"
#include "sinew/skel/read/bindings.hpp"
#include "sinew/skel/read/character.hpp"
#include "sinew/stage/stage.hpp"

namespace {

// What a renderer would do: the box around all points, in the world.
sinew::Range3f draw(const sinew::skel::Character& character) {
  sinew::Range3f box;
  const sinew::Affine34f world_from_skel(character.world_from_skel());
  for (const sinew::skel::CharacterMesh& mesh : character.meshes()) {
    for (const sinew::Vector3f& point : mesh.points) box.add(world_from_skel * point);
  }
  return box;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 && argc != 4) {
    std::fprintf(stderr, "usage: play_character FILE.usda [FIRST LAST]\n");
    return 2;
  }
  sinew::Diagnostics diagnostics;
  const auto stage = sinew::stage::Stage::open(std::string(argv[1]), diagnostics);
  if (!stage) {
    std::fprintf(stderr, "%s\n", stage.error().message.c_str());
    return 1;
  }
  std::vector<sinew::skel::Character> characters;
  for (const auto& binding : sinew::skel::read_bindings(**stage, diagnostics)) {
    auto character = sinew::skel::Character::open(binding, diagnostics);
    if (character) characters.push_back(*std::move(character));
  }
  const double first = argc == 4 ? std::atof(argv[2]) : 1.0;
  const double last = argc == 4 ? std::atof(argv[3]) : 24.0;
  sinew::StdThreadPool pool;
  for (double time = first; time <= last; time += 1.0) {
    for (sinew::skel::Character& character : characters) {
      character.pose(time);
      character.deform(pool.executor());
      const sinew::Range3f box = draw(character);
      if (box.empty()) continue;
      std::printf("%s at %g: (%.3f, %.3f, %.3f) to (%.3f, %.3f, %.3f)\n",
                  character.binding().skeleton_prim.path().str().c_str(), time,
                  static_cast<double>(box.min.x()), static_cast<double>(box.min.y()),
                  static_cast<double>(box.min.z()), static_cast<double>(box.max.x()),
                  static_cast<double>(box.max.y()), static_cast<double>(box.max.z()));
    }
  }
  for (const sinew::skel::Character& character : characters) {
    diagnostics.insert(diagnostics.end(), character.diagnostics().begin(),
                       character.diagnostics().end());
  }
  for (const sinew::Diagnostic& diagnostic : diagnostics) {
    std::fprintf(stderr, "%s\n", sinew::format(diagnostic).c_str());
  }
  return 0;
}
