// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sinew/core/bytes.hpp"
#include "sinew/core/limits.hpp"
#include "sinew/usdc/version.hpp"
#include "usdc/byte_reader.hpp"
#include "usdc/report.hpp"

namespace sinew::usdc {

/// What a file may still unpack to. Shared with values that are unpacked when they are first used,
/// on any thread.
class Budget {
 public:
  Budget(const Limits& limits, std::uint64_t file_bytes) noexcept;

  bool take_bytes(std::uint64_t bytes) noexcept { return take(bytes_, bytes); }
  bool take_items(std::uint64_t items) noexcept { return take(items_, items); }
  /// Of what sizes of array edits fill.
  bool take_fill(std::uint64_t bytes) noexcept { return take(fill_, bytes); }
  std::uint64_t fill_left() const noexcept { return fill_; }
  bool has_fills() const noexcept { return fill_ != most_fill_; }

 private:
  static bool take(std::atomic<std::uint64_t>& from, std::uint64_t amount) noexcept {
    std::uint64_t left = from.load(std::memory_order_relaxed);
    do {
      if (left < amount) return false;
    } while (!from.compare_exchange_weak(left, left - amount, std::memory_order_relaxed));
    return true;
  }
  std::atomic<std::uint64_t> bytes_;
  std::atomic<std::uint64_t> items_;
  std::atomic<std::uint64_t> fill_;
  std::uint64_t most_fill_;
};

/// Bytes of the file that have a use: [start, end).
struct Range {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
};

/// A file whose header and table of contents have been checked.
class CrateFile {
 public:
  enum SectionKind : std::uint8_t { tokens, strings, fields, field_sets, paths, specs };
  struct Section {
    std::string name;
    Range range;
  };

  /// Reads header and table of contents.
  /// @return False if they are not those of a file that can be read.
  bool open(Bytes bytes, Report& report);

  const Bytes& bytes() const noexcept { return bytes_; }
  Version version() const noexcept { return version_; }
  /// Whether the version is at least 0.`minor`.0.
  bool since(std::uint8_t minor) const noexcept { return version_.minor >= minor; }
  const std::vector<Section>& sections() const noexcept { return sections_; }

  ByteReader section(SectionKind kind) const noexcept {
    return {bytes_.span(), known_[kind].start, known_[kind].end};
  }
  /// From `offset` to the next section. Nothing if the offset is not one of a value.
  ByteReader value_at(std::uint64_t offset) const noexcept;

 private:
  bool read_header(std::uint64_t& contents, Report& report);
  bool read_contents(std::uint64_t contents, Report& report);
  bool check_ranges(std::uint64_t contents, Report& report);

  Bytes bytes_;
  Version version_;
  std::vector<Section> sections_;  // As the table of contents has them.
  std::array<Range, 6> known_;     // By SectionKind.
  std::vector<Range> occupied_;    // Ascending: header, sections, table of contents.
};

}  // namespace sinew::usdc
