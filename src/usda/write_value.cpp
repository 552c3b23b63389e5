// SPDX-License-Identifier: Apache-2.0
// Values as text.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <iterator>

#include "layer/unicode.hpp"
#include "sinew/usda/writer.hpp"
#include "usda/text_writer.hpp"

namespace sinew::usda {

namespace {

template <typename T>
std::string shortest(T value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  // Whole numbers keep all their digits, unless as integers they would exceed 64 bits; "-0" keeps
  // its sign and is read back as a real.
  constexpr T kFirstBeyond = static_cast<T>(std::uint64_t{1} << 63);
  const bool beyond = std::fabs(value) >= kFirstBeyond;
  char buffer[64];
  const auto [end, error] =
      beyond ? std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific)
             : std::to_chars(buffer, buffer + sizeof buffer, value);
  return std::string(buffer, end);
}

template <typename T>
T load(const std::byte* data) noexcept {
  T value;
  std::memcpy(static_cast<void*>(&value), data, sizeof value);
  return value;
}

bool printable(std::string_view text) noexcept {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) >= 0x20 && c != 0x7F; }) &&
         find_invalid_utf8(text) == std::string_view::npos;
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
      fmt::format_to(std::back_inserter(out_), "\\x{:02x}", byte);
    } else {
      out_ += c;
    }
  }
  out_ += marks;
}

void TextWriter::asset(std::string_view text) {
  // What cannot stand between '@' was written as a string, which reads back as an asset too.
  if (!printable(text) || text.find("\n") != std::string_view::npos) {
    string(text);
    return;
  }
  if (text.find('@') == std::string_view::npos) {
    out_ += '@';
    out_ += text;
    out_ += '@';
    return;
  }
  if (text.ends_with('\\') || text.ends_with('@') || text.starts_with('@')) {
    string(text);
    return;
  }
  out_ += "@@@";
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 3) == "@@@") {
      out_ += "\\@@@";
      i += 2;
    } else {
      out_ += text[i];
    }
  }
  out_ += "@@@";
}

void TextWriter::numbers(ElementType component, std::size_t count, const std::byte* data) {
  const std::size_t size = element_size(component);
  for (std::size_t i = 0; i < count; ++i) {
    if (i != 0) out_ += ", ";
    element(component, data + i * size);
  }
}

void TextWriter::element(ElementType type, const std::byte* data) {
  using E = ElementType;
  const auto append = [&](auto value) { fmt::format_to(std::back_inserter(out_), "{}", value); };
  const auto tuple = [&](E component, std::size_t count, const std::byte* from) {
    out_ += '(';
    numbers(component, count, from);
    out_ += ')';
  };
  const auto rows = [&](std::size_t count) {
    out_ += "( ";
    for (std::size_t row = 0; row < count; ++row) {
      if (row != 0) out_ += ", ";
      tuple(E::double_, count, data + row * count * sizeof(double));
    }
    out_ += " )";
  };
  // Memory has the real part last, text has it first.
  const auto quaternion = [&](E component) {
    std::byte ordered[32];
    const std::size_t size = element_size(component);
    std::memcpy(ordered, data + 3 * size, size);
    std::memcpy(ordered + size, data, 3 * size);
    tuple(component, 4, ordered);
  };
  switch (type) {
    case E::bool_:
      out_ += load<bool>(data) ? '1' : '0';
      break;
    case E::uchar:
      append(static_cast<unsigned>(load<std::uint8_t>(data)));
      break;
    case E::int_:
      append(load<std::int32_t>(data));
      break;
    case E::uint:
      append(load<std::uint32_t>(data));
      break;
    case E::int64:
      append(load<std::int64_t>(data));
      break;
    case E::uint64:
      append(load<std::uint64_t>(data));
      break;
    case E::half:
      out_ += write_number(static_cast<float>(load<Half>(data)));
      break;
    case E::float_:
      out_ += write_number(load<float>(data));
      break;
    case E::double_:
    case E::timecode:
      out_ += write_number(load<double>(data));
      break;
    case E::string:
    case E::token:
    case E::path_expression:
      string(load<Token>(data).view());
      break;
    case E::asset:
      asset(load<Token>(data).view());
      break;
    case E::path:
      out_ += '<';
      out_ += load<Token>(data).view();
      out_ += '>';
      break;
    case E::source_text:
      out_ += load<Token>(data).view();
      break;
    case E::int2:
      tuple(E::int_, 2, data);
      break;
    case E::int3:
      tuple(E::int_, 3, data);
      break;
    case E::int4:
      tuple(E::int_, 4, data);
      break;
    case E::half2:
      tuple(E::half, 2, data);
      break;
    case E::half3:
      tuple(E::half, 3, data);
      break;
    case E::half4:
      tuple(E::half, 4, data);
      break;
    case E::float2:
      tuple(E::float_, 2, data);
      break;
    case E::float3:
      tuple(E::float_, 3, data);
      break;
    case E::float4:
      tuple(E::float_, 4, data);
      break;
    case E::double2:
      tuple(E::double_, 2, data);
      break;
    case E::double3:
      tuple(E::double_, 3, data);
      break;
    case E::double4:
      tuple(E::double_, 4, data);
      break;
    case E::quath:
      quaternion(E::half);
      break;
    case E::quatf:
      quaternion(E::float_);
      break;
    case E::quatd:
      quaternion(E::double_);
      break;
    case E::matrix2d:
      rows(2);
      break;
    case E::matrix3d:
      rows(3);
      break;
    case E::matrix4d:
      rows(4);
      break;
    default:
      break;
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
  }
  --depth_;
  indent();
  out_ += '}';
}

void TextWriter::array_edit(const ArrayEdit& edit) {
  using Kind = ArrayEdit::Kind;
  out_ += "edit [";
  bool first = true;
  for (const ArrayEdit::Instruction& instruction : edit.instructions) {
    out_ += first ? "" : "; ";
    first = false;
    const auto operand = [&] {
      if (instruction.source) {
        fmt::format_to(std::back_inserter(out_), "[{}]", *instruction.source);
      } else {
        value(instruction.literal);
      }
    };
    const auto size = [&](std::string_view word) {
      fmt::format_to(std::back_inserter(out_), "{} {}", word, instruction.index);
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
        fmt::format_to(std::back_inserter(out_), " to [{}]", instruction.index);
        break;
      case Kind::insert:
        out_ += "insert ";
        operand();
        fmt::format_to(std::back_inserter(out_), " at [{}]", instruction.index);
        break;
      case Kind::erase:
        fmt::format_to(std::back_inserter(out_), "erase [{}]", instruction.index);
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
