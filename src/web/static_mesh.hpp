// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/export/json.hpp"
#include "sinew/geom/gprims.hpp"
#include "sinew/stage/prim.hpp"
#include "sinew/stage/time.hpp"
#include "web/surface_mesh.hpp"

namespace sinew::web {

/// Geometry that no skeleton deforms: a mesh, or one of the simple shapes. A mesh keeps its points
/// in its own space, in stage units; matrices() say where it is.
struct StaticMesh {
  stage::Prim prim;                  ///< What is drawn.
  std::optional<geom::Shape> shape;  ///< A sphere, a cube...; nothing: a mesh.
  SurfaceMesh mesh;                  ///< Empty for shapes.
  std::optional<Vector3f> color;     ///< (displayColor) Of a shape.
  std::string material;              ///< Of a shape; empty if none is bound.
  bool moves = false;                ///< Its points vary with time.
};

/// Everything on a stage that is drawn without a skeleton, and where it is at a time.
///
/// Movable. Not thread-safe. Its stage must outlive it.
class StaticMeshes {
 public:
  /// Reads all visible geometry of the purposes default and render.
  /// @param skinned  Prims that skeletons deform, which are left out.
  /// @param limit    Meshes at most; what comes after is left out.
  void read(const stage::Stage& stage, std::span<const stage::Prim> skinned,
            geom::MaterialBindings& materials, std::size_t limit);

  /// Moves everything to where it is at a time; reads points again where they vary.
  void pose(stage::Time time, double meters_per_unit, geom::MaterialBindings& materials);

  /// In namespace order.
  std::span<const StaticMesh> meshes() const noexcept { return meshes_; }
  /// 16 numbers per mesh, column by column: metres of world space from its own space. All zero
  /// while it is invisible.
  std::span<const float> matrices() const noexcept { return matrices_; }
  /// Whether read() stopped at its limit.
  bool is_cut() const noexcept { return is_cut_; }

  /// All of them as a JSON list.
  void write(exporter::JsonSink& json) const;

 private:
  std::vector<StaticMesh> meshes_;
  std::vector<float> matrices_;
  bool is_cut_ = false;
};

}  // namespace sinew::web
