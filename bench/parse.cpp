// SPDX-License-Identifier: Apache-2.0
// Reading text: arrays of numbers at every level, many small prims, whole files; beside the
// standard library's conversion and a copy of the same bytes. Every text is read once and checked
// before it is measured. 500 MB only with SINEW_BENCH_LARGE set.
#include <benchmark/benchmark.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "sinew/core/executor_std_thread.hpp"
#include "sinew/usda/parser.hpp"
#include "tests/support/peak_memory.hpp"

#include <fmt/format.h>

namespace {

using namespace sinew;

constexpr std::size_t kNumbers = 1'500'000;

// An array of a type, written as the writer of USD does, and the numbers in it.
struct ArrayText {
  std::string text;
  std::string type;
  std::size_t columns = 1;
  std::size_t rows = 0;
};

template <typename Number>
ArrayText array_text(std::string type, std::size_t columns, std::size_t rows, std::size_t numbers,
                     Number number) {
  ArrayText array{"#usda 1.0\ndef \"A\"\n{\n    " + type + "[] values = [", type, columns, rows};
  std::string& text = array.text;
  const std::size_t per_element = columns * (rows == 0 ? 1 : rows);
  text.reserve(numbers * 14);
  for (std::size_t i = 0; i < numbers / per_element; ++i) {
    if (i != 0) text += ", ";
    if (rows != 0) text += "( ";
    for (std::size_t row = 0; row < (rows == 0 ? 1 : rows); ++row) {
      if (columns != 1) text += row == 0 ? "(" : ", (";
      for (std::size_t column = 0; column < columns; ++column) {
        fmt::format_to(std::back_inserter(text), "{}{}", column == 0 ? "" : ", ", number());
      }
      if (columns != 1) text += ")";
    }
    if (rows != 0) text += " )";
  }
  text += "]\n}\n";
  return array;
}

ArrayText points_text(std::size_t numbers) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform(-100.0F, 100.0F);
  return array_text("point3f", 3, 0, numbers, [&] { return uniform(random); });
}
ArrayText weights_text(std::size_t numbers) {
  std::mt19937 random(2);
  std::uniform_real_distribution<float> uniform(0.0F, 1.0F);
  return array_text("float", 1, 0, numbers, [&] { return uniform(random); });
}
ArrayText six_digits_text(std::size_t numbers) {
  std::mt19937 random(4);
  std::uniform_real_distribution<float> uniform(-100.0F, 100.0F);
  return array_text("float", 1, 0, numbers, [&] { return fmt::format("{:.6g}", uniform(random)); });
}
ArrayText doubles_text(std::size_t numbers) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  return array_text("double", 1, 0, numbers, [&] { return uniform(random); });
}
ArrayText integers_text(std::size_t numbers) {
  std::mt19937 random(3);
  return array_text("int", 1, 0, numbers, [&] { return random() % 100'000; });
}
ArrayText matrices_text(std::size_t numbers) {
  std::mt19937 random(6);
  std::uniform_real_distribution<float> uniform(-1.0F, 1.0F);
  return array_text("matrix4d", 4, 4, numbers, [&] { return uniform(random); });
}

std::string prims_text(std::size_t count) {
  std::string text = "#usda 1.0\n";
  for (std::size_t i = 0; i < count; ++i) {
    fmt::format_to(std::back_inserter(text),
                   "def Xform \"prim_{}\" (kind = \"component\")\n{{\n"
                   "    double3 xformOp:translate = ({}, 2, 3.5)\n"
                   "    uniform token[] xformOpOrder = [\"xformOp:translate\"]\n}}\n",
                   i, i % 100);
  }
  return text;
}

// The numbers of a text by the standard library, as the judge of what is measured.
template <typename T>
bool is_right(const std::string& text, const layer::Value& value) {
  const std::span<const std::byte> bytes = value.bytes();
  const char* p = text.data() + text.find('[', text.find('='));
  const char* const end = text.data() + text.size();
  for (std::size_t i = 0; i < bytes.size() / sizeof(T); ++i) {
    while (p < end && *p != '-' && (*p < '0' || *p > '9')) ++p;
    T expected{};
    T read{};
    p = std::from_chars(p, end, expected).ptr;
    std::memcpy(&read, bytes.data() + i * sizeof(T), sizeof(T));
    if (std::memcmp(&expected, &read, sizeof(T)) != 0) return false;
  }
  return bytes.size() >= sizeof(T);
}

bool is_right(const ArrayText& array, const layer::Value& value) {
  if (array.type == "int") return is_right<std::int32_t>(array.text, value);
  if (array.type == "double" || array.type == "matrix4d")
    return is_right<double>(array.text, value);
  return is_right<float>(array.text, value);
}

void count_bytes(benchmark::State& state, std::size_t bytes) {
  state.counters["bytes_per_second"] =
      benchmark::Counter(static_cast<double>(bytes), benchmark::Counter::kIsIterationInvariantRate);
}

void measure(benchmark::State& state, const std::string& text, const usda::ParseOptions& options) {
  test::PeakMemory memory;
  {
    Diagnostics diagnostics;
    const Result<layer::LayerPtr> layer = usda::parse(text, "bench", diagnostics, options);
    if (!layer) return state.SkipWithError("the text does not parse");
    // The text counts on both sides.
    const double ratio = memory.peak_to_result(static_cast<double>(text.size()));
    if (ratio > 0.0) state.counters["peak_to_text_and_result"] = ratio;
  }
  for (auto _ : state) {
    Diagnostics diagnostics;
    benchmark::DoNotOptimize(usda::parse(text, "bench", diagnostics, options));
  }
  count_bytes(state, text.size());
}

void measure(benchmark::State& state, const ArrayText& array, const usda::ParseOptions& options) {
  Diagnostics diagnostics;
  const Result<layer::LayerPtr> layer = usda::parse(array.text, "check", diagnostics, options);
  if (!layer || !is_right(array, (*layer)->root().children[0]->properties[0].default_value)) {
    return state.SkipWithError("the numbers differ from those of the standard library");
  }
  measure(state, array.text, options);
}

using MakeArray = ArrayText (*)(std::size_t);

benchmark::internal::Benchmark* add(const std::string& name,
                                    std::function<void(benchmark::State&)> body) {
  return benchmark::RegisterBenchmark(name.c_str(), std::move(body))->Unit(benchmark::kMillisecond);
}

void add_arrays(const std::string& name, MakeArray make) {
  const std::string prefix = fmt::format("Parse/{}/numbers:{}", name, kNumbers);
  for (const SimdLevel level : supported_simd_levels()) {
    add(fmt::format("{}/level:{}", prefix, to_string(level)), [=](benchmark::State& state) {
      usda::ParseOptions options;
      options.level = level;
      measure(state, make(kNumbers), options);
    });
  }
}

void add_sizes(const std::vector<std::size_t>& megabytes) {
  for (const std::size_t size : megabytes) {
    // 11.67 characters a number, 137 a prim.
    add(fmt::format("Parse/points3f/megabytes:{}", size), [=](benchmark::State& state) {
      measure(state, points_text(size * 1'000'000 / 35 * 3).text, {});
    });
    add(fmt::format("Parse/prims/megabytes:{}", size),
        [=](benchmark::State& state) { measure(state, prims_text(size * 1'000'000 / 150), {}); });
  }
}

void add_threads() {
  for (const std::size_t threads : {1U, 2U, 4U}) {
    add(fmt::format("Parse/points3f_threads/numbers:{}/threads:{}", 10 * kNumbers, threads),
        [=](benchmark::State& state) {
          StdThreadPool pool(threads);
          usda::ParseOptions options;
          options.executor = pool.executor();
          measure(state, points_text(10 * kNumbers), options);
        })
        ->UseRealTime();
  }
}

// The standard library on the same text.
template <typename T>
void add_from_chars(const std::string& name, MakeArray make) {
  add(fmt::format("Parse/Baseline/from_chars/{}/numbers:{}", name, kNumbers),
      [=](benchmark::State& state) {
        const std::string text = make(kNumbers).text;
        std::vector<T> values(kNumbers);
        for (auto _ : state) {
          const char* p = text.data() + text.find('[', text.find('=')) + 1;
          const char* const end = text.data() + text.size();
          for (T& value : values) {
            while (p < end && (*p == ',' || *p == ' ' || *p == '(' || *p == ')')) ++p;
            p = std::from_chars(p, end, value).ptr;
          }
          benchmark::DoNotOptimize(values.data());
        }
        count_bytes(state, text.size());
      });
}

void add_file(const std::string& file) {
  add("Parse/file:" + std::filesystem::path(file).filename().string(),
      [=](benchmark::State& state) {
        Diagnostics check;
        if (!usda::parse_file(file, check)) return state.SkipWithError("the file does not parse");
        for (auto _ : state) {
          Diagnostics diagnostics;
          benchmark::DoNotOptimize(usda::parse_file(file, diagnostics));
        }
        count_bytes(state, std::filesystem::file_size(file));
      });
}

void copy(benchmark::State& state) {
  const std::string text = weights_text(kNumbers).text;
  std::string target(text.size(), ' ');
  for (auto _ : state) {
    std::memcpy(target.data(), text.data(), text.size());
    benchmark::DoNotOptimize(target.data());
  }
  count_bytes(state, text.size());
}

[[maybe_unused]] const bool registered = [] {
  add_arrays("points3f", points_text);
  add_arrays("weights", weights_text);
  add_arrays("six_digits", six_digits_text);
  add_arrays("doubles", doubles_text);
  add_arrays("ints", integers_text);
  add_arrays("matrices", matrices_text);
  add("Parse/prims/count:60000",
      [](benchmark::State& state) { measure(state, prims_text(60'000), {}); });
  add_from_chars<float>("points3f", points_text);
  add_from_chars<float>("weights", weights_text);
  add_from_chars<float>("six_digits", six_digits_text);
  add_from_chars<double>("doubles", doubles_text);
  add_from_chars<std::int32_t>("ints", integers_text);
  add_from_chars<double>("matrices", matrices_text);
  add("Memory/copy", copy);
  add_threads();
  std::vector<std::size_t> sizes = {1, 10};
  if (std::getenv("SINEW_BENCH_SMOKE") == nullptr) sizes.push_back(100);
  if (std::getenv("SINEW_BENCH_LARGE") != nullptr) sizes.push_back(500);
  add_sizes(sizes);
  // Any other file: SINEW_BENCH_FILE=path.
  if (const char* file = std::getenv("SINEW_BENCH_FILE")) add_file(file);
  return true;
}();

}  // namespace
