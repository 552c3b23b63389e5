// SPDX-License-Identifier: Apache-2.0
#include "words.hpp"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sinew::tool {

namespace {

/// Levenshtein distance: how many single-character edits turn one word into the other.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j + 1] + 1, row[j] + 1, substituted});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string& candidate : known) {
    const bool is_begun = word.size() > 3 && candidate.starts_with(word);
    const std::size_t distance = is_begun ? 0 : edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best.empty() ? std::string() : "; did you mean '" + best + "'?";
}

std::string listed(std::span<const std::string_view> words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    text += i == 0 ? "" : i + 1 == words.size() ? " or " : ", ";
    text += words[i];
  }
  return text;
}

bool parse_number(std::string_view text, double& value) {
  const fast_float::from_chars_result result =
      fast_float::from_chars(text.data(), text.data() + text.size(), value);
  return result.ec == std::errc() && result.ptr == text.data() + text.size() &&
         std::isfinite(value);
}

std::string parse_rules(const std::string& text, Rules& rules) {
  if (text != "documented" && text != "openusd") {
    return "--rules takes 'documented' or 'openusd', not '" + text + "'" +
           did_you_mean(text, {"documented", "openusd"});
  }
  rules = text == "openusd" ? Rules::openusd : Rules::documented;
  return {};
}

std::string parse_time(const std::string& text, stage::Time& time) {
  time = {};
  if (text == "default") return {};
  double code = 0.0;
  if (!parse_number(text, code)) {
    return "--time takes a number or 'default', not '" + text + "'";
  }
  time = stage::Time(code);
  return {};
}

std::string parse_simd(const std::string& text, SimdLevel& level) {
  level = SimdLevel::best;
  std::string known(to_string(level));
  if (text == known) return {};
  for (const SimdLevel supported : supported_simd_levels()) {
    if (text == to_string(supported)) {
      level = supported;
      return {};
    }
    known += ", " + std::string(to_string(supported));
  }
  return "--simd takes one of " + known + " on this machine, not '" + text + "'";
}

std::string parse_frames(const std::string& text, FrameRange& range, bool* has_step) {
  double numbers[3] = {0.0, 0.0, 1.0};
  std::size_t count = 0;
  std::string_view rest = text;
  bool good = true;
  while (good && count < 3) {
    const std::size_t colon = rest.find(':');
    good = parse_number(rest.substr(0, colon), numbers[count++]);
    if (colon == std::string_view::npos) break;
    rest.remove_prefix(colon + 1);
    good = good && count < 3;
  }
  const double frames = (numbers[1] - numbers[0]) / numbers[2];
  if (!good || count < 2 || !(numbers[2] > 0.0) || !(frames >= 0.0)) {
    return "--frames takes A:B or A:B:STEP with A <= B and STEP > 0, not '" + text + "'";
  }
  if (frames > 1e6) return "--frames '" + text + "' are more than a million";
  range = {numbers[0], numbers[1], numbers[2]};
  if (has_step != nullptr) *has_step = count == 3;
  return {};
}

}  // namespace sinew::tool
