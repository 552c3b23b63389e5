// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/diagnostic.hpp"

#include <gtest/gtest.h>

#include <string>

#include "core/report.hpp"
#include "core/shown.hpp"

namespace sinew::diagnostic_test {
namespace {

TEST(Format, PrintsTextPositionsAsCompilersDo) {
  Diagnostic d;
  d.severity = Severity::error;
  d.code = "usda-syntax";
  d.message = "expected ')'";
  d.file = "arm.usda";
  d.line = 3;
  d.column = 14;

  EXPECT_EQ(format(d), "arm.usda:3:14: error: expected ')' [usda-syntax]");
}

TEST(Format, PrintsThePrimPathWhereThereIsNoTextPosition) {
  Diagnostic d;
  d.code = "skel-binding-api-missing";
  d.message = "the API is not applied";
  d.file = "arm.usda";
  d.path = "/Arm/Mesh";
  d.hint = "apply SkelBindingAPI";

  EXPECT_EQ(format(d),
            "arm.usda: </Arm/Mesh>: warning: the API is not applied (apply SkelBindingAPI) "
            "[skel-binding-api-missing]");
}

TEST(Format, PrintsThePrimPathBehindTheTextPosition) {
  Diagnostic d;
  d.severity = Severity::warning;
  d.message = "the API is not applied";
  d.file = "arm.usda";
  d.line = 3;
  d.path = "/Arm/Mesh";

  EXPECT_EQ(format(d), "arm.usda:3: warning: </Arm/Mesh>: the API is not applied");
}

TEST(Format, PrintsAPositionWithoutAFile) {
  Diagnostic d;
  d.severity = Severity::info;
  d.message = "a value";
  d.line = 3;
  EXPECT_EQ(format(d), "3: info: a value");
  d.column = 14;
  d.path = "/A";
  EXPECT_EQ(format(d), "3:14: info: </A>: a value");
  d.line = 0;
  EXPECT_EQ(format(d), "</A>: info: a value");
  d.path.clear();
  EXPECT_EQ(format(d), "info: a value");
}

TEST(Format, KeepsToOneLine) {
  Diagnostic diagnostic;
  diagnostic.file = "a\nb.usda";
  diagnostic.path = "/A\x1B[1m";
  diagnostic.message = "Tab\tand \x7F\r.";
  EXPECT_EQ(format(diagnostic), "a\\nb.usda: </A\\x1B[1m>: warning: Tab\\tand \\x7F\\r.");
}

TEST(Shown, CutsBetweenCharacters) {
  EXPECT_EQ(shown("a\nb"), "a?b");
  EXPECT_EQ(shown(std::string(200, 'a')), std::string(200, 'a'));
  EXPECT_EQ(shown(std::string(199, 'a') + "\u00E4"), std::string(199, 'a') + "...");
  EXPECT_EQ(shortened("abcd", 3), "abc...");
  EXPECT_EQ(shortened("abc", 3), "abc");
  EXPECT_EQ(shown("\x1F\x7F ~"), "?? ~");
  const std::string smile = "\U0001F600";
  for (std::size_t most = 0; most < 4; ++most) EXPECT_EQ(shortened(smile, most), "...") << most;
  for (std::size_t most = 4; most < 8; ++most) {
    EXPECT_EQ(shortened(smile + smile, most), smile + "...") << most;
  }
  // What is no text is cut near where it should be.
  EXPECT_EQ(shortened(std::string(20, '\x80'), 10), std::string(6, '\x80') + "...");
}

TEST(Count, CountsOneSeverity) {
  Diagnostics all(3);
  all[1].severity = Severity::error;

  EXPECT_EQ(count(all, Severity::error), 1u);
  EXPECT_EQ(count(all, Severity::warning), 2u);
}

TEST(Report, KeepsWhatItIsTold) {
  Diagnostics all;
  report(&all, Severity::error, "a-code", {"a.usda", 3, "/A.x"}, "A message.", "a hint");
  report(&all, Severity::info, "b-code", {}, "Another.");
  report(nullptr, Severity::info, "c-code", {}, "Nobody listens.");

  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(format(all[0]), "a.usda:3:1: error: </A.x>: A message. (a hint) [a-code]");
  EXPECT_EQ(all[1].line, 0u);
  EXPECT_EQ(all[1].column, 0u);
  EXPECT_EQ(all[1].severity, Severity::info);
}

TEST(Report, ShortensWhatIsLongerThanItsBounds) {
  Diagnostics all;
  const std::string path = "/" + std::string(999, 'a');
  report(&all, Severity::info, "code", {"", 0, path}, std::string(4000, 'm'));
  report(&all, Severity::info, "code", {"", 0, path + "b"}, std::string(4000, 'm') + "n");

  EXPECT_EQ(all[0].path, path);
  EXPECT_EQ(all[0].message, std::string(4000, 'm'));
  EXPECT_EQ(all[1].path, path + "...");
  EXPECT_EQ(all[1].message, std::string(4000, 'm') + "...");
}

TEST(Sentence, BeginsWithACapitalUnlessItIsAName) {
  EXPECT_EQ(sentence("cannot read it"), "Cannot read it.");
  EXPECT_EQ(sentence("zero, not one."), "Zero, not one.");
  EXPECT_EQ(sentence("a is none"), "A is none.");
  EXPECT_EQ(sentence("physics:mass is negative"), "physics:mass is negative.");
  EXPECT_EQ(sentence("faceVertexCounts is empty"), "faceVertexCounts is empty.");
  EXPECT_EQ(sentence("'a' is none"), "'a' is none.");
  EXPECT_EQ(sentence(" is none"), " is none.");
  EXPECT_EQ(sentence(", too"), ", too.");
  EXPECT_EQ(sentence("word"), "word.");
  EXPECT_EQ(sentence(""), ".");
}

TEST(InsideSentence, HasNoFullStop) {
  EXPECT_EQ(inside_sentence({ErrorCode::syntax, "It ends."}), "It ends");
  EXPECT_EQ(inside_sentence({ErrorCode::syntax, "It ends"}), "It ends");
}

}  // namespace
}  // namespace sinew::diagnostic_test
