// SPDX-License-Identifier: Apache-2.0
// Whatever a binary file holds, there is text of it that can be read, and what is missing is named.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "sinew/layer/compare.hpp"
#include "sinew/usda/parser.hpp"
#include "sinew/usda/writer.hpp"
#include "usdc/read_crate.hpp"

namespace sinew::usdc::write_text_test {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

// A value of each form, by number.
constexpr std::size_t kForms = 15;

std::uint64_t nested_string(CrateBuilder& crate, const std::string& text) {
  std::string bytes;
  append(bytes, std::int64_t{8});
  append(bytes, rep(10, crate.string(text), kInline));
  return rep(53, crate.put(bytes));
}

std::uint64_t dictionary_of(CrateBuilder& crate, std::uint64_t value) {
  std::string bytes;
  append(bytes, std::uint64_t{2});
  for (const auto& [key, entry] : {std::pair("a", value), std::pair("b", rep(3, 1, kInline))}) {
    append(bytes, crate.string(key));
    append(bytes, std::int64_t{8});
    append(bytes, entry);
  }
  return rep(31, crate.put(bytes));
}

std::string one_item(std::uint32_t item) {
  std::string bytes(1, '\x03');
  append(bytes, std::uint64_t{1});
  append(bytes, item);
  return bytes;
}

std::uint64_t value_of_form(CrateBuilder& crate, std::size_t form) {
  switch (form) {
    case 0:
      return rep(10, crate.string("q"), kInline);
    case 1:
      return rep(3, 1, kInline);
    case 2:
      return dictionary_of(crate, rep(51, 0, kInline));
    case 3:
      return crate.array<std::int32_t>(3, {1, 2});
    case 4:
      return rep(51, 0, kInline);  // A block.
    case 5:
      return rep(60, 0, kInline);  // An animation block.
    case 6:
      return rep(32, crate.put(one_item(crate.token("x"))));
    case 7:
      return rep(36, crate.put(one_item(5)));
    case 8:
      return nested_string(crate, "foo");
    case 9:
      return crate.token_vector({"a", "b"});
    case 10:
      return rep(3, 0, kEdit);
    case 11:
      return rep(42, 1, kInline);  // A specifier.
    case 12:
      return rep(3, 0, kArray);
    case 13:
      return dictionary_of(crate, nested_string(crate, "foo"));
    default:
      return nested_string(crate, "two words");
  }
}

const std::vector<std::string> kKeys = {"active",
                                        "instanceable",
                                        "hidden",
                                        "kind",
                                        "documentation",
                                        "displayName",
                                        "prefix",
                                        "comment",
                                        "symmetricPeer",
                                        "symmetryArguments",
                                        "apiSchemas",
                                        "clipSets",
                                        "inactiveIds",
                                        "assetInfo",
                                        "clips",
                                        "customData",
                                        "sdrMetadata",
                                        "uiHints",
                                        "displayGroupOrder",
                                        "displayGroup",
                                        "payloadAssetDependencies",
                                        "permission",
                                        "symmetryFunction",
                                        "prefixSubstitutions",
                                        "suffixSubstitutions",
                                        "defaultPrim",
                                        "upAxis",
                                        "metersPerUnit",
                                        "customLayerData",
                                        "owner",
                                        "colorConfiguration",
                                        "fallbackPrimTypes",
                                        "startTimeCode",
                                        "framesPerSecond",
                                        "framePrecision",
                                        "expressionVariables",
                                        "hasOwnedSubLayers",
                                        "renderType",
                                        "interpolation",
                                        "elementSize",
                                        "weight",
                                        "colorSpace",
                                        "allowedTokens",
                                        "limits",
                                        "arraySizeConstraint",
                                        "displayUnit",
                                        "noLoadHint",
                                        "bindMaterialAs",
                                        "outputName",
                                        "unknown",
                                        "a:b",
                                        "def",
                                        "doc",
                                        "variants"};

// The layer, `/A`, `/A.x` and `/A.r`, one of them with that value under every key.
std::string crate_with(std::size_t form, std::size_t where) {
  CrateBuilder crate(14);
  const std::uint32_t a = crate.path(0, "A");
  const std::uint32_t x = crate.path(a, "x", true);
  const std::uint32_t r = crate.path(a, "r", true);
  const std::uint64_t value = value_of_form(crate, form);
  CrateBuilder::Fields fields[4] = {
      {{"primChildren", crate.token_vector({"A"})}},
      {{"specifier", rep(42, 0, kInline)}, {"properties", crate.token_vector({"x", "r"})}},
      {{"typeName", crate.token_value("float")}, {"default", value}},
      {{"variability", rep(44, 1, kInline)}, {"default", value}}};
  for (const std::string& key : kKeys) fields[where].emplace_back(key, value);
  crate.spec(0, 7, fields[0]);
  crate.spec(a, 6, fields[1]);
  crate.spec(x, 1, fields[2]);
  crate.spec(r, 8, fields[3]);
  return crate.build();
}

class TextOfCrates : public ReadCrate {
 protected:
  // Writes the layer of a file, and reads the text.
  void write(const std::string& file) {
    layer_ = read_layer(file);
    ASSERT_NE(layer_, nullptr) << error_.message;
    Diagnostics left_out;
    text_ = usda::write(*layer_, left_out);
    names_.clear();
    for (const Diagnostic& diagnostic : left_out) {
      EXPECT_EQ(diagnostic.code, "usda-not-representable");
      const std::string& message = diagnostic.message;
      names_.push_back(diagnostic.path + " " +
                       message.substr(1, message.find("' is left out") - 1));
    }
    Diagnostics ignored;
    const auto again = usda::parse(text_, "again.usda", ignored);
    ASSERT_TRUE(again) << again.error().message << "\n" << text_;
    again_ = *again;
  }

  std::string text_;
  std::vector<std::string> names_;  // "path key" of each warning.
  layer::LayerPtr again_;
};

TEST_F(TextOfCrates, CanBeReadWhateverTheValues) {
  for (std::size_t form = 0; form < kForms; ++form) {
    for (std::size_t where = 0; where < 4; ++where) {
      SCOPED_TRACE(testing::Message() << "form " << form << " in place " << where);
      ASSERT_NO_FATAL_FAILURE(write(crate_with(form, where)));
      for (const layer::Difference& d : layer::differences(*layer_, *again_, {.most = 1000})) {
        if (d.b != "-") continue;  // Text tells fewer types apart.
        const auto names_it = [&](const std::string& name) {
          return name.starts_with(d.path + " " + d.field);
        };
        EXPECT_TRUE(std::any_of(names_.begin(), names_.end(), names_it))
            << d.path << " " << d.field << "\n"
            << text_;
      }
    }
  }
}

TEST_F(TextOfCrates, LacksAttributesWithoutAType) {
  CrateBuilder crate;
  const std::uint32_t a = crate.path(0, "A");
  const std::uint32_t x = crate.path(a, "x", true);
  crate.spec(0, 7, {{"primChildren", crate.token_vector({"A"})}});
  crate.spec(
      a, 6,
      {{"typeName", crate.token_value("two words")}, {"properties", crate.token_vector({"x"})}});
  crate.spec(x, 1, {{"default", rep(3, 7, kInline)}});
  ASSERT_NO_FATAL_FAILURE(write(crate.build()));
  EXPECT_THAT(names_, ElementsAre("/A.x x"));
  EXPECT_EQ(again_->find_prim("/A")->type_name.view(), "two words");
}

TEST_F(TextOfCrates, LacksTargetsThatTextRefuses) {
  CrateBuilder crate;
  const std::uint32_t a = crate.path(0, "A");
  const std::uint32_t r = crate.path(a, "r", true);
  const std::uint32_t target = crate.path(r, "[/B]");
  crate.spec(0, 7, {{"primChildren", crate.token_vector({"A"})}});
  crate.spec(a, 6, {{"properties", crate.token_vector({"r"})}});
  crate.spec(r, 8,
             {{"variability", rep(44, 1, kInline)},
              {"targetPaths", rep(34, crate.put(one_item(target)))}});
  ASSERT_NO_FATAL_FAILURE(write(crate.build()));
  EXPECT_THAT(names_, ElementsAre("/A.r targetPaths"));
}

TEST_F(TextOfCrates, LacksVariantsOfNamesThatTextRefuses) {
  CrateBuilder crate;
  const std::uint32_t a = crate.path(0, "A");
  std::string selections;
  append(selections, std::uint64_t{1});
  append(selections, crate.string("v"));
  append(selections, crate.string("a b"));
  crate.spec(0, 7, {{"primChildren", crate.token_vector({"A"})}});
  crate.spec(a, 6,
             {{"variantSelection", rep(45, crate.put(selections))},
              {"variantSetNames", rep(33, crate.put(one_item(crate.string("a b"))))}});
  ASSERT_NO_FATAL_FAILURE(write(crate.build()));
  EXPECT_THAT(names_, ElementsAre("/A variants:v", "/A variantSets"));
}

TEST_F(TextOfCrates, LacksSplinesOfOtherTypes) {
  CrateBuilder crate(12);
  std::string blob;
  append(blob, std::uint64_t{6});
  blob += std::string("\x11\x09\0\0\0\0", 6);
  append(blob, std::uint64_t{0});
  const std::uint64_t spline = rep(59, crate.put(blob));
  const std::uint32_t a = crate.path(0, "A");
  const std::uint32_t x = crate.path(a, "x", true);
  const std::uint32_t y = crate.path(a, "y", true);
  crate.spec(0, 7, {{"primChildren", crate.token_vector({"A"})}});
  crate.spec(a, 6, {{"properties", crate.token_vector({"x", "y"})}});
  crate.spec(x, 1, {{"typeName", crate.token_value("int")}, {"spline", spline}});
  crate.spec(y, 1, {{"typeName", crate.token_value("double")}, {"spline", spline}});
  ASSERT_NO_FATAL_FAILURE(write(crate.build()));
  EXPECT_THAT(names_, ElementsAre("/A.x spline"));
}

TEST_F(TextOfCrates, LacksNothingOfOrdinaryScenes) {
  ASSERT_NO_FATAL_FAILURE(write(scene(8)));
  EXPECT_THAT(names_, IsEmpty());
  EXPECT_THAT(text_, StartsWith("#usda 1.0\n"));
  EXPECT_TRUE(layer::differences(*layer_, *again_).empty());
}

}  // namespace
}  // namespace sinew::usdc::write_text_test
