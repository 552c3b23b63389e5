// SPDX-License-Identifier: Apache-2.0
// The command-line tool: reads the arguments and hands over to a subcommand.
// Run `sinew --help` for what it does, `sinew SUBCOMMAND --help` for one subcommand.

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <functional>
#include <iostream>
#include <map>
#include <optional>

#include "arguments.hpp"
#include "commands.hpp"
#include "export_arguments.hpp"
#include "import_arguments.hpp"
#include "interrupt.hpp"
#include "sinew/version.hpp"
#include "usage.hpp"
#include "words.hpp"

namespace sinew::tool {

namespace {

/// Everything the arguments can set. CLI11 writes into it while parsing.
struct Arguments {
  CommonOptions common;
  std::string rules = "documented";
  std::string simd = "best";
  std::string time = "default";
  std::string frames;
  InfoOptions info;
  CheckOptions check;
  DiffOptions diff;
  StageOptions stage;
  SkelOptions skel;
  SkinOptions skin;
  PhysicsOptions physics;
  MassOptions mass;
  DrawOptions draw;
  ConvertOptions convert;
  ExportArguments exported;
  ImportArguments imported;
};

CLI::App* add_command(CLI::App& app, Arguments& arguments, const char* name, const char* purpose) {
  CLI::App* command = app.add_subcommand(name, purpose);
  command
      ->add_option("--rules", arguments.rules,
                   "documented (default) or openusd: which source wins where they differ")
      ->type_name("RULES");
  command->add_flag("--quiet", arguments.common.quiet, "No warnings");
  command->add_flag("--trust", arguments.common.trust,
                    "No limits of memory and time, for large files from a trusted source");
  command->add_flag("--closed", arguments.common.closed,
                    "What is written in packages leads to nothing outside of them");
  return command;
}

/// The inputs of a command that takes many files.
void add_batch(CLI::App* command, const char* name, BatchOptions& batch) {
  command
      ->add_option(name, batch.inputs,
                   "Layers and packages, or folders: all below them except hidden ones")
      ->required()
      ->type_name("");
  command->add_option("--threads", batch.threads, "How many files at once (default: all cores)")
      ->check(CLI::Range(1, 1024))
      ->type_name("N");
}

void add_json_lines(CLI::App* command, BatchOptions& batch) {
  command->add_flag("--json-lines", batch.json_lines, "One line of JSON for each file");
}

void add_output(CLI::App* command, OutputOptions& output, const char* formats) {
  command->add_option("--to", output.format, formats)->check(check_text)->type_name("EXTENSION");
  command->add_flag("--skip-existing", output.skip_existing, "Leave existing outputs alone");
}

CLI::Option* add_time(CLI::App* command, Arguments& arguments) {
  return command
      ->add_option("--time", arguments.time,
                   "Time code; default: the default time, at which sampled clips rest")
      ->type_name("T");
}

void add_commands(CLI::App& app, Arguments& a) {
  CLI::App* command = add_command(app, a, "info", "A short readable summary of files");
  add_batch(command, "FILE", a.info.batch);
  add_json_lines(command, a.info.batch);

  command = add_command(app, a, "check", "Parse, compose and validate; print every diagnostic");
  add_batch(command, "FILE", a.check.batch);
  add_json_lines(command, a.check.batch);
  command->add_flag("--parse-only", a.check.parse_only, "Stop after reading each layer");
  command->add_flag("--strict", a.check.strict, "Warnings count as errors");
  CLI::Option* json = command->add_flag("--json", a.check.json, "List the diagnostics as JSON")
                          ->excludes("--json-lines");
  command->add_flag("--sarif", a.check.sarif, "List the diagnostics as SARIF 2.1.0, for code hosts")
      ->excludes(json)
      ->excludes("--json-lines");

  command = add_command(app, a, "stage", "The composed stage");
  add_file(command, a.stage.file);
  command->add_flag("--json", a.stage.json, "One JSON document");
  command->add_option("--explain", a.stage.explain, "Every opinion about one prim or property")
      ->type_name("/PRIM.PROPERTY")
      ->check(check_text)
      ->excludes("--json");
  add_time(command, a)->needs("--explain");

  command = add_command(app, a, "skel", "Every skeleton binding, evaluated at a time");
  add_file(command, a.skel.file);
  command->add_flag("--json", a.skel.json, "One JSON document");
  add_time(command, a);
  command->add_option("--simd", a.simd, "Instruction set that deforms: best (default), scalar, ...")
      ->type_name("LEVEL");
  command->add_flag("--fast", a.skel.fast, "Play a packed character: the same, as a game would");

  command = add_command(app, a, "skin", "Deformed meshes, written as .obj or as a baked layer");
  add_batch(command, "FILE", a.skin.batch);
  add_json_lines(command, a.skin.batch);
  command
      ->add_option("-o,--output", a.skin.output.output,
                   "Where to write: .obj, .usda, .usdc, .usd or .usdz, or a folder")
      ->required()
      ->type_name("OUT");
  add_output(command, a.skin.output, "What files become in a folder: usdc (default), obj, ...");
  add_time(command, a);
  command->add_option("--frames", a.frames, "Several times: A:B or A:B:STEP")
      ->type_name("A:B[:STEP]")
      ->check(check_text)
      ->excludes("--time");

  command = add_command(app, a, "physics", "Resolved bodies, shapes, joints and the rest");
  add_file(command, a.physics.file);
  CLI::Option* fields =
      command->add_flag("--fields", a.physics.fields, "Every field of every object, as text");
  command->add_flag("--json", a.physics.json, "One JSON document")->excludes(fields);
  command->add_flag("--si", a.physics.si, "Metres, kilograms and radians");
  command
      ->add_option("--dialect", a.physics.dialects,
                   "Attributes of vendors: none (default), auto, or newton,mjc,physx,isaac,apple")
      ->type_name("LIST");

  command = add_command(app, a, "mass", "Mass properties of each body");
  add_file(command, a.mass.file);
  command->add_flag("--explain", a.mass.explain, "Which prim and rule supplied each figure");

  command = add_command(app, a, "convert", "Layers, one or many, in another encoding");
  add_batch(command, "IN", a.convert.batch);
  add_json_lines(command, a.convert.batch);
  // CLI11 takes every name for an input; take_output() finds the last one.
  command
      ->add_option("OUT", a.convert.output.output,
                   "Where to write: .usda, .usdc, .usd or .usdz, or a folder")
      ->type_name("");
  add_output(command, a.convert.output, "What files become in a folder: usdc (default), usda, ...");
  command->add_flag("--pack", a.convert.pack,
                    "Put what layers need into .usdz packages, and change their paths to it");
  command
      ->add_option("--usdc-version", a.convert.usdc_version,
                   "Version of binary files, 0.8.0 to 0.15.0; higher if the content needs it")
      ->type_name("V");

  command = add_command(app, a, "export",
                        "A stage as a file of other programs: .glb, or MJCF or URDF for engines");
  add_export_options(command, a.exported);

  command = add_command(app, a, "import",
                        "A layer of a .glb or .gltf file, or of a robot in MJCF or URDF");
  add_import_options(command, a.imported);

  command = add_command(app, a, "diff", "The differences between two layers of any encodings");
  command->add_option("A", a.diff.a, "A layer or package")->required()->type_name("");
  command->add_option("B", a.diff.b, "Another one")->required()->type_name("");
  command->add_flag("--all", a.diff.all, "More than 100 differences");
  command->add_flag("--json", a.diff.json, "One JSON document");

  command = add_command(
      app, a, "draw",
      "A picture of deformed meshes, bones, colliders and joints; without them, of all meshes");
  add_file(command, a.draw.file);
  add_time(command, a);
  command->add_option("-o,--output", a.draw.output, "Where to write the .svg")
      ->required()
      ->type_name("OUT.svg");
}

/// The last of several names is where the others go. Returns a sentence if there is none.
std::string take_output(ConvertOptions& convert) {
  if (convert.batch.inputs.size() < 2) return "convert: OUT is required (see sinew convert --help)";
  convert.output.output = std::move(convert.batch.inputs.back());
  convert.batch.inputs.pop_back();
  return {};
}

/// Turns --rules, --time, --simd and --frames from text into options. Returns a sentence if one is
/// wrong.
std::string convert(Arguments& a) {
  if (std::string problem = parse_rules(a.rules, a.common.rules); !problem.empty()) return problem;
  stage::Time time;
  if (std::string problem = parse_time(a.time, time); !problem.empty()) return problem;
  a.stage.time = a.skel.time = a.skin.time = a.draw.time = time;
  if (std::string problem = parse_simd(a.simd, a.skel.simd); !problem.empty()) return problem;

  if (std::string problem = convert_export(a.exported); !problem.empty()) return problem;
  if (std::string problem = convert_import(a.imported); !problem.empty()) return problem;

  if (!a.frames.empty()) {
    FrameRange& range = a.skin.frames.emplace();
    if (std::string problem = parse_frames(a.frames, range); !problem.empty()) return problem;
  }
  for (CommonOptions* common :
       {&a.info.common, &a.check.common, &a.stage.common, &a.skel.common, &a.skin.common,
        &a.physics.common, &a.mass.common, &a.draw.common, &a.convert.common, &a.diff.common,
        &a.exported.options.common, &a.imported.options.common}) {
    *common = a.common;
  }
  return {};
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

ShownCommand shown(const CLI::App& command) {
  ShownCommand result = {command.get_name(), command.get_description(), {}};
  std::vector<ShownOption> positional;
  for (const CLI::Option* option : command.get_options()) {
    ShownOption one;
    for (const std::string& name : option->get_snames()) one.names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) one.names.push_back("--" + name);
    one.description = option->get_description();
    one.required = option->get_required();
    one.repeated = option->get_expected_max() > 1;
    if (one.names.empty()) {
      one.value = option->get_name(true);
      positional.push_back(std::move(one));
      continue;
    }
    if (option->get_expected_max() > 0) one.value = option->get_type_name();
    result.options.push_back(std::move(one));
  }
  result.options.insert(result.options.end(), positional.begin(), positional.end());
  return result;
}

/// What completions and the manual page are made of.
Usage shown_usage(const CLI::App& app) {
  Usage usage = {shown(app), {}};
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    usage.commands.push_back(shown(*command));
  }
  return usage;
}

/// Answers `--completion SHELL` and `--man`, which are for packages and not shown.
/// @return What to print; nothing if the arguments, the last word first, are others.
std::optional<std::string> text_for_packages(const CLI::App& app,
                                             const std::vector<std::string>& words) {
  if (words.size() == 1 && words[0] == "--man") {
    return manual_page(shown_usage(app), SINEW_VERSION);
  }
  if (words.size() == 2 && words[1] == "--completion") {
    return shell_completion(shown_usage(app), words[0]);
  }
  return std::nullopt;
}

std::string unknown_option(const std::string& where, const std::string& word,
                           const std::vector<std::string>& known) {
  const std::string name = word.substr(0, word.find('='));
  return where + "unknown option '" + name + "'" + did_you_mean(name, known);
}

/// What is wrong with the value of an option of a command, or with how many there are; nothing if
/// something else is.
std::string explain_value(const CLI::App& command, const CLI::ParseError& error) {
  const std::string message = error.what();
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_lnames().empty()) continue;
    const std::string name = "--" + option->get_lnames().front();
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr &&
        message.starts_with(name + ":")) {
      if (message.find("At Most") == std::string::npos) {
        return "'" + name + "' needs a value: " + option->get_type_name();
      }
      return "'" + name + "' stands there " + std::to_string(option->results().size()) + " times";
    }
    if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr &&
        option->get_expected_max() == 0 && message.find(name + " = ") != std::string::npos) {
      return "'" + name + "' takes no value";
    }
  }
  return {};
}

/// One line for arguments that CLI11 did not understand.
std::string explain(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  const std::string where = chosen.empty() ? "" : chosen.front()->get_name() + ": ";
  const std::string help = chosen.empty() ? "sinew" : "sinew " + chosen.front()->get_name();
  const std::vector<std::string> known = option_names(chosen.empty() ? app : *chosen.front());
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    const std::vector<std::string> extras = app.remaining(true);
    const std::string word = extras.empty() ? "" : extras.front();
    if (word.starts_with('-')) {
      const std::string name = word.substr(0, word.find('='));
      if (std::find(known.begin(), known.end(), name) != known.end()) {
        return where + "'" + name + "' stands behind the subcommand: " + help + " " + name;
      }
      if (where == "convert: " && (name == "-o" || name == "--output")) {
        return where + "there is no '" + name + "': OUT is the last name (see " + help + " --help)";
      }
      return unknown_option(where, name, known);
    }
    if (chosen.empty()) {
      return "unknown subcommand '" + word + "'" + did_you_mean(word, command_names(app));
    }
    return where + "unexpected argument '" + word + "'";
  }
  if (!chosen.empty()) {
    const std::string of_value = explain_value(*chosen.front(), error);
    if (!of_value.empty()) return where + of_value + " (see " + help + " --help)";
  }
  // CLI11 misses what is required before it looks at what is there.
  for (const std::string& word : app.remaining(true)) {
    if (!word.starts_with('-') || word == "-") continue;
    if (std::find(known.begin(), known.end(), word) == known.end()) {
      return unknown_option(where, word, known);
    }
  }
  return where + error.what() + " (see " + help + " --help)";
}

ExitStatus dispatch(const CLI::App& app, const Arguments& a) {
  Reporter reporter(a.common.quiet);
  const std::map<std::string, std::function<ExitStatus()>> commands = {
      {"import", [&] { return run_import(a.imported.options, reporter); }},
      {"info", [&] { return run_info(a.info, reporter); }},
      {"check", [&] { return run_check(a.check, reporter); }},
      {"diff", [&] { return run_diff(a.diff, reporter); }},
      {"stage", [&] { return run_stage(a.stage, reporter); }},
      {"skel", [&] { return run_skel(a.skel, reporter); }},
      {"skin", [&] { return run_skin(a.skin, reporter); }},
      {"physics", [&] { return run_physics(a.physics, reporter); }},
      {"mass", [&] { return run_mass(a.mass, reporter); }},
      {"export", [&] { return run_export(a.exported.options, reporter); }},
      {"draw", [&] { return run_draw(a.draw, reporter); }},
      {"convert", [&] { return run_convert(a.convert, reporter); }},
  };
  return commands.at(app.get_subcommands().front()->get_name())();
}

ExitStatus run(std::vector<std::string> words) {
  CLI::App app("Reads USD characters and USD physics without OpenUSD.", "sinew");
  app.set_version_flag("--version", "sinew " SINEW_VERSION);
  app.require_subcommand(1);
  app.allow_windows_style_options(false);  // "/x" is a file.
  app.footer("Exit status: 0 success, 1 the file has errors, 2 wrong usage or unreadable file.");
  Arguments arguments;
  add_commands(app, arguments);

  const Reporter reporter(false);
  std::reverse(words.begin(), words.end());        // CLI11 takes the arguments from the back.
  if (!words.empty() && words.back() == "help") {  // "help check" is "check --help".
    words.pop_back();
    words.insert(words.begin(), "--help");
  }
  if (const std::optional<std::string> text = text_for_packages(app, words)) {
    std::cout << *text;
    return std::cout.flush() ? ExitStatus::success
                             : reporter.usage_error("cannot write to standard output");
  }
  if (!words.empty() && !words.back().starts_with('-')) {
    const std::vector<std::string> names = command_names(app);
    if (std::find(names.begin(), names.end(), words.back()) == names.end()) {
      return reporter.usage_error("unknown subcommand '" + words.back() + "'" +
                                  did_you_mean(words.back(), names));
    }
  }
  try {
    app.parse(words);
  } catch (const CLI::Success& request) {                          // --help, --version
    app.get_subcommand("convert")->get_option("OUT")->required();  // To be shown so.
    app.exit(request);
    return std::cout.flush() ? ExitStatus::success
                             : reporter.usage_error("cannot write to standard output");
  } catch (const CLI::ParseError& error) {
    return reporter.usage_error(explain(app, error));
  }
  const std::string problem = convert(arguments);
  if (!problem.empty()) return reporter.usage_error(problem);
  if (app.got_subcommand("convert")) {
    const std::string missing = take_output(arguments.convert);
    if (!missing.empty()) return reporter.usage_error(missing);
  }
  end_cleanly_when_interrupted();
  const ExitStatus status = dispatch(app, arguments);
  // The disk may be full.
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    return reporter.usage_error("cannot write to standard output");
  }
  return status;
}

}  // namespace

}  // namespace sinew::tool

int main(int argc, char** argv) {
  try {
    return static_cast<int>(sinew::tool::run(sinew::tool::arguments_of(argc, argv)));
  } catch (const std::exception& error) {
    std::cerr << "sinew: " << error.what() << '\n';
    return static_cast<int>(sinew::tool::ExitStatus::usage);
  }
}
