// SPDX-License-Identifier: Apache-2.0
#include "sinew/usda/writer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <string>
#include <utility>

#include "sinew/core/bytes.hpp"
#include "sinew/layer/layer_builder.hpp"
#include "sinew/usda/parser.hpp"

namespace sinew::usda::writer_test {
using namespace layer;
namespace {

void expect_round_trip(const std::string& text) {
  Diagnostics diagnostics;
  const Result<LayerPtr> layer = parse(text, "a", diagnostics);
  ASSERT_TRUE(layer) << layer.error().message;
  const std::string written = write(**layer);
  const Result<LayerPtr> again = parse(written, "b", diagnostics);
  ASSERT_TRUE(again) << again.error().message << "\n" << written;
  EXPECT_TRUE(equal(**layer, **again)) << written;
  EXPECT_EQ(write(**again), written);
}

TEST(Write, RoundTripsALayerWithEverything) {  // usda 15
  expect_round_trip(R"(#usda 1.0
(
    "a comment"
    customLayerData = {
        dictionary d = {
            int[] i = [1, 2]
        }
        string "odd key" = "x"
    }
    defaultPrim = "A"
    relocates = { </A/B>: </A/C> }
    subLayers = [@a.usda@ (offset = 1; scale = 2), @@@b@c@@@]
    unknownField = (1, two, "three")
)

reorder rootPrims = ["C", "A"]

def Xform "A" (
    add references = [@x.usda@</P> (offset = 3; customData = { int a = 1 }), </Q>]
    apiSchemas = ["One", "Two"]
    inherits = </C>
    kind = "component"
    permission = private
    prefixSubstitutions = { "a": "b" }
    prepend payload = @p.usda@
    specializes = [</C>, </D>]
    symmetryFunction =
    variants = { string v = "x"; string w = "" }
    variantSets = ["v", "w"]
)
{
    reorder nameChildren = ["b", "a"]
    reorder properties = ["y", "x"]
    custom uniform token[] names = ["a", 'say "hi"', "tab\tend"] (
        doc = "documented"
        displayUnit = cm
    )
    float x = -0
    double y.timeSamples = { 1: 0.1, 2: None, 3.5: inf }
    half3 h = (0.1, 2, -65504)
    quatf q = (1, 2, 3, 4)
    matrix4d m = ((1,0,0,0),(0,1,0,0),(0,0,1,0),(5,6,7,1))
    asset a = @odd@
    asset[] many = [@a@, @@@b@c@@@]
    int64 big = -9223372036854775808
    bool flag = true
    point3f[] points = []
    foo strange = [a, b]
    int blocked = None
    float animated = AnimationBlock
    int[] edited = edit [append 5; write [0] to [-1]; resize 3 fill 7; erase [0]]
    float c.connect = [</A.x>, <../A.y>]
    prepend rel r = </A/b>
    delete rel r = </A/c>
    varying rel v = [</A>, </B.x>]
    rel none = None
    double s.spline = {
        bezier,
        pre: linear,
        post: sloped(2),
        1: 2; pre (0.5, 1); post curve (1, 2, custom),
        3: 4 & 5; post held; { int a = 1 },
    }

    def "b" {}

    variantSet "v" = {
        "x" (kind = "group") {
            int inside = 1
            def "child" {}
        }
        "empty" {}
    }
    variantSet "w" = {}
}

class "C" {}

over "D" {}
)");
}

// What it looks like: text in this form is written as it was read.
TEST(Write, IndentsWhateverItWrites) {
  const char* text = R"(#usda 1.0
(
    subLayers = [
        @a.usda@ (scale = 2),
        @b.usda@,
    ]
)

def "A" (
    prepend payload = [@p.usda@ (offset = -1)]
    references = [@x.usda@</P> (offset = 3; scale = 0.5; customData = {
        dictionary d = {
            int i = 1
        }
        int j = 2
    }), </Q> (scale = 2)]
)
{
}
)";
  Diagnostics diagnostics;
  const Result<LayerPtr> layer = parse(text, "test", diagnostics);
  ASSERT_TRUE(layer) << layer.error().message;
  EXPECT_EQ(write(**layer), text);
}

// In the very form it has in the text.
void expect_written_as_read(const std::string& text) {
  Diagnostics diagnostics;
  const Result<LayerPtr> layer = parse(text, "test", diagnostics);
  ASSERT_TRUE(layer) << layer.error().message;
  EXPECT_EQ(write(**layer, diagnostics), text);
  EXPECT_THAT(diagnostics, testing::IsEmpty());
}

TEST(Write, KeepsEveryFormOfArcsAndRelocates) {
  expect_written_as_read(R"(#usda 1.0
(
    relocates = {</A/B>: </A/C>, </A/D>: <>, </A/E>: </A/F>}
)

def "A" (
    inherits = [</B>, </C>]
    payload = [<>]
    delete references = [@x.usda@</B>]
    prepend references = [<>, @a.usda@, @a.usda@</B>, </B>]
    append references = [@c.usda@ (offset = 1)]
    relocates = {</A/B>: <>, </A/C>: </A/D>}
    prepend specializes = </B>
    variants = {
        string "v" = "x"
        string "w" = ""
    }
    prepend variantSets = ["v", "w"]
)
{
    variantSet "v" = {
        "1x" (
            kind = "group"
            typeName = "Mesh"
        )
        {
            int a
            int b

            def "C"
            {
            }

            def "D"
            {
            }
        }
        "y"
        {
        }
    }
    variantSet "w" = {}
}
)");
}

TEST(Write, KeepsEveryPartOfACurve) {  // usda 6.7
  expect_written_as_read(R"(#usda 1.3

def "A"
{
    double s.spline = {
        hermite,
        pre: none,
        post: loop oscillate(5),
        -1: 2; post none,
        0: 2.5; post linear,
        1: 2 & 3; pre (0.5); post held,
        2: 3; pre (-1, autoEase); post curve (1, custom),
    }
    float t.spline = {
        bezier,
        pre: sloped(-2),
        post: loop repeat,
        1: 2; pre (0, 1); post curve (0.5, 1, custom),
    }
    half u.spline = {
        pre: linear,
        post: held,
        loop: (1, 2, 3, 4, 0.5),
        1: 2,
    }
    double v.spline = {
        pre: loop reset,
    }
}
)");
}

TEST(Write, KeepsWhatPropertiesState) {
  expect_written_as_read(R"(#usda 1.2
(
    "a comment"
    doc = "documented"
)

reorder rootPrims = ["B", "A"]

over Mesh "A" (
    "a comment"
    active = 0
    delete apiSchemas = ["One"]
    prepend apiSchemas = ["Two", "Three"]
)
{
    reorder nameChildren = ["b"]
    reorder properties = ["y", "x"]
    custom uniform int[] x = [1, 2] (
        "a comment"
        hidden = 1
    )
    int[] y = edit [prepend [0]; append 5; write 1 to [-1]; insert [2] at [3]; erase [0]; minsize 1; maxsize 9; resize 3 fill 7]
    int z = None
    int z.timeSamples = {
        -inf: 1,
        0.5: None,
    }
    delete int z.connect = </B.x>
    int w.connect = []
    rel r = []
    rel s = </B>
    varying rel t = [</B>, </B.x>]
    append rel u = [</B>, </C>]
}

class "B"
{
}
)");
}

TEST(Write, MakesNoneOfWhatHasNoValue) {
  EXPECT_EQ(write_value(Value()), "None");
  EXPECT_EQ(write_value(Value::block()), "None");
  EXPECT_EQ(write_value(Value::animation_block()), "AnimationBlock");
}

TEST(Write, WritesWholeNumbersAndWhatIsNoneAsOneWord) {
  EXPECT_EQ(write_number(std::numeric_limits<double>::infinity()), "inf");
  EXPECT_EQ(write_number(-std::numeric_limits<double>::infinity()), "-inf");
  EXPECT_EQ(write_number(-std::numeric_limits<float>::infinity()), "-inf");
  EXPECT_EQ(write_number(std::numeric_limits<float>::quiet_NaN()), "nan");
  EXPECT_EQ(write_number(-std::numeric_limits<double>::quiet_NaN()), "nan");
  EXPECT_EQ(write_number(2.0), "2");
  EXPECT_EQ(write_number(-9007199254740992.0), "-9007199254740992");
}

TEST(Write, NamesLegacyTypesByTheirModernNames) {
  Diagnostics diagnostics;
  const Result<LayerPtr> layer =
      parse("#usda 1.0\ndef \"A\"\n{\nVec3f[] a\nPointFloat b\nFoo c\n}\n", "a", diagnostics);
  ASSERT_TRUE(layer) << layer.error().message;
  const std::string written = write(**layer);
  for (const char* declared : {"float3[] a\n", "point3f b\n", "Foo c\n"}) {
    EXPECT_THAT(written, testing::HasSubstr(declared));
  }
}

TEST(Write, SaysOnceThatAPropertyIsCustom) {
  const std::string text =
      "#usda 1.0\n\ndef \"A\"\n{\n"
      "    custom double a = 1\n    double a.timeSamples = {\n        1: 2,\n    }\n"
      "    double a.connect = </B.b>\n"
      "    custom rel r\n    rel r.default = </C>\n    prepend rel r = </D>\n}\n";
  expect_round_trip(text);
  Diagnostics diagnostics;
  const Result<LayerPtr> layer = parse(text, "a", diagnostics);
  ASSERT_TRUE(layer);
  EXPECT_EQ(write(**layer), text);
}

TEST(Write, QuotesFloatsShortest) {
  EXPECT_EQ(write_number(0.1F), "0.1");
  EXPECT_EQ(write_number(1e-7), "1e-07");
  EXPECT_EQ(write_number(-0.0), "-0");
}

TEST(Write, EscapesWhatStringsCannotHold) {
  const auto written = [](std::string_view text) {
    TokenTable tokens;
    return write_value(Value::scalar(ElementType::string, tokens.intern(text)));
  };
  EXPECT_EQ(written("plain"), R"("plain")");
  EXPECT_EQ(written("say \"a\""), R"('say "a"')");
  EXPECT_EQ(written("it's"), R"("it's")");
  EXPECT_EQ(written("'a' \"b\""), R"("'a' \"b\"")");
  EXPECT_EQ(written("a\nb\"\"\"'"), "\"\"\"a\nb\\\"\\\"\\\"'\"\"\"");
  EXPECT_EQ(written("\"a\nb"), "'''\"a\nb'''");
  EXPECT_EQ(written("a\rb\tc\\"), R"("a\rb\tc\\")");
  EXPECT_EQ(written("\x01\x1F \x7F~"), R"("\x01\x1f \x7f~")");
  EXPECT_EQ(written("\xC3\xA4"), "\"\xC3\xA4\"");
  EXPECT_EQ(written("\xC3\xA4\xFF"), R"("\xc3\xa4\xff")");
}

TEST(Write, WritesFilesWithAndWithoutDiagnostics) {
  LayerBuilder builder("built.usda");
  builder.set_field(builder.root(), "a:b", Value::scalar(ElementType::int_, std::int32_t{1}));
  ASSERT_TRUE(builder.add_prim(builder.root(), Specifier::def, "Mesh", "body"));
  const LayerPtr layer = std::move(builder).finish();
  const std::string file =
      (std::filesystem::temp_directory_path() / "sinew_write_files_test.usda").string();
  const auto contents = [&] {
    const std::string text(read_file(file).value_or({}).text());
    std::filesystem::remove(file);
    return text;
  };
  Diagnostics diagnostics;

  ASSERT_TRUE(write_file(*layer, file));
  EXPECT_EQ(contents(), "#usda 1.0\n\ndef Mesh \"body\"\n{\n}\n");
  ASSERT_TRUE(write_file(*layer, file, diagnostics));
  EXPECT_EQ(contents(), "#usda 1.0\n\ndef Mesh \"body\"\n{\n}\n");
  EXPECT_EQ(diagnostics.size(), 1u);
  const Status refused = write_file(*layer, file + "/none/a.usda");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::io_failed);
}

TEST(LayerBuilder, MakesLayersThatReadBack) {
  LayerBuilder builder("built.usda");
  const Result<LayerBuilder::Prim*> prim =
      builder.add_prim(builder.root(), Specifier::def, "Mesh", "body");
  ASSERT_TRUE(prim);
  ASSERT_TRUE(
      builder.set_default(*prim, "float", "size", Value::scalar(ElementType::float_, 2.5F)));
  const LayerPtr layer = std::move(builder).finish();
  Diagnostics diagnostics;
  const Result<LayerPtr> again = parse(write(*layer), "again", diagnostics);

  ASSERT_TRUE(again);
  EXPECT_TRUE(equal(*layer, **again));
}

TEST(LayerBuilder, RejectsBadNamesRepeatsAndTypes) {
  LayerBuilder builder("built.usda");
  EXPECT_FALSE(builder.add_prim(builder.root(), Specifier::def, "", "1a"));
  const Result<LayerBuilder::Prim*> prim =
      builder.add_prim(builder.root(), Specifier::def, "", "a");
  EXPECT_FALSE(builder.add_prim(builder.root(), Specifier::def, "", "a"));
  EXPECT_FALSE(builder.set_default(*prim, "double", "x", Value::scalar(ElementType::float_, 1.0F)));
  EXPECT_FALSE(
      builder.set_default(*prim, "float", "x y", Value::scalar(ElementType::float_, 1.0F)));
}

}  // namespace
}  // namespace sinew::usda::writer_test
