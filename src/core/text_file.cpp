// SPDX-License-Identifier: Apache-2.0
#include "core/text_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace sinew {

Status write_text_file(std::string_view text, const std::string& file) {
  const auto failed = [&] {
    return Status(ErrorCode::io_failed,
                  fmt::format("cannot write '{}': {}.", file, std::strerror(errno)));
  };
  std::FILE* handle = std::fopen(file.c_str(), "wb");
  if (handle == nullptr) return failed();
  const bool written = std::fwrite(text.data(), 1, text.size(), handle) == text.size();
  const bool closed = std::fclose(handle) == 0;
  if (!written || !closed) return failed();
  return {};
}

}  // namespace sinew
