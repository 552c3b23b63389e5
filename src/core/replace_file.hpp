// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <string>

#include "sinew/core/result.hpp"

namespace sinew {

/// A file under construction: written beside its target, and put in the target's place in one step
/// when it is complete. Until then, and if anything fails, the target stays as it was.
///
/// Symbolic links are followed, permissions of the target kept. What is not an ordinary file, such
/// as a pipe, is written directly.
class ReplaceFile {
 public:
  /// @return The file, or `io_failed` with the reason the operating system gives.
  static Result<ReplaceFile> create(const std::string& target);
  ~ReplaceFile();
  ReplaceFile(ReplaceFile&& other) noexcept;
  ReplaceFile& operator=(ReplaceFile&&) = delete;

  std::FILE* handle() const noexcept { return handle_; }

  /// Ends writing and replaces the target.
  Status commit() &&;

 private:
  ReplaceFile() = default;
  Error failed() const;

  std::FILE* handle_ = nullptr;
  std::string target_;
  std::string written_;  ///< What is written to; empty if it is the target itself.
};

}  // namespace sinew
