// SPDX-License-Identifier: Apache-2.0
#include <iterator>
#include <utility>

#include "commands.hpp"
#include "files.hpp"
#include "sarif.hpp"
#include "sinew/physics/read/check_physics.hpp"
#include "sinew/skel/read/check_bindings.hpp"
#include "sinew/stage/stage.hpp"

namespace sinew::tool {

namespace {

// Reads one file, and composes and checks it unless only its text is asked for.
void check_file(const std::string& file, const CheckOptions& options, Diagnostics& diagnostics) {
  if (options.parse_only) {
    (void)read_layer(file, options.common, diagnostics);
    return;
  }
  const auto stage = open_stage(file, options.common, diagnostics);
  if (!stage) return;
  skel::check_bindings(**stage, diagnostics);
  skel::check_skinning(**stage, diagnostics);
  physics::check_physics(**stage, diagnostics);
}

Json diagnostic_to_json(const Diagnostic& diagnostic) {
  Json object = Json::object();
  object["severity"] = std::string(to_string(diagnostic.severity));
  object["code"] = diagnostic.code;
  object["message"] = diagnostic.message;
  object["file"] = diagnostic.file;
  object["line"] = diagnostic.line;
  object["column"] = diagnostic.column;
  object["path"] = diagnostic.path;
  object["excerpt"] = diagnostic.excerpt;
  object["hint"] = diagnostic.hint;
  return object;
}

}  // namespace

ExitStatus run_check(const CheckOptions& options, Reporter& reporter) {
  Diagnostics all;  // Of every file, where they are printed together.
  const std::vector<std::string> files = find_files(options.files);
  std::vector<Diagnostics> found(files.size());
  const auto finish = [&](std::size_t i) {
    Diagnostics diagnostics = std::move(found[i]);
    if (!options.json && !options.sarif) return reporter.report(diagnostics);
    reporter.count(diagnostics);
    all.insert(all.end(), std::make_move_iterator(diagnostics.begin()),
               std::make_move_iterator(diagnostics.end()));
  };
  for_each_file(
      files.size(), "checking", reporter,
      [&](std::size_t i) { check_file(files[i], options, found[i]); }, finish);
  if (options.json) {
    Json list = Json::array();
    for (const Diagnostic& diagnostic : all) list.push_back(diagnostic_to_json(diagnostic));
    print_json(Json{{"diagnostics", std::move(list)}});
  }
  if (options.sarif) print_json(to_sarif(all));
  const bool failed =
      reporter.error_count() != 0 || (options.strict && reporter.warning_count() != 0);
  return failed ? ExitStatus::file_error : ExitStatus::success;
}

}  // namespace sinew::tool
