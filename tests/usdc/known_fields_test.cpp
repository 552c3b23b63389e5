// SPDX-License-Identifier: Apache-2.0
// Metadata whose type is known, stored as another: by programs that did not know the field, as
// text.
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "usdc/read_crate.hpp"

namespace sinew::usdc::known_fields_test {
namespace {

using namespace layer;
using namespace test;
using testing::Each;
using testing::Field;

class KnownFields : public ReadCrate {
 protected:
  using Fields = CrateBuilder::Fields;
  /// What the metadata `key` of `/A` is, or of `/A.x`.
  Value field_of(const std::string& key, std::uint64_t value, CrateBuilder& crate,
                 bool of_property = false) {
    const std::uint32_t a = crate.path(0, "A");
    const std::uint32_t x = crate.path(a, "x", true);
    crate.spec(0, 7, {{"primChildren", crate.token_vector({"A"})}});
    Fields prim = {{"properties", crate.token_vector({"x"})}};
    Fields property = {{"typeName", crate.token_value("int")}};
    (of_property ? property : prim).emplace_back(key, value);
    crate.spec(a, 6, prim);
    crate.spec(x, 1, property);
    layer_ = read_layer(crate.build());
    if (layer_ == nullptr) return {};
    const PrimSpec& read = *layer_->root().children[0];
    const auto fields = of_property ? read.properties[0].fields : read.fields;
    return fields.empty() ? Value() : fields[0].value;
  }
  /// The same of what a program that did not know the field wrote as this text.
  Value value_of_text(const std::string& key, const std::string& text, bool of_property = false) {
    CrateBuilder crate;
    std::string bytes;
    append(bytes, std::int64_t{8});
    append(bytes, rep(10, crate.string(text), kInline));
    return field_of(key, rep(53, crate.put(bytes)), crate, of_property);
  }
};

TEST_F(KnownFields, WithASyntaxOfTheirOwnAreTokens) {
  for (const char* key : {"kind", "symmetryFunction"}) {
    CrateBuilder crate;
    const Value value = field_of(key, rep(10, crate.string("group"), kInline), crate);
    EXPECT_EQ(value.type(), ElementType::token) << key;
    EXPECT_EQ(value.text(), "group") << key;
    EXPECT_THAT(diagnostics_, Each(Field(&Diagnostic::severity, Severity::info))) << key;
  }
}

TEST_F(KnownFields, OfAnotherShapeAreToldAndKept) {
  for (const char* key : {"inactiveIds", "apiSchemas", "customData", "kind"}) {
    CrateBuilder crate;
    const Value value = field_of(key, rep(3, 7, kInline), crate);
    EXPECT_EQ(value, Value::scalar(ElementType::int_, std::int32_t{7})) << key;
    ASSERT_EQ(diagnostics_.size(), 1u) << key;
    EXPECT_EQ(diagnostics_[0].code, "usdc-type") << key;
    EXPECT_EQ(diagnostics_[0].severity, Severity::warning) << key;
  }
}

TEST_F(KnownFields, ThatAreTextOfAStringAreWhatItSays) {
  for (const auto& [text, says] : {std::pair(R"("group")", "group"),
                                   {R"('it is "x"')", R"(it is "x")"},
                                   {R"("Don't")", "Don't"},
                                   {R"("a\"b\\")", R"(a"b\)"},
                                   {R"("""x""")", "x"},
                                   {R"("""""")", ""},
                                   {R"("")", ""},
                                   {"'''one\ntwo'''", "one\ntwo"}}) {
    const Value value = value_of_text("displayName", text);
    EXPECT_EQ(value.type(), ElementType::string) << text;
    EXPECT_EQ(value.text(), says) << text;
    EXPECT_THAT(diagnostics_, Each(Field(&Diagnostic::severity, Severity::info))) << text;
  }
  EXPECT_EQ(value_of_text("kind", R"("group")").type(), ElementType::token);
}

TEST_F(KnownFields, ThatAreTextOfSomethingElseStayText) {
  for (const char* text : {"", "group", R"(")", R"("a)", R"(a")", R"("a" "b")", R"("a\")",
                           R"("'a')", "\"one\ntwo\"", "@a@", R"("""a")"}) {
    EXPECT_EQ(value_of_text("displayName", text).type(), ElementType::unregistered) << text;
    EXPECT_TRUE(has("usdc-type")) << text;
  }
}

TEST_F(KnownFields, ThatAreTextOfANumberOrAWordAreIt) {
  for (const auto& [text, says] :
       {std::pair("true", true), {"1", true}, {"false", false}, {"0", false}}) {
    const Value value = value_of_text("hidden", text);
    EXPECT_EQ(value, Value::scalar(ElementType::bool_, says)) << text;
    ASSERT_EQ(diagnostics_.size(), 1u);
    EXPECT_EQ(diagnostics_[0].severity, Severity::info);
  }
  for (const char* text : {"", "yes", "2", "True", "\"true\"", "1 "}) {
    EXPECT_EQ(value_of_text("hidden", text).type(), ElementType::unregistered) << text;
    ASSERT_EQ(diagnostics_.size(), 1u);
    EXPECT_EQ(diagnostics_[0].severity, Severity::warning);
  }
  EXPECT_EQ(value_of_text("weight", "0.1", true), Value::scalar(ElementType::float_, 0.1F));
  EXPECT_EQ(value_of_text("weight", "-2", true), Value::scalar(ElementType::float_, -2.0F));
  EXPECT_EQ(value_of_text("arraySizeConstraint", "-5", true),
            Value::scalar(ElementType::int64, std::int64_t{-5}));
  for (const char* text : {"", "x", "1x", "(1)", "1e300", "9223372036854775808"}) {
    EXPECT_EQ(value_of_text("arraySizeConstraint", text, true).type(), ElementType::unregistered)
        << text;
    EXPECT_EQ(diagnostics_[0].severity, Severity::warning);
  }
}

TEST_F(KnownFields, ThatListOtherNumbersListThoseOfTheirType) {
  for (const unsigned type : {36U, 37U, 38U, 39U}) {
    CrateBuilder crate;
    std::string bytes(1, '\x03');  // A whole list.
    append(bytes, std::uint64_t{1});
    append(bytes, std::uint64_t{7});
    const Value value = field_of("inactiveIds", rep(type, crate.put(bytes)), crate);
    ASSERT_NE(value.as_list_op(), nullptr) << type;
    ASSERT_EQ(value.as_list_op()->explicit_items.size(), 1u) << type;
    EXPECT_EQ(value.as_list_op()->explicit_items[0].get<std::int64_t>(), 7) << type;
    EXPECT_THAT(diagnostics_, Each(Field(&Diagnostic::severity, Severity::info))) << type;
  }
}

TEST_F(KnownFields, ThatAreTextOfListsAreArrays) {
  for (const char* text : {R"(["a", 'b'])", R"([ "a" , "b" , ])"}) {
    const Value tokens = value_of_text("allowedTokens", text, true);
    ASSERT_TRUE(tokens.is_array()) << text;
    EXPECT_EQ(tokens.type(), ElementType::token) << text;
    const auto listed = tokens.as_array<Token>();
    ASSERT_EQ(listed.size(), 2u) << text;
    EXPECT_EQ(listed[1].view(), "b") << text;
  }
  EXPECT_EQ(value_of_text("displayGroupOrder", "[]").type(), ElementType::string);
  EXPECT_EQ(value_of_text("payloadAssetDependencies", "[@a.usd@, @@]").size(), 2u);
  for (const char* text :
       {"", "[", R"(["a")", "[,]", R"(["a" "b"])", R"(["a"]])", "[1]", "[@a@]"}) {
    EXPECT_EQ(value_of_text("displayGroupOrder", text).type(), ElementType::unregistered) << text;
  }
}

TEST_F(KnownFields, ThatListWhatIsNoWholeNumberKeepTheirList) {
  const auto listed = [&](const std::vector<double>& numbers) {
    CrateBuilder crate;
    std::string bytes(1, '\x03');  // A whole list of source texts.
    append(bytes, std::uint64_t{numbers.size()});
    for (const double number : numbers) {
      append(bytes, std::int64_t{8});
      append(bytes, rep(10, crate.string(std::to_string(number)), kInline));
    }
    std::string nested;
    append(nested, std::int64_t{8});
    append(nested, rep(54, crate.put(bytes)));
    return field_of("inactiveIds", rep(53, crate.put(nested)), crate);
  };
  const Value texts = listed({7, 0.5});
  ASSERT_NE(texts.as_list_op(), nullptr);
  ASSERT_EQ(texts.as_list_op()->explicit_items.size(), 2u);
  EXPECT_EQ(texts.as_list_op()->explicit_items[0].type(), ElementType::unregistered);
  EXPECT_TRUE(has("usdc-type"));
}

TEST_F(KnownFields, ThatAreTextMayHaveLineBreaksWithinThreeQuotesOnly) {
  for (const char* text : {"\"a\rb\"", "'a\nb'", "'a", "'", "'\\", "'a'\"", "\"\"a"}) {
    EXPECT_EQ(value_of_text("displayName", text).type(), ElementType::unregistered) << text;
  }
  EXPECT_EQ(value_of_text("displayName", "\"\"\"a\rb\"\"\"").text(), "a\rb");
  EXPECT_EQ(value_of_text("displayName", "  \"a\"").text(), "a");
  // Only a quote of the same kind and a backslash are escaped.
  EXPECT_EQ(value_of_text("displayName", R"('a\'b')").text(), "a'b");
}

TEST_F(KnownFields, ThatListAssetsListThemInWholeLinesOnly) {
  const Value assets = value_of_text("payloadAssetDependencies", "['a.usd', \"b\", @c\\@]");
  ASSERT_EQ(assets.size(), 3u);
  EXPECT_EQ(assets.as_array<Token>()[2].view(), "c\\");
  for (const char* text : {"[@a]", "[@a\nb@]", "[@a\rb@]", "[@@@a@@@]", "[@", "[a]"}) {
    EXPECT_EQ(value_of_text("payloadAssetDependencies", text).type(), ElementType::unregistered)
        << text;
  }
}

}  // namespace
}  // namespace sinew::usdc::known_fields_test
