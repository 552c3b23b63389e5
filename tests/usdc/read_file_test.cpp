// SPDX-License-Identifier: Apache-2.0
// Files that are mapped: what is not used is not read.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "sinew/usdc/reader.hpp"
#include "usdc/crate_builder.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace sinew::usdc::read_file_test {
namespace {

constexpr std::uint64_t kArrayBytes = std::uint64_t{500} << 20;

// A file whose array of 500 MB is a hole in it: only what was written takes room on the disk.
class SparseFile {
 public:
  SparseFile() {
    test::CrateBuilder crate;
    // The array comes behind everything else, where values may lie as well.
    crate.one_attribute("float[]", test::rep(8, kArrayAt, test::kArray));
    const std::string head = crate.build();
    EXPECT_LT(head.size(), kArrayAt);
    std::ofstream file(path_, std::ios::binary);
    file << head;
    file.seekp(static_cast<std::streamoff>(kArrayAt));
    const std::uint64_t count = kArrayBytes / sizeof(float);
    file.write(reinterpret_cast<const char*>(&count), sizeof count);
    file.seekp(static_cast<std::streamoff>(kArrayAt + sizeof count + kArrayBytes - 1));
    file.put('\0');
  }
  ~SparseFile() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  static constexpr std::uint64_t kArrayAt = 65536;
  std::string path_ = testing::TempDir() + "sinew_sparse.usdc";
};

TEST(ReadCrateFile, LeavesArraysOfAnySizeInTheFile) {
  const SparseFile file;
  Diagnostics diagnostics;
  const auto layer = read_file(file.path(), diagnostics);
  ASSERT_TRUE(layer) << layer.error().message;
  EXPECT_TRUE(diagnostics.empty());
  const layer::Value& array = (*layer)->root().children[0]->properties[0].default_value;
  EXPECT_EQ(array.size(), kArrayBytes / sizeof(float));
  EXPECT_TRUE(array.buffer().is_view());
}

#if defined(__linux__)

std::size_t resident_pages() {
  std::size_t size = 0;
  std::size_t resident = 0;
  std::ifstream("/proc/self/statm") >> size >> resident;
  return resident;
}

TEST(ReadCrateFile, TakesMemoryForArraysOnlyWhenTheyAreUsed) {
  const SparseFile file;
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t few = (std::size_t{16} << 20) / page;
  Diagnostics diagnostics;
  const std::size_t before = resident_pages();
  ASSERT_GT(before, 0u);
  const auto layer = read_file(file.path(), diagnostics);
  ASSERT_TRUE(layer);
  const auto elements = (*layer)->root().children[0]->properties[0].default_value.as_array<float>();
  EXPECT_LT(resident_pages(), before + few) << "an array that is asked for is not yet used";

  // Used in part: 64 MB of it.
  const std::size_t used = (std::size_t{64} << 20) / sizeof(float);
  float sum = 0.0F;
  for (std::size_t i = 0; i < used; ++i) sum += elements[i];
  EXPECT_EQ(sum, 0.0F);
  const std::size_t after = resident_pages();
  EXPECT_GE(after, before + (std::size_t{64} << 20) / page) << "otherwise this measures nothing";
  EXPECT_LT(after, before + (std::size_t{64} << 20) / page + few);
}

#endif

TEST(ReadCrateFile, SaysWhyAFileCannotBeRead) {
  const auto refusal = [](const std::string& file, std::uint64_t limit) {
    Diagnostics diagnostics;
    ReadOptions options;
    options.limits.file_bytes = limit;
    const auto layer = read_file(file, diagnostics, options);
    if (layer) return Diagnostic();
    EXPECT_EQ(diagnostics.size(), 1u);
    EXPECT_EQ(diagnostics[0].severity, Severity::error);
    EXPECT_EQ(diagnostics[0].file, file);
    EXPECT_EQ(diagnostics[0].message, layer.error().message);
    return diagnostics[0];
  };
  const std::string file = testing::TempDir() + "sinew_refused.usdc";
  test::CrateBuilder crate;
  crate.one_attribute("int", test::rep(3, 7, test::kInline));
  const std::string bytes = crate.build();
  std::ofstream(file, std::ios::binary) << bytes;

  EXPECT_EQ(refusal(file, bytes.size()).code, "");
  const Diagnostic too_large = refusal(file, bytes.size() - 1);
  EXPECT_EQ(too_large.code, "usdc-limit");
  EXPECT_EQ(too_large.message, "'" + file + "' has " + std::to_string(bytes.size()) +
                                   " bytes, more than the limit of " +
                                   std::to_string(bytes.size() - 1) + ".");
  std::filesystem::remove(file);
  const Diagnostic missing = refusal(file, Bytes::kNoLimit);
  EXPECT_EQ(missing.code, "io-failed");
  EXPECT_EQ(missing.message, "cannot read '" + file + "': No such file or directory.");
}

}  // namespace
}  // namespace sinew::usdc::read_file_test
