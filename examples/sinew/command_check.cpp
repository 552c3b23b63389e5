// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "commands.hpp"
#include "paths.hpp"
#include "sarif.hpp"
#include "sinew/geom/check_geometry.hpp"
#include "sinew/physics/mass.hpp"
#include "sinew/physics/read/check_physics.hpp"
#include "sinew/physics/read/read_physics.hpp"
#include "sinew/skel/read/check_bindings.hpp"
#include "sinew/stage/check_metrics.hpp"
#include "sinew/stage/check_schemas.hpp"
#include "sinew/stage/stage.hpp"
#include "sinew/usdz/check_package.hpp"
#include "sinew/usdz/package_path.hpp"

namespace sinew::tool {

namespace {

// What the packages hold that the stage was read from.
void check_packages(const stage::Stage& stage, Diagnostics& diagnostics) {
  std::set<std::string> files;
  for (const layer::LayerPtr& layer : stage.layers()) {
    if (usdz::is_package_path(layer->identifier())) files.insert(file_of(layer->identifier()));
  }
  for (const std::string& file : files) {
    Result<Bytes> bytes = map_file(file);
    if (!bytes) continue;
    Diagnostics of_opening;  // The stage has told them.
    const Result<usdz::Package> package = usdz::Package::open(*std::move(bytes), file, of_opening);
    if (package) usdz::check_package(*package, diagnostics);
  }
  const std::string& root = stage.layers().front()->identifier();
  if (!usdz::is_package_path(root)) return;
  for (const layer::LayerPtr& layer : stage.layers()) {
    if (file_of(layer->identifier()) == file_of(root)) continue;
    Diagnostic& outside = diagnostics.emplace_back();
    outside.severity = Severity::warning;
    outside.code = "usdz-not-closed";
    outside.file = root;
    outside.message = "The package needs '" + layer->identifier() + "', which is not in it.";
    outside.hint = "Pack it (sinew convert --pack), or open with --closed to see what is missing.";
  }
}

// What reading physics and weighing its bodies tell and no check has told of the same prim.
void read_as_physics(const stage::Stage& stage, Diagnostics& diagnostics) {
  Diagnostics of_reading;
  physics::body_masses(physics::read_physics(stage, of_reading), of_reading);
  add_places(of_reading, stage);
  std::set<std::pair<std::string, std::string>> told;
  for (const Diagnostic& known : diagnostics) {
    told.emplace(known.code, known.path);
    // Checks say which end makes a joint invalid.
    if (known.severity == Severity::error && known.code.starts_with("physics-joint-")) {
      told.emplace("physics-invalid-joint", known.path.substr(0, known.path.find('.')));
    }
  }
  for (Diagnostic& found : of_reading) {
    if (told.contains({found.code, found.path})) continue;
    diagnostics.push_back(std::move(found));
  }
}

// Reads one file, and composes and checks it unless only its text is asked for.
void check_file(FileJob& job, const CheckOptions& options) {
  if (options.parse_only) {
    const auto layer = read_layer(job.input, options.common, job.diagnostics);
    if (!layer) job.fail_to_open(layer.error());
    return;
  }
  const auto stage = open_stage(job.input, options.common, job.diagnostics);
  if (!stage) return job.fail_to_open(stage.error());
  stage::check_metrics(**stage, job.diagnostics);
  stage::check_schemas(**stage, job.diagnostics);
  check_packages(**stage, job.diagnostics);
  geom::check_geometry(**stage, job.diagnostics);
  skel::check_bindings(**stage, job.diagnostics);
  skel::check_skinning(**stage, job.diagnostics);
  physics::check_physics(**stage, job.diagnostics);
  read_as_physics(**stage, job.diagnostics);
}

// Makes errors of warnings. The error of a file that failed is told beside them.
void make_strict(FileJob& job) {
  if (job.failed() && job.error.code != ErrorCode::io_failed &&
      job.error.code != ErrorCode::not_found && count(job.diagnostics, Severity::error) == 0) {
    job.diagnostics.push_back(to_diagnostic(job.input, job.error));
  }
  for (Diagnostic& diagnostic : job.diagnostics) {
    if (diagnostic.severity == Severity::warning) diagnostic.severity = Severity::error;
  }
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
  const bool as_document = options.json || options.sarif;
  Diagnostics all;  // Of every file, where they are printed together.
  ExitStatus worst = ExitStatus::success;
  const auto finish = [&](FileJob& job) {
    if (options.strict) make_strict(job);
    if (!as_document) {
      worst = std::max(worst, finish_job(job, options.batch, "checked", reporter));
      return;
    }
    if (job.failed()) {
      worst = std::max(worst, reporter.failed(job.input, job.error, job.diagnostics));
      if (count(job.diagnostics, Severity::error) == 0) {
        job.diagnostics.push_back(to_diagnostic(job.input, job.error));
      }
    }
    reporter.count(job.diagnostics);
    for (Diagnostic& diagnostic : job.diagnostics) {
      if (options.common.quiet && diagnostic.severity != Severity::error) continue;
      all.push_back(about(job.input, std::move(diagnostic)));
    }
  };
  std::vector<FileJob> jobs = find_jobs(options.batch.inputs);
  for_each_job(
      jobs, options.batch, "checking", reporter, [&](FileJob& job) { check_file(job, options); },
      finish);
  if (options.json) {
    Json list = Json::array();
    for (const Diagnostic& diagnostic : all) list.push_back(diagnostic_to_json(diagnostic));
    print_json(Json{{"diagnostics", std::move(list)}});
  }
  if (options.sarif) print_json(to_sarif(all));
  return reporter.error_count() != 0 ? std::max(worst, ExitStatus::file_error) : worst;
}

}  // namespace sinew::tool
