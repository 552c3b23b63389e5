// SPDX-License-Identifier: Apache-2.0
// sinew convert: layers rewritten in another encoding, one or a folder of them.

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <system_error>

#include "commands.hpp"
#include "files.hpp"
#include "sinew/usda/writer.hpp"
#include "sinew/usdc/writer.hpp"
#include "sinew/usdz/package_path.hpp"
#include "sinew/usdz/writer.hpp"

namespace sinew::tool {

namespace fs = std::filesystem;

namespace {

// "0.8.0", or shorter "0.8".
std::optional<usdc::Version> parse_version(std::string_view text) {
  std::uint8_t numbers[3] = {};
  std::size_t count = 0;
  for (; count < 3; ++count) {
    const char* const end = text.data() + text.size();
    const std::from_chars_result read = std::from_chars(text.data(), end, numbers[count]);
    if (read.ec != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
    if (text.empty()) break;
    if (text.front() != '.') return std::nullopt;
    text.remove_prefix(1);
  }
  const usdc::Version version = {numbers[0], numbers[1], numbers[2]};
  const bool known =
      count >= 1 && count < 3 && version >= usdc::kOldestWritten && version <= usdc::kNewestWritten;
  return known ? std::optional(version) : std::nullopt;
}

/// One file of many.
struct Job {
  std::string input;
  std::string output;
  Diagnostics diagnostics;
  bool skipped = false;
  ErrorCode failed = ErrorCode::ok;
  std::string message;  ///< Why, if it failed.
  bool unwritable = false;
};

void convert(Job& job, const ConvertOptions& options, usdc::Version version) {
  std::error_code ignored;
  if (options.skip_existing && fs::exists(job.output, ignored)) {
    job.skipped = true;
    return;
  }
  const auto layer = read_layer(job.input, options.common, job.diagnostics);
  if (!layer) {
    job.failed = layer.error().code;
    job.message = layer.error().message;
    return;
  }
  const fs::path folder = fs::path(job.output).parent_path();
  if (!folder.empty()) fs::create_directories(folder, ignored);
  if (const Status status = write_layer(**layer, job.output, version, job.diagnostics); !status) {
    job.failed = status.error().code;
    job.message = status.error().message;
    job.unwritable = true;
  }
}

void print_json_line(const Job& job) {
  Json line;
  line["input"] = job.input;
  line["output"] = job.output;
  const bool good = job.failed == ErrorCode::ok;
  line["status"] = job.skipped ? "skipped" : good ? "converted" : "failed";
  line["errors"] = count(job.diagnostics, Severity::error);
  line["warnings"] = count(job.diagnostics, Severity::warning);
  if (!good) line["message"] = job.message;
  const std::string text = line.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::printf("%s\n", text.c_str());
}

ExitStatus finish(const Job& job, const ConvertOptions& options, Reporter& reporter) {
  ExitStatus status = ExitStatus::success;
  if (job.unwritable) {
    reporter.report(job.diagnostics);
    status = reporter.usage_error(job.message);
  } else if (job.failed != ErrorCode::ok) {
    status = reporter.open_failed(job.input, {job.failed, job.message}, job.diagnostics);
  } else {
    reporter.report(job.diagnostics);
  }
  if (options.json_lines) print_json_line(job);
  return status;
}

// The files below the folder, each at its place below the other one.
std::vector<Job> folder_jobs(const ConvertOptions& options) {
  std::vector<Job> jobs;
  for (const std::string& file : find_files({options.input})) {
    Job job;
    job.input = file;
    const fs::path relative = fs::path(file).lexically_relative(options.input);
    job.output = (fs::path(options.output) / relative).replace_extension(options.format).string();
    jobs.push_back(std::move(job));
  }
  return jobs;
}

// Two files that would become one.
const Job* find_clash(const std::vector<Job>& jobs) {
  std::vector<const Job*> sorted;
  for (const Job& job : jobs) sorted.push_back(&job);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Job* a, const Job* b) { return a->output < b->output; });
  const auto clash =
      std::adjacent_find(sorted.begin(), sorted.end(),
                         [](const Job* a, const Job* b) { return a->output == b->output; });
  return clash == sorted.end() ? nullptr : *clash;
}

}  // namespace

bool is_layer_file(const std::string& file) {
  const std::string extension = fs::path(file).extension().string();
  return extension == ".usda" || extension == ".usdc" || extension == ".usd" ||
         extension == ".usdz";
}

Status write_layer(const layer::Layer& layer, const std::string& file, usdc::Version version,
                   Diagnostics& diagnostics) {
  const fs::path path(file);
  const std::string extension = path.extension().string();
  if (extension == ".usda") return usda::write_file(layer, file);
  usdc::WriteOptions options;
  options.version = version;
  if (extension != ".usdz") return usdc::write_file(layer, file, diagnostics, options);
  Result<Bytes> bytes = usdc::write(layer, diagnostics, options);
  if (!bytes) return std::move(bytes).error();
  const usdz::File only = {path.stem().string() + ".usdc", *std::move(bytes)};
  return usdz::write_file({&only, 1}, file, diagnostics);
}

ExitStatus run_convert(const ConvertOptions& options, Reporter& reporter) {
  usdc::Version version = usdc::kOldestWritten;
  if (!options.usdc_version.empty()) {
    const std::optional<usdc::Version> asked = parse_version(options.usdc_version);
    if (!asked) {
      return reporter.usage_error("convert: --usdc-version takes 0.8.0 to 0.15.0, not '" +
                                  options.usdc_version + "'");
    }
    version = *asked;
  }
  std::error_code ignored;
  const bool is_folder = fs::is_directory(options.input, ignored);
  std::vector<Job> jobs;
  if (is_folder) {
    if (!is_layer_file("x." + options.format)) {
      return reporter.usage_error("convert: --to takes usda, usdc, usd or usdz, not '" +
                                  options.format + "'");
    }
    jobs = folder_jobs(options);
    if (const Job* clash = find_clash(jobs)) {
      return reporter.usage_error("convert: more than one file would become '" + clash->output +
                                  "'");
    }
  } else {
    if (!is_layer_file(options.output)) {
      return reporter.usage_error(
          "convert: the output must end in .usda, .usdc, .usd or .usdz, not '" + options.output +
          "'");
    }
    jobs.emplace_back();
    jobs.back().input = options.input;
    jobs.back().output = options.output;
  }
  ExitStatus status = ExitStatus::success;
  for_each_file(
      jobs.size(), "converting", reporter,
      [&](std::size_t i) { convert(jobs[i], options, version); },
      [&](std::size_t i) {
        status = std::max(status, finish(jobs[i], options, reporter));
        jobs[i].diagnostics.clear();
      });
  return status;
}

}  // namespace sinew::tool
