// SPDX-License-Identifier: Apache-2.0
#include "core/text_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "core/replace_file.hpp"

namespace sinew {

Status write_text_file(std::string_view text, const std::string& file) {
  Result<ReplaceFile> made = ReplaceFile::create(file);
  if (!made) return std::move(made).error();
  if (std::fwrite(text.data(), 1, text.size(), made->handle()) != text.size()) {
    return {ErrorCode::io_failed,
            fmt::format("cannot write '{}': {}.", file, std::strerror(errno))};
  }
  return (*std::move(made)).commit();
}

}  // namespace sinew
