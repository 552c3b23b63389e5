// SPDX-License-Identifier: CC0-1.0
// Poses all characters of a file together, each with its own clip and from another moment on.
// Run: crowd FILE.usda [FRAMES]

#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "sinew/skel/read/bindings.hpp"
#include "sinew/skel/read/crowd.hpp"
#include "sinew/stage/stage.hpp"

int main(int argc, char** argv) {
  if (argc != 2 && argc != 3) {
    std::fprintf(stderr, "usage: crowd FILE.usda [FRAMES]\n");
    return 2;
  }
  sinew::Diagnostics diagnostics;
  const auto stage = sinew::stage::Stage::open(std::string(argv[1]), diagnostics);
  if (!stage) {
    std::fprintf(stderr, "%s\n", stage.error().message.c_str());
    return 1;
  }
  const auto bindings = sinew::skel::read_bindings(**stage, diagnostics);
  auto crowd = sinew::skel::Crowd::open(bindings, diagnostics);
  if (!crowd) {
    std::fprintf(stderr, "%s\n", crowd.error().message.c_str());
    return 1;
  }
  std::printf("characters: %zu, skeletons: %zu\n", crowd->member_count(), crowd->group_count());

  // Nobody keeps in step: each begins half a second (12 frames) after the one before.
  for (std::size_t group = 0; group < crowd->group_count(); ++group) {
    for (std::size_t i = 0; i < crowd->members(group).size(); ++i) {
      sinew::skel::Playback playback = crowd->members(group)[i].playback;
      playback.offset = 12.0 * static_cast<double>(i);
      crowd->set_playback(group, i, playback);
    }
  }

  const int frames = argc == 3 ? std::atoi(argv[2]) : 1000;
  const auto start = std::chrono::steady_clock::now();
  for (int frame = 0; frame < frames; ++frame) {
    if (const auto status = crowd->pose(frame); !status) {
      std::fprintf(stderr, "%s\n", status.error().message.c_str());
      return 1;
    }
  }
  const std::chrono::duration<double, std::micro> spent = std::chrono::steady_clock::now() - start;

  // What a renderer takes: for each member its place and a palette.
  for (std::size_t group = 0; group < crowd->group_count(); ++group) {
    const std::size_t joints = crowd->skeleton(group).joint_count();
    for (std::size_t i = 0; i < crowd->members(group).size(); ++i) {
      const auto& member = crowd->members(group)[i];
      const sinew::Matrix4d& stands = crowd->world_from_skel(group)[i];
      const auto palette = crowd->palettes(group).subspan(i * joints, joints);
      std::printf("%s at %g %g %g: %zu joints, the last moved by %.3f %.3f %.3f\n",
                  bindings[member.binding].skel_root.path().str().c_str(), stands(0, 3),
                  stands(1, 3), stands(2, 3), joints, static_cast<double>(palette.back().m[3]),
                  static_cast<double>(palette.back().m[7]),
                  static_cast<double>(palette.back().m[11]));
    }
  }
  std::printf("%.3f us per character and frame\n",
              spent.count() / static_cast<double>(crowd->member_count()) / frames);
  for (const sinew::Diagnostic& diagnostic : diagnostics) {
    std::fprintf(stderr, "%s\n", sinew::format(diagnostic).c_str());
  }
  return 0;
}
