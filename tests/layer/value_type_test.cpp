// SPDX-License-Identifier: Apache-2.0
#include "sinew/layer/value_type.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "layer/shared/element_table.hpp"
#include "layer/shared/fields.hpp"

namespace sinew::layer::value_type_test {
namespace {

TEST(ValueType, KnowsElementArrayAndRole) {
  const ValueType points = find_value_type("point3f[]");
  EXPECT_TRUE(points.known());
  EXPECT_EQ(points.element, ElementType::float3);
  EXPECT_TRUE(points.is_array);
  EXPECT_EQ(points.role, "Point");
  EXPECT_FALSE(find_value_type("point3f").is_array);
  EXPECT_EQ(find_value_type("float3").role, "");
  EXPECT_EQ(find_value_type("frame4d").element, ElementType::matrix4d);
}

TEST(ValueType, KnowsLegacyNames) {
  EXPECT_EQ(find_value_type("Vec3f[]").element, ElementType::float3);
  EXPECT_EQ(find_value_type("PointFloat").role, "Point");
  EXPECT_EQ(modern_type_name("Vec3f[]"), "float3[]");
  EXPECT_EQ(modern_type_name("PointFloat"), "point3f");
  EXPECT_EQ(modern_type_name("nonsense[]"), "nonsense[]");
}

TEST(ValueType, KnowsNoOtherName) {
  for (const std::string_view name : {"", "[]", "float5", "Float", "float[][]", "float []", " int",
                                      "opaque[]", "group[]", "dictionary"}) {
    EXPECT_FALSE(find_value_type(name).known()) << name;
  }
}

TEST(ValueType, DeclaresOpaqueAttributesWithoutElements) {
  for (const std::string_view name : {"opaque", "group"}) {
    const ValueType type = find_value_type(name);
    EXPECT_TRUE(type.known()) << name;
    EXPECT_TRUE(type.is_opaque) << name;
    EXPECT_EQ(type.element, ElementType::none) << name;
  }
}

TEST(ElementTypes, HaveTheSizesOfTheirStorage) {
  EXPECT_EQ(element_size(ElementType::bool_), 1u);
  EXPECT_EQ(element_size(ElementType::half3), 6u);
  EXPECT_EQ(element_size(ElementType::timecode), 8u);
  EXPECT_EQ(element_size(ElementType::asset), sizeof(Token));
  EXPECT_EQ(element_size(ElementType::quatd), 32u);
  EXPECT_EQ(element_size(ElementType::matrix3d), 72u);
  EXPECT_EQ(element_size(ElementType::dictionary), 0u);
  EXPECT_EQ(element_size(ElementType::none), 0u);
}

TEST(ElementTypes, CountTheirNumbers) {
  EXPECT_EQ(component_count(ElementType::bool_), 1u);
  EXPECT_EQ(component_count(ElementType::int4), 4u);
  EXPECT_EQ(component_count(ElementType::quath), 4u);
  EXPECT_EQ(component_count(ElementType::matrix3d), 9u);
  EXPECT_EQ(component_count(ElementType::token), 0u);
  EXPECT_EQ(component_count(ElementType::block), 0u);
}

TEST(ElementTypes, InterpolateWhereTheirNumbersAreReal) {
  for (const auto type : {ElementType::half, ElementType::float3, ElementType::double_,
                          ElementType::timecode, ElementType::quatf, ElementType::matrix4d}) {
    EXPECT_TRUE(interpolates(type)) << static_cast<int>(type);
  }
  for (const auto type : {ElementType::bool_, ElementType::int_, ElementType::int3,
                          ElementType::uint64, ElementType::token, ElementType::path,
                          ElementType::none, ElementType::block, ElementType::dictionary}) {
    EXPECT_FALSE(interpolates(type)) << static_cast<int>(type);
  }
}

TEST(ValueTypes, HaveNamesWithoutTheirRoles) {
  EXPECT_EQ(plain_type_name(ElementType::float3, false), "float3");
  EXPECT_EQ(plain_type_name(ElementType::matrix4d, true), "matrix4d[]");
  EXPECT_EQ(plain_type_name(ElementType::none, false), "no value");
  for (int i = 1; i <= static_cast<int>(ElementType::unregistered); ++i) {
    const auto type = static_cast<ElementType>(i);
    for (const bool is_array : {false, true}) {
      const ValueType named = find_value_type(plain_type_name(type, is_array));
      EXPECT_FALSE(plain_type_name(type, is_array).empty()) << i;
      EXPECT_EQ(named.role, "") << i;
      EXPECT_TRUE(!named.known() || (named.element == type && named.is_array == is_array)) << i;
      EXPECT_EQ(named.known(), element_size(type) != 0 && type != ElementType::path &&
                                   type != ElementType::unregistered)
          << i;
    }
  }
}

// Types of that size alone do not tell a row that is mixed up with another.
TEST(ElementTable, DescribesTypesAsTheirNamesSay) {
  for (const std::string_view number : {"int", "half", "float", "double"}) {
    const ElementType component = find_value_type(number).element;
    for (const int count : {2, 3, 4}) {
      const std::string name = std::string(number) + std::to_string(count);
      const ElementInfo& info = info_of(find_value_type(name).element);
      EXPECT_EQ(info.form, ElementForm::vector) << name;
      EXPECT_EQ(info.component, component) << name;
      EXPECT_EQ(info.columns, count) << name;
      EXPECT_EQ(info.rows, 0) << name;
      EXPECT_EQ(info.size, info_of(component).size * count) << name;
    }
  }
  for (const int size : {2, 3, 4}) {
    const std::string name = "matrix" + std::to_string(size) + "d";
    const ElementInfo& info = info_of(find_value_type(name).element);
    EXPECT_EQ(info.form, ElementForm::matrix) << name;
    EXPECT_EQ(info.component, ElementType::double_) << name;
    EXPECT_EQ(info.columns, size) << name;
    EXPECT_EQ(info.rows, size) << name;
  }
  EXPECT_EQ(info_of(ElementType::quath).component, ElementType::half);
  EXPECT_EQ(info_of(ElementType::quatf).component, ElementType::float_);
  EXPECT_EQ(info_of(ElementType::quatd).component, ElementType::double_);
}

TEST(ElementTable, GivesTheStorageOfNumbers) {
  const auto size_of = [](ElementType component) {
    return with_number(component, [](auto zero) { return sizeof zero; });
  };
  for (const auto type :
       {ElementType::uchar, ElementType::int_, ElementType::uint, ElementType::int64,
        ElementType::uint64, ElementType::half, ElementType::float_, ElementType::double_}) {
    EXPECT_EQ(size_of(type), element_size(type)) << static_cast<int>(type);
  }
}

TEST(SimilarField, DiffersByOneTypingErrorIfShortAndByTwoElse) {
  EXPECT_EQ(similar_field(SpecKind::layer, "ownre"), "owner");
  EXPECT_EQ(similar_field(SpecKind::layer, "wonre"), "");
  EXPECT_EQ(similar_field(SpecKind::prim, "actvie"), "active");
  EXPECT_EQ(similar_field(SpecKind::prim, "atcvie"), "active");
  EXPECT_EQ(similar_field(SpecKind::prim, "atcveix"), "");
  EXPECT_EQ(similar_field(SpecKind::relationship, "actvie"), "") << "of prims only";
  EXPECT_EQ(similar_field(SpecKind::attribute, "weihgt"), "weight");
}

TEST(Fields, AreThoseOfTheirKindOfSpec) {
  EXPECT_TRUE(is_field(SpecKind::layer, "upAxis"));
  EXPECT_FALSE(is_field(SpecKind::prim, "upAxis"));
  EXPECT_TRUE(is_field(SpecKind::prim, "kind"));
  EXPECT_FALSE(is_field(SpecKind::attribute, "kind"));
  EXPECT_TRUE(is_field(SpecKind::attribute, "displayUnit"));
  EXPECT_FALSE(is_field(SpecKind::relationship, "displayUnit"));
  EXPECT_FALSE(is_field(SpecKind::prim, "specifier")) << "no metadata";
  EXPECT_TRUE(is_field(SpecKind::relationship, "customData"));
  EXPECT_EQ(find_field_type(SpecKind::prim, "typeName").shape, FieldType::Shape::value);
  EXPECT_EQ(find_field_type(SpecKind::attribute, "typeName").shape, FieldType::Shape::not_metadata);
  EXPECT_EQ(find_field_type(SpecKind::relationship, "typeName").shape, FieldType::Shape::unknown);
  EXPECT_EQ(find_field_type(SpecKind::prim, "\xC3\xA4").shape, FieldType::Shape::unknown);
}

}  // namespace
}  // namespace sinew::layer::value_type_test
