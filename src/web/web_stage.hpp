// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/result.hpp"
#include "sinew/export/json.hpp"
#include "sinew/geom/material_binding.hpp"
#include "sinew/physics/mass.hpp"
#include "sinew/physics/model.hpp"
#include "sinew/physics/pair_filter.hpp"
#include "sinew/physics/shape_hull.hpp"
#include "sinew/stage/package_resolver.hpp"
#include "sinew/stage/stage.hpp"
#include "web/open_request.hpp"
#include "web/static_mesh.hpp"
#include "web/web_character.hpp"

namespace sinew::web {

/// A stage that a page has opened, with what was read of it: characters, geometry, physics.
///
/// Not thread-safe.
class WebStage {
 public:
  /// What the surface of a collider is wanted as.
  enum class ShapeForm : std::uint32_t {
    surface = 0,  ///< Its faces; of a round shape those of its hull.
    hull = 1,     ///< Its convex hull.
  };

  /// Reads and composes the root file of a request.
  /// @return The stage; or the error of Stage::open().
  static Result<std::unique_ptr<WebStage>> open(std::unique_ptr<OpenRequest> request,
                                                const std::string& root);

  /// Metrics, counts, characters, meshes, materials and what is missing.
  std::string summary();
  /// All diagnostics so far, of characters too.
  std::string diagnostics() const;
  std::string tree() const;  ///< Every prim.
  /// The properties of a prim; not_found.
  Result<std::string> properties(std::string_view path) const;
  /// The value of an attribute; not_found. Arrays of the stage live until the next call.
  Result<layer::Value> attribute(std::string_view path, stage::Time time) const;
  /// Every opinion about a prim or a property; not_found.
  Result<std::string> explain(std::string_view path, stage::Time time) const;

  /// The physics as JSON. @param si  In metres, kilograms, seconds and radians.
  std::string physics(bool si);
  std::string masses();  ///< Of every body, with the steps that led there.
  /// Whether two prims collide, shape by shape, and why not; not_found for prims without shapes.
  Result<std::string> collide(std::string_view a, std::string_view b);
  /// Points (doubles) and triangles of a collider, in its frame and in metres, until the next call;
  /// null if there is no such shape.
  const physics::HullMesh* shape_mesh(std::uint32_t shape, ShapeForm form);

  /// The stage as binary glTF. @param options  Lines "name value", see docs/web.md.
  Result<std::string> glb(std::string_view options);
  /// The bytes of a file by its identifier, of a texture in a package for example.
  Result<Bytes> file(std::string_view identifier);

  /// A character; null if there is none of that number.
  WebCharacter* character(std::uint32_t index) noexcept;
  /// Everything without a skeleton.
  StaticMeshes& meshes() noexcept { return meshes_; }
  /// Moves what has no skeleton to a time.
  void pose_meshes(stage::Time time);

  /// What attribute() gave last, kept for its views.
  layer::Value last_value;  // NOLINT: a place to keep it.
  /// What file() gave last.
  Bytes last_file;  // NOLINT: a place to keep it.

 private:
  explicit WebStage(std::unique_ptr<OpenRequest> request);
  void read();
  const physics::PhysicsModel& model();
  const physics::PhysicsModel& si_model();
  const physics::PairFilter& filter();
  void write_metrics(exporter::JsonSink& json) const;

  std::unique_ptr<OpenRequest> request_;
  Diagnostics diagnostics_;
  Diagnostics of_glb_;  // Of the last glb().
  stage::StagePtr stage_;
  std::string root_;
  std::vector<std::string> material_paths_;
  std::optional<geom::MaterialBindings> materials_;
  std::optional<stage::PackageResolver> resolver_;  // Of textures.
  std::vector<WebCharacter> characters_;
  StaticMeshes meshes_;
  std::optional<physics::PhysicsModel> model_;
  std::vector<physics::BodyMass> masses_;  // Of model_.
  std::optional<physics::PhysicsModel> si_model_;
  std::optional<physics::PairFilter> filter_;
  physics::HullMesh hull_;
};

}  // namespace sinew::web
