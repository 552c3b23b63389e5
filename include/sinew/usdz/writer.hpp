// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "sinew/core/bytes.hpp"
#include "sinew/core/diagnostic.hpp"
#include "sinew/core/export.hpp"
#include "sinew/core/result.hpp"

namespace sinew::usdz {

/// A file to be packed.
struct File {
  std::string name;  ///< Relative, '/' between directories, none of them empty, "." or "..".
  Bytes bytes;       ///< Stored unchanged.
};

/// How a package is written.
struct WriteOptions {
  /// Also warn, as `usdz-arkit`, about what Apple's viewers do not take: a first file that is no
  /// binary layer, further layers, and images that are not png or jpeg by name and content. What
  /// the layer says is up to check_arkit().
  bool arkit = false;
};

/// A package of these files, the first of them the layer that it stands for. Files are stored as
/// they are, each beginning at a multiple of 64 bytes; the same files always give the same bytes.
///
/// @return The bytes; `invalid_argument` if there is no file, the first is no layer, or a name is
///         not one that every reader takes; `limit_exceeded` beyond 4 GiB or 65,535 files.
SINEW_API Result<Bytes> write(std::span<const File> files, Diagnostics& diagnostics,
                              const WriteOptions& options = {});

/// write() into a file, which is replaced only when all is written.
/// @return As write(); or `io_failed`.
SINEW_API Status write_file(std::span<const File> files, const std::string& package,
                            Diagnostics& diagnostics, const WriteOptions& options = {});

}  // namespace sinew::usdz
