// SPDX-License-Identifier: Apache-2.0
//
// Arrays of numbers in plain C++, and the choice of the instruction set. Digits are taken eight at
// a time: a subtraction separates digits from other characters, three multiplications add them up.
#include "usda/number_list.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

#include "usda/kernels/number_kernels.hpp"

namespace sinew::usda {

namespace {

// No number that is read here is longer, and reading may look that far ahead.
constexpr std::ptrdiff_t kLookAhead = 48;

// Eight characters, the first in the lowest byte.
std::uint64_t load_eight(const char* p) noexcept {
  std::uint64_t eight = 0;
  if constexpr (std::endian::native == std::endian::little) {
    std::memcpy(&eight, p, sizeof eight);
  } else {
    for (unsigned i = 0; i < 8; ++i) {
      eight |= std::uint64_t{static_cast<unsigned char>(p[i])} << (8 * i);
    }
  }
  return eight;
}

#if !defined(__wasm_simd128__)

// How many of the eight characters are digits before the first that is not.
unsigned leading_digits(std::uint64_t eight) noexcept {
  // The high half of a byte is 3 for '0' to '?'; adding 6 carries into it from ':' on.
  const std::uint64_t odd = ((eight & 0xF0F0F0F0F0F0F0F0U) |
                             (((eight + 0x0606060606060606U) & 0xF0F0F0F0F0F0F0F0U) >> 4)) ^
                            0x3333333333333333U;
  return static_cast<unsigned>(std::countr_zero(odd)) / 8;
}

// The first `count` of eight digits as a number; count is 1 to 8, or 0 with an arbitrary result.
std::uint64_t add_up(std::uint64_t eight, unsigned count) noexcept {
  std::uint64_t digits = (eight - 0x3030303030303030U) << ((64 - 8 * count) & 63);
  digits = (digits * 10 + (digits >> 8)) & 0x00FF00FF00FF00FFU;
  digits = (digits * 100 + (digits >> 16)) & 0x0000FFFF0000FFFFU;
  return (digits * 10'000 + (digits >> 32)) & 0xFFFFFFFFU;
}

constexpr std::uint64_t kTens[] = {1,       10,        100,        1'000,      10'000,
                                   100'000, 1'000'000, 10'000'000, 100'000'000};

// Takes up to 16 digits at p; returns how many there were, 17 if more.
unsigned take_digits(const char* p, std::uint64_t& value) noexcept {
  const std::uint64_t first = load_eight(p);
  const unsigned count = leading_digits(first);
  if (count == 0) return 0;
  value = value * kTens[count] + add_up(first, count);
  if (count < 8) return count;
  const std::uint64_t second = load_eight(p + 8);
  const unsigned more = leading_digits(second);
  if (more == 0) return 8;
  value = value * kTens[more] + add_up(second, more);
  if (more < 8) return 8 + more;
  return p[16] >= '0' && p[16] <= '9' ? 17 : 16;
}

bool is_number_character(char c) noexcept {
  return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E';
}

// As above, without a branch on the number of digits: that of fractions is hard to predict.
unsigned take_fraction(const char* p, std::uint64_t& value) noexcept {
  const std::uint64_t first = load_eight(p);
  const std::uint64_t second = load_eight(p + 8);
  const unsigned count = leading_digits(first);
  const unsigned more = count == 8 ? leading_digits(second) : 0;
  const std::uint64_t high = count == 0 ? 0 : add_up(first, count);
  const std::uint64_t low = more == 0 ? 0 : add_up(second, more);
  value = (value * kTens[count] + high) * kTens[more] + low;
  const bool longer = more == 8 && p[16] >= '0' && p[16] <= '9';
  return count + more + (longer ? 1 : 0);
}

// The number at p, which must end right before a ',' or ')'. Returns its end, or null.
template <typename T>
const char* take_number(const char* p, const char* look_end, T& value) noexcept {
  const char* const first = p;
  const bool negative = *p == '-';
  p += negative ? 1 : 0;
  std::uint64_t digits = 0;
  const unsigned whole = take_digits(p, digits);
  const char* end = p + whole;
  unsigned fraction = 0;
  if constexpr (!std::is_integral_v<T>) {
    if (whole <= 16 && *end == '.') {
      fraction = take_fraction(end + 1, digits);
      end += 1 + fraction;
    }
  }
  const bool ends = *end == ',' || *end == ')';
  // A zero without a point has no sign, unless it is "-0".
  const bool is_exact =
      std::is_integral_v<T> || (digits <= kExactIntegers && (digits + fraction != 0 || !negative));
  // 19 digits fit the 64 bits that they were added up in.
  if (ends && whole + fraction - 1 < 19 && whole <= 16 && fraction <= 16 && is_exact &&
      scale(digits, fraction, negative, value)) {
    return end;
  }
  end = first;
  while (end < look_end && is_number_character(*end)) ++end;
  if (end == look_end || (*end != ',' && *end != ')')) return nullptr;
  return convert_slowly(first, end, value) ? end : nullptr;
}

const char* skip_blanks(const char* p, const char* end) noexcept {
  while (p < end && (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r')) ++p;
  return p;
}

// `columns` numbers with commas between them, and what closes them. Returns the place after it, or
// null.
template <typename T>
const char* take_row(std::size_t columns, char close, const char* p, const char* end,
                     std::byte* out) noexcept {
  for (;; out += sizeof(T)) {
    p = skip_blanks(p, end);
    if (end - p < kLookAhead) return nullptr;
    T value;
    p = take_number(p, end, value);
    if (p == nullptr) return nullptr;
    std::memcpy(out, static_cast<const void*>(&value), sizeof value);
    const char after = *p++;
    if (--columns == 0) return after == close ? p : nullptr;
    if (after != ',') return nullptr;
  }
}

// One element with its comma at p. Returns the place after it, or null.
template <typename T>
const char* take_element(const ElementInfo& info, const char* p, const char* end,
                         std::byte* out) noexcept {
  const std::size_t columns = info.columns;
  if (columns == 1) return take_row<T>(1, ',', p, end, out);
  const bool is_matrix = info.rows != 0;
  const std::size_t rows = is_matrix ? info.rows : 1;
  const auto take = [&](char c) {
    p = skip_blanks(p, end);
    return p < end && *p++ == c;
  };
  if (is_matrix && !take('(')) return nullptr;
  for (std::size_t row = 0; row < rows; ++row) {
    if (!take('(')) return nullptr;
    p = take_row<T>(columns, ')', p, end, out + row * columns * sizeof(T));
    if (p == nullptr || (row + 1 < rows && (p == end || *p++ != ','))) return nullptr;
  }
  if (is_matrix && !take(')')) return nullptr;
  return p < end && *p == ',' ? p + 1 : nullptr;
}

#endif

// Where every machine has vectors, nobody asks for less but tests, which read one by one.
#if defined(__wasm_simd128__)
void read_scalar(const ElementInfo&, NumberRun&) noexcept {}
#else
void read_scalar(const ElementInfo& info, NumberRun& run) noexcept {
  with_component(info.component, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    const std::size_t bytes = info.numbers() * sizeof(T);
    // Of their own: the bytes that are written could be those of the run.
    std::size_t count = run.count;
    const char* text = run.text;
    while (count < run.capacity) {
      const char* after = take_element<T>(info, text, run.text_end, run.out + count * bytes);
      if (after == nullptr) break;
      text = after;
      ++count;
    }
    run.count = count;
    run.text = text;
  });
}
#endif

// Whole blocks from survey.close on that have no ']'. Sums in bytes, so that compilers use what
// vectors every machine of a kind has.
void survey_blocks(const char* last, ArraySurvey& survey) noexcept {
  constexpr std::ptrdiff_t kBlock = 128;
  for (; last - survey.close >= kBlock; survey.close += kBlock) {
    std::uint8_t commas = 0;
    std::uint8_t feeds = 0;
    std::uint8_t brackets = 0;
    for (std::ptrdiff_t i = 0; i < kBlock; ++i) {
      const char c = survey.close[i];
      commas = static_cast<std::uint8_t>(commas + (c == ','));
      feeds = static_cast<std::uint8_t>(feeds + (c == '\n'));
      brackets = static_cast<std::uint8_t>(brackets + (c == ']'));
    }
    if (brackets != 0) return;
    survey.commas += commas;
    survey.line_feeds += feeds;
  }
}

}  // namespace

void read_number_run(const ElementInfo& info, SimdLevel level, NumberRun& run) noexcept {
  run.count = 0;
  const auto read = vector_number_kernels(level).read;
  read != nullptr ? read(info, run) : read_scalar(info, run);
}

ArraySurvey survey_array(const char* first, const char* last, SimdLevel level) noexcept {
  ArraySurvey survey{.close = first};
  const auto blocks = vector_number_kernels(level).survey_array;
  blocks != nullptr ? blocks(last, survey) : survey_blocks(last, survey);
  const char* const rest = survey.close;
  if (rest == last) return survey;
  const void* found = std::memchr(rest, ']', static_cast<std::size_t>(last - rest));
  survey.close = found != nullptr ? static_cast<const char*>(found) : last;
  survey.commas += static_cast<std::size_t>(std::count(rest, survey.close, ','));
  survey.line_feeds += static_cast<std::size_t>(std::count(rest, survey.close, '\n'));
  return survey;
}

TextSurvey survey_text(const char* first, const char* last, SimdLevel level) noexcept {
  TextSurvey survey;
  if (const auto blocks = vector_number_kernels(level).survey_text) {
    blocks(first, last, survey);
    return survey;
  }
  constexpr std::ptrdiff_t kBlock = 64;
  const char* p = first;
  for (; last - p >= kBlock; p += kBlock) {
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < kBlock; i += 8) all |= load_eight(p + i);
    if ((all & 0x8080808080808080U) != 0) break;
  }
  survey.ascii = static_cast<std::size_t>(p - first);
  survey.carriage_returns = survey.ascii != 0 && std::memchr(first, '\r', survey.ascii) != nullptr;
  return survey;
}

}  // namespace sinew::usda
