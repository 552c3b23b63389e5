// SPDX-License-Identifier: Apache-2.0
// Writes inputs in binary formats for fuzzers to begin with: binary layers of every version, and
// those of the text layers in the folders that are given, by themselves and packed.
//
//   sinew_fuzz_seeds OUTPUT [FOLDER]...
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

#include "sinew/usda/parser.hpp"
#include "sinew/usdc/writer.hpp"
#include "sinew/usdz/writer.hpp"
#include "usdc/scenes.hpp"

namespace {

using namespace sinew;

// What a fuzzer changes byte by byte should be small.
constexpr std::size_t kMostBytes = 4096;
constexpr unsigned kNewestMinor = 15;

class Seeds {
 public:
  explicit Seeds(std::filesystem::path folder) : folder_(std::move(folder)) {}

  void add(const std::string& name, std::string_view bytes) {
    if (bytes.size() > kMostBytes) return;
    std::ofstream file(folder_ / name, std::ios::binary);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (file.flush()) ++count_;
  }
  void add_package(const std::string& name, const std::string& layer, const Bytes& bytes) {
    const usdz::File files[] = {{layer, bytes}, {"more/" + layer, bytes}};
    Diagnostics diagnostics;
    if (const auto package = usdz::write(files, diagnostics)) add(name, package->text());
  }
  std::size_t count() const { return count_; }

 private:
  std::filesystem::path folder_;
  std::size_t count_ = 0;
};

std::optional<Bytes> as_crate(const std::filesystem::path& file) {
  Diagnostics diagnostics;
  const auto text = read_file(file.string());
  if (!text) return std::nullopt;
  const auto layer = usda::parse(text->text(), file.string(), diagnostics);
  if (!layer) return std::nullopt;
  auto crate = usdc::write(**layer, diagnostics);
  return crate ? std::optional(*crate) : std::nullopt;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  std::error_code error;
  std::filesystem::create_directories(argv[1], error);
  if (error) return 1;
  Seeds seeds(argv[1]);
  for (unsigned minor = 0; minor <= kNewestMinor; ++minor) {
    const std::string crate = usdc::test::scene(minor);
    seeds.add("scene_" + std::to_string(minor) + ".usdc", crate);
    seeds.add_package("scene_" + std::to_string(minor) + ".usdz", "scene.usdc", crate);
  }
  seeds.add("samples.usdc", usdc::test::two_samples(1, 2));
  for (int i = 2; i < argc; ++i) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[i])) {
      if (entry.path().extension() != ".usda") continue;
      const std::optional<Bytes> crate = as_crate(entry.path());
      if (!crate) continue;
      const std::string stem = entry.path().stem().string();
      seeds.add(stem + ".usdc", crate->text());
      seeds.add_package(stem + ".usdz", stem + ".usdc", *crate);
    }
  }
  std::printf("%zu seeds\n", seeds.count());
  return seeds.count() > 2 * kNewestMinor ? 0 : 1;
}
