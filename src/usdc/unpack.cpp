// SPDX-License-Identifier: Apache-2.0
#include "usdc/unpack.hpp"

#include <lz4.h>

#include <algorithm>
#include <array>
#include <limits>
#include <type_traits>

#include "usdc/byte_reader.hpp"
#include "usdc/format.hpp"

namespace sinew::usdc {

namespace {

// Whether a block copies bytes from a distance of 0. LZ4 lets that pass, and does not promise what
// comes of it. The block is one that LZ4 has accepted.
bool copies_from_itself(std::span<const std::byte> block) noexcept {
  std::size_t at = 0;
  const auto next = [&] { return at < block.size() ? std::to_integer<unsigned>(block[at++]) : 0U; };
  const auto length = [&](unsigned first) {
    constexpr unsigned kContinued = 15;
    std::size_t sum = first;
    unsigned more = first == kContinued ? 255 : 0;
    while (more == 255) {
      more = next();
      sum += more;
    }
    return sum;
  };
  while (at < block.size()) {
    const unsigned token = next();
    const std::size_t literals = length(token >> 4);
    if (literals >= block.size() - at) return false;  // The last ones end the block.
    at += literals;
    if ((next() | next()) == 0) return true;
    length(token & 15);
  }
  return false;
}

std::optional<std::size_t> unpack_block(std::span<const std::byte> packed,
                                        std::span<std::byte> out) noexcept {
  // LZ4 counts in int; a block never needs more.
  if (packed.empty() || packed.size() > LZ4_COMPRESSBOUND(kMaxChunkBytes)) return std::nullopt;
  std::byte nothing;
  const std::size_t room = std::min(out.size(), kMaxChunkBytes);
  const int size = LZ4_decompress_safe(reinterpret_cast<const char*>(packed.data()),
                                       reinterpret_cast<char*>(room == 0 ? &nothing : out.data()),
                                       static_cast<int>(packed.size()), static_cast<int>(room));
  if (size < 0 || copies_from_itself(packed)) return std::nullopt;
  return static_cast<std::size_t>(size);
}

// Bytes that a difference of code 0 to 3 takes.
template <typename T>
constexpr std::size_t width_of(unsigned code) noexcept {
  return code == 0 ? 0 : (sizeof(T) / 4) << (code - 1);
}

// Where the differences of four integers are, by the byte that codes them.
struct Four {
  std::uint8_t start[4];  // From the first of them.
  std::uint8_t size;
};

template <typename T>
constexpr std::array<Four, 256> make_fours() {
  std::array<Four, 256> fours{};
  for (unsigned byte = 0; byte < 256; ++byte) {
    std::size_t at = 0;
    for (unsigned i = 0; i < 4; ++i) {
      fours[byte].start[i] = static_cast<std::uint8_t>(at);
      at += width_of<T>((byte >> (2 * i)) & 3);
    }
    fours[byte].size = static_cast<std::uint8_t>(at);
  }
  return fours;
}

template <typename T>
constexpr std::array<Four, 256> kFours = make_fours<T>();

// The bits that differences of each code have, and the last one of them, which is their sign; where
// they have all bits of an integer there is nothing to extend.
template <typename T>
constexpr std::array<T, 4> kKeep = {0, std::numeric_limits<T>::max() >> (6 * sizeof(T)),
                                    std::numeric_limits<T>::max() >> (4 * sizeof(T)),
                                    std::numeric_limits<T>::max()};
template <typename T>
constexpr std::array<T, 4> kSign = {0, T{1} << (2 * sizeof(T) - 1), T{1} << (4 * sizeof(T) - 1), 0};

// Reads past the end of short differences are harmless: so many bytes follow.
constexpr std::size_t kSlack = 4 * sizeof(std::uint64_t);

// Integers of one width come in long runs: so many are looked at together.
constexpr std::size_t kEven = 16;

// The bytes of each of kEven differences, if they have the same width; else 0.
std::size_t even_width(std::uint32_t codes) noexcept {
  return codes == 0x55555555U ? 1 : codes == 0xAAAAAAAAU ? 2 : codes == 0xFFFFFFFFU ? 4 : 0;
}

// The code of the integer i.
unsigned code_at(const std::uint8_t* codes, std::size_t i) noexcept {
  return (codes[i / 4] >> (2 * (i % 4))) & 3U;
}

}  // namespace

template <typename T>
RunError IntegerRun<T>::open(std::span<const std::byte> packed, std::size_t count) {
  const std::size_t code_bytes = count / 4 + (count % 4 != 0 ? 1 : 0);
  const std::size_t head = sizeof(T) + code_bytes;
  const std::size_t most =
      std::min<std::size_t>(head + count * sizeof(T), packed.size() * kMaxGain);
  plain_ = Buffer(most + kSlack);
  const auto size = unpack(packed, {plain_.mutable_data(), most});
  if (!size) return RunError::lz4;
  if (*size < head) return RunError::integers;
  of_code_ = {};
  for (unsigned code = 0; code < 4; ++code) of_code_[code] -= kSign<T>[code];
  of_code_[0] += load<T>(plain_.data());
  codes_ = reinterpret_cast<const std::uint8_t*>(plain_.data()) + sizeof(T);
  at_ = {plain_.data() + head, 0};
  std::size_t wanted = 0;
  for (std::size_t i = 0; i < count / 4; ++i) wanted += kFours<T>[codes_[i]].size;
  for (std::size_t i = count / 4 * 4; i < count; ++i) wanted += width_of<T>(code_at(codes_, i));
  return *size - head == wanted ? RunError::none : RunError::integers;
}

template <typename T>
void IntegerRun<T>::read(std::size_t count, T* out) noexcept {
  const std::uint8_t* codes = codes_;
  Place at = at_;
  std::size_t i = 0;
  if constexpr (sizeof(T) == sizeof(std::uint32_t)) {  // Arrays of 64-bit integers are rare.
    for (; i + kEven <= count; i += kEven, codes += kEven / 4) {
      switch (even_width(load<std::uint32_t>(codes))) {
        case 1:
          at = read_even<std::int8_t>(at, out + i);
          break;
        case 2:
          at = read_even<std::int16_t>(at, out + i);
          break;
        case 4:
          at = read_even<std::int32_t>(at, out + i);
          break;
        default:
          for (std::size_t k = 0; k < kEven / 4; ++k) {
            at = read_four(codes[k], at, out + i + 4 * k);
          }
      }
    }
  }
  for (; i + 4 <= count; i += 4) at = read_four(*codes++, at, out + i);
  for (std::size_t k = 0; i < count; ++i, ++k) {
    const unsigned c = code_at(codes, k);
    out[i] = at.value += difference(c, at.differences);
    at.differences += width_of<T>(c);
  }
  codes_ = codes;
  at_ = at;
}

template <typename T>
template <typename Narrow>
inline typename IntegerRun<T>::Place IntegerRun<T>::read_even(Place at, T* out) noexcept {
  for (std::size_t i = 0; i < kEven; ++i) {
    out[i] = at.value += static_cast<T>(load<Narrow>(at.differences + i * sizeof(Narrow)));
  }
  return {at.differences + kEven * sizeof(Narrow), at.value};
}

template <typename T>
inline typename IntegerRun<T>::Place IntegerRun<T>::read_four(unsigned codes, Place at,
                                                              T* out) const noexcept {
  if (codes == 0) {
    const T common = of_code_[0];
    out[0] = at.value += common;
    out[1] = at.value += common;
    out[2] = at.value += common;
    out[3] = at.value += common;
    return at;
  }
  const Four& four = kFours<T>[codes];
  const std::byte* const p = at.differences;
  out[0] = at.value += difference(codes & 3, p);
  out[1] = at.value += difference((codes >> 2) & 3, p + four.start[1]);
  out[2] = at.value += difference((codes >> 4) & 3, p + four.start[2]);
  out[3] = at.value += difference(codes >> 6, p + four.start[3]);
  return {p + four.size, at.value};
}

// Without branches: codes do not follow a pattern. What is beyond the width is cut off; with the
// sign turned over and taken away again, which of_code_ does, the sign of what is left is extended.
template <typename T>
inline T IntegerRun<T>::difference(unsigned code, const std::byte* p) const noexcept {
  return ((load<T>(p) & kKeep<T>[code]) ^ kSign<T>[code]) + of_code_[code];
}

template class IntegerRun<std::uint32_t>;
template class IntegerRun<std::uint64_t>;

std::optional<std::size_t> unpack(std::span<const std::byte> packed,
                                  std::span<std::byte> out) noexcept {
  if (packed.empty()) return std::nullopt;
  const auto chunks = static_cast<std::uint8_t>(packed[0]);
  packed = packed.subspan(1);
  if (chunks == 0) return unpack_block(packed, out);
  if (chunks > kMaxChunks) return std::nullopt;
  std::size_t produced = 0;
  for (unsigned i = 0; i < chunks; ++i) {
    if (packed.size() < sizeof(std::int32_t)) return std::nullopt;
    const auto size = load<std::int32_t>(packed.data());
    packed = packed.subspan(sizeof size);
    if (size <= 0 || static_cast<std::size_t>(size) > packed.size()) return std::nullopt;
    const auto read =
        unpack_block(packed.first(static_cast<std::size_t>(size)), out.subspan(produced));
    if (!read) return std::nullopt;
    produced += *read;
    packed = packed.subspan(static_cast<std::size_t>(size));
  }
  if (!packed.empty()) return std::nullopt;
  return produced;
}

template <typename T>
RunError unpack_integers(std::span<const std::byte> packed, std::size_t count, T* out) {
  static_assert(std::is_same_v<T, std::uint32_t> || std::is_same_v<T, std::uint64_t>);
  if (count == 0) return RunError::none;
  IntegerRun<T> run;
  const RunError error = run.open(packed, count);
  if (error == RunError::none) run.read(count, out);
  return error;
}

template RunError unpack_integers<std::uint32_t>(std::span<const std::byte>, std::size_t,
                                                 std::uint32_t*);
template RunError unpack_integers<std::uint64_t>(std::span<const std::byte>, std::size_t,
                                                 std::uint64_t*);

RunError unpack_integers(std::span<const std::byte> packed, std::size_t count,
                         const TakeIntegers& take) {
  IntegerRun<std::uint32_t> run;
  const RunError error = run.open(packed, count);
  if (error != RunError::none) return error;
  std::array<std::uint32_t, 1024> block;
  static_assert(block.size() % 4 == 0);
  for (std::size_t first = 0; first < count; first += block.size()) {
    const std::size_t size = std::min(block.size(), count - first);
    run.read(size, block.data());
    if (!take({block.data(), size})) return RunError::integers;
  }
  return RunError::none;
}

}  // namespace sinew::usdc
