// SPDX-License-Identifier: Apache-2.0
#include "sinew/layer/layer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "layer/shared/layer_assembly.hpp"
#include "sinew/layer/layer_builder.hpp"

namespace sinew::layer::layer_test {
namespace {

// A prim /p with a variant {set=v} that holds a prim, and `count` children n0, n1, ...
LayerPtr sample_layer(int count) {
  LayerAssembly assembly("sample", nullptr, {});
  assembly.push_prim("p");
  std::size_t set = 0;
  assembly.declare_variant_set(assembly.intern("set"), set);
  assembly.push_variant(set, assembly.intern("v"));
  assembly.push_prim("inside");
  assembly.pop_prim();
  assembly.pop_prim();
  for (int i = 0; i < count; ++i) {
    const std::string name = "n" + std::to_string(i);
    assembly.push_prim(name);
    assembly.pop_prim();
    assembly.declare_property(assembly.intern(name), PropertySpec::Kind::attribute);
  }
  return assembly.finish();
}

// One table knows where names are in all prims that have many.
TEST(Layer, FindsTheChildOfThisPrimWhereOthersHaveItsName) {
  constexpr int kPrims = 40;
  constexpr int kNames = 61;
  LayerAssembly assembly("sample", nullptr, {});
  for (int p = 0; p < kPrims; ++p) {
    assembly.push_prim("p" + std::to_string(p));
    for (int i = 0; i < 20 + p; ++i) {  // Each prim in an order of its own, and without some names.
      assembly.push_prim("n" + std::to_string(i * (p % 7 + 1) % kNames));
      assembly.pop_prim();
    }
    assembly.pop_prim();
  }
  const LayerPtr layer = assembly.finish();
  std::size_t found = 0;
  for (const PrimSpec* prim : layer->root().children) {
    for (int i = 0; i < kNames; ++i) {
      const Token name = layer->tokens()->find("n" + std::to_string(i));
      const auto child = std::find_if(prim->children.begin(), prim->children.end(),
                                      [&](const PrimSpec* each) { return each->name == name; });
      const PrimSpec* const expected = child == prim->children.end() ? nullptr : *child;
      ASSERT_EQ(layer->find_child(*prim, name), expected) << prim->name.view() << " " << i;
      found += expected != nullptr ? 1 : 0;
    }
  }
  EXPECT_EQ(found, static_cast<std::size_t>(kPrims * 20 + kPrims * (kPrims - 1) / 2));
}

TEST(Layer, FindsChildrenAndPropertiesWhetherFewOrMany) {
  for (const int count : {3, 16, 17, 200}) {
    SCOPED_TRACE(count);
    const LayerPtr layer = sample_layer(count);
    const PrimSpec& p = *layer->root().children[0];
    for (int i = 0; i < count; ++i) {
      const Token name = layer->tokens()->find("n" + std::to_string(i));
      EXPECT_EQ(layer->find_child(p, name), p.children[static_cast<std::size_t>(i)]);
      EXPECT_EQ(layer->find_property(p, name), &p.properties[static_cast<std::size_t>(i)]);
    }
    EXPECT_EQ(layer->find_child(p, layer->tokens()->find("inside")), nullptr);
    EXPECT_EQ(layer->find_property(p, layer->tokens()->find("inside")), nullptr);
  }
}

TEST(Layer, FindsPrimsAndVariantsByPath) {
  const LayerPtr layer = sample_layer(1);
  for (const char* path : {"/p", "/p/n0", "/p{set=v}", "/p{set=v}inside"}) {
    const PrimSpec* prim = layer->find_prim(path);
    ASSERT_NE(prim, nullptr) << path;
    EXPECT_EQ(Layer::path_of(*prim).view(), path);
  }
  EXPECT_EQ(layer->find_prim("/"), &layer->root());
  for (const char* path :
       {"", "p", "/q", "/p/", "/p//n0", "/p{set=w}", "/p{set", "/p/n0.x", "/p{set=v", "/p{set}",
        "/p{set}n0{set=v}", "/p{set=}", "/p{=v}", "/p{other=v}", "/n0{set=v}", "/p{set=v}n0",
        "/p{set=v}/inside", "/p.n0"}) {
    EXPECT_EQ(layer->find_prim(path), nullptr) << path;
  }
}

TEST(Layer, CountsVariantsButNotTheRootAsPrims) {
  EXPECT_EQ(sample_layer(2)->prim_count(), 5u);
}

TEST(Layer, FindsFieldsByKey) {
  LayerBuilder builder("");
  builder.set_field(builder.root(), "upAxis",
                    Value::scalar(ElementType::token, builder.tokens().intern("Z")));
  const LayerPtr layer = std::move(builder).finish();
  ASSERT_NE(layer->field("upAxis"), nullptr);
  EXPECT_EQ(layer->field("upAxis")->text(), "Z");
  EXPECT_EQ(layer->field("up"), nullptr);
}

TEST(Layer, OfAProgramIsCompleteAndUndamaged) {
  const LayerPtr layer = sample_layer(0);
  EXPECT_TRUE(layer->complete());
  EXPECT_EQ(layer->damaged_values(), 0u);
}

// Layers that differ in one statement at most, with tables of tokens of their own.
LayerPtr stated(double value, double time, const char* field) {
  LayerBuilder builder("layer " + std::to_string(value));
  auto* prim = *builder.add_prim(builder.root(), Specifier::def, "Xform", "a");
  builder.set_field(prim, field, Value::scalar(ElementType::bool_, true));
  const Value sample = Value::scalar(ElementType::double_, value);
  EXPECT_TRUE(builder.set_time_samples(prim, "double", "x", {{time}, {sample}}));
  return std::move(builder).finish();
}

TEST(LayerEqual, ComparesWhatIsStatedAndNotWhere) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const LayerPtr layer = stated(1.0, 2.0, "active");
  EXPECT_TRUE(equal(*layer, *stated(1.0, 2.0, "active")));
  EXPECT_FALSE(equal(*layer, *stated(1.5, 2.0, "active")));
  EXPECT_FALSE(equal(*layer, *stated(1.0, 2.5, "active")));
  EXPECT_FALSE(equal(*layer, *stated(1.0, 2.0, "hidden")));
  EXPECT_TRUE(equal(*stated(nan, nan, "active"), *stated(nan, nan, "active")));
}

TEST(LayerEqual, ComparesTheOrderOfPrims) {
  const auto two = [](const char* first, const char* second) {
    LayerBuilder builder("");
    EXPECT_TRUE(builder.add_prim(builder.root(), Specifier::def, "", first));
    EXPECT_TRUE(builder.add_prim(builder.root(), Specifier::def, "", second));
    return std::move(builder).finish();
  };
  EXPECT_TRUE(equal(*two("a", "b"), *two("a", "b")));
  EXPECT_FALSE(equal(*two("a", "b"), *two("b", "a")));
}

TEST(ListsOfAProperty, AreNullWhereNothingIsStated) {
  PropertySpec property;
  EXPECT_EQ(property.time_samples(), nullptr);
  EXPECT_EQ(property.targets(), nullptr);
  EXPECT_EQ(property.spline(), nullptr);
  PropertyExtra extra;
  extra.has_time_samples = true;  // An empty map.
  property.extra = &extra;
  EXPECT_EQ(property.time_samples(), nullptr);
  EXPECT_EQ(property.targets(), nullptr);
  extra.targets.is_explicit = true;  // An empty list is an opinion.
  EXPECT_EQ(property.targets(), &extra.targets);
}

}  // namespace
}  // namespace sinew::layer::layer_test
