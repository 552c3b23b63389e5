// SPDX-License-Identifier: Apache-2.0
// Values: typed scalars, tuples and arrays, dictionaries, and the syntax of untyped values.

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "core/format_text.hpp"
#include "core/unicode.hpp"
#include "layer/shared/array_edit_fill.hpp"
#include "layer/shared/element_table.hpp"
#include "layer/shared/layer_impl.hpp"
#include "layer/shared/path_expression_syntax.hpp"
#include "usda/text_parser.hpp"
#include "usda/text_rules.hpp"

namespace sinew::usda {

namespace {

template <typename T>
void store(std::byte* out, T value) noexcept {
  std::memcpy(out, static_cast<const void*>(&value), sizeof value);
}

// What a word says as a bool, in any case; -1 if it says neither.
int truth_of(std::string_view word) noexcept {
  const auto is = [&](std::string_view other) {
    return word.size() == other.size() &&
           std::equal(word.begin(), word.end(), other.begin(),
                      [](char a, char b) { return (a | 0x20) == b; });
  };
  if (is("true") || is("yes") || word == "1") return 1;
  if (is("false") || is("no") || word == "0") return 0;
  return -1;
}

}  // namespace

bool TextParser::string_token(Token& token) {
  std::string_view text;
  if (!scan_.string(text, scratch_)) return false;
  token = intern(text);
  return true;
}

bool TextParser::equals_sign() {
  return scan_.pad() && scan_.require('=', "'='") && scan_.pad();
}

// Integers beyond 64 bits are read as reals, whatever the type of the value.
void TextParser::check_integer_size(const char* at) {
  if (!exceeds_64_bits(at, scan_.position())) return;
  constexpr std::size_t kMostReported = 100;
  if (++large_integers_ > kMostReported) return;
  warn(at, "usda-large-integer",
       format_text("'{}' exceeds 64 bits and is read as a double.", text_since(at).substr(0, 40)));
}

// The quoted forms "inf", "-inf" and "nan" count as numbers for floating point types.
bool TextParser::number_element(ElementType component, std::byte* out) {
  const char* const at = scan_.position();
  using E = ElementType;
  const bool is_real = component == E::half || component == E::float_ || component == E::double_;
  const auto read_as = [&](auto value) {
    const char* const after = read_real(at, scan_.text_end(), value);
    if (after == at) return false;
    scan_.set_position(after);
    check_integer_size(at);
    store(out, value);
    return true;
  };
  if (component == E::float_ && read_as(float{})) return true;
  if (component == E::double_ && read_as(double{})) return true;
  Number number;
  if (is_real && scan_.at_string()) {
    std::string_view text;
    if (!scan_.string(text, scratch_)) return false;
    const bool named = text == "inf" || text == "-inf" || text == "nan";
    const char* after =
        named ? read_number(text.data(), text.data() + text.size(), number) : text.data();
    if (!named || after != text.data() + text.size()) {
      return scan_.fail(at, "usda-bad-value", "Expected a number, found a string.");
    }
  } else {
    const char* after = read_number(at, scan_.text_end(), number);
    if (after == at) return scan_.expected("a number");
    scan_.set_position(after);
    if (number.too_large) check_integer_size(at);
  }
  return with_number(component, [&](auto value) {
    using T = decltype(value);
    if constexpr (std::is_integral_v<T>) {
      if (!to_integer(number, value)) {
        return scan_.fail(at, "usda-out-of-range",
                          format_text("'{}' does not fit the type of this value.", text_since(at)));
      }
    } else if constexpr (std::is_same_v<T, double>) {
      value = number.real;
    } else {
      value = static_cast<T>(number.real_float);
    }
    store(out, value);
    return true;
  });
}

bool TextParser::tuple_elements(ElementType component, std::size_t count, std::byte* out) {
  const char* const open = scan_.position();
  if (!scan_.take('(')) return scan_.expected(format_text("'(' before {} numbers", count));
  const std::size_t size = element_size(component);
  if (!scan_.multi_pad()) return false;
  std::size_t read = 0;
  bool more = scan_.peek() != ')';
  while (more && read < count) {
    const char* const at = scan_.position();
    if (!number_element(component, out + read * size)) return suspect_bracket(at);
    if (!scan_.pad()) return false;
    ++read;
    more = scan_.take(',');
    if (more && !scan_.multi_pad()) return false;
    if (more && scan_.peek() == ')') more = false;
  }
  if (!scan_.multi_pad()) return false;
  if (read == count && scan_.take(')')) return true;
  if (scan_.peek() != ')') bracket_suspected_at_ = scan_.position();
  return scan_.fail(open, "usda-bad-value", format_text("Expected a tuple of {} numbers.", count));
}

bool TextParser::bool_element(std::byte* out) {
  const char* const at = scan_.position();
  std::string_view word;
  if (scan_.at_string()) {
    if (!scan_.string(word, scratch_)) return false;
  } else if (Number number; true) {
    const char* after = read_number(at, scan_.text_end(), number);
    if (after != at) {
      scan_.set_position(after);
      const bool zero =
          number.kind == Number::Kind::real ? number.real == 0.0 : number.magnitude == 0;
      store(out, !zero);
      return true;
    }
    word = scan_.qualified_identifier();
  }
  const int truth = truth_of(word);
  if (truth < 0) {
    scan_.set_position(at);
    return scan_.expected("true or false");
  }
  store(out, truth == 1);
  return true;
}

bool TextParser::path_expression(std::string_view text, const char* at, Token& out) {
  std::string absolute;
  std::string reason;
  if (find_invalid_utf8(text) != std::string_view::npos) {
    return scan_.fail(at, "usda-bad-path-expression", "This path expression is not UTF-8.");
  }
  if (!absolute_path_expression(text, current_path(), absolute, reason)) {
    return scan_.fail(at, "usda-bad-path-expression", std::move(reason));
  }
  out = intern(absolute);
  return true;
}

bool TextParser::text_element(ElementType type, std::byte* out) {
  const char* const at = scan_.position();
  std::string_view text;
  if (type == ElementType::asset && scan_.peek() == '@') {
    if (!scan_.asset(text, scratch_)) return false;
  } else if (scan_.at_string()) {
    if (!scan_.string(text, scratch_)) return false;
  } else {
    return scan_.expected(type == ElementType::asset ? "an asset path between '@'"
                                                     : "a string in quotes");
  }
  if (type == ElementType::asset && !is_asset_path(text)) {
    return scan_.fail(at, "usda-bad-asset", "An asset path is UTF-8 without control characters.");
  }
  Token token;
  if (type == ElementType::path_expression) {
    const std::string copy(text);  // scratch_ is used again below.
    if (!path_expression(copy, at, token)) return false;
  } else {
    token = intern(text);
  }
  store(out, token);
  return true;
}

bool TextParser::element(ElementType type, std::byte* out) {
  if (is_text(type)) return text_element(type, out);
  if (type == ElementType::bool_) return bool_element(out);
  const ElementInfo& info = info_of(type);
  const std::size_t rows = info.rows;
  if (rows != 0) {
    const char* const open = scan_.position();
    if (!scan_.take('(')) return scan_.expected("'(' before the rows of a matrix");
    std::size_t row = 0;
    if (!scan_.multi_pad()) return false;
    const bool read = comma_list(')', "',' or ')'", [&] {
      if (row == rows) {
        return scan_.fail(open, "usda-bad-value",
                          format_text("Expected a matrix of {} rows.", rows));
      }
      return tuple_elements(ElementType::double_, rows, out + row++ * rows * sizeof(double));
    });
    if (!read) return false;
    return row == rows ||
           scan_.fail(open, "usda-bad-value", format_text("Expected a matrix of {} rows.", rows));
  }
  if (info.form == ElementForm::number) return number_element(info.component, out);
  if (!tuple_elements(info.component, info.columns, out)) return false;
  if (info.form == ElementForm::quaternion) real_parts_last(info.component, out, 1);
  return true;
}

bool TextParser::scalar_value(ElementType type, Value& out) {
  if (scan_.peek() == '[') {
    return scan_.fail(scan_.position(), "usda-bad-value",
                      "This type is not an array, but the value is a list.", "add [] to the type");
  }
  alignas(16) std::byte bytes[128] = {};
  if (!element(type, bytes)) return false;
  layer::LayerAccess::set_scalar(out, type, {bytes, element_size(type)});
  return true;
}

bool TextParser::typed_value(const ValueType& type, Value& out) {
  const char* const at = scan_.position();
  if (scan_.peek() == '<') {
    std::string_view text;
    if (!scan_.path_text(text)) return false;
    Result<Path> path = Path::parse(text);
    if (!path || text == ".") return scan_.fail(at, "usda-bad-path", "This is not a path.");
    out = Value::scalar(ElementType::path, intern(path->view()));
    return true;
  }
  if (type.is_opaque) {
    return scan_.fail(at, "usda-bad-value", "Attributes of type opaque and group take no value.");
  }
  if (type.element == ElementType::none) {
    if (!skip_value(0)) return false;
    out = Value::scalar(ElementType::unregistered, intern(text_since(at)));
    return true;
  }
  return type.is_array ? array_value(type.element, out) : scalar_value(type.element, out);
}

// The value of an attribute outside samples.
bool TextParser::default_value(const PropertySpec& spec, const ValueType& type, Value& out) {
  // What a path expression means depends on the prim.
  const bool means_the_same =
      type.element != ElementType::none && type.element != ElementType::path_expression;
  if (!type.is_array || !means_the_same || scan_.peek() != '[') return typed_value(type, out);
  return read_once(repeated_values_, spec.name, spec.type_name, 0, out,
                   [&] { return typed_value(type, out); });
}

bool TextParser::skip_value(int depth) {
  if (static_cast<std::uint32_t>(depth) > options_.limits.value_nesting) {
    return scan_.fail_limit(
        scan_.position(),
        format_text("Values nest deeper than the limit of {}.", options_.limits.value_nesting));
  }
  std::string_view text;
  switch (scan_.peek()) {
    case '"':
    case '\'':
      return scan_.string(text, scratch_);
    case '@':
      return scan_.asset(text, scratch_);
    case '<': {
      const char* const at = scan_.position();
      if (!scan_.path_text(text)) return false;
      return (Path::parse(text) && text != ".") ||
             scan_.fail(at, "usda-bad-path", "This is not a path.");
    }
    case '(':
      scan_.set_position(scan_.position() + 1);
      return scan_.multi_pad() && comma_list(')', "',' or ')'", [&] {
               if (scan_.peek() == '[' || scan_.peek() == '<') return scan_.expected("a value");
               return skip_value(depth + 1);
             });
    case '[':
      scan_.set_position(scan_.position() + 1);
      if (!scan_.pad()) return false;
      if (depth == 0 && scan_.take(']')) return true;
      return scan_.multi_pad() && comma_list(']', "',' or ']'", [&] {
               if (scan_.peek() == '<') return scan_.expected("a value");
               return skip_value(depth + 1);
             });
    default:
      break;
  }
  Number number;
  const char* const at = scan_.position();
  const char* after = read_number(at, scan_.text_end(), number);
  // "nano" and "inf2" are words.
  const std::size_t word = scan_.peek_identifier().size();
  if (after != at && (word == 0 || after == at + word)) {
    scan_.set_position(after);
    if (scan_.peek_identifier().empty() || number.kind != Number::Kind::real) return true;
    scan_.set_position(at);
  }
  if (!scan_.qualified_identifier().empty()) return true;
  return scan_.expected("a value");
}

bool TextParser::dictionary(Value& out, int depth) {
  if (static_cast<std::uint32_t>(depth) >= options_.limits.value_nesting) {
    return scan_.fail_limit(scan_.position(),
                            format_text("Dictionaries nest deeper than the limit of {}.",
                                        options_.limits.value_nesting));
  }
  if (!scan_.require('{', "'{'")) return false;
  DictionaryBuilder entries;
  const bool read =
      statements('}', "';', a line break or '}'", [&] { return dictionary_item(entries, depth); });
  if (!read) return false;
  out = Value::dictionary(entries.take());
  return true;
}

bool TextParser::dictionary_item(DictionaryBuilder& entries, int depth) {
  const char* const at = scan_.position();
  const bool nested = scan_.take_word("dictionary");
  std::string type_text = "dictionary";
  ValueType type;
  if (!nested) {
    const std::string_view name = scan_.qualified_identifier();
    if (name.empty()) return scan_.expected("the type of a dictionary entry");
    type_text = name;
    const char* const after_name = scan_.position();
    if (!scan_.pad()) return false;
    if (scan_.take('[')) {
      if (!scan_.pad() || !scan_.require(']', "']'")) return false;
      type_text += "[]";
    } else {
      scan_.set_position(after_name);
    }
    type = find_value_type(type_text);
    if (!type.known() || type.is_opaque) {
      return scan_.fail(at, "usda-bad-dictionary",
                        format_text("'{}' is not a value type.", type_text));
    }
  }
  if (!scan_.gap("the key of a dictionary entry")) return false;
  DictionaryEntry entry;
  entry.type_name = intern(type_text);
  if (scan_.at_string()) {
    if (!string_token(entry.key)) return false;
  } else {
    const std::string_view key = scan_.identifier();
    if (key.empty()) return scan_.expected("a key");
    entry.key = intern(key);
  }
  if (!equals_sign()) return false;
  if (!(nested ? dictionary(entry.value, depth + 1) : typed_value(type, entry.value))) return false;
  entries.put(std::move(entry));
  return true;
}

bool TextParser::integer_literal(std::int64_t& value) {
  const char* const at = scan_.position();
  Number number;
  const char* after = read_number(at, scan_.text_end(), number);
  // "-0" is an integer, though as a number it is the real that keeps the sign.
  const bool minus_zero =
      after != at && std::all_of(at, after, [](char c) { return c == '-' || c == '0'; });
  const bool integral = after != at && (minus_zero || number.kind != Number::Kind::real);
  if (!integral || !to_integer(number, value)) return scan_.expected("an integer");
  scan_.set_position(after);
  return true;
}

bool TextParser::edit_literal(ArrayEdit& edit, ArrayEdit::Instruction& instruction) {
  if (scan_.take('[')) {
    std::int64_t index = 0;
    if (!scan_.pad() || !integer_literal(index) || !scan_.pad() || !scan_.require(']', "']'"))
      return false;
    instruction.source = index;
    return true;
  }
  return scalar_value(edit.element, instruction.literal);
}

bool TextParser::edit_instruction(ArrayEdit& edit) {
  using Kind = ArrayEdit::Kind;
  struct Word {
    std::string_view word;
    Kind kind;
  };
  static constexpr Word kWords[] = {{"prepend", Kind::prepend},  {"append", Kind::append},
                                    {"write", Kind::write},      {"insert", Kind::insert},
                                    {"erase", Kind::erase},      {"minsize", Kind::min_size},
                                    {"maxsize", Kind::max_size}, {"resize", Kind::resize}};
  const char* const start = scan_.position();
  const std::string_view word = scan_.peek_identifier();
  const auto* found = std::find_if(std::begin(kWords), std::end(kWords),
                                   [&](const Word& w) { return w.word == word; });
  if (found == std::end(kWords)) return scan_.expected("an array edit such as append or erase");
  scan_.set_position(scan_.position() + word.size());
  ArrayEdit::Instruction instruction;
  instruction.kind = found->kind;
  if (!scan_.pad()) return false;
  const auto index = [&](std::string_view preposition) {
    if (!scan_.pad() || !scan_.take_word(preposition))
      return scan_.expected(format_text("'{}'", preposition));
    return scan_.pad() && scan_.require('[', "'['") && scan_.pad() &&
           integer_literal(instruction.index) && scan_.pad() && scan_.require(']', "']'");
  };
  const auto size = [&] {
    const char* const at = scan_.position();
    if (!integer_literal(instruction.index)) return false;
    return instruction.index >= 0 ||
           scan_.fail(at, "usda-bad-value", "The size of an array cannot be negative.");
  };
  bool read = true;
  switch (instruction.kind) {
    case Kind::prepend:
    case Kind::append:
      read = edit_literal(edit, instruction);
      break;
    case Kind::write:
      read = edit_literal(edit, instruction) && index("to");
      break;
    case Kind::insert:
      read = edit_literal(edit, instruction) && index("at");
      break;
    case Kind::erase:
      read = scan_.require('[', "'['") && scan_.pad() && integer_literal(instruction.index) &&
             scan_.pad() && scan_.require(']', "']'");
      break;
    case Kind::min_size:
    case Kind::max_size:
    case Kind::resize:
      read = size() && scan_.pad();
      if (read && instruction.kind != Kind::max_size && scan_.take_word("fill")) {
        read = scan_.pad() && scalar_value(edit.element, instruction.literal);
      }
      break;
  }
  if (!read) return false;
  if (layer::fills_too_much(edit, instruction) && !std::exchange(has_fill_too_large_, true)) {
    warn(start, "usda-limit",
         format_text("No array edit makes an array longer than {} bytes: one for {} elements, and "
                     "others as large, do nothing to shorter arrays.",
                     layer::kMaxFill, instruction.index));
  }
  filled_bytes_ += layer::filled_bytes(edit, instruction);
  if (filled_bytes_ != 0) assembly_.note_fills();
  if (filled_bytes_ > options_.limits.array_edit_bytes) {
    return scan_.fail_limit(
        start, format_text("The sizes of array edits fill more than the limit of {} bytes.",
                           options_.limits.array_edit_bytes));
  }
  edit.instructions.push_back(std::move(instruction));
  return scan_.pad();
}

bool TextParser::array_edit(ElementType type, Value& out) {
  if (!scan_.pad() || !scan_.require('[', "'['")) return false;
  ArrayEdit edit;
  edit.element = type;
  if (!statements(']', "';', a line break or ']'", [&] { return edit_instruction(edit); })) {
    return false;
  }
  out = Value::array_edit(std::move(edit));
  return true;
}

}  // namespace sinew::usda
