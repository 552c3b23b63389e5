// SPDX-License-Identifier: Apache-2.0
// Whatever the bytes, reading ends in a layer or a diagnostic. Run under sanitizers this shows that
// it does so without touching memory it should not.
//
// SINEW_MUTATIONS sets the number of random changes. From 50,000 on, the texts are also cut at
// every byte instead of some; from 1,000,000 on this includes the files of hundreds of kilobytes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/usda/parser.hpp"
#include "sinew/usda/writer.hpp"
#include "support/folders.hpp"

namespace sinew::usda::mutation_test {
using namespace layer;
namespace {

constexpr std::size_t kLarge =
    100'000;  // Bytes. Cutting these everywhere takes ten minutes under sanitizers.

struct Source {
  std::string name;
  std::string text;
};

/// Every bundled file, whole.
std::vector<Source> sources() {
  std::vector<std::filesystem::path> files;
  for (const std::string& directory : {test::example_data_folder(), test::data_folder()}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
      if (entry.path().extension() == ".usda") files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  std::vector<Source> texts;
  for (const auto& file : files) {
    std::ifstream stream(file, std::ios::binary);
    texts.push_back({file.filename().string(),
                     {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()}});
  }
  return texts;
}

std::size_t mutation_count() {
  const char* wanted = std::getenv("SINEW_MUTATIONS");
  return wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : 4000;
}

/// The bytes alone in their allocation, so that a sanitizer sees a read of the byte past the end.
class ExactText {
 public:
  explicit ExactText(std::string_view text)
      : bytes_(std::make_unique<char[]>(text.size())), size_(text.size()) {
    std::copy(text.begin(), text.end(), bytes_.get());
  }
  std::string_view view() const { return {bytes_.get(), size_}; }

 private:
  std::unique_ptr<char[]> bytes_;
  std::size_t size_;
};

/// Bytes between two cuts of a text.
std::size_t cut_step(std::size_t size, std::size_t changes) {
  if (size >= kLarge) return changes >= 1'000'000 ? 1 : 14'983;
  return changes >= 50'000 ? 1 : 23;
}

// A layer, or exactly one error with a position in the text.
void expect_defined_outcome(std::string_view text, const std::string& what) {
  const ExactText exact(text);
  Diagnostics diagnostics;
  const Result<LayerPtr> layer = parse(exact.view(), "mutated", diagnostics);
  if (layer) return;
  ASSERT_EQ(count(diagnostics, Severity::error), 1u) << what;
  ASSERT_NE(layer.error().line, 0u) << what;
  ASSERT_FALSE(layer.error().message.empty()) << what;
}

TEST(Mutation, EveryTruncationEndsInALayerOrADiagnostic) {
  const std::vector<Source> texts = sources();
  ASSERT_GE(texts.size(), 10u);
  const std::size_t changes = mutation_count();
  std::size_t cuts = 0;
  for (const auto& [name, text] : texts) {
    const std::size_t step = cut_step(text.size(), changes);
    for (std::size_t size = 0; size <= text.size(); size += step, ++cuts) {
      expect_defined_outcome(std::string_view(text).substr(0, size),
                             name + " cut at " + std::to_string(size));
    }
  }
  RecordProperty("truncations", std::to_string(cuts));
}

TEST(Mutation, EverySingleByteChangeEndsInALayerOrADiagnostic) {
  std::vector<Source> texts = sources();
  ASSERT_GE(texts.size(), 10u);
  for (Source& source : texts) {
    if (source.text.size() >= kLarge) source.text.resize(6000);  // Large arrays repeat themselves.
  }
  std::mt19937 random(42);
  constexpr char kLikely[] = "()[]{}<>@\"'\\/.,:;=#\n\r\t -0eE\x00\x80\xFF";
  for (std::size_t i = 0; i < mutation_count(); ++i) {
    auto [name, text] = texts[random() % texts.size()];
    const std::size_t at = random() % text.size();
    text[at] = random() % 2 == 0 ? kLikely[random() % (sizeof kLikely - 1)]
                                 : static_cast<char>(random() % 256);
    expect_defined_outcome(text, name + ", byte " + std::to_string(at) + " made " +
                                     std::to_string(static_cast<unsigned char>(text[at])));
  }
}

}  // namespace
}  // namespace sinew::usda::mutation_test
