// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "sinew/core/export.hpp"
#include "sinew/core/result.hpp"

namespace sinew {

class Buffer;

/// Immutable bytes with shared ownership: the contents of a file, read or mapped, or a part of it.
///
/// Copies and slices share what they are part of; the last one lets it go. Thread-safe like
/// std::shared_ptr.
class SINEW_API Bytes {
 public:
  /// For read_file() and map_file(): however large the file is.
  static constexpr std::uint64_t kNoLimit = (std::numeric_limits<std::uint64_t>::max)();

  Bytes() noexcept = default;
  /// Takes the text. Implicit, so that text is given where bytes are wanted.
  Bytes(std::string text);  // NOLINT: implicit
  /// Takes the buffer, whose bytes stay where they are. Implicit, so that what one function made is
  /// given to one that reads.
  Bytes(Buffer buffer);  // NOLINT: implicit
  /// `bytes` live as long as `owner` does.
  Bytes(std::span<const std::byte> bytes, std::shared_ptr<const void> owner) noexcept
      : owner_(std::move(owner)), bytes_(bytes) {}

  /// A copy in memory of its own, aligned to 64 bytes.
  static Bytes copy_of(std::span<const std::byte> bytes);
  /// The same of the bytes of a text.
  static Bytes copy_of(std::string_view text) { return copy_of(std::as_bytes(std::span(text))); }

  /// The first byte; null if there are none. Valid as long as the owner is.
  const std::byte* data() const noexcept { return bytes_.data(); }
  /// Number of bytes.
  std::size_t size() const noexcept { return bytes_.size(); }
  /// Whether there are no bytes.
  bool empty() const noexcept { return bytes_.empty(); }
  /// All of them, valid as long as the owner is.
  std::span<const std::byte> span() const noexcept { return bytes_; }
  /// The same bytes as characters; nothing is checked or decoded.
  std::string_view text() const noexcept {
    return {reinterpret_cast<const char*>(bytes_.data()), bytes_.size()};
  }
  /// Whether the first bytes are these, e.g. the signature of a format.
  bool starts_with(std::string_view prefix) const noexcept { return text().starts_with(prefix); }

  /// `size` bytes from `offset`, sharing the owner. Precondition: they lie inside.
  Bytes slice(std::size_t offset, std::size_t size) const;

  /// What keeps the bytes alive; null for empty bytes and for those that nobody needs to own.
  const std::shared_ptr<const void>& owner() const noexcept { return owner_; }

 private:
  std::shared_ptr<const void> owner_;
  std::span<const std::byte> bytes_;
};

/// The contents of `file`, in memory. Files that do not know their size (pipes) are read to the
/// end.
/// @return The bytes; or `io_failed` with the reason the operating system gives; or
///         `limit_exceeded` if there are more than `max_bytes`.
SINEW_API Result<Bytes> read_file(const std::string& file,
                                  std::uint64_t max_bytes = Bytes::kNoLimit);

/// The contents of `file`, where possible mapped: a large file costs nothing until its bytes are
/// used, and is shared with all other readers of it. Small files, pipes, and all files on systems
/// without mmap, are read as by read_file().
///
/// A mapping shows the file: nobody may write to the file or cut it short while the bytes are in
/// use (the system ends a program that touches a page that is gone). Replacing the file by renaming
/// another one over it is safe.
/// @return As read_file().
SINEW_API Result<Bytes> map_file(const std::string& file,
                                 std::uint64_t max_bytes = Bytes::kNoLimit);

}  // namespace sinew
