// SPDX-License-Identifier: Apache-2.0
#include "layer/shared/layer_assembly.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace sinew::layer::layer_assembly_test {
namespace {

using testing::HasSubstr;
using Reason = LayerAssembly::Refusal::Reason;
using Kind = PropertySpec::Kind;

TEST(LayerAssembly, KeepsTheOrderInWhichThingsAreStated) {
  LayerAssembly assembly("made", nullptr, {});
  assembly.push_prim("b")->type_name = assembly.intern("Xform");
  assembly.declare_property(assembly.intern("z"), Kind::attribute);
  assembly.declare_property(assembly.intern("a"), Kind::relationship);
  assembly.push_prim("inner");
  assembly.pop_prim();
  assembly.pop_prim();
  assembly.push_prim("a");
  const LayerPtr layer = assembly.finish();

  EXPECT_EQ(layer->identifier(), "made");
  EXPECT_TRUE(layer->complete());
  EXPECT_EQ(layer->prim_count(), 3u);
  ASSERT_EQ(layer->root().children.size(), 2u);
  EXPECT_EQ(layer->root().children[1]->name.view(), "a");
  const PrimSpec& b = *layer->root().children[0];
  EXPECT_EQ(b.type_name.view(), "Xform");
  ASSERT_EQ(b.properties.size(), 2u);
  EXPECT_EQ(b.properties[0].name.view(), "z");
  EXPECT_EQ(b.properties[1].variability, Variability::uniform);
  EXPECT_EQ(Layer::path_of(*b.children[0]).view(), "/b/inner");
}

TEST(LayerAssembly, ClosesWhatIsStillOpenWhenItFinishes) {
  LayerAssembly assembly("partial", nullptr, {});
  assembly.push_prim("a");
  assembly.push_prim("b");
  assembly.declare_property(assembly.intern("p"), Kind::attribute);
  const LayerPtr layer = assembly.finish(false);

  EXPECT_FALSE(layer->complete());
  const PrimSpec* b = layer->find_prim("/a/b");
  ASSERT_NE(b, nullptr);
  EXPECT_EQ(b->properties.size(), 1u);
}

TEST(LayerAssembly, RefusesASecondPrimOfOneName) {
  LayerAssembly assembly("", nullptr, {});
  ASSERT_NE(assembly.push_prim("a"), nullptr);
  assembly.pop_prim();
  EXPECT_EQ(assembly.push_prim("a"), nullptr);
  EXPECT_EQ(assembly.refusal().reason, Reason::duplicate_name);
  EXPECT_THAT(assembly.refusal().message, HasSubstr("'a'"));
  EXPECT_EQ(assembly.finish()->prim_count(), 1u);
}

TEST(LayerAssembly, FindsRepeatedNamesAmongManyPrimsAndProperties) {
  LayerAssembly assembly("", nullptr, {});
  for (int i = 0; i < 100; ++i) {
    const std::string name = "n" + std::to_string(i);
    ASSERT_NE(assembly.push_prim(name), nullptr);
    assembly.pop_prim();
    ASSERT_TRUE(assembly.declare_property(assembly.intern(name), Kind::attribute).is_new);
  }
  for (int i = 0; i < 100; ++i) {
    const std::string name = "n" + std::to_string(i);
    EXPECT_EQ(assembly.push_prim(name), nullptr) << name;
    const auto again = assembly.declare_property(assembly.intern(name), Kind::attribute);
    EXPECT_FALSE(again.is_new) << name;
    EXPECT_EQ(again.spec->name.view(), name);
  }
  const LayerPtr layer = assembly.finish();
  EXPECT_EQ(layer->root().children.size(), 100u);
  EXPECT_EQ(layer->root().properties.size(), 100u);
}

TEST(LayerAssembly, RefusesAPropertyOfBothKinds) {
  LayerAssembly assembly("", nullptr, {});
  const Token name = assembly.intern("p");
  ASSERT_NE(assembly.declare_property(name, Kind::attribute).spec, nullptr);
  EXPECT_EQ(assembly.declare_property(name, Kind::relationship).spec, nullptr);
  EXPECT_EQ(assembly.refusal().reason, Reason::other_kind);
}

TEST(LayerAssembly, LimitsTheNestingOfPrims) {
  LayerAssembly assembly("", nullptr, {.prim_nesting = 2});
  ASSERT_NE(assembly.push_prim("a"), nullptr);
  ASSERT_NE(assembly.push_prim("b"), nullptr);
  EXPECT_EQ(assembly.push_prim("c"), nullptr);
  EXPECT_EQ(assembly.refusal().reason, Reason::limit);
  EXPECT_THAT(assembly.refusal().message, HasSubstr("limit of 2"));
}

TEST(LayerAssembly, LimitsThePrimsOfALayerVariantsIncluded) {
  LayerAssembly assembly("", nullptr, {.prims = 2});
  ASSERT_NE(assembly.push_prim("a"), nullptr);
  std::size_t set = 0;
  ASSERT_TRUE(assembly.declare_variant_set(assembly.intern("set"), set));
  ASSERT_NE(assembly.push_variant(set, assembly.intern("x")), nullptr);
  assembly.pop_prim();
  EXPECT_EQ(assembly.push_variant(set, assembly.intern("y")), nullptr);
  EXPECT_EQ(assembly.refusal().reason, Reason::limit);
  EXPECT_EQ(assembly.push_prim("b"), nullptr);
  EXPECT_NE(assembly.push_variant(set, assembly.intern("x")), nullptr) << "it is there already";
}

TEST(LayerAssembly, LimitsTheNestingOfVariants) {
  LayerAssembly assembly("", nullptr, {.variant_nesting = 1});
  assembly.push_prim("a");
  std::size_t set = 0;
  ASSERT_TRUE(assembly.declare_variant_set(assembly.intern("outer"), set));
  ASSERT_NE(assembly.push_variant(set, assembly.intern("x")), nullptr);
  EXPECT_FALSE(assembly.declare_variant_set(assembly.intern("inner"), set));
  assembly.pop_prim();
  EXPECT_TRUE(assembly.declare_variant_set(assembly.intern("beside"), set));
  EXPECT_EQ(set, 1u);
}

TEST(LayerAssembly, LimitsTheNamesOfOneSpec) {
  LayerAssembly assembly("", nullptr, {.names_per_spec = 1});
  const auto name = [&](const char* text) { return assembly.intern(text); };
  assembly.push_prim("a");
  std::size_t set = 0;
  ASSERT_TRUE(assembly.declare_variant_set(name("s"), set));
  EXPECT_FALSE(assembly.declare_variant_set(name("t"), set));
  ASSERT_TRUE(assembly.declare_variant_set(name("s"), set));
  ASSERT_NE(assembly.push_variant(set, name("x")), nullptr);
  assembly.pop_prim();
  EXPECT_EQ(assembly.push_variant(set, name("y")), nullptr);
  EXPECT_TRUE(assembly.select_variant(name("s"), name("x")));
  EXPECT_TRUE(assembly.select_variant(name("s"), name("y"))) << "replaces the first";
  EXPECT_FALSE(assembly.select_variant(name("t"), name("x")));
  EXPECT_TRUE(assembly.set_field(name("k"), Value::block()));
  EXPECT_TRUE(assembly.set_field(name("k"), Value())) << "replaces the first";
  EXPECT_FALSE(assembly.set_field(name("l"), Value::block()));
  EXPECT_EQ(assembly.refusal().reason, Reason::limit);
}

TEST(LayerAssembly, GivesFieldsToTheOpenPropertyElseToThePrim) {
  LayerAssembly assembly("", nullptr, {});
  const Token key = assembly.intern("displayName");
  const auto text = [&](const char* t) {
    return Value::scalar(ElementType::string, assembly.intern(t));
  };
  assembly.push_prim("a");
  assembly.set_field(key, text("of the prim"), 7);
  const auto p = assembly.declare_property(assembly.intern("p"), Kind::attribute);
  assembly.push_fields(*p.spec);
  EXPECT_EQ(assembly.find_field(key), nullptr);
  assembly.set_field(key, text("of the property"));
  assembly.pop_fields(*p.spec);
  EXPECT_EQ(*assembly.find_field(key), text("of the prim"));
  // Stated again, a property keeps the fields it has.
  assembly.push_fields(*p.spec);
  assembly.set_field(assembly.intern("hidden"), Value::scalar(ElementType::bool_, true));
  assembly.pop_fields(*p.spec);
  const LayerPtr layer = assembly.finish();

  const PrimSpec& a = *layer->find_prim("/a");
  EXPECT_EQ(a.field("displayName")->text(), "of the prim");
  EXPECT_EQ(a.fields[0].line, 7u);
  ASSERT_EQ(a.properties[0].fields.size(), 2u);
  EXPECT_EQ(find_field(a.properties[0].fields, "displayName")->text(), "of the property");
}

TEST(LayerAssembly, GoesOnWithAVariantThatWasClosed) {
  LayerAssembly assembly("", nullptr, {});
  assembly.push_prim("a");
  std::size_t set = 0;
  ASSERT_TRUE(assembly.declare_variant_set(assembly.intern("set"), set));
  const Token variant = assembly.intern("v");
  for (int round = 0; round < 2; ++round) {
    ASSERT_NE(assembly.push_variant(set, variant), nullptr);
    for (int i = 0; i < 20; ++i) {
      const std::string name = "n" + std::to_string(20 * round + i);
      ASSERT_NE(assembly.push_prim(name), nullptr);
      assembly.pop_prim();
      assembly.declare_property(assembly.intern(name), Kind::attribute);
    }
    EXPECT_EQ(assembly.push_prim("n0"), nullptr);
    EXPECT_FALSE(assembly.declare_property(assembly.intern("n0"), Kind::attribute).is_new);
    EXPECT_TRUE(is_inside_variant(&assembly.prim()));
    assembly.pop_prim();
  }
  EXPECT_FALSE(is_inside_variant(&assembly.prim()));
  const LayerPtr layer = assembly.finish();
  const PrimSpec* v = layer->find_prim("/a{set=v}");
  ASSERT_NE(v, nullptr);
  EXPECT_EQ(v->children.size(), 40u);
  EXPECT_EQ(v->properties.size(), 40u);
  EXPECT_NE(layer->find_prim("/a{set=v}n39"), nullptr);
}

TEST(LayerAssembly, PartsWithASharedExtraBeforeItChanges) {
  LayerAssembly assembly("", nullptr, {});
  assembly.push_prim("a");
  auto* first = assembly.declare_property(assembly.intern("p"), Kind::relationship).spec;
  assembly.extra(*first).targets.explicit_items.push_back(Path::parse("/target").value_or({}));
  const PropertyExtra& shared = *first->extra;
  assembly.pop_prim();
  assembly.push_prim("b");
  auto* second = assembly.declare_property(assembly.intern("p"), Kind::relationship).spec;
  assembly.share_extra(*second, shared);
  EXPECT_EQ(second->extra, &shared);
  assembly.extra(*second).has_time_samples = true;
  EXPECT_NE(second->extra, &shared);
  EXPECT_FALSE(shared.has_time_samples);
  EXPECT_EQ(second->extra->targets, shared.targets);
}

TEST(LayerAssembly, TellsWhichLimitWasReached) {
  LayerAssembly assembly("", nullptr, {.variant_nesting = 1, .names_per_spec = 1, .prims = 3});
  const auto name = [&](const char* text) { return assembly.intern(text); };
  const auto refused = [&] { return assembly.refusal().message; };
  assembly.push_prim("a");
  std::size_t set = 0;
  ASSERT_TRUE(assembly.declare_variant_set(name("s"), set));
  EXPECT_FALSE(assembly.declare_variant_set(name("t"), set));
  EXPECT_EQ(refused(), "A prim has more variant sets than the limit of 1.");
  ASSERT_NE(assembly.push_variant(0, name("x")), nullptr);
  EXPECT_FALSE(assembly.declare_variant_set(name("u"), set));
  EXPECT_EQ(refused(), "Variant sets nest deeper than the limit of 1.");
  assembly.pop_prim();
  EXPECT_EQ(assembly.push_variant(0, name("y")), nullptr);
  EXPECT_EQ(refused(), "A variant set has more variants than the limit of 1.");
  ASSERT_NE(assembly.push_prim("b"), nullptr);
  EXPECT_EQ(assembly.push_prim("c"), nullptr);
  EXPECT_EQ(refused(), "There are more prims than the limit of 3.");
}

TEST(LayerAssembly, GoesOnWithTheFieldsOfAVariantThatWasClosed) {
  LayerAssembly assembly("", nullptr, {});
  const auto number = [](int value) { return Value::scalar(ElementType::int_, value); };
  assembly.push_prim("a");
  std::size_t set = 0;
  ASSERT_TRUE(assembly.declare_variant_set(assembly.intern("set"), set));
  const Token variant = assembly.intern("v");
  assembly.push_variant(set, variant);
  assembly.set_field(assembly.intern("first"), number(1));
  assembly.set_field(assembly.intern("second"), number(2));
  assembly.pop_prim();
  assembly.push_variant(set, variant);
  assembly.set_field(assembly.intern("second"), number(3));
  assembly.set_field(assembly.intern("third"), number(4));
  assembly.pop_prim();
  const LayerPtr layer = assembly.finish();

  const PrimSpec& v = *layer->find_prim("/a{set=v}");
  ASSERT_EQ(v.fields.size(), 3u);
  EXPECT_EQ(*v.field("first"), number(1));
  EXPECT_EQ(*v.field("second"), number(3));
  EXPECT_EQ(*v.field("third"), number(4));
}

}  // namespace
}  // namespace sinew::layer::layer_assembly_test
