// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sinew/core/buffer.hpp"
#include "sinew/core/export.hpp"
#include "sinew/core/text.hpp"
#include "sinew/core/types.hpp"
#include "sinew/geom/interpolation.hpp"

namespace sinew::geom {

/// A primvar of a mesh: values, and how its points, faces or corners choose among them.
///
/// Views and their owners, as Mesh. Empty if the mesh has no such primvar.
template <typename T>
struct MeshPrimvar {
  std::span<const T> values;  ///< Each once; `indices` say where they are used.
  /// The value of each element; empty: element i has value i.
  std::span<const std::int32_t> indices;
  /// What an element is: the mesh, a face, a point or a corner.
  PrimvarInterpolation interpolation = PrimvarInterpolation::constant;
  std::vector<Buffer> owners;  ///< Keeps the views alive.

  /// Whether the mesh has no such primvar.
  bool empty() const noexcept { return values.empty(); }
  /// Elements: 1 if constant, one for each face, point or corner otherwise.
  std::size_t size() const noexcept { return indices.empty() ? values.size() : indices.size(); }
  /// The value of an element. Not checked: of a primvar that was read from a stage every element
  /// below size() has one.
  const T& operator[](std::size_t element) const noexcept {
    return values[indices.empty() ? element : static_cast<std::size_t>(indices[element])];
  }
};

/// What a mesh is refined to.
enum class SubdivisionScheme : std::uint8_t { none, catmull_clark, loop, bilinear };

/// "none", "catmullClark", "loop" or "bilinear", as USD spells it.
SINEW_API std::string_view to_string(SubdivisionScheme scheme) noexcept;

/// The scheme that is spelled so; nothing for any other text.
SINEW_API std::optional<SubdivisionScheme> parse_subdivision_scheme(std::string_view text) noexcept;

/// Some faces of a mesh, by name.
struct MeshSubset {
  Text path;    ///< Of the GeomSubset prim; its materials are bound there.
  Text family;  ///< "materialBind", for example; empty if it belongs to none.
  std::span<const std::int32_t> faces;  ///< Indices of faces, not checked.
};

/// A mesh: views of arrays that live elsewhere, and their owners. What is empty is absent.
///
/// Reading from a stage copies nothing: the views point into the stage's own buffers, which
/// `owners` keeps alive, so a mesh may outlive its stage. Programs with meshes of their own point
/// the views at those and leave `owners` empty. The contents are not trusted: indices may be out of
/// range and counts may not add up; what uses a mesh copes with that.
///
/// A corner is a place in `face_indices`: a vertex of one face. Not changed once shared; safe to
/// read from any thread.
struct SINEW_API Mesh {
  std::span<const Vector3f> points;            ///< Mesh space.
  std::span<const std::int32_t> face_counts;   ///< (faceVertexCounts) Corners of each face.
  std::span<const std::int32_t> face_indices;  ///< (faceVertexIndices) Points of the corners.
  std::span<const std::int32_t> hole_faces;    ///< (holeIndices) Faces that are not there.
  bool left_handed = false;                    ///< (orientation) Faces wind clockwise.
  bool double_sided = false;                   ///< (doubleSided)
  /// (subdivisionScheme) The faces are the cage of this surface. catmull_clark is the fallback of
  /// the schema; a mesh that was not read from a stage is taken as it is.
  SubdivisionScheme subdivision = SubdivisionScheme::none;
  bool subdivision_authored = false;  ///< Whether `subdivision` is more than the fallback.

  MeshPrimvar<Vector3f> normals;    ///< As authored; USD ignores those of subdivided meshes.
  MeshPrimvar<Vector2f> uvs;        ///< Texture coordinates. V points up.
  Text uv_name;                     ///< Of the primvar they come from, without "primvars:".
  std::vector<MeshSubset> subsets;  ///< Those of faces, in order.

  std::vector<Buffer> owners;  ///< Keeps the views alive, but for those of primvars.

  /// A mesh that owns copies of its arrays.
  static Mesh copy_of(std::span<const Vector3f> points, std::span<const std::int32_t> face_counts,
                      std::span<const std::int32_t> face_indices);
};

}  // namespace sinew::geom
