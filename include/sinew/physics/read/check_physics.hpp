// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/export.hpp"
#include "sinew/physics/read/read_physics.hpp"
#include "sinew/stage/stage.hpp"

namespace sinew::physics {

/// Checks the physics of a stage against the rules of the schemas, without resolving anything.
///
/// Findings name the prim or the property, the text position of the opinion in force where there is
/// one, the cause in a sentence, and as a hint what to do where that is safe to say. At most one
/// per rule and prim, or per rule and property. The names in parentheses are those of the
/// validators of OpenUSD, whose conditions are the same.
///
/// Rigid bodies:
/// - physics-rigid-body-non-xformable: the prim has no transform (RigidBodyNonXformable).
/// - physics-rigid-body-non-instanceable: an enabled, non-kinematic body below an instance
///   (RigidBodyNonInstanceable).
/// - physics-rigid-body-orientation-scale: the world scale differs along directions that are not
///   the prim's axes (RigidBodyOrientationScale).
/// - physics-nested-body: the body lies in an enabled body and does not reset its transform. Only
///   under Rules::documented, which ignores it.
/// - physics-place-at-times: the transform of a body or collider, or of what it lies in, has
///   samples and no default, so that it has none where physics is read; info if it is kinematic.
///
/// Colliders:
/// - physics-collider-plane-dynamic: a plane that would move (ColliderPlaneDynamic).
/// - physics-collider-non-uniform-scale: a round shape whose world scale is not uniform
///   (ColliderNonUniformScale).
/// - physics-collider-sphere-points-data-missing: points and widths do not pair up
///   (ColliderSpherePointsDataMissing).
/// - physics-unknown-collider-geometry: a collider without geometry.
///
/// Mass of bodies and colliders:
/// - physics-mass-invalid-values, physics-density-invalid-values: negative (MassInvalidValues,
///   DensityInvalidValues).
/// - physics-inertia-invalid-values: only one of diagonal inertia and principal axes is given, the
///   axes are not a rotation, or the diagonal is not positive (InertiaInvalidValues).
/// - physics-inertia-triangle: one moment is above the sum of the others, as no solid has it.
///
/// Articulations:
/// - physics-nested-articulation: a root below another (NestedArticulation).
/// - physics-articulation-on-static-body: the root is a disabled body (ArticulationOnStaticBody).
///
/// Joints:
/// - physics-joint-invalid-prim-rel: a relation names no prim (JointInvalidPrimRel).
/// - physics-joint-rel-not-xformable: the prim named has no transform (JointRelNotXformable).
/// - physics-joint-no-enabled-rigid-body: neither prim named is an enabled body
///   (JointNoEnabledRigidBody).
/// - physics-joint-multiple-prims-rel: more than one prim named (JointMultiplePrimsRel).
/// - physics-joint-same-body: both ends belong to one body.
/// - physics-joint-degree-of-freedom: a limit or a drive of what the joint does not have
///   ("PhysicsDriveAPI:linear" on a revolute joint).
/// - physics-inverted-limit: the smallest distance of a distance joint is above the largest.
///
/// The stage:
/// - physics-units-assumed: there are bodies and no metersPerUnit (info): a unit is 0.01 m.
/// - physics-no-scene: there are bodies and no scene (info): which gravity engines should take.
///
/// Relations and values of all of them:
/// - physics-missing-target: a filter or owner relation names no prim.
/// - physics-wrong-target: it names a prim of a kind that it cannot refer to.
/// - physics-non-finite-value: NaN, or an infinity that has no meaning there.
/// - physics-negative-value: a friction, restitution, force limit or break force below 0.
/// - physics-unknown-token: an axis, approximation or drive type that the schema does not list.
///
/// Severity is error where the file does not mean what it says, warning where a simulation will
/// only be off. Looks at active, defined, loaded prims that are not abstract, also below instances.
///
/// @param options  Those that reading will get. Of these `api_schemas` and `shape_tokens` count:
///                 what the application's schemas include is checked, and geometry that only it
///                 knows is not. Prims are checked whether or not reading will leave them out.
/// @par Cost    One look at every prim and every physics property; O(depth) per joint end.
/// @par Source  UsdPhysics validators (usdPhysicsValidators); the other rules are this library's.
SINEW_API void check_physics(const stage::Stage& stage, Diagnostics& diagnostics,
                             const ReadOptions& options = {});

/// Whether an operation of the prim's own transform has values at times and none besides, so that
/// it places nothing at the default time, at which physics is read. False for an invalid prim.
SINEW_API bool is_placed_at_times_alone(const stage::Prim& prim);

}  // namespace sinew::physics
