// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/export.hpp"
#include "sinew/core/types.hpp"
#include "sinew/physics/enums.hpp"
#include "sinew/physics/model.hpp"

namespace sinew::physics {

/// Where a mass comes from.
enum class MassSource : std::uint8_t {
  none,      ///< The prim has no say, or nothing could be computed.
  authored,  ///< physics:mass on the prim.
  parts,     ///< Its own collider (volume times density) and the prims below it.
  assumed,   ///< Nothing gives a mass: StageUnits::assumed_mass (documented rules).
  unset,     ///< Nothing gives a mass: -1 (openusd rules).
};

/// Where the density of a collider comes from.
enum class DensitySource : std::uint8_t {
  none,      ///< Not a collider with a volume.
  mass_api,  ///< physics:density of a PhysicsMassAPI: see MassStep::density_node.
  material,  ///< The bound physics material.
  water,     ///< The default of 1000 kg/m^3.
};

/// Where a centre of mass, inertia or principal axes come from.
enum class FigureSource : std::uint8_t {
  computed,      ///< From the shapes and densities.
  authored,      ///< The attribute on the prim.
  small_sphere,  ///< A ball of 0.1 m stands in, because there is no volume.
  unit,          ///< Nothing is known: a placeholder (openusd rules).
};

/// Authored figures that were passed over, and why. Bits of MassStep::ignored.
enum IgnoredFigure : std::uint16_t {
  kMassNotPositive = 1,      ///< physics:mass is 0, negative or not finite: "not given".
  kDensityNotPositive = 2,   ///< The same for physics:density; openusd: an infinite one counts.
  kCenterNotFinite = 4,      ///< physics:centerOfMass has an infinite or NaN component.
  kInertiaTooSmall = 8,      ///< physics:diagonalInertia is zero or not finite.
  kAxesZero = 16,            ///< physics:principalAxes is zero or not finite.
  kNotConsulted = 32,        ///< openusd rules look at the body and at colliders only.
  kMassOverruled = 64,       ///< A prim above has physics:mass: this one only sets a proportion.
  kDensityOverruled = 128,   ///< The collider's own physics:mass makes its density irrelevant.
  kCenterOverruled = 256,    ///< A prim above gives the centre of mass.
  kInertiaOverruled = 512,   ///< A prim above gives the inertia.
  kVolumeUnknown = 1024,     ///< The collider's volume cannot be computed.
  kColliderDisabled = 2048,  ///< Collisions are switched off, but the collider has mass: told so.
};

/// How one prim contributed: a node of the explanation tree.
struct MassStep {
  std::int32_t parent = kNone;                ///< Index of the step above; kNone for the body.
  MassSource mass_source = MassSource::none;  ///< Of `mass`.
  DensitySource density_source = DensitySource::none;    ///< Of `density`.
  FigureSource center_source = FigureSource::computed;   ///< Of the centre of the prim's subtree.
  FigureSource inertia_source = FigureSource::computed;  ///< Of the moments of the prim's subtree.
  /// Of the axes that go with authored moments.
  FigureSource axes_source = FigureSource::computed;
  std::uint16_t ignored = 0;          ///< IgnoredFigure bits.
  std::int32_t density_node = kNone;  ///< Index of the step whose prim gives the density.

  double volume = 0.0;      ///< Of the prim's own collider.
  double density = 0.0;     ///< Of the prim's own collider.
  double parts_mass = 0.0;  ///< Own collider and prims below, before physics:mass of this prim.
  double mass = 0.0;        ///< With physics:mass of this prim.
  double share = 0.0;       ///< What it finally adds to the body, after scaling by prims above.
  Vector3d center = Vector3d::Zero();  ///< Of the prim and those below it, in the body's frame.
};

/// Mass properties of a rigid body, in stage units and the body's frame (its orientation, its
/// scale applied).
struct BodyMass {
  std::int32_t body = kNone;                   ///< Index into PhysicsModel::rigid_bodies.
  double mass = 0.0;                           ///< Mass units of the model.
  Vector3d center_of_mass = Vector3d::Zero();  ///< In the body's frame.
  /// Moments about the centre of mass along the principal axes, not sorted.
  Vector3d diagonal_inertia = Vector3d::Zero();
  Quatd principal_axes = Quatd(1.0, 0, 0, 0);  ///< As authored if authored, normalised or not.
  /// The explanation: one step per mass node of the body, in their order; the first is the body.
  std::vector<MassStep> steps;
};

/// What an application knows about a collider of its own.
struct MassInfo {
  double volume = -1.0;                 ///< Distance^3; negative: cannot say.
  Matrix3d inertia = Matrix3d::Zero();  ///< For density 1, about the centre, shape frame.
  Vector3d center = Vector3d::Zero();   ///< In the shape's frame, scale applied.
  Posed local_pose;                     ///< The shape's frame in the body's.
};

/// What an application adds to the computation of masses.
struct MassOptions {
  /// Asked for every collider; nullopt means that the library should work it out. The shape is
  /// null if the collider has no descriptor.
  std::function<std::optional<MassInfo>(const MassNode& node, const Shape* shape)> mass_info;
};

/// The mass properties of one body and how they came about, by the rules of model.rules.
///
/// Documented rules: physics:mass fixes the total of a prim's subtree and scales what lies below;
/// without it the mass is the sum of the colliders' volume times density, the density being the
/// nearest one authored between the collider and the body, else the bound material's, else that of
/// water. Authored centres, inertias and axes replace what is computed for the subtree. A body
/// with neither mass nor volume weighs one mass unit. openusd rules: only the body and the
/// colliders themselves are consulted, and colliders below colliders are on their own.
///
/// Disabled colliders have mass under both. openusd rules: an infinite density counts, and a mass
/// beyond single precision is infinite; the centre is then NaN unless it is authored.
///
/// @param body         Index into model.rigid_bodies. Out of range: an empty result.
/// @param diagnostics  physics-invalid-mass-information, physics-approximated-inertia,
///                     physics-missing-mass, physics-zero-volume-mass,
///                     physics-plane-on-dynamic-body, and those of solid_mesh().
/// @par Cost           O(mass nodes of the body) and the volumes of its meshes.
/// @par Source         UsdPhysics.MassAPI; UsdPhysicsRigidBodyAPI mass computation.
SINEW_API BodyMass body_mass(const PhysicsModel& model, std::int32_t body, Diagnostics& diagnostics,
                             const MassOptions& options = {});

/// body_mass() of every body, in order. Meshes that share their arrays are integrated once.
SINEW_API std::vector<BodyMass> body_masses(const PhysicsModel& model, Diagnostics& diagnostics,
                                            const MassOptions& options = {});

/// The explanation as an indented tree: per prim what it adds, which rule and which authored value
/// supplied mass, density, centre and inertia, and what was passed over and why.
/// @param mass  A result of body_mass() for this model.
SINEW_API std::string explain_mass(const PhysicsModel& model, const BodyMass& mass);

}  // namespace sinew::physics
