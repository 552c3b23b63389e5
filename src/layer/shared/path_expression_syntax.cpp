// SPDX-License-Identifier: Apache-2.0
#include "layer/shared/path_expression_syntax.hpp"

#include <fmt/format.h>

#include <cstddef>

namespace sinew::layer {

namespace {

constexpr int kMaxDepth = 64;

class ExpressionReader {
 public:
  ExpressionReader(std::string_view text, const Path& anchor, std::string& out)
      : text_(text), anchor_(anchor), out_(out) {}

  bool run() {
    blanks();
    if (at_ == text_.size()) return true;
    return operands(0) && at_ == text_.size();
  }
  std::size_t position() const { return at_; }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void copy() { out_ += text_[at_++]; }
  bool blanks() {
    const std::size_t first = at_;
    while (peek() == ' ' || peek() == '\t' || peek() == '\n') copy();
    return at_ != first;
  }

  // operand { (blank | '+' | '&' | '-') operand }
  bool operands(int depth) {
    if (depth > kMaxDepth) return false;
    for (;;) {
      if (!operand(depth)) return false;
      const bool blank = blanks();
      const char c = peek();
      if (c == '+' || c == '&' || c == '-') {
        copy();
        blanks();
        continue;
      }
      if (c == '\0' || c == ')') return true;
      if (!blank) return false;
    }
  }

  bool operand(int depth) {
    while (peek() == '~') {
      copy();
      blanks();
    }
    if (peek() == '(') {
      copy();
      blanks();
      if (!operands(depth + 1) || peek() != ')') return false;
      copy();
      return true;
    }
    return peek() == '%' ? reference() : pattern();
  }

  static bool is_name(char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           static_cast<unsigned char>(c) >= 0x80;
  }

  // "%_", "%:name" or "%/prim:name".
  bool reference() {
    copy();
    if (peek() == '_') {
      copy();
      return true;
    }
    const std::size_t first = at_;
    while (is_name(peek()) || peek() == '/' || peek() == '.' || peek() == ':') ++at_;
    const std::string_view body = text_.substr(first, at_ - first);
    const std::size_t colon = body.find(':');
    if (colon == std::string_view::npos || colon + 1 >= body.size()) return false;
    const Result<Path> path = Path::parse(body.substr(0, colon));
    const Result<Path> absolute =
        path && !path->empty() && !anchor_.empty() ? path->make_absolute(anchor_) : path;
    out_ += absolute ? absolute->view() : body.substr(0, colon);
    out_ += body.substr(colon);
    return true;
  }

  bool character_class() {
    copy();
    while (peek() != ']') {
      if (peek() == '\0') return false;
      copy();
    }
    copy();
    return true;
  }

  bool predicate() {
    int depth = 0;
    do {
      if (peek() == '\0') return false;
      if (peek() == '{') ++depth;
      if (peek() == '}') --depth;
      copy();
    } while (depth > 0);
    return true;
  }

  // Whether "." or ".." stands here as an element by itself.
  bool is_climb(std::string_view dots) const {
    const std::string_view rest = text_.substr(at_);
    if (!rest.starts_with(dots)) return false;
    const char next = rest.size() > dots.size() ? rest[dots.size()] : '\0';
    return !is_name(next) && next != '.' && next != '*' && next != '?' && next != '[';
  }

  // The elements "." and ".." at the beginning, and the slash behind each, lead from the anchor to
  // the prim below which the pattern looks.
  void anchored() {
    Path base = anchor_;
    for (;;) {
      const bool climbs = is_climb("..");
      if (!climbs && !is_climb(".")) break;
      if (climbs && !base.is_root()) base = base.parent();
      at_ += climbs ? 2 : 1;
      if (peek() == '/' && !text_.substr(at_).starts_with("//")) ++at_;
    }
    const char next = peek();
    const bool goes_on = is_name(next) || next == '*' || next == '?' || next == '[';
    // The slash of the root is also the first of "//".
    if (!base.is_root() || next != '/') out_ += base.view();
    if (goes_on && !base.is_root()) out_ += '/';
  }

  bool pattern() {
    const std::size_t first = at_;
    if (peek() != '/') anchored();
    for (;;) {
      const char c = peek();
      if (is_name(c) || c == '*' || c == '?' || c == '/' || c == '.' || c == ':') {
        copy();
      } else if (c == '[') {
        if (!character_class()) return false;
      } else if (c == '{') {
        if (!predicate()) return false;
      } else {
        return at_ != first;
      }
    }
  }

  std::string_view text_;
  const Path& anchor_;
  std::string& out_;
  std::size_t at_ = 0;
};

}  // namespace

bool absolute_path_expression(std::string_view text, const Path& anchor, std::string& absolute,
                              std::string& reason) {
  absolute.clear();
  ExpressionReader reader(text, anchor, absolute);
  if (reader.run()) return true;
  reason = fmt::format("'{}' is not a path expression: it fails at position {}.",
                       text.substr(0, 80), reader.position());
  return false;
}

}  // namespace sinew::layer
