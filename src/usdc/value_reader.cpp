// SPDX-License-Identifier: Apache-2.0
// Scalars, and what all values have in common.
#include "usdc/value_reader.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/format_text.hpp"
#include "layer/shared/element_table.hpp"
#include "layer/shared/layer_impl.hpp"
#include "sinew/core/types.hpp"

namespace sinew::usdc {

using layer::ElementType;
using layer::Path;
using layer::Value;

namespace {

// Longer paths are not paths of anything.
constexpr std::size_t kMaxPathBytes = 64 * 1024;

template <typename T>
Value numbers(ElementType element, const std::int8_t* from, std::size_t count, std::size_t step) {
  T components[16] = {};
  for (std::size_t i = 0; i < count; ++i) {
    components[i * step] = static_cast<T>(static_cast<float>(from[i]));
  }
  return Value::scalar_of(element,
                          std::as_bytes(std::span(components)).first(layer::element_size(element)));
}

// Vectors and diagonals of whole numbers.
Value small_numbers(ElementType element, std::uint32_t bits) {
  std::int8_t bytes[4];
  std::memcpy(bytes, &bits, sizeof bytes);
  const std::size_t rows = layer::info_of(element).rows;
  const std::size_t count = rows != 0 ? rows : layer::component_count(element);
  switch (layer::info_of(element).component) {
    case ElementType::int_:
      return numbers<std::int32_t>(element, bytes, count, 1);
    case ElementType::half:
      return numbers<Half>(element, bytes, count, 1);
    case ElementType::float_:
      return numbers<float>(element, bytes, count, 1);
    default:
      return numbers<double>(element, bytes, count, rows != 0 ? rows + 1 : 1);
  }
}

}  // namespace

std::string ValueReader::place(std::uint64_t at) const {
  if (at == kInlined && field_ < c_.tables.field_values.size()) {
    const Representation rep{c_.tables.field_values[field_]};
    if (has_offset(rep)) at = rep.payload();
  }
  std::string text = format_text(" (field '{}', entry {} of FIELDS", field_name(), field_);
  if (at != kInlined) text += format_text(", at byte {}", at);
  return text + ')';
}

void ValueReader::warn(std::string_view code, std::string_view message, Severity severity) {
  if (!c_.report.wants(code)) return;
  c_.report.add(severity, code, std::string(message) + place(),
                c_.paths.text(item_, c_.tables.tokens, kMaxPathBytes));
}

bool ValueReader::fail(std::uint64_t at, std::string_view message, std::string_view code,
                       ErrorCode error) {
  const bool is_first = !has_failed_;
  has_failed_ = true;
  last_failure_ = error;
  if (!c_.report.wants(code)) return false;
  std::string text = std::string(message) + place(at);
  if (is_first) error_ = {error, text};
  c_.report.add(Severity::error, code, std::move(text),
                c_.paths.text(item_, c_.tables.tokens, kMaxPathBytes));
  return false;
}

bool ValueReader::wrong_type(Representation rep) {
  const std::string_view name = info_of(rep.type()).name;
  return fail(
      has_offset(rep) ? rep.payload() : kInlined,
      format_text("a value of type {} ({}{}) cannot stand here", static_cast<unsigned>(rep.type()),
                  name.empty() ? "unknown" : name, rep.is_array() ? "[]" : ""));
}

bool ValueReader::charge_bytes(std::uint64_t at, std::uint64_t bytes) {
  return c_.budget->take_bytes(bytes) ||
         fail(at, "the file unpacks to more than the limit of decoded bytes", "usdc-limit",
              ErrorCode::limit_exceeded);
}

bool ValueReader::charge_items(std::uint64_t at, std::uint64_t items, std::uint64_t item_bytes) {
  return (c_.budget->take_items(items) ||
          fail(at, "the file has more entries and items than the limit", "usdc-limit",
               ErrorCode::limit_exceeded)) &&
         charge_bytes(at, items * item_bytes);
}

bool ValueReader::open(std::uint64_t bits, Type type, ByteReader& reader) {
  const Representation rep{bits};
  if (!rep.is_sound() || rep.type() != type || rep.is_array() || rep.is_array_edit() ||
      rep.is_inlined()) {
    return wrong_type(rep);
  }
  reader = c_.file.value_at(rep.payload());
  return reader.left() != 0 || fail(rep.payload(), "there is no value");
}

bool ValueReader::string_token(ByteReader& reader, Token& out) {
  const std::uint64_t at = reader.position();
  std::uint32_t index = 0;
  if (!reader.read(index) || index >= c_.tables.strings.size()) {
    return fail(at, format_text("string {} does not exist", index));
  }
  out = token(c_.tables.strings[index]);
  return true;
}

// Null if it is not a path; that has been reported.
const Path* ValueReader::path_at(std::uint32_t index, std::uint64_t at) {
  const auto known = known_paths_.find(index);
  if (known != known_paths_.end()) return &known->second;
  Path path;
  if (const std::uint32_t item = c_.paths.item_of(index); item != PathTree::kNone) {
    std::string text = c_.paths.text(item, c_.tables.tokens, kMaxPathBytes);
    if (!c_.budget->take_bytes(text.size())) {
      charge_bytes(at, text.size());
      return nullptr;
    }
    Result<Path> parsed = Path::parse(text);
    if (text.empty() || !parsed) {
      fail(at, format_text("path {} is malformed", index));
      return nullptr;
    }
    path = *std::move(parsed);
  }
  return &known_paths_.emplace(index, std::move(path)).first->second;
}

bool ValueReader::path(ByteReader& reader, Path& out) {
  const std::uint64_t at = reader.position();
  std::uint32_t index = 0;
  if (!reader.read(index) || index >= c_.paths.path_count()) {
    return fail(at, format_text("path {} does not exist", index));
  }
  const Path* const found = path_at(index, at);
  if (found == nullptr) return false;
  out = *found;
  return true;
}

void ValueReader::repair(layer::LayerOffset& offset) {
  if (std::isfinite(offset.offset) && std::isfinite(offset.scale)) return;
  offset = {};
  warn("usdc-value", "a layer offset is not finite and is ignored");
}

bool ValueReader::read(std::uint64_t bits, Value& out) {
  const Representation rep{bits};
  const TypeInfo& info = info_of(rep.type());
  if (!rep.is_sound() || info.form == TypeInfo::Form::invalid) return wrong_type(rep);
  if (!info.may_be_array() && (rep.is_array() || rep.is_array_edit())) return wrong_type(rep);
  if (!rep.is_array() && !rep.is_array_edit() &&
      (info.form != TypeInfo::Form::composite || info.is_always_inlined)) {
    return scalar(rep, info, out);
  }
  if (rep.is_array() && rep.payload() == 0) {
    out = Value::array_from_buffer(info.element, Buffer());
    return true;
  }
  const auto found = known_.find(bits);
  if (found != known_.end()) {
    if (found->second.is_damaged) return fail(rep.payload(), "the value is damaged");
    out = found->second.value;
    return charge_edit(rep.payload(), out);
  }
  const bool good = read_new(rep, out);
  known_.insert_or_assign(bits, Known{good ? out : Value(), !good});
  return good && charge_edit(rep.payload(), out);
}

bool ValueReader::misplaced() {
  warn("usdc-type", "a field that has no place here is left out");
  return false;
}

bool ValueReader::name(std::uint64_t bits, Token& out) {
  if (std::uint32_t index = 0; is_plain_token(bits, index)) {
    out = token(index);
    return true;
  }
  Value value;
  if (!read(bits, value)) return false;
  const bool is_string = value.type() == ElementType::string;
  if ((value.type() != ElementType::token && !is_string) || value.is_array()) return misplaced();
  if (is_string)
    warn("usdc-type", "a string is read as the token that it should be", Severity::info);
  out = *value.get<Token>();
  return true;
}

std::optional<std::uint32_t> ValueReader::word(std::uint64_t bits, Type type, std::size_t count) {
  const Representation rep{bits};
  const bool is_word =
      rep.type() == type && rep.is_sound() && !rep.is_array() && !rep.is_array_edit();
  if (is_word && rep.inlined() < count) return rep.inlined();
  Value value;
  if (read(bits, value)) misplaced();
  return std::nullopt;
}

// Arrays and composites, which may hold others.
bool ValueReader::read_new(Representation rep, Value& out) {
  if (rep.is_array()) return array(rep, out);
  const std::uint64_t key = rep.bits & ((0xFFULL << kTypeShift) | kPayloadMask);
  if (std::find(open_.begin(), open_.end(), key) != open_.end()) {
    return fail(rep.payload(), "a value contains itself");
  }
  if (open_.size() >= c_.options.limits.value_nesting) {
    return fail(
        rep.payload(),
        format_text("values nest deeper than the limit of {}", c_.options.limits.value_nesting),
        "usdc-limit", ErrorCode::limit_exceeded);
  }
  open_.push_back(key);
  const bool good = rep.is_array_edit() ? array_edit(rep, out) : composite(rep, out);
  open_.pop_back();
  return good;
}

bool ValueReader::scalar(Representation rep, const TypeInfo& info, Value& out) {
  if (info.form == TypeInfo::Form::plain && !info.is_always_inlined && !rep.is_inlined()) {
    std::span<const std::byte> bytes;
    if (!c_.file.value_at(rep.payload()).take(info.stored_bytes, bytes)) {
      return fail(rep.payload(), "the value does not lie in the file");
    }
    layer::LayerAccess::set_scalar(out, info.element, bytes);
    return true;
  }
  if (rep.type() == Type::value_block) {
    out = Value::block();
    return true;
  }
  if (rep.type() == Type::animation_block) {
    out = Value::animation_block();
    return true;
  }
  if (info.is_always_inlined) return inlined(rep, info, out);
  const bool has_inline_form = info.form == TypeInfo::Form::plain &&
                               !layer::is_quaternion(info.element) && rep.type() != Type::timecode;
  if (rep.is_inlined()) return has_inline_form ? inlined(rep, info, out) : wrong_type(rep);

  ByteReader reader = c_.file.value_at(rep.payload());
  Token text;
  if (!string_token(reader, text)) return false;
  out = Value::scalar(info.element, text);
  return true;
}

// What is held in the low 32 bits.
bool ValueReader::inlined(Representation rep, const TypeInfo& info, Value& out) {
  const std::uint32_t bits = rep.inlined();
  const auto token_of = [&](std::uint32_t index, std::size_t count,
                            std::span<const std::uint32_t> through) {
    if (index >= count) return fail(kInlined, format_text("text {} does not exist", index));
    out = Value::scalar(info.element, token(through.empty() ? index : through[index]));
    return true;
  };
  const auto word_of = [&](std::initializer_list<std::string_view> words) {
    if (bits >= words.size()) {
      warn("usdc-value", format_text("{} is not the number of a word", bits));
      return false;
    }
    out = Value::scalar(ElementType::token, c_.names->intern(words.begin()[bits]));
    return true;
  };
  switch (rep.type()) {
    case Type::string:
      return token_of(bits, c_.tables.strings.size(), c_.tables.strings);
    case Type::token:
    case Type::asset:
      return token_of(bits, c_.tables.tokens.size(), {});
    case Type::specifier:
      return word_of({"def", "over", "class"});
    case Type::permission:
      return word_of({"public", "private"});
    case Type::variability:
      return word_of({"varying", "uniform", "uniform"});
    case Type::bool_:
      out = Value::scalar(ElementType::bool_, (bits & 0xFF) != 0);
      return true;
    case Type::int64:
      out = Value::scalar(ElementType::int64, std::int64_t{static_cast<std::int32_t>(bits)});
      return true;
    case Type::uint64:
      out = Value::scalar(ElementType::uint64, std::uint64_t{bits});
      return true;
    case Type::double_:
      out = Value::scalar(ElementType::double_, double{load<float>(&bits)});
      return true;
    default:
      break;
  }
  if (info.is_always_inlined) {
    out = Value::scalar_of(
        info.element, std::as_bytes(std::span(&bits, 1)).first(layer::element_size(info.element)));
  } else {
    out = small_numbers(info.element, bits);
  }
  return true;
}

}  // namespace sinew::usdc
