// SPDX-License-Identifier: Apache-2.0
// Questions of the grammar that few files ask: what is read and what is refused.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "sinew/layer/compare.hpp"
#include "sinew/usda/parser.hpp"
#include "sinew/usda/writer.hpp"
#include "usda/grammar.hpp"

namespace sinew::usda::grammar_test {

using namespace layer;
using test::expect_read;
using test::expect_refused;
using test::in_prim;
using test::read;
using test::refusal;

namespace {

std::string with_metadata(const std::string& item) {
  return "def \"X\" (\n" + item + "\n)\n{\n}\n";
}

std::string in_variant(const std::string& contents) {
  return "def \"A\"\n{\nvariantSet \"v\" = {\n\"one\" {\n" + contents + "\n}\n}\n}\n";
}

// The only target of the first property of a prim.
std::string target_of(const std::string& body, std::string_view prim, Rules rules) {
  const LayerPtr layer = read(body, rules);
  if (layer == nullptr) return "refused";
  return layer->find_prim(prim)->properties[0].targets()->explicit_items.at(0).str();
}

TEST(Grammar, RelativeTargetsOfPrimsInVariantsAreRefusedIfASelectionIsLeft) {
  expect_refused({in_variant("def \"K\" {\nrel r = <../b>\n}"),
                  in_variant("def \"K\" {\nrel r = <.x>\n}"),
                  in_variant("def \"K\" {\nrel r = <../../..>\n}"),
                  in_variant("def \"K\" (inherits = <../b>) {}"),
                  in_variant("def \"K\" (prepend specializes = <../b>) {}"),
                  in_variant("def \"K\" {\ndef \"L\" {\nrel r = <..>\n}\n}")});
  const std::string above = in_variant("def \"K\" {\nrel r = <../..>\n}");
  EXPECT_EQ(target_of(above, "/A{v=one}K", Rules::openusd), "/A");
  EXPECT_EQ(target_of(above, "/A{v=one}K", Rules::documented), "/A");
  const std::string beside = in_variant("def \"K\" {\nrel r = <../../B.x>\n}");
  EXPECT_EQ(target_of(beside, "/A{v=one}K", Rules::openusd), "/A/B.x");
  const std::string inside = in_variant("def \"K\" {\nrel r = <../b>\n}");
  EXPECT_EQ(target_of(inside, "/A{v=one}K", Rules::documented), "/A/b");
}

TEST(Grammar, ConnectionsInVariantsAreAnchoredWithoutTheSelection) {
  const std::string text = in_variant("def \"K\" {\nfloat a.connect = <../b.y>\n}");
  EXPECT_EQ(target_of(text, "/A{v=one}K", Rules::openusd), "/A/b.y");
}

TEST(Grammar, RelativePathsDirectlyInAVariantAreRead) {
  EXPECT_EQ(target_of(in_variant("rel r = <../Y>"), "/A{v=one}", Rules::openusd), "/Y");
  const std::string nested = "variantSet \"w\" = {\n\"two\" (inherits = <../C>) {\n";
  const std::string text = in_variant(nested + "rel r = <../Y>\nfloat a.connect = <../Y.z>\n}\n}");
  EXPECT_EQ(target_of(text, "/A{v=one}{w=two}", Rules::openusd), "/Y");
  // What a variant of a prim inside a variant says is about that prim.
  expect_refused({in_variant("def \"K\" {\n" + nested + "}\n}\n}")});
}

TEST(Grammar, RelationshipsVaryIfTheirLastStatementSaysSo) {
  const std::pair<const char*, Variability> cases[] = {
      {"rel r", Variability::uniform},
      {"varying rel r", Variability::varying},
      {"rel r\nvarying rel r", Variability::varying},
      {"varying rel r\nrel r = </B>", Variability::uniform},
      {"varying rel r = </B>\nprepend rel r = </C>", Variability::uniform},
      {"prepend varying rel r = </B>\nappend varying rel r = </C>", Variability::varying},
  };
  for (const auto& [statements, expected] : cases) {
    const LayerPtr layer = read(in_prim(statements));
    ASSERT_NE(layer, nullptr) << statements;
    EXPECT_EQ(layer->find_prim("/X")->properties[0].variability, expected) << statements;
  }
}

TEST(Grammar, TargetsArePrimsAndProperties) {
  for (const char* path : {"</A>", "</A.b>", "</A.b[/C].d>", "<../B>", "<../B.c>", "<.c>"}) {
    expect_read({"def \"W\" {\n" + in_prim("rel r = " + std::string(path)) + "}\n",
                 "def \"W\" {\n" + in_prim("token o.connect = " + std::string(path)) + "}\n"});
  }
  for (const char* path :
       {"</A.b[/C]>", "</A.b[C]>", "</A.b[C].d>", "</A.b.mapper[/C].d>", "</A.b.mapper[/C]>",
        "</A.b.expression>", "</A.b[/C].d.expression>", "</A.b[/C].d[/E]>", "<.a[/B]>"}) {
    expect_refused({in_prim("rel r = " + std::string(path)),
                    in_prim("token o.connect = " + std::string(path))});
  }
}

TEST(Grammar, VariantSetsHaveTheNamesOfVariantSets) {
  expect_read({with_metadata("variantSets = [\"a\", \"1-b\", \"c|d\"]")});
  for (const char* name :
       {"\"a.b\"", "\"a b\"", "\"a:b\"", "\"a\\\"b\"", "'''a\nb'''", "\"\\x\""}) {
    expect_refused({with_metadata("variantSets = " + std::string(name)),
                    with_metadata("prepend variantSets = [" + std::string(name) + "]")});
  }
}

TEST(Grammar, ExpressionsThatSelectVariantsAreNotEmpty) {
  for (const char* text : {"", "a", "`x`", "`${V}`", "` `"}) {
    expect_read({with_metadata("variants = { string v = '" + std::string(text) + "' }")});
  }
  for (const char* text : {"``", "`", "`x", "x`", "a b"}) {
    expect_refused({with_metadata("variants = { string v = '" + std::string(text) + "' }")});
  }
}

TEST(Grammar, StructuralFieldsAreNotMetadataOfTheSpecsThatHaveThem) {
  for (const char* key :
       {"variantSetNames", "variantSelection", "inheritPaths", "primChildren", "primOrder",
        "propertyOrder", "specifier", "comment", "variantSetChildren"}) {
    const std::string item = std::string(key) + " = 1";
    expect_refused({with_metadata(item)});
  }
  expect_refused({with_metadata("prepend variantSetNames = [\"v\"]"),
                  with_metadata("variantSelection = { string a = \"b\" }")});
  for (const char* key : {"primChildren", "primOrder", "subLayerOffsets", "layerRelocates"}) {
    expect_refused({"(\n" + std::string(key) + " = 1\n)\n"});
  }
  for (const char* key : {"typeName", "variability", "connectionPaths", "connectionChildren"}) {
    expect_refused({in_prim("float a (" + std::string(key) + " = 1)")});
  }
  for (const char* key : {"variability", "targetPaths", "targetChildren"}) {
    expect_refused({in_prim("rel a (" + std::string(key) + " = 1)")});
  }
}

TEST(Grammar, StructuralFieldsOfOtherSpecsAreUnknownAndKept) {
  for (const char* key : {"connectionPaths", "targetPaths", "variability", "subLayerOffsets"}) {
    const LayerPtr layer = read(with_metadata(std::string(key) + " = \"x\""));
    ASSERT_NE(layer, nullptr) << key;
    EXPECT_NE(layer->find_prim("/X")->field(key), nullptr);
  }
  for (const char* key : {"primOrder", "specifier", "targetPaths", "inheritPaths"}) {
    expect_read({in_prim("float a (" + std::string(key) + " = 1)")});
  }
  expect_read({in_prim("rel a (connectionPaths = 1)"), in_prim("rel a (specifier = 1)"),
               "(\nspecifier = 1\n)\n"});
}

TEST(Grammar, ArrayEditsHaveSizesThatAreNotNegative) {
  for (const char* word : {"minsize", "maxsize", "resize"}) {
    const std::string edit = "int[] a = edit [" + std::string(word);
    expect_read({in_prim(edit + " 3]"), in_prim(edit + " 0]"), in_prim(edit + " -0]")});
    expect_refused({in_prim(edit + " -1]"), in_prim(edit + " -2147483649]"),
                    in_prim(edit + " 1.0]"), in_prim(edit + " -0.0]"), in_prim(edit + " 1e1]"),
                    in_prim(edit + " 9223372036854775808]")});
  }
  expect_read({in_prim("int[] a = edit [write 3 to [-0]; erase [-1]; append [-0]]")});
}

TEST(Grammar, CommentsAroundBracketsOfATypeChangeNothing) {
  for (const char* type : {"int[/* c */]", "int [ /* [] */ ]", "int /* a */ [/* b */ /* c */]"}) {
    const LayerPtr layer = read(in_prim(std::string(type) + " a = edit [append 1]\nint[] a"));
    ASSERT_NE(layer, nullptr) << type;
    EXPECT_EQ(layer->find_prim("/X")->properties[0].type_name.view(), "int[]");
  }
  const LayerPtr layer = read("def A /* c */ . /* d */ B \"X\" {}\n");
  ASSERT_NE(layer, nullptr);
  EXPECT_EQ(layer->find_prim("/X")->type_name.view(), "A.B");
}

TEST(Grammar, ListsOfWholeNumbersRefuseMoreThan64Bits) {
  expect_read({with_metadata("inactiveIds = [1, -9223372036854775808, 9223372036854775807]")});
  expect_refused({with_metadata("inactiveIds = [1, -9223372036854775809]"),
                  with_metadata("prepend inactiveIds = [9223372036854775808]"),
                  with_metadata("inactiveIds = [1, 99999999999999999999]")});
}

TEST(Grammar, IntegersAreWithinTheirType) {
  struct Range {
    std::string type, least, most, below, above;
  };
  const std::vector<Range> ranges = {
      {"uchar", "0", "255", "-1", "256"},
      {"int", "-2147483648", "2147483647", "-2147483649", "2147483648"},
      {"uint", "0", "4294967295", "-1", "4294967296"},
      {"int64", "-9223372036854775808", "9223372036854775807", "-9223372036854775809",
       "9223372036854775808"},
      {"uint64", "0", "18446744073709551615", "-1", "18446744073709551616"}};
  for (const Range& range : ranges) {
    const auto uses_of = [&](const std::string& number) {
      return std::vector<std::string>{
          in_prim(range.type + " a = " + number),
          in_prim(range.type + "[] a = [0, " + number + "]"),
          in_prim(range.type + " a.timeSamples = { 1: " + number + " }"),
          with_metadata("customLayerData = { " + range.type + " a = " + number + " }")};
    };
    for (const std::string& number : {range.least, range.most}) expect_read(uses_of(number));
    for (const std::string& number : {range.below, range.above}) expect_refused(uses_of(number));
  }
}

// The double that is the smallest integer of 64 bits is refused, the integer is not.
TEST(Grammar, DoublesAreCutToIntegersWithinTheirType) {  // usda 8.2
  expect_read({in_prim("int64 a = -9223372036854775808"),
               in_prim("int64 a = -9223372036854774784.0"),
               in_prim("int64 a = 9223372036854774784.0"), in_prim("int a = -2147483648.9"),
               in_prim("int a = 2147483647.9"), in_prim("uint a = -0.9"),
               in_prim("uchar[] a = [255.9, -0.9]"), in_prim("uint64 a = 18446744073709549568.0")});
  expect_refused({in_prim("int64 a = -9223372036854775809"),
                  in_prim("int64 a = -9223372036854775808.0"),
                  in_prim("int64[] a = [-9.223372036854775808e18]"),
                  in_prim("int64 a = 9223372036854775807.0"), in_prim("int a = -2147483649.0"),
                  in_prim("int a = 2147483648.0"), in_prim("uint a = -1.0"),
                  in_prim("uchar[] a = [256.0]"), in_prim("uint64 a = 18446744073709551615.0"),
                  with_metadata("inactiveIds = [-9.223372036854775808e18]")});
}

TEST(Grammar, AssetPathsInQuotesHaveNoControlCharactersEither) {  // usda 3.5
  expect_read({in_prim("asset a = \"a b\""), in_prim("asset a = \"\\xc3\\xa4\""),
               in_prim("asset[] a = [@a@, \"\", 'b\"c']"), in_prim("string a = \"a\\nb\""),
               with_metadata("assetInfo = { asset identifier = \"a\" }")});
  for (const char* text : {"\"a\\nb\"", "\"a\\x01\"", "\"a\\x7f\"", "\"\\xc2\\x85\"", "\"\\xff\"",
                           "\"\"\"a\nb\"\"\""}) {
    expect_refused({in_prim("asset a = " + std::string(text)),
                    in_prim("asset[] a = [@a@, " + std::string(text) + "]"),
                    in_prim("asset a.timeSamples = { 1: " + std::string(text) + " }"),
                    with_metadata("assetInfo = { asset identifier = " + std::string(text) + " }")});
  }
}

TEST(Grammar, PathExpressionsAreUtf8) {
  expect_read({in_prim("pathExpression a = \"/B//C\""), in_prim("string a = \"\\xff\"")});
  expect_refused({in_prim("pathExpression a = \"\\xff\"")});
}

TEST(Grammar, PathExpressionsMayBeEmptyAndHoldBlanks) {
  for (const char* expression :
       {"", " /A ", "( /A )", "( /A + ~ ( /B ) )", "~ /A", "/A\\n)", "/A{isa:Cube}//"}) {
    expect_read({in_prim("pathExpression a = \"" + std::string(expression) + "\"")});
  }
  for (const char* expression :
       {" ", "(", "( )", "( /A", "/A )", "~", "/A +", "\\n/A", "/A/", "./A", "~~/A", "/A.b.c",
        "/A[]", "/A{}", "/A{isa:Cube x=1}", "%A:b"}) {
    Diagnostics diagnostics;
    const auto layer =
        parse("#usda 1.0\n" + in_prim("pathExpression a = \"" + std::string(expression) + "\""),
              "t", diagnostics);
    EXPECT_FALSE(diagnostics.empty()) << expression;
  }
}

TEST(Grammar, PathExpressionsAreRelativeToTheirPrim) {
  const std::pair<const char*, const char*> cases[] = {
      {"foo", "/A/B/foo"},
      {"foo\\n/A", "/A/B/foo"},
      {".", "/A/B"},
      {".//foo", "/A/B//foo"},
      {"//foo", "//foo"},
      {"..", "/A"},
      {"../foo", "/A/foo"},
      {"../../foo", "/foo"},
      {"../..", "/"},
      {"../..//foo", "//foo"},
      {"../*", "/A/*"},
      {"*", "/A/B/*"},
      {"x.y", "/A/B/x.y"},
      {"../{isDefined}", "/A/{isDefined}"},
      {"a - ../b", "/A/B/a - /A/b"},
      {"%_", "%_"},
      {"%:c", "%:c"},
      {"%../q:r", "%/A/q:r"},
      {"%/q:r", "%/q:r"},
  };
  for (const auto& [written, expected] : cases) {
    const LayerPtr layer = read("def \"A\" {\ndef \"B\" {\npathExpression e = \"" +
                                std::string(written) + "\"\n}\n}\n");
    ASSERT_NE(layer, nullptr) << written;
    EXPECT_EQ(layer->find_prim("/A/B")->properties.front().default_value.text(), expected);
  }
}

TEST(Grammar, ListsOfPathExpressionsMeanOtherPrimsElsewhere) {
  const std::string e = "uniform pathExpression[] e = [\"foo\", \"bar//\"]\n";
  const LayerPtr layer = read("def \"A\" {\n" + e + "}\ndef \"B\" {\n" + e + "}\n");
  ASSERT_NE(layer, nullptr);
  const auto written = [&](const char* prim) {
    return write_value(layer->find_prim(prim)->properties.front().default_value);
  };
  EXPECT_EQ(written("/A"), "[\"/A/foo\", \"/A/bar//\"]");
  EXPECT_EQ(written("/B"), "[\"/B/foo\", \"/B/bar//\"]");
}

TEST(Grammar, ValuesOfUnknownTypesMayBeTheWordEdit) {
  expect_read({in_prim("foo a = edit"), in_prim("foo[] a = edit"),
               in_prim("foo a = edit (doc = \"d\")"), in_prim("int[] a = edit [append 1]")});
  expect_refused({in_prim("int a = edit [append 1]"), in_prim("foo a = edit [append 1]"),
                  in_prim("int a = edit")});
}

TEST(Grammar, CommentsEndAtALineFeedOnly) {
  expect_read(
      {"# c\r(\rframesPerSecond = bad\n", "// c\r}}}\ndef \"A\" {}\n", "# c\r\ndef \"A\" {}\r\n"});
  const LayerPtr layer = read(in_prim("int a = 1 # c\r int b = 2\nint c = 3"));
  ASSERT_NE(layer, nullptr);
  EXPECT_EQ(layer->find_prim("/X")->properties.size(), 2u);
}

TEST(Grammar, IntegersBeyond64BitsAreReportedInValuesOfEveryType) {
  for (const char* statement :
       {"double a = 18446744073709551616", "float a = -9223372036854775809",
        "half a = 18446744073709551616", "float2 a = (1, 99999999999999999999)",
        "double a.timeSamples = { 18446744073709551616: 1 }"}) {
    Diagnostics diagnostics;
    EXPECT_TRUE(parse("#usda 1.0\n" + in_prim(statement), "t", diagnostics)) << statement;
    ASSERT_EQ(diagnostics.size(), 1u) << statement;
    EXPECT_EQ(diagnostics[0].code, "usda-large-integer");
  }
  Diagnostics diagnostics;
  EXPECT_TRUE(parse("#usda 1.0\n" + in_prim("double a = 18446744073709551616.0\n"
                                            "uint64 b = 18446744073709551615\n"
                                            "double c = 00000000000000000000000001"),
                    "t", diagnostics));
  EXPECT_TRUE(diagnostics.empty());
}

TEST(Grammar, ReportsOfLargeIntegersAreCapped) {
  std::string text = "double[] a = [";
  for (int i = 0; i < 1000; ++i) text += "18446744073709551616, ";
  Diagnostics diagnostics;
  EXPECT_TRUE(parse("#usda 1.0\n" + in_prim(text + "1]"), "t", diagnostics));
  EXPECT_EQ(diagnostics.size(), 100u);
}

// A run that is read in bulk stops before such an integer, wherever the text ends behind it.
TEST(Grammar, LargeIntegersInArraysAreReportedAtEveryLevel) {
  for (const std::size_t padding : {0u, 20u, 40u, 60u, 80u, 100u, 200u}) {
    const std::string text =
        "#usda 1.0\n" +
        in_prim("half[] h = [5, 0, 5, 18446747037049551615, 5, 10, 1]" + std::string(padding, ' '));
    for (const SimdLevel level : supported_simd_levels()) {
      ParseOptions options;
      options.level = level;
      Diagnostics diagnostics;
      EXPECT_TRUE(parse(text, "t", diagnostics, options));
      ASSERT_EQ(diagnostics.size(), 1u) << to_string(level) << ", " << padding;
      EXPECT_EQ(diagnostics[0].column, 22u);
    }
  }
}

TEST(Grammar, ALoneCarriageReturnDoesNotEndTheFirstLine) {
  EXPECT_EQ(refusal("#usda 1.0\rdef \"A\" {}\n"), "usda-bad-header 1:10");
  EXPECT_EQ(refusal("#usda 1.0 words\r\rdef \"A\" {}\n"), "usda-bad-header 1:16");
  EXPECT_EQ(refusal("#usda 1.0\r"), "usda-bad-header 1:10");
  EXPECT_EQ(refusal("#usda 1.0\r\ndef \"A\" {}\r\n"), "read");
}

TEST(Grammar, VersionsAreTwoOrThreeNumbersUpTo255) {  // usda 2.1
  for (const auto& [text, version] : {std::pair{"#usda 1.0", 10},
                                      {"#usda 1.1", 11},
                                      {"#usda 1.2.255", 12},
                                      {"#usda   1.3\t(", 13},
                                      {"#usda 001.03.000 ", 13},
                                      {"#usda 1.1\r\n", 11}}) {
    Diagnostics diagnostics;
    const auto layer = parse(text, "t", diagnostics);
    ASSERT_TRUE(layer) << text;
    EXPECT_EQ((*layer)->version(), version) << text;
  }
  const std::string unsupported = " is not supported; 1.0 to 1.3 are.";
  for (const auto& [text, column, message] :
       {std::tuple<const char*, std::uint32_t, std::string>{"usda 1.0", 1,
                                                            "This is not a .usda file."},
        {"#usda", 1, "Expected a blank and a version after '#usda'."},
        {"#usda1.0", 1, "Expected a blank and a version after '#usda'."},
        {"#usda ", 7, "Malformed version."},
        {"#usda  1", 8, "Malformed version."},
        {"#usda 1.2.256", 7, "Malformed version."},
        {"#usda 256.0", 7, "Malformed version."},
        {"#usda 1.0.0.0", 7, "Malformed version."},
        {"#usda 1.0(", 7, "Malformed version."},
        {"#usda 255.0", 7, "Version 255.0.0" + unsupported},
        {"#usda 0.2", 7, "Version 0.2.0" + unsupported},
        {"#usda 1.4", 7, "Version 1.4.0" + unsupported},
        {"#usda 1.3.1", 7, "Version 1.3.1" + unsupported}}) {
    SCOPED_TRACE(text);
    Diagnostics diagnostics;
    EXPECT_FALSE(parse(text, "t", diagnostics));
    ASSERT_EQ(diagnostics.size(), 1u);
    EXPECT_EQ(diagnostics[0].code, "usda-bad-header");
    EXPECT_EQ(diagnostics[0].line, 1u);
    EXPECT_EQ(diagnostics[0].column, column);
    EXPECT_EQ(diagnostics[0].message, message);
    EXPECT_EQ(diagnostics[0].hint, "the first line must be '#usda 1.0'");
  }
}

TEST(Grammar, TheFirstLineMayHoldAnyBytesBehindTheVersion) {  // usda 2.1
  EXPECT_EQ(refusal("#usda 1.0 \xff\x80\ndef \"A\" {}\n"), "read");
  EXPECT_EQ(refusal("#usda 1.0 \xff"), "read");
  EXPECT_EQ(refusal("#usda 1.0 \xff\n#\x80\n"), "usda-invalid-utf8 2:2");
}

TEST(Grammar, WhatIsNamedTwiceOrIsNoNameIsReportedWhereItStands) {
  const std::string first = "#usda 1.0\n";
  EXPECT_EQ(refusal(first + with_metadata("variantSets = [\"a\", \"b\", \"a\"]")),
            "usda-duplicate-item 3:1");
  EXPECT_EQ(refusal(first + in_prim("variantSet \"a b\" = {}")), "usda-bad-name 4:12");
  EXPECT_EQ(refusal(first + in_prim("variantSet \"a\" = { \"b c\" {} }")), "usda-bad-name 4:20");
  EXPECT_EQ(refusal(first + with_metadata("prepend apiSchemas = []")), "usda-bad-list 3:22");
  EXPECT_EQ(refusal(first + with_metadata("delete inactiveIds = []")), "usda-bad-list 3:22");
}

TEST(Grammar, RelocatesCannotBeMetadataOfAVariant) {
  const std::string item = "relocates = { <a>: <b> }";
  const auto variant = [&](const std::string& metadata, const std::string& contents) {
    return "#usda 1.0\ndef \"A\"\n{\nvariantSet \"v\" = {\n\"one\" (\n" + metadata + "\n)\n{\n" +
           contents + "\n}\n}\n}\n";
  };
  EXPECT_EQ(refusal(variant(item, "")), "usda-syntax 6:1");
  const std::string below = variant("", "def \"B\" (\n" + item + "\n)\n{\n}");
  Diagnostics diagnostics;
  const Result<LayerPtr> layer = parse(below, "t", diagnostics);
  ASSERT_TRUE(layer);
  const auto& relocates = (*layer)->find_prim("/A{v=one}B")->extra->relocates;
  ASSERT_EQ(relocates.size(), 1U);
  EXPECT_EQ(relocates[0].source.view(), "/A/B/a");
  EXPECT_EQ(refusal(write(**layer)), "read");
  EXPECT_NE(write(**layer).find("relocates = {</A/B/a>: </A/B/b>}"), std::string::npos);
  EXPECT_EQ(refusal(variant("", "")), "read");
  EXPECT_EQ(refusal("#usda 1.0\n" + with_metadata(item)), "read");
}

TEST(Grammar, EditsThatListNoneEmptyTheirList) {  // usda 10
  const LayerPtr layer =
      read(with_metadata("prepend apiSchemas = [\"A\"]\nappend apiSchemas = [\"B\"]\n"
                         "prepend apiSchemas = None\ndelete inactiveIds = None"));
  ASSERT_NE(layer, nullptr);
  const PrimSpec& prim = *layer->find_prim("/X");
  ASSERT_EQ(prim.fields.size(), 1u);  // Alone they have no effect.
  const ListOp<Token>& schemas = *prim.field("apiSchemas")->as_token_list_op();
  EXPECT_FALSE(schemas.is_explicit);
  EXPECT_TRUE(schemas.prepended.empty());
  ASSERT_EQ(schemas.appended.size(), 1u);
  EXPECT_EQ(schemas.appended[0].view(), "B");
  for (const char* before :
       {"apiSchemas = [\"A\"]", "prepend apiSchemas = [\"A\"]", "apiSchemas = None"}) {
    const LayerPtr emptied =
        read(with_metadata(std::string(before) + "\nprepend apiSchemas = None"));
    ASSERT_NE(emptied, nullptr) << before;
    EXPECT_EQ(*emptied->find_prim("/X")->field("apiSchemas"), Value::token_list_op(ListOp<Token>()))
        << before;
    EXPECT_NE(read(write(*emptied).substr(10)), nullptr) << before;
  }
  const LayerPtr ids = read(with_metadata("inactiveIds = [1, 2]\nappend inactiveIds = None"));
  ASSERT_NE(ids, nullptr);
  EXPECT_EQ(*ids->find_prim("/X")->field("inactiveIds"), Value::list_op(ListOp<Value>()));
  for (const char* none : {"apiSchemas = None", "apiSchemas = []"}) {
    const LayerPtr cleared =
        read(with_metadata("prepend apiSchemas = [\"A\"]\n" + std::string(none)));
    ASSERT_NE(cleared, nullptr) << none;
    ListOp<Token> empty;
    empty.is_explicit = true;
    EXPECT_EQ(*cleared->find_prim("/X")->field("apiSchemas"), Value::token_list_op(empty)) << none;
  }
}

TEST(Grammar, EditsOfUnknownFieldsThatListNoneEmptyTheirList) {  // usda 10
  for (const char* edit : {"add", "append", "prepend", "delete", "reorder"}) {
    const std::string none = std::string(edit) + " foo = None";
    const LayerPtr alone = read(with_metadata(none));
    ASSERT_NE(alone, nullptr) << edit;
    EXPECT_EQ(alone->find_prim("/X")->field("foo"), nullptr) << edit;
    for (const std::string before : {"foo = [1, 2]", "foo = None", "append foo = [1, two]",
                                     "prepend foo = [(1, 2)]", "foo = { int a = 1 }"}) {
      const LayerPtr same = read(with_metadata(before + "\n" + none));
      ASSERT_NE(same, nullptr) << before << edit;
      const LayerPtr kept = read(with_metadata(before));
      const Value expected = before.starts_with(edit) ? Value::list_op(ListOp<Value>())
                                                      : *kept->find_prim("/X")->field("foo");
      EXPECT_EQ(*same->find_prim("/X")->field("foo"), expected) << before << edit;
    }
    const std::size_t column = std::string(edit).size() + 8;
    for (const char* list : {"[]", "[ ]", "[\n]"}) {
      EXPECT_EQ(refusal("#usda 1.0\n" + with_metadata(std::string(edit) + " foo = " + list)),
                "usda-bad-list 3:" + std::to_string(column))
          << edit << list;
    }
  }
  EXPECT_EQ(refusal("#usda 1.0\n" + with_metadata("foo = []")), "read");
}

TEST(Grammar, EditsOfUnknownFieldsThatAreNoListsHaveNoEffect) {
  for (const char* before : {"foo = 5", "foo = [1]", "foo = None", "foo = { int a = 1 }"}) {
    const LayerPtr edited = read(with_metadata(std::string(before) + "\nprepend foo = [2]"));
    ASSERT_NE(edited, nullptr) << before;
    const LayerPtr kept = read(with_metadata(before));
    EXPECT_EQ(*edited->find_prim("/X")->field("foo"), *kept->find_prim("/X")->field("foo"))
        << before;
  }
}

TEST(Grammar, EditsOfArraysStateThem) {
  const auto in_attribute = [](const std::string& item) {
    return in_prim("token a ( " + item + " )");
  };
  for (const char* edit : {"", "add ", "append ", "prepend ", "delete ", "reorder "}) {
    const LayerPtr layer = read(in_attribute(std::string(edit) + "allowedTokens = [\"x\", \"y\"]"));
    ASSERT_NE(layer, nullptr) << edit;
    const Value* value = find_field(layer->find_prim("/X")->properties[0].fields, "allowedTokens");
    ASSERT_NE(value, nullptr) << edit;
    EXPECT_EQ(write_value(*value), "[\"x\", \"y\"]") << edit;
  }
  expect_read(
      {with_metadata("prepend displayGroupOrder = [\"x\"]"), in_attribute("allowedTokens = []")});
  expect_refused(
      {in_attribute("prepend allowedTokens = None"), in_attribute("prepend allowedTokens = []"),
       in_attribute("prepend allowedTokens = \"x\""), in_attribute("prepend displayName = [\"x\"]"),
       in_attribute("prepend displayName = \"x\"")});
}

TEST(Grammar, PathsAndDictionariesAreNoValuesOfRegisteredFields) {
  for (const char* item : {"(defaultPrim = </World>)", "(upAxis = <>)", "(metersPerUnit = {})",
                           "(metersPerUnit = { int a = 1 })"}) {
    Diagnostics diagnostics;
    const Result<LayerPtr> layer = parse("#usda 1.0\n" + std::string(item), "t", diagnostics);
    ASSERT_TRUE(layer) << item;
    EXPECT_TRUE((*layer)->root().fields.empty()) << item;
    ASSERT_EQ(diagnostics.size(), 1U) << item;
    EXPECT_EQ(diagnostics[0].code, "usda-other-type") << item;
  }
  expect_read({with_metadata("active = </A>"), with_metadata("customData = </A>"),
               in_prim("int a ( hidden = {} )")});
  expect_refused({"(framesPerSecond = </A>)", "(framesPerSecond = {})", "(upAxis = </A B>)",
                  "(upAxis = { int })", with_metadata("apiSchemas = </A>"),
                  with_metadata("prepend apiSchemas = {}"), with_metadata("kind = </A>"),
                  with_metadata("specifier = </A>")});
}

TEST(Grammar, EmptySubLayersLeaveThoseBefore) {
  const LayerPtr layer = read("(\nsubLayers = [@a@]\nsubLayers = []\n)\n");
  ASSERT_NE(layer, nullptr);
  ASSERT_EQ(layer->sub_layers().size(), 1U);
  const LayerPtr replaced = read("(\nsubLayers = [@a@]\nsubLayers = [@b@, @c@]\n)\n");
  ASSERT_NE(replaced, nullptr);
  ASSERT_EQ(replaced->sub_layers().size(), 2U);
  EXPECT_EQ(replaced->sub_layers()[0].asset.view(), "b");
}

TEST(Grammar, TheRestOfTheFirstLineMayHoldAnyBytes) {
  EXPECT_EQ(refusal("#usda 1.0 \xFF\xC3\ndef \"A\" {}\n"), "read");
  EXPECT_EQ(refusal("#usda 1.0 \xFF"), "read");
  EXPECT_EQ(refusal("#usda 1.0 \xFF\ndef \"\xC3\xA4\" {}\n# \xFF\n"), "usda-invalid-utf8 3:3");
  EXPECT_EQ(refusal("#usda 1.0\n\xFF"), "usda-invalid-utf8 2:1");
}

TEST(Grammar, WordsMayBeginAsNumbersDo) {
  for (const char* text :
       {"nan1", "inf2", "inf_", "[\"x\", nan1]", "(inf2, 1)", "nano", "info", "infinite",
        "nan\xC3\xA9", "None\xC3\xA9", "[nano, inf]", "(nan, info, -inf)", "inf"}) {
    const LayerPtr layer = read(in_prim("foo a = " + std::string(text)));
    ASSERT_NE(layer, nullptr) << text;
    const Value& value = layer->find_prim("/X")->properties[0].default_value;
    EXPECT_EQ(value.type(), ElementType::unregistered) << text;
    EXPECT_EQ(value.text(), text);
  }
  expect_refused({in_prim("foo a = -info"), in_prim("foo a = 1.5abc"), in_prim("foo a = 1abc"),
                  in_prim("int a = None\xC3\xA9"), in_prim("custom\xC3\xA9 int a")});
  const LayerPtr layer = read(with_metadata("kind\xC3\xA9 = 1"));
  ASSERT_NE(layer, nullptr);
  EXPECT_NE(layer->find_prim("/X")->field("kind\xC3\xA9"), nullptr);
}

TEST(Grammar, PropertiesAndReferencesKnowTheLineThatStatesThemFirst) {
  const LayerPtr layer =
      read("def \"X\" (\nreferences = [@a@,\n@b@]\n)\n{\nfloat a = 1\nfloat a = 2\n}\n");
  ASSERT_NE(layer, nullptr);
  const PrimSpec& prim = *layer->find_prim("/X");
  EXPECT_EQ(prim.properties[0].line, 7U);
  const std::vector<Reference>& references = prim.extra->references.explicit_items;
  ASSERT_EQ(references.size(), 2U);
  EXPECT_EQ(references[0].line, 3U);
  EXPECT_EQ(references[1].line, 4U);
}

TEST(Grammar, PropertiesAreDeclaredOneWay) {
  const std::string first = "#usda 1.0\n";
  EXPECT_EQ(refusal(first + in_prim("float a\ndouble a")), "usda-redefinition 5:8");
  EXPECT_EQ(refusal(first + in_prim("float a\nuniform float a")), "usda-redefinition 5:15");
  EXPECT_EQ(refusal(first + in_prim("uniform float a\nfloat a")), "usda-redefinition 5:7");
  EXPECT_EQ(refusal(first + in_prim("rel a\nfloat a")), "usda-redefinition 5:1");
  EXPECT_EQ(refusal(first + in_prim("float a\nrel a")), "usda-redefinition 5:1");
  EXPECT_EQ(refusal(first + in_prim("uniform float a\nconfig float a")), "read");
}

TEST(Grammar, AttributesOfUnknownTypesHaveOneSample) {
  const LayerPtr layer = read(in_prim("foo a.timeSamples = { 1: b }"));
  ASSERT_NE(layer, nullptr);
  const TimeSamples& samples = *layer->find_prim("/X")->properties[0].time_samples();
  ASSERT_EQ(samples.values.size(), 1U);
  EXPECT_EQ(samples.values[0].text(), "b");
  EXPECT_EQ(refusal("#usda 1.0\n" + in_prim("foo a.timeSamples = { 1: b, 2: c }")),
            "usda-bad-value 4:33");
}

TEST(Grammar, SamplesHaveATime) {
  EXPECT_EQ(refusal("#usda 1.0\n" + in_prim("float a.timeSamples = { : 1 }")), "usda-syntax 4:25");
}

TEST(Grammar, ArcsLeadToPrims) {
  for (const char* path : {"<A B>", "<.>", "</A.b>", "</A{v=x}>", "</A{v=x}B>"}) {
    for (const char* key : {"inherits = ", "specializes = ", "references = ", "payload = "}) {
      EXPECT_EQ(refusal("#usda 1.0\n" + with_metadata(std::string(key) + path)).substr(0, 15),
                "usda-bad-path 3")
          << key << path;
    }
  }
  expect_refused({with_metadata("references = <A>"), with_metadata("payload = @p@<A>")});
  expect_read({with_metadata("inherits = <A>"), with_metadata("references = <>")});
}

TEST(Grammar, ListsOfWholeNumbersKeepTheirItems) {  // usda 10
  const LayerPtr layer =
      read(with_metadata("delete inactiveIds = [7, -8]\nappend inactiveIds = [9]"));
  ASSERT_NE(layer, nullptr);
  const ListOp<Value>& ids = *layer->find_prim("/X")->field("inactiveIds")->as_list_op();
  EXPECT_FALSE(ids.is_explicit);
  ASSERT_EQ(ids.deleted.size(), 2U);
  EXPECT_EQ(ids.deleted[0].get<std::int64_t>(), 7);
  EXPECT_EQ(ids.deleted[1].get<std::int64_t>(), -8);
  ASSERT_EQ(ids.appended.size(), 1U);
  EXPECT_EQ(ids.appended[0].get<std::int64_t>(), 9);
  EXPECT_TRUE(ids.prepended.empty());
}

TEST(Grammar, ListsThatRepeatAnItemAreDropped) {
  for (const char* item :
       {"inactiveIds = [1, 2, 1]", "apiSchemas = [\"A\", \"A\"]", "delete inactiveIds = [3, 3]"}) {
    Diagnostics diagnostics;
    const Result<LayerPtr> layer = parse("#usda 1.0\n" + with_metadata(item), "t", diagnostics);
    ASSERT_TRUE(layer) << item;
    EXPECT_TRUE((*layer)->find_prim("/X")->fields.empty()) << item;
    ASSERT_EQ(diagnostics.size(), 1U) << item;
    EXPECT_EQ(diagnostics[0].code, "usda-repeated-item") << item;
  }
}

TEST(Grammar, OnlyListsCanBeEdited) {
  for (const char* item :
       {"kind = \"group\"", "variants = { string v = \"a\" }", "relocates = { <a>: <b> }",
        "prefixSubstitutions = { \"a\": \"b\" }", "doc = \"x\"", "permission = public",
        "symmetryFunction = f", "active = true", "customData = {}", "hidden = [true]"}) {
    expect_refused({with_metadata("prepend " + std::string(item))});
  }
  EXPECT_EQ(refusal("#usda 1.0\n" + with_metadata("append hidden = true")), "usda-bad-field 3:17");
  EXPECT_EQ(refusal("#usda 1.0\n" + with_metadata("append hidden = [true]")),
            "usda-bad-field 3:17");
  EXPECT_EQ(refusal("#usda 1.0\n" + with_metadata("apiSchemas = \"A\"")), "usda-syntax 3:14");
}

TEST(Grammar, PermissionsAndDisplayUnitsAreWordsOfTheirSpecs) {
  expect_refused({"(permission = public)\n", "(symmetryFunction = f)\n",
                  with_metadata("displayUnit = mm"), in_prim("rel r (displayUnit = mm)"),
                  with_metadata("permission = protected")});
  expect_read({in_prim("rel r (permission = private)"), in_prim("float a (displayUnit = mm)")});
  EXPECT_EQ(refusal("#usda 1.0\n" + in_prim("float a (displayUnit = foo)")), "usda-bad-value 4:24");
}

TEST(Grammar, FramesPerSecondArePositive) {
  expect_refused(
      {"(framesPerSecond = 0)\n", "(framesPerSecond = -24)\n", "(framesPerSecond = nan)\n"});
  expect_read(
      {"(framesPerSecond = 0.5)\n", "(timeCodesPerSecond = 0)\n", "(metersPerUnit = -1)\n"});
}

TEST(Grammar, TheFieldTypeNameIsTheTypeOfThePrim) {
  const LayerPtr layer = read("def Xform \"X\" (\ntypeName = \"Mesh\"\n)\n{\n}\n");
  ASSERT_NE(layer, nullptr);
  EXPECT_EQ(layer->find_prim("/X")->type_name.view(), "Mesh");
  EXPECT_TRUE(layer->find_prim("/X")->fields.empty());
}

TEST(Grammar, RegisteredFieldsThatAreNoListsCannotBeNone) {  // usda 13
  EXPECT_EQ(refusal("#usda 1.0\n(\nupAxis = None\n)\n"), "usda-bad-value 3:10");
  EXPECT_EQ(refusal("#usda 1.0\n(\nmetersPerUnit = None\n)\n"), "usda-bad-value 3:17");
  EXPECT_EQ(refusal("#usda 1.0\n" + with_metadata("active = None")), "usda-bad-value 3:10");
}

TEST(Grammar, SubstitutionsAreDictionariesOfStrings) {
  const LayerPtr layer =
      read(with_metadata("prefixSubstitutions = { \"l\": \"r\", \"m\": \"n\" }\n"
                         "suffixSubstitutions = {}"));
  ASSERT_NE(layer, nullptr);
  const PrimSpec& prim = *layer->find_prim("/X");
  const auto* entries = prim.field("prefixSubstitutions")->as_dictionary();
  ASSERT_NE(entries, nullptr);
  ASSERT_EQ(entries->size(), 2U);
  EXPECT_EQ((*entries)[0].key.view(), "l");
  EXPECT_EQ((*entries)[0].type_name.view(), "string");
  EXPECT_EQ((*entries)[0].value.text(), "r");
  EXPECT_EQ((*entries)[1].key.view(), "m");
  EXPECT_EQ((*entries)[1].value.text(), "n");
  EXPECT_TRUE(prim.field("suffixSubstitutions")->as_dictionary()->empty());
  for (const char* text :
       {"{ l: \"r\" }", "{ : \"r\" }", "{ \"l\" \"r\" }", "{ \"l\": r }", "\"l\""}) {
    expect_refused({with_metadata("prefixSubstitutions = " + std::string(text))});
  }
}

TEST(Grammar, SelectionsOfVariantsAreStrings) {
  for (const char* entry :
       {"string[] v = [\"a\"]", "token v = \"a\"", "int v = 1", "dictionary v = {}"}) {
    EXPECT_EQ(refusal("#usda 1.0\n" + with_metadata("variants = { " + std::string(entry) + " }")),
              "usda-bad-variant 3:12")
        << entry;
  }
}

// The default value of the first property, with the layer that holds its texts; no value if the
// text is refused.
struct DefaultOf {
  explicit DefaultOf(const std::string& statement) : layer(read(in_prim(statement))) {
    if (layer != nullptr) value = layer->find_prim("/X")->properties[0].default_value;
  }

  LayerPtr layer;
  Value value;
};

TEST(Grammar, BoolsAreWordsOfFourKindsOrNumbers) {  // usda 8.2
  for (const char* text : {"true", "TRUE", "Yes", "\"yes\"", "'1'", "1", "nan", "-0.5"}) {
    EXPECT_EQ(DefaultOf("bool b = " + std::string(text)).value.get<bool>(), true) << text;
  }
  for (const char* text : {"false", "False", "no", "\"NO\"", "'0'", "\"false\"", "0", "-0.0"}) {
    EXPECT_EQ(DefaultOf("bool b = " + std::string(text)).value.get<bool>(), false) << text;
  }
  for (const char* text : {"on", "off", "\"\"", "\"2\"", "\"true \"", "tru", "(true)"}) {
    EXPECT_EQ(refusal("#usda 1.0\n" + in_prim("bool b = " + std::string(text))), "usda-syntax 4:10")
        << text;
  }
}

TEST(Grammar, StringsThatNameNumbersAreThreeWords) {
  EXPECT_EQ(DefaultOf("float a = \"-inf\"").value.get<float>(),
            -std::numeric_limits<float>::infinity());
  for (const char* text : {"\"1\"", "\"\"", "\"infinity\"", "\"nan1\"", "\"-nan\"", "\" inf\""}) {
    for (const char* type : {"half", "float", "double"}) {
      EXPECT_EQ(refusal("#usda 1.0\n" + in_prim(std::string(type) + " a = " + text)).substr(0, 16),
                "usda-bad-value 4")
          << type << text;
    }
  }
}

TEST(Grammar, TuplesMayEndWithAComma) {
  EXPECT_EQ(DefaultOf("float2 a = (1, 2,)").value.get<Vector2f>()->y(), 2.0F);
  for (const char* text : {"(1, 2, 3)", "(1, 2, 3,)", "(1,)", "(1, 2,,)", "(,1, 2)", "()"}) {
    expect_refused({in_prim("float2 a = " + std::string(text))});
  }
}

TEST(Grammar, ValuesOfAnyTypeMayBePaths) {
  for (const char* type : {"float", "int[]", "string", "foo"}) {
    const DefaultOf path(std::string(type) + " a = </A.b>");
    EXPECT_EQ(path.value.type(), ElementType::path) << type;
    EXPECT_EQ(path.value.text(), "/A.b") << type;
  }
  for (const char* text : {"<A B>", "<.>"}) {
    EXPECT_EQ(refusal("#usda 1.0\n" + in_prim("int a = " + std::string(text))),
              "usda-bad-path 4:9");
  }
}

TEST(Grammar, AttributesWithoutValuesTakeNone) {
  for (const char* type : {"opaque", "group"}) {
    expect_read({in_prim(std::string(type) + " a"), in_prim(std::string(type) + " a = None")});
    for (const char* text : {"1", "word", "\"x\"", "[1]"}) {
      EXPECT_EQ(refusal("#usda 1.0\n" + in_prim(std::string(type) + " a = " + text)).substr(0, 16),
                "usda-bad-value 4")
          << type << text;
    }
  }
}

TEST(Grammar, TuplesAndListsOfUnknownTypesHoldNoPaths) {
  expect_refused({in_prim("foo a = ([1])"), in_prim("foo a = (</A>)"), in_prim("foo a = [</A>]"),
                  in_prim("foo a = [1, (2, [3])]"), in_prim("foo a = [[]]")});
  EXPECT_EQ(DefaultOf("foo a = [(1, (2, x)), [3]]").value.text(), "[(1, (2, x)), [3]]");
}

TEST(Grammar, EntriesOfDictionariesHaveTypesAndKeys) {
  const std::string before = "#usda 1.0\ndef \"X\" (\ncustomData = { ";
  const std::string after = " }\n)\n{\n}\n";
  EXPECT_EQ(refusal(before + "foo a = 1" + after), "usda-bad-dictionary 3:16");
  EXPECT_EQ(refusal(before + "foo[] a = [1]" + after), "usda-bad-dictionary 3:16");
  EXPECT_EQ(refusal(before + "opaque a = 1" + after), "usda-bad-dictionary 3:16");
  EXPECT_EQ(refusal(before + "int = 1" + after), "usda-syntax 3:20");
  EXPECT_EQ(refusal(before + "int 1 = 1" + after), "usda-syntax 3:20");
  EXPECT_EQ(refusal(before + "int [ ] \"1\" = [ 1 ]" + after), "read");
}

TEST(Grammar, EditsOfArraysAreOfEightWords) {
  expect_refused({in_prim("int[] a = edit [ grow 1 ]"), in_prim("int[] a = edit [ 1 ]"),
                  in_prim("int[] a = edit [ append [x] ]"),
                  in_prim("int[] a = edit [ append [ ] ]"), in_prim("int[] a = edit"),
                  in_prim("int a = edit [ append 1 ]")});
}

TEST(Grammar, UnknownFieldsKeepTheItemsOfTheirEdits) {
  const LayerPtr layer = read(with_metadata("foo = None\nprepend bar = [1, x, (2, 3)]"));
  ASSERT_NE(layer, nullptr);
  const PrimSpec& prim = *layer->find_prim("/X");
  EXPECT_EQ(prim.field("foo")->type(), ElementType::unregistered);
  EXPECT_EQ(prim.field("foo")->text(), "None");
  const ListOp<Value>& bar = *prim.field("bar")->as_list_op();
  ASSERT_EQ(bar.prepended.size(), 3U);
  EXPECT_EQ(bar.prepended[0].text(), "1");
  EXPECT_EQ(bar.prepended[1].text(), "x");
  EXPECT_EQ(bar.prepended[2].text(), "(2, 3)");
}

// The default value of an attribute as text, or the refusal.
std::string text_of(const std::string& type, const std::string& literal) {
  const DefaultOf read(type + " s = " + literal);
  return read.value.has_value() ? std::string(*read.value.text())
                                : refusal("#usda 1.0\n" + in_prim(type + " s = " + literal));
}

TEST(Grammar, StringsEndAtTheirFirstQuoteWithoutABackslash) {  // usda 3.4
  const std::pair<const char*, const char*> cases[] = {
      {R"("")", ""},
      {R"('')", ""},
      {R"("""""")", ""},
      {R"("a'b")", "a'b"},
      {R"('a"b')", "a\"b"},
      {R"("a\"b")", "a\"b"},
      {R"("a\\")", "a\\"},
      {R"("\\\"")", "\\\""},
      {R"("a\'b")", "a'b"},
      {R"("""a"b""c""")", "a\"b\"\"c"},
      {R"("""\"""")", "\""},
      {"'''a\nb\r\nc'''", "a\nb\r\nc"},
      {R"('''it's''')", "it's"},
      {R"("a\tb\x41\101")", "a\tbAA"},
  };
  for (const auto& [literal, expected] : cases) {
    EXPECT_EQ(text_of("string", literal), expected) << literal;
  }
  for (const char* literal :
       {"\"a\nb\"", "'a\rb'", "\"a\\\nb\"", R"("a\")", R"('''\''')", "'''a''", "'a\""}) {
    EXPECT_EQ(text_of("string", literal), "usda-unterminated-string 4:12") << literal;
  }
  expect_refused({in_prim(R"(string s = """"a"""")")});
}

TEST(Grammar, AssetPathsEndAtTheirLastThreeSigns) {  // usda 3.5
  const std::pair<const char*, const char*> cases[] = {
      {"@@", ""},
      {"@a b@", "a b"},
      {"@a\\@", "a\\"},
      {"@@@a@@@", "a"},
      {"@@@a@b@@c@@@", "a@b@@c"},
      {"@@@a@@@@", "a@"},
      {"@@@a@@@@@", "a@@"},
      {"@@@@a@@@", "@a"},
      {"@@@a\\@@@b@@@", "a@@@b"},
      {"@@@\\@@@@@@", "@@@"},
      {"@@@a\\b@@@", "a\\b"},
      {"@@@a\\@@b@@@", "a\\@@b"},
  };
  for (const auto& [literal, expected] : cases) {
    EXPECT_EQ(text_of("asset", literal), expected) << literal;
  }
  for (const char* literal : {"@a", "@a\n@", "@a\r@", "@@@a@@", "@@@a\n@@@", "@@@a\\@@@"}) {
    EXPECT_EQ(text_of("asset", literal), "usda-unterminated-asset 4:11") << literal;
  }
}

TEST(Grammar, TypesOfPrimsAreJoinedByDots) {
  const std::pair<const char*, const char*> cases[] = {
      {"def A", "A"}, {"def A.B.C", "A.B.C"}, {"def A . B::C", "A.B::C"}, {"def __AnyType__", ""},
      {"def", ""},
  };
  for (const auto& [start, expected] : cases) {
    const LayerPtr layer = read(std::string(start) + " \"X\" {\n}\n");
    ASSERT_NE(layer, nullptr) << start;
    EXPECT_EQ(layer->find_prim("/X")->type_name.view(), expected) << start;
  }
  expect_refused({"def A. \"X\" {\n}\n", "def .A \"X\" {\n}\n", "def A..B \"X\" {\n}\n"});
  const LayerPtr layer = read("def \"A\" {\n}\nover \"B\" {\n}\nclass \"C\" {\n}\n");
  ASSERT_NE(layer, nullptr);
  EXPECT_EQ(layer->find_prim("/A")->specifier, Specifier::def);
  EXPECT_EQ(layer->find_prim("/B")->specifier, Specifier::over);
  EXPECT_EQ(layer->find_prim("/C")->specifier, Specifier::class_);
}

TEST(Grammar, BracesOfPrimsAndVariantSetsEndTheirLine) {  // usda 2.5
  expect_refused({in_prim("def \"B\" {\n};"), in_prim("variantSet \"v\" = { \"a\" {\n} };"),
                  in_prim("def \"B\" {\n} int a")});
  expect_read(
      {in_prim("def \"B\" {\n} # end"), in_prim("variantSet \"v\" = { \"a\" {\n} } /* end */")});
}

TEST(Grammar, VariantsKnowTheLineThatStatesThemFirst) {
  const LayerPtr layer =
      read(in_prim("variantSet \"v\" = {\n\"one\" {\n}\n\"two\" {\n}\n\"one\" {\n}\n}"));
  ASSERT_NE(layer, nullptr);
  EXPECT_EQ(layer->find_prim("/X{v=one}")->line, 5U);
  EXPECT_EQ(layer->find_prim("/X{v=two}")->line, 7U);
}

TEST(Grammar, ErrorsNameTheInnermostPrimThatIsOpen) {
  const auto path_of_error = [](const std::string& body) {
    Diagnostics diagnostics;
    EXPECT_FALSE(parse("#usda 1.0\n" + body, "t", diagnostics)) << body;
    return diagnostics.back().path;
  };
  EXPECT_EQ(path_of_error("def \"A\" {\n}\ndef \"B\" {\n!\n}\n"), "/B");
  EXPECT_EQ(path_of_error("def \"A\" {\ndef \"B\" {\n}\n!\n}\n"), "/A");
  EXPECT_EQ(path_of_error(in_variant("!")), "/A{v=one}");
  EXPECT_EQ(path_of_error(in_variant("def \"K\" {\n}\nint i = x")), "/A{v=one}.i");
}

TEST(Grammar, ExcerptsAreSixtyBytesAroundTheError) {
  Diagnostics diagnostics;
  const std::string before(40, ' ');
  const std::string after(50, 'y');
  EXPECT_FALSE(parse("#usda 1.0\n" + before + "!" + after + "\n", "t", diagnostics));
  ASSERT_EQ(diagnostics.size(), 1U);
  EXPECT_EQ(diagnostics[0].excerpt, before.substr(0, 30) + "!" + after.substr(0, 29));
  EXPECT_FALSE(parse("#usda 1.0\n  !\ty\n", "t", diagnostics));
  EXPECT_EQ(diagnostics.back().excerpt, "  ! y");
}

TEST(Grammar, RelocatesLeadFromPrimsToPrimsOrNowhere) {
  const LayerPtr layer = read("(\nrelocates = {\n<A>: <B>,\n</A/C>: <>\n}\n)\n");
  ASSERT_NE(layer, nullptr);
  const auto& relocates = layer->relocates();
  ASSERT_EQ(relocates.size(), 2U);
  EXPECT_EQ(relocates[0].source.view(), "/A");
  EXPECT_EQ(relocates[0].target.view(), "/B");
  EXPECT_EQ(relocates[1].source.view(), "/A/C");
  EXPECT_TRUE(relocates[1].target.empty());
  for (const char* bad : {"<>", "<.>", "</A.b>", "</A{v=x}B>", "<A B>"}) {
    EXPECT_EQ(refusal("#usda 1.0\n(\nrelocates = { " + std::string(bad) + ": </B> }\n)\n"),
              "usda-bad-path 3:15")
        << bad;
  }
  expect_read({"(\nrelocates = {}\n)\n"});
  expect_refused({"(\nrelocates = { </A> }\n)\n", "(\nrelocates = { </A>: </B.c> }\n)\n"});
}

// As OpenUSD reads them.
TEST(Grammar, RelocatesThatLeadAboveTheRootLeadNowhere) {
  Diagnostics diagnostics;
  const auto made = parse(
      "#usda 1.0\n(\nrelocates = {\n<../A>: <B>,\n</A/C>: <../../D>,\n<..>: <..>,\n<E>: <F>\n}\n)\n"
      "def \"P\" { def \"Q\" (relocates = { <../../../A>: <B>, <../R>: <../..> }) {\n}\n}\n",
      "t", diagnostics);
  ASSERT_TRUE(made);
  using Pairs = std::vector<std::pair<std::string, std::string>>;
  const auto pairs = [](std::span<const Relocate> relocates) {
    Pairs all;
    for (const Relocate& one : relocates) all.emplace_back(one.source.str(), one.target.str());
    return all;
  };
  EXPECT_EQ(pairs((*made)->relocates()), (Pairs{{"/A/C", ""}, {"/E", "/F"}}));
  EXPECT_EQ(pairs((*made)->find_prim("/P/Q")->extra->relocates), (Pairs{{"/P/R", ""}}));
  std::vector<std::uint32_t> lines;
  for (const Diagnostic& diagnostic : diagnostics) {
    EXPECT_EQ(diagnostic.code, "usda-path-above-root");
    EXPECT_EQ(diagnostic.severity, Severity::warning);
    lines.push_back(diagnostic.line);
  }
  EXPECT_EQ(lines, (std::vector<std::uint32_t>{4, 5, 6, 6, 10, 10}));
}

TEST(Grammar, EditsOfArraysKeepTheirInstructionsInOrder) {
  using Kind = ArrayEdit::Kind;
  const DefaultOf edit(
      "int[] a = edit [ write 1 to [-2] ; insert [3] at [4] ; erase [5] ; append 6 ;"
      " resize 7 fill 8 ; maxsize 9 ]");
  ASSERT_NE(edit.value.as_array_edit(), nullptr);
  const std::vector<ArrayEdit::Instruction>& steps = edit.value.as_array_edit()->instructions;
  ASSERT_EQ(steps.size(), 6U);
  const Kind kinds[] = {Kind::write,  Kind::insert, Kind::erase,
                        Kind::append, Kind::resize, Kind::max_size};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(steps[i].kind, kinds[i]) << i;
  EXPECT_EQ(steps[0].literal.get<std::int32_t>(), 1);
  EXPECT_EQ(steps[0].index, -2);
  EXPECT_EQ(steps[1].source, 3);
  EXPECT_EQ(steps[1].index, 4);
  EXPECT_EQ(steps[2].index, 5);
  EXPECT_EQ(steps[3].literal.get<std::int32_t>(), 6);
  EXPECT_EQ(steps[4].index, 7);
  EXPECT_EQ(steps[4].literal.get<std::int32_t>(), 8);
  EXPECT_EQ(steps[5].index, 9);
}

// One of every statement. No string or line comment holds what looks like the start of a comment.
constexpr std::string_view kEverything = R"((
    "a comment"
    defaultPrim = "A"
    metersPerUnit = 0.5
    subLayers = [ @b.usda@ ( offset = 2 ; scale = 3 ) , @c.usda@ ]
    relocates = { </A/B> : </A/C> , <A/D> : <> }
    customLayerData = { double[] d = [ 1 , 2 ] ; dictionary e = { bool "f" = true } }
    reorder unknown = [ 1 , ( two , "three" ) , [ 4 ] ]
) reorder rootPrims = [ "B" , "A" ]
class Xform "A" (
    doc = "one"
    kind = "component" ; permission = private ; symmetryFunction = sym
    prepend apiSchemas = [ "X" , "Y" ]
    inherits = [ </B> , </C> ] ; specializes = </D>
    prepend references = [ @r.usda@ </R> ( offset = 1 ; customData = { int i = 1 } ) , </B> ]
    payload = @p.usda@ ( scale = 2 )
    variants = { string v = "x" ; string u = "" }
    prepend variantSets = [ "v" , "u" ]
    prefixSubstitutions = { "l" : "r" , "m" : "n" }
    delete inactiveIds = [ 1 , 2 ]
    unknown = [ ( 1 , 2 ) , three ]
) {
    reorder properties = [ "b" , "a" ]
    reorder nameChildren = "C"
    custom uniform float3[] b = [ ( 1 , 2 , 3 ) , ( 4 , 5 , 6 ) ] ( doc = "b" ; displayUnit = mm )
    double a.timeSamples = { 1 : 1 , 2 : None , 3.5 : 0.1 , }
    append double a.connect = [ </B.x> , <.b> ]
    matrix2d m = ( ( 1 , 0 ) , ( 0 , 1 ) )
    Foo f = [ ( 1 , two ) ]
    rel r = [ </B> , </A.b> ] ( noLoadHint = true )
    custom varying rel s
    rel t . default = </A>
    rel o [ </A> ]
    add rel p = </A>
    double s1.spline = { bezier , pre : sloped ( 0.5 ) , post : loop repeat ,
        loop : ( 1 , 2 , 0 , 3 , 0.5 ) , 1 : 2 ; pre ( 1 , 2 , custom ) ; post curve ( 3 , 4 ) ;
        { string s = "x" } , 2 : 3 & 4 ; post held , }
    double s2.spline = { hermite , post : loop oscillate ( 7 ) , 1 : 0.5 , }
    int[] e = edit [ write 1 to [ 0 ] ; prepend 3 ; append [ 1 ] ; insert 6 at [ 2 ] ; erase [ 1 ] ;
        minsize 5 fill 7 ; resize 9 ; maxsize 20 ]
    variantSet "v" = { "x" ( doc = "two" ) { def "C" { int i = 1 ; }
        }
        "y" { } }
    def "C" { token c = "t" ; string d = "s" ; asset g = @g@ ; }
}
over "B" ( payload = None ) { }
)";

TEST(Grammar, CommentsStandWhereverBlanksDo) {
  const std::string text(kEverything);
  const LayerPtr whole = read(text);
  ASSERT_NE(whole, nullptr);
  std::size_t line = 2, column = 1;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') quoted = !quoted;
    const std::string before = text.substr(0, i);
    const LayerPtr layer = read(before + "/**/" + text.substr(i));
    const bool is_same = layer != nullptr && differences(*layer, *whole).empty();
    if (text[i] == ' ' && !quoted) {
      EXPECT_NE(layer, nullptr) << line << ':' << column;
    }
    const std::string told = refusal("#usda 1.0\n" + before + "/*");
    if (is_same) {
      EXPECT_EQ(told, fmt::format("usda-unterminated-comment {}:{}", line, column));
    } else {
      EXPECT_NE(told, "read") << line << ':' << column;
    }
    column = text[i] == '\n' ? 1 : column + 1;
    line += text[i] == '\n' ? 1 : 0;
  }
}

}  // namespace
}  // namespace sinew::usda::grammar_test
