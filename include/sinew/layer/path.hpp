// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "sinew/core/export.hpp"
#include "sinew/core/result.hpp"

namespace sinew::layer {

/// The address of a prim, property, variant or target: "/World/Arm", "/World/Arm.points",
/// "/World{look=red}Arm", "/A.rel[/B].weight". Empty means "none".
///
/// A value that holds its text; copying copies the text. Only parse() and the functions below
/// make paths, so a non-empty Path is always well-formed. The order is by element, byte-wise, a
/// prefix before its extensions, the empty path first.
class SINEW_API Path {
 public:
  Path() = default;

  /// Reads a path of any kind, absolute or relative.
  /// @return The path, or `syntax` with the column of the first character that does not fit.
  /// @par Source  usda path grammar: '/' separates prims, '.' starts a property, '{set=name}' is a
  ///              variant selection, '[...]' a target.
  static Result<Path> parse(std::string_view text);

  /// "/".
  static Path root();

  /// Wraps text that is known to be well-formed, e.g. that of another Path. Not checked.
  static Path from_trusted(std::string text) { return Path(std::move(text)); }

  /// The text, without a copy.
  const std::string& str() const& noexcept { return text_; }
  /// The text, moved out.
  std::string str() && noexcept { return std::move(text_); }
  /// The text, valid as long as this path is unchanged.
  std::string_view view() const noexcept { return text_; }
  /// Whether it names nothing.
  bool empty() const noexcept { return text_.empty(); }

  /// Whether it begins at the root.
  bool is_absolute() const noexcept { return !text_.empty() && text_.front() == '/'; }
  /// Whether it is "/".
  bool is_root() const noexcept { return text_ == "/"; }
  /// Names a prim: not the root, no property part; with or without variant selections.
  bool is_prim() const noexcept;
  /// Has a property part, e.g. "/A.points" or ".points".
  bool is_property() const noexcept { return property_start() != std::string::npos; }
  /// Whether a `{set=name}` stands anywhere in it.
  bool has_variant_selection() const noexcept { return text_.find('{') != std::string::npos; }

  /// The last element: prim name, or property name for a property path.
  std::string_view name() const noexcept;

  /// The prim that holds a property; the parent of a prim; the root for a root prim; empty for the
  /// root and the empty path. A variant selection counts as an element: the parent of "/A{v=x}B"
  /// is "/A{v=x}", whose parent is "/A".
  Path parent() const;

  /// The prim part of a property path; a prim path itself.
  Path prim_path() const;

  /// The child prim `name`. Precondition: this is the root or a prim, and `name` an identifier.
  Path child(std::string_view name) const;
  /// The property `name` of this prim. Precondition: this is a prim or the root.
  Path property(std::string_view name) const;

  /// Whether this is `prefix` or lies below it, by whole elements: "/A/B" has prefix "/A", "/AB"
  /// does not. Properties lie below their prim. Everything absolute has prefix "/".
  bool has_prefix(const Path& prefix) const noexcept;

  /// This path with the leading `from` replaced by `to`; unchanged if it does not have that prefix.
  Path replace_prefix(const Path& from, const Path& to) const;

  /// This path relative to `anchor` made absolute; '..' climbs prims. Variant selections of the
  /// anchor are dropped. Targets inside brackets are made absolute too.
  /// @return The path, or `syntax` if '..' climbs above the root.
  Result<Path> make_absolute(const Path& anchor) const;

  /// The path without any variant selections.
  Path strip_variants() const;

  /// Whether the texts are equal; nothing is normalised.
  friend bool operator==(const Path& a, const Path& b) noexcept { return a.text_ == b.text_; }
  /// Whether the text is `b`.
  friend bool operator==(const Path& a, std::string_view b) noexcept { return a.text_ == b; }
  /// By element, see above; children follow their prim before its next sibling.
  friend SINEW_API std::strong_ordering operator<=>(const Path& a, const Path& b) noexcept;

 private:
  explicit Path(std::string text) : text_(std::move(text)) {}
  std::size_t property_start() const noexcept;

  std::string text_;
};

/// Whether `text` is one identifier: '_' or XID_Start, then XID_Continue. UTF-8.
SINEW_API bool is_identifier(std::string_view text) noexcept;

/// Whether `text` is a property name: identifiers joined by ':'.
SINEW_API bool is_property_name(std::string_view text) noexcept;

}  // namespace sinew::layer

/// @cond
template <>
struct std::hash<sinew::layer::Path> {
  std::size_t operator()(const sinew::layer::Path& path) const noexcept {
    return std::hash<std::string>()(path.str());
  }
};
/// @endcond
