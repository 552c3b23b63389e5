// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/export.hpp"
#include "sinew/layer/layer.hpp"
#include "sinew/layer/layer_builder.hpp"
#include "sinew/physics/tokens.hpp"  // IWYU pragma: export
#include "sinew/stage/prim.hpp"
#include "sinew/stage/schema.hpp"

namespace sinew::physics {

// The physics schemas as data: for tools that write physics, or show what could be written.

/// A property of a schema.
struct SchemaProperty {
  /// "physics:mass". Of multiple-apply schemas with '*' where the instance name goes:
  /// "limit:*:physics:low".
  std::string_view name;
  std::string_view type_name;  ///< "float", "point3f"; empty for a relationship.
  std::string_view fallback;   ///< As usda writes it, "(0, 0, 0)"; empty if there is none.
  /// `uniform` where the schema says that the value does not change over time.
  layer::Variability variability = layer::Variability::varying;

  /// Whether it is a relationship; else an attribute.
  constexpr bool is_relationship() const noexcept { return type_name.empty(); }
};

/// How a prim comes to have a schema.
enum class SchemaKind : std::uint8_t {
  typed,           ///< The type of a prim.
  single_apply,    ///< Listed in apiSchemas.
  multiple_apply,  ///< Listed in apiSchemas with an instance name: "PhysicsDriveAPI:rotX".
};

/// A schema of UsdPhysics.
struct Schema {
  std::string_view name;  ///< "PhysicsMassAPI".
  /// Typed schemas are types of prims, all others are applied.
  SchemaKind kind = SchemaKind::typed;
  std::string_view base;  ///< Of a typed schema: the type it derives from.
  /// Prims that an API schema is meant for; unknown: any. Guidance, which nothing enforces.
  stage::SchemaType meant_for = stage::SchemaType::unknown;
  std::span<const SchemaProperty> properties;  ///< Its own, without those of `base`.
};

/// All schemas of UsdPhysics: the typed ones, then the API schemas.
/// @par Source  UsdPhysics schema.
SINEW_API std::span<const Schema> schemas() noexcept;

/// The schema of that name, without an instance name; null if physics does not have it.
SINEW_API const Schema* find_schema(std::string_view name) noexcept;

/// The name of a property on a prim.
/// @param instance  Of a multiple-apply schema: "rotX". Not used by others.
SINEW_API std::string property_name(const SchemaProperty& property, std::string_view instance = {});

/// The same of a name that holds a '*': tokens::kLimitLow and its like.
SINEW_API std::string property_name(std::string_view property, std::string_view instance);

/// The names of all properties, in the order of the schema.
/// @param inherited  With those of the physics schemas that it derives from, which come first.
SINEW_API std::vector<std::string> property_names(const Schema& schema, bool inherited = true,
                                                  std::string_view instance = {});

/// Whether a prim is of a type that the API schema is meant for. False for typed schemas.
SINEW_API bool is_meant_for(const Schema& schema, const stage::Prim& prim) noexcept;

/// States the mass unit of a layer that is being made.
/// @param kilograms_per_unit  Positive and finite; else nothing is stated.
/// @return  Whether it is.
/// @par Source  UsdPhysicsSetStageKilogramsPerUnit; the layer metadata kilogramsPerUnit.
SINEW_API bool set_kilograms_per_unit(layer::LayerBuilder& builder, double kilograms_per_unit);

}  // namespace sinew::physics
