// SPDX-License-Identifier: Apache-2.0
// Whether a path matches a path expression.
#include <string_view>
#include <utility>
#include <vector>

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

std::vector<std::string_view> elements_of(std::string_view path) {
  std::vector<std::string_view> elements;
  while (!path.empty()) {
    const std::size_t slash = path.find('/');
    elements.push_back(path.substr(0, slash));
    if (slash == std::string_view::npos) break;
    path.remove_prefix(slash + 1);
  }
  return elements;
}

// Elements of an absolute pattern; an empty one stands for '//': any number of names.
bool matches_pattern(std::string_view pattern, const layer::Path& path) {
  if (pattern.find('{') != std::string_view::npos || !pattern.starts_with('/')) return false;
  const std::vector<std::string_view> wanted = elements_of(pattern.substr(1));
  const std::vector<std::string_view> names =
      path.is_root() ? std::vector<std::string_view>() : elements_of(path.view().substr(1));
  // reach[i]: the first i pattern elements can match the names so far.
  std::vector<char> reach(wanted.size() + 1, 0);
  reach[0] = 1;
  const auto skip_any = [&] {
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (reach[i] != 0 && wanted[i].empty()) reach[i + 1] = 1;
    }
  };
  skip_any();
  for (const std::string_view name : names) {
    std::vector<char> next(wanted.size() + 1, 0);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (reach[i] == 0) continue;
      if (wanted[i].empty()) {
        next[i] = 1;
      } else if (matches_name(wanted[i], name)) {
        next[i + 1] = 1;
      }
    }
    reach = std::move(next);
    skip_any();
  }
  return reach[wanted.size()] != 0;
}

// Precedence from high to low: '~', blank, '+', '&', '-'; left-associative.
class Matcher {
 public:
  Matcher(std::string_view text, const layer::Path& path) : text_(text), path_(path) {}

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
    return matches_pattern(text_.substr(first, at_ - first), path_);
  }

  // Whether the scan position lies inside a '[...]' of the pattern that began at `first`.
  bool in_class(std::size_t first) const {
    const std::string_view seen = text_.substr(first, at_ - first);
    const std::size_t open = seen.rfind('[');
    return open != std::string_view::npos && seen.find(']', open) == std::string_view::npos;
  }

  std::string_view text_;
  const layer::Path& path_;
  std::size_t at_ = 0;
};

}  // namespace

bool matches_path_expression(std::string_view expression, const layer::Path& path) {
  return Matcher(expression, path).run();
}

}  // namespace sinew::geom
