// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/buffer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <utility>

namespace sinew::buffer_test {
namespace {

TEST(Buffer, IsAlignedTo64Bytes) {
  for (std::size_t size : {1u, 63u, 64u, 1000u}) {
    const Buffer buffer(size);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % Buffer::kAlignment, 0u) << size;
    EXPECT_EQ(buffer.size(), size);
  }
}

TEST(Buffer, CopiesShareTheBlock) {
  const Buffer a(16);
  Buffer b = a;

  EXPECT_EQ(a.data(), b.data());
  EXPECT_FALSE(a.unique());
  b = Buffer();
  EXPECT_TRUE(a.unique());
}

TEST(Buffer, ResizeKeepsContents) {
  Buffer buffer(4);
  std::memcpy(buffer.mutable_data(), "abcd", 4);
  buffer.resize(1000);

  EXPECT_EQ(std::memcmp(buffer.data(), "abcd", 4), 0);
  EXPECT_EQ(buffer.size(), 1000u);
}

TEST(Buffer, OfSizeZeroOwnsNothing) {
  const Buffer buffer(0);

  EXPECT_EQ(buffer.data(), nullptr);
  EXPECT_TRUE(buffer.empty());
}

TEST(Buffer, InPagesIsAsAnyOther) {
  for (const std::size_t size : {0u, 1u, 262'143u, 262'144u, 3'000'005u}) {
    Buffer buffer = Buffer::in_pages(size);
    EXPECT_EQ(buffer.size(), size);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % Buffer::kAlignment, 0u) << size;
    EXPECT_FALSE(buffer.is_view());
    if (size > 0) std::fill_n(buffer.mutable_data(), size, std::byte{7});
    const Buffer second = buffer;
    EXPECT_EQ(second.data(), buffer.data());
  }
}

TEST(Buffer, InPagesKeepsWhatIsLeftOfIt) {
  const std::size_t size = 1'000'000;
  Buffer buffer = Buffer::in_pages(size);
  for (std::size_t i = 0; i < size; ++i) buffer.mutable_data()[i] = std::byte(i % 251);
  for (const std::size_t left : {999'999u, 500'000u, 4'032u, 1u, 0u, 3'000'000u}) {
    const std::size_t kept = std::min(left, buffer.size());
    buffer.resize(left);
    EXPECT_EQ(buffer.size(), left);
    EXPECT_GE(buffer.capacity(), left);
    for (std::size_t i = 0; i < kept; ++i) ASSERT_EQ(buffer.data()[i], std::byte(i % 251)) << left;
  }
}

#if defined(__linux__)
// Of the process, in memory.
std::size_t pages_held() {
  std::ifstream file("/proc/self/statm");
  std::size_t total = 0, held = 0;
  file >> total >> held;
  return held;
}

TEST(Buffer, PagesAreTheSystemsAgain) {
  const std::size_t size = std::size_t{64} << 20;
  const std::size_t pages = size / 4096;  // At most: some systems have larger ones.
  Buffer buffer = Buffer::in_pages(size);
  std::fill_n(buffer.mutable_data(), size, std::byte{1});
  const std::size_t full = pages_held();
  buffer.resize(size / 2);
  const std::size_t half = pages_held();
  buffer = Buffer();
  const std::size_t none = pages_held();
  if (full < pages) GTEST_SKIP() << "pages are larger here, or the system does not count them";
  EXPECT_LT(half, full - pages * 4 / 10);
  EXPECT_LT(none, half - pages * 4 / 10);
}
#endif

TEST(Buffer, MovedFromIsEmpty) {
  Buffer a(8);
  const Buffer b = std::move(a);

  EXPECT_EQ(b.size(), 8u);
  EXPECT_TRUE(a.empty());  // NOLINT: the state after a move is part of the contract.
}

}  // namespace
}  // namespace sinew::buffer_test
