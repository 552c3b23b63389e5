// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "export/gltf/writer.hpp"
#include "sinew/geom/triangles.hpp"
#include "sinew/geom/vertices.hpp"

namespace sinew::exporter {

/// A primvar whose values are made here.
template <typename T>
struct OwnedPrimvar {
  geom::MeshPrimvar<T> primvar;
  std::vector<T> values;

  bool empty() const { return primvar.empty(); }
  void own(std::vector<T> made) {
    values = std::move(made);
    primvar.values = values;
    primvar.owners.clear();
  }
};

/// A primvar that the caller asked for by name.
struct NamedAttribute {
  std::string name;
  std::size_t components;
  geom::VertexAttribute source;
  std::vector<float> values;
};

/// What vertices carry beside their positions, as a prim has it.
struct MeshAttributes {
  OwnedPrimvar<Vector3f> normals;   ///< Of length 1.
  OwnedPrimvar<Vector4f> tangents;  ///< Likewise; w is 1 or -1.
  OwnedPrimvar<Vector4f> colors;    ///< Of what no material colours.
  std::vector<OwnedPrimvar<Vector2f>> uvs;
  std::vector<std::string> uv_names;  ///< One for each of `uvs`.
  std::optional<Vector4f> color;      ///< Of all of the mesh, instead of `colors`.
  std::vector<NamedAttribute> named;
  std::vector<Buffer> owners;  ///< Keep the values of `named` alive.
};

/// @param materials  Of the groups of triangles; invalid where none is bound.
/// @param is_shape   The mesh stands for a Cube or the like: its normals are there, and no primvars
///                   but constant ones fit.
MeshAttributes read_attributes(Writer& writer, const stage::Prim& prim, const geom::Mesh& mesh,
                               const geom::Triangles& triangles,
                               const std::vector<stage::Prim>& materials, bool is_shape);

}  // namespace sinew::exporter
