// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/export.hpp"
#include "sinew/stage/stage.hpp"

namespace sinew::stage {

/// Warns of names that are all but those of the schemas, and of what has no effect for that an API
/// schema is not applied. Composition takes all of it: types, schemas and properties that nobody
/// knows are allowed, and files of many programs have some.
///
/// - stage-unknown-type, stage-unknown-api-schema: one or two letters make a known name of it
///   ("Skeletn"); names that are like no other are those of other programs.
/// - stage-unknown-property: likewise the name of a property, of those that the prim's type and API
///   schemas have ("physics:body2"), unless it is declared `custom`.
/// - stage-api-schema-instance: an API schema that is applied once per instance, without one
///   ("PhysicsDriveAPI" for "PhysicsDriveAPI:angular").
/// - stage-api-schema-missing: a property of an API schema of physics or of collections that is not
///   applied ("physics:mass" without PhysicsMassAPI), once per prim and schema. Info only where the
///   prim has a type or a schema that nobody knows, which may include it. For the properties of
///   UsdSkel see skel::check_bindings().
///
/// Looks at active, defined, loaded prims that are not abstract; at what instances share, once.
///
/// @par Cost    One look at every property; each name that is unknown is compared with all that are
///              known once.
SINEW_API void check_schemas(const Stage& stage, Diagnostics& diagnostics);

}  // namespace sinew::stage
