// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "sinew/skel/skinning.hpp"
#include "skel/kernels/skin_kernels.hpp"

namespace sinew::skel {

/// Which of SkinArgs::vectors holds what, in every pass.
inline constexpr std::size_t kTangentStream = 0;
inline constexpr std::size_t kNormalStream = 1;

/// One kernel and what it reads.
struct SkinPass {
  SkinKernel kernel = nullptr;
  SkinArgs args;
};

/// A job translated for the kernels. Lives on the stack; for the constant form it holds the one
/// transform of the mesh, so it must not be copied.
struct SkinPlan {
  SkinPass passes[2];
  std::size_t pass_count = 0;
  float constant_matrices[2][12];

  SkinPlan() = default;
  SkinPlan(const SkinPlan&) = delete;
  SkinPlan& operator=(const SkinPlan&) = delete;

  /// Runs all passes on blocks [first, last).
  void run(std::size_t first, std::size_t last) const;
};

/// Translates a valid job.
void make_plan(const SkinPointsJob& job, SkinPlan& plan);

}  // namespace sinew::skel
