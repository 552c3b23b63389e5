// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/core/bytes.hpp"
#include "sinew/core/diagnostic.hpp"
#include "sinew/core/export.hpp"
#include "sinew/core/result.hpp"
#include "sinew/core/rules.hpp"

namespace sinew::usdz {

/// A file in a package.
struct Entry {
  std::string_view name;      ///< As stored in the package; any bytes.
  std::uint64_t header = 0;   ///< Where its local header begins.
  std::uint64_t offset = 0;   ///< Where its bytes begin.
  std::uint64_t size = 0;     ///< How many there are.
  std::uint32_t crc = 0;      ///< Their checksum, as claimed.
  std::uint16_t method = 0;   ///< 0: stored. Nothing else can be read.
  bool is_encrypted = false;  ///< Cannot be read either.
  /// Whether its bytes begin at a multiple of 64, as the format demands.
  bool is_aligned() const noexcept { return offset % 64 == 0; }
};

/// How a package is opened.
struct OpenOptions {
  /// `openusd` looks at the headers alone; `documented` also at the list at the end.
  Rules rules = Rules::documented;
  /// The list at the end of the package must be there and agree with the headers in front of the
  /// entries, checksums must be right. For packages that others check by that list.
  bool strict = false;
};

/// An opened .usdz package: a zip archive of files as they are, the first of them a layer.
///
/// Nothing is copied or unpacked: entries are slices of the package's bytes. Names are keys and
/// nothing else; the file system is never asked. Immutable; safe to share between threads.
class SINEW_API Package {
 public:
  /// How deeply packages may be nested.
  static constexpr std::size_t kMaxNesting = 16;

  Package() = default;

  /// Reads the table of entries. Local headers decide, as in OpenUSD; where the list at the end
  /// says something else, a warning `usdz-directory` tells so, or under `strict` an error.
  /// @param identifier  Names the package in diagnostics.
  /// @return The package; `syntax` if the bytes are not a package; `unsupported` if it needs Zip64.
  /// @par Cost  Two passes over the headers, O(n log n) for n entries.
  static Result<Package> open(Bytes bytes, std::string identifier, Diagnostics& diagnostics,
                              const OpenOptions& options = {});

  /// As given to open(), usually the path of the file.
  const std::string& identifier() const noexcept { return identifier_; }
  /// The whole archive, which every entry that was read shares.
  const Bytes& bytes() const noexcept { return bytes_; }

  /// Files in the order of their data in the package; directories are left out.
  std::span<const Entry> entries() const noexcept { return entries_; }

  /// The entry of exactly that name, or null; of several the first. O(log n).
  const Entry* find(std::string_view name) const noexcept;

  /// The bytes of an entry, sharing those of the package. A checksum that is wrong is reported.
  /// @return The bytes; or `unsupported` if the entry is compressed or encrypted.
  Result<Bytes> read(const Entry& entry, Diagnostics& diagnostics) const;

  /// The same for the entry of exactly that name; `not_found` if there is none.
  Result<Bytes> read_entry(std::string_view name, Diagnostics& diagnostics) const;

  /// The bytes at an address inside: "textures/a.png", or "inner.usdz[b.usda]".
  /// @return As above; `not_found`; or `limit_exceeded` beyond kMaxNesting.
  Result<Bytes> read(std::string_view address, Diagnostics& diagnostics) const;

  /// The address of the layer that the package stands for: its first entry, and if that is a
  /// package, the first one of that, and so on.
  /// @return The address; or `unsupported` if the first entry is not a layer.
  Result<std::string> default_layer(Diagnostics& diagnostics) const;

 private:
  friend class PackageReader;

  Result<Package> open_inside(std::string_view name, std::size_t depth,
                              Diagnostics& diagnostics) const;
  Error entry_not_found(std::string_view name) const;

  Bytes bytes_;
  std::string identifier_;
  OpenOptions options_;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> by_name_;       // First of each name, ascending.
  std::vector<std::uint32_t> by_file_name_;  // All, by what is behind the last slash.
};

/// What a name may be used for in a package, by its extension.
enum class ContentKind : std::uint8_t { layer, package, image, audio, other };
/// By the extension alone, upper or lower case: usd, usda, usdc; usdz; png, jpg, ...; m4a, mp3,
/// wav.
SINEW_API ContentKind content_kind(std::string_view name) noexcept;

/// The checksum of zip archives (reflected polynomial 0xEDB88320).
SINEW_API std::uint32_t crc32(std::span<const std::byte> bytes) noexcept;

}  // namespace sinew::usdz
