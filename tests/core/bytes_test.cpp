// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/bytes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "sinew/core/buffer.hpp"

namespace sinew::bytes_test {
namespace {

TEST(Bytes, ASliceKeepsWhatItIsAPartOf) {
  Bytes slice;
  {
    const Bytes whole(std::string(1000, 'a') + "bcd");
    slice = whole.slice(999, 3);
    EXPECT_EQ(static_cast<const void*>(slice.data()), whole.data() + 999);
  }
  EXPECT_EQ(slice.text(), "abc");
}

TEST(Bytes, OfNothingAreEmpty) {
  EXPECT_TRUE(Bytes().empty());
  EXPECT_TRUE(Bytes(std::string()).empty());
  EXPECT_EQ(Bytes().slice(0, 0).size(), 0u);
}

TEST(Bytes, CopiesAreTheirOwn) {
  std::string text = "abc";
  const Bytes bytes = Bytes::copy_of(text);
  text[0] = 'x';
  EXPECT_EQ(bytes.text(), "abc");
}

TEST(Bytes, TakeABufferAsItIs) {
  Buffer buffer = Buffer::copy_of(std::as_bytes(std::span(std::string_view("abc"))));
  const std::byte* const where = buffer.data();
  const Bytes bytes = std::move(buffer);
  EXPECT_EQ(bytes.text(), "abc");
  EXPECT_EQ(bytes.data(), where);
  EXPECT_NE(bytes.owner(), nullptr);
  EXPECT_TRUE(Bytes(Buffer()).empty());
}

TEST(Bytes, ABufferMayBeAViewIntoThem) {
  Buffer view;
  const std::byte* where = nullptr;
  {
    const Bytes bytes(std::string(100, 'x') + "abcdefg");
    where = bytes.data() + 101;
    view = Buffer::view_of(bytes.slice(101, 3));
  }
  EXPECT_EQ(view.data(), where);
  EXPECT_EQ(view.size(), 3u);
  EXPECT_EQ(view.data()[0], std::byte{'b'});
  EXPECT_TRUE(view.is_view());
  EXPECT_EQ(view.mutable_data(), nullptr);
  EXPECT_FALSE(view.unique());
  EXPECT_FALSE(Buffer(8).is_view());
  EXPECT_TRUE(Buffer::view_of(Bytes()).empty());
}

class FileBytes
    : public testing::TestWithParam<Result<Bytes> (*)(const std::string&, std::uint64_t)> {
 protected:
  void write(const std::string& text) { std::ofstream(file_, std::ios::binary) << text; }
  void TearDown() override { std::filesystem::remove(file_); }
  Result<Bytes> read(std::uint64_t limit = Bytes::kNoLimit) { return GetParam()(file_, limit); }

  // Named for the test, because tests run side by side.
  std::string file_ = [] {
    std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    name.replace(name.find('/'), 1, "_");
    return (std::filesystem::temp_directory_path() / ("sinew_bytes_" + name)).string();
  }();
};

INSTANTIATE_TEST_SUITE_P(ReadAndMapped, FileBytes, testing::Values(&read_file, &map_file));

TEST_P(FileBytes, AreThoseOfSmallAndLargeFiles) {
  for (const std::size_t size : {0u, 1u, 4095u, 4096u, 65535u, 65536u, 300'001u}) {
    std::string text(size, 'a');
    for (std::size_t i = 0; i < size; i += 7) text[i] = static_cast<char>('a' + i % 26);
    write(text);
    const Result<Bytes> bytes = read();
    ASSERT_TRUE(bytes) << size;
    EXPECT_EQ(bytes->text(), text) << size;
  }
}

TEST_P(FileBytes, StayWhenTheFileIsReplaced) {
  write(std::string(100'000, 'a'));
  const Result<Bytes> bytes = read();
  ASSERT_TRUE(bytes);
  const std::string other = file_ + ".new";
  std::ofstream(other, std::ios::binary) << "b";
  std::filesystem::rename(other, file_);
  EXPECT_EQ(bytes->text(), std::string(100'000, 'a'));
}

TEST_P(FileBytes, AreRefusedBeyondTheLimit) {
  write(std::string(100'000, 'a'));
  EXPECT_TRUE(read(100'000));
  const Result<Bytes> refused = read(99'999);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::limit_exceeded);
  EXPECT_THAT(refused.error().message, testing::HasSubstr("100000 bytes"));
}

TEST_P(FileBytes, SayWhyAFileCannotBeRead) {
  const Result<Bytes> missing = GetParam()(file_ + ".none", Bytes::kNoLimit);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::io_failed);
  EXPECT_THAT(missing.error().message, testing::HasSubstr(".none"));
  const std::string folder = std::filesystem::temp_directory_path().string();
  EXPECT_FALSE(GetParam()(folder, Bytes::kNoLimit));
}

TEST_P(FileBytes, OfAnEndlessFileAreRefused) {
  if (!std::filesystem::exists("/dev/zero")) GTEST_SKIP() << "no endless file here";
  const Result<Bytes> bytes = GetParam()("/dev/zero", 1'000'000);
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().code, ErrorCode::limit_exceeded);
}

}  // namespace
}  // namespace sinew::bytes_test
