// SPDX-License-Identifier: Apache-2.0
// Arrays whose elements are made when they are first asked for.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "sinew/layer/value.hpp"

namespace sinew::layer::waiting_value_test {
namespace {

constexpr std::size_t kSize = 3 * sizeof(std::int32_t);

Buffer three_ints() {
  const std::int32_t numbers[] = {1, 2, 3};
  return Buffer::copy_of(std::as_bytes(std::span(numbers)));
}

TEST(WaitingArray, KnowsItsTypeBeforeItIsMade) {
  int calls = 0;
  const Value value = Value::array_when_used(ElementType::int_, kSize, [&] {
    ++calls;
    return three_ints();
  });
  EXPECT_TRUE(value.has_value());
  EXPECT_TRUE(value.is_array());
  EXPECT_EQ(value.type(), ElementType::int_);
  EXPECT_TRUE(value.is_waiting());
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(value.size_in_bytes(), kSize);
  EXPECT_TRUE(value.as_array<float>().empty()) << "of another type";
  EXPECT_EQ(calls, 0);
}

TEST(WaitingArray, IsMadeOnceForAllCopies) {
  int calls = 0;
  const Value value = Value::array_when_used(ElementType::int_, kSize, [&] {
    ++calls;
    return three_ints();
  });
  Value copy = value;
  const Value moved = std::move(copy);
  ASSERT_EQ(moved.as_array<std::int32_t>().size(), 3u);
  EXPECT_EQ(value.as_array<std::int32_t>()[2], 3);
  EXPECT_EQ(value.size(), 3u);
  EXPECT_EQ(value.bytes().size(), 12u);
  EXPECT_EQ(value.buffer().data(), moved.buffer().data());
  EXPECT_FALSE(value.is_waiting());
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(value, Value::array_from_buffer(ElementType::int_, three_ints()));
}

TEST(WaitingArray, IsEmptyIfItsElementsAreDamaged) {
  const Value value = Value::array_when_used(ElementType::int_, kSize, [] { return Buffer(); });
  EXPECT_EQ(value.size(), 0u);
  EXPECT_EQ(value.size_in_bytes(), 0u);
  EXPECT_TRUE(value.as_array<std::int32_t>().empty());
  EXPECT_TRUE(value.has_value());
}

TEST(WaitingArray, LetsGoWhatItWasMadeFrom) {
  auto source = std::make_shared<int>(0);
  const Value value =
      Value::array_when_used(ElementType::int_, kSize, [source] { return three_ints(); });
  EXPECT_EQ(source.use_count(), 2);
  EXPECT_EQ(value.size(), 3u);
  EXPECT_EQ(source.use_count(), 1);
}

TEST(WaitingArray, IsMadeOnceWhicheverThreadAsksFirst) {
  for (int round = 0; round < 50; ++round) {
    std::atomic<int> calls = 0;
    const Value value = Value::array_when_used(ElementType::int_, kSize, [&] {
      ++calls;
      return three_ints();
    });
    std::atomic<int> good = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i) {
      threads.emplace_back([&, copy = value] {
        const auto elements = copy.as_array<std::int32_t>();
        if (elements.size() == 3 && elements[1] == 2) ++good;
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(calls, 1);
    EXPECT_EQ(good, 8);
  }
}

TEST(WaitingArray, IsWaitedForWhileAnotherThreadMakesIt) {
  std::atomic<bool> is_being_made = false;
  std::atomic<bool> is_wanted = false;
  int calls = 0;
  const Value value = Value::array_when_used(ElementType::int_, kSize, [&] {
    ++calls;
    is_being_made = true;
    while (!is_wanted) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return three_ints();
  });
  const std::byte* made = nullptr;
  std::thread maker([&, copy = value] { made = copy.bytes().data(); });
  while (!is_being_made) std::this_thread::yield();
  EXPECT_TRUE(value.is_waiting());
  is_wanted = true;
  const auto elements = value.as_array<std::int32_t>();
  maker.join();

  ASSERT_EQ(elements.size(), 3u);
  EXPECT_EQ(elements[2], 3);
  EXPECT_EQ(value.bytes().data(), made);
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace sinew::layer::waiting_value_test
