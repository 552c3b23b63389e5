// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "support/folders.hpp"

namespace sinew::test {

/// Whether two texts are the same but for the last digits of numbers.
inline bool same_but_for_rounding(std::string_view a, std::string_view b) {
  const auto token = [](std::string_view& text) {
    const auto is_of_number = [](char c) {
      return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+' || c == 'e';
    };
    std::size_t size = 0;
    while (size < text.size() && is_of_number(text[size])) ++size;
    if (size == 0 && !text.empty()) size = 1;
    const std::string result(text.substr(0, size));
    text.remove_prefix(size);
    return result;
  };
  while (!a.empty() || !b.empty()) {
    const std::string x = token(a);
    const std::string y = token(b);
    if (x == y) continue;
    char* end_x = nullptr;
    char* end_y = nullptr;
    const double value_x = std::strtod(x.c_str(), &end_x);
    const double value_y = std::strtod(y.c_str(), &end_y);
    const bool are_numbers = !x.empty() && !y.empty() && *end_x == '\0' && *end_y == '\0';
    const double larger = std::max(std::abs(value_x), std::abs(value_y));
    if (!are_numbers || !(std::abs(value_x - value_y) <= 1e-5 * larger + 1e-7)) return false;
  }
  return true;
}

/// Expects a text to be that of tests/data/recorded/<name>, line by line. With SINEW_RECORD=1 in
/// the environment it is written there instead: look at the difference before it is committed.
inline void expect_recorded(const std::string& name, const std::string& text) {
  const std::string file = data_folder() + "/recorded/" + name;
  if (std::getenv("SINEW_RECORD") != nullptr) {
    std::ofstream(file) << text;
    ADD_FAILURE() << name << " was written anew";
    return;
  }
  std::ifstream recorded(file);
  ASSERT_TRUE(recorded) << file;
  std::istringstream made(text);
  std::string expected;
  std::string line;
  int number = 0;
  int wrong = 0;
  while (std::getline(recorded, expected)) {
    ++number;
    line.clear();
    std::getline(made, line);
    if (same_but_for_rounding(line, expected)) continue;
    ADD_FAILURE() << file << ":" << number << "\n  recorded: " << expected
                  << "\n  now:      " << line;
    if (++wrong == 5) return;
  }
  EXPECT_FALSE(std::getline(made, line)) << file << " ends before: " << line;
}

/// Long lines cut, with how many numbers follow and their sum: enough to see that they changed.
inline std::string with_short_lines(const std::string& text, std::size_t most = 300) {
  std::istringstream lines(text);
  std::ostringstream out;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t cut = line.size() > most ? line.find(' ', most) : std::string::npos;
    out << line.substr(0, cut);
    if (cut != std::string::npos) {
      std::size_t count = 0;
      double sum = 0.0;
      for (std::size_t at = cut; at != std::string::npos;) {
        at = line.find_first_of("0123456789-", at);
        if (at == std::string::npos) break;
        char* end = nullptr;
        sum += std::abs(std::strtod(line.c_str() + at, &end)) * static_cast<double>(1 + count % 7);
        ++count;
        at = std::max(at + 1, static_cast<std::size_t>(end - line.c_str()));
      }
      out << " ... " << count << " more, " << sum;
    }
    out << '\n';
  }
  return out.str();
}

/// The lines of a text that another has not but for rounding, each once: at most `most`, and
/// whether there are more.
inline std::string new_lines(const std::string& text, const std::string& before, std::size_t most) {
  std::vector<std::string> known;
  std::istringstream old(before);
  for (std::string line; std::getline(old, line);) known.push_back(line);
  std::istringstream lines(text);
  std::string result;
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line);) {
    const bool is_known = std::any_of(known.begin(), known.end(), [&](const std::string& other) {
      return other == line || same_but_for_rounding(other, line);
    });
    if (is_known) continue;
    known.push_back(line);
    if (++count <= most) result += line + "\n";
  }
  if (count > most) result += "  ... " + std::to_string(count) + " lines\n";
  return result;
}

/// What changed: what is said now and was not, and what came of it; or else what is gone.
inline std::string changes(const std::string& said, const std::string& said_before,
                           const std::string& result, const std::string& result_before) {
  const std::string now = new_lines(said, said_before, 3) + new_lines(result, result_before, 2);
  return now.empty() ? new_lines(result_before, result, 1) : now;
}

}  // namespace sinew::test
