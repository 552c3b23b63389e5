// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/angles.hpp"
#include "export/gltf_import/document.hpp"
#include "export/gltf_import/skeletons.hpp"
#include "export/gltf_import/tracks.hpp"
#include "export/shared/layer_output.hpp"

namespace sinew::exporter::gltf_import {

/// A channel that changes a node, and the animation that it is of.
struct ChannelUse {
  std::uint32_t animation = 0;
  const Channel* channel = nullptr;
};

/// Primitives of a mesh that become one prim.
struct MeshGroup {
  enum class Kind : std::uint8_t { faces, curves, points };
  Kind kind = Kind::faces;
  std::size_t attributes = 0;
  std::vector<const Primitive*> primitives;

  // Made for the first node with the mesh, and shared by all.
  bool is_made = false;
  std::vector<std::uint32_t> vertices;  ///< Those that are kept; empty: all, in order.
  std::size_t vertex_count = 0;
  std::size_t face_count = 0;
  layer::Value points, extent, normals, tangents, colors, opacities, counts, indices;
  std::vector<layer::Value> uvs;
  std::vector<layer::Value> face_sets;  ///< One for each primitive, if there are several.
  bool is_double_sided = false;
  OutPrim* shared = nullptr;        ///< What the prims of several nodes inherit from.
  std::vector<std::string> shapes;  ///< Names of its BlendShapes.
};

/// The prim of a collider.
struct OutCollider {
  OutPrim* prim = nullptr;
  std::uint32_t node = 0;
  Vector3d size = Vector3d::Ones();  ///< By which the prim is scaled on its node.
};

/// What the writers of the parts of a layer share.
struct WriteContext {
  const ReadContext* read = nullptr;
  const Document* document = nullptr;
  LayerOutput* out = nullptr;
  SkeletonPlans* plans = nullptr;
  GlbCounts* counts = nullptr;
  std::vector<ImportedImage>* images = nullptr;

  double per_metre = 1.0;                          ///< Layer units in a metre.
  OutPrim* scene = nullptr;                        ///< The default prim.
  std::vector<OutPrim*> nodes;                     ///< Prim of each node, or null.
  std::vector<OutPrim*> materials;                 ///< Prim of each material, or null.
  std::vector<std::vector<OutPrim*>> node_meshes;  ///< Meshes of each node.
  std::vector<std::vector<ChannelUse>> channels;   ///< Of each node, in the order of the file.
  std::vector<std::vector<MeshGroup>> groups;      ///< Of each mesh.
  std::vector<bool> reversed;                      ///< Nodes whose prims are mirrored, not they.
  std::vector<std::size_t> users;                  ///< Nodes that show each mesh.
  OutPrim* shared_meshes = nullptr;                ///< Holds what several nodes show.
  /// Meshes that a skeleton deforms.
  std::vector<std::pair<OutPrim*, std::int32_t>> bindings;
  std::map<std::string, OutCollider, std::less<>> colliders;  ///< By extras.usd.path.
  Matrix4d turn = Matrix4d::Identity();                       ///< Of the scene, with Z up.
  double first_code = std::numeric_limits<double>::infinity();
  double last_code = -std::numeric_limits<double>::infinity();

  const ImportGlbOptions& options() const { return *read->options; }
  Faults& faults() const { return read->faults(); }
  const Node& node(std::size_t index) const { return document->nodes[index]; }
  bool is_over() const { return out->budget().is_spent(); }

  /// A time of the file as a time code of the layer.
  double code_of(double seconds) const;
  /// Remembers the first and last time codes.
  void cover(const std::vector<double>& codes);
};

/// A matrix whose translation is in metres, in layer units.
Matrix4d in_layer_units(const WriteContext& context, Matrix4d matrix);

/// The transform of a node relative to the scene, in metres.
Matrix4d world_of(const Document& document, std::int32_t node);

/// Materials with their networks and textures below a Scope of the scene.
void write_materials(WriteContext& context);

/// Meshes, points and curves of a node. `host` becomes the first of them if it is not null, else
/// they are children of `parent`.
void write_mesh(WriteContext& context, std::uint32_t node, OutPrim* parent, OutPrim* host);

/// Which prims the meshes become.
void group_primitives(WriteContext& context);

/// How many prims the mesh of a node becomes.
std::size_t mesh_prims(const WriteContext& context, std::uint32_t node);
/// The type of the only one.
std::string_view mesh_prim_type(const WriteContext& context, std::uint32_t node);

void write_camera(WriteContext& context, std::int32_t camera, OutPrim* prim);

/// Joints, bind and rest poses of every skeleton, and the animations that drive them.
void write_skeletons(WriteContext& context);

/// PhysicsScene, bodies, colliders, materials, groups and joints. After all other prims are made.
void write_physics(WriteContext& context);
/// The part of it that is joints.
void write_physics_joints(WriteContext& context);

/// The type of prim that an implicit shape becomes.
std::string_view shape_type(const ImplicitShape& shape);
/// Whether the prim of a node is that of its collider's shape.
bool is_shape_prim(const WriteContext& context, std::uint32_t node);
/// Whether the file says in extras that the prim of a node is the root of an articulation.
bool is_articulation_root(const WriteContext& context, std::uint32_t node);
/// A mesh that is there to collide only, as children of `parent`.
std::vector<OutPrim*> write_collider_mesh(WriteContext& context, std::uint32_t node,
                                          std::int32_t mesh, OutPrim* parent);

/// xformOps of a node: its transform, and how it changes.
void write_transform(WriteContext& context, std::uint32_t node, OutPrim* prim);
void write_matrix(WriteContext& context, const Matrix4d& matrix, OutPrim* prim, bool resets);

/// All prims of the scene.
void write_scene(WriteContext& context);

}  // namespace sinew::exporter::gltf_import
