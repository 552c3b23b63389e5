// SPDX-License-Identifier: Apache-2.0
#include "usda/text_rules.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/unicode.hpp"
#include "usda/scanner.hpp"

namespace sinew::usda {

namespace {

// Identifiers that are no keywords, joined by '::'.
bool is_qualified_identifier(std::string_view text) noexcept {
  for (;;) {
    const std::size_t length = identifier_length(text);
    if (length == 0 || is_keyword(text.substr(0, length))) return false;
    text.remove_prefix(length);
    if (text.empty()) return true;
    if (!text.starts_with("::")) return false;
    text.remove_prefix(2);
  }
}

}  // namespace

bool is_prim_or_property(std::string_view path) noexcept {
  while (path.starts_with("..")) path.remove_prefix(std::min<std::size_t>(path.size(), 3));
  std::size_t dots = 0;
  int depth = 0;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const char c = path[i];
    if (c == ']') --depth;
    if (c == '.' && depth == 0 && ++dots > 1 && path[i - 1] != ']') return false;
    if (c != '[') continue;
    if ((depth == 0 && dots > 1) || path[i + 1] != '/') return false;
    ++depth;
  }
  return !path.ends_with(']');
}

bool is_selected_variant(std::string_view name) noexcept {
  const bool is_expression = name.size() > 2 && name.front() == '`' && name.back() == '`';
  return is_expression || is_variant_name(name);
}

bool is_asset_path(std::string_view text) noexcept {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c < 0x20 || c == 0x7F) return false;
    if (c == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0) {
      return false;
    }
  }
  return find_invalid_utf8(text) == std::string_view::npos;
}

bool is_prim_type(std::string_view text) noexcept {
  if (text == "__AnyType__") return false;  // It says that there is none.
  for (;;) {
    const std::size_t dot = text.find('.');
    if (!is_qualified_identifier(text.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    text.remove_prefix(dot + 1);
  }
}

bool is_attribute_type(std::string_view text) noexcept {
  if (find_value_type(text).known()) return true;
  if (text.ends_with("[]")) text.remove_suffix(2);
  return is_qualified_identifier(text);
}

bool can_have_spline(const ValueType& type) noexcept {
  const ElementType e = type.element;
  return !type.is_array && (e == ElementType::double_ || e == ElementType::float_ ||
                            e == ElementType::half || e == ElementType::timecode);
}

bool is_finite_as(ElementType type, double value) noexcept {
  if (type == ElementType::half)
    return std::isfinite(static_cast<float>(Half(static_cast<float>(value))));
  if (type == ElementType::float_) return std::isfinite(static_cast<float>(value));
  return std::isfinite(value);
}

bool is_loop_count(double count) noexcept {
  return count >= 0.0 && count <= 2147483647.0 && count == std::trunc(count);
}

}  // namespace sinew::usda
