// SPDX-License-Identifier: Apache-2.0
#include "core/replace_file.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>

#include "core/format_text.hpp"
#endif

namespace sinew {

namespace fs = std::filesystem;

namespace {

// Whether the bytes are on the disk, as far as the system tells.
bool flush(std::FILE* handle) noexcept {
  if (std::fflush(handle) != 0) return false;
#if defined(__unix__) || defined(__APPLE__)
  // Not every file system can.
  return ::fsync(::fileno(handle)) == 0 || errno == EINVAL || errno == ENOTSUP;
#else
  return true;
#endif
}

}  // namespace

ReplaceFile::ReplaceFile(ReplaceFile&& other) noexcept
    : handle_(std::exchange(other.handle_, nullptr)),
      target_(std::move(other.target_)),
      written_(std::exchange(other.written_, {})) {}

ReplaceFile::~ReplaceFile() {
  if (handle_ != nullptr) std::fclose(handle_);
  std::error_code error;
  if (!written_.empty()) fs::remove(written_, error);
}

Error ReplaceFile::failed() const {
  return {ErrorCode::io_failed,
          format_text("cannot write '{}': {}.", target_, std::strerror(errno))};
}

Result<ReplaceFile> ReplaceFile::create(const std::string& target) {
  ReplaceFile file;
  file.target_ = target;
  std::error_code error;
  const fs::file_status status = fs::status(target, error);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    file.handle_ = std::fopen(target.c_str(), "wb");
    if (file.handle_ == nullptr) return file.failed();
    return file;
  }
  if (fs::is_symlink(fs::symlink_status(target, error))) {
    const fs::path real = fs::weakly_canonical(target, error);
    if (!error) file.target_ = real.string();
  }
  // Files of writers that were ended by force may lie about.
  constexpr int kTries = 1000;
  const fs::path path(file.target_);
  for (int i = 0; i < kTries && file.handle_ == nullptr; ++i) {
    const std::string name = format_text(".{}.{}.tmp", path.filename().string(), i);
    file.written_ = (path.parent_path() / name).string();
    file.handle_ = std::fopen(file.written_.c_str(), "wbx");
    if (file.handle_ == nullptr && errno != EEXIST) break;
  }
  if (file.handle_ == nullptr) {
    file.written_.clear();
    return file.failed();
  }
  if (fs::exists(status)) fs::permissions(file.written_, status.permissions(), error);
  return file;
}

Status ReplaceFile::commit() && {
  const bool is_direct = written_.empty();
  const bool flushed = is_direct ? std::fflush(handle_) == 0 : flush(handle_);
  const Error reason = failed();
  const bool closed = std::fclose(std::exchange(handle_, nullptr)) == 0;
  if (!flushed) return reason;
  if (!closed) return failed();
  if (is_direct) return {};
  std::error_code error;
  fs::rename(written_, target_, error);
  if (error) {
    return {ErrorCode::io_failed, format_text("cannot write '{}': {}.", target_, error.message())};
  }
  written_.clear();
  return {};
}

}  // namespace sinew
