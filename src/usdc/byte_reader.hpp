// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

namespace sinew::usdc {

/// A number stored at `from`, aligned to nothing.
template <typename T>
T load(const void* from) noexcept {
  static_assert(std::is_trivially_copyable_v<T>);
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

/// An element of an array that is aligned to nothing; of any type that is its bytes.
template <typename T>
T load_element(const std::byte* elements, std::size_t index = 0) noexcept {
  T value;
  std::memcpy(static_cast<void*>(&value), elements + index * sizeof(T), sizeof(T));
  return value;
}

/// Reads numbers front to back out of part of a file, never beyond its end.
class ByteReader {
 public:
  ByteReader() = default;
  /// From `position` to `end`, both offsets into `file`. Where they do not fit there is nothing.
  ByteReader(std::span<const std::byte> file, std::uint64_t position, std::uint64_t end) noexcept
      : file_(file.data()), position_(position), end_(end <= file.size() ? end : file.size()) {
    if (position_ > end_) position_ = end_;
  }

  std::uint64_t position() const noexcept { return position_; }
  std::uint64_t left() const noexcept { return end_ - position_; }
  const std::byte* data() const noexcept { return file_ + position_; }

  template <typename T>
  bool read(T& value) noexcept {
    if (left() < sizeof(T)) return false;
    value = load<T>(data());
    position_ += sizeof(T);
    return true;
  }
  /// The next `size` bytes, if there are so many.
  bool take(std::uint64_t size, std::span<const std::byte>& bytes) noexcept {
    if (left() < size) return false;
    bytes = {data(), static_cast<std::size_t>(size)};
    position_ += size;
    return true;
  }
  bool skip(std::uint64_t size) noexcept {
    if (left() < size) return false;
    position_ += size;
    return true;
  }
  /// A count of items of `item_bytes` at least, for which there is room.
  bool count(std::uint64_t item_bytes, std::uint64_t& count) noexcept {
    return read(count) && count <= left() / item_bytes;
  }

 private:
  const std::byte* file_ = nullptr;
  std::uint64_t position_ = 0;
  std::uint64_t end_ = 0;
};

}  // namespace sinew::usdc
