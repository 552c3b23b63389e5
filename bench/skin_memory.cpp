// SPDX-License-Identifier: Apache-2.0
// What skinning moves through memory, without its arithmetic: no skinning is faster.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "sinew/core/buffer.hpp"

namespace {

using sinew::Buffer;

/// Bytes read plus bytes written, half each.
void run_copy(benchmark::State& state, std::size_t bytes) {
  Buffer from(bytes / 2), to(bytes / 2);
  std::memset(from.mutable_data(), 1, from.size());
  std::memset(to.mutable_data(), 1, to.size());
  for (auto _ : state) {
    std::memcpy(to.mutable_data(), from.data(), from.size());
    benchmark::ClobberMemory();
  }
  state.counters["bytes_per_second"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * static_cast<double>(bytes),
                         benchmark::Counter::kIsRate);
}

/// The traffic of skinning with indices and weights per point, without its arithmetic: reads 12
/// bytes of point and 6 per influence, writes 12.
void run_traffic(benchmark::State& state, std::size_t points, std::size_t influences) {
  const std::size_t words = points * (3 + (6 * influences + 3) / 4);
  std::vector<std::uint32_t> in(words, 1), out(3 * points);
  for (auto _ : state) {
    const std::size_t per_point = words / points;
    for (std::size_t i = 0; i < points; ++i) {
      std::uint32_t sum = 0;
      for (std::size_t k = 3; k < per_point; ++k) sum += in[i * per_point + k];
      for (std::size_t k = 0; k < 3; ++k) out[3 * i + k] = in[i * per_point + k] + sum;
    }
    benchmark::ClobberMemory();
  }
  const auto total = static_cast<double>(state.iterations()) * static_cast<double>(points);
  state.counters["points_per_second"] = benchmark::Counter(total, benchmark::Counter::kIsRate);
  state.counters["bytes_per_second"] = benchmark::Counter(
      total * (24.0 + 6.0 * static_cast<double>(influences)), benchmark::Counter::kIsRate);
}

/// The traffic of skinning in blocks of 32: every cache line of points and of a tile of weights is
/// read, every line of points written.
void run_block_traffic(benchmark::State& state, std::size_t points, std::size_t joints) {
  constexpr std::size_t kLine = 64, kBlockOfPoints = 32 * 12;
  const std::size_t blocks = points / 32, tile = 32 * 4 * joints;
  Buffer in(blocks * kBlockOfPoints), tiles(blocks * tile), out(blocks * kBlockOfPoints);
  std::memset(in.mutable_data(), 0, in.size());
  std::memset(tiles.mutable_data(), 0, tiles.size());
  std::memset(out.mutable_data(), 0, out.size());
  unsigned sum = 0;
  for (auto _ : state) {
    for (std::size_t b = 0; b < blocks; ++b) {
      const std::byte* const weights = tiles.data() + b * tile;
      for (std::size_t i = 0; i < tile; i += kLine) sum += static_cast<unsigned>(weights[i]);
      std::memcpy(out.mutable_data() + b * kBlockOfPoints, in.data() + b * kBlockOfPoints,
                  kBlockOfPoints);
    }
    benchmark::DoNotOptimize(sum);
    benchmark::ClobberMemory();
  }
  const auto total = static_cast<double>(state.iterations()) * static_cast<double>(points);
  state.counters["points_per_second"] = benchmark::Counter(total, benchmark::Counter::kIsRate);
  state.counters["bytes_per_second"] = benchmark::Counter(
      total * (24.0 + 4.0 * static_cast<double>(joints)), benchmark::Counter::kIsRate);
}

void add_all() {
  for (const std::size_t bytes : {340'000U, 3'400'000U, 34'000'000U, 50'000'000U}) {
    benchmark::RegisterBenchmark(("Memory/copy/bytes:" + std::to_string(bytes)).c_str(),
                                 [bytes](benchmark::State& s) { run_copy(s, bytes); });
  }
  for (const std::size_t points : {10'000U, 100'000U, 1'000'000U}) {
    for (const std::size_t influences : {4U, 8U}) {
      benchmark::RegisterBenchmark(
          ("Memory/lbs_traffic/points:" + std::to_string(points) +
           "/influences:" + std::to_string(influences))
              .c_str(),
          [points, influences](benchmark::State& s) { run_traffic(s, points, influences); });
    }
  }
  for (const std::size_t points : {10'000U, 100'000U, 1'000'000U}) {
    for (const std::size_t joints : {2U, 4U, 7U, 15U}) {
      benchmark::RegisterBenchmark(
          ("Memory/block_traffic/points:" + std::to_string(points) +
           "/joints_per_block:" + std::to_string(joints))
              .c_str(),
          [points, joints](benchmark::State& s) { run_block_traffic(s, points, joints); });
    }
  }
}

[[maybe_unused]] const bool registered = (add_all(), true);

}  // namespace
