// SPDX-License-Identifier: Apache-2.0
#include "layer/shared/path_expression_syntax.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "core/format_text.hpp"

namespace sinew::layer {

namespace {

constexpr int kMaxDepth = 64;

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
    if (text_.empty()) return true;
    blanks();
    // What follows a line break is not read.
    return operands(0) && (at_ == text_.size() || is_at("\n") || is_at("\r\n"));
  }
  std::size_t position() const { return at_; }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool is_at(std::string_view what) const { return text_.substr(at_).starts_with(what); }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void copy() { out_ += text_[at_++]; }
  // A line break is none: it ends the expression.
  bool skip_blanks() {
    const std::size_t first = at_;
    while (peek() == ' ' || peek() == '\t') ++at_;
    return at_ != first;
  }
  bool blanks() {
    const std::size_t first = at_;
    const bool any = skip_blanks();
    out_ += text_.substr(first, at_ - first);
    return any;
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
      if (c == '\0' || c == ')' || c == '\n' || c == '\r') return true;
      if (!blank) return false;
    }
  }

  bool operand(int depth) {
    const bool complement = peek() == '~';
    if (complement) {
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
    nothing_ = complement ? "(~//)" : "~//";  // One '~' does not follow another.
    return peek() == '%' ? reference() : pattern();
  }

  static bool is_one_of(std::string_view characters, char c) {
    return characters.find(c) != std::string_view::npos;
  }
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }

  std::string_view identifier() {
    const std::size_t first = at_;
    if (!is_digit(peek())) {
      while (is_expression_name(peek())) ++at_;
    }
    return text_.substr(first, at_ - first);
  }

  // ".." { "/.." }, each of which leads from `base` to its parent.
  bool climb(Path& base) {
    if (!is_at("..")) return false;
    at_ += 2;
    for (;; at_ += 3) {
      if (!base.empty() && !base.is_root()) base = base.parent();
      if (!is_at("/..")) return true;
    }
  }

  // "%_", "%:name" or "%/prim:name".
  bool reference() {
    const std::size_t first = at_++;
    const std::size_t begin = at_;
    if (identifier() == "_" && peek() != ':') return refer("%_", {}, "_");
    at_ = begin;
    Path unused;
    climb(unused);
    while (take('/')) {
      if (identifier().empty()) return false;
    }
    const Path path = Path::parse(text_.substr(begin, at_ - begin)).value_or(Path());
    if (!take(':')) return false;
    const std::string_view name = identifier();
    return !name.empty() && refer(text_.substr(first, at_ - first), path, name);
  }

  // A reference to the collection `name` of a prim. The root has none.
  void put_reference(const Path& prim, std::string_view name) {
    out_ += prim.empty() || prim.is_root() ? std::string(nothing_)
                                           : format_text("%{}:{}", prim.view(), name);
  }

  // Writes a reference to the collection `name` of a prim, or what takes its place.
  bool refer(std::string_view written, const Path& prim, std::string_view name) {
    const bool has_path = !prim.empty();
    if (edit_ == nullptr) {
      const Result<Path> absolute =
          has_path && !anchor_->empty() ? prim.make_absolute(*anchor_) : prim;
      if (absolute && has_path) {
        put_reference(*absolute, name);
      } else {
        out_ += written;
      }
    } else if (edit_->reference) {
      const std::optional<std::string> instead = edit_->reference(prim, name);
      out_ += !instead           ? std::string(written)
              : instead->empty() ? std::string(nothing_)
                                 : '(' + *instead + ')';
    } else if (edit_->path && has_path) {
      put_reference(edit_->path(prim), name);
    } else {
      out_ += written;
    }
    return true;
  }

  bool character_class() {
    copy();
    const std::size_t first = at_;
    while (is_expression_name(peek()) || is_one_of("!-?*", peek())) copy();
    if (at_ == first || peek() != ']') return false;
    copy();
    return true;
  }

  bool take_word(std::string_view word) {
    if (!is_at(word) ||
        (at_ + word.size() < text_.size() && is_expression_name(text_[at_ + word.size()]))) {
      return false;
    }
    at_ += word.size();
    return true;
  }

  bool predicate() {
    const std::size_t first = at_++;
    if (!calls(0) || !take('}')) return false;
    out_ += text_.substr(first, at_ - first);
    return true;
  }

  // call { (blank | "and" | "or") call }
  bool calls(int depth) {
    if (depth > kMaxDepth) return false;
    skip_blanks();
    for (;;) {
      if (!call(depth)) return false;
      const bool blank = skip_blanks();
      if (take_word("and") || take_word("or")) {
        skip_blanks();
      } else if (!blank || peek() == '}' || peek() == ')') {
        return true;
      }
    }
  }

  // "(" calls ")", name, name ":" values or name "(" arguments ")", behind any number of "not".
  bool call(int depth) {
    while (take_word("not")) skip_blanks();
    if (take('(')) return calls(depth + 1) && take(')');
    const std::string_view name = identifier();
    if (name.empty() || is_reserved(name)) return false;
    if (take(':')) {
      do {
        if (!value()) return false;
      } while (take(','));
      return true;
    }
    const std::size_t behind = at_;
    skip_blanks();
    if (take('(')) return arguments();
    at_ = behind;
    return true;
  }

  static bool is_reserved(std::string_view name) {
    constexpr std::string_view kWords[] = {"not", "and", "or", "inf", "true", "false"};
    return std::find(std::begin(kWords), std::end(kWords), name) != std::end(kWords);
  }

  // Those with names come last.
  bool arguments() {
    bool named = false;
    do {
      skip_blanks();
      const std::size_t first = at_;
      const std::string_view name = identifier();
      skip_blanks();
      if (!name.empty() && !is_reserved(name) && take('=')) {
        named = true;
        skip_blanks();
      } else {
        if (named) return false;
        at_ = first;
      }
      if (!value()) return false;
      skip_blanks();
    } while (take(','));
    return take(')');
  }

  bool digits() {
    const std::size_t first = at_;
    while (is_digit(peek())) ++at_;
    return at_ != first;
  }

  // A string in quotes, a number, "inf", "true", "false", or what needs no quotes, maybe nothing.
  bool value() {
    if (peek() == '"' || peek() == '\'') return quoted();
    const std::size_t first = at_;
    const bool negative = take('-');
    if (digits()) {
      if (take('.') && !digits()) return false;
      if (take('e') || take('E')) {
        if (!take('-')) take('+');
        return digits();
      }
      return true;
    }
    if (take_word("inf") || (!negative && (take_word("true") || take_word("false")))) return true;
    at_ = first;
    while (is_expression_name(peek()) || is_one_of("~!@#$%^&*-+=|\\.?/", peek())) {
      ++at_;
    }
    return true;
  }

  bool quoted() {
    const char quote = text_[at_++];
    while (!take(quote)) {
      if (static_cast<unsigned char>(peek()) < 0x20) return false;
      if (take('\\') && peek() != quote && !is_one_of("\\bfnrt", peek())) return false;
      ++at_;
    }
    return true;
  }

  bool at_element() const {
    const char c = peek();
    return is_expression_name(c) || c == '*' || c == '?' || c == '[' || c == '{';
  }

  // A name, which may have wildcards, a predicate, or both.
  bool element(bool is_property) {
    const std::size_t first = at_;
    for (;;) {
      const char c = peek();
      if (is_expression_name(c) || c == '*' || c == '?' || (is_property && c == ':')) {
        copy();
      } else if (c != '[') {
        break;
      } else if (!character_class()) {
        return false;
      }
    }
    return peek() == '{' ? predicate() : at_ != first;
  }

  // Elements one or two slashes apart, with a property or "//" at the end.
  bool elements() {
    for (;;) {
      if (!element(false)) return false;
      if (peek() == '.') {
        copy();
        return element(true);
      }
      if (peek() != '/') return true;
      copy();
      if (peek() == '/') {
        copy();
        if (!at_element()) return true;
      }
    }
  }

  // Of a relative pattern, what leads from the anchor to the prim below which it looks: nothing,
  // "." or ".." and what follows that; and whether elements have to follow.
  bool beginning(bool& goes_on) {
    const std::size_t first = at_;
    Path base = edit_ == nullptr ? *anchor_ : Path();
    goes_on = at_element();
    if (climb(base)) {
      goes_on = is_at("/") && !is_at("//");
      if (goes_on) ++at_;
    } else if (!goes_on && !take('.')) {
      return false;
    }
    if (edit_ != nullptr) {
      out_ += text_.substr(first, at_ - first);
    } else {
      // The slash of the root is also the first of "//".
      if (!base.is_root() || !is_at("//")) out_ += base.view();
      if (goes_on && !base.is_root()) out_ += '/';
    }
    return true;
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
      out_ += nothing_;
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
    if (peek() != '/') {
      bool goes_on = false;
      if (!beginning(goes_on)) return false;
      if (goes_on) return elements();
      if (!is_at("//")) return true;
    }
    copy();
    if (peek() == '/') copy();
    return !at_element() || elements();
  }

  std::string_view text_;
  const Path* anchor_ = nullptr;              // Of relative paths; null:
  const PathExpressionEdit* edit_ = nullptr;  // an expression whose paths are absolute is edited.
  std::string& out_;
  std::size_t at_ = 0;
  std::string_view nothing_;  // What matches nothing, where the last operand stands.
};

}  // namespace

bool absolute_path_expression(std::string_view text, const Path& anchor, std::string& absolute,
                              std::string& reason) {
  absolute.clear();
  ExpressionReader reader(text, anchor, absolute);
  if (reader.run()) return true;
  reason = format_text("'{}' is not a path expression: it fails at position {}.",
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
