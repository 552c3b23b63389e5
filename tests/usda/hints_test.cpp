// SPDX-License-Identifier: Apache-2.0
// Mistakes that people make, and what the messages advise.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "sinew/usda/parser.hpp"
#include "usda/unclosed_bracket.hpp"

namespace sinew::usda::hints_test {

using namespace layer;
namespace {

// Everything that is reported, one line each, without the name of the file.
std::string reports(const std::string& body, Rules rules = Rules::documented) {
  Diagnostics diagnostics;
  ParseOptions options;
  options.rules = rules;
  (void)parse("#usda 1.0\n" + body, "t", diagnostics, options);
  std::string lines;
  for (const Diagnostic& diagnostic : diagnostics) {
    lines += std::to_string(diagnostic.line) + ": " + diagnostic.message;
    if (!diagnostic.hint.empty()) lines += " -> " + diagnostic.hint;
    lines += '\n';
  }
  return lines;
}

TEST(Hints, UnknownFieldsCloseToKnownOnesAreReported) {
  EXPECT_EQ(reports("(\n    subLayrs = [@a.usda@]\n)\n"),
            "3: 'subLayrs' is not a known field of a layer. -> did you mean subLayers?\n");
  EXPECT_EQ(reports("def \"A\" (\n    apiSchema = [\"X\"]\n)\n{\n}\n"),
            "3: 'apiSchema' is not a known field of a prim. -> did you mean apiSchemas?\n");
  EXPECT_EQ(reports("def \"A\"\n{\n    float a (interploation = \"x\")\n}\n"),
            "4: 'interploation' is not a known field of an attribute."
            " -> did you mean interpolation?\n");
  EXPECT_EQ(reports("def \"A\"\n{\n    rel a (noloadHint = true)\n}\n"),
            "4: 'noloadHint' is not a known field of a relationship."
            " -> did you mean noLoadHint?\n");
}

TEST(Hints, UnknownFieldsThatCannotBeReadSayWhatMayBeMeant) {
  EXPECT_EQ(reports("(\n    subLayrs = [@a.usda@ (offset = 1)]\n)\n"),
            "3: Expected ',' or ']', found '('. -> did you mean subLayers?\n");
}

TEST(Hints, UnknownFieldsAreReportedOnce) {
  EXPECT_EQ(reports("def \"A\" (kinds = 1) {}\ndef \"B\" (kinds = 1) {}\n"),
            "2: 'kinds' is not a known field of a prim. -> did you mean kind?\n");
  // Nothing like it; known of other specs; known.
  const std::string text = "(\n    myField = 1\n)\ndef \"A\" (subLayerOffset = 1; doc = \"\") {}\n";
  EXPECT_EQ(reports(text),
            "3: 'myField' is not a known field of a layer.\n"
            "5: 'subLayerOffset' is not a known field of a prim.\n");
  EXPECT_EQ(reports(text, Rules::openusd), "");
}

TEST(Hints, UnknownFieldsAreReportedUpToAHundred) {
  std::string items;
  for (int i = 0; i < 101; ++i) items += "zz" + std::to_string(i) + " = 1\n";
  const std::string text = reports("def \"A\" (\n" + items + ") {}\n");
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 100);
  EXPECT_TRUE(text.ends_with("102: 'zz99' is not a known field of a prim.\n"));
}

// decisions, text
TEST(Hints, KindsThatAreNotKnownAreReportedOnce) {
  std::string known;
  for (const char* kind : {"assembly", "component", "group", "model", "subcomponent", ""}) {
    known += "def \"K" + std::to_string(known.size()) + "\" (kind = \"" + kind + "\") {}\n";
  }
  EXPECT_EQ(reports(known), "");
  const std::string text =
      "def \"A\" (kind = \"prop\") {}\ndef \"B\" (kind = \"prop\") {}\n"
      "def \"C\" (kind = \"set\") {}\n";
  EXPECT_EQ(reports(text), "2: 'prop' is not a kind.\n4: 'set' is not a kind.\n");
  EXPECT_EQ(reports(text, Rules::openusd), "");
}

TEST(Hints, WarningsNameThePropertyAndShowTheText) {
  Diagnostics diagnostics;
  (void)parse("#usda 1.0\ndef \"A\"\n{\n    float a (\n        unit = \"mm\"\n    )\n}\n", "t",
              diagnostics);
  ASSERT_EQ(diagnostics.size(), 1U);
  EXPECT_EQ(diagnostics[0].path, "/A.a");
  EXPECT_EQ(diagnostics[0].excerpt, "        unit = \"mm\"");
}

TEST(Hints, MetadataInABodyBelongsBeforeIt) {
  const std::string advice = " is metadata; it belongs in parentheses before the brace\n";
  EXPECT_EQ(reports("def \"A\"\n{\n    kind = \"component\"\n}\n"),
            "4: Expected a property, a prim, or '}', found 'kind'. -> 'kind'" + advice);
  EXPECT_EQ(reports("def \"A\"\n{\n    prepend apiSchemas = [\"X\"]\n}\n"),
            "4: Expected the name of an attribute, found '='. -> 'apiSchemas'" + advice);
  EXPECT_EQ(
      reports("def \"A\"\n{\n    instanceable=true\n}\n"),
      "4: Expected a blank before the name of an attribute, found '='. -> 'instanceable'" + advice);
  EXPECT_EQ(reports("def \"A\"\n{\n    append references = @a.usda@\n}\n"),
            "4: Expected a property, a prim, or '}', found 'references'. -> 'references'" + advice);
  // No '=' behind it.
  EXPECT_EQ(reports("def \"A\"\n{\n    kind \"component\"\n}\n"),
            "4: Expected a property, a prim, or '}', found 'kind'.\n");
  // No metadata of prims.
  EXPECT_EQ(reports("def \"A\"\n{\n    size = 1\n}\n"),
            "4: Expected the name of an attribute, found '='.\n");
}

TEST(Hints, UnclosedBracketsAreNamedByTheLineThatOpensThem) {
  EXPECT_EQ(reports("def \"A\" (\n    active = true\n{\n}\n\ndef \"B\" (active = true) {}\n"),
            "4: Expected the name of a metadata field, found '{'."
            " -> the '(' opened on line 2 is not closed\n");
  EXPECT_EQ(reports("def \"A\"\n{\n    int[] a = [1,\n        2\n    float b = 3\n}\n"),
            "6: Expected ',' or ']', found 'float'. -> the '[' opened on line 4 is not closed\n");
  EXPECT_EQ(reports("def \"A\"\n{\n    float3 a = (1, 2, 3\n    float b = 3\n}\n"),
            "4: Expected a tuple of 3 numbers. -> the '(' opened on line 4 is not closed\n");
  EXPECT_EQ(reports("def \"A\" (\n    customData = {\n        int a = 1\n)\n{\n}\n"),
            "5: Expected the type of a dictionary entry, found ')'."
            " -> the '{' opened on line 3 is not closed\n");
  EXPECT_EQ(reports("def \"A\"\n{\n    def \"B\"\n    {\n}\n"),
            "7: Expected a property, a prim, or '}', found the end of the file."
            " -> the '{' opened on line 3 is not closed\n");
  EXPECT_EQ(reports("def \"A\"\n{\n    rel r = [</A>, </B>\n    rel s = </C>\n}\n"),
            "5: Expected ',' or ']', found 'rel'. -> the '[' opened on line 4 is not closed\n");
}

TEST(Hints, BracketsThatAreClosedAreNotBlamed) {
  EXPECT_EQ(reports("def \"A\"\n{\n    int[] a = [1 2]\n}\n"),
            "4: Expected ',' or ']', found '2'.\n");
  EXPECT_EQ(reports("def \"A\"\n{\n    int[] a = [1, 2))]\n}\n"),
            "4: Expected ',' or ']', found ')'.\n");
  EXPECT_EQ(reports("def \"A\"\n{\n    float a = one\n"), "4: Expected a number, found 'one'.\n");
}

TEST(Hints, BracketsInTextDoNotCount) {
  const std::string text =
      "{ # (\n// [\n/* ( \n { */ \"(\" '[\\'(' \"\"\"(\n{\"\"\" @a(b@ @@@(@b@@@ </A{v=x}B.c[/D]> ";
  EXPECT_EQ(find_unclosed_bracket(text, text.data() + text.size()), text.data());
  const std::string closed = text + "}";
  EXPECT_EQ(find_unclosed_bracket(closed, closed.data() + text.size()), nullptr);
  EXPECT_EQ(find_unclosed_bracket("", ""), nullptr);
}

TEST(Hints, BracketsOfHostileDepthAreGivenUp) {
  const std::string deep(1'000'000, '(');
  EXPECT_EQ(find_unclosed_bracket(deep, deep.data() + 10), nullptr);
  const std::string shallow = std::string(100, '(') + std::string(1'000'000, ']');
  EXPECT_EQ(find_unclosed_bracket(shallow, shallow.data() + 10), shallow.data() + 9);
}

TEST(Hints, MissingQuotesAroundNamesAreNoticed) {
  const std::string found_quote = "2: Expected a blank before the name of a prim, found '\"'.";
  EXPECT_EQ(reports("def X\"\n{\n}\n"), found_quote + " -> a quote is missing before 'X'\n");
  EXPECT_EQ(reports("def X\" (active = true)\n{\n}\n"),
            found_quote + " -> a quote is missing before 'X'\n");
  EXPECT_EQ(reports("def Xform A\"\n{\n}\n"),
            "2: Expected a string in quotes, found 'A'. -> a quote is missing before 'A'\n");
  EXPECT_EQ(reports("def Xform A\n{\n}\n"),
            "2: Expected a string in quotes, found 'A'. -> put the name of the prim in quotes\n");
  EXPECT_EQ(reports("def X {\n}\n"),
            "2: Expected a string in quotes, found '{'. -> put the name of the prim in quotes\n");
  EXPECT_EQ(reports("def X\"A\"\n{\n}\n"), found_quote + "\n");
}

}  // namespace
}  // namespace sinew::usda::hints_test
