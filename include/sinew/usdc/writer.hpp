// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "sinew/core/bytes.hpp"
#include "sinew/core/diagnostic.hpp"
#include "sinew/core/export.hpp"
#include "sinew/core/result.hpp"
#include "sinew/layer/layer.hpp"
#include "sinew/usdc/version.hpp"

namespace sinew::usdc {

/// Versions that can be written.
inline constexpr Version kOldestWritten = {0, 8, 0};
/// The newest version that files get, if their content needs it or it is asked for.
inline constexpr Version kNewestWritten = {0, 15, 0};

/// How a binary file is written.
struct WriteOptions {
  /// The file gets this version, or the lowest one above it that its content needs.
  Version version = kOldestWritten;
};

/// The layer as .usdc bytes that read back to an equal layer; the same layer always gives the same
/// bytes. Equal values, arrays included, are stored once, whole numbers are compressed.
///
/// What the format has no place for (display units, relocates of single prims, paths as values,
/// text with NUL bytes, variants without a name, layer offsets that are not finite, metadata named
/// like the structure of the file) is left out, with a warning `usdc-not-representable` each.
///
/// @return The bytes; `invalid_argument` if the version is not one of those above; or
///         `limit_exceeded` if the tables would not fit the format.
/// @par Cost  Linear in the layer. Memory: the result, and tables of names and distinct values.
SINEW_API Result<Bytes> write(const layer::Layer& layer, Diagnostics& diagnostics,
                              const WriteOptions& options = {});

/// write() into a file, which is replaced only when all is written. Values go to the file as they
/// are made, so the memory is that of the tables.
/// @return As write(); or `io_failed`, and the file is as it was.
SINEW_API Status write_file(const layer::Layer& layer, const std::string& file,
                            Diagnostics& diagnostics, const WriteOptions& options = {});

}  // namespace sinew::usdc
