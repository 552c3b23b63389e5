// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "sinew/core/bytes.hpp"
#include "sinew/core/diagnostic.hpp"
#include "sinew/core/export.hpp"
#include "sinew/core/limits.hpp"
#include "sinew/core/result.hpp"
#include "sinew/layer/layer.hpp"
#include "sinew/stage/asset_resolver.hpp"

namespace sinew::exporter {

/// What holds the root link of a URDF that has a mass: the format does not say.
enum class RobotBase : std::uint8_t {
  free,   ///< Nothing: the robot falls, walks or flies.
  fixed,  ///< A fixed joint to the world.
};

/// What import_mjcf() and import_urdf() make of a file, and how.
struct ImportRobotOptions {
  std::string identifier = "imported.usda";  ///< Of the layer.
  /// Names the input in diagnostics, and is what meshes and included files are relative to.
  std::string file = {};
  /// Name of the default prim; empty: that of the robot, else of the file.
  std::string prim_name = {};
  /// Reads meshes and included files. Null: what needs any is left out, which is reported.
  stage::AssetResolver* resolver = nullptr;
  RobotBase base = RobotBase::free;  ///< Of URDF.
  bool visuals = true;               ///< Whether geometry that does not collide is kept.
  std::size_t elements = 1'000'000;  ///< Most elements of all XML files together.
  std::size_t nesting = 20'000;      ///< Most elements inside each other.
  /// Size of files, and what is made of them: file_bytes, decoded_bytes and decoded_per_byte.
  Limits limits = {.file_bytes = 1ULL << 30, .decoded_per_byte = 256};
};

/// How many there are of each in the layer.
struct RobotCounts {
  std::size_t bodies = 0;     ///< Rigid bodies.
  std::size_t joints = 0;     ///< Joint prims, fixed ones too.
  std::size_t colliders = 0;  ///< Prims that collide.
  std::size_t visuals = 0;    ///< Geometry that does not.
  std::size_t drives = 0;     ///< Degrees of freedom that have one.
  std::size_t actuators = 0;  ///< Prims of actuators that no drive can stand for.
  std::size_t unread = 0;     ///< Elements and attributes that are passed over, each kind once.
};

/// A robot as a layer.
struct ImportedRobot {
  layer::LayerPtr layer;  ///< Never null. Metres, kilograms, Z up.
  RobotCounts counts;     ///< What the layer holds.
};

/// Makes a layer of a world in MJCF, the format of MuJoCo.
///
/// The world becomes the default prim; bodies lie side by side in it, each with its geometry; a
/// Scope holds the joints. Masses and inertias are written out as MuJoCo would take them. What the
/// standard schemas cannot say goes into attributes of MuJoCo and Newton (Dialect::mjc,
/// Dialect::newton); what no attribute can say is reported, one diagnostic for each kind of element
/// or attribute. docs/from_robots.md says what becomes of what.
///
/// @param bytes  The file.
/// @return The layer; or
///         - syntax if the file is no XML or not of this format;
///         - limit_exceeded if it asks for more than the options allow;
///         - the error is also the last diagnostic.
/// @par Cost  O(bytes of the files), times log; pairs of bodies that do not collide.
SINEW_API Result<ImportedRobot> import_mjcf(const Bytes& bytes, const ImportRobotOptions& options,
                                            Diagnostics& diagnostics);

/// Makes a layer of a robot in URDF.
///
/// Links become bodies in the pose in which all joints are 0; a link without a mass that a fixed
/// joint holds becomes a frame of the body that carries it, and a root link without a mass, or of
/// the name "world", the world.
///
/// @param bytes  The file.
/// @return As import_mjcf(); links in a cycle are left out with an error.
/// @par Cost  O(bytes of the files), times log.
SINEW_API Result<ImportedRobot> import_urdf(const Bytes& bytes, const ImportRobotOptions& options,
                                            Diagnostics& diagnostics);

/// Which of the two formats a text is by its first element.
enum class RobotFormat : std::uint8_t { none, mjcf, urdf };

/// Looks at the first element of a text: `mujoco` or `robot`.
/// @par Cost  O(what stands before that element).
SINEW_API RobotFormat robot_format(std::string_view text) noexcept;

}  // namespace sinew::exporter
