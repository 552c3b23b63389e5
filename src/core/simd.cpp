// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/simd.hpp"

#include <hwy/targets.h>

namespace sinew {

namespace {

struct LevelTargets {
  SimdLevel level;
  std::int64_t targets;  // Highway targets that count as this level.
};

constexpr LevelTargets kLevels[] = {
    {SimdLevel::sse4, HWY_SSE4},
    {SimdLevel::avx2, HWY_AVX2},
    {SimdLevel::avx512, HWY_AVX3 | HWY_AVX3_DL},
    {SimdLevel::neon, HWY_NEON},
    {SimdLevel::sve, HWY_SVE | HWY_SVE2},
};

}  // namespace

std::vector<SimdLevel> supported_simd_levels() {
  std::vector<SimdLevel> levels{SimdLevel::scalar};
  const auto supported = static_cast<std::int64_t>(hwy::SupportedTargets());
  for (const LevelTargets& entry : kLevels) {
    if ((supported & entry.targets) != 0) levels.push_back(entry.level);
  }
  return levels;
}

bool is_supported(SimdLevel level) noexcept {
  if (level == SimdLevel::best || level == SimdLevel::scalar) return true;
  const auto supported = static_cast<std::int64_t>(hwy::SupportedTargets());
  for (const LevelTargets& entry : kLevels) {
    if (entry.level == level) return (supported & entry.targets) != 0;
  }
  return false;
}

SimdLevel best_simd_level() noexcept {
  const auto supported = static_cast<std::int64_t>(hwy::SupportedTargets());
  SimdLevel best = SimdLevel::scalar;
  for (const LevelTargets& entry : kLevels) {
    if ((supported & entry.targets) != 0) best = entry.level;
  }
  return best;
}

std::string_view to_string(SimdLevel level) noexcept {
  switch (level) {
    case SimdLevel::best:
      return "best";
    case SimdLevel::scalar:
      return "scalar";
    case SimdLevel::sse4:
      return "sse4";
    case SimdLevel::avx2:
      return "avx2";
    case SimdLevel::avx512:
      return "avx512";
    case SimdLevel::neon:
      return "neon";
    case SimdLevel::sve:
      return "sve";
  }
  return "unknown";
}

}  // namespace sinew
