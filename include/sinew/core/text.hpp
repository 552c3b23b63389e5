// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "sinew/core/export.hpp"

namespace sinew {

class TextArena;

/// An immutable string with shared ownership: copying it copies a pointer. What many objects name,
/// such as the path of a prim, is held once.
///
/// A value like std::string, except that its characters cannot be changed. Texts that were made
/// together may share a block of up to kBlockBytes, which lives as long as any of them. Counting is
/// thread-safe, so texts may be copied and dropped on any thread.
class SINEW_API Text {
 public:
  /// The most that texts made together share, in bytes.
  static constexpr std::size_t kBlockBytes = 32 * 1024;

  constexpr Text() noexcept = default;
  /// A copy of the characters. The empty text allocates nothing.
  Text(std::string_view text);  // NOLINT: meant to convert.
  /// A copy of the characters.
  Text(const std::string& text) : Text(std::string_view(text)) {}  // NOLINT
  /// A copy of the characters up to the NUL, which is required.
  Text(const char* text) : Text(std::string_view(text)) {}  // NOLINT
  /// Shares the characters.
  Text(const Text& other) noexcept : entry_(other.entry_) { retain(); }
  /// Takes the characters; `other` is empty afterwards.
  Text(Text&& other) noexcept : entry_(std::exchange(other.entry_, nullptr)) {}
  /// Lets the own characters go and shares or takes those of `other`.
  Text& operator=(Text other) noexcept {
    std::swap(entry_, other.entry_);
    return *this;
  }
  ~Text() { release(); }

  /// The characters, valid as long as a Text that shares them.
  std::string_view view() const noexcept {
    return entry_ == nullptr ? std::string_view() : std::string_view(characters(), entry_->size);
  }
  operator std::string_view() const noexcept { return view(); }  // NOLINT: as std::string does.
  /// A copy of the characters.
  std::string str() const { return std::string(view()); }
  /// Ends with a NUL.
  const char* c_str() const noexcept { return entry_ == nullptr ? "" : characters(); }
  /// Whether there are no characters.
  bool empty() const noexcept { return entry_ == nullptr; }
  /// Number of bytes.
  std::size_t size() const noexcept { return entry_ == nullptr ? 0 : entry_->size; }

  /// Whether the characters are the same; with any text, std::string and literals included.
  template <typename T>
  requires std::convertible_to<const T&, std::string_view>
  friend bool operator==(const Text& a, const T& b) noexcept {
    if constexpr (std::is_same_v<T, Text>) {
      if (a.entry_ == b.entry_) return true;
    }
    return a.view() == std::string_view(b);
  }
  /// The order of the bytes, as for std::string_view.
  template <typename T>
  requires std::convertible_to<const T&, std::string_view>
  friend std::strong_ordering operator<=>(const Text& a, const T& b) noexcept {
    return a.view() <=> std::string_view(b);
  }

 private:
  friend class TextArena;
  struct Block {
    std::atomic<std::size_t> owners;
  };
  struct Entry {  // Followed in memory by `size` characters and a NUL.
    std::uint64_t size : 40;
    std::uint64_t offset : 24;  // From the block to here.
  };
  explicit Text(Entry* entry) noexcept : entry_(entry) {}
  /// A block with one owner.
  static Block* new_block(std::size_t bytes);
  static void free(Block* block) noexcept;
  static void release(Block* block) noexcept {
    if (block->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) free(block);
  }
  static Entry* put(Block* block, std::size_t offset, std::string_view text) noexcept;
  const char* characters() const noexcept { return reinterpret_cast<const char*>(entry_ + 1); }
  Block* block() const noexcept {
    return reinterpret_cast<Block*>(reinterpret_cast<std::byte*>(entry_) - entry_->offset);
  }
  void retain() const noexcept {
    if (entry_ != nullptr) block()->owners.fetch_add(1, std::memory_order_relaxed);
  }
  void release() noexcept {
    if (entry_ != nullptr) release(block());
  }

  Entry* entry_ = nullptr;
};

/// Writes the characters, as for std::string.
SINEW_API std::ostream& operator<<(std::ostream& out, const Text& text);

}  // namespace sinew

/// @cond
template <>
struct std::hash<sinew::Text> {
  std::size_t operator()(const sinew::Text& text) const noexcept {
    return std::hash<std::string_view>()(text.view());
  }
};
/// @endcond
