// SPDX-License-Identifier: Apache-2.0
// Whether a path matches a path expression.
#include <algorithm>
#include <string>
#include <string_view>

#include "geom/path_predicate.hpp"
#include "sinew/geom/collections.hpp"

namespace sinew::geom {

bool matches_name(std::string_view pattern, std::string_view name) {
  std::size_t p = 0;
  std::size_t n = 0;
  std::size_t star = std::string_view::npos;
  std::size_t resume = 0;
  while (n < name.size()) {
    bool hit = false;
    std::size_t next = p + 1;
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = n;
      continue;
    }
    if (p < pattern.size() && pattern[p] == '[') {
      const std::size_t close = pattern.find(']', p);
      if (close == std::string_view::npos) return false;
      std::string_view set = pattern.substr(p + 1, close - p - 1);
      const bool negated = set.starts_with('^');  // '!' is a letter as any other.
      if (negated) set.remove_prefix(1);
      for (std::size_t i = 0; i < set.size(); ++i) {
        if (i + 2 < set.size() && set[i + 1] == '-') {
          hit = hit || (name[n] >= set[i] && name[n] <= set[i + 2]);
          i += 2;
        } else {
          hit = hit || set[i] == name[n];
        }
      }
      hit = hit != negated;
      next = close + 1;
    } else {
      hit = p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n]);
    }
    if (hit) {
      p = next;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

namespace {

// One element of a pattern: what its name has to match, and what its prim has to satisfy.
struct Element {
  std::string_view name;       // Empty: any.
  std::string_view predicate;  // With its braces; empty if there is none.
  bool is_property = false;    // What follows a dot.

  bool is_any_depth() const { return name.empty() && predicate.empty(); }
  bool is_predicate_alone() const { return name.empty() && !predicate.empty(); }
};

// Where the predicate that begins at `at` ends. Its strings may hold anything.
std::size_t end_of_predicate(std::string_view text, std::size_t at) {
  char quote = '\0';
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (quote == '\0') {
      if (c == '}') return at + 1;
      if (c == '"' || c == '\'') quote = c;
    } else if (c == '\\') {
      ++at;
    } else if (c == quote) {
      quote = '\0';
    }
  }
  return text.size();
}

// The element of a pattern that begins at `at`, which moves behind the slash or dot that ends it.
// Predicates may hold both. A dot without a name before it, as in "//.size", has any prim there.
Element next_element(std::string_view pattern, std::size_t& at) {
  const std::size_t first = at;
  std::size_t end = std::string_view::npos;  // Of the name.
  while (at < pattern.size() && pattern[at] != '/' && pattern[at] != '.') {
    if (pattern[at] == '{') end = std::min(end, at);
    at = pattern[at] == '{' ? end_of_predicate(pattern, at) : at + 1;
  }
  end = std::min(end, at);
  Element element{pattern.substr(first, end - first), pattern.substr(end, at - end),
                  first > 0 && pattern[first - 1] == '.'};
  if (element.is_any_depth() && at < pattern.size() && pattern[at] == '.') element.name = "*";
  ++at;
  return element;
}

// Whether the prim at the first `size` bytes of a path satisfies an element; the name is known to.
bool matches_predicate(const Element& element, const layer::Path& path, std::size_t size,
                       const stage::Stage* stage) {
  if (element.predicate.empty()) return true;
  if (stage == nullptr || !element.predicate.ends_with('}')) return false;
  const auto whole = layer::Path::from_trusted(std::string(path.view().substr(0, size)));
  const stage::Prim prim = stage->prim(whole);
  return prim && satisfies(element.predicate.substr(1, element.predicate.size() - 2), prim);
}

// Of an absolute pattern, for prims and properties, whose name is one more behind those of its
// prim. An empty element, from "//", takes as few names as it can, and one more each time that what
// follows it does not match; a predicate alone that follows it may ask what is before it, too.
// Nothing follows the last slash of "/A/" and "/A//".
bool matches_pattern(std::string_view pattern, const layer::Path& path, const stage::Stage* stage) {
  constexpr std::size_t kNone = std::string_view::npos;
  const std::string_view text = path.view();
  if (!pattern.starts_with('/')) return false;
  if (text.find('[') != kNone || path.has_variant_selection()) return false;
  pattern.remove_prefix(1);
  std::size_t element = 0;
  std::size_t name = path.is_root() ? text.size() : 1;
  std::size_t behind_any = kNone;  // The element after the last empty one,
  std::size_t taken = 0;           // and the first name that this did not take.
  const auto end_of = [&](std::size_t at) {
    while (at < text.size() && text[at] != '/' && text[at] != '.') ++at;
    return at;
  };
  for (;;) {
    const bool has_name = name < text.size();
    if (!has_name && element >= pattern.size()) return true;
    std::size_t next = element;
    const bool has_next = element < pattern.size();
    const Element wanted = has_next ? next_element(pattern, next) : Element();
    if (has_next && wanted.is_any_depth()) {
      behind_any = element = next;
      const bool asks_before = name > 1 && next_element(pattern, next).is_predicate_alone();
      if (asks_before) name = text.find_last_of("/.", name - 2) + 1;
      taken = name;
      continue;
    }
    if (!has_name) return false;
    const std::size_t end = end_of(name);
    if (has_next && wanted.is_property == (text[name - 1] == '.') &&
        (wanted.name.empty() || matches_name(wanted.name, text.substr(name, end - name))) &&
        matches_predicate(wanted, path, end, stage)) {
      element = next;
      name = end + 1;
    } else if (behind_any != kNone) {
      element = behind_any;
      name = taken = end_of(taken) + 1;
    } else {
      return false;
    }
  }
}

// Precedence from high to low: '~', blank, '+', '&', '-'; left-associative.
class Matcher {
 public:
  Matcher(std::string_view text, const layer::Path& path, const stage::Stage* stage)
      : text_(text), path_(path), stage_(stage) {}

  // A predicate that cannot be asked leaves nothing of the whole expression.
  bool run() {
    const bool value = level(0, 0);
    return value && can_be_asked_;
  }
  bool can_be_asked() {
    run();
    return can_be_asked_;
  }

 private:
  void blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  bool level(int precedence, int depth) {
    constexpr int kMaxDepth = 64;
    if (depth > kMaxDepth) {
      at_ = text_.size();
      return false;
    }
    if (precedence == 4) return operand(depth);
    bool value = level(precedence + 1, depth);
    for (;;) {
      blanks();
      constexpr char kOperators[] = {'-', '&', '+', ' '};
      const char c = peek();
      const bool implied =
          precedence == 3 && c != '\0' && c != ')' && c != '-' && c != '&' && c != '+';
      if (!implied && (precedence == 3 || c != kOperators[precedence])) return value;
      if (!implied) ++at_;
      const bool right = level(precedence + 1, depth);
      if (precedence == 0) value = value && !right;
      if (precedence == 1) value = value && right;
      if (precedence >= 2) value = value || right;
    }
  }

  bool operand(int depth) {
    blanks();
    if (peek() == '~') {
      ++at_;
      return !operand(depth + 1);
    }
    if (peek() == '(') {
      ++at_;
      const bool value = level(0, depth + 1);
      blanks();
      if (peek() == ')') ++at_;
      return value;
    }
    const std::size_t first = at_;
    bool in_class = false;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      const bool ends = c == ' ' || c == '\t' || c == '+' || c == '&' || c == ')' || c == '-';
      if (ends && !(c == '-' && in_class)) break;
      in_class = c == '[' || (in_class && c != ']');
      const std::size_t here = at_;
      at_ = c == '{' ? end_of_predicate(text_, at_) : at_ + 1;
      if (c == '{' && stage_ != nullptr) {
        const std::string_view inside = text_.substr(here + 1, at_ - here - 2);
        can_be_asked_ = can_be_asked_ && is_predicate(inside, stage_->root());
      }
    }
    if (at_ == first) ++at_;  // Something that is not a pattern; step over it.
    return matches_pattern(text_.substr(first, at_ - first), path_, stage_);
  }

  std::string_view text_;
  const layer::Path& path_;
  const stage::Stage* stage_;
  std::size_t at_ = 0;
  bool can_be_asked_ = true;  // All predicates so far.
};

}  // namespace

bool can_be_asked(std::string_view expression, const stage::Stage& stage) {
  return Matcher(expression, stage.root().path(), &stage).can_be_asked();
}

bool matches_path_expression(std::string_view expression, const layer::Path& path) {
  return Matcher(expression, path, nullptr).run();
}

bool matches_path_expression(std::string_view expression, const stage::Prim& prim) {
  return prim && Matcher(expression, prim.path(), &prim.stage()).run();
}

}  // namespace sinew::geom
