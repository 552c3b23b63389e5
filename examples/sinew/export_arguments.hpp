// SPDX-License-Identifier: Apache-2.0
// What `sinew export` takes on the command line: options of all formats, some of .glb files, some
// of engines' files.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "commands.hpp"

namespace sinew::tool {

/// Words as they were given, and the options they become.
struct ExportArguments {
  ExportOptions options;
  std::string frames;
  std::vector<std::string> clips;
  std::vector<std::string> purposes;
  std::string influences = "4";
  std::string textures = "embed";
  std::string instancing = "nodes";
  std::string nested = "keep";
  std::vector<const CLI::Option*> of_glb;      ///< Those that only .glb files know.
  std::vector<const CLI::Option*> of_engines;  ///< Those that only engines' files know.
};

/// Refuses '', which would count as not given. A check of options.
std::string check_text(const std::string& text);

/// Adds the positional argument FILE.
void add_file(CLI::App* command, std::string& file);

/// Adds a flag that takes away what an option gives.
CLI::Option* add_without(CLI::App* command, const char* name, bool& option,
                         const char* description);

/// Takes finite numbers above 0 only.
CLI::Validator above_zero();

/// Adds the options to the command. `arguments` must outlive it.
void add_export_options(CLI::App* command, ExportArguments& arguments);

/// Turns words into options. Returns a sentence if one is wrong, or of another format than OUT.
std::string convert_export(ExportArguments& arguments);

}  // namespace sinew::tool
