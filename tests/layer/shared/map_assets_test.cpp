// SPDX-License-Identifier: Apache-2.0
#include "layer/shared/map_assets.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "sinew/layer/layer_builder.hpp"
#include "sinew/usda/parser.hpp"
#include "sinew/usda/writer.hpp"

namespace sinew::layer::map_assets_test {
namespace {

// Every asset path of the layer, moved into the folder `m`.
LayerPtr moved(const Layer& layer, int* calls = nullptr) {
  return map_assets(layer, [&](Token asset) {
    if (calls != nullptr) ++*calls;
    return layer.tokens()->intern("m/" + std::string(asset.view()));
  });
}

TEST(MapAssets, ReachesEveryPathOfALayerAndNothingElse) {
  const std::string text = R"(#usda 1.2
(
    customLayerData = {
        asset a = @1.usd@
        dictionary d = {
            asset[] b = [@2.usd@, @@, @3.usd@]
            string s = "plain.usd"
        }
    }
    subLayers = [
        @4.usd@ (offset = 2; scale = 3),
    ]
)

def Xform "A" (
    delete payload = [@5.usd@</P>]
    add references = [@6.usd@]
    prepend references = [@7.usd@</R> (offset = 1; customData = {
        asset c = @8.usd@
    }), </Q>]
    append references = [@9.usd@]
    reorder references = [@10.usd@]
    variants = {
        string v = "x"
    }
    prepend variantSets = "v"
)
{
    reorder nameChildren = ["C", "B"]
    asset d = @11.usd@ (
        customData = {
            asset e = @12.usd@
        }
    )
    asset[] f = edit [
        append @13.usd@
        resize 4 fill @14.usd@
    ]
    asset g.timeSamples = {
        1: @15.usd@,
        2: None,
    }
    double h.spline = {
        1: 2,
    }
    float i = 1
    float i.connect = </A.j>
    rel k = </A/B>

    def "B"
    {
        asset l = @11.usd@
    }
    variantSet "v" = {
        "x" {
            asset m = @16.usd@

        }
    }
}
)";
  Diagnostics diagnostics;
  const auto layer = usda::parse(text, "a.usda", diagnostics);
  ASSERT_TRUE(layer) << layer.error().message;
  const std::string before = usda::write(**layer);
  std::string expected;
  std::size_t paths = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    expected += before[i];
    const bool opens = before[i] == '@' && before.compare(i, 2, "@@") != 0 && ++paths % 2 == 1;
    if (opens) expected += "m/";
    if (before.compare(i, 2, "@@") == 0) expected += before[++i];
  }
  ASSERT_EQ(paths, 2u * 17u);

  const LayerPtr mapped = moved(**layer);

  EXPECT_EQ(usda::write(*mapped), expected);
  EXPECT_EQ(usda::write(**layer), before);
  EXPECT_EQ(mapped->identifier(), "a.usda");
  EXPECT_EQ(mapped->version(), (*layer)->version());
  EXPECT_EQ(mapped->prim_count(), (*layer)->prim_count());
}

TEST(MapAssets, MapsOnceWhatALayerHoldsManyTimes) {
  LayerBuilder builder("");
  const Token assets[] = {builder.tokens().intern("a"), builder.tokens().intern("b")};
  const Value shared = Value::array<Token>(ElementType::asset, assets);
  for (const char* name : {"A", "B", "C"}) {
    const auto prim = builder.add_prim(builder.root(), Specifier::def, "", name);
    ASSERT_TRUE(builder.set_default(*prim, "asset[]", "x", shared));
  }
  const LayerPtr layer = std::move(builder).finish();
  int calls = 0;

  const LayerPtr mapped = moved(*layer, &calls);

  EXPECT_EQ(calls, 2);
  const Value& first = mapped->find_prim("/A")->properties[0].default_value;
  EXPECT_EQ(usda::write_value(first), "[@m/a@, @m/b@]");
  for (const char* prim : {"/B", "/C"}) {
    const Value& value = mapped->find_prim(prim)->properties[0].default_value;
    EXPECT_EQ(value, first);
    EXPECT_EQ(value.bytes().data(), first.bytes().data());
  }
}

TEST(MapAssets, MapsTemplatesOfClipsAlone) {
  LayerBuilder builder("");
  const auto entry = [&](const char* key, const char* type, Value value) {
    return DictionaryEntry{builder.tokens().intern(key), builder.tokens().intern(type),
                           std::move(value)};
  };
  const Value set = Value::dictionary(
      {entry("templateAssetPath", "string",
             Value::scalar(ElementType::string, builder.tokens().intern("c.#.usd"))),
       entry("manifestAssetPath", "asset",
             Value::scalar(ElementType::asset, builder.tokens().intern("m.usd")))});
  const Value clips = Value::dictionary({entry("default", "dictionary", set)});
  const auto a = *builder.add_prim(builder.root(), Specifier::def, "", "A");
  for (const char* key : {"assetInfo", "clips", "customData"}) builder.set_field(a, key, clips);
  const LayerPtr layer = std::move(builder).finish();

  const LayerPtr mapped = map_assets(
      *layer, [&](Token) { return layer->tokens()->intern("mapped"); },
      [&](const Dictionary& of, Token text) {
        EXPECT_EQ(of.size(), 2u);
        EXPECT_EQ(text.view(), "c.#.usd");
        return layer->tokens()->intern("t.#.usd");
      });

  for (const char* key : {"assetInfo", "clips", "customData"}) {
    const Dictionary& sets = *mapped->find_prim("/A")->field(key)->as_dictionary();
    const Dictionary& entries = *sets[0].value.as_dictionary();
    EXPECT_EQ(find(entries, "templateAssetPath")->value.text(),
              std::string_view(key) == "clips" ? "t.#.usd" : "c.#.usd")
        << key;
    EXPECT_EQ(find(entries, "manifestAssetPath")->value.text(), "mapped") << key;
  }
}

}  // namespace
}  // namespace sinew::layer::map_assets_test
