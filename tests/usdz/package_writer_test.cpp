// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "sinew/core/bytes.hpp"
#include "sinew/usdz/package.hpp"
#include "sinew/usdz/writer.hpp"

namespace sinew::usdz::package_writer_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> codes_of(const Diagnostics& diagnostics) {
  std::vector<std::string> codes;
  for (const Diagnostic& diagnostic : diagnostics) codes.push_back(diagnostic.code);
  return codes;
}

Bytes text(std::string_view contents) {
  return Bytes::copy_of(contents);
}

TEST(WritePackage, AlignsEveryFileAndReadsBack) {  // usdz 8
  std::vector<File> files = {{"root.usda", text("#usda 1.0\n")}, {"empty.png", Bytes()}};
  for (std::size_t n = 1; n < 80; ++n) {
    files.push_back({std::string(n, 'n') + ".png", text(std::string(n, 'x'))});
  }
  files.push_back({"größe/ü.png", text("umlaut")});
  Diagnostics diagnostics;
  const auto bytes = write(files, diagnostics);
  ASSERT_TRUE(bytes);
  OpenOptions strict;
  strict.strict = true;
  const auto package = Package::open(*bytes, "p.usdz", diagnostics, strict);
  ASSERT_TRUE(package);
  ASSERT_EQ(package->entries().size(), files.size());
  for (std::size_t i = 0; i < files.size(); ++i) {
    const Entry& entry = package->entries()[i];
    EXPECT_TRUE(entry.is_aligned()) << entry.name;
    EXPECT_EQ(entry.name, files[i].name);
    EXPECT_EQ(package->read(entry, diagnostics)->text(), files[i].bytes.text());
    EXPECT_EQ(entry.crc, crc32(files[i].bytes.span()));
  }
  EXPECT_THAT(diagnostics, IsEmpty());
}

TEST(WritePackage, GivesTheBytesOfTheWorkedExample) {
  Diagnostics diagnostics;
  const std::vector<File> files = {{"root.usdc", text("x")}};
  const auto bytes = write(files, diagnostics);
  ASSERT_TRUE(bytes);
  std::string expected = "PK\3\4";
  expected +=
      std::string("\x0A\0\0\0\0\0\0\0\x21\0\x83\x16\xDC\x8C\1\0\0\0\1\0\0\0\x09\0\x19\0", 26);
  expected += "root.usdc" + std::string("\x86\x19\x15\0", 4) + std::string(21, '\0') + "x";
  EXPECT_EQ(bytes->text().substr(0, 65), expected);
  EXPECT_EQ(bytes->text(), write(files, diagnostics)->text());
}

TEST(WritePackage, RefusesNamesThatReadersMayRefuse) {
  for (const char* name : {"", "/a.usda", "../a.usda", "a/../b.usda", "./a.usda", "a//b.usda",
                           "C:a.usda", "a\\b.usda", "a\nb.usda", "a\x7F.usda", "a/", ".", "a/.."}) {
    Diagnostics diagnostics;
    const std::vector<File> files = {{"root.usda", {}}, {name, {}}};
    const auto bytes = write(files, diagnostics);
    ASSERT_FALSE(bytes) << name;
    EXPECT_EQ(bytes.error().code, ErrorCode::invalid_argument) << name;
  }
  Diagnostics diagnostics;
  for (const std::size_t size : {65535U, 65536U}) {
    const std::vector<File> files = {{"root.usda", {}}, {std::string(size, 'a'), {}}};
    EXPECT_EQ(write(files, diagnostics).has_value(), size == 65535U);
  }
  const std::vector<File> harmless = {
      {"root.usda", {}}, {"aC:b.usda", {}}, {"..a", {}}, {"a..", {}}, {":", {}}};
  EXPECT_TRUE(write(harmless, diagnostics));
  EXPECT_FALSE(write({}, diagnostics));
  const std::vector<File> image = {{"a.png", {}}};
  EXPECT_FALSE(write(image, diagnostics));
  const std::vector<File> twice = {{"a.usda", {}}, {"a.usda", {}}};
  EXPECT_FALSE(write(twice, diagnostics));
}

TEST(WritePackage, RefusesWhatWouldNotFit) {
  Diagnostics diagnostics;
  // Nobody looks at these bytes: the sizes are added up first.
  static const std::byte kByte{};
  const Bytes large(std::span(&kByte, std::size_t{1} << 31), nullptr);
  const std::vector<File> files = {{"a.usda", large}, {"b.usda", large}};
  const auto bytes = write(files, diagnostics);
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().code, ErrorCode::limit_exceeded);
}

TEST(WritePackage, TakesAsManyFilesAsCanBeCounted) {  // usdz 8
  std::vector<File> files = {{"a.usda", {}}};
  while (files.size() < 65535) files.push_back({std::to_string(files.size()) + ".png", {}});
  Diagnostics diagnostics;
  const auto bytes = write(files, diagnostics);
  ASSERT_TRUE(bytes);
  const auto package = Package::open(*bytes, "p.usdz", diagnostics);
  ASSERT_TRUE(package);
  EXPECT_EQ(package->entries().size(), files.size());
  EXPECT_TRUE(diagnostics.empty());
  files.push_back({"one_more.png", {}});
  EXPECT_EQ(write(files, diagnostics).error().code, ErrorCode::limit_exceeded);
}

TEST(WritePackage, WarnsOfContentsThatReadersMayNotKnow) {
  Diagnostics diagnostics;
  const std::vector<File> files = {{"a.usda", {}}, {"notes.txt", {}}, {"A.usda", {}}};
  EXPECT_TRUE(write(files, diagnostics));
  EXPECT_THAT(codes_of(diagnostics), ElementsAre("usdz-duplicate", "usdz-extension"));
  diagnostics.clear();
  WriteOptions arkit;
  arkit.arkit = true;
  const std::vector<File> textures = {
      {"a.usda", {}}, {"t.exr", {}}, {"t.png", text("\x89PNG\r\n\x1A\n...")}};
  EXPECT_TRUE(write(textures, diagnostics, arkit));
  EXPECT_THAT(codes_of(diagnostics), ElementsAre("usdz-arkit", "usdz-arkit"));
}

TEST(WritePackage, LooksAtTheContentsForArkit) {  // usdz 9
  WriteOptions arkit;
  arkit.arkit = true;
  Diagnostics diagnostics;
  const std::vector<File> good = {{"a.usdc", text("PXR-USDC...")},
                                  {"t.PNG", text("\x89PNG\r\n\x1A\n")},
                                  {"t.jpeg", text("\xFF\xD8\xFF\xE0")},
                                  {"sound.m4a", text("...")}};
  EXPECT_TRUE(write(good, diagnostics, arkit));
  EXPECT_THAT(diagnostics, IsEmpty());
  const std::vector<File> bad = {{"a.usdc", text("#usda 1.0\n")},
                                 {"t.png", text("\xFF\xD8\xFF\xE0")},
                                 {"t.jpg", text("")},
                                 {"b.usda", text("#usda 1.0\n")},
                                 {"c.usdz", text("")}};
  EXPECT_TRUE(write(bad, diagnostics, arkit));
  std::vector<std::string> messages;
  for (const Diagnostic& diagnostic : diagnostics) messages.push_back(diagnostic.message);
  EXPECT_THAT(messages, ElementsAre("'a.usdc' is not a binary layer.",
                                    "'t.png' is not a png image.", "'t.jpg' is not a jpeg image.",
                                    "'b.usda' is a further layer; viewers want one.",
                                    "'c.usdz' is a further layer; viewers want one."));
}

TEST(WritePackage, ReplacesAFileOnlyWhenAllIsWritten) {
  const auto file = std::filesystem::temp_directory_path() / "sinew_package_writer_test.usdz";
  std::ofstream(file) << "before";
  Diagnostics diagnostics;
  const std::vector<File> bad = {{"root.usda", text("#usda 1.0\n")}, {"../a.png", {}}};
  EXPECT_EQ(write_file(bad, file.string(), diagnostics).error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(read_file(file.string())->text(), "before");
  const std::vector<File> good = {{"root.usda", text("#usda 1.0\n")}, {"a.png", text("x")}};
  const Status written = write_file(good, file.string(), diagnostics);
  ASSERT_TRUE(written) << written.error().message;
  EXPECT_EQ(read_file(file.string())->text(), write(good, diagnostics)->text());
  std::filesystem::remove(file);
  const Status none = write_file(good, "/nonexistent/a.usdz", diagnostics);
  EXPECT_EQ(none.error().code, ErrorCode::io_failed);
  EXPECT_THAT(none.error().message, HasSubstr("/nonexistent/a.usdz"));
}

#if defined(__linux__)
TEST(WritePackage, SaysThatTheDiskIsFull) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  Diagnostics diagnostics;
  const std::vector<File> files = {{"root.usda", text("#usda 1.0\n" + std::string(1 << 20, '#'))}};
  const Status written = write_file(files, "/dev/full", diagnostics);
  EXPECT_FALSE(written);
}
#endif

}  // namespace
}  // namespace sinew::usdz::package_writer_test
