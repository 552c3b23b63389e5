// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/export.hpp"
#include "sinew/physics/joint_forest.hpp"
#include "sinew/physics/names.hpp"
#include "sinew/physics/shape.hpp"

namespace sinew::exporter {

/// What became of one prim.
struct EngineMapping {
  std::string path;        ///< Of the prim, in the stage.
  std::string became;      ///< "hinge", "box", "nothing".
  bool is_exact = true;    ///< The engine accepts the same motions.
  std::string diagnostic;  ///< Code of what is told about it; empty if it is exact.
};

/// A mesh that goes next to the file.
struct EngineMesh {
  std::string name;  ///< "base_link.obj".
  std::string text;  ///< Wavefront OBJ.
};

/// A world for an engine that reads text.
struct EngineFile {
  std::string text;                    ///< The whole file, to be written as it is.
  std::vector<EngineMesh> meshes;      ///< To be written beside it, under their names.
  std::vector<EngineMapping> mapping;  ///< Bodies, shapes, joints, in the order of the model.
};

/// Where an engine finds the triangles of meshes.
enum class EngineMeshes : std::uint8_t {
  inlined,  ///< In the file, where the format can.
  obj,      ///< As .obj files next to it.
};

/// What all writers for engines can be told.
struct EngineOptions {
  physics::NameStyle names = physics::NameStyle::path;  ///< How paths of prims become names.
  /// Which joints between the same two bodies become chains. In URDF `always` also makes chains of
  /// generic and spherical joints, which MJCF can say as they are.
  physics::StackedJoints stacked = physics::StackedJoints::automatic;
  EngineMeshes meshes = EngineMeshes::inlined;  ///< Of MJCF; URDF always takes .obj files.
  /// Joint frames win over poses: bodies are moved until they agree. Loop joints are not touched.
  bool snap = false;
  /// What is shown and collides with nothing, as visual_shapes() finds it: its units and indices
  /// are those of the model. It has no mass and touches nothing.
  std::vector<physics::Shape> visuals;
  std::string robot_name;  ///< Of the whole, where the format has one; empty: "robot".
};

/// One of the diagnostics of the writers for engines.
struct EngineDiagnostic {
  std::string_view code;               ///< As in Diagnostic::code, "engine-...".
  Severity severity = Severity::info;  ///< The same each time.
  std::string_view meaning;            ///< When it is told, in a few words.
};

/// Everything that the writers for engines may say, errors first. An error: the result moves
/// differently from the file or misses something; a warning: it differs by what the message says;
/// an info: it is exact in kind and differs in detail.
SINEW_API std::span<const EngineDiagnostic> engine_diagnostics() noexcept;

}  // namespace sinew::exporter
