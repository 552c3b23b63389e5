// SPDX-License-Identifier: Apache-2.0
#include "stage/clip_template.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/format_text.hpp"
#include "core/shortest_text.hpp"

namespace sinew::stage {

namespace {

constexpr std::size_t kMaxDigits = 15;

// Times are counted in ten-thousandths, so that steps like 0.1 do not add up their rounding.
constexpr double kTicks = 10'000.0;

}  // namespace

std::optional<ClipTemplate> read_clip_template(std::string_view text) {
  const std::size_t slash = text.rfind('/');
  const std::size_t name = slash == std::string_view::npos ? 0 : slash + 1;
  struct Group {
    std::size_t begin;
    std::size_t end;
  };
  std::vector<Group> groups;
  std::string path(text.substr(0, name));
  for (std::size_t begin = name; begin <= text.size();) {
    const std::size_t end = std::min(text.find('.', begin), text.size());
    const std::string_view part = text.substr(begin, end - begin);
    begin = end + 1;
    if (part.empty()) continue;  // Dots that nothing stands between are one.
    if (path.size() > name) path += '.';
    path += part;
    if (part.find_first_not_of('#') == std::string_view::npos) {
      groups.push_back({path.size() - part.size(), path.size()});
    }
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

// As OpenUSD writes it: the whole part of the time is cut, and loses its sign with its digits, but
// the decimals are those of the rounded time.
std::string ClipTemplate::number(double time) const {
  std::string number = fixed_text(std::trunc(time) + 0.0, 0);
  if (number.size() < digits) {
    number.insert(number.starts_with('-') ? 1 : 0, digits - number.size(), '0');
  }
  if (decimals == 0) return number;
  const std::string rounded = fixed_text(time, static_cast<int>(decimals));
  return number + rounded.substr(rounded.find('.'));
}

double ClipTimes::steps() const noexcept {
  return std::floor((end * kTicks - start * kTicks) / (stride * kTicks));
}

double ClipTimes::at(std::uint32_t step, double offset) const noexcept {
  return (start * kTicks + step * (stride * kTicks) + offset * kTicks) / kTicks;
}

}  // namespace sinew::stage
