// SPDX-License-Identifier: Apache-2.0
#include "layer/shared/path_expression_syntax.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace sinew::layer {

namespace {

constexpr int kMaxDepth = 64;
constexpr std::string_view kNothing = "~//";

// How much text an expression may become: paths and references take the place of shorter ones.
std::size_t most_text(std::string_view expression) {
  return 1'024 + 16 * expression.size();
}

// Where the path that a pattern begins with ends: in front of a property, or of the first element
// that is more than a name.
std::size_t prefix_size(std::string_view pattern) {
  std::size_t size = 0;
  while (size < pattern.size()) {
    const std::size_t end = std::min(pattern.find_first_of("/{*?[.", size + 1), pattern.size());
    const char next = end < pattern.size() ? pattern[end] : '\0';
    if (end == size + 1 || (next != '\0' && next != '/' && next != '.')) break;
    size = end;
    if (next == '.') break;
  }
  return size;
}

class ExpressionReader {
 public:
  ExpressionReader(std::string_view text, const Path& anchor, std::string& out)
      : text_(text), anchor_(&anchor), out_(out) {}
  ExpressionReader(std::string_view text, const PathExpressionEdit& edit, std::string& out)
      : text_(text), edit_(&edit), out_(out) {}

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
      if (!operand(depth) || out_.size() > most_text(text_)) return false;
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
    const std::size_t first = at_++;
    if (peek() == '_') {
      ++at_;
      return refer(text_.substr(first, 2), {}, "_");
    }
    while (is_name(peek()) || peek() == '/' || peek() == '.' || peek() == ':') ++at_;
    const std::string_view body = text_.substr(first + 1, at_ - first - 1);
    const std::size_t colon = body.find(':');
    if (colon == std::string_view::npos || colon + 1 >= body.size()) return false;
    const Path path = Path::parse(body.substr(0, colon)).value_or(Path());
    return refer(text_.substr(first, at_ - first), path, body.substr(colon + 1));
  }

  // Writes a reference to the collection `name` of a prim, or what takes its place.
  bool refer(std::string_view written, const Path& prim, std::string_view name) {
    const bool has_path = !prim.empty();
    if (edit_ == nullptr) {
      const Result<Path> absolute =
          has_path && !anchor_->empty() ? prim.make_absolute(*anchor_) : prim;
      out_ += absolute && has_path ? fmt::format("%{}:{}", absolute->view(), name) : written;
    } else if (edit_->reference) {
      const std::optional<std::string> instead = edit_->reference(prim, name);
      out_ += !instead ? std::string(written) : instead->empty() ? kNothing : '(' + *instead + ')';
    } else if (edit_->path && has_path) {
      const Path mapped = edit_->path(prim);
      out_ += mapped.empty() ? kNothing : fmt::format("%{}:{}", mapped.view(), name);
    } else {
      out_ += written;
    }
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
    Path base = *anchor_;
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

  // Puts the path that the pattern in `out_` from `first` on begins with through the edit's map.
  void map_pattern(std::size_t first) {
    const std::string pattern = out_.substr(first);
    if (!pattern.starts_with('/') || pattern.starts_with("//")) return;
    const std::size_t size = prefix_size(pattern);
    const Path mapped =
        edit_->path(size == 0 ? Path::root() : Path::from_trusted(pattern.substr(0, size)));
    out_.resize(first);
    std::string_view rest = std::string_view(pattern).substr(size);
    if (rest == "/") rest = {};
    if (mapped.empty()) {
      out_ += kNothing;
    } else {
      if (!mapped.is_root() || !rest.starts_with('/')) out_ += mapped.view();
      out_ += rest;
    }
  }

  bool pattern() {
    const std::size_t begin = out_.size();
    if (!pattern_text()) return false;
    if (edit_ != nullptr && edit_->path) map_pattern(begin);
    return true;
  }

  bool pattern_text() {
    const std::size_t first = at_;
    if (peek() != '/' && edit_ == nullptr) anchored();
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
  const Path* anchor_ = nullptr;              // Of relative paths; null:
  const PathExpressionEdit* edit_ = nullptr;  // an expression whose paths are absolute is edited.
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

std::optional<std::string> edit_path_expression(std::string_view text,
                                                const PathExpressionEdit& edit) {
  std::string edited;
  if (!ExpressionReader(text, edit, edited).run()) return std::nullopt;
  return edited;
}

bool refers_to_weaker(std::string_view expression) noexcept {
  return expression.find("%_") != std::string_view::npos ||
         expression.find("%:_") != std::string_view::npos;
}

}  // namespace sinew::layer
