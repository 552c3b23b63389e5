// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/buffer.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <utility>

namespace sinew {
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

TEST(Buffer, MovedFromIsEmpty) {
  Buffer a(8);
  const Buffer b = std::move(a);

  EXPECT_EQ(b.size(), 8u);
  EXPECT_TRUE(a.empty());  // NOLINT: the state after a move is part of the contract.
}

}  // namespace
}  // namespace sinew
