// SPDX-License-Identifier: Apache-2.0
// The two layers of compression of the binary format, writing side: the coding of lists of
// integers by their differences, and the LZ4 container around it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew::usdc {

/// Appends the LZ4 container of `plain` to `out`. Blocks of `chunk_bytes` at most; smaller than the
/// format's own limit only in tests.
void append_compressed(std::span<const std::byte> plain, std::vector<std::byte>& out,
                       std::size_t chunk_bytes);
void append_compressed(std::span<const std::byte> plain, std::vector<std::byte>& out);

/// Appends a compressed run: the number of bytes that follow, and the container of the coding.
void append_run(std::span<const std::uint32_t> integers, std::vector<std::byte>& out);
void append_run(std::span<const std::uint64_t> integers, std::vector<std::byte>& out);

/// The coding by itself, before LZ4: the most frequent difference, two bits for each integer, and
/// the differences that are not the most frequent. Of equally frequent ones the largest counts.
std::vector<std::byte> code_integers(std::span<const std::uint32_t> integers);
std::vector<std::byte> code_integers(std::span<const std::uint64_t> integers);

}  // namespace sinew::usdc
