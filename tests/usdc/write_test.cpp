// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "sinew/core/types.hpp"
#include "sinew/layer/compare.hpp"
#include "sinew/layer/layer_builder.hpp"
#include "sinew/usda/parser.hpp"
#include "sinew/usda/writer.hpp"
#include "sinew/usdc/reader.hpp"
#include "sinew/usdc/writer.hpp"
#include "usdc/inline_value.hpp"
#include "usdc/output.hpp"
#include "usdc/value_writer.hpp"
#include "usdc/write_tables.hpp"

namespace sinew::usdc::write_test {
namespace {

using layer::ElementType;
using layer::Value;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Two blanks and closing braces stand for the line breaks that the grammar wants there.
std::string broken_up(std::string text) {
  for (const auto& [from, to] : {std::pair("  ", "\n"), std::pair(" }", "\n}")}) {
    for (std::size_t i = text.find(from); i != std::string::npos; i = text.find(from, i)) {
      text.replace(i, 2, to);
    }
  }
  return text;
}

layer::LayerPtr parse(const std::string& text) {
  const std::string body = broken_up(text);
  Diagnostics diagnostics;
  auto layer = usda::parse("#usda 1.0\n" + body, "a.usda", diagnostics);
  EXPECT_TRUE(layer) << (layer ? "" : layer.error().message);
  return layer ? *layer : nullptr;
}

Bytes write_bytes(const layer::Layer& layer) {
  Diagnostics diagnostics;
  auto bytes = write(layer, diagnostics);
  EXPECT_TRUE(bytes && diagnostics.empty());
  return *bytes;
}

layer::LayerPtr read_back(const Bytes& bytes) {
  Diagnostics diagnostics;
  auto layer = read(bytes, "a.usdc", diagnostics);
  EXPECT_TRUE(layer && diagnostics.empty()) << (diagnostics.empty() ? "" : diagnostics[0].message);
  return *layer;
}

// What is written and read again says the same.
void expect_kept(const std::string& body) {
  SCOPED_TRACE(body);
  const layer::LayerPtr layer = parse(body);
  const Bytes bytes = write_bytes(*layer);
  const layer::LayerPtr again = read_back(bytes);
  for (const layer::Difference& d : layer::differences(*layer, *again)) {
    ADD_FAILURE() << d.path << " " << d.field << ": " << d.a << " | " << d.b;
  }
  EXPECT_EQ(write_bytes(*again).text(), bytes.text());
}

int minor_version(const std::string& body) {
  return std::to_integer<int>(write_bytes(*parse(body)).span()[9]);
}

template <typename T>
std::optional<std::uint32_t> inlined(ElementType type, const T& value) {
  return inline_value(type, std::as_bytes(std::span(&value, 1)));
}

TEST(InlineValue, HoldsWhatReadsBackToTheSameBits) {  // usdc 16.4
  EXPECT_EQ(inlined(ElementType::double_, 1.0), 0x3F800000U);
  EXPECT_EQ(inlined(ElementType::double_, 0.1), std::nullopt);
  EXPECT_EQ(inlined(ElementType::double_, 1e300), std::nullopt);
  EXPECT_EQ(inlined(ElementType::double_, std::nan("")), std::nullopt);
  EXPECT_EQ(inlined(ElementType::double_, -0.0), 0x80000000U);
  EXPECT_EQ(inlined(ElementType::int64, std::int64_t{-1}), 0xFFFFFFFFU);
  EXPECT_EQ(inlined(ElementType::int64, std::int64_t{1} << 31), std::nullopt);
  EXPECT_EQ(inlined(ElementType::uint64, (std::uint64_t{1} << 32) - 1), 0xFFFFFFFFU);
  EXPECT_EQ(inlined(ElementType::float3, Vector3f(0, 1, 2)), 0x00020100U);
  EXPECT_EQ(inlined(ElementType::float3, Vector3f(0, -1, -128)), 0x0080FF00U);
  EXPECT_EQ(inlined(ElementType::float3, Vector3f(0, 1, 128)), std::nullopt);
  EXPECT_EQ(inlined(ElementType::float3, Vector3f(-0.0F, 1, 2)), std::nullopt);
  EXPECT_EQ(inlined(ElementType::float3, Vector3f(0.5F, 1, 2)), std::nullopt);
  EXPECT_EQ(inlined(ElementType::half2, Vector2h(Half(0.0F), Half(1.0F))), 0x3C000000U);
  Matrix4d matrix = Matrix4d::Identity();
  EXPECT_EQ(inlined(ElementType::matrix4d, matrix), 0x01010101U);
  matrix(3, 0) = -0.0;
  EXPECT_EQ(inlined(ElementType::matrix4d, matrix), std::nullopt);
}

TEST(Write, KeepsListEditsOfEveryKindOfNumber) {
  const auto expect = [](ElementType type, auto first, auto second) {
    layer::LayerBuilder builder("a.usda");
    layer::ListOp<layer::Value> op;
    op.prepended = {layer::Value::scalar(type, first)};
    op.deleted = {layer::Value::scalar(type, second), layer::Value::scalar(type, first)};
    builder.set_field(builder.root(), "list", layer::Value::list_op(op));
    const layer::LayerPtr layer = std::move(builder).finish();
    const layer::LayerPtr again = read_back(write_bytes(*layer));
    EXPECT_TRUE(layer::differences(*layer, *again).empty()) << static_cast<int>(type);
    EXPECT_EQ(again->root().fields.size(), 1U) << static_cast<int>(type);
  };
  expect(ElementType::int_, std::int32_t{-5}, std::int32_t{7});
  expect(ElementType::uint, std::uint32_t{0xFFFFFFFFU}, std::uint32_t{7});
  expect(ElementType::int64, std::int64_t{-5000000000}, std::int64_t{7});
  expect(ElementType::uint64, ~std::uint64_t{0}, std::uint64_t{7});
}

TEST(PathTable, OrdersSubtreesAndEncodesThem) {
  TextTable tokens;
  tokens.add(";-)");
  PathTable paths(tokens);
  const auto b = paths.add_path("/B");
  const auto leaf = paths.add_path("/A/C.x");
  const auto target = paths.add_path("/A.r[/B].w");
  const auto variant = paths.add_path("/D{v=x}{w=}E.y");
  ASSERT_TRUE(b && leaf && target && variant);
  const PathTable::Ordered ordered = paths.ordered();
  std::vector<std::string> texts;
  for (const std::uint32_t node : ordered.nodes) texts.push_back(paths.text(node));
  EXPECT_THAT(texts,
              ElementsAre("/", "/B", "/A", "/A/C", "/A/C.x", "/A.r", "/A.r[/B]", "/A.r[/B].w", "/D",
                          "/D{v=x}", "/D{v=x}{w=}", "/D{v=x}{w=}E", "/D{v=x}{w=}E.y"));
  EXPECT_THAT(ordered.jumps, ElementsAre(-1, 0, 6, 2, -2, -1, -1, -2, -1, -1, -1, -1, -2));
}

TEST(PathTable, RefusesWhatIsNoAbsolutePath) {
  TextTable tokens;
  PathTable paths(tokens);
  for (const char* text : {"", "A", "../A", "/A.", "/A{v=x", "/A.r[B]", "/A.r[/B", "/A//B"}) {
    EXPECT_EQ(paths.add_path(text), std::nullopt) << text;
  }
}

TEST(WriteCrate, KeepsPrimsPropertiesAndMetadata) {
  expect_kept(R"((
    "a comment"
    defaultPrim = "A"
    metersPerUnit = 0.01
    subLayers = [@b.usda@ (offset = 2; scale = 3), @c.usda@]
    customLayerData = { double[] d = [1, 2]  string s = "x"  dictionary e = {} }
)
reorder rootPrims = ["B", "A"]
class Xform "A" (
    doc = "text"
    kind = "component"
    apiSchemas = ["X", "Y"]
    inherits = </B>
    prepend references = [@r.usda@</R> (offset = 1; customData = { int i = 1 }), </B>]
    payload = @p.usda@
    variants = { string v = "x"  string u = "" }
    prepend variantSets = ["v", "u"]
    unknown = [(1, 2)]
    hidden = true
)
{
    reorder properties = ["b", "a"]
    custom uniform float3[] b = [(1, 2, 3), (4, 5, 6.5)] (doc = "b"  customData = { bool f = 1 })
    double a.timeSamples = { 1: 1, 2: None, 3.5: 0.1 }
    double a.connect = </B.x>
    rel r = [</B>, </A.b>]
    custom rel empty
    token t = "x"
    asset[] s = [@a@, @b@]
    variantSet "v" = { "x" { def "C" { int i = 1 } }  "y" (hidden = false) { } }
}
over "B" (payload = None  specializes = </A>) { int x.timeSamples = {}  string e = ""  int n = None }
)");
}

TEST(WriteCrate, KeepsEveryTypeOfValue) {
  expect_kept(R"(def "A" {
    bool a = 1  uchar b = 255  int c = -5  uint d = 4294967295  int64 e = -5000000000
    uint64 f = 18446744073709551615  half g = 0.5  float h = 0.1  double i = 0.1  timecode j = 2
    string k = "s"  token l = "t"  asset m = @a@  int2 n = (1, -2)  int3 o = (1, 2, 300)
    half2 p = (1, 0.5)  half3 q = (1, 2, 3)  float4 r = (1, 2, 3, -0)  double2 s = (0.1, 2)
    quatf t = (1, 2, 3, 4)  quath u = (1, 0, 0, 0)  quatd v = (1, 0, 0, 0.5)
    matrix2d w = ((1, 0), (0, 2))  matrix3d x = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    matrix4d y = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0.5, 0, 0, 1))
    bool[] aa = [1, 0]  uchar[] ba = [1, 2]  int[] ca = []  string[] ka = ["x", "y", "x"]
    token[] la = ["x"]  timecode[] ja = [1]  quatf[] ta = [(1, 2, 3, 4)]  half2[] pa = [(1, 2)]
    double[] nan = [nan, inf, -0]  double z = nan
})");
}

TEST(WriteCrate, KeepsCompressedArraysBitByBit) {
  std::string integers;
  std::string whole;
  std::string few;
  std::string many;
  for (int i = 0; i < 300; ++i) {
    integers += std::to_string(i * i * 7919 - 1000000) + ", ";
    whole += std::to_string(i - 3) + ", ";
    few += i % 3 == 0 ? "0.25, " : "-0, ";
    many += std::to_string(i) + ".37, ";
  }
  for (const std::string& numbers : {whole, few, many}) {
    for (const char* type : {"half[]", "float[]", "double[]"}) {
      expect_kept("def \"A\" { " + std::string(type) + " a = [" + numbers + "] }");
    }
  }
  for (const char* type : {"int[]", "int64[]"}) {
    expect_kept("def \"A\" { " + std::string(type) + " a = [" + integers + "] }");
  }
}

TEST(WriteCrate, PacksNumbersThatAreWholeOrFew) {  // usdc 16.5
  const auto size_of = [](const char* type, const std::function<std::string(int)>& number) {
    std::string numbers;
    for (int i = 0; i < 300; ++i) numbers += number(i) + ", ";
    return write_bytes(*parse("def \"A\" { " + std::string(type) + " a = [" + numbers + "] }"))
        .size();
  };
  for (const auto& [type, bytes] : {std::pair("float[]", 4U), std::pair("double[]", 8U)}) {
    const auto whole = [](int i) { return std::to_string(i); };
    const auto few = [](int i) { return std::to_string(i % 5) + ".25"; };
    const auto many = [](int i) { return std::to_string(i) + ".37"; };
    EXPECT_LT(size_of(type, whole) + 200U * bytes, size_of(type, many)) << type;
    EXPECT_LT(size_of(type, few) + 200U * bytes, size_of(type, many)) << type;
  }
}

TEST(WriteCrate, DoesNotTakeMinusZeroOrTwoToThe31ForWholeNumbers) {  // usdc 16.5
  std::string numbers;
  for (int i = 0; i < 20; ++i) numbers += i == 7 ? "-0, " : "2147483648, ";
  expect_kept("def \"A\" { double[] a = [" + numbers + "] }");
  expect_kept("def \"A\" { float[] a = [" + numbers + "] }");
}

TEST(WriteCrate, KeepsSplinesAndArrayEdits) {
  expect_kept(R"(def "A" {
    double a.spline = { bezier, pre: sloped(0.5), post: loop repeat, loop: (1, 2, 0, 3, 0.5),
      1: 2; pre (1, 2); post curve (3, 4); { string s = "x" }, 2: 3 & 4; post held, }
    float c.spline = { hermite, 1: 0.1; pre (0.3); post curve (0.7), 2: 0.2, }
    double f.spline = { hermite, 1: 2; pre (2, 3); post curve (4, 5), 2: 3, }
    timecode d.spline = { post: loop oscillate(7), 1: 0.1, }
    opaqueType e = (1, 2)
    int[] b = edit [write 1 to [0]; prepend 3; append 4; append 5; insert 6 at [2]; erase [1];
      minsize 5 fill 7; resize 9; maxsize 20; write [2] to [3]]
})");
}

TEST(WriteCrate, KeepsWhatMetadataKnowsByName) {
  expect_kept(R"(def "A" (
    permission = private
    prepend clipSets = ["b", "a"]
    delete clipSets = ["c"]
    inactiveIds = [3, -5000000000]
    unknownDictionary = { int a = 1 }
) {
    float a (permission = public)
    rel r (permission = private)
}
def "B" (append inactiveIds = [7]  delete inactiveIds = [8, 9]) { })");
}

TEST(WriteCrate, KeepsListsOfSources) {
  expect_kept(R"((
    delete unknown = [six]
    prepend unknown = [1, two, "three", (4, 5), [6, 7]]
    append unknown = [1]
    add other = ["a"]
    reorder other = ["a", b]
) def "A" (prepend unknown = [1, two]) { })");
}

TEST(WriteCrate, KeepsPayloadsOfEveryForm) {
  expect_kept(R"(def "A" (payload = [@a@, @b@</B> (offset = 2; scale = 3), </C>]) { }
def "B" (payload = </C>) { }
def "C" (prepend payload = [@a@</X>]  delete payload = [@b@]) { }
def "D" (payload = @d@ (offset = -1)) { }
def "E" (payload = []) { })");
}

TEST(WriteCrate, KeepsSplinesOfHalvesAndBlocksOfAnimation) {
  expect_kept(R"(def "A" {
    half a.spline = { post: sloped(0.1), 1: 0.1 & 2; pre (1.5, 0.3); post curve (2.25, 65504), 2: -3, }
    half b = AnimationBlock
    half[] c = AnimationBlock
})");
}

TEST(WriteCrate, AsksForTheVersionThatItsContentNeeds) {  // usdc 16.1
  EXPECT_EQ(minor_version("def \"A\" { int a = 1 }"), 8);
  EXPECT_EQ(minor_version("def \"A\" { timecode a = 1 }"), 9);
  EXPECT_EQ(minor_version("def \"A\" (customData = { timecode t = 1 }) { }"), 9);
  EXPECT_EQ(minor_version("def \"A\" { pathExpression a = \"//\" }"), 10);
  EXPECT_EQ(minor_version("(relocates = { </A/B>: </A/C> })"), 11);
  EXPECT_EQ(minor_version("def \"A\" { double a.spline = { 1: 2, } }"), 12);
  EXPECT_EQ(minor_version("def \"A\" { double a.spline = { 1: 2; pre (1, 0, custom), } }"), 13);
  EXPECT_EQ(minor_version("def \"A\" { int[] a = edit [append 1] }"), 14);
  EXPECT_EQ(minor_version("def \"A\" { double a.spline = { pre: loop repeat(0), 1: 2, } }"), 15);
}

TEST(WriteCrate, WritesAHigherVersionIfAsked) {
  Diagnostics diagnostics;
  WriteOptions options;
  options.version = {0, 12, 0};
  const auto bytes = write(*parse("def \"A\" { }"), diagnostics, options);
  ASSERT_TRUE(bytes);
  EXPECT_EQ(std::to_integer<int>(bytes->span()[9]), 12);
  options.version = {0, 7, 0};
  const auto old = write(*parse(""), diagnostics, options);
  ASSERT_FALSE(old);
  EXPECT_EQ(old.error().code, ErrorCode::invalid_argument);
}

TEST(WriteCrate, GivesTheSameBytesWhateverTheTokens) {
  const std::string body =
      "def \"A\" { token[] t = [\"b\", \"a\"]  string s = \"b\" }  def \"B\" { }";
  const Bytes first = write_bytes(*parse(body));
  Diagnostics diagnostics;
  usda::ParseOptions options;
  options.tokens = std::make_shared<TokenTable>(12345);
  for (int i = 0; i < 1000; ++i) options.tokens->intern("other" + std::to_string(i));
  const auto layer = usda::parse("#usda 1.0\n" + broken_up(body), "b.usda", diagnostics, options);
  ASSERT_TRUE(layer);
  EXPECT_EQ(write_bytes(**layer).text(), first.text());
}

TEST(WriteCrate, StoresEqualArraysOnce) {
  std::string points;
  for (int i = 0; i < 1000; ++i) points += "(0.1, 0.2, " + std::to_string(i) + ".3), ";
  const std::string one = "float3[] p = [" + points + "]";
  const std::size_t single = write_bytes(*parse("def \"A\" { " + one + " }")).size();
  const std::size_t both =
      write_bytes(*parse("def \"A\" { " + one + " }  def \"B\" { " + one + " }")).size();
  EXPECT_LT(both, single + 100);
}

TEST(WriteCrate, KeepsZeroAndMinusZeroApart) {
  expect_kept("def \"A\" { float3[] a = [(0, 0.5, 1)]  float3[] b = [(-0, 0.5, 1)] }");
}

TEST(WriteCrate, WarnsAboutWhatHasNoPlaceInTheFormat) {  // usdc 16.7
  const layer::LayerPtr layer = parse(R"(def "A" (relocates = { <B>: <C> }) {
    double a = 1 (displayUnit = mm)
    string b = "x\x00y"
    rel r
    rel r.default = </A>
})");
  Diagnostics diagnostics;
  const auto bytes = write(*layer, diagnostics);
  ASSERT_TRUE(bytes);
  std::vector<std::string> paths;
  for (const Diagnostic& diagnostic : diagnostics) {
    EXPECT_EQ(diagnostic.code, "usdc-not-representable");
    paths.push_back(diagnostic.path);
  }
  EXPECT_THAT(paths, ElementsAre("/A", "/A.a", "/A.b", "/A.r"));
  const auto again = read_back(*bytes);
  ASSERT_NE(again->find_prim("/A"), nullptr);
  EXPECT_EQ(again->find_prim("/A")->properties.size(), 3U);
}

// "path key" of each warning, and what is read of the file; no fault is found there.
struct Kept {
  std::vector<std::string> names;
  layer::LayerPtr layer;
};

Kept kept_of(const layer::Layer& layer) {
  Kept kept;
  Diagnostics diagnostics;
  const auto bytes = write(layer, diagnostics);
  EXPECT_TRUE(bytes);
  for (const Diagnostic& diagnostic : diagnostics) {
    EXPECT_EQ(diagnostic.code, "usdc-not-representable");
    const std::string& message = diagnostic.message;
    kept.names.push_back(diagnostic.path + " " +
                         message.substr(1, message.find("' is left out") - 1));
  }
  if (bytes) kept.layer = read_back(*bytes);
  return kept;
}

TEST(WriteCrate, NamesWhatOnlyPrimsHave) {
  layer::LayerBuilder builder("a.usda");
  const auto path = [](const char* text) { return layer::Path::parse(text).value_or({}); };
  const auto name = [&](const char* text) { return builder.tokens().intern(text); };
  layer::PrimExtra& extra = builder.extra(builder.root());
  extra.references.prepended.resize(1);
  extra.payloads.prepended.resize(1);
  extra.inherits.prepended = {path("/A")};
  extra.specializes.prepended = {path("/A")};
  extra.variant_set_names.prepended = {name("v")};
  extra.variant_selections = {{name("v"), name("x")}};
  extra.relocates = {{path("/A/B"), path("/A/C")}};
  extra.property_order = {name("x")};
  extra.child_order = {name("A")};
  ASSERT_TRUE(builder.set_default(builder.root(), "int", "x", Value::scalar(ElementType::int_, 1)));
  const Kept kept = kept_of(*std::move(builder).finish());
  EXPECT_THAT(kept.names, ElementsAre("/ properties", "/ relocates", "/ references", "/ payload",
                                      "/ inheritPaths", "/ specializes", "/ variantSetNames",
                                      "/ variantSelection", "/ propertyOrder"));
  ASSERT_NE(kept.layer->root().extra, nullptr);
  EXPECT_THAT(kept.layer->root().extra->child_order, ElementsAre(kept.layer->tokens()->find("A")));
}

TEST(WriteCrate, LeavesItemsOutThatNoListOfSourcesHolds) {
  layer::LayerBuilder builder("a.usda");
  const auto text = [&](ElementType type, const char* source) {
    return Value::scalar(type, builder.tokens().intern(source));
  };
  layer::ListOp<Value> op;
  op.prepended = {text(ElementType::unregistered, "one"),  Value::scalar(ElementType::double_, 2.5),
                  text(ElementType::unregistered, "\xff"), Value::dictionary({}),
                  text(ElementType::token, "five"),        text(ElementType::unregistered, "six")};
  op.deleted = {Value::scalar(ElementType::int_, 7)};
  builder.set_field(builder.root(), "list", Value::list_op(op));
  builder.set_field(builder.root(), "missing", Value());
  builder.set_field(builder.root(), "source", text(ElementType::unregistered, "\xff"));
  const Kept kept = kept_of(*std::move(builder).finish());
  EXPECT_THAT(kept.names, ElementsAre("/ list[1]", "/ list[2]", "/ list[4]", "/ list[0]",
                                      "/ missing", "/ source"));
  ASSERT_EQ(kept.layer->root().fields.size(), 1U);
  const auto& again = *kept.layer->field("list")->as_list_op();
  ASSERT_EQ(again.prepended.size(), 3U);
  EXPECT_EQ(again.prepended[0].text(), "one");
  EXPECT_EQ(again.prepended[1], Value::dictionary({}));
  EXPECT_EQ(again.prepended[2].text(), "six");
  EXPECT_TRUE(again.deleted.empty());
}

TEST(WriteCrate, LeavesSamplesOutThatHaveNoPlace) {
  layer::LayerBuilder builder("a.usda");
  const auto text = [&](std::string_view value) {
    return Value::scalar(ElementType::string, builder.tokens().intern(value));
  };
  const Value nul = text(std::string_view("x\0y", 3));
  layer::ArrayEdit edit;
  edit.element = ElementType::int_;
  edit.instructions.resize(1);
  edit.instructions[0].kind = layer::ArrayEdit::Kind::append;
  edit.instructions[0].literal = Value::scalar(ElementType::double_, 1.0);
  const auto a = *builder.add_prim(builder.root(), layer::Specifier::def, "", "A");
  const double nan = std::nan("");
  ASSERT_TRUE(builder.set_time_samples(
      a, "string", "x", {{1.0, 2.0, 3.0, nan}, {text("one"), nul, text("three"), nul}}));
  ASSERT_TRUE(builder.set_time_samples(
      a, "unknown", "y",
      {{1.0, 2.0, 3.0, 4.0, 5.0},
       {Value::dictionary({}), Value::list_op({}), Value::token_list_op({}), Value::block(),
        Value::animation_block()}}));
  ASSERT_TRUE(builder.set_time_samples(a, "int[]", "z",
                                       {{5.0, nan}, {Value::array_edit(edit), Value::block()}}));
  ASSERT_TRUE(builder.set_default(a, "int[]", "w", Value::array_edit(edit)));
  const Kept kept = kept_of(*std::move(builder).finish());
  EXPECT_THAT(kept.names, testing::UnorderedElementsAre(
                              "/A.w default", "/A.x timeSamples", "/A.x timeSamples",
                              "/A.y timeSamples", "/A.y timeSamples", "/A.y timeSamples",
                              "/A.y timeSamples", "/A.z timeSamples", "/A.z timeSamples"));
  const auto samples_of = [&](const char* name) -> const layer::TimeSamples& {
    const layer::PrimSpec& prim = *kept.layer->find_prim("/A");
    const auto* of = kept.layer->find_property(prim, kept.layer->tokens()->find(name));
    EXPECT_TRUE(of->extra->has_time_samples) << name;
    return of->extra->time_samples;
  };
  EXPECT_THAT(samples_of("x").times, ElementsAre(1.0, 3.0));
  EXPECT_EQ(samples_of("x").values[1].text(), "three");
  EXPECT_THAT(samples_of("y").times, ElementsAre(4.0));
  EXPECT_TRUE(samples_of("y").values[0].is_block());
  EXPECT_TRUE(samples_of("z").times.empty());
}

TEST(WriteCrate, TellsOfAHundredAndThatThereIsMore) {
  for (const int count : {100, 101, 150}) {
    layer::LayerBuilder builder("a.usda");
    for (int i = 0; i < count; ++i) {
      builder.set_field(builder.root(), "k" + std::to_string(i), Value());
    }
    Diagnostics diagnostics;
    ASSERT_TRUE(write(*std::move(builder).finish(), diagnostics));
    ASSERT_EQ(diagnostics.size(), count == 100 ? 100U : 101U);
    EXPECT_EQ(diagnostics[99].message,
              "'k99' is left out: a binary file has no place for a missing value.");
    if (count == 100) continue;
    EXPECT_EQ(diagnostics[100].message,
              "More of the layer has no place in a binary file and is left out.");
  }
}

TEST(WriteCrate, TakesArraysOfAnyAlignment) {
  const auto expect = [](ElementType type, const char* type_name, auto zero) {
    using T = decltype(zero);
    std::vector<T> numbers;
    for (int i = 0; i < 40; ++i) numbers.push_back(static_cast<T>(i * i * 77 - 1000));
    const std::span<const std::byte> bytes = std::as_bytes(std::span(numbers));
    const Value aligned = Value::array<T>(type, numbers);
    for (std::size_t offset = 0; offset <= sizeof(T); ++offset) {
      const Bytes shifted(std::string(offset, 'x') +
                          std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
      layer::LayerBuilder builder("a.usda");
      const auto a = *builder.add_prim(builder.root(), layer::Specifier::def, "", "A");
      ASSERT_TRUE(builder.set_default(
          a, type_name, "x",
          Value::array_from_buffer(type, Buffer::view_of(shifted.slice(offset, bytes.size())))));
      const auto again = read_back(write_bytes(*std::move(builder).finish()));
      EXPECT_EQ(again->find_prim("/A")->properties[0].default_value, aligned) << offset;
    }
  };
  expect(ElementType::int_, "int[]", std::int32_t{});
  expect(ElementType::uint64, "uint64[]", std::uint64_t{});
  expect(ElementType::float_, "float[]", 0.0F);
  expect(ElementType::double_, "double[]", 0.0);
}

// More than the writer keeps in one piece.
TEST(WriteCrate, GivesTheSameBytesInMemoryAndInAFile) {
  layer::LayerBuilder builder("a.usda");
  const auto a = *builder.add_prim(builder.root(), layer::Specifier::def, "", "A");
  for (const int count : {100'000, 400'000, 7}) {
    std::vector<double> numbers;
    for (int i = 0; i < count; ++i) numbers.push_back(std::sqrt(i + count));
    ASSERT_TRUE(builder.set_default(a, "double[]", "x" + std::to_string(count),
                                    Value::array<double>(ElementType::double_, numbers)));
  }
  const layer::LayerPtr layer = std::move(builder).finish();
  const auto file = std::filesystem::temp_directory_path() / "sinew_write_same_test.usdc";
  Diagnostics diagnostics;

  const Bytes in_memory = write_bytes(*layer);
  ASSERT_TRUE(write_file(*layer, file.string(), diagnostics));
  const auto in_file = sinew::read_file(file.string());
  std::filesystem::remove(file);

  ASSERT_TRUE(in_file);
  EXPECT_GT(in_memory.size(), 3U << 20);
  EXPECT_TRUE(in_file->text() == in_memory.text());
  EXPECT_TRUE(layer::differences(*layer, *read_back(in_memory)).empty());
}

TEST(WriteCrate, TellsOfAFullDisk) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no full file here";
  Diagnostics diagnostics;
  const Status status = write_file(*parse("def \"A\" { int a = 1 }"), "/dev/full", diagnostics);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::io_failed);
  EXPECT_EQ(status.error().message, "cannot write '/dev/full': the disk may be full.");
}

TEST(WriteCrate, LeavesVariantsWithoutNamesOut) {
  const Kept kept = kept_of(*parse(R"(def "A" (variantSets = ["v", "w"]) {
    variantSet "" = { "x" { int a = 1 } }
    variantSet "v" = { "" { int b = 1  def "C" { int c = 1 } }  "x" { int d = 1 } }
    variantSet "w" = { "" { } }
})"));
  EXPECT_THAT(kept.names, ElementsAre("/A variantSet", "/A variantSet:v", "/A variantSet:w"));
  const auto& sets = kept.layer->find_prim("/A")->extra->variant_sets;
  ASSERT_EQ(sets.size(), 2U);
  ASSERT_EQ(sets[0].variants.size(), 1U);
  EXPECT_EQ(sets[0].variants[0].prim->properties.size(), 1U);
  EXPECT_TRUE(sets[1].variants.empty());
}

TEST(WriteCrate, LeavesMetadataOutThatIsNamedLikeStructure) {
  const Kept kept = kept_of(*parse(R"((
    typeName = "Foo"
    specifier = "x"
    inheritPaths = "y"
    propertyOrder = ["a"]
    variantChildren = ["x"]
)
def "A" (
    connectionPaths = "x"
    variability = "z"
    connectionChildren = "q"
    subLayerOffsets = "q"
    variantChildren = ["x"]
    unknown = 1
) {
    float a (specifier = "foo"  primOrder = "y"  targetPaths = "u"  unknown = 1)
    rel r (typeName = "foo"  connectionPaths = "x")
})"));
  EXPECT_THAT(kept.names,
              ElementsAre("/ typeName", "/ specifier", "/ inheritPaths", "/ propertyOrder",
                          "/ variantChildren", "/A connectionPaths", "/A variability",
                          "/A connectionChildren", "/A subLayerOffsets", "/A variantChildren",
                          "/A.a specifier", "/A.a primOrder", "/A.a targetPaths", "/A.r typeName",
                          "/A.r connectionPaths"));
  EXPECT_EQ(kept.layer->find_prim("/A")->fields.size(), 1U);
  EXPECT_EQ(kept.layer->find_prim("/A")->properties[0].fields.size(), 1U);
}

TEST(WriteCrate, TellsOfTheTypeThatReadersTakeForNone) {
  const Kept kept = kept_of(*parse("def \"A\" (typeName = \"__AnyType__\") { }"));
  EXPECT_THAT(kept.names, ElementsAre("/A typeName"));
  EXPECT_TRUE(kept.layer->find_prim("/A")->type_name.empty());
}

TEST(WriteCrate, KeepsPermissionsThatAreNone) {
  layer::LayerBuilder builder("a.usda");
  const auto prim = builder.add_prim(builder.root(), layer::Specifier::def, "", "A");
  builder.set_field(*prim, "permission",
                    Value::scalar(ElementType::string, builder.tokens().intern("weird")));
  const Kept kept = kept_of(*std::move(builder).finish());
  EXPECT_EQ(kept.layer->find_prim("/A")->field("permission")->text(), "weird");
}

TEST(WriteCrate, LeavesPartsOutRatherThanTheWhole) {
  const Kept kept = kept_of(*parse(R"(def "A" (
    customData = { int a = 1  dictionary d = { string s = "x\x00"  int i = 2 } }
    prepend references = [@r.usda@ (customData = { string "a" = "x\x00"  int b = 2 }), @s.usda@]
    prepend apiSchemas = ["x\x00", "Y"]
    variants = { string "v" = "x"  string "w\x00" = "y" }
) {
    double c.spline = { 1: 2; { string s = "x\x00"  int i = 1 }, }
})"));
  EXPECT_THAT(kept.names, testing::UnorderedElementsAre(
                              "/A customData:d:s", "/A references:customData:a", "/A apiSchemas[0]",
                              HasSubstr("/A variantSelection:w"), "/A.c spline:customData:s"));
  const layer::PrimSpec& prim = *kept.layer->find_prim("/A");
  EXPECT_EQ(prim.field("customData")->as_dictionary()->size(), 2U);
  ASSERT_EQ(prim.extra->references.prepended.size(), 2U);
  EXPECT_EQ(prim.extra->references.prepended[0].custom_data.as_dictionary()->size(), 1U);
  EXPECT_EQ(prim.extra->variant_selections.size(), 1U);
  EXPECT_EQ(prim.field("apiSchemas")->as_token_list_op()->prepended.size(), 1U);
  EXPECT_EQ(prim.properties[0].spline()->knots[0].custom_data.as_dictionary()->size(), 1U);
}

TEST(WriteCrate, WritesLegacyTypesUnderTheirModernNames) {
  const layer::LayerPtr layer = parse("def \"A\" { Vec3f[] a = [(1, 2, 3)]  PointFloat b  Foo c }");
  const layer::LayerPtr again = read_back(write_bytes(*layer));
  const auto& properties = again->find_prim("/A")->properties;
  EXPECT_EQ(properties[0].type_name.view(), "float3[]");
  EXPECT_EQ(properties[1].type_name.view(), "point3f");
  EXPECT_EQ(properties[2].type_name.view(), "Foo");
}

TEST(WriteCrate, TellsOfEntriesThatReadersDrop) {
  layer::LayerBuilder builder("a.usda");
  const auto entry = [&](std::string_view key, Value value) {
    return layer::DictionaryEntry{builder.tokens().intern(key), {}, std::move(value)};
  };
  builder.set_field(builder.root(), "customLayerData",
                    Value::dictionary({entry("edits", Value::token_list_op({})),
                                       entry("number", Value::scalar(ElementType::int_, 1)),
                                       entry("still", Value::animation_block())}));
  const Kept kept = kept_of(*std::move(builder).finish());
  EXPECT_THAT(kept.names, ElementsAre("/ customLayerData:edits", "/ customLayerData:still"));
  EXPECT_EQ(kept.layer->field("customLayerData")->as_dictionary()->size(), 1U);
}

TEST(WriteCrate, TellsOfLoopsThatDoNotEndBehindTheirStart) {
  for (const std::string times : {"3, 3", "3, 1"}) {
    const Kept kept = kept_of(
        *parse("def \"A\" { double a.spline = { loop: (" + times + ", 1, 1, 0), 1: 2, } }"));
    EXPECT_THAT(kept.names, ElementsAre("/A.a spline:loop"));
    const layer::Spline* const spline = kept.layer->root().children[0]->properties[0].spline();
    ASSERT_NE(spline, nullptr);
    EXPECT_FALSE(spline->loop);
    EXPECT_EQ(spline->knots.size(), 1u);
  }
}

TEST(WriteCrate, TellsOfLayerOffsetsThatAreNotFinite) {
  const Kept kept = kept_of(*parse(R"((
    subLayers = [@a@ (offset = inf), @b@ (scale = 2), @c@ (scale = nan)]
)
def "A" (references = @x@ (offset = inf)  payload = @y@ (scale = -inf)) { })"));
  EXPECT_THAT(kept.names, ElementsAre("/ subLayerOffsets[0]", "/ subLayerOffsets[2]",
                                      "/A references:offset", "/A payload:offset"));
  EXPECT_EQ(kept.layer->sub_layers()[0].offset, layer::LayerOffset());
  EXPECT_EQ(kept.layer->sub_layers()[1].offset.scale, 2.0);
}

TEST(WriteCrate, MakesWholeNumbersOfWhateverLoopsSay) {
  layer::Spline spline;
  for (const double count : {std::nan(""), -1.0, 1e300, 2.0}) {
    spline.loop = layer::Spline::InnerLoop{0.0, 1.0, count, count, 0.0};
    Output output;
    ValueWriter values(output);
    values.spline(spline, ElementType::double_);
    const std::vector<std::byte> bytes = output.take();
    std::int32_t written = 0;
    std::memcpy(&written, bytes.data() + 8 + 2 + 16, sizeof written);
    EXPECT_EQ(written, count > 1e9 ? 2147483647 : count > 0 ? 2 : 0) << count;
  }
}

TEST(WriteCrate, ReplacesAFileOnlyWhenAllIsWritten) {
  const auto file = std::filesystem::temp_directory_path() / "sinew_write_test.usdc";
  std::ofstream(file) << "before";
  Diagnostics diagnostics;
  WriteOptions options;
  options.version = {1, 0, 0};
  EXPECT_FALSE(write_file(*parse(""), file.string(), diagnostics, options));
  std::string text;
  std::ifstream(file) >> text;
  EXPECT_EQ(text, "before");
  const layer::LayerPtr layer = parse("def \"A\" { int a = 1 }");
  ASSERT_TRUE(write_file(*layer, file.string(), diagnostics));
  const auto bytes = sinew::read_file(file.string());
  ASSERT_TRUE(bytes);
  EXPECT_EQ(bytes->text(), write_bytes(*layer).text());
  std::filesystem::remove(file);
  const auto none = write_file(*layer, "/nonexistent/a.usdc", diagnostics);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::io_failed);
  EXPECT_THAT(none.error().message, HasSubstr("/nonexistent/a.usdc"));
}

TEST(WriteCrate, AsksForTheVersionThatEachPartOfASplineNeeds) {  // usdc 16.1
  EXPECT_EQ(minor_version("def \"A\" { double a.spline = { 1: 2; post curve (1, 0, custom), } }"),
            13);
  EXPECT_EQ(minor_version("def \"A\" { double a.spline = { post: loop repeat(0), 1: 2, } }"), 15);
  EXPECT_EQ(minor_version("def \"A\" { double a.spline = { post: loop repeat, 1: 2, } }"), 12);
  EXPECT_EQ(minor_version("def \"A\" { timecode a.spline = { 1: 2, } }"), 15);
}

TEST(WriteCrate, AsksForTheVersionOfTheTypeOfAnArray) {  // usdc 16.1
  EXPECT_EQ(minor_version("def \"A\" { timecode[] a = [1, 2] }"), 9);
  EXPECT_EQ(minor_version("def \"A\" { timecode[] a = [] }"), 9);
  EXPECT_EQ(minor_version("def \"A\" { pathExpression[] a = [\"//\"] }"), 10);
  EXPECT_EQ(minor_version("def \"A\" { string[] a = [\"//\"] }"), 8);
}

TEST(WriteCrate, LeavesLoopsOutThatAreNotFinite) {
  using Loop = layer::Spline::InnerLoop;
  const double inf = std::numeric_limits<double>::infinity();
  const auto has_loop = [](const Loop& loop) {
    layer::Spline spline;
    spline.loop = loop;
    Output output;
    ValueWriter values(output);
    values.spline(spline, ElementType::double_);
    return (output.take()[8 + 1] & std::byte{0x40}) != std::byte{0};
  };
  EXPECT_TRUE(has_loop({1, 3, 1, 1, 0}));
  EXPECT_FALSE(has_loop({-inf, 3, 1, 1, 0}));
  EXPECT_FALSE(has_loop({1, inf, 1, 1, 0}));
  EXPECT_FALSE(has_loop({1, 3, 1, 1, std::nan("")}));
  EXPECT_FALSE(has_loop({1, 3, 1, 1, -inf}));
}

TEST(WriteCrate, LeavesArrayEditsOutWithValuesOfAnotherType) {
  const auto names = [](const Value& literal) {
    layer::LayerBuilder builder("a.usda");
    const auto a = builder.add_prim(builder.root(), layer::Specifier::def, "", "A");
    EXPECT_TRUE(a);
    layer::ArrayEdit edit;
    edit.element = ElementType::int_;
    edit.instructions.resize(1);
    edit.instructions[0].kind = layer::ArrayEdit::Kind::append;
    edit.instructions[0].literal = literal;
    EXPECT_TRUE(builder.set_default(*a, "int[]", "x", Value::array_edit(edit)));
    return kept_of(*std::move(builder).finish()).names;
  };
  const std::int32_t one = 1;
  EXPECT_THAT(names(Value::scalar(ElementType::int_, one)), testing::IsEmpty());
  EXPECT_THAT(names(Value::scalar(ElementType::float_, 1.0F)), ElementsAre("/A.x default"));
  EXPECT_THAT(names(Value::array(ElementType::int_, std::span(&one, 1))),
              ElementsAre("/A.x default"));
}

TEST(WriteCrate, MakesNoListOfNumbersOfArraysOrOfTwoTypes) {
  const auto written = [](std::vector<Value> items) {
    layer::LayerBuilder builder("a.usda");
    layer::ListOp<Value> op;
    op.prepended = std::move(items);
    builder.set_field(builder.root(), "list", Value::list_op(op));
    return kept_of(*std::move(builder).finish()).names;
  };
  const std::int32_t one = 1;
  const Value whole = Value::scalar(ElementType::int_, one);
  EXPECT_THAT(written({whole, Value::scalar(ElementType::int_, 2)}), testing::IsEmpty());
  EXPECT_THAT(written({whole, Value::scalar(ElementType::uint, 2U)}),
              testing::Not(testing::IsEmpty()));
  EXPECT_THAT(written({whole, Value::array(ElementType::int_, std::span(&one, 1))}),
              testing::Not(testing::IsEmpty()));
}

}  // namespace
}  // namespace sinew::usdc::write_test
