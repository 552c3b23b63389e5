// SPDX-License-Identifier: Apache-2.0
#include "usdc/compress.hpp"

#include <lz4.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

#include "core/large_pages.hpp"
#include "sinew/core/assert.hpp"
#include "usdc/format.hpp"
#include "usdc/hash.hpp"

namespace sinew::usdc {

namespace {

template <typename T>
void append(std::vector<std::byte>& out, T value) {
  const std::size_t at = out.size();
  out.resize(at + sizeof value);
  std::memcpy(out.data() + at, &value, sizeof value);
}

// One LZ4 block at the end of `out`. Its size.
std::size_t append_block(std::span<const std::byte> plain, std::vector<std::byte>& out) {
  const auto size = static_cast<int>(plain.size());
  const int bound = LZ4_compressBound(size);
  const std::size_t at = out.size();
  out.resize(at + static_cast<std::size_t>(bound));
  const int made = LZ4_compress_default(reinterpret_cast<const char*>(plain.data()),
                                        reinterpret_cast<char*>(out.data() + at), size, bound);
  SINEW_ASSERT(made > 0);
  out.resize(at + static_cast<std::size_t>(made));
  return static_cast<std::size_t>(made);
}

// Finds the most frequent difference. Small ones, which are most, have a counter of their own each;
// the others are counted only if they could be as many, and, of many, if a sample has one twice:
// what no sample finds twice is so rare that its bytes do not count.
template <typename U>
class CommonDifference {
 public:
  using S = std::make_signed_t<U>;

  static S find(std::span<const U> integers) {
    CommonDifference counter;
    counter.count_small(integers);
    const bool may_be_large = counter.large_ != 0 && counter.large_ >= counter.best_count_;
    if (may_be_large && counter.repeats_in_sample(integers)) counter.count_large(integers);
    return counter.best_;
  }

 private:
  static constexpr std::uint32_t kSmall = 1024;
  static constexpr std::size_t kParts = 512;
  struct Slot {
    U difference = 0;
    std::uint32_t count = 0;
  };

  static bool is_small(U difference) noexcept {
    return static_cast<U>(difference + kSmall) < 2 * kSmall;
  }

  void count_small(std::span<const U> integers) {
    std::vector<std::uint64_t> counts(2 * kSmall);
    U previous = 0;
    for (const U value : integers) {
      const U difference = value - previous;
      previous = value;
      if (is_small(difference)) {
        ++counts[static_cast<std::size_t>(static_cast<U>(difference + kSmall))];
      } else {
        ++large_;
      }
    }
    for (std::size_t i = 0; i < counts.size(); ++i) {  // Ascending, so that the largest wins.
      if (counts[i] != 0 && counts[i] >= best_count_) {
        best_ = static_cast<S>(static_cast<S>(i) - static_cast<S>(kSmall));
        best_count_ = counts[i];
      }
    }
  }

  // Whether some large difference may be frequent.
  bool repeats_in_sample(std::span<const U> integers) const {
    constexpr std::size_t kSample = 4096;
    if (integers.size() < 32 * kSample) return true;
    std::vector<U> slots(4 * kSample, 0);  // Never that of a large difference.
    std::uint32_t turn = 0;
    for (std::size_t i = 0; i < kSample; ++i) {
      // By the golden ratio, at places that keep clear of each other and of any period of the data.
      turn += 0x9E3779B9U;
      const auto at = static_cast<std::size_t>((std::uint64_t{turn} * (integers.size() - 1)) >> 32);
      const U difference = integers[at + 1] - integers[at];
      if (is_small(difference)) continue;
      std::size_t slot = static_cast<std::size_t>(hash_of(difference)) & (slots.size() - 1);
      for (; slots[slot] != 0; slot = (slot + 1) & (slots.size() - 1)) {
        if (slots[slot] == difference) return true;
      }
      slots[slot] = difference;
    }
    return false;
  }

  // Sorts the differences into parts that fit the cache, and counts each part by itself.
  void count_large(std::span<const U> integers) {
    std::vector<std::size_t> ends(kParts + 1);
    each_large(integers, [&](U difference) { ++ends[part_of(difference) + 1]; });
    for (std::size_t i = 0; i < kParts; ++i) ends[i + 1] += ends[i];
    std::vector<U> sorted;
    reserve_large(sorted, static_cast<std::size_t>(large_));
    sorted.resize(static_cast<std::size_t>(large_));
    std::vector<std::size_t> next(ends.begin(), ends.end() - 1);
    each_large(integers, [&](U difference) { sorted[next[part_of(difference)]++] = difference; });
    std::vector<Slot> slots;
    for (std::size_t i = 0; i < kParts; ++i) {
      const auto part = std::span<const U>(sorted).subspan(ends[i], ends[i + 1] - ends[i]);
      if (!part.empty() && part.size() >= best_count_) count_part(part, slots);
    }
  }

  template <typename Visit>
  void each_large(std::span<const U> integers, Visit visit) const {
    U previous = 0;
    for (const U value : integers) {
      const U difference = value - previous;
      previous = value;
      if (!is_small(difference)) visit(difference);
    }
  }

  // Those that may occur more than once, all of each.
  std::span<const U> repeated_of(std::span<const U> part) {
    constexpr std::size_t kWord = 64;
    constexpr std::size_t kBits = 131'072;
    seen_.assign(kBits / kWord, 0);
    again_.assign(kBits / kWord, 0);
    const auto bit_of = [&](U difference) {
      return static_cast<std::size_t>(hash_of(difference) >> 32) % kBits;
    };
    for (const U difference : part) {
      const std::size_t bit = bit_of(difference);
      const std::uint64_t mask = std::uint64_t{1} << (bit % kWord);
      again_[bit / kWord] |= seen_[bit / kWord] & mask;
      seen_[bit / kWord] |= mask;
    }
    repeated_.resize(part.size());
    std::size_t count = 0;
    for (const U difference : part) {
      const std::size_t bit = bit_of(difference);
      repeated_[count] = difference;
      count += (again_[bit / kWord] >> (bit % kWord)) & 1U;
    }
    return std::span<const U>(repeated_).first(count);
  }

  void count_part(std::span<const U> part, std::vector<Slot>& slots) {
    if (best_count_ > 1) part = repeated_of(part);  // Others are fewer than the best.
    slots.assign(std::bit_ceil(part.size() * 2), {});
    for (const U difference : part) {
      std::size_t i = static_cast<std::size_t>(hash_of(difference)) & (slots.size() - 1);
      while (slots[i].count != 0 && slots[i].difference != difference) {
        i = (i + 1) & (slots.size() - 1);
      }
      slots[i].difference = difference;
      const std::uint32_t count = ++slots[i].count;
      const S as_signed = static_cast<S>(difference);
      if (count > best_count_ || (count == best_count_ && as_signed > best_)) {
        best_ = as_signed;
        best_count_ = count;
      }
    }
  }

  std::uint64_t hash_of(U difference) const noexcept { return hash_number(difference, seed_); }
  std::size_t part_of(U difference) const noexcept {
    return static_cast<std::size_t>(hash_of(difference) >> 55);
  }

  HashSeed seed_ = HashSeed::of_address(this);
  S best_ = 0;
  std::uint64_t best_count_ = 0;
  std::uint64_t large_ = 0;
  std::vector<std::uint64_t> seen_;  // A bit for each of many hashes.
  std::vector<std::uint64_t> again_;
  std::vector<U> repeated_;
};

template <typename U>
std::vector<std::byte> code(std::span<const U> integers) {
  using S = std::make_signed_t<U>;
  using Small = std::conditional_t<sizeof(U) == 4, std::int8_t, std::int16_t>;
  using Middle = std::conditional_t<sizeof(U) == 4, std::int16_t, std::int32_t>;
  if (integers.empty()) return {};
  const S common = CommonDifference<U>::find(integers);
  const std::size_t code_bytes = (integers.size() + 3) / 4;
  std::vector<std::byte> out;
  reserve_large(out, sizeof(U) + code_bytes + (integers.size() + 1) * sizeof(U));
  out.resize(sizeof(U) + code_bytes + (integers.size() + 1) * sizeof(U));
  std::memcpy(out.data(), &common, sizeof common);
  auto* const codes = reinterpret_cast<unsigned char*>(out.data() + sizeof(U));
  std::byte* next = out.data() + sizeof(U) + code_bytes;
  constexpr std::size_t kWidths[] = {0, sizeof(Small), sizeof(Middle), sizeof(U)};
  U previous = 0;
  for (std::size_t i = 0; i < integers.size(); ++i) {
    const S difference = static_cast<S>(static_cast<U>(integers[i] - previous));
    previous = integers[i];
    // Without branches: which kind comes next cannot be foretold. The lowest bytes of a difference
    // are the narrower number, and what is written beyond them is overwritten by the next one.
    const unsigned is_other = difference != common ? 1U : 0U;
    const unsigned beyond_small = difference != static_cast<S>(static_cast<Small>(difference));
    const unsigned beyond_middle = difference != static_cast<S>(static_cast<Middle>(difference));
    const unsigned kind = is_other * (1U + beyond_small + beyond_middle);
    std::memcpy(next, &difference, sizeof difference);
    next += kWidths[kind];
    codes[i / 4] = static_cast<unsigned char>(codes[i / 4] | (kind << (2 * (i % 4))));
  }
  out.resize(static_cast<std::size_t>(next - out.data()));
  return out;
}

template <typename U>
void run(std::span<const U> integers, std::vector<std::byte>& out) {
  const std::size_t at = out.size();
  append(out, std::uint64_t{0});
  append_compressed(code(integers), out);
  const std::uint64_t size = out.size() - at - sizeof(std::uint64_t);
  std::memcpy(out.data() + at, &size, sizeof size);
}

}  // namespace

void append_compressed(std::span<const std::byte> plain, std::vector<std::byte>& out,
                       std::size_t chunk_bytes) {
  if (plain.size() <= chunk_bytes) {
    out.push_back(std::byte{0});
    append_block(plain, out);
    return;
  }
  const std::size_t chunks = (plain.size() + chunk_bytes - 1) / chunk_bytes;
  SINEW_ASSERT(chunks <= kMaxChunks);
  out.push_back(static_cast<std::byte>(chunks));
  while (!plain.empty()) {
    const std::span<const std::byte> chunk = plain.first(std::min(plain.size(), chunk_bytes));
    const std::size_t at = out.size();
    append(out, std::int32_t{0});
    const auto size = static_cast<std::int32_t>(append_block(chunk, out));
    std::memcpy(out.data() + at, &size, sizeof size);
    plain = plain.subspan(chunk.size());
  }
}

void append_compressed(std::span<const std::byte> plain, std::vector<std::byte>& out) {
  append_compressed(plain, out, kMaxChunkBytes);
}

void append_run(std::span<const std::uint32_t> integers, std::vector<std::byte>& out) {
  run(integers, out);
}
void append_run(std::span<const std::uint64_t> integers, std::vector<std::byte>& out) {
  run(integers, out);
}

std::vector<std::byte> code_integers(std::span<const std::uint32_t> integers) {
  return code(integers);
}
std::vector<std::byte> code_integers(std::span<const std::uint64_t> integers) {
  return code(integers);
}

}  // namespace sinew::usdc
