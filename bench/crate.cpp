// SPDX-License-Identifier: Apache-2.0
// Binary layers: many small prims, compressed arrays, large plain arrays; what bounds each.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <lz4.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "sinew/layer/layer.hpp"
#include "sinew/layer/layer_builder.hpp"
#include "sinew/usda/parser.hpp"
#include "sinew/usdc/reader.hpp"
#include "sinew/usdc/writer.hpp"
#include "tests/usdc/crate_builder.hpp"

namespace sinew::bench {
namespace {

using usdc::test::append;
using usdc::test::CrateBuilder;
using usdc::test::kArray;
using usdc::test::kInline;
using usdc::test::kPacked;
using usdc::test::rep;

constexpr int kPrims = 60'000;

// Prims with a place of their own and two attributes that are alike in all: four specs each.
std::string many_prims_binary() {
  CrateBuilder crate;
  std::vector<std::string> names;
  for (int i = 0; i < kPrims; ++i) names.push_back(fmt::format("prim_{}", i));
  crate.spec(0, 7, {{"primChildren", crate.token_vector(names)}});
  const std::uint64_t properties =
      crate.token_vector({"xformOp:translate", "xformOpOrder", "visibility"});
  const std::uint64_t order = crate.array(11, std::vector{crate.token("xformOp:translate")}, 8);
  const CrateBuilder::Fields prim = {{"specifier", rep(42, 0, kInline)},
                                     {"typeName", crate.token_value("Xform")},
                                     {"properties", properties}};
  const CrateBuilder::Fields order_fields = {{"typeName", crate.token_value("token[]")},
                                             {"variability", rep(44, 1, kInline)},
                                             {"default", order}};
  const CrateBuilder::Fields visibility = {{"typeName", crate.token_value("token")},
                                           {"default", crate.token_value("inherited")}};
  for (int i = 0; i < kPrims; ++i) {
    const std::uint32_t path = crate.path(0, names[static_cast<std::size_t>(i)]);
    const std::uint32_t translate = crate.path(path, "xformOp:translate", true);
    const std::uint32_t op_order = crate.path(path, "xformOpOrder", true);
    const std::uint32_t shown = crate.path(path, "visibility", true);
    std::string place;
    for (const double x : {0.1 * i, 2.0, 3.5}) append(place, x);
    crate.shared_spec(path, 6, prim);
    crate.spec(
        translate, 1,
        {{"typeName", crate.token_value("double3")}, {"default", rep(23, crate.put(place))}});
    crate.shared_spec(op_order, 1, order_fields);
    crate.shared_spec(shown, 1, visibility);
  }
  return crate.build();
}

std::string many_prims_text() {
  std::string text = "#usda 1.0\n";
  for (int i = 0; i < kPrims; ++i) {
    text += fmt::format(
        "def Xform \"prim_{}\"\n{{\n    double3 xformOp:translate = ({}, 2, 3.5)\n"
        "    uniform token[] xformOpOrder = [\"xformOp:translate\"]\n"
        "    token visibility = \"inherited\"\n}}\n",
        i, 0.1 * i);
  }
  return text;
}

// Of a file with those prims, with the layer's end, which is part of what a user pays.
void read_many_prims(benchmark::State& state, const Bytes& bytes) {
  for (auto _ : state) {
    Diagnostics diagnostics;
    const auto layer = usdc::read(bytes, "bench.usdc", diagnostics);
    if (!layer || !diagnostics.empty()) return state.SkipWithError("the file does not read");
    benchmark::DoNotOptimize(layer);
  }
  state.SetItemsProcessed(state.iterations() * (4 * kPrims + 1));
}

void ReadManyPrims(benchmark::State& state) {
  read_many_prims(state, Bytes(many_prims_binary()));
}
BENCHMARK(ReadManyPrims)->Unit(benchmark::kMillisecond);

// As usdc::write() writes them: properties by name, and all that repeats packed.
void ReadWrittenPrims(benchmark::State& state) {
  Diagnostics diagnostics;
  const auto layer = usda::parse(many_prims_text(), "bench.usda", diagnostics);
  const auto bytes = usdc::write(**layer, diagnostics);
  if (!bytes) return state.SkipWithError("the file is not written");
  read_many_prims(state, *bytes);
}
BENCHMARK(ReadWrittenPrims)->Unit(benchmark::kMillisecond);

// Without the layer's end.
void ReadManyPrimsOnly(benchmark::State& state) {
  const Bytes bytes(many_prims_binary());
  for (auto _ : state) {
    Diagnostics diagnostics;
    auto layer = usdc::read(bytes, "bench.usdc", diagnostics);
    benchmark::DoNotOptimize(layer);
    state.PauseTiming();
    layer = Error{};
    state.ResumeTiming();
  }
  state.SetItemsProcessed(state.iterations() * (4 * kPrims + 1));
}
BENCHMARK(ReadManyPrimsOnly)->Unit(benchmark::kMillisecond);

// The tables and a count of their values, without names and specs made of them.
void DescribeManyPrims(benchmark::State& state) {
  const Bytes bytes(many_prims_binary());
  for (auto _ : state) {
    Diagnostics diagnostics;
    benchmark::DoNotOptimize(usdc::describe(bytes, "bench.usdc", diagnostics));
  }
  state.SetItemsProcessed(state.iterations() * (4 * kPrims + 1));
}
BENCHMARK(DescribeManyPrims)->Unit(benchmark::kMillisecond);

void ParseManyPrims(benchmark::State& state) {
  const std::string text = many_prims_text();
  for (auto _ : state) {
    Diagnostics diagnostics;
    benchmark::DoNotOptimize(usda::parse(text, "bench.usda", diagnostics));
  }
  state.SetItemsProcessed(state.iterations() * (4 * kPrims + 1));
}
BENCHMARK(ParseManyPrims)->Unit(benchmark::kMillisecond);

// Differences of one byte, as indices of faces have them.
std::string small_differences(std::size_t count) {
  std::string plain(4, '\0');
  plain.append((count + 3) / 4, '\x55');
  for (std::size_t i = 0; i < count; ++i) plain += static_cast<char>(i * i % 31 + 1);
  const std::string packed = usdc::test::lz4(plain);
  std::string run;
  append(run, std::uint64_t{packed.size()});
  return run + packed;
}

void one_array(benchmark::State& state, CrateBuilder& crate, const std::string& type,
               std::uint64_t value, std::size_t bytes_out) {
  crate.one_attribute(type, value);
  const Bytes bytes(crate.build());
  for (auto _ : state) {
    state.PauseTiming();
    Diagnostics diagnostics;
    const auto layer = usdc::read(bytes, "bench.usdc", diagnostics);
    if (!layer) return state.SkipWithError("the file does not read");
    const layer::Value& array = (*layer)->root().children[0]->properties[0].default_value;
    state.ResumeTiming();
    if (array.bytes().size() != bytes_out) return state.SkipWithError("the array is damaged");
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes_out));
}

constexpr std::size_t kElements = 4'000'000;

void UnpackIntegers(benchmark::State& state) {
  CrateBuilder crate;
  const std::uint64_t at = crate.put(crate.array_head(kElements) + small_differences(kElements));
  one_array(state, crate, "int[]", rep(3, at, kArray | kPacked), kElements * 4);
}
BENCHMARK(UnpackIntegers)->Unit(benchmark::kMillisecond);

void UnpackTable(benchmark::State& state) {
  CrateBuilder crate;
  std::string bytes = crate.array_head(kElements) + "t";
  append(bytes, std::uint32_t{1000});
  for (int i = 0; i < 1000; ++i) append(bytes, 0.1F * static_cast<float>(i));
  std::string plain(4, '\0');
  plain.append(kElements / 4, '\x55');
  for (std::size_t i = 0; i < kElements; ++i) plain += i % 2 == 0 ? '\x21' : '\xDF';
  const std::string packed = usdc::test::lz4(plain);
  append(bytes, std::uint64_t{packed.size()});
  const std::uint64_t at = crate.put(bytes + packed);
  one_array(state, crate, "float[]", rep(8, at, kArray | kPacked), kElements * 4);
}
BENCHMARK(UnpackTable)->Unit(benchmark::kMillisecond);

// Opening does not touch the array; the first use goes through all of it.
void OpenPlainArray(benchmark::State& state) {
  CrateBuilder crate;
  const std::size_t count = static_cast<std::size_t>(state.range(0)) * 250'000;
  crate.one_attribute("float[]", crate.array(8, std::vector<float>(count, 1.5F)));
  const Bytes bytes(crate.build());
  for (auto _ : state) {
    Diagnostics diagnostics;
    benchmark::DoNotOptimize(usdc::read(bytes, "bench.usdc", diagnostics));
  }
}
BENCHMARK(OpenPlainArray)->ArgName("MB")->Arg(1)->Arg(50)->Arg(200)->Unit(benchmark::kMicrosecond);

// A file with an array of 50 MB, which goes away with this.
class ArrayFile {
 public:
  ArrayFile() {
    CrateBuilder crate;
    crate.one_attribute("float[]", crate.array(8, std::vector<float>(kFloats, 1.5F)));
    std::ofstream(path_, std::ios::binary) << crate.build();
  }
  ~ArrayFile() { std::filesystem::remove(path_, ignored_); }
  const std::string& path() const { return path_; }

  static constexpr std::size_t kFloats = 50'000'000 / sizeof(float);

 private:
  std::error_code ignored_;
  std::string path_ = std::filesystem::temp_directory_path() / "sinew_bench_array.usdc";
};

// The sum as eight sums, so that memory is what bounds it.
float sum_of(std::span<const float> floats) {
  float sums[8] = {};
  for (std::size_t i = 0; i + 8 <= floats.size(); i += 8) {
    for (std::size_t k = 0; k < 8; ++k) sums[k] += floats[i + k];
  }
  return sums[0] + sums[1] + sums[2] + sums[3] + sums[4] + sums[5] + sums[6] + sums[7];
}

// Opens a mapped file and goes through its array, pages and all.
void FirstTouchOfArray(benchmark::State& state) {
  const ArrayFile file;
  for (auto _ : state) {
    Diagnostics diagnostics;
    const auto layer = usdc::read_file(file.path(), diagnostics);
    if (!layer) return state.SkipWithError("the file does not read");
    const layer::Value& array = (*layer)->root().children[0]->properties[0].default_value;
    benchmark::DoNotOptimize(sum_of(array.as_array<float>()));
  }
  state.SetBytesProcessed(state.iterations() *
                          static_cast<std::int64_t>(ArrayFile::kFloats * sizeof(float)));
}
BENCHMARK(FirstTouchOfArray)->Unit(benchmark::kMillisecond);

// The same through a mapping of its own, without the library: what memory allows.
void FirstTouchOfBytes(benchmark::State& state) {
  const ArrayFile file;
  for (auto _ : state) {
    const auto bytes = map_file(file.path());
    if (!bytes) return state.SkipWithError("the file does not read");
    const std::size_t skipped = (bytes->size() % sizeof(float)) + 128;
    const auto* const floats = reinterpret_cast<const float*>(bytes->data() + skipped / 4 * 4);
    benchmark::DoNotOptimize(sum_of({floats, ArrayFile::kFloats - 64}));
  }
  state.SetBytesProcessed(state.iterations() *
                          static_cast<std::int64_t>(ArrayFile::kFloats * sizeof(float)));
}
BENCHMARK(FirstTouchOfBytes)->Unit(benchmark::kMillisecond);

// Numbers that neither repeat nor follow each other.
std::vector<std::int32_t> random_integers() {
  std::mt19937 random(1);
  std::vector<std::int32_t> integers(kElements);
  for (std::int32_t& integer : integers) integer = static_cast<std::int32_t>(random());
  return integers;
}

void WriteRandomIntegers(benchmark::State& state) {
  const std::vector<std::int32_t> integers = random_integers();
  layer::LayerBuilder builder("bench");
  auto prim = builder.add_prim(builder.root(), layer::Specifier::def, "", "A");
  if (!prim || !builder.set_default(*prim, "int[]", "x",
                                    layer::Value::array(layer::ElementType::int_,
                                                        std::span<const std::int32_t>(integers)))) {
    return state.SkipWithError("the layer cannot be made");
  }
  const layer::LayerPtr layer = std::move(builder).finish();
  for (auto _ : state) {
    Diagnostics diagnostics;
    benchmark::DoNotOptimize(usdc::write(*layer, diagnostics));
  }
  state.SetBytesProcessed(state.iterations() *
                          static_cast<std::int64_t>(kElements * sizeof(std::int32_t)));
}
BENCHMARK(WriteRandomIntegers)->Unit(benchmark::kMillisecond);

// LZ4 by itself on the coded differences of the same numbers: what any writer has to do.
void CompressRandomIntegers(benchmark::State& state) {
  const std::vector<std::int32_t> integers = random_integers();
  std::string coded(kElements / 4, '\xFF');
  std::uint32_t last = 0;
  for (const std::int32_t integer : integers) {
    append(coded, static_cast<std::uint32_t>(integer) - last);
    last = static_cast<std::uint32_t>(integer);
  }
  std::string out(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(coded.size()))),
                  '\0');
  for (auto _ : state) {
    benchmark::DoNotOptimize(LZ4_compress_default(
        coded.data(), out.data(), static_cast<int>(coded.size()), static_cast<int>(out.size())));
  }
  state.SetBytesProcessed(state.iterations() *
                          static_cast<std::int64_t>(kElements * sizeof(std::int32_t)));
}
BENCHMARK(CompressRandomIntegers)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sinew::bench
