// SPDX-License-Identifier: Apache-2.0
// What writing a file takes beside it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <tuple>

#include "export/gltf/sheets.hpp"
#include "sinew/export/glb.hpp"
#include "sinew/stage/asset_resolver.hpp"
#include "sinew/stage/stage.hpp"
#include "support/peak_memory.hpp"
#include "support/sanitized.hpp"

namespace sinew::exporter::memory_test {
namespace {

// Meshes, quads along a side, whether texture coordinates are of corners.
using Case = std::tuple<int, int, test::Corners>;

class GlbMemory : public ::testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    if (SINEW_TEST_SANITIZED != 0) GTEST_SKIP() << "sanitizers hold memory of their own";
    const auto [count, size, corners] = GetParam();
    resolver_.add("a.usda", test::sheets(count, size, corners));
    stage::OpenOptions options;
    options.resolver = &resolver_;
    const auto stage = stage::Stage::open("a.usda", diagnostics_, options);
    ASSERT_TRUE(stage);
    stage_ = *stage;
  }

  stage::MemoryResolver resolver_;
  Diagnostics diagnostics_;
  stage::StagePtr stage_;
};

// The third time too: what an allocator keeps of the first is taken again.
constexpr int kTimes = 3;

TEST_P(GlbMemory, IsTwiceTheFileAtMost) {
  for (int i = 0; i < kTimes; ++i) {
    const test::PeakMemory memory;
    const auto file = write_glb(*stage_, {}, diagnostics_);
    const double peak = memory.peak();
    ASSERT_TRUE(file);
    if (peak == 0.0) GTEST_SKIP() << "the system does not tell";
    EXPECT_LE(peak, 2.0 * static_cast<double>(file->bytes.size())) << i;
  }
}

TEST_P(GlbMemory, IsTwiceTheFileAtMostThatGoesToDisk) {
  const auto [count, size, unused] = GetParam();
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / fmt::format("sinew_memory_{}_{}.glb", count, size);
  for (int i = 0; i < kTimes; ++i) {
    const test::PeakMemory memory;
    ASSERT_TRUE(write_glb_file(*stage_, path.string(), {}, diagnostics_));
    const double peak = memory.peak();
    if (peak == 0.0) GTEST_SKIP() << "the system does not tell";
    EXPECT_LE(peak, 2.0 * static_cast<double>(std::filesystem::file_size(path))) << i;
  }
  std::filesystem::remove(path);
}

INSTANTIATE_TEST_SUITE_P(Sheets, GlbMemory,
                         ::testing::Values(Case(8, 300, test::Corners::shared),
                                           Case(1, 700, test::Corners::shared),
                                           Case(8, 200, test::Corners::split),
                                           Case(1, 500, test::Corners::split)));

}  // namespace
}  // namespace sinew::exporter::memory_test
