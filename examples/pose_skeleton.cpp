// SPDX-License-Identifier: CC0-1.0
// Reads the skeletons of a file and follows their joints through time.
// Run: pose_skeleton FILE.usda [FIRST LAST]

#include <cstdio>
#include <cstdlib>

#include "sinew/skel/read/bindings.hpp"
#include "sinew/skel/read/evaluate.hpp"
#include "sinew/stage/stage.hpp"

int main(int argc, char** argv) {
  if (argc != 2 && argc != 4) {
    std::fprintf(stderr, "usage: pose_skeleton FILE.usda [FIRST LAST]\n");
    return 2;
  }
  sinew::Diagnostics diagnostics;
  const auto stage = sinew::stage::Stage::open(std::string(argv[1]), diagnostics);
  if (!stage) {
    std::fprintf(stderr, "%s\n", stage.error().message.c_str());
    return 1;
  }
  const sinew::stage::Metrics& metrics = (*stage)->metrics();
  const double first = argc == 4 ? std::atof(argv[2]) : metrics.start_time_code;
  const double last = argc == 4 ? std::atof(argv[3]) : metrics.end_time_code;

  for (const auto& binding : sinew::skel::read_bindings(**stage, diagnostics)) {
    if (binding.skeleton == nullptr) continue;  // Its joints form no hierarchy.
    const auto& joints = binding.skeleton->joints();
    std::printf("%s: %zu joints\n", binding.skeleton_prim.path().str().c_str(), joints.size());

    sinew::skel::SkeletonPose pose;  // Reused, so that its memory is.
    for (double time = first; time <= last; time += 1.0) {
      sinew::skel::evaluate_pose(binding, time, pose, diagnostics);
      if (pose.joint_world.empty()) continue;
      const sinew::Vector3d where = pose.joint_world.back().topRightCorner<3, 1>();
      std::printf("  %g: %s at %.3f %.3f %.3f\n", time, joints.back().c_str(), where.x(), where.y(),
                  where.z());
    }
  }
  for (const sinew::Diagnostic& diagnostic : diagnostics) {
    std::fprintf(stderr, "%s\n", sinew::format(diagnostic).c_str());
  }
  return 0;
}
