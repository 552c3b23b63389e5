// SPDX-License-Identifier: Apache-2.0
// Binary files of every version and the layers made of them: prims, properties, variants.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sinew/layer/compare.hpp"
#include "sinew/usda/parser.hpp"
#include "usdc/read_crate.hpp"

namespace sinew::usdc::reader_test {
namespace {

using namespace layer;
using namespace test;
using testing::AllOf;
using testing::Contains;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::string_view kSceneText = R"(#usda 1.0
(
    metersPerUnit = 0.5
)
def Xform "A" (
    prepend variantSets = "look"
    variants = {
        string look = "red"
    }
)
{
    custom rel rel = </A/B>
    over "B"
    {
        point3f[] points = [(1, 2, 3), (4, 5, 6.5)]
    }
    variantSet "look" = {
        "red" {
            def "Inside"
            {
            }
        }
    }
}
)";

TEST_F(ReadCrate, GivesTheLayerOfTheSameTextInEveryVersion) {
  Diagnostics diagnostics;
  const auto text = usda::parse(kSceneText, "scene.usda", diagnostics);
  ASSERT_TRUE(text);
  for (unsigned minor = 0; minor <= 15; ++minor) {
    const LayerPtr layer = read_layer(scene(minor));
    ASSERT_NE(layer, nullptr) << minor << ": " << error_.message;
    EXPECT_THAT(diagnostics_, IsEmpty()) << minor;
    const auto found = differences(*layer, **text);
    EXPECT_TRUE(found.empty()) << minor << ": " << found[0].path << " " << found[0].field;
    EXPECT_EQ(layer->prim_count(), 4u);
    EXPECT_TRUE(layer->complete());
  }
}

TEST_F(ReadCrate, RefusesVersionsThatDoNotExist) {
  std::string file = scene(8);
  EXPECT_TRUE(is_crate(Bytes(file)));
  file[9] = 16;
  EXPECT_EQ(read_layer(file), nullptr);
  EXPECT_EQ(error_.code, ErrorCode::unsupported);
  EXPECT_TRUE(has("usdc-version"));
  file[9] = 0;
  EXPECT_EQ(read_layer(file), nullptr) << "0.0.0";
  file[8] = 1;
  EXPECT_EQ(read_layer(file), nullptr) << "1.0.0";
  file[9] = 2;
  file[10] = 3;
  EXPECT_EQ(read_layer(file), nullptr);
  EXPECT_THAT(error_.message, HasSubstr("version 1.2.3 of"));
}

std::string with_children(const std::vector<std::string>& listed) {
  CrateBuilder crate;
  const std::uint32_t a = crate.path(0, "A");
  const std::uint32_t b = crate.path(0, "B");
  crate.spec(0, 7, {{"primChildren", crate.token_vector(listed)}});
  crate.spec(a, 6, {{"specifier", rep(42, 0, kInline)}});
  crate.spec(b, 6, {{"specifier", rep(42, 0, kInline)}});
  return crate.build();
}

TEST_F(ReadCrate, TakesTheOrderOfChildrenFromTheirList) {
  const LayerPtr layer = read_layer(with_children({"B", "A"}));
  ASSERT_NE(layer, nullptr);
  ASSERT_EQ(layer->root().children.size(), 2u);
  EXPECT_EQ(layer->root().children[0]->name.view(), "B");
  EXPECT_THAT(diagnostics_, IsEmpty());
}

TEST_F(ReadCrate, RefusesListsOfChildrenThatAreWrong) {
  for (const auto& listed : std::vector<std::vector<std::string>>{
           {"A", "B", "A"}, {"A", "C"}, {"A", ""}, {"A/B"}, {".."}}) {
    options_.on_error = OnError::drop_values;
    EXPECT_EQ(read_layer(with_children(listed)), nullptr) << listed.back();
    EXPECT_TRUE(has("usdc-children"));
    options_.on_error = OnError::keep_what_was_read;
    const LayerPtr layer = read_layer(with_children(listed));
    ASSERT_NE(layer, nullptr);
    EXPECT_FALSE(layer->complete());
  }
}

TEST_F(ReadCrate, SaysWhereAListOfChildrenIsThatIsWrong) {
  EXPECT_EQ(read_layer(with_children({"A", "C"})), nullptr);
  EXPECT_THAT(error_.message, HasSubstr("at byte 88")) << "the first value";
}

// Children or properties of one name, whose texts the file holds under two numbers. So many others
// stand before them.
std::string with_twins(bool properties, int others) {
  CrateBuilder crate;
  const std::uint32_t first = crate.token("Twin");
  const std::uint32_t second = crate.repeated_token("Twin");
  const std::uint32_t a = crate.path(0, "A");
  std::vector<std::uint32_t> names;
  for (int i = 0; i < others; ++i) names.push_back(crate.token("Other" + std::to_string(i)));
  names.insert(names.end(), {first, second});
  crate.spec(0, 7, {{"primChildren", crate.token_vector({"A"})}});
  crate.spec(a, 6, {{properties ? "properties" : "primChildren", crate.token_vector_of(names)}});
  for (const std::uint32_t name : names) {
    crate.spec(crate.path_of_token(a, name, properties), properties ? 1 : 6,
               properties ? CrateBuilder::Fields{{"typeName", crate.token_value("int")}}
                          : CrateBuilder::Fields{{"specifier", rep(42, 0, kInline)}});
  }
  return crate.build();
}

TEST_F(ReadCrate, KeepsNamesDistinctThatTheFileHoldsTwice) {
  for (const bool properties : {false, true}) {
    for (const int others : {0, 40}) {
      options_.on_error = OnError::drop_values;
      EXPECT_EQ(read_layer(with_twins(properties, others)), nullptr);
      EXPECT_TRUE(has("usdc-children"));
      options_.on_error = OnError::keep_what_was_read;
      const LayerPtr layer = read_layer(with_twins(properties, others));
      ASSERT_NE(layer, nullptr);
      const PrimSpec& a = *layer->root().children[0];
      EXPECT_EQ(properties ? a.properties.size() : a.children.size(),
                static_cast<std::size_t>(others) + 1);
      EXPECT_FALSE(layer->complete());
    }
  }
}

TEST_F(ReadCrate, TakesTheFirstFieldOfANameThatTheFileHoldsTwice) {
  CrateBuilder crate;
  const std::uint32_t a = crate.path(0, "A");
  const std::uint32_t x = crate.path(a, "x", true);
  crate.spec(0, 7, {{"primChildren", crate.token_vector({"A"})}});
  crate.spec(a, 6,
             {{"kind", crate.token_value("group")}, {"properties", crate.token_vector({"x"})}});
  crate.extend_spec(crate.repeated_token("kind"), crate.token_value("model"));
  crate.spec(x, 1, {{"typeName", crate.token_value("int")}, {"default", rep(3, 1, kInline)}});
  crate.extend_spec(crate.repeated_token("default"), rep(3, 2, kInline));
  const LayerPtr layer = read_layer(crate.build());
  ASSERT_NE(layer, nullptr);
  const PrimSpec& prim = *layer->root().children[0];
  ASSERT_EQ(prim.fields.size(), 1u);
  EXPECT_EQ(prim.fields[0].value.text(), "group");
  EXPECT_EQ(prim.properties[0].default_value.get<std::int32_t>(), 1);
  ASSERT_EQ(diagnostics_.size(), 2u);
  EXPECT_EQ(diagnostics_[0].code, "usdc-fields");
}

TEST_F(ReadCrate, LeavesOutChildrenThatAreNotListed) {
  const LayerPtr layer = read_layer(with_children({"B"}));
  ASSERT_NE(layer, nullptr);
  EXPECT_EQ(layer->root().children.size(), 1u);
  EXPECT_THAT(diagnostics_, Contains(Field(&Diagnostic::path, "/A")));
}

// `/A`, `/A/B`, `/A/B/C` and `/A{look=red}/In` with its set: only those whose letter is there have
// specs.
std::string with_specs_of(std::string_view letters) {
  CrateBuilder crate;
  const std::uint32_t a = crate.path(0, "A");
  const std::uint32_t b = crate.path(a, "B");
  const std::uint32_t c = crate.path(b, "C");
  const std::uint32_t look = crate.path(a, "{look=}");
  const std::uint32_t red = crate.path(a, "{look=red}");
  const std::uint32_t in = crate.path(red, "In");
  const auto spec = [&](char letter, std::uint32_t path, unsigned type, const char* list,
                        const std::string& child, char of_child) {
    if (letters.find(letter) == std::string_view::npos) return;
    CrateBuilder::Fields fields;
    if (letters.find(of_child) != std::string_view::npos) {
      fields.emplace_back(list, crate.token_vector({child}));
    }
    if (letter == 'a' && letters.find('s') != std::string_view::npos) {
      fields.emplace_back("variantSetChildren", crate.token_vector({"look"}));
    }
    crate.spec(path, type, fields);
  };
  spec('/', 0, 7, "primChildren", "A", 'a');
  spec('a', a, 6, "primChildren", "B", 'b');
  spec('b', b, 6, "primChildren", "C", 'c');
  spec('c', c, 6, "", "", '-');
  spec('s', look, 11, "variantChildren", "red", 'v');
  spec('v', red, 10, "primChildren", "In", 'i');
  spec('i', in, 6, "", "", '-');
  return crate.build();
}

TEST_F(ReadCrate, TellsOfWhatIsBelowAPathWithoutASpec) {
  ASSERT_NE(read_layer(with_specs_of("/abcsvi")), nullptr);
  EXPECT_THAT(diagnostics_, IsEmpty());
  for (const auto& [letters, path] : {std::pair("/bcsvi", "/A/B"),
                                      {"/acsvi", "/A/B/C"},
                                      {"/abcsi", "/A{look=red}In"},
                                      {"/abcvi", "/A{look=red}"}}) {
    ASSERT_NE(read_layer(with_specs_of(letters)), nullptr) << letters;
    EXPECT_THAT(diagnostics_, Contains(AllOf(Field(&Diagnostic::path, path),
                                             Field(&Diagnostic::severity, Severity::warning))))
        << letters;
  }
}

TEST_F(ReadCrate, TellsOfTheRootOfASubtreeThatCannotBeReached) {
  ASSERT_NE(read_layer(with_specs_of("/bc")), nullptr);
  ASSERT_EQ(diagnostics_.size(), 1u);
  EXPECT_EQ(diagnostics_[0].path, "/A/B");
}

TEST_F(ReadCrate, LeavesOutFieldsOfPrimsThatTheLayerHas) {
  for (const char* key : {"specifier", "typeName", "references", "payload", "inheritPaths",
                          "specializes", "variantSetNames", "variantSelection", "propertyOrder"}) {
    CrateBuilder crate;
    std::string selections;
    append(selections, std::uint64_t{1});
    append(selections, crate.string("look"));
    append(selections, crate.string("red"));
    const std::string field = key;
    crate.spec(0, 7,
               {{field, field == "variantSelection" ? rep(45, crate.put(selections))
                        : field == "specifier"      ? rep(42, 0, kInline)
                                                    : crate.token_value("Xform")},
                {"kept", rep(3, 1, kInline)}});
    const LayerPtr layer = read_layer(crate.build());
    ASSERT_NE(layer, nullptr);
    EXPECT_EQ(layer->root().extra, nullptr) << key;
    EXPECT_TRUE(layer->root().type_name.empty()) << key;
    EXPECT_EQ(layer->root().specifier, Specifier::over) << key;
    ASSERT_EQ(layer->root().fields.size(), 1u) << key;
    EXPECT_EQ(layer->root().fields[0].key.view(), "kept") << key;
    ASSERT_EQ(diagnostics_.size(), 1u) << key;
    EXPECT_EQ(diagnostics_[0].code, "usdc-type") << key;
  }
}

TEST_F(ReadCrate, TakesStringsForNamesOfTypes) {
  CrateBuilder crate;
  for (int i = 0; i < 100; ++i) crate.string("int");  // More texts than names.
  const std::uint32_t a = crate.path(0, "A");
  const std::uint32_t x = crate.path(a, "x", true);
  crate.spec(0, 7, {{"primChildren", crate.token_vector({"A"})}});
  crate.spec(a, 6, {{"properties", crate.token_vector({"x"})}});
  crate.spec(x, 1, {{"typeName", rep(10, 99, kInline)}, {"default", rep(1, 1, kInline)}});
  const LayerPtr layer = read_layer(crate.build());
  ASSERT_NE(layer, nullptr);
  EXPECT_EQ(layer->root().children[0]->properties[0].type_name.view(), "int");
  EXPECT_THAT(diagnostics_, Contains(AllOf(Field(&Diagnostic::code, "usdc-type"),
                                           Field(&Diagnostic::severity, Severity::info))));
}

TEST_F(ReadCrate, LeavesOutSpecsOfTargetsAndBelowThem) {
  for (const unsigned minor : {0U, 1U, 8U}) {
    CrateBuilder crate(minor, 1);
    const std::uint32_t a = crate.path(0, "A");
    const std::uint32_t r = crate.path(a, "r", true);
    const std::uint32_t target = crate.path(r, "[/A]");
    const std::uint32_t of_target = crate.path(target, "x", true);
    crate.spec(0, 7, {{"primChildren", crate.token_vector({"A"})}});
    crate.spec(a, 6, {{"properties", crate.token_vector({"r"})}});
    crate.spec(r, 8, {});
    crate.spec(target, 9, {});
    crate.spec(of_target, 1, {{"typeName", crate.token_value("int")}});
    ASSERT_NE(read_layer(crate.build()), nullptr);
    ASSERT_EQ(diagnostics_.size(), minor == 0 ? 0u : 1u) << minor;
    if (minor == 0) continue;
    EXPECT_EQ(diagnostics_[0].code, "usdc-spec");
    EXPECT_EQ(diagnostics_[0].severity, Severity::info);
    EXPECT_THAT(diagnostics_[0].message, HasSubstr("left out: 2"));
  }
}

TEST_F(ReadCrate, RepairsPropertiesThatTokenZeroCannotMark) {
  CrateBuilder crate(7);
  const std::uint32_t a = crate.path(0, "A");
  const std::uint32_t x = crate.path(a, ";-)");  // Stands for a name here.
  crate.spec(0, 7, {{"primChildren", crate.token_vector({"A"})}});
  crate.spec(a, 6, {{"specifier", rep(42, 0, kInline)}});
  crate.spec(x, 1, {{"typeName", crate.token_value("int")}});
  ASSERT_NE(read_layer(crate.build()), nullptr);
  EXPECT_TRUE(has("usdc-token-zero"));
  options_.rules = Rules::openusd;
  ASSERT_NE(read_layer(crate.build()), nullptr);
  EXPECT_FALSE(has("usdc-token-zero"));
  EXPECT_TRUE(has("usdc-spec"));
}

TEST_F(ReadCrate, RefusesPrimsThatNestTooDeep) {
  CrateBuilder crate;
  std::uint32_t path = 0;
  crate.spec(0, 7, {{"primChildren", crate.token_vector({"A"})}});
  for (int i = 0; i < 3000; ++i) path = crate.path(path, "A");
  EXPECT_EQ(read_layer(crate.build()), nullptr);
  EXPECT_EQ(error_.code, ErrorCode::limit_exceeded);
}

// Each file is within a limit by itself, and beyond the next lower one.
class CrateLimits : public ReadCrate {
 protected:
  template <typename T>
  void expect_limit(const std::string& file, T Limits::*limit, std::uint64_t enough,
                    const std::string& message) {
    SCOPED_TRACE(message);
    options_.limits = Limits();
    options_.limits.*limit = static_cast<T>(enough);
    EXPECT_NE(read_layer(file), nullptr);
    EXPECT_THAT(diagnostics_, IsEmpty());
    options_.limits.*limit = static_cast<T>(enough - 1);
    EXPECT_EQ(read_layer(file), nullptr);
    EXPECT_EQ(error_.code, ErrorCode::limit_exceeded);
    EXPECT_EQ(error_.message, message);
    ASSERT_EQ(diagnostics_.size(), 1u);
    EXPECT_EQ(diagnostics_[0].code, "usdc-limit");
    EXPECT_EQ(diagnostics_[0].severity, Severity::error);
  }
};

TEST_F(CrateLimits, OfTheFile) {
  const std::string file = scene(8);
  expect_limit(file, &Limits::file_bytes, file.size(),
               "the file has " + std::to_string(file.size()) + " bytes, more than the limit of " +
                   std::to_string(file.size() - 1) + " (at byte 0).");
}

TEST_F(CrateLimits, OfPrims) {
  expect_limit(with_children({"A", "B"}), &Limits::prims, 2,
               "</> (item 0 of PATHS) takes the file beyond the limit of 1 prims.");
  expect_limit(with_specs_of("/abcsvi"), &Limits::prims, 5,
               "</A{look=red}> (item 5 of PATHS) takes the file beyond the limit of 4 prims.");
  CrateBuilder variants;
  const std::uint32_t a = variants.path(0, "A");
  variants.spec(0, 7, {{"primChildren", variants.token_vector({"A"})}});
  variants.spec(a, 6, {{"variantSetChildren", variants.token_vector({"v"})}});
  variants.spec(variants.path(a, "{v=}"), 11,
                {{"variantChildren", variants.token_vector({"x", "y"})}});
  for (const char* variant : {"{v=x}", "{v=y}"}) variants.spec(variants.path(a, variant), 10, {});
  expect_limit(variants.build(), &Limits::prims, 3,
               "</A{v=}> (item 2 of PATHS) takes the file beyond the limit of 2 prims.");
}

TEST_F(CrateLimits, OfPrimsInPrims) {
  CrateBuilder crate;
  std::uint32_t path = 0;
  for (int depth = 0; depth <= 3; ++depth) {
    CrateBuilder::Fields fields;
    if (depth < 3) fields.emplace_back("primChildren", crate.token_vector({"A"}));
    crate.spec(path, depth == 0 ? 7 : 6, fields);
    if (depth < 3) path = crate.path(path, "A");
  }
  expect_limit(crate.build(), &Limits::prim_nesting, 3,
               "</A/A> (item 2 of PATHS) takes the file beyond the limit of 2 nested prims.");
}

TEST_F(CrateLimits, OfNames) {
  CrateBuilder fields;
  fields.spec(0, 7,
              {{"a", rep(1, 1, kInline)}, {"b", rep(1, 1, kInline)}, {"c", rep(1, 1, kInline)}});
  expect_limit(fields.build(), &Limits::names_per_spec, 3,
               "</> (item 0 of PATHS) takes the file beyond the limit of 2 fields of one spec.");
  for (const bool has_sets : {true, false}) {
    const std::vector<std::string> names = {"u", "v", "w"};
    CrateBuilder crate;
    const std::uint32_t a = crate.path(0, "A");
    crate.spec(0, 7, {{"primChildren", crate.token_vector({"A"})}});
    if (has_sets) {
      crate.spec(a, 6, {{"variantSetChildren", crate.token_vector(names)}});
      for (const std::string& name : names) crate.spec(crate.path(a, "{" + name + "=}"), 11, {});
    } else {
      crate.spec(a, 6, {{"variantSetChildren", crate.token_vector({"s"})}});
      crate.spec(crate.path(a, "{s=}"), 11, {{"variantChildren", crate.token_vector(names)}});
      for (const std::string& name : names) crate.spec(crate.path(a, "{s=" + name + "}"), 10, {});
    }
    expect_limit(crate.build(), &Limits::names_per_spec, 3,
                 has_sets ? "</A> (item 1 of PATHS) takes the file beyond the limit of 2 variant "
                            "sets of one prim."
                          : "</A{s=}> (item 2 of PATHS) takes the file beyond the limit of 2 "
                            "variants of one set.");
  }
}

TEST_F(CrateLimits, OfVariantsInVariants) {
  CrateBuilder crate;
  const std::uint32_t a = crate.path(0, "A");
  const std::uint32_t x = crate.path(a, "{v=x}");
  crate.spec(0, 7, {{"primChildren", crate.token_vector({"A"})}});
  crate.spec(a, 6, {{"variantSetChildren", crate.token_vector({"v"})}});
  crate.spec(crate.path(a, "{v=}"), 11, {{"variantChildren", crate.token_vector({"x"})}});
  crate.spec(x, 10, {{"variantSetChildren", crate.token_vector({"w"})}});
  crate.spec(crate.path(x, "{w=}"), 11, {{"variantChildren", crate.token_vector({"y"})}});
  crate.spec(crate.path(x, "{w=y}"), 10, {});
  expect_limit(crate.build(), &Limits::variant_nesting, 2,
               "</A{v=x}> (item 2 of PATHS) takes the file beyond the limit of 1 nested variants.");
}

TEST_F(ReadCrate, RefusesTextsOfMoreThan16MiB) {
  constexpr std::size_t kMost = std::size_t{16} << 20;
  for (const std::size_t size : {kMost, kMost + 1}) {
    CrateBuilder crate(3);
    crate.spec(0, 7, {{"comment", rep(10, crate.string(std::string(size, 'x')), kInline)}});
    const LayerPtr layer = read_layer(crate.build());
    if (size == kMost) {
      ASSERT_NE(layer, nullptr);
      EXPECT_EQ(layer->field("comment")->text()->size(), size);
      continue;
    }
    EXPECT_EQ(layer, nullptr);
    EXPECT_EQ(error_.code, ErrorCode::limit_exceeded);
    EXPECT_THAT(error_.message,
                HasSubstr("text 1 has 16777217 bytes, more than the limit of 16777216"));
  }
}

TEST_F(ReadCrate, TellsOfAHundredFaultsOfAKindAndOfHowManyMore) {
  for (const int count : {100, 101, 150}) {
    CrateBuilder crate;
    CrateBuilder::Fields fields;
    for (int i = 0; i < count; ++i) fields.emplace_back("f" + std::to_string(i), rep(61, 0));
    crate.spec(0, 7, fields);
    ASSERT_NE(read_layer(crate.build()), nullptr);
    ASSERT_EQ(diagnostics_.size(), count == 100 ? 100u : 101u);
    EXPECT_EQ(diagnostics_[99].severity, Severity::error);
    if (count == 100) continue;
    EXPECT_EQ(diagnostics_[100].severity, Severity::warning);
    EXPECT_EQ(diagnostics_[100].code, "usdc-value");
    EXPECT_EQ(diagnostics_[100].message,
              std::to_string(count - 100) + " more of this kind are not listed.");
  }
}

// One spec at a time, of a child of the prim `/A` or of what is at `above`.
TEST_F(ReadCrate, LeavesOutSpecsThatDoNotFitTheirPaths) {
  struct Case {
    const char* above;  // A child of A; empty for A itself.
    bool above_is_property;
    const char* element;
    bool is_property;
    unsigned type;
    const char* path;  // Of what is left out; nothing if it fits.
  };
  const Case cases[] = {
      {"", false, "C", false, 6, nullptr},          {"", false, "x", true, 1, nullptr},
      {"", false, "x", true, 8, nullptr},           {"", false, "{v=}", false, 11, nullptr},
      {"", false, "{v=x}", false, 10, nullptr},     {"", false, "C", false, 1, "/A/C"},
      {"", false, "C", false, 7, "/A/C"},           {"", false, "C", false, 0, "/A/C"},
      {"", false, "C", false, 12, "/A/C"},          {"", false, "x", true, 6, "/A.x"},
      {"", false, "{v=}", false, 10, "/A{v=}"},     {"", false, "{v=x}", false, 11, "/A{v=x}"},
      {"", false, "{v=x}", false, 6, "/A{v=x}"},    {"", false, "{v=", false, 11, "/A{v="},
      {"", false, "{v=x", false, 10, "/A{v=x"},     {"", false, "{v}", false, 11, "/A{v}"},
      {"", false, "[/B]", false, 6, "/A[/B]"},      {"x", true, "y", true, 1, "/A.x.y"},
      {"x", true, "C", false, 6, "/A.x/C"},         {"x", true, "{v=}", false, 11, "/A.x{v=}"},
      {"{v=}", false, "C", false, 6, "/A{v=}/C"},   {"{v=}", false, "x", true, 1, "/A{v=}.x"},
      {"{v=x}", false, "C", false, 6, nullptr},     {"{v=x}", false, "y", true, 1, nullptr},
      {"{v=x}", false, "{w=}", false, 11, nullptr},
  };
  for (const Case& c : cases) {
    CrateBuilder crate;
    const std::uint32_t a = crate.path(0, "A");
    const std::string above = c.above;
    const std::uint32_t parent = above.empty() ? a : crate.path(a, above, c.above_is_property);
    const std::uint32_t path = crate.path(parent, c.element, c.is_property);
    crate.spec(0, 7, {{"primChildren", crate.token_vector({"A"})}});
    crate.spec(a, 6, {});
    crate.spec(path, c.type, {});
    SCOPED_TRACE(testing::Message() << above << ' ' << c.element << ' ' << c.type);
    ASSERT_NE(read_layer(crate.build()), nullptr);
    std::vector<std::string> told;
    for (const Diagnostic& diagnostic : diagnostics_) {
      if (!diagnostic.message.starts_with("Entry ")) continue;
      told.push_back(diagnostic.path);
      EXPECT_EQ(diagnostic.code, "usdc-spec");
      EXPECT_EQ(diagnostic.severity, Severity::warning);
      EXPECT_EQ(diagnostic.message, "Entry 2 of SPECS is left out: type " + std::to_string(c.type) +
                                        " does not fit its path.");
    }
    if (c.path == nullptr) {
      EXPECT_THAT(told, IsEmpty());
    } else {
      EXPECT_THAT(told, testing::ElementsAre(c.path));
    }
  }
}

TEST_F(ReadCrate, LeavesOutVariantSetsOfTheLayer) {
  CrateBuilder crate;
  crate.spec(0, 7, {});
  crate.spec(crate.path(0, "{v=}"), 11, {});
  crate.spec(crate.path(0, "{v=x}"), 10, {});
  ASSERT_NE(read_layer(crate.build()), nullptr);
  ASSERT_EQ(diagnostics_.size(), 2u);
  EXPECT_EQ(diagnostics_[0].message,
            "Entry 1 of SPECS is left out: type 11 does not fit its path.");
  EXPECT_EQ(diagnostics_[1].message,
            "Entry 2 of SPECS is left out: type 10 does not fit its path.");
}

TEST_F(ReadCrate, TakesTheFirstOfTwoSpecsOfAPathAndMissesThatOfTheLayer) {
  CrateBuilder crate;
  const std::uint32_t a = crate.path(0, "A");
  crate.path(0, "NoSpec");
  crate.spec(0, 7, {{"primChildren", crate.token_vector({"A"})}});
  crate.spec(a, 6, {{"kind", crate.token_value("group")}});
  crate.spec(a, 6, {{"kind", crate.token_value("model")}});
  const LayerPtr layer = read_layer(crate.build());
  ASSERT_NE(layer, nullptr) << error_.message;
  EXPECT_EQ(layer->root().children[0]->fields[0].value.text(), "group");
  ASSERT_EQ(diagnostics_.size(), 1u);
  EXPECT_EQ(diagnostics_[0].message, "Entry 2 of SPECS is left out: its path is that of another.");
  EXPECT_EQ(diagnostics_[0].path, "/A");

  CrateBuilder bare;
  bare.spec(bare.path(0, "A"), 6, {});
  const LayerPtr empty = read_layer(bare.build());
  ASSERT_NE(empty, nullptr);
  EXPECT_THAT(empty->root().children, IsEmpty());
  ASSERT_EQ(diagnostics_.size(), 2u);
  EXPECT_EQ(diagnostics_[0].code, "usdc-spec");
  EXPECT_EQ(diagnostics_[0].message, "There is no spec of the layer itself.");
  EXPECT_EQ(diagnostics_[1].path, "/A");
}

// Prim A with the sets v and w of two variants each, of which these are listed.
std::string with_variants(const std::vector<std::string>& sets,
                          const std::vector<std::string>& variants) {
  CrateBuilder crate;
  const std::uint32_t a = crate.path(0, "A");
  crate.spec(0, 7, {{"primChildren", crate.token_vector({"A"})}});
  CrateBuilder::Fields fields;
  if (!sets.empty()) fields.emplace_back("variantSetChildren", crate.token_vector(sets));
  crate.spec(a, 6, fields);
  for (const std::string set : {"v", "w"}) {
    crate.spec(crate.path(a, "{" + set + "=}"), 11,
               {{"variantChildren", crate.token_vector(variants)}});
    for (const char* variant : {"x", "y"}) {
      crate.spec(crate.path(a, "{" + set + "=" + variant + "}"), 10, {});
    }
  }
  return crate.build();
}

TEST_F(ReadCrate, LeavesOutVariantSetsAndVariantsThatAreNotListed) {
  const auto left_out = [&](const std::vector<std::string>& sets,
                            const std::vector<std::string>& variants) {
    std::string paths;
    if (read_layer(with_variants(sets, variants)) == nullptr) return error_.message;
    for (const Diagnostic& diagnostic : diagnostics_) {
      EXPECT_EQ(diagnostic.code, "usdc-children");
      EXPECT_EQ(diagnostic.severity, Severity::warning);
      EXPECT_THAT(diagnostic.message,
                  testing::MatchesRegex("This is not in the list of children and is left out "
                                        "\\(item [0-9]+ of PATHS\\)\\."));
      paths += diagnostic.path + " ";
    }
    return paths;
  };
  EXPECT_EQ(left_out({"v", "w"}, {"x", "y"}), "");
  EXPECT_EQ(left_out({"v", "w"}, {"y"}), "/A{v=x} /A{w=x} ");
  EXPECT_EQ(left_out({"w"}, {"x", "y"}), "/A{v=} /A{v=x} /A{v=y} ");
  EXPECT_EQ(left_out({}, {"x", "y"}), "/A{v=} /A{w=} /A{v=x} /A{v=y} /A{w=x} /A{w=y} ");
}

TEST_F(ReadCrate, RefusesListsOfVariantsThatAreWrong) {
  struct Case {
    std::vector<std::string> sets, variants;
    const char* message;
  };
  const auto errors = [&] {
    return std::count_if(diagnostics_.begin(), diagnostics_.end(),
                         [](const Diagnostic& d) { return d.severity == Severity::error; });
  };
  for (const Case& c : {Case{{"v", "u"}, {"x"}, "the child 'u' of </A> is missing"},
                        Case{{"v", "w", "v"}, {"x"}, "the child 'v' of </A> is listed twice"},
                        Case{{"v"}, {"x", "z"}, "the child 'z' of </A{v=}> is missing"},
                        Case{{"v"}, {"x", "y", "x"}, "the child 'x' of </A{v=}> is listed twice"},
                        Case{{"v"}, {"x", ""}, "the child '' of </A{v=}> is missing"}}) {
    SCOPED_TRACE(c.message);
    options_.on_error = OnError::drop_values;
    EXPECT_EQ(read_layer(with_variants(c.sets, c.variants)), nullptr);
    EXPECT_EQ(reason(), c.message);
    EXPECT_EQ(errors(), 1);
    options_.on_error = OnError::keep_what_was_read;
    const LayerPtr layer = read_layer(with_variants(c.sets, c.variants));
    ASSERT_NE(layer, nullptr);
    EXPECT_FALSE(layer->complete());
    const auto& sets = layer->root().children[0]->extra->variant_sets;
    EXPECT_EQ(sets.size(), c.sets.size() - (c.sets.size() > 1 ? 1 : 0));
    EXPECT_EQ(sets[0].name.view(), "v");
    EXPECT_EQ(sets[0].variants.size(), c.variants.size() - (c.sets.size() > 1 ? 0 : 1));
    EXPECT_EQ(errors(), 1);
  }
}

TEST_F(ReadCrate, TakesNamesOf64KiBAndNoLongerOnes) {
  for (const std::size_t size : {65'536U, 65'537U}) {
    for (const bool is_property : {false, true}) {
      CrateBuilder crate;
      const std::string name(size, 'n');
      const std::uint32_t a = crate.path(0, "A");
      crate.spec(0, 7, {{"primChildren", crate.token_vector({"A"})}});
      crate.spec(a, 6, {{is_property ? "properties" : "primChildren", crate.token_vector({name})}});
      crate.spec(crate.path(a, name, is_property), is_property ? 8 : 6, {});
      EXPECT_EQ(read_layer(crate.build()) != nullptr, size == 65'536) << size << is_property;
      EXPECT_EQ(has("usdc-children"), size != 65'536);
    }
  }
}

TEST_F(ReadCrate, HasNoLimitForEachByteOfAFileIfThatIsZero) {
  options_.limits.decoded_per_byte = 0;
  EXPECT_NE(read_layer(scene(8)), nullptr);
  EXPECT_THAT(diagnostics_, IsEmpty());
}

}  // namespace
}  // namespace sinew::usdc::reader_test
