// SPDX-License-Identifier: Apache-2.0
#include "export/gltf_import/json_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sinew::exporter::gltf_import {

namespace {

// How deep arrays and objects nest; text is all that brackets do not count in.
std::size_t nesting_of(std::string_view text) {
  std::size_t deepest = 0;
  std::size_t depth = 0;
  bool in_text = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_text) {
      if (c == '\\') {
        ++i;
      } else if (c == '"') {
        in_text = false;
      }
    } else if (c == '"') {
      in_text = true;
    } else if (c == '{' || c == '[') {
      deepest = std::max(deepest, ++depth);
    } else if ((c == '}' || c == ']') && depth > 0) {
      --depth;
    }
  }
  return deepest;
}

// Takes part in reading only to learn where it fails.
struct FindFault {
  using number_integer_t = JsonValue::number_integer_t;
  using number_unsigned_t = JsonValue::number_unsigned_t;
  using number_float_t = JsonValue::number_float_t;
  using string_t = JsonValue::string_t;
  using binary_t = JsonValue::binary_t;

  bool null() { return true; }
  bool boolean(bool) { return true; }
  bool number_integer(number_integer_t) { return true; }
  bool number_unsigned(number_unsigned_t) { return true; }
  bool number_float(number_float_t, const string_t&) { return true; }
  bool string(string_t&) { return true; }
  bool binary(binary_t&) { return true; }
  bool start_object(std::size_t) { return true; }
  bool key(string_t&) { return true; }
  bool end_object() { return true; }
  bool start_array(std::size_t) { return true; }
  bool end_array() { return true; }
  template <typename Exception>
  bool parse_error(std::size_t where, const std::string&, const Exception&) {
    position = where;
    return false;
  }

  std::size_t position = 0;
};

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

Result<JsonValue> parse_json(std::string_view text, const Limits& limits, Faults& faults) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  // Some writers pad with zeros.
  while (text.ends_with('\0')) text.remove_suffix(1);
  if (const std::size_t depth = nesting_of(text); depth > limits.value_nesting) {
    return faults.refuse(ErrorCode::limit_exceeded, "", "gltf-json-nesting",
                         fmt::format("The JSON nests {} deep; Limits::value_nesting is {}.", depth,
                                     limits.value_nesting));
  }
  JsonValue document = JsonValue::parse(text.begin(), text.end(), nullptr, false);
  if (document.is_discarded()) {
    FindFault fault;
    JsonValue::sax_parse(text.begin(), text.end(), &fault);
    return faults.refuse(
        ErrorCode::corrupt, "", "gltf-json",
        fmt::format("The JSON breaks its grammar at byte {} of {}.", fault.position, text.size()));
  }
  if (!document.is_object()) {
    return faults.refuse(ErrorCode::corrupt, "", "gltf-json", "The JSON is not an object.");
  }
  return document;
}

Cursor Cursor::operator[](std::string_view key) const {
  std::string pointer = pointer_ + "/" + escaped(key);
  if (!is_object()) return {nullptr, std::move(pointer)};
  const auto found = value_->find(key);
  return {found == value_->end() ? nullptr : &*found, std::move(pointer)};
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
                   fmt::format("Here should be {}, not {}.", type, at.value()->type_name()));
  }
  return is_right;
}

std::optional<double> JsonReader::number(const Cursor& at) const {
  if (!expect(at.is_number(), at, "a number")) return std::nullopt;
  const auto value = at.value()->get<double>();
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<bool> JsonReader::boolean(const Cursor& at) const {
  if (!expect(at && at.value()->is_boolean(), at, "true or false")) return std::nullopt;
  return at.value()->get<bool>();
}

std::optional<std::string> JsonReader::text(const Cursor& at) const {
  if (!expect(at && at.value()->is_string(), at, "a text")) return std::nullopt;
  return at.value()->get_ref<const std::string&>();
}

std::optional<std::uint64_t> JsonReader::count(const Cursor& at, std::uint64_t last) const {
  if (!expect(at.is_number(), at, "a number")) return std::nullopt;
  const JsonValue& value = *at.value();
  if (value.is_number_unsigned()) {
    const auto whole = value.get<std::uint64_t>();
    if (whole <= last) return whole;
  } else if (value.is_number_float()) {  // 3.0 is 3.
    const auto real = value.get<double>();
    if (real >= 0.0 && real <= 9e15 && real == std::floor(real) &&
        static_cast<std::uint64_t>(real) <= last) {
      return static_cast<std::uint64_t>(real);
    }
  }
  faults_->error(at.pointer(), "gltf-number",
                 fmt::format("{} is not a whole number from 0 to {}.", value.dump(), last));
  return std::nullopt;
}

std::optional<std::uint32_t> JsonReader::index(const Cursor& at, std::size_t end,
                                               std::string_view what) const {
  if (!expect(at.is_number(), at, "an index")) return std::nullopt;
  const JsonValue& value = *at.value();
  double real = -1.0;
  if (value.is_number_unsigned()) {
    const auto whole = value.get<std::uint64_t>();
    if (whole < end) return static_cast<std::uint32_t>(whole);
  } else if (value.is_number_float()) {
    real = value.get<double>();
    if (real >= 0.0 && real < static_cast<double>(end) && real == std::floor(real)) {
      return static_cast<std::uint32_t>(real);
    }
  }
  faults_->error(at.pointer(), "gltf-index",
                 fmt::format("{} names none of the {} {}.", value.dump(), end, what));
  return std::nullopt;
}

bool JsonReader::numbers(const Cursor& at, std::span<double> out) const {
  if (!expect(at.is_array(), at, "a list of numbers")) return false;
  if (at.size() != out.size()) {
    faults_->error(at.pointer(), "gltf-type",
                   fmt::format("Here should be {} numbers, not {}.", out.size(), at.size()));
    return false;
  }
  bool good = true;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const JsonValue& item = (*at.value())[i];
    if (item.is_number()) {
      out[i] = item.get<double>();
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
