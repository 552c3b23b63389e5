// SPDX-License-Identifier: Apache-2.0
#include "sinew/usda/parser.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

namespace sinew::usda::parser_test {
using namespace layer;
namespace {

using ::testing::HasSubstr;

LayerPtr read(const std::string& body, Diagnostics& diagnostics) {
  Result<LayerPtr> layer = parse("#usda 1.0\n" + body, "test.usda", diagnostics);
  return layer ? *layer : nullptr;
}

bool accepts(const std::string& body) {
  Diagnostics diagnostics;
  return read(body, diagnostics) != nullptr;
}

bool accepts_in_prim(const std::string& statement) {
  return accepts("def \"P\"\n{\n" + statement + "\n}\n");
}

bool accepts_text(const std::string& text) {
  Diagnostics diagnostics;
  return parse(text, "test.usda", diagnostics).has_value();
}

TEST(Parse, ReadsPrimsPropertiesAndMetadata) {
  Diagnostics diagnostics;
  const LayerPtr layer = read(R"((
    defaultPrim = "A"
    metersPerUnit = 0.5
)
def Mesh "A" (kind = "component"; prepend apiSchemas = ["X", "Y"])
{
    point3f[] points = [(1, 2, 3), (4, 5, 6.5)]
    uniform token axis = "Z"
    rel r = [</A>, <../A.axis>]
    def "B" {}
}
)",
                              diagnostics);
  ASSERT_NE(layer, nullptr);
  const PrimSpec* prim = layer->find_prim("/A");
  ASSERT_NE(prim, nullptr);
  const PropertySpec* points = layer->find_property(*prim, layer->tokens()->find("points"));
  ASSERT_NE(points, nullptr);

  EXPECT_EQ(prim->type_name.view(), "Mesh");
  EXPECT_EQ(layer->field("metersPerUnit")->get<double>(), 0.5);
  EXPECT_EQ(prim->field("apiSchemas")->as_token_list_op()->prepended.size(), 2u);
  ASSERT_EQ(points->default_value.as_array<Vector3f>().size(), 2u);
  EXPECT_EQ(points->default_value.as_array<Vector3f>()[1], Vector3f(4, 5, 6.5F));
  EXPECT_NE(layer->find_prim("/A/B"), nullptr);
  EXPECT_EQ(prim->line, 6u);
}

TEST(Parse, ReportsLineColumnPathExcerptAndWhatWasExpected) {
  Diagnostics diagnostics;
  const Result<LayerPtr> layer =
      parse("#usda 1.0\ndef \"A\"\n{\n    float x = one\n}\n", "t.usda", diagnostics);

  ASSERT_FALSE(layer);
  EXPECT_EQ(layer.error().line, 4u);
  EXPECT_EQ(layer.error().column, 15u);
  ASSERT_EQ(diagnostics.size(), 1u);
  EXPECT_EQ(diagnostics[0].path, "/A.x");
  EXPECT_THAT(diagnostics[0].excerpt, HasSubstr("float x = one"));
  EXPECT_THAT(diagnostics[0].message, HasSubstr("Expected a number"));
}

TEST(Parse, KeepsWhatWasReadIfAsked) {
  Diagnostics diagnostics;
  ParseOptions options;
  options.on_error = OnError::keep_what_was_read;
  const Result<LayerPtr> layer =
      parse("#usda 1.0\ndef \"A\"\n{\n    def \"B\" {}\n    float x = one\n}\n", "t.usda",
            diagnostics, options);

  ASSERT_TRUE(layer);
  EXPECT_FALSE((*layer)->complete());
  EXPECT_NE((*layer)->find_prim("/A/B"), nullptr);
}

TEST(Parse, AcceptsTheVersionsThatExist) {  // usda 2.1
  for (const char* text :
       {"#usda 1.0", "#usda  1.1\n", "#usda 1.2.9 anything\n", "#usda 1.3.0\n", "#usda 01.00\n"}) {
    EXPECT_TRUE(accepts_text(text)) << text;
  }
  for (const char* text : {"", "usda 1.0", "#usda 1", "#usda 1.", "#usda 1.0.", "#usda 1.0.1.2",
                           "#usda 1.0x", "#usda 1.256", "#usda 1.4", "#usda 2.0", "#usda 1.3.1",
                           "#usda\t1.0", "\xEF\xBB\xBF#usda 1.0", "#USDA 1.0"}) {
    EXPECT_FALSE(accepts_text(text)) << text;
  }
}

TEST(Parse, AcceptsAndRejectsStatementsAsTheGrammarSays) {  // usda 17, statement-level inputs
  for (const char* text :
       {"float a = 1", "float a=1", "float a = 1;", "custom uniform float a",
        "float a = 1 (doc = \"x\")", "float a = 1 ()", "float a.timeSamples = {}",
        "float a.timeSamples = { 1: 2, }", "prepend float a.connect = </B.x>", "float[] a = []",
        "float[] a = [ /* c */ ]", "rel a = []", "rel a = [\n]", "prepend rel a",
        "custom varying rel a", "float a = 1\nfloat a = 2", "foo a = b", "variantSet \"v\" = {}",
        "variantSet \"v\" = { \"a\" {} \"b\" {} }"}) {
    EXPECT_TRUE(accepts_in_prim(text)) << text;
  }
  for (const char* text :
       {"float a = 1;;", "float a\n= 1", "uniform custom float a", "varying float a",
        "float a (doc = \"x\") = 1", "float a.timeSamples = None",
        "float a.timeSamples = { 1: AnimationBlock }",
        "float a.timeSamples = { 1: 2 } (doc = \"x\")", "float a.default = 1",
        "prepend float a = 1", "prepend rel a = []", "uniform rel a", "varying custom rel a",
        "rel a = </>", "rel a = <>", "rel a = <..>", "float a = 1\ndouble a = 2", "token a = b",
        "variantSet \"v\" = { \"a\" {}, \"b\" {} }"}) {
    EXPECT_FALSE(accepts_in_prim(text)) << text;
  }
}

// Lists are edited, values are not.
TEST(Parse, EditsConnectionsAlone) {
  for (const char* edit : {"prepend", "append", "add", "delete", "reorder"}) {
    const std::string attribute = std::string(edit) + " double a";
    EXPECT_TRUE(accepts_in_prim(attribute + ".connect = </B.x>")) << edit;
    for (const char* statement :
         {".timeSamples = { 1: 2 }", ".spline = { 1: 2 }", " = 1", " = None", ""}) {
      EXPECT_FALSE(accepts_in_prim(attribute + statement)) << attribute << statement;
    }
  }
  for (const char* statement : {".timeSamples = { 1: 2 }", ".spline = { 1: 2 }", " = 1", ""}) {
    EXPECT_TRUE(accepts_in_prim(std::string("double a") + statement)) << statement;
  }
}

TEST(Parse, WantsTerminatorsWhereTheFormatDoes) {  // usda 2.5
  EXPECT_FALSE(accepts("def \"A\" { float a = 1 }\n"));
  EXPECT_TRUE(accepts("def \"A\" { float a = 1; }\n"));
  EXPECT_TRUE(accepts("def \"A\" {}\n"));
  EXPECT_FALSE(accepts("def \"A\" { def \"B\" {} }\n"));
  EXPECT_FALSE(accepts("def \"A\" {} def \"B\" {}\n"));
  EXPECT_TRUE(accepts("def \"A\" {}"));
}

TEST(Parse, RejectsDuplicatesAndBadNames) {  // usda 5, 13
  EXPECT_FALSE(accepts("def \"A\" {}\nover \"A\" {}\n"));
  EXPECT_FALSE(accepts("def \"1a\" {}\n"));
  EXPECT_FALSE(accepts("def \"\" {}\n"));
  EXPECT_FALSE(accepts_in_prim("rel r = [</A>, </A>]"));
  EXPECT_FALSE(accepts("def \"A\" (references = [@a@, @a@]) {}\n"));
  EXPECT_TRUE(accepts("def \"A\" (references = [@a@, @a@ (offset = 1)]) {}\n"));
}

TEST(Parse, KeepsTimeSamplesSortedWithTheLastOfEqualTimes) {  // usda 6.2
  Diagnostics diagnostics;
  const LayerPtr layer = read(
      "def \"A\"\n{\n    int a.timeSamples = { 3: 30, 1: 10, 3: 33, 2: None }\n}\n", diagnostics);
  ASSERT_NE(layer, nullptr);
  const TimeSamples& samples = *layer->find_prim("/A")->properties[0].time_samples();

  EXPECT_EQ(samples.times, (std::vector<double>{1, 2, 3}));
  EXPECT_TRUE(samples.values[1].is_block());
  EXPECT_EQ(samples.values[2].get<std::int32_t>(), 33);
}

TEST(Parse, MergesReopenedVariants) {  // usda 5
  Diagnostics diagnostics;
  const LayerPtr layer = read(R"(def "A" (variantSets = "v")
{
    variantSet "v" = {
        "x" {
            int a = 1
        }
    }
    variantSet "v" = {
        "x" {
            int b = 2
        }
    }
}
)",
                              diagnostics);
  ASSERT_NE(layer, nullptr);
  const PrimSpec* variant = layer->find_prim("/A{v=x}");

  ASSERT_NE(variant, nullptr);
  EXPECT_EQ(variant->properties.size(), 2u);
}

TEST(Parse, FindsPropertiesAmongMany) {
  std::string body = "def \"A\"\n{\n";
  for (int i = 0; i < 2000; ++i)
    body += "int p" + std::to_string(i) + " = " + std::to_string(i) + "\n";
  Diagnostics diagnostics;
  const LayerPtr layer = read(body + "}\n", diagnostics);
  ASSERT_NE(layer, nullptr);
  const PrimSpec* prim = layer->find_prim("/A");
  const PropertySpec* found = layer->find_property(*prim, layer->tokens()->find("p1234"));

  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->default_value.get<std::int32_t>(), 1234);
}

TEST(ParseValue, ConvertsAsTheTypeSays) {  // usda 17, single-value parsing
  TokenTable tokens;
  const auto ok = [&](const char* type, const char* text) {
    return parse_value(type, text, tokens).has_value();
  };
  EXPECT_EQ(parse_value("int", "3.9", tokens)->get<std::int32_t>(), 3);
  EXPECT_EQ(parse_value("int", "-0.5", tokens)->get<std::int32_t>(), 0);
  EXPECT_EQ(parse_value("int", "-2147483648", tokens)->get<std::int32_t>(), -2147483647 - 1);
  EXPECT_EQ(static_cast<float>(*parse_value("half", "65519", tokens)->get<Half>()), 65504.0F);
  EXPECT_TRUE(std::isinf(static_cast<float>(*parse_value("half", "65520", tokens)->get<Half>())));
  EXPECT_EQ(parse_value("uint", "-0", tokens)->get<std::uint32_t>(), 0U);
  EXPECT_EQ(parse_value("uint64", "-0", tokens)->get<std::uint64_t>(), 0U);
  EXPECT_FALSE(ok("uint", "-1"));
  EXPECT_EQ(parse_value("bool", "No", tokens)->get<bool>(), false);
  EXPECT_EQ(parse_value("bool", "0.5", tokens)->get<bool>(), true);
  EXPECT_EQ(parse_value("quatf", "(1, 0, 0, 0)", tokens)->get<Quatf>()->w(), 1.0F);
  for (const char* text : {"-1", "256"}) EXPECT_FALSE(ok("uchar", text)) << text;
  for (const char* text : {" 3", "foo", "!!", "2147483648"}) EXPECT_FALSE(ok("int", text)) << text;
  for (const char* text : {"0, 1, 2", "(0, 1)", "(0, 1, 2, 3)", "[0, 1, 2]"}) {
    EXPECT_FALSE(ok("float3", text)) << text;
  }
  for (const char* text : {"[]", "['0']", "[\"a\", \"b\"]"})
    EXPECT_TRUE(ok("token[]", text)) << text;
  for (const char* text : {"[3.0]", "'foo'", "('a')"}) EXPECT_FALSE(ok("token[]", text)) << text;
  EXPECT_FALSE(ok("int64", "9223372036854775808"));
  for (const char* text : {"\"inf\"", "\"-inf\"", "\"nan\""})
    EXPECT_TRUE(ok("float", text)) << text;
  EXPECT_TRUE(ok("matrix2d", "((1,0),(0,1))"));
  EXPECT_FALSE(ok("matrix2d", "(1,0,0,1)"));
  EXPECT_FALSE(ok("int", "(0)"));
}

TEST(ParseValue, WantsTheNameOfATypeThatHasValues) {
  TokenTable tokens;
  for (const char* type : {"", "foo", "opaque", "group", "int[][]", "dictionary", "Int"}) {
    const Result<Value> value = parse_value(type, "1", tokens);
    ASSERT_FALSE(value) << type;
    EXPECT_EQ(value.error().code, ErrorCode::type_mismatch);
    EXPECT_EQ(value.error().message, "'" + std::string(type) + "' is not a value type.");
  }
}

TEST(ParseValue, TellsOfACommentThatIsNeverClosedWhereverOneMayStand) {
  TokenTable tokens;
  const std::pair<const char*, std::string> cases[] = {
      {"double2", "( 1 , 2 \n )"},
      {"quatf", "( 1 , 0 , 0 , 0 \n )"},
      {"matrix2d", "( ( 1 , 0 ) , ( 0 , 1 \n ) \n )"},
      {"int[]", "[ [ 1 , 2 \n ] , [ 3 , 4 ] \n ]"},
      {"float2[]", "[ ( 1 , 2 ) , ( 3 , 4 \n ) \n ]"},
      {"token[]", "[ \"a\" , \"b\" \n ]"}};
  for (const auto& [type, text] : cases) {
    const Result<Value> whole = parse_value(type, text, tokens);
    ASSERT_TRUE(whole) << text;
    std::uint32_t line = 1;
    std::uint32_t column = 1;
    for (std::size_t i = 0; i < text.size(); ++i, ++column) {
      if (text[i] != ' ' && text[i] != '\n') continue;
      const std::string before = text.substr(0, i);
      const Result<Value> same = parse_value(type, before + "/**/" + text.substr(i), tokens);
      EXPECT_TRUE(same && *same == *whole) << before;
      const Result<Value> open = parse_value(type, before + "/*", tokens);
      ASSERT_FALSE(open) << before;
      EXPECT_EQ(open.error().code, ErrorCode::syntax) << before;
      EXPECT_EQ(open.error().message, "This comment is never closed.") << before;
      EXPECT_EQ(open.error().line, line) << before;
      EXPECT_EQ(open.error().column, column) << before;
      if (text[i] == '\n') {
        ++line;
        column = 0;
      }
    }
  }
}

TEST(ParseValue, FlattensRectangularListsOnly) {  // usda 7
  TokenTable tokens;
  EXPECT_EQ(parse_value("int[]", "[[1, 2], [3, 4]]", tokens)->as_array<std::int32_t>().size(), 4u);
  for (const char* text : {"[[1], [2, 3]]", "[1, [2]]", "[[1], 2]", "[[]]", "[,]", "[1,,]"}) {
    EXPECT_FALSE(parse_value("int[]", text, tokens)) << text;
  }
}

TEST(Parse, StopsAtNestingLimits) {
  std::string deep;
  for (int i = 0; i < 2000; ++i) deep += "def \"A\"\n{\n";
  EXPECT_FALSE(accepts(deep));
  EXPECT_FALSE(accepts_in_prim("int[] a = " + std::string(5000, '[')));
  EXPECT_FALSE(accepts_in_prim("foo a = " + std::string(100'000, '(')));
  std::string dictionaries = "customData = ";
  for (int i = 0; i < 5000; ++i) dictionaries += "{ dictionary d = ";
  EXPECT_FALSE(accepts("def \"A\" (" + dictionaries + ") {}\n"));
  std::string fits;
  for (int i = 0; i < 64; ++i) fits += "def \"A\"\n{\n";
  for (int i = 0; i < 64; ++i) fits += "}\n";
  EXPECT_TRUE(accepts(fits));
}

TEST(Parse, StopsAtTheLimitOfPrims) {
  Diagnostics diagnostics;
  ParseOptions options;
  options.limits.prims = 3;
  const std::string three = "#usda 1.0\ndef \"A\" {}\ndef \"B\" {}\ndef \"C\" {}\n";

  EXPECT_TRUE(parse(three, "t", diagnostics, options));
  const Result<LayerPtr> four = parse(three + "def \"D\" {}\n", "t", diagnostics, options);
  ASSERT_FALSE(four);
  EXPECT_EQ(four.error().code, ErrorCode::limit_exceeded);
}

}  // namespace
}  // namespace sinew::usda::parser_test
