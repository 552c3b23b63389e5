// SPDX-License-Identifier: Apache-2.0
// Many files at once: which they are, where their results go, and the work on all cores.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "output.hpp"

namespace sinew::stage {
class Stage;
}

namespace sinew::tool {

/// What the commands that take many files have in common.
struct BatchOptions {
  std::vector<std::string> inputs;  ///< Files and folders.
  std::size_t threads = 0;          ///< 0: one for each core.
  bool json_lines = false;          ///< A line of JSON for each file.
};

/// Where the commands that write a file for each of many put them.
struct OutputOptions {
  std::string output;          ///< A file, or a folder.
  std::string format;          ///< Extension of the files in a folder, without the dot; or empty.
  bool skip_existing = false;  ///< Leave files alone that are there.
};

/// One of many files, and what comes of it.
struct FileJob {
  std::string input;
  std::string output;  ///< Empty if nothing is written.
  Diagnostics diagnostics;
  Error error;              ///< Why it failed, if it did.
  bool is_skipped = false;  ///< Its output was there.
  std::string text;         ///< The result, for standard output.
  Json details;             ///< The result, as further keys of its line of JSON.

  bool failed() const { return error.code != ErrorCode::ok; }
  void fail(Error why) { error = std::move(why); }
  /// For an input that cannot be opened. What `diagnostics` says of one that is not there, the
  /// error says too.
  void fail_to_open(Error why);
};

/// A job for each layer and package that `inputs` stand for: files as they are given; of folders
/// every .usd, .usda, .usdc and .usdz file below, in the order of their names. Hidden ones are left
/// out, and so is everything below the folder `left_out`, unless that is empty. A folder without
/// such files is a job that has failed.
std::vector<FileJob> find_jobs(const std::vector<std::string>& inputs,
                               const std::string& left_out = {});

/// The same with places for their results. A single file becomes the file `output`. Several, and
/// those of folders, each keep their place, below the folder `output`, and get another extension.
/// @param command     In front of messages.
/// @param extensions  What the output may be, the first of them what files in a folder become.
/// @return The jobs; or `invalid_argument` with a sentence, such as that two files would become
///         one.
Result<std::vector<FileJob>> find_jobs(const std::vector<std::string>& inputs,
                                       const OutputOptions& options, const std::string& command,
                                       std::span<const std::string_view> extensions);

/// Whether both names are those of one file that is there.
bool is_same_file(const std::string& a, const std::string& b);

/// Whether there is a file of that name, or the package that holds what is at that address.
bool is_there(const std::string& address);

/// Refuses to write over a file that the stage is made of.
Status check_output(const stage::Stage& stage, const std::string& output, std::string_view command);

/// Makes the folder that `file` is to be written to.
Status make_folder_of(const std::string& file);

/// Writes a file, which is replaced only when all is written, and makes its folder if need be.
/// @return success, or usage with a message.
ExitStatus write_output(const std::string& file, std::string_view contents,
                        const Reporter& reporter);

/// How many threads may work.
std::size_t thread_count(const BatchOptions& options);

/// Does `work` for every job that has not failed yet, on all cores, and hands each over to `finish`
/// in their order, one at a time, as soon as all before it are done. Shows progress. So what is
/// printed depends neither on the number of threads nor on which file was ready first.
void for_each_job(std::vector<FileJob>& jobs, const BatchOptions& options, std::string_view label,
                  Reporter& reporter, const std::function<void(FileJob&)>& work,
                  const std::function<void(FileJob&)>& finish);

/// Prints what came of a job: its text or its line of JSON to standard output, diagnostics to
/// standard error.
/// @param done  The status of a job that is neither skipped nor failed, as "converted".
ExitStatus finish_job(const FileJob& job, const BatchOptions& options, std::string_view done,
                      Reporter& reporter);

/// for_each_job() with finish_job().
/// @return The status of the worst.
ExitStatus run_jobs(std::vector<FileJob>& jobs, const BatchOptions& options, std::string_view label,
                    std::string_view done, Reporter& reporter,
                    const std::function<void(FileJob&)>& work);

}  // namespace sinew::tool
