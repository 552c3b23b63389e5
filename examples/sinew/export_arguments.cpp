// SPDX-License-Identifier: Apache-2.0
#include "export_arguments.hpp"

#include <fmt/format.h>

#include "words.hpp"

namespace sinew::tool {

std::string check_text(const std::string& text) {
  return text.empty() ? "'' is no value" : std::string();
}

void add_file(CLI::App* command, std::string& file) {
  command->add_option("FILE", file, "A layer, a package, or a file in one: a.usdz[b.usda]")
      ->required()
      ->type_name("");
}

// As "!--no-x" CLI11 would show it as "--no-x{false}".
CLI::Option* add_without(CLI::App* command, const char* name, bool& option,
                         const char* description) {
  return command->add_flag_callback(
      name, [&option] { option = false; }, description);
}

CLI::Validator above_zero() {
  return {[](const std::string& text) {
            double number = 0.0;
            return parse_number(text, number) && number > 0.0
                       ? std::string()
                       : fmt::format("takes a number above 0, not '{}'", text);
          },
          "", "above zero"};
}

void add_export_options(CLI::App* command, ExportArguments& a) {
  ExportOptions& options = a.options;
  add_file(command, options.file);
  command
      ->add_option("-o,--output", options.output,
                   "Where to write: .glb (glTF), .xml or .mjcf (MJCF), or .urdf")
      ->type_name("OUT");
  command->add_flag("--json", options.json, "The summary, or what became of each prim, as JSON");
  command->add_option("--nested", a.nested, "Bodies inside bodies: keep (default) or ignore")
      ->type_name("WHAT");

  exporter::GlbOptions& glb = options.glb;
  a.of_glb = {
      command->add_option("--frames", a.frames, "Part of the animation: A:B or A:B:STEP")
          ->check(check_text)
          ->type_name("A:B[:STEP]"),
      command->add_option("--clip", a.clips, "A SkelAnimation as a clip of its own; repeatable")
          ->allow_extra_args(false)
          ->type_name("NAME=/PRIM"),
      command->add_option("--influences", a.influences, "Joints of a vertex: 4 (default), 8 or all")
          ->type_name("N"),
      add_without(command, "--no-physics", glb.physics, "No bodies, colliders and joints"),
      add_without(command, "--no-materials", glb.materials, "No materials and textures"),
      command->add_option("--textures", a.textures, "embed (default), reference or none")
          ->type_name("HOW"),
      command->add_option("--instancing", a.instancing, "nodes (default) or gpu")->type_name("HOW"),
      command->add_flag("--keep-up-axis", glb.keep_up_axis, "Do not turn Z upwards to Y"),
      command->add_option("--meters-per-unit", glb.meters_per_unit, "Instead of what the file says")
          ->check(above_zero())
          ->type_name("X"),
      command->add_option("--purpose", a.purposes, "default, render, proxy or guide; repeatable")
          ->allow_extra_args(false)
          ->type_name("NAME"),
      command->add_option("--primvar", glb.primvars, "A primvar as an attribute; repeatable")
          ->allow_extra_args(false)
          ->type_name("NAME"),
      add_without(command, "--no-extras", glb.extras,
                  "No paths of prims, nor what glTF cannot say"),
  };

  ExportEnginesOptions& engines = options.engines;
  a.of_engines = {
      command
          ->add_option("--format", engines.format,
                       "mjcf or urdf, whatever the extension; --check-only without it: mjcf")
          ->type_name("FORMAT"),
      command->add_option("--root", engines.root, "Only what lies below this prim")
          ->check(check_text)
          ->type_name("/PRIM"),
      command
          ->add_option("--names", engines.names,
                       "path (default of MJCF), leaf, or identifier (default of URDF)")
          ->type_name("STYLE"),
      command->add_flag("--snap", engines.snap, "Move bodies until the frames of joints agree"),
      command
          ->add_option("--stack", engines.stack,
                       "Several joints between the same bodies, as a chain: auto (default: where "
                       "the file says so), never, always (URDF: also joints of several axes)")
          ->type_name("WHEN"),
      command->add_option("--meshes", engines.meshes, "inline (default) or obj: files next to OUT")
          ->type_name("WHERE"),
      command->add_flag("--visual", engines.visual,
                        "Also what is shown and does not collide; default: colliders only"),
      command
          ->add_option(
              "--dialect", engines.dialects,
              "Attributes of vendors: auto (default), none, or newton,mjc,physx,isaac,apple")
          ->type_name("LIST"),
      command->add_flag("--check-only", engines.check_only, "Report, and write nothing"),
  };
}

std::string convert_export(ExportArguments& a) {
  const bool for_engines = is_for_engines(a.options);
  // Without OUT there is no format yet, which run_export() tells.
  const bool has_format = !a.options.output.empty() || a.options.engines.check_only;
  for (const CLI::Option* option : for_engines ? a.of_glb : a.of_engines) {
    if (option->count() == 0 || !has_format) continue;
    return fmt::format("export: {} is an option of {} files", option->get_name(),
                       for_engines ? ".glb" : ".xml, .mjcf and .urdf");
  }
  if (a.nested == "ignore") {
    a.options.nested_bodies = physics::NestedBodies::ignore;
  } else if (a.nested != "keep") {
    return "export: --nested takes keep or ignore, not '" + a.nested + "'";
  }
  if (!a.frames.empty()) {
    FrameRange& range = a.options.frames.emplace();
    if (std::string problem = parse_frames(a.frames, range, &a.options.has_step);
        !problem.empty()) {
      return problem;
    }
  }
  exporter::GlbOptions& glb = a.options.glb;
  const auto unknown = [](const char* option, const std::string& word,
                          std::initializer_list<std::string_view> known) {
    return fmt::format("{} takes {}, not '{}'", option, listed(known), word);
  };
  if (a.influences == "8") {
    glb.influences = exporter::GlbInfluences::eight;
  } else if (a.influences == "all") {
    glb.influences = exporter::GlbInfluences::all;
  } else if (a.influences != "4") {
    return "--influences takes 4, 8 or all, not '" + a.influences + "'";
  }
  if (a.textures == "reference") {
    glb.textures = exporter::GlbTextures::reference;
  } else if (a.textures == "none") {
    glb.textures = exporter::GlbTextures::none;
  } else if (a.textures != "embed") {
    return unknown("--textures", a.textures, {"embed", "reference", "none"});
  }
  if (a.instancing == "gpu") {
    glb.instancing = exporter::GlbInstancing::gpu;
  } else if (a.instancing != "nodes") {
    return unknown("--instancing", a.instancing, {"nodes", "gpu"});
  }
  if (!a.purposes.empty()) glb.purposes = {.default_ = false};
  for (const std::string& purpose : a.purposes) {
    if (purpose == "default") {
      glb.purposes.default_ = true;
    } else if (purpose == "render") {
      glb.purposes.render = true;
    } else if (purpose == "proxy") {
      glb.purposes.proxy = true;
    } else if (purpose == "guide") {
      glb.purposes.guide = true;
    } else {
      return unknown("--purpose", purpose, {"default", "render", "proxy", "guide"});
    }
  }
  for (const std::string& clip : a.clips) {
    const std::size_t equals = clip.find('=');
    if (equals == std::string::npos || equals == 0) {
      return "--clip takes NAME=/PRIM, not '" + clip + "'";
    }
    glb.clips.push_back({clip.substr(0, equals), clip.substr(equals + 1)});
  }
  return {};
}

}  // namespace sinew::tool
