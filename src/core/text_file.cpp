// SPDX-License-Identifier: Apache-2.0
#include "sinew/core/text_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "core/format_text.hpp"
#include "core/replace_file.hpp"

namespace sinew {

Status write_text_file(std::string_view text, const std::string& file) {
  Result<ReplaceFile> made = ReplaceFile::create(file);
  if (!made) return std::move(made).error();
  if (std::fwrite(text.data(), 1, text.size(), made->handle()) != text.size()) {
    return {ErrorCode::io_failed,
            format_text("cannot write '{}': {}.", file, std::strerror(errno))};
  }
  return (*std::move(made)).commit();
}

}  // namespace sinew
