// SPDX-License-Identifier: Apache-2.0
// How often what is said of a file whose bytes are damaged, one after the other.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <initializer_list>
#include <map>
#include <sstream>
#include <string>
#include <string_view>

namespace sinew::test {

/// The text without its numbers, paths and names, so that what is said of many places is one line.
inline std::string shape_of(const std::string& text) {
  std::string shape;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '<' || c == '\'') {
      const std::size_t end = text.find(c == '<' ? '>' : c, i + 1);
      if (end == std::string::npos) break;
      shape += c;
      shape += text[end];
      i = end;
    } else if (c >= '0' && c <= '9') {
      if (shape.empty() || shape.back() != '#') shape += '#';
    } else {
      shape += c >= ' ' && c <= '~' ? c : '?';
    }
  }
  return shape;
}

/// How often each line is told.
class Tally {
 public:
  void add(const std::string& told) {
    std::istringstream lines(told);
    for (std::string line; std::getline(lines, line);) ++counts_[shape_of(line)];
  }
  std::string text(std::string_view title) const {
    std::string text = fmt::format("{}\n", title);
    for (const auto& [line, count] : counts_) text += fmt::format("  {} times: {}\n", count, line);
    return text;
  }

 private:
  std::map<std::string, std::size_t> counts_;
};

/// What `tell` says of the bytes with each of them in turn damaged by each mask, and cut at each of
/// them, line by line with how often.
template <typename Tell>
std::string tally_of_damage(const std::string& good, std::initializer_list<unsigned> masks,
                            Tell tell) {
  std::string all;
  for (const unsigned mask : masks) {
    Tally tally;
    for (std::size_t i = 0; i < good.size(); ++i) {
      std::string changed = good;
      changed[i] = static_cast<char>(static_cast<unsigned char>(changed[i]) ^ mask);
      tally.add(tell(std::move(changed)));
    }
    all += tally.text(fmt::format("Every byte, bits {:02x} turned", mask));
  }
  Tally tally;
  for (std::size_t i = 0; i < good.size(); ++i) tally.add(tell(good.substr(0, i)));
  return all + tally.text("Cut at every byte");
}

}  // namespace sinew::test
