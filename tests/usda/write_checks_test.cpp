// SPDX-License-Identifier: Apache-2.0
// What text has no form for is left out and named; whatever else a layer holds is kept.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
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

// A layer whose prim has properties in a variant as no reader would make them.
class MadeProperties {
 public:
  MadeProperties() {
    variant_.name = made_.token("x");
    variant_.is_variant = true;
  }

  // One attribute or, if it has no type, relationship.
  PropertyExtra& add(std::string_view type, std::string_view name, Value value = {}) {
    PropertyExtra& extra = *extras_.emplace_back(std::make_unique<PropertyExtra>());
    PropertySpec& property = properties_.emplace_back();
    property.name = made_.token(name);
    property.type_name = made_.token(type);
    property.kind = type.empty() ? PropertySpec::Kind::relationship : PropertySpec::Kind::attribute;
    property.default_value = std::move(value);
    property.extra = &extra;
    return extra;
  }
  void add_spline(std::string_view type, std::string_view name, Spline spline) {
    add(type, name).spline = std::make_unique<const Spline>(std::move(spline));
  }
  // "name key" of each warning.
  std::vector<std::string> names_left_out() {
    variant_.properties = properties_;
    made_.builder.extra(made_.prim).variant_sets = {
        {made_.token("v"), {{variant_.name, &variant_}}}};
    layer_ = std::move(made_.builder).finish();
    variant_.parent = layer_->find_prim("/A");
    written_ = written(*layer_);
    std::vector<std::string> names = written_.names();
    for (std::string& name : names) {
      EXPECT_THAT(name, StartsWith("/A{v=x}."));
      name.erase(0, name.find('.') + 1);
    }
    return names;
  }
  const PrimSpec& again() const { return *written_.again->find_prim("/A{v=x}"); }

 private:
  Made made_;
  PrimSpec variant_;
  std::vector<PropertySpec> properties_;
  std::vector<std::unique_ptr<PropertyExtra>> extras_;
  LayerPtr layer_;
  Written written_;
};

// Each number of a curve once as it may be, and once as it may not.
TEST(WriteChecks, LeaveCurvesOutWithANumberThatTextCannotHold) {  // usda 6.7
  using Extrapolation = Spline::Extrapolation;
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  MadeProperties made;
  std::vector<std::string> bad;
  const auto add = [&](std::string_view type, const std::string& name, bool is_good,
                       const auto& change) {
    Spline spline;
    spline.knots.resize(2);
    spline.knots[1].time = 1.0;
    change(spline);
    made.add_spline(type, name, std::move(spline));
    if (!is_good) bad.push_back(name + " spline");
  };
  const auto try_number = [&](const std::string& name, const auto& set) {
    add("double", name + "_good", true, [&](Spline& spline) { set(spline, 1e300); });
    add("double", name + "_bad", false, [&](Spline& spline) { set(spline, kInfinite); });
  };
  try_number("time", [](Spline& s, double x) { s.knots[1].time = x; });
  try_number("value", [](Spline& s, double x) { s.knots[1].value = x; });
  try_number("pre_value", [](Spline& s, double x) { s.knots[1].pre_value = x; });
  try_number("pre_slope", [](Spline& s, double x) { s.knots[1].pre_tangent = {{}, x}; });
  try_number("post_slope", [](Spline& s, double x) { s.knots[1].post_tangent = {{}, x}; });
  try_number("pre_width", [](Spline& s, double x) { s.knots[1].pre_tangent = {x, 1.0}; });
  try_number("post_width", [](Spline& s, double x) { s.knots[1].post_tangent = {x, 1.0}; });
  try_number("pre", [](Spline& s, double x) { s.pre = {Extrapolation::sloped, x}; });
  try_number("post", [](Spline& s, double x) { s.post = {Extrapolation::sloped, x}; });
  try_number("loop_start", [](Spline& s, double x) { s.loop = {x, 1, 0, 0, 0}; });
  try_number("loop_end", [](Spline& s, double x) { s.loop = {0, x, 0, 0, 0}; });
  try_number("loop_offset", [](Spline& s, double x) { s.loop = {0, 1, 0, 0, x}; });
  int tried = 0;
  for (const auto& [count, is_good] : {std::pair{0.0, true},
                                       {2147483647.0, true},
                                       {2147483648.0, false},
                                       {-1.0, false},
                                       {0.5, false}}) {
    const std::string name = std::to_string(tried++);
    add("double", "before" + name, is_good, [n = count](Spline& s) { s.loop = {0, 1, n, 0, 0}; });
    add("double", "behind" + name, is_good, [n = count](Spline& s) { s.loop = {0, 1, 0, n, 0}; });
  }
  add("double", "no_width", true, [](Spline& s) { s.knots[1].pre_tangent = {0.0, 1.0}; });
  add("double", "back", false, [](Spline& s) { s.knots[1].pre_tangent = {-0.5, 1.0}; });
  // Numbers are those of the attribute, widths and times are not.
  add("half", "half", true, [](Spline& s) { s.knots[1].value = 65504.0; });
  add("half", "half_past", false, [](Spline& s) { s.knots[1].value = 65520.0; });
  add("float", "slope", false, [](Spline& s) { s.knots[1].post_tangent = {{}, 1e39}; });
  add("float", "width", true, [](Spline& s) { s.knots[1].post_tangent = {1e39, 1.0}; });

  EXPECT_THAT(made.names_left_out(), testing::ElementsAreArray(bad));
  for (const PropertySpec& property : made.again().properties) {
    const bool is_bad =
        std::find(bad.begin(), bad.end(), property.name.str() + " spline") != bad.end();
    EXPECT_EQ(property.spline() == nullptr, is_bad) << property.name.view();
  }
}

TEST(WriteChecks, LeaveCurvesOutOfTypesAndWithLoopsThatHaveNone) {  // usda 6.7
  using Extrapolation = Spline::Extrapolation;
  MadeProperties made;
  for (const char* type : {"double", "float", "half", "timecode", "int", "double2"}) {
    made.add_spline(type, std::string("of_") + type, Spline());
  }
  made.add_spline("double[]", "of_list", Spline());
  const auto add = [&](const char* name, const Spline::Extrapolate& pre,
                       const Spline::Extrapolate& post) {
    Spline spline;
    spline.pre = pre;
    spline.post = post;
    spline.loop = {0, 1, 1, 1, 0};
    made.add_spline("double", name, std::move(spline));
  };
  add("inner", {}, {});
  add("both", {Extrapolation::loop_repeat, {}}, {Extrapolation::loop_reset, {}});
  add("sloped", {Extrapolation::sloped, 1.0}, {Extrapolation::sloped, 2.0});
  add("before", {Extrapolation::loop_repeat, 3.0}, {});
  add("behind", {}, {Extrapolation::loop_oscillate, 3.0});
  EXPECT_THAT(made.names_left_out(),
              ElementsAre("of_int spline", "of_double2 spline", "of_list spline", "before spline",
                          "behind spline"));
}

TEST(WriteChecks, LeaveCustomDataOfKnotsOutThatIsNoDictionary) {
  MadeProperties made;
  Spline spline;
  spline.knots.resize(2);
  spline.knots[0].custom_data = Value::dictionary({});
  spline.knots[1].time = 1.0;
  spline.knots[1].custom_data = number(1);
  made.add_spline("double", "s", std::move(spline));
  EXPECT_THAT(made.names_left_out(), ElementsAre("s spline:customData"));
  const Spline* again = made.again().properties[0].spline();
  ASSERT_NE(again, nullptr);
  ASSERT_EQ(again->knots.size(), 2U);
  EXPECT_TRUE(again->knots[0].custom_data.has_value());
  EXPECT_FALSE(again->knots[1].custom_data.has_value());
}

TEST(WriteChecks, LeaveEditsOfArraysOutThatAreNotOfTheirArray) {  // usda 6.6
  using Kind = ArrayEdit::Kind;
  MadeProperties made;
  std::vector<std::string> bad;
  const auto add = [&](const std::string& name, bool is_good, Kind kind, std::int64_t index,
                       Value literal, std::optional<std::int64_t> source = {},
                       const char* type = "int[]") {
    ArrayEdit edit;
    edit.element = ElementType::int_;
    edit.instructions = {{kind, index, source, std::move(literal)}};
    made.add(type, name, Value::array_edit(std::move(edit)));
    if (!is_good) bad.push_back(name + " default");
  };
  const Value real = Value::scalar(ElementType::double_, 0.5);
  add("append", true, Kind::append, 0, number(1));
  add("append_other", true, Kind::append, 0, {}, -1);
  add("append_nothing", false, Kind::append, 0, {});
  add("append_real", false, Kind::append, 0, real);
  add("write", true, Kind::write, -1, number(1));
  add("write_nothing", false, Kind::write, 0, {});
  add("insert_real", false, Kind::insert, 0, real);
  add("prepend_nothing", false, Kind::prepend, 0, {});
  add("erase", true, Kind::erase, -1, {});
  add("minsize", true, Kind::min_size, 0, {});
  add("minsize_fill", true, Kind::min_size, 2, number(1));
  add("minsize_real", false, Kind::min_size, 2, real);
  add("minsize_less", false, Kind::min_size, -1, {});
  add("maxsize", true, Kind::max_size, 0, {});
  add("maxsize_fill", false, Kind::max_size, 2, number(1));
  add("maxsize_less", false, Kind::max_size, -1, {});
  add("resize", true, Kind::resize, 0, number(1));
  add("resize_real", false, Kind::resize, 2, real);
  add("of_scalar", false, Kind::append, 0, number(1), {}, "int");
  add("of_real", false, Kind::append, 0, number(1), {}, "double[]");
  add("of_unknown", false, Kind::append, 0, number(1), {}, "foo[]");
  EXPECT_THAT(made.names_left_out(), testing::ElementsAreArray(bad));
  for (const PropertySpec& property : made.again().properties) {
    const bool is_bad =
        std::find(bad.begin(), bad.end(), property.name.str() + " default") != bad.end();
    EXPECT_EQ(property.default_value.as_array_edit() == nullptr, is_bad) << property.name.view();
  }
}

TEST(WriteChecks, LeaveSamplesOutThatAreNotOfTheirType) {
  MadeProperties made;
  const auto add = [&](const char* type, const char* name, TimeSamples samples) {
    PropertyExtra& extra = made.add(type, name);
    extra.has_time_samples = true;
    extra.time_samples = std::move(samples);
  };
  const Value real = Value::scalar(ElementType::double_, 0.5);
  add("int", "some", {{1, 2.5, 3, 4}, {number(1), real, Value::block(), Value::animation_block()}});
  add("foo", "none", {});
  add("foo", "blocked", {{1}, {Value::block()}});
  add("foo", "several", {{1, 2}, {Value::block(), Value::block()}});
  EXPECT_THAT(made.names_left_out(), ElementsAre("some timeSamples at 2.5", "some timeSamples at 4",
                                                 "several timeSamples"));
  const auto properties = made.again().properties;
  ASSERT_EQ(properties.size(), 4U);
  EXPECT_THAT(properties[0].extra->time_samples.times, ElementsAre(1.0, 3.0));
  EXPECT_TRUE(properties[1].extra->has_time_samples);
  EXPECT_EQ(properties[2].extra->time_samples.times.size(), 1U);
  EXPECT_EQ(properties[3].time_samples(), nullptr);
}

TEST(WriteChecks, LeaveValuesOfRelationshipsOutThatAreNoPath) {
  MadeProperties made;
  Made texts;
  const Token items[] = {texts.token("/B")};
  made.add("", "good", texts.text(ElementType::path, "/B"));
  made.add("", "number", number(1));
  made.add("", "word", texts.text(ElementType::token, "/B"));
  made.add("", "bad", texts.text(ElementType::path, "a b"));
  made.add("", "list", Value::array<Token>(ElementType::path, items));
  EXPECT_THAT(made.names_left_out(),
              ElementsAre("number default", "word default", "bad default", "list default"));
  EXPECT_EQ(made.again().properties[0].default_value.text(), "/B");
}

TEST(WriteChecks, DeclareRelationshipsWhoseEditsAreAllLeftOut) {
  Made made;
  ListOp<Path> targets;
  targets.prepended = {Path::from_trusted("/")};
  targets.deleted = {Path::from_trusted("/B")};
  ASSERT_TRUE(made.builder.set_targets(made.prim, "r", targets));
  const Written result = made.finish();
  EXPECT_THAT(result.names(), ElementsAre("/A.r targetPaths"));
  EXPECT_THAT(result.text, HasSubstr("    rel r\n"));
  EXPECT_THAT(result.text, HasSubstr("    delete rel r = </B>\n"));
}

TEST(WriteChecks, KeepReferencesThatDifferInAnything) {
  Made made;
  PrimExtra& extra = made.builder.extra(made.prim);
  const auto add = [&](const char* asset, const char* path, LayerOffset offset) {
    Reference& item = extra.references.prepended.emplace_back();
    item.asset = made.token(asset);
    item.prim_path = Path::from_trusted(path);
    item.offset = offset;
  };
  add("a.usda", "/B", {});
  add("b.usda", "/B", {});
  add("a.usda", "/C", {});
  add("a.usda", "", {});
  add("a.usda", "/B", {1.0, 1.0});
  add("a.usda", "/B", {0.0, 2.0});
  add("", "/B", {});
  EXPECT_THAT(made.finish().left_out, IsEmpty());
}

TEST(WriteChecks, LeaveListsOfNoVariantSetsAndListsThatRepeatOut) {
  Made made;
  ListOp<Token> repeating;
  repeating.prepended = {made.token("One"), made.token("One")};
  repeating.appended = {made.token("Two"), made.token("Three")};
  made.builder.set_field(made.prim, "apiSchemas", Value::token_list_op(repeating));
  made.builder.extra(made.prim).variant_set_names.is_explicit = true;
  const Written result = made.finish();
  EXPECT_THAT(result.names(), ElementsAre("/A apiSchemas", "/A variantSets"));
  const auto* kept = result.again->find_prim("/A")->field("apiSchemas")->as_token_list_op();
  EXPECT_TRUE(kept->prepended.empty());
  EXPECT_EQ(kept->appended.size(), 2U);
}

TEST(WriteChecks, NameEverythingThatOnlyPrimsHave) {
  Made made;
  PrimExtra& extra = made.builder.extra(made.builder.root());
  extra.references.prepended.resize(1);
  extra.payloads.appended.resize(1);
  extra.specializes.prepended = {Path::from_trusted("/A")};
  extra.variant_set_names.prepended = {made.token("v")};
  extra.variant_selections = {{made.token("v"), made.token("x")}};
  extra.variant_sets = {{made.token("v"), {}}};
  extra.child_order = {made.token("A")};
  const Written result = made.finish();
  EXPECT_THAT(result.names(), ElementsAre("/ references", "/ payload", "/ specializes",
                                          "/ variantSets", "/ variants", "/ variantSet"));
  EXPECT_THAT(result.text, HasSubstr("\nreorder rootPrims = [\"A\"]\n"));
}

TEST(WriteChecks, TellOfMoreOnlyPastAHundred) {
  for (const int count : {100, 101, 150}) {
    Made made;
    for (int i = 0; i < count; ++i) {
      made.builder.set_field(made.prim, "a:" + std::to_string(i), number(i));
    }
    const Written result = made.finish();
    EXPECT_EQ(result.left_out.size(), std::min<std::size_t>(static_cast<std::size_t>(count), 101));
    const auto more =
        std::count_if(result.left_out.begin(), result.left_out.end(), [](const Diagnostic& d) {
          return d.message == "More of the layer has no form in text and is left out.";
        });
    EXPECT_EQ(more, count > 100 ? 1 : 0);
    EXPECT_EQ(format(result.left_out[0]),
              "made.usda: </A>: warning: 'a:0' is left out: text has no form for such a field. "
              "[usda-not-representable]");
  }
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
