// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "sinew/layer/path.hpp"

namespace sinew::layer {

/// Whether a byte may be part of a name in a path expression.
inline bool is_expression_name(char c) noexcept {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// Checks the syntax of a path expression and makes its relative patterns absolute against
/// `anchor`, a prim path without variant selections. An expression ends at a line break; names may
/// have letters beyond ASCII.
/// @return False with the reason if the text is not a path expression.
bool absolute_path_expression(std::string_view text, const Path& anchor, std::string& absolute,
                              std::string& reason);

/// What takes the place of parts of an expression; what is null leaves them as they are.
struct PathExpressionEdit {
  /// Of the path that a pattern begins with, up to its first element that is more than a name, and
  /// of the prim of a reference. What becomes an empty path matches nothing. Patterns that begin
  /// with "//" mean everything wherever they stand, and stay.
  std::function<Path(const Path&)> path;
  /// Of a reference: an expression instead of "%prim:name" (empty: nothing matches), or no value
  /// to leave it. The prim is empty in "%:name"; "%_" has the name "_". With this, `path` is not
  /// asked about references.
  std::function<std::optional<std::string>(const Path& prim, std::string_view name)> reference;
};

/// The expression with parts exchanged; none if it is no expression, or would become longer than
/// 1 KiB and 16 times what it was.
std::optional<std::string> edit_path_expression(std::string_view text,
                                                const PathExpressionEdit& edit);

/// Whether "%_", what weaker opinions say, may stand in an expression.
bool refers_to_weaker(std::string_view expression) noexcept;

}  // namespace sinew::layer
