// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <deque>
#include <span>
#include <vector>

namespace sinew::usdc {

/// Where a crate is written: memory, or a file that gets the bytes as they are made. Only the
/// header is written after what follows it.
class Output {
 public:
  Output() = default;
  /// Appends to `file`, which is empty, open for writing, and outlives this.
  explicit Output(std::FILE* file) : file_(file) {}

  std::uint64_t size() const noexcept { return size_; }

  void append(std::span<const std::byte> bytes);
  template <typename T>
  void append_number(T value) {
    append(std::as_bytes(std::span(&value, 1)));
  }
  void append_zeros(std::size_t count);
  /// Zeros up to a multiple of 8.
  void align() { append_zeros(static_cast<std::size_t>(-size_ % 8)); }

  /// Ends writing: puts `header` where the bytes begin.
  void finish(std::span<const std::byte> header);

  /// Whether the file took everything so far; true in memory.
  bool good() const noexcept { return good_; }

  /// What was written to memory, in one piece. Gives up its own copy on the way.
  std::vector<std::byte> take();

 private:
  static constexpr std::size_t kBlockBytes = std::size_t{1} << 20;

  void write_out(std::span<const std::byte> bytes);

  std::FILE* file_ = nullptr;
  bool good_ = true;
  std::uint64_t size_ = 0;
  std::deque<std::vector<std::byte>> blocks_;  // All full but the last; of a file only that one.
};

}  // namespace sinew::usdc
