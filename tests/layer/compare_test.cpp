// SPDX-License-Identifier: Apache-2.0
// What counts as a difference between layers of any format, and what does not.
#include "sinew/layer/compare.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/unicode.hpp"
#include "sinew/layer/layer_builder.hpp"
#include "sinew/usda/parser.hpp"
#include "sinew/usda/writer.hpp"

namespace sinew::layer::compare_test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

LayerPtr layer_of(const std::string& body) {
  Diagnostics diagnostics;
  const auto layer = usda::parse("#usda 1.0\n" + body, "a.usda", diagnostics);
  EXPECT_TRUE(layer) << body << (layer ? "" : layer.error().message);
  return layer ? *layer : nullptr;
}

// "path field" of each difference, found alike from either side.
std::vector<std::string> found(const std::string& a, const std::string& b) {
  const LayerPtr x = layer_of(a);
  const LayerPtr y = layer_of(b);
  if (x == nullptr || y == nullptr) return {"not read"};
  const auto there = differences(*x, *y);
  EXPECT_EQ(differences(*y, *x).size(), there.size());
  std::vector<std::string> all;
  for (const Difference& difference : there)
    all.push_back(difference.path + " " + difference.field);
  return all;
}

std::string in_prim(const std::string& properties) {
  return "def \"A\"\n{\n" + properties + "\n}\n";
}

std::string curve(const std::string& text, const std::string& type = "double") {
  return in_prim(type + " x.spline = {\n" + text + "\n}");
}

TEST(Differences, NameThePlaceAndTheField) {
  EXPECT_THAT(found("(upAxis = \"Y\")", "(upAxis = \"Z\")"), ElementsAre("/ upAxis"));
  EXPECT_THAT(found("def \"A\" {}", "over \"A\" {}"), ElementsAre("/A specifier"));
  EXPECT_THAT(found("def Cube \"A\" {}", "def \"A\" {}"), ElementsAre("/A typeName"));
  EXPECT_THAT(found(in_prim("int x = 1"), in_prim("int x = 2")), ElementsAre("/A.x default"));
  EXPECT_THAT(found(in_prim("int x = 1"), in_prim("float x = 1")),
              ElementsAre("/A.x typeName", "/A.x default"));
  EXPECT_THAT(found(in_prim("int x = 1"), in_prim("custom uniform int x = 1")),
              ElementsAre("/A.x variability", "/A.x custom"));
  EXPECT_THAT(found(in_prim("rel r = </A>"), in_prim("rel r = </B>")),
              ElementsAre("/A.r targetPaths"));
  EXPECT_THAT(found(in_prim("int x.connect = </A.y>"), in_prim("int x.connect = </A.z>")),
              ElementsAre("/A.x connectionPaths"));
  EXPECT_THAT(
      found(in_prim("int x.timeSamples = {\n1: 2\n}"), in_prim("int x.timeSamples = {\n1: 3\n}")),
      ElementsAre("/A.x timeSamples"));
  EXPECT_THAT(found("def \"A\" (references = @a@) {}", "def \"A\" (references = @b@) {}"),
              ElementsAre("/A references"));
}

// "a | b" of the only difference, values spelled.
std::string told(const std::string& a, const std::string& b) {
  const LayerPtr x = layer_of(a);
  const LayerPtr y = layer_of(b);
  if (x == nullptr || y == nullptr) return "not read";
  const auto all = differences(*x, *y, {.spell_value = usda::write_value});
  return all.size() == 1 ? all[0].a + " | " + all[0].b : std::to_string(all.size());
}

TEST(Differences, TellWhatEachSideSays) {
  const auto values = [](const std::string& type, const std::string& a, const std::string& b) {
    return told(in_prim(type + " x = " + a), in_prim(type + " x = " + b));
  };
  EXPECT_EQ(values("double", "1", "2.5"), "1 | 2.5");
  EXPECT_EQ(values("bool", "true", "false"), "1 | 0");
  EXPECT_EQ(values("float3", "(1, 2, 3)", "(1, 2, 4)"), "(1, 2, 3) | (1, 2, 4)");
  EXPECT_EQ(values("quatf", "(1, 0, 0, 0)", "None"), "(1, 0, 0, 0) | None");
  EXPECT_EQ(values("token", "\"a\"", "\"b\""), "\"a\" | \"b\"");
  EXPECT_EQ(values("int[]", "[1, 2, 3]", "[1, 5, 3]"), "[1] of 3: 2 | [1] of 3: 5");
  EXPECT_EQ(values("double[]", "[nan, 2]", "[nan, 3]"), "[1] of 2: 2 | [1] of 2: 3");
  EXPECT_EQ(values("string[]", "[\"a\"]", "[\"b\"]"), "[0] of 1: \"a\" | [0] of 1: \"b\"");
  EXPECT_EQ(values("int[]", "[1, 2]", "[1]"), "2 elements | 1 elements");
  EXPECT_EQ(told(in_prim("int x"), in_prim("int x = 3")), "- | 3");

  const auto samples = [](const std::string& a, const std::string& b) {
    return told(in_prim("int[] x.timeSamples = {" + a + "}"),
                in_prim("int[] x.timeSamples = {" + b + "}"));
  };
  EXPECT_EQ(samples("1: [2], 3: [4]", "1: [2], 3: [5]"), "3: [0] of 1: 4 | 3: [0] of 1: 5");
  EXPECT_EQ(samples("1: [2], 3: [4]", "1: [2], 4: [4]"), "3: [4] | 4: [4]");
  EXPECT_EQ(samples("1: [2], 3: [4]", "1: [2]"), "3: [4] | 1 samples");
  EXPECT_EQ(samples("1: [2]", ""), "1: [2] | no samples");
  EXPECT_EQ(told(in_prim("int x.timeSamples = {1: 2}"), in_prim("int x")), "1 samples | -");
  EXPECT_EQ(told(in_prim("int x"), in_prim("int x.timeSamples = {}")), "- | no samples");

  EXPECT_EQ(told("def \"A\" {}", "class \"A\" {}"), "def | class");
  EXPECT_EQ(told(in_prim("int x"), in_prim("uniform int x")), "varying | uniform");
  EXPECT_EQ(told(in_prim("int x"), in_prim("custom int x")), "false | true");
  EXPECT_EQ(told(in_prim("rel r = </A>"), in_prim("prepend rel r = [</A>, </B>]")),
            "[</A>] | prepend [</A>, </B>]");
  EXPECT_EQ(told("def \"A\" (references = [@a@</B> (offset = 2), </C>]) {}", "def \"A\" {}"),
            "[@a@</B> (offset = 2; scale = 1), </C>] | -");
  EXPECT_EQ(told("def \"A\" (apiSchemas = [\"B\"]) {}", "def \"A\" {}"), "[B] | -");
  EXPECT_EQ(told("def \"A\" (variants = {string v = \"a\"}) {}", "def \"A\" {}"), "v = \"a\" | -");
  EXPECT_EQ(told("(subLayers = [@a@])", "(subLayers = [@b@ (scale = 2)])"),
            "[@a@] | [@b@ (offset = 0; scale = 2)]");
  EXPECT_EQ(told("(relocates = {</A>: </B>})", ""), "[</A>: </B>] | -");
  EXPECT_EQ(told("def \"A\" {}\ndef \"B\" {}", "def \"B\" {}\ndef \"A\" {}"), "[A, B] | [B, A]");
  EXPECT_EQ(told(curve("1: 2, 3: 4.5,"), in_prim("double x")), "2 knots, 1: 2, 3: 4.5 | -");
}

TEST(Differences, TellEveryEditOfAList) {
  EXPECT_EQ(told(in_prim("reorder rel r = </E>\nappend rel r = [</D>, </X>]\nadd rel r = </B>\n"
                         "prepend rel r = </C>\ndelete rel r = </A>"),
                 in_prim("rel r = []")),
            "delete [</A>], add [</B>], prepend [</C>], append [</D>, </X>], reorder [</E>] | []");
}

TEST(Differences, AreCutInTheMiddleBetweenCharacters) {
  std::string text;
  for (int i = 0; i < 60; ++i) text += "\xc3\xa4";
  for (const std::string shift : {"", "b"}) {
    const LayerPtr a = layer_of(in_prim("string x = \"" + shift + text + "\""));
    const LayerPtr b = layer_of(in_prim("string x"));
    const Difference told = differences(*a, *b, {.spell_value = usda::write_value}).at(0);
    EXPECT_LE(told.a.size(), 80u);
    EXPECT_GE(told.a.size(), 76u);
    EXPECT_EQ(find_invalid_utf8(told.a), std::string_view::npos) << told.a;
    EXPECT_THAT(told.a, AllOf(StartsWith("\"" + shift), HasSubstr(" ... "), EndsWith("\"")));
  }
}

TEST(Differences, TellTheSizeOfLongArrays) {
  std::string zeros = "[0";
  for (int i = 1; i < 40; ++i) zeros += ", 0";
  EXPECT_THAT(told(in_prim("int[] x"), in_prim("int[] x = " + zeros + "]")),
              StartsWith("- | [0, "));
  EXPECT_EQ(told(in_prim("int[] x"), in_prim("int[] x = " + zeros + ", 0]")),
            "- | int[] of 41 elements");
}

TEST(Differences, TellTypesAndSizesWhereNobodySpellsValues) {
  const auto of = [](const std::string& type, const std::string& a, const std::string& b) {
    const Difference all =
        differences(*layer_of(in_prim(type + " x = " + a)), *layer_of(in_prim(type + " x = " + b)))
            .at(0);
    return all.a + " | " + all.b;
  };
  EXPECT_EQ(of("color3f", "(1, 2, 3)", "None"), "float3 | None");
  EXPECT_EQ(of("color3f[]", "[(1, 2, 3)]", "None"), "float3[] of 1 elements | None");
}

TEST(Differences, TellWhatOnlyOneLayerHas) {
  const LayerPtr a = layer_of("def \"A\"\n{\nint x\n}\ndef \"B\" {}");
  const LayerPtr b = layer_of("def \"A\" {}");
  const auto one = differences(*a, *b);
  ASSERT_EQ(one.size(), 2u);
  EXPECT_EQ(one[0].path, "/A.x");
  EXPECT_EQ(one[0].field, "");
  EXPECT_EQ(one[0].a, "only here");
  EXPECT_EQ(one[0].b, "-");
  EXPECT_EQ(one[1].path, "/B");
  EXPECT_EQ(differences(*b, *a)[1].b, "only here");
  EXPECT_EQ(differences(*a, *b, {.most = 1}).size(), 1u) << "no more than asked for";
}

TEST(Differences, AreTheFirstOfAllWhereFewerAreAskedFor) {
  const auto text = [](const std::string& n, const std::string& more) {
    return "(upAxis = \"" + n + "\"; subLayers = [@" + n + "@])\ndef \"A\" (kind = \"" + n +
           "\"; inherits = </" + n + ">) {\nint x = " + std::to_string(n.size()) + "\n" + more +
           "variantSet \"v\" = {\n\"a\" {\nint y = " + std::to_string(n.size()) +
           "\n}\n}\ndef \"B\" {\nint z = " + std::to_string(n.size()) + "\n}\n}\ndef \"" + n +
           "\" {}\n";
  };
  const LayerPtr a = layer_of(text("Y", "int only\n"));
  const LayerPtr b = layer_of(text("ZZ", "def \"C\" {}\n"));
  const std::vector<Difference> all = differences(*a, *b);
  std::vector<std::string> places;
  for (const Difference& difference : all) {
    places.push_back(difference.path + " " + difference.field);
  }
  EXPECT_THAT(places, ElementsAre("/ subLayers", "/ upAxis", "/A kind", "/A inheritPaths",
                                  "/A{v=a}.y default", "/A.only ", "/A.x default", "/A/B.z default",
                                  "/A/C ", "/Y ", "/ZZ "));
  for (std::size_t most = 0; most <= all.size() + 1; ++most) {
    const std::vector<Difference> some = differences(*a, *b, {.most = most});
    ASSERT_EQ(some.size(), std::min(most, all.size()));
    for (std::size_t i = 0; i < some.size(); ++i) {
      EXPECT_EQ(some[i].path + " " + some[i].field, places[i]) << most;
    }
  }
}

TEST(Differences, CountTheOrderOfPrimsButNotOfProperties) {
  EXPECT_THAT(found("def \"A\" {}\ndef \"B\" {}", "def \"B\" {}\ndef \"A\" {}"),
              ElementsAre("/ primChildren"));
  EXPECT_THAT(found(in_prim("int x\nint y"), in_prim("int y\nint x")), IsEmpty());
}

TEST(Differences, PassOverWhatOnlyOneFormatKeeps) {
  EXPECT_THAT(found(in_prim("Vec3f[] x"), in_prim("float3[] x")), IsEmpty());
  EXPECT_THAT(found("(customLayerData = {\nint a = 1\nint b = 2\n})",
                    "(customLayerData = {\nint b = 2\nint a = 1\n})"),
              IsEmpty());
  EXPECT_THAT(
      found(in_prim("int[] x = edit [insert 1 at [0]]"), in_prim("int[] x = edit [prepend 1]")),
      IsEmpty());
}

TEST(Differences, OfSplinesAreThoseOfWhatTheyMean) {
  EXPECT_THAT(found(curve("1: 2,"), curve("bezier,\n1: 2,")), IsEmpty());
  EXPECT_THAT(found(curve("1: 2,"), curve("pre: held,\n1: 2; post held,")), IsEmpty());
  EXPECT_THAT(found(curve("1: 2; { },"), curve("1: 2,")), IsEmpty()) << "data without entries";
  EXPECT_THAT(found(curve("1: 2; { int a = 1 },"), curve("1: 2,")), ElementsAre("/A.x spline"));
  EXPECT_THAT(found(curve("1: 2,"), curve("hermite,\n1: 2,")), ElementsAre("/A.x spline"));
  EXPECT_THAT(found(curve("1: 2,"), curve("1: 3,")), ElementsAre("/A.x spline"));
  EXPECT_THAT(found(curve("1: 2,"), curve("post: linear,\n1: 2,")), ElementsAre("/A.x spline"));
  EXPECT_THAT(found(curve("1: 2,"), curve("loop: (1, 5, 1, 1, 0),\n1: 2,")),
              ElementsAre("/A.x spline"));
  // As many digits as a float keeps.
  EXPECT_THAT(found(curve("1: 0.1,", "float"), curve("1: 0.100000001,", "float")), IsEmpty());
  EXPECT_THAT(found(curve("1: 0.1,"), curve("1: 0.100000001,")), ElementsAre("/A.x spline"));
}

TEST(Differences, OfHermiteCurvesPassOverWidthsThatTheyDoNotUse) {  // usda 6.7
  EXPECT_THAT(found(curve("hermite,\n1: 2; pre (2, 3),"), curve("hermite,\n1: 2; pre (3),")),
              IsEmpty());
  EXPECT_THAT(found(curve("hermite,\n1: 2; pre (2, 3),"), curve("hermite,\n1: 2; pre (2, 4),")),
              ElementsAre("/A.x spline"));
  EXPECT_THAT(found(curve("1: 2; pre (2, 3),"), curve("1: 2; pre (3),")),
              ElementsAre("/A.x spline"));
}

TEST(Differences, TakeNanForNanEverywhere) {
  for (const std::string& body :
       {std::string("(subLayers = [@a@ (offset = nan), @b@ (scale = nan)])"),
        std::string("def \"A\" (references = @a@ (offset = nan); payload = @b@ (scale = nan)) {}"),
        in_prim("int x.timeSamples = {\n1: 2, nan: 3\n}")}) {
    SCOPED_TRACE(body);
    EXPECT_THAT(found(body, body), IsEmpty());
  }
  EXPECT_THAT(found("(subLayers = [@a@ (offset = nan)])", "(subLayers = [@a@ (offset = 1)])"),
              ElementsAre("/ subLayers"));
  EXPECT_EQ(told(in_prim("int x.timeSamples = {nan: 3}"), in_prim("int x.timeSamples = {nan: 4}")),
            "nan: 3 | nan: 4");
}

TEST(Differences, PassOverEditsThatEditNothing) {
  LayerBuilder builder("a.usda");
  const auto prim = *builder.add_prim(builder.root(), Specifier::def, "", "A");
  builder.set_field(prim, "foo", Value::list_op({}));
  const LayerPtr nothing = std::move(builder).finish();
  const LayerPtr none = layer_of("def \"A\" {}");
  EXPECT_THAT(differences(*nothing, *none), IsEmpty());
  EXPECT_THAT(differences(*none, *nothing), IsEmpty());
  const LayerPtr edits = layer_of("def \"A\" (append foo = [1]) {}");
  for (const auto& found : {differences(*nothing, *edits), differences(*edits, *nothing)}) {
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].path + " " + found[0].field, "/A foo");
  }
  EXPECT_THAT(found("def \"A\" (apiSchemas = []) {}", "def \"A\" {}"),
              ElementsAre("/A apiSchemas"));
}

TEST(Differences, CompareMetadataThatNobodyRegisteredAsItIsWritten) {
  const LayerPtr text =
      layer_of("(\n    hide = true\n    level = 3\n    share = 0.1\n    word = \"w\"\n)");
  const auto differs = [&](bool hide, std::int32_t level, float share, const char* word) {
    LayerBuilder builder("typed");
    builder.set_field(builder.root(), "hide", Value::scalar(ElementType::bool_, hide));
    builder.set_field(builder.root(), "level", Value::scalar(ElementType::int_, level));
    builder.set_field(builder.root(), "share", Value::scalar(ElementType::float_, share));
    builder.set_field(builder.root(), "word",
                      Value::scalar(ElementType::string, builder.tokens().intern(word)));
    const LayerPtr typed = std::move(builder).finish();
    std::vector<std::string> fields;
    for (const Difference& difference : differences(*text, *typed)) {
      fields.push_back(difference.field);
    }
    EXPECT_EQ(differences(*typed, *text).size(), fields.size());
    return fields;
  };
  EXPECT_THAT(differs(true, 3, 0.1F, "w"), IsEmpty());
  EXPECT_THAT(differs(false, 4, 0.2F, "v"), ElementsAre("hide", "level", "share", "word"));
}

TEST(SameValue, TakesAllNanForOneButNoneForANumber) {
  const double quiet = std::numeric_limits<double>::quiet_NaN();
  const Value a = Value::scalar(ElementType::double_, quiet);
  const Value b = Value::scalar(ElementType::double_, -quiet);
  EXPECT_FALSE(a == b) << "the bits differ";
  EXPECT_TRUE(same_value(a, b));
  EXPECT_FALSE(same_value(a, Value::scalar(ElementType::double_, 0.0)));
  EXPECT_FALSE(same_value(Value::scalar(ElementType::double_, -0.0),
                          Value::scalar(ElementType::double_, 0.0)));
}

TEST(SameValue, ComparesTypesAndShapes) {
  const std::vector<std::int32_t> one = {1};
  const Value array = Value::array(ElementType::int_, std::span<const std::int32_t>(one));
  EXPECT_FALSE(same_value(array, Value::scalar(ElementType::int_, 1)));
  EXPECT_FALSE(same_value(Value(), Value::block()));
  EXPECT_TRUE(same_value(Value(), Value()));
  EXPECT_TRUE(same_value(array, Value(array)));
}

TEST(SameValue, OfReferencesPassesOverEmptyCustomData) {
  EXPECT_THAT(
      found("def \"A\" (references = @a@ (customData = {})) {}", "def \"A\" (references = @a@) {}"),
      IsEmpty());
  EXPECT_THAT(found("def \"A\" (references = @a@ (customData = { int x = 1 })) {}",
                    "def \"A\" (references = @a@) {}"),
              ElementsAre("/A references"));
}

// A layer that has only this field.
LayerPtr with_field(std::string_view key, const Value& value) {
  LayerBuilder builder("a.usda");
  builder.set_field(builder.root(), key, value);
  return std::move(builder).finish();
}

// A program that does not know a field keeps it as its source.
TEST(Differences, KnowASourceFromTheValueThatIsWrittenSo) {
  const auto same = [](const Value& value, std::string_view source) {
    TokenTable tokens;
    const LayerPtr a = with_field("unknown", value);
    const LayerPtr b =
        with_field("unknown", Value::scalar(ElementType::unregistered, tokens.intern(source)));
    const std::size_t count = differences(*a, *b).size();
    EXPECT_EQ(differences(*b, *a).size(), count);
    EXPECT_EQ(differences(*b, *b).size(), 0u);
    return count == 0;
  };
  const auto whole = Value::scalar(ElementType::uint, std::uint32_t{4294967295U});
  EXPECT_TRUE(same(whole, "4294967295"));
  EXPECT_TRUE(same(whole, "4294967295.0"));
  EXPECT_FALSE(same(whole, "-1"));
  EXPECT_FALSE(same(whole, "4294967294"));
  const auto negative = Value::scalar(ElementType::int_, std::int32_t{-5});
  EXPECT_TRUE(same(negative, "-5"));
  EXPECT_FALSE(same(negative, "5"));
  EXPECT_FALSE(same(negative, "\"-5\""));
  const auto single = Value::scalar(ElementType::float_, 0.1F);
  EXPECT_TRUE(same(single, "0.1"));
  EXPECT_TRUE(same(single, "0.10000000149011612"));
  EXPECT_FALSE(same(single, "0.1001"));
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(same(Value::scalar(ElementType::float_, infinity), "inf"));
  EXPECT_FALSE(same(Value::scalar(ElementType::float_, infinity), "1e39"));
  EXPECT_TRUE(same(Value::scalar(ElementType::double_, 0.1), "0.1"));
  EXPECT_FALSE(same(Value::scalar(ElementType::double_, double{0.1F}), "0.1"));
  EXPECT_FALSE(same(Value::scalar(ElementType::double_, std::nan("")), "nan"));
  EXPECT_TRUE(same(Value::scalar(ElementType::bool_, true), "true"));
  EXPECT_TRUE(same(Value::scalar(ElementType::bool_, false), "false"));
  EXPECT_FALSE(same(Value::scalar(ElementType::bool_, true), "false"));
  EXPECT_TRUE(same(Value::scalar(ElementType::bool_, true), "1"));
  EXPECT_TRUE(same(Value::scalar(ElementType::bool_, false), "0"));
  EXPECT_FALSE(same(Value::scalar(ElementType::bool_, false), "1"));
  TokenTable tokens;
  const auto text = [&](const char* written) {
    return Value::scalar(ElementType::string, tokens.intern(written));
  };
  EXPECT_TRUE(same(text("a"), "\"a\""));
  EXPECT_TRUE(same(text(""), "\"\""));
  EXPECT_FALSE(same(text("a"), "a"));
  EXPECT_FALSE(same(text("a"), "\"b\""));
  EXPECT_FALSE(same(text("a"), "'a'"));
  EXPECT_FALSE(same(text("\\"), "\"\\\""));
  const std::int32_t numbers[] = {1};
  EXPECT_FALSE(same(Value::array<std::int32_t>(ElementType::int_, numbers), "1"));
  EXPECT_FALSE(same(Value::scalar(ElementType::int64, std::int64_t{1}), "1"));
}

// Writing text loses the types of unknown metadata, nothing else.
TEST(Differences, PassOverTypesThatTextDoesNotKeep) {
  const std::vector<std::string> properties = {"bool x = true",
                                               "bool x = false",
                                               "uchar x = 200",
                                               "int x = -5",
                                               "uint x = 4294967295",
                                               "int64 x = -9007199254740993",
                                               "uint64 x = 18446744073709551615",
                                               "half x = 0.1",
                                               "float x = 0.1",
                                               "float x = inf",
                                               "double x = -0.1",
                                               "double x = 1e300",
                                               "timecode x = 2.5",
                                               "string x = \"a\"",
                                               "string x = \"\"",
                                               "string x = \"it's\"",
                                               "string x = 'say \"a\"'",
                                               "string x = \"back\\\\slash\"",
                                               "string x = \"\"\"two\nlines\"\"\"",
                                               "token x = \"a\"",
                                               "asset x = @a.png@",
                                               "int2 x = (1, 2)",
                                               "float3 x = (1, 2.5, -3)",
                                               "color3f x = (1, 0, 0)",
                                               "double4 x = (1, 2, 3, 4)",
                                               "quatf x = (1, 0, 0, 0)",
                                               "matrix2d x = ((1, 2), (3, 4))",
                                               "int[] x = [1, 2, 3]",
                                               "int[] x = []",
                                               "bool[] x = [1, 0]",
                                               "string[] x = [\"a\", \"b\"]",
                                               "float3[] x = [(1, 2, 3), (4, 5, 6)]"};
  for (const std::string& property : properties) {
    SCOPED_TRACE(property);
    const LayerPtr typed = layer_of(in_prim(property));
    ASSERT_NE(typed, nullptr);
    const LayerPtr a =
        with_field("unknown", typed->root().children[0]->properties[0].default_value);
    const LayerPtr b = layer_of(usda::write(*a).substr(std::string_view("#usda 1.0\n").size()));
    ASSERT_NE(b, nullptr);
    for (const Difference& d : differences(*a, *b, {.spell_value = usda::write_value})) {
      ADD_FAILURE() << d.field << ": " << d.a << " | " << d.b;
    }
    EXPECT_TRUE(differences(*b, *a, {.spell_value = usda::write_value}).empty());
  }
}

TEST(Differences, TellTheLoopsOfSplines) {
  const std::string knots = "1: 14,\n2: 22,";
  EXPECT_EQ(told(curve("loop: (1, 2, 0, 3, 0),\n" + knots), curve(knots)),
            "2 knots, 1: 14, 2: 22, looped from 1 to 2 | 2 knots, 1: 14, 2: 22");
}

TEST(Differences, NameTheTypesOfWhatIsSpelledAlike) {
  const LayerPtr a = with_field("unknown", Value::scalar(ElementType::int_, std::int32_t{1}));
  const LayerPtr b = with_field("unknown", Value::scalar(ElementType::double_, 1.0));
  const auto found = differences(*a, *b, {.spell_value = usda::write_value});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].a, "1 (int)");
  EXPECT_EQ(found[0].b, "1 (double)");
}

std::string text_of(std::size_t length) {
  return in_prim("string x = \"" + std::string(length, 'a') + "\"");
}

TEST(Differences, AreCutToEightyBytes) {
  const std::string none = in_prim("string x");
  EXPECT_EQ(told(text_of(78), none), "\"" + std::string(78, 'a') + "\" | -");
  EXPECT_EQ(told(text_of(79), none),
            "\"" + std::string(36, 'a') + " ... " + std::string(37, 'a') + "\" | -");
}

// Wherever the one letter is that differs, it can be seen, and the start of what it stands in.
TEST(Differences, ShowWhatDiffersInLongTexts) {
  for (const std::string letter : {"a", "\xc3\xa4", "\xf0\x9f\x98\x80"}) {
    std::string text;
    for (int i = 0; i < 200; ++i) text += letter;
    for (std::size_t at = 0; at < text.size(); at += letter.size()) {
      std::string other = text;
      other.replace(at, letter.size(), "b");
      const auto layer_with = [&](const std::string& x) {
        return layer_of(in_prim("string x.timeSamples = {7: \"" + x + "\"}"));
      };
      const auto found =
          differences(*layer_with(text), *layer_with(other), {.spell_value = usda::write_value});
      ASSERT_EQ(found.size(), 1u);
      for (const std::string& side : {found[0].a, found[0].b}) {
        EXPECT_LE(side.size(), 80u);
        EXPECT_EQ(find_invalid_utf8(side), std::string_view::npos) << side;
        EXPECT_THAT(side, StartsWith("7: \""));
      }
      EXPECT_THAT(found[0].a, Not(HasSubstr("b")));
      EXPECT_THAT(found[0].b, HasSubstr("b")) << at;
    }
  }
}

TEST(Differences, ShowWhatDiffersInLongLists) {
  const auto names = [](int first) {
    std::string list;
    for (int i = 0; i < 40; ++i) list += "\"Schema" + std::to_string(first + i) + "\", ";
    return list;
  };
  const auto with = [&](const std::string& middle) {
    return "def \"A\" (prepend apiSchemas = [" + names(100) + middle + names(200) + "]) {}";
  };
  const std::string text = told(with("\"One\", "), with("\"Two\", "));
  EXPECT_THAT(text, AllOf(StartsWith("prepend [Schema1"), HasSubstr("One"), HasSubstr("Two")));
}

// Items may share what makes them long, so that all together are longer than the file.
TEST(Differences, AreShortWhateverListsShare) {
  LayerBuilder builder("x.usda");
  Reference reference;
  reference.asset = builder.tokens().intern(std::string(1 << 18, 'a'));
  ListOp<Reference> references;
  references.is_explicit = true;
  for (int i = 0; i < 20'000; ++i) {
    reference.offset.offset = i;
    references.explicit_items.push_back(reference);
  }
  const auto prim = builder.add_prim(builder.root(), Specifier::def, "", "A");
  ASSERT_TRUE(prim);
  builder.extra(*prim).references = std::move(references);
  const LayerPtr a = std::move(builder).finish();
  const auto found = differences(*a, *layer_of("def \"A\" {}"));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_LE(found[0].a.size(), 80u);
}

TEST(Differences, TellReferencesInTheirOwnFileAndTheirCustomData) {
  EXPECT_EQ(told("def \"A\" (references = <>) {}", "def \"A\" {}"), "[<>] | -");
  EXPECT_EQ(told("def \"A\" (references = @a@ (customData = { int x = 1 })) {}",
                 "def \"A\" (references = @b@ (scale = 2)) {}"),
            "[@a@ and 1 entries of custom data] | [@b@ (offset = 0; scale = 2)]");
}

TEST(Differences, OfSplinesTellNothingFromZero) {
  EXPECT_THAT(found(curve("1: 0 & 5,"), curve("1: 5,")), ElementsAre("/A.x spline"));
  const auto looped = [](const char* how) {
    return curve("post: loop repeat" + std::string(how) + ",\n1: 2,");
  };
  EXPECT_THAT(found(looped("(0)"), looped("")), ElementsAre("/A.x spline"));
}

TEST(Differences, OfSplinesHaveAsManyDigitsAsHalfKeeps) {
  // Numbers near 0.1 are 2^-14 apart: 0.1 is 1638.4 of these.
  EXPECT_THAT(found(curve("1: 0.1,", "half"), curve("1: 0.099999,", "half")), IsEmpty());
  EXPECT_THAT(found(curve("1: 0.1,", "half"), curve("1: 0.1002,", "half")),
              ElementsAre("/A.x spline"));
  EXPECT_THAT(found(curve("1: 0.1,", "float"), curve("1: 0.099999,", "float")),
              ElementsAre("/A.x spline"));
}

TEST(Differences, OfPrimsNameTheirOrderOnlyIfBothHaveAll) {
  const std::string ab = "def \"A\" {}\ndef \"B\" {}\n";
  const std::string ba = "def \"B\" {}\ndef \"A\" {}\n";
  EXPECT_THAT(found(ab, ba + "def \"C\" {}\n"), ElementsAre("/C "));
  EXPECT_THAT(found("def \"C\" {}\n" + ab, ba), ElementsAre("/C "));
}

TEST(Differences, TellRelationshipsFromAttributes) {
  EXPECT_THAT(found(in_prim("uniform int x"), in_prim("rel x")),
              ElementsAre("/A.x kind", "/A.x typeName"));
}

TEST(Differences, PassOverEmptyCommentsButNotOtherEmptyTexts) {
  TokenTable tokens;
  const auto with = [&](const char* key, const char* text) {
    return with_field(key, Value::scalar(ElementType::string, tokens.intern(text)));
  };
  const LayerPtr none = layer_of("");
  EXPECT_EQ(differences(*with("comment", ""), *none).size(), 0u);
  EXPECT_EQ(differences(*with("comment", "a"), *none).size(), 1u);
  EXPECT_EQ(differences(*with("documentation", ""), *none).size(), 1u);
  EXPECT_EQ(differences(*none, *with("documentation", "")).size(), 1u);
}

TEST(Differences, WantBothQuotesOfATextThatIsWritten) {
  TokenTable tokens;
  const auto count = [&](const char* source) {
    const auto with = [&](ElementType type, const char* text) {
      return with_field("unknown", Value::scalar(type, tokens.intern(text)));
    };
    return differences(*with(ElementType::string, "a"), *with(ElementType::unregistered, source))
        .size();
  };
  EXPECT_EQ(count("\"a\""), 0u);
  EXPECT_EQ(count("\"ab"), 1u);
  EXPECT_EQ(count("ba\""), 1u);
  EXPECT_EQ(count("\"ab\""), 1u);
}

TEST(SameValue, ComparesTheElementsOfEditsThatEditNothing) {
  ArrayEdit whole;
  whole.element = ElementType::int_;
  ArrayEdit real;
  real.element = ElementType::float_;
  EXPECT_TRUE(same_value(Value::array_edit(whole), Value::array_edit(whole)));
  EXPECT_FALSE(same_value(Value::array_edit(whole), Value::array_edit(real)));
}

}  // namespace
}  // namespace sinew::layer::compare_test
