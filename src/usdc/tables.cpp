// SPDX-License-Identifier: Apache-2.0
#include "usdc/tables.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <span>

#include "core/format_text.hpp"
#include "sinew/core/assert.hpp"
#include "usdc/format.hpp"

namespace sinew::usdc {

namespace {

constexpr std::uint64_t kMaxTokenBytes = 16ULL << 20;

// What reading remembers of each text, here and in the reader of layers.
constexpr std::uint64_t kBytesPerToken = 64;

bool beyond_limit(const ByteReader& reader, Report& report) {
  return report.reject("usdc-limit", "the file unpacks to more than the limit of decoded bytes",
                       reader.position(), ErrorCode::limit_exceeded);
}

bool bad_index(const ByteReader& reader, std::string_view code, std::string_view table,
               std::size_t entry, std::string_view of, std::uint64_t index, Report& report) {
  return report.reject(
      code,
      format_text("entry {} of {} points to {} {}, which does not exist", entry, table, of, index),
      reader.position());
}

}  // namespace

bool cut_short(const ByteReader& reader, std::string_view code, Report& report) {
  return report.reject(code, "the section claims more than it holds", reader.position());
}

bool open_run(ByteReader& reader, std::uint64_t count, Budget& budget, Report& report,
              std::string_view code, IntegerRun<std::uint32_t>& run) {
  std::uint64_t size = 0;
  std::span<const std::byte> packed;
  const std::uint64_t at = reader.position();
  if (!reader.read(size) || !reader.take(size, packed)) return cut_short(reader, code, report);
  if (count == 0) return true;
  if (size == 0 || count / kMaxIntegersPerByte > size) return cut_short(reader, code, report);
  if (!budget.take_bytes(count * sizeof(std::uint32_t))) return beyond_limit(reader, report);
  switch (run.open(packed, static_cast<std::size_t>(count))) {
    case RunError::none:
      return true;
    case RunError::lz4:
      return report.reject("usdc-lz4", "compressed data is damaged", at);
    case RunError::integers:
      break;
  }
  return report.reject("usdc-ints", "a list of integers is damaged", at);
}

bool read_run(ByteReader& reader, std::uint64_t count, Budget& budget, Report& report,
              std::string_view code, LargeVector<std::uint32_t>& integers) {
  IntegerRun<std::uint32_t> run;
  if (!open_run(reader, count, budget, report, code, run)) return false;
  integers.resize(static_cast<std::size_t>(count));
  run.read(integers.size(), integers.data());
  return true;
}

bool TokenList::read(const CrateFile& file, Budget& budget, Report& report) {
  constexpr std::string_view kCode = "usdc-tokens";
  ByteReader reader = file.section(CrateFile::tokens);
  std::uint64_t count = 0;
  std::uint64_t size = 0;
  if (!reader.read(count) || !reader.read(size)) return cut_short(reader, kCode, report);
  const std::uint64_t at = reader.position();
  std::span<const std::byte> stored;
  if (file.since(4)) {
    std::uint64_t packed_size = 0;
    if (!reader.read(packed_size) || !reader.take(packed_size, stored) ||
        size / kMaxGain > packed_size) {
      return cut_short(reader, kCode, report);
    }
    if (!budget.take_bytes(size)) return beyond_limit(reader, report);
    unpacked_ = Buffer(static_cast<std::size_t>(size));
    const auto unpacked = unpack(stored, {unpacked_.mutable_data(), unpacked_.size()});
    if (!unpacked || *unpacked != size) {
      return report.reject("usdc-lz4", "the texts are damaged", at);
    }
    chars_ = reinterpret_cast<const char*>(unpacked_.data());
  } else {
    if (!reader.take(size, stored)) return cut_short(reader, kCode, report);
    chars_ = reinterpret_cast<const char*>(stored.data());
  }
  if (count > size || size >= std::numeric_limits<std::uint32_t>::max()) {
    return report.reject(kCode, format_text("{} bytes cannot hold {} texts", size, count), at);
  }
  // Texts may be empty: then what is known of each takes much more than its byte.
  if (!budget.take_bytes(count * kBytesPerToken)) return beyond_limit(reader, report);
  return split(count, static_cast<std::size_t>(size), at, report);
}

Token TokenList::first_token(std::uint32_t index, TokenTable& table) {
  const std::string_view name = text(index);
  return first_token(index, name, table.hash(name), table);
}

Token TokenList::first_token(std::uint32_t index, std::string_view name, std::uint64_t hash,
                             TokenTable& table) {
  const std::size_t known = table.size();
  const Token token = table.intern(name, hash);
  tokens_[index] = token;
  if (table.size() == known) flags_[index] = static_cast<std::uint8_t>(flags_[index] | kWasKnown);
  return token;
}

void TokenList::make_tokens(std::span<const std::uint32_t> indices, TokenTable& table) {
  SINEW_ASSERT(indices.size() <= kTogether);
  std::array<std::uint64_t, kTogether> hashes{};
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (!tokens_[indices[i]].empty()) continue;
    hashes[i] = table.hash(text(indices[i]));
    table.prefetch(hashes[i]);
  }
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const std::uint32_t index = indices[i];
    if (tokens_[index].empty()) first_token(index, text(index), hashes[i], table);
  }
}

bool TokenList::split(std::uint64_t count, std::size_t size, std::uint64_t at, Report& report) {
  const auto wrong = [&] {
    return report.reject("usdc-tokens", format_text("the bytes are not those of {} texts", count),
                         at);
  };
  if (size != 0 && chars_[size - 1] != '\0') return wrong();
  ends_.reserve(static_cast<std::size_t>(count));
  flags_.reserve(static_cast<std::size_t>(count));
  for (std::size_t start = 0; start < size;) {
    const auto* const end = static_cast<const char*>(std::memchr(chars_ + start, 0, size - start));
    const auto length = static_cast<std::size_t>(end - chars_) - start;
    if (ends_.size() == count) return wrong();
    if (length > kMaxTokenBytes) {
      return report.reject("usdc-limit",
                           format_text("text {} has {} bytes, more than the limit of {}",
                                       ends_.size(), length, kMaxTokenBytes),
                           at, ErrorCode::limit_exceeded);
    }
    ends_.push_back(static_cast<std::uint32_t>(start + length));
    flags_.push_back(chars_[start] == '{' || chars_[start] == '[' ? kIsBracketed : 0);
    start += length + 1;
  }
  if (ends_.size() != count) return wrong();
  tokens_.resize(ends_.size());
  return true;
}

bool Tables::read(const CrateFile& file, Budget& budget, Report& report) {
  return tokens.read(file, budget, report) && read_strings(file, report) &&
         read_fields(file, budget, report) && read_field_sets(file, budget, report);
}

bool Tables::read_strings(const CrateFile& file, Report& report) {
  ByteReader reader = file.section(CrateFile::strings);
  std::uint64_t count = 0;
  if (!reader.count(sizeof(std::uint32_t), count)) {
    return cut_short(reader, "usdc-strings", report);
  }
  strings.resize(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < strings.size(); ++i) {
    if (!reader.read(strings[i]) || strings[i] >= tokens.size()) {
      return bad_index(reader, "usdc-strings", "STRINGS", i, "token", strings[i], report);
    }
  }
  return true;
}

bool Tables::read_fields(const CrateFile& file, Budget& budget, Report& report) {
  constexpr std::string_view kCode = "usdc-fields";
  ByteReader reader = file.section(CrateFile::fields);
  std::uint64_t count = 0;
  if (!reader.read(count)) return cut_short(reader, kCode, report);
  if (file.since(4)) {
    if (!read_run(reader, count, budget, report, kCode, field_names)) return false;
    const std::uint64_t at = reader.position();
    std::uint64_t size = 0;
    std::span<const std::byte> packed;
    if (!reader.read(size) || !reader.take(size, packed) ||
        count > kMaxGain * size / sizeof(std::uint64_t)) {
      return cut_short(reader, kCode, report);
    }
    if (!budget.take_bytes(count * sizeof(std::uint64_t))) return beyond_limit(reader, report);
    field_values.resize(static_cast<std::size_t>(count));
    const auto bytes = std::as_writable_bytes(std::span(field_values));
    const auto unpacked = unpack(packed, bytes);
    if (!unpacked || *unpacked != bytes.size()) {
      return report.reject("usdc-lz4", "the values of fields are damaged", at);
    }
  } else {
    struct Entry {
      std::uint32_t unused, name;
      std::uint64_t value;
    };
    if (count > reader.left() / sizeof(Entry)) return cut_short(reader, kCode, report);
    field_names.resize(static_cast<std::size_t>(count));
    field_values.resize(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < field_names.size(); ++i) {
      Entry entry{};
      if (!reader.read(entry)) return cut_short(reader, kCode, report);
      field_names[i] = entry.name;
      field_values[i] = entry.value;
    }
  }
  for (std::size_t i = 0; i < field_names.size(); ++i) {
    if (field_names[i] >= tokens.size()) {
      return bad_index(reader, kCode, "FIELDS", i, "token", field_names[i], report);
    }
  }
  return true;
}

bool Tables::read_field_sets(const CrateFile& file, Budget& budget, Report& report) {
  constexpr std::string_view kCode = "usdc-fieldsets";
  ByteReader reader = file.section(CrateFile::field_sets);
  std::uint64_t count = 0;
  if (!reader.read(count)) return cut_short(reader, kCode, report);
  if (file.since(4)) {
    if (!read_run(reader, count, budget, report, kCode, field_sets)) return false;
  } else {
    std::span<const std::byte> stored;
    if (count > reader.left() / sizeof(std::uint32_t) ||
        !reader.take(count * sizeof(std::uint32_t), stored)) {
      return cut_short(reader, kCode, report);
    }
    field_sets.resize(static_cast<std::size_t>(count));
    if (count != 0) std::memcpy(field_sets.data(), stored.data(), stored.size());
  }
  for (std::size_t i = 0; i < field_sets.size(); ++i) {
    if (field_sets[i] != kNoIndex && field_sets[i] >= field_names.size()) {
      return bad_index(reader, kCode, "FIELDSETS", i, "field", field_sets[i], report);
    }
  }
  if (!field_sets.empty() && field_sets.back() != kNoIndex) {
    return report.reject(kCode, "the last list of fields is not ended", reader.position());
  }
  return true;
}

bool read_specs(const CrateFile& file, const Tables& tables, std::uint64_t path_count,
                Budget& budget, Report& report, const TakeSpecs& take) {
  constexpr std::string_view kCode = "usdc-specs";
  ByteReader reader = file.section(CrateFile::specs);
  std::uint64_t count = 0;
  if (!reader.read(count)) return cut_short(reader, kCode, report);
  if (count > path_count) {
    return report.reject(kCode, format_text("{} specs have {} paths", count, path_count),
                         reader.position());
  }
  // The first version has four unused bytes in front of each.
  const std::uint64_t padding = file.since(1) ? 0 : 4;
  IntegerRun<std::uint32_t> paths, fields, types;
  const bool is_packed = file.since(4);
  if (is_packed) {
    for (auto* run : {&paths, &fields, &types}) {
      if (!open_run(reader, count, budget, report, kCode, *run)) return false;
    }
  } else if (count > reader.left() / (3 * sizeof(std::uint32_t) + padding)) {
    return cut_short(reader, kCode, report);
  }
  const std::span<const std::uint32_t> runs = tables.field_sets;
  std::array<std::uint32_t, kRunBlock> path, begin, type;
  for (std::size_t first = 0; first < count; first += kRunBlock) {
    const std::size_t size = std::min<std::size_t>(kRunBlock, count - first);
    if (is_packed) {
      paths.read(size, path.data());
      fields.read(size, begin.data());
      types.read(size, type.data());
    } else {
      for (std::size_t k = 0; k < size; ++k) {
        if (!reader.skip(padding) || !reader.read(path[k]) || !reader.read(begin[k]) ||
            !reader.read(type[k])) {
          return cut_short(reader, kCode, report);
        }
      }
    }
    for (std::size_t k = 0; k < size; ++k) {
      if (path[k] >= path_count) {
        return bad_index(reader, kCode, "SPECS", first + k, "path", path[k], report);
      }
      const std::uint32_t run = begin[k];
      if (run >= runs.size() || (run != 0 && runs[run - 1] != kNoIndex)) {
        return bad_index(reader, kCode, "SPECS", first + k, "list of fields", run, report);
      }
    }
    take({first, std::span(path).first(size), std::span(begin).first(size),
          std::span(type).first(size)});
  }
  return true;
}

}  // namespace sinew::usdc
