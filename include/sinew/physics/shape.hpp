// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

#include "sinew/core/export.hpp"
#include "sinew/core/text.hpp"
#include "sinew/core/types.hpp"
#include "sinew/geom/mesh.hpp"
#include "sinew/physics/enums.hpp"
#include "sinew/physics/pose.hpp"

namespace sinew::physics {

// The geometry of a collider. Sizes are in stage units with the world scale applied. Each shape
// sits in its own frame, posed by Shape::local_pose; a spine runs along `axis` of that
// frame, and "top" is its positive end.

/// (Sphere)
struct SphereShape {
  float radius = 0.0F;  ///< Of the ball.
};

/// (Cube) A box around the origin.
struct CubeShape {
  /// All three negative where the world transform mirrors: take absolute values.
  Vector3f half_extents = Vector3f::Ones();
};

/// (Capsule) A cylinder with half balls on both ends.
struct CapsuleShape {
  float radius = 0.0F;       ///< Of the cylinder and the caps.
  float half_height = 0.0F;  ///< Of the cylinder, without the caps.
  Axis axis = Axis::x;       ///< The spine.
};

/// (Capsule_1) A frustum whose ends are capped by the balls that touch it smoothly.
struct Capsule1Shape {
  float top_radius = 0.0F;     ///< Of the ball at the positive end.
  float bottom_radius = 0.0F;  ///< Of the ball at the negative end.
  float half_height = 0.0F;    ///< Of the frustum, without the caps.
  Axis axis = Axis::x;         ///< The spine.
};

/// (Cylinder)
struct CylinderShape {
  float radius = 0.0F;       ///< Of both discs.
  float half_height = 0.0F;  ///< From the centre to a disc.
  Axis axis = Axis::x;       ///< The spine.
};

/// (Cylinder_1) A frustum.
struct Cylinder1Shape {
  float top_radius = 0.0F;     ///< Of the disc at the positive end.
  float bottom_radius = 0.0F;  ///< Of the disc at the negative end.
  float half_height = 0.0F;    ///< From the centre to a disc.
  Axis axis = Axis::x;         ///< The spine.
};

/// (Cone) Apex at +half_height, base disc at -half_height.
struct ConeShape {
  float radius = 0.0F;       ///< Of the base disc.
  float half_height = 0.0F;  ///< From the centre to the apex.
  Axis axis = Axis::x;       ///< From the base to the apex.
};

/// (Plane) An infinite half-space; `axis` is its outward normal.
struct PlaneShape {
  Axis axis = Axis::x;  ///< The normal.
};

/// The material of one GeomSubset of a mesh.
struct SubsetMaterial {
  Text subset_path;    ///< Of the GeomSubset prim.
  Text material_path;  ///< Its physics material, empty if it has none.
};

/// (Mesh) In the shape's frame a point p is at mesh_scale * p.
struct MeshShape {
  /// (physics:approximation) "none", "convexHull", "convexDecomposition", "boundingCube",
  /// "boundingSphere", "meshSimplification", or whatever else was authored.
  Text approximation = "none";
  Vector3f mesh_scale = Vector3f::Ones();  ///< World scale, signed; not yet applied to points.
  bool double_sided = false;  ///< (doubleSided) A hint for contacts: faces have no outside.
  /// The cage, unscaled and without primvars and subsets; null if points or faces are missing.
  std::shared_ptr<const geom::Mesh> geometry;
  std::vector<SubsetMaterial> subset_materials;  ///< One per face subset, in child order.
};

/// One ball of a Points prim.
struct SpherePoint {
  Vector3f center = Vector3f::Zero();         ///< As reported: unscaled under Rules::openusd.
  Vector3f scaled_center = Vector3f::Zero();  ///< World scale applied; goes with local_pose.
  float radius = 0.0F;                        ///< World scale applied.
};

/// (Points) A union of balls.
struct SpherePointsShape {
  std::vector<SpherePoint> sphere_points;  ///< In the order of the prim's points.
};

/// A geometry that only the application knows.
struct CustomShape {
  Text custom_geometry_token;  ///< The one of ReadOptions::shape_tokens that the prim has.
};

/// Which geometry something has, with its sizes.
using Geometry =
    std::variant<SphereShape, CubeShape, CapsuleShape, Capsule1Shape, CylinderShape, Cylinder1Shape,
                 ConeShape, PlaneShape, MeshShape, SpherePointsShape, CustomShape>;

/// The ObjectType that belongs to a geometry.
SINEW_API ObjectType type_of(const Geometry& geometry) noexcept;

/// A collider: what all shapes have in common, and the particular geometry.
struct Shape {
  Text path;             ///< Of the prim.
  bool is_valid = true;  ///< False: unusable geometry; nothing else but lists is filled in.

  std::int32_t body = kNone;  ///< Into PhysicsModel::rigid_bodies; kNone if it is static.
  Text body_path;             ///< Of the same; empty if it is static.

  /// Pose in the body's frame, body scale applied; the world pose of a static shape.
  Pose local_pose;
  /// Scale relative to the body. Already applied to all sizes.
  Vector3f local_scale = Vector3f::Ones();

  /// Into PhysicsModel::materials: of the mesh's subsets, then its own.
  std::vector<std::int32_t> materials;
  std::vector<Text> material_paths;  ///< Of the same; empty where nothing is bound.
  /// Into PhysicsModel::collision_groups: those it is a member of, by path.
  std::vector<std::int32_t> collision_groups;
  std::vector<Text> collision_group_paths;  ///< Of the same.
  /// (physics:simulationOwner) Scenes it belongs to; empty = not said.
  std::vector<Text> simulation_owner_paths;
  std::vector<Text> filtered_collision_paths;  ///< (physics:filteredPairs) on the collider.
  bool collision_enabled = true;  ///< False: touches nothing, but is still there and has mass.

  /// The physics material that the collider is bound to, whether or not MaterialBindingAPI is
  /// applied to it. Its density takes part in mass.
  std::int32_t bound_material = kNone;  ///< Into PhysicsModel::materials; kNone if it lists none.
  Text bound_material_path;             ///< Empty if there is none.
  float bound_material_density = 0.0F;  ///< Mass / distance^3; 0 or less: none.

  Geometry geometry;  ///< Which geometry it is, with its sizes.

  /// The ObjectType that belongs to `geometry`.
  ObjectType type() const noexcept { return type_of(geometry); }
};

/// (MjcSiteAPI) A place that is marked: nothing collides with it, and it weighs nothing.
struct Site {
  Text path;                  ///< Of the prim.
  std::int32_t body = kNone;  ///< Into PhysicsModel::rigid_bodies; kNone if it stands still.
  Pose local_pose;            ///< As Shape::local_pose.
  /// How it is shown, scale applied. A ball of radius 0 if the prim is none of sphere, box,
  /// capsule, cylinder, cone and plane.
  Geometry geometry;
  std::int32_t group = 0;  ///< (mjc:group) What to show it with.
};

}  // namespace sinew::physics
