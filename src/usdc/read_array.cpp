// SPDX-License-Identifier: Apache-2.0
// Arrays: views into the file, copies, or values that wait until they are used.

#include <algorithm>
#include <cstring>

#include "core/format_text.hpp"
#include "sinew/core/types.hpp"
#include "usdc/unpack.hpp"
#include "usdc/value_reader.hpp"

namespace sinew::usdc {

using layer::ElementType;
using layer::Value;

namespace {

// Smaller arrays are copied at once: a view, or a value that waits, is no smaller.
constexpr std::size_t kMaxCopiedBytes = 2048;

Buffer bools_of(std::span<const std::byte> bytes) {
  Buffer buffer(bytes.size());
  std::byte* const out = buffer.mutable_data();
  for (std::size_t i = 0; i < bytes.size(); ++i) out[i] = std::byte{bytes[i] != std::byte{0}};
  return buffer;
}

// What an array of plain elements holds: bools may be any byte in the file.
Buffer copy_plain(ElementType element, std::span<const std::byte> bytes) {
  return element == ElementType::bool_ ? bools_of(bytes) : Buffer::copy_of(bytes);
}

/// A compressed array, its parts checked against the file.
struct PackedArray {
  ElementType element = ElementType::none;
  std::size_t count = 0;
  bool has_table = false;
  std::span<const std::byte> table;  // Distinct elements, to which the integers point.
  std::span<const std::byte> run;

  RunError unpack(Buffer& out) const;

 private:
  template <typename T>
  RunError unpack_floats(T* out) const;
};

template <typename T>
RunError PackedArray::unpack_floats(T* out) const {
  if (!has_table) {
    return unpack_integers(run, count, [&](std::span<const std::uint32_t> integers) {
      for (const std::uint32_t integer : integers) {
        const auto number = static_cast<std::int32_t>(integer);
        if constexpr (std::is_same_v<T, Half>) {
          *out++ = static_cast<Half>(static_cast<float>(number));
        } else {
          *out++ = static_cast<T>(number);
        }
      }
      return true;
    });
  }
  const std::size_t size = table.size() / sizeof(T);
  return unpack_integers(run, count, [&](std::span<const std::uint32_t> places) {
    // All bits together are no less than the greatest place, and need no comparisons.
    std::uint32_t bits = 0;
    for (const std::uint32_t place : places) bits |= place;
    if (bits >= size && *std::max_element(places.begin(), places.end()) >= size) return false;
    // Of its own, so that the compiler need not expect to write over it.
    T* to = out;
    const std::byte* const from = table.data();
    for (const std::uint32_t place : places) {
      std::memcpy(static_cast<void*>(to++), from + place * sizeof(T), sizeof(T));
    }
    out = to;
    return true;
  });
}

RunError PackedArray::unpack(Buffer& out) const {
  out = Buffer(count * layer::element_size(element));
  std::byte* const to = out.mutable_data();
  switch (element) {
    case ElementType::int_:
    case ElementType::uint:
      return unpack_integers(run, count, reinterpret_cast<std::uint32_t*>(to));
    case ElementType::int64:
    case ElementType::uint64:
      return unpack_integers(run, count, reinterpret_cast<std::uint64_t*>(to));
    case ElementType::half:
      return unpack_floats(reinterpret_cast<Half*>(to));
    case ElementType::float_:
      return unpack_floats(reinterpret_cast<float*>(to));
    default:
      return unpack_floats(reinterpret_cast<double*>(to));
  }
}

}  // namespace

bool ValueReader::array(Representation rep, Value& out) {
  const TypeInfo& info = info_of(rep.type());
  ByteReader reader = c_.file.value_at(rep.payload());
  std::uint32_t rank = 0;
  std::uint32_t short_count = 0;
  std::uint64_t count = 0;
  bool has_count = false;
  if (c_.file.since(7)) {
    has_count = reader.read(count);
  } else {
    has_count = (c_.file.since(5) || reader.read(rank)) && reader.read(short_count);
    count = short_count;
  }
  if (!has_count) return fail(rep.payload(), "the array does not lie in the file");
  if (count > c_.options.limits.array_elements) {
    return fail(rep.payload(),
                format_text("the array has {} elements, more than the limit of {}", count,
                            c_.options.limits.array_elements),
                "usdc-limit", ErrorCode::limit_exceeded);
  }
  bool is_packed = rep.is_compressed();
  if (is_packed) {
    const bool integers = packs_as_integers(rep.type());
    if (!integers && !packs_as_floats(rep.type())) return wrong_type(rep);
    is_packed = c_.file.since(integers ? 5 : 6) && count >= kMinCompressedCount;
  }
  if (is_packed) return packed_array(reader, count, rep.type(), info, out);
  if (count > reader.left() / info.stored_bytes) {
    return fail(rep.payload(),
                format_text("an array of {} elements does not lie in the file", count));
  }
  if (info.form == TypeInfo::Form::text) return text_array(reader, count, rep.type(), info, out);
  return plain_array(reader, count, info, out);
}

bool ValueReader::plain_array(ByteReader reader, std::uint64_t count, const TypeInfo& info,
                              Value& out) {
  const auto offset = static_cast<std::size_t>(reader.position());
  const auto size = static_cast<std::size_t>(count * info.stored_bytes);
  const ElementType element = info.element;
  const bool is_aligned =
      reinterpret_cast<std::uintptr_t>(reader.data()) % alignment_of(element) == 0;
  if (size <= kMaxCopiedBytes) {
    if (!charge_bytes(offset, size)) return false;
    out = Value::array_from_buffer(element, copy_plain(element, {reader.data(), size}));
  } else if (is_aligned && element != ElementType::bool_) {
    out = Value::array_from_buffer(element, Buffer::view_of(c_.file.bytes().slice(offset, size)));
  } else {
    if (!charge_bytes(offset, size)) return false;
    out = Value::array_when_used(element, size,
                                 [bytes = c_.file.bytes().slice(offset, size), element] {
                                   return copy_plain(element, bytes.span());
                                 });
  }
  return true;
}

bool ValueReader::text_array(ByteReader reader, std::uint64_t count, Type type,
                             const TypeInfo& info, Value& out) {
  const std::uint64_t at = reader.position();
  if (!charge_bytes(at, count * sizeof(Token))) return false;
  Buffer buffer(static_cast<std::size_t>(count) * sizeof(Token));
  auto* const tokens = reinterpret_cast<Token*>(buffer.mutable_data());
  const std::vector<std::uint32_t>& strings = c_.tables.strings;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t index = 0;
    reader.read(index);
    const std::size_t size = type == Type::token ? c_.tables.tokens.size() : strings.size();
    if (index >= size) {
      return fail(at, format_text("element {} is text {}, which does not exist", i, index));
    }
    ::new (tokens + i) Token(token(type == Type::token ? index : strings[index]));
  }
  out = Value::array_from_buffer(info.element, std::move(buffer));
  return true;
}

bool ValueReader::packed_array(ByteReader reader, std::uint64_t count, Type type,
                               const TypeInfo& info, Value& out) {
  const std::uint64_t at = reader.position();
  PackedArray packed;
  packed.element = info.element;
  packed.count = static_cast<std::size_t>(count);
  if (packs_as_floats(type)) {
    std::uint8_t code = 0;
    std::uint32_t table_size = 0;
    if (!reader.read(code)) return fail(at, "the array does not lie in the file");
    packed.has_table = code == kFloatsFromTable;
    if (code != kFloatsAsIntegers && !packed.has_table) {
      return fail(at, format_text("{} is not a way to compress numbers", code));
    }
    if (packed.has_table &&
        (!reader.read(table_size) || table_size == 0 ||
         !reader.take(std::uint64_t{table_size} * info.stored_bytes, packed.table))) {
      return fail(at, "the table of numbers does not lie in the file");
    }
  }
  std::uint64_t size = 0;
  if (!reader.read(size) || !reader.take(size, packed.run) || count > kMaxIntegersPerByte * size) {
    return fail(at, format_text("{} compressed elements do not lie in the file", count));
  }
  const std::uint64_t unpacked = count * layer::element_size(info.element);
  if (!charge_bytes(at, unpacked)) return false;
  if (c_.options.unpack == Unpack::at_once) {
    Buffer buffer;
    const RunError error = packed.unpack(buffer);
    if (error != RunError::none) {
      return fail(at, "a compressed array is damaged",
                  error == RunError::lz4 ? "usdc-lz4" : "usdc-ints");
    }
    out = Value::array_from_buffer(info.element, std::move(buffer));
    return true;
  }
  out = Value::array_when_used(info.element, static_cast<std::size_t>(unpacked),
                               [packed, owner = c_.file.bytes(), damaged = c_.damaged] {
                                 Buffer buffer;
                                 if (packed.unpack(buffer) != RunError::none) {
                                   damaged->fetch_add(1);
                                   return Buffer();
                                 }
                                 return buffer;
                               });
  return true;
}

}  // namespace sinew::usdc
