// SPDX-License-Identifier: Apache-2.0
#include "sinew/layer/layer_builder.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace sinew::layer::layer_builder_test {
namespace {

Value number(double value) {
  return Value::scalar(ElementType::double_, value);
}

TEST(LayerBuilder, TakesStatementsInAnyOrder) {
  LayerBuilder builder("made.usda");
  auto a = builder.add_prim(builder.root(), Specifier::def, "Xform", "a");
  auto b = builder.add_prim(builder.root(), Specifier::class_, "", "b");
  ASSERT_TRUE(a && b);
  auto inner = builder.add_prim(*a, Specifier::over, "", "inner");
  ASSERT_TRUE(inner);
  ASSERT_TRUE(builder.set_default(*b, "double", "x", number(1.0)));
  ASSERT_TRUE(builder.set_default(*inner, "double", "y", number(2.0), Variability::uniform));
  ASSERT_TRUE(builder.set_default(*a, "double", "x", number(3.0)));
  builder.set_field(builder.root(), "metersPerUnit", number(0.01));
  builder.set_field(*a, "active", Value::scalar(ElementType::bool_, false));
  builder.extra(*a).child_order = {builder.tokens().intern("inner")};
  SubLayer below;
  below.asset = builder.tokens().intern("below.usda");
  builder.add_sub_layer(below);
  const LayerPtr layer = std::move(builder).finish();

  EXPECT_EQ(layer->identifier(), "made.usda");
  EXPECT_TRUE(layer->complete());
  EXPECT_EQ(layer->prim_count(), 3u);
  ASSERT_EQ(layer->root().children.size(), 2u);
  EXPECT_EQ(layer->root().children[0]->type_name.view(), "Xform");
  EXPECT_EQ(layer->root().children[1]->specifier, Specifier::class_);
  EXPECT_EQ(layer->field("metersPerUnit")->get<double>(), 0.01);
  EXPECT_EQ(layer->find_prim("/a")->field("active")->get<bool>(), false);
  EXPECT_EQ(layer->find_prim("/a")->extra->child_order.size(), 1u);
  EXPECT_EQ(layer->find_prim("/b")->extra, nullptr);
  EXPECT_EQ(layer->find_prim("/a/inner")->properties[0].default_value, number(2.0));
  EXPECT_EQ(layer->find_prim("/a/inner")->properties[0].variability, Variability::uniform);
  ASSERT_EQ(layer->sub_layers().size(), 1u);
  EXPECT_EQ(layer->sub_layers()[0].asset.view(), "below.usda");
}

TEST(LayerBuilder, DeclaresAttributesAsVaryingAndRelationshipsAsUniform) {
  LayerBuilder builder("");
  auto a = builder.add_prim(builder.root(), Specifier::def, "", "a");
  ASSERT_TRUE(builder.set_default(*a, "double", "x", number(1.0)));
  ASSERT_TRUE(builder.set_time_samples(*a, "float", "y", {}));
  ASSERT_TRUE(builder.set_targets(*a, "r", ListOp<Path>()));
  const LayerPtr layer = std::move(builder).finish();
  const PrimSpec& prim = *layer->find_prim("/a");

  ASSERT_EQ(prim.properties.size(), 3u);
  EXPECT_EQ(prim.properties[0].type_name.view(), "double");
  EXPECT_EQ(prim.properties[0].variability, Variability::varying);
  EXPECT_EQ(prim.properties[0].time_samples(), nullptr);
  EXPECT_EQ(prim.properties[1].type_name.view(), "float");
  EXPECT_EQ(prim.properties[1].time_samples(), nullptr);  // Stated, but none.
  ASSERT_NE(prim.properties[1].extra, nullptr);
  EXPECT_TRUE(prim.properties[1].extra->has_time_samples);
  EXPECT_FALSE(prim.properties[2].is_attribute());
  EXPECT_EQ(prim.properties[2].variability, Variability::uniform);
}

TEST(LayerBuilder, RefusesValuesOfAttributesThatHaveNone) {
  LayerBuilder builder("");
  auto a = builder.add_prim(builder.root(), Specifier::def, "", "a");
  for (const char* type : {"opaque", "group"}) {
    EXPECT_TRUE(builder.set_default(*a, type, type, Value())) << type;
    const Status refused = builder.set_default(*a, type, type, number(1.0));
    ASSERT_FALSE(refused) << type;
    EXPECT_EQ(refused.error().message,
              "Attributes of type " + std::string(type) + " take no value.");
    EXPECT_FALSE(builder.set_default(*a, type, type, Value::block())) << type;
  }
}

TEST(LayerBuilder, ReplacesWhatIsSetAgain) {
  LayerBuilder builder("");
  auto a = builder.add_prim(builder.root(), Specifier::def, "", "a");
  ASSERT_TRUE(builder.set_default(*a, "double", "x", number(1.0)));
  ASSERT_TRUE(builder.set_default(*a, "double", "x", number(2.0)));
  ASSERT_TRUE(builder.set_property_field(*a, "x", "weight", number(1.0)));
  ASSERT_TRUE(builder.set_property_field(*a, "x", "weight", number(2.0)));
  const LayerPtr layer = std::move(builder).finish();
  const PrimSpec& prim = *layer->find_prim("/a");
  ASSERT_EQ(prim.properties.size(), 1u);
  EXPECT_EQ(prim.properties[0].default_value, number(2.0));
  ASSERT_EQ(prim.properties[0].fields.size(), 1u);
  EXPECT_EQ(prim.properties[0].fields[0].value, number(2.0));
}

TEST(LayerBuilder, GivesAPropertyDefaultSamplesAndTargets) {
  LayerBuilder builder("");
  auto a = builder.add_prim(builder.root(), Specifier::def, "", "a");
  ASSERT_TRUE(
      builder.set_time_samples(*a, "double", "x", {{1.0, 2.0}, {number(3.0), Value::block()}}));
  ASSERT_TRUE(builder.set_default(*a, "double", "x", number(4.0)));
  ListOp<Path> targets;
  targets.appended = {Path::parse("/b").value_or({})};
  ASSERT_TRUE(builder.set_targets(*a, "r", targets));
  const LayerPtr layer = std::move(builder).finish();
  const PrimSpec& prim = *layer->find_prim("/a");
  const PropertySpec* x = layer->find_property(prim, layer->tokens()->find("x"));
  ASSERT_NE(x, nullptr);
  ASSERT_NE(x->time_samples(), nullptr);
  EXPECT_EQ(x->time_samples()->times, (std::vector<double>{1.0, 2.0}));
  EXPECT_EQ(x->default_value, number(4.0));
  const PropertySpec* r = layer->find_property(prim, layer->tokens()->find("r"));
  ASSERT_NE(r, nullptr);
  EXPECT_FALSE(r->is_attribute());
  EXPECT_EQ(r->variability, Variability::uniform);
  EXPECT_EQ(*r->targets(), targets);
}

TEST(LayerBuilder, ConnectsAttributes) {
  LayerBuilder builder("");
  auto a = builder.add_prim(builder.root(), Specifier::def, "", "a");
  ASSERT_TRUE(builder.set_default(*a, "float", "inputs:x", Value()));
  ListOp<Path> sources;
  sources.is_explicit = true;
  sources.explicit_items = {Path::parse("/b.outputs:r").value_or({})};
  ASSERT_TRUE(builder.set_targets(*a, "inputs:x", sources));
  const LayerPtr layer = std::move(builder).finish();
  const PropertySpec* x =
      layer->find_property(*layer->find_prim("/a"), layer->tokens()->find("inputs:x"));
  ASSERT_NE(x, nullptr);
  EXPECT_TRUE(x->is_attribute());
  EXPECT_FALSE(x->default_value.has_value());
  ASSERT_NE(x->targets(), nullptr);
  EXPECT_EQ(*x->targets(), sources);
}

TEST(LayerBuilder, RejectsNamesThatAreTakenOrNotNames) {
  LayerBuilder builder("");
  ASSERT_TRUE(builder.add_prim(builder.root(), Specifier::def, "", "a"));
  EXPECT_EQ(builder.add_prim(builder.root(), Specifier::def, "", "a").error().code,
            ErrorCode::invalid_argument);
  EXPECT_FALSE(builder.add_prim(builder.root(), Specifier::def, "", "1a"));
  EXPECT_FALSE(builder.set_default(builder.root(), "double", "not a name", number(1.0)));
  EXPECT_FALSE(builder.set_targets(builder.root(), "", {}));
  EXPECT_FALSE(builder.set_property_field(builder.root(), "absent", "k", number(1.0)));
}

TEST(LayerBuilder, RejectsValuesOfAnotherType) {
  LayerBuilder builder("");
  auto a = *builder.add_prim(builder.root(), Specifier::def, "", "a");
  EXPECT_FALSE(builder.set_default(a, "float", "x", number(1.0)));
  EXPECT_FALSE(builder.set_default(a, "double[]", "x", number(1.0)));
  EXPECT_FALSE(builder.set_default(a, "opaque", "x", number(1.0)));
  EXPECT_TRUE(builder.set_default(a, "double", "x", Value::block()));
  EXPECT_FALSE(builder.set_default(a, "float", "x", Value::scalar(ElementType::float_, 1.0F)))
      << "it exists as a double";
  EXPECT_FALSE(builder.set_time_samples(a, "double", "x", {{2.0, 1.0}, {number(1), number(2)}}));
  EXPECT_EQ(builder.set_time_samples(a, "double", "x", {{1.0}, {}}).error().code,
            ErrorCode::size_mismatch);
}

TEST(LayerBuilder, LeavesAPropertyAsItIsWhenAnotherIsRefused) {
  LayerBuilder builder("");
  auto a = *builder.add_prim(builder.root(), Specifier::def, "", "a");
  ListOp<Path> targets;
  targets.prepended = {Path::parse("/b").value_or({})};
  ASSERT_TRUE(builder.set_targets(a, "r", targets));
  ASSERT_TRUE(builder.set_time_samples(a, "double", "x", {{1.0}, {number(1.0)}}));
  const auto refusal = [](const Status& status) {
    EXPECT_EQ(status.error().code, ErrorCode::invalid_argument);
    return status.error().message;
  };
  const Value integer = Value::scalar(ElementType::int_, 1);
  EXPECT_EQ(refusal(builder.set_default(a, "double", "r", number(1.0), Variability::varying)),
            "'r' exists as a relationship.");
  EXPECT_EQ(refusal(builder.set_time_samples(a, "double", "r", {{1.0}, {number(1.0)}})),
            "'r' exists as a relationship.");
  EXPECT_EQ(refusal(builder.set_default(a, "int", "x", integer)), "'x' exists with type 'double'.");
  EXPECT_EQ(refusal(builder.set_time_samples(a, "int", "x", {{1.0}, {integer}})),
            "'x' exists with type 'double'.");
  const LayerPtr layer = std::move(builder).finish();
  const PrimSpec& prim = *layer->find_prim("/a");
  ASSERT_EQ(prim.properties.size(), 2u);
  const PropertySpec* r = layer->find_property(prim, layer->tokens()->find("r"));
  ASSERT_NE(r, nullptr);
  EXPECT_FALSE(r->is_attribute());
  EXPECT_EQ(r->type_name.view(), "");
  EXPECT_EQ(r->variability, Variability::uniform);
  EXPECT_FALSE(r->default_value.has_value());
  EXPECT_EQ(r->time_samples(), nullptr);
  EXPECT_EQ(*r->targets(), targets);
  const PropertySpec* x = layer->find_property(prim, layer->tokens()->find("x"));
  ASSERT_NE(x, nullptr);
  EXPECT_FALSE(x->default_value.has_value());
  EXPECT_EQ(x->time_samples()->values[0], number(1.0));
}

TEST(LayerBuilder, BuildsPrimsDeeperThanFilesMayNest) {
  constexpr int kDepth = 5000;
  LayerBuilder builder("");
  LayerBuilder::Prim* parent = builder.root();
  for (int i = 0; i < kDepth; ++i) parent = *builder.add_prim(parent, Specifier::def, "", "p");
  const LayerPtr layer = std::move(builder).finish();
  EXPECT_EQ(layer->prim_count(), static_cast<std::size_t>(kDepth));
  int depth = 0;
  for (const PrimSpec* p = &layer->root(); !p->children.empty(); p = p->children[0]) ++depth;
  EXPECT_EQ(depth, kDepth);
}

TEST(LayerBuilder, RefusesNamesAndValuesOfSamplesToo) {
  LayerBuilder builder("");
  auto a = *builder.add_prim(builder.root(), Specifier::def, "", "a");
  EXPECT_FALSE(builder.set_time_samples(a, "double", "not a name", {{1.0}, {number(1.0)}}));
  const Value real = Value::scalar(ElementType::float_, 1.0F);
  const Status refused = builder.set_time_samples(a, "double", "x", {{1, 2}, {number(1.0), real}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "The value of 'x' is not of type double.");
  EXPECT_TRUE(builder.set_time_samples(a, "double", "x", {{1, 2}, {number(1.0), number(2.0)}}));
  const LayerPtr layer = std::move(builder).finish();
  EXPECT_EQ(layer->find_prim("/a")->properties.size(), 1u) << "what was refused is not there";
}

TEST(LayerBuilder, TakesAnyValueOfTypesThatNobodyKnows) {
  LayerBuilder builder("");
  auto a = *builder.add_prim(builder.root(), Specifier::def, "", "a");
  EXPECT_TRUE(builder.set_default(a, "strange", "x", number(1.0)));
  EXPECT_TRUE(builder.set_default(a, "double", "y", Value::animation_block()));
  ArrayEdit edit;
  edit.element = ElementType::int_;
  EXPECT_TRUE(builder.set_default(a, "int[]", "z", Value::array_edit(edit)));
  EXPECT_FALSE(builder.set_default(a, "double", "w", Value::dictionary({})));
}

TEST(LayerBuilder, RefusesTimesThatDoNotAscend) {
  LayerBuilder builder("a.usda");
  LayerBuilder::Prim* const prim = *builder.add_prim(builder.root(), Specifier::def, "Cube", "A");
  const auto refusal = [&](std::vector<double> times) {
    TimeSamples samples;
    samples.values.assign(times.size(), number(1.0));
    samples.times = std::move(times);
    const Status status = builder.set_time_samples(prim, "double", "x", std::move(samples));
    return status ? "" : status.error().message;
  };
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(refusal({1, 1, 2}), "The times of 'x' do not ascend.");
  EXPECT_EQ(refusal({2, 1}), "The times of 'x' do not ascend.");
  EXPECT_EQ(refusal({}), "");
  EXPECT_EQ(refusal({-kInfinity, 1, kInfinity}), "");
}

LayerBuilder builder_of(const char* identifier) {
  LayerBuilder builder(identifier);
  EXPECT_TRUE(builder.add_prim(builder.root(), Specifier::def, "", "A"));
  return builder;
}

TEST(LayerBuilder, MovesWithItsHandles) {
  LayerBuilder builder = builder_of("a.usda");
  LayerBuilder::Prim* const prim = *builder.add_prim(builder.root(), Specifier::def, "", "B");
  LayerBuilder other = std::move(builder);
  EXPECT_TRUE(other.add_prim(prim, Specifier::def, "", "C"));
  builder = builder_of("b.usda");
  EXPECT_NE(std::move(other).finish()->find_prim("/B/C"), nullptr);
  EXPECT_NE(std::move(builder).finish()->find_prim("/A"), nullptr);
}

}  // namespace
}  // namespace sinew::layer::layer_builder_test
