// SPDX-License-Identifier: Apache-2.0
#include "sinew/physics/read/schemas.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <string>
#include <utility>

#include "physics/read_scene.hpp"
#include "sinew/layer/layer_builder.hpp"
#include "sinew/physics/describe.hpp"
#include "sinew/physics/units.hpp"
#include "sinew/stage/stage.hpp"

namespace sinew::physics::schemas_test {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;

// Opinions that state the fallbacks of a schema.
std::string fallbacks(const Schema& schema, const std::string& instance = "") {
  std::string text;
  if (const Schema* base = find_schema(schema.base)) text = fallbacks(*base);
  for (const SchemaProperty& property : schema.properties) {
    if (property.is_relationship() || property.fallback.empty()) continue;
    text += property.variability == layer::Variability::uniform ? "uniform " : "";
    text += std::string(property.type_name) + " " + property_name(property, instance) + " = " +
            std::string(property.fallback) + "\n";
  }
  return text;
}

std::string described(const std::string& text) {
  Diagnostics diagnostics;
  const std::string result = describe(test::read(text, diagnostics, Rules::documented));
  for (const Diagnostic& diagnostic : diagnostics) {
    EXPECT_NE(diagnostic.code, "physics-attribute-type") << diagnostic.message << diagnostic.path;
  }
  return result;
}

// A prim that has the schema, in a scene where it counts.
std::string scene(const Schema& schema, const std::string& content) {
  const std::string name(schema.name);
  const std::string ends = "rel physics:body0 = </b>\n";
  std::string text = test::prim("Xform", "b", "RigidBody");
  if (schema.kind == SchemaKind::multiple_apply) {
    return text + "def PhysicsJoint \"p\" (apiSchemas = [\"" + name + ":rotX\"]) {\n" + ends +
           content + "}\n";
  }
  if (schema.kind == SchemaKind::typed) {
    return text + "def " + name + " \"p\" {\n" + ends + content + "}\n";
  }
  const std::string type = name == tokens::kMaterialApi ? "Material" : "Mesh";
  const std::string collision =
      name == tokens::kMeshCollisionApi ? "\"PhysicsCollisionAPI\", " : "";
  return text + "def " + type + " \"p\" (apiSchemas = [" + collision + "\"" + name + "\"]) {\n" +
         content + "}\n";
}

TEST(Schemas, FallbacksReadAsIfNothingWereAuthored) {
  for (const Schema& schema : schemas()) {
    const std::string instance = schema.kind == SchemaKind::multiple_apply ? "rotX" : "";

    EXPECT_EQ(described(scene(schema, fallbacks(schema, instance))), described(scene(schema, "")))
        << schema.name;
  }
}

TEST(Schemas, NamesAreThoseOfTheStage) {
  std::set<std::string_view> names;
  for (const Schema& schema : schemas()) {
    EXPECT_TRUE(names.insert(schema.name).second) << schema.name;
    if (schema.kind == SchemaKind::typed) {
      const stage::SchemaType type = stage::find_schema_type(schema.name);
      EXPECT_NE(type, stage::SchemaType::unknown) << schema.name;
      EXPECT_TRUE(stage::derives_from(type, stage::find_schema_type(schema.base))) << schema.name;
    } else {
      EXPECT_TRUE(stage::is_known_api_schema(schema.name)) << schema.name;
    }
    EXPECT_EQ(find_schema(schema.name), &schema);
  }
  EXPECT_EQ(find_schema("PhysicsUnknownAPI"), nullptr);
}

TEST(Schemas, ListPropertiesWithThoseOfTheBase) {
  const Schema& joint = *find_schema(tokens::kRevoluteJoint);

  EXPECT_THAT(property_names(joint, false),
              ElementsAre(tokens::kAxis, tokens::kLowerLimit, tokens::kUpperLimit));
  EXPECT_EQ(property_names(joint).size(), 14U);
  EXPECT_THAT(property_names(joint), Contains(tokens::kBody0));
  EXPECT_THAT(property_names(*find_schema(tokens::kLimitApi), true, "transX"),
              ElementsAre("limit:transX:physics:low", "limit:transX:physics:high"));
}

TEST(Schemas, TellWhatTheyAreMeantFor) {
  Diagnostics diagnostics;
  const auto stage = stage::open_layers(
      {{"root.usda", "def Xform \"x\" {}\ndef Mesh \"m\" {}\ndef Material \"s\" {}\n"}},
      diagnostics, {});
  const stage::Prim xform = stage->prim("/x");
  const stage::Prim mesh = stage->prim("/m");
  const stage::Prim material = stage->prim("/s");

  EXPECT_TRUE(is_meant_for(*find_schema(tokens::kRigidBodyApi), xform));
  EXPECT_FALSE(is_meant_for(*find_schema(tokens::kRigidBodyApi), material));
  EXPECT_TRUE(is_meant_for(*find_schema(tokens::kMeshCollisionApi), mesh));
  EXPECT_FALSE(is_meant_for(*find_schema(tokens::kMeshCollisionApi), xform));
  EXPECT_TRUE(is_meant_for(*find_schema(tokens::kMaterialApi), material));
  EXPECT_TRUE(is_meant_for(*find_schema(tokens::kFilteredPairsApi), xform));
  EXPECT_FALSE(is_meant_for(*find_schema(tokens::kScene), xform));
}

TEST(Schemas, MassUnitIsStatedInALayer) {
  layer::LayerBuilder builder("made.usda");

  EXPECT_TRUE(set_kilograms_per_unit(builder, kGrams));
  EXPECT_FALSE(set_kilograms_per_unit(builder, 0.0));
  EXPECT_FALSE(set_kilograms_per_unit(builder, std::numeric_limits<double>::infinity()));

  const layer::LayerPtr layer = std::move(builder).finish();
  Diagnostics diagnostics;
  const auto stage = stage::Stage::open(layer, diagnostics);
  ASSERT_TRUE(stage);
  EXPECT_EQ((*stage)->metrics().kilograms_per_unit, kGrams);
}

}  // namespace
}  // namespace sinew::physics::schemas_test
