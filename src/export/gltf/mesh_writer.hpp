// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "export/gltf/mesh_attributes.hpp"
#include "export/gltf/origin.hpp"
#include "export/gltf/writer.hpp"
#include "sinew/geom/triangles.hpp"
#include "sinew/geom/vertices.hpp"

namespace sinew::exporter {

/// One mesh of a stage on its way into the file: triangles by material, vertices, what they carry.
class MeshWriter {
 public:
  MeshWriter(Writer& writer, const stage::Prim& prim, const geom::Mesh& mesh, double meters)
      : w_(writer), prim_(prim), mesh_(mesh), meters_(meters), origin_(read_origin(prim)) {}

  const SkinnedMesh* skinned = nullptr;
  const std::vector<PointTarget>* targets = nullptr;
  std::span<const float> target_weights;
  bool is_reversed = false;  ///< The triangles wind the other way than the mesh says.
  bool is_shape = false;     ///< Of known normals; no primvars but constant ones.
  /// The mesh of the file that gets the primitives; kNoGlbIndex: one of their own.
  std::int32_t append_to = kNoGlbIndex;

  /// Triangles and their groups; false if there is nothing to draw.
  bool prepare();
  /// What tells one use of the mesh from another: its materials, what it inherits, and what deforms
  /// it.
  std::string key();
  /// The same of a mesh that stands for a shape: whatever prims are of that shape.
  std::string key(const geom::Shape& shape);
  /// The mesh of the file; kNoGlbIndex if it cannot be written.
  std::int32_t write();

 private:
  void report_faces();
  void find_materials();
  std::string inherited_key() const;
  void read();
  template <typename T>
  std::span<T> values_of(const geom::Vertices& vertices, const geom::MeshPrimvar<T>& primvar);
  std::int32_t split_and_add();
  std::int32_t add(const geom::Vertices& vertices);
  void tell_lost_normals();
  void gather_influences(const geom::Vertices& vertices, std::vector<std::uint16_t>& joints,
                         std::vector<float>& weights) const;
  std::vector<GlbAttribute> write_attributes(const geom::Vertices& vertices);
  std::vector<GlbPrimitive> write_primitives(const geom::Vertices& vertices,
                                             std::span<const Vector4f> colors);

  Writer& w_;
  stage::Prim prim_;
  const geom::Mesh& mesh_;
  double meters_;
  Origin origin_;
  geom::Triangles triangles_;
  geom::TriangleGroups groups_;
  std::vector<stage::Prim> group_materials_;
  bool is_read_ = false;
  MeshAttributes attributes_;
  std::vector<Buffer> blocks_;  ///< Arrays as they go into the file.
};

}  // namespace sinew::exporter
