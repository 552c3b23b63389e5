// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "sinew/core/export.hpp"
#include "sinew/core/result.hpp"
#include "sinew/geom/mesh.hpp"
#include "sinew/geom/triangles.hpp"

namespace sinew::geom {

/// Triangles that belong together, one after the other.
struct TriangleGroup {
  /// The group of faces that no subset of the family has.
  static constexpr std::int32_t kUnassigned = -1;

  std::int32_t subset = kUnassigned;  ///< In Mesh::subsets; kUnassigned: of no subset.
  std::uint32_t first = 0;            ///< Triangle; three times this is its first index.
  std::uint32_t count = 0;            ///< Triangles in the group, possibly none.
};

/// The result of group_by_subset().
struct TriangleGroups {
  std::vector<TriangleGroup> groups;  ///< One after the other; together they hold every triangle.
  std::size_t shared_faces = 0;  ///< Faces of several subsets of the family; the first has them.
};

/// Reorders triangles so that those of one subset follow each other, otherwise in order: draw calls
/// for one material each.
///
/// @param family  Subsets of this family count: "materialBind" for materials.
/// @return A group for each subset of the family, in order, be it empty; the faces that none of
///         them has are last, if there are any. Indices that name no face are passed over.
/// @par Cost  O(faces + triangles + indices of the subsets).
SINEW_API TriangleGroups group_by_subset(const Mesh& mesh, std::string_view family,
                                         Triangles& triangles);

/// Something that vertices carry, of any type: the bytes of its elements. A view.
struct VertexAttribute {
  std::span<const std::byte> values;      ///< One value after the other, without gaps.
  std::size_t size = 0;                   ///< Bytes of one value.
  std::span<const std::int32_t> indices;  ///< As in MeshPrimvar.
  PrimvarInterpolation interpolation = PrimvarInterpolation::vertex;  ///< What a value belongs to.

  VertexAttribute() = default;
  /// A primvar of a mesh, which must outlive it.
  template <typename T>
  VertexAttribute(const MeshPrimvar<T>& primvar)  // NOLINT: implicit, it is the same thing.
      : VertexAttribute(primvar.values, primvar.interpolation, primvar.indices) {}
  /// Arrays of the program's own, which must outlive it: values, what they belong to, and indices.
  template <typename T>
  VertexAttribute(std::span<const T> elements, PrimvarInterpolation per,
                  std::span<const std::int32_t> chosen = {})
      : values(std::as_bytes(elements)), size(sizeof(T)), indices(chosen), interpolation(per) {}
};

/// What a renderer calls a mesh: vertices that each have one point and one value of everything, and
/// triangles of them.
struct Vertices {
  std::vector<std::uint32_t> points;  ///< The point of each vertex: skin influences follow.
  /// A corner of the mesh that each vertex stands for, and its face. Empty if vertex i is point i.
  std::vector<std::uint32_t> corners;
  std::vector<std::uint32_t> faces;    ///< The face of that corner.
  std::vector<std::uint32_t> indices;  ///< Three vertices for each triangle.

  /// The number of vertices.
  std::size_t size() const noexcept { return points.size(); }
};

/// Makes vertices of the corners of triangles: corners of one point are one vertex if the given
/// attributes have the same values there, to the bit. Vertices are numbered in the order of their
/// first use.
///
/// Where no attribute is uniform or face-varying, points are used as they are, those without
/// triangles too: vertex i is point i.
/// @param triangles   Of the mesh. Moved here, their memory becomes that of the indices.
/// @param attributes  All that vertices will carry, as far as it is per face or corner; what is
///                    per point or constant may be there too. Empty ones are passed over.
/// @return The vertices; index_out_of_range if the triangles are not of this mesh, or if an
///         attribute has no value for a corner; or limit_exceeded for 2^32 points.
/// @par Cost  O(corners); more by a logarithm where hundreds of different corners share a point.
SINEW_API Result<Vertices> split_corners(const Mesh& mesh, Triangles triangles,
                                         std::span<const VertexAttribute> attributes);

/// An attribute's place in the bytes of a vertex.
struct VertexField {
  VertexAttribute attribute;  ///< What is written; a view.
  std::size_t offset = 0;     ///< Bytes from the beginning of a vertex.
};

/// Writes attributes of all vertices, each vertex `stride` bytes after the one before; bytes that
/// no field covers stay as they are.
///
/// @param out  At least `stride` bytes for each vertex.
/// @return ok; or
///         - invalid_argument if a field ends beyond the stride, or is per face or corner where
///           the vertices are points;
///         - size_mismatch if `out` is too short;
///         - index_out_of_range if an attribute lacks a value that a vertex needs: it is left out.
/// @par Cost  O(vertices * fields).
SINEW_API Status write_vertices(const Vertices& vertices, std::span<const VertexField> fields,
                                std::size_t stride, std::span<std::byte> out);

/// The values of an attribute of T, one for each vertex.
/// @return The values, or the error of write_vertices().
template <typename T>
Result<std::vector<T>> vertex_values(const Vertices& vertices, const MeshPrimvar<T>& primvar) {
  static_assert(std::is_trivially_destructible_v<T>);
  std::vector<T> values(vertices.size());
  const VertexField field{primvar, 0};
  const Status status = write_vertices(vertices, {&field, 1}, sizeof(T),
                                       std::as_writable_bytes(std::span<T>(values)));
  if (!status) return status.error();
  return values;
}

}  // namespace sinew::geom
