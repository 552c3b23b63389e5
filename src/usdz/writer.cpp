// SPDX-License-Identifier: Apache-2.0
#include "sinew/usdz/writer.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "core/format_text.hpp"
#include "core/replace_file.hpp"
#include "core/report.hpp"
#include "core/shown.hpp"
#include "sinew/usdz/package.hpp"
#include "usdz/package_reader.hpp"
#include "usdz/small_letters.hpp"
#include "usdz/unusual_file.hpp"
#include "usdz/zip.hpp"

namespace sinew::usdz {

namespace {

constexpr std::uint16_t kDosDate = 0x21;  // The first of January 1980: always the same.
constexpr std::uint16_t kVersionNeeded = 10;

// Records of the archive; all numbers little-endian.
class Record {
 public:
  template <typename T>
  Record& put(T value) {
    for (std::size_t i = 0; i < sizeof(T); ++i) {
      bytes_.push_back(static_cast<std::byte>((value >> (8 * i)) & 0xFF));
    }
    return *this;
  }
  Record& put_text(std::string_view text) {
    const auto bytes = std::as_bytes(std::span(text));
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    return *this;
  }
  Record& put_zeros(std::size_t count) {
    bytes_.resize(bytes_.size() + count);
    return *this;
  }
  std::span<const std::byte> bytes() const noexcept { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

bool is_good_segment(std::string_view segment) noexcept {
  return !segment.empty() && segment != "." && segment != "..";
}

bool is_good_name(std::string_view name) noexcept {
  const bool has_drive = name.size() >= 2 && name[1] == ':';
  if (name.empty() || name.size() > kAllOnes16 || has_drive) return false;
  const auto is_bad = [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7F || c == '\\';
  };
  if (std::any_of(name.begin(), name.end(), is_bad)) return false;
  for (std::size_t slash = name.find('/'); slash != std::string_view::npos;
       slash = name.find('/')) {
    if (!is_good_segment(name.substr(0, slash))) return false;
    name.remove_prefix(slash + 1);
  }
  return is_good_segment(name);
}

// Bytes of the extra field that bring the data to a multiple of 64: none, or at least a block's
// head.
std::size_t padding(std::uint64_t header, std::size_t name_size) noexcept {
  const std::uint64_t data = header + kLocalBytes + name_size;
  const auto need = static_cast<std::size_t>((kAlignment - data % kAlignment) % kAlignment);
  return need != 0 && need < 4 ? need + kAlignment : need;
}

class PackageWriter {
 public:
  PackageWriter(std::span<const File> files, Diagnostics& diagnostics, const WriteOptions& options)
      : files_(files), diagnostics_(diagnostics), options_(options) {}

  /// Checks everything that could be wrong, before anything is written.
  Status check();

  /// Hands the archive to `sink` piece by piece.
  template <typename Sink>
  void write(Sink sink) const {
    std::uint64_t position = 0;
    const auto put = [&](std::span<const std::byte> bytes) {
      sink(bytes);
      position += bytes.size();
    };
    Record directory;
    for (const File& file : files_) {
      const std::uint64_t header = position;
      const std::size_t extra = padding(header, file.name.size());
      const std::uint32_t crc = crc32(file.bytes.span());
      Record local;
      local.put(kLocalSignature);
      put_common(local, file, crc, extra);
      put_name(local, file, extra);
      put(local.bytes());
      put(file.bytes.span());
      directory.put(kCentralSignature).put(std::uint16_t{0});
      put_common(directory, file, crc, extra);
      // Comment, disk, attributes.
      directory.put_zeros(2 + 2 + 2 + 4).put(static_cast<std::uint32_t>(header));
      put_name(directory, file, extra);
    }
    const std::uint64_t directory_begin = position;
    put(directory.bytes());
    const auto count = static_cast<std::uint16_t>(files_.size());
    Record end;
    end.put(kEndSignature).put(std::uint32_t{0}).put(count).put(count);
    end.put(static_cast<std::uint32_t>(directory.bytes().size()));
    end.put(static_cast<std::uint32_t>(directory_begin)).put(std::uint16_t{0});
    put(end.bytes());
  }

  /// Of the whole archive; known after check().
  std::uint64_t size() const noexcept { return size_; }

 private:
  static void put_common(Record& record, const File& file, std::uint32_t crc, std::size_t extra) {
    const bool ascii = std::all_of(file.name.begin(), file.name.end(),
                                   [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    const auto size = static_cast<std::uint32_t>(file.bytes.size());
    record.put(kVersionNeeded).put(ascii ? std::uint16_t{0} : kUtf8Flag).put(std::uint16_t{0});
    record.put(std::uint16_t{0}).put(kDosDate).put(crc).put(size).put(size);
    record.put(static_cast<std::uint16_t>(file.name.size()));
    record.put(static_cast<std::uint16_t>(extra));
  }
  static void put_name(Record& record, const File& file, std::size_t extra) {
    record.put_text(file.name);
    if (extra == 0) return;
    record.put(kPaddingBlock).put(static_cast<std::uint16_t>(extra - 4)).put_zeros(extra - 4);
  }

  Status check_sizes();
  Status check_names();
  void check_contents();
  void check_arkit_contents();
  void warn(std::string_view code, std::string message);

  std::span<const File> files_;
  Diagnostics& diagnostics_;
  WriteOptions options_;
  std::uint64_t size_ = 0;
};

void PackageWriter::warn(std::string_view code, std::string message) {
  report(&diagnostics_, Severity::warning, code, {}, sentence(std::move(message)));
}

Status PackageWriter::check() {
  if (files_.empty()) return {ErrorCode::invalid_argument, "a package needs at least one file."};
  const ContentKind first = content_kind(files_.front().name);
  if (first != ContentKind::layer && first != ContentKind::package) {
    return {ErrorCode::invalid_argument,
            format_text("the first file of a package must be a layer, not '{}'.",
                        shown(files_.front().name))};
  }
  if (Status names = check_names(); !names) return names;
  if (Status sizes = check_sizes(); !sizes) return sizes;
  check_contents();
  return {};
}

Status PackageWriter::check_names() {
  std::set<std::string_view> names;
  std::set<std::string> small;
  for (const File& file : files_) {
    if (!is_good_name(file.name)) {
      return {ErrorCode::invalid_argument,
              format_text("'{}' cannot be the name of a file in a package.", shown(file.name))};
    }
    if (!names.insert(file.name).second) {
      return {ErrorCode::invalid_argument,
              format_text("two files of the package are named '{}'.", shown(file.name))};
    }
    if (!small.insert(in_small_letters(file.name)).second) {
      warn("usdz-duplicate",
           format_text("'{}' differs from another name only in capital letters", shown(file.name)));
    }
  }
  return {};
}

Status PackageWriter::check_sizes() {
  if (files_.size() > kAllOnes16) {
    return {ErrorCode::limit_exceeded,
            format_text("a package holds at most 65,535 files, not {}.", files_.size())};
  }
  std::uint64_t directory = kEndBytes;
  for (const File& file : files_) {
    const std::size_t head = file.name.size() + padding(size_, file.name.size());
    directory += kCentralBytes + head;
    size_ += kLocalBytes + head + file.bytes.size();
    if (size_ + directory >= kAllOnes32) {
      return {ErrorCode::limit_exceeded,
              format_text("the package would be larger than 4 GiB with '{}'.", shown(file.name))};
    }
  }
  size_ += directory;
  return {};
}

void PackageWriter::check_contents() {
  for (const File& file : files_) warn_if_unusual(diagnostics_, {}, file.name);
  if (options_.arkit) check_arkit_contents();
}

// Names and first bytes only; what a layer says is up to check_arkit().
void PackageWriter::check_arkit_contents() {
  const File& first = files_.front();
  if (!in_small_letters(first.name).ends_with(".usdc")) {
    warn("usdz-arkit",
         format_text("the first file should be a .usdc layer, not '{}'", shown(first.name)));
  } else if (!first.bytes.starts_with("PXR-USDC")) {
    warn("usdz-arkit", format_text("'{}' is not a binary layer", shown(first.name)));
  }
  for (const File& file : files_) {
    const std::string name = in_small_letters(file.name);
    const bool is_png = name.ends_with(".png");
    const bool is_jpeg = name.ends_with(".jpg") || name.ends_with(".jpeg");
    const ContentKind kind = content_kind(file.name);
    if (kind == ContentKind::image && !is_png && !is_jpeg) {
      warn("usdz-arkit", format_text("'{}' should be a png or jpeg image", shown(file.name)));
    } else if ((is_png && !file.bytes.starts_with("\x89PNG\r\n\x1A\n")) ||
               (is_jpeg && !file.bytes.starts_with("\xFF\xD8\xFF"))) {
      warn("usdz-arkit",
           format_text("'{}' is not a {} image", shown(file.name), is_png ? "png" : "jpeg"));
    } else if (&file != &first && (kind == ContentKind::layer || kind == ContentKind::package)) {
      warn("usdz-arkit",
           format_text("'{}' is a further layer; viewers want one", shown(file.name)));
    }
  }
}

}  // namespace

Result<Bytes> write(std::span<const File> files, Diagnostics& diagnostics,
                    const WriteOptions& options) {
  PackageWriter writer(files, diagnostics, options);
  if (Status good = writer.check(); !good) return std::move(good).error();
  auto bytes = std::make_shared<std::vector<std::byte>>();
  bytes->reserve(static_cast<std::size_t>(writer.size()));
  writer.write([&](std::span<const std::byte> piece) {
    bytes->insert(bytes->end(), piece.begin(), piece.end());
  });
  return Bytes(*bytes, bytes);
}

Status write_file(std::span<const File> files, const std::string& package, Diagnostics& diagnostics,
                  const WriteOptions& options) {
  PackageWriter writer(files, diagnostics, options);
  if (Status good = writer.check(); !good) return good;
  Result<ReplaceFile> made = ReplaceFile::create(package);
  if (!made) return std::move(made).error();
  bool good = true;
  writer.write([&](std::span<const std::byte> piece) {
    good = good && std::fwrite(piece.data(), 1, piece.size(), made->handle()) == piece.size();
  });
  if (!good) {
    return {ErrorCode::io_failed, format_text("cannot write '{}': the disk may be full.", package)};
  }
  return (*std::move(made)).commit();
}

}  // namespace sinew::usdz
