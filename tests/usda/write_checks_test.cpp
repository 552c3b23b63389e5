// SPDX-License-Identifier: Apache-2.0
// What text has no form for is left out and named; whatever else a layer holds is kept.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "sinew/layer/compare.hpp"
#include "sinew/layer/layer_builder.hpp"
#include "sinew/usda/parser.hpp"
#include "sinew/usda/writer.hpp"
#include "support/random.hpp"

namespace sinew::usda::write_checks_test {
using namespace layer;
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;
using Prim = LayerBuilder::Prim;

// What is written for a layer, and what is read of that.
struct Written {
  std::string text;
  Diagnostics left_out;
  LayerPtr again;

  // "path key" of each warning.
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const Diagnostic& diagnostic : left_out) {
      const std::string& message = diagnostic.message;
      all.push_back(diagnostic.path + " " + message.substr(1, message.find("' is left out") - 1));
    }
    return all;
  }
};

Written written(const Layer& layer) {
  Written result;
  result.text = write(layer, result.left_out);
  for (const Diagnostic& diagnostic : result.left_out) {
    EXPECT_EQ(diagnostic.code, "usda-not-representable");
    EXPECT_EQ(diagnostic.severity, Severity::warning);
  }
  Diagnostics diagnostics;
  const Result<LayerPtr> again = parse(result.text, "again.usda", diagnostics);
  EXPECT_TRUE(again) << (again ? "" : again.error().message) << "\n" << result.text;
  if (again) result.again = *again;
  return result;
}

// A layer with one prim, to put things into.
class Made {
 public:
  LayerBuilder builder{"made.usda"};
  Prim* prim = *builder.add_prim(builder.root(), Specifier::def, "", "A");

  Token token(std::string_view text) { return builder.tokens().intern(text); }
  Value text(ElementType type, std::string_view value) { return Value::scalar(type, token(value)); }
  Value string(std::string_view value) { return text(ElementType::string, value); }
  Written finish() {
    layer = std::move(builder).finish();
    return written(*layer);
  }

  LayerPtr layer;
};

Value number(int value) {
  return Value::scalar(ElementType::int_, std::int32_t{value});
}

TEST(WriteChecks, LeaveEntriesOfDictionariesOut) {
  Made made;
  ListOp<Value> edits;
  edits.prepended = {number(1)};
  Dictionary inner = {{made.token("b"), Token(), Value::block()},
                      {made.token("i"), made.token("int"), number(2)}};
  Dictionary entries = {
      {made.token("a"), Token(), Value::animation_block()},
      {made.token("d"), made.token("dictionary"), Value::dictionary(std::move(inner))},
      {made.token("l"), Token(), Value::list_op(std::move(edits))},
      {made.token("o"), made.token("opaque"), number(1)},
      {made.token("s"), made.token("string"), made.text(ElementType::unregistered, "word")},
      {made.token("t"), made.token("two words"), number(1)},
      {made.token("x"), made.token("int"), number(1)}};
  made.builder.set_field(made.prim, "customData", Value::dictionary(std::move(entries)));
  const Written result = made.finish();

  EXPECT_THAT(result.names(), ElementsAre("/A customData:a", "/A customData:d:b", "/A customData:l",
                                          "/A customData:o", "/A customData:s", "/A customData:t"));
  const Value* kept = result.again->find_prim("/A")->field("customData");
  ASSERT_NE(kept, nullptr);
  ASSERT_EQ(kept->as_dictionary()->size(), 2U);
  EXPECT_EQ(find(*find(*kept->as_dictionary(), "d")->value.as_dictionary(), "i")->value, number(2));
}

TEST(WriteChecks, LeaveFieldsOutThatAreNotOfTheirType) {
  Made made;
  const Value two = Value::scalar(ElementType::double_, 2.5);
  made.builder.set_field(made.prim, "active", made.string("x"));
  made.builder.set_field(made.prim, "comment", number(1));
  made.builder.set_field(made.prim, "kind", two);
  made.builder.set_field(made.prim, "permission", made.string("weird"));
  made.builder.set_field(made.prim, "prefixSubstitutions", made.string("q"));
  made.builder.set_field(made.prim, "suffixSubstitutions", number(1));
  made.builder.set_field(made.prim, "symmetryFunction", made.text(ElementType::token, "a b"));
  made.builder.set_field(made.prim, "a:b", number(1));
  made.builder.set_field(made.prim, "def", number(1));
  made.builder.set_field(made.prim, "instanceable", made.text(ElementType::unregistered, "yes"));
  made.builder.set_field(made.prim, "displayName", made.text(ElementType::token, "name"));
  made.builder.set_field(made.prim, "unknown", number(7));
  made.builder.set_field(made.prim, "unknownText",
                         made.text(ElementType::unregistered, "1\n active = 0"));
  made.builder.set_field(made.builder.root(), "customData", Value::dictionary({}));
  made.builder.set_field(made.builder.root(), "framesPerSecond",
                         Value::scalar(ElementType::double_, -1.0));
  made.builder.set_field(made.builder.root(), "metersPerUnit",
                         Value::scalar(ElementType::float_, 0.5F));
  const Written result = made.finish();

  EXPECT_THAT(result.names(),
              ElementsAre("/ customData", "/ framesPerSecond", "/A comment", "/A a:b", "/A active",
                          "/A def", "/A kind", "/A permission", "/A prefixSubstitutions",
                          "/A suffixSubstitutions", "/A symmetryFunction", "/A unknownText"));
  const PrimSpec& prim = *result.again->find_prim("/A");
  EXPECT_EQ(prim.fields.size(), 3U) << result.text;
  EXPECT_EQ(prim.field("instanceable")->get<bool>(), true);
  EXPECT_EQ(prim.field("displayName")->text(), "name");
  EXPECT_EQ(prim.field("unknown")->text(), "7");
  EXPECT_EQ(result.again->field("metersPerUnit")->get<double>(), 0.5);
}

TEST(WriteChecks, LeaveAttributesWithoutALegalTypeOut) {
  Made made;
  ASSERT_TRUE(made.builder.set_default(made.prim, "", "none", number(7)));
  ASSERT_TRUE(made.builder.set_default(made.prim, "my type", "bad", number(7)));
  ASSERT_TRUE(made.builder.set_default(made.prim, "rel", "word", number(7)));
  ASSERT_TRUE(made.builder.set_default(made.prim, "a::b[]", "good",
                                       made.text(ElementType::unregistered, "[1, two]")));
  const Written result = made.finish();

  EXPECT_THAT(result.names(), ElementsAre("/A.none none", "/A.bad bad", "/A.word word"));
  ASSERT_EQ(result.again->find_prim("/A")->properties.size(), 1U);
  EXPECT_EQ(result.again->find_prim("/A")->properties[0].default_value.text(), "[1, two]");
}

TEST(WriteChecks, LeaveValuesOutThatAreReadAsSomethingElse) {
  Made made;
  const auto set = [&](const char* name, const char* source) {
    EXPECT_TRUE(made.builder.set_default(made.prim, "foo", name,
                                         made.text(ElementType::unregistered, source)));
  };
  set("a", "None");
  set("b", "edit");
  set("c", "1 2");
  set("d", "\xff");
  set("e", "editor");
  ASSERT_TRUE(made.builder.set_default(made.prim, "pathExpression", "p",
                                       made.text(ElementType::path_expression, "{{")));
  ArrayEdit edit;
  edit.element = ElementType::int_;
  edit.instructions.resize(1);
  edit.instructions[0].kind = ArrayEdit::Kind::resize;
  edit.instructions[0].index = -1;
  ASSERT_TRUE(made.builder.set_default(made.prim, "int[]", "edited", Value::array_edit(edit)));
  ASSERT_TRUE(made.builder.set_time_samples(
      made.prim, "foo", "s",
      {{1.0, 2.0}, {made.text(ElementType::unregistered, "1"), Value::block()}}));
  const Written result = made.finish();

  EXPECT_THAT(result.names(),
              ElementsAre("/A.a default", "/A.b default", "/A.c default", "/A.d default",
                          "/A.p default", "/A.edited default", "/A.s timeSamples"));
  EXPECT_THAT(result.text, StartsWith("#usda 1.0\n"));
  EXPECT_EQ(result.again->find_prim("/A")->properties.size(), 8U);
}

TEST(WriteChecks, KeepListsOfPathExpressionsThatAreAllPathExpressions) {
  Made made;
  const auto set = [&](const char* name, std::vector<std::string> texts) {
    std::vector<Token> items;
    for (const std::string& text : texts) items.push_back(made.token(text));
    EXPECT_TRUE(made.builder.set_default(made.prim, "pathExpression[]", name,
                                         Value::array<Token>(ElementType::path_expression, items)));
  };
  set("good", {"/A//B", "", "/C - /D"});
  set("first", {"{{", "/A"});
  set("last", {"/A", "\xff"});
  set("none", {});
  const Written result = made.finish();

  EXPECT_THAT(result.names(), ElementsAre("/A.first default", "/A.last default"));
  const auto& properties = result.again->find_prim("/A")->properties;
  ASSERT_EQ(properties.size(), 4U);
  EXPECT_EQ(write_value(properties[0].default_value), R"(["/A//B", "", "/C - /D"])");
  EXPECT_FALSE(properties[1].default_value.has_value());
  EXPECT_FALSE(properties[2].default_value.has_value());
  EXPECT_EQ(write_value(properties[3].default_value), "[]");
}

TEST(WriteChecks, LeaveItemsOfListsOut) {
  Made made;
  const auto path = [](const char* text) { return Path::from_trusted(text); };
  PrimExtra& extra = made.builder.extra(made.prim);
  extra.inherits.is_explicit = true;
  extra.inherits.explicit_items = {path("/B"), path("/B{v=x}"), path("/B.c"), path("/B")};
  extra.specializes.prepended = {path("/")};
  extra.references.prepended.resize(5);
  extra.references.prepended[0].asset = made.token("a.usda");
  extra.references.prepended[1].asset = made.token("b\x01.usda");
  extra.references.prepended[2].prim_path = path("/A.x");
  extra.references.prepended[3].asset = made.token("a.usda");
  extra.references.prepended[3].custom_data = Value::dictionary({});
  extra.references.prepended[4].asset = made.token("c\xc2\x85.usda");
  extra.variant_selections = {{made.token("v"), made.token("a b")},
                              {made.token("w"), made.token("`${X}`")}};
  extra.variant_set_names.appended = {made.token("v"), made.token("a b"), made.token("v")};
  extra.relocates = {{path("/A/B"), path("/A/C")}, {path("/"), path("/A/D")}};
  ListOp<Path> targets;
  targets.is_explicit = true;
  for (const char* text : {"/A.r[/B]", "/A.r[/B].w", "/", "../A", "/B.x.mapper[/C]", "/A b"}) {
    targets.explicit_items.push_back(path(text));
  }
  ASSERT_TRUE(made.builder.set_targets(made.prim, "r", targets));
  SubLayer sub_layer;
  sub_layer.asset = made.token("x\x7F");
  made.builder.add_sub_layer(sub_layer);
  const Written result = made.finish();

  EXPECT_THAT(result.names(),
              ElementsAre("/ subLayers", "/A inherits", "/A inherits", "/A inherits",
                          "/A references", "/A references", "/A references", "/A references",
                          "/A relocates", "/A specializes", "/A variants:v", "/A variantSets",
                          "/A variantSets", "/A.r targetPaths", "/A.r targetPaths",
                          "/A.r targetPaths", "/A.r targetPaths", "/A.r targetPaths"));
  const PrimSpec& prim = *result.again->find_prim("/A");
  EXPECT_THAT(prim.extra->inherits.explicit_items, ElementsAre(path("/B")));
  EXPECT_TRUE(prim.extra->specializes.empty());
  EXPECT_EQ(prim.extra->references.prepended.size(), 1U);
  EXPECT_EQ(prim.extra->variant_selections.size(), 1U);
  EXPECT_EQ(prim.extra->variant_set_names.appended.size(), 1U);
  EXPECT_EQ(prim.extra->relocates.size(), 1U);
  EXPECT_THAT(prim.properties[0].targets()->explicit_items, ElementsAre(path("/A.r[/B].w")));
  EXPECT_TRUE(result.again->sub_layers().empty());
}

TEST(WriteChecks, LeaveCustomDataOfReferencesOutThatIsNoDictionary) {
  Made made;
  const Value data = Value::dictionary({{made.token("i"), made.token("int"), number(1)}});
  PrimExtra& extra = made.builder.extra(made.prim);
  extra.references.prepended.resize(2);
  extra.references.prepended[0].asset = made.token("a.usda");
  extra.references.prepended[0].custom_data = number(1);
  extra.references.prepended[1].asset = made.token("b.usda");
  extra.references.prepended[1].custom_data = data;
  extra.payloads.prepended.resize(1);  // Which have none.
  extra.payloads.prepended[0].asset = made.token("c.usda");
  extra.payloads.prepended[0].custom_data = data;
  const Written result = made.finish();

  EXPECT_THAT(result.names(), ElementsAre("/A references:customData"));
  ASSERT_NE(result.again, nullptr);
  const PrimSpec& prim = *result.again->find_prim("/A");
  ASSERT_EQ(prim.extra->references.prepended.size(), 2U);
  EXPECT_FALSE(prim.extra->references.prepended[0].custom_data.has_value());
  EXPECT_EQ(prim.extra->references.prepended[1].custom_data, data);
  ASSERT_EQ(prim.extra->payloads.prepended.size(), 1U);
  EXPECT_FALSE(prim.extra->payloads.prepended[0].custom_data.has_value());
}

TEST(WriteChecks, NameWhatOnlyPrimsHave) {
  Made made;
  PrimExtra& extra = made.builder.extra(made.builder.root());
  extra.inherits.prepended = {Path::from_trusted("/A")};
  extra.relocates = {{Path::from_trusted("/A/B"), Path::from_trusted("/A/C")}};
  extra.property_order = {made.token("x")};
  ASSERT_TRUE(made.builder.set_default(made.builder.root(), "int", "x", number(1)));
  EXPECT_THAT(made.finish().names(),
              ElementsAre("/ properties", "/ inherits", "/ relocates", "/ reorder properties"));
}

TEST(WriteChecks, LeaveRelocatesInsideVariantsOut) {
  Made made;
  PrimExtra in_variant;
  in_variant.relocates = {{Path::from_trusted("/A/B"), Path::from_trusted("/A/C")}};
  in_variant.inherits.prepended = {Path::from_trusted("/D")};
  PrimSpec variant;
  variant.name = made.token("x");
  variant.is_variant = true;
  variant.extra = &in_variant;
  made.builder.extra(made.prim).variant_sets = {{made.token("v"), {{variant.name, &variant}}}};
  const LayerPtr layer = std::move(made.builder).finish();
  variant.parent = layer->find_prim("/A");
  const Written result = written(*layer);

  EXPECT_THAT(result.names(), ElementsAre("/A{v=x} relocates"));
  const PrimSpec& again = *result.again->find_prim("/A{v=x}");
  EXPECT_TRUE(again.extra->relocates.empty());
  EXPECT_EQ(again.extra->inherits, in_variant.inherits);
}

TEST(WriteChecks, TellOfAHundredAndThatThereIsMore) {
  Made made;
  for (int i = 0; i < 150; ++i) {
    made.builder.set_field(made.prim, "a:" + std::to_string(i), number(i));
  }
  const Written result = made.finish();
  ASSERT_EQ(result.left_out.size(), 101U);
  EXPECT_THAT(result.left_out.back().message, HasSubstr("More of the layer"));
}

TEST(Write, WritesAssetPathsWheneverTheyReadBack) {
  for (const char* asset : {"a.usda", "", "@a", "a@", "@", "@@", "@@@", "@@@@", "@@@@@", "a@@@@b",
                            "a@b\\", "\\@@@", "a\\", "\xc3\xa4@"}) {
    SCOPED_TRACE(asset);
    Made made;
    ASSERT_TRUE(
        made.builder.set_default(made.prim, "asset", "x", made.text(ElementType::asset, asset)));
    SubLayer sub_layer;
    sub_layer.asset = made.token(asset);
    made.builder.add_sub_layer(sub_layer);
    const Written result = made.finish();
    ASSERT_NE(result.again, nullptr);
    EXPECT_EQ(result.again->find_prim("/A")->properties[0].default_value.text(), asset);
    EXPECT_EQ(result.again->sub_layers().size() + result.left_out.size(), 1U);
    for (const SubLayer& kept : result.again->sub_layers()) EXPECT_EQ(kept.asset.view(), asset);
  }
}

TEST(WriteChecks, LeaveAssetPathsOutThatAreNone) {
  for (const char* asset : {"x\xc2\x85y", "a\x01", "a\nb", "a\x7F", "\xff"}) {
    SCOPED_TRACE(asset);
    Made made;
    ASSERT_TRUE(
        made.builder.set_default(made.prim, "asset", "x", made.text(ElementType::asset, asset)));
    const Token items[] = {made.token("good"), made.token(asset)};
    ASSERT_TRUE(made.builder.set_default(made.prim, "asset[]", "y",
                                         Value::array<Token>(ElementType::asset, items)));
    const Written result = made.finish();
    ASSERT_NE(result.again, nullptr);
    EXPECT_THAT(result.names(), ElementsAre("/A.x default", "/A.y default"));
    for (const PropertySpec& property : result.again->find_prim("/A")->properties) {
      EXPECT_FALSE(property.default_value.has_value());
    }
  }
}

TEST(Write, KeepsAssetPathsThatBeginOrEndWithAnAt) {
  const std::string text =
      "#usda 1.0\n(\n    subLayers = [\n        @@@@sub.usda@@@,\n    ]\n)\n\ndef \"A\" (\n"
      "    payload = [@@@foo@@@@]\n    references = [@@@@foo.usda@@@]\n)\n{\n}\n";
  Diagnostics diagnostics;
  const auto layer = parse(text, "a.usda", diagnostics);
  ASSERT_TRUE(layer);
  EXPECT_EQ(write(**layer, diagnostics), text);
  EXPECT_THAT(diagnostics, IsEmpty());
}

TEST(Write, WritesTypesThatAreNoNamesAsMetadata) {
  const std::string text =
      "#usda 1.0\n\ndef \"A\" (\n    typeName = \"foo bar\"\n)\n{\n}\n\ndef \"B\" (\n"
      "    typeName = \"__AnyType__\"\n)\n{\n}\n\ndef \"C\" (\n    typeName = \"def\"\n)\n{\n}\n\n"
      "def a.b::c \"D\"\n{\n}\n";
  Diagnostics diagnostics;
  const auto layer = parse(text, "a.usda", diagnostics);
  ASSERT_TRUE(layer);
  EXPECT_EQ(write(**layer, diagnostics), text);
  EXPECT_THAT(diagnostics, IsEmpty());
}

// The first line of what is written for a prim with these properties.
std::string header_of(const std::string& version, const std::string& properties) {
  Diagnostics diagnostics;
  const auto layer =
      parse("#usda " + version + "\ndef \"A\"\n{\n" + properties + "\n}\n", "a.usda", diagnostics);
  if (!layer) return layer.error().message;
  const std::string text = write(**layer);
  return text.substr(0, text.find('\n'));
}

TEST(Write, StatesTheLowestVersionThatHasAll) {  // usda 2.1
  EXPECT_EQ(header_of("1.3", "int a = 1"), "#usda 1.0");
  EXPECT_EQ(header_of("1.0", "double a.spline = { 1: 2; pre (1), 2: 3 }"), "#usda 1.0");
  EXPECT_EQ(header_of("1.0", "double a.spline = { 1: 2; pre (1, custom), 2: 3 }"), "#usda 1.1");
  EXPECT_EQ(header_of("1.0", "double a.spline = { 1: 2; post curve (1, autoEase), 2: 3 }"),
            "#usda 1.1");
  EXPECT_EQ(header_of("1.0", "int[] a = edit [append 1]"), "#usda 1.2");
  EXPECT_EQ(header_of("1.0", "int[] a.timeSamples = { 1: edit [append 1] }"), "#usda 1.2");
  EXPECT_EQ(header_of("1.0", "double a.spline = { post: loop reset, 1: 2 }"), "#usda 1.0");
  EXPECT_EQ(header_of("1.0",
                      "double a.spline = { post: loop reset(3), 1: 2 }\n"
                      "int[] b = edit [append 1]"),
            "#usda 1.3");
}

// Any value, under any key, on any kind of spec.
class RandomLayer {
 public:
  explicit RandomLayer(std::uint64_t seed) : random_(seed) {}

  LayerPtr make() {
    Prim* prims[] = {made_.prim, made_.builder.root()};
    for (int i = 0; i < 12; ++i) {
      made_.builder.set_field(prims[random_.below(2)], random_.pick(kKeys), value(0));
    }
    for (const char* name : {"a", "b:c", "d"}) {
      const std::string type = random_.pick(kTypes);
      // What does not fit the type is refused: it is given to attributes of unknown ones.
      if (!made_.builder.set_default(made_.prim, type, name, value(0))) {
        (void)made_.builder.set_default(made_.prim, random_.pick(kUnknown), name, value(0));
      }
      for (int i = 0; i < 6; ++i) {
        (void)made_.builder.set_property_field(made_.prim, name, random_.pick(kKeys), value(0));
      }
    }
    (void)made_.builder.set_time_samples(made_.prim, random_.pick(kUnknown), "s",
                                         {{1.0}, {value(0)}});
    return std::move(made_.builder).finish();
  }

 private:
  static constexpr const char* kKeys[] = {"active",
                                          "kind",
                                          "comment",
                                          "documentation",
                                          "doc",
                                          "permission",
                                          "symmetryFunction",
                                          "prefixSubstitutions",
                                          "displayUnit",
                                          "customData",
                                          "customLayerData",
                                          "apiSchemas",
                                          "inactiveIds",
                                          "clipSets",
                                          "displayGroupOrder",
                                          "payloadAssetDependencies",
                                          "unknown",
                                          "a::b",
                                          "a:b",
                                          "1a",
                                          "inherits",
                                          "references",
                                          "subLayers",
                                          "relocates",
                                          "typeName",
                                          "specifier",
                                          "variants",
                                          "metersPerUnit",
                                          "framesPerSecond",
                                          "hidden",
                                          "elementSize",
                                          "allowedTokens",
                                          "weight",
                                          "colorSpace",
                                          "expressionVariables",
                                          "reorder",
                                          "append x",
                                          "",
                                          "\xc3\xa4",
                                          "\xff"};
  static constexpr const char* kTypes[] = {"int",  "float[]",  "token",          "asset",
                                           "bool", "string[]", "pathExpression", "int[]"};
  static constexpr const char* kUnknown[] = {"foo", "foo[]", "", "a b", "def", "x::y", "opaque[]"};
  static constexpr const char* kTexts[] = {"word",
                                           "two words",
                                           "\"quoted\"",
                                           "[1, [2]]",
                                           "(1, 2",
                                           "1",
                                           "None",
                                           "edit",
                                           "edit [append 1]",
                                           "{ int a = 1 }",
                                           "@a@",
                                           "</A>",
                                           "\xff",
                                           "a\nb",
                                           "",
                                           "{}",
                                           "public",
                                           "cm",
                                           "1; active = 0",
                                           "/A//B",
                                           "&&",
                                           "\x01",
                                           "# no",
                                           "1 /* c */"};

  Value text() {
    constexpr ElementType kKinds[] = {ElementType::string,       ElementType::token,
                                      ElementType::asset,        ElementType::path_expression,
                                      ElementType::unregistered, ElementType::path};
    return made_.text(kKinds[random_.below(std::size(kKinds))], random_.pick(kTexts));
  }
  Value value(int depth) {
    switch (random_.below(depth < 3 ? 14 : 9)) {
      case 0:
        return number(random_.between(-2, 2));
      case 1:
        return Value::scalar(ElementType::double_, random_.eighths(-2, 2));
      case 2:
        return Value::scalar(ElementType::bool_, random_.chance(50));
      case 3:
        return Value::block();
      case 4:
        return Value::animation_block();
      case 5: {
        const std::int32_t items[] = {1, 2};
        return Value::array<std::int32_t>(ElementType::int_,
                                          std::span(items).first(random_.below(3)));
      }
      case 6: {
        const Token items[] = {made_.token(random_.pick(kTexts)), made_.token("x")};
        constexpr ElementType kKinds[] = {ElementType::string, ElementType::token,
                                          ElementType::asset, ElementType::path};
        return Value::array<Token>(kKinds[random_.below(std::size(kKinds))], items);
      }
      case 9: {
        ListOp<Token> op;
        op.is_explicit = random_.chance(50);
        auto& items = op.is_explicit ? op.explicit_items : op.prepended;
        for (std::size_t i = random_.below(3); i > 0; --i) items.push_back(made_.token("x"));
        return Value::token_list_op(std::move(op));
      }
      case 10: {
        ListOp<Value> op;
        op.is_explicit = random_.chance(50);
        auto& items = op.is_explicit ? op.explicit_items : op.deleted;
        for (std::size_t i = random_.below(3); i > 0; --i) items.push_back(value(3));
        return Value::list_op(std::move(op));
      }
      case 11: {
        ArrayEdit edit;
        edit.element = random_.chance(50) ? ElementType::int_ : ElementType::token;
        edit.instructions.resize(1);
        edit.instructions[0].kind = static_cast<ArrayEdit::Kind>(random_.below(8));
        edit.instructions[0].index = random_.between(-1, 2);
        edit.instructions[0].literal = value(3);
        return Value::array_edit(std::move(edit));
      }
      case 12:
      case 13: {
        constexpr const char* kEntryTypes[] = {"int", "string", "dictionary", "int[]", "", "foo"};
        Dictionary entries;
        for (const char* key : {"k", "odd key"}) {
          entries.push_back(
              {made_.token(key), made_.token(random_.pick(kEntryTypes)), value(depth + 1)});
        }
        return Value::dictionary(std::move(entries));
      }
      default:
        return text();
    }
  }

  test::Random random_;
  Made made_;
};

TEST(WriteChecks, MakeTextOfWhateverALayerHoldsAndNameWhatIsMissing) {
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE(seed);
    const LayerPtr layer = RandomLayer(seed).make();
    const Written result = written(*layer);
    ASSERT_NE(result.again, nullptr);
    const std::vector<std::string> names = result.names();
    for (const Difference& difference : differences(*layer, *result.again, {.most = 1000})) {
      if (difference.b != "-") continue;  // Text tells fewer types apart.
      const std::string property = difference.path.substr(difference.path.find_last_of(".") + 1);
      const auto names_it = [&](const std::string& name) {
        return name.starts_with(difference.path + " " + difference.field) ||
               name == difference.path + " " + property;
      };
      EXPECT_TRUE(std::any_of(names.begin(), names.end(), names_it) || names.size() > 100)
          << difference.path << " " << difference.field << ": " << difference.a << "\n"
          << result.text;
    }
    const Written once_more = written(*result.again);
    EXPECT_TRUE(once_more.again != nullptr && equal(*once_more.again, *result.again));
    EXPECT_THAT(once_more.left_out, IsEmpty());
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace sinew::usda::write_checks_test
