// SPDX-License-Identifier: Apache-2.0
// Whatever the bytes, reading ends in a layer or a diagnostic. Run under sanitizers this shows that
// it does so without touching memory it should not. SINEW_MUTATIONS makes the run longer.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "sinew/usda/parser.hpp"
#include "sinew/usda/writer.hpp"

namespace sinew::usda {
namespace {

std::vector<std::string> sources() {
  std::vector<std::string> texts;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(SINEW_EXAMPLE_DATA)) {
    if (entry.path().extension() == ".usda") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const auto& file : files) {
    std::ifstream stream(file, std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    texts.push_back(text.substr(0, 6000));  // Large arrays repeat themselves.
  }
  return texts;
}

int mutation_count() {
  const char* wanted = std::getenv("SINEW_MUTATIONS");
  return wanted != nullptr ? std::atoi(wanted) : 4000;
}

// A layer, or exactly one error with a position in the text.
void expect_defined_outcome(const std::string& text) {
  Diagnostics diagnostics;
  const Result<LayerPtr> layer = parse(text, "mutated", diagnostics);
  if (layer) return;
  ASSERT_EQ(count(diagnostics, Severity::error), 1u);
  ASSERT_NE(layer.error().line, 0u);
  ASSERT_FALSE(layer.error().message.empty());
}

TEST(Mutation, EveryTruncationEndsInALayerOrADiagnostic) {
  for (const std::string& text : sources()) {
    const std::size_t step = mutation_count() > 50'000 ? 1 : 7;
    for (std::size_t size = 0; size < text.size(); size += step) {
      expect_defined_outcome(text.substr(0, size));
    }
  }
}

TEST(Mutation, EverySingleByteChangeEndsInALayerOrADiagnostic) {
  const std::vector<std::string> texts = sources();
  ASSERT_FALSE(texts.empty());
  std::mt19937 random(42);
  constexpr char kLikely[] = "()[]{}<>@\"'\\/.,:;=#\n\r\t -0eE\x00\x80\xFF";
  for (int i = 0; i < mutation_count(); ++i) {
    std::string text = texts[random() % texts.size()];
    char& byte = text[random() % text.size()];
    byte = random() % 2 == 0 ? kLikely[random() % (sizeof kLikely - 1)]
                             : static_cast<char>(random() % 256);
    expect_defined_outcome(text);
  }
}

}  // namespace
}  // namespace sinew::usda
