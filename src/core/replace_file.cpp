// SPDX-License-Identifier: Apache-2.0
#include "core/replace_file.hpp"

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif

#include "core/files.hpp"
#include "core/format_text.hpp"
#include "core/shown.hpp"

namespace sinew {

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
  if (!written_.empty()) remove_file(written_);
}

Error ReplaceFile::failed() const {
  return {ErrorCode::io_failed,
          format_text("cannot write '{}': {}.", target_, std::strerror(errno))};
}

Result<ReplaceFile> ReplaceFile::create(const std::string& target) {
  ReplaceFile file;
  file.target_ = target;
  const FileKind kind = kind_of_file(target);
  if (kind == FileKind::other) {
    file.handle_ = open_file(target, "wb");
    if (file.handle_ == nullptr) return file.failed();
    return file;
  }
  if (kind == FileKind::regular) {  // What nobody may write to is not replaced either.
    std::FILE* const old = open_file(target, "ab");
    if (old == nullptr) return file.failed();
    std::fclose(old);
  }
  file.target_ = behind_links(target);
  // Files of writers that were ended by force may lie about.
  constexpr int kTries = 1000;
  const std::string folder = folder_of(file.target_);
  constexpr std::size_t kLongestPart = 200;  // Systems take names of 255 bytes.
  const std::string name = shortened(last_name_of(file.target_), kLongestPart);
  for (int i = 0; i < kTries && file.handle_ == nullptr; ++i) {
    file.written_ = place_in(folder, format_text(".{}.{}.tmp", name, i));
    file.handle_ = create_file(file.written_);
    if (file.handle_ == nullptr && errno != EEXIST) break;
  }
  if (file.handle_ == nullptr) {
    file.written_.clear();
    return file.failed();
  }
  if (kind == FileKind::regular) copy_permissions(target, file.written_);
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
  if (const std::error_code error = rename_file(written_, target_)) {
    return {ErrorCode::io_failed, format_text("cannot write '{}': {}.", target_, error.message())};
  }
  written_.clear();
  return {};
}

}  // namespace sinew
