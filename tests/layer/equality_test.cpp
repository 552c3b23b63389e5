// SPDX-License-Identifier: Apache-2.0
// Layers, values and paths that differ in one thing are not equal.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/layer/compare.hpp"
#include "sinew/layer/layer_builder.hpp"
#include "sinew/usda/parser.hpp"
#include "sinew/usda/writer.hpp"

namespace sinew::layer::equality_test {

using usda::parse;
using usda::parse_value;
namespace {

// Every field of every struct of a layer has a value of its own here.
constexpr std::string_view kEverything = R"(#usda 1.0
(
    "comment of the layer"
    defaultPrim = "root"
    customLayerData = {
        int entry = 11
        dictionary inner = {
            string[] texts = ["one", "two"]
        }
    }
    relocates = { </source/a>: </source/b> }
    subLayers = [@first.usda@ (offset = 21; scale = 22), @second.usda@]
    delete listed = [term1]
    add listed = [term2]
    prepend listed = [term3]
    append listed = [term4]
    reorder listed = [term5]
    whole = 31
)

reorder rootPrims = ["root", "second"]

def Xform "root" (
    active = true
    delete apiSchemas = ["ApiA"]
    add apiSchemas = ["ApiB"]
    prepend apiSchemas = ["ApiC"]
    append apiSchemas = ["ApiD"]
    reorder apiSchemas = ["ApiE"]
    delete references = @ra.usda@</rp> (offset = 41; scale = 42; customData = { int rc = 43 })
    add references = @rb.usda@
    prepend references = @rc.usda@
    append references = @rd.usda@
    reorder references = @re.usda@
    payload = @pa.usda@</pp> (offset = 51; scale = 52)
    delete inherits = </ia>
    add inherits = </ib>
    prepend inherits = </ic>
    append inherits = </id>
    reorder inherits = </ie>
    specializes = </sa>
    variants = { string set1 = "selected" }
    prepend variantSets = ["set1", "set2"]
    relocates = { </root/x>: </root/y> }
)
{
    reorder nameChildren = ["child1", "child2"]
    reorder properties = ["number", "other"]
    custom uniform double number = 61 (doc = "about number")
    float3 tuple = (71, 72, 73)
    int[] array = [81, 82, 83]
    token[] tokens = ["tok1", "tok2"]
    asset file = @file.png@
    strange opaque1 = word1
    int blocked = None
    float animated = AnimationBlock
    int[] edited = edit [write 91 to [92]; write [93] to [94]; resize 95 fill 96]
    double sampled.timeSamples = { 101: 102, 103: None }
    int empty.timeSamples = {}
    float connected.connect = </connected/to.x>
    varying rel vary
    delete rel targets = </ta>
    add rel targets = </tb>
    prepend rel targets = </tc>
    append rel targets = </td>
    reorder rel targets = </te>
    rel noTargets = None
    double curve.spline = {
        bezier,
        pre: linear,
        post: sloped(111),
        loop: (112, 113, 114, 115, 116),
        117: 118; pre (119, 120, custom); post curve (121, 122),
        123: 124 & 125; post held; { int kc = 126 },
    }

    def Scope "child1" {}
    over "child2" {}

    variantSet "set1" = {
        "selected" (kind = "group") {
            int inside = 131
        }
        "other" {}
    }
    variantSet "set2" = {}
}

class "second" {}
)";

// One change of the text above: of the first place where `from` stands, or of that behind `after`.
struct Change {
  std::string_view from;
  std::string_view to;
};

constexpr Change kChanges[] = {
    // Layer
    {"\"comment of the layer\"", "\"another comment\""},
    {"\"comment of the layer\"", ""},
    {"defaultPrim = \"root\"", "defaultPrim = \"second\""},
    {"defaultPrim =", "defaultPrin ="},
    {"int entry = 11", "int entry = 12"},
    {"int entry = 11", "uint entry = 11"},
    {"int entry = 11", "int entri = 11"},
    {"int entry = 11", ""},
    {"string[] texts", "token[] texts"},
    {"\"one\", \"two\"", "\"one\", \"three\""},
    {"\"one\", \"two\"", "\"one\""},
    {"</source/a>:", "</source/c>:"},
    {": </source/b>", ": </source/d>"},
    {": </source/b>", ": <>"},
    {"{ </source/a>: </source/b> }", "{}"},
    {"@first.usda@", "@third.usda@"},
    {"offset = 21", "offset = 23"},
    {"scale = 22", "scale = 23"},
    {", @second.usda@]", "]"},
    {"[term1]", "[term0]"},
    {"[term2]", "[term0]"},
    {"[term3]", "[term0]"},
    {"[term4]", "[term0]"},
    {"[term5]", "[term0]"},
    {"delete listed = [term1]", ""},
    {"whole = 31", "whole = 32"},
    {"[\"root\", \"second\"]", "[\"second\", \"root\"]"},
    // Prim
    {"def Xform", "def Scope"},
    {"def Xform", "over Xform"},
    {"def Xform", "class Xform"},
    {"def Xform \"root\"", "def \"root\""},
    {"\"root\" (", "\"toor\" ("},
    {"active = true", "active = false"},
    {"active = true", "hidden = true"},
    {"ApiA", "ApiX"},
    {"ApiB", "ApiX"},
    {"ApiC", "ApiX"},
    {"ApiD", "ApiX"},
    {"ApiE", "ApiX"},
    {"reorder apiSchemas = [\"ApiE\"]", "apiSchemas = []"},
    {"@ra.usda@", "@rx.usda@"},
    {"@ra.usda@</rp>", "@ra.usda@</rx>"},
    {"@ra.usda@</rp>", "@ra.usda@"},
    {"offset = 41", "offset = 44"},
    {"scale = 42", "scale = 44"},
    {"int rc = 43", "int rc = 44"},
    {"; customData = { int rc = 43 }", ""},
    {"@rb.usda@", "@rx.usda@"},
    {"@rc.usda@", "@rx.usda@"},
    {"@rd.usda@", "@rx.usda@"},
    {"@re.usda@", "@rx.usda@"},
    {"reorder references = @re.usda@", "references = []"},
    {"@pa.usda@", "@px.usda@"},
    {"</pp>", "</px>"},
    {"offset = 51", "offset = 53"},
    {"scale = 52", "scale = 53"},
    {"payload = @pa", "prepend payload = @pa"},
    {"</ia>", "</ix>"},
    {"</ib>", "</ix>"},
    {"</ic>", "</ix>"},
    {"</id>", "</ix>"},
    {"</ie>", "</ix>"},
    {"</sa>", "</sx>"},
    {"string set1 =", "string set2 ="},
    {"\"selected\" }", "\"other\" }"},
    {"[\"set1\", \"set2\"]", "[\"set2\", \"set1\"]"},
    {"prepend variantSets", "append variantSets"},
    {"</root/x>", "</root/z>"},
    {": </root/y>", ": </root/z>"},
    {"[\"child1\", \"child2\"]", "[\"child2\"]"},
    {"[\"number\", \"other\"]", "[\"number\"]"},
    {"def Scope \"child1\" {}", "def Scope \"child3\" {}"},
    {"def Scope \"child1\" {}", "def Mesh \"child1\" {}"},
    {"over \"child2\" {}", ""},
    {"    def Scope \"child1\" {}\n    over \"child2\" {}",
     "    over \"child2\" {}\n    def Scope \"child1\" {}"},
    {"variantSet \"set1\"", "variantSet \"set3\""},
    {"\"selected\" (kind", "\"chosen\" (kind"},
    {"kind = \"group\"", "kind = \"model\""},
    {"int inside = 131", "int inside = 132"},
    {"        \"other\" {}\n", ""},
    {"variantSet \"set2\" = {}", "variantSet \"set2\" = { \"x\" {} }"},
    {"variantSet \"set2\" = {}", ""},
    {"class \"second\" {}", ""},
    // Properties
    {"custom uniform", "uniform"},
    {"custom uniform", "custom"},
    {"double number = 61", "float number = 61"},
    {"double number = 61", "double mumber = 61"},
    {"number = 61", "number = 62"},
    {"number = 61", "number"},
    {"doc = \"about number\"", "doc = \"about\""},
    {"doc = \"about number\"", "displayName = \"about number\""},
    {"(71, 72, 73)", "(70, 72, 73)"},
    {"(71, 72, 73)", "(71, 72, 70)"},
    {"float3 tuple", "point3f tuple"},
    {"[81, 82, 83]", "[81, 82, 84]"},
    {"[81, 82, 83]", "[81, 82]"},
    {"[81, 82, 83]", "[]"},
    {"int[] array", "uint[] array"},
    {"[\"tok1\", \"tok2\"]", "[\"tok1\", \"tok3\"]"},
    {"[\"tok1\", \"tok2\"]", "[\"tok1\"]"},
    {"@file.png@", "@file.jpg@"},
    {"word1", "word2"},
    {"blocked = None", "blocked"},
    {"blocked = None", "blocked = AnimationBlock"},
    {"animated = AnimationBlock", "animated = None"},
    {"write 91 to", "insert 91 at"},
    {"write 91", "write 90"},
    {"to [92]", "to [90]"},
    {"write [93]", "write [90]"},
    {"write [93]", "write 93"},
    {"to [94]", "to [90]"},
    {"resize 95", "resize 90"},
    {"resize 95", "minsize 95"},
    {"fill 96", "fill 90"},
    {" fill 96", ""},
    {"; resize 95 fill 96", ""},
    {"101: 102", "100: 102"},
    {"101: 102", "101: 100"},
    {"103: None", "103: 100"},
    {", 103: None", ""},
    {"empty.timeSamples = {}", "empty"},
    {"</connected/to.x>", "</connected/to.y>"},
    {"varying rel", "rel"},
    {"varying rel vary", "int vary"},
    {"</ta>", "</tx>"},
    {"</tb>", "</tx>"},
    {"</tc>", "</tx>"},
    {"</td>", "</tx>"},
    {"</te>", "</tx>"},
    {"rel noTargets = None", "rel noTargets"},
    {"rel noTargets = None", "rel noTargets = </t>"},
    // Splines
    {"bezier,", "hermite,"},
    {"bezier,", ""},
    {"pre: linear", "pre: held"},
    {"pre: linear,", ""},
    {"sloped(111)", "sloped(110)"},
    {"post: sloped(111)", "post: none"},
    {"(112,", "(110,"},
    {" 113,", " 110,"},
    {" 114,", " 110,"},
    {" 115,", " 110,"},
    {" 116)", " 110)"},
    {"loop: (112, 113, 114, 115, 116),", ""},
    {"117: 118", "110: 118"},
    {"117: 118", "117: 110"},
    {"(119,", "(110,"},
    {" 120,", " 110,"},
    {"120, custom", "120, autoEase"},
    {"120, custom", "120"},
    {"pre (119, 120, custom)", "pre (120, custom)"},
    {"pre (119, 120, custom); ", ""},
    {"post curve", "post linear"},
    {"(121,", "(110,"},
    {" 122)", " 110)"},
    {"post curve (121, 122)", "post curve"},
    {"124 & 125", "110 & 125"},
    {"124 & 125", "124 & 110"},
    {"124 & 125", "125"},
    {"post held; ", ""},
    {"int kc = 126", "int kc = 110"},
    {"; { int kc = 126 }", ""},
};

std::string changed(const Change& change) {
  std::string text(kEverything);
  const std::size_t at = text.find(change.from);
  if (at == std::string::npos) return {};
  return text.replace(at, change.from.size(), change.to);
}

LayerPtr read(const std::string& text) {
  Diagnostics diagnostics;
  const Result<LayerPtr> layer = parse(text, "test.usda", diagnostics);
  return layer ? *layer : nullptr;
}

TEST(Equality, LayersThatDifferInOneThingAreNotEqual) {
  const LayerPtr everything = read(std::string(kEverything));
  ASSERT_NE(everything, nullptr);
  for (const Change& change : kChanges) {
    const LayerPtr other = read(changed(change));
    EXPECT_NE(other, nullptr) << change.from << " -> " << change.to;
    if (other == nullptr) continue;
    EXPECT_FALSE(equal(*everything, *other)) << change.from << " -> " << change.to;
    EXPECT_FALSE(equal(*other, *everything)) << change.from << " -> " << change.to;
    EXPECT_TRUE(equal(*other, *read(changed(change)))) << change.from << " -> " << change.to;
  }
}

TEST(Equality, DifferencesNameWhatIsNotTheSame) {
  const LayerPtr everything = read(std::string(kEverything));
  ASSERT_NE(everything, nullptr);
  EXPECT_TRUE(differences(*everything, *everything).empty());
  DifferenceOptions options;
  options.spell_value = [](const Value& value) { return usda::write_value(value); };
  for (const Change& change : kChanges) {
    SCOPED_TRACE(std::string(change.from) + " -> " + std::string(change.to));
    // What splines are if nothing is said.
    const bool means_the_same =
        change.to.empty() && (change.from == "bezier," || change.from == "post held; ");
    const LayerPtr other = read(changed(change));
    ASSERT_NE(other, nullptr);
    const std::vector<Difference> there = differences(*everything, *other, options);
    const std::vector<Difference> back = differences(*other, *everything, options);
    EXPECT_EQ(there.empty(), means_the_same);
    ASSERT_EQ(there.size(), back.size());
    for (std::size_t i = 0; i < there.size(); ++i) {
      const auto is_same = [&](const Difference& d) {
        return d.path == there[i].path && d.field == there[i].field && d.a == there[i].b &&
               d.b == there[i].a;
      };
      EXPECT_EQ(std::count_if(back.begin(), back.end(), is_same), 1)
          << there[i].path << ' ' << there[i].field;
    }
  }
}

TEST(Equality, LayersWithTheSameContentsAreEqualHoweverTheyAreWritten) {
  const LayerPtr everything = read(std::string(kEverything));
  ASSERT_NE(everything, nullptr);
  EXPECT_TRUE(equal(*everything, *everything));
  for (const Change& change :
       {Change{"#usda 1.0", "#usda 1.2"}, Change{"(71,", "( 71.0,"},
        Change{"def Xform", "# a comment\n\ndef  Xform"}, Change{"active = true", "active = yes"},
        Change{"@file.png@", "@@@file.png@@@"}}) {
    const LayerPtr other = read(changed(change));
    ASSERT_NE(other, nullptr) << change.from;
    EXPECT_TRUE(equal(*everything, *other)) << change.from;
  }
}

// One statement in a prim at a time, so that nothing else can make the layers different.
TEST(Equality, ListsOfNamesDifferInEachOfTheirEdits) {
  const auto prim = [](const std::string& statement) {
    return read("#usda 1.0\ndef \"A\" (\n" + statement + "\n)\n{\n}\n");
  };
  const LayerPtr nothing = read("#usda 1.0\ndef \"A\" {}\n");
  ASSERT_NE(nothing, nullptr);
  for (const std::string field : {"variantSets", "apiSchemas"}) {
    for (const std::string edit : {"", "delete ", "add ", "prepend ", "append ", "reorder "}) {
      SCOPED_TRACE(edit + field);
      const LayerPtr a = prim(edit + field + " = [\"a\"]");
      const LayerPtr b = prim(edit + field + " = [\"b\"]");
      ASSERT_TRUE(a != nullptr && b != nullptr);
      EXPECT_TRUE(equal(*a, *a));
      EXPECT_FALSE(equal(*a, *b));
      EXPECT_FALSE(equal(*a, *nothing));
      EXPECT_FALSE(equal(*nothing, *a));
      EXPECT_EQ(differences(*a, *b).size(), 1u);
    }
  }
  const auto built = [](bool is_explicit) {
    LayerBuilder builder("");
    builder.extra(builder.root()).variant_set_names.is_explicit = is_explicit;
    return std::move(builder).finish();
  };
  EXPECT_TRUE(equal(*built(true), *built(true)));
  EXPECT_FALSE(equal(*built(true), *built(false)));
}

TEST(Equality, LayersWithASplineAreNotEqualToThoseWithout) {
  const auto curve = [](const std::string& rest) {
    return read("#usda 1.0\ndef \"A\" {\ndouble x" + rest + "\n}\n");
  };
  const LayerPtr with = curve("\ndouble x.spline = {\n1: 2,\n}");
  const LayerPtr without = curve("");
  ASSERT_TRUE(with != nullptr && without != nullptr);
  EXPECT_FALSE(equal(*with, *without));
  EXPECT_FALSE(equal(*without, *with));
}

// A value of each element type; then one that differs in every single number of it.
TEST(Equality, ValuesThatDifferInOneNumberAreNotEqual) {
  TokenTable tokens;
  for (const char* type :
       {"bool",    "uchar",   "int",     "uint",  "int64", "uint64", "half",    "float",  "double",
        "int2",    "int3",    "int4",    "half2", "half3", "half4",  "float2",  "float3", "float4",
        "double2", "double3", "double4", "quath", "quatf", "quatd",  "timecode"}) {
    const Value scalar = *parse_value(
        type,
        [&] {
          const std::size_t count = component_count(find_value_type(type).element);
          std::string text = count == 1 ? "1" : "(";
          for (std::size_t i = 0; count > 1 && i < count; ++i) text += i == 0 ? "1" : ", 1";
          return count == 1 ? text : text + ")";
        }(),
        tokens);
    for (std::size_t i = 0; i < scalar.bytes().size(); ++i) {
      std::vector<std::byte> bytes(scalar.bytes().begin(), scalar.bytes().end());
      EXPECT_EQ(scalar, Value::scalar_of(scalar.type(), bytes)) << type;
      bytes[i] ^= std::byte{1};
      EXPECT_NE(scalar, Value::scalar_of(scalar.type(), bytes)) << type << ", byte " << i;
      const Value array = Value::array_from_buffer(scalar.type(), Buffer::copy_of(scalar.bytes()));
      const Value other = Value::array_from_buffer(scalar.type(), Buffer::copy_of(bytes));
      EXPECT_NE(array, other) << type << "[], byte " << i;
      EXPECT_NE(array, scalar) << type;
    }
  }
}

TEST(Equality, ValuesOfOtherKindsAreNotEqual) {
  TokenTable tokens;
  const auto value = [&](const char* type, const char* text) {
    return *parse_value(type, text, tokens);
  };
  ListOp<Token> names;
  names.is_explicit = true;
  ListOp<Value> values;
  values.is_explicit = true;
  ArrayEdit edit;
  edit.element = ElementType::int_;
  const std::vector<Value> all{Value(),
                               Value::block(),
                               Value::animation_block(),
                               value("int", "0"),
                               value("uint", "0"),
                               value("float", "0"),
                               value("float", "-0"),
                               value("int[]", "[]"),
                               value("float[]", "[]"),
                               value("int[]", "[0]"),
                               value("int[]", "[0, 0]"),
                               value("string", "\"\""),
                               value("token", "\"\""),
                               value("string", "\"a\""),
                               value("asset", "@a@"),
                               value("string[]", "[\"a\"]"),
                               value("string[]", "[\"a\", \"b\"]"),
                               Value::dictionary({}),
                               Value::dictionary({{tokens.intern("k"), tokens.intern("int"), {}}}),
                               Value::list_op(values),
                               Value::list_op({}),
                               Value::token_list_op(names),
                               Value::token_list_op({}),
                               Value::array_edit(edit),
                               Value::array_edit({})};
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = 0; j < all.size(); ++j) {
      EXPECT_EQ(all[i] == all[j], i == j) << i << ", " << j;
    }
  }
}

TEST(Equality, ValuesCompareTokensByTextAndNumbersByBits) {
  TokenTable tokens;
  TokenTable others;
  others.intern("something before");
  for (const char* type : {"string", "token[]"}) {
    const char* text = std::string_view(type).ends_with(']') ? "[\"a\", \"b\"]" : "\"a\"";
    EXPECT_EQ(*parse_value(type, text, tokens), *parse_value(type, text, others));
  }
  EXPECT_EQ(*parse_value("float", "nan", tokens), *parse_value("float", "nan", tokens));
  EXPECT_EQ(*parse_value("double[]", "[nan]", tokens), *parse_value("double[]", "[nan]", tokens));
}

TEST(Equality, PathsOrderStrictlyAndHashAlikeIfEqual) {
  std::vector<Path> paths{Path()};
  for (const char* text :
       {"/", "/A", "/A/B", "/A/B/C", "/AB", "/A.x", "/A.xy", "/A{v=x}", "/A{v=y}", "/A{w=x}",
        "/A{v=x}B", "/A.x[/B]", "/A.x[/B].y", "A", "..", "../A", ".x", "/a", "/\xC3\xA9"}) {
    paths.push_back(*Path::parse(text));
  }
  const std::hash<Path> hash;
  for (const Path& a : paths) {
    EXPECT_EQ(hash(a), hash(Path::from_trusted(a.str())));
    for (const Path& b : paths) {
      EXPECT_EQ(a == b, &a == &b) << a.str() << ", " << b.str();
      EXPECT_EQ(a == b, !(a < b) && !(b < a)) << a.str() << ", " << b.str();
      EXPECT_FALSE(a < b && b < a) << a.str() << ", " << b.str();
      EXPECT_EQ(hash(a) == hash(b), a == b) << a.str() << ", " << b.str();
      for (const Path& c : paths) {
        EXPECT_TRUE(!(a < b && b < c) || a < c) << a.str() << ", " << b.str() << ", " << c.str();
      }
    }
  }
}

}  // namespace
}  // namespace sinew::layer::equality_test
