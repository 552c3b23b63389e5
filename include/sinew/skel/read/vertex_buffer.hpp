// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/export.hpp"
#include "sinew/core/result.hpp"
#include "sinew/core/types.hpp"
#include "sinew/geom/vertices.hpp"
#include "sinew/skel/read/bindings.hpp"
#include "sinew/skel/read/character.hpp"
#include "sinew/stage/time.hpp"

namespace sinew::skel {

/// What make_vertex_buffer() puts into each vertex.
struct VertexBufferOptions {
  std::size_t influences = 4;     ///< Per vertex: 4 or 8.
  bool normals = true;            ///< As authored; smooth_normals() of meshes without.
  bool uvs = true;                ///< If the mesh has any.
  std::string_view uv_name = {};  ///< As ReadMeshOptions::uv_name.
};

/// Where the parts of a vertex begin, in bytes. They stand in this order, without gaps.
struct VertexLayout {
  /// The offset of a part that vertices do not have.
  static constexpr std::size_t kAbsent = (std::numeric_limits<std::size_t>::max)();

  std::size_t stride = 0;        ///< From one vertex to the next: the size of one.
  std::size_t position = 0;      ///< Three floats, mesh space.
  std::size_t normal = kAbsent;  ///< Three floats.
  std::size_t uv = kAbsent;      ///< Two floats. V points up.
  /// `influences` 16-bit unsigned joints, in the skeleton's order; 0 where the weight is.
  std::size_t joints = 0;
  std::size_t weights = 0;  ///< As many floats that sum to 1, or are all 0.
};

/// A skinned mesh as a GPU draws it.
struct VertexBuffer {
  std::vector<std::byte> bytes;  ///< One vertex after the other.
  VertexLayout layout;           ///< Of each vertex in `bytes`.
  std::size_t influences = 0;    ///< Per vertex.
  geom::Vertices vertices;       ///< The point of each vertex, and `indices`: the index buffer.
  /// A draw call for each material: the triangles of subsets of the family "materialBind", then the
  /// others.
  std::vector<geom::TriangleGroup> groups;

  Matrix4d geom_bind = Matrix4d::Identity();  ///< Bind space from mesh space.
  /// Palettes need one more matrix behind those of the joints, of skinning transform identity; see
  /// TargetInfluences.
  bool has_still_joint = false;

  /// The most of its weights that a point loses by having so few influences, as a part of their
  /// sum; and which point. What it costs in distance is said by cut_influences().
  double largest_weight_lost = 0.0;
  std::size_t weight_lost_at = 0;  ///< Index of the mesh's point; 0 too if none loses any.
};

/// Makes the buffers that draw a prim with its joints on a GPU: triangles of its faces, vertices
/// split where normals or texture coordinates differ between faces, the strongest influences of
/// each, normalised, for matrices in the order of the skeleton's joints.
///
/// A vertex v is drawn at the sum over its influences of weight * skinning[joint] * geom_bind * v,
/// in skeleton space.
///
/// @param target  One of `binding`; a mesh.
/// @return The buffers, or
///         - invalid_argument unless there are 4 or 8 influences per vertex;
///         - no_value if the prim does not follow joints, or is no mesh with points;
///         - bad_topology if the skeleton is invalid;
///         - size_mismatch if there are not as many rows of influences as points;
///         - index_out_of_range for a joint that is not there, or above 65535;
///         - limit_exceeded for 2^32 points.
/// @par Cost  O(points * influences + corners).
SINEW_API Result<VertexBuffer> make_vertex_buffer(const SkeletonBinding& binding,
                                                  const SkinTarget& target,
                                                  stage::Time time = stage::Time::earliest(),
                                                  const VertexBufferOptions& options = {},
                                                  Diagnostics* diagnostics = nullptr);

/// Writes what a Character deformed into vertices as they are drawn without joints: positions, and
/// normals where there are both. Everything else of `out` stays as it is.
///
/// @param buffer  Of the same prim.
/// @param out     buffer.bytes.size() bytes: memory of the GPU, say. Written once, in order.
/// @return ok; no_value if the mesh was not skinned; or what write_vertices() returns.
/// @par Cost  O(vertices); no allocation.
SINEW_API Status update_vertices(const CharacterMesh& mesh, const VertexBuffer& buffer,
                                 std::span<std::byte> out);

}  // namespace sinew::skel
