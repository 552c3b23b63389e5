// SPDX-License-Identifier: Apache-2.0
// What the jobs of this module have in common.
#pragma once

#include <cstddef>
#include <string_view>

#include "core/format_text.hpp"
#include "sinew/core/executor.hpp"
#include "sinew/core/result.hpp"

namespace sinew::skel {

/// @return ok, or size_mismatch naming the member.
inline Status check_size(std::string_view member, std::size_t size, std::size_t expected) {
  if (size == expected) return {};
  return {ErrorCode::size_mismatch,
          format_text("{} has {} entries, but {} are needed.", member, size, expected)};
}

/// The same of a member that may be empty.
inline Status check_optional(std::string_view member, std::size_t size, std::size_t expected) {
  return size == 0 ? Status() : check_size(member, size, expected);
}

/// A stream of n values or none, with as much room for the result.
inline Status check_stream(std::string_view in_name, std::size_t in, std::string_view out_name,
                           std::size_t out, std::size_t n) {
  if (Status s = check_optional(in_name, in, n); !s) return s;
  return check_size(out_name, out, in);
}

/// Runs all blocks of a valid job on the executor's threads.
template <typename Job>
void run_all_blocks(const Job& job, const Executor& executor, std::size_t grain) {
  parallel_for(executor, job.block_count(), grain,
               [&job](std::size_t first, std::size_t last) { job.run_blocks(first, last); });
}

/// Validates a job, then runs all of its blocks.
template <typename Job>
Status run_job(const Job& job, const Executor& executor, std::size_t grain) {
  Status status = job.validate();
  if (status) run_all_blocks(job, executor, grain);
  return status;
}

}  // namespace sinew::skel
