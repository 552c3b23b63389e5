// SPDX-License-Identifier: Apache-2.0
// Path expressions against what their words say, tried out one name and one letter at a time.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/geom/collections.hpp"
#include "support/random.hpp"

namespace sinew::geom::path_expression_test {
namespace {

using layer::Path;

// Every way in which a pattern can take up letters, one after the other.
bool name_fits(std::string_view pattern, std::string_view name) {
  if (pattern.empty()) return name.empty();
  if (pattern[0] == '*') {
    return name_fits(pattern.substr(1), name) ||
           (!name.empty() && name_fits(pattern, name.substr(1)));
  }
  if (name.empty()) return false;
  if (pattern[0] == '[') {
    const std::size_t close = pattern.find(']');
    if (close == std::string_view::npos) return false;
    std::string letters;
    std::string_view set = pattern.substr(1, close - 1);
    const bool negated = !set.empty() && set[0] == '^';
    if (negated) set.remove_prefix(1);
    while (!set.empty()) {
      if (set.size() >= 3 && set[1] == '-') {
        for (int c = set[0]; c <= set[2]; ++c) letters += static_cast<char>(c);
        set.remove_prefix(3);
      } else {
        letters += set[0];
        set.remove_prefix(1);
      }
    }
    const bool is_in = letters.find(name[0]) != std::string::npos;
    return is_in != negated && name_fits(pattern.substr(close + 1), name.substr(1));
  }
  return (pattern[0] == '?' || pattern[0] == name[0]) &&
         name_fits(pattern.substr(1), name.substr(1));
}

// The same with names; an empty pattern stands for "//".
bool names_fit(const std::vector<std::string>& patterns, const std::vector<std::string>& names,
               std::size_t p = 0, std::size_t n = 0) {
  if (p == patterns.size()) return n == names.size();
  if (patterns[p].empty()) {
    return names_fit(patterns, names, p + 1, n) ||
           (n < names.size() && names_fit(patterns, names, p, n + 1));
  }
  return n < names.size() && name_fits(patterns[p], names[n]) &&
         names_fit(patterns, names, p + 1, n + 1);
}

const char* const kNames[] = {"a", "b", "ab", "ba", "aab", "abab", "b_9", "Abc", "c1"};
const char* const kPatterns[] = {"a",      "b",        "*",        "?",       "*b",    "a*",
                                 "a*b",    "?b",       "[ab]",     "[!a]*",   "[^b]?", "*[a-c]",
                                 "[A-Z]*", "[a-b_]*9", "b[_-]",    "*a*b*",   "[]",    "[!]",
                                 "[c-a]",  "*1",       "[a-]b_9?", "*?[0-9]", "abab"};

struct Pattern {
  std::string text;
  std::vector<std::string> elements;
};

Pattern random_pattern(test::Random& random) {
  Pattern made;
  for (int i = random.between(0, 3); i >= 0; --i) {
    if (random.chance(30)) {
      made.text += made.text.empty() ? "//" : "/";
      made.elements.emplace_back();
    } else if (made.text.empty() || made.text.back() != '/') {
      made.text += "/";
    }
    if (i == 0 && !made.elements.empty() && random.chance(30)) {
      made.text += made.text.back() == '/' ? "" : "/";
      if (made.elements.back().empty() && !made.text.ends_with("//")) made.text += "/";
      break;
    }
    if (!made.text.ends_with('/')) made.text += "/";
    if (!made.elements.empty() && made.elements.back().empty() && !made.text.ends_with("//")) {
      made.text += "/";
    }
    made.elements.push_back(random.pick(kPatterns));
    made.text += made.elements.back();
  }
  return made;
}

std::vector<std::string> random_names(test::Random& random) {
  std::vector<std::string> names;
  for (int i = random.between(0, 4); i > 0; --i) names.push_back(random.pick(kNames));
  return names;
}

Path path_of(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += "/" + name;
  return *Path::parse(text.empty() ? "/" : text);
}

// An expression as text and what it says, made together.
struct Expression {
  std::string text;
  bool holds = false;
  int precedence = 5;
};

Expression random_expression(test::Random& random, const std::vector<std::string>& names,
                             int depth) {
  Expression made;
  if (depth == 0 || random.chance(25)) {
    const Pattern pattern = random_pattern(random);
    return {pattern.text, names_fit(pattern.elements, names), 5};
  }
  const auto inside = [&](int least) {
    Expression part = random_expression(random, names, depth - 1);
    if (part.precedence < least || random.chance(10)) part.text = "(" + part.text + ")";
    return part;
  };
  const auto blanks = [&] { return random.chance(40) ? " " : random.chance(10) ? "\t " : ""; };
  made.precedence = random.between(0, 4);
  if (made.precedence == 4) {
    const Expression part = inside(4);
    return {"~" + std::string(blanks()) + part.text, !part.holds, 4};
  }
  const Expression left = inside(made.precedence);
  const Expression right = inside(made.precedence + 1);
  constexpr const char* kSigns[] = {"-", "&", "+", " "};
  made.text = left.text + blanks() + kSigns[made.precedence] + blanks() + right.text;
  made.holds = made.precedence == 0   ? left.holds && !right.holds
               : made.precedence == 1 ? left.holds && right.holds
                                      : left.holds || right.holds;
  return made;
}

TEST(PathExpression, MatchesAPatternAsItsWordsSay) {
  test::Random random(1);
  int hits = 0;
  for (int i = 0; i < 40000; ++i) {
    const Pattern pattern = random_pattern(random);
    const std::vector<std::string> names = random_names(random);
    const Path path = path_of(names);
    const bool expected = names_fit(pattern.elements, names);
    hits += expected ? 1 : 0;
    ASSERT_EQ(matches_path_expression(pattern.text, path), expected)
        << pattern.text << " and " << path.view();
  }
  EXPECT_GT(hits, 2000);
}

// A property is one more name, which only what follows a dot and a "//" at the end can take.
bool property_fits(const Pattern& pattern, bool asks_for_property,
                   const std::vector<std::string>& names, bool is_property) {
  if (!is_property) return !asks_for_property && names_fit(pattern.elements, names);
  if (asks_for_property) return names_fit(pattern.elements, names);
  const std::vector<std::string> prims(names.begin(), names.end() - 1);
  return pattern.elements.back().empty() && names_fit(pattern.elements, prims);
}

TEST(PathExpression, TakesAPropertyForOneMoreName) {
  test::Random random(3);
  int hits[2][2] = {};
  for (int i = 0; i < 60000; ++i) {
    Pattern pattern = random_pattern(random);
    const bool asks_for_property = random.chance(50);
    if (asks_for_property) {
      if (pattern.elements.back().empty()) {
        pattern.elements.emplace_back("*");  // Of "//.x" any prim.
      } else if (pattern.text.ends_with('/')) {
        pattern.text.pop_back();
      }
      pattern.elements.push_back(random.pick(kPatterns));
      pattern.text += "." + pattern.elements.back();
    }
    std::vector<std::string> names = random_names(random);
    Path path = path_of(names);
    const bool is_property = !names.empty() && random.chance(60);
    if (is_property) {
      names.push_back(random.pick(kNames));
      path = path.property(names.back());
    }
    const bool expected = property_fits(pattern, asks_for_property, names, is_property);
    hits[asks_for_property][is_property] += expected ? 1 : 0;
    ASSERT_EQ(matches_path_expression(pattern.text, path), expected)
        << pattern.text << " and " << path.view();
  }
  EXPECT_GT(hits[0][0], 400);
  EXPECT_GT(hits[0][1], 200);
  EXPECT_EQ(hits[1][0], 0);
  EXPECT_GT(hits[1][1], 100);
}

// What the rules come to, in words that people write.
TEST(PathExpression, TellsPropertiesFromPrims) {
  struct Case {
    const char* pattern;
    std::vector<const char*> matched;
    std::vector<const char*> others;
  };
  const Case cases[] = {
      {"/W/*", {"/W/Big"}, {"/W", "/W.size", "/W/Big.size", "/W/Big/x"}},
      {"/W/Big", {"/W/Big"}, {"/W.Big", "/W/Big.size"}},
      {"//Big", {"/Big", "/W/Big"}, {"/W.Big", "/W/Big.size"}},
      {"/W//", {"/W", "/W.size", "/W/Big", "/W/Big.size"}, {"/Wide", "/Wide.size"}},
      {"/W//*", {"/W/Big", "/W/Big/x"}, {"/W", "/W.size", "/W/Big.size"}},
      {"/W/B*//", {"/W/Big", "/W/Big.size", "/W/Big/x.y"}, {"/W", "/W.size", "/W.Big"}},
      {"/W/Big//", {"/W/Big", "/W/Big.size"}, {"/W.Big", "/W/Bigger"}},
      {"/W.size", {"/W.size"}, {"/W", "/W/size", "/W/Big.size"}},
      {"/W//.size", {"/W/Big.size", "/W/a/b.size"}, {"/W.size", "/W/Big", "/W/size"}},
      {"//.size", {"/W.size", "/W/Big.size"}, {"/size", "/W/size"}},
      {"/W/*.size", {"/W/Big.size"}, {"/W.size", "/W/a/b.size"}},
      {"/W/B*.xf*:t?", {"/W/Big.xf:op:ta", "/W/B.xf:tb"}, {"/W/Big.xf:a", "/W/Big/xf.ta"}},
      {"//*.* - //.size", {"/W.x", "/W/Big.y:size"}, {"/W", "/W.size"}},
      {"/W{defined}.size", {}, {"/W", "/W.size"}},
      {"//", {"/", "/W", "/W.size"}, {"/W.rel[/W]", "/W{v=a}x"}},
  };
  for (const Case& one : cases) {
    for (const char* path : one.matched) {
      EXPECT_TRUE(matches_path_expression(one.pattern, *Path::parse(path)))
          << one.pattern << " and " << path;
    }
    for (const char* path : one.others) {
      EXPECT_FALSE(matches_path_expression(one.pattern, *Path::parse(path)))
          << one.pattern << " and " << path;
    }
  }
}

TEST(PathExpression, CombinesPatternsByTheirPrecedence) {
  test::Random random(2);
  for (int i = 0; i < 40000; ++i) {
    const std::vector<std::string> names = random_names(random);
    const Expression made = random_expression(random, names, random.between(0, 4));
    ASSERT_EQ(matches_path_expression(made.text, path_of(names)), made.holds)
        << made.text << " and " << path_of(names).view();
  }
}

TEST(PathExpression, TakesWhatIsBrokenForNothing) {
  const Path path = *Path::parse("/a/b");
  for (const char* text : {"", " ", "a", "a/b", ".", "/a/b{isa:Mesh}", "%ref", ")", "/a/b{x y}",
                           "/c -", "/a/b &", "(/c", "/a/[b", "/a/b[", "/[a", "/a/[b - /c"}) {
    EXPECT_FALSE(matches_path_expression(text, path)) << text;
  }
  EXPECT_TRUE(matches_path_expression("(/a/b", path));
  EXPECT_TRUE(matches_path_expression("/a/b{x y} /a/b", path));
  EXPECT_TRUE(matches_path_expression("/a/b/", path));
  EXPECT_FALSE(matches_path_expression("/a/", path));
}

TEST(PathExpression, TakesASetForAnyOfItsLettersAndRanges) {
  const auto fits = [](const char* pattern, const char* name) {
    return matches_path_expression(pattern, *Path::parse(name));
  };
  // What stands before a range counts as well as what follows it.
  EXPECT_TRUE(fits("/[xa-c]", "/x"));
  EXPECT_TRUE(fits("/[xa-c]", "/b"));
  EXPECT_TRUE(fits("/[a-cx-z]", "/b"));
  EXPECT_TRUE(fits("/[a-cx-z]", "/y"));
  EXPECT_FALSE(fits("/[a-cx-z]", "/d"));
  // Nothing but '^' is negation.
  EXPECT_TRUE(fits("/[!a-cx-z]", "/b"));
  EXPECT_FALSE(fits("/[!a-cx-z]", "/d"));
  EXPECT_TRUE(fits("/[^a-cx-z]", "/d"));
  // The end of a range begins no other.
  EXPECT_FALSE(fits("/[a-c-e]", "/d"));
  EXPECT_TRUE(fits("/[a-c-e]", "/e"));
}

// So many may stand inside each other, and one more matches nothing.
TEST(PathExpression, KeepsToItsDepth) {
  const Path path = *Path::parse("/a");
  const auto nested = [](int depth) {
    return std::string(static_cast<std::size_t>(depth), '(') + "/a" +
           std::string(static_cast<std::size_t>(depth), ')');
  };
  EXPECT_TRUE(matches_path_expression(nested(64), path));
  EXPECT_FALSE(matches_path_expression(nested(65), path));
}

}  // namespace
}  // namespace sinew::geom::path_expression_test
