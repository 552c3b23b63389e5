// SPDX-License-Identifier: Apache-2.0

#include <cmath>
#include <iterator>

#include "core/hex.hpp"
#include "core/shortest_text.hpp"
#include "sinew/export/json.hpp"

namespace sinew::exporter {

namespace {

template <typename T>
std::string number_text(T number) {
  if (std::isnan(number)) return "\"nan\"";
  if (std::isinf(number)) return number > 0 ? "\"inf\"" : "\"-inf\"";
  return shortest_text(number);
}

}  // namespace

void JsonWriter::plain(std::string_view token) {
  if (comma_) text_ += ',';
  text_ += token;
  comma_ = true;
}

void JsonWriter::open(char bracket) {
  if (comma_) text_ += ',';
  text_ += bracket;
  comma_ = false;
}

void JsonWriter::close(char bracket) {
  text_ += bracket;
  comma_ = true;
}

void JsonWriter::key(std::string_view name) {
  if (comma_) text_ += ',';
  string(name);
  text_ += ':';
  comma_ = false;
}

void JsonWriter::text(std::string_view text) {
  if (comma_) text_ += ',';
  string(text);
  comma_ = true;
}

void JsonWriter::number(double number) {
  plain(number_text(number));
}

void JsonWriter::number(float number) {
  plain(number_text(number));
}

void JsonWriter::string(std::string_view text) {
  text_ += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      text_ += '\\';
      text_ += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      text_ += "\\u00";
      append_hex(static_cast<unsigned char>(c), kLowerHex, text_);
    } else {
      text_ += c;
    }
  }
  text_ += '"';
}

}  // namespace sinew::exporter
