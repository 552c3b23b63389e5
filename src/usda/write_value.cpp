// SPDX-License-Identifier: Apache-2.0
// Values as text.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <type_traits>

#include "core/format_text.hpp"
#include "core/hex.hpp"
#include "core/shortest_text.hpp"
#include "core/unicode.hpp"
#include "sinew/usda/writer.hpp"
#include "usda/scanner.hpp"
#include "usda/text_rules.hpp"
#include "usda/text_writer.hpp"

namespace sinew::usda {

namespace {

template <typename T>
std::string shortest(T value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  // Whole numbers keep all their digits, unless as integers they would exceed 64 bits; "-0" keeps
  // its sign and is read back as a real.
  return shortest_literal(value);
}

template <typename T>
T load(const std::byte* data) noexcept {
  T value;
  std::memcpy(static_cast<void*>(&value), data, sizeof value);
  return value;
}

// Whether `literal` is read as `text`.
bool is_read_as(std::string_view literal, std::string_view text) {
  Scanner scanner(literal);
  std::string_view read;
  std::string scratch;
  return scanner.asset(read, scratch) && scanner.at_end() && read == text;
}

}  // namespace

std::string write_number(float value) {
  return shortest(value);
}
std::string write_number(double value) {
  return shortest(value);
}

std::string write_value(const Value& value) {
  TextWriter writer;
  writer.value(value);
  return writer.take();
}

void TextWriter::string(std::string_view text) {
  const char quote =
      text.find('"') != std::string_view::npos && text.find('\'') == std::string_view::npos ? '\''
                                                                                            : '"';
  const bool triple = text.find('\n') != std::string_view::npos;
  const std::string marks(triple ? 3 : 1, quote);
  const bool valid = find_invalid_utf8(text) == std::string_view::npos;
  out_ += marks;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\\') {
      out_ += "\\\\";
    } else if (c == quote) {
      out_ += '\\';
      out_ += c;
    } else if (c == '\n') {
      out_ += '\n';
    } else if (c == '\t') {
      out_ += "\\t";
    } else if (c == '\r') {
      out_ += "\\r";
    } else if (byte < 0x20 || byte == 0x7F || (byte >= 0x80 && !valid)) {
      out_ += "\\x";
      append_hex(byte, kLowerHex, out_);
    } else {
      out_ += c;
    }
  }
  out_ += marks;
}

std::string asset_literal(std::string_view text) {
  if (!is_asset_path(text)) return {};
  if (text.find('@') == std::string_view::npos) return format_text("@{}@", text);
  std::string literal = "@@@";
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 3) == "@@@") {
      literal += "\\@@@";
      i += 2;
    } else {
      literal += text[i];
    }
  }
  literal += "@@@";
  // A backslash at the end, for one, would be taken for an escape.
  return is_read_as(literal, text) ? literal : std::string();
}

// What cannot be written between '@' is written as a string, which reads back as an asset too.
void TextWriter::asset(std::string_view text) {
  const std::string literal = asset_literal(text);
  if (literal.empty()) return string(text);
  out_ += literal;
}

void TextWriter::number(ElementType type, const std::byte* data) {
  with_number(type, [&](auto value) {
    using T = decltype(value);
    value = load<T>(data);
    if constexpr (std::is_integral_v<T>) {
      append_text(out_, "{}", value);
    } else if constexpr (std::is_same_v<T, double>) {
      out_ += write_number(value);
    } else {
      out_ += write_number(static_cast<float>(value));
    }
  });
}

void TextWriter::tuple(ElementType component, std::size_t count, const std::byte* data) {
  const std::size_t size = element_size(component);
  out_ += '(';
  for (std::size_t i = 0; i < count; ++i) {
    if (i != 0) out_ += ", ";
    number(component, data + i * size);
  }
  out_ += ')';
}

void TextWriter::text(ElementType type, std::string_view text) {
  switch (type) {
    case ElementType::asset:
      return asset(text);
    case ElementType::path:
      append_text(out_, "<{}>", text);
      return;
    case ElementType::unregistered:
      out_ += text;
      return;
    default:
      return string(text);
  }
}

void TextWriter::element(ElementType type, const std::byte* data) {
  const ElementInfo& info = info_of(type);
  switch (info.form) {
    case ElementForm::special:
      return;
    case ElementForm::text:
      return text(type, load<Token>(data).view());
    case ElementForm::number:
      if (type != ElementType::bool_) return number(info.component, data);
      out_ += load<bool>(data) ? '1' : '0';
      return;
    case ElementForm::vector:
      return tuple(info.component, info.columns, data);
    case ElementForm::quaternion: {
      // Memory has the real part last, text has it first.
      std::byte ordered[sizeof(Quatd)];
      const std::size_t size = element_size(info.component);
      std::memcpy(ordered, data + 3 * size, size);
      std::memcpy(ordered + size, data, 3 * size);
      return tuple(info.component, 4, ordered);
    }
    case ElementForm::matrix:
      out_ += "( ";
      for (std::size_t row = 0; row < info.rows; ++row) {
        if (row != 0) out_ += ", ";
        tuple(info.component, info.columns, data + row * info.size / info.rows);
      }
      out_ += " )";
      return;
  }
}

void TextWriter::value(const Value& value) {
  if (const Dictionary* entries = value.as_dictionary()) return dictionary(*entries);
  if (const ArrayEdit* edit = value.as_array_edit()) return array_edit(*edit);
  if (!value.has_value() || value.is_block()) {
    out_ += "None";
    return;
  }
  if (value.type() == ElementType::animation_block) {
    out_ += "AnimationBlock";
    return;
  }
  const std::span<const std::byte> bytes = value.bytes();
  if (!value.is_array()) return element(value.type(), bytes.data());
  const std::size_t size = element_size(value.type());
  out_ += '[';
  for (std::size_t at = 0; at < bytes.size(); at += size) {
    if (at != 0) out_ += ", ";
    element(value.type(), bytes.data() + at);
  }
  out_ += ']';
}

void TextWriter::dictionary(const Dictionary& dictionary) {
  out_ += "{\n";
  ++depth_;
  for (const DictionaryEntry& entry : dictionary) {
    below(entry.key.view(), [&] {
      if (layer_ != nullptr && !is_entry(entry)) {
        leave_out(key_, "such a value in a dictionary");
        return;
      }
      indent();
      out_ += entry.type_name.view();
      out_ += ' ';
      if (is_identifier(entry.key.view())) {
        out_ += entry.key.view();
      } else {
        string(entry.key.view());
      }
      out_ += " = ";
      value(entry.value);
      out_ += '\n';
    });
  }
  --depth_;
  indent();
  out_ += '}';
}

void TextWriter::array_edit(const ArrayEdit& edit) {
  using Kind = ArrayEdit::Kind;
  minor_version_ = std::max(minor_version_, 2U);
  out_ += "edit [";
  bool first = true;
  for (const ArrayEdit::Instruction& instruction : edit.instructions) {
    out_ += first ? "" : "; ";
    first = false;
    const auto operand = [&] {
      if (instruction.source) {
        append_text(out_, "[{}]", *instruction.source);
      } else {
        value(instruction.literal);
      }
    };
    const auto size = [&](std::string_view word) {
      append_text(out_, "{} {}", word, instruction.index);
      if (instruction.literal.has_value()) {
        out_ += " fill ";
        value(instruction.literal);
      }
    };
    switch (instruction.kind) {
      case Kind::prepend:
        out_ += "prepend ";
        operand();
        break;
      case Kind::append:
        out_ += "append ";
        operand();
        break;
      case Kind::write:
        out_ += "write ";
        operand();
        append_text(out_, " to [{}]", instruction.index);
        break;
      case Kind::insert:
        out_ += "insert ";
        operand();
        append_text(out_, " at [{}]", instruction.index);
        break;
      case Kind::erase:
        append_text(out_, "erase [{}]", instruction.index);
        break;
      case Kind::min_size:
        size("minsize");
        break;
      case Kind::max_size:
        size("maxsize");
        break;
      case Kind::resize:
        size("resize");
        break;
    }
  }
  out_ += ']';
}

}  // namespace sinew::usda
