// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/usdz/package.hpp"

namespace sinew::usdz {

/// The part of an entry's name behind the last slash.
inline std::string_view file_name(std::string_view name) noexcept {
  return name.substr(name.rfind('/') + 1);
}

/// Reads the table of entries of one package.
///
/// Two places say what is in a zip archive: the header in front of each entry, which OpenUSD reads,
/// and the directory at the end, which zip tools read. A package that shows one thing to a scanner
/// and another to a renderer is found by comparing them. Every number is a claim until it is
/// compared with the bytes that are left.
class PackageReader {
 public:
  PackageReader(Bytes bytes, std::string identifier, Diagnostics& diagnostics,
                const OpenOptions& options);

  Result<Package> run();

 private:
  /// An entry as one of the two places describes it.
  struct Record {
    std::string_view name;
    std::uint64_t header = 0;
    std::uint64_t data = 0;  // Of local headers.
    std::uint64_t size = 0;
    std::uint64_t plain_size = 0;
    std::uint32_t crc = 0;
    std::uint16_t method = 0;
    std::uint16_t flags = 0;
  };
  enum class Step : std::uint8_t { entry, end, zip64 };

  const std::byte* at(std::uint64_t offset) const noexcept { return bytes_.data() + offset; }
  std::uint64_t left(std::uint64_t offset) const noexcept { return bytes_.size() - offset; }
  std::string_view text(std::uint64_t offset, std::size_t size) const noexcept {
    return bytes_.text().substr(static_cast<std::size_t>(offset), size);
  }

  std::optional<std::uint64_t> find_end_record() const;
  bool has_zip64_locator(std::uint64_t end_record) const noexcept;
  Step read_directory();
  bool read_central(std::uint64_t& position, std::uint64_t end);
  Step walk();
  Step read_local(std::uint64_t& position);
  bool size_from_directory(Record& record);
  std::uint64_t descriptor_size(std::uint64_t position) const noexcept;
  std::string first_difference() const;
  bool has_zip64_block(std::uint64_t extra, std::size_t size) const noexcept;

  void keep(Package& package);
  Error fail(ErrorCode code, std::string_view diagnostic_code, std::string message);
  void report(Severity severity, std::string_view code, std::string message);

  Bytes bytes_;
  std::string identifier_;
  Diagnostics& diagnostics_;
  OpenOptions options_;

  std::vector<Record> local_;
  std::uint64_t walk_end_ = 0;
  bool sizes_follow_ = false;    // Some size is stored after its data.
  std::vector<Record> central_;  // By local header.
  std::uint64_t directory_begin_ = 0;
  bool has_end_record_ = false;
  std::string directory_problem_;
  std::string entry_problem_;  // Why an entry that begins cannot be one.
};

}  // namespace sinew::usdz
