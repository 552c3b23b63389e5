// SPDX-License-Identifier: Apache-2.0
#include "layer/shared/path_expression_syntax.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace sinew::layer::path_expression_syntax_test {
namespace {

// The expression with absolute paths, or why it is none.
std::string absolute(std::string_view text, const char* anchor = "/W/M") {
  std::string result, reason;
  const bool good = absolute_path_expression(text, Path::from_trusted(anchor), result, reason);
  EXPECT_EQ(good, reason.empty()) << text;
  return good ? result : reason;
}

TEST(AbsolutePathExpression, BeginsEveryPatternAtTheRoot) {
  const std::pair<const char*, const char*> cases[] = {
      {"", ""},
      {"a", "/W/M/a"},
      {"a/b", "/W/M/a/b"},
      {"a.p", "/W/M/a.p"},
      {".", "/W/M"},
      {".//a", "/W/M//a"},
      {"..", "/W"},
      {"../a", "/W/a"},
      {"../../a", "/a"},
      {"../..", "/"},
      {"../../../a", "/a"},
      {"../../..", "/"},
      {"..//a", "/W//a"},
      {"../..//a", "//a"},
      {"*", "/W/M/*"},
      {"?a", "/W/M/?a"},
      {"[ab]c", "/W/M/[ab]c"},
      {".//", "/W/M//"},
      {"..//", "/W//"},
      {"{isa:Cube}", "/W/M/{isa:Cube}"},
      {"../{isa:Cube}", "/W/{isa:Cube}"},
      {"a{b c}.d{e}", "/W/M/a{b c}.d{e}"},
      {"/", "/"},
      {"/A/B.p", "/A/B.p"},
      {"//A", "//A"},
      {"a b", "/W/M/a /W/M/b"},
      {"a+b & /c-d", "/W/M/a+/W/M/b & /c-/W/M/d"},
      {"~ a", "~ /W/M/a"},
      {"~(~ a)", "~(~ /W/M/a)"},
      {"( a\t(b) )\n", "( /W/M/a\t(/W/M/b) )"},
      {"a \nb", "/W/M/a "},  // Nothing is read behind a line break.
      {"a\r\n)", "/W/M/a"},
      {"%_", "%_"},
      {"%:c", "%:c"},
      {"%:_", "%:_"},
      {"%/A/_b:c", "%/A/_b:c"},
      {"%..:c", "%/W:c"},
      {"%../B:c a", "%/W/B:c /W/M/a"},
      {"%../..:c - ~%../..:c", "~// - ~(~//)"},  // The root has no collections.
      {"%../../../B:c", "%../../../B:c"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(absolute(text), expected) << text;
  EXPECT_EQ(absolute("a ../b", "/"), "/a /b");
}

// What is read from the text of a path expression is read as the same again.
TEST(AbsolutePathExpression, TakesWhatTheGrammarHas) {
  for (const char* text : {"/",
                           "//",
                           "/A",
                           "/A//",
                           "//A",
                           "/A//B/C",
                           "/A.b",
                           "/A//B.c:d*",
                           "/*/A?/?",
                           "/A[a-c]x[!d_]*",
                           "/[ab]",
                           "/A-/B",
                           "/A.b[x-z]-/C",
                           "//{a}",
                           "/A{a}//{b}/C{d}.e{f}",
                           "//*.{a}",
                           "/{ a }",
                           "/A{a b\tand c or not not d and (not (e) or f)and g}",
                           "/A{android or nothing}",
                           "/A{not(a)}",
                           "/A{a:}",
                           "/A{a:b,c,,d}",
                           "/A{a:1,-2.5,1e5,2.5E-3,-inf,inf,true,false,'x',\"y\"}",
                           "/A{a:~!@#$%^&*-+=|\\.?/_}",
                           "/A{a:infinite,trues,-true}",
                           "/A{a:'} ) \\' \\\\ \\n \"'}",
                           "/A{a()}",
                           "/A{a ( b , c=d,e = 'f' )}",
                           "/A{a(b,)}",
                           "/A{a(not=b)}",
                           "/A{a(b=)}",
                           "/\u00E4"}) {
    EXPECT_EQ(absolute(text), text);
  }
}

TEST(AbsolutePathExpression, RefusesWhatTheGrammarHasNot) {
  for (const char* text : {" ",
                           "\t",
                           "\n",
                           "\n/A",
                           "/A\r/B",
                           "(/A\n)",
                           "/A +\n/B",
                           "/A/",
                           "/A/B/",
                           "/A///B",
                           "///",
                           "/A//.",
                           "/A.",
                           "/.a",
                           "//.a",
                           "/A.b//",
                           "//A.b/c",
                           "/A.b.c",
                           "/A:b",
                           "/B/../C",
                           "/A..b",
                           "./B",
                           "./",
                           ".B",
                           ".b:c",
                           "...",
                           "..B",
                           "../",
                           "../.b",
                           "..{a}",
                           "../...",
                           "~~/A",
                           "~ ~/A",
                           "/A[]",
                           "/A[a",
                           "/A[a b]",
                           "/A[^a]",
                           "/A[[a]]",
                           "/A{}",
                           "//{}",
                           "//{ }",
                           "/A{a",
                           "/A{foo(}",
                           "/A{\"x}",
                           "//{\"x\"}",
                           "//{not}",
                           "//{and}",
                           "//{a or}",
                           "//{a and and b}",
                           "//{inf}",
                           "//{true:a}",
                           "//{(isa:Cube}",
                           "//{isa:Cube)}",
                           "//{()}",
                           "//{isa:Cube strict=true}",
                           "//{isa:Cube}{isa:Cube}",
                           "//{a{b}c}",
                           "//{a:1x}",
                           "//{a:1.}",
                           "//{a:1.5e}",
                           "//{a:true/x}",
                           "//{a:'\\x'}",
                           "//{a:'\t'}",
                           "//{a:'b}",
                           "//{1}",
                           "//{a(b=c,d)}",
                           "//{a(b=c,)}",
                           "//{a(b c)}",
                           "//{a(true=b)}",
                           "%",
                           "%:1",
                           "%:a:b",
                           "%foo:bar",
                           "%_a",
                           "%_:a",
                           "%.:a",
                           "%/:a",
                           "%/A/:a",
                           "%/A.b:c",
                           "%/A/../B:c"}) {
    EXPECT_THAT(absolute(text), testing::HasSubstr("is not a path expression")) << text;
  }
}

TEST(AbsolutePathExpression, TellsWhereItFails) {
  const std::pair<const char*, int> cases[] = {
      {"a)", 1},   {"(a", 2},  {"()", 1},   {"a +", 3},  {"+a", 0},     {"~", 1},  {"a & & b", 4},
      {"a$", 1},   {"a~b", 1}, {"a(b)", 1}, {"[ab", 3},  {"a{b{c}", 3}, {"%:", 2}, {"%/A", 3},
      {"%/A:", 4}, {"% a", 1}, {"a%:c", 1}, {"a, b", 1}, {"}", 0},      {"]", 0}};
  for (const auto& [text, position] : cases) {
    EXPECT_EQ(absolute(text), "'" + std::string(text) +
                                  "' is not a path expression: it fails at "
                                  "position " +
                                  std::to_string(position) + ".");
  }
  const std::string open(65, '('), close(65, ')');
  EXPECT_EQ(absolute(open.substr(1) + "/a" + close.substr(1)),
            open.substr(1) + "/a" + close.substr(1));
  EXPECT_EQ(absolute(open + "/a" + close), "'" + open + "/a" + close.substr(0, 13) +
                                               "' is not a path expression: it fails at position "
                                               "65.");
}

TEST(AbsolutePathExpression, ReadsParenthesesInPredicatesToADepth) {
  const auto nested = [](std::size_t depth) {
    return "//{" + std::string(depth, '(') + "a" + std::string(depth, ')') + "}";
  };
  EXPECT_EQ(absolute(nested(64)), nested(64));
  EXPECT_THAT(absolute(nested(65)), testing::EndsWith("it fails at position 68."));
}

TEST(AbsolutePathExpression, TakesBlanksBeforeTheEndOfParentheses) {
  for (const char* text : {"//{(a ) and b}", "//{(a b )}", "//{not (a\t)}"}) {
    EXPECT_EQ(absolute(text), text);
  }
}

TEST(AbsolutePathExpression, RefusesArgumentsThatAreNoValues) {
  for (const char* text : {"//{a(1.)}", "//{a(b=1.)}", "//{a(1.5e)}", "//{a:1.,2}"}) {
    EXPECT_THAT(absolute(text), testing::HasSubstr("is not a path expression")) << text;
  }
}

// The expression with "/A" and what is below at `to`, and the root at "/R".
std::string moved(std::string_view text, const char* to) {
  const Path target = Path::from_trusted(to);
  PathExpressionEdit edit;
  edit.path = [&](const Path& path) {
    return path.is_root() ? Path::from_trusted("/R")
                          : path.replace_prefix(Path::from_trusted("/A"), target);
  };
  return edit_path_expression(text, edit).value_or("none");
}

TEST(EditPathExpression, MapsThePathThatAPatternBeginsWith) {
  const std::pair<const char*, const char*> cases[] = {
      {"/A", "/B/C"},         {"/A/x", "/B/C/x"},
      {"/A/x.p", "/B/C/x.p"}, {"/A.p", "/B/C.p"},
      {"/AB", "/AB"},         {"/A/*", "/B/C/*"},
      {"/A/x*", "/B/C/x*"},   {"/A/x?/y", "/B/C/x?/y"},
      {"/A/[x]", "/B/C/[x]"}, {"/A//x", "/B/C//x"},
      {"/A/{x}", "/B/C/{x}"}, {"/A{x}", "/R/A{x}"},
      {"/*", "/R/*"},         {"/", "/R"},
      {"//A", "//A"},         {"A", "A"},
      {"/A-/A", "/B/C-/B/C"}, {"~(/A /x)", "~(/B/C /x)"},
      {"%/A:c", "%/B/C:c"},   {"%/A/x:c", "%/B/C/x:c"},
      {"%:c", "%:c"},         {"%_", "%_"},
      {"/A $", "none"},       {"/A/", "none"},
      {"../A .", "../A ."},   {"..//A", "..//A"},
      {"/A\n/A", "/B/C"},     {"%../A:c", "%../A:c"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(moved(text, "/B/C"), expected) << text;
  EXPECT_EQ(moved("/A/x /A /A//x", "/"), "/x / //x");
  EXPECT_EQ(moved("~/A ~ %/A:c ~(/A)", ""), "~(~//) ~ (~//) ~(~//)");
  EXPECT_EQ(moved("/A + /x - /A.p & %/A:c", ""), "~// + /x - ~// & ~//");
}

TEST(EditPathExpression, PutsExpressionsInPlaceOfReferences) {
  std::string asked;
  const PathExpressionEdit edit = {
      .path = [](const Path&) { return Path::from_trusted("/P"); },
      .reference = [&](const Path& prim, std::string_view name) -> std::optional<std::string> {
        asked += prim.str() + ":" + std::string(name) + " ";
        if (name == "none") return std::string();
        if (name == "kept") return std::nullopt;
        return "/x /y";
      }};
  EXPECT_EQ(edit_path_expression("%_ & %/A:c - %:none + %/A/B:kept /A", edit),
            "(/x /y) & (/x /y) - ~// + %/A/B:kept /P");
  EXPECT_EQ(asked, ":_ /A:c :none /A/B:kept ");
}

TEST(EditPathExpression, DoesNotGrowWithoutBound) {
  const auto grown = [](std::size_t size) {
    PathExpressionEdit edit;
    edit.reference = [&](const Path&, std::string_view) {
      return std::optional(std::string(size, 'x'));
    };
    return edit_path_expression("%:c", edit).has_value();
  };
  EXPECT_TRUE(grown(1024 + 16 * 3 - 2));
  EXPECT_FALSE(grown(1024 + 16 * 3 - 1));
}

TEST(RefersToWeaker, IsAQuestionOfTheWord) {
  for (const char* text : {"%_", "a + %_", "%:_"}) EXPECT_TRUE(refers_to_weaker(text)) << text;
  for (const char* text : {"", "%", "_", "%:a_", "%/_:a"}) {
    EXPECT_FALSE(refers_to_weaker(text)) << text;
  }
}

}  // namespace
}  // namespace sinew::layer::path_expression_syntax_test
