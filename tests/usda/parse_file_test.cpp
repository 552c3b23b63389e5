// SPDX-License-Identifier: Apache-2.0
// Files: what can go wrong with them, and the memory that reading one takes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "sinew/usda/parser.hpp"
#include "support/count_allocations.hpp"

#include <fmt/format.h>

namespace sinew::usda::parse_file_test {
using namespace layer;
namespace {

class ParseFile : public testing::Test {
 protected:
  void write(const std::string& text) { std::ofstream(file_, std::ios::binary) << text; }
  void TearDown() override { std::filesystem::remove(file_); }

  // Named for the test, because tests run side by side.
  std::string file_ = (std::filesystem::temp_directory_path() /
                       (std::string("sinew_") +
                        testing::UnitTest::GetInstance()->current_test_info()->name() + ".usda"))
                          .string();
  Diagnostics diagnostics_;
};

TEST_F(ParseFile, ReadsTheSameAsParse) {
  const std::string text = "#usda 1.0\ndef Xform \"A\"\n{\n    int[] a = [1, 2, 3]\n}\n";
  write(text);

  const Result<LayerPtr> from_file = parse_file(file_, diagnostics_);
  const Result<LayerPtr> from_text = parse(text, file_, diagnostics_);

  ASSERT_TRUE(from_file && from_text);
  EXPECT_TRUE(equal(**from_file, **from_text));
  EXPECT_EQ((*from_file)->identifier(), file_);
}

TEST_F(ParseFile, SaysWhyAFileCannotBeRead) {
  const Result<LayerPtr> missing = parse_file(file_ + ".none", diagnostics_);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::io_failed);
  EXPECT_THAT(missing.error().message, testing::HasSubstr(".none"));

  const std::string folder = std::filesystem::temp_directory_path().string();
  const Result<LayerPtr> directory = parse_file(folder, diagnostics_);
  ASSERT_FALSE(directory);
  EXPECT_EQ(directory.error().code, ErrorCode::io_failed);
  EXPECT_EQ(diagnostics_.size(), 2u);
}

TEST_F(ParseFile, RefusesAnEmptyFileAsAnEmptyText) {
  write("");
  const Result<LayerPtr> layer = parse_file(file_, diagnostics_);
  ASSERT_FALSE(layer);
  EXPECT_EQ(layer.error().code, ErrorCode::syntax);
}

TEST_F(ParseFile, ReadsUpToTheLimitOfBytes) {
  const std::string text = "#usda 1.0\n" + std::string(200'000, ' ') + "def \"A\" {}\n";
  write(text);
  ParseOptions options;
  options.limits.file_bytes = text.size();
  EXPECT_TRUE(parse_file(file_, diagnostics_, options));
  options.limits.file_bytes = text.size() - 1;
  const Result<LayerPtr> layer = parse_file(file_, diagnostics_, options);
  ASSERT_FALSE(layer);
  EXPECT_EQ(layer.error().code, ErrorCode::limit_exceeded);
}

// The most memory while reading, as a multiple of file and result together.
double peak_of(const std::string& file) {
  const auto bytes = static_cast<double>(std::filesystem::file_size(file));
  Diagnostics diagnostics;
  const auto before = static_cast<double>(test::live_bytes());
  test::forget_peak();
  const Result<LayerPtr> layer = parse_file(file, diagnostics);
  const auto peak = static_cast<double>(test::peak_bytes()) - before;
  const auto result = static_cast<double>(test::live_bytes()) - before;
  EXPECT_TRUE(layer);
  return peak / (bytes + result);
}

TEST_F(ParseFile, NeedsLittleMoreMemoryThanAnArrayAndItsText) {
  std::string text = "#usda 1.0\ndef \"A\"\n{\n    float3[] a = [(0, 0, 0)";
  for (int i = 0; i < 200'000; ++i) text += fmt::format(", ({}, {}, {})", i, 0.5 * i, 0.25 * i);
  write(text + "]\n}\n");
  EXPECT_LE(peak_of(file_), 1.05);
}

TEST_F(ParseFile, NeedsLittleMoreMemoryThanManySmallPrimsAndTheirText) {
  std::string text = "#usda 1.0\n";
  for (int i = 0; i < 50'000; ++i) {
    text += fmt::format(
        "def Xform \"prim_{}\" (kind = \"component\")\n{{\n"
        "    double3 xformOp:translate = ({}, 2, 3.5)\n"
        "    uniform token[] xformOpOrder = [\"xformOp:translate\"]\n}}\n",
        i, i % 100);
  }
  write(text);
  EXPECT_LE(peak_of(file_), 1.3);
}

TEST_F(ParseFile, NeedsLittleMoreMemoryThanManySamplesAndTheirText) {
  std::string text = "#usda 1.0\ndef \"A\"\n{\n    quatf[] a.timeSamples = {\n";
  for (int i = 0; i < 2'000; ++i) {
    text += fmt::format("        {}: [(1, 0, 0, 0)", i);
    for (int joint = 0; joint < 60; ++joint) text += ", (0.5, 0.25, 0.125, 0.75)";
    text += "],\n";
  }
  write(text + "    }\n}\n");
  EXPECT_LE(peak_of(file_), 1.3);
}

}  // namespace
}  // namespace sinew::usda::parse_file_test
