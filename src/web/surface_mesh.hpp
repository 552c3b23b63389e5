// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/core/types.hpp"
#include "sinew/export/json.hpp"
#include "sinew/geom/material_binding.hpp"
#include "sinew/geom/mesh.hpp"
#include "sinew/geom/triangles.hpp"
#include "sinew/geom/vertices.hpp"
#include "sinew/stage/prim.hpp"
#include "sinew/stage/time.hpp"

namespace sinew::web {

/// Triangles that one material covers.
struct SurfaceGroup {
  std::uint32_t first = 0;  ///< First index, not triangle.
  std::uint32_t count = 0;  ///< Indices.
  std::string material;     ///< Path; empty if none is bound.
};

/// A mesh as a renderer draws it: vertices that each have one point, normal and texture coordinate.
/// Which vertices there are is fixed when it is read; place() fills in where they are.
class SurfaceMesh {
 public:
  /// Reads a Mesh prim at a time. Without faces that can be drawn there are no vertices.
  void read(const stage::Prim& prim, stage::Time time, geom::MaterialBindings& bindings);

  /// Places the vertices: world * p for points of the mesh, and normals that turn with it. Any of
  /// the arrays may be empty or of another length: what was read is taken then, and smooth normals
  /// of the given points where nothing else fits.
  /// @param points        One per point of the mesh.
  /// @param normals       One per point, or per corner of the mesh, in the same space.
  /// @param world         From that space, in metres.
  void place(std::span<const Vector3f> points, std::span<const Vector3f> normals,
             const Matrix4d& world);
  /// The same with the points and normals that were read.
  void place(const Matrix4d& world) { place({}, {}, world); }

  /// One value per point of the mesh, spread over the vertices.
  void spread(std::span<const float> per_point, std::vector<float>& per_vertex) const;

  /// Three floats per vertex, since the last place(); they stay where they are.
  std::span<const float> points() const noexcept { return points_; }
  std::span<const float> normals() const noexcept { return normals_; }  ///< The same.
  std::span<const float> uvs() const noexcept { return uvs_; }        ///< Two per vertex, or none.
  std::span<const float> colors() const noexcept { return colors_; }  ///< Three, or none.
  std::span<const std::uint32_t> triangles() const noexcept { return vertices_.indices; }
  std::size_t vertex_count() const noexcept { return vertices_.size(); }    ///< Vertices.
  std::size_t point_count() const noexcept { return mesh_.points.size(); }  ///< Of the mesh.

  /// Writes what does not change as members of an object: counts, groups, colour, sidedness.
  void write_members(exporter::JsonSink& json) const;

 private:
  void read_colors(const stage::Prim& prim, stage::Time time);
  std::span<const Vector3f> smooth(std::span<const Vector3f> points);

  geom::Mesh mesh_;
  geom::Triangles triangles_;
  geom::Vertices vertices_;
  std::vector<SurfaceGroup> groups_;
  std::optional<Vector3f> color_;  // One for all.
  geom::MeshPrimvar<Vector3f> color_values_;
  bool use_normals_ = false;  // Those that were read count.
  std::vector<Vector3f> smooth_;
  std::vector<float> points_;
  std::vector<float> normals_;
  std::vector<float> uvs_;
  std::vector<float> colors_;
};

}  // namespace sinew::web
