// SPDX-License-Identifier: Apache-2.0
// Whether a path matches a path expression.
#include <algorithm>
#include <string>
#include <string_view>

#include "geom/path_predicate.hpp"
#include "layer/shared/path_expression_syntax.hpp"
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

  bool is_bare() const { return name.empty(); }
  bool is_literal() const {
    return predicate.empty() && std::all_of(name.begin(), name.end(), [](char c) {
             return c == ':' || layer::is_expression_name(c);
           });
  }
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

// An absolute pattern: runs of elements between any number of names, which "//" stands for. As in
// OpenUSD, the names that it begins with, up to the first "//", '*' or predicate, are apart from
// the others.
struct Pattern {
  // What a pattern can match: one with a dot properties, one that ends in "//" or in a predicate
  // without a name both, any other one prims.
  enum class Kind : std::uint8_t { prims, properties, both };

  explicit Pattern(std::string_view text);

  bool is_last(std::size_t run) const { return run + 1 == run_ends.size(); }
  std::span<const Element> run(std::size_t index) const {
    const std::size_t first = index == 0 ? 0 : run_ends[index - 1];
    return std::span(elements).subspan(first, run_ends[index] - first);
  }

  bool is_absolute = false;
  Kind kind = Kind::prims;
  bool begins_with_any = false;         // With "//", behind the names,
  bool ends_with_any = false;           // and ends with it.
  std::vector<std::string_view> names;  // That it begins with; of a property the last.
  std::vector<Element> elements;
  std::vector<std::size_t> run_ends;  // In `elements`.
};

Pattern::Pattern(std::string_view text) {
  is_absolute = text.starts_with('/');
  bool was_any = false;  // Whether the last that was read is "//".
  const auto add_any = [&] {
    if (elements.empty()) {
      begins_with_any = true;
    } else if (!was_any) {
      run_ends.push_back(elements.size());
    }
    was_any = true;
  };
  for (std::size_t at = 1; at <= text.size();) {
    const bool is_property = text[at - 1] == '.';
    const std::size_t first = at;
    std::size_t end = std::string_view::npos;  // Of the name.
    while (at < text.size() && text[at] != '/' && text[at] != '.') {
      if (text[at] == '{') {
        end = std::min(end, at);
        at = end_of_predicate(text, at);
      } else {
        ++at;
      }
    }
    end = std::min(end, at);
    Element element{text.substr(first, end - first), text.substr(end, at - end)};
    const bool is_empty = element.name.empty() && element.predicate.empty();
    const bool before_property = at < text.size() && text[at] == '.';
    ++at;
    if (is_property) kind = Kind::properties;
    if (is_empty && !before_property) {
      // Nothing follows the last slash of "/A/" and "/A//".
      if (at <= text.size()) add_any();
      continue;
    }
    if (is_empty) element.name = "*";  // Of "//.size" any prim.
    if (elements.empty() && !begins_with_any && element.is_literal()) {
      names.push_back(element.name);
    } else {
      elements.push_back(element);
    }
    was_any = false;
  }
  ends_with_any = was_any;
  if (!was_any && !elements.empty()) run_ends.push_back(elements.size());
  if (kind != Kind::properties && (was_any || (!elements.empty() && elements.back().is_bare()))) {
    kind = Kind::both;
  }
}

// Compares a pattern with one path.
class PatternMatch {
 public:
  PatternMatch(const Pattern& pattern, const layer::Path& path, const stage::Stage* stage)
      : pattern_(pattern), path_(path), stage_(stage) {}

  // The first run stands right behind the names, unless "//" does; the last one at the end, unless
  // "//" does; each other one as early as it can.
  bool run() {
    const std::string_view text = path_.view();
    if (!pattern_.is_absolute || text.find_first_of("[{") != std::string_view::npos) return false;
    const bool is_property = path_.is_property();
    if (pattern_.kind == (is_property ? Pattern::Kind::prims : Pattern::Kind::properties)) {
      return false;
    }
    if (!path_.is_root()) split(text);
    const std::size_t names = pattern_.names.size();
    if (names > names_.size() ||
        !std::equal(pattern_.names.begin(), pattern_.names.end(), names_.begin())) {
      return false;
    }
    const bool is_whole = names == names_.size();
    // The names of "/A/b//" are those of a prim.
    if (is_property && is_whole && pattern_.kind == Pattern::Kind::both) return false;
    if (pattern_.elements.empty()) return is_whole || pattern_.begins_with_any;
    // A predicate without a name may ask what is before it, too, which "//" may have taken.
    const bool asks_before =
        pattern_.begins_with_any && pattern_.elements.front().is_bare() && names != 0;
    first_ = names - (asks_before ? 1 : 0);
    if (first_ == names_.size()) return false;
    return match_runs();
  }

 private:
  void split(std::string_view text) {
    for (std::size_t at = 1; at < text.size();) {
      const std::size_t end = std::min(text.find_first_of("/.", at), text.size());
      names_.push_back(text.substr(at, end - at));
      at = end + 1;
    }
  }

  bool match_runs() const {
    std::size_t at = first_;
    for (std::size_t r = 0; r < pattern_.run_ends.size(); ++r) {
      const std::span<const Element> run = pattern_.run(r);
      if (r == 0 && !pattern_.begins_with_any) {
        if (!matches_at(run, at)) return false;
        at += run.size();
        if (pattern_.is_last(r) && !pattern_.ends_with_any && at != names_.size()) return false;
      } else if (pattern_.is_last(r) && !pattern_.ends_with_any) {
        const std::size_t least = run.size() - (run.front().is_bare() ? 1 : 0);
        if (names_.size() - at < least || names_.size() < run.size()) return false;
        return matches_at(run, names_.size() - run.size());
      } else if (!find(run, at)) {
        return false;
      }
    }
    return true;
  }

  // Moves `at` behind the first place from there on where a run matches.
  bool find(std::span<const Element> run, std::size_t& at) const {
    for (; at + run.size() <= names_.size(); ++at) {
      if (run.front().is_bare() && at != first_ && matches_at(run, at - 1)) {
        at += run.size() - 1;
        return true;
      }
      if (matches_at(run, at)) {
        at += run.size();
        return true;
      }
    }
    return false;
  }

  bool matches_at(std::span<const Element> run, std::size_t at) const {
    if (at + run.size() > names_.size()) return false;
    for (std::size_t i = 0; i < run.size(); ++i) {
      if (!run[i].is_bare() && !matches_name(run[i].name, names_[at + i])) return false;
      if (!matches_predicate(run[i].predicate, at + i)) return false;
    }
    return true;
  }

  // Whether the prim that a name of the path is of satisfies a predicate.
  bool matches_predicate(std::string_view predicate, std::size_t name) const {
    if (predicate.empty()) return true;
    if (stage_ == nullptr || !predicate.ends_with('}')) return false;
    const std::string_view text = path_.view();
    const auto end =
        static_cast<std::size_t>(names_[name].data() + names_[name].size() - text.data());
    const stage::Prim prim =
        stage_->prim(layer::Path::from_trusted(std::string(text.substr(0, end))));
    return prim && satisfies(predicate.substr(1, predicate.size() - 2), prim);
  }

  const Pattern& pattern_;
  const layer::Path& path_;
  const stage::Stage* stage_;
  std::vector<std::string_view> names_;  // Of the path; that of a property is the last.
  std::size_t first_ = 0;                // The first that is none of the pattern's names.
};

// Precedence from high to low: '~', blank, '+', '&', '-'; left-associative.
class Matcher {
 public:
  Matcher(std::string_view text, const layer::Path& path, const stage::Stage* stage)
      : text_(text), path_(path), stage_(stage) {}

  // A predicate that cannot be asked leaves nothing of the whole expression.
  bool run() { return (stage_ == nullptr || has_only_predicates()) && level(0, 0); }

 private:
  bool has_only_predicates() const {
    for (std::size_t at = text_.find('{'); at != std::string_view::npos;) {
      const std::size_t end = end_of_predicate(text_, at);
      const std::string_view predicate = text_.substr(at, end - at);
      if (!predicate.ends_with('}')) return false;
      if (!is_predicate(predicate.substr(1, predicate.size() - 2), stage_->root())) return false;
      at = text_.find('{', end);
    }
    return true;
  }

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
      at_ = c == '{' ? end_of_predicate(text_, at_) : at_ + 1;
    }
    if (at_ == first) ++at_;  // Something that is not a pattern; step over it.
    const Pattern pattern(text_.substr(first, at_ - first));
    return PatternMatch(pattern, path_, stage_).run();
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
