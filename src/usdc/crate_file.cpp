// SPDX-License-Identifier: Apache-2.0
#include "usdc/crate_file.hpp"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include "core/format_text.hpp"
#include "core/sort.hpp"
#include "usdc/format.hpp"

namespace sinew::usdc {

namespace {

constexpr std::uint8_t kNewestMinor = 15;
constexpr std::uint64_t kMaxSections = 64;

// What any file may unpack to, however small.
constexpr std::uint64_t kFreeBytes = 64ULL << 20;

std::uint64_t byte_limit(const Limits& limits, std::uint64_t file_bytes) noexcept {
  if (limits.decoded_per_byte == 0) return limits.decoded_bytes;
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  const bool fits = file_bytes <= (kMost - kFreeBytes) / limits.decoded_per_byte;
  const std::uint64_t relative = fits ? file_bytes * limits.decoded_per_byte + kFreeBytes : kMost;
  return std::min(limits.decoded_bytes, relative);
}

}  // namespace

Budget::Budget(const Limits& limits, std::uint64_t file_bytes) noexcept
    : bytes_(byte_limit(limits, file_bytes)),
      items_(limits.value_items),
      fill_(limits.array_edit_bytes),
      most_fill_(limits.array_edit_bytes) {}

bool CrateFile::open(Bytes bytes, Report& report) {
  bytes_ = std::move(bytes);
  std::uint64_t contents = 0;
  return read_header(contents, report) && read_contents(contents, report) &&
         check_ranges(contents, report);
}

bool CrateFile::read_header(std::uint64_t& contents, Report& report) {
  if (!bytes_.starts_with(kMagic)) {
    return report.reject("usdc-header", "this is not a .usdc file", 0);
  }
  if (bytes_.size() < kHeaderBytes) {
    return report.reject("usdc-header", "the file ends within its header", bytes_.size());
  }
  version_ = load<Version>(bytes_.data() + kVersionOffset);
  if (version_.major != 0 || version_.minor > kNewestMinor || version_ == Version{0, 0, 0}) {
    return report.reject(
        "usdc-version",
        format_text("version {}.{}.{} of the format is not known; 0.0.1 to 0.{}.x are",
                    version_.major, version_.minor, version_.patch, kNewestMinor),
        kVersionOffset, ErrorCode::unsupported);
  }
  const auto offset = load<std::int64_t>(bytes_.data() + kContentsOffsetAt);
  const bool inside = offset >= static_cast<std::int64_t>(kHeaderBytes) &&
                      static_cast<std::uint64_t>(offset) <= bytes_.size() - sizeof(std::uint64_t);
  if (!inside) {
    return report.reject("usdc-header",
                         format_text("the table of contents cannot be at {}", offset),
                         kContentsOffsetAt);
  }
  contents = static_cast<std::uint64_t>(offset);
  return true;
}

bool CrateFile::read_contents(std::uint64_t contents, Report& report) {
  ByteReader reader(bytes_.span(), contents, bytes_.size());
  std::uint64_t count = 0;
  if (!reader.count(kContentsEntryBytes, count) || count > kMaxSections) {
    return report.reject("usdc-toc", format_text("there is no room for {} sections", count),
                         contents);
  }
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t at = reader.position();
    std::span<const std::byte> name_bytes;
    std::int64_t start = 0;
    std::int64_t size = 0;
    if (!reader.take(kSectionNameBytes, name_bytes) || !reader.read(start) || !reader.read(size)) {
      return report.reject("usdc-toc", "the table of contents is cut short", at);
    }
    std::string_view name(reinterpret_cast<const char*>(name_bytes.data()), name_bytes.size());
    name = name.substr(0, name.find('\0'));
    const auto file_size = static_cast<std::int64_t>(bytes_.size());
    if (start < 0 || size < 0 || start > file_size || size > file_size - start) {
      return report.reject(
          "usdc-toc",
          format_text("section {} does not lie in the file: {} bytes at {}", name, size, start),
          at);
    }
    const auto first = static_cast<std::uint64_t>(start);
    sections_.push_back({std::string(name), {first, first + static_cast<std::uint64_t>(size)}});
  }
  for (std::size_t kind = 0; kind < known_.size(); ++kind) {
    const auto is_it = [&](const Section& s) { return s.name == kSectionNames[kind]; };
    const auto found = std::find_if(sections_.begin(), sections_.end(), is_it);
    if (found == sections_.end()) {
      return report.reject("usdc-toc", format_text("section {} is missing", kSectionNames[kind]),
                           contents);
    }
    if (std::any_of(found + 1, sections_.end(), is_it)) {
      return report.reject("usdc-toc",
                           format_text("section {} is there twice", kSectionNames[kind]), contents);
    }
    known_[kind] = found->range;
  }
  return true;
}

bool CrateFile::check_ranges(std::uint64_t contents, Report& report) {
  const std::uint64_t contents_end =
      contents + sizeof(std::uint64_t) + sections_.size() * kContentsEntryBytes;
  occupied_.push_back({0, kHeaderBytes});
  for (const Section& section : sections_) {
    if (section.range.start != section.range.end) occupied_.push_back(section.range);
  }
  occupied_.push_back({contents, contents_end});
  sort_range(occupied_.begin(), occupied_.end(),
             [](const Range& a, const Range& b) { return a.start < b.start; });
  for (std::size_t i = 1; i < occupied_.size(); ++i) {
    if (occupied_[i].start < occupied_[i - 1].end) {
      return report.reject("usdc-toc", "sections overlap", occupied_[i].start);
    }
  }
  return true;
}

ByteReader CrateFile::value_at(std::uint64_t offset) const noexcept {
  // Nearly always everything is before the first section.
  if (offset >= kHeaderBytes && offset < occupied_[1].start) {
    return {bytes_.span(), offset, occupied_[1].start};
  }
  const auto next =
      std::upper_bound(occupied_.begin(), occupied_.end(), offset,
                       [](std::uint64_t o, const Range& range) { return o < range.start; });
  if (next == occupied_.begin() || offset < (next - 1)->end) return {};
  const std::uint64_t end = next == occupied_.end() ? bytes_.size() : next->start;
  return {bytes_.span(), offset, end};
}

}  // namespace sinew::usdc
