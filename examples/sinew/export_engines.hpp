// SPDX-License-Identifier: Apache-2.0
// `sinew export` into the formats of physics engines.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "open.hpp"
#include "output.hpp"

namespace sinew::tool {

struct ExportOptions;

/// The extensions that stand for formats of engines. The last is known, and not written.
inline constexpr std::array<std::string_view, 4> kEngineExtensions = {".xml", ".mjcf", ".urdf",
                                                                      ".sdf"};

/// What only files of engines take.
struct ExportEnginesOptions {
  std::string format;             ///< "mjcf" or "urdf"; empty: by the extension.
  std::string root;               ///< Only what lies below it; empty: everything.
  std::string names;              ///< "path", "leaf", "identifier"; empty: what suits the format.
  std::string stack = "auto";     ///< Several joints between the same bodies.
  std::string meshes = "inline";  ///< "inline" or "obj".
  std::string dialects = "auto";  ///< "auto", "none", or names between commas.
  bool snap = false;
  bool visual = false;      ///< Also what is shown and does not collide.
  bool check_only = false;  ///< Nothing is written.
};

/// Writes the physics of a stage for an engine.
/// @return file_error if something could not be said, though the file is written.
ExitStatus export_engines(const ExportOptions& options, Reporter& reporter);

}  // namespace sinew::tool
