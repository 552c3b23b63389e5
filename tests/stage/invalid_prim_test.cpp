// SPDX-License-Identifier: Apache-2.0
// A path that names no prim leads to one that says nothing, whatever it is asked.
#include <gtest/gtest.h>

#include "stage/support.hpp"

namespace sinew::stage::invalid_prim_test {
namespace {

TEST(InvalidPrim, HasNoNamesAndIsNothing) {
  const Prim none;
  EXPECT_EQ(none.path(), layer::Path());
  EXPECT_TRUE(none.name().empty());
  EXPECT_TRUE(none.type_name().empty());
  EXPECT_EQ(none.schema_type(), SchemaType::unknown);
  EXPECT_EQ(none.specifier(), layer::Specifier::over);
  EXPECT_FALSE(none.is_a(SchemaType::typed));
  EXPECT_FALSE(none.is_active());
  EXPECT_FALSE(none.is_defined());
  EXPECT_FALSE(none.is_abstract());
  EXPECT_FALSE(none.is_loaded());
  EXPECT_FALSE(none.is_instance());
  EXPECT_FALSE(none.is_instance_proxy());
  EXPECT_FALSE(none.instanceable());
  EXPECT_FALSE(none.matches(Traversal::standard()));
  EXPECT_FALSE(none.has_api("SkelBindingAPI"));
  EXPECT_TRUE(none.authored_api_schemas().empty());
}

TEST(InvalidPrim, LeadsNowhere) {
  const Prim none;
  EXPECT_FALSE(none.parent());
  EXPECT_FALSE(none.child("A"));
  EXPECT_FALSE(none.first_child());
  EXPECT_FALSE(none.next_sibling());
  EXPECT_TRUE(none.children(Traversal::all()).empty());
  for (const Prim prim : none.descendants(Traversal::all())) ADD_FAILURE() << prim.path().view();
  // Walks upwards end.
  for (Prim prim = none; !prim.is_root(); prim = prim.parent()) FAIL();
}

TEST(InvalidPrim, HasNoPropertiesAndNoMetadata) {
  Diagnostics diagnostics;
  const StagePtr stage = open_layers({{"root.usda", "def \"A\" { int x = 1; }\n"}}, diagnostics);
  const Prim none = stage->prim("/typo");
  EXPECT_FALSE(none);
  EXPECT_FALSE(none.attribute("x"));
  EXPECT_FALSE(none.attribute(stage->find_token("x")));
  EXPECT_FALSE(none.attribute("x").get<int>());
  EXPECT_FALSE(none.relationship("x"));
  EXPECT_FALSE(none.relationship(stage->find_token("x")));
  EXPECT_FALSE(none.child(stage->find_token("A")));
  EXPECT_TRUE(none.property_names().empty());
  EXPECT_TRUE(none.attributes().empty());
  EXPECT_TRUE(none.relationships().empty());
  EXPECT_FALSE(none.has_property_in_namespace(""));
  EXPECT_FALSE(none.metadata("kind").has_value());
  EXPECT_TRUE(none.explain().empty());
  EXPECT_TRUE(none.variant_selections().empty());
}

}  // namespace
}  // namespace sinew::stage::invalid_prim_test
