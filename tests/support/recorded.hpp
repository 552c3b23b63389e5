// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

#include "sinew/core/diagnostic.hpp"
#include "support/folders.hpp"

namespace sinew::test {

/// NaN without its sign, and nothing for what is left by rounding: a number to be written.
template <typename T>
T plain(T value) {
  if (std::isnan(value)) return std::numeric_limits<T>::quiet_NaN();
  return std::abs(value) < T(1e-5) ? T(0) : value;
}

/// Diagnostics as text, each a line behind `indent`.
inline std::string lines_of(const Diagnostics& diagnostics, const std::string& indent = {}) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) text += indent + format(diagnostic) + "\n";
  return text;
}

/// Whether two texts are the same but for the last digits of numbers.
inline bool same_but_for_rounding(std::string_view a, std::string_view b) {
  const auto is_of_number = [](char c) {
    return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+' || c == 'e';
  };
  // Drops what both begin with, but for the number in which they begin to differ.
  const auto skip_same = [&] {
    const std::size_t shorter = std::min(a.size(), b.size());
    std::size_t same = 0;
    while (same < shorter && a[same] == b[same]) ++same;
    while (same > 0 && is_of_number(a[same - 1])) --same;
    a.remove_prefix(same);
    b.remove_prefix(same);
  };
  const auto token = [&](std::string_view& text) {
    std::size_t size = 0;
    while (size < text.size() && is_of_number(text[size])) ++size;
    if (size == 0 && !text.empty()) size = 1;
    const std::string result(text.substr(0, size));
    text.remove_prefix(size);
    return result;
  };
  while (a != b) {
    skip_same();
    const std::string x = token(a);
    const std::string y = token(b);
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

/// The absolute numbers of a text summed up, in an order that matters, and how many they are.
struct NumberSum {
  std::size_t count = 0;
  double sum = 0.0;
};

/// @param rest  Called with every character that is not of a number.
template <typename Rest>
NumberSum sum_of_numbers(std::string_view text, Rest rest) {
  NumberSum result;
  const std::string all(text);  // For its end.
  for (std::size_t at = 0; at < all.size();) {
    const bool may_begin = (all[at] >= '0' && all[at] <= '9') || all[at] == '-';
    char* end = nullptr;
    const double value = may_begin ? std::strtod(all.c_str() + at, &end) : 0.0;
    const auto size = may_begin ? static_cast<std::size_t>(end - all.c_str()) - at : 0;
    if (size == 0) {
      rest(all[at++]);
      continue;
    }
    at += size;
    if (std::abs(value) < 1e30) {  // The largest float would hide all others.
      result.sum += std::abs(value) * static_cast<double>(1 + result.count++ % 7);
    }
  }
  return result;
}

/// A text as a few words: its lines, a fingerprint of all but its numbers, the sum of those.
inline std::string in_one_line(const std::string& text) {
  std::uint64_t hash = 14695981039346656037ULL;  // FNV-1a.
  const NumberSum numbers = sum_of_numbers(
      text, [&](char c) { hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL; });
  std::string fingerprint;  // Without digits, which would pass for numbers.
  for (int i = 0; i < 10; ++i) fingerprint += static_cast<char>('g' + (hash >> (6 * i)) % 16);
  std::ostringstream out;
  out << std::count(text.begin(), text.end(), '\n') << " lines, " << fingerprint << ", "
      << numbers.count << " numbers, " << numbers.sum;
  return out.str();
}

/// Long lines cut, with how many numbers follow and their sum: enough to see that they changed.
inline std::string with_short_lines(const std::string& text, std::size_t most = 300) {
  std::istringstream lines(text);
  std::ostringstream out;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t cut = line.size() > most ? line.find(' ', most) : std::string::npos;
    out << line.substr(0, cut);
    if (cut != std::string::npos) {
      const NumberSum more = sum_of_numbers(std::string_view(line).substr(cut), [](char) {});
      out << " ... " << more.count << " more, " << more.sum;
    }
    out << '\n';
  }
  return out.str();
}

/// The lines of a text that another has not but for rounding, each once: at most `most`, and
/// whether there are more.
inline std::string new_lines(const std::string& text, const std::string& before, std::size_t most) {
  std::set<std::string> known;
  std::istringstream old(before);
  for (std::string line; std::getline(old, line);) known.insert(line);
  std::istringstream lines(text);
  std::string result;
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line);) {
    const bool is_known = known.count(line) != 0 ||
                          std::any_of(known.begin(), known.end(), [&](const std::string& other) {
                            return same_but_for_rounding(other, line);
                          });
    if (is_known) continue;
    known.insert(line);
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
