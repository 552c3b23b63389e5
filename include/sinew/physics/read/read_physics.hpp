// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/export.hpp"
#include "sinew/physics/dialects.hpp"
#include "sinew/physics/model.hpp"
#include "sinew/stage/stage.hpp"

namespace sinew::physics {

/// An API schema of the application: where it is applied, so are those that it includes.
struct ApiSchema {
  std::string name;                   ///< As it stands in `apiSchemas`.
  std::vector<std::string> includes;  ///< Schemas of this library, "PhysicsCollisionAPI".
};

/// What becomes of a body that lies inside a body without a transform reset between.
enum class NestedBodies : std::uint8_t {
  by_rules,  ///< Rules::documented ignore it, with an error; Rules::openusd keep it.
  keep,      ///< A body of its own, as the converters of robot formats mean it.
  ignore,    ///< Its colliders belong to the outer body.
};

/// What to read and what to leave out. Everything by default.
struct ReadOptions {
  /// Prims to start from, each traversed on its own; empty: the whole stage. Paths without a prim
  /// contribute nothing.
  std::vector<std::string> include_paths;
  /// Prims to leave out, with everything below them. Relations still see them.
  std::vector<std::string> exclude_paths;

  /// Applied schemas or prim types that make a collider a CustomShape, tried in order.
  std::vector<std::string> shape_tokens;
  /// Prim types to be read as a CustomJoint.
  std::vector<std::string> joint_tokens;
  /// Prim types whose descendants are left out, as those of PointInstancer are.
  std::vector<std::string> instancer_tokens;
  /// API schemas that have physics schemas built in. Schemas that no option names are unknown.
  std::vector<ApiSchema> api_schemas;

  /// Whether a body inside a body is one of its own; matters where no transform reset lies between.
  NestedBodies nested_bodies = NestedBodies::by_rules;

  /// Whose attributes to read besides those of the standard, the first of which wins; none: the
  /// extras of the model stay empty.
  std::vector<Dialect> dialects;

  /// Keep only what belongs to one of these scenes; an empty path stands for "no owner". Absent or
  /// empty: keep everything.
  std::optional<std::vector<std::string>> simulation_owner_paths;
};

/// Which joint a prim is: by its type, or, under Rules::documented, by one of the spellings that
/// files use beside the schema's, such as "RevolutePhysicsJoint" and "PhysicsD6Joint".
/// @return physics_joint or a type derived from it; SchemaType::unknown if the prim is no joint.
SINEW_API stage::SchemaType joint_schema(const stage::Prim& prim) noexcept;

/// Resolves the physics of a stage: every scene, material, collision group, body, shape, joint and
/// articulation, read at the default time, by the rules that the stage was opened with.
///
/// Wrong content never fails: what is unusable is flagged or left out, and reported.
///
/// @param diagnostics  physics-unknown-collider-geometry, physics-nested-body,
///                     physics-attribute-type, physics-legacy-spelling, physics-invalid-joint,
///                     physics-nested-articulation and others, each with the path of the prim.
/// @return The model. Objects are in namespace order; see PhysicsModel.
/// @par Cost    O(prims + relations + group memberships), one pass; the arrays of meshes are shared
///              with the stage.
/// @par Source  UsdPhysics parsing utilities.
SINEW_API PhysicsModel read_physics(const stage::Stage& stage, Diagnostics& diagnostics,
                                    const ReadOptions& options = {});

}  // namespace sinew::physics
