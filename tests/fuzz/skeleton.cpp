// SPDX-License-Identifier: Apache-2.0
// Skeletons: whatever is bound is posed, deformed, measured and baked.
#include <string>

#include "fuzz/open_stage.hpp"
#include "fuzz/target.hpp"
#include "sinew/skel/read/bake_skinning.hpp"
#include "sinew/skel/read/bindings.hpp"
#include "sinew/skel/read/check_bindings.hpp"
#include "sinew/skel/read/evaluate.hpp"
#include "sinew/skel/read/extents.hpp"
#include "sinew/stage/stage.hpp"
#include "sinew/usda/writer.hpp"

namespace {

using namespace sinew;

void evaluate(const skel::SkeletonBinding& binding, stage::Time time, Diagnostics& diagnostics) {
  skel::SkeletonPose pose;
  skel::evaluate_pose(binding, time, pose, diagnostics);
  (void)skel::rest_relative(binding, pose);
  (void)skel::skeleton_extent(binding, time, nullptr, &diagnostics);
  skel::DeformOptions options;
  options.level = SimdLevel::best;
  for (const skel::SkinTarget& target : binding.targets) {
    skel::DeformedPrim deformed;
    skel::evaluate_target(target, pose, deformed, diagnostics, options);
    if (binding.skeleton) (void)skel::extents_padding(target, *binding.skeleton);
  }
  if (binding.skel_root) (void)skel::skel_root_extent(binding.skel_root, time, diagnostics);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  stage::MemoryResolver resolver;
  Diagnostics diagnostics;
  const stage::StagePtr stage = fuzz::open_stage(data, size, resolver, diagnostics);
  if (stage == nullptr) return 0;
  skel::check_bindings(*stage, diagnostics);
  skel::check_skinning(*stage, diagnostics);
  const auto bindings = skel::read_bindings(*stage, diagnostics);
  for (const skel::SkeletonBinding& binding : bindings) {
    evaluate(binding, stage::Time::default_time(), diagnostics);
    evaluate(binding, 1.5, diagnostics);
  }
  if (bindings.empty()) return 0;
  skel::BakeOptions bake;
  bake.first_time = 0.0;
  bake.last_time = 3.0;
  const auto baked = skel::bake_skinning(*stage, bake, diagnostics);
  if (baked) (void)usda::write(**baked);
  return 0;
}
