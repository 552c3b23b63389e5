// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/simd.hpp"

#include "core/kernels/disabled_targets.hpp"

// Behind what chooses the targets.
#include <hwy/targets.h>

namespace sinew {

namespace {

// Newer versions of Highway tell machines without AES apart, and have more targets.
#if defined(HWY_NEON_WITHOUT_AES)
constexpr std::int64_t kNeon = HWY_NEON | HWY_NEON_WITHOUT_AES;
#else
constexpr std::int64_t kNeon = HWY_NEON;
#endif
#if defined(HWY_SVE_256) && defined(HWY_SVE2_128)
constexpr std::int64_t kSve = HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128;
#else
constexpr std::int64_t kSve = HWY_SVE | HWY_SVE2;
#endif

struct LevelTargets {
  SimdLevel level;
  std::int64_t machine;  // Highway targets of which the machine must have one,
  std::int64_t build;    // and of which one must be compiled.
};

constexpr LevelTargets kLevels[] = {
    {SimdLevel::sse4, HWY_SSE4, HWY_SSE4},
    {SimdLevel::avx2, HWY_AVX2, HWY_AVX2},
    {SimdLevel::avx512, HWY_AVX3 | HWY_AVX3_DL, HWY_AVX3 | HWY_AVX3_DL},
    {SimdLevel::neon, kNeon, kNeon},
    {SimdLevel::sve, kSve, kNeon},  // See select_kernel.hpp.
    {SimdLevel::wasm, HWY_WASM, HWY_WASM},
};

// With -march=native the levels below that of the machine are not compiled.
bool has(const LevelTargets& entry) noexcept {
  // Asked once: a virtual machine takes its time to answer what processor it has, longer than a
  // small file takes to read.
  static const auto machine = static_cast<std::int64_t>(hwy::SupportedTargets());
  const auto build = static_cast<std::int64_t>(HWY_TARGETS);
  return (machine & entry.machine) != 0 && (build & entry.build) != 0;
}

}  // namespace

std::vector<SimdLevel> supported_simd_levels() {
  std::vector<SimdLevel> levels{SimdLevel::scalar};
  for (const LevelTargets& entry : kLevels) {
    if (has(entry)) levels.push_back(entry.level);
  }
  return levels;
}

bool is_supported(SimdLevel level) noexcept {
  if (level == SimdLevel::best || level == SimdLevel::scalar) return true;
  for (const LevelTargets& entry : kLevels) {
    if (entry.level == level) return has(entry);
  }
  return false;
}

SimdLevel best_simd_level() noexcept {
  SimdLevel best = SimdLevel::scalar;
  for (const LevelTargets& entry : kLevels) {
    if (has(entry)) best = entry.level;
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
    case SimdLevel::wasm:
      return "wasm";
  }
  return "unknown";
}

}  // namespace sinew
