// SPDX-License-Identifier: Apache-2.0
#include "export/gltf_import/json_reader.hpp"

#include <algorithm>
#include <cmath>

#include "core/format_text.hpp"

namespace sinew::exporter::gltf_import {

namespace {

std::string escaped(std::string_view key) {
  std::string text;
  for (const char c : key) {
    if (c == '~') {
      text += "~0";
    } else if (c == '/') {
      text += "~1";
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace

Result<Json> read_json(std::string_view text, const Limits& limits, Faults& faults) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  // Some writers pad with zeros.
  while (text.ends_with('\0')) text.remove_suffix(1);
  if (const std::size_t depth = json_nesting(text); depth > limits.value_nesting) {
    return faults.refuse(ErrorCode::limit_exceeded, "", "gltf-json-nesting",
                         format_text("The JSON nests {} deep; Limits::value_nesting is {}.", depth,
                                     limits.value_nesting));
  }
  ParsedJson parsed = parse_json(text);
  if (parsed.fault) {
    return faults.refuse(
        ErrorCode::corrupt, "", "gltf-json",
        format_text("The JSON breaks its grammar at byte {} of {}.", *parsed.fault, text.size()));
  }
  if (!parsed.document.is_object()) {
    return faults.refuse(ErrorCode::corrupt, "", "gltf-json", "The JSON is not an object.");
  }
  return std::move(parsed.document);
}

Cursor Cursor::operator[](std::string_view key) const {
  std::string pointer = pointer_ + "/" + escaped(key);
  if (!is_object()) return {nullptr, std::move(pointer)};
  return {value_->find(key), std::move(pointer)};
}

Cursor Cursor::operator[](std::size_t index) const {
  std::string pointer = pointer_ + "/" + std::to_string(index);
  if (index >= size()) return {nullptr, std::move(pointer)};
  return {&(*value_)[index], std::move(pointer)};
}

bool JsonReader::expect(bool is_right, const Cursor& at, std::string_view type) const {
  if (!at) return false;
  if (!is_right) {
    faults_->error(at.pointer(), "gltf-type",
                   format_text("Here should be {}, not {}.", type, at.value()->type_name()));
  }
  return is_right;
}

std::optional<double> JsonReader::number(const Cursor& at) const {
  if (!expect(at.is_number(), at, "a number")) return std::nullopt;
  const double value = at.value()->number();
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<bool> JsonReader::boolean(const Cursor& at) const {
  if (!expect(at && at.value()->is_boolean(), at, "true or false")) return std::nullopt;
  return at.value()->boolean();
}

std::optional<std::string> JsonReader::text(const Cursor& at) const {
  if (!expect(at && at.value()->is_string(), at, "a text")) return std::nullopt;
  return std::string(at.value()->text());
}

std::optional<std::uint64_t> JsonReader::count(const Cursor& at, std::uint64_t last) const {
  if (!expect(at.is_number(), at, "a number")) return std::nullopt;
  const Json& value = *at.value();
  if (value.is_integer()) {
    const auto whole = static_cast<std::uint64_t>(value.integer());
    if (value.integer() >= 0 && whole <= last) return whole;
  } else {  // 3.0 is 3.
    const double real = value.number();
    if (real >= 0.0 && real <= 9e15 && real == std::floor(real) &&
        static_cast<std::uint64_t>(real) <= last) {
      return static_cast<std::uint64_t>(real);
    }
  }
  faults_->error(at.pointer(), "gltf-number",
                 format_text("{} is not a whole number from 0 to {}.", json_text(value), last));
  return std::nullopt;
}

std::optional<std::uint32_t> JsonReader::index(const Cursor& at, std::size_t end,
                                               std::string_view what) const {
  if (!expect(at.is_number(), at, "an index")) return std::nullopt;
  const Json& value = *at.value();
  if (value.is_integer()) {
    const auto whole = static_cast<std::uint64_t>(value.integer());
    if (value.integer() >= 0 && whole < end) return static_cast<std::uint32_t>(whole);
  } else {
    const double real = value.number();
    if (real >= 0.0 && real < static_cast<double>(end) && real == std::floor(real)) {
      return static_cast<std::uint32_t>(real);
    }
  }
  faults_->error(at.pointer(), "gltf-index",
                 format_text("{} names none of the {} {}.", json_text(value), end, what));
  return std::nullopt;
}

bool JsonReader::numbers(const Cursor& at, std::span<double> out) const {
  if (!expect(at.is_array(), at, "a list of numbers")) return false;
  if (at.size() != out.size()) {
    faults_->error(at.pointer(), "gltf-type",
                   format_text("Here should be {} numbers, not {}.", out.size(), at.size()));
    return false;
  }
  bool good = true;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Json& item = (*at.value())[i];
    if (item.is_number()) {
      out[i] = item.number();
    } else {
      good = expect(false, at[i], "a number");
    }
  }
  return good;
}

std::size_t JsonReader::list(const Cursor& at) const {
  return expect(at.is_array(), at, "a list") ? at.size() : 0;
}

bool JsonReader::object(const Cursor& at) const {
  return expect(at.is_object(), at, "an object");
}

}  // namespace sinew::exporter::gltf_import
