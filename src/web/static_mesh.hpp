// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sinew/core/diagnostic.hpp"
#include "sinew/export/json.hpp"
#include "sinew/geom/gprims.hpp"
#include "sinew/stage/prim.hpp"
#include "sinew/stage/time.hpp"
#include "web/surface_mesh.hpp"

namespace sinew::web {

/// That something is shown by a PointInstancer and not by itself.
struct ShownBy {
  stage::Prim instancer;
  std::uint32_t prototype = 0;  ///< Which of the instancer's.
  stage::Prim root;             ///< That prototype: what is shown, or an ancestor of it.
};

/// Geometry that no skeleton deforms: a mesh, or one of the simple shapes. A mesh keeps its points
/// in its own space, in stage units; matrices() say where it is, or copies where each of its
/// copies.
struct StaticMesh {
  stage::Prim prim;                  ///< What is drawn.
  std::optional<geom::Shape> shape;  ///< A sphere, a cube...; nothing: a mesh.
  SurfaceMesh mesh;                  ///< Empty for shapes.
  std::optional<Vector3f> color;     ///< (displayColor) Of a shape.
  std::string material;              ///< Of a shape; empty if none is bound.
  bool moves = false;                ///< Its points vary with time.
  std::vector<ShownBy> shown_by;     ///< Outermost first: the next is in a prototype of it.
  std::vector<float> copies;         ///< As of matrices(); of what PointInstancers show.
  bool copies_stay = false;          ///< No copy moves, comes or goes.

  bool is_instanced() const noexcept { return !shown_by.empty(); }
};

/// Everything on a stage that is drawn without a skeleton, and where it is at a time.
///
/// Movable. Not thread-safe. Its stage must outlive it.
class StaticMeshes {
 public:
  /// Reads all geometry of the purposes default and render. What is below a PointInstancer is there
  /// as often as it is shown, as prototypes elsewhere are too.
  /// @param skinned      Prims that skeletons deform, which are left out, but for their copies.
  /// @param limit        Meshes at most; what comes after is left out, which is reported.
  /// @param diagnostics  Also what is wrong with instancers.
  void read(const stage::Stage& stage, std::span<const stage::Prim> skinned,
            geom::MaterialBindings& materials, std::size_t limit, Diagnostics& diagnostics);

  /// Moves everything to where it is at a time; reads points again where they vary.
  void pose(stage::Time time, double meters_per_unit, geom::MaterialBindings& materials);

  /// In namespace order.
  std::span<const StaticMesh> meshes() const noexcept { return meshes_; }
  /// 16 numbers per mesh, column by column: metres of world space from its own space. All zero
  /// while it is invisible. Identity of what has copies, which say the same of themselves.
  std::span<const float> matrices() const noexcept { return matrices_; }

  /// All of them as a JSON list.
  void write(exporter::JsonSink& json) const;

 private:
  std::vector<StaticMesh> meshes_;
  std::vector<float> matrices_;
};

}  // namespace sinew::web
