// SPDX-License-Identifier: Apache-2.0
// Small texts that ask for endless composition. Each is cut at the limit of steps with one error
// that names it, and what does not depend on arcs is there.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support.hpp"

namespace sinew::stage {
namespace {

constexpr int kLevels = 40;

std::string class_name(int level) {
  return "C" + std::to_string(level);
}

// Prims whose two children each bring the prim before: 2^40 prims in the end.
std::string doubling(const std::string& arc, const std::string& more = "") {
  std::string text = "def \"C0\" {\ndef \"Leaf\" {}\n}\n";
  for (int i = 1; i < kLevels; ++i) {
    const std::string below = " (" + more + arc + " = </" + class_name(i - 1) + ">) {}\n";
    text += "def \"" + class_name(i) + "\" {\ndef \"a\"" + below + "def \"b\"" + below + "}\n";
  }
  return text;
}

std::string doubling_variants() {
  std::string text = "def \"C0\" {\ndef \"Leaf\" {}\n}\n";
  for (int i = 1; i < kLevels; ++i) {
    const std::string below = " (references = </" + class_name(i - 1) + ">) {}\n";
    text += "def \"" + class_name(i) +
            "\" (variantSets = \"v\"; variants = { string v = \"x\" }) {\nvariantSet \"v\" = {\n"
            "\"x\" {\ndef \"a\"" +
            below + "def \"b\"" + below + "}\n}\n}\n";
  }
  return text;
}

// Every prim brings all before it: sites multiply in one prim instead of below it.
std::string fan(const std::string& arc) {
  std::string text = "def \"C0\" {}\n";
  std::string all = "</C0>";
  for (int i = 1; i < kLevels; ++i) {
    text += "def \"" + class_name(i) + "\" (" + arc + " = [" + all + "]) {}\n";
    all += ", </" + class_name(i) + ">";
  }
  return text;
}

std::string mutual(const std::string& arc) {
  std::string text;
  for (int i = 0; i < 8; ++i) {
    text += "def \"" + class_name(i) + "\" {\n";
    for (int j = 0; j < 8; ++j) {
      if (j != i) {
        text += "def \"p" + std::to_string(j) + "\" (" + arc + " = </" + class_name(j) + ">) {}\n";
      }
    }
    text += "}\n";
  }
  return text;
}

TEST(Amplification, IsCutAtTheLimitOfStepsAndTheRestIsThere) {
  const std::vector<std::pair<const char*, std::string>> kinds{
      {"references", doubling("references")},
      {"payloads", doubling("payload")},
      {"inherits", doubling("inherits")},
      {"specializes", doubling("specializes")},
      {"variants", doubling_variants()},
      {"mixed", doubling("references", "inherits = </C0>; ")},
      {"fan of references", fan("references")},
      {"mutual references", mutual("references")},
      {"mutual inherits", mutual("inherits")},
      {"mutual specializes", mutual("specializes")},
  };
  for (const auto& [kind, text] : kinds) {
    OpenOptions options;
    options.limits.composition_steps = 20'000;
    options.limits.composition_steps_per_prim = 0;
    Diagnostics diagnostics;
    const std::string all = text + "def \"Beside\" {\ntoken t = \"beside\"\n}\n";
    const StagePtr stage = open_layers({{"root.usda", all.c_str()}}, diagnostics, options);
    ASSERT_NE(stage, nullptr);
    const auto errors =
        std::count_if(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& diagnostic) {
          return diagnostic.severity == Severity::error && diagnostic.code == "stage-limit" &&
                 diagnostic.message.find("limit of 20000") != std::string::npos;
        });
    EXPECT_EQ(errors, 1) << kind;
    EXPECT_EQ(text_at(*stage, "/Beside", "t"), "beside") << kind;
    EXPECT_LT(stage->prim_count(), 20'000u) << kind;
  }
}

TEST(Amplification, IsAllowedInProportionToWhatIsRead) {
  OpenOptions options;
  options.limits.composition_steps = 0;
  const std::string text = "def \"S\" {\ndef \"A\" {}\n}\ndef \"R\" (references = </S>) {}\n";
  for (const std::uint32_t per_prim : {0u, 100u}) {
    options.limits.composition_steps_per_prim = per_prim;
    Diagnostics diagnostics;
    const StagePtr stage = open_layers({{"root.usda", text.c_str()}}, diagnostics, options);
    ASSERT_NE(stage, nullptr);
    EXPECT_EQ(stage->prim("/R/A").valid(), per_prim != 0);
    EXPECT_EQ(diagnostics.empty(), per_prim != 0);
  }
}

}  // namespace
}  // namespace sinew::stage
