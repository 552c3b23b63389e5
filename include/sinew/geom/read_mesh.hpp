// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/export.hpp"
#include "sinew/geom/mesh.hpp"
#include "sinew/layer/value.hpp"
#include "sinew/layer/value_type.hpp"
#include "sinew/stage/prim.hpp"
#include "sinew/stage/time.hpp"

namespace sinew::geom {

/// What read_mesh() reads beside the faces.
struct ReadMeshOptions {
  bool normals = true;  ///< Whether Mesh::normals is read.
  bool uvs = true;      ///< Whether Mesh::uvs is read.
  bool subsets = true;  ///< Whether Mesh::subsets is read.
  /// The primvar of the texture coordinates, with or without "primvars:". Empty: "st"; without it
  /// the first primvar of type texCoord2f, texCoord2d or texCoord2h, else the first of two floats,
  /// in the order of find_inherited_primvars().
  std::string_view uv_name = {};
};

/// The mesh of a prim at a time. Attributes that the prim does not have are left empty.
///
/// @param diagnostics  What the mesh cannot be drawn with, see docs/geometry.md: "geom-mesh-value",
///                     "geom-mesh-counts", "geom-mesh-indices", "geom-mesh-points",
///                     "geom-mesh-holes", "geom-mesh-primvar", "geom-subset-indices",
///                     "geom-subset-range". Null: nothing is looked for, which saves a look at
///                     every element.
/// @par Cost    O(1) for arrays, which are shared; O(n) for normals and texture coordinates that
///              have indices or are not floats, and O(n) for diagnostics.
/// @par Source  UsdGeomMesh.
SINEW_API Mesh read_mesh(const stage::Prim& prim, stage::Time time = {},
                         Diagnostics* diagnostics = nullptr, const ReadMeshOptions& options = {});

namespace detail {

struct MeshPrimvarArrays {
  layer::Value values;
  layer::Value indices;  // None: element i has value i.
  PrimvarInterpolation interpolation = PrimvarInterpolation::constant;
};

// `type`: float_, float2, float3 or float4.
SINEW_API MeshPrimvarArrays read_mesh_primvar(const stage::Prim& prim, const Mesh& mesh,
                                              std::string_view name, layer::ElementType type,
                                              stage::Time time, Diagnostics* diagnostics);

}  // namespace detail

/// A primvar of a mesh as float, Vector2f, Vector3f or Vector4f: values of halves and doubles are
/// converted, texture coordinates of three numbers lose the third. The prim's own or an inherited
/// one; "normals" and such may be attributes without "primvars:", see find_schema_primvar().
///
/// @param mesh  Read from this prim at this time; gives the expected number of elements.
/// @return The primvar; empty if there is none, or if it cannot be used on this mesh, because it
///         has another type or number of elements, or indices that name nothing. Then it is
///         reported as "geom-mesh-primvar".
/// @par Cost  O(elements) with indices or if converted, else O(1).
template <typename T>
MeshPrimvar<T> read_mesh_primvar(const stage::Prim& prim, const Mesh& mesh, std::string_view name,
                                 stage::Time time = {}, Diagnostics* diagnostics = nullptr) {
  const detail::MeshPrimvarArrays arrays =
      detail::read_mesh_primvar(prim, mesh, name, layer::detail::kElementOf<T>, time, diagnostics);
  MeshPrimvar<T> primvar;
  primvar.values = arrays.values.template as_array<T>();
  primvar.indices = arrays.indices.template as_array<std::int32_t>();
  primvar.interpolation = arrays.interpolation;
  if (!primvar.values.empty()) primvar.owners.push_back(arrays.values.buffer());
  if (!primvar.indices.empty()) primvar.owners.push_back(arrays.indices.buffer());
  return primvar;
}

}  // namespace sinew::geom
