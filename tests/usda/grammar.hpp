// SPDX-License-Identifier: Apache-2.0
/// @file
/// Short texts, and whether they are read.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sinew/core/diagnostic.hpp"
#include "sinew/usda/parser.hpp"

namespace sinew::test {

// The layer of a text without its first line, or null.
inline layer::LayerPtr read(const std::string& body, Rules rules = Rules::openusd) {
  Diagnostics diagnostics;
  usda::ParseOptions options;
  options.rules = rules;
  const auto layer = usda::parse("#usda 1.0\n" + body, "test.usda", diagnostics, options);
  return layer ? *layer : nullptr;
}

inline std::string in_prim(const std::string& statement) {
  return "def \"X\"\n{\n" + statement + "\n}\n";
}

inline void expect_read(const std::vector<std::string>& bodies) {
  for (const std::string& body : bodies) EXPECT_NE(read(body), nullptr) << body;
}

inline void expect_refused(const std::vector<std::string>& bodies) {
  for (const std::string& body : bodies) EXPECT_EQ(read(body), nullptr) << body;
}

// "code line:column" of the error that refuses a text.
inline std::string refusal(const std::string& text) {
  Diagnostics diagnostics;
  if (usda::parse(text, "t", diagnostics)) return "read";
  const Diagnostic& error = diagnostics.back();
  return error.code + " " + std::to_string(error.line) + ":" + std::to_string(error.column);
}

}  // namespace sinew::test
