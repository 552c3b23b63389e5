// SPDX-License-Identifier: Apache-2.0
// Whether a path matches a path expression.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "geom/path_predicate.hpp"
#include "sinew/geom/collections.hpp"

namespace sinew::geom {

namespace {

// One name against one pattern element with '*', '?' and character classes.
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
      const bool negated = set.starts_with('!') || set.starts_with('^');
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

// One element of a pattern: what its name has to match, and what its prim has to satisfy.
struct Element {
  std::string_view name;       // Empty: any.
  std::string_view predicate;  // With its braces; empty if there is none.

  bool is_any_depth() const { return name.empty() && predicate.empty(); }
};

Element element_of(std::string_view text) {
  const std::size_t brace = text.find('{');
  if (brace == std::string_view::npos) return {text, {}};
  return {text.substr(0, brace), text.substr(brace)};
}

// Predicates may hold slashes. Nothing follows the last slash of "/A/" and "/A//".
std::vector<Element> elements_of(std::string_view pattern) {
  std::vector<Element> elements;
  std::size_t first = 0;
  int braces = 0;
  for (std::size_t i = 0; i <= pattern.size(); ++i) {
    const char c = i < pattern.size() ? pattern[i] : '/';
    if (c == '{') ++braces;
    if (c == '}') --braces;
    if (i < pattern.size() && (c != '/' || braces > 0)) continue;
    elements.push_back(element_of(pattern.substr(first, i - first)));
    first = i + 1;
  }
  if (elements.back().is_any_depth()) elements.pop_back();
  return elements;
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

// Elements of an absolute pattern; an empty one stands for '//': any number of names.
bool matches_pattern(std::string_view pattern, const layer::Path& path, const stage::Stage* stage) {
  if (!pattern.starts_with('/')) return false;
  const std::vector<Element> wanted = elements_of(pattern.substr(1));
  // reach[i]: the first i pattern elements can match the names so far.
  std::vector<char> reach(wanted.size() + 1, 0);
  reach[0] = 1;
  const auto skip_any = [&] {
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (reach[i] != 0 && wanted[i].is_any_depth()) reach[i + 1] = 1;
    }
  };
  skip_any();
  const std::string_view text = path.view();
  for (std::size_t at = path.is_root() ? text.size() : 1; at < text.size();) {
    const std::size_t end = std::min(text.find('/', at), text.size());
    const std::string_view name = text.substr(at, end - at);
    std::vector<char> next(wanted.size() + 1, 0);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (reach[i] == 0) continue;
      if (wanted[i].is_any_depth()) {
        next[i] = 1;
      } else if ((wanted[i].name.empty() || matches_name(wanted[i].name, name)) &&
                 matches_predicate(wanted[i], path, end, stage)) {
        next[i + 1] = 1;
      }
    }
    reach = std::move(next);
    skip_any();
    at = end + 1;
  }
  return reach[wanted.size()] != 0;
}

// Precedence from high to low: '~', blank, '+', '&', '-'; left-associative.
class Matcher {
 public:
  Matcher(std::string_view text, const layer::Path& path, const stage::Stage* stage)
      : text_(text), path_(path), stage_(stage) {}

  bool run() { return level(0, 0); }

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
    int braces = 0;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '{') ++braces;
      if (c == '}') --braces;
      const bool ends = c == ' ' || c == '\t' || c == '+' || c == '&' || c == ')' || c == '-';
      if (braces == 0 && ends && !(c == '-' && in_class(first))) break;
      ++at_;
    }
    if (at_ == first) ++at_;  // Something that is not a pattern; step over it.
    return matches_pattern(text_.substr(first, at_ - first), path_, stage_);
  }

  // Whether the scan position lies inside a '[...]' of the pattern that began at `first`.
  bool in_class(std::size_t first) const {
    const std::string_view seen = text_.substr(first, at_ - first);
    const std::size_t open = seen.rfind('[');
    return open != std::string_view::npos && seen.find(']', open) == std::string_view::npos;
  }

  std::string_view text_;
  const layer::Path& path_;
  const stage::Stage* stage_;
  std::size_t at_ = 0;
};

}  // namespace

bool matches_path_expression(std::string_view expression, const layer::Path& path) {
  return Matcher(expression, path, nullptr).run();
}

bool matches_path_expression(std::string_view expression, const stage::Prim& prim) {
  return Matcher(expression, prim.path(), &prim.stage()).run();
}

}  // namespace sinew::geom
