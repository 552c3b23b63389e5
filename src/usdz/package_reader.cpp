// SPDX-License-Identifier: Apache-2.0
#include "usdz/package_reader.hpp"

#include <algorithm>
#include <utility>

#include "core/format_text.hpp"
#include "core/report.hpp"
#include "core/shown.hpp"
#include "core/sort.hpp"
#include "usdz/zip.hpp"

namespace sinew::usdz {

PackageReader::PackageReader(Bytes bytes, std::string identifier, Diagnostics& diagnostics,
                             const OpenOptions& options)
    : bytes_(std::move(bytes)),
      identifier_(std::move(identifier)),
      diagnostics_(diagnostics),
      options_(options) {}

void PackageReader::report(Severity severity, std::string_view code, std::string message) {
  sinew::report(&diagnostics_, severity, code, {.file = identifier_}, sentence(std::move(message)));
}

Error PackageReader::fail(ErrorCode code, std::string_view diagnostic_code, std::string message) {
  report(Severity::error, diagnostic_code, message);
  return {code, format_text("'{}': {}.", shown(identifier_), message)};
}

// The last record that ends exactly where the file ends: one inside a comment does not count.
std::optional<std::uint64_t> PackageReader::find_end_record() const {
  if (bytes_.size() < kEndBytes) return std::nullopt;
  const std::uint64_t last = bytes_.size() - kEndBytes;
  const std::uint64_t first = last - std::min<std::uint64_t>(last, kMaxCommentBytes);
  for (std::uint64_t p = last + 1; p-- > first;) {
    if (read_number<std::uint32_t>(at(p)) == kEndSignature &&
        read_number<std::uint16_t>(at(p + 20)) == last - p) {
      return p;
    }
  }
  return std::nullopt;
}

// Where the numbers of the end record do not suffice, this stands in front of it. 65,535 entries
// are not too many yet.
bool PackageReader::has_zip64_locator(std::uint64_t end_record) const noexcept {
  return end_record >= kZip64LocatorBytes &&
         read_number<std::uint32_t>(at(end_record - kZip64LocatorBytes)) == kZip64LocatorSignature;
}

PackageReader::Step PackageReader::read_directory() {
  const std::optional<std::uint64_t> found = find_end_record();
  if (!found) {
    directory_problem_ = "there is no list of entries at its end, which may have been cut off";
    return Step::end;
  }
  const std::byte* const end_record = at(*found);
  const auto entries_here = read_number<std::uint16_t>(end_record + 8);
  const auto entries = read_number<std::uint16_t>(end_record + 10);
  const std::uint64_t size = read_number<std::uint32_t>(end_record + 12);
  const std::uint64_t offset = read_number<std::uint32_t>(end_record + 16);
  if (size == kAllOnes32 || offset == kAllOnes32 || has_zip64_locator(*found)) return Step::zip64;
  const bool one_disk = read_number<std::uint32_t>(end_record + 4) == 0;
  if (!one_disk || entries_here != entries || offset > *found || size > *found - offset ||
      entries > size / kCentralBytes) {
    has_end_record_ = true;
    directory_problem_ = "the record at its end is damaged";
    return Step::end;
  }
  has_end_record_ = true;
  directory_begin_ = offset;
  std::uint64_t position = offset;
  for (std::size_t i = 0; i < entries; ++i) {
    if (!read_central(position, offset + size)) {
      directory_problem_ = "the list of entries at its end is damaged";
      central_.clear();
      return Step::end;
    }
  }
  sort_range(central_.begin(), central_.end(),
             [](const Record& a, const Record& b) { return a.header < b.header; });
  return Step::entry;
}

bool PackageReader::read_central(std::uint64_t& position, std::uint64_t end) {
  std::uint64_t rest = end - position;
  if (rest < kCentralBytes) return false;
  const std::byte* const head = at(position);
  if (read_number<std::uint32_t>(head) != kCentralSignature) return false;
  rest -= kCentralBytes;
  Record record;
  record.flags = read_number<std::uint16_t>(head + 8);
  record.method = read_number<std::uint16_t>(head + 10);
  record.crc = read_number<std::uint32_t>(head + 16);
  record.size = read_number<std::uint32_t>(head + 20);
  record.plain_size = read_number<std::uint32_t>(head + 24);
  record.header = read_number<std::uint32_t>(head + 42);
  const std::uint64_t name = read_number<std::uint16_t>(head + 28);
  const std::uint64_t extra = read_number<std::uint16_t>(head + 30);
  const std::uint64_t comment = read_number<std::uint16_t>(head + 32);
  if (name > rest || extra > rest - name || comment > rest - name - extra) return false;
  record.name = text(position + kCentralBytes, static_cast<std::size_t>(name));
  central_.push_back(record);
  position += kCentralBytes + name + extra + comment;
  return true;
}

// Blocks of an id, a size, and so many bytes. Padding need not have this form.
bool PackageReader::has_zip64_block(std::uint64_t extra, std::size_t size) const noexcept {
  while (size >= 4) {
    const std::size_t block = read_number<std::uint16_t>(at(extra + 2));
    if (read_number<std::uint16_t>(at(extra)) == kZip64Block) return true;
    if (block > size - 4) return false;
    extra += 4 + block;
    size -= 4 + block;
  }
  return false;
}

// A writer that did not know the size yet gives it in the directory.
bool PackageReader::size_from_directory(Record& record) {
  const auto found = std::lower_bound(
      central_.begin(), central_.end(), record.header,
      [](const Record& central, std::uint64_t header) { return central.header < header; });
  if (found == central_.end() || found->header != record.header || found->name != record.name) {
    return false;
  }
  record.size = found->size;
  record.plain_size = found->plain_size;
  record.crc = found->crc;
  sizes_follow_ = true;
  return true;
}

std::uint64_t PackageReader::descriptor_size(std::uint64_t position) const noexcept {
  const bool is_signed =
      left(position) >= 16 && read_number<std::uint32_t>(at(position)) == kDescriptorSignature;
  if (is_signed) return 16;
  // Without a signature: only if an entry or the directory follows.
  if (left(position) < 16) return 0;
  const auto signature = read_number<std::uint32_t>(at(position + 12));
  return signature == kLocalSignature || signature == kCentralSignature ? 12 : 0;
}

PackageReader::Step PackageReader::read_local(std::uint64_t& position) {
  constexpr std::size_t kSignatureBytes = sizeof(std::uint32_t);
  const std::byte* const head = at(position);
  if (left(position) < kSignatureBytes || read_number<std::uint32_t>(head) != kLocalSignature) {
    return Step::end;
  }
  const auto cut_short = [&](std::string problem) {
    entry_problem_ = std::move(problem);
    return Step::end;
  };
  if (left(position) < kLocalBytes) {
    return cut_short(format_text("it ends within the header of an entry, at byte {}", position));
  }
  Record record;
  record.header = position;
  record.flags = read_number<std::uint16_t>(head + 6);
  record.method = read_number<std::uint16_t>(head + 8);
  record.crc = read_number<std::uint32_t>(head + 14);
  record.size = read_number<std::uint32_t>(head + 18);
  record.plain_size = read_number<std::uint32_t>(head + 22);
  const std::uint64_t name = read_number<std::uint16_t>(head + 26);
  const std::uint64_t extra = read_number<std::uint16_t>(head + 28);
  std::uint64_t rest = left(position) - kLocalBytes;
  if (name > rest || extra > rest - name) {
    return cut_short(format_text("it ends within the header of an entry, at byte {}", position));
  }
  rest -= name + extra;
  record.name = text(position + kLocalBytes, static_cast<std::size_t>(name));
  record.data = position + kLocalBytes + name + extra;
  const bool large = record.size == kAllOnes32 || record.plain_size == kAllOnes32;
  if (large && has_zip64_block(record.data - extra, static_cast<std::size_t>(extra))) {
    return Step::zip64;
  }
  const bool follows = (record.flags & kSizesFollowFlag) != 0 && record.size == 0 &&
                       options_.rules == Rules::documented && size_from_directory(record);
  if (record.size > rest) {
    return cut_short(format_text("'{}' has {} bytes, of which {} are there", shown(record.name),
                                 record.size, rest));
  }
  position = record.data + record.size;
  if (follows) position += descriptor_size(position);
  local_.push_back(record);
  return Step::entry;
}

PackageReader::Step PackageReader::walk() {
  std::uint64_t position = 0;
  Step step = Step::entry;
  while (step == Step::entry) step = read_local(position);
  walk_end_ = position;
  return step;
}

// The first thing in which the directory and the headers disagree; empty if nothing.
std::string PackageReader::first_difference() const {
  constexpr std::uint16_t kCompared = kEncryptedFlag | kSizesFollowFlag;
  for (std::size_t i = 0; i < std::min(local_.size(), central_.size()); ++i) {
    const Record& a = local_[i];
    const Record& b = central_[i];
    if (a.header != b.header || a.name != b.name) {
      return format_text("the list at its end has '{}' where the entry is '{}'", shown(b.name),
                         shown(a.name));
    }
    if (a.method != b.method || (a.flags & kCompared) != (b.flags & kCompared) ||
        a.size != b.size || a.plain_size != b.plain_size) {
      return format_text("the list at its end and the entry '{}' itself disagree", shown(a.name));
    }
  }
  if (local_.size() != central_.size()) {
    return format_text("the list at its end has {} entries, the package {}", central_.size(),
                       local_.size());
  }
  if (directory_begin_ < walk_end_) return "the list at its end is inside an entry";
  return {};
}

Result<Package> PackageReader::run() {
  const bool by_directory = options_.rules == Rules::documented || options_.strict;
  const auto needs_zip64 = [&] {
    return fail(ErrorCode::unsupported, "usdz-zip64",
                "the package is a Zip64 archive; packages are limited to 4 GiB and 65,535 entries");
  };
  if (by_directory && read_directory() == Step::zip64) return needs_zip64();
  if (walk() == Step::zip64) return needs_zip64();
  if (local_.empty()) {
    return fail(ErrorCode::syntax, "usdz-not-a-package",
                entry_problem_.empty()
                    ? "this is not a .usdz package: no entry begins at its start"
                    : format_text("the package is cut short: {}", entry_problem_));
  }
  if (by_directory && !has_end_record_ && !entry_problem_.empty()) {
    directory_problem_ = format_text("the package is cut short: {}", entry_problem_);
  }
  if (by_directory) {
    if (directory_problem_.empty()) directory_problem_ = first_difference();
    if (directory_problem_.empty() && sizes_follow_) {
      directory_problem_ = "sizes of entries are stored after their data";
    }
  }
  if (!directory_problem_.empty()) {
    if (options_.strict) return fail(ErrorCode::syntax, "usdz-directory", directory_problem_);
    report(Severity::warning, "usdz-directory", directory_problem_);
  }
  Package package;
  keep(package);
  return package;
}

void PackageReader::keep(Package& package) {
  std::size_t misaligned = 0;
  std::size_t other_size = 0;
  for (const Record& record : local_) {
    if (record.name.ends_with('/')) continue;  // A directory.
    Entry entry;
    entry.name = record.name;
    entry.header = record.header;
    entry.offset = record.data;
    entry.size = record.size;
    entry.crc = record.crc;
    entry.method = record.method;
    entry.is_encrypted = (record.flags & kEncryptedFlag) != 0;
    misaligned += entry.is_aligned() ? 0 : 1;
    other_size += entry.method == 0 && record.size != record.plain_size ? 1 : 0;
    package.entries_.push_back(entry);
  }
  std::vector<std::uint32_t>& order = package.by_name_;
  for (std::uint32_t i = 0; i < package.entries_.size(); ++i) order.push_back(i);
  const auto name = [&](std::uint32_t i) { return package.entries_[i].name; };
  package.by_file_name_ = order;
  stable_sort_range(
      package.by_file_name_.begin(), package.by_file_name_.end(),
      [&](std::uint32_t a, std::uint32_t b) { return file_name(name(a)) < file_name(name(b)); });
  stable_sort_range(order.begin(), order.end(),
                    [&](std::uint32_t a, std::uint32_t b) { return name(a) < name(b); });
  const auto repeated =
      std::adjacent_find(order.begin(), order.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return name(a) == name(b); });
  if (repeated != order.end()) {
    report(Severity::warning, "usdz-duplicate",
           format_text("'{}' is in the package more than once; the first counts",
                       shown(name(*repeated))));
    order.erase(std::unique(order.begin(), order.end(),
                            [&](std::uint32_t a, std::uint32_t b) { return name(a) == name(b); }),
                order.end());
  }
  if (other_size != 0) {
    report(Severity::warning, "usdz-size",
           format_text("{} entries say two different sizes; the one that they take counts",
                       other_size));
  }
  if (misaligned != 0) {
    report(Severity::info, "usdz-alignment",
           format_text("{} entries do not begin at a multiple of 64 bytes", misaligned));
  }
  package.bytes_ = std::move(bytes_);
  package.identifier_ = std::move(identifier_);
  package.options_ = options_;
}

}  // namespace sinew::usdz
