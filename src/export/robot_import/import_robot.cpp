// SPDX-License-Identifier: Apache-2.0
#include "sinew/export/import_robot.hpp"

#include <utility>

#include "core/format_text.hpp"
#include "export/robot_import/reading.hpp"

namespace sinew::exporter {

namespace {

using robot_import::RobotFaults;
using robot_import::Where;
using robot_import::XmlElement;

// The name of the first element of a text; empty if there is none.
std::string_view first_element(std::string_view text) noexcept {
  while (true) {
    const std::size_t open = text.find('<');
    if (open == std::string_view::npos) return {};
    text.remove_prefix(open + 1);
    std::string_view end;
    if (text.starts_with("!--")) {
      end = "-->";
    } else if (text.starts_with('?') || text.starts_with('!')) {
      end = ">";
    } else {
      return text.substr(0, text.find_first_of(" \t\r\n/>"));
    }
    const std::size_t close = text.find(end);
    if (close == std::string_view::npos) return {};
    text.remove_prefix(close + end.size());
  }
}

Result<ImportedRobot> import_robot(const Bytes& bytes, const ImportRobotOptions& options,
                                   RobotFormat format, Diagnostics& diagnostics) {
  RobotFaults faults(diagnostics);
  const Where beginning{options.file, 1, 1};
  if (bytes.size() > options.limits.file_bytes) {
    return faults.refuse(ErrorCode::limit_exceeded, "robot-limit", beginning,
                         format_text("The file has {} bytes, and Limits::file_bytes allows {}.",
                                     bytes.size(), options.limits.file_bytes));
  }
  robot_import::XmlTree tree(options.elements, options.nesting);
  robot_import::XmlError error;
  XmlElement* const root = tree.add(bytes, options.file, error);
  if (root == nullptr) {
    const bool is_limit = error.is_limit;
    return faults.refuse(is_limit ? ErrorCode::limit_exceeded : ErrorCode::syntax,
                         is_limit ? "robot-limit" : "robot-xml", error.where,
                         std::move(error.message));
  }
  const bool is_mjcf = format == RobotFormat::mjcf;
  const std::string_view wanted = is_mjcf ? "mujoco" : "robot";
  if (root->name != wanted) {
    return faults.refuse(ErrorCode::syntax, "robot-xml", tree.where(*root),
                         format_text("The file begins with <{}>, and {} with <{}>.",
                                     root->name.substr(0, 40), is_mjcf ? "MJCF" : "URDF", wanted));
  }
  Budget budget(options.limits, bytes.size());
  faults.watch(budget);
  robot_import::Robot robot;
  const robot_import::RobotInput input{&options, &tree, &faults, &budget, &robot};
  if (is_mjcf) {
    robot_import::read_mjcf(input, *root);
  } else {
    robot_import::read_urdf(input, *root);
  }
  ImportedRobot result;
  Result<layer::LayerPtr> layer = robot_import::write_robot(input, result.counts);
  result.counts.unread = faults.finish_counted("robot-unread");
  if (budget.is_spent()) {
    return faults.refuse(ErrorCode::limit_exceeded, "robot-limit", beginning,
                         "The file and its meshes ask for more than Limits::decoded_bytes and "
                         "decoded_per_byte allow.");
  }
  if (!layer) return std::move(layer).error();
  result.layer = *std::move(layer);
  return result;
}

}  // namespace

Result<ImportedRobot> import_mjcf(const Bytes& bytes, const ImportRobotOptions& options,
                                  Diagnostics& diagnostics) {
  return import_robot(bytes, options, RobotFormat::mjcf, diagnostics);
}

Result<ImportedRobot> import_urdf(const Bytes& bytes, const ImportRobotOptions& options,
                                  Diagnostics& diagnostics) {
  return import_robot(bytes, options, RobotFormat::urdf, diagnostics);
}

RobotFormat robot_format(std::string_view text) noexcept {
  const std::string_view name = first_element(text);
  if (name == "mujoco") return RobotFormat::mjcf;
  if (name == "robot") return RobotFormat::urdf;
  return RobotFormat::none;
}

}  // namespace sinew::exporter
