// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace sinew::test {

inline std::string contents_of(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

inline std::string without_blanks(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c != ' ' && c != '\n' && c != '\t') result += c;
  }
  return result;
}

/// Expects every block of C++ on a page of docs/ to stand in a test, but for blanks.
/// @return  The number of blocks.
inline std::size_t expect_quotes_tested_code(const std::string& page_file,
                                             const std::string& test_file) {
  constexpr std::string_view kBegin = "```cpp\n", kEnd = "```";
  const std::string page = contents_of(page_file);
  EXPECT_FALSE(page.empty()) << page_file;
  const std::string tested = without_blanks(contents_of(test_file));
  std::size_t blocks = 0;
  for (std::size_t start = page.find(kBegin); start != std::string::npos;
       start = page.find(kBegin, start)) {
    start += kBegin.size();
    const std::size_t end = page.find(kEnd, start);
    const std::string block = page.substr(start, end - start);
    EXPECT_THAT(tested, ::testing::HasSubstr(without_blanks(block))) << block;
    ++blocks;
  }
  return blocks;
}

}  // namespace sinew::test
