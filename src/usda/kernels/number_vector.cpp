// SPDX-License-Identifier: Apache-2.0
//
// Reading arrays of numbers with vectors, in two stages. The first looks at 64 characters at a
// time and lists where numbers start and where the punctuation between them is. The second
// takes up to 16 characters of a number, closes the gap of the decimal point with one shuffle,
// and adds the digits up in pairs: no loop over digits, hence no misprediction for every length.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/kernels/disabled_targets.hpp"
#include "usda/kernels/number_kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "usda/kernels/number_vector.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/kernels/select_kernel.hpp"

#ifndef SINEW_NUMBER_VECTOR_ONCE
#define SINEW_NUMBER_VECTOR_ONCE

namespace sinew::usda {

// Characters by what they can be part of; one bit each, so that two tables indexed by the halves
// of a character can be combined by AND.
enum CharClass : std::uint8_t {
  kDigit = 1,     // 0 to 9
  kSign = 2,      // . + -
  kExponent = 4,  // e E
  kComma = 8,
  kOpen = 16,
  kClose = 32,
  kBlank = 64,  // space
  kBreak = 128  // tab and line breaks
};
alignas(16) inline constexpr std::uint8_t kClassOfLow[16] = {
    kDigit | kBlank, kDigit,
    kDigit,          kDigit,
    kDigit,          kDigit | kExponent,
    kDigit,          kDigit,
    kDigit | kOpen,  kDigit | kClose | kBreak,
    kBreak,          kSign,
    kComma,          kSign | kBreak,
    kSign,           0};
alignas(16) inline constexpr std::uint8_t kClassOfHigh[16] = {
    kBreak,    0,         kSign | kComma | kOpen | kClose | kBlank,
    kDigit,    kExponent, 0,
    kExponent, 0,         0,
    0,         0,         0,
    0,         0,         0,
    0};

// Shuffles that move the digits of a number of `length` characters with its point at `point`
// (`length` if it has none) to the end of 16 bytes, zeros before them.
inline constexpr std::size_t kLongest = 16;
struct Shuffles {
  alignas(16) std::uint8_t rows[(kLongest + 1) * (kLongest + 1)][16];
};
constexpr Shuffles make_shuffles() {
  Shuffles shuffles{};
  for (std::size_t length = 0; length <= kLongest; ++length) {
    for (std::size_t point = 0; point <= kLongest; ++point) {
      std::uint8_t* row = shuffles.rows[length * (kLongest + 1) + point];
      std::size_t to = kLongest;
      for (std::size_t from = length; from > 0; --from) {
        if (from - 1 != point) row[--to] = static_cast<std::uint8_t>(from - 1);
      }
      while (to > 0) row[--to] = 0x80;
    }
  }
  return shuffles;
}
inline constexpr Shuffles kShuffles = make_shuffles();

inline constexpr std::size_t kBlock = 64;
inline constexpr std::size_t kChunk = 4096;

// Where the numbers of a chunk are: start, end, start, end, ...
struct NumberIndex {
  std::uint32_t at[kChunk + kBlock];  // Room for what append() writes too much.
  std::size_t size = 0;
};

}  // namespace sinew::usda

#endif  // SINEW_NUMBER_VECTOR_ONCE

HWY_BEFORE_NAMESPACE();
namespace sinew::usda::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128

void read_run(const ElementInfo&, NumberRun&) {}
void survey_array_blocks(const char*, ArraySurvey&) {}
void survey_text_blocks(const char*, const char*, TextSurvey&) {}

#else

namespace hn = hwy::HWY_NAMESPACE;

using Bytes = hn::CappedTag<std::uint8_t, 64>;
using ByteVec = hn::Vec<Bytes>;
inline constexpr std::size_t kLanes = hn::MaxLanes(Bytes());
using Bytes16 = hn::CappedTag<std::uint8_t, 16>;
using Vec16 = hn::Vec<Bytes16>;

HWY_INLINE const std::uint8_t* bytes_at(const char* p) {
  return reinterpret_cast<const std::uint8_t*>(p);
}

HWY_INLINE std::uint64_t bits_of(hn::Mask<Bytes> mask) {
  std::uint64_t bits = 0;
  hn::StoreMaskBits(Bytes(), mask, reinterpret_cast<std::uint8_t*>(&bits));
  return bits;
}

// What is where in 64 characters, one bit each. Sets of several classes are given as what is
// outside of them: equality with 0 is one instruction on most targets, its opposite is two.
struct Classes {
  std::uint64_t not_number = 0, comma = 0, open = 0, close = 0, none = 0;
};

HWY_INLINE Classes classify(const char* p) {
  const Bytes d;
  const auto low_table = hn::LoadDup128(d, kClassOfLow);
  const auto high_table = hn::LoadDup128(d, kClassOfHigh);
  Classes classes;
  for (std::size_t i = 0; i < kBlock; i += kLanes) {
    const ByteVec v = hn::LoadU(d, bytes_at(p + i));
    const ByteVec high = hn::ShiftRight<4>(v);
    const ByteVec low = hn::And(v, hn::Set(d, 0x0F));
    const ByteVec c =
        hn::And(hn::TableLookupBytes(low_table, low), hn::TableLookupBytes(high_table, high));
    const auto is = [&](CharClass one) { return bits_of(hn::TestBit(c, hn::Set(d, one))) << i; };
    const auto is_none_of = [&](int mask) {
      const ByteVec selected = hn::And(c, hn::Set(d, static_cast<std::uint8_t>(mask)));
      return bits_of(hn::Eq(selected, hn::Zero(d))) << i;
    };
    classes.not_number |= is_none_of(kDigit | kSign | kExponent);
    classes.comma |= is(kComma);
    classes.open |= is(kOpen);
    classes.close |= is(kClose);
    classes.none |= is_none_of(0xFF);
  }
  return classes;
}

HWY_INLINE std::size_t count_trailing_zeros(std::uint64_t x) {
  return hwy::Num0BitsBelowLS1Bit_Nonzero64(x);
}

// Appends the positions of the bits. Writes up to 16 more than there are, which are overwritten.
HWY_INLINE void append(NumberIndex& index, std::uint64_t bits, std::uint32_t base) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  // Without a branch on how many there are.
  const hn::FixedTag<std::uint32_t, 16> d;
  auto positions = hn::Iota(d, base);
  for (int i = 0; i < 4; ++i) {
    const auto sixteen = static_cast<__mmask16>(bits >> (16 * i));
    hn::StoreU(hn::Compress(positions, hn::Mask<decltype(d)>{sixteen}), d, index.at + index.size);
    index.size += hwy::PopCount(sixteen);
    positions = hn::Add(positions, hn::Set(d, 16));
  }
#else
  const std::size_t count = hwy::PopCount(bits);
  std::uint32_t* out = index.at + index.size;
  for (std::size_t i = 0; i < count; i += 8) {
    for (std::size_t k = 0; k < 8; ++k) {
      out[i + k] = base + static_cast<std::uint32_t>(count_trailing_zeros(bits | (1ULL << 63)));
      bits &= bits - 1;
    }
  }
  index.size += count;
#endif
}

// Lists the numbers and punctuation of [text, text + size) up to the first place that is not
// written the usual way; size is a multiple of 64. `flat`: parentheses are not usual.
void index_chunk(const char* text, std::size_t size, bool flat, NumberIndex& index) {
  index.size = 0;
  std::uint64_t number_before = 0;
  std::uint64_t close_before = 0;
  for (std::size_t i = 0; i < size; i += kBlock) {
    const Classes c = classify(text + i);
    const std::uint64_t number = ~c.not_number;
    const std::uint64_t behind_number = number << 1 | number_before;
    const std::uint64_t behind_close = c.close << 1 | close_before;
    number_before = number >> 63;
    close_before = c.close >> 63;
    const std::uint64_t ends = behind_number & c.not_number;
    std::uint64_t unusual =
        c.none | (c.comma & ~(behind_number | behind_close)) | (ends & ~(c.comma | c.close));
    if (flat) unusual |= c.open | c.close;
    std::uint64_t tokens = (number & ~behind_number) | c.comma | c.open | c.close;
    if (unusual != 0) tokens &= (unusual & (0 - unusual)) - 1;
    append(index, tokens, static_cast<std::uint32_t>(i));
    if (unusual != 0) return;
  }
}

// Keeps the numbers of whole elements in the index, start and end each; the end is always the
// punctuation after a number. Returns the number of elements.
std::size_t keep_numbers(const ElementInfo& info, const char* text, NumberIndex& index) {
  std::uint32_t* const at = index.at;
  if (info.columns == 1) return index.size / 2;  // Commas are checked: nothing else was listed.
  const bool is_matrix = info.rows != 0;
  const std::size_t rows = is_matrix ? info.rows : 1;
  const std::size_t columns = info.columns;
  const std::size_t entries = rows * (2 * columns + 2) + (is_matrix ? 2 : 0);
  std::size_t kept = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i + entries <= index.size; ++count) {
    bool good = true;
    const auto expect = [&](char c) { good &= text[at[i++]] == c; };
    if (is_matrix) expect('(');
    for (std::size_t row = 0; row < rows; ++row) {
      expect('(');
      for (std::size_t column = 0; column < columns; ++column) {
        const std::uint32_t start = at[i++];
        const std::uint32_t end = at[i];
        at[kept++] = start;
        at[kept++] = end;
        expect(column + 1 < columns ? ',' : ')');
      }
      if (row + 1 < rows) expect(',');
    }
    if (is_matrix) expect(')');
    expect(',');
    if (!good) break;
  }
  return count;
}

// 16 decimal digits, most significant first.
HWY_INLINE std::uint64_t add_up(Vec16 digits) {
#if HWY_ARCH_X86
  const __m128i tens = _mm_set1_epi16(0x010A);
  const __m128i hundreds = _mm_set1_epi32(0x00010064);
  const __m128i ten_thousands = _mm_set1_epi32(0x00012710);
  const __m128i pairs = _mm_maddubs_epi16(digits.raw, tens);
  const __m128i fours = _mm_madd_epi16(pairs, hundreds);
  const __m128i eights = _mm_madd_epi16(_mm_packus_epi32(fours, fours), ten_thousands);
  const auto both = static_cast<std::uint64_t>(_mm_cvtsi128_si64(eights));
#else
  const hn::Repartition<std::uint16_t, Bytes16> d16;
  const hn::Repartition<std::uint32_t, Bytes16> d32;
  const hn::Repartition<std::uint64_t, Bytes16> d64;
  const auto ones = hn::BitCast(d16, digits);
  const auto pairs = hn::Add(hn::Mul(hn::And(ones, hn::Set(d16, 0xFF)), hn::Set(d16, 10)),
                             hn::ShiftRight<8>(ones));
  const auto wide = hn::BitCast(d32, pairs);
  const auto fours = hn::Add(hn::Mul(hn::And(wide, hn::Set(d32, 0xFFFF)), hn::Set(d32, 100)),
                             hn::ShiftRight<16>(wide));
  const auto eights = hn::Add(hn::MulEven(fours, hn::Set(d32, 10'000)),
                              hn::ShiftRight<32>(hn::BitCast(d64, fours)));
  alignas(16) std::uint64_t halves[2];
  hn::Store(eights, d64, halves);
  const std::uint64_t both = halves[0] | halves[1] << 32;
#endif
  return (both & 0xFFFFFFFF) * 100'000'000 + (both >> 32);
}

// A row of kShuffles. In a module for browsers the table would be a thirtieth of the data, and
// three instructions make the row.
HWY_INLINE Vec16 shuffle_of(std::size_t length, std::size_t point) {
  const Bytes16 d;
#if HWY_TARGET == HWY_WASM
  const hn::RebindToSigned<Bytes16> di;
  const auto from =
      hn::Iota(di, static_cast<std::int8_t>(length) - static_cast<std::int8_t>(kLongest));
  const std::int8_t end = point < length ? static_cast<std::int8_t>(point + 1) : -128;
  const auto is_before = hn::Lt(from, hn::Set(di, end));
  return hn::BitCast(d, hn::Add(from, hn::VecFromMask(di, is_before)));  // True is -1.
#else
  return hn::Load(d, kShuffles.rows[length * (kLongest + 1) + point]);
#endif
}

// One number. False if it must be read slowly.
template <typename T>
HWY_INLINE bool convert(const char* first, const char* last, T& value) {
  const Bytes16 d;
  // 1 for a minus. As a condition, which is a byte of a register, it would wait for what was in the
  // others: the number before.
  const std::uint32_t minus = ((static_cast<std::uint8_t>(*first) ^ std::uint32_t{'-'}) - 1) >> 31;
  const bool negative = minus != 0;
  first += minus;
  const auto length = static_cast<std::size_t>(last - first);
  if (HWY_UNLIKELY(length - 1 >= kLongest)) return false;
  const Vec16 digits = hn::Sub(hn::LoadU(d, bytes_at(first)), hn::Set(d, '0'));
  const auto is_other = [&](Vec16 v) HWY_ATTR { return hn::Eq(hn::Max(v, hn::Set(d, 10)), v); };
  if constexpr (std::is_integral_v<T>) {
    // Digits go where the length says; what takes part is checked there.
    const Vec16 aligned = hn::TableLookupBytesOr0(digits, shuffle_of(length, length));
    if (HWY_UNLIKELY(!hn::AllFalse(d, is_other(aligned)))) return false;
    return scale(add_up(aligned), 0, negative, value);
  } else {
    std::uint16_t others = 0;
    hn::StoreMaskBits(d, is_other(digits), reinterpret_cast<std::uint8_t*>(&others));
    const std::uint32_t end = std::uint32_t{1} << length;
    const std::uint32_t odd = others | end;  // What is no digit, and what ends it.
    const std::size_t point = count_trailing_zeros(odd);
    std::size_t fraction = 0;
    if (point != length) {
      // Nothing but the end follows it, and it is a '.', not alone.
      const std::uint32_t behind = odd & (odd - 1);
      const bool ends_next = (behind & (0 - behind)) == end;
      if (HWY_UNLIKELY(!ends_next || first[point] != '.' || length == 1)) return false;
      fraction = length - point - 1;
    } else if (HWY_UNLIKELY(length == kLongest || (negative && *first == '0'))) {
      return false;  // Perhaps no double, or a zero without a sign, which "-0" alone has.
    }
    const Vec16 aligned = hn::TableLookupBytesOr0(digits, shuffle_of(length, point));
    return scale(add_up(aligned), fraction, negative, value);
  }
}

// Numbers [i, count), until one must be read slowly; returns its index. A loop that calls nothing
// keeps its constants in registers.
template <typename T>
HWY_INLINE std::size_t convert_run(const char* text, const std::uint32_t* at, std::size_t i,
                                   std::size_t count, std::byte* out) {
  for (; i < count; ++i) {
    T value;
    if (HWY_UNLIKELY(!convert(text + at[2 * i], text + at[2 * i + 1], value))) break;
    std::memcpy(out + i * sizeof value, &value, sizeof value);
  }
  return i;
}

// Numbers until one cannot be read; returns how many.
template <typename T>
std::size_t convert_all(const char* text, const std::uint32_t* at, std::size_t count,
                        std::byte* out) {
  for (std::size_t i = 0;; ++i) {
    i = convert_run<T>(text, at, i, count, out);
    T value;
    if (i == count || !convert_slowly(text + at[2 * i], text + at[2 * i + 1], value)) return i;
    std::memcpy(out + i * sizeof value, &value, sizeof value);
  }
}

void read_run(const ElementInfo& info, NumberRun& run) {
  NumberIndex index;
  const std::size_t numbers = info.numbers();
  const std::size_t element_bytes = numbers * element_size(info.component);
  while (run.count < run.capacity) {
    const auto left = static_cast<std::size_t>(run.text_end - run.text);
    if (left < kBlock + kLongest) return;
    const std::size_t size = HWY_MIN(kChunk, (left - kLongest) / kBlock * kBlock);
    index_chunk(run.text, size, info.columns == 1, index);
    const std::size_t found = keep_numbers(info, run.text, index);
    const std::size_t wanted = HWY_MIN(found, run.capacity - run.count);
    std::byte* const out = run.out + run.count * element_bytes;
    std::size_t read = 0;
    with_component(info.component, [&](auto* type) {
      using T = std::remove_pointer_t<decltype(type)>;
      read = convert_all<T>(run.text, index.at, wanted * numbers, out) / numbers;
    });
    if (read == 0) return;
    run.count += read;
    run.text = behind_comma(run.text + index.at[2 * read * numbers - 1]);
    if (read != found) return;
  }
}

// Whole blocks of 64 characters from survey.close on.
void survey_array_blocks(const char* last, ArraySurvey& survey) {
  const Bytes d;
  const ByteVec bracket = hn::Set(d, ']'), comma = hn::Set(d, ','), feed = hn::Set(d, '\n');
  for (; static_cast<std::size_t>(last - survey.close) >= kLanes; survey.close += kLanes) {
    const ByteVec v = hn::LoadU(d, bytes_at(survey.close));
    if (!hn::AllFalse(d, hn::Eq(v, bracket))) return;
    survey.commas += hn::CountTrue(d, hn::Eq(v, comma));
    survey.line_feeds += hn::CountTrue(d, hn::Eq(v, feed));
  }
}

void survey_text_blocks(const char* first, const char* last, TextSurvey& survey) {
  const Bytes d;
  const ByteVec carriage_return = hn::Set(d, '\r');
  const char* p = first;
  auto returns = hn::Eq(hn::Zero(d), carriage_return);
  for (; static_cast<std::size_t>(last - p) >= kLanes; p += kLanes) {
    const ByteVec v = hn::LoadU(d, bytes_at(p));
    if (!hn::AllTrue(d, hn::Lt(v, hn::Set(d, 0x80)))) break;
    returns = hn::Or(returns, hn::Eq(v, carriage_return));
  }
  survey.ascii = static_cast<std::size_t>(p - first);
  survey.carriage_returns = !hn::AllFalse(d, returns);
}

#endif  // vectors

}  // namespace sinew::usda::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace sinew::usda {

NumberKernels vector_number_kernels(SimdLevel level) noexcept {
  NumberKernels kernels;
  kernels.read = SINEW_SELECT_KERNEL(decltype(kernels.read), level, read_run);
  kernels.survey_array =
      SINEW_SELECT_KERNEL(decltype(kernels.survey_array), level, survey_array_blocks);
  kernels.survey_text =
      SINEW_SELECT_KERNEL(decltype(kernels.survey_text), level, survey_text_blocks);
  return kernels;
}

}  // namespace sinew::usda

#endif  // HWY_ONCE
