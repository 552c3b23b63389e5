// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/buffer.hpp"
#include "sinew/core/export.hpp"
#include "sinew/core/result.hpp"
#include "sinew/core/types.hpp"

namespace sinew::exporter {

/// Places in the lists of a GlbBuilder count from 0 in the order of the calls; this is none.
inline constexpr std::int32_t kNoGlbIndex = -1;

/// Triangles of one material. A view.
struct GlbPrimitive {
  std::span<const std::uint32_t> indices = {};  ///< Three vertices for each triangle.
  std::int32_t material = kNoGlbIndex;          ///< Place of the material; none: glTF's default.
  bool colors = true;                           ///< Whether the colours of the mesh count here.
};

/// One morph target: what it adds to positions and normals at weight 1. A view.
struct GlbMorphTarget {
  std::string_view name = {};  ///< Listed in extras.targetNames.
  /// For each vertex, or for those that `vertices` names; empty: it moves nothing.
  std::span<const Vector3f> positions = {};
  std::span<const Vector3f> normals = {};        ///< Likewise.
  std::span<const std::uint32_t> vertices = {};  ///< Ascending; empty: all.
};

/// An attribute of an application's own: "_NAME".
struct GlbAttribute {
  std::string_view name = {};          ///< Without the underscore.
  std::span<const float> values = {};  ///< `components` for each vertex.
  std::size_t components = 1;          ///< 1 to 4.
};

/// A mesh. Everything is a view; nothing is kept. All lengths are metres.
struct GlbMesh {
  std::string_view name = {};                ///< Empty: none is written.
  std::span<const Vector3f> positions = {};  ///< n vertices, finite.
  std::span<const Vector3f> normals = {};    ///< n of length 1, or none.
  std::span<const Vector4f> tangents = {};   ///< n, or none; w is 1 or -1.
  /// TEXCOORD_0 and so on, each n; V points down, as in glTF.
  std::span<const std::span<const Vector2f>> uvs = {};
  std::span<const Vector4f> colors = {};  ///< n, linear, or none.
  /// `influence_sets` times four joints of the skin, and as many weights, for each vertex. Places
  /// of weight 0 name joint 0, the weights of a vertex add up to 1.
  std::span<const std::uint16_t> joints = {};
  std::span<const float> weights = {};            ///< Parallel to `joints`.
  std::size_t influence_sets = 0;                 ///< JOINTS_n and WEIGHTS_n; 0: not skinned.
  std::span<const GlbAttribute> attributes = {};  ///< Beside those that glTF defines.
  std::span<const GlbPrimitive> primitives = {};  ///< Those without triangles are left out.
  std::span<const GlbMorphTarget> targets = {};   ///< In the order of their weights.
  std::span<const float> target_weights = {};     ///< One for each target, or none: all 0.
  std::string_view source_path = {};              ///< Kept as extras.usd.path; empty: nothing is.
};

/// The joints that deform a mesh.
struct GlbSkin {
  std::string_view name = {};                            ///< Empty: none is written.
  std::span<const std::int32_t> joints = {};             ///< Nodes.
  std::span<const Matrix4d> inverse_bind_matrices = {};  ///< As many; affine.
  std::int32_t skeleton = kNoGlbIndex;                   ///< A node above all joints, or none.
  std::string_view source_path = {};  ///< Kept as extras.usd.path; empty: nothing is.
};

/// How a node stands in its parent: scaled, then rotated, then moved.
struct GlbTransform {
  Vector3d translation = Vector3d::Zero();  ///< Metres.
  Quatd rotation = Quatd(1.0, 0, 0, 0);     ///< Made to length 1; w comes first here.
  Vector3d scale = Vector3d::Ones();        ///< Along the axes before the rotation.
};

/// A place in the tree, and what stands there. A view.
struct GlbNode {
  std::string_view name = {};         ///< Empty: none is written.
  std::int32_t parent = kNoGlbIndex;  ///< A node; none: one of the scene.
  GlbTransform transform = {};        ///< From the node to its parent; what shears takes two nodes.
  std::int32_t mesh = kNoGlbIndex;    ///< The mesh that it shows, or none.
  std::int32_t skin = kNoGlbIndex;    ///< What deforms the mesh, or none.
  std::int32_t camera = kNoGlbIndex;  ///< Place of the camera, or none.
  std::span<const float> target_weights = {};  ///< Where they differ from the mesh's.
  bool in_scene = true;                        ///< Of nodes without a parent.
  std::string_view source_path = {};           ///< Kept as extras.usd.path; empty: nothing is.
};

/// What a channel of a clip moves.
enum class GlbChannelPath : std::uint8_t { translation, rotation, scale, weights };

/// One animated property of one node. A view.
struct GlbChannel {
  std::int32_t node = kNoGlbIndex;                    ///< The node that moves.
  GlbChannelPath path = GlbChannelPath::translation;  ///< Which of its properties.
  bool step = false;                   ///< Values hold until the next key; else they are linear.
  std::span<const float> times = {};   ///< Seconds, not negative, ascending.
  std::span<const float> values = {};  ///< 3, 4 (x y z w) or one for each target, for each time.
};

/// What moves together and has a name.
struct GlbClip {
  std::string_view name = {};                 ///< Empty: none is written.
  std::span<const GlbChannel> channels = {};  ///< Those without times are left out.
};

/// How many there are of each kind, and how large the parts of the file are.
struct GltfSummary {
  std::size_t nodes = 0;           ///< Joints, and those outside the scene, included.
  std::size_t meshes = 0;          ///< Each once, however many nodes show it.
  std::size_t primitives = 0;      ///< Parts of meshes, each of one material.
  std::size_t vertices = 0;        ///< Of all meshes, each mesh once.
  std::size_t triangles = 0;       ///< Of all meshes, each mesh once.
  std::size_t morph_targets = 0;   ///< Of all meshes.
  std::size_t skins = 0;           ///< One may deform several meshes.
  std::size_t joints = 0;          ///< Of all skins; shared ones count in each.
  std::size_t clips = 0;           ///< Animations, in the words of glTF.
  std::size_t channels = 0;        ///< Of all clips.
  std::size_t keys = 0;            ///< Of all channels.
  std::size_t materials = 0;       ///< Without equal ones.
  std::size_t images = 0;          ///< Embedded or referenced.
  std::size_t cameras = 0;         ///< Perspective and orthographic ones.
  std::size_t bodies = 0;          ///< Nodes with a motion.
  std::size_t colliders = 0;       ///< Nodes with a collision shape.
  std::size_t physics_joints = 0;  ///< Joints between bodies, not of skins.
  std::size_t instances = 0;       ///< Of point instancers and instanceable prims.
  std::size_t added_keys = 0;      ///< Put between authored ones, to follow what is not linear.
  std::uint64_t saved_bytes = 0;   ///< By arrays that several objects share.
  std::uint64_t json_bytes = 0;    ///< With the spaces that pad it.
  std::uint64_t index_bytes = 0;   ///< Of triangles.
  std::uint64_t vertex_bytes = 0;  ///< Vertex attributes and dense morph targets.
  std::uint64_t image_bytes = 0;   ///< Embedded images alone.
  std::uint64_t other_bytes = 0;   ///< Inverse bind matrices, animation, sparse offsets.
};

/// A .glb file in memory.
struct GltfFile {
  Buffer bytes;         ///< The whole file, header included.
  GltfSummary summary;  ///< What is in it.
};

/// Writes binary glTF from a program's own data, without a stage.
///
///     GlbBuilder builder;
///     const auto mesh = builder.add_mesh({.name = "box", .positions = points, ...});
///     builder.add_node({.name = "box", .mesh = mesh});
///     Result<GltfFile> file = builder.finish();
///
/// Everything is checked, so that no calls make a file that is not valid: add functions look at
/// what they are given and remember the first fault, finish() looks at every index, whatever the
/// order of the calls was. Equal arrays are stored once. The same calls make the same bytes.
///
/// Movable. Not thread-safe; use one per thread.
class SINEW_API GlbBuilder {
 public:
  GlbBuilder();
  ~GlbBuilder();
  /// Takes everything over; the other may only be assigned to or destroyed afterwards.
  GlbBuilder(GlbBuilder&&) noexcept;
  /// Drops what was added here, then takes everything over as the constructor does.
  GlbBuilder& operator=(GlbBuilder&&) noexcept;

  /// @return The place of the mesh; kNoGlbIndex if it has no triangles, or is at fault.
  /// @par Cost  One copy of the arrays, and one look at each element.
  std::int32_t add_mesh(const GlbMesh& mesh);
  /// @return The place of the skin; kNoGlbIndex if it is at fault.
  std::int32_t add_skin(const GlbSkin& skin);
  /// Parent, mesh, skin and camera may be added later: finish() looks at them.
  /// @return The place of the node, also if it is at fault.
  std::int32_t add_node(const GlbNode& node);
  /// @return The place of the clip; kNoGlbIndex if it has no channels, or is at fault.
  std::int32_t add_clip(const GlbClip& clip);
  /// The name of the scene.
  void name_scene(std::string_view name);

  /// The file. The builder is empty afterwards.
  ///
  /// @return The file, or
  ///         - invalid_argument, index_out_of_range, size_mismatch: the first fault that there was,
  ///           with the name of what it was found in;
  ///         - limit_exceeded for a file of 2^32 - 1 bytes or more.
  /// @par Cost  One copy of everything; arrays are let go as they are copied.
  Result<GltfFile> finish();

  struct Impl;

 private:
  friend struct GlbBuilderAccess;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sinew::exporter
