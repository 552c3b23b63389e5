// SPDX-License-Identifier: Apache-2.0
#include "files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <exception>
#include <iterator>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "interrupt.hpp"
#include "paths.hpp"
#include "sinew/core/executor_std_thread.hpp"
#include "sinew/core/text_file.hpp"
#include "sinew/stage/stage.hpp"
#include "sinew/usdz/package_path.hpp"
#include "words.hpp"

namespace sinew::tool {

namespace fs = std::filesystem;

namespace {

bool is_layer_name(const fs::path& path) {
  const std::string extension = utf8_of(path.extension());
  const auto is = [&](std::string_view known) {
    return std::equal(extension.begin(), extension.end(), known.begin(), known.end(),
                      [](char a, char b) { return (a | 0x20) == b || a == b; });
  };
  return is(".usd") || is(".usda") || is(".usdc") || is(".usdz");
}

bool is_hidden(const fs::path& path) {
  return utf8_of(path.filename()).starts_with('.') || path.filename() == "__MACOSX";
}

fs::path absolute_place(const std::string& name) {
  std::error_code ignored;
  fs::path place = fs::weakly_canonical(fs::absolute(path_of(name), ignored), ignored);
  return place.has_filename() ? place : place.parent_path();  // "a/" is "a".
}

FileJob job_of(std::string input) {
  FileJob job;
  job.input = std::move(input);
  return job;
}

// Every layer and package below the folder, by name; a folder that cannot be read has failed.
std::vector<FileJob> files_below(const fs::path& folder, const fs::path& left_out) {
  std::vector<FileJob> found;
  const auto look_into = [&](const fs::path& path) {
    std::error_code error;
    const fs::directory_iterator probe(path, error);
    if (!error) return;
    found.push_back(job_of(utf8_of(path)));
    found.back().fail({ErrorCode::io_failed, fmt::format("cannot read the folder '{}': {}.",
                                                         utf8_of(path), error.message())});
  };
  look_into(folder);
  std::error_code error;
  fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied,
                                         error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    std::error_code ignored;
    if (is_hidden(entry->path()) || (!left_out.empty() && entry->is_directory(ignored) &&
                                     fs::equivalent(entry->path(), left_out, ignored))) {
      entry.disable_recursion_pending();
    } else if (entry->is_directory(ignored) && !entry->is_symlink(ignored)) {
      look_into(entry->path());
    } else if (entry->is_regular_file(ignored) && is_layer_name(entry->path())) {
      found.push_back(job_of(utf8_of(entry->path())));
    }
  }
  std::sort(found.begin(), found.end(),
            [](const FileJob& a, const FileJob& b) { return a.input < b.input; });
  return found;
}

bool contains(std::span<const std::string_view> extensions, std::string_view extension) {
  return std::find(extensions.begin(), extensions.end(), extension) != extensions.end();
}

// The name of a file below the folder that it was found in, or of a file in a package.
fs::path place_in_folder(const std::string& file, const std::string& given) {
  if (is_folder(given)) return path_of(file).lexically_relative(path_of(given));
  const std::string inner = usdz::split_inner(file).second;
  return path_of(inner.empty() ? file : inner).filename();
}

// A sentence if two files would become one.
Status check_outputs(const std::vector<FileJob>& jobs, const std::string& command) {
  std::map<std::string_view, const FileJob*> by_output;
  for (const FileJob& job : jobs) {
    if (job.failed()) continue;
    const auto [first, is_new] = by_output.try_emplace(job.output, &job);
    if (is_new) continue;
    return {ErrorCode::invalid_argument,
            fmt::format("{}: '{}' and '{}' would both become '{}'", command, first->second->input,
                        job.input, job.output)};
  }
  return {};
}

Result<std::vector<FileJob>> jobs_in_folder(const std::vector<std::string>& inputs,
                                            const OutputOptions& options,
                                            const std::string& command,
                                            std::span<const std::string_view> extensions) {
  const std::string format =
      "." + (options.format.empty() ? std::string(extensions.front().substr(1)) : options.format);
  if (!contains(extensions, format)) {
    return {ErrorCode::invalid_argument,
            fmt::format("{}: --to takes {}, each without the dot, not '{}'", command,
                        listed(extensions), options.format)};
  }
  if (contains(extensions, extension_of(options.output)) && !is_folder(options.output)) {
    return {ErrorCode::invalid_argument,
            fmt::format("{}: what is made from a folder or several files needs a folder to go to, "
                        "not '{}'",
                        command, options.output)};
  }
  std::vector<FileJob> jobs;
  for (const std::string& given : inputs) {
    // Results of an earlier run are not inputs of this one.
    const bool inside = absolute_place(given) != absolute_place(options.output);
    for (FileJob& job : find_jobs({given}, inside ? options.output : std::string())) {
      fs::path place = path_of(options.output) / place_in_folder(job.input, given);
      if (!job.failed()) job.output = utf8_of(place.replace_extension(format));
      jobs.push_back(std::move(job));
    }
  }
  if (Status good = check_outputs(jobs, command); !good) return std::move(good).error();
  return jobs;
}

void print_json_line(const FileJob& job, std::string_view done) {
  Json line;
  line["input"] = job.input;
  if (!job.output.empty()) line["output"] = job.output;
  line["status"] = std::string(job.failed() ? "failed" : job.is_skipped ? "skipped" : done);
  line["errors"] = count(job.diagnostics, Severity::error);
  line["warnings"] = count(job.diagnostics, Severity::warning);
  if (job.failed()) line["message"] = job.error.message;
  if (job.details.is_object()) line.update(job.details);
  const std::string text = line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  // In one piece, so that even an interrupted run leaves whole lines.
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

}  // namespace

void FileJob::fail_to_open(Error why) {
  if (why.code == ErrorCode::io_failed || why.code == ErrorCode::not_found) diagnostics.clear();
  fail(std::move(why));
}

std::vector<FileJob> find_jobs(const std::vector<std::string>& inputs,
                               const std::string& left_out) {
  const fs::path not_below = left_out.empty() ? fs::path() : absolute_place(left_out);
  std::vector<FileJob> jobs;
  for (const std::string& name : inputs) {
    if (!is_folder(name)) {
      jobs.push_back(job_of(name));
      continue;
    }
    std::vector<FileJob> files = files_below(path_of(name), not_below);
    const bool is_empty = files.empty();
    std::move(files.begin(), files.end(), std::back_inserter(jobs));
    if (is_empty) {
      jobs.push_back(job_of(name));
      jobs.back().fail(
          {ErrorCode::not_found,
           fmt::format("there is no .usda, .usdc, .usd or .usdz file in the folder '{}'.", name)});
    }
  }
  return jobs;
}

Result<std::vector<FileJob>> find_jobs(const std::vector<std::string>& inputs,
                                       const OutputOptions& options, const std::string& command,
                                       std::span<const std::string_view> extensions) {
  const bool is_single = inputs.size() == 1 && !is_folder(inputs.front());
  const bool has_extension = contains(extensions, extension_of(options.output));
  const bool to_folder = is_folder(options.output) || options.output.ends_with('/') ||
                         (!options.format.empty() && !has_extension);
  if (!is_single || to_folder) return jobs_in_folder(inputs, options, command, extensions);
  if (!has_extension) {
    return {ErrorCode::invalid_argument, fmt::format("{}: the output must end in {}, not '{}'",
                                                     command, listed(extensions), options.output)};
  }
  if (!options.format.empty() && extension_of(options.output) != "." + options.format) {
    return {
        ErrorCode::invalid_argument,
        fmt::format("{}: --to says '{}', but the output is '{}'; a folder that is not there yet "
                    "is given with a '/' at its end",
                    command, options.format, options.output)};
  }
  std::vector<FileJob> jobs = {job_of(inputs.front())};
  jobs.front().output = options.output;
  return jobs;
}

bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code ignored;
  return fs::equivalent(path_of(a), path_of(b), ignored);
}

bool is_there(const std::string& address) {
  std::error_code ignored;
  return fs::exists(path_of(file_of(address)), ignored);
}

Status check_output(const stage::Stage& stage, const std::string& output,
                    std::string_view command) {
  for (const layer::LayerPtr& layer : stage.layers()) {
    const std::string file = file_of(layer->identifier());
    if (!is_same_file(file, output)) continue;
    return {
        ErrorCode::invalid_argument,
        fmt::format("{}: the output would replace the file it is made from, '{}'", command, file)};
  }
  return {};
}

Status make_folder_of(const std::string& file) {
  const fs::path folder = path_of(file).parent_path();
  std::error_code error;
  if (!folder.empty()) fs::create_directories(folder, error);
  if (!error) return {};
  return {ErrorCode::io_failed,
          fmt::format("cannot make the folder '{}': {}.", utf8_of(folder), error.message())};
}

ExitStatus write_output(const std::string& file, std::string_view contents,
                        const Reporter& reporter) {
  if (const Status made = make_folder_of(file); !made) {
    return reporter.usage_error(made.error().message);
  }
  const WriteScope scope;
  const Status written = write_text_file(contents, file);
  return written ? ExitStatus::success : reporter.usage_error(written.error().message);
}

std::size_t thread_count(const BatchOptions& options) {
  if (options.threads != 0) return options.threads;
  return std::max(1U, std::thread::hardware_concurrency());
}

void for_each_job(std::vector<FileJob>& jobs, const BatchOptions& options, std::string_view label,
                  Reporter& reporter, const std::function<void(FileJob&)>& work,
                  const std::function<void(FileJob&)>& finish) {
  const std::size_t workers = std::min(thread_count(options), jobs.size());
  StdThreadPool pool(workers);
  std::atomic<std::size_t> next{0};
  std::mutex mutex;  // Of the rest.
  std::vector<bool> is_done(jobs.size());
  std::size_t finished = 0;
  const auto work_through = [&](std::size_t, std::size_t) {
    for (std::size_t i = next++; i < jobs.size(); i = next++) {
      try {
        if (!jobs[i].failed()) work(jobs[i]);
      } catch (const std::exception& error) {  // Memory ran out: the other files may be smaller.
        jobs[i].fail({ErrorCode::limit_exceeded, jobs[i].input + ": " + error.what()});
      }
      const std::lock_guard<std::mutex> lock(mutex);
      is_done[i] = true;
      for (; finished < jobs.size() && is_done[finished]; ++finished) {
        finish(jobs[finished]);
        jobs[finished] = {};  // What is printed needs no room any more.
        if (jobs.size() > 1) reporter.progress(label, finished + 1, jobs.size());
      }
    }
  };
  // One range for each thread, and the files one by one: those that are next are always taken
  // first.
  parallel_for(pool.executor(), workers, 1, work_through);
}

ExitStatus finish_job(const FileJob& job, const BatchOptions& options, std::string_view done,
                      Reporter& reporter) {
  reporter.clear_progress();
  if (options.json_lines) {
    print_json_line(job, done);
  } else {
    std::fwrite(job.text.data(), 1, job.text.size(), stdout);
    std::fflush(stdout);
  }
  reporter.report(job.diagnostics, job.input);
  return job.failed() ? reporter.failed(job.input, job.error, job.diagnostics)
                      : ExitStatus::success;
}

ExitStatus run_jobs(std::vector<FileJob>& jobs, const BatchOptions& options, std::string_view label,
                    std::string_view done, Reporter& reporter,
                    const std::function<void(FileJob&)>& work) {
  ExitStatus worst = ExitStatus::success;
  for_each_job(jobs, options, label, reporter, work, [&](FileJob& job) {
    worst = std::max(worst, finish_job(job, options, done, reporter));
  });
  return worst;
}

}  // namespace sinew::tool
