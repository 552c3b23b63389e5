// SPDX-License-Identifier: Apache-2.0
#include "stage/clip_template.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace sinew::stage {

namespace {

constexpr std::size_t kMaxDigits = 15;

// Times are counted in ten-thousandths, so that steps like 0.1 do not add up their rounding.
constexpr double kTicks = 10'000.0;

}  // namespace

std::optional<ClipTemplate> read_clip_template(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  const std::size_t name = slash == std::string_view::npos ? 0 : slash + 1;
  struct Group {
    std::size_t begin;
    std::size_t end;
  };
  std::vector<Group> groups;
  for (std::size_t begin = name; begin <= path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    const std::string_view part = path.substr(begin, end - begin);
    if (!part.empty() && part.find_first_not_of('#') == std::string_view::npos) {
      groups.push_back({begin, end});
    }
    begin = end + 1;
  }
  if (groups.empty() || groups.size() > 2) return std::nullopt;
  if (groups.size() == 2 && groups[1].begin != groups[0].end + 1) return std::nullopt;
  const std::size_t first = groups.front().begin;
  const std::size_t last = groups.back().end;
  ClipTemplate result;
  result.before = path.substr(0, first);
  result.marks = path.substr(first, last - first);
  result.after = path.substr(last);
  result.digits = groups[0].end - groups[0].begin;
  if (groups.size() == 2) result.decimals = groups[1].end - groups[1].begin;
  if (result.digits > kMaxDigits || result.decimals > kMaxDigits) return std::nullopt;
  return result;
}

std::string ClipTemplate::number(double time) const {
  std::string number = fmt::format("{:.{}f}", decimals == 0 ? std::trunc(time) : time, decimals);
  if (number == "-0") number = "0";
  const std::size_t whole = std::min(number.find('.'), number.size());
  const std::size_t sign = number.front() == '-' ? 1 : 0;
  if (whole < digits) number.insert(sign, digits - whole, '0');
  return number;
}

double ClipTimes::steps() const noexcept {
  return std::floor((end * kTicks - start * kTicks) / (stride * kTicks));
}

double ClipTimes::at(std::uint32_t step) const noexcept {
  return (start * kTicks + step * (stride * kTicks)) / kTicks;
}

}  // namespace sinew::stage
