// SPDX-License-Identifier: Apache-2.0
#include "import_arguments.hpp"

#include <fmt/format.h>

#include <optional>

#include "export_arguments.hpp"

namespace sinew::tool {

void add_import_options(CLI::App* command, ImportArguments& a) {
  ImportOptions& options = a.options;
  command->add_option("IN", options.input, "A .glb, .gltf, .urdf, or MJCF .xml or .mjcf file")
      ->required()
      ->type_name("");
  command->add_option("-o,--output", options.output, "Where to write: .usda, .usdc, .usd or .usdz")
      ->required()
      ->type_name("OUT");
  a.of_gltf = {
      command->add_option("--up", a.up, "Up axis of the layer: Y (default) or Z")
          ->type_name("AXIS"),
      command
          ->add_option("--meters-per-unit", options.meters_per_unit,
                       "What lengths of the layer are counted in (default: 1)")
          ->check(above_zero())
          ->type_name("X"),
      command
          ->add_option("--time-codes-per-second", options.time_codes_per_second,
                       "Time codes in a second of animation (default: 24)")
          ->check(above_zero())
          ->type_name("X"),
      command
          ->add_option("--scene", options.scene, "Number of the scene, if it is not the file's own")
          ->type_name("N"),
      command
          ->add_option("--textures", options.textures,
                       "Images inside the file: extract (default) or none")
          ->check(CLI::IsMember({"extract", "none"}))
          ->type_name("HOW"),
      add_without(command, "--no-materials", options.materials, "Without materials"),
      add_without(command, "--no-physics", options.physics, "Without bodies, colliders and joints"),
  };
  a.of_robots = {
      command
          ->add_option("--base", options.base,
                       "What holds the root link of a URDF: free (default) or fixed")
          ->check(CLI::IsMember({"free", "fixed"}))
          ->type_name("HOW"),
      add_without(command, "--no-visuals", options.visuals,
                  "Without geometry that does not collide"),
      command->add_option("--name", options.prim_name, "Name of the default prim")
          ->type_name("NAME"),
  };
  command->add_flag("--json", options.json, "What was imported, as one JSON document");
}

std::string convert_import(ImportArguments& a) {
  const bool is_robot = is_robot_file(a.options.input);
  for (const CLI::Option* option : is_robot ? a.of_gltf : a.of_robots) {
    if (option->count() == 0) continue;
    return fmt::format("import: {} is an option of {} files", option->get_name(),
                       is_robot ? ".glb and .gltf" : ".xml, .mjcf and .urdf");
  }
  const std::optional<Axis> up = parse_axis(a.up == "y" ? "Y" : a.up == "z" ? "Z" : a.up);
  if (!up || *up == Axis::x) return "--up takes Y or Z, not '" + a.up + "'";
  a.options.up = *up;
  return {};
}

}  // namespace sinew::tool
