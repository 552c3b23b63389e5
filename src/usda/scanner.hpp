// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/result.hpp"
#include "sinew/core/simd.hpp"

namespace sinew::usda {

/// Letters, digits and '_'.
constexpr bool is_identifier_byte(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// What failed, and where. Only the first error is kept.
struct ScanError {
  const char* at = nullptr;  ///< Null: no error.
  ErrorCode code = ErrorCode::syntax;
  std::string_view id;  ///< Diagnostic code, e.g. "usda-syntax".
  std::string message;
  std::string hint;
};

/// Reads the tokens of .usda text: blanks, names, strings, assets. Functions that can fail return
/// false and leave the reason in error(); the caller unwinds.
class Scanner {
 public:
  explicit Scanner(std::string_view text, SimdLevel level = SimdLevel::best);

  const ScanError& error() const noexcept { return error_; }
  bool failed() const noexcept { return error_.at != nullptr; }

  /// Records the first error and returns false.
  bool fail(const char* at, std::string_view id, std::string message, std::string hint = {});
  /// Adds a hint to the error, unless it has one. Returns false.
  bool add_hint(std::string hint);
  bool fail_limit(const char* at, std::string message);
  /// Fails with "Expected X, found Y." at the current position.
  bool expected(std::string_view what, std::string hint = {});

  const char* position() const noexcept { return p_; }
  void set_position(const char* p) noexcept { p_ = p; }
  std::string_view text() const noexcept {
    return {begin_, static_cast<std::size_t>(end_ - begin_)};
  }
  const char* text_begin() const noexcept { return begin_; }
  const char* text_end() const noexcept { return end_; }
  bool at_end() const noexcept { return p_ == end_; }
  char peek() const noexcept { return p_ < end_ ? *p_ : '\0'; }
  char peek(std::size_t ahead) const noexcept {
    return ahead < static_cast<std::size_t>(end_ - p_) ? p_[ahead] : '\0';
  }
  bool at_line_break() const noexcept { return peek() == '\n' || peek() == '\r'; }
  bool take(char c) noexcept {
    if (p_ == end_ || *p_ != c) return false;
    ++p_;
    return true;
  }
  bool require(char c, std::string_view what);

  // Blanks. All return false only for a comment that is never closed.
  /// Inline: blanks, tabs, block comments.
  bool pad() {
    skip_blanks();
    return peek() != '/' || more_padding(false, false);
  }
  /// Also comments, up to the next line feed.
  bool line_pad() {
    skip_blanks();
    return (peek() != '/' && peek() != '#') || more_padding(true, false);
  }
  /// Also line breaks.
  bool multi_pad() {
    while (p_ < end_ && (*p_ == ' ' || *p_ == '\n' || *p_ == '\t' || *p_ == '\r')) ++p_;
    return (peek() != '/' && peek() != '#') || more_padding(true, true);
  }
  /// At least one blank or tab. `before` names what follows, for the error.
  bool gap(std::string_view before);
  /// Takes one statement separator: a line break or ';'.
  bool take_separator() noexcept {
    if (p_ < end_ && (*p_ == '\n' || *p_ == '\r' || *p_ == ';')) {
      ++p_;
      return true;
    }
    return false;
  }

  /// Takes the identifier that is next; empty if there is none. Keywords included, '::' not.
  std::string_view identifier() noexcept;
  std::string_view peek_identifier() const noexcept;
  /// Takes `word` if it is next and no identifier character follows.
  bool take_word(std::string_view word) noexcept {
    // Most words that a statement may begin with are told from what is there by their first letter.
    return p_ != end_ && *p_ == word.front() && take_whole_word(word);
  }
  /// identifier { '::' identifier }, where no part is a keyword; or an empty view.
  std::string_view qualified_identifier() noexcept;
  /// identifier { ':' identifier }; or an empty view.
  std::string_view property_name() noexcept;

  bool at_string() const noexcept { return peek() == '"' || peek() == '\''; }
  /// Takes a string literal, escapes evaluated. The view is into the text or into `scratch`.
  bool string(std::string_view& out, std::string& scratch);
  /// Takes an asset path between '@' or '@@@', `\@@@` evaluated.
  bool asset(std::string_view& out, std::string& scratch);
  /// Takes a path; `out` is the text between '<' and '>'.
  bool path_text(std::string_view& out);

  /// Length of a prefix of the text that is known to be ASCII.
  std::size_t ascii_prefix() const noexcept { return ascii_prefix_; }

  /// Tells how many line feeds [first, last) has, so that line() need not count them.
  void know_line_feeds(const char* first, const char* last, std::size_t line_feeds) noexcept;

  struct LineColumn {
    std::uint32_t line = 1;
    std::uint32_t column = 1;
  };
  /// 1-based. O(distance from the last call) if positions ascend.
  std::uint32_t line(const char* at) noexcept;
  /// Like line(), plus O(length of the line).
  LineColumn line_column(const char* at) noexcept;

 private:
  void skip_blanks() noexcept {
    while (p_ < end_ && (*p_ == ' ' || *p_ == '\t')) ++p_;
  }
  bool take_whole_word(std::string_view word) noexcept;
  bool block_comment();
  bool more_padding(bool line_comments, bool line_breaks);
  bool continues_identifier(const char* at) const noexcept {
    return static_cast<unsigned char>(*at) < 0x80 ? is_identifier_byte(*at)
                                                  : continues_identifier_beyond_ascii(at);
  }
  bool continues_identifier_beyond_ascii(const char* at) const noexcept;

  const char* begin_;
  const char* p_;
  const char* end_;
  ScanError error_;
  const char* line_mark_;  // A position whose line is known.
  std::uint32_t line_at_mark_ = 1;
  bool has_carriage_returns_;
  std::size_t ascii_prefix_;
};

/// Words that are not identifiers where a plain identifier is required.
bool is_keyword(std::string_view word) noexcept;

}  // namespace sinew::usda
