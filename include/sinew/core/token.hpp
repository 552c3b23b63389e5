// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "sinew/core/export.hpp"

namespace sinew {

/// An interned string: two tokens of one table are equal exactly if their texts are, and comparing
/// them compares one pointer. The empty token needs no table.
///
/// A token is a view: it is valid as long as the TokenTable that made it. Tokens of different
/// tables never compare equal (except empty ones); compare their views instead.
class Token {
 public:
  constexpr Token() noexcept = default;

  /// The text, valid as long as the table.
  std::string_view view() const noexcept {
    return entry_ == nullptr ? std::string_view() : std::string_view(text(), entry_->size);
  }
  /// A copy of the text.
  std::string str() const { return std::string(view()); }
  /// Whether it is the empty token.
  constexpr bool empty() const noexcept { return entry_ == nullptr; }

  /// Of tokens of one table: whether the texts are equal. Compares pointers.
  friend constexpr bool operator==(Token a, Token b) noexcept { return a.entry_ == b.entry_; }
  /// Whether the text is `b`, whatever table it comes from.
  friend bool operator==(Token a, std::string_view b) noexcept { return a.view() == b; }
  /// Order of addresses: fast and total, but not alphabetical and not repeatable between runs.
  struct FastLess {
    /// Whether `a` comes before `b`.
    bool operator()(Token a, Token b) const noexcept {
      return std::less<const void*>()(a.entry_, b.entry_);
    }
  };

  /// Depends on the seed of the table; 0 for the empty token.
  std::uint64_t hash() const noexcept { return entry_ == nullptr ? 0 : entry_->hash; }

 private:
  friend class TokenTable;
  struct Entry {  // Followed in memory by `size` bytes of text and a NUL.
    std::uint64_t hash;
    std::uint32_t size;
  };
  explicit constexpr Token(const Entry* entry) noexcept : entry_(entry) {}
  const char* text() const noexcept { return reinterpret_cast<const char*>(entry_ + 1); }

  const Entry* entry_ = nullptr;
};

/// Owns the text of tokens. One per stage, shared by its layers; never global.
///
/// Names are found through a hash that has a seed of its own in every table, so that a file cannot
/// be made to fill one chain of slots with names chosen beforehand.
///
/// Interning is not thread-safe; find() and all reading of tokens may run concurrently as long as
/// no thread interns.
class SINEW_API TokenTable {
 public:
  /// The seed is made from the address of the table.
  TokenTable();
  /// With a seed of your own, e.g. from std::random_device, or fixed to repeat a run exactly.
  /// Nothing but Token::hash() depends on it.
  explicit TokenTable(std::uint64_t seed) noexcept;
  ~TokenTable();
  TokenTable(const TokenTable&) = delete;
  TokenTable& operator=(const TokenTable&) = delete;

  /// The token for `text`, added if new. The empty string gives the empty token.
  /// @par Cost    One hash of the text; amortised one allocation per 64 KiB of new text.
  Token intern(std::string_view text);

  /// The same for those who know the hash already.
  /// @pre `hash` is what hash() of this table gives for the text.
  Token intern(std::string_view text, std::uint64_t hash);

  /// What Token::hash() of a text is, or would be if it were interned.
  std::uint64_t hash(std::string_view text) const noexcept;

  /// Makes room for so many tokens in all, so that interning them does not move the table. As
  /// intern() it may not run beside anything else.
  void reserve(std::size_t count);

  /// Begins to fetch the memory that intern() and find() of a text with this hash will look at
  /// first. Where many names follow each other, a few ahead of their turn, they wait for memory
  /// together and not one after the other. Changes nothing.
  void prefetch(std::uint64_t hash) const noexcept;

  /// The token for `text` if it was interned before, else the empty token. Never allocates.
  Token find(std::string_view text) const noexcept;

  /// Number of distinct tokens, the empty one not counted.
  std::size_t size() const noexcept { return count_; }

 private:
  struct Block;
  Token put(std::string_view text, std::uint64_t hash);
  void resize(std::size_t slot_count);

  std::uint64_t seeds_[2];
  std::unique_ptr<const Token::Entry*[]> slots_;
  std::size_t slot_count_ = 0;  // A power of two.
  std::size_t count_ = 0;
  Block* blocks_ = nullptr;
  char* next_ = nullptr;
  std::size_t left_ = 0;
};

}  // namespace sinew

/// @cond
template <>
struct std::hash<sinew::Token> {
  std::size_t operator()(sinew::Token token) const noexcept {
    return static_cast<std::size_t>(token.hash());
  }
};
/// @endcond
