// SPDX-License-Identifier: Apache-2.0
#include "sinew/stage/schema.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "stage/support.hpp"

namespace sinew::stage::schema_test {
namespace {

using ::testing::ElementsAre;

std::vector<SchemaType> all_types() {
  std::vector<SchemaType> types;
  for (int i = 0; i <= static_cast<int>(SchemaType::backdrop); ++i) {
    types.push_back(static_cast<SchemaType>(i));
  }
  return types;
}

TEST(Schema, FindsEveryTypeByItsName) {
  for (const SchemaType type : all_types()) {
    EXPECT_EQ(find_schema_type(to_string(type)), type) << to_string(type);
  }
  EXPECT_EQ(find_schema_type("mesh"), SchemaType::unknown);
}

TEST(Schema, DerivesInOneDirectionOnly) {
  for (const SchemaType a : all_types()) {
    EXPECT_EQ(derives_from(a, a), a != SchemaType::unknown) << to_string(a);
    EXPECT_EQ(derives_from(a, SchemaType::typed), a != SchemaType::unknown) << to_string(a);
    for (const SchemaType b : all_types()) {
      if (a == b || !derives_from(a, b)) continue;
      EXPECT_FALSE(derives_from(b, a)) << to_string(a) << " and " << to_string(b);
      for (const SchemaType c : all_types()) {
        if (derives_from(b, c)) {
          EXPECT_TRUE(derives_from(a, c)) << to_string(a) << " and " << to_string(c);
        }
      }
    }
  }
}

TEST(Schema, GivesRelationshipsToWhatDerives) {
  for (const SchemaType type : all_types()) {
    EXPECT_EQ(is_schema_relationship(type, {}, "proxyPrim"),
              derives_from(type, SchemaType::imageable))
        << to_string(type);
  }
  EXPECT_TRUE(is_schema_relationship(SchemaType::rect_light, {}, "light:filters"));
  EXPECT_TRUE(is_schema_relationship(SchemaType::distant_light, {}, "light:filters"));
  EXPECT_FALSE(is_schema_relationship(SchemaType::mesh, {}, "light:filters"));
  EXPECT_TRUE(is_schema_relationship(SchemaType::dome_light, {}, "portals"));
  EXPECT_TRUE(is_schema_relationship(SchemaType::dome_light_1, {}, "portals"));
  EXPECT_FALSE(is_schema_relationship(SchemaType::rect_light, {}, "portals"));
}

TEST(Schema, ListsNoAttributeWhereSchemasHaveARelationship) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda", R"(
def Mesh "M" (prepend apiSchemas = ["SkelBindingAPI", "CollectionAPI:hands"])
{
    token skel:skeleton = "S"
    token collection:hands:includes = "A"
    token collection:feet:includes = "A"
    token material:binding = "A"
    token light:filters = "A"
    token proxyPrim = "A"
}
def PhysicsCollisionGroup "G"
{
    token collection:colliders:excludes = "A"
}
)"}},
                                     diagnostics);
  ASSERT_TRUE(stage);
  std::vector<std::string> names;
  for (const Attribute& attribute : stage->prim("/M").attributes()) {
    names.emplace_back(attribute.name().view());
  }
  EXPECT_THAT(names, ElementsAre("collection:feet:includes", "light:filters", "material:binding"));
  EXPECT_TRUE(stage->prim("/G").attributes().empty());
}

TEST(Schema, ListsNoRelationshipWhereSchemasHaveAnAttribute) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda", R"(
def Mesh "M" (prepend apiSchemas = ["SkelBindingAPI", "CollectionAPI:hands", "PhysicsDriveAPI:rotX"])
{
    rel points = </M>
    rel extent = </M>
    rel visibility = </M>
    rel skel:joints = </M>
    rel skel:skeleton = </M>
    rel collection:hands:expansionRule = </M>
    rel collection:hands:includes = </M>
    rel collection:feet:expansionRule = </M>
    rel drive:rotX:physics:type = </M>
    rel drive:rotY:physics:type = </M>
    rel radius = </M>
}
def SphereLight "L"
{
    rel inputs:intensity = </L>
    rel collection:lightLink:includeRoot = </L>
    rel light:filters = </L>
}
)"}},
                                     diagnostics);
  ASSERT_TRUE(stage);
  const auto names_of = [&](const char* prim) {
    std::vector<std::string> names;
    for (const Relationship& relationship : stage->prim(prim).relationships()) {
      names.emplace_back(relationship.name().view());
    }
    return names;
  };
  EXPECT_THAT(names_of("/M"),
              ElementsAre("collection:feet:expansionRule", "collection:hands:includes",
                          "drive:rotY:physics:type", "radius", "skel:skeleton"));
  EXPECT_THAT(names_of("/L"), ElementsAre("light:filters"));
}

TEST(Schema, LightsAndTheirFiltersHaveCollectionsBuiltIn) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda", R"(
def RectLight "Light" { token collection:shadowLink:excludes = "A"; }
def LightFilter "Filter" { token collection:filterLink:includes = "A"; }
def Mesh "Mesh" (apiSchemas = ["MeshLightAPI"]) { token collection:lightLink:includes = "A"; }
def Shader "Shader" {}
def Mesh "Plain" { token collection:lightLink:includes = "A"; }
)"}},
                                     diagnostics);
  ASSERT_TRUE(stage);
  for (const char* light : {"/Light", "/Mesh"}) {
    const Prim prim = stage->prim(light);
    EXPECT_TRUE(prim.has_api("LightAPI")) << light;
    EXPECT_TRUE(prim.has_api("CollectionAPI:lightLink")) << light;
    EXPECT_TRUE(prim.has_api("CollectionAPI:shadowLink")) << light;
    EXPECT_FALSE(prim.has_api("CollectionAPI:filterLink")) << light;
    EXPECT_TRUE(prim.attributes().empty()) << light;
  }
  EXPECT_TRUE(stage->prim("/Filter").has_api("CollectionAPI:filterLink"));
  EXPECT_FALSE(stage->prim("/Filter").has_api("LightAPI"));
  EXPECT_TRUE(stage->prim("/Filter").attributes().empty());
  EXPECT_TRUE(stage->prim("/Shader").has_api("NodeDefAPI"));
  EXPECT_FALSE(stage->prim("/Plain").has_api("LightAPI"));
  EXPECT_EQ(stage->prim("/Plain").attributes().size(), 1u);
}

TEST(Schema, TypesThatAreNotKnownAreWhatTheRootLayerSays) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda", R"((
    subLayers = [@sub.usda@]
    fallbackPrimTypes = {
        token[] NewMesh = ["NewerMesh", "Gprim", "Mesh", "Cube"]
        token[] Gprim = ["Sphere"]
        token[] Xform = ["Cube"]
        token[] Lost = ["NewMesh"]
        string[] Text = ["Cube"]
        token One = "Cube"
    }
)
def NewMesh "Mesh" {}
def Gprim "Abstract" {}
def Xform "Known" {}
def Lost "Lost" {}
def Text "Text" {}
def One "One" {}
def SubType "Sub" {}
def "Referenced" (references = @ref.usda@</R>) {}
)"},
                                      {"sub.usda", R"((
    fallbackPrimTypes = { token[] SubType = ["Cube"] }
)
)"},
                                      {"ref.usda", R"((
    fallbackPrimTypes = { token[] NewMesh = ["Cube"] }
)
def NewMesh "R" {}
)"}},
                                     diagnostics);
  ASSERT_TRUE(stage);
  const auto type_of = [&](const char* prim) { return stage->prim(prim).schema_type(); };
  EXPECT_EQ(stage->prim("/Mesh").type_name().view(), "NewMesh");
  EXPECT_EQ(type_of("/Mesh"), SchemaType::mesh);
  EXPECT_TRUE(stage->prim("/Mesh").is_a(SchemaType::imageable));
  EXPECT_EQ(type_of("/Abstract"), SchemaType::sphere);
  EXPECT_EQ(type_of("/Known"), SchemaType::xform);
  EXPECT_EQ(type_of("/Lost"), SchemaType::unknown);
  EXPECT_EQ(type_of("/Text"), SchemaType::unknown);
  EXPECT_EQ(type_of("/One"), SchemaType::unknown);
  EXPECT_EQ(type_of("/Sub"), SchemaType::unknown);
  EXPECT_EQ(type_of("/Referenced"), SchemaType::mesh);
}

TEST(Schema, PrimsAreOfNoAbstractType) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda", R"(
def Gprim "A" {}
def Xformable "B" {}
def Cube "C" {}
)"}},
                                     diagnostics);
  ASSERT_TRUE(stage);

  for (const char* path : {"/A", "/B"}) {
    EXPECT_EQ(stage->prim(path).schema_type(), SchemaType::unknown) << path;
    EXPECT_FALSE(stage->prim(path).is_a(SchemaType::imageable)) << path;
  }
  EXPECT_EQ(stage->prim("/A").type_name().view(), "Gprim");
  EXPECT_TRUE(stage->prim("/C").is_a(SchemaType::gprim));
}

TEST(Schema, TheSessionLayerSaysFirstWhatTypesFallBackTo) {
  MemoryResolver resolver;
  resolver.add("root.usda", R"(#usda 1.0
(
    fallbackPrimTypes = { token[] A = ["Mesh"]
                          token[] B = ["Mesh"] }
)
def A "A" {}
def B "B" {}
)");
  resolver.add("session.usda", R"(#usda 1.0
(
    fallbackPrimTypes = { token[] A = ["Cube"] }
)
)");
  OpenOptions options;
  options.resolver = &resolver;
  options.session_layer = "session.usda";
  Diagnostics diagnostics;
  const Result<StagePtr> stage = Stage::open("root.usda", diagnostics, options);
  ASSERT_TRUE(stage);
  EXPECT_EQ((*stage)->prim("/A").schema_type(), SchemaType::cube);
  EXPECT_EQ((*stage)->prim("/B").schema_type(), SchemaType::mesh);
}

TEST(Schema, PrimsAreOfTypesThatNothingElseHasToDeriveFrom) {
  EXPECT_TRUE(is_concrete(SchemaType::mesh));
  EXPECT_TRUE(is_concrete(SchemaType::physics_joint));
  EXPECT_TRUE(is_concrete(SchemaType::light_filter));
  EXPECT_FALSE(is_concrete(SchemaType::gprim));
  EXPECT_FALSE(is_concrete(SchemaType::typed));
  EXPECT_FALSE(is_concrete(SchemaType::unknown));
}

TEST(Schema, ApisOfLightsBringOthers) {
  using Names = std::vector<std::string_view>;
  const auto brings = [](std::string_view api) {
    const auto all = built_in_api_schemas(api);
    return Names(all.begin(), all.end());
  };
  EXPECT_EQ(brings("LightAPI"), (Names{"CollectionAPI:lightLink", "CollectionAPI:shadowLink"}));
  for (const char* api : {"MeshLightAPI", "VolumeLightAPI"}) {
    EXPECT_EQ(brings(api),
              (Names{"LightAPI", "CollectionAPI:lightLink", "CollectionAPI:shadowLink"}))
        << api;
  }
  for (const char* api : {"ShapingAPI", "PhysicsMassAPI", ""})
    EXPECT_EQ(brings(api), Names()) << api;
}

}  // namespace
}  // namespace sinew::stage::schema_test
