// SPDX-License-Identifier: Apache-2.0
// What `sinew import` takes on the command line: options of all formats, some of glTF, some of
// robots.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "commands.hpp"

namespace sinew::tool {

/// Words as they were given, and the options they become.
struct ImportArguments {
  ImportOptions options;
  std::string up = "Y";
  std::vector<const CLI::Option*> of_gltf;    ///< Those that only .glb and .gltf files know.
  std::vector<const CLI::Option*> of_robots;  ///< Those that only MJCF and URDF know.
};

/// Adds the options to the command. `arguments` must outlive it.
void add_import_options(CLI::App* command, ImportArguments& arguments);

/// Turns words into options. Returns a sentence if one is wrong, or of another format than IN.
std::string convert_import(ImportArguments& arguments);

}  // namespace sinew::tool
