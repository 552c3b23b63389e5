// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "export/robot_import/robot.hpp"
#include "export/robot_import/xml_tree.hpp"
#include "export/shared/budget.hpp"
#include "sinew/core/diagnostic.hpp"
#include "sinew/export/import_robot.hpp"

namespace sinew::exporter::robot_import {

/// Reports with the line and column of what is wrong.
class RobotFaults {
 public:
  explicit RobotFaults(Diagnostics& diagnostics) : diagnostics_(&diagnostics) {}

  /// Once this is spent nothing is told but that: what could not be read any more is not wrong.
  void watch(const Budget& budget) { budget_ = &budget; }

  void add(Severity severity, std::string_view code, const Where& where, std::string message,
           std::string_view hint = {});
  void error(std::string_view code, const Where& where, std::string message,
             std::string_view hint = {}) {
    add(Severity::error, code, where, std::move(message), hint);
  }
  void warning(std::string_view code, const Where& where, std::string message,
               std::string_view hint = {}) {
    add(Severity::warning, code, where, std::move(message), hint);
  }
  void info(std::string_view code, const Where& where, std::string message) {
    add(Severity::info, code, where, std::move(message));
  }
  /// An error for which the whole file is refused.
  Error refuse(ErrorCode error_code, std::string_view code, const Where& where,
               std::string message);
  /// A warning that is told once for all of its kind, where the first is, with their number.
  void counted(std::string_view code, const Where& where, std::string_view what);
  /// Tells what was counted.
  /// @return How many kinds of it there are under one code.
  std::size_t finish_counted(std::string_view code);

 private:
  struct Counted {
    std::string code;
    std::string what;
    Where where;
    std::size_t count = 0;
  };
  Diagnostics* diagnostics_;
  const Budget* budget_ = nullptr;
  std::vector<Counted> counted_;
  std::map<std::string, std::size_t> counted_by_what_;
};

/// A number as XML holds one, finite or not; nullopt for any other text.
std::optional<double> number_of(std::string_view text);
/// The numbers of a text between blanks.
/// @return Whether all of it was read.
bool numbers_of(std::string_view text, std::vector<double>& numbers);

/// What the readers of both formats share.
struct RobotInput {
  const ImportRobotOptions* options = nullptr;
  XmlTree* tree = nullptr;
  RobotFaults* faults = nullptr;
  Budget* budget = nullptr;
  Robot* robot = nullptr;

  Where where(const XmlElement& element) const { return tree->where(element); }
  Where where(const XmlAttribute& attribute) const { return tree->where(attribute.name); }

  /// Exactly `count` finite numbers; anything else is told and gives nothing.
  std::optional<std::vector<double>> numbers(const XmlElement& element,
                                             const XmlAttribute& attribute, std::size_t least,
                                             std::size_t most) const;
};

/// Tells of every element and attribute that `known` does not list: an element as its name, an
/// attribute as "element.attribute". What is below an element that is not listed is passed over.
void tell_unread(const RobotInput& input, const XmlElement& root,
                 std::span<const std::string_view> known);

/// Reads a mesh file: OBJ, or STL in either form. Scaled; a mirroring scale turns the faces.
/// @return Index of the mesh; kNothing, which is told at `where`.
std::int32_t read_mesh_file(const RobotInput& input, const std::string& file, std::string name,
                            const Vector3d& scale, const Where& where);

/// Turns z to a direction, by the shortest way.
Quatd from_z_to(const Vector3d& direction);
Posed compose_poses(const Posed& outer, const Posed& inner);
Posed inverse_pose(const Posed& pose);

/// What a geom adds to its body: its solid at its density or mass.
/// @return Nothing if it has no volume.
std::optional<RobotMass> mass_of(Robot& robot, const RobotGeom& geom);
/// Several parts as one.
RobotMass sum_of(std::span<const RobotMass> parts);

/// Gives each body its world pose and the rigid body that carries it, and stands in for masses that
/// are missing.
void finish_bodies(const RobotInput& input);

bool read_mjcf(const RobotInput& input, XmlElement& root);
bool read_urdf(const RobotInput& input, const XmlElement& root);

/// Fills the layer.
Result<layer::LayerPtr> write_robot(const RobotInput& input, RobotCounts& counts);

}  // namespace sinew::exporter::robot_import
