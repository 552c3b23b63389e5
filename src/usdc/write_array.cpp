// SPDX-License-Identifier: Apache-2.0
// Arrays, compressed where they hold whole numbers or few different ones.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "sinew/core/types.hpp"
#include "usdc/byte_reader.hpp"
#include "usdc/compress.hpp"
#include "usdc/value_writer.hpp"

namespace sinew::usdc {

using layer::ElementType;
using layer::Value;

namespace {

template <typename U>
std::vector<std::byte> compressed_integers(std::size_t count, const std::byte* data) {
  std::vector<std::byte> body;
  if (reinterpret_cast<std::uintptr_t>(data) % alignof(U) == 0) {
    append_run(std::span(reinterpret_cast<const U*>(data), count), body);
    return body;
  }
  std::vector<U> aligned(count);  // Elements in a mapped file may have any alignment.
  std::memcpy(aligned.data(), data, count * sizeof(U));
  append_run(aligned, body);
  return body;
}

// The elements as 32-bit integers, unless one of them would change a bit.
template <typename T, typename Bits>
bool as_integers(std::size_t count, const std::byte* data, std::vector<std::uint32_t>& out) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto real = static_cast<double>(load_element<T>(data, i));
    if (!(real >= -2147483648.0 && real < 2147483648.0)) return false;
    const auto whole = static_cast<std::int32_t>(real);
    const T back = static_cast<T>(static_cast<double>(whole));
    if (std::bit_cast<Bits>(back) != load_element<Bits>(data, i)) return false;
    if (out.empty()) out.reserve(count);
    out.push_back(static_cast<std::uint32_t>(whole));
  }
  return true;
}

// Distinct bit patterns in the order in which they appear, as long as they are few.
template <typename Bits>
class FewValues {
 public:
  static constexpr std::size_t kMost = 1024;

  explicit FewValues(std::size_t most) : most_(most), slots_(4 * kMost) {}

  /// The place of `bits` in table(), or kNoIndex if there are too many.
  std::uint32_t place(Bits bits) {
    std::size_t i = hash_number(bits, seed_) & (slots_.size() - 1);
    for (; slots_[i] != 0; i = (i + 1) & (slots_.size() - 1)) {
      if (table_[slots_[i] - 1] == bits) return slots_[i] - 1;
    }
    if (table_.size() == most_) return kNoIndex;
    table_.push_back(bits);
    slots_[i] = static_cast<std::uint32_t>(table_.size());
    return slots_[i] - 1;
  }
  const std::vector<Bits>& table() const noexcept { return table_; }

 private:
  HashSeed seed_ = HashSeed::of_address(this);
  std::size_t most_;
  std::vector<std::uint32_t> slots_;  // Places, plus one.
  std::vector<Bits> table_;
};

// The body of a compressed array of real numbers; empty if it has to be plain.
template <typename T, typename Bits>
std::vector<std::byte> compressed_reals(std::size_t count, const std::byte* data) {
  std::vector<std::byte> body;
  std::vector<std::uint32_t> integers;
  if (as_integers<T, Bits>(count, data, integers)) {
    body.push_back(static_cast<std::byte>(kFloatsAsIntegers));
    append_run(integers, body);
    return body;
  }
  integers.clear();
  FewValues<Bits> few(std::min(count / 4, FewValues<Bits>::kMost));
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t place = few.place(load_element<Bits>(data, i));
    if (place == kNoIndex) return {};
    integers.push_back(place);
  }
  Stream head;
  head.put(kFloatsFromTable);
  head.put(static_cast<std::uint32_t>(few.table().size()));
  head.put_bytes(std::as_bytes(std::span(few.table())));
  body.assign(head.bytes().begin(), head.bytes().end());
  append_run(integers, body);
  return body;
}

std::vector<std::byte> compressed(Type type, std::size_t count, const std::byte* data) {
  if (count < kMinCompressedCount) return {};
  switch (type) {
    case Type::int_:
    case Type::uint:
      return compressed_integers<std::uint32_t>(count, data);
    case Type::int64:
    case Type::uint64:
      return compressed_integers<std::uint64_t>(count, data);
    case Type::half:
      return compressed_reals<Half, std::uint16_t>(count, data);
    case Type::float_:
      return compressed_reals<float, std::uint32_t>(count, data);
    case Type::double_:
      return compressed_reals<double, std::uint64_t>(count, data);
    default:
      return {};
  }
}

}  // namespace

std::uint64_t ValueWriter::array(const Value& value) {
  const Type type = type_of(value.type());
  if (type == Type::invalid) return unrepresentable("an array of a type that has no number");
  if (value.type() == ElementType::timecode) need({0, 9, 0});
  if (value.type() == ElementType::path_expression) need({0, 10, 0});
  if (value.size() == 0) return kArrayBit | (static_cast<std::uint64_t>(type) << kTypeShift);
  if (layer::stores_as<Token>(value.type())) return text_array(value);
  std::uint64_t hash = 0;
  if (const auto known = values_.find_array(value, hash)) return *known;
  const std::uint64_t rep = new_array(value);
  values_.add_array(value, hash, rep);
  return rep;
}

std::uint64_t ValueWriter::new_array(const Value& value) {
  const Type type = type_of(value.type());
  const std::span<const std::byte> bytes = value.bytes();
  const std::uint64_t count = value.size();
  const std::vector<std::byte> body = compressed(type, value.size(), bytes.data());
  if (body.empty()) output_.align();  // So that the elements can be used where they are.
  const std::uint64_t rep =
      kArrayBit | (static_cast<std::uint64_t>(type) << kTypeShift) | output_.size();
  output_.append_number(count);
  if (body.empty()) {
    output_.append(bytes);
    return rep;
  }
  output_.append(body);
  return rep | kCompressedBit;
}

// Texts are found again by their indices: what the elements hold in memory are addresses.
std::uint64_t ValueWriter::text_array(const Value& value) {
  const bool are_tokens = value.type() == ElementType::token;
  Stream stream;
  stream.put(std::uint64_t{value.size()});
  for (const Token text : value.as_array<Token>()) {
    stream.put(are_tokens ? token_index(text.view()) : string_index(text.view()));
  }
  return place(type_of(value.type()), stream.bytes(), kArrayBit, true);
}

}  // namespace sinew::usdc
