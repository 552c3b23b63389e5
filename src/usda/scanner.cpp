// SPDX-License-Identifier: Apache-2.0
#include "usda/scanner.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "core/format_text.hpp"
#include "core/short_text.hpp"
#include "core/unescape.hpp"
#include "core/unicode.hpp"
#include "usda/number_list.hpp"
#include "usda/text_rules.hpp"

namespace sinew::usda {

namespace {

constexpr std::string_view kKeywords[] = {"AnimationBlock",
                                          "None",
                                          "add",
                                          "append",
                                          "bezier",
                                          "class",
                                          "config",
                                          "connect",
                                          "curve",
                                          "custom",
                                          "customData",
                                          "def",
                                          "default",
                                          "delete",
                                          "dictionary",
                                          "displayUnit",
                                          "doc",
                                          "held",
                                          "hermite",
                                          "inherits",
                                          "kind",
                                          "linear",
                                          "loop",
                                          "nameChildren",
                                          "none",
                                          "offset",
                                          "oscillate",
                                          "over",
                                          "payload",
                                          "permission",
                                          "post",
                                          "pre",
                                          "prefixSubstitutions",
                                          "prepend",
                                          "properties",
                                          "references",
                                          "rel",
                                          "relocates",
                                          "reorder",
                                          "repeat",
                                          "reset",
                                          "rootPrims",
                                          "scale",
                                          "sloped",
                                          "specializes",
                                          "spline",
                                          "subLayers",
                                          "suffixSubstitutions",
                                          "symmetryArguments",
                                          "symmetryFunction",
                                          "timeSamples",
                                          "uniform",
                                          "variantSet",
                                          "variantSets",
                                          "variants",
                                          "varying"};
static_assert(std::is_sorted(std::begin(kKeywords), std::end(kKeywords)));

constexpr WordIndex kKeywordIndex(kKeywords, [](std::string_view word) { return word; });

std::string_view view(const char* first, const char* last) noexcept {
  return {first, static_cast<std::size_t>(last - first)};
}

// Eight bytes at a time: from one statement to the next it is a few dozen.
std::uint32_t count_line_feeds(const char* p, const char* last) noexcept {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  constexpr std::uint64_t kLow = 0x7F * kOnes;
  std::uint32_t count = 0;
  for (; last - p >= 8; p += 8) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, p, sizeof bytes);
    const std::uint64_t differing = bytes ^ ('\n' * kOnes);
    // The highest bit of each byte that differs.
    const std::uint64_t other = (((differing & kLow) + kLow) | differing) & ~kLow;
    count += 8 - static_cast<std::uint32_t>(((other >> 7) * kOnes) >> 56);
  }
  return count + static_cast<std::uint32_t>(std::count(p, last, '\n'));
}

}  // namespace

bool is_keyword(std::string_view word) noexcept {
  const WordIndex::Range range = kKeywordIndex.range(word);
  for (std::size_t i = range.first; i < range.last; ++i) {
    if (equal_text(kKeywords[i], word)) return true;
  }
  return false;
}

bool Scanner::fail(const char* at, std::string_view id, std::string message, std::string hint) {
  if (!failed()) error_ = {at, ErrorCode::syntax, id, std::move(message), std::move(hint)};
  return false;
}

bool Scanner::add_hint(std::string hint) {
  if (error_.hint.empty()) error_.hint = std::move(hint);
  return false;
}

bool Scanner::fail_limit(const char* at, std::string message) {
  if (!failed()) error_ = {at, ErrorCode::limit_exceeded, "usda-limit", std::move(message), {}};
  return false;
}

bool Scanner::expected(std::string_view what, std::string hint) {
  std::string found = "the end of the file";
  if (at_line_break()) {
    found = "the end of the line";
  } else if (!at_end()) {
    const CodePoint point = decode_utf8(view(p_, end_));
    const std::string_view word = peek_identifier();
    const std::size_t size = std::max<std::size_t>(1, point.size);
    found = format_text("'{}'", word.empty() ? view(p_, p_ + size) : word.substr(0, 40));
  }
  return fail(p_, "usda-syntax", format_text("Expected {}, found {}.", what, found),
              std::move(hint));
}

bool Scanner::require(char c, std::string_view what) {
  return take(c) || expected(what);
}

bool Scanner::block_comment() {
  const char* const open = p_;
  for (p_ += 2; end_ - p_ >= 2; ++p_) {
    if (p_[0] == '*' && p_[1] == '/') {
      p_ += 2;
      return true;
    }
  }
  return fail(open, "usda-unterminated-comment", "This comment is never closed.", "end it with */");
}

// Padding that begins with what may be a comment.
bool Scanner::more_padding(bool line_comments, bool line_breaks) {
  for (;;) {
    skip_blanks();
    if (peek() == '/' && peek(1) == '*') {
      if (!block_comment()) return false;
    } else if (line_comments && (peek() == '#' || (peek() == '/' && peek(1) == '/'))) {
      while (p_ < end_ && *p_ != '\n') ++p_;  // A lone carriage return does not end it.
    } else if (line_breaks && p_ < end_ && at_line_break()) {
      ++p_;
    } else {
      return true;
    }
  }
}

bool Scanner::gap(std::string_view before) {
  bool blank = false;
  for (;;) {
    while (p_ < end_ && (*p_ == ' ' || *p_ == '\t')) {
      ++p_;
      blank = true;
    }
    if (p_ < end_ && *p_ == '/' && peek(1) == '*') {
      if (!block_comment()) return false;
      continue;
    }
    return blank || expected(format_text("a blank before {}", before));
  }
}

std::string_view Scanner::peek_identifier() const noexcept {
  const char* q = p_;
  if (q < end_ && ((*q >= 'a' && *q <= 'z') || (*q >= 'A' && *q <= 'Z') || *q == '_')) {
    ++q;
    while (q < end_ && ((*q >= 'a' && *q <= 'z') || (*q >= 'A' && *q <= 'Z') || *q == '_' ||
                        (*q >= '0' && *q <= '9'))) {
      ++q;
    }
  }
  // What is not ASCII may begin an identifier, or continue it.
  if (q == end_ || static_cast<unsigned char>(*q) < 0x80) return view(p_, q);
  return view(p_, p_ + identifier_length(view(p_, end_)));
}

std::string_view Scanner::identifier() noexcept {
  const std::string_view word = peek_identifier();
  p_ += word.size();
  return word;
}

bool Scanner::continues_identifier_beyond_ascii(const char* at) const noexcept {
  const CodePoint point = decode_utf8(view(at, end_));
  return point.size != 0 && is_xid_continue(point.value);
}

std::string_view Scanner::qualified_identifier() noexcept {
  const char* const first = p_;
  for (;;) {
    const std::string_view part = identifier();
    if (part.empty() || is_keyword(part)) {
      p_ = first;
      return {};
    }
    if (peek() != ':' || peek(1) != ':') return view(first, p_);
    p_ += 2;
  }
}

bool Scanner::take_whole_word(std::string_view word) noexcept {
  if (!equal_text(view(p_, end_).substr(0, word.size()), word)) return false;
  const char* const after = p_ + word.size();
  if (after != end_ && continues_identifier(after)) return false;
  p_ = after;
  return true;
}

std::string_view Scanner::property_name() noexcept {
  const char* const first = p_;
  for (;;) {
    if (identifier().empty()) {
      p_ = first;
      return {};
    }
    if (peek() != ':') return view(first, p_);
    ++p_;
  }
}

bool Scanner::string(std::string_view& out, std::string& scratch) {
  const char* const open = p_;
  if (!at_string()) return expected("a string in quotes");
  const char quote = *p_;
  const bool triple = peek(1) == quote && peek(2) == quote;
  p_ += triple ? 3 : 1;
  const char* const first = p_;
  bool escaped = false;
  for (; p_ < end_; ++p_) {
    const char c = *p_;
    if (c == '\\' && (peek(1) == '\\' || peek(1) == quote)) {
      escaped = true;
      ++p_;
    } else if (c == '\\') {
      escaped = true;
    } else if (c == quote && (!triple || (peek(1) == quote && peek(2) == quote))) {
      const std::string_view contents = view(first, p_);
      p_ += triple ? 3 : 1;
      if (escaped) unescape(contents, scratch);
      out = escaped ? std::string_view(scratch) : contents;
      return true;
    } else if (!triple && (c == '\n' || c == '\r')) {
      return fail(open, "usda-unterminated-string", "This string is not closed on its line.",
                  "use three quotes for text of several lines");
    }
  }
  return fail(open, "usda-unterminated-string", "This string is never closed.");
}

bool Scanner::asset(std::string_view& out, std::string& scratch) {
  const char* const open = p_;
  if (peek() != '@') return expected("an asset path between '@'");
  const bool triple = peek(1) == '@' && peek(2) == '@';
  p_ += triple ? 3 : 1;
  const char* const first = p_;
  bool escaped = false;
  const char* last = nullptr;
  for (; p_ < end_ && *p_ != '\n' && *p_ != '\r'; ++p_) {
    if (*p_ != '@') continue;
    if (!triple) {
      last = p_++;
      break;
    }
    if (peek(1) != '@' || peek(2) != '@') continue;
    if (p_ > first && p_[-1] == '\\') {
      escaped = true;
      p_ += 2;
      continue;
    }
    // Up to two more '@' belong to the path; the last three close it.
    last = p_;
    if (peek(3) == '@') ++last;
    if (peek(3) == '@' && peek(4) == '@') ++last;
    p_ = last + 3;
    break;
  }
  if (last == nullptr) {
    return fail(open, "usda-unterminated-asset", "This asset path is not closed on its line.");
  }
  out = view(first, last);
  if (escaped) {
    scratch.clear();
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (out.substr(i, 4) == "\\@@@") continue;
      scratch += out[i];
    }
    out = scratch;
  }
  return is_asset_path(out) ||
         fail(open, "usda-bad-asset", "This asset path contains a control character.");
}

bool Scanner::path_text(std::string_view& out) {
  const char* const open = p_;
  if (!take('<')) return expected("a path between '<' and '>'");
  const char* const first = p_;
  while (p_ < end_ && *p_ != '>' && *p_ != '\n' && *p_ != '\r') ++p_;
  if (peek() != '>' || at_end()) {
    return fail(open, "usda-unterminated-path", "This path is not closed by '>' on its line.");
  }
  out = view(first, p_);
  ++p_;
  return true;
}

Scanner::Scanner(std::string_view text, SimdLevel level)
    : begin_(text.data()),
      p_(text.data()),
      end_(text.data() + text.size()),
      line_mark_(text.data()) {
  const TextSurvey survey = survey_text(begin_, end_, level);
  ascii_prefix_ = survey.ascii;
  has_carriage_returns_ =
      survey.carriage_returns || text.substr(survey.ascii).find('\r') != std::string_view::npos;
}

void Scanner::know_line_feeds(const char* first, const char* last,
                              std::size_t line_feeds) noexcept {
  if (has_carriage_returns_ || first < line_mark_) return;
  line_at_mark_ = line(first) + static_cast<std::uint32_t>(line_feeds);
  line_mark_ = last;
}

std::uint32_t Scanner::line(const char* at) noexcept {
  // Successive positions are close together, in either direction.
  const bool forward = at >= line_mark_;
  const char* const first = forward ? line_mark_ : at;
  const char* const last = forward ? at : line_mark_;
  std::uint32_t breaks = 0;
  if (!has_carriage_returns_) {
    breaks = count_line_feeds(first, last);
  } else {
    // A break is LF, CRLF or a lone CR.
    for (const char* p = first; p < last; ++p) {
      if (*p == '\n' || (*p == '\r' && !(p + 1 < end_ && p[1] == '\n'))) ++breaks;
    }
  }
  line_at_mark_ = forward ? line_at_mark_ + breaks : line_at_mark_ - breaks;
  line_mark_ = at;
  return line_at_mark_;
}

Scanner::LineColumn Scanner::line_column(const char* at) noexcept {
  const char* start = at;
  while (start > begin_ && start[-1] != '\n' && start[-1] != '\r') --start;
  return {line(at), static_cast<std::uint32_t>(at - start + 1)};
}

}  // namespace sinew::usda
