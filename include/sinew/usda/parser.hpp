// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "sinew/core/diagnostic.hpp"
#include "sinew/core/executor.hpp"
#include "sinew/core/export.hpp"
#include "sinew/core/limits.hpp"
#include "sinew/core/result.hpp"
#include "sinew/core/rules.hpp"
#include "sinew/core/simd.hpp"
#include "sinew/core/token.hpp"
#include "sinew/layer/layer.hpp"

namespace sinew::usda {

/// What happens to the layer when the text has an error. The error is reported either way.
enum class OnError : std::uint8_t {
  reject,              ///< No layer, only the error. As OpenUSD does.
  keep_what_was_read,  ///< A layer with everything before the error, complete() false.
};

/// How a text is read.
struct ParseOptions {
  Rules rules =
      Rules::documented;  ///< `documented` also accepts, with warnings, what real files get wrong.
  /// `keep_what_was_read` is for tools that show broken files.
  OnError on_error = OnError::reject;
  /// Depth, numbers of prims and names, size of the file; past one: `limit_exceeded`.
  Limits limits;
  std::shared_ptr<TokenTable> tokens;  ///< Where names go; null: a new table.
  Executor executor;                   ///< Large arrays are parsed on it; same result without.
  SimdLevel level = SimdLevel::best;   ///< For tests and support.
};

/// Reads .usda text.
///
/// @param text         UTF-8. Not kept; may be freed as soon as this returns.
/// @param identifier   Names the layer in diagnostics, usually the path of the file.
/// @param diagnostics  Warnings and the error are appended, in text order, each with line, column,
///                     the path being read and an excerpt.
/// @return The layer; or `syntax` with line and column of the first error; or `limit_exceeded`.
/// @par Cost  One pass. Memory is proportional to the text. Tokens are interned, so not
///            concurrently with another user of the same table.
SINEW_API Result<layer::LayerPtr> parse(std::string_view text, std::string identifier,
                                        Diagnostics& diagnostics, const ParseOptions& options = {});

/// Reads a file with parse(); the identifier is `file`.
/// @return As parse(); or `io_failed` if the file cannot be read.
SINEW_API Result<layer::LayerPtr> parse_file(const std::string& file, Diagnostics& diagnostics,
                                             const ParseOptions& options = {});

/// Reads one value of a named type, e.g. ("float3", "(0, 1, 2)").
/// @return The value; or `syntax` if the text is not a value of that type; or `type_mismatch` if
///         the type is unknown.
SINEW_API Result<layer::Value> parse_value(std::string_view type_name, std::string_view text,
                                           TokenTable& tokens, const ParseOptions& options = {});

}  // namespace sinew::usda
